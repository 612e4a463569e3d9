"""The messages for translators: complete where they should be, and up to date."""

import re
import shutil
import zipfile

import nbformat
import pytest

from dev.tools import exercises, messages
from dev.tools.exercises import in_language
from irmetrics_edu.classroom.exercises import checking
from irmetrics_edu.classroom.exercises.build import as_text, notebook, write_copies
from irmetrics_edu.classroom.exercises.checking import unpacked
from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.marking.matching.copy_data import packed_in
from irmetrics_edu.cli import main as command
from irmetrics_edu.views.language import LANGUAGES, said, speak
from tests.conftest import ROOT

NAME = "04_graded_relevance"
SOURCE = read(ROOT / "solutions" / f"{NAME}.py")


def translated(code):
    """The copy for all in a language; "" is English."""
    return in_language(SOURCE, notebook(SOURCE), code) if code else notebook(SOURCE)


@pytest.fixture(autouse=True)
def _english_again():
    yield
    speak("")


def test_chapter_4_is_complete_in_both_languages():
    """Every message of the chapter, its exercise, its mistakes and the package's feedback."""
    found = dict(messages.status([NAME, messages.FEEDBACK]))
    assert {line.split(",")[0].split()[0] for line in found} == set(LANGUAGES)
    assert len(found) == 2 * len(LANGUAGES)
    assert [line for todo in found.values() for line in todo] == []


def test_the_catalogues_are_up_to_date():
    """What `make drift` says."""
    assert messages.main(["extract", "--check"]) == 0


def test_a_text_without_translation_is_named_with_its_line(monkeypatch):
    """A new sentence in a chapter fails `python -m dev.tools.messages status`."""
    own = messages.messages
    new = messages.Message("A new sentence.", "notebooks/04.py", 7)
    monkeypatch.setattr(messages, "messages", lambda name: [*own(name), new])
    found = dict(messages.status([NAME]))
    assert {todo[-1] for todo in found.values()} == {
        "notebooks/04.py:7: missing: 'A new sentence.'"
    }
    assert messages.main(["status", "04"]) == 1


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_exercise_differs_in_words_alone(code):
    """Ids, code and inputs are those of the English copy, which the grader knows."""
    english, other = notebook(SOURCE), translated(code)
    stored = ROOT / "exercises" / code / f"{NAME}.ipynb"
    assert stored.read_text(encoding="utf-8") == as_text(other)
    assert english.metadata == other.metadata
    for one, two in zip(english.cells, other.cells, strict=True):
        assert one.id == two.id
        if one.cell_type == "code" and "begin(" not in one.source:
            assert one.source == two.source


def test_a_students_copy_is_translated_in_its_place(tmp_path):
    """With the student's own inputs and fingerprint."""
    [path] = write_copies(SOURCE, ["Ann"], b"a course key of the tests", tmp_path)
    before = nbformat.read(path, as_version=4)
    assert exercises.main(["04", "--language", "ja", "--copies", str(tmp_path)]) == 0
    after = nbformat.read(path, as_version=4)
    assert after.metadata == before.metadata
    assert after.cells[0].source != before.cells[0].source
    setups = [next(c.source for c in b.cells if "begin(" in c.source) for b in (before, after)]
    assert setups[1].endswith(', language="ja")')
    own, same = (unpacked(text.split('"""')[1])[1] for text in setups)
    assert own == same
    # By its seals the grader knows the data as the student's, also once the source has changed.
    held = [packed_in([setup]) for setup in setups]
    assert held[0].seals
    assert held[0] == held[1]


def opened(code):
    """Open the exercise of a notebook in this language, as its first cell does."""
    setup = next(c for c in translated(code).cells if "begin(" in c.source)
    exec(setup.source, {})  # noqa: S102 -- as a student runs it


def no_discount(grades, k=None):
    """CG where DCG is asked for."""
    return sum(grades[:k])


SAID = {
    "": "CG, a sum without a discount",
    "zh": "没有折损因子的总和",
    "ja": "減損係数を掛けない和",
}


@pytest.mark.parametrize("code", SAID)
def test_feedback_speaks_the_language_of_the_notebook(code):
    """The mistake is the same; its words, the hint and what is right are in the language."""
    opened(code)
    found = checking.check("dcg", no_discount)
    assert (found.label, found.right) == ("no-discount", False)
    assert SAID[code] in found.text
    hint = checking.hint("dcg").text
    assert ("enumerate(grades, start=1)" in hint, "Loop" in hint) == (True, not code)
    assert said("Right.") == {"": "Right.", "zh": "正确。", "ja": "正解です。"}[code]


@pytest.fixture
def roster(tmp_path):
    """A class of three, two of whom read in other languages."""
    path = tmp_path / "roster.csv"
    path.write_text("student,moodle,language\nAnn,1,ja\nBo,2,zh\nCy,3,\n", encoding="utf-8")
    (tmp_path / "key").write_bytes(b"a course key of the tests")
    return path


def written(number, roster):
    """The copies of a class by student, and what the zip for Moodle holds."""
    folder = roster.parent
    words = ["exercises", number, "--roster", roster, "--key", folder / "key"]
    words += ["--out", folder / "out", "--sources", ROOT / "solutions"]
    assert command([*map(str, words)]) == 0
    books = {}
    for path in sorted((folder / "out").glob("*/*.ipynb")):
        books[path.parent.name] = path.read_text(encoding="utf-8")
    [archive] = (folder / "out").glob("*-moodle.zip")
    with zipfile.ZipFile(archive) as opened_zip:
        zipped = [opened_zip.read(name).decode() for name in opened_zip.namelist()]
    return books, zipped


def test_a_copy_is_in_the_language_that_the_roster_says(roster):
    """With the student's own inputs and seals, also in the zip for a platform."""
    books, zipped = written("04", roster)
    assert sorted(zipped) == sorted(books.values())
    for student, code in (("Ann", "ja"), ("Bo", "zh")):
        [path] = write_copies(
            SOURCE, [student], b"a course key of the tests", roster.parent / "english"
        )
        english = nbformat.read(path, as_version=4)
        copy = nbformat.reads(books[student], as_version=4)
        assert copy.metadata == english.metadata
        assert copy.cells[0].source == translated(code).cells[0].source
        begun = [next(c.source for c in b.cells if "begin(" in c.source) for b in (copy, english)]
        assert begun[0].endswith(f', language="{code}")')
        held = [packed_in([cell]) for cell in begun]
        assert held[0] == held[1]
        assert held[0].seals
    [path] = write_copies(SOURCE, ["Cy"], b"a course key of the tests", roster.parent / "english")
    assert books["Cy"] == path.read_text(encoding="utf-8")


def test_an_exercise_without_translation_stays_english_and_that_is_said(roster, capsys):
    """What `check` and `hint` say in it is in the student's language."""
    written("04", roster)
    assert "translation" not in capsys.readouterr().out
    shutil.rmtree(roster.parent / "out")
    books, _ = written("06", roster)
    said_of = capsys.readouterr().out
    for student, code in (("Ann", "ja"), ("Bo", "zh")):
        line = rf"exercise 06: (\d+) of \1 texts have no translation into {code} and stay English"
        assert re.search(line, said_of)
        assert f'language=\\"{code}\\"' in books[student]
        assert "More than chance: differences" in books[student]
    assert "language=" not in books["Cy"]
