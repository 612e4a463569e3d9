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

from irmetrics_edu import checks, writing
from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.reading.records import decoded, each_key_once
from irmetrics_edu.runs.intervals import interval
from irmetrics_edu.views.formatting import steady

_LEVEL = 0.05
_LARGEST = 1e300  # a difference of two such numbers is still a number, and can be drawn
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
    """The entries of what a session measured: of its gates, and of the baselines that it wrote.

    They come by test and measure, since tests run in any order, and in several processes.
    """
    new_entries = []
    for one in results:
        margin = one["bounds"].get("margin")
        is_gate = margin is not None or one["verdict"] in {"new", "updated"}
        if one["score"] is None or not is_gate:
            continue
        scores = np.array([*one["per_query"].values()], dtype=float)
        low, high = interval(scores, _LEVEL)
        new_entries.append(
            Entry(
                commit=commit,
                test=one["test"],
                measure=one["measure"],
                verdict=one["verdict"],
                score=steady(one["score"]),
                low=_known(low),
                high=_known(high),
                queries=one["queries"],
                margin=margin,
            )
        )
    return sorted(new_entries, key=lambda entry: (entry.test, entry.measure))


def _known(end: float) -> float | None:
    """An end of an interval; None if there is no interval."""
    return steady(end) if np.isfinite(end) else None


def append(path: Path, added: Sequence[Entry]) -> list[str]:
    """Add entries to a file, which other sessions may write to at the same time.

    Lines that can't be read are kept aside first, in a file beside, and the words for it returned:
    no session is stopped by what another one left.
    """
    new = [json.dumps(asdict(one)) for one in added]
    notes = []
    with writing.locked(path):
        if path.exists():
            notes = _kept_aside(path)
        writing.append(path, _text(new))
    return notes


def _kept_aside(path: Path) -> list[str]:
    """Move the lines that can't be read to a file beside; the words for it, if there are any."""
    lines, unreadable = _lines(path)
    if not unreadable:
        return []
    beside = path.with_name(f"{path.name}.unreadable")
    writing.append(beside, _text([line for _, line in unreadable]))
    writing.write(path, _text([line for line, _ in lines]))
    numbers = ", ".join(str(number) for number, _ in unreadable)
    where = "line" if len(unreadable) == 1 else "lines"
    return [f"{path}, {where} {numbers}: not readable, and kept in {beside}"]


def _text(lines: Sequence[str]) -> str:
    """The text of a file with these lines."""
    return "".join(f"{line}\n" for line in lines)


def read(path: Path) -> list[Entry]:
    """The entries of a file, in the order in which they were written; an error names the line."""
    lines, unreadable = _lines(path)
    if unreadable:
        number, line = unreadable[0]
        last = len(lines) + len(unreadable)
        if number >= last and not _ends(path):
            what = "the last line is torn, since whoever wrote it was stopped"
        else:
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
            value = json.loads(line, object_pairs_hook=each_key_once)
            entry = _entry(value)
        except (ValueError, TypeError, RecursionError):  # the last: nested too deeply
            unreadable.append((number, line))
        else:
            lines.append((line, entry))
    if rest:
        unreadable.append((len(whole) + 1, rest))
    return lines, unreadable


def _entry(content: Any) -> Entry:
    """The entry that a line holds; ValueError or TypeError if it holds none."""
    names = {f.name for f in fields(Entry)}
    if not isinstance(content, dict) or content.keys() != names:
        raise ValueError
    for name in ("commit", "test", "measure", "verdict"):
        if not isinstance(content[name], str):
            raise TypeError
    for name in ("score", "low", "high", "queries", "margin"):
        value = content[name]
        if value is None and name not in {"score", "queries"}:
            continue
        if isinstance(value, bool) or not np.isfinite(value) or abs(value) > _LARGEST:
            raise ValueError
    checks.whole("queries", content["queries"], 0, checks.MOST_COUNTED)  # its error is a ValueError
    entry = Entry(**content)
    _check_interval(entry)
    return entry


def _check_interval(entry: Entry) -> None:
    """Refuse one end of an interval without the other, and ends in the wrong order."""
    low = entry.low
    high = entry.high
    if low is None and high is None:
        return
    if low is None or high is None or low > high:
        raise ValueError


def series(timeline: Iterable[Entry]) -> dict[tuple[str, str], list[Entry]]:
    """The entries by test and measure, each series in the order of the file."""
    by: dict[tuple[str, str], list[Entry]] = {}
    for one in timeline:
        of_series = by.setdefault((one.test, one.measure), [])
        of_series.append(one)
    return by


def drift(timeline: Sequence[Entry]) -> tuple[Entry, Entry] | None:
    """From where to where a measure drifted: down by more than the margin, never at once.

    It starts at the highest score since the last step that alone fell by more than the margin: a
    gate has told of that. None if the last score is within the margin of it.
    """
    margins = [one.margin for one in timeline if one.margin is not None]
    if not margins:
        return None
    margin = max(margins)
    begin = 0
    for place, (before, after) in enumerate(pairwise(timeline), 1):
        if exceeds(before.score - after.score, margin):
            begin = place
    last = timeline[-1]
    top = max(reversed(timeline[begin:]), key=lambda one: one.score)
    if exceeds(top.score - last.score, margin):
        return top, last
    return None


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
    question = ("status", "--porcelain", "--untracked-files=no")
    changed = _git(folder, *question, "--", ":/", *ignored)
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
