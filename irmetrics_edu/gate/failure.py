"""The error that a failed assertion raises, with a traceback free of our own frames."""

from collections.abc import Callable, Sequence
from functools import cache
from types import TracebackType
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.views.escaping import visible

__tracebackhide__ = True  # pytest
__unittest = True  # unittest
LINES = 10  # under the summary and the empty line; at length with -v
_OURS = "irmetrics_edu."
_BETWEEN = ("functools", "contextlib")  # what our own functions are called through
_ASSERTIONS = ("irmetrics_edu.gate.", "irmetrics_edu.gate.plugin.")
_TRACEBACK: Any = vars(BaseException)["__traceback__"]
_CAUSE: Any = vars(BaseException)["__cause__"]


def hide_own_frames(traceback: TracebackType | None) -> None:
    """Cut a traceback that ends in an assertion of ours, in place, where our frames begin."""
    last, name = _last_of_others(traceback)
    if last is not None and name.startswith(_ASSERTIONS):
        last.tb_next = None


def hide_refusal(traceback: TracebackType | None) -> None:
    """Cut the traceback of input that any function of ours refused, as `hide_own_frames` does."""
    last, name = _last_of_others(traceback)
    if last is not None and name.startswith(_OURS):
        last.tb_next = None


def _last_of_others(traceback: TracebackType | None) -> tuple[TracebackType | None, str]:
    """The last step of a traceback outside this package, and the module where it ends."""
    last = None
    step = traceback
    name = ""
    while step is not None:
        name = str(step.tb_frame.f_globals.get("__name__", ""))
        is_between = name in _BETWEEN and _is_ours(step.tb_next)
        if not (name.startswith(_OURS) or is_between):
            last = step
        step = step.tb_next
    return last, name


def _is_ours(step: TracebackType | None) -> bool:
    return step is not None and str(step.tb_frame.f_globals.get("__name__")).startswith(_OURS)


def _shown(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(visible(line, keep="\n") for line in lines)


def cut(lines: Sequence[str], end: Sequence[str] = ()) -> list[str]:
    """The lines and the end, at most LINES; what is left out of the lines is counted."""
    room = LINES - len(end)
    if len(lines) > room:
        lines = [*lines[: room - 1], f"... {len(lines) - room + 1} more lines; -v shows them"]
    return [*lines, *end]


class HidesOwnFrames:
    """What an error does that one of our assertions raised: its traceback ends at their call."""

    # Python adds a frame to a traceback while the error leaves it, so ours can only be cut off
    # afterwards. Whoever shows an error reads these: unittest `__cause__` (its own way to skip
    # frames knows AssertionError alone, not classes derived from it), Python itself and IPython
    # the traceback.

    @property
    def __traceback__(self) -> TracebackType | None:
        traceback: TracebackType | None = _TRACEBACK.__get__(self)
        hide_own_frames(traceback)
        return traceback

    @__traceback__.setter
    def __traceback__(self, value: TracebackType | None) -> None:
        _TRACEBACK.__set__(self, value)

    @property
    def __cause__(self) -> BaseException | None:
        hide_own_frames(_TRACEBACK.__get__(self))
        cause: BaseException | None = _CAUSE.__get__(self)
        return cause

    @__cause__.setter
    def __cause__(self, value: BaseException | None) -> None:
        _CAUSE.__set__(self, value)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows; otherwise it would show the innermost frame, even a hidden one."""
        from IPython import get_ipython

        formatter = get_ipython().InteractiveTB  # type: ignore[no-untyped-call,unused-ignore]  # IPython has no types
        lines: list[str] = formatter.structured_traceback(
            type(self),
            self,
            self.__traceback__,
            tb_offset=formatter.tb_offset,
        )
        return lines


class RankingAssertionError(HidesOwnFrames, AssertionError):
    """A failed assertion about a ranking; its message says why, the summary first.

    `summary` is the first line, `lines` the explanation below it, cut to ten lines, and `all_lines`
    the same at length. `verbosity` says which of them the message has: 0 or 1 and more, as -v.
    The explanation is given as lines, or as a function from the verbosity to lines.
    """

    def __init__(
        self,
        summary: str,
        lines: Sequence[str] | Callable[[int], Sequence[str]] = (),
    ) -> None:
        self.summary = visible(summary)  # ids may hold what a terminal obeys
        super().__init__(self.summary)
        self.at_length = lines if callable(lines) else lambda _: lines
        self.lines = tuple(cut(_shown(self.at_length(0))))
        self.verbosity = 0

    def __str__(self) -> str:
        lines = self.all_lines if self.verbosity > 0 else self.lines
        return "\n".join([self.summary, *(["", *lines] if lines else [])])

    @property
    def all_lines(self) -> tuple[str, ...]:
        """The explanation at length."""
        return _shown(self.at_length(max(1, self.verbosity)))

    def __reduce__(self) -> Any:
        return type(self), (self.summary, self.lines)


# The name under which it is imported, and shown by whoever prints an error with its module.
RankingAssertionError.__module__ = "irmetrics_edu.gate"


def is_refused(error: BaseException) -> bool:
    """Whether an error is bad input that one of our assertions refused."""
    return isinstance(error, InputError) and isinstance(error, HidesOwnFrames)


def refused(error: InputError) -> InputError:
    """The error that an assertion raises in place of another, without the place in our code.

    It has the kind, name, message and notes of the other, and hides our frames as a failure does.
    """
    if is_refused(error):
        return error.with_traceback(None)
    kind: Any = type(error)  # to a type checker a class of errors can't be hashed
    raised: InputError = _hiding(kind)(*error.args)
    vars(raised).update(vars(error))
    return raised


@cache
def _hiding(kind: type[Any]) -> type[Any]:
    """A kind of error, by the same name, that hides our frames; pickled it is the kind itself."""
    members: dict[str, Any] = {
        n: getattr(kind, n) for n in ("__module__", "__qualname__", "__doc__")
    }
    members["__reduce__"] = lambda self: (kind, self.args)
    return type(kind.__name__, (HidesOwnFrames, kind), members)
