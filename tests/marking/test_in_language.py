"""The feedback on a translated copy is in the copy's language, each sentence of it."""

import ast
import json
import re
import shutil
from pathlib import Path
from threading import Event

import pytest

from dev.tools import messages
from dev.tools.exercises import in_language, solution, sources
from irmetrics_edu.classroom.exercises.build import as_text, notebook
from irmetrics_edu.classroom.exercises.source import SOLUTIONS, read
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.sandbox import tier_for
from irmetrics_edu.classroom.marking.collecting.notebook import language_told
from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.mark_class import mark_class
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.copy_data import language_in
from irmetrics_edu.classroom.marking.matching.lateness import LatenessRules
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.results import QuestionMark
from irmetrics_edu.classroom.marking.returning import feedback
from irmetrics_edu.classroom.marking.returning.exports import brief
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import MARKED, HandMark, Manual
from irmetrics_edu.classroom.marking.running import (
    answer_texts,
    carry_forward,
    changed_data,
    judging_run,
)
from irmetrics_edu.classroom.marking.running.child_runs import Turns
from irmetrics_edu.classroom.marking.running.mark_submission import mark_submission
from irmetrics_edu.views.language import restored, said, spoken_in, stored

# What the grader's sentences for students are written in, and the functions there for teachers.
WRITTEN = (answer_texts, carry_forward, changed_data, judging_run, feedback)
TEACHERS = {"stopped", "defined_again", "import_failed", "refused", "long_code"}
# Notes to teachers, what the report says of the machine, and code.
NOT_FOR_STUDENTS = {
    "the code started other processes or threads",
    answer_texts.ABOVE,
    *(found.value for found in judging_run.FoundAnswer),
    "the answer can't be compared (",
    " = [globals().get(name) for name in ",
}
MARKS_WORDS = ("said", "noted", "worded")
# What stays as it is: code, Python's own messages, and where to read on.
CODE = r"`[^`]*`|def \w+\([^\n]*|\[[^\]]*\]"
PYTHON_SAYS = r"\w+Error: [ -~]*"
CITED = r"(?:延伸阅读|参考文献)：.*"
DCG = "sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], 1))"
# Answers to exercise 04, each of which goes another way.
WAYS = (
    {"contributions": "contributions = [1.0]",
     "dcg": f"def dcg(grades, k=None):\n    1 / 0\n    return {DCG}",
     "ndcg": "def ndcg(grades, pool, k): return 7", "exp_ndcg": "exp_ndcg = ...",
     "jk_dcg": "def jk_dcg(*given): return None", "four": "four = 3",
     "swap": "def swap(*given):\n    while True: pass"},
    {"contributions": "grades = [9]\ncontributions = grades",
     "dcg": "def dcg(grades, k=None): return sum(grades[:k])",
     "ndcg": "import torch\ndef ndcg(*given): return torch.x",
     "exp_ndcg": "def exp_ndcg(*given):\n    raise NotImplementedError",
     "jk_dcg": "def jk_dcg(*given): return [0.0] * 2_000", "four": "four = [1.0, 1.0, 1.0, 1.0]",
     "swap": "def swap(*given): import os; os._exit(0)"},
    {"dcg": "def dcg(grades, k=None) return 0",
     "ndcg": "def ndcg(*given):\n    class Own(Exception): pass\n    raise Own",
     "exp_ndcg": "def exp_ndcg(*given): return [0] * 10 ** 10", "four": "del four",
     "swap": "def swap(*given):\n    import math\n    return math.not_yet"},
)  # fmt: skip


@pytest.mark.parametrize("module", WRITTEN, ids=lambda module: module.__name__.rpartition(".")[2])
def test_each_sentence_for_students_can_be_translated(module):
    """A text of three words and more is one that a translation is looked up for."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    marked = set()
    without = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS_WORDS:
            marked |= {id(inner) for inner in ast.walk(node)}
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            marked.add(id(body[0].value))  # a docstring
        if getattr(node, "name", "") in TEACHERS:
            marked |= {id(inner) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        text = getattr(node, "value", "") if id(node) not in marked else ""
        if not isinstance(node, ast.Constant) or not isinstance(text, str):
            continue
        if re.search(r"[a-z]+ [a-z]+ [a-z]+", text) and text not in NOT_FOR_STUDENTS:
            without.append(text)
    assert without == []


def test_each_sentence_has_its_translation():
    """In each language; those without are listed."""
    assert {line: todo for line, todo in messages.status(["feedback"]) if todo} == {}


def row_of(number, code):
    """What a student reads who gave one of the ways' answers in a copy of this language."""
    [path] = sources(["04"])
    source = read(path)
    book = in_language(source, solution(source), code)
    cells = []
    for cell in book.cells:
        name = cell.id.removeprefix("04-").replace("-", "_")
        is_code = cell.cell_type == "code" and "check" not in cell.id
        cells.append(WAYS[number].get(name, cell.source) if is_code else "")
    ready = ReadySubmission("a.ipynb", "ann", "", cells, general=True)
    assert ready.language == code
    answer_key = AnswerKey(
        source, b"a key that is long enough for it", tier_for(), SandboxLimits(cpu=1.0, wall=4.0)
    )
    result = mark_submission(ready, answer_key, Event(), Turns(1))
    lines = [QuestionLine(question) for question in result.questions]
    [asked] = source.exercise.by_hand
    by_hand = QuestionMark(asked.name, asked.title, 3, judged=False)
    points = tuple(criterion.points for criterion in asked.rubric)
    lines.append(QuestionLine(by_hand, hand=HandMark(asked, MARKED, points, "好")))
    lines.append(QuestionLine(by_hand, hand=HandMark(asked, "to be marked")))
    lines[0] = QuestionLine(result.questions[0], Manual(1, "好"), said="好")
    late = LatenessRules().of("ann", "04", None, clock="Canvas", marked=True)
    exercise = source.exercise
    return Row(Person("ann"), "04", source.stem, exercise.title, exercise.marks, result.status,
               result, tuple(lines), lateness=late, others=("b.ipynb",), group="G")  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("code", [pytest.param("ja", marks=pytest.mark.suite("guide")), "zh"])
@pytest.mark.parametrize("number", range(len(WAYS)))
def test_the_feedback_is_in_the_language_of_the_copy(code, number):
    """No three words of English follow one another, outside of code and of what Python says."""
    row = row_of(number, code)
    english = []
    for text in (feedback.markdown(row), "\n".join(brief(row))):
        for line in text.replace("\\", "").splitlines():
            bare = re.sub(f"{CODE}|{PYTHON_SAYS}|{CITED}", "", line)
            if re.search(r"[A-Za-z]{2,}[ ,]+[a-z]{2,}[ ,]+[a-z]{2,}", bare):
                english.append(line)
    assert english == [], "\n".join(english)
    assert f'lang="{"ja" if code == "ja" else "zh-Hans"}"' in feedback.as_html(row)


def test_an_english_copy_has_english_feedback_in_the_same_process():
    """The language is that of a copy, not of the process; one that is not known is English."""
    begin = 'begin("""QUJD""", language="{}")'
    assert [language_in([begin.format(code)]) for code in ("ja", "zh", "xx", "../x")] == [
        "ja",
        "zh",
        "",
        "",
    ]
    assert language_in(['begin("""QUJD""")', begin.format("ja")]) == ""
    assert language_in(["x = 1"]) is None


# What is handed in and can't be read, or is of another exercise: a file's name and its bytes.
NOT_MARKED = {
    "04_graded_relevance.pdf": b"%PDF-1.7",
    "notes": b"to do",
    "empty.ipynb": b"",
    "cut.ipynb": b'{"cells": [{"cell_type": "code", "source": "x = 1',
    "wrong.ipynb": b'{"cells": ]}',
    "merge.ipynb": b'{\n<<<<<<< HEAD\n "cells": []}',
    "page.ipynb": b"<!DOCTYPE html><p>a notebook",
    "zip.ipynb": b"PK\x03\x04",
    "letters.ipynb": b'{"cells": "\xff\xfe\xfa"}',
    "digits.ipynb": b'{"cells": [], "n": ' + b"9" * 5_000 + b"}",
    "deep.ipynb": b'{"cells": ' + b"[" * 90_000 + b"]" * 90_000 + b"}",
    "parts.ipynb": b'{"cells": [' + b"[]," * 1_000_001,
    "format.ipynb": b'{"worksheets": [{"cells": []}], "nbformat": 3}',
    "none.ipynb": b'{"metadata": {}}',
    "object.ipynb": b'{"cells": {}}',
    "blank.ipynb": b'{"cells": []}',
    "many.ipynb": json.dumps(
        {"cells": [{"cell_type": "code", "source": "1", "metadata": {}}] * 5_001}
    ).encode(),
    "code.ipynb": json.dumps(
        {"cells": [{"cell_type": "code", "source": "1\n" * 1_100_000, "metadata": {}}]}
    ).encode(),
}  # fmt: skip
ENGLISH = re.compile(r"[A-Za-z]{2,}[ ,]+[a-z]{2,}[ ,]+[a-z]{2,}")
# What a program's error and a menu of Jupyter are called.
AS_IT_IS = r"、[A-Z][ -~]+|，[A-Z][ -~]+|\(Edit, Clear All Outputs\)|（Edit, Clear All Outputs）"


@pytest.fixture(scope="module")
def not_marked(tmp_path_factory):
    """A class in which nobody's file can be marked, each student with a language of the roster."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "key").write_bytes(b"a key that is long enough for it")
    roster = ["student,language"]
    handed_in = folder / "in"
    [path] = sources(["01"])
    other = read(path)
    for code in ("ja", "zh", ""):
        for name, data in NOT_MARKED.items():
            student = f"{Path(name).name.replace('.', '-')}-{code or 'none'}"
            roster.append(f"{student},{code}")
            (handed_in / student).mkdir(parents=True)
            (handed_in / student / name).write_bytes(data)
        roster += [f"other-{code or 'none'},{code}", f"nothing-{code or 'none'},{code}"]
        (handed_in / f"other-{code or 'none'}").mkdir()
        book = json.loads(as_text(notebook(other)))
        for cell in book["cells"]:
            if "begin(" in "".join(cell["source"]):
                cell["source"] = "import math"
        (handed_in / f"other-{code or 'none'}" / "a.ipynb").write_text(json.dumps(book))
        (handed_in / f"nothing-{code or 'none'}").mkdir()
    (folder / "roster.csv").write_text("\n".join(roster), encoding="utf-8")
    options = GradeOptions(
        key=folder / "key", out=folder / "marks", sources=SOLUTIONS, exercise="04",
        rosters=(folder / "roster.csv",),
    )  # fmt: skip
    marked = mark_class(handed_in, options)
    return folder, handed_in, options, marked


@pytest.mark.parametrize("name", [*NOT_MARKED, "other", "nothing"])
def test_why_nothing_is_marked_is_said_in_the_language_of_the_roster(not_marked, name):
    """In each form of the feedback no three words of English follow one another; else all do."""
    folder, *_ = not_marked
    for code in ("ja", "zh", "none"):
        [of_student] = (folder / "marks" / "feedback").glob(f"{name.replace('.', '-')}-{code}*")
        [markdown] = of_student.glob("*.md")
        text = markdown.read_text(encoding="utf-8").replace("\\", "")
        [results] = of_student.glob("*.results.json")
        text += json.loads(results.read_text(encoding="utf-8"))["output"]
        left = [line for line in re.sub(AS_IT_IS, "", text).splitlines() if ENGLISH.search(line)]
        left = [line for line in left if not line.startswith(("# ", "**"))]
        assert bool(left) == (code == "none"), text


def test_a_later_round_says_it_in_the_same_language(not_marked):
    """Files that this round does not have, and lateness, are said from what was kept of them."""
    folder, handed_in, options, _ = not_marked
    before = {}
    for path in (folder / "marks" / "feedback").glob("*/*.md"):
        before[path] = path.read_text(encoding="utf-8")
    alone = folder / "late"
    student = next(handed_in.glob("empty-*ja"))
    shutil.copytree(student, alone / student.name)
    mark_class(alone, options)
    after = {path: path.read_text(encoding="utf-8") for path in before}
    assert after == before


def test_what_cannot_be_read_is_not_counted_as_graded(not_marked):
    """None of these files has marks: none was graded, and none is kept in a second round."""
    *_, handed_in, options, marked = not_marked
    count = 3 * (len(NOT_MARKED) + 2)
    said = f"0 newly graded, {count} that can't be graded, 0 kept as they were"
    assert said in marked.lines
    assert said in mark_class(handed_in, options).lines


def test_lateness_is_kept_so_that_it_can_be_said_in_any_language():
    """Also the part of it that says by which clock."""
    late = LatenessRules().of("ann", "04", None, clock="Canvas's mark", marked=True)
    kept = restored(json.loads(json.dumps(stored(late.said))))
    assert kept == late.said == "late, by Canvas's mark; how late is not known"
    for code in ("ja", "zh"):
        with spoken_in(code):
            assert said(kept) == said(late.said) != late.said


@pytest.mark.parametrize(
    ("cut", "code"), [(600, ""), (None, "ja")], ids=["before the first cell", "at the end"]
)
def test_a_broken_copy_tells_its_language_if_the_place_is_left(cut, code):
    """The file breaks off; what is left of it is searched for the language."""
    [path] = sources(["04"])
    source = read(path)
    text = as_text(in_language(source, notebook(source), "ja"))[: cut or -40]
    assert language_told(text.encode()) == code


def test_the_copy_counts_before_the_roster():
    """A Japanese copy of a student whose roster says Chinese; and one that lost its first cell."""
    begun = 'begin("""QUJD""", language="ja")'
    for cells, language in (([begun], "ja"), (["x = 1"], "zh"), (['begin("""QUJD""")'], "")):
        ready = ReadySubmission("a.ipynb", "ann", "", cells, listed_language="zh")
        assert ready.language == language
