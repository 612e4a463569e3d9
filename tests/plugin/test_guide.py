"""The user's guide: it names all there is."""

import re
from pathlib import Path

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu import pytest_plugin
from irmetrics_edu.gate import ASSERTIONS
from irmetrics_edu.metrics.definition import import_all
from irmetrics_edu.runs.aggregation import AGGREGATES
from tests.site import steps

import_all()  # as above: metrics are registered once in a process

pytest_plugins = ["pytester"]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "pytest-plugin.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture
def folder(pytester, monkeypatch):
    """A folder with all files of the page."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    for block in steps.blocks(PAGE):
        if block.way == "file":
            (pytester.path / block.name).write_text(block.text, encoding="utf-8")
    return pytester


def test_every_option_and_its_ini_key_is_named():
    """As `pytest --help` has them."""
    for name, _, _ in (*pytest_plugin.OPTIONS, *pytest_plugin.POLICY):
        assert f"`--irm-{name.replace('_', '-')}=" in TEXT
        assert f"`irm_{name}`" in TEXT
    assert "`--irm-prune`" in TEXT


def test_every_fixture_and_marker_is_named(folder):
    """All but the assertions that each metric and aggregate has, which are told as one."""
    shown = folder.runpytest_inprocess("--fixtures", "-q").stdout.str()
    fixtures = {*re.findall(r"^(irm_\w+|assert_\w+)\b", shown, re.MULTILINE), *ASSERTIONS}
    of_metrics = {f"assert_{name.casefold()}" for name in AGGREGATES}
    from irmetrics_edu.metrics.definition import METRICS

    of_metrics |= {f"assert_{m.kernel.__name__}" for m in METRICS.values()}
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
