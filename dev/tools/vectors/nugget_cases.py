"""Cases of novelty and intents: how often a nugget was seen, and which ranking is the ideal."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dev.tools.vectors.oracles.nuggets import NUGGET_ORACLES, known
from dev.tools.vectors.oracles.rankings import Number
from dev.tools.vectors.switches import switches_of
from irmetrics_edu.diagnosis.conformance.vectors import (
    OF_GAINS_OF_NUGGETS,
    OF_NUGGETS,
    PROBABILITIES,
    VectorCase,
    named,
)

_SEEN = [f"{i}" for i in range(1, 11)]
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
    "equal-worth": {
        "ranking": ["d", "b", "c", "a"],
        "nuggets": {
            "a": ["11", *_SEEN],
            "b": ["11", "12"],
            "c": ["13", *_SEEN[:-1]],
            "d": ["14", "15", *_SEEN],
        },
        "why": "after d, documents a and b are worth the same, 2, but a sum of tenths may be less",
    },
    "one-nugget": {
        "ranking": ["b", "c", "a"],
        "nuggets": {"a": ["A"], "b": ["A"], "c": []},
        "why": "there is one nugget in all",
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
# Only measures that take probabilities have these; halves and quarters are exact as floats.
_UNSURE: Mapping[str, Mapping[str, Any]] = {
    "unsure-documents": {
        "ranking": ["a", "b", "c", "d"],
        "nuggets": {
            "a": {"A": 0.5, "B": 1}, "b": {"A": 0.25}, "c": {"A": 0.75, "C": 0.5},
            "e": {"B": 0.5, "D": 0.75},
        },
        "why": "each nugget is in a document with a probability, such as that of a classifier",
    },
    "unsure-needs": {
        "ranking": ["b", "a", "c"],
        "nuggets": {"a": {"A": 1, "B": 0.5}, "b": {"A": 0.75, "C": 0.5}, "c": {"B": 1}},
        "gamma": {"A": 0.25, "B": 0.75, "C": 0.5},
        "why": "gamma is part of the input: a user wants each nugget with its own probability",
    },
}  # fmt: skip
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
        **_EMPTY,
    },
    "ERR-IA": {"gain": ("linear",), "max_grade": (1,), **_NORMALISED, **_EMPTY},
    "NRBP": {"alpha": ("0.5",), "beta": ("0.5", "0.8"), "rel": (1,), **_NORMALISED, **_EMPTY},
    "S-recall": {"rel": (1,), **_EMPTY},
    "P-IA": {"rel": (1,)},
    "AP-IA": {"rel": (1,)},
    "relevance-probability": {"alpha": ("0.5", "0.9"), "gamma": ("0.5", "0.25"), "rel": (1,)},
}  # fmt: skip
_OF_UNSURE = ("alpha-DCG", "alpha-nDCG", "NRBP", "relevance-probability")
_WITH_GAMMA = ("alpha-DCG", "alpha-nDCG")  # which are 1 for all nuggets, unless an input says more
_IDEAL_DIFFERS = ("greedy-is-beaten", "ideal-with-ties", "equal-worth")
# An input for one measure, and the words that it takes: tenths are not exact as floats.
_OF_TENTHS = {"equal-worth": ("alpha-nDCG", {"alpha": ("0.9",)})}
_UNCUT = ("NRBP",)
_CUTS = (None, 2, 5)


def of_nuggets() -> Iterator[VectorCase]:
    """Every combination that tells something."""
    unlisted = [name for name in NUGGET_ORACLES if name not in _GRID]
    grid = {**_GRID, **{name: {**switches_of(name), "rel": (1,)} for name in unlisted}}
    for name, given in {**_INPUTS, **_UNSURE}.items():
        for metric, switches in grid.items():
            topic = PROBABILITIES if name in _UNSURE else ""
            if topic and (metric not in _OF_UNSURE or ("gamma" in given and metric == "NRBP")):
                continue
            only, tenths = _OF_TENTHS.get(name, (metric, {}))
            if metric != only:
                continue
            switches = {n: v for n, v in {**switches, **tenths}.items() if n not in given}  # noqa: PLW2901 -- the switches of this case alone
            reading = OF_GAINS_OF_NUGGETS if metric in _WITH_GAMMA else OF_NUGGETS
            defaults = {n: v[0] for n, v in switches.items()}
            for k in _CUTS[:1] if metric in _UNCUT else _CUTS[:2] if topic else _CUTS:
                for values in itertools.product(*switches.values()):
                    said = dict(zip(switches, values, strict=True))
                    if topic and sum(v != defaults[n] for n, v in said.items()) > 1:
                        continue
                    if not _sensible(said, defaults, given["nuggets"], ties=name in _IDEAL_DIFFERS):
                        continue
                    exact = _value(metric, k, given, said)
                    yield VectorCase(
                        named(name, metric, k, said), name, metric, k, given, said, exact,
                        given["why"], departs=said != defaults or bool(tenths), topic=topic,
                        reading=reading,
                    )  # fmt: skip


def _value(metric: str, k: int | None, given: Mapping[str, Any], said: dict[str, Any]) -> Number:
    more = {"gamma": given["gamma"]} if "gamma" in given else {}
    return NUGGET_ORACLES[metric](given["ranking"], given["nuggets"], k, **said, **more)


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
