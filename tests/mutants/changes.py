"""Small changes of a source file, each of which turns right code into wrong code."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARED: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
}
COMPUTED: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "/",
    ast.Mod: "*",
    ast.Pow: "*",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.LShift: ">>",
    ast.RShift: "<<",
}
CALLED = {
    "min": "max",
    "any": "all",
    "minimum": "maximum",
    "floor": "ceil",
    "left": "right",
    "cumsum": "cumprod",
    "argmin": "argmax",
    "zeros": "ones",
}
CALLED |= {new: old for old, new in CALLED.items()}


@dataclass(frozen=True)
class Change:
    """One change: the place in a file, what stands there, and what stands there instead."""

    file: str
    function: str
    line: int
    start: int
    end: int
    old: str
    new: str
    text: str  # the whole line, by which a person knows the place again

    @property
    def name(self) -> str:
        """The change in one line, without the line's number, which moves with every edit."""
        return f"{self.file} {self.function}: {self.text} | {self.old} -> {self.new}"

    def applied(self, source: str) -> str:
        """The source with the change."""
        raw = source.encode()
        return (raw[: self.start] + self.new.encode() + raw[self.end :]).decode()


def changes(path: Path, root: Path) -> list[Change]:
    """All changes of a file, in the order of its text."""
    source = path.read_text(encoding="utf-8")
    visitor = _Visitor(source, path.relative_to(root).as_posix())
    visitor.visit(ast.parse(source))
    return sorted(set(visitor.found), key=lambda change: (change.start, change.end, change.new))


class _Visitor(ast.NodeVisitor):
    """Collects changes; leaves out what only words a message, types or names."""

    def __init__(self, source: str, file: str) -> None:
        self.raw = source.encode()
        self.lines = source.splitlines()
        self.offsets = [0]
        for line in self.raw.splitlines(keepends=True):
            self.offsets.append(self.offsets[-1] + len(line))
        self.file = file
        self.scope: list[str] = []
        self.found: list[Change] = []

    def _span(self, node: ast.AST) -> tuple[int, int]:
        place = node  # every node that comes here has a place
        return (
            self.offsets[place.lineno - 1] + place.col_offset,  # type: ignore[attr-defined]
            self.offsets[place.end_lineno - 1] + place.end_col_offset,  # type: ignore[attr-defined]
        )

    def _add(self, start: int, end: int, new: str) -> None:
        line = self.raw.count(b"\n", 0, start) + 1
        self.found.append(
            Change(
                self.file,
                ".".join(self.scope) or "(module)",
                line,
                start,
                end,
                self.raw[start:end].decode(),
                new,
                self.lines[line - 1].strip(),
            )
        )

    def _between(self, left: ast.AST, right: ast.AST, word: str, new: str) -> None:
        """Exchange the operator that stands between two operands."""
        start, end = self._span(left)[1], self._span(right)[0]
        middle = self.raw[start:end].decode()
        at = middle.find(word)
        if at >= 0 and "#" not in middle[:at]:
            first = start + len(middle[:at].encode())
            self._add(first, first + len(word), new)

    # -- what is left out

    def _scoped(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        self.scope.append(node.name)
        for decorator in node.decorator_list:
            self.visit(decorator)
        if isinstance(node, ast.FunctionDef):
            for default in [*node.args.defaults, *node.args.kw_defaults]:
                if default is not None:
                    self.visit(default)
        for statement in node.body:
            self.visit(statement)
        self.scope.pop()

    visit_FunctionDef = visit_ClassDef = _scoped  # noqa: N815 -- ast's names

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Only the value; the rest is a type, and so is the value of an alias of types."""
        is_type = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
        if node.value is not None and not is_type:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """An error that is not raised; how it is worded is not the matter here."""
        self._add(*self._span(node), "pass")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A text for people."""

    def visit_If(self, node: ast.If) -> None:
        """The condition turned round."""
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self._turn(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """The same in an expression."""
        self._turn(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """A loop is not turned round: it would only not end."""
        self.generic_visit(node)

    def _turn(self, test: ast.expr) -> None:
        if not isinstance(test, ast.Compare | ast.UnaryOp):  # these have changes of their own
            start, end = self._span(test)
            self._add(start, end, f"not ({self.raw[start:end].decode()})")

    # -- what is changed

    def visit_Compare(self, node: ast.Compare) -> None:
        """Another comparison: its border, or its direction."""
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            signs = {
                ast.Is: "is",
                ast.IsNot: "is not",
                ast.In: "in",
                ast.NotIn: "not in",
                ast.Lt: "<",
                ast.LtE: "<=",
                ast.Gt: ">",
                ast.GtE: ">=",
                ast.Eq: "==",
                ast.NotEq: "!=",
            }
            kind = type(operator)
            for new in COMPARED[kind]:
                self._between(left, right, signs[kind], new)
            left = right
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """`and` for `or`."""
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, old, new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Another operation on numbers or sets; texts are left alone."""
        sides = (node.left, node.right)
        texts = any(
            isinstance(side, ast.JoinedStr)
            or (isinstance(side, ast.Constant) and isinstance(side.value, str))
            for side in sides
        )
        if type(node.op) in COMPUTED and not texts:
            old = {ast.FloorDiv: "//", ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>"}
            single = {
                ast.Add: "+",
                ast.Sub: "-",
                ast.Mult: "*",
                ast.Div: "/",
                ast.Mod: "%",
                ast.BitAnd: "&",
                ast.BitOr: "|",
            }
            kind = type(node.op)
            self._between(*sides, old.get(kind) or single[kind], COMPUTED[kind])
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """The same where a name is changed in place."""
        opposite = {ast.Add: ("+=", "-="), ast.Sub: ("-=", "+="), ast.Mult: ("*=", "/=")}
        opposite |= {ast.Div: ("/=", "*="), ast.BitAnd: ("&=", "|="), ast.BitOr: ("|=", "&=")}
        if type(node.op) in opposite:
            old, new = opposite[type(node.op)]
            self._between(node.target, node.value, old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Without its sign, its `not` or its complement."""
        start = self._span(node)[0]
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            self._add(start, start + (4 if isinstance(node.op, ast.Not) else 1), "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """A number one higher, a truth value turned round."""
        if node.value is True or node.value is False:
            self._add(*self._span(node), str(not node.value))
        elif isinstance(node.value, int | float) and node.value != float("inf"):
            self._add(*self._span(node), repr(node.value + 1))

    def visit_Call(self, node: ast.Call) -> None:
        """The opposite function, or its text argument, as `side="left"`."""
        named = node.func.attr if isinstance(node.func, ast.Attribute) else None
        if isinstance(node.func, ast.Name):
            named = node.func.id
        if named in CALLED:
            end = self._span(node.func)[1]
            self._add(end - len(named), end, CALLED[named])
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """The side of a search."""
        if (
            node.arg == "side"
            and isinstance(node.value, ast.Constant)
            and node.value.value in CALLED
        ):
            start, end = self._span(node.value)
            self._add(start + 1, end - 1, CALLED[node.value.value])
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        """A call for its effect is left out; a docstring is none."""
        if isinstance(node.value, ast.Call):
            self._add(*self._span(node), "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        """Go on instead of leaving."""
        self._add(*self._span(node), "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        """Leave instead of going on."""
        self._add(*self._span(node), "break")


def files(root: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    """The files of an area, in order."""
    for pattern in patterns:
        yield from sorted(path for path in root.glob(pattern) if path.name != "__init__.py")
