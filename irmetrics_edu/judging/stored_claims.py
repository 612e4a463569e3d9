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

_RAGAS = "ragas"
_DEEPEVAL = "deepeval"
_FAITHFULNESS = "faithfulness"
_VERDICTS = {
    "yes": 1.0,
    "no": 0.0,
    "borderline": 0.0,
    "idk": 0.0,
    1: 1.0,
    0: 0.0,
}
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

    A question whose answer holds no claim is one of the labels' `unanswered`: `judge_claims` scores
    it 0. Nuggets, as TREC's RAG track stores them, are read by `judge_nuggets`. InputError names
    the file, the question and the claim.
    """
    file = files.as_file(path)
    try:
        stored = json.loads(text_of(file))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: not JSON ({error}); give {_KNOWN}") from None
    judge, answers = _answers(stored, str(file))
    labels: list[Label] = []
    silent: list[str] = []
    answered: set[str] = set()
    for query, claims in answers:
        if not isinstance(query, str) or not query.strip():
            raise InputError(f"{file}: the question is {query!r:.60}; give text")
        place = f"{file}: {at(query)}"
        if query in answered:
            raise InputError(f"{place}it has two answers; judge one run's answers at a time")
        labels_of_answer = _labels(query, claims, judge, place)
        answered.add(query)
        labels += labels_of_answer
        if not labels_of_answer:
            silent.append(query)
    if not labels:
        raise InputError(f"{file}: no claim of an answer; give {_KNOWN}")
    return Labels(labels, str(file), unanswered=silent)


def _labels(
    query: str,
    claims: list[_Claim],
    judge: str,
    place: str,
) -> list[Label]:
    """The labels of an answer's claims; a claim that is repeated has one verdict."""
    labels: dict[str, Label] = {}
    for claim, verdict, source in claims:
        is_known = isinstance(verdict, (str, int)) and verdict in _VERDICTS
        if not is_known or not str(claim).strip():
            raise InputError(f"{place}claim {claim!r:.60} has the verdict {verdict!r:.40}")
        label = Label(
            query=query,
            document=claim,
            grade=_VERDICTS[verdict],
            source=source,
            judge=judge,
        )
        if labels.setdefault(claim, label).grade != label.grade:
            raise InputError(f"{place}claim {claim!r:.60} has two verdicts; keep one")
    return list(labels.values())


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
            claims += _of_prompt(prompt)
        yield question, claims


def _of_prompt(prompt: Any) -> list[_Claim]:
    """The claims of a prompt of Ragas that have verdicts; another prompt has the claims alone."""
    edited = _part(prompt, "edited_output")
    output = edited or _part(prompt, "output") or _part(prompt, "prompt_output")
    source = "person" if edited else "model"
    claims: list[_Claim] = []
    for statement in _part(output, "statements") or []:
        if isinstance(statement, Mapping) and "verdict" in statement:
            text = str(statement.get("statement", ""))
            claims.append((text, statement["verdict"], source))
    return claims


def _of_deepeval(cases: list[Any], file: str) -> _Answers:
    for number, case in enumerate(cases, 1):
        place = f"{file}, test case {number}: "
        claims = _of_log(_log(case, place), place)
        yield case.get("input"), claims


def _log(case: Any, place: str) -> str:
    """What DeepEval's metric faithfulness logged of a test case."""
    for metric in _part(case, "metricsData") or []:
        if str(_part(metric, "name")).casefold().startswith(_FAITHFULNESS):
            log = _part(metric, "verboseLogs")
            if isinstance(log, str):
                return log
            break
    raise InputError(f"{place}no log of the metric faithfulness; give {_KNOWN}")


def _of_log(log: str, place: str) -> list[_Claim]:
    """The claims of a log of DeepEval, which has them before their verdicts."""
    _, _, after_claims = log.partition("Claims:\n")
    if after_claims.startswith("[]"):
        return []
    listed, end_of_list, after_list = after_claims.partition("\n]")
    _, _, written = after_list.partition("Verdicts:\n")
    try:
        verdicts = json.loads(written) if end_of_list else None
    except (ValueError, RecursionError):
        verdicts = None
    # Claims stand in quotes that are not escaped within.
    texts = listed.removeprefix('[\n    "').removesuffix('"').split('",\n    "')
    if not isinstance(verdicts, list) or len(verdicts) != len(texts):
        raise InputError(
            f"{place}its claims and verdicts can't be told apart in the log; is it of DeepEval 4?"
        )
    claims: list[_Claim] = []
    for text, verdict in zip(texts, verdicts, strict=True):
        claims.append((text, _part(verdict, "verdict"), "model"))
    return claims


def _part(container: Any, name: str) -> Any:
    """The value of a mapping, or None."""
    return container.get(name) if isinstance(container, Mapping) else None
