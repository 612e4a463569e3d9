"""A long search that is watched: it tells how far it is, and may be stopped with what it found."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

Told = Callable[[int, int], None]  # how many conventions were tried, of how many


@dataclass
class Watch:
    """How far a search is; where nobody watches, it says nothing and an interruption goes on."""

    tell: Told | None = None
    of_all: int = 0
    tried: int = 0
    interrupted: bool = False

    def begin(self, of_all: int) -> None:
        """A search over so many conventions begins."""
        self.of_all = of_all
        self.tried = 0

    def one_more(self) -> None:
        """One more convention was tried."""
        self.tried += 1
        if self.tell is not None:
            self.tell(self.tried, self.of_all)

    @contextmanager
    def part(self) -> Iterator[None]:
        """A part of a search: whoever watches may interrupt it, and what was found before stays."""
        try:
            yield
        except KeyboardInterrupt:
            if self.tell is None:
                raise
            self.interrupted = True


_current: ContextVar[Watch | None] = ContextVar("watch", default=None)


def watch() -> Watch:
    """The watch of whoever asked for one, or one that nobody looks at."""
    return _current.get() or Watch()


@contextmanager
def watched(tell: Told) -> Iterator[None]:
    """Tell how far the searches in this block are; an interruption ends one with what it found."""
    token = _current.set(Watch(tell))
    try:
        yield
    finally:
        _current.reset(token)
