"""Two numbers of one measure on one input: what gives each, what differs, and on which queries."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from irmetrics_edu.conventions import Convention
from irmetrics_edu.diagnosis.candidates import explain_value, search_of
from irmetrics_edu.diagnosis.printed import Printable, Target
from irmetrics_edu.diagnosis.result import Candidate, Diagnosis, FoundMistake, some_of
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure, measure
from irmetrics_edu.near_ties import TOLERANCE, in_order
from irmetrics_edu.views.formatting import aligned
from irmetrics_edu.views.result_table import Report

_SHOWN = 10
_Explanation = Candidate | FoundMistake


@dataclass(frozen=True, eq=False)
class Reconciliation(Report):
    """A reconciliation says what gives each of two numbers of a measure, and what differs.

    `diagnoses` are those of the two numbers. Of their explanations, `chosen` holds the pair with
    the fewest differences. `queries` holds those with two scores, the largest difference first.
    """

    measure: str
    diagnoses: tuple[Diagnosis, Diagnosis]
    chosen: tuple[_Explanation, _Explanation] | None
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
            return "\n\n".join(_alone(diagnosis) for diagnosis in self.diagnoses)
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
        digits = max(diagnosis.target.digits for diagnosis in self.diagnoses)
        rows: list[list[str]] = []
        for query, here, there in self.queries[:_SHOWN]:
            scores = [f"{here:.{digits}f}", f"{there:.{digits}f}"]
            rows.append([str(query), *scores, f"{there - here:+.{digits}f}"])
        lines = [aligned(("query", one, other, "difference"), rows)]
        more = len(self.queries) - len(rows)
        if more:
            lines.append(f"... and {more} more")
        lines.append(f"Equal scores: {self.equal} of {len(self.queries) + self.equal} queries.")
        return lines

    def __str__(self) -> str:
        return self.text


def _alone(diagnosis: Diagnosis) -> str:
    """What one number comes from, if the other is not explained."""
    if not diagnosis.explained:
        return diagnosis.text
    return f"{diagnosis.target.text} {_said(diagnosis.explanations[0])}."


def reconcile(
    metric: Measure | Metric | str,
    *inputs: Any,
    values: Sequence[Printable],
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
    search, read = search_of(
        measure(metric),
        inputs,
        unretrieved,
        conventions,
        beside,
    )
    one, other = (explain_value(search, Target.of(value), read) for value in values)
    chosen = _nearest_pair(search, one, other)
    if chosen is None:
        return Reconciliation(
            measure=search.chosen.name,
            diagnoses=(one, other),
            chosen=None,
            differences=(),
            queries=(),
            equal=0,
        )
    queries, equal = _apart(_scored(search, chosen[0]), _scored(search, chosen[1]))
    return Reconciliation(
        measure=search.chosen.name,
        diagnoses=(one, other),
        chosen=chosen,
        differences=_between(search, *chosen),
        queries=queries,
        equal=equal,
    )


def _nearest_pair(
    search: Search, one: Diagnosis, other: Diagnosis
) -> tuple[_Explanation, _Explanation] | None:
    """The explanations with the fewest differences; of several, those that are listed first."""
    pairs: list[tuple[tuple[int, int], _Explanation, _Explanation]] = []
    for i, here in enumerate(one.explanations):
        for j, there in enumerate(other.explanations):
            differences = _between(search, here, there)
            pairs.append(((len(differences), i + j), here, there))
    if not pairs:
        return None
    _, here, there = min(pairs, key=itemgetter(0))
    return here, there


def _between(
    search: Search,
    one: _Explanation,
    other: _Explanation,
) -> list[str]:
    """What differs between two explanations, in words."""
    here = _settings(search, one)
    there = _settings(search, other)
    differences: list[str] = []
    for name in dict.fromkeys([*here, *there]):
        if here.get(name) != there.get(name):
            words = f"{_value(here.get(name))} or {_value(there.get(name))}"
            differences.append(f"{name}: {words}")
    mistakes = [by.mistake for by in (one, other) if isinstance(by, FoundMistake)]
    same = len(mistakes) == 2 and mistakes[0].label == mistakes[1].label
    if not same:
        differences += [f"a mistake: {mistake.says}" for mistake in mistakes]
    return differences


def _settings(search: Search, by: _Explanation) -> dict[str, Any]:
    """All settings under an explanation."""
    if isinstance(by, Candidate):
        return {**by.setting.values, **by.arguments}
    return {**search.switches.base.values, **by.arguments}


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, Convention):
        return f"{value} ({value.meaning})"
    return str(value)


def _scored(search: Search, by: _Explanation) -> SettingScores | None:
    if isinstance(by, FoundMistake):
        mistakes = search.mistakes()
        if by.arguments:
            mistakes = search.mistakes_under(search.switches.base.changed(by.arguments))
        for mistake, scores in mistakes:
            if mistake.label == by.mistake.label and scores.mean == by.score:
                return scores
        return None
    if "k" in by.arguments:
        return search.at_cutoff(by.setting, by.arguments["k"])
    return search.score(by.setting)


def _apart(
    one: SettingScores | None, other: SettingScores | None
) -> tuple[list[tuple[Hashable, float, float]], int]:
    """The queries whose scores differ, the largest difference first, and how many do not."""
    if one is None or other is None:
        return [], 0
    apart: list[tuple[Hashable, float, float]] = []
    equal = 0
    for query, place in one.place.items():
        if query not in other.place:
            continue
        here = float(one.scores[place])
        there = float(other.scores[other.place[query]])
        if np.isclose(
            here,
            there,
            0,
            TOLERANCE,
            equal_nan=True,
        ):
            equal += 1
        else:
            apart.append((query, here, there))
    return in_order(apart, lambda row: _distance(row[1], row[2])), equal


def _distance(one: float, other: float) -> float:
    return math.inf if math.isnan(one) or math.isnan(other) else abs(one - other)


def _said(by: _Explanation) -> str:
    if isinstance(by, FoundMistake):
        return f"by the mistake {by.mistake.label}{by.under}: {by.mistake.says}"
    who = some_of(by.libraries)
    return f"with {by.written}{who}" if by.arguments else f"by our default{who}"
