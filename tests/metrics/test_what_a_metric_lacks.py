"""The command that says what a metric lacks names it, and the file to edit."""

from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.working import Working
from tools.generate import FILES
from tools.metric import faults_of_formula, lacks, main, undocumented


def bare_kernel(rows: Rows, *, rel: float = 1) -> Working:
    """It has a first line, and no example."""
    return average_precision.measured(rows, rel=rel)


def test_a_bare_metric_lacks_everything():
    """Each check can fail."""
    bare = Metric(bare_kernel, "Bare", formula=r"\unheard", source="somebody")
    words = " ".join(undocumented(bare))
    for said in ("no doctest", "author and year"):
        assert said in words
    words = " ".join(faults_of_formula(bare))
    assert r"leaves out the parameter \rel" in words
    assert r"\unheard in the formula" in words
    files = {file for file, _ in lacks(bare, [])}
    assert {"tools/vectors/oracles/further.py", "tools/vectors/more_cases.py"} <= files


def test_nothing_is_printed_for_a_metric_that_has_all(capsys, monkeypatch):
    """And the exit code is 0; that generated files are up to date, tests/test_generate.py looks."""
    stub = "irmetrics_edu/__init__.pyi"
    monkeypatch.setattr("tools.metric.FILES", {stub: FILES[stub]})
    assert main(["nDCG"]) == 0
    assert capsys.readouterr().out == ""
