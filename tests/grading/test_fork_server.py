"""Children forked from one process: each is as if it had been started alone."""

import os
import subprocess
import sys
import time

import pytest

from irmetrics_edu.classroom.grading import tiers
from irmetrics_edu.classroom.grading.fork_server import AVAILABLE, FORK_SERVER
from irmetrics_edu.classroom.grading.sandbox import Call, Case, run_question

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="elsewhere each child is a new interpreter")

COUNT = ["import sys\nsys.kept = getattr(sys, 'kept', 0) + 1", "def f(x):\n    return sys.kept + x"]


def value(cells, tier, *given, packages=("numpy",)):
    """What one call comes to."""
    outcome = run_question(cells, Call("f"), [Case(*given)], tier=tier, packages=packages)
    assert outcome.answers[0].given, outcome
    return outcome.answers[0].value


def test_nothing_of_one_child_is_in_the_next(tier):
    """What a child does to the interpreter and to numpy ends with it."""
    spoil = "import numpy as np\nnp.mean = lambda *a: 7\ndef f(x):\n    return np.mean([x])"
    assert value([spoil], tier, 1) == 7
    assert value(["import numpy as np\ndef f(x):\n    return np.mean([x])"], tier, 1) == 1
    assert [value(COUNT, tier, 0) for _ in range(2)] == [1, 1]


def test_parts_of_numpy_that_are_imported_late(tier):
    """Found where this child has numpy, not where it was imported for all."""
    cell = """
import numpy as np, numpy.testing, numpy.polynomial
def f(x):
    places = [m.__path__[0] for m in (np, np.linalg, np.random, np.fft)]
    return (float(np.linalg.det(np.eye(2)) + np.fft.fft([x])[0].real),
            len(np.random.default_rng(1).permutation(3)), places)
"""
    det, three, places = value([cell], tier, 1.0)
    assert (det, three) == (2, 3)
    root = "/packages" if tier.name == "namespaces" else str(tiers.place_of("numpy"))
    assert places == [f"{root}/numpy{part}" for part in ("", "/linalg", "/random", "/fft")]


def test_a_question_without_numpy_has_none(tier):
    """That it was imported for others gives it to nobody who may not have it."""
    cell = """
import sys
def f():
    try:
        import numpy
    except ImportError:
        return [n for n in sys.modules if n.startswith("numpy")]
"""
    assert value([cell], tier, packages=()) == []


def test_a_nurse_that_is_gone_is_replaced(tier):
    """Ended by the system while nobody needs it: the next child has a new one."""
    assert value(COUNT, tier, 1) == 2
    first = FORK_SERVER._process.pid
    FORK_SERVER._process.kill()
    assert value(COUNT, tier, 2) == 3
    assert FORK_SERVER._process.pid != first


KILLED = """
import os, signal
from irmetrics_edu.classroom.grading.fork_server import FORK_SERVER
from irmetrics_edu.classroom.grading.sandbox import Call, Case, run_question
from tests.tiers import best_tier
run_question(["def f(): return 1"], Call("f"), [Case()], tier=best_tier())
print(FORK_SERVER._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.suite("sandbox")
def test_it_ends_with_the_grader():
    """Nobody is left who would wait for a grader that is gone."""
    done = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, check=False)
    fork_server = int(done.stdout)
    for _ in range(200):
        try:
            os.kill(fork_server, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("the fork server is still there")
