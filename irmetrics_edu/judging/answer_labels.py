"""Answers beside retrieval: claims, nuggets and citations as runs with judgments.

Each is a list of things and what was said of each, so precision and recall measure them, with
workings, assertions and baselines like any other run.
"""

import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.contexts import rows_of
from irmetrics_edu.judging.labels import Label, Labels, read_labels, write_labels

__tracebackhide__ = True  # pytest shows the line that called

_IMPORTANCE = {"vital": 2, "okay": 1}
_ASSIGNMENT = ("support", "partial_support", "not_support")
_NO_CITATION = "no citation"


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
    a grade. Only pairs that the file lacks are asked for. `judge` names who gives the new labels,
    such as the model with its version, and `source` is "person", "model" or "rule". A line that a
    person corrects, with a name of their own, stays as it is. With ask=None nothing is asked, and
    InputError names the first pair without a label: the right choice in CI.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "claims.csv")
    >>> cats = {"q": ["Cats purr.", "Cats bark."]}
    >>> first = label_with(cats, lambda query, claim: "purr" in claim, path, judge="rule 1")
    >>> dict(label_with(cats, None, path, judge="nobody"))
    {'q': {'Cats purr.': 1.0, 'Cats bark.': 0.0}}
    """
    if not judge:
        raise InputError("judge='': name who gives the labels, such as judge='model-2026-05'")
    kept = list(read_labels(path).labels) if Path(path).exists() else []
    known = {(one.query, one.document): one for one in kept}
    wanted = [(str(query), str(item)) for query, several in items.items() for item in several]
    new: list[Label] = []
    for query, item in dict.fromkeys(wanted):
        if (query, item) in known:
            continue
        place = at(query, item)
        if ask is None:
            raise InputError(
                f"{place}{os.fspath(path)} has no label; run label_with with a function, review "
                "the file and commit it"
            )
        given = ask(query, item)
        value = float(given) if isinstance(given, bool) else checks.number(given, "label", place)
        new.append(Label(query, item, float(value), source, judge))
        known[query, item] = new[-1]
    if new:
        write_labels(Labels([*kept, *new]), path)
    return Labels([known[pair] for pair in dict.fromkeys(wanted)], os.fspath(path))


def judge_claims(labels: Any) -> JudgedItems:
    """The claims of each answer, judged: precision without a cut-off is claim precision.

    `labels` are judgments of any form, query -> claim -> grade, or labels of one source: 1 for a
    claim that the retrieved passages support, 0 for another one. Claim precision is the share of an
    answer's claims that are supported. It is called faithfulness in Es et al. (2024), RAGAs:
    automated evaluation of retrieval augmented generation, EACL.

    >>> from irmetrics_edu import evaluate
    >>> run, qrels = judge_claims({"q": {"Cats purr.": 1, "Cats bark.": 0}})
    >>> evaluate(run, qrels, "P").mean["P"]
    0.5
    """
    qrels: dict[Hashable, dict[Hashable, float]] = {
        query: dict(claims.items()) for query, claims in read_labels(labels).items()
    }
    run = AnswersRun({query: list(claims) for query, claims in qrels.items()})
    return JudgedItems(run, qrels)


def judge_nuggets(rows: Any) -> JudgedItems:
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
        run[query] = []
        qrels[query] = {}
        for nugget in _list(row, "nuggets", place):
            text = _text(nugget, "text", f"{place}{at(query)}")
            where = f"{place}{at(query)}nugget {text!r:.60}: "
            if text in qrels[query]:
                raise InputError(f"{where}listed twice; give it once")
            importance = nugget.get("importance")
            assignment = nugget.get("assignment")
            checks.one_of(f"{where}importance", importance, list(_IMPORTANCE))
            checks.one_of(f"{where}assignment", assignment, _ASSIGNMENT)
            qrels[query][text] = _IMPORTANCE[str(importance)]
            if assignment == "support":
                run[query].append(text)
    return JudgedItems(run, qrels)


def judge_citations(rows: Any) -> JudgedCitations:
    """Statements and their citations, judged: precision of each is citation recall and precision.

    `rows` are dictionaries or a JSONL file: "qid", and "statements" with "text", "supported"
    (whether all its cited passages together support it) and "citations" (passage -> whether the
    statement needs it: it supports the statement by itself, or the others don't without it).
    Citation recall is the share of statements that are supported and cite something. Citation
    precision is the share of citations that are needed, of a statement that is supported. An answer
    without a citation has precision 0. Means are over answers. Source: Gao et al. (2023), Enabling
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
        said: dict[Hashable, float] = {}
        cited: dict[Hashable, float] = {}
        for number, one in enumerate(_list(row, "statements", place), 1):
            where = f"{place}{at(query)}statement {number}: "
            name = f"{number}: {_text(one, 'text', where)}"
            given = one.get("citations")
            if not isinstance(given, Mapping):
                raise InputError(
                    f"{where}citations is {given!r:.60}; map passages to true or false"
                )
            supported = _yes_or_no(one.get("supported"), f"{where}supported")
            said[name] = int(supported and bool(given))
            for passage, needed in given.items():
                needs = _yes_or_no(needed, f"{where}citation {passage!r}")
                cited[f"{number}: {passage}"] = int(supported and needs)
        statements.run[query] = list(said)
        statements.qrels[query] = said
        citations.run[query] = list(cited)
        citations.qrels[query] = cited or {_NO_CITATION: 0}
    return JudgedCitations(statements, citations)


def _once(row: Mapping[str, Any], name: str, known: Mapping[Hashable, Any], place: str) -> str:
    query = row.get(name)
    if isinstance(query, bool) or not isinstance(query, (str, int)) or query == "":
        raise InputError(f"{place}{name} is {query!r:.60}; give the id of the query")
    if str(query) in known:
        raise InputError(
            f"{place}{at(str(query))}it has two rows; judge one run's answers at a time"
        )
    return str(query)


def _list(row: Mapping[str, Any], name: str, place: str) -> list[Mapping[str, Any]]:
    found = row.get(name)
    if (
        not isinstance(found, list)
        or not found
        or not all(isinstance(one, Mapping) for one in found)
    ):
        raise InputError(f"{place}{name} is {found!r:.60}; give a list of at least one object")
    return found


def _text(of: Mapping[str, Any], name: str, place: str) -> str:
    text = of.get(name)
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{place}{name} is {text!r:.60}; give text")
    return text


def _yes_or_no(given: Any, what: str) -> bool:
    if given not in (True, False) or not isinstance(given, (bool, int)):
        raise InputError(f"{what} is {given!r:.60}; give true or false")
    return bool(given)
