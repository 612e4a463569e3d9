"""What all tests share: a plotting backend without a window, steady hypothesis, ../shared."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("MPLBACKEND", "Agg")

# No deadline: on a busy machine the time of one example says nothing about the code. Forty examples
# keep the whole suite to minutes; `make test ARGS=--hypothesis-profile=thorough` tries many more.
# In CI the examples are the same every time, so that a red run is about the change at hand.
settings.register_profile("local", deadline=None, max_examples=40)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.register_profile("ci", deadline=None, max_examples=40, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "local")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of documents and measurements beside the project; without it, skip."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("this test reads ../shared, which is not here")
    return folder
