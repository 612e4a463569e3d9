"""Diagnosing names each mistake by its value, and no mistake where the value is right."""

import math

import numpy as np
import pytest

from irmetrics_edu import diagnose, evaluate
from irmetrics_edu.diagnosis.mistakes import MISTAKES

GRADES = [1, 0, 3, 0, 2, 1]
RANKING = [f"d{i}" for i in range(1, 7)]
JUDGED = {**dict(zip(RANKING, GRADES, strict=True)), "x": 3, "y": 2}
DISCOUNT = [1 / math.log2(i + 1) for i in range(1, 9)]
BEST = sorted(JUDGED.values(), reverse=True)
IDEAL = sum(g * d for g, d in zip(BEST, DISCOUNT, strict=True))
DCG = sum(g * d for g, d in zip(GRADES, DISCOUNT, strict=False))
EXP = sum((2**g - 1) * d for g, d in zip(GRADES, DISCOUNT, strict=False))
R = sum(g > 0 for g in JUDGED.values())
RANKS = [i for i, g in enumerate(GRADES, 1) if g]
AP = sum(n / i for n, i in enumerate(RANKS, 1)) / R
TURNED, DROPPED = GRADES[::-1], GRADES[1:]
ROOT = [1 / math.sqrt(i) for i in range(1, 9)]


def total(grades, discount=DISCOUNT):
    """The discounted sum, in a plain loop."""
    return sum(g * d for g, d in zip(grades, discount, strict=False))


def precision_sum(grades):
    """AP without its divisor."""
    ranks = [i for i, g in enumerate(grades, 1) if g]
    return sum(n / i for n, i in enumerate(ranks, 1))


def stopped(grades):
    """ERR with 2^g / 16 as the probability to stop."""
    reach, score = 1.0, 0.0
    for i, g in enumerate(grades, 1):
        score += reach * 2**g / 16 / i
        reach *= 1 - 2**g / 16
    return score


# Label, measure, the wrong value worked out in plain loops over one ranking.
ONE_RANKING = [
    ("ideal-in-the-order-of-the-judgments", "nDCG", DCG / total(JUDGED.values())),
    ("exponential-gain-over-a-linear-ideal", "nDCG", EXP / IDEAL),
    ("dcg-not-divided", "nDCG", DCG),
    ("discount-by-the-root", "nDCG", total(GRADES, ROOT) / total(BEST, ROOT)),
    ("ranking-reversed", "nDCG", total(TURNED) / IDEAL),
    ("first-document-dropped", "nDCG", total(DROPPED) / IDEAL),
    ("logarithm-to-base-10", "DCG", DCG / math.log10(2)),
    ("discount-by-the-root", "DCG", total(GRADES, ROOT)),
    ("ap-ranks-one-too-high", "AP", sum(n / (i + 1) for n, i in enumerate(RANKS, 1)) / R),
    ("ranking-reversed", "AP", precision_sum(TURNED) / R),
    ("first-document-dropped", "AP", precision_sum(DROPPED) / R),
    # By grade: d3, x, d5, y, d1, d6; of these d3 and d1 are among the three retrieved.
    ("arguments-swapped", "AP", (1 + 2 / 5) / 3),
    ("rr-averaged-over-the-hits", "RR", sum(1 / i for i in RANKS) / len(RANKS)),
    ("ranking-reversed", "RR", 1.0),
    ("f-by-the-geometric-mean", "F@3", math.sqrt(2 / 3 * 2 / R)),
    ("err-without-minus-1", "ERR", stopped(GRADES)),
]
RUN = {"q1": RANKING, "q2": ["y", "d2", "d1"], "q3": ["n", "m"], "q4": ["d4", "d5", "d6", "d3"]}
QRELS = {"q1": JUDGED, "q2": {"d1": 2, "z": 1}, "q3": {"o": 1}, "q4": {"d5": 1, "d3": 3, "p": 1}}


@pytest.mark.parametrize(("label", "name", "value"), ONE_RANKING)
def test_a_mistake_is_named_by_its_value(label, name, value):
    """With nine digits of the wrong value its label is there; with the right value it is not."""
    if label == "ranking-reversed" and name == "RR":
        ranking, judged = ["a", "b", "c"], {"b": 0, "c": 1}
    elif label == "arguments-swapped":
        ranking, judged = ["d2", "d3", "d1"], JUDGED
    else:
        ranking, judged = RANKING, JUDGED
    found = diagnose(name, ranking, judged, value=f"{value:.9f}")
    assert label in [m.mistake.label for m in found.mistakes]
    assert [m.score for m in found.mistakes if m.mistake.label == label] == [pytest.approx(value)]
    right = diagnose(name, ranking, judged, value=f"{found.ours:.9f}")
    assert right.mistakes == [] or label not in [m.mistake.label for m in right.mistakes]
    assert not right.candidates[0].arguments


@pytest.mark.parametrize("name", ["AP", "nDCG", "RR", "P@4", "R@3"])
def test_wrong_means_over_queries_are_named(name):
    """The mean of the queries with a hit, and the median, from the scores of the queries."""
    scores = np.array(list(evaluate(RUN, QRELS, name).per_query[name].values()))
    assert (scores == 0).sum() == 1
    for label, value in (
        ("mean-over-queries-with-a-hit", scores[scores > 0].mean()),
        ("median-for-the-mean", np.median(scores)),
    ):
        found = diagnose(name, RUN, QRELS, value=f"{value:.9f}")
        assert label in [m.mistake.label for m in found.mistakes]
        right = diagnose(name, RUN, QRELS, value=f"{scores.mean():.9f}")
        assert label not in [m.mistake.label for m in right.mistakes]


def test_an_epsilon_that_is_added_is_named():
    """Exp of the mean of log(AP + 0.00001)."""
    scores = np.array(list(evaluate(RUN, QRELS, "AP").per_query["AP"].values()))
    value = math.exp(np.log(scores + 1e-5).mean())
    found = diagnose("GMAP", RUN, QRELS, value=f"{value:.9f}")
    assert "gmap-epsilon-added" in [m.mistake.label for m in found.mistakes]
    right = diagnose("GMAP", RUN, QRELS, value=f"{found.ours:.9f}")
    assert "gmap-epsilon-added" not in [m.mistake.label for m in right.mistakes]


def test_alpha_of_0_is_named():
    """Nuggets A, A, B: at alpha = 0 the second A gains 1 again."""
    nuggets = {"a": {"A"}, "b": {"A"}, "c": {"B"}}
    value = total([1, 1, 1])
    found = diagnose("alpha-DCG", ["a", "b", "c"], nuggets, value=f"{value:.9f}")
    assert "alpha-of-0" in [m.mistake.label for m in found.mistakes]
    right = diagnose("alpha-DCG", ["a", "b", "c"], nuggets, value=f"{found.ours:.9f}")
    assert "alpha-of-0" not in [m.mistake.label for m in right.mistakes]


def test_duplicates_that_count_twice_are_named():
    """a, a, b with a relevant: two hits in three; the convention is named, and what refuses it."""
    found = diagnose("P@3", {"q": ["a", "a", "b"]}, {"q": {"a": 1, "c": 1}}, value="0.666667")
    assert [c.written for c in found.candidates] == ['duplicates="each"']
    assert found.ours is None


def test_swapped_sets_change_precision_and_recall():
    """P of the swapped arguments is the recall, R the precision."""
    swapped = MISTAKES["arguments-swapped"]
    ranking, judged = ["a", "b", "c", "d"], {"a": 1, "x": 1, "b": 0}
    assert swapped.wrong("P")(ranking, judged) == 1 / 2
    assert swapped.wrong("R")(ranking, judged) == 1 / 4


def of_powers(ranking, judgments, *, unjudged):
    """The gains 2^g of a ranking; a document that nobody judged has grade 0, or gains nothing."""
    nothing = 1 if unjudged else 0
    return [2 ** judgments[d] if d in judgments else nothing for d in ranking]


@pytest.mark.parametrize("unjudged", [True, False])
@pytest.mark.parametrize("name", ["DCG", "nDCG", "ERR"])
def test_a_missing_minus_1_is_named_whether_the_unjudged_count_or_not(name, unjudged):
    """Between judged documents stands one that nobody judged; grade 0 is 2^0 in plain code."""
    ranking, judged = ["d3", "new", "d2", "d6"], JUDGED
    gains = of_powers(ranking, judged, unjudged=unjudged)
    value = total(gains)
    if name == "nDCG":
        value /= total(2**g for g in BEST)
    if name == "ERR":
        reach, value = 1.0, 0.0
        for i, gain in enumerate(gains, 1):
            value, reach = value + reach * gain / 16 / i, reach * (1 - gain / 16)
    found = diagnose(name, ranking, judged, value=f"{value:.9f}")
    label = "err-without-minus-1" if name == "ERR" else "gain-without-minus-1"
    assert [m.mistake.label for m in found.mistakes] == [label]
    several = diagnose(name, [{"q": ranking}] * 2, {"q": judged}, value=[f"{value:.9f}"] * 2)
    assert label in [m.mistake.label for m in several.mistakes]


def test_queries_in_one_list_are_named():
    """Ordered by score the grades are 1, 0, 1, 0, 0, 0: DCG 1.5 over 1 + 1/log2(3)."""
    run = {"1": {"a": 0.1, "b": 0.2, "c": 0.3}, "2": {"d": 0.8, "e": 0.1, "f": 0.05}}
    qrels = {"1": {"b": 1}, "2": {"d": 1}}
    value = 1.5 / (1 + 1 / math.log2(3))
    found = diagnose("nDCG", run, qrels, value=f"{value:.6f}")
    assert [m.mistake.label for m in found.mistakes] == ["queries-in-one-list"]
    assert diagnose("nDCG", run, {q: set(j) for q, j in qrels.items()}, value=value).mistakes
    lists = {q: sorted(d, key=d.get, reverse=True) for q, d in run.items()}
    assert not diagnose("nDCG", lists, qrels, value=value).mistakes  # no scores to order by


def test_the_check_can_fail():
    """A value that nothing gives is given no name."""
    assert diagnose("AP", RANKING, JUDGED, value="0.123456789").mistakes == []


def test_a_scale_that_is_taken_from_the_grades_has_no_top_to_get_wrong():
    """A number under `max_grade=highest` is searched for, and nothing breaks."""
    assert not diagnose("ERR(max_grade=highest)@3", [3, 2, 0], value=0.5).mistakes


@pytest.mark.parametrize(
    ("grades", "value"),
    [
        # Points (recall, precision) (0, 1), (0, 0), (1, 1/2): half of 1/2.
        ([0, 1, 0, 0, 0], "0.25"),
        # (0, 1), (1/2, 1), (1/2, 1/2), (1, 2/3): 1/2 + (1/2 + 2/3)/4.
        ([1, 0, 1, 0, 0], "0.791667"),
        # The same without a point before the first rank, and from (0, 0) on.
        ([1, 0, 1, 0, 0], "0.291667"),
        ([1, 0, 1, 0, 0], "0.541667"),
        # (0, 1), (0, 0), (1/3, 1/2), (2/3, 2/3), (2/3, 1/2), (1, 3/5).
        ([0, 1, 1, 0, 1], "0.461111"),
    ],
)
def test_an_area_by_trapezoids_is_named_first(grades, value):
    """As auc(recall, precision) of scikit-learn gives the first, second and last."""
    found = diagnose("AP", grades, value=value)
    assert found.mistakes[0].mistake.label == "ap-by-trapezoids"
    assert "scikit-learn" in found.text


def test_two_mistakes_that_give_one_number_are_not_told_apart():
    """One document at rank 2 of 5: turned round it is at rank 4, and AP is 1/4, too."""
    found = diagnose("AP", [0, 1, 0, 0, 0], value="0.25")
    assert [m.mistake.label for m in found.mistakes] == ["ap-by-trapezoids", "ranking-reversed"]
    assert "2 causes give this number; it can't tell you which one is yours." in found.text
    assert "This is one value of one query." in found.text
