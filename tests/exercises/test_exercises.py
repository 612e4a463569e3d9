"""Every exercise, tested alike: solved, untouched, mistaken, constant."""

import functools

import pytest

from irmetrics_edu.exercises import NAMES
from irmetrics_edu.exercises.build import ROOT, SOLUTIONS, solution, sources, student_copy
from irmetrics_edu.exercises.judging import EDGES, Failed, judge
from irmetrics_edu.exercises.source import read
from irmetrics_edu.exercises.variants import GENERAL, Variant
from irmetrics_edu.grading import tiers
from irmetrics_edu.grading.sandbox import Call, Case, run_question
from irmetrics_edu.marking.paper import Paper
from tests.conftest import ROOT as PROJECT

KEY = b"a course key of the tests"
PATHS = sources()
STUBS = {"irmetrics_edu.exercises": NAMES}
exercise_of = functools.cache(read)
paper_of = functools.cache(lambda path: Paper(exercise_of(path), KEY, tiers.named("plain")))
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
    source = exercise_of(path)
    variant = Variant(student, KEY) if student else GENERAL
    return variant.trial(source.exercise, source.exercise[name], hidden=hidden)


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


def answered(path, name, made, student=""):
    """The verdict on a notebook's answer, got as the grader gets it."""
    question = question_of(path, name)
    trial = trial_of(path, name, student)
    value = question.kind == "value"
    call = Call(question.calls or name, read=value, harness=question.harness)
    cases = [Case(*inputs.values()) for inputs in trial]
    outcome = run_question(
        cells_of(path, made, student), call, cases, packages=question.packages, stubs=STUBS
    )
    answers = [
        a.value if a.given else Failed(a.why or str(a.error), a.error.type if a.error else "")
        for a in outcome.answers
    ]
    return judge(question, trial, answers)


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


@pytest.mark.slow
@each_question
def test_the_solution_has_all_marks(path, name):
    """As the grader runs it: out of process, without the package; for a student's copy too."""
    assert answered(path, name, solution).share == 1
    assert answered(path, name, solution, "Ada").share == 1


@pytest.mark.slow
@each_question
def test_the_untouched_copy_has_none(path, name):
    """Nothing written is nothing earned."""
    verdict = answered(path, name, student_copy)
    assert verdict.share == 0
    assert verdict.problem


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


@pytest.mark.slow
@each_question
@pytest.mark.parametrize("constant", [0, 1, 0.5, True, False, None, "", [], "first"])
def test_a_constant_has_no_marks(path, name, constant):
    """Nor has the right answer to one input, given to all."""
    question = question_of(path, name)
    trial = trial_of(path, name)
    if constant == "first":
        if question.kind == "value":
            return
        constant = question.right(trial.general[0])
    assert judge(question, trial, [constant] * len(trial)).share == 0


@each_question
def test_what_is_said_never_holds_the_answer(path, name):
    """Neither feedback nor hints hold a right value, whatever is answered."""
    question = question_of(path, name)
    trial = trial_of(path, name)
    answers = [-77.25] * len(trial)
    said = [judge(question, trial, answers).text, *question.hints]
    said += [question.naming(label).sentence for label in question.labels]
    for inputs in trial.general:
        right = question.right(inputs)
        for value in right if isinstance(right, list) else [right]:
            if isinstance(value, float) and value != round(value, 1):
                assert not [text for text in said if f"{value:.6f}" in text]


@pytest.mark.slow
@each_question
def test_another_student_has_other_numbers(path, name):
    """Variants differ, and a second draw of one is the same."""
    assert trial_of(path, name, "Ada") != trial_of(path, name, "Grace")
    question = question_of(path, name)
    again = Variant("Ada", KEY).trial(exercise_of(path).exercise, question, hidden=True)
    assert again == trial_of(path, name, "Ada")


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
