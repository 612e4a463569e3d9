"""Who has only the wheel writes an exercise of each kind from the page alone, and grades it."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.build import build_wheel

from tests.grading.conftest import holds

pytestmark = [
    pytest.mark.slow,
    pytest.mark.suite("guide"),
    pytest.mark.skipif(bool(holds("namespaces")), reason="the system allows no namespaces"),
]

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
# A list whose numbers count one by one, and a bonus: the kinds of which the page has the fields.
LIST = '''# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import Exercise, Question


def five(rng):
    """Five grades."""
    return {"grades": [rng.choice([0, 1, 2, 3]) for _ in range(5)]}


spec = Exercise(
    "23",
    "A list",
    [
        Question(
            "gains",
            "dcg.working(grades)['discounted gain']",
            five,
            partly=True,
            mistakes=["natural-logarithm"],
            column="discounted gain",
        ),
        Question("best", "max(grades)", five, bonus=True, marks=1, edges=[{"grades": [0]}]),
    ],
)

# %% tags=["setup"]
import math

from irmetrics_edu.classroom.exercises import begin, check, hint


# %% tags=["gains"]
def gains(grades):
    """The discounted gain of each rank."""
    ### BEGIN SOLUTION
    return [g / math.log2(i + 1) for i, g in enumerate(grades, 1)]
    ### END SOLUTION


# %% tags=["best"]
def best(grades):
    """The best grade."""
    ### BEGIN SOLUTION
    return max(grades)
    ### END SOLUTION
'''


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the wheel's files alone, from which the package is imported."""
    folder = tmp_path_factory.mktemp("wheel")
    before = Path.cwd()
    os.chdir(ROOT)  # the build interface takes the project from the working folder
    try:
        name = build_wheel(str(folder))
    finally:
        os.chdir(before)
    with zipfile.ZipFile(folder / name) as wheel:
        wheel.extractall(folder / "packages")
    return folder / "packages"


def solutions_of(text):
    """The answers of a source, by the id of their cell in a copy."""
    number = re.search(r'Exercise\(\s*"(\d\d)"', text)[1]
    found = {}
    for tag, cell in re.findall(r'# %%[^\n]*tags=\["(\w+)"\]\n(.*?)(?=\n# %%|\Z)', text, re.DOTALL):
        if "BEGIN SOLUTION" in cell:
            lines = [line for line in cell.split("\n") if "SOLUTION" not in line]
            found[f"{number}-{tag}"] = "\n".join(lines)
    return found


def fill_in(path, answers):
    """Write the answers into a copy."""
    book = json.loads(path.read_text(encoding="utf-8"))
    for cell in book["cells"]:
        text = answers.get(cell["id"], cell["source"])
        if cell["cell_type"] == "markdown":
            text = re.sub(r"^# ?", "", text, flags=re.MULTILINE)
        cell["source"] = text
    path.write_text(json.dumps(book), encoding="utf-8")


def marks_in(path):
    """The marks that are known, by student and column."""
    names, *rows = [line.split(",") for line in path.read_text("utf-8-sig").splitlines()]
    found = {}
    for row in rows:
        cells = dict(zip(names, row, strict=True))
        for column in ("20 dcg", "20 why", "21 total", "23 gains", "23 best"):
            if cells[column]:
                found[cells["student"], column] = cells[column]
    return found


def test_an_exercise_of_each_kind_is_written_handed_out_and_graded(installed, tmp_path):
    """A function, a value, a list, and free text, which waits for the teacher."""
    (tmp_path / "own").mkdir()
    texts = dict(re.findall(r"```python \w+/(\w+\.py)\n(.*?)```", PAGE, re.DOTALL))
    texts["23_list.py"] = LIST
    assert set(texts) == {"20_first.py", "21_total.py", "23_list.py"}
    for name, text in texts.items():
        (tmp_path / "own" / name).write_text(text, encoding="utf-8")
    (tmp_path / "key").write_text("a key of the course, long enough\n")
    (tmp_path / "roster.csv").write_text("student\nAnn\nJo\n")

    def command(*words):
        environment = {**os.environ, "PYTHONPATH": str(installed)}
        done = subprocess.run(
            [sys.executable, "-m", "irmetrics_edu", *words],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout + done.stderr

    place = ["-c", "import irmetrics_edu as i; print(i.__file__)"]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    found = subprocess.run(
        [sys.executable, *place], env=environment, cwd=tmp_path, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert found.stdout.startswith(str(installed))
    fixed = ["--sources", "own", "--key", "key", "--roster", "roster.csv"]
    assert command("exercises", *fixed, "--out", "copies").count("wrote") == 6
    answers = {}
    for text in texts.values():
        answers |= solutions_of(text)
    assert set(answers) >= {"20-dcg", "20-why", "21-total", "23-gains", "23-best"}
    for name in texts:
        fill_in(tmp_path / "copies" / "Ann" / f"{name[:-3]}.ipynb", answers)
    said = command("grade", "copies", *fixed, "--out", "marks")
    assert "Ann, exercise 20: to be marked by hand" in said
    marks = marks_in(tmp_path / "marks" / "marks.csv")
    for column, wanted in (("20 dcg", "4"), ("21 total", "2"), ("23 gains", "2"), ("23 best", "1")):
        assert marks["Ann", column] == wanted
        assert marks["Jo", column] == "0"
    assert ("Ann", "20 why") not in marks
