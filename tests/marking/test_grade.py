"""The command as a teacher uses it: again, interrupted, with marks by hand, late, and copied."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time

import nbformat
import pytest

from irmetrics_edu.classroom.exercises.build import write_nbgrader
from irmetrics_edu.classroom.marking import results
from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.mark_class import mark_class
from irmetrics_edu.classroom.marking.reviewing import hand_marks
from irmetrics_edu.errors import InputError
from tests.marking.conftest import KEY, RIGHT

pytestmark = pytest.mark.slow

STUB = "from irmetrics_edu.classroom.exercises import begin, check, hint\n"


def table(a_class, name="marks.csv"):
    """A table that was written, as lists."""
    with (a_class.out / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def by_student(a_class):
    """marks.csv by student."""
    head, *lines = table(a_class)
    return {line[0]: dict(zip(head, line, strict=True)) for line in lines}


def test_a_solution_has_all_and_an_untouched_copy_nothing(a_class):
    """The ends of the scale: 5 of 5, and 0 with the words that there is no answer."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben", solved=False))
    assert a_class.grade() == 0
    assert a_class.marks("ann/77_two.ipynb") == [1, 4]
    assert a_class.marks("ben/77_two.ipynb") == [0, 0]
    assert b"There is no answer yet" in a_class.written()["feedback/ben/77_two.html"]


def test_cells_edited_deleted_doubled_and_in_another_order(a_class):
    """Answers are found by name, wherever they stand; one that stands twice is noted."""
    moved = a_class.copy("ann")
    moved.cells.append(moved.cells.pop(next(
        i for i, c in enumerate(moved.cells) if "def dcg" in c.source
    )))  # fmt: skip
    twice = a_class.copy("ben")
    twice.cells.append(twice.cells[-2].copy())
    gone = a_class.copy("cy")
    gone.cells = [c for c in gone.cells if "def dcg" not in c.source]
    locked = a_class.copy("di")
    locked.cells[-1].source = "def check(*a): return 'full marks'\nmarks = 100"
    for name, book in (("ann", moved), ("ben", twice), ("cy", gone), ("di", locked)):
        a_class.hand_in(f"{name}/77_two.ipynb", book)
    a_class.grade()
    assert a_class.marks("ann/77_two.ipynb") == [1, 4]
    assert a_class.marks("ben/77_two.ipynb") == [1, 4]
    assert a_class.marks("cy/77_two.ipynb") == [1, 0]
    assert a_class.marks("di/77_two.ipynb") == [1, 4]
    assert "the last one counts" in " ".join(a_class.result("ben/77_two.ipynb")["notes"])
    assert "There is nothing called dcg" in a_class.written()["feedback/cy/77_two.md"].decode()


def test_an_answer_beside_its_cell_is_marked_or_shown_to_the_teacher(a_class):
    """Above or below a cell that was left as it was, under another name, above its last line."""
    right = RIGHT.strip()

    def changed(name, change):
        book = a_class.copy(name, solved=False)
        at = next(i for i, c in enumerate(book.cells) if c.id == "77-dcg")
        change(book.cells, at)
        a_class.hand_in(f"{name}/77_two.ipynb", book)

    added = nbformat.v4.new_code_cell
    changed("above", lambda cells, at: cells.insert(at, added(right)))
    changed("below", lambda cells, at: cells.insert(at + 1, added(right)))
    changed("other", lambda cells, at: cells.insert(at + 1, added(right.replace("dcg", "my_dcg"))))
    changed("text", lambda cells, at: cells.insert(at + 2, nbformat.v4.new_markdown_cell(right)))
    changed("kept", lambda cells, at: cells[at].update(source=f"{cells[at].source}\n    return 1"))
    changed("blank", lambda *_: None)
    tried = "import math\ntry:\n    " + right.partition("\n")[2].replace("\n", "\n    ")
    changed("tried", lambda cells, at: cells[at].update(source=f"{tried}\nfinally:\n    pass"))
    a_class.grade()
    found = {n: a_class.result(f"{n}/77_two.ipynb") for n in
             ("above", "below", "other", "text", "kept", "blank", "tried")}  # fmt: skip
    marks = {name: result["questions"][1]["marks"] for name, result in found.items()}
    none = dict.fromkeys(("other", "text", "kept", "blank"), 0)
    assert marks == {"above": 4, "below": 4, "tried": 4} | none
    notes = {name: " ".join(result["notes"]) for name, result in found.items()}
    assert "dcg has no answer where it was asked for; look into cell 7" in notes["other"]
    assert "look into cell 8" in notes["text"]
    assert found["kept"]["questions"][1]["seen"] == ["code above the line that was handed out"]
    assert "delete that line" in found["kept"]["questions"][1]["text"]
    assert notes["above"] == notes["below"] == notes["blank"] == notes["tried"] == ""


def test_no_submission_is_lost_nor_silently_zero(a_class):
    """What can't be read has empty marks in every table, and a page that says what to do."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("bad/77_two.ipynb", '{"cells": [')
    a_class.hand_in("void/77_two.ipynb", "")
    a_class.hand_in("page/77_two.html", "<html>")
    a_class.hand_in("other/essay.ipynb", {"cells": [{"cell_type": "code", "source": "x = 1"}]})
    assert a_class.grade() == 1
    found = by_student(a_class)
    assert found["ann"]["marks"] == "5"
    for name in ("bad", "void", "page", "other"):
        assert found[name]["status"] == "unreadable"
        assert not found[name]["marks"]
        assert found[name]["remedy"]
        [page] = (a_class.out / "feedback" / name).glob("*.html")
        assert "not even 0" in page.read_text(encoding="utf-8")
    canvas = {line[0]: line[-1] for line in table(a_class, "canvas.csv")}
    assert set(canvas) == {"Student", "    Points Possible", "ann"}
    # A student of the roster who handed nothing in is there too.
    (a_class.folder / "roster").write_text("student\nann\nbad\nvoid\npage\nother\nold\nzed\n")
    a_class.grade("--roster", str(a_class.folder / "roster"))
    assert by_student(a_class)["zed"]["status"] == "nothing handed in"


def test_names_of_every_script_and_wrong_file_names(a_class):
    """A name in any script, with markup or a formula in it, harms no page and no table."""
    names = ["李雷", "Ёлка", "=1+1", "<b>x", "Zoë", "ann"]
    for name in names:
        a_class.hand_in(f"{name}/Homework final(2).ipynb", a_class.copy(name))
    assert a_class.grade() == 0
    found = by_student(a_class)
    assert set(found) == {"李雷", "Ёлка", "'=1+1", "<b>x", "Zoë", "ann"}
    assert all(row["marks"] == "5" for row in found.values())
    assert b"<b>x" not in a_class.written()["report.html"]


def test_the_fingerprint_says_whose_copy_it_is(a_class):
    """Under a file name that says nothing, the copy itself tells."""
    (a_class.folder / "roster").write_text("student,email\nann,a@x.org\nben,b@x.org\n")
    a_class.hand_in("77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("Untitled3.ipynb", a_class.copy("ben"))
    assert a_class.grade("--roster", str(a_class.folder / "roster")) == 0
    assert {n: r["marks"] for n, r in by_student(a_class).items()} == {"ann": "5", "ben": "5"}


def test_a_copied_answer_is_seen_by_the_teacher_alone(a_class):
    """Another's copy, under one's own name, has no marks for numbers, and the report says whose."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ann"))
    stripped = a_class.copy("ann")
    del stripped.metadata["irmetrics_edu"]
    a_class.hand_in("cy/77_two.ipynb", stripped)
    a_class.grade()
    assert a_class.marks("ben/77_two.ipynb") == [0, 4]
    assert a_class.marks("cy/77_two.ipynb") == [0, 4]
    report = a_class.report()
    assert "total: right for ann, not for ben" in report
    assert "total: right for ann, not for cy" in report
    for name, data in a_class.written().items():
        if name.startswith("feedback/ben"):
            assert b"right for" not in data
            assert b" ann" not in data


def test_grading_again_changes_nothing(a_class):
    """A second run runs nothing and leaves each file as it is, time and all."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("bad/77_two.ipynb", "{")
    a_class.grade()
    before = a_class.written()
    times = {p: p.stat().st_mtime_ns for p in a_class.out.rglob("*") if p.is_file()}
    a_class.grade()
    assert a_class.written() == before
    assert times == {p: p.stat().st_mtime_ns for p in a_class.out.rglob("*") if p.is_file()}


def test_what_is_handed_in_anew_is_graded(a_class, capsys):
    """Another file under the same name counts at once, and what changes is said."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", solved=False))
    a_class.grade()
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben"))
    capsys.readouterr()
    a_class.grade()
    said = capsys.readouterr().out
    assert "1 newly graded, 1 handed in anew, 0 kept as they were\n" in said
    assert "changed since the last marks.csv: 1\n" in said
    assert "  ann, exercise 77: total 0 -> 1, dcg 0 -> 4, marks 0 -> 5\n" in said
    assert a_class.marks("ann/77_two.ipynb") == [1, 4]


def test_what_would_change_is_said_and_force_takes_it_over(a_class, capsys):
    """By other rules all are marked, the marks are said, and only --force keeps them."""
    talks = RIGHT.replace("    return", "    print('x' * 9_999)\n    return")
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", [STUB, talks]))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben"))
    a_class.grade("--limit", "output=5000")
    assert a_class.marks("ann/77_two.ipynb") == [0, 0]
    capsys.readouterr()
    a_class.grade()
    said = capsys.readouterr().out
    assert "would change (--force takes it over; nothing was changed): 1\n" in said
    assert "  ann, exercise 77: dcg 0 -> 4, marks 0 -> 4\n" in said
    assert a_class.marks("ann/77_two.ipynb") == [0, 0]
    a_class.grade("--force")
    assert "changed since the last marks.csv: 1\n" in capsys.readouterr().out
    assert a_class.marks("ann/77_two.ipynb") == [0, 4]


def test_manual_marks_are_kept_and_shown(a_class):
    """What the teacher writes in manual.csv stays there, counts, and is in the feedback."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", solved=False))
    a_class.hand_in("bad/77_two.ipynb", "{")
    a_class.grade()
    by_hand = a_class.out / "manual.csv"
    head = by_hand.read_text(encoding="utf-8-sig").strip()
    assert head == "student,exercise,question,marks,comment"
    text = f'{head}\nann,77,dcg,3.5,"Good <idea>, no code"\nbad,77,,2,on paper\n'
    by_hand.write_text(text, encoding="utf-8")
    assert a_class.grade() == 0
    assert a_class.grade("--force") == 0
    assert by_hand.read_text(encoding="utf-8") == text
    found = by_student(a_class)
    assert (found["ann"]["marks"], found["ann"]["77 dcg"]) == ("3.5", "3.5")
    assert found["bad"]["marks"] == "2"
    page = a_class.written()["feedback/ann/77_two.html"].decode()
    assert "Marked by your teacher; the program gave 0." in page
    assert "Good &lt;idea&gt;, no code" in page
    assert b"on paper" in a_class.written()["feedback/bad/77_two.html"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ann,77,dcg,5,", "give 0 to 4"),
        ("ann,77,dcg,much,", "no number"),
        ("ann,77,dgc,1,", "question 'dgc'"),
        ("nan,77,dcg,1,", "student 'nan'"),
        ("ann,78,dcg,1,", "exercise 78; known are 77"),
        ("ann,77,dcg,1,x,y", "quote a field"),
    ],
)
def test_a_mistake_in_manual_marks_is_refused(tmp_path, line, words):
    """The message names the file and the line."""
    path = tmp_path / "manual.csv"
    path.write_text(f"student,exercise,question,marks,comment\n\n{line}\n")
    with pytest.raises(ValueError, match=words) as caught:
        hand_marks.read_manual(path, {"77": {"total": 1.0, "dcg": 4.0}}, [Person("ann")])
    assert "manual.csv, line 3" in str(caught.value)


def test_of_two_submissions_the_later_counts(a_class):
    """Neither is lost: both are marked, one counts, and the report says which, and by what."""
    first = a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", solved=False))
    second = a_class.hand_in("ann/77_two (1).ipynb", a_class.copy("ann"))
    for order in ((first, second), (second, first)):
        for time_, path in enumerate(order, 1_700_000_000):
            os.utime(path, (time_, time_))  # which says nothing
        a_class.grade()
        assert by_student(a_class)["ann"]["marks"] == "5"
    report = a_class.report()
    assert "does not count, another one does: ann/77" in report
    assert "the last by name counts" in report


def test_columns_for_canvas(a_class):
    """The columns that it imports, with the people as the roster knows them."""
    people = 'student,name,id,email,login,section\nann,"Lee, Ann",4711,ann@x.org,alee,S1\n'
    (a_class.folder / "roster").write_text(people)
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.grade("--roster", str(a_class.folder / "roster"))
    assert table(a_class, "canvas.csv") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Exercise 77: Two questions"],
        ["    Points Possible", "", "", "", "", "5"],
        ["Lee, Ann", "", "4711", "alee", "S1", "5"],
    ]


def test_mistakes_are_counted(a_class):
    """Two students make one mistake: the report has it with the number 2."""
    wrong = RIGHT.replace("i + 1", "i + 2")
    for name in ("ann", "ben"):
        a_class.hand_in(f"{name}/77_two.ipynb", a_class.copy(name, [STUB, wrong]))
    a_class.grade()
    report = a_class.report()
    [line] = [x for x in report.splitlines() if x.startswith("| 77 dcg | log")]
    assert line.split(" | ")[1].replace("\\", "") == "log-of-rank-plus-2"
    assert line.split(" | ")[-1] == "2 |"


def slow_class_of_eight(a_class):
    """Eight submissions that take their time, and the command that grades them."""
    slow = "import time\ntime.sleep(0.4)\n" + RIGHT
    for i in range(8):
        a_class.hand_in(f"s{i}/77_two.ipynb", a_class.copy(f"s{i}", [STUB, slow]))
    return [
        sys.executable, "-m", "irmetrics_edu.cli", "grade", str(a_class.work), "--key",
        str(a_class.folder / "key"), "--out", str(a_class.out), "--sources",
        str(a_class.folder / "sources"),
    ]  # fmt: skip


def results_when(a_class, at_least):
    """The folder of the results, as soon as there are so many."""
    kept = a_class.out / "results"
    end = time.monotonic() + 60
    while len(list(kept.glob("*.json"))) < at_least and time.monotonic() < end:
        time.sleep(0.05)
    return kept


@pytest.mark.suite("sandbox")
@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_stopped(a_class):
    """After a kill in the middle, what was finished is kept, and the rest is done."""
    command = slow_class_of_eight(a_class)
    process = subprocess.Popen(command)
    kept = results_when(a_class, 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    finished = {p: p.stat().st_mtime_ns for p in kept.glob("*.json")}
    assert 2 <= len(finished) < 8
    for path in finished:
        json.loads(path.read_text(encoding="utf-8"))
    again = subprocess.run(command, check=True, capture_output=True, text=True)
    assert f"{8 - len(finished)} newly graded, {len(finished)} kept" in again.stdout
    assert {p: p.stat().st_mtime_ns for p in finished} == finished
    assert {r["77 dcg"] for r in by_student(a_class).values()} == {"4"}


@pytest.mark.suite("sandbox")
@pytest.mark.slow
def test_an_interrupt_keeps_what_is_finished(a_class):
    """Ctrl-C ends with its own exit code, and each result on disk is whole."""
    command = slow_class_of_eight(a_class)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    kept = results_when(a_class, 1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "interrupted" in said
    assert 1 <= len(results.kept(a_class.out)) < 8
    assert not list(kept.glob(".*"))


def test_where_the_machine_fails_nobody_has_zero(a_class, monkeypatch):
    """Without a child there are no marks, not 0; the next run tries again without being asked."""
    from irmetrics_edu.classroom.grading.sandbox import SandboxError
    from irmetrics_edu.classroom.marking.running import run_cells

    real = run_cells.run_question

    def fails(cells, call, cases, *more, **options):
        if call.name == "dcg":
            raise SandboxError("no child can be started")
        return real(cells, call, cases, *more, **options)

    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    monkeypatch.setattr(run_cells, "run_question", fails)
    assert a_class.grade() == 1
    found = by_student(a_class)["ann"]
    assert (found["status"], found["marks"], found["77 total"]) == ("partly graded", "", "1")
    assert b"not your fault" in a_class.written()["feedback/ann/77_two.html"]
    monkeypatch.undo()
    assert a_class.grade() == 0
    assert by_student(a_class)["ann"]["marks"] == "5"


def test_a_file_called_after_another_is_still_ones_own(a_class):
    """In one's own folder, another's copy under another's name is marked as one's own."""
    a_class.hand_in("mal/ann.ipynb", a_class.copy("ann"))
    (a_class.folder / "roster").write_text("student\nann\nmal\n")
    for options in ((), ("--roster", str(a_class.folder / "roster"), "--force")):
        a_class.grade(*options)
        assert a_class.result("mal/ann.ipynb")["student"] == "mal"
    assert a_class.marks("mal/ann.ipynb") == [0, 4]


def test_semicolons_and_other_encodings_in_what_the_teacher_edits(tmp_path):
    """A spreadsheet's semicolons are read; what is not UTF-8 is refused with the remedy."""
    path = tmp_path / "manual.csv"
    path.write_text("student;exercise;question;marks;comment\nann;77;dcg;1,5;\n")
    points = {"77": {"total": 1.0, "dcg": 4.0}}
    assert hand_marks.read_manual(path, points, [Person("ann")])["ann", "77", "dcg"].marks == 1.5
    path.write_bytes(b"student,exercise,question,marks,comment\nann,77,dcg,1,\xfc\n")
    with pytest.raises(ValueError, match="CSV UTF-8"):
        hand_marks.read_manual(path, points, [Person("ann")])


def test_nbgraders_layout_and_source_form(a_class):
    """What nbgrader collects is graded too: its own cells, its metadata, its time stamp."""
    target = write_nbgrader(a_class.source, a_class.folder / "course", KEY)
    book = json.loads(target.read_text(encoding="utf-8"))
    a_class.hand_in("submitted/ann/77_two/77_two.ipynb", book)
    a_class.hand_in("submitted/ann/77_two/timestamp.txt", "2026-02-02 15:58:23 UTC")
    assert a_class.grade() == 0
    assert a_class.marks("ann/77_two/77_two.ipynb") == [1, 4]


def test_a_bonus_counts_above_the_total(a_class):
    """All right: five of one mark in the total, as the four of DCG are a bonus; and it is said."""
    path = a_class.folder / "sources" / "77_two.py"
    text = path.read_text(encoding="utf-8").replace("marks=4,", "marks=4,\n            bonus=True,")
    path.write_text(text, encoding="utf-8")
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben", solved=False))
    a_class.grade()
    line = by_student(a_class)["ann"]
    assert (line["marks"], line["out of"]) == ("5", "1")
    assert by_student(a_class)["ben"]["marks"] == "0"
    page = a_class.written()["feedback/ann/77_two.md"].decode().replace("\\", "")
    assert "Marks: 5 of 1" in page
    assert "4 / 4, a bonus above the total" in page


def test_a_notebook_marks_a_class_in_one_call(a_class, tmp_path, capsys):
    """The command makes the same call, and prints what it gives."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    sources, key = a_class.folder / "sources", a_class.folder / "key"
    marked = mark_class(
        str(a_class.work), GradeOptions(key=str(key), out=str(tmp_path / "m"), sources=sources)
    )
    assert [row.marks for row in marked.rows] == [5]
    assert not marked.open
    assert a_class.grade() == 0
    assert capsys.readouterr().out == f"{marked}\n".replace(str(tmp_path / "m"), str(a_class.out))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"attempt": "any"}, "attempt='any' is not known; use one of last, first, best"),
        ({"workers": 0}, "workers=0 is not possible; give a whole number of at least 1"),
    ],
)
def test_a_call_that_asks_for_what_there_is_not(a_class, given, said):
    """Refused before anything is read."""
    with pytest.raises(InputError, match=re.escape(said)):
        mark_class(a_class.work, GradeOptions(key=a_class.folder / "key", out=a_class.out, **given))
