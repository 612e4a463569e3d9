"""The facet model and xQuAD against plain loops and exhaustive search."""

import importlib
import inspect
import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irmetrics_edu import alpha_ndcg, explain, subtopic_recall
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.rerankers.facet_model import facet_likelihood, facet_model, lda_facets
from irmetrics_edu.lab.rerankers.xquad import xquad
from tests.conftest import examples

SEEDS = st.integers(0, 10_000)
LAMBDAS = st.sampled_from([0.0, 0.3, 0.5, 1.0])


def pool(seed: int, n: int = 7, m: int = 3) -> dict[str, dict[str, float]]:
    """Documents with probabilities of aspects, about a third of them 0."""
    random = np.random.default_rng(seed)
    table = random.uniform(0, 1, (n, m)) * (random.uniform(size=(n, m)) > 1 / 3)
    table[0, 0] = 0.5  # so that some aspect is covered
    return {f"d{i}": {f"f{j}": float(p) for j, p in enumerate(row)} for i, row in enumerate(table)}


def likelihood(chosen: Any, facets: dict[str, dict[str, float]]) -> float:
    """The formula of the facet model as it is printed, in plain loops over all documents."""
    product = 1.0
    for j in facets["d0"]:
        missed = 1.0
        for i, held in facets.items():
            y = 1 if i in chosen else 0
            missed *= (1 - held[j]) ** y
        product *= 1 - missed
    return product


@given(SEEDS, st.integers(1, 5))
@settings(max_examples=examples(30))
def test_the_exact_search_finds_the_best_set(seed: int, k: int) -> None:
    """No set of k documents has a higher L than the exact one; the greedy one has no higher."""
    facets = pool(seed)
    best = max(likelihood(chosen, facets) for chosen in combinations(facets, k))
    exact = facet_model(facets, k=k, search="exact")
    greedy = facet_model(facets, k=k)
    assert exact.value == pytest.approx(best)
    assert greedy.value <= exact.value + 1e-12
    for found in (exact, greedy):
        assert found.value == pytest.approx(likelihood(list(found), facets))
        assert found.value == facet_likelihood(found, facets).value


@given(SEEDS)
@settings(max_examples=examples(30))
def test_the_greedy_search_raises_l_most_once_all_facets_are_in_reach(seed: int) -> None:
    """Where every document has some of every facet, each step takes the highest L."""
    facets = {d: {f: 0.05 + 0.9 * p for f, p in held.items()} for d, held in pool(seed).items()}
    ranking = list(facet_model(facets, k=5))
    for t in range(5):
        values = {d: likelihood([*ranking[:t], d], facets) for d in facets if d not in ranking[:t]}
        assert values[str(ranking[t])] == pytest.approx(max(values.values()))


def test_the_known_case_in_which_the_greedy_search_fails() -> None:
    """A document that is fair for both facets goes first, and keeps the perfect pair apart."""
    facets = {"both": {"x": 0.6, "y": 0.6}, "one": {"x": 1, "y": 0.05}, "two": {"x": 0.05, "y": 1}}
    # {both, one}: facet 1 is certain, facet 2 missed with 0.4 * 0.95 = 0.38.
    assert facet_model(facets, k=2).value == pytest.approx(0.62)
    exact = facet_model(facets, k=2, search="exact")
    assert set(exact) == {"one", "two"}
    assert exact.value == 1
    assert "the greedy choice has L = 0.62" in explain(exact.working).text


def test_l_of_zero_is_not_the_end_of_the_search() -> None:
    """While a facet is out of reach L is 0 for all: documents that reach new facets go first."""
    facets = {"a": {"x": 1.0}, "b": {"x": 0.9}, "c": {"y": 0.2}, "d": {"z": 0.1}}
    found = facet_model(facets, k=3)
    assert set(found) == {"a", "c", "d"}
    assert found.value == pytest.approx(0.02)
    short = facet_model(facets, k=2)
    assert short.value == 0
    assert "L is 0: no chosen document has facet z" in explain(short.working).text


def real_texts() -> dict[str, str]:
    """The documentation of some of Python's own modules, which is in English and at hand."""
    names = ["json", "zipfile", "tarfile", "heapq", "bisect", "random", "statistics", "gzip"]
    return {name: inspect.getdoc(importlib.import_module(name)) or "" for name in names}


def test_facets_of_real_texts_are_covered_better_by_choice_than_by_chance() -> None:
    """With LDA's facets the greedy choice is near the exact one and above most other sets."""
    facets = lda_facets(real_texts(), 3, seed=1)
    assert facets == lda_facets(real_texts(), 3, seed=1)
    for held in facets.values():
        assert sum(held.values()) == pytest.approx(1)
    greedy = facet_model(facets, k=3).value
    exact = facet_model(facets, k=3, search="exact").value
    every = sorted(facet_likelihood(c, facets).value for c in combinations(facets, 3))
    assert exact == pytest.approx(every[-1])
    assert exact >= greedy >= every[len(every) // 2]


@given(SEEDS, LAMBDAS)
@settings(max_examples=examples(30))
def test_xquad_takes_the_best_of_every_step(seed: int, lambda_: float) -> None:
    """Each choice has the highest value of the printed formula, in plain loops."""
    covers = pool(seed)
    random = np.random.default_rng(seed)
    relevance = {d: float(random.uniform()) for d in covers}
    intents = {"f0": 0.5, "f1": 0.3, "f2": 0.2}
    ranking = [str(d) for d in xquad(relevance, covers, intents, lambda_=lambda_)]
    for t, winner in enumerate(ranking):

        def value(d: str, before: list[str] = ranking[:t]) -> float:
            diversity = 0.0
            for aspect, p in intents.items():
                novelty = math.prod(1 - covers[s][aspect] for s in before)
                diversity += p * covers[d][aspect] * novelty
            return (1 - lambda_) * relevance[d] + lambda_ * diversity

        assert value(winner) >= max(map(value, ranking[t:])) - 1e-9


def test_diversifying_raises_what_novelty_metrics_measure() -> None:
    """On a pool whose best are all of one aspect, xQuAD raises alpha-nDCG and S-recall."""
    covers = {f"a{i}": {"A": 0.9} for i in range(5)} | {f"b{i}": {"B": 0.8} for i in range(5)}
    relevance = {d: (0.9 if d[0] == "a" else 0.6) - int(d[1]) / 100 for d in covers}
    nuggets = {d: set(held) for d, held in covers.items()}
    before = sorted(relevance, key=relevance.__getitem__, reverse=True)
    found = xquad(relevance, covers, lambda_=0.8)
    for metric in (alpha_ndcg @ 4, subtopic_recall @ 4):
        assert metric(found, nuggets) > metric(before, nuggets)


ONE = {"a": {"x": 0.5}}


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: facet_model({}, k=1), "pool is empty"),
        (lambda: xquad({}, {}), "pool is empty"),
        (lambda: facet_model({"a": {}}, k=1), "covers any aspect"),
        (lambda: facet_model({"a": {"x": 1.2}}, k=1), r"aspect 'x': 1\.2 is not a probability"),
        (lambda: facet_model({"a": ["x"]}, k=1), "or a set"),
        (lambda: facet_model({"a": "x"}, k=1), "mapping from aspect"),
        (lambda: facet_model(ONE, k=2), "pool holds 1"),
        (
            lambda: facet_model({f"d{i}": {"x": 0.5} for i in range(40)}, k=9, search="exact"),
            "greedy",
        ),
        (
            lambda: facet_likelihood(["z"], ONE),
            "document 'z' is chosen, but it is not in the pool of facets",
        ),
        (lambda: xquad({"a": 1.5}, ONE), r"relevance 1\.5 is not a probability"),
        (lambda: xquad({"a": 0.5}, ONE, lambda_=-0.1), "lambda_=-0.1"),
        (lambda: xquad({"a": 0.5, "b": 0.5}, ONE), "'b'.*no aspects"),
        (lambda: xquad({"a": 0.5}, ONE, {"x": 0.6}), "sum to 0.6, not 1"),
        (lambda: xquad({"a": 0.5}, ONE, {"y": 1}), "'x' has no weight"),
        (lambda: lda_facets({}, 2), r"texts=\{\} are not texts by id"),
        (lambda: lda_facets({"a": "sea ship"}, 1), "at least 2"),
        (lambda: lda_facets({"a": "the of"}, 2), "no words"),
        (lambda: lda_facets({"a": "sea ship", "b": "the of"}, 2), "'b'.*stop word"),
    ],
)
def test_bad_input_is_refused(call: Any, says: str) -> None:
    """Each message names the place and what was given."""
    with pytest.raises(InputError, match=says):
        call()


def test_a_facet_reached_late_keeps_its_column():
    """The working has the same columns in every step, also once all facets are reached."""
    pool = {"two": {"a": 0.7, "b": 0.1}, "c": {"c": 0.8}, "a": {"a": 0.9}}
    working = facet_model(pool, k=3).working
    assert working["facets reached"].tolist() == [2.0, 3.0, 3.0]
    assert working["step 3"]["facets reached"].tolist() == [3.0]
