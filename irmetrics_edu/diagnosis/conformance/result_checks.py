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
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, MEAN, Measure, parse
from irmetrics_edu.rows.aligned_ranking import RANKED

WITHIN = 1e-6  # of a value up to 1, and by that share of a larger one
_MOST_DIAGNOSED = 300  # groups; the others are counted
_NO_CONVENTION = "no convention or known mistake gives these values"
_NO_SCORE = "gives a number where there is no score"
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
        if case.id not in self.results.values:
            return False if case.metric in self.results.claims else None
        return same(self.results.values[case.id], case.number, self.within)

    @cached_property
    def measures(self) -> dict[str, tuple[int, int, int]]:
        """For each measure: cases, passed and failed."""
        counts: dict[str, tuple[int, int, int]] = {}
        for case in self.cases:
            passed = self.passes(case)
            all_, right, wrong = counts.get(case.metric, (0, 0, 0))
            counts[case.metric] = (all_ + 1, right + (passed is True), wrong + (passed is False))
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
        groups: dict[tuple[Any, ...], list[VectorCase]] = {}
        for case in self.cases:
            groups.setdefault(_group(case), []).append(case)
        wrong = [cases for cases in groups.values() if any(self.passes(c) is False for c in cases)]
        failures: list[Failure] = []
        unexplained: set[str] = set()  # on plain inputs; what a few others seem to follow is chance
        for i, cases in enumerate(sorted(wrong, key=lambda cases: bool(cases[0].topic))):
            chance = bool(cases[0].topic) and cases[0].metric in unexplained
            failures.append(self._failure(cases, try_it=i < _MOST_DIAGNOSED, chance=chance))
            if failures[-1].instead == _NO_CONVENTION:
                unexplained.add(cases[0].metric)
        return failures

    def _failure(self, cases: Sequence[VectorCase], *, try_it: bool, chance: bool) -> Failure:
        bad = [case for case in cases if self.passes(case) is False]
        first = bad[0]
        computed = [case for case in cases if case.id in self.results.values]
        if not any(case.id in self.results.values for case in bad):
            instead = "missing, though the measure is claimed"
        elif not try_it:
            instead = _NOT_TRIED
        else:
            instead = "" if chance else self._bound(bad) or self._instead(computed)
            beyond = all(math.isnan(case.number) for case in bad)
            instead = instead or (_NO_SCORE if beyond else _NO_CONVENTION)
        return Failure(
            measure=first.measure if first.k is None else f"{first.measure}@{first.k}",
            conventions=_said(first),
            cases=len(cases),
            failed=len(bad),
            instead=instead,
            example=first,
            given=self.results.values.get(first.id),
        )

    def _bound(self, bad: Sequence[VectorCase]) -> str:
        """The bound that the program sets to its values, if that explains all wrong ones."""
        found = [(case.number, self.results.values.get(case.id, math.nan)) for case in bad]
        if all(right > 1 and same(given, 1, self.within) for right, given in found):
            return "gives 1 where the value is above 1"
        if all(right < 0 and same(given, 0, self.within) for right, given in found):
            return "gives 0 where the value is below 0"
        return ""

    def _instead(self, cases: Sequence[VectorCase]) -> str:
        """The convention or the mistake that gives all values of a group, if there is one."""
        asked = CasesAsRun.of(cases)
        numbered = enumerate(cases, 1)  # the queries of a group, which is one run
        values = {"" if c.aggregate else str(i): self.results.values[c.id] for i, c in numbered}
        measure, by = _as_said(cases[0])
        try:
            search = Search(measure, asked.run, asked.judged or None, by, asked.beside)
            target = Target.of(values[""] if cases[0].aggregate else values, self.within)
            found = explain_value(search, target)
        except (InputError, TypeError, KeyError):  # an input that the search doesn't know
            return ""
        told = [c for c in found.candidates if c.arguments]
        if told:
            fewest = min(len(c.arguments) for c in told)
            return "follows " + " or ".join(
                c.written for c in told[:2] if len(c.arguments) == fewest
            )
        if found.mistakes:
            mistake = found.mistakes[0].mistake
            return f"makes the mistake {mistake.label}: {mistake.says}"
        return ""


def check(results: Results, cases: Sequence[VectorCase], within: float = WITHIN) -> Checked:
    """The verdict on a program's results."""
    checks.between("tolerance", within, 0, 1, open_low=True, open_high=True)
    return Checked(results, cases, within)


def same(given: float, right: float, within: float = WITHIN) -> bool:
    """Whether a value is the right one.

    >>> same(0.98341, 0.983406, 1e-5), same(0.9834, 1.0), same(float("nan"), float("nan"))
    (True, False, True)
    """
    if math.isnan(given) or math.isnan(right):
        return math.isnan(given) and math.isnan(right)
    return abs(given - right) <= within * max(1.0, abs(right))


def _group(case: VectorCase) -> tuple[Any, ...]:
    """Cases that differ only in their input; a case of a run is a group of its own."""
    said = tuple((n, str(v)) for n, v in case.conventions.items())
    alone = case.id if case.aggregate else ""
    return case.metric, case.k, case.aggregate, case.topic, said, alone


def _said(case: VectorCase) -> str:
    """How a case differs from the definition: its conventions and its topic."""
    usual = {**parse(case.metric).defaults, **case.reading}
    said = [f"{n}={v}" for n, v in case.conventions.items() if str(usual.get(n)) != str(v)]
    said += [f"inputs about {case.topic}"] * bool(case.topic)
    return ", ".join(said) or "the definition"


def _as_said(case: VectorCase) -> tuple[Measure, Any]:
    """The measure and the conventions of a case, as the search takes them."""
    said = {**case.reading, **case.conventions}
    metric = parse(case.metric)
    own: dict[str, Any] = {}
    of_run: dict[str, Any] = {}
    by = readable()
    of_runs = ("missing_queries", "unjudged_queries", "floor")
    for name, value in said.items():
        if name in of_runs or (case.aggregate and name == "no_relevant"):
            of_run[name] = float(value) if name == "floor" else value
        elif name in OF_RANKINGS and metric.inputs is RANKED:
            of_run[name] = by.negative if (name, value) == ("negative", "refuse") else value
        elif name in metric.defaults:
            own[name] = value if isinstance(metric.defaults[name], Convention) else _number(value)
    cut = metric.using(**own)
    cut = cut if case.k is None else cut @ case.k
    how = GEOMETRIC_MEAN if case.aggregate == "geometric_mean" else MEAN
    return Measure(repr(cut), cut, how), replace(by.using(**of_run), options={})


def _number(value: Any) -> Any:
    try:
        number = float(value)
    except ValueError:
        return value
    return int(number) if number == int(number) else number
