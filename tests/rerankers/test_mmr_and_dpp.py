"""MMR and DPP against plain loops, the plain determinant, and searches that look at every set."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from irmetrics_edu import explain, ndcg
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.rerankers.dpp import dpp, dpp_of_many
from irmetrics_edu.lab.rerankers.mmr import mmr, mmr_of_many
from tests.conftest import examples

SEEDS = st.integers(0, 10_000)


def pool(seed: int, n: int = 8, dimensions: int = 5) -> tuple[dict[str, float], dict[str, Any]]:
    """A made pool: relevance in (0, 1) and vectors."""
    random = np.random.default_rng(seed)
    documents = [f"d{i}" for i in range(n)]
    relevance = dict(zip(documents, random.uniform(0.05, 1, n).tolist(), strict=True))
    return relevance, {d: random.normal(size=dimensions) for d in documents}


def cosine(x: Any, y: Any) -> float:
    """The cosine of two vectors, in plain loops."""
    product = sum(a * b for a, b in zip(x, y, strict=True))
    return product / math.sqrt(sum(a * a for a in x) * sum(b * b for b in y))


@given(SEEDS, st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]))
@settings(max_examples=examples(30))
def test_every_choice_of_mmr_is_the_best_of_its_step(seed: int, lambda_: float) -> None:
    """MMR is optimal step by step: no candidate left has a higher marginal relevance."""
    relevance, vectors = pool(seed)
    ranking = list(mmr(relevance, vectors, lambda_=lambda_))
    assert sorted(ranking) == sorted(relevance)
    for t, winner in enumerate(ranking):

        def marginal(d: str, before: list[str] = ranking[:t]) -> float:
            nearest = max((cosine(vectors[d], vectors[s]) for s in before), default=0.0)
            return lambda_ * relevance[d] - (1 - lambda_) * nearest

        assert marginal(winner) >= max(map(marginal, ranking[t:])) - 1e-9


def test_the_ends_of_lambda() -> None:
    """With lambda 1 the order is that of relevance; with 0 only unlikeness counts."""
    relevance, vectors = pool(3)
    by_relevance = sorted(relevance, key=relevance.__getitem__, reverse=True)
    assert list(mmr(relevance, vectors, lambda_=1)) == by_relevance
    assert mmr(relevance, vectors, lambda_=0)[0] == "d0"  # all tie at 0: the first of the pool


def test_mmr_by_texts_follows_scikit_learns_tf_idf() -> None:
    """Similarities of texts are the inner products of scikit-learn's normalised tf-idf rows."""
    texts = {"a": "red wine of France", "b": "red wine of Spain", "c": "the fast car"}
    relevance = {"a": 0.6, "b": 0.5, "c": 0.0}
    found = mmr(relevance, texts, similarity="tf-idf", lambda_=0.5)
    rows = TfidfVectorizer().fit_transform(texts.values()).toarray()
    highest = found.working["step 2"]["highest similarity"]
    first = list(texts).index(str(found[0]))
    expected = {d: float(rows[i] @ rows[first]) for i, d in enumerate(texts)}
    second = found.working["step 2"]["document"]
    assert highest.tolist() == pytest.approx([expected[d] for d in second])


def test_a_metric_takes_a_reranking_as_a_ranking() -> None:
    """What a re-ranker returns is a sequence of documents, so that metrics judge it."""
    relevance, vectors = pool(1)
    found = mmr(relevance, vectors, k=5)
    assert ndcg(found, {"d0": 1}) == ndcg(list(found), {"d0": 1})
    assert len(found) == 5


def test_ties_go_to_the_first_of_the_pool() -> None:
    """Of documents that tie, but for rounding, the first one given is taken, and it is said."""
    found = mmr({"x": 0.3, "y": 0.1 + 0.2}, {"x": [1, 0], "y": [0, 1]}, lambda_=1)
    assert list(found) == ["x", "y"]
    assert "ties with y" in explain(found.working).text


def kernel_of(quality: dict[str, float], vectors: dict[str, Any]) -> np.ndarray:
    """L_ij = q_i cos(i, j) q_j, entry by entry."""
    return np.array(
        [
            [quality[i] * cosine(vectors[i], vectors[j]) * quality[j] for j in quality]
            for i in quality
        ]
    )


def log_det(kernel: np.ndarray, members: tuple[int, ...]) -> float:
    """The logarithm of the determinant of a principal submatrix."""
    sign, value = np.linalg.slogdet(kernel[np.ix_(members, members)])
    return float(value) if sign > 0 else -math.inf


@given(SEEDS)
@settings(max_examples=examples(30))
def test_the_fast_greedy_equals_the_plain_log_determinant_greedy(seed: int) -> None:
    """The incremental Cholesky update chooses as a greedy that computes every determinant anew."""
    quality, vectors = pool(seed)
    kernel = kernel_of(quality, vectors)
    found = dpp(quality, vectors, k=5)
    chosen: tuple[int, ...] = ()
    for step in found.steps:
        plain = {
            j: log_det(kernel, (*chosen, j)) - log_det(kernel, chosen)
            if chosen
            else log_det(kernel, (j,))
            for j in range(len(quality))
            if j not in chosen
        }
        assert step.terms["gain in log det"].tolist() == pytest.approx(
            [plain[j] for j in step.candidates.tolist()], abs=1e-6
        )
        chosen = (*chosen, max(plain, key=plain.__getitem__))
    assert [step.place for step in found.steps] == list(chosen)
    assert found.value == pytest.approx(log_det(kernel, chosen))


@given(SEEDS)
@settings(max_examples=examples(20))
def test_the_best_set_is_never_worse_and_the_greedy_one_within_its_bound(seed: int) -> None:
    """No set beats the exhaustive best, and the greedy determinant is at least 1/(k!)^2 of it."""
    quality, vectors = pool(seed, 7)
    kernel, k = kernel_of(quality, vectors), 3
    top = max(log_det(kernel, members) for members in combinations(range(7), k))
    greedy = dpp(quality, vectors, k=k).value
    # Çivril & Magdon-Ismail (2009): the greedy volume is at least 1/k! of the largest.
    assert top + 1e-9 >= greedy >= top - 2 * math.log(math.factorial(k))


def test_a_case_in_which_the_greedy_dpp_misses_the_best_set() -> None:
    """The longest vector lies between two that are at right angles, and is taken first."""
    alike = {("between", "between"): 1.28, ("between", "east"): 0.8, ("between", "north"): 0.8}
    alike["east", "north"] = 0.0
    found = dpp(dict.fromkeys(("between", "east", "north"), 1.0), alike, similarity="given", k=2)
    assert "between" in found
    # det of {between, east} is 0.8^2 = 0.64; of {east, north} it is 1.
    assert math.exp(found.value) == pytest.approx(0.64)


def test_theta_weighs_relevance_against_volume() -> None:
    """With theta the log-determinant is that of the similarities plus theta/(1-theta) relevance."""
    relevance, vectors = pool(5)
    found = dpp(relevance, vectors, k=3, theta=0.6)
    alone = kernel_of(dict.fromkeys(relevance, 1.0), vectors)
    members = tuple(list(relevance).index(str(d)) for d in found)
    expected = log_det(alone, members) + 0.6 / 0.4 * sum(relevance[str(d)] for d in found)
    assert found.value == pytest.approx(expected)


@pytest.mark.parametrize("theta", [0.5, 0.9, 0.999])
def test_relevance_of_any_size_leaves_no_document_out(theta: float) -> None:
    """Unit vectors at right angles: all are ranked, by relevance, as log det S is 0 throughout."""
    relevance = {"a": 30.0, "b": 5.0, "c": 4.0, "d": -900.0}
    found = dpp(relevance, dict(zip(relevance, np.eye(4), strict=True)), theta=theta)
    assert list(found) == ["a", "b", "c", "d"]
    assert found.value == pytest.approx(theta / (1 - theta) * sum(relevance.values()))


def test_an_exact_duplicate_is_never_chosen_whatever_its_relevance() -> None:
    """Its determinant is 0: the ranking ends with the documents that are not duplicates."""
    vectors = {"a": [1, 0, 0], "a again": [1, 0, 0], "b": [0.6, 0.8, 0], "c": [0, 0, 1]}
    found = dpp({"a": 50.0, "a again": 49.0, "b": 1.0, "c": -40.0}, vectors, theta=0.5)
    assert list(found) == ["a", "b", "c"]
    assert "3 of 4 documents are ranked" in explain(found.working).text


@given(SEEDS, st.integers(1, 8), st.sampled_from([0.0, 0.3, 1.0]))
@settings(max_examples=examples(25))
def test_many_users_at_once_choose_as_one_by_one(seed: int, k: int, lambda_: float) -> None:
    """With documents that are the same twice and relevances that tie: the first of the pool."""
    random = np.random.default_rng(seed)
    relevance = random.integers(0, 4, (3, 8)) / 3
    vectors = random.normal(size=(3, 8, 4))
    vectors[:, 5:] = vectors[:, :3]
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    alike = vectors @ vectors.transpose(0, 2, 1)
    by_mmr, by_dpp = mmr_of_many(relevance, alike, k, lambda_), dpp_of_many(relevance, alike, k)
    for u in range(3):
        given = dict(enumerate(relevance[u].tolist()))
        pairs = {(i, j): alike[u, i, j] for i in given for j in given}
        one = mmr(given, pairs, k=k, lambda_=lambda_, similarity="given")
        assert list(one) == by_mmr[u].tolist() == [step.place for step in one.steps]
        one = dpp(given, pairs, k=k, theta=0.5, similarity="given")
        assert list(one) == [p for p in by_dpp[u].tolist() if p >= 0]
        assert list(one) == [step.place for step in one.steps]
        assert len(one) <= 4  # four dimensions


def test_the_ranking_ends_where_the_determinant_would_be_zero() -> None:
    """Vectors of two dimensions give two documents; the working says why there is no third."""
    quality, vectors = pool(2, 6, dimensions=2)
    found = dpp(quality, vectors)
    assert len(found) == 2
    assert "2 of 6 documents are ranked" in explain(found.working).text


def test_a_document_of_little_quality_is_no_combination_of_others() -> None:
    """What is left of a document is weighed against its own volume, not against the largest."""
    quality = {"a": 1.0, "a again": 1.0, "small": 1e-9, "smaller": 1e-12}
    vectors = {"a": [1, 0, 0], "a again": [1, 0, 0], "small": [1, 1, 0], "smaller": [0, 1, 1]}
    assert list(dpp(quality, vectors)) == ["a", "small", "smaller"]


NOT_PSD = {("a", "b"): 0.9, ("b", "c"): 0.9, ("a", "c"): -0.9}
UNIT = {"a": [1, 0], "b": [0, 1]}
BACK = {("a", "b"): 0.2, ("b", "a"): 0.3}


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: mmr({}, {}), "pool is empty"),
        (lambda: dpp({}, {}), "pool is empty"),
        (lambda: mmr(["a"], UNIT), "maps each document"),
        (lambda: mmr({"a": 1, "b": 1}, UNIT, lambda_=1.5), "lambda_=1.5"),
        (lambda: mmr({"a": 1, "b": 1}, UNIT, lambda_=math.nan), "lambda_"),
        (lambda: mmr({"a": 1, "b": 1}, UNIT, k=3), "pool holds 2"),
        (lambda: mmr({"a": math.nan}, UNIT), "document 'a'"),
        (lambda: mmr({"a": 1, "z": 1}, UNIT), "'z' has no embedding"),
        (lambda: mmr({"a": 1, "b": 1}, {"a": [0, 0], "b": [1, 0]}), "'a'.*no direction"),
        (lambda: mmr({"a": 1, "b": 1}, {"a": [1], "b": [1, 0]}), "'b'.*2 coordinates"),
        (lambda: mmr({"a": 1, "b": 1}, {"a": [1, math.inf], "b": [1, 0]}), "'a'.*not finite"),
        (lambda: mmr({"a": 1, "b": 1}, {"a": "text", "b": "more"}), "give a vector of numbers"),
        (
            lambda: mmr({"a": 1, "b": 1}, {"a": "x", "b": "..."}, similarity="tf-idf"),
            "'b'.*no word",
        ),
        (lambda: mmr({"a": 1, "b": 1}, UNIT, similarity="euclid"), "is not known; use one of"),
        (lambda: mmr({"a": 1, "b": 1}, {}, similarity="given"), r"\('a', 'b'\)"),
        (lambda: mmr({"a": 1, "b": 1}, [[1]], similarity="given"), "give them by pair"),
        (lambda: mmr({"a": 1, "b": 1}, BACK, similarity="given"), "both ways"),
        (lambda: dpp({"a": 1, "b": 1, "c": 1}, NOT_PSD, similarity="given"), "not positive semi"),
        (lambda: dpp({"a": 0, "b": 1}, UNIT), "'a'.*not above 0"),
        (lambda: dpp({"a": 1, "b": 1}, UNIT, theta=1), r"\[0, 1\)"),
        (lambda: dpp({"a": 1}, {("a", "a"): 0}, similarity="given"), "nothing can be chosen"),
    ],
)
def test_bad_input_is_refused(call: Any, says: str) -> None:
    """Each message names the place and what was given."""
    with pytest.raises(InputError, match=says):
        call()
