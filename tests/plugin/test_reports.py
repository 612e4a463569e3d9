"""Reports: the same measurements as a table, JSON, Markdown and a page, with and without xdist."""

import json
import xml.etree.ElementTree as ET

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu.plugin.page import bars, html_page

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

TESTS = """
import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here
from irmetrics_edu.assertions import assert_no_regression
QRELS = {f"q{i}": {"a": 3, "b": 1} for i in range(8)}
GOOD, BAD = ({q: r for q in QRELS} for r in (["a", "b"], ["x", "y", "b", "a"]))

@pytest.mark.parametrize("which", ["<good>", "|bad|"])
def test_score(assert_ndcg, which):
    assert_ndcg(BAD if "bad" in which else GOOD, QRELS, k=3, at_least=0.5)

def test_gate():
    assert_no_regression(BAD, GOOD, QRELS, "RR", max_drop=0.01)
"""


@pytest.fixture(autouse=True)
def _not_in_ci(monkeypatch):
    """The sessions started here are not in CI."""
    for name in ("CI", "BUILD_NUMBER", "GITHUB_STEP_SUMMARY", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_every_format_says_the_same(pytester, monkeypatch, workers):
    """Three measurements, each in all formats; the step summary of CI is appended to."""
    summary = pytester.path / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    pytester.makepyfile(test_it=TESTS)
    options = [f"--irm-report=out/it.{kind}" for kind in ("json", "md", "html")]
    result = pytester.runpytest_inprocess(workers, "-p", "no:cacheprovider", *options)
    result.assert_outcomes(passed=1, failed=2)
    found = json.loads((pytester.path / "out/it.json").read_text(encoding="utf-8"))["results"]
    assert [(r["verdict"], r["measure"]) for r in found] == [
        ("fail", "RR"),
        ("fail", "nDCG@3"),
        ("pass", "nDCG@3"),
    ]
    assert found[0]["score"] == pytest.approx(1 / 3)
    assert found[0]["differences"]["q0"] == pytest.approx(-2 / 3)
    assert found[0]["bounds"] == {"baseline": 1.0, "max_drop": 0.01}
    assert found[1]["per_query"] == dict.fromkeys([f"q{i}" for i in range(8)], found[1]["score"])
    markdown = (pytester.path / "out/it.md").read_text(encoding="utf-8")
    assert "2 fail, 1 pass" in markdown
    assert markdown.count("\n| ") == 4
    assert r"test_score[\|bad\|]" in markdown
    assert summary.read_text(encoding="utf-8") == "before\n" + markdown
    page = (pytester.path / "out/it.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert "&lt;good&gt;" in page
    assert "<good>" not in page
    for outside in ("http", "src=", "<script", "@import", "url("):
        assert outside not in page
    result.stdout.fnmatch_lines(
        ["* rankings *", "verdict*", "fail*RR*0.3333*baseline 1.0000 - 0.01*"]
    )


def test_the_plots_are_well_formed_and_hold_every_query():
    """One bar a query, for scores as for gains and losses; few bars where queries are many."""
    for values in ({"a": 0.0, "b": 0.0}, {"a": -0.5, "b": 0.25, "c<": 1.0}, {"a": 1.0, "b": 0.5}):
        plot = ET.fromstring(bars(values, [(0.5, "6 4")], "m"))  # noqa: S314 -- our own
        assert len(plot.findall("rect")) == len(values)
    many = {f"q{i}": i / 5000 for i in range(5000)}
    assert 200 <= bars(many, [], "m").count("<rect") <= 400


def test_an_empty_report_is_a_report(pytester):
    """A session that measured nothing, but was asked to report, says so."""
    pytester.makepyfile(test_it="def test_nothing(): pass")
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "--irm-report=it.json").assert_outcomes(
        passed=1
    )
    assert json.loads((pytester.path / "it.json").read_text())["results"] == []
    assert "Nothing was measured." in html_page([], [])


def test_the_table_is_short_and_can_be_left_out(pytester):
    """Ten lines unless -v; none with --irm-table=no, none with -q."""
    pytester.makepyfile(
        test_it="import pytest\n@pytest.mark.parametrize('i', range(15))\n"
        "def test_it(assert_mrr, i):\n    assert_mrr([1, 0], at_least=0.5)\n"
    )
    run = pytester.runpytest_inprocess
    assert run("-p", "no:cacheprovider").stdout.str().count("\npass ") == 10
    run("-p", "no:cacheprovider").stdout.fnmatch_lines(["... and 5 more; -v shows all"])
    assert run("-p", "no:cacheprovider", "-v").stdout.str().count("\npass ") == 15
    for option in ("--irm-table=no", "-q"):
        assert "rankings" not in run("-p", "no:cacheprovider", option).stdout.str()
