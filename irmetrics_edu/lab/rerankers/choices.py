"""A ranking made by choosing one document after another, with the reason for each choice.

Every re-ranker records its steps here: the candidates, their terms, and the winner. The `Working`
is read from these records, and nothing is computed again.
"""

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
        title = name or self.name
        if params:
            settings = [f"{parameter}={value}" for parameter, value in params.items()]
            title += f"({', '.join(settings)})"
        if k is not None and name in ("", self.name):
            title += f"@{k}"
        return title

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
            is_first = first == first.max()
            deciding = np.where(is_first, deciding, -np.inf)
        tied = leading(deciding, scale=self.scale)
        object.__setattr__(self, "tied", tied)
        object.__setattr__(
            self,
            "chosen",
            int(np.argmax(tied)),
        )

    @property
    def place(self) -> int:
        """The place in the pool of the document that was taken."""
        return int(self.candidates[self.chosen])

    @property
    def value(self) -> Any:
        """The deciding term of the document that was taken."""
        return self.terms[self.decisive][self.chosen]

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
        return float(sum(step.value for step in self.steps))

    @cached_property
    def working(self) -> Working:
        """The choices: a line for each winner, and a part for each step with every candidate."""
        columns = {}
        for name in self.steps[0].terms:
            of_winners = [step.terms[name][step.chosen] for step in self.steps]
            columns[name] = np.array(of_winners)
        n = len(self.steps)
        parts = {}
        for number, step in enumerate(self.steps, 1):
            parts[f"step {number}"] = self._explained(number, step)
        ranks = np.arange(1, n + 1)
        return Working(
            np.array([self.value]),
            how=self.how or f"{{{self.steps[0].decisive}}}",
            columns=columns,
            table=Table.of_one({"rank": ranks, "document": list(self.ranking)}),
            parts={**parts, **self.parts},
            notes=self.notes,
            name=self.method.name,
            k=n,
            metric=self.method,
            params=self.params,
        )

    def _explained(self, number: int, step: Step) -> Working:
        """One step with every candidate, the winner first, then by falling value."""
        order = self._order(step)
        winner = self.documents[step.place]
        places = step.candidates[order].tolist()
        documents = [self.documents[place] for place in places]
        labels: dict[str, Any] = {"document": documents}
        for name, label in step.labels.items():
            labels[name] = [label[i] for i in order]
        quantities: dict[str, Any] = dict(step.quantities)
        how = step.how
        for name, values in step.terms.items():
            if f"{{{name}}}" in how:
                of_winner = values[step.chosen]
                quantities[f"its {name}"] = np.array([of_winner])
                how = how.replace(f"{{{name}}}", f"{{its {name}}}")
        return Working(
            np.array([step.value]),
            how=how,
            columns={name: values[order] for name, values in step.terms.items()},
            table=Table.of_one(labels),
            quantities=quantities,
            notes=[self._reason(step, order)],
            name=f"step {number}: {winner}",
        )

    def _order(self, step: Step) -> Array:
        """The candidates of a step: the winner first, then by falling value."""
        values = step.terms[step.decisive]
        group = -step.terms[step.first_by] if step.first_by else None
        order = falling(values, group, step.scale)
        losers = order[order != step.chosen]
        return np.concatenate([[step.chosen], losers])

    def _reason(self, step: Step, order: Array) -> str:
        """Why the winner was taken rather than the next best."""
        winner = self.documents[step.place]
        if len(order) < 2:
            return f"{winner} is the only candidate left"
        second = int(order[1])
        rival = self.documents[int(step.candidates[second])]
        terms = []
        for name, values in step.terms.items():
            of_winner = _cell(values, step.chosen)
            of_rival = _cell(values, second)
            terms.append(f"{name} {of_winner} against {of_rival}")
        against = "; ".join(terms)
        if step.tied[second]:
            return f"{winner} ties with {rival} and comes first in the pool ({against})"
        return f"{winner} is taken, not {rival}, the next best: {against}"

    def __getitem__(self, index: Any) -> Any:
        return self.ranking[index]

    def __len__(self) -> int:
        return len(self.ranking)

    def __repr__(self) -> str:
        title = self.method.title(None, self.params)
        return f"<{title}: {', '.join(map(str, self.ranking))}>"


def _cell(values: Array, place: int) -> str:
    return formatting.column([values[place]])[0]
