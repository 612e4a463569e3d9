"""Settings of recommenders by name, as their authors publish them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.dgrec import DGRec


@dataclass(frozen=True)
class Preset:
    """A preset is a model's settings with the source that they are taken from."""

    name: str
    model: type[DGRec]
    source: str
    options: Mapping[str, Any]
    differs: str = ""  # how training here differs from the source's


PRESETS = {
    each.name: each
    for each in (
        Preset(
            "dgrec-authors",
            DGRec,
            "Yang et al. (2023), DGRec, WSDM; https://github.com/YangLiangwei/DGRec, "
            "utils/parser.py, models/models.py, main.py",
            {
                "dimensions": 32,
                "layers": 1,
                "rate": 0.05,
                "penalty": 0.0,
                "start": 1.0,
                "negatives": 4,
                "neighbours": 20,
                "sigma": 1.0,
                "attention": True,
                "balance": 0.9,
                "epochs": 1000,
                "stop": "loss",
                "every": 1,
                "patience": 10,
            },
            "The authors draw the other items from all items, those that the user has included. "
            "Their weight decay of 8e-8 and their matrix before the attention's vector are left "
            "out. Their gamma is read by no line of their code.",
        ),
    )
}


def preset(name: str, **changes: Any) -> DGRec:
    """A model with the settings of a preset; `changes` replace some of them.

    >>> model = preset("dgrec-authors", seed=3)
    >>> model.name, model.layers, model.rate, model.seed
    ('DGRec', 1, 0.05, 3)
    """
    if name not in PRESETS:
        raise InputError(f"preset {name!r} is unknown; use one of {', '.join(sorted(PRESETS))}")
    chosen = PRESETS[name]
    return chosen.model(**{**chosen.options, **changes})
