"""`irmetrics-edu compare QRELS RUN RUN ... --baseline RUN`."""

import argparse
from dataclasses import replace
from pathlib import Path

from irmetrics_edu.commands.evaluate import MEASURES, QRELS, add_common, options
from irmetrics_edu.commands.progress import steps
from irmetrics_edu.errors import InputError
from irmetrics_edu.joining.joins import judgments_read_once
from irmetrics_edu.libraries import bundle
from irmetrics_edu.metrics.measures import measures
from irmetrics_edu.runs.comparison import Comparison, compare
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.significance import TESTS
from irmetrics_edu.views.tables import ResultTable

FORMATS = ("table", "json", "csv", "markdown", "latex", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("qrels", metavar="QRELS", help=QRELS)
    parser.add_argument("runs", metavar="RUN", nargs="+", help="at least two files of runs")
    parser.add_argument("--baseline", metavar="RUN", help="its file or name (default: the first)")
    add_common(parser)
    parser.add_argument("--test", choices=TESTS, default="randomisation", help="what the * is by")
    parser.add_argument("--level", type=float, default=0.05, help="of significance (default 0.05)")
    parser.add_argument("--seed", type=int, default=0, help="of the resampling (default 0)")
    parser.add_argument("--details", action="store_true", help="all tests, intervals and effects")
    parser.add_argument(
        "--moves", metavar="QUERY", help="the documents of a query that moved, by the first measure"
    )
    parser.add_argument("--plot", metavar="FILE", help="differences of the first run and measure")
    parser.add_argument("--format", choices=FORMATS, default="table", dest="form")


def run(args: argparse.Namespace) -> int:
    """Compare runs and print the result."""
    files = list(args.runs)
    if args.baseline is not None and args.baseline not in files:
        by_name = {Path(file).name: file for file in files}
        if args.baseline not in by_name:
            files.insert(0, args.baseline)
        args.baseline = by_name.get(args.baseline, args.baseline)
    if len(set(files)) < 2 or len(set(files)) < len(files):
        raise InputError("give at least two runs, each once")
    names = _names(files)
    with steps("judgments", *files, "tests") as step:
        step()
        chosen = measures(args.measures or MEASURES)
        by = bundle(args.conventions)
        qrels = judgments_read_once(args.qrels, chosen, by, skip_bad=args.skip_bad)
        evaluations = {}
        for file in files:
            step()
            evaluations[names[file]] = evaluate(
                file,
                qrels,
                chosen,
                args.conventions,
                name=names[file],
                skip_bad=args.skip_bad,
                **options(args),
            )
        step()
        c = compare(
            evaluations,
            baseline=None if args.baseline is None else names[args.baseline],
            test=args.test,
            level=args.level,
            seed=args.seed,
        )
        shown = _shown(c, args)
        if args.plot is not None:
            c.plot().figure.savefig(args.plot)
    print(shown)
    return 0


def _names(files: list[str]) -> dict[str, str]:
    """Short names of the files, or their whole paths where short ones are the same."""
    short = [Path(file).name for file in files]
    return {f: f if short.count(s) > 1 else s for f, s in zip(files, short, strict=True)}


def _shown(c: Comparison, args: argparse.Namespace) -> str:
    if args.form == "json":
        return c.json()
    digits = args.digits
    if args.moves is None:
        return _written(c.details(digits=digits) if args.details else c.table(digits=digits), args)
    shown = []
    for name in c.others:
        table = c.moves(args.moves, c.measures[0].name, name).table(digits=digits)
        caption = f"{name} against {c.baseline}, {table.caption}"
        shown.append(_written(replace(table, caption=caption), args))
    return "\n\n".join(shown)


def _written(table: ResultTable, args: argparse.Namespace) -> str:
    view = {"table": table.text, "markdown": table.markdown, "latex": table.latex}
    return {**view, "html": table.html, "csv": table.csv}[args.form]().rstrip()
