"""Chapters 1 to 13."""

import functools
from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import isclose, log2
from statistics import mean
from typing import Any

import numpy as np

from irmetrics_edu import (
    bpref,
    break_even,
    evaluate,
    ilad,
    ilmd,
    mean_average_precision,
    pr_auc,
    pr_curve,
    r_precision,
    recall,
    roc_auc,
)
from irmetrics_edu.lab import (
    adarank,
    listnet,
    made_queries,
    pair_losses,
    pointwise_regression,
    ranking_svm,
    study_diversity,
    swamped_queries,
)
from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
from irmetrics_edu.lab.study.rankers import Settings
from tests.lessons.claims import Claim, Lesson, Rule, names_of

# -- chapter 1: pools, and means of two numbers


def small_worlds() -> Iterator[tuple[Any, ...]]:
    """What is relevant among four documents, the rankings of two systems, a depth and a cut."""
    documents = "abcd"
    for size in (1, 2, 3):
        for relevant in combinations(documents, size):
            for ranking in permutations(documents, 3):
                for depth, k in ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3)):
                    yield set(relevant), (list(documents), list(ranking)), depth, k


def pooled(relevant: set[str], runs: tuple[list[str], ...], depth: int) -> dict[str, int]:
    """The judgments of a pool."""
    return {d: int(d in relevant) for run in runs for d in run[:depth]}


def recall_is_no_lower(world: tuple[Any, ...]) -> bool:
    """Down to the depth of the pool, recall of each contributor is at least the true one."""
    relevant, runs, depth, k = world
    known = pooled(relevant, runs, depth)
    if k > depth or not any(known.values()):
        return True
    return all(recall(run, known, k=k) >= recall(run, relevant, k=k) - 1e-12 for run in runs)


def found_on_both_sides(_: None) -> bool:
    """Below the depth of the pool, and for others, recall is too low in some worlds, else high."""
    signs: dict[str, set[int]] = {"below": set(), "other": set()}
    for relevant, runs, depth, k in small_worlds():
        cases = {"other": (runs[:1], runs[1])}
        if k > depth:
            cases["below"] = (runs, runs[1])
        for name, (contributed, measured) in cases.items():
            known = pooled(relevant, contributed, depth)
            if any(known.values()):
                off = recall(measured, known, k=k) - recall(measured, relevant, k=k)
                signs[name].add(int(np.sign(round(off, 9))))
    return all({-1, 1} <= found for found in signs.values())


SHARES = [i / 12 for i in range(1, 13)]


def pairs_of_shares() -> Iterator[tuple[float, float]]:
    """Two different shares."""
    return permutations(SHARES, 2)


def f1(p: float, r: float) -> float:
    """The harmonic mean, written out."""
    return 2 * p * r / (p + r)


def raising_the_smaller_is_best(pair: tuple[float, float]) -> bool:
    """A twelfth more of the smaller raises F1 more than a twelfth more of the larger."""
    low, high = sorted(pair)
    return high + 1 / 12 > 1 or f1(low + 1 / 12, high) > f1(low, high + 1 / 12)


# -- chapter 3: curves


def rankings() -> Iterator[list[int]]:
    """All rankings of two to seven documents with at least one of each kind."""
    for length in range(2, 8):
        for ranking in product((0, 1), repeat=length):
            if 0 < sum(ranking) < length:
                yield list(ranking)


def precision_moves_as_told(ranking: list[int]) -> bool:
    """Up with a relevant document unless it is 1, down with another unless it is 0."""
    before = None
    for relevant, precision in zip(ranking, pr_curve(ranking)["precision"], strict=True):
        if before is not None:
            edge = 1 if relevant else 0
            moved = precision > before if relevant else precision < before
            if not (moved or (before == precision == edge)):
                return False
        before = precision
    return True


def break_even_is_r_precision(ranking: list[int]) -> bool:
    """As told without ties; and as the code of the chapter computes it."""
    number = sum(ranking)
    by_hand = np.cumsum(ranking)[number - 1] / number
    return isclose(break_even(ranking), by_hand) and isclose(r_precision(ranking), by_hand)


def easy_documents_flatter(ranking: list[int]) -> bool:
    """With documents below all others AUC rises, unless it is 1, and PR-AUC stays."""
    longer = ranking + [0] * 3
    rises = roc_auc(longer) > roc_auc(ranking) or roc_auc(ranking) == 1
    return rises and isclose(pr_auc(longer), pr_auc(ranking))


def copies_leave_auc(ranking: list[int]) -> bool:
    """Copies of the documents that are not relevant, with their scores, leave AUC."""
    scores = [float(-i) for i in range(len(ranking))]
    grades, copied = [], []
    for grade, score in zip(ranking, scores, strict=True):
        times = 1 if grade else 3
        grades += [grade] * times
        copied += [score] * times
    falls = pr_auc(grades, copied) <= pr_auc(ranking, scores) + 1e-12
    return falls and isclose(roc_auc(grades, copied), roc_auc(ranking, scores))


# -- chapter 6: power


@functools.cache
def compared() -> dict[str, Any]:
    """The names of chapter 6."""
    return names_of("06", stop="SIZES = (10")


def power(n: int, seed: int) -> float:
    """The share of 40 other collections in which the test finds the difference."""
    names = compared()
    found = [
        bool(names["p_value"](names["drawn_anew"](n, 1000 + 40 * seed + i), seed) < 0.05)
        for i in range(40)
    ]
    return sum(found) / len(found)


# -- chapter 8: worlds and samples


@functools.cache
def unjudged() -> dict[str, Any]:
    """The names of chapter 8, up to the samples."""
    return names_of("08", stop="lines = {name: []", without="WORLDS = [")


@functools.cache
def world(seed: int) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """MAP of the five systems of a world: by the truth, by the pool of four; and bpref of it."""
    names = unjudged()
    systems = names["made_world"](seed)
    qrels = names["judge"](20, {name: run for name, run in systems.items() if name != "new"})
    truth = {name: mean_average_precision(run, names["TRUTH"]) for name, run in systems.items()}
    by_pool = {name: mean_average_precision(run, qrels) for name, run in systems.items()}
    pairs = {n: names["over_queries"](bpref, run, qrels) for n, run in systems.items()}
    return truth, by_pool, pairs


def place(of: dict[str, float]) -> int:
    """The place of the new system."""
    return sorted(of, key=lambda name: -of[name]).index("new") + 1


def order_of_four_is_right(seed: int) -> bool:
    """All four too high, and in the order of the truth."""
    truth, by_pool, _ = world(seed)
    four = sorted(set(truth) - {"new"}, key=lambda name: -truth[name])
    kept = sorted(four, key=lambda name: -by_pool[name]) == four
    return kept and all(by_pool[name] > truth[name] for name in four)


@functools.cache
def estimate(share: float, seed: int) -> float:
    """InfAP of system A from five other samples of each seed: their mean, as a share of AP."""
    names = unjudged()
    run = names["POOLED"]["A"]
    full = names["over_queries"](names["average_precision"], run, names["DEEP"])
    found = [
        evaluate(run, names["sampled"](share, 1000 + 30 * seed + i), "infAP").mean["infAP"]
        for i in range(5)
    ]
    return mean(found) / full


# -- chapter 9: ideals and covers


def spiders() -> Iterator[int]:
    """The number of arms of a spider graph."""
    return iter(range(2, 5))


def undiscounted_ideals_are_covers(arms: int) -> bool:
    """Without a discount, k documents gain all edges exactly if they are a cover."""
    edges = [("c", i) for i in range(arms)] + [(i, f"x{i}") for i in range(arms)]
    vertices = sorted({v for edge in edges for v in edge}, key=str)
    for k in range(1, arms + 2):
        for chosen in combinations(vertices, k):
            gained = len({edge for edge in edges if set(edge) & set(chosen)})
            covers = all(set(edge) & set(chosen) for edge in edges)
            if (gained == len(edges)) != covers:
                return False
    return True


def discounted_ideal_is_no_cover(_: None) -> bool:
    """Of the spider with four arms, by all orders of four vertices."""
    edges = [("c", i) for i in range(1, 5)] + [(i, f"x{i}") for i in range(1, 5)]

    def worth(order: tuple[Any, ...]) -> float:
        seen: set[Any] = set()
        total = 0.0
        for rank, vertex in enumerate(order, 1):
            new = {edge for edge in edges if vertex in edge} - seen
            seen |= new
            total += len(new) / log2(rank + 1)
        return total

    best = max(permutations(["c", 1, 2, 3, 4, "x1", "x2", "x3", "x4"], 4), key=worth)
    return best[0] == "c" and worth(best) > worth((1, 2, 3, 4))


# -- chapter 11: recommenders

USUAL, TUNED = ("CC", "ILAD", "ILMD"), ("DCC", "FDCC", "DILAD")


@functools.cache
def study(seed: int) -> Any:
    """The study of the chapter on another catalogue."""
    data = catalogue(users=300, items=2000, categories=30, seed=seed)
    settings = Settings(cutoffs=(10,), pool=50, epochs=40)
    return study_diversity(data, settings, progress=False)


def first_by(seed: int, metric: str) -> str:
    """The recommender with the highest mean."""
    of = study(seed)
    return max(of.lists, key=lambda ranker: of.mean(ranker, metric, 10))


def gains_less_without_a_hit(ranker: str, seed: int) -> bool:
    """The mean gain in ILAD of a user without a hit is below that of a user with a hit."""
    of = study(seed)
    gain, hit = of.gain(ranker, "ILAD", 10), of.positive(ranker, 10)
    return bool(gain[~hit].mean() < gain[hit].mean())


def random_is_behind(seed: int) -> bool:
    """Random scores below LightGCN by DCC and FDCC."""
    of = study(seed)
    return all(of.mean("Random", m, 10) < of.mean("LightGCN", m, 10) for m in ("DCC", "FDCC"))


def gain_is_of_the_many(seed: int) -> bool:
    """Users without a hit have at least four fifths of the gain in ILAD."""
    of = study(seed)
    for ranker in ("MMR", "DPP", "DGRec"):
        gain = of.gain(ranker, "ILAD", 10)
        without = gain[~of.positive(ranker, 10)].sum()
        if without < 0.8 * gain.sum():
            return False
    return True


def random_list_scores_well(_: None) -> bool:
    """In the shop of the chapter, a mixed list has more than the mean of all lists of four."""
    names = names_of("11", stop="SHORT, ALPHA")
    vectors = names["VECTORS"]
    lists = [list(chosen) for chosen in combinations(vectors, 4)]
    return all(
        mean(m(one, vectors) for one in lists) < m(names["LISTS"]["mixed"], vectors)
        for m in (ilad, ilmd)
    )


# -- chapter 12: learners


@functools.cache
def contest(seed: int) -> dict[str, float]:
    """nDCG@5 of four learners on another draw of the data."""
    data = made_queries(120, 20, 5, noise=0.3, seed=seed).normalised()
    learn, test = data.split(0.5, seed=0)
    rankers = {
        "regression": pointwise_regression(learn),
        "ListNet": listnet(learn),
        "AdaRank": adarank(learn, "nDCG@5"),
        "AdaRank, each once": adarank(learn, "nDCG@5", reuse="never"),
    }
    return {
        name: evaluate(ranker.run(test), test.qrels, "nDCG@5").mean["nDCG@5"]
        for name, ranker in rankers.items()
    }


def takes_one_feature(seed: int) -> bool:
    """AdaRank gives a weight to x1 alone."""
    data = made_queries(120, 20, 5, noise=0.3, seed=seed).normalised()
    learn, _ = data.split(0.5, seed=0)
    return [name for name, weight in adarank(learn, "nDCG@5").weight_of.items() if weight] == ["x1"]


@functools.cache
def shares_of_pairs(n_long: int, seed: int) -> dict[str, float]:
    """The mean share of right pairs of a query, by either weight of the pairs."""
    data = swamped_queries(n_long, seed=seed)
    means = {}
    for weight in ("equal", "by_query"):
        ranker = ranking_svm(data, pairs=weight)
        _, wrong = pair_losses(data, ranker.score(data.features))
        means[weight] = 1 - wrong
    return means


def turns_round(seed: int) -> bool:
    """With equal pairs the short queries are served beside 20 documents, and not beside 40."""
    served = shares_of_pairs(20, seed)["equal"] > 0.7
    return served and shares_of_pairs(40, seed)["equal"] < 0.2


# -- chapter 13: broken topics


@functools.cache
def suite() -> dict[str, Any]:
    """The names of chapter 13."""
    return names_of("13", stop="numbers = [", without="shop")


def sound_topics() -> Iterator[str]:
    """The topics that are not broken before."""
    return (topic for topic in suite()["SCORES"] if topic != "q008")


def one() -> Iterator[None]:
    """One input, for a rule about a single example."""
    yield None


CLAIMS: list[Claim] = [
    Rule(
        "01",
        "Down to the depth of the pool, recall is at least the true one for the systems that "
        "contributed",
        "all small worlds of four documents",
        small_worlds,
        recall_is_no_lower,
    ),
    Rule(
        "01",
        "Below that depth, and for other systems, recall may come out too low or too high.",
        "all small worlds of four documents, together",
        one,
        found_on_both_sides,
    ),
    Rule(
        "01",
        "The harmonic mean of two different numbers is always below the arithmetic mean.",
        "all pairs of twelfths",
        pairs_of_shares,
        lambda pair: f1(*pair) < sum(pair) / 2,
    ),
    Rule(
        "01",
        "If you can repair an engine, F1 rises most if you raise the smaller one.",
        "all pairs of twelfths",
        pairs_of_shares,
        raising_the_smaller_is_best,
    ),
    Rule(
        "01",
        "The harmonic mean stays near the smaller of the two numbers.",
        "all pairs of twelfths: at most twice the smaller",
        pairs_of_shares,
        lambda pair: f1(*pair) < 2 * min(pair),
    ),
    Rule(
        "03",
        "Precision goes up with each relevant document that enters, unless it is 1 already. It "
        "goes down with each non-relevant one, unless it is 0 already.",
        "all rankings of up to seven documents",
        rankings,
        precision_moves_as_told,
    ),
    Rule(
        "03",
        "So without ties the break-even point is the R-precision.",
        "all rankings of up to seven documents",
        rankings,
        break_even_is_r_precision,
    ),
    Rule(
        "03",
        "If the new documents are easy, AUC rises unless it is 1, and the P-R curve stays.",
        "all rankings of up to seven documents, with three more below",
        rankings,
        easy_documents_flatter,
    ),
    Rule(
        "03",
        "the ROC curve stays.",
        "all rankings of up to seven documents, each that is not relevant three times",
        rankings,
        copies_leave_auc,
    ),
    Lesson(
        "06",
        "Fifty queries find the difference in about two thirds of the collections, and ten queries "
        "in about a fifth.",
        "the collection, 40 times a seed",
        lambda seed: 0.45 <= power(50, seed) <= 0.85 and power(10, seed) <= 0.4,
    ),
    Lesson(
        "06",
        "Of fifty queries the new system loses ",
        "the collection: with fifty queries the new system wins more queries than it loses",
        lambda seed: (compared()["drawn_anew"](50, seed) > 0).sum() > 25,
    ),
    Lesson(
        "08",
        "All four are too high, since R is too small, but their order is right.",
        "the world: scores of five systems",
        order_of_four_is_right,
    ),
    Lesson(
        "08",
        "So the fall is no accident.",
        "the world: scores of five systems",
        lambda seed: place(world(seed)[1]) > place(world(seed)[0]),
    ),
    Lesson(
        "08",
        "With a condensed list or bpref it comes first, ahead of A.",
        "the world: scores of five systems",
        lambda seed: place(world(seed)[2]) == 1,
    ),
    Lesson(
        "08",
        "infAP stays close in the mean, down to a share of 0.4.",
        "the sample of the judgments, five times a seed",
        lambda seed: abs(estimate(0.4, seed) - 1) < 0.1 and estimate(0.2, seed) < 0.96,
    ),
    Lesson(
        "08",
        "here it does well with 0.4 of the pool.",
        "the sample of the judgments, five times a seed",
        lambda seed: abs(estimate(0.4, seed) - 1) < 0.1,
    ),
    Rule(
        "09",
        "They show all nuggets exactly if they are a vertex cover.",
        "spiders with two to four arms, all sets of vertices",
        spiders,
        undiscounted_ideals_are_covers,
    ),
    Rule(
        "09",
        "With the discount the argument fails: an ideal need not be a cover.",
        "all orders of four vertices of the spider with four arms",
        one,
        discounted_ideal_is_no_cover,
    ),
    Rule(
        "11",
        "Lists drawn at random score well.",
        "all lists of four of the shop: their mean is below the mixed list",
        one,
        random_list_scores_well,
    ),
    Lesson(
        "11",
        "By the usual measures none of the six is as diverse as lists drawn at random.",
        "the catalogue",
        lambda seed: all(first_by(seed, metric) == "Random" for metric in USUAL),
    ),
    Lesson(
        "11",
        "In 30 catalogues drawn in the same way, MMR is first by all three measures in 5.",
        "the catalogue",
        lambda seed: all(first_by(seed, metric) == "MMR" for metric in TUNED),
        told=5,
    ),
    *(
        Lesson(
            "11",
            sentence,
            "the catalogue",
            functools.partial(gains_less_without_a_hit, ranker),
            told=told,
        )
        for ranker, told, sentence in (
            ("MMR", 16, "gains less in 16 with MMR"),
            ("DPP", 21, "in 21 with DPP"),
            ("DGRec", 14, "and in 14 with DGRec"),
        )
    ),
    Lesson(
        "11",
        "Random is below LightGCN by DCC and FDCC in all 30.",
        "the catalogue",
        random_is_behind,
        told=30,
    ),
    Lesson(
        "11",
        "nearly all users have no hit, so nearly all of the gain in ILAD is theirs.",
        "the catalogue",
        gain_is_of_the_many,
    ),
    Lesson(
        "12",
        "Between 20 and 40 the learner with equal pairs turns round",
        "the features of 21 queries",
        turns_round,
    ),
    Lesson(
        "12",
        "With equal queries it serves the short ones.",
        "the features of 21 queries",
        lambda seed: shares_of_pairs(40, seed)["by_query"] > 0.9,
    ),
    Lesson(
        "12",
        "Over 30 draws of the data, ListNet is ahead of regression in 17.",
        "the queries and their features",
        lambda seed: contest(seed)["ListNet"] > contest(seed)["regression"],
        told=17,
    ),
    Lesson(
        "12",
        "AdaRank is behind in every draw.",
        "the queries and their features",
        lambda seed: contest(seed)["AdaRank"] == min(contest(seed).values()),
        told=30,
    ),
    Lesson(
        "12",
        "AdaRank adds one feature at a time, and it took x1 in every round.",
        "the queries and their features",
        takes_one_feature,
        told=30,
    ),
    Lesson(
        "12",
        "If it takes each feature once, it does better in every draw.",
        "the queries and their features",
        lambda seed: contest(seed)["AdaRank, each once"] > contest(seed)["AdaRank"],
        told=30,
    ),
    Lesson(
        "12",
        "Over 30 draws it is still behind regression in 28.",
        "the queries and their features",
        lambda seed: contest(seed)["AdaRank, each once"] < contest(seed)["regression"],
        told=28,
    ),
    Rule(
        "13",
        "The test of each topic fails at the first broken one.",
        "each topic but q008: it meets the bound as long as it isn't broken",
        sound_topics,
        lambda topic: suite()["SCORES"][topic] >= 0.1,
    ),
]
