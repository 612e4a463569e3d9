"""No notebook holds up the class: what is read out here is read in linear time, or not at all."""

import gc
import json
import time
import tracemalloc

import pytest

from irmetrics_edu.classroom.marking import results
from irmetrics_edu.classroom.marking.collecting import submissions
from irmetrics_edu.classroom.marking.collecting.notebook import (
    MOST_CELLS,
    MOST_CODE,
    MOST_PARTS,
    MOST_TEXT,
    Unreadable,
    parse,
)
from irmetrics_edu.classroom.marking.matching import code_names, code_tokens
from tests.marking.conftest import RIGHT
from tests.marking.test_grade import by_student

pytestmark = pytest.mark.slow

HUGE = {
    "quotes and backslashes": "'\\" * 90_000,
    "quotes": "'" * 190_000,
    "triple quotes": "'''\\'" * 30_000,
    "triple quotes of both kinds": "\"\"\"'''" * 30_000,
    "double quotes": '"\\\n' * 60_000,
    "prefixes": "rb" * 90_000,
    "prefixes and quotes": "f'" * 90_000,
    "brackets": "(" * 190_000,
    "operators": "**" * 90_000,
    "spaces": " " * 190_000 + "x",
    "backslashes": "\\\n" * 90_000,
    "questions": "?  " * 60_000,
    "percents": "= %" * 60_000,
    "digits": "1." * 90_000,
    "comments": "#" * 190_000,
    "definitions": "def " * 45_000,
    "indents": "\n ".join(" " * (i % 90) + "x" for i in range(4_000)),
}


def seconds(work, *given):
    """The processor time of a call."""
    began = time.process_time()
    work(*given)
    return time.process_time() - began


def is_linear(work, text):
    """Whether 64 times a text takes about 64 times as long, and not 64 times that.

    Half way between the two, in powers, lies 512: what a busy machine adds is far from either.
    """
    part = text[: max(1, 200_000 // 64)]
    whole = text * (200_000 // len(text) + 1)
    least = min(seconds(work, part) for _ in range(5))
    return seconds(work, whole[: 64 * len(part)]) < 512 * max(least, 0.000_2)


@pytest.mark.parametrize("name", HUGE)
def test_tokens_are_read_in_linear_time(name):
    """The tokenizer is ours, since Python's own is quadratic on some of these."""
    assert is_linear(code_tokens.tokens, HUGE[name])


@pytest.mark.parametrize("name", HUGE)
def test_names_are_found_in_linear_time(name):
    """What else is asked of the text out here."""
    assert is_linear(code_names.defined, HUGE[name])


def test_names_are_found_where_they_are_defined():
    """Functions, classes and variables; neither calls nor comparisons."""
    cell = "x = 1\n  def f(a):\n\ty\t=2\nasync  def g(): pass\nclass C: z == 3\nh(k=1)\n==w"
    assert code_names.defined(cell) == {"x", "f", "y", "g", "C"}


def test_a_quadratic_reader_would_be_found():
    """The measure tells a reader that looks at the rest of the text at every few signs."""

    def quadratic(text):
        for i in range(0, len(text), 10):
            text[i:].count("'")

    assert not is_linear(quadratic, HUGE["quotes and backslashes"])


def test_tokens_are_those_of_python():
    """Names and values do not count, keywords and signs do; strings of every kind are values."""
    cell = 'if x != 1.5e3: # why\n    y **= f"a\\"{b}" + r\'\\\\\' + """c\n"d""" -> z //2'
    said = code_tokens.tokens(cell)
    wanted = "if name != value : name **= value + value + value -> name // value"
    assert said == wanted.split()


def book(*cells):
    """The bytes of a notebook with these cells."""
    return json.dumps({"cells": list(cells)}).encode()


@pytest.mark.parametrize(
    "cells",
    [
        [{"cell_type": "code", "source": "x", "id": "77-dcg"}] * (MOST_CELLS + 1),
        [{"cell_type": "markdown", "source": "x", "id": "77-dcg"}] * (MOST_CELLS + 1),
        [{"cell_type": "code", "source": "+" * (MOST_CODE + 1)}],
        [{"cell_type": "markdown", "source": "x" * (MOST_TEXT + 1)}],
        [{"outputs": [[]] * MOST_PARTS}],
    ],
    ids=["cells", "texts", "code", "text", "outputs"],
)
def test_what_is_too_much_is_not_read(cells):
    """It has no marks, not even 0, and is told what to do."""
    with pytest.raises(Unreadable, match="are the most that is read") as caught:
        parse(book(*cells))
    assert caught.value.remedy.startswith(("Delete what is no answer", "Clear the outputs"))


@pytest.mark.suite("guide")
@pytest.mark.slow
def test_the_notebooks_of_a_class_take_bounded_memory(tmp_path):
    """Those full of text are refused, and not kept; one that is read keeps its text."""
    from irmetrics_edu.classroom.marking.collecting.submissions import submissions

    one = {"cell_type": "code", "source": "x = 1"}
    for i in range(5):
        text = {"cell_type": "markdown", "source": "x" * (MOST_TEXT + 1 if i else 100)}
        (tmp_path / f"{i}.ipynb").write_bytes(book(one, text))
    tracemalloc.start()
    found = submissions(tmp_path, [])
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [s.why for s in found if s.notebook] == [""]
    assert kept < 1_000_000
    assert most < 5 * MOST_TEXT


def test_many_broken_cells_are_counted():
    """The first are named, the rest counted."""
    notes = parse(book(*[7] * 900, {"cell_type": "code", "source": "x = 1"})).notes
    assert len(notes) == 6
    assert notes[-1] == "895 more cells are broken and were passed over"


@pytest.mark.suite("guide")
def test_one_student_does_not_stall_the_class(a_class, capsys):
    """Cells of one id, quotes and backslashes, operators: read at once, and graded."""
    one = {"cell_type": "code", "source": "x = 1", "id": "77-dcg", "metadata": {}}
    many = {"cells": [one] * (MOST_CELLS - 1) + [{**one, "source": RIGHT}]}
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("many/77_two.ipynb", many)
    a_class.hand_in("more/77_two.ipynb", {"cells": [one] * 40_000})
    quotes = {"cells": [{**one, "source": "'\\" * 900_000}, {**one, "source": RIGHT}]}
    a_class.hand_in("quotes/77_two.ipynb", quotes)
    signs = {"cells": [{**one, "source": "+" * 18_000_000}]}
    a_class.hand_in("signs/77_two.ipynb", signs)
    assert seconds(a_class.grade) < 25
    assert a_class.marks("ann/77_two.ipynb") == [1, 4]
    assert a_class.marks("many/77_two.ipynb") == [0, 4]
    assert a_class.marks("quotes/77_two.ipynb") == [0, 4]
    for name in ("more", "signs"):
        assert a_class.result(f"{name}/77_two.ipynb")["status"] == "unreadable"
    assert "are the most that is read" in capsys.readouterr().out


@pytest.mark.slow
def test_what_an_endless_cell_does_not_touch_is_marked(a_class):
    """The cell stands before the answer, which needs none of it; what needs it has no marks."""
    endless = "def rest():\n    while True:\n        pass\n\nleft = rest()"
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", ["import math", endless, RIGHT]))
    needs = RIGHT.replace("    return", "    rest()\n    return")
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben", ["import math", endless, needs]))
    a_class.grade("--limit", "cpu=0.5", "--limit", "wall=3")
    assert a_class.marks("ann/77_two.ipynb")[1] == 4
    assert a_class.marks("ben/77_two.ipynb")[1] == 0
    said = a_class.result("ann/77_two.ipynb")["questions"][1]["told"]
    assert "A code cell beside the answer stops the notebook" in said[0]


NEST = "    x = [0] * 20_000\n    for _ in range(50):\n        x = [x]\n    return x"
RETURNED = {
    "deep lists of many": NEST,
    "many numbers": "    return [0.5] * 100_000",
    "colliding keys": "    return {i * ((1 << 61) - 1) + 1: 0 for i in range(9_000)}",
    "colliding elements": "    return {i * ((1 << 61) - 1) + 1 for i in range(9_000)}",
    "colliding in many": "    one = {i * ((1 << 61) - 1) + 1: 0 for i in range(900)}\n"
    "    return [one] * 30",
    "a long text": "    return 'x' * 900_000",
    "a long fraction": "    from fractions import Fraction\n"
    "    return [Fraction(10**1000 + i, 10**999 + 7) for i in range(200)]",
    "an error of a long name": "    raise type('E' * 500_000, (Exception,), {})('m' * 500_000)",
    "an error with a name in it": "    raise NameError(\"name '\" + 'x' * 500_000 + \"' is not "
    'defined")',
}


def seconds_of_fixed_work():
    """What 75 tables of colliding keys take here: about half a second where nothing else runs."""
    began = time.process_time()
    for _ in range(75):
        dict.fromkeys([i * ((1 << 61) - 1) + 1 for i in range(900)])
    return time.process_time() - began


@pytest.fixture
def others_left_alone():
    """What other tests left behind is not searched for garbage while a test's own time is taken."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.suite("sandbox")
@pytest.mark.usefixtures("others_left_alone")
@pytest.mark.parametrize("what", RETURNED)
def test_no_value_of_a_student_is_walked_without_bound(a_class, what):
    """The grader's own time for it is that of an honest wrong answer, but for a few seconds."""
    honest = f"def dcg(grades, k=None):\n    return [1.5] * 5\ntotal = 3{'.5'}"
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", [honest]))
    began = time.process_time()
    a_class.grade()
    usual = time.process_time() - began
    code = f"def dcg(grades, k=None):\n{RETURNED[what]}\ndef value():\n{RETURNED[what]}\n"
    text = f"{code}\ntry:\n    total = value()\nexcept Exception:\n    raise"
    a_class.hand_in("bad/77_two.ipynb", a_class.copy("bad", [text]))
    began = time.process_time()
    a_class.grade()
    taken = time.process_time() - began
    assert taken < usual + 6 * max(0.5, seconds_of_fixed_work())
    assert a_class.marks("bad/77_two.ipynb") == [0, 0]
    assert a_class.marks("ann/77_two.ipynb") == [0, 0]


def test_an_answer_that_is_far_too_big_is_said_to_be(a_class):
    """In words for the student, not as a value that can't be sent."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", ["total = list(range(5_000))"]))
    a_class.grade()
    said = a_class.written()["feedback/ann/77_two.md"].decode()
    assert "It gives far more than it should: it has more than" in said


def test_one_student_hands_in_a_hundred_notebooks(a_class, monkeypatch):
    """The last by name are read, the others are told; others, and files of nobody, are all read."""
    monkeypatch.setattr(submissions, "MOST_OF_ONE", 3)
    (a_class.folder / "r.csv").write_text("student,canvas\nann,1001\nben,1002\ncy,1003\n")
    empty = a_class.copy("ann", solved=False)
    for number in range(1, 12):
        book = a_class.copy("ann") if number == 11 else empty
        a_class.hand_in(f"ann_1001_50{number:03}_77_two-{number}.ipynb", book)
    a_class.hand_in("ben_1002_601_77_two.ipynb", a_class.copy("ben"))
    for number in range(4):
        a_class.hand_in(f"week/Untitled{number}.ipynb", a_class.copy("cy"))
    a_class.grade("--roster", f"{a_class.folder}/r.csv")
    found = by_student(a_class)
    assert {name: found[name]["marks"] for name in ("ann", "ben", "cy")} == dict.fromkeys(
        ("ann", "ben", "cy"), "5"
    )
    kept = results.kept(a_class.out)
    unread = [path for path, one in kept.items() if one.status == results.UNREADABLE]
    assert len(unread) == 8
    assert "77_two-11.ipynb" not in " ".join(unread)
    assert kept[unread[0]].why == (
        "it is one of 11 notebooks of one student, and 3 are the most that are read"
    )
