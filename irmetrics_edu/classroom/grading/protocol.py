"""The private channel to a child: messages of bounded size, and printed output, which is counted.

A child may send only JSON, up to a maximal length, and nothing in it is trusted. Nothing is
unpickled. A reply counts only with the random word that was sent with its inputs, so no reply can
be written in advance.
"""

import ast
import contextlib
import functools
import json
import marshal
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from irmetrics_edu.classroom.grading.child import PRELOADED
from irmetrics_edu.classroom.grading.fork_server import AVAILABLE, FORK_SERVER, Forked
from irmetrics_edu.classroom.grading.tiers import place_of
from irmetrics_edu.errors import InputError

# Read in this order, each uses the ones before it.
SHIPPED = (
    "plain_values",
    "newer_syntax",
    "cell_runner",
    "child",
    "confinement",
    "syscalls",
    "supervisor",
)
GRACE = 3.0
# The least length that text announces in place of a frame, as no letter is below 0x20.
TEXT = 0x20 << 24

_BOOT = """
import marshal, os, sys
def read(n):
    data = b""
    while len(data) < n:
        piece = os.read(0, n - len(data))
        if not piece:
            os._exit(0)
        data += piece
    return data
names = {"__name__": "grading"}
for code in marshal.loads(read(int.from_bytes(read(4), "big"))):
    exec(code, names)
names[sys.argv[1]](int(sys.argv[2]))
"""


class Gone(Exception):  # noqa: N818 -- the message reads "Gone: ..."
    """The child is gone and sends no more."""


class Tampered(Exception):  # noqa: N818 -- the message reads "Tampered: ..."
    """The child sent something that the protocol does not allow."""


class TooLong(Exception):  # noqa: N818 -- the message reads "TooLong: ..."
    """The child sent a message above the limit."""


@functools.cache
def shipped_code() -> bytes:
    """The code of the child and its supervisor, so that they need none of our files."""
    codes = []
    for name in SHIPPED:
        tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
        tree.body = [
            node
            for node in tree.body
            if not (
                isinstance(node, ast.ImportFrom)
                and (node.module or "").startswith("irmetrics_edu.classroom.grading")
            )
        ]
        codes.append(
            compile(
                tree,
                f"<{name}>",
                "exec",
                dont_inherit=True,
                optimize=2,
            )
        )
    data = marshal.dumps(codes)
    return len(data).to_bytes(4, "big") + data


@functools.cache
def preloaded() -> dict[str, str]:
    """The places of the packages that are imported before any child starts."""
    places = {}
    for name in PRELOADED:
        with contextlib.suppress(InputError):
            places[name] = str(place_of(name))
    return places


def environment() -> dict[str, str]:
    """The environment variables of a child: none of the teacher's, the same on every run."""
    fixed = {
        "HOME": tempfile.gettempdir(),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    if sys.platform == "linux":
        fixed["HOME"] = "/tmp"  # noqa: S108 -- the child's own
    return fixed


def framed(message: Any) -> bytes:
    """A message as it is sent: its length in four bytes, and JSON."""
    body = json.dumps(message).encode()
    return len(body).to_bytes(4, "big") + body


def _started(python: str, report: int) -> "subprocess.Popen[bytes] | Forked":
    """A supervisor that writes its report there: forked, or a new interpreter."""
    command = [
        python,
        "-P",
        "-s",
        "-S",
        "-B",
        "-c",
        _BOOT,
    ]
    where: dict[str, Any] = {"cwd": Path(sys.executable).anchor, "env": environment()}
    if AVAILABLE:
        first = shipped_code() + framed(preloaded())
        return FORK_SERVER.start(
            command,
            report,
            first=first,
            **where,
        )
    return subprocess.Popen(  # noqa: S603 -- our own interpreter, without a shell
        [*command, "keep", str(report)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        pass_fds=(report,),
        start_new_session=True,
        **where,
    )


class Channel:
    """A child and the two ways to it; use it in a `with`, which ends the child."""

    def __init__(
        self,
        python: str,
        plan: Mapping[str, Any],
        longest: int,
        output: int,
    ) -> None:
        self.longest, self.output = longest, output
        self.too_much_printed = threading.Event()
        self._replies: queue.Queue[Any] = queue.Queue()
        self._report: int | None
        self._report, report = os.pipe()
        self._process = _started(python, report)
        os.close(report)
        # The supervisor keeps the wall clock; this one is for a supervisor that is gone.
        self.overdue = threading.Event()
        self._watchdog = threading.Timer(float(plan["limits"]["wall"]) + GRACE, self._kill)
        self._watchdog.daemon = True
        self._watchdog.start()
        self._threads = [
            threading.Thread(target=run, daemon=True) for run in (self._read, self._listen)
        ]
        for thread in self._threads:
            thread.start()
        if not AVAILABLE:
            self._write(shipped_code())
        self.send(plan)

    def _kill(self) -> None:
        self.overdue.set()
        self._process.kill()

    def __enter__(self) -> "Channel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- out

    def send(self, message: Any) -> None:
        """Send a message; if the child is gone, the message is lost and the next read says so."""
        self._write(framed(message))

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None  # noqa: S101 -- for the types: it is a pipe
        view = memoryview(data)
        try:
            while view:
                view = view[self._process.stdin.write(view) or 0 :]
        except (BrokenPipeError, OSError):
            return

    # -- in

    def receive(self) -> dict[str, Any]:
        """The next message. Raises Gone, TooLong or Tampered."""
        reply = self._replies.get()
        if isinstance(reply, Exception):
            raise reply
        try:
            message = json.loads(reply, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise Tampered("a message that is no JSON") from None
        if not isinstance(message, dict):
            raise Tampered("a message of another form")
        return message

    def expect_nothing(self) -> None:
        """Raises Tampered if the child has sent an unasked message, Gone if it has ended."""
        try:
            reply = self._replies.get_nowait()
        except queue.Empty:
            return
        raise reply if isinstance(reply, Exception) else Tampered("an answer before the question")

    def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 -- for the types: it is a pipe
        stream = self._process.stdout
        try:
            while True:
                length = int.from_bytes(_exactly(stream, 4), "big")
                if length > self.longest:
                    why = f"a message of {length} bytes"
                    self._replies.put(Tampered(why) if length >= TEXT else TooLong(why))
                    return
                self._replies.put(_exactly(stream, length))
                if self._replies.qsize() > 100:
                    self._replies.put(Tampered("messages that nobody asked for"))
                    return
        except (EOFError, OSError, ValueError):
            self._replies.put(Gone())

    def _listen(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 -- for the types: it is a pipe
        try:
            printed = 0
            while piece := self._process.stderr.read(1 << 16):
                printed += len(piece)
                if printed > self.output:
                    self.too_much_printed.set()
                    self._replies.put(Gone())
                    return
        except (OSError, ValueError):
            return

    # -- the end

    def close(self, patience: float = 0.0) -> dict[str, Any]:
        """End the child and all its processes; return the supervisor's report.

        A child that is ending may take `patience` seconds to end by itself.
        """
        if self._process.stdin:
            self._process.stdin.close()
        if patience:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
        self._process.terminate()
        report = b""
        if self._report is not None:
            while piece := os.read(self._report, 4096):
                report += piece
            os.close(self._report)
            self._report = None
        self._process.wait()
        self._watchdog.cancel()
        for thread in self._threads:
            thread.join(0.5)
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()
        return json.loads(report) if report else {}


def _exactly(stream: Any, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = stream.read(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is sent as text")
