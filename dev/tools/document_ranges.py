"""All that the documents say, as ranges of their lines: what each holds, and where it is done."""

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from irmetrics_edu.course import documents
from irmetrics_edu.course.documents import places
from irmetrics_edu.course.documents.example import Example, Line
from irmetrics_edu.errors import InputError

_LISTS = ("functions", "chapters", "exercises", "pages", "says")


@dataclass(frozen=True, slots=True)
class Range:
    """Lines of a document, what they hold, and where the package has it.

    `says` are words of the course that teach it, found in one of the chapters, exercises or pages.
    `why` is the reason that nothing of it is computed.
    """

    document: str
    first: int
    last: int
    holds: str
    functions: tuple[str, ...] = ()
    chapters: tuple[int, ...] = ()
    exercises: tuple[str, ...] = ()  # the number of an exercise and a question of it: "07/gains"
    pages: tuple[str, ...] = ()  # of docs/, without the ending: "learning-to-rank"
    says: tuple[str, ...] = ()
    why: str = ""

    @property
    def lines(self) -> str:
        """The lines as they are cited."""
        return f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"

    def prints(self, line: Line) -> bool:
        """Whether any of these lines of the document prints it."""
        return any(start <= self.last and self.first <= end for start, end in line.at)

    @property
    def printed(self) -> list[tuple[Example, Line]]:
        """The worked lines that these lines of the document print, each with its example."""
        return [
            (e, line)
            for e in documents.load(self.document)[1]
            for line in (e, *e.lines)
            if (line.printed or line.erratum) and self.prints(line)
        ]


@cache
def ranges(document: str) -> tuple[Range, ...]:
    """All that a document says, in its order, as ranges of its lines."""
    documents.load(document)  # refuses an unknown one
    return read_ranges(documents.text_of(document), document)


def read_ranges(text: str, document: str) -> tuple[Range, ...]:
    """A document's TOML as its ranges; they are in order, and no line is in two of them."""
    found: list[Range] = []
    for entry in tomllib.loads(text).get("range", ()):
        place = f"{document}.toml, lines {entry.get('lines', '?')}"
        ((first, last),) = places(entry.get("lines"), place)
        if found and first <= found[-1].last:
            raise InputError(f"{place}: they don't come after lines {found[-1].lines}")
        given: dict[str, Any] = {
            n: tuple(v) if n in _LISTS else v for n, v in entry.items() if n != "lines"
        }
        try:
            found.append(Range(document, first, last, **given))
        except TypeError as error:  # a field that is missing, or that there is not
            raise InputError(f"{place}: {error}") from None
    return tuple(found)
