"""Small inputs that ended in a traceback, in hours or in a message of a megabyte, by kind."""

import ast
import json
import zipfile
from pathlib import PurePosixPath

import pytest

from irmetrics_edu import diagnose, evaluate
from irmetrics_edu.classroom.marking.collecting import archives, submissions
from irmetrics_edu.classroom.marking.returning.course_total import graded_in
from irmetrics_edu.classroom.marking.reviewing import earlier_rows, marking_page
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging import judges
from irmetrics_edu.judging.stored_claims import read_claims
from irmetrics_edu.lab.learning.letor import read_letor
from irmetrics_edu.reading.toml_files import toml_of
from tests.conftest import ROOT

DEEP = "[" * 100_000 + "]" * 100_000
# Whose JSON is no file of others.
_OWN = {
    "classroom/exercises/checking.py",
    "classroom/exercises/copy_text.py",  # a cell of one's own copy, or the package's own questions
    "classroom/exercises/source.py",
    "classroom/grading/child.py",
    "classroom/grading/protocol.py",
    "classroom/grading/supervisor.py",
    "course/collection/collection_files.py",
    "course/teaching_kit.py",
    "diagnosis/conformance/vectors.py",
}
_PAGE = "classroom/marking/reviewing/marking_page.py"  # reads its own page anew, and one of others


def _guarded(tree: ast.AST) -> set[int]:
    """The lines of a module within a `try` that hears of JSON that is nested too deeply."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try):
            heard = {n.id for h in node.handlers if h.type for n in ast.walk(h.type)
                     if isinstance(n, ast.Name)}  # fmt: skip
            if heard & {"RecursionError", "SPOILT"}:
                lines.update(range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1))
    return lines


@pytest.mark.suite("guide")
def test_every_reader_of_json_refuses_what_is_nested_too_deeply():
    """By Python's own limit, which no reader forgets."""
    forgotten = []
    for path in (ROOT / "irmetrics_edu").rglob("*.py"):
        name = path.relative_to(ROOT / "irmetrics_edu").as_posix()
        tree = ast.parse(path.read_text("utf-8"))
        guarded = _guarded(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or ast.unparse(node.func) != "json.loads":
                continue
            if name not in _OWN and node.lineno not in guarded:
                forgotten.append(f"{name}:{node.lineno}")
    assert [place for place in forgotten if not place.startswith(_PAGE)] == []
    assert len(forgotten) <= 1


@pytest.mark.parametrize(
    "read",
    [
        graded_in,
        earlier_rows.read,
        lambda folder: marking_page.read_saved(folder, {}),
        lambda folder: read_claims(folder / "log.json"),
    ],
)
def test_deep_json_is_refused_with_its_file(read, tmp_path):
    """In folders of results, and within a log."""
    for name in ("marks.json", "rows.json"):
        (tmp_path / name).write_text(DEEP, encoding="utf-8")
    log = 'Claims:\n[\n    "x"\n] \n \nVerdicts:\n' + DEEP
    case = {"input": "q", "metricsData": [{"name": "Faithfulness", "verboseLogs": log}]}
    (tmp_path / "log.json").write_text(json.dumps({"testCases": [case]}), encoding="utf-8")
    with pytest.raises(InputError, match=r"\.json|test case 1"):
        read(tmp_path)


@pytest.mark.parametrize("marks", ["1e999999999", "1/" + "7" * 9_000, [1], {}, True])
def test_marks_that_are_no_numbers_are_refused(marks, tmp_path):
    """An exponent of a text would be multiplied out, for hours."""
    row = {"student": "s", "exercise": "77", "status": "graded", "marks": marks, "out of": 2}
    (tmp_path / "marks.json").write_text(json.dumps([row]), encoding="utf-8")
    with pytest.raises(InputError, match=r"marks\.json: it is not what `grade` writes"):
        graded_in(tmp_path)


@pytest.mark.parametrize("share", ["1e999999999", "1E9", "1/0x", "", "9" * 600])
def test_a_share_is_read_as_it_is_written(share):
    """Others are refused before they are computed."""
    with pytest.raises(ValueError, match="is no share"):
        earlier_rows._share(share)
    assert earlier_rows._share("-3/7") == -earlier_rows._share("3/7")


def test_a_document_that_is_no_utf8_and_stands_twice_is_named(tmp_path):
    """By its bytes, and with both lines."""
    (tmp_path / "run").write_bytes(b"q1 Q0 a 1 3 t\nq1 Q0 \xff\xfe 2 2 t\nq1 Q0 \xff\xfe 3 1 t\n")
    with pytest.raises(
        InputError, match=r"(?s)line 3.*\\udcff\\udcfe': ranked twice, first in line 2"
    ):
        evaluate(tmp_path / "run", {"q1": {"a": 1}}, "RR")


def test_a_message_of_a_command_has_no_word_that_fills_screens(tmp_path, capsys):
    """It shows the beginning, and says how long the word is."""
    (tmp_path / "run").write_text(f"{'9' * 9_000} Q0 d 1 1 t\n", encoding="utf-8")
    (tmp_path / "qrels").write_text("q1 0 d 1\n", encoding="utf-8")
    assert main(["evaluate", str(tmp_path / "qrels"), str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "... (9,0" in said
    assert len(said) < 2_000


def test_a_path_of_many_folders_is_refused_at_once(tmp_path):
    """The time grew with the square of its depth, and with its cube where students are told."""
    with zipfile.ZipFile(tmp_path / "deep.zip", "w") as archive:
        archive.writestr("a/" * 20_000 + "77.ipynb", b"{}")
        archive.writestr("b/77.ipynb", b"{}")
    with zipfile.ZipFile(tmp_path / "deep.zip") as archive:
        wanted, refused = archives._wanted(archive.infolist())
    assert [entry.filename for entry in wanted] == ["b/77.ipynb"]
    assert len(refused) == 1


@pytest.mark.parametrize(
    ("files", "top"),
    [
        (["sub/ann/a.ipynb", "sub/ben/a.ipynb"], "sub"),
        (["x/sub/ann/a.ipynb", "x/sub/ben/a.ipynb"], "x/sub"),
        (["sub/ann/a.ipynb", "sub/b.ipynb"], ""),
        (["ann/a.ipynb", "ben/a.ipynb"], ""),
        (["sub/77/a.ipynb", "sub/ann/a.ipynb"], ""),
        (["a.ipynb"], ""),
    ],
)
def test_the_folder_of_all_students(files, top):
    """Also at any depth."""
    root = PurePosixPath("/class")
    assert submissions._top([root / file for file in files], root, ["77"]) == root / top


def test_no_more_levels_of_relevance_are_tried_than_scales_have():
    """The lowest are, and the answer says that others were not."""
    run = {"q": {f"d{i}": -float(i) for i in range(300)}}
    qrels = {"q": {f"d{i}": i * 7 % 293 for i in range(300)}}
    found = diagnose("P@5", run, qrels, value="0.123456")
    assert "levels of relevance above the 100 lowest grades" in found.text
    few = {"q": {d: grade % 100 for d, grade in qrels["q"].items()}}
    assert "levels of relevance" not in diagnose("P@5", run, few, value="0.123456").text


def _history(folder, commits, tests):
    line = (
        '{{"commit":"c{}","test":"t{}","measure":"RR","verdict":"pass","score":0.5,"low":0.4,'
        '"high":0.6,"queries":3,"margin":0.1}}\n'
    )
    path = folder / "h.jsonl"
    written = [line.format(c, t) for c in range(commits) for t in range(tests)]
    path.write_text("".join(written), encoding="utf-8")
    return path


def test_a_figure_of_a_long_history_names_some_commits(tmp_path, capsys):
    """Its time grows with what is drawn, and each name is laid out against all others."""
    out = tmp_path / "h.svg"
    assert main(["history", str(_history(tmp_path, 400, 1)), "--svg", str(out)]) == 0
    shown = out.read_text(encoding="utf-8")
    assert 30 < shown.count("<!-- c") <= 40
    assert main(["history", str(_history(tmp_path, 1, 51)), "--svg", str(out)]) == 2
    assert "51 series are too many for a figure, which has room for 50" in capsys.readouterr().err


TOML = {
    "deep": ("a = " + "[" * 50_000 + "]" * 50_000, "it is nested too deeply"),
    "digits": ("a = " + "9" * 900_000, "can't be read as TOML"),
    "dots": (".".join("a" * 100_000) + " = 1", "line 1: a key has more than 1,000 parts"),
}


@pytest.mark.parametrize("case", TOML)
def test_toml_of_one_megabyte_is_refused_by_its_file(case, tmp_path, capsys):
    """Settings of a study: deep, of a number that Python does not read, of a key of many parts."""
    text, message = TOML[case]
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        toml_of(text, path)
    assert main(["study", "--settings", str(path)]) == 2
    assert "settings.toml" in capsys.readouterr().err


def test_a_table_of_features_that_is_nearly_empty_is_refused(tmp_path):
    """Few numbers in a table of gigabytes; a line of many features is read at once."""
    path = tmp_path / "features.txt"
    path.write_text("".join(f"1 qid:{i} 50000:1\n" for i in range(2_000)), encoding="utf-8")
    with pytest.raises(InputError, match="a table of 100,000,000 cells, and the file gives 2,000"):
        read_letor(path)
    path.write_text("1 qid:1 " + " ".join(f"{i}:1" for i in range(1, 50_001)), encoding="utf-8")
    assert read_letor(path).features.shape == (1, 50_000)
    path.write_text("1 qid:1 1:1 " + "9" * 5_000 + ":1", encoding="utf-8")
    with pytest.raises(InputError, match="the number of a feature has 5000 digits"):
        read_letor(path)


def test_more_judges_than_are_compared_in_seconds_are_refused():
    """As where the column of judges holds the ids of labels."""
    with pytest.raises(InputError, match="there are 5,001 judges"):
        judges({f"J{i}": {"q": {"d": i % 2}} for i in range(5_001)})


def test_a_small_archive_does_not_unpack_without_end(tmp_path):
    """Beyond 64 MiB so many times its size at most: each loses alike, and the class goes on."""
    path = tmp_path / "c.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for student in ("ann", "ben", "cy", "dee"):
            archive.writestr(f"{student}/77.ipynb", b" " * (25 << 20))
        archive.writestr("eve/77.ipynb", b"{}")
    room = path.stat().st_size * archives.MOST_RATIO
    assert archives.FREE < room < 100 << 20  # so it is the size that decides
    refused = archives.unpack(path, tmp_path / "out")
    assert len(refused) == 4 - room // (25 << 20)
    assert (tmp_path / "out" / "eve" / "77.ipynb").read_bytes() == b"{}"
    assert all(f"{room:,}" in str(one.why) or "one of" in str(one.why) for one in refused)
