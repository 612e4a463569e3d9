"""The steps that shut a child in, as the manual pages of the kernel have them."""

import io
import itertools
import json
import os
import queue
import resource
import signal
import subprocess
import threading
from itertools import product
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.grading import confinement, protocol, supervisor, syscalls, tiers
from irmetrics_edu.classroom.grading.confinement import RefusedStep
from irmetrics_edu.classroom.grading.protocol import Gone, Tampered, TooLong
from irmetrics_edu.errors import InputError
from tests.tables import rows

# Of mount(2) and statvfs(3).
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, REC, PRIVATE = (
    1, 2, 4, 8, 32, 4096, 16384, 1 << 18
)  # fmt: skip
RELATIME, ST_RELATIME, NOATIME = 1 << 21, 4096, 1024
TMP = "/tmp"  # noqa: S108 -- of the child


class FakePath:
    """A path that records what becomes of it."""

    def __init__(self, done, *parts):
        self.done, self.name = done, "/".join(parts).replace("//", "/")

    def mkdir(self, **options):
        """Record it; with what is above it, if both options say so."""
        how = {"parents": True, "exist_ok": True}
        self.done.append(("mkdir" + "s" * (options == how), self.name))

    def rmdir(self):
        """Record it."""
        self.done.append(("rmdir", self.name))

    def touch(self):
        """Record it."""
        self.done.append(("touch", self.name))

    def is_dir(self):
        """Whether it is none of the files of /dev."""
        return "dev/" not in self.name

    @property
    def parent(self):
        """The folder above."""
        return FakePath(self.done, self.name.rpartition("/")[0] or "/")


@pytest.mark.parametrize("kept", [0, RDONLY | NOEXEC, NOSUID | NODEV | NOATIME, ST_RELATIME])
def test_a_new_root_holds_what_is_named_and_nothing_can_be_changed_in_it(monkeypatch, kept):
    """All is private and read-only but a small folder for temporary files; the old is gone."""
    done = []
    monkeypatch.setattr(confinement, "Path", lambda *parts: FakePath(done, *parts))
    monkeypatch.setattr(confinement, "mount", lambda *given: done.append(("mount", *given)))
    monkeypatch.setattr(confinement, "call", lambda *given: done.append(("call", *given)))
    monkeypatch.setattr(confinement, "pivot_root", lambda *given: done.append(("pivot", *given)))
    monkeypatch.setattr(confinement.os, "chdir", lambda where: done.append(("chdir", where)))
    statvfs = lambda _place: SimpleNamespace(f_flag=kept)  # noqa: E731
    monkeypatch.setattr(confinement.os, "statvfs", statvfs)
    confinement.new_root([("/usr/lib", "/lib"), ("/dev/null", "/dev/null")], ["/lib/hidden"], 4096)
    flags = kept & ~ST_RELATIME | (RELATIME if kept & ST_RELATIME else 0)
    flags |= REMOUNT | BIND | RDONLY | NOSUID | NODEV
    temporary = b"size=4096,nr_inodes=2000,mode=1777"
    assert done == [
        ("mount", "none", "/", None, REC | PRIVATE),
        ("mount", "tmpfs", TMP, "tmpfs", NOSUID | NODEV, b"size=1m,mode=755"),
        ("mkdir", f"{TMP}/old"),
        ("pivot", TMP, f"{TMP}/old"),
        ("chdir", "/"),
        ("mkdir", TMP),
        ("mount", "tmpfs", TMP, "tmpfs", NOSUID | NODEV, temporary),
        ("mkdirs", "/lib"),
        ("mount", "/old/usr/lib", "/lib", None, BIND | REC),
        ("mount", "none", "/lib", None, flags),
        ("mkdirs", "/dev"),
        ("touch", "/dev/null"),
        ("mount", "/old/dev/null", "/dev/null", None, BIND | REC),
        ("mount", "tmpfs", "/lib/hidden", "tmpfs", NOSUID | NODEV | RDONLY, b"size=4k"),
        ("call", "umount2", "/old", 2),
        ("rmdir", "/old"),
        ("mount", "none", "/", None, REMOUNT | BIND | RDONLY | NOSUID | NODEV),
        ("chdir", TMP),
    ]


LIMITS = {"memory": 2**30, "cpu": 5.5, "file": 2**23, "processes": 16}


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("hard", [resource.RLIM_INFINITY, 3])
def test_the_kernel_keeps_the_limits_of_a_child(monkeypatch, own, hard):
    """A second more of the processor than the supervisor; no core; never above what is allowed."""
    found = {}
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (1, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda which, both: found.update({which: both}))
    confinement.set_limits(LIMITS, own_count=own)
    wanted = {
        resource.RLIMIT_AS: 2**30,
        resource.RLIMIT_CPU: 6,
        resource.RLIMIT_FSIZE: 2**23,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 64,
    }
    if own:
        wanted[resource.RLIMIT_NPROC] = 20
    most = {which: value if hard < 0 else min(value, hard) for which, value in wanted.items()}
    assert found == {which: (value, value) for which, value in most.items()}


def test_a_limit_that_a_system_does_not_know_is_passed_over(monkeypatch):
    """The others hold."""
    found = []
    monkeypatch.delattr(resource, "RLIMIT_AS")
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (1, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", lambda which, _both: found.append(which))
    confinement.set_limits(LIMITS, own_count=True)
    names = ("RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_CORE", "RLIMIT_NOFILE", "RLIMIT_NPROC")
    assert found == [getattr(resource, name) for name in names]


def test_a_limit_that_linux_refuses_is_no_limit_that_is_passed_over(monkeypatch):
    """On other systems the wall clock holds."""

    def refuse(*_given):
        raise ValueError

    monkeypatch.setattr(resource, "setrlimit", refuse)
    monkeypatch.setattr(confinement.sys, "platform", "linux")
    with pytest.raises(ValueError, match=r"^$"):
        confinement.set_limits(LIMITS, own_count=True)
    monkeypatch.setattr(confinement.sys, "platform", "darwin")
    confinement.set_limits(LIMITS, own_count=True)


@pytest.mark.parametrize("root", [True, False])
def test_users_are_mapped_to_one_without_rights(monkeypatch, root):
    """The child's user is nobody; of root's the map has root, too, for the steps before."""
    written = {}

    class Map:
        def __init__(self, path):
            self.path = path

        def write_text(self, text):
            written[self.path] = text

    monkeypatch.setattr(confinement, "Path", Map)
    monkeypatch.setattr(confinement.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(confinement.os, "getegid", lambda: 2000)
    confinement.map_users(7, root=root)
    if root:
        maps = dict.fromkeys(["uid_map", "gid_map"], "0 0 1\n65534 65534 1\n")
    else:
        maps = {"setgroups": "deny", "uid_map": "65534 1000 1\n", "gid_map": "65534 2000 1\n"}
    assert written == {f"/proc/7/{name}": text for name, text in maps.items()}
    assert [*written] == [f"/proc/7/{name}" for name in maps]


@rows("platform", ["linux", "darwin"])
def test_a_process_ends_with_its_parent_where_the_system_sees_to_it(platform):
    """PR_SET_PDEATHSIG with the signal that nothing stops, of prctl(2); elsewhere there is none."""
    done = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confinement, "libc", lambda: SimpleNamespace(prctl=called(done)))
        patch.setattr(confinement.sys, "platform", platform)
        confinement.die_with_parent()
        confinement.prctl(4)
    assert done == [(1, 9, 0, 0, 0)] * (platform == "linux") + [(4, 0, 0, 0, 0)]


def test_what_the_system_says_of_a_call_is_what_it_said_last():
    """By the number that the library keeps for this call."""
    with pytest.raises(RefusedStep) as error:
        confinement.call("rmdir", "/no/such/folder")
    assert str(error.value) == "rmdir /no/such/folder: No such file or directory"


def called(done, result=0):
    """A function of the C library, which records the values that it is given."""

    def function(*given):
        done.append(tuple(getattr(one, "value", one) for one in given))
        return result

    return function


def test_a_call_that_fails_is_refused_by_its_name_and_what_it_was_given(monkeypatch):
    """Texts go as bytes, numbers as long ones; what the system says stands at the end."""
    for result in (0, -1, 1):
        done = []
        library = SimpleNamespace(mount=called(done, result), unshare=called(done, result))
        monkeypatch.setattr(confinement, "libc", lambda library=library: library)
        monkeypatch.setattr(confinement.ctypes, "get_errno", lambda: 1)
        calls = [
            lambda: confinement.mount("none", "/é", None, 4, b"x"),
            lambda: confinement.call("unshare", 2**40),
        ]
        words = ["mount none /é: Operation not permitted", "unshare: Operation not permitted"]
        for call, said in zip(calls, words, strict=True):
            if result:
                with pytest.raises(RefusedStep) as error:
                    call()
                assert str(error.value) == said
            else:
                call()
        assert done == [(b"none", "/é".encode(), None, 4, b"x"), (2**40,)]


@rows("machine", ["x86_64", "aarch64", "riscv64", "ppc64le", "s390x", "sparc"])
def test_the_root_is_changed_by_the_number_of_the_call(machine):
    """Of the kernel's tables, by the machine; where it is not known, or fails, it is refused."""
    number = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "ppc64le": 203, "s390x": 217}
    for result in (0, -1):
        done = []
        with pytest.MonkeyPatch.context() as patch:
            library = SimpleNamespace(syscall=called(done, result))
            patch.setattr(confinement, "libc", lambda library=library: library)
            patch.setattr(confinement.ctypes, "get_errno", lambda: 22)
            patch.setattr(confinement.os, "uname", lambda: SimpleNamespace(machine=machine))
            said = ""
            try:
                confinement.pivot_root("/new", "/new/old")
            except RefusedStep as error:
                said = str(error)
        if machine == "sparc":
            assert (said, done) == ("pivot_root: not known how on sparc", [])
        else:
            assert said == ("pivot_root: Invalid argument" if result else "")
            assert done == [(number[machine], b"/new", b"/new/old")]


def test_a_map_or_a_limit_that_can_not_be_written_is_a_refused_step(monkeypatch):
    """With the name of the file, and what the system says."""

    class Closed:
        def __init__(self, _path):
            pass

        def write_text(self, _text):
            raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(confinement, "Path", Closed)
    for root, name in ((True, "uid_map"), (False, "setgroups")):
        with pytest.raises(RefusedStep, match=f"^writing {name}: Operation not permitted$"):
            confinement.map_users(7, root=root)
    with pytest.raises(RefusedStep, match=r"^writing max_user_namespaces: Operation not perm"):
        confinement.forbid_nested_namespaces()
    written = []

    class Open(Closed):
        def __init__(self, path):
            self.path = path

        def write_text(self, text):
            written.append((self.path, text))

    monkeypatch.setattr(confinement, "Path", Open)
    confinement.forbid_nested_namespaces()
    assert written == [("/proc/sys/user/max_user_namespaces", "0")]


@pytest.mark.parametrize("uid", [None, 65534])
@pytest.mark.parametrize("as_root", [True, False])
def test_privileges_are_dropped_without_a_way_back(monkeypatch, uid, as_root):
    """Groups first, then the group and the user in all three ways, and all capabilities."""
    done, dropped = [], []
    for name in ("setgroups", "setresgid", "setresuid"):
        monkeypatch.setattr(
            confinement.os, name, lambda *given, name=name: done.append((name, *given))
        )
    monkeypatch.setattr(confinement.os, "geteuid", lambda: 0 if as_root else 5)
    library = SimpleNamespace(prctl=lambda *given: dropped.append(given))
    monkeypatch.setattr(confinement, "libc", lambda: library)
    sets = []
    asked = lambda name, *given: (done.append((name,)), sets.append(given))  # noqa: E731
    monkeypatch.setattr(confinement, "call", asked)
    monkeypatch.setattr(confinement, "prctl", lambda *given: done.append(("prctl", *given)))
    confinement.drop_privileges(uid)
    expected = []
    if uid is not None:
        expected = [("setgroups", [])] if as_root else []
        expected += [("setresgid", uid, uid, uid), ("setresuid", uid, uid, uid)]
    assert done == [*expected, ("capset",), ("prctl", 38, 1), ("prctl", 4)]
    assert dropped == [(24, number, 0, 0, 0) for number in range(64)]
    # Of capset(2): the version and this process; three sets of 64 bits, all of them empty.
    [(head, empty)] = sets
    assert [*head._obj] == [0x20080522, 0]
    assert bytes(empty._obj) == bytes(24)


class EndedError(BaseException):
    """A process that ended where it stood."""


STEPS = ["die_with_parent", "prctl", "call", "new_root", "set_limits", "drop_privileges", "setsid"]
STEPS += ["filter_calls"]


@pytest.mark.parametrize("failing", [None, *STEPS])
@pytest.mark.parametrize("filtered", [True, False])
def test_no_code_runs_in_namespaces_after_a_step_that_was_refused(monkeypatch, failing, filtered):
    """The first process inside, and the child that it starts, each take their steps or end."""
    done, told = [], []

    def step(name):
        def taken(*given, **_options):
            done.append(name)
            if name == "call":
                assert given == ("sethostname", "child", len("child"))
            if name == failing:
                raise (OSError if name == "setsid" else RefusedStep)("no")

        return taken

    def end(status):
        raise EndedError(status)

    def become():
        done.append("runs")
        raise EndedError(0)

    for name in STEPS:
        where = supervisor.os if name == "setsid" else supervisor
        monkeypatch.setattr(where, name, step(name))
    monkeypatch.setattr(supervisor, "own_count_of_processes", lambda: True)
    monkeypatch.setattr(supervisor.os, "fork", lambda: 0)
    monkeypatch.setattr(supervisor.os, "close", lambda _fd: None)
    monkeypatch.setattr(supervisor.os, "_exit", end)
    monkeypatch.setattr(supervisor, "_tell", lambda fd, error: told.append((fd, str(error))))
    monkeypatch.setattr(supervisor, "become_child", become)
    plan = {"limits": {"file": 1}, "binds": [], "masks": [], "filtered": filtered}
    with pytest.raises(EndedError) as ended:
        supervisor._first_inside(plan, 3, 5)
    assert ended.value.args == (0,)  # how it ended is told by another way
    order = [*STEPS[: None if filtered else -1], "runs"]
    if failing in order:
        assert (done, told) == (order[: order.index(failing) + 1], [(5, "no")])
    else:
        assert (done, told) == (order, [])


# -- the filter and the tiers


def test_each_refused_call_has_a_number_of_its_own_on_each_machine():
    """Those of one machine are all different, but where both have one table."""
    calls = {**syscalls._REFUSED, "kill": syscalls._KILL, "tgkill": syscalls._TGKILL}
    calls |= {"clone": syscalls._CLONE, "clone3": syscalls._CLONE3}
    calls |= {"fcntl": syscalls._FCNTL, "mmap": syscalls._MMAP}
    for column, machine in ((0, "x86_64"), (1, "aarch64")):
        numbers = [both[column] for both in calls.values()]
        assert len(set(numbers)) == len(numbers)
        assert len(syscalls.program(machine, 1)) % 8 == 0
    # From 424 on all machines have the same table.
    for name, (one, other) in calls.items():
        assert (one == other) is (max(one, other) >= 424), name


@rows(("name", "unfiltered"), [*product(tiers.NAMES, ["", "no filter"])])
def test_a_tier_says_what_it_holds(name, unfiltered):
    """Only namespaces are called secure; without a filter the others have the network."""
    tier = tiers.Tier(name, unfiltered)
    assert tier.secure is (name == "namespaces")
    assert ("so it has the network" in tier.holds) is bool(unfiltered and name != "namespaces")
    assert ("system calls are filtered" in tier.holds) is not unfiltered
    assert str(tier) == f"{name} ({tier.holds})"
    assert tiers.named(name) == tiers.Tier(name)
    with pytest.raises(InputError, match="'none' is not known; known are namespaces, user, plain"):
        tiers.named("none")


@pytest.mark.parametrize("root", [True, False])
@pytest.mark.parametrize("unfiltered", ["", "no filter"])
def test_a_plan_is_for_one_tier_and_runs_no_code_as_root(monkeypatch, root, unfiltered):
    """Or it is refused with what to choose."""
    monkeypatch.setattr(tiers, "is_root", lambda: root)
    monkeypatch.setattr(tiers, "_unused_user", lambda: 4711)
    monkeypatch.setattr(tiers, "_files", lambda _packages: ([["a", "b"]], ["c"]))
    owned = []
    monkeypatch.setattr(tiers.os, "chown", lambda *given: owned.append(given))
    of_all = {"root": root, "folder": "f", "filtered": not unfiltered}
    plan = tiers.plan_for(tiers.Tier("namespaces", unfiltered), (), "f")
    inside = {"binds": [["a", "b"]], "masks": ["c"]}
    assert plan == {**of_all, "tier": "namespaces", "uid": None, **inside}
    for name, is_refused in (("user", not root), ("plain", root)):
        if is_refused:
            with pytest.raises(InputError, match="root"):
                tiers.plan_for(tiers.Tier(name, unfiltered), (), "f")
        else:
            plan = tiers.plan_for(tiers.Tier(name, unfiltered), (), "f")
            assert plan == {**of_all, "tier": name, "uid": 4711 if name == "user" else None}
    assert owned == [("f", 4711, 4711)] * root


@pytest.mark.parametrize("mapped", ["0 0 4294967295\n", "0 100000 65536\n", "0 0 1\n1 5 70000\n"])
def test_a_user_of_its_own_is_one_that_is_mapped_and_no_other_childs(monkeypatch, mapped):
    """Where few users are there, one that custom gives to no account."""
    monkeypatch.setattr(tiers.Path, "exists", lambda _path: True)
    monkeypatch.setattr(tiers.Path, "read_text", lambda _path: mapped)
    found = [tiers._unused_user() for _ in range(9)]
    assert len(set(found)) == 9
    if mapped.endswith("4294967295\n"):
        assert all(0x60000000 <= one < 0x70000000 for one in found)
    else:
        assert all(61184 <= one < 65184 for one in found)


def test_two_graders_give_no_child_the_same_user(monkeypatch):
    """Whatever number of children each of them starts."""
    monkeypatch.setattr(tiers.Path, "read_text", lambda _path: "0 0 4294967295\n")
    users = []
    for pid in (1000, 1001, 1002):
        monkeypatch.setattr(tiers.os, "getpid", lambda pid=pid: pid)
        monkeypatch.setattr(tiers, "_children", itertools.count())
        users.append({tiers._unused_user() for _ in range(700)})
    assert [len(each) for each in users] == [256] * 3
    assert len(set().union(*users)) == 3 * 256


@pytest.mark.parametrize(("status", "code"), [(0, 0), (3 << 8, 3), (9, 137), (11, 139)])
def test_the_first_process_waits_for_the_child_and_ends_as_it_ended(monkeypatch, status, code):
    """It lets go of the channels, and no signal of the child's ends it."""
    closed, ignored = [], []

    def end(code):
        raise EndedError(code)

    waited = [(5, 1 << 8), (77, status)]
    for name in ("die_with_parent", "prctl", "call", "new_root"):
        monkeypatch.setattr(supervisor, name, lambda *_given: None)
    monkeypatch.setattr(supervisor.os, "fork", lambda: 77)
    monkeypatch.setattr(supervisor.os, "close", closed.append)
    monkeypatch.setattr(supervisor.os, "wait", lambda: waited.pop(0))
    monkeypatch.setattr(supervisor.os, "_exit", end)
    monkeypatch.setattr(supervisor.signal, "signal", lambda *given: ignored.append(given))
    plan = {"limits": {"file": 1}, "binds": [], "masks": [], "filtered": True}
    with pytest.raises(EndedError) as ended:
        supervisor._first_inside(plan, 8, 9)
    assert ended.value.args == (code,)
    assert closed == [8, 0, 1, 2, 9]
    left = {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}
    assert {number for number, _ in ignored} == signal.valid_signals() - left
    assert {how for _, how in ignored} == {signal.SIG_IGN}
    assert waited == []


def replied(*replies):
    """A channel without a child, to which these have come."""
    channel = object.__new__(protocol.Channel)
    channel._replies = queue.Queue()
    for one in replies:
        channel._replies.put(one)
    return channel


def test_a_message_is_an_object_of_json_and_nothing_else():
    """What ended the child is told instead; before a question there is nothing."""
    assert replied(b'{"a": [1, null]}').receive() == {"a": [1, None]}
    for broken in (
        b"",
        b"[1]",
        b"3",
        b"{",
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b"\xff",
        b"[" * 99_999,
    ):
        with pytest.raises(Tampered):
            replied(broken).receive()
    for error in (Gone(), TooLong("long"), Tampered("odd")):
        with pytest.raises(type(error)):
            replied(error).receive()
        with pytest.raises(type(error)):
            replied(error).expect_nothing()
    with pytest.raises(Tampered, match="an answer before the question"):
        replied(b"{}").expect_nothing()
    assert replied().expect_nothing() is None


class Ending(io.BytesIO):
    """A stream that tells its end once: who reads on after it fails at once."""

    ends = 0

    def read(self, size=-1):
        """Some of it, or its end."""
        piece = super().read(size)
        self.ends += not piece
        assert self.ends < 2
        return piece


def streamed(data, longest=50, output=10, errors=b""):
    """A channel to which a child has written so much, and its end."""
    channel = replied()
    channel.longest, channel.output = longest, output
    channel.too_much_printed = threading.Event()
    process = SimpleNamespace(stdout=Ending(data), stderr=Ending(errors))
    channel._process = process
    return channel


def frame(body):
    """A message as it is sent."""
    return len(body).to_bytes(4, "big") + body


@rows("length", [0, 1, 49, 50, 51, 0x1FFFFFFF, 0x20000000, 0x20202020])
def test_a_message_is_read_up_to_the_longest_that_is_allowed(length):
    """A longer one is too long; one that begins with text is no frame; then the child is gone."""
    body = b"x" * min(length, 60)
    channel = streamed(frame(b"{}") + length.to_bytes(4, "big") + body)
    channel._read()
    found = [*channel._replies.queue]
    assert found[0] == b"{}"
    kinds = {51: TooLong, 0x1FFFFFFF: TooLong, 0x20000000: Tampered, 0x20202020: Tampered}
    if length in kinds:
        assert [type(one) for one in found[1:]] == [kinds[length]]
    else:
        assert found[1] == body
        assert [type(one) for one in found[2:]] == [Gone]


@rows("count", [0, 1, 99, 100, 101, 150])
def test_messages_that_nobody_asked_for_end_the_reading(count):
    """A hundred may wait."""
    channel = streamed(frame(b"{}") * count)
    channel._read()
    *messages, last = channel._replies.queue
    assert messages == [b"{}"] * min(count, 101)
    assert type(last) is (Tampered if count > 100 else Gone)
    cut = streamed(frame(b"{}")[:-1])
    cut._read()
    assert [type(one) for one in cut._replies.queue] == [Gone]


@pytest.mark.parametrize("printed", [0, 9, 10, 11, 200_000])
def test_what_is_printed_is_counted_up_to_its_limit(printed):
    """Beyond it the child is as good as gone."""
    channel = streamed(b"", output=10 if printed < 99 else 150_000, errors=b"x" * printed)
    channel._listen()
    is_too_much = printed in {11, 200_000}
    assert channel.too_much_printed.is_set() is is_too_much
    assert [type(one) for one in channel._replies.queue] == [Gone] * is_too_much


def watched(monkeypatch, usages, *, ends=None, tier="plain", stopped=(), seconds=0.0):
    """What the watch over a child says, of which so much is seen at each look."""
    looks = iter(usages)
    clock = itertools.count()
    count = itertools.count(1)

    def wait(_first, _how):
        return (7, 3 << 8) if next(count) == ends else (0, 0)

    monkeypatch.setattr(supervisor.os, "waitpid", wait)
    monkeypatch.setattr(supervisor.os, "pidfd_open", lambda _pid: 5)
    monkeypatch.setattr(supervisor.select, "select", lambda *_given: None)
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: next(clock) * seconds)
    monkeypatch.setattr(supervisor, "_usage", lambda: next(looks))
    limits = {"wall": 10.0, "cpu": 5.0, "memory": 1000, "processes": 4}
    plan = {"limits": limits, "tier": tier}
    return supervisor._watch(7, plan, list(stopped), linux=True)


@pytest.mark.parametrize(("name", "ours"), [("namespaces", 2), ("user", 0), ("plain", 0)])
def test_a_child_is_watched_until_it_ends_is_stopped_or_exceeds_a_limit(monkeypatch, name, ours):
    """With the most that was seen of it: a process that has ended takes nothing away."""

    def look(count, seconds=0.0, held=0):
        return count + ours, seconds, held

    seen = [look(1, 0.5), look(3, 2.0), look(2, 1.0)]
    found = watched(monkeypatch, seen, ends=4, tier=name)
    assert found == {"status": 3, "cpu": 2.0, "most": 3}
    found = watched(monkeypatch, seen, tier=name, stopped=[15])
    assert found == {"limit": "", "cpu": 0.5, "most": 1}
    for beyond, limit in (((5,), "processes"), ((1, 5.5), "cpu"), ((1, 0.0, 1001), "memory")):
        found = watched(monkeypatch, [*seen, look(*beyond)], tier=name)
        most, used = max(3, beyond[0]), max(2.0, sum(beyond[1:2]))
        assert found == {"limit": limit, "cpu": used, "most": most}
    found = watched(monkeypatch, [look(1, 1.0)] * 9, tier=name, seconds=4.0)
    assert found == {"limit": "wall", "cpu": 1.0, "most": 1}
    found = watched(monkeypatch, [look(1)] * 3, ends=3, tier=name, seconds=5.0)
    assert found == {"status": 3, "cpu": 0.0, "most": 1}


@pytest.mark.parametrize("patience", [0.0, 0.5])
@pytest.mark.parametrize("ends", [True, False])
def test_a_channel_is_closed_with_the_whole_report_of_the_supervisor(patience, ends):
    """The child may end by itself in its time, and is ended then; after it there is nothing."""
    done = []
    reading, writing = os.pipe()
    report = {"limit": "", "words": "x" * 9_000}
    os.write(writing, json.dumps(report).encode())
    os.close(writing)

    def wait(timeout=None):
        done.append(("wait", timeout))
        if timeout and not ends:
            raise subprocess.TimeoutExpired("x", timeout)

    channel = streamed(b"")
    process = channel._process
    process.stdin = io.BytesIO()
    process.wait = wait
    process.terminate = lambda: done.append(("terminate", process.stdin.closed))
    channel._report = reading
    channel._watchdog = SimpleNamespace(cancel=lambda: done.append(("cancel", None)))
    channel._threads = [SimpleNamespace(join=lambda most: done.append(("join", most)))] * 2
    assert (channel.close(patience) if patience else channel.close()) == report
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(reading)
    expected = [("wait", patience)] if patience else []
    expected += [("terminate", True), ("wait", None), ("cancel", None)]
    assert done == [*expected, ("join", 0.5), ("join", 0.5)]
    assert process.stdout.closed
    assert process.stderr.closed
    done.clear()
    assert channel.close() == {}
    assert done[:2] == [("terminate", True), ("wait", None)]
