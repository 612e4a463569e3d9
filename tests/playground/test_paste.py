"""What people paste into the text area: read as what it is, or refused with its line."""

import re
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.slow

# Texts and what they list: names with grades, = for a tie, | before what is not retrieved.
READ = {
    # as the page writes it
    "d1 3\nd2 -\n= d3 0\nnot retrieved:\nx 2": "d1:3 d2:- =d3:0 | x:2",
    '"two words" 1\n"10" 2 AB': "two words:1 10:2AB",
    "d1\n\nd2 1": "d1:- d2:1",
    # grades alone
    "3, 2, 3, 0, 1": "d1:3 d2:2 d3:3 d4:0 d5:1",
    "3 2": "d1:3 d2:2",
    "3;2;-": "d1:3 d2:2 d3:-",
    "3\r\n2\r\n-1\r\n": "d1:3 d2:2 d3:-1",
    "2\n1\nnot retrieved:\n3": "d1:2 d2:1 | d3:3",
    "grade\n3\n2": "d1:3 d2:2",
    "3.0\n2.0": "d1:3 d2:2",
    # grades above 9, and real ones
    "12, 0.5, 100": "d1:12 d2:0.5 d3:100",
    "a 0.5\nb 12": "a:0.5 b:12",
    "doc,grade\na,0.25": "a:0.25",
    "judgments = {'a': 0.5, 'b': 20}": "| a:0.5 b:20",
    # CSV, semicolons, columns of a spreadsheet
    "d1,3": "d1:3",
    "d1,3\nd2,0\nd3,": "d1:3 d2:0 d3:-",
    "d1, 3, AB": "d1:3AB",
    "d1;3\nd2;-": "d1:3 d2:-",
    "d1\t3\nd2\t\n": "d1:3 d2:-",
    '"a, b",3\n"say ""x""",1': 'a, b:3 say "x":1',
    "101,3\n7,2": "101:3 7:2",
    "a 1\n10 2": "a:1 10:2",
    "doc_id,relevance\nd2,3\nd1,0": "d2:3 d1:0",
    "Document Grade\nd2 3": "d2:3",
    "doc,score,grade\na,0.5,1\nb,0.9,3\nc,0.5,0": "b:3 a:1 =c:0",
    "rank\tid\trel\n2\ta\t1\n1\tb\t3": "b:3 a:1",
    "query,doc,rel\nq1,a,1\nq1,b,0": "a:1 b:0",
    # TREC
    "q1 Q0 b 1 9.5 me\nq1 Q0 a 2 9.5 me\nq1 Q0 c 3 1e-3 me": "b:- =a:- c:-",
    "q1 Q0 a 1 2.5 me\nq1 Q0 b 2 1.5 me\nq1 0 b 2\nq1 0 x 1": "a:- b:2 | x:1",
    "q1\t0\tx\t1\nq1\t0\ty\t0": "| x:1 y:0",
    # JSON and Python
    "[3, 2, 0]": "d1:3 d2:2 d3:0",
    "(3, None, 1.0)": "d1:3 d2:- d3:1",
    "grades = [3, 2]  # mine": "d1:3 d2:2",
    "[\"a\", 'b']": "a:- b:-",
    '[["a", 3], ("b", None)]': "a:3 b:-",
    '{"a": 3, "b": 0}': "a:3 b:0",
    '{"q1": {"a": 3, "b": 0}}': "a:3 b:0",
    '[{"id": "a", "rel": 3},\n {"rel": 0, "id": "b"}]': "a:3 b:0",
    'ranking = ["a", "b"]\njudgments = {"b": 2, "x": 3}': "a:- b:2 | x:3",
    "ranking = {'a': 1, 'b': 2, 'c': 1}\njudgments = {'a': 1}": "b:- a:1 =c:-",
    '{"ranking": ["a"], "judgments": {"a": 3, "x": null}}': "a:3 | x:-",
    'ranking = ["a", "b"]\nnuggets = {"a": {"A", "B"}, "b": set()}': "a:-AB b:-0",
    '["\\u00e9 \\"x\\"", "c"]': 'é "x":- c:-',
}
REFUSED = {
    "": "The text is empty",
    "3\n2\n9999": "Line 3: 9999 is not a grade",
    "3\n\n2": "Line 2: there is no grade. Write -",
    "3 2\n1 0": "Line 1: “3 2” can be grades alone, or a document with its grade",
    "3,2,1\n0,1,2": "Line 1: “3 2 1” can be grades alone",
    "d1\n3": "Line 2: “3” can be a grade or a name",
    "d1,3\nd2 2": "Line 2: it has 1 field, and line 1 has 2 fields",
    "d1,0.93\nd2,0.5": "Line 1: 0.93 can be a score or a grade. Say which: a first line",
    "d1,3,AB,x": "Line 1: it has 4 fields",
    "d1 3 AX": "Line 1: X is not a nugget",
    "d1 3\nd1 2": "Line 2: d1 is in the ranking twice",
    "d1 3\nd2 good": "Line 2: good is not a grade",
    "doc,rel\na": "Line 2: it has 1 field, and the first line has 2 fields",
    "doc,doc\na,1": "Line 1: two columns are the document",
    "doc,score\na,high": "Line 2: “high” is not a score",
    "query,doc,rel\nq1,a,1\nq2,b,0": "Line 3: this is query q2",
    "q1 Q0 a 1 2.5 me\nq2 Q0 b 1 1.5 me": "Line 2: this is query q2",
    "q1 0 a 1\nq1 0 a 2": "Line 2: a is judged twice",
    "q1 0 a 9999": "Line 1: 9999 is not a grade",
    '{"a": 0.9, "b": 0.5}': "Line 1: 0.9 can be a score or a grade",
    '{"q1": {"a": 1},\n "q2": {"a": 2}}': "Line 2: this is query q2",
    "[3,\n 2": "Line 2: the text ends too early",
    "[3, 2, mine]": "Line 1: “mine]” is not expected here",
    '["a", 3]': "Line 1: write grades, [3, 2, 0]",
    "[]": "Line 1: there is no document",
    '[{"id": "a", "colour": 3}]': "Line 1: colour is no column",
    '[{"id": "a", "rel": 3},\n {"id": "b"}]': "Line 2: it has other keys than the first",
    "ranking = ['a', 'a']\njudgments = {'a': 1}": "Line 1: a is in the ranking twice",
    "a = [1]\nb = [2]": "Line 2: write one ranking",
}
TRIED = """texts.map((text) => {
    try { return modules.paste.fromText(text, page); } catch (error) { return error.message; }
})"""
EMPTY: dict[str, list[Any]] = {"ranked": [], "others": []}


def listed(found: Any) -> str:
    """The documents as one line."""

    def one(d: dict[str, Any]) -> str:
        nuggets = "" if d["nuggets"] is None else "".join(d["nuggets"]) or "0"
        grade = "-" if d["grade"] is None else d["grade"]
        return f"{'=' if d['tied'] else ''}{d['name']}:{grade}{nuggets}"

    if isinstance(found, str):
        return found
    others = ["|", *map(one, found["others"])] if found["others"] else []
    return " ".join([*map(one, found["ranked"]), *others])


def test_texts_are_read_as_what_they_are(ask: Callable[..., Any]) -> None:
    """Each example, and then what the page writes of it, which is read as the same."""
    found = ask(TRIED, texts=list(READ), page=EMPTY)
    assert dict(zip(READ, map(listed, found), strict=True)) == READ
    written = ask("found.map(modules.paste.toText)", found=found)
    assert [listed(d) for d in ask(TRIED, texts=written, page=EMPTY)] == list(READ.values())


def test_what_can_not_be_read_is_refused_with_its_line(ask: Callable[..., Any]) -> None:
    """What is wrong, where, and what to write."""
    found = ask(TRIED, texts=list(REFUSED), page=EMPTY)
    for text, said, wanted in zip(REFUSED, map(listed, found), REFUSED.values(), strict=True):
        assert said.startswith(wanted), (text, said)
        assert re.fullmatch(r"(Line \d+: .*|The text is empty.*)\.", said), said


def test_what_a_text_lacks_is_that_of_the_page(ask: Callable[..., Any]) -> None:
    """A run keeps the page's grades; judgments keep its ranking and its nuggets."""
    page = ask('modules.paste.fromText("a 3 A\\n= b 1\\nnot retrieved:\\nx 2", page)', page=EMPTY)
    texts = ["q 0 b 2\nq 0 y 1", "q Q0 x 1 9 me\nq Q0 a 2 8 me", "ranking = ['b', 'a', 'z']"]
    assert [listed(found) for found in ask(TRIED, texts=texts, page=page)] == [
        "a:-A =b:2 | y:1", "x:2 a:3A", "b:1 a:3A z:-",
    ]  # fmt: skip
