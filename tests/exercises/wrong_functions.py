"""Wrong functions made of a right one: one small change each, as a student might make it.

Of the solution of a question every operator, comparison, number, name, argument, condition, filter,
slice and statement is exchanged or left out, one at a time. A change that Python can't compile is
none. `tried` runs such a function on inputs, with a limit on its steps.
"""

import ast
import copy
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.classroom.exercises.computed_question import plain
from irmetrics_edu.classroom.exercises.differing import Failed
from irmetrics_edu.classroom.grading.plain_values import NotPlain

STEPS = 20_000
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
OPERATIONS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow)
OPPOSITES = {
    "min": "max", "max": "min", "any": "all", "all": "any", "sum": "len", "len": "sum",
    "log2": "log", "log": "log2", "mean": "sum", "floor": "ceil", "ceil": "floor",
    "argmin": "argmax", "argmax": "argmin", "union": "intersection", "intersection": "union",
    "cumsum": "cumprod", "sorted": "list", "set": "list", "median": "mean",
    "combinations": "permutations", "isdisjoint": "issubset", "maximum": "minimum",
    "minimum": "maximum", "zip": "product",
}  # fmt: skip
WRAPPERS = ("abs({})", "max(0, {})", "min(1, {})", "1 - {}", "-({})", "round({}, 2)")


@dataclass(frozen=True)
class WrongFunction:
    """The code of a cell with one change, and the change in words."""

    change: str
    code: str


def wrong_functions(code: str, name: str) -> list[WrongFunction]:
    """All changes of a function that is defined in the code of a cell, and of its helpers there."""
    tree = ast.parse(code)
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
    assert name in [function.name for function in functions]
    found: dict[str, WrongFunction] = {}
    for function in functions:
        for wrong in _changes(tree, function):
            found.setdefault(wrong.code, wrong)
    return [wrong for wrong in found.values() if _compiles(wrong.code)]


def _changes(tree: ast.Module, function: ast.FunctionDef) -> Iterator[WrongFunction]:
    """All changes of one function of a module."""
    whole = ast.unparse(tree)
    among = tree.body.index(function)
    for place, node in enumerate(ast.walk(function)):
        for old, new in _exchanges(node, function):
            other = copy.deepcopy(tree)
            again = other.body[among]
            _Exchange(list(ast.walk(again))[place], new).visit(again)
            text = ast.unparse(ast.fix_missing_locations(other))
            if text != whole:
                yield WrongFunction(f"{_line(function, node)} | {old} -> {_text(new)}", text)


class _Exchange(ast.NodeTransformer):
    """Puts another node, or none, in the place of one."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old = old
        self.new = new

    def visit(self, node: ast.AST) -> Any:
        """The new node in the place of the old one."""
        if node is self.old:
            return self.new
        return self.generic_visit(node)


def _compiles(code: str) -> bool:
    try:
        compile(code, "<wrong>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _text(node: ast.AST) -> str:
    """A node as Python writes it; of a statement with a body the head alone."""
    text = ast.unparse(ast.fix_missing_locations(node))
    return text.splitlines()[0] if hasattr(node, "body") else " ".join(text.split())


def _line(function: ast.FunctionDef, node: ast.AST) -> str:
    """The statement in which a node stands, by its first line."""
    within = function
    for statement in ast.walk(function):
        if isinstance(statement, ast.stmt) and any(n is node for n in ast.walk(statement)):
            within = statement  # the last one that is found is the innermost
    return ast.unparse(within).splitlines()[0].strip()


def _exchanges(node: ast.AST, function: ast.FunctionDef) -> Iterator[tuple[str, ast.AST]]:
    """What may stand in the place of a node, each with what stood there."""
    kinds: dict[type[ast.AST], Callable[..., Iterator[ast.AST]]] = {
        ast.Compare: _of_compare,
        ast.BinOp: _of_operation,
        ast.AugAssign: _of_change,
        ast.Constant: _of_constant,
        ast.Call: _of_call,
        ast.Subscript: _of_subscript,
        ast.BoolOp: _of_condition,
        ast.UnaryOp: _of_sign,
        ast.If: _of_branch,
        ast.IfExp: _of_branch,
        ast.comprehension: _of_loop,
        ast.For: _of_loop,
        ast.Return: _of_return,
        ast.Name: _of_name,
    }
    if node is function or _is_signature(node, function):
        return
    for new in kinds.get(type(node), _nothing)(node, function):
        yield _text(node), new
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    is_needed = isinstance(node, ast.Return | ast.FunctionDef) or is_docstring
    if isinstance(node, ast.stmt) and not is_needed:
        yield _text(node).partition(":")[0], ast.Pass()


def _is_signature(node: ast.AST, function: ast.FunctionDef) -> bool:
    return any(n is node for n in ast.walk(function.args))


def _nothing(_node: ast.AST, _function: ast.FunctionDef) -> Iterator[ast.AST]:
    return iter(())


def _changed(node: Any, **fields: Any) -> Any:
    """A copy of a node with other fields."""
    new = copy.deepcopy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _of_compare(node: ast.Compare, _: ast.FunctionDef) -> Iterator[ast.AST]:
    """Every other comparison; `in` turned round; a chain without one of its ends."""
    [*operators] = node.ops
    for i, operator in enumerate(operators):
        others: Sequence[type[ast.cmpop]] = ()
        if isinstance(operator, COMPARISONS):
            others = COMPARISONS
        turned = {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
        others = others or [turned[type(operator)]]
        for other in others:
            if other is not type(operator):
                yield _changed(node, ops=[*operators[:i], other(), *operators[i + 1 :]])
    yield ast.Constant(value=True)
    yield ast.Constant(value=False)
    if len(operators) > 1:
        yield _changed(
            node, ops=operators[1:], left=node.comparators[0], comparators=node.comparators[1:]
        )
        yield _changed(node, ops=operators[:-1], comparators=node.comparators[:-1])


def _of_operation(node: ast.BinOp, function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Every other operation, either side alone, and each other plausible denominator."""
    for other in OPERATIONS:
        if not isinstance(node.op, other):
            yield _changed(node, op=other())
    yield copy.deepcopy(node.left)
    yield copy.deepcopy(node.right)
    if isinstance(node.op, ast.Sub | ast.Div | ast.Pow):
        yield _changed(node, left=copy.deepcopy(node.right), right=copy.deepcopy(node.left))
    if isinstance(node.op, ast.Div):
        for name in _arguments(function):
            yield _changed(node, right=ast.Name(id=name, ctx=ast.Load()))
            yield _changed(node, right=ast.parse(f"len({name})", mode="eval").body)
        for more in (-1, 1):
            summed = ast.BinOp(copy.deepcopy(node.right), ast.Add(), ast.Constant(value=more))
            yield _changed(node, right=summed)


def _of_change(node: ast.AugAssign, _: ast.FunctionDef) -> Iterator[ast.AST]:
    """Every other operation, and an assignment in its place."""
    for other in OPERATIONS:
        if not isinstance(node.op, other):
            yield _changed(node, op=other())
    yield ast.Assign(
        targets=[copy.deepcopy(node.target)], value=copy.deepcopy(node.value), lineno=0
    )


def _of_constant(node: ast.Constant, _: ast.FunctionDef) -> Iterator[ast.AST]:
    """Neighbours of a number, and those that are often meant."""
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(value=not value)
    elif isinstance(value, int | float):
        for other in (value + 1, value - 1, 0, 1, 2, 0.5, -value, value * 2, value / 2):
            if other != value:
                yield ast.Constant(value=other)
    elif value is None:
        yield ast.Constant(value=0)


def _of_some(node: ast.Call, named: str, function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Only what another argument names, in place of all entries of a dict."""
    owner = ast.unparse(node.func.value)  # type: ignore[attr-defined]
    one = {"values": f"{owner}[one]", "items": f"(one, {owner}[one])", "keys": "one"}[named]
    for name in _arguments(function):
        if name != owner:
            text = f"[{one} for one in {name} if one in {owner}]"
            yield ast.parse(text, mode="eval").body


def _of_call(node: ast.Call, function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Another function, its argument alone, two arguments exchanged, one argument less."""
    named = node.func.attr if isinstance(node.func, ast.Attribute) else None
    if isinstance(node.func, ast.Name):
        named = node.func.id
    if named in OPPOSITES:
        func = copy.deepcopy(node.func)
        if isinstance(func, ast.Attribute):
            func.attr = OPPOSITES[named]
        else:
            func = ast.Name(id=OPPOSITES[named], ctx=ast.Load())
        yield _changed(node, func=func)
    for i in range(len(node.args)):
        yield copy.deepcopy(node.args[i])
        yield _changed(node, args=[*node.args[:i], *node.args[i + 1 :]])
    for i in range(len(node.args) - 1):
        exchanged = [*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]]
        yield _changed(node, args=exchanged)
    if named in {"values", "items", "keys"} and isinstance(node.func, ast.Attribute):
        yield from _of_some(node, named, function)
    for i in range(len(node.keywords)):
        yield _changed(node, keywords=[*node.keywords[:i], *node.keywords[i + 1 :]])
    if named == "enumerate" and len(node.args) == 1 and not node.keywords:
        yield _changed(node, args=[*node.args, ast.Constant(value=1)])


def _of_subscript(node: ast.Subscript, _: ast.FunctionDef) -> Iterator[ast.AST]:
    """A slice longer, shorter, left out or from the other end; a neighbour or the other end."""
    if not isinstance(node.ctx, ast.Load):
        return
    if isinstance(node.slice, ast.Slice):
        yield copy.deepcopy(node.value)
        for side in ("lower", "upper"):
            bound = getattr(node.slice, side)
            if bound is None:
                continue
            for more in (-1, 1):
                moved = ast.BinOp(copy.deepcopy(bound), ast.Add(), ast.Constant(value=more))
                yield _changed(node, slice=_changed(node.slice, **{side: moved}))
            yield _changed(node, slice=_changed(node.slice, **{side: None}))
        turned = _changed(node.slice, lower=node.slice.upper, upper=node.slice.lower)
        yield _changed(node, slice=turned)
    elif not isinstance(node.slice, ast.Tuple):
        for more in (-1, 1):
            moved = ast.BinOp(copy.deepcopy(node.slice), ast.Add(), ast.Constant(value=more))
            yield _changed(node, slice=moved)
        yield _changed(node, slice=ast.Constant(value=0))
        yield _changed(node, slice=ast.Constant(value=-1))


def _of_condition(node: ast.BoolOp, _: ast.FunctionDef) -> Iterator[ast.AST]:
    """`and` for `or`, and without one of its parts."""
    yield _changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    for i in range(len(node.values)):
        rest = [*node.values[:i], *node.values[i + 1 :]]
        yield _changed(node, values=rest) if len(rest) > 1 else copy.deepcopy(rest[0])


def _of_sign(node: ast.UnaryOp, _: ast.FunctionDef) -> Iterator[ast.AST]:
    """Without it."""
    yield copy.deepcopy(node.operand)


def _of_branch(node: Any, _: ast.FunctionDef) -> Iterator[ast.AST]:
    """The condition turned round, always met, and never met."""
    yield _changed(node, test=ast.UnaryOp(ast.Not(), copy.deepcopy(node.test)))
    yield _changed(node, test=ast.Constant(value=True))
    yield _changed(node, test=ast.Constant(value=False))


def _of_loop(node: Any, _: ast.FunctionDef) -> Iterator[ast.AST]:
    """Without its first, without its last, in the other direction, and without each filter."""
    for text in ("list({})[1:]", "list({})[:-1]", "list({})[::-1]", "sorted({})", "set({})"):
        other = ast.parse(text.format(ast.unparse(node.iter)), mode="eval").body
        yield _changed(node, iter=other)
    for i in range(len(getattr(node, "ifs", ()))):
        yield _changed(node, ifs=[*node.ifs[:i], *node.ifs[i + 1 :]])


def _of_return(node: ast.Return, _: ast.FunctionDef) -> Iterator[ast.AST]:
    """What is returned with a sign, a limit or a rounding."""
    if node.value is not None:
        for text in WRAPPERS:
            value = ast.parse(text.format(f"({ast.unparse(node.value)})"), mode="eval").body
            yield _changed(node, value=value)


def _of_name(node: ast.Name, function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Every other name of the function in its place."""
    if not isinstance(node.ctx, ast.Load):
        return
    mine = sorted({*_arguments(function), *_locals(function)})
    if node.id in mine:
        for other in mine:
            if other != node.id:
                yield ast.Name(id=other, ctx=ast.Load())


def _arguments(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in function.args.args]


def _locals(function: ast.FunctionDef) -> list[str]:
    names = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
    stored = {
        n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return sorted(names & stored)


class _TooLong(BaseException):
    """Too many steps; no Exception, so that nothing swallows it."""


def tried(call: Callable[..., Any], inputs: Mapping[str, Any]) -> Any:
    """What a function gives for these inputs, as plain data, or why it gives nothing."""
    given = copy.deepcopy(list(inputs.values()))
    left = STEPS

    def step(*_: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooLong
        return step

    before = sys.gettrace()
    sys.settrace(lambda frame, *_: step if frame.f_code.co_filename == "<wrong>" else None)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = call(*given)
    except _TooLong:
        return Failed("too many steps", "timeout")
    except Exception as error:  # noqa: BLE001 -- a wrong function may raise what it likes
        return Failed("raises", type(error).__name__)
    finally:
        sys.settrace(before)
    try:
        return plain(value)
    except NotPlain:
        return Failed("no plain value", "")
