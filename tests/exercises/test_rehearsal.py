"""An author's errors are refused before any copy is written, with the line."""

import pytest

from irmetrics_edu.classroom.exercises.rehearsal import refuse_what_fails
from irmetrics_edu.classroom.exercises.source import paths_in, read
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from tests.marking.conftest import SOURCE

GIVEN = 'grades = spec.given("total")'


def line_of(text, words):
    """The line of a source in which words stand."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if words in line)


@pytest.fixture
def source_of(tmp_path):
    """Writes a source and reads it."""

    def made(text):
        path = tmp_path / "77_two.py"
        path.write_text(text, encoding="utf-8")
        return read(path)

    return made


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        (GIVEN, "grades = [1, 2, 3]", "", 'no cell reads spec.given("total")'),
        (GIVEN, f"{GIVEN}\ngrades = [1, 2, 3]", "", "the solution of question total"),
        (GIVEN, f"{GIVEN}\ngrades[0] = 9", "", "the solution of question total"),
        (GIVEN, "grades = spec.given('totl')", "", 'no cell reads spec.given("total")'),
        (GIVEN, f"{GIVEN}\nx = spec.given('totl')", "", "question 'totl' is not in the exercise"),
        (GIVEN, 'grades = spec.given("total")["grades"]', "", "no cell reads"),
        (GIVEN, f"{GIVEN}\nx = spec.exercise", "x = spec.exercise", "name 'spec' is not defined"),
        ("total = sum(grades)", "total = sum(grades) + 1", "", "the solution of question total"),
        ("i + 1)", "i + 2)", "", "the solution of question dcg"),
        ('check("total", total)', 'check("totl", total)', 'check("totl"', "no question 'totl'"),
        ('check("dcg", dcg)', 'check("dcg", dgc)', 'check("dcg", dgc)', "'dgc' is not defined"),
        ("import math\n\nfrom", "from", "", "name 'math' is not defined"),
        ('{"grades": [2, 1], "k": 5}', '{"grades": [], "k": 3}', "", "dcg: the edge case"),
        ("total = sum(grades)\n### END", "total = 0\n### END", "", "solution of question total"),
        ("### BEGIN SOLUTION\ntotal = sum(grades)\n### END SOLUTION",
         "### BEGIN SOLUTION\nx = 1\n### END SOLUTION\ntotal = sum(grades)", "", "empty copy"),
    ],
)  # fmt: skip
def test_what_would_fail_in_a_class_is_refused(source_of, old, new, at, words):
    """Each was once written into everybody's copies, and marked against them."""
    assert SOURCE.count(old) == 1
    text = SOURCE.replace(old, new)
    with pytest.raises(InputError) as caught:
        refuse_what_fails(source_of(text))
    assert words in str(caught.value)
    assert "77_two.py" in str(caught.value)
    if at:
        assert f"line {line_of(text, at)}:" in str(caught.value)


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
@pytest.mark.parametrize("path", paths_in(), ids=lambda path: path.stem)
def test_the_courses_own_exercises_pass(path):
    """All that are written are rehearsed."""
    assert refuse_what_fails(read(path)) == ""
