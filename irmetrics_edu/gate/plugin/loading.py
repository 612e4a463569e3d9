"""Runs and judgments from files beside the test, as mappings."""

import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError

__tracebackhide__ = True


def loader(root: Path, what: str) -> Callable[..., Mapping[Any, Any]]:
    """A function that reads a run, or judgments, from a file beside its caller or at the root."""

    def read(
        path: str,
        *,
        format: str | None = None,  # noqa: A002 -- what a file's format is called
        skip_bad: bool = False,
    ) -> Mapping[Any, Any]:
        # A fixture of the session belongs to no file, so the one that calls is asked for.
        asks = sys._getframe(1).f_code.co_filename  # noqa: SLF001
        try:
            return _read(_found(path, asks, root), what, format, skip_bad=skip_bad)
        except InputError as error:
            from irmetrics_edu.gate.failure import refused

            raise refused(error) from None

    return read


def _found(path: str, asks: str, root: Path) -> Path:
    """The file of this name beside the file that asks, or at the root."""
    folders = dict.fromkeys([Path(asks).parent, root])
    for folder in folders:
        if (folder / path).exists():
            return folder / path
    looked = " nor ".join(map(str, folders))
    raise InputError(f"{path}: there is no such file in {looked}; give its path from there")


def _read(path: Path, what: str, kind: str | None, *, skip_bad: bool) -> Mapping[Any, Any]:
    from irmetrics_edu.conventions import NO_DUPLICATES
    from irmetrics_edu.reading.files import Malformed, Problems
    from irmetrics_edu.reading.tables import Source, source
    from irmetrics_edu.runs.joining.inputs import rankings, repeated, tell_repeated

    run = what == "run"
    found = source(path, run=run, kind=kind, skip_bad=skip_bad)
    if not isinstance(found, Source):
        return dict(found)
    items = found.all()
    # A malformed line may be left out; which of two judgments holds is not for a loader to say.
    twice = Problems(found.name, found.unit)
    tell_repeated(items, repeated(items), twice, "ranked" if run else "judged")
    try:
        twice.check()
    except Malformed as error:
        also = "" if run else "; if it is by subtopic, give the assertion its path"
        raise InputError(f"{error.said(None)}{also}") from None
    left = found.problems.count
    if left:
        lines = found.unit if left == 1 else f"{found.unit}s"
        warnings.warn(f"{found.name}: {left:,} malformed {lines} left out", stacklevel=3)
    return dict(rankings(items, NO_DUPLICATES))
