"""The supervisor of a child: it isolates and watches it, ends its processes, and reports.

A fresh interpreter gets the source of this file together with `values`, `child`, `confinement` and
`syscalls`. It needs only these and the standard library. The student's code runs in a process
forked from the supervisor. The supervisor itself stays outside, reads nothing that the child
writes, and knows nothing about the question.
"""

import contextlib
import json
import os
import re
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from irmetrics_edu.classroom.grading.child import preload, read_frame, serve
from irmetrics_edu.classroom.grading.confinement import (
    NEW_NAMESPACES,
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    STUDENT,
    RefusedStep,
    call,
    die_with_parent,
    drop_privileges,
    forbid_nested_namespaces,
    map_users,
    new_root,
    own_count_of_processes,
    prctl,
    set_limits,
)
from irmetrics_edu.classroom.grading.syscalls import NoFilter, filter_calls

TICK = 0.02
SIGNALLED = 128
UMASK = 0o022  # of students' code, whatever the teacher's: folders of the new root are for all
LONGEST_REFUSAL = 300  # letters; written as JSON, they fit into one write to a pipe
HELD = re.compile(rb"Vm(?:RSS|Swap):\s*(\d+) kB")


def keep(report: int) -> NoReturn:
    """Read the plan, run the child under it, and write the outcome to `report`."""
    plan = read_frame(0)
    os.umask(UMASK)
    linux = sys.platform == "linux"
    if linux:
        die_with_parent()
        prctl(PR_SET_CHILD_SUBREAPER, 1)
    began = time.monotonic()
    refused, refusals = os.pipe()
    starts = {"namespaces": _in_namespaces, "user": _plainly, "plain": _plainly}
    outcome: dict[str, Any] = {"limit": "", "status": 0, "refused": "", "no_filter": False}
    try:
        first = starts[plan["tier"]](plan, report, refusals)
    except RefusedStep as error:
        outcome |= _refusal(error)
    else:
        stopped: list[int] = []
        signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
        os.close(refusals)
        for fd in (0, 1):
            os.close(fd)
        outcome.update(
            _watch(
                first,
                plan,
                stopped,
                linux=linux,
            )
        )
        _end_all(plan, first)
        outcome |= _told(refused)
    times = os.times()
    outcome["cpu"] = max(outcome.get("cpu", 0.0), times.children_user + times.children_system)
    outcome["wall"] = time.monotonic() - began
    os.write(report, json.dumps(outcome).encode())
    os._exit(0)


# -- steps that the system refused


def _refusal(error: Exception) -> dict[str, Any]:
    """What is reported of a refused step: what it was, and whether it was the filter of calls."""
    return {"refused": str(error)[:LONGEST_REFUSAL], "no_filter": isinstance(error, NoFilter)}


def _tell(refusals: int, error: Exception) -> None:
    """Tell the supervisor of a refused step, in a line that one write holds."""
    line = json.dumps(_refusal(error)) + "\n"
    os.write(refusals, line.encode())


def _told(refused: int) -> dict[str, Any]:
    """The refused step that a process told of first; nothing if none did."""
    for line in os.read(refused, select.PIPE_BUF).splitlines():
        first: dict[str, Any] = json.loads(line)
        return first
    return {}


# -- starting the child


def _plainly(plan: Mapping[str, Any], _report: int, refusals: int) -> int:
    pid = os.fork()
    if pid != 0:
        return pid
    try:
        os.setsid()
        if sys.platform == "linux":
            die_with_parent()
        set_limits(plan["limits"], own_count=plan["tier"] == "user")
        if sys.platform == "linux":
            drop_privileges(plan["uid"])
            die_with_parent()  # a change of user forgets it
        os.chdir(plan["folder"])
        if plan["filtered"]:
            filter_calls()
    except (RefusedStep, OSError, ValueError) as error:
        _tell(refusals, error)
        os._exit(0)
    return become_child()


def become_child() -> NoReturn:
    """Move the channels away from standard input and output, and run the child."""
    try:
        os.closerange(3, 256)
        source = os.dup(0)
        sink = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        os.close(nothing)
        sys.argv[:] = [""]
        for name in list(sys.modules):
            if name.startswith("irmetrics_edu"):
                del sys.modules[name]
        serve(source, sink)
    except OSError as error:  # nobody above may tell of it: what they write to is another file now
        sys.stderr.write(f"{error}\n")
        os._exit(1)


def _in_namespaces(plan: Mapping[str, Any], report: int, refusals: int) -> int:
    """Fork once to enter the namespaces, and once more to be their first process."""
    mapped, go_on = os.pipe()
    unshared, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        for fd in (go_on, unshared):
            os.close(fd)
        status = 0
        try:
            die_with_parent()
            call("unshare", NEW_NAMESPACES)
            os.write(tell, b"u")
            if not os.read(mapped, 1):
                os._exit(0)
            forbid_nested_namespaces()
            for fd in (mapped, tell):
                os.close(fd)
            inside = os.fork()
            if inside == 0:
                _first_inside(plan, report, refusals)
            for fd in (0, 1, 2, report, refusals):
                os.close(fd)
            status = os.waitstatus_to_exitcode(os.waitpid(inside, 0)[1])
        except (RefusedStep, OSError) as error:
            with contextlib.suppress(OSError):
                _tell(refusals, error)
        os._exit(status if status >= 0 else SIGNALLED - status)
    for fd in (mapped, tell):
        os.close(fd)
    try:
        if os.read(unshared, 1):
            map_users(pid, root=plan["root"])
            os.write(go_on, b"g")
    finally:
        os.close(go_on)
        os.close(unshared)
    return pid


def _first_inside(plan: Mapping[str, Any], report: int, refusals: int) -> NoReturn:
    """Process 1 of the namespace: when it ends, the kernel ends all processes inside."""
    try:
        os.close(report)
        die_with_parent()
        prctl(PR_SET_DUMPABLE)
        call("sethostname", "child", 5)
        new_root(plan["binds"], plan["masks"], int(plan["limits"]["file"]))
        pid = os.fork()
        if pid == 0:
            try:
                set_limits(plan["limits"], own_count=own_count_of_processes())
                drop_privileges(STUDENT)
                os.setsid()
                if plan["filtered"]:
                    filter_calls()
            except (RefusedStep, OSError, ValueError) as error:
                _tell(refusals, error)
                os._exit(0)
            become_child()
    except (RefusedStep, OSError) as error:
        _tell(refusals, error)
        os._exit(0)
    for fd in (0, 1, 2, refusals):
        os.close(fd)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    while True:
        ended, status = os.wait()
        if ended == pid:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else SIGNALLED - code)


# -- watching it


def _watch(
    first: int,
    plan: Mapping[str, Any],
    stopped: list[int],
    *,
    linux: bool,
) -> dict[str, Any]:
    """Wait for the child to end, to be stopped, or for all its processes to exceed a limit."""
    limits = plan["limits"]
    # Two processes of the supervisor's stand between it and the namespaces' child.
    ours = 2 if plan["tier"] == "namespaces" else 0
    began = time.monotonic()
    handle = os.pidfd_open(first) if hasattr(os, "pidfd_open") else None
    used = 0.0
    most = 0
    while True:
        ended, status = os.waitpid(first, os.WNOHANG)
        if ended:
            return {"status": os.waitstatus_to_exitcode(status), "cpu": used, "most": most}
        limit = "wall" if time.monotonic() - began > limits["wall"] else ""
        if linux:
            count, seconds, held = _usage()
            used = max(used, seconds)
            most = max(most, count - ours)
            limit = _exceeded(limits, most, seconds, held) or limit
        if limit or stopped:
            return {"limit": limit, "cpu": used, "most": most}
        if handle is not None:
            select.select([handle], [], [], TICK)
        else:
            time.sleep(TICK)


def _exceeded(
    limits: Mapping[str, float],
    most: int,
    seconds: float,
    held: int,
) -> str:
    """The limit that all processes together exceed; "" if none."""
    if most > limits["processes"]:
        return "processes"
    if seconds > limits["cpu"]:
        return "cpu"
    return "memory" if held > limits["memory"] else ""


def _usage() -> tuple[int, float, int]:
    """Threads, processor seconds and bytes of memory of all our descendant processes."""
    ticks = os.sysconf("SC_CLK_TCK")
    threads = 0
    seconds = 0.0
    held = 0
    for pid in descendants(os.getpid()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        threads += int(fields[17])
        # Its own time and that of the children it has waited for.
        seconds += sum(map(int, fields[11:15])) / ticks
        held += _held(pid)
    return threads, seconds, held


def _held(pid: int) -> int:
    """Bytes of a process, resident or swapped out.

    Of a process whose first thread has ended, only the other threads tell.
    """
    for status in _of_threads(pid, "status"):
        if kilobytes := sum(map(int, HELD.findall(status))):
            return kilobytes * 1024
    return 0


def _of_threads(pid: int, name: str) -> Iterator[bytes]:
    """A file of every thread of a process; the process, or a thread, may end at any moment."""
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                yield (thread / name).read_bytes()


def descendants(pid: int) -> list[int]:
    """The descendants of a process, as the kernel lists them."""
    pids: list[int] = []
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        for listed in _of_threads(parent, "children"):
            children = [int(child) for child in listed.split()]
            pids += children
            waiting += children
    return pids


# -- ending it


def _end_all(plan: Mapping[str, Any], first: int) -> None:
    """End the whole tree, until this process has no descendants left."""
    for _ in range(200):
        if plan["tier"] == "user":
            _end_user(plan["uid"])
        elif sys.platform == "linux":
            for pid in descendants(os.getpid()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(first, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _end_user(uid: int) -> None:
    """End all processes of a user that belongs to this child alone, however fast they multiply."""
    pid = os.fork()
    if pid == 0:
        os.setresuid(uid, uid, uid)
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        os._exit(0)
    os.waitpid(pid, 0)


# -- what a fresh interpreter does


def serve_forks(channel: int) -> NoReturn:
    """Fork a supervisor for each set of channels it receives, until the other side is gone.

    Slow imports happen here, once.
    """
    preload(read_frame(0))
    line = socket.socket(fileno=channel)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    while True:
        word, ends, _, _ = socket.recv_fds(line, 1, 4)
        if not word:
            os._exit(0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        pid = os.fork()
        if pid == 0:
            line.close()
            os.close(nothing)
            os.setsid()
            for place, fd in enumerate(ends[:3]):
                os.dup2(fd, place)
                os.close(fd)
            keep(ends[3])
        for fd in ends:
            os.close(fd)
        line.sendall(pid.to_bytes(8, "big"))
