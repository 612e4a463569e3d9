"""The formulas of the documents put to the test: each as printed beside what is right.

As printed a formula is written out here, since it is what is tested; what is right comes from the
package's own metrics, over small inputs that are gone through whole.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import irmetrics_edu as ir
from irmetrics_edu.documents import Sides

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

# -- novelty (documents 000 and 001)

# Topics shared, repeated, alone and missing.
_TOPICS = {"d1": {"t1", "t2"}, "d2": {"t1"}, "d3": {"t1", "t3"}, "d4": set(), "d5": {"t2", "t3"}}
_RANKINGS = (["d1", "d2", "d3", "d4", "d5"], ["d4", "d3", "d5", "d2", "d1"])


def _gains(ranking: Sequence[str], topics: Any, alpha: Any) -> list[Any]:
    working = ir.alpha_dcg.working(ranking, topics, alpha=alpha, discount="none", exact=True)
    return list(working["gain"])


def first_order_gain() -> Sides:
    """Equation (5) against the linear coefficient in gamma of (4), over alpha, and the gain."""
    printed: list[Any] = []
    right: list[Any] = []
    of = []
    for ranking, alpha in product(_RANKINGS, (HALF, THIRD)):
        gains = _gains(ranking, _TOPICS, alpha)
        for k, document in enumerate(ranking, 1):
            above = [_TOPICS[d] for d in ranking[: k - 1]]
            gain = sum((1 - alpha) ** sum(t in d for d in above) for t in _TOPICS[document])
            printed += [gain, gain]
            right += [_linear_coefficient(ranking, k, alpha) / alpha, gains[k - 1]]
            place = f"{document} at {k}, alpha={alpha}"
            of += [f"first-order term, {place}", f"gain, {place}"]
    return Sides(printed, right, of)


def _linear_coefficient(ranking: Sequence[str], k: int, alpha: Fraction) -> Fraction:
    """The coefficient of gamma in the probability of relevance, a polynomial of low degree.

    Newton's divided differences through as many points as there are topics, and 0 at 0.
    """
    points = [Fraction(i, 3) for i in range(4)]  # three topics in all
    values = [
        ir.relevance_probability(ranking, _TOPICS, k=k, alpha=alpha, gamma=gamma, exact=True)
        for gamma in points
    ]
    for step in range(1, len(points)):
        for i in range(len(points) - 1, step - 1, -1):
            values[i] = (values[i] - values[i - 1]) / (points[i] - points[i - step])
    # The polynomial is the sum of values[i] (x - points[0]) ... (x - points[i-1]); points[0] is 0.
    return sum(
        (value * math.prod(-x for x in points[1:i]) for i, value in enumerate(values[1:], 1)),
        Fraction(0),
    )


def gain_without_novelty() -> Sides:
    """With alpha = 0: the gain is the number of topics; alpha-nDCG is nDCG of those numbers."""
    printed: list[Any] = []
    right: list[Any] = []
    of = []
    for ranking in _RANKINGS:
        counts = [len(_TOPICS[d]) for d in ranking]
        printed += [*counts, ir.ndcg(counts)]
        right += [*_gains(ranking, _TOPICS, 0), ir.alpha_ndcg(ranking, _TOPICS, alpha=0)]
        of += [*(f"gain of {d}" for d in ranking), "alpha-nDCG"]
    return Sides(printed, right, of)


def gain_of_new_topics_only() -> Sides:
    """With alpha = 1: the gain is the number of topics that no document above has."""
    printed, right, of = [], [], []
    for ranking in _RANKINGS:
        for k, document in enumerate(ranking):
            seen = set().union(*(_TOPICS[d] for d in ranking[:k]))
            printed.append(len(_TOPICS[document] - seen))
            of.append(f"{document} at {k + 1}")
        right += _gains(ranking, _TOPICS, 1)
    return Sides(printed, right, of)


def single_topic_ideal(documents_of_topic: Sequence[int]) -> Sides:
    """Ideal gains with one topic per document, alpha = 1/2: as printed, and by the best order."""
    topics = [t for t, count in enumerate(documents_of_topic) for _ in range(count)]
    n, ranking = len(documents_of_topic), [f"d{k}" for k in range(1, len(topics) + 1)]
    printed = [(1 - HALF) ** max(0, k - n) for k in range(1, len(topics) + 1)]
    # All orders, so that nothing hangs on how the ideal is searched for: the best CG at each rank.
    totals = [
        _totals(_gains(ranking, {d: {t} for d, t in zip(ranking, order, strict=True)}, HALF))
        for order in sorted(set(permutations(topics)))
    ]
    best = [max(column) for column in zip(*totals, strict=True)]
    right = [b - a for a, b in zip([0, *best], best, strict=False)]
    return Sides(printed, right, [f"rank {k}" for k in range(1, len(topics) + 1)])


def _totals(gains: list[Any]) -> list[Any]:
    return [sum(gains[:k]) for k in range(1, len(gains) + 1)]


def relevance_from_union() -> Sides:
    """P(R=1|u,d) with the union, over all needs u of two nuggets, each wanted half the time."""
    nuggets = ("n1", "n2")
    needs = [set(u) for size in range(3) for u in combinations(nuggets, size)]
    printed, right, of = [], [], []
    for d in needs:
        printed.append(Fraction(sum(bool(u | d) for u in needs), len(needs)))
        right.append(ir.relevance_probability(["d"], {"d": d}, alpha=1, gamma=HALF, exact=True))
        of.append("d = {" + ", ".join(sorted(d)) + "}")
    return Sides(printed, right, of)


def greedy_after_a_tie() -> Sides:
    """CG at 2, alpha = 1, where three documents tie: by the greedy choice, and at most."""
    nuggets = {"A": {1, 2}, "B": {1, 3}, "C": {2, 4}}
    greedy, exact = (
        sum(
            ir.alpha_ndcg.working(list(nuggets), nuggets, alpha=1, k=2, ideal=ideal)[
                "ideal alpha-DCG"
            ]["gain"]
        )
        for ideal in ("greedy", "exact")
    )
    return Sides([greedy], [exact], ["nuggets in the first two"])


_GRAPHS = {
    "path of four": [("a", "b"), ("b", "c"), ("c", "d")],
    "triangle": [("a", "b"), ("b", "c"), ("c", "a")],
    "spider": [("c", 1), ("c", 2), ("c", 3), (1, "x"), (2, "y"), (3, "z")],
}


def cover_by_ideal() -> Sides:
    """The size of a minimum vertex cover: by trying all sets, and by the ideal at alpha = 1."""
    printed, right = [], []
    for edges in _GRAPHS.values():
        vertices = {v for edge in edges for v in edge}
        covers = (
            size
            for size in range(1, len(vertices) + 1)
            for chosen in combinations(vertices, size)
            if all(a in chosen or b in chosen for a, b in edges)
        )
        printed.append(next(covers))
        right.append(len(ir.vertex_cover(edges)))
    return Sides(printed, right, list(_GRAPHS))


# -- recommendation (document 002)

_CATEGORIES = {"a": {"rock"}, "b": {"rock", "folk"}, "c": {"jazz"}, "d": {"folk", "pop"}}
_RELEVANT = ({"a"}, {"a", "d"}, {"b", "c", "d"}, {"a", "b", "d"})
_LISTS = (["a", "b"], ["a", "b", "c"], ["c", "d"])
_EMBEDDINGS = {"a": (1.0, 0.0), "b": (3.0, 4.0), "c": (0.0, 2.0), "d": (-1.0, 1.0)}
_ALPHA = Fraction(1, 10)


def _categories_of(items: Iterable[str]) -> set[str]:
    return set().union(*(_CATEGORIES[i] for i in items))


def category_coverage_as_read() -> Sides:
    """CC with C_i for the categories of an item and C_I for all."""
    every = _categories_of(_CATEGORIES)
    printed = [Fraction(len(_categories_of(r)), len(every)) for r in _LISTS]
    right = [ir.category_coverage(r, _CATEGORIES, exact=True) for r in _LISTS]
    return Sides(printed, right, [", ".join(r) for r in _LISTS])


def dcc_as_printed() -> Sides:
    """DCC: categories of the effective items, and alpha times those of the others."""
    every = _categories_of(_CATEGORIES)
    printed, right, of = [], [], []
    for r, g in product(_LISTS, _RELEVANT):
        hit, rest = _categories_of(set(r) & g), _categories_of(set(r) - g)
        printed.append((len(hit) + _ALPHA * len(rest)) / len(every))
        right.append(ir.dcc(r, g, _CATEGORIES, alpha=_ALPHA, exact=True))
        of.append(f"{', '.join(r)}; relevant {', '.join(sorted(g))}")
    return Sides(printed, right, of)


def fdcc_as_read() -> Sides:
    """FDCC with base 2: c_k is 1 below the base, else the logarithm of the frequency."""
    every = _categories_of(_CATEGORIES)
    printed, right, of = [], [], []
    for r, g in product(_LISTS, _RELEVANT):
        hit, rest = _categories_of(set(r) & g), _categories_of(set(r) - g)
        frequency = {k: sum(k in _CATEGORIES[i] for i in g) for k in hit}
        weights = sum(1 if f < 2 else math.log2(f) for f in frequency.values())
        printed.append((weights + float(_ALPHA) * len(rest)) / len(every))
        right.append(ir.fdcc(r, g, _CATEGORIES, alpha=float(_ALPHA), base=2))
        of.append(f"{', '.join(r)}; relevant {', '.join(sorted(g))}")
    return Sides(printed, right, of)


def distances_as_read() -> Sides:
    """ILAD and ILMD with j running over the rest of the list, d = 1 - e_i e_j."""
    unit = {i: [x / math.hypot(*e) for x in e] for i, e in _EMBEDDINGS.items()}

    def d(i: str, j: str) -> float:
        return 1 - sum(x * y for x, y in zip(unit[i], unit[j], strict=True))

    printed: list[float] = []
    right: list[float] = []
    of = []
    for r in _LISTS:
        rest = {i: [d(i, j) for j in r if j != i] for i in r}
        printed.append(sum(sum(far) / (len(r) - 1) for far in rest.values()) / len(r))
        printed.append(sum(min(far) for far in rest.values()) / len(r))
        right += [ir.ilad(r, _EMBEDDINGS), ir.ilmd(r, _EMBEDDINGS)]
        of += [f"{name} of {', '.join(r)}" for name in ("ILAD", "ILMD")]
    return Sides(printed, right, of)


_K = 10
_PRECISIONS = [Fraction(p, 1000) for p in (1, 5, 10, 15)]  # N_tau is 1 for all of them


def conditions_on_alpha() -> Sides:
    """Whether any alpha meets the conditions: asked of all pairs i, j, and asked of i > j."""
    grid = [Fraction(a, 1000) for a in range(1001)]
    printed, right = [], []
    for p in _PRECISIONS:
        found = ir.tune_alpha(_K, p)
        contribution = [
            [(g.n + alpha * (_K - g.n)) * g.probability for g in found.groups] for alpha in grid
        ]
        printed.append(any(all(x > y for x, y in permutations(c, 2)) for c in contribution))
        right.append(found.feasible)
    return Sides(printed, right, [f"p={float(p)}" for p in _PRECISIONS])


def expected_dcc() -> Sides:
    """The closed form k (p + alpha (1 - p)) against the sum over all groups of DCC(R_n) P(R_n)."""
    printed, right, of = [], [], []
    for p, alpha in product((Fraction(1, 100), THIRD), (Fraction(0), _ALPHA, Fraction(1))):
        printed.append(_K * (p + alpha * (1 - p)))
        # With tau next to 1 the groups are all there are, R_0 to R_k.
        groups = ir.tune_alpha(_K, p, tau=1 - Fraction(1, 10**30)).groups
        dcc = [sum(c * alpha**i for i, c in enumerate(g.value)) for g in groups]
        right.append(sum(v * g.probability for v, g in zip(dcc, groups, strict=True)))
        of.append(f"p={p}, alpha={alpha}")
    return Sides(printed, right, of)


def largest_alpha() -> Sides:
    """The closed form p / (1 - k p) against the largest alpha that is found, where N_tau = 1."""
    printed = [p / (1 - _K * p) for p in _PRECISIONS]
    right = [ir.tune_alpha(_K, p).alpha for p in _PRECISIONS]
    return Sides(printed, right, [f"p={float(p)}" for p in _PRECISIONS])


def quadratic_for_beta() -> Sides:
    """The two sides of the equation whose root is the largest beta, k = 10, p = 0.0075."""
    k, p = _K, 0.0075
    largest: Any = ir.tune_beta(k, p).beta
    b = float(largest)
    left = (2 + 4 * b * (k - 2) + b**2 * (k - 2) * (k - 3)) * p
    return Sides([left], [(4 * b + 2 * b**2 * (k - 2)) * (1 - p)], ["at the largest beta"])


# -- sets and rankings (document 004)

_POOL = {"r1": 1, "r2": 1, "r3": 1}


def _small_retrievals() -> Iterable[list[str]]:
    """All sets that hold one to three of three relevant documents, and up to two others."""
    for hits, misses in product((1, 2, 3), (0, 1, 2)):
        yield [*list(_POOL)[:hits], *["n1", "n2"][:misses]]


def _p_and_r(retrieved: list[str]) -> tuple[Fraction, Fraction]:
    p, r = (m(retrieved, _POOL, exact=True) for m in (ir.precision, ir.recall))
    return p, r


def two_forms_of_f() -> Sides:
    """Both printed forms of F, with alpha = 1/(beta^2 + 1), against F over small retrieved sets."""
    printed: list[Fraction] = []
    right: list[Fraction] = []
    of = []
    for retrieved, beta in product(_small_retrievals(), (HALF, Fraction(1), Fraction(2))):
        P, R = _p_and_r(retrieved)
        alpha = 1 / (beta**2 + 1)
        printed += [
            1 / (alpha / P + (1 - alpha) / R),
            (beta**2 + 1) * P * R / (beta**2 * P + R),
        ]
        right += [
            ir.f_measure(retrieved, _POOL, alpha=alpha, exact=True),
            ir.f_measure(retrieved, _POOL, beta=beta, exact=True),
        ]
        of += [f"P={P}, R={R}, alpha={alpha}", f"P={P}, R={R}, beta={beta}"]
    return Sides(printed, right, of)


def f1() -> Sides:
    """2PR/(P+R) against F1 over small retrieved sets."""
    printed, right, of = [], [], []
    for retrieved in _small_retrievals():
        P, R = _p_and_r(retrieved)
        printed.append(2 * P * R / (P + R))
        right.append(ir.f_measure(retrieved, _POOL, exact=True))
        of.append(f"P={P}, R={R}")
    return Sides(printed, right, of)


_PLACES = 6


def _best(metric: Any, relevant: int, n: int) -> Fraction:
    """The highest value of a metric over all placings of the relevant among six documents."""
    scores = []
    for places in combinations(range(_PLACES), relevant):
        ranking = [int(i in places) for i in range(_PLACES)]
        scores.append(metric(ranking, k=n, exact=True))
    best: Fraction = max(scores)
    return best


def precision_stays_below_one() -> Sides:
    """R < N against whether the highest P@N there is stays below 1."""
    cases = list(product(range(1, _PLACES), range(1, _PLACES)))
    return Sides(
        [r < n for r, n in cases],
        [_best(ir.precision, r, n) < 1 for r, n in cases],
        [f"R={r}, N={n}" for r, n in cases],
    )


def bound_of_precision() -> Sides:
    """min(N, R)/N against the highest P@N there is."""
    cases = list(product(range(1, 4), range(1, 5)))
    return Sides(
        [Fraction(min(n, r), n) for r, n in cases],
        [_best(ir.precision, r, n) for r, n in cases],
        [f"R={r}, N={n}" for r, n in cases],
    )


def bound_of_recall(*, deep: bool) -> Sides:
    """N/R against the highest R@N there is, for N above R (`deep`) or up to R."""
    cases = [(r, n) for r, n in product(range(1, 5), range(1, 5)) if (n > r) == deep]
    return Sides(
        [Fraction(n, r) for r, n in cases],
        [_best(ir.recall, r, n) for r, n in cases],
        [f"R={r}, N={n}" for r, n in cases],
    )


# -- over queries

_AP_LISTS = ([0.02, 0.03, 0.29], [0.08, 0.04, 0.20], [0.5], [1.0, 0.25])


def two_forms_of_gmap() -> Sides:
    """The root of the product and the exponential of the mean logarithm, against GMAP."""
    printed: list[float] = []
    right: list[float] = []
    of = []
    for values in _AP_LISTS:
        n = len(values)
        printed += [math.prod(values) ** (1 / n), math.exp(sum(map(math.log, values)) / n)]
        right += [ir.geometric_mean(values)] * 2
        of += [f"{form} of {values}" for form in ("root of the product", "exp of the logarithms")]
    return Sides(printed, right, of)


# -- reader models

_GRADED = ([3, 2, 0], [2, 3, 1], [1, 1, 3])


def stop_probability() -> Sides:
    """PP_r with the minus lost, R_i beside 1 being a product, against where ERR's reader stops."""
    printed, right, of = [], [], []
    for grades in _GRADED:
        working = ir.err.working(grades, max_grade=3, exact=True)
        stop, reach = working["stop probability"], working["reach probability"]
        for r in range(len(grades)):
            printed.append(stop[r] * math.prod(1 * s for s in stop[:r]))
            right.append(stop[r] * reach[r])
            of.append(f"rank {r + 1} of {grades}")
    return Sides(printed, right, of)


def expected_reciprocal_rank() -> Sides:
    """The sum over ranks of (1/r) R_r prod (1 - R_i), against ERR."""
    printed, right = [], []
    for grades in _GRADED:
        stop = [Fraction(2**g - 1, 2**3) for g in grades]
        printed.append(
            sum(
                Fraction(1, r + 1) * stop[r] * math.prod(1 - s for s in stop[:r])
                for r in range(len(grades))
            )
        )
        right.append(ir.err(grades, max_grade=3, exact=True))
    return Sides(printed, right, [str(grades) for grades in _GRADED])


# -- diversifying and learning to rank


def mmr_candidates() -> Sides:
    """Three choices by relevance, from R | S read as a union and from R without S."""
    relevance = {"d1": 0.9, "d2": 0.7, "d3": 0.4}
    retrieved = set(relevance)

    def chosen(*, union: bool) -> list[str]:
        order: list[str] = []
        for _ in relevance:
            selected = set(order)
            candidates = retrieved | selected if union else retrieved - selected
            order.append(max(candidates, key=lambda d: relevance[d]))
        return order

    return Sides(chosen(union=True), chosen(union=False), ["1st", "2nd", "3rd"])


def ordinal_label() -> Sides:
    """The label of documents at w x = -1/2, 1/2, 3/2, 5/2: by the argmin, and the least label."""
    thresholds = [0.0, 1.0, 2.0, math.inf]
    scores = [-0.5, 0.5, 1.5, 2.5]
    labels = range(1, len(thresholds) + 1)
    argmin, least = [], []
    for score in scores:
        below = {k: score - b for k, b in zip(labels, thresholds, strict=True) if score - b < 0}
        argmin.append(min(below, key=lambda k: below[k]))
        least.append(min(below))
    return Sides(argmin, least, [f"w x = {score}" for score in scores])


_RANK_A, _RANK_B = [2, 3, 2, 1, 1, 1, 1], [3, 2, 1, 2, 1, 1, 1]


def rank_a_against_rank_b() -> Sides:
    """Which of the two rankings is better: as printed, and by each measure."""
    measures = {
        "pairs": ir.pair_accuracy,
        "nDCG, jk": ir.ndcg.using(discount="jk"),
        "nDCG, log2, linear": ir.ndcg,
        "nDCG, log2, exponential": ir.ndcg.using(gain="exp"),
    }
    verdicts = [
        "equal" if a == b else "A" if a > b else "B"
        for a, b in ((m(_RANK_A), m(_RANK_B)) for m in measures.values())
    ]
    return Sides(["equal", "B", "B", "B"], verdicts, list(measures))


_QUERIES = ([3, 2, 0, 1], [0, 1, 0, 2], [1, 0, 2, 0])
_WEIGHTS = (0.5, 0.3, 0.2)


def weight_of_weak_ranker() -> Sides:
    """AdaRank's alpha_t against where the bound on the exponential loss is least."""
    printed, right, of = [], [], []
    for weights in (_WEIGHTS, (1 / 3, 1 / 3, 1 / 3)):
        performance = [ir.ndcg(grades) for grades in _QUERIES]
        pairs = list(zip(weights, performance, strict=True))
        good, bad = sum(w * (1 + e) for w, e in pairs), sum(w * (1 - e) for w, e in pairs)
        printed.append(math.log(good / bad) / 2)
        right.append(_least_of_bound(good, bad))
        of.append(f"weights of the queries {', '.join(f'{w:.2f}' for w in weights)}")
    return Sides(printed, right, of)


def _least_of_bound(good: float, bad: float) -> float:
    """Where good/2 e^-a + bad/2 e^a is least: its slope rises, so bisect for the zero."""
    low, high = -50.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        if bad * math.exp(middle) > good * math.exp(-middle):
            high = middle
        else:
            low = middle
    return (low + high) / 2


def weights_of_queries() -> Sides:
    """AdaRank's new weights: their sum, and the order of the queries from heaviest to lightest."""
    performance = [ir.ndcg(grades) for grades in _QUERIES]
    total = sum(math.exp(-e) for e in performance)
    weights = [math.exp(-e) / total for e in performance]
    queries = range(len(_QUERIES))
    heaviest = sorted(queries, key=lambda q: -weights[q])
    worst = sorted(queries, key=lambda q: performance[q])
    return Sides([sum(weights), *heaviest], [1.0, *worst], ["sum of weights", "1st", "2nd", "3rd"])
