"""A run in memory, to look at single rankings without judgments: nothing is left out."""

from collections.abc import Mapping
from typing import Any

from irmetrics_edu.conventions import NO_DUPLICATES
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.problems import Problems
from irmetrics_edu.reading.tables import Source, source
from irmetrics_edu.reading.text import salts
from irmetrics_edu.runs.joining.read_run import rankings
from irmetrics_edu.runs.joining.repetitions import repeated, tell_repeated
from irmetrics_edu.runs.joining.run_kinds import run_of


def whole_run(run: Any) -> Mapping[Any, Any]:
    """Query -> its documents in order, or document -> score, of a run of any kind.

    If a file has a malformed line, or a document twice for one query, the error names the lines.

    >>> whole_run({"q": ["d1", "d2"]})["q"]
    ['d1', 'd2']
    """
    read = source(run, run=True)
    if not isinstance(read, Source):
        return run_of(read).kept()
    items = read.all()
    refuse_repeated(items, read.problems, "ranked")
    return dict(rankings(items, NO_DUPLICATES))


def refuse_repeated(items: Columns, problems: Problems, what: str) -> None:
    """Refuse columns in which a query has a document twice."""
    keys = items.document.keys(salts(len(items.queries))[items.query])
    again = repeated(items, keys)
    if len(again):
        tell_repeated(items, again, problems, what)
        problems.check()
