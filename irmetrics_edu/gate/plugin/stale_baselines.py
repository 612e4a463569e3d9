"""Baselines whose test is gone: where they lie, and which test each may have become."""

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.plugin import BASELINES, baseline_files

Stale = tuple[str, str]  # a file of baselines, and a key in it
_NOT_OURS = {"node_modules", "__pycache__", "site-packages"}


@dataclass(frozen=True)
class Newcomer:
    """A gate without a baseline: a new test, or one that has another name or file now."""

    path: str
    key: str
    measures: Sequence[str]
    queries: Sequence[str]

    def facts(self) -> dict[str, Any]:
        """What a worker sends."""
        return {
            "path": self.path,
            "key": self.key,
            "newcomer": {"measures": list(self.measures), "queries": list(self.queries)},
            "said": "",
        }

    def may_be(self, entry: Mapping[str, Any]) -> bool:
        """Whether a baseline may be of this gate: it has one of its measures and its queries."""
        measures = set(entry.get("means", ()))
        queries = set(entry.get("queries", ()))
        return bool(measures & set(self.measures)) and bool(queries & set(self.queries))


def newcomers(told: Iterable[Mapping[str, Any]]) -> list[Newcomer]:
    """The gates of a session that had no baseline, whether or not one is written now."""
    unwritten = []
    for one in told:
        if "newcomer" in one:
            about = one["newcomer"]
            newcomer = Newcomer(
                one["path"],
                one["key"],
                measures=about["measures"],
                queries=about["queries"],
            )
            unwritten.append(newcomer)
        elif one.get("first"):
            entry = one["entry"]
            newcomer = Newcomer(
                one["path"],
                one["key"],
                measures=list(entry["means"]),
                queries=list(entry["queries"]),
            )
            unwritten.append(newcomer)
    return unwritten


def fitting(newcomer: Newcomer, stale: Iterable[Stale]) -> list[Stale]:
    """The baselines without a test that may be of this gate, the likeliest first."""
    candidates = []
    for path, key in stale:
        entry = _entries(path).get(key)
        if entry is not None and newcomer.may_be(entry):
            candidates.append((path, key))
    return sorted(candidates, key=lambda one: (_unlikeness(newcomer, one), one))


def _unlikeness(newcomer: Newcomer, stale: Stale) -> int:
    """How many of name, test file and folder differ."""
    path, key = stale
    file, _, name = key.partition("::")
    new_file, _, new_name = newcomer.key.partition("::")
    return 2 * (name != new_name) + (file != new_file) + (path != newcomer.path)


def _entries(path: str) -> Mapping[str, Any]:
    try:
        return baseline_files.read_once(Path(path))
    except InputError:  # the file is told of where it is needed
        return {}


def how_to_move(newcomer: Newcomer, stale: Stale) -> str:
    """The command that gives a baseline the name and the file of a gate."""
    path, key = stale
    words = ["irmetrics-edu", "baseline", "rename", key, newcomer.key]
    elsewhere = path != newcomer.path
    if Path(path).parent != Path.cwd() or elsewhere:
        words += ["--file", os.path.relpath(path)]
    if elsewhere:
        words += ["--to", os.path.relpath(newcomer.path)]
    return shlex.join(words)


def hint(newcomer: Newcomer, stale: Iterable[Stale]) -> str:
    """What a gate without a baseline may have been, and the command that says so; "" if nothing."""
    candidates = fitting(newcomer, stale)
    if not candidates:
        return ""
    likeliest = candidates[0]
    command = how_to_move(newcomer, likeliest)
    return f"if this test was {likeliest[1]}, which is gone: {command}"


@cache
def files_below(folder: Path) -> tuple[Path, ...]:
    """The files of baselines in a folder and below, but not in environments or hidden folders."""
    return tuple(sorted(_found_below(folder)))


def _found_below(folder: Path) -> Iterator[Path]:
    for here, folders, files in os.walk(folder):
        if "pyvenv.cfg" in files:
            folders.clear()
            continue
        folders[:] = [f for f in folders if not f.startswith(".") and f not in _NOT_OURS]
        if BASELINES in files:
            yield Path(here) / BASELINES
