"""Honest submissions: what they define is called, and what they return comes back."""

import ast
import math
import os
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from irmetrics_edu.classroom.grading import protocol, tiers
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.sandbox import Call, Case, run_question
from irmetrics_edu.errors import InputError
from tests.grading.conftest import holds

DCG = """
import math

def dcg(grades, k=None):
    return sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], 1))
"""


def values(outcome):
    """The values of an outcome, all of which must have been given."""
    assert all(answer.given for answer in outcome.answers), outcome
    return [answer.value for answer in outcome.answers]


def test_a_correct_answer_arrives(tier):
    """The function is called once for each case, by position and by name."""
    outcome = run_question([DCG], Call("dcg"), [Case([5, 2, 3]), Case([5, 2], 1)], tier=tier)
    assert values(outcome) == [pytest.approx(7.7619, abs=1e-4), 5]
    assert not outcome.limit
    assert not outcome.ended
    assert outcome.tier == tier


def test_cells_run_in_order_in_one_module(tier):
    """A later cell sees what an earlier one defined, and may redefine it."""
    cells = ["x = 1", "def f():\n    return x, __name__", "x += 1"]
    assert values(run_question(cells, Call("f"), [Case()], tier=tier)) == [(2, "__main__")]


def test_the_umask_of_a_teacher_reaches_no_code(tier):
    """With 077 the folders of the new root would be closed to the student's user."""
    before = os.umask(0o077)
    try:
        cells = ["import os\ndef f():\n    return os.umask(0)"]
        assert values(run_question(cells, Call("f"), [Case()], tier=tier)) == [0o022]
    finally:
        os.umask(before)


def test_numpy_is_there(tier):
    """Arrays go in as arrays, and come back as nested lists."""
    cells = [
        "import numpy as np\ndef f(x):\n    assert isinstance(x, np.ndarray)\n    return x * 2"
    ]
    import numpy as np

    outcome = run_question(cells, Call("f"), [Case(np.array([1.5, math.inf]))], tier=tier)
    assert values(outcome) == [[3.0, math.inf]]


def test_inputs_of_every_kind_arrive(tier):
    """Sets, dicts and fractions are themselves on the other side."""
    given = [{"d1": {"A", "B"}}, (1, 2), Fraction(1, 3), None, True]
    cells = ["def f(x):\n    return [type(v).__name__ for v in x], x"]
    [(names, back)] = values(run_question(cells, Call("f"), [Case(given)], tier=tier))
    assert names == ["dict", "tuple", "Fraction", "NoneType", "bool"]
    assert back == given


def test_a_variable_may_be_asked_for():
    """With `read` the value of a name comes back, without a call."""
    assert values(run_question(["answer = 0.75"], Call("answer", read=True), [Case()])) == [0.75]


def test_an_error_names_the_students_line():
    """Type, message, cell and line of the student's own code, even if a library raised it."""
    cells = ["import json", "def f(x):\n    y = 1\n    return json.loads(x)\n"]
    [answer] = run_question(cells, Call("f"), [Case("{")]).answers
    assert not answer.given
    assert (answer.error.type, answer.error.cell, answer.error.line) == ("JSONDecodeError", 2, 3)
    assert answer.error.text == "return json.loads(x)"


def test_a_broken_cell_does_not_lose_the_others():
    """A cell that raises, leaves or does not parse is reported, and the rest is graded."""
    cells = ["1 / 0", "def f(:", "import sys\nsys.exit()", "input('how many? ')", DCG]
    outcome = run_question(cells, Call("dcg"), [Case([1])])
    assert values(outcome) == [1.0]
    kinds = [(error.type, error.cell, error.line) for error in outcome.cell_errors]
    assert kinds == [
        ("ZeroDivisionError", 1, 1),
        ("SyntaxError", 2, 1),
        ("SystemExit", 3, 2),
        ("EOFError", 4, 1),
    ]


def test_commands_of_the_notebook_are_passed_over():
    """`%` and `!` lines, timed cells and `display` do no harm to correct code."""
    cells = [
        "%matplotlib inline\n!pip install numpy\nx = 2",
        "if x:\n    %time x",
        "%%time\ny = 3",
        "%%bash\nrm -rf x",
        "display(x)",
        "def f():\n    return x * y",
    ]
    outcome = run_question(cells, Call("f"), [Case()])
    assert values(outcome) == [6]
    assert outcome.cell_errors == ()


def test_printing_and_warnings_change_nothing(tier):
    """Correct code that prints and warns gives the same answer."""
    cells = [
        "import warnings, sys\nwarnings.warn('careful')\nprint('é', file=sys.stderr)",
        "def f(x):\n    print('in f')\n    warnings.warn('again')\n    return x",
    ]
    outcome = run_question(cells, Call("f"), [Case(1), Case(2)], tier=tier)
    assert values(outcome) == [1, 2]


def test_a_missing_function_is_named():
    """Where nothing of that name is defined, each case says so."""
    outcome = run_question(["x = 1"], Call("dcg"), [Case(1), Case(2)])
    assert [answer.why for answer in outcome.answers] == ["no 'dcg' is defined"] * 2


def test_what_is_not_plain_is_refused_with_a_remedy():
    """A function is no answer, and the reason says what would be."""
    [answer] = run_question(["def f():\n    return len"], Call("f"), [Case()]).answers
    assert not answer.given
    assert "is not plain data; return" in answer.why


def test_a_generator_without_end_is_refused():
    """One that ends is a list; of one that does not, a million elements are read."""
    cell = "import itertools\ndef f(n):\n    return itertools.islice(itertools.count(), n)"
    three, endless = run_question([cell], Call("f"), [Case(3), Case(None)]).answers
    assert three.value == [0, 1, 2]
    assert "more than 1,000,000 elements" in endless.why


SETUP = """
from IPython.display import display; import math
import json, pandas as pd, statistics
import matplotlib.pyplot as plt
plt.rcParams["figure.dpi"] = 90
x = 2
"""


def test_the_rest_of_a_cell_runs_after_an_import_that_fails(tier):
    """Each import by itself, and what needs one that failed is passed over; all is reported."""
    cell = "def f(y):\n    return x * y, math.floor(2.5), statistics.mean([1]), json.dumps(1)"
    outcome = run_question([SETUP, cell], Call("f"), [Case(3)], tier=tier)
    assert values(outcome) == [(6, 2, 1, "1")]
    assert [(e.type, e.line) for e in outcome.cell_errors] == [
        ("ModuleNotFoundError", 2),
        ("ModuleNotFoundError", 3),
        ("ModuleNotFoundError", 4),
        ("NameError", 5),
    ]


def test_another_error_ends_its_cell():
    """As in Jupyter: what stands below an error of one's own is not run."""
    outcome = run_question(["import pandas\n1 / 0\nx = 1"], Call("x", read=True), [Case()])
    assert [e.type for e in outcome.cell_errors] == ["ModuleNotFoundError", "ZeroDivisionError"]
    assert outcome.answers[0].why == "no 'x' is defined"


def test_many_errors_are_counted():
    """A notebook of nothing but errors is no flood: the first are shown, the rest counted."""
    outcome = run_question(["1 / 0"] * 300 + [DCG], Call("dcg"), [Case([1])])
    assert values(outcome) == [1.0]
    assert outcome.cell_errors[-1].message == "and 260 more"


def test_await_at_the_top_of_a_cell_and_commands_that_give_values():
    """As in Jupyter: one loop for all cells, `get_ipython`, and `%time` that runs its line."""
    cells = [
        "import asyncio\nx = await asyncio.sleep(0, result=3)",
        "get_ipython().system('ls')\n%time y = x + 1\nz = !ls",
        "def f():\n    return x, y, z",
    ]
    outcome = run_question(cells, Call("f"), [Case()])
    assert values(outcome) == [(3, 4, [])]
    assert outcome.cell_errors == ()


def test_stubs_stand_in_for_what_the_child_may_not_have():
    """A notebook that imports the course's `check` runs, and `check` does nothing."""
    cells = ["from irmetrics_edu.classroom.exercises import check\nimport irmetrics_edu as ir", DCG]
    cells.append("check('dcg', dcg)")
    stubs = {"irmetrics_edu.classroom.exercises": ["check"]}
    outcome = run_question(cells, Call("dcg"), [Case([1])], stubs=stubs)
    assert values(outcome) == [1.0]
    assert outcome.cell_errors == ()


def test_the_package_may_be_provided(tier):
    """For an exercise about assertions the package is there; the verdict is taken outside."""
    cell = (
        "from irmetrics_edu import ndcg\n"
        "def test_ranker(rank):\n"
        "    score = ndcg(rank('q1'), {'d1': 1})\n"
        "    assert score > 0.9, score\n"
    )
    call = Call("_judge", harness="def _judge(run):\n    test_ranker(run.get)\n    return True")
    cases = [Case({"q1": ["d1", "d2"]}), Case({"q1": ["d2", "d1"]})]
    outcome = run_question([cell], call, cases, tier=tier, packages=tiers.WITH_PACKAGE)
    good, bad = outcome.answers
    assert good.given
    assert not bad.given
    assert (bad.error.type, bad.error.line) == ("AssertionError", 4)


def test_two_runs_are_the_same():
    """The order of sets of text does not change from run to run."""
    cells = ["def f():\n    return list({'a', 'b', 'c', 'd', 'e'}), hash('nDCG')"]
    first, second = (values(run_question(cells, Call("f"), [Case()])) for _ in range(2))
    assert first == second


def test_bad_use_is_refused():
    """Inputs, limits, tiers and packages that make no sense are the caller's error."""
    with pytest.raises(InputError, match="can't be sent"):
        Case(object())
    with pytest.raises(InputError, match="wall=-1"):
        SandboxLimits(wall=-1)
    with pytest.raises(InputError, match="tier 'jail' is not known; known are namespaces"):
        tiers.named("jail")
    with pytest.raises(InputError, match="not installed here"):
        run_question([], Call("f"), [], packages=["no_such_package"])


def test_the_lowest_tier_is_not_called_secure():
    """Reports say which tier held, and only the first is called secure."""
    assert [tiers.named(name).secure for name in tiers.NAMES] == [True, False, False]
    assert str(tiers.named("plain")).startswith("plain (not secure")


def test_a_user_of_its_own_has_no_rights(tmp_path):
    """Where the system allows no namespaces, root gives the child a user that owns nothing."""
    if why := holds("user"):
        pytest.skip(f"the system allows no tier user: {why}")
    cells = ["import os\ndef f(p):\n    return os.getuid(), os.access(p, os.W_OK)"]
    outcome = run_question(cells, Call("f"), [Case(str(tmp_path))], tier=tiers.named("user"))
    [(user, may_write)] = values(outcome)
    assert user > 60000
    assert not may_write


def test_students_code_is_never_run_as_root(monkeypatch):
    """A plain process of root's would have all that root has: it is refused."""
    monkeypatch.setattr(tiers, "is_root", lambda: True)
    with pytest.raises(InputError, match="would run students' code as root"):
        run_question([DCG], Call("dcg"), [Case([1])], tier=tiers.named("plain"))


def test_no_tier_stands_in_for_another(monkeypatch):
    """Without namespaces nothing is run, and the message says how to go on by choice."""
    from irmetrics_edu.classroom.grading import sandbox

    def trial(tier):
        return "" if tier.name == "plain" else f"no {tier.name} here"

    monkeypatch.setattr(sandbox, "_trial", trial)
    with pytest.raises(
        InputError, match=r"no namespaces here\. To grade all the same, choose --tier p"
    ):
        sandbox.tier_for()
    assert sandbox.tier_for("plain").name == "plain"
    with pytest.raises(InputError, match="tier 'user' does not work here: no user here"):
        sandbox.tier_for("user")
    monkeypatch.setattr(sandbox, "_trial", lambda _tier: "nothing works")
    with pytest.raises(InputError, match="Grade on Linux with user namespaces"):
        sandbox.tier_for()


def test_no_name_of_the_childs_code_stands_twice():
    """All of it runs in one namespace, so one definition would replace another in silence."""
    names = Counter()
    for module in protocol.SHIPPED:
        tree = ast.parse((Path(protocol.__file__).parent / f"{module}.py").read_text("utf-8"))
        defined = [n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
        names.update(defined)
    assert [name for name, count in names.items() if count > 1] == []
