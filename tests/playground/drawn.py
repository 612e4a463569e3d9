"""Rankings, measures and cut-offs that are drawn, as the page has them and as the package does."""

import math
import random
from dataclasses import dataclass
from typing import Any

from dev.tools.playground.data import MEASURES
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all


@dataclass(frozen=True)
class Drawn:
    """A measure with an input."""

    name: str
    given: dict[str, Any]
    k: int | None

    @property
    def metric(self) -> Metric:
        """The measure, cut off."""
        found = METRICS[self.name]
        return found if self.k is None else found @ self.k

    @property
    def inputs(self) -> tuple[Any, Any]:
        """What the package is called with."""
        nuggets = {d: set(held) for d, held in self.given.get("nuggets", {}).items()}
        ranking = self.given.get("scores") or self.given["ranking"]
        return ranking, nuggets or self.given["judgments"]

    def as_dict(self) -> dict[str, Any]:
        """As the page's modules take it."""
        return {"metric": self.name, "given": self.given, "k": self.k}


def draw(count: int, seed: int) -> list[Drawn]:
    """Inputs with ties, negative grades, and documents unjudged or not retrieved."""
    import_all()
    rng = random.Random(seed)
    return [_one(rng, MEASURES[i % len(MEASURES)]) for i in range(count)]


def _one(rng: random.Random, name: str) -> Drawn:
    ids = [f"d{i}" for i in range(rng.randint(1, 5))]
    rng.shuffle(ids)
    # The last is always judged: without any judgment there is no input.
    judged = [d for d in [*ids, "x1", "x2"] if rng.random() < 0.8]
    judged = list(dict.fromkeys([*judged, ids[-1]]))
    given: dict[str, Any]
    if name == "alpha-nDCG":
        given = {"nuggets": {d: [t for t in "ABC" if rng.random() < 0.4] for d in judged}}
    else:
        low = -1 if rng.random() < 0.2 else 0
        grades = [0, 1, 1.5, 2.25, 12] if rng.random() < 0.2 else [low, 0, 1, 1, 2, 3]
        grades += [0.5] * (rng.random() < 0.05)
        given = {"judgments": {d: rng.choice(grades) for d in judged}}
    if rng.random() < 0.4:
        scores = sorted((rng.randint(1, 3) for _ in ids), reverse=True)
        given["scores"] = dict(zip(ids, scores, strict=True))
    else:
        given["ranking"] = ids
    k = rng.choice([None, 1, 3, 7]) if METRICS[name].has_cutoff else None
    return Drawn(name, given, k)


def same(theirs: Any, ours: float | None) -> bool:
    """Whether the page's value (None: refused) is the package's, but for rounding."""
    if theirs is None or ours is None:
        return theirs is None and ours is None
    x = float(theirs)
    return x == ours or (math.isnan(x) and math.isnan(ours)) or abs(x - ours) < 1e-9
