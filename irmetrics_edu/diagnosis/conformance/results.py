"""The results of another program: a file that is read without trust."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irmetrics_edu.diagnosis.conformance.vectors import VERSION, VectorCase
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import decoded

FORMAT = "irmetrics-edu/results"
MOST_BYTES = 20_000_000  # some eighty times what the results of all cases take
_MOST_PROGRAM = 100
_NEEDED = ("format", "version", "program", "results")
_KNOWN = (*_NEEDED, "claims")


@dataclass(frozen=True)
class Results:
    """What a program computed: its name, the measures that it claims, its values by case."""

    program: str
    claims: tuple[str, ...]
    values: Mapping[str, float]  # nan: there is no score


def read_results(path: Path, every: Sequence[VectorCase]) -> Results:
    """The results of a file; InputError says what is wrong with it, where, and what to write."""
    content = _parsed(path)
    _require_form(path, content)
    version = content["version"]
    program = content["program"]
    major = VERSION.partition(".")[0]
    if not isinstance(version, str) or version.partition(".")[0] != major:
        raise InputError(
            f'{path}: "version" is {_shown(version)}, and these vectors have version {VERSION}; '
            "export the vectors anew and compute them again"
        )
    if not isinstance(program, str) or not 0 < len(program) <= _MOST_PROGRAM:
        raise InputError(
            f'{path}: "program" is {_shown(program)}; write its name and version, at most '
            f"{_MOST_PROGRAM} characters"
        )
    ids = {case.id for case in every}
    values = _values(path, content["results"], ids, version)
    if not values:
        raise InputError(f'{path}: "results" has no value; write the id of a case with its value')
    measures = dict.fromkeys(case.metric for case in every)
    return Results(program, _claims(path, content.get("claims", []), list(measures)), values)


def _require_form(path: Path, content: Any) -> None:
    """Refuse what is no file of results, and fields that are missing or not known."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        format_of_file = content.get("format") if isinstance(content, dict) else None
        raise InputError(
            f'{path}: it is no file of results: "format" is {_shown(format_of_file)}; write '
            f'{{"format": "{FORMAT}", "version": "{VERSION}", "program": "...", "results": {{}}}}'
        )
    for name in _NEEDED:
        if name not in content:
            raise InputError(f'{path}: "{name}" is missing; the file needs {", ".join(_NEEDED)}')
    for name in content:
        if name not in _KNOWN:
            raise InputError(f"{path}: {_shown(name)} is not known; known are {', '.join(_KNOWN)}")


def _parsed(path: Path) -> Any:
    """The JSON of a file; a key that stands twice is an error."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        by_name: dict[str, Any] = {}
        for name, value in items:
            if name in by_name:
                raise InputError(f"{path}: {_shown(name)} is there twice; give it once")
            by_name[name] = value
        return by_name

    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror or error})") from None
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{path}: it is larger than {MOST_BYTES // 1_000_000} MB, and the results of all cases "
            "take less than 1 MB; give a number for each id and nothing else"
        )
    try:
        return json.loads(
            decoded(content, path, "write it in UTF-8"), object_pairs_hook=pairs, parse_int=float
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}: line {error.lineno}, column {error.colno}: no JSON ({error.msg})"
        ) from None
    except RecursionError:
        raise InputError(f"{path}: it is nested too deep; results map an id to a number") from None


def _values(path: Path, entries: Any, ids: set[str], version: str) -> dict[str, float]:
    if not isinstance(entries, dict):
        raise InputError(f'{path}: "results" is {_shown(entries)}; write {{"id": number, ...}}')
    numbers = {}
    for id_, value in entries.items():
        if id_ not in ids:
            raise InputError(
                f"{path}: {_shown(id_)} is no id of the vectors {VERSION} (the file says {version})"
            )
        if value is not None:
            numbers[id_] = _number(path, id_, value)
    return numbers


def _number(path: Path, id_: str, value: Any) -> float:
    place = f"{path}: results[{_shown(id_)}]"
    if value == "nan":
        return math.nan
    if not isinstance(value, float) or not math.isfinite(value):  # as NaN, Infinity and 1e999
        raise InputError(
            f"{place} is {_shown(value)}; write a finite number of 64 bits without quotes, or the "
            'text "nan" where there is no score'
        )
    return value


def _claims(path: Path, names: Any, measures: Sequence[str]) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f'{path}: "claims" is {_shown(names)}; write a list of measures')
    for name in names:
        if name not in measures:
            raise InputError(
                f'{path}: "claims" has {_shown(name)}, of which there are no vectors; there are '
                f"vectors of {', '.join(measures)}"
            )
    return tuple(dict.fromkeys(names))


def _shown(value: Any) -> str:
    """What was given, as a message quotes it."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:
        text = repr(value)
    return text if len(text) <= _MOST_PROGRAM else f"{text[:_MOST_PROGRAM]}..."
