"""Lists of many users as rows: the same as aligning each user alone."""

import numpy as np
import pytest

from irmetrics_edu import ndcg, precision, recall
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
from irmetrics_edu.lab.recommenders.many_users import Lists, unit_vectors
from irmetrics_edu.lab.recommenders.recommender import Random


@pytest.fixture(scope="module")
def lists():
    """Lists with some hits."""
    data = catalogue(users=25, items=60, categories=5, per_user=20, seed=8)
    users = data.users_with("test")
    return Lists(data, users, Random(seed=1).fit(data).top(users, 15))


@pytest.fixture(scope="module")
def one_by_one(lists):
    """Each user's recommended items and test items, by name."""
    data = lists.data
    out = []
    for user, listed in zip(lists.users.tolist(), lists.items.tolist(), strict=True):
        relevant = [data.items[i] for u, i in data.pairs["test"].tolist() if u == user]
        out.append(([data.items[i] for i in listed], set(relevant)))
    return out


@pytest.mark.parametrize("metric", [recall, precision, ndcg])
@pytest.mark.parametrize("k", [5, 15])
def test_metrics_of_rankings(lists, one_by_one, metric, k):
    """Recall, precision and nDCG of every user."""
    together = metric.measured(lists.ranked(), k).score
    alone = [metric(listed, dict.fromkeys(relevant, 1), k=k) for listed, relevant in one_by_one]
    assert together == pytest.approx(alone)
    assert any(alone)


def test_an_embedding_of_zeros_is_refused():
    """It has no direction."""
    with pytest.raises(InputError, match="item 'b': the embedding is all zeros"):
        unit_vectors(np.array([[1.0], [0.0]]), ("a", "b"))
