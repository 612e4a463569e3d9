"""A library against the vectors: agrees, follows another convention, or follows none."""

import importlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.diagnosis.candidates import explain_value
from irmetrics_edu.diagnosis.conformance.adapters import Adapter, adapter_of
from irmetrics_edu.diagnosis.conformance.vectors import (
    GEOMETRIC_MEAN,
    NO_RUN,
    PROBABILITIES,
    VectorCase,
    cases,
)
from irmetrics_edu.diagnosis.printed import Printed, Target
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import OURS, Bundle
from irmetrics_edu.metrics.notation import measure

AGREES = "agrees"
FOLLOWS = "follows"
NONE = "none"
REFUSES = "refuses"
_MOST_SHOWN = 2  # conventions that all give the values
# A run as scores holds no document twice, and a library that is asked gets one list, not its end.
_NOT_RUN = ("duplicates", "unretrieved", PROBABILITIES, *NO_RUN)


@dataclass(frozen=True)
class VectorVerdict:
    """The verdict on one metric of a library at one cut-off, for inputs about a `topic`."""

    library: str
    measure: str
    topic: str
    verdict: str
    convention: str  # the arguments under which we agree, or why it refuses
    cases: int
    agreeing: int  # of the cases, under that convention, or as defined where none explains them
    example: str = ""  # the shortest case that is not as defined


def run_library(name: str | Adapter) -> list[VectorVerdict]:
    """Run an installed library against the vectors, metric by metric and topic by topic.

    Raises InputError for a library that is not known or not installed.
    """
    adapter = adapter_of(name) if isinstance(name, str) else name
    if why_not := adapter.why_not:
        raise InputError(why_not)
    try:
        importlib.import_module(adapter.module)
    except Exception as error:  # noqa: BLE001 -- whatever a library of somebody's may raise
        why = str(error).partition("\n")[0]
        raise InputError(f"{adapter.name} is installed and can't be imported: {why}") from None
    verdicts: list[VectorVerdict] = []
    for of_definition in _by_definition():
        verdict = judged(adapter, of_definition)
        if verdict is not None:
            verdicts.append(verdict)
    return verdicts


def _by_definition() -> list[list[VectorCase]]:
    """The cases under the conventions of the definition, grouped by metric and topic."""
    grouped: dict[tuple[str, int | None, str], dict[str, VectorCase]] = {}
    for case in cases():  # the first of an input has the reading that we take as the plain one
        if case.topic in _NOT_RUN or case.departs or case.aggregate == GEOMETRIC_MEAN:
            continue
        if not math.isnan(case.number):  # a refusal is no value that a library could give
            group = grouped.setdefault((case.measure, case.k, case.topic), {})
            group.setdefault(case.input, case)
    topics = list(dict.fromkeys(topic for _, _, topic in grouped))
    in_order = sorted(grouped, key=lambda group: topics.index(group[2]))
    return [list(grouped[group].values()) for group in in_order]


def judged(adapter: Adapter, group: Sequence[VectorCase]) -> VectorVerdict | None:
    """The verdict on cases of one metric; None if the library does not have it."""
    asked = CasesAsRun.of(group)
    about = _About(adapter, group, asked)
    try:
        scores = adapter.measure(
            group[0].measure,
            group[0].k,
            asked.run,
            asked.judged,
            asked.beside,
        )
    except ImportError as error:
        raise InputError(f"{adapter.name} is installed and can't be imported: {error}") from None
    except Exception as error:  # noqa: BLE001 -- so do libraries refuse an input, by any error
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        why = kind + str(error).partition("\n")[0]
        return about.verdict(REFUSES, why, len(group), agreeing=0)
    if not scores:
        return None
    of_mean = bool(group[0].aggregate)
    values = {"": _mean(scores)} if of_mean else dict(scores)
    wanted = {"": group[0].number} if of_mean else dict(asked.numbers)
    wrong = [q for q, value in values.items() if not _same(value, wanted[q], adapter.within)]
    agreeing = len(values) - len(wrong)
    if not wrong:
        return about.verdict(AGREES, "", len(values), agreeing=agreeing)
    convention = about.followed(values[""] if of_mean else values)
    if convention:
        return about.verdict(FOLLOWS, convention, len(values), agreeing=len(values))
    example = about.shortest(wrong, values, wanted)
    return about.verdict(NONE, "", len(values), agreeing=agreeing, example=example)


@dataclass(frozen=True)
class _About:
    """What a verdict is about: a library, cases of one metric, and these as a run."""

    adapter: Adapter
    found: Sequence[VectorCase]
    asked: "CasesAsRun"

    @property
    def name(self) -> str:
        """The metric with its cut-off."""
        first = self.found[0]
        return first.measure if first.k is None else f"{first.measure}@{first.k}"

    def verdict(
        self,
        kind: str,
        convention: str,
        count: int,
        *,
        agreeing: int,
        example: str = "",
    ) -> VectorVerdict:
        """The verdict with what it is about."""
        return VectorVerdict(
            library=self.adapter.name,
            measure=self.name,
            topic=self.found[0].topic,
            verdict=kind,
            convention=convention,
            cases=count,
            agreeing=agreeing,
            example=example,
        )

    def followed(self, values: float | Mapping[str, float]) -> str:
        """The simplest conventions that give all values; "" if none do."""
        asked = self.asked
        search = Search(
            measure(self.name),
            asked.run,
            asked.judged or None,
            readable(),
            asked.beside,
        )
        candidates = explain_value(search, Target.of(values, self.adapter.within)).candidates
        if not candidates:
            return ""
        fewest = len(candidates[0].arguments)
        simplest = [c.written for c in candidates if len(c.arguments) <= fewest]
        return " or ".join(simplest[:_MOST_SHOWN])

    def shortest(
        self,
        wrong: Sequence[str],
        values: Mapping[str, float],
        wanted: Mapping[str, float],
    ) -> str:
        """The shortest case with another value, in words."""
        cases = {query: self.found[int(query or 1) - 1] for query in wrong}
        query = min(wrong, key=lambda q: len(cases[q].ranking))
        case = cases[query]
        both = f"{values[query]:.4f}, not {wanted[query]:.4f}"
        return f"ranking {case.ranking}, judgments {case.judged}: {both}"


def readable() -> Bundle:
    """Our conventions without refusals, since a refusal gives no value to compare."""
    ours: Bundle = OURS
    return ours.using(negative="zero")


@dataclass(frozen=True)
class CasesAsRun:
    """Cases as one run, its judgments, and the values expected; queries are numbered."""

    run: dict[str, Any]
    judged: dict[str, Any]  # empty where nothing is judged
    beside: Mapping[str, Any]
    numbers: Mapping[str, float]

    @classmethod
    def of(cls, group: Sequence[VectorCase]) -> "CasesAsRun":
        """The queries of the cases, numbered, as gdeval wants them."""
        first = group[0]
        if first.aggregate:
            of_queries = {query: _scored(ranking) for query, ranking in first.ranking.items()}
            return cls(of_queries, dict(first.judged), {}, {})
        of_items = "recommended" in first.given
        run: dict[str, Any] = {}
        judged: dict[str, Any] = {}
        numbers: dict[str, float] = {}
        for number, case in enumerate(group, 1):
            query = str(number)
            run[query] = case.ranking if of_items else _scored(case.ranking)
            if case.judged is not None:
                judged[query] = case.judged
            numbers[query] = case.number
        return cls(run, judged, first.beside, numbers)  # all lists are of the same items


def _scored(ranking: Any) -> dict[str, float]:
    """Documents with falling scores, no two alike, unless scores are given."""
    if isinstance(ranking, Mapping):
        return dict(ranking)
    return {d: float(len(ranking) - i) for i, d in enumerate(ranking)}


def _mean(scores: Mapping[str, float]) -> float:
    """The queries for which the library gives a number."""
    numbers = [score for score in scores.values() if not math.isnan(score)]
    return sum(numbers) / len(numbers) if numbers else math.nan


def _same(theirs: float, ours: float, within: float) -> bool:
    return Printed.of(ours, within).fits(theirs)
