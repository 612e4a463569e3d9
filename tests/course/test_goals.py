"""Each goal of a chapter is shown where all see it, predicted, and graded: notebooks/goals.toml."""

import ast
import functools
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import jupytext
import pytest

from dev.tools.notebooks import folds, sources
from irmetrics_edu.classroom.exercises.source import paths_in, read

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "notebooks" / "goals.toml"
CHAPTERS = [path.stem[:2] for path in sources()]
_GOAL = re.compile(r"^- (.+?)[;.]$")


class Goal(NamedTuple):
    """A row of the table."""

    chapter: str
    goal: str
    shown: list[str]
    predicted: str
    graded: list[str]


@functools.cache
def rows() -> tuple[Goal, ...]:
    """The table."""
    found = tomllib.loads(TABLE.read_text(encoding="utf-8"))["goal"]
    return tuple(Goal(**row) for row in found)


def rows_of(chapter: str) -> list[Goal]:
    """The goals of a chapter by the table."""
    return [row for row in rows() if row.chapter == chapter]


@functools.cache
def visible(chapter: str) -> str:
    """All that a reader of a chapter sees without opening a cell, without line ends."""
    [path] = sources([chapter])
    cells = jupytext.read(path, fmt="py:percent").cells
    seen = [c.source for c in cells if c.cell_type == "markdown" or not folds(c.source)]
    return " ".join(" ".join(seen).split())


def stated(chapter: str) -> list[str]:
    """The goals in the first cell of a chapter."""
    [path] = sources([chapter])
    first = jupytext.read(path, fmt="py:percent").cells[0].source
    one_line = first.replace("\n  ", " ")
    matches = [_GOAL.match(line) for line in one_line.splitlines()]
    return [match.group(1) for match in matches if match]


@functools.cache
def predictions(chapter: str) -> tuple[str, ...]:
    """What the predictions of a chapter ask; of a text with numbers in it the words before them."""
    [path] = sources([chapter])
    cells = jupytext.read(path, fmt="py:percent").cells
    code = [c.source for c in cells if c.cell_type == "code"]
    return tuple(asked for text in code for asked in _asked(text))


def _asked(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "predict":
            text = node.args[0]
            if isinstance(text, ast.JoinedStr):
                text = text.values[0]
            if isinstance(text, ast.Constant):
                yield str(text.value)


@functools.cache
def questions(chapter: str) -> tuple[str, ...]:
    """The questions of an exercise by their names, those of the bank by what they ask."""
    [path] = [path for path in paths_in() if path.stem[:2] == chapter]
    exercise = read(path).exercise
    names = [q.name for q in exercise.questions] + [q.name for q in exercise.by_hand]
    for file in ("quizzes.toml", "concepts.toml"):
        bank = tomllib.loads((ROOT / "solutions" / file).read_text(encoding="utf-8"))
        names += [q["asks"] for q in bank["question"] if q["chapter"] == chapter]
    return tuple(names)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_table_has_each_goal_of_a_chapter(chapter: str) -> None:
    """Word for word, and in its order."""
    assert [row.goal for row in rows_of(chapter)] == stated(chapter)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_goal_is_shown_where_all_see_it(chapter: str) -> None:
    """In a text or in code that is not folded."""
    missing = []
    for row in rows_of(chapter):
        missing += [w for w in row.shown if " ".join(w.split()) not in visible(chapter)]
    assert missing == []
    assert all(row.shown for row in rows_of(chapter))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_goal_is_predicted(chapter: str) -> None:
    """By one prediction of the chapter, and no two goals by the same."""
    for row in rows_of(chapter):
        found = [asked for asked in predictions(chapter) if asked.startswith(row.predicted)]
        assert len(found) == 1, (row.goal, row.predicted, found)
    asked = [row.predicted for row in rows_of(chapter)]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_goal_is_graded(chapter: str) -> None:
    """By a question of the exercise, or of the bank."""
    for row in rows_of(chapter):
        assert row.graded, row.goal
        for name in row.graded:
            found = [
                q for q in questions(chapter) if q == name or (" " in name and q.startswith(name))
            ]
            assert len(found) == 1, (row.goal, name, found)


@functools.cache
def extra(chapter: str) -> frozenset[str]:
    """The questions of an exercise that are above its total."""
    [path] = [path for path in paths_in() if path.stem[:2] == chapter]
    return frozenset(q.name for q in read(path).exercise.questions if q.bonus)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_goal_is_graded_by_extra_questions_alone(chapter: str) -> None:
    """Who leaves out what is above the total meets each goal."""
    assert [row.goal for row in rows_of(chapter) if {*row.graded} <= extra(chapter)] == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_question_of_an_exercise_is_beside_the_goals(chapter: str) -> None:
    """Each question that earns marks grades one of them, or says where else it is taught."""
    beside = tomllib.loads(TABLE.read_text(encoding="utf-8"))["beside"]
    [path] = [path for path in paths_in() if path.stem[:2] == chapter]
    exercise = read(path).exercise
    named = {name for row in rows_of(chapter) for name in row.graded}
    named |= {q["question"] for q in beside if q["chapter"] == chapter and q["taught"]}
    asked = {q.name for q in exercise.questions} | {q.name for q in exercise.by_hand}
    assert asked <= named, asked - named
