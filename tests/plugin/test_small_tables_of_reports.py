"""What of a test reaches a report, each rule over all that can stand before it."""

import json
import math
from itertools import combinations, permutations, product
from pathlib import Path
from types import SimpleNamespace

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.gate.baseline import Baseline, judgments_of
from irmetrics_edu.gate.gated import Gated
from irmetrics_edu.gate.input_checks import _pairs
from irmetrics_edu.gate.latency import assert_latency
from irmetrics_edu.gate.plugin import BASELINES, received, session_report
from irmetrics_edu.gate.plugin.baseline_diff import BaselineChange, Difference, _notes
from irmetrics_edu.gate.plugin.loading import _found
from irmetrics_edu.gate.plugin.measured_test import MeasuredTest, condensed, properties
from irmetrics_edu.gate.plugin.origin import ReportOrigin, read_origin, undated
from irmetrics_edu.gate.plugin.plugin_options import policy
from irmetrics_edu.gate.plugin.selection import Cause, PartialRun, Selection
from irmetrics_edu.gate.plugin.session import Session
from irmetrics_edu.gate.plugin.stale_baselines import (
    Newcomer,
    _unlikeness,
    files_below,
    how_to_move,
)
from irmetrics_edu.gate.still_judged import is_graded
from irmetrics_edu.gate.trials import assert_pass_rate
from irmetrics_edu.gate.verdict import Verdict
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.measured import Measurement
from irmetrics_edu.metrics.notation import measure
from irmetrics_edu.runs.printed_scores import PrintedScores
from tests.tables import rows as each_row

VERDICTS = ("error", "unjudged", "fail", "advisory", "inconclusive", "xfail", "updated", "new")
SUBSETS = [set(of) for n in range(3) for of in combinations(["failed", "skipped"], n)]


def fact(verdict="pass", measure="RR", score=0.5, **more):
    """What was measured once."""
    return {"measure": measure, "score": score, "verdict": verdict, "bounds": {}, **more}


def part(number=1, attempt=0, call=1, results=(), baselines=()):
    """A report of a test."""
    names = ("number", "attempt", "call", "results", "baselines")
    return dict(zip(names, (number, attempt, call, results, baselines), strict=True))


# -- one test


@each_row("calls", [*product([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)], repeat=3)])
def test_the_last_attempt_and_its_setup_count(calls):
    """An attempt is a setup of its own, or a call after the same one; a report counts once."""
    test = MeasuredTest()
    expected = []
    for number, (attempt, call) in enumerate(calls):
        reported = part(number, attempt, call)
        expected = [
            one
            for one in expected
            if one["attempt"] == attempt and (one["call"] == 0 or one["call"] == call)
        ]
        expected.append(reported)
        test.add(reported)
        test.add(reported)
    assert test.parts == expected


@pytest.mark.parametrize("others", SUBSETS, ids=lambda of: "+".join(sorted(of)) or "none")
@pytest.mark.parametrize("ended", [False, True])
def test_a_test_that_did_not_pass_writes_nothing_and_says_why(others, ended):
    """A failure that does not fail the test is expected; what is not written is an error."""
    of_setup = {"key": "t #a", "entry": {}}
    said = {"key": "t", "said": "stale"}
    test = MeasuredTest("t")
    test.add(part(1, call=0, results=[fact("new", gate="a")], baselines=[of_setup]))
    test.add(part(2, results=[fact("fail"), fact("unjudged"), fact()], baselines=[said]))
    assert test.told() == [of_setup, said]
    writes = ended and not others
    assert test.baselines(others, ended=ended) == ([of_setup, said] if writes else [])
    found = [(one["verdict"], one["measure"]) for one in test.results(others, ended=ended)]
    failed = ["fail", "unjudged"] if "failed" in others else ["xfail", "xfail"]
    expected = [*product([*failed, "pass"], ["RR"])]
    if writes:
        assert found == [("new", "RR"), *expected]
        return
    assert found == [*expected, ("error", "-")]
    why = "failed" if "failed" in others else "did not pass" if others else "did not end"
    explanation = f"t #a: not written, since the test {why}"
    assert test.results(others, ended=ended)[-1]["explanation"] == explanation


@pytest.mark.parametrize("label", ["", "py311"])
def test_junit_gets_a_score_and_what_no_outcome_tells(label):
    """Six digits; a dash where there is no score to have, else NaN."""
    scores, units = (None, 0.5, 1 / 3, 1234567.0), (None, "rank", "seconds")
    for score, unit, verdict in product(scores, units, ("pass", "fail", *VERDICTS)):
        [first, *rest] = properties(
            [fact(verdict, score=score, unit=unit, test="t.py::t (2)")], "t.py::t", label
        )
        name = "[py311] RR (2)" if label else "RR (2)"
        shown = "NaN" if score is None else f"{score:.6g}"
        if score is None and (unit == "rank" or verdict == "error"):
            shown = "-"
        assert first == (name, shown)
        assert rest == ([] if verdict in ("pass", "fail") else [(f"{name} verdict", verdict)])


@each_row("number", [1, 5, 6, 9])
@each_row("failed", [(), (0,), (1, 3), (4,)])
@each_row("lowest", [0.0, None])
def test_many_like_measurements_are_one(number, failed, lowest):
    """The last that failed, else the lowest, with their number; up to five stand alone."""
    facts = [fact(score=0.5 + i / 10, place=i) for i in range(number)]
    facts[-1]["score"] = lowest
    failed = [place for place in failed if place < number]
    for place in failed:
        facts[place]["verdict"] = "unjudged" if place == 3 else "fail"
    others = [fact(measure="P@1", place=-1), fact(gate="de", place=-2)]
    found = condensed([*facts, *others])
    if number <= 5:
        assert found == [*facts, *others]
    else:
        kept = facts[failed[-1]] if failed else facts[-1]
        assert found == [{**kept, "times": number}, *others]


# -- a session


@each_row("number", [0, 1, 10, 11, 13])
@each_row("verbosity", [-1, 0, 1])
@each_row("asked", [None, "yes", "no"])
@each_row("verdict", ["pass", "inconclusive", "advisory"])
def test_the_table_is_as_long_as_asked_for(number, verbosity, asked, verdict):
    """Ten lines, all with -v; with -q only what no outcome tells; none if nobody wants it."""
    results = [fact(verdict, queries=1, test=f"t{i}") for i in range(number)]
    config = SimpleNamespace(
        option=SimpleNamespace(verbose=verbosity),
        getoption=lambda _name: asked,
        getini=lambda _name: "",
    )
    lines = Session._table(SimpleNamespace(config=config, results=results))
    told = number and asked != "no" and (asked == "yes" or verbosity >= 0 or verdict != "pass")
    if not told:
        assert lines == []
        return
    shown = number if verbosity > 0 else min(number, 10)
    rows = [line for line in lines if line.startswith(verdict)]
    assert len(rows) == shown
    more = [line for line in lines if line.startswith("...")]
    assert more == ([f"... and {number - 10} more; -v shows all"] if number > shown else [])


@pytest.mark.parametrize("stale", [set(), {("b.json", "t.py::a")}, {("b.json", "t.py::b")}])
@pytest.mark.parametrize("partial", [False, True])
def test_prune_removes_what_no_gate_may_have_been_and_says_what_it_did(stale, partial, monkeypatch):
    """Nothing in a part of the tests; what may have become another test is spared."""
    from irmetrics_edu.gate.plugin import session as module

    newcomer = Newcomer("b.json", "t.py::new", ["RR"], ["q"])
    monkeypatch.setattr(module, "newcomers", lambda _: [newcomer])
    spared = ("b.json", "t.py::a")
    monkeypatch.setattr(
        module, "fitting", lambda _, all_of: [one for one in all_of if one == spared]
    )
    why = PartialRun(Cause.STOPPED) if partial else None
    session = SimpleNamespace(
        seen=SimpleNamespace(partial=lambda _: why),
        stale=stale,
        removed=set(),
        written=[],
        trouble=[],
        _of_baselines=list,
    )
    Session._prune(session, None)
    assert session.removed == (set() if partial else stale - {spared})
    assert len(session.trouble) == partial
    kept = [line for line in session.written if line.startswith("not removed: b.json has")]
    nothing = [line for line in session.written if line.startswith("removed nothing")]
    assert len(kept) == (not partial and spared in stale)
    assert len(nothing) == (not partial and not stale)


@pytest.mark.parametrize("everywhere", [False, True])
def test_baselines_are_looked_for_beside_gates_or_in_all_folders(everywhere, tmp_path):
    """Of gates that ran; to prune, also beside all tests and below each folder that was named."""
    for name in ("a/b", "c", "d"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / BASELINES).write_text("{}")
    config = SimpleNamespace(
        args=["a", "d/test_it.py::t"], invocation_params=SimpleNamespace(dir=tmp_path)
    )
    here = SimpleNamespace(folders={tmp_path / "gate"}, config=config)
    items = [SimpleNamespace(path=tmp_path / "c" / "test_c.py")]
    found = Session._baselines(here, SimpleNamespace(items=items), everywhere=everywhere)
    folders = ["a/b", "c", "gate"] if everywhere else ["gate"]
    assert found == [tmp_path / folder / BASELINES for folder in folders]
    assert here.folders == {tmp_path / "gate"}


def test_files_of_baselines_are_found_but_not_in_environments_or_hidden_folders(tmp_path):
    """In the order of their paths."""
    for name in ("b", "a/c", ".git", "node_modules", "a/__pycache__", "site-packages", "venv/lib"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / BASELINES).write_text("{}")
    (tmp_path / "venv" / "pyvenv.cfg").write_text("")
    assert files_below(tmp_path) == tuple(tmp_path / name / BASELINES for name in ("a/c", "b"))


@pytest.mark.parametrize("file", ["t.py", "u.py"])
@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("folder", ["", "sub/"])
def test_the_likeliest_baseline_has_the_same_name(file, name, folder, tmp_path, monkeypatch):
    """The name weighs as much as file and folder together; the command names what it must."""
    monkeypatch.chdir(tmp_path)
    here, there = tmp_path / BASELINES, tmp_path / f"{folder}{BASELINES}"
    newcomer = Newcomer(str(here), "t.py::a", [], [])
    stale = (str(there), f"{file}::{name}")
    assert _unlikeness(newcomer, stale) == (2 * (name != "a") + (file != "t.py") + (folder != ""))
    command = f"irmetrics-edu baseline rename {file}::{name} t.py::a"
    if folder:
        command += f" --file sub/{BASELINES} --to {BASELINES}"
    assert how_to_move(newcomer, stale) == command


@each_row("measures", [(), ("RR",), ("P@1", "RR")])
@each_row("queries", [(), ("q",), ("p", "q")])
def test_a_baseline_may_be_of_a_gate_with_one_of_its_measures_and_queries(measures, queries):
    """Both are needed."""
    newcomer = Newcomer("b.json", "t", ["RR"], ["q", "r"])
    entry = {"means": dict.fromkeys(measures, 0.5), "queries": dict.fromkeys(queries)}
    assert newcomer.may_be(entry) is ("RR" in measures and "q" in queries)


def selection(**parts):
    """What a session saw: three tests, all of which ran."""
    usual = {
        "collected": [],
        "deselected": [],
        "uncollected": [],
        "ran": {"a", "b", "c"},
        "workers": [],
    }
    return Selection(**{**usual, **parts})


@pytest.mark.parametrize(
    ("options", "args", "parts", "exit_status", "cause"),
    [
        ({}, ["."], {}, 0, None),
        ({}, ["."], {}, 1, None),
        ({}, ["."], {}, 5, None),
        ({}, ["."], {}, 2, Cause.STOPPED),
        ({"lf": True}, ["."], {}, 0, Cause.OPTION),
        ({"keyword": "x"}, ["a.py"], {}, 0, Cause.OPTION),
        ({}, ["a.py::t", "a.py"], {}, 0, Cause.SINGLE_TESTS),
        ({}, ["a.py"], {"uncollected": ["b.py"]}, 0, Cause.SINGLE_FILES),
        ({}, ["."], {"uncollected": ["b.py"], "deselected": ["a"]}, 0, Cause.NOT_COLLECTED),
        ({}, ["."], {"deselected": ["a"], "ran": set()}, 0, Cause.DESELECTED),
        ({}, ["."], {"collected": ["x"], "ran": set()}, 0, Cause.TAKEN_OUT),
        ({}, ["."], {"ran": {"a", "b"}}, 2, Cause.NOT_RUN),
        ({}, ["."], {"workers": [{"collected": 4, "partial": None}]}, 0, Cause.NOT_RUN),
        ({}, ["."], {"workers": [{"collected": 3, "partial": None}]}, 0, None),
        (
            {},
            ["."],
            {"workers": [{"collected": 9, "partial": PartialRun(Cause.STOPPED).facts()}]},
            0,
            Cause.STOPPED,
        ),
    ],
)
def test_a_session_knows_whether_it_is_one_of_all_tests(
    options, args, parts, exit_status, cause, tmp_path
):
    """The reason that a user sees best comes first."""
    (tmp_path / "a.py").write_text("")
    config = SimpleNamespace(
        args=args,
        invocation_params=SimpleNamespace(dir=tmp_path),
        getoption=options.get,
    )
    session = SimpleNamespace(config=config, items=["a", "b", "c"], exitstatus=exit_status)
    seen = selection(**parts)
    found = seen.partial(session)
    assert (None if found is None else found.cause) is cause
    unseen = "lf" in options or "a.py::t" in args or {*parts} & {"uncollected", "collected"}
    assert seen.blind(session) is bool(unseen)
    told = seen.told(session)
    assert told["collected"] == 3
    of_collecting = cause not in (None, Cause.NOT_RUN, Cause.STOPPED)
    assert (told["partial"] is not None) is of_collecting
    if found is not None:
        assert "{" not in found.sentence


MARKS = {
    "none": ([], {}),
    "a word": ([(("strict",), {})], {"max_observed_drop": "margin", "margin": 0.02}),
    "a word and a number": ([(("strict", 0.3), {})], {"margin": 0.3}),
    "by name": ([((), {"margin": 0.3, "policy": "advise"})], {"margin": 0.3, "advisory": True}),
    "the closest first": ([((), {"margin": 0.3}), ((), {"margin": 0.1})], {"margin": 0.3}),
}


@pytest.mark.parametrize("name", MARKS)
def test_a_marker_counts_before_the_options_and_the_closest_of_markers(name):
    """What it does not say is as the options have it."""
    marks, expected = MARKS[name]
    markers = [SimpleNamespace(args=args, kwargs=kwargs) for args, kwargs in marks]
    found = policy({"margin": "0.02", "max_gone": "off"}, markers, "t")
    assert found["max_gone"] == "off"
    assert {what: found[what] for what in expected} == expected
    if name == "none":
        assert found == {"margin": 0.02, "max_gone": "off"}


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [(("strict", 0.1, 2), {}), (("strict",), {"policy": "sample"}), ((), {"margins": 1})],
)
def test_a_marker_that_says_a_thing_twice_or_none_is_refused(args, kwargs):
    """With the name of the test."""
    with pytest.raises(ValueError, match=r"irm_baseline\(.*\) of t\.py::t: it takes policy, "):
        policy({}, [SimpleNamespace(args=args, kwargs=kwargs)], "t.py::t")


# -- reports


@each_row("known", [*product([False, True], repeat=4)])
@each_row("commit", ["", "0123456789abcdef", "0123456789abcdef-dirty", "0123"])
def test_a_report_says_what_is_known_of_it_in_a_line(known, commit):
    """Ten letters of the commit; what is not known is left out."""
    label, date, version, command = known
    origin = ReportOrigin(
        "Title",
        "py311" * label,
        "2026-11-30" * date,
        commit,
        {"numpy": "2.0"} if version else {},
        "merge" * command,
    )
    parts = ["job py311"] * label
    if commit:
        changed = " with changes that are not committed" if commit.endswith("-dirty") else ""
        parts.append(f"commit {commit[:10].removesuffix('-dirty')}{changed}")
    parts += ["2026-11-30"] * date + ["numpy 2.0"] * version + ["command: merge"] * command
    assert origin.line() == ", ".join(parts)
    assert read_origin(json.loads(json.dumps(origin.facts()))) == origin
    assert undated([origin]) == [ReportOrigin("Title", "py311" * label)]


@each_row(
    "odd",
    [
        None,
        [],
        {"title": 1},
        {"titles": "x"},
        {"versions": []},
        {"versions": {"numpy": 2}},
        {"inputs": "x"},
        {"inputs": [1]},
    ],
)
def test_what_no_report_says_of_itself_is_refused(odd):
    """Another type, another name, or what is not text."""
    with pytest.raises(ValueError, match=r"^made (has|holds) "):
        read_origin(odd)


@each_row("order", [*permutations(["error", "fail", "inconclusive", "pass"])])
def test_failures_come_first_then_tests_by_name(order):
    """Of equal verdicts by test, then by measure."""
    results = [
        fact(verdict, measure, test=test, queries=2)
        for verdict in order
        for test, measure in (("b", "P"), ("a", "RR"), ("a", "P"))
    ]
    found = [
        (one["verdict"], one["test"], one["measure"]) for one in session_report.in_order(results)
    ]
    expected = product(
        ["error", "fail", "inconclusive", "pass"], [("a", "P"), ("a", "RR"), ("b", "P")]
    )
    assert found == [(verdict, *place) for verdict, place in expected]
    assert session_report.count(results) == "3 error, 3 fail, 3 inconclusive, 3 pass"
    lines = session_report.table(results, 5)
    assert len(lines) == 1 + 5 + 1
    assert lines[-1] == "... and 7 more; -v shows all"
    assert len(session_report.table(results, 12)) == len(session_report.table(results)) == 13


ASSERTED = [
    ({}, "-"),
    ({"at_least": 0.45}, ">= 0.45"),
    ({"at_most": 0.5, "equals": 0.25}, "<= 0.5, = 0.25"),
    ({"every_query_at_least": 0.1}, "each >= 0.1"),
    ({"every_group_at_least": 0.1}, "each group >= 0.1"),
    ({"every_group_at_least": {"de": 0.5, "en": 0.25}}, "de >= 0.5, en >= 0.25"),
    ({"above": "d2", "which_has_rank": None}, "above d2"),
    ({"above": "d2", "which_has_rank": 3}, "above d2, rank 3"),
    ({"was": 0.12345}, "was 0.1235"),
    ({"baseline": 0.5, "margin": 0.01}, "baseline 0.5000 - 0.01"),
    ({"baseline": 0.5, "by": 0.01}, "baseline 0.5000 + 0.01"),
    (
        {"baseline": 0.5, "margin": 0.0, "max_observed_drop": 0.1, "max_query_drop": 0.5},
        "baseline 0.5000 - 0, mean - 0.1, query - 0.5",
    ),
    (
        {"baseline": 0.5, "margin": 0.0, "max_group_drop": 0.1, "protected": ["q"] * 1000},
        "baseline 0.5000 - 0, group - 0.1, 1,000 protected",
    ),
]


@each_row(("bounds", "words"), ASSERTED)
def test_what_was_asserted_is_said_in_short(bounds, words):
    """In one cell of the table."""
    assert session_report.asserted({"bounds": bounds}) == words


@each_row("verdict", ["pass", "error"])
@each_row("unit", [None, "rank"])
@each_row("value", [None, 3])
def test_a_score_is_a_number_nan_or_a_rank(verdict, unit, value):
    """A dash where there is none to have."""
    shown = "NaN" if value is None else "3.0000"
    if unit == "rank":
        shown = "-" if value is None else "3"
    if verdict == "error":
        shown = "-"
    assert session_report.score({"score": value, "verdict": verdict, "unit": unit}) == shown


def group(**known):
    """What a report has of a group."""
    return {"verdict": "pass", "group": "de", "queries": 1200, "score": 0.5, **known}


@each_row("baseline", [None, 0.25])
@each_row("corrected", [[None, None], [0.03, None], [None, 0.5]])
def test_columns_of_groups_that_hold_nothing_are_left_out(baseline, corrected):
    """A p of one group keeps the column for all."""
    known = {} if baseline is None else {"baseline": baseline}
    groups = [group(p_corrected=p, **known) for p in corrected]
    header, lines = session_report.of_groups({"groups": groups})
    expected = ["verdict", "group", "queries"]
    expected += ["before"] * bool(known) + ["score"]
    expected += ["p, corrected by Holm"] * any(corrected)
    assert list(header) == expected
    for line, p in zip(lines, corrected, strict=True):
        cells = dict(zip(header, line, strict=True))
        assert (cells["queries"], cells["score"]) == ("1,200", "0.5000")
        if any(corrected):
            assert cells["p, corrected by Holm"] == ("-" if p is None else f"{p:.4f}")


@pytest.mark.parametrize("titles", [[], ["", ""], ["A", ""], ["A", "A"], ["A", "B"]])
def test_reports_of_one_title_have_it_together(titles):
    """Else the usual one."""
    found = session_report.title_of([ReportOrigin(title) for title in titles])
    assert found == ("A" if {*titles} - {""} == {"A"} else "Rankings")
    lines = session_report.about(
        [ReportOrigin(label="x", inputs=["a", ""]), ReportOrigin(label="x")]
    )
    assert lines == ["job x", "a"]


@each_row("verdict", ["pass", "xfail", *VERDICTS])
@each_row("explanation", [None, "first, 100 %\nsecond"])
@each_row("line", [None, 4])
def test_an_annotation_has_its_place_and_the_first_line(verdict, explanation, line):
    """GitHub counts lines from 1; marks that it reads are written otherwise."""
    one = fact(verdict, test="t", bounds={"at_least": 0.9})
    if explanation:
        one["explanation"] = explanation
    test = MeasuredTest("t", ("a,b.py", line, "t"))
    found = session_report.annotations([(test, [{**one, "bounds": {"at_least": 0.9}}])])
    kind = {"error": "error", "unjudged": "error", "fail": "error"}.get(verdict)
    kind = kind or {"advisory": "warning", "inconclusive": "warning"}.get(verdict)
    if kind is None:
        assert found == []
        return
    score = "-" if verdict == "error" else "0.5000"
    said = f"RR {score}, asserted >= 0.9"
    if kind == "error" and explanation:
        said = "first, 100 %25"
    if verdict == "inconclusive":
        said += "; too few to tell"
    place = f"file=a%2Cb.py,line={(line or 0) + 1},title=RR%3A {verdict}"
    assert found == [f"::{kind} {place}::t: {said}"]


def test_what_gates_received_lies_by_its_file_below_the_root():
    """A file elsewhere by its name alone; what received nothing is left out."""
    root = Path("/home/project")
    told = [
        {"path": "/home/project/tests/b.json", "key": "t", "received": {"a": 1}},
        {"path": "/home/project/tests/b.json", "key": "u", "received": {"a": 2}},
        {"path": "/elsewhere/b.json", "key": "t", "received": {"a": 3}},
        {"path": "/home/project/b.json", "key": "t", "said": ""},
    ]
    assert received.gathered(told, root) == {
        "tests/b.json": {"t": {"a": 1}, "u": {"a": 2}},
        "b.json": {"t": {"a": 3}},
    }


# -- what a gate tells


def verdict(measure, word, group=None, differences=(0.0,), **more):
    """A verdict on queries q0, q1 and so on."""
    was = {f"q{i}": 0.5 for i in range(len(differences))}
    moved = dict(zip(was, differences, strict=True))
    usual = {"before": 0.5, "after": 0.5, "limit": 0.01, "confidence": 0.95, "p": 0.04}
    change = sum(differences) / len(differences)
    numbers = {**usual, "distance": 0.1, "spread": 0.1, "change": change, **more}
    return Verdict(measure, word, was=was, differences=moved, group=group, **numbers)


@each_row("words", [*product(["pass", "inconclusive", "fail"], repeat=2)])
@each_row("reveal", ["all", "hint"])
@each_row("advised", [False, True])
@each_row("misfit", [False, True])
def test_a_report_has_the_worst_verdict_of_a_gate_and_no_more_than_it_may(
    words, reveal, advised, misfit
):
    """Of all queries and of groups; a hint tells nothing of the baseline."""
    verdicts = [
        verdict("P", "fail"),
        verdict("RR", words[0], differences=(-0.25, 0.5)),
        verdict("RR", words[1], "de", dropped=True, adjusted=0.06, differences=(-0.25,)),
        verdict("RR", "pass", "en", adjusted=0.5, differences=(-0.5,)),
    ]
    pair = SimpleNamespace(
        after={"RR": {"q0": 0.25, "q1": math.nan}},
        new=["n"],
        gone=[],
        unjudged=[],
        unanswered=["q0"],
        run=SimpleNamespace(conventions=SimpleNamespace(name="trec_eval")),
    )
    gated = Gated(
        "RR", verdicts, pair, {"max_query_drop": 0.3}, reveal, advised=advised, misfit=misfit
    )
    facts = gated.facts()
    worst = max(words, key=["pass", "inconclusive", "fail"].index)
    assert facts["verdict"] == ("advisory" if advised else "unjudged" if misfit else worst)
    assert facts["per_query"] == {"q0": 0.25, "q1": None}
    assert facts["unanswered"] == ["q0"]
    assert [one["group"] for one in facts["groups"]] == ["en", "de"]
    assert (facts["queries_needed"] is None) is (words[0] == "pass")
    shown = reveal == "all"
    bounds = {"baseline": 0.5, "margin": 0.01, "max_query_drop": 0.3}
    assert facts["bounds"] == (bounds if shown else {})
    assert facts["differences"] == ({"q0": -0.25, "q1": 0.5} if shown else {})
    assert ("not_compared" in facts) is shown
    en, de = facts["groups"]
    assert (en.get("p_corrected"), de.get("p_corrected")) == (None, 0.06 if shown else None)
    assert ("baseline" in en) is shown


# -- files of baselines side by side


def baseline(**parts):
    """What is kept of a run of one query."""
    usual = {
        "conventions": {"name": "ours"},
        "judgments": "j",
        "means": {"RR": 0.5},
        "scores": {"q": [0.5]},
        "rankings": {"q": ["a"]},
        "depth": 10,
        "whole": True,
    }
    return Baseline(**{**usual, **parts})


@pytest.mark.parametrize("judgments", ["j", "k"])
@pytest.mark.parametrize("conventions", [{"name": "ours"}, {"name": "theirs", "ties": "id"}])
def test_what_else_differs_between_two_baselines_is_noted(judgments, conventions):
    """Judgments, a corpus that both know, conventions, measures and queries."""
    for corpora, measures, queries in product(
        product(("", "x", "y"), repeat=2),
        (("RR",), ("P", "RR"), ("P",)),
        (("q",), ("p", "q", "r"), ("p",)),
    ):
        _compare(judgments, corpora, conventions, measures, queries)


def _compare(judgments, corpora, conventions, measures, queries):
    """Hold the notes on two baselines to what differs."""
    old = baseline(corpus=corpora[0])
    new = baseline(
        judgments=judgments,
        corpus=corpora[1],
        conventions=conventions,
        means=dict.fromkeys(measures, 0.5),
        scores={query: [0.5] * len(measures) for query in queries},
        rankings={query: ["a"] for query in queries},
    )
    expected = []
    if judgments == "k":
        expected.append("the judgments changed, so scores differ even where rankings do not")
    if {*corpora} == {"x", "y"}:
        expected.append("the corpus changed")
    if "ties" in conventions:
        expected += ["name was ours and is theirs", "ties was not said and is id"]
    if "RR" not in measures:
        expected.append("RR is gone")
    if "q" not in queries:
        expected.append("1 query is gone (q), and not compared")
    if "P" in measures:
        expected.append("P is new")
    if len(queries) == 3:
        expected.append("2 queries are new (p, r), and not compared")
    elif "p" in queries:
        expected.append("1 query is new (p), and not compared")
    assert _notes(old, new) == expected


@each_row("after", [*product([0.25, 0.5, 1.0], repeat=2)])
@each_row("worst", [1, 2])
@each_row("every", [False, True])
def test_measures_and_queries_that_changed_are_lines(after, worst, every):
    """The greatest loss first; what did not change is counted."""
    change = BaselineChange("t", "RR", {"p": 0.5, "q": 0.5}, dict(zip("pq", after, strict=True)))
    difference = Difference([], [], [], [change], {"t": (None, None)}, [])
    measures, *others = difference.tables(worst=worst, every=every)
    moved = sorted((value - 0.5, query) for query, value in change.after.items() if value != 0.5)
    if not moved:
        assert list(measures.lines) == []
        assert measures.notes == ("measures that did not change: 1",)
        assert others == []
        return
    mean = sum(after) / 2
    lost = sum(by < 0 for by, _ in moved)
    assert list(measures.lines) == [("t", "RR", 0.5, mean, mean - 0.5, 2, lost, len(moved) - lost)]
    assert measures.notes == ()
    [queries] = others
    shown = moved if every else moved[:worst]
    assert [line[2] for line in queries.lines] == [query for _, query in shown]
    assert [line[5] for line in queries.lines] == [by for by, _ in shown]
    cut = [note for note in queries.notes if "more changed" in note]
    hidden = len(moved) - len(shown)
    says = f"t, RR: {hidden} more changed; --worst {len(moved)} shows them"
    assert cut == ([says] if hidden else [])


def test_the_caption_counts_what_there_is():
    """By what became of it."""
    for counts in product([0, 1, 1000], repeat=4):
        changed, new, removed, same = counts
        kept = dict.fromkeys(map(str, range(changed)))
        words = zip(counts, ("changed", "new", "removed", "the same"), strict=True)
        counted = ", ".join(f"{count:,} {word}" for count, word in words if count)
        found = Difference(["n"] * new, ["r"] * removed, ["s"] * same, [], kept, []).caption
        assert found == f"baselines: {counted or 'none in either file'}"


# -- trials and latencies


@pytest.mark.parametrize("inconclusive", ["pass", "warn", "fail"])
@pytest.mark.parametrize("policy", ["sample", "advise"])
@pytest.mark.parametrize("passed", [20, 10, 2])
@pytest.mark.filterwarnings("always")
def test_trials_pass_warn_or_fail_by_wilsons_interval(inconclusive, policy, passed, heard, recwarn):
    """Of 20: all pass an asserted 0.5, ten leave it open, two fail it."""
    word = {20: "pass", 10: "inconclusive", 2: "fail"}[passed]
    answers = iter([True] * passed + [False] * (20 - passed))
    settings = {"inconclusive": inconclusive, "at_least": 0.5}
    fails = word == "fail" or (word == "inconclusive" and inconclusive == "fail")
    ear = heard
    advises = policy == "advise"
    if advises:
        from irmetrics_edu import measured

        measured._LISTENERS[-1].policy = lambda: {"advisory": True}
    if fails and not advises:
        with pytest.raises(AssertionError, match=r"pass rate 0\.[15]000"):
            assert_pass_rate(lambda: next(answers), 20, **settings)
    else:
        assert assert_pass_rate(lambda: next(answers), 20, **settings).word == word
    [told] = ear
    assert told["verdict"] == ("fail" if fails and not advises else word)
    assert ("explanation" in told) is (word != "pass")
    assert (told["score"], told["queries"]) == (passed / 20, 20)
    kinds = [one.category.__name__ for one in recwarn]
    warns = word == "inconclusive" and inconclusive == "warn"
    expected = ["AdvisoryWarning"] * (fails and advises) + ["InconclusiveWarning"] * warns
    assert kinds == expected


@pytest.mark.parametrize("seconds", [*product([0.1, 0.3, 0.5], repeat=3)])
@pytest.mark.parametrize("failed", [0, 1])
def test_a_latency_over_its_bound_is_told_with_what_else_is(seconds, failed, heard):
    """By nearest rank: p50 of three calls is the second, p99 the last; a bound may be met."""
    run = SimpleNamespace(
        latencies=dict(zip("abc", seconds, strict=True)),
        texts={"a": "first", "b": None},
        errors={"c": "timeout"} if failed else {},
    )
    rising = sorted(seconds)
    over = [name for name, value in (("p50", rising[1]), ("p99", rising[2])) if value > 0.3]
    if not over:
        assert assert_latency(run, p50=0.3, p99=0.3) == {"p50": rising[1], "p99": rising[2]}
    else:
        with pytest.raises(AssertionError) as caught:
            assert_latency(run, p50=0.3, p99=0.3)
        text = str(caught.value)
        rank = {"p50": 2, "p99": 3}[over[0]]
        assert text.startswith(f"{over[0]} latency 0.5 s > 0.3 s (rank {rank} of 3 calls, slowest:")
        assert ("also p99 0.5 s > 0.3 s" in text) is (over == ["p50", "p99"])
        assert ("1 of 3 calls failed; each counts" in text) is bool(failed)
        assert "the slowest calls:" in text
    assert [(one["measure"], one["verdict"]) for one in heard] == [
        (f"{name} latency (s)", "fail" if name in over else "pass") for name in ("p50", "p99")
    ]
    assert [one["score"] for one in heard] == [rising[1], rising[2]]
    assert ["explanation" in one for one in heard] == [name in over for name in ("p50", "p99")]


def test_of_a_query_that_was_asked_again_the_slowest_call_is_told(heard):
    """In several runs."""
    assert_latency([{"a": 0.3, "b": 0.1}, {"a": 0.2, "b": 0.4}], p99=1)
    assert heard[0]["per_query"] == {"a": 0.3, "b": 0.4}
    assert heard[0]["queries"] == 2
    assert Measurement("m", 1.0, "pass", {}).facts()["queries"] == 1


# -- what is there, and what is not


@pytest.mark.parametrize("name", ["there.json", "nowhere.json"])
@pytest.mark.parametrize("beside", [False, True])
def test_a_file_lies_beside_the_test_or_at_the_root(name, beside, tmp_path):
    """A name that is in neither is refused with both folders."""
    here = tmp_path / "tests"
    here.mkdir()
    (tmp_path / "there.json").write_text("")
    if beside:
        (here / "there.json").write_text("")
    if name == "there.json":
        folder = here if beside else tmp_path
        assert _found(name, str(here / "test_it.py"), tmp_path) == folder / name
        return
    with pytest.raises(ValueError, match=r"nowhere\.json: there is no such file in .* nor "):
        _found(name, str(here / "test_it.py"), tmp_path)


@each_row("kinds", [*product([False, True], repeat=3), ()])
def test_one_measure_of_grades_is_enough_to_be_graded(kinds):
    """The others may be of anything."""
    measures = [measure("nDCG" if graded else "alpha-nDCG") for graded in kinds]
    assert is_graded(SimpleNamespace(measures=measures)) is any(kinds)


@pytest.mark.parametrize("qrels", [None, {}, {"q": {"a": 1}}, "qrels.txt"])
def test_judgments_are_as_given_or_as_they_were_read(qrels):
    """Of a file, those of all queries; of scores without rankings there are none to read."""
    run, judged = {"q": ["a"]}, {"q": {"a": 1}, "r": {"b": 2}}
    evaluation = evaluate(run, judged, "RR")
    expected = judged if isinstance(qrels, str) else qrels
    assert judgments_of(evaluation, qrels) == expected
    printed = PrintedScores({"RR": {"q": 0.5}}, BUNDLES["trec_eval"])
    if not isinstance(qrels, str):
        assert judgments_of(printed, qrels) == qrels
        return
    with pytest.raises(ValueError, match="only scores are known"):
        judgments_of(printed, qrels)


@each_row("with_groups", [False, True])
@each_row("explanation", [None, "first", "first\nsecond, **bold**"])
def test_a_measurement_has_a_section_for_its_groups_and_its_explanation(with_groups, explanation):
    """With empty lines before each part, or Markdown would run them together."""
    result = fact("fail", test="t")
    if with_groups:
        result["groups"] = [group()]
    if explanation:
        result["explanation"] = explanation
    lines = session_report._markdown_section(result)
    parts = "\n".join(lines).split("\n\n")
    if not (with_groups or explanation):
        assert lines == []
        return
    assert lines[0] == ""
    assert parts[0].strip() == "#### fail: RR, t"
    rest = parts[1:]
    if with_groups:
        assert rest.pop(0).startswith("| verdict |")
    if explanation:
        assert rest.pop(0).split("\n") == [f"    {line}" for line in explanation.split("\n")]
    assert rest == []


@each_row("table", [[], ["head", "line"]])
@each_row("messages", [[], ["said"]])
@each_row("trouble", [[], ["one", "two"]])
@each_row("is_worker", [False, True])
def test_the_terminal_gets_the_table_what_was_said_and_errors_in_red(
    table, messages, trouble, is_worker
):
    """Nothing of a worker, and no title above nothing."""
    shown = []
    terminal = SimpleNamespace(
        section=lambda title: shown.append(("section", title)),
        write_line=lambda line, **how: shown.append((line, how)),
    )
    session = SimpleNamespace(
        is_worker=is_worker,
        annotated=False,
        trouble=trouble,
        _table=lambda: table,
        _said=lambda: messages,
    )
    Session.summarise(session, terminal)
    if is_worker or not (table or messages or trouble):
        assert shown == []
        return
    plain = [(line, {}) for line in (*table, *messages)]
    red = [(f"error: {line}", {"red": True}) for line in trouble]
    assert shown == [("section", "rankings"), *plain, *red]


PAIR = ("d1", 0.9)


@each_row(
    "ranking", [[PAIR], (PAIR, "d2"), ["d1", PAIR], [], {"d1": 0.9}, [("d1", "d2")], [("d",)]]
)
@each_row("judged", [None, {}, {"d1": 1}, {"d1": 1, ("d2", 3): 0}, {("d1", 0.9): 1}])
@each_row("query", ["q", None])
def test_pairs_are_no_documents_unless_documents_are_pairs(ranking, judged, query):
    """The first of a ranking says it; one judged document that is a pair is enough."""
    run = {query: ranking}
    qrels = None if judged is None else {query: judged}
    is_pair = isinstance(ranking, (list, tuple)) and ranking[:1] and ranking[0] == PAIR
    of_pairs = any(isinstance(document, tuple) for document in judged or ())
    if not is_pair or of_pairs:
        _pairs(run, qrels)
        return
    where = "" if query is None else "query 'q', "
    with pytest.raises(ValueError, match=rf"^{where}document \('d1', 0\.9\), rank 1: pairs are no"):
        _pairs(run, qrels)
