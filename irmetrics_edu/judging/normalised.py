"""Whether a passage holds a text, under a chosen normalisation."""

import re
import unicodedata
from collections.abc import Callable

from irmetrics_edu.errors import InputError

__tracebackhide__ = True  # pytest shows the line that called

_MARKS = re.compile(r"[^\w]+|_+")


def words(text: str) -> str:
    """Letters and digits alone, in one case, with one blank between words."""
    return _MARKS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def spaces(text: str) -> str:
    """The text with each run of white space as one blank."""
    return " ".join(text.split())


def exact(text: str) -> str:
    """The text as it is."""
    return text


NORMALISED = {"words": words, "spaces": spaces, "exact": exact}


def normaliser(normalise: str | Callable[[str], str]) -> Callable[[str], str]:
    """The function that normalises a text before it is searched."""
    if callable(normalise):
        return normalise
    if normalise not in NORMALISED:
        raise InputError(
            f"normalise={normalise!r} is not known; use one of {', '.join(NORMALISED)}, or a "
            "function from text to text"
        )
    return NORMALISED[normalise]


def holds(passage: str, expected: str, *, whole_words: bool) -> bool:
    """Whether a text contains another, both normalised.

    With `whole_words`, "start" does not contain "art". Scripts without upper and lower case
    (Chinese, Japanese, Thai) put no blanks between words, so there a text may be anywhere.

    >>> holds("a new start", "art", whole_words=True), holds("an art", "art", whole_words=True)
    (False, True)
    """
    if not whole_words:
        return expected in passage
    before = r"(?<!\w)" if _cased(expected[0]) else ""
    after = r"(?!\w)" if _cased(expected[-1]) else ""
    return re.search(f"{before}{re.escape(expected)}{after}", passage) is not None


def _cased(letter: str) -> bool:
    return letter.isdigit() or letter.lower() != letter.upper()
