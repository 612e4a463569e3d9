"""What commands print: text and tables on any terminal, pipe and encoding; how they end."""

import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TextIO

from irmetrics_edu.errors import InputError, OutputError
from irmetrics_edu.views import escaping
from irmetrics_edu.views.escaping import unobeyed, visible
from irmetrics_edu.views.page import SORTING, page

if TYPE_CHECKING:
    from rich.console import Console

    from irmetrics_edu.views.result_table import ResultTable

# Exit codes that scripts can use.
FINE = 0
FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130
_FOR_PEOPLE = ("table", "text")  # all other formats are read by machines
_READABLE = 100  # columns of a text that is folded, on a terminal that has more
PIPED = 80  # columns of what is no terminal, whatever terminal stands around it
_NAME, _WORD = 12, 8  # columns that the first column has at least, and any other with text
_NOT_IN_JSON = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_COMMAND = re.compile(r"^[^\S\n]*::", re.MULTILINE)  # GitHub skips blanks before it
_CELL_OF_COMMAND = re.compile(r"^[^\S\n]*::[^,\n]*", re.MULTILINE)
_NOT_IN_ASCII = re.compile("[^\x00-\x7f]")
_BEGINNING = 200  # characters that a message shows of a word of more than twice as many
_LONG_WORD = re.compile(r"\S{401,}")


def put(text: str, form: str = "table") -> None:
    r"""Print text in its format; a character that a terminal would obey becomes an escape.

    Text and tables for people are in the encoding of the output, with an escape such as \u03b1 for
    each character that it can't show. All other formats are read by machines, for which an escape
    is another id, so they are UTF-8 whatever the output's encoding is, as in a file of `-o`. JSON
    and HTML write what the output can't show in ASCII (\u03b1, &#945;), which loses nothing.
    """
    wide = (sys.stdout.encoding or "ascii").lower().startswith("utf")
    if form == "json":
        hidden = _NOT_IN_JSON if wide else _NOT_IN_ASCII
        text = hidden.sub(lambda character: json.dumps(character[0])[1:-1], text)
    elif form in _FOR_PEOPLE:
        text = visible(text, keep="\n\t")
    else:
        text = unobeyed(text, keep="\n\t")
    if form == "html" and not wide:
        text = text.encode("ascii", "xmlcharrefreplace").decode()
    if os.environ.get("GITHUB_ACTIONS") == "true":
        text = _without_commands(text, form)
    with _standard_output():
        if form in _FOR_PEOPLE:
            print(text)
        else:
            _print_utf8(text)


def _without_commands(text: str, form: str) -> str:
    r"""A text of which no line is a command to GitHub, which obeys what begins a line of the log.

    Where people read, the first colon becomes its escape. In CSV the cell is quoted, and in LaTeX
    and Markdown the colon is escaped as these have it. No other format begins a line with an id.

    >>> print(_without_commands("::error::x  0.5", "table"))
    \x3a:error::x  0.5
    >>> print(_without_commands("::error::x,0.5", "csv"))
    "::error::x",0.5
    """
    if form in _FOR_PEOPLE:
        return _COMMAND.sub(lambda begin: begin[0].replace("::", "\\x3a:", 1), text)
    if form == "csv":
        return _CELL_OF_COMMAND.sub(r'"\g<0>"', text)
    if form == "latex":
        return _COMMAND.sub(r"{}\g<0>", text)
    if form == "markdown":
        return _COMMAND.sub(lambda begin: begin[0].replace("::", r"\::", 1), text)
    return text


def folded(text: str, indent: str) -> str:
    """A text in lines that fit a terminal or a pipe; `indent` stands before all but the first.

    On a wide terminal they are still short enough to read. Letters that are two columns wide, as in
    Chinese, count as two.
    """
    from rich.text import Text

    console = _console()
    room = min(console.width, _READABLE)
    first = Text(text).wrap(console, room, overflow="fold")[0].plain
    rest = Text(text[len(first) :].strip())
    lines = [first.rstrip()]
    if rest:
        others = rest.wrap(console, max(room - len(indent), _WORD), overflow="fold")
        lines += [line.plain.rstrip() for line in others]
    return f"\n{indent}".join(lines)


def _print_utf8(text: str) -> None:
    """Print text in UTF-8 with plain ends of lines, if the output is of bytes at all."""
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:  # text is kept as text, as in a notebook
        print(text)
        return
    sys.stdout.flush()
    raw.write(f"{text}\n".encode())
    raw.flush()


def put_json(value: Any) -> None:
    """Print a value as JSON."""
    put(json.dumps(value, ensure_ascii=False, indent=2), "json")


def tell(text: str) -> None:
    """Say something beside the output, on the error stream."""
    print(visible(text, keep="\n\t"), file=sys.stderr)


def tell_notes(notes: Iterable[str]) -> None:
    """Print the notes that the format of the output has no place for."""
    for note in notes:
        tell(f"note: {note}")


def put_tables(
    tables: Sequence["ResultTable"],
    form: str,
    made: Sequence[str] = (),
) -> None:
    """Print tables of results in a format; in HTML as a page that can be opened.

    Markdown and HTML end with the lines of how the result was `made`.
    """
    text = "\n\n".join(table.written(form) for table in tables)
    if form == "markdown" and made:
        lines = [f"- {escaping.markdown(line, begins_line=True)}" for line in made]
        text = "\n".join([text, "", *lines])
    if form == "html":
        body = [f'<div class="wide" tabindex="0">{text}</div>', *_footer(made)]
        sorting = SORTING.read_text("utf-8")
        text = page(
            tables[0].caption,
            body,
            script=sorting,
        ).rstrip("\n")
    put(text, form)
    if form == "csv":
        tell_notes(note for table in tables for note in table.notes)


def _footer(made: Sequence[str]) -> list[str]:
    """The foot of a page: how it was made, a paragraph for each line."""
    if not made:
        return []
    lines = [f"<p>{escaping.html(line)}</p>" for line in made]
    return ["<footer>", *lines, "</footer>"]


def show(
    title: str,
    header: Sequence[str],
    lines: Sequence[Sequence[str]],
    *,
    caption: str = "",
    ruled: bool = False,
    unfolded: Sequence[int] = (),
) -> None:
    """Print a table that loses no cell: long texts are folded to the width of the terminal.

    `ruled` draws a rule between lines. Numbers
    are never folded, and neither are words of the columns in `unfolded`.
    """
    from rich.table import Table

    console = _console()
    table = Table(
        title=_text(title),
        title_justify="left",
        show_lines=ruled,
    )
    table.caption = _text(caption) if caption else None
    table.caption_justify = "left"
    sizes = []
    for i, heading in enumerate(header):
        shown = _ShownColumn.of(heading, [line[i] for line in lines], console, is_first=i == 0)
        sizes.append(shown.sizes(folded=i not in unfolded))
        table.add_column(
            _text(heading),
            justify="right" if shown.to_the_right else "left",
            overflow="fold",
        )
    frame = 3 * len(header) + 1
    widths = _fitted(sizes, console.width - frame)
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    for line in lines:
        table.add_row(*map(_text, line))
    console.width = max(console.width, frame + sum(widths))
    with _standard_output():
        console.print(table)


class _ShownColumn(NamedTuple):
    """A column of a table: how wide its longest word and its longest cell are, and its kind."""

    word: int
    widest: int
    is_first: bool
    is_numeric: bool
    has_lists: bool

    @classmethod
    def of(cls, heading: str, cells: Sequence[str], console: Any, *, is_first: bool) -> Self:
        """A column as it would be on a terminal without end."""
        from rich.measure import Measurement

        from irmetrics_edu.views import formatting

        endless = console.options.update(width=1_000_000)
        texts = [_text(heading), *map(_text, cells)]
        measured = [Measurement.get(console, endless, text) for text in texts]
        return cls(
            word=max(size.minimum for size in measured),
            widest=max(size.maximum for size in measured),
            is_first=is_first,
            is_numeric=not is_first and formatting.numeric(cells),
            has_lists=any(", " in cell for cell in cells),
        )

    @property
    def to_the_right(self) -> bool:
        """Whether its cells are single numbers."""
        return self.is_numeric and not self.has_lists

    def sizes(self, *, folded: bool) -> tuple[int, int]:
        """The least width that it may have, and the one that it would like to have."""
        if self.is_numeric or not folded:
            return self.word, self.widest
        room = _NAME if self.is_first else _WORD
        return min(self.word, room), self.widest


def _fitted(
    sizes: Sequence[tuple[int, int]],
    room: int,
) -> list[int]:
    """Widths of columns, from the least that each may have to what it would like to have.

    The widest gives way first. Where even the least is too much, that is what they get.
    """
    widths = [most for _, most in sizes]
    while sum(widths) > room:
        wide = [i for i, (least, _) in enumerate(sizes) if widths[i] > least]
        if not wide:
            break
        widths[max(wide, key=lambda i: widths[i])] -= 1
    return widths


def _text(text: str) -> Any:
    from rich.text import Text

    return Text(visible(text, keep="\n"))


def _console() -> "Console":
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Plain(width=None if sys.stdout.isatty() else PIPED)


# -- how a command ends


def ended(
    name: str,
    run: Callable[[], int],
) -> int:
    """Run a command to its exit code; it shows an error as a sentence, not as a traceback."""
    try:
        with _on_any_stream():
            return run()
    except KeyboardInterrupt:
        tell("interrupted")
        return INTERRUPTED
    except (InputError, OSError) as error:
        what: object = error
        if isinstance(error, OSError) and error.filename and not isinstance(error, OutputError):
            what = f"can't read {error.filename}: {(error.strerror or str(error)).lower()}"
        tell(f"{name}: {_LONG_WORD.sub(_cut, str(what))}")
        return BAD_INPUT


def _cut(word: re.Match[str]) -> str:
    """The beginning of a word that fills screens, such as an id of 1 MB, and how long it is."""
    return f"{word[0][:_BEGINNING]}... ({len(word[0]):,} characters)"


@contextmanager
def _on_any_stream() -> Iterator[None]:
    """Let both streams replace what they can't show, and ends of a pipe or by a signal be clean.

    A pipe that its reader closes ends a command as it does other tools, with 128 and the number of
    its signal; so do SIGTERM and a terminal that goes. Files and bars are closed before that.
    """
    _stand_in()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    before = {}
    for number in (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")):
        ours = (signal.SIG_DFL, signal.default_int_handler)  # not one that is ignored
        if number is not None and signal.getsignal(number) in ours:
            try:
                before[number] = signal.signal(number, _end)
            except ValueError:  # not the main thread, which alone hears signals
                break
    try:
        try:
            yield
        finally:
            with _standard_output():
                sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout)
        raise SystemExit(128 + 13) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stand_in() -> None:
    """Put something in the place of a stream that was closed before the command began.

    What is told on the error stream then goes nowhere, and an output fails when it is written. And
    no file that the command opens takes the number of a stream.
    """
    for name, mode in (("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(
                sys,
                name,
                os.fdopen(
                    os.open(os.devnull, mode),
                    "w",
                    encoding="utf-8",
                ),
            )


_HELD: list[list[int]] = []  # signals that came while something was not to be left half done


@contextmanager
def unbroken() -> Iterator[None]:
    """Hold signals off while something begins or ends that must not be left half done.

    A mask of signals would not do: it holds for one thread, and another thread still receives them.
    """
    _HELD.append([])
    try:
        yield
    finally:
        came = _HELD.pop()
    if came:
        _end(came[0], None)


def _end(number: int, _frame: FrameType | None) -> None:
    if _HELD:
        _HELD[-1].append(number)
    elif number == signal.SIGINT:
        raise KeyboardInterrupt
    else:
        raise SystemExit(128 + number)


@contextmanager
def _standard_output() -> Iterator[None]:
    """Let an error of printing say that it is one."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        _silence(sys.stdout)
        why = (error.strerror or str(error)).lower()
        raise OutputError(error.errno, f"can't write to standard output: {why}") from error


def _silence(stream: TextIO) -> None:
    """Let nothing more go to a stream that takes nothing, also what Python flushes at its end."""
    with suppress(OSError):  # it is no file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
