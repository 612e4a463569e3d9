"""Libraries as bundles of conventions: what "the nDCG of trec_eval" means, said value by value.

A bundle settles what measures leave open for a whole run: the order of ties, the worth of a
negative grade, the precision of scores, queries that are missing or have nothing relevant, and,
metric by metric, options. What a measure says itself, as in nDCG(gain=exp), comes first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import numpy as np

from irmetrics_edu.conventions import (
    AS_GIVEN,
    AS_UNJUDGED,
    BY_ID,
    COUNTED,
    FLOAT32,
    FLOAT64,
    IGNORED,
    LEFT_OUT,
    NO_GAIN,
    REFUSED,
    Convention,
    MissingQueries,
    Negative,
    NoRelevant,
    Scores,
    Ties,
    Unjudged,
    UnjudgedQueries,
)
from irmetrics_edu.definition import Metric
from irmetrics_edu.errors import InputError


@dataclass(frozen=True)
class Bundle:
    """The conventions of a library, by which a whole run is evaluated.

    `options` holds, for a metric's name, the options under which the library computes it. Every
    field that is a convention may be given by name: `TREC_EVAL.using(missing_queries="skip")`.
    """

    name: str
    meaning: str = ""
    source: str = ""
    ties: Ties = AS_GIVEN
    negative: Negative = REFUSED
    unjudged: Unjudged = NO_GAIN
    scores: Scores = FLOAT64
    missing_queries: MissingQueries = COUNTED
    unjudged_queries: UnjudgedQueries = IGNORED
    no_relevant: NoRelevant | None = None
    floor: float = 0.0  # of the geometric mean
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def using(self, **changes: Any) -> Self:
        """The bundle with other conventions, given as values or by name."""
        known = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, value in changes.items():
            if name not in known:
                raise InputError(f"conventions have no {name!r}; they have {', '.join(known)}")
            default = NoRelevant if name == "no_relevant" else type(known[name])
            if issubclass(default, Convention) and value is not None:
                changes[name] = default.named(value)
        return replace(self, **changes)

    def settle(self, metric: Metric) -> Metric:
        """The metric under these conventions; what it says itself comes first."""
        options = dict(self.options.get(metric.name, {}))
        if self.no_relevant is not None and "no_relevant" in metric.defaults:
            options.setdefault("no_relevant", self.no_relevant)
        options = {name: v for name, v in options.items() if name not in metric.params}
        return metric.using(**options) if options else metric

    def kept(self, scores: Any) -> Any:
        """An array of scores as precisely as the library keeps them."""
        return self.scores(np.asarray(scores, dtype=np.float64))

    def __str__(self) -> str:
        return self.name

    def facts(self) -> dict[str, str]:
        """The conventions by name, for tables."""
        return {
            f.name: str(value)
            for f in fields(self)
            if isinstance(value := getattr(self, f.name), Convention)
        }


OURS = Bundle(
    "irmetrics_edu",
    "ties stand as given, a negative grade is refused, a missing query scores 0",
)
TREC_EVAL = Bundle(
    "trec_eval",
    "as `trec_eval -c`: ties by document id, the larger first; scores with 24 bits; a negative "
    "grade counts as not judged; a judged query that is missing scores 0",
    source="trec_eval 9, https://github.com/usnistgov/trec_eval",
    ties=BY_ID,
    negative=AS_UNJUDGED,
    scores=FLOAT32,
    floor=1e-5,
    options={
        "interpolated-AP": {"interpolation": "trec_eval"},
        "IPrec": {"interpolation": "trec_eval"},
    },
)
PYTREC_EVAL = replace(
    TREC_EVAL,
    name="pytrec_eval",
    meaning="as trec_eval without -c, and its Python binding: missing queries are left out",
    source="Van Gysel & de Rijke (2018), Pytrec_eval: an extremely fast Python interface to "
    "trec_eval, SIGIR",
    missing_queries=LEFT_OUT,
)

BUNDLES: dict[str, Bundle] = {b.name: b for b in (OURS, TREC_EVAL, PYTREC_EVAL)}


def bundle(value: Bundle | str) -> Bundle:
    """The bundle that `value` is or names.

    >>> bundle("trec_eval").ties.name
    'docid'
    """
    if isinstance(value, Bundle):
        return value
    named = BUNDLES.get(str(value).casefold().replace("-", "_"))
    if named is None:
        raise InputError(f"conventions={value!r} is not known; known are {', '.join(BUNDLES)}")
    return named
