"""The tokens of code that nobody trusts, the names in it, and its fingerprints.

The method is that of Schleimer, Wilkerson and Aiken (2003), Winnowing: hash every sequence of k
tokens, keep the least hash of each window. Names, numbers and layout do not count, so renaming
hides nothing.
"""

import hashlib
import keyword
import re
from collections.abc import Container, Iterable, Sequence

TOKENS = 12
WINDOW = 4
# The characters of a notebook's code that are read for its fingerprints.
LONGEST = 200_000
# Each alternative takes what it begins with for good, so that nothing is read twice: a text that
# is not closed goes on to the end of its line, or of the cell if it has three quotes.
_TOKEN = re.compile(
    r"""
    (?P<layout> [\s\\]++ | \#[^\n]*+ )
    | (?P<value>
        (?:[rRbBuUfF]{1,2}+)? (?:
            \"{3} (?: [^"\\] | \\. | "(?!"") )*+ (?:\"{3})?
            | '{3} (?: [^'\\] | \\. | '(?!'') )*+ (?:'{3})?
            | "(?: [^"\\\n] | \\. )*+ "?
            | '(?: [^'\\\n] | \\. )*+ '?
        )
        | \.?\d [\w.]*+
    )
    | (?P<name> \w++ )
    | (?P<sign> \*\*=? | //=? | <<=? | >>=? | [-+*/%@&|^=!<>:]= | -> | . )
    """,
    re.VERBOSE | re.DOTALL,
)


def tokens(cell: str) -> list[str]:
    """The tokens of a cell without names, values and layout, whatever the cell holds.

    Python's own tokenizer takes quadratic time for some texts, such as one of quotes and
    backslashes; this one reads each character once.
    """
    tokens_in_order: list[str] = []
    for match in _TOKEN.finditer(cell):
        kind = match.lastgroup
        text = match[0]
        if kind == "name":
            tokens_in_order.append(text if keyword.iskeyword(text) else "name")
        elif kind == "value":
            tokens_in_order.append("value")
        elif kind == "sign":
            tokens_in_order.append(text)
    return tokens_in_order


def names_in(cell: str) -> set[str]:
    """The names in a cell, without those in its comments and texts."""
    texts = (match[0] for match in _TOKEN.finditer(cell) if match.lastgroup == "name")
    return {text for text in texts if not keyword.iskeyword(text)}


def fingerprints(cells: Iterable[str], without: Iterable[int] = ()) -> tuple[int, ...]:
    """The fingerprints of code, sorted, without those of code that everybody was given.

    Of the first LONGEST characters of all cells together.
    """
    handed_out = set(without)
    traces: set[int] = set()
    left = LONGEST
    for cell in cells:
        hashes = _hashes(cell[:left])
        left -= len(cell[:left])
        windows = range(max(len(hashes) - WINDOW + 1, 1 if hashes else 0))
        traces |= {min(hashes[i : i + WINDOW]) for i in windows}
    return tuple(sorted(traces - handed_out))


def all_hashes(cells: Iterable[str]) -> set[int]:
    """Every hash of code, not only those that winnowing keeps: what is to be left away."""
    return {one for cell in cells for one in _hashes(cell)}


def lines_with(cell: str, traces: Container[int]) -> tuple[int, int] | None:
    r"""The first and the last line of a cell that have some of these traces; None if none has.

    >>> cell = "x = 1\ndef f(a):\n    return sum(a[i] / (i + 1) for i in range(len(a)))\ny = 2"
    >>> lines_with(cell, all_hashes(["return sum(b[j] / (j + 1) for j in range(len(b)))"]))
    (3, 3)
    """
    cell = cell[:LONGEST]
    placed = [match for match in _TOKEN.finditer(cell) if match.lastgroup != "layout"]
    begins = []
    ends = []
    for place, trace in enumerate(_hashes(cell)):
        if trace in traces:
            begins.append(placed[place].start())
            ends.append(placed[place + TOKENS - 1].end())
    if not begins:
        return None
    return cell.count("\n", 0, min(begins)) + 1, cell.count("\n", 0, max(ends)) + 1


def _hashes(cell: str) -> list[int]:
    words = tokens(cell)
    return [_hash(words[i : i + TOKENS]) for i in range(len(words) - TOKENS + 1)]


def _hash(words: Sequence[str]) -> int:
    digest = hashlib.blake2b("\0".join(words).encode("utf-8", "replace"), digest_size=6)
    return int.from_bytes(digest.digest(), "big")
