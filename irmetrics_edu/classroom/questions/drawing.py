"""A number to compute, or a choice, drawn from a question of an exercise.

Each kind takes what it draws from a source of random numbers. A draw is refused where two answers
could be taken for each other at the digits that are asked for.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question, Wrong
from irmetrics_edu.classroom.exercises.differing import same
from irmetrics_edu.classroom.exercises.variants import is_trivial
from irmetrics_edu.classroom.questions.question import (
    CHOICE,
    NUMERIC,
    DrawnQuestion,
    Option,
    printed,
)
from irmetrics_edu.classroom.questions.solution import solution
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import formatting

DIGITS = 3  # the decimals of an answer
MOST_WRONG = 4
FEWEST_WRONG = 2
# Answers are rounded: half a unit of the last digit, and a little for what lies on the edge.
HALF = 0.51
# Among options: so many units of the last digit, as who rounds on the way is off by a few.
CLEAR = 4.5
_EQUAL = 1e-9
CONSTANT = ("True", "False")  # a wrong test that always passes or fails: no reading of the data
RIGHT = "Right."


class RefusedDraw(InputError):  # noqa: N818 -- read as what happened to the draw
    """A draw that makes no question: the message says why."""


class ImpossibleDraw(RefusedDraw):
    """A draw that is refused whatever is drawn: this question has no such kind."""


TRIVIAL = RefusedDraw("the right answer is easy to guess, such as 0 or 1")
AS_RIGHT = RefusedDraw("a mistake gives the right answer")
ALIKE = RefusedDraw("two answers are alike at the digits that are asked for")
FEW = RefusedDraw("too few mistakes give an answer of their own")
TOO_FEW = ImpossibleDraw("the exercise knows too few mistakes for this kind of question")
NO_NUMBER = ImpossibleDraw("the right answer is not a number")
SAME_TABLE = RefusedDraw("two of the given tables are the same")
NO_DISCOUNT = RefusedDraw("the right answer is the same without any discount")
NO_VALUE = RefusedDraw("nothing can be computed from the values drawn")


@dataclass(frozen=True)
class Words:
    """What a question says: what is asked, the form of the answer, the options, the answer.

    `given` are rows of its table beside the inputs: a name and a value.
    """

    asks: str
    wants: str
    options: Sequence[Option]
    answer: str
    given: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Near:
    """How far a number may be from the right one, and its place if it is one of a list."""

    tolerance: float
    place: int | None = None


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
        self,
        inputs: Inputs,
        words: Words,
        near: Near | None = None,
    ) -> DrawnQuestion:
        """The question with its worked solution; Refused if two of its tables hold the same.

        With `near` it is a number that is wanted, else a choice.
        """
        q = self.question
        data = tuple((name, printed(value)) for name, value in inputs.items())
        tables = [value for _, value in data if ", " in value or "; " in value]
        if len({*tables}) < len(tables):
            raise SAME_TABLE
        text, html = solution(q, inputs, words.answer, near.place if near else None)
        return DrawnQuestion(
            kind=NUMERIC if near else CHOICE,
            chapter=self.chapter,
            name=q.name,
            topic=self.topic,
            asks=words.asks,
            data=(*data, *words.given),
            wants=words.wants,
            options=tuple(words.options),
            solution=text,
            solution_html=html,
            tolerance=near.tolerance if near else 0.0,
        )


def values(question: Question, inputs: Inputs) -> tuple[Any, dict[str, Any]]:
    """What is right, and what the mistakes give that show in these inputs.

    Refused where a mistake gives what is right.

    A question that tells its mistakes apart by several inputs only (`jointly`) goes without those
    that make no difference in these, as long as half of them show.
    """
    right = computed(question, inputs)
    shown = {}
    for label in question.labels:
        value = computed(question, inputs, label)
        if not same(value, right, _EQUAL):
            shown[label] = value
        elif not question.jointly:
            raise AS_RIGHT
    if 2 * len(shown) < len(question.labels):
        raise AS_RIGHT
    return right, shown


class _Undiscounted:
    """A metric that never discounts, whatever the call says."""

    def __init__(self, metric: Any) -> None:
        self._metric = metric

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        return self._metric(*inputs, **{**options, "discount": "none"})

    def working(self, *inputs: Any, **options: Any) -> Any:
        """The working of the same score."""
        return self._metric.working(*inputs, **{**options, "discount": "none"})


def refuse_without_discount(question: Question, inputs: Inputs, right: Any) -> None:
    """Refused if the right answer comes without the discount, too: the question asks for less."""
    names = {}
    for name, metric in question.used.items():
        if "discount" in metric.defaults:
            names[name] = _Undiscounted(metric)
    if not names:
        return
    try:
        plain = question.computed(inputs, names)
    except (InputError, ArithmeticError, ValueError, LookupError):
        return
    if same(plain, right, _EQUAL):
        raise NO_DISCOUNT


def computed(question: Question, inputs: Inputs, label: str = "") -> Any:
    """What is right, or what a mistake gives; Refused where that can't be computed."""
    try:
        return question.wrong(label, inputs) if label else question.right(inputs)
    except (InputError, ArithmeticError, ValueError, LookupError):
        raise NO_VALUE from None


def is_number(value: Any) -> bool:
    """Whether a value is a number that somebody can type."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def are_numbers(value: Any) -> bool:
    """Whether a value is a number, or all that is in a list is."""
    return all(map(is_number, value if isinstance(value, list) else [value]))


def decimals(value: Any) -> int:
    """How many decimals a number is asked to: more where it begins with zeros.

    >>> decimals(0.4567), decimals(0.00439), decimals(7)
    (3, 5, 0)
    """
    if isinstance(value, int):
        return 0
    size = abs(formatting.steady(value))
    return DIGITS + (max(0, -math.floor(math.log10(size)) - 1) if size else 0)


def told_apart(right: Any, wrong: Sequence[Any], places: int) -> float:
    """How far an answer with so many decimals may be from its exact value.

    Refused if an answer can be taken for another, or if anybody would guess what is right.
    """
    near = float(f"{HALF * 10.0**-places:.3g}")
    if isinstance(right, float | list) and is_trivial(right, near / 20):
        raise TRIVIAL
    if any(same(value, right, 2 * near) for value in wrong):
        raise AS_RIGHT
    if any(same(a, b, 2 * near) for a, b in combinations(wrong, 2)):
        raise ALIKE
    return near


def said(mistake: Wrong) -> str:
    """What to tell whoever made a mistake."""
    return f"Your answer equals that of {mistake.says}. {mistake.why}".strip()


# -- numeric


@dataclass(frozen=True)
class _Number:
    """A number that is asked for, what mistakes give in its place, and where in a list it is."""

    asks: str
    right: Any
    wrong: Mapping[str, Any]
    place: int | None = None


def numeric(origin: Origin, rng: Random) -> DrawnQuestion:
    """A number to compute; of a list of values one of them."""
    q = origin.question
    inputs = q.draw(rng)
    if not are_numbers(computed(q, inputs)):
        raise NO_NUMBER
    right, wrong = values(q, inputs)
    number = _Number(q.asks, right, wrong)
    if isinstance(right, list):
        number = _one_of(q, right, wrong, rng)
    numbers = {label: value for label, value in number.wrong.items() if is_number(value)}
    places = decimals(number.right)
    alike: dict[tuple[str, ...], Any] = {(label,): value for label, value in numbers.items()}
    if q.jointly:
        alike = _together(numbers)
    near = told_apart(number.right, list(alike.values()), places)
    refuse_without_discount(q, inputs, right)
    options = [_number(number.right, places, RIGHT)]
    for labels, value in alike.items():
        why = " Or: ".join(said(q.naming(label)) for label in labels)
        options.append(_number(value, places, why, ", ".join(labels)))
    wants = f"Give the answer to {places} decimals." if places else "Give a whole number."
    words = Words(
        number.asks,
        wants,
        options,
        f"The answer is {options[0].text}.",
    )
    return origin.asked(inputs, words, Near(near, number.place))


def _one_of(
    q: Question,
    right: list[Any],
    wrong: Mapping[str, Any],
    rng: Random,
) -> _Number:
    """One value of a list, which is asked for alone."""
    if not right:
        raise NO_VALUE
    place = rng.randrange(len(right))
    what = f"the value of {q.line} {place + 1} in this list"
    if q.parts:
        what = q.parts[place]
    there = {}
    for label, value in wrong.items():
        if isinstance(value, list) and len(value) == len(right):
            there[label] = value[place]
    return _Number(f"{q.asks} Give {what}.", right[place], there, place)


def _together(wrong: Mapping[str, Any]) -> dict[tuple[str, ...], Any]:
    """The mistakes that give one value, each value once."""
    labels: dict[float, list[str]] = {}
    for label, value in wrong.items():
        labels.setdefault(formatting.steady(value), []).append(label)
    return {tuple(together): wrong[together[0]] for together in labels.values()}


def _number(
    value: Any,
    places: int,
    feedback: str,
    label: str = "",
) -> Option:
    return Option(
        formatting.number(value, places),
        feedback,
        label,
        formatting.steady(value),
    )


# -- choice


def choice(origin: Origin, rng: Random) -> DrawnQuestion:
    """A choice among values, or among the words for what gives a value."""
    q = origin.question
    if len(q.labels) < FEWEST_WRONG:
        raise TOO_FEW
    inputs = q.draw(rng)
    right, wrong = values(q, inputs)
    if isinstance(right, bool):
        return _yes_or_no(
            origin,
            inputs,
            wrong,
            right=right,
        )
    labels = [label for label, value in wrong.items() if _shows(value, right)]
    if len(labels) < FEWEST_WRONG:
        raise FEW
    chosen = rng.sample(labels, min(MOST_WRONG, len(labels)))
    texts = _texts([right, *(wrong[label] for label in chosen)])
    refuse_without_discount(q, inputs, right)
    kind_of_choice = rng.choice([_of_values, _of_mistakes])
    return kind_of_choice(
        origin,
        inputs,
        dict(zip(["", *chosen], texts, strict=True)),
        rng,
    )


def _shows(value: Any, right: Any) -> bool:
    """Whether a value can stand beside the right one among options."""
    if is_number(right):
        return is_number(value)
    if isinstance(right, Mapping):
        return isinstance(value, Mapping) and set(value) == set(right)
    return isinstance(value, list) and are_numbers(value) == are_numbers(right)


def _texts(values_in_order: Sequence[Any]) -> list[str]:
    """Values as options show them, the right one first; Refused if two can't be told apart."""
    right, *wrong = values_in_order
    places = decimals(right) if is_number(right) else DIGITS
    told_apart(right, wrong, places)
    if any(same(a, b, CLEAR * 10.0**-places) for a, b in combinations(values_in_order, 2)):
        raise ALIKE
    if all(isinstance(value, list | tuple) for value in values_in_order):
        shown = [_list(value, places) for value in values_in_order]
    elif all(isinstance(value, Mapping) for value in values_in_order):
        shown = [
            ", ".join(f"{k}: {_list([v[k]], places)}" for k in sorted(v)) for v in values_in_order
        ]
    else:
        shown = formatting.column(values_in_order, places)
    if len(set(shown)) < len(shown):
        raise ALIKE
    return shown


def _list(value: Sequence[Any], places: int) -> str:
    return ", ".join(formatting.column(value, places)) or "none"


def _of_values(
    origin: Origin,
    inputs: Inputs,
    texts: Mapping[str, str],
    rng: Random,
) -> DrawnQuestion:
    """The right value is asked for; `texts` are the values by their mistake, "" for none."""
    q = origin.question
    options = [
        Option(text, said(q.naming(label)) if label else RIGHT, label)
        for label, text in texts.items()
    ]
    rng.shuffle(options)
    wants = "Choose the right answer."
    if q.parts:
        wants = f"Which values are right, in this order: {'; '.join(q.parts)}?"
    words = Words(q.asks, wants, options, f"The answer is {texts['']}.")
    return origin.asked(inputs, words)


def _of_mistakes(
    origin: Origin,
    inputs: Inputs,
    texts: Mapping[str, str],
    rng: Random,
) -> DrawnQuestion:
    """A wrong value is given, and the mistake behind it is asked for."""
    q = origin.question
    chosen = [label for label in texts if label]
    made = rng.choice(sorted(chosen))
    none = "No mistake: this is the right answer."
    options = [Option(none, f"The right answer is {texts['']}.", "no mistake")]
    for label in chosen:
        name = q.naming(label)
        why = name.why if label == made else f"That would give {texts[label]}. {name.why}"
        says = f"{_capital(name.says)}."
        options.append(Option(says, why.strip(), "" if label == made else label))
    rng.shuffle(options)
    rows: list[tuple[str, str]] = []
    asks = f"{q.asks} Somebody's answer is {texts[made]}."
    if q.parts:
        asks = f"{q.asks} The last {len(q.parts)} rows are somebody's answer."
        rows = list(zip(q.parts, texts[made].split(", "), strict=True))
    wants = "Which of these gives this answer?"
    answer = f"The right answer is {texts['']}. The answer {texts[made]} is that of "
    says = f"{answer}{q.naming(made).says}."
    words = Words(asks, wants, options, says, rows)
    return origin.asked(inputs, words)


def _capital(text: str) -> str:
    """A text as the beginning of a sentence; nDCG and p stay as they are.

    >>> _capital("a mean"), _capital("nDCG of it"), _capital("p, the precision")
    ('A mean', 'nDCG of it', 'p, the precision')
    """
    first = text.split(maxsplit=1)[0]
    word = first.islower() and first.isalpha() and (len(first) > 1 or first == "a")
    return f"{text[0].upper()}{text[1:]}" if word else text


def _yes_or_no(
    origin: Origin,
    inputs: Inputs,
    wrong: Iterable[str],
    *,
    right: bool,
) -> DrawnQuestion:
    """True or false, where one mistake alone leads to the other answer."""
    q = origin.question
    constant = {mistake.label for mistake in q.wrongs if mistake.expected in CONSTANT}
    misled = [label for label in wrong if label not in constant]
    if len(misled) != 1:
        raise FEW
    other = (said(q.naming(misled[0])), misled[0])
    yes, no = ((RIGHT,), other) if right else (other, (RIGHT,))
    options = [Option("Yes", *yes), Option("No", *no)]
    answer = f"The answer is: {'yes' if right else 'no'}."
    return origin.asked(
        inputs,
        Words(q.asks, "Choose yes or no.", options, answer),
    )
