"""All texts of feedback, each with the answer that brings it: `python -m dev.tools.feedback_texts`.

Read the list as a student would, after each change of a text. First come answers that go wrong in
some way, as the notebook's `check` and the grader speak of them; then each known mistake of each
exercise. A test holds the first part to all texts that the code has.
"""

import argparse
import functools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Event

from dev.tools.exercises import solution, sources
from irmetrics_edu.classroom.exercises.checking import begin, check, packed
from irmetrics_edu.classroom.exercises.source import ExerciseSource, read
from irmetrics_edu.classroom.exercises.variants import GENERAL
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.sandbox import tier_for
from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.returning.feedback import notices, parts
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.classroom.marking.running.child_runs import Turns
from irmetrics_edu.classroom.marking.running.mark_submission import mark_submission
from irmetrics_edu.views.output import ended, put

KEY = b"a key for the list of texts, long enough"


@dataclass(frozen=True)
class Case:
    """An answer to a question of an exercise, the way in which it goes wrong, and cells beside."""

    about: str
    exercise: str
    name: str
    cell: str
    after: Sequence[str] = ()
    before: Sequence[str] = ()


def _dcg(body: str) -> str:
    return f"def dcg(grades, k=None):\n    {body}"


RIGHT = "return sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], 1))"
CASES = (
    Case("right", "04", "dcg", _dcg(RIGHT)),
    Case("nothing is written", "04", "dcg", _dcg("raise NotImplementedError")),
    Case("the line that was handed out is still there", "04", "dcg",
         _dcg(f"raise NotImplementedError\n    {RIGHT}")),
    Case("another name", "04", "dcg", "def DCG(grades, k=None):\n    return 0"),
    Case("a known mistake", "04", "dcg", _dcg("return sum(grades[:k])")),
    Case("no known mistake", "04", "dcg", _dcg("return 7.5 + len(grades)")),
    Case("a line of code that is wrong", "04", "dcg", _dcg("return grades[99]")),
    Case("a misspelt name", "04", "dcg", _dcg("return sun(grades)")),
    Case("code that is no Python", "04", "dcg", "def dcg(grades, k=None)\n    return 0"),
    Case("no return", "04", "dcg", _dcg("total = sum(grades)")),
    Case("a text", "04", "dcg", _dcg("return 'high'")),
    Case("True", "04", "dcg", _dcg("return True")),
    Case("a set", "04", "dcg", _dcg("return {1.0}")),
    Case("NaN", "04", "dcg", _dcg("return float('nan')")),
    Case("a number beyond bounds", "04", "dcg", _dcg("return 10 ** 301")),
    Case("what is no data", "04", "dcg", _dcg("return dcg")),
    Case("dots", "04", "dcg", _dcg("return ...")),
    Case("the empty list forgotten", "04", "ndcg", _dcg(RIGHT) + "\ndef ndcg(grades, pool, k):\n"
         "    return dcg(grades, k) / dcg(sorted(pool, reverse=True), k)"),
    Case("a list that is not cut", "04", "dcg",
         "def dcg(grades, k):\n    return sum(g / math.log2(i + 1) for i, g in "
         "enumerate(grades[: k or 1], 1))"),
    Case("rounded on the way", "04", "dcg",
         _dcg("return sum(round(g / math.log2(i + 1), 2) for i, g in enumerate(grades[:k], 1))")),
    Case("rounded at the end", "04", "dcg", _dcg(RIGHT.replace("sum(", "round(sum(") + ", 2)")),
    Case("a little off", "04", "dcg", _dcg(RIGHT.replace("return ", "return 1.001 * "))),
    Case("wrong from the third line on", "04", "dcg",
         _dcg(RIGHT.replace("(i + 1)", "(i + 1 + (i > 2))"))),
    Case("wrong for many documents", "04", "dcg", _dcg(f"{RIGHT} - (k is not None and k > 2)")),
    Case("a divisor that is wrong", "02", "ap",
         "def ap(ranking, judgments):\n    hits = [judgments.get(d, 0) for d in ranking]\n"
         "    found = [sum(hits[:i]) / i for i, hit in enumerate(hits, 1) if hit]\n"
         "    return sum(found) / len(found) if found else 0.0"),
    Case("a list that is too short", "04", "contributions", "contributions = [1.0]"),
    Case("a value that is wrong", "04", "four", "four = [1.0, 1.0, 1.0, 1.0]"),
    Case("no value", "04", "four", "four = ..."),
    Case("texts in a list", "01", "counts", "counts = ['one', 'two', 3, 4]"),
    Case("a dict", "01", "counts", "counts = {'TP': 1}"),
    Case("wrong for some", "02", "precision_at", "def precision_at(ranking, judgments, k):\n"
         "    return sum(judgments.get(d, 0) for d in ranking[: k + 1]) / k"),
    Case("the function is called", "04", "dcg", _dcg(RIGHT) + "\ndcg = dcg([1, 2])"),
    Case("a number in place of a list", "01", "counts", "counts = 3"),
    Case("part of a list", "01", "from_table",
         "def from_table(tp, fp, fn, tn):\n    return [tp / (tp + fp), tp / (tp + fn), 0.0, 0.0]"),
    Case("some of the values", "04", "contributions",
         "contributions = [g / math.log2(i + 1) for i, g in enumerate(grades, 1)]\n"
         "contributions[0] = 99"),
    Case("part of a table", "12", "round_by_hand", "round_by_hand = [0.5, 0.5]"),
    Case("a wrong verdict", "13", "test_average", "def test_average(*given):\n    assert True"),
    Case("a test that always fails", "13", "test_average",
         "def test_average(*given):\n    assert False"),
    Case("its input is changed", "04", "dcg", _dcg(f"grades.sort()\n    {RIGHT}")),
    Case("a loop without end", "04", "dcg", _dcg("while True: pass")),
    Case("a cell after it without end", "04", "dcg", _dcg(RIGHT), ("while True: pass",)),
    Case("a cell before it without end", "04", "dcg", _dcg(RIGHT), (), ("while True: pass",)),
    Case("a cell before it stops", "04", "dcg", f"1 / 0\n{_dcg(RIGHT)}"),
    Case("a package that is not there", "04", "dcg",
         "import torch\n" + _dcg("return torch.ones(1)")),
    Case("far more than it should give", "04", "dcg", _dcg("return [0.0] * 2_000")),
    Case("too much memory", "04", "dcg", _dcg("return [0] * 10 ** 10")),
    Case("it ends the program", "04", "dcg", _dcg("import os; os._exit(0)")),
    Case("it writes on the grader's channel", "04", "dcg",
         _dcg("import os\n    for n in range(3, 9):\n        try: os.write(n, b'\\0\\0\\0\\2{}')\n"
              "        except OSError: pass\n    return 1.0")),
    Case("an earlier answer is wrong", "04", "ndcg", _dcg("return sum(grades[:k])")),
)  # fmt: skip


def said(case: Case) -> list[str]:
    """What `check` and then the grader say of an answer; the rest of the notebook is right."""
    source = _source(case.exercise)
    return [*_checked(source, case), *(f"Grader: {text}" for text in _graded(source, case))]


@functools.cache
def _source(number: str) -> ExerciseSource:
    [path] = sources([number])
    return read(path)


def _checked(source: ExerciseSource, case: Case) -> Iterator[str]:
    """What the notebook says, if its cell runs."""
    if "import os" in case.cell:  # what would end this program, too
        return
    values = {q.name: GENERAL.trial(source.exercise.number, q) for q in source.exercise.questions}
    begin(packed(source.exercise, values))
    names: dict[str, object] = {}
    try:
        exec(f"import math\n{case.cell}", names)  # noqa: S102 -- written above
        yield f"Notebook: {check(case.name, names[case.name]).text}"
    except Exception as error:  # noqa: BLE001 -- Jupyter shows it, as it does any other
        yield f"Notebook: ({type(error).__name__})"


def _graded(source: ExerciseSource, case: Case) -> list[str]:
    """What the feedback says; the other answers are those of the solution."""
    exercise = source.exercise
    own = f"{exercise.number}-{case.name.replace('_', '-')}"
    cells = [c for c in solution(source).cells if c.cell_type == "code" and "check" not in c.id]
    texts = [case.cell if c.id == own else c.source for c in cells]
    paper = AnswerKey(source, KEY, tier_for(), SandboxLimits(cpu=1.0, wall=4.0))
    script = ReadySubmission(
        "a.ipynb", "ann", "", [*case.before, *texts, *case.after], general=True
    )
    result = mark_submission(script, paper, Event(), Turns(1))
    lines = tuple(QuestionLine(q) for q in result.questions)
    row = Row(Person("ann"), exercise.number, source.stem, exercise.title, exercise.marks,
              result.status, result, lines)  # fmt: skip
    found = [
        p
        for p in parts(row)
        if p.heading.startswith(f"{case.name}:") or p.sentences[:1] != ("Right.",)
    ]
    return [*notices(row), *(f"{p.heading}: {' '.join(p.sentences)}" for p in found)]


def mistakes() -> Iterator[tuple[str, str]]:
    """Each known mistake of each question: where it is named, and what is said."""
    for path in sources():
        exercise = read(path).exercise
        for question in exercise.questions:
            for label in question.labels:
                named = question.naming(label)
                text = f"{named.sentence} {named.why}".strip()
                yield f"{exercise.number} {question.name}, {label}", text


def main(arguments: list[str] | None = None) -> int:
    """Print the list."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.feedback_texts", description=__doc__)
    parser.parse_args(arguments)
    for case in CASES:
        put(f"## {case.about} ({case.exercise} {case.name})\n\n{case.cell}\n")
        put("\n".join(f"- {text}" for text in said(case)) + "\n")
    put("## Known mistakes\n")
    for where, text in mistakes():
        put(f"- {where}: {text}")
    return 0


if __name__ == "__main__":
    sys.exit(ended("python -m dev.tools.feedback_texts", lambda: main(sys.argv[1:])))
