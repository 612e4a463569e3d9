"""Models of other libraries as rankers, and their recommended lists as runs.

A model is known by its attributes, so none of these libraries is imported here.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.losses import lambda_loss, squared_loss
from irmetrics_edu.lab.learning.ranker import FunctionRanker, Ranker
from irmetrics_edu.lab.learning.ranking_data import RankingData, floats
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Working

# The id of each item number.
Names = Sequence[Hashable] | Mapping[int, Hashable]
_FILLED = (float(np.finfo(np.float32).min), -math.inf)


def from_lightgbm(model: object, data: RankingData | None = None) -> Ranker:
    """A ranker of LightGBM scores a document by the sum of its trees' leaves.

    `model` is a trained Booster or LGBMRanker, whichever objective it has. `run(data)` gives the
    run that `evaluate`, `compare` and the assertions take. With `data`, the ranker's working has
    the lambda loss of each query's pairs.

    Source: Ke et al. (2017), LightGBM: a highly efficient gradient boosting decision tree, NIPS.
    """
    booster: Any = model
    if hasattr(model, "fit"):
        booster = getattr(model, "booster_", None)
    names = _called(
        booster,
        "feature_name",
        "a trained Booster or LGBMRanker of LightGBM",
        model,
    )
    return _ranker(
        LIGHTGBM,
        scoring=booster.predict,
        names=names,
        model=model,
        data=data,
        loss=lambda_loss,
    )


def from_xgboost(model: object, data: RankingData | None = None) -> Ranker:
    """A ranker of XGBoost scores a document by the sum of its trees' leaves.

    `model` is a trained Booster or XGBRanker. Its score is the margin before any link function,
    which has the order of its predictions. `data` is as for `from_lightgbm`.

    Source: Chen & Guestrin (2016), XGBoost: a scalable tree boosting system, KDD.
    """
    booster: Any = model
    if hasattr(model, "get_booster"):  # which raises an error of its own before fit
        booster = booster.get_booster() if booster.__sklearn_is_fitted__() else None
    number = _called(
        booster,
        "num_features",
        "a trained Booster or XGBRanker of XGBoost",
        model,
    )
    names = booster.feature_names or [f"f{i}" for i in range(number)]

    def margin(table: Array) -> Any:
        return booster.inplace_predict(
            table,
            predict_type="margin",
            validate_features=False,
        )

    return _ranker(
        XGBOOST,
        scoring=margin,
        names=names,
        model=model,
        data=data,
        loss=lambda_loss,
    )


def from_sklearn(model: object, data: RankingData | None = None) -> Ranker:
    """A ranker of scikit-learn scores a document by the grade that an estimator predicts.

    `model` is a trained estimator, or a pipeline of one. A regressor's score is its prediction. A
    classifier's is the mean of its classes, each times its probability, so its classes are grades.
    With `data`, the ranker's working has the squared loss of each document.

    Sources: Cossock & Zhang (2006), Subset ranking using regression, COLT; Li, Burges & Wu (2007),
    McRank: learning to rank using multiple classification and gradient boosting, NIPS.

    >>> from sklearn.tree import DecisionTreeRegressor
    >>> data = RankingData([[0], [1], [2]], [0, 1, 2], ["q"] * 3, ["a", "b", "c"])
    >>> tree = DecisionTreeRegressor(random_state=0).fit(data.features, data.grade)
    >>> ranker = from_sklearn(tree, data)
    >>> ranker.run(data)
    {'q': {'a': 0.0, 'b': 1.0, 'c': 2.0}}
    >>> ranker.working.value
    0.0
    """
    estimator: Any = model
    number = getattr(estimator, "n_features_in_", None)
    if number is None or not hasattr(estimator, "predict"):
        raise InputError(
            f"this {type(model).__name__} is not a trained estimator; give one of scikit-learn's "
            "after fit"
        )
    scoring: Callable[[Array], Any] = estimator.predict
    if hasattr(estimator, "predict_proba"):
        try:
            grades = np.asarray(estimator.classes_, dtype=np.float64)
        except (TypeError, ValueError):
            classes = list(estimator.classes_)
            raise InputError(
                f"the classes of {type(model).__name__} are {classes!r:.80}; train it "
                "on grades, which are numbers"
            ) from None

        def scoring(table: Array) -> Any:
            return estimator.predict_proba(table) @ grades

    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = [f"x{i}" for i in range(number)]
    return _ranker(
        ESTIMATOR,
        scoring=scoring,
        names=names,
        model=model,
        data=data,
        loss=squared_loss,
    )


def _called(
    booster: Any,
    name: str,
    wanted: str,
    model: Any,
) -> Any:
    """What a trained model says of its features."""
    if not callable(getattr(booster, name, None)):
        raise InputError(
            f"this {type(model).__name__} is not trained, or of another kind; give {wanted}"
        )
    return getattr(booster, name)()


def _ranker(
    method: Method,
    scoring: Callable[[Array], Any],
    names: Sequence[Any],
    model: Any,
    data: RankingData | None,
    loss: Callable[[RankingData, Array], Working],
) -> Ranker:
    def working() -> Working:
        if data is None:
            raise InputError(
                f"{method.function.__name__} was given no data, so there is no working; give the "
                "RankingData to explain"
            )
        return loss(data, ranker.score(data.features))

    def scores(table: Array) -> Array:
        try:
            return np.asarray(scoring(table), dtype=np.float64).reshape(len(table))
        except (TypeError, ValueError) as error:
            raise InputError(
                f"{type(model).__name__} gives no single number for each document; train it on one "
                f"column of grades, which are numbers ({error})"
            ) from None

    params = {"model": type(model).__name__}
    ranker = FunctionRanker(
        method,
        tuple(map(str, names)),
        working,
        params,
        scores,
    )
    return ranker


def from_lists(
    users: Sequence[Hashable],
    items: npt.ArrayLike,
    scores: npt.ArrayLike,
    names: Names | None = None,
) -> dict[Hashable, dict[Hashable, float]]:
    """A run of recommended lists: for each user the items that a library listed, with their scores.

    `items` and `scores` have a row for each user, best first, as implicit's `model.recommend(...)`
    and RecBole's `full_sort_topk(...)` give them (RecBole gives the scores first). `names` maps an
    item's number to its id: a sequence by number, or a mapping. Where a user has too few unseen
    items, libraries fill the row with negative numbers (implicit), or with seen items at the least
    score of a 32-bit float (implicit) or at minus infinity (RecBole). These are left out. The
    nearest-neighbour models of implicit give seen items the score 0, which can't be told from a
    recommendation: ask them for shorter lists.

    >>> from_lists(["ann", "bob"], [[2, 0], [1, -1]], [[0.9, 0.4], [0.7, 0]], names="abc")
    {'ann': {'c': 0.9, 'a': 0.4}, 'bob': {'b': 0.7}}
    """
    listed_items = np.asarray(items)
    values = floats("scores", scores)
    shape = listed_items.shape
    if len(shape) != 2 or shape != values.shape or len(values) != len(users):
        raise InputError(
            f"{len(users)} users, items of shape {shape} and scores of shape "
            f"{values.shape} don't fit; give a row of items and of scores for each user"
        )
    run: dict[Hashable, dict[Hashable, float]] = {}
    lists = zip(
        users,
        listed_items.tolist(),
        values.tolist(),
        strict=True,
    )
    for user, numbers, scores_of_user in lists:
        if user in run:
            raise InputError(f"user {user!r} is given twice; give each user once")
        run[user] = _list_of(user, numbers, scores_of_user, names)
    return run


def _list_of(
    user: Hashable,
    numbers: list[int],
    scores: list[float],
    names: Names | None,
) -> dict[Hashable, float]:
    """A user's items by name, without those that only fill the list."""
    scored: dict[Hashable, float] = {}
    for number, score in zip(numbers, scores, strict=True):
        if number < 0 or score in _FILLED:
            continue
        if not math.isfinite(score):
            raise InputError(f"user {user!r}: item {number} has the score {score}")
        try:
            item = number if names is None else names[number]
        except (LookupError, TypeError):
            raise InputError(f"user {user!r}: item {number} has no name in names") from None
        if item in scored:
            raise InputError(f"user {user!r}: item {item!r} is listed twice")
        scored[item] = score
    return scored


_TREES = r"f(x)=\sum_{t} f_t(x)"
LIGHTGBM = Method("LightGBM", from_lightgbm, _TREES)
XGBOOST = Method("XGBoost", from_xgboost, _TREES)
ESTIMATOR = Method("scikit-learn", from_sklearn, r"f(x)=\hat y(x)")
