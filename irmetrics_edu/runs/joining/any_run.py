"""A run of any kind: a mapping from query to ranking that knows how it is joined.

There is a file for each kind of run: held in a mapping (here), read from a file or a frame, listed
in an array, given in pieces. The bulk join never looks at single rankings. To explain a query, the
run is asked for that query.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from irmetrics_edu.conventions import Duplicates

if TYPE_CHECKING:
    from irmetrics_edu.runs.joining.join import Join


class Run(Mapping[Any, Any]):
    """Query -> its documents in order, or document -> score; read back if needed."""

    at_hand: ClassVar[bool] = False  # whether its queries are known before it is joined
    _kept: Mapping[Any, Any] | None = None

    @classmethod
    @abstractmethod
    def takes(cls, read: Any) -> bool:
        """Whether this kind of run takes the value that reading gave."""

    @classmethod
    @abstractmethod
    def made(cls, read: Any, repeats: Duplicates, **how: Any) -> Self:
        """The run; a document that a query ranks twice gets the rank that `repeats` says."""

    @abstractmethod
    def into(self, join: "Join") -> None:
        """Join all queries with the pool of judgments."""

    @abstractmethod
    def whole(self) -> Mapping[Any, Any]:
        """The whole run in memory."""

    def named(self, name: str) -> Self:  # noqa: ARG002 -- what is held has no lines to tell of
        """The same run under the name that errors use."""
        return self

    def one(self, query: Any) -> Any:
        """One query's ranking, if it can be read without the others; else the whole run is kept."""
        return self.kept()[query]

    def kept(self) -> Mapping[Any, Any]:
        """The whole run, kept in memory from now on, because many queries will be asked for."""
        if self._kept is None:
            self._kept = self.whole()
        return self._kept

    def __getitem__(self, query: Any) -> Any:
        return self.one(query) if self._kept is None else self._kept[query]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.kept())

    def __len__(self) -> int:
        return len(self.kept())


class HeldRun(Run):
    """A run that came as a mapping."""

    at_hand = True

    def __init__(self, run: Mapping[Any, Any]) -> None:
        self._kept = run

    @classmethod
    def takes(cls, read: Any) -> bool:
        """A mapping."""
        return isinstance(read, Mapping)

    @classmethod
    def made(cls, read: Any, *_: Any, **_how: Any) -> Self:
        """The run."""
        return cls(read)

    def into(self, join: "Join") -> None:
        """Join all queries with the pool of judgments."""
        join.mapping(self.kept())

    def whole(self) -> Mapping[Any, Any]:
        """The whole run in memory."""
        return self.kept()
