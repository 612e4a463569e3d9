"""Alpha-nDCG with the wrong redundancy, the wrong alpha or the wrong ideal."""

from collections.abc import Callable

import numpy as np

from irmetrics_edu.conventions import LOG2, Discount
from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.novelty import alpha_dcg, alpha_ndcg
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.working import Working

_READ = "Clarke et al. (2008), section 4 (gain) and 5 (ideal); the notes on alpha-nDCG"

itself = mistake(
    "redundancy-counts-the-document",
    "a redundancy count that includes the document itself: look at rank 1",
    why="The exponent counts the documents above that hold the nugget, so the first "
    "document with it gains a whole 1. If you count the document itself too, every "
    "gain gets another factor 1 - alpha, which cancels in alpha-nDCG.",
    read=_READ,
    cancels_in=("alpha-nDCG",),
)


@itself.of_kernel(alpha_dcg)
def _itself(
    rows: NuggetRows,
    k: int | None = None,
    *,
    alpha: float = 0.5,
    discount: Discount = LOG2,
    rel: float = 1,
) -> Working:
    """Alpha-DCG with every gain multiplied by 1 - alpha once more."""
    found = alpha_dcg.measured(rows, k, alpha=alpha, discount=discount, rel=rel)
    found.score = found.score * (1 - alpha)
    return found


swapped = mistake(
    "alpha-for-1-minus-alpha",
    "alpha in place of 1 - alpha (the same only for alpha = 0.5)",
    why="A nugget met before is worth 1 - alpha times as much: alpha = 0 forgives repetition, "
    "alpha = 1 gives nothing for it.",
    read=_READ,
)


def _enter_swapped() -> None:
    for right in (alpha_dcg, alpha_ndcg):

        @swapped.of_kernel(right)
        def _swapped(
            rows: NuggetRows,
            k: int | None = None,
            *,
            alpha: float = 0.5,
            discount: Discount = LOG2,
            rel: float = 1,
            right: Callable[..., Working] = right.measured,
        ) -> Working:
            """The metric at 1 - alpha."""
            return right(rows, k, alpha=1 - alpha, discount=discount, rel=rel)


_enter_swapped()


no_alpha = mistake(
    "alpha-of-0",
    "alpha = 0: a nugget that was met before counts in full again",
    why="alpha is the share of its worth that a nugget loses each time it is met. At 0 "
    "nothing is lost, and the measure rewards repetition like novelty.",
    read=_READ,
)


def _enter_no_alpha() -> None:
    for right in (alpha_dcg, alpha_ndcg):

        @no_alpha.of_kernel(right)
        def _no_alpha(
            rows: NuggetRows,
            k: int | None = None,
            *,
            alpha: float = 0.5,  # noqa: ARG001 -- whatever is given
            discount: Discount = LOG2,
            rel: float = 1,
            right: Callable[..., Working] = right.measured,
        ) -> Working:
            """The metric at alpha = 0."""
            return right(rows, k, alpha=0.0, discount=discount, rel=rel)


_enter_no_alpha()


def _against(
    rows: NuggetRows, k: int | None, order: Array, alpha: float, discount: Discount, rel: float
) -> Working:
    """Alpha-DCG over that of the given rows of the pool."""
    options = {"alpha": alpha, "discount": discount, "rel": rel}
    actual = alpha_dcg.measured(rows, k, **options)
    best = alpha_dcg.measured(rows.ranked(order), k, **options)
    best.name = "ideal alpha-DCG"
    return Working(
        rows.ratio(actual.score, best.score),
        how="{alpha-DCG} / {ideal alpha-DCG}",
        parts={"alpha-DCG": actual, "ideal alpha-DCG": best},
        rows=rows,
    )


not_greedy = mistake(
    "ideal-not-greedy",
    "an ideal sorted by the number of nuggets, without regard to those met already",
    why="The gain of a document depends on the documents above it. At each rank the "
    "ideal takes the document with the highest gain after the documents taken "
    "before.",
    read=_READ,
)


@not_greedy.of_kernel(alpha_ndcg)
def _not_greedy(
    rows: NuggetRows,
    k: int | None = None,
    *,
    alpha: float = 0.5,
    discount: Discount = LOG2,
    rel: float = 1,
) -> Working:
    """Alpha-nDCG against documents sorted by how many nuggets they hold."""
    pool = rows.pool.possible(rel)
    held = pool.by_row(pool.certainty(rel))
    order = np.lexsort((-held, pool.query))
    return _against(rows, k, order[held[order] > 0], alpha, discount, rel)


as_judged = mistake(
    "ideal-as-judged",
    "an ideal in the order in which the documents are listed in the judgments, by id",
    why="The order of the judgments has no meaning. The ideal takes the document of "
    "highest gain at each rank.",
    read=_READ,
)


@as_judged.of_kernel(alpha_ndcg)
def _as_judged(
    rows: NuggetRows,
    k: int | None = None,
    *,
    alpha: float = 0.5,
    discount: Discount = LOG2,
    rel: float = 1,
) -> Working:
    """Alpha-nDCG against the judged documents in the order of their ids."""
    return _against(rows, k, np.arange(len(rows.pool.query)), alpha, discount, rel)
