"""Checking a program's results: what passes, what fails, and what it follows instead.

results + cases -> groups of one measure, cut-off and convention -> those that fail are diagnosed
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.conventions import Convention
from irmetrics_edu.diagnosis.candidates import explain_value
from irmetrics_edu.diagnosis.conformance.against_vectors import CasesAsRun, readable
from irmetrics_edu.diagnosis.conformance.results import Results
from irmetrics_edu.diagnosis.conformance.vectors import OF_RANKINGS, VectorCase
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.result import Diagnosis
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, MEAN, Measure, parse
from irmetrics_edu.rows.aligned_ranking import RANKED

WITHIN = 1e-6  # of a value up to 1, and by that share of a larger one
MOST_DIAGNOSED = 150  # groups of wrong values; the others are counted
_NO_CONVENTION = "no convention or known mistake gives these values"
_NO_SCORE = "gives a number where there is no score"
_OF_RUNS = ("missing_queries", "unjudged_queries")
_NOT_TRIED = "not diagnosed: too many groups fail"


@dataclass(frozen=True)
class Failure:
    """Cases of a measure under one set of conventions with failures, and the reason."""

    measure: str
    conventions: str  # those that are not of the definition
    cases: int
    failed: int
    instead: str
    example: VectorCase
    given: float | None  # None: missing, though the measure is claimed


@dataclass(frozen=True)
class Checked:
    """The verdict on a program's results, measure by measure."""

    results: Results
    cases: Sequence[VectorCase]
    within: float = WITHIN

    def passes(self, case: VectorCase) -> bool | None:
        """Whether the value of a case is right; None for a missing value that is not claimed."""
        value = self.results.values.get(case.id)
        if value is None:
            claimed = case.metric in self.results.claims
            return False if claimed else None
        return same(
            value,
            case.number,
            self.within,
        )

    @cached_property
    def measures(self) -> dict[str, tuple[int, int, int]]:
        """For each measure: cases, passed and failed."""
        counts: dict[str, tuple[int, int, int]] = {}
        for case in self.cases:
            passed = self.passes(case)
            every, right, wrong = counts.get(case.metric, (0, 0, 0))
            if passed is True:
                right += 1
            elif passed is False:
                wrong += 1
            counts[case.metric] = (every + 1, right, wrong)
        return counts

    @property
    def passed(self) -> int:
        """How many cases pass."""
        return sum(right for _, right, _ in self.measures.values())

    @property
    def failed(self) -> int:
        """How many cases fail."""
        return sum(wrong for _, _, wrong in self.measures.values())

    @cached_property
    def failures(self) -> list[Failure]:
        """The groups with failures, and what the program follows instead."""
        failures: list[Failure] = []
        unexplained: set[str] = set()  # on plain inputs; what a few others seem to follow is chance
        for number, cases in enumerate(self._wrong_groups()):
            first = cases[0]
            failure = self._failure(
                cases,
                try_it=number < MOST_DIAGNOSED,
                chance=bool(first.topic) and first.metric in unexplained,
            )
            failures.append(failure)
            if failure.instead == _NO_CONVENTION:
                unexplained.add(first.metric)
        return failures

    def _wrong_groups(self) -> list[list[VectorCase]]:
        """The groups with a failure; those of plain inputs come first."""
        groups: dict[tuple[Any, ...], list[VectorCase]] = {}
        for case in self.cases:
            group = _group(case)
            groups.setdefault(group, []).append(case)
        wrong = [cases for cases in groups.values() if self._failing(cases)]
        wrong.sort(key=lambda cases: bool(cases[0].topic))
        return wrong

    def _failing(self, cases: Sequence[VectorCase]) -> list[VectorCase]:
        return [case for case in cases if self.passes(case) is False]

    def _failure(
        self,
        cases: Sequence[VectorCase],
        *,
        try_it: bool,
        chance: bool,
    ) -> Failure:
        bad = self._failing(cases)
        first = bad[0]
        some_given = any(case.id in self.results.values for case in bad)
        if not some_given:
            instead = "missing, though the measure is claimed"
        elif not try_it:
            instead = _NOT_TRIED
        else:
            instead = self._reason(cases, bad, chance=chance)
        return Failure(
            measure=first.measure if first.k is None else f"{first.measure}@{first.k}",
            conventions=_said(first),
            cases=len(cases),
            failed=len(bad),
            instead=instead,
            example=first,
            given=self.results.values.get(first.id),
        )

    def _reason(
        self,
        cases: Sequence[VectorCase],
        bad: Sequence[VectorCase],
        *,
        chance: bool,
    ) -> str:
        """What the program does instead, or that nothing known gives its values."""
        if not chance:
            computed = [case for case in cases if case.id in self.results.values]
            reason = self._bound(bad) or self._instead(computed)
            if reason:
                return reason
        beyond = all(math.isnan(case.number) for case in bad)
        return _NO_SCORE if beyond else _NO_CONVENTION

    def _bound(self, bad: Sequence[VectorCase]) -> str:
        """The bound that the program sets to its values, if that explains all wrong ones."""
        above_1 = all(case.number > 1 for case in bad)
        if above_1 and self._all_give(1, bad):
            return "gives 1 where the value is above 1"
        below_0 = all(case.number < 0 for case in bad)
        if below_0 and self._all_give(0, bad):
            return "gives 0 where the value is below 0"
        return ""

    def _all_give(self, bound: float, cases: Sequence[VectorCase]) -> bool:
        """Whether the program gives this one value for all of the cases."""
        for case in cases:
            value = self.results.values.get(case.id, math.nan)
            if not same(value, bound, self.within):
                return False
        return True

    def _instead(self, cases: Sequence[VectorCase]) -> str:
        """The convention or the mistake that gives all values of a group, if there is one."""
        diagnosis = self._diagnosed(cases)
        if diagnosis is None:
            return ""
        told = [candidate for candidate in diagnosis.candidates if candidate.arguments]
        if told:
            fewest = min(len(candidate.arguments) for candidate in told)
            shortest = [one for one in told[:2] if len(one.arguments) == fewest]
            written = [candidate.written for candidate in shortest]
            return f"follows {' or '.join(written)}"
        evidence = diagnosis.evidence
        by_chance = evidence is not None and evidence.is_weak
        if diagnosis.mistakes and not by_chance:
            fitting = diagnosis.mistakes[0]
            label = f"{fitting.mistake.label}{fitting.under}"
            return f"makes the mistake {label}: {fitting.mistake.says}"
        return ""

    def _diagnosed(self, cases: Sequence[VectorCase]) -> Diagnosis | None:
        """The diagnosis of the values of a group; None for an input that the search can't take."""
        asked = CasesAsRun.of(cases)
        values: dict[str, float] = {}
        for number, case in enumerate(cases, 1):  # the queries of a group, which is one run
            query = "" if case.aggregate else str(number)
            values[query] = self.results.values[case.id]
        measure, by = _as_said(cases[0])
        try:
            search = Search(
                measure,
                asked.run,
                asked.judged or None,
                by,
                asked.beside,
            )
            number_or_numbers = values[""] if cases[0].aggregate else values
            target = Target.of(number_or_numbers, self.within)
            return explain_value(search, target)
        except (InputError, TypeError, KeyError):
            return None


def check(results: Results, cases: Sequence[VectorCase], within: float = WITHIN) -> Checked:
    """The verdict on a program's results."""
    checks.between("tolerance", within, 0, 1, open_low=True, open_high=True)
    return Checked(results, cases, within)


def same(value: float, right: float, within: float = WITHIN) -> bool:
    """Whether a value is the right one.

    >>> same(0.98341, 0.983406, 1e-5), same(0.9834, 1.0), same(float("nan"), float("nan"))
    (True, False, True)
    """
    value_none = math.isnan(value)
    right_none = math.isnan(right)
    if value_none or right_none:
        return value_none and right_none
    scale = max(1.0, abs(right))
    return abs(value - right) <= within * scale


def _group(case: VectorCase) -> tuple[Any, ...]:
    """Cases that differ only in their input; a case of a run is a group of its own."""
    settings = tuple((name, str(value)) for name, value in case.conventions.items())
    alone = case.id if case.aggregate else ""
    return (
        case.metric,
        case.k,
        case.aggregate,
        case.topic,
        settings,
        alone,
    )


def _said(case: VectorCase) -> str:
    """How a case differs from the definition: its conventions and its topic."""
    definition = parse(case.metric)
    usual = {**definition.defaults, **case.reading}
    differences: list[str] = []
    for name, value in case.conventions.items():
        if str(usual.get(name)) != str(value):
            differences.append(f"{name}={value}")
    if case.topic:
        differences.append(f"inputs about {case.topic}")
    return ", ".join(differences) or "the definition"


def _as_said(case: VectorCase) -> tuple[Measure, Any]:
    """The measure and the conventions of a case, as the search takes them."""
    metric = parse(case.metric)
    metric_options: dict[str, Any] = {}
    of_run: dict[str, Any] = {}
    by = readable()
    for name, value in {**case.reading, **case.conventions}.items():
        refused = (name, value) == ("negative", "refuse")
        if name == "floor":
            of_run[name] = float(value)
        elif name in _OF_RUNS or (case.aggregate and name == "no_relevant"):
            of_run[name] = value
        elif name in OF_RANKINGS and metric.inputs is RANKED:
            of_run[name] = by.negative if refused else value
        elif name in metric.defaults:
            metric_options[name] = _of_metric(metric, name, value)
    cut = metric.using(**metric_options)
    if case.k is not None:
        cut = cut @ case.k
    how = GEOMETRIC_MEAN if case.aggregate == "geometric_mean" else MEAN
    measure = Measure(repr(cut), cut, how)
    bundle = replace(by.using(**of_run), options={})
    return measure, bundle


def _of_metric(metric: Metric, name: str, value: Any) -> Any:
    """The value of a metric's own option: a convention by its name, or a number."""
    named = isinstance(metric.defaults[name], Convention)
    return value if named else _number(value)


def _number(value: Any) -> Any:
    try:
        number = float(value)
    except ValueError:
        return value
    whole = int(number)
    return whole if number == whole else number
