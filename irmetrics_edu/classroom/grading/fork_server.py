"""Starting supervisors quickly: a process with all imports done forks one for each child.

Starting an interpreter and importing numpy takes longer than most answers run. So one process, the
fork server, does it once. It runs no student's code and knows only the code that is sent to it. A
child can't change it. On systems other than Linux each supervisor is a new interpreter.
"""

import atexit
import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any


def _available() -> bool:
    """Whether this system has file descriptors for processes: Linux 5.3 or later."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return sys.platform == "linux"


AVAILABLE = _available()


class Forked:
    """A supervisor that the fork server has forked; it is used as a Popen is."""

    def __init__(self, handle: int, ends: Sequence[int]) -> None:
        self._handle: int | None = handle
        self.stdin = os.fdopen(ends[0], "wb", buffering=0)
        self.stdout = os.fdopen(ends[1], "rb", buffering=0)
        self.stderr = os.fdopen(ends[2], "rb", buffering=0)

    def terminate(self) -> None:
        """Ask it to end."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self._handle is not None:
            try:
                signal.pidfd_send_signal(self._handle, number)
            except ProcessLookupError:
                return

    def wait(self, timeout: float | None = None) -> None:
        """Wait until it has ended; TimeoutExpired if that takes longer."""
        if self._handle is not None:
            if not select.select([self._handle], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("supervisor", timeout or 0.0)
            os.close(self._handle)
            self._handle = None


class ForkServer:
    """The fork server of this process, started for the first child and restarted if it is gone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._of = 0

    def start(self, command: Sequence[str], report: int, **options: Any) -> Forked:
        """A supervisor that reports there; `command` and `options` start a fork server."""
        theirs, ours = _pipes()
        try:
            with self._lock:
                try:
                    handle = self._asked([*theirs, report], command, options)
                except OSError:  # the fork server is gone: by the system, for want of memory
                    self._end()
                    handle = self._asked([*theirs, report], command, options)
            return Forked(handle, ours)
        except BaseException:
            for fd in ours:
                os.close(fd)
            raise
        finally:
            for fd in theirs:
                os.close(fd)

    def _asked(
        self,
        ends: Sequence[int],
        command: Sequence[str],
        options: Mapping[str, Any],
    ) -> int:
        if self._line is None or self._of != os.getpid():
            self._begin(command, **options)
        line = self._line
        assert line is not None  # noqa: S101 -- for the types: it was just made
        socket.send_fds(line, [b"k"], list(ends))
        answer = line.recv(8)
        if len(answer) != 8:
            raise ConnectionResetError("the fork server of the children is gone")
        # Under the lock: the fork server waits for those that have ended when it is asked the next
        # time.
        return os.pidfd_open(int.from_bytes(answer, "big"))

    def _begin(self, command: Sequence[str], *, first: bytes, **options: Any) -> None:
        line, theirs = socket.socketpair()
        with contextlib.ExitStack() as unless_started, theirs:
            unless_started.enter_context(line)
            self._process = subprocess.Popen(  # noqa: S603 -- our own interpreter, without a shell
                [*command, "serve_forks", str(theirs.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                **options,
            )
            unless_started.pop_all()
        self._line = line
        self._of = os.getpid()
        assert self._process.stdin is not None  # noqa: S101 -- for the types: it is a pipe
        with self._process.stdin as pipe:
            pipe.write(first)

    def _end(self) -> None:
        if self._line is not None:
            self._line.close()
        if self._process is not None and self._of == os.getpid():
            self._process.wait()
        self._process, self._line = None, None

    def close(self) -> None:
        """End the fork server, which ends by itself with this process."""
        with self._lock:
            self._end()


def _pipes() -> tuple[list[int], list[int]]:
    """The child's ends of its three channels, and ours."""
    (read, write) = os.pipe()
    (out, into) = os.pipe()
    (err, onto) = os.pipe()
    return [read, into, onto], [write, out, err]


FORK_SERVER = ForkServer()
atexit.register(FORK_SERVER.close)
