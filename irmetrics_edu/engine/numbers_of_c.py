"""Numbers as trec_eval's C reads them, where they are no plain decimals."""

import re
import sys

import numpy as np

from irmetrics_edu.engine.text import Text
from irmetrics_edu.numbers import Array

# What C takes for a number from its first character to its last, besides finite decimals.
_C = re.compile(
    r"[+-]?(?:(?P<infinite>inf(?:inity)?)|(?P<nan>nan(?:\([0-9a-z_]*\))?)"
    r"|(?P<hexadecimal>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)",
    re.IGNORECASE | re.ASCII,
)
_GREATEST = sys.float_info.max


def scores_of_c(text: Text, value: Array, good: Array) -> dict[str, Array]:
    """Read the scores that C reads and we don't, in place; which they are, by kind.

    An infinite score becomes the greatest (or the least) double, so that it ranks above (or below)
    all others. nan becomes the least: C's comparisons with nan are always false, so trec_eval's
    order then depends on how the machine's library sorts.
    """
    kinds: dict[str, list[int]] = {}
    for i in np.flatnonzero(~good).tolist():
        word = text[i]
        written = _C.fullmatch(word)
        if written is None:
            continue
        kind = written.lastgroup or "infinite"
        sign = -1.0 if word[0] == "-" else 1.0
        if kind == "hexadecimal":
            try:
                value[i] = float.fromhex(word)
            except OverflowError:
                kind = "infinite"
        else:
            value[i] = float(word.partition("(")[0])
            kind = "long" if np.isfinite(value[i]) else kind
        if kind == "infinite":
            value[i] = sign * _GREATEST
        elif kind == "nan":
            value[i] = -_GREATEST
        good[i] = True
        kinds.setdefault(kind, []).append(i)
    kinds.pop("long", None)  # a decimal like others, of very many digits
    return {kind: np.array(which, dtype=np.intp) for kind, which in kinds.items()}


def grades_of_c(text: Text, value: Array, good: Array) -> dict[str, Array]:
    """Read the whole number that each grade begins with, in place; which grades were cut."""
    cut = []
    for i in np.flatnonzero(good & (text.length > 1)).tolist():
        digits = _WHOLE.match(text[i])[0]  # type: ignore[index]  # it may match nothing
        whole = float(digits) if digits.strip("+-") else 0.0
        if whole != value[i]:
            value[i] = whole
            cut.append(i)
    return {"cut": np.array(cut, dtype=np.intp)} if cut else {}


_WHOLE = re.compile(r"[+-]?[0-9]*")
