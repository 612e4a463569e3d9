"""Two numbers of one measure on one input: what gives each, what differs, and on which queries."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.conventions import Convention
from irmetrics_edu.diagnosis.candidates import explain_value, search_of
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.result import Candidate, Diagnosis, FoundMistake, some_of
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.notation import measure
from irmetrics_edu.near_ties import TOLERANCE, in_order
from irmetrics_edu.views.formatting import aligned
from irmetrics_edu.views.result_table import Report

_SHOWN = 10


@dataclass(frozen=True, eq=False)
class Reconciliation(Report):
    """A reconciliation says what gives each of two numbers of a measure, and what differs.

    `diagnoses` are those of the two numbers. Of their explanations, `chosen` holds the pair with
    the fewest differences. `queries` holds those with two scores, the largest difference first.
    """

    measure: str
    diagnoses: tuple[Diagnosis, Diagnosis]
    chosen: tuple[Candidate | FoundMistake, Candidate | FoundMistake] | None
    differences: Sequence[str]
    queries: Sequence[tuple[Hashable, float, float]]
    equal: int  # queries with one score

    @property
    def explained(self) -> bool:
        """Whether both numbers are explained."""
        return self.chosen is not None

    def facts(self) -> dict[str, Any]:
        """In plain values, as JSON has them."""
        return {
            "measure": self.measure,
            "values": [d.target.text for d in self.diagnoses],
            "explained": self.explained,
            "by": None if self.chosen is None else [_said(one) for one in self.chosen],
            "differences": list(self.differences),
            "queries": [{"query": q, "scores": [one, other]} for q, one, other in self.queries],
            "equal_queries": self.equal,
            "diagnoses": [d.facts() for d in self.diagnoses],
        }

    @property
    def text(self) -> str:
        """Plain text."""
        one, other = (d.target.text for d in self.diagnoses)
        if self.chosen is None:
            return "\n\n".join(
                d.text if not d.explained else f"{d.target.text} {_said(d.explanations[0])}."
                for d in self.diagnoses
            )
        lines = [f"{self.measure}: {one} and {other}"]
        for d, by in zip(self.diagnoses, self.chosen, strict=True):
            lines.append(f"  {d.target.text}  {_said(by)}")
        if not self.differences:
            lines += ["", "One explanation gives both: they differ by rounding alone."]
            return "\n".join(lines)
        lines += ["", "What differs:", *(f"  {line}" for line in self.differences)]
        if len(self.queries) + self.equal > 1:
            lines += ["", *self._table(one, other)]
        if any(len(d.explanations) > 1 for d in self.diagnoses):
            lines += ["", "Other explanations differ in more: diagnose lists them."]
        return "\n".join(lines)

    def _table(self, one: str, other: str) -> list[str]:
        digits = max(d.target.digits for d in self.diagnoses)
        rows = [
            [str(q), f"{a:.{digits}f}", f"{b:.{digits}f}", f"{b - a:+.{digits}f}"]
            for q, a, b in self.queries[:_SHOWN]
        ]
        more = len(self.queries) - len(rows)
        table = [aligned(("query", one, other, "difference"), rows)]
        table += [f"... and {more} more"] if more else []
        return [*table, f"Equal scores: {self.equal} of {len(self.queries) + self.equal} queries."]

    def __str__(self) -> str:
        return self.text


def reconcile(
    metric: Any,
    *inputs: Any,
    values: Sequence[Any],
    unretrieved: Sequence[float] = (),
    conventions: Bundle | str | None = None,
    **beside: Any,
) -> Reconciliation:
    """A reconciliation explains two numbers of one measure on one input by what differs.

    The inputs are those of `diagnose`: a list of grades, a ranking and its judgments, or a run and
    its qrels. `values` are the two numbers, as text with all printed digits. Each is diagnosed, and
    of all pairs of explanations the one with the fewest differences is taken.

    Raises InputError for bad input, and for other than two values.

    >>> found = reconcile("nDCG@10", [3, 2, 3, 0, 1, 2], values=["0.961", "0.949"])
    >>> found.differences
    ['gain: linear (the grade itself) or exp (2 to the power of the grade, less 1)']
    """
    if isinstance(values, str) or len(values) != 2:
        raise InputError(f'values={values!r}: give two numbers, such as ["0.4217", "0.4390"]')
    search, given = search_of(measure(metric), inputs, unretrieved, conventions, beside)
    one, other = (explain_value(search, Target.of(value), given) for value in values)
    pairs = [
        (len(differences := _between(search, a, b)), i + j, a, b, differences)
        for i, a in enumerate(one.explanations)
        for j, b in enumerate(other.explanations)
    ]
    if not pairs:
        return Reconciliation(
            measure=search.chosen.name,
            diagnoses=(one, other),
            chosen=None,
            differences=(),
            queries=(),
            equal=0,
        )
    *_, a, b, differences = min(pairs, key=lambda pair: pair[:2])
    queries, equal = _apart(_scored(search, a), _scored(search, b))
    return Reconciliation(
        measure=search.chosen.name,
        diagnoses=(one, other),
        chosen=(a, b),
        differences=differences,
        queries=queries,
        equal=equal,
    )


def _between(search: Search, a: Candidate | FoundMistake, b: Candidate | FoundMistake) -> list[str]:
    """What differs between two explanations, in words."""
    settings = [by.setting if isinstance(by, Candidate) else search.switches.base for by in (a, b)]
    here, there = (
        {**s.values, **(dict(by.arguments) if isinstance(by, Candidate) else {})}
        for s, by in zip(settings, (a, b), strict=True)
    )
    names = dict.fromkeys([*here, *there])
    found = [
        f"{name}: {_value(here.get(name))} or {_value(there.get(name))}"
        for name in names
        if here.get(name) != there.get(name)
    ]
    wrong = [by.mistake.label if isinstance(by, FoundMistake) else "" for by in (a, b)]
    if wrong[0] != wrong[1]:
        found += [f"a mistake: {by.mistake.says}" for by in (a, b) if isinstance(by, FoundMistake)]
    return found


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, Convention):
        return f"{value} ({value.meaning})"
    return str(value)


def _scored(search: Search, by: Candidate | FoundMistake) -> SettingScores | None:
    if isinstance(by, FoundMistake):
        label, mean = by.mistake.label, by.score
        return next(s for m, s in search.mistakes() if (m.label, s.mean) == (label, mean))
    if "k" in by.arguments:
        return search.at_cutoff(by.setting, by.arguments["k"])
    return search.score(by.setting)


def _apart(
    one: SettingScores | None, other: SettingScores | None
) -> tuple[list[tuple[Hashable, float, float]], int]:
    """The queries whose scores differ, the largest difference first, and how many do not."""
    if one is None or other is None:
        return [], 0
    both = [
        (q, float(one.scores[i]), float(other.scores[other.place[q]]))
        for q, i in one.place.items()
        if q in other.place
    ]
    apart = [row for row in both if not np.isclose(*row[1:], 0, TOLERANCE, equal_nan=True)]
    return in_order(apart, lambda row: _distance(*row[1:])), len(both) - len(apart)


def _distance(one: float, other: float) -> float:
    return math.inf if math.isnan(one) or math.isnan(other) else abs(one - other)


def _said(by: Candidate | FoundMistake) -> str:
    if isinstance(by, FoundMistake):
        return f"by the mistake {by.mistake.label}: {by.mistake.says}"
    who = some_of(by.libraries)
    return f"with {by.written}{who}" if by.arguments else f"by our default{who}"
