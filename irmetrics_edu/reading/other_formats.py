"""Files that are no run and no judgments of a format that is read: called by name, with a way.

A format is known by its first lines, and only by what no file of TREC has there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from re import Pattern

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.column_names import DOCUMENT
from irmetrics_edu.reading.files import File

_LOOKED_AT = 20  # lines; all of them have to be of the format


@dataclass(frozen=True)
class OtherFormat:
    """A format by what each of its lines matches, and the program that makes TREC lines of it."""

    name: str
    line: Pattern[bytes]
    awk: str


_FORMATS = (
    OtherFormat(
        name="ratings of MovieLens (user::item::rating::time)",
        line=re.compile(rb"[^\s:]+::[^\s:]+::[\d.]+(::\d+)?"),
        awk="awk -F:: '{print $1, 0, $2, $3}'",
    ),
    OtherFormat(
        name="ratings of MovieLens (user, item, rating and seconds since 1970)",
        line=re.compile(rb"\S+\t\S+\t\d(\.\d)?\t\d{9,10}"),
        awk="awk '{print $1, 0, $2, $3}'",
    ),
    OtherFormat(
        name="prels of the Million Query track (query, document, grade, method, probability)",
        line=re.compile(rb"\d+ \S+ -?\d [012] (0?\.\d+|1(\.0*)?|0)"),
        awk="awk '{print $1, 0, $2, $3}'",
    ),
)


def refuse_other_format(file: File, *, run: bool) -> None:
    """Refuse a file of text by the name of its format, if it is one that is not read."""
    head = file.head
    if head[257:262] == b"ustar":
        raise InputError(
            f"{file} is a tar archive, which may hold several files; unpack it first: "
            f"tar xf {file.path.name}"
        )
    lines = _first_lines(head)
    for one in _FORMATS:
        if not lines or not all(one.line.fullmatch(line) for line in lines):
            continue
        looks = f"{file}, line 1: these look like {one.name}"
        if run:
            raise InputError(
                f"{looks}: they are judgments, not a run; give documents with ranks or scores"
            )
        raise InputError(
            f"{looks}, which are no lines of TREC; write them as such: {one.awk} "
            f"{file.path.name} > qrels.txt"
        )


def refuse_lists_in_cells(file: File, separator: str) -> None:
    """Refuse a table of two columns whose second one holds a list of documents in each cell."""
    lines = _first_lines(file.head)
    cells = [line.decode(errors="replace").split(separator) for line in lines]
    if len(cells) < 2 or any(len(row) != 2 for row in cells):
        return
    names, *rows = cells
    if names[1].strip().lower() in DOCUMENT:  # then these are ids with blanks
        return
    if not all(len(row[1].strip('"').split()) > 1 for row in rows):
        return
    program = (
        f"awk -F'{separator}' "
        '\'NR>1 {gsub(/"/,""); n=split($2,d," "); for(i=1;i<=n;i++) '
        'print $1,"Q0",d[i],i,n-i,"run"}\''
    )
    raise InputError(
        f"{file}, line 1: column {names[1]!r} holds several documents in each cell; write a line "
        f"for each document: {program} {file.path.name} > run.txt"
    )


def _first_lines(head: bytes) -> Sequence[bytes]:
    """The first whole lines that are not blank."""
    lines = head.split(b"\n")
    if not head.endswith(b"\n") and len(lines) > 1:
        lines = lines[:-1]
    stripped = (line.strip(b"\r") for line in lines[: _LOOKED_AT + 1])
    return [line for line in stripped if line.strip()][:_LOOKED_AT]


_ESCI = {"E": "1", "S": "0.1", "C": "0.01", "I": "0"}  # Reddy et al. (2022), their gains of nDCG


def about_letters(grade: object) -> str:
    """What to write for a grade that is a letter of the shopping queries data set, else nothing.

    >>> about_letters("S")
    '; a letter of ESCI: write its gain, 0.1'
    """
    gain = _ESCI.get(str(grade))
    return "" if gain is None else f"; a letter of ESCI: write its gain, {gain}"
