"""How a child is started, spoken to and cleaned up after: with stand-ins for its processes."""

import ast
import gc
import marshal
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.grading import folders, fork_server, protocol, sandbox, tiers
from irmetrics_edu.classroom.grading.fork_server import Forked, ForkServer
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.outcome import Answer, Call, Case, NoValue, Raised, Replaced
from irmetrics_edu.classroom.grading.protocol import Channel, Gone
from irmetrics_edu.classroom.grading.sandbox import SandboxError
from irmetrics_edu.errors import InputError
from tests.tables import rows

LINUX = pytest.mark.skipif(not fork_server.AVAILABLE, reason="Linux alone has such handles")

# -- a supervisor that was forked


def three_pipes():
    """The other side's ends of three channels, and the ends of this side."""
    (read, write), (out, into), (err, onto) = os.pipe(), os.pipe(), os.pipe()
    return [read, into, onto], [write, out, err]


def opened():
    """How many files this process has open, where the system tells."""
    gc.collect()  # what other tests have left
    listed = Path("/proc/self/fd")
    return len([*listed.iterdir()]) if listed.exists() else 0


def let_go(forked, theirs):
    """Close all that is left open."""
    for stream in (forked.stdin, forked.stdout, forked.stderr):
        stream.close()
    for fd in theirs:
        os.close(fd)


@LINUX
@pytest.mark.parametrize("way", ["terminate", "kill"])
def test_a_supervisor_that_was_forked_is_asked_to_end_or_ended(way):
    """Its three channels are the ends that were given; once it has ended nothing is done to it."""
    process = subprocess.Popen(["sleep", "10"])
    theirs, ours = three_pipes()
    handle = os.pidfd_open(process.pid)
    forked = Forked(handle, ours)
    forked.stdin.write(b"in")
    os.write(theirs[1], b"out")
    os.write(theirs[2], b"err")
    found = os.read(theirs[0], 9), forked.stdout.read(9), forked.stderr.read(9)
    assert found == (b"in", b"out", b"err")
    with pytest.raises(subprocess.TimeoutExpired, match=r"supervisor.*0\.01 seconds"):
        forked.wait(0.01)
    getattr(forked, way)()
    forked.wait()
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(handle)
    number = {"terminate": signal.SIGTERM, "kill": signal.SIGKILL}[way]
    assert process.wait() == -number
    getattr(forked, way)()
    forked.wait(0.0)
    let_go(forked, theirs)
    # Ended and waited for by another, while the handle is still held.
    process = subprocess.Popen(["true"])
    theirs, ours = three_pipes()
    gone = Forked(os.pidfd_open(process.pid), ours)
    process.wait()
    gone.terminate()
    gone.wait(5.0)
    let_go(gone, theirs)


@rows("broken", ["no such call", "refused", "another system", ""])
def test_whether_a_fork_server_may_be_had_is_asked_of_the_system(broken):
    """Where there are no handles of processes, or no Linux, each supervisor is started alone."""
    closed = []

    def handle(pid):
        assert pid == 77
        if broken == "refused":
            raise OSError
        return 5

    fake = SimpleNamespace(getpid=lambda: 77, close=closed.append)
    if broken != "no such call":
        fake.pidfd_open = handle
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fork_server, "os", fake)
        platform = "darwin" if broken == "another system" else "linux"
        patch.setattr(fork_server, "sys", SimpleNamespace(platform=platform))
        assert fork_server._available() is (not broken)
    assert closed == ([] if broken in {"no such call", "refused"} else [5])


class Serving:
    """In place of a fork server's process: it gives the answers that it has, then is gone."""

    def __init__(self, *answers):
        self.answers, self.taken, self.waited, self.given = answers, [], 0, None
        self.written = None

    def __call__(self, command, **options):
        """As `Popen` is called."""
        self.given = (command, options)
        line = socket.socket(fileno=os.dup(options["pass_fds"][0]))
        line.settimeout(2.0)  # so that a fork server that goes wrong fails a test
        self.thread = threading.Thread(target=self.serve, args=(line,))
        self.thread.start()
        reading, writing = os.pipe()
        self.reading = reading
        self.stdin = os.fdopen(writing, "wb")
        return self

    def serve(self, line):
        """Take four ends for each answer."""
        for answer in self.answers:
            word, ends, _, _ = socket.recv_fds(line, 1, 4)
            self.taken.append((word, len(ends)))
            for fd in ends:
                os.close(fd)
            line.sendall(answer)
        line.close()

    def wait(self):
        """As that of a process."""
        self.waited += 1
        self.thread.join(3.0)
        self.written = os.read(self.reading, 999)
        os.close(self.reading)


def started(server, report):
    """A supervisor of this fork server, and nothing left open."""
    forked = server.start(["python", "-c"], report, first=b"code", cwd="/", env={"A": "b"})
    for stream in (forked.stdin, forked.stdout, forked.stderr):
        stream.close()
    return forked


@LINUX
def test_a_fork_server_is_started_once_and_again_when_it_is_gone(monkeypatch):
    """It is told of four ends, and says the process; what is torn is no number."""
    own = os.getpid().to_bytes(8, "big")
    processes = [Serving(own, own), Serving(own, own[4:]), Serving(own)]
    waiting = [*processes]

    def start(command, **options):
        return waiting.pop(0)(command, **options)

    monkeypatch.setattr(fork_server.subprocess, "Popen", start)
    server = ForkServer()
    report = os.open(os.devnull, os.O_RDWR)
    before = opened()
    handles = [started(server, report)._handle for _ in range(4)]
    assert len(waiting) == 0
    for process in processes[:2]:
        assert process.waited == 1
    command, options = processes[0].given
    assert command[:3] == ["python", "-c", "serve_forks"]
    assert options == {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "pass_fds": (int(command[3]),),
        "start_new_session": True,
        "cwd": "/",
        "env": {"A": "b"},
    }
    assert [one.taken for one in processes] == [[(b"k", 4)] * 2, [(b"k", 4)] * 2, [(b"k", 4)]]
    server.close()
    assert [one.written for one in processes] == [b"code"] * 3
    assert [one.waited for one in processes] == [1] * 3
    server.close()
    assert (server._process, server._line) == (None, None)
    for handle in handles:
        os.close(handle)
    # The end of each line that Popen would have closed is closed with its process.
    assert opened() == before
    os.close(report)


@LINUX
def test_a_fork_server_that_can_not_be_started_leaves_nothing_open(monkeypatch):
    """Neither the ends of the child nor ours; the process that forked has its own."""

    def refuse(*_given, **_options):
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(fork_server.subprocess, "Popen", refuse)
    server = ForkServer()
    before = opened()
    with pytest.raises(BlockingIOError):
        started(server, 0)
    assert opened() == before
    # What was started by another process is not this one's to wait for.
    other = SimpleNamespace(wait=lambda: pytest.fail("waited for"))
    line = SimpleNamespace(close=lambda: None)
    server._process, server._line, server._of = other, line, os.getpid() + 1
    server._end()
    assert server._process is None
    own = os.getpid().to_bytes(8, "big")
    serving = Serving(own)
    monkeypatch.setattr(fork_server.subprocess, "Popen", serving)
    server._line, server._of = line, os.getpid() + 1
    os.close(started(server, 0)._handle)
    assert server._of == os.getpid()
    server.close()


# -- what is sent to a child


def test_the_code_that_is_sent_is_that_of_its_files_without_imports_of_the_package():
    """In their order, without assertions and docstrings, behind its length."""
    data = protocol.shipped_code.__wrapped__()
    assert int.from_bytes(data[:4], "big") == len(data) - 4
    codes = marshal.loads(data[4:])  # noqa: S302 -- our own
    wanted = ["plain_values", "newer_syntax", "cell_runner", "child"]
    wanted += ["confinement", "syscalls", "supervisor"]
    assert [code.co_filename for code in codes] == [f"<{name}>" for name in wanted]
    assert tuple(wanted) == protocol.SHIPPED
    for name, code in zip(wanted, codes, strict=True):
        path = Path(protocol.__file__).parent / f"{name}.py"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        kept = [
            node
            for node in tree.body
            if not (isinstance(node, ast.ImportFrom) and "irmetrics_edu" in str(node.module))
        ]
        whole = compile(ast.Module(kept, []), f"<{name}>", "exec", 0, dont_inherit=True, optimize=2)
        assert code.co_code == whole.co_code
        assert code.co_names == whole.co_names
        assert not any("irmetrics_edu.classroom.grading" in str(one) for one in code.co_names)
        assert not any("irmetrics_edu" in str(one) for one in code.co_consts if type(one) is tuple)


def test_a_child_has_none_of_the_teachers_environment(monkeypatch):
    """The same variables on every run: one thread, one hash seed, UTF-8."""
    monkeypatch.setenv("SECRET", "key")
    same = {
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    for platform in ("linux", "darwin"):
        monkeypatch.setattr(protocol, "sys", SimpleNamespace(platform=platform))
        monkeypatch.setattr(protocol.tempfile, "gettempdir", lambda: "/own/tmp")
        home = "/tmp" if platform == "linux" else "/own/tmp"  # noqa: S108 -- the child's own
        assert protocol.environment() == {**same, "HOME": home}
    assert protocol.framed({"a": "é"}) == b"\x00\x00\x00\x0f" + b'{"a": "\\u00e9"}'


def test_what_is_imported_for_all_children_is_what_is_installed_of_it(monkeypatch):
    """A package that is not here is left to each child, which has none."""

    def place(name):
        if name == "absent":
            raise InputError("not installed")
        return Path("/somewhere")

    monkeypatch.setattr(protocol, "PRELOADED", ("absent", "numpy"))
    monkeypatch.setattr(protocol, "place_of", place)
    assert protocol.preloaded.__wrapped__() == {"numpy": "/somewhere"}


@rows("forks", [True, False])
def test_a_supervisor_is_forked_where_that_is_possible_and_started_elsewhere(forks):
    """Without the environment and the folder of the teacher, and with no more files than needed."""
    done = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol, "AVAILABLE", forks)
        patch.setattr(protocol, "shipped_code", lambda: b"code")
        patch.setattr(protocol, "preloaded", lambda: {"numpy": "/n"})
        patch.setattr(protocol, "environment", lambda: {"A": "b"})
        server = SimpleNamespace(start=lambda *given, **options: done.append((given, options)))
        patch.setattr(protocol, "FORK_SERVER", server)
        popen = lambda command, **options: done.append((command, options))  # noqa: E731
        patch.setattr(protocol.subprocess, "Popen", popen)
        protocol._started("/usr/bin/python9", 8)
    [(given, options)] = done
    where = {"cwd": "/", "env": {"A": "b"}}
    if forks:
        command, report = given
        assert report == 8
        assert options == {**where, "first": b"code" + protocol.framed({"numpy": "/n"})}
    else:
        *command, word, report = given
        assert (word, report) == ("keep", "8")
        pipes = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.PIPE)
        alone = {"bufsize": 0, "pass_fds": (8,), "start_new_session": True}
        assert options == {**where, **pipes, **alone}
    assert command[:6] == ["/usr/bin/python9", "-P", "-s", "-S", "-B", "-c"]
    assert len(command) == 7


def test_what_a_new_interpreter_runs_reads_the_code_and_calls_what_it_is_told():
    """However the code comes; without any it ends and says nothing."""
    codes = [
        compile("a = 5", "<a>", "exec"),
        compile("def went(n): print(__name__, a + n)", "<b>", "exec"),
    ]
    data = marshal.dumps(codes)
    whole = len(data).to_bytes(4, "big") + data
    command = [sys.executable, "-S", "-c", protocol._BOOT, "went", "42"]
    for sent, said in ((whole, b"grading 47\n"), (whole[:-1], b""), (b"", b"")):
        done = subprocess.run(command, input=sent, capture_output=True, check=False)
        assert (done.stdout, done.stderr, done.returncode) == (said, b"", 0)


# -- the channel


class Pipe:
    """An end to write to that takes little at a time, and breaks after so many bytes."""

    def __init__(self, most, breaks=None):
        self.most, self.breaks, self.data, self.closed = most, breaks, b"", False

    def write(self, data):
        """Some of it; None where nothing could be taken at once."""
        if self.breaks is not None and len(self.data) >= self.breaks:
            raise BrokenPipeError
        if self.most == 0:
            self.most = 3
            return None
        self.data += bytes(data[: self.most])
        return len(data[: self.most])

    def close(self):
        """As that of a file."""
        self.closed = True


@rows("forks", [True, False])
def test_a_channel_sends_the_plan_first_and_watches_the_clock(forks):
    """To a new interpreter its code before it; three seconds more than the supervisor has."""
    process = SimpleNamespace(stdin=Pipe(4), stdout=None, stderr=None, killed=0)
    process.kill = lambda: setattr(process, "killed", process.killed + 1)
    timers, reads = [], []

    class Timer:
        def __init__(self, seconds, call):
            self.seconds, self.call, self.daemon = seconds, call, False
            timers.append(self)

        def start(self):
            assert self.daemon
            self.started = True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol, "AVAILABLE", forks)
        patch.setattr(protocol, "shipped_code", lambda: b"code")
        patch.setattr(protocol, "_started", lambda _python, report: reads.append(report) or process)
        patch.setattr(protocol.threading, "Timer", Timer)
        patch.setattr(Channel, "_read", lambda _self: reads.append("read"))
        patch.setattr(Channel, "_listen", lambda _self: reads.append("listen"))
        with Channel("python9", PLAN, 50, 60) as channel:
            for thread in channel._threads:
                thread.join()
            patch.setattr(channel, "close", lambda: reads.append("close"))
            assert (channel.longest, channel.output) == (50, 60)
    assert sorted(map(str, reads[1:])) == ["close", "listen", "read"]
    with pytest.raises(OSError, match="Bad file"):  # the supervisor's end is its own
        os.fstat(reads[0])
    os.close(channel._report)
    assert process.stdin.data == (b"" if forks else b"code") + protocol.framed(PLAN)
    [timer] = timers
    assert (timer.seconds, timer.started) == (7.5 + 3.0, True)
    assert not channel.overdue.is_set()
    timer.call()
    assert (channel.overdue.is_set(), process.killed) == (True, 1)
    assert all(thread.daemon for thread in channel._threads)


PLAN = {"limits": {"wall": 7.5}}


@rows(("most", "breaks"), [(1, None), (3, None), (99, None), (0, None), (3, 0), (3, 6)])
def test_what_is_sent_to_a_child_that_is_gone_is_lost_without_an_error(most, breaks):
    """The next read says that it is gone; to one that is there all is sent."""
    channel = object.__new__(Channel)
    channel._process = SimpleNamespace(stdin=Pipe(most, breaks))
    channel.send({"a": 1})
    whole = protocol.framed({"a": 1})
    assert channel._process.stdin.data == (whole if breaks is None else whole[:breaks])


class Stream:
    """What comes in pieces of a few bytes."""

    def __init__(self, data, most):
        self.data, self.most, self.ends = data, most, 0

    def read(self, count):
        """Some of it; an end is told once."""
        self.ends += not self.data
        assert self.ends < 2
        piece, self.data = self.data[: min(count, self.most)], self.data[min(count, self.most) :]
        return piece


@rows("most", [1, 2, 5, 99])
def test_so_many_bytes_are_read_whatever_pieces_they_come_in(most):
    """And no more; with less there is nothing."""
    stream = Stream(b"abcdefgh", most)
    assert protocol._exactly(stream, 5) == b"abcde"
    assert stream.data == b"fgh"
    with pytest.raises(EOFError):
        protocol._exactly(stream, 4)
    with pytest.raises(ValueError, match="NaN is sent as text"):
        protocol._no_constant("NaN")


def test_the_bounds_of_a_channel():
    """A frame that begins with a letter is text: of the letters, the space is the first."""
    assert protocol.GRACE == 3.0
    assert int.from_bytes(b" \0\0\0", "big") == protocol.TEXT


# -- a question


class FakeChannel:
    """A channel whose child says what it is told to."""

    made = None

    def __init__(self, python, plan, longest, output):
        self.given = (python, plan, longest, output)
        self.sent, self.closed = [], []
        self.overdue, self.too_much_printed = threading.Event(), threading.Event()
        if FakeChannel.printed:
            self.too_much_printed.set()
        type(self).made = self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.closed.append("left")

    def send(self, message):
        """Keep it."""
        self.sent.append(message)

    def expect_nothing(self):
        """Nothing came."""

    def receive(self):
        """Nothing of the cells, then one answer, then the end."""
        if len(self.sent) == 1:
            return {"cells": [], "checked": []}
        if len(self.sent) > 2:
            raise Gone
        return {"word": self.sent[-1]["word"], "value": 5}

    def close(self, patience=0.0):
        """The supervisor's report."""
        self.closed.append(patience)
        return {"status": 3, "wall": 0.25, "most": 1}


@pytest.mark.parametrize("printed", [False, True])
@pytest.mark.parametrize("cases", [1, 2])
@pytest.mark.parametrize("name", ["namespaces", "plain"])
def test_a_question_is_asked_in_one_message_and_its_child_may_end_by_itself(
    monkeypatch, tmp_path, printed, cases, name
):
    """Within half a second, if it is ending; in namespaces it needs no folder of this side."""
    FakeChannel.printed = printed
    monkeypatch.setattr(sandbox, "Channel", FakeChannel)
    monkeypatch.setattr(sandbox, "python", lambda: "python9")
    plans = []

    def plan_for(tier, packages, place):
        plans.append((tier.name, packages, place))
        return {"tier": tier.name}

    monkeypatch.setattr(sandbox, "plan_for", plan_for)
    monkeypatch.setattr(sandbox, "packages_in", lambda _tier, packages: dict.fromkeys(packages, 7))
    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(folders.tempfile, "mkdtemp", lambda prefix: made(tmp_path / f"{prefix}x"))
    limits = SandboxLimits(answer=7, output=9)
    replaced = [Replaced("g", (1, 2), ("g = 1",)), Replaced("h", (0,), (), [1])]
    outcome = sandbox.run_question(
        ["a", "b"],
        Call("f", True, "h = 1"),
        [Case(1)] * cases,
        limits,
        tier=tiers.Tier(name),
        packages=("numpy", "scipy"),
        stubs={"m": ("check",)},
        replaced=replaced,
    )
    channel = FakeChannel.made
    question = {
        "cells": ["a", "b"],
        "harness": "h = 1",
        "call": {"name": "f", "read": True},
        "answer": "f",
        "order": [1, 2],
        "checked": False,
        "stubs": {"m": ["check"]},
        "replaced": [
            {"name": "g", "after": (1, 2), "cells": ("g = 1",), "value": None},
            {"name": "h", "after": (0,), "cells": (), "value": [1]},
        ],
        "packages": {"numpy": 7, "scipy": 7},
    }
    assert channel.sent[0] == question
    plan = {"tier": name, "limits": vars(limits)}
    assert channel.given == ("python9", plan, 1 << 20, 9)
    ending = 0.5 if cases == 2 and not printed else 0.0
    assert channel.closed == [ending, "left"]
    place = "" if name == "namespaces" else str(tmp_path / f"{folders.PREFIX}x")
    assert plans == [(name, ("numpy", "scipy"), place)]
    assert not [*tmp_path.iterdir()]
    assert outcome.wall == 0.25
    given = [answer.value for answer in outcome.answers if answer.given]
    assert given == ([] if printed else [5])
    assert len(outcome.answers) == cases


def made(path):
    """A new folder."""
    path.mkdir()
    return str(path)


def test_a_question_may_have_longer_answers_another_name_and_an_order_of_its_own(monkeypatch):
    """The longest message is that of an answer, or of the cells; what is not given is the usual."""
    FakeChannel.printed = False
    monkeypatch.setattr(sandbox, "Channel", FakeChannel)
    monkeypatch.setattr(sandbox, "plan_for", lambda *_given: {})
    monkeypatch.setattr(sandbox, "packages_in", lambda *given: [*given])
    tier = tiers.Tier("namespaces")
    monkeypatch.setattr(sandbox, "_usual", lambda: tier)
    call = Call("f", answer="g", order=(2, 1), checked=True)
    sandbox.run_question(["a", "b", "c"], call, [], SandboxLimits(answer=1 << 21))
    sent = FakeChannel.made.sent[0]
    assert FakeChannel.made.given[2] == 1 << 21
    assert (sent["answer"], sent["order"], sent["checked"]) == ("g", [2, 1], True)
    assert (sent["packages"], sent["stubs"], sent["replaced"]) == ([tier, ("numpy",)], {}, [])
    assert sandbox.run_question([], call, []).tier is tier
    assert FakeChannel.made.given[1] == {"limits": vars(SandboxLimits())}

    def refuse(*_given):
        raise OSError("no more processes")

    monkeypatch.setattr(sandbox, "Channel", refuse)
    with pytest.raises(
        SandboxError, match=r"^a child of tier namespaces can't be started: no more"
    ):
        sandbox.run_question([], call, [])


# -- which tier holds here

HOLDS = {name: tiers.Tier(name).holds for name in tiers.NAMES}


def trials(monkeypatch, results):
    """The tiers by what comes of their trials: why each is refused, or an error that is raised."""
    tried = []

    def trial(tier):
        tried.append(str(tier.name) + bool(tier.unfiltered) * " unfiltered")
        result = results.get(tried[-1], "no")
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(sandbox, "_trial", trial)
    return tried


def test_the_tier_is_the_secure_one_or_the_one_that_is_asked_for(monkeypatch):
    """Where it does not work, nothing else stands in; what works here is named."""
    tried = trials(monkeypatch, {"namespaces": "", "user": ""})
    assert sandbox.tier_for() == tiers.Tier("namespaces")
    assert sandbox.tier_for("user") == tiers.Tier("user")
    assert tried == ["namespaces", "user"]
    with pytest.raises(InputError) as error:
        sandbox.tier_for("plain")
    assert str(error.value) == "tier 'plain' does not work here: no; choose another --tier"
    works = {"namespaces": SandboxError("no user namespaces")}
    secure = "students' code can't be isolated securely here: no user namespaces. "
    for more in ((), ("user",), ("plain",), ("user", "plain")):
        trials(monkeypatch, works | dict.fromkeys(more, ""))
        with pytest.raises(InputError) as error:
            sandbox.tier_for()
        choices = " or ".join(f"--tier {name} ({HOLDS[name]})" for name in more)
        go_on = f"To grade all the same, choose {choices}"
        if not more:
            go_on = (
                "Grade on Linux with user namespaces, or as a user who is not root with "
                "--tier plain"
            )
        assert str(error.value) == secure + go_on
    # For want of a filter a tier is tried again without, and says so.
    none = SandboxError("no filter of calls: x", no_filter="no filter of calls: x")
    tried = trials(monkeypatch, {"user": none, "user unfiltered": "", "plain": none})
    assert sandbox.tier_for("user") == tiers.Tier("user", "no filter of calls: x")
    assert tried == ["user", "user unfiltered"]
    with pytest.raises(InputError, match="'plain' does not work here: no; choose"):
        sandbox.tier_for("plain")
    assert tried[2:] == ["plain", "plain unfiltered"]
    tried = trials(monkeypatch, {"user": InputError("needs root")})
    with pytest.raises(InputError, match="'user' does not work here: needs root; choose"):
        sandbox.tier_for("user")
    assert tried == ["user"]


def test_other_systems_have_no_filter_or_no_fork(monkeypatch):
    """Without a fork nothing is tried; without Linux it is tried without a filter."""
    tried = trials(monkeypatch, {"plain unfiltered": ""})
    monkeypatch.setattr(sandbox, "sys", SimpleNamespace(platform="darwin"))
    tier, why = sandbox._tried("plain")
    assert (tier.unfiltered, why, tried) == (
        "no filter of system calls: only Linux has one",
        "",
        ["plain unfiltered"],
    )
    monkeypatch.setattr(sandbox, "os", SimpleNamespace())
    tier, why = sandbox._tried("plain")
    assert (tier.unfiltered, tried) == ("", ["plain unfiltered"])
    assert why == "this system has no fork; grade in a virtual machine or a container with Linux"


ERROR = Answer(error=Raised("OSError", "no such file"))
NONE = Answer(why="no 'trial' is defined", lack=NoValue.MISSING)


@rows(
    ("answer", "secure", "plain"),
    [
        (Answer(given=True, value=[]), "", ""),
        (Answer(given=True, value=["/"]), "the child could reach /", ""),
        (
            Answer(given=True, value=["files outside", "the network"]),
            "the child could reach files outside, the network",
            "",
        ),
        (Answer(given=True, value=5), "", ""),
        (ERROR, "no such file", "no such file"),
        (NONE, "no 'trial' is defined", "no 'trial' is defined"),
    ],
)
def test_a_tier_is_secure_if_its_child_reaches_nothing_that_it_must_not(answer, secure, plain):
    """The others may reach some; in no tier the trial itself may fail."""
    asked = []

    def run(cells, call, cases, *, tier):
        asked.append((cells, call, [case.packed for case in cases], tier.name))
        return SimpleNamespace(answers=(answer,))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "run_question", run)
        assert sandbox._trial(tiers.Tier("namespaces")) == secure
        assert sandbox._trial(tiers.Tier("user")) == plain
    packed = {"tuple": [sandbox.__file__]}
    assert asked == [
        ([sandbox._TRIAL], Call("trial"), [packed], name) for name in ("namespaces", "user")
    ]


# -- folders for a while


def test_folders_of_the_dead_are_removed_and_those_of_others_stay(tmp_path, monkeypatch):
    """What is locked, what another user has, a file, a link, and what has another name."""
    import fcntl

    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path))
    for name in ("dead", "locked", "others"):
        (tmp_path / f"{folders.PREFIX}{name}" / "inside").mkdir(parents=True)
    (tmp_path / "another-name").mkdir()
    (tmp_path / f"{folders.PREFIX}file").touch()
    (tmp_path / f"{folders.PREFIX}link").symlink_to(tmp_path / "another-name")
    handle = os.open(tmp_path / f"{folders.PREFIX}locked", os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    others = (tmp_path / f"{folders.PREFIX}others").stat().st_ino
    fstat = os.fstat
    real = SimpleNamespace(**{name: getattr(os, name) for name in ("open", "close", "O_RDONLY")})
    real.O_DIRECTORY, real.O_NOFOLLOW = os.O_DIRECTORY, os.O_NOFOLLOW
    ways = set()
    real.open = lambda path, how: (ways.add(how), os.open(path, how))[1]

    def owned(fd):
        found = fstat(fd)
        return SimpleNamespace(st_uid=2000 if found.st_ino == others else 1000)

    real.fstat = owned
    monkeypatch.setattr(folders, "os", real)
    before = opened()
    for user, left in ((3000, 3), (1000, 2), (0, 1)):
        real.geteuid = lambda user=user: user
        folders.clean_up.__wrapped__()
        there = {path.name.removeprefix(folders.PREFIX) for path in tmp_path.iterdir()}
        kept = {"another-name", "file", "link", "locked"}
        assert there == kept | ({"dead"} if left == 3 else set()) | (
            {"others"} if left > 1 else set()
        )
    assert opened() == before
    assert ways == {os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW}
    os.close(handle)
    folders.clean_up.__wrapped__()
    assert not (tmp_path / f"{folders.PREFIX}locked").exists()


def test_a_folder_that_can_not_be_looked_at_or_removed_holds_up_no_other(tmp_path, monkeypatch):
    """What is left of it is ignored."""
    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path))
    for name in "abc":
        (tmp_path / f"{folders.PREFIX}{name}").mkdir()
    asked, removed = [], []

    def look(path, how):
        asked.append(path)
        if len(asked) == 1:
            raise PermissionError
        return os.open(path, how)

    names = ("O_RDONLY", "O_DIRECTORY", "O_NOFOLLOW", "geteuid", "fstat", "close")
    fake = SimpleNamespace(open=look, **{name: getattr(os, name) for name in names})
    monkeypatch.setattr(folders, "os", fake)
    remove = lambda path, **options: removed.append((path, options))  # noqa: E731
    monkeypatch.setattr(folders.shutil, "rmtree", remove)
    folders.clean_up.__wrapped__()
    assert len(asked) == 3
    assert removed == [(path, {"ignore_errors": True}) for path in asked[1:]]
    monkeypatch.setattr(folders, "os", os)
    monkeypatch.setattr(folders, "clean_up", lambda: None)
    monkeypatch.setattr(folders.tempfile, "tempdir", str(tmp_path))
    removed.clear()
    with folders.folder() as path:
        pass
    assert removed == [(path, {"ignore_errors": True})]


def test_a_folder_is_locked_while_it_is_used_and_gone_after_it(tmp_path, monkeypatch):
    """One that another process has removed before it was locked is made anew."""
    import fcntl

    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(folders.tempfile, "tempdir", str(tmp_path))
    cleaned = []
    monkeypatch.setattr(folders, "clean_up", lambda: cleaned.append(1))
    lock = folders._lock
    locks = []

    def too_late(handle, *, wait):
        locks.append(wait)
        if len(locks) < 3:
            [path] = tmp_path.iterdir()
            path.rmdir()
            if len(locks) == 2:  # and a third process has made one of the same name
                path.mkdir()
        return lock(handle, wait=wait)

    monkeypatch.setattr(folders, "_lock", too_late)
    before = opened()
    with folders.folder() as path:
        assert path.name.startswith("irmetrics-edu-run-")
        (path / "inside").mkdir()
        other = os.open(path, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        assert lock(other, wait=False) is False
    assert (locks, cleaned) == ([True] * 3, [1])
    assert not path.exists()
    assert lock(other, wait=False) is True
    os.close(other)
    assert opened() == before


def test_a_lock_that_must_be_had_is_waited_for(monkeypatch):
    """Another is tried at once."""
    import fcntl

    asked = []
    monkeypatch.setattr(fcntl, "flock", lambda *given: asked.append(given))
    for wait in (True, False):
        assert folders._lock(7, wait=wait) is True
    assert asked == [(7, fcntl.LOCK_EX), (7, fcntl.LOCK_EX | fcntl.LOCK_NB)]
