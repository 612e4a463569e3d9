"""Trained models in files (`saved_arrays`).

model, options, history, names (in the header), the pairs of each split, the parameters
"""

from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import SPLITS, Interactions
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.recommenders.presets import MODELS
from irmetrics_edu.lab.recommenders.training import History
from irmetrics_edu.lab.saved_arrays import misfit, read_arrays, write_arrays
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.files import SPOILT

_FORMAT, _VERSION = "irmetrics-edu recommender", 1
_EMBEDDINGS = ("user_embeddings", "item_embeddings")


def save_model(model: LightGCN, path: str | Path) -> None:
    """Write a trained model with the interactions that it learnt from; `load_model` reads it.

    Ids and categories are texts or whole numbers. The same model gives the same bytes.
    """
    if model.name not in MODELS or MODELS[model.name] is not type(model):
        raise InputError(f"{type(model).__name__} can't be saved; only {' and '.join(MODELS)} can")
    if model.history is None:
        raise InputError(f"{model.name} is not trained yet; call fit(data) first")
    data = model.fitted()
    history = model.history
    about = {
        "model": model.name,
        "options": {**model.options(), "progress": None},
        "history": {
            "loss": history.loss,
            "validation": list(history.validation.items()),
            "best": history.best,
            "stopped_early": history.stopped_early,
            "stop": history.stop,
        },
        "name": data.name,
        "notes": data.notes,
        "users": [_plain(user) for user in data.users],
        "items": [_plain(item) for item in data.items],
        "categories": [
            sorted(map(_plain, data.categories[item]), key=lambda c: (isinstance(c, str), c))
            for item in data.items
        ],
    }
    arrays = {
        **{name: getattr(model, name) for name in _EMBEDDINGS},
        **{f"pairs_{split}": data.pairs[split].astype(np.int64) for split in SPLITS},
        **{f"parameter_{name}": values for name, values in model.parameters.items()},
    }
    write_arrays(path, _FORMAT, _VERSION, about, arrays)


def load_model(path: str | Path) -> LightGCN:
    """A model from a file of `save_model`, ready to recommend; other files are an InputError."""
    about, arrays = read_arrays(path, _FORMAT, _VERSION)
    try:
        return _restored(about, arrays)
    except SPOILT as error:
        raise misfit(path, error) from None


def _restored(about: dict[str, Any], arrays: dict[str, Array]) -> LightGCN:
    model = MODELS[about["model"]](**about["options"])
    users, items = tuple(about["users"]), tuple(about["items"])
    categories = dict(zip(items, map(frozenset, about["categories"]), strict=True))
    if not {*map(type, (*users, *items))} <= {str, int}:
        raise ValueError("a user or an item is neither a text nor a whole number")
    if len(set(users)) < len(users) or len(categories) < len(items):
        raise ValueError("a user or an item occurs twice")
    pairs = {split: arrays[f"pairs_{split}"] for split in SPLITS}
    bounds = np.array([len(users), len(items)])
    for split, of in pairs.items():
        if of.ndim != 2 or of.shape[1] != 2 or of.dtype.kind != "i":
            raise ValueError(f"the pairs of {split} are not a table of whole numbers")
        if (of < 0).any() or (of >= bounds).any():
            raise ValueError(f"a pair of {split} names an unknown user or item")
    parameters = {
        name.removeprefix("parameter_"): values
        for name, values in arrays.items()
        if name.startswith("parameter_")
    }
    for name, n in zip(_EMBEDDINGS, bounds.tolist(), strict=True):
        found = arrays[name]
        if found.shape != (n, model.dimensions) or found.dtype != np.dtype(model.dtype):
            raise ValueError(f"{name} are {found.dtype} of shape {found.shape}")
    past = about["history"]
    model.history = History(
        tuple(past["loss"]),
        {int(epoch): float(value) for epoch, value in past["validation"]},
        past["best"],
        past["stopped_early"],
        past["stop"],
    )
    model.data = Interactions(users, items, pairs, categories, about["name"], tuple(about["notes"]))
    model.parameters = parameters
    model.user_embeddings, model.item_embeddings = (arrays[name] for name in _EMBEDDINGS)
    return model


def _plain(name: Any) -> str | int:
    """A name as JSON keeps it: a text or a whole number."""
    if type(name) in (str, int):
        return name  # type: ignore[no-any-return]
    raise InputError(f"{name!r} can't be saved: ids and categories are texts or whole numbers")
