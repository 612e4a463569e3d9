"""Answers beside retrieval: claims, nuggets and citations as runs with judgments.

Each is a list of things and what was said of each, so precision and recall measure them, with
workings, assertions and baselines like any other run.
"""

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sized
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.contexts import Rows, rows_of
from irmetrics_edu.judging.labels import Judged, Label, Labels, read_labels, write_labels

__tracebackhide__ = True  # pytest shows the line that called

_IMPORTANCE = {
    "vital": 2,
    "okay": 1,
}
_ASSIGNMENT = (
    "support",
    "partial_support",
    "not_support",
)
# What stands in the judgments of an answer without a part, so that its precision is 0.
_NO_CITATION = "no citation"
_NO_STATEMENT = "no statement"
_NO_CLAIM = "no claim"


class AnswersRun(dict[Hashable, list[Hashable]]):
    """The parts of each answer, such as its claims; the judgments are of these parts alone.

    An answer drawn anew has other parts, so nothing of an earlier answer is judged any more. Gates
    therefore compare the scores of both, and don't score an earlier answer again.
    """

    judged_anew = True


class JudgedItems(NamedTuple):
    """The parts of each answer as a run, and what was said of each part, as judgments."""

    run: dict[Hashable, list[Hashable]]
    qrels: dict[Hashable, dict[Hashable, float]]


class JudgedCitations(NamedTuple):
    """The statements of each answer, for recall, and its citations, for precision."""

    statements: JudgedItems
    citations: JudgedItems


def label_with(
    items: Mapping[str, Iterable[str]],
    ask: Callable[[str, str], float] | None,
    path: str | PathLike[str],
    *,
    judge: str,
    source: str = "model",
) -> Labels:
    """The labels of items by your function, kept in a CSV file that you review and commit.

    `items` maps each query to its claims or other texts. `ask` takes a query and an item, and gives
    a grade. Only pairs that the file lacks are asked for. What was answered is kept, too, if a
    later call of `ask` raises. `judge` names who gives the new labels, such as the model with its
    version, and `source` is "person", "model" or "rule". A line that a person corrects, with a name
    of their own, stays as it is. With ask=None nothing is asked, and InputError names the first
    pair without a label: the right choice in CI. A query without an item is one of the labels'
    `unanswered`.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "claims.csv")
    >>> cats = {"q": ["Cats purr.", "Cats bark."]}
    >>> first = label_with(cats, lambda query, claim: "purr" in claim, path, judge="rule 1")
    >>> dict(label_with(cats, None, path, judge="nobody"))
    {'q': {'Cats purr.': 1.0, 'Cats bark.': 0.0}}
    """
    if not judge:
        raise InputError("judge='': name who gives the labels, such as judge='model-2026-05'")
    kept: list[Label] = []
    if Path(path).exists():
        kept += read_labels(path).labels
    label_of = {(one.query, one.document): one for one in kept}
    new: list[Label] = []
    wanted = _pairs(items)
    try:
        for query, item in wanted:
            if (query, item) in label_of:
                continue
            if ask is None:
                raise InputError(
                    f"{at(query, item)}{os.fspath(path)} has no label; run label_with with a "
                    "function, review the file and commit it"
                )
            answer = ask(query, item)
            grade = _grade(answer, at(query, item))
            label = Label(
                query=query,
                document=item,
                grade=grade,
                source=source,
                judge=judge,
            )
            new.append(label)
            label_of[query, item] = label
    finally:  # an answer may have cost money
        if new:
            write_labels(Labels([*kept, *new]), path)
    spoken = {query for query, _ in wanted}
    silent = [query for query in map(str, items) if query not in spoken]
    return Labels([label_of[pair] for pair in wanted], os.fspath(path), unanswered=silent)


def _pairs(items: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    """Each query with each of its items, once."""
    pairs: dict[tuple[str, str], None] = {}
    for query, several in items.items():
        for item in several:
            pairs[str(query), str(item)] = None
    return list(pairs)


def _grade(answer: Any, place: str) -> float:
    if isinstance(answer, bool):
        return float(answer)
    return float(checks.number(answer, "label", place))


def judge_claims(
    labels: Judged,
    *,
    queries: Iterable[Any] = (),
) -> JudgedItems:
    """The claims of each answer, judged: precision without a cut-off is claim precision.

    `labels` are judgments of any form, query -> claim -> grade, or labels of one source: 1 for a
    claim that the retrieved passages support, 0 for another one. Claim precision is the share of an
    answer's claims that are supported. It is called faithfulness in Es et al. (2024), RAGAs:
    automated evaluation of retrieval augmented generation, EACL.

    An answer without a claim has precision 0: a system that falls silent gets no better. It is a
    query that maps to nothing, or one that the labels call unanswered. A file of labels has no line
    of it, so `queries` names all that were asked.

    >>> from irmetrics_edu import evaluate
    >>> run, qrels = judge_claims({"q": {"Cats purr.": 1, "Cats bark.": 0}})
    >>> evaluate(run, qrels, "P").mean["P"]
    0.5
    >>> run, qrels = judge_claims({"q": {"Cats purr.": 1}, "who?": {}})
    >>> evaluate(run, qrels, "P").mean["P"]
    0.5
    """
    judged, silent = _without_silent(labels)
    all_silent = bool(silent) and not judged
    held = Labels(()) if all_silent else read_labels(judged)
    run = AnswersRun()
    qrels: dict[Hashable, dict[Hashable, float]] = {}
    for query, claims in held.items():
        grades: dict[Hashable, float] = {}
        grades.update(claims)
        qrels[query] = grades
        run[query] = list(claims)
    for name in (*held.unanswered, *silent, *queries):
        query = str(name)
        if query not in run:
            qrels[query] = {_NO_CLAIM: 0}
            run[query] = []
    return JudgedItems(run, qrels)


def _without_silent(labels: Judged) -> tuple[Judged, list[Hashable]]:
    """The labels without the queries that map to nothing, and these queries."""
    if isinstance(labels, Labels) or not isinstance(labels, Mapping):
        return labels, []
    spoken: dict[Any, Any] = {}
    silent: list[Hashable] = []
    for query, claims in labels.items():
        if isinstance(claims, Sized) and not len(claims):
            silent.append(query)
        else:
            spoken[query] = claims
    return (spoken, silent) if silent else (labels, [])


def judge_nuggets(rows: Rows) -> JudgedItems:
    """The nuggets that each answer holds, and the key: recall is nugget recall (claim recall).

    `rows` are dictionaries, or a JSONL file as TREC's RAG track stores nugget assignments: "qid",
    and "nuggets" with "text", "importance" ("vital", "okay") and "assignment" ("support",
    "partial_support", "not_support"). The judgments are 2 for a vital nugget and 1 for an okay one.
    So R is the strict score over all nuggets, and R(rel=2) the strict score over vital ones; partly
    supported nuggets are not held. Source: Pradeep et al. (2024), Initial nugget evaluation results
    for the TREC 2024 RAG track with the AutoNuggetizer framework, TREC.

    >>> from irmetrics_edu import evaluate
    >>> held = {"text": "born 1867", "importance": "vital", "assignment": "support"}
    >>> lost = {"text": "two prizes", "importance": "vital", "assignment": "partial_support"}
    >>> okay = {"text": "cycled", "importance": "okay", "assignment": "support"}
    >>> run, qrels = judge_nuggets([{"qid": "q", "nuggets": [held, lost, okay]}])
    >>> evaluate(run, qrels, "R(rel=2)").mean["R(rel=2)"]
    0.5
    """
    run: dict[Hashable, list[Hashable]] = {}
    qrels: dict[Hashable, dict[Hashable, float]] = {}
    for place, row in rows_of(rows):
        query = _once(row, "qid", qrels, place)
        held: list[Hashable] = []
        grades: dict[Hashable, float] = {}
        run[query] = held
        qrels[query] = grades
        for nugget in _list(row, "nuggets", f"{place}{at(query)}", least=1):
            text = _text(nugget, "text", f"{place}{at(query)}")
            where = f"{place}{at(query)}nugget {text!r:.60}: "
            if text in grades:
                raise InputError(f"{where}listed twice; give it once")
            importance = nugget.get("importance")
            assignment = nugget.get("assignment")
            checks.one_of(f"{where}importance", importance, list(_IMPORTANCE))
            checks.one_of(f"{where}assignment", assignment, _ASSIGNMENT)
            grades[text] = _IMPORTANCE[str(importance)]
            if assignment == "support":
                held.append(text)
    return JudgedItems(run, qrels)


def judge_citations(rows: Rows) -> JudgedCitations:
    """Statements and their citations, judged: precision of each is citation recall and precision.

    `rows` are dictionaries or a JSONL file: "qid", and "statements" with "text", "supported"
    (whether all its cited passages together support it) and "citations" (passage -> whether the
    statement needs it: it supports the statement by itself, or the others don't without it).
    Citation recall is the share of statements that are supported and cite something. Citation
    precision is the share of citations that are needed, of a statement that is supported. An answer
    without a citation has precision 0, and one without a statement has 0 of both. Means are over
    answers. Source: Gao et al. (2023), Enabling
    large language models to generate text with citations (ALCE), EMNLP.

    >>> from irmetrics_edu import evaluate
    >>> one = {"text": "Cats purr.", "supported": True, "citations": {"d1": True, "d2": False}}
    >>> two = {"text": "Dogs purr.", "supported": False, "citations": {"d1": True}}
    >>> statements, citations = judge_citations([{"qid": "q", "statements": [one, two]}])
    >>> evaluate(*statements, "P").mean["P"]  # citation recall: the first of two statements
    0.5
    >>> round(evaluate(*citations, "P").mean["P"], 4)  # citation precision: one of three
    0.3333
    """
    statements = JudgedItems(AnswersRun(), {})
    citations = JudgedItems(AnswersRun(), {})
    for place, row in rows_of(rows):
        query = _once(row, "qid", statements.qrels, place)
        supported: dict[Hashable, float] = {}
        needed: dict[Hashable, float] = {}
        listed = _list(row, "statements", f"{place}{at(query)}", least=0)
        for number, statement in enumerate(listed, 1):
            where = f"{place}{at(query)}statement {number}: "
            text = _text(statement, "text", where)
            cited = _citations(statement, where)
            is_supported = _yes_or_no(statement.get("supported"), f"{where}supported")
            supported[f"{number}: {text}"] = int(is_supported and bool(cited))
            for passage, is_needed in cited.items():
                needed[f"{number}: {passage}"] = int(is_supported and is_needed)
        statements.run[query] = list(supported)
        statements.qrels[query] = supported or {_NO_STATEMENT: 0}
        citations.run[query] = list(needed)
        citations.qrels[query] = needed or {_NO_CITATION: 0}
    return JudgedCitations(statements, citations)


def _citations(statement: Mapping[str, Any], where: str) -> dict[Any, bool]:
    """Whether a statement needs each passage that it cites."""
    citations = statement.get("citations")
    if not isinstance(citations, Mapping):
        raise InputError(f"{where}citations is {citations!r:.60}; map passages to true or false")
    needed: dict[Any, bool] = {}
    for passage, value in citations.items():
        needed[passage] = _yes_or_no(value, f"{where}citation {passage!r}")
    return needed


def _once(
    row: Mapping[str, Any],
    name: str,
    earlier: Mapping[Hashable, Any],
    place: str,
) -> str:
    query = row.get(name)
    if isinstance(query, bool) or not isinstance(query, (str, int)) or query == "":
        raise InputError(f"{place}{name} is {query!r:.60}; give the id of the query")
    if str(query) in earlier:
        raise InputError(
            f"{place}{at(str(query))}it has two rows; judge one run's answers at a time"
        )
    return str(query)


def _list(
    row: Mapping[str, Any],
    name: str,
    place: str,
    *,
    least: int,
) -> list[Mapping[str, Any]]:
    """The objects that are listed under a name; InputError for fewer than `least`, or others."""
    listed = row.get(name)
    if isinstance(listed, list) and len(listed) >= least:
        objects: list[Mapping[str, Any]] = [one for one in listed if isinstance(one, Mapping)]
        if len(objects) == len(listed):
            return objects
    of_how_many = "a list of objects"
    if least:
        of_how_many = "a list of at least one object"
    raise InputError(f"{place}{name} is {listed!r:.60}; give {of_how_many}")


def _text(
    row: Mapping[str, Any],
    name: str,
    place: str,
) -> str:
    text = row.get(name)
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{place}{name} is {text!r:.60}; give text")
    return text


def _yes_or_no(value: Any, what: str) -> bool:
    if value not in (True, False) or not isinstance(value, (bool, int)):
        raise InputError(f"{what} is {value!r:.60}; give true or false")
    return bool(value)
