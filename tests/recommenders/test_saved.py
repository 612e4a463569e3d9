"""Trained models go into a file and come back; no other file does."""

import io
import json
import zipfile

import numpy as np
import pytest

from irmetrics_edu import lab
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.dgrec import DGRec
from irmetrics_edu.lab.recommenders.interactions import interactions
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
from irmetrics_edu.lab.recommenders.saved_models import load_model, save_model

SMALL = {"dimensions": 4, "epochs": 6, "every": 2}


@pytest.fixture(scope="module")
def data():
    """A catalogue that trains in a moment."""
    return catalogue(users=20, items=60, categories=4, per_user=8, seed=2)


@pytest.fixture
def saved(data, tmp_path):
    """The file of a model."""
    save_model(LightGCN(**SMALL).fit(data), tmp_path / "m.npz")
    return tmp_path / "m.npz"


@pytest.mark.parametrize(
    "model",
    [LightGCN(**SMALL, dtype="float32"), DGRec(**SMALL, neighbours=3, stop="loss")],
    ids=["LightGCN", "DGRec"],
)
def test_a_model_comes_back_as_it_was(data, tmp_path, model):
    """Lists, options, history and data; and the same model is the same file."""
    one, two = tmp_path / "one.npz", tmp_path / "two.npz"
    save_model(model.fit(data), one)
    back = load_model(one)
    assert type(back) is type(model)
    assert back.recommend(5) == model.recommend(5)
    assert back.options() == model.options()
    assert back.history == model.history
    assert repr(back) == repr(model)
    assert back.data.categories == data.categories
    assert all((back.parameters[n] == v).all() for n, v in model.parameters.items())
    assert all((back.data.pairs[s] == p).all() for s, p in data.pairs.items())
    save_model(back, two)
    assert one.read_bytes() == two.read_bytes()


def altered(path, **changed):
    """The file once more with other parts; a function changes what the model says of itself."""
    with np.load(path) as held:
        arrays = {name: held[name] for name in held.files}
    for name, value in changed.items():
        if name == "header":
            about = json.loads(arrays["header"].tobytes())
            value(about)
            arrays["header"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
        elif value is None:
            del arrays[name]
        else:
            arrays[name] = value
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"header": lambda a: a.update(version=2)}, "its version is 2, but this package reads 1"),
        (
            {"header": lambda a: a.update(model="os.system")},
            r"don't fit together \(KeyError: 'os.system'\)",
        ),
        ({"header": lambda a: a["options"].update(colour="red")}, "colour"),
        (
            {"header": lambda a: a["options"].update(dimensions=10**9)},
            "user_embeddings are float64",
        ),
        ({"header": lambda a: a["users"].append("x")}, "user_embeddings are"),
        ({"header": lambda a: a["items"].append("i0")}, r"don't fit together \(ValueError"),
        (
            {"header": lambda a: a["users"].__setitem__(0, None)},
            "neither a text nor a whole number",
        ),
        ({"header": lambda a: a.pop("history")}, "history"),
        ({"pairs_train": None}, r"don't fit together \(KeyError: 'pairs_train'\)"),
        (
            {"pairs_train": np.array([[0, 10**6]])},
            "names an unknown user or item",
        ),
        (
            {"pairs_test": np.array([[-1, 0]])},
            "names an unknown user or item",
        ),
        (
            {"pairs_test": np.array([0, 1])},
            "the pairs of test are not a table of whole numbers",
        ),
        ({"item_embeddings": np.zeros((2, 2))}, "item_embeddings are float64 of shape"),
        (
            {"item_embeddings": np.full((60, 4), np.nan)},
            "item_embeddings holds something that is not a finite number",
        ),
        (
            {"item_embeddings": np.array([{"a": 1}], dtype=object)},
            "is not a file of irmetrics-edu recommender, or it is damaged",
        ),
    ],
)
def test_a_file_that_was_altered_is_refused(saved, changed, message):
    """Pickled objects too: they are never read."""
    altered(saved, **changed)
    with pytest.raises(InputError, match=message):
        load_model(saved)


def test_what_is_no_such_file_is_refused(saved, tmp_path):
    """Every prefix of a file, texts, other archives, and no file at all."""
    whole = saved.read_bytes()
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("header.npy", b"nonsense")
    for content in (b"", b"hello", other.getvalue(), *(whole[: n * 997] for n in range(1, 4))):
        saved.write_bytes(content)
        with pytest.raises(InputError, match="is not a file of irmetrics-edu recommender"):
            load_model(saved)
    with pytest.raises(InputError, match="the file does not exist"):
        load_model(tmp_path / "none.npz")


def test_what_cant_be_saved_is_refused(data, tmp_path):
    """A model without training, one of your own, and ids that JSON would change."""
    with pytest.raises(InputError, match="LightGCN is not trained yet"):
        save_model(LightGCN(), tmp_path / "m")

    class Mine(LightGCN):
        """A model of one's own."""

    with pytest.raises(InputError, match="Mine can't be saved"):
        save_model(Mine(**SMALL).fit(data), tmp_path / "m")
    odd = interactions({("u", 1): ["a"]}, {}, {}, {"a": {"x"}, "b": {"x"}})
    with pytest.raises(InputError, match=r"\('u', 1\) can't be saved"):
        save_model(LightGCN(dimensions=2, epochs=1).fit(odd), tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def test_recommenders_are_public_names():
    """Each can be imported from its wing."""
    names = "LightGCN DGRec load_interactions interactions preset save_model load_model"
    for name in names.split():
        assert getattr(lab, name).__name__ == name
