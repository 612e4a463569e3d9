"""Which claims about diversifiers hold here: each is a set of cases, each case is decided by users.

Three of them are on slide 10 of document 002, one is in the abstract of the paper that the slides
are about, and three are our own questions.

A case is a mean over users of something that the claim says is above 0. It holds if the 95 %
confidence interval of the mean is above 0, fails if it is below 0, and is open otherwise. The
interval has to clear 0 by more than a millionth of its width, and by more than rounding. If an
interval ends at 0, the case is open, on every machine. If a case depends on a discount coefficient
that does not exist, it is infeasible: it counts neither for the claim nor against it.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from irmetrics_edu.lab.study.diversity_study import Study
from irmetrics_edu.lab.study.scoring import CORRECTS, DIVERSITY
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.intervals import student

HOLDS = "holds"
FAILS = "fails"
OPEN = "open"
INFEASIBLE = "infeasible"
_Z = 1.959964  # of the normal distribution, for 95 %
_MARGIN = 1e-6  # of the width of an interval: by less than this it does not clear 0


@dataclass(frozen=True)
class ClaimPlace:
    """A place where a claim can hold or fail: its mean over users, with the interval."""

    where: str
    mean: float
    low: float
    high: float
    feasible: bool = True

    @property
    def outcome(self) -> str:
        """Whether the claim holds, fails, is open or can't be asked here."""
        if not self.feasible:
            return INFEASIBLE
        margin = max(TOLERANCE, _MARGIN * (self.high - self.low))
        if self.low > margin:
            return HOLDS
        if self.high < -margin:
            return FAILS
        return OPEN


@dataclass(frozen=True)
class Claim:
    """A claim, whose it is, and in which cases it holds here."""

    id: str
    source: str
    says: str
    cases: tuple[ClaimPlace, ...]

    def count(self, outcome: str) -> int:
        """How many cases have this outcome."""
        return sum(case.outcome == outcome for case in self.cases)

    @property
    def asked(self) -> int:
        """How many cases there are, without those that are infeasible."""
        return len(self.cases) - self.count(INFEASIBLE)

    @property
    def verdict(self) -> str:
        """Whether it holds in every case, in every decided case, in part, or not."""
        holds = self.count(HOLDS)
        fails = self.count(FAILS)
        if self.cases and not self.asked:
            return "infeasible"
        if not holds and not fails:
            return "open"
        if not fails:
            return "holds" if holds == self.asked else "holds where decided"
        return "holds in part" if holds else "does not hold"

    @property
    def summary(self) -> str:
        """The verdict with its counts."""
        summary = f"{self.verdict}: {self.count(HOLDS)} of {self.asked} cases"
        for outcome, word in ((FAILS, "against"), (OPEN, "open"), (INFEASIBLE, "infeasible")):
            if self.count(outcome):
                summary += f", {self.count(outcome)} {word}"
        return summary


def case(where: str, values: Array, seeds: int = 1) -> ClaimPlace:
    """The mean of values over users and seeds, with its 95 % confidence interval.

    `values` are those of the first seed, then of the next. The half width is the root of two
    squares: of the normal interval over users, each with the mean over seeds, and of Student's
    interval over the means of the seeds. A single seed gives no second part.

    >>> case("here", np.array([1.0, 2.0, 3.0, 2.0])).outcome
    'holds'
    """
    # Rounding is no evidence: lists that score alike are open.
    table = np.where(np.abs(values) < TOLERANCE, 0.0, values).reshape(seeds, -1)
    half = _half(table.mean(axis=0), _Z)
    if seeds > 1:
        quantile = student(0.025, seeds - 1)
        of_seeds = _half(table.mean(axis=1), quantile)
        half = float(np.hypot(half, of_seeds))
    mean = float(table.mean())
    return ClaimPlace(where, mean, mean - half, mean + half)


def _half(values: Array, quantile: float) -> float:
    """Half the width of the interval of a mean."""
    if len(values) < 2:
        return float("inf")
    return quantile * float(values.std(ddof=1)) / math.sqrt(len(values))


OURS = "our question"
_SLIDE, _ABSTRACT = "document 002, slide 10", "abstract of the paper"


def claims(study: Study) -> list[Claim]:
    """What is claimed of diversifiers, each measured over users, cut-offs and diversifiers.

    Sources: the slides of document 002; the abstract of On evaluation metrics for
    diversity-enhanced recommendations (2024), CIKM, doi:10.1145/3627673.3679629, by which the gains
    of diversifiers are "limited and even negative" by the new measures.
    """
    return [
        _diversity_up(study),
        _not_among_effective_items(study),
        _positive_group_is_small(study),
        _positive_group_shrinks(study),
        _gain_where_nothing_hits(study),
        _order_turned_round(study),
        _coefficient_exists(study),
    ]


def _diversity_up(study: Study) -> Claim:
    return Claim(
        "diversity up",
        OURS,
        f"Diversifiers raise CC, ILAD and ILMD of the whole list over {study.base}.",
        tuple(_each(study, DIVERSITY, study.gain)),
    )


def _not_among_effective_items(study: Study) -> Claim:
    def loss(ranker: str, metric: str, k: int) -> Array:
        return -study.gain(ranker, metric, k, effective=True)

    return Claim(
        "not among effective items",
        OURS,
        f"Among the effective items alone diversifiers are less diverse than {study.base}.",
        tuple(_each(study, DIVERSITY, loss)),
    )


def _positive_group_is_small(study: Study) -> Claim:
    def without_hit(ranker: str, _: str, k: int) -> Array:
        return np.where(study.positive(ranker, k), -1.0, 1.0)

    return Claim(
        "positive group is small",
        _SLIDE,
        "Users with Recall above 0 are a minority under diversifiers.",
        tuple(_each(study, ("",), without_hit)),
    )


def _positive_group_shrinks(study: Study) -> Claim:
    def lost(ranker: str, _: str, k: int) -> Array:
        difference: Array = 1.0 * study.positive(study.base, k) - study.positive(ranker, k)
        return difference

    return Claim(
        "positive group shrinks",
        _SLIDE,
        f"Fewer users have Recall above 0 than with {study.base} (the slide: DGRec).",
        tuple(_each(study, ("",), lost)),
    )


def _gain_where_nothing_hits(study: Study) -> Claim:
    cases = []
    for ranker, k in _pairs(study):
        sign = np.where(study.positive(ranker, k), -1, 1)
        for metric in DIVERSITY:
            if _ahead(study, ranker, metric, k):
                gain = study.gain(ranker, metric, k)
                cases.append(case_of(study, f"{ranker} {metric}@{k}", gain * sign))
    return Claim(
        "gain where nothing hits",
        _SLIDE,
        "Diversity grows mostly among users with Recall = 0.",
        tuple(cases),
    )


def _order_turned_round(study: Study) -> Claim:
    cases = []
    for ranker, k in _pairs(study):
        for aware, corrected in CORRECTS.items():
            if not _ahead(study, ranker, corrected, k):
                continue
            where = f"{ranker} {aware}@{k}"
            if study.has(aware, k):
                cases.append(case_of(study, where, -study.gain(ranker, aware, k)))
            else:
                cases.append(_infeasible(where))
    return Claim(
        "order turned round",
        _ABSTRACT,
        f"By DCC, FDCC and DILAD they fall behind {study.base} (abstract: gains even negative).",
        tuple(cases),
    )


def _infeasible(where: str) -> ClaimPlace:
    """A case that needs a coefficient which does not exist."""
    return ClaimPlace(
        where,
        np.nan,
        np.nan,
        np.nan,
        feasible=False,
    )


def _coefficient_exists(study: Study) -> Claim:
    cases = []
    for k in study.settings.cutoffs:
        for coefficient in study.coefficients[k]:
            tuning = coefficient.tuning
            sign = 1.0 if tuning.feasible else -1.0
            cases.append(ClaimPlace(f"{tuning.symbol}@{k}", sign, sign, sign))
    return Claim(
        "coefficient exists",
        OURS,
        f"A discount coefficient meets all conditions for {study.settings.tau:g} of the lists.",
        tuple(cases),
    )


def case_of(study: Study, where: str, values: Array) -> ClaimPlace:
    """The case of a number for each user of a study, and for each of its seeds."""
    return case(where, values, study.seeds)


def _pairs(study: Study) -> Iterator[tuple[str, int]]:
    for k in study.settings.cutoffs:
        for ranker in study.compared:
            yield ranker, k


def _ahead(study: Study, ranker: str, metric: str, k: int) -> bool:
    """Whether a ranker gains beyond chance."""
    return case_of(study, "", study.gain(ranker, metric, k)).outcome == HOLDS


def _each(
    study: Study,
    metrics: tuple[str, ...],
    values: Callable[[str, str, int], Array],
) -> Iterator[ClaimPlace]:
    for ranker, k in _pairs(study):
        for metric in metrics:
            yield case_of(
                study,
                f"{ranker} {metric}@{k}",
                values(ranker, metric, k),
            )


COUNTS = "counts"  # the hits are more diverse too
EMPTY = "does not count"  # the hits are less diverse
UNDECIDED = "undecided"  # the hits gain and lose nothing beyond chance
NO_GAIN = "no gain"  # beyond chance
LESS = "less diverse"
# What an interval of the gain, and one of the gain among the hits, amount to.
_OF_HITS = {HOLDS: COUNTS, FAILS: EMPTY}


@dataclass(frozen=True)
class JudgingGain:
    """How to judge a gain in a diversity metric.

    `gain` is that of the whole lists over the base, and `of_hits` that of the hits alone.
    `share_without` is the part of the gain that comes from users without a hit. `users_without` is
    their share of all users. The two shares are equal if a user without a hit gains as much as any
    other. They are None if nothing is gained.
    """

    ranker: str
    metric: str
    k: int
    gain: ClaimPlace
    of_hits: ClaimPlace
    share_without: float | None
    users_without: float

    @property
    def answer(self) -> str:
        """The answer in words."""
        if self.gain.outcome == HOLDS:
            return _OF_HITS.get(self.of_hits.outcome, UNDECIDED)
        return LESS if self.gain.outcome == FAILS else NO_GAIN


def answers(study: Study) -> Iterator[JudgingGain]:
    """The answers of a study, by cut-off, ranker and measure."""
    for ranker, k in _pairs(study):
        without = ~study.positive(ranker, k)
        for metric in DIVERSITY:
            where = f"{ranker} {metric}@{k}"
            gain = study.gain(ranker, metric, k)
            gained = gain.mean() > TOLERANCE
            yield JudgingGain(
                ranker=ranker,
                metric=metric,
                k=k,
                gain=case_of(study, where, gain),
                of_hits=case_of(
                    study,
                    where,
                    study.gain(ranker, metric, k, effective=True),
                ),
                share_without=float(gain[without].sum()) / float(gain.sum()) if gained else None,
                users_without=float(without.mean()),
            )
