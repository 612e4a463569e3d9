"""RBO that stops at the end of the lists, or that weighs all depths alike."""

from functools import partial

import numpy as np

from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.rank_similarity import rbo
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Working

of_rbo = partial(mistake, read="Webber, Moffat & Zobel (2010), equation 32")

of_rbo(
    "rbo-without-the-tail",
    "RBO that ends with the lists: nothing is assumed of what may follow",
    why="The weights of the depths that are there add up to less than 1, so even two equal lists "
    "stay below 1. The extrapolated form assumes the agreement at the end for what follows.",
).of_score(
    rbo, lambda found: found.score - found["weight below"] * found["agreement at the end"], "p"
)


def _average(right: Working) -> Array:
    """The mean agreement over the depths down to the end of the longer list."""
    query = right.table.query
    depths = np.bincount(query, minlength=len(right.score))
    whole = np.bincount(query, weights=right["agreement"], minlength=len(right.score))
    return whole / depths


of_rbo(
    "rbo-of-equal-weights",
    "average overlap: the mean agreement over all depths, without the weights of RBO",
    why="A reader goes on from each depth with probability p, so a shallow depth weighs more. "
    "Average overlap has no p, and changes with the length of the lists.",
).of_score(rbo, _average, "p")
