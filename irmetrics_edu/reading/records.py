"""Small tables that people write or a platform exports: CSV, row by row, each with its line.

Text that is read whole is decoded here, too: an error names the line and the byte that is no text.
"""

import codecs
import csv
import io
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
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
    path: str | PathLike[str],
    roles: Roles,
    optional: Roles,
    *,
    others: bool = True,
) -> list[Record]:
    """The rows of a CSV file; a header names the columns, each by one of the names of its role.

    Values are separated by commas, semicolons or tabs: the separator that splits the header into
    the most names of `roles`. Other columns are ignored, or refused if `others` is false. Blank
    lines are skipped. InputError names the file and the line.
    """
    file: File = files.as_file(path)
    text = text_of(file)
    lines = rows(text, str(file), _separator_of(first_line(text), roles))
    number, header = header_of(lines)
    if not header:
        raise InputError(f"{file}: the file is empty; expected a header: {', '.join(roles)}")
    where = f"{file}, line {number}"
    column_of = {role: column(header, names, role, where) for role, names in roles.items()}
    there = {name.strip().lower() for name in header}
    for role, names in optional.items():
        if there & set(names):
            column_of[role] = column(header, names, role, where)
    odd = [name for name in header if name not in column_of.values()]
    if odd and not others:
        known_roles = ", ".join([*roles, *optional])
        raise InputError(f"{where}: unknown column {odd[0]!r}; columns are {known_roles}")
    read_rows: list[Record] = []
    for line, row in named(lines, header, str(file)):
        values = {role: row[name] for role, name in column_of.items()}
        read_rows.append(Record(str(file), line, values))
    return read_rows


def _separator_of(head: str, roles: Roles) -> str:
    """What splits the header into the most names that are known."""
    column_names: set[str] = set()
    for names in roles.values():
        column_names.update(names)

    def names_by(separator: str) -> int:
        return len(column_names.intersection(_bare(name) for name in head.split(separator)))

    return max(SEPARATORS, key=names_by)


def _bare(name: str) -> str:
    return name.strip().strip('"').strip().lower()


def named(
    lines: Iterable[tuple[int, Sequence[str]]], header: Sequence[str], file: str
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows that are not blank, as values by the names of the header."""
    for line, row in lines:
        if any(row) and len(row) != len(header):
            raise InputError(
                f"{file}, line {line}: {len(row)} values; expected {len(header)}: "
                f"{', '.join(header)}; quote a value that holds the separator"
            )
        if any(row):
            yield line, dict(zip(header, row, strict=True))


@dataclass(frozen=True, slots=True)
class SpreadsheetTable:
    """A table as a spreadsheet saves it: its head, and the rows below that are not blank."""

    head: list[str]
    rows: list[tuple[int, list[str]]]


def table(path: Path, names: Iterable[str] = ()) -> SpreadsheetTable:
    """A CSV file as a spreadsheet or a platform saves it: with commas, semicolons or tabs.

    It is in UTF-8, or in UTF-16 if it begins with its mark. It may be in Windows' own encoding if
    one of the `names` can be read in it, which are those that it may hold.
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is not there"
        raise InputError(f"{path} {what}; name a CSV file, saved as CSV UTF-8")
    text = _text_of_table(path, names)
    head = first_line(text)
    if head.lower().startswith("sep="):
        raise InputError(f"{path}, line 1: {head.strip()!r} is no column; delete this line")
    separator = max(SEPARATORS, key=head.count)
    lines = rows(text, str(path), separator, strict=False)
    _, first = header_of(lines)
    below = [(line, row) for line, row in lines if any(cell.strip() for cell in row)]
    return SpreadsheetTable(first, below)


def _text_of_table(path: Path, names: Iterable[str]) -> str:
    """The text of a table; in Windows' own encoding if one of the names can be read in it."""
    raw = path.read_bytes()
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return decoded(raw, path, "save it as CSV UTF-8", wide=wide)
    except InputError:
        if wide:
            raise
        text = raw.decode("cp1252", "replace")
        for name in names:
            composed = unicodedata.normalize("NFC", name)
            if not composed.isascii() and composed in text:
                return text
        raise


def rows(
    text: str,
    file: str,
    separator: str,
    *,
    strict: bool = True,
    quoted: bool = True,
) -> Iterator[tuple[int, list[str]]]:
    """Each row of a text with the line on which it begins: a quoted value may go over several."""
    quoting: Any = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    lines = io.StringIO(text, newline="")
    reader: Any = csv.reader(
        lines,
        delimiter=separator,
        strict=strict,
        quoting=quoting,
    )
    line = 1
    try:
        for row in reader:
            yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{file}, line {line}: {error}; expected values separated by {SEPARATORS[separator]}"
        ) from None


def first_line(text: str) -> str:
    """The first line of a text that is not blank; "" if all are."""
    for line in io.StringIO(text):
        if line.strip():
            return line.rstrip("\r\n")
    return ""


def header_of(lines: Iterator[tuple[int, list[str]]]) -> tuple[int, list[str]]:
    """The first row that is not blank, with its line; no names if there is none."""
    for line, row in lines:
        if any(cell.strip() for cell in row):
            return line, row
    return 1, []


def objects(file: File) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with one in each line (JSONL), each with its line."""
    for number, line in enumerate(text_of(file).split("\n"), 1):
        if not line.strip():
            continue
        place = f"{file}, line {number}: "
        try:
            value = json.loads(line, object_pairs_hook=each_key_once)
        except KeyTwiceError as error:
            raise InputError(f"{place}{error}") from None
        except (ValueError, RecursionError) as error:
            why = getattr(error, "msg", "nested too deeply")
            raise InputError(f"{place}{why}; expected JSON") from None
        if not isinstance(value, dict):
            raise InputError(f"{place}a {type(value).__name__}; expected an object {{...}}")
        yield number, value


class KeyTwiceError(InputError):
    """A key that stands twice in one object of JSON: nobody can tell which of its values counts."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"{key!r} occurs twice in one object; give each id once")


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of JSON that these pairs make, as a hook of `json.loads`.

    Raises KeyTwiceError for a key that stands twice: by itself Python keeps the last value.

    >>> each_key_once([("a", 1), ("b", 2)])
    {'a': 1, 'b': 2}
    """
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise KeyTwiceError(key)
        made[key] = value
    return made


def text_of(file: File) -> str:
    """The text of a small file in UTF-8; InputError names the line and the byte that is not."""
    return decoded(files.contents(file), file)


def decoded(
    raw: bytes,
    where: object,
    remedy: str = "save it as UTF-8",
    *,
    wide: bool = False,
) -> str:
    r"""Bytes as text in UTF-8 (in UTF-16 if `wide`), without the mark of the encoding.

    >>> decoded(b"a\nb\xff", "notes.txt")
    Traceback (most recent call last):
    irmetrics_edu.errors.InputError: notes.txt, line 2: byte 3 is not UTF-8; save it as UTF-8
    """
    coding, name = ("utf-16", "UTF-16") if wide else ("utf-8", "UTF-8")
    raw = files.without_mark(raw)  # bytes are counted from what is text
    try:
        text = raw.decode(coding)
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode(coding, "ignore")
        what = f"byte {error.start} is not {name}"
    else:
        before, zero, _ = text.partition("\0")
        if not zero:
            return text
        what = "a zero byte is no text"
    line = before.count("\n") + 1
    raise InputError(f"{where}, line {line}: {what}; {remedy}")
