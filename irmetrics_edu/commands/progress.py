"""Progress of long work: a bar on the terminal's error stream, and nothing anywhere else."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def steps(*names: str) -> Iterator[Callable[[], None]]:
    """A function to call at the beginning of each step."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(names))
        begun = iter(names)
        started = False

        def step() -> None:
            nonlocal started
            progress.update(task, description=next(begun), advance=1 if started else 0)
            started = True

        yield step
