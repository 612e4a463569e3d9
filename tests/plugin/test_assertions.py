"""Assertions: what passes, what fails, what is refused, and what the failure says."""

import inspect
import itertools
import math
import pickle
import random
import traceback
from types import SimpleNamespace

import numpy as np
import pytest

import irmetrics_edu
from dev.tools import inputs
from dev.tools.stub import stub
from irmetrics_edu import evaluate, gate
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import (
    RankingAssertionError,
    assert_judged,
    assert_map,
    assert_metric,
    assert_ndcg,
    assert_precision,
    assert_ranks_above,
    assert_recall,
    assert_roc_auc,
)
from irmetrics_edu.gate.bounds import Bound, refuse_out_of_range, worst_group_first
from irmetrics_edu.gate.failure import LINES
from irmetrics_edu.gate.message import told_apart
from irmetrics_edu.gate.score import assertion, subjects
from irmetrics_edu.metrics.definition import METRICS, import_all
from irmetrics_edu.runs.aggregation import AGGREGATES
from tests.conftest import ROOT

import_all()

# By hand, with discounts 1, 0.63093: q1 has DCG@2 = 2 x 0.63093 = 1.26186 of the ideal
# 3 + 2 x 0.63093 = 4.26186, so 0.29608; q2 retrieves nothing relevant; the mean is 0.14804.
QRELS = {"q1": {"a": 3, "b": 2, "c": 0}, "q2": {"d": 1}}
RUN = {"q1": ["x", "b", "a"], "q2": ["y", "z"]}
NDCG_2 = (2 / math.log2(3)) / (3 + 2 / math.log2(3)) / 2


def failure(call, *args, **options):
    """The failure that a call ends in."""
    with pytest.raises(RankingAssertionError) as caught:
        call(*args, **options)
    return caught.value


def missed_by(metric, score):
    """A bound within the metric's range that this score does not keep."""
    low, high = metric.range
    if score < high:
        return {"at_least": (score + min(high, score + 2)) / 2}
    return {"at_most": (score + max(low, score - 2)) / 2}


def many(n, seed=1):
    """A run and judgments of n queries, at random."""
    chance = random.Random(seed)
    qrels = {
        f"q{i}": {f"d{j}": chance.choice([0, 1, 2, 3]) for j in chance.sample(range(60), 25)}
        for i in range(n)
    }
    run = {
        f"q{i}": {f"d{j}": chance.random() for j in chance.sample(range(60), 40)} for i in range(n)
    }
    return run, qrels


def test_within_bounds_it_returns_the_score():
    """The value by hand passes on both sides of itself and is returned."""
    score = assert_ndcg(RUN, QRELS, k=2, at_least=0.148, at_most=0.1481)
    assert score == pytest.approx(NDCG_2, abs=1e-12)
    assert assert_ndcg(RUN, QRELS, k=2, equals=NDCG_2) == score
    assert assert_ndcg(RUN, QRELS, k=2, equals=0.148, abs=0.0005) == score


def test_the_first_line_says_it_all():
    """Measure, value, bound, distance and number of queries stand in the first line."""
    error = failure(assert_ndcg, RUN, QRELS, k=2, at_least=0.45)
    assert error.summary == "nDCG@2 0.1480 < 0.4500 (short by 0.3020; 2 queries)"
    assert str(error).startswith(error.summary + "\n\nLowest: q2 0.000, q1 0.296")
    error = failure(assert_ndcg, RUN, QRELS, k=2, at_most=0.1)
    assert error.summary == "nDCG@2 0.1480 > 0.1000 (over by 0.0480; 2 queries)"
    assert "Highest: q1 0.296" in str(error)
    error = failure(assert_ndcg, RUN, QRELS, k=2, equals=0.517)
    assert error.summary == ("nDCG@2 0.1480 != 0.5170 (off by 0.3690; tolerance 1e-06; 2 queries)")
    error = failure(assert_ndcg, RUN, QRELS, k=2, every_query_at_least=0.1)
    assert error.summary == ("nDCG@2 of q2 0.0000 < 0.1000 (short by 0.1000; 1 of 2 queries below)")
    error = failure(assert_ndcg, RUN["q1"], QRELS["q1"], k=2, at_least=0.45)
    assert error.summary == "nDCG@2 0.2961 < 0.4500 (short by 0.1539)"


def test_the_worst_query_is_shown_step_by_step():
    """Ranks, grades, discounts, what nobody judged, and where the relevant documents are."""
    text = str(failure(assert_ndcg, {"q1": ["x", "b", "c", "a"]}, QRELS, k=2, at_least=0.9))
    lines = text.splitlines()
    assert "1 judged query missing from the run (counted 0); 50 % of the top 2 unjudged" in text
    assert "q1, step by step:" in lines
    rows = {line.split()[1]: line.split() for line in lines if line.strip()[:2] in ("1 ", "2 ")}
    assert rows["x"][2] == "-"
    assert rows["x"][-1] == "unjudged"
    assert rows["b"][2:6] == ["2", "2", "0.6309", "1.2619"]
    assert "nDCG@2 = DCG@2 / IDCG@2 = 1.2619 / 4.2619 = 0.2961" in text
    assert "  relevant but below rank 2: a (grade 3, rank 4)" in lines
    assert "Convention: as trec_eval: gain=linear, discount=log2, ideal=judged, cut=both" in text
    missing = str(failure(assert_ndcg, {"q1": ["x", "b"]}, QRELS, k=2, at_least=0.9))
    assert "not retrieved: a (grade 3)" in missing


def test_a_bound_that_rounds_to_the_score_is_told_apart():
    """A score just below the bound is not shown as equal to it."""
    score = assert_ndcg(RUN, QRELS, k=2, at_least=0)
    error = failure(assert_ndcg, RUN, QRELS, k=2, at_least=score + 1e-7)
    shown, bound = error.summary.split()[1:4:2]
    assert float(shown) < float(bound)
    assert told_apart(0.5, 0.25) == ("0.5000", "0.2500", "0.2500")


def test_several_broken_bounds_are_all_said():
    """The first line speaks of one; the others follow."""
    error = failure(assert_ndcg, RUN, QRELS, k=2, at_least=0.45, every_query_at_least=0.2)
    assert error.lines[0] == (
        "also: nDCG@2 of q2 0.0000 < 0.2000 (short by 0.2000; 1 of 2 queries below)"
    )


@pytest.mark.parametrize("name", sorted(subjects()))
def test_every_metric_and_aggregate_has_its_assertion(name):
    """It agrees with the metric, fails with at most a screen of text, and passes at its value."""
    subject = subjects()[name]
    metric = getattr(subject, "metric", subject)
    check = assertion(name)
    assert check.__name__ == name
    for example in inputs.of(metric):
        options = {n: v for n, v in example.options.items() if n != "exact"}
        if example.arguments[0] == [] or isinstance(example.arguments[0], dict):
            continue  # refused as empty; ties and scores are tested with evaluate
        if name == "assert_gmap":
            options["floor"] = 0  # trec_eval's floor would lift a score of 0
        expected = metric(*example.arguments, **{n: options[n] for n in example.options})
        if math.isnan(expected):  # no value to hold: `undefined` says so of it
            continue
        got = check(*example.arguments, **options, at_least=expected, at_most=expected)
        assert got == expected
        error = failure(check, *example.arguments, **options, **missed_by(metric, expected))
        assert subject.name in error.summary
        assert len(error.lines) <= LINES
        assert max(map(len, error.all_lines)) < 200


@pytest.mark.parametrize("call", [assert_ndcg, assert_map, assert_precision, assert_judged])
@pytest.mark.parametrize("k", [1, 5, 30, None])
def test_a_run_agrees_with_evaluate(call, k):
    """An assertion about a run is about the mean that evaluate gives, and explains in a screen."""
    run, qrels = many(12)
    del run["q3"]
    options = {} if k is None and call is assert_judged else {"k": k}
    measure = {"assert_ndcg": "nDCG", "assert_map": "MAP", "assert_precision": "P"}.get(
        call.__name__, "Judged"
    )
    cut = options.get("k", 10 if call is assert_judged else None)
    expected = evaluate(run, qrels, measure + (f"@{cut}" if cut else ""))
    assert call(run, qrels, **options, at_least=0) == next(iter(expected.mean.values()))
    error = failure(call, run, qrels, **options, at_least=0.99)
    assert len(error.lines) <= LINES
    assert len(error.all_lines) >= len(error.lines)


@pytest.mark.parametrize(
    "bounds",
    [
        {"at_least": 0.9},
        {"at_least": 0.9, "every_query_at_least": 0.8},
        {
            "at_least": 0.9,
            "every_query_at_least": 0.8,
            "every_group_at_least": 0.7,
            "groups": {"q1": "one", "q2": "two"},
        },
    ],
)
def test_a_long_table_fills_the_room_that_all_else_leaves(bounds):
    """Other broken bounds, groups and conventions take lines from the table, never add to them."""
    ranking = [f"d{i}" for i in range(40)]
    judged = dict.fromkeys([*ranking, *(f"x{i}" for i in range(300))], 1)
    run, qrels = dict.fromkeys(["q1", "q2"], ranking), dict.fromkeys(["q1", "q2"], judged)
    assert len(failure(assert_ndcg, run, qrels, **bounds).lines) in (LINES - 1, LINES)


def test_notation_and_options_name_the_same_measure():
    """A name with options, a metric, and keywords are three ways to say one thing."""
    run, qrels = many(5)
    values = {
        assert_metric("nDCG(gain=exp)@5", run, qrels, at_least=0),
        assert_metric(irmetrics_edu.ndcg.using(gain="exp") @ 5, run, qrels, at_least=0),
        assert_metric("nDCG", run, qrels, k=5, gain="exp", at_least=0),
        assert_ndcg(run, qrels, k=5, gain="exp", at_least=0),
    }
    assert len(values) == 1
    assert assert_metric("GMAP", run, qrels, at_least=0) == assertion("assert_gmap")(
        run, qrels, at_least=0
    )


def test_conventions_of_the_whole_run_can_be_given():
    """A missing query that is skipped does not lower the mean, and the message says so."""
    del (run := dict(RUN))["q2"]
    score = assert_ndcg(run, QRELS, k=2, missing_queries="skip", at_least=0.29)
    assert score == pytest.approx(2 * NDCG_2)
    text = str(failure(assert_ndcg, run, QRELS, k=2, missing_queries="skip", at_least=0.9))
    assert "(left out)" in text
    assert "Convention: as trec_eval, but missing_queries=skip: gain=" in text


BAD = {
    "no bound": (lambda: assert_ndcg(RUN, QRELS), "nothing is asserted"),
    "NaN as bound": (lambda: assert_ndcg(RUN, QRELS, at_least=math.nan), "at_least=nan"),
    "truth value as bound": (lambda: assert_ndcg(RUN, QRELS, at_least=True), "a bound is a finite"),
    "text as bound": (lambda: assert_ndcg(RUN, QRELS, at_least="0.4"), "a bound is a finite"),
    "negative tolerance": (lambda: assert_ndcg(RUN, QRELS, equals=1, abs=-1), "at least 0"),
    "empty run": (lambda: assert_ndcg({}, QRELS, at_most=1), "no document"),
    "run without documents": (
        lambda: assert_ndcg({"q1": [], "q2": []}, QRELS, at_most=1),
        "no document",
    ),
    "empty ranking": (lambda: assert_ndcg([], {"a": 1}, at_most=1), "the ranking is empty"),
    "empty judgments": (lambda: assert_ndcg(RUN, {}, at_most=1), "."),
    "empty judgments of a query": (
        lambda: assert_ndcg(RUN, {"q1": {}}, at_most=1),
        "is judged",
    ),
    "no query in common": (lambda: assert_ndcg({"q9": ["a"]}, QRELS, at_most=1), "."),
    "ranked twice": (
        lambda: assert_ndcg({"q1": ["a", "a"]}, QRELS, at_least=0),
        "query 'q1', document 'a', rank 2",
    ),
    "unknown option": (lambda: assert_ndcg(RUN, QRELS, gian="exp", at_least=0), "no 'gian'"),
    "unknown reveal": (lambda: assert_ndcg(RUN, QRELS, reveal="no", at_least=0), "reveal='no'"),
    "no cut-off": (lambda: assert_metric("Rprec", RUN, QRELS, k=3, at_least=0), "'?k'?"),
    "bad cut-off": (lambda: assert_ndcg(RUN, QRELS, k=0, at_least=0), "at least 1"),
    "unknown measure": (lambda: assert_metric("nDGC", RUN, QRELS, at_least=0), "nDGC"),
    "too many inputs": (lambda: assert_ndcg(RUN, QRELS, 3, at_least=0), "got 3 inputs"),
    "no input": (lambda: assert_ndcg(at_least=0), "needs ranking"),
}


@pytest.mark.parametrize(("call", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_another_error_and_never_passes(call, message):
    """Bad input is no low score: it is an InputError that names the place."""
    with pytest.raises(InputError, match=message) as caught:
        call()
    assert not isinstance(caught.value, AssertionError)


@pytest.mark.parametrize("bound", ["at_least", "at_most", "equals", "every_query_at_least"])
def test_nan_is_within_no_bound(bound):
    """A mean or a query without a value fails, whatever is asserted."""
    qrels = {**QRELS, "q3": {"x": 0}}
    error = failure(assert_ndcg, {**RUN, "q3": ["x"]}, qrels, no_relevant="nan", **{bound: 0.0})
    assert "NaN" in error.summary


@pytest.mark.parametrize(
    ("name", "beyond"), [("at_least", 1e-9), ("at_most", -1e-9), ("equals", 1e-9)]
)
def test_a_score_on_the_bound_is_within_it(name, beyond):
    """The mean of 0, 0 and 0.3 is 0.1, and computed a little less; 1e-9 further is outside."""
    qrels = {q: {f"d{i}": 1 for i in range(3)} for q in "abc"}
    run = {"a": ["x"], "b": ["x"], "c": ["d0", "d1", "d2"]}
    more = {"abs": 0} if name == "equals" else {}
    assert assert_precision(run, qrels, k=10, **{name: 0.1}, **more) < 0.1
    with pytest.raises(RankingAssertionError):
        assert_precision(run, qrels, k=10, **{name: 0.1 + beyond}, **more)


@pytest.mark.parametrize("name", ["every_query_at_least", "every_group_at_least"])
def test_a_query_or_group_on_the_bound_is_within_it(name):
    """Three of ten are 0.3, which is a little less than 0.1 + 0.2 in floats."""
    run, qrels = {"a": ["d0", "d1", "d2"]}, {"a": {f"d{i}": 1 for i in range(3)}}
    more = {"groups": {"a": "one"}} if name == "every_group_at_least" else {}
    assert 0.1 + 0.2 > 0.3 == assert_precision(run, qrels, k=10, **{name: 0.1 + 0.2}, **more)
    failure(assert_precision, run, qrels, k=10, **{name: 0.3 + 1e-9}, **more)


def test_a_skipped_query_is_not_a_failing_one():
    """A query left out by a convention is not held against every_query_at_least."""
    qrels = {"q1": {"a": 1}, "q2": {"x": 0}}
    run = {"q1": ["a"], "q2": ["x"]}
    assert assert_ndcg(run, qrels, no_relevant="skip", every_query_at_least=0.9) == 1.0


def test_a_hint_shows_no_expected_values():
    """No bound, no grade, no ideal and no document of the judgments: not in any form."""
    error = failure(assert_ndcg, RUN, QRELS, k=2, at_least=0.4321, reveal="hint")
    for text in (str(error), repr(error), "".join(error.all_lines), repr(error.__dict__)):
        assert "0.4321" not in text
        assert "grade" not in text
        assert "4.2619" not in text
    assert error.summary == "nDCG@2 0.1480 is too low (2 queries)"
    assert "Lowest: q2 0.000" in str(error)
    error = failure(assert_ndcg, RUN, QRELS, k=2, equals=0.4321, reveal="hint")
    assert error.summary == "nDCG@2 0.1480 is not the expected value (2 queries)"


def test_other_kinds_of_input():
    """An area under a curve is asserted as it is called: one half of the pairs are in order."""
    assert assert_roc_auc([1, 0, 1], [0.5, 0.3, 0.1], at_least=0.5) == 0.5
    error = failure(assert_roc_auc, [1, 0, 1], [0.5, 0.3, 0.1], at_least=0.9)
    assert error.summary == "AUC 0.5000 < 0.9000 (short by 0.4000)"


def test_a_group_counts_by_its_queries_that_are_not_skipped():
    """A group without any holds every floor; one that is skipped excuses no other."""
    qrels = {"q1": {"a": 1}, "q2": {"x": 0}, "q3": {"x": 0}}
    run = {"q1": ["b", "a"], "q2": ["x"], "q3": ["x"]}
    options = {"groups": {"q1": "one", "q2": "one", "q3": "two"}, "no_relevant": "skip"}
    assert_ndcg(run, qrels, every_group_at_least=0.6, **options)
    error = failure(assert_ndcg, run, qrels, every_group_at_least=0.7, **options)
    assert "of group one 0.6309 < 0.7000" in error.summary


def test_the_group_that_lacks_most_comes_first():
    """By what it lacks to its own floor; a group without a score lacks everything."""
    bounds = [Bound("every_group_at_least", v, group=g) for g, v in (("a", 0.6), ("b", 0.9))]
    bounds += [Bound("every_group_at_least", 0.1, group="c"), Bound("at_least", 0.5)]
    outcome = SimpleNamespace(group_scores={"a": 0.1, "b": 0.7, "c": math.nan})
    first = [bound.group for bound in worst_group_first(bounds, outcome)]
    assert first == [None, "c", "a", "b"]


@pytest.mark.parametrize(
    ("scores", "refused"),
    [([0.5], True), ([0.0, 1.0], True), ([math.nan], True), ([1.5, 0.5], False), ([-0.5], False)],
)
@pytest.mark.parametrize("value", [-0.01, 1.01])
def test_a_bound_outside_the_range_is_refused_where_the_scores_keep_it(scores, refused, value):
    """Scores outside show that a convention has changed the range, so any bound may be meant."""
    metric = SimpleNamespace(range=(0.0, 1.0))
    outcome = SimpleNamespace(
        scores=np.array(scores), name="M", measure=SimpleNamespace(metric=metric)
    )
    for within in (0.0, 1.0):
        refuse_out_of_range([Bound("at_least", within)], outcome)
    if refused:
        with pytest.raises(InputError, match="M lies between 0 and 1"):
            refuse_out_of_range([Bound("at_least", value)], outcome)
    else:
        refuse_out_of_range([Bound("at_least", value)], outcome)


def test_judged_is_asserted_to_be_nine_in_ten_unless_said():
    """Half of the ten are judged: too few by default, enough if one half is asked for."""
    ranking = [f"d{i}" for i in range(10)]
    qrels = {f"d{i}": 1 for i in range(5)}
    assert failure(assert_judged, ranking, qrels).summary.startswith("Judged@10 0.5000 < 0.9000")
    assert assert_judged(ranking, qrels, at_least=0.5) == 0.5
    assert assert_judged(ranking, qrels, equals=0.5) == 0.5


def test_one_document_ranks_above_another():
    """Rank decides; documents of one score, or both in the wrong order, fail."""
    assert_ranks_above(["d3", "d7"], "d3", "d7")
    assert_ranks_above(["d3"], "d3", "d7")
    assert_ranks_above({"d7": 0.1, "d3": 0.2}, "d3", "d7")
    error = failure(assert_ranks_above, ["d7", "d1", "d3"], "d3", "d7")
    assert error.summary == "d3 does not rank above d7 (d3 rank 3, d7 rank 1)"
    assert "not retrieved" in failure(assert_ranks_above, ["d7"], "d3", "d7").summary
    for pair in itertools.permutations(["d3", "d7"]):
        assert (
            "same score 0.5" in failure(assert_ranks_above, {"d3": 0.5, "d7": 0.5}, *pair).summary
        )
    long = [f"d{i}" for i in range(100)]
    assert len(failure(assert_ranks_above, long, "d99", "d0").lines) <= LINES
    run = {"q1": ["d3", "d7"], "q2": {"d7": 0.2, "d3": 0.1}}
    assert_ranks_above(run, "d3", "d7", query="q1")
    error = failure(assert_ranks_above, run, "d3", "d7", query="q2")
    assert error.summary == "query q2: d3 does not rank above d7 (d3 rank 2, d7 rank 1)"
    with pytest.raises(InputError, match="query 'q3': not in the run"):
        assert_ranks_above(run, "d3", "d7", query="q3")
    with pytest.raises(InputError, match="query 'q2': document 'd7 ' differs from 'd7'"):
        assert_ranks_above(run, "d7 ", "d3", query="q2")


def test_a_hint_does_not_say_which_should_be_above():
    """The order is wrong: that is all."""
    error = failure(assert_ranks_above, ["d7", "d3"], "d3", "d7", reveal="hint")
    assert str(error) == "two documents are not in the expected order"


@pytest.mark.parametrize(
    ("ranking", "message"),
    [(["a", "b"], "not among"), ({"q1": ["d3", "d7"]}, "query='q1'"), (["d3", "d3"], "twice")],
)
def test_a_bad_ranking_ranks_nothing_above(ranking, message):
    """Neither document retrieved, a run for a ranking, a repetition: errors, not failures."""
    with pytest.raises(InputError, match=message):
        assert_ranks_above(ranking, "d3", "d7")


def test_the_traceback_ends_where_the_assertion_is_called():
    """No frame of ours is shown by Python's own traceback printer."""
    try:
        assert_recall(RUN, QRELS, at_least=1)
    except RankingAssertionError as error:
        text = "".join(traceback.format_exception(error))
    assert "irmetrics_edu/gate" not in text
    assert "test_assertions.py" in text


def test_the_error_survives_pickling():
    """Workers of a process pool send it whole, if without the text at length."""
    error = failure(assert_ndcg, RUN, QRELS, k=2, at_least=0.45)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 -- our own bytes
    assert str(again) == str(error)
    assert type(again) is RankingAssertionError


def test_a_refusal_survives_pickling_and_keeps_its_kind():
    """It is an InputError under its own name, there and back."""
    with pytest.raises(InputError, match="no document") as caught:
        assert_ndcg({}, QRELS, at_least=0)
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 -- our own bytes
    assert type(again) is InputError
    assert str(again) == str(caught.value)
    assert type(caught.value).__name__ == "InputError"
    assert "irmetrics_edu/gate" not in "".join(traceback.format_exception(caught.value))


def test_an_unknown_assertion_names_those_there_are():
    """A misspelt name is an AttributeError, as for any module."""
    with pytest.raises(AttributeError, match="assert_ndcg"):
        _ = gate.assert_ndgc
    assert "assert_ndcg" in dir(gate)


def test_generated_files_are_up_to_date():
    """The stub and the names of the fixtures follow the registry."""
    folder = ROOT / "irmetrics_edu"
    assert (folder / "gate/__init__.pyi").read_text(encoding="utf-8") == stub()
    shipped = {m.kernel.__name__ for m in METRICS.values() if m.__module__.startswith("irmetrics")}
    of_metrics = {f"assert_{name}" for name in (*shipped, *map(str.casefold, AGGREGATES))}
    assert of_metrics <= set(gate.ASSERTIONS) <= set(dir(gate))


def test_help_shows_every_keyword_of_an_assertion():
    """Bounds, groups, the cut-off where there is one, and the metric's own options, as written."""
    said = inspect.signature(assertion("assert_ndcg")).parameters
    assert {"at_least", "every_group_at_least", "groups", "queries", "reveal", "k"} <= said.keys()
    assert said["gain"].default == "linear"
    assert "k" not in inspect.signature(assertion("assert_r_precision")).parameters
    assert inspect.signature(assertion("assert_judged")).parameters["at_least"].default == 0.9
    for name in subjects():
        assert str(inspect.signature(assertion(name))).endswith("**options: Any) -> float")
