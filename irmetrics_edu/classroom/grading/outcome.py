"""The questions to a child and the outcome of running it; nothing here judges answers."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

from irmetrics_edu.classroom.grading.plain_values import NotPlain, pack
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.errors import InputError

# What a student's code can give back.
PlainValue: TypeAlias = (
    "bool | int | float | str | Fraction | list[PlainValue] | tuple[PlainValue, ...]"
    " | set[PlainValue] | dict[PlainValue, PlainValue] | None"
)

# The parts that a value may have where nothing else says how big a right answer is.
MOST_PARTS = 20_000


@dataclass(frozen=True)
class Call:
    """A call names the function of the cells to call, or with `read` the variable to read.

    `harness` is the teacher's code that runs after the student's cells, in the same module; the
    student's code can read it, so it must hold no expected value. `name` may be defined in it.

    `answer` is the name that the student's answer has, "" for `name`. `order` are the cells to run,
    counted from 1, and nothing stands for all of them as they are. With `checked` the answer is
    what `check` got under this name last, and where it got nothing, what the name means at the end.
    """

    name: str
    read: bool = False
    harness: str = ""
    answer: str = ""
    order: tuple[int, ...] = ()
    checked: bool = False


class Case:
    """A case is the inputs of one call: plain values, numpy arrays and fractions.

    An answer of more than `most` parts is refused before anything looks at it.
    """

    def __init__(self, *args: Any, most: int = MOST_PARTS) -> None:
        self.most = most
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

    `cell` and `line` count from 1; 0 where the error comes from no line of a cell. `name` is the
    name that is not defined, or the module that can't be imported or lacks what was asked of it.
    """

    type: str
    message: str
    cell: int = 0
    line: int = 0
    text: str = ""
    name: str = ""


class NoValue(Enum):
    """Why there is no value: each of them has its own words for the student."""

    NONE = "there is a value"
    MISSING = "nothing has this name"
    BLANK = "it is `...`, as it was handed out"
    NOT_PLAIN = "it is no plain data"
    TOO_BIG = "it has far more parts than a right answer"
    ENDED = "the code ended before it answered"


@dataclass(frozen=True)
class Answer:
    """An answer is the result of one case: a value, an error, or why there is neither.

    `value` is plain data (floats, whole numbers, text, None, fractions, lists, tuples, sets,
    dicts), whatever the student's code returned; an array is nested lists. It is only there if
    `given`. `lack` is the reason if there is neither a value nor an error, and `why` are its words.
    """

    given: bool = False
    value: PlainValue = None
    error: Raised | None = None
    why: str = ""
    lack: NoValue = NoValue.NONE


@dataclass(frozen=True)
class RunOutcome:
    """An outcome is the result of running a question, before it is judged.

    `answers` has one per case, in order. `cell_errors` are what cells raised: later cells ran all
    the same, as a notebook may hold a broken cell beside a good answer. `limit` names the limit
    that was exceeded, `ended` says why the child ended early; both are empty if all went well.
    `wall` is in seconds. `tier` is what shut the child in. `ran` says whether the cells
    came to their end, and `started` whether more processes or threads than one were seen.
    `checked` are the cells that called `check` for this answer, in the order in which they ran.
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
    checked: tuple[int, ...] = ()
