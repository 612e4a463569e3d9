"""Marks do not depend on what else the machine does: the clock alone takes none."""

import json
import threading

import pytest

from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading import protocol
from irmetrics_edu.classroom.grading.limits import MIB, SandboxLimits
from irmetrics_edu.classroom.grading.outcome import Case
from irmetrics_edu.classroom.grading.sandbox import Conversation
from irmetrics_edu.classroom.marking.running import run_cells
from irmetrics_edu.classroom.marking.running.child_runs import Turns
from irmetrics_edu.errors import InputError
from tests.marking.conftest import KEY, RIGHT

pytestmark = pytest.mark.slow


def test_one_that_ran_out_of_wall_time_is_run_again_alone(a_class, monkeypatch):
    """As if the machine had been busy: the first run is cut by the clock, the second is not."""
    seen = []
    real = run_cells.run_question

    def busy(cells, call, cases, limits, **options):
        seen.append(limits.wall)
        first = ["import time\ntime.sleep(9)"] if limits.wall == 1.5 else []
        return real([*first, *cells], call, cases, limits, **options)

    monkeypatch.setattr(run_cells, "run_question", busy)
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    assert a_class.grade("--limit", "wall=1.5") == 0
    assert a_class.marks("ann/77_two.ipynb") == [1, 4]
    assert seen == [1.5, 3.0] * 2


@pytest.mark.suite("guide")
def test_what_runs_out_alone_too_has_run_out(a_class):
    """One that sleeps for good is told so, and not of any private channel."""
    sleeps = "import time\ndef dcg(grades, k=None):\n    time.sleep(60)"
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", [sleeps]))
    a_class.grade("--limit", "wall=0.6")
    assert a_class.marks("ann/77_two.ipynb")[1] == 0
    report = a_class.report()
    assert "dcg: limit of wall time" in report
    assert "channel" not in report


WAITS = "import time\nimport irmetrics_edu.classroom.exercises\ntime.sleep(60)"


@pytest.mark.suite("guide")
def test_a_cell_that_waits_costs_few_runs(a_class, monkeypatch):
    """Cut beside others and alone, it is run by no later question, and no answer is lost to it."""
    seen = runs_of(monkeypatch)
    right = "import math\ntotal = {}".format(a_class.source.exercise["total"].right(
        Variant("ann", KEY).trial(a_class.source.exercise.number, a_class.source.exercise["total"])
        .general[0]
    ))  # fmt: skip
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", [WAITS, right, RIGHT]))
    assert a_class.grade("--limit", "wall=0.5") == 0
    assert a_class.marks("ann/77_two.ipynb") == [1, 4]
    # All cells can only be cut; then what each answer needs.
    assert seen == [0.5, 1.0, 1.0, 1.0]
    report = a_class.report()
    assert "the clock cut runs of the notebook after 1.5 s together" in report


def test_all_runs_of_a_notebook_together_are_bounded(a_class, monkeypatch):
    """What is left is not run; the student and the teacher are told, and others are graded."""
    seen = runs_of(monkeypatch)
    cells = [f"{WAITS}\ntotal = 1", f"total\n{RIGHT}", "left = 2"]
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", cells))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben"))
    limits = ("--limit", "wall=0.5", "--limit", "submission=1.5", "--workers", "1")
    assert a_class.grade(*limits) == 0
    assert a_class.marks("ann/77_two.ipynb") == [0, 0]
    assert a_class.marks("ben/77_two.ipynb") == [1, 4]
    assert seen[:2] == [0.5, 1.0]
    assert len(seen) == 4
    report = a_class.report()
    assert "dcg: limit of wall time of the whole notebook" in report
    assert "not run any more: total, dcg (--limit submission)" in report
    told = a_class.written()["feedback/ann/77_two.md"].decode()
    assert "it was not run, as the wall time of the whole notebook was used up (1.5 s)" in told


def runs_of(monkeypatch):
    """The wall times of the runs of questions, in order."""
    seen = []
    real = run_cells.run_question

    def noted(cells, call, cases, limits, **options):
        seen.append(limits.wall)
        return real(cells, call, cases, limits, **options)

    monkeypatch.setattr(run_cells, "run_question", noted)
    return seen


class Silent:
    """A channel whose child has ended between two questions."""

    def __init__(self, waiting):
        self.channel = protocol.Channel.__new__(protocol.Channel)
        self.channel._replies = protocol.queue.Queue()
        for reply in waiting:
            self.channel._replies.put(reply)
        self.channel.send = lambda _message: None


RAN = b'{"cells": [], "checked": []}'


@pytest.mark.parametrize(
    ("waiting", "tampered"),
    [([RAN, protocol.Gone()], False), ([RAN, b"{}"], True)],
    ids=["cut by the clock", "an answer ahead"],
)
def test_an_answer_cut_by_the_clock_is_no_tampering(waiting, tampered):
    """A child that is gone before the next question has written nothing on any channel."""
    conversation = Conversation(Silent(waiting).channel, SandboxLimits())
    conversation.hold([Case(1)])
    assert conversation.tampered is tampered
    assert conversation.gone is not tampered


ERROR = {"type": "E", "message": "m", "cell": 1, "line": 1, "text": "", "limit": "", "name": ""}


@pytest.mark.parametrize(
    "report",
    [
        {"cells": [ERROR] * 5_000, "checked": []},
        {"cells": [], "checked": ["1"]},
        {"cells": [], "checked": {}},
        {"cells": [ERROR | {"cell": "1"}], "checked": []},
        {"cells": []},
    ],
)
def test_a_report_that_no_child_of_ours_sends_is_tampering(report):
    """The student's code can send any report; what is in a good one is cut to its bounds."""
    conversation = Conversation(Silent([json.dumps(report).encode()]).channel, SandboxLimits())
    conversation.hold([Case(1)])
    assert conversation.tampered
    long = ERROR | {
        "type": "E" * 10_000,
        "message": "m" * 10_000,
        "text": "t" * 10_000,
        "name": "n" * 10_000,
    }
    whole = json.dumps({"cells": [long] * 41, "checked": [1] * 9_000}).encode()
    conversation = Conversation(Silent([whole, protocol.Gone()]).channel, SandboxLimits())
    conversation.hold([Case(1)])
    assert not conversation.tampered
    assert {len(e.type + e.message + e.text + e.name) for e in conversation.cell_errors} == {2_400}
    assert len(conversation.checked) == 1_000


def test_one_that_is_alone_waits_for_the_others_and_they_for_it():
    """Nobody runs beside it, whoever came first."""
    turns, running, most_beside = Turns(4), [], []
    lock = threading.Lock()

    def work(alone):
        with turns.alone() if alone else turns.beside():
            with lock:
                running.append(alone)
            threading.Event().wait(0.02)
            with lock:
                if alone:
                    most_beside.append(len(running))
                running.remove(alone)

    threads = [threading.Thread(target=work, args=(i % 3 == 0,)) for i in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert most_beside == [1, 1, 1]


def test_limits_and_workers_are_options(a_class, capsys):
    """A limit is named with its value; what is no limit is refused before anything runs."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    assert a_class.grade("--limit", "cpu=7.5", "--limit", "memory=900MiB", "--workers", "1") == 0
    for words, said in (
        (("--limit", "cpu=much"), "give a number"),
        (("--limit", "cpu=inf"), "give a number"),
        (("--limit", "speed=3"), "known are wall, cpu"),
        (("--limit", "cpu=0"), "above 0"),
        (("--workers", "0"), "--workers: '0': give a whole number of 1 or more"),
    ):
        assert a_class.grade(*words) == 2
        assert said in capsys.readouterr().err


def test_limits_by_name():
    """Seconds with a fraction, bytes in MiB, the rest as they are."""
    limits = SandboxLimits.named(["wall=2.5", "memory=3MiB", "processes=4"])
    assert (limits.wall, limits.memory, limits.processes) == (2.5, 3 * MIB, 4)
    assert limits.cpu == SandboxLimits().cpu
    with pytest.raises(InputError, match="write NAME=VALUE"):
        SandboxLimits.named(["5"])
