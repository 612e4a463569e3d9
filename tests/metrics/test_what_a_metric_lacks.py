"""The command that says what a metric lacks names it, and the file to edit."""

import pytest

from dev.tools.generate import FILES
from dev.tools.metric import faults_of_formula, lacks, main, stale, undocumented
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working


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
    assert {
        "dev/tools/vectors/oracles/sets.py", "dev/tools/vectors/more_cases.py",
        "dev/tools/vectors/meanings.toml",
        "irmetrics_edu/diagnosis/conformance/runners/metrics.mjs",
        "docs/changelog.md", "tests/public/interface.txt",
    } <= {file for file, _ in lacks(bare, [])}  # fmt: skip


@pytest.mark.parametrize("name", ["Rprec_mult", "INSQ", "CG", "AUC", "P-IA", "ILAD", "nDCG"])
def test_an_oracle_is_found_where_it_is_registered(name):
    """In whichever file; the vectors are still to be listed."""
    import_all()
    lacking = dict(lacks(METRICS[name], []))
    assert not [file for file in lacking if "oracles" in file]
    assert [file for file in lacking if file.endswith("_cases.py")]


def test_what_is_not_up_to_date_is_said_with_the_command(monkeypatch):
    """Once for all generated files, and the command writes nothing else."""
    monkeypatch.setattr("dev.tools.metric.FILES", dict.fromkeys(("a.md", "b.md"), str))
    ((files, what),) = stale()
    assert files == "2 generated files"
    assert "python -m dev.tools.generate" in what


def test_nothing_is_printed_for_a_metric_that_has_all(capsys, monkeypatch):
    """And the exit code is 0; that generated files are up to date, tests/test_generate.py looks."""
    stub = "irmetrics_edu/__init__.pyi"
    monkeypatch.setattr("dev.tools.metric.FILES", {stub: FILES[stub]})
    assert main(["nDCG"]) == 0
    assert capsys.readouterr().out == ""
