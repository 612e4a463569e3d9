"""One untrusted notebook: its code cells, or why it can't be read and what to do.

Nothing in the file is trusted. Locks, cell ids and the order of cells do not affect the marks; they
only give notes for the teacher.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from irmetrics_edu.views.language import LANGUAGES, noted, worded

# The bytes of a file, and the lists and objects in it: read into memory, they take half a GB.
LARGEST = 32 << 20
MOST_PARTS = 1_000_000
# Far more than any answer needs: what is more would hold up the grading of all others, and the
# notebooks of a class are in memory together.
MOST_CODE = 2_000_000
MOST_CELLS = 5_000
MOST_TEXT = 8_000_000
CLEAR = worded("Clear the outputs (Edit, Clear All Outputs), save, and hand it in again.")
NO_FILE = noted("it is a link or a device, not a file")
MOST_NOTES = 5
# Ends of lines, and the two that join letters or keep them apart in Persian, Hindi and others.
_KEPT = "\n\u200c\u200d"
AGAIN = worded("Save the notebook in Jupyter, and hand in the .ipynb file itself.")


class Unreadable(ValueError):  # noqa: N818 -- the message reads "Unreadable: ..."
    """A submission can't be read: the reason, and what to do; both can be said in any language."""

    def __init__(self, why: str, remedy: str = AGAIN) -> None:
        super().__init__(why)
        self.why = why
        self.remedy = remedy


@dataclass(frozen=True)
class Notebook:
    """The contents of a notebook file: ids and texts of its cells in order, and the copy's owner.

    `cells` are the texts of code cells, each in its place: "" stands in that of another cell.
    `runs` are the numbers of those that were run, in the order of their counts; empty if counts
    are lost.
    """

    cells: tuple[str, ...]
    ids: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    exercise: str = ""
    fingerprint: str = ""
    notes: tuple[str, ...] = ()
    runs: tuple[int, ...] = ()


def clean(text: Any, longest: int = 2_000) -> str:
    """Untrusted text in a form that every file and terminal can hold."""
    shown = ""
    for letter in str(text)[: longest + 1]:
        if letter == "\t":
            shown += "    "
        elif letter.isprintable() or letter in _KEPT:
            shown += letter
        else:
            shown += "�"
    if len(shown) <= longest:
        return shown
    return f"{shown[: longest - 4]} ..."


# The end of the call of `begin` in a copy, as JSON writes it.
_LANGUAGE = re.compile(rb"""(?:\\?["']){3}\s*,\s*language\s*=\s*\\?["']([a-z]{2})\\?["']\s*\)""")


def language_told(data: bytes) -> str:
    r"""The language of the copy that a broken file was; "" if nothing in it tells.

    >>> language_told(rb'"begin(\"\"\"QUJD\"\"\", language=\"ja\")"')
    'ja'
    """
    match = _LANGUAGE.search(data)
    code = match[1].decode() if match else ""
    return code if code in LANGUAGES else ""


# How browsers, mail and students call a notebook, too.
LIKE_NOTEBOOKS = (".ipynb.txt", ".ipynb.json", ".json", ".ipynb.ipynb")


def is_like_notebook(name: str) -> bool:
    """Whether a file may be a notebook, by its name.

    >>> is_like_notebook("a/Ex.IPYNB"), is_like_notebook("ex.ipynb.txt"), is_like_notebook("x.mp4")
    (True, True, False)
    """
    return name.lower().endswith((".ipynb", *LIKE_NOTEBOOKS))


def no_notebook(name: str) -> Unreadable:
    """Why a file of another kind is not read; its name says which kind it is."""
    end = PurePosixPath(name).suffix
    if not end:
        return Unreadable(worded("the file name ends in nothing, not in .ipynb"))
    why = worded("the file name ends in {end}, not in .ipynb", end=clean(end, 20))
    return Unreadable(why)


@dataclass(frozen=True)
class _BookCell:
    """A cell as it stands in the file; of a broken one all is empty."""

    kind: str = ""
    text: str = ""
    id: str = ""

    @property
    def code(self) -> str:
        """The text of a code cell; "" of any other."""
        return self.text if self.kind == "code" else ""


def parse(data: bytes) -> Notebook:
    """The notebook in a file's bytes; Unreadable if there is none."""
    book = _loaded(_decoded(data))
    cells, notes = _cells(book)
    _refuse_too_big(cells)
    if not any(cell.code.strip() for cell in cells):
        raise Unreadable(
            worded("the notebook has no code in it"),
            worded("Save the notebook with the answers in it, and hand it in again."),
        )
    metadata = book.get("metadata")
    course_metadata = metadata.get("irmetrics_edu") if isinstance(metadata, Mapping) else None
    if not isinstance(course_metadata, Mapping):
        course_metadata = {}
    return Notebook(
        cells=tuple(cell.code for cell in cells),
        ids=tuple(cell.id for cell in cells),
        texts=tuple(cell.text for cell in cells),
        exercise=clean(course_metadata.get("exercise") or "", 20),
        fingerprint=clean(course_metadata.get("copy") or "", 100),
        notes=tuple(notes),
        runs=_runs(book["cells"]),
    )


def _refuse_too_big(cells: Sequence[_BookCell]) -> None:
    """Unreadable if there is more than any answer needs."""
    code = sum(len(cell.code) for cell in cells)
    text = sum(len(cell.text) for cell in cells)
    remedy = worded("Delete what is no answer, such as pictures, save, and hand it in again.")
    bounds = [
        (noted("the notebook has {size} cells, and {most} are the most that is read"),
         len(cells), MOST_CELLS),
        (noted("the notebook has {size} characters of code, and {most} are the most that is read"),
         code, MOST_CODE),
        (noted("the notebook has {size} characters of text, and {most} are the most that is read"),
         text, MOST_TEXT),
    ]  # fmt: skip
    for template, size, most in bounds:
        _bounded(template, size, most, remedy)


def _runs(cells: Sequence[Any]) -> tuple[int, ...]:
    """The numbers of the cells that were run, in the order of their counts."""
    counted: dict[int, int] = {}
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        count = cell.get("execution_count")
        if type(count) is int:
            counted[number] = count
    if len(set(counted.values())) < len(counted):
        return ()  # of two sessions, or copied: they tell no order
    return tuple(sorted(counted, key=counted.__getitem__))


def _bounded(template: str, size: int, most: int, remedy: str = CLEAR) -> None:
    if size > most:
        why = worded(template, size=f"{size:,}", most=f"{most:,}")
        raise Unreadable(why, remedy)


def _decoded(data: bytes) -> str:
    bytes_in_words = noted("the file has {size} bytes, and {most} are the most that is read")
    _bounded(bytes_in_words, len(data), LARGEST)
    parts_in_words = noted(
        "the file has {size} lists and objects, and {most} are the most that is read"
    )
    _bounded(parts_in_words, data.count(b"[") + data.count(b"{"), MOST_PARTS)
    if not data.strip():
        raise Unreadable(
            worded("the file is empty"), worded("Hand it in again: the upload broke off.")
        )
    _refuse_other_kind(data)
    coding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(coding)
    except UnicodeDecodeError as error:
        why = worded(
            "it is not text in {coding}: byte {byte} can't be read",
            coding=coding,
            byte=error.start,
        )
        raise Unreadable(why) from None


_PAGES = (b"<!doctype", b"<html", b"%pdf")
_MERGE = re.compile(r"^<{7} ", re.MULTILINE)


def _refuse_other_kind(data: bytes) -> None:
    """Refuse what is handed in for a notebook by mistake, each with what to do."""
    if data.startswith(b"PK"):
        raise Unreadable(
            worded("it is a zip archive, not a notebook"),
            worded("Unpack it, and hand in the .ipynb."),
        )
    if data.lstrip()[:200].lower().startswith(_PAGES):
        raise Unreadable(worded("it is a page made of a notebook, not the notebook"))


NO_JSON = noted("it is not JSON: {error}, line {line}, column {column}")
CUT_OFF = noted(
    "it is not JSON: {error}, line {line}, column {column}; it breaks off, as a broken upload does"
)


def _loaded(text: str) -> dict[str, Any]:
    try:
        book = json.loads(text)
    except json.JSONDecodeError as error:
        if _MERGE.search(text):
            raise Unreadable(
                worded("it holds the marks of a merge that was not finished (<<<<<<<)"),
                worded("Finish the merge, and hand the notebook in again."),
            ) from None
        is_whole = text.rstrip().endswith("}")
        template = NO_JSON if is_whole else CUT_OFF
        why = worded(
            template,
            error=error.msg.removesuffix(" starting at"),
            line=error.lineno,
            column=error.colno,
        )
        raise Unreadable(why) from None
    except RecursionError:
        why = worded("its lists are nested deeper than those of any notebook")
        raise Unreadable(why, CLEAR) from None
    except ValueError:
        raise Unreadable(worded("it holds a number of thousands of digits"), CLEAR) from None
    if isinstance(book, dict) and "worksheets" in book and "cells" not in book:
        raise Unreadable(
            worded("it is a notebook of format 3, which IPython wrote until 2015"),
            worded(
                "Open it in Jupyter, save it, which makes format 4 of it, and hand it in again."
            ),
        )
    if not isinstance(book, dict) or "cells" not in book:
        raise Unreadable(worded("it is JSON, but has no cells: not a notebook"))
    return book


def _cells(book: Mapping[str, Any]) -> tuple[list[_BookCell], list[str]]:
    """The cells, and notes on those that are broken."""
    listed = book["cells"]
    if not isinstance(listed, list):
        raise Unreadable(worded("its cells are no list: not a notebook"))
    cells: list[_BookCell] = []
    notes: list[str] = []
    broken = 0
    for number, content in enumerate(listed, 1):
        cell = _cell(content)
        if cell is None:
            broken += 1
            if broken <= MOST_NOTES:
                notes.append(f"cell {number} is broken and was passed over")
        cells.append(cell or _BookCell())
    if broken > MOST_NOTES:
        notes.append(f"{broken - MOST_NOTES:,} more cells are broken and were passed over")
    return cells, notes


def _cell(content: Any) -> _BookCell | None:
    """A cell; None if it is broken."""
    if not isinstance(content, dict):
        return None
    text = content.get("source")
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        text = "".join(text)
    if not isinstance(text, str):
        return None
    kind = clean(content.get("cell_type"), 20)
    return _BookCell(kind, text, clean(content.get("id") or "", 100))
