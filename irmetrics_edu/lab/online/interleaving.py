"""Interleaving: two rankings become one list, and clicks say which ranking the user prefers."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.working import Working


class Credit(NamedTuple):
    """The clicks that each ranking gets credit for."""

    a: int
    b: int

    @property
    def sign(self) -> int:
        """The preference of one impression: 1 for A, -1 for B, 0 for a tie."""
        return (self.a > self.b) - (self.a < self.b)


@dataclass(frozen=True)
class Interleaved:
    """A list made of two rankings A and B.

    `teams` has "A" or "B" for each document of a team draft. It is empty for a balanced list.
    """

    documents: tuple[Hashable, ...]
    rankings: tuple[tuple[Hashable, ...], tuple[Hashable, ...]]
    teams: str = ""

    def credit(self, clicked: Iterable[Hashable]) -> Credit:
        """The credit that the clicked documents give to A and to B.

        Team draft: a click counts for the team that chose the document. Balanced: k is the least
        depth at which A or B shows the lowest clicked document, and each ranking gets the clicks on
        its own first k documents. A second click on a document doesn't count.
        """
        clicks = set(checks.ids(clicked, what="clicked", repeated=True))
        not_shown = clicks.difference(self.documents)
        if not_shown:
            raise InputError(
                f"document {min(not_shown, key=repr)!r} was clicked and not shown; "
                f"the list shows {', '.join(map(repr, self.documents))}"
            )
        if not clicks:
            return Credit(0, 0)
        if self.teams:
            return self._credit_of_teams(clicks)
        lowest = max(clicks, key=self.documents.index)
        depths = [1 + ranking.index(lowest) for ranking in self.rankings if lowest in ranking]
        k = min(depths)
        a, b = self.rankings
        return Credit(
            len(clicks.intersection(a[:k])),
            len(clicks.intersection(b[:k])),
        )

    def _credit_of_teams(self, clicks: set[Hashable]) -> Credit:
        """Each click counts for the team that chose the document."""
        clicks_of: Counter[str] = Counter()
        for document, team in zip(self.documents, self.teams, strict=True):
            if document in clicks:
                clicks_of[team] += 1
        return Credit(clicks_of["A"], clicks_of["B"])


def balanced(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    first: str,
    length: int | None = None,
) -> Interleaved:
    """Balanced interleaving takes from A and B in turn, so that both are seen to the same depth.

    The first k documents of the list always hold the first documents of A and of B, to depths that
    differ by 1 at most. `first` is "A" or "B": toss a coin for each impression
    (`Chance(1).coins(1)`). The list goes down to the depth of the shorter ranking, or ends at
    `length`.

    Source: Joachims (2002), Optimizing search engines using clickthrough data, KDD.

    >>> a, b = ["p", "q", "r", "s"], ["q", "r", "s", "p"]
    >>> balanced(a, b, first="B").documents
    ('q', 'p', 'r', 's')
    >>> balanced(a, b, first="B").credit(["r"])
    Credit(a=0, b=1)
    """
    rankings, most = _read(a, b, length)
    leader, follower = rankings if next(_firsts(first)) == "A" else rankings[::-1]
    documents: list[Hashable] = []
    for at_rank in zip(leader, follower, strict=False):
        for document in at_rank:
            if document not in documents:
                documents.append(document)
    return Interleaved(tuple(documents[:most]), rankings)


def team_draft(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    first: str,
    length: int | None = None,
) -> Interleaved:
    """Team-draft interleaving lets A and B choose documents in turn, as captains choose players.

    In each round a coin says who chooses first. Each ranking chooses its best document that is not
    in the list yet. `first` says who begins each round, as in "ABBA": toss new coins for each
    impression (`Chance(1).coins(10)`). The list ends when one ranking has no document to choose, or
    at `length`. Beyond the end of the shorter ranking the
    longer one would have more of its own documents in the list, so rankings of unequal length need
    a `length` of at most the shorter one.

    Source: Radlinski, Kurup & Joachims (2008), How does clickthrough data reflect retrieval
    quality?, CIKM.

    >>> found = team_draft(["p", "q", "r", "s"], ["q", "r", "s", "p"], first="AB")
    >>> found.documents, found.teams
    (('p', 'q', 'r', 's'), 'ABBA')
    >>> found.credit(["q", "s"]), found.credit(["q", "r"]).sign
    (Credit(a=1, b=1), -1)
    """
    rankings, most = _read(a, b, length)
    of_a, of_b = map(len, rankings)
    shorter = min(of_a, of_b)
    if of_a != of_b and most > shorter:
        raise InputError(
            f"A has {of_a} documents and B has {of_b}, which favours the longer ranking; give "
            f"length={shorter} or less"
        )
    firsts = _firsts(first)
    documents: list[Hashable] = []
    teams = ""
    while len(documents) < most:
        left = [[d for d in ranking if d not in documents] for ranking in rankings]
        if not all(left):
            break
        team = ("B" if teams[-1] == "A" else "A") if len(teams) % 2 else next(firsts)
        documents.append(left["AB".index(team)][0])
        teams += team
    return Interleaved(tuple(documents), rankings, teams)


def _read(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    length: int | None,
) -> tuple[tuple[tuple[Hashable, ...], tuple[Hashable, ...]], int]:
    one, other = (tuple(checks.ids(r, what=f"ranked by {n}")) for n, r in (("A", a), ("B", b)))
    if not (one and other):
        raise InputError(f"ranking {'B' if one else 'A'} is empty; give at least one document")
    longest = len(one) + len(other)
    return (one, other), longest if length is None else checks.whole("length", length, 1)


def _firsts(first: str) -> Iterator[str]:
    if not first or set(first) - {"A", "B"}:
        raise InputError(f'first={first!r}; give A or B for each round, such as first="AB"')
    yield from first
    raise InputError(f"first={first!r} ends after {len(first)} rounds; give one letter a round")


def preference(signs: Iterable[int]) -> Working:
    """The preference for A is the share of impressions that A wins, less 1/2; a tie is half a win.

    Above 0 users prefer A, below 0 they prefer B. The range is [-1/2, 1/2]. `signs` has 1, -1 or 0
    for each impression. InputError for no impression or another number.

    Source: Chapelle, Joachims, Radlinski & Yue (2012), Large-scale validation and analysis of
    interleaved search evaluation, ACM TOIS 30(1).

    >>> preference([1, 1, 1, 0, -1]).value
    0.2
    >>> from irmetrics_edu import explain
    >>> explain(preference([1, 1, 1, 0, -1]))
    preference for A = (wins of A + ties / 2) / impressions - 1/2 = (3 + 1 / 2) / 5 - 1/2 = 0.2000
      wins of B 1
    """
    impressions: list[Any] = list(signs)
    if not impressions:
        raise InputError("there are no impressions; give 1, -1 or 0 for each")
    for sign in impressions:
        if isinstance(sign, bool) or sign not in (-1, 0, 1):
            raise InputError(f"{sign!r} is no sign; give 1 if A won, -1 if B won, 0 for a tie")
    wins = impressions.count(1)
    losses = impressions.count(-1)
    n = len(impressions)
    return Working(
        np.array([(wins - losses) / (2 * n)]),
        how="({wins of A} + {ties} / 2) / {impressions} - 1/2",
        quantities={
            "wins of A": wins,
            "ties": n - wins - losses,
            "impressions": n,
            "wins of B": losses,
        },
        name="preference for A",
    )
