"""Sources, copies and variants: what is built, and whose it is."""

import functools
import json
import sys
import zipfile
from pathlib import Path

import jupytext
import nbformat
import pytest

from dev.tools import exercises as tool
from dev.tools import messages, notebooks, quick
from dev.tools.exercises import solution, sources
from dev.tools.site import slides
from irmetrics_edu.classroom.exercises.build import notebook, write_copies
from irmetrics_edu.classroom.exercises.source import (
    BEGIN,
    END,
    SOLUTIONS,
    cells_of,
    read,
    solved,
    unsolved,
    with_data,
)
from irmetrics_edu.classroom.exercises.variants import (
    GENERAL,
    Variant,
    read_key,
)
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError

KEY = b"a course key of the tests"
PATHS = sources()
[FOURTH] = sources(["04"])
each = pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)


@functools.cache
def copy_of(path):
    """The copy that a student gets."""
    return notebook(read(path))


@pytest.mark.suite("guide")
@pytest.mark.slow
@each
def test_the_copies_are_those_of_the_source(path):
    """The student's as checked in, byte for byte; the solved one cell for cell, run and right."""
    source = read(path)
    target = tool.EXERCISES / f"{path.stem}.ipynb"
    stored = nbformat.read(target, as_version=4)
    nbformat.validate(stored)
    assert json.loads(nbformat.writes(stored)) == json.loads(nbformat.writes(copy_of(path)))
    run = nbformat.read(SOLUTIONS / f"{path.stem}.ipynb", as_version=4)
    bare = solution(source)
    assert [(c.id, c.source) for c in run.cells] == [(c.id, c.source) for c in bare.cells]
    said = [str(o) for c in run.cells for o in c.get("outputs", ()) if c.id[3:].startswith("check")]
    assert len(said) == len(source.exercise.questions)
    assert all("Right." in text for text in said)


@each
def test_a_copy_holds_no_solution(path):
    """No line between the marks, no mark, no spec; and every cell has an id of its own."""
    source = read(path)
    book = copy_of(path)
    text = "\n".join(c.source for c in book.cells)
    assert BEGIN not in text
    assert "spec." not in text
    assert "Question(" not in text
    ids = [c.id for c in book.cells]
    assert len(set(ids)) == len(ids)
    for cell in source.cells:
        if source.question_of(cell):
            inside = cell.text.split(BEGIN)[1].split(END)[0]
            lines = [line.strip() for line in inside.splitlines() if len(line.strip()) > 25]
            assert not [line for line in lines if line in text]


@each
def test_the_reader_reads_what_jupytext_reads(path):
    """The percent form is theirs; ours needs no library."""
    theirs = jupytext.read(path, fmt="py:percent").cells
    ours = cells_of(path.read_text(encoding="utf-8"))
    assert [(c.markdown, c.text) for c in ours] == [
        (c.cell_type == "markdown", c.source) for c in theirs
    ]


@pytest.mark.slow
def test_drift_is_seen(tmp_path, monkeypatch):
    """A build that changes nothing is quiet; a changed or absent copy is a difference."""
    made = tool.built(read(FOURTH))  # it runs a notebook, so once
    monkeypatch.setattr(tool, "built", lambda _: made)
    assert tool.main(["--check", "04"]) == 0
    path = next(iter(made))
    for changed in (made | {path: made[path] + "x"}, {tmp_path / "04.ipynb": made[path]}):
        monkeypatch.setattr(tool, "built", lambda _, changed=changed: changed)
        monkeypatch.setattr(tool, "ROOT", Path(path.anchor))
        assert tool.differences(read(FOURTH))
        assert tool.main(["--check", "04"]) == 1


def test_solved_and_unsolved():
    """A function keeps its head, a value its name."""
    function = f"def f(x):\n    {BEGIN}\n    return x\n    {END}"
    assert solved(function) == "def f(x):\n    return x"
    assert unsolved(function, "f").endswith("    raise NotImplementedError  # your code here")
    assert unsolved(f"{BEGIN}\nv = 3\n{END}", "v") == "v = ...  # your answer here"


def test_data_is_written_out():
    """As assignments that give the same values, sets and long lists too."""
    inputs = {"q": {"a": [0.25] * 40, "b": {"x": {"B", "A"}}}}
    text = with_data('a, b = spec.given("q")\nprint(a)', inputs)
    space = {"print": lambda *_: None}
    exec(text, space)  # noqa: S102 -- our own text
    assert (space["a"], space["b"]) == (inputs["q"]["a"], inputs["q"]["b"])
    assert "{'A', 'B'}" in text
    with pytest.raises(InputError, match="has the inputs a, b"):
        with_data('a = spec.given("q")', inputs)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('tags=["spec"]', 'tags=["other"]', "makes `spec`"),
        ('# %% tags=["dcg"]', "# %%", "answered in 0 cells"),
        ("    ### END SOLUTION\n", "", "has both"),
        ('# %% tags=["check"]', "# %% check", "begins no cell"),
        ('"dcg(grades, k=k)"', '"dgc(grades, k=k)"', "question dcg: 'dgc' in .* like it: dcg"),
        ('"log-of-rank-plus-2",', '"log-of-rank-2",', "no mistake is called .* log-of-rank"),
        ('title="DCG",', 'names={"l": "math:log"}, title="DCG",', "question dcg: math:log: give a"),
        ('"dcg(grades, k=k)"', '"dcg(grades, k=k"', "question dcg: .* never closed"),
    ],
)
def test_a_broken_source_is_refused(tmp_path, old, new, words):
    """With its file, and the line or the question."""
    broken = tmp_path / "04_broken.py"
    broken.write_text(FOURTH.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=words) as caught:
        read(broken)
    assert "04_broken.py" in str(caught.value)


def test_a_copy_says_whose_it_is(tmp_path):
    """Only to who has the key and the names."""
    source = read(FOURTH)
    written = write_copies(source, ["Ada", "Гриша 格蕾丝"], KEY, tmp_path)
    marks = [nbformat.read(p, as_version=4).metadata["irmetrics_edu"]["copy"] for p in written]
    assert marks == [Variant(s, KEY).fingerprint for s in ("Ada", "Гриша 格蕾丝")]
    assert Variant("Ada", b"another key, as long as it").fingerprint not in marks
    assert GENERAL.fingerprint == ""


def test_no_name_leads_out_of_the_folder(tmp_path):
    """Each copy is in a folder of its own within it, and says whose it is by the name itself."""
    source = read(FOURTH)
    students = ["../x", ".._x", "..", ".", "__", "/x", "_x", "a/../../x", "a\\b", "a\0b", "a/b"]
    place = tmp_path / "copies"
    written = write_copies(source, students, KEY, place)
    assert {path.resolve().parent.parent for path in written} == {place.resolve()}
    assert len({path.parent for path in written}) == len(students)
    assert [path.name for path in tmp_path.iterdir()] == ["copies"]
    marks = [nbformat.read(p, as_version=4).metadata["irmetrics_edu"]["copy"] for p in written]
    assert marks == [Variant(student, KEY).fingerprint for student in students]
    for plain in (".._x", "__", "_x"):
        assert place / plain / f"{source.stem}.ipynb" == written[students.index(plain)]


def test_no_copy_is_made_with_a_short_key(tmp_path):
    """Whatever the name; and nothing is written."""
    with pytest.raises(InputError, match="course key"):
        write_copies(read(FOURTH), ["a/b"], b"abc", tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_key_must_be_long(tmp_path):
    """A short one can be guessed; the message says how to make one."""
    short = tmp_path / "key"
    short.write_text("abc\n")
    with pytest.raises(InputError, match="token_hex"):
        read_key(short)
    with pytest.raises(InputError, match=r"no such file; .* Only if there are no copies yet, make"):
        read_key(tmp_path / "nokey")
    with pytest.raises(InputError, match="course key"):
        Variant("Ada", b"abc")
    long = tmp_path / "long"
    long.write_bytes(KEY + b"\n")
    assert read_key(long) == KEY


@pytest.mark.parametrize(
    "command",
    [tool.main, notebooks.main, quick.main, messages.main, slides.main],
    ids=lambda command: command.__module__,
)
def test_a_name_that_fits_nothing_is_refused_before_anything_is_written(command, tmp_path):
    """With the names that there are; so a slip of the keyboard does not look like success."""
    before = {messages: ["status"], slides: [str(tmp_path / "out")]}
    words = next((w for m, w in before.items() if m.__name__ == command.__module__), [])
    with pytest.raises(InputError, match=r"99: no file .* 04_graded_relevance") as caught:
        command([*words, "04", "99"])
    assert "such as 04" in str(caught.value)
    assert not list(tmp_path.iterdir())


GRADEBOOK = """Student,ID,SIS User ID,SIS Login ID,Section,x (1)
    Points Possible,,,,,7
"Lee, Ann",1001,m101,alee,Mon,
"Student, Test",1009,,test,Mon,
"""
WORKSHEET = "Identifier,Full name,Email address,Grade\nParticipant 991,Ann Lee,a@x.org,\n"


@pytest.mark.suite("guide")
def test_a_class_gets_its_copies_by_the_platforms_rosters(tmp_path, capsys):
    """A table of one's own, Canvas's gradebook without its test account, Moodle with its zip."""
    (tmp_path / "key").write_bytes(KEY)
    own = "student\nAda\n\n  Гриша  格蕾丝\n"
    rosters = {"names": own, "book.csv": GRADEBOOK, "sheet.csv": WORKSHEET}
    wanted = {"names": ["Ada", "Гриша 格蕾丝"], "book.csv": ["Lee, Ann"], "sheet.csv": ["Ann Lee"]}
    for name, text in rosters.items():
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        out = tmp_path / f"of {name}"
        given = ["--roster", str(tmp_path / name), "--key", str(tmp_path / "key")]
        assert main(["exercises", "04", *given, "--out", str(out)]) == 0
        copies = write_copies(read(FOURTH), wanted[name], KEY, tmp_path / "apart")
        for target in copies:
            own = out / target.relative_to(tmp_path / "apart")
            assert own.read_bytes() == target.read_bytes()
        zips = {"sheet.csv": ["04_graded_relevance-moodle.zip"]}.get(name, [])
        assert sorted(p.name for p in out.iterdir()) == sorted([*wanted[name], *zips])
    with zipfile.ZipFile(out / zips[0]) as archive:
        [entry] = archive.namelist()
        assert entry == "Ann Lee_991_assignsubmission_file/04_graded_relevance.ipynb"
        assert archive.read(entry) == copies[0].read_bytes()
    capsys.readouterr()
    assert main(["exercises", "04", *given[:2], "--out", str(tmp_path / "x")]) == 2
    assert "--key is missing" in capsys.readouterr().err
    assert main(["exercises", "4", "--out", str(tmp_path / "all")]) == 0
    stored = json.loads((tmp_path / "all" / f"{FOURTH.stem}.ipynb").read_text("utf-8"))
    assert stored == json.loads(nbformat.writes(copy_of(FOURTH)))


@pytest.mark.suite("guide")
def test_canvas_gives_each_student_a_copy_as_a_comment(tmp_path, capsys):
    """On the file that the student handed in, under its name; who handed in none is named."""
    (tmp_path / "key").write_bytes(KEY)
    book = GRADEBOOK + '"Müller, Su",1002,m2,su,S1\n"Ode, Jo",1003,m3,jo,S1\n'
    (tmp_path / "book.csv").write_text(book, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "handed in.zip", "w") as archive:
        archive.writestr("leeann_1001_555_04_graded_relevance.ipynb", "{}")
        archive.writestr("leeann_1001_556_04_graded_relevance-1.ipynb", "{}")
        archive.writestr("müllersu_LATE_1002_557_homework.pdf", "%PDF")
        archive.writestr("odejo_1003_text.html", "<p>please")
    given = ["--roster", str(tmp_path / "book.csv"), "--key", str(tmp_path / "key")]
    given += ["--canvas", str(tmp_path / "handed in.zip")]
    assert main(["exercises", "04", *given, "--out", str(tmp_path / "out")]) == 0
    assert "can't give a copy to: Müller, Su; Ode, Jo" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "out" / "04_graded_relevance-canvas.zip") as archive:
        [entry] = archive.namelist()
        # Canvas's own rule: the first two parts of the name that are digits are these ids.
        assert [p for p in entry.split("_") if p.isdigit()][:2] == ["1001", "555"]
        own = tmp_path / "out" / "Lee, Ann" / "04_graded_relevance.ipynb"
        assert archive.read(entry) == own.read_bytes()
    for zip_, words in ((tmp_path / "key", "no zip of Canvas's"), (tmp_path / "no", "no zip")):
        assert main(["exercises", "04", *given[:-1], str(zip_), "--out", str(tmp_path / "x")]) == 2
        assert words in capsys.readouterr().err
    assert main(["exercises", "04", *given[2:], "--out", str(tmp_path / "x")]) == 2
    assert "give the class with --roster" in capsys.readouterr().err


def test_a_folder_without_exercises_is_refused(tmp_path, capsys):
    """Nothing to build is no success either."""
    folder = str(tmp_path)
    assert main(["exercises", "--sources", folder, "--out", folder]) == 2
    said = capsys.readouterr().err
    assert f"no source of an exercise, such as 04_topic.py, in {folder}; name the" in said
    assert "The course's own are in the project's source, not in the package" in said


@pytest.mark.parametrize("form", [[], ["--otter", "--key", "course.key"]])
def test_without_nbformat_the_command_says_what_to_install(form, tmp_path, monkeypatch, capsys):
    """A missing extra is named, with the command that brings it; nothing is written."""
    monkeypatch.setitem(sys.modules, "nbformat", None)
    monkeypatch.chdir(tmp_path)
    Path("course.key").write_text("a key of the course, long enough\n", encoding="utf-8")
    asked = ["exercises", "04", "--sources", str(SOLUTIONS), "--out", "copies", *form]
    assert main(asked) == 2
    said = capsys.readouterr().err
    assert "a copy of an exercise needs nbformat: pip install nbformat (the extra course" in said
    assert not Path("copies").exists()
