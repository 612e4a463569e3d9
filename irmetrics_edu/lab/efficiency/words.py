"""A document as an engine takes it, and the words of a text."""

import re
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Document:
    """A document: its id (the qualified name of what it describes) and its text."""

    id: str
    text: str


def words(text: str) -> list[str]:
    """The words of a text, in lower case.

    >>> words("Return the_sum of X, 2 times.")
    ['return', 'the', 'sum', 'of', 'x', '2', 'times']
    """
    return _WORD.findall(text.lower())
