"""Embeddings of items from a file: text, JSON or arrays of numpy."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.saved_arrays import arrays_in
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.files import SPOILT
from irmetrics_edu.reading.records import decoded


def read_embeddings(path: str | Path) -> Mapping[Any, Any]:
    """The embeddings of items: item -> vector.

    A text file has a line "item number number ..." for each item, separated by blanks, tabs or
    commas. A .json file maps items to lists of numbers. A .npz file holds `items` (texts or whole
    numbers) and `vectors`. Ids are text, as in other files.
    """
    path = Path(path)
    try:
        if path.suffix == ".npz":
            return _arrays(path)
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"the file {path} does not exist") from None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error}") from None
    text = decoded(raw, path)
    return _json(path, text) if path.suffix == ".json" else _lines(path, text)


def _lines(path: Path, text: str) -> dict[str, Array]:
    found: dict[str, Array] = {}
    width = 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        item, *values = (f.strip() for f in line.split(",")) if "," in line else line.split()
        place = f"{path}, line {number}"
        try:
            vector = np.array([float(v) for v in values])
        except ValueError:
            raise InputError(
                f"{place}: {line[:60]!r} is not an item and its numbers, such as 'i7 0.1 -0.3'"
            ) from None
        width = width or len(vector)
        if not len(vector) or len(vector) != width:
            raise InputError(
                f"{place}: {len(vector)} numbers, but the lines above have "
                f"{width}; give vectors of one length"
            )
        if item in found:
            raise InputError(f"{place}: item {item!r} already has a line; give each item once")
        found[item] = vector
    if not found:
        raise InputError(f"{path} is empty; a line is an item and its numbers")
    return found


def _json(path: Path, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
        if not isinstance(found, dict):
            raise TypeError(f"it is a {type(found).__name__}")
        return {item: np.array(vector, dtype=np.float64) for item, vector in found.items()}
    except SPOILT as error:
        raise InputError(
            f'{path}: {error}; map items to lists of numbers: {{"i7": [0.1, -0.3]}}'
        ) from None


def _arrays(path: Path) -> dict[str, Array]:
    try:
        held = arrays_in(path)
        items, vectors = held["items"], np.asarray(held["vectors"], dtype=np.float64)
    except SPOILT as error:
        raise InputError(
            f"{path}: {error}; give the arrays `items` and `vectors`, without pickle"
        ) from None
    if items.ndim != 1 or vectors.ndim != 2 or len(items) != len(vectors):
        raise InputError(
            f"{path}: items {items.shape} and vectors {vectors.shape}; give a line for each item"
        )
    return dict(zip(map(str, items.tolist()), vectors, strict=True))
