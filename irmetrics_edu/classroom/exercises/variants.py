"""Per-student variants: inputs that derive from the course key, the student and the question.

The key stays with the teacher: a copy holds inputs, not the key they are drawn from. If a student
hands in another student's numbers, they are right for the other student's inputs, and the grader
sees it.
"""

import hashlib
import hmac
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question, Trial, literal
from irmetrics_edu.classroom.exercises.differing import same
from irmetrics_edu.classroom.exercises.guessing import Balance
from irmetrics_edu.classroom.exercises.spec_fields import in_order_of
from irmetrics_edu.errors import InputError

MOST_DRAWS = 2_000
SHORTEST_KEY = 16
# How much further apart than the tolerance two values must be to be told apart.
MARGIN = 20
RIGHT = "what is right"
TRIVIAL = (0, 1, -1, 0.5, 2)


@dataclass(frozen=True)
class Variant:
    """The owner of a copy: a student under a course key; without both it is the general copy."""

    student: str = ""
    key: bytes = b""

    def __post_init__(self) -> None:
        if self.student and len(self.key) < SHORTEST_KEY:
            raise InputError(
                f"a copy for {self.student!r} needs a course key of at least {SHORTEST_KEY} bytes;"
                f" this one has {len(self.key)}"
            )

    def trial(
        self,
        number: str,
        question: Question,
        *,
        hidden: bool = False,
    ) -> Trial:
        """The inputs of a question: those in the copy, or the hidden ones that decide the marks.

        `number` is that of the exercise. A "value" question has one input, which the copy holds.
        """
        value = question.kind == "value"
        hidden = hidden and not value
        if value:
            purpose = "value"
        elif hidden:
            purpose = "hidden"
        else:
            purpose = "public"
        source = Random(self._digest(number, question.name, purpose))
        general = drawn(question, source, hidden=hidden)
        shown = GENERAL.trial(number, question).general if hidden else ()
        examples = [inputs for inputs in shown if inputs not in general]
        lines = prefixes(question, examples or general)
        return Trial(
            general,
            [in_order_of(edge, general[0]) for edge in question.edges],
            lines,
            examples,
            hidden,
        )

    def seal(
        self,
        number: str,
        question: str,
        packed: Any,
    ) -> str:
        """The seal of a copy's data, which proves that they are this student's; "" of the general.

        `packed` are the inputs as they stand in the copy. Who lacks the key can't make a seal.
        """
        if not self.student:
            return ""
        data = json.dumps(packed, sort_keys=True, separators=(",", ":"))
        return self._digest("seal", number, question, data).hex()[:32]

    def _digest(self, *words: str) -> bytes:
        # One name however a system writes it: composed or not, with one space or two.
        student = " ".join(unicodedata.normalize("NFC", self.student).split())
        message = "\0".join([student, *words]).encode()
        return hmac.new(self.key, message, hashlib.sha256).digest()

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of a copy, which names its owner only to those who have the key."""
        return self._digest("fingerprint").hex()[:16] if self.student else ""


GENERAL = Variant()


def read_key(path: str | Path) -> bytes:
    """The course key in a file, without the line end; InputError if there is no usable key."""
    path = Path(path)
    make = "make one with: python -c 'import secrets; print(secrets.token_hex(32))'"
    if path.is_dir():
        raise InputError(f"{path} is a folder; name the file with the course key that is in it")
    if not path.exists():
        raise InputError(
            f"{path}: there is no such file; name the file with the key that the copies were made "
            f"with. Only if there are no copies yet, {make} > {path.name}"
        )
    key = path.read_bytes().strip()
    if len(key) < SHORTEST_KEY:
        raise InputError(
            f"{path}: a course key has at least {SHORTEST_KEY} bytes, this one {len(key)}; {make}"
        )
    return key


def drawn(question: Question, source: Random, *, hidden: bool = False) -> list[Inputs]:
    """Inputs on which no mistake looks right or like another mistake, and no constant passes.

    Each input tells them apart, or, for a `jointly` question, all inputs together do. There are
    more hidden inputs, and they are balanced: no value is right for many of them, so a guess earns
    next to nothing. Raises InputError if the question's inputs allow no such trial.
    """
    fewest = 1 if question.kind == "value" else question.tries
    drawing = _Drawing(question, Balance(fewest, hidden=hidden))
    for _ in range(MOST_DRAWS):
        drawing.take(question.draw(source))
        if len(drawing.inputs) == drawing.balance.wanted:
            break
    if len(drawing.inputs) < fewest or drawing.alike:
        raise InputError(
            f"question {question.name}: {drawing.reason}; so no telling inputs came of "
            f"{MOST_DRAWS} draws"
        )
    if hidden:
        drawing.balance.refuse_guessable(question.name)
        # Drawn one after another, the rarer of two answers gathers at the end.
        source.shuffle(drawing.inputs)
    return drawing.inputs


class _Drawing:
    """The inputs that were taken so far, and the mistakes that they do not tell apart yet.

    Of a joint question all inputs tell them apart together: while pairs are `alike`, only what
    tells one more of them is taken. `reason` says why the last draw was not.
    """

    def __init__(self, question: Question, balance: Balance) -> None:
        self.question = question
        self.balance = balance
        self.inputs: list[Inputs] = []
        self.reason = ""
        self.alike: set[tuple[str, str]] = set()
        self._first: list[str] | None = question.labels
        if question.jointly:
            self.alike = set(combinations([RIGHT, *question.labels], 2))
            self._first = None

    def take(self, inputs: Inputs) -> None:
        """Take these inputs, if they are of use."""
        values = values_of(self.question, inputs, self._first)
        if isinstance(values, str):
            self.reason = values
            return
        still = set()
        if self.question.jointly:
            still = self.alike & untold(self.question, values)
        if still:
            self.reason = " and ".join(min(still)) + " are alike"
        if self.alike and still == self.alike:
            return
        if inputs in self.inputs:
            self.reason = f"{literal(inputs)} is drawn again and again"
            return
        if not self.balance.takes(values[RIGHT]):
            self.reason = f"{literal(values[RIGHT])} is the right answer too often"
            return
        self.inputs.append(inputs)
        self.alike = still


def values_of(
    question: Question, inputs: Inputs, first: list[str] | None = None
) -> dict[str, Any] | str:
    """The right value and the value of each mistake, or why these inputs can't be used.

    With `first`, a list of all labels, inputs with two values alike can't be used either. That
    is most inputs. Their labels go to the front of the list, so the next such pair is found soon.
    """
    try:
        values = {RIGHT: question.right(inputs)}
        if question.kind == "value" and is_trivial(values[RIGHT], question.tolerance):
            return f"the right answer is {values[RIGHT]!r}, which is easy to guess"
        for label in question.labels if first is None else first:
            value = question.wrong(label, inputs)
            other = None if first is None else _alike(question, value, values)
            if first is not None and other is not None:
                _to_front(first, {label, other})
                return f"{other} and {label} are alike"
            values[label] = value
    except (InputError, KeyError, ZeroDivisionError) as error:
        return str(error)
    return values


def _alike(question: Question, value: Any, values: Mapping[str, Any]) -> str | None:
    """The label of the first value that can't be told from this one; None if all can."""
    for other, other_value in values.items():
        if same(other_value, value, MARGIN * question.tolerance):
            return other
    return None


def _to_front(labels: list[str], pair: set[str]) -> None:
    """Put two labels in front of all others."""
    front = [name for name in labels if name in pair]
    labels[:] = [*front, *(name for name in labels if name not in pair)]


def untold(question: Question, values: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The pairs with equal values."""
    margin = MARGIN * question.tolerance
    pairs = combinations(values, 2)
    return {(one, other) for one, other in pairs if same(values[one], values[other], margin)}


def is_trivial(value: Any, tolerance: float) -> bool:
    """Whether an obvious constant is right."""
    if isinstance(value, list):
        return len(value) < 2 or all(same(v, value[0], tolerance) for v in value)
    return any(same(value, t, MARGIN * tolerance) for t in TRIVIAL)


def prefixes(question: Question, several: Sequence[Inputs]) -> list[Inputs]:
    """The beginnings of one input, each a line longer, without the cut-off k.

    It is the first that begins with no 0: a mistake does not show in a line that counts nothing.
    """
    if not question.prefix:
        return []
    inputs = next((one for one in several if any(one[question.prefix][:1])), several[0])
    whole = inputs[question.prefix]
    uncut: Mapping[str, Any] = {**inputs, "k": None} if "k" in inputs else inputs
    return [{**uncut, question.prefix: whole[:n]} for n in range(1, len(whole) + 1)]
