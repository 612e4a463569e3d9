"""How each library is asked for its metrics: a module for each, named as its bundle.

A module imports its library when it is asked, not before, so that it can be read without it. It has

- `GROUP`, the environment of `make test-libraries-GROUP` that holds the library;
- `METRICS`, names of metrics, each of which the bundle knows;
- `ask(metric, run, qrels)`, which gives the library's own mean over the queries, its values by
  query, or both, as an `Answer`;
- `SKIPS`, recorded inputs that can't be put to the library, or that it answers by chance;
- if it takes less than the inputs drawn have, `DRAWN`, which says what (see `Drawn`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

Run = Mapping[str, Sequence[Any]]  # by query: pairs of document and score, or documents alone
Qrels = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Answer:
    """What a library gave: one number for all queries, and one for each of them, if it has them."""

    mean: float | None = None
    per_query: Mapping[str, float] | None = None


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


def of_group(group: str) -> list[str]:
    """The libraries that an environment holds."""
    return [name for name in NAMES if group == library(name).GROUP]


def ranked(given: Sequence[Any]) -> list[str]:
    """The documents by falling score, those of equal score as given; a list as it is."""
    if all(isinstance(d, str) for d in given):
        return list(given)
    return [d for d, _ in sorted(given, key=lambda pair: -pair[1])]


def scored(given: Sequence[Any]) -> list[tuple[str, float]]:
    """The documents with their scores; those of a list with falling ones."""
    if all(isinstance(d, str) for d in given):
        return [(d, float(len(given) - i)) for i, d in enumerate(given)]
    return [(d, float(s)) for d, s in given]


def relevant(judged: Mapping[str, int]) -> list[str]:
    """The documents of grade 1 or more, in the order of the judgments."""
    return [d for d, grade in judged.items() if grade >= 1]
