"""Trained models in files: npz without pickle, so that a file is data and runs nothing.

version, model, options, history, names (JSON as bytes), the pairs of each split, the parameters
"""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import SPLITS, Interactions
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.recommenders.presets import MODELS
from irmetrics_edu.lab.recommenders.training import History
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.packed import SPOILT
from irmetrics_edu.writing import write

VERSION = 1
_ABOUT = "about"
_EMBEDDINGS = ("user_embeddings", "item_embeddings")
_PARTS = (*_EMBEDDINGS, *(f"pairs_{split}" for split in SPLITS))


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
        "version": VERSION,
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
    encoded = json.dumps(about, allow_nan=False).encode()
    arrays = {
        _ABOUT: np.frombuffer(encoded, dtype=np.uint8),
        **{name: getattr(model, name) for name in _EMBEDDINGS},
        **{f"pairs_{split}": data.pairs[split].astype(np.int64) for split in SPLITS},
        **{f"parameter_{name}": values for name, values in model.parameters.items()},
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as part:
                np.lib.format.write_array(part, np.asanyarray(array), allow_pickle=False)
    write(path, file.getvalue())


def load_model(path: str | Path) -> LightGCN:
    """A model from a file of `save_model`, ready to recommend; other files are an InputError."""
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as held:
            missing = [name for name in (_ABOUT, *_PARTS) if name not in held.files]
            if missing:
                raise _not_ours(path, f"it has no {missing[0]}")
            about = json.loads(held[_ABOUT].tobytes())
            arrays = {name: held[name] for name in held.files if name != _ABOUT}
    except FileNotFoundError:
        raise InputError(f"{path}: the file does not exist") from None
    except InputError:
        raise
    except SPOILT as error:
        raise _not_ours(path, str(error)) from None
    version = about.get("version") if isinstance(about, dict) else None
    if version != VERSION:
        raise InputError(f"{path} has format {version!r}; this version reads format {VERSION}")
    try:
        return _restored(about, arrays)
    except SPOILT as error:
        raise _not_ours(path, str(error)) from None


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
    if not all(np.isfinite(values).all() for name, values in arrays.items() if "pairs" not in name):
        raise ValueError("an embedding is not a number")
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


def _not_ours(path: str | Path, why: str) -> InputError:
    return InputError(f"{path} is not a model that save_model wrote: {why}")
