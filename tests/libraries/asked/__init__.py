"""What each library is asked for: a module for each, named as its bundle.

How it is asked stands in `dev/tools/libraries/asked_*.py`, which its adapter uses
too. A library is imported when it is asked, not before, so that a module can be read without it. A
module has

- `GROUP`, the environment of `make suite SUITE=libraries-GROUP` that holds the library;
- `METRICS`, names of metrics, each of which the bundle knows;
- `ask(metric, run, qrels)`, which gives the library's own mean over the queries, its values by
  query, or both, as an `Answer`;
- `SKIPS`, recorded inputs that can't be put to the library, or that it answers by chance;
- if it takes less than the inputs drawn have, `DRAWN`, which says what (see `Drawn`).
"""

import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from irmetrics_edu.libraries import Bundle


@dataclass(frozen=True)
class Drawn:
    """Which inputs the live comparison draws; the recorded inputs hold the rest, as quirks."""

    grades: tuple[int, int] = (-1, 3)
    ties: bool = True
    relevant: bool = False  # whether each query has a relevant document
    found: bool = False  # whether it has one in the ranking
    longest: int = 12
    queries: int = 3


NAMES = tuple(sorted(p.stem for p in Path(__file__).parent.glob("*.py") if p.stem[0] != "_"))


def library(name: str) -> ModuleType:
    """The module that asks a library."""
    return import_module(f"{__name__}.{name}")


def installs_here(bundle: Bundle) -> bool:
    """Whether the version that a bundle speaks of installs under this Python."""
    least = tuple(int(part) for part in bundle.python.split(".") if part)
    return sys.version_info[:3] >= least


def of_group(group: str) -> list[str]:
    """The libraries that an environment holds."""
    return [name for name in NAMES if group == library(name).GROUP]
