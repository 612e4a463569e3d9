"""What an assertion refuses before it evaluates: inputs that can't be what was meant.

Each would give a number all the same, or an error far from its cause.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import islice
from numbers import Integral, Real
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.measures import Measure

_LOOKED_AT = 5  # queries, and documents of each


def refuse_unlikely(run: Any, qrels: Any) -> None:
    """Refuse a run that is empty, of pairs, or in the place of its qrels."""
    _empty(run)
    if not isinstance(run, Mapping):
        return
    _pairs(run, qrels)
    if isinstance(qrels, Mapping) and _like_judgments(run) and _like_rankings(qrels):
        raise InputError(
            "run and qrels look swapped: the run holds whole numbers, as grades are, and the qrels "
            "rankings or scores; the run comes first. If they are right, give the run's scores as "
            "floats and relevant documents as sets"
        )


def refuse_other_shape(ranking: Any, judgments: Any, *, is_run: bool) -> None:
    """Refuse the judgments of one ranking beside a run, and those of a run beside one ranking."""
    first = ranking[0] if isinstance(ranking, (list, tuple)) and ranking else None
    if not is_run and isinstance(first, (list, Mapping)):
        raise InputError(
            f"a list of {type(first).__name__}s is no ranking; several rankings are a run: "
            "query -> ranking"
        )
    if not isinstance(judgments, Mapping) or not judgments:
        return
    key, value = next(iter(judgments.items()))
    if is_run and isinstance(value, Real):
        raise InputError(
            f"the judgments {{{key!r}: {value!r}, ...}} are of one ranking, and what stands beside "
            f"them ({type(ranking).__name__}) is read as a run; give one ranking as a list, or the "
            "judgments of a run: query -> document -> grade"
        )
    if not is_run and isinstance(value, (Mapping, AbstractSet, list, tuple)):
        raise InputError(
            f"one ranking is given beside the judgments of several queries ({key!r}, ...); give "
            f"those of its query, qrels[{key!r}], or a run: {{{key!r}: [...]}}"
        )


def refuse_whole_range(name: str, value: float, chosen: Measure) -> None:
    """Refuse a tolerated change that is as wide as the metric's range: no change is more."""
    low, high = chosen.metric.range
    if value >= high - low:
        raise InputError(
            f"{name}={value:g}: {chosen.name} lies between {low:g} and {high:g}, so no change is "
            f"more than that{in_percent(name, value, high)}"
        )


def in_percent(name: str, value: float, high: float) -> str:
    """What to write instead of a percentage; "" if it is hardly one.

    >>> in_percent("at_least", 45, 1.0)
    '; for 45 % write at_least=0.45'
    """
    likely = high == 1 and 1 <= value <= 100 and (value >= 2 or value % 1 == 0)
    return f"; for {value:g} % write {name}={value / 100:g}" if likely else ""


def _empty(run: Any) -> None:
    if (
        isinstance(run, Mapping)
        and not any(len(ranking) for ranking in run.values() if hasattr(ranking, "__len__"))
        and all(hasattr(ranking, "__len__") for ranking in run.values())
    ):
        what = "the ranking is empty" if None in run else "the run holds no document"
        raise InputError(f"{what}, so there is nothing to assert about; is it the right one?")


def _pairs(run: Mapping[Any, Any], qrels: Any) -> None:
    """Refuse [("d1", 0.9), ...] for a ranking: each pair would be an id that nobody judged."""
    query, ranking = next(iter(run.items()))
    first = ranking[0] if isinstance(ranking, (list, tuple)) and ranking else None
    if not (isinstance(first, tuple) and len(first) == 2 and isinstance(first[1], Real)):
        return
    judged = qrels.get(query, ()) if isinstance(qrels, Mapping) else ()
    if not any(isinstance(document, tuple) for document in judged):
        where = "" if query is None else f"query {query!r}, "
        raise InputError(
            f"{where}document {first!r}, rank 1: pairs are no ids of documents; give scores as a "
            f"mapping, {{{first[0]!r}: {first[1]!r}, ...}}, or the ids alone"
        )


def _looked_at(values: Mapping[Any, Any]) -> list[Any]:
    return list(islice(values.values(), _LOOKED_AT))


def _like_judgments(run: Mapping[Any, Any]) -> bool:
    """Whether the scores are whole numbers by their type, from 0 on."""
    return all(
        isinstance(ranking, Mapping)
        and all(isinstance(score, Integral) and int(score) >= 0 for score in _looked_at(ranking))
        for ranking in _looked_at(run)
    )


def _like_rankings(qrels: Mapping[Any, Any]) -> bool:
    """Whether the judgments are lists, or grades with a fraction."""
    return any(
        isinstance(judged, (list, tuple))
        or (
            isinstance(judged, Mapping)
            and any(isinstance(g, Real) and g % 1 != 0 for g in _looked_at(judged))
        )
        for judged in _looked_at(qrels)
    )
