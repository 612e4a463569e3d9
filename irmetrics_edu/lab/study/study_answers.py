"""Is it diversity that counts? An answer for each ranker, measure and cut-off.

A list may be more diverse because of its hits, or because of its other items. So the answer shows
the gain of the whole lists, the gain of the hits alone, and where the gain comes from.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from irmetrics_edu.lab.study.claims import FAILS, HOLDS, Case, case_of
from irmetrics_edu.lab.study.diversity_study import CORRECTS, DIVERSITY, Study
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.views.formatting import steady

COUNTS = "counts"  # the hits are more diverse too
EMPTY = "does not count"  # the hits are less diverse
UNDECIDED = "undecided"  # the hits gain and lose nothing beyond chance
NO_GAIN = "no gain"  # beyond chance
LESS = "less diverse"
# What an interval of the gain, and one of the gain among the hits, amount to.
_OF_HITS = {HOLDS: COUNTS, FAILS: EMPTY}


@dataclass(frozen=True)
class Answer:
    """How to judge a gain in a diversity metric.

    `gain` is that of the whole lists over the base, and `of_hits` that of the hits alone.
    `share_without` is the part of the gain that comes from users without a hit. `users_without` is
    their share of all users. The two shares are equal if a user without a hit gains as much as any
    other. They are None if nothing is gained.
    """

    ranker: str
    metric: str
    k: int
    gain: Case
    of_hits: Case
    share_without: float | None
    users_without: float

    @property
    def answer(self) -> str:
        """The answer in words."""
        if self.gain.outcome == HOLDS:
            return _OF_HITS.get(self.of_hits.outcome, UNDECIDED)
        return LESS if self.gain.outcome == FAILS else NO_GAIN


def answers(of: Study) -> Iterator[Answer]:
    """The answers of a study, by cut-off, ranker and measure."""
    for k in of.settings.cutoffs:
        for ranker in of.compared:
            without = ~of.positive(ranker, k)
            for metric in DIVERSITY:
                where, gain = f"{ranker} {metric}@{k}", of.gain(ranker, metric, k)
                gained = gain.mean() > TOLERANCE
                yield Answer(
                    ranker,
                    metric,
                    k,
                    case_of(of, where, gain),
                    case_of(of, where, of.gain(ranker, metric, k, effective=True)),
                    float(gain[without].sum() / gain.sum()) if gained else None,
                    float(without.mean()),
                )


def behind_where(of: Study, ranker: str, metric: str, k: int) -> str:
    """The discount coefficients from 0 to 1 at which a ranker's mean is below the base's, in words.

    The mean gain is a polynomial in the coefficient, so the answer needs no tuned coefficient.
    """
    symbol = "beta" if metric == "DILAD" else "alpha"
    curve = of.gain_curve(ranker, metric, k)
    ends = [0.0, *_roots(curve), 1.0]
    below = [
        (low, high)
        for low, high in pairwise(ends)
        if np.polyval(curve[::-1], (low + high) / 2) < -TOLERANCE
    ]
    if not below:
        return "for none"
    if len(below) == len(ends) - 1:
        return "for all"
    said = []
    for low, high in below:
        start, stop = f"{steady(low):.3g}", f"{steady(high):.3g}"
        said.append(
            f"below {stop}" if low == 0 else f"above {start}" if high == 1 else f"{start} to {stop}"
        )
    return f"{symbol} {' or '.join(said)}"


def _roots(curve: list[float]) -> list[float]:
    """Where a polynomial of degree 1 or 2 is 0 between 0 and 1, in rising order."""
    found = np.roots(np.array(curve[::-1]))
    return sorted(float(r.real) for r in found if abs(r.imag) < TOLERANCE and 0 < r.real < 1)


def order(of: Study) -> Iterator[tuple[str, str, int, str]]:
    """Ranker, measure, cut-off and where it is behind, for all that CC or ILAD ranks ahead."""
    for k in of.settings.cutoffs:
        for ranker in of.compared:
            for aware, old in CORRECTS.items():
                if case_of(of, "", of.gain(ranker, old, k)).outcome == HOLDS:
                    yield ranker, aware, k, behind_where(of, ranker, aware, k)
