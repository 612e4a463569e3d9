"""Whose copy it is, what was added, what a person or a table gave: over all small cases."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.exercises.computed_question import Question
from irmetrics_edu.classroom.exercises.source import Cell
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.marking import mark_course
from irmetrics_edu.classroom.marking.collecting import rosters
from irmetrics_edu.classroom.marking.collecting.notebook import Notebook, parse
from irmetrics_edu.classroom.marking.collecting.owner_names import Named, Person
from irmetrics_edu.classroom.marking.collecting.rosters import CANVAS, OWN, WORKSHEET, Roster
from irmetrics_edu.classroom.marking.collecting.submissions import Submission
from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.matching import added_cells, ownership
from irmetrics_edu.classroom.marking.matching.code_names import (
    cells_of,
    defined,
    defined_outside,
    needed,
    reads,
    repeated,
)
from irmetrics_edu.classroom.marking.matching.ownership import Copies, CopyKind, HandIn
from irmetrics_edu.classroom.marking.results import GRADED, QuestionMark, Result, kept, save
from irmetrics_edu.classroom.marking.reviewing import earlier_rows, hand_marks, regrading
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import (
    DIFFER,
    MARKED,
    NONE,
    OPEN,
    HandAnswer,
    HandMark,
    Manual,
    Saved,
)
from irmetrics_edu.classroom.marking.reviewing.handing_marks import with_hand_marks
from irmetrics_edu.classroom.marking.reviewing.marking_page import _twins
from irmetrics_edu.classroom.marking.reviewing.regrading import MarkChange
from irmetrics_edu.errors import InputError
from tests.marking.conftest import KEY
from tests.tables import rows as each_row

# -- rosters


@each_row(
    ("row", "is_none"),
    [
        (["    Points Possible", "", "5"], True),
        (["points possible", "1"], True),
        (["", "", "Manual Posting", "Muted"], True),
        (["", "", "Manual Posting", "5"], False),
        (["Lee, Ann", "1", "Manual Posting"], False),
        (["", "Muted", "7"], False),
        (["", " "], True),
        (["Lee, Ann", "1"], False),
    ],
)
def test_a_line_of_points_or_of_posting_is_no_student(row, is_none):
    """All that stands in it says so."""
    assert rosters._no_student(row) is is_none


@each_row(
    ("head", "kind"),
    [
        (["student", "id", "section"], CANVAS),
        (["student", "section", "id"], ""),
        (["student", "section", "id", "sis user id"], CANVAS),
        (["lastname", "firstname", "id", "section"], CANVAS),
        (["lastname", "firstname", "section", "id"], ""),
        (["identifier", "full name", "grade"], WORKSHEET),
        (["identifier", "full name"], ""),
        (["name", "canvas_user_id", "group_name"], rosters.GROUPS),
        (["first name", "last name"], rosters.PARTICIPANTS),
        (["student"], ""),
    ],
)
def test_a_head_tells_whose_table_it_is(head, kind):
    """Canvas's has the id where Canvas writes it, or a column that only Canvas has."""
    assert rosters._kind_of(head) == kind


def roster_of(*people, kind=OWN, path="r.csv"):
    """A roster of these people."""
    lines = tuple((person, number, {}) for number, person in enumerate(people, 2))
    return Roster(Path(path), kind, ("student",), lines)


def test_rosters_are_one_by_numbers_then_by_names():
    """Each fills in what those before lack; who fits two is refused with the line."""
    first = roster_of(Person("ann", "Ann Lee", email="a@x"), Person("ben", group="A"))
    other = roster_of(
        Person("Lee, Ann", "Lee, Ann", canvas="7", email="other"),
        Person("B", "", group="A", login="bli"),
        Person("ben", id="9", section="Mo"),
        Person("cy", canvas="8"),
        path="o.csv",
    )
    one, two = rosters.together([first, other])
    ann = Person("ann", "Ann Lee", email="a@x", canvas="7")
    ben = Person("ben", id="9", section="Mo", group="A")
    assert one.people == [ann, ben]
    assert two.people == [ann, Person("B", group="A", login="bli"), ben, Person("cy", canvas="8")]
    assert [person.student for person in rosters.everybody([one, two])] == ["ann", "ben", "B", "cy"]
    for field in ("canvas", "moodle", "id", "email", "login"):
        known = [Person("x", "Ann", **{field: "7a"}), Person("y", "Ann")]
        assert rosters._fitting(Person("q", "Ann", **{field: "7A"}), known) == ["x"]
    twice = roster_of(Person("x", "Ann Lee"), Person("y", "Ann Lee"))
    with pytest.raises(InputError, match=r"o.csv, line 2: Lee, Ann may mean x or y"):
        rosters.together([twice, other])
    groups = roster_of(Person("ben", group="B"), path="g.csv")
    with pytest.raises(InputError, match=r"g.csv, line 2: ben is in the group B, .* in A"):
        rosters.together([first, groups])
    called = roster_of(Person("cy", group="Ann"), path="g.csv")
    with pytest.raises(InputError, match=r"line 2: the group Ann of cy is called as .* ann is"):
        rosters.together([first, called])
    assert rosters.together([first]) == [first]


def test_two_of_one_name_are_called_by_their_numbers():
    """On their platform; an address will do."""
    people = [
        Person("", "Ann Lee", canvas="1"),
        Person("", "ann  lee", email="a@x"),
        Person("", "Bo"),
    ]
    lines = [(person, number, {}) for number, person in enumerate(people)]
    found = [person.student for person, _, _ in rosters._called(lines)]
    assert found == ["Ann Lee (1)", "ann  lee (a@x)", "Bo"]
    with pytest.raises(InputError, match="line 3: student 'bo' a second time"):
        rosters._once(Path("r"), [(Person("Bo"), 2, {}), (Person("bo"), 3, {})])


@pytest.mark.parametrize(
    "names", [["C-33.zip"], ["C-33.zip", "D-34.zip"], ["C-33.zip", "D-33"], ["x"]]
)
def test_a_worksheet_goes_with_the_one_download_of_its_number(monkeypatch, names):
    """All other rosters go with each; none or two that fit are asked about."""
    sheets = {"Grades-C-1-33.csv": WORKSHEET, "own.csv": OWN}
    monkeypatch.setattr(
        mark_course, "read_roster", lambda path: SimpleNamespace(kind=sheets[path.name])
    )
    parts = [Path(name) for name in names]
    given = [Path(name) for name in sheets]
    assert mark_course._rosters_of(parts, given[1:]) == dict.fromkeys(parts, given[1:])
    fits = [name for name in names if name.partition(".")[0].endswith("33")]
    if len(fits) != 1:
        with pytest.raises(InputError, match=r"Grades-C-1-33.csv: which download is it of?"):
            mark_course._rosters_of(parts, given)
        return
    found = mark_course._rosters_of(parts, given)
    expected = {Path(n): [given[1], *([given[0]] if n in fits else [])] for n in names}
    assert found == mark_course._rosters_of(parts, given[::-1]) == expected


# -- names in code


@each_row(
    ("cell", "names", "outside"),
    [
        ("x = 1\ny=2", {"x", "y"}, {"x", "y"}),
        ("x == 1", set(), set()),
        ("def f(a):\n    b = 1", {"f", "b"}, {"f"}),
        ("async def f(): 0\nclass C: 0", {"f", "C"}, {"f", "C"}),
        ("  x = 1", {"x"}, set()),
        ("x += 1\na.b = 2\nc[0] = 3", set(), set()),
        ("if x: y = 1", set(), set()),
    ],
)
def test_a_cell_defines_what_its_lines_begin_with(cell, names, outside):
    """Inside of functions names are their own."""
    assert defined(cell) == names
    assert defined_outside(cell) == outside


def test_an_answer_needs_its_cells_and_those_of_what_they_read():
    """Through other definitions; all others keep their imports alone."""
    cells = ["import os; x = 1", "y = x", "def g(): return y  # z", "z = 'g'", "g = 2", "w = g"]
    assert cells_of(cells, "g") == {2, 3, 5}
    assert cells_of(cells, "w") == {2, 3, 5, 6}
    assert needed(cells, "g") == ["import os", *cells[1:3], "", cells[4], ""]
    assert reads(cells, "g") & {"x", "y", "z", "w"} == {"x", "y"}
    assert "g" not in reads(cells, "g")
    assert repeated(cells, "g") == [3, 5]
    assert repeated(cells, "w") == []
    assert repeated(cells, "none") == []
    assert cells_of(["a = b", "b = a"], "a") == {1, 2}


# -- whose copy


class Shown(Copies):
    """Copies whose own data and general data are one letter each."""

    def _differing(self, number, student):
        return [(f"own{student}", "general")] if number == "01" else []


def book(code="", fingerprint="", exercise="", ids=()):
    """A notebook of one cell."""
    return Notebook((code,), ids, (code,), exercise, fingerprint)


@pytest.mark.parametrize("fingerprint", ["", "ann's", "nobody's"])
def test_a_copy_shows_what_it_is(fingerprint):
    """By the student's fingerprint, the data, or another's fingerprint."""
    own = Variant("ann", KEY).fingerprint
    copies = Shown({}, KEY)
    marks = {"ann's": own, "nobody's": "f" * 16, "": ""}[fingerprint]
    for code, owner, number in product(["", "o w nann", "gener al"], ["", "ben"], ["01", "02"]):
        found = copies.shown(book(code, marks), number, "ann", owner)
        expected = CopyKind.UNCLEAR
        differs = number == "01"
        if fingerprint == "ann's" or (differs and code == "o w nann"):
            expected = CopyKind.OWN
        elif differs and code:
            expected = CopyKind.GENERAL
        elif owner:
            expected = CopyKind.OWN
        elif marks and differs:
            expected = CopyKind.NOBODYS
        assert found is expected
    assert copies.shown(None, "01", "ann") is CopyKind.UNCLEAR
    assert copies.shown(book("ownann", own), "", "ann") is CopyKind.UNCLEAR


@each_row("kinds", [*product("ogu", repeat=3)])
def test_what_shows_nothing_counts_as_most_of_its_exercise_do(kinds):
    """As a general copy, unless more show their own; each exercise by itself."""
    codes = {"o": "ownann", "g": "general", "u": ""}
    named = {"o": CopyKind.OWN, "g": CopyKind.GENERAL}
    hand_ins = []
    for number in ("01", "02"):
        for kind in kinds:
            submission = Submission("p", Named("ann"), notebook=book(codes[kind]))
            hand_ins.append(HandIn(submission, number, "ann", whose="ann"))
    most = CopyKind.OWN if kinds.count("o") > kinds.count("g") else CopyKind.GENERAL
    found = Shown({}, KEY).kinds(hand_ins)
    assert [one.common for one in found] == [most] * 3 + [CopyKind.GENERAL] * 3
    assert [one.kind for one in found[:3]] == [named.get(kind, most) for kind in kinds]
    assert {one.kind for one in found[3:]} == {CopyKind.GENERAL}
    own = Shown({}, KEY, own=True).kinds(hand_ins)
    assert {(one.kind, one.common) for one in own} == {(CopyKind.OWN, CopyKind.OWN)}
    for kind, common in product(CopyKind, [CopyKind.OWN, CopyKind.GENERAL]):
        told = ownership.aside(kind, common)
        assert bool(told) is (kind is CopyKind.GENERAL and common is CopyKind.OWN)


def test_a_copy_of_several_possible_owners_is_the_one_it_says():
    """By the fingerprint, else by the data, else the student's own."""
    copies = Shown({}, KEY)
    others = ["ben", "cy"]
    assert copies.whose(book("owncy"), "01", "A", "ben", others) == "ben"
    assert copies.whose(book("owncy"), "01", "A", "eve", others) == "A"
    assert copies.whose(book("o wncy"), "01", "A", "", others) == "cy"
    assert copies.whose(book("general"), "01", "A", "", others) == "A"


@each_row(("student", "owner"), [*product(["ann", "A", "ben", "eve"], ["ann", "ben", ""])])
@each_row("anonymous", [True, False])
@each_row("code", ["", "ownben", "ownann"])
def test_a_copy_counts_for_its_owner_where_nothing_else_says_whose_it_is(
    student, owner, anonymous, code
):
    """Who is on the roster has the numbers of their own copy, or of one of their group's."""
    who = Named(student, anonymous=anonymous)
    submission = Submission("p", who, notebook=book(code, "f" if owner else ""))
    hand_in = HandIn(submission, "01", student, owner=owner)
    found = ownership._whose(hand_in, Shown({}, KEY), PEOPLE)
    can_be = {"ann", "ben"} if anonymous else {"A": {"ann"}}.get(student, set())
    if owner and not anonymous and student == "eve":
        expected = owner
    elif owner:
        expected = owner if owner in can_be else student
    else:
        expected = code[3:] if code[3:] in can_be else student
    assert found == expected
    # Without a roster, an exercise or a notebook there is nobody else whose copy it may be.
    assert ownership._whose(hand_in, Shown({}, KEY), []) == student
    if student != "eve":
        for nothing in (
            replace(hand_in, number=""),
            replace(hand_in, submission=Submission("p", who)),
        ):
            assert ownership._whose(nothing, Shown({}, KEY), PEOPLE) == student


@pytest.mark.parametrize("kind", CopyKind)
def test_a_fingerprint_of_another_or_of_nobody_is_noted(kind):
    """With how the notebook was marked."""
    general = kind is CopyKind.GENERAL
    [note] = ownership.notes_on(book("", "f"), "ben", "ann", kind)
    by = "as a general copy" if general else "by the inputs of ann"
    assert note == f"the notebook carries the fingerprint of ben; it was marked {by}"
    [note] = ownership.notes_on(book("", "f"), "", "ann", kind)
    assert note.startswith("the fingerprint is nobody's under this key")
    assert note.endswith("It was marked as a general copy") is general
    assert ownership.notes_on(book("", "f"), "ann", "ann", kind) == ()
    assert ownership.notes_on(book(), "", "ann", kind) == ()


PEOPLE = [Person("ann", group="A"), Person("ben")]


@pytest.mark.parametrize("people", [PEOPLE, []], ids=["roster", "no roster"])
@pytest.mark.parametrize("sure", [True, False])
@pytest.mark.parametrize("anonymous", [True, False])
def test_a_student_is_who_the_file_names_or_else_whose_copy_it_is(people, sure, anonymous):
    """Unless the name is sure, or the owner is named by another file."""
    for name, owner, taken in product(
        ["A", "ben", "eve", ""], ["ann", "ben", "zed", ""], [set(), {"ben", "A"}]
    ):
        submission = Submission("p", Named(name, sure=sure, anonymous=anonymous))
        found, notes = ownership._student(submission, owner, taken, people)
        unit = "A" if people and owner == "ann" else owner
        listed = {"A", "ben"} if people else set()
        can_be = unit in listed if people else unit not in {"", name}
        if anonymous or name in listed:
            assert (found, notes) == (name, ())
        elif not sure and unit not in taken and can_be:
            says = "names nobody on the roster" if people else f"says {name or 'nothing'}"
            assert (found, notes) == (unit, (f"the file's name {says}; the copy is {unit}'s",))
        elif people:
            assert found == (name or "p")
            assert notes == ("nobody on the roster is named by the file",)
        else:
            assert (found, notes) == (name or unit or "p", ())


def keys_of(*stems):
    """Exercises by number, each with a question."""
    keys = {}
    for stem in stems:
        exercise = SimpleNamespace(questions=[Question("dcg", "1")])
        number = stem[:2]
        source = SimpleNamespace(
            stem=stem, exercise=exercise, id_of=lambda name, number=number: f"{number}-{name}"
        )
        keys[number] = SimpleNamespace(source=source)
    return keys


@each_row(
    ("path", "assignment", "of_book", "number"),
    [
        ("ann/01_a.ipynb", "02_b", book(exercise="02"), "02"),
        ("ann/01_a (1).ipynb", "02_b", book(exercise="09"), "01"),
        ("ann/my 01_a.ipynb", "", None, "01"),
        ("01_a/x.ipynb", "", None, ""),
        ("ann/x.ipynb", "02_other", None, "02"),
        ("ann/01_x.ipynb", "", None, "01"),
        ("ann/x.ipynb", "x", book(ids=("z", "02-dcg")), "02"),
        ("ann/x.ipynb", "x", book(ids=("z",)), ""),
        ("ann/x.ipynb", "x", None, ""),
    ],
)
def test_an_exercise_is_told_by_the_notebook_its_name_and_its_cells(
    path, assignment, of_book, number
):
    """In this order."""
    submission = Submission(path, Named("ann"), assignment, notebook=of_book)
    assert ownership.exercise_of(submission, keys_of("01_a", "02_b")) == number


@each_row("platform", ["", "Canvas"])
@each_row("others", [["01"], ["01"] * 2 + ["02"], ["01"] * 2 + ["02"] * 2, []])
def test_what_cant_be_read_is_of_the_exercise_of_all_others(platform, others):
    """In a platform's download also if nearly all are of it; a notebook is of none then."""
    submissions = []
    for place, number in enumerate(others):
        submissions.append(Submission(f"{number}_x.ipynb", Named(f"s{place}", platform=platform)))
    who = Named("eve", platform=platform)
    submissions.append(Submission("film.mp4", who))
    submissions.append(Submission("film", who, notebook=book("x")))
    found = ownership._numbers(submissions, keys_of("01_a", "02_b"), "")
    numbers = set(others)
    is_of_main = numbers == {"01"} or (platform and others.count("02") == 1)
    assert found == [*others, "01" if is_of_main else "", ""]
    assert ownership._numbers(submissions, {}, "07") == ["07"] * len(submissions)


# -- what was added


@pytest.fixture(scope="module")
def source(make_class):
    """The exercise of two questions."""
    return make_class().source


@pytest.fixture(scope="module")
def handed_out(make_class):
    """The cells of an untouched copy: the id, the text, and whether it is code."""
    one = parse(as_text(make_class().copy("Ann", solved=False)).encode())
    return [
        (name, text, bool(code))
        for name, text, code in zip(one.ids, one.texts, one.cells, strict=True)
    ]


def with_cells(cells):
    """A notebook of these cells."""
    return Notebook(
        tuple(text if is_code else "" for _, text, is_code in cells),
        tuple(name for name, _, _ in cells),
        tuple(text for _, text, _ in cells),
    )


def below(cells, name, *added):
    """The cells, with more below one of them."""
    place = [one for one, _, _ in cells].index(name) + 1
    return [*cells[:place], *added, *cells[place:]]


NEW = ("new", "dcg = 5", True)
WORDS = ("new", "It is 3.", False)
CODE = ("new", "answer = 3", True)


def test_an_untouched_answer_is_left_out_where_another_cell_gives_it(source, handed_out):
    """Wherever that cell stands; else it stays, and what stands beside it is noted."""
    blank = with_cells(handed_out)
    stub = next(text for name, text, _ in handed_out if name == "77-dcg")
    book_, notes = added_cells.answered(source, blank)
    assert (book_.cells, notes) == (blank.cells, {})
    book_, notes = added_cells.answered(source, with_cells(below(handed_out, "77-setup", NEW)))
    assert (stub in book_.cells, "dcg = 5" in book_.cells, notes) == (False, True, {})
    for at, is_near in {
        "77-dcg": True,
        "77-check-dcg": True,
        "77-check-total": True,
        "77-setup": False,
    }.items():
        for added in (WORDS, CODE):
            cells = below(handed_out, at, added)
            number = [one[0] for one in cells].index("new") + 1
            book_, notes = added_cells.answered(source, with_cells(cells))
            assert stub in book_.cells
            assert notes.get("dcg", "") == (
                f"dcg has no answer where it was asked for; look into cell {number}"
                if is_near
                else ""
            )
    changed = [(n, t + "\n# as I said" if n == "77-dcg" else t, c) for n, t, c in handed_out]
    book_, notes = added_cells.answered(source, with_cells(changed))
    assert "as I said" in "".join(book_.cells)
    assert "dcg" not in notes  # it is defined there, by other lines than were handed out
    gone = [(n, "# none" if n == "77-dcg" else t, c) for n, t, c in handed_out]
    _, notes = added_cells.answered(source, with_cells(gone))
    assert notes["dcg"].endswith(
        f"look into cell {[n for n, _, _ in handed_out].index('77-dcg') + 1}"
    )


@each_row("place", range(4))
@each_row("code", ["", "x = 1", "dcg = 5", "def dcg(g):\n    return 1", "dcg(3)", "stub", "stub+"])
def test_an_answer_is_begun_if_a_cell_defines_it_by_more_than_was_handed_out(
    place, code, source, handed_out
):
    """Wherever the cell stands; other cells, and layout, say nothing."""
    stub = next(text for name, text, _ in handed_out if name == "77-dcg")
    given = {"stub": stub.replace("\n", "\n\n"), "stub+": f"{stub}\n    return 1"}.get(code, code)
    cells = [text for _, text, is_code in handed_out if is_code]
    cells.insert(place, given)
    is_begun = code in {"dcg = 5", "def dcg(g):\n    return 1", "stub+"}
    assert added_cells.begun(source, cells, "dcg") is is_begun
    assert not added_cells.begun(source, [given], "total")


@each_row(
    ("text", "holds"),
    [
        ("# It is 3.", True), ("# It\n\n  # is 3.", True), ("# It is\nx = 3", False),
        ("x = 3\n# so", False), ("x = 3  # so", False), ("'# so'", False),
    ],
)  # fmt: skip
def test_a_cell_holds_words_if_it_is_text_or_has_comments_alone(text, holds):
    """Each line of it."""
    for is_code in (True, False):
        cell = added_cells.Placed(1, text, "x", added=True)
        book_ = with_cells([("x", text, is_code), ("y", "z = 1", True)])
        assert added_cells._holds_words(cell, book_) is (holds or not is_code)


def test_cells_that_answer_by_name_are_no_answers_that_stand_elsewhere(source, handed_out):
    """Code that was added and defines the answer to any question; words that look so are none."""
    added = [
        ("n1", "dcg = 5", True), ("n2", "dcg = 6", False), ("n3", "total = 1", True),
        ("n4", "x = dcg", True), ("n5", "It is 3.", False), ("n6", "other = 1", True),
    ]  # fmt: skip
    cells = below(handed_out, "77-setup", *added)
    found = added_cells._without_answers(source, with_cells(cells))
    gone = {one[1] for one in added if one[0] in {"n1", "n3"}}
    assert [one.text for one in found] == [
        text for _, text, _ in cells if text.strip() and text not in gone
    ]


def test_cells_are_known_by_their_ids_or_else_by_their_first_lines(source, handed_out):
    """Those that were not handed out are added below the last that was."""
    cells = below(handed_out, "77-dcg", WORDS, ("empty", " \n", False))
    found = added_cells.placed(source, with_cells(cells))
    names = [name for name, _, _ in cells]
    assert [one.number for one in found] == [
        n for n, name in enumerate(names, 1) if name != "empty"
    ]
    assert [(one.id, one.added) for one in found if one.added] == [("77-dcg", True)]
    assert {one.id for one in found} <= {name for name, _, _ in handed_out}
    lost = [(f"x{place}", text, code) for place, (_, text, code) in enumerate(cells)]
    again = added_cells.placed(source, with_cells(lost))
    # A cell of data begins with data of its own, by which it can't be known.
    of_data = next(number for number, one in enumerate(cells, 1) if one[1].startswith("grades ="))
    as_before = [(one.number, one.id, one.added) for one in found if one.number != of_data]
    assert [(one.number, one.id, one.added) for one in again if one.number != of_data] == as_before


# -- marks by hand

WHY = ByHand("why", "Why", (Criterion("reason", 2), Criterion("example", 1)))
GIVEN = [
    None,
    ((2, 1), ""),
    ((2, 1), "Yes"),
    ((1, 1), "No"),
    ((2, None), ""),
    ((None, None), ""),
    ((None, None), "?"),
]


@each_row("first", GIVEN)
def test_points_count_if_all_markers_who_gave_any_agree(first):
    """What is half filled in stays open; comments of all are kept, each once."""
    for second, text in product(GIVEN, ["words", ""]):
        answer = HandAnswer("ann", text)
        saved = []
        for name, one in (("a", first), ("b", second)):
            marks = {} if one is None else {answer.id: {"points": list(one[0]), "comment": one[1]}}
            saved.append(Saved(Path(name), name, {"01-why": marks}))
        found = hand_marks.marks("01-why", WHY, [answer], saved)["ann"]
        counting = [one for one in (first, second) if one and (one[1] or any(one[0]))]
        points = {one[0] for one in counting}
        if not text:
            assert (found.state, found.marks) == (NONE, 0)
        elif not counting:
            assert (found.state, found.marks, found.points) == (OPEN, None, ())
        elif len(points) > 1:
            assert (found.state, found.marks, found.comment) == (DIFFER, None, "")
            assert len(found.note.split(", ")) == 2
        else:
            whole = None not in counting[0][0]
            assert found.state == (MARKED if whole else OPEN)
            assert found.marks == (sum(counting[0][0]) if whole else None)
            assert found.points == counting[0][0]
            comments = dict.fromkeys(one[1] for one in counting if one[1])
            assert found.comment == "; ".join(comments)
    # Points of another rubric are laid beside no criteria.
    for points in ((2,), (2, 1, 1)):
        with pytest.raises(ValueError, match="zip"):
            _ = HandMark(WHY, MARKED, points).each
    differ = [Saved(Path("a"), "a", {}), Saved(Path("b"), "b", {})]
    assert hand_marks._given("01-why", HandAnswer("ann", "x"), differ) == []
    assert str(hand_marks._Given("a", (2, None, 0.5), "")) == "a 2 - 0.5"


def test_marks_in_a_table_are_of_a_student_or_of_a_group(tmp_path):
    """A member's own line comes before that of the group; the most is that of the questions."""
    path = tmp_path / "manual.csv"
    people = [Person("ann", group="A"), Person("ben", group="A"), Person("cy")]
    people.append(Person("A"))
    head = "student,exercise,question,marks,comment\n"
    path.write_text(f"{head}ann,1,q,2,mine\nA,1,q,1,ours\nA,01,,5,\ncy,01,,,Well\n", "utf-8")
    found = hand_marks.read_manual(path, {"01": {"q": 4, "r": 1.5}}, people)
    assert found == {
        ("ann", "01", "q"): Manual(2, "mine"),
        ("A", "01", "q"): Manual(1, "ours"),
        ("ben", "01", "q"): Manual(1, "ours"),
        **{(name, "01", ""): Manual(5) for name in ("A", "ann", "ben")},
        ("cy", "01", ""): Manual(None, "Well"),
    }
    for line, said in {
        ",1,q,1,": "name a student",
        "cy,1,q,4.1,": "give 0 to 4",
        "cy,1,,5.6,": "give 0 to 5.5",
        "cy,1,s,1,": "question 's'",
    }.items():
        path.write_text(head + line + "\n", "utf-8")
        with pytest.raises(InputError, match=f"manual.csv, line 2: .*{said}"):
            hand_marks.read_manual(path, {"01": {"q": 4, "r": 1.5}}, people)
    new = tmp_path / "new.csv"
    assert hand_marks.read_manual(new, {}, []) == {}
    assert new.read_text("utf-8-sig").strip() == head.strip()


@each_row("same", range(11))
def test_answers_are_twins_that_share_more_than_six_tenths_of_their_sequences(same):
    """Of three words each, whatever their case and signs."""
    one = [f"w{place}" for place in range(12)]
    other = [*one[: same + 2], *(f"v{place}" for place in range(10 - same))] if same else ["z"] * 12
    texts = {"a": " ".join(one), "b": ", ".join(other).upper() + ".", "c": "w0 w1", "d": ""}
    pieces = [{tuple(words[i : i + 3]) for i in range(len(words) - 2)} for words in (one, other)]
    is_twin = len(pieces[0] & pieces[1]) * 10 > 6 * len(pieces[0] | pieces[1])
    assert _twins(texts) == {"a": ["b"] * is_twin, "b": ["a"] * is_twin, "c": [], "d": []}


# -- changes for all

EXERCISE = Exercise(
    "01",
    "T",
    [
        Question("f", "1", marks=4, mistakes=["natural-logarithm"]),
        Question("v", "1", kind="value", marks=2, tolerance=0.25, mistakes=["natural-logarithm"]),
        Question("b", "1", marks=3, bonus=True),
    ],
    [WHY],
)


def change(rule, question, value="", marks=None):
    """A line of the table of changes."""
    return MarkChange(rule, "01", question, value, "why", marks, "r.csv, line 2")


def line_of(name, marks=1.0, out_of=4, **more):
    """A line of a question."""
    return QuestionLine(QuestionMark(name, name, out_of, marks, **more))


def test_marks_never_fall_by_a_change():
    """At least so many for all who handed something in, whatever they have."""
    for now, given in product([None, 0.0, 1.0, 2.0], [0.0, 1.0, 1.5, 3.0]):
        line = line_of("f", now or 0.0, judged=now is not None)
        found = regrading._changed(line, change("give", "f", str(given), given), EXERCISE)
        assert found.marks == max(given, now or 0.0)
        assert found.said == "why"


@each_row("label", ["", "natural-logarithm"])
@each_row("answer", [None, 3, 3.25, 3.3, {"tuple": [3]}, "x"])
def test_an_answer_is_accepted_by_its_value_or_by_its_mistake(label, answer):
    """Within the tolerance; a function by its mistake alone."""
    cases = {
        "natural-logarithm": bool(label),
        "3": answer in (3, 3.25),
        "3.5": answer in (3.25, 3.3),
        "(3,)": answer == {"tuple": [3]},
        "'x'": answer == "x",
        "1e999": False,
        "None": False,
    }
    for value, is_meant in cases.items():
        line = line_of("v", 0.0, 2, label=label, answer=answer)
        found = regrading._changed(line, change("accept", "v", value), EXERCISE)
        assert found.marks == (2 if is_meant else 0)
        assert found.said == ("why" if is_meant else "")
    line = line_of("f", 0.0, label=label, answer=answer)
    found = regrading._changed(line, change("accept", "f", "natural-logarithm"), EXERCISE)
    assert found.marks == (4 if label else 0)
    with pytest.raises(
        InputError, match=r"r.csv, line 2: accept 'x y': write the answer as Python"
    ):
        regrading._changed(line_of("v"), change("accept", "v", "x y"), EXERCISE)


def test_changes_are_listed_and_what_is_withdrawn_leaves_the_total():
    """A bonus is not in it; another exercise, and what is as it was, stay."""
    lines = tuple(line_of(name, 1.0, most) for name, most in (("f", 4), ("v", 2), ("b", 3)))
    row = Row(Person("ann"), "01", "s", "T", 9.0, GRADED, None, lines)
    other = Row(Person("ann"), "02", "s", "T", 9.0, GRADED, None, lines)
    changes = [change("withdraw", "b"), change("withdraw", "v"), change("give", "f", "3", 3.0)]
    [one, same], changed = regrading.applied([row, other], changes, {"01": EXERCISE})
    assert ([line.question.name for line in one.lines], one.out_of, one.marks) == (["f"], 7, 3)
    assert same == other
    assert changed == [
        ["ann", "01", "f", "1", "3", "why"],
        ["ann", "01", "v", "1", "withdrawn", "why"],
        ["ann", "01", "b", "1", "withdrawn", "why"],
    ]
    assert regrading.applied([row], [change("give", "f", "1", 1.0)], {"01": EXERCISE})[1] == []
    # A question by hand is in the total, and leaves it.
    [one], _ = regrading.applied([row], [change("withdraw", "why")], {"01": EXERCISE})
    assert one.out_of == 6
    # To four decimals, as all marks are.
    finer = replace(EXERCISE, questions=[replace(EXERCISE.questions[0], marks=0.12344)])
    [one], _ = regrading.applied([row], [change("withdraw", "f")], {"01": finer})
    assert one.out_of == 8.8766


# -- what is kept


def test_rows_and_results_are_read_as_they_were_kept(tmp_path):
    """With all that stands in them; a damaged result counts as none."""
    hand = HandMark(WHY, OPEN, (1, None), "c", "n")
    mark = QuestionMark(
        "f", "F", 4, 1.5, True, "l", "s", "t", ("u",), "r", [1], "wall", False, ("c",)
    )
    result = Result("a/x.ipynb", "ann", "01", "T", GRADED, "i", questions=(mark,), told=("t",),
                    notes=("n",), code=(1, 2), file="f", language="ja")  # fmt: skip
    line = QuestionLine(mark, Manual(1.0, "m"), hand, 2.0, "said")
    row = Row(Person("ann", "Ann", group="A"), "01", "s", "T", 7.0, GRADED, result, (line,),
              copied=("c",), others=("o",), times=("t",), group="A", anonymous=True)  # fmt: skip
    bare = Row(Person("ben"), "01", "s", "T", 7.0, "nothing handed in")
    answers = {("A", "01"): {"why": HandAnswer("A", "words", "look")}}
    earlier_rows.save(tmp_path, [row, bare], answers)
    one, two = earlier_rows.read(tmp_path)
    assert (one.row, two.row) == (row, bare)
    assert (one.answers, two.answers) == (answers["A", "01"], {})
    assert one.by_hand == [WHY]
    again = one.with_marks({"why": HandMark(WHY, NONE)}, {("ann", "01", ""): Manual(3)})
    assert again.manual == Manual(3)
    assert [(line.manual, line.hand) for line in again.lines] == [(None, hand)]
    save(tmp_path, result)
    (tmp_path / "results" / "bad.json").write_text("{")
    (tmp_path / "results" / "worse.json").write_text(json.dumps({"path": "p", "questions": 3}))
    assert kept(tmp_path) == {result.path: result}
    for share, is_read in {"1/3": True, "-2": True, "1e9": False, "1/0": False, "x": False}.items():
        if is_read:
            assert str(earlier_rows._share(share)) == share
        else:
            with pytest.raises((ValueError, ZeroDivisionError)):
                earlier_rows._share(share)


def test_options_are_read_as_they_are_written():
    """An exercise by two digits; a column by its number, or alone."""
    options = GradeOptions(key="k", out="o", exercise="4", columns=["4= Warm ", "05=7", "All"])
    assert options.number == "04"
    assert options.named_columns == {"04": "Warm", "05": "7", "": "All"}
    assert GradeOptions(key="k", out="o").number == ""
    for wrong in ({"columns": [" "]}, {"workers": 0}, {"attempt": "next"}):
        with pytest.raises(InputError):
            GradeOptions(key="k", out="o", **wrong)


@pytest.mark.parametrize("number", ["01", "02"])
def test_a_table_of_points_of_an_earlier_version_is_refused(tmp_path, number):
    """Of a question that is marked by hand now; its points would be lost."""
    text = "**Why?**\n### BEGIN SOLUTION\nx\n### END SOLUTION"
    cells = [Cell("x = 1"), Cell(text, markdown=True, tags=["why"])]
    source = SimpleNamespace(
        exercise=EXERCISE, cells=cells, question_of=lambda one: "".join(one.tags)
    )
    keys = {"01": SimpleNamespace(source=source)}
    row = Row(Person("ann"), "01", "s", "T", 9.0, "nothing handed in")
    before = earlier_rows.EarlierRow(replace(row, exercise="02", lines=(line_of("why"),)))
    (tmp_path / "by-hand").mkdir()
    table = tmp_path / "by-hand" / f"{number}-why.csv"
    table.write_text("student,reason\n")
    if number == "01":
        with pytest.raises(InputError, match=r"01-why\.csv: points are no longer read"):
            with_hand_marks([row], [], keys, tmp_path, {})
        return
    found = with_hand_marks([row], [], keys, tmp_path, {}, [before])
    assert (found.rows, found.agreement, found.answers) == ([row], [], {})
    [question] = found.questions
    assert (question["id"], question["task"]) == ("01-why", "**Why?**\n*Your answer here.*")
    of_hand = QuestionLine(QuestionMark("why", "Why", 3), hand=HandMark(WHY, OPEN))
    before = replace(before, row=replace(before.row, lines=(of_hand,)))
    with pytest.raises(InputError, match=r"02-why\.csv: points are no longer read"):
        with_hand_marks([row], [], keys, tmp_path, {}, [before])


@pytest.mark.parametrize("with_rules", [True, False])
def test_times_of_a_worksheet_are_read_only_where_there_are_rules_of_lateness(a_class, with_rules):
    """Without them nobody is late, whatever language Moodle writes the times in."""
    a_class.hand_in("Ann Lee_991_assignsubmission_file_/x.ipynb", "{ broken")
    sheet = a_class.folder / "Grades-C1-First-33.csv"
    sheet.write_text(
        "Identifier,Full name,Grade,Last modified (submission)\n"
        'Participant 991,Ann Lee,,"Freitag, 6. November 2026, 10:15"\n'
    )
    rules = a_class.folder / "late.csv"
    rules.write_text("rule,exercise,student,value\nzone,,,UTC\ndue,,,2026-11-05 12:00\n")
    options = ["--late", str(rules)] if with_rules else []
    assert a_class.grade("--roster", str(sheet), *options) == (2 if with_rules else 1)
