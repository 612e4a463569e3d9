"""The inputs of a diagnosis in one form: a run and its judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.reading.files import as_file
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.rows.item_categories import FREQUENCIES, align_frequencies
from irmetrics_edu.rows.scored import SCORED, align_scored
from irmetrics_edu.rows.two_orders import ORDERS, align_orders
from irmetrics_edu.runs.joining.inputs import is_run
from irmetrics_edu.runs.joining.joined_run import JUDGMENTS, RANKING

_MOST_COUNTED = 100_000  # by all counts together
_MOST_WRITTEN = 12  # documents of an input that is written out in a call


class InputShape(Enum):
    """What is diagnosed."""

    RUN = "many queries"
    RANKING = "one query"
    COUNTS = "counts, which stand in no order"


@dataclass(frozen=True)
class Inputs:
    """A run and its judgments; one ranking is a run of one query without a name."""

    run: Any
    qrels: Any
    beside: Mapping[str, Any]
    shape: InputShape
    written: Sequence[str]  # the inputs of one ranking, as they are written in a call


def inputs_of(
    chosen: Measure,
    inputs: Sequence[Any],
    unretrieved: Sequence[float],
    beside: Mapping[str, Any],
) -> Inputs:
    """Tell a run from a ranking, and a list of grades from one of documents."""
    if chosen.metric.inputs is SCORED:
        return _of_scored(chosen, inputs, beside)
    if chosen.metric.inputs is ORDERS:
        return _of_orders(chosen, inputs, beside)
    if chosen.metric.inputs is FREQUENCIES and _are_counts(inputs, beside):
        return _of_counts(inputs[0])
    return _of_ranking(chosen, inputs, unretrieved, beside)


def _of_ranking(
    chosen: Measure,
    inputs: Sequence[Any],
    unretrieved: Sequence[float],
    beside: Mapping[str, Any],
) -> Inputs:
    """The inputs of a measure of rankings."""
    by_argument = _named(chosen, inputs, beside)
    names = chosen.metric.inputs.arguments
    first = by_argument.get(names[0])
    if first is None:
        raise InputError(f"{chosen.name} needs {', '.join(names)}")
    judgments, others = _judgments_and_others(names, by_argument)
    of_grades = chosen.metric.inputs is RANKED and judgments is None
    if len(unretrieved) and (is_run(first) or not of_grades):
        raise InputError(
            "unretrieved= is for a list of grades; put these grades into the judgments"
        )
    if is_run(first):
        # Evaluated again and again: a pipe gives its bytes once.
        others = {name: as_file(value) for name, value in others.items()}
        return Inputs(
            as_file(first),
            as_file(judgments),
            others,
            shape=InputShape.RUN,
            written=(),
        )
    if of_grades:
        return _of_grades(first, unretrieved)
    written = [_written(name, by_argument[name]) for name in names if name in by_argument]
    qrels = None if judgments is None else {None: judgments}
    return Inputs(
        {None: first},
        qrels,
        others,
        shape=InputShape.RANKING,
        written=written,
    )


def _of_scored(chosen: Measure, inputs: Sequence[Any], beside: Mapping[str, Any]) -> Inputs:
    """A run and its judgments, or a list of grades and one of scores as a run of one query."""
    by_argument = dict(zip(chosen.metric.inputs.arguments, inputs, strict=False)) | {**beside}
    first = by_argument.pop("relevance", None)
    second = by_argument.pop("scores", None)
    if by_argument or len(inputs) > 2 or first is None:
        raise InputError(
            f"{chosen.name} takes a run and its judgments, or a list of grades and one of scores"
        )
    if is_run(first):
        return Inputs(as_file(first), as_file(second), {}, shape=InputShape.RUN, written=())
    rows = align_scored(first, second).rows  # which refuses what is no list of grades
    grades = listed(first)
    scores = [-rank for rank in range(len(grades))] if second is None else listed(second)
    documents = [f"d{number}" for number in range(1, len(rows.grade) + 1)]
    written = [_written("grades", grades)]
    if second is not None:
        written.append(_written("scores", scores))
    return Inputs(
        {None: dict(zip(documents, scores, strict=True))},
        {None: dict(zip(documents, grades, strict=True))},
        {},
        shape=InputShape.RANKING,
        written=written,
    )


def _of_orders(chosen: Measure, inputs: Sequence[Any], beside: Mapping[str, Any]) -> Inputs:
    """Two runs, or two orders as runs of one query."""
    by_argument = dict(zip(chosen.metric.inputs.arguments, inputs, strict=False)) | {**beside}
    first = by_argument.pop("ranked", None)
    other = by_argument.pop("other", None)
    if by_argument or len(inputs) > 2 or first is None or other is None:
        raise InputError(f"{chosen.name} takes two orders, or two runs")
    if is_run(first):
        return Inputs(
            as_file(first), None, {"other": as_file(other)}, shape=InputShape.RUN, written=()
        )
    align_orders(first, other)  # which refuses what are no orders
    written = [_written("ranked", first), _written("other", other)]
    return Inputs(
        {None: first}, None, {"other": {None: other}}, shape=InputShape.RANKING, written=written
    )


def _are_counts(inputs: Sequence[Any], beside: Mapping[str, Any]) -> bool:
    """Whether counts are given alone, and not the rankings of queries."""
    return (
        len(inputs) == 1 and not beside and isinstance(inputs[0], Mapping) and not is_run(*inputs)
    )


def _of_counts(counts: Mapping[Any, Any]) -> Inputs:
    """A list that holds each thing as often as it was counted, for measures of categories."""
    align_frequencies(counts)  # which refuses what are no counts
    whole = sum(counts.values())
    if whole > _MOST_COUNTED:
        raise InputError(
            f"the counts add up to {whole:,}, and {_MOST_COUNTED:,} at most are diagnosed; divide "
            "all of them by one number"
        )
    recommended: list[str] = []
    categories: dict[str, set[Any]] = {}
    for number, (thing, count) in enumerate(counts.items(), 1):
        categories[f"i{number}"] = {thing}  # there without being recommended, if it never occurs
        for again in range(count):
            item = f"i{number}.{again + 1}"
            recommended.append(item)
            categories[item] = {thing}
    written = [_written("counts", dict(counts))]
    return Inputs(
        {None: recommended},
        None,
        {"categories": categories},
        shape=InputShape.COUNTS,
        written=written,
    )


def listed(values: Any) -> list[Any]:
    """The numbers of a list or an array."""
    return list(values.tolist() if isinstance(values, np.ndarray) else values)


def _judgments_and_others(
    names: Sequence[str],
    by_argument: Mapping[str, Any],
) -> tuple[Any, dict[str, Any]]:
    """The judgments among the inputs, and what is beside them and the ranking."""
    judgments = None
    others: dict[str, Any] = {}
    judged = next((name for name in names[1:] if name in JUDGMENTS), None)
    for name, value in by_argument.items():
        if name == judged:
            judgments = value
        elif name != names[0] and value is not None:
            others[name] = value
    return judgments, others


def _named(
    chosen: Measure,
    inputs: Sequence[Any],
    beside: Mapping[str, Any],
) -> Mapping[str, Any]:
    """The inputs by the names that the measure has for them."""
    names = chosen.metric.inputs.arguments
    if names[0] not in RANKING:
        raise InputError(f"{chosen.name} does not measure a ranking, so it can't be diagnosed")
    if len(inputs) > len(names):
        raise InputError(f"{chosen.name} takes {', '.join(names)}; got {len(inputs)} inputs")
    by_argument = dict(zip(names, inputs, strict=False))
    by_argument.update(beside)
    for name in by_argument:
        if name not in names:
            raise InputError(f"{chosen.name} takes no {name!r}; it takes {', '.join(names)}")
    return by_argument


def _of_grades(grades: Any, unretrieved: Sequence[float]) -> Inputs:
    """Documents d1, d2 ... in the order of their grades, and x1, x2 ... that are missing."""
    listed = grades.tolist() if isinstance(grades, np.ndarray) else grades
    if isinstance(listed, (str, bytes, Mapping)) or not hasattr(listed, "__iter__"):
        raise InputError(
            f"the input is {grades!r}; give a list of grades, or a ranking with its judgments"
        )
    listed = list(listed)
    ranking: list[str] = []
    judgments: dict[str, Any] = {}
    for rank, grade in enumerate(listed, 1):
        document = f"d{rank}"
        ranking.append(document)
        if grade is not None:
            judgments[document] = grade
    for number, grade in enumerate(unretrieved, 1):
        judgments[f"x{number}"] = grade
    if not judgments:
        raise InputError("nothing is judged, so there is no score; give grades")
    if len(unretrieved):
        written = [_written("ranking", ranking), _written("judgments", judgments)]
    else:
        written = [_written("grades", listed)]
    return Inputs({None: ranking}, {None: judgments}, {}, shape=InputShape.RANKING, written=written)


def _written(name: str, value: Any) -> str:
    """A short input in full, a long input by its name."""
    if not hasattr(value, "__len__") or len(value) > _MOST_WRITTEN:
        return name
    if isinstance(value, list):
        return repr([_short(item) for item in value])
    if isinstance(value, dict):
        return repr({document: _short(grade) for document, grade in value.items()})
    return repr(value)


def _short(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
