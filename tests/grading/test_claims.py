"""What the page says of each tier, tried line by line in each tier that this machine allows."""

import contextlib
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.grading import tiers
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.sandbox import Call, Case, run_question
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the page is about Linux")

ROOT = Path(__file__).resolve().parents[2]
WHOLE = (ROOT / "docs" / "sandbox.md").read_text(encoding="utf-8")
MODEL = WHOLE.partition("\n## The threat model")[2].partition("\n## ")[0]
PAGE = WHOLE.partition("\n## What the code can reach")[2].partition("\n## System calls")[0]
# Each line of the page's table, and the attempt that shows it: it gives True if it worked.
ATTEMPTS = {
    "read a file that everybody may read, such as your solutions":
        "open(given['open']).read() == 'open'",
    "read a file that only you may read": "open(given['closed']).read() == 'closed'",
    "change your files, such as the results": "open(given['closed'], 'a').write('') == 0",
    "write a file that outlives it, in `/tmp`": "open(given['left'], 'w').write('x') == 1",
    "see which programs run": "os.path.exists(f\"/proc/{given['pid']}\")",
    "send a signal to another program of yours": "os.kill(given['pid'], 10) is None",
    "use the network": "bool(socket.create_connection(('127.0.0.1', given['port']), 2))",
    "use the network, where system calls are not filtered":
        "bool(socket.create_connection(('127.0.0.1', given['port']), 2))",
    "start processes that stay behind": "behind(given['mark'])",
    "hold memory beyond the limit": "held(4 << 20)",
    "hold memory beyond the limit, where system calls are not filtered": "held(4 << 20)",
    "hold memory in files, in `/dev/shm`": "in_file('/dev/shm/' + given['mark'])",
}  # fmt: skip
PROBE = """
import ctypes, mmap, os, socket, time

def held(size):
    # In a file without a name, and in pages that the process has let go of.
    fd = os.memfd_create("x")
    os.truncate(fd, size)
    mmap.mmap(-1, size).madvise(mmap.MADV_DONTNEED)
    return os.fstat(fd).st_size == size

def in_file(name):
    with open(name, "wb") as file:
        os.remove(name)
        return file.write(b"x") == 1

def behind(mark):
    if os.fork() == 0:
        os.setsid()
        ctypes.CDLL(None).prctl(15, mark.encode(), 0, 0, 0)
        time.sleep(30)
    time.sleep(0.2)
    return False

def f(what, given):
    try:
        return bool(eval(what))
    except OSError as error:
        return False
"""


def table():
    """The page's table: by line and tier, whether it says yes."""
    head, _, *lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if line.startswith("|")
    ]
    assert tuple(head[1:]) == tiers.NAMES
    return {line[0]: dict(zip(head[1:], line[1:], strict=True)) for line in lines}


@pytest.fixture
def given():
    """What is within reach or not: files open and closed, a program, a server."""
    folder = Path(tempfile.mkdtemp(prefix="claims-"))
    folder.chmod(0o755)
    for name, mode in (("open", 0o644), ("closed", 0o600)):
        (folder / name).write_text(name)
        (folder / name).chmod(mode)
    program = subprocess.Popen(["/bin/sleep", "60"])
    server = socket.create_server(("127.0.0.1", 0))
    left = Path(f"/tmp/{folder.name}-left")  # noqa: S108 -- what the page names
    try:
        yield {
            "open": str(folder / "open"), "closed": str(folder / "closed"), "left": str(left),
            "pid": program.pid, "port": server.getsockname()[1], "mark": f"m{secrets.token_hex(6)}",
        }  # fmt: skip
    finally:
        server.close()
        program.kill()
        program.wait()
        shutil.rmtree(folder)
        left.unlink(missing_ok=True)


@pytest.mark.parametrize("line", ATTEMPTS)
def test_the_page_is_true(line, tier, given):
    """Tried from inside; what would stay behind is looked for from outside."""
    if "not filtered" in line:
        tier = tiers.Tier(tier.name, unfiltered="left out by a test")
    case = Case(ATTEMPTS[line], given)
    [answer] = run_question([PROBE], Call("f"), [case], SandboxLimits(), tier=tier).answers
    worked = answer.value
    if "outlives" in line:
        worked = Path(given["left"]).exists()
    if "stay behind" in line:
        worked = called(given["mark"])
    assert answer.given, answer
    assert ("yes" if worked else "no") == table()[line][tier.name]


def called(mark):
    """Whether a process of this name is there."""
    for path in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            if path.read_text().strip() == mark:
                return True
    return False


def test_every_line_of_the_page_is_tried():
    """Neither a claim without an attempt nor an attempt without a claim."""
    assert set(table()) == set(ATTEMPTS)


def test_what_is_printed_says_the_same():
    """The sentence of each tier claims what the table has, and no more."""
    said = {name: tiers.named(name).holds for name in tiers.NAMES}
    lines = table()
    for name, words in said.items():
        assert "no network" in words
        assert lines["use the network"][name] == "no"
        unfiltered = tiers.Tier(name, unfiltered="no filter of system calls: x").holds
        reaches = lines["use the network, where system calls are not filtered"][name] == "yes"
        assert ("it has the network" in unfiltered) == reaches
    assert "only the files it needs" in said["namespaces"]
    assert "it can't write files of others" in said["user"]
    assert "can read what everybody may read, such as a course key" in said["user"]
    assert "can read and write whatever the person who grades can" in said["plain"]


def test_the_help_says_which_one_is_secure(capsys):
    """`grade --help` names the tiers, and calls one of them secure; the page does, too."""
    with pytest.raises(SystemExit):
        main(["grade", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "namespaces, the secure tier" in said
    assert [n for n in tiers.NAMES if tiers.named(n).secure] == ["namespaces"]
    assert "only tier that we call secure" in PAGE


def test_each_test_that_the_page_names_is_there():
    """Every danger is tried by a test, and what the page names is found."""
    held = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        held |= set(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    named = re.findall(r"`(test_\w+)`", WHOLE)
    assert [name for name in named if name not in held] == []
    files = re.findall(r"`(tests/[\w/.]+)`", WHOLE)
    assert [name for name in files if not (ROOT / name).exists()] == []
    dangers = MODEL.partition("| danger |")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(dangers) > 9
    assert [line for line in dangers if "`test_" not in line] == []


def test_what_the_page_says_is_left_open_is_so(namespaces):
    """The machine can be looked at, and the limits are those that are named."""
    cell = (
        "import os, sys, time, numpy\n"
        "def f():\n"
        "    machine = os.uname()\n"
        "    return machine.release, machine.machine, sys.version, numpy.__version__, time.time()"
    )
    [answer] = run_question([cell], Call("f"), [Case()], tier=namespaces).answers
    release, machine, version, package, now = answer.value
    assert (release, machine) == (os.uname().release, os.uname().machine)
    assert (version, package) == (sys.version, np.__version__)
    assert abs(now - time.time()) < 60
    limits = SandboxLimits()
    said = " ".join(MODEL.split())
    assert (
        f"{limits.cpu:g} seconds of the processor, {limits.wall:g} seconds by the clock and "
        f"{limits.memory >> 20} MiB of memory"
    ) in said


def test_what_the_page_says_of_root_is_so(monkeypatch, tmp_path, tier):
    """The tier user needs root and plain refuses it; in no tier has the code root's rights."""
    folder = str(tmp_path)
    monkeypatch.setattr(tiers, "is_root", lambda: False)
    assert tiers.plan_for(tiers.named("namespaces"), [], folder)["root"] is False
    assert tiers.plan_for(tiers.named("plain"), [], folder)["uid"] is None
    with pytest.raises(InputError, match="needs root"):
        tiers.plan_for(tiers.named("user"), [], folder)
    monkeypatch.setattr(tiers, "is_root", lambda: True)
    assert tiers.plan_for(tiers.named("namespaces"), [], folder)["root"] is True
    with pytest.raises(InputError, match="grade as another user"):
        tiers.plan_for(tiers.named("plain"), [], folder)
    monkeypatch.undo()
    if tier.name == "plain":
        return
    cell = "import os\ndef f():\n    return os.getuid(), os.geteuid()"
    [answer] = run_question([cell], Call("f"), [Case()], tier=tier).answers
    assert 0 not in answer.value


def test_a_source_runs_with_the_teachers_rights(tmp_path):
    """As the page says of what is trusted: the spec is a program, and it is run as one."""
    path = tmp_path / "20_first.py"
    written = tmp_path / "written"
    path.write_text(f'# %% tags=["spec"]\nopen({str(written)!r}, "w").close()\n')
    with pytest.raises(InputError, match="makes `spec`"):
        read(path)
    assert written.exists()


def test_a_question_takes_no_weaker_tier_by_itself(monkeypatch):
    """As the command: without the secure tier nothing runs, and the message says what to choose."""
    from irmetrics_edu.classroom.grading import sandbox

    real = sandbox._trial
    monkeypatch.setattr(
        sandbox, "_trial",
        lambda tier: "unshare: Operation not permitted" if tier.secure else real(tier),
    )  # fmt: skip
    monkeypatch.setattr(tiers, "is_root", lambda: False)
    sandbox._usual.cache_clear()
    try:
        with pytest.raises(InputError, match="--tier plain"):
            run_question(["x = 1"], Call("x", read=True), [Case()])
    finally:
        sandbox._usual.cache_clear()
    assert (
        run_question(["x = 1"], Call("x", read=True), [Case()], tier=tiers.named("plain"))
        .answers[0]
        .given
    )
