"""Files of earlier versions are read: each folder holds what a version wrote."""

import json
import shutil
from pathlib import Path

import pytest

from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.marking.reviewing import marking_page
from irmetrics_edu.cli import main

FOLDERS = sorted(Path(__file__).parent.glob("samples_*"))
KINDS = {"baselines.json", "report.json", "history.jsonl", "by-hand"}
MEAN = (0.760188 + 1) / 2  # of the nDCG of two queries, as in the files


@pytest.fixture(params=FOLDERS, ids=lambda folder: folder.name)
def folder(request, tmp_path):
    """A copy of what a version wrote."""
    return Path(shutil.copytree(request.param, tmp_path / "samples"))


def test_every_version_left_a_file_of_each_kind(folder):
    """One without a sample would be read by luck."""
    assert {path.name for path in folder.iterdir()} == KINDS


def test_baselines_are_shown(folder, capsys):
    """With the means that they hold."""
    assert main(["baseline", "show", str(folder / "baselines.json")]) == 0
    assert f"{MEAN:.4f}" in capsys.readouterr().out


def test_baselines_may_be_renamed(folder):
    """So they are written, too, and keep the rankings."""
    path = folder / "baselines.json"
    name = "test_search.py::test_search"
    assert main(["baseline", "rename", name, "test_new.py::test_new", "--file", str(path)]) == 0
    held = json.loads(path.read_text(encoding="utf-8"))["baselines"]
    assert held["test_new.py::test_new"]["queries"]["q2"] == [[1.0, 1.0], ["d4", "d1"]]


def test_a_report_is_put_together_with_others(folder, capsys):
    """The command takes it as one of several."""
    out = folder / "all.md"
    assert main(["report", "merge", str(folder / "report.json"), "--to", str(out)]) == 0, (
        capsys.readouterr()
    )
    assert f"{MEAN:.4f}" in out.read_text(encoding="utf-8")


def test_a_history_is_shown(folder, capsys):
    """Each measure with its two entries."""
    assert main(["history", str(folder / "history.jsonl")]) == 0
    assert capsys.readouterr().out.count(f"{MEAN:.4f}") == 2


def test_marks_by_hand_are_read(folder):
    """The points and the comment of the marker."""
    rubric = ByHand("why", "Why it fell", [Criterion("cause", 2), Criterion("evidence", 1.5)])
    [saved] = marking_page.read_saved(folder / "by-hand", {"77-why": rubric})
    assert (saved.marker, saved.marks["77-why"]["a-1"]["points"]) == ("anna", [2, 1.5])
