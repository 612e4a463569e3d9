"""A gate has one name, that of its baseline, in every output: those of one test are told apart."""

import json
import re
import xml.etree.ElementTree as ET

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu.cli import main
from irmetrics_edu.gate.history import read, series
from irmetrics_edu.metrics.definition import import_all

import_all()  # as above: metrics are registered once in a process

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

LANGUAGES = """
import os
from irmetrics_edu.gate import assert_no_regression
QRELS = {f"q{i}": {"a": 1} for i in range(200)}
GOOD = {"de": 160, "en": 159, "fr": 158, "it": 157}

def run(language):
    good = GOOD[language] - int(os.environ.get(f"LOSES_{language}", 0))
    return {f"q{i}": (["a"] if i < good else ["z"]) for i in range(200)}

def test_langs(irm_baseline):
    failed = False
    for name in GOOD:
        try:
            irm_baseline(run(name), QRELS, "P@1", policy="strict", margin=0.01, name=name)
        except AssertionError:
            failed = True
    assert not failed

def test_unnamed():
    for name in ("de", "en"):
        assert_no_regression(run(name), run(name), QRELS, "P@1")
"""
NAMED = {f"test_it.py::test_langs #{name}" for name in ("de", "en", "fr", "it")}
ALL = NAMED | {"test_it.py::test_unnamed", "test_it.py::test_unnamed (2)"}


def session(pytester, *options):
    """A session over the languages."""
    pytester.makepyfile(test_it=LANGUAGES)
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-Wdefault", *options)


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n2", marks=pytest.mark.suite("guide"))])
def test_it_is_the_same_in_every_output(pytester, monkeypatch, workers):
    """The table, reports, annotations, JUnit's properties, the file of baselines, the history."""
    made = session(pytester, "--irm-update=new", "-v")
    kept = json.loads((pytester.path / "irm_baselines.json").read_text(encoding="utf-8"))
    assert set(kept["baselines"]) == NAMED
    assert {line.partition("test_it.py")[2] for line in made.outlines if line[:4] == "new "} == {
        name.removeprefix("test_it.py") for name in NAMED
    }
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("LOSES_fr", "20")
    reports = [f"--irm-report=r.{kind}" for kind in ("json", "md", "html")]
    written = ("--irm-history=h.jsonl", "--junitxml=j.xml")
    result = session(pytester, "-v", workers, *reports, *written)
    json_report = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))
    assert {r["test"] for r in json_report["results"]} == ALL
    [failed] = [r for r in json_report["results"] if r["verdict"] == "fail"]
    assert (failed["test"], failed["score"]) == ("test_it.py::test_langs #fr", 0.69)
    markdown = (pytester.path / "r.md").read_text(encoding="utf-8").replace("\\", "")
    page = (pytester.path / "r.html").read_text(encoding="utf-8")
    for name in ALL:
        assert f"| {name} |" in markdown
        assert f"<code>{name}</code></td>" in page
        assert any(re.search(rf"pass|fail.* {re.escape(name)}$", line) for line in result.outlines)
    [annotation] = [line for line in result.outlines if "::error" in line]
    assert "::test_it.py::test_langs #fr: P@1 fell by 0.1000 > 0.0100" in annotation
    root = ET.parse(pytester.path / "j.xml").getroot()  # noqa: S314 -- our own file
    properties = {one.get("name"): one.get("value") for one in root.findall(".//property")}
    assert properties == {
        "P@1 #de": "0.8",
        "P@1 #en": "0.795",
        "P@1 #fr": "0.69",
        "P@1 #it": "0.785",
        "P@1": "0.8",
        "P@1 (2)": "0.795",
    }
    assert {test for test, _ in series(read(pytester.path / "h.jsonl"))} == ALL


def test_four_steady_gates_of_one_test_do_not_drift(pytester, monkeypatch, capsys):
    """And one that drifts is found beside them, though each step is within the margin."""
    for name in ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"):
        monkeypatch.delenv(name, raising=False)
    session(pytester, "--irm-update=new")
    for commit in "abc":
        monkeypatch.setenv("GITHUB_SHA", commit)
        session(pytester, "--irm-history=steady.jsonl")
    assert main(["history", str(pytester.path / "steady.jsonl")]) == 0
    assert "It drifts" not in capsys.readouterr().out
    for commit, lost in zip("abc", (0, 1, 3), strict=True):
        monkeypatch.setenv("GITHUB_SHA", commit)
        monkeypatch.setenv("LOSES_en", str(lost))
        session(pytester, "--irm-history=falls.jsonl", "--irm-update=all")
    session(pytester, "--irm-history=falls.jsonl")
    assert main(["history", str(pytester.path / "falls.jsonl")]) == 1
    shown = capsys.readouterr().out.split("\n\n")
    drifting = sorted(series.partition("\n")[0] for series in shown if "It drifts" in series)
    assert drifting == ["P@1  test_it.py::test_langs #en", "P@1  test_it.py::test_unnamed (2)"]


def test_reports_of_named_gates_merge(pytester, capsys):
    """Two sessions over different gates of one test are one report."""
    text = (
        "import os\nQRELS = {'q1': {'a': 1}}\n"
        "def test_it(irm_baseline):\n"
        "    irm_baseline({'q1': ['a']}, QRELS, 'RR', name=os.environ['PART'])\n"
    )
    pytester.makepyfile(test_it=text)
    for part in ("one", "two"):
        pytester._monkeypatch.setenv("PART", part)
        pytester.runpytest_inprocess("--irm-update=new", f"--irm-report={part}.json")
    paths = [str(pytester.path / f"{name}.json") for name in ("one", "two", "both")]
    assert main(["report", "merge", *paths[:2], "--to", paths[2]]) == 0
    assert "2 new" in capsys.readouterr().out


# As pytest-repeat (and pytest-loop) and pytest-flakefinder repeat a test: by a parameter.
REPEAT = """
import pytest

@pytest.fixture
def __pytest_repeat_step_number(request):
    return request.param

@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc):
    metafunc.fixturenames.append("__pytest_repeat_step_number")
    metafunc.parametrize(
        "__pytest_repeat_step_number", range(2), indirect=True, ids=lambda i: f"{i + 1}-2"
    )
"""
FLAKEFINDER = """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc):
    name = f"__flakefinder_{metafunc.function.__name__}"
    metafunc.fixturenames.append(name)
    metafunc.parametrize(argnames=name, argvalues=list(range(2)))
"""
# Names with parameters that look like the numbers of repetitions.
REPEATED = """
import os
import pytest
R = ["b", "a"] if "BAD" in os.environ else ["a", "b"]
def test_plain(irm_baseline):
    irm_baseline({"q1": R}, {"q1": {"a": 1}}, "RR")
@pytest.mark.parametrize("language", ["de", "0-en", "x-1-2"])
def test_languages(language, irm_baseline):
    irm_baseline({"q1": R}, {"q1": {"a": 1}}, "RR")
class TestA:
    @pytest.mark.parametrize(("a", "b"), [(1, 2), (0, 1)])
    def test_pairs(self, a, b, irm_baseline):
        irm_baseline({"q1": R}, {"q1": {"a": 1}}, "RR", name="c")
"""


@pytest.mark.parametrize("plugin", [REPEAT, FLAKEFINDER], ids=["repeat", "flakefinder"])
@pytest.mark.parametrize(
    "workers",
    [
        pytest.param((), id="one process"),
        pytest.param(("-n2",), id="workers", marks=pytest.mark.suite("guide")),
    ],
)
def test_all_repetitions_of_a_test_have_its_baseline(pytester, monkeypatch, plugin, workers):
    """They are compared with it, written under its name, and prune leaves it alone."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    file = pytester.path / "irm_baselines.json"
    pytester.makepyfile(test_it=REPEATED)
    plain = ("-p", "no:cacheprovider", "-Wdefault")
    pytester.runpytest_inprocess(*plain, "--irm-update=new").assert_outcomes(passed=6)
    before = file.read_bytes()
    pytester.makeconftest(plugin)
    done = pytester.runpytest_inprocess(*plain, *workers, "--irm-prune")
    done.assert_outcomes(passed=12)
    assert file.read_bytes() == before
    monkeypatch.setenv("BAD", "1")
    done = pytester.runpytest_inprocess(*plain, *workers)
    done.assert_outcomes(failed=12)
    done.stdout.fnmatch_lines(["*pytest 'test_it.py::test_plain' --irm-update=failing*"])
    monkeypatch.delenv("BAD")
    file.unlink()
    pytester.runpytest_inprocess(*plain, *workers, "--irm-update=new").assert_outcomes(passed=12)
    assert file.read_bytes() == before
