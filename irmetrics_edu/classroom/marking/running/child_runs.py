"""The runs of a submission in children: their turns, and their patience.

Children run side by side or one alone, so that no mark depends on other programs.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock, Semaphore

from irmetrics_edu.classroom.grading.limits import NAMES, SandboxLimits
from irmetrics_edu.classroom.grading.outcome import Answer, NoValue, RunOutcome
from irmetrics_edu.classroom.grading.tiers import Tier

WALL = NAMES["wall"]
ALL_RUNS = "wall time of the whole notebook"
# How many times the wall time has one that is run again alone.
ALONE = 2


class Turns:
    """The children that may run now: as many side by side as there are workers, or one alone."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._turns = Semaphore(workers)
        self._alone = Lock()

    @contextmanager
    def beside(self) -> Iterator[None]:
        """A turn beside others; one that wants to be alone goes first."""
        with self._alone:
            self._turns.acquire()
        try:
            yield
        finally:
            self._turns.release()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """A turn while nobody else runs: it takes all turns."""
        with self._alone:
            for _ in range(self._workers):
                self._turns.acquire()
        try:
            yield
        finally:
            self._turns.release(self._workers)


class Patience:
    """The runs of one submission, and the seconds of them that the clock has cut.

    Wall time also passes while other programs compute. So a run that runs out of it runs once more
    alone, with twice the time, and that run counts. What is cut there too waits by itself: it is
    not tried again with more cells after it, and further runs are alone from the start. When such
    runs have taken the limit `submission`, nothing more is run.
    """

    def __init__(self, turns: Turns, limits: SandboxLimits) -> None:
        self.turns, self.limits = turns, limits
        self.lost = 0.0
        self._cut: list[tuple[object, Sequence[str], RunOutcome]] = []

    @property
    def spent(self) -> bool:
        """Whether the time of the submission is used up."""
        return self.lost >= self.limits.submission

    def run(
        self,
        cells: Sequence[str],
        beside: object,
        once: Callable[[SandboxLimits], RunOutcome],
        tier: Tier,
        cases: int,
    ) -> RunOutcome:
        """The outcome of these cells; without a run if they can only be cut, or no time is left.

        `beside` is what else the cells run with.
        """
        for beside_then, first, outcome in self._cut:
            if beside_then == beside and list(cells[: len(first)]) == list(first):
                return replace(outcome, answers=outcome.answers[:1] * cases)
        if self.spent:
            why = f"it was not run, as the {ALL_RUNS} was used up ({self.limits.submission:g} s)"
            return RunOutcome(
                (Answer(why=why, lack=NoValue.ENDED),) * cases,
                tier,
                limit=ALL_RUNS,
                ended=why,
            )
        outcome = self.patiently(once)
        if outcome.limit in {WALL, NAMES["cpu"]} and not outcome.ran:
            self._cut.append((beside, cells, outcome))
        return outcome

    def patiently(self, once: Callable[[SandboxLimits], RunOutcome]) -> RunOutcome:
        """The outcome of a child, which runs once more alone if it runs out of wall time."""
        before = 0.0 if self.lost else self.limits.wall
        if before:
            with self.turns.beside():
                outcome = once(self.limits)
            if outcome.limit != WALL:
                return outcome
        limits = replace(self.limits, wall=ALONE * self.limits.wall)
        with self.turns.alone():
            outcome = once(limits)
        if outcome.limit == WALL:
            self.lost += before + limits.wall
        return outcome


def waits(outcome: RunOutcome) -> bool:
    """Whether an answer waits when it is called, which it does without the other cells, too."""
    return outcome.ran and outcome.limit == WALL


def cut(patience: Patience, left: Sequence[str]) -> list[str]:
    """A note to the teacher on the time of the runs that were cut, and on what was not run."""
    if not patience.lost:
        return []
    note = f"the clock cut runs of the notebook after {patience.lost:g} s together"
    return [f"{note}; not run any more: {', '.join(left)} (--limit submission)" if left else note]
