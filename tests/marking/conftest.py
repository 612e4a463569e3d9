"""A small exercise of two questions, and a class that hands it in."""

import html
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from dev.tools.exercises import solution
from irmetrics_edu.classroom.exercises.build import as_text, notebook
from irmetrics_edu.classroom.exercises.source import ExerciseSource, read
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant
from irmetrics_edu.cli import main

KEY = b"a key of the course, long enough"

SOURCE = '''
# %% [markdown]
# # Exercise 77. Two questions

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import Exercise, Question, Wrong


def some(rng):
    """Grades and a cut-off within them."""
    return {"grades": [rng.choice([0, 1, 2, 3]) for _ in range(6)], "k": rng.randint(2, 4)}


def alone(rng):
    """Grades alone."""
    return {"grades": [rng.choice([1, 2, 3, 5, 7]) for _ in range(5)]}


spec = Exercise(
    "77",
    "Two questions",
    [
        Question("total", "cg(grades)", alone, kind="value", title="by hand", marks=1),
        Question(
            "dcg",
            "dcg(grades, k=k)",
            some,
            title="DCG",
            marks=4,
            edges=[{"grades": [2, 1], "k": 5}],
            prefix="grades",
            mistakes=["log-of-rank-plus-2", "natural-logarithm"],
        ),
    ],
)

# %% tags=["setup"]
import math

from irmetrics_edu.classroom.exercises import begin, check, hint

# %%
grades = spec.given("total")

# %% tags=["total"]
### BEGIN SOLUTION
total = sum(grades)
### END SOLUTION

# %% tags=["check"]
check("total", total)


# %% tags=["dcg"]
def dcg(grades, k=None):
    """The DCG, cut at k."""
    ### BEGIN SOLUTION
    return sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], start=1))
    ### END SOLUTION


# %% tags=["check"]
check("dcg", dcg)
'''

RIGHT = (
    "import math\n"
    "def dcg(grades, k=None):\n"
    "    return sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], 1))"
)


class Class:
    """A class: its exercise, its submissions, and the command that grades them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "sources").mkdir(parents=True)
        (folder / "sources" / "77_two.py").write_text(SOURCE, encoding="utf-8")
        (folder / "key").write_bytes(KEY)
        self.source: ExerciseSource = read(folder / "sources" / "77_two.py")
        self.work, self.out = folder / "submitted", folder / "out"
        self.work.mkdir()

    def copy(self, student: str, cells: Sequence[str] | None = None, *, solved: bool = True) -> Any:
        """A student's own notebook: solved or not, or with these cells for its own."""
        variant = Variant(student, KEY) if student else GENERAL
        book = (solution if solved else notebook)(self.source, variant)
        if cells is not None:
            book = json.loads(as_text(book))
            book["cells"] = [
                {"cell_type": "code", "id": f"c{i}", "metadata": {}, "outputs": [], "source": text,
                 "execution_count": None}
                for i, text in enumerate(cells)
            ]  # fmt: skip
        return book

    def hand_in(self, path: str, content: Any) -> Path:
        """Put a notebook, or text or bytes as they are, where students hand in."""
        target = self.work / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            target.write_bytes(content)
        elif isinstance(content, str):
            target.write_text(content, encoding="utf-8")
        else:
            text = json.dumps(content) if isinstance(content, dict) else as_text(content)
            target.write_text(text, encoding="utf-8")
        return target

    def grade(self, *options: str) -> int:
        """Grade what was handed in; the exit code."""
        sources = str(self.folder / "sources")
        fixed = [str(self.work), "--key", str(self.folder / "key"), "--out", str(self.out)]
        return main(["grade", *fixed, "--sources", sources, *options])

    def result(self, path: str) -> dict[str, Any]:
        """The kept result of a submission."""
        for file in (self.out / "results").glob("*.json"):
            found = json.loads(file.read_text(encoding="utf-8"))
            if found["path"] == path:
                return found
        raise AssertionError(f"no result for {path}")

    def marks(self, path: str) -> list[float]:
        """The marks of both questions: 1 and 4 can be had."""
        return [q["marks"] for q in self.result(path)["questions"]]

    def report(self) -> str:
        """The words of the report to the teacher; a line of a table is `| cell | cell |`."""
        page = (self.out / "report.html").read_text(encoding="utf-8")
        for tag, text in (("<h2", "\n## <"), ("</tr>", " |\n"), ("<t[hd]", " | <")):
            page = re.sub(tag, text, page)
        shown = html.unescape(re.sub(r"<[^>]*>", "", page))
        return "\n".join(line.strip() for line in shown.splitlines())

    def written(self) -> dict[str, bytes]:
        """All that the grader has written."""
        files = sorted(p for p in self.out.rglob("*") if p.is_file())
        return {str(p.relative_to(self.out)): p.read_bytes() for p in files}


@pytest.fixture
def a_class(tmp_path: Path) -> Class:
    """A class with nothing handed in yet."""
    return Class(tmp_path)


@pytest.fixture(scope="module")
def make_class(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Class]:
    """Makes a class that a whole module shares."""
    return lambda: Class(tmp_path_factory.mktemp("class"))
