"""A bar for work of known length, drawn to stderr and gone when it is done; or lines."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

_EVERY = 25  # steps between two lines, at most


def bar(
    label: str, total: int, *, progress: bool | str | None = None
) -> AbstractContextManager[Callable[[str], None]]:
    """A function to call at each step, with a text to show.

    `progress` draws the bar, and False never does. By default it is drawn if stderr is a terminal.
    With "lines", if stderr is not a terminal, a line is written instead: after every tenth of the
    work, and at least after every 25 steps.
    """
    from rich.console import Console

    console = Console(stderr=True, force_terminal=True if progress is True else None)
    if progress == "lines" and not console.is_terminal:
        return nullcontext(_lines(label, total))
    if progress is False or not console.is_terminal:
        return nullcontext(lambda _: None)
    return _Bar(console, label, total)


def _lines(label: str, total: int) -> Callable[[str], None]:
    done, every = 0, max(1, min(total // 10, _EVERY))

    def advance(_: str) -> None:
        nonlocal done
        done += 1
        if done % every == 0 or done == total:
            sys.stderr.write(f"{label}: {done} of {total}\n")
            sys.stderr.flush()

    return advance


class _Bar(AbstractContextManager[Callable[[str], None]]):
    def __init__(self, console: Any, label: str, total: int) -> None:
        from rich import progress

        self.bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[said]}"),
            progress.TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self.task = self.bar.add_task(label, total=total, said="")

    def __enter__(self) -> Callable[[str], None]:
        self.bar.start()
        return self._advance

    def _advance(self, said: str) -> None:
        self.bar.update(self.task, advance=1, said=said)

    def __exit__(self, *_: object) -> None:
        self.bar.stop()
