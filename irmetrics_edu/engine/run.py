"""A run as the engine takes it: in memory, in columns that can be read again, or in pieces."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from irmetrics_edu.conventions import (
    AS_GIVEN,
    NO_DUPLICATES,
    Duplicates,
)
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.engine.noted import Noted, Readable, RowReport
from irmetrics_edu.engine.repeats import repeated, tell_repeated
from irmetrics_edu.errors import InputError
from irmetrics_edu.rows.ordering import arranged

INTERLEAVED = -1  # the origin of a query whose items are strewn over the file


class Run(Mapping[Any, Any]):
    """Query -> its documents in order, or document -> score: held, or read back if needed."""

    at_hand: ClassVar[bool] = True  # whether its queries are known before it is joined
    can_be_asked: ClassVar[bool] = True  # for a query alone, also after it was joined
    unknown: Sequence[Hashable] = ()  # queries that were asked for, and that the run lacks
    not_asked_for: Sequence[Hashable] = ()  # queries that are left out, where others were asked for
    joins: dict[Any, Any] | None = None  # of a run that is joined again and again: what that gave
    _kept: Mapping[Any, Any] | None = None

    @cached_property
    def noted(self) -> Noted:
        """What was met when the run was read as a whole, because no join has read it."""
        return Noted()

    @cached_property
    def told(self) -> Counter[str]:
        """What was found in a run that is held, to be said beside the scores."""
        return Counter()

    def __init__(self, run: Mapping[Any, Any]) -> None:
        self._kept = run

    def whole(self) -> Mapping[Any, Any]:
        """The whole run in memory."""
        return self.kept()

    def one(self, query: Any) -> Any:
        """One query's ranking, if it can be read without the others; else the whole run is kept."""
        return self.kept()[query]

    def kept(self) -> Mapping[Any, Any]:
        """The whole run, kept in memory from now on, because many queries will be asked for."""
        if self._kept is None:
            self._kept = self.whole()
        return self._kept

    def __getitem__(self, query: Any) -> Any:
        if self._kept is None:
            return self.one(query)
        return self._kept[query]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.kept())

    def __len__(self) -> int:
        return len(self.kept())


class ReadRun(Run):
    """A run whose queries come from a source of columns.

    If a file of a run was joined before, it is read again without its malformed lines. The join
    reported them. Without a join, the whole run is read in one piece, which reports them.
    """

    at_hand = False

    def __init__(self, source: Readable[Any], repeats: Duplicates = NO_DUPLICATES) -> None:
        self.source = source
        self.repeats = repeats
        # The byte at which the piece of a query begins; the join tells it.
        self.origin: Callable[[Any], int | None] | None = None
        self._last: RunColumns | None = None  # the piece that was read back last

    def whole(self) -> Mapping[Any, Any]:
        """The whole run in memory."""
        problems = self.source.fresh()
        parts = [part.compact() for part in self.source.pieces(problems, 0)]
        items = RunColumns.joined(parts) if parts else None
        if self.origin is None:
            self._tell(items, problems)
        return {} if items is None else dict(rankings(items, self.repeats))

    def _tell(self, items: RunColumns | None, problems: RowReport) -> None:
        """Report what is malformed, and documents that are ranked twice, as a join does."""
        duplicates = 0
        if items is not None:
            again = repeated(items)
            if len(again) and self.repeats.refused:
                tell_repeated(
                    items,
                    again,
                    problems,
                    "ranked",
                )
            else:
                duplicates = len(again)
        problems.check(any_good=items is not None)
        self.noted.add(Noted.of(problems))
        self.noted.duplicates += duplicates

    def one(self, query: Any) -> Any:
        """One query's ranking, if it can be read without the others; else the whole run is kept."""
        origin = INTERLEAVED if self.origin is None else self.origin(query)
        if origin == INTERLEAVED:
            return super().one(query)
        if self._last is None or query not in self._last.queries:
            pieces = self.source.pieces(self.source.fresh(), origin or 0)
            self._last = next(piece for piece in pieces if query in piece.queries)
        items = self._last.of(query)
        return dict(rankings(items, self.repeats))[query]


class PiecedRun(Run):
    """An iterable of mappings, frames or files."""

    at_hand = False
    can_be_asked = False

    def __init__(self, pieces: Iterable[Any], each: Callable[[Any], Run]) -> None:
        self.pieces = pieces
        self._each = each
        self._used = False

    def parts(self) -> Iterator[tuple[str, Run]]:
        """Names and runs of the pieces; an iterator gives them once."""
        if self._used and isinstance(self.pieces, Iterator):
            raise InputError(
                "the run came as an iterable, which can be read once, but these measures read "
                "it several times; give a file, a frame or a mapping"
            )
        self._used = True
        return (self._part(number, piece) for number, piece in enumerate(self.pieces, 1))

    def _part(self, number: int, piece: Any) -> tuple[str, Run]:
        name = f"piece {number} of the run"
        read = self._each(piece)
        if isinstance(read, ReadRun):
            read.source.name = name  # as errors use it
        if isinstance(read, PiecedRun):
            raise InputError(
                f"{name} is {piece!r:.100}, which can't be read; give mappings, frames or files"
            )
        return name, read

    def whole(self) -> Mapping[Any, Any]:
        """The whole run in memory."""
        run: dict[Any, Any] = {}
        for name, piece in self.parts():
            for query in piece:
                if query in run:
                    raise again_in_a_piece(name, query)
            run.update(piece)
            self.noted.add(piece.noted)
        return run


def again_in_a_piece(piece: str, query: Any) -> InputError:
    """The error of a query whose documents are in two pieces of a run."""
    return InputError(
        f"{piece}: query {query!r} was in an earlier piece too; give the documents of each query "
        "together"
    )


def rankings(items: RunColumns, repeats: Duplicates) -> Iterator[tuple[Any, Any]]:
    """Each query with its documents: in order, or with their scores.

    A repeated document stays if a convention says which rank counts. The query is then a list of
    documents.
    """
    documents: list[Hashable] = list(items.document.tolist())
    bounds = items.starts.tolist()
    for query, begin, end in zip(items.queries, bounds, bounds[1:], strict=False):
        listed = documents[begin:end]
        each_once = len(set(listed)) == len(listed)
        if items.value is None:
            if repeats.refused and not each_once:
                listed = list(dict.fromkeys(listed))
            yield query, listed
            continue
        score = items.value[begin:end]
        if not each_once and not repeats.refused:
            in_order, _ = arranged(listed, score, AS_GIVEN)
            yield query, in_order
            continue
        scores: dict[Hashable, float] = {}
        for document, value in zip(listed, score.tolist(), strict=True):
            scores.setdefault(document, value)  # the first stays, as in bulk
        yield query, scores
