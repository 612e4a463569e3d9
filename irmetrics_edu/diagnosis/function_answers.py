"""What a function of somebody's own answers to inputs, beside the right values."""

import inspect
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from irmetrics_edu.diagnosis.function_inputs import FunctionInputs, Judgments, Ranking
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.notation import Measure, object_named
from irmetrics_edu.runs.evaluation import evaluate

NEAR = 1e-6
_MOST_PRINTED = 40  # documents


def is_near(value: float, right: float) -> bool:
    """Whether two values are the same, or both are NaN."""
    if math.isnan(value):
        return math.isnan(right)
    return value == right or abs(value - right) <= NEAR


@dataclass(frozen=True)
class Shown:
    """An input, the function's value and the expected value."""

    ranking: Any
    judgments: Any
    value: float | str  # or the error that it raised
    expected: float

    @property
    def lines(self) -> list[str]:
        """The input, and both values."""
        answer = self.value if isinstance(self.value, str) else f"{self.value:.6g}"
        ranking = str(self.ranking)
        judgments = str(self.judgments)
        if len(self.ranking) > _MOST_PRINTED:
            graded = [self.judgments.get(d) for d in self.ranking]
            ranking = f"{len(self.ranking)} documents"
            judgments = f"in ranked order {graded}"
        return [
            f"  ranking    {ranking}",
            f"  judgments  {judgments}",
            f"  the function gives {answer}, expected {self.expected:.6g}",
        ]


@dataclass(frozen=True)
class Caller:
    """A function of somebody's own, and how it is called."""

    function: Callable[..., Any]
    name: str
    of_grades: bool
    options: Mapping[str, Any]

    @classmethod
    def of(cls, function: Callable[..., Any] | str, chosen: Measure) -> Self:
        """A function, or the one that is named by module:name, for a measure."""
        callee = _imported(function) if isinstance(function, str) else function
        name = str(getattr(callee, "__name__", "the function"))
        return cls(callee, name, *_called_with(callee, chosen, name))

    def value(self, ranking: Ranking, judgments: Judgments) -> float | str:
        """Its value on copies of an input, or the error that it raised."""
        inputs: tuple[Any, ...] = (list(ranking), dict(judgments))
        if self.of_grades:
            inputs = ([judgments[d] for d in ranking],)
        try:
            return _number(self.function(*inputs, **self.options), self.name)
        except InputError as error:
            if not ranking:  # many functions return None where there is nothing to go through
                return str(error)
            raise
        except Exception as error:  # noqa: BLE001 -- whatever somebody's function may raise
            return f"{type(error).__name__}: {error}"

    def of_list(self, grades: list[int]) -> float:
        """Its value on a list of grades; its errors are raised."""
        ranking = [f"d{i}" for i in range(len(grades))]
        judged = dict(zip(ranking, grades, strict=True))
        inputs = (grades,) if self.of_grades else (ranking, judged)
        return float(self.function(*inputs, **self.options))


@dataclass(frozen=True)
class Answers:
    """The values of a function and the right ones, by the numbers of the inputs."""

    inputs: FunctionInputs
    given: Mapping[int, float | str]
    right: Mapping[int, float]

    @classmethod
    def of(
        cls,
        caller: Caller,
        inputs: FunctionInputs,
        chosen: Measure,
        by: Bundle,
    ) -> Self:
        """Call the function on every input."""
        right = next(
            iter(
                evaluate(
                    inputs.run,
                    inputs.qrels,
                    [chosen],
                    by,
                ).per_query.values()
            )
        )
        answers = {q: caller.value(inputs.run[q], inputs.qrels[q]) for q in inputs.run}
        return cls(inputs, answers, right)

    @property
    def values(self) -> dict[int, float]:
        """The values that are numbers."""
        return {q: value for q, value in self.given.items() if not isinstance(value, str)}

    @property
    def raised(self) -> int:
        """The number of inputs on which it raised an error."""
        return len(self.given) - len(self.values)

    def without(self, queries: Collection[int]) -> Self:
        """The answers on the other inputs."""
        return replace(self, given={q: v for q, v in self.given.items() if q not in queries})

    @property
    def smallest_wrong(self) -> Shown | None:
        """The first input without the right value."""
        for q, answer in self.given.items():
            if isinstance(answer, str) or not is_near(answer, self.right[q]):
                ranking = self.inputs.run[q]
                judged = self.inputs.qrels[q]
                return Shown(
                    list(ranking),
                    dict(judged),
                    answer,
                    self.right[q],
                )
        return None


def _number(value: Any, name: str) -> float:
    try:
        if isinstance(value, (str, bytes, bytearray)):  # Python would read it, a caller would not
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise InputError(
            f"{name} returned {value!r}, which is not a number; return a score"
        ) from None


def _called_with(
    function: Callable[..., Any], chosen: Measure, name: str
) -> tuple[bool, dict[str, Any]]:
    """Whether a function takes grades only, and the cut-off to call it with."""
    try:
        parameters: Mapping[str, inspect.Parameter] = inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise InputError(f"{name} can't be called; give a function") from None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    empty = inspect.Parameter.empty
    needed = [
        n for n, p in parameters.items() if p.default is empty and p.kind in kinds and n != "k"
    ]
    if len(needed) not in (1, 2):
        raise InputError(
            f"{name} takes {', '.join(needed) or 'nothing'}; it should take a list of grades, or "
            "a ranking and its judgments"
        )
    if "k" not in parameters:
        return len(needed) == 1, {}
    if chosen.k is None and parameters["k"].default is empty:
        raise InputError(f"{name} needs k; name a measure with a cut-off, such as {chosen.name}@2")
    return len(needed) == 1, {} if chosen.k is None else {"k": chosen.k}


def _imported(text: str) -> Callable[..., Any]:
    """The function named by `module:name`; the current folder is searched too."""
    home, colon, name = text.partition(":")
    if not colon or not home or not name:
        raise InputError(f"{text!r} is no function; write module:name, such as my_module:my_ndcg")
    target: Callable[..., Any] | None = object_named(text, text)
    if not callable(target):
        raise InputError(f"{text!r}: {home} has no function {name!r}")
    return target
