"""Libraries as bundles of conventions: the meaning of "the nDCG of trec_eval", value by value.

A bundle makes the choices that measures leave open for a whole run: the order of ties, the worth of
a negative grade, the precision of scores, queries that are missing or have no relevant documents,
and the options of each metric. An option in a measure's name, as in nDCG(gain=exp), comes first.
The bundles are data: a TOML file for each library in this folder.

Start with `bundle.py`.
"""

from typing import Any

from irmetrics_edu.libraries.bundle import BUNDLES, Bundle, Met, Quirk, bundle

__all__ = ["BUNDLES", "OURS", "PYTREC_EVAL", "TREC_EVAL", "Bundle", "Met", "Quirk", "bundle"]

_CONSTANTS = {"OURS": "irmetrics_edu", "TREC_EVAL": "trec_eval", "PYTREC_EVAL": "pytrec_eval"}


def __getattr__(name: str) -> Any:
    if name in _CONSTANTS:
        return BUNDLES[_CONSTANTS[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
