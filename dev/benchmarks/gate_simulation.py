"""How often gates stop what is the same in truth, and what got worse: seeded, counted, tabled.

a world -> many pairs of versions -> the package's own verdicts -> shares
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import numpy as np

from dev.benchmarks.gate_worlds import MEASURES, World, by_query, falling
from irmetrics_edu.gate.policy import Policy
from irmetrics_edu.gate.verdict import FAIL, PASS, Verdict, regression

SIZES = (20, 50, 100, 200, 500, 2000)
DROPS = (0.02, 0.05, 0.1, 0.2)
KINDS = ("lower", "broken")
CAPS = (0.03, 0.05, 0.1)  # hard limits on the mean that are tried
QUERY_CAPS = (0.5, 0.8)  # and on single queries
TOLERATED = (0.01, 0.02, 0.05)  # values of margin that are tried
GROUPS = 4
ONE = MEASURES[:1]
# As the kept results were made, whatever the defaults are today.
BARE = Policy(margin=0.01, confidence=0.95, max_observed_drop="off")
_MANY = 1000  # queries, from which on a quarter of the pairs must do
_SEED = 20_240_601


@dataclass(frozen=True)
class Shares:
    """How often each gate stopped (or, by its name, passed), for so many queries and pairs."""

    n: int
    times: int
    share: dict[str, float]


def stopped(verdicts: list[Verdict], cap: float = np.inf) -> bool:
    """Whether a gate with this hard limit on the mean fails: by its test, or by the limit."""
    over = any(v.group is None and -v.change > cap + 1e-12 for v in verdicts)
    return over or any(v.tested == FAIL for v in verdicts)


def of_the_same(n: int, times: int) -> Shares:
    """What gates say of two versions that are the same in truth."""
    seen: Counter[str] = Counter()
    for before, after in pairs(World(), n, times):
        old, new = by_query(before, MEASURES), by_query(after, MEASURES)
        four = regression(old, new, BARE)
        seen.update(f"four, limit {cap:g}" for cap in CAPS if stopped(four, cap))
        seen["four"] += stopped(four)
        old, new = by_query(before, ONE), by_query(after, ONE)
        for limit in TOLERATED:
            (one,) = regression(old, new, Policy(margin=limit, max_observed_drop="off"))
            seen[f"pass at {limit:g}"] += one.word == PASS
            if limit == BARE.margin:
                seen["one"] += stopped([one])
                seen.update(f"one, limit {cap:g}" for cap in CAPS if stopped([one], cap))
        grouped = {g: list(range(g, n, GROUPS)) for g in range(GROUPS)}
        groups = regression(old, new, BARE, grouped)
        seen["groups"] += stopped(groups)
        seen["groups, limit 0.1"] += stopped(groups, 0.1)
        worst = float((after - before)[:, 0].min())
        seen.update(f"query limit {cap:g}" for cap in QUERY_CAPS if -worst > cap)
    return shares(seen, n, times)


def of_a_fall(kind: str, drop: float, n: int, times: int) -> Shares:
    """How often gates stop a version whose nDCG@10 is worse by `drop` in truth."""
    seen: Counter[str] = Counter()
    for before, after in pairs(falling(kind, drop), n, times):
        (one,) = regression(by_query(before, ONE), by_query(after, ONE), BARE)
        four = regression(by_query(before, MEASURES), by_query(after, MEASURES), BARE)
        for name, verdicts in (("one", [one]), ("four", four)):
            seen[name] += stopped(verdicts)
            seen[f"{name}, limit 0.1"] += stopped(verdicts, 0.1)
    return shares(seen, n, times)


def pairs(world: World, n: int, times: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Scores of two versions, by queries and measures, anew each time and the same every run."""
    for i in range(times):
        yield world.scores(n, np.random.default_rng([_SEED, n, i]))


def shares(seen: Counter[str], n: int, times: int) -> Shares:
    """Counts as shares."""
    return Shares(n, times, {name: count / times for name, count in seen.items()})


@dataclass(frozen=True)
class Results:
    """All that the page shows."""

    times: int
    world: dict[str, dict[str, float]]
    same: list[Shares]
    falls: dict[tuple[str, float], list[Shares]]


def simulate(
    times: int,
    sizes: tuple[int, ...] = SIZES,
    drops: tuple[float, ...] = DROPS,
    tell: Callable[[str], object] = lambda _: None,
) -> Results:
    """Everything: `times` pairs that are the same for each size, and a third as many that fell.

    A quarter of that from 1,000 queries on.
    """
    same = []
    of = {n: max(1, times if n < _MANY else times // 4) for n in sizes}
    for n in sizes:
        same.append(of_the_same(n, of[n]))
        tell(f"the same, {n} queries: {same[-1].share}")
    falls: dict[tuple[str, float], list[Shares]] = {}
    for kind in KINDS:
        for drop in drops:
            found = falls[kind, drop] = []
            for n in sizes:
                found.append(of_a_fall(kind, drop, n, max(1, of[n] // 3)))
                tell(f"{kind} by {drop}, {n} queries: {found[-1].share}")
    return Results(times, described(), same, falls)


def described(n: int = 20_000) -> dict[str, dict[str, float]]:
    """What scores of the world look like, by measure: shares of 0, of 1 and of no change."""
    before, after = World().scores(n, np.random.default_rng(_SEED))
    change = after - before
    return {
        name: {
            "zero": round(float((before[:, i] == 0).mean()), 4),
            "one": round(float((before[:, i] == 1).mean()), 4),
            "same": round(float((change[:, i] == 0).mean()), 4),
            "sd": round(float(change[:, i].std()), 4),
        }
        for i, name in enumerate(MEASURES)
    }


def as_json(results: Results) -> str:
    """The results as a file keeps them."""
    world = json.dumps(results.world)
    lines = [f'{{"times": {results.times},', f'"world": {world},', '"same": [']
    lines += [",\n".join(json.dumps(asdict(s), sort_keys=True) for s in results.same), "],"]
    falls = [
        f'["{kind}", {drop}, [\n'
        + ",\n".join(json.dumps(asdict(s), sort_keys=True) for s in found)
        + "\n]]"
        for (kind, drop), found in results.falls.items()
    ]
    return "\n".join([*lines, '"falls": [', ",\n".join(falls), "]}"]) + "\n"


def from_json(text: str) -> Results:
    """The results that a file keeps."""
    kept = json.loads(text)
    return Results(
        kept["times"],
        kept["world"],
        [Shares(**s) for s in kept["same"]],
        {(kind, drop): [Shares(**s) for s in found] for kind, drop, found in kept["falls"]},
    )
