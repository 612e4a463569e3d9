"""Details of what a failure says and what is told of a measurement."""

import json

import numpy as np
import pytest

from irmetrics_edu import dcg, evaluate, explain
from irmetrics_edu.gate import (
    RankingAssertionError,
    assert_absent,
    assert_follows,
    assert_improves,
    assert_in_top,
    assert_latency,
    assert_ndcg,
    assert_no_regression,
    assert_pass_rate,
    assert_pins,
    assert_ranks_above,
)
from irmetrics_edu.gate.checked_value import configured
from irmetrics_edu.gate.failure import cut
from irmetrics_edu.gate.plugin.baseline_files import text as baseline_text
from irmetrics_edu.gate.regression_message import _moved
from irmetrics_edu.gate.worked_steps import WIDTH, _left_out, steps_of
from irmetrics_edu.runs.moves import Move, Moves
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.working import Table, Working

pytest_plugins = ["pytester"]

RUN = {f"q{q:02}": {"a": 2.0, "b": 1.0} for q in range(12)}
FIRST = {q: {"a": 1} for q in RUN}
SECOND = {q: {"b": 1} for q in RUN}


def said(call, verbosity=0):
    """The message of a failure, at a verbosity."""
    with pytest.raises(RankingAssertionError) as caught:
        call()
    caught.value.verbosity = verbosity
    return str(caught.value)


def test_few_groups_leave_none_out():
    """All are named, the one that lost most first, and nothing says that there are more."""
    groups = {q: "first" if q < "q06" else "last" for q in RUN}
    worse = {q: {"a": 1.0, "b": 2.0} for q in RUN}
    text = said(lambda: assert_no_regression(worse, RUN, FIRST, ["RR"], groups=groups))
    assert "By group: first -0.500, last -0.500\n" in text
    many = {q: q for q in RUN}
    text = said(lambda: assert_no_regression(worse, RUN, FIRST, ["RR"], groups=many))
    assert "By group: q00 -0.500, q01 -0.500, q02 -0.500 ...\n" in text


def test_lines_without_room_are_counted():
    """Ten lines below the summary: eight of twelve, the count of the others, and the end."""
    lines = list("abcdefghijkl")
    assert cut(lines, ["end"]) == [*"abcdefgh", "... 4 more lines; -v shows them", "end"]
    assert cut(lines[:9], ["end"]) == [*"abcdefghi", "end"]


def test_what_is_left_over_is_said_with_a_change_by_documents_alone():
    """A change that is no sum over documents has a line, if there is a table to stand under."""
    moved = [Move("a", 1, 1, 2, 0.5, 0.25)]
    for left, worths, line in ((0.125, moved, True), (0.0, moved, False), (0.125, [], False)):
        found = Moves("M", "q", 0.5, 0.375, worths, left, "")
        lines = _moved(found, {})
        assert ("  not due to single documents: +0.1250" in lines) is line


def test_rows_with_gain_that_are_left_out_are_named_as_many_as_fit():
    """By document and rank, else by the number of the row."""
    graded = explain(dcg, [3, 2, 1]).working
    assert _left_out(graded, 3, 1, [1, 2]) == ["  ... and 2 more, 2 with gain: 2, 3"]
    lines = _left_out(explain(dcg, [1] * 200).working, 200, 0, list(range(200)))
    assert lines[0].startswith("  200 rows (-v), 200 with gain: 1, 2, 3, ")
    assert len(lines) == 3
    assert lines[-1].endswith(", ... (-v)")


def test_a_long_equation_takes_two_lines():
    """The steps stay in the room that they have."""
    names = {f"a quantity with a very long name, number {i}": 1.0 for i in range(12)}
    how = " + ".join(f"{{{name}}}" for name in names)
    working = Working(
        np.array([12.0]), how=how, quantities=names, columns={"worth": np.ones(2)},
        table=Table(np.zeros(2, dtype=np.intp), {"document": ["d1", "d2"]}), name="long",
    )  # fmt: skip
    lines = steps_of(working, 20)
    assert [("quantity" in line or "= 12" in line) for line in lines].count(True) == 2


def test_a_measurement_tells_of_one_ranking_and_of_each_query(monkeypatch):
    """A single ranking counts as one query; a run's scores stand by query."""
    from irmetrics_edu import measured

    told = []
    monkeypatch.setattr(measured, "tell", told.append)
    assert_ndcg([3, 2, 1], at_least=0.5)
    assert_ndcg(RUN, FIRST, at_least=0.5)
    one, many = (measurement.facts() for measurement in told)
    assert (one["queries"], one["per_query"]) == (1, {})
    assert (many["queries"], many["per_query"]) == (12, dict.fromkeys(RUN, 1.0))


def test_an_improvement_that_is_not_there_says_what_was_not_compared():
    """The notes of both runs stand in the message, and not in a hint."""
    fewer = {q: docs for q, docs in RUN.items() if q != "q00"}

    def call(reveal):
        return lambda: assert_improves(RUN, fewer, FIRST, ["RR"], reveal=reveal, max_gone=1)

    assert "1 query is new (q00)" in said(call("all"))
    assert "is new" not in said(call("hint"))


def test_a_measure_keeps_its_name_with_its_options():
    """An aggregate's name is its own; a metric's options stand once, its cut-off once."""
    for name in ("AP(rel=2)@10", "nDCG@5", "MAP", "MAP(rel=2)@10", "P@3"):
        assert configured(name, None, {})[0].name == name
    assert configured("MAP", 10, {"rel": 2})[0].name == "MAP(rel=2)@10"
    assert configured("GMAP", 10, {})[0].name == "GMAP@10"


def test_a_baseline_keeps_ids_as_they_are_written():
    """A person reviews the file: letters of any language stand there as they are."""
    text = baseline_text({"naïve": {"ranking": ["é", "日本"]}})
    assert '"naïve"' in text
    assert '["é","日本"]' in text


def test_an_equation_that_just_fits_stays_on_its_line():
    """As wide as a message, less what it is indented by."""

    def with_name(name):
        working = Working(
            np.array([1.0]), how=f"{{{name}}}", quantities={name: np.ones(1)},
            columns={"worth": np.ones(1)},
            table=Table(np.zeros(1, dtype=np.intp), {"document": ["d"]}), name="long",
        )  # fmt: skip
        return working, Explanation(working).sections[0].equation

    _, shortest = with_name("x y")
    fits = "x " + "y" * (1 + WIDTH - 2 - len(shortest))
    working, equation = with_name(fits)
    assert len(equation) == WIDTH - 2
    assert any(line.strip() == equation for line in steps_of(working, 20))


def test_a_latency_that_fails_is_told_with_its_message(monkeypatch):
    """One that holds has none."""
    from irmetrics_edu import measured

    told = []
    monkeypatch.setattr(measured, "tell", told.append)
    with pytest.raises(RankingAssertionError):
        assert_latency({"q1": 0.1, "q2": 0.3}, p50=0.2, p99=0.2)
    within, beyond = (one.facts() for one in told)
    assert "explanation" not in within
    assert beyond["explanation"].startswith("p99 latency 0.3")


def test_a_test_that_is_refused_after_one_that_held_is_told_as_an_error(pytester):
    """Both stand in the report: what held, and that the second could not be measured."""
    pytester.makepyfile(
        "def test_it(assert_ndcg):\n    assert_ndcg([1, 0], at_least=0.5)\n"
        "    assert_ndcg([1, 0], at_least=7)\n"
    )
    pytester.runpytest_inprocess("--irm-report=it.json").assert_outcomes(failed=1)
    facts = json.loads((pytester.path / "it.json").read_text(encoding="utf-8"))["results"]
    assert sorted(fact["verdict"] for fact in facts) == ["error", "pass"]


def test_each_assertion_fails_in_at_most_twelve_lines(tmp_path):
    """By default; -v has as many lines or more. Inputs are large enough to fill a screen."""
    long = [f"d{i}" for i in range(100)]
    run = {f"q{i:02}": dict.fromkeys(long, 1.0) for i in range(40)}
    none = {
        query: {**dict.fromkeys(long[50:], 1), **{f"x{i}": 1 for i in range(9)}} for query in run
    }
    groups = {query: query[-1] for query in run}
    bounds = {"at_least": 0.99, "every_query_at_least": 0.98, "every_group_at_least": 0.97}
    limits = {"max_observed_drop": 0.02, "max_query_drop": 0.02, "max_group_drop": 0.02}
    turned = dict.fromkeys(run, long[::-1])
    pins = tmp_path / "pins.csv"
    rows = [f"{query},{document},1" for query in run for document in long[1:3]]
    pins.write_text("\n".join(["query,document,top", *rows]), encoding="utf-8")
    first = {query: {"d0": 1} for query in run}
    straight = dict.fromkeys(run, long)
    broken = {
        "assert_ndcg": lambda: assert_ndcg(straight, none, k=10, groups=groups, **bounds),
        "assert_no_regression": lambda: assert_no_regression(
            turned, straight, first, "RR nDCG@10 P@5", groups=groups, **limits
        ),
        "assert_improves": lambda: assert_improves(turned, straight, first, "RR nDCG@10 P@5"),
        "assert_absent": lambda: assert_absent(long, long[::3], 90),
        "assert_in_top": lambda: assert_in_top(long, long[::3], 2),
        "assert_ranks_above": lambda: assert_ranks_above(long, "d90", "d50"),
        "assert_pins": lambda: assert_pins(straight, pins),
        "assert_pass_rate": lambda: assert_pass_rate(lambda: False, 30, at_least=0.5),
        "assert_latency": lambda: assert_latency(
            {query: 1.0 + i for i, query in enumerate(run)},
            p50=0.1, p95=0.1, p99=0.1,
        ),
        "assert_follows": lambda: assert_follows(lambda _: 2.0, "nDCG@10"),
    }  # fmt: skip
    from irmetrics_edu.gate import HOMES

    names = {n for group in HOMES.values() for n in group.split() if n.startswith("assert_")}
    assert names - {"assert_metric"} == broken.keys() - {"assert_ndcg"}  # which stands for metrics
    for name, call in broken.items():
        with pytest.raises(RankingAssertionError) as caught:
            call()
        short = str(caught.value).splitlines()
        caught.value.verbosity = 1
        assert len(short) <= 12, (name, short)
        assert len(str(caught.value).splitlines()) >= len(short), name


@pytest.mark.parametrize("missing", [1, 2, 3, 4, 5, 40])
def test_three_documents_are_named_and_the_others_counted(missing):
    """Of those that were not retrieved, and of those below the cut."""
    ids = [f"d{i:02}" for i in range(missing)]
    named = ", ".join(f"{one} (grade 1)" for one in ids[:3])
    more = f" and {missing - 3} more" if missing > 3 else ""
    judged = {"top": 1, **dict.fromkeys(ids, 1)}
    absent = steps_of(evaluate({"q": ["top"]}, {"q": judged}, "RR").working("RR", "q"), 20)
    assert any(line.strip() == f"not retrieved: {named}{more}" for line in absent)
    run = {"q": ["top", *ids]}
    below = steps_of(evaluate(run, {"q": judged}, "RR@1").working("RR@1", "q"), 20)
    named = ", ".join(f"{one} (grade 1, rank {i})" for i, one in enumerate(ids[:3], 2))
    assert any(line.strip() == f"relevant but below rank 1: {named}{more}" for line in below)
