"""A run that comes in pieces, each of whole queries: it takes no more memory than a piece."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from irmetrics_edu.errors import InputError
from irmetrics_edu.runs.joining.any_run import Run

if TYPE_CHECKING:
    from irmetrics_edu.runs.joining.join import Join


class PiecedRun(Run):
    """An iterable of mappings, frames or files."""

    def __init__(self, pieces: Iterable[Any], each: Callable[[Any], Run]) -> None:
        self.pieces, self._each = pieces, each
        self._used = False

    @classmethod
    def takes(cls, read: Any) -> bool:
        """Any iterable."""
        return isinstance(read, Iterable)

    @classmethod
    def made(cls, read: Any, *_: Any, **how: Any) -> Self:
        """The run; `each` makes a run of one piece."""
        return cls(read, how["each"])

    def _once_more(self) -> Iterator[tuple[str, Run]]:
        """Names and runs of the pieces; an iterator gives them once."""
        if self._used and isinstance(self.pieces, Iterator):
            raise InputError(
                "the run came as an iterable, which can be read once, but these measures read "
                "it several times; give a file, a frame or a mapping"
            )
        self._used = True
        for number, piece in enumerate(self.pieces, 1):
            name = f"piece {number} of the run"
            read = self._each(piece).named(name)
            if isinstance(read, PiecedRun):
                raise InputError(
                    f"{name} is {piece!r:.100}, which can't be read; give mappings, frames or files"
                )
            yield name, read

    def into(self, join: "Join") -> None:
        """Join all queries with the pool of judgments."""
        for name, piece in self._once_more():
            part = join.piece(name)
            piece.into(part)
            join.take(part)

    def whole(self) -> Mapping[Any, Any]:
        """The whole run in memory."""
        return {q: ranking for _, piece in self._once_more() for q, ranking in piece.items()}
