"""The report: how marks are spread and how questions did, against plain oracles."""

import re
from fractions import Fraction
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.results import QuestionMark
from irmetrics_edu.classroom.marking.returning.class_report import (
    as_html,
    correlation,
    histogram,
    items,
    tables,
)
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import Manual


def row(student, *marks, section="", label="", text="", status="graded"):
    """A row of an exercise of three questions, out of 2 each; None where nothing is known."""
    lines = tuple(
        QuestionLine(QuestionMark(name, name, 2, m or 0.0, m is not None, label if m == 1 else "",
                          "what it is" if m == 1 else "", text if not m else "ok"))
        for name, m in zip("abc", marks, strict=True)
    )  # fmt: skip
    person = Person(student, section=section)
    return Row(person, "77", "77_x", "Three <questions>", 6, status, lines=lines)


CLASS = [
    row("s1", 2, 2, 2, section="Mon"), row("s2", 2, 2, 1, section="Mon", label="m-1"),
    row("s3", 2, 1, 1, section="Tue", label="m-1"), row("s4", 1, 1, 0, section="Tue", label="m-2"),
    row("s5", 2, 0, 0, section="Tue", text="There is no answer yet."), row("s6", 2, 2, None),
]  # fmt: skip


def test_items_by_hand():
    """Means and shares counted by hand; the correlation by numpy over those with all marks."""
    a, b, c = items(CLASS)
    assert (a.mean, a.difficulty) == (11 / 6, 11 / 12)
    assert (b.mean, b.difficulty) == (8 / 6, 4 / 6)
    assert (c.mean, c.difficulty) == (4 / 5, 2 / 5)
    whole = np.array([[2, 2, 2], [2, 2, 1], [2, 1, 1], [1, 1, 0], [2, 0, 0]])
    for place, item in enumerate((a, b, c)):
        rest = np.delete(whole, place, axis=1).sum(axis=1)
        wanted = np.corrcoef(whole[:, place], rest)[0, 1]
        assert item.discrimination == pytest.approx(wanted, abs=1e-12)
    assert [(item.right, item.students) for item in (a, b, c)] == [(5, 6), (3, 6), (1, 5)]


def test_what_is_not_known_is_not_shown_as_0():
    """A class of four has no correlation, nor a question that all got; no marks make no bins."""
    assert all(item.discrimination is None for item in items(CLASS[:4]))
    same = [row(f"s{i}", 2, i % 3, 1) for i in range(8)]
    assert items(same)[0].discrimination is None
    nothing = [row("s1", None, None, None)]
    assert histogram(nothing) == []
    assert items(nothing)[0].mean is None
    [table] = [t for t in tables(nothing) if t.caption == "Questions"]
    assert "0.00" not in str(table.lines)


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 2), min_size=5, max_size=30))
def test_the_correlation_is_pearsons(pairs):
    """As numpy has it, and never out of [-1, 1]."""
    one, other = ([Fraction(x, 2) for x in column] for column in zip(*pairs, strict=True))
    found = correlation(one, other)
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert found is None
        return
    wanted = np.corrcoef(np.array(one, float), np.array(other, float))[0, 1]
    assert found == pytest.approx(wanted, abs=1e-9)
    assert -1 <= found <= 1


@given(st.lists(st.integers(0, 60), min_size=1, max_size=40))
def test_the_histogram_counts_everybody_once(tenths):
    """Borders belong above, full marks to the last bin: by whole numbers."""
    rows = [
        Row(Person(f"s{i}"), "77", "x", "X", 6, "graded", manual=Manual(t / 10))
        for i, t in enumerate(tenths)
    ]
    counts = [0] * 10
    for t in tenths:
        counts[min(9, t // 6)] += 1
    bins = histogram(rows)
    assert [count for _, _, count in bins] == counts
    assert (bins[0][0], bins[1][0], bins[-1][1]) == (0, 0.6, 6)


def test_sections_stand_below_their_exercise():
    """Each with its own mean and number; who has none is in a line of their own."""
    [table] = [t for t in tables(CLASS) if t.caption == "Marks"]
    assert [[line[0], *line[2:5]] for line in table.lines[1:]] == [
        ["section (none)", "1 graded", "0", ""], ["section Mon", "2 graded", "2", "5.5"],
        ["section Tue", "3 graded", "3", "2.67"],
    ]  # fmt: skip
    [table] = [t for t in tables([row("s1", 2, 2, 2)]) if t.caption == "Marks"]
    assert len(table.lines) == 1


def test_the_bars_say_their_numbers_and_run_nothing():
    """A bar for each tenth and each question, named whole, with its number; no script."""
    page = as_html(CLASS)
    [bars] = re.findall(r'<section class="bars">.*?</section>', page, re.DOTALL)
    root = ET.fromstring(bars)  # noqa: S314 -- of our own making
    assert root.find("h2").text == "Exercise 77: Three <questions>"
    marks, questions = root.iter("table")
    said = {
        tr.find("th").text: "".join(tr.find("td").itertext()).strip() for tr in marks.iter("tr")
    }
    assert said["1.8 to 2.4"].strip() == "2"
    assert len(said) == 10
    drawn = [
        (tr.find("th").text, tr.find("td/meter").get("value"), "".join(tr.find("td").itertext()))
        for tr in questions.iter("tr")
    ]
    assert ("b", "0.6667", " 0.67") in drawn
    assert "script" not in page.casefold().replace("default-src", "")
