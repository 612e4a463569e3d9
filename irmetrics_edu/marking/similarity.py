"""Hints that two submissions hold similar code: fingerprints of winnowed token sequences.

The method is that of Schleimer, Wilkerson and Aiken (2003), Winnowing: hash every sequence of k
tokens, keep the least hash of each window. Names, numbers and layout do not count, so renaming
hides nothing; what was handed out, what the solution has, and what much of the class has is left
away. What is left is a hint to look, never a finding: short answers look alike by themselves.
"""

import hashlib
import keyword
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

TOKENS, WINDOW = 12, 4
LONGEST = 200_000
# Shared by more than this part of the class: the way to write it, not a trace.
COMMON, FEWEST = 0.1, 3
LEAST_SHARED, LEAST_PART = 5, 0.5
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


@dataclass(frozen=True)
class Alike:
    """Two students whose code has more in common than the class: how much of the shorter one."""

    exercise: str
    first: str
    second: str
    shared: int
    part: float


def tokens(cell: str) -> list[str]:
    """The tokens of a cell without names, values and layout, whatever the cell holds.

    Python's own tokenizer takes quadratic time for some texts, such as one of quotes and
    backslashes; this one reads each character once.
    """
    found: list[str] = []
    for match in _TOKEN.finditer(cell):
        kind, text = match.lastgroup, match[0]
        if kind == "name":
            found.append(text if keyword.iskeyword(text) else "name")
        elif kind == "value":
            found.append("value")
        elif kind == "sign":
            found.append(text)
    return found


def names_in(cell: str) -> set[str]:
    """The names in a cell, without those in its comments and texts."""
    found = (match[0] for match in _TOKEN.finditer(cell) if match.lastgroup == "name")
    return {text for text in found if not keyword.iskeyword(text)}


def fingerprints(cells: Iterable[str], without: Iterable[int] = ()) -> tuple[int, ...]:
    """The fingerprints of code, sorted, without those of code that everybody was given.

    Of the first LONGEST characters of all cells together.
    """
    known = set(without)
    found: set[int] = set()
    left = LONGEST
    for cell in cells:
        words = tokens(cell[:left])
        left -= len(cell[:left])
        hashes = [_hash(words[i : i + TOKENS]) for i in range(len(words) - TOKENS + 1)]
        windows = range(max(len(hashes) - WINDOW + 1, 1 if hashes else 0))
        found |= {min(hashes[i : i + WINDOW]) for i in windows}
    return tuple(sorted(found - known))


def all_hashes(cells: Iterable[str]) -> set[int]:
    """Every hash of code, not only those that winnowing keeps: what is to be left away."""
    found: set[int] = set()
    for cell in cells:
        words = tokens(cell)
        found |= {_hash(words[i : i + TOKENS]) for i in range(len(words) - TOKENS + 1)}
    return found


def _hash(words: Sequence[str]) -> int:
    digest = hashlib.blake2b("\0".join(words).encode("utf-8", "replace"), digest_size=6)
    return int.from_bytes(digest.digest(), "big")


def alike(exercise: str, code: Mapping[str, Sequence[int]]) -> list[Alike]:
    """The pairs of students to look at, the most similar first."""
    counted = Counter(mark for marks in code.values() for mark in set(marks))
    most = max(FEWEST, int(COMMON * len(code)))
    rare = {who: {m for m in marks if counted[m] <= most} for who, marks in code.items()}
    holders: dict[int, list[str]] = defaultdict(list)
    for who in sorted(rare):
        for mark in rare[who]:
            holders[mark].append(who)
    shared = Counter(pair for found in holders.values() for pair in combinations(found, 2))
    pairs = [
        Alike(exercise, a, b, n, round(n / min(len(rare[a]), len(rare[b])), 3))
        for (a, b), n in shared.items()
        if n >= LEAST_SHARED
    ]
    return sorted(
        (p for p in pairs if p.part >= LEAST_PART),
        key=lambda p: (-p.part, -p.shared, p.first, p.second),
    )
