"""The code of the child: it runs the student's cells, then calls the function for each case.

The child gets the source of this file and imports nothing from the package. The file needs only the
standard library, `values` and `cells`. It can keep no secret from the student's code, which runs in
the same interpreter and can do everything that this file does. So expected values never come here.
The inputs of a case are sent only after the previous case has been answered. And an answer counts
only with the random word that was sent with its inputs.

Frames on both channels are a length in four bytes and JSON.
"""

import builtins
import importlib
import importlib.machinery
import importlib.util
import json
import os
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from irmetrics_edu.classroom.grading.cell_runner import Cells, Commands, raised
from irmetrics_edu.classroom.grading.plain_values import NotPlain, pack, unpack

ABSENT = object()
# What many answers import and takes long.
PRELOADED = ("numpy",)


def read_frame(fd: int) -> Any:
    """The next message; EOFError when the other side is gone."""
    return json.loads(read_exactly(fd, int.from_bytes(read_exactly(fd, 4), "big")))


def read_exactly(fd: int, count: int) -> bytes:
    """Exactly this many bytes, read in as many pieces as they come."""
    pieces = []
    while count:
        piece = os.read(fd, min(count, 1 << 16))
        if not piece:
            raise EOFError
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def write_frame(fd: int, message: Any) -> None:
    """Send a message."""
    body = json.dumps(message).encode()
    data = memoryview(len(body).to_bytes(4, "big") + body)
    while data:
        data = data[os.write(fd, data) :]


class OnlyThese:
    """A finder for the provided packages; it hides all other installed packages."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self.places = dict(places)
        self.find = importlib.machinery.PathFinder.find_spec

    def find_spec(
        self,
        name: str,
        path: Any = None,
        target: Any = None,
    ) -> Any:
        """The spec of a provided package; None for any other."""
        place = self.places.get(name) if path is None else None
        return None if place is None else self.find(name, [place], target)


def preload(places: Mapping[str, str]) -> None:
    """Import packages once for all children; a failed import is left to each child."""
    finder = OnlyThese(places)
    sys.meta_path.append(finder)
    for name in places:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    sys.meta_path.remove(finder)


def settle(places: Mapping[str, str]) -> None:
    """Let preloaded packages find their parts in this child's folders, and drop all others."""
    for name, module in list(sys.modules.items()):
        top, _, rest = name.partition(".")
        if top not in PRELOADED:
            continue
        if top not in places:
            del sys.modules[name]
        elif hasattr(module, "__path__"):
            module.__path__ = ["/".join([places[top], top, *rest.split(".")]).rstrip("/")]


class CheckCalls:
    """What `check` got under the name of the answer, and in which cells it was called.

    In the notebook `check` judged this very object, so it may be the answer that counts. A value
    is kept as it was then: a list may change later, and a generator is used up.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cell = 0
        self.cells: list[int] = []
        self.given: list[Any] = []

    def __call__(self, name: Any = None, answer: Any = None, *_rest: Any, **_options: Any) -> None:
        """The result of `check(name, answer)`, which is nothing here."""
        if type(name) is not str or name != self.name:
            return
        self.cells = [*self.cells[-999:], self.cell]
        if not callable(answer) and answer is not ...:
            try:
                answer = unpack(pack(answer))
            except BaseException:  # noqa: BLE001 -- whatever it is, it is the student's
                return
        self.given = [answer]


def stub(module: str, names: Sequence[str], checks: "CheckCalls | None" = None) -> None:
    """A module whose functions do nothing, in place of a module that the child may not have.

    A provided package around it stays as it is. `checks` is what stands for `check`.
    """
    parts = module.split(".")
    for i in range(1, len(parts) + 1):
        name = ".".join(parts[:i])
        if name in sys.modules:  # it may be one that was made here, which has no spec
            continue
        if i < len(parts) and importlib.util.find_spec(name) is not None:
            importlib.import_module(name)
        else:
            made = types.ModuleType(name)
            made.__path__ = []
            sys.modules[name] = made
            if i > 1:
                setattr(sys.modules[".".join(parts[: i - 1])], parts[i - 1], made)
    for name in names:
        nothing = checks if checks is not None and name == "check" else _nothing
        setattr(sys.modules[module], name, nothing)


def _nothing(*_args: Any, **_options: Any) -> None:
    """What `begin` and `hint` do here."""


def replace(namespace: dict[str, Any], one: Mapping[str, Any]) -> None:
    """Replace the student's answer to an earlier question by the right one."""
    right_namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
    try:
        for cell in one["cells"]:
            code = compile(cell, "<right>", "exec", dont_inherit=True)
            exec(code, right_namespace)  # noqa: S102 -- the teacher's
        right = right_namespace[one["name"]] if one["cells"] else unpack(one["value"])
    except BaseException:  # noqa: BLE001 -- the student's code may have broken what it needs
        return
    namespace[one["name"]] = right


def answer(call: Mapping[str, Any], namespace: dict[str, Any], case: Any) -> dict[str, Any]:
    """The answer to one case: a packed value, an error, or why the value is not plain data."""
    target = namespace.get(call["name"], ABSENT)
    if target is ABSENT:
        return {"missing": call["name"]}
    try:
        value = target if call["read"] else target(*unpack(case, _as_array))
        return {"blank": True} if value is ... else {"value": pack(value)}
    except NotPlain as error:
        return {"refused": str(error)}
    except BaseException as error:  # noqa: BLE001 -- whatever it is, it is the student's
        return {"error": raised(error)}


def _as_array(items: Any) -> Any:
    import numpy as np

    return np.array(items)


def serve(source: int, sink: int) -> NoReturn:
    """Run what is asked on `source`, answer on `sink`, and end without a trace."""
    # The names that this function needs are its own: a student may redefine the modules'.
    leave = os._exit
    flush = _flush
    read = read_frame
    write = write_frame
    try:
        question = read(source)
        sys.meta_path.append(OnlyThese(question["packages"]))
        settle(question["packages"])
        checks = CheckCalls(question["answer"])
        for module, names in question["stubs"].items():
            stub(module, names, checks)
        namespace = _main_module()
        namespace["get_ipython"] = Commands()
        cells = Cells(namespace)
        for number in [0, *question["order"]]:
            checks.cell = number
            if number:
                cells.run(number, question["cells"][number - 1])
            for one in question["replaced"]:
                if number in one["after"]:
                    replace(namespace, one)
        if question["checked"] and checks.given:
            namespace[checks.name] = checks.given[0]
        if question["harness"]:
            cells.run(0, question["harness"])
        flush()
        write(sink, {"cells": cells.report(), "checked": list(map(int, checks.cells))})
        while (case := read(source)) is not None:
            reply = answer(question["call"], namespace, case["inputs"])
            flush()
            write(sink, {"word": case["word"], **reply})
    except (EOFError, OSError):
        pass
    finally:
        leave(0)


def _main_module() -> dict[str, Any]:
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    # What Jupyter has beside Python: a pasted `Out[3]: 5` asks for it.
    main.__dict__.update(
        __builtins__=builtins,
        display=print,
        In=[""],
        Out={},
    )
    return main.__dict__


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        flush: Callable[[], object] = getattr(stream, "flush", lambda: None)
        try:
            flush()
        except BaseException:  # noqa: BLE001, S112 -- a stream that the student put there
            continue
