"""Document 004, first lecture: F, bounds, GMAP and ERR."""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import irmetrics_edu as ir
from irmetrics_edu.course.documents.example import Compared, Sides, compared
from irmetrics_edu.near_ties import TOLERANCE

HALF = Fraction(1, 2)

_POOL = {"r1": 1, "r2": 1, "r3": 1}


def _small_retrievals() -> Iterable[list[str]]:
    """All sets that hold one to three of three relevant documents, and up to two others."""
    relevant = list(_POOL)
    others = ["n1", "n2"]
    for hits, misses in product((1, 2, 3), (0, 1, 2)):
        yield relevant[:hits] + others[:misses]


def _p_and_r(retrieved: list[str]) -> tuple[Any, Any]:
    """Precision and recall of a retrieved set."""
    p = ir.precision(retrieved, _POOL, exact=True)
    r = ir.recall(retrieved, _POOL, exact=True)
    return p, r


@compared
def two_forms_of_f() -> Compared:
    """Both printed forms of F, with alpha = 1/(beta^2 + 1), against F over small retrieved sets."""
    betas = (HALF, Fraction(1), Fraction(2))
    for retrieved, beta in product(_small_retrievals(), betas):
        P, R = _p_and_r(retrieved)
        alpha = 1 / (beta**2 + 1)
        printed = 1 / (alpha / P + (1 - alpha) / R)
        right = ir.f_measure(
            retrieved,
            _POOL,
            alpha=alpha,
            exact=True,
        )
        yield printed, right, f"P={P}, R={R}, alpha={alpha}"
        square = beta**2
        printed = (square + 1) * P * R / (square * P + R)
        right = ir.f_measure(
            retrieved,
            _POOL,
            beta=beta,
            exact=True,
        )
        yield printed, right, f"P={P}, R={R}, beta={beta}"


@compared
def f1() -> Compared:
    """2PR/(P+R) against F1 over small retrieved sets."""
    for retrieved in _small_retrievals():
        P, R = _p_and_r(retrieved)
        printed = 2 * P * R / (P + R)
        right = ir.f_measure(retrieved, _POOL, exact=True)
        yield printed, right, f"P={P}, R={R}"


_PLACES = 6


def _best(
    metric: Any,
    relevant: int,
    n: int,
) -> Fraction:
    """The highest value of a metric over all placings of the relevant among six documents."""
    scores = []
    for places in combinations(range(_PLACES), relevant):
        ranking = [int(i in places) for i in range(_PLACES)]
        scores.append(metric(ranking, k=n, exact=True))
    best: Fraction = max(scores)
    return best


@compared
def precision_stays_below_one() -> Compared:
    """R < N against whether the highest P@N there is stays below 1."""
    numbers = range(1, _PLACES)
    for r, n in product(numbers, numbers):
        best = _best(ir.precision, r, n)
        yield r < n, best < 1, f"R={r}, N={n}"


@compared
def bound_of_precision() -> Compared:
    """min(N, R)/N against the highest P@N there is."""
    for r, n in product(range(1, 4), range(1, 5)):
        printed = Fraction(min(n, r), n)
        yield printed, _best(ir.precision, r, n), f"R={r}, N={n}"


@compared
def bound_of_recall(*, deep: bool) -> Compared:
    """N/R against the highest R@N there is, for N above R (`deep`) or up to R."""
    for r, n in product(range(1, 5), range(1, 5)):
        if (n > r) == deep:
            printed = Fraction(n, r)
            yield printed, _best(ir.recall, r, n), f"R={r}, N={n}"


# -- over queries

_AP_LISTS = ([0.02, 0.03, 0.29], [0.08, 0.04, 0.20], [0.5], [1.0, 0.25])


@compared
def two_forms_of_gmap() -> Compared:
    """The root of the product and the exponential of the mean logarithm, against GMAP."""
    for values in _AP_LISTS:
        n = len(values)
        right = ir.geometric_mean(values)
        root = math.prod(values) ** (1 / n)
        yield root, right, f"root of the product of {values}"
        mean = sum(map(math.log, values)) / n
        yield math.exp(mean), right, f"exp of the logarithms of {values}"


# -- reader models

_GRADED = ([3, 2, 0], [2, 3, 1], [1, 1, 3])


@compared
def stop_probability() -> Compared:
    """PP_r with the minus lost, R_i beside 1 being a product, against where ERR's reader stops."""
    for grades in _GRADED:
        working = ir.err.working(grades, max_grade=3, exact=True)
        stop = working["stop probability"]
        reach = working["reach probability"]
        for r in range(len(grades)):
            product_of_stops = math.prod(1 * s for s in stop[:r])
            printed = stop[r] * product_of_stops
            right = stop[r] * reach[r]
            yield printed, right, f"rank {r + 1} of {grades}"


@compared
def expected_reciprocal_rank() -> Compared:
    """The sum over ranks of (1/r) R_r prod (1 - R_i), against ERR."""
    for grades in _GRADED:
        stop = [Fraction(2**g - 1, 2**3) for g in grades]
        printed = Fraction(0)
        for r in range(len(grades)):
            reach = math.prod(1 - s for s in stop[:r])
            printed += Fraction(1, r + 1) * stop[r] * reach
        right = ir.err(grades, max_grade=3, exact=True)
        yield printed, right, str(grades)


# -- definitions

_METRICS = {
    "TP/(TP+FP)": "precision",
    "TP/(TP+FN)": "recall",
    "(TP+TN)/(TP+TN+FP+FN)": "accuracy",
    "FP/(FP+TN)": "fall_out",
}


@compared
def ratio_of_cells(ratio: str) -> Compared:
    """A ratio of the cells of the confusion table, against the metric of that name."""
    name = _METRICS[ratio]
    metric = getattr(ir, name)
    numerator, denominator = ratio.split("/")
    size_of_collection = 9
    options = {}
    if name in ("accuracy", "fall_out"):
        options["collection"] = size_of_collection
    for retrieved in _small_retrievals():
        hits = len(set(retrieved) & set(_POOL))
        cells = {
            "TP": hits,
            "FP": len(retrieved) - hits,
            "FN": len(_POOL) - hits,
        }
        cells["TN"] = size_of_collection - sum(cells.values())
        printed = Fraction(
            _sum_of_cells(numerator, cells),
            _sum_of_cells(denominator, cells),
        )
        right = metric(
            retrieved,
            _POOL,
            **options,
            exact=True,
        )
        shown = [f"{cell}={n}" for cell, n in cells.items()]
        yield printed, right, ", ".join(shown)


def _sum_of_cells(written: str, cells: Mapping[str, int]) -> int:
    """The value of a sum such as "(TP+FP)"."""
    names = written.strip("()").split("+")
    return sum(cells[name] for name in names)


def top_against_bottom() -> Sides:
    """Twenty documents, ten relevant ones first or last: which is better, by four measures."""
    top = [1] * 10 + [0] * 10
    bottom = [0] * 10 + [1] * 10
    measures = {
        "precision": ir.precision,
        "recall": ir.recall,
        "P@10": ir.precision @ 10,
        "AP": ir.average_precision,
    }
    verdicts = []
    for measure in measures.values():
        first_is_better = measure(top) > measure(bottom)
        verdicts.append("first" if first_is_better else "equal")
    return Sides(
        ["equal", "equal", "first", "first"],
        verdicts,
        list(measures),
    )


@compared
def sum_of_grades() -> Compared:
    """The sum of rel_i against CG."""
    for grades, p in product(_GRADED, range(1, 4)):
        right = ir.cg(grades, k=p, exact=True)
        yield sum(grades[:p]), right, f"CG@{p} of {grades}"


@compared
def discounted(*, first: bool) -> Compared:
    """DCG by the lecture's first or second formula, against DCG with jk or exponential gain."""
    for grades in _GRADED:
        ranked = list(enumerate(grades, 1))
        if first:
            below = sum(g / math.log2(i) for i, g in ranked[1:])
            printed = grades[0] + below
            right = ir.dcg(grades, discount="jk")
        else:
            printed = sum((2**g - 1) / math.log2(i + 1) for i, g in ranked)
            right = ir.dcg(grades, gain="exp")
        yield printed, right, str(grades)


def two_readers_of_one_title() -> Sides:
    """Who is served as well as can be by encyclopaedia, episodes of a series, film online.

    A reader who wants an overview needs the first page alone; one who wants to watch the film has
    some use for the first, none for the second, and most for the third.
    """
    overview = ir.ndcg([1, 0, 0])
    film = ir.ndcg([1, 0, 3])
    served = [overview == 1, film == 1]
    return Sides(
        [True, False],
        served,
        ["wants an overview", "wants to watch the film"],
    )


@compared
def quotient_of_dcgs() -> Compared:
    """DCG over that of the grades sorted, against nDCG; by either formula of DCG."""
    formulas = {
        "first formula": (
            ir.dcg.using(discount="jk"),
            ir.ndcg.using(discount="jk"),
        ),
        "second formula": (
            ir.dcg.using(gain="exp"),
            ir.ndcg.using(gain="exp"),
        ),
    }
    for grades, (name, metrics) in product(_GRADED, formulas.items()):
        dcg, ndcg = metrics
        ideal = sorted(grades, reverse=True)
        printed = dcg(grades) / dcg(ideal)
        yield printed, ndcg(grades), f"{grades}, {name}"


@compared
def range_of_ndcg() -> Compared:
    """Whether nDCG at each rank is within 0 and 1, over all orders of 3, 2, 1, 0."""
    for grades in permutations([3, 2, 1, 0]):
        values = ir.ndcg.working(grades, discount="jk")["nDCG"]
        within = all(-TOLERANCE <= v <= 1 + TOLERANCE for v in values)
        yield True, within, str(grades)


_A = (1, 2, 3, 18, 20, 24)
_B = (2, 4, 7, 8, 9, 11)


def _placed(ranks: tuple[int, ...]) -> list[int]:
    """A ranking of 24 documents with the relevant ones at these ranks."""
    return [int(rank in ranks) for rank in range(1, 25)]


@compared
def rules_for_curves() -> Compared:
    """Whether AUC and the break-even point decide: where curves coincide, and where they cross."""
    a = _placed(_A)
    b = _placed(_B)
    rules = {"AUC": ir.roc_auc, "break-even point": ir.break_even}
    for name, rule in rules.items():
        value = rule(a, exact=True)
        on_coinciding = value != rule(list(a), exact=True)
        on_crossing = value != rule(b, exact=True)
        yield on_coinciding, on_crossing, name
