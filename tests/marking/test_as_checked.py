"""What `check` accepted in the notebook is what is marked, whatever stands above and below it.

Notebooks are drawn: right answers in many forms, cells below them that use their names again, cells
that were run out of order, prompts that were pasted along. Each runs in IPython, where `check` says
of each answer whether it is right. Then the grader marks the same file.
"""

import ast
import builtins
import contextlib
import io
import json
import math

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from irmetrics_edu.classroom import exercises
from irmetrics_edu.classroom.exercises import checking
from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.grading.cell_runner import Cells, as_read
from tests.conftest import examples
from tests.marking.conftest import SOURCE, Class

pytestmark = pytest.mark.slow

# A third question, whose answer is a list: it can be given as a generator, and change later.
THREE = SOURCE.replace(
    "        Question(\n            \"dcg\",",
    "        Question(\"each\", 'dcg.working(grades)[\"discounted gain\"]', alone, kind=\"value\","
    " marks=2),\n        Question(\n            \"dcg\",",
).replace(
    "# %% tags=[\"dcg\"]\n",
    "# %%\ngrades = spec.given(\"each\")\n\n# %% tags=[\"each\"]\n### BEGIN SOLUTION\n"
    "each = [g / math.log2(i + 1) for i, g in enumerate(grades, 1)]\n### END SOLUTION\n\n"
    "# %% tags=[\"check\"]\ncheck(\"each\", each)\n\n\n# %% tags=[\"dcg\"]\n",
)  # fmt: skip
MARKS = {"total": 1, "each": 2, "dcg": 4}
LOG = "g / math.log2(i + 1) for i, g in enumerate"
SHARES = """\
def share(g, i):
    return g / math.log2(i + 1)
def dcg(grades, k=None):
    return sum(share(g, i) for i, g in enumerate(grades[:k], 1))"""
ANSWERS = {
    "total": [
        "total = sum(grades)",
        "In [7]: total = sum(grades)",
        ">>> total = sum(grades)",
        ">>> 1 + 1\ntotal = sum(grades)",
        "for total in [0, sum(grades)]:\n    pass",
        "total = sum(grades)\ngrades.append(5)",
        "_ = 1\ntotal = sum(grades); total",
        "if (total := sum(grades)) > 0:\n    pass",
        "total, *_ = sum(grades), 1, 2",
        "total = 0\nfor g in grades:\n    total += g",
        "def summed():\n    global total\n    total = sum(grades)\nsummed()",
        "class Box:\n    inside = sum(grades)\ntotal = Box.inside",
        "match grades:\n    case [*all_]:\n        total = sum(all_)",
        "async def later():\n    return sum(grades)\ntotal = await later()",
        "from operator import *\nfrom functools import reduce\ntotal = reduce(add, grades)",
        "import contextlib\nwith contextlib.nullcontext(sum(grades)) as total:\n    pass",
        "globals()['total'] = sum(grades)",
        "total = type('Own', (int,), {})(sum(grades))",
        "total: int = sum(grades)",
        "exec('total = sum(grades)')",
        "%time total = sum(grades)",
        "import numpy as np\ntotal = np.sum(grades)",
    ],
    "each": [
        f"each = [{LOG}(grades, 1)]",
        f"each = ({LOG}(grades, 1))",
        f"each = tuple({LOG}(grades, 1))",
        f"def gains(list_):\n    yield from ({LOG}(list_, 1))\neach = gains(grades)",
        "each = map(lambda pair: pair[1] / math.log2(pair[0] + 1), enumerate(grades, 1))",
        f"In [3]: each = [{LOG}(grades, 1)]\n   ...: each",
        "each = []\nfor i, g in enumerate(grades, 1):\n    each += [g / math.log2(i + 1)]",
        "[*each] = [g / math.log2(i + 1) for i, g in enumerate(grades, 1)]",
        "each = [q for g, i in zip(grades, range(2, 9)) if (q := g / math.log2(i)) is not None]",
        "import numpy as np\neach = np.array(grades) / np.log2(np.arange(2, len(grades) + 2))",
        (
            "def made():\n    def one(pair):\n        return pair[1] / math.log2(pair[0] + 2)\n"
            "    return map(one, enumerate(grades))\neach = made()"
        ),
        (
            "async def some():\n    for i, g in enumerate(grades, 1):\n"
            "        yield g / math.log2(i + 1)\n"
            "each = [x async for x in some()]"
        ),
        (
            "each = {i: g for i, g in enumerate(grades, 1)}\n"
            "each = [g / math.log2(i + 1) for i, g in each.items()]"
        ),
        "import itertools as it\neach = (g / math.log2(i) for g, i in zip(grades, it.count(2)))",
    ],
    "dcg": [
        f"def dcg(grades, k=None):\n    return sum({LOG}(grades[:k], 1))",
        f"In [12]: def dcg(grades, k=None):\n    ...:     return sum({LOG}(grades[:k], 1))",
        f">>> def dcg(grades, k=None):\n...     return sum({LOG}(grades[:k], 1))\n... ",
        f"\n>>> 1 + 1\ndef dcg(grades, k=None):\n    return sum({LOG}(grades[:k], 1))",
        f"dcg = lambda grades, k=None: sum({LOG}(grades[:k], 1))",
        SHARES,
        (
            "import functools\n@functools.lru_cache\ndef shared(i):\n    return math.log2(i + 1)\n"
            "def dcg(grades, k=None):\n"
            "    return sum(g / shared(i) for i, g in enumerate(grades[:k], 1))"
        ),
        (
            "def traced(f):\n    def inner(*args, **more):\n        return f(*args, **more)\n"
            "    return inner\n"
            f"@traced\ndef dcg(grades, k=None):\n    return sum({LOG}(grades[:k], 1))"
        ),
        (
            "class Metric:\n    def __call__(self, grades, k=None):\n"
            f"        return sum({LOG}(grades[:k], 1))\n"
            "dcg = Metric()"
        ),
        (
            "class Metric:\n    @staticmethod\n    def dcg(grades, k=None):\n"
            f"        return sum({LOG}(grades[:k], 1))\ndcg = Metric.dcg"
        ),
        (
            "from functools import partial\ndef any_(base, grades, k=None):\n"
            "    return sum(g / math.log(i + 1, base) for i, g in enumerate(grades[:k], 1))\n"
            "dcg = partial(any_, 2)"
        ),
        (
            "calls = 0\ndef dcg(grades, k=None):\n    global calls\n    calls += 1\n"
            f"    return sum({LOG}(grades[:k], 1))"
        ),
        (
            "def make():\n    seen = []\n    def inner(grades, k=None):\n        nonlocal seen\n"
            f"        seen += [k]\n        return sum({LOG}(grades[:k], 1))\n"
            "    return inner\ndcg = make()"
        ),
        (
            "import math as m\ndef dcg(grades, k=None):\n"
            "    return sum(g / m.log2(i + 1) for i, g in enumerate(grades[:k], 1))"
        ),
        f"if True:\n    def dcg(grades, k=None):\n        return sum({LOG}(grades[:k], 1))",
        (
            "def dcg(grades, k=None):\n    match grades[:k]:\n        case []:\n"
            "            return 0\n"
            "        case [*some]:\n"
            "            return sum(g / math.log2(i + 1) for i, g in enumerate(some, 1))"
        ),
    ],
}
# What people write below: names that are used again, helpers that are gone, errors, experiments.
BELOW = [
    "x = 1",
    "dcg = dcg([3, 2, 1])\nprint(dcg)",
    "for dcg in [1, 2]:\n    pass",
    "for total in range(3):\n    print(total)",
    "each = sorted(each)",
    "total, each = each, total",
    "del total",
    "del dcg",
    "grades = []",
    "grades.clear()",
    "math = 3",
    "sum = 0",
    "share = 0.5",
    "each[0] = 99\nshare = None",
    "def dcg(grades):\n    return 0",
    "class dcg:\n    pass",
    "total: int = 5",
    "from math import e as total",
    "raise ValueError('stop')",
    "1 / 0",
    "with open('mine.txt') as each:\n    pass",
    "%timeit -n1 -r1 dcg([1])",
    "enumerate = None",
    "[total for total in range(3)]",
    "any((total := t) > 1 for t in range(3))",
    "for dcg, each in enumerate('ab'):\n    total = dcg",
    "import math as dcg",
    "from math import *\nfrom operator import *",
    "import random as math",
    "with open('mine.txt') as dcg, open('mine.txt') as total:\n    pass",
    "def helper():\n    global dcg, total\n    dcg = total = None\nhelper()",
    "class total:\n    dcg = 3\n    each = dcg",
    "total += 1\neach += [4]",
    "total, (each, *dcg) = 1, (2, 3, 4)",
    "match {'a': 1}:\n    case {'a': dcg, **total}:\n        pass",
    "async def dcg():\n    return 3\ntotal = await dcg()",
    "@lambda f: 3\ndef dcg():\n    pass",
    "try:\n    1 / 0\nexcept ZeroDivisionError as dcg:\n    pass",
    "dcg.__code__ = (lambda grades, k=None: 0).__code__",
    "dcg.__defaults__ = (1,)",
    "math.log2 = lambda x: 1",
    "import builtins\nbuiltins.sum = lambda *_: 0\ndel builtins",
    "globals().update(dcg=1, total=2, each=3)",
    "for name in ['dcg', 'total', 'each']:\n    del globals()[name]",
    "%reset -f",
    "del math, grades",
    "exec('dcg = 1')",
    "lambda: (yield)\ntotal = [dcg for dcg in 'ab' for each in 'c']",
    "grades[:] = []\neach.clear()",
    "quit()",
]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A class with an exercise of two values and a function."""
    made = Class(tmp_path_factory.mktemp("class"))
    path = made.folder / "sources" / "77_two.py"
    path.write_text(THREE, encoding="utf-8")
    made.source = read(path)
    return made


@contextlib.contextmanager
def as_before():
    """What cells change of `builtins` and `math` ends with them: other tests use both, too."""
    modules = (builtins, math)
    kept = [dict(vars(module)) for module in modules]
    try:
        yield
    finally:
        for module, names in zip(modules, kept, strict=True):
            vars(module).update(names)
            for name in vars(module).keys() - names.keys():
                delattr(module, name)


def in_jupyter(book, order):
    """What `check` said last of each answer, if the cells run in this order; counts are kept."""
    shells = pytest.importorskip("IPython.core.interactiveshell")
    said = {}

    def check(name, answer):
        feedback = checking.check(name, answer)
        said[name] = feedback.right
        return feedback

    shell = shells.InteractiveShell()
    silent = contextlib.redirect_stdout(io.StringIO())
    with as_before(), pytest.MonkeyPatch.context() as patch, silent:
        patch.setattr(exercises, "check", check)
        for count, place in enumerate(order, 1):
            cell = book["cells"][place]
            cell["execution_count"] = count
            shell.run_cell("".join(cell["source"]))
    checking._open.clear()
    shells.InteractiveShell.clear_instance()
    return said


def marked(course, student, book):
    """The marks of each question."""
    path = course.hand_in(f"{student}/77_two.ipynb", json.dumps(book))
    try:
        course.grade("--force")
        result = course.result(f"{student}/77_two.ipynb")
    finally:
        path.unlink()
    return {q["name"]: q["marks"] for q in result["questions"]}, result


def written(course, student, answers, below):
    """A student's copy with these answers, and below each check a cell."""
    book = json.loads(json.dumps(course.copy(student, solved=False)))
    cells = []
    for cell in book["cells"]:
        name = cell["id"].removeprefix("77-").removeprefix("check-")
        if cell["id"] == f"77-{name}" and name in answers:
            cells.append(cell | {"source": answers[name]})
        else:
            cells.append(cell)
        if cell["id"].startswith("77-check-"):
            cells.append(cell | {"id": f"below-{name}", "source": below[name]})
    return book | {"cells": cells}


@pytest.mark.suite("guide")
@pytest.mark.slow
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_check_accepted_is_what_is_marked(course, data):
    """Full marks for each answer of which the last `check` said that it is right."""
    answers = {name: data.draw(st.sampled_from(forms)) for name, forms in ANSWERS.items()}
    below = {name: data.draw(st.sampled_from(BELOW)) for name in ANSWERS}
    book = written(course, "ann", answers, below)
    code = [i for i, cell in enumerate(book["cells"]) if cell["cell_type"] == "code"]
    order = code[:1] + data.draw(st.one_of(st.just(code[1:]), st.permutations(code[1:])))
    accepted = in_jupyter(book, order)
    marks, result = marked(course, "ann", book)
    for name, right in accepted.items():
        if right:
            assert marks[name] == MARKS[name], (name, answers, below, order, result["questions"])


@pytest.mark.parametrize("below", BELOW)
def test_each_cell_below_costs_nothing(course, below):
    """Every answer was right when it was checked, and this stands below the last one."""
    answers = {name: forms[0] for name, forms in ANSWERS.items()}
    answers["dcg"] = ANSWERS["dcg"][-1]
    book = written(course, "ann", answers, {**dict.fromkeys(ANSWERS, "x = 1"), "dcg": below})
    assert marked(course, "ann", book)[0] == MARKS


@pytest.mark.parametrize(
    ("name", "form"), [(name, form) for name, forms in ANSWERS.items() for form in forms]
)
def test_each_form_is_accepted_by_both(course, name, form):
    """`check` in IPython accepts it, and so does the grader."""
    answers = {own: forms[0] for own, forms in ANSWERS.items()} | {name: form}
    book = written(course, "ann", answers, dict.fromkeys(ANSWERS, "x = 1"))
    code = [i for i, cell in enumerate(book["cells"]) if cell["cell_type"] == "code"]
    assert in_jupyter(book, code)[name]
    assert marked(course, "ann", book)[0] == MARKS


def test_a_wrong_answer_gains_nothing(course):
    """Neither by a check of it, nor by a name that is used again, nor by the order of its cells."""
    wrong = {"total": "total = 1.25", "each": "each = (g for g in grades)",
             "dcg": "def dcg(grades, k=None):\n    return 1.25"}  # fmt: skip
    book = written(course, "ann", wrong, dict.fromkeys(ANSWERS, "check('dcg', lambda *_: 0)"))
    code = [i for i, cell in enumerate(book["cells"]) if cell["cell_type"] == "code"]
    assert not any(in_jupyter(book, code[:1] + code[:0:-1]).values())
    assert set(marked(course, "ann", book)[0].values()) == {0}


def test_what_is_marked_as_checked_is_said(course):
    """To the student and to the teacher, with the cell."""
    answers = {name: forms[0] for name, forms in ANSWERS.items()}
    book = written(course, "ann", answers, {**dict.fromkeys(ANSWERS, "x = 1"), "dcg": "dcg = 3"})
    _, result = marked(course, "ann", book)
    place = next(i for i, c in enumerate(book["cells"], 1) if c["id"] == "77-check-dcg")
    [dcg] = [q for q in result["questions"] if q["name"] == "dcg"]
    assert f"It was marked as `check` got it in cell {place}" in dcg["told"][0]
    assert f"as `check` got it in cell {place}" in course.report()


# Texts with and without prompts, also where they are none.
LINES = st.sampled_from([
    "", "x = 1", ">>> y = 2", "...     z", "In [3]: a = 1", "   ...: b", "    indented",
    "    >>> deep = 1", "    ...     deeper", "if x:", ">>> if y:", "'''", "print('>>> x')", "...",
    ">>>", "In [x]: c", "[ins] In [4]: d", "# In [5]: e", ">>>f",
])  # fmt: skip


@example(["'''", ">>> y = 2", "'''", ">>> if y:", "...     z"])
@example([">>> y = 1", ">>> '''", ">>> y = 2", "'''"])
@given(st.lists(LINES, min_size=1, max_size=6))
def test_prompts_are_taken_away_as_ipython_does(lines):
    """What Python makes of the cell is the same; IPython's own transformations are the oracle."""
    inputs = pytest.importorskip("IPython.core.inputtransformer2")
    source = "\n".join(lines)
    expected = source.splitlines(keepends=True)
    steps = ("leading_empty_lines", "leading_indent", "classic_prompt", "ipython_prompt")
    for step in steps:
        expected = getattr(inputs, step)(expected)
    try:
        wanted = ast.dump(ast.parse("".join(expected)))
    except SyntaxError:
        return
    assert ast.dump(ast.parse(as_read(source, 0))) == wanted


def test_what_a_cell_changes_of_python_ends_with_it():
    """The tests that follow in this process have `sum` and `log2` as they were."""
    cell = "import builtins, math\nbuiltins.sum = math.log2 = lambda *_: 0\nbuiltins.mine = 3"
    book = {"cells": [{"cell_type": "code", "source": cell}]}
    in_jupyter(book, [0])
    assert (sum([1, 2]), math.log2(8)) == (3, 3)
    assert not hasattr(builtins, "mine")


@pytest.mark.parametrize(
    "cells",
    [
        ["1 + 1", "x = _"],
        ["3", "4", "5", "x = [_, __, ___]"],
        ["1\n2", "x = _"],
        ["5", "6;", "x = _"],
        ["7", "print(8)", "x = _"],
        ["7", "y = 8", "x = _"],
        ["_ = 7", "8", "x = _"],
        ["for _ in range(3):\n    pass", "9", "x = _"],
        ["1", "del _", "2", "x = _"],
        ["x = [_, __, ___]"],
        ["import asyncio", "await asyncio.sleep(0, 4)", "x = _"],
        ["__ = 1", "2", "x = (_, __)"],
        ["[1, 2]", "_.append(3)", "x = _"],
    ],
)
def test_the_last_values_have_the_names_of_jupyter(cells, monkeypatch):
    """What a cell ends with is `_` in the next one; IPython's own shell is the oracle."""
    # A doctest before leaves its last value there, and IPython then keeps `_` as it is.
    monkeypatch.delattr(builtins, "_", raising=False)
    shells = pytest.importorskip("IPython.core.interactiveshell")
    shell = shells.InteractiveShell()
    shell.history_manager.enabled = False
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in cells:
            shell.run_cell(cell, store_history=True)  # a semicolon is looked for in the history
    expected = shell.user_ns["x"]
    shells.InteractiveShell.clear_instance()
    namespace = {}
    ours = Cells(namespace)
    with contextlib.redirect_stdout(io.StringIO()):
        for number, cell in enumerate(cells, 1):
            ours.run(number, cell)
    if ours.loop:
        ours.loop.close()
    assert (namespace["x"], ours.errors) == (expected, [])


def test_an_answer_that_is_the_last_value_is_marked(course, monkeypatch):
    """The value is shown in one cell, and gets its name in the next."""
    monkeypatch.delattr(builtins, "_", raising=False)  # what a doctest leaves behind
    answers = {name: forms[0] for name, forms in ANSWERS.items()} | {"total": "sum(grades)"}
    below = dict.fromkeys(ANSWERS, "x = 1") | {"total": "total = _\ncheck('total', total)"}
    book = written(course, "ann", answers, below)
    code = [i for i, cell in enumerate(book["cells"]) if cell["cell_type"] == "code"]
    assert in_jupyter(book, code)["total"]
    assert marked(course, "ann", book)[0] == MARKS
