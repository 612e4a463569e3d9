"""The real Otter-Grader takes our test files: `python -m tests.exercises.otter OTTER`, its command.

Otter and this package stand in one environment, apart from the tools. A solved copy gets all marks,
one whose DCG is wrong at its edges some of them, and one as it was handed out none.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from dev.tools.exercises import solution, sources
from irmetrics_edu.classroom.exercises.build import as_text, write_otter
from irmetrics_edu.classroom.exercises.source import read
from tests.exercises.test_nbgrader import EDGELESS, KEY

[PATH] = sources(["04"])


def otter(program: str, folder: Path, *words: str) -> None:
    """Run a command of Otter's in a folder; what it says is shown if it fails."""
    path = f"{Path(program).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [program, *words], cwd=folder, text=True, capture_output=True, check=False,
        env={**os.environ, "PATH": path, "JUPYTER_PREFER_ENV_PATH": "1"},
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)


def scores(program: str, folder: Path, text: str) -> dict[str, float]:
    """What Otter gives a notebook, by question."""
    (folder / "handed_in.ipynb").write_text(text, encoding="utf-8")
    otter(program, folder, "run", "-a", "autograder.zip", "-o", ".", "handed_in.ipynb")
    found = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return {t["name"].split()[0]: t["score"] for t in found["tests"] if "score" in t}


def main(program: str) -> None:
    """Let Otter grade three copies."""
    source = read(PATH)
    wanted = {q.name: q.marks for q in source.exercise.questions}
    with tempfile.TemporaryDirectory() as made:
        copy, *_ = write_otter(source, Path(made), KEY)
        folder = copy.parent
        alone = ("--no-config", "--no-requirements", "--no-environment")
        otter(program, folder, "generate", "-t", "tests", "-o", "autograder.zip", *alone)
        solved = solution(source)
        assert scores(program, folder, as_text(solved)) == wanted
        for cell in solved.cells:
            cell.source = EDGELESS if cell.id == "04-dcg" else cell.source
        partly = scores(program, folder, nbformat.writes(solved))
        # Four fifths of two marks, in steps of a half; what is right beside it keeps its marks.
        assert partly["dcg"] == 1.5
        assert partly["swap"] == wanted["swap"]
        assert set(scores(program, folder, copy.read_text(encoding="utf-8")).values()) == {0}
    sys.stdout.write(f"Otter graded exercise 04: {wanted}\n")


if __name__ == "__main__":
    main(sys.argv[1])
