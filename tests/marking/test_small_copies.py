"""What is read of a copy that comes back, over all that may have become of it."""

from itertools import product

import pytest

from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.grading.tiers import named
from irmetrics_edu.classroom.marking.collecting.notebook import parse
from irmetrics_edu.classroom.marking.matching.added_cells import _changed_texts
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.copy_data import inputs_in
from tests.marking.conftest import KEY


@pytest.fixture(scope="module")
def the_class(make_class):
    """A class with nothing handed in."""
    return make_class()


def cells_of(the_class, student):
    """The texts of a copy."""
    return list(parse(as_text(the_class.copy(student)).encode()).texts)


@pytest.mark.parametrize("student", ["Ann", "Bo", ""])
def test_a_copy_holds_its_own_data(the_class, student):
    """Those that its student got; without its first cell, or of another exercise, it has none."""
    paper = AnswerKey(the_class.source, KEY, named("plain"))
    total = next(question for question in paper.questions if question.name == "total")
    drawn = paper.trial(total, student, general=not student).general[0]
    others = paper.trial(total, "Cy", general=False).general[0]
    assert drawn != others
    cells = cells_of(the_class, student)
    assert inputs_in(cells, paper, total, others) == drawn
    assert inputs_in(cells, paper, total, {"other": 1}) is None
    assert inputs_in([], paper, total, others) is None
    assert inputs_in([c for c in cells if "begin(" not in c], paper, total, others) is None
    of_another = [c.replace('"77"', '"78"') for c in cells]
    assert of_another != cells
    assert inputs_in(of_another, paper, total, others) is None


@pytest.mark.parametrize(("language", "is_changed"), [*product(["", "ja"], [False, True])])
def test_changed_texts_are_told_of_english_copies(the_class, language, is_changed):
    """Those in another language can't be compared with what was handed out."""
    text = as_text(the_class.copy("Ann"))
    if language:
        text = text.replace('\\"\\"\\")', f'\\"\\"\\", language=\\"{language}\\")', 1)
        assert "language=" in text
    if is_changed:
        text = text.replace("Exercise 77. Two questions", "My answer: it is recall", 1)
    book = parse(text.encode())
    changed = _changed_texts(the_class.source, book)
    assert changed == ({1} if is_changed and not language else set())
