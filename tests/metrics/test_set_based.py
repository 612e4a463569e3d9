"""Precision, recall, F, success, R-precision: the lecture's examples, oracles, libraries."""

from fractions import Fraction

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import rankings as oracle
from irmetrics_edu.diagnosis.conformance.adapters import measure_of_ir_measures
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.metrics.set_based import f_measure, precision, r_precision, recall, success
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.rows.ranked_rows import Rows
from tests.oracles import graded

# Lecture slides on evaluating web search, two systems and two queries.
JUDGED_1 = {"d3", "d4", "d6", "d9"}
JUDGED_2 = {"d1", "d2", "d13"}
SYSTEM_1_QUERY_1 = ["d3", "d6", "d8", "d10", "d11"]
SYSTEM_1_QUERY_2 = ["d1", "d4", "d7", "d11", "d13"]
SYSTEM_2_QUERY_1 = ["d6", "d7", "d2", "d9"]
SYSTEM_2_QUERY_2 = ["d1", "d2", "d4", "d13", "d14"]

documents = [f"d{i}" for i in range(8)]
judgments = st.dictionaries(
    st.sampled_from(documents), st.sampled_from([0, 0, 1, 1, 2, None]), min_size=1
).filter(lambda j: any(g is not None for g in j.values()))
rankings = st.lists(st.sampled_from(documents), unique=True, max_size=8)
cuts = st.sampled_from([None, 1, 2, 3, 5, 10])


def test_precision_and_recall_of_both_systems_as_printed():
    """System 1 has 2/5 and 2/4, system 2 has 2/4 and 2/4 on query 1."""
    assert precision(SYSTEM_1_QUERY_1, JUDGED_1, exact=True) == Fraction(2, 5)
    assert recall(SYSTEM_1_QUERY_1, JUDGED_1, exact=True) == Fraction(2, 4)
    assert precision(SYSTEM_2_QUERY_1, JUDGED_1, exact=True) == Fraction(2, 4)
    assert recall(SYSTEM_2_QUERY_1, JUDGED_1, exact=True) == Fraction(2, 4)


def test_precision_at_a_cut_as_printed():
    """P@2 = 1 and P@5 = 2/5 for system 1, query 1; 1 and 3/5 for system 2, query 2."""
    assert (precision @ 2)(SYSTEM_1_QUERY_1, JUDGED_1) == 1
    assert (precision @ 5)(SYSTEM_1_QUERY_1, JUDGED_1, exact=True) == Fraction(2, 5)
    assert (precision @ 2)(SYSTEM_2_QUERY_2, JUDGED_2) == 1
    assert (precision @ 5)(SYSTEM_2_QUERY_2, JUDGED_2, exact=True) == Fraction(3, 5)


def test_the_slide_means_the_judgments_of_the_other_query():
    """Against query 1's answers, under which the slide puts them, they would be 0 and 1/5."""
    assert (precision @ 2)(SYSTEM_2_QUERY_2, JUDGED_1) == 0
    assert (precision @ 5)(SYSTEM_2_QUERY_2, JUDGED_1, exact=True) == Fraction(1, 5)


def test_r_precision_as_printed():
    """1/3 for system 1, 2/3 for system 2."""
    assert r_precision(SYSTEM_1_QUERY_2, JUDGED_2, exact=True) == Fraction(1, 3)
    assert r_precision(SYSTEM_2_QUERY_2, JUDGED_2, exact=True) == Fraction(2, 3)


def test_a_short_list_is_divided_by_k_or_by_its_length_as_named():
    """Four retrieved, two relevant: 2/5 at 5, and 2/4 only if one says so."""
    at_5 = precision @ 5
    assert at_5(SYSTEM_2_QUERY_1, JUDGED_1, exact=True) == Fraction(2, 5)
    assert at_5(SYSTEM_2_QUERY_1, JUDGED_1, divisor="retrieved", exact=True) == Fraction(2, 4)


def test_recall_may_be_divided_by_what_is_reachable():
    """At k = 1 of 4 relevant documents, one hit is 1/4 of all and all that is reachable."""
    at_1 = recall @ 1
    assert at_1(SYSTEM_2_QUERY_1, JUDGED_1) == 0.25
    assert at_1(SYSTEM_2_QUERY_1, JUDGED_1, divisor="reachable") == 1


@pytest.mark.parametrize(
    ("k", "bound_of_precision", "bound_of_recall"),
    [(2, 1, Fraction(1, 2)), (4, 1, 1), (5, Fraction(4, 5), 1)],
)
def test_the_upper_bounds_at_a_cut(k, bound_of_precision, bound_of_recall):
    """With R = 4: P@k is at most min(k, R)/k and R@k at most min(1, k/R)."""
    for metric, bound in ((precision, bound_of_precision), (recall, bound_of_recall)):
        working = metric.working(SYSTEM_2_QUERY_1, JUDGED_1, k=k, exact=True)
        assert working["theoretical upper bound"].tolist() == [bound]
        best = sorted(JUDGED_1)
        assert metric(best, JUDGED_1, k=k, exact=True) == bound


def test_the_two_forms_of_f_agree():
    """Alpha = 1/(beta^2 + 1); with beta = 1 it is 2PR/(P + R)."""
    example = (SYSTEM_1_QUERY_1, JUDGED_1)
    assert f_measure(*example, exact=True) == Fraction(4, 9)
    assert f_measure(*example, beta=2, exact=True) == f_measure(
        *example, alpha=Fraction(1, 5), exact=True
    )
    assert f_measure(*example, alpha=1, exact=True) == Fraction(2, 5)
    assert f_measure(*example, alpha=0, exact=True) == Fraction(1, 2)


def test_returning_everything_has_a_low_f_and_an_arithmetic_mean_above_one_half():
    """Why the mean is harmonic: 4 relevant of 1000 retrieved."""
    P, R = Fraction(4, 1000), 1
    relevance = [1] * 4 + [0] * 996
    assert f_measure(relevance, exact=True) == 2 * P * R / (P + R) < Fraction(1, 100)
    assert Fraction(1, 2) < (P + R) / 2


def test_order_is_of_no_account_to_sets():
    """Ten relevant documents first or last of twenty: the same P, R and F."""
    early, late = [1] * 10 + [0] * 10, [0] * 10 + [1] * 10
    for metric in (precision, recall, f_measure):
        assert metric(early) == metric(late)
    assert (precision @ 10)(early) == 1 > (precision @ 10)(late) == 0


@given(ranking=rankings, judged=judgments, k=cuts, rel=st.sampled_from([1, 2]))
def test_equal_to_the_oracle(ranking, judged, k, rel):
    """Every measure is, exactly, what loops give."""
    loop = (*graded(ranking, judged), k)
    options = {"k": k, "rel": rel, "exact": True}
    assert precision(ranking, judged, **options) == oracle.precision(*loop, rel=rel)
    assert recall(ranking, judged, **options) == oracle.recall(*loop, rel=rel)
    assert success(ranking, judged, **options) == oracle.success(*loop, rel=rel)
    assert r_precision(ranking, judged, rel=rel, exact=True) == oracle.r_precision(*loop, rel=rel)
    for beta in (Fraction(1, 2), 1, 3):
        expected = oracle.f_measure(*loop, beta=beta, rel=rel)
        assert f_measure(ranking, judged, beta=beta, **options) == expected


def run_and_qrels(ranking, judged):
    """As trec_eval's bindings want them: falling scores, no ties, whole grades."""
    run = {d: float(len(ranking) - i) for i, d in enumerate(ranking)}
    return {"q": run}, {"q": {d: g for d, g in judged.items() if g is not None}}


@given(ranking=rankings.filter(bool), judged=judgments)
def test_equal_to_trec_eval(ranking, judged):
    """P_5, recall_5, success_5, Rprec, set_P, set_recall and set_F are the same."""
    run, qrels = run_and_qrels(ranking, judged)
    wanted = {"P", "recall", "success", "Rprec", "set_P", "set_recall", "set_F"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)["q"]
    ours = {
        "P_5": precision @ 5,
        "recall_5": recall @ 5,
        "success_5": success @ 5,
        "Rprec": r_precision,
        "set_P": precision,
        "set_recall": recall,
        "set_F": f_measure,
    }
    for name, metric in ours.items():
        assert metric(ranking, judged) == pytest.approx(theirs[name], abs=1e-6)


def test_read_and_scored_as_ir_measures_does():
    """The names of ir_measures are read, and mean what they mean there."""
    run, qrels = run_and_qrels(SYSTEM_2_QUERY_2, {"d1": 2, "d2": 1, "d13": 1, "d14": 0, "d7": 1})
    for name in ("P@2", "P(rel=2)@5", "R@3", "SetP", "SetR", "SetF", "Rprec"):
        theirs = ir_measures.calc_aggregate([measure_of_ir_measures(name)], qrels, run)
        ours = parse(name)(SYSTEM_2_QUERY_2, qrels["q"])
        assert [ours] == pytest.approx(list(theirs.values()))


def test_the_beta_of_trec_eval_is_not_squared():
    """Its F at beta is (beta + 1)PR/(beta P + R): ours at alpha = 1/(beta + 1), so not at beta."""
    judged = {"d1": 1, "d2": 1, "d13": 1, "d14": 0, "d7": 1}
    run, qrels = run_and_qrels(SYSTEM_2_QUERY_2, judged)
    measure = measure_of_ir_measures("SetF(beta=2.0)")
    theirs = ir_measures.calc_aggregate([measure], qrels, run)[measure]
    P, R = Fraction(3, 5), Fraction(3, 4)
    assert theirs == pytest.approx(float(3 * P * R / (2 * P + R)))
    example = (SYSTEM_2_QUERY_2, judged)
    assert f_measure(*example, alpha=Fraction(1, 3)) == pytest.approx(theirs)
    assert f_measure(*example, beta=2, exact=True) == 5 * P * R / (4 * P + R)
    assert f_measure(*example, beta=2) != pytest.approx(theirs)


@given(cases=st.lists(st.tuples(rankings, judgments), min_size=1, max_size=5), k=cuts)
def test_many_queries_at_once_equal_each_alone(cases, k):
    """No query sees another, whatever the cut."""
    together = Rows.joined([align(*case) for case in cases])
    for metric in (precision, recall, f_measure, success):
        alone = [metric(*case, k=k) for case in cases]
        assert metric.measured(together, k).score.tolist() == pytest.approx(alone)
    alone = [r_precision(*case) for case in cases]
    assert r_precision.measured(together).score.tolist() == pytest.approx(alone)


@pytest.mark.parametrize("metric", [recall, f_measure, r_precision])
def test_a_query_without_relevant_documents_is_worth_what_is_said(metric):
    """0 by default, 1 or no score on demand."""
    assert metric([0, 0]) == 0
    assert metric([0, 0], no_relevant="one") == 1
    assert metric([0, 0], no_relevant="one", exact=True) == 1
    assert np.isnan(metric([0, 0], no_relevant="nan"))
    assert np.isnan(metric([0, 0], no_relevant="nan", exact=True))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: precision([1], divisor="hits"), "divisor=hits .*k or retrieved"),
        (lambda: recall([1], divisor="k"), "divisor=k .*relevant or reachable"),
        (lambda: f_measure([1], alpha=1.5), r"alpha=1\.5 is out of range"),
        (lambda: f_measure([1], beta=-1), "beta=-1 is out of range"),
        (lambda: f_measure([1], beta=float("inf")), "beta = inf is not finite"),
        (lambda: f_measure([1], beta=2, alpha=0.5), "give one of them.*alpha=0.2"),
        (lambda: precision([0.5, 1]), "0.5 is neither 0 nor at least 1"),
        (lambda: (precision @ 0)([1]), "k=0"),
        (lambda: precision([]), "nothing is judged"),
    ],
)
def test_bad_input_is_refused_with_a_remedy(call, message):
    """The message says what was given and what would do."""
    with pytest.raises(InputError, match=message):
        call()
