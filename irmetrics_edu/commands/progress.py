"""Progress of long work: a bar on the terminal's error stream, and nothing anywhere else."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.reading import files
from irmetrics_edu.views.escaping import visible
from irmetrics_edu.views.output import unbroken

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


@contextmanager
def bar(*columns: "ProgressColumn") -> "Iterator[Progress]":
    """A bar on the error stream; when it ends, it is cleared and the cursor comes back."""
    from rich.console import Console
    from rich.progress import Progress

    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    try:
        with unbroken():
            progress.start()
        yield progress
    finally:
        with unbroken():
            progress.stop()


@contextmanager
def steps(*names: str) -> Iterator[Callable[[], None]]:
    """A function to call at the beginning of each step; reading files moves the bar."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with bar(*columns) as progress:
        task = progress.add_task("", total=len(names))
        begun = iter(names)
        number = -1

        def step() -> None:
            nonlocal number
            number += 1
            progress.update(task, description=visible(next(begun)), completed=number)

        def reading(path: Path, position: int, size: int) -> None:
            part = position / size if size else 1.0
            progress.update(
                task, description=f"reading {visible(path.name)}", completed=number + part
            )

        with files.watched(reading):
            yield step
