"""Pools: which documents of several runs the assessors judge, and how a run depends on them.

With a pool of depth N, only the first N documents of every run are judged. So R is the number of
relevant documents in the pool, at most the true number. For a run that contributed, recall down to
the depth of the pool is an upper bound of its true recall. Below that depth, or for a run that did
not contribute, some retrieved relevant documents are not judged either. Then recall may be too high
or too low.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs.joining.inputs import is_run

Ranking = Sequence[Hashable] | Mapping[Hashable, float]


@dataclass(frozen=True)
class Pool:
    """The documents that several runs contribute for one query, and the systems of each.

    `contributors` maps each document to the systems that hold it within the depth, with its rank
    there. The documents are in the order in which a pooling by rank meets them.
    """

    depth: int
    systems: tuple[Hashable, ...]
    contributors: Mapping[Hashable, Mapping[Hashable, int]]
    query: Hashable = None

    @property
    def documents(self) -> list[Hashable]:
        """The documents to be judged."""
        return list(self.contributors)

    def of(self, system: Hashable) -> list[Hashable]:
        """What a system contributed, alone or with others."""
        if system not in self.systems:
            systems = ", ".join(repr(s) for s in self.systems)
            raise InputError(f"{at(self.query)}no system {system!r} is pooled; there are {systems}")
        return [d for d, ranks in self.contributors.items() if system in ranks]

    def only(self, system: Hashable) -> list[Hashable]:
        """What a system alone contributed: without it, nobody would have judged these."""
        return [d for d in self.of(system) if len(self.contributors[d]) == 1]

    def __len__(self) -> int:
        return len(self.contributors)

    def __contains__(self, document: object) -> bool:
        return document in self.contributors

    def __str__(self) -> str:
        title = f"pool of depth {self.depth}: {len(self)} documents"
        lines = [
            f"  {document}: {', '.join(f'{s} at rank {r}' for s, r in ranks.items())}"
            for document, ranks in self.contributors.items()
        ]
        only = [f"  only from {s}: {len(self.only(s))} of {len(self.of(s))}" for s in self.systems]
        return "\n".join(
            [
                at(self.query) + title,
                *lines,
                *only,
            ]
        )


@overload
def pool(
    runs: Mapping[Hashable, Ranking],
    depth: int,
) -> Pool: ...
@overload
def pool(
    runs: Mapping[Hashable, Mapping[Hashable, Ranking]],
    depth: int,
) -> dict[Hashable, Pool]: ...
def pool(
    runs: Mapping[Hashable, Any],
    depth: int,
) -> Pool | dict[Hashable, Pool]:
    """A pool of depth N is the union of the first N documents of several runs.

    `runs` maps systems to rankings (ids in order, or a score for each id) for one query. It can
    also map systems to mappings from query to ranking. Then the result is a pool for each query.

    >>> print(pool({"A": ["x", "y"], "B": ["y", "z"]}, depth=2))
    pool of depth 2: 3 documents
      x: A at rank 1
      y: A at rank 2, B at rank 1
      z: B at rank 2
      only from A: 1 of 2
      only from B: 1 of 2
    """
    to = checks.whole("depth", depth, 1, why=" rank, such as 100")
    by_query, single = _by_query(runs)
    pools = {
        query: Pool(
            to,
            tuple(runs),
            _contributors(rankings, to),
            query,
        )
        for query, rankings in by_query.items()
    }
    return pools[None] if single else pools


def _contributors(
    rankings: Mapping[Hashable, list[Hashable]],
    depth: int,
) -> dict[Hashable, dict[Hashable, int]]:
    """Which systems hold each document within the depth, by rank and then by system."""
    contributors: dict[Hashable, dict[Hashable, int]] = {}
    for rank in range(1, min(depth, max(map(len, rankings.values()), default=0)) + 1):
        for system, ranking in rankings.items():
            if rank <= len(ranking):
                contributors.setdefault(ranking[rank - 1], {})[system] = rank
    # The systems of a document in the order of the runs, whichever had it higher.
    return {d: {s: ranks[s] for s in rankings if s in ranks} for d, ranks in contributors.items()}


def _by_query(
    runs: Any,
) -> tuple[dict[Hashable, dict[Hashable, list[Hashable]]], bool]:
    """For each query: system -> ranked ids, and whether the runs are of one query (named None)."""
    if not isinstance(runs, Mapping) or not runs:
        raise InputError(
            "the runs are not a mapping; map systems to rankings, or to mappings "
            "from query to ranking"
        )
    if not _are_of_queries(runs):
        rankings = {system: _ranking(run, system, None) for system, run in runs.items()}
        return {None: rankings}, True
    by_query: dict[Hashable, dict[Hashable, list[Hashable]]] = {}
    for system, run in runs.items():
        for query, ranking in run.items():
            of_query = by_query.setdefault(query, {})
            of_query[system] = _ranking(ranking, system, query)
    return by_query, False


def _are_of_queries(runs: Mapping[Hashable, Any]) -> bool:
    """Whether each system has a ranking for each query, and not one ranking; refused if mixed."""
    many = [system for system, run in runs.items() if isinstance(run, Mapping) and is_run(run)]
    if many and len(many) < len(runs):
        other = next(system for system in runs if system not in many)
        raise InputError(
            f"system {many[0]!r} has queries and system {other!r} has none; give one kind of runs"
        )
    return bool(many)


def _ranking(ranking: Any, system: Hashable, query: Hashable) -> list[Hashable]:
    try:
        checks.collection(
            ranking,
            "ranking",
            at(query),
            "give a list of ids",
        )
        if isinstance(ranking, Mapping):
            return checks.ids_by_falling_score(ranking, query)
        checks.ordered(ranking, query)
        return checks.ids(ranking, query)
    except InputError as error:
        raise InputError(f"system {system!r}, {error}") from None
