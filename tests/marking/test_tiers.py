"""No silent downgrade: what can't be shut in is not run, and the footer tells what ran."""

import pytest

from irmetrics_edu.classroom.grading import sandbox, tiers
from irmetrics_edu.classroom.marking.running import run_cells


@pytest.fixture
def no_namespaces(monkeypatch):
    """A machine that allows none; the tests may run as root, for whom `plain` is refused."""
    real = sandbox._trial

    def trial(tier):
        return "unshare: Operation not permitted" if tier.name == "namespaces" else real(tier)

    monkeypatch.setattr(sandbox, "_trial", trial)
    monkeypatch.setattr(tiers, "is_root", lambda: False)


@pytest.mark.usefixtures("no_namespaces")
def test_without_namespaces_nothing_runs(a_class, monkeypatch, capsys):
    """One message, no result, and what to do; chosen by name, the weaker tier runs and is told."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    asked = []
    real = run_cells.run_question

    def noted(*given, **options):
        asked.append(1)
        return real(*given, **options)

    monkeypatch.setattr(run_cells, "run_question", noted)
    assert a_class.grade() == 2
    said = capsys.readouterr().err
    assert "unshare: Operation not permitted" in said
    assert "choose --tier plain (not secure" in said
    assert not asked
    assert not a_class.out.exists()
    assert a_class.grade("--tier", "plain") == 0
    assert a_class.marks("ann/77_two.ipynb") == [1, 4]
    assert "not secure: a plain process" in capsys.readouterr().out
    assert b"not a secure sandbox" in a_class.written()["report.html"]


@pytest.mark.usefixtures("no_namespaces")
def test_a_tier_that_can_not_be_had_fails_once(a_class, capsys):
    """Asked for by name, before anything runs: not once for each student."""
    for name in ("ann", "ben"):
        a_class.hand_in(f"{name}/77_two.ipynb", a_class.copy(name))
    assert a_class.grade("--tier", "namespaces") == 2
    assert capsys.readouterr().err.count("does not work here") == 1
    assert not a_class.out.exists()


def test_plain_is_refused_for_root(a_class, monkeypatch, capsys):
    """Students' code never runs as root."""
    monkeypatch.setattr(tiers, "is_root", lambda: True)
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    assert a_class.grade("--tier", "plain") == 2
    assert "as root" in capsys.readouterr().err
