"""`irmetrics-edu judgments lint QRELS`."""

import argparse

from irmetrics_edu.commands.options import add_format
from irmetrics_edu.judging.trouble import ERROR, lint
from irmetrics_edu.views.output import FAILED, FINE, put, put_json

EXAMPLES = (
    "judgments lint qrels.txt",
    "judgments lint qrels.txt --queries topics.tsv --documents corpus.jsonl --format json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The step's own arguments."""
    parser.add_argument("judged", metavar="QRELS", help="judgments: TREC, JSON, CSV or Parquet")
    what = "or a plain list with one id a line: other ids are errors"
    parser.add_argument("--queries", metavar="FILE", help=f"all queries; CSV, TSV or JSONL {what}")
    parser.add_argument(
        "--documents", metavar="FILE", help=f"all documents; CSV, TSV or JSONL {what}"
    )
    parser.add_argument(
        "--rel", type=float, default=1, metavar="GRADE",
        help="the lowest grade that counts as relevant (default: %(default)s)",
    )  # fmt: skip
    add_format(parser, table="", json="")


def run(args: argparse.Namespace) -> int:
    """Print the findings; the exit code is 1 if one of them is an error."""
    found = lint(args.judged, queries=args.queries, documents=args.documents, rel=args.rel)
    errors = sum(finding.kind == ERROR for finding in found)
    if args.form == "json":
        put_json({"errors": errors, "findings": [finding.facts() for finding in found]})
    else:
        for finding in found:
            put(str(finding))
        put(f"errors: {errors:,}, warnings: {len(found) - errors:,}")
    return FAILED if errors else FINE
