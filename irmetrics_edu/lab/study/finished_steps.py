"""A work folder: the finished steps of a long study, so that it can go on after an interruption.

Each step is a file of arrays, written whole or not at all. A file `study.json` says which data and
settings they belong to. Another study is refused.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.saved_arrays import arrays_in, npz
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.files import SPOILT
from irmetrics_edu.writing import write

FORMAT = 1
_NAME = "study.json"


class Kept:
    """The finished steps, in a folder; without a folder each step is computed again."""

    def __init__(self, folder: str | Path | None, belongs: Mapping[str, Any]) -> None:
        self.folder = None if folder is None else Path(folder)
        if self.folder is not None:
            _check(self.folder, {"format": FORMAT, **belongs})

    def step(self, name: str, make: Callable[[], dict[str, Array]]) -> dict[str, Array]:
        """The arrays of a step: read if it is finished, else made and kept."""
        if self.folder is None:
            return make()
        path = self.folder / f"{name}.npz"
        if path.exists():
            return _read(path)
        made = make()
        write(path, npz(made))
        return made


def fingerprint(data: Interactions) -> str:
    """A digest of users, items, categories and interactions, which differs for other data."""
    digest = hashlib.sha256()
    digest.update(repr((data.users, data.items)).encode("utf-8", "backslashreplace"))
    for item in data.items:
        names = sorted(map(str, data.categories[item]))
        digest.update(repr(names).encode("utf-8", "backslashreplace"))
    for split in sorted(data.pairs):
        digest.update(split.encode() + data.pairs[split].astype("<i8").tobytes())
    return digest.hexdigest()[:16]


def _check(folder: Path, belongs: Mapping[str, Any]) -> None:
    """Refuse a folder of another study; a new one is marked as this one's."""
    path, own = folder / _NAME, json.loads(json.dumps(belongs))
    if not path.exists():
        if folder.exists() and any(not p.name.startswith(".") for p in folder.iterdir()):
            raise InputError(
                f"{folder} holds files but no {_NAME}, so it is not a work folder; give an "
                "empty one"
            )
        write(path, json.dumps(own, indent=1) + "\n")
        return
    try:
        theirs = json.loads(path.read_text(encoding="utf-8"))
        other = [n for n in own if theirs.get(n) != own[n]]
    except SPOILT as error:
        raise InputError(f"{path} can't be read ({error}); give another folder") from None
    if other:
        name = other[0]
        raise InputError(
            f"{folder} keeps another study: its {name} is {theirs.get(name)!r}, here it is "
            f"{own[name]!r}; give the same settings, or another folder"
        )


def _read(path: Path) -> dict[str, Array]:
    try:
        return arrays_in(path)
    except SPOILT as error:
        raise InputError(
            f"{path} can't be read ({error}); remove it, and its step is done again"
        ) from None
