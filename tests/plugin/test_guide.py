"""The user's guide: its examples run, and it names all there is."""

import re
from pathlib import Path

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu import pytest_plugin
from irmetrics_edu.metrics.definition import import_all
from irmetrics_edu.plugin.names import ASSERTIONS
from irmetrics_edu.runs.aggregation import AGGREGATES

import_all()  # as above: metrics are registered once in a process

pytest_plugins = ["pytester"]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "pytest-plugin.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = dict(re.findall(r"```python\n# (\S+\.py)\n(.*?)```", TEXT, re.DOTALL))


@pytest.fixture
def folder(pytester, monkeypatch):
    """A folder with all files of the page."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    for name, content in FILES.items():
        (pytester.path / name).write_text(content, encoding="utf-8")
    beir = "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\n"
    (pytester.path / "qrels.tsv").write_text(beir, encoding="utf-8")
    pins = re.search(r"```csv\n(.*?)```", TEXT, re.DOTALL)[1]
    (pytester.path / "pins.csv").write_text(pins, encoding="utf-8")
    run = "q1 Q0 b 1 0.9 r\nq1 Q0 a 2 0.5 r\n"
    (pytester.path / "run.trec").write_text(run, encoding="utf-8")
    return pytester


def test_the_examples_run(folder):
    """As files in an empty folder; first hits at ranks 2 and 1 make an MRR of 3/4."""
    run = folder.runpytest_inprocess
    result = run("-p", "no:cacheprovider", "--irm-update=new", "--junitxml=j.xml")
    result.assert_outcomes(passed=5)
    assert (folder.path / "irm_baselines.json").exists()
    run("-p", "no:cacheprovider").assert_outcomes(passed=5)
    xml = (folder.path / "j.xml").read_text(encoding="utf-8")
    assert 'name="MRR" value="0.75"' in xml
    assert 'name="RR verdict" value="new"' in xml


def test_every_option_and_its_ini_key_is_named():
    """As `pytest --help` has them."""
    for name, _, _ in (*pytest_plugin.OPTIONS, *pytest_plugin.POLICY):
        assert f"`--irm-{name.replace('_', '-')}=" in TEXT
        assert f"`irm_{name}`" in TEXT
    assert "`--irm-prune`" in TEXT


def test_every_fixture_and_marker_is_named(folder):
    """All but the assertions that each metric and aggregate has, which are told as one."""
    shown = folder.runpytest_inprocess("--fixtures", "-q").stdout.str()
    fixtures = set(re.findall(r"^(irm_\w+|assert_\w+)\b", shown, re.MULTILINE))
    of_metrics = {f"assert_{name.casefold()}" for name in AGGREGATES}
    from irmetrics_edu.metrics.definition import METRICS

    of_metrics |= {f"assert_{m.kernel.__name__}" for m in METRICS.values()}
    assert set(ASSERTIONS) <= fixtures
    lacking = {name for name in fixtures - of_metrics if f"`{name}`" not in TEXT}
    assert not lacking
    markers = folder.runpytest_inprocess("--markers").stdout.str()
    for name in re.findall(r"^@pytest\.mark\.(irm_\w+)", markers, re.MULTILINE):
        assert f"`{name}" in TEXT


def test_every_key_of_a_file_of_baselines_and_of_a_report_is_named(folder):
    """As they are written."""
    import json

    folder.runpytest_inprocess("-p", "no:cacheprovider", "--irm-update=new", "--irm-report=r.json")
    kept = json.loads((folder.path / "irm_baselines.json").read_text(encoding="utf-8"))
    (entry,) = kept["baselines"].values()
    report = json.loads((folder.path / "r.json").read_text(encoding="utf-8"))
    keys = {*kept, *entry, *report, *(key for r in report["results"] for key in r)}
    assert {key for key in keys if f"`{key}`" not in TEXT} == set()
    for found in (kept, report):
        assert f"`{found['format']}`" in TEXT
