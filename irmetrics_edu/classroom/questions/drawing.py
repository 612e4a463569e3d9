"""A number to compute, or a choice, drawn from a question of an exercise.

Each function here takes what it draws from a source of random numbers, and raises Refused where
the draw makes no question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Naming, Question
from irmetrics_edu.classroom.questions import question_answers
from irmetrics_edu.classroom.questions.question import (
    CHOICE,
    NUMERIC,
    Asked,
    Option,
    printed,
    regardless,
)
from irmetrics_edu.classroom.questions.question_answers import (
    FEW,
    NO_NUMBER,
    NO_VALUE,
    SAME_TABLE,
    TOO_FEW,
    Values,
)
from irmetrics_edu.classroom.questions.solution import solution
from irmetrics_edu.views.formatting import number, steady

MOST_WRONG, FEWEST_WRONG = 4, 2
CONSTANT = ("True", "False")  # a wrong test that always passes or fails: no reading of the data
RIGHT = "Right."


@dataclass(frozen=True)
class Origin:
    """Where a question is drawn from: an exercise's number and title, and one of its questions."""

    chapter: str
    title: str
    question: Question

    @property
    def topic(self) -> str:
        """What the question is about."""
        return self.question.title or self.question.name

    def asked(
        self, kind: str, inputs: Inputs, asks: str, wants: str, options: Sequence[Option],
        answer: str, *, place: int | None = None, tolerance: float = 0.0,
    ) -> Asked:  # fmt: skip
        """The question with its worked solution; Refused if two of its tables hold the same."""
        q = self.question
        data = tuple((name, printed(value)) for name, value in inputs.items())
        tables = [value for _, value in data if ", " in value or "; " in value]
        if len({*tables}) < len(tables):
            raise SAME_TABLE
        worked = solution(q, inputs, answer, place)
        return Asked(
            kind, self.chapter, q.name, self.topic, asks, data, wants, tuple(options),
            worked.text, worked.html, regardless(f"{self.chapter} {q.name}", [inputs]), tolerance,
        )  # fmt: skip


def said(naming: Naming) -> str:
    """What to tell whoever made a mistake."""
    return f"Your answer equals that of {naming.says}. {naming.why}".strip()


def inputs_of(question: Question, rng: Random) -> Inputs:
    """Inputs of a question; Refused if nothing draws any."""
    if question.inputs is None:
        raise NO_VALUE
    return question.inputs(rng)


# -- numeric


def numeric(origin: Origin, rng: Random, digits: int) -> Asked:
    """A number to compute; of a list of values one of them."""
    q = origin.question
    inputs = inputs_of(q, rng)
    whole = question_answers.computed(q, inputs)
    if not all(map(question_answers.is_number, whole if isinstance(whole, list) else [whole])):
        raise NO_NUMBER
    found, asks, at = question_answers.values(q, inputs), q.asks, None
    if isinstance(found.right, list):
        found, asks, at = _one_of(q, found, rng)
    wrong = {label: v for label, v in found.wrong.items() if question_answers.is_number(v)}
    places = question_answers.decimals(found.right, digits)
    near = question_answers.tolerance(places)
    question_answers.refuse_trivial(found.right, near)
    same = _together(wrong) if q.jointly else {(label,): v for label, v in wrong.items()}
    question_answers.refuse_alike(found.right, list(same.values()), near)
    options = [_number(found.right, places, RIGHT)]
    for labels, value in same.items():
        why = " Or: ".join(said(q.naming(label)) for label in labels)
        options.append(_number(value, places, why, ", ".join(labels)))
    wants = f"Give the answer to {places} decimals." if places else "Give a whole number."
    answer = f"The answer is {options[0].text}."
    return origin.asked(NUMERIC, inputs, asks, wants, options, answer, place=at, tolerance=near)


def _together(wrong: Mapping[str, Any]) -> dict[tuple[str, ...], Any]:
    """The mistakes that give one value, each value once."""
    found: dict[tuple[str, ...], Any] = {}
    for label, value in wrong.items():
        like = next((labels for labels, v in found.items() if steady(v) == steady(value)), ())
        found.pop(like, None)
        found[*like, label] = value
    return found


def _one_of(question: Question, found: Values, rng: Random) -> tuple[Values, str, int]:
    """One value of a list, what is asked then, and its place."""
    if not found.right:
        raise NO_VALUE
    at = rng.randrange(len(found.right))
    wrong = {
        label: value[at]
        for label, value in found.wrong.items()
        if isinstance(value, list) and len(value) == len(found.right)
    }
    parts = question.parts
    what = parts[at] if parts else f"the value of {question.line} {at + 1} in this list"
    return Values(found.right[at], wrong), f"{question.asks} Give {what}.", at


def _number(value: Any, places: int, feedback: str, label: str = "") -> Option:
    return Option(number(value, places), feedback, label, steady(value))


# -- choice


def choice(origin: Origin, rng: Random, digits: int) -> Asked:
    """A choice among values, or among the words for what gives a value."""
    q = origin.question
    if len(q.labels) < FEWEST_WRONG and not q.parts:
        raise TOO_FEW
    inputs = inputs_of(q, rng)
    found = question_answers.values(q, inputs)
    if isinstance(found.right, bool):
        return _yes_or_no(origin, inputs, found)
    ways = [_of_values, _of_mistakes]
    if q.parts and isinstance(found.right, list):
        ways.append(_of_parts)
    return rng.choice(ways)(origin, inputs, found, rng, digits)


def _chosen(found: Values, rng: Random) -> dict[str, Any]:
    labels = [label for label, value in found.wrong.items() if _shows(value, found.right)]
    if len(labels) < FEWEST_WRONG:
        raise FEW
    return {label: found.wrong[label] for label in rng.sample(labels, min(MOST_WRONG, len(labels)))}


def _shows(value: Any, right: Any) -> bool:
    """Whether a value can stand beside the right one among options."""
    if question_answers.is_number(right):
        return question_answers.is_number(value)
    if isinstance(right, Mapping):
        return isinstance(value, Mapping) and set(value) == set(right)
    return isinstance(value, list) and all(map(question_answers.is_number, value)) == all(
        map(question_answers.is_number, right)
    )


def _apart(right: Any, wrong: Sequence[Any], digits: int) -> list[str]:
    """The values as text, the right one first; Refused where they can't be told apart."""
    places = (
        question_answers.decimals(right, digits) if question_answers.is_number(right) else digits
    )
    near = question_answers.tolerance(places)
    question_answers.refuse_trivial(right, near)
    question_answers.refuse_alike(right, wrong, near)
    return question_answers.texts([right, *wrong], places)


def _of_values(origin: Origin, inputs: Inputs, found: Values, rng: Random, digits: int) -> Asked:
    q = origin.question
    chosen = _chosen(found, rng)
    right, *wrong = _apart(found.right, list(chosen.values()), digits)
    options = [Option(right, RIGHT)]
    options += [
        Option(text, said(q.naming(label)), label)
        for label, text in zip(chosen, wrong, strict=True)
    ]
    rng.shuffle(options)
    wants = "Choose the right answer."
    if q.parts:
        wants = f"Which values are right, in this order: {'; '.join(q.parts)}?"
    return origin.asked(CHOICE, inputs, q.asks, wants, options, f"The answer is {right}.")


def _of_mistakes(origin: Origin, inputs: Inputs, found: Values, rng: Random, digits: int) -> Asked:
    """A wrong value is given, and the mistake behind it is asked for."""
    q = origin.question
    chosen = _chosen(found, rng)
    right, *wrong = _apart(found.right, list(chosen.values()), digits)
    shown = dict(zip(chosen, wrong, strict=True))
    made = rng.choice(sorted(chosen))
    none = "No mistake: this is the right answer."
    options = [Option(none, f"The right answer is {right}.", "no mistake")]
    for label in chosen:
        name = q.naming(label)
        why = name.why if label == made else f"That would give {shown[label]}. {name.why}"
        says = f"{_capital(name.says)}."
        options.append(Option(says, why.strip(), "" if label == made else label))
    rng.shuffle(options)
    of = f" ({'; '.join(q.parts)})" if q.parts else ""
    asks = f"{q.asks} Somebody's answer{of} is {shown[made]}."
    wants = "Which of these gives this answer?"
    why = f"The answer {shown[made]} is that of {q.naming(made).says}."
    return origin.asked(CHOICE, inputs, asks, wants, options, f"The right answer is {right}. {why}")


def _capital(text: str) -> str:
    """A text as the beginning of a sentence; nDCG and p stay as they are.

    >>> _capital("a mean"), _capital("nDCG of it"), _capital("p, the precision")
    ('A mean', 'nDCG of it', 'p, the precision')
    """
    first = text.split(maxsplit=1)[0]
    word = first.islower() and first.isalpha() and (len(first) > 1 or first == "a")
    return f"{text[0].upper()}{text[1:]}" if word else text


def _of_parts(origin: Origin, inputs: Inputs, found: Values, rng: Random, digits: int) -> Asked:
    """One value of several is given, and which of them it is is asked for."""
    q = origin.question
    if len(found.right) != len(q.parts):
        raise NO_VALUE
    places = rng.sample(range(len(q.parts)), min(MOST_WRONG + 1, len(q.parts)))
    if len(places) <= FEWEST_WRONG:
        raise FEW
    right, *rest = [found.right[i] for i in places]
    texts = _apart(right, rest, digits)
    options = [
        Option(q.parts[i], f"Here this is {text}.", f"part {i + 1}")
        if i != places[0]
        else Option(q.parts[i], RIGHT)
        for i, text in zip(places, texts, strict=True)
    ]
    rng.shuffle(options)
    wants = f"Which of these is {texts[0]} here?"
    answer = f"The answer is: {q.parts[places[0]]}."
    return origin.asked(CHOICE, inputs, q.asks, wants, options, answer, place=places[0])


def _yes_or_no(origin: Origin, inputs: Inputs, found: Values) -> Asked:
    """True or false, where one mistake alone leads to the other answer."""
    q = origin.question
    constant = {own.label for own in q.wrongs if own.expected in CONSTANT}
    misled = [label for label in found.wrong if label not in constant]
    if len(misled) != 1:
        raise FEW
    yes, no = "Yes", "No"
    right, other = (yes, no) if found.right else (no, yes)
    options = [Option(right, RIGHT), Option(other, said(q.naming(misled[0])), misled[0])]
    options.sort(key=lambda option: option.text == no)
    answer = f"The answer is: {right.lower()}."
    return origin.asked(CHOICE, inputs, q.asks, "Choose yes or no.", options, answer)
