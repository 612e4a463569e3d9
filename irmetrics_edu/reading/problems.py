"""Everything that is wrong with a file, line by line, in one message."""

from collections import Counter
from dataclasses import dataclass, field

from irmetrics_edu.errors import InputError

SHOWN = 20  # problems that one message lists
_WIDTH = 120  # characters of a line that a message quotes


class Malformed(InputError):  # noqa: N818 -- it says what the input is
    """What is wrong with a file; malformed lines can be left out."""

    OPTION = "skip_bad=True"

    def said(self, option: str) -> str:
        """The message with the option for leaving lines out under another name."""
        return str(self).replace(f"count them with {self.OPTION}", f"count them with {option}", 1)


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One malformed line: where it is, what it holds, what is wrong and what to write instead."""

    line: int
    text: str
    wrong: str

    def __str__(self) -> str:
        text = self.text if len(self.text) <= _WIDTH else self.text[:_WIDTH] + "..."
        return f"{text!r}: {self.wrong}"


@dataclass
class Problems:
    """The malformed lines of one file: all are counted, and some are kept.

    With `skip` they are left out and counted. Else the first of them is an error.
    """

    file: str
    unit: str = "line"
    skip: bool = False
    count: int = 0
    duplicates: int = 0
    kept: list[Problem] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)  # what was taken otherwise than written
    columns: dict[str, str] = field(default_factory=dict)  # of a table: which were read, as what

    def add(self, line: int, text: str, wrong: str) -> None:
        """One more malformed line."""
        self.count += 1
        if len(self.kept) < SHOWN:
            self.kept.append(Problem(line, text, wrong))

    @property
    def room(self) -> bool:
        """Whether another problem would be kept."""
        return len(self.kept) < SHOWN

    def more(self, count: int) -> None:
        """How many problems are counted but not described."""
        self.count += count

    def check(self) -> None:
        """Raise an error with what was found, unless `skip` is set."""
        if not self.count or self.skip:
            return
        lines = [f"  {self.unit} {p.line}: {p}" for p in sorted(self.kept)]
        if self.count > len(self.kept):
            lines.append(f"  and {self.count - len(self.kept)} more")
        many = f"{self.count} malformed {self.unit}s" if self.count > 1 else "a malformed line"
        if self.unit != "line" and self.count == 1:
            many = f"a malformed {self.unit}"
        raise Malformed(
            f"{self.file}: {many}, so nothing was computed; correct the file, or leave such "
            f"lines out and count them with {Malformed.OPTION}\n" + "\n".join(lines)
        )
