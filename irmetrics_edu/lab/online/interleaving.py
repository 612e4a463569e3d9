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
        if strange := [d for d in clicks if d not in self.documents]:
            raise InputError(
                f"document {min(strange, key=repr)!r} was clicked and not shown; "
                f"the list shows {', '.join(map(repr, self.documents))}"
            )
        if not clicks:
            return Credit(0, 0)
        if self.teams:
            of = Counter(
                team for d, team in zip(self.documents, self.teams, strict=True) if d in clicks
            )
            return Credit(of["A"], of["B"])
        lowest = max(clicks, key=self.documents.index)
        k = 1 + min(r.index(lowest) for r in self.rankings if lowest in r)
        a, b = (len(clicks.intersection(ranking[:k])) for ranking in self.rankings)
        return Credit(a, b)


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
    one, other = rankings if next(_firsts(first)) == "A" else rankings[::-1]
    documents: list[Hashable] = []
    for here, there in zip(one, other, strict=False):
        documents += [d for d in dict.fromkeys((here, there)) if d not in documents]
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
    one, other = map(len, rankings)
    if one != other and most > min(one, other):
        raise InputError(
            f"A has {one} documents and B has {other}, which favours the longer ranking; give "
            f"length={min(one, other)} or less"
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
    given: list[Any] = list(signs)
    if not given:
        raise InputError("there are no impressions; give 1, -1 or 0 for each")
    if odd := [s for s in given if isinstance(s, bool) or s not in (-1, 0, 1)]:
        raise InputError(f"{odd[0]!r} is no sign; give 1 if A won, -1 if B won, 0 for a tie")
    wins = given.count(1)
    losses = given.count(-1)
    n = len(given)
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
