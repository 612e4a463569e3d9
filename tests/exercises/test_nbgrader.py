"""The real nbgrader: it takes our source, releases it, and gives the solution full marks."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from dev.tools.exercises import solution, sources
from irmetrics_edu.classroom.exercises.build import write_nbgrader
from irmetrics_edu.classroom.exercises.source import read
from tests.conftest import ROOT

KEY = b"a course key of the tests"
[PATH] = sources(["04"])
SOURCE = read(PATH)
# Right, but for a list that is not cut.
EDGELESS = """
def dcg(grades, k):
    return sum(g / math.log2(i + 1) for i, g in enumerate(grades[: k or 1], start=1))
"""


GRADED = """
import json, sys
from nbgrader.apps.api import NbGraderAPI
from traitlets.config import Config

config = Config()
config.CourseDirectory.course_id = "course"
api = NbGraderAPI(config=config)
for student in sys.argv[2:]:
    done = api.autograde(sys.argv[1], student)
    assert done["success"], done
with api.gradebook as book:
    print(json.dumps([[s["student"], s["score"], s["max_score"]]
                      for s in book.submission_dicts(sys.argv[1])]))
"""


def run(folder, *command):
    """Run a command of Python in a course's folder."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def handed_in(folder, student, released, answers):
    """A student's copy: the released notebook, with answers by the id of the cell."""
    book = nbformat.reads(released, as_version=4)
    for cell in book.cells:
        cell.source = answers.get(cell.id, cell.source)
    target = folder / "submitted" / student / PATH.stem / f"{PATH.stem}.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(book, target)


@pytest.mark.suite("sandbox")
@pytest.mark.slow
def test_nbgrader_releases_and_grades_our_source(tmp_path):
    """The release holds no solution; a solved copy and one solved in part get their marks."""
    (tmp_path / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'course'\n"
    )
    written = write_nbgrader(SOURCE, tmp_path, KEY)
    nbformat.validate(nbformat.read(written, as_version=4))
    run(tmp_path, "-m", "nbgrader", "generate_assignment", PATH.stem)
    released = (tmp_path / "release" / PATH.stem / f"{PATH.stem}.ipynb").read_text()
    assert "BEGIN SOLUTION" not in released
    assert "HIDDEN" not in released
    assert "enumerate(grades[:k]" not in released
    solutions = {c.id: c.source for c in solution(SOURCE).cells}
    handed_in(tmp_path, "solved", released, solutions)
    handed_in(tmp_path, "partly", released, {"04-dcg": EDGELESS})  # the rest is untouched
    rows = json.loads(run(tmp_path, "-c", GRADED, PATH.stem, "solved", "partly"))
    marks = {student: score for student, score, _ in rows}
    # Nbgrader knows no marks above the total: there a bonus is a part of it.
    every = sum(q.marks for q in SOURCE.exercise.every)
    assert {most for *_, most in rows} == {every}
    by_a_person = sum(q.marks for q in SOURCE.exercise.by_hand)
    assert marks["solved"] == every - by_a_person
    assert 0 < marks["partly"] < SOURCE.exercise["dcg"].marks


@pytest.mark.suite("guide")
@pytest.mark.slow
def test_every_cell_is_marked_and_points_are_the_marks(tmp_path):
    """Solutions can be written in, tests are locked and worth the question's marks."""
    for path in sources(["01", "04", "09", "10"]):  # without what a person marks, and with it
        source = read(path)
        book = json.loads(write_nbgrader(source, tmp_path, KEY).read_text(encoding="utf-8"))
        marked = [cell["metadata"]["nbgrader"] for cell in book["cells"]]
        ids = [m["grade_id"] for m in marked]
        assert len(set(ids)) == len(ids)
        assert sum(m.get("points", 0) for m in marked) == sum(
            q.marks for q in source.exercise.every
        )
        assert {m["locked"] for m in marked if m["solution"]} == {False}
        # What a person marks is graded in the cell of the answer itself.
        assert {m["locked"] for m in marked if m["grade"] and not m["solution"]} == {True}
        by_hand = [m["grade_id"] for m in marked if m["grade"] and m["solution"]]
        assert len(by_hand) == len(source.exercise.by_hand)
