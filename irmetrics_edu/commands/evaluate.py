"""`irmetrics-edu evaluate QRELS RUN -m nDCG@10 -m AP`."""

import argparse
from typing import TYPE_CHECKING, Any

from irmetrics_edu.commands.options import (
    add_digits,
    add_format,
    add_limits,
    add_provenance,
    put_result,
    reading_shown,
    whole,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.column_of_file import ColumnOfFile
from irmetrics_edu.reading.files import File
from irmetrics_edu.views.output import put, tell_notes

if TYPE_CHECKING:
    from irmetrics_edu.runs.evaluation import Evaluation
    from irmetrics_edu.views.result_table import ResultTable

QRELS = "judgments (by subtopic for alpha-nDCG, ERR-IA ...): TREC, JSON, CSV or Parquet"
RUN = "a run: TREC, JSON, CSV or Parquet (a pipe and - for standard input too)"
MEASURES = ["nDCG@10", "AP", "RR", "P@10", "R@100"]
# What of each item a measure may need besides: what the file holds, for whom, and how.
BESIDE = {
    "categories": (
        "the categories of items",
        "DCC, CC ...",
        "an item and one of its categories a line",
    ),
    "popularity": ("how many users know each item", "ARP, novelty ...", 'JSON, {"item": 30, ...}'),
    "exposure": ("how many lists hold each item", "personalisation", 'JSON, {"item": 30, ...}'),
    "expected": (
        "the items that the user expects",
        "serendipity",
        'an item a line, or JSON, {"user": ["item", ...]}',
    ),
    "catalogue": ("all items of the catalogue", "catalogue_coverage", "an item a line"),
    "other": ("another run", "RBO, tau, tau_AP", "as for the run"),
}
CATEGORIES = "{}, for {}: {}".format(*BESIDE["categories"])
EXAMPLES = (
    "evaluate qrels.txt my.run",
    "evaluate qrels.txt my.run.gz -m nDCG@10 -m AP --per-query --format csv",
    "evaluate qrels.txt my.run --conventions ranx --summary",
    "evaluate qrels.txt my.run -m nDCG@10 --worst 10",
    "evaluate qrels.txt my.run --only fold1.txt --groups languages.csv --summary",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("qrels", metavar="QRELS", help=QRELS)
    parser.add_argument("run_file", metavar="RUN", help=RUN)
    add_common(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--per-query", action="store_true", help="show the scores of each query too")
    what.add_argument(
        "--summary",
        action="store_true",
        help="show the spread of the scores: quartiles and an interval of the mean",
    )
    what.add_argument(
        "--worst",
        type=whole(1),
        metavar="N",
        help="show the N queries with the lowest scores by the first measure",
    )
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="draw the score of each query into FILE (.png, .svg with tooltips, ...), by the first "
        "measure; of measures such as IPrec@0.0 IPrec@0.5 IPrec@1.0 alone, their P-R curve",
    )
    add_format(
        parser,
        table="",
        trec="--digits --summary --worst",
        json="--digits --summary --worst",
        csv="--digits",
        markdown="",
        latex="",
        html="",
    )


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that `evaluate` and `compare` share."""
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        dest="measures",
        metavar="MEASURE",
        help='a measure such as nDCG@10, or several, "nDCG@10 AP"; trec_eval\'s names also '
        "work, such as ndcg_cut_10; quote brackets, 'AUC(undefined=skip)'; may be repeated "
        f"(default: {' '.join(MEASURES)})",
    )
    add_digits(parser)
    add_provenance(parser)
    how = parser.add_argument_group("how scores are computed")
    how.add_argument(
        "--conventions",
        default="trec_eval",
        metavar="LIBRARY",
        help="compute as this library does, such as ranx (default: %(default)s); "
        "`irmetrics-edu conventions` lists all and shows how they differ",
    )
    how.add_argument(
        "--missing-queries",
        choices=("zero", "skip", "refuse"),
        help="what to do with a judged query that is not in the run: score it 0, leave it "
        "out, or stop (default: as the conventions say)",
    )
    how.add_argument(
        "--ties",
        metavar="RULE",
        help="the order of documents that share their score: docid, docid_ascending, given, "
        "reversed, averaged, optimistic ... (default: as the conventions say); "
        "`irmetrics-edu conventions` shows what each library does",
    )
    add_queries(parser)
    files = parser.add_argument_group("how files are read")
    add_columns(files)
    files.add_argument(
        "--skip-bad",
        action="store_true",
        help="leave out lines that can't be read, and say how many (default: stop)",
    )
    besides = parser.add_argument_group("what some measures need besides")
    for name, (what, whom, how_written) in BESIDE.items():
        besides.add_argument(
            f"--{name}",
            metavar="FILE",
            help=f"{what}, for {whom}: {how_written}",
        )
    add_limits(parser)


def add_queries(parser: argparse.ArgumentParser) -> None:
    """Which queries count, in which groups, and with which weights."""
    which = parser.add_argument_group("which queries count, and how")
    which.add_argument(
        "--only",
        metavar="FILE",
        help="count these queries alone, such as a fold: a file with an id on each line, or with "
        "their texts (.csv, .tsv, .jsonl); folds.csv:fold=1 takes the queries with this value in "
        "this column",
    )
    which.add_argument(
        "--groups",
        metavar="FILE",
        help="show the means of each group of queries too: CSV or TSV with a column of queries and "
        "one of groups, or JSON; of several columns, topics.csv:device names one",
    )
    which.add_argument(
        "--weights",
        metavar="FILE",
        help="weigh queries in the means, such as by how often they were asked: CSV or TSV with a "
        "column of queries and one of weights, or JSON; of several columns, log.csv:clicks names "
        "one",
    )


def queries_told(args: argparse.Namespace) -> dict[str, Any]:
    """What the files of queries say, as keywords of evaluate and compare."""
    told: dict[str, Any] = {}
    if args.only is not None:
        told["queries"] = ColumnOfFile(args.only)
    for name in ("groups", "weights"):
        file = getattr(args, name)
        if file is not None:
            told[name] = ColumnOfFile(file)
    return told


def add_columns(parser: "argparse._ActionsContainer") -> None:
    """What the columns of tables are, if their names don't say so."""
    parser.add_argument(
        "--columns",
        metavar="NAME=ROLE,...",
        type=_columns,
        default={},
        help="which columns of tables are read as query, document, score, rank, grade or "
        "subtopic, if their own names don't say so: reader=query,book=document",
    )


def _columns(text: str) -> dict[str, str]:
    pairs = [item.partition("=") for item in text.split(",")]
    if not all(name and role for name, _, role in pairs):
        raise argparse.ArgumentTypeError(f"{text!r}: write it as reader=query,book=document")
    return {name.strip(): role.strip() for name, _, role in pairs}


def asked(args: argparse.Namespace) -> str | list[str]:
    """The measures: each -m names one or several."""
    names: list[str] = args.measures or MEASURES
    return names[0] if len(names) == 1 else names


def options(args: argparse.Namespace) -> dict[str, Any]:
    """The conventions given one by one, and the other inputs of the measures."""
    from irmetrics_edu.libraries import bundle
    from irmetrics_edu.libraries.names import measures_under

    chosen, _ = measures_under(asked(args), bundle(args.conventions))
    inputs = {"missing_queries": args.missing_queries, "ties": args.ties}
    for name, (what, _, how) in BESIDE.items():
        file = getattr(args, name)
        inputs[name] = None if file is None else File(file)
        for m in chosen:
            if name in m.metric.inputs.arguments and file is None:
                raise InputError(f"{m.name} needs {what}: give --{name} FILE, {how}")
    return {name: value for name, value in inputs.items() if value is not None}


def run(args: argparse.Namespace) -> int:
    """Evaluate a run and print the result."""
    from irmetrics_edu import evaluate
    from irmetrics_edu.reading.tables import tag
    from irmetrics_edu.views.plotting import kind_of_figure, save_figure

    if args.plot is not None:
        kind_of_figure(args.plot)
    qrels = File(args.qrels)
    run_file = File(args.run_file)
    told = {**queries_told(args), **options(args)}
    with reading_shown():
        e = evaluate(
            run_file,
            qrels,
            asked(args),
            args.conventions,
            name=tag(run_file),
            skip_bad=args.skip_bad,
            columns=args.columns,
            **told,
        )
    table = _table(e, args)
    if args.plot is not None:
        save_figure(e.plot().figure, args.plot)
    if args.form == "trec":
        put(e.trec(per_query=args.per_query), "trec")
        tell_notes(e.notes())
    else:
        put_result(e, [table], args, [qrels, run_file, *told.values()])
    return 0


def _table(e: "Evaluation", args: argparse.Namespace) -> "ResultTable":
    if args.summary:
        return e.summary(digits=args.digits)
    if args.worst is not None:
        return e.worst(args.worst, digits=args.digits)
    if args.form == "csv":
        return e.long_table()
    return e.table(per_query=args.per_query, digits=args.digits)
