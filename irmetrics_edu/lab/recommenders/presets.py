"""Settings of recommenders by name, as their authors publish them: `presets.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.dgrec import DGRec
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN

MODELS = {model.name: model for model in (LightGCN, DGRec)}


@dataclass(frozen=True)
class Preset:
    """A preset is a model's settings with the source that they are taken from."""

    name: str
    model: str
    about: str
    source: str
    options: Mapping[str, Any]
    differs: str = ""  # how training here differs from the source's


@cache
def presets() -> dict[str, Preset]:
    """All presets by name."""
    file = resources.files("irmetrics_edu.lab.recommenders") / "presets.toml"
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: Preset(name, **fields) for name, fields in given.items()}


def preset(name: str, **changes: Any) -> LightGCN:
    """A model with the settings of a preset; `changes` replace some of them.

    >>> model = preset("dgrec-authors", seed=3)
    >>> model.name, model.layers, model.rate, model.seed
    ('DGRec', 1, 0.05, 3)
    """
    if name not in presets():
        raise InputError(f"preset {name!r} is unknown; use one of {', '.join(sorted(presets()))}")
    chosen = presets()[name]
    return MODELS[chosen.model](**{**chosen.options, **changes})
