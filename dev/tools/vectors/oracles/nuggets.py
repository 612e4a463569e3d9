"""Measures of novelty and intents as plain loops from their definitions.

`nuggets` maps each judged document to its nuggets, or to the grade of each; a grade below 1 is a
probability. Intents have equal weight unless `intents` gives their probabilities. `alpha` and
`gamma` are probabilities of all nuggets or of each: that a held nugget is seen, and that a nugget
is wanted.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dev.tools.vectors.oracles.rankings import (
    WITHOUT_RELEVANT,
    Number,
    added,
    average_precision,
    discounted,
    divided,
    multiplied,
    precision,
)

Nuggets = Mapping[str, Sequence[str] | Mapping[str, float]]


def known(nuggets: Nuggets) -> list[str]:
    """The nuggets that some judged document holds, or may hold."""
    return sorted({n for d, held in nuggets.items() for n in held if grade(nuggets, d, n)})


def grade(nuggets: Nuggets, document: str, nugget: str) -> Any:
    """The grade of a nugget in a document; 1 if only its name is given."""
    held = nuggets.get(document, ())
    return held.get(nugget, 0) if isinstance(held, Mapping) else int(nugget in held)


def certainty(nuggets: Nuggets, document: str, nugget: str) -> Fraction:
    """How likely a document holds a nugget."""
    return Fraction(min(grade(nuggets, document, nugget), 1))


def found(ranking: Sequence[str], nuggets: Nuggets) -> set[str]:
    """The nuggets that some document of a ranking holds for sure."""
    return {n for d in ranking for n in nuggets.get(d, ()) if grade(nuggets, d, n) >= 1}


def of_nugget(number: Any, nugget: str) -> Fraction:
    """The number of a nugget, where there may be one for all."""
    return Fraction(number[nugget] if isinstance(number, Mapping) else number)


def faded(
    ranking: Sequence[str], nuggets: Nuggets, left: Fraction, gamma: Any = 1
) -> list[Fraction]:
    """The worth of each document: of each nugget, less what documents above have shown of it."""
    gains = []
    for place, document in enumerate(ranking):
        gain = Fraction(0)
        for n in nuggets.get(document, ()):
            worth = of_nugget(gamma, n) * certainty(nuggets, document, n)
            for above in ranking[:place]:
                worth *= 1 - (1 - left) * certainty(nuggets, above, n)
            gain += worth
        gains.append(gain)
    return gains


def ideal_ranking(
    nuggets: Nuggets,
    k: int | None,
    left: Fraction,
    how: str,
    worth: Callable[..., Number],
    gamma: Any = 1,
) -> list[str]:
    """The best order of the judged, found greedily or by trying them all."""
    if how == "exact":
        depth = len(nuggets) if k is None else min(k, len(nuggets))
        orders = [list(o) for o in itertools.permutations(sorted(nuggets), depth)]
        return max(orders, key=lambda order: worth(faded(order, nuggets, left, gamma)))
    rest, chosen = sorted(nuggets, reverse=how == "ndeval"), list[str]()
    while rest:
        best = max(
            rest, key=lambda d: faded([*chosen, d], nuggets, left, gamma)[-1]
        )  # the first of equals
        chosen.append(best)
        rest.remove(best)
    return chosen


def normalised(
    ranking: Sequence[str],
    nuggets: Nuggets,
    k: int | None,
    left: Fraction,
    worth: Callable[..., Number],
    conventions: Mapping[str, Any],
    perfect: Number,
) -> Number:
    """The discounted worth of a ranking over what the conventions say."""
    gamma = conventions.get("gamma", 1)
    above = worth(faded(ranking, nuggets, left, gamma)[:k])
    how = conventions.get("normalisation", "collection_dependent")
    if how == "none":
        return above
    below = perfect
    if how == "collection_dependent":
        last = k
        best = ideal_ranking(nuggets, last, left, conventions["ideal"], worth, gamma)
        below = worth(faded(best, nuggets, left, gamma)[:last])
    return divided(above, below) if below else WITHOUT_RELEVANT[conventions["no_relevant"]]


def alpha_dcg(ranking: Sequence[str], nuggets: Nuggets, k: int | None, **by: Any) -> Number:
    """Gains that fade by 1 - alpha, discounted; alpha-nDCG if an ideal is named."""
    left = 1 - Fraction(by["alpha"])

    def worth(gains: Sequence[Fraction]) -> Number:
        return discounted(gains, by["discount"])

    depth = max(1, len(ranking)) if k is None else k
    every = sum((of_nugget(by.get("gamma", 1), n) for n in known(nuggets)), Fraction(0))
    perfect = worth([every * left**i for i in range(depth)])
    return normalised(ranking, nuggets, k, left, worth, by, perfect)


def err_ia(ranking: Sequence[str], nuggets: Nuggets, k: int | None, **by: Any) -> Number:
    """With grades 0 and 1: a nugget stops its reader with probability 1/2."""
    intents, half = known(nuggets), Fraction(1, 2)

    def worth(gains: Sequence[Fraction]) -> Number:
        each = half / max(1, len(intents))
        return discounted([each * g for g in gains], "reciprocal")

    depth = max(1, len(ranking)) if k is None else k
    perfect = worth([len(intents) * half**i for i in range(depth)])
    return normalised(ranking, nuggets, k, half, worth, by, perfect)


def nrbp(ranking: Sequence[str], nuggets: Nuggets, k: int | None, **by: Any) -> Number:
    """Gains that fade by 1 - alpha; the reader goes on with probability beta."""
    left, beta, intents = 1 - Fraction(by["alpha"]), Fraction(by["beta"]), known(nuggets)

    def worth(gains: Sequence[Fraction]) -> Number:
        return added(g * beta**i / max(1, len(intents)) for i, g in enumerate(gains))

    perfect = (1 if intents else 0) / (1 - left * beta)
    return normalised(ranking, nuggets, k, left, worth, by, perfect)


def subtopic_recall(
    ranking: Sequence[str], nuggets: Nuggets, k: int | None, *, rel: int, no_relevant: str
) -> Number:
    """The share of nuggets that are found."""
    del rel  # held or not
    if not known(nuggets):
        return WITHOUT_RELEVANT[no_relevant]
    return Fraction(len(found(ranking[:k], nuggets)), len(known(nuggets)))


def still_wanted(
    ranking: Sequence[str], nuggets: Nuggets, k: int | None, *, alpha: Any, gamma: Any, rel: int
) -> Number:
    """1 less the probability that no nugget of the last document is held and wanted."""
    del rel  # held or not
    last = len(ranking) if k is None else k
    if not 0 < last <= len(ranking):
        return Fraction(0)
    miss = Fraction(1)
    for nugget in nuggets.get(ranking[last - 1], ()):
        right, still = of_nugget(alpha, nugget), of_nugget(gamma, nugget)
        for above in ranking[: last - 1]:
            still *= 1 - right * certainty(nuggets, above, nugget)
        miss *= 1 - still * right * certainty(nuggets, ranking[last - 1], nugget)
    return 1 - miss


def over_intents(metric: Callable[..., Number]) -> Callable[..., Number]:
    """The mean over intents of a metric with the judgments of one intent."""

    def mean(
        ranking: Sequence[str],
        nuggets: Nuggets,
        k: int | None,
        *,
        intents: Mapping[str, Fraction] | None = None,
        **by: Any,
    ) -> Number:
        shares = intents or dict.fromkeys(known(nuggets), Fraction(1))
        values = []
        for intent, share in shares.items():
            grades = {d: grade(nuggets, d, intent) for d in nuggets}
            value = metric([grades.get(d) for d in ranking], list(grades.values()), k, **by)
            values.append(multiplied(share, value))
        return divided(added(values), sum(shares.values(), Fraction(0)) or Fraction(1))

    return mean


NUGGET_ORACLES: dict[str, Callable[..., Number]] = {
    "alpha-DCG": alpha_dcg,
    "alpha-nDCG": alpha_dcg,
    "ERR-IA": err_ia,
    "NRBP": nrbp,
    "S-recall": subtopic_recall,
    "P-IA": over_intents(precision),
    "AP-IA": over_intents(average_precision),
    "relevance-probability": still_wanted,
}
