"""`irmetrics-edu reproduce`: compute every number and formula of the documents again."""

import argparse
from typing import TYPE_CHECKING

from irmetrics_edu.commands.options import add_format
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import folded, put, put_json

if TYPE_CHECKING:
    from irmetrics_edu.course.documents.example import Example

_HANGING = " " * 12  # below the text of a line that has a word before it
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
        _listed(chosen)
    return 0 if all(e.comes_out for e in chosen) else 1


def _listed(examples: "list[Example]") -> None:
    """Each example with its print and its value; what the documents have wrong; a count."""
    from irmetrics_edu.course import documents
    from irmetrics_edu.course.documents.errata import closing, in_short, titled_errata

    for document in dict.fromkeys(example.document for example in examples):
        about, _ = documents.load(document)
        put(folded(f"{document}  {about['title']}", "     ") + "\n")
        for example in examples:
            if example.document == document:
                put("\n".join(folded(line, _HANGING) for line in in_short(example)) + "\n")
    for title, errata in titled_errata(examples):
        put(folded(f"{title}:", ""))
        for example, line, erratum in errata:
            place = example.id if line is example else f"{example.id}, {line.what}"
            correction = f"printed {erratum.printed}; right {erratum.right or '-'}. {erratum.why}"
            put(folded(f"  {place}: {correction}", "    "))
        put("")
    put(folded(closing(examples), ""))
