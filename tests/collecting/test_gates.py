"""Gates on latencies, and failures of judged passages."""

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import (
    RankingAssertionError,
    assert_latency,
    assert_no_regression,
    assert_recall,
)
from irmetrics_edu.judging import build_run, building, judge_by_text

TEN = {f"q{i}": i / 10 for i in range(1, 11)}  # 0.1 ... 1.0


def test_quantiles_are_by_nearest_rank():
    """Of 0.1 ... 1.0: rank 5, rank ceil(9.5) = 10, rank ceil(9.9) = 10; nothing between."""
    found = assert_latency(TEN, p50=9, p95=9, p99=9)
    assert found == {"p50": 0.5, "p95": 1.0, "p99": 1.0}
    assert assert_latency({"q": 0.2}, p50=1, p99=1) == {"p50": 0.2, "p99": 0.2}
    many = {i: float(i) for i in range(1, 41)}
    assert assert_latency(many, p95=99) == {"p95": 38.0}


def test_a_latency_on_its_bound_is_within_it():
    """Also if rounding says otherwise."""
    assert_latency({"q": 0.1 + 0.2}, p99=0.3)
    with pytest.raises(RankingAssertionError):
        assert_latency({"q": 0.3001}, p99=0.3)


def test_a_slow_retriever_is_found(heard, monkeypatch):
    """The slowest queries are named, with their texts, and the measurements are passed on."""
    times = iter([0, 1, 1, 4, 4, 4.5])
    queries = {"q1": "cats", "q2": "dogs\x1b[2J", "q3": "birds"}
    monkeypatch.setattr(building, "perf_counter", lambda: next(times))
    run = build_run(lambda text: [text], queries)
    with pytest.raises(RankingAssertionError) as caught:
        assert_latency(run, p50=2, p95=2)
    assert str(caught.value).split("\n") == [
        "p95 latency 3 s > 2 s (rank 3 of 3 calls, slowest: q2)",
        "",
        "the slowest calls:",
        '  q2 "dogs\\x1b[2J": 3 s',
        '  q1 "cats": 1 s',
        '  q3 "birds": 0.5 s',
    ]
    assert [(f["measure"], f["score"], f["verdict"]) for f in heard] == [
        ("p50 latency (s)", 1.0, "pass"),
        ("p95 latency (s)", 3.0, "fail"),
    ]
    assert heard[1]["bounds"] == {"at_most": 2.0}


def test_several_bounds_and_failed_calls_are_said(monkeypatch):
    """A call that failed counts with the time until it did."""

    def retrieve(text):
        if text == "b":
            raise TimeoutError
        return [text]

    times = iter([0, 1, 1, 31])
    monkeypatch.setattr(building, "perf_counter", lambda: next(times))
    run = build_run(retrieve, {1: "a", 2: "b"}, errors="keep")
    with pytest.raises(RankingAssertionError, match=r"^p95 latency 30 s > 20 s") as caught:
        assert_latency([run], p50=1, p95=20, p99=1)
    assert "also p99 30 s > 1 s" in str(caught.value)
    assert "1 of 2 calls failed; each counts with the time until it failed" in str(caught.value)


@pytest.mark.parametrize(
    ("given", "bounds", "message"),
    [
        (TEN, {}, "needs a bound in seconds: p50, p95, p99"),
        (TEN, {"p95": 0}, "p95=0: give seconds above 0, such as p95=0.5 for 500 ms"),
        (TEN, {"p95": "1"}, "p95 = '1' is not a number"),
        (TEN, {"p99": True}, "p99=True"),
        ({}, {"p95": 1}, "there is no latency"),
        ({"q": {"d": 0.5}}, {"p95": 1}, "query 'q' has latency .*; give a run of build_run"),
        ({"q": -0.5}, {"p95": 1}, "below 0"),
        ({"q": float("nan")}, {"p95": 1}, "not finite"),
        ([["q"]], {"p95": 1}, "has no latencies"),
    ],
    ids=repr,
)
def test_a_wrong_bound_or_input_is_refused(given, bounds, message):
    """With what would do."""
    with pytest.raises(InputError, match=message):
        assert_latency(given, **bounds)


def failed(check, *inputs, **options):
    """The text of a failure."""
    with pytest.raises(RankingAssertionError) as caught:
        check(*inputs, **options)
    return str(caught.value)


OLD = {"q": ["a", "b"], "r": ["c"]}
BY_OLD_IDS = {"q": {"a": 1}, "r": {"c": 1}}
ASKED = "no judged document was retrieved: have the ids changed?"


def test_labels_that_no_longer_fit_are_a_verdict_of_their_own(heard):
    """After another chunking no id is judged, which is no statement about the ranking.

    It fails whatever the number of queries, here too few for the test.
    """
    new = {"q": ["a#1", "a#2"], "r": ["c#1"]}
    assert failed(
        assert_no_regression, new, OLD, BY_OLD_IDS, "R@2", max_observed_drop="off"
    ).startswith(ASKED)
    assert heard.pop()["verdict"] == "unjudged"
    assert failed(assert_recall, new, BY_OLD_IDS, k=2, at_least=0.5).startswith(ASKED)
    assert failed(
        assert_no_regression, new, OLD, BY_OLD_IDS, "R@2", max_observed_drop=0.1
    ).startswith(ASKED)
    assert {one["verdict"] for one in heard} == {"unjudged"}
    some = {**new, "r": ["x", "c"]}  # one judged document is enough to know the ids
    assert ASKED not in failed(assert_recall, some, BY_OLD_IDS, k=2, at_least=0.9)
    judged_bad = {"q": {"a#1": 0, "a": 1}, "r": {"c": 1}}  # judged, and not relevant
    assert ASKED not in failed(assert_recall, new, judged_bad, k=2, at_least=0.9)


def test_a_failure_shows_the_expected_text_and_the_nearest_passages():
    """Lost texts first; a passage is near by its words, and one with no word is not shown."""
    answer = [
        {"id": "p1", "text": "You can return goods within 30 days."},
        {"id": "p2", "text": "Fish swim."},
        {"id": "p3", "text": "Keep it, with the\nreceipt."},
    ]
    run = build_run(lambda _: answer, {"q": "How do I return goods?"})
    judged = judge_by_text(run, {"q": ["return goods within 30 days", "Keep the receipt"]})
    shown = [
        'expected:2 is "Keep the receipt", and no passage holds it',
        '  near, 3 of 3 words: p3 at rank 3, "Keep it, with the receipt."',
        'expected:1 is "return goods within 30 days"',
    ]
    assert judged.run.lines_about("q") == shown
    for said in (
        failed(assert_recall, judged.run, judged.qrels, k=3, at_least=0.9),
        failed(
            assert_no_regression,
            judged.run,
            {"q": ["expected:1", "expected:2"]},
            judged.qrels,
            "R@3",
            max_observed_drop=0.1,
        ),
    ):
        assert "\n".join(shown) in said
    lost = judge_by_text(run, {"q": "cats"})
    assert "have the ids changed" not in failed(
        assert_recall, lost.run, lost.qrels, k=3, at_least=0.5
    )
