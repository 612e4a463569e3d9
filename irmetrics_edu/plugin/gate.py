"""The fixture `irm_baseline`: a gate against the baseline kept beside the test."""

from typing import Any

import pytest

from irmetrics_edu.assertions.baseline import Baseline, Gate, Outdated
from irmetrics_edu.assertions.failure import refused
from irmetrics_edu.assertions.reveal import revealing
from irmetrics_edu.errors import InputError
from irmetrics_edu.plugin import baseline_files
from irmetrics_edu.pytest_plugin import option

__tracebackhide__ = True
MAX_DROP = 0.01
_MARKED = ("max_drop", "confidence")


class BaselineGate:
    """Compares runs with the baselines of one test, or writes them where that was asked for."""

    def __init__(self, item: pytest.Item, session: Any) -> None:
        self.item, self.session = item, session
        self.path = item.path.parent / option(item.config, "baselines")
        session.folders.add(item.path.parent)
        self._calls: set[str] = set()

    def __call__(
        self,
        run: Any,
        qrels: Any,
        measures: Any = "nDCG@10",
        *,
        name: str = "",
        max_drop: float | None = None,
        confidence: float | None = None,
        inconclusive: str = "warn",
        reveal: str | None = None,
        **options: Any,
    ) -> list[Any]:
        """Assert that a run is no worse than the baseline of this test, as assert_no_regression.

        `name` tells several baselines of one test apart. `max_drop` is 0.01 and `confidence`
        0.95 unless given here or by the marker irm_baseline.
        """
        try:
            marked = self._marked()
            key = self._key(name)
            gate = Gate(run, qrels, measures, options)
            entry = baseline_files.read(self.path).get(key)
            update = option(self.item.config, "update")
            if entry is None and not update:
                pytest.fail(
                    f"there is no baseline for {key} in {self.path.name}; "
                    "write it with --irm-update=new",
                    pytrace=False,
                )
            if update == "all" or entry is None:
                return self._keep(key, gate) if update != "failing" else self._none(key)
            try:
                verdicts, error = gate.check(
                    Baseline.read(entry),
                    max_drop=_first(max_drop, marked.get("max_drop"), MAX_DROP),
                    confidence=_first(confidence, marked.get("confidence"), 0.95),
                    inconclusive=inconclusive,
                    reveal=revealing(reveal),
                )
            except Outdated as outdated:
                if update == "failing":
                    return self._keep(key, gate)
                raise InputError(
                    f"{outdated}; make the baseline anew with --irm-update=failing"
                ) from None
        except InputError as wrong:
            raise refused(wrong) from None
        if error is not None:
            if update == "failing":
                return self._keep(key, gate)
            raise error
        return verdicts

    def _marked(self) -> dict[str, Any]:
        """What the marker irm_baseline says, by name or in this order."""
        marker = self.item.get_closest_marker("irm_baseline")
        if marker is None:
            return {}
        if len(marker.args) > len(_MARKED) or marker.kwargs.keys() - {*_MARKED[len(marker.args) :]}:
            given = ", ".join([*map(repr, marker.args), *(f"{n}=" for n in marker.kwargs)])
            raise InputError(
                f"the marker irm_baseline({given}) of {self.item.name}: it takes "
                f"{' and '.join(_MARKED)}, each once"
            )
        return {**dict(zip(_MARKED, marker.args, strict=False)), **marker.kwargs}

    def _key(self, name: str) -> str:
        test = self.item.nodeid.partition("::")[2]
        key = f"{self.item.path.name}::{test}" + (f" #{name}" if name else "")
        if key in self._calls:
            raise InputError(
                f"{key}: this test asks for its baseline twice; tell them apart by name="
            )
        self._calls.add(key)
        return key

    def _keep(self, key: str, gate: Gate) -> list[Any]:
        entry = Baseline.of(gate.after, gate.judged).entry()
        self.session.pending.append({"path": str(self.path), "key": key, "entry": entry})
        return []

    def _none(self, key: str) -> list[Any]:
        pytest.fail(
            f"there is no baseline for {key}; write it with --irm-update=new", pytrace=False
        )


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)
