"""All test vectors, and the files that they are written to."""

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

from irmetrics_edu.diagnosis.conformance.case import (
    NOTHING,
    OF_DISTANCES,
    OF_GAINS_OF_NUGGETS,
    OF_NUGGETS,
    OF_RANKINGS,
    OF_RUNS,
    OF_SCORES,
    Case,
    Number,
    named,
)
from irmetrics_edu.diagnosis.conformance.flat import cases_tsv, inputs_tsv
from irmetrics_edu.writing import write

VERSION = "2.2"
RANKINGS = "rankings"
# The shared conventions of cases, by the name that the stored vectors have for them.
READINGS: Mapping[str, Mapping[str, str]] = {
    RANKINGS: OF_RANKINGS,
    "scores": OF_SCORES,
    "nuggets": OF_NUGGETS,
    "gains of nuggets": OF_GAINS_OF_NUGGETS,
    "distances": OF_DISTANCES,
    "runs": OF_RUNS,
    "nothing": NOTHING,
}
COPIED = ("schema.json", "results.schema.json", "meanings.json", "README.md")  # as they are here
_LINES = ",\n"


def cases() -> list[Case]:
    """All cases: the grids of conventions over the inputs, then those from documents."""
    return [*_stored()]


@functools.cache  # many tests ask for them
def _stored() -> tuple[Case, ...]:
    """The cases of `vectors.json`, which `tools/vectors` writes."""
    held = json.loads(_text("vectors.json"))
    return tuple(
        case
        for block in held["inputs"]
        for group in block["groups"]
        for case in _of_group(block["input"], block["given"], group)
    )


def _of_group(name: str, given: Mapping[str, Any], group: Mapping[str, Any]) -> Iterator[Case]:
    """The cases of an input that differ in the values of their conventions alone.

    Each is a list: a value for each word, and last the value of the measure.
    """
    metric, k, words = group["metric"], group["k"], group["words"]
    aggregate, printed = group.get("aggregate", ""), group.get("printed", "")
    for which in ("defined", "departing"):
        for *values, number in group.get(which, ()):
            said = dict(zip(words, values, strict=True))
            yield Case(
                name if printed else named(name, metric, k, said, aggregate),
                name, metric, k, given, said, _number(number), given["why"],
                printed=printed, aggregate=aggregate, topic=group.get("topic", ""),
                departs=which == "departing", reading=READINGS[group.get("reading", RANKINGS)],
            )  # fmt: skip


def _number(text: str) -> Number:
    """A fraction such as 2/3, or a decimal."""
    above, slash, below = text.partition("/")
    return Fraction(int(above), int(below)) if slash else Decimal(text)


def export(folder: Path | str, *, flat: bool = False) -> list[Path]:
    """Write the vectors, a file per metric, their schema, and what their words mean.

    `flat` adds two files of lines for programs that read no JSON. The return value lists the
    written files. They have the same bytes every time, so a project that copies them sees real
    changes only.
    """
    target, every = Path(folder), cases()
    by_metric: dict[str, list[Case]] = {}
    for case in every:
        by_metric.setdefault(case.metric, []).append(case)
    texts = {f"{metric}.json": _file(metric, found) for metric, found in by_metric.items()}
    texts |= {name: _text(name) for name in COPIED}
    if flat:
        texts |= {"cases.tsv": cases_tsv(every), "inputs.tsv": inputs_tsv(every)}
    for name, text in texts.items():
        write(target / name, text)
    return [target / name for name in texts]


def _file(metric: str, found: Sequence[Case]) -> str:
    """The vectors of a metric: an input or a case to a line, so that a change is seen."""
    shared: dict[str, str] = {}
    for case in found:
        shared |= case.reading
    own = {name for case in found for name in case.conventions if name not in case.reading}
    head = {
        "format": "irmetrics-edu/vectors",
        "version": VERSION,
        "metric": metric,
        "conventions": {n: v for n, v in shared.items() if n not in own},
    }
    inputs = {case.input: dict(case.given) for case in found}
    lines = [f"{json.dumps(n)}: {json.dumps(i, ensure_ascii=False)}" for n, i in inputs.items()]
    listed = [json.dumps(c.as_dict(), ensure_ascii=False) for c in found]
    return (
        json.dumps(head)[:-1]
        + f', "inputs": {{\n{_LINES.join(lines)}\n}}, "cases": [\n{_LINES.join(listed)}\n]}}\n'
    )


def _text(name: str) -> str:
    return (resources.files("irmetrics_edu.diagnosis.conformance") / name).read_text("utf-8")
