"""AUC with ties taken otherwise, joined P-R curves, and lists of items, over all small inputs."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu import evaluate, parse
from irmetrics_edu.diagnosis.invented import _so_far
from irmetrics_edu.diagnosis.mistakes import MISTAKES
from irmetrics_edu.metrics.notation import Measure

CASES = [
    (grades, scores)
    for n in (2, 3, 4)
    for grades in itertools.product((0, 1), repeat=n)
    if len({*grades}) == 2
    for scores in itertools.product((0.25, 0.5, 1.0), repeat=n)
    if scores[0] <= scores[-1]
]
CASES = [*CASES[:12], *CASES[12::3]]  # all of two documents, and a third of the others


def auc_of(grades, scores, tie):
    """The share of pairs in the right order, where a tie is worth what is said."""
    ranked = [*zip(grades, scores, strict=True)]
    pairs = [(s, t) for (g, s), (h, t) in itertools.product(ranked, repeat=2) if g > h]
    return sum(1.0 if s > t else tie * (s == t) for s, t in pairs) / len(pairs)


def area_of(grades, scores):
    """The area below the points of recall and precision, joined from precision 1 on."""
    relevant = sum(grades)
    area, before, found, seen = 0.0, 1.0, 0, 0
    for score in sorted({*scores}, reverse=True):
        here = [grade for grade, one in zip(grades, scores, strict=True) if one == score]
        found, seen = found + sum(here), seen + len(here)
        precision = found / seen
        area += sum(here) / relevant * (before + precision) / 2
        before = precision
    return area


@pytest.mark.parametrize(
    ("label", "name", "loop"),
    [
        ("auc-ties-lost", "AUC", lambda g, s: auc_of(g, s, 0)),
        ("auc-ties-won", "AUC", lambda g, s: auc_of(g, s, 1)),
        ("auc-turned-round", "AUC", lambda g, s: 1 - auc_of(g, s, 0.5)),
        ("pr-auc-by-trapezoids", "PR-AUC", area_of),
    ],
)
@pytest.mark.parametrize("part", range(6))
def test_a_wrong_area_is_what_a_loop_says(label, name, loop, part):
    """Of one pair and of many, tied in each way."""
    wrong = MISTAKES[label].wrong(name)
    for grades, scores in CASES[part::6]:
        found = wrong([*grades], [*scores])
        assert found == pytest.approx(loop(grades, scores)), (grades, scores)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_gini_over_one_less_is_1_where_one_category_has_all(n):
    """Of one category alone it is 0."""
    counts = {f"c{i}": 4 * (i == 0) for i in range(n)}
    found = MISTAKES["gini-over-n-minus-1"].wrong("Gini")(counts)
    assert found == pytest.approx(float(n > 1))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_distances_over_other_numbers_of_pairs(n):
    """All items are 1 apart, but for the first two: the mean is 1 - 1/pairs."""
    items = [f"i{i}" for i in range(n)]
    apart = dict.fromkeys(itertools.combinations(items, 2), 1.0)
    apart["i0", "i1"] = 0.0
    pairs = math.comb(n, 2)
    expected = {
        "ild-over-n-squared": 2 * (pairs - 1) / n**2,
        "ild-pairs-counted-once": (pairs - 1) / (n * (n - 1)),
        "ild-over-items": (pairs - 1) / n,
        "ild-of-similarity": 1 / pairs,
    }
    for label, value in expected.items():
        found = MISTAKES[label].wrong("ILAD")(items, apart, distance="given")
        assert found == pytest.approx(value)
    for effective in ({"i0"}, {"i0", "i1"}, {"i1", items[-1]}, {"x"}):
        weights = [
            distance * (1.0 if {a, b} <= effective else 0.1) for (a, b), distance in apart.items()
        ]
        wrong = MISTAKES["dilad-beta-once"].wrong("DILAD")
        found = wrong(items, effective, apart, beta=0.1, distance="given")
        assert found == pytest.approx(sum(weights) / pairs)


@pytest.mark.parametrize("k", [None, 1, 2])
def test_coverage_with_wrong_hits_is_what_a_loop_says(k):
    """Over four categories, of which a hit, another item and a missed one have some."""
    has = {"a": {"r", "s"}, "b": {"r", "t"}, "c": {"t"}, "d": {"u"}}
    for ranking in itertools.permutations("abc"):
        for relevant in ({"a"}, {"b", "d"}, {"c", "a"}, {"d"}):
            top = ranking[:k]
            covered = set().union(*(has[item] for item in top))
            wanted = covered & set().union(*(has[item] for item in relevant))
            found = MISTAKES["dcc-hits-by-category"].wrong("DCC")(
                [*ranking], relevant, has, alpha=0.3, k=k
            )
            assert found == pytest.approx((len(wanted) + 0.3 * len(covered - wanted)) / 4)
            hits = set().union(*(has[item] for item in top if item in relevant))
            others = set().union(*(has[item] for item in top if item not in relevant))
            found = MISTAKES["dcc-alpha-on-the-effective"].wrong("DCC")(
                [*ranking], relevant, has, alpha=0.3, k=k
            )
            assert found == pytest.approx((len(others) + 0.3 * len(hits)) / len({*"rstu"}))


def test_wrong_areas_of_many_queries_are_those_of_each():
    """One without a relevant document, or without any other, has no pair and keeps its score."""
    chosen = [("AUC", "auc-ties-lost"), ("AUC", "auc-ties-won"), ("AUC", "auc-turned-round"),
              ("PR-AUC", "pr-auc-by-trapezoids")]  # fmt: skip
    cases = [*CASES[::23], ((1, 1), (0.5, 0.5)), ((0, 0), (0.5, 0.25)), *CASES[5::29]]
    run, qrels = {}, {}
    for number, (grades, scores) in enumerate(cases):
        run[f"q{number}"] = {f"d{i}": score for i, score in enumerate(scores)}
        qrels[f"q{number}"] = {f"d{i}": grade for i, grade in enumerate(grades)}
    for name, label in chosen:
        right = parse(f"{name}(undefined=half)" if name == "AUC" else name)
        [expected] = evaluate(run, qrels, [Measure("right", right)]).per_query.values()
        [found] = evaluate(
            run, qrels, [Measure("wrong", MISTAKES[label].instead_of(right))]
        ).per_query.values()
        loops = {
            "auc-ties-lost": lambda g, s: auc_of(g, s, 0),
            "auc-ties-won": lambda g, s: auc_of(g, s, 1),
            "auc-turned-round": lambda g, s: 1 - auc_of(g, s, 0.5),
            "pr-auc-by-trapezoids": area_of,
        }
        for number, (grades, scores) in enumerate(cases):
            query = f"q{number}"
            pairless = sum(grades) == 0 or (name == "AUC" and sum(grades) == len(grades))
            value = expected[query] if pairless else loops[label](grades, scores)
            assert found[query] == pytest.approx(value), (label, query)


@pytest.mark.parametrize("hits", [[[1, 0, 1], [1, 1], [0], [1]], [[0, 1]], [[1], [0, 0, 1]]])
def test_hits_are_counted_within_their_query(hits):
    """Down to each rank, as AP counts them."""
    query = np.array([q for q, of_query in enumerate(hits) for _ in of_query])
    hit = np.array([float(one) for of_query in hits for one in of_query])
    rows = SimpleNamespace(
        query=query, total=lambda held: np.bincount(query, weights=held, minlength=len(hits))
    )
    expected = [sum(of_query[: i + 1]) for of_query in hits for i in range(len(of_query))]
    assert _so_far(rows, hit).tolist() == expected
