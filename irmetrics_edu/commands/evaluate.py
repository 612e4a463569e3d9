"""`irmetrics-edu evaluate QRELS RUN -m nDCG@10 -m AP`."""

import argparse
import sys
from pathlib import Path
from typing import Any

from irmetrics_edu import run_files
from irmetrics_edu.commands.progress import steps
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.measures import measures
from irmetrics_edu.runs.evaluation import Evaluation, evaluate

FORMATS = ("table", "trec", "json", "csv", "markdown", "latex", "html")
QRELS = "judgments (by subtopic for alpha-nDCG, ERR-IA ...): TREC, JSON, CSV or Parquet"
MEASURES = ["nDCG@10", "AP", "RR", "P@10", "R@100"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("qrels", metavar="QRELS", help=QRELS)
    parser.add_argument("run_file", metavar="RUN", help="a run: TREC, JSON, CSV or Parquet")
    add_common(parser)
    parser.add_argument("--per-query", action="store_true", help="the scores of each query too")
    parser.add_argument(
        "--summary", action="store_true", help="with quartiles and a bootstrap interval"
    )
    parser.add_argument("--plot", metavar="FILE", help="a plot of the scores, by the first measure")
    parser.add_argument("--format", choices=FORMATS, default="table", dest="form")


def add_common(parser: argparse.ArgumentParser) -> None:
    """What `evaluate` and `compare` both take."""
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        dest="measures",
        metavar="MEASURE",
        help=f"such as nDCG@10 or ndcg_cut_10; may be repeated (default {' '.join(MEASURES)})",
    )
    parser.add_argument(
        "--conventions",
        default="trec_eval",
        metavar="LIBRARY",
        help=f"whose conventions: {', '.join(BUNDLES)} (default trec_eval)",
    )
    parser.add_argument(
        "--missing-queries",
        choices=("zero", "skip", "refuse"),
        help="what a judged query counts that the run lacks (default: as the conventions say)",
    )
    parser.add_argument(
        "--categories", metavar="FILE", help="an item and one of its categories a line, for DCC, CC"
    )
    parser.add_argument(
        "--skip-bad", action="store_true", help="leave malformed lines out, and count them"
    )
    parser.add_argument("--digits", type=int, default=4, help="decimals shown (default 4)")


def options(args: argparse.Namespace) -> dict[str, Any]:
    """Conventions that are given by themselves, and what the measures need besides."""
    given = {"missing_queries": args.missing_queries, "categories": args.categories}
    for m in measures(args.measures or MEASURES):
        if "categories" in m.metric.inputs.arguments and args.categories is None:
            raise InputError(
                f"{m.name} needs the categories of items: give --categories FILE, with an item "
                "and one of its categories a line"
            )
    return {name: value for name, value in given.items() if value is not None}


def run(args: argparse.Namespace) -> int:
    """Evaluate a run and print the result."""
    with steps("evaluation", "views") as step:
        step()
        e = evaluate(
            args.run_file,
            args.qrels,
            args.measures or MEASURES,
            args.conventions,
            name=run_files.tag(Path(args.run_file)),
            skip_bad=args.skip_bad,
            **options(args),
        )
        step()
        shown = _shown(e, args)
        if args.plot is not None:
            e.plot().figure.savefig(args.plot)
    print(shown)
    if args.form in ("csv", "trec"):  # formats that have no place for notes
        for note in e.notes():
            print(f"note: {note}", file=sys.stderr)
    return 0


def _shown(e: Evaluation, args: argparse.Namespace) -> str:
    if args.form == "json":
        return e.json()
    if args.form == "trec":
        return e.trec(per_query=args.per_query)
    if args.form == "csv" and not args.summary:
        return e.csv().rstrip()
    table = (
        e.summary(digits=args.digits)
        if args.summary
        else e.table(per_query=args.per_query, digits=args.digits)
    )
    view = {"table": table.text, "markdown": table.markdown, "latex": table.latex}
    return {**view, "html": table.html, "csv": table.csv}[args.form]().rstrip()
