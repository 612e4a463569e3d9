"""Measures of novelty and intents as plain loops from their definitions.

`nuggets` maps each judged document to its nuggets, or to the probability of each. All intents have
equal weight. `gamma` is the probability that a nugget is wanted, for all nuggets or for each.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tools.vectors.oracles.rankings import (
    WITHOUT_RELEVANT,
    Number,
    added,
    average_precision,
    discounted,
    divided,
    ndcg,
    precision,
)

Nuggets = Mapping[str, Sequence[str] | Mapping[str, float]]


def known(nuggets: Nuggets) -> list[str]:
    """The nuggets that some judged document holds."""
    return sorted({n for held in nuggets.values() for n in held})


def certainty(nuggets: Nuggets, document: str, nugget: str) -> Fraction:
    """How likely a document holds a nugget."""
    held = nuggets.get(document, ())
    return Fraction(held.get(nugget, 0) if isinstance(held, Mapping) else nugget in held)


def wanted(gamma: Any, nugget: str) -> Fraction:
    """How likely a nugget is wanted."""
    return Fraction(gamma[nugget] if isinstance(gamma, Mapping) else gamma)


def faded(
    ranking: Sequence[str], nuggets: Nuggets, left: Fraction, gamma: Any = 1
) -> list[Fraction]:
    """The worth of each document: of each nugget, less what documents above have shown of it."""
    found = []
    for place, document in enumerate(ranking):
        gain = Fraction(0)
        for n in nuggets.get(document, ()):
            worth = wanted(gamma, n) * certainty(nuggets, document, n)
            for above in ranking[:place]:
                worth *= 1 - (1 - left) * certainty(nuggets, above, n)
            gain += worth
        found.append(gain)
    return found


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
        if conventions.get("depth") == "as_long":
            last = len(ranking) if k is None else min(k, len(ranking))
        best = ideal_ranking(nuggets, last, left, conventions["ideal"], worth, gamma)
        below = worth(faded(best, nuggets, left, gamma)[:last])
    return divided(above, below) if below else WITHOUT_RELEVANT[conventions["no_relevant"]]


def alpha_dcg(ranking: Sequence[str], nuggets: Nuggets, k: int | None, **by: Any) -> Number:
    """Gains that fade by 1 - alpha, discounted; alpha-nDCG if an ideal is named."""
    left = 1 - Fraction(by["alpha"])

    def worth(gains: Sequence[Fraction]) -> Number:
        return discounted(gains, by["discount"])

    depth = max(1, len(ranking)) if k is None else k
    every = sum((wanted(by.get("gamma", 1), n) for n in known(nuggets)), Fraction(0))
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
    return Fraction(len({n for d in ranking[:k] for n in nuggets.get(d, ())}), len(known(nuggets)))


def d_sharp(
    ranking: Sequence[str],
    nuggets: Nuggets,
    k: int | None,
    *,
    gamma: str,
    no_relevant: str,
    **by: Any,
) -> Number:
    """Intent recall and the nDCG of the gains over all intents, by gamma."""
    intents = known(nuggets)
    recall = subtopic_recall(ranking, nuggets, k, rel=1, no_relevant=no_relevant)
    if not intents:
        return recall
    gains = {d: Fraction(len(held), len(intents)) for d, held in nuggets.items()}
    above = discounted([gains.get(d, Fraction(0)) for d in ranking[:k]], by["discount"])
    below = discounted(sorted(gains.values(), reverse=True)[:k], by["discount"])
    share = Fraction(gamma)
    parts: list[tuple[Fraction, Number]] = [(share, recall), (1 - share, divided(above, below))]
    return added(divided(value, 1 / weight) for weight, value in parts)


def still_wanted(
    ranking: Sequence[str], nuggets: Nuggets, k: int | None, *, alpha: str, gamma: Any, rel: int
) -> Number:
    """1 less the probability that no nugget of the last document is held and wanted."""
    del rel  # held or not
    last = len(ranking) if k is None else k
    if not 0 < last <= len(ranking):
        return Fraction(0)
    right, miss = Fraction(alpha), Fraction(1)
    for nugget in nuggets.get(ranking[last - 1], ()):
        still = wanted(gamma, nugget)
        for above in ranking[: last - 1]:
            still *= 1 - right * certainty(nuggets, above, nugget)
        miss *= 1 - still * right * certainty(nuggets, ranking[last - 1], nugget)
    return 1 - miss


def over_intents(metric: Callable[..., Number]) -> Callable[..., Number]:
    """The mean over intents of a metric with the judgments of one intent."""

    def mean(ranking: Sequence[str], nuggets: Nuggets, k: int | None, **by: Any) -> Number:
        found = []
        for intent in known(nuggets):
            grades = {d: int(intent in held) for d, held in nuggets.items()}
            found.append(metric([grades.get(d) for d in ranking], list(grades.values()), k, **by))
        return divided(added(found), Fraction(max(1, len(found))))

    return mean


def _ndcg(*given: Any, gain: str, discount: str) -> Number:
    return ndcg(*given, gain_=gain, discount=discount)


NUGGET_ORACLES: dict[str, Callable[..., Number]] = {
    "alpha-DCG": alpha_dcg,
    "alpha-nDCG": alpha_dcg,
    "ERR-IA": err_ia,
    "NRBP": nrbp,
    "S-recall": subtopic_recall,
    "P-IA": over_intents(precision),
    "AP-IA": over_intents(average_precision),
    "nDCG-IA": over_intents(_ndcg),
    "D#-nDCG": d_sharp,
    "relevance-probability": still_wanted,
}
