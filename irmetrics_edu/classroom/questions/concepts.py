"""Concept questions: the quizzes of the chapters, and a teacher's own, beside the exercises.

Each answer has its own feedback.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from irmetrics_edu.classroom.exercises.source import SOLUTIONS
from irmetrics_edu.classroom.questions.question import CHOICE, DrawnQuestion, Option, paragraph
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import decoded
from irmetrics_edu.reading.toml_files import toml_of

CONCEPT = "concept"
# The chapters' quizzes, which `make generated` writes, and those that a teacher writes.
UNTITLED = "concepts"  # what a question is about whose chapter has no title in the files
QUIZZES, OWN = FILES = ("quizzes.toml", "concepts.toml")


def place_of(sources: Path | None) -> Path:
    """The folder of the concepts: that of the sources, or `solutions` here or in the project."""
    if sources:
        return sources
    for place in (Path("solutions"), SOLUTIONS):
        if any((place / name).exists() for name in FILES):
            return place
    return Path("solutions")


def absent(sources: Path | None = None) -> list[Path]:
    """The files of concepts that the folder of the sources does not have."""
    place = place_of(sources)
    return [place / name for name in FILES if not (place / name).exists()]


def concepts(sources: Path | None = None) -> list[DrawnQuestion]:
    """The questions of `quizzes.toml` and `concepts.toml` beside the exercises' sources.

    So an installed package and a checkout have the same ones. Chapters come in their order.
    InputError if there are no questions, or if one is not complete.
    """
    place = place_of(sources)
    questions: list[DrawnQuestion] = []
    titles: dict[str, str] = {}
    for name in FILES:
        path = place / name
        if not path.exists():
            continue
        data = toml_of(decoded(path.read_bytes(), path), path)
        titles |= data.get("chapters", {})
        questions += _asked(path, data.get("question", ()), titles)
    if not questions:
        raise InputError(
            f"there is no concept question in {place}; it has neither {QUIZZES} of the course's "
            f"folder solutions nor {OWN} of your own, or both are empty. Name the folder with "
            "--sources, or leave 'concept' out of --kinds"
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
            title = titles.get(one["chapter"], UNTITLED)
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
