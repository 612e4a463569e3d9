"""What gates read and keep, over all that can stand there; and what was made stays as it was."""

import importlib
import json
import pkgutil
import warnings
from itertools import product
from os import PathLike
from pathlib import Path
from types import SimpleNamespace

import pytest

from irmetrics_edu import evaluate, gate
from irmetrics_edu.gate import (
    against_baseline,
    baseline,
    bounds,
    checked_value,
    decision,
    failure,
    gated,
    given,
    history,
    latency,
    message,
    paired,
    pins,
    places,
    policy,
    position,
    regression,
    regression_message,
    score,
    setting_keywords,
    trials,
    verdict,
    worked_steps,
)
from irmetrics_edu.gate.baseline import Baseline, Outdated
from irmetrics_edu.gate.plugin import (
    baseline_diff,
    baseline_files,
    baseline_fixture,
    loading,
    measured_test,
    origin,
    report_files,
    selection,
    session,
    session_report,
    stale_baselines,
)
from irmetrics_edu.gate.plugin.measured_test import MeasuredTest
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.notation import measure
from irmetrics_edu.runs.printed_scores import PrintedScores
from tests.tables import rows
from tests.values import hold_still, values_of

# -- entries of baselines


def entry(**parts):
    """What a file keeps of a run of two queries by two measures."""
    usual = {
        "conventions": {"name": "ours"},
        "judgments": "j",
        "means": {"P": 0.25, "RR": 0.75},
        "queries": {"p": [[0.5, 1.0], ["a", 7], {"1": 1, "2": 0.5}], "q": [[0.0, 0.5], []]},
        "depth": 10,
        "whole": True,
        "lacked": ["q"],
        "corpus": "May",
    }
    return {**usual, **parts}


def lines(**of_p):
    """The queries of an entry, with another part of the first."""
    line = {"scores": [0.5, 1.0], "ranking": ["a", 7], "grades": {"1": 1, "2": 0.5}} | of_p
    return {"queries": {"p": [*line.values()], "q": [[0.0, 0.5], []]}}


ODD = {
    "conventions": [None, [], {"name": 3}, {"name": None}],
    "judgments": [None, 3, []],
    "depth": [None, "10", 1.5],
    "whole": [None, 1, "yes"],
    "lacked": [None, "q", {}, [3], [None]],
    "corpus": [None, 3, ["May"]],
    "means": [
        None, [], {"P": "x", "RR": 0.75}, {"P": None, "RR": 0.75}, {"P": float("nan"), "RR": 0.75},
        {"P": float("inf"), "RR": 0.75}, {"P": True, "RR": 0.75}, {"P": 0.25},
        {"P": 0.26, "RR": 0.75}, {"P": 0.25, "RR": 0.74}, {"P": 0.25, "RR": 0.75, "S": 0.5},
    ],
    "queries": [
        None, [], {"p": [[0.5, 1.0]]}, {"p": 3},
        *(lines(scores=odd)["queries"] for odd in (
            None, "x", {}, [0.5], [0.5, None], [0.5, "1"], [0.5, True], [0.5, float("nan")],
            [0.5, float("inf")], [0.5, 1.0, 1.0],
        )),
        *(lines(ranking=odd)["queries"] for odd in (None, "ab", {}, [1.5], [None], [["a"]], [{}])),
        *(lines(grades=odd)["queries"] for odd in (
            None, [1, 0.5], "x", {"0": 1}, {"3": 1}, {"x": 1}, {"1": None}, {"1": "1"},
            {"1": float("nan")}, {"1": True},
        )),
    ],
}  # fmt: skip


@rows("name", ODD)
def test_an_entry_with_an_odd_part_is_outdated(name):
    """Whatever is odd in it, and in whichever place: it never counts as a baseline."""
    assert Baseline.read(entry()).entry() == entry()
    for odd in ODD[name]:
        with pytest.raises(Outdated, match=r"^the baseline can't be read"):
            Baseline.read(entry(**{name: odd}))
    if name != "corpus":
        with pytest.raises(Outdated, match=r"^the baseline can't be read"):
            Baseline.read({key: value for key, value in entry().items() if key != name})


@rows("apart", [0.0, 4e-7, 9e-7, 1e-5, 0.01])
def test_a_mean_is_that_of_its_queries_but_for_rounding(apart):
    """Six digits are kept of both; a mean of other queries is what a merge by hand leaves."""
    means = {"P": 0.25 + apart, "RR": 0.75}
    if apart < 2e-6:
        assert Baseline.read(entry(means=means)).means["P"] == 0.25 + apart
    else:
        with pytest.raises(Outdated, match="the mean of P is not the mean of its queries"):
            Baseline.read(entry(means=means))


def test_a_baseline_of_scores_alone_has_no_rankings_and_answers_all():
    """Scores that another program printed."""
    printed = PrintedScores({"RR": {"p": 0.5, "q": 0.0}}, BUNDLES["trec_eval"])
    kept = Baseline.of(printed, {"p": {"a": 1}})
    assert (kept.depth, kept.whole, kept.grades) == (0, False, {})
    assert kept.rankings == {"p": [], "q": []}
    assert kept.answers("p")
    assert kept.answers("q")
    assert kept.conventions == {"name": "trec_eval"}
    assert kept.means == {"RR": 0.25}
    nothing = PrintedScores({"RR": {}}, BUNDLES["trec_eval"])
    for scores, qrels in product((printed, nothing), ("a.qrels", ["a"])):
        with pytest.raises(ValueError, match="only scores are known"):
            baseline.judgments_of(scores, qrels)


@rows("asked", ["P@1", "P@3", "RR"])
@rows("depth", [None, 1, 2, 3, 9])
def test_rankings_are_kept_as_deep_as_measures_need_or_as_asked(asked, depth):
    """And it is said whether they are whole; a hundred where a measure has no cut-off."""
    run = {"p": ["a", "b", "c"], "q": ["a"]}
    scores = evaluate(run, {"p": {"a": 1}, "q": {"b": 1}}, [asked])
    kept = Baseline.of(scores, {}, depth)
    deep = depth or {"P@1": 1, "P@3": 3, "RR": 100}[asked]
    assert kept.depth == deep
    assert kept.rankings == {query: ranking[:deep] for query, ranking in run.items()}
    assert kept.whole is (deep >= 3)


# -- files of baselines


def test_a_key_that_stands_twice_is_told_with_its_lines():
    """As the file has them; and without, if the text has them on one line."""
    text = baseline_files.text({"t": {"a": 1}, "u": {"a": 2}})
    assert baseline_files.parsed(text, "b.json") == {"t": {"a": 1}, "u": {"a": 2}}
    twice = text.replace('"u":', '"t":')
    places_of_key = [n for n, line in enumerate(twice.split("\n"), 1) if '"t":' in line]
    assert len(places_of_key) == 2
    told = " and ".join(map(str, places_of_key))
    with pytest.raises(
        ValueError, match=rf"^b\.json, lines {told}: 't' stands twice in one object"
    ):
        baseline_files.parsed(twice, "b.json")
    joined = " ".join(twice.split("\n"))
    with pytest.raises(ValueError, match=r"^b\.json: 't' stands twice in one object"):
        baseline_files.parsed(joined, "b.json")
    thrice = twice.replace('"a": 2', '"a": 2, "t": {}').replace('"a": 1', '"a": 1,\n"t": {}')
    with pytest.raises(ValueError, match=r"^b\.json: 't' stands twice in one object"):
        baseline_files.parsed(thrice, "b.json")


@rows("content", ["", " ", "\n\n", "\ufeff"])
def test_an_empty_file_of_baselines_says_so(content):
    """It is no file of no baselines: those are written as such."""
    if content == "\ufeff":
        content = ""
    with pytest.raises(ValueError, match=r"^b\.json: the file is empty; "):
        baseline_files.parsed(content, "b.json")
    assert baseline_files.parsed(baseline_files.text({}), "b.json") == {}


@rows("held", [None, [], {}, {"format": None}, {"format": "another 1"}, {"format": 3}, "x"])
def test_a_file_of_another_kind_or_version_is_refused(held):
    """One of a later version says which release reads it; other JSON is no file of baselines."""
    with pytest.raises(ValueError, match=r"^b\.json: no file of baselines; its format should be"):
        baseline_files.parsed(json.dumps(held), "b.json")
    later = f"{baseline_files._ANY}9"
    with pytest.raises(ValueError, match=r"^b\.json: baselines of version 9, but this release"):
        baseline_files.parsed(json.dumps({"format": later, "baselines": {}}), "b.json")


@rows("odd", [None, [], "x", {"t": []}, {"t": None}])
def test_baselines_are_a_mapping_of_tests_to_mappings(odd):
    """Each of them."""
    text = json.dumps({"format": baseline_files.FORMAT, "baselines": odd})
    with pytest.raises(ValueError, match="its baselines are no mapping of tests to baselines"):
        baseline_files.parsed(text, "b.json")


# -- files beside a test


@rows("bad", [0, 1, 2])
def test_lines_that_are_left_out_are_counted_at_the_call_that_asked_for_it(bad, tmp_path):
    """One line is one; a file without any tells nothing."""
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 d1 1 2.0 t\n" + "q1 Q0 d2 x\n" * bad)
    read = loading.loader(tmp_path, "run")
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        held = read("a.run", skip_bad=True)
    assert list(held) == ["q1"]
    lines_left_out = {0: [], 1: ["1 malformed line"], 2: ["2 malformed lines"]}[bad]
    assert [str(one.message) for one in heard] == [f"{path}: {w} left out" for w in lines_left_out]
    assert {one.filename for one in heard} <= {__file__}


# -- what a frame is


@rows("chain", [*product(["ours", "theirs", "between"], repeat=3)])
def test_a_traceback_is_cut_where_our_own_frames_begin(chain):
    """What calls ours through functools or contextlib is ours; what it calls is not."""
    modules = {"ours": "irmetrics_edu.gate.score", "theirs": "test_it", "between": "functools"}
    steps = None
    for kind in reversed(chain):
        frame = SimpleNamespace(f_globals={"__name__": modules[kind]})
        steps = SimpleNamespace(tb_frame=frame, tb_next=steps)
    last, name = failure._last_of_others(steps)
    assert name == modules[chain[-1]]
    expected = None
    for place, kind in enumerate(chain):
        calls_ours = chain[place + 1 : place + 2] == ("ours",)
        if kind == "theirs" or (kind == "between" and not calls_ours):
            expected = place
    found = None
    step = steps
    for place in range(3):
        if step is last:
            found = place
        step = step.tb_next
    assert found == expected


def test_an_assertion_keeps_its_cause():
    """It is that of any error."""
    cause = ValueError("first")
    with pytest.raises(AssertionError) as caught:
        raise failure.RankingAssertionError("second") from cause
    assert caught.value.__cause__ is cause
    caught.value.__cause__ = None
    assert caught.value.__cause__ is None


# -- what is named


@rows("number", range(1, 7))
def test_three_queries_of_a_run_are_named_beside_one_that_it_lacks(number):
    """The first of them."""
    run = {f"q{i}": ["d"] for i in range(number)}
    few = ", ".join(repr(query) for query in list(run)[:3])
    with pytest.raises(ValueError, match=rf"the run, which has {number} queries \({few} \.\.\.\)"):
        places.places(run, "other")


@rows("top", ["", "/repo", "/repo/sub"])
@rows("path", ["/repo/h.jsonl", "/repo/sub/h.jsonl"])
def test_a_path_is_told_as_git_writes_it(top, path, monkeypatch):
    """From the top of the repository; without one, from the folder."""
    monkeypatch.setattr(history, "_git", lambda *_: top)
    found = history._below(Path(path), Path("/repo"))
    above = Path(top or "/repo")
    inside = Path(path).is_relative_to(above)
    assert found == (Path(path).relative_to(above).as_posix() if inside else "../h.jsonl")


def test_settings_are_told_in_the_docstring_of_what_takes_them():
    """Each by its name, with words whole; what has no docstring gets none."""

    def check(run, **options):
        """Check a run.

        More words.
        """

    def bare(run, **options):
        del run, options

    told = setting_keywords.takes_settings("margin", "max_gone")(check).__doc__
    assert told.startswith("Check a run.\n\nMore words.\n\nSettings of the gate")
    for name in ("margin", "max_gone"):
        words = " ".join(told.split())
        assert f"- `{name}`: {policy.TAKEN[name].help}" in words
    whole = {word for name in policy.TAKEN for word in policy.TAKEN[name].help.split()}
    described = setting_keywords.in_words([policy.TAKEN[name] for name in policy.TAKEN])
    ends = {line.split()[-1] for line in described.split("\n") if line.strip()}
    assert ends <= whole | {"`irmetrics_edu.gate.policy`:"}
    assert max(map(len, described.split("\n"))) <= 96
    for length in range(1, 40):
        setting = SimpleNamespace(name="x" * length, help="well-known words, over-long " * 20)
        hyphened = setting_keywords.in_words([setting])
        assert not [line for line in hyphened.split("\n") if line.endswith("-")]
    assert setting_keywords.takes_settings("margin")(bare).__doc__ is None


@rows("verdicts", [*product(["pass", "fail", "new"], repeat=3)])
def test_each_failure_is_annotated_whatever_stands_before_it(verdicts):
    """In one test or in several."""
    results = [
        {"measure": f"m{i}", "score": 0.5, "verdict": one, "bounds": {}, "test": "t"}
        for i, one in enumerate(verdicts)
    ]
    test = MeasuredTest("t", ("a.py", 3, "t"))
    failed = [f"m{i}" for i, one in enumerate(verdicts) if one == "fail"]
    for tests in ([(test, results)], [(test, [one]) for one in results]):
        found = session_report.annotations(tests)
        assert [line.partition("title=")[2].partition("%3A")[0] for line in found] == failed


@rows("kinds", [*product(["unscored", "scored"], repeat=2)])
@rows("query", [None, "a", "b", "x"])
def test_workings_are_of_each_query_that_both_sides_have(kinds, query, monkeypatch):
    """Before and after; a test whose rankings can't be scored hides no other."""
    monkeypatch.setattr(baseline_diff, "Explanation", lambda working, digits: (working, digits))

    def side(word, queries):
        return SimpleNamespace(queries=queries, working=lambda m, q: f"{m} {q} {word}")

    changes, scored = [], {}
    for place, kind in enumerate(kinds):
        held = {"a": 0.5, "b": 1.0}
        changes.append(baseline_diff.BaselineChange(f"t{place}", "RR", held, {"a": 0.25, "b": 0.5}))
        if kind == "scored":
            scored[f"t{place}"] = (side("before", ["a", "b"]), side("after", ["b"]))
    found = baseline_diff.Effects.workings(SimpleNamespace(scored=scored), changes, query, 1, 4)
    expected = {}
    for place, kind in enumerate(kinds):
        one = query or "b"  # it lost most
        for word, there in (("before", "ab"), ("after", "b")):
            if kind == "scored" and one in there:
                title = f"t{place}, RR, query {one}, {word}"
                expected[title] = (f"RR {one} {word}", 4)
    assert found == expected


# -- values


V = verdict.Verdict("RR", "pass", 0.5, 0.5, 0.0, 0.01, 0.95, 1.0, 0.0, 0.0, {"q": 0.5}, {"q": 0.0})
PAIR = paired.PairedScores(None, {"RR": {}}, {"RR": {}}, [], [], [], [], [])
KEPT = Baseline.read(entry())
PIN = pins.Pin("q", "d", 3, None, "", 2)
# Something that each module with values of its own is asked, and what it says.
ASKED = [
    (against_baseline, lambda: against_baseline._as_kept({"q": 0.5}), {"q": 0.5}),
    (baseline, lambda: baseline._are_ids(["a"]), True),
    (bounds, lambda: bounds._floors("n", {}), []),
    (checked_value, lambda: checked_value.__name__.rpartition(".")[2], "checked_value"),
    (decision, lambda: decision.GateResult([], None, [], []).settle(1), []),
    (gated, lambda: gated._texts(["q"]), ["q"]),
    (history, lambda: history._text(["a"]), "a\n"),
    (message, lambda: message.inside("a"), " (a)"),
    (paired, lambda: PAIR.had, 0),
    (pins, lambda: PIN.limit, "top 3"),
    (places, lambda: str(places.Place(2, 2)), "rank 2"),
    (policy, lambda: policy.policy_of({}).margin, 0.01),
    (position, lambda: position._OrderOfTwo(SimpleNamespace(scores={}), {}, 1, 2).tied, False),
    (regression_message, lambda: regression_message.ReasonToFail(V).limit, ""),
    (trials, lambda: trials.PassRate(2, {1: "x"}, 0.0, 1.0, 0.5, 0.95).passed, 1),
    (verdict, lambda: V.name, "RR"),
    (baseline_diff, lambda: baseline_diff._notes(KEPT, KEPT), []),
    (baseline_fixture, lambda: baseline_fixture._readable(None), None),
    (measured_test, lambda: measured_test.labelled("", "t"), "t"),
    (origin, lambda: origin.ReportOrigin().line(), ""),
    (report_files, lambda: report_files._Scale(0.0, 1.0).y(1.0), report_files._TOP),
    (selection, lambda: selection.PartialRun(selection.Cause.STOPPED).facts()["count"], 0),
    (stale_baselines, lambda: stale_baselines.newcomers([]), []),
]  # fmt: skip
# What is filled while it is collected, a warning as it is put together.
FILLED = {against_baseline._Sides, decision._Said, measured_test.MeasuredTest}


def test_no_field_of_a_value_of_a_gate_can_be_set_anew():
    """Reports are made of what was found; and a field that is not given says no."""
    hold_still(ASKED, FILLED)
    assert measure("RR").k is None


# What bounds a message or a file, and how it was decided.
BOUNDED = [
    (baseline, lambda: baseline._are_ids([]), {"DIGITS": 6, "_ROUNDED": 1.1e-6, "DEPTH": 100}),
    (bounds, lambda: bounds._floors("n", {}), {"TOLERANCE": 1e-6}),
    (failure, lambda: failure.cut([]), {"LINES": 10}),
    (gated, lambda: gated._texts([]), {"_LOSERS": 10}),
    (given, lambda: given.NamedColumns.columns.fget(None), {"File": str | PathLike[str]}),
    (history, lambda: history._text([]), {"_LEVEL": 0.05, "_LARGEST": 1e300}),
    (latency, lambda: latency._calls, {"_SLOWEST": 5}),
    (message, message.inside, {"_QUERIES": 3, "_ABOUT": 5, "_GROUPS": 5}),
    (places, lambda: str(places.Place(2, 2)), {"_SHOWN": 12, "_TOP": 4}),
    (regression_message, lambda: regression_message._whole(None),
     {"_QUERIES": 3, "_ALSO": 2, "_GROUPS": 3, "_ENTERED": 3}),
    (score, score.subjects,
     {"_USUAL": {"assert_judged": {"k": 10, "at_least": 0.9}}}),
    (setting_keywords, lambda: setting_keywords.in_words([]), {"_WIDTH": 96}),
    (verdict, lambda: V.name, {"_MANY": 1_000_000}),
    (worked_steps, lambda: worked_steps._some([]),
     {"WIDTH": 100, "_DOCUMENTS": 3, "_ROWS": 6, "_TAIL": 3}),
    (baseline_diff, lambda: baseline_diff._notes(KEPT, KEPT), {"_APART": 2e-6}),
    (measured_test, lambda: measured_test.labelled("", "t"), {"_SETUP": 0, "_ALIKE": 5}),
    (origin, lambda: origin.ReportOrigin().line(), {"_COMMIT": 10}),
    (session, lambda: session._first_line_alone(SimpleNamespace(longrepr=None), ""), {"_ROWS": 10}),
]  # fmt: skip


def refused(call, *given, **options):
    """Call what can't be."""
    with pytest.raises(ValueError, match=r".+"):
        call(*given, **options)


# What is called by a test: its frames are hidden there, by pytest and by unittest.
CALLED = [
    (against_baseline, lambda: against_baseline._as_kept({})),
    (baseline, lambda: baseline._are_ids([])),
    (baseline_fixture, lambda: baseline_fixture._readable(None)),
    (failure, lambda: failure.cut([])),
    (latency, lambda: refused(latency.assert_latency, {}, p50=1)),
    (loading, lambda: loading.loader(Path(), "run")),
    (pins, lambda: PIN.limit),
    (position, lambda: position._OrderOfTwo(SimpleNamespace(scores={}), {}, 1, 2).tied),
    (regression, lambda: refused(regression.assert_no_regression, 1, 2, 3)),
    (score, score.subjects),
    (trials, lambda: trials.PassRate(2, {}, 0.0, 1.0, 0.5, 0.95).passed),
]


def test_each_bound_of_gates_is_the_one_that_was_decided():
    """Whoever changes one of them means it; and a word of a policy sets what its page says."""
    for module, ask, bounds_of_module in BOUNDED:
        ask()
        found = {name: getattr(module, name) for name in bounds_of_module}
        assert found == bounds_of_module, module
    for module, ask in CALLED:
        ask()
        told = [vars(module).get(name, True) for name in ("__tracebackhide__", "__unittest")]
        assert told == [True, True], module
        assert "__tracebackhide__" in vars(module), module
    policies = {word: policy.policy_of({"policy": word}) for word in ("strict", "sample", "advise")}
    assert [one.advisory for one in policies.values()] == [False, False, True]
    assert policies["strict"].max_observed_drop == policies["strict"].max_group_drop == "margin"
    assert "advisory" not in policy.NAMES
    assert {"policy", "margin", "max_gone"} < set(policy.NAMES)


def test_each_module_of_gates_with_values_is_asked():
    """A new one can't be forgotten."""
    asked = {module for module, _, _ in ASKED}
    for module in pkgutil.walk_packages(gate.__path__, f"{gate.__name__}."):
        found = importlib.import_module(module.name)
        assert found in asked or not values_of(found), module.name
