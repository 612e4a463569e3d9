"""What can't be scored, compared, grouped or weighed is refused, with what would do."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from irmetrics_edu import compare, evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs import segments
from irmetrics_edu.runs.aggregation import mean_average_precision
from irmetrics_edu.runs.all_pairs import pairs_of
from irmetrics_edu.runs.intervals import enough
from irmetrics_edu.runs.moves import moves
from irmetrics_edu.runs.pooling import pool
from irmetrics_edu.runs.printed_scores import PrintedScores, read_scores
from irmetrics_edu.runs.rank_change import p_mrr
from irmetrics_edu.runs.significance import TestPlan, paired_difference, settled
from tests.tables import rows

OLD = {"q": ["b", "a"], "r": ["b", "a"]}
NEW = {"q": ["a", "b"], "r": ["a", "b"]}
QRELS = {"q": {"a": 1}, "r": {"a": 1}}
SCORES = PrintedScores({"RR": {"q": 1.0, "r": 0.5}})
OTHERS = PrintedScores({"RR": {"q": 0.5, "r": 0.5}})
UNKNOWN = PrintedScores({"RR": {"q": 1.0, "r": float("nan")}})
SHARES = PrintedScores({"P@1": {"q": 1.0, "r": 0.5}})
TOGETHER = {"measures": "catalogue_coverage", "catalogue": ["a", "b"]}


def _compared(*, measures="RR", **more):
    return compare({"old": OLD, "new": NEW}, QRELS, measures, resamples=9, **more)


def _evaluated(measures="RR", **more):
    return evaluate(NEW, QRELS, measures, **more)


OF_SCORES = (
    (lambda: SCORES.working("RR", "q"), "only scores are known"),
    (lambda: SCORES.aligned, "only scores are known"),
    (SCORES.documents_per_query, "only scores are known"),
    (lambda: SCORES.of_queries(["x"]), "none of the queries asked for"),
    (lambda: SCORES.measure_named("AP"), "AP was not evaluated; there are RR"),
    (lambda: SCORES.require_query("x"), "query 'x' was not evaluated"),
    (lambda: SCORES.summary(confidence=0), "confidence=0 is out"),
    (lambda: SCORES.summary(confidence=1), "confidence=1 is out"),
    (lambda: SCORES.lowest(0), "n=0 is not possible"),
    (lambda: _evaluated("GMAP", weights={"q": 1, "r": 2}), "this is a geometric one"),
    (lambda: _evaluated("P@1(averaging=micro)"), "is not a cut-off"),
    (
        lambda: _evaluated("P@1", averaging="micro", weights={"q": 1, "r": 2}),
        "weigh by their counts",
    ),
    (lambda: _evaluated("RR", averaging="micro"), "averaging=micro pools counts"),
    (lambda: _evaluated("RR", averaging="impressions"), "averaging=impressions weighs queries"),
    (lambda: _evaluated("RR", popularity={}), "takes popularity; those that do are"),
    (lambda: _evaluated("RR", colour=1), "evaluate takes no 'colour'"),
    (lambda: _evaluated(**TOGETHER).working("catalogue_coverage", "q"), "several queries together"),
    (lambda: _evaluated(**TOGETHER).lowest(1), "no query has a score"),
    (lambda: _evaluated(**TOGETHER).summary(), "no spread over queries"),
    (lambda: _evaluated(**TOGETHER).plot(ax=object()), "there is nothing to plot"),
    (lambda: _evaluated().working("RR", "x"), "query 'x' was not evaluated"),
    (lambda: mean_average_precision(NEW, QRELS, missing_queries="x"), "missing_queries"),
    (lambda: p_mrr(OLD, NEW, {"q": {"a": 0}}), "no document of a query that both runs have"),
    (
        lambda: moves(*[evaluate({"q": [1]}, None, "RR").working("RR", "q")] * 2, "q"),
        "no move has a name",
    ),
)
OF_COMPARISONS = (
    (lambda: _compared().differences("x", "RR"), "run 'x' is not compared; there are new"),
    (lambda: _compared().tested("old", "RR"), "run 'old' is not compared"),
    (lambda: _compared().moves("q", "RR", "x"), "run 'x' is not compared"),
    (lambda: _compared(**TOGETHER).differences("new", "catalogue_coverage"), "is not tested"),
    (lambda: _compared(**TOGETHER).tested("new", "catalogue_coverage"), "is not tested"),
    (lambda: _compared(**TOGETHER).all_pairs(), "is not tested"),
    (lambda: _compared(weights={"q": 1, "r": 2}).all_pairs(), "each with each in weighted means"),
    (lambda: _compared().all_pairs("x"), "correction='x'"),
    (lambda: _compared(test="sign", weights={"q": 1}), "'sign' is not of a mean"),
    (lambda: _compared(measures="GMAP", weights={"q": 1, "r": 2}), "this is a geometric one"),
    (lambda: _compared(test="x"), "test='x'"),
    (lambda: _compared(family="x"), "family='x'"),
    (lambda: _compared(level=0.9), "level=0.9, power=0.8 are out of range"),
    (lambda: _compared().worst(0), "n=0 is not possible"),
    (lambda: compare({"a": SCORES, "b": OTHERS}).worst(), "scores without rankings"),
    (lambda: compare({"a": SCORES, "b": UNKNOWN}), "RR of b is not a finite number"),
    (lambda: compare({"a": UNKNOWN, "b": SCORES}), "RR of a is not a finite number"),
    (lambda: compare({"a": SCORES, "b": SHARES}), "'b' was evaluated by"),
    (lambda: compare({"a": SCORES}), "fewer than two runs"),
    (lambda: compare([SCORES, OTHERS]), "fewer than two runs"),
    (lambda: compare({"q": {"d1": 0.5, "d2": 1}}, QRELS), "maps documents to numbers"),
    (lambda: compare({"a": SCORES, "b": OTHERS}, baseline="c"), "'c' is not among the runs: a, b"),
    (
        lambda: compare({"a": SCORES, "b": PrintedScores({"RR": {"x": 1.0}})}),
        "no query in common",
    ),
    (
        lambda: compare({"a": _evaluated(weights={"q": 1, "r": 2}), "b": SCORES}, measures="RR"),
        "'a' was evaluated with weights",
    ),
    (lambda: compare({"a": _evaluated(), "b": SCORES}, queries=["q"]), "was evaluated before"),
    (
        lambda: compare({"a": {"q": []}, "b": {"q": ["a"]}}, QRELS, "RR").tested("b", "RR"),
        "'a' holds",
    ),
    (lambda: TestPlan("x"), "test='x'"),
    (lambda: paired_difference(np.array([])), "there is no query"),
    (lambda: paired_difference(np.ones(3), level=0.9), "level=0.9"),
    (lambda: paired_difference(np.ones(2), weight=np.zeros(2)), "every query weighs 0"),
    (lambda: settled(np.array([1.0, np.inf])), "no finite score"),
    (lambda: enough(0), "level=0 is too small"),
    (lambda: pairs_of("RR", {}, [], "x", "t"), "correction='x'"),
)
OF_POOLS = (
    (lambda: pool({}, 2), "the runs are not a mapping"),
    (lambda: pool(["a"], 2), "the runs are not a mapping"),
    (lambda: pool({"A": ["a"]}, 0), "depth=0"),
    (lambda: pool({"A": {"q": ["a"]}, "B": ["a"]}, 2), "'A' has queries and system 'B' has none"),
    (lambda: pool({"A": 7}, 2), "system 'A', .*give a list of ids"),
    (lambda: pool({"A": {"a", "b"}}, 2), "system 'A', .*no order"),
    (lambda: pool({"A": ["a", "a"]}, 2), "system 'A', .*twice"),
    (lambda: pool({"A": ["a"]}, 2).of("B"), "no system 'B' is pooled; there are 'A'"),
)
TWICE = pd.Series(["de", "en"], index=["q", "q"])
OF_QUERIES = (
    (lambda: segments.texts({"q": 7}, ["q"]), "the text of query 'q' is 7"),
    (lambda: segments.texts({"x": "y"}, ["q"]), "there is no text for 'q' or any other"),
    (lambda: segments.groups({"q": "de"}, ["q", "r"]), r"query 'r' has no group \(1 of 2"),
    (lambda: segments.groups({"q": " "}, ["q"]), "query 'q' has no group"),
    (lambda: segments.groups({"q ": "de"}, ["q"]), "it differs from 'q ' only in"),
    (lambda: segments.groups({"q": ["de"]}, ["q"]), r"query 'q' has \['de'\]; give one group"),
    (lambda: segments.groups({"q": 1, "r": "1"}, ["q", "r"]), "two groups that are shown alike"),
    (lambda: segments.groups(TWICE, ["q"]), "query 'q' stands twice in the index"),
    (lambda: segments.groups(7, ["q"]), "groups: a int is given"),
    (lambda: segments.groups("no.csv", ["q"]), "no such file"),
    (lambda: segments.groups_beside_all({"q": "all"}, ["q"]), "'all' stands for all queries"),
    (lambda: segments.weights({"q": 1}, ["q", "r"]), r"query 'r' has no weight \(1 of 2"),
    (lambda: segments.weights({"q": -1}, ["q"]), "weight -1 is not possible"),
    (lambda: segments.weights({"q": True}, ["q"]), "weight True is not possible"),
    (lambda: segments.weights({"q": np.True_}, ["q"]), "weight .*True.* is not possible"),
    (lambda: segments.weights({"q": "x"}, ["q"]), "weight 'x' is not a number"),
    (lambda: segments.weights({"q": float("nan")}, ["q"]), "weight nan is not finite"),
    (lambda: segments.weights({"q": 0, "r": 0}, ["q", "r"]), "every weight is 0"),
    (lambda: segments.chosen_queries(7), "queries=7 names no queries"),
    (lambda: segments.chosen_queries(b"q"), "names no queries"),
    (lambda: segments.chosen_queries([["q"]]), "an id must be hashable"),
    (lambda: segments.chosen_queries([]), "queries= names no query, so there is no score"),
)


@rows(("ask", "says"), (*OF_SCORES, *OF_POOLS, *OF_QUERIES))
def test_what_has_no_score_is_refused(ask, says):
    """By a message of its own."""
    refused(ask, says)


@rows(("ask", "says"), OF_COMPARISONS)
def test_what_is_no_comparison_is_refused(ask, says):
    """By a message of its own."""
    refused(ask, says)


def refused(ask, says):
    """Ask, and look at the message."""
    with pytest.raises(InputError) as told:
        ask()
    assert re.search(says, str(told.value), re.DOTALL), str(told.value)


SMALLER_IS_BETTER = """{"testCases": [{"input": "q", "metricsData": [
{"name": "m", "score": 1, "threshold": 0.5, "success": false}]}]}"""
HEAD = "query,measure,value\n"
OF_FILES = (
    ("query,RR\nq,1\nq,1\n", {}, "line 3: RR of query 'q' is there twice"),
    ("query,RR\nq,x\n", {}, "value 'x' is not a number"),
    ("query,RR\nq,inf\n", {}, "value 'inf' is not finite"),
    ("query,RR\nq,\n", {}, "max_empty=0.05 leaves out such queries"),
    ("query,RR\nq,\nr,1\n", {"max_empty": 0.4}, "1 of 2 queries has none, more than max_empty=0.4"),
    ("query,RR\nq,1\n", {"max_empty": 1}, "max_empty=1 is out"),
    ("query,RR\nq,1\n", {"max_empty": -1}, "max_empty=-1 is out"),
    (HEAD + "q,RR,1\nr,AP,1\n", {}, "query 'q' has no score in AP"),
    (HEAD, {}, "no score of a query"),
    ("num_q all 1\n", {}, "no score of a query"),
    ("map q 0.5 x\n", {}, "line 1: .* has 4 fields; expected 3, as trec_eval"),
    ("q\tRR\t1\nq\tRR\n", {}, "line 2: .* has 2 fields; expected 3, as ir_measures"),
    ('{"testCases": 7}', {}, "no test run of DeepEval"),
    ("{", {}, "no test run of DeepEval"),
    ('{"testCases": [], "conversationalTestCases": [1]}', {}, "a conversation is no question"),
    (
        '{"testCases": [{"input": 7, "metricsData": [{"name": "m", "score": 1}]}]}',
        {},
        "test case 1: the input is 7",
    ),
    (
        '{"testCases": [{"input": "q", "metricsData": [{"name": 7, "score": 1}]}]}',
        {},
        "test case 1: the name of a metric is 7",
    ),
    (
        SMALLER_IS_BETTER,
        {},
        "by its threshold a smaller m is better",
    ),
)


@rows(("text", "how", "says"), OF_FILES)
def test_scores_of_another_program_are_refused_with_their_place(text, how, says, tmp_path):
    """Each by a message of its own."""
    path = Path(tmp_path, "scores.csv")
    path.write_text(text)
    refused(lambda: read_scores(path, **how), says)


OF_QUERY_FILES = (
    (segments.read_groups, "query,group\nq,a\nq,b\n", "", "query 'q' is in 'b', but in 'a' above"),
    (segments.read_weights, "query,weight\nq,1\nq,2\n", "", "query 'q' has a weight above"),
    (segments.read_weights, "query,weight\nq,x\n", "", "weight 'x' is not a number"),
    (segments.chosen_queries, "query,fold\nq,1\n", ":fold", "of which 'fold' are the queries"),
    (segments.chosen_queries, "query,fold\nq,1\n", ":fold=2", "no query has '2' as its 'fold'"),
    (segments.chosen_queries, "\n", "", "names no query, so there is no score"),
)


@rows(("read", "text", "column", "says"), OF_QUERY_FILES)
def test_files_of_queries_are_refused_with_their_place(read, text, column, says, tmp_path):
    """Each by a message of its own."""
    path = Path(tmp_path, "queries.csv")
    path.write_text(text)
    refused(lambda: read(f"{path}{column}"), says)
