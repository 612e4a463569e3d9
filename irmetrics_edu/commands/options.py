"""Options that commands share: their ranges, and which options can be combined."""

import argparse
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from irmetrics_edu.checks import ReadingLimits, limits
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.provenance import Provenance, provenance
from irmetrics_edu.views.escaping import visible
from irmetrics_edu.views.output import put, put_tables, unbroken

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from irmetrics_edu.views.result_table import Report, ResultTable

_WITH_PROVENANCE = ("json", "markdown", "html")
MOST_DIGITS = 17  # what a double has
MOST_SEED = 2**32 - 1  # what every generator of random numbers takes


def add_examples(parser: argparse.ArgumentParser, examples: Iterable[str]) -> None:
    """Show examples at the end of a command's help, one on each line, and a usage of one line."""
    about, *commands = (parser.description or "").split("\n\n")
    parser.description = "\n\n".join([textwrap.fill(about, 78), *commands])
    if shown := [f"  irmetrics-edu {example}" for example in examples]:
        parser.epilog = "\n".join(["examples:", *shown])
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    positional = [a for a in parser._actions if not a.option_strings]  # noqa: SLF001 -- as below
    if any(isinstance(a, argparse._SubParsersAction) for a in positional):  # noqa: SLF001 -- argparse has no public name for it
        return
    names = []
    for a in positional:
        name = str(a.metavar or a.dest)
        names.append(f"[{name}]" if a.nargs == "?" else f"{name} ..." if a.nargs == "+" else name)
    parser.usage = " ".join(["%(prog)s [options]", *names])


class Action(NamedTuple):
    """An action of a command, such as `baseline show`: it alone takes its arguments.

    `about` is its description in the help, unless the summary says all.
    """

    name: str
    summary: str
    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    about: str = ""


def add_actions(
    parser: argparse.ArgumentParser,
    examples: Iterable[str],
    *actions: Action,
) -> None:
    """Add the actions of a command, each with its own help and its own of the examples."""
    subparsers = parser.add_subparsers(
        dest="action",
        required=True,
        metavar="ACTION",
    )
    for action in actions:
        about = action.about or sentence(action.summary)
        subparser = subparsers.add_parser(
            action.name,
            help=action.summary,
            description=about,
        )
        action.add(subparser)
        add_examples(subparser, [e for e in examples if e.split()[1] == action.name])
        subparser.set_defaults(run=action.run)


def put_result(
    result: "Report",
    tables: "Sequence[ResultTable]",
    args: argparse.Namespace,
    files: Iterable[Any],
    more: Mapping[str, Any] | None = None,
) -> None:
    """Print a result in its format, as JSON or as tables, with where it comes from.

    JSON has `more` beside the result, if that is given.
    """
    from irmetrics_edu.views.result_table import as_json

    origin = provenance_of(args, files) if args.form in _WITH_PROVENANCE else None
    if args.form == "json":
        made = {} if origin is None else {"made": origin.facts()}
        put(as_json({**result.facts(), **(more or {}), **made}), "json")
    else:
        put_tables(tables, args.form, [] if origin is None else origin.lines())


def sentence(summary: str) -> str:
    """A summary as a sentence."""
    return f"{summary[0].upper()}{summary[1:]}."


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """The type of an option that is a whole number in a range."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or value < low or (high is not None and value > high):
            most = f"of {low} or more" if high is None else f"from {low} to {high}"
            raise argparse.ArgumentTypeError(f"{text!r}: give a whole number {most}")
        return value

    return read


def add_digits(parser: argparse.ArgumentParser) -> None:
    """Add --digits."""
    parser.add_argument(
        "--digits",
        type=whole(0, MOST_DIGITS),
        default=4,
        metavar="N",
        help=f"show N decimals, from 0 to {MOST_DIGITS} (default: %(default)s)",
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the limits beyond which input is refused."""
    group = parser.add_argument_group("input beyond these limits is refused")
    what = {
        "max_line": ("BYTES", "length of a line, in bytes"),
        "max_ratio": ("N", "ratio of unpacked to packed size of a file, from 64 MiB on"),
        "max_cutoff": ("K", "cut-off k of a measure whose ideal fills every rank"),
    }
    for name, (metavar, quantity) in what.items():
        usual = getattr(ReadingLimits(), name)
        group.add_argument(
            f"--{name.replace('_', '-')}",
            type=whole(1),
            default=usual,
            metavar=metavar,
            help=f"the greatest {quantity} (default: %(default)s)",
        )


def limits_of(args: argparse.Namespace) -> AbstractContextManager[Any]:
    """The limits that the arguments give, if their command has limits."""
    names = [field.name for field in fields(ReadingLimits)]
    return limits(**{name: getattr(args, name) for name in names if hasattr(args, name)})


def add_seed(parser: "argparse._ActionsContainer", what: str) -> None:
    """Add --seed, of what is drawn at random."""
    parser.add_argument(
        "--seed",
        type=whole(0, MOST_SEED),
        default=0,
        metavar="N",
        help=f"seed of {what}: the same seed gives the same result (default: %(default)s)",
    )


def add_format(parser: argparse.ArgumentParser, /, **unused: str) -> None:
    """Add --format; `unused` lists, for each format, the options that it can't use, default first.

    If the chosen format can't use an option, the option is refused, not ignored.
    """
    first, *_ = unused
    parser.add_argument(
        "--format",
        choices=tuple(unused),
        default=first,
        dest="form",
        help="how the result is printed (default: %(default)s)",
    )
    parser.set_defaults(check=lambda args: _check_format(parser, args, unused))


def add_provenance(parser: "argparse._ActionsContainer") -> None:
    """Add --no-provenance."""
    parser.add_argument(
        "--no-provenance",
        action="store_true",
        help="leave out the date, the command, the versions, and the files with their sizes and "
        "digests, which JSON, Markdown and HTML have (SOURCE_DATE_EPOCH sets the date alone)",
    )


def provenance_of(args: argparse.Namespace, files: Iterable[Any]) -> Provenance | None:
    """Where the result comes from, for formats that have it; `files` may hold other things."""
    if args.no_provenance:
        return None
    return provenance(args.words, [file for file in files if isinstance(file, File)])


def _check_format(
    parser: argparse.ArgumentParser, args: argparse.Namespace, unused: Mapping[str, str]
) -> None:
    for option in unused[args.form].split():
        if is_given(parser, args, option):
            others = [form for form in unused if option not in unused[form].split()]
            raise InputError(
                f"--format {args.form} can't use {option}: leave it out, or choose "
                f"--format {' or '.join(others)}"
            )


def one_way(
    parser: argparse.ArgumentParser,
    args: argparse.Namespace,
    ways: Mapping[str, str],
    say: str,
) -> str:
    """The way in which the input was given; options of the other ways are refused.

    `ways` has for each option that begins a way the options that go with it. `say` is what to
    write where none or more than one is given.
    """
    taken = [way for way in ways if is_given(parser, args, way)]
    if len(taken) != 1:
        raise InputError(say)
    options_of_way = ways[taken[0]].split()
    for way, options in ways.items():
        for option in options.split():
            if option not in options_of_way and is_given(parser, args, option):
                raise InputError(f"{option} goes with {way}, not with {taken[0]}: {say}")
    return taken[0]


def is_given(
    parser: argparse.ArgumentParser,
    args: argparse.Namespace,
    option: str,
) -> bool:
    """Whether an option has another value than its default."""
    actions = parser._actions  # noqa: SLF001 -- argparse has no other list of them
    action = next(action for action in actions if option in action.option_strings)
    return bool(getattr(args, action.dest) != action.default)


def short_names(paths: Sequence[str]) -> dict[str, str]:
    """The name of each file, or its whole path where two have one name."""
    names = ["standard input" if path == "-" else Path(path).name for path in paths]
    return {p: p if names.count(n) > 1 else n for p, n in zip(paths, names, strict=True)}


@contextmanager
def bar(*columns: "ProgressColumn") -> "Iterator[Progress]":
    """A bar on the error stream; when it ends, it is cleared and the cursor comes back."""
    from rich.console import Console
    from rich.progress import Progress

    progress = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
    )
    try:
        with unbroken():
            progress.start()
        yield progress
    finally:
        with unbroken():
            progress.stop()


@contextmanager
def reading_shown() -> Iterator[None]:
    """A bar for each file as it is read."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

    from irmetrics_edu.reading import files

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with bar(*columns) as progress:
        task = progress.add_task("")

        def reading(
            path: Path,
            position: int,
            size: int,
        ) -> None:
            told = f"reading {visible(path.name)}"
            progress.update(
                task,
                description=told,
                completed=position,
                total=size or None,
            )

        with files.watched(reading):
            yield


_PATIENCE = 2.0  # seconds, after which whoever waits is told how far it is


@contextmanager
def searching_shown() -> Iterator[None]:
    """A bar that says how far a search is, on a terminal, once it takes a while."""
    from irmetrics_edu.diagnosis.watching import watched

    begin = time.monotonic()
    shown: list[Callable[[int, int], None]] = []
    with ExitStack() as stack:

        def tell(tried: int, of_all: int) -> None:
            is_late = time.monotonic() - begin >= _PATIENCE
            if not shown and is_late and sys.stderr.isatty():
                shown.append(stack.enter_context(_conventions_tried()))
            for bar_moves in shown:
                bar_moves(tried, of_all)

        with watched(tell):
            yield


@contextmanager
def _conventions_tried() -> Iterator[Callable[[int, int], None]]:
    """A bar of conventions, and what moves it."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

    text = TextColumn("conventions tried (Ctrl-C: the best answer so far)", markup=False)
    with bar(text, BarColumn(), MofNCompleteColumn()) as progress:
        task = progress.add_task("")
        yield lambda tried, of_all: progress.update(task, completed=tried, total=of_all)
