"""All test vectors as they are made, and the text of the file that the package holds."""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from dev.tools.vectors.documented import of_documents
from dev.tools.vectors.exposure_cases import of_shown
from dev.tools.vectors.grid import of_grid
from dev.tools.vectors.list_cases import of_lists
from dev.tools.vectors.more_cases import of_further
from dev.tools.vectors.nugget_cases import of_nuggets
from dev.tools.vectors.reading_cases import of_reading
from dev.tools.vectors.run_cases import of_runs
from irmetrics_edu.diagnosis.conformance.vectors import RANKINGS, READINGS, Number, VectorCase

_LINES = ",\n"
_ABOUT = (
    "Written by `make generated` from dev/tools/vectors. Each input has groups of cases. A case is "
    "a list: a value for each word of its group, and last the value of the measure. Cases under "
    "other conventions than those of the definition are `departing`."
)


def made() -> list[VectorCase]:
    """All cases: the grids of conventions over the inputs, then those from documents."""
    return [
        *of_grid(), *of_reading(), *of_runs(), *of_nuggets(), *of_lists(), *of_further(),
        *of_shown(), *of_documents(),
    ]  # fmt: skip


def text() -> str:
    """The vectors as the package holds them: an input or a case to a line, in the cases' order."""
    blocks = [
        _block(name, list(found))
        for (name, _), found in itertools.groupby(made(), lambda c: (c.input, _json(c.given)))
    ]
    about = _json(_ABOUT)
    return f'{{"about": {about}, "inputs": [\n{_LINES.join(blocks)}\n]}}\n'


def _block(name: str, found: Iterable[VectorCase]) -> str:
    """Cases that follow one another and have one input."""
    every = list(found)
    groups = [_group(head, cases) for head, cases in _groups(every)]
    given = _json(every[0].given)
    return f'{{"input": {_json(name)}, "given": {given}, "groups": [\n{_LINES.join(groups)}]}}'


def _groups(found: Iterable[VectorCase]) -> Iterator[tuple[Mapping[str, Any], list[VectorCase]]]:
    """Cases of one measure and one cut-off that name the same words; departing ones are last."""
    head: Mapping[str, Any] = {}
    group: list[VectorCase] = []
    for case in found:
        if group and (_head(case) != head or group[-1].departs > case.departs):
            yield head, group
            group = []
        head = _head(case)
        group.append(case)
    yield head, group


def _head(case: VectorCase) -> dict[str, Any]:
    """What the cases of a group share; what is as in most cases is left out."""
    reading = next(name for name, said in READINGS.items() if said is case.reading)
    beside = {
        "reading": "" if reading == RANKINGS else reading,
        "aggregate": case.aggregate,
        "topic": case.topic,
        "printed": case.printed,
    }
    said = {name: text for name, text in beside.items() if text}
    return {"metric": case.metric, "k": case.k, **said, "words": list(case.conventions)}


def _group(head: Mapping[str, Any], found: Iterable[VectorCase]) -> str:
    parts: dict[str, list[str]] = {}
    for case in found:
        row = _json([*case.conventions.values(), _stored(case.value)])
        parts.setdefault("departing" if case.departs else "defined", []).append(row)
    rows = [f'"{name}": [\n{_LINES.join(lines)}]' for name, lines in parts.items()]
    return f" {_json(head)[:-1]}, {', '.join(rows)}}}"


def _stored(number: Number) -> str:
    """A fraction with its slash, or a decimal of twenty digits.

    Three more than are exported: of seventeen, not every decimal rounds to the same float.
    """
    if isinstance(number, Fraction):
        return f"{number.numerator}/{number.denominator}"
    return "nan" if number.is_nan() else f"{number:.19e}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
