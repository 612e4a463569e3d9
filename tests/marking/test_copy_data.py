"""A copy is marked by its own data, whatever became of the source since it was handed out."""

import base64
import bz2
import json

import pytest

from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.exercises.copy_text import packed_text, parsed
from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.classroom.marking.matching import copy_data
from tests.marking.conftest import KEY, SOURCE

pytestmark = pytest.mark.slow

NAMES = [f"s{i}" for i in range(12)]
TOTAL = 'Question("total", "cg(grades)", alone, kind="value", title="by hand", marks=1)'
# What a teacher may change after the hand-out, from the title to what decides each draw.
CHANGED = {
    "nothing": (TOTAL, TOTAL),
    "a title": ("by hand", "with a pencil"),
    "a wider tolerance": ("marks=1)", "marks=1, tolerance=0.04)"),
    "a tighter tolerance": ("marks=1)", "marks=1, tolerance=1e-9)"),
    "a mistake more": (
        "marks=1)", "marks=1, wrongs=[Wrong('first-only', 'the first', 'cg(grades, k=2)')])"
    ),
    "another draw": ("[1, 2, 3, 5, 7]", "[0, 1, 2, 3, 4]"),
    "longer lists": ("range(5)", "range(7)"),
    "a draw in another order": ("rng.choice([1, 2, 3, 5, 7])", "rng.choice([7, 5, 3, 2, 1])"),
}  # fmt: skip


def changed(a_class, what):
    """The class's source after a change."""
    before, after = CHANGED[what]
    assert SOURCE.count(before) == 1
    path = a_class.folder / "sources" / "77_two.py"
    path.write_text(SOURCE.replace(before, after), encoding="utf-8")


def totals(a_class):
    """The marks of the value question, by student; None if there are none."""
    found = {}
    for name in NAMES:
        question = a_class.result(f"{name}/77_two.ipynb")["questions"][0]
        found[name] = question["marks"] if question["judged"] else None
    return found


def opened(book):
    """What the first cell of a notebook says, and its text."""
    [text] = [c["source"] for c in book["cells"] if "begin(" in "".join(c["source"])]
    told = "".join(text).split('"""')[1]
    return json.loads(told), told


def with_first_cell(book, data):
    """The notebook with other data in its first cell."""
    _, told = opened(book)
    for cell in book["cells"]:
        cell["source"] = "".join(cell["source"]).replace(told, json.dumps(data))
    return book


def as_handed_out_before(book):
    """The notebook with the first cell that copies had of before: one packed word."""
    told, text = opened(book)
    of_this = parsed(text)
    packed = {
        **of_this.asked,
        "inputs": {**of_this.asked["inputs"], **{n: [one] for n, one in of_this.data.items()}},
        "seals": told.get("seals", {}),
    }
    for cell in book["cells"]:
        source = "".join(cell["source"]).replace(text, packed_text(packed))
        cell["source"] = source.replace('begin(r"""', 'begin("""')
    return book


def plain(a_class, student):
    """A student's solved copy as plain data."""
    return json.loads(as_text(a_class.copy(student)))


# `make test` tries two changes, and the suite of the guide all others.
@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=() if number < 2 else pytest.mark.suite("guide"))
        for number, what in enumerate(CHANGED)
    ],
)
def test_a_changed_source_costs_nobody_a_mark(a_class, what):
    """All have the mark for the numbers in their notebooks."""
    for name in NAMES:
        book = plain(a_class, name)
        if name in NAMES[::2]:
            book = as_handed_out_before(book)
        a_class.hand_in(f"{name}/77_two.ipynb", book)
    changed(a_class, what)
    assert a_class.grade() == 0
    assert totals(a_class) == dict.fromkeys(NAMES, 1)
    # What is wrong stays wrong.
    wrong = a_class.copy("s0", solved=False)
    for cell in wrong.cells:
        if cell.id == "77-total":
            cell.source = "total = 1.5"
    a_class.hand_in("s0/77_two.ipynb", wrong)
    a_class.grade()
    assert totals(a_class)["s0"] == 0


@pytest.mark.parametrize("what", ["another draw", "longer lists"])
def test_data_without_a_seal_are_not_marked_0(a_class, what, capsys):
    """As in copies of before, and in general copies: the teacher is told what to do."""
    for name in NAMES:
        book = plain(a_class, name)
        data, _ = opened(book)
        del data["seals"]
        a_class.hand_in(f"{name}/77_two.ipynb", with_first_cell(book, data))
    changed(a_class, what)
    assert a_class.grade() == 1
    assert totals(a_class) == dict.fromkeys(NAMES)
    said = capsys.readouterr().out
    assert f"whose values are not marked: {len(NAMES)}; grade with the source and the key" in said
    for name in NAMES:
        a_class.hand_in(f"{name}/77_two.ipynb", a_class.copy(""))
    a_class.grade()
    assert set(totals(a_class).values()) == {None}


def test_made_up_data_gain_nothing(a_class):
    """Neither a list of one's own, nor another's data with their seal, nor a seal that is moved."""
    easy, moved, other = (plain(a_class, name) for name in ("s0", "s1", "s2"))
    data, _ = opened(easy)
    data["data"]["total"] = {"grades": [1, 1, 1]}
    with_first_cell(easy, data)
    mine, _ = opened(moved)
    theirs, _ = opened(plain(a_class, "s3"))
    mine["seals"] = theirs["seals"]
    mine["data"]["total"] = theirs["data"]["total"]
    with_first_cell(moved, mine)
    for book, text in ((easy, "total = 3"), (moved, "total = sum(grades)")):
        for cell in book["cells"]:
            if cell["id"] == "77-total":
                cell["source"] = text
    for name, book in (("s0", easy), ("s1", moved), ("s2", other)):
        a_class.hand_in(f"{name}/77_two.ipynb", book)
    (a_class.folder / "r").write_text("student\n" + "\n".join(NAMES) + "\n")
    a_class.grade("--roster", str(a_class.folder / "r"))
    marks = {
        name: a_class.result(f"{name}/77_two.ipynb")["questions"][0] for name in ("s0", "s1", "s2")
    }
    assert (marks["s0"]["marks"], marks["s0"]["judged"]) == (0, False)
    assert (marks["s2"]["marks"], marks["s2"]["judged"]) == (1, True)
    # The seal is of s3: the answer is judged by s1's own numbers, which the data cell still has.
    assert marks["s1"]["judged"]


def test_another_students_copy_has_another_students_data(a_class):
    """Handed in under one's own name it earns nothing, also after the source has changed."""
    a_class.hand_in("s0/77_two.ipynb", a_class.copy("s1"))
    a_class.hand_in("s1/77_two.ipynb", a_class.copy("s1"))
    for what in ("nothing", "longer lists"):
        changed(a_class, what)
        a_class.grade("--force")
        found = {n: a_class.result(f"{n}/77_two.ipynb")["questions"][0] for n in ("s0", "s1")}
        assert found["s1"]["marks"] == 1
        assert found["s0"]["marks"] == 0


HOSTILE = [
    "", "begin", 'begin("""', 'begin("""!!""")', 'begin("""QUJD""")', 'begin(r"""{',
    'begin("""{}""")',
    'begin(r"""' + '{"data": ' * 50_000 + '""")',
    'begin(r"""{"exercise": 7, "data": [1]}""")', 'begin(r"""{"exercise": "77", "data": 3}""")',
    'begin(r"""' + "[" * 100_000 + '""")', 'begin(r"""{"data": {}, "seals": 3}""")',
    'begin(r"""{"exercise": "77", "data": {}, "seals": [3]}""")', 'begin(r"""' + "{" * 390_000,
]  # fmt: skip
# What is packed into such a cell, and how often: 200 million signs are packed when they are tried.
PACKED = [
    (b"[]", 1),
    (b"{}", 1),
    (b"0", 200_000_000),
    (b"[", 100_000),
    (b'{"number": 77, "inputs": {"total": []}, "seals": 3}', 1),
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_first_cell_that_is_no_first_cell_is_passed_over(text):
    """Whatever a student writes there, it is read under bounds, or not at all."""
    assert copy_data.packed_in([text, "x = 1"]) is None


@pytest.mark.parametrize(("piece", "times"), PACKED, ids=range(len(PACKED)))
def test_packed_data_that_are_no_copy_are_passed_over(piece, times):
    """However much comes out of little."""
    packed = base64.b64encode(bz2.compress(piece * times)).decode()
    assert copy_data.packed_in([f'begin("""{packed}""")', "x = 1"]) is None


def test_only_the_key_makes_a_seal(a_class):
    """Of one student, one question, and these data."""
    source = read(a_class.folder / "sources" / "77_two.py")
    packed = pack({"grades": [1, 2]})
    seal = Variant("ann", KEY).seal("77", "total", packed)
    others = [
        Variant("ben", KEY).seal("77", "total", packed),
        Variant("ann", KEY[::-1]).seal("77", "total", packed),
        Variant("ann", KEY).seal("78", "total", packed),
        Variant("ann", KEY).seal("77", "other", packed),
        Variant("ann", KEY).seal("77", "total", pack({"grades": [2, 1]})),
    ]
    assert len({seal, *others}) == 6
    assert not Variant().seal(source.exercise.number, "total", packed)


# What a student may do to the data between the first cell and the answer: a cell below the data,
# and whether it changes them.
ABOVE = {
    "another list": ("grades = [1, 0, 1]  # to try something", True),
    "sorted in place": ("grades.sort()\ngrades.reverse()\ngrades.append(9)", True),
    "one more": ("grades += [4]", True),
    "one less": ("del grades[0]", True),
    "one other": ("grades[0] = 8", True),
    "a loop over the name": ("for grades in ([1], [2]): pass", True),
    "by a function": ("def top(g):\n    g.insert(0, 9)\n    return g\n\nbest = top(grades)", True),
    "by another name": ("mine = grades\nmine.clear()", True),
    "a tuple": ("grades = tuple(grades)", False),
    "a copy": ("mine = sorted(grades)\nmine.append(3)", False),
    "read alone": ("for g in grades: print(g)", False),
}


def test_a_student_who_changed_the_data_is_told_and_the_teacher_too(a_class):
    """However they were changed: by a cell below them, in their own cell, in the answer's."""
    for name, (text, _) in ABOVE.items():
        book = plain(a_class, name)
        cells = []
        for cell in book["cells"]:
            cells.append(cell)
            if "".join(cell["source"]).startswith("grades = "):
                cells.append({**cell, "id": "added", "source": text})
            elif cell["id"] == "77-total":
                cell["source"] = "total = sum(grades) + 100"
        book["cells"] = cells
        a_class.hand_in(f"{name}/77_two.ipynb", book)
    for name, (before, after) in {
        "in its own cell": ("grades = [", "grades = [100, "),
        "in the answer's": ("total = ", "grades = [100]\ntotal = "),
    }.items():
        book = plain(a_class, name)
        for cell in book["cells"]:
            cell["source"] = "".join(cell["source"]).replace(before, after)
        a_class.hand_in(f"{name}/77_two.ipynb", book)
    another = a_class.copy("read alone")
    a_class.hand_in("copied/77_two.ipynb", another)
    assert a_class.grade() in {0, 1}
    changed = {name for name, (_, is_changed) in ABOVE.items() if is_changed}
    changed |= {"in its own cell", "in the answer's"}
    for name in [*ABOVE, "in its own cell", "in the answer's", "copied"]:
        question = a_class.result(f"{name}/77_two.ipynb")["questions"][0]
        told = [line for line in question["told"] if "The data of your copy were changed" in line]
        seen = [line for line in question["seen"] if "The data of your copy were changed" in line]
        assert (bool(told), bool(seen)) == (name in changed, name in changed), name
        assert question["marks"] == 0
