"""The walk of a C/W/L reader down a ranking, and the gains that such a reader meets."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import Gain
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, in_kind, is_exact, zeros
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.working import Working

_QUERIES = 1 << 10  # whose ranks are walked at a time

# The probability of going on, from ranks, gains so far and the kind of number: each query a line.
Continuation = Callable[[Array, Array], Array]


def shares_gained(top: Rows, gain: Gain, rel: float) -> Array:
    """The gain of each row, which has to be a share."""
    worth = gain.of_relevant(top.grade, top.relevance(rel))
    for row in np.flatnonzero((worth < 0) | (worth > 1))[:1].tolist():
        raise InputError(
            f"{checks.at(None, None, int(top.rank[row]))}gain {float(worth[row]):g} is not within "
            "0 to 1; say gain='binary', or gain='share(3)' where 3 is the top of the scale"
        )
    return worth


def walked(rows: Rows, gain: Gain, rel: float, depth: Any, going_on: Continuation) -> Working:
    """The C/W/L score of a continuation, over ranks 1 to `depth`; ranks below the list gain 0."""
    deep = checks.cutoff(depth)
    if deep is None:
        raise InputError(
            "depth=None is not a rank; give the last rank that the reader may reach, such as 1000"
        )
    top = rows.top(deep)
    worth = shares_gained(top, gain, rel)
    place = top.rank.astype(np.intp) - 1
    ranks = np.arange(1, deep + 1).astype(top.grade.dtype)
    if is_exact(top.grade):
        ranks = ranks * in_kind(rows.grade, 1)
    seen, whole = zeros(worth, len(worth)), zeros(worth, rows.n)
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
        rows=rows,
    )
