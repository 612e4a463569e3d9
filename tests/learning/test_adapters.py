"""Models of other libraries as rankers; `make suite SUITE=libraries-light` asks the libraries."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from irmetrics_edu import InputError, evaluate, explain
from irmetrics_edu.gate import assert_ndcg
from irmetrics_edu.lab import from_lightgbm, from_lists, from_sklearn, from_xgboost, made_queries

DATA = made_queries(10, 10, noise=0)


def test_an_estimator_ranks_by_the_grade_that_it_predicts():
    """A regressor, a pipeline and a classifier; evaluate and a gate take the run."""
    tree = DecisionTreeRegressor(random_state=0).fit(DATA.features, DATA.grade)
    line = make_pipeline(StandardScaler(), LinearRegression()).fit(DATA.features, DATA.grade)
    for model in (tree, line):
        ranker = from_sklearn(model, DATA)
        predicted = model.predict(DATA.features)
        assert ranker.score(DATA.features) == pytest.approx(predicted)
        loss = ((DATA.grade - predicted) ** 2)[DATA.number == 0].sum()
        assert ranker.working.of(0).value == pytest.approx(loss)
    assert_ndcg(from_sklearn(tree).run(DATA), DATA.qrels, k=5, at_least=1.0)
    assert "DecisionTreeRegressor" in explain(from_sklearn(tree, DATA).working.of(0)).text


def test_a_classifier_ranks_by_the_mean_grade():
    """The sum of grade times probability; a grade may be 0.5."""
    grades = np.array([0, 0.5, 3])[np.arange(len(DATA.grade)) % 3]
    forest = RandomForestClassifier(10, random_state=0).fit(DATA.features, (grades * 2).astype(int))
    share = forest.predict_proba(DATA.features)
    expected = share @ np.array([0, 1, 6])
    assert from_sklearn(forest).score(DATA.features) == pytest.approx(expected)


def test_what_is_no_model_is_refused_with_what_to_give():
    """Not trained, of another library, classes that are no grades, and a working without data."""
    for adapter in (from_lightgbm, from_xgboost, from_sklearn):
        with pytest.raises(InputError, match=r"this DecisionTreeRegressor is not .*trained"):
            adapter(DecisionTreeRegressor())
    names = DecisionTreeClassifier().fit(DATA.features, np.where(DATA.grade > 0, "good", "bad"))
    with pytest.raises(InputError, match="train it on grades"):
        from_sklearn(names)
    two = LinearRegression().fit(DATA.features, np.column_stack([DATA.grade, DATA.grade]))
    for model in (two, SVC().fit(DATA.features, np.where(DATA.grade > 0, "good", "bad"))):
        with pytest.raises(InputError, match="no single number for each document; train it on one"):
            from_sklearn(model).run(DATA)
    tree = DecisionTreeRegressor().fit(DATA.features, DATA.grade)
    with pytest.raises(InputError, match="from_sklearn was given no data"):
        from_sklearn(tree).working  # noqa: B018
    with pytest.raises(InputError, match="was learnt on 5 features"):
        from_sklearn(tree).score([[1.0]])


def test_lists_become_a_run():
    """Rows with their scores, without what fills them (as implicit and RecBole do); names."""
    least = np.finfo(np.float32).min
    run = from_lists(["u", "v"], [[2, 0, 1], [1, 0, -1]], [[3, 2, least], [1, 0.5, 0]], "abc")
    assert run == from_lists(
        ["u", "v"], [[2, 0, 1], [1, 0, 2]], [[3, 2, -np.inf], [1, 0.5, -np.inf]], "abc"
    )
    assert run == {"u": {"c": 3, "a": 2}, "v": {"b": 1, "a": 0.5}}
    assert evaluate(run, {"u": {"a": 1}, "v": {"b": 1}}, "RR").mean == {"RR": 0.75}


@pytest.mark.parametrize(
    ("users", "items", "scores", "names", "said"),
    [
        ("uv", [[1]], [[1.0]], None, "2 users, items of shape"),
        ("u", [[1, 2]], [[1.0]], None, "don't fit"),
        ("uu", [[1], [2]], [[1.0], [1.0]], None, "user 'u' is given twice"),
        ("u", [[1, 1]], [[2.0, 1.0]], None, "user 'u': item 1 is listed twice"),
        ("u", [[7]], [[2.0]], "abc", "user 'u': item 7 has no name"),
        ("u", [[1]], [["high"]], None, "scores are not all numbers: .*'high'"),
        ("u", [[1]], [[np.nan]], None, "user 'u': item 1 has the score nan"),
    ],
)
def test_lists_that_do_not_fit_are_refused(users, items, scores, names, said):
    """With the user and the item."""
    with pytest.raises(InputError, match=said):
        from_lists(users, items, scores, names)
