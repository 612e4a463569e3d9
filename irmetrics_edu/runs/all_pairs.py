"""Every run against every other, as papers and leaderboards print it: means with letters, tiers.

scores -> p of each pair, corrected -> letters that runs share if they can't be told apart -> table
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.near_ties import exceeds, in_order
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.comparison_notes import UNTESTED
from irmetrics_edu.runs.significance import (
    below,
    holm,
    mean_and_sd,
    p_value,
    rounding_of,
    settled,
    tukey,
)
from irmetrics_edu.views import formatting
from irmetrics_edu.views.result_table import ResultTable, Tabled

HOLM, TUKEY = "holm", "tukey"
CORRECTIONS = (HOLM, TUKEY)


@dataclass(frozen=True, slots=True)
class PairOfRuns:
    """Two runs in one measure: the mean difference, its size in d_z, and p, corrected."""

    measure: str
    run: str
    other: str
    difference: float
    effect: float  # d_z: the mean difference over the standard deviation of differences
    p: float
    corrected: float


@dataclass(frozen=True, repr=False)
class AllPairs(Tabled):
    """Runs compared each with each, measure by measure.

    `means` maps a measure to the mean of each run. `pairs` holds every pair of runs in every
    measure. Two runs differ if their corrected p is below `level`; `how` says what it is.
    """

    means: Mapping[str, Mapping[str, float]]
    pairs: Sequence[PairOfRuns]
    level: float
    how: str
    caption: str
    notes: tuple[str, ...]
    untested: tuple[str, ...] = ()  # measures without a value for each query

    @property
    def _first(self) -> str:
        """The first measure that is tested: tiers are of it."""
        return next(name for name in self.means if name not in self.untested)

    @property
    def runs(self) -> list[str]:
        """The runs, best first in the first measure."""
        mean_of = self.means[self._first]
        return in_order(mean_of, lambda run: mean_of[run])

    def _apart(self, measure: str) -> list[tuple[str, str]]:
        """The pairs of runs that differ in a measure by more than chance."""
        of_measure = (p for p in self.pairs if p.measure == measure)
        return [(p.run, p.other) for p in of_measure if below(p.corrected, self.level)]

    def differ(
        self,
        measure: str,
        run: str,
        other: str,
    ) -> bool:
        """Whether two runs differ in a measure by more than chance."""
        return not {(run, other), (other, run)}.isdisjoint(self._apart(measure))

    def letters(self, measure: str) -> dict[str, str]:
        """The letters of each run: runs that share a letter can't be told apart.

        Source: Piepho (2004), An algorithm for a letter-based representation of all-pairwise
        comparisons, Journal of Computational and Graphical Statistics 13(2).
        """
        means = self.means[measure]
        ranked = in_order(means, lambda run: means[run])
        groups = [frozenset(ranked)]
        for one, other in self._apart(measure):
            groups = _parted(groups, one, other)
        place = {run: i for i, run in enumerate(ranked)}
        groups.sort(key=lambda group: sorted(place[run] for run in group))
        letters = dict.fromkeys(means, "")
        for i, group in enumerate(groups):
            for run in group:
                letters[run] += _letter(i)
        return letters

    def _marks(self, measure: str) -> dict[str, str]:
        """The letters of each run in a measure, or the mark of a measure that is not tested."""
        if measure in self.untested:
            return dict.fromkeys(self.means[measure], UNTESTED)
        return self.letters(measure)

    def tiers(self, measure: str | None = None) -> list[list[str]]:
        """The runs in tiers, best first: a tier ends above the first run that differs from its top.

        So a tier may hold a run that differs from a lower run of it; the letters say so.
        """
        name = self._first if measure is None else measure
        mean_of = self.means[name]
        tiers: list[list[str]] = []
        for run in in_order(mean_of, lambda run: mean_of[run]):
            if tiers and not self.differ(
                name,
                tiers[-1][0],
                run,
            ):
                tiers[-1].append(run)
            else:
                tiers.append([run])
        return tiers

    def table(self, *, digits: int = 4) -> ResultTable:
        """The means with their letters, the best in bold, and the tier in the first measure."""
        tier = {run: i for i, runs in enumerate(self.tiers(), 1) for run in runs}
        letters = {name: self._marks(name) for name in self.means}
        room = {name: max(map(len, by_run.values())) for name, by_run in letters.items()}
        best = {name: max(by_run.values()) for name, by_run in self.means.items()}
        lines = [
            [tier[run], run]
            + [
                formatting.Marked.of(
                    formatting.number(by_run[run], digits),
                    raised=letters[name][run],
                    room=room[name],
                    bold=not exceeds(best[name], by_run[run]),
                )
                for name, by_run in self.means.items()
            ]
            for run in self.runs
        ]
        first = self._first
        notes = (
            f"runs that share a letter can't be told apart: p >= {self.level:g}, {self.how}",
            f"tiers of {first}: a tier ends above the first run that differs from its best run",
            *self.notes,
        )
        return ResultTable(
            ("tier", "run", *self.means),
            lines,
            self.caption,
            notes,
            digits,
        )

    def details(self, *, digits: int = 4) -> ResultTable:
        """A line for each pair of runs in each measure: difference, d_z and p, corrected."""
        header = ("measure", "run", "other", "difference", "d_z", "p", "p corrected")
        lines = [
            [
                p.measure,
                p.run,
                p.other,
                p.difference,
                p.effect,
                p.p,
                p.corrected,
            ]
            for p in self.pairs
        ]
        notes = (
            "difference: the mean of run less that of other",
            "d_z is the mean difference over the standard deviation of differences",
            f"p: {self.how}",
            *self.notes,
        )
        return ResultTable(
            header,
            lines,
            self.caption,
            notes,
            digits,
        )


def _parted(groups: Sequence[frozenset[str]], one: str, other: str) -> list[frozenset[str]]:
    """The groups so that none holds two runs that differ; a group within another goes."""
    parted: dict[frozenset[str], None] = {}
    for group in groups:
        if {one, other} <= group:
            parted[group - {one}] = None
            parted[group - {other}] = None
        else:
            parted[group] = None
    return [group for group in parted if not any(group < larger for larger in parted)]


def _letter(number: int) -> str:
    """A to z, then aa, ab ...; from the second round on in brackets, so that no two read as one."""
    word = ""
    while number >= 0:
        word, number = chr(97 + number % 26) + word, number // 26 - 1
    return word if len(word) == 1 else f"({word})"


def pairs_of(
    measure: str,
    scores: Mapping[str, Array],
    ranked: Sequence[str],
    correction: str,
    test: str,
    **how_often: int,
) -> tuple[list[PairOfRuns], str]:
    """Every pair of runs, `ranked` by their means in a measure, and how p was found."""
    checks.one_of("correction", correction, CORRECTIONS)
    tested = []
    for one, other in combinations(ranked, 2):
        off = rounding_of(scores[one], scores[other])
        tested.append((one, other, settled(scores[one] - scores[other], off), off))
    if correction == TUKEY:
        p, how = tukey(np.array(list(scores.values())).T, **how_often)
        place = {run: i for i, run in enumerate(scores)}
        plain = corrected = [float(p[place[one], place[other]]) for one, other, *_ in tested]
    else:
        plain = [p_value(test, d, off, **how_often) for _, _, d, off in tested]
        corrected = holm(plain)
        how = f"{test} test"
        if len(tested) > 1:
            how += f", corrected by Holm over the {len(tested)} pairs of a measure"
    pairs = []
    for (one, other, d, off), *p_values in zip(tested, plain, corrected, strict=True):
        mean, sd = mean_and_sd(d, off)
        if mean == 0:
            effect = 0.0
        elif sd > 0:
            effect = mean / sd
        else:
            effect = np.nan
        plain_p, adjusted_p = p_values
        pair = PairOfRuns(
            measure,
            one,
            other,
            difference=mean,
            effect=effect,
            p=formatting.PValue(plain_p),
            corrected=formatting.PValue(adjusted_p),
        )
        pairs.append(pair)
    return pairs, how
