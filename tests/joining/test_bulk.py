"""Many queries at once: the reverse join gives what aligning one query at a time gives."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from irmetrics_edu import evaluate, ndcg, reciprocal_rank
from irmetrics_edu.conventions import NO_DUPLICATES, Duplicates, Negative, Ties, Unjudged
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.engine.run import rankings
from irmetrics_edu.engine.text import Text
from irmetrics_edu.errors import InputError
from irmetrics_edu.rows.aligned_ranking import Alignment, align
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.runs.joining.judgments import _worth_of
from tests.aligned_runs import align_run

DOCUMENTS = st.sampled_from([f"d{i}" for i in range(12)])
SCORES = st.sampled_from([0.0, -0.0, 1.0, 1.5, -2.0, 7.25]) | st.floats(-1e6, 1e6)
GRADES = st.none() | st.integers(-1, 3) | st.sampled_from([0.5, 1.0])
RANKING = st.dictionaries(DOCUMENTS, SCORES, max_size=10) | st.lists(DOCUMENTS, unique=True)
JUDGMENTS = st.dictionaries(DOCUMENTS, GRADES, min_size=1, max_size=8)
QUERIES = st.sampled_from([f"q{i}" for i in range(6)])
RUN = st.dictionaries(QUERIES, RANKING, max_size=6)
QRELS = st.dictionaries(QUERIES, JUDGMENTS, min_size=1, max_size=6)
# Orders that depend on grades, and shared ranks, are settled when the rows are there.
TIES = st.sampled_from(sorted(n for n, v in Ties.values.items() if v.in_bulk))
UNJUDGED = st.sampled_from(sorted(Unjudged.values))
NEGATIVE = st.sampled_from(["zero", "keep", "unjudged"])


def one_by_one(run: Any, qrels: Any, ties: str, unjudged: str, negative: str) -> Rows:
    """The rows of all queries, each aligned alone."""
    return Rows.joined(
        [
            align(
                run.get(query, []),
                judgments,
                by=Alignment(
                    ties=Ties.named(ties),
                    unjudged=Unjudged.named(unjudged),
                    negative=Negative.named(negative),
                ),
                query=query,
            )
            for query, judgments in qrels.items()
        ]
    )


def same(bulk: Rows, each: Rows) -> None:
    """Both hold the same rows of pooled documents, and the same pools and counts."""
    each = each.where(pooled(each))
    np.testing.assert_array_equal(bulk.query, each.query)
    np.testing.assert_array_equal(bulk.rank, each.rank)
    np.testing.assert_array_equal(bulk.grade, each.grade)
    np.testing.assert_array_equal(bulk.judged, each.judged)
    np.testing.assert_array_equal(pooled(bulk), pooled(each))
    np.testing.assert_array_equal(bulk.retrieved, each.retrieved)
    np.testing.assert_array_equal(bulk.pool_query, each.pool_query)
    np.testing.assert_array_equal(bulk.pool_grade, each.pool_grade)


def pooled(rows: Rows) -> Any:
    """Which rows are of pooled documents; alignment says nothing where those are the judged."""
    return rows.judged if rows.pooled is None else rows.pooled


@given(RUN, QRELS, TIES, UNJUDGED, NEGATIVE)
def test_equals_aligning_each_query(
    run: Any, qrels: Any, ties: str, unjudged: str, negative: str
) -> None:
    """The rows of many queries are those of each query, put together."""
    bulk = align_run(run, qrels, ties=ties, unjudged=unjudged, negative=negative)
    same(bulk.rows, one_by_one(run, qrels, ties, unjudged, negative))


@example({"q": {"a": 0.0, "b": 0.0}}, {"q": {"a": -1}}, "optimistic", "no_gain", "zero")
@given(
    RUN,
    QRELS,
    st.sampled_from(sorted(n for n, v in Ties.values.items() if not v.in_bulk)),
    UNJUDGED,
    NEGATIVE,
)
def test_ties_that_wait_for_grades_equal_aligning_each_query(
    run: Any, qrels: Any, ties: str, unjudged: str, negative: str
) -> None:
    """The worst or the best first, or ranks that are shared: settled for all queries at once."""
    bulk = align_run(run, qrels, unjudged=unjudged, negative=negative)
    rows, each = bulk.settled(Ties.named(ties)), one_by_one(run, qrels, ties, unjudged, negative)
    same(rows, each)
    if rows.span is not None and each.span is not None:
        np.testing.assert_array_equal(rows.span, each.span[:, pooled(each)])


FINDING = st.fixed_dictionaries(
    {
        "ties": st.sampled_from(sorted(Ties.values)),
        "unjudged": st.sampled_from([*sorted(Unjudged.values), "grade(2)"]),
        "unretrieved": st.sampled_from(["absent", "last"]),
        "negative": NEGATIVE,
        "pool": st.sampled_from(["judged", "retrieved"]),
        "scores": st.sampled_from(["float64", "float32"]),
    }
)


@example(  # a score that 32 bits can't hold is as low as that of what was not retrieved
    {"q": {"a": 1.0, "b": -1e300}},
    {"q": {"a": 0, "b": 1, "c": 2}},
    {"ties": "optimistic", "unretrieved": "last", "scores": "float32"},
)
@given(RUN, QRELS, FINDING)
def test_scores_of_every_alignment_equal_those_of_each_query(
    run: Any, qrels: Any, by: dict[str, str]
) -> None:
    """All conventions of alignment together: what the engine takes at once, and what it leaves."""
    measures = "nDCG@3 DCG(gain=exp)"
    if by["ties"] != "averaged":  # these need a rank for each document
        measures += " AP(rel=0.5) RR(rel=0.5) R(rel=0.5)@2"
    assume(run.keys() & qrels.keys())
    evaluation = evaluate(run, qrels, measures, **by)
    for measure in evaluation.measures:
        metric = evaluation.conventions.settle(measure.metric)
        rows = evaluation.aligned.one_by_one(metric)
        each = metric.measured(rows, metric.k, **metric.params).score
        np.testing.assert_allclose(evaluation.scores[measure.name], each, rtol=0, atol=1e-12)


@given(RUN, QRELS, TIES, UNJUDGED, NEGATIVE)
def test_full_rows_of_a_query(
    run: Any, qrels: Any, ties: str, unjudged: str, negative: str
) -> None:
    """Asked for one query, it gives every row with its document, as aligning that query does."""
    bulk = align_run(run, qrels, ties=ties, unjudged=unjudged, negative=negative)
    for query, judgments in qrels.items():
        full = bulk.full(query)
        alone = one_by_one(run, {query: judgments}, ties, unjudged, negative)
        same(full.where(pooled(full)), alone)
        assert full.document == alone.document


RUN_OF_TWO = {
    "q1": {"d1": 3.0, "d2": 2.0, "d3": 2.0, "d4": 1.0},
    "q2": {"d1": 1.0},
    "stray": {"d1": 1.0},
}
QRELS_OF_THREE = {"q0": {"d1": 1}, "q1": {"d3": 2, "d9": 1}, "q2": {"d1": 0}}


def test_counts() -> None:
    """What a mean does not show is counted: missing, not judged, unjudged, tied."""
    aligned = align_run(RUN_OF_TWO, QRELS_OF_THREE)
    assert aligned.queries == ["q0", "q1", "q2"]
    assert aligned.missing.tolist() == [True, False, False]
    assert aligned.not_judged == ["stray"]
    assert (aligned.retrieved.sum(), aligned.tied.sum()) == (5, 2)
    assert (aligned.noted.duplicates, aligned.noted.skipped) == (0, 0)
    counts = evaluate(RUN_OF_TWO, QRELS_OF_THREE, "P@1 P@3").counts
    assert (counts.without_relevant, counts.unjudged_documents) == (["q2"], {1: 1, 3: 2})


def test_places_among_ties_are_known() -> None:
    """A row tells the best rank its score allows and how many share it, so spreads can be had."""
    aligned = align_run(RUN_OF_TWO, QRELS_OF_THREE)
    assert aligned.rows.rank.tolist() == [3, 1]
    assert aligned.first.tolist() == [2, 1]
    assert aligned.alike.tolist() == [2, 1]


def test_ties_by_id() -> None:
    """By id, as trec_eval does, the larger of two tied documents comes first."""
    ranks = {
        ties: align_run(RUN_OF_TWO, {"q1": {"d3": 1}}, ties=ties).rows.rank.tolist()
        for ties in ("given", "docid", "docid_ascending")
    }
    assert ranks == {"given": [3], "docid": [2], "docid_ascending": [3]}


def test_scores_as_32_bit_floats_tie_where_64_bit_do_not() -> None:
    """trec_eval compares 32-bit floats: scores that differ in the tenth digit tie there."""
    run, qrels = {"q": {"a": 1.0000000001, "b": 1.0}}, {"q": {"b": 1}}
    assert align_run(run, qrels, ties="docid").rows.rank.tolist() == [2]
    assert align_run(run, qrels, ties="docid", scores="float32").rows.rank.tolist() == [1]
    assert align_run(run, qrels, ties="docid", scores="float32").full("q").document == ["b", "a"]


def test_scores_of_many_queries_at_once() -> None:
    """A metric over the rows of all queries gives each query's own score."""
    rows = align_run(RUN_OF_TWO, QRELS_OF_THREE).rows
    each = [ndcg(RUN_OF_TWO.get(q, []), j) for q, j in QRELS_OF_THREE.items()]
    assert ndcg.measured(rows).score.tolist() == each
    assert reciprocal_rank.measured(rows).score.tolist() == [0, 1 / 3, 0]


@pytest.mark.parametrize(
    ("run", "qrels", "says"),
    [
        ({"q": {"d": float("nan")}}, {"q": {"d": 1}}, "query 'q', document 'd'.*not finite"),
        ({"q": {"d": 1.0, "e": "2"}}, {"q": {"d": 1}}, "query 'q', document 'e'.*not a number"),
        ({"q": {"d": 1.0, "e": None}}, {"q": {"d": 1}}, "query 'q', document 'e'.*not a number"),
        ({"q": None}, {"q": {"d": 1}}, "query 'q': the ranking is None"),
        ({"q": ["d", "e", "d"]}, {"q": {"d": 1}}, "document 'd', rank 3: ranked twice"),
        ({"q": {"d", "e"}}, {"q": {"d": 1}}, "query 'q': the ranking is a set, which has no order"),
        ({"q": iter(["d"])}, {"q": {"d": 1}}, "query 'q': the ranking is an iterator"),
        ({"q": [["d", "e"]]}, {"q": {"d": 1}}, "query 'q': the ranking holds a list"),
        ({"q": 3}, {"q": {"d": 1}}, "query 'q': 3 is not a ranking"),
        ({"q": {1: 1.0}}, {"q": {"1": 1}}, "differs from the judged '1' only in type"),
        ({"q": {"d ": 1.0}}, {"q": {"d": 1}}, "differs from the judged 'd' only in white space"),
        ({"q": {"d": 1.0, "e": 1}}, {"q": {"d ": 1, "e": 1}}, "only in white space"),
        ({1: {"d": 1.0}}, {"1": {"d": 1}}, "differs from the judged query '1' only in type"),
        ({"q ": {"d": 1.0}}, {"q": {"d": 1}}, "judged query 'q' only in white space"),
        ({}, {}, "the judgments have no query"),
        ({}, {"q": {}}, "query 'q': nothing is judged"),
        ({}, {"q": {"d": "1"}}, "query 'q', document 'd': grade '1' is not a number"),
        ({}, {"p": {"c": 1}, "q": {"d": np.inf}}, "query 'q', document 'd': grade inf"),
        ({}, {"p": {"c": 1}, "q": {"d": -2}}, "query 'q', document 'd': grade -2 is negative"),
        ({}, {"q": "d"}, "query 'q': 'd' are not judgments"),
        ({}, {"q": ["d", "d"]}, "query 'q', document 'd', rank 2: judged twice"),
    ],
)
def test_errors_name_the_place(run: Any, qrels: Any, says: str) -> None:
    """Bad input is refused with the query, the document and what would do."""
    with pytest.raises(InputError, match=says):
        align_run(run, qrels)


WHOLE = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("sides", ["both", "run", "judgments"])
def test_whole_numbers_of_numpy_are_ids_like_any_others(kind: Any, sides: str) -> None:
    """The largest of their type too, as documents and queries: nothing is computed with an id."""
    most = int(np.iinfo(kind).max)
    ids = [most, most - 1, most // 2 + 1, 5, 1, 0]
    of_run = kind if sides != "judgments" else int
    of_judged = kind if sides != "run" else int
    run = {of_run(q): {of_run(d): float(i) for i, d in enumerate(ids)} for q in ids}
    qrels = {of_judged(q): {of_judged(d): 1 for d in ids[:2]} for q in ids}
    plain_run = {q: {d: float(i) for i, d in enumerate(ids)} for q in ids}
    plain_qrels = {q: dict.fromkeys(ids[:2], 1) for q in ids}
    for measure in ("RR", "nDCG@10", "AP", "judged@10"):
        assert evaluate(run, qrels, measure).mean == evaluate(plain_run, plain_qrels, measure).mean


@pytest.mark.parametrize("identifier", [True, np.bool_(1), 1.0, np.float64(1)])
def test_what_equals_a_whole_number_is_no_id(identifier: Any) -> None:
    """Among whole numbers as well."""
    with pytest.raises(InputError, match=r"text or whole numbers|of mixed kinds"):
        align_run({"q": {7: 1.0, identifier: 0.5}}, {"q": {7: 1, 1: 1}})


@pytest.mark.slow
def test_a_large_unordered_run_of_many_sizes() -> None:
    """Queries of all sizes, out of order and with ties, in more than one chunk."""
    rng = np.random.default_rng(7)
    run, qrels = {}, {}
    for q in range(60):
        ids = [f"d{i}" for i in rng.permutation(6000)[: rng.integers(0, 6000)]]
        run[q] = dict(zip(ids, rng.integers(0, 4000, len(ids)).tolist(), strict=True))
        qrels[q] = {f"d{i}": int(rng.integers(0, 3)) for i in range(0, 6000, 500)}
    bulk = align_run(run, qrels, ties="docid")
    same(bulk.rows, one_by_one(run, qrels, "docid", "no_gain", "refuse"))


def test_ties_by_quicksort_are_those_of_the_whole_list() -> None:
    """Where documents of one score stand depends on all others, in a run as in one query."""
    random = Random(5)
    run, qrels = {}, {}
    for n in (15, 16, 17, 40, 120):
        documents = [f"d{i}" for i in range(n)]
        run[f"q{n}"] = {d: random.choice([-1.0, 0.0, 2.5]) for d in documents}
        qrels[f"q{n}"] = {d: random.choice([0, 1, 3]) for d in documents[::2]}
    bulk = align_run(run, qrels, ties="quicksort")
    same(bulk.rows, one_by_one(run, qrels, "quicksort", "no_gain", "zero"))
    assert bulk.full("q15").document == align_run(run, qrels).full("q15").document
    assert bulk.full("q120").document != align_run(run, qrels).full("q120").document


def test_a_list_keeps_a_document_twice_where_a_convention_says_which_counts() -> None:
    """As it was given; where none may be twice, each stands once."""
    text = Text.of(["a", "b", "a"])
    items = RunColumns(["q"], np.array([0, 3]), text, None, np.arange(3))
    assert dict(rankings(items, Duplicates.named("first", "duplicates"))) == {"q": ["a", "b", "a"]}
    assert dict(rankings(items, NO_DUPLICATES)) == {"q": ["a", "b"]}


def test_negative_grades_of_subtopics_leave_sets_where_the_others_are_0_or_1() -> None:
    """Sets where every grade is 0, 1 or below; grades where one is higher."""
    zero = Negative.named("zero", "negative")
    assert _worth_of({"d": {"t": -1, "u": 1}}, "q", zero) == {"d": {"u"}}
    assert _worth_of({"d": {"t": -1, "u": 2}}, "q", zero) == {"d": {"t": 0, "u": 2}}
