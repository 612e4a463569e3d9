"""A run in a file, a frame or a table: read in pieces, and single queries read back."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from irmetrics_edu.conventions import AS_GIVEN, NO_DUPLICATES, Duplicates
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.tables import Source
from irmetrics_edu.runs.joining.any_run import Run
from irmetrics_edu.runs.joining.mappings import in_order

if TYPE_CHECKING:
    from irmetrics_edu.runs.joining.join import Join

INTERLEAVED = -1  # the origin of a query whose items are strewn over the file


class ReadRun(Run):
    """A run whose queries come from a source of columns.

    If a file of a run was joined before, it is read again without its malformed lines. The join
    reported them.
    """

    def __init__(self, source: Source, repeats: Duplicates = NO_DUPLICATES) -> None:
        self.source, self.repeats = source, repeats
        self._origin: Callable[[Any], int | None] = lambda _: INTERLEAVED
        self._last: Columns | None = None  # the piece that was read back last

    @classmethod
    def takes(cls, read: Any) -> bool:
        """A source of columns."""
        return isinstance(read, Source)

    @classmethod
    def made(cls, read: Any, repeats: Duplicates, **_how: Any) -> Self:
        """The run."""
        return cls(read, repeats)

    def into(self, join: "Join") -> None:
        """Join all queries with the pool of judgments."""
        join.source(self.source)
        self._origin = join.origin

    def named(self, name: str) -> Self:
        """The same run under the name that errors use."""
        self.source.name = name
        return self

    def whole(self) -> Mapping[Any, Any]:
        """The whole run in memory."""
        parts = [part.compact() for part in self.source.pieces(self.source.fresh(), 0)]
        return dict(rankings(Columns.joined(parts), self.repeats)) if parts else {}

    def one(self, query: Any) -> Any:
        """One query's ranking, if it can be read without the others; else the whole run is kept."""
        origin = self._origin(query)
        if origin == INTERLEAVED:
            return super().one(query)
        if self._last is None or query not in self._last.queries:
            pieces = self.source.pieces(self.source.fresh(), origin or 0)
            self._last = next(piece for piece in pieces if query in piece.queries)
        return dict(rankings(self._last.of(query), self.repeats))[query]


def rankings(items: Columns, repeats: Duplicates) -> Iterator[tuple[Any, Any]]:
    """Each query with its documents: in order, or with their scores.

    A repeated document stays if a convention says which rank counts. The query is then a list of
    documents.
    """
    documents: list[Hashable] = list(items.document.tolist())
    bounds = items.starts.tolist()
    for query, begin, end in zip(items.queries, bounds, bounds[1:], strict=False):
        mine = documents[begin:end]
        again = len(set(mine)) < len(mine)
        if items.value is None:
            yield query, list(dict.fromkeys(mine)) if repeats is NO_DUPLICATES else mine
        elif again and repeats is not NO_DUPLICATES:
            yield query, in_order(mine, items.value[begin:end], AS_GIVEN)
        else:
            scores: dict[Hashable, float] = {}
            for document, score in zip(mine, items.value[begin:end].tolist(), strict=True):
                scores.setdefault(document, score)  # the first stays, as in bulk
            yield query, scores
