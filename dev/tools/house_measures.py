"""What can be read off the source alone: density, branches, lengths, names and types of doors.

Each rule gives the places that break it, as `file:line name`. `dev.tools.house` holds each rule to
a number that may only fall.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

MOST_BRANCHES = 12
MOST_LINES = 60
MOST_PARAMETERS = 8
MOST_POSITIONAL = 5
DENSEST_FILE = 10.0
FEWEST_LINES = 20  # of code: the density of a shorter file says nothing
# Words that tell nothing of the value that bears them: a noun of the field does, such as judgments.
EMPTY_WORDS = frozenset({"found", "given", "known", "of", "own", "said"})
# Façades: a user sees each of these keywords in one place, and each is explained there.
FACADES = frozenset(
    {
        "gate/score.py assert_metric",
        "gate/regression.py assert_improves",
        "gate/regression.py assert_no_regression",
        "gate/plugin/baseline_fixture.py __call__",
        "lab/study/own_lists.py study_lists",
        "metrics/definition.py __init__",
        "runs/comparison.py compare",
        "runs/evaluation.py evaluate",
    }
)

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert)


@dataclass(frozen=True)
class Module:
    """One file of the package: where it lies, its text, and its syntax tree."""

    name: str
    text: str
    tree: ast.Module

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the syntax tree, walked once: a dozen rules look at them."""
        return list(ast.walk(self.tree))

    @cached_property
    def code_lines(self) -> int:
        """The lines that are no blank, no comment and no docstring."""
        documented = _lines_of_docstrings(self.nodes)
        count = 0
        for number, line in enumerate(self.text.splitlines(), 1):
            stripped = line.strip()
            if stripped and not stripped.startswith("#") and number not in documented:
                count += 1
        return count

    def density(self) -> float:
        """The nodes of a line of code."""
        return len(self.nodes) / max(1, self.code_lines)

    @cached_property
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Every function, methods and inner ones included."""
        return [node for node in self.nodes if isinstance(node, _FUNCTIONS)]

    def at(self, node: ast.expr | ast.stmt, name: str = "") -> str:
        """A place as it is listed."""
        return f"{self.name}:{node.lineno} {name}".rstrip()


def modules_of(package: Path) -> list[Module]:
    """The modules of a package, in order."""
    found = []
    for path in sorted(package.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found.append(Module(path.relative_to(package).as_posix(), text, ast.parse(text)))
    return found


def _lines_of_docstrings(nodes: list[ast.AST]) -> set[int]:
    lines: set[int] = set()
    for node in nodes:
        if not isinstance(node, (ast.Module, ast.ClassDef, *_FUNCTIONS)) or not node.body:
            continue
        first = node.body[0]
        if (
            isinstance(first, ast.Expr)
            and isinstance(first.value, ast.Constant)
            and isinstance(first.value.value, str)
        ):
            lines.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return lines


def branches(function: ast.AST) -> int:
    r"""The branches of a function, those inside its expressions included, and one more.

    >>> branches(ast.parse("def f(a, b):\n    return [x for x in a if x and b] or b"))
    5
    """
    count = 1
    for node in ast.walk(function):
        if isinstance(node, (*_BRANCHES, ast.match_case, ast.Lambda)):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
    return count


def many_branches(module: Module) -> Iterator[str]:
    """Functions that branch more often than a reader can follow."""
    for function in module.functions:
        count = branches(function)
        if count > MOST_BRANCHES:
            yield module.at(function, f"{function.name} ({count})")


def long_functions(module: Module) -> Iterator[str]:
    """Functions that don't fit a screen, with their docstring."""
    for function in module.functions:
        length = (function.end_lineno or function.lineno) - function.lineno + 1
        if length > MOST_LINES:
            yield module.at(function, f"{function.name} ({length})")


def many_parameters(module: Module) -> Iterator[str]:
    """Functions with more parameters than `MOST_PARAMETERS`, but for the façades."""
    for function in module.functions:
        taken = function.args
        count = len(taken.posonlyargs) + len(taken.args) + len(taken.kwonlyargs)
        named = f"{module.name} {function.name}"
        if count > MOST_PARAMETERS and named not in FACADES:
            yield module.at(function, f"{function.name} ({count})")


def many_positional(module: Module) -> Iterator[str]:
    """Calls whose arguments a reader must count to know what each is."""
    for node in module.nodes:
        if isinstance(node, ast.Call) and len(node.args) > MOST_POSITIONAL:
            yield module.at(node, f"{ast.unparse(node.func)} ({len(node.args)})")


def walrus_in_conditions(module: Module) -> Iterator[str]:
    """Comprehensions whose condition gives a name to what it asks."""
    for node in module.nodes:
        if not isinstance(node, ast.comprehension):
            continue
        for condition in node.ifs:
            if any(isinstance(inner, ast.NamedExpr) for inner in ast.walk(condition)):
                yield module.at(condition)


def three_levels(module: Module) -> Iterator[str]:
    """Comprehensions with three loops within one another."""
    for node in module.nodes:
        if isinstance(node, _COMPREHENSIONS) and _levels(node) > 2:
            yield module.at(node)


def _levels(node: ast.AST) -> int:
    deepest = max((_levels(inner) for inner in ast.iter_child_nodes(node)), default=0)
    return deepest + (len(node.generators) if isinstance(node, _COMPREHENSIONS) else 0)


def unlike_pairs(module: Module) -> Iterator[str]:
    """Two or more assignments on one line, but for a pair of plain values that belong together."""
    for node in module.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
            continue
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and not _belong_together(target, node.value):
            yield module.at(node)


def _belong_together(target: ast.Tuple, value: ast.Tuple) -> bool:
    """A swap, or a pair of values that are looked up and not computed."""
    assigned = {ast.unparse(part) for part in target.elts}
    read = {ast.unparse(node) for node in ast.walk(value) if isinstance(node, ast.expr)}
    if assigned & read:
        return True
    plain = (ast.Name, ast.Constant, ast.Attribute, ast.UnaryOp)
    return len(value.elts) == 2 and all(isinstance(part, plain) for part in value.elts)


def for_its_error(module: Module) -> Iterator[str]:
    """Values that are evaluated only for the error that they may raise, and `locals()`."""
    for node in module.nodes:
        if isinstance(node, ast.Assign):
            if ast.unparse(node.targets[0]) == "_":
                yield module.at(node, ast.unparse(node.value))
        elif isinstance(node, ast.Expr):
            if isinstance(node.value, (ast.Attribute, ast.Subscript)):
                yield module.at(node, ast.unparse(node.value))
        elif isinstance(node, ast.Call) and ast.unparse(node) == "locals()":
            yield module.at(node, "locals()")


def empty_names(module: Module) -> Iterator[str]:
    """Local names and parameters that tell nothing of what they hold."""
    for function in module.functions:
        for name in sorted(EMPTY_WORDS & set(_local_names(function))):
            yield module.at(function, f"{function.name}: {name}")


def _local_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The parameters of a function and the names that it assigns, without those of inner ones."""
    for parameter in ast.walk(function.args):
        if isinstance(parameter, ast.arg):
            yield parameter.arg
    inside: list[ast.AST] = [*function.body]
    while inside:
        node = inside.pop()
        if isinstance(node, _FUNCTIONS):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):  # of a lambda
            yield node.arg
        inside.extend(ast.iter_child_nodes(node))


def untyped_doors(modules: list[Module]) -> Iterator[str]:
    """Functions, and public methods of classes, that a wing shows with a bare `Any`."""
    shown = _shown(modules)
    for module in modules:
        for node in module.tree.body:
            if not isinstance(node, (ast.ClassDef, *_FUNCTIONS)):
                continue
            if (module.name, node.name) not in shown:
                continue
            for function in _public_functions(node):
                for name, annotation in _annotations(function):
                    if isinstance(annotation, ast.Name) and annotation.id == "Any":
                        yield module.at(function, f"{function.name}({name})")


def _shown(modules: list[Module]) -> set[tuple[str, str]]:
    """File and name of all that the `HOMES` of the wings' doors list."""
    shown: set[tuple[str, str]] = set()
    for module in modules:
        for node in module.tree.body:
            if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not isinstance(
                node.value, ast.Dict
            ):
                continue
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if "HOMES" not in ast.unparse(target):
                continue
            for home, names in ast.literal_eval(node.value).items():
                file = home.removeprefix("irmetrics_edu.").replace(".", "/") + ".py"
                shown.update((file, name) for name in names.split())
    return shown


def _public_functions(
    node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    if not isinstance(node, ast.ClassDef):
        yield node
        return
    for inner in node.body:
        if isinstance(inner, _FUNCTIONS) and not inner.name.startswith("_"):
            yield inner


def _annotations(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[tuple[str, ast.expr | None]]:
    taken = function.args
    for parameter in [*taken.posonlyargs, *taken.args, *taken.kwonlyargs]:
        yield parameter.arg, parameter.annotation
    yield "return", function.returns


def dense_file(module: Module) -> Iterator[str]:
    """A file with more nodes a line of code than `DENSEST_FILE`."""
    density = module.density()
    if density > DENSEST_FILE and module.code_lines >= FEWEST_LINES:
        yield f"{module.name} ({density:.1f})"


EMPTY_NAMES = "local names that tell nothing of what they hold"
RULES: Mapping[str, Callable[[Module], Iterator[str]]] = {
    f"functions with more than {MOST_BRANCHES} branches": many_branches,
    f"functions of more than {MOST_LINES} lines": long_functions,
    f"functions with more than {MOST_PARAMETERS} parameters": many_parameters,
    f"calls with more than {MOST_POSITIONAL} positional arguments": many_positional,
    f"files with more than {DENSEST_FILE:g} nodes a line": dense_file,
    "walruses in a comprehension's condition": walrus_in_conditions,
    "comprehensions of three levels": three_levels,
    "assignments that share a line": unlike_pairs,
    "values evaluated for their error": for_its_error,
    EMPTY_NAMES: empty_names,
}
# Rules that look at all modules at once.
CLASSES_TWICE = "class names that stand for two things"
UNTYPED = "bare Any in what a wing shows"


def classes_twice(modules: list[Module]) -> Iterator[str]:
    """The names that two classes of the package have."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for module in modules:
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module.name)
    for name, files in sorted(places.items()):
        if len(files) > 1:
            yield f"{name}: {', '.join(files)}"


def broken_rules(modules: list[Module]) -> dict[str, list[str]]:
    """For each rule the places that break it."""
    places: dict[str, list[str]] = {}
    for name, rule in RULES.items():
        places[name] = [place for module in modules for place in rule(module)]
    places[UNTYPED] = list(untyped_doors(modules))
    places[CLASSES_TWICE] = list(classes_twice(modules))
    return places


def nodes_a_line(modules: list[Module]) -> float:
    """The density of the whole package."""
    nodes = sum(len(module.nodes) for module in modules)
    lines = sum(module.code_lines for module in modules)
    return nodes / max(1, lines)


def share_of_branching(modules: list[Module]) -> float:
    """The share of the functions that branch more than `MOST_BRANCHES` times."""
    functions = sum(1 for module in modules for _ in module.functions)
    branching = sum(1 for module in modules for _ in many_branches(module))
    return branching / max(1, functions)
