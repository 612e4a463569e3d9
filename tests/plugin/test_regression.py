"""The gate against noise: pass, fail and inconclusive, and what it says of each."""

import itertools
import math
import random
import statistics
import warnings
from fractions import Fraction

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import (
    InconclusiveWarning,
    RankingAssertionError,
    assert_improves,
    assert_no_regression,
)
from irmetrics_edu.gate.policy import Policy
from irmetrics_edu.gate.verdict import improvement, queries_needed, regression


def world(n, ranks, relevant="r"):
    """A run of n queries, each with one relevant document at the rank given for it in turn."""
    run = {}
    for i in range(n):
        rank = ranks[i % len(ranks)]
        run[f"q{i}"] = [f"x{j}" for j in range(1, rank)] + [relevant] + ["y", "z"]
    return run, {f"q{i}": {relevant: 1} for i in range(n)}


def words(verdicts):
    """The verdicts' words."""
    return [v.word for v in verdicts]


def test_the_same_run_passes():
    """Nothing changed: no test is needed, however few queries there are."""
    run, qrels = world(2, [1, 3])
    found = assert_no_regression(run, run, qrels, "RR nDCG@10 AP", margin=0)
    assert words(found) == ["pass"] * 3


def test_a_drop_in_every_query_fails():
    """From rank 1 to rank 2 in twelve queries: the mean of RR falls by one half."""
    old, qrels = world(12, [1])
    new, _ = world(12, [2])
    with pytest.raises(RankingAssertionError) as caught:
        assert_no_regression(new, old, qrels, "RR", margin=0.01)
    # All 12 differences have one sign: 2 of 2^12 ways to swap the runs differ as much.
    assert caught.value.summary == ("RR fell by 0.5000 > 0.0100 (1.0000 -> 0.5000; 12 queries)")
    text = str(caught.value)
    assert (
        "Lost most: q0 -0.500, q1 -0.500, q10 -0.500 ...   12 lost, 0 gained, 0 unchanged" in text
    )
    assert "q0, what moved (1.0000 -> 0.5000):" in text
    moved = next(line.split() for line in text.splitlines() if line.split()[:1] == ["r"])
    assert moved == ["r", "1", "1", "2"]  # RR is no sum over documents
    assert len(caught.value.lines) <= 16


def test_what_each_move_cost_is_said():
    """CG@1 loses the whole gain of the document that fell from rank 1, and gains nothing."""
    old, qrels = world(12, [1])
    new, _ = world(12, [2])
    with pytest.raises(RankingAssertionError) as caught:
        assert_no_regression(new, old, qrels, "CG@1", margin=0.01)
    rows = [line.split() for line in caught.value.lines]
    assert ["r", "1", "1", "2", "-1.0000"] in rows


def test_few_queries_cannot_tell_and_say_how_many_could():
    """With four queries the test's p-value is 1/8 at best: it warns, and says what it takes."""
    old, qrels = world(4, [1])
    new, _ = world(4, [2])
    with pytest.warns(InconclusiveWarning, match="4 queries can't tell, about 6"):
        found = assert_no_regression(new, old, qrels, "RR", margin=0.01, max_observed_drop="off")
    assert words(found) == ["inconclusive"]
    with pytest.raises(RankingAssertionError, match="4 queries can't tell"):
        assert_no_regression(
            new, old, qrels, "RR", margin=0.01, max_observed_drop="off", inconclusive="fail"
        )


def test_six_queries_could():
    """What the warning above says holds: with six such queries the drop is found."""
    old, qrels = world(6, [1])
    new, _ = world(6, [2])
    with pytest.raises(RankingAssertionError):
        assert_no_regression(new, old, qrels, "RR", margin=0.01)


@pytest.mark.parametrize(
    ("margin", "says"),
    [
        (0.0625, "and if others change as these do, it takes more than a million"),
        (0.0650, "about 39,... would"),
    ],
)
def test_a_drop_on_the_limit_takes_more_than_a_million_queries(margin, says):
    """One of eight queries falls from rank 1 to 2, so the mean by 1/16: no count of queries helps.

    With 0.0650 tolerated the margin is 0.0025 and the deviation 0.1768; by the normal
    approximation ((1.96 + 0.84) x 0.1768 / 0.0025)^2, about 39,200.
    """
    old, qrels = world(8, [1])
    new = {**old, "q0": world(1, [2])[0]["q0"]}
    with pytest.warns(InconclusiveWarning, match=says):
        assert_no_regression(new, old, qrels, "RR", margin=margin)


def test_a_change_that_cannot_be_is_not_promised():
    """Two queries would show a change of RR by several units, which is none that RR can make."""
    old, qrels = world(2, [1, 5])
    new, _ = world(2, [5, 5])
    with pytest.raises(RankingAssertionError) as caught:
        assert_no_regression(new, old, qrels, "RR", margin=0.01, inconclusive="fail")
    assert "So few queries show no change at all (confidence 95%)" in " ".join(
        caught.value.all_lines
    )
    assert "or more" not in str(caught.value)


def test_a_hint_tells_of_failed_calls_in_full():
    """It leaves out what scores became, and not what follows a semicolon in somebody's error."""

    class Run(dict):
        errors = {"q0": TimeoutError("no answer; tried twice")}  # noqa: RUF012 -- as built runs have

    (old, qrels), (new, _) = world(12, [1]), world(12, [2])
    with pytest.warns(UserWarning, match="nothing fails|tried twice") as told:
        assert_no_regression(Run(new), old, qrels, "RR", policy="advise", reveal="hint")
    assert any("no answer; tried twice" in str(warning.message) for warning in told)


@pytest.mark.parametrize("verb", ["worse", "no better", "unsure"])
def test_a_hint_shows_neither_baseline_nor_judgments(verb):
    """The new score and the queries, but no old score, change, tolerance, grade or document."""
    n = 4 if verb == "unsure" else 12
    (old, qrels), (new, _) = world(n, [1], "secret"), world(n, [2], "secret")
    check, options = assert_no_regression, {"margin": 0.0123, "inconclusive": "fail"}
    options |= {"max_observed_drop": "off"} if verb == "unsure" else {}
    if verb == "no better":
        check, options = assert_improves, {"by": 0.0123}
    with pytest.raises(RankingAssertionError) as caught:
        check(new, old, qrels, "RR", reveal="hint", **options)
    assert (
        caught.value.summary
        == {
            "worse": "RR 0.5000 is too low (12 queries)",
            "no better": "RR 0.5000 is no improvement (12 queries)",
            "unsure": "RR 0.5000: 4 queries can't tell whether it is too low",
        }[verb]
    )
    assert caught.value.lines[0].startswith("Lost most: q0, q1, ")
    for text in (str(caught.value), *caught.value.all_lines):
        for hidden in ("0.0123", "1.0000", "-0.5", "secret", "grade"):
            assert hidden not in text


def test_a_small_drop_that_is_shown_to_be_small_passes():
    """One query of forty falls from rank 9 to 10: 1/90 in that query, tolerated is 0.01 overall."""
    old, qrels = world(40, [9])
    new = {**old, "q0": world(1, [10])[0]["q0"]}
    found = assert_no_regression(new, old, qrels, "RR", margin=0.01)
    assert words(found) == ["pass"]
    assert found[0].change == pytest.approx(-(1 / 9 - 1 / 10) / 40)


def test_noise_around_zero_is_inconclusive_not_a_failure():
    """Gains and losses that cancel, in a dozen queries: no verdict, whatever the order."""
    old, qrels = world(12, [1, 2])
    new, _ = world(12, [2, 1])
    with pytest.warns(InconclusiveWarning, match="rose by 0.0000"):
        assert words(assert_no_regression(new, old, qrels, "RR", margin=0.01)) == ["inconclusive"]


def exact_p(d):
    """The two-sided randomisation test as its definition says: over all signs."""
    observed = abs(sum(d))
    signs = list(itertools.product([1, -1], repeat=len(d)))
    extreme = sum(
        abs(sum(s * x for s, x in zip(row, d, strict=True))) >= observed - 1e-12 for row in signs
    )
    return extreme / len(signs)


@pytest.mark.parametrize("seed", range(6))
def test_the_verdict_follows_the_definition(seed):
    """For random differences the verdict is what the rule gives with an exact test by hand."""
    chance = random.Random(seed)
    centre = chance.choice([-0.2, -0.05, 0.0, 0.1])
    d = [chance.gauss(centre, 0.1) for _ in range(9)]
    before = {"m": dict.fromkeys(map(str, range(9)), 0.5)}
    after = {"m": {str(i): 0.5 + x for i, x in enumerate(d)}}
    mean = statistics.mean(d)
    (found,) = regression(before, after, Policy(margin=0.02, confidence=0.9))
    if mean < -0.02:
        expected = "fail" if exact_p(d) < 0.1 else "inconclusive"
    else:
        expected = "pass" if exact_p([x + 0.02 for x in d]) < 0.1 else "inconclusive"
    assert found.word == expected


def test_of_many_runs_that_are_the_same_in_truth_few_fail():
    """Where two systems differ by chance alone, the gate cries wolf in less than 5 of 100."""
    chance = np.random.default_rng(1)
    failures = 0
    for _ in range(40):
        d = chance.normal(0, 0.1, 10)
        before = {"m": dict.fromkeys(map(str, range(10)), 0.5)}
        after = {"m": {str(i): 0.5 + x for i, x in enumerate(d)}}
        found = regression(before, after, Policy(margin=0.001))
        failures += found[0].word == "fail"
    assert failures <= 4


@pytest.mark.parametrize("level", ["0.5", "0.25", "0.0625", "0.05", "0.01", "0.001"])
def test_no_more_queries_are_asked_for_than_the_test_needs(level):
    """If all of n queries fall, p is 2 of the 2^n ways: the least n that gets below the level."""
    least = next(n for n in range(2, 30) if Fraction(2, 2**n) < Fraction(level))
    assert queries_needed(math.nan, 0.1, 1, float(level)) == least
    assert queries_needed(0.0, 0.1, 1, float(level)) == least


def test_the_number_of_queries_needed_grows_with_the_square():
    """A margin half as wide takes about four times as many queries; none is enough for nothing."""
    wide, narrow = (queries_needed(0.2, margin, 10, 0.05) for margin in (0.04, 0.02))
    assert 3.8 < narrow / wide < 4.2
    # By the normal approximation: ((1.96 + 0.84) x 0.2 / 0.02)^2 = 784.
    assert narrow == pytest.approx(784, rel=0.01)
    assert queries_needed(0.2, 0.0, 10, 0.05) is None


def test_more_queries_are_needed_than_those_that_could_not_tell():
    """Even if the margin is wide, or there is no spread to reckon with."""
    assert queries_needed(0.001, 1.0, 10, 0.05) == 11
    assert queries_needed(float("nan"), 1.0, 10, 0.05) == 11


LIMITS = ("max_observed_drop", "max_query_drop", "max_group_drop")


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_that_is_met_but_for_rounding_holds(limit):
    """0.8 - 0.7 is a little more than 0.1 in floats; a limit that is lower by 1e-9 is broken."""
    assert 0.8 - 0.7 > 0.1
    for allowed, broken in ((0.1, []), (0.1 - 1e-9, [limit])):
        found = regression(
            {"m": {"a": 0.8}}, {"m": {"a": 0.7}}, Policy(**{limit: allowed}), {"g": ["a"]}
        )
        assert [b.limit for v in found for b in v.broken] == broken


def test_a_query_on_its_limit_is_not_named_beside_one_that_breaks_it():
    """Of two that fall, only the one that falls by more."""
    before, after = {"m": {"a": 0.8, "b": 0.8}}, {"m": {"a": 0.7, "b": 0.2}}
    (verdict,) = regression(before, after, Policy(max_query_drop=0.1))
    assert [(b.limit, b.queries) for b in verdict.broken] == [("max_query_drop", ("b",))]


def test_the_protected_queries_are_said_first():
    """Then the mean, then single queries."""
    before = {"m": {"a": 0.8, "b": 0.8, "c": 0.8}}
    after = {"m": {"a": 0.7, "b": 0.2, "c": 0.9}}
    policy = Policy(max_observed_drop=0.1, max_query_drop=0.3, protected=("a", "c", "b"))
    (verdict,) = regression(before, after, policy)
    assert [(b.limit, b.queries) for b in verdict.broken] == [
        ("protected", ("b", "a")),
        ("max_observed_drop", ()),
        ("max_query_drop", ("b",)),
    ]


def test_who_gained_and_who_lost():
    """Who stayed did neither; equal losses are sorted by name."""
    before = dict.fromkeys("dcba", 0.5)
    (verdict,) = regression(
        {"m": before}, {"m": {"a": 0.6, "b": 0.5, "c": 0.4, "d": 0.4}}, Policy()
    )
    assert verdict.gained == 1
    assert [query for query, _ in verdict.losers] == ["c", "d"]


def test_a_p_that_belongs_to_no_drop_is_not_corrected():
    """It is of another hypothesis, that the drop is as large as is tolerated."""
    before = {"m": {f"q{i}": 0.5 for i in range(12)}}
    after = {"m": {q: 0.5 + 0.01 * i for i, q in enumerate(before["m"], 1)}}
    (verdict,) = regression(before, after, Policy())
    assert (verdict.word, verdict.dropped) == ("pass", False)
    assert verdict.adjusted == verdict.p < 0.05


def test_a_mean_that_stays_does_not_improve():
    """One query rises by as much as the other falls: nothing for more queries to show."""
    before, after = {"m": {"a": 0.5, "b": 0.5}}, {"m": {"a": 0.75, "b": 0.25}}
    assert words(improvement(before, after, by=0, confidence=0.95)) == ["fail"]
    after["m"]["b"] = 0.3
    assert words(improvement(before, after, by=0, confidence=0.95)) == ["inconclusive"]


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (float("nan"), 0.5, "NaN"),
        (0.5, float("nan"), "NaN"),
        (float("-inf"), 0.5, "-inf"),
        (0.5, float("inf"), "inf"),
    ],
)
def test_a_score_that_is_no_number_is_named_whoever_has_it(before, after, says):
    """The baseline or the run."""
    with pytest.raises(InputError, match=f"query 'q': m is {says}, so"):
        regression({"m": {"q": before}}, {"m": {"q": after}}, Policy())


def test_an_improvement_must_be_more_than_chance():
    """Twelve queries that all rise pass; four do not, and one that falls fails."""
    old, qrels = world(12, [2])
    new, _ = world(12, [1])
    assert words(assert_improves(new, old, qrels, "RR")) == ["pass"]
    with pytest.raises(RankingAssertionError, match="does not improve"):
        assert_improves(old, new, qrels, "RR")
    with pytest.raises(RankingAssertionError, match=r"does not improve by more than 0\.6"):
        assert_improves(new, old, qrels, "RR", by=0.6)
    few, judged = world(4, [2])
    with pytest.raises(RankingAssertionError, match="which may be chance"):
        assert_improves(world(4, [1])[0], few, judged, "RR")


def test_evaluations_made_before_are_taken_as_they_are():
    """A baseline that was evaluated once need not be evaluated for every test."""
    run, qrels = world(6, [1, 2])
    kept = evaluate(run, qrels, "RR")
    assert words(assert_no_regression(run, kept, qrels, "RR", margin=0.01)) == ["pass"]
    with pytest.raises(InputError, match="evaluate both alike"):
        assert_no_regression(run, kept, qrels, "AP", margin=0.01)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": -1}, "0 or more"),
        ({"margin": float("nan")}, "finite"),
        ({"margin": "0.1"}, "not a number"),
        ({"margin": 0.1, "confidence": 1}, "confidence=1"),
        ({"margin": 0.1, "inconclusive": "ignore"}, "one of pass, warn, fail"),
    ],
)
def test_a_bad_setting_is_refused(options, message):
    """Tolerance and confidence are numbers in their ranges."""
    run, qrels = world(3, [1])
    with pytest.raises(InputError, match=message):
        assert_no_regression(run, run, qrels, "RR", **options)


def test_queries_without_a_score_are_refused():
    """NaN is neither a rise nor a fall."""
    run, qrels = world(3, [1])
    with pytest.raises(InputError, match="NaN"):
        assert_no_regression(
            run, run, {**qrels, "q1": {"r": 0}}, "nDCG", margin=0, no_relevant="nan"
        )


def test_a_conclusive_gate_does_not_warn():
    """Pass and fail are said without a warning."""
    run, qrels = world(12, [1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_no_regression(run, run, qrels, "RR", margin=0.01)
