"""Retrievers are too big for every environment: `make suite SUITE=retrievers` asks them."""

from importlib.util import find_spec

import pytest

from irmetrics_edu import measured as listeners

collect_ignore = [] if find_spec("qdrant_client") else ["test_sample_rag.py"]


class Listener:
    """Keeps what it is told."""

    def __init__(self):
        self.facts = []

    def hear(self, measurement):
        """Keep it."""
        self.facts.append(measurement.facts())

    def reveal(self):
        """Everything."""
        return "all"

    def policy(self):
        """None."""
        return {}


@pytest.fixture
def heard():
    """What assertions measured."""
    listener = Listener()
    listeners.listen(listener)
    yield listener.facts
    listeners.stop(listener)
