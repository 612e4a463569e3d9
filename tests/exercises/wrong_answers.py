"""Which wrong functions pass for right ones: `python -m tests.exercises.wrong_answers [NN ...]`.

Each change of each solution is run on the inputs of `check` and on the hidden inputs of a few
students. One that is right on all of them is compared with the solution on small inputs: those of
the exercise with elements left out, doubled, exchanged, and with other numbers. If it differs on
one, the question has a gap: the smallest such input belongs among its `edges`.
"""

import argparse
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from irmetrics_edu import alpha_ndcg
from irmetrics_edu.classroom.exercises.checking import _through_harness
from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question, literal
from irmetrics_edu.classroom.exercises.differing import Failed, same
from irmetrics_edu.classroom.exercises.source import ExerciseSource, chosen, paths_in, read
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant
from irmetrics_edu.errors import InputError
from tests.exercises.wrong_functions import WrongFunction, tried, wrong_functions

KEY = b"a course key of the tests"
STUDENTS = ("Ada", "Grace", "Karen")
VARIANTS = 400


def _is_clear(inputs: Inputs) -> bool:
    """One document is best at each rank of the ideal."""
    given = {name: inputs[name] for name in ("nuggets", "alpha", "k")}
    ideal = alpha_ndcg.working([], **given)["ideal alpha-DCG"]
    return all(ideal["tied"] == 1)


def _are_different(values: Sequence[Any]) -> bool:
    return len(set(values)) == len(values)


def _are_alike(inputs: Inputs) -> bool:
    """All systems answer the same topics, with rankings of one length."""
    runs = list(inputs["runs"].values())
    topics = [sorted(run) for run in runs]
    lengths = {len(ranking) for run in runs for ranking in run.values()}
    each = all(_are_different(ranking) for run in runs for ranking in run.values())
    return bool(topics) and all(of == topics[0] for of in topics) and len(lengths) == 1 and each


def _has_the_same_queries(inputs: Inputs) -> bool:
    """Two systems are compared over the same queries."""
    return {*inputs["old"]} == {*inputs["new"]}


def _says_what_each_supports(inputs: Inputs) -> bool:
    """Each statement is there once, and a citation supports it in full, in part, or not."""
    kinds = {how for of in inputs["alone"].values() for how in of}
    together = inputs["together"]
    known = {*together} <= {*inputs["alone"]} and len({*together}) == len(together)
    return known and kinds <= {"full", "part", "no"} and bool(kinds)


def _has_each_user(inputs: Inputs) -> bool:
    """Every user has a list and choices, without repeats."""
    lists = [*inputs["lists"].values(), *inputs["chosen"].values()]
    return set(inputs["lists"]) == set(inputs["chosen"]) and all(map(_are_different, lists))


def _is_a_catalogue(inputs: Inputs) -> bool:
    """No item is named twice, and the lists have items of the catalogue."""
    lists = [*inputs["lists"].values()]
    shown = {item for one in lists for item in one}
    different = all(map(_are_different, [inputs["items"], *lists]))
    return different and bool(shown) and shown <= {*inputs["items"]}


def _are_ranked(inputs: Inputs) -> bool:
    """No two items are equally popular, none has no user, and the lists have known items."""
    known = inputs["popularity"]
    shown = {item for one in inputs["lists"].values() for item in one}
    different = len({*known.values()}) == len(known) and all(
        map(_are_different, inputs["lists"].values())
    )
    positive = min(known.values(), default=0) > 0
    return different and positive and bool(shown) and shown <= {*known}


def _has_each_question(inputs: Inputs) -> bool:
    """Every question has facts, held ones among them and said ones, without repeats."""
    facts = inputs["facts"]
    lists = [one for of in inputs.values() for one in of.values()]
    same = all(set(of) == set(facts) for of in inputs.values())
    return same and all(map(_are_different, lists))


def _is_relevant(inputs: Inputs) -> bool:
    """The known document is one of the ranking, and a relevant one; relevance is 0 or 1."""
    relevance, known = inputs["relevance"], inputs["known"]
    return set(relevance) <= {0, 1} and 0 < known <= len(relevance) and relevance[known - 1] == 1


# What a question excludes in its text.
SCOPES: dict[str, Callable[[Inputs], bool]] = {
    "03 auc": lambda inputs: _are_different(inputs["scores"]),
    "06 against": _has_the_same_queries,
    "09 ideal": _is_clear,
    "17 deepest": _are_alike,
    "20 fact_recall": lambda inputs: _are_different(inputs["facts"]),
    "20 test_answers": _has_each_question,
    "22 lift": _has_each_user,
    "22 spread": _is_a_catalogue,
    "22 tail_share": _are_ranked,
    "23 cited": _says_what_each_supports,
    "25 change_of_rr": _is_relevant,
    "25 hidden": _is_relevant,
    "25 ceiling": lambda inputs: _are_different(inputs["retrieved"]),
}


@dataclass
class Found:
    """What came of the changes of one question."""

    name: str
    number: int = 0
    gaps: dict[str, str] = field(default_factory=dict)  # a change, and the smallest call
    beside: str = ""  # an input for which the solution gives another value than the package
    equivalent: list[str] = field(default_factory=list)


def names_before(source: ExerciseSource, question: Question) -> dict[str, Any]:
    """The names that the cells above a question define, the solutions among them."""
    space: dict[str, Any] = {"__name__": "solved", "spec": source.exercise}
    for cell in source.cells:
        if source.question_of(cell) == question.name:
            break
        if not cell.markdown and not {"spec", "check"} & set(cell.tags):
            exec(compile(cell.text, "<solved>", "exec"), space)  # noqa: S102 -- the solutions
    return space


def call_of(code: str, question: Question, names: Mapping[str, Any]) -> Callable[..., Any]:
    """The function that a cell defines, as it is called where it is checked."""
    space = dict(names)
    exec(compile(code, "<wrong>", "exec"), space)  # noqa: S102 -- a changed solution
    return _through_harness(question, space[question.name])


def answers_alike(question: Question, one: Any, other: Any) -> bool:
    """Whether two answers count as the same, or both are none."""
    if isinstance(one, Failed) or isinstance(other, Failed):
        return isinstance(one, Failed) and isinstance(other, Failed)
    return same(one, other, question.tolerance)


def passes(question: Question, call: Callable[..., Any], inputs: Sequence[Inputs]) -> bool:
    """Whether a function is right for all of these inputs."""
    return all(answers_alike(question, tried(call, one), question.right(one)) for one in inputs)


def trials(source: ExerciseSource, question: Question) -> Iterator[list[Inputs]]:
    """The inputs of check(), and those by which the answers of a few students are marked."""
    number = source.exercise.number
    yield [*GENERAL.trial(number, question)]
    for student in STUDENTS:
        trial = Variant(student, KEY).trial(number, question, hidden=True)
        yield [*trial.general, *trial.edges]


def varied(value: Any, random: Random, words: Sequence[str]) -> Any:
    """A value with one small change."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice([value + 1, max(value - 1, 0), 0, 1, 2])
    if isinstance(value, float):
        return random.choice([0.0, 1.0, 0.5, value / 2])
    if isinstance(value, str):
        return random.choice(words)
    if isinstance(value, Mapping):
        return _varied_mapping(value, random, words)
    if isinstance(value, set | frozenset):
        return set(_varied_list(sorted(value, key=repr), random, words))
    if isinstance(value, tuple):
        parts = list(value)
        place = random.randrange(len(parts)) if parts else 0
        return tuple(varied(p, random, words) if i == place else p for i, p in enumerate(parts))
    if isinstance(value, list):
        return _varied_list(value, random, words)
    return value


def _varied_mapping(value: Mapping[Any, Any], random: Random, words: Sequence[str]) -> Any:
    if not value:
        return value
    key = random.choice(list(value))
    if random.random() < 0.4:
        return {k: v for k, v in value.items() if k != key}
    if random.random() < 0.1:
        return dict(reversed(value.items()))
    return {k: varied(v, random, words) if k == key else v for k, v in value.items()}


def _varied_list(value: list[Any], random: Random, words: Sequence[str]) -> list[Any]:
    if not value:
        return value
    place = random.randrange(len(value))
    how = random.randrange(6)
    if how == 0:
        return value[:place]
    if how == 1:
        return value[:place] + value[place + 1 :]
    if how == 2:
        return value[: place + 1] + value[place:]
    if how == 3:
        return random.sample(value, len(value))
    return [varied(v, random, words) if i == place else v for i, v in enumerate(value)]


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _words([*value, *value.values()])
    elif isinstance(value, list | tuple | set):
        for one in value:
            yield from _words(one)


def small_inputs(name: str, question: Question, known: Sequence[Inputs]) -> list[Inputs]:
    """Inputs like the known ones that have a right answer, the smallest first."""
    within = SCOPES.get(name, bool)
    random = Random(question.name)
    found: dict[str, Inputs] = {}
    for _ in range(VARIANTS):
        one = dict(random.choice(known))
        words = sorted({*_words(one)}) or ["a"]
        for _ in range(random.choice([1, 1, 2, 4, 8])):
            name = random.choice(list(one))
            one[name] = varied(one[name], random, words)
        text = literal(one)
        if text not in found and has_answer(question, one) and within(one):
            found[text] = one
    return [found[text] for text in sorted(found, key=lambda text: (len(text), text))]


def has_answer(question: Question, inputs: Inputs) -> bool:
    """Whether there is a right answer for these inputs."""
    try:
        question.right(inputs)
    except (InputError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError):
        return False
    return True


def agrees(question: Question, inputs: Inputs, right: Callable[..., Any]) -> bool:
    """Whether the solution gives the right answer."""
    answer = tried(right, inputs)
    wanted = question.right(inputs)
    return not isinstance(answer, Failed) and same(answer, wanted, question.tolerance)


def survivors(source: ExerciseSource, question: Question) -> Found:
    """The changes of a question that no input of check or grade tells from what is right."""
    [cell] = [cell for cell in source.cells if source.question_of(cell) == question.name]
    names = names_before(source, question)
    right = call_of(cell.text, question, names)
    each = list(trials(source, question))
    known = [one for inputs in each for one in inputs]
    name = f"{source.exercise.number} {question.name}"
    small = small_inputs(name, question, known)
    agreed = [one for one in small if agrees(question, one, right)]
    wrongs = wrong_functions(cell.text, question.name)
    found = Found(name, len(wrongs))
    beside = [one for one in small if one not in agreed]
    beside = [one for one in beside if not isinstance(tried(right, one), Failed)]
    found.beside = literal(dict(beside[0])) if beside else ""
    for wrong in wrongs:
        call = _defined(wrong, question, names)
        if call is None or not any(passes(question, call, inputs) for inputs in each):
            continue
        differs = _first_difference(question, call, right, [*agreed, *known])
        if differs is None:
            found.equivalent.append(wrong.change)
        else:
            found.gaps[wrong.change] = literal(dict(differs))
    return found


def _defined(
    wrong: WrongFunction, question: Question, names: Mapping[str, Any]
) -> Callable[..., Any] | None:
    try:
        return call_of(wrong.code, question, names)
    except Exception:  # noqa: BLE001 -- a cell that does not even run is no answer
        return None


def _first_difference(
    question: Question,
    call: Callable[..., Any],
    right: Callable[..., Any],
    inputs: Sequence[Inputs],
) -> Inputs | None:
    for one in inputs:
        if not answers_alike(question, tried(call, one), tried(right, one)):
            return one
    return None


read_once = functools.cache(read)


def of_exercise(path: Path) -> list[Found]:
    """What came of each question of an exercise that asks for a function."""
    source = read_once(path)
    return [survivors(source, q) for q in source.exercise.questions if q.kind == "function"]


def _say(text: str, *, flush: bool = True) -> None:
    print(text, flush=flush)  # noqa: T201 -- what it is for


def main() -> None:
    """Print the gaps, and how many changes are equivalent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="such as 08; default all")
    parser.add_argument("--equivalent", action="store_true", help="print these changes, too")
    asked = parser.parse_args()
    for path in chosen(paths_in(), asked.names):
        for found in of_exercise(path):
            _say(f"{found.name}: {found.number} changes, {len(found.equivalent)} equivalent, "
                  f"{len(found.gaps)} gaps", flush=True)  # fmt: skip
            if found.beside:
                _say(f"  ! the solution differs from the package: {found.beside}")
            for change, call in found.gaps.items():
                _say(f"    {change}\n        {call}")
            for change in found.equivalent if asked.equivalent else ():
                _say(f"  = {change}")


if __name__ == "__main__":
    main()
