"""What a failure looks like wherever it is met: every mode of pytest, unittest, IPython, -O.

Needs nothing of the package's other tests, so that it runs under another pytest as well.
"""

import importlib
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

# By hand, with discounts 1, 0.63093: q1 has DCG@2 = 1.26186 of the ideal 4.26186, so 0.29608; q2
# retrieves nothing relevant; the mean is 0.14804.
LINE = "nDCG@2 0.1480 < 0.4500 (short by 0.3020; 2 queries)"
DATA = """
QRELS = {"q1": {"a": 3, "b": 2, "c": 0}, "q2": {"d": 1}}
RUN = {"q1": ["x", "b", "a"], "q2": ["y", "z"]}
"""
TESTS = (
    DATA
    + """
import unittest
from irmetrics_edu.gate import assert_ndcg as check

def test_good(assert_ndcg):
    assert_ndcg(RUN, QRELS, k=2, at_least=0.1)

def test_low(assert_ndcg):
    assert_ndcg(RUN, QRELS, k=2, at_least=0.45)

def test_bad_input(assert_ndcg):
    assert_ndcg({"q1": ["a", "a"]}, QRELS, k=2, at_least=0.45)

class TestRanking(unittest.TestCase):
    def test_case(self):
        check(RUN, QRELS, k=2, at_least=0.45)
"""
)
IN_UNITTEST = (
    """
import unittest
from irmetrics_edu.gate import assert_ndcg
"""
    + DATA
    + """
class TestRanking(unittest.TestCase):
    def test_low(self):
        assert_ndcg(RUN, QRELS, k=2, at_least=0.45)

if __name__ == "__main__":
    unittest.main()
"""
)

MODES = [
    "",
    "-q",
    "-qq",
    "-v",
    "-vv",
    "-n0",
    *(f"--tb={style}" for style in ("auto", "long", "short", "line", "native", "no")),
    "--full-trace",
    "--tb=native --full-trace -vv",
    "-l",
    "--assert=plain",
]


@pytest.fixture(autouse=True)
def _not_in_ci(monkeypatch):
    """Whatever runs these tests, the sessions they start are not in CI unless they say so.

    numpy can't be loaded twice in a process, so it is loaded before the sessions are.
    """
    importlib.import_module("irmetrics_edu.gate").assert_ndcg([1, 0], at_least=0)
    for name in ("CI", "BUILD_NUMBER", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "160")


def session(pytester, mode, text=TESTS):
    """A session of pytest of its own, with a JUnit report."""
    pytester.makepyfile(test_ranking=text)
    options = (*mode.split(), "-p", "no:cacheprovider", "--junitxml=junit.xml")
    return pytester.runpytest_inprocess(*options)


def summaries(result):
    """The lines of the short summary, by test."""
    found = {}
    for line in result.outlines:
        match = re.match(r"FAILED test_ranking\.py::(\S+) - (.*)", line)
        if match:
            found[match[1]] = match[2]
    return found


def junit(pytester):
    """The messages of JUnit's failures, and the properties, by test."""
    root = ET.parse(pytester.path / "junit.xml").getroot()  # noqa: S314 -- pytest's own file
    cases = list(root.iter("testcase"))
    return (
        {c.get("name"): f.get("message") for c in cases for f in c.iter("failure")},
        {c.get("name"): {p.get("name"): p.get("value") for p in c.iter("property")} for c in cases},
    )


def no_frame_of_ours(text):
    """Whether no file of the assertions or of the plugin is shown."""
    return "irmetrics_edu/gate" not in text


@pytest.mark.parametrize(
    ("mode", "ci"),
    [
        *((mode, False) for mode in MODES),
        ("", True),
        pytest.param("-n2", True, marks=pytest.mark.suite("guide")),
    ],
)
def test_the_first_line_is_the_whole_summary(pytester, monkeypatch, mode, ci):
    """One line in the summary and in JUnit, scores as properties, and no frame of ours.

    A test written for unittest reads the same, but where a full trace is asked for.
    """
    if ci:
        monkeypatch.setenv("CI", "true")
    full = "--full-trace" in mode
    result = session(pytester, mode, TESTS.partition("class ")[0] if full else TESTS)
    text = result.stdout.str()
    if mode != "-qq":  # which leaves out the last line, and in some versions the summary
        result.assert_outcomes(passed=1, failed=2 if full else 3)
        assert summaries(result)["test_low"] == LINE
        assert full or summaries(result)["TestRanking::test_case"] == LINE
    assert no_frame_of_ours(text)
    messages, properties = junit(pytester)
    assert messages["test_low"] == LINE
    assert full or messages["test_case"] == LINE
    assert messages["test_bad_input"].endswith("remove the repetition")
    assert properties["test_low"] == {"nDCG@2": "0.148041"}
    assert properties["test_good"] == {"nDCG@2": "0.148041"}
    shows_detail = "--tb=no" not in mode
    if mode == "--tb=line":  # a line, or all, by the version of pytest
        return
    assert ("step by step" in text) == shows_detail
    assert ("IDCG@2 = the sum of discounted gain" in text) == ("-v" in mode)
    if shows_detail and "-v" not in mode:
        lines = text.partition(LINE + "\n")[2].splitlines()
        end = next(i for i, line in enumerate(lines) if "Convention: as trec_eval" in line)
        assert end <= 10  # lines, and the empty one before them


def test_on_a_narrow_screen_the_numbers_come_first(pytester, monkeypatch):
    """Pytest cuts its summary at the screen's edge outside CI; what was measured stays."""
    monkeypatch.setenv("COLUMNS", "80")
    assert summaries(session(pytester, ""))["test_low"].startswith("nDCG@2 0.1480 < 0.4500 (")


def run_python(*arguments):
    """A fresh interpreter's exit code and output."""
    environment = {n: v for n, v in os.environ.items() if n != "PYTHONOPTIMIZE"}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("optimised", [False, True], ids=["plain", "-O"])
def test_unittest(tmp_path, optimised):
    """Unittest counts a failure, not an error, and shows the test's own line alone."""
    (tmp_path / "low.py").write_text(IN_UNITTEST, encoding="utf-8")
    code, text = run_python(*(["-O"] if optimised else []), str(tmp_path / "low.py"))
    assert code == 1
    assert "FAILED (failures=1)" in text
    assert LINE in text
    assert no_frame_of_ours(text)


BAD_INPUT = IN_UNITTEST.replace("RUN, QRELS, k=2", '{"q1": ["a", "a"]}, QRELS, k=2')


def test_bad_input_shows_no_frame_of_ours_either(tmp_path):
    """Unittest counts an error, and its traceback ends at the test's own line."""
    (tmp_path / "bad.py").write_text(BAD_INPUT, encoding="utf-8")
    code, text = run_python(str(tmp_path / "bad.py"))
    assert code == 1
    assert "FAILED (errors=1)" in text
    assert "irmetrics_edu.errors.InputError: query 'q1', document 'a', rank 2" in text
    assert no_frame_of_ours(text)


def test_under_o_a_script_still_fails(tmp_path):
    """Nothing rests on the assert statement."""
    script = tmp_path / "script.py"
    script.write_text(
        "from irmetrics_edu.gate import assert_ndcg\n"
        + DATA
        + "assert False\nassert_ndcg(RUN, QRELS, k=2, at_least=0.45)\n",
        encoding="utf-8",
    )
    code, text = run_python("-O", str(script))
    assert code == 1
    assert f"RankingAssertionError: {LINE}" in text


@pytest.mark.parametrize("kind", ["failure", "bad input"])
def test_ipython(tmp_path, kind):
    """In IPython, and so in a notebook, the traceback ends with the cell's own line."""
    run = "RUN" if kind == "failure" else '{"q1": ["a", "a"]}'
    error = f"RankingAssertionError: {LINE}" if kind == "failure" else "InputError: query 'q1'"
    script = tmp_path / "cell.ipy"
    script.write_text(
        "from irmetrics_edu.gate import assert_ndcg\n"
        + DATA
        + f"assert_ndcg({run}, QRELS, k=2, at_least=0.45)\n",
        encoding="utf-8",
    )
    program = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "import pathlib, sys\n"
        "shell = InteractiveShell.instance(colors='NoColor')\n"
        f"shell.run_cell(pathlib.Path({str(script)!r}).read_text())\n"
    )
    code, text = run_python("-W", "ignore", "-c", program)
    assert code == 0, text
    assert error in text
    assert f"assert_ndcg({run}, QRELS, k=2, at_least=0.45)" in text
    assert no_frame_of_ours(text)
    assert "hidden" not in text


def test_hypothesis_accepts_the_fixtures(pytester):
    """They are session-scoped: hypothesis refuses what is made anew for each test."""
    pytest.importorskip("hypothesis")
    result = session(
        pytester,
        "",
        """
from hypothesis import given, strategies as st

@given(st.permutations(["a", "b", "c"]))
def test_bounds(assert_ndcg, ranking):
    assert_ndcg(ranking, {"a": 2, "b": 1}, at_least=0, at_most=1)
""",
    )
    result.assert_outcomes(passed=1)
    # All six orders are tried, and the lowest stands for them: grades 0, 1, 2 from the top.
    # (1 / log2(3) + 2 / 2) / (2 + 1 / log2(3)) = 1.63093 / 2.63093 = 0.6199.
    result.stdout.fnmatch_lines(["pass*nDCG (1 of 6)*0.6199*test_bounds"])


OWN = """
from irmetrics_edu import Working, metric

@metric("OfConftest{n}")
def of_conftest{n}(rows, k=None):
    "OfConftest is the number of relevant documents."
    return Working(rows.relevant(1) * 1.0, how="R", quantities={{"R": rows.relevant(1)}}, rows=rows)
"""


def test_an_own_metric_of_a_conftest_has_its_assertion(pytester):
    """Of the first conftest and of one in a folder; as a fixture it says what to import."""
    for n, folder in ((1, pytester.path), (2, pytester.mkdir("deep"))):
        (folder / "conftest.py").write_text(OWN.format(n=n), encoding="utf-8")
        (folder / f"test_own{n}.py").write_text(
            DATA  # q1 has 2 relevant documents, q2 has 1
            + f"from irmetrics_edu.gate import assert_of_conftest{n} as measured\n"
            + "def test_it():\n"
            + "    measured(RUN, QRELS, equals=1.5)\n"
            + f"def test_as_a_fixture(assert_of_conftest{n}):\n"
            + "    pass\n",
            encoding="utf-8",
        )
    # In a process of its own: a metric is registered for as long as the process lives.
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--tb=short")
    result.assert_outcomes(passed=2, errors=2)
    assert "from irmetrics_edu.gate import assert_of_conftest2" in result.stdout.str()


def test_options_markers_and_fixtures_are_announced(pytester):
    """--help, --markers and --fixtures tell what there is; options have twins in the ini file."""
    text = pytester.runpytest_inprocess("--help").stdout.str()
    for name in ("report", "update", "table", "reveal"):
        assert f"--irm-{name}" in text
        assert f"irm_{name} (" in text
    assert "irm_hint" in pytester.runpytest_inprocess("--markers").stdout.str()
    text = pytester.runpytest_inprocess("--fixtures").stdout.str()
    for name in ("assert_ndcg", "assert_metric", "irm_baseline", "irm_run"):
        assert name in text


TEN = {
    "assert_in_top",
    "assert_metric",
    "assert_mrr",
    "assert_ndcg",
    "assert_no_regression",
    "assert_pins",
    "assert_recall",
    "irm_baseline",
    "irm_qrels",
    "irm_run",
}
# The listed assertions, asked for in each way; a conftest's own fixture comes first.
ASKED = {
    "conftest.py": """
import pytest

@pytest.fixture
def by_fixture(assert_mrr):
    return assert_mrr

@pytest.fixture
def assert_pins():
    return "own"
""",
    "test_asked.py": """
import irmetrics_edu.gate as gate

def test_by_argument(assert_ndcg):
    assert assert_ndcg is gate.assert_ndcg

def test_by_a_fixture(by_fixture):
    assert by_fixture is gate.assert_mrr

def test_while_it_runs(request):
    assert request.getfixturevalue("assert_recall") is gate.assert_recall

def test_overridden(assert_pins):
    assert assert_pins == "own"

class TestOfClass:
    def test_in_a_class(self, assert_in_top):
        assert assert_in_top is gate.assert_in_top
""",
}


def test_ten_fixtures_are_listed(pytester):
    """In the list of all and under a misspelt name; whoever asks, and however, has it."""
    import re

    shown = pytester.runpytest_inprocess("--fixtures", "-q").stdout.str()
    assert set(re.findall(r"^((?:irm|assert)_\w+)", shown, re.MULTILINE)) == TEN
    pytester.makepyfile("def test_it(assert_ngcd):\n    pass\n")
    out = pytester.runpytest_inprocess("-p", "no:cacheprovider").stdout.str()
    listed = out.partition("available fixtures:")[2].partition("\n")[0]
    assert {n for n in listed.replace(",", " ").split() if n.startswith(("irm_", "assert_"))} == TEN
    assert "is no fixture" not in out
    for name, text in ASKED.items():
        (pytester.path / name).write_text(text, encoding="utf-8")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "test_asked.py")
    result.assert_outcomes(passed=5)


@pytest.mark.parametrize("name", ["assert_rbp", "assert_improves", "assert_latency", "assert_gmap"])
def test_an_assertion_that_is_no_fixture_says_what_to_import(pytester, name):
    """As an argument, and where a fixture of a conftest asks for it."""
    pytester.makeconftest(
        f"import pytest\n@pytest.fixture\ndef asked({name}):\n    return {name}\n"
    )
    pytester.makepyfile(f"def test_a({name}):\n    pass\ndef test_b(asked):\n    pass\n")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(errors=2)
    out = result.stdout.str()
    assert out.count(f"{name} is no fixture") == 2
    assert out.count(f"    from irmetrics_edu.gate import {name}") == 2


def test_the_plugin_replaces_nothing_of_pytest(pytester):
    """In a session with the plugin, each method of the manager of fixtures is pytest's own."""
    pytester.makepyfile(
        """
        from _pytest.fixtures import FixtureManager

        def test_it(request, assert_ndcg):
            manager = request.session._fixturemanager
            own = {name for name, value in vars(manager).items() if callable(value)}
            assert not own & set(vars(FixtureManager))
            assert manager.getfixturedefs.__func__ is FixtureManager.getfixturedefs
        """
    )
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


@pytest.mark.parametrize("name", ["irmetrics-edu", "irmetrics_edu", "irmetrics_edu.pytest_plugin"])
def test_the_plugin_is_left_out_and_loaded_by_each_of_its_names(pytester, name):
    """The name of the header, of the package and of the module; loading it again is no error."""
    left_out = session(pytester, f"-p no:{name}")
    left_out.assert_outcomes(errors=3, failed=1)
    left_out.stdout.fnmatch_lines(["E*fixture 'assert_ndcg' not found"])
    if name != "irmetrics_edu":  # which is the package, and no plugin
        session(pytester, f"-p {name}").assert_outcomes(passed=1, failed=3)
        pytester.makeconftest('pytest_plugins = ["irmetrics_edu.pytest_plugin"]')
        session(pytester, "").assert_outcomes(passed=1, failed=3)


@pytest.mark.parametrize("how", ["marker", "option", "ini"])
def test_a_hint_shows_no_bound(pytester, how):
    """By marker, option or ini file, no expected value is shown outside the test's own source."""
    options = "--tb=line -n0 -rA" + (" --irm-reveal=hint" if how == "option" else "")
    if how == "ini":
        pytester.makeini("[pytest]\nirm_reveal = hint\n")
    mark = "import pytest\n@pytest.mark.irm_hint\n" if how == "marker" else ""
    result = session(
        pytester,
        f"{options} --irm-report=out.json --irm-report=out.html",
        DATA + f"{mark}def test_low(assert_ndcg):\n"
        "    assert_ndcg(RUN, QRELS, k=2, at_least=0.4321)\n",
    )
    report = "".join((pytester.path / f"out.{kind}").read_text() for kind in ("json", "html"))
    junit_text = (pytester.path / "junit.xml").read_text()
    assert summaries(result)["test_low"] == "nDCG@2 0.1480 is too low (2 queries)"
    for text in (result.stdout.str(), report, junit_text):
        assert "0.4321" not in text
        assert "grade" not in text


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--irm-update=some", "use one of new, failing, all"),
        ("--irm-report=out.txt", "ends in one of"),
        ("--irm-table=perhaps", "use one of yes, no"),
        ("--irm-reveal=nothing", "use one of all, hint"),
    ],
)
def test_a_wrong_option_is_refused(pytester, option, message):
    """Before any test runs, with what would do."""
    result = session(pytester, option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert message in result.stderr.str()


def test_loaders_read_files_beside_the_test(pytester):
    """Wherever pytest is started, files are looked for beside the test that asks for them."""
    folder = pytester.mkdir("deep")
    (folder / "run.trec").write_text("q1 Q0 b 1 0.9 r\nq1 Q0 a 2 0.5 r\n", encoding="utf-8")
    (folder / "qrels.trec").write_text("q1 0 a 1\nq1 0 b 0\n", encoding="utf-8")
    (folder / "run.json").write_text('{"q1": {"a": 1.5}}', encoding="utf-8")
    (folder / "test_files.py").write_text(
        "def test_files(irm_run, irm_qrels, assert_mrr):\n"
        "    assert irm_run('run.trec') == {'q1': {'b': 0.9, 'a': 0.5}}\n"
        "    assert irm_run('run.json') == {'q1': {'a': 1.5}}\n"
        "    assert_mrr(irm_run('run.trec'), irm_qrels('qrels.trec'), equals=0.5)\n",
        encoding="utf-8",
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_loaders_of_the_session_look_beside_who_asks_and_then_at_the_root(pytester):
    """A fixture of a conftest reads beside the conftest; a file at the root is found from below."""
    (pytester.path / "run.trec").write_text("q1 Q0 a 1 0.9 r\n", encoding="utf-8")
    beir = "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\n"
    (pytester.path / "test.tsv").write_text(beir, encoding="utf-8")
    pytester.makeconftest(
        "import pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def judged(irm_qrels):\n"
        "    return irm_qrels('test.tsv')\n"
    )
    folder = pytester.mkdir("deep")
    (folder / "own.trec").write_text("q1 Q0 b 1 0.9 r\nq1 Q0\n", encoding="utf-8")
    (folder / "test_files.py").write_text(
        "import pytest\n"
        "def test_files(irm_run, judged, assert_mrr):\n"
        "    assert judged == {'q1': {'a': 1, 'b': 0}}\n"
        "    assert_mrr(irm_run('run.trec'), judged, equals=1)\n"
        "    with pytest.warns(UserWarning, match='own.trec: 1 malformed line left out') as told:\n"
        "        assert irm_run('own.trec', skip_bad=True) == {'q1': {'b': 0.9}}\n"
        "    assert told[0].filename == __file__\n"
        "def test_missing(irm_run):\n"
        "    irm_run('none.trec')\n"
        "def test_malformed(irm_run):\n"
        "    irm_run('own.trec')\n",
        encoding="utf-8",
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=2)
    out = result.stdout.str()
    assert "none.trec: there is no such file in" in out
    assert "line 2: 'q1 Q0': 2 fields" in out
    assert "irmetrics_edu/" not in out.replace("irmetrics_edu/pytest_plugin", "")


def test_each_fixture_says_what_it_gives(pytester):
    """`pytest --fixtures -v` has a definition and what to write, not one line."""
    out = pytester.runpytest_inprocess("--fixtures", "-v").stdout.str()
    for name, told in (
        ("irm_run", "beside the calling file"),
        ("irm_qrels", "BEIR"),
        ("irm_baseline", "--irm-update=failing accepts a change"),
        ("assert_ndcg", "help(irmetrics_edu.gate.assert_ndcg)"),
    ):
        after = out.partition(f"{name} ")[2] or out.partition(f"{name}\n")[2]
        assert told in " ".join(after[:1500].split())


def test_loaders_neither_merge_nor_drop_lines(pytester):
    """A repeated document is refused with its line, and so are judgments by subtopic."""
    (pytester.path / "run.trec").write_text("q Q0 a 1 0.9 r\nq Q0 a 2 0.5 r\n", encoding="utf-8")
    (pytester.path / "sub.trec").write_text("q 1 a 1\nq 2 a 1\nq 2 b 1\n", encoding="utf-8")
    pytester.makepyfile(
        "import pytest\n"
        "def test_files(irm_run, irm_qrels):\n"
        "    with pytest.raises(ValueError, match=r\"line 2: .*query 'q', document 'a'\"):\n"
        "        irm_run('run.trec')\n"
        "    for skip in (False, True):  # a repeated document is not a bad line\n"
        "        with pytest.raises(ValueError, match='(?s)line 2.*judged twice') as told:\n"
        "            irm_qrels('sub.trec', skip_bad=skip)\n"
        "        assert 'skip_bad' not in str(told.value)\n"
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
