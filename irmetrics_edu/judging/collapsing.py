"""Runs of passages for judgments of documents: passages of one document are merged."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.answer_paths import MISSING, look, refuse_no_key
from irmetrics_edu.judging.built import BuiltRun
from irmetrics_edu.judging.passages import Passage, Retrieved

__tracebackhide__ = True  # pytest shows the line that called

FIRST, BEST = "first", "best"
Parent = Callable[[Passage], Hashable]


def collapse(run: BuiltRun, *, parent: Any, keep: str = FIRST) -> BuiltRun:
    """A collapsed run ranks documents: one passage of each document stays and stands for it.

    `parent` says which document a passage is of: a path in its metadata ("source"), a mapping from
    the passage's id, or a function of a `Passage`. keep="first" keeps the passage at the best
    rank. keep="best" keeps the passage with the highest score, and orders documents by score, equal
    scores by rank. Both give the same result if scores fall with the rank. The notes of the new run
    say how many passages were merged.

    Fewer ranks are left than were retrieved, so ask for more than k passages if you measure k
    documents. Raises InputError for a passage without a parent, with its query and rank.

    >>> from irmetrics_edu.judging import build_run
    >>> run = build_run(lambda _: [("a#1", 0.9), ("a#2", 0.8), ("b#1", 0.7)], {"q1": "cats"})
    >>> dict(collapse(run, parent=lambda passage: passage.document.partition("#")[0]))
    {'q1': {'a': 0.9, 'b': 0.7}}
    """
    if not isinstance(run, BuiltRun):
        raise InputError(f"collapse takes a run of build_run; got a {type(run).__name__}")
    if keep not in (FIRST, BEST):
        raise InputError(f"keep={keep!r} is not known; use one of {FIRST}, {BEST}")
    of = finder(parent)
    answers = {}
    before = after = 0
    for query, answer in run.answers.items():
        answers[query] = _collapsed(answer, query, of, keep)
        before, after = before + len(answer), after + len(answers[query])
    said = f"{before:,} passages are of {after:,} documents: {before - after:,} fell together"
    return run.with_answers(answers, *([said] if before > after else []))


def finder(parent: Any) -> Callable[[Passage, Hashable], Hashable]:
    """The document of a passage, by a path in its metadata, a mapping or a function."""
    if not isinstance(parent, Mapping):
        refuse_no_key(parent, "parent")
    if parent is None:
        raise InputError('parent=None: give a path in the metadata such as parent="source"')

    def find(passage: Passage, query: Hashable) -> Hashable:
        if isinstance(parent, Mapping):
            found = parent.get(passage.document, MISSING)
        elif callable(parent):
            found = parent(passage)
        else:
            path = parent.removeprefix("metadata.") if isinstance(parent, str) else parent
            found = look(path, passage.metadata)
        if found is MISSING or found is None or isinstance(found, (float, bool, list, dict)):
            got = "nothing" if found is MISSING else repr(found)[:60]
            told = ", ".join(map(str, passage.metadata)) or "nothing"
            raise InputError(
                f"query {query!r}, document {passage.document!r}, rank {passage.rank}: the parent "
                f"is {got}, under parent={_name(parent)}; the metadata has {told}. Give a path, a "
                "mapping from the passage's id, or a function of the passage"
            )
        return found if isinstance(found, int) else str(found)

    return find


def _name(parent: Any) -> str:
    if isinstance(parent, Mapping):
        return f"a mapping of {len(parent):,}"
    return "a function" if callable(parent) else repr(parent)


def _collapsed(
    answer: Retrieved, query: Hashable, of: Callable[[Passage, Hashable], Hashable], keep: str
) -> Retrieved:
    kept: dict[Hashable, Passage] = {}
    for passage in answer:
        document = of(passage, query)
        other = kept.get(document)
        if other is None or (keep == BEST and _score(passage, query) > _score(other, query)):
            kept[document] = passage
    passages = [
        Passage(document, p.rank, p.score, p.text, {**p.metadata, "passage": p.document})
        for document, p in kept.items()
    ]
    if keep == BEST:
        passages.sort(key=lambda p: (-_score(p, query), p.rank))
    only = answer.only(passages)
    by_rank = keep == FIRST and answer.by_rank  # the best ones are ordered by their scores
    return Retrieved(list(only), answer.shape, answer.notes, by_rank=by_rank)


def _score(passage: Passage, query: Hashable) -> float:
    if passage.score is None:
        raise InputError(
            f"query {query!r}, document {passage.document!r}, rank {passage.rank}: keep='best' "
            "needs scores, and there is none; use keep='first'"
        )
    return passage.score
