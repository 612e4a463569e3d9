r"""Measures of readers who look for something: when they stop depends on what they found.

In the C/W/L framework the reader goes on from rank i with probability C_i. So rank i is seen with
probability V_i = C_1 ... C_{i-1} and has the weight W_i = V_i / (V_1 + V_2 + ...). The score is W_1
r_1 + W_2 r_2 + ...
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import BINARY, Gain
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.numbers import Array, first_place, in_kind, ranks_to, zeros
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working

_QUERIES = 1 << 10  # whose ranks are walked at a time

# The probability of going on, from ranks, gains so far and the kind of number: each query a line.
Continuation = Callable[[Array, Array], Array]


def shares_gained(top: Rows, gain: Gain, rel: float) -> Array:
    """The gain of each row, which has to be a share."""
    worth = gain.of_relevant(top.grade, top.relevance(rel))
    for row in first_place((worth < 0) | (worth > 1)):
        raise InputError(
            f"{checks.at(None, None, int(top.rank[row]))}gain {float(worth[row]):g} is not within "
            "0 to 1; say gain='binary', or gain='share(3)' where 3 is the top of the scale"
        )
    return worth


def walked(rows: Rows, gain: Gain, rel: float, depth: Any, going_on: Continuation) -> Working:
    """The C/W/L score of a continuation, over ranks 1 to `depth`; ranks below the list gain 0."""
    why = ": the last rank that the reader may reach, such as 1000"
    deep = checks.whole("depth", depth, 1, checks.MOST_RANKS, why=why)
    top = rows.top(deep)
    worth = shares_gained(top, gain, rel)
    place = top.rank.astype(np.intp) - 1
    ranks = ranks_to(top.grade, deep)
    seen = zeros(worth, len(worth))
    whole = zeros(worth, rows.n)
    for first in range(0, rows.n, _QUERIES):
        here = np.flatnonzero((top.query >= first) & (top.query < first + _QUERIES))
        lines = min(_QUERIES, rows.n - first)
        gains = zeros(worth, lines * deep).reshape(lines, deep)
        gains[top.query[here] - first, place[here]] = worth[here]
        on = going_on(ranks, gains.cumsum(axis=1))
        reached = gains * 0 + 1
        reached[:, 1:] = on[:, :-1].cumprod(axis=1)
        seen[here] = reached[top.query[here] - first, place[here]]
        whole[first : first + lines] = reached.sum(axis=1)
    weight = seen / whole[top.query]
    weighted = weight * worth
    return Working(
        top.total(weighted),
        how="{weighted gain}",
        columns={
            "gain": worth,
            "reach probability": seen,
            "weight": weight,
            "weighted gain": weighted,
        },
        table=top.table(),
        quantities={"documents looked at": whole},
    )


_CWL = r"\sum_{i=1}^{D} W_i\,[g_i\ge\rel]\,\gain{g_i},\quad W_i=\frac{V_i}{\sum_{j=1}^{D} V_j},\ "
_CWL += r"V_i=\prod_{j<i} C_j,\ D=\depth,\ "


@metric(
    "INSQ",
    formula=_CWL + r"C_i=\left(\frac{i+2T-1}{i+2T}\right)^2,\ T=\wanted",
    source="Moffat, Scholer & Thomas (2012), Models and metrics: IR evaluation as a user process, "
    "ADCS",
    units="gain per document looked at",
)
def insq(
    rows: Rows,
    *,
    wanted: float = 1,
    gain: Gain = BINARY,
    rel: float = 1,
    depth: int = 1000,
) -> Working:
    """INSQ is the mean gain of what a reader sees who wants some documents and grows more patient.

    From rank i the reader goes on with probability ((i+2T-1)/(i+2T))^2. It grows with the rank. T,
    `wanted`, is the number of relevant documents that the reader looks for, at least 1/2. Between 0
    and 1. `gain="share(3)"` takes grades on a scale up to 3. The weights add up to 1 over the ranks
    down to `depth`, which is 1000 as in cwl_eval. Ranks below the end of the list have no gain.

    >>> round(insq([1, 0, 1]), 4)
    0.4853
    """
    checks.between("wanted", wanted, 0.5, float("inf"), open_high=True)
    T = in_kind(rows.grade, wanted)

    def going_on(ranks: Array, gains: Array) -> Array:
        on: Array = ((ranks + 2 * T - 1) / (ranks + 2 * T)) ** 2 + gains * 0
        return on

    return walked(rows, gain, rel, depth, going_on)


@metric(
    "INST",
    formula=_CWL + r"C_i=\left(\frac{i+T+T_i-1}{i+T+T_i}\right)^2,\ "
    r"T_i=T-\sum_{j\le i}[g_j\ge\rel]\,\gain{g_j},\ T=\wanted",
    source="Moffat, Bailey, Scholer & Thomas (2015), INST: an adaptive metric for information "
    "retrieval evaluation, ADCS; Moffat, Bailey, Scholer & Thomas (2017), Incorporating user "
    "expectations and behavior into the measurement of search effectiveness, ACM TOIS 35(3)",
    units="gain per document looked at",
)
def inst(
    rows: Rows,
    *,
    wanted: float = 1,
    gain: Gain = BINARY,
    rel: float = 1,
    depth: int = 1000,
) -> Working:
    """INST is INSQ for a reader who stops sooner the more of the wanted documents are found.

    If the gains down to rank i add up to G, the reader still wants T_i = T - G. The reader goes on
    with probability ((i+T+T_i-1)/(i+T+T_i))^2. T, `wanted`, is the number of relevant documents
    that the reader looks for, at least 1/2. Between 0 and 1. `gain` and `depth` are given as for
    INSQ.

    >>> round(inst([1, 0, 1]), 4)
    0.7233
    """
    checks.between("wanted", wanted, 0.5, float("inf"), open_high=True)
    T = in_kind(rows.grade, wanted)

    def going_on(ranks: Array, gains: Array) -> Array:
        size = ranks + 2 * T - gains
        on: Array = ((size - 1) / size) ** 2
        return on

    return walked(rows, gain, rel, depth, going_on)
