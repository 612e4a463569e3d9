"""The spread of scores over orders of ties is that of all permutations, tried one by one."""

import random
from itertools import permutations, product
from typing import Any

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.definition import parse

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
    "infAP",
    "RBP",
    "ERR",
    "F@3",
    "Judged@3",
    "Q",
    "AP(divisor=hits)@3",
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
def test_the_spread_is_that_of_all_permutations(
    name: str, case: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Least, mean and greatest are those over every permutation within ties."""
    run, judgments = cases()[case]
    scores = all_scores(parse(name), run, judgments)
    found = evaluate({"q": run}, {"q": judgments}, name, "irmetrics_edu").tie_spread(name, "q")
    assert found.least == pytest.approx(min(scores), abs=1e-12)
    assert found.greatest == pytest.approx(max(scores), abs=1e-12)
    assert found.mean == pytest.approx(sum(scores) / len(scores), abs=1e-12)
    # Where no trying is allowed, what is still said is the same; else it is said to be unknown.
    monkeypatch.setattr("irmetrics_edu.tie_spread.MOST_ORDERS", 0)
    told = evaluate({"q": run}, {"q": judgments}, name, "irmetrics_edu").tie_spread(name, "q")
    for value, expected in (
        (told.least, min(scores)),
        (told.greatest, max(scores)),
        (told.mean, sum(scores) / len(scores)),
    ):
        assert value is None or value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["P@10", "R@10", "RR", "Success@5", "nDCG@10", "AP", "AP@10"])
def test_long_ties_have_an_exact_expectation(name: str) -> None:
    """A tie of 60 documents, which no one can try in all orders, has its spread all the same."""
    run = {f"d{i:02}": 1.0 for i in range(60)}
    judgments = {f"d{i:02}": i % 3 for i in range(30)}
    e = evaluate({"q": run}, {"q": judgments}, name)
    found = e.tie_spread(name, "q")
    rng = random.Random(1)
    metric = parse(name)
    sampled = [metric(rng.sample(sorted(run), 60), judgments) for _ in range(3000)]
    assert found.mean == pytest.approx(sum(sampled) / len(sampled), abs=0.02)
    assert found.least <= min(sampled)
    assert found.greatest >= max(sampled)
    assert found.tied == 60


def test_without_ties_there_is_no_spread() -> None:
    """Scores that differ leave one order, and a list of ids is one."""
    for run in ({"a": 2.0, "b": 1.0}, ["a", "b"]):
        found = evaluate({"q": run}, {"q": {"b": 1}}, "AP").tie_spread("AP", "q")
        assert (found.least, found.mean, found.greatest, found.tied) == (0.5, 0.5, 0.5, 0)
