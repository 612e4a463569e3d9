"""What is of one system, simulated: the branches for Windows, and for one without alarms."""

import os
import sys
import threading
import types
from pathlib import Path

import pytest

from irmetrics_edu import writing
from irmetrics_edu.classroom.exercises import checking
from irmetrics_edu.classroom.grading.sandbox import tier_for
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import output


@pytest.fixture
def windows(monkeypatch):
    """A module msvcrt that counts its locks, and a file that can't be renamed while it is open."""
    held = []
    msvcrt = types.ModuleType("msvcrt")
    msvcrt.LK_LOCK = 1
    msvcrt.locking = lambda handle, mode, size: held.append((os.fstat(handle).st_ino, mode, size))
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(sys, "platform", "win32")
    replace = Path.replace

    def refused_while_open(self, target):
        if self.resolve() in {fd.resolve() for fd in Path("/proc/self/fd").iterdir()}:
            raise PermissionError(13, "The process cannot access the file", str(self))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refused_while_open)
    return held


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="it asks Linux which files are open")
@pytest.mark.usefixtures("windows")
def test_a_file_is_replaced_once_it_is_closed(tmp_path):
    """Windows renames no open file; nothing is left beside it."""
    for text in ("one", "two"):
        writing.write(tmp_path / "a.txt", text)
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "two"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_lock_is_a_file_beside_that_goes(windows, tmp_path):
    """A folder can't be opened there, so a file beside is locked as long as it is needed."""
    with writing.locked(tmp_path / "a.json"):
        assert (tmp_path / ".a.json.lock").exists()
        assert [entry[1:] for entry in windows] == [(1, 1)]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("windows")
def test_a_lock_goes_when_the_work_fails(tmp_path):
    """The next process is not held off."""
    with pytest.raises(ZeroDivisionError), writing.locked(tmp_path / "a.json"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_an_endless_answer_is_stopped_without_alarms(monkeypatch):
    """Windows has no SIGALRM: the answer runs in a thread, and its time is as limited."""
    monkeypatch.delattr(checking.signal, "SIGALRM", raising=False)
    monkeypatch.setattr(checking, "SECONDS", 0.2)
    go_on = threading.Event()
    with pytest.raises(checking._TooLong):
        checking._within(go_on.wait, (30,))
    go_on.set()
    assert checking._within(lambda: 5, ()) == 5


def test_a_command_ends_where_signals_are_missing(monkeypatch, capsys):
    """Windows has no SIGHUP, and the command prints as elsewhere."""
    monkeypatch.delattr(output.signal, "SIGHUP", raising=False)
    assert output.ended("test", lambda: output.put("done") or 0) == 0
    assert capsys.readouterr().out == "done\n"


@pytest.mark.parametrize("asked", ["", "plain"])
def test_no_students_code_runs_without_a_fork(monkeypatch, asked):
    """Windows has none, and so no limits: no tier works there, and the message says where to."""
    monkeypatch.delattr(os, "fork")
    with pytest.raises(InputError, match="no fork; grade in a virtual machine or a container"):
        tier_for(asked)
