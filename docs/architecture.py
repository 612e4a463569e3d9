"""Draws the package's wings with the imports between them: `python docs/architecture.py`.

A wing imports only from wings below it, so that every mark stands right of the diagonal. What is
drawn is read from the imports themselves; `--check` fails where the drawing is not up to date.
"""

import ast
import sys
import tomllib
from html import escape
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
DRAWING = ROOT / "docs" / "architecture.svg"
PACKAGE = "irmetrics_edu"
LINE, CELL, LEFT, TOP, TEXT = 22, 20, 130, 96, 620


def wings() -> list[str]:
    """The wings and modules of the top folder, highest first, as the contract lists them."""
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = contract["tool"]["importlinter"]["contracts"][0]["layers"]
    return [name.strip() for layer in layers for name in layer.split("|")]


def sentence(wing: str) -> str:
    """What lives there: the first line of the wing's own docstring."""
    folder = ROOT / PACKAGE / wing
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.split("\n", 1)[0]


def counted() -> dict[tuple[str, str], int]:
    """How many imports there are from one wing to another."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    found: dict[tuple[str, str], int] = {}
    for module in sorted(graph.modules):
        for other in graph.find_modules_directly_imported_by(module):
            pair = tuple([*name.split("."), ""][1] for name in (module, other))
            if all(pair) and pair[0] != pair[1]:
                found[pair] = found.get(pair, 0) + 1
    return found


def drawing() -> str:
    """The drawing as SVG: a line for each wing, a column for each that is imported."""
    names, imports = wings(), counted()
    width, height = LEFT + len(names) * CELL + 16 + TEXT, TOP + len(names) * LINE + 16
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"',
        f' height="{height}" font-family="sans-serif" font-size="12" role="img">',
        "<title>The wings of the package and the imports between them</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for i, name in enumerate(names):
        y, x = TOP + i * LINE, LEFT + i * CELL
        if i % 2 == 0:
            out.append(f'<rect x="0" y="{y}" width="{width}" height="{LINE}" fill="#f3f5f7"/>')
        out += [
            f'<text x="{LEFT - 8}" y="{y + 15}" text-anchor="end" font-weight="bold">{name}</text>',
            f'<text x="{x + 14}" y="{TOP - 6}" transform="rotate(-60 {x + 14} {TOP - 6})">',
            f"{name}</text>",
            f'<rect x="{x + 1}" y="{y + 2}" width="{CELL - 2}" height="{LINE - 4}" ',
            'fill="#c9ced4"/>',
            f'<text x="{LEFT + len(names) * CELL + 12}" y="{y + 15}" fill="#333">',
            f"{escape(sentence(name))}</text>",
        ]
        for j, other in enumerate(names):
            if (name, other) in imports:
                out.append(
                    f'<text x="{LEFT + j * CELL + CELL / 2}" y="{y + 15}" text-anchor="middle" '
                    f'fill="#1257a6">{imports[name, other]}</text>'
                )
    return "\n".join([*out, "</svg>", ""])


def main(arguments: list[str]) -> int:
    """Write the drawing, or with `--check` fail where it is not up to date."""
    new = drawing()
    if "--check" not in arguments:
        DRAWING.write_text(new, encoding="utf-8")
        return 0
    if DRAWING.read_text(encoding="utf-8") == new:
        return 0
    sys.stderr.write(f"{DRAWING.relative_to(ROOT)} is not up to date: run make generated\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
