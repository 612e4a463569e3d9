"""The study itself: every metric of every user's list, for every ranker, cut-off and seed."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.study.rankers import (
    BASE,
    DIVERSIFIERS,
    Judging,
    Settings,
    Trained,
    trained,
)
from irmetrics_edu.lab.study.scoring import ListScores
from irmetrics_edu.lab.tuning.positive_intervals import at
from irmetrics_edu.lab.tuning.tune import Tuning, tune_alpha, tune_beta
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import steady


@dataclass(frozen=True)
class Coefficient:
    """A discount coefficient at a cut-off: the result of tuning, and the value used.

    `given` is the user's own value, which is used as it is. Without it the value is tuned. If no
    coefficient meets the conditions of all groups up to N_tau, there is none: it is infeasible.
    """

    tuning: Tuning
    given: float | None = None

    @property
    def value(self) -> float | None:
        """The value used: as given, or as tuned; None if it is infeasible."""
        supremum = self.tuning.value
        if self.given is not None or supremum is None:
            return self.given
        return _settled(self.tuning, supremum)

    @property
    def n(self) -> int:
        """The last group whose conditions a tuned coefficient meets."""
        if self.tuning.feasible:
            return self.tuning.n_tau
        return self.tuning.largest_feasible.n

    def __str__(self) -> str:
        tuning = self.tuning
        p = steady(float(self.tuning.p))
        name = f"{tuning.symbol}@{tuning.k}"
        if self.given is not None:
            return f"{name} = {self.given:g}, as given"
        if tuning.feasible:
            return (
                f"{name} = {self.value:.3g}, at precision {p:.4g}: "
                f"N_tau = {tuning.n_tau}, all conditions met"
            )
        covered = steady(float(tuning.groups[self.n].cumulative))
        return (
            f"{name} is infeasible: at precision {p:.4g} no value meets the conditions up to "
            f"N_tau = {tuning.n_tau} (tau = {float(tuning.tau):g}); those up to N = {self.n} can "
            f"be met, which hold {covered:.1%} of the lists"
        )


def coefficients(
    hits: int,
    lists: int,
    k: int,
    settings: Judging,
) -> tuple[Coefficient, Coefficient]:
    """Alpha and beta for lists of k items with this many hits in all; or those given.

    Without a hit, or without a miss, no coefficient is feasible at this cut-off.
    """
    p = Fraction(hits, k * lists)
    tau = Fraction(str(settings.tau))
    alpha = tune_alpha(k, p, tau)
    beta = tune_beta(k, p, tau)
    return Coefficient(alpha, settings.alpha), Coefficient(beta, settings.beta)


def _settled(tuning: Tuning, supremum: Fraction | float) -> float:
    """The largest feasible coefficient; of a supremum that is not attained, just below it."""
    used = supremum if tuning.attained else _just_below(supremum)
    if not all(at(c.polynomial, Fraction(used)) > 0 for c in tuning.conditions):
        raise InputError(
            f"{tuning.symbol}: {float(used):g} just below the supremum misses a condition; "
            "choose tau or the lists so that the feasible set is wider"
        )
    return float(used)


def _just_below(value: Fraction | float) -> Fraction:
    """The number rounded down to three significant digits, and below it."""
    exact = Fraction(value)
    three = Context(prec=3, rounding=ROUND_FLOOR)
    rounded = Fraction(three.create_decimal(repr(float(exact))))
    return rounded if rounded < exact else rounded * Fraction(999, 1000)


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """All scores of a study: a score per user for every ranker, metric and cut-off.

    `scores[ranker, metric, k]` judges the whole list. `effective[ranker, metric, k]` judges only
    the items of it that are among the user's test items. Users are in the order of `users`, all of
    the first seed, then all of the next. `curves` hold DCC, FDCC and DILAD as polynomials in their
    discount coefficient. If the coefficient is infeasible they have no scores. The rankers in
    `compared` are compared with `base`.
    """

    data: Interactions
    settings: Judging
    base: str
    compared: tuple[str, ...]
    users: tuple[Any, ...]
    lists: Mapping[str, Array]  # item numbers, a line for each user; of the first seed
    scores: dict[tuple[str, str, int], Array]
    effective: dict[tuple[str, str, int], Array]
    curves: dict[tuple[str, str, int], Array]
    coefficients: dict[int, tuple[Coefficient, Coefficient]]
    seeds: int = 1

    def __repr__(self) -> str:
        cuts = ", ".join(map(str, self.settings.cutoffs))
        seeds = f", {self.seeds} seeds" if self.seeds > 1 else ""
        return (
            f"<Study of {self.data.name}: {len(self.users):,} users{seeds}, cut-offs {cuts}; "
            f"{', '.join(self.compared)} against {self.base}>"
        )

    def has(self, metric: str, k: int) -> bool:
        """Whether there are scores of the metric: none if its coefficient is infeasible."""
        return (self.base, metric, k) in self.scores

    def mean(
        self,
        ranker: str,
        metric: str,
        k: int,
        *,
        effective: bool = False,
    ) -> float:
        """The mean over users."""
        return float((self.effective if effective else self.scores)[ranker, metric, k].mean())

    def positive(self, ranker: str, k: int) -> Array:
        """Which users have Recall above 0: the positive group."""
        above: Array = self.scores[ranker, "Recall", k] > 0
        return above

    def gain(
        self,
        ranker: str,
        metric: str,
        k: int,
        *,
        effective: bool = False,
    ) -> Array:
        """By how much each user's list scores above the base's."""
        table = self.effective if effective else self.scores
        difference: Array = table[ranker, metric, k] - table[self.base, metric, k]
        return difference


def study_diversity(
    data: Interactions,
    settings: Settings | None = None,
    *,
    progress: bool = False,
) -> Study:
    """A diversity study trains six rankers and measures every user's list with every metric.

    The six are LightGCN, popularity, chance, MMR, DPP and DGRec. Without `settings` they have the
    defaults of `Settings`. With `progress` each step that is done is a line on stderr. Needs the
    extra `lab`.

    Source: On evaluation metrics for diversity-enhanced recommendations (2024), CIKM,
    doi:10.1145/3627673.3679629.
    """
    settings = settings or Settings()
    seeds = []
    for seed in range(settings.seed, settings.seed + settings.seeds):

        def report(step: str, seed: int = seed) -> None:
            if progress:
                sys.stderr.write(f"seed {seed}: {step}\n")

        seeds.append(trained(data, settings, seed, report))
    return assembled(data, settings, seeds, BASE, DIVERSIFIERS)


def _joined(
    seeds: Sequence[Trained], table: Callable[[ListScores], Mapping[tuple[str, int], Array]]
) -> dict[tuple[str, str, int], Array]:
    """A table of the scores of each seed, one seed after another, by the name of the ranker."""
    joined = {}
    for name, scores in seeds[0].scores.items():
        for measure, k in table(scores):
            of_seeds = [table(trained.scores[name])[measure, k] for trained in seeds]
            joined[name, measure, k] = np.concatenate(of_seeds)
    return joined


def assembled(
    data: Interactions,
    settings: Judging,
    seeds: Sequence[Trained],
    base: str,
    compared: tuple[str, ...],
) -> Study:
    """A study of scored lists: those of each seed, one after another."""
    users = seeds[0].users
    tuned: dict[int, tuple[Coefficient, Coefficient]] = {}
    for k in settings.cutoffs:
        hits = sum(of_seed.scores[base].hits[k] for of_seed in seeds)
        tuned[k] = coefficients(hits, len(seeds) * len(users), k, settings)
    whole = _joined(seeds, lambda scores: scores.whole)
    effective = _joined(seeds, lambda scores: scores.effective)
    curves = _joined(seeds, lambda scores: scores.curves)
    for (name, metric, k), curve in curves.items():
        alpha, beta = (c.value for c in tuned[k])
        used = beta if metric == "DILAD" else alpha
        if used is not None:
            whole[name, metric, k] = (curve * used ** np.arange(curve.shape[1])).sum(axis=1)
    return Study(
        data=data,
        settings=settings,
        base=base,
        compared=compared,
        users=tuple(data.users[u] for u in users.tolist()),
        lists=seeds[0].lists,
        scores=whole,
        effective=effective,
        curves=curves,
        coefficients=tuned,
        seeds=len(seeds),
    )
