"""Judgments by subtopic: for each document the subtopics, nuggets or intents that it holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import Negative
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import starts_of
from irmetrics_edu.reading import frames
from irmetrics_edu.reading.files import File, as_file
from irmetrics_edu.reading.problems import Problems
from irmetrics_edu.reading.topics import subtopics_of
from irmetrics_edu.rows.nugget_bulk import pool_of
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.runs.joining.judged import Judged
from irmetrics_edu.runs.joining.judgment_pool import Pool


@dataclass(eq=False)
class SubtopicQrels:
    """Judgments by subtopic, read once: query -> document -> its subtopics, set or grades."""

    held: dict[Any, Any]
    skipped: int = 0  # malformed lines that were left out
    columns: dict[str, str] = field(default_factory=dict)  # of a table: which were read, as what


def read_subtopic_qrels(
    qrels: Any, negative: Negative, *, skip_bad: bool = False
) -> SubtopicQrels | Mapping[Any, Any]:
    """Judgments by subtopic from a file or a data frame; a mapping is returned as it is.

    If every grade is 0 or 1, a document's subtopics are a set.
    """
    if isinstance(qrels, (Mapping, SubtopicQrels)):
        return qrels
    given = as_file(qrels)
    if not isinstance(given, File) and not frames.is_table(given):
        raise InputError(
            f"judgments by subtopic can't be read from a {type(qrels).__name__}; map query -> "
            "document -> subtopics, or give a file or a frame of query, subtopic, document, grade"
        )
    problems = Problems("", skip=skip_bad)
    read = subtopics_of(given, problems)
    _refuse_plain(read, given)
    settled = {q: _settled(judged, q, negative) for q, judged in read.items()}
    return SubtopicQrels(settled, problems.count, problems.columns)


def _refuse_plain(read: Mapping[Any, Any], qrels: Any) -> None:
    """Refuse judgments whose second field is 0 throughout: it is no subtopic then."""
    for judged in read.values():
        if not isinstance(judged, Mapping):
            return
        for held in judged.values():
            if not isinstance(held, Mapping) or set(held) - {"0", "Q0"}:
                return
    where = f"{qrels}: " if isinstance(qrels, File) else ""
    raise InputError(
        f"{where}the second field is 0 on every line, as in judgments without subtopics; measures "
        "of novelty and intents need query, subtopic, document and grade"
    )


def _settled(judged: Any, query: Any, negative: Negative) -> Any:
    """One query's judgments with negative grades worth what the convention says."""
    if not isinstance(judged, Mapping):
        raise InputError(
            f"{at(query)}{judged} are not subtopics; map each judged document to its subtopics"
        )
    grades: set[Any] = set()
    for document, held in judged.items():
        if not isinstance(held, Mapping):
            return {d: set(h) if isinstance(h, list) else h for d, h in judged.items()}
        grades.update(held.values())
        below = [topic for topic, grade in held.items() if _is_below(grade)]
        if below and negative.name in ("refuse", "keep"):
            raise InputError(
                f"{at(query, document)}subtopic {below[0]!r}: grade {held[below[0]]:g} is "
                "negative; choose what it means: negative='zero' (not relevant) or 'unjudged'"
            )
    if grades <= {0, 1} or (grades and all(_is_below(g) or g in (0, 1) for g in grades)):
        return {d: {t for t, grade in held.items() if grade > 0} for d, held in judged.items()}
    return {
        d: {t: 0 if _is_below(grade) else grade for t, grade in held.items()}
        for d, held in judged.items()
    }


def _is_below(grade: Any) -> bool:
    return isinstance(grade, (int, float)) and grade < 0


class JudgedBySubtopic(Judged):
    """What every judged document holds; for the reverse join, which document it is."""

    by_subtopic = True
    settled = True

    def __init__(self, qrels: SubtopicQrels | Mapping[Any, Any]) -> None:
        read = qrels if isinstance(qrels, SubtopicQrels) else SubtopicQrels(dict(qrels))
        self.held, self.skipped, self.columns = read.held, read.skipped, read.columns

    @cached_property
    def rows(self) -> NuggetRows:
        """The judged documents of all queries, in the order of the pool."""
        return pool_of(self.held)

    def rows_of(self, queries: Sequence[Any]) -> NuggetRows:
        """The judged documents of some queries."""
        return pool_of({query: self.held[query] for query in queries})

    @cached_property
    def _pool(self) -> Pool:
        rows = self.rows
        relevant = np.bincount(
            rows.row,
            weights=np.asarray(rows.grade > 0, dtype=np.float64),
            minlength=len(rows.query),
        ).clip(max=1)
        return Pool(
            list(self.held),
            starts_of(rows.query, rows.n),
            relevant,
            np.ones(len(relevant), dtype=bool),
            [] if rows.document is None else rows.document.tolist(),
        )

    def pool(self, negative: Negative) -> Pool:  # noqa: ARG002 -- settled when they were read
        """The judged documents; a document is relevant if it is relevant to any subtopic."""
        return self._pool

    def of(self, query: Any, negative: Negative | None = None) -> Any:  # noqa: ARG002
        """What the judged documents of a query hold."""
        return self.held[query]

    @property
    def queries(self) -> Mapping[Any, Any]:
        """A mapping whose keys are the queries, in their order."""
        return self.held
