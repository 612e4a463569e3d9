"""Trained models of LightGBM, XGBoost and implicit: `make suite SUITE=libraries-light`.

Without LIBRARIES there is nothing to ask.
"""

import os

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.lab import from_lightgbm, from_lists, from_xgboost, lambda_loss, made_queries

DATA = made_queries(20, 10, noise=0.2)
GRADES = DATA.grade.astype(int)
LIGHT = os.environ.get("LIBRARIES") == "light"


def check(ranker, predicted):
    """Scores are the library's own, and the working is the loss at them."""
    assert ranker.score(DATA.features) == pytest.approx(predicted)
    assert ranker.working.score == pytest.approx(lambda_loss(DATA, predicted).score)
    assert evaluate(ranker.run(DATA), DATA.qrels, "nDCG@5")["nDCG@5"] > 0.9


if LIGHT:

    def test_lightgbm():
        """A ranker and its booster."""
        import lightgbm

        sizes = np.bincount(DATA.number)
        model = lightgbm.LGBMRanker(n_estimators=5, min_child_samples=2, verbose=-1)
        model.fit(DATA.features, GRADES, group=sizes)
        for each in (model, model.booster_):
            check(from_lightgbm(each, DATA), model.predict(DATA.features))

    def test_xgboost():
        """A ranker and its booster."""
        import xgboost

        model = xgboost.XGBRanker(n_estimators=5).fit(DATA.features, GRADES, qid=DATA.number)
        for each in (model, model.get_booster()):
            check(from_xgboost(each, DATA), model.predict(DATA.features))

    def test_implicit():
        """Lists without the items that a user has, also where there are too few others."""
        import scipy.sparse
        from implicit.als import AlternatingLeastSquares

        had = np.random.default_rng(0).random((8, 12)) < 0.4
        matrix = scipy.sparse.csr_matrix(had.astype(np.float32))
        model = AlternatingLeastSquares(factors=3, iterations=3, random_state=0)
        model.fit(matrix, show_progress=False)
        items, scores = model.recommend(np.arange(8), matrix, N=12)
        run = from_lists(range(8), items, scores)
        assert {user: set(listed) for user, listed in run.items()} == {
            user: set(np.flatnonzero(~had[user])) for user in range(8)
        }
