"""Agreement of two sources of labels: raw agreement, kappa, overlap, and single grades.

Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological
Measurement 20. Weighted: Cohen (1968), Weighted kappa, Psychological Bulletin 70. Agreement on one
grade: Cicchetti and Feinstein (1990), High agreement but low kappa II, Journal of Clinical
Epidemiology 43. Overlap: Voorhees (2000), Variations in relevance judgments and the measurement of
retrieval effectiveness, Information Processing and Management 36.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.labels import shown
from irmetrics_edu.judging.several_judges import Judges, Part, disagreement, grades_of
from irmetrics_edu.views.result_table import ResultTable


@dataclass(frozen=True)
class Agreement(Judges):
    """How far two sources agree on the pairs of query and document that both judged.

    `only` counts the pairs that only the first source judged, and only the second. They are left
    out. All numbers are exact ratios; kappa is None where it is undefined.
    """

    given: tuple[tuple[float, float], ...]
    only: tuple[int, int] = (0, 0)

    @cached_property
    def table(self) -> list[list[int]]:
        """The number of pairs by grade of the first source (row) and of the second (column)."""
        place = {grade: i for i, grade in enumerate(self.grades)}
        counts = [[0] * len(place) for _ in place]
        for first, second in self.given:
            counts[place[first]][place[second]] += 1
        return counts

    @property
    def raw(self) -> Fraction:
        """Raw agreement is the share of pairs to which both sources gave the same grade, 0 to 1."""
        return Fraction(sum(first == second for first, second in self.given), len(self.given))

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

        >>> agreement({"q": {"d1": 2, "d2": 1}}, {"q": {"d1": 1, "d2": 0}}).overlap()
        Fraction(1, 2)
        """
        shared: dict[str, list[bool]] = {}
        for (query, _), grades in zip(self.pairs, self.given, strict=True):
            if max(grades) >= rel:
                shared.setdefault(query, []).append(min(grades) >= rel)
        shares = [Fraction(sum(both), len(both)) for both in shared.values()]
        return sum(shares, Fraction(0)) / len(shares) if shares else None

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
        return [*said, *super().notes]

    def _coefficients(self) -> dict[str, Part]:
        size = len(self.grades)
        place = {grade: i for i, grade in enumerate(self.grades)}
        cells = [place[first] * size + place[second] for first, second in self.given]
        counts = np.eye(size * size, dtype=np.int64)[cells]

        def beyond_chance(kind: str) -> Part:
            apart = disagreement(kind, self.grades)
            starts = range(0, size * size, size)
            return counts, lambda s: _beyond_chance([s[i : i + size] for i in starts], apart)

        return {
            "raw agreement": (counts, lambda s: Fraction(sum(s[:: size + 1]), sum(s))),
            "Cohen's kappa": beyond_chance("nominal"),
            "weighted kappa, quadratic": beyond_chance("interval"),
            **super()._coefficients(),
        }

    @property
    def _caption(self) -> str:
        return f"{' and '.join(self.names)}: {len(self.pairs):,} pairs judged by both"

    def _of_grades(self, digits: int) -> list[ResultTable]:
        first, second = self.names
        names = [shown(grade) for grade in self.grades]
        columns = [sum(column) for column in zip(*self.table, strict=True)]
        counts = [[name, *line] for name, line in zip(names, self.table, strict=True)]
        each = [
            (name, sum(line), column, float(share))
            for name, line, column, share in zip(
                names, self.table, columns, self.by_grade.values(), strict=True
            )
        ]
        title = f"pairs by grade: {first} (lines), {second} (columns)"
        header = ("grade", first, second, "specific agreement")
        return [
            ResultTable(("grade", *names), counts, title),
            ResultTable(header, each, "agreement on each grade", digits=digits),
        ]

    def facts(self, runs: Mapping[str, Any] | None = None, measures: Any = ()) -> dict[str, Any]:
        """The result in plain values, as JSON has them; undefined values are null, with a note."""
        return {
            **super().facts(runs, measures),
            "only": dict(zip(self.names, self.only, strict=True)),
            "grades": self.grades,
            "table": self.table,
            "specific_agreement": [float(value) for value in self.by_grade.values()],
            "differing": [
                {"query": query, "document": document, "first": first, "second": second}
                for (query, document), (first, second) in self.differing()
            ],
        }


def _beyond_chance(table: list[list[int]], apart: list[list[int]]) -> Fraction | None:
    """1 - observed / expected disagreement of two sources, by the distances of their grades."""
    lines, columns = map(sum, table), [sum(column) for column in zip(*table, strict=True)]
    observed = expected = n = 0
    for line, counts, of in zip(lines, table, apart, strict=True):
        n += line
        observed += sum(d * count for d, count in zip(of, counts, strict=True))
        expected += sum(d * line * column for d, column in zip(of, columns, strict=True))
    return 1 - Fraction(n * observed, expected) if expected else None


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
    a, b = grades_of(first), grades_of(second)
    pairs = tuple(pair for pair in a if pair in b)
    if not pairs:
        raise InputError(
            f"no pair of query and document is judged by both: {names[0]} has {len(a):,} and "
            f"{names[1]} has {len(b):,}; compare how they write ids"
        )
    given = tuple((a[pair], b[pair]) for pair in pairs)
    return Agreement(names, pairs, given, only=(len(a) - len(pairs), len(b) - len(pairs)))
