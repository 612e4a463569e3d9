"""What a function does that is no convention and no catalogued mistake.

The gains and discounts of a function of cumulated gain are read off from tiny inputs. One document
of grade 1 at each rank shows the discount. A document of each grade shows the gain: alone in DCG,
and beside one of grade 1 in nDCG, where a document alone has the value 1.
Its values on all inputs are compared with those of other measures, gains and discounts.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from typing import Any

from irmetrics_edu.diagnosis.candidates import accepts_cutoff
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.runs.evaluation import evaluate

Scores = Mapping[int, float]
Lists = Mapping[int, Any]
Shape = Callable[[int], float]
_RANKS, _GRADES = range(1, 7), range(1, 5)
NEAR = 1e-6
_MEASURES = ("DCG", "nDCG")
_LONGEST = 200  # documents of an input
# What a gain may be, in words, and what a discount.
_GAINS: tuple[tuple[str, Shape], ...] = (
    ("the grade itself", float),
    ("2 to the power of the grade, less 1", lambda g: 2.0**g - 1),
    ("the same for every grade", lambda _: 1.0),
    ("the square root of the grade", math.sqrt),
    ("the square of the grade", lambda g: float(g * g)),
    ("log2 of the grade plus 1", lambda g: math.log2(g + 1)),
)
_DISCOUNTS: tuple[tuple[str, Shape], ...] = (
    ("1/log2 of the rank plus 1", lambda i: 1 / math.log2(i + 1)),
    ("the same at every rank", lambda _: 1.0),
    ("1/rank", lambda i: 1 / i),
    ("1 up to rank 2, then 1/log2 of the rank", lambda i: 1 / max(1.0, math.log2(i))),
    ("1/(1 + log2 of the rank)", lambda i: 1 / (1 + math.log2(i))),
)


def probed(call: Callable[[list[int]], float], measure: str) -> list[str]:
    """What the discount and the gain of a function are, as sentences.

    `call` gives the value of a list of grades in ranked order. The list is empty for a measure that
    is not one of cumulated gain, and where the values fit no gain and discount.
    """
    if measure not in _MEASURES:
        return []
    try:
        discount = [call([int(r == i) for r in _RANKS]) for i in _RANKS]
        if not discount[0] or not all(map(math.isfinite, discount)):
            return []
        discount = [d / discount[0] for d in discount]
        gains = _gains(call, measure, discount[1])
    except Exception:  # noqa: BLE001 -- whatever somebody's function may raise
        return []
    found = (("discount at ranks", discount), ("gain at grades", gains))
    return [
        f"Its {what} 1 to {len(values)} is {', '.join(f'{v:.4g}' for v in values)}."
        for what, values in found
        if values
    ]


def _gains(call: Callable[[list[int]], float], measure: str, second: float) -> list[float]:
    """The gain of each grade over that of grade 1; empty if the ideal order is not worth 1."""
    if measure == "DCG":
        alone = call([1])
        return [call([g]) / alone for g in _GRADES]
    if any(abs(call([g, 1]) - 1) > NEAR for g in _GRADES):
        return []
    found = [1.0]
    for g in _GRADES[1:]:
        value = call([1, g])
        # (1 + second x) / (x + second) = value; where nothing depends on the order, x is 1.
        found.append(1.0 if abs(value - 1) < NEAR else (1 - value * second) / (value - second))
    return found


def _discounts() -> Iterator[tuple[str, Shape]]:
    """The discounts that have a name, and the usual one rounded, or with a rounded logarithm."""
    yield from _DISCOUNTS
    for digits in range(1, 5):
        said = f"rounded to {10.0**-digits:g}"
        yield f"1/log2 of the rank plus 1, {said}", partial(_log2, digits=digits)
        yield f"1/log2 of the rank plus 1, the logarithm {said}", partial(_log2, of_log=digits)


def _log2(rank: int, digits: int = 15, of_log: int = 15) -> float:
    return round(1 / round(math.log2(rank + 1), of_log), digits)


def is_near(given: float, right: float) -> bool:
    """Whether two values are the same, or both are NaN."""
    if math.isnan(given):
        return math.isnan(right)
    return given == right or abs(given - right) <= NEAR


def first_that_fits(values: Scores, found: Iterator[tuple[str, Scores]]) -> str:
    """The words for the first scores that are all values; "" if none are."""
    fit = (said for said, s in found if all(is_near(v, s[q]) for q, v in values.items()))
    return next(fit, "")


def others(chosen: Measure, run: Lists, qrels: Lists, by: Bundle) -> Iterator[tuple[str, Scores]]:
    """The scores of the measure at other cut-offs, of their mean, and down to the first miss."""
    name, metric = chosen.name, chosen.metric
    if accepts_cutoff(metric):
        uncut = metric.uncut()
        scored = evaluate(run, qrels, [uncut @ k for k in range(1, _LONGEST + 1)], by).per_query
        yield from scored.items()
        down_to = {q: metric.k or len(ranking) for q, ranking in run.items()}
        means = {q: sum(s[q] for s in list(scored.values())[:k]) / k for q, k in down_to.items()}
        yield f"the mean of {uncut.name} at all cut-offs from 1 to {metric.k or 'the end'}", means
    stopped = {q: _to_the_first_miss(ranking, qrels[q]) for q, ranking in run.items()}
    scored = evaluate(stopped, qrels, [chosen], by).per_query
    yield f"{name} that stops at the first miss", next(iter(scored.values()))


def _to_the_first_miss(ranking: list[str], judged: Mapping[str, int]) -> list[str]:
    """The hits at the top, and documents that nobody judged in place of all others."""
    hits = list(takewhile(lambda d: judged.get(d, 0) > 0, ranking))
    return [*hits, *(f"?{i}" for i in range(len(ranking) - len(hits)))]


def of_gains(
    chosen: Measure, run: Lists, qrels: Lists, values: Scores
) -> Iterator[tuple[str, Scores]]:
    """The scores of each gain and discount that has a name: in its place, and where ideals differ.

    Documents of one grade may all have the rank of the first, and the ideal may be a constant.
    """
    name, k = chosen.metric.name, chosen.metric.k
    if name not in _MEASURES:
        return
    ranked = {q: [qrels[q].get(d, 0) for d in ranking][:k] for q, ranking in run.items()}
    best = {q: sorted(qrels[q].values(), reverse=True)[:k] for q in run}
    for (gain, worth), (discount, factor) in itertools.product(_GAINS, _discounts()):
        of = f"(gain: {gain}; discount: {discount})"
        first_said = f"{name} with each document at the rank that list.index gives its grade {of}"
        dcg = partial(_dcg, worth=worth, factor=factor)
        found, first = dcg(ranked), dcg(ranked, shared=True)
        ideal = dcg(best) if name == "nDCG" else dict.fromkeys(run, 1)
        yield f"{name} {of}", _over(found, ideal)
        yield first_said, _over(first, ideal)
        if name == "nDCG":
            yield first_said, _over(first, dcg(best, shared=True))
            top = next((g / values[q] for q, g in found.items() if g and values.get(q)), 0.0)
            yield f"DCG over {top:.5g} for every query {of}", _over(found, dict.fromkeys(run, top))


def _dcg(lists: Lists, worth: Shape, factor: Shape, *, shared: bool = False) -> Scores:
    def total(grades: list[int]) -> float:
        ranks = [grades.index(g) + 1 if shared else i for i, g in enumerate(grades, 1)]
        return sum(worth(g) * factor(i) for i, g in zip(ranks, grades, strict=True) if g > 0)

    return {q: total(grades) for q, grades in lists.items()}


def _over(dcg: Scores, ideal: Scores) -> Scores:
    return {q: value / ideal[q] if ideal[q] else 0.0 for q, value in dcg.items()}
