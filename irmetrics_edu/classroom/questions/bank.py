"""A bank: as many different questions as were asked for, or as many as there are, and why.

They are what the exercises compute, and the chapters' concepts, by topic.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TypeVar

from irmetrics_edu.classroom.exercises.source import read, sources_in
from irmetrics_edu.classroom.questions import concepts
from irmetrics_edu.classroom.questions.drawing import (
    ImpossibleDraw,
    Origin,
    RefusedDraw,
    choice,
    numeric,
)
from irmetrics_edu.classroom.questions.question import CHOICE, KINDS, NUMERIC, DrawnQuestion
from irmetrics_edu.errors import InputError

T = TypeVar("T")
TRIES = 60
DRAWS = {NUMERIC: numeric, CHOICE: choice}
AGAIN = "the same values were drawn before"


@dataclass(frozen=True)
class Bank:
    """Questions, in the order in which they were drawn; `refused` counts draws by their reason.

    `absent` are files of concepts that were asked for and are not there.
    """

    questions: tuple[DrawnQuestion, ...]
    wanted: int
    refused: Counter[str]
    absent: tuple[Path, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether there are as many as were asked for."""
        return len(self.questions) == self.wanted


def bank_of(
    sources: Path | None,
    kinds: Sequence[str],
    count: int,
    *,
    seed: int,
    topics: str,
    variant: str,
) -> Bank:
    """The bank of a variant: concepts, if they are asked for, and then what is drawn."""
    _refuse_unknown(kinds)
    computed = [kind for kind in kinds if kind != concepts.CONCEPT]
    about: list[DrawnQuestion] = []
    absent: tuple[Path, ...] = ()
    if computed != list(kinds):
        asked = concepts.concepts(sources)
        absent = tuple(concepts.absent(sources))
        placed = [(one.chapter, f"{one.topic} {one.asks}", one) for one in asked]
        about = concepts.chosen(_chosen(placed, topics), count // len(kinds), seed)
    if not computed:
        left = Counter({"there are no more concept questions": count - len(about)})
        return Bank(tuple(about), count, left, absent)
    origins = [(o.chapter, f"{o.title} {o.topic}", o) for o in origins_in(sources)]
    left_over = count - len(about)
    rest = drawn(
        _chosen(origins, topics),
        left_over,
        seed=seed,
        kinds=computed,
        variant=variant,
    )
    return replace(
        rest,
        questions=(*about, *rest.questions),
        wanted=count,
        absent=absent,
    )


def _refuse_unknown(kinds: Sequence[str]) -> None:
    """InputError for a kind of question that is not known, for one given twice, and for none."""
    words = (*KINDS, concepts.CONCEPT)
    for kind in kinds:
        if kind not in words:
            raise InputError(f"--kinds: {kind!r} is no kind of question; give {', '.join(words)}")
    if not kinds or len(set(kinds)) < len(kinds):
        listed = ", ".join(kinds) or "nothing"
        raise InputError(f"--kinds: {listed}; give each kind once, of {', '.join(words)}")


def origins_in(folder: Path | None) -> list[Origin]:
    """The questions of exercises that say what a quiz asks."""
    exercises = [read(path).exercise for path in sources_in(folder)]
    origins = [Origin(e.number, e.title, q) for e in exercises for q in e.questions if q.asks]
    if not origins:
        raise InputError(
            "no question of these exercises says what a quiz asks; give questions asks='...'"
        )
    return origins


def _chosen(placed: list[tuple[str, str, T]], topics: str) -> list[T]:
    """Those of the given things, by chapter and words, that are about one of the topics."""
    words = [word.strip().casefold() for word in topics.split(",")]
    words = [word for word in words if word]
    if not words:
        return [one for _, _, one in placed]
    chosen: list[T] = []
    for word in words:
        for one in _about(word, placed):
            if one not in chosen:
                chosen.append(one)
    return chosen


def _about(word: str, placed: list[tuple[str, str, T]]) -> list[T]:
    """Those of a chapter of this number, or about this word; InputError if there are none."""
    matches = [one for number, _, one in placed if word in {number, number.lstrip("0")}]
    matches = matches or [one for _, about, one in placed if word in about.casefold()]
    if not matches:
        numbers = ", ".join(sorted({number for number, _, _ in placed}))
        raise InputError(
            f"--topics: nothing is about {word!r}; give the number of an exercise ({numbers}), "
            "or a word of a question's title"
        )
    return matches


def drawn(
    origins: Sequence[Origin],
    count: int,
    *,
    seed: int = 0,
    kinds: Sequence[str] = KINDS,
    variant: str = "",
) -> Bank:
    """So many different questions, spread over the origins and the kinds as evenly as can be.

    The same seed gives the same bank. Another `variant` of it asks the same in the same order, as
    far as it can, with other values.
    """
    turns = _turns(origins, kinds, seed)
    questions: list[DrawnQuestion] = []
    seen: set[str] = set()
    refused: Counter[str] = Counter()
    lap = 0
    while turns and len(questions) < count:
        left = []
        for origin, kind in turns:
            if len(questions) == count:
                break
            name = f"{origin.chapter} {origin.question.name} {kind}"
            asked, why = _one(
                origin,
                kind,
                Random(f"{seed} {variant} {lap} {name}"),
                seen,
            )
            refused += why
            if asked:
                questions.append(asked)
                seen.add(asked.text)
                left.append((origin, kind))
        turns = left
        lap += 1
    return Bank(tuple(questions), count, refused)


def _turns(origins: Sequence[Origin], kinds: Sequence[str], seed: int) -> list[tuple[Origin, str]]:
    """Every origin with every kind, the kinds by turns; InputError for a kind that is not known."""
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"kind {kind!r}: give {', '.join(KINDS)}")
    rng = Random(f"{seed} turns")
    shuffled = []
    for kind in kinds:
        order = rng.sample(origins, len(origins))
        shuffled.append([(origin, kind) for origin in order])
    turns: list[tuple[Origin, str]] = []
    for together in zip(*shuffled, strict=True):
        turns += together
    return turns


def _one(
    origin: Origin,
    kind: str,
    source: Random,
    seen: set[str],
) -> tuple[DrawnQuestion | None, Counter[str]]:
    """A question that was not asked yet, if so many draws give one, and why draws were refused."""
    why: Counter[str] = Counter()
    for _ in range(TRIES):
        try:
            asked = DRAWS[kind](origin, source)
        except RefusedDraw as error:
            why[str(error)] += 1
            if isinstance(error, ImpossibleDraw):
                break
            continue
        if asked.text not in seen:
            return asked, why
        why[AGAIN] += 1
    return None, why
