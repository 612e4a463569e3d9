"""CSV files as spreadsheets save them: in which encoding, and with what between the fields."""

import codecs
import csv
import io
from collections.abc import Iterable
from pathlib import Path

from irmetrics_edu.classroom.marking.owner_names import folded, normal
from irmetrics_edu.errors import InputError


def table(path: Path, names: Iterable[str] = ()) -> list[list[str]]:
    """The lines of a CSV file, as spreadsheets save it: with commas, semicolons or tabs.

    It is in UTF-8, or in UTF-16 if it begins with its mark. It may be in Windows' own encoding if
    one of the `names` can be read in it, which are those that it may hold.
    """
    return split(path, names)[0]


def split(path: Path, names: Iterable[str] = ()) -> tuple[list[list[str]], str]:
    """The lines of a CSV file, and what separates the fields."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is not there"
        raise InputError(f"{path} {what}; name a CSV file, saved as CSV UTF-8")
    text = _decoded(path, names)
    head = text.split("\n", 1)[0]
    if head.lower().startswith("sep="):
        raise InputError(f"{path}, line 1: {head.strip()!r} is no column; delete this line")
    mark = max(",;\t", key=head.count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=mark)), mark
    except csv.Error as error:
        raise InputError(f"{path}: it is no CSV: {error}") from None


def _decoded(path: Path, names: Iterable[str]) -> str:
    """The text of a file; InputError with the line if its encoding is not known."""
    data = path.read_bytes()
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    coding = "utf-16" if wide else "utf-8-sig"
    try:
        text = data.decode(coding)
        if (at := text.find("\0")) < 0:
            return text
        before, what = text[:at], "a zero byte is no text"
    except UnicodeDecodeError as error:
        text = data.decode("cp1252", "replace")
        if not wide and any(not n.isascii() and n in text for n in map(normal, names)):
            return text
        before = data[: error.start].decode(coding, "ignore")
        what = f"byte {error.start} is not {'UTF-16' if wide else 'UTF-8'}"
    line = before.count("\n") + 1
    raise InputError(f"{path}, line {line}: {what}; save it as CSV UTF-8")


def misread(name: str, names: Iterable[str]) -> str:
    """What to do about an unknown name that is a known one, opened in another encoding.

    >>> misread("M\u00c3\u00bcller", ["Müller"])
    "; it is 'Müller', opened in the wrong encoding: open the table as UTF-8, and correct the names"
    """
    try:
        meant = normal(name.encode("cp1252").decode())
    except UnicodeError:
        return ""
    if meant == name or folded(meant) not in map(folded, names):
        return ""
    remedy = "open the table as UTF-8, and correct the names"
    return f"; it is {meant!r}, opened in the wrong encoding: {remedy}"
