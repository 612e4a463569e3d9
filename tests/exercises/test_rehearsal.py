"""An author's errors are refused before any copy is written, with the line and the cell."""

import contextlib
import math
import re
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu.classroom import exercises
from irmetrics_edu.classroom.exercises import checking, rehearsal, source_faults
from irmetrics_edu.classroom.exercises.answer_checks import AnswerVerdict
from irmetrics_edu.classroom.exercises.rehearsal import refuse_what_fails
from irmetrics_edu.classroom.exercises.source import paths_in, read
from irmetrics_edu.classroom.exercises.source_faults import refuse_faults
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question
from irmetrics_edu.cli import main
from irmetrics_edu.course.expressions import FUNCTIONS
from irmetrics_edu.errors import InputError
from tests.marking.conftest import SOURCE

ROOT = Path(__file__).resolve().parents[2]
GIVEN = 'grades = spec.given("total")'
DCG = '"dcg(grades, k=k)"'
ASKS = "        Question("
VALUE = '        Question("total"'
NAMED = '            "dcg",'
SHOWN = "### BEGIN SOLUTION"
WHY = "# ### BEGIN SOLUTION\n# Users"
CHECK = '# %% tags=["check"]\ncheck("dcg"'
TOTAL = "total = sum(grades)\n### END SOLUTION"
CHECKED = TOTAL + '\n\n# %% tags=["check"]\ncheck("total", total)'
IMPORTS = "from irmetrics_edu.classroom.exercises import"
DRAWN = "rng.choice([1, 2, 3, 5, 7])"
BY_HAND = """
# %% [markdown] tags=["why"]
# **Why?**
#
# ### BEGIN SOLUTION
# Users stop reading.
# ### END SOLUTION
"""
WHOLE = (
    SOURCE.replace("import Exercise,", "import ByHand, Criterion, Exercise,").replace(
        "    ],\n)\n", '    ],\n    [ByHand("why", "Why", [Criterion("reason", 3, "x")])],\n)\n'
    )
    + BY_HAND
)
OWN = "statement of its own"
TYPED = "grades = [1, 2, 3]"

# What is replaced, what stands there instead, and what is said; the line that is named is the one
# which begins with the fourth text.
OF_THE_SPEC = [
    ("marks=4", "marks=-1", "question dcg, marks: -1", ASKS),
    ("marks=4", 'marks="4"', "question dcg, marks: '4'", ASKS),
    ("marks=4", 'marks=float("nan")', "question dcg, marks: nan", ASKS),
    ("marks=4", "mark=4", "unexpected keyword argument 'mark'", ASKS),
    ("marks=4", "tolerance=-1", "dcg, tolerance: -1; give 0 or", ASKS),
    ("marks=4", 'tolerance=float("inf")', "dcg, tolerance: inf", ASKS),
    ("marks=4", "tries=0", "dcg, tries: 0; give a whole number from 1", ASKS),
    ("marks=4", "tries=2.5", "dcg, tries: 2.5", ASKS),
    ("marks=4", 'hints="Divide"', "dcg, hints: 'Divide'; give a list", ASKS),
    ("marks=4", "hints=[3]", "dcg, hints: 3 is in the list", ASKS),
    ("marks=4", 'packages="scipy"', "dcg, packages: 'scipy'; give a list", ASKS),
    ("marks=4", "line=3", "dcg, line: 3; give text", ASKS),
    ('title="DCG"', "title=3", "dcg, title: 3; give text", ASKS),
    ("marks=4", 'wrongs=Wrong("a", "b", "cg(grades)")', "wrongs: Wrong(", ASKS),
    ("marks=4", 'wrongs=[("a", "b", "c")]', "wrongs: ('a', 'b', 'c')", ASKS),
    ("marks=4", 'wrongs=[Wrong("a", "b")]', "'a' has no expression", ASKS),
    ("marks=4", 'wrongs=[Wrong("natural-logarithm", "b", "0")]', "is there twice", NAMED),
    ('[{"grades": [2, 1], "k": 5}]', '{"grades": [1]}', "dcg, edges: {", ASKS),
    ('kind="value"', 'kind="values"', "kind 'values'; give one of", VALUE),
    ('kind="value"', 'kind="value", edges=[{"grades": [1]}]', "no edge", VALUE),
    ('"total", "cg', '"the total", "cg', "a name must be one", '        Question("the total"'),
    ('"total", "cg', '"lambda", "cg', "a name must be one", '        Question("lambda"'),
    ('"total", "cg', '"check", "cg', "a copy uses this name", '        Question("check"'),
    ('[Criterion("reason", 3, "x")]', '"reason"', "why, rubric: 'reason'", "    [ByHand("),
    ('[Criterion("reason", 3, "x")]', '[("reason", 3)]', "('reason', 3) is in", "    [ByHand("),
    ('"reason", 3', '"reason", 0', "criterion 'reason': 0; give a number above 0", "    [ByHand("),
    ('"77",', "77,", "the number of an exercise: 77; give text", "spec = Exercise("),
    (DCG, '"dgc(grades, k=k)"', "most like it: dcg", NAMED),
    ("natural-logarithm", "natural-log", "most like it: natural-log", NAMED),
    ('"""Grades alone."""', "return [1]", "return a dict", ASKS),
]  # fmt: skip
OF_THE_CELLS = [
    ('tags=["setup"]', 'tags=["Setup"]', "the tag 'Setup' is not known", '# %% tags=["Setup"]'),
    (f"# %%\n{GIVEN}", f'# %% tags=["totl"]\n{GIVEN}', "most like it: total", '# %% tags=["totl"]'),
    ('# %% tags=["setup"]', "# %%", '0 cells of code are tagged "setup"', ""),
    (GIVEN, "grades = [1, 2, 3]", 'no cell reads spec.given("total")', "grades = [1, 2, 3]"),
    (GIVEN, "grades: list = [1, 2, 3]", "no cell reads", "grades: list = [1, 2, 3]"),
    (f"# %%\n{GIVEN}", f"# %% [markdown]\n# grades = [1]\n\n# %%\n{TYPED}", "no cell", TYPED),
    (f"# %%\n{GIVEN}", f'# %% tags=["spec"]\ngrades = 3\n\n# %%\n{TYPED}', "no cell", TYPED),
    (GIVEN, f"x = 1\ngrades == [1]\ngrades[0] = 1\n{TYPED}", "no cell reads", "grades[0] = 1"),
    (f"# %%\n{GIVEN}", f"# %% [markdown]\n# {GIVEN}\n\n# %%\n{TYPED}", "no cell reads", TYPED),
    ("# %% [markdown]\n# # Ex", "x = = 3\n# %% [markdown]\n# # Ex", "above the", "x = = 3"),
    (GIVEN, f"my_grades = 1\ngrades_2 = 1\n{TYPED}", "no cell reads", TYPED),
    (GIVEN, f"grades = [1]\nif 1:\n    {GIVEN}", OWN, f"    {GIVEN}"),
    (GIVEN, 'grades: list = spec.given("total")', OWN, "grades: list"),
    (GIVEN, f"{GIVEN}; extra = 3", OWN, f"{GIVEN}; extra"),
    (GIVEN, f"extra = 3; {GIVEN}", OWN, "extra = 3"),
    (GIVEN, 'grades = list(spec.given("total"))', OWN, "grades = list("),
    (GIVEN, 'grades = spec.given("total")["grades"]', OWN, "grades = spec"),
    (GIVEN, 'grades = spec.given(name="total")', OWN, "grades = spec"),
    (GIVEN, "grades = spec.given()", OWN, "grades = spec"),
    (GIVEN, 'grades = g = spec.given("total")', OWN, "grades = g"),
    (GIVEN, f"{GIVEN}\nfor", "a cell with spec.given has Python alone", "for"),
    (GIVEN, f"%matplotlib inline\n{GIVEN}", "a cell with spec.given has Python", "%matplotlib"),
    (WHY, "# ### BEGIN SOLUTION:\n# Users", "no mark of", "# ### BEGIN"),
    (WHY, "# ### BEGIN  SOLUTION\n# Users", "a cell tagged", "# **Why?**"),
    ("# ### END SOLUTION", "# ### END SOLUTION of why", "no mark of", "# ### END SOLUTION of why"),
    ("# ### END SOLUTION", "# ### END SOLUTION\n# ### END SOLUTION", "needs one", "# **Why?**"),
    (CHECK, '#%% tags=["check"]\ncheck("dcg"', "begins no", "#%% tags"),
    ("# %% [markdown]\n# # Ex", "x = 3\n# %% [markdown]\n# # Ex", "code above the", "x = 3"),
    ('    "77",', '    "78",', "the spec is of exercise '78'", ""),
]  # fmt: skip
OF_A_RUN = [
    (GIVEN, f"{GIVEN}\ngrades = [1, 2, 3]", "the solution of question total", SHOWN),
    (GIVEN, f"{GIVEN}\ngrades[0] = 9", "the solution of question total", SHOWN),
    (GIVEN, f"{GIVEN}\nx = spec.given('totl')", "question 'totl' is not in", "x = spec.given"),
    (GIVEN, f"grades, k = {GIVEN[9:]}", "has the inputs grades; give each", "grades, k"),
    (GIVEN, f"{GIVEN}\nx = spec.exercise", "name 'spec' is not defined", "x = spec.exercise"),
    (GIVEN, f"{GIVEN}\nfrom irmetrics_edu import none", "cannot import", "from irmetrics_edu imp"),
    ("total = sum(grades)", "total = sum(grades) + 1", "the solution of question total", SHOWN),
    ("i + 1)", "i + 2)", "the solution of question dcg", "def dcg"),
    ('check("total", total)', 'check("totl", total)', "no question 'totl'", 'check("totl"'),
    ('check("dcg", dcg)', 'hint("dgc")', "no question 'dgc'", 'hint("dgc"'),
    ('check("dcg", dcg)', 'check("dcg", dgc)', "'dgc' is not defined", 'check("dcg", dgc)'),
    ('check("dcg", dcg)', 'check("why", 3)', "no question 'why'", 'check("why"'),
    ("import math\n\nfrom", "from", "name 'math' is not defined", "def dcg"),
    ("import begin, check", "import check", "name 'begin' is not defined", IMPORTS),
    ("total = sum(grades)\n### END", "total = 0\n### END", "solution of question total", SHOWN),
    (CHECKED,
     "total = 0\n### END SOLUTION", "total is not right for inputs by which it is marked", SHOWN),
    (CHECKED,
     "sum(grades)\n### END SOLUTION", "there is nothing called total", SHOWN),
    ("### BEGIN SOLUTION\ntotal = sum(grades)\n### END SOLUTION",
     "### BEGIN SOLUTION\nx = 1\n### END SOLUTION\ntotal = sum(grades)", "empty copy", VALUE),
    ('{"grades": [2, 1], "k": 5}', '{"grades": [], "k": 3}', "dcg: the edge case", NAMED),
    ('{"grades": [2, 1], "k": 5}', '{"grades": [2, 1]}', "give grades, k", NAMED),
    ('prefix="grades"', 'prefix="grade"', "no input that is a list", NAMED),
    ('"cg(grades)"', '"grades[9]"', "IndexError: list index out of range", VALUE),
    (DRAWN, "object()", "can't be written into a copy", VALUE),
    (DRAWN, '__import__("numpy").array([1])', "can't be written into a copy", VALUE),
    (DRAWN, '__import__("random").random()', "draw with `rng` alone", VALUE),
]  # fmt: skip


@pytest.fixture
def source_of(tmp_path):
    """Writes a source and reads it."""

    def made(text):
        path = tmp_path / "77_two.py"
        path.write_text(text, encoding="utf-8")
        return read(path)

    return made


def _problems(cases, refused):
    """The cases in which something else is said than in the table."""
    found = []
    for old, new, words, line in cases:
        text = WHOLE.replace(old, new, 1)
        assert text != WHOLE, f"{old!r} is not in the source"
        numbers = [
            n for n, each in enumerate(text.split("\n"), 1) if line and each.startswith(line)
        ]
        said = refused(text)
        named = re.search(r", line (\d+)", said)
        where = named is not None and int(named[1]) in numbers
        if words not in said or "77_two.py" not in said or (line and not where):
            found.append((old, new, said, numbers))
    return found


@pytest.mark.parametrize(
    "cases", [OF_THE_SPEC, OF_THE_CELLS, OF_A_RUN], ids=["spec", "cells", "run"]
)
def test_what_would_fail_in_a_class_is_refused(source_of, cases):
    """Each was once written into everybody's copies, or ended in a traceback."""
    check = refuse_faults if cases is OF_THE_CELLS else refuse_what_fails

    def refused(text):
        with pytest.raises(InputError) as caught:
            check(source_of(text))
        return str(caught.value)

    assert refuse_what_fails(source_of(WHOLE)) == ""
    assert _problems(cases, refused) == []


RIGHT = [
    ('check("dcg", dcg)', 'check("dcg", dcg)\n\n# %% tags=["check"]\ncheck("dcg", dcg)'),
    ('check("dcg", dcg)', "# look at it yourself"),
    ('{"grades": [2, 1], "k": 5}', '{"k": 5, "grades": [2, 1]}'),
    (GIVEN, f"{GIVEN}  # four of them\ngrades = list(grades)"),
    (f"# %%\n{GIVEN}", f"# %%\n%matplotlib inline\n\n# %%\n{GIVEN}"),
    (GIVEN, 'marks = spec.given("total")\ngrades = marks[:]'),
    (GIVEN, 'grades = spec.given(\n    "total"\n)'),
    ("# %% [markdown]\n# # Exer", '"""About it."""\n\n# %% [markdown]\n# # Exer'),
    ("marks=1", "marks=0"),
    ('check("dcg", dcg)', 'check("dcg", dcg)\ndcg = dcg([1], 1)'),
]


def test_what_is_right_is_taken(source_of):
    """Nothing is refused that works in a class."""
    for old, new in RIGHT:
        text = WHOLE.replace(old, new, 1)
        assert text != WHOLE
        assert refuse_what_fails(source_of(text)) == "", new


def test_nothing_is_written_of_a_source_that_fails(tmp_path, capsys):
    """The command ends with the reason."""
    (tmp_path / "77_two.py").write_text(SOURCE.replace(GIVEN, "grades = [1, 2, 3]"))
    out = tmp_path / "out"
    assert main(["exercises", "77", "--sources", str(tmp_path), "--out", str(out)]) == 2
    assert "no cell reads spec.given" in capsys.readouterr().err
    assert not out.exists()


def test_a_package_that_is_not_there_is_said_and_refuses_nothing(source_of):
    """Where copies are built not everything is installed that the solutions need."""
    source = source_of(SOURCE.replace("import math\n", "import math\nimport no_such_package\n", 1))
    assert refuse_what_fails(source) == "No module named 'no_such_package'"
    assert refuse_what_fails(source_of(SOURCE)) == ""


@pytest.mark.slow
@pytest.mark.suite("guide")
@pytest.mark.parametrize("path", paths_in(), ids=lambda path: path.stem)
def test_the_courses_own_exercises_pass(path):
    """All that are written are rehearsed."""
    assert refuse_what_fails(read(path)) == ""


def test_what_an_expression_may_have_is_in_the_guide_and_in_the_refusal():
    """All functions of Python, and that a question marked by hand has a list of its own."""
    guide = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    question = Question("a", "round(total)", lambda _: {"total": 1})
    with pytest.raises(InputError) as refusal:
        question.refuse_unknown()
    for name in FUNCTIONS:
        assert f"`{name}`" in guide, name
        assert name in str(refusal.value), name
    by_hand = ByHand("why", "Why", [Criterion("cause", 2)])
    with pytest.raises(InputError, match="why is marked by hand, so it stands in the list after"):
        Exercise("21", "A value", [by_hand])


WRITTEN = [1, -1.5, "x", None, True, [], {}, (), (1,), {"a": [1, {2, 3}]}, {1}, set(), [set()]]
NOT_WRITTEN = [math.nan, math.inf, Fraction(1, 2), range(3), object(), len, [Fraction(1, 2)]]
NOT_WRITTEN += [np.array([1]), {"a": math.nan}, {1: object()}]


def test_an_input_is_written_into_a_copy_only_if_its_text_makes_it_again():
    """Without an import: of plain data all but NaN and infinities."""
    for value in WRITTEN:
        assert rehearsal._is_written_whole(value), value
    for value in NOT_WRITTEN:
        assert not rehearsal._is_written_whole(value), value


def test_typed_data_are_found_by_any_of_their_names(source_of):
    """In the first line that gives one of them a value."""
    source = source_of(WHOLE.replace(GIVEN, f"# as given\n{TYPED}", 1))
    [cell] = [cell for cell in source.cells if TYPED in cell.text]
    for names in (["grades"], ["nothing", "grades"], ["grades", "nothing"]):
        assert source_faults._where_typed(source, names) == source.place(cell, 2)
    assert source_faults._where_typed(source, ["nothing"]) == ""


def test_an_error_is_said_with_its_type_unless_it_says_all_itself():
    """One of the package's own is a sentence."""
    assert rehearsal._said(InputError("give 3")) == "give 3"
    assert rehearsal._said(KeyError("x")) == "KeyError: 'x'"


def test_an_error_without_a_line_is_placed_at_the_beginning_of_its_cell(source_of):
    """And one of a line at that line, whatever the copy's data have moved."""
    source = source_of(SOURCE)
    run = rehearsal._Run(source, lambda text, _: text)
    assert (run.missing, run.errors) == ("", [])
    [number] = [n for n, one in enumerate(run.cells) if GIVEN in one.cell.text]
    cell = run.cells[number].cell
    for line in (0, 1):
        error = {"type": "E", "message": "m", "cell": number + 1, "line": line, "name": ""}
        run.errors = [error, {**error, "cell": 1}]
        with pytest.raises(InputError) as refusal:
            run.refuse_errors()
        of_source = run.cells[number].lines[max(0, line - 1)][0]
        where = source.place(cell, of_source)
        assert str(refusal.value) == (
            f"{where}: E: m; correct the cell, so that the solved copy runs"
        )


def test_what_check_is_in_a_rehearsal_is_given_back():
    """Also after an error."""
    usual = exercises.check
    for error in (None, ZeroDivisionError):
        with contextlib.suppress(ZeroDivisionError), rehearsal._closed(len):
            assert exercises.check is len
            if error:
                raise error
        assert exercises.check is usual


def test_a_solution_that_check_accepts_is_tried_on_the_inputs_that_give_marks(
    source_of, monkeypatch
):
    """Twelve hidden ones at least; a value that check accepts is right already."""
    source = source_of(SOURCE)
    run = rehearsal._Run(source, lambda text, _: text)
    asked = []

    def judged(name, answer, packed):
        asked.append((name, answer, len(checking.unpacked(packed)[1][name].general)))
        return source.exercise[name], AnswerVerdict(0.5, where="It differs.")

    monkeypatch.setattr(checking, "judged", judged)
    run.refuse_wrong(source.exercise["total"])
    assert asked == []
    with pytest.raises(InputError) as refusal:
        run.refuse_wrong(source.exercise["dcg"])
    assert "not right for inputs by which it is marked: It differs.; correct" in str(refusal.value)
    assert asked == [("dcg", run.answers["dcg"], 12)]
    # Where check is not called, a value is tried, too.
    del run.said["total"]
    with pytest.raises(InputError, match="of question total is not right for inputs"):
        run.refuse_wrong(source.exercise["total"])


def test_inputs_of_a_copy_and_of_marking_are_both_drawn(source_of, monkeypatch):
    """Either may be those that can't be."""
    source = source_of(SOURCE)
    question = source.exercise["dcg"]
    for failing in (None, False, True):
        asked = []

        def trial(_number, _question, *, hidden=False, asked=asked, failing=failing):
            asked.append(hidden)
            if hidden is failing:
                raise InputError("none")

        monkeypatch.setattr(rehearsal, "NOBODY", SimpleNamespace(trial=trial))
        if failing is None:
            rehearsal._refuse_undrawn(source, question)
        else:
            with pytest.raises(InputError, match="none"):
                rehearsal._refuse_undrawn(source, question)
        assert asked == ([False] if failing is False else [False, True])
