"""The command that says what a metric lacks names it, and the file to edit."""

import re

import pytest

from dev.tools.generate import FILES
from dev.tools.metric import (
    OVER_THE_REGISTRY,
    ROOT,
    TABLES,
    faults_of_formula,
    lacks,
    main,
    nearest_oracles,
    stale,
    undocumented,
)
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
    assert {"docs/changelog.md", "tests/public/interface.txt"} <= {f for f, _ in lacks(bare, [])}
    assert len([f for f, _ in lacks(bare, []) if f.startswith("dev/tools/vectors/oracles/")]) == 1


@pytest.mark.parametrize("name", ["Rprec_mult", "INSQ", "CG", "AUC", "P-IA", "ILAD", "nDCG"])
def test_an_oracle_is_found_where_it_is_registered(name):
    """In whichever file; only the vectors of lists are still to be listed by hand."""
    import_all()
    lacking = dict(lacks(METRICS[name], []))
    assert not [file for file in lacking if "oracles" in file]
    listed = [file for file in lacking if file.endswith("_cases.py")]
    assert bool(listed) is METRICS[name].inputs.name.startswith("recommended")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.file} {table.table}")
def test_a_neighbour_is_sent_to_the_same_table(table):
    """A measure that would stand just behind another goes where the oracle of that one is.

    Unless the next one is as near, and its oracle is elsewhere.
    """
    import_all()
    for name in table.measures:
        assert nearest_oracles(METRICS[name]) == table, name


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
    assert main(["nDCG", "--no-tests"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.slow
@pytest.mark.suite("guide")
def test_the_tests_over_all_measures_come_last(capsys, monkeypatch, tmp_path):
    """They run if nothing is missing; what fails is printed, and the exit code is theirs."""
    stub = "irmetrics_edu/__init__.pyi"
    monkeypatch.setattr("dev.tools.metric.FILES", {stub: FILES[stub]})
    test = tmp_path / "test_one.py"
    test.write_text("def test_one():\n    assert 1 == 1\n", encoding="utf-8")
    monkeypatch.setattr("dev.tools.metric.OVER_THE_REGISTRY", (str(test),))
    assert main(["nDCG"]) == 0
    assert capsys.readouterr().out == ""
    test.write_text("def test_one():\n    assert 1 == 2\n", encoding="utf-8")
    assert main(["nDCG"]) == 1
    assert "1 failed" in capsys.readouterr().out


def test_no_test_over_all_measures_is_left_out():
    """A test that goes over the registry, and is not slow, is among those that are run."""
    over = re.compile(r"\bMETRICS\.(values|items)\(\)|\b(list|set|len)\(METRICS\)")
    listed = [ROOT / path for path in OVER_THE_REGISTRY]
    left_out = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("test_*.py")
        if over.search(path.read_text("utf-8"))
        and not any(path == one or one in path.parents for one in listed)
    }
    assert left_out == {
        "tests/conventions/test_ways.py",  # of options, whatever measure has them
        "tests/distributed/test_dask.py",  # needs Dask
        "tests/site/test_letters.py",  # of formulas on the site, which stop its build, too
        "tests/site/test_site.py",  # builds the site, in a suite of its own
    }
    assert all(path.exists() for path in listed)
