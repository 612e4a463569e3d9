r"""Agreement of two judges or more: their labels, which of them are harsh, and their orders.

alpha = 1 - observed disagreement / expected disagreement           (Krippendorff)
kappa = (share of pairs of judges who agree - chance) / (1 - chance)    (Fleiss)

Of two judges: Cohen (1960), A coefficient of agreement for nominal scales, Educational and
Psychological Measurement 20. Weighted: Cohen (1968), Weighted kappa, Psychological Bulletin 70.
Agreement on one grade: Cicchetti and Feinstein (1990), High agreement but low kappa II, Journal of
Clinical Epidemiology 43. Overlap: Voorhees (2000), Variations in relevance judgments and the
measurement of retrieval effectiveness, Information Processing and Management 36.

All is counted in whole numbers; intervals are `bootstrap.py`'s.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.bootstrap import (
    Estimate,
    Part,
    Value,
    draws,
    estimate,
    estimates,
    in_order,
)
from irmetrics_edu.judging.labels import shown
from irmetrics_edu.near_ties import TOLERANCE, exceeds
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.evaluation import Evaluation, evaluate

_FEW = 30  # pairs
KINDS = ("nominal", "ordinal", "interval")

Pair = tuple[str, str]  # query and document
Grades = tuple[float | None, ...]  # a grade of each judge
PairWithGrades = tuple[Pair, Grades]
Qrels = dict[str, dict[str, float]]

MOST_CELLS = 14_000_000  # of a square table of grades for each pair


def disagreement(
    kind: str,
    grades: Sequence[float],
    uses: Sequence[int] = (),
) -> list[list[int]]:
    """The squared distance of each two grades, in some unit: nominal, ordinal or interval.

    It is 0 or 1 for nominal data, and the square of the difference for interval data. For ordinal
    data it is the square of how many uses lie between the two grades, with half of their own.

    >>> disagreement("interval", [0, 1, 3])[0], disagreement("ordinal", [0, 1, 3], [2, 1, 1])[0]
    ([0, 1, 9], [0, 9, 25])
    """
    if kind == "nominal":
        return [[int(one != other) for other in grades] for one in grades]
    places = _whole_places(grades) if kind == "interval" else _middles(uses)
    return [_squared_distances(place, places) for place in places]


def _squared_distances(place: int, places: Sequence[int]) -> list[int]:
    """The squared distance of one place to each."""
    return [(place - other) ** 2 for other in places]


def _whole_places(grades: Sequence[float]) -> list[int]:
    """The grades in a unit in which all are whole."""
    exact = [Fraction(grade) for grade in grades]
    unit = math.lcm(*(grade.denominator for grade in exact))
    return [int(grade * unit) for grade in exact]


def _middles(uses: Sequence[int]) -> list[int]:
    """Twice the middle of each grade's uses, from the lowest grade on."""
    places: list[int] = []
    below = 0
    for used in uses:
        places.append(2 * below + used)
        below += used
    return places


@dataclass(frozen=True)
class _Beside:
    """What a judge gave to a pair, and the mean grade of the others who judged it."""

    grade: Fraction
    others: Fraction

    @property
    def above(self) -> Fraction:
        """How far the judge is above the others."""
        return self.grade - self.others


_Lines = dict[int, _Beside]  # by the number of the pair


class ScoresUnderJudges(NamedTuple):
    """What runs score by the judgments of each judge.

    `means` has a line for each judge and a column for each run. `scores` are by query, judge and
    run; there are none of a single run.
    """

    means: list[list[float]]
    scores: Array


@dataclass(frozen=True)
class Severity:
    """How a judge grades beside the others, on the pairs that both judged.

    `above` is the judge's mean grade less that of the others, with its interval. A judge is lenient
    if the interval is above 0, and harsh if it is below.
    """

    pairs: int
    mean: Fraction
    others: Fraction
    above: Estimate

    @property
    def word(self) -> str:
        """Harsh or lenient; empty if it is open."""
        low = self.above.low
        high = self.above.high
        if low is None or high is None:
            return ""
        if low > 0:
            return "lenient"
        if high < 0:
            return "harsh"
        return ""


@dataclass(frozen=True)
class Agreement:
    """How far several judges agree on pairs of query and document: `Judges` without tables.

    `given` has a grade of each judge for each pair, and None where a judge gave none. Pairs that
    one judge alone judged are left out; `only` counts them for each judge. Raw agreement, Cohen's
    kappa, the table of grades and overlap are of two judges, and an InputError for more. They are
    exact ratios; kappa is None where it is undefined.
    """

    names: tuple[str, ...]
    pairs: tuple[Pair, ...]
    given: tuple[Grades, ...]
    only: tuple[int, ...] = ()

    @cached_property
    def grades(self) -> list[float]:
        """The grades that occur, from low to high."""
        occurring: set[float] = set()
        for line in self.given:
            occurring.update(grade for grade in line if grade is not None)
        return sorted(occurring)

    @property
    def _both(self) -> tuple[tuple[Any, Any], ...]:
        """The two grades of each pair."""
        if len(self.names) > 2:
            raise InputError(
                f"{', '.join(self.names)}: this is of two sources; for more, coefficients has "
                "Krippendorff's alpha and Fleiss' kappa"
            )
        return tuple((first, second) for first, second in self.given)

    @cached_property
    def table(self) -> list[list[int]]:
        """The number of pairs by grade of the first source (row) and of the second (column)."""
        counts = [[0] * len(self.grades) for _ in self.grades]
        for first, second in self._both:
            row = self.grades.index(first)
            column = self.grades.index(second)
            counts[row][column] += 1
        return counts

    @property
    def raw(self) -> Fraction:
        """Raw agreement is the share of pairs to which both sources gave the same grade, 0 to 1."""
        agreed = 0
        for first, second in self._both:
            agreed += first == second
        pairs = len(self.given)
        return Fraction(agreed, pairs)

    @property
    def kappa(self) -> Fraction | None:
        """Cohen's kappa is the agreement beyond chance, as a share of what there could be.

        It is (raw - chance) / (1 - chance), at most 1, and 0 where the sources agree as often as
        they would by chance. None if both gave one same grade to all pairs: chance is 1 then.
        """
        return _beyond_chance(self.table, disagreement("nominal", self.grades))

    @property
    def weighted_kappa(self) -> Fraction | None:
        """Quadratic weighted kappa counts a disagreement by the square of the grades' distance.

        It is 1 - observed / expected, of sums of these squares. None as for `kappa`.
        """
        return _beyond_chance(self.table, disagreement("interval", self.grades))

    @property
    def by_grade(self) -> dict[float, Fraction]:
        """Specific agreement on a grade is twice the pairs that both gave it, over all uses of it.

        For the relevant grade of two this is positive agreement; it lies between 0 and 1.
        """
        shares: dict[float, Fraction] = {}
        for place, grade in enumerate(self.grades):
            row = self.table[place]
            by_both = row[place]
            column = [line[place] for line in self.table]
            uses = sum(row) + sum(column)
            shares[grade] = Fraction(2 * by_both, uses)
        return shares

    def overlap(self, rel: float = 1) -> Fraction | None:
        """Overlap is the share of the documents that both call relevant among those either does.

        It lies between 0 and 1, and is the mean over the queries for which either source gave a
        grade of `rel` or more. None if there is no such query.

        >>> pairs = (("q", "d1"), ("q", "d2"))
        >>> Agreement(("Ann", "Ben"), pairs, ((2, 1), (1, 0))).overlap()
        Fraction(1, 2)
        """
        by_either: Counter[str] = Counter()
        by_both: Counter[str] = Counter()
        for (query, _), grades in zip(self.pairs, self._both, strict=True):
            if max(grades) >= rel:
                by_either[query] += 1
            if min(grades) >= rel:
                by_both[query] += 1
        if not by_either:
            return None
        total = Fraction(0)
        for query, relevant in by_either.items():
            total += Fraction(by_both[query], relevant)
        return total / len(by_either)

    @cached_property
    def _uses(self) -> Array:
        """How often each pair (line) got each grade (column)."""
        pairs = len(self.given)
        uses = np.zeros((pairs, len(self.grades)), dtype=np.int64)
        for number, line in enumerate(self.given):
            uses[number] = [line.count(grade) for grade in self.grades]
        return uses

    @property
    def coefficients(self) -> dict[str, Estimate]:
        """Krippendorff's alpha (nominal, ordinal, interval) and Fleiss' kappa, by name.

        Krippendorff's alpha is 1 less the disagreement observed, over that expected by chance. Any
        number of judges may have judged a pair, and `disagreement` says how far grades are apart.
        Fleiss' kappa is the agreement of pairs of judges beyond chance, as a share of what there
        could be, over the pairs that all judged. Both are at most 1, and 0 where judges agree as
        often as by chance. None if all grades are the same, or if nothing is judged by all.

        Sources: Krippendorff (2011), Computing Krippendorff's alpha-reliability, University of
        Pennsylvania, Departmental Papers (ASC) 43; Fleiss (1971), Measuring nominal scale agreement
        among many raters, Psychological Bulletin 76(5).
        """
        names = [name for name in self._estimates if isinstance(name, str)]
        return {name: self._estimates[name] for name in names}

    @cached_property
    def severities(self) -> dict[str, Severity]:
        """How each judge grades beside the others."""
        severities: dict[str, Severity] = {}
        for number, (name, lines) in enumerate(self._beside.items()):
            grades_of_judge = Fraction(0)
            others = Fraction(0)
            for line in lines.values():
                grades_of_judge += line.grade
                others += line.others
            pairs = len(lines)
            severities[name] = Severity(
                pairs=pairs,
                mean=grades_of_judge / pairs,
                others=others / pairs,
                above=self._estimates[number],
            )
        return severities

    @cached_property
    def _estimates(self) -> dict[str | int, Estimate]:
        """The coefficients, and by each judge's number how far the judge is above the others."""
        self._refuse_many_grades()
        parts: dict[str | int, Part] = {}
        if len(self.names) == 2:
            parts.update(self._of_two())
        for kind in KINDS:
            parts[f"Krippendorff's alpha, {kind}"] = self._alpha(kind)
        parts["Fleiss' kappa"] = self._fleiss()
        for number, lines in enumerate(self._beside.values()):
            parts[number] = self._above(lines)
        return estimates(parts, self._by_grades)

    def _refuse_many_grades(self) -> None:
        """InputError if the tables of the grades of all pairs would be too large."""
        pairs = len(self.given)
        most = math.isqrt(MOST_CELLS // pairs)
        if len(self.grades) > most:
            raise InputError(
                f"{pairs:,} pairs got {len(self.grades):,} different grades; for so many pairs the "
                f"agreement is of at most {most:,}: round the grades to a scale"
            )

    @property
    def _by_grades(self) -> Array:
        """The places of the pairs in the order of the grades that they got."""
        lines = [[-math.inf if grade is None else grade for grade in line] for line in self.given]
        order: Array = np.lexsort(np.array(lines, dtype=np.float64).T)
        return order

    def _of_two(self) -> dict[str, Part]:
        """What is of two judges, by a column for each cell of the table of their grades."""
        size = len(self.grades)
        cells: list[int] = []
        for first, second in self._both:
            row = self.grades.index(first)
            column = self.grades.index(second)
            cells.append(row * size + column)
        counts: Array = np.zeros((len(cells), size * size), dtype=np.int64)
        counts[np.arange(len(cells)), cells] = 1

        def raw(sums: list[int]) -> Value:
            same = sums[:: size + 1]
            return Fraction(sum(same), sum(sums))

        def beyond_chance(kind: str) -> Part:
            apart = disagreement(kind, self.grades)

            def value(sums: list[int]) -> Value:
                table = _in_rows(sums, size)
                return _beyond_chance(table, apart)

            return counts, value

        return {
            "raw agreement": (counts, raw),
            "Cohen's kappa": beyond_chance("nominal"),
            "weighted kappa, quadratic": beyond_chance("interval"),
        }

    def _alpha(self, kind: str) -> Part:
        """Krippendorff's alpha, by the uses of each grade and how often each two of them meet."""
        size = len(self.grades)
        unit, table = self._uses_and_meetings
        fixed = [] if kind == "ordinal" else disagreement(kind, self.grades)

        def value(sums: list[int]) -> Value:
            uses = sums[:size]
            met = _in_rows(sums[size:], size)
            apart = fixed or disagreement(kind, self.grades, uses)
            sums_of = _disagreements(apart, met, uses, uses)
            if not sums_of.expected:
                return None
            judgments = sum(uses)
            observed = Fraction(sums_of.observed, unit)
            return 1 - (judgments - 1) * observed / sums_of.expected

        return table, value

    @cached_property
    def _uses_and_meetings(self) -> tuple[int, Array]:
        """By pair the uses of each grade, and how often each two meet, in a unit that is whole.

        A pair that m judged counts m in all: each meeting of it as 1 / (m - 1).
        """
        others = self._uses.sum(axis=1) - 1
        unit = math.lcm(*others.tolist())
        weights = unit // others
        meetings = self._meetings() * weights[:, None, None]
        return unit, np.hstack([self._uses, meetings.reshape(len(others), -1)])

    def _meetings(self) -> Array:
        """How often each two grades meet, of two judges of a pair: by pair, grade and grade."""
        grades = range(len(self.grades))
        first = self._uses[:, :, None]
        second = self._uses[:, None, :]
        meetings: Array = first * second
        meetings[:, grades, grades] -= self._uses  # a judgment does not meet itself
        return meetings

    def _fleiss(self) -> Part:
        """Fleiss' kappa, by the pairs of judges who agree and the uses of each grade."""
        judges = len(self.names)
        judged = self._uses.sum(axis=1, keepdims=True)
        uses = np.where(judged == judges, self._uses, 0)
        same_grade = (uses * (uses - 1)).sum(axis=1)

        def value(sums: list[int]) -> Value:
            same, *of_grade = sums
            total = sum(of_grade)
            if not total:
                return None
            by_chance = sum(used * used for used in of_grade)
            chance = Fraction(by_chance, total * total)
            if chance == 1:
                return None
            agreed = Fraction(same, total * (judges - 1))
            return (agreed - chance) / (1 - chance)

        return np.column_stack([same_grade, uses]), value

    @cached_property
    def _beside(self) -> dict[str, _Lines]:
        """Of each judge and pair: the judge's grade, and the mean grade of the others."""
        beside: dict[str, _Lines] = {}
        for name in self.names:
            beside[name] = {}
        for number, line in enumerate(self.given):
            grades: dict[str, Fraction] = {}
            for name, grade in zip(self.names, line, strict=True):
                if grade is not None:
                    grades[name] = Fraction(grade)
            total = sum(grades.values(), Fraction(0))
            judges = len(grades)
            for name, judge_grade in grades.items():
                others = (total - judge_grade) / (judges - 1)
                beside[name][number] = _Beside(judge_grade, others)
        for name, lines in beside.items():
            if not lines:
                raise InputError(f"no pair that {name} judged is judged by another")
        return beside

    def _above(self, lines: _Lines) -> Part:
        """How far a judge is above the others: the sum of differences, over the pairs."""
        unit = 1
        for line in lines.values():
            unit = math.lcm(unit, line.above.denominator)
        pairs = len(self.given)
        counts = np.zeros((pairs, 2), dtype=np.int64)
        for number, line in lines.items():
            counts[number, 0] = int(line.above * unit)
            counts[number, 1] = 1

        def value(sums: list[int]) -> Value:
            difference, pairs = sums
            if not pairs:
                return None
            return Fraction(difference, pairs * unit)

        return counts, value

    def under(
        self,
        runs: Mapping[str, Any],
        measures: str | Sequence[str],
    ) -> dict[str, ScoresUnderJudges]:
        """What runs score under each judge, by measure.

        All are scored on the pairs that all judged, so a difference comes from the grades alone.
        InputError for several runs and a measure that is not the mean of the queries' scores.
        """
        if not runs:
            return {}
        of_judges: list[list[Evaluation]] = []
        for number in range(len(self.names)):
            qrels = self._judged_by_all(number)
            evaluations = [evaluate(run, qrels, measures) for run in runs.values()]
            of_judges.append(evaluations)
        first, *_ = of_judges[0]
        names = [measure.name for measure in first.measures]
        return {name: self._under(of_judges, name) for name in names}

    def _under(self, of_judges: list[list[Evaluation]], name: str) -> ScoresUnderJudges:
        """The scores by one measure, of the evaluations of each run by each judge."""
        means: list[list[float]] = []
        by_judge: list[list[Array]] = []
        several = len(of_judges[0]) > 1
        for evaluations in of_judges:
            line = [evaluation.mean[name] for evaluation in evaluations]
            means.append([float(mean) for mean in line])
            if several:
                _refuse_no_mean(evaluations[0], name)
                by_judge.append([evaluation.scores[name] for evaluation in evaluations])
        if not several:
            judges = len(self.names)
            nothing = np.zeros((0, judges, 1))
            return ScoresUnderJudges(means, nothing)
        judge_run_query: Array = np.array(by_judge)
        return ScoresUnderJudges(means, judge_run_query.transpose(2, 0, 1))

    def _judged_by_all(self, number: int) -> Qrels:
        """The grades of one judge for the pairs that all judged; InputError if there is none."""
        qrels: Qrels = {}
        for (query, document), line in zip(self.pairs, self.given, strict=True):
            grade = line[number]
            if grade is not None and None not in line:
                qrels.setdefault(query, {})[document] = grade
        if not qrels:
            raise InputError(
                "no pair is judged by all sources, so runs can't be scored on the same pairs; "
                "give fewer sources with --run"
            )
        return qrels

    def orders(self, scores: Array) -> dict[str, Estimate]:
        """Tau of the order of systems by each judge and the order by the mean of the others."""
        judges = range(len(self.names))
        if len(judges) == 2:
            both = " and ".join(self.names)
            return {both: tau(scores, [0], [1])}
        orders: dict[str, Estimate] = {}
        for number, name in enumerate(self.names):
            others = [other for other in judges if other != number]
            title = f"{name} against the others"
            orders[title] = tau(scores, [number], others)
        return orders

    @property
    def notes(self) -> list[str]:
        """What was left out, where kappa is undefined, and what the intervals are."""
        notes: list[str] = []
        for name, many in zip(self.names, self.only, strict=False):
            if many:
                notes.append(f"pairs that only {name} judged, left out: {many:,}")
        if len(self.names) == 2:
            notes += self._notes_of_two()
        pairs = len(self.pairs)
        by_all = sum(None not in line for line in self.given)
        if by_all < pairs:
            notes.append(f"Fleiss' kappa takes the pairs that all sources judged: {by_all:,}")
        rough = ""
        if pairs < _FEW:
            rough = f"; of {pairs} pairs it is rough: judge {_FEW} or more"
        notes.append(f"low and high bound the 95 % bootstrap interval over the pairs{rough}")
        return notes

    def _notes_of_two(self) -> list[str]:
        """Where kappa of two sources is undefined, or how its weights go."""
        if self.kappa is None:
            grade = shown(self.grades[0])
            undefined = (
                f"kappa is undefined: both sources gave all pairs grade {grade}, "
                "so chance alone explains that they agree"
            )
            return [undefined]
        if len(self.grades) > 2:
            return ["weighted kappa: a disagreement weighs the square of the grades' distance"]
        return []

    def differing(self) -> list[PairWithGrades]:
        """The pairs whose grades differ, each with its grades, the greatest difference first."""
        apart: list[tuple[Fraction, PairWithGrades]] = []
        for pair, line in zip(self.pairs, self.given, strict=True):
            grades = [Fraction(grade) for grade in line if grade is not None]
            difference = max(grades) - min(grades)
            if difference:
                apart.append((difference, (pair, line)))
        apart.sort(key=lambda each: -each[0])
        return [pair_with_grades for _, pair_with_grades in apart]


def _in_rows(cells: Sequence[int], size: int) -> list[list[int]]:
    """A square table, of its cells row by row."""
    return [list(cells[start : start + size]) for start in range(0, len(cells), size)]


@dataclass(frozen=True)
class _Disagreements:
    """The distances of grades: summed where they met, and as they would meet by chance."""

    observed: int
    expected: int


def _disagreements(
    apart: list[list[int]],
    met: list[list[int]],
    rows: Sequence[int],
    columns: Sequence[int],
) -> _Disagreements:
    """Both sums, of how often each two grades met, and how often each was used on either side."""
    observed = 0
    expected = 0
    for distances, times, used in zip(apart, met, rows, strict=True):
        if used:  # what was not used met nothing
            observed += sum(map(mul, distances, times))
            expected += used * sum(map(mul, distances, columns))
    return _Disagreements(observed, expected)


def _beyond_chance(table: list[list[int]], apart: list[list[int]]) -> Fraction | None:
    """1 - observed / expected disagreement of two sources, by the distances of their grades."""
    rows = [sum(row) for row in table]
    columns = np.sum(table, axis=0).tolist()
    sums_of = _disagreements(apart, table, rows, columns)
    if not sums_of.expected:
        return None
    pairs = sum(rows)
    return 1 - Fraction(pairs * sums_of.observed, sums_of.expected)


def _refuse_no_mean(result: Evaluation, name: str) -> None:
    why = "the orders of runs have no interval over queries"
    result.refuse_together([name], why)
    mean_of_queries = float(result.scores[name].mean())
    apart = abs(result.mean[name] - mean_of_queries)
    if apart > TOLERANCE:
        raise InputError(
            f"{name} is not the mean of the queries' scores, so {why}; give another measure, or "
            "one run"
        )


def tau(
    scores: Array,
    one: Sequence[int],
    other: Sequence[int],
) -> Estimate:
    """Kendall's tau of two orders of systems, by the mean of some judges and of others.

    `scores` are by query, judge and system. The interval is over queries. Means that are equal but
    for rounding (`near_ties`) tie, and with ties it is tau-b. None if all systems tie.

    >>> scores = np.array([[[0.9, 0.5, 0.1], [0.9, 0.1, 0.5]]])
    >>> round(tau(scores, [0], [1]).value, 4)  # two pairs in the same order, one is not
    0.3333
    """
    queries = len(scores)
    of_some = scores[:, list(one)]
    of_others = scores[:, list(other)]
    by_each = in_order(np.hstack([of_some.mean(axis=1), of_others.mean(axis=1)]))
    by_some, by_others = np.hsplit(by_each, 2)

    def taus(times: Array) -> list[Value]:
        first = _ahead(times @ by_some / queries)
        second = _ahead(times @ by_others / queries)
        in_order = (first * second).sum(axis=1)
        untied_in_first = np.abs(first).sum(axis=1)
        untied_in_second = np.abs(second).sum(axis=1)
        values: list[Value] = []
        for agreed, product in zip(in_order, untied_in_first * untied_in_second, strict=True):
            if product:
                root = math.sqrt(int(product))
                values.append(int(agreed) / root)
            else:
                values.append(None)
        return values

    each_once = np.ones((1, queries))
    observed = taus(each_once)[0]
    drawn: list[Value] = []
    for times in draws(queries):
        drawn += taus(times)
    return estimate(observed, drawn)


def _ahead(means: Array) -> Array:
    """Of each two systems, which is ahead: 1, -1, or 0 if they tie; a line for each draw."""
    systems = means.shape[1]
    first, second = np.triu_indices(systems, k=1)  # of each two systems
    one = means[:, first]
    other = means[:, second]
    is_ahead = exceeds(one, other)
    is_behind = exceeds(other, one)
    ahead: Array = is_ahead.astype(np.int64) - is_behind
    return ahead
