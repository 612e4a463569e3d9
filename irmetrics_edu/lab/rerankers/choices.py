"""A ranking made by choosing one document after another, with the reason for each choice.

Every re-ranker records its steps here: the candidates, their terms, and the winner. The `Working`
is read from these records, and nothing is computed again.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.near_ties import falling, leading
from irmetrics_edu.numbers import Array
from irmetrics_edu.views import formatting
from irmetrics_edu.working import Table, Working


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """An algorithm as a working names it: its name, definition and formula."""

    name: str
    function: Callable[..., Any]
    formula: str

    @property
    def definition(self) -> str:
        """The definition: the first line of the docstring."""
        return (self.function.__doc__ or "").strip().split("\n", 1)[0]

    def title(
        self,
        k: int | None,
        params: Mapping[str, Any],
        name: str = "",
    ) -> str:
        """The name with its parameters and the length: MMR(lambda=0.5)@3."""
        inside = ", ".join(f"{n}={v}" for n, v in params.items())
        at = "" if k is None or (name and name != self.name) else f"@{k}"
        return (name or self.name) + (f"({inside})" if inside else "") + at

    def latex(self, k: int | None, params: Mapping[str, Any]) -> str:  # noqa: ARG002 -- as a measure's is called
        """The formula in LaTeX."""
        return self.formula


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One choice: the candidates, the terms of each, and the winner.

    `candidates` are places in the pool. `terms` have a value per candidate. The last term decides,
    and of candidates that tie in it (`near_ties`) the first is taken. `how` says how the last term
    follows from the others. It names them in braces, as in a `Working`.
    """

    candidates: Array
    terms: Mapping[str, Array]
    how: str = ""
    quantities: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    first_by: str = ""  # a term of whole numbers that decides before the last one does
    scale: float = 0.0  # the size of what the last term was computed from
    tied: Array = field(init=False)  # which candidates no other one beats
    chosen: int = field(init=False)  # a place among the candidates

    def __post_init__(self) -> None:
        deciding = self.terms[self.decisive]
        if self.first_by:
            first = self.terms[self.first_by]
            deciding = np.where(first == first.max(), deciding, -np.inf)
        tied = leading(deciding, scale=self.scale)
        object.__setattr__(self, "tied", tied)
        object.__setattr__(self, "chosen", int(tied.argmax()))

    @property
    def place(self) -> int:
        """The place in the pool of the document that was taken."""
        return int(self.candidates[self.chosen])

    @property
    def decisive(self) -> str:
        """The name of the term that decides."""
        return list(self.terms)[-1]


@dataclass(frozen=True, eq=False, repr=False)
class Reranking(Sequence[Hashable]):
    """A ranking of chosen documents, best first, and how it came about.

    It is a sequence of document ids, so a metric takes it as a ranking. `places` say which of the
    pool's `documents` were chosen, one after another. `value` is what the algorithm maximises, for
    the whole choice. `steps` are the choices, made when they are looked at. `working` is for
    `explain`.
    """

    method: Method
    documents: Sequence[Hashable]
    places: Sequence[int]
    make_steps: Callable[[], Sequence[Step]]
    params: Mapping[str, Any]
    maximised: float | None = None  # if it is not the sum of the deciding terms
    how: str = ""
    parts: Mapping[str, Working] = field(default_factory=dict)
    notes: Sequence[str] = ()

    @cached_property
    def ranking(self) -> tuple[Hashable, ...]:
        """The chosen documents, best first."""
        return tuple(self.documents[place] for place in self.places)

    @cached_property
    def steps(self) -> Sequence[Step]:
        """The choices, one after another."""
        return self.make_steps()

    @property
    def value(self) -> float:
        """The value that the algorithm maximises, or else the sum of the deciding terms."""
        if self.maximised is not None:
            return self.maximised
        return float(sum(step.terms[step.decisive][step.chosen] for step in self.steps))

    @cached_property
    def working(self) -> Working:
        """The choices: a line for each winner, and a part for each step with every candidate."""
        names = self.steps[0].terms
        columns = {n: np.array([s.terms[n][s.chosen] for s in self.steps]) for n in names}
        n = len(self.steps)
        table = Table.of_one({"rank": np.arange(1, n + 1), "document": list(self.ranking)})
        parts = {f"step {i}": self._explained(i, step) for i, step in enumerate(self.steps, 1)}
        return Working(
            np.array([self.value]),
            how=self.how or f"{{{self.steps[0].decisive}}}",
            columns=columns,
            table=table,
            parts={**parts, **self.parts},
            notes=self.notes,
            name=self.method.name,
            k=n,
            metric=self.method,
            params=self.params,
        )

    def _explained(self, number: int, step: Step) -> Working:
        """One step with every candidate, the winner first, then by falling value."""
        deciding = step.terms[step.decisive]
        group = -step.terms[step.first_by] if step.first_by else None
        order = falling(deciding, group, step.scale)
        order = np.concatenate([[step.chosen], order[order != step.chosen]])
        winner = self.documents[step.place]
        labels: dict[str, Any] = {
            "document": [self.documents[i] for i in step.candidates[order].tolist()]
        }
        labels |= {name: [given[i] for i in order] for name, given in step.labels.items()}
        quantities: dict[str, Any] = dict(step.quantities)
        quantities |= {
            f"its {n}": np.array([v[step.chosen]])
            for n, v in step.terms.items()
            if f"{{{n}}}" in step.how
        }

        def own(match: re.Match[str]) -> str:
            return f"{{its {match[1]}}}" if match[1] in step.terms else match[0]

        return Working(
            np.array([deciding[step.chosen]]),
            how=re.sub(r"\{([^{}]+)\}", own, step.how),
            columns={n: values[order] for n, values in step.terms.items()},
            table=Table.of_one(labels),
            quantities=quantities,
            notes=[self._reason(step, order)],
            name=f"step {number}: {winner}",
        )

    def _reason(self, step: Step, order: Array) -> str:
        """Why the winner was taken rather than the next best."""
        winner = self.documents[step.place]
        if len(order) < 2:
            return f"{winner} is the only candidate left"
        second = int(order[1])
        rival = self.documents[int(step.candidates[second])]
        against = "; ".join(
            f"{name} {_cell(values, step.chosen)} against {_cell(values, second)}"
            for name, values in step.terms.items()
        )
        if step.tied[second]:
            return f"{winner} ties with {rival} and comes first in the pool ({against})"
        return f"{winner} is taken, not {rival}, the next best: {against}"

    def __getitem__(self, index: Any) -> Any:
        return self.ranking[index]

    def __len__(self) -> int:
        return len(self.ranking)

    def __repr__(self) -> str:
        return f"<{self.method.title(None, self.params)}: {', '.join(map(str, self.ranking))}>"


def _cell(values: Array, place: int) -> str:
    return formatting.column([values[place]])[0]
