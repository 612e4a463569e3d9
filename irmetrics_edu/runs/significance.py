"""Is a difference between two runs more than chance? Paired tests over the same queries.

Chance comes from the raw bits of PCG64, a stream that numpy keeps from version to version. Sums are
of whole numbers. So a seed gives the same result on every machine.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import Enum, StrEnum
from functools import lru_cache
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.intervals import deviation, interval
from irmetrics_edu.runs.weighted import WeightedSpread, spread_of, weighted_interval

_SWAPPED = 20_000  # queries that differ, up to which the randomisation test draws all it should
_ALL_WAYS = 20  # queries, for which all ways to swap can be held
_MOST_RESAMPLES = 10_000_000
_AT_ONCE = 2_000_000  # numbers held at a time
_IN_ALL = 1_000_000_000  # swaps drawn at most where neither all ways nor the limit will do
_DEALT = 200_000_000  # scores dealt anew at most, where Tukey's test has many queries
_UNEVEN = 1e-3  # 1 over as many queries of one size: from here on the sum is not yet normal
_KEPT = 1 << 18  # random words of a seed that are kept: 2 MB
_BYTES = 64  # columns of eight queries at a time: their table stays in the cache


class Swapping(Enum):
    """How the randomisation test swaps two runs, in words of any number of queries."""

    NONE = "no query differs"
    ALL = "all ways to swap"
    DRAWN = "resamples"
    LIMIT = "normal limit"


@dataclass(frozen=True)
class Ways:
    """How the randomisation test computed a p-value: how it swapped, how often, from which seed."""

    swapping: Swapping
    number: int = 0
    seed: int = 0

    def __str__(self) -> str:
        if self.swapping is Swapping.ALL:
            return f"all {self.number:,} ways to swap"
        return self.of_any_number()

    def of_any_number(self) -> str:
        """The same, whatever the number of queries: of all ways it leaves their number out."""
        if self.swapping is Swapping.DRAWN:
            return f"{self.number:,} resamples, seed {self.seed}"
        return str(self.swapping.value)


@dataclass(frozen=True)
class Swapped:
    """A p-value of the randomisation test, how it was computed, and the least possible one."""

    p: float
    swapping: Ways
    least: float

    @property
    def ways(self) -> str:
        """How the p-value was computed, in words."""
        return str(self.swapping)


def swapped(
    d: Array,
    *,
    margin: float,
    seed: int = 0,
    resamples: int = 9999,
) -> Swapped:
    """The share of ways to swap two runs, query by query, whose sum is as far from 0 as d's.

    All ways are tried if there are no more than `resamples`. Otherwise that many are drawn at
    random, and the observed one counts too, so p is never 0. If more than 20,000 queries differ,
    the normal limit of the sum is used. If a few queries outweigh all others, there is no such
    limit, and fewer resamples are drawn. `margin` is how far the sum may be off by rounding. The
    order of the queries, and which run comes first, change nothing.
    """
    d = d[d != 0]  # the others are alike whichever way they are swapped
    n = len(d)
    if not n:
        return Swapped(1.0, Ways(Swapping.NONE), 1.0)
    bits = _bits(seed, resamples)
    whole, exponent = _whole(d)
    least_far = abs(int(whole.sum())) - n - math.ceil(math.ldexp(margin, exponent))
    if n <= _ALL_WAYS and 2**n <= resamples:
        sums: Array = np.zeros(1, dtype=np.int64)
        for value in whole:
            sums = np.concatenate([sums + value, sums - value])
        share = np.count_nonzero(np.abs(sums) >= least_far) / len(sums)
        return Swapped(
            float(share),
            Ways(Swapping.ALL, 2**n),
            2 / 2**n,
        )
    # Signs are as likely on either side: of sizes in order, no digit hangs on a query's place.
    sizes = np.sort(np.abs(whole))
    if n > _SWAPPED:
        square = sizes.astype(np.float64) ** 2
        if float((square**2).sum()) <= _UNEVEN * float(square.sum()) ** 2:
            p = math.erfc(max(0, least_far) / math.sqrt(2 * float(square.sum())))
            return Swapped(p, Ways(Swapping.LIMIT), 0.0)
        resamples = min(resamples, max(99, _IN_ALL // n))
    extreme = np.count_nonzero(np.abs(_sums(sizes, resamples, bits)) >= least_far)
    return Swapped(
        (1 + int(extreme)) / (1 + resamples),
        Ways(Swapping.DRAWN, resamples, seed),
        1 / (1 + resamples),
    )


def _sums(whole: Array, resamples: int, bits: Any) -> Array:
    """The sums of the numbers under random signs: a byte is the signs of eight of them."""
    eights: Array = np.zeros(-(-len(whole) // 8) * 8, dtype=np.int64)
    eights[: len(whole)] = whole
    eights = eights.reshape(-1, 8)
    sums = np.zeros(resamples, dtype=np.int64)
    for begin in range(0, len(eights), _BYTES):
        tables = _sums_of_eight(eights[begin : begin + _BYTES])
        width = len(tables)
        step = _AT_ONCE // width
        for first in range(0, resamples, step):
            part = sums[first : first + step]
            signs = _raw(bits, part.size * width, np.uint8).reshape(part.size, width)
            for table, of_eight in zip(tables, _columns(signs), strict=True):
                part += table.take(of_eight, mode="wrap")  # no byte is beyond the table's end
    return sums


def _sums_of_eight(eights: Array) -> Array:
    """For each eight numbers, the 256 sums that they have under all their signs.

    Bit i of a sum's place is set where number i is subtracted.
    """
    sums: Array = np.zeros((len(eights), 256), dtype=np.int64)
    for i in range(8):
        value = eights[:, i : i + 1]
        added = sums[:, : 1 << i]
        np.subtract(added, value, out=sums[:, 1 << i : 2 << i])
        added += value
    return sums


def _columns(table: Array) -> list[Array]:
    """The columns of a table of bytes; eight are moved together, which is quicker than each."""
    rows, width = table.shape
    words = -(-width // 8)
    whole = table
    if width % 8:
        whole = np.zeros((rows, 8 * words), dtype=np.uint8)
        whole[:, :width] = table
    turned = np.ascontiguousarray(whole.view(np.uint64).T)
    of_word = turned.view(np.uint8).reshape(words, rows, 8)
    return [of_word[column // 8, :, column % 8] for column in range(width)]


def _whole(values: Array) -> tuple[Array, int]:
    """The values times a power of 2 as whole numbers, whose sum is exact; and the exponent."""
    exponent = 62 - len(values).bit_length() - int(np.frexp(np.abs(values).max())[1])
    return np.rint(np.ldexp(values, exponent)).astype(np.int64), exponent


@lru_cache(maxsize=4)
def _first_words(seed: int) -> Array:
    """The first random words of a seed: the tests of all runs and measures begin with them."""
    words: Array = np.random.PCG64(seed).random_raw(_KEPT)
    words.flags.writeable = False
    return words


class _Bits:
    """The random words of a seed, one after another."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.drawn = 0

    def random_raw(self, count: int) -> Array:
        """The next words."""
        begin = self.drawn
        self.drawn += count
        if self.drawn <= _KEPT:
            return _first_words(self.seed)[begin : self.drawn]
        further = np.random.PCG64(self.seed)
        further.advance(begin)
        words: Array = further.random_raw(count)
        return words


def _bits(seed: int, resamples: int) -> _Bits:
    checks.whole("resamples", resamples, 1, _MOST_RESAMPLES)
    return _Bits(
        checks.whole(
            "seed",
            seed,
            0,
            2**128 - 1,
        )
    )


def _raw(bits: _Bits, count: int, kind: Any) -> Array:
    """So many random numbers of a kind, from the bits of a generator."""
    words = bits.random_raw(-(-count * np.dtype(kind).itemsize // 8)).astype("<u8", copy=False)
    numbers: Array = words.view(np.dtype(kind).newbyteorder("<"))[:count]
    return numbers


OF_MEANS = ("randomisation", "t")  # the tests of the mean: those that queries can weigh in
POWER = 0.8  # of the tests that a detectable difference is for
TESTS = ("randomisation", "t", "wilcoxon", "sign")


class HolmFamily(StrEnum):
    """What Holm's correction of p runs over: the comparisons of each measure, or all of them."""

    MEASURE = "measure"
    ALL = "all"


_EXACT = 50  # queries, up to which Wilcoxon's test counts all ways


@dataclass(frozen=True)
class TestPlan:
    """How runs are tested: the test that decides, its level, its draws, and what Holm runs over.

    The family is "measure" (the comparisons of each measure by themselves) or "all". InputError for
    a name that is not known.
    """

    __test__ = False  # for pytest, which takes the name for that of a class of tests

    test: str = "randomisation"
    level: float = 0.05
    resamples: int = 9999
    seed: int = 0
    family: str = HolmFamily.MEASURE

    def __post_init__(self) -> None:
        checks.one_of("test", self.test, TESTS)
        checks.one_of("family", self.family, list(HolmFamily))


@dataclass(frozen=True)
class PairedDifference:
    """What is known of the difference of two runs in one measure, query by query.

    `low` and `high` bound the mean (`intervals.interval`), and are NaN if too few queries differ.
    `p` maps the name of a test to its two-sided p-value. `adjusted` maps it to that value after
    Holm's correction. `effect` is d_z: the mean difference over the standard deviation of
    differences. It is NaN if all differences are equal and not 0. `detectable` is the least true
    mean difference that the t-test would find at this level with power 0.8, for this number of
    queries and this spread. `ways` says how the randomisation test computed its p. `least` is
    the least p that it can give. `effective` is how many queries of equal weight are as precise:
    `n` where all weigh the same. Of weighted queries Wilcoxon's test and the sign test have no p
    (NaN), because they are not of the mean.
    """

    n: int
    mean: float
    low: float
    high: float
    wins: int
    losses: int
    ties: int
    p: dict[str, float]
    effect: float
    detectable: float
    adjusted: dict[str, float]
    swapping: Ways
    least: float
    effective: float

    @property
    def ways(self) -> str:
        """How the randomisation test computed its p, in words."""
        return str(self.swapping)

    def facts(self) -> dict[str, Any]:
        """All of it in plain values, as JSON has them."""
        facts: dict[str, Any] = {}
        for one in fields(self):
            if one.name == "swapping":
                facts["ways"] = self.ways
            else:
                facts[one.name] = getattr(self, one.name)
        return facts


def paired_difference(
    differences: Array,
    *,
    seed: int = 0,
    resamples: int = 9999,
    level: float = 0.05,
    rounding: Array | float = TOLERANCE,
    weight: Array | None = None,
) -> PairedDifference:
    """All tests of one list of differences; `rounding` is how far each may be off.

    With the `weight` of each query the mean is weighted. The randomisation test then swaps the
    weighted differences: if the runs are alike, each is as likely to be turned round. The t-test
    and the interval have the error of `weighted.spread_of`. Queries that weigh 0 are left out.
    """
    d = settled(differences, rounding)
    if not len(d):
        raise InputError("there is no query, so the runs can't be compared")
    _check(level, POWER)
    if weight is not None:
        return _of_weighted(d, weight, rounding, level, seed=seed, resamples=resamples)
    wins = int((d > 0).sum())
    losses = int((d < 0).sum())
    low, high = interval(
        d,
        level,
        telling=wins + losses,
    )
    mean, sd = mean_and_sd(d, rounding)
    swaps = swapped(
        d,
        margin=_margin(d, rounding),
        seed=seed,
        resamples=resamples,
    )
    rest = {test: p_value(test, d, rounding) for test in TESTS if test != "randomisation"}
    p = {"randomisation": swaps.p, **rest}
    return PairedDifference(
        n=len(d),
        mean=mean,
        low=low,
        high=high,
        wins=wins,
        losses=losses,
        ties=len(d) - wins - losses,
        p=p,
        effect=_effect(mean, sd),
        detectable=minimum_detectable(sd, len(d), level=level),
        adjusted=dict(p),
        swapping=swaps.swapping,
        least=swaps.least,
        effective=float(len(d)),
    )


def _effect(mean: float, sd: float) -> float:
    """d_z: a mean difference in standard deviations; NaN if there is no spread."""
    if mean == 0:
        return 0.0
    return mean / sd if sd > 0 else float("nan")


def _of_weighted(
    d: Array,
    weight: Array,
    rounding: Array | float,
    level: float,
    **how_often: int,
) -> PairedDifference:
    """The same of queries that do not weigh the same."""
    counts = weight > 0
    off = np.broadcast_to(rounding, d.shape)[counts]
    d = d[counts]
    weight = weight[counts]
    if not len(d):
        raise InputError("every query weighs 0, so the runs can't be compared")
    share = weight * len(d) / math.fsum(weight)
    weighed = share * d  # whose plain mean is the weighted one
    swaps = swapped(weighed, margin=_margin(weighed, share * off), **how_often)
    mean, _ = mean_and_sd(weighed, share * off)
    spread = spread_of(d, weight)
    wins = int((d > 0).sum())
    losses = int((d < 0).sum())
    low, high = weighted_interval(d, weight, level, telling=d != 0)
    p = {
        "randomisation": swaps.p,
        "t": _weighted_t(mean, spread),
        "wilcoxon": float("nan"),
        "sign": float("nan"),
    }
    detectable = float("nan")
    if spread.effective > 2:
        sd = spread.error * math.sqrt(spread.effective)
        detectable = minimum_detectable(sd, spread.effective, level=level)
    return PairedDifference(
        n=len(d),
        mean=mean,
        low=low,
        high=high,
        wins=wins,
        losses=losses,
        ties=len(d) - wins - losses,
        p=p,
        effect=_effect(mean, spread.deviation),
        detectable=detectable,
        adjusted=dict(p),
        swapping=swaps.swapping,
        least=swaps.least,
        effective=spread.effective,
    )


def _weighted_t(mean: float, spread: WeightedSpread) -> float:
    """Student's t-test of a weighted mean; NaN if the differences have no spread."""
    if mean == 0:
        return 1.0
    if not spread.error > 0:
        return float("nan")
    t = mean / spread.error
    return float(2 * scipy_special().stdtr(spread.freedom, -abs(t)))


def p_value(
    test: str,
    d: Array,
    rounding: Array | float,
    *,
    seed: int = 0,
    resamples: int = 9999,
) -> float:
    """The two-sided p of one of the tests, by its name."""
    if test == "randomisation":
        return randomisation(
            d,
            seed=seed,
            resamples=resamples,
            rounding=rounding,
        )
    if test == "sign":
        return sign(int((d > 0).sum()), int((d < 0).sum()))
    return {"t": paired_t, "wilcoxon": wilcoxon}[test](d, rounding)


def rounding_of(after: Array, before: Array) -> Array:
    """How far each difference of two scores may be off: 1e-12 of the scores.

    Scores below 1 are sums of parts up to 1, or of parts as small as the greatest score.
    """
    size = np.maximum(np.abs(after), np.abs(before))
    least: Array = TOLERANCE * np.maximum(size, min(1.0, float(size.max(initial=0.0))))
    return least


def settled(
    differences: Array,
    rounding: Array | float = TOLERANCE,
) -> Array:
    """The differences without rounding errors: near 0 becomes 0, and near ones become equal.

    Sizes whose neighbour in order is no further than `rounding` all become the least of them.

    >>> settled(np.array([0.1, 0.1 - 1e-16, -0.1 + 1e-16, 1e-16]))
    array([ 0.1,  0.1, -0.1,  0. ])
    """
    d = np.asarray(differences, dtype=np.float64)
    if not np.isfinite(d).all():
        raise InputError("a query has no finite score, so the runs can't be compared on it")
    size = np.abs(d)
    off = np.broadcast_to(rounding, d.shape)
    size = np.where(
        size <= off,
        0.0,
        size,
    )
    order = np.argsort(size, kind="stable")
    rising, off = size[order], off[order]
    near = np.diff(rising) <= np.maximum(off[1:], off[:-1])
    new = np.concatenate([[True], ~near | (rising[:-1] == 0)])[: len(d)]
    first = np.maximum.accumulate(
        np.where(
            new,
            np.arange(len(d)),
            0,
        )
    )
    size[order] = rising[first]
    return np.copysign(size, d) + 0.0


def _margin(
    d: Array,
    rounding: Array | float,
) -> float:
    """How far the sum of the differences may be off."""
    return float(np.broadcast_to(rounding, d.shape)[d != 0].sum())


def mean_and_sd(
    d: Array,
    rounding: Array | float = TOLERANCE,
) -> tuple[float, float]:
    """Mean and standard deviation (n - 1); 0 if only rounding makes them differ from 0."""
    scaled, exponent = _near_one(d)
    sd = float("nan")
    if len(d) > 1:
        sd = 0.0 if np.ptp(scaled) == 0 else deviation(scaled)
    return _mean_of(scaled, exponent, d, rounding), _back(sd, exponent)


def mean_of(d: Array, rounding: Array | float = TOLERANCE) -> float:
    """The mean, as `mean_and_sd` has it."""
    return _mean_of(*_near_one(d), d, rounding)


def _near_one(d: Array) -> tuple[Array, int]:
    """The numbers over a power of 2, and its exponent: neither sums nor squares overflow."""
    exponent = int(np.frexp(np.abs(d).max())[1])
    return np.ldexp(d, -exponent), exponent


def _mean_of(scaled: Array, exponent: int, d: Array, rounding: Array | float) -> float:
    total = math.fsum(scaled.tolist())  # twice as quick as by numbers of numpy
    if abs(total) <= math.ldexp(_margin(d, rounding), -exponent):
        total = 0.0
    return _back(total / len(d), exponent)


def _back(value: float, exponent: int) -> float:
    """A number of the size it had; the greatest power of 2 there is would overflow at once."""
    return value * 2 * math.ldexp(1.0, exponent - 1)


def randomisation(
    d: Array,
    *,
    seed: int = 0,
    resamples: int = 9999,
    rounding: Array | float = TOLERANCE,
) -> float:
    """The two-sided p of the randomisation test, as `swapped` computes it.

    >>> randomisation(np.array([0.1, 0.2, 0.1]))
    0.25
    """
    d = settled(d, rounding)
    return swapped(
        d,
        margin=_margin(d, rounding),
        seed=seed,
        resamples=resamples,
    ).p


def tukey(scores: Array, *, seed: int = 0, resamples: int = 9999) -> tuple[Array, str]:
    """Tukey's HSD by randomisation: p of every pair of runs, and how it was computed.

    `scores` has a row for each query and a column for each run. The scores of each query are dealt
    to the runs at random, and the range is the highest mean less the lowest. The p of a pair is the
    share of such ranges, the observed one among them, that are at least as large as the difference
    of the pair. So the chance of even one false find among all pairs is limited. Of many queries
    fewer resamples are drawn. The order of the queries and of the runs changes nothing.

    Source: Carterette (2012), Multiple testing in statistical analysis of systems-based information
    retrieval experiments, ACM Transactions on Information Systems 30(1).

    >>> p, how = tukey(np.array([[0.9, 0.1, 0.2], [0.8, 0.3, 0.2], [0.7, 0.1, 0.3]] * 4))
    >>> float(p[0, 1]), bool(p[1, 2] > 0.5), how
    (0.0001, True, "Tukey's HSD by randomisation (9,999 resamples, seed 0)")
    """
    n, runs = scores.shape
    bits = _bits(seed, resamples)
    resamples = min(resamples, max(999, _DEALT // scores.size))
    flat, exponent = _whole(scores.ravel())
    whole = flat.reshape(n, runs)
    size = np.abs(scores).max(axis=1)
    margin = 2 * TOLERANCE * float(np.maximum(size, min(1.0, size.max())).sum())
    total = whole.sum(axis=0)
    apart = np.abs(total[:, None] - total) - 2 * n - math.ceil(math.ldexp(margin, exponent))
    # Dealt from rows and scores in order, no draw hangs on the place of a query or a run.
    in_order = np.sort(whole, axis=1)
    in_order = in_order[np.lexsort(in_order.T)]
    extreme = np.zeros((runs, runs), dtype=np.int64)
    step = max(1, _AT_ONCE // scores.size)
    for first in range(0, resamples, step):
        some = min(step, resamples - first)
        lots = _raw(
            bits,
            some * scores.size,
            np.uint32,
        ).reshape(
            some,
            n,
            runs,
        )
        dealt = np.take_along_axis(
            in_order[None],
            np.argsort(lots, axis=2, kind="stable"),
            axis=2,
        )
        sums = dealt.sum(axis=1)
        extreme += (np.ptp(sums, axis=1)[:, None, None] >= apart).sum(axis=0)
    how = f"Tukey's HSD by randomisation ({resamples:,} resamples, seed {seed})"
    return (1 + extreme) / (1 + resamples), how


def below(p: float, level: float) -> bool:
    """Whether a p-value is below a level, and not by rounding alone; NaN is not.

    >>> below(0.04, 1 - 0.95), below(0.05, 1 - 0.95)
    (True, False)
    """
    return p < level - TOLERANCE


def paired_t(
    d: Array,
    rounding: Array | float = TOLERANCE,
) -> float:
    """The paired t-test; NaN if all differences are equal and not 0, because they have no spread.

    >>> round(paired_t(np.array([0.1, 0.2, 0.1])), 4)
    0.0572
    """
    d = settled(d, rounding)
    if not d.any():
        return 1.0
    mean, sd = mean_and_sd(d, rounding)
    if not sd > 0:
        return float("nan")
    t = mean / sd * math.sqrt(len(d))
    return float(2 * scipy_special().stdtr(len(d) - 1, -abs(t)))


def wilcoxon(
    d: Array,
    rounding: Array | float = TOLERANCE,
) -> float:
    """Wilcoxon's signed-rank test, without the queries whose scores are equal.

    Equal sizes share the mean of their ranks. Up to 50 queries all signs are counted. Above 50 it
    is the normal limit.

    >>> wilcoxon(np.array([0.1, 0.2, 0.3, 0.0]))
    0.25
    """
    d = settled(d, rounding)
    d = d[d != 0]
    if not len(d):
        return 1.0
    _, nth, alike = np.unique(
        np.abs(d),
        return_inverse=True,
        return_counts=True,
    )
    twice = (2 * np.cumsum(alike) - alike + 1)[nth.ravel()]  # the ranks, doubled: whole numbers
    # From here on the greatest sum of ranks is that of all, and their middle half of it.
    whole = int(twice.sum())
    far = abs(2 * int(twice[d > 0].sum()) - whole)
    if len(d) > _EXACT:
        return math.erfc(far / math.sqrt(2 * float((twice.astype(np.float64) ** 2).sum())))
    ways = np.zeros(whole + 1)  # how many sets of ranks come to each sum: below 2^53, so exact
    ways[0] = 1
    for rank in twice.tolist():
        ways[rank:] += ways[:-rank].copy()
    sums = np.arange(whole + 1)
    return float(ways[np.abs(2 * sums - whole) >= far].sum()) / 2.0 ** len(d)


def sign(wins: int, losses: int) -> float:
    """The sign test: how often a fair coin falls so unequally; equal queries don't count.

    >>> sign(3, 0)
    0.25
    """
    if not wins + losses:
        return 1.0
    return min(
        1.0,
        float(
            2
            * scipy_special().bdtr(
                min(wins, losses),
                wins + losses,
                0.5,
            )
        ),
    )


def minimum_detectable(
    sd: float,
    n: float,
    *,
    level: float = 0.05,
    power: float = POWER,
) -> float:
    """The least true mean difference that a two-sided paired t-test finds with the given power.

    `sd` is the standard deviation of the differences, and n is the number of queries. With 50
    queries and power 0.8 it is 0.404 standard deviations.

    >>> round(minimum_detectable(1.0, 50), 3)
    0.404
    """
    _check(level, power)
    if n < 2 or not sd >= 0:
        return float("nan")
    if sd == 0:
        return 0.0
    return _detectable_shift(n, level, power) * sd / math.sqrt(n)


@lru_cache(maxsize=256)
def _detectable_shift(n: float, level: float, power: float) -> float:
    """The noncentrality of t that a two-sided test of n queries finds with the given power."""
    critical = -float(scipy_special().stdtrit(n - 1, level / 2))
    if not critical < 1e300:  # a level that no double can hold the bound of
        return float("inf")
    brentq = extra("scipy.optimize", what="a test").brentq

    def lacking(shift: float) -> float:
        return _power(shift, critical, n - 1) - power

    most = critical + 10.0
    while lacking(most) < 0:
        most *= 2
    return float(brentq(lacking, 0.0, most, xtol=1e-13 * most))


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)


def _power(shift: float, critical: float, df: float) -> float:
    """How often |t| exceeds its critical value where its noncentrality is `shift`.

    t is (z + shift) / s, z being normal and s the root of chi square over its degrees of freedom:
    the share of s below |z + shift| / critical, averaged over z. The average is taken piece by
    piece between the places where that share turns.
    """
    turn = critical / math.sqrt(2 * df)  # how slowly it does, in z
    places = [-shift] + [
        sign * critical - shift + side * turn for sign in (-1, 1) for side in (-9, 0, 9)
    ]
    edges = np.unique(
        np.clip(
            [-9.0, 0.0, 9.0, *places],
            -9.0,
            9.0,
        )
    )
    middle = (edges[1:] + edges[:-1]) / 2
    half = np.diff(edges) / 2
    z = (middle[:, None] + half[:, None] * _NODES).ravel()
    weight = (half[:, None] * _WEIGHTS).ravel() * np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    share = scipy_special().gammainc(df / 2, df / 2 * ((z + shift) / critical) ** 2)
    return float((weight * share).sum())


def _check(level: float, power: float) -> None:
    if not 0 < level < power < 1:
        raise InputError(
            f"level={level}, power={power} are out of range; give 0 < level < power < 1"
        )


def scipy_special() -> Any:
    """scipy.special, imported on use; if it is missing, the error says what to install."""
    return extra("scipy.special", what="a test")


def holm(p: Sequence[float]) -> list[float]:
    """Holm's correction: p-values that limit the chance of even one false find among them.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian
    Journal of Statistics 6(2). A p-value that is NaN stays NaN and does not count.

    >>> [round(value, 2) for value in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    out = [float("nan")] * len(p)
    ascending = sorted((value, i) for i, value in enumerate(p) if not np.isnan(value))
    highest = 0.0
    for step, (value, i) in enumerate(ascending):
        highest = max(highest, min(1.0, value * (len(ascending) - step)))
        out[i] = highest
    return out
