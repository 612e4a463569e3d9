"""The page on trust: each promise names tests, and these exist."""

import re

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| (?!promise|---)(.+?) \| (.+?) \|$", re.MULTILINE)
PROMISES = {promise: re.findall(r"`(\w+)`", tests) for promise, tests in _ROW.findall(PAGE)}


@pytest.fixture(scope="module")
def defined():
    """The names of all tests."""
    names = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        names |= set(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    return names


def test_each_promise_has_a_test_that_exists(defined):
    """A promise without a test is none."""
    assert len(PROMISES) >= 11
    for promise, tests in PROMISES.items():
        assert tests, promise
        assert set(tests) <= defined, promise


def test_the_pages_on_security_lead_to_it():
    """From where somebody asks what is safe."""
    assert "docs/trust.md" in (ROOT / ".github" / "SECURITY.md").read_text(encoding="utf-8")
    assert "(trust.md)" in (ROOT / "docs" / "sandbox.md").read_text(encoding="utf-8")
