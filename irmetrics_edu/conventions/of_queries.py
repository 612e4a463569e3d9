"""What a query counts: without relevant documents, on one side only, or in a mean."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu.conventions.convention import Convention, kind
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array


def _take_value(worth: Any) -> None:
    """Take the number of a convention from its function; one without either is an error."""
    if worth.value is not None:
        return
    if worth.function is None:
        raise InputError(f"{type(worth).__name__} {worth.name!r} has no number; give value=0.5")
    object.__setattr__(worth, "value", float(worth.function()))


@kind
@dataclass(frozen=True, slots=True)
class NoRelevant(Convention):
    """The score of a query without relevant documents."""

    value: float = field(default=None, compare=False)  # type: ignore[assignment]  # then by function
    left_out: bool = False  # whether such a query is no part of the mean

    def __post_init__(self) -> None:
        """Have a number."""
        _take_value(self)


ZERO = NoRelevant.known("zero", value=0.0)
ONE = NoRelevant.known("one", value=1.0)
UNDEFINED = NoRelevant.known("nan", value=np.nan)
SKIPPED = NoRelevant.known("skip", value=np.nan, left_out=True)


@kind
class MissingQueries(Convention):
    """The score of a judged query that the run does not have."""

    closed = True


COUNTED = MissingQueries.known("zero")
LEFT_OUT = MissingQueries.known("skip")
FORBIDDEN = MissingQueries.known("refuse")


@kind
class UnjudgedQueries(Convention):
    """The score of a query of the run that has no judgments."""

    closed = True


NOT_EXPECTED = UnjudgedQueries.known("refuse")
IGNORED = UnjudgedQueries.known("ignore")
NOT_JUDGED_ZERO = UnjudgedQueries.known("zero")
NAMED_ZERO = UnjudgedQueries.known("named_zero")


@kind
@dataclass(frozen=True, slots=True)
class Averaging(Convention):
    """How the shares of many queries become one number."""

    by_impressions: bool = False  # whether queries weigh by the documents scored for them


def _apart(hits: Array, divisor: Array) -> tuple[Any, Any]:
    rest = divisor - hits
    of_hits, of_rest = (c[c > 0].mean() if (c > 0).any() else 0.0 for c in (hits, rest))
    return of_hits, of_hits + of_rest


MACRO = Averaging.known("macro")
MICRO = Averaging.known("micro", lambda hits, divisor: (hits.sum(), divisor.sum()))
BY_IMPRESSIONS = Averaging.known("impressions", by_impressions=True)
APART = Averaging.known("hits_and_misses", _apart)


@kind
@dataclass(frozen=True, slots=True)
class Undefined(Convention):
    """The score of a list for which the metric is not defined."""

    value: float = field(default=None, compare=False)  # type: ignore[assignment]  # then by function
    refused: bool = False  # whether such a list is an error
    left_out: bool = False  # whether such a list is no part of the mean

    def __post_init__(self) -> None:
        """Have a number."""
        _take_value(self)


UNDEFINED_REFUSED = Undefined.known("refuse", value=np.nan, refused=True)
UNDEFINED_ZERO = Undefined.known("zero", value=0.0)
UNDEFINED_ONE = Undefined.known("one", value=1.0)
UNDEFINED_HALF = Undefined.known("half", value=0.5)
UNDEFINED_NAN = Undefined.known("nan", value=np.nan)
UNDEFINED_SKIPPED = Undefined.known("skip", value=np.nan, left_out=True)
