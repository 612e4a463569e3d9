"""Ids in a CSV file that people open in a spreadsheet: written so that each can be read back."""

from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping

LONGEST = 32_000  # letters of a cell; a spreadsheet has room for few more


def written(identifier: str) -> str:
    """An id as a cell that is not a formula; InputError if it could not be read back.

    >>> written("d7"), written("=d7"), read("'=d7")
    ('d7', "'=d7", '=d7')
    """
    cell = str(escaping.csv(identifier))
    if read(cell) != identifier:
        raise InputError(
            f"id {identifier!r} can't be stored in a spreadsheet and read back; write it without "
            "control characters, and without an apostrophe before a formula"
        )
    return cell


def read(cell: str) -> str:
    """The id in a cell, without the apostrophe that keeps it from being a formula."""
    bare = cell.removeprefix("'")
    return bare if bare != cell and escaping.csv(bare) == cell else cell


def text(given: str) -> str:
    """A text as a cell: one line, not a formula, cut to the length that a spreadsheet can hold."""
    line = " ".join(given.split())
    return str(escaping.csv(line if len(line) <= LONGEST else line[:LONGEST] + " ..."))
