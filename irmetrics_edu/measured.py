"""Where assertions tell what they measured, to whoever listens. Imports next to nothing."""

import math
from collections.abc import Mapping
from typing import Any

ALL, HINT = "all", "hint"  # what a failure shows
MISFIT = "unjudged"  # the verdict where no judged document was retrieved: labels no longer fit
_LISTENERS: list[Any] = []


def listen(listener: Any) -> None:
    """Tell `listener` every measurement from now on; who listened before waits.

    It has methods: `hear` takes a measurement, `reveal` and `policy` say what a failure shows and
    what gates let through, where the assertion does not say it.
    """
    _LISTENERS.append(listener)


def stop(listener: Any) -> None:
    """Tell it no more."""
    if listener in _LISTENERS:
        _LISTENERS.remove(listener)


def tell(measurement: Any) -> None:
    """Pass a measurement to who listens."""
    if _LISTENERS:
        _LISTENERS[-1].hear(measurement)


def revealing(asked: str | None) -> str:
    """Whether a failure shows the expected values or only hints: as the assertion or session says.

    Exercises that are graded show hints.
    """
    reveal = asked
    if reveal is None:
        reveal = str(_LISTENERS[-1].reveal()) if _LISTENERS else ALL
    if reveal not in (ALL, HINT):
        from irmetrics_edu.errors import InputError  # here: every pytest session loads this module

        raise InputError(f"reveal={reveal!r} is not known; use one of {ALL}, {HINT}")
    return reveal


def policy() -> Mapping[str, Any]:
    """What gates let through where they do not say."""
    return _LISTENERS[-1].policy() if _LISTENERS else {}


def verbosity() -> int:
    """How much more than usual the session shows, as pytest's -v counts; 0 where nobody says."""
    counter = getattr(current(), "verbosity", None)
    return 0 if counter is None else int(counter())


def current() -> Any:
    """Who listens now; None if nobody does."""
    return _LISTENERS[-1] if _LISTENERS else None


class Measurement:
    """A measured value with what was asserted of it, as reports receive it.

    `error` is what a failure raises. `more` are facts that few measurements have, such as a unit.
    """

    def __init__(
        self,
        measure: str,
        score: float | None,
        verdict: str,
        bounds: Mapping[str, Any],
        *,
        queries: int = 1,
        per_query: Mapping[str, float | None] | None = None,
        error: BaseException | None = None,
        **more: Any,
    ) -> None:
        self.error = error
        self._facts: dict[str, Any] = {
            "measure": measure,
            "score": score,
            "verdict": verdict,
            "bounds": bounds,
            "queries": queries,
            "conventions": "",
            "per_query": per_query or {},
            **more,
        }

    def facts(self) -> dict[str, Any]:
        """The measurement in plain values, as JSON has them."""
        if self.error is None:
            return dict(self._facts)
        # As long as the terminal has it, which decides after this is made.
        return {**self._facts, "explanation": str(self.error)}


def word(passed: bool) -> str:  # noqa: FBT001 -- the verdict itself
    """The verdict of an assertion that knows no third one."""
    return "pass" if passed else "fail"


def no_result(measure: str, why: str) -> dict[str, Any]:
    """The facts of an assertion that could not be made, and why."""
    return Measurement(measure, None, "error", {}, queries=0, explanation=why).facts()


def finite(value: float) -> float | None:
    """A number as JSON can hold it: None for NaN."""
    return float(value) if math.isfinite(value) else None
