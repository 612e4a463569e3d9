"""The six term features: by plain loops, as their table prints them, and that they are of use."""

import math
from typing import Any

import numpy as np
import pytest

from irmetrics_edu import explain, ndcg
from irmetrics_edu.course import load_collection
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.features import (
    FEATURES,
    RANKINGS,
    featured,
    term_feature,
    term_statistics,
)
from irmetrics_edu.lab.learning.losses import measured
from irmetrics_edu.lab.learning.pointwise import pointwise_classification

TEXTS = {
    "a": "Red wine, and white wine.",
    "b": "A red car; a red bus; the car.",
    "c": "The blue sea and the red sun",
    "d": "",
}
QUERIES = {"q1": "red car", "q2": "the red, red wine of Mars", "q3": "sea"}


def plain(query: str, document: str) -> list[float]:
    """The six sums, straight from the printed formulas, over lists of words."""

    def split(text: str) -> list[str]:
        for mark in ",;.":
            text = text.replace(mark, " ")
        return text.lower().split()

    Q, D = split(query), split(TEXTS[document])
    C = [word for text in TEXTS.values() for word in split(text)]

    def idf(q: str) -> float:
        return len(TEXTS) / sum(q in split(text) for text in TEXTS.values())

    both = sorted(set(Q) & set(D))
    there = [q for q in Q if q in D]  # the others add ln(1 + 0)
    return [
        sum(math.log(D.count(q)) for q in both),
        sum(math.log(1 + D.count(q) / len(D)) for q in there),
        sum(math.log(idf(q)) for q in both),
        sum(math.log(len(C) / C.count(q)) for q in both),
        sum(math.log(1 + D.count(q) / len(D) * idf(q)) for q in there),
        sum(math.log(1 + D.count(q) / len(D) * len(C) / C.count(q)) for q in there),
    ]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("document", TEXTS)
def test_the_features_follow_the_printed_formulas(query: str, document: str) -> None:
    """Each working, and the row of the data, against plain loops; an empty document has zeros."""
    collection = term_statistics(TEXTS)
    expected = plain(QUERIES[query], document)
    found = [term_feature(name, QUERIES[query], document, collection) for name in FEATURES]
    assert [w.value for w in found] == pytest.approx(expected)
    data = featured(QUERIES, TEXTS, {query: {document: 1}})
    assert data.features[0].tolist() == pytest.approx(expected)
    assert data.feature_names == tuple(FEATURES)


def plain_rankings(query: str, document: str) -> tuple[float, float]:
    """BM25 and the cosine of tf-idf, the latter times the query's length, in plain loops."""

    def split(text: str) -> list[str]:
        return "".join(c if c.isalnum() else " " for c in text.lower()).split()

    docs = {d: split(text) for d, text in TEXTS.items()}
    D, N = docs[document], len(docs)
    mean = sum(map(len, docs.values())) / N
    bm25 = dot = 0.0
    for q in split(query):
        n, c = sum(q in d for d in docs.values()), D.count(q)
        if c:
            idf = math.log(1 + (N - n + 0.5) / (n + 0.5))
            bm25 += idf * c / (1.2 * (1 - 0.75 + 0.75 * len(D) / mean) + c)
            dot += math.log(N / n) * (1 + math.log(c)) * math.log(N / n)
    square = 0.0
    for w in set(D):
        n = sum(w in d for d in docs.values())
        square += ((1 + math.log(D.count(w))) * math.log(N / n)) ** 2
    return bm25, dot / math.sqrt(square) if dot else 0.0


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("document", TEXTS)
def test_bm25_and_tf_idf_follow_their_formulas(query: str, document: str) -> None:
    """Alone and as columns of the data, in the order asked for."""
    collection = term_statistics(TEXTS)
    expected = plain_rankings(QUERIES[query], document)
    found = [term_feature(name, QUERIES[query], document, collection) for name in RANKINGS]
    assert [w.value for w in found] == pytest.approx(expected)
    data = featured(
        QUERIES, TEXTS, {query: {document: 1}}, features=["cosine tf-idf", "tf", "BM25"]
    )
    assert data.feature_names == ("cosine tf-idf", "tf", "BM25")
    assert data.features[0, [2, 0]].tolist() == pytest.approx(expected)
    assert found[0].metric.name == "BM25"
    with pytest.raises(
        InputError, match=r"name='bm25' is not a feature; use one of tf, .*, BM25, cosine tf-idf"
    ):
        featured(QUERIES, TEXTS, {query: {document: 1}}, features=["bm25"])


def test_a_word_of_every_document_adds_nothing_to_tf_idf() -> None:
    """Also where a document has no other word, and its vector no length."""
    collection = term_statistics({"a": "red red", "b": "red wine"})
    assert term_feature("cosine tf-idf", "red", "a", collection).value == 0
    assert term_feature("BM25", "red", "a", collection).value == pytest.approx(
        math.log(1 + 0.5 / 2.5) * 2 / (1.2 + 2)
    )


def test_a_working_has_a_line_for_each_word() -> None:
    """With the counts that its term follows from; a word taken once adds nothing again."""
    working = term_feature("icf", QUERIES["q2"], "a", term_statistics(TEXTS))
    assert working["word"] == ["the", "red", "red", "wine", "of", "mars"]
    assert working["c(q,D)"].tolist() == [0, 1, 1, 2, 0, 0]
    assert working["c(q,C)"].tolist() == [3, 4, 4, 2, 0, 0]
    assert np.isnan(working["idf(q)"]).tolist() == [False, False, False, False, True, True]
    assert working["icf"][1] > 0
    assert working["icf"][2] == 0
    assert working.metric.definition.endswith(".")
    assert "|D| 5" in explain(working).text


def test_candidates_that_nobody_judged_have_grade_0() -> None:
    """Those of a query are the candidates, in their order, whatever was judged."""
    data = featured(QUERIES, TEXTS, {"q1": {"b": 2, "d": 1}}, {"q1": ["c", "b"]})
    assert data.document == ["c", "b"]
    assert data.grade.tolist() == [0, 2]


@pytest.mark.slow
def test_learning_from_the_features_ranks_real_documents() -> None:
    """A classifier of the six ranks what it has not learnt from far above chance, and above tf."""
    stdlib = load_collection("stdlib")
    data = featured(stdlib.queries, stdlib.documents, stdlib.qrels["deep"]).normalised()
    train, test = data.split(seed=0)

    def mean(scores: Any) -> float:
        return float(measured(test, scores, ndcg).score.mean())

    learnt = mean(pointwise_classification(train).score(test.features))
    random = np.random.default_rng(0)
    chance = np.mean([mean(random.uniform(size=len(test.grade))) for _ in range(10)])
    assert learnt > chance + 0.1
    assert learnt > mean(test.features[:, 0]) + 0.05


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: term_statistics({}), "at least one"),
        (lambda: term_statistics(["red"]), r"documents=\['red'\] are not texts by id"),
        (lambda: term_statistics({"a": 3}), "document 'a': its text is 3"),
        (lambda: term_feature("bm25", "red", "a", term_statistics(TEXTS)), "one of tf, relative"),
        (lambda: term_feature("tf", "red", "z", term_statistics(TEXTS)), "'z': it is not in the"),
        (lambda: term_feature("tf", "?!", "a", term_statistics(TEXTS)), "has no word"),
        (lambda: featured({"q": "..."}, TEXTS, {"q": {"a": 1}}), "query 'q' has no word"),
        (lambda: featured({}, TEXTS, {"q": {"a": 1}}), "query 'q': it has no text"),
        (lambda: featured({"q": "red"}, TEXTS, {"q": {"z": 1}}), "document 'z': it has no text"),
        (lambda: featured({"q": "red"}, TEXTS, {}, {"q": ["a"]}), "query 'q': it has candidates"),
        (lambda: featured({"q": "red"}, TEXTS, {}), "the data have no document"),
    ],
)
def test_bad_input_is_refused(call: Any, says: str) -> None:
    """The message names the query or document."""
    with pytest.raises(InputError, match=says):
        call()
