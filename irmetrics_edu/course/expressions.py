"""Evaluates expressions over the public names, and finds the working behind a number."""

import ast
import importlib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from types import CodeType
from typing import Any

import irmetrics_edu
from irmetrics_edu import course, judging, lab, metrics, runs
from irmetrics_edu.errors import InputError
from irmetrics_edu.working import Working

_ALLOWED = (
    *(all, any, abs, dict, enumerate, float, Fraction, int, len, list, max, min, range, set),
    *(sorted, str, sum, zip),
)
FUNCTIONS = {function.__name__: function for function in _ALLOWED}
_SHOWN = (irmetrics_edu, metrics, runs, judging, lab, course)


def public(name: str) -> Any:
    """A public name of the package, whichever wing shows it; a KeyError if none does."""
    for module in _SHOWN:
        if name in vars(module)["__all__"]:
            return getattr(module, name)
    raise KeyError(name)


@lru_cache(maxsize=4096)
def _compiled(call: str) -> tuple[CodeType, tuple[str, ...]]:
    """The code of an expression without private names, and the names that it asks for."""
    tree = ast.parse(call, mode="eval")
    bound = set()
    read = set()
    for node in ast.walk(tree):
        name = getattr(node, "attr", getattr(node, "id", ""))
        if name.startswith("_"):
            raise InputError(f"{call}: {name} is private")
        if not isinstance(node, ast.Name):
            continue
        if isinstance(node.ctx, ast.Store):
            bound.add(name)
        elif isinstance(node.ctx, ast.Load):
            read.add(name)
    code = compile(tree, call, "eval")
    return code, tuple(sorted(read - bound))


def unknown(call: str, inputs: Iterable[str]) -> dict[str, set[str]]:
    """The names in a call that it can't have beside these inputs, each with those that it can."""
    available = {*FUNCTIONS, *inputs, "formulas"}
    for module in _SHOWN:
        available.update(vars(module)["__all__"])
    _, wanted = _compiled(call)
    return dict.fromkeys(set(wanted) - available, available)


def evaluate(call: str, inputs: Mapping[str, Any] | None = None) -> Any:
    """The result of a call of a worked example: a Python expression over the public names."""
    code, wanted = _compiled(call)
    names = {**FUNCTIONS, **(inputs or {})}
    if "formulas" in wanted:
        names["formulas"] = importlib.import_module("irmetrics_edu.course.documents.formulas")
    # The package's own data file, public names alone.
    space: dict[str, Any] = {"__builtins__": {}}
    for name in wanted:
        space[name] = names[name] if name in names else public(name)
    return eval(code, space)  # noqa: S307 -- see above


def working_behind(
    call: str,
    inputs: Mapping[str, Any],
    result: Any,
) -> Working | None:
    """The working of the first metric called in the expression."""
    if isinstance(result, Working):
        return result
    if isinstance(getattr(result, "working", None), Working):
        return result.working  # type: ignore[no-any-return]  # just seen to be one
    from irmetrics_edu.metrics.definition import Metric
    from irmetrics_edu.runs.aggregation import Aggregate

    for node in ast.walk(ast.parse(call, mode="eval")):
        if not isinstance(node, ast.Call):
            continue
        try:
            function = evaluate(ast.unparse(node.func), inputs)
            if isinstance(function, Metric | Aggregate):
                node.func = ast.Attribute(node.func, "working", ast.Load())
                ast.fix_missing_locations(node)
            value = evaluate(ast.unparse(node), inputs)
        except (KeyError, NameError):  # a name bound by a comprehension around it
            continue
        working = getattr(value, "working", value)
        if isinstance(working, Working):
            return working
    return None
