"""Which questions a bank has: the chapters' concepts, and what the exercises compute, by topic."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from irmetrics_edu.classroom.exercises.source import read, sources_in
from irmetrics_edu.classroom.questions import Bank, concepts, drawn
from irmetrics_edu.classroom.questions.drawing import Origin
from irmetrics_edu.classroom.questions.question import Asked
from irmetrics_edu.course.build import FOLDER
from irmetrics_edu.errors import InputError

T = TypeVar("T")


def bank_of(
    sources: Path | None,
    kinds: Sequence[str],
    count: int,
    *,
    seed: int,
    digits: int,
    topics: str,
    variant: str,
) -> Bank:
    """The bank of a variant: concepts, if they are asked for, and then what is drawn."""
    computed = [kind for kind in kinds if kind != concepts.CONCEPT]
    about: list[Asked] = []
    if computed != list(kinds):
        known = [(one.chapter, f"{one.topic} {one.asks}", one) for one in concepts.concepts(FOLDER)]
        about = concepts.chosen(_chosen(known, topics), count // len(kinds), seed)
    if not computed:
        left = Counter({"the chapters have no more quizzes": count - len(about)})
        return Bank(tuple(about), count, left, {})
    origins = [(o.chapter, f"{o.title} {o.topic}", o) for o in origins_in(sources)]
    rest = drawn(
        _chosen(origins, topics),
        count - len(about),
        seed=seed,
        kinds=computed,
        digits=digits,
        variant=variant,
    )
    return replace(rest, questions=(*about, *rest.questions), wanted=count)


def origins_in(folder: Path | None) -> list[Origin]:
    """The questions of exercises that say what a quiz asks."""
    exercises = [read(path).exercise for path in sources_in(folder)]
    origins = [Origin(e.number, e.title, q) for e in exercises for q in e.questions if q.asks]
    if not origins:
        raise InputError(
            "no question of these exercises says what a quiz asks; give questions asks='...'"
        )
    return origins


def _chosen(known: list[tuple[str, str, T]], topics: str) -> list[T]:
    """Those of the given things, by chapter and words, that are about one of the topics."""
    words = [word.strip().casefold() for word in topics.split(",") if word.strip()]
    if not words:
        return [one for _, _, one in known]
    found = []
    for word in words:
        own = [one for number, _, one in known if word in {number, number.lstrip("0")}]
        own = own or [one for _, about, one in known if word in about.casefold()]
        if not own:
            numbers = ", ".join(sorted({number for number, _, _ in known}))
            raise InputError(
                f"--topics: nothing is about {word!r}; give the number of an exercise ({numbers}), "
                "or a word of a question's title"
            )
        found += [one for one in own if one not in found]
    return found
