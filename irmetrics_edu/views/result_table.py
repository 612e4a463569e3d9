"""A table of results with its notes: as text, Markdown, LaTeX, HTML, CSV or a data frame.

And what results share: one table gives all views of them, one set of facts gives their JSON.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.errors import extra
from irmetrics_edu.views import escaping, formatting


class OfFiles(str):
    """A note on how files were read. Who makes a table needs it; readers of a paper do not."""

    __slots__ = ()


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
        note_lines = [f"- {escaping.markdown(note, begins_line=True)}" for note in self.notes]
        tail = ["", *note_lines] if note_lines else []
        return "\n".join(
            [
                *head,
                formatting.markdown_table(self.header, self.cells()),
                *tail,
            ]
        )

    def latex(self) -> str:
        """LaTeX: a tabular, with the notes below; how files were read is a comment."""
        caption = [f"% {escaping.visible(self.caption)}"] if self.caption else []
        notes = []
        for note in self.notes:
            if isinstance(note, OfFiles):
                notes.append(f"% note: {escaping.visible(note)}")
            else:
                notes.append(rf"\par{{\footnotesize {escaping.latex(note)}\par}}")
        return "\n".join(
            [
                *caption,
                formatting.latex_table(self.header, self.cells()),
                *notes,
            ]
        )

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
        views = {
            "table": self.text,
            "markdown": self.markdown,
            "latex": self.latex,
        }
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


class Report:
    """A result that is said in plain values."""

    def facts(self) -> dict[str, Any]:
        """The result in plain values, as JSON has them."""
        raise NotImplementedError

    def json(self) -> str:
        """JSON; a number that is not defined is null."""
        return as_json(self.facts())


class Tabled:
    """A result that is shown as a table. The options of each view are those of `table`."""

    def table(self, *args: Any, **options: Any) -> ResultTable:
        """The table."""
        raise NotImplementedError

    def text(self, **options: Any) -> str:
        """Plain text."""
        return self.table(**options).text()

    def markdown(self, **options: Any) -> str:
        """Markdown."""
        return self.table(**options).markdown()

    def latex(self, **options: Any) -> str:
        """LaTeX."""
        return self.table(**options).latex()

    def html(self, **options: Any) -> str:
        """HTML, as a notebook shows it."""
        return self.table(**options).html()

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()


def as_json(facts: Mapping[str, Any]) -> str:
    """Facts as JSON; a number that is not defined is null."""
    # An id may be anything that a mapping has for a key, and is then shown as text.
    shown = finite(facts)
    return json.dumps(
        shown,
        ensure_ascii=False,
        indent=2,
        allow_nan=False,
        default=str,
    )


def finite(value: Any) -> Any:
    """The same with None for numbers that JSON does not have: NaN and infinity."""
    if isinstance(value, dict):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
