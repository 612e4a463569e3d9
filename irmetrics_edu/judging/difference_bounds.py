"""The least and the greatest difference of two runs in a query, whatever its open documents are.

A document is open if nobody judged it. Queries are independent of each other, so the bounds of a
difference of means are the means of the bounds. How a bound is found depends on the measure:

- A measure that adds up gains (P, DCG, RBP): each open document helps one run or the other, so it
  has the highest grade or the lowest.
- A quotient by an ideal that grows with the judgments (nDCG, R): of any grades that are given out,
  the difference is greatest if the documents that help most have the highest. So only the number of
  documents of each grade is sought, grade by grade. The quotient is made a difference by Dinkelbach
  (1967), On nonlinear fractional programming, Management Science 13(7).
- A measure of the first relevant document (RR, Success): one relevant document at most is needed.
- AP: all sets of relevant documents are tried, if they are few. Otherwise the bound is one of pairs
  of documents, and lies outside of what can be.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irmetrics_edu.numbers import Array

_TRIED = 12  # open documents of AP of which all sets are tried
_PAIRED = 300  # of which all pairs are looked at: more take minutes
_STEPS = 100  # of the search for a quotient, which takes three or four
_SLACK = 1e-13  # by which sums of the same numbers may differ


@dataclass(frozen=True)
class Extremes:
    """The least and the greatest difference; `exact` if both can come true."""

    low: float
    high: float
    exact: bool = True


@dataclass(frozen=True, eq=False)
class OpenQuery:
    """A query in two runs: where its documents stand, what they gain, and which are open.

    `before` and `after` are ranks by document, infinite where a run does not have it above the
    cut-off. `gain` is that of judged documents, and 0 of open ones.
    """

    before: Array
    after: Array
    gain: Array
    is_open: Array

    @property
    def swapped(self) -> "OpenQuery":
        """The same with the two runs in each other's place."""
        return replace(self, before=self.after, after=self.before)


class BoundRule(ABC):
    """A measure of which bounds are known."""

    needs_all = True  # whether any open document may matter, not only those that move

    @abstractmethod
    def difference(self, query: OpenQuery) -> float:
        """The difference with every open document not relevant."""

    @abstractmethod
    def greatest(self, query: OpenQuery) -> tuple[float, bool]:
        """The greatest difference, and whether it can come true."""

    @abstractmethod
    def weights(self, query: OpenQuery) -> Array:
        """How much each open document can change the difference, in the order of documents."""

    def bound(self, query: OpenQuery) -> Extremes:
        """Both bounds."""
        if not query.is_open.any():
            now = self.difference(query)
            return Extremes(now, now)
        high, high_is_exact = self.greatest(query)
        low, low_is_exact = self.greatest(query.swapped)
        return Extremes(
            low=-low,
            high=high,
            exact=high_is_exact and low_is_exact,
        )


@dataclass(frozen=True, eq=False)
class Sums(BoundRule):
    """A measure that adds up gains by rank: `weight` gives that of each rank.

    `grades` are the gains that an open document may have, rising from 0.
    """

    weight: Callable[[Array], Array]
    grades: Array
    needs_all = False

    def moved(self, query: OpenQuery) -> Array:
        """By how much the weight of each document differs between the runs."""
        after = self._weighed(query.after)
        before = self._weighed(query.before)
        return after - before

    def _weighed(self, rank: Array) -> Array:
        weights = np.zeros(len(rank))
        here = np.isfinite(rank)
        weights[here] = self.weight(rank[here])
        return weights

    def difference(self, query: OpenQuery) -> float:
        """The gains that are known, weighed."""
        return float(self.moved(query) @ query.gain)

    def greatest(self, query: OpenQuery) -> tuple[float, bool]:
        """Every open document that helps has the highest grade, and no other gains."""
        moved = self.moved(query)[query.is_open]
        helping = moved[moved > 0]
        gained = float(helping.sum() * self.grades[-1])
        return self.difference(query) + gained, True

    def weights(self, query: OpenQuery) -> Array:
        """What the highest grade adds to the difference or takes from it."""
        moved = self.moved(query)[query.is_open]
        weights: Array = np.abs(moved) * self.grades[-1]
        return weights


@dataclass(frozen=True, eq=False)
class Quotients(Sums):
    """Such a sum divided by that of an ideal ranking of all judged documents.

    `ideal` gives the sum of the weights of the first n ranks of the ideal, for each n.
    """

    ideal: Callable[[Array], Array]
    needs_all = True

    def difference(self, query: OpenQuery) -> float:
        """The known gains over the known ideal; 0 if there is none."""
        best = self.best(query.gain)
        return super().difference(query) / best if best > 0 else 0.0

    def best(self, gains: Array) -> float:
        """The sum of the ideal: each step from one gain to the next adds the ranks that have it."""
        best = 0.0
        last = 0.0
        for level in np.unique(gains[gains > 0]):
            as_good = np.count_nonzero(gains >= level)
            step = level - last
            (of_level,) = self.ideal(np.array([as_good]))
            best += step * of_level
            last = level
        return float(best)

    def greatest(self, query: OpenQuery) -> tuple[float, bool]:
        """The quotient is raised until no number of documents of each grade gives a higher one."""
        search = _QuotientSearch.of(self, query)
        return search.highest(), True

    def weights(self, query: OpenQuery) -> Array:
        """What the highest grade of a document changes, if no other open one is relevant."""
        highest = self.grades[-1]
        best = self.best(np.append(query.gain, highest))
        moved = self.moved(query)[query.is_open]
        above = super().difference(query) + moved * highest
        changed = above / best
        changes: Array = np.abs(changed - self.difference(query))
        return changes


@dataclass(frozen=True, eq=False)
class _QuotientSearch:
    """The numbers of open documents with each gain or a higher one, of which the best are sought.

    `gained[j]` and `ideal[j]` hold, for each number of documents, what the step up to the j-th gain
    adds to the difference above and to the ideal below.
    """

    gained: Array
    ideal: Array
    known: float  # the difference of the judged documents
    fixed: float  # the ideal of their gains above all that an open document may have

    @classmethod
    def of(cls, measure: Quotients, query: OpenQuery) -> "_QuotientSearch":
        """The search of a query."""
        moved = measure.moved(query)
        falling = np.sort(moved[query.is_open])[::-1]
        helping = np.append(0.0, np.cumsum(falling))  # of the first n documents
        numbers = np.arange(len(helping))
        judged = query.gain[~query.is_open]
        gained: list[Array] = []
        ideal: list[Array] = []
        below = 0.0
        for grade in measure.grades[1:]:
            gained.append((grade - below) * helping)
            is_between = (judged > below) & (judged < grade)
            between = np.unique(judged[is_between])
            levels = np.append(between, grade)
            of_grade = np.zeros(len(numbers))
            last = below
            for level in levels:
                as_good = np.count_nonzero(judged >= level)
                step = level - last
                of_grade += step * measure.ideal(as_good + numbers)
                last = level
            ideal.append(of_grade)
            below = grade
        beyond = np.maximum(judged - below, 0)
        return cls(
            gained=np.array(gained),
            ideal=np.array(ideal),
            known=float(moved @ query.gain),
            fixed=measure.best(beyond),
        )

    @cached_property
    def _none_judged(self) -> bool:
        """Whether nothing gains where no open document does, so that there is no quotient."""
        return self.fixed == 0 and not self.ideal[:, 0].any()

    def highest(self) -> float:
        """The highest quotient (Dinkelbach)."""
        without = 0.0
        if not self._none_judged:
            none = np.zeros(len(self.gained), dtype=int)
            without = self._at(none)
        reached = self._at(self._counts(without))
        for _ in range(_STEPS):
            counts = self._counts(reached)
            value = self._at(counts)
            if value <= reached + _SLACK:
                break
            reached = value
        return max(without, reached)

    def _at(self, counts: Array) -> float:
        """The quotient with these numbers of documents."""
        steps = np.arange(len(counts))
        gained = self.gained[steps, counts]
        ideal = self.ideal[steps, counts]
        above = self.known + gained.sum()
        below = self.fixed + ideal.sum()
        return float(above / below)

    def _counts(self, quotient: float) -> Array:
        """The numbers that make the difference less quotient times ideal greatest.

        No more documents have a higher gain than have a lower one or more. From the highest gain
        down, the best of all numbers up to each is kept.
        """
        worth = self.gained - quotient * self.ideal
        kept: list[Array] = []
        so_far = np.zeros(worth.shape[1])
        for of_step in worth[::-1]:
            total = of_step + so_far
            kept.append(total)
            so_far = np.maximum.accumulate(total)
        counts: list[int] = []
        first = 1 if self._none_judged else 0
        most = worth.shape[1] - 1
        for total in kept[::-1]:
            allowed = total[first : most + 1]
            most = first + int(np.argmax(allowed))
            counts.append(most)
            first = 0
        return np.array(counts)


@dataclass(frozen=True, eq=False)
class OfFirst(BoundRule):
    """A measure of the rank of the first relevant document: `value` of that rank."""

    value: Callable[[float], float]
    needs_all = False

    def difference(self, query: OpenQuery) -> float:
        """That of the first relevant documents that are known."""
        before, after = self._first(query)
        return self._gained(before, after)

    def _first(self, query: OpenQuery) -> tuple[float, float]:
        relevant = query.gain > 0
        before = query.before[relevant]
        after = query.after[relevant]
        first_before = before.min(initial=np.inf)
        first_after = after.min(initial=np.inf)
        return float(first_before), float(first_after)

    def _gained(self, before: float, after: float) -> float:
        gained = 0.0
        if np.isfinite(after):
            gained += self.value(after)
        if np.isfinite(before):
            gained -= self.value(before)
        return gained

    def _with_each(self, query: OpenQuery) -> list[float]:
        """The difference if one open document alone is relevant, for each."""
        before, after = self._first(query)
        with_each: list[float] = []
        for number in np.flatnonzero(query.is_open):
            first = min(before, query.before[number])
            second = min(after, query.after[number])
            with_each.append(self._gained(first, second))
        return with_each

    def greatest(self, query: OpenQuery) -> tuple[float, bool]:
        """Only the first relevant document of a run counts, so more would help the other alone."""
        cases = self._with_each(query)
        cases.append(self.difference(query))
        return float(max(cases)), True

    def weights(self, query: OpenQuery) -> Array:
        """What a document changes, if it alone is relevant."""
        with_each = np.array(self._with_each(query))
        changes: Array = np.abs(with_each - self.difference(query))
        return changes


class AveragePrecision(BoundRule):
    """AP, as a sum over pairs of relevant documents, each over the lower of their ranks."""

    def difference(self, query: OpenQuery) -> float:
        """That of the relevant documents that are known; 0 if there is none."""
        relevant = query.gain > 0
        size = np.count_nonzero(relevant)
        if not size:
            return 0.0
        return float(_Pairs.of(query).known / size)

    def greatest(self, query: OpenQuery) -> tuple[float, bool]:
        """The greatest of all sets, or a bound that is no lower."""
        pairs = _Pairs.of(query)
        if len(pairs.alone) <= _TRIED:
            return pairs.greatest_of_all(), True
        return pairs.above_all(), False

    def weights(self, query: OpenQuery) -> Array:
        """What a document is expected to change, if each other open one is relevant by one half."""
        pairs = _Pairs.of(query)
        changes = pairs.alone + pairs.together.sum(axis=1) / 2
        others = len(pairs.alone) - 1
        relevant = pairs.size + 1 + others / 2
        weights: Array = np.abs(changes) / relevant
        return weights


def _over_lower_rank(rank: Array, other: Array) -> Array:
    """1 over the lower of the ranks of each pair; 0 if one of them is not there."""
    lower = np.maximum.outer(rank, other)
    over: Array = 1 / lower  # 0 where it is infinite
    return over


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The difference of two sums of precisions, by pairs of documents.

    `known` is that of the judged documents, of which `size` are relevant. An open document adds
    what it has `alone` with these, and `together` with each other open one.
    """

    known: float
    size: int
    alone: Array
    together: Array
    before: Array
    after: Array
    relevant_before: Array
    relevant_after: Array

    @classmethod
    def of(cls, query: OpenQuery) -> "_Pairs":
        """The pairs of a query."""
        relevant = query.gain > 0
        before = query.before[query.is_open]
        after = query.after[query.is_open]
        relevant_before = query.before[relevant]
        relevant_after = query.after[relevant]
        of_known = _over_lower_rank(relevant_after, relevant_after)
        of_known -= _over_lower_rank(relevant_before, relevant_before)
        with_known = _over_lower_rank(after, relevant_after)
        with_known -= _over_lower_rank(before, relevant_before)
        together = _over_lower_rank(after, after)
        together -= _over_lower_rank(before, before)
        itself = together.diagonal().copy()
        np.fill_diagonal(together, 0)
        return cls(
            known=float(np.triu(of_known).sum()),
            size=int(np.count_nonzero(relevant)),
            alone=itself + with_known.sum(axis=1),
            together=together,
            before=before,
            after=after,
            relevant_before=relevant_before,
            relevant_after=relevant_after,
        )

    def greatest_of_all(self) -> float:
        """The greatest quotient of all sets of open documents."""
        n = len(self.alone)
        numbers = np.arange(2**n)
        bits = numbers[:, None] >> np.arange(n)
        chosen = (bits & 1).astype(float)
        with_chosen = chosen @ self.together
        pairs = with_chosen * chosen
        above = self.known + chosen @ self.alone
        above += pairs.sum(axis=1) / 2  # where each is counted twice
        below = self.size + chosen.sum(axis=1)
        return _greatest_quotient(above, below)

    def above_all(self) -> float:
        """No set of n open documents has more than the lower of two bounds, for each n.

        By pairs, each document has at most the half of its n - 1 greatest pairs. By runs, one has
        the n documents at its first open ranks, and the other those at its last.
        """
        n = len(self.alone)
        first_ranks = np.sort(self.after)
        last_ranks = np.sort(self.before)[::-1]
        above = _sums_of_precisions(self.relevant_after, first_ranks)
        above -= _sums_of_precisions(self.relevant_before, last_ranks)
        if n <= _PAIRED:
            above = np.minimum(above, self._by_pairs())
        return _greatest_quotient(above, self.size + np.arange(n + 1))

    def _by_pairs(self) -> Array:
        """The most that n open documents can have by their pairs, for each n."""
        n = len(self.alone)
        rising = np.sort(self.together, axis=1)
        falling = rising[:, ::-1]
        sums = np.cumsum(falling, axis=1)
        halves = np.zeros((n, n + 1))
        halves[:, 2:] = sums[:, : n - 1] / 2
        most = [self.known]
        for size in range(1, n + 1):
            each = np.sort(self.alone + halves[:, size])
            greatest = each[n - size :]
            most.append(self.known + float(greatest.sum()))
        return np.array(most)


def _greatest_quotient(above: Array, below: Array) -> float:
    """The greatest quotient; without a relevant document, where nothing is below, it is 0."""
    quotients = np.zeros(len(above))
    np.divide(
        above,
        below,
        out=quotients,
        where=below > 0,
    )
    return float(np.max(quotients))


def _sums_of_precisions(relevant: Array, added: Array) -> Array:
    """The sum of the precisions at relevant documents, with the first n of others, for each n."""
    of_relevant = np.triu(_over_lower_rank(relevant, relevant))
    with_relevant = _over_lower_rank(added, relevant)
    with_earlier = np.tril(_over_lower_rank(added, added))
    of_each = with_relevant.sum(axis=1)
    of_each += with_earlier.sum(axis=1)
    sums = np.append(0.0, np.cumsum(of_each))
    sums += of_relevant.sum()
    return sums
