"""The measures whose differences have bounds: which rule bounds each, and what is refused."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from irmetrics_edu.conventions import (
    BY_K,
    BY_RELEVANT,
    JUDGED,
    MACRO,
    ZERO,
    Divisor,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.difference_bounds import (
    AveragePrecision,
    BoundRule,
    OfFirst,
    Quotients,
    Sums,
)
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN
from irmetrics_edu.metrics.user_models import rbp
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.runs.averaging import averaging_of
from irmetrics_edu.runs.evaluation import Evaluation

OFFERED = ("P", "R", "Success", "RR", "CG", "DCG", "NCG", "nDCG", "AP", "RBP")
_GRADED = ("CG", "DCG", "NCG", "nDCG", "RBP")
_INSTEAD = {
    "ERR": "RBP",
    "bpref": "AP",
    "infAP": "AP",
    "Rprec": "R@k or AP",
    "F": "P@k and R@k",
    "Q": "nDCG@k",
    "interpolated-AP": "AP",
    "simplified-AP": "AP",
    "INSQ": "RBP",
    "INST": "RBP",
    "PFound": "RBP",
}


@dataclass(frozen=True, eq=False)
class BoundedMeasure:
    """A measure with its bounds, its cut-off, and what it gains by a grade."""

    name: str
    k: int | None
    bounded: BoundRule
    gains: Callable[[Array], Array]


def bounded_measure(evaluation: Evaluation, scale: Sequence[float]) -> BoundedMeasure:
    """The measure of an evaluation, if its differences have bounds; else an InputError."""
    measure = evaluation.measures[0]
    by = evaluation.conventions
    metric = by.settle(measure.metric)
    params = {**metric.defaults, **metric.params}
    aligned = evaluation.aligned.options(measure.metric)
    divisor = BY_K if metric.name == "P" else BY_RELEVANT
    _refuse_conventions(measure.name, aligned, params, divisor)
    averaging = averaging_of(measure, by.averaging_of(measure.metric))
    if averaging is not MACRO or measure.aggregate == GEOMETRIC_MEAN:
        raise InputError(f"{measure.name}: bounds are of a mean over queries; give another mean")
    gains = partial(_gains, metric.name, params)
    _refuse_worthless(measure.name, params, gains, scale)
    worth = np.unique(gains(np.array(scale)))
    return BoundedMeasure(
        measure.name,
        metric.k,
        _rule(metric, params, worth),
        gains,
    )


def refuse_unbounded(name: str, metric: Metric) -> None:
    """Refuse measures that have no bound here, and say what does."""
    if metric.inputs is not RANKED or metric.name not in OFFERED:
        instead = _INSTEAD.get(metric.name, "one of these")
        raise InputError(
            f"{name}: its bounds for documents that nobody judged are not known here; use "
            f"{instead} (there are {', '.join(OFFERED)})"
        )
    if metric.k is None and metric.name == "P":
        raise InputError(f"{name}: its bounds need a cut-off; give one, such as {metric.name}@10")


def _refuse_conventions(
    name: str,
    aligned: Mapping[str, Any],
    params: Mapping[str, Any],
    divisor: Divisor,
) -> None:
    """Refuse conventions by which a judgment changes more than the gain of its document."""
    refused: dict[str, Any] = {}
    if aligned["unjudged"].removed or aligned["unjudged"].grade:
        refused["unjudged"] = aligned["unjudged"]
    if aligned["pool"].seen_alone:
        refused["pool"] = aligned["pool"]
    if not aligned["ties"].in_bulk:
        refused["ties"] = aligned["ties"]
    usual = {"no_relevant": ZERO, "ideal": JUDGED, "divisor": divisor}
    for option, value in usual.items():
        if params.get(option, value) is not value:
            refused[option] = params[option]
    if refused:
        told = ", ".join(f"{option}={value}" for option, value in refused.items())
        raise InputError(
            f"{name}: its bounds are not known under {told}; they are of conventions by which an "
            "unjudged document gains nothing, and a judgment changes the gain of its own document "
            "alone. Leave this out, or give conventions='trec_eval'"
        )


def _gains(name: str, params: Mapping[str, Any], grades: Array) -> Array:
    """What documents of these grades gain: 1 if relevant in a measure that asks no more."""
    positive = np.maximum(grades, 0.0)
    if name not in _GRADED:
        of_binary: Array = (positive >= params["rel"]).astype(float)
        return of_binary
    if "rel" in params:
        relevance = (positive >= params["rel"]).astype(float)
        of_relevant: Array = params["gain"].of_relevant(positive, relevance)
        return of_relevant
    gains: Array = np.asarray(params["gain"](positive), dtype=float)
    return gains


def _refuse_worthless(
    name: str,
    params: Mapping[str, Any],
    gains: Callable[[Array], Array],
    scale: Sequence[float],
) -> None:
    """Refuse a scale on which the lowest grade gains, no other does, or a higher one gains less."""
    worth = gains(np.array(scale))
    if worth[0] != 0 or (np.diff(worth) < 0).any():
        raise InputError(
            f"{name}: its bounds need a gain that is 0 for grade 0 and grows with the grade; "
            f"gain={params['gain']} gives {', '.join(f'{one:g}' for one in worth)}"
        )
    if worth[-1] == 0:
        raise InputError(
            f"{name}: no grade of the scale ({', '.join(f'{one:g}' for one in scale)}) is "
            "relevant; give a scale with a relevant grade, such as 0,1,2,3"
        )


def _rule(metric: Metric, params: Mapping[str, Any], worth: Array) -> BoundRule:
    """How the measure is bounded, where open documents may have these gains."""
    name = metric.name
    k = metric.k
    if name == "AP":
        return AveragePrecision()
    if name == "RR":
        return OfFirst(lambda rank: 1 / rank)
    if name == "Success":
        return OfFirst(lambda rank: rank / rank)
    if name == "R":
        return Quotients(np.ones_like, worth, np.asarray)
    if name in ("nDCG", "NCG"):
        weight = params["discount"] if name == "nDCG" else np.ones_like
        cut = params["cut"].of_ideal(k) if name == "nDCG" else k
        return Quotients(weight, worth, _Ideal(weight, cut))
    return Sums(_weight_of(name, k, params), worth)


def _weight_of(name: str, k: int | None, params: Mapping[str, Any]) -> Callable[[Array], Array]:
    """The weight of a gain by its rank, in a measure that adds gains up."""
    if name == "P":
        return lambda rank: np.full(len(rank), 1 / (k or 1))
    if name == "DCG":
        discount: Callable[[Array], Array] = params["discount"]
        return discount
    if name == "RBP":
        return partial(_of_reader, params["p"])
    return np.ones_like


def _of_reader(p: float, rank: Array) -> Array:
    """The weight that RBP gives to each rank: that of a list of relevant documents."""
    deepest = int(rank.max(initial=1))
    weights: Array = rbp.working(np.ones(deepest), p=p)["weight"][rank.astype(int) - 1]
    return weights


@dataclass(frozen=True, eq=False)
class _Ideal:
    """The sum of the weights of the first n ranks, at most those above the cut, for each n."""

    weight: Callable[[Array], Array]
    cut: int | None

    def __call__(self, numbers: Array) -> Array:
        counted = numbers if self.cut is None else np.minimum(numbers, self.cut)
        deepest = int(np.max(counted, initial=0))
        ranks = np.arange(1.0, deepest + 1)
        sums: Array = np.append(0.0, np.cumsum(self.weight(ranks)))
        of_each: Array = sums[counted]
        return of_each
