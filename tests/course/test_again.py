"""Cells can be run again and out of order: a reader goes back, changes a number, and goes on."""

import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

from dev.tools import quick
from dev.tools.notebooks import sources

FACES = ("_repr_html_", "__repr__")


def sections(source: Path) -> list[list[tuple[int, str]]]:
    """The code cells of each section of a notebook, with their line numbers."""
    lines = source.read_text(encoding="utf-8").splitlines()
    heads = [number for number, line in enumerate(lines, 1) if line.startswith("# ## ")]
    found: dict[int, list[tuple[int, str]]] = {}
    for number, code in quick.cells(source):
        found.setdefault(sum(head < number for head in heads), []).append((number, code))
    return list(found.values())


def shown(source: Path, cell: tuple[int, str], names: dict[str, Any]) -> str:
    """What a cell shows, without the bytes of pictures."""
    number, code = cell
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        value = quick.execute(code, names, str(source), number)
    faces = [getattr(value, face)() for face in FACES if hasattr(type(value), face)]
    text = "" if value is None else faces[0]
    return printed.getvalue() + re.sub(r"base64,[A-Za-z0-9+/=]+", "", text)


def differing(source: Path) -> Iterator[str]:
    """The cells that show something else, or fail, when they are run again.

    The notebook is run from top to bottom. Then each section is run once more, backwards.
    """
    mpl.use("Agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    parts = sections(source)
    first = {cell: shown(source, cell, names) for cells in parts for cell in cells}
    for cells in parts:
        for cell in cells[::-1]:
            try:
                now = shown(source, cell, names)
            except Exception as error:  # noqa: BLE001 -- whatever a cell raises is the report
                yield f"{source.name}:{cell[0]}, again: {type(error).__name__}: {error}"
            else:
                if now != first[cell]:
                    yield f"{source.name}:{cell[0]}, again, shows something else"


@pytest.mark.suite("lessons")
@pytest.mark.slow
@pytest.mark.parametrize("source", sources(), ids=lambda p: p.stem)
def test_cells_can_be_run_again_and_out_of_order(source: Path) -> None:
    """The whole notebook, then each section backwards: each cell shows the same."""
    assert list(differing(source)) == []


def test_a_cell_that_depends_on_the_order_is_found(tmp_path: Path) -> None:
    """A name that changes its type, a count that goes on, and a cell that is as before."""
    source = tmp_path / "99_order.py"
    source.write_text(
        "# %% [markdown]\n# ## A\n\n# %%\nx = {'a': 1}\n\n# %%\nx['a']\n\n"
        "# %%\nn = 1\n\n# %%\nn += 1\nn\n\n# %% [markdown]\n# ## B\n\n# %%\nx = [2]\nx\n",
        encoding="utf-8",
    )
    assert [line.partition(", ")[2] for line in differing(source)] == [
        "again, shows something else",
        "again: TypeError: list indices must be integers or slices, not str",
    ]
