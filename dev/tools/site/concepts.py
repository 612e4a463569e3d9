"""The concept map: chapters from top to bottom, and lines from concepts to what needs them."""

from collections.abc import Sequence
from typing import NamedTuple

from irmetrics_edu.views import escaping

_FONT, _LINE, _GAP, _LANE, _LEFT = 14, 18, 12, 9, 4  # pixels
_LETTER = 0.56 * _FONT  # the width of a letter, on average
_INK = ("var(--color-brand-primary)", "currentColor", "var(--color-brand-visited)")


class Row(NamedTuple):
    """A chapter: its title, the concepts that it teaches, and those that it needs."""

    title: str
    teaches: Sequence[str]
    needs: Sequence[str]


def drawn(rows: Sequence[Row]) -> str:
    """The map as SVG in the page's colours, as wide as a phone.

    A concept that a later chapter needs has a line of its own: it leaves the concept to the right,
    goes down a lane, and ends with a dot at each chapter that needs it.
    """
    shapes, tops, starts, y = [], [], {}, 0
    needed = {concept for row in rows for concept in row.needs}
    for row in rows:
        tops.append(y + 14)
        texts = [f'<tspan font-weight="bold">{escaping.html(row.title)}</tspan>']
        places = [y + 14]
        for concept in row.teaches:
            places.append(places[-1] + _LINE)
            starts[concept] = places[-1]
            texts.append(f"{'●' if concept in needed else '○'} {escaping.html(concept)}")
        shapes += [
            f'<text x="{_LEFT + (6 if i else 0)}" y="{at + 4}">{text}</text>'
            for i, (at, text) in enumerate(zip(places, texts, strict=True))
        ]
        y = places[-1] + _LINE + _GAP
    edge = width = _LEFT + 12 + round(_LETTER * 1.1 * max(len(row.title) for row in rows))
    free: list[int] = []  # the y down to which each lane is taken
    used = [(concept, at) for concept, at in starts.items() if concept in needed]
    for number, (concept, start) in enumerate(used):
        ends = [tops[i] for i, row in enumerate(rows) if concept in row.needs]
        lane = next((i for i, end in enumerate(free) if end < start), len(free))
        free[lane : lane + 1] = [max(ends)]
        x = edge + _LANE * (lane + 1)
        width = max(width, x)
        ink = _INK[number % len(_INK)]
        broad = 0.35 * sum(letter.isupper() or letter == "@" for letter in concept)
        back = min(edge, _LEFT + 26 + _LETTER * (len(concept) + broad))
        path = f"M{back:.0f} {start}H{x}V{max(ends)}"
        path += "".join(f"M{x} {end}H{edge}" for end in ends)
        shapes.append(f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="1.5"/>')
        shapes += [f'<circle cx="{edge}" cy="{e}" r="3" fill="{ink}"/>' for e in ends]
    lines = [f"{r.title} needs {', '.join(r.needs)}" for r in rows if r.needs]
    alt = escaping.html("Concept map. " + ". ".join(lines) + ".")
    size = f"{width + _LANE} {y}"
    return (
        f'<svg class="figure map" role="img" aria-label="{alt}" viewBox="0 0 {size}" '
        f'font-size="{_FONT}">{"".join(shapes)}</svg>'
    )
