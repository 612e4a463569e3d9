"""No notebook holds up the class: what is read out here is read in linear time, or not at all."""

import json
import time

import pytest

from irmetrics_edu.marking import jupyter, marking, similarity
from irmetrics_edu.marking.notebook import MOST_CELLS, MOST_CODE, Unreadable, parse
from tests.marking.conftest import RIGHT

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


@pytest.mark.parametrize("name", HUGE)
def test_tokens_are_read_in_linear_time(name):
    """Four times the text takes no more than some four times as long."""
    text = HUGE[name]
    quarter = max(seconds(similarity.tokens, text[: len(text) // 4]), 0.002)
    assert seconds(similarity.tokens, text) < 12 * quarter


@pytest.mark.parametrize("name", HUGE)
def test_names_and_commands_are_found_in_linear_time(name):
    """What else is asked of the text out here: names that it defines, Jupyter's own syntax."""
    text = HUGE[name] * 4

    def both(part):
        marking.defined(part)
        jupyter._PERHAPS.search(part)

    quarter = max(seconds(both, text[: len(text) // 4]), 0.002)
    assert seconds(both, text) < 12 * quarter


def test_names_are_found_where_they_are_defined():
    """Functions, classes and variables; neither calls nor comparisons."""
    cell = "x = 1\n  def f(a):\n\ty\t=2\nasync  def g(): pass\nclass C: z == 3\nh(k=1)\n==w"
    assert marking.defined(cell) == {"x", "f", "y", "g", "C"}


def test_a_quadratic_reader_would_be_found():
    """Python's own tokenizer on quotes and backslashes: the measure tells."""

    def quadratic(text):
        for i in range(0, len(text), 50):
            text[i:].count("'")

    text = HUGE["quotes and backslashes"]
    quarter = max(seconds(quadratic, text[: len(text) // 4]), 0.002)
    assert seconds(quadratic, text) > 12 * quarter


def test_tokens_are_those_of_python():
    """Names and values do not count, keywords and signs do; strings of every kind are values."""
    cell = 'if x != 1.5e3: # why\n    y **= f"a\\"{b}" + r\'\\\\\' + """c\n"d""" -> z //2'
    said = similarity.tokens(cell)
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
    ],
    ids=["cells", "texts", "code"],
)
def test_what_is_too_much_is_not_read(cells):
    """It has no marks, not even 0, and is told what to do."""
    with pytest.raises(Unreadable, match="are the most that is read") as caught:
        parse(book(*cells))
    assert "Delete what is no answer" in caught.value.remedy


def test_many_broken_cells_are_counted():
    """The first are named, the rest counted."""
    notes = parse(book(*[7] * 900, {"cell_type": "code", "source": "x = 1"})).notes
    assert len(notes) == 6
    assert notes[-1] == "895 more cells are broken and were passed over"


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
    assert seconds(a_class.grade, "--dry-run") < 8
    assert seconds(a_class.grade) < 25
    assert a_class.marks("ann/77_two.ipynb") == [1, 4]
    assert a_class.marks("many/77_two.ipynb") == [0, 4]
    assert a_class.marks("quotes/77_two.ipynb") == [0, 4]
    for name in ("more", "signs"):
        assert a_class.result(f"{name}/77_two.ipynb")["status"] == "unreadable"
    assert "are the most that is read" in capsys.readouterr().out
