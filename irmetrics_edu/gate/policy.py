"""The policy of a gate: in a word, or as the margin of its test and hard limits."""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from irmetrics_edu import checks, measured
from irmetrics_edu.errors import InputError

OFF = "off"
TENTH = "tenth"
MARGIN = "margin"
FATES = ("pass", "warn", "fail")
LIMITS = ("max_observed_drop", "max_group_drop", "max_query_drop")
GONE = "max_gone"
FEW = 0.05  # the share of a baseline's queries that may be gone
# What each policy sets. A setting that is given beside the policy counts for itself.
POLICIES: dict[str, dict[str, Any]] = {
    "strict": {"max_observed_drop": MARGIN, "max_group_drop": MARGIN, "advisory": False},
    "sample": {"max_observed_drop": TENTH, "max_group_drop": OFF, "advisory": False},
    "advise": {"max_observed_drop": TENTH, "max_group_drop": OFF, "advisory": True},
}


@dataclass(frozen=True)
class Policy:
    """The settings of a gate, as `assert_no_regression` explains them; limits are hard ones.

    A limit is a number, in units of the measure, or "off". For a mean it may be "margin": then the
    queries at hand are all that count, and the gate is never inconclusive. "tenth" is a tenth of
    the measure's range, or the margin if that is more. An `advisory` gate warns and does not fail.
    """

    margin: float = 0.01
    confidence: float = 0.95
    max_observed_drop: float | str = TENTH
    max_group_drop: float | str = OFF
    max_query_drop: float | str = OFF
    protected: tuple[Hashable, ...] = ()
    max_gone: float | str = FEW
    inconclusive: str = "warn"
    advisory: bool = False

    @property
    def limits(self) -> dict[str, float]:
        """The hard limits that are numbers, by name."""
        found = {name: getattr(self, name) for name in LIMITS}
        return {name: value for name, value in found.items() if not isinstance(value, str)}

    def allows(self, name: str, width: float) -> float:
        """The drop that a hard limit allows, for a measure with a range of this width."""
        value = getattr(self, name)
        if value == TENTH:
            return max(width / 10, self.margin)
        if value == MARGIN:
            return self.margin
        return math.inf if value == OFF else float(value)


# The keywords of a gate: a policy by its word, and each setting.
NAMES = ("policy", *(f.name for f in fields(Policy) if f.name != "advisory"))


def policy_of(given: Mapping[str, Any]) -> Policy:
    """The policy of a call: its own keywords, else the session's settings, else the defaults.

    >>> policy_of({"policy": "strict", "margin": 0.02}).allows("max_group_drop", 1)
    0.02
    """
    own = in_settings({name: value for name, value in given.items() if value is not None})
    return made({**measured.policy(), **own})


def in_settings(said: Mapping[str, Any]) -> dict[str, Any]:
    """What was said in one place, with the word for a policy replaced by what it sets.

    >>> in_settings({"policy": "advise"})["advisory"]
    True
    """
    word = said.get("policy", "")
    if not word:
        return dict(said)
    checks.one_of("policy", word, list(POLICIES))
    found = {**POLICIES[word], **said}
    del found["policy"]
    return found


def made(said: Mapping[str, Any]) -> Policy:
    """A policy from these keywords, checked."""
    found = Policy(**{n: _CHECKS[n](value, n) for n, value in in_settings(said).items()})
    cap = found.max_observed_drop
    if not isinstance(cap, str) and cap < found.margin:
        raise InputError(
            f"max_observed_drop={cap:g} is less than margin={found.margin:g}, the drop that is "
            f"tolerated; for a hard limit on the mean write both, margin={cap:g} too"
        )
    return found


def amount(value: Any, name: str) -> float:
    """A tolerated or required change: a finite number, 0 or more."""
    value = checks.number(value, f"{name} =")
    if value < 0:
        raise InputError(f"{name}={value}: give 0 or more, in units of the metric, such as 0.01")
    return float(value)


def _limit(value: Any, name: str) -> float | str:
    words = _WORDS.get(name, (OFF,))
    if isinstance(value, str) and value not in words:
        known = " or ".join(map(repr, words))
        raise InputError(f"{name}={value!r}: give a number, such as 0.05, or {known}")
    return value if isinstance(value, str) else amount(value, name)


def _share(gone: Any, name: str) -> Any:
    if gone != OFF:
        checks.between(name, gone, 0, 1)
    return gone


def sure(confidence: Any, name: str = "confidence") -> float:
    """The confidence of a test: above 0.5 and below 1."""
    checks.between(name, confidence, 0.5, 1, open_low=True, open_high=True)
    return float(confidence)


def _fate(inconclusive: Any, name: str) -> str:
    checks.one_of(name, inconclusive, FATES)
    return str(inconclusive)


def _queries(protected: Any, name: str) -> tuple[Hashable, ...]:
    if isinstance(protected, (str, bytes)) or not isinstance(protected, Iterable):
        raise InputError(f"{name}={protected!r}: give the queries in a list: [{protected!r}]")
    return tuple(dict.fromkeys(protected))


_WORDS = {"max_observed_drop": (OFF, TENTH, MARGIN), "max_group_drop": (OFF, MARGIN)}
_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    **dict.fromkeys(LIMITS, _limit),
    "margin": amount,
    "confidence": sure,
    GONE: _share,
    "protected": _queries,
    "inconclusive": _fate,
    "advisory": lambda advisory, _: advisory,
}
