"""A bank: as many different questions as were asked for, or as many as there are, and why."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from irmetrics_edu.classroom.questions.drawing import Origin, choice, numeric
from irmetrics_edu.classroom.questions.question import CHOICE, KINDS, NUMERIC, Asked
from irmetrics_edu.classroom.questions.question_answers import Never, Refused
from irmetrics_edu.errors import InputError

TRIES = 60
DRAWS = {NUMERIC: numeric, CHOICE: choice}
AGAIN = "the same values were drawn before"


@dataclass(frozen=True)
class Bank:
    """Questions, in the order in which they were drawn, and what was refused on the way.

    `refused` counts draws by their reason. `spent` are the origins, by kind, that gave no further
    question, each with its most frequent reason.
    """

    questions: tuple[Asked, ...]
    wanted: int
    refused: Counter[str]
    spent: dict[tuple[str, str, str], str]

    @property
    def complete(self) -> bool:
        """Whether there are as many as were asked for."""
        return len(self.questions) == self.wanted


def drawn(
    origins: Sequence[Origin],
    count: int,
    *,
    seed: int = 0,
    kinds: Sequence[str] = KINDS,
    digits: int = 3,
    variant: str = "",
) -> Bank:
    """So many different questions, spread over the origins and the kinds as evenly as can be.

    The same seed gives the same bank. Another `variant` of it asks the same in the same order, as
    far as it can, with other values.
    """
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise InputError(f"kind {unknown[0]!r}: give {', '.join(KINDS)}")
    turns = _turns(origins, kinds, Random(f"{seed} turns"))
    found: list[Asked] = []
    seen: set[str] = set()
    refused: Counter[str] = Counter()
    spent: dict[tuple[str, str, str], str] = {}
    lap = 0
    while turns and len(found) < count:
        left = []
        for origin, kind in turns:
            if len(found) == count:
                break
            name = (origin.chapter, origin.question.name, kind)
            source = Random(" ".join([f"{seed} {variant} {lap}", *name]))
            asked, why = _one(origin, kind, source, digits, seen)
            refused += why
            if asked is None:
                spent[name] = why.most_common(1)[0][0]
            else:
                found.append(asked)
                seen |= {asked.drawn, asked.text}
                left.append((origin, kind))
        turns, lap = left, lap + 1
    return Bank(tuple(found), count, refused, spent)


def _turns(
    origins: Sequence[Origin], kinds: Sequence[str], rng: Random
) -> list[tuple[Origin, str]]:
    """Every origin with every kind, the kinds by turns."""
    shuffled = [[(o, kind) for o in rng.sample(origins, len(origins))] for kind in kinds]
    return [turn for turns in zip(*shuffled, strict=True) for turn in turns]


def _one(
    origin: Origin, kind: str, source: Random, digits: int, seen: set[str]
) -> tuple[Asked | None, Counter[str]]:
    """A question that was not asked yet, if so many draws give one, and why draws were refused."""
    why: Counter[str] = Counter()
    for _ in range(TRIES):
        try:
            asked = DRAWS[kind](origin, source, digits)
        except Refused as error:
            why[str(error)] += 1
            if isinstance(error, Never):
                break
            continue
        if not {asked.drawn, asked.text} & seen:
            return asked, why
        why[AGAIN] += 1
    return None, why
