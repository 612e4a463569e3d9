"""A search over several runs at once: one convention has to give the value of each of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
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
        searches = list(each.values())
        first = searches[0]
        self._each = each
        self.base = first.base
        self.given = first.given
        self.chosen = first.chosen
        self.on_small_inputs = {}
        self.facts = _of_all([search.facts for search in searches])
        self.switches = Switches(
            first.given,
            first.base,
            self.facts,
            single=False,
            geometric=first.chosen.aggregate == GEOMETRIC_MEAN,
        )
        for search in searches:
            search.switches = self.switches

    @property
    def has_judgments(self) -> bool:
        """Whether documents are judged."""
        return all(search.has_judgments for search in self._each.values())

    def _of_each(
        self,
        scored: Callable[[Search], SettingScores | None],
    ) -> SettingScores | None:
        """The means of what each run has; None as soon as one has no score."""
        scores: list[SettingScores | None] = []
        for search in self._each.values():
            of_run = scored(search)
            if of_run is None:
                return None
            scores.append(of_run)
        return self._means(scores)

    def _means(self, scores: Sequence[SettingScores | None]) -> SettingScores | None:
        """The mean of each run; None if some run has none."""
        means: list[float] = []
        for of_run in scores:
            if of_run is None:
                return None
            means.append(of_run.mean)
        place = {name: number for number, name in enumerate(self._each)}
        mean_of_all = float(np.mean(means))
        return SettingScores(
            mean_of_all,
            np.array(means),
            place,
        )

    def score(self, setting: Setting) -> SettingScores | None:
        """The means under a setting; None if it refuses a run."""
        return self._of_each(lambda search: search.score(setting))

    def at_cutoff(self, setting: Setting, k: int | None) -> SettingScores | None:
        """The means at another cut-off."""
        return self._of_each(lambda search: search.at_cutoff(setting, k))

    def mistakes(self) -> Iterator[tuple[Mistake, SettingScores]]:
        """The means by each mistake that has a score for all runs."""
        return self._mistakes_of_all(lambda search: search.mistakes())

    def mistakes_under(self, setting: Setting) -> Iterator[tuple[Mistake, SettingScores]]:
        """The means by each mistake that has a score for all runs under a setting."""
        return self._mistakes_of_all(lambda search: search.mistakes_under(setting))

    def _mistakes_of_all(
        self,
        mistakes_of: Callable[[Search], Iterator[tuple[Mistake, SettingScores]]],
    ) -> Iterator[tuple[Mistake, SettingScores]]:
        first, *others = [_by_form(mistakes_of(search)) for search in self._each.values()]
        for form, (mistake, scores) in first.items():
            of_each: list[SettingScores | None] = [scores]
            for other in others:
                made = other.get(form)
                of_each.append(None if made is None else made[1])
            of_all = self._means(of_each)
            if of_all is not None:
                yield mistake, of_all

    def refused(self, setting: Setting) -> str:
        """Why a setting gives no score for some run."""
        for search in self._each.values():
            why = search.refused(setting)
            if why:
                return why
        return ""

    def of_order(self) -> list[str]:
        """What makes the order of documents of some run another one than may be meant."""
        sentences: dict[str, None] = {}
        for search in self._each.values():
            sentences.update(dict.fromkeys(search.of_order()))
        return list(sentences)

    def unordered(self) -> list[str]:
        """The libraries that promise no order of the ties of some run."""
        names: dict[str, None] = {}
        for search in self._each.values():
            for name in search.unordered():
                names[name] = None
        return list(names)

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


# The label of a mistake, and the number of the form that it has.
_Form = tuple[str, int]


def _by_form(
    mistakes: Iterator[tuple[Mistake, SettingScores]],
) -> dict[_Form, tuple[Mistake, SettingScores]]:
    """The mistakes of a run by their label and the number of the form that they have."""
    forms: Counter[str] = Counter()
    scored: dict[_Form, tuple[Mistake, SettingScores]] = {}
    for mistake, scores in mistakes:
        label = mistake.label
        form = (label, forms[label])
        scored[form] = (mistake, scores)
        forms[label] += 1
    return scored


def _of_all(facts: list[Facts]) -> Facts:
    """What holds for some run: its switches can make a difference."""
    greatest: dict[str, Any] = {}
    for field in fields(Facts):
        values = [getattr(one, field.name) for one in facts]
        greatest[field.name] = max(values)
    grades: set[float] = set()
    for one in facts:
        grades.update(one.grades)
    greatest["grades"] = tuple(sorted(grades))
    return Facts(**greatest)
