"""What is read of a copy that comes back, over all that may have become of it; and who gets one."""

import io
import json
import zipfile
from itertools import product
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.classroom.grading.tiers import named
from irmetrics_edu.classroom.marking.collecting.notebook import parse
from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.matching.added_cells import _changed_texts
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.copy_data import (
    LONGEST_TEXT,
    MOST_PARTS,
    data_of,
    inputs_in,
    packed_in,
)
from irmetrics_edu.classroom.marking.returning.copies_out import handed_out
from irmetrics_edu.errors import InputError
from tests.marking.conftest import KEY
from tests.tables import rows


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


# -- whose data they are

DRAWN = {"ann": 1, "ben": 2, "": 3, "cy": 4}  # the number that is drawn now for each


def drawing():
    """An exercise whose questions draw a number for each student; the last is no value."""
    questions = [Question(name, "x", kind="value") for name in ("first", "second")]
    questions.append(Question("third", "x"))

    def trial(_question, student, *, general):
        assert general is (student == "")
        return Trial([{"x": DRAWN[student]}])

    source = SimpleNamespace(exercise=SimpleNamespace(number="01"))
    return SimpleNamespace(questions=questions, source=source, key=KEY, trial=trial)


def first_cell(data, seals, number="01"):
    """The first cell of a copy."""
    told = {"exercise": number, "data": data, "seals": seals}
    return f'from x import begin\nbegin("""{json.dumps(told)}""")'


@rows("held", [{"x": 1}, {"x": 2}, {"x": 3}, {"x": 4}, {"x": 9}, {"y": 9}, {"x": 9, "y": 9}, [9]])
@rows("sealed", ["ann", "ben", "cy", "eve", "", "made up"])
def test_data_are_the_students_if_they_are_drawn_or_sealed_and_no_students_if_they_are_neither(
    held, sealed
):
    """What is drawn now needs no seal; the data of somebody else are not those of the student."""
    key = drawing()
    packed = pack(held)
    seal = sealed
    if sealed not in {"", "made up"}:
        seal = Variant(sealed, KEY).seal("01", "first", packed)
    seals = {"first": seal, "second": seal, "third": seal}
    cells = ["x = 1", first_cell({"first": held, "second": {"x": 1}, "third": held}, seals)]
    for owner in ("ann", "ben", ""):
        found = data_of(cells, key, "ann", owner, ["ben", "cy"])
        is_drawn = held in [{"x": DRAWN[who]} for who in ("ann", owner, "")]
        is_own = sealed == "ann" and isinstance(held, dict) and held.keys() == {"x"}
        # The seal of one who is not in the class is nobody's, as a seal that was made up.
        is_anothers = sealed in {"ben", "cy"}
        assert found.own == ({"first": held} if is_own and not is_drawn else {})
        unknown = () if is_drawn or is_own or is_anothers else ("first",)
        assert found.unknown == unknown
    for other in (first_cell({"first": held}, seals, "02"), "x = 1"):
        found = data_of([other], key, "ann", "", ["ben"])
        assert (found.own, found.unknown) == ({}, ())


def test_each_question_is_looked_at_whatever_became_of_those_before():
    """A question without data in the copy, with data of its own, and with unknown ones."""
    key = drawing()
    key.questions = [Question(name, "x", kind="value") for name in "abcdef"]
    data = {"b": {"x": 1}, "c": {"x": 8}, "d": {"x": 7}, "e": {"x": 1}, "f": {"x": 6}}
    seals = {
        "c": Variant("ann", KEY).seal("01", "c", pack(data["c"])),
        "d": Variant("ann", KEY).seal("01", "c", pack(data["d"])),  # of another question
    }
    found = data_of([first_cell(data, seals)], key, "ann", "ann", [])
    assert (found.own, found.unknown) == ({"c": {"x": 8}}, ("d", "f"))


def test_the_first_cell_is_read_up_to_its_bounds():
    """The first that can be read counts; data of too many parts are there, but nobody looks in."""
    whole = first_cell({"q": {"x": 1}}, {})
    assert packed_in(["begin()", 'begin("""{"exercise": 1}""")', whole]).number == "01"
    begins = whole.index("begin(")
    for room in (len(whole) - begins, len(whole) - begins - 1):
        padded = "#" * (LONGEST_TEXT - room - 1) + "\n" + whole[begins:]
        assert (packed_in([padded]) is None) is (room < len(whole) - begins - len(")"))
    # A dict with a list has a part for each of its numbers and 6 more: itself, its two lists of
    # pairs, the key, the list, and the tag's own.
    for parts in (MOST_PARTS, MOST_PARTS + 1):
        numbers = [0] * (parts - 5)
        found = packed_in([first_cell({"q": {"x": numbers}, "r": 1}, {})])
        assert found.inputs["r"] == 1
        assert (found.inputs["q"] is None) is (parts > MOST_PARTS)


# -- copies that go out


@pytest.fixture
def written(tmp_path):
    """The copies of four students."""
    paths = []
    for name in ("ann", "ben", "cy", "di"):
        path = tmp_path / name / "01_x.ipynb"
        path.parent.mkdir()
        path.write_text(f"{name}'s", "utf-8")
        paths.append(path)
    return paths


CLASS = [
    Person("ann", "Ann Lee", canvas="11", moodle="91", group="A"),
    Person("ben", "Ben_Li", canvas="12", moodle="92", group="A"),
    Person("cy", canvas="13"),
    Person("di"),
    Person("eve", "Eve Ode", canvas="15", moodle="95"),  # has no copy
]


def held_in(raw):
    """What a zip holds, in its order."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return [(name, archive.read(name).decode()) for name in archive.namelist()]


def asked(path, *names):
    """A zip of Canvas with these files; its names are in UTF-8, though it does not say so."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    # The flag of UTF-8 is the second byte of an entry's flags, in both of its heads.
    raw = path.read_bytes()
    for head, place in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        parts = raw.split(head)
        raw = head.join([parts[0], *(p[: place - 4] + b"\0" + p[place - 3 :] for p in parts[1:])])
    path.write_bytes(raw)
    return path


def test_copies_go_out_under_the_numbers_of_moodle_and_the_files_of_canvas(written, tmp_path):
    """Of several files of a student the first by name has it; who has no file is named."""
    zips, without = handed_out(written, CLASS)
    folders = ["Ann Lee_91", "Ben Li_92"]
    expected = [f"{name}_assignsubmission_file/01_x.ipynb" for name in folders]
    assert held_in(zips.pop("moodle")) == list(zip(expected, ["ann's", "ben's"], strict=True))
    assert (zips, without) == ({}, [])
    names = [
        "leeann_11_60_b.ipynb",
        "leeann_11_59_a.ipynb",
        "cy_13_61_日本.ipynb",
        "libe_12_62_c.pdf",  # a comment can go to a notebook alone
        "libe_12_text.html",
        "odeeve_15_63_d.ipynb",
        "zed_19_64_e.ipynb",
        "ben.ipynb",
    ]
    zips, without = handed_out(written, CLASS, asked(tmp_path / "s.zip", *names))
    assert held_in(zips["canvas"]) == [("cy_13_61_日本.ipynb", "cy's"), (names[1], "ann's")]
    assert without == ["ben", "di"]
    zips, without = handed_out(written, CLASS[2:4], asked(tmp_path / "s.zip", "x/cy_13_61_x.ipynb"))
    assert ([*zips], without) == (["canvas"], ["ann", "ben", "di"])
    assert held_in(zips["canvas"]) == [("cy_13_61_x.ipynb", "cy's")]


@pytest.mark.parametrize("name", ["zed_19_64_e.ipynb", "odeeve_15_63_d.ipynb", "leeann_11_5_x.pdf"])
def test_a_zip_without_a_notebook_of_somebody_with_a_copy_is_refused(written, tmp_path, name):
    """Nobody would get a copy."""
    with pytest.raises(InputError, match=r"--canvas .*: no notebook in it is of a student"):
        handed_out(written, CLASS, asked(tmp_path / "s.zip", name))
