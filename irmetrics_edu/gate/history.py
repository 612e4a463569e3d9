"""The history of gates: a line of JSON for each measure that a gate compared, commit by commit."""

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu import writing
from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.reading.records import decoded, each_key_once
from irmetrics_edu.runs.intervals import interval
from irmetrics_edu.views.formatting import steady

_LEVEL = 0.05
_COMMITS = ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT")  # where CI says it


@dataclass(frozen=True)
class Entry:
    """What one gate found for a measure: the mean, its interval, and the margin that it tolerates.

    `low` and `high` bound the 95 % interval of the mean (Student's t), or are None if it takes more
    queries. `margin` is None where a baseline was written, so that nothing was compared.
    """

    commit: str
    test: str
    measure: str
    verdict: str
    score: float
    low: float | None
    high: float | None
    queries: int
    margin: float | None


def entries(results: Iterable[Mapping[str, Any]], commit: str) -> list[Entry]:
    """The entries of what a session measured: of its gates, and of the baselines that it wrote."""
    found = []
    for one in results:
        margin = one["bounds"].get("margin")
        if one["score"] is None or (margin is None and one["verdict"] not in {"new", "updated"}):
            continue
        ends = interval(np.array([*one["per_query"].values()], dtype=float), _LEVEL)
        low, high = (steady(end) if np.isfinite(end) else None for end in ends)
        found.append(
            Entry(
                commit=commit,
                test=one["test"],
                measure=one["measure"],
                verdict=one["verdict"],
                score=steady(one["score"]),
                low=low,
                high=high,
                queries=one["queries"],
                margin=margin,
            )
        )
    return found


def append(path: Path, found: Sequence[Entry]) -> list[str]:
    """Add entries to a file, which other sessions may write to at the same time.

    Lines that can't be read are kept aside first, in a file beside, and the words for it returned:
    no session is stopped by what another one left.
    """
    said = []
    with writing.locked(path):
        if path.exists():
            lines, unreadable = _lines(path)
            if unreadable:
                beside = path.with_name(f"{path.name}.unreadable")
                writing.append(beside, "".join(f"{line}\n" for _, line in unreadable))
                writing.write(path, "".join(f"{line}\n" for line, _ in lines))
                numbers = ", ".join(str(number) for number, _ in unreadable)
                where = "line" if len(unreadable) == 1 else "lines"
                said.append(f"{path}, {where} {numbers}: not readable, and kept in {beside}")
        writing.append(path, "".join(json.dumps(asdict(one)) + "\n" for one in found))
    return said


def read(path: Path) -> list[Entry]:
    """The entries of a file, in the order in which they were written; an error names the line."""
    lines, unreadable = _lines(path)
    if unreadable:
        number, line = unreadable[0]
        torn = number > len(lines) + len(unreadable) - 1 and not _ends(path)
        what = "the last line is torn, since whoever wrote it was stopped"
        if not torn:
            what = f"{line!r:.60} is no line of a history of gates"
        raise InputError(
            f"{path}, line {number}: {what}; the next session with --irm-history keeps it aside, "
            "or remove it"
        )
    return [one for _, one in lines]


def _ends(path: Path) -> bool:
    """Whether the last line of a file is whole."""
    return path.read_bytes().endswith(b"\n")


def _lines(path: Path) -> tuple[list[tuple[str, Entry]], list[tuple[int, str]]]:
    """The lines of a file with their entries, and those that can't be read with their numbers.

    A last line without its end is torn: whoever wrote it was stopped.
    """
    text = decoded(path.read_bytes(), str(path))
    *whole, rest = text.split("\n")
    lines: list[tuple[str, Entry]] = []
    unreadable: list[tuple[int, str]] = []
    for number, line in enumerate(whole, 1):
        try:
            lines.append((line, _entry(json.loads(line, object_pairs_hook=each_key_once))))
        except (ValueError, TypeError):
            unreadable.append((number, line))
    if rest:
        unreadable.append((len(whole) + 1, rest))
    return lines, unreadable


def _entry(said: Any) -> Entry:
    if not isinstance(said, dict) or said.keys() != {f.name for f in fields(Entry)}:
        raise ValueError
    for name in ("commit", "test", "measure", "verdict"):
        if not isinstance(said[name], str):
            raise TypeError
    for name in ("score", "low", "high", "queries", "margin"):
        empty = said[name] is None and name not in {"score", "queries"}
        if not empty and (isinstance(said[name], bool) or not np.isfinite(said[name])):
            raise ValueError
    return Entry(**said)


def series(found: Iterable[Entry]) -> dict[tuple[str, str], list[Entry]]:
    """The entries by test and measure, each series in the order of the file."""
    by: dict[tuple[str, str], list[Entry]] = {}
    for one in found:
        by.setdefault((one.test, one.measure), []).append(one)
    return by


def drift(of: Sequence[Entry]) -> tuple[Entry, Entry] | None:
    """From where to where a measure drifted: down by more than the margin, never at once.

    It starts at the highest score since the last step that alone fell by more than the margin: a
    gate has told of that. None if the last score is within the margin of it.
    """
    margin = max((one.margin for one in of if one.margin is not None), default=None)
    if margin is None:
        return None
    told = (i for i, (a, b) in enumerate(pairwise(of), 1) if exceeds(a.score - b.score, margin))
    since = of[max(told, default=0) :]
    top = max(reversed(since), key=lambda one: one.score)
    return (top, of[-1]) if exceeds(top.score - of[-1].score, margin) else None


def commit_of(folder: Path, *beside: Path) -> str:
    """The commit that is tested, by CI's variables or by git; "" if neither says.

    It ends in "-dirty" if files that git knows are changed and not committed. Files `beside`, such
    as a history that is committed, don't count.
    """
    told = [os.environ[name] for name in _COMMITS if os.environ.get(name)]
    commit = told[0] if told else _git(folder, "rev-parse", "HEAD")
    if not commit:
        return ""
    ignored = [f":(exclude,top){_below(path, folder)}" for path in beside]
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no", "--", ".", *ignored)
    return f"{commit}-dirty" if changed else commit


def _below(path: Path, folder: Path) -> str:
    """A path as git writes it, from the top of the repository."""
    top = _git(folder, "rev-parse", "--show-toplevel")
    return Path(os.path.relpath(path.resolve(), top or folder)).as_posix()


def _git(folder: Path, *arguments: str) -> str:
    """What git prints; "" if there is no git, or no repository."""
    try:
        done = subprocess.run(  # noqa: S603 -- our own arguments
            ["git", *arguments],  # noqa: S607 -- the git that the user has
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
