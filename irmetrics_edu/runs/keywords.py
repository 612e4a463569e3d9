"""Keywords that a call does not take: the error says what to write instead."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import METRICS
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.runs.joining.joined_run import JUDGMENTS

# What other libraries and their users call our keywords.
_CALLED = {
    "at_least": "threshold min minimum min_score min_value lower ge gte greater_than floor_value",
    "at_most": "max maximum max_score max_value upper le lte less_than",
    "equals": "equal expected value approx",
    "abs": "tol tolerance atol delta",
    "margin": "threshold tol tolerance delta drop max_drop max_delta allowed_drop epsilon",
    "measures": "metrics metric measure",
    "confidence": "alpha significance significance_level level p_value",
    "groups": "group segments segment by_group slices",
    "queries": "texts query_texts topics titles only subset",
    "weights": "weight sample_weight sample_weights frequencies frequency",
    "conventions": "convention library like by bundle",
    "k": "cutoff cut_off top topk top_k depth rank n at",
}


def refuse_unknown(
    keywords: Mapping[str, Any],
    allowed: Iterable[str],
    chosen: Sequence[Measure],
    who: str,
    parameters: Iterable[str] = (),
) -> None:
    """Refuse the keywords that are not `allowed`; `who` is the call, `chosen` are its measures.

    `parameters` are those that the call has by name, and that may have been meant.

    If an option belongs in a measure's notation, the message shows it there: k=3 for "RR" is
    "RR@3".
    """
    takes = list(allowed)
    named = [*takes, *parameters]
    for name, value in keywords.items():
        if name in takes:
            continue
        takers = "" if name in JUDGMENTS or who != "evaluate" else _takers(name)
        if takers:
            measures = ", ".join(measure.name for measure in chosen)
            raise InputError(
                f"none of the measures ({measures}) takes {name}; those that do are {takers}"
            )
        noted = "" if "k" in takes else in_notation(name, value, chosen)
        remedy = noted or meant(name, named) or f"it takes {', '.join(takes)}"
        raise InputError(f"{who} takes no {name!r}; {remedy}")


def _takers(name: str) -> str:
    """The measures that take such an input beside a run and its judgments."""
    takers = [metric.name for metric in METRICS.values() if name in metric.inputs.arguments[1:]]
    return ", ".join(takers)


def meant(
    name: str,
    allowed: Iterable[str],
) -> str:
    """The keyword that was probably meant.

    >>> meant("threshold", ["at_least"]), meant("atleast", ["at_least"])
    ('write at_least=', 'write at_least=')
    """
    allowed = list(allowed)
    ours = [n for n in allowed if name.casefold() in _CALLED.get(n, "").split()]
    close = ours or difflib.get_close_matches(name, allowed, n=1, cutoff=0.75)
    return f"write {close[0]}=" if close else ""


def in_notation(
    name: str,
    value: Any,
    chosen: Sequence[Measure],
) -> str:
    """How to write an option of a measure in the measure's own notation.

    >>> from irmetrics_edu.metrics.notation import measures
    >>> in_notation("k", 3, measures("RR@10 AP"))
    "write it in the measure's notation, measures='RR@3 AP@3'"
    """
    if name.casefold() in _CALLED["k"].split():
        name = "k"
    names = []
    for measure in chosen:
        metric = measure.metric
        bare = measure.name.partition("(")[0].partition("@")[0]
        try:
            if name == "k" and metric.has_cutoff and metric.cutoff == "k":
                names.append(
                    metric.title(
                        checks.cutoff(value),
                        metric.params,
                        bare,
                    )
                )
            elif name in metric.defaults:
                changed = metric.using(**{name: value})
                names.append(
                    changed.title(
                        changed.k,
                        changed.params,
                        bare,
                    )
                )
            else:
                names.append(measure.name)
        except InputError:
            return ""
    if names == [measure.name for measure in chosen]:
        return ""
    return f"write it in the measure's notation, measures={' '.join(names)!r}"
