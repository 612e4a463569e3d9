"""DCG with a wrong gain or a wrong discount, and nDCG with the same mistake."""

from functools import partial

import numpy as np

from irmetrics_edu.conventions import Discount, Gain, jk_discount, log_discount
from irmetrics_edu.diagnosis.mistakes.mistake import mistake, scores_of, with_the_unjudged
from irmetrics_edu.metrics.cumulated_gain import dcg, ndcg
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranked_rows import Rows

of_burges = partial(
    mistake, read="Burges et al. (2005), Learning to rank using gradient descent, ICML"
)
of_jk = partial(
    mistake, read="Järvelin & Kekäläinen (2002), section 2.2; the lesson on nDCG, from gain to DCG"
)


GUARDED = Discount(
    "log2(i)",
    r"\tfrac{1}{\log_2 \max(#1,2)}",
    "1/log2 of the rank, rank 1 in full",
    jk_discount(2),
)
LOST = Discount(
    "log2(i) from rank 2",
    r"\tfrac{[#1>1]}{\log_2 #1}",
    "1/log2 of the rank, nothing for rank 1",
    lambda rank: np.where(rank > 1, GUARDED(rank), 0.0),
)
SHIFTED = Discount(
    "log2(i+2)",
    r"\tfrac{1}{\log_2(#1+2)}",
    "1/log2 of the rank plus 2",
    lambda rank: 1.0 / np.log2(rank + 2.0),
)
NATURAL = log_discount("e")
COMMON = log_discount(10)
ROOT = Discount(
    "1/sqrt(i)",
    r"\tfrac{1}{\sqrt{#1}}",
    "1 over the root of the rank",
    lambda rank: 1.0 / np.sqrt(np.asarray(rank, dtype=np.float64)),
)


def _unguarded(rows: Rows, k: int | None, gain: Gain) -> Array:
    """DCG whose first rank is divided by log2(1) = 0."""
    first = rows.top(1)
    infinite = first.total(gain(first.grade))
    # 0/0, as most languages have it
    score = np.where(
        rows.retrieved > 0, np.nan, scores_of(dcg, rows, k, gain=gain, discount=GUARDED)
    )
    return np.where(infinite > 0, np.inf, score)


of_jk(
    "log-of-rank-unguarded",
    "a discount that starts at log2(i): look at rank 1, where it divides by log2(1) = 0",
    why="The discount is 1/log2(i+1). With the +1, the first rank is divided by log2(2) = 1.",
).of_call(dcg, _unguarded, "gain")

of_jk(
    "log-of-rank",
    "a discount that starts at log2(i), with the first rank counted in full: look at rank 2",
    why="Rank 2 is divided by log2(2) = 1, so it is not discounted at all. The discount is "
    '1/log2(i+1). Järvelin & Kekäläinen\'s older discount does so on purpose: discount="jk".',
).of_convention(dcg, discount=GUARDED).of_convention(ndcg, discount=GUARDED)

of_burges(
    "ranks-from-0",
    "ranks counted from 0, the first of which is left out for its log2(1) = 0: look at rank 1",
    why="If you count ranks from 0, rank i needs log2(i+2). With log2(i+1) the first place is "
    "lost and every other document moves up by one.",
).of_convention(dcg, discount=LOST).of_convention(ndcg, discount=LOST)

of_burges(
    "log-of-rank-plus-2",
    "a discount of log2(i+2) for ranks that start at 1: look at rank 1",
    why="The 1 is added twice. If ranks are counted from 0, log2(i+2) is right; if they are "
    "counted from 1, log2(i+1) is right.",
).of_convention(dcg, discount=SHIFTED).of_convention(ndcg, discount=SHIFTED)

of_jk(
    "natural-logarithm",
    "the natural logarithm in place of the binary one",
    why="ln(i+1) is log2(i+1) times ln 2, so every value is too high, 1/ln 2 = 1.4427 times. In "
    "nDCG the factor cancels, because the ideal has it too.",
    cancels_in=("nDCG",),
).of_convention(dcg, discount=NATURAL)

of_jk(
    "logarithm-to-base-10",
    "the logarithm to base 10 in place of the binary one",
    why="log10(i+1) is log2(i+1) times log10(2), so every value is too high, 3.3219 times. In "
    "nDCG the factor cancels, because the ideal has it too.",
    cancels_in=("nDCG",),
).of_convention(dcg, discount=COMMON)

of_jk(
    "discount-by-the-root",
    "a discount of 1/sqrt(i) in place of 1/log2(i+1)",
    why="The root grows faster than the logarithm: rank 3 counts 0.58 in place of 0.50, but rank "
    "100 counts 0.10 in place of 0.15.",
).of_convention(dcg, discount=ROOT).of_convention(ndcg, discount=ROOT)

power = of_burges(
    "gain-without-minus-1",
    "a gain of 2^grade without the -1: look at a document of grade 0, which gains 1",
    why="The gain is 2^grade - 1, so a document that is not relevant gains nothing.",
)

_POWER = Gain("2^grade", "2^{#1}", "2 to the power of the grade", lambda grade: 2.0**grade)
for _right in (dcg, ndcg):
    power.of_call(_right, with_the_unjudged(_right, gain=_POWER), "discount")
    power.of_convention(_right, gain=_POWER)
