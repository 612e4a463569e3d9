"""Whether a run got worse: pass, fail, or too few queries to tell.

The scores of two runs, query by query -> a paired test -> a verdict, and what it would take
"""

import math
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.policy import MARGIN, Policy
from irmetrics_edu.near_ties import TOLERANCE, in_order
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.intervals import enough
from irmetrics_edu.runs.significance import (
    below,
    holm,
    mean_and_sd,
    mean_of,
    minimum_detectable,
    randomisation,
    rounding_of,
    settled,
)

PASS = "pass"  # noqa: S105 -- a verdict, no password
FAIL = "fail"
INCONCLUSIVE = "inconclusive"
_MANY = 1_000_000


@dataclass(frozen=True)
class Broken:
    """A broken hard limit; for limits of single queries, with the queries that broke it."""

    limit: str
    allowed: float
    queries: tuple[Hashable, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """The change of one measure, over all queries or the queries of a group.

    `tested` is what the paired test alone says and `word` the verdict with the hard limits, of
    which `broken` holds those that don't hold. `by_mean` says that the queries at hand are all that
    count, so that the test decides nothing. `before` and `after` are means over the queries
    compared, and `change` is the mean change of a query. `p` is that of the randomisation test of
    the mean change `against`: no change where the drop is more than tolerated (`dropped`), else the
    tolerated drop. `adjusted` is p after Holm's correction over `tests`. `distance` is how far the
    mean change is from `against` and `spread` the standard deviation of the differences. `width` is
    that of the measure's range: the greatest change there can be.
    """

    measure: str
    word: str
    before: float
    after: float
    change: float
    limit: float
    confidence: float
    p: float
    distance: float
    spread: float
    was: Mapping[Hashable, float]
    differences: Mapping[Hashable, float]
    dropped: bool = False
    against: float = 0.0
    group: Hashable = None
    tests: int = 1
    adjusted: float = math.nan
    tested: str = ""
    by_mean: bool = False
    broken: tuple[Broken, ...] = ()
    width: float = math.inf
    rise: bool = False  # whether it had to rise by more than `limit`, and not merely hold

    def __repr__(self) -> str:
        """A line, however many queries there are."""
        n = len(self.differences)
        queries = "1 query" if n == 1 else f"{n:,} queries"
        return (
            f"<Verdict {self.name}: {self.word} ({self.before:.4f} -> {self.after:.4f}; {queries})>"
        )

    @property
    def name(self) -> str:
        """The measure, with its group if there is one."""
        if self.group is None:
            return self.measure
        return f"{self.measure} of group {self.group}"

    @property
    def test_fails(self) -> bool:
        """Whether the gate fails by its test, and not only by hard limits."""
        return self.tested == FAIL and not self.by_mean

    @cached_property
    def detectable(self) -> float:
        """The least change that this many queries show with a probability of 0.8."""
        level = 1 - self.confidence
        return minimum_detectable(self.spread, len(self.differences), level=level)

    @cached_property
    def needed(self) -> int | None:
        """How many queries it takes to tell; None if a million are not enough."""
        return queries_needed(
            self.spread,
            self.distance,
            len(self.differences),
            1 - self.confidence,
        )

    @cached_property
    def losers(self) -> list[tuple[Hashable, float]]:
        """The queries that lost, the greatest loss first."""
        lost = [(query, d) for query, d in self.differences.items() if d < 0]
        lost.sort(key=lambda item: str(item[0]))
        return in_order(lost, lambda item: item[1], rising=True)

    @property
    def gained(self) -> int:
        """How many queries gained."""
        return sum(d > 0 for d in self.differences.values())


def regression(
    before: Mapping[str, Mapping[Hashable, float]],
    after: Mapping[str, Mapping[Hashable, float]],
    policy: Policy,
    groups: Mapping[Hashable, Sequence[Hashable]] | None = None,
    widths: Mapping[str, float] | None = None,
) -> list[Verdict]:
    """A verdict for each measure over all queries, then for each group and measure.

    `widths` are those of the measures' ranges.

    Fail: the mean drops by more than `margin`, and the test (with Holm's correction over all
    tests) finds a drop; or a hard limit does not hold. Pass is non-inferiority: the test finds
    that the drop is less than `margin`; or no score changed, or the mean at hand is what counts.
    Otherwise the queries are too few to tell. Values that differ only by rounding count as equal.
    """
    widths = widths or {}
    tested: list[Verdict] = []
    for group, members in {None: None, **(groups or {})}.items():
        for name, scores in before.items():
            was = scores if members is None else {query: scores[query] for query in members}
            verdict = _tested_for_loss(
                name,
                was,
                after[name],
                policy,
                group=group,
                width=widths.get(name, math.inf),
            )
            tested.append(verdict)
    # The family is all that was tested, not what happened to drop; a mean that did not drop can't
    # fail, and stands in it with 1.
    corrected = holm([v.p if v.dropped else 1.0 for v in tested])
    verdicts: list[Verdict] = []
    for verdict, p in zip(tested, corrected, strict=True):
        verdicts.append(_with_limits(verdict, p, len(tested), policy))
    return verdicts


def _tested_for_loss(
    name: str,
    before: Mapping[Hashable, float],
    after: Mapping[Hashable, float],
    policy: Policy,
    *,
    group: Hashable,
    width: float,
) -> Verdict:
    """The test of a drop, or else of a drop as large as the margin: pass, or too few to tell."""
    d, rounding = _differences(name, before, after)
    against_margin = _Shifted.by(-policy.margin, d, rounding)
    dropped = against_margin.mean < 0
    verdict = _judged(
        name,
        was=before,
        d=d,
        rounding=rounding,
        shifted=_Shifted.by(0.0, d, rounding) if dropped else against_margin,
        limit=policy.margin,
        confidence=policy.confidence,
    )
    level = 1 - policy.confidence
    passed = not dropped and (not d.any() or below(verdict.p, level))
    return replace(
        verdict,
        word=PASS if passed else INCONCLUSIVE,
        dropped=dropped,
        group=group,
        width=width,
    )


def _with_limits(v: Verdict, p: float, tests: int, policy: Policy) -> Verdict:
    """The verdict after Holm's correction over so many tests, which gave `p`, and hard limits."""
    level = 1 - policy.confidence
    tested = FAIL if v.dropped and below(p, level) else v.word
    mean = policy.max_observed_drop if v.group is None else policy.max_group_drop
    by_mean = mean == MARGIN  # the queries at hand are all: their mean is the answer
    without_limits = PASS if by_mean else tested
    broken = _broken(v, policy)
    return replace(
        v,
        tests=tests,
        adjusted=p if v.dropped else v.p,
        tested=tested,
        by_mean=by_mean,
        word=FAIL if broken else without_limits,
        broken=broken,
    )


def _broken(v: Verdict, policy: Policy) -> tuple[Broken, ...]:
    """The hard limits that do not hold: of the mean, and over all queries of single ones, too."""
    name = "max_observed_drop" if v.group is None else "max_group_drop"
    allowed = policy.allows(name, v.width)
    fell = -v.change - TOLERANCE
    of_mean = [Broken(name, allowed)] if fell > allowed else []
    if v.group is not None:
        return tuple(of_mean)
    return (*_protected_that_fell(v, policy), *of_mean, *_fell_too_far(v, policy))


def _protected_that_fell(v: Verdict, policy: Policy) -> list[Broken]:
    """The limit of protected queries, if one of them fell at all."""
    guarded = v.differences.keys() & {*policy.protected}
    if not any(v.differences[query] < 0 for query in guarded):
        return []
    fallen = tuple(query for query, _ in v.losers if query in guarded)
    return [Broken("protected", 0.0, fallen)]


def _fell_too_far(v: Verdict, policy: Policy) -> list[Broken]:
    """The limit of single queries, if one of them fell by more."""
    allowed = policy.allows("max_query_drop", v.width)
    # To sort the losers takes long, and most often none is over it.
    if not -min(v.differences.values()) - TOLERANCE > allowed:
        return []
    lost = tuple(query for query, d in v.losers if -d - TOLERANCE > allowed)
    return [Broken("max_query_drop", allowed, lost)]


def improvement(
    before: Mapping[str, Mapping[Hashable, float]],
    after: Mapping[str, Mapping[Hashable, float]],
    *,
    by: float,
    confidence: float,
) -> list[Verdict]:
    """A verdict for each measure: pass where the test finds that it rose by more than `by`."""
    verdicts = []
    for name in before:
        d, rounding = _differences(name, before[name], after[name])
        shifted = _Shifted.by(by, d, rounding)
        verdict = _judged(
            name,
            was=before[name],
            d=d,
            rounding=rounding,
            shifted=shifted,
            limit=by,
            confidence=confidence,
        )
        rose = shifted.mean > 0
        shown = rose and below(verdict.p, 1 - confidence)
        if shown:
            word = PASS
        elif rose:
            word = INCONCLUSIVE
        else:
            word = FAIL
        verdicts.append(replace(verdict, word=word, tested=word, adjusted=verdict.p, rise=True))
    return verdicts


def greatest_loss_first(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Verdicts sorted by loss; equal losses by the name of the group."""
    return in_order(sorted(verdicts, key=lambda v: str(v.group)), lambda v: v.change, rising=True)


def _differences(
    name: str, before: Mapping[Hashable, float], after: Mapping[Hashable, float]
) -> tuple[Array, Array]:
    """The gain of each query, in the order of the queries, and its possible rounding error."""
    old = np.fromiter(before.values(), np.float64, len(before))
    new = np.fromiter(map(after.__getitem__, before), np.float64, len(before))
    lacking = np.flatnonzero(~np.isfinite(old) | ~np.isfinite(new))
    if len(lacking):
        i = int(lacking[0])
        odd = float(new[i] if np.isfinite(old[i]) else old[i])
        odd_value = "NaN" if math.isnan(odd) else f"{odd}"
        raise InputError(
            f"query {[*before][i]!r}: {name} is {odd_value}, so the runs can't be compared on it"
        )
    rounding = rounding_of(new, old)
    return settled(new - old, rounding), rounding


@dataclass(frozen=True)
class _Shifted:
    """The differences less the change that is tested, and their mean and standard deviation."""

    against: float
    values: Array
    mean: float
    spread: float

    @classmethod
    def by(cls, against: float, d: Array, rounding: Array) -> "_Shifted":
        """The differences less `against`; a mean that only rounding makes differ from 0 is 0."""
        values = d - against
        mean, spread = mean_and_sd(settled(values, rounding), rounding)
        return cls(against, values, mean, spread)


def _judged(
    name: str,
    was: Mapping[Hashable, float],
    d: Array,
    rounding: Array,
    shifted: _Shifted,
    limit: float,
    confidence: float,
) -> Verdict:
    """The differences, and the test of how they were shifted; it decides nothing yet."""
    n = len(d)
    changes = d.tolist()
    return Verdict(
        measure=name,
        word=INCONCLUSIVE,
        before=math.fsum(was.values()) / n,
        after=math.fsum([*was.values(), *changes]) / n,
        change=mean_of(d),
        limit=limit,
        confidence=confidence,
        p=randomisation(shifted.values, rounding=rounding),
        distance=abs(shifted.mean),
        spread=shifted.spread,
        was=was,
        differences=dict(zip(was, changes, strict=True)),
        against=shifted.against,
    )


def queries_needed(sd: float, margin: float, n: int, level: float) -> int | None:
    """The least number of queries that shows a difference of `margin` with a probability of 0.8.

    None if a million are not enough. It is at least the number that the randomisation test needs to
    get below the level, and more than the number of queries there are.
    """
    least = max(n + 1, enough(level))
    if np.isnan(sd):
        return least

    def shows(queries: int) -> bool:
        return minimum_detectable(sd, queries, level=level) <= margin

    numbers = range(2, _MANY + 1)
    place = bisect_left(numbers, True, key=shows)  # noqa: FBT003 -- the first that is enough
    return max(numbers[place], least) if place < len(numbers) else None
