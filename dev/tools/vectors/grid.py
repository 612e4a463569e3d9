"""Cases of one ranking: every value of every switch of a metric, over chosen inputs."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dev.tools.vectors.oracles.rankings import value
from irmetrics_edu.diagnosis.conformance.vectors import VectorCase, named

# Grades in ranked order (None: not judged), and those of judged documents not retrieved.
INPUTS: tuple[tuple[str, Sequence[int | None], Sequence[int], str], ...] = (
    ("graded", (5, 2, 3), (), "three grades, all retrieved: nDCG is 0.9834 with linear gain"),
    ("missed", (3, 2, 3, 0, 1, 2), (3, 2), "two good documents are not retrieved: which ideal?"),
    ("short", (1, 0, 1), (1, 1), "a list shorter than the cut-off, and R = 4: which divisor?"),
    ("nothing-relevant", (0, 0, 0), (), "judged, and nothing is relevant"),
    ("nothing-found", (0, 0), (1, 3), "what is relevant is not retrieved"),
    ("unjudged", (None, 0, 2, None, 1), (3,), "unjudged documents keep their ranks"),
    ("late", (0, 0, 0, 0, 2), (1,), "the only hit stands at the end"),
    ("one-relevant", (0, 1, 0, 0), (), "fewer are relevant than fit in the cut: which divisor?"),
    ("perfect", (3, 3, 2, 1, 0), (), "the ideal order: every normalised measure is 1"),
    ("reversed", (0, 1, 2, 3), (), "the worst order"),
    ("single", (1,), (), "one document"),
    ("empty", (), (1, 2), "nothing was retrieved"),
    ("long", (0, 1, 0, 2, 0, 0, 3, 0, 1, 0, 0, 2), (2, 1), "longer than the cut-off 10"),
    ("high-grades", (4, 0, 4, 1), (4,), "the top of a scale from 0 to 4"),
    ("binary", (1, 0, 1, 1, 0), (1,), "grades 0 and 1: linear and exponential gain agree"),
)

_GAINS = ("linear", "exp", "binary")
EMPTY = {"no_relevant": ("zero", "one", "nan")}
_SHORT_CUT, _LONG_CUT = 3, 10
# The first value of each is that of the definition.
GRID: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "P": {"rel": (1, 2), "divisor": ("k", "retrieved", "reachable"), **EMPTY},
    "R": {"rel": (1,), "divisor": ("relevant", "reachable"), **EMPTY},
    "F": {"beta": ("1", "2"), "rel": (1,), "divisor": ("k", "retrieved"), **EMPTY},
    "Success": {"rel": (1,), **EMPTY},
    "Rprec": {"rel": (1,), **EMPTY},
    "AP": {"rel": (1, 2), "divisor": ("relevant", "reachable", "hits", "k", "retrieved"), **EMPTY},
    "RR": {"rel": (1, 2), **EMPTY},
    "DCG": {"gain": _GAINS, "discount": ("log2", "jk(2)", "reciprocal", "none")},
    "nDCG": {
        "gain": _GAINS,
        "discount": ("log2", "jk(2)", "reciprocal"),
        "ideal": ("judged", "retrieved", "r_ones", "k_ones", "as_long"),
        "cut": ("both", "ranking"),
        **EMPTY,
    },
    "ERR": {"max_grade": (4, "highest"), "satisfaction": ("exp", "linear")},
    "RBP": {"p": ("0.8", "0.5"), "rel": (1,), "gain": ("binary", "linear")},
    "bpref": {"rel": (1,), "bound": ("fewer", "relevant"), **EMPTY},
}
# Of each metric what its definition says.
DEFAULTS = {name: {n: v[0] for n, v in switches.items()} for name, switches in GRID.items()}
_UNCUT = ("Rprec", "bpref")  # measures without a cut-off
# Of the ideals of ones only with the gain that makes sense of them.
_ONES = ("r_ones", "k_ones")
# Gains of which another ideal has nothing new to tell.
_REPEATED = (("retrieved", "binary"), ("as_long", "binary"), ("as_long", "exp"))
# Switches that are turned one at a time, all others being as in the definition.
_ALONE = {
    "P": ("rel",),
    "AP": ("rel",),
    "DCG": ("discount",),
    "nDCG": ("discount", "cut", "no_relevant"),
    "F": ("beta", "divisor", "no_relevant"),
    "RBP": ("gain", "p"),
    "ERR": ("max_grade", "satisfaction"),
}


def of_grid() -> Iterator[VectorCase]:
    """Every combination that can make a difference."""
    for name, ranked, missed, why in INPUTS:
        ranking, judgments = with_ids(ranked, missed)
        given = {"ranking": ranking, "judgments": judgments, "why": why}
        pool = list(judgments.values())
        for metric, switches in GRID.items():
            for k in _cuts(metric, ranked, missed):
                for values in itertools.product(*switches.values()):
                    conventions = dict(zip(switches, values, strict=True))
                    if not (
                        _alone(metric, conventions) and _sensible(metric, conventions, pool, k)
                    ):
                        continue
                    exact = value(metric, ranked, pool, k, conventions)
                    id_ = named(name, metric, k, conventions)
                    departs = conventions != DEFAULTS[metric]
                    yield VectorCase(
                        id_, name, metric, k, given, conventions, exact, why, departs=departs
                    )


def _cuts(
    metric: str, ranked: Sequence[int | None], missed: Sequence[int]
) -> tuple[int | None, ...]:
    """The whole ranking, a cut inside it, and a cut beyond it if that makes a difference."""
    if metric in _UNCUT:
        return (None,)
    inside = (_SHORT_CUT,) if len(ranked) > _SHORT_CUT else ()
    beyond = (_LONG_CUT,) if len(ranked) > _LONG_CUT or (missed and len(ranked) > 2) else ()
    return (None, *inside, *beyond)


def _alone(metric: str, conventions: Mapping[str, Any]) -> bool:
    """Whether at most one setting differs, if one of these does."""
    changed = {n for n, v in conventions.items() if v != DEFAULTS[metric][n]}
    alone = {*_ALONE.get(metric, ()), "no_relevant"}
    return len(changed) <= 1 or not changed & alone


def _sensible(
    metric: str, conventions: Mapping[str, Any], pool: Sequence[int], k: int | None
) -> bool:
    """Leave out cases that repeat others, to keep the vectors small."""
    ideal, divisor = conventions.get("ideal"), conventions.get("divisor")
    if ideal in _ONES and (conventions["gain"] != "binary" or (ideal == "k_ones" and k is None)):
        return False
    if (ideal, conventions.get("gain")) in _REPEATED:
        return False
    top = conventions.get("max_grade", 1000)
    if top != "highest" and max(pool, default=0) > top:
        return False
    if conventions.get("no_relevant", "zero") != "zero" and any(g >= 1 for g in pool):
        return False
    if k is None and (divisor == "retrieved" or conventions.get("cut") == "ranking"):
        return False
    if k is None and divisor == "reachable" and metric != "P":
        return False
    return not (conventions.get("rel") == 2 and max(pool, default=0) < 2)


def with_ids(
    ranked: Sequence[int | None], missed: Sequence[int]
) -> tuple[list[str], dict[str, int]]:
    """Documents d1, d2 ... in the order of their grades, and x1, x2 ... that are missing."""
    ranking = [f"d{i}" for i in range(1, len(ranked) + 1)]
    judged = {d: g for d, g in zip(ranking, ranked, strict=True) if g is not None}
    return ranking, judged | {f"x{i}": g for i, g in enumerate(missed, 1)}
