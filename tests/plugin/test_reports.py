"""Reports: the same measurements as a table, JSON, Markdown and a page, with and without xdist."""

import json
import re
import xml.etree.ElementTree as ET

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu.gate.plugin import report_files, session_report
from irmetrics_edu.gate.plugin.report_files import bars, html_page
from irmetrics_edu.metrics.definition import import_all

import_all()  # as above: metrics are registered once in a process

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

TESTS = """
import pytest
from irmetrics_edu.gate import assert_no_regression
QRELS = {f"q{i}": {"a": 3, "b": 1} for i in range(8)}
GOOD, BAD = ({q: r for q in QRELS} for r in (["a", "b"], ["x", "y", "b", "a"]))

@pytest.mark.parametrize("which", ["<good>", "|bad|"])
def test_score(assert_ndcg, which):
    assert_ndcg(BAD if "bad" in which else GOOD, QRELS, k=3, at_least=0.5)

def test_gate():
    assert_no_regression(BAD, GOOD, QRELS, "RR", margin=0.01)
"""


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n2", marks=pytest.mark.suite("guide"))])
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
    assert found[0]["bounds"] == {"baseline": 1.0, "margin": 0.01}
    assert found[1]["per_query"] == dict.fromkeys([f"q{i}" for i in range(8)], found[1]["score"])
    markdown = (pytester.path / "out/it.md").read_text(encoding="utf-8")
    assert "2 fail, 1 pass" in markdown
    assert markdown.count("\n| ") == 4
    assert r"test_score\[\|bad\|\]" in markdown
    assert summary.read_text(encoding="utf-8") == "before\n" + markdown
    page = (pytester.path / "out/it.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert "&lt;good&gt;" in page
    assert "<good>" not in page
    for outside in ("http", "src=", "@import", "url("):
        assert outside not in page.replace("http-equiv", "")
    result.stdout.fnmatch_lines(
        ["* rankings *", "verdict*", "fail*RR*0.3333*baseline 1.0000 - 0.01*"]
    )


REPORTS = ((), ("--irm-report=r.html",), ("--irm-report=r.json",), ("--irm-report=r.md",))


@pytest.mark.parametrize("reports", [*REPORTS, [one for kind in REPORTS for one in kind]])
@pytest.mark.parametrize("shown", ["--irm-table=no", "-q"])
def test_the_page_of_a_run_in_ci_has_its_table_whatever_reports_there_are(
    pytester, monkeypatch, reports, shown
):
    """Once, with the explanation of the failure, and after what other steps wrote."""
    summary = pytester.path / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    pytester.makepyfile(test_it=TESTS)
    pytester.runpytest_inprocess("-p", "no:cacheprovider", shown, *reports)
    said = summary.read_text(encoding="utf-8")
    assert said.startswith("before\n### Rankings\n\n2 fail, 1 pass\n")
    assert said.count("### Rankings\n") == 1
    assert "RR fell by 0.6667 > 0.0100" in said


def test_a_summary_that_is_too_long_says_where_it_was_cut(pytester, monkeypatch):
    """GitHub refuses more than 1 MiB, and then shows nothing."""
    summary = pytester.path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    one = {"test": "t.py::t", "measure": "RR", "score": 0.5, "verdict": "fail", "bounds": {}}
    explanation = "ü" * 90 + "\n"
    one |= {"queries": 1, "per_query": {}, "explanation": explanation * 10_000}
    report_files.add_to_summary([one], [])
    said = summary.read_text(encoding="utf-8")
    assert 990_000 < len(said.encode()) < 2**20
    assert re.search(r"\*\*Cut here\*\*: [\d,]+ more lines do not fit", said)
    whole = session_report.markdown([one]).count("\n")
    cut = int(re.search(r"here\*\*: ([\d,]+) ", said)[1].replace(",", ""))
    assert said.count("\n") - 2 + cut == whole


ORDERS = """
import pytest
from irmetrics_edu.gate import assert_improves, assert_ranks_above

QRELS = {f"q{i}": {"a": 3, "b": 1} for i in range(8)}
OLD, NEW = ({q: r for q in QRELS} for r in (["x", "a", "b"], ["a", "b"]))

def test_above():
    assert_ranks_above(["<d7>", "d1", "d3"], "d3", "<d7>")

def test_not_retrieved():
    assert_ranks_above(["d7"], "d3", "d7")

def test_better():
    assert_improves(NEW, OLD, QRELS, "RR", by=0.1)

@pytest.mark.irm_hint
class TestHint:
    def test_above(self):
        assert_ranks_above(["d7", "d1", "hidden"], "hidden", "d7")

    def test_gate(self, assert_no_regression):
        assert_no_regression(OLD, NEW, QRELS, "RR", margin=0.0123)
"""


def test_orders_improvements_and_hints_are_reported(pytester):
    """A document's rank is shown as a rank, a gain asked for with a plus, a hint without either."""
    pytester.makepyfile(test_it=ORDERS)
    options = [f"--irm-report=it.{kind}" for kind in ("json", "md", "html")]
    result = pytester.runpytest_inprocess(
        "-p", "no:cacheprovider", "--tb=no", "--junitxml=junit.xml", *options
    )
    result.assert_outcomes(passed=1, failed=4)
    result.stdout.fnmatch_lines(
        [
            "fail*order of two documents*-*-*1*TestHint::test_above",
            "fail*RR*0.5000*-*8*TestHint::test_gate",
            "fail*rank of d3*3*above <d7>, rank 1*1*test_above",
            "fail*rank of d3*-*above d7, rank 1*1*test_not_retrieved",
            "pass*RR*1.0000*baseline 0.5000 + 0.1*8*test_better",
        ]
    )
    text = (pytester.path / "it.json").read_text(encoding="utf-8")
    assert [(r["score"], r["bounds"]) for r in json.loads(text)["results"]] == [
        (None, {}),
        (0.5, {}),
        (3, {"above": "<d7>", "which_has_rank": 1}),
        (None, {"above": "d7", "which_has_rank": 1}),
        (1.0, {"baseline": 0.5, "by": 0.1}),
    ]
    page = (pytester.path / "it.html").read_text(encoding="utf-8")
    assert "above &lt;d7&gt;" in page
    assert "<d7>" not in page
    shown = [page, text, (pytester.path / "it.md").read_text(encoding="utf-8")]
    shown += [(pytester.path / "junit.xml").read_text(encoding="utf-8").partition("<failure")[0]]
    for one in [*shown, *result.outlines]:
        assert "hidden" not in one
        assert "0.0123" not in one


def test_a_failure_that_is_expected_is_told_apart(pytester):
    """A suite that is green reports no failure, though assertions failed where they should."""
    pytester.makepyfile(
        test_it="import pytest\n"
        "def test_raises(assert_mrr):\n"
        "    with pytest.raises(AssertionError):\n"
        "        assert_mrr([0, 1], at_least=0.9)\n"
        "@pytest.mark.xfail(strict=True)\n"
        "def test_marked(assert_mrr):\n    assert_mrr([0, 1], at_least=0.9)\n"
        "def test_fails(assert_mrr):\n    assert_mrr([0, 1], at_least=0.9)\n"
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--irm-report=it.md")
    result.assert_outcomes(passed=1, xfailed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["fail *MRR*test_fails", "xfail *MRR*test_marked", "xfail *MRR*test_raises"]
    )
    assert "1 fail, 2 xfail" in (pytester.path / "it.md").read_text(encoding="utf-8")


def test_the_plots_are_well_formed_and_hold_every_query():
    """One bar a query, for scores as for gains and losses; few bars where queries are many."""
    for values in ({"a": 0.0, "b": 0.0}, {"a": -0.5, "b": 0.25, "c<": 1.0}, {"a": 1.0, "b": 0.5}):
        plot = ET.fromstring(bars(values, "m"))  # noqa: S314 -- our own
        assert len(plot.findall("rect")) == len(values)
    many = {f"q{i}": i / 5000 for i in range(5000)}
    assert 200 <= bars(many, "m").count("<rect") <= 400


def test_a_report_over_nan_says_which_queries_have_no_bar():
    """Where no query has a score nothing is drawn; where some have, the others are counted."""
    result = {"verdict": "fail", "measure": "nDCG", "score": None, "bounds": {"at_least": 0.5}}
    result |= {"queries": 3, "test": "test_it"}
    none = html_page([{**result, "per_query": dict.fromkeys("abc")}], [])
    assert "3 of 3 queries have no score" in none
    assert "<svg" not in none
    some = html_page([{**result, "per_query": {"a": None, "b": 0.25, "c": 0.5}}], [])
    assert "1 of 3 queries have no score" in some
    assert some.count("<rect") == 2


def test_an_empty_report_is_a_report(pytester):
    """A session that measured nothing, but was asked to report, says so."""
    pytester.makepyfile(test_it="def test_nothing(): pass")
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "--irm-report=it.json").assert_outcomes(
        passed=1
    )
    assert json.loads((pytester.path / "it.json").read_text())["results"] == []
    assert "Nothing was measured." in html_page([], [])


def test_the_table_is_short_and_can_be_left_out(pytester):
    """Ten lines unless -v; none with --irm-table=no, none with -q unless asked for."""
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
    asked = run("-p", "no:cacheprovider", "-q", "--irm-table=yes").stdout.str()
    assert asked.count("\npass ") == 10


def test_a_report_that_cannot_be_written_is_told_at_the_end(pytester):
    """The session ends as it would have, in a sentence; its exit code says that it is not whole."""
    (pytester.path / "a.json").mkdir()
    pytester.makepyfile(test_it="def test_it(assert_mrr):\n    assert_mrr([1], at_least=1)\n")
    got = pytester.runpytest_inprocess("--irm-report=a.json", "--irm-report=b.md", "-Wdefault")
    got.stdout.fnmatch_lines(["error: can't write a.json: it is a folder; give the name of a file"])
    got.assert_outcomes(passed=1)
    assert got.ret == pytest.ExitCode.USAGE_ERROR
    assert "1 pass" in (pytester.path / "b.md").read_text(encoding="utf-8")


def test_a_warning_while_reporting_ends_no_session(pytester):
    """Under -W error, what a library warns of while we report is shown; the verdict stands."""
    pytester.makeconftest(
        "import warnings\n"
        "from irmetrics_edu.gate import verdict\n"
        "known = verdict.queries_needed\n"
        "def noisy(*args, **options):\n"
        "    warnings.warn('a library is old', RuntimeWarning)\n"
        "    return known(*args, **options)\n"
        "verdict.queries_needed = noisy\n"
    )
    pytester.makepyfile(
        test_it="from irmetrics_edu.gate import assert_improves\n"
        "QRELS = {f'q{i}': {'r': 1} for i in range(12)}\n"
        "OLD = {q: ['r'] for q in QRELS}\n"
        "NEW = {q: ['x', 'r'] for q in QRELS}\n"
        "def test_it():\n"
        "    assert_improves(NEW, OLD, QRELS, 'RR', by=0.01, reveal='hint')\n"
    )
    result = pytester.runpytest_subprocess("-W", "error", "-p", "no:cacheprovider")
    result.assert_outcomes(failed=1, warnings=1)
    result.stdout.fnmatch_lines(["*RR 0.5000 is no improvement*", "*a library is old"])
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()


def test_the_whole_text_of_a_query_that_lost_stands_on_the_page(pytester):
    """A terminal shortens it; a page has room, and nothing in the text is markup there."""
    pytester.makepyfile(
        test_it="""
        from irmetrics_edu.gate import assert_no_regression
        QRELS = {f"q{i}": {"a": 1} for i in range(9)}
        LONG = "a question of <b>more</b> than forty letters, to the very last of its letters"
        TEXTS = {**dict.fromkeys(QRELS, "short"), "q7": LONG}
        def test_it():
            run = {q: ["b", "a"] if q == "q7" else ["a"] for q in QRELS}
            old = {q: ["a"] for q in QRELS}
            assert_no_regression(run, old, QRELS, "RR", policy="strict", queries=TEXTS)
        """
    )
    pytester.runpytest_inprocess(
        "-p", "no:cacheprovider", "--irm-report=r.json", "--irm-report=r.html"
    ).assert_outcomes(failed=1)
    whole = "a question of <b>more</b> than forty letters, to the very last of its letters"
    (result,) = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))["results"]
    assert "texts" not in result  # its keys are promised, and whoever reads it has the texts
    page = (pytester.path / "r.html").read_text(encoding="utf-8")
    assert whole.replace("<", "&lt;").replace(">", "&gt;") in page


MARKDOWN = """
import pytest
from irmetrics_edu.gate import assert_ndcg
QRELS = {"q": {"a": 1}}

def test_good():
    assert_ndcg({"q": ["a"]}, QRELS, k=3, at_least=0.5)

def test_bad():
    assert_ndcg({"q": ["x", "a"]}, QRELS, k=3, at_least=0.9)
"""


def test_a_page_of_markdown_has_a_section_for_what_is_explained_alone(pytester):
    """A title stands above each explanation, and nothing else has a title."""
    pytester.makepyfile(test_it=MARKDOWN)
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "--irm-report=it.md")
    lines = (pytester.path / "it.md").read_text(encoding="utf-8").splitlines()
    titles = [line for line in lines if line.startswith("#### ")]
    assert len(titles) == 1
    assert titles[0].startswith("#### fail: nDCG@3, ")
    after = lines[lines.index(titles[0]) + 1 :]
    assert after[0] == ""
    explained = [line for line in after if line.startswith("    ")]
    assert explained
    assert not [line for line in lines[: lines.index(titles[0])] if line.startswith("    ")]
    assert "nDCG@3" in "".join(explained)
