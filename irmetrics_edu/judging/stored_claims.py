"""Claims and verdicts that other tools stored, as labels: what they judged is not asked again."""

import json
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.labels import Label, Labels
from irmetrics_edu.reading import files
from irmetrics_edu.reading.records import text_of

__tracebackhide__ = True  # pytest shows the line that called

_RAGAS, _DEEPEVAL = "ragas", "deepeval"
_FAITHFULNESS = "faithfulness"
_VERDICTS = {"yes": 1.0, "no": 0.0, "borderline": 0.0, "idk": 0.0, 1: 1.0, 0: 0.0}
_KNOWN = (
    "the traces of a Ragas result as JSON, Ragas annotations, or a test run of DeepEval with its "
    "faithfulness metric"
)
_Claim = tuple[str, Any, str]  # the claim, the verdict, and "model" or "person"


def read_claims(path: str | PathLike[str]) -> Labels:
    """The claims of answers with a model's verdicts, as Ragas or DeepEval stored them in a file.

    They are labels for `judge_claims`: 1 for a claim that the retrieved passages support, else 0.
    The question names the query. The file is recognised:

    - Ragas 0.4: the traces of a result with its metric faithfulness, written by
      `json.dump(result.traces, file, default=lambda one: one.model_dump())`, or annotations. An
      output that a person edited counts as that person's.
    - DeepEval 4: a test run (`test_run_....json`) with its metric faithfulness. Its verdict
      "borderline" is 0 here, since the passages don't support the claim; DeepEval's own score
      counts such a claim as truthful.

    Nuggets, as TREC's RAG track stores them, are read by `judge_nuggets`. InputError names the
    file, the question and the claim.
    """
    file = files.as_file(path)
    try:
        stored = json.loads(text_of(file))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: not JSON ({error}); give {_KNOWN}") from None
    judge, answers = _answers(stored, str(file))
    labels: list[Label] = []
    for query, claims in answers:
        place = f"{file}: {at(query)}"
        if not isinstance(query, str) or not query.strip():
            raise InputError(f"{file}: the question is {query!r:.60}; give text")
        if any(one.query == query for one in labels):
            raise InputError(f"{place}it has two answers; judge one run's answers at a time")
        grades: dict[str, Label] = {}
        for claim, verdict, source in claims:
            known = isinstance(verdict, (str, int)) and verdict in _VERDICTS
            if not known or not str(claim).strip():
                raise InputError(f"{place}claim {claim!r:.60} has the verdict {verdict!r:.40}")
            label = Label(query, claim, _VERDICTS[verdict], source, judge)
            if grades.setdefault(claim, label).grade != label.grade:
                raise InputError(f"{place}claim {claim!r:.60} has two verdicts; keep one")
        labels += grades.values()
    if not labels:
        raise InputError(f"{file}: no claim of an answer; give {_KNOWN}")
    return Labels(labels, str(file))


_Answers = Iterator[tuple[Any, list[_Claim]]]


def _answers(stored: Any, file: str) -> tuple[str, _Answers]:
    """Who judged, and each question with the claims of its answer."""
    if isinstance(stored, Mapping) and isinstance(stored.get("testCases"), list):
        return _DEEPEVAL, _of_deepeval(stored["testCases"], file)
    rows = stored.get(_FAITHFULNESS) if isinstance(stored, Mapping) else stored
    if isinstance(rows, list) and all(isinstance(row, Mapping) for row in rows):
        return _RAGAS, _of_ragas(rows, file)
    raise InputError(f"{file}: its form is not known; give {_KNOWN}")


def _of_ragas(rows: list[Mapping[str, Any]], file: str) -> _Answers:
    for number, row in enumerate(rows, 1):
        prompts = row.get("prompts", row.get(_FAITHFULNESS))
        if not isinstance(prompts, Mapping):
            raise InputError(f"{file}, row {number}: no prompts of faithfulness; give {_KNOWN}")
        question = _part(row.get("metric_input"), "user_input")
        claims: list[_Claim] = []
        for prompt in prompts.values():
            asked = _part(prompt, "input") or _part(prompt, "prompt_input")
            question = question or _part(asked, "question")
            edited = _part(prompt, "edited_output")
            said = edited or _part(prompt, "output") or _part(prompt, "prompt_output")
            for one in _part(said, "statements") or []:
                if isinstance(one, Mapping) and "verdict" in one:  # else the claims alone
                    source = "person" if edited else "model"
                    claims.append((str(one.get("statement", "")), one["verdict"], source))
        yield question, claims


def _of_deepeval(cases: list[Any], file: str) -> _Answers:
    for number, case in enumerate(cases, 1):
        data = [
            one
            for one in _part(case, "metricsData") or []
            if str(_part(one, "name")).casefold().startswith(_FAITHFULNESS)
        ]
        logs = _part(data[0], "verboseLogs") if data else None
        if not isinstance(logs, str):
            raise InputError(
                f"{file}, test case {number}: no log of the metric faithfulness; give {_KNOWN}"
            )
        _, _, rest = logs.partition("Claims:\n")
        listed, found, written = rest.partition("\n]")
        if rest.startswith("[]"):
            yield case.get("input"), []
            continue
        _, _, verdicts = written.partition("Verdicts:\n")
        try:
            judged = json.loads(verdicts) if found else None
        except ValueError:
            judged = None
        # Claims stand in quotes that are not escaped within.
        claims = listed.removeprefix('[\n    "').removesuffix('"').split('",\n    "')
        if not isinstance(judged, list) or len(judged) != len(claims):
            raise InputError(
                f"{file}, test case {number}: its claims and verdicts can't be told apart in the "
                "log; is it of DeepEval 4?"
            )
        yield (
            case.get("input"),
            [(c, _part(v, "verdict"), "model") for c, v in zip(claims, judged, strict=True)],
        )


def _part(of: Any, name: str) -> Any:
    """The value of a mapping, or None."""
    return of.get(name) if isinstance(of, Mapping) else None
