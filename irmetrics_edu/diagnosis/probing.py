"""What a function does that is no convention and no catalogued mistake.

The gains and discounts of a function of cumulated gain are read off from tiny inputs. One document
of grade 1 at each rank shows the discount. A document of each grade shows the gain: alone in DCG,
and beside one of grade 1 in nDCG, where a document alone has the value 1.
Its values on all inputs are compared with those of other measures, gains and discounts.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irmetrics_edu.conventions import Discount, Gain
from irmetrics_edu.diagnosis.candidates import accepts_cutoff
from irmetrics_edu.diagnosis.function_answers import NEAR, is_near
from irmetrics_edu.diagnosis.mistakes import MISTAKES, mistakes_of
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle, bundle
from irmetrics_edu.metrics.cumulated_gain import dcg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.runs.evaluation import evaluate

Scores = Mapping[int, float]
Lists = Mapping[int, Any]
Shape = Callable[[Array], Array]
_RANKS = range(1, 7)
_GRADES = range(1, 5)
_MEASURES = ("DCG", "nDCG")
_EVERY_CUTOFF = range(1, 201)  # tried for every function, and the usual ones beyond
_DEEP_CUTOFFS = (250, 256, 300, 400, 500, 512, 1000)
# What a gain may be, in words, and what a discount.
_GAINS: tuple[tuple[str, Shape], ...] = (
    ("the grade itself", lambda g: g),
    ("2 to the power of the grade, less 1", lambda g: 2.0**g - 1),
    ("the same for every grade", np.ones_like),
    ("the square root of the grade", np.sqrt),
    ("the square of the grade", np.square),
    ("log2 of the grade plus 1", lambda g: np.log2(g + 1)),
)
_DISCOUNTS: tuple[tuple[str, Shape], ...] = (
    ("1/log2 of the rank plus 1", lambda i: 1 / np.log2(i + 1)),
    ("the same at every rank", np.ones_like),
    ("1/rank", lambda i: 1 / i),
    ("1 up to rank 2, then 1/log2 of the rank", lambda i: 1 / np.maximum(1.0, np.log2(i))),
    ("1/(1 + log2 of the rank)", lambda i: 1 / (1 + np.log2(i))),
)


def probed(call: Callable[[list[int]], float], measure: str) -> list[str]:
    """What the discount and the gain of a function are, as sentences.

    `call` gives the value of a list of grades in ranked order. The list is empty for a measure that
    is not one of cumulated gain, and where the values fit no gain and discount.
    """
    if measure not in _MEASURES:
        return []
    try:
        discount = [call([int(rank == at) for rank in _RANKS]) for at in _RANKS]
        if not discount[0] or not all(map(math.isfinite, discount)):
            return []
        discount = [factor / discount[0] for factor in discount]
        gains = _gains(call, measure, discount[1])
    except Exception:  # noqa: BLE001 -- whatever somebody's function may raise
        return []
    sentences: list[str] = []
    for what, values in (("discount at ranks", discount), ("gain at grades", gains)):
        if values:
            listed = ", ".join(f"{value:.4g}" for value in values)
            sentences.append(f"Its {what} 1 to {len(values)} is {listed}.")
    return sentences


def _gains(
    call: Callable[[list[int]], float],
    measure: str,
    second: float,
) -> list[float]:
    """The gain of each grade over that of grade 1; empty if the ideal order is not worth 1."""
    if measure == "DCG":
        alone = call([1])
        return [call([grade]) / alone for grade in _GRADES]
    for grade in _GRADES:
        if abs(call([grade, 1]) - 1) > NEAR:
            return []
    gains = [1.0]
    for grade in _GRADES[1:]:
        value = call([1, grade])
        if abs(value - 1) < NEAR:
            gains.append(1.0)  # where nothing depends on the order
        else:  # (1 + second x) / (x + second) = value
            gains.append((1 - value * second) / (value - second))
    return gains


def _discounts() -> Iterator[tuple[str, Shape]]:
    """The discounts that have a name, and the usual one rounded, or with a rounded logarithm."""
    yield from _DISCOUNTS
    for digits in range(1, 5):
        rounding = f"rounded to {10.0**-digits:g}"
        yield f"1/log2 of the rank plus 1, {rounding}", partial(_log2, digits=digits)
        yield f"1/log2 of the rank plus 1, the logarithm {rounding}", partial(_log2, of_log=digits)


def _log2(
    rank: Array,
    digits: int = 15,
    of_log: int = 15,
) -> Array:
    rounded: Array = np.round(1 / np.round(np.log2(rank + 1), of_log), digits)
    return rounded


def first_that_fits(values: Scores, candidates: Iterator[tuple[str, Scores]]) -> str:
    """The words for the first scores that are all values; "" if none are."""
    for words, scores in candidates:
        if all(is_near(value, scores[query]) for query, value in values.items()):
            return words
    return ""


def others(
    chosen: Measure,
    run: Lists,
    qrels: Lists,
    by: Bundle,
) -> Iterator[tuple[str, Scores]]:
    """The scores of the measure at other cut-offs, of their mean, and of parts of each ranking."""
    name = chosen.name
    metric = chosen.metric
    if accepts_cutoff(metric):
        yield from _at_other_cutoffs(
            metric,
            run,
            qrels,
            by,
        )
    stopped: dict[int, list[str]] = {}
    judged: dict[int, list[str]] = {}
    for query, ranking in run.items():
        stopped[query] = _up_to_the_first_miss(ranking, qrels[query])
        judged[query] = [d for d in ranking[: metric.k] if d in qrels[query]]
    yield (
        f"{name} that stops at the first miss",
        _scores(
            metric,
            stopped,
            qrels,
            by,
        ),
    )
    what = "the unjudged documents taken out after the cut" if metric.k else "the judged alone"
    yield (
        f"{name} of a ranking with {what}",
        _scores(
            metric,
            judged,
            qrels,
            by,
        ),
    )


def _at_other_cutoffs(
    metric: Metric, run: Lists, qrels: Lists, by: Bundle
) -> Iterator[tuple[str, Scores]]:
    """The scores without a cut-off, at every other one, and of the mean of all down to the own."""
    uncut = metric.uncut()
    if metric.k is not None:
        yield (
            f"{uncut.name} without a cut-off",
            _scores(
                uncut,
                run,
                qrels,
                by,
            ),
        )
    measures = [uncut @ k for k in (*_EVERY_CUTOFF, *_DEEP_CUTOFFS)]
    yield from evaluate(
        run,
        qrels,
        measures,
        by,
    ).per_query.items()
    if (metric.k or 1) in _EVERY_CUTOFF:
        last = metric.k or "the end"
        what = f"the mean of {uncut.name} at all cut-offs from 1 to {last}"
        yield (
            what,
            _means_of_cuts(
                metric,
                run,
                qrels,
                by,
            ),
        )


def _up_to_the_first_miss(ranking: Sequence[str], judged: Mapping[str, float]) -> list[str]:
    """The hits before the first miss; documents that nobody judged stand in place of the others."""
    kept: list[str] = []
    for document in ranking:
        if not judged.get(document, 0) > 0:
            break
        kept.append(document)
    others = len(ranking) - len(kept)
    return [*kept, *(f"?{number}" for number in range(others))]


def _scores(
    metric: Metric,
    run: Lists,
    qrels: Lists,
    by: Bundle,
) -> Scores:
    """The score of each query."""
    per_query = evaluate(
        run,
        qrels,
        [Measure(metric.name, metric)],
        by,
    ).per_query
    return next(iter(per_query.values()))


def _means_of_cuts(
    metric: Metric,
    run: Lists,
    qrels: Lists,
    by: Bundle,
) -> Scores:
    """The mean, for each query, over all cut-offs down to the measure's own or to the end."""
    lengths: dict[int, int] = {}
    short: list[int] = []
    long: list[int] = []
    for query, ranking in run.items():
        length = metric.k or max(len(ranking), 1)
        lengths[query] = length
        (short if length in _EVERY_CUTOFF else long).append(query)
    means: dict[int, float] = {}
    for queries in (short, long):  # few are long: others need few cut-offs
        if queries:
            some = {query: lengths[query] for query in queries}
            means.update(
                _means_of_all_cuts(
                    metric.uncut(),
                    run,
                    qrels,
                    by,
                    lengths=some,
                )
            )
    return means


def _means_of_all_cuts(
    uncut: Metric,
    run: Lists,
    qrels: Lists,
    by: Bundle,
    *,
    lengths: Mapping[int, int],
) -> Scores:
    """The mean, for each query, over all cut-offs down to its own length."""
    cuts = [uncut @ k for k in range(1, max(lengths.values()) + 1)]
    rankings = {query: run[query] for query in lengths}
    judgments = {query: qrels[query] for query in lengths}
    scored = list(
        evaluate(
            rankings,
            judgments,
            cuts,
            by,
        ).per_query.values()
    )
    means: dict[int, float] = {}
    for query, length in lengths.items():
        means[query] = sum(scores[query] for scores in scored[:length]) / length
    return means


def of_two_mistakes(
    chosen: Measure,
    run: Lists,
    qrels: Lists,
    by: Bundle,
) -> Iterator[tuple[str, Scores]]:
    """The scores of an nDCG that was never divided, of a DCG with a mistake of its own."""
    if chosen.metric.name != "nDCG":
        return
    undivided = MISTAKES["dcg-not-divided"]
    right = dcg if chosen.k is None else dcg @ chosen.k
    for m in mistakes_of("DCG"):
        wrong = Measure("DCG", m.instead_of(right))
        both = f"{m.label} ({m.says}) and {undivided.label} ({undivided.says})"
        try:
            with np.errstate(all="ignore"):  # some mistakes divide by 0
                scored = evaluate(
                    run,
                    qrels,
                    [wrong],
                    by,
                ).per_query
        except InputError:  # none of theirs under these conventions
            continue
        yield f"what two mistakes together give, {both}", next(iter(scored.values()))


def of_gains(
    chosen: Measure,
    run: Lists,
    qrels: Lists,
    values: Scores,
) -> Iterator[tuple[str, Scores]]:
    """The scores of each gain and discount that has a name: in its place, and where ideals differ.

    Documents of one grade may all have the rank of the first, and the ideal may be a constant.
    """
    name = chosen.metric.name
    if name not in _MEASURES:
        return
    as_written = bundle("irmetrics_edu").using(negative="keep")
    rows = evaluate(
        run,
        qrels,
        [dcg],
        as_written,
    ).aligned.rows(dcg)
    ranked = rows.top(chosen.metric.k)
    best = rows.ideal().top(chosen.metric.k)
    ranked_at_first = _at_the_first(ranked)
    best_at_first = _at_the_first(best)
    expected = np.array([values.get(query, 0.0) for query in run])
    for (gain, worth), (discount, factor) in itertools.product(_GAINS, _discounts()):
        by = f"(gain: {gain}; discount: {discount})"
        at_first = f"{name} with each document at the rank that list.index gives its grade {by}"
        score = partial(_dcg, worth=worth, factor=factor)
        usual = score(ranked)
        first = score(ranked_at_first)
        ideal = score(best) if name == "nDCG" else np.ones(rows.n)
        scores = [
            (f"{name} {by}", usual, ideal),
            (at_first, first, ideal),
        ]
        if name == "nDCG":
            constant = _first_quotient(usual, expected)
            of_all = np.full(rows.n, constant)
            scores += [
                (at_first, first, score(best_at_first)),
                (f"DCG over {constant:.5g} for every query {by}", usual, of_all),
            ]
        for what, above, below in scores:
            yield what, dict(zip(run, rows.ratio(above, below).tolist(), strict=True))


def _first_quotient(scores: Array, expected: Array) -> float:
    """The score over the value of the first query where neither is 0; else 0."""
    for score, value in zip(scores.tolist(), expected.tolist(), strict=True):
        if score and value:
            return float(score / value)
    return 0.0


def _dcg(
    rows: Rows,
    worth: Shape,
    factor: Shape,
) -> Array:
    """The DCG of each query with this gain of grades above 0, and this discount."""
    gain = Gain(
        "",
        "",
        "",
        lambda grade: np.where(grade > 0, worth(np.maximum(grade, 0)), 0.0),
    )
    return np.asarray(
        dcg.measured(
            rows,
            gain=gain,
            discount=Discount(
                "",
                "",
                "",
                factor,
            ),
        ).score
    )


def _at_the_first(rows: Rows) -> Rows:
    """The rows, each at the rank of the first of its query and grade."""
    alike = np.unique(np.column_stack([rows.query, rows.grade]), axis=0, return_inverse=True)[1]
    first = np.full(len(rows.rank), np.inf)
    np.minimum.at(first, alike.ravel(), rows.rank)
    return replace(rows, rank=first[alike.ravel()])
