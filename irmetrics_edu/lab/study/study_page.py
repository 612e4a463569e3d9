"""The study as an HTML page that needs no other file."""

import base64
from collections.abc import Iterator

from irmetrics_edu.lab.study.claims import claims
from irmetrics_edu.lab.study.diversity_study import Study
from irmetrics_edu.lab.study.study_plots import FIGURES
from irmetrics_edu.lab.study.study_tables import about, headline, sheets
from irmetrics_edu.views import escaping, formatting
from irmetrics_edu.views.page import page
from irmetrics_edu.views.plotting import figure_bytes

_STYLE = """
body { font-family: sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: .9em; }
td, th { border: 1px solid #999; padding: .2em .5em; text-align: left; }
img { max-width: 100%; height: auto; } .note { color: #555; }
"""


def html(of: Study) -> str:
    """The tables and the figures, with a description of each figure."""
    title = f"Is it diversity that counts? {of.data.name}"
    found = claims(of)
    body = [
        f"<h1>{escaping.html(title)}</h1>",
        f"<p>{escaping.html(about(of.data))}</p>",
        *(f'<p class="note">{escaping.html(note)}</p>' for note in of.data.notes),
        f"<p>{escaping.html(headline(of, found))}</p>",
    ]
    for sheet in sheets(of, found):
        body += [f"<h2>{escaping.html(sheet.title)}</h2>"]
        body += [formatting.html_table(sheet.header, sheet.lines)]
        body += [f'<p class="note">{escaping.html(note)}</p>' for note in sheet.notes]
    body += ["<h2>Figures</h2>", *_figures(of)]
    return page(title, body, style=_STYLE).rstrip("\n")


def _figures(of: Study) -> Iterator[str]:
    for k in of.settings.cutoffs:
        for draw in FIGURES.values():
            data = base64.b64encode(figure_bytes(draw(of, k), "svg")).decode()
            said = f"{(draw.__doc__ or '').strip()} At {k}. The tables above hold the numbers."
            yield f"<h3>{escaping.html(said.split('. ', maxsplit=1)[0])}, at {k}</h3>"
            yield f'<img src="data:image/svg+xml;base64,{data}" alt="{escaping.html(said)}">'
