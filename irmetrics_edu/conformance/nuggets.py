"""Cases of novelty and intents: how often a nugget was seen, and which ranking is the ideal."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irmetrics_edu.conformance.case import OF_NUGGETS, Case, named
from irmetrics_edu.conformance.nugget_oracles import NUGGET_ORACLES, known
from irmetrics_edu.conformance.oracles import Number

_INPUTS: Mapping[str, Mapping[str, Any]] = {
    "seen-before": {
        "ranking": ["a", "b", "c", "d"],
        "nuggets": {"a": ["A", "B"], "b": ["A"], "c": ["A", "C"], "e": ["B", "D"]},
        "why": "a nugget turns up a second and a third time; d is not judged",
    },
    "greedy-is-beaten": {
        "ranking": ["y", "z", "x"],
        "nuggets": {
            "x": ["1", "2", "3", "4", "5", "6"],
            "y": ["1", "2", "3", "7", "8"],
            "z": ["4", "5", "6", "9"],
        },
        "why": "the greedy ideal is not the best ranking: with alpha = 1, 1.036 at cut-off 2",
    },
    "ideal-with-ties": {
        "ranking": ["b", "a", "c"],
        "nuggets": {"a": ["A", "B"], "b": ["B", "C"], "c": ["A", "D"]},
        "why": "all documents hold two nuggets: the greedy ideal hangs on which is taken first",
    },
    "nothing-held": {
        "ranking": ["a", "b"],
        "nuggets": {"a": [], "b": []},
        "why": "judged, and no document holds a nugget",
    },
    "nothing-retrieved": {
        "ranking": [],
        "nuggets": {"a": ["A"], "b": ["A", "B"]},
        "why": "nothing was retrieved",
    },
    "one-retrieved": {
        "ranking": ["b"],
        "nuggets": {"a": ["A", "C"], "b": ["A"], "c": ["B"]},
        "why": "the list is shorter than the ideal ranking: how deep is the ideal?",
    },
    "no-nugget-found": {
        "ranking": ["c", "d"],
        "nuggets": {"a": ["A"], "b": ["A", "B"], "c": []},
        "why": "what holds a nugget is not retrieved",
    },
}
_EMPTY = {"no_relevant": ("zero", "one", "nan")}
_IDEALS = ("greedy", "ndeval", "exact")
_NORMALISED = {
    "normalisation": ("collection_independent", "none", "collection_dependent"),
    "ideal": _IDEALS,
}
# The first value of each is that of the definition.
_GRID: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "alpha-DCG": {
        "alpha": ("0.5", "1"),
        "discount": ("log2", "reciprocal"),
        "rel": (1,),
        "normalisation": ("none", "collection_independent"),
        **_EMPTY,
    },
    "alpha-nDCG": {
        "alpha": ("0.5", "1"), "discount": ("log2",), "rel": (1,), "ideal": _IDEALS,
        "depth": ("cut", "as_long"), **_EMPTY,
    },
    "ERR-IA": {"max_grade": (1,), **_NORMALISED, **_EMPTY},
    "NRBP": {"alpha": ("0.5",), "beta": ("0.5", "0.8"), "rel": (1,), **_NORMALISED, **_EMPTY},
    "S-recall": {"rel": (1,), **_EMPTY},
    "P-IA": {"rel": (1,)},
    "AP-IA": {"rel": (1,)},
    "nDCG-IA": {"gain": ("linear",), "discount": ("log2",)},
    "D#-nDCG": {
        "gamma": ("0.5", "0.25"), "gain": ("linear",), "discount": ("log2", "reciprocal"),
        "rel": (1,), **_EMPTY,
    },
    "relevance-probability": {"alpha": ("0.5", "0.9"), "gamma": ("0.5", "0.25"), "rel": (1,)},
}  # fmt: skip
_IDEAL_DIFFERS = ("greedy-is-beaten", "ideal-with-ties")
_UNCUT = ("NRBP",)
_CUTS = (None, 2, 5)


def of_nuggets() -> Iterator[Case]:
    """Every combination that tells something."""
    for name, given in _INPUTS.items():
        for metric, switches in _GRID.items():
            defaults = {n: v[0] for n, v in switches.items()}
            for k in _CUTS[:1] if metric in _UNCUT else _CUTS:
                for values in itertools.product(*switches.values()):
                    said = dict(zip(switches, values, strict=True))
                    if not _sensible(said, defaults, given["nuggets"], ties=name in _IDEAL_DIFFERS):
                        continue
                    exact = _value(metric, k, given, said)
                    yield Case(
                        named(name, metric, k, said), name, metric, k, given, said, exact,
                        given["why"], departs=said != defaults, reading=OF_NUGGETS,
                    )  # fmt: skip


def _value(metric: str, k: int | None, given: Mapping[str, Any], said: dict[str, Any]) -> Number:
    return NUGGET_ORACLES[metric](given["ranking"], given["nuggets"], k, **said)


def _sensible(
    said: Mapping[str, Any],
    defaults: Mapping[str, Any],
    nuggets: Mapping[str, Sequence[str]],
    *,
    ties: bool,
) -> bool:
    """Ideals only for measures that divide by one, and empty inputs only where they matter."""
    if said.get("normalisation", "collection_dependent") != "collection_dependent":
        ideal = said.get("ideal")
        if ideal != defaults.get("ideal"):
            return False
    changed = {n for n, v in said.items() if v != defaults[n]}
    if not known(nuggets):
        return changed <= {"no_relevant"}
    if "no_relevant" in changed or ("ideal" in changed and not ties):
        return False
    return len(changed) < 2 or changed == {"alpha", "ideal"} or "normalisation" in changed
