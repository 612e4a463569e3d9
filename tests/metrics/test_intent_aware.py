"""ERR-IA, P-IA, AP-IA, NRBP and subtopic recall."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import nuggets as oracle
from dev.tools.vectors.oracles import rankings as of_one_intent
from irmetrics_edu import (
    alpha_dcg,
    average_precision,
    err,
    err_ia,
    nrbp,
    parse,
    subtopic_recall,
)
from irmetrics_edu.diagnosis.conformance.adapters import measure_of_ir_measures
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.per_intent import average_precision_ia, precision_ia
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import align_nuggets
from tests.metrics.test_novelty import alphas, cuts, in_their_words, judgments, rankings

HELD = {"a": {"A": 2, "B": 1}, "b": {"A": 1}, "c": {"C": 2}, "d": {}}
INTENTS = {"A": Fraction(1, 2), "B": Fraction(1, 4), "C": Fraction(1, 4)}

NAMES = [
    "ERR-IA@2", "ERR-IA@20", "nERR-IA@1", "nERR-IA@2", "nERR-IA@20",
    "P-IA@1", "P-IA@2", "P-IA@20", "strec@1", "strec@2", "strec@20", "NRBP", "nNRBP", "MAP-IA",
]  # fmt: skip

weights = st.lists(st.integers(0, 4), min_size=4, max_size=4).filter(any)


def probabilities(given_weights):
    """Probabilities of the four intents, as fractions that sum to 1."""
    return {t: Fraction(w, sum(given_weights)) for t, w in zip("ABCD", given_weights, strict=True)}


def covering(nuggets, intents):
    """The judgments without the intents that nobody has."""
    return {d: {t: g for t, g in held.items() if intents[t]} for d, held in nuggets.items()}


@given(rankings.filter(bool), judgments, st.sampled_from([0.25, 0.5, 0.75]), alphas)
def test_equals_ndeval(ranking, nuggets, alpha, beta):
    """Every intent-aware measure of ndeval, under the conventions that are its own."""
    pyndeval = pytest.importorskip("pyndeval")
    qrels, run = in_their_words(ranking, nuggets)
    if not any(g >= 1 for *_, g in qrels) or beta == 1:
        return
    theirs = pyndeval.ndeval(qrels, run, measures=NAMES, alpha=alpha, beta=beta)["q"]
    at_one_half = pyndeval.ndeval(qrels, run, measures=NAMES, alpha=0.5)["q"]
    binary = {d: {t for t, g in held.items() if g >= 1} for d, held in nuggets.items()}
    for name in NAMES:
        metric, value = parse(name), theirs[name]
        if "ERR" in name:
            # A binary grade stops the reader with probability 1/2, whatever alpha is elsewhere.
            value = at_one_half[name]
        if "NRBP" in name:
            metric = metric.using(alpha=alpha, beta=beta)
        if name.startswith("n"):
            metric = metric.using(ideal="ndeval")
        assert metric(ranking, binary) == pytest.approx(value), name


def test_equals_ir_measures():
    """The same through the other binding, by its own notation."""
    ir_measures = pytest.importorskip("ir_measures")
    qrels = [ir_measures.Qrel("q", d, g, t) for d, h in HELD.items() for t, g in h.items()]
    run = [ir_measures.ScoredDoc("q", d, float(-i)) for i, d in enumerate("dbac")]
    names = ["ERR_IA@10", "nERR_IA@10", "P_IA@2", "AP_IA", "StRecall@2", "NRBP", "nNRBP"]
    binary = {d: set(h) for d, h in HELD.items()}
    for name in names:
        measure = measure_of_ir_measures(name)
        theirs = ir_measures.calc_aggregate([measure], qrels, run)[measure]
        assert parse(name)(list("dbac"), binary) == pytest.approx(theirs), name


def nrbp_in_loops(ranking, nuggets, alpha, beta):
    """The oracle's NRBP of judgments that all queries share."""
    by = {"normalisation": "collection_independent", "no_relevant": "zero"}
    return oracle.nrbp(ranking, nuggets, None, alpha=alpha, beta=beta, **by)


@given(rankings, judgments, weights, cuts)
def test_err_ia_is_its_definition(ranking, nuggets, given_weights, k):
    """The mean ERR by the intents' probabilities, exactly."""
    intents = probabilities(given_weights)
    nuggets = covering(nuggets, intents)
    value = err_ia(
        ranking, nuggets, k=k, max_grade=2, intents=intents, normalisation="none", exact=True
    )
    mean = oracle.over_intents(of_one_intent.err)
    assert value == mean(ranking, nuggets, k, intents=intents, max_grade=2)


def test_err_ia_is_the_mean_of_err():
    """One intent's ERR is that of the metric for a single intent."""
    ranking = ["b", "c", "a"]
    options = {"max_grade": 2, "exact": True}
    by_intent = {
        t: err(ranking, {d: h.get(t, 0) for d, h in HELD.items()}, **options) for t in "ABC"
    }
    value = err_ia(ranking, HELD, intents=INTENTS, normalisation="none", **options)
    assert value == sum(p * by_intent[t] for t, p in INTENTS.items())


def test_binary_err_ia_is_half_the_mean_reciprocal_alpha_dcg():
    """With even intents ERR-IA and alpha-DCG at alpha = 1/2 differ by discount and scale alone."""
    held = {d: set(h) for d, h in HELD.items()}
    ranking = list("dbac")
    value = err_ia(ranking, held, normalisation="none", exact=True)
    gains = alpha_dcg(ranking, held, alpha=Fraction(1, 2), discount="reciprocal", exact=True)
    assert value == gains / 2 / 3


@given(rankings, judgments, alphas, alphas.filter(lambda b: b < 1))
def test_nrbp_is_its_definition(ranking, nuggets, alpha, beta):
    """The gains of alpha-DCG, discounted by patience, exactly."""
    alpha, beta = Fraction(alpha), Fraction(beta)
    value = nrbp(ranking, nuggets, alpha=alpha, beta=beta, exact=True)
    assert value == nrbp_in_loops(ranking, nuggets, alpha, beta)


@given(rankings, judgments, cuts)
def test_subtopic_recall_is_its_definition(ranking, nuggets, k):
    """The union of what is covered over the union of what there is."""
    value = subtopic_recall(ranking, nuggets, k=k, exact=True)
    assert value == oracle.subtopic_recall(ranking, nuggets, k, rel=1, no_relevant="zero")


def test_mean_of_precisions_by_hand():
    """P and AP per intent, weighed by the intents' probabilities."""
    binary = {d: set(h) for d, h in HELD.items()}
    options = {"intents": INTENTS, "exact": True}
    ranking = ["b", "c", "a"]
    assert precision_ia(ranking, binary, k=2, **options) == Fraction(3, 8)
    third = average_precision(ranking, {"a": 1}, exact=True)
    assert third == Fraction(1, 3)
    right = Fraction(5, 6) / 2 + third / 4 + Fraction(1, 2) / 4
    assert average_precision_ia(ranking, binary, **options) == right
    working = average_precision_ia.working(ranking, binary, **options)
    assert list(working["nugget"]) == ["A", "B", "C"]
    assert list(working["AP"]) == [Fraction(5, 6), third, Fraction(1, 2)]


METRICS = [err_ia, precision_ia, average_precision_ia, nrbp, subtopic_recall]


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.name)
@given(queries=st.lists(st.tuples(rankings, judgments), min_size=1, max_size=4))
def test_many_queries_at_once_equal_each_alone(metric, queries):
    """No query sees another."""
    options = {"max_grade": 2} if metric is err_ia else {}
    rows = [align_nuggets(r, n) for r, n in queries]
    together = (
        metric.measured(NuggetRows.joined(rows), 2, **options)
        if metric.has_cutoff
        else (metric.measured(NuggetRows.joined(rows), **options))
    )
    options |= {"k": 2} if metric.has_cutoff else {}
    alone = [metric(r, n, **options) for r, n in queries]
    assert together.score == pytest.approx(alone)
    for q in range(len(rows)):
        assert together.of(q).value == pytest.approx(alone[q])


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.name)
@given(ranking=rankings, nuggets=judgments)
def test_rows_without_nuggets_may_be_left_out(metric, ranking, nuggets):
    """Unjudged documents keep their ranks, whether their rows are there or not."""
    rows = align_nuggets(ranking, nuggets)
    fewer = rows.take(np.flatnonzero(rows.judged))
    options = {"max_grade": 2} if metric is err_ia else {}
    np.testing.assert_allclose(
        metric.measured(rows, **options).score, metric.measured(fewer, **options).score
    )


@given(rankings, judgments)
def test_even_intents_are_the_default(ranking, nuggets):
    """Giving every nugget that is held the same probability changes nothing."""
    nuggets = {d: {t: 1 for t, g in h.items() if g} for d, h in nuggets.items()}
    names = oracle.known(nuggets)
    if not names:
        return
    even = dict.fromkeys(names, Fraction(1, len(names)))
    for metric in (err_ia, nrbp, precision_ia, average_precision_ia):
        assert metric(ranking, nuggets, intents=even) == pytest.approx(metric(ranking, nuggets))


def test_an_intent_that_nothing_serves_counts():
    """Whoever asks for it finds nothing: the mean over intents says so."""
    held = {"a": {"A"}}
    intents = {"A": 0.5, "B": 0.5}
    assert precision_ia(["a"], held, intents=intents) == 0.5
    assert average_precision_ia(["a"], held, intents=intents) == 0.5


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: precision_ia(["a"], HELD, intents={"A": 0.5, "B": 0.25, "C": 0.2}), "sum to 0.95"),
        (lambda: precision_ia(["a"], HELD, intents={"A": 0.5, "B": 0.5}), "'C' has no probability"),
        (
            lambda: precision_ia(["a"], HELD, intents={"A": 2, "B": -1, "C": 0}),
            "intent 'A': probability 2 is not between 0 and 1",
        ),
        (
            lambda: precision_ia(["a"], HELD, intents={"A": float("nan"), "B": 1, "C": 0}),
            "not finite",
        ),
        (lambda: precision_ia(["a"], HELD, intents=["A"]), "map each nugget"),
        (lambda: err_ia(["a"], HELD), "grade 2 is above max_grade=1"),
        (lambda: err_ia(["a"], HELD, max_grade=0), "max_grade"),
        (lambda: err_ia(["a"], HELD, max_grade=2.5), "whole number"),
        (lambda: nrbp(["a"], HELD, beta=1), "beta=1"),
        (lambda: nrbp(["a"], HELD, alpha=-1), "alpha=-1"),
        (lambda: nrbp(["a"], HELD, k=3), "k"),
        (lambda: subtopic_recall(["a"], HELD, intents=INTENTS), "takes no 'intents'"),
    ],
)
def test_bad_input_is_refused(call, words):
    """The message names the place and what would do."""
    with pytest.raises(InputError, match=words):
        call()


def test_queries_with_and_without_probabilities_do_not_mix():
    """A mean over both would compare unlike things."""
    rows = [align_nuggets(["a"], HELD, intents=INTENTS), align_nuggets(["a"], HELD)]
    with pytest.raises(InputError, match="for every query or for none"):
        NuggetRows.joined(rows)


def test_an_exact_ideal_has_no_ties_on_the_way():
    """Whichever documents are alike, none is chosen before the whole order is known."""
    held = {"a": {"A"}, "b": {"A"}, "c": {"B"}}
    for metric in (err_ia, nrbp):
        working = metric.working(["a"], held, normalisation="collection_dependent", ideal="exact")
        ideal = working[f"ideal {metric.name}"]
        assert ideal["tied"].tolist() == [1, 1, 1]
        greedy = metric.working(["a"], held, normalisation="collection_dependent")
        assert greedy[f"ideal {metric.name}"]["tied"].tolist() == [3, 1, 1]


@pytest.mark.parametrize("top", [1, 2, 3, 5])
def test_err_ia_on_each_scale_by_hand(top):
    """A document of the top grade stops a reader with probability s = 1 - 1/2^top.

    After two of them, s + s (1 - s) / 2 have stopped, as after two perfect ones. One of half the
    scale stops fewer.
    """
    stop = 1 - Fraction(1, 2**top)
    two = stop + stop * (1 - stop) / 2
    held = {"a": {"A": top}, "b": {"A": top}, "c": {"A": 1}}
    options = {"max_grade": top, "exact": True}
    assert err_ia(["a", "b"], held, normalisation="none", **options) == two
    assert err_ia(["a", "b"], held, **options) == 1
    assert err_ia(["a"], held, **options) == 1
    assert err_ia(["c"], held, normalisation="none", **options) == Fraction(1, 2**top)
    assert err_ia(["c"], held, k=2, **options) == Fraction(1, 2**top) / two
