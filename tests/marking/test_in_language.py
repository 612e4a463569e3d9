"""The feedback on a translated copy is in the copy's language, each sentence of it."""

import ast
import re
from pathlib import Path
from threading import Event

import pytest

from dev.tools import messages
from dev.tools.exercises import in_language, solution, sources
from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.sandbox import tier_for
from irmetrics_edu.classroom.marking.collecting.owner_names import Person
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
    result = mark_submission(ready, answer_key, Event(), Turns())
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
@pytest.mark.parametrize("code", ["ja", "zh"])
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
