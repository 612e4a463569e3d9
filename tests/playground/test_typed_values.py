"""What is typed scores what the package says, in each form that a list of grades can have."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import METRICS
from tests.playground.drawn import same

pytestmark = [pytest.mark.slow, pytest.mark.suite("site")]

POOLS = [[0, 1], [0, 1, 2, 3], [0, 0.5, 1, 1.5], [-1, 0, 1, 2], [0, 1, 10, 25]]
SCORED = """texts.map((text) => {
    const state = modules.state.example();
    try {
        Object.assign(state, modules.question.fromQuestion(text, state, data));
        const measure = data.measures[state.measure];
        const { given } = modules.state.inputOf(state, measure);
        const defaults = modules.settings.defaultsOf(measure);
        return modules.explain.scored(state.measure, given, state.k, defaults).score ?? null;
    } catch (error) { return null; }
})"""


def written(grades: list[Any], tied: list[bool], form: str) -> str:
    """Grades in a form that people type or paste; one alone that is long has brackets."""
    words = ["-" if grade is None else str(grade) for grade in grades]
    if form == "list":
        return str(grades)
    if form == "numpy":
        return f"[{' '.join('nan' if grade is None else f'{grade:.2f}' for grade in grades)}]"
    if len(words) == 1 and len(words[0]) > 1:
        return f"[{words[0]}]"
    if form == "commas":
        return ", ".join(words)
    return "".join(("~" if t else " ") + word for word, t in zip(words, tied, strict=True)).strip()


def draw(rng: random.Random) -> tuple[str, float | None]:
    """A question, and what the package says of its ranking; None where it refuses."""
    name = rng.choice(["nDCG", "DCG", "AP", "RR", "P", "R", "ERR", "RBP", "Q", "bpref"])
    pool = rng.choice(POOLS)
    grades = [rng.choice([*pool, None]) for _ in range(rng.randint(1, 12))]
    missed = [rng.choice(pool) for _ in range(rng.choice([0, 0, 1, 3]))]
    tied = [i > 0 and rng.random() < 0.1 for i in range(len(grades))]
    form = "spaces" if any(tied) else rng.choice(["spaces", "commas", "list", "numpy"])
    k = rng.choice([None, 1, 3, 10]) if METRICS[name].has_cutoff else None
    more = f" | {written(missed, [False] * len(missed), 'spaces')}" if missed else ""
    text = f"{name}{'' if k is None else f'@{k}'} = 0.5 for {written(grades, tied, form)}{more}"

    levels = [sum(not t for t in tied[i:]) - (not tied[i]) + 0.5 for i in range(len(grades))]
    run = {f"d{i}": level for i, level in enumerate(levels)}
    judged = [*grades, *missed]
    qrels = {f"d{i}": grade for i, grade in enumerate(judged) if grade is not None}
    try:
        return text, float((METRICS[name] if k is None else METRICS[name] @ k)(run, qrels))
    except InputError:
        return text, None


@pytest.mark.filterwarnings("ignore")
def test_what_is_typed_scores_as_the_package(ask: Callable[..., Any]) -> None:
    """Spaces, commas, lists, and prints of NumPy; ties, unjudged, negative and large grades."""
    rng = random.Random(11)
    drawn = dict(draw(rng) for _ in range(400))
    found = ask(SCORED, texts=list(drawn))
    wrong = {
        text: (theirs, drawn[text])
        for text, theirs in zip(drawn, found, strict=True)
        if not same(theirs, drawn[text])
    }
    assert wrong == {}
    assert sum(value is not None for value in drawn.values()) > 250
