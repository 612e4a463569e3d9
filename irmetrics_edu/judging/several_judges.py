r"""Agreement of two judges or more: their labels, which of them are harsh, and their orders.

alpha = 1 - observed disagreement / expected disagreement           (Krippendorff)
kappa = (share of pairs of judges who agree - chance) / (1 - chance)    (Fleiss)

Of two judges: Cohen (1960), A coefficient of agreement for nominal scales, Educational and
Psychological Measurement 20. Weighted: Cohen (1968), Weighted kappa, Psychological Bulletin 70.
Agreement on one grade: Cicchetti and Feinstein (1990), High agreement but low kappa II, Journal of
Clinical Epidemiology 43. Overlap: Voorhees (2000), Variations in relevance judgments and the
measurement of retrieval effectiveness, Information Processing and Management 36.

All is counted in whole numbers. Pairs and queries are drawn again by the raw bits of PCG64, a
stream that numpy keeps from version to version. So every digit is the same on every machine.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.labels import read_labels, shown
from irmetrics_edu.near_ties import TOLERANCE, exceeds
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.evaluation import Evaluation, evaluate
from irmetrics_edu.views.result_table import ResultTable

_DRAWS, _TAIL = 999, 25  # the 25th lowest and the 25th highest of 999 bound 95 %
_FEW = 30  # pairs
_SHOWN = 10  # pairs that differ
_AT_ONCE = 2_000_000  # drawn numbers held at a time
KINDS = ("nominal", "ordinal", "interval")

Value = Fraction | float | None
Part = tuple[Array, Callable[[list[int]], Value]]  # whole numbers, and a function of their sums


@dataclass(frozen=True)
class Estimate:
    """A value with the ends of its 95 % interval; None where it is undefined.

    The interval is the percentile bootstrap's: what was counted is drawn again 999 times, with
    replacement, and 95 % of the draws in which the value is defined lie between the ends.

    Source: Efron (1979), Bootstrap methods: another look at the jackknife, Annals of Statistics
    7(1).
    """

    value: Value
    low: Value = None
    high: Value = None

    @property
    def cells(self) -> list[Any]:
        """The three numbers, as a table shows them."""
        ends = (self.value, self.low, self.high)
        return ["undefined" if x is None else float(x) for x in ends]


def estimates(parts: Mapping[Any, Part]) -> dict[Any, Estimate]:
    """Values of the sums of tables of whole numbers, with their intervals over the tables' lines.

    Each part has a table, with a line for each thing that is counted, and a function of the sums of
    its columns. The same lines are drawn of all tables.

    >>> half = np.array([[1, 1], [0, 1]] * 50), lambda s: Fraction(s[0], s[1])
    >>> found = estimates({"share": half})["share"]
    >>> found.value, round(float(found.low), 2), round(float(found.high), 2)
    (Fraction(1, 2), 0.4, 0.6)
    """
    table = np.hstack([counts for counts, _ in parts.values()]).astype(np.float64)
    stops = np.cumsum([counts.shape[1] for counts, _ in parts.values()]).tolist()
    places = [slice(*ends) for ends in zip([0, *stops], stops, strict=False)]

    def valued(line: Array) -> list[Value]:
        sums = [int(x) for x in line]  # whole, and exact below 2^53
        return [f(sums[place]) for (_, f), place in zip(parts.values(), places, strict=True)]

    drawn = [valued(line) for times in _drawn(len(table)) for line in times @ table]
    found = zip(parts, valued(table.sum(axis=0)), zip(*drawn, strict=True), strict=True)
    return {name: _estimate(value, each) for name, value, each in found}


def _estimate(value: Value, drawn: Sequence[Value]) -> Estimate:
    known: list[Any] = sorted(x for x in drawn if x is not None)
    place = max(0, math.ceil(_TAIL * (len(known) + 1) / (_DRAWS + 1)) - 1)
    if known:
        return Estimate(value, known[place], known[-1 - place])
    return Estimate(value)


def _drawn(n: int) -> Iterator[Array]:
    """How often each of n lines is drawn; some draws at a time."""
    bits = np.random.PCG64(0)
    step = max(1, _AT_ONCE // n)
    for start in range(0, _DRAWS, step):
        times = min(step, _DRAWS - start)
        numbers = (bits.random_raw(times * n) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        line = np.repeat(np.arange(times), n) * n + (numbers * n).astype(np.int64)
        yield np.bincount(line, minlength=times * n).reshape(times, n).astype(np.float64)


def disagreement(kind: str, grades: Sequence[float], uses: Sequence[int] = ()) -> list[list[int]]:
    """The squared distance of each two grades, in some unit: nominal, ordinal or interval.

    It is 0 or 1 for nominal data, and the square of the difference for interval data. For ordinal
    data it is the square of how many uses lie between the two grades, with half of their own.

    >>> disagreement("interval", [0, 1, 3])[0], disagreement("ordinal", [0, 1, 3], [2, 1, 1])[0]
    ([0, 1, 9], [0, 9, 25])
    """
    if kind == "nominal":
        return [[int(a != b) for b in grades] for a in grades]
    if kind == "interval":
        exact = [Fraction(g) for g in grades]
        unit = math.lcm(*(g.denominator for g in exact))
        place = [int(g * unit) for g in exact]
    else:  # twice the middle of a grade's uses, from the lowest grade on
        place = [2 * sum(uses[:i]) + used for i, used in enumerate(uses)]
    return [[(a - b) ** 2 for b in place] for a in place]


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
class Judges:
    """What several judges gave to pairs of query and document, and how far they agree.

    `given` has a grade of each judge for each pair, and None where a judge gave none. Pairs that
    one judge alone judged are left out; `only` counts them for each judge. Raw agreement, Cohen's
    kappa, the table of grades and overlap are of two judges, and an InputError for more. They are
    exact ratios; kappa is None where it is undefined.
    """

    names: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    given: tuple[tuple[float | None, ...], ...]
    only: tuple[int, ...] = ()

    @cached_property
    def grades(self) -> list[float]:
        """The grades that occur, from low to high."""
        return sorted({g for line in self.given for g in line if g is not None})

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
            counts[self.grades.index(first)][self.grades.index(second)] += 1
        return counts

    @property
    def raw(self) -> Fraction:
        """Raw agreement is the share of pairs to which both sources gave the same grade, 0 to 1."""
        return Fraction(sum(first == second for first, second in self._both), len(self.given))

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
        columns = [sum(column) for column in zip(*self.table, strict=True)]
        return {
            grade: Fraction(2 * self.table[i][i], sum(self.table[i]) + columns[i])
            for i, grade in enumerate(self.grades)
        }

    def overlap(self, rel: float = 1) -> Fraction | None:
        """Overlap is the share of the documents that both call relevant among those either does.

        It lies between 0 and 1, and is the mean over the queries for which either source gave a
        grade of `rel` or more. None if there is no such query.

        >>> sources = {"Ann": {"q": {"d1": 2, "d2": 1}}, "Ben": {"q": {"d1": 1, "d2": 0}}}
        >>> judges(sources).overlap()
        Fraction(1, 2)
        """
        shared: dict[str, list[bool]] = {}
        for (query, _), grades in zip(self.pairs, self._both, strict=True):
            if max(grades) >= rel:
                shared.setdefault(query, []).append(min(grades) >= rel)
        shares = [Fraction(sum(both), len(both)) for both in shared.values()]
        return sum(shares, Fraction(0)) / len(shares) if shares else None

    @cached_property
    def _uses(self) -> Array:
        """How often each pair (line) got each grade (column)."""
        counts = [[line.count(g) for g in self.grades] for line in self.given]
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
        return {name: of for name, of in self._estimates.items() if isinstance(name, str)}

    @cached_property
    def severities(self) -> dict[str, Severity]:
        """How each judge grades beside the others."""
        return {
            name: Severity(len(lines), *_means(lines.values()), self._estimates[j])
            for j, (name, lines) in enumerate(self._beside.items())
        }

    @cached_property
    def _estimates(self) -> dict[str | int, Estimate]:
        """The coefficients, and by each judge's number how far the judge is above the others."""
        beside = {j: self._above(lines) for j, lines in enumerate(self._beside.values())}
        return estimates({**self._coefficients(), **beside})

    def _coefficients(self) -> dict[str, Part]:
        of_two = self._of_two() if len(self.names) == 2 else {}
        alphas = {f"Krippendorff's alpha, {kind}": self._alpha(kind) for kind in KINDS}
        return {**of_two, **alphas, "Fleiss' kappa": self._fleiss()}

    def _of_two(self) -> dict[str, Part]:
        size = len(self.grades)
        place = self.grades.index
        cells = [place(first) * size + place(second) for first, second in self._both]
        counts = np.eye(size * size, dtype=np.int64)[cells]

        def beyond_chance(kind: str) -> Part:
            apart = disagreement(kind, self.grades)
            starts = range(0, size * size, size)
            return counts, lambda s: _beyond_chance([s[i : i + size] for i in starts], apart)

        return {
            "raw agreement": (counts, lambda s: Fraction(sum(s[:: size + 1]), sum(s))),
            "Cohen's kappa": beyond_chance("nominal"),
            "weighted kappa, quadratic": beyond_chance("interval"),
        }

    def _alpha(self, kind: str) -> Part:
        m = self._uses.sum(axis=1)
        size = len(self.grades)
        share = math.lcm(*(int(x) - 1 for x in np.unique(m)))
        both = self._uses[:, :, None] * self._uses[:, None, :]
        both[:, range(size), range(size)] -= self._uses
        both *= (share // (m - 1))[:, None, None]  # a pair that m judged counts m in all

        def value(sums: list[int]) -> Value:
            uses = sums[:size]
            met = iter(sums[size:])
            apart = disagreement(kind, self.grades, uses)
            observed = sum(d * next(met) for line in apart for d in line)
            expected = sum(
                d * a * b
                for a, line in zip(uses, apart, strict=True)
                for b, d in zip(uses, line, strict=True)
            )
            if expected:
                return 1 - Fraction((sum(uses) - 1) * observed, share * expected)
            return None

        return np.hstack([self._uses, both.reshape(len(m), -1)]), value

    def _fleiss(self) -> Part:
        m = len(self.names)
        uses = np.where(self._uses.sum(axis=1, keepdims=True) == m, self._uses, 0)

        def value(sums: list[int]) -> Value:
            same, *of_grade = sums
            n = sum(of_grade)
            chance = Fraction(sum(x * x for x in of_grade), n * n) if n else Fraction(1)
            if chance < 1:
                return (Fraction(same, n * (m - 1)) - chance) / (1 - chance)
            return None

        return np.column_stack([(uses * (uses - 1)).sum(axis=1), uses]), value

    @cached_property
    def _beside(self) -> dict[str, dict[int, tuple[Fraction, Fraction]]]:
        """Of each judge and pair: the judge's grade, and the mean grade of the others."""
        found: dict[str, dict[int, tuple[Fraction, Fraction]]] = {n: {} for n in self.names}
        for u, given in enumerate(self.given):
            known = {
                n: Fraction(g) for n, g in zip(self.names, given, strict=True) if g is not None
            }
            for name, own in known.items():
                found[name][u] = own, (sum(known.values()) - own) / (len(known) - 1)
        for name, lines in found.items():
            if not lines:
                raise InputError(f"no pair that {name} judged is judged by another")
        return found

    def _above(self, lines: Mapping[int, tuple[Fraction, Fraction]]) -> Part:
        unit = math.lcm(*(x.denominator for line in lines.values() for x in line))
        counts = np.zeros((len(self.given), 2), dtype=np.int64)
        counts[list(lines)] = [[int((own - others) * unit), 1] for own, others in lines.values()]
        return counts, lambda s: Fraction(s[0], s[1] * unit) if s[1] else None

    def under(self, runs: Mapping[str, Any], measures: Any) -> dict[str, tuple[Any, Array]]:
        """By measure the means of each judge and run; of several runs the scores by query, too.

        All are scored on the pairs that all judged, so a difference comes from the grades alone.
        InputError for several runs and a measure that is not the mean of the queries' scores.
        """
        found: dict[str, list[list[Evaluation]]] = {}
        for j in range(len(self.names)) if runs else ():
            qrels: dict[str, dict[str, float]] = {}
            for (query, document), line in zip(self.pairs, self.given, strict=True):
                if None not in line:
                    qrels.setdefault(query, {})[document] = line[j] or 0.0
            if not qrels:
                raise InputError(
                    "no pair is judged by all sources, so runs can't be scored on the same pairs; "
                    "give fewer sources with --run"
                )
            results = [evaluate(run, qrels, measures) for run in runs.values()]
            for m in results[0].measures:
                if len(runs) > 1:
                    _refuse_no_mean(results[0], m.name)
                found.setdefault(m.name, []).append(results)
        means_and_scores = {}
        for name, lines in found.items():
            means = [[float(evaluation.mean[name]) for evaluation in line] for line in lines]
            if len(runs) > 1:
                by_judge = [[evaluation.scores[name] for evaluation in line] for line in lines]
                scores: Array = np.array(by_judge).transpose(2, 0, 1)
            else:
                scores = np.zeros((0, len(self.names), 1))
            means_and_scores[name] = (means, scores)
        return means_and_scores

    def orders(self, scores: Array) -> dict[str, Estimate]:
        """Tau of the order of systems by each judge and the order by the mean of the others."""
        if len(self.names) == 2:
            return {" and ".join(self.names): tau(scores, [0], [1])}
        every = range(len(self.names))
        return {
            f"{name} against the others": tau(scores, [j], [i for i in every if i != j])
            for j, name in enumerate(self.names)
        }

    @property
    def notes(self) -> list[str]:
        """What was left out, where kappa is undefined, and what the intervals are."""
        whole = sum(None not in line for line in self.given)
        said = [
            f"pairs that only {name} judged, left out: {n:,}"
            for name, n in zip(self.names, self.only, strict=False)
            if n
        ]
        if len(self.names) == 2 and self.kappa is None:
            said.append(
                f"kappa is undefined: both sources gave all pairs grade {shown(self.grades[0])}, "
                "so chance alone explains that they agree"
            )
        elif len(self.names) == 2 and len(self.grades) > 2:
            said.append("weighted kappa: a disagreement weighs the square of the grades' distance")
        if whole < len(self.pairs):
            said.append(f"Fleiss' kappa takes the pairs that all sources judged: {whole:,}")
        n = len(self.pairs)
        rough = f"; of {n} pairs it is rough: judge {_FEW} or more" if n < _FEW else ""
        return [*said, f"low and high bound the 95 % bootstrap interval over the pairs{rough}"]

    def differing(self) -> list[tuple[tuple[str, str], tuple[float | None, ...]]]:
        """The pairs whose grades differ, each with its grades, the greatest difference first."""
        apart = []
        for pair, line in zip(self.pairs, self.given, strict=True):
            grades = [Fraction(grade) for grade in line if grade is not None]
            if len(set(grades)) > 1:
                apart.append((max(grades) - min(grades), pair, line))
        apart.sort(key=lambda each: -each[0])
        return [(pair, line) for _, pair, line in apart]

    def tables(
        self,
        digits: int = 4,
        runs: Mapping[str, Any] | None = None,
        measures: Any = (),
    ) -> list[ResultTable]:
        """The result as tables: coefficients, judges, pairs that differ, and runs by each judge.

        Of two sources also how their grades meet, after the coefficients.
        """
        lines: list[Any] = [(name, *one.cells) for name, one in self.coefficients.items()]
        header: tuple[str, ...] = ("agreement", "value", "low", "high")
        two = len(self.names) == 2
        who = (" and " if two else ", ").join(self.names)
        caption = f"{who}: {len(self.pairs):,} pairs judged by {'both' if two else 'two or more'}"
        own = ResultTable(header, lines, caption, tuple(self.notes), digits)
        means = ("judge", "pairs", "mean grade", "of the others")
        lines = [
            (name, s.pairs, float(s.mean), float(s.others), *s.above.cells, s.word)
            for name, s in self.severities.items()
        ]
        header = (*means, "difference", "low", "high", "the judge is")
        title = "harsh and lenient judges, on the same pairs"
        of_grades = self._of_grades(digits) if two else []
        found = [own, *of_grades, ResultTable(header, lines, title, (), digits)]
        apart = self.differing()
        if apart:
            rows = [
                (*pair, *("-" if g is None else shown(g) for g in line))
                for pair, line in apart[:_SHOWN]
            ]
            title = f"pairs that differ most, {len(rows):,} of {len(apart):,}"
            found.append(ResultTable(("query", "document", *self.names), rows, title))
        runs = runs or {}
        for name, (values, scores) in self.under(runs, measures).items():
            title = f"mean {name} by each judge, on the pairs that all judged"
            of = [(judge, *line) for judge, line in zip(self.names, values, strict=True)]
            found.append(ResultTable(("judge", *runs), of, title, (), digits))
            if len(runs) > 1:
                taus = [(who, *one.cells) for who, one in self.orders(scores).items()]
                title = f"orders of {len(runs)} runs by {name}: Kendall's tau"
                columns = ("orders", "tau", "low", "high")
                note = "the interval is over queries"
                found.append(ResultTable(columns, taus, title, (note,), digits))
        return found

    def _of_grades(self, digits: int) -> list[ResultTable]:
        first, second = self.names
        names = [shown(grade) for grade in self.grades]
        columns = [sum(column) for column in zip(*self.table, strict=True)]
        counts = [[name, *line] for name, line in zip(names, self.table, strict=True)]
        each = [
            (name, sum(line), column, float(share))
            for name, line, column, share in zip(
                names,
                self.table,
                columns,
                self.by_grade.values(),
                strict=True,
            )
        ]
        title = f"pairs by grade: {first} (lines), {second} (columns)"
        header = ("grade", first, second, "specific agreement")
        return [
            ResultTable(("grade", *names), counts, title),
            ResultTable(header, each, "agreement on each grade", digits=digits),
        ]


def _beyond_chance(table: list[list[int]], apart: list[list[int]]) -> Fraction | None:
    """1 - observed / expected disagreement of two sources, by the distances of their grades."""
    lines = map(sum, table)
    columns = [sum(column) for column in zip(*table, strict=True)]
    observed = expected = n = 0
    for line, counts, of in zip(lines, table, apart, strict=True):
        n += line
        observed += sum(d * count for d, count in zip(of, counts, strict=True))
        expected += sum(d * line * column for d, column in zip(of, columns, strict=True))
    return 1 - Fraction(n * observed, expected) if expected else None


def _refuse_no_mean(result: Evaluation, name: str) -> None:
    why = "the orders of runs have no interval over queries"
    result.refuse_together([name], why)
    if abs(result.mean[name] - float(result.scores[name].mean())) > TOLERANCE:
        raise InputError(
            f"{name} is not the mean of the queries' scores, so {why}; give another measure, or "
            "one run"
        )


def _means(lines: Any) -> tuple[Fraction, Fraction]:
    one, other = (sum(column, Fraction(0)) / len(lines) for column in zip(*lines, strict=True))
    return one, other


def tau(scores: Array, one: Sequence[int], other: Sequence[int]) -> Estimate:
    """Kendall's tau of two orders of systems, by the mean of some judges and of others.

    `scores` are by query, judge and system. The interval is over queries. Means that are equal but
    for rounding (`near_ties`) tie, and with ties it is tau-b. None if all systems tie.

    >>> scores = np.array([[[0.9, 0.5, 0.1], [0.9, 0.1, 0.5]]])
    >>> round(tau(scores, [0], [1]).value, 4)  # two pairs in the same order, one is not
    0.3333
    """
    n = len(scores)
    sides = [scores[:, list(side)].mean(axis=1) for side in (one, other)]
    pairs = list(combinations(range(scores.shape[2]), 2))

    def signs(means: Array) -> Array:
        """Of each two systems, which is ahead: 1, -1, or 0 if they tie; a line for each draw."""
        first = means[:, [i for i, _ in pairs]]
        second = means[:, [j for _, j in pairs]]
        ahead: Array = exceeds(first, second).astype(np.int64) - exceeds(second, first)
        return ahead

    def taus(times: Array) -> list[Value]:
        a, b = (signs(times @ side / n) for side in sides)
        met = (a * b).sum(axis=1)
        uses = np.abs(a).sum(axis=1) * np.abs(b).sum(axis=1)
        return [int(x) / math.sqrt(int(u)) if u else None for x, u in zip(met, uses, strict=True)]

    return _estimate(taus(np.ones((1, n)))[0], [x for times in _drawn(n) for x in taus(times)])


def judges(sources: Mapping[str, Any]) -> Judges:
    """Judges are two sources of labels or more, on the pairs that at least two of them judged.

    `sources` maps names to judgments, as `read_labels` takes them; `of_source` gives those of one
    source. InputError for fewer than two, or if no pair is judged by two.

    >>> found = judges(
    ...     {
    ...         "Ann": {"q": {"d1": 1, "d2": 1, "d3": 0, "d4": 0}},
    ...         "Ben": {"q": {"d1": 1, "d2": 0, "d3": 0, "d4": 0}},
    ...         "Cat": {"q": {"d1": 1, "d2": 0, "d3": 0}},
    ...     }
    ... )
    >>> found.coefficients["Krippendorff's alpha, nominal"].value
    Fraction(9, 14)
    >>> found.severities["Ann"].above.value  # Ann's mean grade less that of Ben and Cat
    Fraction(1, 4)
    """
    if len(sources) < 2:
        raise InputError(f"{len(sources)} source is given; agreement takes at least two")
    found: dict[tuple[str, str], list[float | None]] = {}
    for j, judged in enumerate(sources.values()):
        labels = read_labels(judged)
        for pair, grade in (((q, d), g) for q, of in labels.items() for d, g in of.items()):
            found.setdefault(pair, [None] * len(sources))[j] = grade
    kept = {pair: line for pair, line in found.items() if len(line) - line.count(None) > 1}
    only = [
        sum(line[j] is not None for pair, line in found.items() if pair not in kept)
        for j in range(len(sources))
    ]
    if not kept:
        many = ", ".join(f"{name} ({n:,} pairs)" for name, n in zip(sources, only, strict=True))
        raise InputError(
            f"no pair of query and document is judged by two of {many}; compare how they write ids"
        )
    lines = tuple(tuple(line) for line in kept.values())
    return Judges(tuple(sources), tuple(kept), lines, tuple(only))
