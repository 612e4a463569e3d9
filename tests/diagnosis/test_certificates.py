"""What `diagnose_function` says a function is, it is: held on ten thousand other inputs.

The mutants are changed metric functions in plain Python. The inputs here are drawn in another way
than those that the functions are asked.
"""

import random
import re
from functools import cache

import pytest

from irmetrics_edu import diagnose_function, evaluate
from irmetrics_edu.diagnosis.function_answers import Caller, is_near
from irmetrics_edu.diagnosis.function_inputs import function_inputs
from irmetrics_edu.libraries import OURS
from irmetrics_edu.metrics.notation import Measure, measure
from tests.diagnosis.mutants import BASES, mutants, right

_INPUTS = 10_000
# `make test` tries each fifth mutant, and the suite of the guide all of them.
ALL = pytest.mark.suite("guide")


@cache
def drawn():
    """Ten thousand rankings with judgments, none of which the functions are asked."""
    source = random.Random(20_000)
    run = {}
    qrels = {}
    for q in range(_INPUTS):
        retrieved = min(int(source.expovariate(1 / 9)) + 1, 120)
        missed = int(source.expovariate(1 / 4))
        ids = source.sample(range(1_000_000), retrieved + missed)
        names = [f"{source.choice('abcDEF')}{i}" for i in ids]
        highest = source.choice((1, 1, 2, 3, 4, 9))
        share = source.random()
        judged = {}
        for place, name in enumerate(names):
            if place >= retrieved or source.random() < 0.75:
                relevant = source.random() < share
                judged[name] = source.randint(1, highest) if relevant else 0
        run[q] = names[:retrieved]
        qrels[q] = judged or {names[0]: 1}
    return run, qrels


def first_difference(function, values):
    """The first input on which a function differs from these values; None if there is none."""
    run, qrels = drawn()
    for q, ranking in run.items():
        if not is_near(float(function(list(ranking), dict(qrels[q]))), values[q]):
            return list(ranking), qrels[q]
    return None


@cache
def values_of(name):
    """The measure's values on the drawn inputs."""
    run, qrels = drawn()
    return next(iter(evaluate(run, qrels, [measure(name)], OURS).per_query.values()))


@pytest.mark.parametrize("name", BASES)
def test_the_right_functions_are_certified(name):
    """No check is so strict that nothing passes it; and they are right on the drawn inputs."""
    assert diagnose_function(right(name), name).follows
    assert first_difference(right(name), values_of(name)) is None


@pytest.mark.parametrize("each", [5, pytest.param(1, marks=ALL)])
@pytest.mark.parametrize("name", BASES)
def test_no_mutant_is_certified_that_differs_anywhere(name, each):
    """More than fifty of each measure, 3,800 in all."""
    inputs = function_inputs(measure(name), OURS, of_grades=False)
    expected = evaluate(inputs.run, inputs.qrels, [measure(name)], OURS).per_query
    values = next(iter(expected.values()))

    def is_certified(function):
        caller = Caller.of(function, measure(name))
        given = ((q, caller.value(ranking, inputs.qrels[q])) for q, ranking in inputs.run.items())
        return all(not isinstance(value, str) and is_near(value, values[q]) for q, value in given)

    every = list(mutants(name))
    wrong = []
    for said, function in every[::each]:
        if is_certified(function) and first_difference(function, values_of(name)) is not None:
            wrong.append(said)
    assert wrong == []
    assert len(every) > 50


def values_said(found):
    """The values, on the drawn inputs, of what a diagnosis says a function is; None if nothing."""
    run, qrels = drawn()
    diagnosis = found.diagnosis
    conventions = [c for c in diagnosis.candidates if c.arguments] if diagnosis else []
    if conventions:
        scored = eval(conventions[0].call, {"evaluate": evaluate, "run": run, "qrels": qrels})  # noqa: S307
    elif diagnosis and diagnosis.mistakes:
        mistake, metric = diagnosis.mistakes[0].mistake, measure(found.measure).metric
        forms = (Measure("wrong", wrong) for wrong in mistake.all_instead_of(metric))
        return [evaluate(run, qrels, [wrong], OURS).per_query["wrong"] for wrong in forms]
    elif re.fullmatch(r"[A-Za-z]+@\d+", found.cut):
        scored = evaluate(run, qrels, found.cut, OURS)
    else:
        return None
    return [next(iter(scored.per_query.values()))]


OFTEN_CALLED = ("AP@10",)
SELDOM_CALLED = [pytest.param(name, marks=ALL) for name in BASES if name not in OFTEN_CALLED]


@pytest.mark.parametrize("name", [*OFTEN_CALLED, *SELDOM_CALLED])
def test_what_a_mutant_is_called_it_is(name):
    """One in some of the mutants: its convention, mistake or cut-off gives it everywhere."""
    every = list(mutants(name))
    called = 0
    for said, function in every[3 :: max(1, len(every) // 3)]:
        found = diagnose_function(function, name)
        values = values_said(found)
        if values is not None:
            called += 1
            differences = [first_difference(function, form) for form in values]
            assert None in differences, (said, found.what, differences)
    assert called or name not in OFTEN_CALLED
