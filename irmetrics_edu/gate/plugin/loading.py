"""Runs and judgments from files beside the test, as mappings."""

import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.failure import refused
from irmetrics_edu.runs.joining.inputs import read_whole

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
        asks = sys._getframe(1).f_code.co_filename  # noqa: SLF001 -- the public way reads the source of every frame
        try:
            file = _found(path, asks, root)
            held, left = read_whole(file, run=what == "run", kind=format, skip_bad=skip_bad)
        except InputError as error:
            raise refused(error) from None
        if left:
            lines = "line" if left == 1 else "lines"
            warnings.warn(f"{file}: {left:,} malformed {lines} left out", stacklevel=2)
        return dict(held)

    return read


def _found(path: str, asks: str, root: Path) -> Path:
    """The file of this name beside the file that asks, or at the root."""
    folders = dict.fromkeys([Path(asks).parent, root])
    for folder in folders:
        if (folder / path).exists():
            return folder / path
    looked = " nor ".join(map(str, folders))
    raise InputError(f"{path}: there is no such file in {looked}; give its path from there")
