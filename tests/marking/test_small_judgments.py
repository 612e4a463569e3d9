"""Small decisions of the grader, each by a table: names of files, times, copies, a class of one."""

import json
import keyword
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.outcome import Answer, RunOutcome
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.classroom.marking.give_back import _write_regraded
from irmetrics_edu.classroom.marking.matching.code_tokens import (
    TOKENS,
    WINDOW,
    all_hashes,
    fingerprints,
    lines_with,
)
from irmetrics_edu.classroom.marking.matching.lateness import times_of_worksheet
from irmetrics_edu.classroom.marking.results import file_name
from irmetrics_edu.classroom.marking.returning.course_total import (
    CourseRules,
    as_csv,
    as_html,
    totals,
)
from irmetrics_edu.classroom.marking.reviewing.gradebook import BY_NAME
from irmetrics_edu.classroom.marking.reviewing.similarity import LEAST_WHOLE, _throughout
from irmetrics_edu.classroom.marking.running.child_runs import WALL, Patience, Turns
from irmetrics_edu.classroom.marking.running.run_cells import QuestionRun, _stopped
from irmetrics_edu.errors import InputError
from tests.marking.conftest import RIGHT
from tests.marking.test_course_total import entry
from tests.tables import rows

WINDOWS_KEEPS = ["con", "CON", "prn", "aux", "NUL", "com1", "lpt9"]
# Pairs that some file system, or a name without its odd characters, would give one file.
ALIKE = [
    "a/b",
    "a_b",
    "a:b",
    "A",
    "a",
    "a.",
    "a ",
    "é",
    "e\u0301",
    "",
    "..",
    ".",
    "x" * 61,
    "x" * 62,
]


def test_different_names_have_different_files():
    """Also where letters are of no case, no name ends in a point, and some names are devices."""
    names = [*ALIKE, *WINDOWS_KEEPS]
    files = [file_name(name) for name in names]
    assert len({file.lower() for file in files}) == len(names)
    for file in files:
        assert file.lower() not in {name.lower() for name in WINDOWS_KEEPS}
        assert file == file.strip(" .")
        assert file
        assert not set(file) & set('/\\:*?"<>|\0')
    assert file_name("a_b") == "a_b"


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_class_of_any_size_has_its_totals(size):
    """One student is a class, too."""
    students = [f"s{i}" for i in range(size)]
    every = [entry(student, number, 5) for student in students for number in ("01", "02")]
    of_all = totals(every, CourseRules())
    assert [one.share for one in of_all] == [Fraction(1, 2)] * size
    table = as_csv(of_all)
    page = as_html(of_all)
    for student in students:
        assert student in table
        assert student in page
    assert as_csv(totals([], CourseRules())).count("\n") == 1


def _cut(answer):
    return RunOutcome((Answer(why=answer),), Tier("plain"), limit=WALL)


@pytest.mark.parametrize(
    ("beside", "cells", "is_known"),
    [
        ("one", ["a", "b"], True),
        ("one", ["a", "b", "c"], True),
        ("other", ["a", "b"], False),
        ("one", ["a"], False),
        ("one", ["b", "a"], False),
    ],
)
def test_what_was_cut_is_known_of_the_same_cells_with_the_same_data(beside, cells, is_known):
    """With other data, other cells, or fewer of them, a run is another run."""
    limits = SandboxLimits(wall=0.1, submission=1000)
    patience = Patience(Turns(1), limits)
    asked = []

    def once(_limits):
        asked.append(1)
        return _cut("first" if len(asked) <= 2 else "second")

    first = patience.run(["a", "b"], "one", once, Tier("plain"), 1)
    times = len(asked)
    second = patience.run(cells, beside, once, Tier("plain"), 1)
    assert first.answers[0].why == "first"
    assert (len(asked) == times) is is_known
    assert second.answers[0].why == ("first" if is_known else "second")


@pytest.mark.parametrize("attempt", ["first", "last", "best"])
def test_names_are_said_to_decide_only_where_they_do(a_class, attempt):
    """Two attempts without times: the last is the last by name; the first and the best are not."""
    for number in (1, 2):
        a_class.hand_in(f"ann/77 ({number}).ipynb", a_class.copy("ann"))
    a_class.grade("--attempt", attempt)
    told = (a_class.out / "report.html").read_text(encoding="utf-8")
    assert (BY_NAME in told) is (attempt == "last")


def _code(words):
    return " + ".join(words)


@pytest.mark.parametrize("length", range(1, TOKENS + 3 * WINDOW))
def test_code_of_any_length_has_all_its_windows(length):
    """The last window is one of them: those who share the end of their code share its traces."""
    code = _code([str(i) for i in range(length)])
    hashes = all_hashes([code])
    traces = set(fingerprints([code]))
    # Each number is a token, and each sign between two: one of two sequences begins with each.
    assert len(hashes) == min(max(2 * length - 1 - TOKENS + 1, 0), 2)
    assert traces <= hashes
    assert bool(traces) is bool(hashes)
    # Winnowing's promise: of each window of hashes in a row, one is a trace.
    for begin in range(length):
        part = _code([str(i) for i in range(begin, length)])
        if len(all_hashes([part])) >= WINDOW:
            assert traces & all_hashes([part])


@rows("length", [0, 1, *range(TOKENS - 1, 34)])
def test_the_least_trace_of_each_window_is_kept(length):
    """By a plain loop over sequences of twelve tokens and windows of four of them."""
    words = keyword.kwlist[:length]
    each = []
    for begin in range(length - TOKENS + 1):
        [one] = all_hashes([" ".join(words[begin : begin + TOKENS])])
        each.append(one)
    assert len(set(each)) == len(each)
    expected = {min(each[begin : begin + WINDOW]) for begin in range(len(each) - WINDOW + 1)}
    if 0 < len(each) < WINDOW:
        expected = {min(each)}
    found = fingerprints([" ".join(words)])
    assert found == tuple(sorted(expected))
    assert fingerprints([" ".join(words), "x", " ".join(words)]) == found
    assert fingerprints([" ".join(words)], each[:1]) == tuple(sorted(expected - {*each[:1]}))


@rows("begin", range(20))
def test_a_trace_stands_in_the_lines_of_its_tokens(begin):
    """From the line of the first to that of the last; of several, from the first to the last."""
    words = keyword.kwlist[: TOKENS + 20]
    cell = "\n".join(words)
    part = all_hashes([" ".join(words[begin : begin + TOKENS])])
    assert len(part) == 1
    assert lines_with(cell, part) == (begin + 1, begin + TOKENS)
    both = part | all_hashes([" ".join(words[3 : 3 + TOKENS])])
    first, last = min(begin, 3), max(begin, 3)
    assert lines_with(cell, both) == (first + 1, last + TOKENS)
    assert lines_with("\n".join(words[begin + 1 :]), part) is None


@pytest.mark.parametrize("others", [1, 3])
def test_what_cannot_be_read_is_of_the_exercise_of_all_others(a_class, others):
    """A broken file among notebooks of one exercise has 0 marks there, and is named."""
    for number in range(others):
        a_class.hand_in(f"s{number}/77.ipynb", a_class.copy(f"s{number}", [RIGHT]))
    a_class.hand_in("ann/notes.ipynb", "{ broken")
    a_class.grade()
    marks = json.loads((a_class.out / "marks.json").read_text(encoding="utf-8"))
    [ann] = [one for one in marks if one["student"] == "ann"]
    assert ann["exercise"] == "77"
    assert ann["out of"] == 5


@pytest.mark.parametrize("ended", ["", "exit"])
@pytest.mark.parametrize("limit", ["", WALL])
@pytest.mark.parametrize(("tampered", "ran", "given"), [*product([False, True], repeat=3)])
def test_a_notebook_was_stopped_if_it_ended_before_it_answered(ended, limit, tampered, ran, given):
    """By no fault of the answer: nothing was tampered with, and no call of it waited."""
    outcome = RunOutcome(
        (Answer(), Answer(given=given)),
        Tier("plain"),
        ended=ended,
        limit=limit,
        tampered=tampered,
        ran=ran,
    )
    waits = ran and limit == WALL
    assert _stopped(outcome) is (bool(ended) and not tampered and not waits and not given)


@pytest.mark.parametrize("tampered", [False, True])
def test_what_a_name_means_is_the_one_answer_of_its_run(tampered):
    """Nothing, if the run was tampered with."""
    answer = Answer(given=True, value=3)
    outcome = RunOutcome((answer,), Tier("plain"), tampered=tampered)
    run = QuestionRun(
        ready=SimpleNamespace(cells=("x = 3",)),
        answer_key=SimpleNamespace(tier=Tier("plain")),
        question=SimpleNamespace(packages=()),
        patience=SimpleNamespace(run=lambda *_: outcome),
    )
    assert run.value_of("x", "", (), None) == (Answer() if tampered else answer)


@pytest.mark.parametrize(
    "text",
    [
        "Freitag, 6. November 2026, 10:15",
        "2026年11月6日 10:15",
        "Friday, 6 Brumaire 2026, 10:15 AM",
        "?",
    ],
)
def test_times_in_another_language_are_refused_with_their_line(text):
    """And what to do; nobody is late, or in time, by a time that was not read."""
    lines = [(SimpleNamespace(student="ann"), 7, {"Last modified (submission)": text})]
    worksheet = SimpleNamespace(roster=SimpleNamespace(lines=lines, path="w.csv"), exercise="77")
    with pytest.raises(
        InputError, match=r"w\.csv, line 7: time .* set Moodle's language to English"
    ):
        times_of_worksheet(worksheet, None)
    lines[0][2].update({"Last modified (submission)": " - "})
    assert times_of_worksheet(worksheet, None) == {}


@pytest.mark.parametrize("length", range(LEAST_WHOLE - 2, LEAST_WHOLE + 3))
@pytest.mark.parametrize("students", [1, 2, 3])
def test_whole_code_that_is_the_same_is_told_from_some_length_on(length, students):
    """Of two or more students; what is shorter, everybody writes so."""
    code = {f"s{i}": list(range(length)) for i in range(students)}
    code |= {f"other{i}": [1000 + i] * (length + 1) for i in range(20)}
    found = [group.students for group in _throughout(code)]
    expected = [tuple(f"s{i}" for i in range(students))]
    assert found == (expected if length >= LEAST_WHOLE and students > 1 else [])


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("regraded", [None, [], [["77"]]])
def test_changes_of_an_earlier_round_do_not_stay(tmp_path, before, regraded):
    """Whoever grades without --regrade has no table of changes, and is told that it is gone."""
    file = tmp_path / "regraded.csv"
    if before:
        file.write_text("old")
    said = [*_write_regraded(regraded, SimpleNamespace(folder=tmp_path))]
    if regraded is None:
        assert not file.exists()
        assert [*map(str, said)] == [
            f"{file} is removed: without --regrade its changes don't count"
        ] * before
    else:
        assert file.read_text() != "old"
        assert said == [f"marks changed by --regrade: {len(regraded)}, see {file}"]
