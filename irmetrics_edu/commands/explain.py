"""`irmetrics-edu explain "nDCG@3" --relevance 5,2,3`."""

import argparse
from typing import Any

from irmetrics_edu.commands.typed import grades_in, judgments_in, names_in
from irmetrics_edu.errors import InputError
from irmetrics_edu.notation import parse
from irmetrics_edu.views.explanation import Explanation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("metric", help='a measure such as "nDCG@10" or "nDCG(gain=exp)@5"')
    parser.add_argument(
        "--relevance", metavar="G,G,...", help="grades in ranked order; - for a document not judged"
    )
    parser.add_argument("--ranking", metavar="ID,ID,...", help="document ids in ranked order")
    parser.add_argument(
        "--judgments",
        metavar="ID=G,...",
        help="grades of documents (ID alone: relevant), or a JSON file {ID: grade}",
    )
    parser.add_argument("--exact", action="store_true", help="compute with fractions")
    parser.add_argument(
        "--format", choices=("text", "html", "latex", "markdown"), default="text", dest="form"
    )
    parser.add_argument("--digits", type=int, default=4, help="decimals shown (default 4)")


def run(args: argparse.Namespace) -> int:
    """Print the explanation."""
    metric = parse(args.metric)
    working = metric.working(*_inputs(args), exact=args.exact)
    explanation = Explanation(working, digits=args.digits)
    shown = explanation.text if args.form == "text" else getattr(explanation, args.form)()
    print(shown)
    return 0


def _inputs(args: argparse.Namespace) -> tuple[Any, ...]:
    if args.relevance is not None:
        if args.ranking is not None or args.judgments is not None:
            raise InputError("give --relevance alone, or --ranking with --judgments")
        return (grades_in(args.relevance),)
    if args.ranking is None or args.judgments is None:
        raise InputError("give --relevance 5,2,3 or --ranking d1,d2 with --judgments d1=2,d3=1")
    return names_in(args.ranking), judgments_in(args.judgments)
