"""A search over several runs at once: one convention has to give the value of each of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from irmetrics_edu.diagnosis.mistakes import Mistake
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.diagnosis.switches import Facts, Setting, Switches
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN


class SeveralRuns(Search):
    """The searches of several runs; the score of a setting is the mean of each run."""

    def __init__(self, each: Mapping[str, Search]) -> None:
        first = next(iter(each.values()))
        self._each = each
        self.base = first.base
        self.given = first.given
        self.chosen = first.chosen
        self.on_small_inputs = {}
        self.facts = _of_all([search.facts for search in each.values()])
        self.switches = Switches(
            first.given,
            first.base,
            self.facts,
            single=False,
            geometric=first.chosen.aggregate == GEOMETRIC_MEAN,
        )
        for search in each.values():
            search.switches = self.switches

    def _of_each(self, scored: Callable[[Search], SettingScores | None]) -> SettingScores | None:
        means = []
        for search in self._each.values():
            of_run = scored(search)
            if of_run is None:
                return None
            means.append(of_run.mean)
        place = {name: i for i, name in enumerate(self._each)}
        return SettingScores(float(np.mean(means)), np.array(means), place)

    def score(self, setting: Setting) -> SettingScores | None:
        """The means under a setting; None if it refuses a run."""
        return self._of_each(lambda search: search.score(setting))

    def at_cutoff(self, setting: Setting, k: int | None) -> SettingScores | None:
        """The means at another cut-off."""
        return self._of_each(lambda search: search.at_cutoff(setting, k))

    def mistakes(self) -> Iterator[tuple[Mistake, SettingScores]]:
        """The means by each mistake that has a score for all runs."""
        of: list[dict[tuple[str, int], tuple[Mistake, SettingScores | None]]] = []
        for search in self._each.values():
            of.append({})
            forms: Counter[str] = Counter()
            for mistake, found in search.mistakes():
                of[-1][mistake.label, forms[mistake.label]] = mistake, found
                forms[mistake.label] += 1
        for form, (mistake, _) in of[0].items():
            scored = iter([mistakes.get(form, (mistake, None))[1] for mistakes in of])
            of_all = self._of_each(lambda _, scored=scored: next(scored))  # type: ignore[misc]  # mypy doesn't infer a lambda with a default
            if of_all is not None:
                yield mistake, of_all

    def refused(self, setting: Setting) -> str:
        """Why a setting gives no score for some run."""
        for search in self._each.values():
            why = search.refused(setting)
            if why:
                return why
        return ""

    def unordered(self) -> list[str]:
        """The libraries that promise no order of the ties of some run."""
        return list(dict.fromkeys(u for s in self._each.values() for u in s.unordered()))

    @property
    def is_large(self) -> bool:
        """Whether some run has so many queries that aligning each one alone is slow."""
        return any(search.is_large for search in self._each.values())

    @property
    def has_many(self) -> bool:
        """Whether some run has so many queries that their exact ideals take minutes."""
        return any(search.has_many for search in self._each.values())

    def has_query(self, query: Any) -> bool:
        """Whether a run has this name."""
        return query in self._each


def _of_all(facts: list[Facts]) -> Facts:
    """What holds for some run: its switches can make a difference."""
    values = {f.name: [getattr(one, f.name) for one in facts] for f in fields(Facts)}
    grades = tuple(sorted({grade for one in values.pop("grades") for grade in one}))
    return Facts(grades=grades, **{name: max(each) for name, each in values.items()})
