"""Rankers in files: the same scores after reading, no pickle, and other files are refused."""

import io
import json
import pickle
import zipfile

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from irmetrics_edu import lab
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.made_queries import made_queries
from irmetrics_edu.lab.saved_arrays import read_arrays, write_arrays
from tests.learning.test_learners import LEARNERS

DATA = made_queries(12, 8, noise=0.3).normalised()


@pytest.mark.parametrize("learn", LEARNERS.values(), ids=LEARNERS)
def test_a_ranker_read_back_gives_the_same_scores_bit_for_bit(learn, tmp_path):
    """Its scores, its runs, its repr; and it says that its working is gone."""
    ranker, path = learn(DATA), tmp_path / "r.npz"
    lab.save_ranker(ranker, path)
    back = lab.load_ranker(path)
    other = made_queries(5, 9, seed=7)
    assert np.array_equal(back.score(other.features), ranker.score(other.features))
    assert back.run(other) == ranker.run(other)
    assert repr(back) == repr(ranker)
    assert type(back) is type(ranker)
    if hasattr(ranker, "predict"):
        assert np.array_equal(back.predict(other.features), ranker.predict(other.features))
    if hasattr(ranker, "speaking"):
        row = other.features[0]
        assert back.speaking(row)["rule"] == ranker.speaking(row)["rule"]
    with pytest.raises(InputError, match="which has no data"):
        back.working  # noqa: B018
    with zipfile.ZipFile(path) as file:
        for name in file.namelist():
            np.load(io.BytesIO(file.read(name)), allow_pickle=False)


def test_the_same_ranker_is_the_same_file(tmp_path):
    """No time is in it."""
    for name in ("a", "b"):
        lab.save_ranker(lab.listnet(DATA), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_two_grades_are_classified_the_same(tmp_path):
    """Where scikit-learn keeps the weights of one class alone."""
    data = lab.RankingData(DATA.features, DATA.grade > 0, DATA.query, DATA.document)
    ranker = lab.pointwise_classification(data)
    lab.save_ranker(ranker, tmp_path / "r")
    back = lab.load_ranker(tmp_path / "r").score(data.features)
    assert np.array_equal(back, ranker.score(data.features))


def test_a_learner_of_another_library_is_not_saved(tmp_path):
    """Only pickle could; its own library says how."""
    ranker = lab.pointwise_regression(DATA, DecisionTreeRegressor())
    with pytest.raises(InputError, match="object of another library"):
        lab.save_ranker(ranker, tmp_path / "r")
    assert not (tmp_path / "r").exists()


class Trap:
    """Unpickled, it would leave a trace."""

    def __reduce__(self):
        """Call something."""
        return (pytest.fail, ("a pickle was run",))


def bytes_of(**arrays):
    """An npz file."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def with_header(**changes):
    """A ranker's file with some of it changed."""
    header = {
        "format": "irmetrics-edu ranker", "version": 1, "kind": "LinearRanker",
        "method": "ListNet", "features": ["x1", "x2"], "params": {"C": "1.0"},
    }  # fmt: skip
    arrays = {"weights": np.ones(2), "intercept": np.array(0.0)}
    for name, value in changes.items():
        (arrays if name in arrays else header)[name] = value
    text = json.dumps(header).encode()
    return bytes_of(header=np.frombuffer(text, dtype=np.uint8), **arrays)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is not a file of irmetrics-edu ranker, or it is damaged"),
        (b"weights 1 2 3\n", "is not a file of irmetrics-edu ranker, or it is damaged"),
        (pickle.dumps(Trap()), "is not a file of irmetrics-edu ranker, or it is damaged"),
        (bytes_of(weights=np.ones(2)), "is not a file of irmetrics-edu ranker, or it is damaged"),
        (
            bytes_of(header=np.array([Trap()], dtype=object)),
            "is not a file of irmetrics-edu ranker, or it is damaged",
        ),
        (with_header()[:-60], "is not a file of irmetrics-edu ranker, or it is damaged"),
        (with_header(format="irmetrics-edu recommender"), "a file of 'irmetrics-edu recommender'"),
        (with_header(version=2), "its version is 2, but this package reads 1"),
        (
            with_header(weights=np.array([1, np.nan])),
            "weights holds something that is not a finite number",
        ),
        (
            with_header(weights=np.array(["a", "b"])),
            "weights holds something that is not a finite number",
        ),
        (with_header(weights=np.ones(3)), "its parts don't fit together"),
        (with_header(weights=np.ones((2, 2))), "its parts don't fit together"),
        (with_header(features=None), "its parts don't fit together"),
        (with_header(method="Ranking by force"), "its parts don't fit together"),
        (with_header(kind="Ranker"), "its parts don't fit together"),
        (with_header(kind="RuleRanker"), "its parts don't fit together"),
        (with_header(kind="OrdinalRanker"), "its parts don't fit together"),
        (with_header(params=3), "its parts don't fit together"),
    ],
)
def test_what_is_no_ranker_is_refused(content, says, tmp_path):
    """Text, pickles, other formats and versions, torn files, parts that don't fit."""
    path = tmp_path / "r.npz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        lab.load_ranker(path)


def test_the_unchanged_file_is_read(tmp_path):
    """The refusals above are of what was changed."""
    (tmp_path / "r").write_bytes(with_header())
    assert lab.load_ranker(tmp_path / "r").score([[1, 2]]).tolist() == [3]


def test_a_missing_file_is_missing(tmp_path):
    """As elsewhere in the package."""
    with pytest.raises(InputError, match="the file does not exist"):
        lab.load_ranker(tmp_path / "none")


def test_arrays_come_back_with_their_header(tmp_path):
    """What others of the package may save with."""
    write_arrays(tmp_path / "x", "some form", 3, {"name": "ü"}, {"a": [[1, 2]], "b": 0.1})
    header, arrays = read_arrays(tmp_path / "x", "some form", 3)
    assert header == {"name": "ü", "format": "some form", "version": 3}
    assert arrays["a"].tolist() == [[1, 2]]
    assert arrays["b"] == 0.1
