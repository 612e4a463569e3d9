"""Whose a file is, over all small names and places: by loops over words, beside the patterns."""

import re
from itertools import product
from pathlib import Path

import pytest

from irmetrics_edu.classroom.marking.collecting import owner_names, submissions
from irmetrics_edu.classroom.marking.collecting.owner_names import (
    Named,
    Person,
    ambiguous,
    is_called,
    named,
)
from tests.tables import rows

ANN = Person(
    "m1", "Ann Lee", id="4711", email="al@x.org", login="alee", canvas="1001", moodle="991"
)
BEN = Person("m2", "Ben Li", id="4712", login="bli", canvas="1002", moodle="992", group="Team Ox")
LI = Person("Li", "Ka Li", id="12", login="kl")
KIM = Person("kim", "kim")
OTTO = Person("otto")
ZOE = Person("zoe", "Zoe Zed", id="---", login="___", email="...@")  # nothing that has a letter
CLASS = [ANN, BEN, LI, KIM, OTTO, ZOE]


def stands_in(part, words):
    """Whether a name stands in a text as whole words."""
    part = " ".join(re.findall(r"[^\W_]+", part.lower()))
    return bool(part) and f" {part} " in f" {words} "


def expected_within(name, people):
    """Whom a longer name means, by the guide: a login or number first, then a name in any turn."""
    words = " ".join(re.findall(r"[^\W_]+", name.lower()))
    by_id = set()
    by_name = set()
    for person in people:
        unit = person.group or person.student
        for one in (person.login, person.id, person.email, person.canvas, person.moodle):
            if len(one) >= 3 and stands_in(one, words):
                by_id.add(unit)
        for one in (person.student, person.name, person.group):
            parts = re.findall(r"[^\W_]+", one.lower())
            if len(parts) == 1 and len(parts[0]) <= 3:
                continue  # a single short word may be anything
            for start in range(len(parts)):
                if stands_in(" ".join(parts[start:] + parts[:start]), words):
                    by_name.add(unit)
    if len(by_id) == 1 and (not by_name or by_id & by_name):
        return by_id.pop()
    return by_name.pop() if not by_id and len(by_name) == 1 else None


PIECES = [
    "Lee, Ann", "ann lee", "lee", "alee", "bli", "4711", "12", "kl", "Ka_Li", "Team-Ox", "1002",
    "991", "al@x.org", "x.org", "m1", "late", "Kim", "otto",
]  # fmt: skip


@rows("first", PIECES)
def test_a_longer_name_means_whoever_stands_in_it_alone(first):
    """Two that are meant are nobody, but a number counts before a name."""
    for second, third in product(["", *PIECES], ["", "of 21", "Ben Li"]):
        name = f"{first} {second}-{third}"
        found = owner_names._within(name, CLASS)
        assert (found.student if found else None) == expected_within(name, CLASS), name
        assert found is None or found.sure


@rows(
    ("raw", "people", "student", "platform", "number"),
    [
        ("leeann_1001_55_x.ipynb", CLASS, "m1", "Canvas", "1001"),
        ("leeann_LATE_1001_55_x.ipynb", CLASS, "m1", "Canvas", "1001"),
        ("libe_1002_55_x.ipynb", CLASS, "Team Ox", "Canvas", "1002"),
        ("teamox_77_55_x.ipynb", CLASS, "Team Ox", "Canvas", "77"),
        ("anybody_77_text", [], "anybody", "Canvas", "77"),
        ("Ann Lee_991_assignsubmission_file_", CLASS, "m1", "Moodle", "991"),
        ("Ann Lee_55_assignsubmission_file", CLASS, "m1", "Moodle", "55"),
        ("Team Ox_17_assignsubmission_file", CLASS, "Team Ox", "Moodle", "17"),
        ("Blue-Ann Lee_991_assignsubmission_file", CLASS, "m1", "Moodle", "991"),
        ("Participant_55_assignsubmission_file", [], "Participant 55", "Moodle", "55"),
        ("Team A-Participant_55_assignsubmission_file", [], "Participant 55", "Moodle", "55"),
        ("anon_aB3dE_556_homework.ipynb", CLASS, "anon_aB3dE", "Canvas", ""),
    ],
)
def test_what_a_platform_wrote_comes_first(raw, people, student, platform, number):
    """As the head of the module lists the names of the platforms."""
    for folder in (False, True):
        found = named(raw, ["01_x"], people, folder=folder)
        assert (found.student, found.sure, found.why) == (student, True, "")
        assert (found.platform, found.number) == (platform, number)
        late = None if platform == "Moodle" else "LATE" in raw
        assert found.late is late
        hidden = "anon_" in raw or "Participant" in raw
        assert found.anonymous is hidden


@pytest.mark.parametrize("people", [[], [ANN], [BEN]], ids=["nobody", "a student", "a group"])
@pytest.mark.parametrize("folder", [True, False])
def test_a_name_of_nobody_is_asked_about_where_there_is_a_roster(people, folder):
    """A file is called anything; a folder is somebody new, unless a roster says who there is."""
    found = named("eve 01_x", ["01_x"], people, folder=folder)
    if not folder:
        assert found == Named("eve")
    elif not people:
        assert found == Named("eve", sure=True)
    else:
        assert (found.sure, found.unlisted) == (False, True)
        assert bool(found.why) is (people == [BEN])
        assert found.student == ("" if people == [BEN] else "eve")


@rows("name", ["Ann-Marie Lee", "Lee, Ann-Marie"])
@rows("team", ["Team A", "Team-A", "A-B-C"])
def test_a_team_stands_before_a_name_with_hyphens_of_its_own(team, name):
    """What follows one of the hyphens is the name; what follows none is nobody's."""
    person = Person("m1", name)
    assert owner_names._of_team(f"{team}-{name}", [ANN, person]) == [person]
    assert owner_names._of_team(f"{team}-Eve-Marie Ode", [ANN, person]) == []
    assert owner_names._of_team(f"{team} {name.replace('-', ' ')}", [ANN, person]) == []


@rows("why", ["", "may mean a or b"])
@rows("unlisted", [True, False])
@rows("second", [True, False])
def test_the_first_folder_that_means_several_is_asked_about(why, unlisted, second):
    """One that is nobody's on the roster says no more than that."""
    folder = Named("", why=why, unlisted=unlisted)
    folders = [Named("eve", unlisted=True), folder] if second else [folder]
    names = ["eve", "Ann Lee"][-len(folders) :]
    found = submissions._by_roster(names, folders, Named("x"))
    if why and not unlisted:
        assert found is folder
    else:
        assert (found.student, found.why, found.unlisted) == ("/".join(names), why, True)
    sure = Named("ben", sure=True)
    assert submissions._by_roster(names, [*folders, sure], Named("x")) is sure
    note = f"the folder {'/'.join(names)} names nobody on the roster; it counts by the file's name"
    assert submissions._by_roster(names, folders, sure).note == note
    assert submissions._by_roster([], [], Named("x")) == Named("x")


@rows(
    ("name", "bare"),
    [
        ("01_x", ""),
        ("ann 01_x", "ann"),
        ("01_x-ann", "ann"),
        ("01_x (2)ann", "ann"),
        ("ann_-01_more_ (11)", "ann"),
        ("ann 02", "ann 02"),
    ],
)
def test_the_exercise_is_taken_out_of_a_name(name, bare):
    """The longest that stands in it, with the number that a browser adds."""
    assert owner_names._without_stem(name, ["01_x", "01", "01_more"]).strip() == bare


def test_a_name_with_several_numbers_is_ambiguous_on_its_platform():
    """In whatever case; without a platform a name has no number."""
    several = [
        Named("Ann Lee", platform="Moodle", number="1"),
        Named("ann lee", platform="Moodle", number="2"),
        Named("Ann Lee", platform="Canvas", number="1"),
        Named("Bo", platform="Moodle", number="3"),
        Named("Bo", platform="Moodle", number="3"),
        Named("Cy"),
        Named("Cy", number="4"),
    ]
    assert ambiguous(several) == {("Moodle", "ann lee")}


@rows(("moodle", "name"), [*product(["", "991"], ["Participant 991", "Ann", ""])])
@rows(("canvas", "number"), [*product(["", "7"], repeat=2)])
def test_an_account_is_known_for_what_it_is(moodle, name, canvas, number):
    """A participant without a name; the account of Student View, which has no number of its own."""
    person = Person("x", name, moodle=moodle, canvas=canvas, id=number)
    assert person.blind is (moodle == "991" and name == "Participant 991")
    assert not person.test
    person = Person("x", "Student,  Test", moodle=moodle, canvas=canvas, id=number)
    assert person.test is (canvas == "7" and not number)
    assert set(person.words) == {"x", "Student,  Test", canvas, number} - {""}
    assert person.words == sorted(person.words, key=lambda word: (-len(word), word))
    assert person.words[0] == "Student,  Test"


@pytest.mark.parametrize("name", ["Ann Lee", "Lee, Ann", "ann", "Lee Ann Maria", ""])
def test_a_person_is_called_by_the_name_unless_it_is_said_already(name):
    """And is listed with both where they are two."""
    for student in ("Lee, Ann", "m712"):
        is_said = set(re.findall(r"\w+", name.lower())) <= set(re.findall(r"\w+", student.lower()))
        person = Person(student, name)
        assert person.called == (student if is_said else name)
        assert person.listed == (student if is_said else f"{name} ({student})")


@pytest.mark.parametrize("written", ["Ann-Marie de Lee", "lee ann marie de", "DE LEE, ANN-MARIE"])
def test_a_name_is_the_same_in_any_turn(written):
    """Whatever stands between its parts; another order of them is another name."""
    person = Person("m1", "de Lee, Ann-Marie")
    parts = ["de", "lee", "ann-marie"]
    for start in range(3):
        turned = parts[start:] + parts[:start]
        assert is_called(person, " ".join(turned))
        assert is_called(person, "".join(turned).replace("-", ""))
    swapped = re.sub(r"[\W_]", "", written.lower())
    turns = {"".join(parts[s:] + parts[:s]).replace("-", "") for s in range(3)}
    assert is_called(person, written) is (swapped in turns)
    assert not is_called(person, " ,-")
    assert not is_called(person, "")
    assert is_called(Person("m1", "", login="alee"), "A Lee")


# -- places

ROOT = Path("/class")
ROSTER = [Person("ann"), Person("ben"), Person("carl")]


def owner(place, people=(), top=""):
    """Whom a file's place names."""
    return submissions._Place(ROOT, ROOT / top, ["01_x", "02_y"], people).owner(ROOT / place)


@rows(
    ("place", "student", "assignment"),
    [
        ("ann.ipynb", "ann", "ann"),
        ("ann/x.ipynb", "ann", "x"),
        ("ann/01_x/x.ipynb", "ann", "01_x"),
        ("01_x/ann/x.ipynb", "ann", "01_x"),
        ("tutorial/ann/x.ipynb", "ann", "ann"),
        ("tutorial/ann/hw1/x.ipynb", "ann", "hw1"),
        ("tutorial/01_x/ann.ipynb", "ann", "01_x"),
        ("01_x ann.ipynb.txt", "ann", "01_x ann"),
    ],
)
def test_a_place_names_a_student_of_the_roster_and_an_assignment(place, student, assignment):
    """A folder of a student, below any others; else the file."""
    who, found = owner(place, ROSTER)
    assert (who.student, who.sure, found) == (student, True, assignment)


@rows(
    ("place", "top", "student"),
    [
        ("eve/x.ipynb", "", "eve"),
        ("eve/deep/x.ipynb", "", "eve"),
        ("01_x/eve/x.ipynb", "", "eve"),
        ("submissions/eve/x.ipynb", "submissions", "eve"),
        ("submissions/eve.ipynb", "submissions", "eve"),
        ("eve.ipynb", "", "eve"),
    ],
)
def test_without_a_roster_it_is_the_first_folder_below_the_top(place, top, student):
    """Folders of exercises are no student's."""
    who, _ = owner(place, (), top)
    # A folder is its student's whatever copy lies in it; the name of a file may be anything.
    assert (who.student, who.sure) == (student, not place.endswith("eve.ipynb"))


def test_a_place_of_several_or_of_nobody_is_asked_about():
    """With what is known of it; a file's own name is told of."""
    who, _ = owner("ann/ben/x.ipynb", ROSTER)
    assert (who.student, who.sure) == ("", False)
    assert "ann/ben may mean ann or ben" in who.why
    who, _ = owner("ann/ann/x.ipynb", ROSTER)
    assert who.student == "ann"
    who, _ = owner("eve/carl.ipynb", ROSTER)
    assert who.student == "carl"
    assert who.note == "the folder eve names nobody on the roster; it counts by the file's name"
    who, _ = owner("eve/deep/x.ipynb", ROSTER)
    assert (who.student, who.unlisted, who.sure) == ("eve/deep", True, False)
    people = [Person("a", "Ann Lee"), Person("b", "Ann Lee")]
    who, _ = owner("Ann Lee/x.ipynb", people)
    assert "may mean a or b" in who.why
    assert not who.unlisted


def top_by_hand(paths, stems):
    """The folder whose folders are the students', by the rule: all lie in it, and several are."""
    parts = [path.split("/")[:-1] for path in paths]
    depth = 0
    while True:
        names = {one[depth] for one in parts if len(one) > depth}
        if depth and len(names - set(stems)) > 1:
            return "/".join(parts[0][:depth])
        if len(names) > 1 or any(len(one) == depth for one in parts):
            return ""
        depth += 1


def test_the_top_is_the_folder_in_which_several_folders_lie():
    """Beside those of exercises, and with all files in it."""
    some = ["s/ann/x", "s/ben/x", "s/01_x/x", "s/x", "ann/x", "x", "t/s/ann/x", "t/s/ben/01_x/x"]
    for several in product(some, repeat=3):
        paths = sorted(set(several))
        files = [ROOT / path for path in paths]
        expected = ROOT / top_by_hand(paths, ["01_x"])
        assert submissions._top(files, ROOT, ["01_x"]) == expected, paths


@rows(
    ("path", "is_none"),
    [
        (".git/config", True),
        ("ann/.x", True),
        ("__MACOSX/ann/x", True),
        ("ann/__pycache__/x", True),
        ("ann/timestamp.txt", True),
        ("ann/Thumbs.db", True),
        ("index.html", True),
        ("ann/index.html", False),
        ("grades.csv", True),
        ("ann/grades.csv", False),
        ("ann/_x", False),
        ("ann/x.ipynb", False),
    ],
)
def test_what_lies_beside_is_none_that_somebody_handed_in(path, is_none):
    """Hidden files and those of systems anywhere, those of platforms on top alone."""
    assert submissions._passed_over(Path(path)) is is_none


def test_one_notebook_stands_for_all_files_of_its_holder():
    """A platform's student by the number, a student by the folder, a file alone by itself."""
    at = submissions._holder
    assert at(ROOT / "a/x", ROOT, Named("ann", platform="Moodle", number="9")) == (ROOT, "Moodle 9")
    assert at(ROOT / "x", ROOT, Named("ann", sure=True)) == (ROOT / "x", "")
    assert at(ROOT / "a/b/x", ROOT, Named("ann", sure=True)) == (ROOT, "student ann")
    assert at(ROOT / "a/b/x", ROOT, Named("ann")) == (ROOT / "a/b", "")
    assert at(ROOT / "a/b/x", ROOT, Named("", sure=True)) == (ROOT / "a/b", "")


@pytest.mark.parametrize("count", [1, 29, 30, 31, 33])
def test_of_too_many_notebooks_of_one_the_last_by_name_are_read(tmp_path, count):
    """Numbers count by their values; where nobody knows whose they are, all are read."""
    for folder in ("ann", "more"):
        (tmp_path / folder).mkdir()
        for number in range(count):
            (tmp_path / folder / f"try {number}.ipynb").write_text("{}")
    people = [Person("ann"), Person("ben")]
    found = submissions.submissions(tmp_path, ["01_x"], people)
    assert len(found) == 2 * count
    cut = {one.path for one in found if "notebooks of one student" in one.why}
    assert cut == {f"ann/try {number}.ipynb" for number in range(count - 30)}


@pytest.mark.parametrize("count", [2, 3, 4, 5, 7])
def test_of_several_who_may_be_meant_the_first_four_are_named(count):
    """In their order."""
    people = [Person(f"s{number}", "Ann Lee") for number in range(count)]
    found = named("Ann Lee", [], people, folder=True)
    assert not found.student
    names = [f"s{number}" for number in range(min(count, 4))]
    assert found.why == f"Ann Lee may mean {' or '.join(names)}"
