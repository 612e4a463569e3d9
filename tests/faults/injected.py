"""A command in a fork, in which one system call of its writes fails or is its last.

Python tells an audit hook of each call that opens, renames, removes or changes a file, before it
makes the call; what writes, flushes and cuts is wrapped. All calls on files of one folder are
counted, and the one with the number asked for meets the fault.
"""

import contextlib
import importlib
import io
import os
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any

FIRST_FD = 3
ENDED = 97  # the exit code of a fork in which a traceback came


class Kind(Enum):
    """What happens at the call."""

    ERROR = auto()
    HALF = auto()  # half of what is written, then the error
    SIGNAL = auto()


@dataclass(frozen=True)
class Fault:
    """An error of the system, or a signal."""

    name: str
    kind: Kind
    number: int
    says: str = ""


FAULTS = (
    Fault("ENOSPC", Kind.HALF, 28, "no space left on device"),
    Fault("EIO", Kind.ERROR, 5, "input/output error"),
    Fault("EACCES", Kind.ERROR, 13, "permission denied"),
    Fault("EROFS", Kind.ERROR, 30, "read-only file system"),
    Fault("SIGKILL", Kind.SIGNAL, signal.SIGKILL),
    Fault("SIGINT", Kind.SIGNAL, signal.SIGINT),
    Fault("SIGTERM", Kind.SIGNAL, signal.SIGTERM),
)
# Python tells of these before it makes the call, with the paths that they are of. Python 3.11 has
# no way to fail a lock, a mode or an owner by itself: they are told of, too.
_EVENTS = {
    "open": 1,
    "os.rename": 2,
    "os.remove": 1,
    "os.mkdir": 1,
    "os.chmod": 1,
    "os.chown": 1,
    "os.truncate": 1,
}
_LOADED = ("irmetrics_edu.", "matplotlib", "scipy", "rich")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass
class Injection:
    """Counts the calls on files below a folder, and lets one of them meet a fault."""

    folder: str
    at: int = -1
    fault: Fault | None = None
    calls: list[str] = field(default_factory=list)
    stacks: set[str] = field(default_factory=set)
    busy: bool = False
    stop: Callable[[], object] | None = None  # what the call waits for, in the place of a fault

    def install(self) -> None:
        """From here on the calls of this process are counted."""
        sys.addaudithook(self._heard)
        for name in ("write", "fsync", "ftruncate"):
            setattr(os, name, self._wrapped(name, getattr(os, name)))

    def _heard(self, event: str, given: tuple[Any, ...]) -> None:
        if self.busy or event not in _EVENTS:
            return
        paths = [str(path) for path in given[: _EVENTS[event]] if isinstance(path, str | Path)]
        if event == "open" and not self._is_write(given):
            return
        if any(self._is_below(path) for path in paths):
            self._meet(event, paths[-1])

    @staticmethod
    def _is_write(given: tuple[Any, ...]) -> bool:
        flags = given[2] if len(given) > 2 and isinstance(given[2], int) else 0
        return bool(flags & _WRITES)

    def _is_below(self, path: str) -> bool:
        return str(Path.cwd() / path).startswith(self.folder)

    def _wrapped(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(handle: int, *given: Any) -> Any:
            path = self._path_of(handle)
            if path and not self.busy:
                half = given[0][: len(given[0]) // 2] if name == "write" else None
                is_half = self.fault is not None and self.fault.kind is Kind.HALF
                if half is not None and is_half and len(self.calls) == self.at:
                    call(handle, half)
                self._meet(name, path)
            return call(handle, *given)

        return wrapper

    def _path_of(self, handle: int) -> str:
        if handle < FIRST_FD:
            return ""
        with contextlib.suppress(OSError):
            path = str(Path(f"/proc/self/fd/{handle}").readlink())
            return path if path.startswith(self.folder) else ""
        return ""

    def _meet(self, what: str, path: str) -> None:
        self.busy = True
        place = len(self.calls)
        self.calls.append(f"{what} {Path(path).name}")
        frame = sys._getframe(1)
        while frame is not None:
            name = frame.f_code.co_filename
            if "/irmetrics_edu/" in name:
                self.stacks.add(name.rsplit("/irmetrics_edu/", 1)[1])
            frame = frame.f_back
        if place == self.at and self.stop is not None:
            self.stop()
        self.busy = False
        if place != self.at or self.fault is None:
            return
        if self.fault.kind is Kind.SIGNAL:
            os.kill(os.getpid(), self.fault.number)
            return
        raise OSError(self.fault.number, os.strerror(self.fault.number), path)


@dataclass(frozen=True)
class Ended:
    """How a fork ended: its exit code, what it said, and the calls that were counted."""

    code: int
    said: str
    calls: tuple[str, ...]
    modules: frozenset[str]


def forked(run: Callable[[], int], folder: Path, at: int = -1, fault: Fault | None = None) -> Ended:
    """Run something in a fork whose current folder is this one."""
    return end(*begun(run, folder, Injection(f"{folder}{os.sep}", at, fault)))


def begun(run: Callable[[], int], folder: Path, injection: Injection) -> tuple[int, int]:
    """A fork that runs something in a folder, and the pipe by which it tells how it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _live(run, injection, folder, writing)
    os.close(writing)
    return child, reading


def end(child: int, reading: int) -> Ended:
    """Wait for the end of a fork."""
    with os.fdopen(reading, encoding="utf-8", errors="replace") as pipe:
        told = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said, calls, modules, loaded = (*told.split("\0"), "", "", "")[:4]
    for name in loaded.splitlines():
        if name not in sys.modules:  # so that the next fork has it already
            with contextlib.suppress(Exception):
                importlib.import_module(name)
    return Ended(code, said, tuple(calls.splitlines()), frozenset(modules.splitlines()))


def _live(run: Callable[[], int], injection: Injection, folder: Path, writing: int) -> None:
    """The life of the fork: never returns."""
    code = ENDED
    said = io.StringIO()
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.chdir(folder)
        sys.stdout = sys.stderr = said
        injection.install()
        code = run()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001 -- whatever it is, it has to be told
        said.write(traceback.format_exc())
    injection.busy = True
    parts = [
        said.getvalue(),
        "\n".join(injection.calls),
        "\n".join(sorted(injection.stacks)),
        "\n".join(name for name in sys.modules if name.startswith(_LOADED)),
    ]
    with contextlib.suppress(BaseException):
        os.write(writing, "\0".join(parts).encode("utf-8", "replace"))
    os._exit(code)
