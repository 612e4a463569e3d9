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
        help="CSV with the columns query, document and grade (source, judge and when if it has "
        "them), as `judgments unjudged` writes it",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True,
        help="write here: a name ending in .csv gets one CSV file with the sources, any other "
        "judgments of TREC with FILE.sources.csv beside",
    )  # fmt: skip
    parser.add_argument("--judged", metavar="QRELS", help="the judgments so far (default: none)")
    parser.add_argument(
        "--scale", type=scale, metavar="GRADES",
        help="the grades there may be, such as 0,1,2,3 (default: any number from 0 on)",
    )  # fmt: skip
    parser.add_argument(
        "--source", choices=SOURCES, default="", help="who graded the rows that don't say"
    )
    parser.add_argument("--judge", default="", metavar="NAME", help="the name of who graded them")
    parser.add_argument("--when", default="", metavar="DATE", help="when: 2026-05-01")
    parser.add_argument(
        "--unfilled", choices=UNFILLED, default="refuse",
        help="rows without a grade: refuse them, or leave them out and say how many "
        "(default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--conflicts", choices=CONFLICTS, default="refuse",
        help="rows that grade a pair otherwise than the judgments so far: refuse them, or let the "
        "old or the new grade stay (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--handed-out", metavar="FILE",
        help="the list as it was written: refuse rows of other pairs, count what did not come back",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Merge, write, and say what came of the rows."""
    same = args.judged is not None and Path(args.output).resolve() == Path(args.judged).resolve()
    if Path(args.output).is_file() and not same:
        raise InputError(
            f"{args.output} is there already, and is not the file of --judged; choose a new name"
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
