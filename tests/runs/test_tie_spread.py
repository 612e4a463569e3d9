"""The spread of scores over orders of ties is that of all permutations, tried one by one."""

import random
from itertools import permutations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.runs.tie_spread import _all_orders

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
    monkeypatch.setattr("irmetrics_edu.runs.tie_spread.MOST_ORDERS", 0)
    told = evaluate({"q": run}, {"q": judgments}, name, "irmetrics_edu").tie_spread(name, "q")
    for value, expected in (
        (told.least, min(scores)),
        (told.greatest, max(scores)),
        (told.mean, sum(scores) / len(scores)),
    ):
        assert value is None or value == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["P@10", "R@10", "RR", "Success@5", "nDCG@10", "AP", "AP@10"])
def test_long_ties_have_an_exact_expectation(name: str) -> None:
    """A tie of 60 documents, which no one can try in all orders, has its spread all the same."""
    run = {f"d{i:02}": 1.0 for i in range(60)}
    judgments = {f"d{i:02}": i % 3 for i in range(30)}
    e = evaluate({"q": run}, {"q": judgments}, name)
    found = e.tie_spread(name, "q")
    rng = random.Random(1)
    orders = {f"order {n}": rng.sample(sorted(run), 60) for n in range(3000)}
    tried = evaluate(orders, dict.fromkeys(orders, judgments), name)
    sampled = list(tried.per_query[name].values())
    assert found.mean == pytest.approx(sum(sampled) / len(sampled), abs=0.02)
    assert found.least <= min(sampled)
    assert found.greatest >= max(sampled)
    assert found.tied == 60


def test_without_ties_there_is_no_spread() -> None:
    """Scores that differ leave one order, and a list of ids is one."""
    for run in ({"a": 2.0, "b": 1.0}, ["a", "b"]):
        found = evaluate({"q": run}, {"q": {"b": 1}}, "AP").tie_spread("AP", "q")
        assert (found.least, found.mean, found.greatest, found.tied) == (0.5, 0.5, 0.5, 0)


NOVELTY = ["alpha-nDCG@3", "alpha-DCG@4", "ERR-IA@3", "NRBP", "P-IA@2", "AP-IA"]


@pytest.mark.parametrize("form", ["sets", "grades", "frame"])
@pytest.mark.parametrize("name", NOVELTY)
def test_the_spread_of_novelty_is_that_of_all_permutations(name: str, form: str) -> None:
    """Least, mean and greatest over every permutation within ties, whatever holds the run."""
    rng = random.Random(name)
    run = {d: float(rng.randint(1, 2)) for d in "abcdef"}
    held = {d: set(rng.sample("XYZ", rng.randint(0, 2))) for d in "abceg"} | {"h": {"X", "Z"}}
    nuggets = {d: dict.fromkeys(sorted(h), 1) for d, h in held.items()}
    given: Any = {"q": run}
    if form == "frame":
        rows = [("q", d, s) for d, s in run.items()]
        given = pd.DataFrame(rows, columns=["query", "document", "score"])
    judged = held if form == "sets" else nuggets
    scores = all_scores(parse(name), run, judged)  # type: ignore[arg-type]
    found = evaluate(given, {"q": judged}, name, "irmetrics_edu").tie_spread(name, "q")
    assert found.least == pytest.approx(min(scores), abs=1e-12)
    assert found.greatest == pytest.approx(max(scores), abs=1e-12)
    assert found.mean == pytest.approx(sum(scores) / len(scores), abs=1e-12)
    assert found.least < found.greatest


def test_the_spread_of_a_list_of_items_is_that_of_all_permutations() -> None:
    """Which categories the first two items cover depends on the order of a tie."""
    run, categories = dict.fromkeys("abc", 1.0), {"a": {"X"}, "b": {"X"}, "c": {"Y"}}
    e = evaluate({"u": run}, None, "CC@2", "irmetrics_edu", categories=categories)
    found = e.tie_spread("CC@2", "u")
    assert (found.least, found.mean, found.greatest) == pytest.approx((1 / 2, 5 / 6, 1))


def test_a_curve_over_scores_has_no_spread() -> None:
    """Of three pairs a tied one counts half, in whatever order its documents come."""
    e = evaluate({"q": {"a": 2, "b": 1, "c": 1, "d": 0}}, {"q": {"a": 1, "b": 1, "c": 0}}, "AUC")
    found = e.tie_spread("AUC", "q")
    assert (found.least, found.mean, found.greatest) == (e["AUC"],) * 3
    assert found.tied == 2


def test_too_many_orders_are_said_to_be_too_many() -> None:
    """A tie of twelve documents that all differ is not tried; the score as given stays."""
    run = dict.fromkeys("abcdefghijkl", 1.0)
    nuggets = {d: {f"nugget {d}", f"nugget {i % 5}"} for i, d in enumerate(run)}
    found = evaluate({"q": run}, {"q": nuggets}, "alpha-nDCG@5").tie_spread("alpha-nDCG@5", "q")
    assert (found.least, found.mean, found.greatest) == (None, None, None)
    assert "too many" in found.how


def test_a_curve_says_whether_documents_are_tied() -> None:
    """Documents of one score are taken together; without ties there is nothing to take."""
    for scores, tied, how in (([2.0, 1.0], 0, "no document is tied"), ([1.0, 1.0], 2, "together")):
        run = dict(zip("ab", scores, strict=True))
        e = evaluate({"q": run}, {"q": {"a": 1, "b": 0}}, "AUC", "irmetrics_edu")
        found = e.tie_spread("AUC", "q")
        assert (found.tied, how in found.how) == (tied, True)


def test_more_orders_than_the_bound_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight grades have 40,320 orders, seven have 5,040; the bound is on orders, not on rows."""
    for n, known in ((8, False), (7, True)):
        run, judgments = {f"d{i}": 1.0 for i in range(n)}, {f"d{i}": i for i in range(n)}
        monkeypatch.setattr("irmetrics_edu.runs.tie_spread._MOST_ROWS", 10**6)
        rows = align(run, judgments)
        found = _all_orders(parse("DCG"), rows, [np.arange(n)])
        assert (found is not None) is known
