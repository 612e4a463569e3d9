"""Formulas in LaTeX: templates whose macros stand for conventions and the cut-off."""

import re
from collections.abc import Mapping
from typing import Any

from irmetrics_edu.conventions import Convention

GREEK = {"alpha", "beta", "gamma", "epsilon", "tau", "theta"}
# Options that a formula names by a symbol of the field, not by their own name.
SYMBOLS = {"n_categories": r"|\mathcal{C}|"}


def fill(template: str, params: Mapping[str, Any], k: int | None) -> str:
    """A formula with its macros replaced: conventions by their LaTeX, k by the cut-off."""

    def replace(match: re.Match[str]) -> str:
        macro, argument = match[1], match[2]
        if macro == "k":
            return "k" if k is None else str(k)
        for name, value in params.items():
            if name.replace("_", "") == macro and isinstance(value, Convention):
                # A convention's own LaTeX may hold the cut-off, as in min(k, R), or a parameter.
                plain = {n: v for n, v in params.items() if not isinstance(v, Convention)}
                return fill(value.latex.replace("#1", argument or ""), plain, k)
            if name.replace("_", "") == macro and macro not in GREEK:
                plain_name = name.replace("_", r"\_")
                return SYMBOLS.get(name, rf"\mathit{{{plain_name}}}")
        return match[0]

    def apart(match: re.Match[str]) -> str:
        """The replacement, with a blank where a letter would run on from the macro before it."""
        new = replace(match)
        runs_on = new[:1].isalpha() and re.search(r"\\[A-Za-z]+$", template[: match.start()])
        return f" {new}" if runs_on else new

    return re.sub(r"\\([A-Za-z]+)(?:\{([^{}]*)\})?", apart, template)
