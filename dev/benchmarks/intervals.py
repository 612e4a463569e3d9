"""How often intervals of a mean hold the true mean, for the page docs/intervals.md.

Samples of queries are drawn from large made-up collections, whose mean is known. `python -m
dev.benchmarks.intervals` takes a minute and writes the two tables of the page.
"""

import math
from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist

import numpy as np

from dev.benchmarks.gate_worlds import MEASURES, World, falling
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.intervals import interval, student
from irmetrics_edu.writing import write

PAGE = Path(__file__).resolve().parents[2] / "docs" / "intervals.md"
SIZES = (5, 10, 20, 50, 200)
LEVEL = 0.05
_ALL = 40_000  # queries of a collection
_RESAMPLES = 999
_RARE = 0.02  # of samples: of fewer intervals no share is shown
Ends = tuple[float, ...]
Method = Callable[[Array, np.random.Generator, int], Ends]


def collections() -> dict[str, Array]:
    """What is averaged: scores of all queries of a collection, or their differences."""
    score, _ = World().scores(_ALL, np.random.default_rng(5))
    found = {f"scores: {name}": score[:, i] for i, name in enumerate(MEASURES[:3])}
    found["logarithms of AP (GMAP)"] = np.log(np.maximum(found["scores: AP"], 1e-5))
    found["differences that are normal"] = np.random.default_rng(1).normal(0.03, 0.2, _ALL)
    for name, world in (
        ("nothing changed", World()),
        ("many fall a little", falling("lower", 0.05)),
        ("a few fall to 0", falling("broken", 0.05)),
    ):
        before, after = world.scores(_ALL, np.random.default_rng(5))
        for i, measure in enumerate(MEASURES[:3]):
            found[f"differences in {measure}: {name}"] = (after - before)[:, i]
    return found


def ours(values: Array, _: np.random.Generator, telling: int) -> Ends:
    """The interval of the package."""
    return interval(values, LEVEL, telling=telling)


def plain_t(values: Array, _: np.random.Generator, __: int) -> Ends:
    """Student's t, also where few queries differ."""
    n = len(values)
    half = student(LEVEL / 2, n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return float(values.mean()) - half, float(values.mean()) + half


def percentile(values: Array, chance: np.random.Generator, _: int) -> Ends:
    """The middle of the means of resampled queries."""
    means = _resampled(values, chance).mean(axis=1)
    return tuple(np.quantile(means, [LEVEL / 2, 1 - LEVEL / 2]).tolist())


def bca(values: Array, chance: np.random.Generator, _: int) -> Ends:
    """Percentiles, corrected for bias and acceleration (Efron 1987)."""
    means, off = _resampled(values, chance).mean(axis=1), values - values.mean()
    below = (np.mean(off.mean() > means - values.mean()) + np.mean(means <= values.mean())) / 2
    normal = NormalDist()
    bias = normal.inv_cdf(float(np.clip(below, 1e-3, 1 - 1e-3)))
    square = float((off**2).sum())
    bend = float((off**3).sum()) / (6 * square**1.5) if square else 0.0
    z = [bias + side * normal.inv_cdf(LEVEL / 2) for side in (1, -1)]
    return tuple(np.quantile(means, [normal.cdf(bias + a / (1 - bend * a)) for a in z]).tolist())


def studentised(values: Array, chance: np.random.Generator, _: int) -> Ends:
    """Student's t with quantiles from resampled queries instead of its table."""
    drawn, n = _resampled(values, chance), len(values)
    off, error = drawn.mean(axis=1) - values.mean(), drawn.std(axis=1, ddof=1) / math.sqrt(n)
    t = np.sort(np.where(error > 1e-12, off / np.maximum(error, 1e-12), np.sign(off) * 1e300))
    low, high = t[round(_RESAMPLES * LEVEL / 2)], t[round(_RESAMPLES * (1 - LEVEL / 2))]
    own = float(values.std(ddof=1)) / math.sqrt(n) or 1e-300
    return float(values.mean() - high * own), float(values.mean() - low * own)


def _resampled(values: Array, chance: np.random.Generator) -> Array:
    drawn: Array = values[chance.integers(0, len(values), (_RESAMPLES, len(values)))]
    return drawn


def held(name: str, of: Array, n: int, times: int, method: Method = ours) -> tuple[float, float]:
    """The share of samples of n that have an interval, and of these the share that holds."""
    chance, true = np.random.default_rng(n), float(of.mean())
    samples = (of[chance.integers(0, _ALL, n)] for _ in range(times))
    tells = np.count_nonzero if name.startswith("differences") else len
    ends = np.array([method(sample, chance, int(tells(sample))) for sample in samples])
    given = ~np.isnan(ends[:, 0])
    within = (ends[:, 0] <= true + 1e-12) & (true <= ends[:, 1] + 1e-12)
    return float(given.mean()), float(within[given].mean()) if given.any() else math.nan


def tables(times: int) -> str:
    """Both tables, as Markdown."""
    of = collections()
    head = " | ".join(f"{n} queries" for n in SIZES) + " |\n|---|" + "---|" * len(SIZES)
    lines = [f"| what is averaged | {head}"]
    for name, values in of.items():
        cells = []
        for n in SIZES:
            given, holds = held(name, values, n, times)
            few = f", given {100 * given:.0f} %" if given < 0.995 else ""
            cells.append(f"{100 * holds:.0f} %{few}" if given > _RARE else "none")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", f"| interval | {head}"]
    for words, method in METHODS.items():
        cells = []
        for n in SIZES:
            found = [held(name, values, n, times // 10, method) for name, values in of.items()]
            shares = [100 * holds for given, holds in found if given > _RARE]
            both = f"{np.mean(shares):.0f} %, {min(shares):.0f} %" if shares else "none"
            cells.append(both)
        lines.append(f"| {words} | {' | '.join(cells)} |")
    return "\n".join(lines)


METHODS: dict[str, Method] = {
    "percentile bootstrap": percentile,
    "BCa bootstrap": bca,
    "studentised bootstrap": studentised,
    "Student's t, always": plain_t,
    "Student's t, from six queries that tell something": ours,
}


if __name__ == "__main__":
    mark = "<!-- tables -->\n"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(mark)
    write(PAGE, f"{before}{mark}\n{tables(4000)}\n\n{mark}{rest.partition(mark)[2]}")
