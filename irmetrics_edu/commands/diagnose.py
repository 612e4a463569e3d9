"""`irmetrics-edu diagnose nDCG@10 --relevance 3,2,3,0,1,2 --value 0.949`."""

import argparse
from typing import Any

from irmetrics_edu.commands.evaluate import QRELS
from irmetrics_edu.commands.typed import grades_in, judgments_in, names_in
from irmetrics_edu.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("metric", help='a measure such as "nDCG@10" or "MAP"')
    parser.add_argument("--value", required=True, help="the number as printed, digits and all")
    parser.add_argument(
        "--relevance", metavar="G,G,...", help="grades in ranked order; - for a document not judged"
    )
    parser.add_argument(
        "--unretrieved", "--judged", metavar="G,G,...", default="",
        help="grades of judged documents that the ranking lacks (with --relevance)",
    )  # fmt: skip
    parser.add_argument("--ranking", metavar="ID,ID,...", help="document ids in ranked order")
    parser.add_argument(
        "--judgments",
        metavar="ID=G,...",
        help="grades of documents (ID alone: relevant), or a JSON file {ID: grade}",
    )
    parser.add_argument(
        "--run", metavar="FILE", dest="run_file", help="a whole run; the value is its mean"
    )
    parser.add_argument("--qrels", metavar="FILE", help="its " + QRELS)
    parser.add_argument(
        "--categories", metavar="FILE", help="an item and one of its categories a line, for DCC, CC"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", dest="form")


def run(args: argparse.Namespace) -> int:
    """Print the diagnosis; the exit code is 0 if something explains the value, else 1."""
    from irmetrics_edu.diagnosis import diagnose

    inputs, options = _inputs(args)
    found = diagnose(args.metric, *inputs, value=args.value, **options)
    print(found.json() if args.form == "json" else found.text)
    return 0 if found.explained else 1


def _inputs(args: argparse.Namespace) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What is measured: grades, a ranking with its judgments, or a run with its qrels."""
    ways = [args.relevance is not None, args.ranking is not None, args.run_file is not None]
    if sum(ways) != 1:
        raise InputError("give one of --relevance 5,2,3, --ranking d1,d2 and --run FILE")
    if args.categories is not None and args.run_file is None:
        raise InputError("--categories goes with --run FILE")
    if args.unretrieved and args.relevance is None:
        raise InputError("--unretrieved goes with --relevance; judgments and qrels say it")
    if args.relevance is not None:
        return (grades_in(args.relevance),), {"unretrieved": grades_in(args.unretrieved)}
    if args.ranking is not None:
        if args.judgments is None:
            raise InputError("--ranking needs --judgments d1=2,d3=1")
        return (names_in(args.ranking), judgments_in(args.judgments)), {}
    if args.qrels is None:
        raise InputError("--run needs --qrels FILE")
    beside = {} if args.categories is None else {"categories": args.categories}
    return (args.run_file, args.qrels), beside
