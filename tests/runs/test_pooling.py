"""Pools and leaving a run out of one, against sets worked out by hand and by loops."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.course.left_out import leave_out
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.incomplete import bpref
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank
from irmetrics_edu.runs.pooling import pool

RUNS = {"A": ["x", "y", "u"], "B": ["y", "z", "x"], "C": ["w"]}
JUDGMENTS = {"w": 0, "x": 1, "y": 1, "z": 0}

some_runs = st.dictionaries(
    st.sampled_from("ABCD"), st.permutations("pqrstu").map(lambda p: p[:4]), min_size=1
)


@given(some_runs, st.integers(1, 6))
def test_a_pool_is_the_union_of_the_tops(runs: dict[str, list[str]], depth: int) -> None:
    """Pooled is what stands within the depth of any run, once, with the rank in each."""
    made = pool(runs, depth)
    assert set(made.documents) == {d for ranking in runs.values() for d in ranking[:depth]}
    assert len(made.documents) == len(set(made.documents)) == len(made)
    for document in made.documents:
        assert made.contributors[document] == {
            s: r.index(document) + 1 for s, r in runs.items() if document in r[:depth]
        }
    for system, ranking in runs.items():
        others = {d for s, r in runs.items() if s != system for d in r[:depth]}
        assert set(made.only(system)) == set(ranking[:depth]) - others


def test_a_pool_tells_who_contributed_what() -> None:
    """To depth 2, x comes from A alone, y from A and B; the text says so."""
    assert pool(RUNS, 10**12).documents == ["x", "y", "w", "z", "u"]
    made = pool(RUNS, 2)
    assert made.documents == ["x", "y", "w", "z"]
    assert (made.only("A"), made.of("A")) == (["x"], ["x", "y"])
    assert "u" not in made
    assert "y: A at rank 2, B at rank 1" in str(made)
    assert "only from A: 1 of 2" in str(made)


def test_runs_over_queries_make_a_pool_each() -> None:
    """With mappings from query to ranking there is a pool for each; scores are sorted first."""
    pools = pool({"A": {"q1": ["x"], "q2": {"y": 0.1, "z": 0.9}}, "B": {"q1": ["y"]}}, 1)
    assert pools["q1"].documents == ["x", "y"]
    assert pools["q2"].documents == ["z"]
    assert str(pools["q2"]).startswith("query 'q2'")


def test_a_run_that_was_not_pooled_loses() -> None:
    """Without x, which A alone brought, AP of A falls from 1 to (1/2) / 1."""
    result = leave_out("A", RUNS, JUDGMENTS, average_precision, depth=2, exact=True)
    assert result.removed == {None: {"x": 1}}
    assert (result.pooled.value, result.unpooled.value) == (1, Fraction(1, 2))
    assert result.change == Fraction(-1, 2)
    assert "without the judgment of 'x' (grade 1)" in str(result)


def test_a_run_that_was_not_pooled_may_gain() -> None:
    """What a run alone brought and was judged non-relevant counts against it in bpref."""
    runs = {"A": ["n", "x"], "B": ["x"]}
    result = leave_out("A", runs, {"n": 0, "x": 1}, bpref, depth=1, exact=True)
    assert result.change == 1


def test_other_judgments_stay() -> None:
    """What others pooled, or nobody did, stays judged; nothing removed means no change."""
    result = leave_out("B", RUNS, {"x": 1, "y": 1, "far": 1}, average_precision, depth=2)
    assert result.removed == {None: {}}
    assert result.change == 0


def test_many_queries_and_one_that_loses_all_its_judgments() -> None:
    """The mean is over all judged queries; one without judgments left has nothing relevant."""
    runs = {"A": {"q1": ["x", "y"], "q2": ["v"]}, "B": {"q1": ["y"]}}
    qrels = {"q1": {"y": 1}, "q2": {"v": 1}}
    result = leave_out("A", runs, qrels, reciprocal_rank, depth=2, exact=True)
    assert result.removed == {"q1": {}, "q2": {"v": 1}}
    assert (result.pooled.value, result.unpooled.value) == (Fraction(3, 4), Fraction(1, 4))
    assert "query 'q2': without the judgment of 'v'" in str(result)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pool(RUNS, 0), ["depth=0"]),
        (lambda: pool(RUNS, 2.5), ["depth=2.5", "whole"]),
        (lambda: pool({}, 2), ["the runs are not a mapping"]),
        (lambda: pool({"A": ["x", "x"]}, 2), ["system 'A'", "'x'", "rank 2", "twice"]),
        (lambda: pool({"A": {"q": ["x"]}, "B": ["x"]}, 2), ["'A'", "'B'", "one kind"]),
        (lambda: pool({"A": 3}, 2), ["system 'A'", "3"]),
        (lambda: pool({"A": "xyz"}, 2), ["system 'A'", "list"]),
        (lambda: pool(RUNS, 2).only("D"), ["'D'", "'A', 'B', 'C'"]),
        (lambda: leave_out("D", RUNS, JUDGMENTS, bpref, depth=2), ["'D'", "'A'"]),
        (
            lambda: leave_out("A", {"A": {"1": ["x"]}}, {"x"}, bpref, depth=2),
            ["the judgments are of one query, but the runs are over many"],
        ),
        (lambda: leave_out("A", RUNS, {}, bpref, depth=2), ["nothing is judged"]),
        (
            lambda: leave_out("A", {"A": {1: ["x"]}}, {"1": {"x": 1}}, bpref, depth=2),
            ["query 1", "'1'", "type"],
        ),
    ],
)
def test_bad_input_is_refused(call, words: list[str]) -> None:  # type: ignore[no-untyped-def]
    """Every refusal names system, document and rank, what was given and what would do."""
    with pytest.raises(InputError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)
