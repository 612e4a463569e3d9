"""Agreement of two sources of labels: raw agreement, kappa, overlap, and the effect on a score.

Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological
Measurement 20. Weighted: Cohen (1968), Weighted kappa, Psychological Bulletin 70. Agreement on one
grade: Cicchetti and Feinstein (1990), High agreement but low kappa II, Journal of Clinical
Epidemiology 43. Overlap: Voorhees (2000), Variations in relevance judgments and the measurement of
retrieval effectiveness, Information Processing and Management 36.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.labels import read_labels, shown
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.views.result_table import ResultTable

UNDEFINED = "undefined"


@dataclass(frozen=True)
class Pair:
    """A document of a query with the grades that two sources gave it."""

    query: str
    document: str
    first: float
    second: float


@dataclass(frozen=True)
class Agreement:
    """How far two sources agree on the pairs of query and document that both judged.

    `only` counts the pairs that only the first source judged, and only the second. They are left
    out. All numbers are exact ratios; kappa is None where it is undefined.
    """

    names: tuple[str, str]
    pairs: tuple[Pair, ...]
    only: tuple[int, int] = (0, 0)

    @cached_property
    def grades(self) -> list[float]:
        """The grades that either source gave to these pairs, from low to high."""
        return sorted({grade for pair in self.pairs for grade in (pair.first, pair.second)})

    @cached_property
    def table(self) -> list[list[int]]:
        """The number of pairs by grade of the first source (row) and of the second (column)."""
        place = {grade: i for i, grade in enumerate(self.grades)}
        counts = [[0] * len(place) for _ in place]
        for pair in self.pairs:
            counts[place[pair.first]][place[pair.second]] += 1
        return counts

    @property
    def raw(self) -> Fraction:
        """Raw agreement is the share of pairs to which both sources gave the same grade, 0 to 1."""
        return Fraction(sum(pair.first == pair.second for pair in self.pairs), len(self.pairs))

    @property
    def kappa(self) -> Fraction | None:
        """Cohen's kappa is the agreement beyond chance, as a share of what there could be.

        It is (raw - chance) / (1 - chance), at most 1, and 0 where the sources agree as often as
        they would by chance. None if both gave one same grade to all pairs: chance is 1 then.
        """
        return self._kappa(lambda a, b: Fraction(a != b))

    @property
    def weighted_kappa(self) -> Fraction | None:
        """Quadratic weighted kappa counts a disagreement by the square of the grades' distance.

        It is 1 - observed / expected, of sums of these squares. None as for `kappa`.
        """
        return self._kappa(lambda a, b: (Fraction(a) - Fraction(b)) ** 2)

    def _kappa(self, weight: Any) -> Fraction | None:
        lines = [sum(line) for line in self.table]
        columns = [sum(column) for column in zip(*self.table, strict=True)]
        observed = expected = Fraction(0)
        for i, a in enumerate(self.grades):
            for j, b in enumerate(self.grades):
                observed += weight(a, b) * self.table[i][j]
                expected += weight(a, b) * Fraction(lines[i] * columns[j], len(self.pairs))
        return None if expected == 0 else 1 - observed / expected

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

        >>> agreement({"q": {"d1": 2, "d2": 1}}, {"q": {"d1": 1, "d2": 0}}).overlap()
        Fraction(1, 2)
        """
        shared: dict[str, list[bool]] = {}
        for pair in self.pairs:
            if max(pair.first, pair.second) >= rel:
                shared.setdefault(pair.query, []).append(min(pair.first, pair.second) >= rel)
        shares = [Fraction(sum(both), len(both)) for both in shared.values()]
        return sum(shares, Fraction(0)) / len(shares) if shares else None

    def differing(self, most: int | None = None) -> list[Pair]:
        """The pairs whose grades differ, the greatest difference first, else in the given order."""
        apart = [pair for pair in self.pairs if pair.first != pair.second]
        apart.sort(key=lambda pair: -abs(Fraction(pair.first) - Fraction(pair.second)))
        return apart[:most]

    @property
    def notes(self) -> list[str]:
        """Notes that explain the numbers."""
        said = [
            f"pairs that only {name} judged, left out: {n:,}"
            for name, n in zip(self.names, self.only, strict=True)
            if n
        ]
        if self.kappa is None:
            said.append(
                f"kappa is undefined: both sources gave all pairs grade {shown(self.grades[0])}, "
                "so chance alone explains that they agree"
            )
        elif len(self.grades) > 2:
            said.append("weighted kappa: a disagreement weighs the square of the grades' distance")
        return said

    def scores(
        self, run: Any, measures: Any, conventions: str = "trec_eval"
    ) -> list[tuple[str, float, float]]:
        """Each measure with its mean under the first source and under the second.

        Both score the run on the same pairs, those that both judged, so a difference comes only
        from the grades.
        """
        found = []
        for side in ("first", "second"):
            qrels: dict[str, dict[str, float]] = {}
            for pair in self.pairs:
                qrels.setdefault(pair.query, {})[pair.document] = getattr(pair, side)
            found.append(evaluate(run, qrels, measures, conventions))
        return [
            (m.name, float(found[0].mean[m.name]), float(found[1].mean[m.name]))
            for m in found[0].measures
        ]

    def tables(
        self,
        most: int = 10,
        digits: int = 4,
        scores: Sequence[tuple[str, float, float]] = (),
    ) -> list[ResultTable]:
        """The result as tables: coefficients, grades by grades, each grade, pairs, scores."""
        first, second = self.names
        coefficients = [
            ("raw agreement", float(self.raw)),
            ("Cohen's kappa", _or_undefined(self.kappa)),
            ("weighted kappa, quadratic", _or_undefined(self.weighted_kappa)),
        ]
        caption = f"{first} and {second}: {len(self.pairs):,} pairs judged by both"
        head = ResultTable(("agreement", "value"), coefficients, caption, tuple(self.notes), digits)
        names = [shown(grade) for grade in self.grades]
        counts = [[name, *line] for name, line in zip(names, self.table, strict=True)]
        crossed = ResultTable(
            ("grade", *names), counts, f"pairs by grade: {first} (lines), {second} (columns)"
        )
        each = [
            (shown(grade), sum(line), sum(column), float(self.by_grade[grade]))
            for grade, line, column in zip(
                self.grades, self.table, zip(*self.table, strict=True), strict=True
            )
        ]
        by_grade = ResultTable(
            ("grade", first, second, "specific agreement"), each, "agreement on each grade",
            digits=digits,
        )  # fmt: skip
        found = [head, crossed, by_grade]
        apart = self.differing()
        if apart:
            lines = [(p.query, p.document, shown(p.first), shown(p.second)) for p in apart[:most]]
            title = f"pairs that differ most, {len(lines):,} of {len(apart):,}"
            found.append(ResultTable(("query", "document", first, second), lines, title))
        if scores:
            of = [(name, a, b, b - a) for name, a, b in scores]
            title = "the run under either source, on the pairs that both judged"
            found.append(
                ResultTable(("measure", first, second, "difference"), of, title, digits=digits)
            )
        return found

    def facts(self, scores: Sequence[tuple[str, float, float]] = ()) -> dict[str, Any]:
        """The result in plain values, as JSON has them; undefined values are null, with a note."""
        return {
            "sources": list(self.names),
            "pairs": len(self.pairs),
            "only": dict(zip(self.names, self.only, strict=True)),
            "raw": float(self.raw),
            "kappa": None if self.kappa is None else float(self.kappa),
            "weighted_kappa": None if self.weighted_kappa is None else float(self.weighted_kappa),
            "weights": "quadratic",
            "grades": self.grades,
            "table": self.table,
            "specific_agreement": [float(value) for value in self.by_grade.values()],
            "differing": [vars(pair) for pair in self.differing()],
            "scores": [{"measure": name, "first": a, "second": b} for name, a, b in scores],
            "notes": self.notes,
        }


def agreement(first: Any, second: Any, names: tuple[str, str] = ("first", "second")) -> Agreement:
    """Agreement of two sources of labels, on the pairs of query and document that both judged.

    `first` and `second` are judgments as `read_labels` takes them; `of_source` gives those of one
    source. `names` is what they are called. InputError if they have no pair in common.

    >>> a = {"q": {"d1": 1, "d2": 1, "d3": 0, "d4": 0}}
    >>> b = {"q": {"d1": 1, "d2": 0, "d3": 0, "d4": 0}}
    >>> both = agreement(a, b)
    >>> both.raw, both.kappa
    (Fraction(3, 4), Fraction(1, 2))
    """
    if len(set(names)) < 2:
        raise InputError(f"both sources are called {names[0]!r}; give each its own name")
    a, b = _grades(first), _grades(second)
    pairs = tuple(Pair(*pair, grade, b[pair]) for pair, grade in a.items() if pair in b)
    if not pairs:
        raise InputError(
            f"no pair of query and document is judged by both: {names[0]} has {len(a):,} and "
            f"{names[1]} has {len(b):,}; compare how they write ids"
        )
    return Agreement(names, pairs, (len(a) - len(pairs), len(b) - len(pairs)))


def _grades(judged: Any) -> Mapping[tuple[str, str], float]:
    labels = read_labels(judged)
    return {(q, d): grade for q, of in labels.items() for d, grade in of.items()}


def _or_undefined(value: Fraction | None) -> float | str:
    return UNDEFINED if value is None else float(value)
