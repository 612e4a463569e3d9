"""Concept questions: the quizzes of the chapters, and those in a file beside the exercises.

Each answer has its own feedback.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from irmetrics_edu.classroom.exercises.source import SOLUTIONS
from irmetrics_edu.classroom.questions.question import CHOICE, DrawnQuestion, Option, paragraph
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import decoded

CONCEPT = "concept"
FILE = "concepts.toml"
QUIZZES = SOLUTIONS / "quizzes.toml"  # the chapters' own, by `make generated`


def concepts(sources: Path | None = None) -> list[DrawnQuestion]:
    """The chapters' quizzes, and the questions of `concepts.toml` beside the exercises' sources.

    The sources are by default in `solutions` here or in the project. Chapters come in their order.
    InputError if there are no questions, or if one is not complete.
    """
    places = [sources] if sources else [Path("solutions"), SOLUTIONS]
    files = [place / FILE for place in places]
    own_file = next(filter(Path.exists, files), files[0])
    questions: list[DrawnQuestion] = []
    titles: Mapping[str, str] = {}
    for path in filter(Path.exists, (QUIZZES, own_file)):
        try:
            data = tomllib.loads(decoded(path.read_bytes(), path))
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{path} can't be read as TOML: {error}") from None
        titles = data.get("chapters", titles)
        questions += _asked(path, data.get("question", ()), titles)
    if not questions:
        raise InputError(
            "no chapter has a quiz here: concepts need a checkout of the course, or questions of "
            f"your own in {own_file}"
        )
    return sorted(questions, key=lambda one: one.chapter)


def chosen(questions: list[DrawnQuestion], count: int, seed: int) -> list[DrawnQuestion]:
    """So many of the questions, or as many as there are, by a seed; their answers are shuffled."""
    rng = Random(f"{seed} concepts")
    picked = sorted(rng.sample(range(len(questions)), min(count, len(questions))))
    return [
        replace(
            questions[i], options=tuple(rng.sample(questions[i].options, len(questions[i].options)))
        )
        for i in picked
    ]


def _asked(
    path: Path, questions: Sequence[Mapping[str, Any]], titles: Mapping[str, str]
) -> Iterator[DrawnQuestion]:
    for number, one in enumerate(questions, 1):
        try:
            right, reason = one["right"]
            options = [Option(right, f"Right. {reason}")]
            options += [Option(w, why, f"idea {i}") for i, (w, why) in enumerate(one["wrong"], 1)]
            title = titles.get(one["chapter"], "")
            answer = f"The answer is: {right}"
            yield DrawnQuestion(
                kind=CHOICE,
                chapter=one["chapter"],
                name=CONCEPT,
                topic=title,
                asks=one["asks"],
                data=(),
                wants="Choose the right answer.",
                options=tuple(options),
                solution=f"{answer}\nRight. {reason}",
                solution_html=paragraph(answer) + paragraph(f"Right. {reason}"),
            )
        except (KeyError, TypeError, ValueError):
            raise InputError(
                f'{path}, question {number}: write chapter, asks, right = ["answer", "reason"] '
                'and wrong = [["answer", "feedback"], ...]'
            ) from None
