"""Own copy or general one: decided for each notebook, so that nobody else's changes anybody's."""

import pytest

from dev.tools.exercises import sources
from dev.tools.places import ROOT
from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading.tiers import named
from irmetrics_edu.classroom.marking.collecting.notebook import parse
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.ownership import Copies
from tests.marking.conftest import KEY

pytestmark = pytest.mark.slow


def stripped(book):
    """A notebook without what says whose copy it is."""
    del book.metadata["irmetrics_edu"]
    return book


def test_one_pasted_fingerprint_takes_no_mark(a_class):
    """In a class of general copies, one student pastes a fingerprint: the others keep theirs."""
    for name in ("ann", "ben", "cy"):
        a_class.hand_in(f"{name}/77_two.ipynb", a_class.copy(""))
    pasted = a_class.copy("")
    pasted.metadata["irmetrics_edu"]["copy"] = Variant("ann", KEY).fingerprint
    a_class.hand_in("mal/77_two.ipynb", pasted)
    a_class.grade()
    assert {n: a_class.marks(f"{n}/77_two.ipynb") for n in ("ann", "ben", "cy")} == {
        "ann": [1, 4], "ben": [1, 4], "cy": [1, 4],
    }  # fmt: skip
    assert "carries the fingerprint of ann" in " ".join(a_class.result("mal/77_two.ipynb")["notes"])


def test_a_mixed_class_keeps_all_its_marks(a_class):
    """Own copies, own copies without a fingerprint, general ones: each by its own numbers."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben"))
    a_class.hand_in("cy/77_two.ipynb", stripped(a_class.copy("cy")))
    a_class.hand_in("di/77_two.ipynb", a_class.copy(""))
    assert a_class.grade() == 0
    for name in ("ann", "ben", "cy", "di"):
        assert a_class.marks(f"{name}/77_two.ipynb") == [1, 4], name
    report = a_class.report()
    assert report.count("most others have copies of their own") == 1
    # The teacher may say that all have their own.
    a_class.grade("--own-copies", "--force")
    assert a_class.marks("di/77_two.ipynb") == [0, 4]
    assert a_class.marks("cy/77_two.ipynb") == [1, 4]


def test_another_copy_without_its_fingerprint_is_seen(a_class):
    """Eve's numbers in Ben's folder: no marks for them, whatever most others have."""
    for name in ("eve", "cy", "di"):
        a_class.hand_in(f"{name}/77_two.ipynb", a_class.copy(name if name == "eve" else ""))
    a_class.hand_in("ben/77_two.ipynb", stripped(a_class.copy("eve")))
    a_class.grade()
    assert a_class.marks("ben/77_two.ipynb") == [0, 4]
    assert "total: right for eve, not for ben" in a_class.report()


def test_what_others_hand_in_changes_no_result(a_class):
    """Graded alone or in a mixed class, a notebook has the same result, kept as it was."""
    a_class.hand_in("di/77_two.ipynb", a_class.copy(""))
    a_class.grade()
    before = a_class.result("di/77_two.ipynb")
    for name in ("ann", "ben"):
        a_class.hand_in(f"{name}/77_two.ipynb", a_class.copy(name))
    a_class.grade()
    assert a_class.result("di/77_two.ipynb") == before


def test_the_values_of_a_copy_of_nobody_known_are_not_marked(a_class, capsys):
    """Built for `ann`, graded as `Lee, Ann`: no 0 for numbers that can't be judged."""
    (a_class.folder / "book").write_text('student,login\n"Lee, Ann",ann\nben,\n')
    (a_class.folder / "own").write_text('student,name\nann,"Lee, Ann"\nben,\n')
    book, own = (f"--roster={a_class.folder / name}" for name in ("book", "own"))
    a_class.hand_in("Lee, Ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben"))
    assert a_class.grade(book) == 1
    said = capsys.readouterr().out
    assert "copies of nobody in the class, whose values are not marked: 1; give the roster" in said
    assert "  Lee, Ann, exercise 77: partly graded\n" in said
    total, dcg = a_class.result("Lee, Ann/77_two.ipynb")["questions"]
    assert (total["judged"], dcg["marks"]) == (False, 4)
    assert "your teacher looks at your values" in total["text"]
    assert a_class.marks("ben/77_two.ipynb") == [1, 4]
    assert a_class.grade(own, book) == 0
    assert "copies of nobody" not in capsys.readouterr().out
    assert a_class.marks("Lee, Ann/77_two.ipynb") == [1, 4]


@pytest.mark.parametrize("path", sources(), ids=lambda p: p.stem)
def test_the_general_copy_is_known_by_its_data(path):
    """Of every exercise that hands out data; where none is, copies make no difference."""
    paper = AnswerKey(read(path), KEY, named("plain"))
    number = path.stem[:2]
    copies = Copies({number: paper}, KEY)
    book = parse((ROOT / "exercises" / f"{path.stem}.ipynb").read_bytes())
    has_data = bool(copies._data_of(number, "ann"))
    assert has_data == any(q.kind == "value" for q in paper.questions)
    assert copies.shown(book, number, "ann").value == ("general" if has_data else "")
