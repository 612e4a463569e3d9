"""The work of a fresh interpreter for the grader: fork supervisors, or be a child without one.

It gets the source of this file and everything that `supervisor` needs; see there.
"""

import contextlib
import os
import socket
from typing import NoReturn

from irmetrics_edu.classroom.grading.child import preload, read_frame
from irmetrics_edu.classroom.grading.supervisor import become_child, keep


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


def alone(_report: int) -> NoReturn:
    """Run the child without a supervisor on Windows, where processes can't be forked."""
    read_frame(0)
    become_child()
