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
        score = outcome.score
        if self.name == "at_least":
            return score >= self.value - ROUNDING
        if self.name == "at_most":
            return score <= self.value + ROUNDING
        if self.name == "equals":
            distance = abs(score - self.value)
            return distance <= self.tolerance + ROUNDING
        if self.name == "every_group_at_least":
            return not self.groups_below(outcome)
        below = self.below(outcome)
        return len(below) == 0

    def below(self, outcome: "Outcome") -> Array:
        """The indices of the queries below the bound, lowest score first."""
        least = self.value - ROUNDING
        reached = outcome.scores >= least
        wrong = ~reached & ~outcome.left_out
        order = outcome.lowest_first
        return order[wrong[order]]

    def groups_below(self, outcome: "Outcome") -> list[Hashable]:
        """The groups below the bound, lowest score first."""
        if self.name != "every_group_at_least":
            return []
        below = []
        for group, score in outcome.group_scores.items():
            is_other = self.group not in (None, group)
            if is_other or score >= self.value - ROUNDING:
                continue
            members = outcome.groups[group]
            if not outcome.left_out[members].all():
                below.append(group)
        return below


def bounds(keywords: dict[str, Any], tolerance: Any) -> list[Bound]:
    """The bounds of an assertion, checked; `keywords` maps the name of each to a number or None.

    Groups may have floors of their own: group -> number.
    """
    if _number("abs", tolerance) < 0:
        raise InputError(f"abs={tolerance}: a tolerance is at least 0, such as 5e-5")
    checked: list[Bound] = []
    for name, value in keywords.items():
        if name == "every_group_at_least" and isinstance(value, Mapping):
            checked += _floors(name, value)
        elif value is not None:
            within = float(tolerance) if name == "equals" else 0.0
            number = _number(name, value)
            bound = Bound(
                name=name,
                value=number,
                tolerance=within,
            )
            checked.append(bound)
    if not checked:
        names = ", ".join(f"{name}=" for name in keywords)
        raise InputError(f"nothing is asserted: give one or more of {names}")
    if tolerance != TOLERANCE and keywords["equals"] is None:
        raise InputError(f"abs={tolerance}: the tolerance of equals=, which is not given")
    _refuse_no_room(keywords["at_least"], keywords["at_most"])
    return checked


def _floors(name: str, floors: Mapping[Hashable, Any]) -> list[Bound]:
    """The bound of each group that has one of its own."""
    bounds_of_groups = []
    for group, floor in floors.items():
        number = _number(f"{name}, group {group!r}", floor)
        bound = Bound(
            name=name,
            value=number,
            group=group,
        )
        bounds_of_groups.append(bound)
    return bounds_of_groups


def _refuse_no_room(low: float | None, high: float | None) -> None:
    """Refuse two bounds that no score is between."""
    if low is not None and high is not None and low > high:
        raise InputError(f"at_least={low} is more than at_most={high}: no score is both")


def worst_group_first(broken: list[Bound], outcome: "Outcome") -> list[Bound]:
    """The bounds that do not hold; floors of single groups by falling shortfall."""
    general = [bound for bound in broken if bound.group is None]
    floors = [bound for bound in broken if bound.group is not None]

    def shortfall(floor: Bound) -> float:
        short = floor.value - outcome.group_scores[floor.group]
        return math.inf if math.isnan(short) else short

    return [*general, *in_order(floors, shortfall)]


def _number(name: str, value: Any) -> float:
    """A bound as a number."""
    is_number = hasattr(value, "__float__")
    refused = isinstance(value, (bool, str, bytes)) or not is_number
    if refused or np.ndim(value) or not math.isfinite(value):
        raise InputError(f"{name}={value!r}: a bound is a finite number, such as 0.45")
    return float(value)


def refuse_out_of_range(asserted: list[Bound], outcome: "Outcome") -> None:
    """Refuse a bound outside the metric's range, such as a percentage.

    Such a bound always fails or always holds.
    """
    low, high = outcome.measure.metric.range
    finite = np.isfinite(outcome.scores)
    scores = outcome.scores[finite]
    lowest = scores.min(initial=high)
    highest = scores.max(initial=low)
    if lowest < low or highest > high:
        return  # under these conventions the range is another
    for bound in asserted:
        if not low <= bound.value <= high:
            limits = f"between {low:g} and {high:g}"
            raise InputError(f"{bound.name}={bound.value:g}: {outcome.name} lies {limits}")


def refuse_unknown_groups(asserted: list[Bound], outcome: "Outcome") -> None:
    """Refuse a floor for groups if there are no groups, or for a group without queries."""
    for bound in asserted:
        if bound.name != "every_group_at_least":
            continue
        if not outcome.groups:
            raise InputError("every_group_at_least= needs groups=: query -> group")
        has_queries = bound.group is None or bound.group in outcome.groups
        if not has_queries:
            names = [repr(group) for group in outcome.groups]
            there = ", ".join(names)
            raise InputError(
                f"every_group_at_least: no query is in group {bound.group!r}; there are {there}"
            )
