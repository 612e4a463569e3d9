"""`irmetrics-edu judgments unjudged RUN ... --judged QRELS`."""

import argparse

from irmetrics_edu.checks import MOST_RANKS
from irmetrics_edu.commands.options import MOST_SEED, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.worklist import unjudged
from irmetrics_edu.reading.files import File
from irmetrics_edu.views.output import put, tell_notes

EXAMPLES = (
    "judgments unjudged my.run --judged qrels.txt -k 10 > work.csv",
    "judgments unjudged old.run new.run --documents corpus.jsonl --shuffle 7 -o work.csv",
)
_TEXTS = ".csv, .tsv or .jsonl with an id and a text, .json with a mapping"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The step's own arguments."""
    parser.add_argument(
        "runs", metavar="RUN", nargs="+", help="one or more runs: TREC, JSON, CSV or Parquet"
    )
    parser.add_argument(
        "--judged", metavar="QRELS", help="the judgments so far (default: nothing is judged)"
    )
    parser.add_argument(
        "-k", type=whole(1, MOST_RANKS), default=10, metavar="K",
        help="list unjudged documents among the first K ranks of a run (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--queries", metavar="FILE", help=f"the texts of queries: {_TEXTS}")
    parser.add_argument("--documents", metavar="FILE", help=f"the texts of documents: {_TEXTS}")
    parser.add_argument(
        "--shuffle", type=whole(0, MOST_SEED), metavar="SEED",
        help="shuffle the documents of each query and leave out runs and ranks, so that "
        "judges don't see them; the same seed gives the same order (default: by rank)",
    )  # fmt: skip
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (default: print)")


def run(args: argparse.Namespace) -> int:
    """Write the worklist; counts go to the error stream."""
    if len(set(args.runs)) < len(args.runs):
        raise InputError("a run is given twice; give each once")
    files = [File(path) for path in args.runs]
    names = [file.path.name for file in files]
    keys = [p if names.count(n) > 1 else n for p, n in zip(args.runs, names, strict=True)]
    work = unjudged(
        dict(zip(keys, files, strict=True)),
        args.judged,
        args.k,
        queries=args.queries,
        documents=args.documents,
        seed=args.shuffle,
    )
    if args.output is None:
        put(work.csv().rstrip("\n"), "csv")
    else:
        work.write(args.output)
    tell_notes(work.notes)
    return 0
