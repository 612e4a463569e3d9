"""The runs of neural models that are shipped: they fit the collection, and each other."""

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.course import load_collection
from irmetrics_edu.course.collection.collection_engines import DEPTH
from irmetrics_edu.course.collection.neural_files import load_neural

COLLECTION = load_collection()
NEURAL = load_neural()


@pytest.mark.parametrize("name", NEURAL.runs)
def test_a_run_ranks_documents_of_the_collection_for_each_topic(name):
    """As many as the other engines' runs; the best first, and of equal scores the last id."""
    run = NEURAL.runs[name]
    assert list(run) == list(COLLECTION.topics)
    for of in run.values():
        assert len(of) == DEPTH
        assert of.keys() <= COLLECTION.documents.keys()
        pairs = [(score, document) for document, score in of.items()]
        assert pairs == sorted(pairs, reverse=True)


def test_the_vectors_give_the_run_of_the_bi_encoder():
    """Up to what a byte for a coordinate loses."""
    place = {d: n for n, d in enumerate(COLLECTION.documents)}
    assert np.allclose(np.linalg.norm(NEURAL.documents, axis=1), 1)
    kept = 0
    for query, of in zip(NEURAL.queries, NEURAL.runs["minilm"].values(), strict=True):
        similarity = NEURAL.documents @ query
        for document, score in of.items():
            assert similarity[place[document]] == pytest.approx(score, abs=0.005)
        first = set(np.argsort(-similarity)[:10].tolist())
        kept += len(first & {place[d] for d in list(of)[:10]})
    assert kept >= 0.99 * 10 * len(NEURAL.queries)


def test_what_is_known_of_the_models_is_said():
    """Where a number comes from; a licence that allows it."""
    for model in NEURAL.models.values():
        assert model["licence"] == "Apache-2.0"
        assert len(model["sha256"]) == 64
        assert {"package", "version", "date", "model"} <= model.keys()


def test_a_model_of_words_and_one_of_vectors_are_ahead_of_lsa():
    """As the chapter shows, whether unjudged documents count as 0 or are left out."""
    qrels = COLLECTION.qrels["deep"]
    scores = {}
    for name, run in {**COLLECTION.runs, **NEURAL.runs}.items():
        kept = {t: {d: s for d, s in of.items() if d in qrels[t]} for t, of in run.items()}
        scores[name] = [evaluate(one, qrels, "nDCG@10").mean["nDCG@10"] for one in (run, kept)]
    for counted in (0, 1):
        assert max(scores, key=lambda name: scores[name][counted]) == "minilm"
        assert min(scores, key=lambda name: scores[name][counted]) == "lsa"
    assert scores["splade"][0] < scores["fts5"][0] < scores["splade"][1]
