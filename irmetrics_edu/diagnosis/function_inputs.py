"""The inputs that a function of somebody's own is called with, so that its name is earned.

Two functions that differ anywhere should differ on one of these inputs. All rankings of up to three
documents show gains, thresholds and guards. One document at each rank shows every cut-off. Drawn
rankings around the cut-off show the order of cutting and removing, and every denominator: there are
fewer and more relevant documents than ranks, fewer and more ranked documents than the cut-off, and
judged documents that were missed. Grades are whole numbers.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from irmetrics_edu.conventions import AS_WRITTEN
from irmetrics_edu.diagnosis.small import small_inputs
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.runs.evaluation import evaluate

_SEED = 1992  # any: the same inputs at each call
_DRAWN = 400
# Where the only relevant document stands: cut-offs at 100 and 1,000 are usual, and so are powers.
_EVERY_RANK_TO = 50
_DEEP_RANKS = (60, 64, 65, 99, 100, 101, 128, 150, 200, 201, 256, 257, 500, 501, 1000, 1001)
# What a drawn ranking is made of.
_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30)
_SCALES: tuple[tuple[int, ...], ...] = (
    (0, 1),
    (0, 0, 0, 1),
    (0, 1, 2, 3),
    (0, 0, 0, 0, 1, 2, 3),
    (1, 2, 3, 4),
    (0, 1, 2, 3, 4, 5),
    (0, 0, 1, 6, 7, 9, 10),
)
_UNJUDGED_SHARES = (0.0, 0.0, 0.2, 0.5, 0.8)
_MISSED = (0, 0, 1, 2, 5, 12, 30)
_GRADES_OF_FEW = (
    (1, 6, 0, 9, 2, 7),
    (3, 1, 0, 20, 2, 31),
    (-2, 1, 0, 3, -1, 0),
)
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789"

Ranking = list[str]
Judgments = dict[str, int]
Pair = tuple[Ranking, Judgments]


@dataclass(frozen=True)
class FunctionInputs:
    """Rankings and judgments by number, the smallest first."""

    run: Mapping[int, Ranking]
    qrels: Mapping[int, Judgments]

    @classmethod
    def of(cls, pairs: Iterable[Pair]) -> "FunctionInputs":
        """Number the pairs in their order."""
        run: dict[int, Ranking] = {}
        qrels: dict[int, Judgments] = {}
        for number, (ranking, judgments) in enumerate(pairs):
            run[number] = ranking
            qrels[number] = judgments
        return cls(run, qrels)

    @property
    def empty(self) -> list[int]:
        """The numbers of those that rank nothing."""
        return [q for q, ranking in self.run.items() if not ranking]

    def only(self, queries: Iterable[int]) -> "FunctionInputs":
        """Those of some numbers."""
        kept = list(queries)
        run = {q: self.run[q] for q in kept}
        qrels = {q: self.qrels[q] for q in kept}
        return FunctionInputs(run, qrels)


def function_inputs(
    chosen: Measure,
    by: Bundle,
    *,
    of_grades: bool,
) -> FunctionInputs:
    """The inputs for functions of a measure that has a value for each under these conventions.

    A function of grades gets no unjudged documents, and no missed ones. Grades below 0 are asked
    only where the conventions keep them as they are.
    """
    kept = by.aligned(chosen.metric)["negative"] is AS_WRITTEN
    pairs: list[Pair] = []
    for ranking, judged in _pairs(chosen.metric.k):
        asked = _can_be_asked(ranking, judged, of_grades=of_grades)
        if asked and (kept or not _has_losses(judged)):
            pairs.append((ranking, judged))
    return FunctionInputs.of(_taken(chosen, by, pairs))


def inputs_below_0(
    chosen: Measure,
    by: Bundle,
    *,
    of_grades: bool,
) -> FunctionInputs:
    """The inputs with grades below 0 for which the measure has a value."""
    pairs: list[Pair] = []
    for ranking, judged in _pairs(chosen.metric.k):
        asked = _can_be_asked(ranking, judged, of_grades=of_grades)
        if asked and _has_losses(judged):
            pairs.append((ranking, judged))
    return FunctionInputs.of(_taken(chosen, by, pairs))


def _can_be_asked(
    ranking: Ranking,
    judged: Judgments,
    *,
    of_grades: bool,
) -> bool:
    """Whether an input is one for this kind of function."""
    return not of_grades or set(ranking) == set(judged)


def _has_losses(judged: Judgments) -> bool:
    return min(judged.values()) < 0


@cache
def _pairs(k: int | None) -> tuple[Pair, ...]:
    """All inputs for a cut-off, the smallest first."""
    pairs = [
        *_small(),
        *_nothing(),
        *_one_at_each_rank(k),
        *_drawn(k),
        *_odd_ids_and_grades(),
    ]
    pairs.sort(key=_size)
    return tuple(pairs)


def _size(pair: Pair) -> tuple[bool, int, int]:
    """The sort key: few documents first, and of as many those with few ranked; nothing last."""
    ranking, judged = pair
    documents = {*ranking, *judged}
    return not ranking, len(documents), len(ranking)


def _taken(
    chosen: Measure,
    by: Bundle,
    pairs: Sequence[Pair],
) -> list[Pair]:
    """The inputs for which the measure has a value: all at once, or by halves."""
    inputs = FunctionInputs.of(pairs)
    try:
        if pairs:
            evaluate(
                inputs.run,
                inputs.qrels,
                [chosen],
                by,
            )
    except InputError:
        half = len(pairs) // 2
        if not half:
            return []
        first = _taken(chosen, by, pairs[:half])
        second = _taken(chosen, by, pairs[half:])
        return first + second
    return list(pairs)


def _small() -> Iterator[Pair]:
    """All rankings of up to three documents."""
    small = small_inputs(ndcg)
    for query, judged in (small.qrels or {}).items():
        yield list(small.run[query]), dict(judged)


def _nothing() -> Iterator[Pair]:
    """Nothing ranked, and longer rankings in which nothing is relevant, or nothing was found."""
    ids = _ids(12)
    yield [], {"d1": 1}
    nothing_relevant = dict.fromkeys(ids, 0)
    yield ids, nothing_relevant
    yield ids, dict.fromkeys(_ids(3, "x"), 1)
    much_missed = dict.fromkeys(_ids(14, "x"), 2)
    yield ids, {**nothing_relevant, **much_missed}


def _ids(n: int, letter: str = "d") -> Ranking:
    return [f"{letter}{i}" for i in range(1, n + 1)]


def _one_at_each_rank(k: int | None) -> Iterator[Pair]:
    """One relevant document at each rank, all others judged 0; deep ones for long cut-offs."""
    beside = () if k is None else (max(k - 1, 1), k, k + 1)
    ranks = {*range(1, _EVERY_RANK_TO + 1), *_DEEP_RANKS, *beside}
    for rank in sorted(ranks):
        ids = _ids(rank + 1)
        judged = dict.fromkeys(ids, 0)
        judged[ids[rank - 1]] = 1
        yield ids, judged


def _drawn(k: int | None) -> Iterator[Pair]:
    """Drawn rankings, a third of them about as long as the cut-off."""
    source = random.Random(_SEED)
    cut = min(k or 7, 150)
    lengths = (
        cut - 1,
        cut,
        cut + 1,
        cut + 2,
        2 * cut,
        3 * cut,
    )
    around = [length for length in lengths if length > 0]
    for i in range(_DRAWN):
        length = source.choice(around if i % 3 == 0 else _LENGTHS)
        grades_alone = i % 2 == 0  # which functions of grades can be asked, too
        yield _ranking(source, length, complete=grades_alone)
    for length in (60, 150, 250):
        yield _ranking(source, length, complete=True)
        yield _ranking(source, length, complete=False)


def _ranking(
    source: random.Random,
    length: int,
    *,
    complete: bool,
) -> Pair:
    """A ranking of this length; complete: every document judged, and no others."""
    ids: dict[str, None] = {}
    missed = 0 if complete else source.choice(_MISSED)
    unjudged = 0.0 if complete else source.choice(_UNJUDGED_SHARES)
    while len(ids) < length + missed:
        size = source.randint(1, 5)
        letters = source.choices(_LETTERS, k=size)
        ids["".join(letters)] = None
    every = list(ids)
    scale = source.choice(_SCALES)
    judged: Judgments = {}
    for place, document in enumerate(every):
        if place >= length or source.random() >= unjudged:
            judged[document] = source.choice(scale)
    if not judged:
        judged[every[0]] = 1
    return every[:length], judged


def _odd_ids_and_grades() -> Iterator[Pair]:
    """Ids that sort otherwise as numbers or without case, grades above 5, and losses."""
    few = ["9", "10", "a", "B", "A", "b"]
    for grades in _GRADES_OF_FEW:
        yield few, dict(zip(few, grades, strict=True))
    with_missed = dict(zip(few, (-1, -2, 2, 0, 0, 1), strict=True))
    with_missed["x"] = -1
    with_missed["y"] = 3
    yield few, with_missed
    for n in (40, 200):
        numbers = [str(i * 7 % n + 20) for i in range(n - len(few))]
        ids = [*few, *numbers]
        yield ids, {d: i * i % 7 % 4 for i, d in enumerate(ids)}
        some: Judgments = {}
        for i, document in enumerate(ids):
            if i % 6:
                some[document] = i * i % 5 % 3
        some["x1"] = 3
        some["x2"] = 1
        yield ids, some
