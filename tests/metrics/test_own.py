"""A metric of one's own, outside the package, is taken wherever one of the package's is."""

from pathlib import Path

import pytest

import irmetrics_edu
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import ALIASES, METRICS, import_all
from tests.site import steps

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


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of the user's with the module of the page."""
    (module,) = (b for b in steps.blocks(PAGE) if b.name == "our_metrics.py")
    (tmp_path / module.name).write_text(module.text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


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


@pytest.mark.parametrize("change", ["grade", "document", "top", "ideal"])
def test_no_other_measure_sees_what_a_kernel_changes(change):
    """A column refuses it; lists, first ranks and ideals are the kernel's own."""

    @irmetrics_edu.metric("Careless")
    def careless(rows, k=None):
        """A careless measure writes into the rows that it was given."""
        if change == "document":
            (rows.document or []).clear()
        else:
            held = {"grade": rows, "top": rows.top(k), "ideal": rows.ideal()}[change]
            held.grade[...] = 0
        return irmetrics_edu.Working(rows.total(rows.grade))

    run = {"q": {"a": 3, "b": 2, "c": 1}, "r": {"b": 1, "a": 0}}
    qrels = {"q": {"a": 1, "c": 2}, "r": {"a": 1, "c": 3}}
    alone = irmetrics_edu.evaluate(run, qrels, "nDCG@1 nDCG").mean
    rows = irmetrics_edu.ndcg.align(["a", "b", "c"], {"a": 1, "c": 2})
    before = irmetrics_edu.ndcg.measured(rows, 1).value
    if change in ("grade", "top"):  # the first ranks of one query are a part of its column
        with pytest.raises(ValueError, match="read-only"):
            careless.measured(rows, 1)
    if change == "grade":
        return
    assert irmetrics_edu.ndcg.measured(rows, 1).value == before
    both = irmetrics_edu.evaluate(run, qrels, f"{careless.name}@1 nDCG@1 nDCG").mean
    assert {name: both[name] for name in alone} == alone


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
