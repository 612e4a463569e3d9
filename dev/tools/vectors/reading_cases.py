"""Cases about how a ranking is read: ties, precision, duplicates, negative grades, the unjudged.

The reading is a plain loop of its own, which gives grades in ranked order. Documents that share
their ranks are read in every order, and the value is the mean over these orders.
"""

import itertools
import struct
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dev.tools.vectors.grid import DEFAULTS
from dev.tools.vectors.oracles.rankings import Grades, Number, added, divided, value
from irmetrics_edu.diagnosis.conformance.vectors import OF_RANKINGS, VectorCase, named

_CUT = 2
_AGAIN = ", again at "  # in the names of copies


def in_orders(given: Mapping[str, Any], by: Mapping[str, str]) -> Iterator[tuple[Grades, Grades]]:
    """The grades in ranked order and those of the pool, for each order that is as likely."""
    grades = {d: _grade(g, by) for d, g in given["judgments"].items()}
    padding = {d for d, g in given["judgments"].items() if g < 0 and by["negative"] == "padding"}
    grades = {d: g for d, g in grades.items() if d not in padding}
    for order in itertools.product(*(_orders(tie, grades, by) for tie in _ties(given, by))):
        documents = [d for d in itertools.chain.from_iterable(order) if d not in padding]
        if by["unjudged"] == "removed":
            documents = [d for d in documents if grades.get(d) is not None]
        ranked = [grades.get(d) for d in documents]
        if by["unjudged"].startswith("grade("):
            of_unjudged = int(by["unjudged"].removeprefix("grade(").removesuffix(")"))
            for i, document in enumerate(documents):
                if ranked[i] is None and _AGAIN not in document:
                    ranked[i] = of_unjudged
        pool = [grades[d] for d in documents if d in grades]
        if by["pool"] == "judged":
            pool = list(grades.values())
        yield ranked, [g for g in pool if g is not None]


def _grade(grade: int, by: Mapping[str, str]) -> int | None:
    if grade >= 0 or by["negative"] == "keep":
        return grade
    return 0 if by["negative"] == "zero" else None


def _ties(given: Mapping[str, Any], by: Mapping[str, str]) -> list[list[str]]:
    """Documents by falling score, those of one score together, each time as given."""
    if "scores" in given:
        kept = {d: _kept(s, by["scores"]) for d, s in given["scores"].items()}
        levels = sorted(set(kept.values()), reverse=True)
        found = [[d for d in kept if kept[d] == level] for level in levels]
    else:
        found = [[d] for d in _without_repeats(given["ranking"], by["duplicates"])]
    if by["unretrieved"] == "last":
        there = {d for tie in found for d in tie}
        found.append([d for d in given["judgments"] if d not in there])
    return [tie for tie in found if tie]


def _kept(score: float, precision: str) -> float:
    if precision == "order":
        return 0.0
    if precision == "float32":
        return float(struct.unpack("f", struct.pack("f", score))[0])
    return score


def _without_repeats(documents: Sequence[str], duplicates: str) -> list[str]:
    if duplicates == "each":
        return list(documents)
    if duplicates == "no_gain":  # a copy is a document that nobody judged
        return [f"{d}{_AGAIN}{i}" if d in documents[:i] else d for i, d in enumerate(documents)]
    if duplicates == "first":
        return [d for i, d in enumerate(documents) if d not in documents[:i]]
    return [d for i, d in enumerate(documents) if d not in documents[i + 1 :]]


def _orders(
    tie: list[str], grades: Mapping[str, int | None], by: Mapping[str, str]
) -> list[list[str]]:
    rule = by["ties"]
    if rule == "averaged":
        return [list(order) for order in itertools.permutations(tie)]
    if rule in ("docid", "docid_ascending"):
        return [sorted(tie, reverse=rule == "docid")]
    if rule in ("pessimistic", "optimistic"):
        return [sorted(tie, key=lambda d: grades.get(d) or 0, reverse=rule == "optimistic")]
    return [tie[::-1] if rule == "reversed" else tie]


def read_value(
    metric: str, k: int | None, given: Mapping[str, Any], conventions: Mapping[str, Any]
) -> Number:
    """The value of a metric on an input under conventions of both kinds."""
    by = {**OF_RANKINGS, **{n: v for n, v in conventions.items() if n in OF_RANKINGS}}
    own = {n: v for n, v in conventions.items() if n not in OF_RANKINGS}
    found = [value(metric, ranked, pool, k, own) for ranked, pool in in_orders(given, by)]
    return divided(added(found), Fraction(len(found)))


_TIES = ("given", "docid", "docid_ascending", "reversed", "pessimistic", "optimistic", "averaged")
# These two tell all the rules apart, by every measure that is taken of them.
_TIED = {
    "scores": {"a": 3.0, "b": 2.0, "c": 2.0, "d": 2.0, "e": 1.0},
    "judgments": {"a": 0, "b": 3, "c": 2, "d": 0, "e": 1, "x": 2},
    "why": "three documents share a score, and the cut at 2 goes through them",
}
_ALL_TIED = {
    "scores": {"b": 1.0, "d": 1.0, "c": 1.0, "a": 1.0},
    "judgments": {"a": 0, "b": 0, "c": 3, "d": 3, "x": 1},
    "why": "all documents share one score",
}
_CLOSE = {
    "scores": {"c": 0.5, "b": 0.123456780, "a": 0.123456781},
    "judgments": {"a": 1, "b": 3, "x": 1},
    "why": "two scores differ in 64 bits and are equal in 32",
}
_REPEATED = {
    "ranking": ["a", "b", "a", "c", "c", "b"],
    "judgments": {"a": 2, "b": 0, "c": 1, "x": 1},
    "why": "three documents are ranked twice, one of them at ranks that follow each other",
}
_NEGATIVE = {
    "ranking": ["b", "a", "d", "c"],
    "judgments": {"a": 1, "b": -1, "c": 2, "d": 0, "x": -2},
    "why": "two documents are judged to be harmful",
}
_UNJUDGED = {
    "ranking": ["u", "a", "v", "b"],
    "judgments": {"a": 1, "b": 3, "x": 2},
    "why": "nobody judged two documents that stand above others",
}
_MISSED = {
    "ranking": ["a", "b", "c"],
    "judgments": {"a": 1, "b": 0, "c": 1, "x": 3, "y": 1, "z": 0},
    "why": "a library that is given one list with a score for everything",
}
# Forty documents of three scores, some below 0: enough for sorts that are stable in short lists.
_LONG = 40
_MANY = [f"d{i * 7 % _LONG + 1}" for i in range(_LONG)]
_MANY_TIED = {
    "scores": {d: (0.0, 0.0, 2.5, 0.0, -1.5)[i % 5] for i, d in enumerate(_MANY)},
    "judgments": {d: i * i % 7 % 4 for i, d in enumerate(_MANY) if i % 6 != 1} | {"x1": 3, "x2": 1},
    "why": "sorts that keep the order of ties in short lists lose it here; grades stand below 32",
}
_AS_TEXT = {  # JavaScript moves keys that are whole numbers to the front, so they stand there
    "scores": {"9": 1.0, "10": 1.0, "a": 1.0, "B": 1.0},
    "judgments": {"9": 3, "10": 0, "a": 1, "B": 0},
    "why": "ids are compared as text, byte by byte: 10 stands before 9, and B before a",
}
_LOSSES = {
    "ranking": ["a", "b", "c", "d"],
    "judgments": {"a": -3, "b": 1, "c": -1, "d": 2},
    "why": "the losses are larger than the gains, so totals are below 0",
}
_HIGH = {
    "ranking": ["a", "b", "c", "d"],
    "judgments": {"a": 6, "b": 0, "c": 9, "d": 2, "x": 7},
    "why": "grades above 5, and above the usual scale of ERR, 0 to 4",
}
_AFTER_TIES = tuple({"unretrieved": "last", "ties": ties} for ties in ("given", *_TIES[-3:]))
_EACH = ("first", "last", "each", "no_gain")
_OF_NONE = ("no_gain", "removed", "grade(1)")
_LESS = ("zero", "keep", "unjudged", "padding")
# Input, its name, what is turned, and the topic.
_READ: tuple[tuple[str, Mapping[str, Any], Sequence[Mapping[str, str]], str], ...] = (
    ("tied", _TIED, [{"ties": t} for t in _TIES], "ties"),
    ("all-tied", _ALL_TIED, [{"ties": t} for t in _TIES], "ties"),
    (
        "equal-in-32-bits",
        _CLOSE,
        [{}, *({"scores": "float32", "ties": t} for t in _TIES), {"scores": "order"}],
        "precision of scores",
    ),
    ("repeated", _REPEATED, [{"duplicates": d} for d in _EACH], "duplicates"),
    ("negative", _NEGATIVE, [{"negative": n} for n in _LESS], "negative grades"),
    ("not-judged", _UNJUDGED, [{"unjudged": u} for u in _OF_NONE], "unjudged"),
    ("not-retrieved", _MISSED, [{}, {"pool": "retrieved"}, *_AFTER_TIES], "unretrieved"),
    ("many-tied", _MANY_TIED, [{"ties": t} for t in ("given", "docid", "reversed")], "many ties"),
    ("ids-as-text", _AS_TEXT, [{"ties": t} for t in _TIES[:3]], "ids as text"),
    ("losses", _LOSSES,
     [{"negative": "zero"}, {"negative": "keep"}, {"negative": "keep", "gain": "exp"}],
     "negative grades"),
    ("high", _HIGH,
     [{}, {"gain": "exp"}, {"gain": "linear"}, *({"max_grade": "highest", **s} for s in
      ({}, {"satisfaction": "linear"}))], "grades above 5"),
)  # fmt: skip
_MEASURES = (("P", _CUT), ("R", _CUT), ("AP", None), ("RR", None), ("DCG", _CUT), ("nDCG", None),
             ("nDCG", _CUT))  # fmt: skip
# Of these inputs other measures, those that they can change.
_OF_INPUT: Mapping[str, Sequence[tuple[str, int | None]]] = {
    "negative": (*_MEASURES, ("bpref", None)),
    "many-tied": (("AP", None), ("RR", None), ("nDCG", None), ("nDCG", 20)),
    "ids-as-text": (("AP", None), ("nDCG", None)),
    "losses": (("DCG", None), ("nDCG", None), ("ERR", None)),
    "high": (("DCG", None), ("nDCG", None), ("RBP", None), ("ERR", None)),
}
_NOT_OF_LOSSES = ("P", "R", "RR")  # to which a grade below 0 is one below 1


def of_reading() -> Iterator[VectorCase]:
    """One switch of the reading at a time, over an input that it affects."""
    for name, given, turned, topic in _READ:
        for metric, k in _OF_INPUT.get(name, _MEASURES):
            if topic == "negative grades" and metric in _NOT_OF_LOSSES:
                continue
            for reading in turned:
                if reading.get("negative") == "padding" and (metric, k) != ("nDCG", None):
                    continue  # one shows it, and the files stay small
                own = {n: v for n, v in reading.items() if n not in OF_RANKINGS}
                usual = DEFAULTS[metric]
                if not own.keys() <= usual.keys() or (own and own.items() <= usual.items()):
                    continue
                said = {**reading, **usual, **own}
                exact = read_value(metric, k, given, said)
                id_ = named(name, metric, k, said)
                yield VectorCase(
                    id_, name, metric, k, given, said, exact, given["why"],
                    topic=topic, departs=bool(own),
                )  # fmt: skip
