"""Isolating a process: Linux namespaces, its own root folder, no privileges, limits.

The source of this file runs in the supervisor of a child, so it needs only the standard library.
See namespaces(7), pivot_root(2) and setrlimit(2) of the Linux manual pages for the calls.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

# Constants of the kernel's headers: sched.h, mount.h, prctl.h, capability.h.
NEW_NAMESPACES = 0x00020000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
RDONLY = 1
NOSUID = 2
NODEV = 4
NOEXEC = 8
REMOUNT = 32
BIND = 4096
REC = 16384
PRIVATE = 1 << 18
KEPT_FLAGS = RDONLY | NOSUID | NODEV | NOEXEC | 1024 | 2048
STATVFS_RELATIME = 4096
MOUNT_RELATIME = 1 << 21
DETACH = 2
# Where the new root is put together: it is covered, not written to. Inside it is the child's own.
TMP = "/tmp"  # noqa: S108 -- the same
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
CAPABILITY_VERSION_3 = 0x20080522

STUDENT = 65534
MOST_FILES = 2000


class RefusedStep(Exception):  # noqa: N818 -- the message reads "Refused: mount /proc: ..."
    """A step of the confinement that the system refused."""


def libc() -> Any:
    """The C library, which has calls that Python's os lacks."""
    return ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: Any) -> None:
    """A call to the C library; Refused if it fails."""
    encoded = [os.fsencode(a) if isinstance(a, str) else a for a in arguments]
    encoded = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in encoded]
    if getattr(libc(), name)(*encoded) != 0:
        what = " ".join(str(a) for a in arguments if isinstance(a, str))
        raise RefusedStep(f"{name} {what}: {os.strerror(ctypes.get_errno())}".replace(" :", ":"))


def prctl(option: int, value: int = 0) -> None:
    """Change a setting of this process; the last three arguments of the call are not used."""
    call("prctl", option, value, *(0, 0, 0))


def mount(
    source: str,
    place: str,
    kind: str | None,
    flags: int,
    options: bytes | None = None,
) -> None:
    """Mount something at a place."""
    arguments = (source, place, kind, flags, options)
    call("mount", *arguments)


def die_with_parent() -> None:
    """Let the kernel end this process when its parent ends."""
    if sys.platform == "linux":
        prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))


def map_users(pid: int, *, root: bool) -> None:
    """Map the users of a new user namespace to users outside; called from outside it."""
    if root:
        users = f"0 0 1\n{STUDENT} {STUDENT} 1\n"
        maps = {"uid_map": users, "gid_map": users}
    else:
        maps = {
            "setgroups": "deny",
            "uid_map": f"{STUDENT} {os.geteuid()} 1\n",
            "gid_map": f"{STUDENT} {os.getegid()} 1\n",
        }
    for name, text in maps.items():
        try:
            Path(f"/proc/{pid}/{name}").write_text(text)
        except OSError as error:
            raise RefusedStep(f"writing {name}: {error.strerror}") from None


def forbid_nested_namespaces() -> None:
    """Forbid user namespaces inside this one: they would give privileges again."""
    try:
        Path("/proc/sys/user/max_user_namespaces").write_text("0")
    except OSError as error:
        raise RefusedStep(f"writing max_user_namespaces: {error.strerror}") from None


def new_root(binds: Sequence[Sequence[str]], masks: Sequence[str], size: int) -> None:
    """Make a root folder that holds only `binds` (source, place), read-only, and an empty /tmp."""
    mount("none", "/", None, REC | PRIVATE)
    mount(
        "tmpfs",
        TMP,
        "tmpfs",
        NOSUID | NODEV,
        b"size=1m,mode=755",
    )
    Path(TMP, "old").mkdir()
    pivot_root(TMP, TMP + "/old")
    os.chdir("/")
    # Before the binds: what is bound may itself lie under /tmp, and must not be covered by it.
    Path(TMP).mkdir()
    options = f"size={size},nr_inodes={MOST_FILES},mode=1777"  # an empty file takes memory, too
    mount(
        "tmpfs",
        TMP,
        "tmpfs",
        NOSUID | NODEV,
        options.encode(),
    )
    for source, place in binds:
        _bind("/old" + source, place)
    for place in masks:
        mount(
            "tmpfs",
            place,
            "tmpfs",
            NOSUID | NODEV | RDONLY,
            b"size=4k",
        )
    call("umount2", "/old", DETACH)
    Path("/old").rmdir()
    mount(
        "none",
        "/",
        None,
        REMOUNT | BIND | RDONLY | NOSUID | NODEV,
    )
    os.chdir(TMP)


def _bind(source: str, place: str) -> None:
    target = Path(place)
    if Path(source).is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    mount(source, place, None, BIND | REC)
    kept = os.statvfs(place).f_flag
    flags = kept & KEPT_FLAGS | (MOUNT_RELATIME if kept & STATVFS_RELATIME else 0)
    if not place.startswith("/dev/"):
        flags |= RDONLY | NOSUID | NODEV
        mount("none", place, None, REMOUNT | BIND | flags)


def pivot_root(new: str, old: str) -> None:
    """Change the root folder by system call number, because glibc has no wrapper."""
    numbers = {
        "x86_64": 155,
        "aarch64": 41,
        "riscv64": 41,
        "ppc64le": 203,
        "s390x": 217,
    }
    number = numbers.get(os.uname().machine)
    if number is None:
        raise RefusedStep(f"pivot_root: not known how on {os.uname().machine}")
    library = libc()
    if library.syscall(ctypes.c_long(number), os.fsencode(new), os.fsencode(old)) != 0:
        raise RefusedStep(f"pivot_root: {os.strerror(ctypes.get_errno())}")


def drop_privileges(uid: int | None) -> None:
    """Become the user (None: stay the same), without capabilities and without a way back."""
    if uid is not None:
        if os.geteuid() == 0:
            os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    library = libc()
    for capability in range(64):
        library.prctl(
            PR_CAPBSET_DROP,
            capability,
            0,
            0,
            0,
        )
    call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_DUMPABLE)


def set_limits(limits: Mapping[str, float], *, own_count: bool) -> None:
    """Set the limits that the kernel keeps for a process; for processes only if counted alone."""
    import resource

    wanted = {
        "RLIMIT_AS": limits["memory"],
        "RLIMIT_CPU": limits["cpu"] + 1,
        "RLIMIT_FSIZE": limits["file"],
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": 64,
    }
    if own_count:
        # A bound on what can come about between two looks of the supervisor, who enforces the
        # limit; its own two processes inside are counted too where there is but one user.
        wanted["RLIMIT_NPROC"] = limits["processes"] + 4
    for name, value in wanted.items():
        which = getattr(resource, name, None)
        if which is None:
            continue
        hard = resource.getrlimit(which)[1]
        most = int(value) if hard == resource.RLIM_INFINITY else min(int(value), hard)
        try:
            resource.setrlimit(which, (most, most))
        except (ValueError, OSError):
            # macOS takes no limit on address space; the wall clock holds there.
            if sys.platform == "linux":
                raise


def own_count_of_processes() -> bool:
    """Whether the kernel counts a user's processes for each user namespace: since Linux 5.14."""
    major, minor = (int("".join(filter(str.isdigit, n))) for n in os.uname().release.split(".")[:2])
    return (major, minor) >= (5, 14)
