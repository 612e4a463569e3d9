"""The inputs on which libraries are asked once for all: cases by hand, and drawn ones.

`python -m tests.libraries.inputs_drawn` writes measured/inputs.json, the same on every machine.
"""

import json
from pathlib import Path
from random import Random

INPUTS = Path(__file__).parent / "measured" / "inputs.json"

BY_HAND = {
    "graded": (
        "two unjudged documents, two relevant ones not retrieved",
        {"q1": ["a", "b", "u", "c", "v", "d"]},
        {"q1": {"a": 3, "b": 2, "c": 0, "d": 2, "x": 3, "y": 1}},
    ),
    "short": (
        "two retrieved of four relevant; cut-offs lie beyond",
        {"q1": ["a", "b"]},
        {"q1": {"a": 1, "b": 0, "x": 1, "y": 1, "z": 1}},
    ),
    "few": (
        "five retrieved, one relevant",
        {"q1": ["u", "a", "v", "w", "b"]},
        {"q1": {"a": 1, "b": 0}},
    ),
    "norel": ("judged, and nothing relevant", {"q1": ["a", "b", "c"]}, {"q1": {"a": 0, "b": 0}}),
    "unjudged": ("the first two are not judged", {"q1": ["u", "v", "a"]}, {"q1": {"a": 2, "b": 1}}),
    "negative": (
        "grades -1, 2, 1, -2",
        {"q1": ["a", "b", "c", "d"]},
        {"q1": {"a": -1, "b": 2, "c": 1, "d": -2}},
    ),
    "ties": (
        "four tied documents, given c, a, d, b",
        {"q1": [["c", 1.0], ["a", 1.0], ["d", 1.0], ["b", 1.0]]},
        {"q1": {"a": 0, "b": 1, "c": 0, "d": 3}},
    ),
    "close": (
        "scores that differ beyond 32 bits only; the better is given last",
        {"q1": [["b", 0.123456789], ["a", 0.1234567891]]},
        {"q1": {"a": 1, "b": 0}},
    ),
    "duplicates": (
        "a relevant document retrieved twice",
        {"q1": ["a", "u", "a", "b"]},
        {"q1": {"a": 1, "b": 1, "c": 1}},
    ),
    "empty": ("nothing retrieved", {"q1": []}, {"q1": {"a": 1, "b": 0}}),
    "nothing": ("nothing retrieved, nothing relevant", {"q1": []}, {"q1": {"a": 0}}),
    "missing": (
        "q2 is judged and not in the run",
        {"q1": ["a", "b"]},
        {"q1": {"a": 1}, "q2": {"a": 1}},
    ),
    "several": (
        "queries with 1, 4 and 2 relevant documents",
        {"q1": ["u", "a", "b"], "q2": ["a", "b", "c", "u", "d"], "q3": ["u", "v", "w"]},
        {
            "q1": {"a": 1, "b": 0},
            "q2": {"a": 2, "b": 1, "c": 0, "d": 3, "x": 1},
            "q3": {"x": 1, "y": 2},
        },
    ),
    "several_norel": (
        "of three queries one has nothing relevant",
        {"q1": ["u", "a", "b"], "q2": ["a", "b"], "q3": ["b", "a"]},
        {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 0}, "q3": {"a": 2, "b": 1}},
    ),
}


def drawn(number):
    """An input of one to three queries: whole grades, falling scores, some of all not judged."""
    random = Random(number)
    run, qrels = {}, {}
    for q in range(1, random.randint(1, 3) + 1):
        documents = [f"d{i:02}" for i in range(14)]
        random.shuffle(documents)
        retrieved = documents[: random.randint(1, 10)]
        judged = sorted(random.sample(documents, random.randint(2, 10)))
        grades = {d: random.choice([0, 0, 1, 1, 2, 3]) for d in judged}
        grades[judged[0]] = random.randint(1, 3)
        run[f"q{q}"], qrels[f"q{q}"] = retrieved, grades
    return "drawn", run, qrels


NAMES = [*("9", "10", "a", "B", "A", "b"), *(f"{i}" for i in range(11, 111)), *(
    f"{letter}{i}" for i in range(60) for letter in "cD"
)]  # fmt: skip


def long(number, size, scores, grades, unretrieved=0):
    """A query of many documents, whose ids sort otherwise as numbers, as text and without case.

    `scores` gives the score of the i-th document; the first is relevant, the others by chance.
    """
    random = Random(number)
    documents = NAMES[: size + unretrieved]
    random.shuffle(documents)
    judged = {d: random.choice(grades) for d in documents if random.random() < 0.8}
    judged[documents[0]] = max(grades)
    order = sorted(judged)
    random.shuffle(order)
    run = [[d, scores(i, random)] for i, d in enumerate(documents[:size])]
    return {"q1": run}, {"q1": {d: judged[d] for d in order}}


BINARY, GRADES = [0, 1], [0, 0, 0, 1, 2, 4, 7]
LONG = {
    "tied16": ("16 documents of one score", *long(1, 16, lambda *_: 1.0, BINARY)),
    "tied40": ("40 documents of one score, below 0", *long(2, 40, lambda *_: -2.5, BINARY, 3)),
    "levels60": (
        "60 documents with 4 scores, some below 0, in no order; grades up to 7",
        *long(3, 60, lambda _, random: random.choice([-1.5, -1.0, 0.0, 3.0]), GRADES, 6),
    ),
    "levels200": (
        "200 documents with 30 scores, in no order; grades 0 and 1",
        *long(4, 200, lambda _, random: random.randint(-15, 14) / 4, BINARY, 10),
    ),
    "falling50": (
        "50 documents whose scores fall below 0, grades 0 and 1",
        *long(5, 50, lambda i, _: 20.0 - i, BINARY),
    ),
    "falling120": (
        "120 documents whose scores fall below 0, grades up to 7",
        *long(6, 120, lambda i, _: 60.5 - i, GRADES, 8),
    ),
    "losses30": (
        "30 documents, grades -2 to 6",
        *long(7, 30, lambda i, _: 15.0 - i, [-2, -1, 0, 1, 3, 6], 4),
    ),
    "one": ("one document, relevant", {"q1": ["a"]}, {"q1": {"a": 1}}),
    "all_relevant": (
        "each document is relevant",
        {"q1": ["a", "B", "9"]},
        {"q1": {"a": 1, "B": 1, "9": 1}},
    ),
}


def scored(given):
    """Documents with falling scores; as they are where they have scores or stand twice."""
    if any(not isinstance(d, str) for d in given) or len(set(given)) < len(given):
        return given
    return [[d, float(len(given) - i)] for i, d in enumerate(given)]


def inputs():
    """All inputs by name."""
    named = {**BY_HAND, **LONG, **{f"drawn{i:02}": drawn(i) for i in range(12)}}
    return {
        name: {"note": note, "run": {q: scored(docs) for q, docs in run.items()}, "qrels": qrels}
        for name, (note, run, qrels) in named.items()
    }


def as_text(found):
    """JSON with an input a line."""
    lines = (f"{json.dumps(name)}: {json.dumps(given)}" for name, given in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    INPUTS.write_text(as_text(inputs()), encoding="utf-8")
