"""Kernels that are forked: `pytest --nbval -p tests.forked_kernels` starts a notebook's in no time.

A kernel spends four seconds of a processor on the same imports for each notebook. Here each test
process starts one parent that has imported them, and each kernel is a fork of it. It runs no cell,
so each notebook starts from the same state, that of imported libraries.
"""

import contextlib
import importlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

IMPORTED = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "IPython.core.completer",
    "matplotlib.backends.backend_agg",
    "matplotlib.figure",
    "matplotlib_inline.backend_inline",
    "irmetrics_edu.course",
    "irmetrics_edu.lab",
    "irmetrics_edu.runs",
)
NAME = "forked"
# The kernel that Jupyter starts: it asks the parent for a fork, and lives as long as the fork does.
ASKS = """
import json, os, signal, socket, sys
with socket.socket(socket.AF_UNIX) as parent:
    parent.connect(sys.argv[1])
    asked = {"file": sys.argv[2], "folder": os.getcwd(), "environment": dict(os.environ)}
    parent.sendall(json.dumps(asked).encode() + b"\\n")
    kernel = int(parent.makefile().readline())
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: os.kill(kernel, number))
    parent.recv(1)
"""


def pytest_configure(config: pytest.Config) -> None:
    """Start the parent of all kernels, as long as pytest runs, and name its kind of kernel."""
    config.option.nbval_kernel_name = NAME
    config.option.nbval_current_env = False
    if config.getoption("numprocesses", None):
        return  # the processes that xdist starts have parents of their own
    place = Path(tempfile.mkdtemp(prefix="kernels-"))
    config.add_cleanup(lambda: shutil.rmtree(place))
    folder, address = place / "kernels" / NAME, place / "parent"
    folder.mkdir(parents=True)
    argv = [sys.executable, "-ISc", ASKS, str(address), "{connection_file}"]
    spec = {"argv": argv, "display_name": NAME, "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    os.environ["JUPYTER_PATH"] = str(place)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(address))
        listening.listen()
        parent = subprocess.Popen(
            [sys.executable, "-m", __name__, str(listening.fileno())],
            pass_fds=[listening.fileno()],
            start_new_session=True,
        )

    def end() -> None:
        os.killpg(parent.pid, signal.SIGKILL)
        parent.wait()

    config.add_cleanup(end)


def serve(listening: socket.socket) -> None:
    """Fork a kernel for each that asks; whoever asked sees the end of it as the end of the line."""
    for name in IMPORTED:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    pytest_is = os.getppid()
    listening.settimeout(5)
    while True:
        try:
            asking = listening.accept()[0]
        except TimeoutError:
            if os.getppid() != pytest_is:  # it was killed, and nobody will end this
                os.killpg(0, signal.SIGKILL)
            continue
        asked = json.loads(asking.makefile().readline())
        with asking:
            if not os.fork():
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listening.close()
                asking.sendall(b"%d\n" % os.getpid())
                _kernel(**asked)


def _kernel(file: str, folder: str, environment: dict[str, str]) -> None:
    """The life of a fork, which never returns."""
    from ipykernel.kernelapp import IPKernelApp

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    arguments = ["-f", file, "--quiet", f"--IPKernelApp.parent_handle={os.getppid()}"]
    with contextlib.suppress(SystemExit):
        IPKernelApp.launch_instance(argv=arguments)
    os._exit(0)


if __name__ == "__main__":
    sys.path.pop(0)
    serve(socket.socket(fileno=int(sys.argv[1])))
