"""Whether a run got worse: pass, fail, or too few queries to tell.

The scores of two runs, query by query -> a paired test -> a verdict, and what it would take
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.significance import ROUNDING, holm, minimum_detectable, randomisation

PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"
_POWER = 0.8
_MANY = 1_000_000


@dataclass(frozen=True)
class Verdict:
    """What a paired test says of the change of one measure.

    `p` is that of the randomisation test against the limit that decides: against no change where
    the drop is more than tolerated, else against the tolerated drop; `margin` is how far the mean
    change is from that limit and `spread` the standard deviation of the differences. `detectable`
    is the least change that so many queries show, four times in five. `width` is that of the
    measure's range: the greatest change there can be.
    """

    measure: str
    word: str
    before: float
    after: float
    limit: float
    confidence: float
    p: float
    detectable: float
    margin: float
    spread: float
    differences: Mapping[Hashable, float]
    width: float = math.inf

    @property
    def change(self) -> float:
        """The mean change over queries."""
        return float(np.mean(list(self.differences.values())))

    @cached_property
    def needed(self) -> int | None:
        """How many queries it takes to tell; None where a million do not."""
        return queries_needed(self.spread, self.margin, len(self.differences), 1 - self.confidence)

    @property
    def losers(self) -> list[tuple[Hashable, float]]:
        """The queries that lost, those that lost most first."""
        lost = [(query, d) for query, d in self.differences.items() if d < 0]
        return sorted(lost, key=lambda item: (item[1], str(item[0])))

    @property
    def gained(self) -> int:
        """How many queries gained."""
        return sum(d > 0 for d in self.differences.values())


def settings(limit: Any, confidence: Any, name: str) -> tuple[float, float]:
    """The limit and the confidence of a gate, checked."""
    limit = checks.number(limit, f"{name} =")
    if limit < 0:
        raise InputError(f"{name}={limit}: give 0 or more, in units of the metric, such as 0.01")
    checks.between("confidence", confidence, 0.5, 1, open_low=True, open_high=True)
    return float(limit), float(confidence)


def regression(
    before: Mapping[str, Mapping[Hashable, float]],
    after: Mapping[str, Mapping[Hashable, float]],
    means: Mapping[str, tuple[float, float]],
    *,
    max_drop: float,
    confidence: float,
) -> list[Verdict]:
    """A verdict for each measure.

    Fail: the mean drop is more than `max_drop`, and the test, corrected by Holm over the
    measures, finds that there is a drop. Pass: the test finds that the drop is less than
    `max_drop`, or nothing changed at all. Else the queries are too few to tell.
    """
    found = []
    for name in before:
        differences = _differences(name, before[name], after[name])
        d = np.array(list(differences.values()))
        dropped = d.mean() < -max_drop - ROUNDING
        shifted = d if dropped else d + max_drop
        verdict = _judged(name, shifted, differences, means[name], max_drop, confidence)
        word = INCONCLUSIVE
        if dropped:
            word = FAIL  # if the correction leaves it so
        elif not d.any() or verdict.p < 1 - confidence:
            word = PASS
        found.append(replace(verdict, word=word))
    drops = [v for v in found if v.word == FAIL]
    for verdict, p in zip(drops, holm([v.p for v in drops]), strict=True):
        if not p < 1 - confidence:
            found[found.index(verdict)] = replace(verdict, word=INCONCLUSIVE, p=p)
    return found


def improvement(
    before: Mapping[str, Mapping[Hashable, float]],
    after: Mapping[str, Mapping[Hashable, float]],
    means: Mapping[str, tuple[float, float]],
    *,
    by: float,
    confidence: float,
) -> list[Verdict]:
    """A verdict for each measure: pass where the test finds that it rose by more than `by`."""
    found = []
    for name in before:
        differences = _differences(name, before[name], after[name])
        d = np.array(list(differences.values()))
        verdict = _judged(name, d - by, differences, means[name], by, confidence)
        shown = d.mean() > by and verdict.p < 1 - confidence
        word = PASS if shown else INCONCLUSIVE if d.mean() > by else FAIL
        found.append(replace(verdict, word=word))
    return found


def _differences(
    name: str, before: Mapping[Hashable, float], after: Mapping[Hashable, float]
) -> dict[Hashable, float]:
    """What each query gained, in the order of the queries."""
    found = {}
    for query, old in before.items():
        d = after[query] - old
        if np.isnan(d):
            raise InputError(f"query {query!r}: {name} is NaN, so the runs can't be compared on it")
        found[query] = 0.0 if abs(d) < ROUNDING else d
    return found


def _judged(
    name: str,
    shifted: Array,
    differences: Mapping[Hashable, float],
    means: tuple[float, float],
    limit: float,
    confidence: float,
) -> Verdict:
    n, level = len(shifted), 1 - confidence
    sd = float(np.std(shifted, ddof=1)) if n > 1 else float("nan")
    return Verdict(
        measure=name,
        word=INCONCLUSIVE,
        before=means[0],
        after=means[1],
        limit=limit,
        confidence=confidence,
        p=randomisation(shifted),
        detectable=minimum_detectable(sd, n, level=level, power=_POWER),
        margin=abs(float(shifted.mean())),
        spread=sd,
        differences=differences,
    )


def queries_needed(sd: float, margin: float, n: int, level: float) -> int | None:
    """The least number of queries that shows a difference of `margin` four times in five.

    None if a million do not. No fewer than the randomisation test needs to get below the level,
    nor than the queries there are.
    """
    least = max(n + 1, int(np.ceil(1 - np.log2(level))) + 1)
    if np.isnan(sd):
        return least

    def enough(queries: int) -> bool:
        return minimum_detectable(sd, queries, level=level, power=_POWER) <= margin

    if not enough(_MANY):
        return None
    low, high = 1, _MANY
    while high - low > 1:
        middle = int(np.sqrt(low * high)) if high > 2 * low else (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return max(high, least)


def worst(verdicts: Sequence[Verdict], *words: str) -> Verdict | None:
    """The verdict to speak of first: of those with these words, the one that dropped most."""
    chosen = [v for v in verdicts if v.word in words]
    return min(chosen, key=lambda v: v.change) if chosen else None
