# ruff: noqa: E501 -- one input or one line of a page a line
"""The page of limits, docs/limits.md: its tables are written, and its words stand here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irmetrics_edu import checks
from irmetrics_edu.classroom.marking.collecting import archives, notebook
from irmetrics_edu.commands import history
from irmetrics_edu.diagnosis import switches
from irmetrics_edu.diagnosis.conformance import result_checks
from irmetrics_edu.judging import agreement, labels, several_judges
from irmetrics_edu.metrics import average_precision, novelty_ideal, user_models
from irmetrics_edu.reading import files
from irmetrics_edu.runs import printed_scores
from tests.conftest import ROOT
from tests.limits.hostile import HOSTILE

PAGE = ROOT / "docs" / "limits.md"
_USUAL = checks.ReadingLimits()
# What is refused or cut, the number, and what becomes of more.
LIMITS: tuple[tuple[str, int, str], ...] = (
    ("bytes of a line, or of an id in a table", _USUAL.max_line, "refused; `--max-line`"),
    ("times the packed size of a file, beyond 64 MiB", _USUAL.max_ratio, "refused; `--max-ratio`"),
    ("k of a measure that builds a document for each rank", _USUAL.max_cutoff, "refused; `--max-cutoff`"),
    ("k of any other measure", checks.MOST_RANKS, "refused"),
    ("users, lists or items that are counted", checks.MOST_COUNTED, "refused"),
    ("malformed lines that a message lists", files.SHOWN, "counted"),
    ("points of `interpolated-AP`", average_precision.MOST_LEVELS, "refused"),
    ("`max_grade` of ERR, and grades that `gain=exp` takes", user_models.HIGHEST_MAX_GRADE, "refused"),
    ("sets that an exact ideal of nuggets goes through", novelty_ideal.MOST_STATES, "refused"),
    ("measures in a table of scores", printed_scores.MOST_MEASURES, "refused"),
    ("levels of relevance that `diagnose` tries", switches.MOST_LEVELS, "left out, and said"),
    ("groups of wrong values that `conformance check` explains", result_checks.MOST_DIAGNOSED, "counted"),
    ("pairs times different grades times different grades, for their agreement", agreement.MOST_CELLS, "refused"),
    ("judges whose agreement is asked for", several_judges.MOST_JUDGES, "refused"),
    ("letters of a cell in a list to judge", labels.LONGEST, "cut, and said"),
    ("series in a figure of `history`", history._MOST_SERIES, "refused"),
    ("bytes of a notebook", notebook.LARGEST, "refused"),
    ("cells of a notebook", notebook.MOST_CELLS, "refused"),
    ("characters of code in a notebook", notebook.MOST_CODE, "refused"),
    ("files of an archive", archives.MOST_ENTRIES, "refused, from the owner with most"),
    ("bytes of an unpacked archive", archives.MOST_BYTES, "refused, from the owner with most"),
    ("times the packed size of an archive, beyond 64 MiB", archives.MOST_RATIO, "refused, from the owner with most"),
    ("characters of a path in an archive", archives.LONGEST_PATH, "refused"),
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """What grew: its usual size, the ratios of time and memory, and what happens above."""

    what: str
    usual: int
    ratios: Sequence[tuple[float, float]]
    above: str


_HEAD = """# Limits

How large an input may be, what grows with it, and what is refused. `make limits` measures and writes
this page. Times and memory are ratios to a call of usual size, which includes the start of Python, so
the page says the same of every machine.

## What is refused

Larger input is refused, and the message names the limit. Where an option is named, you can raise the limit.

| what | at most | more of it |
|---|---|---|
"""
_GROWTH = """
## What grows

Each input was tried at 1, 10 and 100 times its usual size. A ratio of 8 means that the call took eight
times as long, or eight times the memory.

| what | usual | time at 10 times | at 100 times | memory at 100 times | above |
|---|---|---|---|---|---|
"""
# What takes longer than it should: no family of inputs may be slow beside these.
SLOW = frozenset(
    {
        "archives",
        "as_many_queries_as_fit",
        "one_query_of_tied_documents",
        "results_of_programs",
        "subtopics",
    }
)
_HOSTILE = """
## The worst of 1 MB

A file of 1 MB should take at most 10 seconds of processor and 1 GB. These do not yet:

- A class of thousands of students takes some milliseconds for each, as each gets its own files.
  9,500 files of one archive, each of another student, take 30 seconds.
- `diagnose` and `reconcile` try many conventions. With 90,000 queries that takes about ten seconds.

These files were made so that they take as long, or as much memory, as they can. `make limits` tries
them again, and names those that break a limit.

| what the files hold | calls |
|---|---|
"""


def limits_table() -> str:
    """What the code refuses, with its numbers."""
    return "".join(f"| {what} | {most:,} | {more} |\n" for what, most, more in LIMITS)


def _times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}"


def _grown(row: Row) -> str:
    (time_10, _), (time_100, memory_100) = row.ratios
    numbers = " | ".join(map(_times, (time_10, time_100, memory_100)))
    return f"| {row.what} | {row.usual:,} | {numbers} | {row.above} |\n"


def _words(name: str) -> str:
    """What a family of inputs is, by its docstring."""
    title = name.replace("_", " ")
    said = (HOSTILE[name].__doc__ or "").strip().rstrip(".")
    return f"{title}: {said[0].lower()}{said[1:]}"


def write(rows: Sequence[Row], tried: Mapping[str, int]) -> None:
    """Write the page."""
    text = _HEAD + limits_table() + _GROWTH + "".join(map(_grown, rows)) + _HOSTILE
    text += "".join(f"| {_words(name)} | {calls} |\n" for name, calls in tried.items())
    PAGE.write_text(text, encoding="utf-8")
