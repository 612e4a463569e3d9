"""Correlations and overlaps of orders against loops, scipy, theory and a worked example."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import exposure
from irmetrics_edu import explain
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.rank_similarity import compatibility, kendall_tau, rbo, tau_ap
from irmetrics_edu.rows.two_orders import Orders, align_orders
from tests.oracles import rank_similarity as oracle

lists = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)
shares = st.sampled_from([0.5, 0.8, 0.9])
orders = st.permutations("abcdef")
scores = st.fixed_dictionaries({d: st.integers(0, 3) for d in "abcde"})


@given(lists, lists, shares)
def test_rbo_adds_up_the_agreement_at_each_depth(one, other, p):
    """The closed form for lists of any two lengths is what the loop over depths gives."""
    if one or other:
        assert rbo(one, other, p=p) == pytest.approx(oracle.rbo(one, other, p), abs=1e-12)
        assert rbo(one, other, p=p) == pytest.approx(rbo(other, one, p=p), abs=1e-12)


@given(lists, lists, st.integers(1, 9))
def test_rbo_at_k_is_that_of_the_heads(one, other, k):
    """A cut cuts both lists."""
    if one or other:
        cut = rbo(one, other, k=k, p=0.8, exact=True)
        assert cut == rbo(one[:k], other[:k], p=0.8, exact=True)
        assert 0 <= cut <= 1


@given(lists)
def test_rbo_of_a_list_with_itself_is_1(one):
    """Whatever is assumed below the end."""
    if one:
        assert rbo(one, one, exact=True) == 1


def test_rbo_by_hand():
    """(a, b, c) and (a, c, b): agreement 1, 1/2, 1, and 1 for ever, with p = 1/2."""
    expected = Fraction(1, 2) + Fraction(1, 4) / 2 + Fraction(1, 8) + Fraction(1, 8)
    working = rbo.working(["a", "b", "c"], ["a", "c", "b"], p=0.5, exact=True)
    assert working.value == expected
    assert list(working["items in both"]) == [1, 1, 3]
    assert list(working["agreement"]) == [1, Fraction(1, 2), 1]


def test_the_figure_of_webber_et_al():
    """Figure 5 of the paper on RBO prints average overlaps of two lists, depth by depth."""
    printed = [0, 0, 0.222, 0.292, 0.313, 0.317, 0.312]
    agreement = rbo.working(list("abcdefg"), list("zcavwxy"))["agreement"]
    for depth, overlap in enumerate(printed, 1):
        assert sum(agreement[:depth]) / depth == pytest.approx(overlap, abs=0.0005)


@given(lists, lists, shares)
def test_rbo_is_between_bounds_of_all_that_may_follow(one, other, p):
    """The least and the greatest overlap of rankings that begin so."""
    if one or other:
        working = rbo.working(one, other, p=p)
        low, high = float(working["lower bound"][0]), float(working["upper bound"][0])
        assert low - 1e-12 <= working.value <= high + 1e-12
        least, most = one + [f"x{i}" for i in range(200)], other + [f"y{i}" for i in range(200)]
        if len(one) == len(other):
            assert rbo.working(least, most, p=p).value == pytest.approx(low, abs=1e-8)


@given(lists, lists, shares)
def test_the_upper_bound_is_reached_by_the_best_continuation(one, other, p):
    """Each list goes on with what only the other has, in its order, and then both with the same."""
    if one or other:
        more = [f"z{i}" for i in range(400)]
        best = [
            mine + [item for item in theirs if item not in mine] + more
            for mine, theirs in ((one, other), (other, one))
        ]
        agreement = [
            len({*best[0][:depth]} & {*best[1][:depth]}) / depth for depth in range(1, 401)
        ]
        most = (1 - p) / p * sum(a * p**depth for depth, a in enumerate(agreement, 1))
        high = float(rbo.working(one, other, p=p)["upper bound"][0])
        assert high == pytest.approx(most, abs=1e-9)


# Scores of ten systems and their correlations, as the tests of R's ircor have them (Urbano &
# Marrero 2017, The treatment of ties in AP correlation): tau and tau-AP, and tau-b of the rounded.
SYSTEMS = [
    (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        (0.9111, 0.8519, 0.9398),
    ),
    (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        (0.2889, 0.2504, 0.3765),
    ),
    (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        (-0.6889, -0.6971, -0.6510),
    ),
]


@pytest.mark.parametrize(("one", "other", "expected"), SYSTEMS)
def test_correlations_as_ircor_has_them(one, other, expected):
    """The first order is the truth there, and the reference here comes second."""
    truth, estimate = dict(enumerate(one)), dict(enumerate(other))
    assert kendall_tau(estimate, truth) == pytest.approx(expected[0], abs=5e-5)
    assert tau_ap(estimate, truth) == pytest.approx(expected[1], abs=5e-5)
    rounded = [{d: round(s, 1) for d, s in order.items()} for order in (truth, estimate)]
    assert kendall_tau(*rounded) == pytest.approx(expected[2], abs=5e-5)


@given(scores, scores)
def test_tau_counts_pairs(one, other):
    """Tau-b of every pair by hand, ties in either order; and that of scipy."""
    stats = pytest.importorskip("scipy.stats")
    if len(set(one.values())) == 1 or len(set(other.values())) == 1:
        with pytest.raises(InputError, match="one order ties everything"):
            kendall_tau(one, other)
        return
    expected = float(exposure.tau_b(one, other))
    assert kendall_tau(one, other) == pytest.approx(expected, abs=1e-12)
    columns = [[order[d] for d in "abcde"] for order in (one, other)]
    assert expected == pytest.approx(stats.kendalltau(*columns).statistic, abs=1e-12)


@given(st.lists(st.tuples(scores, scores), min_size=2, max_size=4))
@example(
    [({"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 2, "c": 3}), ({"a": 1, "b": 2}, {"a": 1, "b": 2})]
)
def test_correlations_of_many_pairs_at_once_are_those_of_each(pairs):
    """Some compare a number of pairs whose root is whole, and others don't."""
    pairs = [pair for pair in pairs if min(len(set(order.values())) for order in pair) > 1]
    if not pairs:
        return
    rows = Orders.joined([align_orders(*pair) for pair in pairs])
    expected = [float(exposure.tau_b(*pair)) for pair in pairs]
    assert kendall_tau.measured(rows).score == pytest.approx(expected, abs=1e-12)
    lists = [[sorted(order, key=order.get) for order in pair] for pair in pairs]
    rows = Orders.joined([align_orders(*pair) for pair in lists])
    expected = [float(exposure.tau_ap(*pair)) for pair in lists]
    assert tau_ap.measured(rows).score == pytest.approx(expected, abs=1e-12)


@given(orders, orders)
def test_tau_ap_averages_shares(one, other):
    """The loop over the definition; its ends are the same order and the reversed one."""
    assert tau_ap(one, other, exact=True) == exposure.tau_ap(one, other)
    assert tau_ap(one, one, exact=True) == 1
    assert tau_ap(one, one[::-1], exact=True) == -1


def test_an_error_at_the_top_costs_more_in_tau_ap():
    """What tau-AP is for: tau sees no difference between the two exchanges."""
    reference, top, bottom = "ABCDE", "BACDE", "ABCED"
    assert kendall_tau(list(top), list(reference)) == kendall_tau(list(bottom), list(reference))
    assert tau_ap(list(top), list(reference)) < tau_ap(list(bottom), list(reference))


@given(
    st.permutations("abcde"),
    st.dictionaries(st.sampled_from("abcdexy"), st.integers(0, 2), min_size=1),
    st.integers(0, 5),
)
def test_compatibility_is_the_best_over_all_ideal_orders(ranking, grades, n):
    """The one ideal order that is looked at is as good as any other."""
    expected = oracle.compatibility(ranking[:n], grades, Fraction(4, 5))
    assert compatibility(ranking[:n], grades, p=0.8, exact=True) == expected


def test_compatibility_to_a_depth_beyond_the_lists():
    """Below both lists the overlap stays: by hand for one document and depth 3, p = 1/2."""
    # The document stands at rank 2, so it counts at depths 2 and 3 of three.
    w = [Fraction(1), Fraction(1, 4), Fraction(1, 12)]
    working = compatibility.working(["x", "a"], {"a": 1}, p=0.5, depth=3, exact=True)
    assert working.value == (w[1] + w[2]) / sum(w)
    assert list(working["weight from there on"]) == [w[1] + w[2]]
    assert list(working["weight of the ideal order"]) == [sum(w)]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rbo([], []), "nothing to compare"),
        (lambda: rbo("abc", ["a"]), "the ranking is the text 'abc'"),
        (lambda: rbo({"a", "b"}, ["a"]), "is not an order; give a list, best first"),
        (lambda: rbo({"a": 1, "b": 1}, ["a", "b"]), "the order open.* give the order as a list"),
        (lambda: rbo(["a", "a"], ["a"]), "ranked twice"),
        (lambda: rbo(["a"], ["a"], p=1), "p=1"),
        (lambda: rbo(["a"], {"a": float("nan")}), "document 'a': score nan"),
        (lambda: kendall_tau(["a", "b"], ["a", "c"]), "'b' is in one order only"),
        (lambda: kendall_tau(["a"], ["a"]), "at least two"),
        (lambda: tau_ap(["a", "b"], {"a": 1, "b": 1}), "equal scores"),
        (lambda: compatibility(["a"], {"a": 1}, p=0), "p=0"),
        (lambda: compatibility(["a"], {"a": 1}, depth=0), "at least 1"),
    ],
)
def test_what_has_no_value_is_refused(call, words):
    """Each message says what is wrong."""
    with pytest.raises(InputError, match=words):
        call()


def test_an_irrational_tau_is_no_fraction():
    """Tau-b of one tie among three pairs divides by the root of 6."""
    with pytest.raises(NotRational):
        kendall_tau({"a": 1, "b": 1, "c": 0}, ["a", "b", "c"], exact=True)
    orders = ({"a": 1, "b": 1, "c": 0}, ["a", "b", "c"]), (["a", "b"], ["b", "a"])
    for pair in (orders, orders[::-1]):
        both = Orders.joined([kendall_tau.align(*one, exact=True) for one in pair])
        with pytest.raises(NotRational):
            kendall_tau.measured(both)
        both = Orders.joined([kendall_tau.align(*one) for one in pair])
        each = [kendall_tau(*one) for one in pair]
        assert kendall_tau.measured(both).score.tolist() == each


def test_the_command_says_how_a_second_order_is_given(capsys):
    """As judgments it is refused; what is said to write works, as in Python."""
    assert main(["explain", "tau", "--ranking", "a,b", "--judgments", "b,a"]) == 2
    assert "give --ranking a,b,c and --other b,a,c alone" in capsys.readouterr().err
    assert main(["explain", "tau", "--ranking", "a,b", "--other", "b,a"]) == 0
    assert capsys.readouterr().out.strip() == str(explain("tau", ["a", "b"], ["b", "a"])).strip()
