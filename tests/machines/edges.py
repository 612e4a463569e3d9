"""Numbers that are printed at the edge of rounding: a change of 1e-9 would print another digit.

Every f-string of the package and of the notebooks that rounds is watched: the number is looked at
before it is written. It is fine at an edge where it is a half, a quarter ... a 1024th, which are
exact on every machine, and where it went through `formatting.steady`, which makes it the same.

The clock goes as it likes meanwhile: what it says may be drawn, and shows in no text.
"""

import ast
import builtins
import functools
import importlib.abc
import importlib.machinery
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

RELATIVE = 1e-9
_PACKAGE = Path(__file__).resolve().parents[2] / "irmetrics_edu"
_EXACT = 1024
_WATCH = "__looked_at__"
_found: list[str] = []


def at_edge(value: Any, spec: str) -> bool:
    """Whether a change of 1e-9 in proportion changes what is written.

    >>> at_edge(0.12345, ".4f"), at_edge(0.12346, ".4f"), at_edge(0.125, ".2f")
    (True, False, False)
    """
    number = float(value)
    if not spec or number == 0 or not abs(number) < float("inf"):
        return False
    if (number * _EXACT).is_integer():
        return False
    low, high = (format(number * (1 + sign * RELATIVE), spec) for sign in (-1, 1))
    return low != high


def look(value: Any, spec: str) -> Any:
    """Give the value back, and keep its place if it stands at an edge."""
    # A float of numpy is one of Python's; of a fraction the digits are exact.
    if isinstance(value, float) and at_edge(value, spec):
        frame = sys._getframe(1)
        _found.append(f"{frame.f_code.co_filename}:{frame.f_lineno}: {value!r} by {spec!r}")
    return value


def drained() -> list[str]:
    """The edges found since, each once."""
    found = list(dict.fromkeys(_found))
    _found.clear()
    return found


class _Watching(ast.NodeTransformer):
    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        if node.format_spec is not None and node.conversion == -1 and not _is_steady(node.value):
            look = ast.Name(_WATCH, ast.Load())
            node.value = ast.Call(look, [node.value, node.format_spec], [])
        return node


def _is_steady(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith("steady")


def watched(source: str | bytes, file: str = "<cell>") -> ast.Module:
    """The code with every number looked at before it is rounded."""
    return ast.fix_missing_locations(_Watching().visit(ast.parse(source, file)))


class Clock:
    """A clock that goes on by another time whenever it is asked, from a microsecond to minutes.

    Libraries that ask are told what `true` tells: some warn of what takes them long.
    """

    def __init__(self, true: Callable[[], float] = time.perf_counter) -> None:
        self.now, self.true = 0.0, true

    def __call__(self) -> float:
        """The seconds that it says."""
        asking = sys._getframe(1).f_globals.get("__name__", "")
        if asking != "__main__" and not asking.startswith("irmetrics_edu"):
            return self.true()
        self.now += 10 ** random.uniform(-6, 2)
        return self.now


@functools.cache
def _compiled(file: str) -> CodeType:
    """From the source, past the bytecode that is cached; once for all notebooks."""
    return compile(watched(Path(file).read_bytes(), file), file, "exec", dont_inherit=True)


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        return _compiled(self.get_filename(fullname))


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith("irmetrics_edu"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin and spec.origin.endswith(".py"):
            spec.loader = _Loader(fullname, spec.origin)
        return spec


def main() -> None:
    """Run what `outputs` runs, watched; the edges are differences."""
    setattr(builtins, _WATCH, look)
    time.perf_counter, time.process_time = Clock(), Clock(time.process_time)
    sys.meta_path.insert(0, _Finder())
    for file in _PACKAGE.rglob("*.py"):  # what is forked has them all
        _compiled(str(file))
    from dev.tools import quick
    from tests.machines import outputs

    plain = quick.execute

    @functools.wraps(plain)
    def execute(code: str, names: dict[str, Any], file: str, line: int = 0) -> Any:
        return plain(ast.unparse(watched(code, file)), names, file, line)

    quick.execute = execute
    outputs.main(drained)


if __name__ == "__main__":
    main()
