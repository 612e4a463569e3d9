"""Which tests a session selected, collected and ran: a test it did not see may still exist."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest

# Options under which tests are left out without being told of, by their names on the command line.
_UNSEEN = {
    "lf": "--lf",
    "stepwise": "--stepwise",
    "ignore": "--ignore",
    "ignore_glob": "--ignore-glob",
}
# Options that tell of it.
_PICKED = {
    "keyword": "-k",
    "markexpr": "-m",
    "deselect": "--deselect",
}
_TO_THE_END = (
    pytest.ExitCode.OK,
    pytest.ExitCode.TESTS_FAILED,
    pytest.ExitCode.NO_TESTS_COLLECTED,
)


class Cause(Enum):
    """Why a session is no run of all tests; each with its sentence."""

    OPTION = "{what} leaves tests out"
    SINGLE_TESTS = "single tests were asked for ({what})"
    SINGLE_FILES = "single files were asked for ({what})"
    NOT_COLLECTED = "{what} could not be collected"
    DESELECTED = "tests were deselected: {count:,}"
    TAKEN_OUT = "a plugin or a conftest took tests out: {count:,}"
    NOT_RUN = "{count:,} of {among:,} tests were run"
    STOPPED = "the session was stopped before its end"


@dataclass(frozen=True)
class PartialRun:
    """Why a session is no run of all tests: by which option, for which file, how many tests."""

    cause: Cause
    what: str = ""
    count: int = 0
    among: int = 0

    @property
    def sentence(self) -> str:
        """The reason in words."""
        return self.cause.value.format(what=self.what, count=self.count, among=self.among)

    def facts(self) -> dict[str, Any]:
        """The reason in plain values, as a worker sends it."""
        return {**vars(self), "cause": self.cause.name}


def _of_facts(facts: Mapping[str, Any]) -> PartialRun:
    return PartialRun(**{**facts, "cause": Cause[facts["cause"]]})


@dataclass(frozen=True)
class Selection:
    """The tests that a session saw and left out, with the reports of its workers."""

    collected: Sequence[pytest.Item]
    deselected: Sequence[pytest.Item]
    uncollected: Sequence[str]  # files that could not be imported
    ran: AbstractSet[str]
    workers: Sequence[Mapping[str, Any]]

    def blind(self, session: pytest.Session) -> bool:
        """Whether there may be tests that the session has not seen."""
        config = session.config
        return bool(
            self.uncollected
            or _given(config, _UNSEEN)
            or _single_tests(config)
            or self._dropped(session)
        )

    def _dropped(self, session: pytest.Session) -> int:
        """How many tests were found and taken out without a word, as by a plugin of shards.

        Who does that may have kept other tests from being found at all.
        """
        kept = {id(item) for item in (*session.items, *self.deselected)}
        return sum(id(item) not in kept for item in self.collected)

    def told(self, session: pytest.Session) -> dict[str, Any]:
        """What a worker sends."""
        partial = self._partly_collected(session)
        return {
            "collected": len(session.items),
            "partial": None if partial is None else partial.facts(),
        }

    def partial(self, session: pytest.Session) -> PartialRun | None:
        """Why some tests were not collected, or not run; None if all were."""
        here = self._partly_collected(session)
        if here is not None:
            return here
        for worker in self.workers:
            if worker["partial"] is not None:
                return _of_facts(worker["partial"])
        collected = max([len(session.items), *(worker["collected"] for worker in self.workers)])
        if len(self.ran) < collected:
            return PartialRun(Cause.NOT_RUN, count=len(self.ran), among=collected)
        if session.exitstatus not in _TO_THE_END:
            return PartialRun(Cause.STOPPED)
        return None

    def _partly_collected(self, session: pytest.Session) -> PartialRun | None:
        """Why some tests were not collected; the reason that a user sees best comes first."""
        config = session.config
        option = _given(config, _UNSEEN | _PICKED)
        if option:
            return PartialRun(Cause.OPTION, what=option)
        tests = _single_tests(config)
        if tests:
            return PartialRun(Cause.SINGLE_TESTS, what=tests[0])
        files = _single_files(config)
        if files:
            return PartialRun(Cause.SINGLE_FILES, what=files[0])
        if self.uncollected:
            return PartialRun(Cause.NOT_COLLECTED, what=self.uncollected[0])
        if self.deselected:
            return PartialRun(Cause.DESELECTED, count=len(self.deselected))
        dropped = self._dropped(session)
        if dropped:
            return PartialRun(Cause.TAKEN_OUT, count=dropped)
        return None


def _given(config: pytest.Config, options: Mapping[str, str]) -> str:
    """The first of these options that is given, as it is written; "" if none is."""
    for name, option in options.items():
        if config.getoption(name, None):
            return option
    return ""


def _single_tests(config: pytest.Config) -> list[str]:
    """The arguments that name tests, and not files or folders."""
    return [argument for argument in config.args if "::" in argument]


def _single_files(config: pytest.Config) -> list[str]:
    """The arguments that name files."""
    folder = config.invocation_params.dir
    return [argument for argument in config.args if (folder / argument).is_file()]
