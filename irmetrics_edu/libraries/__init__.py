"""Libraries as bundles of conventions: what "the nDCG of trec_eval" means, said value by value.

A bundle settles what measures leave open for a whole run: the order of ties, the worth of a
negative grade, the precision of scores, queries that are missing or have nothing relevant, and,
metric by metric, options. What a measure says itself, as in nDCG(gain=exp), comes first. The
bundles are data, a TOML file for each library beside this one.

Imports errors, conventions, metrics. Start with `bundle.py`.
"""

from typing import Any

from irmetrics_edu.libraries.bundle import Bundle, Quirk
from irmetrics_edu.libraries.files import BUNDLES, bundle

__all__ = ["BUNDLES", "OURS", "PYTREC_EVAL", "TREC_EVAL", "Bundle", "Quirk", "bundle"]

_CONSTANTS = {"OURS": "irmetrics_edu", "TREC_EVAL": "trec_eval", "PYTREC_EVAL": "pytrec_eval"}


def __getattr__(name: str) -> Any:
    if name in _CONSTANTS:
        return BUNDLES[_CONSTANTS[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
