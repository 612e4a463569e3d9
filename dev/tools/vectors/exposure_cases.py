"""Cases of what a system shows: popularity, surprise, fairness; two orders, users."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dev.tools.vectors.oracles import exposure as by
from dev.tools.vectors.oracles.rankings import Number
from irmetrics_edu.diagnosis.conformance.vectors import NOTHING, VectorCase, named

_EMPTY = {"undefined": ("zero", "nan")}
_COUNTS = {"i1": 8, "i2": 4, "i3": 1, "i4": 10, "i5": 3}
_GROUPS = {"i1": ["a"], "i2": ["b"], "i3": ["a", "b"], "i4": ["c"], "i5": ["a"]}
_LISTS: Mapping[str, tuple[list[str], str]] = {
    "known-to-some": (["i1", "i3", "i2", "i4"], "items that all users know, and some, and one"),
    "known-to-all": (["i4"], "one item that everybody knows"),
    "shown-nothing": ([], "nothing is recommended: there is no mean"),
}


def _popularity(given: Mapping[str, Any], k: int | None, **said: Any) -> Number:
    return by.average_popularity(given["recommended"][:k], given["popularity"], **said)


def _novelty(given: Mapping[str, Any], k: int | None, **said: Any) -> Number:
    return by.novelty(given["recommended"][:k], given["popularity"], **said)


def _unknown(given: Mapping[str, Any], k: int | None, **said: Any) -> Number:
    return by.share_without(given["recommended"][:k], given["popularity"], **said)


def _unshared(given: Mapping[str, Any], k: int | None, *, users: int, undefined: str) -> Number:
    others = {item: n - 1 for item, n in given["exposure"].items()}
    return by.share_without(given["recommended"][:k], others, users - 1, undefined)


def _surprising(given: Mapping[str, Any], k: int | None, **said: Any) -> Number:
    items = given["recommended"][:k]
    return by.serendipity(items, given["relevant"], given["expected"], **said)


def _fair(given: Mapping[str, Any], k: int | None, **said: Any) -> Number:
    return by.fairness(given["recommended"][:k], given["categories"], **said)


def _covered(given: Mapping[str, Any], k: int | None) -> Number:
    shown = (items[:k] for items in given["lists"].values())
    return by.catalogue_coverage(shown, given["catalogue"])


def _lift(given: Mapping[str, Any], k: int | None, **said: Any) -> Number:
    items = given["recommended"][:k]
    return by.popularity_lift(items, given["relevant"], given["popularity"], **said)


def _precise(given: Mapping[str, Any], k: int | None, **said: Any) -> Number:
    of = (given["recommended"], given["relevant"], given["popularity"], k)
    return by.propensity_scored(*of, discounted=False, **said)


def _ranked(given: Mapping[str, Any], k: int | None, **said: Any) -> Number:
    of = (given["recommended"], given["relevant"], given["popularity"], k)
    return by.propensity_scored(*of, discounted=True, **said)


def _overlap(given: Mapping[str, Any], k: int | None, *, p: str) -> Number:
    return by.rank_biased_overlap(given["ranking"], given["other"], Fraction(p), k)


def _tau(given: Mapping[str, Any], k: int | None) -> Number:
    del k
    one = given.get("scores") or {d: -i for i, d in enumerate(given["ranking"])}
    return by.tau_b(one, {d: -i for i, d in enumerate(given["other"])})


def _tau_ap(given: Mapping[str, Any], k: int | None) -> Number:
    del k
    return by.tau_ap(given["ranking"], given["other"])


_HITS = {"relevant": ["i2", "i3", "i5"], "popularity": _COUNTS}
_MODEL = {"users": (10, 20), "a": ("0.55", "0.6"), "b": ("1.5", "2.6"), **_EMPTY}
# Of each measure of a list its oracle, what it reads beside the list, and its switches.
_OF_LISTS: Mapping[str, tuple[Callable[..., Number], Mapping[str, Any], Mapping[str, Any]]] = {
    "ARP": (_popularity, {"popularity": _COUNTS}, _EMPTY),
    "novelty": (_novelty, {"popularity": _COUNTS}, {"users": (10, 20), **_EMPTY}),
    "EPC": (_unknown, {"popularity": _COUNTS}, {"users": (10, 20), **_EMPTY}),
    "personalisation": (_unshared, {"exposure": _COUNTS}, {"users": (10, 20), **_EMPTY}),
    "serendipity": (
        _surprising, {"relevant": ["i2", "i3", "i4"], "expected": ["i4", "i5"]}, _EMPTY,
    ),
    "popularity_lift": (
        _lift, {"relevant": ["i2", "i5"], "popularity": _COUNTS}, _EMPTY,
    ),
    "PSP": (_precise, _HITS, _MODEL),
    "PSnDCG": (_ranked, _HITS, _MODEL),
    "AWRF": (_fair, {"categories": _GROUPS}, {"p": ("0.5", "0.8"), **_EMPTY}),
}  # fmt: skip
_ORDERS: Mapping[str, Mapping[str, Any]] = {
    "one-exchange": {"ranking": ["a", "b", "c", "d"], "other": ["a", "c", "b", "d"],
                     "why": "two neighbours are exchanged"},
    "turned-round": {"ranking": ["a", "b", "c"], "other": ["c", "b", "a"],
                     "why": "the opposite order"},
}  # fmt: skip
_UNEVEN: Mapping[str, Mapping[str, Any]] = {
    "uneven-orders": {"ranking": ["a", "b", "c", "d", "e"], "other": ["b", "a", "x"],
                      "why": "one order is shorter, and holds an item of its own"},
    "one-order-empty": {"ranking": [], "other": ["a", "b"],
                        "why": "an empty order agrees with nothing"},
}  # fmt: skip
_TIED: Mapping[str, Mapping[str, Any]] = {
    "tied-order": {"scores": {"a": 3, "b": 2, "c": 2, "d": 1}, "other": ["a", "c", "d", "b"],
                   "why": "two items tie in one order"},
}  # fmt: skip
_SHOWN: Mapping[str, Mapping[str, Any]] = {
    "some-never-shown": {"lists": {"u1": ["i1", "i3"], "u2": ["i1", "i4", "i2"]},
                         "catalogue": ["i1", "i2", "i3", "i4", "i5"],
                         "why": "one of five items is in no list; cut off at 2, two are"},
    "never-shown": {"lists": {"u1": [], "u2": []}, "catalogue": ["i1", "i2"],
                    "why": "all lists are empty"},
}  # fmt: skip
_Oracle = Callable[..., Number]
# Of each other measure its oracle, its inputs, what they are about, and its switches.
_Of = tuple[str, _Oracle, Mapping[str, Any], str, Mapping[str, Any]]
_OF_OTHERS: Sequence[_Of] = (
    ("catalogue_coverage", _covered, _SHOWN, "lists of all users", {}),
    ("RBO", _overlap, {**_ORDERS, **_UNEVEN}, "two orders", {"p": ("0.9", "0.5")}),
    ("tau", _tau, {**_ORDERS, "tied-order": _TIED["tied-order"]}, "two orders", {}),
    ("tau_AP", _tau_ap, _ORDERS, "two orders", {}),
)  # fmt: skip
MEASURES = (*_OF_LISTS, *(metric for metric, *_ in _OF_OTHERS))
_CUT = ("RBO", "catalogue_coverage")


def of_shown() -> Iterator[VectorCase]:
    """Each measure over its inputs, one convention turned at a time."""
    for metric, (oracle, beside, switches) in _OF_LISTS.items():
        for name, (items, why) in _LISTS.items():
            given = {"recommended": items, **beside, "why": why}
            for k in (None, 2) if len(items) > 2 else (None,):
                topic = "" if items else "short lists"
                yield from _turned(metric, name, given, k, oracle, switches, topic)
    for metric, oracle, inputs, topic, switches in _OF_OTHERS:
        for name, given in inputs.items():
            for k in (None, 2) if metric in _CUT else (None,):
                yield from _turned(metric, name, given, k, oracle, switches, topic)


def _turned(
    metric: str, name: str, given: Mapping[str, Any], k: int | None,
    oracle: Callable[..., Number], switches: Mapping[str, Sequence[Any]], topic: str,
) -> Iterator[VectorCase]:  # fmt: skip
    for values in itertools.product(*switches.values()):
        said = dict(zip(switches, values, strict=True))
        changed = {n for n, v in said.items() if v != switches[n][0]}
        if len(changed) > 1 or ("undefined" in changed and given["recommended"]):
            continue
        yield VectorCase(
            named(name, metric, k, said), name, metric, k, given, said, oracle(given, k, **said),
            given["why"], departs=bool(changed), topic=topic, reading=NOTHING,
        )  # fmt: skip
