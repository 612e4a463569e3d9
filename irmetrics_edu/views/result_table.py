"""A table of results with its notes: as text, Markdown, LaTeX, HTML, CSV or a data frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.errors import extra
from irmetrics_edu.views import escaping, formatting


@dataclass(frozen=True)
class ResultTable:
    """Lines of values under a header, with a caption above and notes below.

    The notes say what the numbers don't show: which queries were missing, what a mark means.
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
        parts = [escaping.visible(self.caption)] if self.caption else []
        parts.append(formatting.aligned(self.header, self.cells()))
        return "\n".join([*parts, *(f"note: {escaping.visible(note)}" for note in self.notes)])

    def markdown(self) -> str:
        """Markdown; numbers are flush right."""
        head = [escaping.markdown(self.caption, begins_line=True), ""] if self.caption else []
        said = [f"- {escaping.markdown(note, begins_line=True)}" for note in self.notes]
        tail = ["", *said] if said else []
        return "\n".join([*head, formatting.markdown_table(self.header, self.cells()), *tail])

    def latex(self) -> str:
        """LaTeX: a tabular, with the notes below."""
        caption = [f"% {escaping.visible(self.caption)}"] if self.caption else []
        notes = [rf"\par\footnotesize {escaping.latex(note)}" for note in self.notes]
        return "\n".join([*caption, formatting.latex_table(self.header, self.cells()), *notes])

    def html(self) -> str:
        """HTML, as a notebook shows it."""
        parts = ['<div class="irmetrics">']
        if self.caption:
            parts.append(f"<p>{escaping.html(self.caption)}</p>")
        parts.append(formatting.html_table(self.header, self.cells()))
        parts += [f"<p><em>{escaping.html(note)}</em></p>" for note in self.notes]
        return "\n".join([*parts, "</div>"])

    def csv(self) -> str:
        """CSV with every digit; it has no place for notes, which are left to the caller."""
        return formatting.csv_table([self.header, *self.lines])

    def written(self, form: str) -> str:
        """The table in a format by its name: "table" (plain text), "markdown", "latex", ..."""
        views = {"table": self.text, "markdown": self.markdown, "latex": self.latex}
        return {**views, "html": self.html, "csv": self.csv}[form]().rstrip()

    def frame(self) -> Any:
        """A pandas data frame."""
        return extra("pandas", what="a data frame").DataFrame(
            [list(line) for line in self.lines], columns=list(self.header)
        )

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__
    _repr_html_ = html
    _repr_markdown_ = markdown
    _repr_latex_ = None
