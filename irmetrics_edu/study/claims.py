"""Which of the document's claims hold here: each is a set of cases, each case is decided by users.

A case is a mean over users of something that the claim says is above 0. It holds if the 95 %
confidence interval of the mean lies above 0, fails if it lies below, and is open otherwise. It has
to clear 0 by more than a millionth of its width, and by more than rounding: where an interval ends
at 0, the case is open, on every machine.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import Array
from irmetrics_edu.study.diversity import CORRECTS, DIVERSITY, Study
from irmetrics_edu.study.rankers import BASE, DIVERSIFIERS

HOLDS, FAILS, OPEN = "holds", "fails", "open"
_Z = 1.959964  # of the normal distribution, for 95 %
_MARGIN = 1e-6  # of the width of an interval: by less than this it does not clear 0


@dataclass(frozen=True)
class Case:
    """One place where a claim can hold or fail: its mean over users, with the interval."""

    where: str
    mean: float
    low: float
    high: float

    @property
    def outcome(self) -> str:
        """Whether the claim holds, fails or is open here."""
        margin = max(TOLERANCE, _MARGIN * (self.high - self.low))
        return HOLDS if self.low > margin else FAILS if self.high < -margin else OPEN


@dataclass(frozen=True)
class Claim:
    """What the document says, and in which cases it holds here."""

    id: str
    says: str
    measured: str
    cases: tuple[Case, ...]

    def count(self, outcome: str) -> int:
        """How many cases came out so."""
        return sum(case.outcome == outcome for case in self.cases)

    @property
    def verdict(self) -> str:
        """Whether it holds in every case, in every one that is decided, in part, or not."""
        holds, fails = self.count(HOLDS), self.count(FAILS)
        if not holds and not fails:
            return "open"
        if not fails:
            return "holds" if holds == len(self.cases) else "holds where decided"
        return "holds in part" if holds else "does not hold"

    @property
    def summary(self) -> str:
        """The verdict with its counts."""
        said = f"{self.verdict}: {self.count(HOLDS)} of {len(self.cases)} cases"
        for outcome, word in ((FAILS, "against"), (OPEN, "open")):
            if self.count(outcome):
                said += f", {self.count(outcome)} {word}"
        return said


def case(where: str, values: Array) -> Case:
    """The mean of values over users, with its 95 % confidence interval (normal).

    >>> case("here", np.array([1.0, 2.0, 3.0, 2.0])).outcome
    'holds'
    """
    # Rounding is no evidence: lists that score alike are open.
    values = np.where(np.abs(values) < TOLERANCE, 0.0, values)
    mean = float(values.mean())
    half = _Z * float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else np.inf
    return Case(where, mean, mean - half, mean + half)


def claims(of: Study) -> list[Claim]:
    """The document's claims in its order, each measured over users, cut-offs and diversifiers."""
    return [
        Claim(
            "diversity up",
            "Diversifiers raise CC, ILAD and ILMD of the whole list over LightGCN.",
            "score less LightGCN's",
            tuple(_each(of, DIVERSITY, of.gain)),
        ),
        Claim(
            "not among effective items",
            "Among the effective items alone they gain nothing: they are less diverse.",
            "LightGCN's score less theirs, effective items only (fewer than two: distance 0)",
            tuple(_each(of, DIVERSITY, lambda r, m, k: -of.gain(r, m, k, effective=True))),
        ),
        Claim(
            "positive group is small",
            "Users with Recall above 0 are a minority under diversifiers.",
            "share of users with Recall = 0 less share with Recall > 0",
            tuple(case(f"{r} @{k}", np.where(of.positive(r, k), -1.0, 1.0)) for r, k in _pairs(of)),
        ),
        Claim(
            "positive group shrinks",
            "Diversifiers have fewer users with Recall above 0 than LightGCN.",
            "share of users under LightGCN less share under the diversifier",
            tuple(
                case(
                    f"{r} @{k}",
                    of.positive(BASE, k).astype(float) - of.positive(r, k).astype(float),
                )
                for r, k in _pairs(of)
            ),
        ),
        Claim(
            "gain where nothing hits",
            "Diversity grows mostly among users with Recall = 0.",
            "gain of users with Recall = 0 less gain of the others, where the gain is above 0",
            tuple(
                case(f"{r} {m}@{k}", np.where(of.positive(r, k), -gain, gain))
                for r, k in _pairs(of)
                for m in DIVERSITY
                if case("", gain := of.gain(r, m, k)).outcome == HOLDS
            ),
        ),
        Claim(
            "order turned round",
            "By DCC, FDCC and DILAD the diversifiers, ahead by CC and ILAD, fall behind LightGCN.",
            "LightGCN's score less theirs, where CC or ILAD puts them ahead",
            tuple(
                case(f"{r} {aware}@{k}", -of.gain(r, aware, k))
                for r, k in _pairs(of)
                for aware, old in CORRECTS.items()
                if case("", of.gain(r, old, k)).outcome == HOLDS
            ),
        ),
        Claim(
            "coefficient exists",
            f"A discount coefficient meets all conditions for {of.settings.tau:g} of the lists.",
            "1 if it does at the precision observed, else -1 (no sampling: decided exactly)",
            tuple(
                Case(f"{c.symbol}@{k}", *(3 * (1.0 if c.feasible else -1.0,)))
                for k in of.settings.cutoffs
                for c in of.coefficients[k]
            ),
        ),
    ]


def _pairs(of: Study) -> Iterator[tuple[str, int]]:
    for k in of.settings.cutoffs:
        for ranker in DIVERSIFIERS:
            yield ranker, k


def _each(
    of: Study, metrics: tuple[str, ...], values: Callable[[str, str, int], Array]
) -> Iterator[Case]:
    for ranker, k in _pairs(of):
        for metric in metrics:
            yield case(f"{ranker} {metric}@{k}", values(ranker, metric, k))
