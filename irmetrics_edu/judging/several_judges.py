"""Several judges of the same pairs: read from labels, and shown as tables.

How far they agree is computed in `agreement.py`, intervals in `bootstrap.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.judging import judges_tables
from irmetrics_edu.judging.agreement import Agreement, Grades, Pair
from irmetrics_edu.judging.labels import Judged, read_labels
from irmetrics_edu.views.result_table import ResultTable

MOST_JUDGES = 5_000


@dataclass(frozen=True)
class Judges(Agreement):
    """What several judges gave to pairs of query and document, and how far they agree.

    `given` has a grade of each judge for each pair, and None where a judge gave none. Pairs that
    one judge alone judged are left out; `only` counts them for each judge. Raw agreement, Cohen's
    kappa, the table of grades and overlap are of two judges, and an InputError for more. They are
    exact ratios; kappa is None where it is undefined.
    """

    def tables(
        self,
        digits: int = 4,
        runs: Mapping[str, Any] | None = None,
        measures: str | Sequence[str] = (),
    ) -> list[ResultTable]:
        """The result as tables: coefficients, judges, pairs that differ, and runs by each judge.

        Of two sources also how their grades meet, after the coefficients.
        """
        return judges_tables.of(self, digits, runs or {}, measures)


def refuse_many(sources: int) -> None:
    """Refuse more judges than are compared in seconds, each with the mean of the others."""
    if sources > MOST_JUDGES:
        raise InputError(
            f"there are {sources:,} judges, and agreement compares {MOST_JUDGES:,} at most; look "
            "whether the column of judges holds something else, or compare groups of them"
        )


def judges(sources: Mapping[str, Judged]) -> Judges:
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
    refuse_many(len(sources))
    judged_by: dict[Pair, list[float | None]] = {}
    for number, judged in enumerate(sources.values()):
        for query, grades in read_labels(judged).items():
            for document, grade in grades.items():
                line = judged_by.setdefault((query, document), [None] * len(sources))
                line[number] = grade
    kept: dict[Pair, Grades] = {}
    only = [0] * len(sources)
    for pair, line in judged_by.items():
        who = [number for number, grade in enumerate(line) if grade is not None]
        if len(who) > 1:
            kept[pair] = tuple(line)
        else:
            only[who[0]] += 1
    if not kept:
        sizes = zip(sources, only, strict=True)
        many = ", ".join(f"{name} ({pairs:,} pairs)" for name, pairs in sizes)
        raise InputError(
            f"no pair of query and document is judged by two of {many}; compare how they write ids"
        )
    return Judges(tuple(sources), tuple(kept), tuple(kept.values()), tuple(only))
