"""No wrong answer is one that a convention, a sign or a base makes right, unless the question says.

Each question is computed again under every other convention of the metrics that it uses. Where a
mistake gives what another convention gives, the question has to name what decides.
"""

import re
from collections import Counter
from random import Random

import pytest

from irmetrics_edu.classroom.exercises.differing import same
from irmetrics_edu.classroom.exercises.source import paths_in, read
from irmetrics_edu.classroom.questions import concepts
from irmetrics_edu.conventions.convention import Convention
from irmetrics_edu.errors import InputError

pytestmark = pytest.mark.slow

DRAWS = 3
# The words by which a question names what decides, by the parameter of the metric.
NAMES = {
    "gain": r"\bgain\b|recall of vital nuggets alone",
    "discount": r"discount|attention of rank i",
    "divisor": r"over all relevant|share|Divide by k",
    "ideal": r"[Ii]deal",
    "cut": r"cut at k, too|, cut at k",
    "interpolation": r"highest precision",
    "pool": r"all (R )?relevant|all judged|share|counts? beta times",
    "unjudged": r"without a judgment|never judged|all judged|over all relevant|counts beta times",
    "unretrieved": r"share|Divide by k",
    "satisfaction": r"with the probability \(2\^g - 1\)",
    "overlap": r"counts on both sides",
}
SIGN = (
    r"less the mean grade"
    r"|loss is negative|new less old|less control|less one half|raises|: 1 if A wins"
    r"|: 1 if the first|weighted mean of 1 \+ nDCG"
)


def _questions():
    for path in paths_in():
        for question in read(path).exercise.questions:
            if question.asks:
                yield path.stem[:2], question


def _others(question):
    """Each other convention of the metrics, with the names by which the question uses it."""
    found = []
    for name, metric in question.used.items():
        for parameter, usual in {**metric.defaults, **metric.inputs.options}.items():
            if not isinstance(usual, Convention):
                continue
            for known in dict.fromkeys(value.name for value in type(usual).values.values()):
                if known == usual.name:
                    continue
                try:
                    other = metric.using(**{parameter: known})
                except InputError:  # one that needs more than its name
                    continue
                found.append((parameter, known, {**question.own, name: other}))
    return found


def _valued(question):
    """The inputs of some draws, the right answer and those of the mistakes."""
    for number in range(DRAWS):
        inputs = question.draw(Random(number))
        try:
            right = question.right(inputs)
        except (InputError, ArithmeticError, ValueError, LookupError):
            continue
        wrong = {}
        for label in question.labels:
            try:
                wrong[label] = question.wrong(label, inputs)
            except (InputError, ArithmeticError, ValueError, LookupError):
                continue
        yield inputs, right, wrong


def _decided(question):
    """(Mistake, parameter, convention) where a mistake gives what the convention gives."""
    alike = Counter()
    apart = Counter()
    others = _others(question)
    for inputs, right, wrong in _valued(question):
        for parameter, known, names in others:
            try:
                value = question.computed(inputs, names)
            except (InputError, ArithmeticError, ValueError, LookupError, TypeError):
                continue
            if same(value, right, 1e-9):
                continue
            for label, found in wrong.items():
                at = alike if same(found, value, 1e-9) else apart
                at[label, parameter, known] += 1
    # By chance two values may be one in a single draw; what is the same mistake is so in most.
    return [what for what, count in alike.items() if count > 1 and count > apart[what]]


@pytest.mark.suite("lessons")
def test_a_convention_that_decides_is_named():
    """Over all questions: whoever uses the other convention can see that it is not asked for."""
    unnamed = []
    found = 0
    for chapter, question in _questions():
        words = " ".join([question.asks, *question.parts])
        for label, parameter, known in _decided(question):
            found += 1
            if not re.search(NAMES.get(parameter, "$^"), words):
                unnamed.append(f"{chapter} {question.name}: {label} is {parameter}={known}")
    assert unnamed == []
    assert found > 20


def _negated(value):
    if isinstance(value, list):
        return [_negated(one) for one in value]
    return -value if isinstance(value, int | float) and not isinstance(value, bool) else value


@pytest.mark.suite("lessons")
def test_a_sign_that_decides_is_stated():
    """A mistake that gives the right answer with the other sign."""
    unstated = []
    found = 0
    for chapter, question in _questions():
        turned = Counter()
        draws = 0
        for _, right, wrong in _valued(question):
            draws += 1
            for label, value in wrong.items():
                turned[label] += not same(right, _negated(right), 1e-9) and same(
                    value, _negated(right), 1e-9
                )
        words = " ".join([question.asks, *question.parts])
        for label, count in turned.items():
            if count == draws:
                found += 1
                if not re.search(SIGN, words):
                    unstated.append(f"{chapter} {question.name}: {label}")
    assert unstated == []
    assert found > 3


def test_a_concept_says_which_convention_it_means():
    """A wrong answer of which the feedback says that some programs give it, and right for them."""
    open_ones = []
    for one in concepts.concepts():
        feedback = " ".join(option.feedback for option in one.wrong)
        if re.search(r"[Ss]ome programs", feedback):
            open_ones.append(one.asks)
    said = r"before a program adds a convention|share of the five places|which program has an error"
    assert [asks for asks in open_ones if not re.search(said, asks, re.IGNORECASE)] == []
    assert open_ones
