"""A metric of one's own, outside the package, is taken wherever one of the package's is."""

import doctest
import os
import subprocess
import sys
from pathlib import Path

import pytest

import irmetrics_edu
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import ALIASES, METRICS, import_all

PAGE = Path(__file__).resolve().parents[2] / "docs" / "own-metrics.md"


@pytest.fixture(autouse=True)
def registry():
    """What is entered in the registry during a test is gone after it."""
    import_all()
    before = dict(METRICS), dict(ALIASES)
    yield
    for table, held in zip((METRICS, ALIASES), before, strict=True):
        table.clear()
        table.update(held)


def code_of_page():
    """The code that the page says to put into `our_metrics.py`."""
    examples = doctest.DocTestParser().get_examples(PAGE.read_text(encoding="utf-8"))
    return "".join(example.source for example in examples[:2])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of the user's with the module of the page and two small TREC files."""
    (tmp_path / "our_metrics.py").write_text(code_of_page(), encoding="utf-8")
    (tmp_path / "QRELS").write_text("q1 0 b 1\nq1 0 c 1\n", encoding="utf-8")
    (tmp_path / "RUN").write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def python(*arguments):
    """What a fresh interpreter prints, in the current folder."""
    home = str(Path(irmetrics_edu.__file__).parents[1])
    result = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": home, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_the_page_is_true():
    """Every example of the page gives what the page shows, and every command runs."""
    assert python("-m", "doctest", str(PAGE)) == ""
    commands = [
        line.split()
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("    irmetrics-edu ")
    ]
    assert len(commands) == 3
    shown = [python("-m", "irmetrics_edu", *command[1:]) for command in commands]
    assert shown[0].startswith("Decay@2 = found / R = 0.5000 / 2 = 0.2500")
    assert "Decay@2  0.2500" in shown[1]
    assert r"i \le k" in shown[2]


@pytest.mark.usefixtures("folder")
def test_many_queries_and_rows_left_out_make_no_difference():
    """The two rules of the page hold for its own kernel."""
    decay = irmetrics_edu.parse("our_metrics:decay")
    one, other = decay.align(["a", "b"], {"b": 1, "c": 1}), decay.align([0, 1, 1])
    together = decay.measured(type(one).joined([one, other]), None)
    assert together.score.tolist() == [0.25, 0.375]
    assert decay.measured(one.where(one.judged), None).score.tolist() == [0.25]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("our_metrics:dekay", "our_metrics has no metric 'dekay'"),
        ("our_metric:decay", "the module 'our_metric' can't be imported"),
        ("our_metrics:Working", "our_metrics has no metric 'Working'"),
    ],
)
def test_what_is_not_there_is_said(name, said, capsys):
    """The command line names the module and the name."""
    assert main(["explain", name, "--relevance", "0,1"]) == 2
    assert said in capsys.readouterr().err


def test_a_cell_may_be_run_again_and_a_taken_name_is_refused():
    """A definition takes its own place; it takes nobody else's, nor an alias."""

    def define(name):
        @irmetrics_edu.metric(name)
        def half_share(rows):
            """Half of the recall is no measure that anybody needs."""
            found = rows.total(rows.relevance())
            return irmetrics_edu.Working(rows.ratio(found, 2 * rows.relevant()))

        return half_share

    define("Half")
    assert define("Half")([1, 0]) == 0.5
    assert str(irmetrics_edu.explain(METRICS["Half"], [1, 0])).startswith("Half = 0.5000")
    for taken in ("nDCG", "ndcg_cut", "average_precision"):
        with pytest.raises(InputError, match=f"two metrics are named {taken}"):
            define(taken)
