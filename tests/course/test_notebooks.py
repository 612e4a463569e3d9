"""The notebooks: paired, complete, described, and free of what a machine leaves behind."""

import ast
import json
import re
import subprocess
import sys

import nbformat
import pytest

from dev.tools import quick
from dev.tools.notebooks import paired, ran, shows, sources, without_pictures
from dev.tools.places import FOLDER, ROOT
from irmetrics_edu.classroom.exercises.build import as_text
from tests.conftest import ROOT as PROJECT

NOTEBOOKS = sources()
# Topics on which the documents that the course quotes have nothing.
NOT_IN_DOCUMENTS = {
    "inference", "judges", "pools_and_orders", "online", "modern_learning_to_rank",
    "retrieval_for_generation", "fairness_and_exposure", "popularity", "answers_of_language_models",
    "judges_of_answers", "neural_rankers", "experiments_online",
}  # fmt: skip
each = pytest.mark.parametrize("source", NOTEBOOKS, ids=lambda p: p.stem)


def built(source):
    """The notebook as checked in."""
    return nbformat.read(source.with_suffix(".ipynb"), as_version=4)


def outputs(source):
    """Everything the notebook shows, as (kind, text)."""
    for cell in built(source).cells:
        for output in cell.get("outputs", ()):
            yield from output.get("data", {}).items()
            if "text" in output:
                yield output.output_type, output.text


def test_the_folder_holds_pairs_only():
    """A notebook without its source would never be rebuilt."""
    assert ROOT == PROJECT
    pairs = {p.stem for p in NOTEBOOKS}
    assert pairs
    assert {p.stem for p in FOLDER.glob("*.ipynb")} == pairs


@each
def test_the_pair_says_the_same(source):
    """What is opened is what was edited; outputs are compared by nbval."""
    bare = built(source)
    for cell in bare.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    assert json.loads(as_text(bare)) == json.loads(as_text(paired(source)))


@each
def test_every_cell_ran_once_from_top_to_bottom(source):
    """Execution counts are 1, 2, 3 ..., and nothing failed."""
    code = [c for c in built(source).cells if c.cell_type == "code"]
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))
    assert not [o for c in code for o in c.outputs if o.output_type in ("error", "stream")]


@each
def test_a_notebook_has_its_parts(source):
    """Goals, time, needs, terms, a prediction before each first answer, a quiz, recap, reading."""
    text = source.read_text(encoding="utf-8")
    for part in ("**Goals.**", "**Time.**", "**Needs.**", "## Recap", "**Read on.**"):
        assert part in text, part
    for call in ("terms(", "predict(", "reveal(", "quiz("):
        assert call in text, call
    assert "figure(" in text or "slider(" in text
    assert "quote(" in text or source.stem[3:] in NOT_IN_DOCUMENTS
    assert text.index("predict(") < text.index("reveal(")


@each
def test_every_picture_has_alt_text(source):
    """And no picture is shown without passing through `figure`."""
    kinds = {kind for kind, _ in outputs(source)}
    assert not {k for k in kinds if k.startswith("image/")}
    pictures = [
        tag
        for kind, text in outputs(source)
        if kind == "text/html"
        for tag in re.findall(r"<img[^>]*>", text)
    ]
    assert pictures
    for tag in pictures:
        assert re.search(r'alt="[^"]{20,}"', tag), without_pictures(tag)


@each
def test_a_chapter_is_an_hour_at_most(source):
    """By the time that it states."""
    text = source.read_text(encoding="utf-8")
    assert int(re.search(r"\*\*Time\.\*\* (\d+) minutes", text)[1]) <= 60


@each
def test_no_question_shows_its_code(source):
    """The code of a prediction or quiz may have the answer, so it is folded."""
    asked = 0
    for cell in built(source).cells:
        if cell.cell_type != "code":
            continue
        calls = [n.func for n in ast.walk(ast.parse(cell.source)) if isinstance(n, ast.Call)]
        if {ast.unparse(c) for c in calls} & {"predict", "quiz"}:
            asked += 1
            assert cell.metadata.get("jupyter") == {"source_hidden": True}, cell.id
            assert "hide-input" in cell.metadata["tags"], cell.id
            assert shows(cell.source)[0] in {"predict", "quiz"}, cell.id
    assert asked > 3


# What a machine, a day or a run leaves in an output.
TRACES = re.compile(
    r"/home/|/root/|/tmp/|/Users/|C:\\|0x[0-9a-f]{6,}|\d{4}-\d\d-\d\d[T ]\d\d:|\d+\.\d{7,}|Warning"
)
DOI = re.compile(r"\b10\.\d{4,}/[^\s\"<]+")


@each
def test_no_trace_of_a_machine(source):
    """No path, time stamp, address or unrounded number."""
    for _, text in outputs(source):
        found = TRACES.search(DOI.sub("", without_pictures(str(text))))
        assert found is None, found


@each
def test_a_metric_written_by_hand_is_held_against_the_package(source):
    """A logarithm in a cell is a second DCG, so such a cell asserts that both agree."""
    for number, code in quick.cells(source):
        tree = ast.parse(code)
        called = {ast.unparse(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
        if any(re.search(r"\blog(2|10|1p)?$", c) for c in called):
            held = [n for n in ast.walk(tree) if isinstance(n, ast.Assert)]
            assert any("isclose" in ast.unparse(n) for n in held), f"line {number}"


def test_a_trace_is_found():
    """The check above can fail."""
    for text in ("/root/x", "0x7f3a2b1c", "2026-01-02 10:00", "0.12345678", "FutureWarning"):
        assert TRACES.search(text)


@pytest.mark.slow
@pytest.mark.suite("guide")
def test_the_quick_run_is_of_real_notebooks():
    """One of them, in a process of its own; all run where outputs are compared."""
    done = subprocess.run(
        [sys.executable, "-m", "dev.tools.quick", "04"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1 of 1 notebooks run" in done.stdout


# What an output showed, or what a cell says, and what stands there instead; whether nbval minds.
BROKEN = [
    ("print(round(2 / 3, 4))", "0.6667", "0.6668", "FAILED"),
    ("sum([5, 2, 3])", "sum([5, 2, 3])", "sum([5, 2, 4])", "FAILED"),
    ("figure(plt.figure(), alt='empty')", "svg+xml;base64,PD94", "svg+xml;base64,PD9", "PASSED"),
    ("sum([5, 2])", "", "", "PASSED"),
]


@pytest.mark.slow
@pytest.mark.suite("guide")
def test_validation_sees_a_broken_copy(tmp_path, capfd):
    """A changed output or changed code fails; a picture drawn with other fonts does not."""
    first = "import matplotlib.pyplot as plt\nfrom irmetrics_edu.course import figure"
    source = tmp_path / "99_small.py"
    cells = [first, *(code for code, *_ in BROKEN)]
    source.write_text("".join(f"# %%\n{code}\n\n" for code in cells), encoding="utf-8")
    small = ran(paired(source))
    assert capfd.readouterr() == ("", "")  # no kernel warns of who can read what it is sent
    for cell, (_, old, new, _) in zip(small.cells[1:], BROKEN, strict=True):
        text = json.dumps(cell)
        assert old in text
        cell.update(nbformat.from_dict(json.loads(text.replace(old, new))))
    (tmp_path / "99_small.ipynb").write_text(as_text(small), encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            *("-m", "pytest", "--nbval", "-q", "-rA", "-o", "addopts=", "-p", "no:cacheprovider"),
            *("-p", "tests.forked_kernels"),
            *("--nbval-sanitize-with", str(FOLDER / "sanitize.cfg"), "--rootdir", str(tmp_path)),
            "99_small.ipynb",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    told = re.findall(r"^([A-Z]+) 99_small\.ipynb::Cell (\d+)", done.stdout, re.MULTILINE)
    wanted = ["PASSED", *(verdict for *_, verdict in BROKEN)]
    assert {int(n): verdict for verdict, n in told} == dict(enumerate(wanted)), done.stdout[-3000:]
    assert done.returncode == 1


def test_a_broken_cell_is_reported_with_its_place(tmp_path):
    """File, line of the cell, and the error."""
    file = tmp_path / "99_broken.py"
    file.write_text("# %% [markdown]\n# text\n\n# %%\nx = 1\n\n# %%\n1 / 0\n", encoding="utf-8")
    message = quick.run(file)
    assert "99_broken.py, cell at line 7" in message
    assert "ZeroDivisionError" in message
