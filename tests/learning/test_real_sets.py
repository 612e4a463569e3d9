"""Learners with their defaults on real sets, where these lie beside the project."""

import numpy as np
import pytest

from dev.benchmarks.cranfield import CANDIDATES, cranfield
from dev.benchmarks.learning import LEARNERS, SPLITS, lambdarank, over_splits, with_error
from irmetrics_edu import evaluate, explain
from irmetrics_edu.course import load_cranfield
from irmetrics_edu.lab.learning.made_queries import made_queries


@pytest.fixture(scope="module")
def collection(shared):
    """Cranfield as data, and its judgments."""
    return cranfield(shared / "data" / "cranfield")


@pytest.mark.suite("learners")
def test_cranfield_is_read_as_it_is_published(shared, collection):
    """1,400 records, 225 queries by their order, 1,837 judgments, grades 0 to 4."""
    published = load_cranfield(shared / "data" / "cranfield")
    documents, qrels = published.documents, published.qrels["people"]
    assert len(documents) == 1400
    assert [d for d, text in documents.items() if not text] == ["471", "995"]
    assert documents["1"].startswith("experimental investigation of the aerodynamics")
    assert sum(map(len, qrels.values())) == 1837
    assert list(published.topics) == [str(i) for i in range(1, 226)]
    assert set(qrels) == set(published.topics)
    # Counted in the file: 128 of code 1, 387 of 2, 734 of 3, 363 of 4, 225 of -1.
    counts = np.bincount([g for judged in qrels.values() for g in judged.values()])
    assert counts.tolist() == [225, 363, 734, 387, 128]
    data, again = collection
    assert again == qrels
    assert len(data.grade) == 225 * CANDIDATES
    assert not {"471", "995"} & set(data.document)


@pytest.mark.suite("learners")
@pytest.mark.parametrize("name", list(LEARNERS))
def test_every_learner_ends_on_every_split_of_cranfield(name, collection):
    """No error, no note that it stopped early, and near BM25, of which all features are kin."""
    data, qrels = collection
    rankers = []

    def learnt(train, test):
        rankers.append(LEARNERS[name](train))
        return rankers[-1].run(test)

    run = over_splits(data.normalised(), learnt)
    assert len(rankers) == SPLITS
    for ranker in rankers:
        working = ranker.working if len(ranker.working.score) == 1 else ranker.working.of(0)
        assert "stopped after" not in explain(working).text
        assert "stopped before its end" not in explain(working).text
    assert evaluate(run, qrels, "nDCG@10").mean["nDCG@10"] > 0.28


@pytest.fixture(scope="module")
def example(shared):
    """LightGBM's example, of 251 queries and 300 sparse features, where somebody has put it."""
    data = lambdarank(shared / "data" / "lambdarank").normalised()
    assert len(data.queries) == 251
    return data


@pytest.mark.suite("learners")
@pytest.mark.parametrize("name", [n for n in LEARNERS if n != "pointwise classification"])
def test_every_learner_ends_on_lightgbms_example(name, example):
    """On the other real set: what is learnt of every third query ranks these."""
    data = example.take(example.queries[::3])
    ranker = LEARNERS[name](data)
    assert evaluate(ranker.run(data), data.qrels, "nDCG@10").mean["nDCG@10"] > 0.75


def test_splits_are_by_query_and_each_is_ranked_once_by_others():
    """Every fifth query is held out; what learns never sees it."""
    data = made_queries(12, 3)
    seen = []

    def learnt(train, test):
        assert not set(train.queries) & set(test.queries)
        assert len(train.queries) + len(test.queries) == 12
        seen.append(test.queries)
        return test.run(test.features[:, 0])

    run = over_splits(data, learnt)
    assert list(run) == data.queries
    assert seen[0] == ["q1", "q6", "q11"]
    assert len(seen) == SPLITS


def test_a_mean_and_its_standard_error_by_hand():
    """Of 1, 2, 3: 2, and 1 / sqrt(3)."""
    assert with_error([1, 2, 3]) == "2.000 ± 0.577"
    assert with_error([-1e-5, 1e-6], sign=True).startswith("0.000")
    assert with_error([-0.5, -0.5], sign=True) == "-0.500 ± 0.000"
    assert with_error([0.5, 0.5], sign=True) == "+0.500 ± 0.000"
