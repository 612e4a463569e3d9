"""A table of results with its notes: as text, Markdown, LaTeX, HTML, CSV or a data frame."""

import csv
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.views import formatting
from irmetrics_edu.views.explanation import html_table, latex_text


@dataclass(frozen=True)
class ResultTable:
    """Lines of values under a header, a caption above, notes below.

    Notes say what the numbers alone do not: queries that were missing, what a mark means.
    """

    header: tuple[str, ...]
    lines: Sequence[Sequence[Any]]
    caption: str = ""
    notes: tuple[str, ...] = ()
    digits: int = 4

    def cells(self) -> list[list[str]]:
        """The values as they are shown."""
        return [[formatting.cell(value, self.digits) for value in line] for line in self.lines]

    def text(self) -> str:
        """Plain text in columns."""
        parts = [self.caption] if self.caption else []
        parts.append(formatting.aligned(self.header, self.cells()))
        return "\n".join([*parts, *(f"note: {note}" for note in self.notes)])

    def markdown(self) -> str:
        """Markdown; numbers are flush right."""
        cells = self.cells()
        bars = ["---:" if self._numeric(i, cells) else "---" for i in range(len(self.header))]
        lines = [_bar(self.header), "|" + "|".join(bars) + "|", *(_bar(line) for line in cells)]
        head = [self.caption, ""] if self.caption else []
        tail = ["", *(f"- {note}" for note in self.notes)] if self.notes else []
        return "\n".join([*head, *lines, *tail])

    def latex(self) -> str:
        """LaTeX: a tabular, with the notes below."""
        cells = self.cells()
        kinds = "".join("r" if self._numeric(i, cells) else "l" for i in range(len(self.header)))
        body = [" & ".join(latex_text(c) for c in line) + r" \\" for line in cells]
        head = " & ".join(latex_text(h) for h in self.header) + r" \\"
        lines = [rf"\begin{{tabular}}{{{kinds}}}", r"\hline", head, r"\hline", *body, r"\hline"]
        lines.append(r"\end{tabular}")
        caption = [f"% {self.caption}"] if self.caption else []
        notes = [rf"\par\footnotesize {latex_text(note)}" for note in self.notes]
        return "\n".join([*caption, *lines, *notes])

    def html(self) -> str:
        """HTML, as a notebook shows it."""
        parts = ['<div class="irmetrics">']
        if self.caption:
            parts.append(f"<p>{html.escape(self.caption)}</p>")
        parts.append(html_table(self.header, [tuple(line) for line in self.cells()]))
        parts += [f"<p><em>{html.escape(note)}</em></p>" for note in self.notes]
        return "\n".join([*parts, "</div>"])

    def csv(self) -> str:
        """CSV with every digit; notes do not fit in it and are left to the caller."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(self.lines)
        return out.getvalue()

    def frame(self) -> Any:
        """A pandas data frame."""
        import pandas as pd

        return pd.DataFrame([list(line) for line in self.lines], columns=list(self.header))

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__
    _repr_html_ = html
    _repr_markdown_ = markdown
    _repr_latex_ = None

    def _numeric(self, i: int, cells: Sequence[Sequence[str]]) -> bool:
        return all(line[i].lstrip("-+")[:1].isdigit() or line[i] in ("-", "NaN") for line in cells)


def _bar(cells: Sequence[str]) -> str:
    return "| " + " | ".join(c.replace("|", r"\|") for c in cells) + " |"
