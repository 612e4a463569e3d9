"""Rows of a whole run for the measures of novelty, from files, frames and pieces.

subtopic judgments -> their documents as a pool -> ranks of these in the run -> rows with nuggets
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import Negative
from irmetrics_edu.errors import InputError
from irmetrics_edu.from_sources import FromSources
from irmetrics_edu.joining.bulk import Pool
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.numbers import Array, starts_of
from irmetrics_edu.reading import frames
from irmetrics_edu.reading.topics import read_subtopics, subtopics_of_frame
from irmetrics_edu.rows import nugget_bulk
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import INTENTS, NUGGETS
from irmetrics_edu.rows.ranking import RANKED, Rows


@dataclass(eq=False)
class SubtopicQrels:
    """Judgments by subtopic, read once: query -> document -> its subtopics, set or grades."""

    held: dict[Any, Any]
    skipped: int = 0  # malformed lines that were left out


def read_subtopic_qrels(
    qrels: Any, negative: Negative, *, skip_bad: bool = False
) -> SubtopicQrels | Mapping[Any, Any]:
    """Judgments by subtopic from a file or a data frame; a mapping is returned as it is.

    Where every grade is 0 or 1, a document's subtopics are a set.
    """
    if isinstance(qrels, (Mapping, SubtopicQrels)):
        return qrels
    if isinstance(qrels, (str, PathLike)):
        read, skipped = read_subtopics(qrels, skip_bad=skip_bad)
    elif frames.is_frame(qrels):
        read, skipped = subtopics_of_frame(qrels, skip_bad=skip_bad)
    else:
        raise InputError(
            "judgments by subtopic map query -> document -> subtopics, or are a file or a frame "
            f"of query, subtopic, document, grade; got {type(qrels).__name__}"
        )
    _refuse_plain(read, qrels)
    return SubtopicQrels({q: _settled(held, q, negative) for q, held in read.items()}, skipped)


def _refuse_plain(read: Mapping[Any, Any], qrels: Any) -> None:
    """Refuse judgments whose second field is 0 throughout: it is no subtopic then."""
    for judged in read.values():
        if not isinstance(judged, Mapping):
            return
        for held in judged.values():
            if not isinstance(held, Mapping) or set(held) - {"0", "Q0"}:
                return
    where = f"{qrels}: " if isinstance(qrels, (str, PathLike)) else ""
    raise InputError(
        f"{where}the second field is 0 on every line, as in judgments without subtopics; measures "
        "of novelty and intents need query, subtopic, document and grade"
    )


def _settled(judged: Any, query: Any, negative: Negative) -> Any:
    """One query's judgments with negative grades worth what the convention says."""
    if not isinstance(judged, Mapping):
        raise InputError(f"{at(query)}subtopics map each judged document to its own; got {judged}")
    grades: set[Any] = set()
    for document, held in judged.items():
        if not isinstance(held, Mapping):
            return {d: set(h) if isinstance(h, list) else h for d, h in judged.items()}
        grades.update(held.values())
        below = [topic for topic, grade in held.items() if _is_below(grade)]
        if below and negative.name in ("refuse", "keep"):
            raise InputError(
                f"{at(query, document)}subtopic {below[0]!r}: grade {held[below[0]]:g} is "
                "negative; say what it is worth: negative='zero' (not relevant) or 'unjudged'"
            )
    if grades <= {0, 1} or (grades and all(_is_below(g) or g in (0, 1) for g in grades)):
        return {d: {t for t, grade in held.items() if grade > 0} for d, held in judged.items()}
    return {
        d: {t: 0 if _is_below(grade) else grade for t, grade in held.items()}
        for d, held in judged.items()
    }


def _is_below(grade: Any) -> bool:
    return isinstance(grade, (int, float)) and grade < 0


class SubtopicJoin(FromSources):
    """A run in a file, frame or pieces, and judgments by subtopic."""

    by_subtopic = True

    def __init__(
        self,
        run: Any,
        qrels: SubtopicQrels | Mapping[Any, Any],
        by: Bundle,
        beside: Mapping[str, Any] | None = None,
        reading: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(qrels, SubtopicQrels):
            qrels = SubtopicQrels(dict(qrels))
        self._held = qrels.held
        self._everything = everything = nugget_bulk.pool_of(self._held)
        n = len(everything.query)
        # A document's grade is its number among all that are judged: the rows tell it back.
        self._numbered = Pool(
            list(self._held),
            starts_of(everything.query, everything.n),
            np.arange(1.0, n + 1),
            np.ones(n, dtype=bool),
            [] if everything.document is None else everything.document.tolist(),
            skipped=qrels.skipped,
        )
        super().__init__(run, self._numbered, by, beside, reading)

    def judgments(self, query: Any) -> Any:
        """What the judged documents of a query hold."""
        return self._held[query]

    def _judgments_in_memory(self) -> Mapping[Any, Any]:
        return self._held

    def rows(self, metric: Metric) -> Any:
        """The rows of all queries, aligned once for all measures that read the same."""
        if metric.inputs is RANKED:
            return self._relevant(super().rows(metric))
        options = self.options(metric)
        if not _in_common(metric, options):
            return super().rows(metric)
        key = ("nuggets", str(options["unjudged"]))
        if key not in self._rows:
            self._rows[key] = self._with_nuggets(cg.using(unjudged=options["unjudged"]))
        return self._rows[key]

    def _relevant(self, rows: Rows) -> Rows:
        """The documents by whether they are relevant to any subtopic, for counting."""
        relevant = np.bincount(
            self._everything.row,
            weights=np.asarray(self._everything.grade > 0, dtype=np.float64),
            minlength=len(self._everything.query),
        ).clip(max=1)
        return replace(
            rows,
            grade=relevant[rows.grade.astype(np.intp) - 1],
            pool_grade=relevant[rows.pool_grade.astype(np.intp) - 1],
        )

    def _with_nuggets(self, order: Metric) -> NuggetRows:
        aligned = self.aligned(order)
        kept = np.ones(len(aligned.queries), dtype=bool)
        if self.matched.left_out:
            kept = ~aligned.missing
        pool = nugget_bulk.pool_of({query: self._held[query] for query in self.queries})
        number: Array = np.cumsum(kept[self._numbered.query]) - 1
        rows = pool.take(number[aligned.rows.grade.astype(np.intp) - 1])
        rows.rank = aligned.rows.rank
        rows.retrieved = aligned.rows.retrieved[kept]
        rows.judged_pool = pool
        return rows


def _in_common(metric: Metric, options: Mapping[str, Any]) -> bool:
    """Whether a metric reads nuggets that all queries have in common rows: no given intents."""
    if metric.inputs is INTENTS:
        return options.get("intents") is None
    return metric.inputs is NUGGETS
