"""Hostile submissions, each bounded and harmless: none learns, forges or outlives anything."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from irmetrics_edu import conventions
from irmetrics_edu.classroom.exercises import checking
from irmetrics_edu.classroom.grading import folders, supervisor, tiers
from irmetrics_edu.classroom.grading.fork_server import FORK_SERVER
from irmetrics_edu.classroom.grading.limits import MIB, SandboxLimits
from irmetrics_edu.classroom.grading.sandbox import Call, Case, run_question

GOOD = "def f(x):\n    return x + 1"
SMALL = SandboxLimits(wall=10, cpu=1, memory=512 * MIB, output=MIB, file=MIB, processes=8)


TWO = (Case(1), Case(10))


def run(cells, tier, cases=TWO, limits=SMALL, name="f"):
    """Run cells under small limits."""
    cells = [cells] if isinstance(cells, str) else cells
    return run_question(cells, Call(name), list(cases), limits, tier=tier)


def given(outcome):
    """The values that arrived."""
    return [answer.value for answer in outcome.answers if answer.given]


# -- pretending to be right


def test_equality_that_is_always_true_arrives_as_nothing(tier):
    """An object that equals everything is refused; a number that does arrives as that number."""
    always = (
        "__eq__ = lambda self, other: True\n    __hash__ = None\n    __ne__ = lambda s, o: False"
    )
    refused = run(f"class A:\n    {always}\ndef f(x):\n    return A()", tier)
    assert given(refused) == []
    assert "A is not plain data" in refused.answers[0].why
    number = run(
        f"class A(float):\n    {always}\n    __float__ = None\ndef f(x):\n    return A(0.5)",
        tier,
    )
    assert given(number) == [0.5, 0.5]
    assert {type(value) for value in given(number)} == {float}
    assert given(number)[0] != 2


PATCHES = {
    "builtins": "import builtins\nbuiltins.isinstance = builtins.issubclass = lambda *a: True",
    "assertions": "import math, unittest\nmath.isclose = lambda *a, **k: True\n"
    "unittest.TestCase.assertEqual = lambda *a: None",
    "json": "import json, json.encoder\n"
    "json.dumps = json.JSONEncoder.encode = lambda *a, **k: '{\"value\": 2}'",
    "numpy": "import numpy as np\nnp.allclose = np.isclose = lambda *a, **k: True\n"
    "np.testing.assert_allclose = lambda *a, **k: None",
    "modules": "import sys\nfor n in list(sys.modules):\n    sys.modules[n] = None",
    "frames": "import sys\ng = sys._getframe(2).f_globals\n"
    "for n in ('pack', 'answer', 'unpack'):\n    g[n] = lambda *a: 2",
    "trace": "import sys, threading\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: 1/0)",
}


@pytest.mark.parametrize("patch", PATCHES)
def test_a_patched_helper_makes_no_wrong_answer_right(patch, tier):
    """Patching what runs in the child spoils the child's own answer and nothing else."""
    outcome = run([PATCHES[patch], "def f(x):\n    return 'wrong'"], tier)
    assert all(type(value) in {str, int} for value in given(outcome))
    assert 11 not in given(outcome)
    assert given(run(GOOD, tier)) == [2, 11], "and the next submission does not notice"


FORGERIES = {
    # An answer for every case, before any case was sent.
    "ahead": """
import os, json
for n in range(3, 20):
    for m in ({"cells": []}, {"word": "0" * 32, "value": 2}, {"word": "0" * 32, "value": 11}):
        b = json.dumps(m).encode()
        try:
            os.write(n, len(b).to_bytes(4, "big") + b)
        except OSError:
            break
""",
    "garbage": """
import os
for n in range(3, 20):
    try:
        os.write(n, (5).to_bytes(4, "big") + b"\\xff\\x00}{[")
    except OSError:
        pass
""",
    "deep": """
import os
b = b"[" * 100_000
for n in range(3, 20):
    try:
        os.write(n, len(b).to_bytes(4, "big") + b)
    except OSError:
        pass
""",
    "another form": """
import os
b = b'{"cells": [{"type": 7}]}'
for n in range(3, 20):
    try:
        os.write(n, len(b).to_bytes(4, "big") + b)
    except OSError:
        pass
""",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_message_counts_for_nothing(forgery, tier):
    """What is written on the private channel unasked ends the conversation, and is told."""
    outcome = run([FORGERIES[forgery], "def f(x):\n    return 'wrong'"], tier)
    assert outcome.tampered
    assert "private channel" in outcome.ended
    assert given(outcome) == []


def test_an_answer_for_the_next_case_can_not_be_written_ahead(tier):
    """While the first case is answered, the second one's inputs and word are not there yet."""
    forge = """
import os, json, sys
def f(x):
    frame = sys._getframe()
    while "case" not in frame.f_locals or "word" not in str(frame.f_locals["case"]):
        frame = frame.f_back
    word = frame.f_locals["case"]["word"]
    for value in (2, 11):
        b = json.dumps({"word": word, "value": value}).encode()
        os.write(frame.f_locals["sink"], len(b).to_bytes(4, "big") + b)
    return "wrong"
"""
    outcome = run(forge, tier)
    assert outcome.tampered
    # Its own answer to the case it has seen is the student's to give, by whatever way.
    assert given(outcome) in ([2], [])


def test_an_enormous_frame_is_not_read(tier):
    """The announced length is bounded before anything is read; text announces an absurd one."""
    for written in ("b'\\xff' * 4", "b'{\"dcg\": [0.63093]}\\n'", "b' 1.0 is my answer'"):
        outcome = run(
            f"import os\nfor n in range(3, 20):\n    try:\n        os.write(n, {written})\n"
            "    except OSError:\n        pass",
            tier,
        )
        assert outcome.tampered
        assert "private channel: a message of" in outcome.ended
        assert outcome.limit == ""


def test_a_huge_answer_is_refused(tier):
    """One value above the limit ends the question."""
    outcome = run("def f(x):\n    return 'x' * 2_000_000", tier)
    assert outcome.limit == "size of an answer"
    assert given(outcome) == []


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("import os\nos.closerange(0, 100)", ""),
        ("import os\nos.closerange(3, 100)", ""),
        ("import os\nos._exit(0)", "with status 0,"),
        ("import os\nos._exit(7)", "with status 7,"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "by signal 9"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGALRM)", "by signal 14"),
        ("import ctypes\nctypes.string_at(0)", "by signal 11"),
        ("def f(x):\n    import os\n    os._exit(0)", "with status 0,"),
    ],
    ids=lambda text: text.replace("\n", "; ")[-30:],
)
def test_leaving_early_is_told(cell, told, tier):
    """A child that ends or closes its channel gave no answer; the reason says what happened."""
    outcome = run(["def f(x):\n    return 1", cell], tier, limits=replace(SMALL, wall=60))
    assert given(outcome) == []
    assert outcome.ended
    assert told in str(outcome.ended)
    assert all(answer.why == outcome.ended for answer in outcome.answers)
    assert outcome.wall < 30  # nobody waited for the limit


def test_reading_standard_input_finds_nothing(tier):
    """The inputs do not come on standard input."""
    outcome = run(
        "import sys, os\nr = [sys.stdin.read(), os.read(0, 9)]\ndef f(x):\n    return r", tier
    )
    assert given(outcome) == [["", b"".decode()]] or "bytes" in outcome.answers[0].why


# -- looking for what it may not know


LOOK = """
import os, sys, gc

def f(needle):
    found = []
    for name, value in os.environ.items():
        if needle in value:
            found.append("environment " + name)
    for place in (*sys.path, *sys.argv, *sys.orig_argv, os.getcwd()):
        if needle in place:
            found.append("place " + place)
    def search(value, depth=0):
        if isinstance(value, (str, bytes)):
            text = value if isinstance(value, str) else value.decode("latin-1")
            return needle in text and text != needle
        if depth < 4 and isinstance(value, dict):
            return any(search(v, depth + 1) for p in value.items() for v in p)
        if depth < 4 and isinstance(value, (list, tuple)):
            return any(search(v, depth + 1) for v in value)
        return False
    for thing in gc.get_objects():
        if search(thing):
            found.append("memory " + repr(thing)[:300])
    return found
"""


@pytest.mark.suite("sandbox")
def test_secrets_of_the_grader_do_not_enter(namespaces, monkeypatch):
    """Neither the environment nor paths nor memory of the child hold what the grader has."""
    monkeypatch.setenv("COURSE_KEY", "sesame-93")
    FORK_SERVER.close()  # one that was started before could not have it
    course = str(Path(__file__).resolve().parent)
    package = str(Path(tiers.__file__).parent)
    outcome = run(LOOK, namespaces, [Case("sesame"), Case(course), Case(package)])
    assert given(outcome) == [[], [], []]


def test_the_search_for_secrets_can_find_one():
    """The test above would see a secret that is there."""
    look = LOOK + "\nhidden = ['x sesame-93 x']"
    assert "memory" in given(run(look, None, [Case("sesame")]))[0][0]


READ = """
import os
def f(path):
    seen = []
    for place in (path, os.path.dirname(path), "/proc/self/fd", "/proc/1/environ", "/etc/passwd"):
        try:
            seen.append((place, os.listdir(place) if os.path.isdir(place) else open(place).read()))
        except OSError:
            pass
    return seen
"""


def test_tests_and_solutions_can_not_be_read(namespaces, tmp_path):
    """A file of the course is not there at all, nor are other processes' files."""
    solution = tmp_path / "solution.py"
    solution.write_text("expected = 0.9834")
    outcome = run(READ, namespaces, [Case(str(solution)), Case(__file__)])
    assert given(outcome) == [[], []]


def test_the_only_files_are_those_it_needs(namespaces):
    """The root holds the libraries, what is provided and an empty folder; all else is absent."""
    walk = """
import os
def f(x):
    top = sorted(os.listdir("/"))
    packages = sorted(os.listdir("/packages"))
    writable = [d for d, _, _ in os.walk("/") if os.access(d, os.W_OK)]
    return top, packages, writable
"""
    tmp = "/tmp"  # noqa: S108 -- the child's own
    [(top, packages, writable)] = given(run(walk, namespaces, [Case(1)], SandboxLimits()))
    assert set(packages) <= {"numpy", "numpy.libs"}
    assert not {"proc", "sys", "run", "var"} & set(top)
    assert writable == [tmp]


@pytest.mark.parametrize("name", ["irmetrics_edu", "sklearn", "ir_measures", "pytest"])
def test_no_installed_metric_can_be_imported(name, tier):
    """An answer imported from a package that is installed here is an ImportError there."""
    [error] = run(f"import {name}", tier, []).cell_errors
    assert error.type == "ModuleNotFoundError"


def test_our_package_can_not_be_found_by_its_path(namespaces):
    """Adding the paths of the grader to sys.path does not help."""
    paths = [*sys.path, str(Path(tiers.__file__).parents[3])]
    cells = "import sys\ndef f(paths):\n    sys.path += paths\n    import irmetrics_edu"
    [answer] = run(cells, namespaces, [Case(paths)]).answers
    assert answer.error.type == "ModuleNotFoundError"


def test_the_provided_package_comes_without_grader(namespaces):
    """Where the package is provided, what grades and the exercises are not."""
    cells = ["import irmetrics_edu, os\ndef f(name):\n    return os.path.exists("]
    cells[0] += "os.path.join(os.path.dirname(irmetrics_edu.__file__), name))"
    package = Path(tiers.__file__).parents[2]
    names = [str(Path(m.__file__).relative_to(package)) for m in (tiers, checking, conventions)]
    assert all((package / name).exists() for name in names)
    cases = [Case(name) for name in names]
    outcome = run_question(cells, Call("f"), cases, tier=namespaces, packages=tiers.WITH_PACKAGE)
    assert given(outcome) == [False, False, True]


# -- changing what it may not change


@pytest.mark.suite("sandbox")
def test_marks_can_not_be_written_by_a_process_left_behind(namespaces, tmp_path):
    """A daemon that waits for the grader to be done is ended, and could not write anyway."""
    marks = tmp_path / "marks.csv"
    outcome = run(DAEMON, namespaces, [Case(str(marks))])
    assert given(outcome) == [True]
    time.sleep(0.8)
    assert not marks.exists()


DAEMON = """
import os, time, signal
def f(path):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for n in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(n, signal.SIG_IGN)
            for _ in range(5):
                time.sleep(0.1)
                try:
                    open(path, "a").write("full marks")
                except OSError:
                    pass
        os._exit(0)
    return True
"""


@pytest.mark.suite("sandbox")
def test_no_process_is_left_behind(tier, tmp_path):
    """In every tier, daemons are ended with the child, before they write."""
    marks = tmp_path / "marks.csv"
    outcome = run(
        DAEMON.replace("range(5)", "range(20)").replace("0.1", "1"), tier, [Case(str(marks))]
    )
    assert given(outcome) == [True]
    time.sleep(1.2)
    assert not marks.exists()


def test_the_course_folder_can_not_be_changed(namespaces, tmp_path):
    """Writing, deleting and linking fail: the folder is not there."""
    notes = tmp_path / "notes.txt"
    notes.write_text("as it was")
    cells = """
import os, shutil
def f(folder):
    done = []
    for act in (lambda: open(folder + "/notes.txt", "w"), lambda: os.symlink("/", folder + "/l"),
                lambda: shutil.rmtree(folder), lambda: os.remove(folder + "/notes.txt")):
        try:
            act()
            done.append(1)
        except OSError:
            pass
    return done
"""
    assert given(run(cells, namespaces, [Case(str(tmp_path))])) == [[]]
    assert notes.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [notes]


def test_privileges_can_not_be_had_again(namespaces):
    """No root, no new namespace, no mount, no look into the first process."""
    cells = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def f(x):
    got = []
    if libc.unshare(0x10000000) == 0: got.append("user namespace")
    if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0: got.append("mount")
    if libc.umount2(b"/tmp", 2) == 0: got.append("umount")
    if libc.ptrace(16, 1, None, None) == 0: got.append("ptrace")
    if libc.chroot(b"/tmp") == 0: got.append("chroot")
    for act in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0])):
        try:
            act()
            got.append("another user")
        except OSError:
            pass
    try:
        os.kill(1, 9)
    except OSError:
        pass
    return got
"""
    assert given(run(cells, namespaces, [Case(1)])) == [[]]


def test_no_socket_reaches_the_machine(namespaces):
    """A server of the machine can't be reached: neither by the network nor by its name."""
    server = socket.create_server(("127.0.0.1", 0))
    reached = threading.Event()

    def accept():
        try:
            server.accept()[0].close()
            reached.set()
        except OSError:
            return

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    cells = "import socket\ndef f(port):\n    socket.create_connection(('127.0.0.1', port), 1)"
    [answer] = run(cells, namespaces, [Case(server.getsockname()[1])]).answers
    assert answer.error.type in {"OSError", "PermissionError"}
    assert not reached.is_set()
    socket.create_connection(server.getsockname(), 1).close()
    thread.join(2)
    server.close()
    assert reached.is_set(), "the server could be reached from outside"


# -- using too much


@pytest.mark.suite("sandbox")
def test_an_endless_loop_ends(tier):
    """Processor time is bounded; the answers before are kept."""
    outcome = run("def f(x):\n    while x > 1:\n        pass\n    return x", tier)
    assert given(outcome) == [1]
    assert outcome.limit == "processor time"
    assert outcome.answers[1].why == "the limit of processor time (1 s) was exceeded"
    assert outcome.wall < 10


@pytest.mark.suite("sandbox")
def test_sleeping_ends(tier):
    """The wall clock is bounded, whatever signals are ignored."""
    cells = """
import signal, time
for n in signal.valid_signals():
    try:
        signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
def f(x):
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
"""
    outcome = run(cells, tier, limits=SandboxLimits(wall=0.5))
    assert outcome.limit == "wall time"
    assert 0.4 < outcome.wall < 2


def test_much_output_ends(tier):
    """100 MB of output is cut off."""
    outcome = run("for _ in range(100):\n    print('x' * 1_000_000)", tier)
    assert outcome.limit == "output"


def test_garbage_on_the_screen_is_made_harmless(tier):
    """Control characters and broken text on standard output are no answer."""
    outcome = run(["import os\nos.write(1, b'\\x1b[2J\\xff\\x00 ok')", GOOD], tier)
    assert given(outcome) == [2, 11]


@pytest.mark.suite("sandbox")
def test_much_memory_is_refused(tier):
    """8 GiB are not to be had, at once or bit by bit."""
    for cells in (
        "b = bytearray(8 << 30)",
        "b = []\nwhile True:\n    b.append(bytearray(1 << 24))",
    ):
        outcome = run([cells, GOOD], tier, limits=SandboxLimits(memory=256 * MIB))
        assert outcome.limit == "memory"


@pytest.mark.suite("sandbox")
def test_memory_of_all_processes_counts(tier):
    """Several processes together may not use more than one."""
    cells = """
import os, time
for _ in range(5):
    if os.fork() == 0:
        b = bytearray(200 << 20)
        time.sleep(10)
time.sleep(10)
"""
    assert run(cells, tier, limits=SandboxLimits(memory=512 * MIB)).limit == "memory"


@pytest.mark.suite("sandbox")
def test_memory_of_a_process_whose_first_thread_has_ended_counts(tier):
    """It is on the line of no process, but on that of the thread that holds it."""
    cells = """
import ctypes, os, threading, time
def hold():
    time.sleep(0.2)
    held = bytearray(200 << 20)
    time.sleep(20)
for _ in range(3):
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
time.sleep(20)
"""
    assert run(cells, tier, limits=SandboxLimits(memory=512 * MIB)).limit == "memory"


def test_a_process_that_ends_while_it_is_counted_is_no_error():
    """Between two looks at a process it may be gone, and the supervisor goes on."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert supervisor.descendants(ended.pid) == []
    assert supervisor._held(ended.pid) == 0


def test_files_in_memory_are_bounded_together(namespaces):
    """The child's own `/tmp`, the one place to write, takes no more than one file of the limit.

    Neither does it take files without end that are empty; no other folder in memory is there.
    """
    cells = """
import errno, os
def f(x):
    written = made = 0
    try:
        while True:
            with open(f"full{made}", "wb", buffering=0) as file:
                made += 1
                while written < 64 * x:
                    written += file.write(bytes(min(65536, x - file.tell())) or b"x")
    except OSError as error:
        found = [written <= x, error.errno in (errno.ENOSPC, errno.EFBIG)]
    try:
        while True:
            open(f"empty{made}", "w").close()
            made += 1
    except OSError as error:
        found += [made < 5000, error.errno == errno.ENOSPC]
    return found, os.path.exists("/dev/shm"), os.path.exists("/dev/zero")
"""
    assert given(run(cells, namespaces, [Case(MIB)])) == [([True] * 4, False, False)]


def test_many_processes_end(tier):
    """Fifty processes are too many, whether or not the code looks at the error.

    They stand for seconds, so that a supervisor that is given little of a busy machine sees them.
    """
    fork = "import os, time\nfor _ in range(50):\n    if os.fork() == 0:\n        time.sleep(5)\n"
    kept = "import os, time\nfor _ in range(50):\n    try:\n        if os.fork() == 0:\n"
    kept += "            time.sleep(5)\n    except OSError:\n        pass\ntime.sleep(5)\n"
    for cells in (fork + "time.sleep(5)", kept):
        outcome = run(cells, tier)
        assert outcome.limit == "processes"


def test_big_files_are_refused(tier):
    """A file above the limit can't be written."""
    outcome = run("open('x', 'wb').write(b'x' * (4 << 20))", tier)
    assert outcome.limit == "file size"


def test_endless_recursion_is_an_error_of_the_code(tier):
    """Recursion without end is told with its line."""
    outcome = run("def f(x):\n    return f(x)", tier)
    assert [answer.error.type for answer in outcome.answers] == ["RecursionError"] * 2


def test_what_is_left_running_does_not_hold_up_the_grader(tier):
    """Threads and exit handlers do not run on, and good answers count."""
    cells = [
        "import atexit, threading, time\natexit.register(time.sleep, 60)",
        "threading.Thread(target=time.sleep, args=(60,)).start()",
        GOOD,
    ]
    outcome = run(cells, tier, limits=replace(SMALL, wall=60))
    assert given(outcome) == [2, 11]
    assert outcome.wall < 30  # nobody waited for what sleeps


@pytest.mark.suite("sandbox")
@pytest.mark.usefixtures("namespaces")
def test_an_ended_grader_takes_the_child_with_it():
    """If the grader itself is killed, nothing of the submission goes on."""
    script = (
        "from irmetrics_edu.classroom.grading.sandbox import *\n"
        "print('on', flush=True)\n"
        "limits = SandboxLimits(wall=60)\n"
        "run_question(['import time; time.sleep(47.1)'], Call('f'), [Case()], limits)"
    )
    grader = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    grader.stdout.readline()
    deadline = time.monotonic() + 10
    while len(family := _family(grader.pid)) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(family) >= 4
    grader.kill()
    grader.wait()
    grader.stdout.close()
    deadline = time.monotonic() + 5
    while any(map(_runs, family)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(_runs, family))


def _family(pid):
    from irmetrics_edu.classroom.grading.supervisor import descendants

    return descendants(pid)


def _runs(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(sys.platform == "win32", reason="folders can't be locked there")
def test_folders_of_a_killed_grader_are_removed_by_the_next(tmp_path, monkeypatch):
    """Those alone: not what others hold, what is another's, or what a link leads to."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    script = (
        "import os, signal\nfrom irmetrics_edu.classroom.grading.folders import folder\n"
        "with folder() as place:\n    (place / 'notes').write_text('x')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script], env={**os.environ, "TMPDIR": str(tmp_path)},
                   check=False)  # fmt: skip
    [left] = tmp_path.iterdir()
    elsewhere = tmp_path / "kept"
    elsewhere.mkdir()
    (tmp_path / f"{folders.PREFIX}link").symlink_to(elsewhere)
    (tmp_path / f"{folders.PREFIX}file").write_text("x")
    folders.clean_up.cache_clear()
    with folders.folder() as own:
        assert not left.exists()
        folders.clean_up.cache_clear()
        with folders.folder() as other:
            assert own.is_dir()
            assert other.is_dir()
    assert sorted(p.name.removeprefix(folders.PREFIX) for p in tmp_path.iterdir()) == [
        "file", "kept", "link"
    ]  # fmt: skip


@pytest.mark.suite("sandbox")
def test_hostile_submissions_leave_nothing_open(tier, tmp_path, monkeypatch):
    """Descriptors and folders of the grader are as before."""

    def descriptors():
        listed = Path("/proc/self/fd")
        return len(list(listed.iterdir())) if listed.exists() else 0

    run(GOOD, tier)
    before = descriptors()
    for folder in (tmp_path, *tmp_path.parents[:3]):  # a user of its own has to come through
        folder.chmod(0o711)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for cells in ("import os\nos._exit(1)", "while True: pass", FORGERIES["garbage"]):
        run(cells, tier, limits=SandboxLimits(wall=0.5))
    assert descriptors() == before
    assert list(tmp_path.iterdir()) == []
