"""All judged documents of all queries as one pool, with which a run is joined."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.engine.id_list import Ids, chosen
from irmetrics_edu.engine.keys import salts
from irmetrics_edu.engine.noted import Noted
from irmetrics_edu.engine.slots import found_in
from irmetrics_edu.engine.text import Text, ids
from irmetrics_edu.numbers import Array, smallest

_DOC = "judged document"


@dataclass(eq=False)
class JudgedPool:
    """What was judged: query q's documents are items starts[q] to starts[q+1].

    `grade` is 0 if `judged` is false: such a document is in the pool, but nobody judged it.
    """

    queries: Sequence[Any]
    starts: Array
    grade: Array
    judged: Array
    names: list[Hashable] | None = None
    text: Text | None = None
    all_text: bool = False  # whether the names are known to be text
    noted: Noted = field(default_factory=Noted)
    graded: bool = True  # whether grades are given, and not the relevant documents alone

    @cached_property
    def number(self) -> dict[Any, int]:
        """The number of each query."""
        return {query: number for number, query in enumerate(self.queries)}

    @cached_property
    def kind(self) -> str:
        """The kind of ids of the judged documents; an error if they are of several kinds."""
        if self.text is not None:
            return self.text.kind
        if self.all_text and self.names:
            return "text"
        return checks.one_kind(self.names or (), _DOC)

    def require_kind(self) -> None:
        """Raise an error if the judged documents are of several kinds."""
        if self.text is None and not self.all_text:
            checks.one_kind(self.names or (), _DOC)

    @cached_property
    def documents(self) -> list[Hashable]:
        """The id of every judged document."""
        if self.names is not None:
            return self.names
        return list(self.texts.tolist())

    @cached_property
    def texts(self) -> Text:
        """The ids as a column of text, for a run that was read from a file."""
        if self.text is not None:
            return self.text
        return ids(self.names or [], _DOC)

    @cached_property
    def salts(self) -> Array:
        """A number for each query, which makes the keys of its documents its own."""
        return salts(len(self.queries))

    @cached_property
    def _by_key(self) -> tuple[Array, Array] | None:
        """The keys of the queries in order, with their numbers; None if two share a key."""
        if not isinstance(self.queries, Ids):
            return None
        keys = self.queries.text.keys()
        order = np.argsort(keys, kind="stable").astype(smallest(len(keys)))
        keys = keys[order]
        if (keys[1:] == keys[:-1]).any():
            return None
        return keys, order

    def numbers_of(
        self,
        queries: Sequence[Any],
        guess: int = 0,
    ) -> Array:
        """The numbers of these queries, -1 for a query that is not judged.

        `guess` is the number of the first query if a run is in the order of the judgments. Then no
        table of all queries is needed.
        """
        judged_queries = self.queries
        if not (isinstance(judged_queries, Ids) and isinstance(queries, Ids) and len(queries)):
            return self._numbers_by_name(queries)
        texts = queries.text
        guess_end = guess + len(queries)
        if guess_end <= len(judged_queries):
            guessed = judged_queries.text.take(slice(guess, guess_end))
            if guessed.equal(texts).all():
                return np.arange(guess, guess_end)
        if self._by_key is None:
            return self._numbers_by_name(queries)
        in_order, number = self._by_key
        keys = texts.keys()
        place = np.searchsorted(in_order, keys)
        place = np.minimum(place, len(in_order) - 1)
        candidate = number[place].astype(np.intp)
        same = in_order[place] == keys
        same &= judged_queries.text.take(candidate).equal(texts)
        return np.where(same, candidate, -1)

    def _numbers_by_name(self, queries: Sequence[Any]) -> Array:
        """The numbers of these queries, one look-up for each."""
        numbers = [self.number.get(query, -1) for query in queries]
        return np.array(numbers, dtype=np.intp)

    def part(
        self,
        begin: int,
        end: int,
    ) -> "JudgedPool":
        """The judgments of the queries with these numbers."""
        first = int(self.starts[begin])
        last = int(self.starts[end])
        here = slice(first, last)
        return JudgedPool(
            queries=self.queries[begin:end],
            starts=self.starts[begin : end + 1] - first,
            grade=self.grade[here],
            judged=self.judged[here],
            names=None if self.names is None else self.names[here],
            text=None if self.text is None else self.text.take(here),
        )

    def of_queries(self, numbers: Array) -> "JudgedPool":
        """The judgments of some queries, in the order of their numbers."""
        sizes = np.diff(self.starts)
        is_kept = np.zeros(len(self.queries), dtype=bool)
        is_kept[numbers] = True
        items = np.flatnonzero(np.repeat(is_kept, sizes))
        starts = np.concatenate([[0], np.cumsum(sizes[is_kept], dtype=np.intp)])
        return replace(
            self,
            queries=chosen(self.queries, is_kept),
            starts=starts,
            grade=self.grade[items],
            judged=self.judged[items],
            names=None if self.names is None else [self.names[i] for i in items.tolist()],
            text=None if self.text is None else self.text.take(items),
        )

    def find(
        self,
        keys: Array,
        queries: Array,
    ) -> tuple[Array, Array]:
        """Which keys belong to documents judged for these queries, and to which documents.

        Two documents may share a key: the caller compares their queries and texts.
        """
        starts = self.starts[queries]
        sizes = self.starts[queries + 1] - starts
        begins = np.cumsum(sizes) - sizes  # of each query, among the items of these queries
        moved_by = np.repeat(starts - begins, sizes)
        items = np.arange(sizes.sum()) + moved_by
        query_of_each = np.repeat(queries, sizes)
        salt_of_each = self.salts[query_of_each]
        keys_of_judged = self.texts.take(items).keys(salt_of_each)
        here, place = found_in(keys, keys_of_judged)
        return here, items[place]

    def place(
        self,
        item: int,
        rank: int | None = None,
    ) -> str:
        """A judged document, as an error message names it."""
        q = int(self.query[item])
        return at(self.queries[q], self.documents[item], rank)

    @cached_property
    def query(self) -> Array:
        """The query number of every judged document."""
        sizes = np.diff(self.starts)
        return np.repeat(np.arange(len(self.queries)), sizes)

    def of(self, q: int) -> dict[Hashable, Any]:
        """The judgments of query number `q`: document to grade, `None` where nobody judged."""
        begin = int(self.starts[q])
        end = int(self.starts[q + 1])
        here = slice(begin, end)
        if self.names is None:
            documents = self.texts.tolist(np.arange(begin, end))
        else:
            documents = self.names[here]
        grades = self.grade[here].tolist()
        judged = self.judged[here].tolist()
        return {
            document: grade if is_judged else None
            for document, grade, is_judged in zip(
                documents,
                grades,
                judged,
                strict=True,
            )
        }
