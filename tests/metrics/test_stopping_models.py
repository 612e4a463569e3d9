"""INST, INSQ, IFT, BPM and TBG against readers that are followed step by step.

The values that ir_measures and cwl_eval gave for INST and INSQ are in tests/libraries.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank
from irmetrics_edu.metrics.stopping_models import (
    bejeweled,
    ift,
    insq,
    inst,
    time_biased_gain,
)
from irmetrics_edu.metrics.user_models import rbp
from irmetrics_edu.rows.aligned_ranking import Rows
from tools.vectors.oracles import readers as oracle

graded = st.lists(st.integers(0, 3), min_size=1, max_size=10)
wishes = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3), Fraction(5, 2)])


def _binary(grades):
    return [Fraction(int(g >= 1)) for g in grades]


@given(graded, wishes, st.integers(1, 15))
def test_inst_and_insq_follow_the_reader(grades, wanted, depth):
    """Exactly, for binary gains and for shares of the scale."""
    shares = [Fraction(g, 3) for g in grades]
    for metric, going_on in ((inst, oracle.on_with_inst), (insq, oracle.on_with_insq)):
        plain = metric(grades, wanted=wanted, depth=depth, exact=True)
        assert plain == oracle.walk(_binary(grades), going_on(wanted), depth)
        shared = metric(grades, wanted=wanted, depth=depth, gain="share(3)", exact=True)
        assert shared == oracle.walk(shares, going_on(wanted), depth)
        close = metric(grades, wanted=float(wanted), depth=depth)
        assert close == pytest.approx(float(plain), abs=1e-12)


@given(graded, st.sampled_from([1.0, 2.5]), st.sampled_from([0.1, 0.5]))
def test_ift_follows_the_reader(grades, wanted, rate):
    """With an aim and a pace."""
    usual = {"by_aim": 10, "by_rate": 10, "b_aim": 0.9, "b_rate": 0.9, "rel": 1, "depth": 200}
    expected = float(oracle.ift(grades, (), wanted=wanted, rate=rate, **usual))
    assert ift(grades, wanted=wanted, rate=rate, depth=200) == pytest.approx(expected, abs=1e-12)


@given(graded)
def test_ift_without_aim_and_pace_is_rbp(grades):
    """Going on with probability 1/2 at every rank, whatever was found."""
    score = ift(grades, by_aim=0, by_rate=0, b_aim=1e15, b_rate=1)
    assert score == pytest.approx(rbp(grades, p=0.5), abs=1e-9)


@given(graded, wishes, st.integers(1, 12))
def test_the_bejeweled_player_stops(grades, wanted, patience):
    """Where there is enough, or no patience left; for one hit it is RR."""
    options = {"wanted": wanted, "patience": patience, "exact": True}
    assert bejeweled(grades, **options) == oracle.gained(_binary(grades), wanted, patience)
    shares = [Fraction(g, 3) for g in grades]
    expected = oracle.gained(shares, wanted, patience)
    assert bejeweled(grades, gain="share(3)", **options) == expected
    assert bejeweled(grades, patience=patience, exact=True) == reciprocal_rank(
        grades, k=patience, exact=True
    )


def test_thirds_that_add_up_are_enough():
    """0.1 + 0.2 + 0.7 in floats may be a little less than 1, and is 1."""
    gain = "table(1:0.1,2:0.2,3:0.7)"
    assert bejeweled([1, 2, 3, 3], gain=gain) == pytest.approx(1 / 3)
    assert bejeweled([3, 2, 1, 1], gain=gain) == pytest.approx(1 / 3)


@given(graded, st.sampled_from([0, 100, 2500.5]), st.sampled_from([10, 224]))
def test_time_biased_gain_lets_the_clock_run(grades, words, halflife):
    """Closed form against the clock."""
    reader = {"words": words, "halflife": halflife, "rel": 1}
    expected = float(oracle.time_biased_gain(grades, (), **reader))
    score = time_biased_gain(grades, words=words, halflife=halflife)
    assert score == pytest.approx(expected, abs=1e-12)


def test_many_queries_are_walked_in_parts():
    """More queries than are walked at a time give each the score that it has alone."""
    lists = [[1, 0, 1], [0, 0, 1], [0, 1]]
    rows = Rows.joined([inst.align(lists[i % 3]) for i in range(1100)])
    scores = inst.measured(rows, None, depth=20).score
    alone = [inst(grades, depth=20) for grades in lists]
    np.testing.assert_allclose(scores, [alone[i % 3] for i in range(1100)], rtol=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: inst([1], wanted=0.2), "wanted=0.2"),
        (lambda: inst([1], depth=0), "at least 1"),
        (lambda: inst([1], depth=None), "depth=None"),
        (lambda: inst([0, 3], gain="linear"), "rank 2: gain 3 is not within 0 to 1"),
        (lambda: inst([1], gain="share(0)"), r"gain=share\(0\): 0 is not the top of a scale"),
        (lambda: inst([1], gain="share(x)"), r"gain=share\(x\): 'x' is not a grade"),
        (lambda: ift([1], wanted=-1), r"wanted=-1 .* in \[0, inf\)"),
        (lambda: ift([1], rate=-1), r"rate=-1 .* in \[0, inf\)"),
        (lambda: ift([1], b_aim=0), r"b_aim=0 .* in \(0, inf\)"),
        (lambda: ift([1], b_rate=0), r"b_rate=0 .* in \(0, inf\)"),
        (lambda: ift([1], by_aim=101), r"by_aim=101 .* in \[0, 100\]"),
        (lambda: ift([1], by_rate=-1), r"by_rate=-1 .* in \[0, 100\]"),
        (lambda: bejeweled([1], wanted=0), r"wanted=0 .* in \(0, inf\)"),
        (lambda: bejeweled([1], patience=None), "patience=None"),
        (lambda: time_biased_gain([1], words=-1), r"words=-1 .* in \[0, inf\)"),
        (lambda: time_biased_gain([1], halflife=0), r"halflife=0 .* in \(0, inf\)"),
    ],
)
def test_what_makes_no_reader_is_refused(call, words):
    """The option, what was given and what could be are named."""
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.parametrize("metric", [ift, time_biased_gain])
def test_what_is_irrational_is_no_fraction(metric):
    """Powers of e and of 2."""
    with pytest.raises(NotRational):
        metric([1, 0], exact=True)


def test_insq_wants_half_a_document_at_least():
    """Below 1/2 the probability of going on would not grow with the rank."""
    with pytest.raises(InputError, match=r"wanted=0\.4 .* in \[0\.5, inf\)"):
        insq([1], wanted=0.4)


def test_a_player_passes_an_unjudged_document_at_rank_1():
    """Whether it has a row (one ranking) or none (a whole run): the hit is at rank 2."""
    assert bejeweled(["x", "a"], {"a": 1}) == 0.5
    found = evaluate({"q": {"x": 2.0, "a": 1.0}}, {"q": {"a": 1}}, "BPM")
    assert list(found.mean.values()) == [0.5]
