"""Turns of children, side by side or one alone, so that no mark depends on other programs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Condition

from irmetrics_edu.grading.limits import NAMES, Limits
from irmetrics_edu.grading.outcome import Outcome

# How many times the wall time has one that is run again alone.
ALONE = 2


class Turns:
    """The children that may run now: several side by side, or one alone.

    >>> turns = Turns()
    >>> with turns.beside():
    ...     "side by side"
    'side by side'
    >>> with turns.alone():
    ...     "nobody else"
    'nobody else'
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._running = 0
        self._waiting = 0
        self._alone = False

    @contextmanager
    def beside(self) -> Iterator[None]:
        """A turn beside others; one that wants to be alone goes first."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone and not self._waiting)
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """A turn while nobody else runs."""
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: not self._alone and not self._running)
                self._alone = True
            finally:
                self._waiting -= 1
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()

    def patiently(self, once: Callable[[Limits], Outcome], limits: Limits) -> Outcome:
        """The outcome of a child, which runs once more alone if it runs out of wall time.

        Wall time also passes while others compute, so the run without others counts.
        """
        with self.beside():
            outcome = once(limits)
        if outcome.limit != NAMES["wall"]:
            return outcome
        with self.alone():
            return once(replace(limits, wall=ALONE * limits.wall))
