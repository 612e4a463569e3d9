"""Small tables that people write: CSV with a header, row by row, each with its line."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files
from irmetrics_edu.reading.column_names import column
from irmetrics_edu.reading.files import File

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}  # as spreadsheets write them


@dataclass(frozen=True, slots=True)
class Record:
    """One row: its values by the role of their column, and the line on which it begins."""

    file: str
    line: int
    values: Mapping[str, str]

    @property
    def place(self) -> str:
        """Where the row is, as an error begins: "pins.csv, line 3: "."""
        return f"{self.file}, line {self.line}: "

    def __getitem__(self, role: str) -> str:
        return self.values.get(role, "")

    def id(self, role: str) -> str:
        """An id; one that is empty or has blanks around it is refused."""
        value = self[role]
        if not value or value != value.strip():
            what = f"{value!r} has blanks around it; trim it" if value.strip() else "it is empty"
            raise InputError(f"{self.place}{role}: {what}")
        return value


Roles = Mapping[str, Sequence[str]]


def records(
    path: str | PathLike[str], roles: Roles, optional: Roles, *, others: bool = True
) -> list[Record]:
    """The rows of a CSV file; a header names the columns, each by one of the names of its role.

    Values are separated by commas, semicolons or tabs: the separator that splits the header into
    the most names of `roles`. Other columns are ignored, or refused if `others` is false. Blank
    lines are skipped. InputError names the file and the line.
    """
    file: File = files.as_file(path)
    try:
        text = files.contents(file).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{file}, line {line}: it is not text in UTF-8; save it as UTF-8"
        ) from None
    head = text.partition("\n")[0]
    known = {name for names in roles.values() for name in names}
    separator = max(SEPARATORS, key=lambda s: len(known & {_bare(name) for name in head.split(s)}))
    rows = _rows(text, separator, str(file))
    _, header = next(rows, (1, []))
    if not any(header):
        raise InputError(f"{file}: the file is empty; expected a header: {', '.join(roles)}")
    where = f"{file}, line 1"
    places = {role: column(header, names, role, where) for role, names in roles.items()}
    there = {name.strip().lower() for name in header}
    for role, names in optional.items():
        if there & set(names):
            places[role] = column(header, names, role, where)
    _refuse_others(header, set(places.values()), [*roles, *optional], where, others=others)
    return [
        Record(str(file), line, _by_role(row, header, places, f"{file}, line {line}: "))
        for line, row in rows
        if any(row)
    ]


def _bare(name: str) -> str:
    return name.strip().strip('"').strip().lower()


def _refuse_others(
    header: Sequence[str], known: set[str], roles: Sequence[str], where: str, *, others: bool
) -> None:
    odd = [name for name in header if name not in known]
    if odd and not others:
        raise InputError(f"{where}: unknown column {odd[0]!r}; columns are {', '.join(roles)}")


def _by_role(
    row: Sequence[str], header: Sequence[str], places: Mapping[str, str], place: str
) -> dict[str, str]:
    if len(row) != len(header):
        raise InputError(
            f"{place}{len(row)} values; expected {len(header)}: {', '.join(header)}; quote a value "
            "that holds the separator"
        )
    by_name = dict(zip(header, row, strict=True))
    return {role: by_name[name] for role, name in places.items()}


def _rows(text: str, separator: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line on which it begins: a quoted value may go over several."""
    rows: Any = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for row in rows:
            yield line, row
            line = rows.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{file}, line {line}: {error}; expected values separated by {SEPARATORS[separator]}"
        ) from None
