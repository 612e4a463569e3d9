"""Measures as tools of search teams have them, where a number is like none of the conventions.

The Rated Ranking Evaluator cuts every term of nDCG to two decimals. Its ERR, that of Quaerite and
the unknown-document rating of Elasticsearch give a document that nobody judged a grade.
"""

from collections.abc import Iterator

import numpy as np

from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.diagnosis.switches import grades_of_the_unjudged
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranked_rows import Rows

_CENTS = 100  # in a whole
_SLACK = 1e-9  # of a term that is a whole number of hundredths
Tool = tuple[str, SettingScores]


def as_tools_have_it(search: Search) -> Iterator[Tool]:
    """The scores of the measure by each tool, with what it does in words."""
    metric = search.chosen.metric
    try:
        rows = search.rows()
    except InputError:
        return
    if not rows.n:
        return
    place = {query: number for number, query in enumerate(search.queries)}
    if metric.name == "nDCG":
        scores = _in_hundredths(rows, metric.k)
        rounding = "exponential gain, each term and the quotient cut to two decimals"
        yield (
            f"{metric!r} of the Rated Ranking Evaluator ({rounding})",
            SettingScores(float(np.mean(scores)), scores, place),
        )
    if metric.name in ("ERR", "nDCG", "DCG"):
        for grade in grades_of_the_unjudged(metric):
            graded = metric.using(unjudged=f"grade({grade})")
            of_graded = search.of_another(graded)
            if of_graded is not None:
                yield repr(graded), of_graded


def _in_hundredths(rows: Rows, k: int | None) -> Array:
    """The nDCG whose terms are cut to hundredths, and their quotient, too; the gain is 2^g - 1."""
    gained = _cut_terms(rows.top(k))
    best = _cut_terms(rows.ideal().top(k))
    return _cut(rows.ratio(gained, best))


def _cut_terms(rows: Rows) -> Array:
    gain = np.exp2(rows.grade) - 1
    terms = _cut(gain / np.log2(rows.rank + 1))
    whole: Array = rows.total(terms)
    return whole


def _cut(values: Array) -> Array:
    kept: Array = np.floor(values * _CENTS + _SLACK) / _CENTS
    return kept
