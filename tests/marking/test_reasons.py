"""A reason is a value, and no sentence is read back: each reason has its own words."""

import ast
import re
from pathlib import Path

import pytest

from irmetrics_edu.classroom import marking
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.grading.outcome import Answer, NoValue, Raised, RunOutcome
from irmetrics_edu.classroom.grading.tiers import named
from irmetrics_edu.classroom.marking.running import answer_texts
from irmetrics_edu.classroom.marking.running.judging_run import FoundAnswer, judged

QUESTION = Question("total", "sum(grades)", kind="value")
TRIAL = Trial([{"grades": [3, 2, 1]}])
# What came back, what was found of it, and how the student's text begins.
KINDS = [
    (Answer(given=True, value=6), FoundAnswer.ANSWER, "Right."),
    (Answer(given=True, value=7), FoundAnswer.ANSWER, "7 is not right."),
    (Answer(given=True, value=None), FoundAnswer.BLANK, "There is no answer yet."),
    (Answer(lack=NoValue.BLANK, why="it is `...`"), FoundAnswer.BLANK, "There is no answer yet."),
    (Answer(error=Raised("NotImplementedError", "")), FoundAnswer.BLANK, "There is no answer yet."),
    (Answer(lack=NoValue.MISSING), FoundAnswer.NOTHING, "There is nothing called total"),
    (
        Answer(lack=NoValue.NOT_PLAIN, why="a value of type ellipsis is not plain data"),
        FoundAnswer.ANSWER,
        "There is no value: a value of type ellipsis",
    ),
    (
        Answer(lack=NoValue.NOT_PLAIN, why="There is no answer yet"),
        FoundAnswer.ANSWER,
        "There is no value: There is no answer yet.",
    ),
    (
        Answer(lack=NoValue.TOO_BIG, why="no 'total' is defined"),
        FoundAnswer.ANSWER,
        "It gives far more than it should: no 'total' is defined.",
    ),
    (Answer(lack=NoValue.ENDED, why="it is gone"), FoundAnswer.ANSWER, "There is no value: it is"),
    (
        Answer(error=Raised("ValueError", "There is no answer yet.")),
        FoundAnswer.ANSWER,
        "It raises ValueError: There is no answer yet.",
    ),
]


@pytest.mark.parametrize(("answer", "found", "begins"), KINDS, ids=range(len(KINDS)))
def test_each_kind_of_answer_has_its_own_words(answer, found, begins):
    """What the words say decides nothing: a student may write any of them."""
    outcome = RunOutcome((answer,), named("plain"))
    judgment = judged(QUESTION, TRIAL, outcome, ())
    assert judgment.found is found
    text = f"{judgment.verdict.text} {judgment.verdict.where}".strip()
    assert text.startswith(begins)
    assert found.is_answer is (found is FoundAnswer.ANSWER)


def test_each_reason_for_no_value_is_tried():
    """A new member of the enum needs its case here."""
    tried = {answer.lack for answer, _, _ in KINDS}
    assert tried == set(NoValue)


def test_interference_is_no_answer_that_counts():
    """Whatever came back beside it."""
    outcome = RunOutcome((Answer(given=True, value=6),), named("plain"), tampered=True)
    judgment = judged(QUESTION, TRIAL, outcome, ())
    assert judgment.found is FoundAnswer.TAMPERED
    assert judgment.verdict.share == 0


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Raised("ModuleNotFoundError", "No module named 'torch'", name="torch"), True),
        (Raised("NameError", "name 'torch' is not defined", name="torch"), True),
        (Raised("NameError", "name 'tor' is not defined", name="tor"), False),
        (Raised("NameError", "name 'torch' is not defined"), False),
        (Raised("ValueError", "name 'torch' is not defined", name="torch"), False),
    ],
)
def test_a_remedy_follows_the_name_and_not_the_message(error, told):
    """The name comes as a field of Python's own error; a message may say anything."""
    absent = [Raised("ModuleNotFoundError", "", text="import torch", name="torch")]
    text = answer_texts.error_in_words(error, QUESTION, absent)
    assert ("write this part yourself" in text) is told


SENTENCE = re.compile(r"[a-z]+ [a-z]+")


def test_nothing_in_marking_asks_how_a_sentence_begins_or_ends():
    """No `startswith`, `endswith` or `in` with several words in a row."""
    places = []
    for path in sorted(Path(marking.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            asked = []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in {"startswith", "endswith", "removeprefix", "removesuffix"}:
                    asked = node.args
            elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
                asked = [node.left]
            for one in asked:
                for part in ast.walk(one):
                    text = part.value if isinstance(part, ast.Constant) else ""
                    if isinstance(text, str) and SENTENCE.search(text):
                        places.append(f"{path.name}:{node.lineno} {text!r}")
    # What other programs write: Canvas's line of points, and the words of Moodle and of JSON.
    known = ("'points possible'", "'manual posting'", "' starting at'")
    assert [place for place in places if not place.endswith(known)] == []
