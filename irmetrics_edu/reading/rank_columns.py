"""Ranks that run against the scores, as those of distances do, and ranks that leave places out."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from irmetrics_edu.checks import is_whole
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.files import Problems

AGAINST_RANKS = "against_ranks"  # a run whose ranks and scores contradict each other
GAPS = "gaps"  # queries whose documents have ranks alone, which leave a place out
_FEWEST = 2  # pairs of documents whose score rises as the rank gets worse
_FIELDS = 5  # of a line of TREC's, down to the score


def run_against(
    query: Array,
    rank: Array,
    score: Array,
) -> bool:
    """Whether within each query a worse rank never has a lower score, and often a higher one.

    >>> run_against(np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([0.12, 0.34, 0.9]))
    True
    >>> run_against(np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([0.9, 0.34, 0.12]))
    False
    """
    order = np.lexsort((rank, query))
    same_query = query[order][1:] == query[order][:-1]
    worse = rank[order][1:] > rank[order][:-1]
    later = score[order][1:][same_query & worse]
    earlier = score[order][:-1][same_query & worse]
    return bool((later >= earlier).all()) and int((later > earlier).sum()) >= _FEWEST


def head_runs_against(head: bytes) -> bool:
    """Whether the first lines of a run in TREC's format have ranks that contradict all scores."""
    numbers: dict[bytes, int] = {}
    queries: list[int] = []
    ranks: list[float] = []
    scores: list[float] = []
    for line in head.split(b"\n")[:-1]:
        fields = line.split()
        if len(fields) < _FIELDS:
            continue
        try:
            rank = float(fields[3])
            score = float(fields[4])
        except ValueError:
            return False
        number = numbers.setdefault(fields[0], len(numbers))
        queries.append(number)
        ranks.append(rank)
        scores.append(score)
    return run_against(
        np.array(queries),
        np.array(ranks),
        np.array(scores),
    )


def gaps_told(parts: Iterable[RunColumns], problems: Problems) -> Iterator[RunColumns]:
    """The same parts of whole queries; those ranked by their ranks alone are looked at for gaps."""
    for part in parts:
        count = _with_gaps(part)
        if count:
            problems.told[GAPS] += count
        yield part


def _with_gaps(part: RunColumns) -> int:
    """How many queries have ranks and no scores, and begin below rank 1 or leave a rank out."""
    if part.rank is None or part.value is None:
        return 0
    if not np.array_equal(part.value, -part.rank):
        return 0
    ordered = part.grouped()
    return 0 if ordered.rank is None else _gaps_among(ordered.query, ordered.rank)


def _gaps_among(query: Array, rank: Array) -> int:
    """How many queries, by their numbers, begin below rank 1 or leave a rank out."""
    order = np.lexsort((rank, query))
    query = query[order]
    rank = rank[order]
    above = np.zeros(len(rank))  # ranks may begin at 0, and then at 1
    goes_on = query[1:] == query[:-1]
    above[1:] = np.where(goes_on, rank[:-1], 0)
    with_gap = query[rank - above > 1]
    return len(np.unique(with_gap))


def told_of_hits(hits: Iterable[tuple[Any, Any, Any]]) -> Counter[str]:
    """What to say of hits, each a query, a rank and a score, or None where it has none."""
    numbers: dict[Any, int] = {}
    queries: list[int] = []
    ranks: list[float] = []
    scores: list[float] = []
    for query, rank, score in hits:
        if not is_whole(rank):
            return Counter()
        number = numbers.setdefault(query, len(numbers))
        queries.append(number)
        ranks.append(rank)
        if score is not None:
            scores.append(score)
    odd: Counter[str] = Counter()
    place = np.array(queries)
    if not scores:
        odd[GAPS] = _gaps_among(place, np.array(ranks))
    elif len(scores) == len(ranks):
        rank = np.array(ranks)
        odd[AGAINST_RANKS] = int(run_against(place, rank, np.array(scores)))
    return +odd
