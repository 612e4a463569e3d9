"""Errors carried forward: a later answer earns its own marks, what is right stays inside."""

import json

import pytest

from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.marking.matching.code_names import reads
from irmetrics_edu.classroom.marking.running.carry_forward import told
from tests.marking.conftest import Class

SOURCE = '''
# %% [markdown]
# # Exercise 78. One answer in another

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.computed_question import Question
from irmetrics_edu.classroom.exercises.spec import Exercise


def some(rng):
    """Grades and a cut-off within them."""
    return {"grades": [rng.choice([0, 1, 2, 3]) for _ in range(6)], "k": rng.randint(2, 4)}


def fixed(_rng):
    """The same grades for two questions."""
    return {"grades": [7, 3, 9, 5, 2]}


spec = Exercise(
    "78",
    "One answer in another",
    [
        Question("total", "cg(grades)", fixed, kind="value", marks=1),
        Question("per_rank", "cg(grades) / len(grades)", fixed, kind="value", marks=1),
        Question("dcg", "dcg(grades, k=k)", some, marks=2, mistakes=["log-of-rank-plus-2"]),
        Question("twice", "2 * dcg(grades, k=k)", some, marks=3),
        Question("thrice", "dcg(grades, k=k) + 2 * dcg(grades, k=k)", some, marks=3),
    ],
)

# %% tags=["setup"]
import math

from irmetrics_edu.classroom.exercises import begin, check, hint

# %%
grades = spec.given("total")

# %% tags=["total"]
### BEGIN SOLUTION
total = sum(grades)
### END SOLUTION

# %% tags=["per_rank"]
### BEGIN SOLUTION
per_rank = total / len(grades)
### END SOLUTION


# %%
SECRET_BASE = 2


# %% tags=["dcg"]
def dcg(grades, k=None):
    ### BEGIN SOLUTION
    return sum(g / math.log(i + 1, SECRET_BASE) for i, g in enumerate(grades[:k], start=1))
    ### END SOLUTION


# %% tags=["twice"]
def twice(grades, k=None):
    ### BEGIN SOLUTION
    return 2 * dcg(grades, k)
    ### END SOLUTION


# %% tags=["thrice"]
def thrice(grades, k=None):
    ### BEGIN SOLUTION
    return dcg(grades, k) + twice(grades, k)
    ### END SOLUTION
'''

WRONG = "import math\ndef dcg(grades, k=None):\n    return sum(grades[:k])"
TWICE = "def twice(grades, k=None):\n    return 2 * dcg(grades, k)"
THRICE = "def thrice(grades, k=None):\n    return dcg(grades, k) + twice(grades, k)"


@pytest.fixture
def course(tmp_path):
    """A class whose exercise has questions that go on from others."""
    made = Class(tmp_path)
    (made.folder / "sources" / "77_two.py").unlink()
    path = made.folder / "sources" / "78_carried.py"
    path.write_text(SOURCE, encoding="utf-8")
    made.source = read(path)
    return made


def graded(course, student, cells, *options):
    """What these cells earn: the marks by question, and all that the student is shown."""
    path = f"{student}/78_carried.ipynb"
    if cells is None:
        course.hand_in(path, course.copy(student))
    else:
        given = [c.source for c in course.copy(student).cells if c.source.startswith("grades")]
        course.hand_in(path, course.copy(student, [*given, *cells]))
    course.grade(*options)
    questions = course.result(path)["questions"]
    shown = (course.out / "feedback" / student / "78_carried.md").read_text(encoding="utf-8")
    return {q["name"]: q["marks"] for q in questions}, shown, questions


@pytest.mark.slow
def test_a_later_answer_earns_its_own_marks(course):
    """The wrong DCG costs its own two marks, not the six of what calls it, and that is said."""
    marks, shown, questions = graded(course, "ann", [WRONG, TWICE, THRICE])
    assert marks == {"total": 0, "per_rank": 0, "dcg": 0, "twice": 3, "thrice": 3}
    shown = shown.replace("\\", "")
    assert "Judged with the right `dcg` in place of your own: right." in shown
    assert "Judged with the right `dcg` and `twice` in place of your own: right." in shown
    assert {q["name"]: q["carried"] for q in questions}["twice"] == ["dcg"]
    assert "twice: judged with the right dcg in its place" in course.report()
    # Graded again, nothing is other.
    assert graded(course, "ann", [WRONG, TWICE, THRICE])[0] == marks


@pytest.mark.slow
def test_nobody_gains_more_than_with_a_right_answer(course):
    """The same later cells after a right DCG earn as much; a wrong later answer stays wrong."""
    later = ["def twice(grades, k=None):\n    return 3 * dcg(grades, k)", THRICE]
    right = "import math\ndef dcg(grades, k=None):\n"
    right += "    return sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], 1))"
    by_right = graded(course, "ben", [right, *later])[0]
    by_wrong = graded(course, "cy", [WRONG, *later])[0]
    assert by_wrong["twice"] == by_right["twice"] == 0
    # Of thrice both earlier answers failed: with both right ones it is right, as it is for Ben.
    assert by_wrong["thrice"] == by_right["thrice"] == 3


@pytest.mark.slow
def test_a_variable_is_carried_too(course):
    """The right number stands under its name after the student's cell, for the cells below."""
    cells = ["total = 10**6", "per_rank = total / len(grades)"]
    marks, shown, _ = graded(course, "di", cells)
    assert (marks["total"], marks["per_rank"]) == (0, 1)
    assert "`total\\` in place of your own: right" in shown
    # A variable that is read and spoilt, or not read, earns nothing.
    for spoilt in ("per_rank = total", "per_rank = 10**6 / len(grades)"):
        assert graded(course, "di", [cells[0], spoilt], "--force")[0]["per_rank"] == 0


@pytest.mark.slow
def test_the_right_variable_does_not_get_out(course):
    """What is made of it is not shown, whatever kind of answer it is."""
    for answer in ("total", "{'SPY': str(total)}", "1 / (total - 26)"):
        _, shown, questions = graded(
            course, "val", ["total = 1", f"per_rank = {answer}"], "--force"
        )
        assert "26" not in shown
        assert "26" not in json.dumps([q["answer"] for q in questions])


@pytest.mark.slow
def test_unanswered_and_endless_earlier_answers(course):
    """Not written, deleted, or without an end: the later answer is judged on its own."""
    unwritten = "def dcg(grades, k=None):\n    raise NotImplementedError"
    endless = "def dcg(grades, k=None):\n    while True:\n        pass"
    for student, cells in (("ed", [unwritten, TWICE]), ("flo", [TWICE]), ("gus", [endless, TWICE])):
        assert graded(course, student, cells, "--limit", "cpu=0.5")[0]["twice"] == 3, student


@pytest.mark.slow
def test_what_does_not_read_it_is_not_judged_again(course, monkeypatch):
    """A comment is no reading; a right answer and an answer of its own cost no second run."""
    from irmetrics_edu.classroom.marking.running import run_cells

    asked = []
    real = run_cells.run_question

    def noted(*given, **options):
        asked.append(bool(options.get("replaced")))
        return real(*given, **options)

    monkeypatch.setattr(run_cells, "run_question", noted)
    graded(course, "hal", [WRONG, "def twice(grades, k=None):\n    # not dcg\n    return 'dcg'"])
    assert not any(asked)
    graded(course, "ida", None)
    assert not any(asked)
    graded(course, "jo", [WRONG, TWICE])
    assert asked.count(True) == 1


SPY = '''
def twice(grades, k=None):
    """Says what it can find out about the function that stands in for the student's own."""
    import dis, inspect, io, sys
    code = getattr(dcg, "__code__", None)
    out = io.StringIO()
    dis.dis(dcg, file=out)
    said = [str(code.co_consts), str(code.co_names), out.getvalue(), str(dcg([3, 2, 1]))]
    said += [repr(getattr(dcg, "__globals__", {}).get("SECRET_BASE"))]
    try:
        said.append(inspect.getsource(dcg))
    except (OSError, TypeError):
        pass
    text = " ".join(said)
    print("SPY", text)
    print("SPY", text, file=sys.stderr)
    HOW
'''


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [
        "raise ValueError('SPY' + text)",
        "return 'SPY' + text",
        "return {'SPY': text}",
        "raise type('SPY' + text[:60], (Exception,), {})",
        "import os; open('SPY' + text[:9], 'w').write(text); os._exit(3)",
    ],
)
def test_the_solution_does_not_get_out(course, how):
    """The spy sees the right DCG's code; neither feedback, results nor tables show any of it."""
    _, shown, questions = graded(course, "spy", [WRONG, SPY.replace("HOW", how)])
    kept = json.dumps(course.result("spy/78_carried.ipynb"))
    everything = " ".join(data.decode() for data in course.written().values())
    for text in (shown, json.dumps(questions), kept, everything):
        assert "SECRET_BASE" not in text
        assert "enumerate" not in text


@pytest.mark.slow
def test_the_answer_asked_for_is_not_in_the_process(course):
    """Of the solution only what stands before is handed over: not the later question's own."""
    look = (
        "def twice(grades, k=None):\n    import gc, types\n    mine = twice.__code__\n"
        "    codes = [o.__code__ for o in gc.get_objects() if isinstance(o, types.FunctionType)]\n"
        "    others = [c for c in codes if c.co_name in ('twice', 'thrice') and c is not mine]\n"
        "    return 2 * dcg(grades, k) if not others else None"
    )
    assert graded(course, "kim", [WRONG, look])[0]["twice"] == 3


def test_reading_goes_through_helpers():
    """A helper that calls the earlier answer is a reading; a text and a comment are none."""
    cells = ["def dcg(): pass", "def helper(): return dcg()", "def ndcg(): return helper()"]
    assert "dcg" in reads(cells, "ndcg")
    assert "dcg" not in reads(["def dcg(): pass", "def ndcg():\n    '''dcg''' # dcg"], "ndcg")
    assert "dcg" not in reads(["def ndcg(): pass", "def other(): dcg()"], "ndcg")


def test_reading_is_quick_on_long_cells():
    """Thousands of definitions that read one another are each looked at once."""
    cells = [f"def f{i}(): return f{i + 1}() + f0()" for i in range(5_000)]
    assert len(reads(cells, "f0")) == 5_000


def test_a_part_that_is_earned_again_says_how_much():
    """Of a list marked value by value, with the names that were put in place."""
    assert told(["dcg", "twice"], 1.5, 4) == (
        "Judged with the right `dcg` and `twice` in place of your own: 1.5 of 4 marks."
    )
    assert told(["dcg"], 4, 4) == "Judged with the right `dcg` in place of your own: right."
