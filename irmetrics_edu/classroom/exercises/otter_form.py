"""Test files of Otter-Grader: the hidden inputs of each question, with points in steps of a half.

Otter gives a test case all its points or none. So a question has a test case for each half mark.
"""

from irmetrics_edu.classroom.exercises.checking import judged, packed
from irmetrics_edu.classroom.exercises.source import Source
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant

STEP = 0.5
_HEAD = '''"""What {name} is tried on; `otter generate` puts this file into the autograder's zip."""

from otter.test_files import test_case

from irmetrics_edu.classroom.exercises.otter_form import earns

OK_FORMAT = False
name = "{name}"
points = None
HIDDEN = "{hidden}"
'''
_CASE = """

@test_case(points={step:g}, hidden=True)
def test_{number}(env):
    earns("{name}", env.get("{name}"), HIDDEN, {least:g})
"""


def tests(source: Source, key: bytes) -> dict[str, str]:
    """The test file of each question that a program marks, by its name."""
    found = {}
    for q in source.exercise.questions:
        # The data of a value are in the notebook, which is the general copy.
        owner = GENERAL if q.kind == "value" else Variant("", key)
        hidden = packed(source.exercise, {q.name: owner.trial(source.exercise, q, hidden=True)})
        cases = [
            _CASE.format(step=STEP, number=n, name=q.name, least=n * STEP)
            for n in range(1, round(q.marks / STEP) + 1)
        ]
        found[f"{q.name}.py"] = "".join([_HEAD.format(name=q.name, hidden=hidden), *cases])
    return found


def earns(name: str, answer: object, hidden: str, least: float) -> None:
    """AssertionError with the feedback unless an answer earns so many marks on hidden inputs."""
    question, verdict = judged(name, answer, hidden)
    if round(verdict.share * question.marks, 4) < least:
        raise AssertionError(verdict.text)
