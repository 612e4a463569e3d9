"""bpref, infAP and judged@k against loops, trec_eval and ir_measures."""

from fractions import Fraction

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import assume, given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import further
from dev.tools.vectors.oracles import rankings as oracle
from irmetrics_edu import diagnose
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.incomplete import bpref, inf_ap, judged
from irmetrics_edu.rows.ranked_rows import Rows
from tests.oracles import graded

IDS = [f"d{i:02}" for i in range(14)]
EPSILON = Fraction(1, 100000)
rankings = st.permutations(IDS).flatmap(
    lambda order: st.integers(1, len(IDS)).map(lambda n: order[:n])
)
qrels = st.dictionaries(
    st.sampled_from(IDS), st.none() | st.integers(0, 2), min_size=1, max_size=len(IDS)
)


def _trec_eval(measure: str, ranking: list[str], grades: dict[str, int | None], rel: int) -> float:
    """trec_eval's value, where -1 stands for a document of the pool that nobody judged."""
    judgments = {"q": {d: -1 if g is None else g for d, g in grades.items()}}
    run = {"q": {d: float(len(ranking) - i) for i, d in enumerate(ranking)}}
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, {measure}, relevance_level=rel)
    return evaluator.evaluate(run)["q"][measure]


@given(rankings, qrels, st.integers(1, 2))
def test_bpref_is_the_loops(ranking: list[str], grades: dict[str, int | None], rel: int) -> None:
    """Bpref is, exactly, what counting the documents above each hit gives."""
    expected = oracle.bpref(*graded(ranking, grades), rel=rel)
    assert bpref(ranking, grades, rel=rel, exact=True) == expected


@given(rankings, qrels, st.integers(1, 2))
def test_bpref_is_that_of_trec_eval(
    ranking: list[str], grades: dict[str, int | None], rel: int
) -> None:
    """Bpref equals trec_eval's."""
    theirs = _trec_eval("bpref", ranking, grades, rel)
    assert bpref(ranking, grades, rel=rel) == pytest.approx(theirs, abs=1e-9)


@given(rankings, qrels, st.integers(1, 2), st.sampled_from([EPSILON, Fraction(1, 2)]))
def test_inf_ap_is_the_loops(
    ranking: list[str], grades: dict[str, int | None], rel: int, epsilon: Fraction
) -> None:
    """InfAP is, exactly, the expected precision at each hit, added up."""
    pooled = {d: -1 if g is None else g for d, g in grades.items()}
    expected = further.inferred_ap(*graded(ranking, pooled), epsilon=epsilon, rel=rel)
    assert inf_ap(ranking, grades, rel=rel, epsilon=epsilon, exact=True) == expected


@given(rankings, qrels, st.integers(1, 2))
def test_inf_ap_is_that_of_trec_eval(
    ranking: list[str], grades: dict[str, int | None], rel: int
) -> None:
    """InfAP equals trec_eval's, whether the unjudged of the pool are None or negative."""
    theirs = _trec_eval("infAP", ranking, grades, rel)
    negative = {d: -1 if g is None else g for d, g in grades.items()}
    assert inf_ap(ranking, grades, rel=rel) == pytest.approx(theirs, abs=1e-9)
    assert inf_ap(ranking, negative, rel=rel, negative="unjudged") == pytest.approx(
        theirs, abs=1e-9
    )


@given(rankings, qrels, st.none() | st.integers(1, 16))
def test_judged_is_that_of_ir_measures(
    ranking: list[str], grades: dict[str, int | None], k: int | None
) -> None:
    """judged@k is the loop's and ir_measures'."""
    known = {d: g for d, g in grades.items() if g is not None}
    assume(known)
    run = {"q": {d: float(len(ranking) - i) for i, d in enumerate(ranking)}}
    measure = ir_measures.Judged if k is None else ir_measures.Judged @ k
    theirs = ir_measures.calc_aggregate([measure], {"q": known}, run)[measure]
    assert judged(ranking, grades, k=k) == pytest.approx(theirs)
    assert judged(ranking, grades, k=k, exact=True) == further.judged(*graded(ranking, grades), k)


@given(rankings, qrels)
def test_rows_of_the_unjudged_make_no_difference(
    ranking: list[str], grades: dict[str, int | None]
) -> None:
    """Rows of unjudged documents may be left out; for infAP those outside the pool alone."""
    rows = bpref.align(ranking, grades)
    for metric, kept in ((bpref, rows.judged), (judged, rows.judged), (inf_ap, _pooled(rows))):
        whole, less = metric.measured(rows).score, metric.measured(rows.where(kept)).score
        assert np.allclose(whole, less)


def _pooled(rows: Rows) -> np.ndarray:  # type: ignore[type-arg]
    return rows.judged if rows.pooled is None else rows.pooled


def test_bpref_by_hand() -> None:
    """R = 3, N = 2; one non-relevant above the second relevant: (1 + 1 - 1/2 + 0) / 3."""
    working = bpref.working(
        ["a", "b", "u", "c"], {"a": 1, "b": 0, "c": 1, "d": 0, "e": 1}, exact=True
    )
    assert working.value == Fraction(1, 2)
    assert list(working["non-relevant so far"]) == [0, 1, 1, 1]
    assert list(working["preference kept"]) == [1, 0, 0, Fraction(1, 2)]
    assert (working["R"][0], working["N"][0]) == (3, 2)


def test_inf_ap_by_hand() -> None:
    """At rank 4, with 3 above in the pool, 1 relevant and 1 not: 1/4 + 3/4 x 1/2 = 5/8."""
    judgments = {"a": 1, "b": 0, "c": None, "d": 1}
    working = inf_ap.working(["a", "b", "c", "d"], judgments, exact=True)
    assert working["expected precision"][3] == Fraction(5, 8)
    assert working.value == Fraction(13, 16)


def test_outside_the_pool_counts_as_not_relevant() -> None:
    """None in a list of grades is outside the pool: at rank 4, 1/4 + 3/4 x 2/3 x 1/2 = 1/2."""
    assert inf_ap([1, 0, None, 1], exact=True) == Fraction(3, 4)


def test_inf_ap_may_fall_in_a_better_order() -> None:
    """A pooled document that nobody judged helps those below it, so it may fall."""
    judgments = {"a": 1, "b": None, "c": 1}
    outside = [f"o{i}" for i in range(7)]
    worse = inf_ap(["a", *outside, "b", "c"], judgments)
    better = inf_ap(["a", *outside, "c", "b"], judgments)
    assert better < worse


def test_unjudged_documents_play_no_part_in_bpref() -> None:
    """Bpref is the same with any number of unjudged documents in between; judged@k falls."""
    judgments = {"a": 0, "b": 1, "c": 1}
    assert bpref(["x", "a", "y", "b"], judgments) == bpref(["a", "b"], judgments)
    assert judged(["x", "a", "y", "b"], judgments) == 0.5


def test_nothing_relevant() -> None:
    """Without relevant documents the convention speaks; judged@k of nothing is 0."""
    for metric in (bpref, inf_ap):
        assert metric(["a"], {"a": 0}) == 0.0
        assert metric(["a"], {"a": 0}, no_relevant="one") == 1.0
        assert metric([], {"a": 1}) == 0.0
        assert metric(["a"], {"a": None}) == 0.0
    assert judged([], {"a": 1}) == 0.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: inf_ap([1], epsilon=0), ["epsilon=0", "(0, 1]"]),
        (lambda: inf_ap([1], epsilon=float("nan")), ["epsilon", "finite"]),
        (lambda: inf_ap([1, -1]), ["rank 2", "-1", "unjudged"]),
        (lambda: bpref([1], k=3), ["bpref", "cut-off"]),
        (lambda: judged([1], k=0), ["k=0"]),
        (lambda: bpref([0.5]), ["0.5", "rel"]),
    ],
)
def test_bad_input_is_refused(call, words: list[str]) -> None:  # type: ignore[no-untyped-def]
    """Every refusal says what was given and what would do."""
    with pytest.raises(InputError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("metric", [bpref, inf_ap, judged, judged @ 2])
def test_many_queries_at_once(metric) -> None:  # type: ignore[no-untyped-def]
    """A table of several queries gives each query's own score."""
    calls = [
        (["a", "b", "c", "d"], {"a": 0, "c": 2, "x": 1, "d": None}),
        ([], {"a": 1}),
        (["z", "y"], {"a": 3, "y": 3, "n": 0}),
        (["b", "a"], {"a": None}),
        (["d", "a", "e", "b"], {"a": 1, "b": 4, "e": 0, "f": 0}),
    ]
    rows = Rows.joined([metric.align(*call) for call in calls])
    together = metric.measured(rows, metric.k).score
    assert np.allclose(together, [metric(*call) for call in calls])


def test_bpref_by_r_and_by_the_fewer():
    """As TF-Ranking's own tests have it: one irrelevant document first, then two relevant ones."""
    assert bpref([0, 1, 1]) == 0
    assert bpref([0, 1, 1], bound="relevant") == 0.5
    # Of five irrelevant documents above, at most R = 2 count, which are all that there are.
    assert bpref([0, 0, 0, 0, 0, 1, 1], bound="relevant") == 0
    found = diagnose("bpref", [0, 1, 1], value="0.5")
    named = {who.partition(":")[0] for c in found.candidates for who in c.libraries}
    assert named == {"TF-Ranking"}


def test_a_document_that_counts_as_not_relevant_stands_above_as_one():
    """Of one such document above the only relevant one, nothing of the preference is kept."""
    for grades in ({"a": 1}, {"a": 1, "b": 0}):
        assert bpref(["u", "a"], grades, unjudged="grade(0)") == 0
        assert bpref(["a", "u"], grades, unjudged="grade(0)") == 1
        assert bpref(["u", "a"], grades) == 1
