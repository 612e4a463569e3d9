"""A sequence of ids over a column of texts."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from irmetrics_edu.engine.text import Numbers, Text
from irmetrics_edu.numbers import Array

_IDS_AT_ONCE = 1 << 16  # ids made at a time


class Ids(Sequence[Any]):
    """Ids that take their bytes and few more, where a list takes some 60 bytes for each."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __len__(self) -> int:
        return len(self.text)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return Ids(self.text.take(i))
        place = range(len(self))[i]
        (one,) = self.text.take(slice(place, place + 1)).tolist()
        return one

    def __iter__(self) -> Iterator[Any]:
        for begin in range(0, len(self), _IDS_AT_ONCE):
            here = slice(begin, begin + _IDS_AT_ONCE)
            yield from self.text.take(here).tolist()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, (str, bytes)):
            return NotImplemented
        if len(self) != len(other):
            return False
        return all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __repr__(self) -> str:
        return repr(list(self))

    def index(
        self,
        value: Any,
        start: int = 0,
        stop: int | None = None,
    ) -> int:
        """Where an id stands first."""
        end = len(self) if stop is None else stop
        return list(self).index(value, start, end)

    def compact(self) -> "Ids":
        """The same ids without what stands between them in a file."""
        return Ids(self.text.compact())


def chosen(ids: Sequence[Any], where: Array) -> Sequence[Any]:
    """The ids that a mask marks, or those at some places."""
    if isinstance(ids, Ids):
        return Ids(ids.text.take(where))
    places = where
    if where.dtype == bool:
        places = np.flatnonzero(where)
    return [ids[i] for i in places.tolist()]


def examples(ids: Sequence[Any]) -> Sequence[Any]:
    """Ids of every kind that there is among them: those of a column are of one."""
    if isinstance(ids, Ids):
        return Ids(ids.text.take(slice(0, 1)))
    return ids


def joined(parts: list[Sequence[Any]]) -> Sequence[Any]:
    """Ids from several places; `parts` is emptied, so that they are not held twice."""
    texts = [part.text for part in parts if isinstance(part, Ids)]
    if parts and len(texts) == len(parts):
        kinds = {isinstance(text, Numbers) for text in texts}
        if len(kinds) == 1:
            parts.clear()
            return Ids(Text.joined(texts))
    together: list[Any] = []
    for part in parts:
        together.extend(part)
    return together


def may_repeat(ids: Sequence[Any]) -> bool:
    """Whether an id may stand in the sequence twice; where not, none does."""
    if not isinstance(ids, Ids):
        return len(set(ids)) < len(ids)
    keys = np.sort(ids.text.keys())
    alike = keys[1:] == keys[:-1]
    return bool(alike.any())
