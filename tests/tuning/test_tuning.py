"""The discount coefficients of DCC and DILAD, against trying out one number after another."""

import json
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import InputError, explain
from irmetrics_edu.lab import tune_alpha, tune_beta
from irmetrics_edu.lab.tuning.plot_conditions import plot_conditions
from irmetrics_edu.lab.tuning.positive_intervals import UNIT, at, positive, roots
from irmetrics_edu.rows.exact_roots import Surd
from irmetrics_edu.views.terms import GLOSSARY
from tests.conftest import WORKED
from tests.oracles import tuning as oracle

GRID = oracle.grid(30)
NEAR_ZERO = [Fraction(s, 4000) for s in range(0, 60, 2)]
shares = st.fractions(Fraction(1, 200), Fraction(199, 200), max_denominator=200)
ends = st.sampled_from([Fraction(0), Fraction(1)])
precisions = shares | ends  # no item effective, and all of them, too
covered = shares | st.just(Fraction(1))  # tau = 1 is the demand of all groups
kinds = pytest.mark.parametrize(
    ("tune", "value", "least"),
    [(tune_alpha, oracle.dcc_of_group, 1), (tune_beta, oracle.dilad_of_group, 2)],
    ids=["alpha", "beta"],
)


def within(union, number):
    """Whether a fraction belongs to a union of intervals."""
    x = Surd.make(number)
    return any(
        (i.low < x or (i.low_belongs and i.low == x))
        and (x < i.high or (i.high_belongs and x == i.high))
        for i in union.intervals
    )


@pytest.mark.slow
@kinds
@given(k=st.integers(2, 7), p=precisions, tau=covered)
def test_every_condition_holds_where_trying_out_says(tune, value, least, k, p, tau):
    """Groups, conditions one by one and all together, on a grid of fractions."""
    found = tune(k, p, tau)
    assert found.n_tau == oracle.smallest_n(k, p, tau, least)
    assert [g.probability for g in found.groups] == [
        oracle.probability(k, n, p) for n in range(found.n_tau + 1)
    ]
    assert len(found.conditions) == found.n_tau * (found.n_tau + 1) // 2
    for x in [*GRID, *NEAR_ZERO]:
        for c in found.conditions:
            assert within(c.holds, x) == oracle.holds(value, k, p, c.i, c.j, x)
        assert within(found.feasible_set, x) == oracle.feasible(value, k, p, found.n_tau, x)


@kinds
@given(k=st.integers(2, 6), p=precisions, tau=covered)
def test_the_supremum_is_one(tune, value, least, k, p, tau):
    """Just below it there are feasible numbers, above it none; it is feasible if attained."""
    found = tune(k, p, tau)
    coefficient = found.value
    largest = found.largest_feasible
    assert found.n_tau >= least
    together = [UNIT]
    for n in range(1, found.n_tau + 1):
        together.append(together[-1])
        for c in found.conditions:
            together[n] &= c.holds if c.i == n else UNIT
    assert largest.n == max(n for n, union in enumerate(together) if union)
    assert largest.share == sum(oracle.probability(k, n, p) for n in range(largest.n + 1))
    if coefficient is None:
        assert not found.feasible
        assert not found.attained
        assert found.conflict
        assert largest.n < found.n_tau
        return
    assert largest.n == found.n_tau
    assert not found.conflict
    exact = Fraction(coefficient)
    small = Fraction(1, 10**12)
    if found.attained:
        assert oracle.feasible(value, k, p, found.n_tau, exact)
        assert coefficient == 1
    elif isinstance(coefficient, Fraction):
        assert not oracle.feasible(value, k, p, found.n_tau, exact)
    assert oracle.feasible(value, k, p, found.n_tau, exact * (1 - small))
    above = [exact + small + (1 - exact - small) * Fraction(s, 50) for s in range(51)]
    if exact + small < 1:
        assert not any(oracle.feasible(value, k, p, found.n_tau, x) for x in above)


@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)])
@kinds
def test_the_demand_of_all_groups_is_that_of_slide_20(tune, value, least, p):
    """Slide 20 first asks it of all i and j in [0, k]: tau = 1, all groups, each against each."""
    for k in range(least, 6):
        found = tune(k, p, 1)
        assert found.n_tau == k
        assert {(c.i, c.j) for c in found.conditions} == {
            (i, j) for i in range(k + 1) for j in range(i)
        }
        assert [within(found.feasible_set, x) for x in GRID] == [
            oracle.feasible(value, k, p, k, x) for x in GRID
        ]


@pytest.mark.parametrize(("p", "only"), [(0, 0), (1, 4)])
@pytest.mark.parametrize("tune", [tune_alpha, tune_beta])
def test_with_no_item_effective_or_all_none_is_feasible_and_it_says_why(tune, p, only):
    """All lists are in one group, so no other contributes anything."""
    found = tune(4, p)
    assert found.feasible is False
    assert found.value is None
    assert found.conflict
    assert f"so every list is in R_{only}" in explain(found).text


@pytest.mark.parametrize("tune", [tune_alpha, tune_beta])
@pytest.mark.parametrize("p", ["0.0075", "0.05", 0, 1, Fraction(1, 7), 1 / 3])
@pytest.mark.parametrize("k", [2, 10, 100])
def test_what_was_found_is_shown_in_two_lines(tune, k, p):
    """Short enough for a notebook's cell, with the value or the conditions that clash."""
    found = tune(k, p)
    first, second = repr(found).split("\n")
    assert max(map(len, (first, second))) <= 80
    assert f"k={k}" in first
    told = "is feasible: " if found.value is None else f"{found.symbol} "
    assert told in second


def test_alpha_of_one_group_is_p_over_1_minus_kp():
    """N_tau = 1: a supremum that is not attained, exact."""
    for p in ("0.0075", 0.0075, Fraction(3, 400), "3/400", Decimal("0.0075"), np.float64(0.0075)):
        found = tune_alpha(10, p)
        assert found.alpha == Fraction(3, 370)
        assert (found.feasible, found.attained, found.n_tau) == (True, False, 1)
    assert tune_alpha(20, "1/10", "1/10").alpha == Fraction(1)  # kp = 2


def test_alpha_is_attained_where_every_alpha_is_feasible():
    """With kp >= 1 and N_tau = 1 the largest alpha is 1."""
    found = tune_alpha(4, "1/3", "1/2")
    assert (found.alpha, found.attained, found.n_tau) == (1, True, 1)
    ends = tune_alpha(3, "1/4", "1/2")  # p = 1 - kp: only 1 itself is not feasible
    assert (ends.alpha, ends.attained) == (1, False)


@given(k=st.integers(2, 12), p=shares, tau=st.sampled_from(["0.9", "0.99", "0.5"]))
def test_no_alpha_for_two_groups_at_a_low_precision(k, p, tau):
    """N_tau >= 2 and kp < 1: the groups in conflict are named, and N = 1 is what is left."""
    found = tune_alpha(k, p, tau)
    if found.n_tau >= 2 and k * p < 1:
        assert found.alpha is None
        assert [(c.i, c.j) for c in found.conflict] == [(2, 1)]
        assert found.largest_feasible.n == 1
        assert found.largest_feasible.value == min(p / (1 - k * p), 1)
        assert found.largest_feasible.share == (
            oracle.probability(k, 0, p) + oracle.probability(k, 1, p)
        )


def test_the_precision_up_to_which_one_group_covers_99_percent():
    """The document's setting k = 10: N_tau is 1 up to p = 0.0155381."""
    assert tune_alpha(10, "0.0155381").n_tau == 1
    assert tune_alpha(10, "0.0155382").n_tau == 2


def test_beta_of_the_document_s_setting():
    """The smallest positive root of a quadratic, 0.003957."""
    found = tune_beta(10, 0.0075)
    k, p = 10, Fraction(3, 400)
    assert found.n_tau == 2
    assert f"{found.beta:.6f}" == "0.003957"
    assert [(c.i, c.j) for c in found.binding] == [(2, 1)]
    left = [2 * p, 4 * (k - 2) * p - 4 * (1 - p), (k - 2) * (k - 3) * p - 2 * (k - 2) * (1 - p)]
    polynomial = found.binding[0].polynomial
    assert [c / polynomial[0] for c in polynomial] == [c / left[0] for c in left]
    assert min(r for r in np.roots([float(c) for c in reversed(left)]) if r > 0) == pytest.approx(
        found.beta
    )
    assert not within(found.feasible_set, 0)


def test_the_derived_items_agree():
    """The list of worked examples has beta* recomputed, and the p up to which N_tau is 1."""
    listed = json.loads(WORKED.read_text(encoding="utf-8"))
    assert f"{tune_beta(10, '0.0075').beta:.6f}" == listed["002-beta-star (derived)"]["dec"]
    assert [tune_alpha(10, p).n_tau for p in ("0.0155381", "0.0155382")] == [1, 2]


@given(k=st.integers(2, 8), p=shares, x=shares)
def test_the_expected_value_is_the_sum_over_groups(k, p, x):
    """The closed forms k(p + a(1-p)) and C(k,2)(p + b(1-p))^2."""
    alpha = sum(oracle.dcc_of_group(k, n, x) * oracle.probability(k, n, p) for n in range(k + 1))
    beta = sum(oracle.dilad_of_group(k, n, x) * oracle.probability(k, n, p) for n in range(k + 1))
    assert tune_alpha(k, p).expected(x) == alpha
    assert tune_beta(k, p).expected(x) == beta


BAD = {
    "k": ({"k": 0, "p": 0.1}, "at least 1"),
    "k none": ({"k": None, "p": 0.1}, "k=None"),
    "k not whole": ({"k": 1.5, "p": 0.1}, "whole"),
    "p below 0": ({"k": 10, "p": -0.1}, "p=-0.1 is out of range; give a number from 0 to 1"),
    "p above 1": ({"k": 10, "p": 1.1}, "p=1.1 is out of range"),
    "p NaN": ({"k": 10, "p": float("nan")}, "p=nan is not a finite number"),
    "p text": ({"k": 10, "p": "much"}, "p='much' is not a finite number"),
    "p 1/0": ({"k": 10, "p": "1/0"}, "not a finite number"),
    "p true": ({"k": 10, "p": True}, "not a finite number"),
    "tau 0": ({"k": 10, "p": 0.1, "tau": 0}, "tau=0 is out of range; give a number above 0"),
    "tau": ({"k": 10, "p": 0.1, "tau": 1.5}, "tau=1.5 is out of range"),
    "tau inf": ({"k": 10, "p": 0.1, "tau": float("inf")}, "not a finite number"),
}


@pytest.mark.parametrize("tune", [tune_alpha, tune_beta])
@pytest.mark.parametrize(("given_input", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(tune, given_input, message):
    """Each message says what was given and what would do."""
    if tune is tune_beta:
        message = message.replace("at least 1", "at least")
    with pytest.raises(InputError, match=re.escape(message)):
        tune(**given_input)


def test_beta_needs_two_items():
    """A list of one item has no pair."""
    with pytest.raises(InputError, match="k=1 is not a length of lists"):
        tune_beta(1, 0.1)
    assert tune_alpha(1, 0.1).alpha == Fraction(1, 9)


def names(working):
    """All names of a working, down the tree."""
    yield from (*working.columns, *working.quantities, *working.table.labels, *working.parts)
    for part in working.parts.values():
        yield from names(part)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (tune_alpha(10, 0.0075), "supremum that is not attained"),
        (tune_alpha(10, 0.05), "R_2 over R_1 holds for no alpha in [0, 1]"),
        (tune_alpha(4, "1/3", "1/2"), "feasible: alpha in [0, 1]"),
        (tune_beta(10, 0.0075), "the root of 3 - 746 beta - 3092 beta^2 = 0"),
        (tune_beta(100, 0.1), "the largest feasible N is 11"),
    ],
)
def test_the_working_says_what_was_found(found, said):
    """Explained as any other working, and every term of it is in the glossary."""
    assert said in explain(found.working).text
    assert set(names(found.working)) <= set(GLOSSARY)


def test_the_plot_draws_each_condition():
    """A bar for each interval, hatched where it binds, a cross where a condition never holds."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    for found in (tune_alpha(10, 0.05), tune_beta(10, 0.0075), tune_beta(100, 0.1)):
        _, axes = pyplot.subplots()
        plot_conditions(found, axes)
        bars = axes.patches
        assert len(axes.get_yticklabels()) == len(found.conditions)
        assert any(bar.get_hatch() for bar in bars) == found.feasible
        pyplot.close("all")


polynomials = st.tuples(*[st.integers(-6, 6).map(Fraction)] * 3)


@given(polynomials, polynomials)
def test_unions_hold_what_the_polynomials_say(first, second):
    """Union and intersection agree with the sign at every number of a grid."""
    one, other = positive(first), positive(second)
    both = one & other
    for x in GRID:
        assert within(one, x) == (at(first, x) > 0)
        assert within(both, x) == (at(first, x) > 0 and at(second, x) > 0)
    assert (one & UNIT) == one


@given(polynomials)
def test_roots_are_roots(polynomial):
    """As numpy finds them, each once and in order."""
    expected = sorted(
        {
            round(r.real, 6)
            for r in np.roots([float(c) for c in reversed(polynomial)])
            if abs(r.imag) < 1e-6
        }
    )
    if any(polynomial[1:]):
        assert [round(float(r), 6) for r in roots(polynomial)] == pytest.approx(expected, abs=1e-5)


def test_surds_compare_without_rounding():
    """Numbers that floats can't tell apart are told apart."""
    close = Surd.make(Fraction(14142135623730950488016887, 10**25))
    root = Surd.make(0, 2)
    assert float(close) == float(root)
    assert close < root
    assert Surd.make(1, Fraction(9, 4)) == Surd.make(Fraction(5, 2))
    assert Surd.make(3, -4).value == 1
