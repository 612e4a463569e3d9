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
from irmetrics_edu.rows.scored import SCORED
from irmetrics_edu.rows.two_orders import ORDERS

_GRADES: tuple[int | None, ...] = (0, 1, 2, 3, None)  # None: not judged
_MISSED: tuple[tuple[int, ...], ...] = ((), (1,), (3,), (2, 1))
# Scores of three documents.
_APART = (3.0, 2.0, 1.0)
_ALL_THE_SAME = (1.0, 1.0, 1.0)
_TWO_THE_SAME = (2.0, 1.0, 1.0)
_APART_BEYOND_32_BITS = (0.123456780, 0.123456781, 0.1)
_SCORES = (
    _APART,
    _ALL_THE_SAME,
    _TWO_THE_SAME,
    _APART_BEYOND_32_BITS,
)
# A list longer than any cut-off of these sizes.
_LONG = ("d1", "d2", "d3", "d4", "d5", "d6")
_GRADES_OF_LONG = {
    "d1": 1,
    "d2": 0,
    "d3": 3,
    "d4": 0,
    "d5": 2,
    "d6": 1,
}
_MUCH_IS_MISSED = {
    "d1": 0,
    "d2": 2,
    "d3": 0,
    "d4": 1,
    "d5": 0,
    "d6": 3,
    "x1": 3,
    "x2": 2,
    "x3": 1,
}


@dataclass(frozen=True)
class Small:
    """Small inputs as a run: `size` orders them, and they share the inputs `beside`."""

    run: Mapping[int, Any]
    qrels: Mapping[int, Any] | None
    beside: Mapping[str, Any] = field(default_factory=dict)

    def inputs(self, metric: Metric, query: int) -> tuple[Any, ...]:
        """The arguments of the metric for one of them."""
        if metric.inputs is SCORED and self.qrels is not None:
            scores = self.run[query]
            return [self.qrels[query][document] for document in scores], list(scores.values())
        arguments: list[Any] = [self.run[query]]
        for name in metric.inputs.arguments[1:]:
            if metric.inputs is ORDERS:
                arguments.append(self.beside[name][query])
            elif name in self.beside:
                arguments.append(self.beside[name])
            elif self.qrels is not None:
                arguments.append(self.qrels[query])
        return tuple(arguments)


def small_inputs(
    metric: Metric,
    *,
    tied: bool = False,
    negative: bool = False,
) -> Small:
    """All small inputs of the metric's kind; with tied scores and negative grades if asked for."""
    if metric.inputs is RANKED:
        return _numbered(_rankings(tied=tied, negative=negative))
    if metric.inputs is SCORED:
        return _numbered(_scored(tied=tied))
    if metric.inputs is ORDERS:
        return _two_orders()
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
        ways = _SCORES if length > 1 else (_APART,)  # one document ties with no other
        for scores in ways:
            scored = dict(zip(ids, scores[:length], strict=True))
            yield scored, judged
    if not tied:
        yield list(_LONG), dict(_GRADES_OF_LONG)
        yield list(_LONG), dict(_MUCH_IS_MISSED)


def _scored(*, tied: bool) -> Iterator[tuple[Any, Any]]:
    """Scored documents of both kinds; some of equal score, if asked for."""
    for length in (2, 3, 4):
        ids = _documents(length)
        falling = list(range(length, 0, -1))
        orders = [falling]
        if tied:
            orders += [[min(score, most) for score in falling] for most in falling[1:]]
            orders += [[max(score, least) for score in falling] for least in falling[1:-1]]
        for grades in itertools.product((0, 1), repeat=length):
            if len({*grades}) == 1:
                continue
            for scores in orders:
                yield dict(zip(ids, scores, strict=True)), dict(zip(ids, grades, strict=True))


def _two_orders() -> Small:
    """Each order of three documents beside an order of the same and another."""
    orders = [list(order) for order in itertools.permutations("abc")]
    others = [*orders, *([*order, "d"] for order in orders)]
    pairs = list(itertools.product(orders, others))
    run = dict(enumerate(order for order, _ in pairs))
    other = dict(enumerate(order for _, order in pairs))
    return Small(run, None, {"other": other})


def _documents(length: int) -> list[str]:
    return [f"d{rank}" for rank in range(1, length + 1)]


def _judged(*, negative: bool) -> list[tuple[int, dict[str, int]]]:
    """The lengths of rankings with their judgments, the smallest and the least relevant first."""
    grades = (*_GRADES, -1) if negative else _GRADES
    sized: list[tuple[tuple[int, int], int, dict[str, int]]] = []
    for length in (1, 2, 3):
        every_grading = itertools.product(grades, repeat=length)
        for graded, missed in itertools.product(every_grading, _MISSED):
            judged = _judgments(graded, missed)
            if judged:
                size = length + len(judged)
                relevance = sum(judged.values())
                sized.append(((size, relevance), length, judged))
    sized.sort(key=itemgetter(0))
    return [(length, judged) for _, length, judged in sized]


def _judgments(
    graded: Sequence[int | None],
    missed: Sequence[int],
) -> dict[str, int]:
    """The grades of ranked documents, but for those not judged, and those of missed ones."""
    judged: dict[str, int] = {}
    for rank, grade in enumerate(graded, 1):
        if grade is not None:
            judged[f"d{rank}"] = grade
    for number, grade in enumerate(missed, 1):
        judged[f"x{number}"] = grade
    return judged


def _nuggets() -> Iterator[tuple[Any, Any]]:
    held: list[set[str]] = [
        {"A"},
        {"B"},
        {"A", "B"},
        {"A", "B", "C"},
        set(),
    ]
    for size in (1, 2, 3):
        for sets in itertools.product(held, repeat=size):
            if not any(sets):
                continue
            names = _documents(size)
            documents = dict(zip(names, sets, strict=True))
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
_POPULARITY = {
    "i1": 8,
    "i2": 4,
    "i3": 2,
    "i4": 1,
    "i5": 3,
}
_RELEVANT: tuple[set[str], ...] = (
    {"i1"},
    {"i2"},
    {"i3", "i4"},
    {"i1", "i2", "i5"},
)
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
        lists += map(list, itertools.permutations(_CATEGORIES, length))
    beside = {name: values for name, values in _BESIDE.items() if name in names}
    if "relevant" not in names:
        return Small(dict(enumerate(lists)), None, beside)
    with_relevant = _numbered(itertools.product(lists, _RELEVANT))
    return replace(with_relevant, beside=beside)
