"""No number that a chapter shows lies on a half of its last digit.

There the last digit hangs on how a sum was added, which differs between processors, and a reader
who rounds by hand gets another one. A table then has a digit more. Numbers of figures are not seen.
"""

import ast
import functools
from collections.abc import Iterable, Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

from dev.tools import quick
from dev.tools.notebooks import sources
from irmetrics_edu.views import formatting

CHAPTERS = [path.name[:2] for path in sources([])]
NEAR = 1e-6  # of a unit of the last digit
SEEN = "shown_with_digits"


def is_on_a_half(value: object, digits: int) -> bool:
    """Whether a number, in units of the last digit that is shown, is a whole number and a half."""
    if not isinstance(value, float | np.floating):
        return False
    units = abs(float(value)) * 10.0**digits
    return units < 1e9 and abs(units % 1 - 0.5) < NEAR


def digits_of(spec: ast.expr | None) -> int | None:
    """The digits after the point of a format such as .2f or .1%; None of any other."""
    if not isinstance(spec, ast.JoinedStr) or len(spec.values) != 1:
        return None
    written = getattr(spec.values[0], "value", "")
    if not (isinstance(written, str) and "." in written and written[-1] in "f%"):
        return None
    after = written.partition(".")[2][:-1]
    if not after.isdigit():
        return None
    return int(after) + 2 * (written[-1] == "%")


class Watched(ast.NodeTransformer):
    """Each number in a text with digits passes through a function that sees it."""

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        """The same, with the call."""
        self.generic_visit(node)
        digits = digits_of(node.format_spec)
        if digits is not None:
            seen = ast.Name(SEEN, ast.Load())
            node.value = ast.Call(seen, [node.value, ast.Constant(digits)], [])
        return node


def numbers_on_halves(chapter: str, patch: pytest.MonkeyPatch) -> Iterator[tuple[object, int]]:
    """The numbers on a half in the tables and in the texts of a chapter, with their digits."""
    found: list[tuple[object, int]] = []
    column = formatting.column

    def watched_column(cells: Iterable[Any], digits: int = 4, *rest: Any, **options: Any) -> Any:
        cells = list(cells)
        found.extend((cell, digits) for cell in cells if is_on_a_half(cell, digits))
        return column(cells, digits, *rest, **options)

    def seen(value: Any, digits: int) -> Any:
        if is_on_a_half(value, digits):
            found.append((value, digits))
        return value

    patch.setattr(formatting, "column", functools.wraps(column)(watched_column))
    [path] = sources([chapter])
    names: dict[str, Any] = {"__name__": "__main__", SEEN: seen}
    for number, code in quick.cells(path):
        watched = ast.unparse(ast.fix_missing_locations(Watched().visit(ast.parse(code))))
        quick.execute(watched, names, str(path), number)
    yield from found


@pytest.mark.slow
@pytest.mark.suite("lessons")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_number_lies_on_a_half(chapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the tables of the chapter, and in its texts with a format."""
    mpl.use("Agg")
    assert list(numbers_on_halves(chapter, monkeypatch)) == []


def test_a_half_is_seen() -> None:
    """As a number of a table, and in a text; a number beside the half is not."""
    assert is_on_a_half(0.125, 2)
    assert is_on_a_half(0.30000000000000004 / 2, 1)
    assert not is_on_a_half(0.1251, 2)
    assert not is_on_a_half(5, 0)
    tree = ast.fix_missing_locations(Watched().visit(ast.parse("f'{x:.1%} {x:.2f} {x} {x:g}'")))
    assert ast.unparse(tree).count(SEEN) == 2
