"""The questions to a child and the outcome of running it; nothing here judges answers."""

from dataclasses import dataclass
from typing import Any

from irmetrics_edu.classroom.grading.plain_values import NotPlain, pack
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.errors import InputError


@dataclass(frozen=True)
class Call:
    """A call names the function of the cells to call, or with `read` the variable to read.

    `harness` is the teacher's code that runs after the student's cells, in the same module; the
    student's code can read it, so it must hold no expected value. `name` may be defined in it.
    """

    name: str
    read: bool = False
    harness: str = ""


class Case:
    """A case is the inputs of one call: plain values, numpy arrays and fractions."""

    def __init__(self, *args: Any) -> None:
        try:
            self.packed = pack(args)
        except NotPlain as error:
            raise InputError(f"the inputs {args!r} can't be sent: {error}") from None


@dataclass(frozen=True)
class Replaced:
    """The right answer to an earlier question, which replaces the student's answer.

    It is put under `name` after each of the cells `after` (counted from 1; 0 is before all): the
    packed `value`, or what `cells` define under that name in a module of their own. The student's
    code can read all of it.
    """

    name: str
    after: tuple[int, ...]
    cells: tuple[str, ...] = ()
    value: Any = None


@dataclass(frozen=True)
class Raised:
    """An error of the student's code: its type and message, and the line it comes from.

    `cell` and `line` count from 1; 0 where the error comes from no line of a cell.
    """

    type: str
    message: str
    cell: int = 0
    line: int = 0
    text: str = ""


@dataclass(frozen=True)
class Answer:
    """An answer is the result of one case: a value, an error, or why there is neither.

    `value` is plain data (floats, whole numbers, text, None, fractions, lists, tuples, sets,
    dicts), whatever the student's code returned; an array is nested lists. It is only there if
    `given`.
    """

    given: bool = False
    value: Any = None
    error: Raised | None = None
    why: str = ""


@dataclass(frozen=True)
class RunOutcome:
    """An outcome is the result of running a question, before it is judged.

    `answers` has one per case, in order. `cell_errors` are what cells raised: later cells ran all
    the same, as a notebook may hold a broken cell beside a good answer. `limit` names the limit
    that was exceeded, `ended` says why the child ended early; both are empty if all went well.
    `wall` is in seconds. `tier` is what shut the child in. `ran` says whether the cells
    came to their end, and `started` whether more processes or threads than one were seen.
    """

    answers: tuple[Answer, ...]
    tier: Tier
    cell_errors: tuple[Raised, ...] = ()
    limit: str = ""
    ended: str = ""
    wall: float = 0.0
    tampered: bool = False
    ran: bool = False
    started: bool = False
