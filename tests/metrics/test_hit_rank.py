"""The rank of the first relevant document."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import further
from irmetrics_edu import InputError, evaluate, explain, hit_rank

RUN = {"q1": ["a", "x"], "q2": ["x", "a"], "q3": ["x", "y", "z", "a"], "q4": ["x"]}
QRELS = {query: {"a": 1} for query in RUN}


@given(st.lists(st.integers(0, 2), max_size=6), st.integers(1, 2), st.integers(1, 7))
def test_a_plain_loop_agrees(ranking, rel, k):
    """Of grades in ranked order, with a cut-off; a ranking without a hit is as told."""
    given_options = {"k": k, "rel": rel}
    if not ranking:
        ranking = [0]
    assert hit_rank(ranking, **given_options, undefined="zero") == further.rank_of_first(
        ranking, (), **given_options, undefined="zero"
    )
    missing = math.isnan(further.rank_of_first(ranking, (), **given_options))
    assert math.isnan(hit_rank(ranking, **given_options)) == missing


def test_the_mean_is_the_mean_rank():
    """Ranks 1, 2 and 4 by hand: 7/3; q4 found nothing, and the note says so."""
    evaluation = evaluate(RUN, QRELS, "MR")
    assert evaluation.mean["hit_rank"] == pytest.approx(7 / 3)
    assert "hit_rank: 1 query without a score is left out: q4" in str(evaluation)
    assert evaluate(RUN, QRELS, "hit_rank@2").mean["hit_rank@2"] == pytest.approx(1.5)


def test_no_hit_may_be_refused():
    """By the name of what is missing."""
    with pytest.raises(InputError, match="no relevant document was retrieved"):
        hit_rank([0, 0], undefined="refuse")


def test_without_any_hit_the_message_says_what_to_choose():
    """There is no mean rank of nothing; the option that is named gives one."""
    with pytest.raises(InputError, match=r"every query is skipped.*such as undefined='zero'"):
        _ = evaluate({"q": ["x"]}, {"q": {"a": 1}}, "hit_rank").mean
    assert evaluate({"q": ["x"]}, {"q": {"a": 1}}, "hit_rank(undefined=zero)").mean == {
        "hit_rank(undefined=zero)": 0
    }


def test_its_range_begins_at_the_first_rank():
    """As its definition says."""
    assert hit_rank.range == (1, math.inf)


def test_only_a_ranking_without_a_hit_is_said_to_have_none():
    """One hit is enough, and so are two."""
    said = "no relevant document was retrieved"
    shown = [said in str(explain("hit_rank", grades)) for grades in ([0, 1], [1, 1], [0, 0])]
    assert shown == [False, False, True]
