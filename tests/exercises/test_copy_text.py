"""The first cell of a copy: plain text that names its questions, and copies of before."""

import json
import re
from dataclasses import replace

import pytest

from dev.tools.exercises import questions, sources
from dev.tools.places import ROOT
from irmetrics_edu.classroom.exercises import begin, checking, copy_text
from irmetrics_edu.classroom.exercises.build import notebook
from irmetrics_edu.classroom.exercises.copy_text import (
    QUESTIONS,
    packed_text,
    parsed,
    readable,
    shipped,
    tagged,
    version_of,
    written,
)
from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.classroom.marking.matching.copy_data import packed_in
from irmetrics_edu.errors import InputError

NAMES = sorted(path.stem for path in (ROOT / "solutions").glob("[0-9]*.py"))
FIRST = NAMES[0]


def topic(name):
    """What an exercise is called without its number."""
    return name.partition("_")[2]


def first_cell(name, folder=ROOT / "exercises"):
    """The first cell of code of an exercise as it is handed out."""
    book = json.loads((folder / f"{name}.ipynb").read_text(encoding="utf-8"))
    return next("".join(c["source"]) for c in book["cells"] if "begin(" in "".join(c["source"]))


def test_the_package_has_the_questions_of_each_exercise_and_no_others():
    """A file for each source."""
    assert {path.stem for path in QUESTIONS.iterdir()} == set(map(topic, NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_a_first_cell_can_be_read(name):
    """Every language: a screen of short words at most, which says the questions and the data."""
    for folder in [ROOT / "exercises", *(ROOT / "exercises" / code for code in ("ja", "zh"))]:
        if not (folder / f"{name}.ipynb").exists():
            continue
        text = first_cell(name, folder)
        begun = text[text.index("begin(") :]
        assert not re.search(r"[A-Za-z0-9+/]{40}", begun)
        assert len(begun.splitlines()) < 25
        told = json.loads(begun.split('"""')[1])
        assert told["questions"] == f"{topic(name)} {version_of(shipped(topic(name)))}"
        assert "expected" not in begun


@pytest.mark.parametrize("name", NAMES)
def test_no_solution_is_in_the_package(name):
    """Nor what draws hidden inputs: what is between the marks of a solution is in no file of it."""
    source = (ROOT / "solutions" / f"{name}.py").read_text(encoding="utf-8")
    held = (QUESTIONS / f"{topic(name)}.json").read_text(encoding="utf-8")
    for solution in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", source, re.DOTALL):
        for line in solution.splitlines():
            assert len(line.strip()) < 25 or line.strip() not in held
    assert not {"inputs", "asks"} & set(shipped(topic(name))["questions"][0])


def plain(text, *, seals=()):
    """The same copy with the packed word of before."""
    copy = parsed(text)
    inputs = {**copy.asked["inputs"], **{name: [one] for name, one in copy.data.items()}}
    return packed_text({**copy.asked, "inputs": inputs, "seals": dict(seals)})


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_of_before_opens_the_same_exercise(name):
    """And the grader reads the same data and seals in both."""
    text = first_cell(name).split('"""')[1]
    before = plain(text, seals={"x": "y"})
    assert checking.unpacked(before) == checking.unpacked(text)
    new = packed_in([f'begin(r"""{text}""")'])
    old = packed_in([f'begin("""{before}""")'])
    assert new.number == old.number
    assert old.seals == {"x": "y"}
    for question, inputs in new.inputs.items():
        assert old.inputs[question] == inputs


def test_an_exercise_of_a_teacher_is_one_file_with_its_questions():
    """They are packed, as hints are not read by chance."""
    text = first_cell(FIRST).split('"""')[1]
    copy = parsed(text)
    own = replace(copy, asked={**copy.asked, "title": "Mine"})
    told = written(own, topic(FIRST))
    assert "Mine" not in told
    assert parsed(told) == own
    exercise, _ = checking.unpacked(told)
    assert exercise.title == "Mine"


def test_a_copy_of_another_version_says_so_and_one_without_questions_what_to_do():
    """The first is still checked; of the second one sentence names the questions and a remedy."""
    text = first_cell(FIRST).split('"""')[1]
    version = json.loads(text)["questions"]
    renumbered = json.dumps({**json.loads(text), "exercise": "99"})
    assert begin(renumbered).text.startswith("Exercise 99, ")
    assert "have changed" not in begin(renumbered).text
    older = text.replace(version, f"{topic(FIRST)} 00000000")
    assert "have changed since this copy was made" in begin(older).text
    assert "have changed" not in begin(text).text
    told = json.loads(text)
    for lost in (
        {**told, "questions": "no_such 00000000"},
        {**told, "questions": f"../../{topic(FIRST)} 00000000", "data": {}},
        {**told, "data": {}},
        {**told, "data": {**told["data"], "another": {}}},
    ):
        with pytest.raises(InputError, match=r"irmetrics-edu course DIR") as error:
            begin(json.dumps(lost))
        assert str(error.value).startswith("the questions ")


@pytest.mark.parametrize(
    "text", ["", "{", "{}", "[]", "QUJD", '{"exercise": "01", "questions": 3, "data": {}}',
             '{"exercise": "01", "questions": "x", "data": {}}',
             '{"exercise": "01", "questions": ["QUJD"], "data": {}}',
             '{"exercise": "01", "questions": "01 1", "data": []}']
)  # fmt: skip
def test_a_changed_first_cell_says_so(text):
    """However it was changed."""
    with pytest.raises(InputError, match=r"first cell was changed"):
        checking.unpacked(text)


VALUES = [
    {}, {"dict": 1}, {"set": {1, 2}}, {"tuple": ()}, {("a", "b"): 0.1}, {1: {"x": [None, True]}},
    {"a": float("inf"), "b": 1 << 80}, [{"a": {"dict": {"dict": []}}}], {"float": "nan"}, "\\\"\n",
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_readable_data_are_the_data(value):
    """Also dicts of one key that is called as a tag."""
    packed = pack(value)
    shown = json.loads(json.dumps(readable(packed)))
    assert tagged(shown) == packed


def test_a_students_text_has_seals_that_the_grader_finds():
    """For each of the data, whatever they hold."""
    for path in sources(["04"]):
        source = read(path)
        owner = Variant("Ann", b"a course key of the tests")
        cell = next(c.source for c in notebook(source, owner).cells if "begin(" in c.source)
        held = packed_in([cell])
        assert held.inputs.keys() == held.seals.keys() != set()
        for name, inputs in held.inputs.items():
            assert held.seals[name] == owner.seal(held.number, name, inputs)


def test_the_files_of_questions_are_those_of_the_sources():
    """As `make drift` says; one source stands for all, which the notebooks' test has."""
    for path in sources(["01"]):
        for target, text in questions(read(path)).items():
            assert target.read_text(encoding="utf-8") == text
    assert copy_text.QUESTIONS.parent.name == "exercises"
