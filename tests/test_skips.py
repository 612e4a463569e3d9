"""Where all tests have to run, what may still be skipped: what a clone can't have, and no more."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest


def _skip(reason: str, *marks: str, file: str = "tests/a.py") -> Any:
    longrepr = (file, 1, f"Skipped: {reason}")
    return SimpleNamespace(
        nodeid=f"{file}::test_it", keywords=dict.fromkeys(marks, 1), longrepr=longrepr
    )


def _session(*skips: Any) -> Any:
    reporter = SimpleNamespace(stats={"skipped": list(skips)})
    plugins = SimpleNamespace(get_plugin=lambda _: reporter)
    return SimpleNamespace(exitstatus=0, config=SimpleNamespace(pluginmanager=plugins))


@pytest.mark.parametrize(
    ("skips", "fails"),
    [
        ([], False),
        ([_skip(conftest.NOT_HERE, "shared")], False),
        ([_skip(conftest.NOT_HERE, "shared")] * 2, False),
        ([_skip("no browser is here", "shared")], True),  # marked, and skipped for another reason
        ([_skip(conftest.NOT_HERE)], True),  # the words alone are no mark
        ([_skip(conftest.NOT_HERE, "shared"), _skip("no browser is here")], True),
    ],
)
def test_what_is_skipped_fails_but_for_what_a_clone_lacks(
    skips: list[Any], fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under NO_SKIPS; without it nothing fails."""
    session = _session(*skips)
    monkeypatch.setenv("NO_SKIPS", "1")
    conftest.pytest_sessionfinish(session)
    assert bool(session.exitstatus) is fails
    session = _session(*skips)
    monkeypatch.delenv("NO_SKIPS")
    conftest.pytest_sessionfinish(session)
    assert session.exitstatus == 0


def test_what_was_not_run_is_said_by_file() -> None:
    """With its reason, and each file that is exempt with its number."""
    told: list[str] = []
    skips = [_skip(conftest.NOT_HERE, "shared", file=f"tests/{name}.py") for name in "bab"]
    reporter = SimpleNamespace(stats={"skipped": skips}, write_line=told.append)
    conftest.pytest_terminal_summary(reporter)
    assert told == [
        f"Not run: {conftest.NOT_HERE} (3)",
        "Not run, and no failure under NO_SKIPS: tests/a.py (1), tests/b.py (2)",
    ]


def test_whoever_reads_what_lies_beside_is_marked(request: pytest.FixtureRequest) -> None:
    """By its fixture, so nobody can forget the mark."""
    items = request.session.items
    reading = {item.nodeid for item in items if "shared" in getattr(item, "fixturenames", ())}
    assert {item.nodeid for item in items if item.get_closest_marker("shared")} == reading


def test_nobody_else_knows_where_it_lies() -> None:
    """A test without the mark can't read what lies beside, so it runs alike in a clone without."""
    place = re.compile(r"\.\./shared/|/ ?[\"']shared[\"']|conftest\.SHARED|import .*\bSHARED\b")
    found = [
        str(path.relative_to(conftest.ROOT))
        for folder in ("tests", "dev", "irmetrics_edu")
        for path in sorted((conftest.ROOT / folder).rglob("*.py"))
        if path != Path(__file__) and place.search(path.read_text(encoding="utf-8"))
    ]
    assert found == ["tests/conftest.py"]
