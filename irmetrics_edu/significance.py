"""Is a difference between two runs more than chance? Paired tests over the same queries."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.summary import bootstrap_interval, scipy_stats

TESTS = ("randomisation", "t", "wilcoxon", "sign")
_AT_ONCE = 5_000_000  # numbers that resampling holds at a time
# Differences this small beside the scores are rounding: the queries are equal.
ROUNDING = 1e-12


@dataclass(frozen=True)
class PairedDifference:
    """What is known of the difference of two runs in one measure, query by query.

    `p` maps the name of a test to its two-sided p-value, `adjusted` to that value after Holm's
    correction. `effect` is d_z: the mean difference over the standard deviation of differences.
    `detectable` is the least true mean difference that the t-test would find at this level with
    the given power, for so many queries with such a spread.
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


def paired_difference(
    differences: Array,
    *,
    seed: int = 0,
    resamples: int = 9999,
    level: float = 0.05,
    power: float = 0.8,
) -> PairedDifference:
    """All tests of one list of differences."""
    if np.isnan(differences).any():
        raise InputError("a query has no score, so the runs can't be compared on it")
    d = np.where(np.abs(differences) < ROUNDING, 0.0, differences)
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    low, high = bootstrap_interval(d, confidence=1 - level, resamples=resamples, seed=seed)
    sd = float(np.std(d, ddof=1)) if len(d) > 1 else np.nan
    mean = float(d.mean())
    p = {
        "randomisation": randomisation(d, seed=seed, resamples=resamples),
        "t": paired_t(d),
        "wilcoxon": wilcoxon(d),
        "sign": sign(wins, losses),
    }
    return PairedDifference(
        n=len(d),
        mean=mean,
        low=low,
        high=high,
        wins=wins,
        losses=losses,
        ties=len(d) - wins - losses,
        p=p,
        effect=0.0 if mean == 0 else mean / sd if sd > 0 else np.nan,
        detectable=minimum_detectable(sd, len(d), level=level, power=power),
        adjusted=dict(p),
    )


def randomisation(d: Array, *, seed: int = 0, resamples: int = 9999) -> float:
    """The share of ways to swap the runs, query by query, that differ as much in the mean.

    All of them where they are no more than `resamples`; else so many at random, and the one
    observed counted among them: (1 + as extreme) / (1 + resamples), which is never 0. Two-sided.

    >>> randomisation(np.array([0.1, 0.2, 0.1]))
    0.25
    """
    if len(d) < 2 or not d.any():  # a single query swapped differs as much
        return 1.0
    found = scipy_stats().permutation_test(
        (d,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        batch=max(1, _AT_ONCE // len(d)),
        alternative="two-sided",
        random_state=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def paired_t(d: Array) -> float:
    """The paired t-test; NaN where all differences are equal and not 0, so that it has no spread.

    >>> round(paired_t(np.array([0.1, 0.2, 0.1])), 4)
    0.0572
    """
    if not d.any():
        return 1.0
    if len(d) < 2 or np.ptp(d) < ROUNDING:
        return float("nan")
    return float(scipy_stats().ttest_1samp(d, 0.0).pvalue)


def wilcoxon(d: Array) -> float:
    """Wilcoxon's signed-rank test, with the queries left out that are equal.

    >>> wilcoxon(np.array([0.1, 0.2, 0.3, 0.0]))
    0.25
    """
    d = d[d != 0]
    if not len(d):
        return 1.0
    return float(scipy_stats().wilcoxon(d).pvalue)


def sign(wins: int, losses: int) -> float:
    """The sign test: how often a fair coin falls so unequally, with equal queries left out.

    >>> sign(3, 0)
    0.25
    """
    if not wins + losses:
        return 1.0
    return float(scipy_stats().binomtest(wins, wins + losses).pvalue)


def minimum_detectable(sd: float, n: int, *, level: float = 0.05, power: float = 0.8) -> float:
    """The least true mean difference that a two-sided paired t-test finds with the given power.

    `sd` is the standard deviation of the differences, n the number of queries. With 50 queries
    and power 0.8 it is 0.404 standard deviations.

    >>> round(minimum_detectable(1.0, 50), 3)
    0.404
    """
    if not 0 < level < power < 1:
        raise InputError(f"level={level}, power={power}: give 0 < level < power < 1")
    if n < 2 or not sd >= 0:
        return float("nan")
    if sd == 0:
        return 0.0
    stats = scipy_stats()
    from scipy.optimize import brentq

    # The square of a noncentral t is a noncentral F, whose one tail is both of t's.
    critical = stats.f.ppf(1 - level, 1, n - 1)

    def lacking(shift: float) -> float:
        return float(stats.ncf.sf(critical, 1, n - 1, shift * shift)) - power

    return float(brentq(lacking, 1e-6, np.sqrt(critical) + 10.0)) * sd / float(np.sqrt(n))


def holm(p: Sequence[float]) -> list[float]:
    """Holm's correction: p-values that keep the chance of any false find among them.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian
    Journal of Statistics 6(2). A p-value that is NaN stays so, and does not count.

    >>> [round(value, 2) for value in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    out = [float("nan")] * len(p)
    known = sorted((value, i) for i, value in enumerate(p) if not np.isnan(value))
    highest = 0.0
    for step, (value, i) in enumerate(known):
        highest = max(highest, min(1.0, value * (len(known) - step)))
        out[i] = highest
    return out
