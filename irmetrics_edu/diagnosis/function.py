"""Which convention or mistake your own function follows, found by calling it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from irmetrics_edu.conventions import AS_WRITTEN
from irmetrics_edu.diagnosis.candidates import diagnose
from irmetrics_edu.diagnosis.function_answers import NEAR, Answers, Caller, Shown, is_near
from irmetrics_edu.diagnosis.function_inputs import (
    FunctionInputs,
    function_inputs,
    inputs_below_0,
)
from irmetrics_edu.diagnosis.probing import (
    first_that_fits,
    of_gains,
    of_two_mistakes,
    others,
    probed,
)
from irmetrics_edu.diagnosis.result import Candidate, Diagnosis, some_of
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import OURS, Bundle, bundle
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure, measure
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.views.result_table import Report

_FIRST, _SPREAD = 60, 120  # the smallest inputs, and how many of the rest


@dataclass(frozen=True, eq=False)
class FunctionDiagnosis(Report):
    """What a function computes: the right measure, another convention, or a mistake.

    `follows` says whether it gave the expected value on every input. If not, `shown` is the
    smallest input on which it gave another value. `diagnosis` has the conventions and mistakes that
    give all of its values. `cut` is what else gives them: another cut-off, gain, ideal. `beside`
    says what is true of it besides: what it does with an empty ranking or with grades below 0, and
    what a function of grades can't know.
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
    beside: Sequence[str] = ()

    @property
    def follows(self) -> bool:
        """Whether every value was as expected."""
        return self.shown is None

    @property
    def what(self) -> str:
        """What the function computes, in one line."""
        right = f"{self.measure} as {self.conventions} has it"
        if self.follows:
            return f"{self.name} is {right}, on {self.tried} inputs"
        if self.shown is not None and not self.shown.ranking:  # asked last
            return f"{self.name} is {right} on {self.tried - 1} inputs, but not on an empty ranking"
        diagnosis = self.diagnosis
        if diagnosis is None:
            return f"{self.name} is not {right}: it raised an error on each of {self.tried} inputs"
        for c in diagnosis.candidates:
            if c.arguments:
                return f"{self.name} is {_named(self.measure, c)}, not {right}"
        if diagnosis.mistakes:
            fitting = diagnosis.mistakes[0]
            made = f"{fitting.mistake.label}{fitting.under}"
            return f"{self.name} makes the mistake {made}: it gives {fitting.mistake.says}"
        if self.cut:
            return f"{self.name} is {self.cut}, not {right}"
        if diagnosis.candidates:
            return f"{self.name} is {right}, but it raised an error on {self.raised} inputs"
        return f"{self.name} is not {right}, and no convention or known mistake gives its values"

    @property
    def text(self) -> str:
        """Plain text: what the function computes, why it is wrong, and the smallest input."""
        lines = [self.what + "."]
        diagnosis = self.diagnosis
        if (
            diagnosis is not None
            and diagnosis.mistakes
            and not any(c.arguments for c in diagnosis.candidates)
        ):
            lines.append(diagnosis.mistakes[0].mistake.why)
        lines += self.probes
        lines += self.beside
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
            "beside": list(self.beside),
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


@dataclass(frozen=True)
class _Found:
    """What a function computes instead: by a diagnosis, in words, or as its gain and discount."""

    diagnosis: Diagnosis | None
    cut: str = ""
    probes: Sequence[str] = ()


def _instead(caller: Caller, answers: Answers, chosen: Measure, by: Bundle) -> _Found:
    """What gives all values of a function, or what can be read off from it if nothing does."""
    values = answers.values
    kept = answers.inputs.only(values)
    diagnosis = _explained(chosen, kept, values, by)
    if diagnosis.explained:
        return _Found(diagnosis)
    cut = _otherwise(chosen, kept, values, by)
    if cut:
        return _Found(diagnosis, cut)
    return _Found(diagnosis, probes=probed(caller.of_list, chosen.metric.name))


def diagnose_function(
    function: Callable[..., Any] | str,
    metric: Measure | Metric | str,
    *,
    conventions: Bundle | str = "irmetrics_edu",
) -> FunctionDiagnosis:
    """A diagnosis of a function says which convention or mistake of a measure it follows.

    `function` is called with a list of grades in ranked order, or with a ranking (a list of ids)
    and its judgments (id -> grade), by the number of its arguments; with `k` too, if it has that
    and the measure has a cut-off. Text such as "my_module:my_ndcg" is imported. The inputs are
    all kinds of rankings of up to three documents, one relevant document at each rank down to 50
    and at some down to 1,001, and several hundred drawn rankings around the cut-off. Their ids are
    such as "9", "10", "a" and "B", and their grades are whole numbers up to 31. `conventions` names
    the library that it should follow.

    Raises InputError for a measure that does not measure rankings, and for a function that can't be
    called in this way or returns something else than a number.

    >>> def my_precision(grades):
    ...     return sum(grade > 0 for grade in grades) / len(grades)
    >>> print(diagnose_function(my_precision, "P").what)
    my_precision is P as irmetrics_edu has it, on 384 inputs
    """
    chosen = measure(metric)
    by = bundle(conventions)
    if chosen.metric.inputs is not RANKED:
        raise InputError(
            f"{chosen.name} does not measure a ranking and its judgments; choose another measure"
        )
    caller = Caller.of(function, chosen)
    inputs = function_inputs(chosen, by, of_grades=caller.of_grades)
    answers = Answers.of(caller, inputs, chosen, by)
    beside = _on_an_empty_ranking(answers, chosen)
    if beside:
        answers = answers.without(inputs.empty)
    shown = answers.smallest_wrong
    cause = _Found(None)
    if shown is not None and shown.ranking and answers.values:
        cause = _instead(caller, answers, chosen, by)
    if shown is None:
        beside += _below_0(caller, chosen, by)
    if shown is None or (cause.diagnosis is not None and cause.diagnosis.explained):
        beside += _of_grades_alone(caller, chosen, by)
    return FunctionDiagnosis(
        name=caller.name,
        measure=chosen.name,
        conventions=by.name,
        tried=len(answers.given),
        raised=answers.raised,
        diagnosis=cause.diagnosis,
        shown=shown,
        cut=cause.cut,
        probes=list(cause.probes),
        beside=beside,
    )


def _explained(
    chosen: Measure,
    inputs: FunctionInputs,
    values: Mapping[int, float],
    by: Bundle,
) -> Diagnosis:
    """The conventions and mistakes that give all values: found on some inputs, held on all."""
    some = inputs.only(_spread(list(values)))
    of_some = {q: values[q] for q in some.run}
    options: dict[str, Any] = {"conventions": by, "tolerance": NEAR}
    diagnosis = diagnose(chosen, some.run, some.qrels, value=of_some, **options)
    if diagnosis.explained and len(some.run) < len(values):
        return diagnose(chosen, inputs.run, inputs.qrels, value=values, **options)
    return diagnosis


def _spread(queries: list[int]) -> list[int]:
    """The smallest inputs, and some of all the others."""
    rest = queries[_FIRST:]
    return [*queries[:_FIRST], *rest[: -1 : max(1, len(rest) // _SPREAD)], *rest[-1:]]


def _otherwise(
    chosen: Measure,
    inputs: FunctionInputs,
    values: Mapping[int, float],
    by: Bundle,
) -> str:
    """What else gives all values, in words: our conventions, other measures, two mistakes."""
    if by is not OURS:
        ours = _explained(chosen, inputs, values, OURS)
        if ours.candidates:
            return _named(chosen.name, ours.candidates[0])
    # What gives all values gives some of them too, and most functions are like nothing else.
    some = inputs.only(_spread(list(values)))
    of_some = {query: values[query] for query in some.run}
    for family in _Family:
        if family.first(chosen, some, of_some, by):
            words = family.first(chosen, inputs, values, by)
            if words:
                return words
    return ""


class _Family(Enum):
    """What may give the values of a function beside the conventions and the mistakes."""

    OTHERS = auto()
    TWO_MISTAKES = auto()
    GAINS = auto()

    def first(
        self,
        chosen: Measure,
        inputs: FunctionInputs,
        values: Mapping[int, float],
        by: Bundle,
    ) -> str:
        """The words for the first of the family that gives all values; "" if none does."""
        run, qrels = inputs.run, inputs.qrels
        if self is _Family.OTHERS:
            return first_that_fits(values, others(chosen, run, qrels, by))
        if self is _Family.TWO_MISTAKES:
            return first_that_fits(values, of_two_mistakes(chosen, run, qrels, by))
        return first_that_fits(values, of_gains(chosen, run, qrels, values))


def _on_an_empty_ranking(answers: Answers, chosen: Measure) -> list[str]:
    """A sentence if the function raises an error on an empty ranking: that is no wrong number."""
    for query in answers.inputs.empty:
        answer = answers.given[query]
        value = answers.right[query]
        if isinstance(answer, str):
            expectation = f"{chosen.name} is {value:.6g} there"
            return [f"On an empty ranking it gives no value, and {expectation}: {answer}."]
    return []


def _below_0(caller: Caller, chosen: Measure, by: Bundle) -> list[str]:
    """A sentence if grades below 0, which the conventions turn into others, give other values."""
    negative = by.aligned(chosen.metric)["negative"]
    if negative is AS_WRITTEN:  # asked with all other inputs
        return []
    inputs = inputs_below_0(chosen, by, of_grades=caller.of_grades)
    if not inputs.run or Answers.of(caller, inputs, chosen, by).smallest_wrong is None:
        return []
    convention = f'negative="{negative}" ({negative.meaning})'
    return [f"On grades below 0 it gives other values: {by.name} has {convention}."]


def _of_grades_alone(caller: Caller, chosen: Measure, by: Bundle) -> list[str]:
    """A sentence if the measure counts missed documents, of which a list of grades can't tell."""
    if not caller.of_grades:
        return []
    run = {"nothing missed": ["a", "b"], "one missed": ["a", "b"]}
    judged = {"a": 1, "b": 2}
    qrels = {"nothing missed": judged, "one missed": {**judged, "c": 3}}
    try:
        per_query = evaluate(run, qrels, [chosen], by).per_query
    except InputError:
        return []
    both = list(next(iter(per_query.values())).values())
    if is_near(*both):
        return []
    pool = "ideal" if "ideal" in chosen.metric.defaults else "pool"
    return [
        "It takes grades alone, so it was asked only on lists that hold all judged documents.",
        f'If you leave out what was missed, it has {pool}="retrieved".',
    ]


def _named(measure: str, c: Candidate) -> str:
    how = f"with {c.written}{some_of(c.libraries)}" if c.arguments else "as we define it"
    return f"{measure} {how}"
