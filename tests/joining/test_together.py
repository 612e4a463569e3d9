"""Measures of several queries together, and of two runs, in whole runs: against plain loops."""

import json
import math

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import assert_entropy, assert_gini, assert_metric, assert_rbo
from irmetrics_edu.metrics.rank_similarity import kendall_tau, rbo, tau_ap
from irmetrics_edu.runs.comparison import compare

RUN = {
    "q1": {"a": 0.9, "b": 0.5, "c": 0.4},
    "q2": {"a": 0.9, "b": 0.4},
    "q3": {"d": 0.9, "b": 0.8, "a": 0.7},
}
OTHER = {"q1": ["c", "a", "b"], "q2": ["a", "b"], "q3": ["a", "b", "d"]}
QRELS = {"q1": {"b": 2, "a": 0}, "q2": {"a": 1, "b": 0}, "q3": {"b": 1, "d": 0, "a": 0}}


@pytest.mark.parametrize(
    ("name", "function"), [("RBO", rbo), ("tau", kendall_tau), ("tau_AP", tau_ap)]
)
def test_two_runs_are_compared_query_by_query(name, function):
    """Each query as the function has it, whether or not judgments are there."""
    expected = {q: function(list(RUN[q]), OTHER[q]) for q in RUN}
    for qrels in (None, QRELS):
        e = evaluate(RUN, qrels, name, other=OTHER)
        assert e.per_query[name] == pytest.approx(expected)
        assert e[name] == pytest.approx(sum(expected.values()) / 3)
    assert e.working(name, "q1", exact=True).value == function(
        list(RUN["q1"]), OTHER["q1"], exact=True
    )


def test_equal_scores_have_the_order_of_the_conventions_or_are_ties():
    """RBO takes the order that all measures see; tau counts the tie as one."""
    run, other = {"q": {"a": 1, "b": 1, "c": 0}}, {"q": ["b", "a", "c"]}
    assert evaluate(run, None, "RBO", ties="docid", other=other)["RBO"] == 1
    assert evaluate(run, None, "RBO", ties="docid_ascending", other=other)["RBO"] < 1
    tau = kendall_tau(run["q"], other["q"])
    assert tau == pytest.approx(2 / math.sqrt(2 * 3))
    assert evaluate(run, None, "tau", other=other)["tau"] == pytest.approx(tau)


def test_a_catalogue_is_covered_by_all_lists():
    """The union of the lists over the catalogue; other measures keep their scores."""
    e = evaluate(
        RUN, QRELS, "catalogue_coverage catalogue_coverage@1 P@1", catalogue=list("abcdefgh")
    )
    assert e["catalogue_coverage"] == 4 / 8
    assert e["catalogue_coverage@1"] == len({"a", "d"}) / 8
    assert e["P@1"] == pytest.approx(1 / 3)
    assert np.isnan(e.scores["catalogue_coverage"]).all()
    assert json.loads(e.json())["per_query"]["catalogue_coverage"] == dict.fromkeys(RUN)
    assert any("no query has a score" in note for note in e.notes())


def test_what_is_expected_may_be_said_user_by_user():
    """The list of the user, or one for all."""
    own = {"q1": ["a"], "q2": ["a"], "q3": ["a"]}
    for expected in (["a"], own):
        e = evaluate(RUN, QRELS, "serendipity", expected=expected)
        assert e.per_query["serendipity"] == pytest.approx({"q1": 1 / 3, "q2": 0, "q3": 1 / 3})
    with pytest.raises(InputError, match="query 'q3': the user is not in expected"):
        evaluate(RUN, QRELS, "serendipity", expected={"q1": ["a"], "q2": ["a"]})


@pytest.mark.parametrize(
    ("measure", "beside", "words"),
    [
        ("RBO", {}, "RBO compares two runs; give other="),
        ("RBO", {"other": {"q1": ["a"]}}, "query 'q2': the query is not in the other run"),
        ("tau", {"other": {**OTHER, "q2": ["a", "x"]}}, "query 'q2': 'b' is in one order only"),
        (
            "catalogue_coverage",
            {},
            "catalogue_coverage needs catalogue, all items that can be recommended",
        ),
        ("catalogue_coverage", {"catalogue": ["a"]}, "is not in the catalogue"),
        ("mean", {}, "call irmetrics_edu.mean"),
    ],
)
def test_what_lacks_or_does_not_fit_is_named(measure, beside, words):
    """Input errors say what to give."""
    with pytest.raises(InputError, match=words):
        evaluate(RUN, QRELS, measure, **beside)


def test_what_needs_a_score_for_each_query_refuses():
    """Spread, plot, tests, and the working of a query; a comparison shows it untested."""
    measure, catalogue = "catalogue_coverage", list("abcd")
    e = evaluate(RUN, QRELS, measure, catalogue=catalogue)
    compared = compare({"one": RUN, "two": OTHER}, QRELS, measure, catalogue=catalogue)
    assert compared.means["one"][measure] == e.mean[measure]
    assert "is not tested" in str(compared)
    for call in (
        e.summary,
        e.plot,
        lambda: compared.tested("two", measure),
        lambda: compared.differences("two", measure),
        compared.plot,
        compared.all_pairs,
        lambda: e.working(measure, "q1"),
    ):
        with pytest.raises(InputError, match=measure):
            call()


def test_assertions_take_counts_and_two_runs():
    """Counts alone need no categories; two runs are compared query by query."""
    assert assert_gini({"a": 3, "b": 1, "c": 0, "d": 0}, at_most=0.7) == 0.625
    assert assert_entropy({"a": 1, "b": 1}, equals=1) == 1
    with pytest.raises(AssertionError, match=r"Gini 0\.2500 > 0\.1000"):
        assert_metric("Gini", {"a": 3, "b": 1}, at_most=0.1)
    with pytest.raises(InputError, match="needs categories"):
        assert_gini({"u": ["a", "b"]}, at_most=0.1)
    assert assert_rbo(RUN, RUN, equals=1) == 1
    with pytest.raises(AssertionError, match="q3"):
        assert_rbo(RUN, OTHER, every_query_at_least=0.95, at_least=0)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A run, another and judgments, as files where the command is called."""
    monkeypatch.chdir(tmp_path)
    for name, run in (("one", RUN), ("two", {q: dict.fromkeys(d, 0) for q, d in OTHER.items()})):
        lines = [f"{q} Q0 {d} 0 {10 - i} t" for q, docs in run.items() for i, d in enumerate(docs)]
        (tmp_path / f"{name}.run").write_text("\n".join(lines))
    lines = [f"{q} 0 {d} {g}" for q, judged in QRELS.items() for d, g in judged.items()]
    (tmp_path / "qrels").write_text("\n".join(lines))
    (tmp_path / "items").write_text("a\nb\nc\nd\ne\n")
    (tmp_path / "a").write_text("a\n")
    return tmp_path


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        # Agreements 0, 1/2 and 1 for two queries, 1 for the third: (2 * 0.855 + 1) / 3.
        (["RBO", "--other", "two.run"], "0.9033"),
        (["catalogue_coverage", "--catalogue", "items"], "0.8000"),
        (["serendipity", "--expected", "a"], "0.2222"),
    ],
)
def test_the_command_takes_each_as_a_file(files, capsys, asked, value):
    """The same numbers by the command line; without the file it says which to give."""
    del files
    assert main(["evaluate", "qrels", "one.run", "-m", *asked]) == 0
    assert value in capsys.readouterr().out
    assert main(["evaluate", "qrels", "one.run", "-m", asked[0]]) == 2
    assert f"give {asked[1]} FILE" in capsys.readouterr().err
