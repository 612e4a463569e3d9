"""Lists of many users as rows: the same as aligning each user alone."""

import numpy as np
import pytest

from irmetrics_edu import dcc, dilad, fdcc, ilad, ilmd, ndcg, precision, recall
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
from irmetrics_edu.lab.recommenders.many_users import Lists, unit_vectors
from irmetrics_edu.lab.recommenders.recommender import Random
from irmetrics_edu.metrics.diversity import category_coverage


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


@pytest.mark.parametrize("k", [5, 15])
def test_metrics_of_categories(lists, one_by_one, k):
    """CC, DCC and FDCC of every user."""
    rows, n, categories = lists.categorised(), lists.data.n_categories, lists.data.categories
    options = {"n_categories": n, "alpha": 0.1}
    assert category_coverage.measured(rows, k, n_categories=n).score == pytest.approx(
        [category_coverage(listed, categories, k=k) for listed, _ in one_by_one]
    )
    for metric in (dcc, fdcc):
        assert metric.measured(rows, k, **options).score == pytest.approx(
            [metric(listed, r, categories, k=k, **options) for listed, r in one_by_one]
        )


@pytest.mark.parametrize("at_once", [1, 1_000_000])
@pytest.mark.parametrize("k", [2, 15])
def test_metrics_of_distances(lists, one_by_one, k, at_once, monkeypatch):
    """ILAD, ILMD and DILAD of every user, however many users are taken at a time."""
    monkeypatch.setattr("irmetrics_edu.lab.recommenders.many_users._PAIRS", at_once)
    vectors = np.random.default_rng(0).normal(size=(len(lists.data.items), 4))
    unit = unit_vectors(vectors, lists.data.items)
    given = dict(zip(lists.data.items, vectors, strict=True))
    parts = list(lists.spaced(unit, k))
    for metric, options in ((ilad, {}), (ilmd, {})):
        together = np.concatenate([metric.measured(rows, **options).score for rows in parts])
        assert together == pytest.approx([metric(x, given, k=k) for x, _ in one_by_one])
    together = np.concatenate([dilad.measured(rows, beta=0.2).score for rows in parts])
    assert together == pytest.approx(
        [dilad(listed, r, given, k=k, beta=0.2) for listed, r in one_by_one]
    )


def test_effective_items_are_the_hits_in_order(lists, one_by_one):
    """Of the first k items those that are test items, best first."""
    found = [hits for _, hits in lists.effective(10)]
    assert found == [[i for i in listed[:10] if i in r] for listed, r in one_by_one]


def test_an_embedding_of_zeros_is_refused():
    """It has no direction."""
    with pytest.raises(InputError, match="item 'b': the embedding is all zeros"):
        unit_vectors(np.array([[1.0], [0.0]]), ("a", "b"))
