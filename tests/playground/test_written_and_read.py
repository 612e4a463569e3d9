"""What the page writes, it reads back, and nothing of the example goes into another question."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from dev.tools.playground.data import data
from tests.playground.test_paste import EMPTY, TRIED, listed

pytestmark = pytest.mark.slow
Ask = Callable[..., Any]

GRADES = [0, 1, 2, 3, 3, 0.5, 1.5, -1, 12, 101, 110, 1e-7, None]
VALUES = ["0.9608", "0,96", "96.1 %", "nan", "1", ".5", "1e-3", "-0.25"]
NAMES = [
    "d1", "10", "nan", "None", "True", "grade", "not retrieved", "missed", "[1, 2]",
    "np.array([3])",
    'a "b" c', '""', "文档，一", "１２", "3,2", "a|b", "a ~ b", "-", "nothing", "Q0",
    "dtype: int64",
    "x:3", "= y", "# z", "{'a': 1}", "retrieved: 3", "🙂", "d–1", "AB", "[1] 3", ">>> 3", "| --- |",
]  # fmt: skip


def documents(rng: random.Random, count: int, *, nuggets: bool) -> list[dict[str, Any]]:
    """Documents with the names that the page gives where a text has none."""
    found = []
    for i in range(count):
        held = rng.choice([None, [], ["A"], ["B", "D"]]) if nuggets else None
        tied = i > 0 and rng.random() < 0.2
        found.append(
            {"name": f"d{i + 1}", "grade": rng.choice(GRADES), "nuggets": held, "tied": tied}
        )
    return found


def states(seed: int) -> list[dict[str, Any]]:
    """States of all measures with 0 to 50 retrieved documents, and some that were missed."""
    rng = random.Random(seed)
    found = []
    for name, measure in data()["measures"].items():
        for count in range(51):
            own = documents(rng, count + rng.choice([0, 0, 1, 3]), nuggets=measure["nuggets"])
            if measure["nuggets"] and own and rng.random() < 0.8:
                own[0]["nuggets"] = ["C"]
            for one in own[count:]:
                one["tied"] = False
            found.append({
                "measure": name, "k": rng.choice([None, 1, 5, 10]) if measure["cutoff"] else None,
                "value": rng.choice(VALUES),
                "theirs": rng.choice(["", "0.5", "12%"]), "options": {},
                "ranked": own[:count], "others": own[count:], "queries": [], "at": 0,
            })  # fmt: skip
    return found


WRITTEN = """states.map((state) => {
  const written = modules.question.toQuestion(state);
  const line = commas ? written.replace(/(?<= for .*\\S) (?=[^|/])(?<![|/] )/g, ", ") : written;
  const fresh = modules.state.example();
  try {
    const found = modules.question.fromQuestion(line, fresh, data);
    return [line, { ...fresh, ...found }, modules.question.toQuestion({ ...fresh, ...found })];
  } catch (error) { return [line, error.message, ""]; }
})"""
KEPT = ("measure", "k", "value", "theirs", "ranked", "others")


@pytest.mark.parametrize("commas", [False, True], ids=["spaces", "commas"])
def test_what_the_page_writes_it_reads_back(ask: Ask, commas: bool) -> None:
    """Of 0 to 50 documents and of each measure, on a fresh page, and written again as it was."""
    drawn = states(31)
    for state, (line, found, again) in zip(
        drawn, ask(WRITTEN, states=drawn, commas=commas), strict=True
    ):
        assert isinstance(found, dict), (line, found)
        wanted = {name: state[name] for name in KEPT}
        if state["measure"] == "alpha-nDCG" and not any(
            one["nuggets"] for one in state["ranked"] + state["others"]
        ):
            for one in (*wanted["ranked"], *wanted["others"]):
                one["nuggets"] = None  # a line of grades alone has no place for them
        assert {name: found[name] for name in KEPT} == wanted, line
        if not commas:
            assert again == line


def test_several_queries_are_read_back(ask: Ask) -> None:
    """2 to 20 queries in one line; empty ones among them."""
    rng = random.Random(5)
    for size in (2, 3, 7, 20):
        queries = [
            {"ranked": documents(rng, rng.choice([0, 1, 4, 6]), nuggets=False), "others": []}
            for _ in range(size)
        ]
        state = {"measure": "AP", "k": None, "value": "0.5", "theirs": "", "options": {},
                 "queries": queries, "at": 0, **queries[0]}  # fmt: skip
        ((line, found, again),) = ask(WRITTEN, states=[state], commas=False)
        assert isinstance(found, dict), (line, found)
        assert found["queries"] == queries
        assert again == line


def test_a_text_of_the_page_is_read_back_whatever_the_names(ask: Ask) -> None:
    """Names that look like numbers, code, headers, signs or sections."""
    rng = random.Random(9)
    for _ in range(40):
        names = rng.sample(NAMES, rng.randint(1, 12))
        cut = rng.randint(0, len(names))
        own = [
            {"name": n, "grade": rng.choice(GRADES), "nuggets": rng.choice([None, [], ["A", "C"]]),
             "tied": 0 < i < cut and rng.random() < 0.3} for i, n in enumerate(names)
        ]  # fmt: skip
        own[0]["grade"] = 1
        state = {"ranked": own[:cut], "others": own[cut:]}
        text = ask("modules.paste.toText(state)", state=state)
        (found,) = ask(TRIED, texts=[text], page=EMPTY)
        assert isinstance(found, dict), (text, found)
        assert listed(found) == listed(state), text


# Lines of numbers alone, of each length, are grades: no column of a file can be seen in them.
def test_a_line_of_numbers_is_grades_whatever_its_length(ask: Ask) -> None:
    """From 2 to 50 numbers, with the separators that people write."""
    rng = random.Random(2)
    for size in range(2, 51):
        grades = [rng.choice([0, 0, 1, 1, 2, 3]) for _ in range(size)]
        texts = [sign.join(map(str, grades)) for sign in (" ", ",", ", ", ";", "\t", "，", "、")]
        wanted = " ".join(f"d{i + 1}:{g}" for i, g in enumerate(grades))
        assert [listed(found) for found in ask(TRIED, texts=texts, page=EMPTY)] == [wanted] * 7


FRESH = """texts.map((text) => {
  const state = modules.state.example();
  try {
    const found = modules.question.fromQuestion(text, state, data);
    return { ...state, ...found };
  } catch (error) { return error.message; }
})"""
NAMELESS = {
    # each names no cut-off, and each is of other documents than the example
    "0.9608 for 3,2,3,0,1,2": (None, "d1:3 d2:2 d3:3 d4:0 d5:1 d6:2"),
    "0.9608 for 3 2 3 0 1 2 | 3 2": (None, "d1:3 d2:2 d3:3 d4:0 d5:1 d6:2 | d7:3 d8:2"),
    "3 2 1 -> 0.9": (None, "d1:3 d2:2 d3:1"),
    "0.9 [3, 2, 1]": (None, "d1:3 d2:2 d3:1"),
    "0.9724 for 3 2 3 0 1": (None, "d1:3 d2:2 d3:3 d4:0 d5:1"),
    "3 2 1 0": (None, "d1:3 d2:2 d3:1 d4:0"),
    "0.9\nq Q0 d1 1 9.5 me\nq Q0 d2 2 8.5 me\nq Q0 d9 3 7.5 me": (None, "d1:- d2:- d9:-"),
    "0.9\nranking = ['d2', 'd1', 'x']": (None, "d2:- d1:- x:-"),
    "0.9\nq 0 d1 2\nq 0 d8 1": (None, "| d1:2 d8:1"),
    "alpha-nDCG = 0.8 for 3,2,1": (None, "d1:3 d2:2 d3:1"),
    "alpha-nDCG = 0.8\nd1 3\nd2 2": (None, "d1:3 d2:2"),
    "0.9@3 for 3 2 1": (3, "d1:3 d2:2 d3:1"),
    "0.9 for ndcg_score([[1, 0]], [[2, 1]], k=2)": (2, "d1:1 d2:0"),
}


def test_nothing_of_the_example_goes_into_another_question(ask: Ask) -> None:
    """No cut-off, no grade and no nuggets, in whatever form the question comes."""
    found = ask(FRESH, texts=list(NAMELESS))
    for (text, wanted), state in zip(NAMELESS.items(), found, strict=True):
        assert isinstance(state, dict), (text, state)
        assert (state["k"], listed(state)) == wanted, text
        nuggets = [one["nuggets"] for one in state["ranked"] + state["others"]]
        assert nuggets == [None] * len(nuggets), text


def test_what_the_page_keeps_or_lacks_is_told(ask: Ask) -> None:
    """Without judgments, without a ranking, and with a column that is not read."""
    texts = [
        "0.9\nq Q0 d1 1 9.5 me", "0.9\nq 0 d1 2", "0.9\ndoc,score,clicks\na,2,1", "0.9 for 3 2",
        "0.9\na\nb", '0.9 ["a", "b"]',
    ]  # fmt: skip
    said = [" ".join(state.get("notes", [])) for state in ask(FRESH, texts=texts)]
    assert [one.split(",")[0].split(":")[0] for one in said] == [
        "No judgments were given", "No ranking was given", "Not read", "",
        "No judgments were given", "No judgments were given",
    ]  # fmt: skip
    assert "clicks" in said[2]


CUTOFFS = {
    "nDCG@0 = 0.5 for 1,2": "k=0 is not a cut-off",
    "nDCG@5000 = 0.5 for 1,2": "k=5000 is not a cut-off",
    "0.5@0 for 1 2": "k=0 is not a cut-off",
    "P_1001 = 0.5 for 1 2": "k=1001 is not a cut-off",
    "bpref@3 = 0.5 for 1 0": "bpref has no cut-off k",
    "PR-AUC@3 = 0.5 for 1 0": "PR-AUC has no cut-off k",
}


def test_a_cutoff_that_can_not_be_is_refused(ask: Ask) -> None:
    """Below 1, above the highest, and of a measure that has none."""
    said = dict(zip(CUTOFFS, ask(FRESH, texts=list(CUTOFFS)), strict=True))
    for text, wanted in CUTOFFS.items():
        assert isinstance(said[text], str), text
        assert said[text].startswith(wanted), (text, said[text])
