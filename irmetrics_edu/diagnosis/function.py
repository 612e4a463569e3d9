"""Which convention or mistake your own function follows, found by calling it."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from irmetrics_edu.conventions import AS_WRITTEN
from irmetrics_edu.diagnosis.candidates import diagnose
from irmetrics_edu.diagnosis.probing import (
    NEAR,
    first_that_fits,
    is_near,
    of_gains,
    of_two_mistakes,
    others,
    probed,
)
from irmetrics_edu.diagnosis.result import Candidate, Diagnosis, some_of
from irmetrics_edu.diagnosis.small import long_inputs, small_inputs
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import OURS, Bundle, bundle
from irmetrics_edu.metrics.notation import Measure, measure, object_named
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.views.result_table import Report

_FIRST, _STEP = 100, 7  # the smallest inputs, and every so many of the rest
_MOST_PRINTED = 40  # documents


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
        given = self.value if isinstance(self.value, str) else f"{self.value:.6g}"
        ranking = str(self.ranking)
        judgments = str(self.judgments)
        if len(self.ranking) > _MOST_PRINTED:
            graded = [self.judgments.get(d) for d in self.ranking]
            ranking = f"{len(self.ranking)} documents"
            judgments = f"in ranked order {graded}"
        return [
            f"  ranking    {ranking}",
            f"  judgments  {judgments}",
            f"  the function gives {given}, expected {self.expected:.6g}",
        ]


@dataclass(frozen=True, eq=False)
class FunctionDiagnosis(Report):
    """What a function computes: the right measure, another convention, or a mistake.

    `follows` says whether it gave the expected value on every input. If not, `shown` is the
    smallest input on which it gave another value. `diagnosis` has the conventions and mistakes that
    give all of its values. `cut` is what else gives them: another cut-off, gain, ideal.
    """

    name: str
    measure: str
    conventions: str
    tried: int
    raised: int
    diagnosis: Diagnosis | None
    shown: Shown | None
    cut: str = ""
    probes: Sequence[str] = ()  # its gain and its discount, where nothing else explains it

    @property
    def follows(self) -> bool:
        """Whether every value was as expected."""
        return self.shown is None

    @property
    def what(self) -> str:
        """What the function computes, in one line."""
        of = f"{self.measure} as {self.conventions} has it"
        if self.follows:
            return f"{self.name} is {of}, on {self.tried} inputs"
        found = self.diagnosis
        if found is None:
            return f"{self.name} is not {of}: it raised an error on each of {self.tried} inputs"
        for c in found.candidates:
            if c.arguments:
                return f"{self.name} is {_named(self.measure, c)}, not {of}"
        if found.mistakes:
            m = found.mistakes[0].mistake
            return f"{self.name} makes the mistake {m.label}: it gives {m.says}"
        if self.cut:
            return f"{self.name} is {self.cut}, not {of}"
        if found.candidates:
            return f"{self.name} is {of}, but it raised an error on {self.raised} inputs"
        return f"{self.name} is not {of}, and no convention or known mistake gives its values"

    @property
    def text(self) -> str:
        """Plain text: what the function computes, why it is wrong, and the smallest input."""
        lines = [self.what + "."]
        found = self.diagnosis
        if found is not None and found.mistakes and not any(c.arguments for c in found.candidates):
            lines.append(found.mistakes[0].mistake.why)
        lines += self.probes
        if self.shown is not None:
            lines += ["The smallest input that shows it:", *self.shown.lines]
        if self.raised:
            lines.append(f"It raised an error on {self.raised} of {self.tried} inputs.")
        return "\n".join(lines)

    def facts(self) -> dict[str, Any]:
        """In plain values, as JSON has them."""
        shown = self.shown
        return {
            "function": self.name,
            "measure": self.measure,
            "conventions": self.conventions,
            "follows": self.follows,
            "what": self.what,
            "inputs": self.tried,
            "raised": self.raised,
            "probes": list(self.probes),
            "shown": None
            if shown is None
            else {
                "ranking": shown.ranking,
                "judgments": shown.judgments,
                "value": shown.value
                if isinstance(shown.value, str) or math.isfinite(shown.value)
                else str(shown.value),
                "expected": shown.expected,
            },
        }

    def __str__(self) -> str:
        return self.text


def diagnose_function(
    function: Callable[..., Any] | str,
    metric: Any,
    *,
    conventions: Bundle | str = "irmetrics_edu",
) -> FunctionDiagnosis:
    """A diagnosis of a function says which convention or mistake of a measure it follows.

    `function` is called with a list of grades in ranked order, or with a ranking (a list of ids)
    and its judgments (id -> grade), by the number of its arguments; with `k` too, if it has that
    and the measure has a cut-off. Text such as "my_module:my_ndcg" is imported. The inputs are
    all kinds of rankings of up to three documents, and some longer rankings of up to 200 documents,
    with ids such as "9", "10", "a" and "B" and with grades above 5. `conventions` names the library
    that it should follow.

    Raises InputError for a measure that does not measure rankings, and for a function that can't be
    called in this way or returns something else than a number.

    >>> def my_precision(grades):
    ...     return sum(grade > 0 for grade in grades) / len(grades)
    >>> print(diagnose_function(my_precision, "P").what)
    my_precision is P as irmetrics_edu has it, on 88 inputs
    """
    chosen = measure(metric)
    by = bundle(conventions)
    if chosen.metric.inputs is not RANKED:
        raise InputError(
            f"{chosen.name} does not measure a ranking and its judgments; choose another measure"
        )
    found = _imported(function) if isinstance(function, str) else function
    name = str(getattr(found, "__name__", "the function"))
    of_grades, options = _called_with(found, chosen, name)
    run, qrels = _drawn(chosen, by, of_grades=of_grades)
    expected = evaluate(run, qrels, [chosen], by)
    right = next(iter(expected.per_query.values()))
    values: dict[int, float] = {}
    shown, raised = None, 0
    for query, ranking in run.items():
        judged = qrels[query]
        inputs = ([judged[d] for d in ranking],) if of_grades else (list(ranking), dict(judged))
        given: float | str
        try:
            given = values[query] = _number(found(*inputs, **options), name)
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever somebody's function may raise
            given, raised = f"{type(error).__name__}: {error}", raised + 1
        same = not isinstance(given, str) and is_near(given, right[query])
        if shown is None and not same:
            shown = Shown(list(ranking), dict(judged), given, right[query])

    def call(grades: list[int]) -> float:
        ranking = [f"d{i}" for i in range(len(grades))]
        judged = dict(zip(ranking, grades, strict=True))
        return float(found(*((grades,) if of_grades else (ranking, judged)), **options))

    diagnosis = None
    cut = ""
    probes = []
    if shown is not None and values:
        kept = {q: run[q] for q in values}, {q: qrels[q] for q in values}
        diagnosis = diagnose(chosen, *kept, value=values, conventions=by, tolerance=NEAR)
        if not diagnosis.explained and by is not OURS:
            ours = diagnose(chosen, *kept, value=values, conventions=OURS, tolerance=NEAR)
            cut = _named(chosen.name, ours.candidates[0]) if ours.candidates else ""
        if not diagnosis.explained and not cut:
            measures = chain(
                others(chosen, *kept, by),
                of_two_mistakes(chosen, *kept, by),
                of_gains(chosen, *kept, values),
            )
            cut = first_that_fits(values, measures)
            probes = [] if cut else probed(call, chosen.metric.name)
    return FunctionDiagnosis(
        name, chosen.name, by.name, len(run), raised, diagnosis, shown, cut, probes
    )


def _named(measure: str, c: Candidate) -> str:
    how = f"with {c.written}{some_of(c.libraries)}" if c.arguments else "as we define it"
    return f"{measure} {how}"


def _number(value: Any, name: str) -> float:
    try:
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
        known: Mapping[str, inspect.Parameter] = inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise InputError(f"{name} can't be called; give a function") from None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    empty = inspect.Parameter.empty
    needed = [n for n, p in known.items() if p.default is empty and p.kind in kinds and n != "k"]
    if len(needed) not in (1, 2):
        raise InputError(
            f"{name} takes {', '.join(needed) or 'nothing'}; it should take a list of grades, or "
            "a ranking and its judgments"
        )
    if "k" not in known:
        return len(needed) == 1, {}
    if chosen.k is None and known["k"].default is empty:
        raise InputError(f"{name} needs k; name a measure with a cut-off, such as {chosen.name}@2")
    return len(needed) == 1, {} if chosen.k is None else {"k": chosen.k}


def _drawn(
    chosen: Measure, by: Bundle, *, of_grades: bool
) -> tuple[dict[int, Any], dict[int, Any]]:
    """Inputs, the smallest first; functions of grades get no unjudged documents."""
    small = small_inputs(chosen.metric)
    both = ((small.run[q], judged) for q, judged in (small.qrels or {}).items())
    short, long = (
        [(r, j) for r, j in pairs if not of_grades or set(j) == set(r)]
        for pairs in (both, long_inputs())
    )
    rest = short[_FIRST:]
    taken = [*short[:_FIRST], *rest[:-2:_STEP], *rest[-2:]]
    taken += [(r, j) for r, j in long if _takes(chosen, by, r, j)]
    return {i: r for i, (r, _) in enumerate(taken)}, {i: j for i, (_, j) in enumerate(taken)}


def _takes(chosen: Measure, by: Bundle, ranking: Any, judged: Any) -> bool:
    """Whether a measure has a score for an input; losses are asked only where they are kept."""
    if min(judged.values()) < 0 and by.aligned(chosen.metric)["negative"] is not AS_WRITTEN:
        return False
    try:
        evaluate({0: ranking}, {0: judged}, [chosen], by)
    except InputError:
        return False
    return True


def _imported(text: str) -> Callable[..., Any]:
    """The function named by `module:name`; the current folder is searched too."""
    home, colon, name = text.partition(":")
    if not colon or not home or not name:
        raise InputError(f"{text!r} is no function; write module:name, such as my_module:my_ndcg")
    found: Callable[..., Any] | None = object_named(text, text)
    if not callable(found):
        raise InputError(f"{text!r}: {home} has no function {name!r}")
    return found
