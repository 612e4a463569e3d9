"""Small decisions on what is given back, each over all that can stand before it."""

from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.marking.returning import exports
from irmetrics_edu.classroom.marking.returning.canvas_grades import MOST_NAMED, _listed


@pytest.mark.parametrize("number", range(1, MOST_NAMED + 4))
def test_names_are_listed_until_they_are_too_many(number):
    """Those that are left out are counted, and nothing is said of none."""
    names = [f"n{place:03}" for place in range(number)]
    shown, _, more = _listed(names).partition("; and ")
    assert shown.split("; ") == names[:MOST_NAMED]
    assert more == (f"{number - MOST_NAMED} more" if number > MOST_NAMED else "")


@pytest.mark.parametrize(("out_of", "cell"), [(5, 5), (0.5, 0.5), (0, None), (None, None)])
def test_a_row_says_what_it_is_out_of(out_of, cell):
    """The cell stays empty where nothing can be had, as where the exercise is not known."""
    person = SimpleNamespace(name="Ann", section="S", group="")
    row = SimpleNamespace(
        student="ann",
        person=person,
        exercise="77",
        status="graded",
        late="",
        raw=4,
        penalty=1,
        marks=3,
        out_of=out_of,
        lines=[],
        result=None,
    )
    cells = exports._line(row, [("77", "dcg")], grouped=False)
    assert cells == ["ann", "Ann", "S", "77", "graded", "", 4, 1, 3, cell, "", None]
