"""The ranks of judged documents before their ties are settled, which any rule then settles.

Scores are compared once for all rules. A rule is asked for the order of the tied documents of each
query, and all queries together then move to their places.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.conventions import Ties
from irmetrics_edu.engine.ranks import beaten_by, falling, tied
from irmetrics_edu.numbers import Array


@dataclass(eq=False)
class TiedDocuments:
    """The documents of a query that share their score with a judged one.

    `rows` numbers the judged ones in the piece of the run, `members` all of them in their query.
    """

    query: int
    rows: Array
    members: Array
    scores: Array  # of all documents of the query
    label: Callable[["TiedDocuments"], list[Hashable]]
    find: Callable[["TiedDocuments"], Array]

    @cached_property
    def names(self) -> list[Hashable]:
        """The ids of the members."""
        return self.label(self)

    @cached_property
    def position(self) -> Array:
        """At which place of the members each of the rows is."""
        return self.find(self)

    def order(self, ties: Ties) -> Array:
        """The members in the order of a rule that is not turned round, by their numbers here."""
        if ties.by_place:
            return np.arange(len(self.members))
        if not ties.whole:
            straight = ties.straight(self.names)
            return np.array(straight, dtype=np.intp)
        whole = np.array(ties.order(self.scores), dtype=np.intp)
        if len(self.members) == len(whole):
            return whole
        number = np.full(len(whole), -1)
        number[self.members] = np.arange(len(self.members))
        in_order: Array = number[whole]
        return in_order[in_order >= 0]


class BeforeTies:
    """The ranks of judged documents as their scores give them, with the ties to be settled.

    `first` is the best rank that each score allows, `alike` how many documents share it, and `tied`
    how many of each query share theirs. Scores are compared once, whatever rules settle the ties.
    """

    def __init__(
        self,
        score: Array,
        target: Array,
        query: Array,
        starts: Array,
        label: Callable[[TiedDocuments], list[Hashable]],
        find: Callable[[TiedDocuments], Array],
    ) -> None:
        self.score = score
        worth = falling(score, starts)
        begin = starts[query]
        end = starts[query + 1]
        better, alike = beaten_by(
            worth,
            begin,
            end,
            -target,
        )
        self.alike = alike
        self.first = better + 1
        self.tied = tied(worth, starts)
        self.ties: list[TiedDocuments] = []
        in_ties = np.flatnonzero(alike > 1)
        for rows in _by_query(in_ties, query):
            first = rows[0]
            q = int(query[first])
            scores = score[starts[q] : starts[q + 1]]
            if alike[first] == len(scores):
                members = np.arange(len(scores))
            else:
                is_tied = np.isin(scores, target[rows])
                members = np.flatnonzero(is_tied)
            one = TiedDocuments(
                query=q,
                rows=rows,
                members=members,
                scores=scores,
                label=label,
                find=find,
            )
            self.ties.append(one)
        self._orders: dict[int, tuple[Any, list[Array]]] = {}

    def ranks(self, ties: Ties) -> Array:
        """The ranks where tied documents are in the order of a rule."""
        if not self.ties:
            return self.first
        in_order = self._in_order(ties)
        tie = self._tie_of_each[in_order]
        falls = tie[1:] < tie[:-1]
        if falls.any():  # a query has several ties
            by_tie = np.argsort(tie, kind="stable")
            in_order = in_order[by_tie]
        places = np.empty(len(in_order), dtype=np.intp)
        places[in_order] = self._place_in_tie
        rank = self.first.copy()
        rows, members = self._rows
        rank[rows] += places[members]
        return rank

    def _in_order(self, ties: Ties) -> Array:
        """All members, those of one query after those of another, in the order of a rule."""
        rule = ties.function
        if id(rule) not in self._orders:  # with the rule, so that no other gets its number
            straight = [one.order(ties) for one in self.ties]
            self._orders[id(rule)] = rule, straight
        _, orders = self._orders[id(rule)]
        if ties.turned:
            orders = [order[::-1] for order in orders]
        in_order: Array = np.concatenate(orders)
        in_order += np.repeat(self._begins, self._sizes)
        return in_order

    @cached_property
    def _rows(self) -> tuple[Array, Array]:
        """The judged documents in ties: which rows they are, and which of all members."""
        rows = np.concatenate([one.rows for one in self.ties])
        position = np.concatenate([one.position for one in self.ties])
        sizes = [len(one.rows) for one in self.ties]
        members = position + np.repeat(self._begins, sizes)
        return rows, members

    @cached_property
    def _sizes(self) -> Array:
        """How many members each query has."""
        return np.array([len(one.members) for one in self.ties])

    @cached_property
    def _begins(self) -> Array:
        """The number of each query's first member, among those of all."""
        ends: Array = np.cumsum(self._sizes)
        ends -= self._sizes
        return ends

    @cached_property
    def _tie_of_each(self) -> Array:
        """The number of the tie of each member."""
        score = np.concatenate([one.scores[one.members] for one in self.ties])
        number = np.arange(len(self.ties))
        query = np.repeat(number, self._sizes)
        by_score = np.lexsort((score, query))
        in_order = score[by_score]  # in which -0.0 and 0.0 are equal, too
        is_other = np.ones(len(score), dtype=bool)
        is_other[1:] = in_order[1:] != in_order[:-1]
        is_other[self._begins] = True
        tie = np.empty(len(score), dtype=np.intp)
        tie[by_score] = is_other.cumsum() - 1
        return tie

    @cached_property
    def _place_in_tie(self) -> Array:
        """How many members of its tie stand before each, where all are sorted by their ties."""
        sizes = np.bincount(self._tie_of_each)
        begins = np.cumsum(sizes)
        begins -= sizes
        place = np.arange(len(self._tie_of_each))
        place -= np.repeat(begins, sizes)
        return place


def _by_query(
    rows: Array,
    query: Array,
) -> Iterator[Array]:
    """The rows of each query, which stand together."""
    if not len(rows):
        return
    of_each = query[rows]
    changes = np.flatnonzero(of_each[1:] != of_each[:-1]) + 1
    yield from np.split(rows, changes)
