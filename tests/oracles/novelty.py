"""Vertex covers, which the exact ideal of alpha-nDCG finds on graphs."""

import itertools


def minimum_vertex_covers(edges):
    """All vertex covers of least size, by going through all sets of vertices."""
    vertices = sorted({v for edge in edges for v in edge}, key=str)
    for size in range(1, len(vertices) + 1):
        covers = [
            set(c)
            for c in itertools.combinations(vertices, size)
            if all(a in c or b in c for a, b in edges)
        ]
        if covers:
            return covers
    return []
