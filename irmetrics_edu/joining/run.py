"""A run, whatever it came as: a mapping from query to ranking that knows how it is joined.

Each way to come is a file of its own: held in a mapping (here), read from a file or a frame, listed
in an array, given in pieces. What is joined in bulk never looks at single rankings; what explains
a query asks for that one.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from irmetrics_edu.conventions import Duplicates

if TYPE_CHECKING:
    from irmetrics_edu.joining.join import Join


class Run(Mapping[Any, Any]):
    """Query -> its documents in order, or document -> score; read back where need be."""

    at_hand: ClassVar[bool] = False  # whether its queries are known before it is joined
    _kept: Mapping[Any, Any] | None = None

    @classmethod
    @abstractmethod
    def takes(cls, read: Any) -> bool:
        """Whether a run that reading gave so is of this kind."""

    @classmethod
    @abstractmethod
    def made(cls, read: Any, repeats: Duplicates, **how: Any) -> Self:
        """The run; a document that a query ranks twice has the place that `repeats` says."""

    @abstractmethod
    def into(self, join: "Join") -> None:
        """Join all queries with the pool of judgments."""

    @abstractmethod
    def whole(self) -> Mapping[Any, Any]:
        """The whole run in memory."""

    def named(self, name: str) -> Self:  # noqa: ARG002 -- what is held has no lines to tell of
        """The same run under the name by which errors call it."""
        return self

    def one(self, query: Any) -> Any:
        """One query's ranking, where it can be had without the others; else the whole is kept."""
        return self.kept()[query]

    def kept(self) -> Mapping[Any, Any]:
        """The whole run, which stays in memory from now on: many queries will be asked for."""
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
