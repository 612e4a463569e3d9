"""Everything in the grader's own process that walks through what a student gave is listed here.

A student's value comes back packed, as text of JSON; a copy's data, a file's name and a cell's text
come with the notebook. Each place that unpacks, decodes or reads one of them stands in a table with
what bounds it. A new place fails until somebody has said what bounds it. Each pattern is tried on
long texts that are made of its own parts, so a new one is tried without being named.
"""

import ast
import base64
import bz2
import itertools
import json
import re
import time
from pathlib import Path

import pytest

from irmetrics_edu import classroom
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.classroom.marking.matching import copy_data
from tests.marking.test_stall import seconds_of_fixed_work

pytestmark = pytest.mark.slow

ROOT = Path(classroom.__file__).parent
# Their code runs in the child, under its limits.
IN_THE_CHILD = {
    "grading/child.py", "grading/cell_runner.py", "grading/plain_values.py",
    "grading/newer_syntax.py",
}  # fmt: skip
READERS = {
    "unpack", "loads", "decompress", "b64decode", "literal_eval", "parse", "compile", "eval",
    "exec",
}  # fmt: skip
OURS = "written by the grader itself"
TEACHERS = "written by the teacher"
# What bounds each place: where it stands, and what it calls.
BOUNDED = {
    ("grading/protocol.py", "shipped_code", "ast.parse"): OURS,
    ("grading/protocol.py", "shipped_code", "compile"): OURS,
    ("grading/protocol.py", "receive", "json.loads"): "a reply is as long as the limit `answer`",
    ("grading/protocol.py", "close", "json.loads"): "the supervisor's report, not the child's",
    ("grading/sandbox.py", "_read_answer", "unpack"): "`parts_of` counts it before, up to `most`",
    ("grading/supervisor.py", "_told", "json.loads"): "it comes from the grader",
    ("marking/collecting/notebook.py", "_loaded", "json.loads"): "LARGEST and MOST_PARTS, before",
    ("marking/collecting/submissions.py", "opened", "unpack"): "MOST_BYTES, MOST_ENTRIES",
    ("marking/collecting/submissions.py", "_read", "parse"): "a notebook: LARGEST and MOST_PARTS",
    ("marking/matching/copy_data.py", "packed_in", "base64.b64decode"): "LONGEST_TEXT",
    ("marking/matching/copy_data.py", "packed_in", "bz2.BZ2Decompressor().decompress"):
        "LONGEST_DATA",
    ("marking/matching/copy_data.py", "packed_in", "json.loads"): "LONGEST_DATA",
    ("marking/matching/copy_data.py", "_inputs", "unpack"): "MOST_PARTS",
    ("marking/results.py", "kept", "json.loads"): OURS,
    ("marking/returning/course_total.py", "graded_in", "json.loads"): OURS,
    ("marking/reviewing/copied_values.py", "_right_for", "unpack"): "an answer that was received",
    ("marking/reviewing/earlier_rows.py", "read", "json.loads"): OURS,
    ("marking/reviewing/marking_page.py", "_data", "json.loads"): OURS,
    ("marking/reviewing/marking_page.py", "_saved", "json.loads"): TEACHERS,
    ("marking/reviewing/regrading.py", "_meant", "ast.literal_eval"): TEACHERS,
    ("marking/reviewing/regrading.py", "_meant", "unpack"): "an answer that was received",
}  # fmt: skip
# Patterns with a name in them: of an exercise, of a question, or of an error, which was cut.
WITH_A_NAME = {
    ("marking/collecting/owner_names.py", "_without_stem"),
    ("marking/matching/lateness.py", ""),  # the days and months of Moodle's dates
    ("marking/running/answer_texts.py", "_for_want_of"),
    ("marking/running/changed_data.py", "_changes"),
    ("marking/running/readings.py", "cells_with_check"),
}
# Where texts are names of files, cells of the teacher's tables or titles: at most so many signs.
NAMES, LONG = 240, 12_000
OF_NAMES = {
    "marking/collecting/owner_names.py", "marking/collecting/rosters.py",
    "marking/collecting/submissions.py", "marking/grade_options.py", "marking/mark_course.py",
    "marking/matching/lateness.py", "marking/results.py", "marking/returning/all_files.py",
    "marking/returning/canvas_grades.py", "marking/returning/feedback_zips.py",
    "marking/returning/platform_points.py", "marking/reviewing/gradebook.py",
}  # fmt: skip


def files():
    """The files whose code runs in the grader's own process, by their places."""
    for folder in ("marking", "grading"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if place not in IN_THE_CHILD:
                yield place, ast.parse(path.read_text(encoding="utf-8"))


def calls(tree):
    """Each call, with the name of the innermost function around it."""
    waiting = [("", tree)]
    while waiting:
        inside, node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            inside = node.name
        if isinstance(node, ast.Call):
            yield inside, node
        waiting += [(inside, child) for child in ast.iter_child_nodes(node)]


def test_each_place_that_reads_what_a_student_gave_is_bounded():
    """A new one fails here: add it with what bounds it in time and memory."""
    found = set()
    for place, tree in files():
        for inside, call in calls(tree):
            name = ast.unparse(call.func)
            if name.rpartition(".")[2] in READERS and not name.startswith("re."):
                found.add((place, inside, name))
    assert found - BOUNDED.keys() == set()
    assert BOUNDED.keys() - found == set()


def patterns():
    """Every pattern that is written in the code, and the places of those that are made there."""
    written, made = {}, set()
    for place, tree in files():
        for inside, call in calls(tree):
            if not ast.unparse(call.func).startswith("re.") or not call.args:
                continue
            if ast.unparse(call.func) == "re.escape":
                continue
            pattern = call.args[0]
            if isinstance(pattern, ast.Constant) and isinstance(pattern.value, bytes):
                continue  # of what the kernel writes
            if isinstance(pattern, ast.Constant):
                flags = 0
                for argument in [*call.args[1:], *(word.value for word in call.keywords)]:
                    for part in ast.walk(argument):
                        if isinstance(part, ast.Attribute) and part.attr.isupper():
                            flags |= getattr(re, part.attr)
                written[place, pattern.value] = flags
            else:
                made.add((place, inside))
    return written, made


WRITTEN, MADE = patterns()


def fragments(pattern):
    """Short texts that a pattern is made of: its words, its signs, and one of each kind."""
    words = re.findall(r"[A-Za-z]+|[^A-Za-z\\]", pattern)
    shown = dict.fromkeys([" ", "a", "\n", *words, "1", "_"])
    return [one for one in shown if one not in "?*+|{}[]^$"][:9]


@pytest.mark.parametrize("which", sorted(WRITTEN), ids=lambda which: f"{which[0]}-{which[1][:20]}")
def test_no_pattern_is_slow_on_texts_of_its_own_parts(which):
    """Whatever a student writes or calls a file, a pattern reads it in a fraction of a second."""
    place, pattern = which
    compiled = re.compile(pattern, WRITTEN[which])
    length = NAMES if place in OF_NAMES else LONG
    parts = fragments(pattern)
    for one, other in itertools.product(parts, parts):
        for text in (
            one * length,
            (one + other) * length,
            one + other * length,
            one * length + other,
        ):
            shown = text[:length] + "\0"
            began = time.process_time()
            for _ in itertools.islice(compiled.finditer(shown), length):
                pass
            compiled.fullmatch(shown)
            taken = time.process_time() - began
            assert taken < 0.3 or taken < seconds_of_fixed_work(), (one, other)


def test_patterns_that_are_made_hold_a_name():
    """Of an exercise or a question of the source, or of an error; a new one is looked at."""
    assert MADE == WITH_A_NAME


def test_a_slow_pattern_would_be_found():
    """The usual one: two repetitions that may share their signs."""
    compiled = re.compile(r"(?:a+)+b")
    began = time.process_time()
    compiled.search("a" * 22)
    assert time.process_time() - began > 0.05
    assert {"a", "b"} <= set(fragments(r"(?:a+)+b"))


COLLIDING = {i * ((1 << 61) - 1) + 1: 0 for i in range(2_400)}


@pytest.mark.parametrize(
    "data",
    [
        {"grades": COLLIDING},
        {"grades": [COLLIDING]},
        [[[0] * 100] * 49],
        {"grades": "x" * 3_000_000},
    ],
    ids=["colliding", "within a list", "many lists", "a long text"],
)
def test_the_data_of_a_copy_are_read_under_bounds(a_class, data):
    """A student may pack anything into the first cell: it is read in seconds, or not at all."""
    packed = {"number": "77", "inputs": {"total": [pack(data)]}, "seals": {"total": "x"}}
    text = base64.b64encode(bz2.compress(json.dumps(packed).encode())).decode()
    opens = f'from irmetrics_edu.classroom.exercises import begin\nbegin("""{text}""")'
    cells = [opens, "total = 3.25"]
    assert copy_data.packed_in(cells) is not None
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", ["total = 3.25"]))
    began = time.process_time()
    a_class.grade()
    usual = time.process_time() - began
    a_class.hand_in("bad/77_two.ipynb", a_class.copy("bad", cells))
    began = time.process_time()
    a_class.grade()
    assert time.process_time() - began < usual + 6 * max(0.5, seconds_of_fixed_work())
    assert a_class.marks("bad/77_two.ipynb") == [0, 0]
