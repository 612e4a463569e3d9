"""The question in one line: what it asks, in whatever form it is written."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from dev.tools.playground.data import data
from tests.playground.drawn import draw
from tests.playground.test_paste import listed

pytestmark = pytest.mark.slow
Ask = Callable[..., Any]

READ = {
    # number first
    "0.9724 for 3 2 3 0 1": (None, "0.9724", "", "d1:3 d2:2 d3:3 d4:0 d5:1"),
    "0.9724: 3,2,3,0,1": (None, "0.9724", "", "d1:3 d2:2 d3:3 d4:0 d5:1"),
    "0.97 [3, 2, 0]": (None, "0.97", "", "d1:3 d2:2 d3:0"),
    "97.2% for 3 2 -": (None, "97.2%", "", "d1:3 d2:2 d3:-"),
    "0,949 for 3 2": (None, "0,949", "", "d1:3 d2:2"),
    "1 for 3 2": (None, "1", "", "d1:3 d2:2"),
    "score = 0.5, grades 1 0": (None, "0.5", "", "d1:1 d2:0"),
    # with a measure
    "nDCG@5 = 0.9724 for 3 2": ("nDCG@5", "0.9724", "", "d1:3 d2:2"),
    "ndcg 0.5 of 3 2": ("nDCG", "0.5", "", "d1:3 d2:2"),
    "MAP: 0.5 for 1 0": ("AP", "0.5", "", "d1:1 d2:0"),
    "alpha-nDCG@3 is 0.5": ("alpha-nDCG@3", "0.5", "", ""),
    # behind the grades
    "3 2 0 -> 0.97": (None, "0.97", "", "d1:3 d2:2 d3:0"),
    "[3, 2, 0] = 0.97": (None, "0.97", "", "d1:3 d2:2 d3:0"),
    "nDCG@2 [3, 2] gives 0.5": ("nDCG@2", "0.5", "", "d1:3 d2:2"),
    # two numbers
    "0.9724 and 0.7659 for 3 2": (None, "0.9724", "0.7659", "d1:3 d2:2"),
    "0.97 vs 0.76: 3 2": (None, "0.97", "0.76", "d1:3 d2:2"),
    # what was missed
    "0.5 for 3 0 1 | 3 2": (None, "0.5", "", "d1:3 d2:0 d3:1 | d4:3 d5:2"),
    "0.5 for 3 0; missed: 3": (None, "0.5", "", "d1:3 d2:0 | d3:3"),
    "0.5 for 3 0 not retrieved 3 2": (None, "0.5", "", "d1:3 d2:0 | d3:3 d4:2"),
    # several queries: the first is shown
    "0.5 for 3 0 | 1 / 0 2": (None, "0.5", "", "d1:3 d2:0 | d3:1"),
    # several lines
    "0.5\na 3\nb 0\nnot retrieved:\nc 1": (None, "0.5", "", "a:3 b:0 | c:1"),
    "0.5\nq Q0 a 1 9 me\nq 0 a 1\nq 0 x 2": (None, "0.5", "", "a:1 | x:2"),
    '0.5 {"a": 3, "b": 0}': (None, "0.5", "", "| a:3 b:0"),
    "0.9": (None, "0.9", "", ""),
}
REFUSED = {
    "": "Write your number and the grades",
    "for 3 2": "The line has no number",
    "a 3": "“a” is not a measure of this page. Write one of nDCG, DCG, AP",
    "0.5 for 3 | 2 | 1": "Write | once",
    "0.5 for 3 good": "Line 1: good is not a grade",
    "0.5 for 9999 1": "Line 1: 9999 is not a grade",
}
TRIED = """texts.map((text) => {
    const empty = { ranked: [], others: [] };
    try { return modules.question.fromQuestion(text, empty, data); } catch (e) { return e.message; }
})"""


def test_a_question_is_read_in_whatever_form(ask: Ask) -> None:
    """Number and grades in either order, with a measure or without, on one line or on several."""
    for (text, wanted), found in zip(READ.items(), ask(TRIED, texts=list(READ)), strict=True):
        assert not isinstance(found, str), (text, found)
        cut = "" if found.get("k") is None else f"@{found['k']}"
        title = f"{found['measure']}{cut}" if "measure" in found else None
        documents = listed(found) if "ranked" in found else ""
        if text.startswith("0.5 {"):
            documents = listed({"ranked": [], "others": [*found["ranked"], *found["others"]]})
        assert (title, found["value"], found["theirs"], documents) == wanted, text


def test_what_is_no_question_is_told(ask: Ask) -> None:
    """A sentence says what is missing, and what to write."""
    for (text, wanted), said in zip(REFUSED.items(), ask(TRIED, texts=list(REFUSED)), strict=True):
        assert isinstance(said, str), (text, said)
        assert said.startswith(wanted), (text, said)


def test_the_line_of_a_state_asks_for_that_state(ask: Ask) -> None:
    """What the page writes is read as what it has, and names of documents stay."""
    state = {
        "measure": "nDCG", "k": 5, "value": "0.5", "theirs": "0.7",
        "ranked": [{"name": "first", "grade": 3}, {"name": "x", "grade": None}],
        "others": [{"name": "y", "grade": 2}],
    }  # fmt: skip
    line = ask("modules.question.toQuestion(state)", state=state)
    assert line == "nDCG@5 = 0.5 and 0.7 for 3 - | 2"
    several = {**state, "queries": [{"ranked": [], "others": []}] * 2, "at": 1}
    both = ask("modules.question.toQuestion(state)", state=several)
    assert both == "nDCG@5 = 0.5 and 0.7 for nothing / 3 - | 2"
    read = ask("modules.question.fromQuestion(line, state, data)", line="1 for 3 / 2", state=state)
    assert [listed(one) for one in read["queries"]] == ["d1:3", "d1:2"]
    found = ask("modules.question.fromQuestion(line, state, data)", line=line, state=state)
    assert found == {"measure": "nDCG", "k": 5, "value": "0.5", "theirs": "0.7"}


def test_every_convention_has_its_words() -> None:
    """A sentence for each value that a measure can have, also for a number inside a value."""
    known = data()
    for measure in known["measures"].values():
        for option in measure["options"]:
            if not option["shown"]:
                continue
            said = known["words"][option["name"]]
            for value in (*option["values"], *option["more"]):
                assert value in said or re.sub(r"\(.*\)", "()", value) in said or "()" in said, (
                    value
                )
            assert option["values"] or "()" in said


WHO = """cases.map(({ metric, given, k }) => {
  const base = modules.settings.defaultsOf(data.measures[metric]);
  const groups = modules.explain.valuesOfLibraries(data, metric, given, k, base);
  return groups.filter((g) => !g.refused).map((g) => {
    const libraries = [...new Map(g.names.map((one) => [one.library.name, one])).values()];
    return [modules.say.number(g.score), modules.explain.whoGives(libraries, g.score, groups)];
  });
})"""


def test_no_two_numbers_are_said_to_be_the_same_of_a_library(ask: Ask) -> None:
    """Where a library gives several values, the words for it say which of its names has which."""
    several = 0
    for found in ask(WHO, cases=[one.as_dict() for one in draw(88, seed=9)]):
        said = [who for _, names in found for who in names]
        assert len(said) == len(set(said)), found
        several += sum(" by " in who for who in said)
    assert several > 100
