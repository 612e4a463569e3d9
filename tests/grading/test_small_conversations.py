"""What is believed of a child, what ended it, and which bounds it has: without any process."""

import itertools
import json
import math
import os
import sys
import threading
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu.classroom.grading import (
    cell_runner,
    child,
    confinement,
    plain_values,
    sandbox,
    supervisor,
)
from irmetrics_edu.classroom.grading.cell_runner import MOST_ERRORS, Cells
from irmetrics_edu.classroom.grading.limits import MIB, NAMES, SandboxLimits
from irmetrics_edu.classroom.grading.outcome import Answer, Case, NoValue, Raised
from irmetrics_edu.classroom.grading.plain_values import NotPlain, pack, parts_of, unpack
from irmetrics_edu.classroom.grading.protocol import Gone, Tampered, TooLong
from irmetrics_edu.classroom.grading.sandbox import Conversation, SandboxError
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.errors import InputError
from tests.tables import rows

ERROR = {
    "type": "KeyError",
    "message": "'x'",
    "cell": 2,
    "line": 3,
    "text": "d['x']",
    "limit": "",
    "name": "",
}
RAISED = Raised("KeyError", "'x'", 2, 3, "d['x']")
REPORT = {"cells": [], "checked": []}


class Channel:
    """A channel that says what it is told to, with the word of each question."""

    def __init__(self, *replies, printed=False, overdue=False, early=None):
        self.replies = list(replies)
        self.sent = []
        self.early = early
        self.too_much_printed = threading.Event()
        self.overdue = threading.Event()
        for event, is_set in ((self.too_much_printed, printed), (self.overdue, overdue)):
            if is_set:
                event.set()

    def receive(self):
        """The next reply; one that is no message is raised."""
        reply = self.replies.pop(0) if self.replies else Gone()
        if isinstance(reply, Exception):
            raise reply
        if self.sent and "word" not in reply:
            reply = {"word": self.sent[-1]["word"], **reply}
        return reply

    def send(self, message):
        """Keep what is asked."""
        self.sent.append(message)

    def expect_nothing(self):
        """What comes before a question, if anything does."""
        if self.early:
            raise self.early


def held(*replies, cases=2, limits=None, most=50, **options):
    """A conversation with such a child, of so many questions."""
    talk = Conversation(Channel(*replies, **options), limits or SandboxLimits())
    talk.hold([Case(number, most=most) for number in range(cases)])
    return talk


def test_each_question_is_sent_when_the_one_before_is_answered():
    """With a word of its own, and the answers stay in order."""
    talk = held(REPORT, {"value": 1}, {"value": [2, {"tuple": [3]}]})
    assert [answer.value for answer in talk.answers] == [1, [2, (3,)]]
    assert all(answer.given for answer in talk.answers)
    assert [one["inputs"] for one in talk.channel.sent] == [{"tuple": [0]}, {"tuple": [1]}]
    words = {one["word"] for one in talk.channel.sent}
    assert [len(word) for word in words] == [32, 32]  # 128 bits: nobody guesses one
    assert (talk.began, talk.gone, talk.tampered, talk.limit, talk.ended) == (
        True, False, False, "", ""
    )  # fmt: skip


ANSWERS = [
    ({"error": {**ERROR}}, Answer(error=RAISED)),
    ({"missing": "dcg"}, Answer(why="no 'dcg' is defined", lack=NoValue.MISSING)),
    ({"blank": True}, Answer(why="it is `...`", lack=NoValue.BLANK)),
    ({"refused": "of type x"}, Answer(why="of type x", lack=NoValue.NOT_PLAIN)),
    ({"value": None}, Answer(given=True)),
    ({"value": {"float": "1"}}, NoValue.NOT_PLAIN),
    ({"value": [0] * 49}, Answer(given=True, value=[0] * 49)),
    ({"value": [0] * 50}, NoValue.TOO_BIG),
]


@pytest.mark.parametrize(("reply", "expected"), ANSWERS, ids=str)
def test_each_kind_of_answer_is_read_as_what_it_is(reply, expected):
    """A value of more parts than a right one may have is no value."""
    [answer] = held(REPORT, json.loads(json.dumps(reply)), cases=1).answers
    if isinstance(expected, NoValue):
        assert (answer.given, answer.lack, answer.error) == (False, expected, None)
        assert answer.why
    else:
        assert answer == expected


def test_why_a_value_is_none_is_said(monkeypatch):
    """What is wrong with its form, or that nothing could walk through it."""
    [answer] = held(REPORT, {"value": {"float": "1"}}, cases=1).answers
    assert (answer.why, answer.lack) == ("not the form of a float: '1'", NoValue.NOT_PLAIN)

    def too_deep(_content):
        raise RecursionError

    monkeypatch.setattr(sandbox, "unpack", too_deep)
    [answer] = held(REPORT, {"value": 1}, cases=1).answers
    assert (answer.why, answer.lack) == ("the value is nested too deep", NoValue.NOT_PLAIN)


FORGED = [
    {"value": 1, "more": 2},
    {},
    {"other": 1},
    {"word": "guessed", "value": 1},
    {"error": "KeyError"},
    {"error": {**ERROR, "more": ""}},
    {"error": {name: value for name, value in ERROR.items() if name != "name"}},
    *({"error": {**ERROR, name: None}} for name in ERROR),
    {"error": {**ERROR, "limit": "patience"}},
]


@pytest.mark.parametrize("reply", FORGED, ids=str)
def test_another_form_of_an_answer_is_interference(reply):
    """Nothing of it counts, and nothing more is asked."""
    talk = held(REPORT, {"value": 7}, json.loads(json.dumps(reply)), {"value": 9}, cases=3)
    assert talk.tampered
    assert talk.ended.startswith("the code wrote on the grader's private channel")
    assert [answer.value for answer in talk.answers] == [7]
    assert len(talk.channel.sent) == 2


REPORTS = {
    "as it is sent": ({"cells": [ERROR], "checked": [1, 2]}, True),
    "as many errors as there may be": ({"cells": [ERROR] * (MOST_ERRORS + 1), "checked": []}, True),
    "one more": ({"cells": [ERROR] * (MOST_ERRORS + 2), "checked": []}, False),
    "no list of errors": ({"cells": {}, "checked": []}, False),
    "no list of checks": ({"cells": [], "checked": 3}, False),
    "a check of no number": ({"cells": [], "checked": [1, True]}, False),
    "without checks": ({"cells": []}, False),
    "with more": ({"cells": [], "checked": [], "more": 1}, False),
}


@rows("what", REPORTS)
def test_what_the_cells_raised_is_read_in_its_own_form_alone(what):
    """It comes first, and after it the child has begun."""
    report, is_sound = REPORTS[what]
    talk = held(json.loads(json.dumps(report)), {"value": 1}, cases=1)
    assert talk.tampered is not is_sound
    assert talk.began
    if is_sound:
        assert talk.cell_errors == [RAISED] * len(report["cells"])
        assert talk.checked == report["checked"]
        assert [answer.value for answer in talk.answers] == [1]
    many = held({"cells": [], "checked": [1] * 1001}, cases=0)
    assert len(many.checked) == 1000


@rows("length", [0, 99, 100, 101, 199, 200, 201, 2000, 2001])
def test_an_error_is_cut_to_what_is_shown(length):
    """The child's own bounds can be passed by."""
    long = "x" * length
    error = {**ERROR, "type": long, "message": long, "text": long, "name": long}
    [answer] = held(REPORT, {"error": error}, cases=1).answers
    lengths = [len(getattr(answer.error, name)) for name in ("type", "message", "text", "name")]
    assert lengths == [min(length, most) for most in (100, 2000, 200, 100)]
    [answer] = held(REPORT, {"missing": long}, cases=1).answers
    assert answer.why == f"no {long[:100]!r} is defined"
    [answer] = held(REPORT, {"refused": long}, cases=1).answers
    assert answer.why == long[:500]


@pytest.mark.parametrize("size", [10, 11, 12, 13, 14])
def test_the_size_of_an_answer_is_bounded(size):
    """In the letters of its form."""
    talk = held(REPORT, {"value": "x" * size}, cases=1, limits=SandboxLimits(answer=14))
    assert talk.limit == ("answer" if size + 2 > 14 else "")
    assert len(talk.answers) == (size + 2 <= 14)


def test_the_first_limit_that_an_error_tells_of_is_kept():
    """Of a cell or of a call."""
    talk = held(
        {"cells": [{**ERROR}, {**ERROR, "limit": "memory"}], "checked": []},
        {"error": {**ERROR, "limit": "file"}},
        cases=1,
    )
    assert talk.limit == "memory"
    assert not talk.tampered


def outcome_of(talk, report, cases=2, limits=None):
    """The outcome of a conversation and of the supervisor's report."""
    return sandbox._outcome(
        talk,
        cases=[None] * cases,
        limits=limits or SandboxLimits(),
        tier=Tier("plain"),
        channel=talk.channel,
        report=report,
    )


WHOLE = [REPORT, {"value": 1}, {"value": 2}]


@rows("printed", [True, False])
@rows("overdue", [True, False])
@rows("reported", ["", "wall", "memory"])
def test_what_ended_a_child_is_found_in_a_fixed_order(printed, overdue, reported):
    """Too much output first, then the clock of this side, then what the supervisor saw."""
    for said, cpu in itertools.product(["", "file"], [0.0, 4.9, 5.0, 7.0]):
        replies = [{"cells": [{**ERROR, "limit": said}], "checked": []}, {"value": 1}]
        talk = held(*replies, printed=printed, overdue=overdue)
        assert talk.gone
        limit = reported or said or ("cpu" if cpu >= 5 else "")
        if printed:
            limit = "output"
        elif overdue:
            limit = "wall"
        found = outcome_of(talk, {"limit": reported, "cpu": cpu, "status": 3, "most": 1})
        assert found.limit == (NAMES[limit] if limit else "")
        if limit:
            assert NAMES[limit] in found.ended
            assert SandboxLimits().shown(limit) in found.ended
        else:
            assert "status 3" in found.ended
        # How many came before the output was counted hangs on the load: then none counts.
        given = [answer.value for answer in found.answers if answer.given]
        assert given == ([] if printed else [1])
        left = [answer for answer in found.answers if not answer.given]
        assert {(answer.why, answer.lack) for answer in left} == {(found.ended, NoValue.ENDED)}
        assert len(found.answers) == 2
        assert (found.ran, found.tampered, found.started) == (True, False, False)


def test_a_child_that_answered_all_has_no_end_to_tell():
    """Whatever time it took; more processes than one are told of."""
    for most in (0, 1, 2):
        found = outcome_of(held(*WHOLE), {"cpu": 99.0, "status": 1, "most": most, "wall": 2.5})
        assert (found.limit, found.ended, found.wall) == ("", "", 2.5)
        assert found.started is (most > 1)
        assert [answer.value for answer in found.answers] == [1, 2]
    assert outcome_of(held(*WHOLE), {}).wall == 0
    assert outcome_of(held(*WHOLE), {}).started is False
    left = outcome_of(held(*WHOLE), {}, cases=3).answers[2]
    assert (left.why, left.lack) == ("not asked", NoValue.ENDED)


def test_what_a_report_does_not_say_is_nothing():
    """No time, no status, no second process."""
    limits = SandboxLimits(cpu=0.5)
    found = outcome_of(held(REPORT), {"wall": 2.0}, limits=limits)
    assert (found.limit, found.wall, found.started) == ("", 2.0, False)
    assert found.ended == "the code ended its own process, with status 0, before it answered"
    alone = outcome_of(held(REPORT), {}, limits=limits)
    assert alone.ended == "the code ended its own process and the supervisor of it"


@rows("status", [-11, -1, 0, 1, 127, 128, 129, 137])
def test_a_process_that_ended_itself_is_told_from_one_that_a_signal_ended(status):
    """A shell and a supervisor add 128 to the number of a signal."""
    signal = {-11: 11, -1: 1, 129: 1, 137: 9}.get(status)
    said = sandbox._end(status, {"status": status})
    assert f"by signal {signal}" in said if signal else f"with status {status}," in said
    assert "the supervisor of it" in sandbox._end(status, {})


@rows("began", [True, False])
@rows("refused", ["", "mount /proc"])
@rows("no_filter", [True, False])
def test_a_child_that_never_began_is_the_systems_fault(began, refused, no_filter):
    """If the system refused a step; after that it is the code's own."""
    talk = held(*(WHOLE if began else [Gone()]))
    report = {"refused": refused, "no_filter": no_filter, "status": 0}
    if refused and not began:
        with pytest.raises(SandboxError, match="tier plain can't be started: mount /proc") as error:
            outcome_of(talk, report)
        assert error.value.no_filter == (refused if no_filter else "")
    else:
        assert outcome_of(talk, report).ran is began


@pytest.mark.parametrize(
    ("reply", "limit", "tampered", "gone"),
    [
        (Gone(), "", False, True),
        (TooLong(), "answer", False, False),
        (Tampered("no JSON"), "", True, False),
    ],
)
def test_what_is_no_message_ends_the_conversation(reply, limit, tampered, gone):
    """Each for its own reason, before the question too."""
    for talk in (held(REPORT, reply), held(REPORT, *WHOLE[1:], early=reply), held(reply)):
        assert (talk.limit, talk.tampered, talk.gone) == (limit, tampered, gone)
        assert talk.answers == []
        assert bool(talk.ended) is tampered
    assert not held(reply).began


# -- bounds


def test_a_limit_is_exceeded_above_it():
    """By processes first, then the processor, then memory."""
    for case in itertools.product((15, 16, 17), (4.9, 5.0, 5.1), (2**30 - 1, 2**30, 2**30 + 1)):
        refuse_other_limit(*case)


def refuse_other_limit(most, seconds, held_bytes):
    """The limit that is exceeded, beside what the supervisor says."""
    limits = {"processes": 16, "cpu": 5.0, "memory": 2**30}
    over = {"processes": most > 16, "cpu": seconds > 5, "memory": held_bytes > 2**30}
    expected = next((name for name, is_over in over.items() if is_over), "")
    assert supervisor._exceeded(limits, most, seconds, held_bytes) == expected


@rows("field", SandboxLimits.__dataclass_fields__)
def test_a_limit_is_a_number_above_0(field):
    """A truth value is none."""
    for value in (1, 0.5):
        assert getattr(SandboxLimits(**{field: value}), field) == value
    for value in (0, -1, math.nan, True, "5", None):
        with pytest.raises(InputError, match=f"limit {field}=.*a number above 0"):
            SandboxLimits(**{field: value})


def test_limits_are_named_with_their_units():
    """Seconds and bytes, a number of MiB, and processes; each has its kind."""
    for name, usual in vars(SandboxLimits()).items():
        for text, value in (("3", 3), ("2MiB", 2 * MIB)):
            found = vars(SandboxLimits.named([f"{name}={text}"]))
            assert found == {**vars(SandboxLimits()), name: value}
            assert type(found[name]) is type(usual)
        unit = {"processes": "", "wall": " s", "cpu": " s", "submission": " s"}.get(name, " MiB")
        by = MIB if unit == " MiB" else 1
        assert SandboxLimits(**{name: 3 * by}).shown(name) == f"3{unit}"
        with pytest.raises(InputError, match=f"such as {name}="):
            SandboxLimits.named([f"{name}=inf"])
    known = "wall, cpu, memory, output, file, processes, answer, submission"
    for word in ("time=3", "3", ""):
        with pytest.raises(InputError) as error:
            SandboxLimits.named(["cpu=3", word])
        assert str(error.value) == f"limit {word!r}: write NAME=VALUE; known are {known}"
    with pytest.raises(InputError) as error:
        SandboxLimits.named(["wall=x"])
    assert str(error.value) == "limit 'wall=x': give a number, such as wall=40"
    # What stands on the page of the sandbox and in the guide.
    usual = SandboxLimits()
    assert (usual.wall, usual.cpu, usual.processes, usual.submission) == (10, 5, 16, 120)
    assert (usual.memory, usual.output, usual.file, usual.answer) == (
        1024 * MIB, 8 * MIB, 8 * MIB, MIB
    )  # fmt: skip


def test_plain_values_are_bounded_where_their_page_says(monkeypatch):
    """Sixty deep, a million elements, a thousand digits; one less is let through."""
    assert plain_values.MOST_ELEMENTS == 1_000_000
    monkeypatch.setattr(plain_values, "MOST_ELEMENTS", 100)

    def deep(times):
        value = 0.5
        for _ in range(times):
            value = [value]
        return value

    assert unpack(pack(deep(60))) == deep(60)
    tuples = 0.5
    for _ in range(60):
        tuples = (tuples,)
    assert unpack(pack(tuples)) == tuples
    with pytest.raises(NotPlain, match="nested too deep"):
        unpack(deep(130))
    with pytest.raises(NotPlain, match="nested"):
        pack(deep(62))
    for bits in (62, 63, 64, 3987, 3988):
        for sign in (1, -1):
            value = sign * ((1 << bits) - 1)
            packed = pack(value)
            assert isinstance(packed, dict) is (bits > 63)
            assert unpack(packed) == value
    with pytest.raises(NotPlain, match="thousand digits"):
        pack(1 << 3988)
    assert unpack(pack(iter(range(3)))) == [0, 1, 2]
    with pytest.raises(NotPlain, match="100 elements"):
        pack(iter(bytes(101)))
    assert len(unpack(pack(iter(bytes(100))))) == 100
    with pytest.raises(NotPlain, match="100 elements"):
        pack(np.zeros(1_000_001, dtype=bool))
    assert unpack(pack(np.zeros(100))) == [0.0] * 100
    assert len(unpack({"set": list(range(10_000))})) == 10_000
    with pytest.raises(NotPlain, match="10,000"):
        unpack({"set": list(range(10_001))})
    with pytest.raises(NotPlain, match="10,000"):
        unpack({"dict": [[number, 0] for number in range(10_001)]})
    assert len(unpack({"tuple": list(range(10_001))})) == 10_001
    assert pack({3, 1, 2, 10}) == {"set": [1, 10, 2, 3]}  # in one order, whatever the hashes
    assert pack(Fraction(-1, 2**70)) == {"fraction": [-1, {"int": hex(2**70)}]}


def parts_by_hand(value):
    """One for the value, and those of what is in it."""
    inside = value.values() if isinstance(value, dict) else value
    return 1 + sum(map(parts_by_hand, inside)) if isinstance(value, list | dict) else 1


@rows("value", [1, "ab", [], [1, [2, 3]], {"dict": [["a", 1]]}, [[[]], [0]]])
def test_parts_are_counted_up_to_a_bound(value):
    """And one beyond it where there are more."""
    parts = parts_by_hand(value)
    for most in range(1, 9):
        assert parts_of(value, most) == min(parts, most + 1)


def test_inputs_that_can_not_be_sent_are_refused_as_they_are():
    """With the reason."""
    with pytest.raises(InputError) as error:
        Case(3, b"x")
    why = "a value of type bytes is not plain data; return a number, text, a list, a tuple, a set,"
    assert str(error.value).startswith(f"the inputs (3, b'x') can't be sent: {why}")


# -- cells


def ran(*cells):
    """The names after these cells, and what was raised."""
    running = Cells({"__name__": "__main__"})
    for number, cell in enumerate(cells, 1):
        running.run(number, cell)
    return running


def test_after_a_missing_package_the_rest_of_the_cell_runs_but_for_what_needs_it():
    """A name that is given anew is there again; another error ends its cell."""
    done = ran(
        "import nowhere_1, math\nx = nowhere_1.f()\ny = math.pi\nz = x + 1\nw = 1",
        "nowhere_1 = 3\nv = nowhere_1",
        "u = 1\nq\nt = 1",
        "from nowhere_2 import r as s\nprint(r)\np = 2",
    )
    places = [(one["type"], one["name"], one["cell"], one["line"]) for one in done.errors]
    assert places == [
        ("ModuleNotFoundError", "nowhere_1", 1, 1),
        ("NameError", "nowhere_1", 1, 2),
        ("NameError", "x", 1, 4),
        ("NameError", "q", 3, 2),
        ("ModuleNotFoundError", "nowhere_2", 4, 1),
        ("NameError", "r", 4, 2),
    ]
    names = done.namespace
    assert (names["y"], names["w"], names["v"], names["u"]) == (math.pi, 1, 3, 1)
    assert not {"x", "z", "t", "p", "s"} & set(names)


def test_the_last_values_of_cells_have_the_names_of_jupyter_from_the_beginning():
    """Three of them, empty at first; a name of the student's own stays as it is."""
    names = ("_", "__", "___")
    assert [ran().namespace[name] for name in names] == ["", "", ""]
    done = ran("1", "x = 2", "3", "None", "4;", "5", "6")
    assert [done.namespace[name] for name in names] == [6, 5, 3]
    own = ran("1", "__ = 'mine'", "2", "3")
    assert [own.namespace[name] for name in names] == [1, "mine", ""]


@pytest.mark.parametrize("count", [1, MOST_ERRORS - 1, MOST_ERRORS, MOST_ERRORS + 1, 50])
def test_errors_are_kept_up_to_a_bound_and_counted_beyond(count):
    """The last line says how many more there were."""
    report = ran(*["1 / 0"] * count).report()
    assert [one["cell"] for one in report[:MOST_ERRORS]] == [*range(1, min(count, 40) + 1)]
    assert all(set(one) == set(ERROR) for one in report)
    assert len(report) == min(count, MOST_ERRORS + 1)
    if count > MOST_ERRORS:
        assert report[-1]["message"] == f"and {count - MOST_ERRORS} more"
        assert (report[-1]["cell"], report[-1]["line"]) == (0, 0)


@pytest.mark.parametrize(
    ("error", "limit"),
    [
        (MemoryError(), "memory"),
        (BlockingIOError(11, "x"), "processes"),
        (RuntimeError("can't start new thread"), "processes"),
        (OSError(27, "x"), "file"),
        (OSError(28, "x"), "file"),
        (OSError(26, "x"), ""),
        (OSError(29, "x"), ""),
        (ValueError("memory"), ""),
    ],
    ids=repr,
)
def test_the_limit_behind_an_error_is_known(error, limit):
    """EFBIG is 27 and ENOSPC 28, by errno.h."""
    assert cell_runner.raised(error)["limit"] == limit


@rows("length", [1, 99, 100, 101, 1999, 2000, 2001])
def test_what_an_error_says_is_cut(length):
    """Its message, its type's name, and the name that is not there."""
    long = "x" * length
    told = cell_runner.raised(type(long, (ValueError,), {})(long), 7)
    assert (len(told["message"]), len(told["type"])) == (min(length, 2000), min(length, 100))
    assert (told["cell"], told["line"], told["text"]) == (7, 0, "")
    assert len(cell_runner.raised(NameError("x", name=long))["name"]) == min(length, 100)


def test_what_check_got_is_kept_for_the_answer_alone():
    """The last of it, with the cells in which it was called; a list as it was then."""
    checks = child.CheckCalls("dcg")
    value = [1]
    for cell, name, answer in [(1, "dcg", value), (2, "other", 5), (3, "dcg", ...)]:
        checks.cell = cell
        checks(name, answer)
    value.append(2)
    assert (checks.cells, checks.given) == ([1, 3], [...])
    checks.given = []
    checks.cell = 4
    checks("dcg", value)
    value.append(3)
    assert checks.given == [[1, 2]]
    checks("dcg", object())
    checks("dcg", len)
    assert checks.given == [len]
    for cell in range(2000):
        checks.cell = cell
        checks("dcg", 1)
    assert checks.cells == [*range(1000, 2000)]


def test_a_module_that_a_child_may_not_have_is_there_with_functions_that_do_nothing(monkeypatch):
    """With the packages around it, each in the one above; `check` is what keeps the answer."""
    names = ["made_up", "made_up.inner", "made_up.inner.deep"]
    beside = "made_up.beside"
    for name in (*names, beside):  # taken away again when the test ends
        monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.delitem(sys.modules, name)
    checks = child.CheckCalls("dcg")
    child.stub(names[-1], ["check", "begin"], checks)
    child.stub(beside, ["hint"])  # a second one under the same package
    top, inner, deep = (sys.modules[name] for name in names)
    assert (top.inner, inner.deep) == (inner, deep)
    assert (deep.check, deep.begin("x", y=1)) == (checks, None)
    assert (top.beside, top.beside.hint()) == (sys.modules[beside], None)


def test_an_answer_is_a_value_an_error_or_why_there_is_neither():
    """Of a name that is read, or of a call."""
    names = {"x": 3, "f": lambda a, b: a - b, "dots": ..., "bad": lambda: 1 / 0, "odd": object()}
    case = pack((5, 2))
    asked = {
        ("x", True): {"value": 3},
        ("f", False): {"value": 3},
        ("dots", True): {"blank": True},
        ("y", True): {"missing": "y"},
    }
    for (name, read), expected in asked.items():
        assert child.answer({"name": name, "read": read}, names, case) == expected
    told = child.answer({"name": "bad", "read": False}, names, pack(()))
    assert told["error"]["type"] == "ZeroDivisionError"
    assert "not plain data" in child.answer({"name": "odd", "read": True}, names, case)["refused"]
    array = child.answer({"name": "f", "read": False}, names, pack((np.array([1, 2]), 1)))
    assert array == {"value": {"array": [0, 1]}}


def test_the_constants_are_those_of_the_kernels_headers():
    """sched.h, mount.h, prctl.h, capability.h, statvfs.h: a wrong one would isolate nothing."""
    assert confinement.own_count_of_processes() in {True, False}  # so that its lines are reached
    spaces = (0x00020000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
    assert sum(spaces) == confinement.NEW_NAMESPACES
    names = {"RDONLY": 1, "NOSUID": 2, "NODEV": 4, "NOEXEC": 8, "REMOUNT": 32, "BIND": 4096}
    names |= {"REC": 16384, "PRIVATE": 262144, "MOUNT_RELATIME": 2097152, "DETACH": 2}
    names |= {"PR_SET_PDEATHSIG": 1, "PR_SET_DUMPABLE": 4, "PR_CAPBSET_DROP": 24}
    names |= {"PR_SET_CHILD_SUBREAPER": 36, "PR_SET_NO_NEW_PRIVS": 38}
    names |= {"CAPABILITY_VERSION_3": 0x20080522, "STATVFS_RELATIME": 4096, "STUDENT": 65534}
    assert {name: getattr(confinement, name) for name in names} == names
    times = os.ST_NOATIME | os.ST_NODIRATIME
    kept = os.ST_RDONLY | os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC | times
    assert kept == confinement.KEPT_FLAGS
    assert confinement.STATVFS_RELATIME == os.ST_RELATIME


@pytest.mark.parametrize(
    ("release", "own"),
    [("5.13.9", False), ("5.14.0-1", True), ("5.9", False), ("6.0", True), ("4.20.1", False)],
)
def test_processes_are_counted_apart_since_linux_5_14(monkeypatch, release, own):
    """By the kernel's release, whose parts may have letters."""
    monkeypatch.setattr(confinement.os, "uname", lambda: SimpleNamespace(release=release))
    assert confinement.own_count_of_processes() is own


# -- a child that can't be shut in


class EndedError(BaseException):
    """A process that ended where it stood."""


STEPS = ["setsid", "die_with_parent", "set_limits", "drop_privileges", "chdir", "filter_calls"]


@pytest.mark.parametrize("failing", [None, *STEPS])
@pytest.mark.parametrize(("filtered", "of_user"), [(True, "user"), (False, "plain")])
def test_no_code_of_a_student_runs_after_a_step_that_was_refused(
    monkeypatch, failing, filtered, of_user
):
    """The step is told of, and the process ends; each step is taken, in its order."""
    done, told = [], []

    def step(name):
        def taken(*_given, **options):
            done.append(name)
            # Of a user of its own all processes can be counted; of others there may be many.
            assert options == ({"own_count": of_user == "user"} if name == "set_limits" else {})
            if name == failing:
                raise (OSError if name in {"setsid", "chdir"} else confinement.RefusedStep)("no")

        return taken

    def end(status):
        raise EndedError(status)

    for name in STEPS:
        where = supervisor.os if name in {"setsid", "chdir"} else supervisor
        monkeypatch.setattr(where, name, step(name))
    monkeypatch.setattr(supervisor.os, "fork", lambda: 0)
    monkeypatch.setattr(supervisor.os, "_exit", end)
    monkeypatch.setattr(supervisor, "_tell", lambda fd, error: told.append((fd, str(error))))
    monkeypatch.setattr(supervisor, "become_child", lambda: "runs")
    monkeypatch.setattr(supervisor.sys, "platform", "linux")
    plan = {"limits": {}, "tier": of_user, "uid": 9, "folder": "x", "filtered": filtered}
    order = ["setsid", "die_with_parent", "set_limits", "drop_privileges", "die_with_parent"]
    order += ["chdir", *(["filter_calls"] if filtered else [])]
    if failing in order:
        with pytest.raises(EndedError) as ended:
            supervisor._plainly(plan, 3, 5)
        assert ended.value.args == (0,)  # how it ended is told by another way
        assert told == [(5, "no")]
        assert done == order[: order.index(failing) + 1]
    else:
        assert supervisor._plainly(plan, 3, 5) == "runs"
        assert (told, done) == ([], order)
    monkeypatch.setattr(supervisor.os, "fork", lambda: 77)
    assert supervisor._plainly(plan, 3, 5) == 77


@rows(
    ("cell", "python"),
    [
        (">>> s = 'a b'\n>>> print(s)\na b c", "s = 'a b'\nprint(s)\n#a b c"),
        (">>> x = 1\n>>> x\n1", "x = 1\nx\n1"),
        ("x = 1\n!ls\ny = 2", "x = 1\npass  # !ls\ny = 2"),
        ("%%bash\nls", "#%%bash\n#ls"),
        ("%%time\nx = 1", "#%%time\nx = 1"),
        ("%time x = 1", "x = 1"),
        ("x = !ls", "x = []  #  !ls"),
        ("dcg?", "pass  # dcg?"),
        ("  x = 1\n  y = 2", "x = 1\ny = 2"),
        ("In [3]: x = 1\n   ...: y = 2", "x = 1\ny = 2"),
        ('"""\n>>> 1\n"""\nx = 1', '"""\n>>> 1\n"""\nx = 1'),
        ('>>> x = 1\n"""\n  >>> y\n"""', 'x = 1\n"""\n  >>> y\n"""'),
        ("x = ][", "x = ]["),
    ],
)
def test_a_cell_is_read_as_jupyter_reads_it(cell, python):
    """Prompts, what was printed below them, commands; lines stay where they are."""
    assert cell_runner.as_read(cell, 0) == python
