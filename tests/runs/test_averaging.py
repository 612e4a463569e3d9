"""Macro- and micro-averaged shares, against fractions counted by hand and in loops."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from irmetrics_edu import compare, diagnose, evaluate, explain
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import assert_metric, assert_no_regression
from irmetrics_edu.gate.against_baseline import Gate
from irmetrics_edu.runs.averaging import SHARES

RUN = {"q1": ["a", "b", "c"], "q2": ["x", "y", "z"]}
QRELS = {"q1": {"a": 1}, "q2": {"y": 1, "z": 1, "v": 1, "w": 1}}
# 1 of 1 and 2 of 4 relevant documents were found: 3 of 5 together, (1 + 1/2) / 2 in the mean.
MICRO, MACRO = Fraction(3, 5), Fraction(3, 4)


def test_micro_is_the_share_of_all_hits_and_macro_the_mean():
    """By hand."""
    assert evaluate(RUN, QRELS, "R@3", averaging="micro")["R@3"] == pytest.approx(float(MICRO))
    assert evaluate(RUN, QRELS, "R@3", averaging="macro")["R@3"] == pytest.approx(float(MACRO))
    assert evaluate(RUN, QRELS, "micro-R@3")["micro-R@3"] == pytest.approx(float(MICRO))
    assert evaluate(RUN, QRELS, "R@3")["R@3"] == pytest.approx(float(MACRO))


def test_a_measure_has_the_averaging_of_its_library():
    """Precision of implicit is pooled, its other measures are means; a keyword holds for all."""
    e = evaluate(RUN, QRELS, "P@3 nDCG@3", "implicit")
    assert e["P@3"] == pytest.approx(3 / (1 + 3))  # min(k, R) is 1 and 3
    assert e["nDCG@3"] == pytest.approx(sum(e.per_query["nDCG@3"].values()) / 2)
    assert any("P@3: micro-averaged" in note and "implicit" in note for note in e.notes())
    macro = evaluate(RUN, QRELS, "P@3", "implicit", averaging="macro")
    assert macro["P@3"] == pytest.approx((1 + 2 / 3) / 2)
    assert not any("averaged" in note for note in macro.notes())


def test_the_working_is_shown():
    """Values, divisors and both sums."""
    working = evaluate(RUN, QRELS, "R@3", averaging="micro").aggregation("R@3")
    assert working["divisor"].tolist() == [1, 4]
    assert working["value x divisor"].tolist() == [1, 2]
    assert (working["numerator"].item(), working["denominator"].item()) == (3, 5)
    assert r"\sum_q h_q" in working.formula
    assert str(explain(working)).startswith("micro-average = numerator / denominator = 3 / 5")


DIVISORS = ("P", "P(divisor=retrieved)", "P(divisor=reachable)", "R")


def pooled(run, qrels, k, name):
    """A plain oracle: all hits over the sum of what the measure divides by."""
    hits = total = 0
    for query, judged in qrels.items():
        ranked = run.get(query, [])[:k]
        relevant = [d for d, grade in judged.items() if grade >= 1]
        hits += sum(d in relevant for d in ranked)
        total += (k, len(ranked), min(k, len(relevant)), len(relevant))[DIVISORS.index(name)]
    return hits / total if total else 0.0


IDS = st.lists(st.sampled_from("abcdef"), unique=True)
JUDGED = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 2), min_size=1)


@given(
    st.dictionaries(st.sampled_from("123"), IDS),
    st.dictionaries(st.sampled_from("1234"), JUDGED, min_size=1),
    st.integers(1, 4),
    st.sampled_from(DIVISORS),
)
def test_micro_averages_pool_the_counts(run, qrels, k, name):
    """Whatever the run lacks: against counting in a loop."""
    assume(run.keys() & qrels.keys())
    found = evaluate(run, qrels, f"{name}@{k}", averaging="micro")
    assert next(iter(found.mean.values())) == pytest.approx(pooled(run, qrels, k, name))


def test_equal_divisors_make_no_difference():
    """P@k divides by k for every query."""
    e = evaluate(RUN, QRELS, "P@3 micro-P@3")
    assert e["P@3"] == pytest.approx(e["micro-P@3"])


def test_pairs_of_all_queries_in_one_pool():
    """Joachims' accuracy by document: 1 of 1 and 1 of 3 pairs are 2 of 4."""
    run = {"q1": ["a", "b"], "q2": ["x", "y", "z"]}
    qrels = {"q1": {"a": 2, "b": 1}, "q2": {"x": 1, "y": 0, "z": 2}}
    e = evaluate(run, qrels, "pair_accuracy", averaging="micro")
    assert e["pair_accuracy"] == pytest.approx(2 / 4)
    # Surprise: 1 concordant pair in the mean of either, 2 discordant ones of the one that has any.
    apart = evaluate(run, qrels, "pair_accuracy", "surprise")
    assert apart["pair_accuracy"] == pytest.approx(1 / (1 + 2))


def test_what_is_no_count_over_another_is_refused():
    """The error says which measures can be pooled."""
    with pytest.raises(InputError, match="nDCG is not a count over a count; it is for P, R, Hole"):
        evaluate(RUN, QRELS, "nDCG@3", averaging="micro")
    with pytest.raises(InputError, match="use one of macro, micro"):
        evaluate(RUN, QRELS, "P@3", averaging="weighted")
    with pytest.raises(InputError):  # AP has a divisor, and what is above it is no count
        evaluate(RUN, QRELS, "AP", averaging="micro")
    assert "AP" not in SHARES


def test_gmap_stays_geometric():
    """Its name says which mean it is."""
    by = evaluate(RUN, QRELS, "GMAP", averaging="micro")
    assert by["GMAP"] == evaluate(RUN, QRELS, "GMAP")["GMAP"]


def test_where_nothing_is_divided_by_the_values_count():
    """No query has a relevant document: 0, or what the conventions say of such a query."""
    nothing = {"q1": {"a": 0}, "q2": {"x": 0}}
    assert evaluate(RUN, nothing, "R@3", averaging="micro")["R@3"] == 0
    one = evaluate(RUN, nothing, "R(no_relevant=one)@3", averaging="micro")
    assert next(iter(one.mean.values())) == 1


def test_assertions_bound_the_micro_average_and_that_of_groups():
    """The mean of a group is pooled too."""
    groups = {"q1": "en", "q2": "en"}
    given = {"averaging": "micro", "groups": groups}
    assert assert_metric("R@3", RUN, QRELS, every_group_at_least=0.6, **given) == pytest.approx(0.6)
    with pytest.raises(AssertionError):
        assert_metric("R@3", RUN, QRELS, every_group_at_least=0.61, **given)
    with pytest.raises(AssertionError):
        assert_metric("R@3", RUN, QRELS, at_least=0.7, conventions="trec_eval", averaging="micro")


def test_gates_refuse_it_and_say_why():
    """A paired test of the queries' values is no test of a pooled share."""
    with pytest.raises(InputError, match="not the mean of its queries' values"):
        assert_no_regression(RUN, RUN, QRELS, "R@3", averaging="micro")
    assert assert_no_regression(RUN, RUN, QRELS, "R@3", averaging="macro")
    with pytest.raises(InputError, match="test R@3, whose mean"):  # before a baseline is written
        Gate(RUN, QRELS, "micro-R@3", {})


def test_compare_shows_it_and_tests_the_others():
    """Holm's correction is over the tests that were made."""
    turned = {q: ranking[::-1] for q, ranking in RUN.items()}
    c = compare({"old": RUN, "new": turned}, QRELS, "micro-R@2 nDCG@2")
    shown = str(c)
    assert "0.4000" in shown  # a, and y: 2 of 5
    assert "micro-R@2: with averaging=micro" in shown
    with pytest.raises(InputError, match="test R@2, whose mean"):
        c.tested("new", "micro-R@2")
    alone = c.tested("new", "nDCG@2")
    assert alone.adjusted == alone.p
    assert [one["measure"] for one in c.facts()["comparisons"]] == ["nDCG@2"]
    only = compare({"old": RUN, "new": turned}, QRELS, "micro-R@2")
    assert "no difference was tested" in str(only)


def test_summary_gives_it_no_interval():
    """The interval is of a mean of values."""
    shown = evaluate(RUN, QRELS, "micro-R@3").summary()
    assert shown.lines[0][-2:] == pytest.approx([float("nan")] * 2, nan_ok=True)
    assert any("micro-R@3 has no interval" in note for note in shown.notes)


def test_diagnosis_names_it():
    """3/5 is no mean of 1 and 1/2; of one query it makes no difference, and is no switch."""
    found = diagnose("R@3", RUN, QRELS, value=0.6)
    assert 'averaging="micro"' in found.text
    assert any("Torch-RecHub: Hit@3" in c.libraries for c in found.candidates)
    one = diagnose("R@3", {"q2": RUN["q2"]}, {"q2": QRELS["q2"]}, value=0.5)
    assert "averaging" not in one.text
