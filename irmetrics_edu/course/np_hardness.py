"""Why the ideal ranking is hard to find: a method that finds it also solves vertex cover.

A vertex cover is a set of vertices that touches every edge. Make each vertex a document and each
edge a nugget. The two documents at the ends of an edge hold its nugget. With alpha = 1 a document
gains only the edges that are new. So the first k documents gain every edge exactly if they are a
cover. The size of a minimum vertex cover is the smallest k at which the best ranking gains all
edges. Clarke et al. (2008, section 5.1) show with it that the ideal gain vector is NP-hard to
compute.
"""

from collections.abc import Hashable, Iterable

from irmetrics_edu.checks import ids
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.novelty import alpha_ndcg

Vertex = Hashable
Edge = tuple[Vertex, Vertex]


def as_nuggets(edges: Iterable[Edge]) -> dict[Vertex, set[Edge]]:
    """The graph as judgments: each vertex a document, each edge a nugget of its two ends.

    >>> as_nuggets([("a", "b"), ("b", "c")])["c"]
    {('b', 'c')}
    """
    nuggets: dict[Vertex, set[Edge]] = {}
    known: set[frozenset[Vertex]] = set()
    for edge in edges:
        ends = ids(edge, what=f"an end of the edge {edge!r}")
        if len(ends) != 2:
            raise InputError(f"edge {edge!r}: an edge joins two vertices")
        if frozenset(ends) in known:
            raise InputError(f"edge {edge!r} is given twice; give each edge once")
        known.add(frozenset(ends))
        for vertex in ends:
            nuggets.setdefault(vertex, set()).add((ends[0], ends[1]))
    if not nuggets:
        raise InputError("a graph without edges needs no cover; give at least one edge")
    return nuggets


def vertex_cover(edges: Iterable[Edge], *, ideal: str = "exact") -> list[Vertex]:
    """A vertex cover: the shortest ideal ranking that gains every edge.

    `ideal="exact"` finds a minimum cover, for small graphs only. `ideal="greedy"` takes the vertex
    with the most new edges each time, and may need more vertices.

    >>> spider = [("c", 1), ("c", 2), ("c", 3), (1, "x"), (2, "y"), (3, "z")]
    >>> vertex_cover(spider)
    [1, 2, 3]
    >>> vertex_cover(spider, ideal="greedy")
    ['c', 1, 2, 3]
    """
    edges = list(edges)
    nuggets = as_nuggets(edges)
    for k in range(1, len(nuggets) + 1):
        best = alpha_ndcg.working(
            [], nuggets, k=k, alpha=1, discount="none", ideal=ideal, exact=True
        )["ideal alpha-DCG"]
        if best.value == len(edges):
            return list(best["document"])
    raise AssertionError("unreachable: all vertices are a cover")  # pragma: no cover
