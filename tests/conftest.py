"""What all tests share: a plotting backend without a window, steady hypothesis, ../shared."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("MPLBACKEND", "Agg")

# No deadline: on a busy machine the time of one example says nothing about the code. Forty examples
# keep the whole suite to minutes; `make test-thorough` tries many more, other ones each time, and
# none but those of its seed. In CI the examples are the same every time, so that a red run is about
# the change at hand.
ORDINARY = 40
settings.register_profile("local", deadline=None, max_examples=ORDINARY)
settings.register_profile(
    "thorough", deadline=None, max_examples=500, derandomize=False, database=None
)
settings.register_profile(
    "ci", deadline=None, max_examples=ORDINARY, derandomize=True, database=None
)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def examples(n: int) -> int:
    """How many examples a slow property gets that has n in an ordinary run: more if thorough."""
    return n * settings.default.max_examples // ORDINARY


ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of documents and measurements beside the project; without it, skip."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("this test reads ../shared, which is not here")
    return folder
