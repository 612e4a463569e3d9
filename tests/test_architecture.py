"""The layout shows the architecture: few doors, and wings that say what they are."""

import ast
import re
from pathlib import Path

import pytest

from irmetrics_edu.metrics import FAMILIES
from tests.conftest import ROOT

PACKAGE = ROOT / "irmetrics_edu"
WINGS = sorted(p.parent for p in PACKAGE.glob("*/__init__.py"))
MOST_MODULES = 12


def said(wing: Path) -> str:
    """What a wing's `__init__` says of it."""
    return ast.get_docstring(ast.parse((wing / "__init__.py").read_text(encoding="utf-8"))) or ""


def test_the_top_folder_holds_a_dozen_modules_at_most():
    """The doors, and the ground that all stand on."""
    assert len(list(PACKAGE.glob("*.py"))) <= MOST_MODULES


@pytest.mark.parametrize("wing", WINGS, ids=lambda wing: wing.name)
def test_a_wing_says_what_it_is(wing):
    """A sentence of what lives there, and where to start reading."""
    text = said(wing)
    assert text.split("\n", 1)[0].endswith((".", "`"))
    (start,) = re.search(r"Start with `([\w./]+)`\.$", text).groups()
    assert (wing / start).exists()


def test_the_contracts_know_every_family():
    """A new family of metrics is kept out of the views and assertions too."""
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert [f for f in FAMILIES if f'"irmetrics_edu.metrics.{f}"' not in contracts] == []


UNEXPLAINED = re.compile(
    r"# (?:noqa(?!: [A-Z0-9, ]+ -- \S)|type: ignore(?!\[import-|\[[a-z, -]+\]  ?# \S)).*$",
    re.MULTILINE,
)


@pytest.mark.parametrize("folder", ["irmetrics_edu", "dev"])
def test_what_a_checker_is_told_to_overlook_has_a_reason(folder):
    """Beside its rule; that a library carries no types is a reason by itself."""
    unexplained = {
        path.relative_to(ROOT).as_posix(): found
        for path in (ROOT / folder).rglob("*.py")
        if (found := UNEXPLAINED.findall(path.read_text(encoding="utf-8")))
    }
    assert unexplained == {}


@pytest.mark.parametrize(
    ("comment", "explained"),
    [
        ("# noqa: S603 -- its own interpreter", True),
        ("# type: ignore[misc]  # mypy infers nothing here", True),
        ("# type: ignore[import-untyped]", True),
        ("# noqa: S603", False),
        ("# noqa", False),
        ("# type: ignore[misc]", False),
        ("# type: ignore", False),
    ],
)
def test_a_reason_stands_behind_the_rule(comment, explained):
    """Each kind of comment, with and without one."""
    assert (UNEXPLAINED.search(comment) is None) is explained


def test_a_tool_imports_no_test():
    """Tests import tools; the other way round would be a circle."""
    importing = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "dev").rglob("*.py")
        if re.search(r"^\s*(?:from|import) tests\b", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert importing == []
