"""Which tests a session selected, collected and ran: a test it did not see may still exist."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import pytest

# Options under which tests are left out without being told of, by their names on the command line.
_UNSEEN = {
    "lf": "--lf",
    "stepwise": "--stepwise",
    "ignore": "--ignore",
    "ignore_glob": "--ignore-glob",
}
_PICKED = {"keyword": "-k", "markexpr": "-m", "deselect": "--deselect"}


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
            self.uncollected or _given(config, _UNSEEN) or _nodes(config) or self._dropped(session)
        )

    def _dropped(self, session: pytest.Session) -> int:
        """How many tests were found and taken out without a word, as by a plugin of shards.

        Who does that may have kept other tests from being found at all.
        """
        kept = {id(item) for item in (*session.items, *self.deselected)}
        return sum(id(item) not in kept for item in self.collected)

    def told(self, session: pytest.Session) -> dict[str, Any]:
        """What a worker sends."""
        return {"collected": len(session.items), "why": self.partial(session, ran=False)}

    def partial(self, session: pytest.Session, *, ran: bool = True) -> str:
        """Why some tests were not collected and run; "" if all were."""
        config = session.config
        given = _given(config, _UNSEEN | _PICKED)
        if given:
            return f"{given} leaves tests out"
        if _nodes(config):
            return "single tests were asked for"
        if any((config.invocation_params.dir / given).is_file() for given in config.args):
            return "single files were asked for"
        if self.uncollected:
            return f"{self.uncollected[0]} could not be collected"
        if self.deselected:
            return f"{len(self.deselected):,} tests were deselected"
        dropped = self._dropped(session)
        if dropped:
            return f"a plugin or a conftest took {dropped:,} of the tests out"
        told = next((worker["why"] for worker in self.workers if worker["why"]), "")
        if told or not ran:
            return told
        collected = max([len(session.items), *(worker["collected"] for worker in self.workers)])
        if len(self.ran) < collected or session.exitstatus not in (
            pytest.ExitCode.OK,
            pytest.ExitCode.TESTS_FAILED,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        ):
            return f"{len(self.ran):,} of {collected:,} tests were run"
        return ""


def _given(config: pytest.Config, options: Mapping[str, str]) -> str:
    return next((flag for name, flag in options.items() if config.getoption(name, None)), "")


def _nodes(config: pytest.Config) -> bool:
    return any("::" in given for given in config.args)
