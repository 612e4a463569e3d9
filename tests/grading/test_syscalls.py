"""The filter of system calls: what no answer needs fails, and what answers need works."""

import ctypes
import ctypes.util
import inspect
import itertools
import os
import re
import struct
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.grading import (
    cell_runner,
    confinement,
    protocol,
    sandbox,
    supervisor,
    syscalls,
    tiers,
)
from irmetrics_edu.classroom.grading.confinement import RefusedStep
from irmetrics_edu.classroom.grading.sandbox import Call, Case, run_question
from irmetrics_edu.classroom.grading.syscalls import NoFilter

# Each call by its C function, or by its number on both machines for those that have none.
CALLS = {
    "socket": "libc.socket(2, 1, 0)",
    "socket by name": "libc.socket(1, 1, 0)",
    "ptrace": "libc.ptrace(16, other, None, None)",
    "mount": "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)",
    "umount2": "libc.umount2(b'/tmp', 2)",
    "unshare": "libc.unshare(0x10000000)",
    "setns": "libc.setns(0, 0)",
    "chroot": "libc.chroot(b'/tmp')",
    "process_vm_readv": "libc.process_vm_readv(other, None, 0, None, 0, 0)",
    "process_vm_writev": "libc.process_vm_writev(other, None, 0, None, 0, 0)",
    "kill of another": "libc.kill(other, 0)",
    "kill of all": "libc.kill(-1, 0)",
    "reboot": "libc.reboot(0)",
    "sethostname": "libc.sethostname(b'x', 1)",
    "acct": "libc.acct(None)",
    "name_to_handle_at": "libc.name_to_handle_at(0, b'/', buffer, buffer, 0)",
    "keyctl": "libc.syscall(numbers['keyctl'], 0, -3, 0, 0, 0)",
    "add_key": "libc.syscall(numbers['add_key'], 0, 0, 0, 0, 0)",
    "bpf": "libc.syscall(numbers['bpf'], 0, None, 0)",
    "perf_event_open": "libc.syscall(numbers['perf_event_open'], None, 0, 0, 0, 0)",
    "userfaultfd": "libc.syscall(numbers['userfaultfd'], 0)",
    "io_uring_setup": "libc.syscall(425, 1, None)",
    "pidfd_open": "libc.syscall(434, other, 0)",
    "fsopen": "libc.syscall(430, b'tmpfs', 0)",
    # Memory that is in no address space, so that no limit sees it.
    "memfd_create": "libc.syscall(numbers['memfd_create'], b'x', 0)",
    "memfd_secret": "libc.syscall(447, 0)",
    "shared memory by number": "libc.shmget(0, 1 << 26, 0o1600)",
    "shared memory by number, attached": "libc.shmat(0, None, 0)",
    "queue of messages": "libc.msgget(0, 0o1600)",
    "queue of messages by name": "libc.syscall(numbers['mq_open'], b'x', 0o102, 0o600, None)",
    "semaphores": "libc.semget(0, 30_000, 0o1600)",
    "shared memory without a file": "libc.mmap(None, 1 << 26, 3, 0x21, -1, 0)",
    "shared memory, checked": "libc.mmap(None, 1 << 26, 3, 0x23, -1, 0)",
    "huge pages": "libc.mmap(None, 1 << 21, 3, 0x40022, -1, 0)",
    "passing descriptors": "libc.sendmsg(-1, None, 0)",
    "passing descriptors, many": "libc.sendmmsg(-1, None, 0, 0)",
    "taking descriptors": "libc.recvmsg(-1, None, 0)",
    "taking descriptors, many": "libc.recvmmsg(-1, None, 0, 0, None)",
    "a bigger buffer of a socket": "libc.setsockopt(-1, 1, 7, None, 0)",
    "a bigger pipe": "libc.fcntl(1, 1031, 1 << 20)",
    "pages into a pipe": "libc.vmsplice(-1, None, 0, 0)",
    "pages of a file into a pipe": "libc.splice(-1, None, -1, None, 0, 0)",
    "pages of a file into a pipe, sent": "libc.sendfile(-1, -1, None, 0)",
    "pages from pipe to pipe": "libc.tee(-1, -1, 0, 0)",
    "io_uring_enter": "libc.syscall(426, 0, 0, 0, 0, None)",
    "io_uring_register": "libc.syscall(427, 0, 0, None, 0)",
    "watches": "libc.inotify_add_watch(-1, b'/', 1)",
    "a call of a later kernel": "libc.syscall(451, 0, 0, 0, 0)",
    # Were it let through, it would fail for another reason: these two flags exclude one another.
    "clone with namespaces": "libc.syscall(numbers['clone'], 0x10000000 | 0x200, 0, 0, 0, 0)",
}
# Of Linux's unistd.h: x86_64, and the generic table that aarch64 has.
NUMBERS = {
    "x86_64": {"keyctl": 250, "add_key": 248, "bpf": 321, "perf_event_open": 298,
               "userfaultfd": 323, "clone": 56, "memfd_create": 319, "mq_open": 240},
    "aarch64": {"keyctl": 219, "add_key": 217, "bpf": 280, "perf_event_open": 241,
                "userfaultfd": 282, "clone": 220, "memfd_create": 279, "mq_open": 180},
}  # fmt: skip
TRY = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def f(calls, numbers, other):
    got = {}
    buffer = ctypes.create_string_buffer(256)
    for name, call in calls.items():
        ctypes.set_errno(0)
        failed = eval(call) == -1
        got[name] = ctypes.get_errno() if failed else "done"
    return got
"""
EPERM, ENOSYS = 1, 38


def tried(tier):
    """What each call came to in a child: the number of its error."""
    numbers = NUMBERS[os.uname().machine]
    # A process that is there in every tier, and belongs to the child's own user in none but plain.
    [answer] = run_question([TRY], Call("f"), [Case(CALLS, numbers, 1)], tier=tier).answers
    return answer.value


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has such a filter")
def test_what_no_answer_needs_fails(tier):
    """Every forbidden call is refused by the filter: also those that nothing else refuses."""
    found = tried(tier)
    assert found.pop("a call of a later kernel") == ENOSYS
    assert found == dict.fromkeys(found, EPERM)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has such a filter")
def test_without_the_filter_some_of_it_can_be_done(tier):
    """The test above can fail: unfiltered, a socket can be made in every tier."""
    found = tried(tiers.Tier(tier.name, unfiltered="left out by a test"))
    assert found["socket"] == "done"
    assert found["memfd_create"] == found["shared memory without a file"] == "done"
    assert found["a call of a later kernel"] != ENOSYS or found["pidfd_open"] != EPERM


WORK = """
import asyncio, ctypes, math, mmap, os, shutil, signal, subprocess, tempfile, threading
from concurrent.futures import ThreadPoolExecutor
import numpy as np

def f(n):
    a = np.random.default_rng(1).normal(size=(n, n))
    found = [bool(np.allclose(np.linalg.inv(a) @ a, np.eye(n)))]
    with ThreadPoolExecutor(2) as pool:
        found.append(sum(pool.map(abs, [-1, 2, -3])))
    async def later():
        await asyncio.sleep(0)
        return 7
    found.append(asyncio.run(later()))
    with tempfile.TemporaryDirectory() as folder:
        a = np.lib.format.open_memmap(folder + "/a", "w+", shape=(3,))
        a[:] = 4
        a.flush()
        shutil.copyfile(folder + "/a", folder + "/b")
        found.append(float(np.load(folder + "/b", mmap_mode="r").sum()))
    with mmap.mmap(-1, 9, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as own:
        own[:3] = b"abc"
    found.append(ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 8)())
    pid = os.fork()
    if pid == 0:
        os._exit(5)
    found.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    heard = []
    signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.raise_signal(signal.SIGUSR1)
    found.append(len(heard))
    return found
"""


def test_ordinary_answers_work(tier):
    """Linear algebra, threads, an event loop, mapped files, a process, a signal to itself."""
    [answer] = run_question([WORK], Call("f"), [Case(20)], tier=tier).answers
    assert answer.value == [True, 6, 7, 12.0, 8, 5, 2], answer


def test_it_stays_on_in_what_the_child_starts(tier):
    """A process that the student's code starts has the filter too, and no one takes it off."""
    cell = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def f():
    libc.prctl(22, 0, 0, 0, 0)
    pid = os.fork()
    if pid == 0:
        os._exit(1 if libc.socket(2, 1, 0) != -1 else 0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""
    assert run_question([cell], Call("f"), [Case()], tier=tier).answers[0].value == 0


def simulated(code, machine, number, *arguments):
    """What a program of the filter returns: a plain interpreter of the five instructions."""
    lines = [struct.unpack("HBBI", code[i : i + 8]) for i in range(0, len(code), 8)]
    given = [*arguments, *[0] * (6 - len(arguments))]
    data = {0: number, 4: machine, **{16 + 8 * i: value for i, value in enumerate(given)}}
    at = loaded = 0
    for _ in range(10_000):
        what, true, false, k = lines[at]
        at += 1
        if what == 0x20:
            loaded = data[k]
        elif what == 0x06:
            return k
        else:
            holds = {0x15: loaded == k, 0x25: loaded > k, 0x45: bool(loaded & k)}[what]
            at += true if holds else false
    raise AssertionError("no end")


ARM = 0xC00000B7
ALLOW, NO, UNKNOWN, END = 0x7FFF0000, 0x50001, 0x50026, 0x80000000


@pytest.mark.parametrize(
    ("number", "given", "wanted"),
    [
        (198, 0, NO),  # socket
        (117, 0, NO),  # ptrace
        (129, 7, ALLOW),  # kill, of itself
        (129, 8, NO),  # kill, of another
        (131, 7, ALLOW),  # tgkill
        (131, 1, NO),
        (220, 0x11, ALLOW),  # clone, as fork calls it
        (220, 0x3D0F00, ALLOW),  # clone, as threads are started
        (220, 0x10000011, NO),  # clone, with a user namespace
        (435, 0, UNKNOWN),  # clone3
        (450, 0, ALLOW),
        (451, 0, UNKNOWN),
        (63, 0, ALLOW),  # read
        (199, 0, ALLOW),  # socketpair
        (206, 0, ALLOW),  # sendto
        *((n, 0, NO) for n in (211, 212, 243, 269, 208)),  # messages, options of a socket
        *((n, 0, NO) for n in (279, 447, 75, 76, 77, 71, 27)),  # memfd, splice, inotify
        *((n, 0, NO) for n in (194, 196, 186, 190, 180)),  # shared memory, queues, semaphores
        *((n, 0, NO) for n in (282, 425, 426, 427, 443)),  # userfaultfd, io_uring, quotactl_fd
        (25, (3, 1031), NO),  # fcntl, the size of a pipe
        (25, (1031, 3), ALLOW),  # fcntl, flags of a file
        (222, (0, 9, 3, 0x22), ALLOW),  # mmap, private
        (222, (0, 9, 3, 0x01), ALLOW),  # of a file, shared
        (222, (0, 9, 3, 0x21), NO),  # of no file, shared
        (222, (0, 9, 3, 0x23), NO),
        (222, (0, 9, 3, 0x40022), NO),  # huge pages
    ],
)
def test_the_program_for_aarch64(number, given, wanted):
    """The numbers of the other machine, run by an interpreter of the test's own."""
    code = syscalls.program("aarch64", 7)
    given = given if isinstance(given, tuple) else (given,)
    assert simulated(code, ARM, number, *given) == wanted
    assert simulated(code, 0xC000003E, number, *given) == END


PID = 7
NAMESPACES = [1 << bit for bit in (17, 25, 26, 27, 28, 29, 30)]  # CLONE_NEW* of linux/sched.h
SHARED, PRIVATE, ANONYMOUS, HUGE = 1, 2, 0x20, 0x40000  # of linux/mman.h


def expected_of(name, given):
    """What is returned for a call by its name, as the page of the sandbox has it."""
    if name in syscalls._REFUSED:
        return NO
    if name == "clone3":
        return UNKNOWN
    if name in {"kill", "tgkill"}:
        return ALLOW if given[0] == PID else NO
    if name == "clone":
        return NO if any(given[0] & flag for flag in NAMESPACES) else ALLOW
    if name == "fcntl":
        return NO if given[1] == 1031 else ALLOW
    if name == "mmap":
        of_no_file = given[3] & ANONYMOUS and given[3] & SHARED
        return NO if of_no_file or given[3] & HUGE else ALLOW
    return ALLOW


# Arguments on which the calls that are looked at differ.
GIVEN = {
    "kill": [(PID,), (PID - 1,), (PID + 1,), (0,), (2**32 - 1,), (1, PID)],
    "tgkill": [(PID,), (PID + 1,), (1, PID)],
    "clone": [(1 << bit,) for bit in range(32)] + [(0x7D0F00,), (0, 1 << 28)],
    "fcntl": [(3, 1030), (3, 1031), (3, 1032), (1031, 3), (3, 3, 1031)],
    "mmap": [
        (0, 9, 3, sum(flags))
        for flags in itertools.product((0, SHARED), (0, PRIVATE), (0, ANONYMOUS), (0, HUGE))
    ]
    + [(0x21, 9, 0x21, 2, 0x21)],
}


@pytest.mark.parametrize(("machine", "audited"), [("x86_64", 0xC000003E), ("aarch64", ARM)])
def test_each_call_of_a_machine_is_let_through_or_refused_as_it_should_be(machine, audited):
    """Every number of the table with all arguments that matter, and what is beyond the table."""
    code = syscalls.program(machine, PID)
    column = {"x86_64": 0, "aarch64": 1}[machine]
    names = {numbers[column]: name for name, numbers in ALL_CALLS.items()}
    for number in range(451):
        name = names.get(number, "")
        for given in GIVEN.get(name, [(), (PID, 1031, 0, 0x21)]):
            found = simulated(code, audited, number, *given)
            assert found == expected_of(name, given), (name, number, given)
    for number in (451, 452, 0x3FFFFFFF):
        assert simulated(code, audited, number) == UNKNOWN
    for number in (0x40000000, 0x40000000 + 41, 0xFFFFFFFF):
        assert simulated(code, audited, number) == NO
    for other in (0xC000003E, ARM, 0x40000003, 0):
        if other != audited:
            assert simulated(code, other, 0) == END


def test_a_line_of_the_program_has_places_to_go_to_only_if_it_asks():
    """And each is within the program, whose last line lets through."""
    code = syscalls.program("x86_64", PID)
    lines = [struct.unpack("HBBI", code[i : i + 8]) for i in range(0, len(code), 8)]
    for at, (what, true, false, _) in enumerate(lines):
        if what in {0x20, 0x06}:
            assert (true, false) == (0, 0)
        else:
            assert at + 1 + max(true, false) < len(lines)
            assert true != false
    assert lines[-1] == (0x06, 0, 0, ALLOW)


def test_the_filter_is_given_to_the_kernel_or_it_is_said_why_not(monkeypatch):
    """For this process, by its number; as many lines as the program has."""
    asked = []

    def prctl(*given):
        asked.append(given)
        return -1 if len(asked) > 1 else 0

    monkeypatch.setattr(syscalls, "libc", lambda: SimpleNamespace(prctl=prctl))
    fake = SimpleNamespace(
        uname=lambda: SimpleNamespace(machine="aarch64"),
        getpid=lambda: PID,
        strerror=lambda _number: "Invalid argument",
    )
    monkeypatch.setattr(syscalls, "os", fake)
    made = []
    monkeypatch.setattr(syscalls, "_Program", lambda *given: made.append(given) or PROGRAM(*given))
    monkeypatch.setattr(syscalls.sys, "platform", "linux")
    syscalls.filter_calls()
    with pytest.raises(NoFilter, match=r"^no filter of system calls: Invalid argument$"):
        syscalls.filter_calls()
    assert [(given[:2], given[3:]) for given in asked] == [((22, 2), (0, 0))] * 2
    code = syscalls.program("aarch64", PID)
    assert made == [(len(code) // 8, code)] * 2
    monkeypatch.setattr(syscalls.sys, "platform", "darwin")
    with pytest.raises(NoFilter, match=r"^no filter of system calls: only Linux has one$"):
        syscalls.filter_calls()
    assert len(asked) == 2


PROGRAM = syscalls._Program


def test_calls_of_x32_are_refused():
    """The second table of x86_64, by which a filter could be passed."""
    code = syscalls.program("x86_64", 7)
    assert simulated(code, 0xC000003E, 0x40000000 + 41) == NO


def test_an_unknown_machine_is_told():
    """The filter is not guessed: another machine has other numbers of calls."""
    with pytest.raises(NoFilter, match="no filter of system calls: not known how on riscv64"):
        syscalls.program("riscv64", 1)


@pytest.fixture
def unknown_machine(monkeypatch):
    """Supervisors that know no filter for this machine: in new interpreters, by another source."""
    real = Path.read_text

    def read_text(path, *given, **options):
        text = real(path, *given, **options)
        return text.replace(f'"{os.uname().machine}": (', '"abacus": (')

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_text", read_text)
        code = protocol.shipped_code.__wrapped__()
    monkeypatch.setattr(protocol, "shipped_code", lambda: code)
    monkeypatch.setattr(protocol, "AVAILABLE", False)


@pytest.mark.usefixtures("unknown_machine")
@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has such a filter")
def test_without_a_filter_a_tier_holds_what_it_holds_without_it(tier):
    """The child's supervisor says so, whatever its words; the tier then says it, too."""
    found, why = sandbox._tried(tier.name)
    assert not why
    known = f"no filter of system calls: not known how on {os.uname().machine}"
    assert found.unfiltered == known
    assert ("so it has the network" in str(found)) != found.secure


@pytest.mark.parametrize("step", ["no filter of system calls: by chance", "ä" * 999, "\ud800"])
def test_a_refused_step_is_told_by_its_kind(step):
    """Not by its words, which may be any: through the pipe by which a child tells of it."""
    for error in (NoFilter(step), RefusedStep(step), OSError(step)):
        refused, refusals = os.pipe()
        supervisor._tell(refusals, error)
        supervisor._tell(refusals, ValueError("what came later"))
        told = supervisor._told(refused)
        os.close(refused)
        os.close(refusals)
        assert told["no_filter"] == isinstance(error, NoFilter)
        assert told["refused"]
        assert str(error).startswith(told["refused"])


GENERIC = Path("/usr/include/asm-generic/unistd.h")  # of aarch64, and of every newer machine
OF_X86 = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")


# Each call of the filter, by its name: those that it refuses, and those of which it looks at more.
ALL_CALLS = {
    **syscalls._REFUSED,
    "kill": syscalls._KILL,
    "tgkill": syscalls._TGKILL,
    "clone": syscalls._CLONE,
    "clone3": syscalls._CLONE3,
    "fcntl": syscalls._FCNTL,
    "mmap": syscalls._MMAP,
}
LIBRARY = ctypes.util.find_library("seccomp")


@pytest.mark.skipif(not GENERIC.exists(), reason="needs Linux's headers: install libc6-dev")
def test_the_numbers_are_those_of_the_kernels_headers():
    """Each call of the filter, by its name, on both machines."""
    assert syscalls.program("x86_64", 1)
    defined = re.compile(r"#define __NR(?:3264)?_(\w+)\s+(\d+)")
    for path, column in ((OF_X86, 0), (GENERIC, 1)):
        if not path.exists():  # on an aarch64 machine that of x86_64
            continue
        known = {name: int(number) for name, number in defined.findall(path.read_text())}
        last = max(known.values())
        for name, numbers in ALL_CALLS.items():
            later = numbers[column] > last  # than the kernel that the headers are of
            assert later or known.get(name) == numbers[column], f"{name}, {path}"
    assert max(max(numbers) for numbers in ALL_CALLS.values()) <= syscalls._LAST


@pytest.mark.skipif(LIBRARY is None, reason="needs libseccomp: install libseccomp2")
def test_the_numbers_are_those_of_libseccomp():
    """The same by the library's own tables, which have both machines on each of them."""
    library = ctypes.CDLL(LIBRARY)
    assert syscalls.program("aarch64", 1)
    for audited, column in syscalls._MACHINES.values():
        for name, numbers in ALL_CALLS.items():
            found = library.seccomp_syscall_resolve_name_arch(audited, name.encode())
            assert found == numbers[column], f"{name} of {audited:#x}"


def test_what_is_copied_from_pythons_own_modules_is_so():
    """The child runs without them, so numbers are written out."""
    assert cell_runner.COROUTINE == inspect.CO_COROUTINE
    kept = os.ST_RDONLY | os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC | os.ST_NOATIME
    assert kept | os.ST_NODIRATIME == confinement.KEPT_FLAGS
