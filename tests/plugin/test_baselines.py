"""Baselines beside the tests: written when asked for, compared otherwise, and kept in order."""

import json
import math
import os
import re
import shlex
from types import SimpleNamespace

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.baseline import Baseline, Outdated, digest
from irmetrics_edu.gate.plugin import plain_id
from irmetrics_edu.gate.plugin.selection import Cause
from irmetrics_edu.metrics.definition import import_all

import_all()  # as above: metrics are registered once in a process

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

TEST = """
import pytest
RANK = {rank}
GRADE = {grade}
N = {n}

def run():
    return {{f"q{{i}}": [f"x{{j}}" for j in range(1, RANK)] + ["r", "y"] for i in range(N)}}

def qrels():
    return {{f"q{{i}}": {{"r": GRADE, "y": 1}} for i in range(N)}}

def test_quality(irm_baseline):
    irm_baseline(run(), qrels(), "RR nDCG@3", margin=0.01)
{more}
"""


class Project:
    """A folder with a test and its baselines."""

    def __init__(self, pytester):
        self.pytester = pytester
        self.file = pytester.path / "irm_baselines.json"

    def run(self, *options, rank=1, grade=3, n=12, more=""):
        """A session over a version of the test."""
        self.pytester.makepyfile(test_it=TEST.format(rank=rank, grade=grade, n=n, more=more))
        return self.pytester.runpytest_inprocess("-p", "no:cacheprovider", "-Wdefault", *options)

    @property
    def kept(self):
        """The baselines that the file holds."""
        return json.loads(self.file.read_text(encoding="utf-8"))["baselines"]


@pytest.fixture
def project(pytester):
    """A project whose baseline has been written."""
    made = Project(pytester)
    made.run("--irm-update=new").assert_outcomes(passed=1)
    return made


def test_without_a_baseline_the_test_fails_and_says_what_to_write(pytester):
    """Nothing is written that was not asked for."""
    project = Project(pytester)
    result = project.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no baseline for test_it.py::test_quality*--irm-update=new*"])
    assert not project.file.exists()


def test_scores_of_another_tool_are_a_baseline(pytester):
    """They have no rankings, so nothing of them is scored again."""
    pytester.makepyfile(
        test_it="""
        from irmetrics_edu.runs import read_scores

        def test_answers(irm_baseline):
            irm_baseline(read_scores("scores.csv"), max_observed_drop=0.1)
        """
    )
    lines = [f"q{i},faithfulness,{{0}}" for i in range(10)]
    write = lambda *more: pytester.path.joinpath("scores.csv").write_text(  # noqa: E731
        "\n".join(["query,measure,value", *lines, *more]).format(value)
    )
    session = lambda *given: pytester.runpytest_inprocess("-Wdefault", *given)  # noqa: E731
    value = 0.9
    write()
    session("--irm-update=new").assert_outcomes(passed=1)
    kept = json.loads(pytester.path.joinpath("irm_baselines.json").read_text())["baselines"]
    entry = kept["test_it.py::test_answers"]
    assert (entry["conventions"], entry["depth"]) == ({"name": "a table of scores"}, 0)
    assert entry["queries"]["q0"] == [[0.9], []]
    session().assert_outcomes(passed=1)
    value = 0.7
    write()
    result = session()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*faithfulness fell by 0.2000 > 0.0100*", "*0 gained*"])
    write(*(f"q{i},clarity,1" for i in range(10)))
    session().stdout.fnmatch_lines(["*clarity is not in the baseline, and scores without rank*"])


def test_a_changed_corpus_is_named_where_the_labels_no_longer_fit(pytester):
    """The baseline keeps its fingerprint, and without one nothing is said."""
    test = """
        def test_it(irm_baseline):
            run = {{f"q{{i}}": ["{0}", "b"] for i in range(3)}}
            irm_baseline(run, {{q: {{"a": 1}} for q in run}}, "RR", corpus={1})
    """
    file = pytester.path / "irm_baselines.json"
    session = lambda document, corpus, *given: (  # noqa: E731
        pytester.makepyfile(test_it=test.format(document, corpus)),
        pytester.runpytest_inprocess("-Wdefault", "-p", "no:cacheprovider", *given),
    )[1]
    session("a", "None", "--irm-update=new").assert_outcomes(passed=1)
    assert "corpus" not in file.read_text()
    session("a", "['a', 'b']", "--irm-update=all").assert_outcomes(passed=1)
    assert '"corpus": "sha256:' in file.read_text()
    session("a", "{'b', 'a'}").assert_outcomes(passed=1, warnings=0)
    found = session("a", "'crawl of May'")
    found.assert_outcomes(passed=1, warnings=1)
    found.stdout.fnmatch_lines(["*BaselineWarning: The corpus changed since the baseline*"])
    asked = "have the ids changed[?] RR fell by 1.0000*"
    for corpus, why in (
        ("['a', 'c']", ", and the corpus changed"),
        ("['a', 'b']", ", though the corpus is the baseline's"),
        ("None", ""),
    ):
        found = session("a#1", corpus)
        found.assert_outcomes(failed=1)
        found.stdout.fnmatch_lines(
            [f"*retrieved{why}: {asked}", "*write the new ids into the judg*", "unjudged *RR*"]
        )
    for corpus in ("''", "[]", "3"):
        session("a", corpus).stdout.fnmatch_lines(["*InputError: corpus*"])


def test_the_file_is_sorted_and_rounded(project):
    """Scores by query, cut-off, conventions, a digest of the judgments and the rankings' tops."""
    text = project.file.read_text(encoding="utf-8")
    entry = project.kept["test_it.py::test_quality"]
    assert list(entry) == sorted(entry)
    assert entry["means"] == {"RR": 1.0, "nDCG@3": 1.0}
    assert entry["queries"]["q0"] == [[1.0, 1.0], ["r", "y"], {"1": 3, "2": 1}]
    assert '\n    "q0": [[1.0,1.0],["r","y"],{"1":3,"2":1}],\n' in text
    assert entry["conventions"]["name"] == "trec_eval"
    assert entry["judgments"].startswith("sha256:")
    assert (entry["depth"], entry["whole"], entry["lacked"]) == (100, True, [])
    assert text.endswith("}\n")
    project.run("--irm-update=all").assert_outcomes(passed=1)
    assert project.file.read_text(encoding="utf-8") == text


def test_the_same_ranking_passes_and_writes_nothing(project):
    """The ordinary case."""
    before = project.file.stat().st_mtime_ns
    project.run().assert_outcomes(passed=1)
    assert project.file.stat().st_mtime_ns == before


def test_a_worse_ranking_fails_and_shows_what_moved(project):
    """From rank 1 to 2 in twelve queries; the document and its loss are named."""
    result = project.run(rank=2)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E*RR fell by 0.5000 > 0.0100 (1.0000 -> 0.5000; 12 queries)",
            "E*Lost most: q0 -0.500*12 lost*",
            "E*r *3 * 1 * 2",
        ]
    )
    assert "irmetrics_edu/gate/plugin" not in result.stdout.str()


def test_too_few_queries_warn(project):
    """Four of the queries can't tell, and without a hard limit the test passes with a warning."""
    project.run("--irm-update=all", n=4).assert_outcomes(passed=1)
    project.run(rank=2, n=4).assert_outcomes(failed=1)
    result = project.run("--irm-max-observed-drop=off", rank=2, n=4)
    result.assert_outcomes(passed=1, warnings=2)
    result.stdout.fnmatch_lines(
        ["*test_it.py:*InconclusiveWarning: RR fell by*4 queries can't tell, about 6 would (*)"]
    )


def test_changed_judgments_are_told_apart_from_a_changed_ranking(project):
    """The old ranking under new judgments is what the new one is compared with."""
    result = project.run(grade=1)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(
        ["*test_it.py:*BaselineWarning: The judgments changed since the baseline*"]
    )
    result = project.run(grade=1, rank=2)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E*The judgments changed since the baseline; its own rankings score the same*"]
    )
    result = project.run(n=20)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*8 queries are new*"])


def test_a_hint_shows_nothing_of_the_baseline(project):
    """Neither its score nor the judgments, be they the same or others."""
    for grade in (3, 1):
        result = project.run("--irm-reveal=hint", "--tb=line", "-rA", rank=2, grade=grade)
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(["FAILED test_it.py::test_quality - RR 0.5000 is too low*"])
        for hidden in ("1.0000", "grade", "what moved", "baseline 1"):
            result.stdout.no_fnmatch_line(f"*{hidden}*")


def test_a_tolerance_of_the_whole_range_is_refused(project):
    """A baseline that no change can be worse than is no gate."""
    more = "\ndef test_wide(irm_baseline):\n    irm_baseline(run(), qrels(), 'RR', margin=5)\n"
    project.run("--irm-update=new", more=more)
    project.run(more=more).stdout.fnmatch_lines(
        ["*margin=5: RR lies between 0 and 1, so no change is more than that*"]
    )


KINDS = {
    "mapping": "{f'q{i}': {'r': 3, 'y': 1} for i in range(4)}",
    "file": "str(pathlib.Path(__file__).with_name('qrels.trec'))",
    "pandas": "__import__('pandas').DataFrame(COLUMNS)",
    "polars": "__import__('polars').DataFrame(COLUMNS)",
}
OF_KIND = """
import pathlib
TEXT = pathlib.Path(__file__).with_name("qrels.trec").read_text()
ROWS = [line.split() for line in TEXT.splitlines()]
COLUMNS = {{
    "query": [r[0] for r in ROWS],
    "document": [r[2] for r in ROWS],
    "grade": [int(r[3]) for r in ROWS],
}}

def test_it(irm_baseline):
    irm_baseline({{f"q{{i}}": ["r", "y"] for i in range(4)}}, {qrels}, "RR nDCG@3")
"""


@pytest.mark.parametrize("kind", KINDS)
def test_the_judgments_are_known_by_what_they_hold(pytester, kind):
    """A file, a frame and a mapping of the same judgments are the same, and a change is seen."""
    for module in ("pandas", "polars"):
        pytest.importorskip(module)
    project = Project(pytester)
    file = pytester.path / "qrels.trec"
    file.write_text("".join(f"q{i} 0 r 3\nq{i} 0 y 1\n" for i in range(4)), encoding="utf-8")
    pytester.makepyfile(test_kind=OF_KIND.format(qrels=KINDS[kind]))
    run = pytester.runpytest_inprocess
    run("-p", "no:cacheprovider", "--irm-update=new").assert_outcomes(passed=1)
    assert project.kept["test_kind.py::test_it"]["judgments"] == digest(
        {f"q{i}": {"r": 3, "y": 1} for i in range(4)}
    )
    if kind != "mapping":
        file.write_text(file.read_text().replace("r 3", "r 2"), encoding="utf-8")
        result = run("-p", "no:cacheprovider", "-Wdefault")
        result.assert_outcomes(passed=1, warnings=1)
        result.stdout.fnmatch_lines(["*BaselineWarning: The judgments changed*"])


def test_other_conventions_do_not_compare(project):
    """A number under other conventions is another number: that is said, and not a low score."""
    result = project.run(
        more="\ndef test_other(irm_baseline):\n"
        "    irm_baseline(run(), qrels(), 'RR', conventions='irmetrics_edu')\n"
    )
    result.assert_outcomes(passed=1, failed=1)
    other = project.kept["test_it.py::test_quality"]
    text = project.file.read_text(encoding="utf-8")
    project.file.write_text(text.replace("test_quality", "test_other"), encoding="utf-8")
    assert other
    result = project.run(
        more="\ndef test_other(irm_baseline):\n"
        "    irm_baseline(run(), qrels(), 'RR', conventions='irmetrics_edu')\n"
    )
    result.stdout.fnmatch_lines(["*was made with name=trec_eval*name=irmetrics_edu*"])


@pytest.mark.parametrize(
    ("update", "worse", "other"), [("new", "kept", "new"), ("failing", "new", "kept")]
)
def test_updates_are_separate(project, update, worse, other):
    """`new` writes the missing alone, `failing` those that fail, and neither touches the rest."""
    more = "\ndef test_more(irm_baseline):\n    irm_baseline(run(), qrels(), 'RR')\n"
    result = project.run(f"--irm-update={update}", rank=2, more=more)
    kept = project.kept
    score = kept["test_it.py::test_quality"]["means"]["RR"]
    assert score == (1.0 if worse == "kept" else 0.5)
    assert ("test_it.py::test_more" in kept) == (other == "new")
    result.stdout.fnmatch_lines(["1 baseline written to *irm_baselines.json"])


@pytest.mark.parametrize(
    ("policy", "worse", "why"), [("sample", 1, "is inconclusive"), ("advise", 12, "only advises")]
)
def test_a_gate_that_does_not_fail_is_told_to_stay_as_it_was(project, policy, worse, why):
    """Whoever accepts failing gates learns which others did not pass and were not written."""
    more = (
        "\ndef test_more(irm_baseline):\n"
        "    found = run() | {f'q{i}': ['x', 'r', 'y'] for i in range(WORSE)}\n"
        f"    irm_baseline(found, qrels(), 'RR', policy={policy!r})\n"
        "WORSE = "
    )
    project.run("--irm-update=new", more=f"{more}0")
    before = project.file.read_text(encoding="utf-8")
    said = f"not updated: test_it.py::test_more; its gate {why}, and *--irm-update=all accepts it"
    for options in ((), ("--irm-update=new",)):
        assert "not updated" not in project.run(*options, more=f"{more}{worse}").stdout.str()
    project.run("--irm-update=failing", more=f"{more}{worse}").stdout.fnmatch_lines([said])
    assert project.file.read_text(encoding="utf-8") == before
    failing = f"{more}{worse}".replace("WORSE = ", "    assert False\nWORSE = ")
    result = project.run("--irm-update=failing", more=failing)
    result.assert_outcomes(passed=1, failed=1)
    assert "not updated" not in result.stdout.str()


@pytest.mark.parametrize("update", ["new", "failing", "all"])
def test_ci_refuses_to_update(project, monkeypatch, update):
    """A gate that moves itself is none."""
    monkeypatch.setenv("CI", "true")
    result = project.run(f"--irm-update={update}", rank=2)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*not written in CI*"])


STALE = ["stale: *irm_baselines.json has a baseline for test_it.py::test_gone*"]
MORE = "\ndef test_gone(irm_baseline):\n    irm_baseline(run(), qrels(), 'RR')\n"


def test_stale_baselines_are_reported(project):
    """A test that is gone is named; one that is merely not selected is not."""
    project.run("--irm-update=new", more=MORE).assert_outcomes(passed=2)
    project.run().stdout.fnmatch_lines(STALE)
    for options in (("-k", "quality"), ("test_it.py::test_quality",)):
        assert "stale:" not in project.run(*options, more=MORE).stdout.str()
    two = ["test_it.py::test_gone", "test_it.py::test_quality"]
    project.run("--irm-update=all").stdout.fnmatch_lines(STALE)
    assert sorted(project.kept) == two
    result = project.run("--irm-prune", "-n2")  # in one process others prune
    result.stdout.fnmatch_lines(["removed: *has a baseline for test_it.py::test_gone*"])
    assert list(project.kept) == two[1:]
    assert result.ret == 0


NOTHING = "error: --irm-prune removes nothing: {}; it needs a run of all tests"
# Why a session is no run of all tests: its options, what its conftest does, and what is told.
LAST = "\ndef test_last():\n    pass\n"
DESELECTS = """
def pytest_collection_modifyitems(config, items):
    config.hook.pytest_deselected(items=[items.pop()])
"""
TAKES_OUT = """
def pytest_collection_modifyitems(items):
    items.pop()
"""
STOPS = """
import pytest
def pytest_runtest_logfinish(nodeid):
    if nodeid.endswith("test_last"):
        pytest.exit("that is enough")
"""
PARTIAL = {
    "-k": (["-k", "quality"], "", "-k leaves tests out"),
    "-m": (["-m", "not slow"], "", "-m leaves tests out"),
    "deselect": (["--deselect=test_it.py::test_last"], "", "--deselect leaves tests out"),
    "ignore": (["--ignore", "other"], "", "--ignore leaves tests out"),
    "ignore by pattern": (["--ignore-glob", "*other"], "", "--ignore-glob leaves tests out"),
    "last failed": (["--lf"], "", "--lf leaves tests out"),
    "stepwise": (["--stepwise"], "", "--stepwise leaves tests out"),
    "a test": (
        ["test_it.py::test_quality"],
        "",
        "single tests were asked for (test_it.py::test_quality)",
    ),
    "a file": (["test_it.py"], "", "single files were asked for (test_it.py)"),
    "not collected": (
        ["--continue-on-collection-errors"],
        "broken",
        "broken/test_broken.py could not be collected",
    ),
    "deselected": ([], DESELECTS, "tests were deselected: 1"),
    "taken out": ([], TAKES_OUT, "a plugin or a conftest took tests out: 1"),
    "taken out in a worker": (["-n1"], TAKES_OUT, "a plugin or a conftest took tests out: 1"),
    "not run": (["-x"], "fails", "2 of 3 tests were run"),
    "stopped": ([], STOPS, "the session was stopped before its end"),
}


@pytest.mark.parametrize(("options", "conftest", "why"), PARTIAL.values(), ids=PARTIAL)
def test_a_partial_run_removes_nothing_and_says_why(project, options, conftest, why):
    """--irm-prune needs a run of all tests; a warning is no failure."""
    project.run("--irm-update=new", more=MORE).assert_outcomes(passed=2)
    before = project.file.read_text(encoding="utf-8")
    more = LAST
    if conftest == "broken":
        folder = project.pytester.mkdir("broken")
        (folder / "test_broken.py").write_text("import nowhere\n", encoding="utf-8")
    elif conftest == "fails":
        more = f"\ndef test_0():\n    assert False\n{LAST}"
    elif conftest:
        project.pytester.makeconftest(conftest)
    project.pytester.makepyfile(test_it=TEST.format(rank=1, grade=3, n=12, more=more))
    result = project.pytester.runpytest_inprocess("-Wdefault", "--irm-prune", *options)
    result.stdout.fnmatch_lines([NOTHING.format(why)])
    assert result.ret != 0
    assert project.file.read_text(encoding="utf-8") == before


def test_each_cause_is_tried():
    """A new one is tried above, and the sentence of each is another."""
    parts = {cause: re.escape(cause.value) for cause in Cause}
    for cause, part in parts.items():
        pattern = re.compile(re.sub(r"\\{.*?\\}", ".+", part))
        told = [why for _, _, why in PARTIAL.values() if pattern.fullmatch(why)]
        assert told, cause


def test_a_run_of_all_removes_what_is_stale(project):
    """The tests above can fail: with the same files and no option it is removed."""
    project.run("--irm-update=new", more=MORE).assert_outcomes(passed=2)
    result = project.run("--irm-prune", more=LAST)
    result.stdout.fnmatch_lines(["removed: *has a baseline for test_it.py::test_gone*"])


# As pytest-shard has it: the items of other shards go without a word. A wrapper is no different.
SHARDS = """
import pytest
def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if "gone" not in item.name]
""", """
import pytest
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items):
    yield
    del items[-1]
"""  # fmt: skip


@pytest.mark.parametrize("conftest", SHARDS)
def test_a_shard_neither_removes_the_baselines_of_others_nor_advises_it(project, conftest):
    """Tests that go without a word may be anywhere: nothing is stale, and nothing is guessed."""
    project.run("--irm-update=new", more=MORE).assert_outcomes(passed=2)
    before = project.kept
    project.pytester.makeconftest(conftest)
    new = "\ndef test_a(irm_baseline):\n    irm_baseline(run(), qrels(), 'RR')\n"
    workers = (
        [("--irm-prune", "-n2")] if conftest == SHARDS[0] else []
    )  # starting two takes seconds
    for options in ((), ("--irm-prune",), *workers):
        result = project.run(*options, more=new + MORE)
        for word in ("stale:", "removed:", "is gone"):
            result.stdout.no_fnmatch_line(f"*{word}*")
        result.stdout.fnmatch_lines(["*no baseline for test_it.py::test_a in *"])
        assert project.kept == before
    result.stdout.fnmatch_lines([NOTHING.format("a plugin or a conftest took tests out: 1")])


def test_the_last_failed_alone_keep_the_baselines_of_the_others(project, monkeypatch):
    """--lf collects no passing test of a file and doesn't say so: nothing is stale or removed."""
    bad = "\nimport os\ndef test_bad(irm_baseline):\n    assert 'GOOD' in os.environ\n"
    more = MORE + bad + "    irm_baseline(run(), qrels(), 'RR')\n"
    project.pytester.makepyfile(test_it=TEST.format(rank=1, grade=3, n=12, more=more))
    monkeypatch.setenv("GOOD", "1")

    def session(*options):
        return project.pytester.runpytest_inprocess("-Wdefault", *options)

    session("--irm-update=new").assert_outcomes(passed=3)
    monkeypatch.delenv("GOOD")
    session().assert_outcomes(passed=2, failed=1)
    for option in ("--irm-update=all", "--irm-prune"):
        result = session("--lf", option)
        result.assert_outcomes(failed=1)
        assert "stale:" not in result.stdout.str()
        assert len(project.kept) == 3
    result.stdout.fnmatch_lines([NOTHING.format("--lf leaves tests out")])


def test_a_parameter_that_is_missing_today_keeps_its_baseline(project):
    """Parameters with blanks and # have baselines of their own, which only --irm-prune removes."""
    more = "\n@pytest.mark.parametrize('p', {})\ndef test_p(irm_baseline, p):\n"
    more += (
        "    irm_baseline(run(), qrels(), 'RR')\n    irm_baseline(run(), qrels(), name='n #1')\n"
    )
    some = ["a b", "c #d", "e # f"]
    project.run("--irm-update=new", more=more.format(some)).assert_outcomes(passed=4)
    assert "stale" not in project.run(more=more.format(some)).stdout.str()
    assert len(project.kept) == 7
    result = project.run("--irm-update=all", more=more.format(some[:2]))
    result.stdout.fnmatch_lines(["stale: *test_p[[]e # f[]] #n #1*--irm-prune removes it"])
    assert len(project.kept) == 7
    project.run("--irm-prune", more=more.format(some[:2])).stdout.fnmatch_lines(["removed: *"])
    assert len(project.kept) == 5


def test_several_baselines_of_one_test_have_names(project):
    """Without names the second call is refused; with them both are kept."""
    two = "\ndef test_two(irm_baseline):\n" + "    irm_baseline(run(), qrels(), 'RR'{})\n" * 2
    result = project.run("--irm-update=new", more=two.format("", ""))
    result.stdout.fnmatch_lines(["*give one of them a name=*"])
    result = project.run("--irm-update=new", more=two.format(", name='a'", ", name='b'"))
    result.assert_outcomes(passed=2)
    assert {"test_it.py::test_two #a", "test_it.py::test_two #b"} <= set(project.kept)
    assert "stale" not in project.run(more=two.format(", name='a'", ", name='b'")).stdout.str()


def test_under_xdist_the_controller_writes(pytester):
    """Two workers, one file, whole; any session reads it."""
    project = Project(pytester)
    more = "".join(MORE.replace("gone", f"m{i}") for i in range(5))
    grouped = more.replace("def test", '@pytest.mark.xdist_group("a")\ndef test')
    dist = ("-n2", "--dist=loadgroup")  # the group goes to one worker, and the sixth to the other
    project.run(*dist, "--irm-update=new", more=grouped).assert_outcomes(passed=6)
    assert set(project.kept) == {
        f"test_it.py::test_{x}" for x in ("quality", *map("m{}".format, range(5)))
    }
    project.run(more=more).assert_outcomes(passed=6)


@pytest.mark.parametrize(
    ("dist", "nodeid", "plain"),
    [
        ("loadgroup", "a.py::test@group", "a.py::test"),
        ("loadgroup", "a.py::test[x@y]@a_b", "a.py::test[x@y]"),
        ("loadgroup", "a.py::test[x@y]", "a.py::test[x@y]"),
        ("loadgroup", "of@team/a.py::test", "of@team/a.py::test"),
        ("load", "a.py::test@group", "a.py::test@group"),
    ],
)
def test_a_group_of_xdist_is_no_part_of_a_name(dist, nodeid, plain):
    """Under pytest 8 it stands behind the test; a baseline is the same in every group."""
    config = SimpleNamespace(getoption=lambda name, default: dist if name == "dist" else default)
    assert plain_id(nodeid, config) == plain


@pytest.mark.parametrize("given", ["margin=0.6", "'sample', 0.6", "'sample', 0.6, confidence=0.9"])
def test_the_marker_gives_defaults(project, given):
    """A tolerance of more than one half lets the drop pass as tolerated."""
    more = (
        f"\n@pytest.mark.irm_baseline({given})\ndef test_mark(irm_baseline):\n"
        "    irm_baseline(run(), qrels(), 'RR')\n"
    )
    project.run("--irm-update=new", more=more)
    result = project.run(rank=2, more=more)
    result.assert_outcomes(failed=1, passed=1)


@pytest.mark.parametrize("given", ["max_dorp=0.6", "'sample', policy='strict'", "'sample', 0.6, 3"])
def test_a_marker_that_says_something_else_is_refused(project, given):
    """A misspelt tolerance would leave the usual one in force."""
    more = (
        f"\n@pytest.mark.irm_baseline({given})\ndef test_mark(irm_baseline):\n"
        "    irm_baseline(run(), qrels(), 'RR')\n"
    )
    result = project.run(more=more)
    result.stdout.fnmatch_lines(["*of test_mark: it takes policy, margin, *, each once*"])


BROKEN = {
    "torn": ('{"format": "irmetrics-edu base', "irm_baselines.json, line 1: not JSON"),
    "empty": ("", "the file is empty"),
    "conflict": ("{\n<<<<<<< HEAD\n}", "irm_baselines.json, line 2: a conflict of a merge"),
    "other": ('{"format": "other"}', "no file of baselines"),
    "version": ('{"format": "irmetrics-edu baselines, version 1"}', "baselines of version 1"),
    "entries": (
        '{"format": "irmetrics-edu baselines, version 2", "baselines": {"a": 1}}',
        "its baselines are no mapping",
    ),
    "twice": (
        '{"format": "irmetrics-edu baselines, version 2",\n"baselines": {\n"a": {},\n"a": {}}}',
        "irm_baselines.json, lines 3 and 4: 'a' stands twice in one object",
    ),
    "bytes": (b"\xff\xfe", "line 1: byte 0 is not UTF-8"),
    "folder": (None, "can't be read"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_fails_only_the_tests_that_need_it(project, kind):
    """It is neither taken for empty nor overwritten; other tests and the reports come as ever."""
    content, message = BROKEN[kind]
    project.file.unlink()
    if content is None:
        project.file.mkdir()
    else:
        project.file.write_bytes(content if isinstance(content, bytes) else content.encode())
    more = "\ndef test_good(assert_mrr):\n    assert_mrr(run(), qrels(), at_least=0.1)\n"
    # What a worker reads reaches the other process alike; starting two takes seconds.
    workers = [("-n2",)] if kind == "torn" else []
    for options in ((), ("--irm-update=all",), ("--irm-prune",), *workers):
        result = project.run("--irm-report=r.json", *options, more=more)
        result.assert_outcomes(failed=1, passed=1)
        result.stdout.fnmatch_lines([f"*{message}*", "pass *test_good"])
        assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
        report = json.loads((project.pytester.path / "r.json").read_text(encoding="utf-8"))
        assert [r["verdict"] for r in report["results"]] == ["error", "pass"]
    if content is not None:
        expected = content if isinstance(content, bytes) else content.encode()
        assert project.file.read_bytes() == expected


OBJECTS = {
    "format": ["format"],
    "baselines": ["baselines"],
    "a test": ["baselines", "test_it.py::test_quality"],
    "means": ["baselines", "test_it.py::test_quality", "means"],
    "a mean": ["baselines", "test_it.py::test_quality", "means", "RR"],
    "queries": ["baselines", "test_it.py::test_quality", "queries"],
    "a query": ["baselines", "test_it.py::test_quality", "queries", "q3"],
    "judgments": ["baselines", "test_it.py::test_quality", "judgments"],
    "a convention": ["baselines", "test_it.py::test_quality", "conventions", "ties"],
}


def with_a_key_twice(value, path):
    """JSON in which the key at this path stands twice, with the same value."""
    first, *rest = path
    inner = with_a_key_twice(value[first], rest) if rest else json.dumps(value[first])
    items = [(key, inner if key == first else json.dumps(one)) for key, one in value.items()]
    if not rest:
        items.append((first, json.dumps(value[first])))
    return "{" + ",\n".join(f"{json.dumps(key)}: {text}" for key, text in items) + "}"


@pytest.mark.parametrize("kind", OBJECTS)
def test_a_key_that_stands_twice_anywhere_is_refused(project, kind):
    """A merge by hand leaves it: the last value would win, whatever the first says."""
    text = with_a_key_twice(json.loads(project.file.read_text(encoding="utf-8")), OBJECTS[kind])
    project.file.write_text(text, encoding="utf-8")
    result = project.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"*irm_baselines.json*: '{OBJECTS[kind][-1]}' stands twice*"])
    for command in (["show", project.file], ["diff", project.file, project.file]):
        assert main(["baseline", *map(str, command)]) == 2
    assert project.file.read_text(encoding="utf-8") == text


def test_an_entry_that_is_torn_is_made_anew(project):
    """A baseline without what it needs can't be compared with, and says how to mend it."""
    text = project.file.read_text(encoding="utf-8").replace('"means"', '"mean"')
    project.file.write_text(text, encoding="utf-8")
    project.run().stdout.fnmatch_lines(["*the baseline can't be read*--irm-update=failing*"])
    project.run("--irm-update=failing").assert_outcomes(passed=1)
    assert "means" in project.kept["test_it.py::test_quality"]


def test_a_depth_keeps_fewer_documents(project):
    """Scores compare as before; changed judgments make such a baseline outdated, and it says so."""
    test = "\ndef test_d(irm_baseline):\n    irm_baseline(run(), qrels(), 'RR nDCG@3', depth=1)\n"
    project.run("--irm-update=new", more=test).assert_outcomes(passed=2)
    entry = project.kept["test_it.py::test_d"]
    assert (entry["depth"], entry["whole"], entry["queries"]["q0"][1]) == (1, False, ["r"])
    project.run(more=test).assert_outcomes(passed=2)
    result = project.run(more=test, grade=2)
    result.stdout.fnmatch_lines(["*the 1 documents kept of each ranking are too few*"])
    result = project.run(more=test.replace("depth=1", "depth=0"))
    result.stdout.fnmatch_lines(["*depth=0 is not possible; give a whole number of at least 1*"])


FEWER = """
def test_f(irm_baseline{file}):
    found = {{q: r for q, r in run().items() if int(q[1:]) < GRADE}}
    lines = [f"{{q}} Q0 {{d}} 0 {{-i}} x" for q, r in found.items() for i, d in enumerate(r)]
    open("run.trec", "w").write("\\n".join(lines))
    irm_baseline({found}, {{q: {{"r": 1}} for q in run()}}, "RR")
"""


@pytest.mark.parametrize("kind", ["mapping", "TREC"])
def test_a_baseline_forgets_no_query_that_the_run_lacks(pytester, kind):
    """5 of 20 queries answered is 0.25, however it is written; GRADE says how many are answered."""
    project = Project(pytester)
    form = {"mapping": ("", "found"), "TREC": (", irm_run", "irm_run('run.trec')")}[kind]
    more = FEWER.format(file=form[0], found=form[1])
    lacked = "15 judged queries are not in the run and score 0: q5, q6, q7, q8, q9 and 10 more"

    def kept():
        entry = project.kept["test_it.py::test_f"]
        return entry["means"]["RR"], len(entry["queries"]), len(entry["lacked"])

    refused = project.run("-k", "test_f", "--irm-update=new", grade=5, n=20, more=more)
    refused.stdout.fnmatch_lines(["*15 of 20 queries find nothing (q5, q6, q7 ...)*"])
    result = project.run("-k", "test_f", "--irm-update=all", grade=5, n=20, more=more)
    result.stdout.fnmatch_lines([f"written: test_it.py::test_f, RR 0.2500; {lacked}"])
    assert kept() == (0.25, 20, 15)
    for update in ("all", "failing"):
        project.run("-k", "test_f", "--irm-update=all", grade=20, n=20, more=more)
        assert kept() == (1.0, 20, 0)
        project.run("-k", "test_f", grade=5, n=20, more=more).assert_outcomes(failed=1)
        asked = ("-k", "test_f", f"--irm-update={update}")
        refused = project.run(*asked, grade=5, n=20, more=more)
        refused.assert_outcomes(failed=1)
        assert kept() == (1.0, 20, 0)
        result = project.run(*asked, "--irm-max-gone=off", grade=5, n=20, more=more)
        now = "15 queries find nothing now (q10, q11, q12 ...)"
        said = f"updated: test_it.py::test_f, RR 1.0000 -> 0.2500; {lacked}; {now}"
        result.stdout.fnmatch_lines([said])
        assert kept() == (0.25, 20, 15)
    project.run("-k", "test_f", grade=5, n=20, more=more).assert_outcomes(passed=1)


def test_deleted_queries_fail_a_gate_until_an_update_accepts_it(project):
    """The write says what is gone, and the means of what is left: 12 queries become 9."""
    project.run(n=9).stdout.fnmatch_lines(["E*3 of the baseline's 12 queries are gone, more *5%*"])
    project.run("--irm-max-gone=0.25", n=9).assert_outcomes(passed=1, warnings=1)
    said = "updated: test_it.py::test_quality; 3 of the baseline's 12 queries are gone"
    said += " (q10, q11, q9); on the 9 that are left RR 1.0000 -> 1.0000, nDCG@3 1.0000 -> 1.0000"
    project.run("--irm-update=failing", n=9).stdout.fnmatch_lines([said])
    project.run(n=9).assert_outcomes(passed=1, warnings=0)


def test_a_file_is_parsed_once(project, monkeypatch):
    """However many gates read it."""
    from irmetrics_edu.gate.plugin import baseline_files

    more = "".join(MORE.replace("gone", f"m{i}") for i in range(5))
    project.run("--irm-update=new", more=more).assert_outcomes(passed=6)
    parsed = []
    read = baseline_files.read
    monkeypatch.setattr(baseline_files, "read", lambda path: parsed.append(path) or read(path))
    project.run(more=more).assert_outcomes(passed=6)
    assert parsed == [project.file]


def test_a_test_without_baseline_says_the_command_that_renames_it(project, monkeypatch):
    """The command of the message keeps the baseline in force, and what a gate reads is not stale.

    From another folder it names the file.
    """
    renamed = TEST.replace("test_quality", "test_renamed")
    project.pytester.makepyfile(test_it=renamed.format(rank=1, grade=3, n=12, more=""))
    session = project.pytester.runpytest_inprocess
    result = session("-p", "no:cacheprovider", "-Wdefault")
    result.stdout.fnmatch_lines(
        ["*no baseline for test_it.py::test_renamed*if this test was test_it.py::test_quality*"]
    )
    alone = session("-p", "no:cacheprovider", "test_it.py::test_renamed")  # who knows what is gone?
    alone.stdout.no_fnmatch_line("*if this test was*")
    folder = project.pytester.mkdir("elsewhere")
    monkeypatch.chdir(folder)
    away = session("-p", "no:cacheprovider", "-Wdefault", "..")
    (command,) = set(re.findall("which is gone: irmetrics-edu (.*)", away.stdout.str()))
    assert command.endswith(f" --file {os.path.relpath(project.file)}")
    assert main(shlex.split(command)) == 0
    monkeypatch.chdir(folder.parent)
    for option in ("-q", "--irm-prune"):
        result = session("-p", "no:cacheprovider", "-Wdefault", option)
        result.assert_outcomes(passed=1)
        assert "stale" not in result.stdout.str()
    result.stdout.fnmatch_lines(["removed nothing: every baseline has its test"])
    assert list(project.kept) == ["test_it.py::test_renamed"]


def test_a_measure_more_hides_no_regression(project):
    """It is scored from the rankings that are kept; where these are too few, it says so."""
    more = "\ndef test_m(irm_baseline):\n    irm_baseline(run(), qrels(), {!r}, depth=3)\n"
    project.run("--irm-update=new", more=more.format("RR@2")).assert_outcomes(passed=2)
    project.run(more=more.format("RR@2 P@1")).assert_outcomes(passed=2, warnings=1)
    result = project.run(rank=3, more=more.format("RR@2 P@1"))
    result.stdout.fnmatch_lines(["*RR@2 fell by 1.0000*", "*P@1 fell by 1.0000*"])
    result = project.run(rank=3, more=more.format("RR@2 P@5"))
    result.stdout.fnmatch_lines(["*RR@2 fell by 1.0000*"])  # whole rankings are short
    text = project.file.read_text(encoding="utf-8")
    cut = text.replace('"whole": true', '"whole": false')
    project.file.write_text(cut, encoding="utf-8")
    result = project.run(more=more.format("RR@2 P@5"))
    result.stdout.fnmatch_lines(["*P@5 is not in the baseline, and the 3 documents kept*by P@5*"])


def test_two_sides_of_a_merge_do_not_fit(project):
    """Means and queries of a file are held against each other."""
    text = project.file.read_text(encoding="utf-8").replace('"q3": [[1.0,1.0]', '"q3": [[0.5,1.0]')
    project.file.write_text(text, encoding="utf-8")
    result = project.run()
    result.stdout.fnmatch_lines(["*the mean of RR is not the mean of its queries; did a merge *"])


def test_what_could_not_be_asserted_is_in_the_reports(project):
    """A gate without baseline, and bad input: a report counts them as errors."""
    more = MORE + "def test_bad(assert_mrr):\n    assert_mrr(run(), qrels(), at_least=75)\n"
    result = project.run("--irm-report=r.json", "--irm-report=r.md", more=more)
    result.assert_outcomes(passed=1, failed=2)
    report = json.loads((project.pytester.path / "r.json").read_text(encoding="utf-8"))
    errors = {r["test"]: r for r in report["results"] if r["verdict"] == "error"}
    assert set(errors) == {"test_it.py::test_gone", "test_it.py::test_bad"}
    assert "there is no baseline" in errors["test_it.py::test_gone"]["explanation"]
    assert "at_least=75: MRR lies between 0 and 1" in errors["test_it.py::test_bad"]["explanation"]
    assert "2 error, 2 pass" in (project.pytester.path / "r.md").read_text(encoding="utf-8")
    result.stdout.fnmatch_lines(["error *RR *-*test_gone"])


def test_a_test_that_fails_keeps_nothing(project):
    """Whatever else it asserts does not hold, so its run is not what is expected."""
    more = MORE + "    assert False\n"
    result = project.run("--irm-update=new", "--irm-report=r.json", more=more)
    result.assert_outcomes(passed=1, failed=1)
    assert list(project.kept) == ["test_it.py::test_quality"]
    assert "test_gone: not written, since the test failed" in (
        project.pytester.path / "r.json"
    ).read_text(encoding="utf-8")


def test_a_run_with_failed_calls_makes_no_baseline(project):
    """An outage of the retriever is told as such, and never becomes what is expected."""
    more = """
from irmetrics_edu.judging.building import build_run

def test_live(irm_baseline):
    def ask(text):
        if RANK > 1 and text == "t0":
            raise TimeoutError("no answer")
        return ["r"]
    built = build_run(ask, {f"q{i}": f"t{i}" for i in range(12)}, errors="keep")
    irm_baseline(built, qrels(), "RR")
"""
    project.run("--irm-update=new", more=more).assert_outcomes(passed=2)
    before = project.file.read_text(encoding="utf-8")
    failed = "*1 query of the run failed when the retriever was asked (q0: *no answer*"
    result = project.run("-k", "live", "--irm-update=all", rank=2, more=more)
    result.stdout.fnmatch_lines([failed])
    assert project.file.read_text(encoding="utf-8") == before
    result = project.run("-k", "live", "--irm-max-query-drop=0.1", rank=2, more=more)
    result.stdout.fnmatch_lines([failed])


def test_a_gate_that_can_t_tell_says_who_lost_and_how_to_accept(project):
    """As a failure does; so do changed judgments."""
    project.run("--irm-update=all", n=4)
    result = project.run(UNSURE, rank=2, n=4)
    result.stdout.fnmatch_lines(
        [
            "*InconclusiveWarning: RR fell by*",
            "*Lost most: q0 -0.500*",
            "*--irm-update=all makes this run*",
        ]
    )
    result = project.run(grade=1, n=4)
    result.stdout.fnmatch_lines(["*BaselineWarning: The judgments changed*--irm-update=all makes*"])


UNSURE = "--irm-max-observed-drop=off"
AGAIN = """
import pytest

class Twice:
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        from _pytest.runner import runtestprotocol
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for attempt in range(2):
            item.config.attempt = attempt
            if attempt:
                item._initrequest()
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
            for report in reports:
                if not attempt and report.failed:
                    report.outcome = "rerun"
                item.ihook.pytest_runtest_logreport(report=report)
                if report.outcome == "rerun":
                    break
            else:
                return True

def pytest_configure(config):
    config.pluginmanager.register(Twice())

def pytest_report_teststatus(report):
    if report.outcome == "rerun":
        return "rerun", "R", "RERUN"
"""


def test_the_last_attempt_at_a_test_counts(project):
    """A test that is run again leaves one result, one property and one baseline."""
    project.pytester.makeconftest(AGAIN)
    more = """
from irmetrics_edu.gate import assert_reciprocal_rank

def test_flaky(request, irm_baseline):
    first = not request.config.attempt
    irm_baseline({"q": ["x", "r"]} if first else {"q": ["r"]}, {"q": {"r": 1}}, "RR")
    assert_reciprocal_rank(["x", "r"] if first else ["r"], {"r": 1}, equals=1)
"""
    options = ("--irm-update=new", "--irm-report=r.json", "--junitxml=j.xml")
    result = project.run(*options, more=more)
    result.stdout.fnmatch_lines(["new *RR*1.0000*test_flaky", "pass *RR*1.0000*test_flaky"])
    report = json.loads((project.pytester.path / "r.json").read_text(encoding="utf-8"))
    assert [r["score"] for r in report["results"] if "flaky" in r["test"]] == [1.0, 1.0]
    assert project.kept["test_it.py::test_flaky"]["means"] == {"RR": 1.0}
    xml = (project.pytester.path / "j.xml").read_text(encoding="utf-8")
    assert xml.count('name="RR" value="1"') == 3
    assert 'name="RR" value="0.5"' not in xml


def test_what_no_outcome_tells_is_in_junit_and_shown_under_q(project):
    """A gate that can't tell is seen wherever one looks; under -W error it fails."""
    project.run("--irm-update=all", n=4)
    result = project.run(UNSURE, "-q", "--junitxml=j.xml", rank=2, n=4)
    result.stdout.fnmatch_lines(["inconclusive *RR*test_quality"])
    xml = (project.pytester.path / "j.xml").read_text(encoding="utf-8")
    assert 'name="RR verdict" value="inconclusive"' in xml
    strict = "-Werror::irmetrics_edu.gate.InconclusiveWarning"
    result = project.run(UNSURE, strict, rank=2, n=4)
    result.assert_outcomes(failed=1)
    assert "irmetrics_edu/gate/" not in result.stdout.str()


def test_collecting_alone_writes_no_report(project):
    """--collect-only runs nothing, so there is nothing to report."""
    project.run("--collect-only", "--irm-report=r.json")
    assert not (project.pytester.path / "r.json").exists()


def test_github_shows_what_failed_at_its_test(project, monkeypatch):
    """An annotation for each failure and each gate that can't tell, at the test's line."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    result = project.run(rank=3)
    result.stdout.fnmatch_lines(
        ["::error file=test_it.py,line=12,title=RR%3A fail::test_it.py::test_quality: RR fell by *"]
    )
    project.run("--irm-update=all", n=4)
    result = project.run(UNSURE, rank=2, n=4)
    result.stdout.fnmatch_lines(["::warning file=test_it.py,line=12,title=RR%3A inconclusive::*"])
    monkeypatch.delenv("GITHUB_ACTIONS")
    assert "::warning" not in project.run(UNSURE, rank=2, n=4).stdout.str()


def test_the_digest_is_of_the_judgments_not_of_their_order():
    """Order, and whole grades written as floats, make no difference; a grade does."""
    one = digest({"q1": {"a": 1, "b": 0}, "q2": {"c": 2}})
    assert digest({"q2": {"c": 2.0}, "q1": {"b": 0, "a": 1}}) == one
    assert digest({"q2": {"c": 1}, "q1": {"b": 0, "a": 1}}) != one


ENTRY = {
    "conventions": {"name": "trec_eval"},
    "judgments": "sha256:0",
    "means": {"RR": 0.75},
    "queries": {"q1": [[1.0], ["a"]], "q2": [[0.5], ["b", 7]]},
    "depth": 2,
    "whole": True,
    "lacked": [],
}


def test_an_entry_is_read_as_it_was_written():
    """What the cases below spoil is a baseline."""
    assert Baseline.read(ENTRY).entry() == ENTRY


@pytest.mark.parametrize(
    ("odd", "says"),
    [
        ({"judgments": 7}, "judgments is 7"),
        ({"depth": "2"}, "depth is '2'"),
        ({"whole": 1}, "whole is 1"),
        ({"lacked": {}}, "lacked is {}"),
        ({"conventions": []}, "conventions is []"),
        ({"lacked": [3]}, "3 should be text"),
        ({"conventions": {"ties": 1}}, "1 should be text"),
        ({"queries": {"q": [[math.nan], ["a"]]}}, "query 'q': its scores are [nan]"),
        ({"queries": {"q": [["1"], ["a"]]}}, "query 'q': its scores are ['1']"),
        ({"queries": {"q": [[True], ["a"]]}}, "query 'q': its scores are [True]"),
        ({"queries": {"q": [{}, ["a"]]}}, "query 'q': its scores are {}"),
        ({"queries": {"q": [[0.75], "a"]}}, "query 'q': its ranking is 'a'"),
        ({"queries": {"q": [[0.75], [1.5]]}}, "query 'q': its ranking is [1.5]"),
        ({"queries": {"q": [[0.75, 0.5], ["a"]]}}, "a query has not 1 scores"),
        ({"queries": {"q": [[0.5], ["a"]]}}, "the mean of RR is not the mean of its queries"),
        ({"means": {"RR": math.inf}}, "a mean is not a finite number"),
        ({"means": {"RR": "0.75"}}, "a mean is not a finite number"),
    ],
)
def test_an_entry_with_an_odd_part_is_outdated(odd, says):
    """It says which part is odd; nothing is compared with it."""
    with pytest.raises(Outdated, match=re.escape(says)):
        Baseline.read({**ENTRY, **odd})


@pytest.mark.parametrize("odd", [1, None, "x", [], [[]], True])
def test_one_entry_that_is_none_spoils_a_file(tmp_path, odd):
    """Beside good ones, before them or after them."""
    from irmetrics_edu.gate.plugin import baseline_files

    good = {"means": {"RR": 1.0}}
    path = tmp_path / "irm_baselines.json"
    for entries in ({"a": good, "b": odd}, {"a": odd, "b": good}, {"b": odd}):
        stored = {"format": baseline_files.FORMAT, "baselines": entries}
        path.write_text(json.dumps(stored), encoding="utf-8")
        with pytest.raises(InputError, match="no mapping of tests to baselines"):
            baseline_files.read(path)
