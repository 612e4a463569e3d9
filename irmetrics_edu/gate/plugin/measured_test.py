"""What one test measured, in all its reports, and what is left of it once the test has ended."""

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from irmetrics_edu import measured

_WRITTEN = ("new", "updated")
_FAILED = ("fail", measured.MISFIT)
_SETUP = 0  # the number of calls before the first


@dataclass
class MeasuredTest:
    """The reports of one test that hold measurements: of its setup, its calls and its teardown.

    A plugin may run a test again, with a setup of its own or without one. Then what the last
    attempt measured counts.
    """

    test: str = ""
    location: tuple[str, int | None, str] = ("", None, "")
    parts: list[Mapping[str, Any]] = field(default_factory=list)

    def add(self, part: Mapping[str, Any]) -> None:
        """Add what a report holds; one that is reported twice counts once."""
        kept: list[Mapping[str, Any]] = []
        for one in self.parts:
            if one["number"] == part["number"]:
                return
            same_attempt = one["attempt"] == part["attempt"]
            if same_attempt and one["call"] in (_SETUP, part["call"]):
                kept.append(one)
        self.parts = [*kept, part]

    def baselines(self, others: AbstractSet[str], *, ended: bool) -> list[dict[str, Any]]:
        """The baselines to write: none unless all that was reported of the test passed."""
        if others or not ended:
            return []
        return self._pending()

    def told(self) -> list[dict[str, Any]]:
        """All that was said of baselines, however the test ended."""
        return self._pending()

    def results(self, others: AbstractSet[str], *, ended: bool = True) -> list[dict[str, Any]]:
        """Its measurements. `others` are the outcomes of its reports other than "passed".

        A failure that does not fail the test is expected by it, with pytest.raises or a marker. A
        baseline that is not written is an error.
        """
        keeps = ended and not others
        facts: list[dict[str, Any]] = []
        for part in self.parts:
            facts += [dict(fact) for fact in part["results"]]
        if not keeps:
            facts = [fact for fact in facts if fact["verdict"] not in _WRITTEN]
            facts += self._not_written(others)
        for gate, fact in zip(gates(facts), facts, strict=True):
            fact.pop("gate", None)
            fact["test"] = f"{self.test}{gate}"
            if fact["verdict"] in _FAILED and "failed" not in others:
                fact["verdict"] = "xfail"
        return facts

    def _not_written(self, others: AbstractSet[str]) -> list[dict[str, Any]]:
        """An error for each baseline that is not written."""
        why = "did not end"
        if others:
            why = "failed" if "failed" in others else "did not pass"
        errors: list[dict[str, Any]] = []
        for one in self._pending():
            if "entry" in one:
                explanation = f"{one['key']}: not written, since the test {why}"
                errors.append(measured.no_result("-", explanation))
        return errors

    def _pending(self) -> list[dict[str, Any]]:
        """What its reports say of baselines."""
        pending: list[dict[str, Any]] = []
        for part in self.parts:
            pending += part["baselines"]
        return pending


def gates(facts: Iterable[Mapping[str, Any]]) -> list[str]:
    """What tells the gate of each measurement from the other gates of its test.

    The name of its baseline, as in the file of baselines. Of gates without a name that measure the
    same, the second and later ones are counted.

    >>> gates([{"measure": "RR", "gate": "de"}, *[{"measure": "RR", "gate": ""}] * 2])
    [' #de', '', ' (2)']
    """
    met: dict[str, int] = {}
    suffixes = []
    for fact in facts:
        name = fact.get("gate")
        measure = fact["measure"]
        suffix = ""
        if name:
            suffix = f" #{name}"
        elif name is not None:
            count = met.get(measure, 0) + 1
            met[measure] = count
            if count > 1:
                suffix = f" ({count})"
        suffixes.append(suffix)
    return suffixes


def labelled(label: str, test: str) -> str:
    """The name of a gate with the label of its job or project, if there is one.

    >>> labelled("py311", "t.py::test"), labelled("", "t.py::test")
    ('[py311] t.py::test', 't.py::test')
    """
    return f"[{label}] {test}" if label else test


def properties(
    results: Sequence[Mapping[str, Any]],
    test: str,
    label: str = "",
) -> list[tuple[str, str]]:
    """The properties of a test in JUnit: the score of each measurement, and verdicts.

    A property is named by the measure, with the gate where a test has several, and with the label
    of the job. A verdict is told where the test's outcome does not tell it.
    """
    pairs = []
    for result in results:
        gate = result["test"].removeprefix(test)
        measure = labelled(label, result["measure"])
        name = f"{measure}{gate}"
        pairs.append((name, _rounded(result)))
        verdict = result["verdict"]
        if verdict not in {"pass", "fail"}:
            pairs.append((f"{name} verdict", verdict))
    return pairs


def condensed(facts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One of many like measurements of a test, as with hypothesis, and their number.

    It keeps the last one that failed, which hypothesis reports; if none failed, the lowest.
    """
    alike: dict[str, list[dict[str, Any]]] = {}
    for fact in facts:
        gate = fact.get("gate")
        measure = fact["measure"]
        key = f"{gate} {measure} {fact['bounds']}"
        same = alike.setdefault(key, [])
        same.append(fact)
    out = []
    for same in alike.values():
        if len(same) <= _ALIKE:
            out += same
            continue
        kept = min(same, key=_height)
        for fact in same:
            if fact["verdict"] in _FAILED:
                kept = fact
        one_of_many = {**kept, "times": len(same)}
        out.append(one_of_many)
    return out


def _height(fact: Mapping[str, Any]) -> float:
    """The score of a measurement; below all others if it has none."""
    score = fact["score"]
    if score is None:
        return -math.inf
    return float(score)


_ALIKE = 5  # measurements of one test that are shown each by itself


def _rounded(fact: Mapping[str, Any]) -> str:
    """The score as JUnit gets it."""
    score = fact["score"]
    if score is not None:
        return f"{score:.6g}"
    is_rank = fact.get("unit") == "rank"
    is_error = fact["verdict"] == "error"
    if is_rank or is_error:
        return "-"
    return "NaN"
