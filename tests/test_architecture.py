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


def imported(wing: Path) -> set[str]:
    """The wings and top modules that a wing's files import, under TYPE_CHECKING and lazily too."""
    found = set()
    for file in wing.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            package, *inside = node.module.split(".")
            if package == PACKAGE.name:
                found |= {inside[0]} if inside else {alias.name for alias in node.names}
    there = {p.stem for p in PACKAGE.iterdir()}
    return (found & there) - {wing.name}


def test_the_top_folder_holds_a_dozen_modules_at_most():
    """The doors, and the ground that all stand on."""
    assert len(list(PACKAGE.glob("*.py"))) <= MOST_MODULES


@pytest.mark.parametrize("wing", WINGS, ids=lambda wing: wing.name)
def test_a_wing_says_what_it_is(wing):
    """A sentence of what lives there, what it imports, and where to start reading."""
    text = said(wing)
    assert text.split("\n", 1)[0].endswith((".", "`"))
    words = " ".join(text.split())
    imports, start = re.search(r"Imports ([\w, ]+)\. Start with `([\w.]+)`\.$", words).groups()
    assert {name.strip() for name in imports.split(",")} - {"nothing"} == imported(wing)
    assert (wing / start).exists()


def test_the_contracts_know_every_family():
    """A new family of metrics is kept out of the views and assertions too."""
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert [f for f in FAMILIES if f'"irmetrics_edu.metrics.{f}"' not in contracts] == []
