"""All small inputs of a kind, smallest first, to find where two definitions differ.

They are the queries of one run, so a metric scores all of them at once.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.rows.aligned_ranking import RANKED

_GRADES: tuple[int | None, ...] = (0, 1, 2, 3, None)  # None: not judged
_MISSED: tuple[tuple[int, ...], ...] = ((), (1,), (3,), (2, 1))
# Scores of three documents: apart, all the same, two the same, apart beyond 32 bits only.
_SCORES = ((3.0, 2.0, 1.0), (1.0, 1.0, 1.0), (2.0, 1.0, 1.0), (0.123456780, 0.123456781, 0.1))


@dataclass(frozen=True)
class Small:
    """Small inputs as a run: `size` orders them, and they share the inputs `beside`."""

    run: Mapping[int, Any]
    qrels: Mapping[int, Any] | None
    beside: Mapping[str, Any] = field(default_factory=dict)

    def inputs(self, metric: Metric, query: int) -> tuple[Any, ...]:
        """The arguments of the metric for one of them."""
        given: list[Any] = [self.run[query]]
        for name in metric.inputs.arguments[1:]:
            if name in self.beside:
                given.append(self.beside[name])
            elif self.qrels is not None:
                given.append(self.qrels[query])
        return tuple(given)


def small_inputs(metric: Metric, *, tied: bool = False, negative: bool = False) -> Small:
    """All small inputs of the metric's kind; with tied scores and negative grades if asked for."""
    if metric.inputs is RANKED:
        return _numbered(_rankings(tied=tied, negative=negative))
    names = metric.inputs.arguments
    if names == ("ranking", "nuggets"):
        return _numbered(_nuggets())
    if names[0] == "recommended":
        return _recommended(names)
    raise InputError(f"{metric!r}: there are no small inputs of {', '.join(names)}")


def _numbered(pairs: Iterator[tuple[Any, Any]]) -> Small:
    both = dict(enumerate(pairs))
    return Small({i: run for i, (run, _) in both.items()}, {i: q for i, (_, q) in both.items()})


def _rankings(*, tied: bool, negative: bool) -> Iterator[tuple[Any, Any]]:
    grades = (*_GRADES, -1) if negative else _GRADES
    found = []
    for n in (1, 2, 3):
        for graded in itertools.product(grades, repeat=n):
            for missed in _MISSED:
                judged = {f"d{i}": g for i, g in enumerate(graded, 1) if g is not None}
                judged |= {f"x{i}": g for i, g in enumerate(missed, 1)}
                if judged:
                    found.append((sum(g or 0 for g in judged.values()), graded, judged))
    found.sort(key=lambda item: (len(item[1]) + len(item[2]), item[0]))
    for _, graded, judged in found:
        ids = [f"d{i}" for i in range(1, len(graded) + 1)]
        if not tied:
            yield ids, judged
            continue
        for scores in _SCORES if len(ids) > 1 else _SCORES[:1]:
            yield dict(zip(ids, scores[: len(ids)], strict=True)), judged
    # A list longer than any cut-off of these sizes, and one query with much that is missed.
    long = [f"d{i}" for i in range(1, 7)]
    if not tied:
        yield long, dict(zip(long, (1, 0, 3, 0, 2, 1), strict=True))
        yield long, {**dict(zip(long, (0, 2, 0, 1, 0, 3), strict=True)), "x1": 3, "x2": 2, "x3": 1}


def _nuggets() -> Iterator[tuple[Any, Any]]:
    held = [set("A"), set("B"), set("AB"), set("ABC"), set()]
    for n in (1, 2, 3):
        for sets in itertools.product(held, repeat=n):
            if not any(sets):
                continue
            documents = {f"d{i}": s for i, s in enumerate(sets, 1)}
            for length in range(1, n + 1):
                for ranking in itertools.permutations(documents, length):
                    yield list(ranking), documents


_CATEGORIES: dict[str, set[str]] = {
    "i1": {"rock"},
    "i2": {"rock", "jazz"},
    "i3": {"folk"},
    "i4": {"rock", "folk"},
    "i5": {"pop"},
}
_EMBEDDINGS: dict[str, list[float]] = {
    "i1": [1.0, 0.0],
    "i2": [0.6, 0.8],
    "i3": [0.0, 1.0],
    "i4": [-1.0, 0.0],
    "i5": [0.8, 0.6],
}
_POPULARITY = {"i1": 8, "i2": 4, "i3": 2, "i4": 1, "i5": 3}
_BESIDE: dict[str, Any] = {
    "categories": _CATEGORIES,
    "embeddings": _EMBEDDINGS,
    "popularity": _POPULARITY,
    "exposure": _POPULARITY,
    "expected": ["i1", "i4"],
}


def _recommended(names: Sequence[str]) -> Small:
    lists = [list(p) for n in (2, 3) for p in itertools.permutations(_CATEGORIES, n)]
    beside = {name: values for name, values in _BESIDE.items() if name in names}
    if "relevant" not in names:
        return Small(dict(enumerate(lists)), None, beside)
    relevant = [{"i1"}, {"i2"}, {"i3", "i4"}, {"i1", "i2", "i5"}]
    pairs = list(itertools.product(lists, relevant))
    return Small(
        {i: ranking for i, (ranking, _) in enumerate(pairs)},
        {i: judged for i, (_, judged) in enumerate(pairs)},
        beside,
    )
