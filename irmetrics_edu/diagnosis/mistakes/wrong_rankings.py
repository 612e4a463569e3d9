"""The right measure of the wrong ranking: turned round, cut short, swapped, or of turned grades."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.cumulated_gain import dcg, ndcg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank
from irmetrics_edu.metrics.set_based import f_measure, precision, recall
from irmetrics_edu.metrics.user_models import err, rbp
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import RANKED, numbered_in_bulk
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working

of_ranking = partial(mistake, read="the lecture on evaluation, rankings and their cut-offs")
_RANKINGS = (ndcg, dcg, average_precision, reciprocal_rank, precision, recall)

turned = of_ranking(
    "ranking-reversed",
    "a ranking that was turned round: the document of the lowest score first",
    why="Documents are ranked by falling score. Most sorting functions start with the lowest "
    "value unless you ask for the reverse.",
)
dropped = of_ranking(
    "first-document-dropped",
    "a ranking without its first document: every other document moves up by one rank",
    why="The first rank counts most. You lose it if you skip a header line that is not there, or "
    "if you read a list that starts at 0 from 1.",
)


def _turned(rows: Rows) -> Rows:
    rank = rows.retrieved[rows.query] + 1 - rows.rank
    order = np.lexsort((rank, rows.query))
    return replace(replace(rows, rank=rank, span=None).where(order))


def _dropped(rows: Rows) -> Rows:
    kept = replace(rows, span=None).where(rows.rank > 1)
    return replace(kept, rank=kept.rank - 1, retrieved=np.maximum(rows.retrieved - 1, 0))


def _of_changed(right: Metric, changed: Callable[[Rows], Rows]) -> Callable[..., Working]:
    """The measure of the changed ranking; the judgments stay."""

    def whole(rows: Rows) -> Rows:
        other = changed(rows)
        return replace(other, pool_query=rows.pool_query, pool_grade=rows.pool_grade)

    def call(rows: Rows, k: int | None, **options: Any) -> Working:
        made = rows.made(changed, lambda: whole(rows))
        return right.measured(made, k, **options)

    return call


for _right in _RANKINGS:
    turned.of_call(_right, _of_changed(_right, _turned), *_right.defaults)
    dropped.of_call(_right, _of_changed(_right, _dropped), *_right.defaults)

one_less = of_ranking(
    "cut-off-one-too-low",
    "a cut-off at k - 1: the document at rank k was left out",
    why="A measure at k looks at the first k documents. Most languages leave out the end of a "
    "range, so a range from 1 to k has k - 1 ranks.",
)
one_more = of_ranking(
    "cut-off-one-too-high",
    "a cut-off at k + 1: the document at rank k + 1 was taken in",
    why="A measure at k looks at the first k documents. If you count from 0, the ranks from 0 to "
    "k are k + 1 ranks.",
)


def _cut_at(right: Metric, more: int) -> Callable[..., Working]:
    """The measure at a cut-off beside the right one."""

    def call(rows: Rows, k: int | None, **options: Any) -> Working:
        if k is not None and k + more < 1:
            raise InputError(f"k={k}: there is no cut-off one lower")
        return right.measured(rows, None if k is None else k + more, **options)

    return call


for _right in (*_RANKINGS, err, rbp, f_measure):
    one_less.of_call(_right, _cut_at(_right, -1), *_right.defaults)
    one_more.of_call(_right, _cut_at(_right, 1), *_right.defaults)

turned_grades = of_ranking(
    "grades-turned-round",
    "a scale of grades turned round: the lowest grade of the judgments counted as the best",
    why="Look up what the grades of the judgments mean. In some collections, Cranfield among them, "
    "1 is the best grade. Measures take a higher grade for a better document.",
)


def _with_turned_grades(right: Metric) -> Callable[..., Working]:
    """The measure where the highest and the lowest grade of all judgments change places."""

    def whole(rows: Rows) -> Rows:
        if not len(rows.pool_grade):
            raise InputError("nothing is judged, so there is no scale to turn round")
        both_ends = rows.pool_grade.max() + rows.pool_grade.min()
        return replace(
            rows,
            span=None,
            grade=np.where(rows.judged, both_ends - rows.grade, rows.grade),
            pool_grade=both_ends - rows.pool_grade,
        )

    def call(rows: Rows, k: int | None, **options: Any) -> Working:
        made = rows.made("turned grades", lambda: whole(rows))
        return right.measured(made, k, **options)

    return call


for _right in (ndcg, dcg, err, average_precision):
    turned_grades.of_call(_right, _with_turned_grades(_right), *_right.defaults)

swapped = of_ranking(
    "arguments-swapped",
    "the ranking and the judgments swapped: the relevant documents as a ranking, judged by what "
    "was retrieved",
    why="Look at the order of the arguments: first the ranking, then the judgments. Swapped, "
    "precision and recall change places.",
)
# Which documents were retrieved has to be known: their ids, or their numbers.
_BY_DOCUMENT = replace(RANKED, name="ranking by document", in_bulk=numbered_in_bulk)


def _swapped(rows: Rows, rel: float) -> Rows:
    """The relevant documents, best grade first, judged 1 where they were retrieved."""
    if rows.document is None or rows.pool_document is None:
        raise InputError("the documents are not known, so that they can't be swapped")
    there = _retrieved(rows)
    relevant = np.flatnonzero(rows.pool_grade >= rel)
    order = relevant[np.lexsort((-rows.pool_grade[relevant], rows.pool_query[relevant]))]
    query: Array = rows.pool_query[order]
    size = np.bincount(query, minlength=rows.n)
    first = np.cumsum(size) - size
    judged = np.repeat(np.arange(rows.n), rows.retrieved)
    return Rows(
        query=query,
        rank=np.arange(1.0, len(order) + 1) - first[query],
        grade=there[order],
        judged=np.ones(len(order), dtype=bool),
        retrieved=size,
        pool_query=judged,
        pool_grade=np.ones(len(judged)),
        queries=rows.queries,
    )


def _retrieved(rows: Rows) -> Array:
    """1 for each judged document that was retrieved, else 0."""
    documents: Any = rows.document
    of_pool: Any = rows.pool_document
    if isinstance(documents, np.ndarray):  # numbers, of which no two queries share one
        return np.isin(of_pool, documents).astype(np.float64)
    there = set(zip(rows.query.tolist(), documents, strict=True))
    judged = zip(rows.pool_query.tolist(), of_pool, strict=True)
    return np.array([float(pair in there) for pair in judged])


def _of_swapped(right: Metric) -> Callable[..., Working]:
    """The measure of the judgments as a ranking."""
    return lambda rows, k, rel: right.measured(_swapped(rows, rel), k)


for _right in (average_precision, reciprocal_rank, precision, recall):
    swapped.of_call(_right, _of_swapped(_right), "rel", inputs=_BY_DOCUMENT)
