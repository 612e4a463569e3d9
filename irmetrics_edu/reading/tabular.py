"""CSV and TSV with a header, and JSON."""

import csv
import io
import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading import decimals, files, frames
from irmetrics_edu.reading.columns import Columns, whole_queries
from irmetrics_edu.reading.problems import Problems
from irmetrics_edu.reading.text import Text

_BATCH = 1 << 16  # rows at a time


def of_csv(path: Path, problems: Problems, *, run: bool, separator: str) -> Iterator[Columns]:
    """Whole queries from a file of separated values with a header, some at a time."""
    return whole_queries(_parts(path, problems, separator, run=run))


def _parts(path: Path, problems: Problems, separator: str, *, run: bool) -> Iterator[Columns]:
    with files.opened(path) as stream:
        raw = io.BufferedReader(_Checked(stream, path))
        text = io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")
        rows = csv.reader(text, delimiter=separator, strict=True)
        line = 1
        try:
            header = next(rows, [])
            places = _places(header, str(path), run=run)
            while True:
                line = rows.line_num + 1
                batch = list(itertools.islice(rows, _BATCH))
                if not batch:
                    return
                yield _columns(batch, header, places, line, problems)
        except (csv.Error, UnicodeDecodeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{path}, line {max(line, rows.line_num)} or soon after: {error}; "
                f"expected text in UTF-8, values separated by {separator!r}"
            ) from None


class _Checked(io.RawIOBase):
    """A stream whose broken archives are told by their file."""

    def __init__(self, stream: Any, path: Path) -> None:
        self._stream, self._path = stream, path

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer."""
        raw = files.read(self._stream, len(buffer), self._path, 1)
        buffer[: len(raw)] = raw
        return len(raw)


def _places(header: Sequence[str], where: str, *, run: bool) -> tuple[int, int, int | None, bool]:
    """Where query, document and value stand, and whether the value counts ranks."""
    if not header:
        raise InputError(f"{where}: the file is empty; expected a header that names its columns")
    query = frames.column(header, frames.QUERY, "query", f"{where}, line 1")
    document = frames.column(header, frames.DOCUMENT, "document", f"{where}, line 1")
    value = frames.value_column(header, run=run)
    if value is None and not run:
        frames.column(header, frames.GRADE, "grade", f"{where}, line 1")
    place = None if value is None else header.index(value[0])
    return header.index(query), header.index(document), place, bool(value and value[1])


def _columns(
    batch: list[list[str]],
    header: Sequence[str],
    places: tuple[int, int, int | None, bool],
    first: int,
    problems: Problems,
) -> Columns:
    query, document, value, counts_ranks = places
    line = np.arange(first, first + len(batch))
    if set(map(len, batch)) != {len(header)}:
        fit = [len(row) == len(header) for row in batch]
        for row, fits, number in zip(batch, fit, line.tolist(), strict=True):
            if not fits and row:  # a blank line is no row
                problems.add(
                    number, ",".join(row), f"{len(row)} values; expected {len(header)}: {header}"
                )
        batch, line = list(itertools.compress(batch, fit)), line[np.array(fit)]
    by_column = list(zip(*batch, strict=True)) or [()] * len(header)
    good = np.ones(len(batch), dtype=bool)
    wanted = [(query, header[query]), (document, header[document])]
    texts = [_ids(by_column[place], name, line, good, problems) for place, name in wanted]
    numbers: Array | None = None
    if value is not None:
        column = Text.of(by_column[value])
        numbers, finite = decimals.numbers(column)
        for i in np.flatnonzero(~finite & good).tolist():
            problems.add(
                int(line[i]),
                ",".join(batch[i]),
                f"{header[value]} {column[i]!r} is not a finite number",
            )
        good &= finite
        numbers = -numbers if counts_ranks else numbers
    return frames.made(texts[0], texts[1], numbers, line, good)


def _ids(values: Sequence[str], name: str, line: Array, good: Array, problems: Problems) -> Text:
    text = Text.of(values)
    bare = list(map(str.strip, values))
    if bare != list(values) or not all(bare):
        for i, (given, trimmed) in enumerate(zip(values, bare, strict=True)):
            if (given != trimmed or not trimmed) and good[i]:
                wrong = "has blanks around it; trim it" if trimmed else "is no id"
                problems.add(int(line[i]), given, f"{name} {given!r} {wrong}")
                good[i] = False
    return text


def of_json(path: Path) -> dict[str, Any]:
    """The object of a JSON file: query -> document -> number, or query -> documents."""
    raw = files.contents(path)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: not text in UTF-8") from None
    try:
        value = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: {error.msg}; expected JSON") from None
    except RecursionError:
        raise InputError(f"{path}, line 1: nested too deeply; {_EXPECTED}") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    if not isinstance(value, dict):
        raise InputError(f"{path}, line 1: a {type(value).__name__}; {_EXPECTED}")
    return value


_EXPECTED = 'expected {"query": {"document": number}} or {"query": ["document", ...]}'


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        met: set[str] = set()
        twice = next(name for name, _ in pairs if name in met or met.add(name))  # type: ignore[func-returns-value]  # on purpose
        raise InputError(f"{twice!r} stands twice in one object; each id has one place")
    return made


def _no_number(name: str) -> Any:
    raise InputError(f"{name} is not a finite number")


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) < 300 else float(digits)
