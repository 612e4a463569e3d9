"""The definition of a mistake, and the catalogue of all mistakes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.all_retrieved import of_all_retrieved
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.working import Working


@dataclass(frozen=True, eq=False)
class Mistake:
    """A way to get a metric wrong: a label, the wrong metric, and its explanation.

    `says` completes "your values equal those of ..."; `why` says why that is wrong; `read` is
    where to read on. `cancels_in` names metrics in which the mistake makes no difference. A mistake
    that is entered several times for a metric has several forms.
    """

    label: str
    says: str
    why: str
    read: str
    cancels_in: tuple[str, ...] = ()
    _wrong: dict[str, list[Metric]] = field(default_factory=dict, repr=False)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics that it affects."""
        return tuple(self._wrong)

    @property
    def sentence(self) -> str:
        """One sentence that names it."""
        return f"Your values equal those of {self.says}."

    def wrong(self, name: str) -> Metric:
        """The metric with the mistake: called like the right metric, it gives the wrong value."""
        return self._wrong[name][0]

    def instead_of(self, metric: Metric) -> Metric:
        """The wrong metric under the cut-off and the conventions of the right one."""
        return next(self.all_instead_of(metric))

    def all_instead_of(self, metric: Metric) -> Iterator[Metric]:
        """The wrong metric, and the same where unjudged documents are treated in another way."""
        for wrong in self._wrong[metric.name]:
            accepted = {**wrong.defaults, **wrong.inputs.options}
            options = {
                n: v for n, v in metric.params.items() if n in accepted and n not in wrong.params
            }
            variant = wrong.using(**options) if options else wrong
            yield variant if metric.k is None else variant @ metric.k

    def of_convention(self, right: Metric, **options: Any) -> "Mistake":
        """Enter a mistake that is the right kernel under a wrong convention."""
        return self._enter(right, right.using(**options))

    def of_call(
        self,
        right: Metric,
        call: Callable[..., Working | Array],
        *options: str,
        inputs: KindOfInput | None = None,
    ) -> "Mistake":
        """Enter a mistake that no convention gives: `call(rows, k, **options)` gives its scores.

        They may come in a working. The call takes the options of these names, with the defaults of
        the right metric. `inputs` are those of the right metric unless the call needs them aligned
        otherwise.
        """
        taken = {name: right.defaults[name] for name in options}

        def kernel(rows: Any, k: int | None = None, **settings: Any) -> Working:
            """The wrong scores."""
            scores = call(rows, k, **{**taken, **settings})
            return scores if isinstance(scores, Working) else Working(scores)

        wrong = Metric(
            kernel,
            self.label,
            formula=right.formula_template,
            source=right.source,
            inputs=inputs or right.inputs,
            cutoff=right.cutoff,
        )
        wrong.defaults = taken
        return self._enter(right, wrong)

    def of_score(
        self,
        right: Metric,
        score: Callable[[Working], Array],
        *options: str,
    ) -> "Mistake":
        """Enter a mistake whose score follows from the right working under these options."""

        def call(rows: Any, k: int | None, **settings: Any) -> Working:
            working = right.measured(rows, k, **settings)
            working.score = score(working)
            return working

        return self.of_call(right, call, *options)

    def _enter(self, right: Metric, wrong: Metric) -> "Mistake":
        self._wrong.setdefault(right.name, []).append(wrong)
        return self


def scores_of(metric: Metric, rows: Any, k: int | None, **options: Any) -> Array:
    """The scores of a metric over rows that are aligned."""
    return np.asarray(metric.measured(rows, k, **options).score, dtype=np.float64)


def with_the_unjudged(right: Metric, **conventions: Any) -> Callable[..., Working]:
    """The measure under conventions, in which each unjudged document has grade 0."""

    def call(rows: Any, k: int | None, **options: Any) -> Working:
        every = rows.made("all", lambda: replace(of_all_retrieved(rows, 0), pooled=None))
        return right.measured(every, k, **conventions, **options)

    return call


def mistake(
    label: str,
    says: str,
    *,
    why: str,
    read: str,
    cancels_in: tuple[str, ...] = (),
) -> Mistake:
    """Enter a mistake in the catalogue."""
    if label in MISTAKES:
        raise ValueError(f"two mistakes are labelled {label}")
    made = MISTAKES[label] = Mistake(label, says, why, read, cancels_in)
    return made


MISTAKES: dict[str, Mistake] = {}  # by label


def mistakes_of(metric: Metric | str) -> list[Mistake]:
    """The mistakes that affect this metric."""
    name = (parse(metric) if isinstance(metric, str) else metric).name
    return [m for m in MISTAKES.values() if name in m.metrics]
