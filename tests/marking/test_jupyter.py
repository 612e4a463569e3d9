"""What check() accepts in Jupyter, the grader accepts: one honest set, run by both."""

import contextlib
import io

import pytest

from irmetrics_edu.classroom.exercises import checking
from irmetrics_edu.classroom.exercises.checking import packed
from irmetrics_edu.classroom.exercises.variants import GENERAL
from irmetrics_edu.classroom.grading.cell_runner import as_read
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.sandbox import Call, Case, run_question

pytestmark = pytest.mark.slow

DEF = "def dcg(grades, k=None):\n"
SUM = "sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], 1))"
# Names, and the cell that answers dcg, each right.
HONEST = {
    "plain": f"import math\n{DEF}    return {SUM}",
    "command": f"!true\n%pwd\nimport math\n{DEF}    return {SUM}",
    "command-in-a-block": f"if True:\n    !true\nimport math\n{DEF}    return {SUM}",
    "question": f"import math\n{DEF}    return {SUM}\ndcg?",
    "percent-continued": (
        f"import math\n%pwd\n{DEF}    total = 0\n    for i, g in enumerate(grades[:k], 1):\n"
        "        total += (g\n            % 100) / math.log2(i + 1)\n    return total"
    ),
    "percent-in-text": f'import math\n%pwd\nt = """\n%s\n!x\n"""\n{DEF}    assert len(t) == 7\n'
    f"    return {SUM}",
    "timed-line": f"import math\n%time two = 2\n{DEF}    return {SUM} * two / 2",
    "timed-cell": f"%%time\nimport math\n{DEF}    return {SUM}",
    "captured": f"import math\nfiles = !true\n{DEF}    return {SUM} + len(files)",
    "indented": f"    import math\n    def dcg(grades, k=None):\n        return {SUM}",
    "prompts": f">>> import math\n>>> {DEF}...     return {SUM}",
    "await": "import asyncio, math\none = await asyncio.sleep(0, result=1)\n"
    f"{DEF}    return {SUM} * one",
    "decimal": f"import math\nfrom decimal import Decimal\n{DEF}    return Decimal({SUM})",
    "longdouble": f"import math\nimport numpy as np\n{DEF}    return np.longdouble({SUM})",
    "array": f"import math\nimport numpy as np\n{DEF}    return np.array({SUM})",
    "future": "from __future__ import annotations\nimport math\n"
    f"{DEF}    x: Nothing = {SUM}\n    return x",
    "get-ipython": f"get_ipython()\nimport math\n{DEF}    return {SUM}",
    "display": f"import math\ndisplay(1)\n{DEF}    return {SUM}",
}


def in_jupyter(a_class, cell):
    """What check says of dcg after the cell has run in IPython."""
    shells = pytest.importorskip("IPython.core.interactiveshell")
    exercise = a_class.source.exercise
    checking.begin(
        packed(exercise, {q.name: GENERAL.trial(exercise.number, q) for q in exercise.questions})
    )
    shell = shells.InteractiveShell()
    with contextlib.redirect_stdout(io.StringIO()):
        done = shell.run_cell(cell)
    done.raise_error()
    try:
        return checking.check("dcg", shell.user_ns["dcg"])
    finally:
        checking._open.clear()
        shells.InteractiveShell.clear_instance()


@pytest.mark.parametrize("name", HONEST)
def test_check_accepts_it(a_class, name):
    """In IPython itself."""
    assert in_jupyter(a_class, HONEST[name]).right


def test_the_grader_accepts_all_of_it(a_class):
    """Each notebook of the honest set has its 4 marks."""
    names = list(HONEST)
    for name in names:
        a_class.hand_in(f"{name}/77_two.ipynb", a_class.copy(name, ["x = 1", HONEST[name]]))
    a_class.grade()
    assert {n: a_class.marks(f"{n}/77_two.ipynb")[1] for n in names} == dict.fromkeys(names, 4)


def test_a_wrong_answer_in_the_same_dress_has_no_marks(a_class):
    """What is accepted is the form, not the answer."""
    wrong = HONEST["timed-line"].replace("i + 1", "i + 2")
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", [wrong]))
    a_class.grade()
    assert a_class.marks("ann/77_two.ipynb")[1] == 0


def test_a_missing_package_costs_nothing_and_is_listed(a_class):
    """Imports above `import math` fail where it is graded; the teacher sees it, nobody pays."""
    setup = (
        "import matplotlib.pyplot as plt\nfrom IPython.display import display\n"
        "import pandas as pd\n"
        "plt.style.use('ggplot')\nimport math"
    )
    cells = [setup, f"{DEF}    return {SUM}"]
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", cells))
    a_class.grade()
    assert a_class.marks("ann/77_two.ipynb")[1] == 4
    report = a_class.report()
    assert "cell 1, line 1: No module named 'matplotlib'" in report
    assert "the rest of the cell was run" in report
    said = a_class.written()["feedback/ann/77_two.md"].decode()
    assert "No module named" in said


def test_an_answer_that_is_missing_is_blamed_on_its_own_cell(a_class):
    """Not on an import for another question; and cells are counted in one way, text cells too."""
    book = a_class.copy("ann", solved=False)
    at = {cell.id: place for place, cell in enumerate(book.cells)}
    book.cells[at["77-total"]].source = "import requests\ntotal = 1"
    book.cells[at["77-dcg"]].source = "from irmetrics_edu import dcg"
    a_class.hand_in("ann/77_two.ipynb", book)
    a_class.grade()
    total, dcg = a_class.result("ann/77_two.ipynb")["questions"]
    place = (
        f"cell {at['77-dcg'] + 1} (text cells count, too), line 1: from irmetrics_edu import dcg."
    )
    assert [place in text for text in dcg["told"]] == [True]
    assert not total["told"]
    report = a_class.report()
    assert f"cell {at['77-total'] + 1}, line 1: No module named 'requests'" in report
    assert f"dcg has no answer where it was asked for; look into cell {at['77-dcg'] + 1}" in report


def test_hostile_text_is_read_under_limits():
    """A cell of nothing but commands takes its own time alone, and is ended with it."""
    cells = ["%x\n" * 200_000, "x = 1"]
    outcome = run_question(cells, Call("x", read=True), [Case()], SandboxLimits(cpu=1, wall=60))
    assert outcome.limit == "processor time"


def test_what_is_python_is_left_as_it_is():
    """A line that begins with a percent sign inside brackets or a text is no command."""
    for source in ("x = (7\n% 4)", "print('why?')  # why?", 't = """\n!x\n"""'):
        assert as_read(source, 0) == source
    assert as_read('!ls\nx = (7\n% 4)\nt = """\n!x\n"""', 0) == (
        'pass  # !ls\nx = (7\n% 4)\nt = """\n!x\n"""'
    )


def test_a_module_that_a_cell_writes_can_be_imported(a_class):
    """As in Jupyter: written, appended to, under quotes; a cell that writes elsewhere is told."""
    module = "import math\ndef log(i):\n    return math.log2(i + 1)"
    answer = (
        "from mine import log\ndef dcg(grades, k=None):\n"
        "    return sum(g / log(i) for i, g in enumerate(grades[:k], 1))"
    )
    whole = {
        "w": [f"%%writefile mine.py\n{module}", answer],
        "f": [f"%%file 'mine.py'\n{module}", answer],
        "a": ["%%writefile mine.py\nimport math", f"%%writefile -a mine.py\n{module}", answer],
    }
    for name, cells in whole.items():
        a_class.hand_in(f"{name}.ipynb", a_class.copy(name, cells))
    a_class.hand_in("x.ipynb", a_class.copy("x", ["%%writefile /no/folder/mine.py\nx = 1", answer]))
    assert a_class.grade() == 0
    assert [a_class.marks(f"{name}.ipynb")[1] for name in (*whole, "x")] == [4, 4, 4, 0]
