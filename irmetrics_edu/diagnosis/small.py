"""All small inputs of a kind, smallest first, to find where two definitions differ.

They are the queries of one run, so a metric scores all of them at once.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
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


def small_inputs(
    metric: Metric,
    *,
    tied: bool = False,
    negative: bool = False,
) -> Small:
    """All small inputs of the metric's kind; with tied scores and negative grades if asked for."""
    if metric.inputs is RANKED:
        return _numbered(_rankings(tied=tied, negative=negative))
    names = metric.inputs.arguments
    if names == ("ranking", "nuggets"):
        return _numbered(_nuggets())
    if names[0] == "recommended":
        return _recommended(names)
    raise InputError(f"{metric!r}: there are no small inputs of {', '.join(names)}")


def _numbered(pairs: Iterable[tuple[Any, Any]]) -> Small:
    run: dict[int, Any] = {}
    qrels: dict[int, Any] = {}
    for number, (ranking, judgments) in enumerate(pairs):
        run[number] = ranking
        qrels[number] = judgments
    return Small(run, qrels)


def _rankings(*, tied: bool, negative: bool) -> Iterator[tuple[Any, Any]]:
    for length, judged in _judged(negative=negative):
        ids = _documents(length)
        if not tied:
            yield ids, judged
            continue
        for scores in _SCORES if len(ids) > 1 else _SCORES[:1]:
            yield dict(zip(ids, scores[: len(ids)], strict=True)), judged
    # A list longer than any cut-off of these sizes, and one query with much that is missed.
    long = _documents(6)
    if not tied:
        yield long, dict(zip(long, (1, 0, 3, 0, 2, 1), strict=True))
        much_is_missed = dict(zip(long, (0, 2, 0, 1, 0, 3), strict=True))
        much_is_missed.update(x1=3, x2=2, x3=1)
        yield long, much_is_missed


def _documents(length: int) -> list[str]:
    return [f"d{rank}" for rank in range(1, length + 1)]


def _judged(*, negative: bool) -> list[tuple[int, dict[str, int]]]:
    """The lengths of rankings with their judgments, the smallest and the least relevant first."""
    grades = (*_GRADES, -1) if negative else _GRADES
    sized: list[tuple[tuple[int, int], int, dict[str, int]]] = []
    for length in (1, 2, 3):
        choices = itertools.product(itertools.product(grades, repeat=length), _MISSED)
        for graded, missed in choices:
            ranked = zip(_documents(length), graded, strict=True)
            judged = {document: grade for document, grade in ranked if grade is not None}
            for number, grade in enumerate(missed, 1):
                judged[f"x{number}"] = grade
            if judged:
                size = (length + len(judged), sum(judged.values()))
                sized.append((size, length, judged))
    sized.sort(key=itemgetter(0))
    return [(length, judged) for _, length, judged in sized]


def _nuggets() -> Iterator[tuple[Any, Any]]:
    held = [set("A"), set("B"), set("AB"), set("ABC"), set()]
    for size in (1, 2, 3):
        for sets in itertools.product(held, repeat=size):
            if any(sets):
                documents = dict(zip(_documents(size), sets, strict=True))
                yield from _orders_of(documents)


def _orders_of(documents: Mapping[str, set[str]]) -> Iterator[tuple[Any, Any]]:
    for length in range(1, len(documents) + 1):
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
    lists: list[list[str]] = []
    for length in (2, 3):
        lists += [list(items) for items in itertools.permutations(_CATEGORIES, length)]
    beside = {name: values for name, values in _BESIDE.items() if name in names}
    if "relevant" not in names:
        return Small(dict(enumerate(lists)), None, beside)
    relevant = [{"i1"}, {"i2"}, {"i3", "i4"}, {"i1", "i2", "i5"}]
    return replace(_numbered(itertools.product(lists, relevant)), beside=beside)
