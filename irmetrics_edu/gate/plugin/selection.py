"""Which tests a session selected, collected and ran: a test it did not see may still exist."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import pytest

# Options under which tests are left out without being told of, and options that tell it.
_UNSEEN = ("lf", "stepwise", "ignore", "ignore_glob")
_PICKED = ("keyword", "markexpr", "deselect")


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

    def _dropped(self, session: pytest.Session) -> bool:
        """Whether tests were found and taken out without a word, as by a plugin of shards.

        Who does that may have kept other tests from being found at all.
        """
        kept = {id(item) for item in (*session.items, *self.deselected)}
        return any(id(item) not in kept for item in self.collected)

    def told(self, session: pytest.Session) -> dict[str, Any]:
        """What a worker sends."""
        return {"collected": len(session.items), "partial": self._partly_collected(session)}

    def partial(self, session: pytest.Session) -> bool:
        """Whether some tests were not collected, or not run."""
        collected = max([len(session.items), *(worker["collected"] for worker in self.workers)])
        ended = session.exitstatus in (
            pytest.ExitCode.OK,
            pytest.ExitCode.TESTS_FAILED,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        )
        return (
            self._partly_collected(session)
            or any(worker["partial"] for worker in self.workers)
            or len(self.ran) < collected
            or not ended
        )

    def _partly_collected(self, session: pytest.Session) -> bool:
        config = session.config
        return bool(
            self.blind(session)
            or _given(config, _PICKED)
            or any((config.invocation_params.dir / given).is_file() for given in config.args)
            or self.deselected
        )


def _given(config: pytest.Config, options: Sequence[str]) -> bool:
    return any(config.getoption(name, None) for name in options)


def _nodes(config: pytest.Config) -> bool:
    return any("::" in given for given in config.args)
