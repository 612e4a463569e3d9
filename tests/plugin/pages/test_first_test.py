"""What the page "A ranking test in ten minutes" promises, beside what it prints."""

from importlib.metadata import entry_points

import pytest

from irmetrics_edu.gate import InconclusiveWarning, assert_no_regression


def test_to_install_it_gives_the_fixture():
    """The plugin is found by its entry point, and has the fixture."""
    [entry] = [one for one in entry_points(group="pytest11") if one.name == "irmetrics-edu"]
    assert entry.module == "irmetrics_edu.pytest_plugin"
    plugin = pytest.importorskip(entry.module)
    assert hasattr(plugin, "irm_assert_ndcg")


def at_rank(rank):
    """A ranking whose only relevant document has this rank."""
    return [*(f"x{i}" for i in range(1, rank)), "a"]


@pytest.mark.parametrize("queries", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("ranks", [(1, 2), (10, 12)], ids=["one falls", "all fall"])
def test_a_gate_over_so_few_warns_and_says_how_many_would_do(queries, ranks):
    """However few they are, and whether one of them falls or all alike, below the hard limit."""
    before, after = ranks
    qrels = {f"q{i}": {"a": 1} for i in range(queries)}
    old = {query: at_rank(before) for query in qrels}
    new = {**old, "q0": at_rank(after)} if before == 1 else {query: at_rank(after) for query in old}
    with pytest.warns(InconclusiveWarning, match=r"can't tell, about \d+ would"):
        assert_no_regression(new, old, qrels, "nDCG@20", max_observed_drop="off")
