"""`irmetrics-edu judgments agreement FIRST SECOND`."""

import argparse
from pathlib import Path
from typing import Any

from irmetrics_edu.commands.options import add_digits, add_format, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.kappa import agreement
from irmetrics_edu.judging.labels import of_source, read_labels
from irmetrics_edu.views.output import put_json, put_tables

EXAMPLES = (
    "judgments agreement anna.csv model.csv",
    "judgments agreement both.csv --sources person:Anna model --run my.run -m nDCG@10",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The step's own arguments."""
    parser.add_argument(
        "judged", metavar="JUDGMENTS", nargs="+",
        help="two files of judgments: TREC, JSON, CSV or Parquet; or one file with --sources",
    )  # fmt: skip
    parser.add_argument(
        "--sources", nargs=2, metavar=("FIRST", "SECOND"),
        help="the two sources to compare in one CSV file with a column source (and judge): "
        "person, model or rule, or with the judge's name, such as person:Anna",
    )  # fmt: skip
    parser.add_argument(
        "--most", type=whole(0), default=10, metavar="N",
        help="show the N pairs that differ most (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--run",
        metavar="RUN",
        dest="run_file",
        help="score this run with the judgments of each source",
    )
    parser.add_argument(
        "-m", "--measure", action="append", dest="measures", metavar="MEASURE",
        help="a measure of --run, or several in one text; may be repeated (default: nDCG@10)",
    )  # fmt: skip
    add_digits(parser)
    add_format(parser, table="", json="--digits --most", markdown="", latex="", html="")


def run(args: argparse.Namespace) -> int:
    """Print how far two sources agree."""
    if args.measures and args.run_file is None:
        raise InputError("-m goes with --run, the run that is scored under either source")
    names, first, second = _sides(args)
    both = agreement(first, second, names)
    scores = (
        []
        if args.run_file is None
        else both.scores(args.run_file, " ".join(args.measures or ["nDCG@10"]))
    )
    if args.form == "json":
        put_json(both.facts(scores))
    else:
        put_tables(both.tables(args.most, args.digits, scores), args.form)
    return 0


def _sides(args: argparse.Namespace) -> tuple[tuple[str, str], Any, Any]:
    if args.sources is not None:
        if len(args.judged) != 1:
            raise InputError("--sources compares two sources of one file; give one")
        labels = read_labels(args.judged[0])
        a, b = args.sources
        return (a, b), of_source(labels, a), of_source(labels, b)
    if len(args.judged) != 2:
        raise InputError("give two files of judgments, or one file with --sources FIRST SECOND")
    a, b = args.judged
    short = Path(a).name, Path(b).name
    return ((a, b) if short[0] == short[1] else short), a, b
