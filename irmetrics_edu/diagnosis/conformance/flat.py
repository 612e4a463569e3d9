"""The vectors without JSON: a line for each case and for each part of an input."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from irmetrics_edu.diagnosis.conformance.case import Case, written

_OF_LISTS = ("ranking", "recommended", "relevant", "expected", "other", "run", "catalogue")
_OF_NUMBERS = ("scores", "judgments", "qrels", "popularity", "exposure", "users", "gamma")


def cases_tsv(cases: Iterable[Case]) -> str:
    """A line for each case: id, metric, k, aggregate, input, value, conventions."""
    lines = []
    for case in cases:
        said = {**case.reading, **case.conventions}
        number = written(case.value)["decimal"]
        k = "-" if case.k is None else str(case.k)
        first = (case.id, case.metric, k, case.aggregate or "-", case.input, number)
        lines.append("\t".join([*first, *(f"{word}={value}" for word, value in said.items())]))
    return "\n".join(lines) + "\n"


def inputs_tsv(cases: Iterable[Case]) -> str:
    """A line for each part of an input: its name, the metric, the query, the part, its items."""
    lines: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        if (case.input, case.metric) not in lines:
            lines[case.input, case.metric] = [
                "\t".join([case.input, case.metric, *fields]) for fields in _parts(case.given)
            ]
    return "\n".join(line for part in lines.values() for line in part) + "\n"


def _parts(given: Mapping[str, Any]) -> Iterator[list[str]]:
    """The query, the part's name and the items of each part."""
    names = {"run": "ranking", "qrels": "judgments"}
    for part, held in given.items():
        if part == "why":
            continue
        if part in names:
            for query, of_query in held.items():
                yield [query, names[part], *_items(part, of_query)]
        else:
            yield ["-", part, *_items(part, held)]


def _items(part: str, held: Any) -> list[str]:
    if part in _OF_LISTS:
        return list(held)
    if part in _OF_NUMBERS:
        return [f"{name}={number}" for name, number in held.items()]
    return [f"{name}={','.join(map(_written, _each(several)))}" for name, several in held.items()]


def _each(several: Any) -> Iterable[Any]:
    return several.items() if isinstance(several, Mapping) else several


def _written(item: Any) -> str:
    """A name or a number; of a nugget with its probability both."""
    return f"{item[0]}:{item[1]}" if isinstance(item, tuple) else str(item)
