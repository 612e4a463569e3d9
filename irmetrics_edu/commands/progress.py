"""Progress of long work: a bar on the terminal's error stream, and nothing anywhere else."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from irmetrics_edu.reading import files


@contextmanager
def steps(*names: str) -> Iterator[Callable[[], None]]:
    """A function to call at the beginning of each step; files that are read in it move the bar."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(names))
        begun = iter(names)
        number = -1

        def step() -> None:
            nonlocal number
            number += 1
            progress.update(task, description=next(begun), completed=number)

        def reading(path: Path, position: int, size: int) -> None:
            part = position / size if size else 1.0
            progress.update(task, description=f"reading {path.name}", completed=number + part)

        with files.watched(reading):
            yield step
