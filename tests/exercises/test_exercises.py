"""Every exercise, tested alike: solved, untouched, mistaken, constant."""

import functools
import math
import re
from dataclasses import replace
from threading import Event

import pytest

from dev.tools.exercises import solution, sources
from dev.tools.places import ROOT
from irmetrics_edu.classroom.exercises.answer_checks import EDGES, judge
from irmetrics_edu.classroom.exercises.build import notebook
from irmetrics_edu.classroom.exercises.differing import Failed, literal, shown
from irmetrics_edu.classroom.exercises.source import SOLUTIONS, read
from irmetrics_edu.classroom.exercises.spec import Question
from irmetrics_edu.classroom.exercises.variants import GENERAL, Trial, Variant
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.running.child_runs import Turns
from irmetrics_edu.classroom.marking.running.mark_submission import mark_submission
from tests.conftest import ROOT as PROJECT
from tests.tiers import best_tier

KEY = b"a course key of the tests"
PATHS = sources()
exercise_of = functools.cache(read)
# One paper for all: what it draws and computes is drawn and computed once.
paper_of = functools.cache(lambda path: AnswerKey(exercise_of(path), KEY, best_tier()))
QUESTIONS = [(path, q.name) for path in PATHS for q in read(path).exercise.questions]
MISTAKES = [(p, n, m) for p, n in QUESTIONS for m in exercise_of(p).exercise[n].labels]


def named(value):
    """An id of a test case that a reader recognises."""
    return getattr(value, "stem", value)


each_question = pytest.mark.parametrize(("path", "name"), QUESTIONS, ids=named)


def wrongly(question, label, inputs):
    """What a mistake gives; on an edge it may well divide by 0."""
    try:
        return question.wrong(label, inputs)
    except ZeroDivisionError:
        return Failed("It raises ZeroDivisionError.", "ZeroDivisionError")


@functools.cache
def trial_of(path, name, student="", hidden=True):
    """The inputs that decide the marks of a question."""
    question = question_of(path, name)
    if hidden:
        return paper_of(path).trial(question, student, general=not student)
    variant = Variant(student, KEY) if student else GENERAL
    return variant.trial(exercise_of(path).exercise.number, question)


@functools.cache
def question_of(path, name):
    """A question that remembers what is right and what each mistake gives."""
    [question] = [q for q in paper_of(path).questions if q.name == name]
    return question


@functools.cache
def cells_of(path, made, student=""):
    """The code of a notebook that is made of an exercise."""
    book = made(exercise_of(path), Variant(student, KEY) if student else GENERAL)
    return [cell.source for cell in book.cells if cell.cell_type == "code"]


def graded(path, made, student=""):
    """The result of a notebook, as the grader gives it."""
    script = ReadySubmission("ada.ipynb", student, "", cells_of(path, made, student), not student)
    return mark_submission(replace(script, whose=student), paper_of(path), Event(), Turns(1))


def test_there_is_an_exercise_for_each_chapter():
    """Their numbers are those of the sources, and each is said in its title."""
    assert ROOT == PROJECT
    assert SOLUTIONS.is_dir()
    for path in PATHS:
        exercise = exercise_of(path).exercise
        assert exercise.number == path.stem[:2]
        first = exercise_of(path).cells[0]
        assert first.markdown
        assert first.text.startswith(f"# Exercise {int(exercise.number)}. {exercise.title}\n")
        assert f"**Marks.** {exercise.marks:g}." in first.text
        assert len(exercise.questions) >= 2


LONGEST = 45  # minutes
MORE = "## For those who want more\n"


@pytest.mark.parametrize("path", PATHS, ids=named)
def test_the_time_of_an_exercise_follows_from_its_marks(path):
    """3 minutes to read, 3 a mark of what is computed, 4 a mark of what is written; 45 at most."""
    source = exercise_of(path)
    exercise = source.exercise
    written = sum(question.marks for question in exercise.by_hand)
    minutes = 5 * math.ceil((3 + 3 * (exercise.marks - written) + 4 * written) / 5)
    assert f"**Time.** {minutes} minutes." in source.cells[0].text
    assert minutes <= LONGEST


@pytest.mark.parametrize("path", PATHS, ids=named)
def test_what_is_above_the_total_stands_last_and_says_so(path):
    """All bonus questions are under one heading, with their marks in the first cell."""
    source = exercise_of(path)
    places = {source.question_of(cell): i for i, cell in enumerate(source.cells)}
    bonus = [question for question in source.exercise.questions if question.bonus]
    extra = [i for i, cell in enumerate(source.cells) if cell.text.startswith(MORE)]
    assert len(extra) == bool(bonus)
    if bonus:
        others = {question.name for question in source.exercise.every if question not in bonus}
        assert max(places[name] for name in others) < extra[0]
        assert extra[0] < min(places[question.name] for question in bonus)
        marks = sum(question.marks for question in bonus)
        assert f"**Bonus.** {marks:g}." in source.cells[0].text


@pytest.mark.slow
@pytest.mark.parametrize("student", ["", "Ada"])
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_the_solution_has_all_marks_and_no_complaint(path, student):
    """As the grader runs it, for a student's copy too: its own cells are no error of anybody's."""
    result = graded(path, solution, student)
    assert [q.name for q in result.questions if not q.right] == []
    assert (result.told, result.notes) == ((), ())


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_the_untouched_copy_has_no_marks(path):
    """Nothing written is nothing earned, and no cell of the exercise is blamed for it."""
    result = graded(path, notebook)
    assert [(q.marks, q.text) for q in result.questions] == (
        [(0, "There is no answer yet.")] * len(result.questions)
    )
    assert (result.told, result.notes) == ((), ())


@pytest.mark.slow
def test_who_uses_a_package_of_another_question_is_told_so():
    """Exercise 14 imports the assertions for its test, and not for the mean by hand."""
    [path] = sources(["14"])
    cells = [
        cell.replace("return statistics.fmean", "return assert_no_regression or fmean")
        for cell in cells_of(path, solution)
    ]
    script = ReadySubmission("ada.ipynb", "", "", cells, general=True)
    marked = {
        q.name: q for q in mark_submission(script, paper_of(path), Event(), Turns(1)).questions
    }
    mean = marked.pop("mean_difference")
    assert "The grader has only the standard library and numpy: write this part" in mean.text
    assert all(question.right for question in marked.values())


@pytest.mark.parametrize(("path", "name", "label"), MISTAKES, ids=named)
def test_a_mistake_is_named_and_costs_marks(path, name, label):
    """The values of each mistake that applies are known as its own, in the check and the grade."""
    question = question_of(path, name)
    for hidden in (False, True):
        trial = trial_of(path, name, hidden=hidden)
        verdict = judge(question, trial, [wrongly(question, label, inputs) for inputs in trial])
        assert verdict.share < 1
        assert verdict.mistake.label == label
        assert verdict.mistake.sentence.startswith("Your values equal those of ")
        assert "you think" not in verdict.text.lower()


def call_shown(question, inputs):
    """The call with these inputs, as a student would write it."""
    return f"{question.name}({', '.join(map(literal, inputs.values()))})"


@each_question
def test_a_constant_has_no_marks(path, name):
    """Nor has the right answer to one input, given to all."""
    question = question_of(path, name)
    trial = trial_of(path, name)
    constants = [0, 1, 0.5, True, False, None, "", []]
    if question.kind != "value":
        constants.append(question.right(trial.general[0]))
    for constant in constants:
        assert judge(question, trial, [constant] * len(trial)).share == 0, constant


@each_question
def test_what_is_said_never_holds_the_answer(path, name):
    """Hints hold no right value; feedback holds none of an input that decides the marks."""
    question = question_of(path, name)
    trial = trial_of(path, name)
    text = judge(question, trial, [-77.25] * len(trial)).text
    said = [*question.hints, *(question.naming(label).sentence for label in question.labels)]
    said += [text] if question.kind == "value" else []
    for inputs in trial.general:
        assert question.kind == "value" or call_shown(question, inputs) not in text
        right = question.right(inputs)
        for value in right if isinstance(right, list) else [right]:
            if isinstance(value, float) and value != round(value, 1):
                assert not [text for text in said if f"{value:.6f}" in text]


@each_question
def test_a_wrong_function_is_shown_a_small_input_that_runs(path, name):
    """Whole, with its value and the right one: in the check and in the grade."""
    question = question_of(path, name)
    if question.kind == "value" or question.harness:
        return
    for hidden in (False, True):
        trial = trial_of(path, name, hidden=hidden)
        text = judge(question, trial, ["no number"] * len(trial)).text
        [(call, right)] = re.findall(r"Try (.*\))\. (.*) is right\.$", text)
        names = {name: lambda *given: given}
        given = dict(zip(trial.general[0], eval(call, names), strict=True))  # noqa: S307
        assert right == shown(question.right(given))
        assert len(call) <= min(
            len(call_shown(question, i)) for i in trial.examples or trial.general
        )


@pytest.mark.slow
@each_question
def test_another_student_has_other_numbers(path, name):
    """Copies differ, and a second draw of one is the same."""
    ada = trial_of(path, name, "Ada", hidden=False)
    assert ada != trial_of(path, name, hidden=False)
    again = Variant("Ada", KEY).trial(exercise_of(path).exercise.number, question_of(path, name))
    assert again == ada


@each_question
def test_an_edge_costs_little(path, name):
    """A function that is right but for its edges keeps most of its marks."""
    question = question_of(path, name)
    trial = trial_of(path, name)
    if trial.edges:
        answers = [question.right(inputs) for inputs in trial]
        for i in range(len(trial.general), len(trial.general) + len(trial.edges)):
            answers[i] = None
        assert judge(question, trial, answers).share == pytest.approx(1 - EDGES)


@pytest.mark.parametrize(
    ("right", "right_edges", "share"),
    [(12, 2, 1), (12, 1, 0.9), (12, 0, 0.8), (7, 2, 0.5), (7, 1, 0.45), (7, 0, 0.4), (0, 2, 0)],
)
def test_each_edge_costs_its_part_of_a_fifth(right, right_edges, share):
    """Of 12 different answers 2 bring nothing (a guess), so 7 are worth a half."""
    question = Question("square", "x * x")
    trial = Trial([{"x": x} for x in range(1, 13)], edges=[{"x": 0}, {"x": -1}])
    answers = [x * x if x <= right else 0.5 + x for x in range(1, 13)]
    answers += [0, 1][:right_edges] + [None] * (2 - right_edges)
    verdict = judge(question, trial, answers)
    assert verdict.share == pytest.approx(share)
    assert verdict.right == (share == 1)
