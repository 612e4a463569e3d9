"""The meaning of every word of the vectors: one definition for the README and for programs.

registries of metrics and conventions + meanings.toml (pseudo-code) -> meanings() -> meanings.json

A number that `meanings.toml` does not explain has the sentence of the kernel's docstring on it.
"""

import inspect
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from irmetrics_edu.conventions import CollectionSize, Convention, MaxGrade
from irmetrics_edu.diagnosis.conformance.vectors import VectorCase
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.definition import METRICS, import_all

READING = ("negative", "scores", "duplicates", "unretrieved", "ties", "unjudged", "pool")
_OF_NUMBERS: Mapping[str, type[Convention]] = {"max_grade": MaxGrade, "collection": CollectionSize}


@cache
def _written() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "meanings.toml").read_text("utf-8"))


def kind_of(metric: str, word: str) -> type[Convention] | None:
    """The kind of convention that a word is in a metric; None if it is a number.

    >>> kind_of("alpha-nDCG", "ideal").__name__
    'NoveltyIdeal'
    """
    import_all()
    found = METRICS[metric]
    of_run = {f.name: f.default for f in fields(Bundle)}
    known = {**of_run, **found.inputs.options, **found.defaults}
    default = known.get(word)
    if isinstance(default, Convention):
        return type(default) if type(default).__base__ is Convention else type(default).__mro__[1]
    return _OF_NUMBERS.get(word)


def meanings(cases: Iterable[VectorCase]) -> dict[str, Any]:
    """All meanings as JSON has them."""
    import_all()
    said = _written()
    words = _words(cases)
    kinds: dict[str, Any] = {}
    for metric, used in words.items():
        for word in used:
            kind = kind_of(metric, word)
            if kind is not None and kind.__name__ not in kinds:
                kinds[kind.__name__] = _kind(kind, word)
    numbers = _numbers(words)
    return {
        "notation": said["notation"],
        "reading": {word: _lines(said["reading"][word]) for word in READING},
        "queries": _lines(said["queries"]["code"]),
        "shared": {name: _lines(code) for name, code in said["shared"].items()},
        "kinds": dict(sorted(kinds.items())),
        "numbers": dict(sorted(numbers.items())),
        "measures": {name: _measure(name, used) for name, used in words.items()},
    }


def _numbers(words: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """What each number means: as it is written for all measures, or in a kernel's docstring."""
    written = _written()["numbers"]
    found: dict[str, str] = {}
    for metric, used in words.items():
        for word in used:
            if word in written:
                found[word] = written[word]
            elif kind_of(metric, word) is None and (sentence := sentence_on(metric, word)):
                found.setdefault(word, sentence)
    return found


def sentence_on(metric: str, word: str) -> str:
    """The first sentence of a kernel's docstring that names a parameter, or nothing.

    >>> sentence_on("PFound", "p_break")
    'Else the reader gives up with probability `p_break`, or looks at the next document'
    """
    text = inspect.getdoc(METRICS[metric].kernel) or ""
    prose = " ".join(text.partition(">>>")[0].split())
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z`])", prose)
    naming = (s for s in sentences if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", s))
    return next(naming, "").rstrip(".")


def measures_without_code(metrics: Iterable[str]) -> list[str]:
    """The measures of which nobody has written the pseudo-code yet."""
    written = _written()["metrics"]
    return [name for name in metrics if name not in written]


def _words(cases: Iterable[VectorCase]) -> dict[str, list[str]]:
    """The words that the vectors of each metric use, in the order of the registry."""
    found: dict[str, dict[str, None]] = {}
    for case in cases:
        used = found.setdefault(case.metric, {})
        used.update(dict.fromkeys([*case.conventions, *case.reading]))
    return {name: list(found[name]) for name in METRICS if name in found}


def _kind(kind: type[Convention], word: str) -> dict[str, Any]:
    """A kind: its question, and the meaning, formula and code of each value."""
    if word in READING:  # whose code is a step of the reading
        code: Mapping[str, str] = {}
    else:
        code = _written()["kinds"].get(kind.__name__, {})
    values: dict[str, Any] = {}
    for value in kind.values.values():
        values[value.name] = {"meaning": value.meaning, "latex": value.latex}
        if value.name in code:
            values[value.name]["code"] = _lines(code[value.name])
    forms = {name: _lines(text) for name, text in code.items() if name not in values}
    asks = (kind.__doc__ or "").strip().split("\n", 1)[0]
    found: dict[str, Any] = {"word": word, "asks": asks, "values": values}
    return {**found, "forms": forms} if forms else found


def _measure(name: str, used: Iterable[str]) -> dict[str, Any]:
    metric = METRICS[name]
    kinds = {word: kind_of(name, word) for word in used}
    return {
        "definition": metric.definition,
        "formula": metric.formula,
        "source": metric.source,
        "code": _lines(_written()["metrics"].get(name, "")),
        "input": metric.inputs.name,
        "words": {
            word: kind.__name__ if kind is not None else "number" for word, kind in kinds.items()
        },
    }


def _lines(code: str) -> list[str]:
    return code.strip("\n").split("\n") if code else []
