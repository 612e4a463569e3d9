"""What a question of the bank is, whatever format it is written in."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from irmetrics_edu.views import escaping, formatting

NUMERIC, CHOICE = KINDS = ("numeric", "choice")
LETTERS = "ABCDEFGHIJKL"


@dataclass(frozen=True)
class Option:
    """One answer: what it says, what to tell whoever gives it, and the mistake behind it.

    `value` is the number of a numeric question. The right answer has no label.
    """

    text: str
    feedback: str
    label: str = ""
    value: float = 0.0

    @property
    def right(self) -> bool:
        """Whether it is the right answer."""
        return not self.label


@dataclass(frozen=True)
class DrawnQuestion:
    """A question with its data, its answers and its worked solution.

    kind       "numeric" or "choice"
    chapter    the number of the exercise whose spec it was drawn from; `topic` is its title there
    asks       what is asked, in words; `data` are the given values, by name; `wants` is the form
               of the answer
    options    the answers. Of a numeric question the right one and those of mistakes
    tolerance  how far a number may be from an option's value and still be that answer
    solution   how the right answer comes about, in plain text and in HTML
    """

    kind: str
    chapter: str
    name: str
    topic: str
    asks: str
    data: tuple[tuple[str, str], ...]
    wants: str
    options: tuple[Option, ...]
    solution: str
    solution_html: str
    tolerance: float = 0.0

    @cached_property
    def ident(self) -> str:
        """A name for files and references: it stays while the question does."""
        words = repr((self.kind, self.name, self.asks, self.data, self.wants))
        return f"q{int(hashlib.sha256(words.encode()).hexdigest()[:14], 16)}"

    @property
    def title(self) -> str:
        """What a list of questions shows."""
        return f"{self.chapter} {self.topic} ({self.kind}, {self.ident[:6]})"

    @property
    def right(self) -> Option:
        """The right answer."""
        return next(option for option in self.options if option.right)

    @property
    def wrong(self) -> list[Option]:
        """The answers of mistakes."""
        return [option for option in self.options if not option.right]

    @cached_property
    def text(self) -> str:
        """The question as plain text; no two questions of a bank have the same."""
        lines = [f"{name}: {value}" for name, value in self.data]
        return "\n".join([self.asks, *lines, self.wants])

    @cached_property
    def html(self) -> str:
        """The question as HTML, without its answers."""
        table = formatting.html_table(("given", "value"), self.data) if self.data else ""
        return "\n".join(filter(None, (paragraph(self.asks), table, paragraph(self.wants))))


def paragraph(text: str) -> str:
    """A text as a paragraph of HTML."""
    return f"<p>{escaping.html(text)}</p>"


def printed(value: Any) -> str:
    """A given value as a question shows it: short, in one order, with the digits that it has.

    Lists within a list keep apart.

    >>> printed([["d1", "d2"], ["d2", "d1"]]), printed({"d1": {"B", "A"}, "d2": set()})
    ('d1, d2; d2, d1', 'd1: A, B; d2: -')
    """
    if isinstance(value, Mapping):
        shown = [f"{_key(k)}: {printed(v)}" for k, v in value.items()]
        return _between(value.values()).join(shown) or "-"
    if isinstance(value, set | frozenset):
        return _between(value).join(sorted(map(printed, value))) or "-"
    if isinstance(value, list | tuple):
        return _between(value).join(map(printed, value)) or "-"
    if isinstance(value, float):
        return f"{formatting.steady(value):.10g}"
    return str(value)


def _between(values: Iterable[Any]) -> str:
    several = (Mapping, list, tuple, set, frozenset)
    # A text of several words may hold a comma's place: contexts, for instance.
    if any(isinstance(v, several) or " " in str(v) for v in values):
        return "; "
    return ", "


def _key(key: Any) -> str:
    return "-".join(map(str, key)) if isinstance(key, tuple) else str(key)
