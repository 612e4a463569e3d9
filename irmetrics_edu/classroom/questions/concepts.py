"""Concept questions: the quizzes of the chapters, and those in a file beside the exercises.

Each answer has its own feedback.
"""

import html
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from irmetrics_edu.classroom.exercises.source import SOLUTIONS
from irmetrics_edu.classroom.questions.question import CHOICE, Asked, Option, paragraph
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import decoded

CONCEPT = "concept"
FILE = "concepts.toml"
_QUIZ = re.compile(r'<div class="quiz"><p><strong>(.*?)</strong></p>(.*?)</div>', re.DOTALL)
_ANSWER = re.compile(r"<summary>\w\) (.*?)</summary><p>(.*?)</p>", re.DOTALL)
_RIGHT, _WRONG = "Right. ", "Not quite. "


def concepts(folder: Path, sources: Path | None = None) -> list[Asked]:
    """The quizzes of the built chapters that have one right answer, and the questions of a file.

    The file is `concepts.toml` in the folder of the exercises' sources, by default `solutions`
    here or in the project. Chapters come in their order. InputError if there are no questions, or
    if one of the file is not complete.
    """
    cells = {
        path.stem[:2]: json.loads(path.read_text(encoding="utf-8"))["cells"]
        for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    }
    titles = {
        chapter: "".join(own[0]["source"]).partition("\n")[0].partition(". ")[2]
        for chapter, own in cells.items()
    }
    found = [one for chapter, own in cells.items() for one in _quizzes(chapter, titles, own)]
    places = [sources] if sources else [Path("solutions"), SOLUTIONS]
    if written := next((each for place in places if (each := place / FILE).exists()), None):
        found += _written(written, titles)
    if not found:
        raise InputError(
            f"no chapter in {folder} has a quiz: concepts need a checkout of the course, or "
            f"questions of your own in {places[0] / FILE}"
        )
    return sorted(found, key=lambda one: one.chapter)


def chosen(found: list[Asked], count: int, seed: int) -> list[Asked]:
    """So many of the questions, or as many as there are, by a seed; their answers are shuffled."""
    rng = Random(f"{seed} concepts")
    picked = sorted(rng.sample(range(len(found)), min(count, len(found))))
    return [
        replace(found[i], options=tuple(rng.sample(found[i].options, len(found[i].options))))
        for i in picked
    ]


def _quizzes(
    chapter: str, titles: Mapping[str, str], cells: Sequence[Mapping[str, Any]]
) -> Iterator[Asked]:
    for cell in cells:
        for output in cell.get("outputs", ()):
            for asks, answers in _QUIZ.findall(
                "".join(output.get("data", {}).get("text/html", ""))
            ):
                options = [
                    _option(i, html.unescape(text), html.unescape(feedback))
                    for i, (text, feedback) in enumerate(_ANSWER.findall(answers), 1)
                ]
                if [option.right for option in options].count(True) == 1:
                    yield _asked(chapter, titles[chapter], html.unescape(asks), options)


def _written(path: Path, titles: Mapping[str, str]) -> Iterator[Asked]:
    try:
        questions = tomllib.loads(decoded(path.read_bytes(), path)).get("question", [])
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} can't be read as TOML: {error}") from None
    for number, one in enumerate(questions, 1):
        try:
            right, reason = one["right"]
            options = [_option(0, right, _RIGHT + reason)]
            options += [_option(i, text, said) for i, (text, said) in enumerate(one["wrong"], 1)]
            yield _asked(one["chapter"], titles.get(one["chapter"], ""), one["asks"], options)
        except (KeyError, TypeError, ValueError):
            raise InputError(
                f'{path}, question {number}: write chapter, asks, right = ["answer", "reason"] '
                'and wrong = [["answer", "feedback"], ...]'
            ) from None


def _option(number: int, text: str, said: str) -> Option:
    label = "" if said.startswith(_RIGHT) else f"idea {number}"
    return Option(text, said.removeprefix(_WRONG), label)


def _asked(chapter: str, title: str, asks: str, options: list[Option]) -> Asked:
    right = next(option for option in options if option.right)
    answer = f"The answer is: {right.text}"
    return Asked(
        CHOICE, chapter, CONCEPT, title, asks, (), "Choose the right answer.", tuple(options),
        f"{answer}\n{right.feedback}", paragraph(answer) + paragraph(right.feedback),
    )  # fmt: skip
