"""Documents 000 and 001: alpha-nDCG, its gain and its ideal."""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, pairwise, permutations, product
from typing import Any

import irmetrics_edu as ir
from irmetrics_edu.checks import ids
from irmetrics_edu.course.documents.example import Compared, compared
from irmetrics_edu.errors import InputError

HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)

# Topics shared, repeated, alone and missing.
_TOPICS = {"d1": {"t1", "t2"}, "d2": {"t1"}, "d3": {"t1", "t3"}, "d4": set(), "d5": {"t2", "t3"}}
_RANKINGS = (["d1", "d2", "d3", "d4", "d5"], ["d4", "d3", "d5", "d2", "d1"])


@compared
def relevance_of_sets(judged: Sequence[Any], wanted: Any) -> Compared:
    """P(r_k=1|u,d_1...d_k), over all sets u, d_1, ..., d_k of topics, and by the product.

    `judged` has the probabilities of topics in each document, `wanted` in the user's interests.
    """
    ranking = [f"d{k}" for k in range(1, len(judged) + 1)]
    topics = dict(zip(ranking, judged, strict=True))
    for k, document in enumerate(ranking, 1):
        right = ir.relevance_probability(
            ranking,
            topics,
            k=k,
            alpha=1,
            gamma=wanted,
            exact=True,
        )
        chance = Fraction(0)
        cases = [_sets(probabilities) for probabilities in (wanted, *judged[:k])]
        for need, *above, last in product(*cases):
            seen = [topics for topics, _ in above]
            new = last[0].intersection(need[0]).difference(*seen)
            if new:
                chance += math.prod(p for _, p in (need, *above, last))
        yield chance, right, f"P(r=1) of {document}"


def _sets(probabilities: Mapping[Hashable, Any]) -> list[tuple[set[Hashable], Fraction]]:
    """All sets of topics, each with its probability, if every topic is in by itself."""
    sets: list[tuple[set[Hashable], Fraction]] = [(set(), Fraction(1))]
    for topic, probability in probabilities.items():
        p = Fraction(str(probability))
        longer = []
        for topics, chance in sets:
            longer.append((topics, chance * (1 - p)))
            longer.append((topics | {topic}, chance * p))
        sets = longer
    return sets


def _gains(
    ranking: Sequence[str],
    topics: Any,
    alpha: Any,
) -> list[Any]:
    working = ir.alpha_dcg.working(
        ranking,
        topics,
        alpha=alpha,
        discount="none",
        exact=True,
    )
    return list(working["gain"])


@compared
def first_order_gain() -> Compared:
    """Equation (5) against the linear coefficient in gamma of (4), over alpha, and the gain."""
    for ranking, alpha in product(_RANKINGS, (HALF, THIRD)):
        gains = _gains(ranking, _TOPICS, alpha)
        for k, document in enumerate(ranking, 1):
            above = ranking[: k - 1]
            gain = sum((1 - alpha) ** _count(topic, above) for topic in _TOPICS[document])
            place = f"{document} at {k}, alpha={alpha}"
            first_order = _linear_coefficient(ranking, k, alpha) / alpha
            yield gain, first_order, f"first-order term, {place}"
            yield gain, gains[k - 1], f"gain, {place}"


def _count(topic: str, documents: Iterable[str]) -> int:
    """How many of the documents have the topic."""
    return sum(topic in _TOPICS[document] for document in documents)


def _linear_coefficient(
    ranking: Sequence[str],
    k: int,
    alpha: Fraction,
) -> Fraction:
    """The coefficient of gamma in the probability of relevance: a cubic that is 0 at gamma = 0.

    There are three topics, so its values at 1/3, 2/3 and 1 say what its slope is at 0.
    """
    one, two, three = (
        ir.relevance_probability(
            ranking,
            _TOPICS,
            k=k,
            alpha=alpha,
            gamma=Fraction(thirds, 3),
            exact=True,
        )
        for thirds in (1, 2, 3)
    )
    return Fraction(18 * one - 9 * two + 2 * three, 2)


@compared
def gain_without_novelty() -> Compared:
    """With alpha = 0: the gain is the number of topics; alpha-nDCG is nDCG of those numbers."""
    for ranking in _RANKINGS:
        counts = [len(_TOPICS[d]) for d in ranking]
        gains = _gains(ranking, _TOPICS, 0)
        yield from zip(
            counts,
            gains,
            [f"gain of {d}" for d in ranking],
            strict=True,
        )
        alpha_ndcg = ir.alpha_ndcg(ranking, _TOPICS, alpha=0)
        yield ir.ndcg(counts), alpha_ndcg, "alpha-nDCG"


@compared
def gain_of_new_topics_only() -> Compared:
    """With alpha = 1: the gain is the number of topics that no document above has."""
    for ranking in _RANKINGS:
        gains = _gains(ranking, _TOPICS, 1)
        for k, document in enumerate(ranking):
            seen = set().union(*(_TOPICS[d] for d in ranking[:k]))
            new = _TOPICS[document] - seen
            yield len(new), gains[k], f"{document} at {k + 1}"


@compared
def single_topic_ideal(documents_of_topic: Sequence[int]) -> Compared:
    """Ideal gains with one topic per document, alpha = 1/2: as printed, and by the best order."""
    topics = [t for t, count in enumerate(documents_of_topic) for _ in range(count)]
    n = len(documents_of_topic)
    ranking = [f"d{k}" for k in range(1, len(topics) + 1)]
    # All orders, so that nothing hangs on how the ideal is searched for: the best CG at each rank.
    cumulated = []
    for order in sorted(set(permutations(topics))):
        gains = _gains(ranking, _one_each(ranking, order), HALF)
        cumulated.append(list(accumulate(gains)))
    best = [0]
    best.extend(max(at_rank) for at_rank in zip(*cumulated, strict=True))
    for k, (above, here) in enumerate(pairwise(best), 1):
        printed = (1 - HALF) ** max(0, k - n)
        yield printed, here - above, f"rank {k}"


def _one_each(ranking: Sequence[str], topics: Iterable[Any]) -> dict[str, set[Any]]:
    """Documents with a single topic each."""
    return {document: {topic} for document, topic in zip(ranking, topics, strict=True)}


@compared
def relevance_from_union() -> Compared:
    """P(R=1|u,d) with the union, over all needs u of two nuggets, each wanted half the time."""
    nuggets = ("n1", "n2")
    needs = [set(u) for size in range(3) for u in combinations(nuggets, size)]
    for d in needs:
        printed = Fraction(sum(bool(u | d) for u in needs), len(needs))
        right = ir.relevance_probability(
            ["d"],
            {"d": d},
            alpha=1,
            gamma=HALF,
            exact=True,
        )
        yield printed, right, "d = {" + ", ".join(sorted(d)) + "}"


@compared
def greedy_after_a_tie() -> Compared:
    """CG at 2, alpha = 1, where three documents tie: by the greedy choice, and at most."""
    nuggets = {"A": {1, 2}, "B": {1, 3}, "C": {2, 4}}
    total = {}
    for ideal in ("greedy", "exact"):
        working = ir.alpha_ndcg.working(
            list(nuggets),
            nuggets,
            alpha=1,
            k=2,
            ideal=ideal,
        )
        total[ideal] = sum(working["ideal alpha-DCG"]["gain"])
    yield total["greedy"], total["exact"], "nuggets in the first two"


def as_nuggets(
    edges: Iterable[tuple[Hashable, Hashable]],
) -> dict[Hashable, set[tuple[Hashable, Hashable]]]:
    """The graph as judgments: each vertex a document, each edge a nugget of its two ends.

    >>> as_nuggets([("a", "b"), ("b", "c")])["c"]
    {('b', 'c')}
    """
    nuggets: dict[Hashable, set[tuple[Hashable, Hashable]]] = {}
    edges_seen: set[frozenset[Hashable]] = set()
    for edge in edges:
        ends = ids(edge, what=f"an end of the edge {edge!r}")
        if len(ends) != 2:
            raise InputError(f"edge {edge!r}: an edge joins two vertices")
        if frozenset(ends) in edges_seen:
            raise InputError(f"edge {edge!r} is given twice; give each edge once")
        edges_seen.add(frozenset(ends))
        for vertex in ends:
            nuggets.setdefault(vertex, set()).add((ends[0], ends[1]))
    if not nuggets:
        raise InputError("a graph without edges needs no cover; give at least one edge")
    return nuggets


def vertex_cover(
    edges: Iterable[tuple[Hashable, Hashable]], *, ideal: str = "exact"
) -> list[Hashable]:
    """A vertex cover: the shortest ideal ranking that gains every edge.

    It shows why the ideal is hard to find: a method that finds it also solves vertex cover. A cover
    is a set of vertices that touches every edge. Each vertex is a document and each edge a nugget
    of its two ends. With alpha = 1 a document gains only the edges that are new. So the first k
    documents gain every edge exactly if they are a cover. The gains are not discounted here: with
    the discount, an ideal need not be a cover. Clarke et al. (2008, section 5.1) say
    that the ideal gain vector is NP-complete to compute, as vertex cover may be reduced to it. They
    mean NP-hard: NP-complete is a word for questions that are answered with yes or no.

    `ideal="exact"` finds a minimum cover, for small graphs only. `ideal="greedy"` takes the vertex
    with the most new edges each time, and may need more vertices.

    >>> spider = [("c", 1), ("c", 2), ("c", 3), (1, "x"), (2, "y"), (3, "z")]
    >>> vertex_cover(spider)
    [1, 2, 3]
    >>> vertex_cover(spider, ideal="greedy")
    ['c', 1, 2, 3]
    """
    edges = list(edges)
    nuggets = as_nuggets(edges)
    for k in range(1, len(nuggets) + 1):
        best = ir.alpha_ndcg.working(
            [],
            nuggets,
            k=k,
            alpha=1,
            discount="none",
            ideal=ideal,
            exact=True,
        )["ideal alpha-DCG"]
        if best.value == len(edges):  # as it is at the latest where k takes all vertices
            break
    return list(best["document"])


_GRAPHS: dict[str, list[tuple[Hashable, Hashable]]] = {
    "path of four": [("a", "b"), ("b", "c"), ("c", "d")],
    "triangle": [("a", "b"), ("b", "c"), ("c", "a")],
    "spider": [("c", 1), ("c", 2), ("c", 3), (1, "x"), (2, "y"), (3, "z")],
}


@compared
def cover_by_ideal() -> Compared:
    """The size of a minimum vertex cover: by trying all sets, and by the ideal at alpha = 1."""
    for name, edges in _GRAPHS.items():
        vertices = {v for edge in edges for v in edge}
        size = 1
        while not _covered_by(size, vertices, edges):
            size += 1
        yield size, len(vertex_cover(edges)), name


def _covered_by(
    size: int,
    vertices: Iterable[object],
    edges: list[tuple[Any, Any]],
) -> bool:
    """Whether some vertices, as many as `size`, touch each edge."""
    return any(
        all(a in chosen or b in chosen for a, b in edges) for chosen in combinations(vertices, size)
    )


@compared
def relevance_given_above() -> Compared:
    """Equation (4), written out, against the probability of relevance at each rank."""
    for ranking, alpha, gamma in product(
        _RANKINGS,
        (HALF, THIRD),
        (HALF, Fraction(1)),
    ):
        for k, document in enumerate(ranking, 1):
            above = ranking[: k - 1]
            missed: Any = 1  # the probability that no topic is found that is wanted
            for topic in _TOPICS[document]:
                still_wanted = (1 - alpha) ** _count(topic, above)
                missed *= 1 - gamma * alpha * still_wanted
            printed = 1 - missed
            right = ir.relevance_probability(
                ranking,
                _TOPICS,
                k=k,
                alpha=alpha,
                gamma=gamma,
                exact=True,
            )
            yield printed, right, f"{document} at {k}, alpha={alpha}, gamma={gamma}"


def _left_of_interest(count: int) -> Any:
    """What is left of a topic's gain after so many documents that a judge found it in."""
    ranking = [f"d{i}" for i in range(count + 1)]
    return _gains(
        ranking,
        {d: {"t"} for d in ranking},
        THIRD,
    )[-1]


@compared
def still_wanted() -> Compared:
    """The interest left after one to three documents with a topic: each has it, or each lacks it.

    alpha is 1/3, the probability that a document with the topic really has it.
    """
    for c in range(1, 4):
        printed = THIRD**c
        yield printed, _left_of_interest(c), f"{c} above"


@compared
def missed_above() -> Compared:
    """(1 - alpha)^c against what is left of a topic's gain after c documents, alpha = 1/3."""
    for c in range(4):
        printed = (1 - THIRD) ** c
        yield printed, _left_of_interest(c), f"c = {c}"


@compared
def sums_of_gains(which: str) -> Compared:
    """CG, DCG or alpha-nDCG at each rank: by its formula from the gains, and by the package."""
    for ranking, k in product(_RANKINGS, range(1, 6)):
        working = ir.alpha_ndcg.working(
            ranking,
            _TOPICS,
            alpha=HALF,
            k=k,
        )
        dcg = _discounted(working["alpha-DCG"]["gain"])
        ideal = _discounted(working["ideal alpha-DCG"]["gain"])
        printed: Any
        right: Any
        if which == "CG":
            printed = sum(_gains(ranking, _TOPICS, HALF)[:k])
            right = ir.alpha_dcg(
                ranking,
                _TOPICS,
                k=k,
                alpha=HALF,
                discount="none",
            )
        elif which == "DCG":
            printed = dcg
            right = ir.alpha_dcg(
                ranking,
                _TOPICS,
                k=k,
                alpha=HALF,
            )
        else:
            printed = dcg / ideal
            right = ir.alpha_ndcg(
                ranking,
                _TOPICS,
                k=k,
                alpha=HALF,
            )
        yield printed, right, f"{which}@{k} of {', '.join(ranking)}"


def _discounted(gains: Iterable[Any]) -> float:
    """The sum of the gains, each over the logarithm of its rank and 1."""
    return sum(float(gain) / math.log2(1 + rank) for rank, gain in enumerate(gains, 1))


@compared
def gain_of_single_topics() -> Compared:
    """(1 - alpha)^c with one topic a document, c documents above having the same, alpha = 1/2."""
    for order in sorted(set(permutations("aabb"))):
        names = [f"d{k}" for k in range(len(order))]
        gains = _gains(names, _one_each(names, order), HALF)
        for k, topic in enumerate(order):
            c = order[:k].count(topic)
            place = f"rank {k + 1} of topics {', '.join(order)}"
            yield (1 - HALF) ** c, gains[k], place


@compared
def binary_relevance() -> Compared:
    """With alpha = 0 and a single nugget: 1 for a relevant document, 0 for another."""
    names = ["d1", "d2", "d3"]
    for relevant in product((0, 1), repeat=3):
        nuggets: dict[str, set[str]] = {}
        for document, grade in zip(names, relevant, strict=True):
            nuggets[document] = {"n"} if grade else set()
        gains = _gains(names, nuggets, 0)
        for document, grade, gain in zip(names, relevant, gains, strict=True):
            yield grade, gain, f"{document} of relevance {relevant}"


@compared
def ideal_order(
    printed: str,
    ranking: Sequence[str],
    nuggets: Any,
) -> Compared:
    """The order as printed, "a-e-g", and the greedy one; of documents equally good the first."""
    order = printed.split("-")
    left = list(ranking)
    best: list[str] = []
    while left:
        gains = [_gains([*best, document], nuggets, HALF)[-1] for document in left]
        greatest = gains.index(max(gains))
        best.append(left.pop(greatest))
    for k, document in enumerate(order, 1):
        yield document, best[k - 1], f"rank {k}"
