"""Hostile, broken and odd submissions, graded in one go, each with the verdict it should have."""

import json
import re

import pytest

from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading import tiers
from tests.marking.conftest import KEY, RIGHT, Class

pytestmark = pytest.mark.slow

STUB = "from irmetrics_edu.classroom.exercises import begin, check, hint\n"

# Student, the cell that answers dcg, its marks of 4, and words that the feedback must hold.
CELLS = [
    ("prints", "print('x' * 9_999)\nimport warnings\nwarnings.warn('hm')\n" + RIGHT, 4, "Right"),
    ("always_equal",
     ("class E(float):\n    def __eq__(s, o): return True\n    __sub__ = __rsub__ = "
     "lambda s, o: 0.0\n    def __le__(s, o): return True\n"
     "def dcg(grades, k=None):\n    return E(1.5)"), 0, "first"),
    ("constant", "def dcg(grades, k=None):\n    return 3.0", 0, ""),
    ("patches", STUB + "import builtins, math, json\nbuiltins.abs = lambda x: 0\n"
     "math.isfinite = lambda x: False\n"
     "def dcg(grades, k=None):\n    return 1", 0, ""),
    ("writes_text", ("import os\ndef dcg(grades, k=None):\n    for n in range(3, 20):\n"
     "        try:\n            os.write(n, b'{}, {}, {}')\n        except OSError:\n"
     "            pass\n    return 1"), 0, "interfered with the grader"),
    ("breaks_channel", "import json\njson.dumps = lambda *a, **k: '{}'\n" + RIGHT, 0,
     "interfered with the grader"),
    ("frames", ("import sys\ndef dcg(grades, k=None):\n    f = sys._getframe()\n"
     "    while f:\n        for n, v in f.f_locals.items():\n"
     "            if 'wanted' in n or 'expected' in n: return v[0]\n        f = f.f_back\n"
     "    return 0"), 0, ""),
    ("imports_ours", "from irmetrics_edu import dcg", 0, "write this part yourself"),
    ("imports_theirs", ("from sklearn.metrics import dcg_score\n"
     "def dcg(grades, k=None):\n    return dcg_score([grades], [range(9, 3, -1)])"), 0,
     "write this part yourself"),
    ("imports_inside", ("def dcg(grades, k=None):\n    import irmetrics_edu.metrics as m\n"
     "    return m.dcg(grades, k=k)"), 0, "write this part yourself"),
    ("exits", "import os\ndef dcg(grades, k=None):\n    os._exit(0)", 0, "ended its own process"),
    ("exits_after", RIGHT + "\n#next\nimport os; os._exit(0)", 4, "stops the notebook"),
    ("loops", "def dcg(grades, k=None):\n    while True: pass", 0, "s) was exceeded"),
    ("talks", "def dcg(grades, k=None):\n    print('x' * 100_000_000)", 0, "limit"),
    ("eats", "def dcg(grades, k=None):\n    return len(bytearray(8 << 30))", 0, "memory"),
    ("forks", ("import os, time\ndef dcg(grades, k=None):\n    for _ in range(50):\n"
     "        if os.fork() == 0:\n            time.sleep(20); os._exit(0)\n    return 1"), 0, ""),
    ("calls_home", ("import socket\ndef dcg(grades, k=None):\n"
     "    socket.create_connection(('127.0.0.1', 9), 1)\n    return 1"), 0, "It raises"),
    ("huge", "def dcg(grades, k=None):\n    return 10 ** 900", 0, "It gives 1000"),
    ("nan", "def dcg(grades, k=None):\n    return float('nan')", 0, "NaN"),
    ("syntax", "def dcg(grades, k=None)\n    return 1", 0, "SyntaxError"),
    ("mistaken", RIGHT.replace("i + 1", "i + 2"), 0, "Your values equal those of"),
    ("edge", RIGHT.replace("    return", "    if k and k > len(grades): return 0\n    return"), 3.2,
     "Right for ordinary inputs"),
    ("magic", "%matplotlib inline\n!ls\n" + RIGHT, 4, "Right"),
    ("numpy", ("import numpy as np\ndef dcg(grades, k=None):\n    g = np.array(grades[:k])\n"
     "    return (g / np.log2(np.arange(len(g)) + 2)).sum()"), 4, "Right"),
    ("surrogate", "x = '\\ud800'\ndef dcg(grades, k=None):\n    raise ValueError('\\ud800<b>')", 0,
     "It raises ValueError"),
    ("tells_frames", ("import sys\ndef dcg(grades, k=None):\n"
     "    raise ValueError(str(sys._getframe(1).f_locals['case']))"), 0, "It raises ValueError"),
    ("markup", "def dcg(grades, k=None):\n    raise ValueError('<script>alert(1)</script>')", 0,
     "&lt;script&gt;"),
]  # fmt: skip


@pytest.fixture(scope="module")
def graded(make_class) -> Class:
    """The whole class, graded once."""
    found: Class = make_class()
    for student, cell, _, _ in CELLS:
        right = f"total = {sum(given(found, student))}"
        cells = [STUB, right, *cell.split("\n#next\n")]
        found.hand_in(f"{student}/77_two.ipynb", found.copy(student, cells))
    # A second of the processor is enough for those that end.
    found.grade("--limit", "cpu=1")
    return found


def given(a_class: Class, student: str) -> list[int]:
    """The data of a student's own copy."""
    exercise = a_class.source.exercise
    return list(
        Variant(student, KEY).trial(exercise.number, exercise["total"]).general[0]["grades"]
    )


@pytest.mark.parametrize(("student", "cell", "wanted", "words"), CELLS, ids=[c[0] for c in CELLS])
def test_each_has_its_verdict(graded, student, cell, wanted, words):
    """The other question keeps its marks, whatever the code for this one does."""
    total, dcg = graded.marks(f"{student}/77_two.ipynb")
    assert dcg == pytest.approx(wanted)
    # One who breaks the channel that answers come by has none.
    assert total == (student != "breaks_channel"), cell
    folder = next(p for p in (graded.out / "feedback").iterdir() if p.name.startswith(student))
    assert words in (folder / "77_two.html").read_text(encoding="utf-8")


def test_no_markup_of_students_gets_through(graded):
    """No page holds a script, whatever the students' errors say."""
    for name, data in graded.written().items():
        if name.endswith(".html"):
            assert b"<script" not in data, name


def test_the_report_alone_says_what_shut_the_code_in(graded):
    """A student has no use for it."""
    for name, data in graded.written().items():
        if name.endswith((".html", ".md")):
            assert (b"How the code was run" in data) == (name == "report.html"), name


def test_what_code_did_is_shown_to_the_teacher(graded):
    """An end of its own, other processes, a refused call, and text on the grader's channel."""
    report = graded.report()
    for words in (
        "dcg: the code ended its own process, with status 0, before it answered",
        "dcg: the code started other processes or threads",
        "dcg: cell 3, line 3: the sandbox refused what the code asked for",
        "dcg: the code wrote on the grader's channel",
    ):
        assert words in report


def test_no_hidden_value_is_written(graded):
    """No result, page or table holds a right value of the hidden inputs."""
    exercise = graded.source.exercise
    trial = Variant("", KEY).trial(exercise.number, exercise["dcg"], hidden=True)
    values = [repr(round(exercise["dcg"].right(i), 4))[:6] for i in trial]
    # An input that gives no marks may have the same value, and its value is shown.
    right = {v for v in values[: len(trial.general)] if len(v) == 6}
    right -= {*values[len(trial.general) :]}
    assert len(right) > 5
    for name, written in graded.written().items():
        data = re.sub(rb"<svg.*?</svg>", b"", written, flags=re.DOTALL)  # its axis has marks
        for value in right:
            # Of the mistaken and of the right code, whose numbers are not shown either.
            assert value.encode() not in data, (name, value)


def test_the_lowest_tier_is_not_called_secure(a_class, monkeypatch, capsys):
    """A plain process is said to be no secure sandbox, where the teacher reads."""
    monkeypatch.setattr(tiers, "is_root", lambda: False)
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    assert a_class.grade("--tier", "plain") == 0
    assert "not a secure sandbox" in a_class.report()
    assert "not a secure sandbox" in capsys.readouterr().out


def test_code_in_a_later_cell_can_not_take_an_answer_away(a_class):
    """An exit in the last cell ends the child, and what came before is marked all the same."""
    cells = [STUB, RIGHT, "import os; os._exit(0)"]
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", cells))
    a_class.grade()
    assert a_class.marks("ann/77_two.ipynb")[1] == 4
    assert json.dumps(a_class.result("ann/77_two.ipynb")).count("stops the notebook") == 1


# Ways to show what the code has seen, in what a student reads of a wrong answer.
TELLS = {
    "error": "raise ValueError(str(seen))",
    "type": "raise type(str(seen), (Exception,), {})",
    "line": "linecache.getline = lambda *a: str(seen); raise KeyError(1)",
    "number of a line": "exec(compile('\\n' * 2413112 + '1 / 0', '<cell 2>', 'exec'))",
    "text": "return str(seen)",
    "number": "return int(''.join(c for c in str(seen) if c.isdigit()))",
    "list": "return seen[0][0]",
    "type of a value": "A = type(str(seen), (), {}); return A()",
    "answer to a frame": "sys._getframe(1).f_globals['raised'] = lambda e: dict("
    "type='E', message=str(seen), cell=2, line=1, text=str(seen), limit='', name=''); "
    "raise ValueError",
    "refusal": "raise sys._getframe(1).f_globals['NotPlain'](str(seen))",
}


def _inputs(text: str, trial: list[dict[str, object]]) -> int:
    """How many of the inputs are in a text: as a list, or as the digits of a number."""
    lists = [", ".join(map(str, inputs["grades"])) for inputs in trial]
    return sum(one in text or one.replace(", ", "") in text for one in lists)


@pytest.mark.parametrize("known", [False, True], ids=["", "right for what the copy holds"])
@pytest.mark.parametrize("how", TELLS)
def test_no_feedback_tells_the_hidden_inputs(a_class, how, known):
    """Whatever the code keeps and shows; the one call that an honest student can try is shown."""
    exercise = a_class.source.exercise
    trial = Variant("", KEY).trial(exercise.number, exercise["dcg"], hidden=True)
    own = [[*one.values()] for one in (*trial.edges, *trial.prefixes, *trial.examples) if known]
    cell = (
        f"import linecache, math, sys\nOWN = {own}\nseen = []\ndef dcg(grades, k=None):\n"
        "    seen.append((grades, k))\n    if [grades, k] in OWN:\n        return sum("
        f"g / math.log2(i + 1) for i, g in enumerate(grades[:k], 1))\n    {TELLS[how]}"
    )
    a_class.hand_in("mal/77_two.ipynb", a_class.copy("mal", [STUB, cell]))
    a_class.grade()
    assert a_class.marks("mal/77_two.ipynb")[1] == 0
    hidden = [one for one in trial.general if one not in trial.examples]
    for name, data in a_class.written().items():
        if name.startswith("feedback") and not name.endswith(".html"):
            text = (
                json.loads(data)["tests"][1]["output"] if name.endswith("json") else data.decode()
            )
            assert _inputs(text, hidden) == known, name
            assert not known or "2413113" not in text


def test_an_error_on_hidden_inputs_alone_has_its_kind_and_place(a_class):
    """No text of it; with its text where the copy holds such inputs."""
    cell = "def dcg(grades, k=None):\n    if k:\n        return {}[str(grades)]\n"
    examples = Variant("", KEY).trial("77", a_class.source.exercise["dcg"], hidden=True).examples
    once = cell.replace("if k:", f"if [grades, k] not in {[[*e.values()] for e in examples]}:")
    for name, text in (("ann", cell), ("ben", once)):
        body = RIGHT.split("\n")[-1]
        a_class.hand_in(
            f"{name}/77_two.ipynb", a_class.copy(name, [STUB + "import math", text + body])
        )
    a_class.grade()
    ann, ben = (a_class.result(f"{n}/77_two.ipynb")["questions"][1]["text"] for n in ("ann", "ben"))
    place = "It comes from cell 2 (text cells count, too), line 3"
    assert re.match(rf"It raises KeyError: '\[.*\]'\. {re.escape(place)}: return ", ann)
    assert ben.startswith(f"It raises KeyError. {place}. Try dcg([")
