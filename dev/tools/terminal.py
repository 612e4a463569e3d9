"""A picture of a terminal, for a page that shows it at a glance."""

import re
from html import escape

_SIZE, _WIDE, _HIGH, _EDGE = 13, 7.83, 18, 16
_RED = re.compile(r"^(E |FAILED|F )")


def picture(text: str, title: str) -> str:
    """The lines as SVG, in a monospaced font; failures are red.

    >>> picture("$ pytest", "A test").count("<text")
    1
    """
    lines = text.rstrip().split("\n")
    width = round(2 * _EDGE + _WIDE * max(map(len, lines)))
    height = 2 * _EDGE + _HIGH * len(lines)
    root = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" font-size="{_SIZE}"'
        ' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">'
    )
    out = [
        root,
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" rx="8" fill="#1b1f24"/>',
    ]
    for i, line in enumerate(lines):
        colour = "#ff8c82" if _RED.match(line) else "#7cc4ee" if line.startswith("$") else "#e6e6e6"
        y = _EDGE + _HIGH * i + _SIZE
        out.append(
            f'<text x="{_EDGE}" y="{y}" fill="{colour}" xml:space="preserve"'
            f' textLength="{_WIDE * len(line):.0f}">{escape(line)}</text>'
            if line.strip()
            else ""
        )
    return "\n".join([*filter(None, out), "</svg>", ""])


def shown_on(page: str, which: int = 0) -> str:
    """The lines of a page's console block, by its place."""
    found: list[str] = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    return found[which]
