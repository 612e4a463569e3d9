"""`irmetrics-edu reproduce`: compute every number and formula of the documents again."""

import argparse
import textwrap
from typing import TYPE_CHECKING

from irmetrics_edu.commands.options import add_format
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import PIPED, put, put_json, show

if TYPE_CHECKING:
    from irmetrics_edu.course.documents.example import Example

_HEADER = ("example", "what", "printed", "computed", "verdict")
EXAMPLES = (
    "reproduce --document 004",
    "reproduce --example 004-NDCG",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "--document",
        type=_document,
        choices=("000", "001", "002", "003", "004"),
        help="recompute only this document (default: all five)",
    )
    parser.add_argument(
        "--example",
        metavar="ID",
        help="show only this example, with its whole working; gmap is enough for 004-GMAP",
    )
    add_format(parser, table="", json="")


def _document(number: str) -> str:
    """A document's number as it is written: 4 is 004."""
    return number.zfill(3) if number.isdecimal() and len(number) < 3 else number


def run(args: argparse.Namespace) -> int:
    """Print the examples; the exit code is 0 only if all values agree."""
    from irmetrics_edu.course import documents
    from irmetrics_edu.course.documents.errata import in_full

    if args.example is not None:
        item = documents.example(args.example)
        if args.document not in (None, item.document):
            raise InputError(f"{item.id} is in document {item.document}")
        chosen = [item]
    else:
        chosen = documents.examples(args.document)
    if args.form == "json":
        put_json([e.facts() for e in chosen])
    elif args.example is not None:
        put(in_full(chosen[0]))
    else:
        _tables(chosen)
    return 0 if all(e.comes_out for e in chosen) else 1


def _tables(examples: "list[Example]") -> None:
    from irmetrics_edu.course import documents
    from irmetrics_edu.course.documents.errata import closing, computed, titled_errata
    from irmetrics_edu.course.documents.example import DIFFERS, MISPRINT

    for document in dict.fromkeys(e.document for e in examples):
        about, _ = documents.load(document)
        mine = [e for e in examples if e.document == document]
        colours = {MISPRINT: "yellow", DIFFERS: "bold red"}
        styles = {i: colours.get(e.verdict, "") for i, e in enumerate(mine)}
        lines = [(e.id, e.what, e.printed, computed(e), e.verdict) for e in mine]
        show(f"{document}  {about['title']}", _HEADER, lines, styles=styles)
    for title, errata in titled_errata(examples):
        put(f"\n{title}:")
        for e, line, erratum in errata:
            place = e.id if line is e else f"{e.id}, {line.what}"
            correction = f"printed {erratum.printed}; right {erratum.right or '-'}. {erratum.why}"
            put(textwrap.fill(f"  {place}: {correction}", PIPED))
    put(f"\n{closing(examples)}")
