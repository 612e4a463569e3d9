"""A pytest plugin that notes the seconds of processor that each test takes, in its children too."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path("build/mutants/durations")
_seconds: dict[str, float] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Set-up, call and tear-down of a test."""
    before = sum(os.times()[:4])
    result = yield
    _seconds[item.nodeid] = sum(os.times()[:4]) - before
    return result


def pytest_sessionfinish() -> None:
    """Each process writes its own."""
    if _seconds:
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{os.getpid()}.json").write_text(json.dumps(_seconds), encoding="utf-8")


def read() -> dict[str, float]:
    """What the last run noted."""
    found: dict[str, float] = {}
    for path in sorted(FOLDER.glob("*.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found
