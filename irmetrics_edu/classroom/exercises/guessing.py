"""Guessing: how many hits of a trial carry no marks, and how trials are balanced.

A guess here is an answer that does not follow from the inputs: a constant, a coin, a counter of
calls. If the most frequent right value makes up a share g of n inputs in random order, a guess
hits a binomial number of them at best. The first hits carry no marks; there are so many of them
that the expected share of a guess is at most GUESSED.

An answer that is a list or table of numbers can get marks in proportion to its right values. There
a guess may also be a column that needs no computation, such as the inputs or the ranks.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs
from irmetrics_edu.errors import InputError

#: The share of the marks that a guess may expect. The tests hold every exercise to 5 %.
GUESSED = 0.01
#: The share that a guess of the values of one list may expect. A list has few of them.
OF_LIST = 0.03
# The hidden inputs of a question: of one that asks for True or False, and of any other.
TRUTHS = 40
OTHERS = 12
# So many inputs are passed over before one more of the same right answer is let in.
PATIENCE = 150


def counted(values: Sequence[Any]) -> int:
    """How often the most frequent value occurs; numbers are equal if six decimals agree."""
    return max(Counter(map(_form, values)).values(), default=0)


def _form(value: Any) -> str:
    if isinstance(value, float):
        from irmetrics_edu.views.formatting import steady  # which loads numpy

        return f"{steady(value):.6f}" if math.isfinite(value) else str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_form, value))}]"
    return repr(value)


@cache
def without_marks(
    most: int,
    tries: int,
    guessed: float = GUESSED,
) -> int:
    """How many of a trial's hits carry no marks, if its most frequent right value occurs `most`
    times: the fewest with which a guess expects at most `guessed` of the marks.

    >>> without_marks(20, 40), without_marks(1, 12), without_marks(1, 1)
    (24, 2, 0)
    """  # noqa: D205 -- one sentence
    if tries == 1:
        return 0
    chance = most / tries
    for free in range(tries):
        if (
            _expected(
                free,
                tries,
                chance,
            )
            <= guessed
        ):
            return free
    return tries - 1


def _expected(
    free: int,
    tries: int,
    chance: float,
) -> float:
    """The expected share of the marks for a guess that hits each input with this chance."""
    counted_hits = 0.0
    for hits in range(free + 1, tries + 1):
        misses = tries - hits
        likely = math.comb(tries, hits) * chance**hits * (1 - chance) ** misses
        counted_hits += likely * (hits - free)
    return counted_hits / (tries - free)


def share_of(
    hits: int,
    tries: int,
    free: int,
) -> float:
    """The share of the marks, 0 to 1, for hits beyond those that a guess can expect.

    >>> share_of(6, 6, 2), share_of(4, 6, 2), share_of(2, 6, 2)
    (1.0, 0.5, 0.0)
    """
    return max(0.0, (hits - free) / (tries - free))


class Balance:
    """A balance keeps any one value from being right for many of a question's hidden inputs.

    Each truth value is right for half of the inputs, any other value for a quarter at most. If a
    question has few answers and some of them are rare, the bound is relaxed slowly.
    `wanted` is the number of inputs to draw. Copies give no marks and are not balanced.
    """

    def __init__(
        self,
        tries: int,
        *,
        hidden: bool,
    ) -> None:
        self.wanted = tries
        self.hidden = hidden
        self._answers: list[Any] = []
        self._passed_over = 0

    def takes(self, right: Any) -> bool:
        """Whether another input with this right answer keeps the balance."""
        if not self.hidden:
            return True
        truth = isinstance(right, bool)
        self.wanted = max(self.wanted, TRUTHS if truth else OTHERS)
        most = self.wanted // 2 if truth else self.wanted // 4
        most = max(most + self._passed_over // PATIENCE, counted(self._answers))
        if counted([*self._answers, right]) > most:
            self._passed_over += 1
            return False
        self._answers.append(right)
        return True

    def refuse_guessable(self, name: str) -> None:
        """InputError if a guess would pass because most right answers are equal."""
        most = counted(self._answers)
        tries = len(self._answers)
        if (
            tries > 1
            and _expected(
                tries - 1,
                tries,
                most / tries,
            )
            > GUESSED
        ):
            raise InputError(
                f"question {name}: {most} of {tries} right answers are one value, so a guess "
                "would do; let its inputs be drawn so that the answers differ"
            )


Same = Callable[[Any, Any], bool]
Cells = dict[tuple[Any, ...], Any]


def count(
    inputs: Sequence[Inputs],
    answers: Sequence[Any],
    wanted: Sequence[Any],
    same: Same,
) -> tuple[int, int, int] | None:
    """How many values are right, how many there are, and how many a guess can expect.

    None if the right answer is not a list of numbers. A value counts at its place in the list, or
    under its key. Each extra value takes one hit away. `same` says whether two values are the same.
    """
    tables = [cells(value) for value in wanted]
    values: list[Any] = []
    for table in tables:
        values += table.values()
    tries = len(values)
    if tries < 2 or not all(map(_is_table, tables)):
        return None
    hits = 0
    for answer, table in zip(
        answers,
        tables,
        strict=True,
    ):
        hits += _hits(
            answer,
            table,
            same,
        )
    free = without_marks(
        counted(values),
        tries,
        OF_LIST,
    )
    free = max(
        free,
        _echoed(
            inputs,
            tables,
            same,
        ),
    )
    return max(0, hits), tries, min(free, tries - 1)


def _is_table(held: Cells) -> bool:
    if () in held:
        return False
    for value in held.values():
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
    return True


def cells(value: Any) -> Cells:
    """The single values, by their places."""
    if isinstance(value, Mapping):
        pairs: Any = value.items()
    elif isinstance(value, list | tuple):
        pairs = enumerate(value)
    else:
        return {(): value}
    by_place: Cells = {}
    for key, inner in pairs:
        for place, single in cells(inner).items():
            by_place[key, *place] = single
    return by_place


def _hits(
    answer: Any,
    table: Cells,
    same: Same,
) -> int:
    if not isinstance(answer, Mapping | list | tuple):
        return 0
    answered = cells(answer)
    beyond = len(answered.keys() - table.keys())
    hits = 0
    for place, right in table.items():
        if place in answered and same(answered[place], right):
            hits += 1
    return hits - beyond


def _echoed(
    inputs: Sequence[Inputs],
    tables: Sequence[Cells],
    same: Same,
) -> int:
    """The most hits of an answer without computation, for each column."""
    hits: dict[tuple[Any, ...], Counter[int]] = defaultdict(Counter)
    for one, table in zip(
        inputs,
        tables,
        strict=True,
    ):
        keys = list(dict.fromkeys(place[0] for place in table))
        rows = {key: row for row, key in enumerate(keys)}
        for number, guess in enumerate(_guesses(one, keys)):
            for place, right in table.items():
                row = rows[place[0]]
                if row < len(guess) and same(guess[row], right):
                    column = hits[place[1:]]
                    column[number] += 1
    return sum(max(column.values()) for column in hits.values())


def _guesses(inputs: Inputs, keys: list[Any]) -> list[list[Any]]:
    """Columns that need no computation: always equally many, in the same order."""
    ranks = list(range(1, len(keys) + 1))
    columns: list[list[Any]] = [
        ranks,
        list(range(len(keys))),
        [1 / rank for rank in ranks],
        ranks[::-1],
    ]
    for value in inputs.values():
        column: list[Any] = []
        if isinstance(value, Mapping):
            column = [value.get(key) for key in keys]
        elif isinstance(value, list | tuple):
            column = list(value)
        try:
            rising = sorted(column)
        except TypeError:
            rising = []
        columns += [
            column,
            column[::-1],
            rising,
            rising[::-1],
            [_over_one(one) for one in column],
        ]
    return columns


def _over_one(value: Any) -> float:
    """One over a number; 0 for 0, and for what is no number."""
    return 1 / value if isinstance(value, int | float) and value else 0
