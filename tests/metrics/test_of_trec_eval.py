"""What trec_eval has and few others, and holes, against loops; trec_eval's own values elsewhere."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import rankings
from dev.tools.vectors.oracles import sets as oracle
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics import trec_experiments, trec_format
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.incomplete import hole, judged
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.metrics.of_trec_eval import (
    r_precision_multiple,
    set_average_precision,
    utility,
)
from irmetrics_edu.metrics.set_based import precision, r_precision, recall, success

gaps = st.lists(st.none() | st.integers(0, 2), min_size=1, max_size=12)
missed = st.lists(st.integers(0, 2), min_size=1, max_size=5)
cuts = st.none() | st.integers(1, 15)
multiples = st.fractions(Fraction(1, 20), 3, max_denominator=20)


def _inputs(grades, more):
    """A ranking and judgments, and the grades of the whole pool."""
    judgments = {f"d{i}": g for i, g in enumerate(grades) if g is not None}
    judgments |= {f"x{i}": g for i, g in enumerate(more)}
    return [f"d{i}" for i in range(len(grades))], judgments, list(judgments.values())


@given(gaps, missed, multiples)
def test_r_precision_at_a_multiple_counts_down_to_it(grades, more, multiple):
    """Rounded up, exactly: 2/3 of 3 documents is 2."""
    ranking, judgments, pool = _inputs(grades, more)
    expected = oracle.r_precision_multiple(grades, pool, multiple=multiple)
    assert r_precision_multiple(ranking, judgments, multiple=multiple, exact=True) == expected


@given(gaps, missed, cuts)
def test_sets_are_counted(grades, more, k):
    """set_map, relative precision, utility and holes are what loops give."""
    ranking, judgments, pool = _inputs(grades, more)
    given = (ranking, judgments)
    assert set_average_precision(*given, k=k, exact=True) == oracle.set_map(grades, pool, k)
    reachable = precision.using(divisor="reachable")
    expected = rankings.precision(grades, pool, k, divisor="reachable")
    assert reachable(*given, k=k, exact=True) == expected
    worths = dict(zip(("hit", "other", "missed"), (3, -2, -1), strict=True))
    expected = oracle.utility(grades, pool, k, **worths)
    assert utility(*given, k=k, exact=True, **worths) == expected
    assert hole(*given, k=k, exact=True) == oracle.hole(grades, pool, k)
    assert hole(*given, k=k, divisor="k", exact=True) == oracle.hole(grades, pool, k, divisor="k")
    assert hole(*given, k=k, exact=True) == 1 - judged(*given, k=k, exact=True)


def test_multiple_1_is_r_precision():
    """At R itself the two are one, ties averaged too."""
    run, qrels = {"a": 2, "b": 1, "c": 1, "d": 0}, {"a": 1, "b": 0, "c": 1}
    assert r_precision_multiple(run, qrels) == r_precision(run, qrels)
    shared = r_precision_multiple(run, qrels, ties="averaged", exact=True)
    assert shared == r_precision(run, qrels, ties="averaged", exact=True) == Fraction(3, 4)


@pytest.mark.parametrize("multiple", [0, -1, float("nan"), "x"])
def test_a_multiple_that_is_none_is_refused(multiple):
    """0 documents have no precision."""
    with pytest.raises(InputError, match="multiple"):
        r_precision_multiple([1, 0], multiple=multiple)


@pytest.mark.parametrize("worth", [float("nan"), float("inf"), "1"])
def test_a_worth_that_is_no_number_is_refused(worth):
    """The option is named."""
    with pytest.raises(InputError, match="other"):
        utility([1, 0], other=worth)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("HR@10", success @ 10),
        ("HitRate@10", success @ 10),
        ("context_recall", recall),
        ("context_precision@5", average_precision.using(divisor="hits") @ 5),
        ("recall_capped@10", recall.using(divisor="reachable") @ 10),
        ("R_cap@10", recall.using(divisor="reachable") @ 10),
        ("set_relative_P", precision.using(divisor="reachable")),
        ("unj@5", hole.using(divisor="k") @ 5),
        ("hole@10", hole @ 10),
        ("Rprec_mult@0.4", r_precision_multiple @ 0.4),
    ],
)
def test_names_of_what_exists(name, metric):
    """The names that other libraries and papers use."""
    assert parse(name) == metric


def test_context_precision_as_ragas_defines_it():
    """Its formula by hand: chunks 3 and 4 of 5 are relevant, so (1/3 + 2/4) / 2."""
    assert parse("context_precision")([0, 0, 1, 1, 0], exact=True) == Fraction(5, 12)
    # A relevant passage that is missing costs nothing, as it does in average precision.
    ranking, judgments = ["a", "b"], {"a": 0, "b": 1, "c": 1}
    assert parse("context_precision")(ranking, judgments, exact=True) == Fraction(1, 2)
    assert average_precision(ranking, judgments, exact=True) == Fraction(1, 4)


@pytest.mark.parametrize(
    "measure",
    [trec_experiments.g, trec_experiments.ndcg_at_relevant, trec_experiments.ndcg_at_levels],
)
@pytest.mark.parametrize("gains", [[], [0.0], [0.0, 0.0, 0.0]])
def test_an_experiment_without_any_gain_is_zero(measure, gains):
    """As trec_eval prints it where no document of the query is relevant."""
    assert measure(gains, []) == 0
    assert trec_experiments.binary_g([False] * len(gains), 0) == 0


def test_a_measure_of_trec_evals_has_its_place_and_its_cut_and_others_come_last():
    """As it prints them: by place, then by the number in the name, not by its letters."""
    assert trec_format.theirs("AP") == (0, 0, "map")
    assert trec_format.theirs("P@5") == (6, 5, "P_5")
    assert trec_format.theirs("IPrec@0.5") == (5, 0.5, "iprec_at_recall_0.50")
    assert trec_format.theirs("F") == (23, 0, "set_F")
    assert trec_format.theirs("RBP") == (24, 0, "RBP")
    assert trec_format.in_trec_order(["RBP", "P@10", "F", "P@5", "AP@5", "AP"]) == [
        *("AP", "P@5", "P@10", "AP@5", "F", "RBP"),
    ]
    assert trec_format.in_trec_order(["RBP", "ERR"]) == ["RBP", "ERR"]


def test_the_levels_that_trec_eval_prints_where_none_are_asked_for():
    """Recall from 0 to 1 by tenths, and R from a fifth to twice by fifths."""
    tenths = "0.00 0.10 0.20 0.30 0.40 0.50 0.60 0.70 0.80 0.90 1.00"
    assert " ".join(trec_format.USUAL["iprec_at_recall"]) == tenths
    fifths = "0.20 0.40 0.60 0.80 1.00 1.20 1.40 1.60 1.80 2.00"
    assert " ".join(trec_format.USUAL["Rprec_mult"]) == fifths
