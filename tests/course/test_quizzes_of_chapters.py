"""The quizzes give nothing away: where the right answer stands, and how long it is."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from dev.tools import quick
from dev.tools.notebooks import sources

# Whoever learns how one half of the course spreads its answers learns nothing for the other half.
CHAPTERS = tuple(source.name[:2] for source in sources())
SPREAD = {
    "first half": CHAPTERS[: len(CHAPTERS) // 2],
    "second half": CHAPTERS[len(CHAPTERS) // 2 :],
}


class Quiz(NamedTuple):
    """A quiz of a chapter: its answers, and the place of the right one, counted from 0."""

    chapter: str
    answers: tuple[str, ...]
    right: int


def quizzes() -> Iterator[Quiz]:
    """Every quiz with one right answer, in the order of the chapters."""
    for source in sources():
        for _, code in quick.cells(Path(source)):
            for node in ast.walk(ast.parse(code)):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "quiz":
                    offered = node.args[1]
                    assert isinstance(offered, ast.Dict)
                    answers = tuple(ast.unparse(key) for key in offered.keys if key is not None)
                    values = [ast.unparse(value) for value in offered.values]
                    right = [n for n, value in enumerate(values) if value.startswith("(True,")]
                    if len(right) == 1:
                        yield Quiz(Path(source).name[:2], answers, right[0])


@pytest.fixture(scope="module", params=SPREAD.values(), ids=SPREAD)
def spread(request: pytest.FixtureRequest) -> list[Quiz]:
    """The quizzes of half of the chapters."""
    found = [quiz for quiz in quizzes() if quiz.chapter in request.param]
    assert len(found) > 15
    return found


def test_no_letter_is_right_in_most_quizzes(spread: list[Quiz]) -> None:
    """Whoever always chooses one letter is right in two of five at the most."""
    places = Counter(quiz.right for quiz in spread)
    assert max(places.values()) <= 0.4 * len(spread), places


def test_the_longest_answer_is_seldom_the_right_one(spread: list[Quiz]) -> None:
    """Whoever always chooses the longest answer is right in two of five at the most."""
    longest = [quiz for quiz in spread if max(quiz.answers, key=len) == quiz.answers[quiz.right]]
    said = [f"{quiz.chapter}: {quiz.answers[quiz.right]}" for quiz in longest]
    assert len(longest) <= 0.4 * len(spread), said
