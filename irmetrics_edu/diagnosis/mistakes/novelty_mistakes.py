"""Alpha-nDCG with the wrong redundancy, the wrong alpha or the wrong ideal."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from irmetrics_edu.diagnosis.mistakes.mistake import mistake, scores_of
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.novelty import alpha_dcg, alpha_ndcg
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.working import Working

of_novelty = partial(
    mistake, read="Clarke et al. (2008), section 4 (gain) and 5 (ideal); the notes on alpha-nDCG"
)
_OPTIONS = ("alpha", "discount", "rel")

of_novelty(
    "redundancy-counts-the-document",
    "a redundancy count that includes the document itself: look at rank 1",
    why="The exponent counts the documents above that hold the nugget, so the first document with "
    "it gains a whole 1. If you count the document itself too, every gain gets another factor 1 - "
    "alpha, which cancels in alpha-nDCG.",
    cancels_in=("alpha-nDCG",),
).of_score(alpha_dcg, lambda found: found.score * (1 - found.params["alpha"]), *_OPTIONS)

swapped = of_novelty(
    "alpha-for-1-minus-alpha",
    "alpha in place of 1 - alpha (the same only for alpha = 0.5)",
    why="A nugget met before is worth 1 - alpha times as much: alpha = 0 forgives repetition, "
    "alpha = 1 gives nothing for it.",
)

no_alpha = of_novelty(
    "alpha-of-0",
    "alpha = 0: a nugget that was met before counts in full again",
    why="alpha is the share of its worth that a nugget loses each time it is met. At 0 nothing is "
    "lost, and the measure rewards repetition like novelty.",
)


def _at(alpha_of: Callable[[float], float], right: Metric) -> Callable[..., Working]:
    return lambda rows, k, alpha, **other: right.measured(rows, k, alpha=alpha_of(alpha), **other)


for _right in (alpha_dcg, alpha_ndcg):
    swapped.of_call(_right, _at(lambda alpha: 1 - alpha, _right), *_OPTIONS)
    no_alpha.of_call(_right, _at(lambda _: 0.0, _right), *_OPTIONS)


def _against(rows: NuggetRows, k: int | None, order: Array, **options: Any) -> Array:
    """Alpha-DCG over that of the given rows of the pool."""
    best = scores_of(alpha_dcg, rows.ranked(order), k, **options)
    return rows.ratio(scores_of(alpha_dcg, rows, k, **options), best)


def _by_number_of_nuggets(rows: NuggetRows, k: int | None, **options: Any) -> Array:
    """Alpha-nDCG against documents sorted by how many nuggets they hold."""
    pool = rows.pool.possible(options["rel"])
    held = pool.by_row(pool.certainty(options["rel"]))
    order = np.lexsort((-held, pool.query))
    return _against(rows, k, order[held[order] > 0], **options)


of_novelty(
    "ideal-not-greedy",
    "an ideal sorted by the number of nuggets, without regard to those met already",
    why="The gain of a document depends on the documents above it. At each rank the ideal takes "
    "the document with the highest gain after the documents taken before.",
).of_call(alpha_ndcg, _by_number_of_nuggets, *_OPTIONS)

of_novelty(
    "ideal-as-judged",
    "an ideal in the order in which the documents are listed in the judgments, by id",
    why="The order of the judgments has no meaning. The ideal takes the document of highest gain "
    "at each rank.",
).of_call(
    alpha_ndcg,
    lambda rows, k, **options: _against(rows, k, np.arange(len(rows.pool.query)), **options),
    *_OPTIONS,
)
