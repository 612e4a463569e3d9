"""A filter of system calls (seccomp) for the child: the kernel refuses calls no answer needs.

It is added to the tier's own protection: no network, no access or signal to other processes, no
mounts and namespaces, no keys, no kernel modules, and no memory that the limits don't see. The
child can't remove it, and the processes that it starts have it too. The source of this file runs in
the supervisor of a child, so it needs only the standard library. See seccomp(2); the numbers are
those of Linux's unistd.h.
"""

import ctypes
import os
import struct
import sys

from irmetrics_edu.classroom.grading.confinement import RefusedStep, libc

# By machine: the kernel's name for it, and which column of the numbers below it reads.
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_REFUSED = {
    # The network; io_uring does what calls do without making them.
    "socket": (41, 198),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    # Memory in no address space: in files without a name, in pipes, in descriptors under way. A
    # pair of sockets is let through, as an event loop needs one, but it passes bytes alone.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "recvmsg": (47, 212),
    "recvmmsg": (299, 243),
    "setsockopt": (54, 208),
    "splice": (275, 76),
    "vmsplice": (278, 75),
    "tee": (276, 77),
    "sendfile": (40, 71),
    "inotify_add_watch": (254, 27),
    # Files by other ways than their paths, and other roots.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "fanotify_init": (300, 262),
    "unshare": (272, 97),
    "setns": (308, 268),
    # Keys, and what has often had holes in it.
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "personality": (135, 92),
    # The machine.
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
}
_KILL = (62, 129)
_TGKILL = (234, 131)
_CLONE = (56, 220)
_CLONE3 = (435, 435)
_FCNTL = (72, 25)
_MMAP = (9, 222)
# Of linux/fcntl.h and linux/mman.h.
_SET_PIPE_SIZE = 1031
_SHARED = 0x01
_ANONYMOUS = 0x20
_HUGE_PAGES = 0x40000
# Calls after this one (Linux 5.17) are as unknown as to an older kernel; so is clone3, whose flags
# a filter can't see: the C library then uses clone.
_LAST, _X32 = 450, 0x40000000
_NEW_NAMESPACES = 0x7E020000
# Of linux/bpf_common.h, linux/seccomp.h and linux/prctl.h.
_LOAD = 0x20
_EQUAL = 0x15
_ABOVE = 0x25
_ANY_BIT = 0x45
_RETURN = 0x06
_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_END_PROCESS = 0x80000000
_NUMBER = 0
_MACHINE = 4
_ARGUMENTS = 16
_EPERM, _ENOSYS = 1, 38
PR_SET_SECCOMP = 22
MODE_FILTER = 2


class NoFilter(RefusedStep):
    """The system has no filter of system calls, or none that is known here; `why` says it."""

    def __init__(self, why: str) -> None:
        super().__init__(f"no filter of system calls: {why}")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def program(machine: str, pid: int) -> bytes:
    """The filter for a process of this number, in the kernel's form; NoFilter if not known how."""
    if machine not in _MACHINES:
        raise NoFilter(f"not known how on {machine}")
    audited, column = _MACHINES[machine]
    deny = (_RETURN, 0, 0, _ERRNO | _EPERM)
    unknown = (_RETURN, 0, 0, _ERRNO | _ENOSYS)
    made = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, audited),
        (_RETURN, 0, 0, _END_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
        (_ABOVE, 0, 1, _X32 - 1),
        deny,
        (_ABOVE, 0, 1, _LAST),
        unknown,
        (_EQUAL, 0, 1, _CLONE3[column]),
        unknown,
    ]
    for numbers in _REFUSED.values():
        made += [(_EQUAL, 0, 1, numbers[column]), deny]
    # Let through are a signal to itself, a new process without new namespaces, a pipe of the usual
    # size, and memory unless it is shared and of no file: that stays when a process lets go of it.
    for numbers, place, tests in (
        (_KILL, 0, [(_EQUAL, 1, 0, pid)]),
        (_TGKILL, 0, [(_EQUAL, 1, 0, pid)]),
        (_CLONE, 0, [(_ANY_BIT, 0, 1, _NEW_NAMESPACES)]),
        (_FCNTL, 1, [(_EQUAL, 0, 1, _SET_PIPE_SIZE)]),
        (
            _MMAP,
            3,
            [
                (_ANY_BIT, 2, 0, _HUGE_PAGES),
                (_ANY_BIT, 0, 2, _ANONYMOUS),
                (_ANY_BIT, 0, 1, _SHARED),
            ],
        ),
    ):
        lines = [
            (_LOAD, 0, 0, _ARGUMENTS + 8 * place),
            *tests,
            deny,
            (_LOAD, 0, 0, _NUMBER),
        ]
        made += [(_EQUAL, 0, len(lines), numbers[column]), *lines]
    made.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *line) for line in made)


def filter_calls() -> None:
    """Filter this process's system calls from here on; NoFilter if the system can't do it."""
    if sys.platform != "linux":
        raise NoFilter("only Linux has one")
    code = program(os.uname().machine, os.getpid())
    filter_program = _Program(len(code) // 8, code)
    if (
        libc().prctl(
            PR_SET_SECCOMP,
            MODE_FILTER,
            ctypes.byref(filter_program),
            0,
            0,
        )
        != 0
    ):
        raise NoFilter(os.strerror(ctypes.get_errno()))
