"""Bounds on scores, and checks that refuse impossible bounds."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import TOLERANCE as ROUNDING
from irmetrics_edu.near_ties import in_order
from irmetrics_edu.numbers import Array

if TYPE_CHECKING:
    from irmetrics_edu.gate.checked_value import Outcome

TOLERANCE = 1e-6


@dataclass(frozen=True)
class Bound:
    """A bound on a score, or on the score of each query or group.

    If groups have floors of their own, `group` names the group of this floor.
    """

    name: str
    value: float
    tolerance: float = 0.0
    group: Hashable = None

    def holds(self, outcome: "Outcome") -> bool:
        """Whether the bound holds. A score on the bound is within it; NaN never is."""
        if self.name == "at_least":
            return outcome.score >= self.value - ROUNDING
        if self.name == "at_most":
            return outcome.score <= self.value + ROUNDING
        if self.name == "equals":
            return abs(outcome.score - self.value) <= self.tolerance + ROUNDING
        if self.name == "every_group_at_least":
            return not self.groups_below(outcome)
        return len(self.below(outcome)) == 0

    def below(self, outcome: "Outcome") -> Array:
        """The indices of the queries below the bound, lowest score first."""
        wrong = ~(outcome.scores >= self.value - ROUNDING) & ~outcome.left_out
        return outcome.lowest_first[wrong[outcome.lowest_first]]

    def groups_below(self, outcome: "Outcome") -> list[Hashable]:
        """The groups below the bound, lowest score first."""
        return [
            group
            for group, score in outcome.group_scores.items()
            if self.name == "every_group_at_least"
            and not score >= self.value - ROUNDING
            and self.group in (None, group)
            and not outcome.left_out[outcome.groups[group]].all()
        ]


def bounds(given: dict[str, Any], tolerance: Any) -> list[Bound]:
    """The bounds of an assertion, checked; `given` maps the name of each to a number or None.

    Groups may have floors of their own: group -> number.
    """
    if _number("abs", tolerance) < 0:
        raise InputError(f"abs={tolerance}: a tolerance is at least 0, such as 5e-5")
    found: list[Bound] = []
    for name, value in given.items():
        if name == "every_group_at_least" and isinstance(value, Mapping):
            for group, floor in value.items():
                number = _number(f"{name}, group {group!r}", floor)
                found.append(Bound(name, number, group=group))
        elif value is not None:
            within = float(tolerance) if name == "equals" else 0.0
            found.append(Bound(name, _number(name, value), within))
    if not found:
        raise InputError(
            f"nothing is asserted: give one or more of {', '.join(f'{n}=' for n in given)}"
        )
    if tolerance != TOLERANCE and given["equals"] is None:
        raise InputError(f"abs={tolerance}: the tolerance of equals=, which is not given")
    low = given["at_least"]
    high = given["at_most"]
    if low is not None and high is not None and low > high:
        raise InputError(f"at_least={low} is more than at_most={high}: no score is both")
    return found


def worst_group_first(broken: list[Bound], outcome: "Outcome") -> list[Bound]:
    """The bounds that do not hold; floors of single groups by falling shortfall."""
    floors = [bound for bound in broken if bound.group is not None]
    short = {bound: bound.value - outcome.group_scores[bound.group] for bound in floors}
    ordered = in_order(floors, lambda b: np.inf if np.isnan(short[b]) else short[b])
    return [bound for bound in broken if bound.group is None] + list(ordered)


def _number(name: str, value: Any) -> float:
    refused = isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__")
    if refused or np.ndim(value) or not math.isfinite(value):
        raise InputError(f"{name}={value!r}: a bound is a finite number, such as 0.45")
    return float(value)


def refuse_out_of_range(found: list[Bound], outcome: "Outcome") -> None:
    """Refuse a bound outside the metric's range, such as a percentage.

    Such a bound always fails or always holds.
    """
    low, high = outcome.measure.metric.range
    scores = outcome.scores[np.isfinite(outcome.scores)]
    if len(scores) and not low <= scores.min() <= scores.max() <= high:
        return  # under these conventions the range is another
    for bound in found:
        if not low <= bound.value <= high:
            raise InputError(
                f"{bound.name}={bound.value:g}: {outcome.name} lies between {low:g} and {high:g}"
            )


def refuse_unknown_groups(found: list[Bound], outcome: "Outcome") -> None:
    """Refuse a floor for groups if there are no groups, or for a group without queries."""
    for bound in found:
        if bound.name != "every_group_at_least":
            continue
        if not outcome.groups:
            raise InputError("every_group_at_least= needs groups=: query -> group")
        if bound.group is not None and bound.group not in outcome.groups:
            there = ", ".join(map(repr, outcome.groups))
            raise InputError(
                f"every_group_at_least: no query is in group {bound.group!r}; there are {there}"
            )
