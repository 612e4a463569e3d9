"""The kind of a run and of its judgments: only this file looks at their types."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from irmetrics_edu.conventions import NO_DUPLICATES, REFUSED, STRICT, Duplicates, Negative, Reading
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.tables import Source, source
from irmetrics_edu.runs.joining.any_run import HeldRun, Run
from irmetrics_edu.runs.joining.arrays import ListedRun
from irmetrics_edu.runs.joining.judgment_pool import Pool, checked_columns, pool_of
from irmetrics_edu.runs.joining.pieces import PiecedRun
from irmetrics_edu.runs.joining.read_run import ReadRun

# Each says what it takes; the last takes any iterable.
KINDS: tuple[type[Run], ...] = (HeldRun, ReadRun, ListedRun, PiecedRun)


def run_of(
    run: Any,
    repeats: Duplicates = NO_DUPLICATES,
    *,
    format: str | None = None,  # noqa: A002 -- what a file's format is called
    skip_bad: bool = False,
    padding: int | None = None,
    reading: Reading = STRICT,
) -> Run:
    """A run of any kind, as a `Run`.

    >>> run_of({"q": ["d1", "d2"]})["q"]
    ['d1', 'd2']
    """
    if isinstance(run, Run):
        return run
    read = source(run, run=True, kind=format, skip_bad=skip_bad, reading=reading)
    came_as = next(kind for kind in KINDS if kind.takes(read))
    each = partial(run_of, repeats=repeats, skip_bad=skip_bad, reading=reading)
    return came_as.made(read, repeats, padding=padding, each=each)


def read_pool(
    qrels: Any,
    *,
    negative: Negative | str = REFUSED,
    reading: Reading | str = STRICT,
    format: str | None = None,  # noqa: A002 -- what a file's format is called
    skip_bad: bool = False,
) -> Pool:
    """The pool of judgments that a mapping, a file or a frame holds; read once, used for many runs.

    >>> read_pool({"q": {"d1": 1, "d2": 0}}).documents
    ['d1', 'd2']
    """
    if isinstance(qrels, Pool):
        return qrels
    negative, reading = Negative.named(negative), Reading.named(reading)
    read = source(qrels, run=False, kind=format, skip_bad=skip_bad, reading=reading)
    if isinstance(read, Mapping):
        return pool_of(read, negative)
    if isinstance(read, Source):
        return checked_columns(read, negative)
    raise InputError(
        f"{qrels!r:.100} are not judgments; map queries to judged documents, or give a file "
        "or a frame"
    )
