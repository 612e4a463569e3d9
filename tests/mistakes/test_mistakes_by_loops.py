"""What mistakes of rankings give, by plain loops over drawn rankings, many queries at once."""

import math
import random

import numpy as np
import pytest

from irmetrics_edu import evaluate, parse
from irmetrics_edu.diagnosis.mistakes import MISTAKES
from irmetrics_edu.diagnosis.mistakes.ap_mistakes import _harmonic
from irmetrics_edu.diagnosis.mistakes.diversity_mistakes import number_of_interactions
from irmetrics_edu.metrics.notation import Measure
from tests.tables import rows as each_row


def drawn(seed, queries=7):
    """Rankings of three to six documents with their judgments: some unjudged, some missed."""
    chance = random.Random(seed)
    run, qrels = {}, {}
    for number in range(queries):
        ids = chance.sample("abcdefgh", chance.randint(3, 6))
        judged = {d: chance.choice([0, 0, 1, 2, 3]) for d in ids if chance.random() < 0.8}
        judged |= {f"x{i}": chance.choice([0, 1, 2]) for i in range(chance.randint(0, 2))}
        judged.setdefault(ids[0], 1)
        run[f"q{number}"] = ids
        qrels[f"q{number}"] = judged
    return run, qrels


class Ranked:
    """One ranking, cut: its grades, the ranks of its hits, and R."""

    def __init__(self, ranking, judged, k):
        self.whole, self.judged, self.k = ranking, judged, k
        self.cut = ranking[:k]
        self.grades = [judged.get(document, 0) for document in self.cut]
        self.hits = [rank for rank, grade in enumerate(self.grades, 1) if grade > 0]
        self.relevant = sum(grade > 0 for grade in judged.values())
        self.depth = len(self.cut)

    def precisions(self, shift=0, above=0):
        """The precision at each hit, with ranks or hits that are off."""
        return [(n + above) / (rank + shift) for n, rank in enumerate(self.hits, 1)]

    def over(self, value, divisor):
        """A quotient, 0 where nothing is divided by."""
        return value / divisor if divisor else 0.0

    def trapezoids(self, start):
        """The area of straight lines; `start` is the precision before the first rank, or None."""
        whole = 0.0
        for n, rank in enumerate(self.hits, 1):
            before = (n - 1) / (rank - 1) if rank > 1 else start
            if before is not None:
                whole += (before + n / rank) / 2
        return self.over(whole, self.relevant)

    def again(self, ranking):
        """The same judgments for another ranking."""
        return Ranked(ranking, self.judged, self.k)

    def scored(self, name):
        """The right measure."""
        if name == "AP":
            return self.over(sum(self.precisions()), self.relevant)
        if name == "RR":
            return 1 / self.hits[0] if self.hits else 0.0
        if name == "P":
            return self.over(len(self.hits), self.k or len(self.whole))
        if name == "R":
            return self.over(len(self.hits), self.relevant)
        gains = sum(g / math.log2(rank + 1) for rank, g in enumerate(self.grades, 1))
        if name == "DCG":
            return gains
        best = sorted(self.judged.values(), reverse=True)[: self.k]
        return self.over(gains, sum(g / math.log2(rank + 1) for rank, g in enumerate(best, 1)))


def last(one):
    """The precision at the last hit."""
    return one.precisions()[-1] if one.hits else 0.0


OF_ONE = {
    ("ap-over-the-hits", "AP"): [lambda r: r.over(sum(r.precisions()), len(r.hits))],
    ("ap-at-every-rank", "AP"): [
        lambda r: sum(sum(h <= i for h in r.hits) / i for i in range(1, r.depth + 1)) / r.depth
    ],
    ("ap-not-divided", "AP"): [lambda r: sum(r.precisions())],
    ("ap-without-the-document", "AP"): [lambda r: r.over(sum(r.precisions(above=-1)), r.relevant)],
    ("ap-ranks-one-too-high", "AP"): [lambda r: r.over(sum(r.precisions(1)), r.relevant)],
    ("ap-by-trapezoids", "AP"): [
        lambda r: r.trapezoids(1.0),
        lambda r: r.trapezoids(0.0),
        lambda r: r.trapezoids(None),
    ],
    ("ap-of-the-last", "AP"): [last, lambda r: r.over(last(r), r.relevant)],
    ("rr-of-the-last", "RR"): [lambda r: 1 / r.hits[-1] if r.hits else 0.0],
    ("rr-counted-from-0", "RR"): [
        lambda r: (1 / (r.hits[0] - 1) if r.hits[0] > 1 else math.inf) if r.hits else 0.0
    ],
    ("rr-one-too-low", "RR"): [lambda r: 1 / (r.hits[0] + 1) if r.hits else 0.0],
    ("rr-of-every-hit", "RR"): [lambda r: sum(1 / h for h in r.hits)],
    ("rr-averaged-over-the-hits", "RR"): [
        lambda r: r.over(sum(1 / h for h in r.hits), len(r.hits))
    ],
    ("p-over-r", "P"): [lambda r: r.over(len(r.hits), r.relevant)],
    ("r-of-the-retrieved", "R"): [
        lambda r: r.over(len(r.hits), sum(r.judged.get(d, 0) > 0 for d in r.whole))
    ],
}
for _name in ("AP", "RR", "P", "R", "DCG", "nDCG"):
    OF_ONE["ranking-reversed", _name] = [lambda r, n=_name: r.again(r.whole[::-1]).scored(n)]
    OF_ONE["first-document-dropped", _name] = [lambda r, n=_name: r.again(r.whole[1:]).scored(n)]


def per_query(wrong, run, qrels):
    """The scores of all queries at once."""
    [scores] = evaluate(run, qrels, [Measure("wrong", wrong)]).per_query.values()
    return scores


@pytest.mark.parametrize(("label", "name"), OF_ONE, ids=lambda v: v)
def test_a_mistake_of_a_ranking_is_what_a_loop_says(label, name):
    """In each of its forms, of many queries at once."""
    for seed in range(3):
        run, qrels = drawn(seed)
        for k in (None, 1, 3):
            right = parse(name) if k is None else parse(name) @ k
            forms = [*MISTAKES[label].all_instead_of(right)]
            for wrong, loop in zip(forms, OF_ONE[label, name], strict=True):
                expected = {q: loop(Ranked(run[q], qrels[q], k)) for q in run}
                with np.errstate(all="ignore"):
                    found = per_query(wrong, run, qrels)
                assert found == pytest.approx(expected), (seed, k)


@pytest.mark.parametrize("name", ["AP", "RR", "P", "R", "DCG", "nDCG"])
@pytest.mark.parametrize(
    ("label", "more"), [("cut-off-one-too-low", -1), ("cut-off-one-too-high", 1)]
)
def test_a_cut_off_may_be_one_off(label, name, more):
    """By the right measure at that one; below 1 there is none."""
    run, qrels = drawn(4)
    for k in (None, 1, 2, 3):
        right = parse(name) if k is None else parse(name) @ k
        wrong = MISTAKES[label].instead_of(right)
        if k == 1 and more < 0:
            with pytest.raises(ValueError, match="k=1: there is no cut-off one lower"):
                wrong(run["q0"], qrels["q0"])
            continue
        cut = None if k is None else k + more
        expected = {q: Ranked(run[q], qrels[q], cut).scored(name) for q in run}
        assert per_query(wrong, run, qrels) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["AP", "DCG", "nDCG"])
def test_a_scale_is_turned_round_between_the_ends_of_all_judgments(name):
    """What nobody judged stays so."""
    for seed in range(4):
        run, qrels = drawn(seed)
        grades = [grade for judged in qrels.values() for grade in judged.values()]
        ends = max(grades) + min(grades)
        turned = {q: {d: ends - g for d, g in judged.items()} for q, judged in qrels.items()}
        found = per_query(MISTAKES["grades-turned-round"].instead_of(parse(name)), run, qrels)
        expected = {q: Ranked(run[q], turned[q], None).scored(name) for q in run}
        assert found == pytest.approx(expected)


@pytest.mark.parametrize("name", ["AP", "RR", "P", "R"])
def test_swapped_arguments_rank_the_relevant_documents(name):
    """The best grade first, as they are listed; what was retrieved is relevant."""
    for seed in range(4):
        run, qrels = drawn(seed)
        for k in (None, 2):
            right = parse(name) if k is None else parse(name) @ k
            found = per_query(MISTAKES["arguments-swapped"].instead_of(right), run, qrels)
            expected = {}
            for q, judged in qrels.items():
                listed = sorted((d for d in judged if judged[d] > 0), key=lambda d: -judged[d])
                expected[q] = Ranked(listed, dict.fromkeys(run[q], 1), k).scored(name)
            assert found == pytest.approx(expected)


@each_row(
    ("values", "raw", "without", "added"),
    [
        ([0.5], 0.5, 0.5, 0.50001),
        ([0.5, 0.0], 0.0, 0.5, (0.50001 * 1e-5) ** 0.5),
        ([0.0, 0.0], 0.0, 0.0, 1e-5),
        ([0.2, 0.8], 0.4, 0.4, (0.20001 * 0.80001) ** 0.5),
        ([0.0, 0.2, 0.8], 0.0, 0.4, (1e-5 * 0.20001 * 0.80001) ** (1 / 3)),
    ],
)
def test_wrong_geometric_means_are_what_they_say(values, raw, without, added):
    """Of raw zeros, without them, with something added, and the arithmetic one."""

    def of(label):
        return MISTAKES[label].wrong("geometric_mean")(values)

    assert of("gmap-of-raw-zeros") == pytest.approx(raw)
    assert of("gmap-without-zeros") == pytest.approx(without)
    assert of("gmap-epsilon-added") == pytest.approx(added)
    assert of("gmap-by-the-arithmetic-mean") == pytest.approx(sum(values) / len(values))


@pytest.mark.parametrize("name", ["AP", "RR", "P", "R", "nDCG"])
def test_wrong_means_over_queries_are_given_to_each(name):
    """The mean of those with a hit, and the median; of no hits at all 0."""
    for seed in range(4):
        run, qrels = drawn(seed)
        right = [Ranked(run[q], qrels[q], 2).scored(name) for q in run]
        hits = [score for score in right if score > 0]
        means = {
            "mean-over-queries-with-a-hit": sum(hits) / len(hits),
            "median-for-the-mean": sorted(right)[3],
        }
        for label, value in means.items():
            found = per_query(MISTAKES[label].instead_of(parse(name) @ 2), run, qrels)
            assert found == pytest.approx(dict.fromkeys(run, value))
    without = per_query(
        MISTAKES["mean-over-queries-with-a-hit"].instead_of(parse(name)),
        {"q": ["a"], "r": ["a"]},
        {"q": {"b": 1}, "r": {"b": 1}},
    )
    assert without == {"q": 0.0, "r": 0.0}


@pytest.mark.parametrize("k", [None, 2])
def test_a_ratio_of_means_divides_what_was_added_up(k):
    """Of recall and of nDCG."""
    run, qrels = drawn(5)
    ranked = [Ranked(run[q], qrels[q], k) for q in run]
    best = [Ranked(sorted(r.judged, key=r.judged.get, reverse=True), r.judged, k) for r in ranked]
    expected = {
        "R": sum(len(r.hits) for r in ranked) / sum(r.relevant for r in ranked),
        "nDCG": sum(r.scored("DCG") for r in ranked) / sum(r.scored("DCG") for r in best),
    }
    for name, value in expected.items():
        right = parse(name) if k is None else parse(name) @ k
        found = per_query(MISTAKES["ratio-of-means"].instead_of(right), run, qrels)
        assert found == pytest.approx(dict.fromkeys(run, value))


@each_row("numbers", [[0], [1], [3, 0, 2], [0, 0, 5], []])
def test_harmonic_numbers_are_sums_of_reciprocals(numbers):
    """Up to each of them."""
    expected = [sum(1 / i for i in range(1, n + 1)) for n in numbers]
    assert _harmonic(np.array(numbers, dtype=float)).tolist() == pytest.approx(expected)


@each_row(
    ("counts", "number"),
    [({"a": 2, "b": np.int64(1)}, 3), ({"a": 0}, 0), ({"a": 0.5}, None), ({"a": 1, "b": 0.5}, None),
     ({}, None), (None, None), ([1, 2], None), ({"a": "1"}, None)],
)  # fmt: skip
def test_interactions_are_whole_counts(counts, number):
    """Their sum, or nothing."""
    assert number_of_interactions(counts) == number


def dcg_of(grades, gain=lambda g: g, discount=lambda i: 1 / math.log2(i + 1)):
    """The DCG of grades in ranked order."""
    return sum(gain(g) * discount(i) for i, g in enumerate(grades, 1))


def best_of(one, k):
    """The grades of the ideal."""
    return sorted(one.judged.values(), reverse=True)[:k]


def exp(grade):
    """The exponential gain."""
    return 2**grade - 1


def ndcg_with(one, k, **shape):
    """The nDCG by another gain or discount, above and below the line."""
    return one.over(dcg_of(one.grades, **shape), dcg_of(best_of(one, k), **shape))


OF_GAINS = {
    ("log-of-rank", "nDCG"): lambda r, k: ndcg_with(
        r, k, discount=lambda i: 1 / math.log2(max(i, 2))
    ),
    ("ranks-from-0", "nDCG"): lambda r, k: ndcg_with(
        r, k, discount=lambda i: 1 / math.log2(i) if i > 1 else 0.0
    ),
    ("log-of-rank-plus-2", "nDCG"): lambda r, k: ndcg_with(
        r, k, discount=lambda i: 1 / math.log2(i + 2)
    ),
    ("discount-by-the-root", "nDCG"): lambda r, k: ndcg_with(r, k, discount=lambda i: i**-0.5),
    ("natural-logarithm", "DCG"): lambda r, _: dcg_of(
        r.grades, discount=lambda i: 1 / math.log(i + 1)
    ),
    ("logarithm-to-base-10", "DCG"): lambda r, _: dcg_of(
        r.grades, discount=lambda i: 1 / math.log10(i + 1)
    ),
    ("gain-without-minus-1", "DCG"): lambda r, _: dcg_of(r.grades, gain=lambda g: 2**g),
    ("ideal-of-the-retrieved", "nDCG"): lambda r, k: r.over(
        dcg_of(r.grades),
        dcg_of(sorted((r.judged.get(d, 0) for d in r.whole), reverse=True)[:k]),
    ),
    ("ideal-cut-too-early", "nDCG"): lambda r, _: r.over(
        dcg_of(r.grades), dcg_of(sorted(r.grades, reverse=True))
    ),
    ("ideal-never-cut", "nDCG"): lambda r, _: r.over(dcg_of(r.grades), dcg_of(best_of(r, None))),
    ("ideal-of-ones", "nDCG"): lambda r, k: r.over(
        dcg_of(r.grades), dcg_of([int(g > 0) for g in best_of(r, k)])
    ),
    ("sorted-ascending", "nDCG"): lambda r, k: r.over(
        dcg_of(r.grades), dcg_of(sorted(r.judged.values())[:k])
    ),
    ("sorted-before-the-cut", "nDCG"): lambda r, k: r.over(
        dcg_of(sorted((r.judged.get(d, 0) for d in r.whole), reverse=True)[:k]),
        dcg_of(best_of(r, k)),
    ),
    ("ideal-in-the-order-of-the-judgments", "nDCG"): lambda r, k: r.over(
        dcg_of(r.grades), dcg_of([*r.judged.values()][:k])
    ),
    ("dcg-not-divided", "nDCG"): lambda r, _: dcg_of(r.grades),
    ("exponential-gain-over-a-linear-ideal", "nDCG"): lambda r, k: r.over(
        dcg_of(r.grades, gain=exp), dcg_of(best_of(r, k))
    ),
    ("rbp-one-rank-late", "RBP"): lambda r, _: sum(0.2 * 0.8**h for h in r.hits),
    ("rbp-not-normalised", "RBP"): lambda r, _: sum(0.8 ** (h - 1) for h in r.hits),
    ("err-without-the-stop", "ERR"): lambda r, _: sum(
        exp(g) / 16 / i for i, g in enumerate(r.grades, 1)
    ),
    ("err-of-linear-grades", "ERR"): lambda r, _: err_of(r.grades, lambda g: g / 4),
    ("err-by-the-number-of-grades", "ERR"): lambda r, _: err_of(r.grades, lambda g: exp(g) / 32),
    ("f-without-the-2", "F"): lambda r, k: r.over(len(r.hits), (k or len(r.whole)) + r.relevant),
    ("f-by-the-arithmetic-mean", "F"): lambda r, _: (r.scored("P") + r.scored("R")) / 2,
    ("f-by-the-geometric-mean", "F"): lambda r, _: math.sqrt(r.scored("P") * r.scored("R")),
}


def err_of(grades, stop):
    """The ERR of a reader who stops with these probabilities."""
    left, whole = 1.0, 0.0
    for rank, grade in enumerate(grades, 1):
        whole += left * stop(grade) / rank
        left *= 1 - stop(grade)
    return whole


@pytest.mark.parametrize(("label", "name"), OF_GAINS, ids=lambda v: v)
def test_a_mistake_of_gains_is_what_a_loop_says(label, name):
    """Of many queries at once, cut and uncut; unjudged documents count as grade 0."""
    for seed in range(3):
        run, qrels = drawn(seed)
        for k in (None, 1, 3):
            right = parse(name) if k is None else parse(name) @ k
            loop = OF_GAINS[label, name]
            expected = {q: loop(Ranked(run[q], qrels[q], k), k) for q in run}
            found = per_query(MISTAKES[label].instead_of(right), run, qrels)
            assert found == pytest.approx(expected), (seed, k)
