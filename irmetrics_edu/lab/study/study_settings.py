"""The settings of a study, besides its data."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.dgrec import DGRec
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.whole_numbers import whole

_OURS = {"self", "seed", "options"}  # not hyperparameters, or set by the study


@dataclass(frozen=True)
class Judging:
    """How lists are judged.

    `cutoffs` are the lengths judged. `tau` is the share of lists that the discount coefficients
    have to cover when they are tuned. `alpha` (of DCC and FDCC) and `beta` (of DILAD) set them
    instead.
    """

    cutoffs: tuple[int, ...] = (10, 20, 100)
    tau: float = 0.99
    alpha: float | None = None
    beta: float | None = None

    def __post_init__(self) -> None:
        for k in self.cutoffs:
            checks.cutoff(k)
        if not self.cutoffs or min(self.cutoffs) < 2:
            raise InputError(
                f"cutoffs={self.cutoffs} are too small or missing; give some of "
                "at least 2, because a pair needs two items"
            )
        checks.between("tau", self.tau, 0, 1, open_low=True, open_high=True)
        for name in ("alpha", "beta"):
            if getattr(self, name) is not None:
                checks.between(name, getattr(self, name), 0, 1)


@dataclass(frozen=True)
class Settings(Judging):
    """The settings of a study besides its data: how lists are judged, and how they are made.

    The longest of the `cutoffs` is the length of the lists. MMR and DPP choose from the `pool` best
    items of LightGCN. Its scores are scaled to 0..1 for each user (all 0 if they are equal but for
    rounding). `mmr_lambda` and `dpp_theta` weigh relevance (1 is relevance alone). `lightgcn` and
    `dgrec` hold hyperparameters of these two by name. `epochs` is for both if they don't say.
    Training is repeated for `seeds` seeds, from `seed` on.
    """

    pool: int = 200
    mmr_lambda: float = 0.5
    dpp_theta: float = 0.6
    epochs: int = 300
    seed: int = 0
    seeds: int = 1
    lightgcn: Mapping[str, Any] = field(default_factory=dict)
    dgrec: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pool < max(self.cutoffs):
            raise InputError(
                f"pool={self.pool}: MMR and DPP choose {max(self.cutoffs)} items from it; "
                "make it larger"
            )
        checks.between("mmr_lambda", self.mmr_lambda, 0, 1)
        checks.between("dpp_theta", self.dpp_theta, 0, 1, open_high=True)
        whole("seeds", self.seeds, 1)
        for name, known in (("lightgcn", LIGHTGCN), ("dgrec", DGREC)):
            unknown = sorted(set(getattr(self, name)) - set(known))
            if unknown:
                raise InputError(
                    f"{name}: {unknown[0]!r} is not a hyperparameter; use one of {', '.join(known)}"
                )


def _hyperparameters(*models: type) -> dict[str, Any]:
    """The hyperparameters that models take, each with its default."""
    found: dict[str, Any] = {}
    for model in models:
        for name, parameter in inspect.signature(model.__init__).parameters.items():  # type: ignore[misc]
            if name not in _OURS:
                found.setdefault(name, parameter.default)
    return found


LIGHTGCN = _hyperparameters(LightGCN)
DGREC = _hyperparameters(DGRec, LightGCN)
