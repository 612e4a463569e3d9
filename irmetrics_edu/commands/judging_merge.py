"""`irmetrics-edu judgments merge GRADED ... -o JUDGMENTS`."""

import argparse
from pathlib import Path

from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.labels import SOURCES
from irmetrics_edu.judging.merging import CONFLICTS, UNFILLED, merge
from irmetrics_edu.judging.written import write_labels
from irmetrics_edu.views.output import put

EXAMPLES = (
    "judgments merge work.csv --source person --judge Anna --scale 0,1,2,3 -o new.qrels",
    "judgments merge work.csv --judged qrels.txt --source model --unfilled count -o qrels.txt",
)


def scale(text: str) -> tuple[float, ...]:
    """The type of --scale: grades with commas between them."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: give grades such as 0,1,2,3") from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The step's own arguments."""
    parser.add_argument(
        "graded", metavar="GRADED", nargs="+",
        help="CSV with the columns query, document and grade, and optionally source, judge "
        "and when; `judgments unjudged` writes such a file",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True,
        help="the file to write: .csv is one file with the sources; any other name is a "
        "TREC file, with the sources in FILE.sources.csv",
    )  # fmt: skip
    parser.add_argument("--judged", metavar="QRELS", help="the judgments so far (default: none)")
    parser.add_argument(
        "--scale", type=scale, metavar="GRADES",
        help="the grades of the scale, such as 0,1,2,3 (default: any number from 0 on)",
    )  # fmt: skip
    parser.add_argument(
        "--source", choices=SOURCES, default="", help="the source of rows that don't name one"
    )
    parser.add_argument(
        "--judge", default="", metavar="NAME", help="the judge of rows that don't name one"
    )
    parser.add_argument("--when", default="", metavar="DATE", help="when: 2026-05-01")
    parser.add_argument(
        "--unfilled", choices=UNFILLED, default="refuse",
        help="rows without a grade: refuse them, or leave them out and say how many "
        "(default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--conflicts", choices=CONFLICTS, default="refuse",
        help="rows whose grade differs from the judgments so far: refuse them, or keep the "
        "old or the new grade (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--handed-out", metavar="FILE",
        help="the worklist as it was handed out: rows of other pairs are refused, and "
        "missing pairs are counted",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Merge, write, and report what happened to the rows."""
    same = args.judged is not None and Path(args.output).resolve() == Path(args.judged).resolve()
    if Path(args.output).is_file() and not same:
        raise InputError(
            f"{args.output} already exists and is not the file of --judged; choose a new name"
        )
    merged = merge(
        args.graded,
        args.judged,
        scale=args.scale,
        source=args.source,
        judge=args.judge,
        when=args.when,
        unfilled=args.unfilled,
        conflicts=args.conflicts,
        handed_out=args.handed_out,
    )
    for path in write_labels(merged.labels, args.output):
        put(f"wrote {path}")
    for note in merged.notes:
        put(note)
    return 0
