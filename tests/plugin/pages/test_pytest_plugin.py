"""What the user's guide of the pytest plugin promises, beside what it prints."""

import json
import re
import subprocess
import tomllib
import xml.etree.ElementTree as ET

import pytest

from irmetrics_edu import gate, pytest_plugin
from irmetrics_edu.gate import RankingAssertionError
from tests.plugin.pages.sentences import DOCS, ROOT

pytest_plugins = ["pytester"]

# Failures by what is seldom tried: a run, judgments, and bounds that they break.
LONG = {"q1": [f"x{i}" for i in range(3)] + [f"d{i}" for i in range(30)], "q2": ["d0"]}
JUDGED = {"q1": {f"d{i}": 1 for i in range(0, 60, 2)}, "q2": {"d0": 1}}
SHAPES = {
    "a long ranking": (LONG, JUDGED),
    "nothing judged is found": (
        {"q1": ["y", "z"], "q2": ["a"]},
        {"q1": {"b": 1}, "q2": {"a": 1}},
    ),
    "nothing is found": ({"q1": [], "q2": ["a"]}, {"q1": {"b": 2, "c": 1}, "q2": {"a": 1}}),
    "a query is missing": ({"q2": ["a"]}, {"q1": {"b": 2, "c": 1}, "q2": {"a": 1}}),
    "ids are numbers": ({1: [5, 6], 2: [7]}, {1: {6: 1, 8: 2}, 2: {7: 1}}),
    "many queries alike": (
        {f"q{i}": ["x", "a"] for i in range(300)},
        {f"q{i}": {"a": 1, "b": 2} for i in range(300)},
    ),
}


@pytest.mark.parametrize("assertion", ["assert_ndcg", "assert_recall", "assert_map"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_failure_names_the_lowest_and_shows_how_its_score_comes_about(shape, assertion):
    """In at most twelve lines, with the number of what is left out; at length with all rows."""
    run, qrels = SHAPES[shape]
    with pytest.raises(RankingAssertionError) as caught:
        getattr(gate, assertion)(run, qrels, k=20, at_least=0.99)
    said = str(caught.value)
    lowest, others = list(qrels)[:2]
    assert len(said.splitlines()) <= 12
    assert f"Lowest: {lowest} " in said
    assert f"{others} " in said
    assert f"{lowest}, step by step:" in said
    assert "Convention: as trec_eval" in said
    found = run.get(lowest, [])[:20]
    lost = [document for document in qrels[lowest] if document not in found]
    shown = [document for document in lost if f"{document} (grade" in said]
    assert shown[:1] == lost[:1]
    left_out = sum(int(number) for number in re.findall(r"\) and (\d+) more$", said, re.MULTILINE))
    assert len(shown) + left_out == len(lost)
    caught.value.verbosity = 1
    at_length = str(caught.value).splitlines()
    for rank, document in enumerate(found, 1):
        assert any(line.split()[:2] == [str(rank), str(document)] for line in at_length)


def test_one_message_counts_the_broken_pins_and_lists_them(tmp_path):
    """At length all of them, in the order of the table."""
    pins = tmp_path / "pins.csv"
    rows = [f"q{i},d{i},1" for i in range(60)]
    pins.write_text("\n".join(["query,document,top", *rows]), encoding="utf-8")
    run = {f"q{i}": ["x"] if i % 2 else [f"d{i}"] for i in range(60)}
    with pytest.raises(RankingAssertionError) as caught:
        gate.assert_pins(run, pins)
    assert caught.value.summary.startswith("30 of 60 pins are broken")
    assert len(caught.value.lines) <= 10
    broken = [f"d{i}" for i in range(60) if i % 2]
    listed = [word for line in caught.value.all_lines for word in line.split() if word in broken]
    assert listed == broken


@pytest.mark.parametrize("by_query", [False, True])
def test_a_value_is_within_abs(by_query):
    """1e-6 unless said; a bound holds for each query or for the mean."""
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    run = {"q1": ["x", "a"], "q2": ["x", "a"]}
    given = ({"q1": run["q1"]}, {"q1": qrels["q1"]}) if by_query else (run, qrels)
    for away in (0, 9e-7, -9e-7):
        gate.assert_mrr(*given, equals=0.5 + away)
    for away in (1.1e-6, -1.1e-6):
        with pytest.raises(RankingAssertionError):
            gate.assert_mrr(*given, equals=0.5 + away)
        gate.assert_mrr(*given, equals=0.5 + away, abs=1e-5)


FILES = """
import json
import warnings
from pathlib import Path
import pandas as pd
import pytest
from irmetrics_edu.gate import assert_alpha_ndcg

HERE = Path(__file__).parent
RUN = {"q1": {"b": 0.9, "a": 0.5}}
QRELS = {"q1": {"a": 1, "b": 0}}
RUNS = {
    "r.trec": "q1 Q0 b 1 0.9 y\\nq1 Q0 a 2 0.5 y\\n",
    "r.json": json.dumps(RUN),
    "r.csv": "query,document,score\\nq1,b,0.9\\nq1,a,0.5\\n",
    "r.tsv": "query\\tdocument\\tscore\\nq1\\tb\\t0.9\\nq1\\ta\\t0.5\\n",
}
JUDGED = {
    "q.trec": "q1 0 a 1\\nq1 0 b 0\\n",
    "q.json": json.dumps(QRELS),
    "q.csv": "query,document,grade\\nq1,a,1\\nq1,b,0\\n",
    "q.tsv": "query\\tdocument\\tgrade\\nq1\\ta\\t1\\nq1\\tb\\t0\\n",
    "test.tsv": "query-id\\tcorpus-id\\tscore\\nq1\\ta\\t1\\nq1\\tb\\t0\\n",
    "of_some_kind": "query,document,grade\\nq1,a,1\\nq1,b,0\\n",
}
BAD = {
    "bad.trec": ("q1 0 a 1\\nq1 0 b\\nq1 0 c 0\\n", 2),
    "bad.csv": ("query,document,grade\\nq1,a,1\\nq1,b\\nq1,c,0\\n", 3),
    "bad.tsv": ("query\\tdocument\\tgrade\\nq1\\ta\\t1\\nq1\\tb\\nq1\\tc\\t0\\n", 3),
}

@pytest.mark.parametrize("name", RUNS)
def test_run(irm_run, name):
    (HERE / name).write_text(RUNS[name])
    assert irm_run(name) == RUN

@pytest.mark.parametrize("name", JUDGED)
def test_judgments(irm_qrels, name):
    (HERE / name).write_text(JUDGED[name])
    assert irm_qrels(name, format=None if "." in name else "csv") == QRELS

def test_parquet(irm_run, irm_qrels):
    ids = {"query": ["q1", "q1"], "document": ["b", "a"]}
    pd.DataFrame({**ids, "score": [0.9, 0.5]}).to_parquet(HERE / "r.parquet")
    pd.DataFrame({**ids, "grade": [0, 1]}).to_parquet(HERE / "q.parquet")
    assert irm_run("r.parquet") == RUN
    assert irm_qrels("q.parquet") == QRELS

@pytest.mark.parametrize("name", BAD)
def test_malformed(irm_qrels, name):
    text, line = BAD[name]
    (HERE / name).write_text(text)
    with pytest.raises(ValueError, match=f"line {line}: "):
        irm_qrels(name)
    with pytest.warns(UserWarning, match="1 malformed line left out"):
        assert irm_qrels(name, skip_bad=True) == {"q1": {"a": 1, "c": 0}}

def test_beside_the_caller_and_then_at_the_root(irm_qrels):
    (HERE.parent / "both.csv").write_text("query,document,grade\\nq1,z,1\\n")
    assert irm_qrels("both.csv") == {"q1": {"z": 1}}
    (HERE / "both.csv").write_text(JUDGED["q.csv"])
    assert irm_qrels("both.csv") == QRELS

def test_subtopics():
    (HERE / "s.trec").write_text("q1 1 a 1\\nq1 2 b 1\\n")
    assert_alpha_ndcg({"q1": ["a", "b"]}, HERE / "s.trec", k=2, at_least=1)
    assert_alpha_ndcg({"q1": ["a", "b"]}, str(HERE / "s.trec"), k=2, at_least=1)
"""


def test_files_of_each_form_are_read(pytester, session):
    """By name or by format=, beside the caller or at the root; malformed lines by number."""
    pytest.importorskip("pyarrow")
    folder = pytester.mkdir("below")
    (folder / "test_files.py").write_text(FILES, encoding="utf-8")
    session().assert_outcomes(passed=16)


REFUSED = """
import pytest
from irmetrics_edu import compare, evaluate
from irmetrics_edu.gate import assert_ndcg
from irmetrics_edu.judging import build_run, judge_by_text, judge_citations, judge_claims
from irmetrics_edu.runs import read_scores

def ask(question):
    return [{"id": "1", "text": "a"}]

@pytest.fixture(scope="module")
def judged():
    return judge_by_text(build_run(ask, {"q": "q"}), {"q": []})

def test_fixture(judged):
    pass

def test_scores():
    read_scores("none.csv")

def test_cell():
    open("s.csv", "w").write("query,measure,value\\nq1,x,high\\n")
    read_scores("s.csv")

def test_claims():
    judge_claims({"q": {"a": "x"}})

def test_citations():
    judge_citations([{"qid": "q", "statements": 3}])

def test_retriever():
    build_run(lambda question: [1.5j], {"q": "q"})

def test_grades():
    evaluate({"q": ["a"]}, {"q": {"a": "x"}}, "RR")

def test_compare():
    compare({"q": ["a"]}, {"q": ["a"]}, {"z": {"a": 1}}, "RR")

def test_file(irm_run):
    irm_run("none.trec")

def test_bounds(assert_ndcg):
    assert_ndcg({"q": ["a"]}, {"q": {"a": 1}}, k=2)

def test_gate(irm_baseline):
    irm_baseline({"q": ["a"]}, {"q": {"a": 1}}, "no such measure")

def test_low(assert_ndcg):
    assert_ndcg({"q": ["x", "a"]}, {"q": {"a": 1}}, k=2, at_least=1)
"""


def test_a_traceback_ends_at_the_call(pytester, session):
    """Of a failure and of what any function refuses, in a fixture too; no frame of ours is shown.

    The same where no assertion has been loaded, as in a test that only reads.
    """
    pytester.makepyfile(test_refused=REFUSED, test_reads=REFUSED.partition("def ask")[0] + (
        "def test_reads():\n    read_scores('none.csv')\n"
    ))  # fmt: skip
    done = session("--tb=short")
    done.assert_outcomes(failed=12, errors=1)
    shown = done.stdout.str()
    assert "/irmetrics_edu/" not in shown
    assert "irmetrics_edu/" not in shown.partition("short test summary")[0]


IN_CI = ("CI", "BUILD_NUMBER", "TF_BUILD", "TEAMCITY_VERSION", "CODEBUILD_BUILD_ID")


@pytest.mark.parametrize("name", IN_CI)
def test_in_ci_nothing_is_written_or_removed_and_the_message_says_why(
    pytester, session, name, monkeypatch
):
    """By the variable that is set; one that is set to nothing is not."""
    pytester.makepyfile(test_a="def test_a(): pass")
    for other in IN_CI:
        monkeypatch.setenv(other, "")
    assert session("--irm-update=new").ret == 0
    monkeypatch.setenv(name, "false")
    for option, done in (("--irm-update=new", "written"), ("--irm-prune", "removed")):
        refused = session(option)
        assert refused.ret == pytest.ExitCode.USAGE_ERROR
        refused.stderr.fnmatch_lines([f"*baselines are not {done} in CI ({name} is set); *"])


WRITES = """
import os
import pytest
KIND = os.environ.get("KIND", "")
Q = {f"q{i}": {"d9": 1} for i in range(30)}
FEW = {q: {"d3": 1} for q in ("q0", "q1", "q2")}
RUN = {q: [f"d{i}" for i in range(1500)] for q in FEW}
TOP = {q: ["d9", "x"] for q in Q}
DEEP = ["nDCG@1000 RR", "nDCG@20 P@10", "AP", "R@1200", "RR@10", "bpref R@5", "R@100 R@5 AP@40"]

@pytest.mark.parametrize("measures", DEEP)
def test_depth(irm_baseline, measures):
    irm_baseline(RUN, FEW, measures)

@pytest.mark.parametrize("depth", [1, 10, 2000])
def test_given(irm_baseline, depth):
    irm_baseline(RUN, FEW, "AP", depth=depth)

def test_answers(irm_baseline):
    run = {**TOP, "q1": []}
    if KIND == "other":
        run = {**TOP, "q1": [], "q2": ["x", "d9"]}
    irm_baseline(run, Q, "RR", max_unanswered=3)

def test_lacks(irm_baseline):
    irm_baseline({q: r for q, r in TOP.items() if q != "q7"}, Q, "RR")
"""


def test_what_a_write_keeps_and_says(pytester, session, monkeypatch):
    """As many documents as the deepest measure needs; which queries find nothing, each time."""
    pytester.makepyfile(test_w=WRITES)
    said = session("--irm-update=new")
    said.assert_outcomes(passed=12)
    text = (pytester.path / "irm_baselines.json").read_text(encoding="utf-8")
    kept = json.loads(text)["baselines"]
    depths = {key.partition("[")[2][:-1]: one["depth"] for key, one in kept.items() if "[" in key}
    assert depths == {
        "nDCG@1000 RR": 1000,
        "nDCG@20 P@10": 20,
        "AP": 100,
        "R@1200": 1200,
        "RR@10": 10,
        "bpref R@5": 100,
        "R@100 R@5 AP@40": 100,
        "1": 1,
        "10": 10,
        "2000": 2000,
    }
    for key, one in kept.items():
        documents = one["queries"]["q0"][1]
        assert one["whole"] == (one["depth"] >= (1500 if "[" in key else 2))
        assert len(documents) == min(one["depth"], 1500 if "[" in key else 2)
    said.stdout.fnmatch_lines(
        [
            "written: *test_answers, RR 0.9667; 1 query finds nothing (q1)",
            "written: *test_lacks, RR 0.9667; 1 judged query is not in the run and scores 0: q7",
        ]
    )
    monkeypatch.setenv("KIND", "other")
    again = session("--irm-update=all", "-k", "answers")
    again.stdout.fnmatch_lines(
        ["updated: *test_answers, RR 0.9667 -> 0.9500; 1 query finds nothing (q1)"]
    )


WARNS = """
import os
BAD = "BAD" in os.environ
Q = {f"q{i}": {"d": 2 if BAD else 1, "e": 1} for i in range(30)}
RUN = {q: ["x", "d"] if BAD else ["d"] for q in Q}

def test_advises(irm_baseline):
    irm_baseline(RUN, Q, "RR", policy="advise")

def test_can_t_tell(irm_baseline):
    irm_baseline({q: RUN[q] if q == "q0" else ["d"] for q in Q}, Q, "RR")

def test_other_judgments(irm_baseline):
    irm_baseline({q: ["d"] for q in Q}, Q, "nDCG@3")

def test_passes(assert_mrr):
    assert_mrr({q: ["d"] for q in Q}, Q, at_least=1)
"""


def verdicts(done):
    """The first column of the table of a session."""
    return [line.split()[0] for line in done.outlines if re.search(r"\d  test_w.py::\w+$", line)]


def test_what_is_warned_of_under_q_and_under_w_error(pytester, session, monkeypatch):
    """-q shows what no outcome tells; --irm-table=yes shows all; -W error fails the three."""
    pytester.makepyfile(test_w=WARNS)
    session("--irm-update=new").assert_outcomes(passed=4)
    monkeypatch.setenv("BAD", "1")
    quiet = session("-q")
    quiet.assert_outcomes(passed=4, warnings=5)  # judgments changed for all three gates
    rows = verdicts(quiet)
    assert rows == ["advisory", "inconclusive"]
    whole = session("-q", "--irm-table=yes")
    rows = verdicts(whole)
    assert rows == ["advisory", "inconclusive", "pass", "pass"]
    refused = session("-W", "error")
    refused.assert_outcomes(passed=1, failed=3)
    shown = refused.stdout.str()
    for kind in ("InconclusiveWarning", "AdvisoryWarning", "BaselineWarning"):
        assert f"{kind}: " in shown
        assert issubclass(getattr(gate, kind), UserWarning)


def test_the_label_stands_before_each_test_everywhere(pytester, session, monkeypatch):
    """In the table, reports, JUnit, annotations and the history; the title stands on reports."""
    pytester.makepyfile(test_w=WARNS)
    label = ("--irm-label=py 3.11 | <b>", "--irm-title=Release *7*")
    session("--irm-update=new", *label)
    monkeypatch.setenv("BAD", "1")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    written = ["--irm-report=r.json", "--irm-report=r.md", "--irm-report=r.html"]
    written += ["--irm-history=h.jsonl", "--junitxml=j.xml", "-v"]
    done = session(*label, *written)
    name = "[py 3.11 | <b>] test_w.py::test_"
    folder = pytester.path
    report = json.loads((folder / "r.json").read_text(encoding="utf-8"))
    assert report["made"][0]["title"] == "Release *7*"
    assert all(one["test"].startswith(name) for one in report["results"])
    assert sum(name in line for line in done.outlines if line[:2] != "::") == 4
    assert sum(name in line for line in done.outlines if line[:2] == "::") == 2
    history = (folder / "h.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["test"].startswith(name) for line in history] == [True] * 3
    root = ET.parse(folder / "j.xml").getroot()  # noqa: S314 -- our own file
    properties = [one.get("name") for one in root.findall(".//property")]
    assert all(one.startswith("[py 3.11 | <b>] ") for one in properties)
    assert len(properties) == 6  # two of them are verdicts
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert page.count("[py 3.11 | &lt;b&gt;] test_w.py") >= 4
    assert "<h1>Release *7*</h1>" in page
    markdown = (folder / "r.md").read_text(encoding="utf-8")
    assert r"### Release \*7\*" in markdown


def test_to_collect_alone_writes_nothing(pytester, session, monkeypatch):
    """Whatever else is asked for."""
    pytester.makepyfile(test_w=WARNS)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(pytester.path / "summary.md"))
    before = {path.name for path in pytester.path.iterdir()}
    for update in ("--irm-update=all", "--irm-prune"):
        session("--collect-only", update, "--irm-report=r.html", "--irm-history=h.jsonl")
    assert {path.name for path in pytester.path.iterdir()} == before


def test_baselines_that_can_t_be_written_end_a_session_that_passed_with_4(pytester, session):
    """After the summary; one that failed ends as ever."""
    text = """
from pathlib import Path
def test_a(irm_baseline):
    irm_baseline({"q": ["a"]}, {"q": {"a": 1}}, "RR")
    Path(__file__).with_name("irm_baselines.json").mkdir(exist_ok=True)
"""
    pytester.makepyfile(test_a=text)
    done = session("--irm-update=new")
    done.assert_outcomes(passed=1)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stdout.fnmatch_lines(["*= rankings =*", "error: *irm_baselines.json*"])
    (pytester.path / "irm_baselines.json").rmdir()
    pytester.makepyfile(test_a=f"{text}\ndef test_b():\n    assert False\n")
    assert session("--irm-update=new").ret == pytest.ExitCode.TESTS_FAILED


MEASURED = """
import pytest
from irmetrics_edu.gate import assert_no_regression, assert_ranks_above
Q = {f"q{i}": {"d": 1} for i in range(6)}
OLD = {q: ["d"] for q in Q}
NEW = {**OLD, "q0": ["x", "d"], "q1": []}

def test_gate():
    before = {**OLD, "gone": ["d"]}
    after = {**NEW, "new": ["d"]}
    judged = {**Q, "gone": {"d": 1}, "new": {"d": 1}}
    groups = {q: "a" if q < "q3" else "b" for q in judged}
    assert_no_regression(after, before, judged, "RR", groups=groups, missing_queries="skip")

def test_order():
    assert_ranks_above(["a", "b"], "a", "b")

def test_often(assert_mrr):
    for _ in range(9):
        assert_mrr(OLD, Q, at_least=1)
"""


def test_a_report_has_the_keys_that_the_page_names(pytester, session):
    """All that the schema knows, each where it applies, and no other."""
    schema = json.loads(
        (ROOT / "irmetrics_edu/gate/plugin/report.schema.json").read_text(encoding="utf-8")
    )
    known = schema["properties"]["results"]["items"]["properties"]
    page = (DOCS / "pytest-plugin.md").read_text(encoding="utf-8")
    said = page.partition("The JSON report holds")[2].partition("| verdict |")[0]
    names = [*schema["properties"], *known, *known["unit"]["enum"]]
    assert [name for name in names if f"`{name}`" not in said] == []
    pytester.makepyfile(test_it=MEASURED)
    session("--irm-report=r.json", "-q")
    report = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))
    found = {key for one in report["results"] for key in one}
    always = set(schema["properties"]["results"]["items"]["required"])
    assert [one for one in report["results"] if always - set(one)] == []
    assert found <= set(known)
    assert set(known) - found == set()


def test_the_oldest_pytest_is_the_one_that_the_extra_asks_for():
    """The page names the number of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    [asked] = {one for extra in extras for one in extra if one.startswith("pytest>=")}
    page = (DOCS / "pytest-plugin.md").read_text(encoding="utf-8")
    assert f"pytest ({asked.removeprefix('pytest>=')} or later)" in page


BETTER = """
import os
NOW = "NOW" in os.environ
Q = {f"q{i}": {"d": 1, "e": 1} for i in range(6)}
SECOND = {q: ["x", "d"] for q in Q}
BEST = {q: ["d", "x"] for q in Q}

def test_all_rise(irm_baseline):
    irm_baseline(BEST if NOW else SECOND, Q, "RR nDCG@3", name="x")

def test_one_falls(irm_baseline):
    irm_baseline({**BEST, "q0": ["x", "y", "z", "d"]} if NOW else SECOND, Q, "RR")

def test_within_the_margin(irm_baseline):
    irm_baseline(BEST if NOW else SECOND, Q, "RR", margin=0.9)

def test_another_measure_falls(irm_baseline):
    better = {q: ["d"] for q in Q}
    irm_baseline(better if NOW else {q: ["d", "e"] for q in Q}, Q, "P@1 R")

def test_fails_elsewhere(irm_baseline):
    irm_baseline(BEST if NOW else SECOND, Q, "RR")
    assert not NOW
"""


@pytest.mark.parametrize("update", ["", "--irm-update=new", "--irm-update=failing"])
def test_a_gain_is_told_of_a_gate_that_passes(pytester, session, monkeypatch, update):
    """Not of one that can't tell, nor within the margin, nor of a test that fails."""
    pytester.makepyfile(test_it=BETTER)
    session("--irm-update=all").assert_outcomes(passed=5)
    monkeypatch.setenv("NOW", "1")
    done = session("-q", "--tb=no", *filter(None, [update]))
    told = [line for line in done.outlines if line.startswith("better: ")]
    gain = "RR rose by 0.5000, nDCG@3 rose by 0.2263; --irm-update=all keeps it"
    assert told == [f"better: test_it.py::test_all_rise #x, {gain}"]


INI = """
[pytest]
irm_report = r.json r.md
irm_history = h.jsonl
irm_label = job
irm_title = A title
irm_update = new
irm_table = no
irm_reveal = hint
"""


def test_each_option_has_a_key_that_does_the_same(pytester, session):
    """The keys of all options but those of gates, which have tests of their own."""
    options = {name for name, _, _ in pytest_plugin.OPTIONS}
    assert {line.partition(" ")[0] for line in INI.split("\n") if "irm_" in line} == {
        f"irm_{name}" for name in options
    }
    pytester.makeini(INI)
    low = "\ndef test_low(assert_mrr):\n    assert_mrr({'q': ['x', 'd']}, {'q': {'d': 1}}, k=9"
    pytester.makepyfile(test_it=f"{BETTER}{low}, at_least=0.9)\n")
    done = session("--strict-config")
    done.assert_outcomes(passed=5, failed=1)
    report = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))
    assert {one["test"][:6] for one in report["results"]} == {"[job] "}
    assert report["made"][0]["title"] == "A title"
    assert "### A title" in (pytester.path / "r.md").read_text(encoding="utf-8")
    assert len((pytester.path / "h.jsonl").read_text(encoding="utf-8").splitlines()) == 7
    assert (pytester.path / "irm_baselines.json").exists()
    assert not [line for line in done.outlines if line.startswith("verdict ")]
    done.stdout.fnmatch_lines(["FAILED test_it.py::test_low - *is too low*"])


def test_a_report_says_whether_files_were_changed_anywhere_in_the_repository(
    pytester, session, monkeypatch
):
    """Also where the suite has a folder of its own; without a repository nothing is said."""
    for name in ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"):
        monkeypatch.delenv(name, raising=False)
    suite = pytester.mkdir("suite")
    (suite / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (suite / "test_it.py").write_text(MEASURED, encoding="utf-8")
    (suite.parent / "engine.py").write_text("1\n", encoding="utf-8")
    monkeypatch.chdir(suite)

    def told():
        session("--irm-report=r.json", "--irm-report=r.md", "-q", "--tb=no")
        [made] = json.loads((suite / "r.json").read_text(encoding="utf-8"))["made"]
        return made.get("commit", ""), (suite / "r.md").read_text(encoding="utf-8")

    def git(*words):
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *words], cwd=suite.parent, check=True, capture_output=True)

    commit, markdown = told()
    assert (commit, "commit " in markdown) == ("", False)
    git("init", "-q")
    git("add", "engine.py", "suite/test_it.py")
    git("commit", "-q", "-m", "x")
    clean, markdown = told()
    assert re.fullmatch("[0-9a-f]{40}", clean)
    assert "with changes that are not committed" not in markdown
    (suite.parent / "engine.py").write_text("2\n", encoding="utf-8")
    dirty, markdown = told()
    assert dirty == f"{clean}-dirty"
    assert f"commit {clean[:10]} with changes that are not committed" in markdown
