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
