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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.bootstrap import Estimate, Part, Value, draws, estimate, estimates
from irmetrics_edu.judging.labels import shown
from irmetrics_edu.near_ties import TOLERANCE, exceeds
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.evaluation import Evaluation, evaluate

_FEW = 30  # pairs
KINDS = ("nominal", "ordinal", "interval")

Pair = tuple[str, str]  # query and document
Grades = tuple[float | None, ...]  # a grade of each judge


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
    return [[(one - other) ** 2 for other in places] for one in places]


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
        low, high = self.above.low, self.above.high
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
        agreed = sum(first == second for first, second in self._both)
        return Fraction(agreed, len(self.given))

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
            column = [line[place] for line in self.table]
            shares[grade] = Fraction(2 * row[place], sum(row) + sum(column))
        return shares

    def overlap(self, rel: float = 1) -> Fraction | None:
        """Overlap is the share of the documents that both call relevant among those either does.

        It lies between 0 and 1, and is the mean over the queries for which either source gave a
        grade of `rel` or more. None if there is no such query.

        >>> pairs = (("q", "d1"), ("q", "d2"))
        >>> Agreement(("Ann", "Ben"), pairs, ((2, 1), (1, 0))).overlap()
        Fraction(1, 2)
        """
        shared: dict[str, list[bool]] = {}
        for (query, _), grades in zip(self.pairs, self._both, strict=True):
            if max(grades) >= rel:
                shared.setdefault(query, []).append(min(grades) >= rel)
        if not shared:
            return None
        total = Fraction(0)
        for both in shared.values():
            total += Fraction(sum(both), len(both))
        return total / len(shared)

    @cached_property
    def _uses(self) -> Array:
        """How often each pair (line) got each grade (column)."""
        counts = [[line.count(grade) for grade in self.grades] for line in self.given]
        return np.array(counts, dtype=np.int64)

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
        return {name: one for name, one in self._estimates.items() if isinstance(name, str)}

    @cached_property
    def severities(self) -> dict[str, Severity]:
        """How each judge grades beside the others."""
        severities: dict[str, Severity] = {}
        for number, (name, lines) in enumerate(self._beside.items()):
            own = sum((line[0] for line in lines.values()), Fraction(0))
            others = sum((line[1] for line in lines.values()), Fraction(0))
            severities[name] = Severity(
                pairs=len(lines),
                mean=own / len(lines),
                others=others / len(lines),
                above=self._estimates[number],
            )
        return severities

    @cached_property
    def _estimates(self) -> dict[str | int, Estimate]:
        """The coefficients, and by each judge's number how far the judge is above the others."""
        parts: dict[str | int, Part] = {}
        if len(self.names) == 2:
            parts.update(self._of_two())
        for kind in KINDS:
            parts[f"Krippendorff's alpha, {kind}"] = self._alpha(kind)
        parts["Fleiss' kappa"] = self._fleiss()
        for number, lines in enumerate(self._beside.values()):
            parts[number] = self._above(lines)
        return estimates(parts)

    def _of_two(self) -> dict[str, Part]:
        """What is of two judges, by a column for each cell of the table of their grades."""
        size = len(self.grades)
        cells: list[int] = []
        for first, second in self._both:
            cells.append(self.grades.index(first) * size + self.grades.index(second))
        counts = np.eye(size * size, dtype=np.int64)[cells]

        def raw(sums: list[int]) -> Value:
            same = sums[:: size + 1]
            return Fraction(sum(same), sum(sums))

        def beyond_chance(kind: str) -> Part:
            apart = disagreement(kind, self.grades)

            def value(sums: list[int]) -> Value:
                table = [sums[start : start + size] for start in range(0, size * size, size)]
                return _beyond_chance(table, apart)

            return counts, value

        return {
            "raw agreement": (counts, raw),
            "Cohen's kappa": beyond_chance("nominal"),
            "weighted kappa, quadratic": beyond_chance("interval"),
        }

    def _alpha(self, kind: str) -> Part:
        judged = self._uses.sum(axis=1)
        size = len(self.grades)
        share = math.lcm(*(int(many) - 1 for many in np.unique(judged)))
        both = self._uses[:, :, None] * self._uses[:, None, :]
        both[:, range(size), range(size)] -= self._uses
        both *= (share // (judged - 1))[:, None, None]  # a pair that m judged counts m in all

        def value(sums: list[int]) -> Value:
            uses = sums[:size]
            met = sums[size:]
            apart = disagreement(kind, self.grades, uses)
            observed = 0
            expected = 0
            for one in range(size):
                for other in range(size):
                    distance = apart[one][other]
                    observed += distance * met[one * size + other]
                    expected += distance * uses[one] * uses[other]
            if not expected:
                return None
            return 1 - Fraction((sum(uses) - 1) * observed, share * expected)

        return np.hstack([self._uses, both.reshape(len(judged), -1)]), value

    def _fleiss(self) -> Part:
        judges_in_all = len(self.names)
        by_all = self._uses.sum(axis=1, keepdims=True) == judges_in_all
        uses = np.where(by_all, self._uses, 0)
        same_grade = (uses * (uses - 1)).sum(axis=1)

        def value(sums: list[int]) -> Value:
            same, *of_grade = sums
            total = sum(of_grade)
            if not total:
                return None
            chance = Fraction(sum(used * used for used in of_grade), total * total)
            if chance == 1:
                return None
            agreed = Fraction(same, total * (judges_in_all - 1))
            return (agreed - chance) / (1 - chance)

        return np.column_stack([same_grade, uses]), value

    @cached_property
    def _beside(self) -> dict[str, dict[int, tuple[Fraction, Fraction]]]:
        """Of each judge and pair: the judge's grade, and the mean grade of the others."""
        beside: dict[str, dict[int, tuple[Fraction, Fraction]]] = {name: {} for name in self.names}
        for number, line in enumerate(self.given):
            by_judge: dict[str, Fraction] = {}
            for name, grade in zip(self.names, line, strict=True):
                if grade is not None:
                    by_judge[name] = Fraction(grade)
            total = sum(by_judge.values(), Fraction(0))
            for name, own in by_judge.items():
                others = (total - own) / (len(by_judge) - 1)
                beside[name][number] = (own, others)
        for name, lines in beside.items():
            if not lines:
                raise InputError(f"no pair that {name} judged is judged by another")
        return beside

    def _above(self, lines: Mapping[int, tuple[Fraction, Fraction]]) -> Part:
        """How far a judge is above the others: the sum of differences, over the pairs."""
        unit = 1
        for own, others in lines.values():
            unit = math.lcm(unit, own.denominator, others.denominator)
        counts = np.zeros((len(self.given), 2), dtype=np.int64)
        for number, (own, others) in lines.items():
            counts[number] = int((own - others) * unit), 1

        def value(sums: list[int]) -> Value:
            difference, pairs = sums
            return Fraction(difference, pairs * unit) if pairs else None

        return counts, value

    def under(
        self,
        runs: Mapping[str, Any],
        measures: str | Sequence[str],
    ) -> dict[str, tuple[list[list[float]], Array]]:
        """By measure the means of each judge and run; of several runs the scores by query, too.

        All are scored on the pairs that all judged, so a difference comes from the grades alone.
        InputError for several runs and a measure that is not the mean of the queries' scores.
        """
        if not runs:
            return {}
        of_judges: list[list[Evaluation]] = []
        for number in range(len(self.names)):
            qrels = self._judged_by_all(number)
            of_judges.append([evaluate(run, qrels, measures) for run in runs.values()])
        means_and_scores: dict[str, tuple[list[list[float]], Array]] = {}
        for measure in of_judges[0][0].measures:
            name = measure.name
            means = [[float(one.mean[name]) for one in line] for line in of_judges]
            scores: Array = np.zeros((0, len(self.names), 1))
            if len(runs) > 1:
                for line in of_judges:
                    _refuse_no_mean(line[0], name)
                by_judge = [[one.scores[name] for one in line] for line in of_judges]
                scores = np.array(by_judge).transpose(2, 0, 1)
            means_and_scores[name] = (means, scores)
        return means_and_scores

    def _judged_by_all(self, number: int) -> dict[str, dict[str, float]]:
        """The grades of one judge for the pairs that all judged; InputError if there is none."""
        qrels: dict[str, dict[str, float]] = {}
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
        if len(self.names) == 2:
            return {" and ".join(self.names): tau(scores, [0], [1])}
        orders: dict[str, Estimate] = {}
        for number, name in enumerate(self.names):
            others = [other for other in range(len(self.names)) if other != number]
            orders[f"{name} against the others"] = tau(scores, [number], others)
        return orders

    @property
    def notes(self) -> list[str]:
        """What was left out, where kappa is undefined, and what the intervals are."""
        notes: list[str] = []
        for name, many in zip(self.names, self.only, strict=False):
            if many:
                notes.append(f"pairs that only {name} judged, left out: {many:,}")
        if len(self.names) == 2 and self.kappa is None:
            notes.append(
                f"kappa is undefined: both sources gave all pairs grade {shown(self.grades[0])}, "
                "so chance alone explains that they agree"
            )
        elif len(self.names) == 2 and len(self.grades) > 2:
            notes.append("weighted kappa: a disagreement weighs the square of the grades' distance")
        by_all = sum(None not in line for line in self.given)
        if by_all < len(self.pairs):
            notes.append(f"Fleiss' kappa takes the pairs that all sources judged: {by_all:,}")
        rough = ""
        if len(self.pairs) < _FEW:
            rough = f"; of {len(self.pairs)} pairs it is rough: judge {_FEW} or more"
        notes.append(f"low and high bound the 95 % bootstrap interval over the pairs{rough}")
        return notes

    def differing(self) -> list[tuple[Pair, Grades]]:
        """The pairs whose grades differ, each with its grades, the greatest difference first."""
        apart: list[tuple[Fraction, Pair, Grades]] = []
        for pair, line in zip(self.pairs, self.given, strict=True):
            grades = [Fraction(grade) for grade in line if grade is not None]
            if len(set(grades)) > 1:
                apart.append((max(grades) - min(grades), pair, line))
        apart.sort(key=lambda each: -each[0])
        return [(pair, line) for _, pair, line in apart]


def _beyond_chance(table: list[list[int]], apart: list[list[int]]) -> Fraction | None:
    """1 - observed / expected disagreement of two sources, by the distances of their grades."""
    columns = [sum(column) for column in zip(*table, strict=True)]
    observed = 0
    expected = 0
    pairs = 0
    for counts, distances in zip(table, apart, strict=True):
        row = sum(counts)
        pairs += row
        for count, column, distance in zip(counts, columns, distances, strict=True):
            observed += distance * count
            expected += distance * row * column
    if not expected:
        return None
    return 1 - Fraction(pairs * observed, expected)


def _refuse_no_mean(result: Evaluation, name: str) -> None:
    why = "the orders of runs have no interval over queries"
    result.refuse_together([name], why)
    mean_of_queries = float(result.scores[name].mean())
    if abs(result.mean[name] - mean_of_queries) > TOLERANCE:
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
    first_side = scores[:, list(one)].mean(axis=1)
    second_side = scores[:, list(other)].mean(axis=1)
    pairs = list(combinations(range(scores.shape[2]), 2))
    left = [pair[0] for pair in pairs]
    right = [pair[1] for pair in pairs]

    def signs(means: Array) -> Array:
        """Of each two systems, which is ahead: 1, -1, or 0 if they tie; a line for each draw."""
        is_ahead = exceeds(means[:, left], means[:, right])
        is_behind = exceeds(means[:, right], means[:, left])
        ahead: Array = is_ahead.astype(np.int64) - is_behind
        return ahead

    def taus(times: Array) -> list[Value]:
        first = signs(times @ first_side / queries)
        second = signs(times @ second_side / queries)
        met = (first * second).sum(axis=1)
        uses = np.abs(first).sum(axis=1) * np.abs(second).sum(axis=1)
        values: list[Value] = []
        for agreed, product in zip(met, uses, strict=True):
            root = math.sqrt(int(product))
            values.append(int(agreed) / root if root else None)
        return values

    observed = taus(np.ones((1, queries)))[0]
    drawn: list[Value] = []
    for times in draws(queries):
        drawn += taus(times)
    return estimate(observed, drawn)
