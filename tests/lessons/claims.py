"""The two kinds of claim, and what their rows need of a chapter: its text, its names."""

import ast
import functools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl

from dev.tools import quick
from dev.tools.notebooks import sources

SEEDS = range(30)
LEAST = 27


@dataclass(frozen=True)
class Lesson:
    """A conclusion from random data: of 30 seeds it holds in at least 27, or in as many as told."""

    chapter: str
    sentence: str  # letter for letter
    drawn: str  # what differs from seed to seed
    holds: Callable[[int], bool]
    told: int | None = None

    def failure(self) -> str:
        """Nothing, or in how many draws it holds and in which it doesn't."""
        without = [seed for seed in SEEDS if not self.holds(seed)]
        held = len(SEEDS) - len(without)
        if held == self.told or (self.told is None and held >= LEAST):
            return ""
        wanted = f"at least {LEAST}" if self.told is None else f"the {self.told} that it tells"
        return f"holds in {held} of {len(SEEDS)}, not in {wanted}; not with the seeds {without}"


@dataclass(frozen=True)
class Rule:
    """A sentence that admits no exception: it holds of every one of these inputs."""

    chapter: str
    sentence: str  # letter for letter
    tried: str  # which inputs these are
    inputs: Callable[[], Iterable[Any]]
    holds: Callable[[Any], bool]

    def failure(self) -> str:
        """Nothing, or the first input that contradicts it."""
        number = 0
        for given in self.inputs():
            number += 1
            if not self.holds(given):
                return f"doesn't hold of {given!r}"
        return "" if number else "was tried on no input"


Claim = Lesson | Rule


def source_of(chapter: str) -> str:
    """The source of a chapter."""
    [path] = sources([chapter])
    return path.read_text(encoding="utf-8")


@functools.cache
def texts_of(chapter: str) -> tuple[str, ...]:
    """The prose of a chapter in one line, and each text of its code."""
    source = source_of(chapter)
    prose = re.sub(r"\n# *", " ", source)
    code = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return (prose, *(node.value for node in code if isinstance(node.value, str)))


def names_of(
    chapter: str, changes: Sequence[tuple[str, str]] = (), stop: str = "", without: str = ""
) -> dict[str, Any]:
    """The names of a chapter after its cells have run, up to the first that has the text `stop`.

    `changes` are pairs of a text of its code and what stands there instead; one that isn't there
    is an error. A cell with the text `without` is left out.
    """
    mpl.use("Agg")
    [path] = sources([chapter])
    found = quick.cells(path)
    for old, _ in changes:
        assert any(old in code for _, code in found), f"chapter {chapter} has no {old}"
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, code in found:
        if without and without in code:
            continue
        changed = code
        for old, new in changes:
            changed = changed.replace(old, new)
        if stop and stop in code:
            quick.execute(changed[: changed.index(stop)], names, str(path), number)
            break
        quick.execute(changed, names, str(path), number)
    return names
