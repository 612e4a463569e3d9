"""The least and the greatest score over all orders of ties are those of two conventions."""

import random
from itertools import permutations, product
from typing import Any

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.metrics.notation import parse

MEASURES = [
    "P@3",
    "R@4",
    "Rprec",
    "RR",
    "RR@2",
    "Success@2",
    "CG@3",
    "DCG@4",
    "nDCG@3",
    "nDCG",
    "nDCG(gain=exp)@5",
    "AP",
    "AP@3",
    "bpref",
    "RBP",
    "ERR",
    "F@3",
    "Q",
    "interpolated-AP",
]


def cases() -> list[tuple[dict[str, float], dict[str, int]]]:
    """Small rankings in which most documents are tied."""
    rng = random.Random(7)
    out = []
    for _ in range(8):
        documents = [f"d{i}" for i in range(rng.randint(2, 6))]
        run = {d: float(rng.randint(1, 2)) for d in documents}
        judged = rng.sample(documents, rng.randint(1, len(documents)))
        out.append((run, {**{d: rng.choice([0, 1, 1, 3]) for d in judged}, "elsewhere": 1}))
    return out


def all_scores(metric: Any, run: dict[str, float], judgments: dict[str, int]) -> list[float]:
    """The score of every order of documents that falls in score, by brute force."""
    levels = sorted(set(run.values()), reverse=True)
    ties = [list(permutations([d for d in run if run[d] == level])) for level in levels]
    rankings = [[d for part in parts for d in part] for parts in product(*ties)]
    return [metric(ranking, judgments) for ranking in rankings]


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("case", range(8))
def test_the_worst_and_the_best_order_bound_all_permutations(name: str, case: int) -> None:
    """Over every permutation within ties, for measures that a better order never lowers."""
    run, judgments = cases()[case]
    scores = all_scores(parse(name), run, judgments)
    for ties, expected in (("pessimistic", min(scores)), ("optimistic", max(scores))):
        found = evaluate({"q": run}, {"q": judgments}, name, "irmetrics_edu", ties=ties)
        assert found[name] == pytest.approx(expected, abs=1e-12)
