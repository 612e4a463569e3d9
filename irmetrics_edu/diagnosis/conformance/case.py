"""A test vector: an input, its conventions, the exact value, and its purpose."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

Number = Fraction | Decimal
# Conventions that every file states for all its cases; a case says it where it has another.
OF_RANKINGS: Mapping[str, str] = {
    "ties": "given",
    "scores": "float64",
    "unjudged": "no_gain",
    "negative": "refuse",
    "pool": "judged",
    "unretrieved": "absent",
    "duplicates": "refuse",
}
OF_SCORES: Mapping[str, str] = {"negative": "refuse"}
OF_NUGGETS: Mapping[str, str] = {"ties": "given", "unjudged": "no_gain"}
OF_DISTANCES: Mapping[str, str] = {"distance": "cosine"}
OF_GAINS_OF_NUGGETS: Mapping[str, str] = {**OF_NUGGETS, "gamma": "1"}
NOTHING: Mapping[str, str] = {}
OF_RUNS: Mapping[str, str] = {
    **OF_RANKINGS, "missing_queries": "zero", "unjudged_queries": "ignore", "no_relevant": "zero",
}  # fmt: skip
MEAN, GEOMETRIC_MEAN = "mean", "geometric_mean"  # over the queries of a run
PROBABILITIES = "probabilities of nuggets"  # a topic: no library takes them
NO_RUN = ("lists of all users", "two orders")  # topics: not asked
_DIGITS = 40  # enough to round a fraction right to seventeen
_NEEDED = ("recall", "collection", "length", "users")  # which have no default


@dataclass(frozen=True)
class Case:
    """One test vector. `value` is exact, or printed in a document and exact to its digits."""

    id: str
    input: str
    metric: str
    k: int | None
    given: Mapping[str, Any]  # the input, as JSON has it
    conventions: Mapping[str, Any]
    value: Number
    why: str
    printed: str = ""
    aggregate: str = ""  # over the queries of a run
    topic: str = ""  # what of the reading of the input it is about
    departs: bool = False  # from the metric's definition, in its own conventions
    reading: Mapping[str, str] = field(default_factory=lambda: OF_RANKINGS)

    @property
    def measure(self) -> str:
        """The metric with its required options, without the cut-off."""
        said = [f"{n}={v}" for n, v in self.conventions.items() if n in _NEEDED]
        return f"{self.metric}({','.join(said)})" if said else self.metric

    @property
    def number(self) -> float:
        """The value as a float."""
        return float(self.value)

    @property
    def ranking(self) -> Any:
        """The ranking: a list, or scores by document; for a run, by query."""
        return next(self.given[n] for n in
                    ("ranking", "scores", "recommended", "run", "lists")
                    if n in self.given)  # fmt: skip

    @property
    def judged(self) -> Any:
        """The judgments: grades, nuggets or relevant items, by query for a run; or an order."""
        names = ("judgments", "nuggets", "relevant", "qrels", "other", "catalogue")
        named = (n for n in names if n in self.given)
        return next((self.given[n] for n in named), None)

    @property
    def beside(self) -> dict[str, Any]:
        """Further inputs, such as the categories or the embeddings of items."""
        names = ("categories", "embeddings", "popularity", "exposure", "expected", "gamma")
        return {n: self.given[n] for n in names if n in self.given}

    def as_dict(self) -> dict[str, Any]:
        """The case as JSON has it."""
        found: dict[str, Any] = {"id": self.id, "input": self.input, "k": self.k}
        if self.aggregate:
            found["aggregate"] = self.aggregate
        found |= {"conventions": dict(self.conventions), "value": written(self.value)}
        if self.printed:
            found["printed"] = self.printed
        return found


def named(
    input_: str, metric: str, k: int | None, conventions: Mapping[str, Any], aggregate: str = ""
) -> str:
    """The id of a case."""
    at = "" if k is None else f"@{k}"
    said = ",".join(str(v) for v in conventions.values())
    return f"{input_}/{aggregate and aggregate + '-'}{metric}{at}/{said}"


def written(number: Number) -> dict[str, Any]:
    """A fraction where the value is one, and always a decimal of 17 significant digits."""
    if isinstance(number, Decimal) and number.is_nan():
        return {"decimal": "nan"}
    if isinstance(number, Decimal):
        return {"decimal": f"{number:.16e}"}
    with localcontext() as context:
        context.prec = _DIGITS
        decimal = Decimal(number.numerator) / Decimal(number.denominator)
    return {
        "decimal": f"{decimal:.16e}",
        "fraction": f"{number.numerator}/{number.denominator}",
    }
