"""Concept questions: the quizzes of the chapters, with the feedback that each answer has there."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from irmetrics_edu.classroom.questions.question import CHOICE, Asked, Option, paragraph
from irmetrics_edu.errors import InputError

CONCEPT = "concept"
_QUIZ = re.compile(r'<div class="quiz"><p><strong>(.*?)</strong></p>(.*?)</div>', re.DOTALL)
_ANSWER = re.compile(r"<summary>\w\) (.*?)</summary><p>(.*?)</p>", re.DOTALL)
_RIGHT, _WRONG = "Right. ", "Not quite. "


def concepts(folder: Path) -> list[Asked]:
    """The quizzes of the built chapters in a folder that have one right answer, in their order.

    InputError if there are none.
    """
    found = [one for path in sorted(folder.glob("[0-9][0-9]_*.ipynb")) for one in _of(path)]
    if not found:
        raise InputError(
            f"no chapter in {folder} has a quiz: concepts need a checkout of the course"
        )
    return found


def chosen(found: list[Asked], count: int, seed: int) -> list[Asked]:
    """So many of the questions, or as many as there are, by a seed; their answers are shuffled."""
    rng = Random(f"{seed} concepts")
    picked = sorted(rng.sample(range(len(found)), min(count, len(found))))
    return [
        replace(found[i], options=tuple(rng.sample(found[i].options, len(found[i].options))))
        for i in picked
    ]


def _of(path: Path) -> Iterator[Asked]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    title = "".join(cells[0]["source"]).partition("\n")[0].partition(". ")[2]
    for cell in cells:
        for output in cell.get("outputs", ()):
            for asks, answers in _QUIZ.findall(
                "".join(output.get("data", {}).get("text/html", ""))
            ):
                options = [_option(i, *a) for i, a in enumerate(_ANSWER.findall(answers), 1)]
                if [option.right for option in options].count(True) == 1:
                    yield _asked(path.stem[:2], title, html.unescape(asks), options)


def _option(number: int, text: str, feedback: str) -> Option:
    said = html.unescape(feedback)
    label = "" if said.startswith(_RIGHT) else f"idea {number}"
    return Option(html.unescape(text), said.removeprefix(_WRONG), label)


def _asked(chapter: str, title: str, asks: str, options: list[Option]) -> Asked:
    right = next(option for option in options if option.right)
    answer = f"The answer is: {right.text}"
    return Asked(
        CHOICE, chapter, CONCEPT, title, asks, (), "Choose the right answer.", tuple(options),
        f"{answer}\n{right.feedback}", paragraph(answer) + paragraph(right.feedback),
        f"{chapter} {asks}",
    )  # fmt: skip
