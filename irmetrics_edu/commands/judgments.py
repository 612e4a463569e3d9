"""`irmetrics-edu judgments unjudged|merge|agreement|lint`: the judging loop."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irmetrics_edu.checks import MOST_RANKS
from irmetrics_edu.commands.evaluate import add_columns
from irmetrics_edu.commands.options import (
    Action,
    add_actions,
    add_digits,
    add_format,
    is_given,
    short_names,
    whole,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import File
from irmetrics_edu.views.output import FAILED, FINE, put, put_tables, tell_notes

if TYPE_CHECKING:
    from irmetrics_edu.judging.merging import Merged

EXAMPLES = (
    "judgments unjudged old.run new.run --judged qrels.txt -k 5 -o work.csv",
    "judgments unjudged old.run new.run --documents corpus.jsonl -o work.csv",
    "judgments unjudged old.run new.run --judged qrels.txt -m nDCG@10 --first 20 -o work.csv",
    "judgments merge work.csv --judged qrels.txt --source person --scale 0,1,2,3 -o new.csv",
    "judgments merge work.csv --source model -o model.csv",
    "judgments agreement anna.csv model.csv",
    "judgments agreement both.csv --sources Anna Ben model --run a.run b.run",
    "judgments lint qrels.txt --queries topics.tsv --documents corpus.jsonl",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of the command."""
    list_ = "list unjudged documents at the top of runs, as a CSV file to fill in"
    merge_ = "merge filled-in lists into judgments, each grade with its source"
    agree = "show how far the labels of two sources or more agree, by kappa and alpha"
    check = "check judgments for conflicts, unknown ids and queries of no use"
    actions = (
        Action("unjudged", list_, _add_unjudged, _unjudged),
        Action("merge", merge_, _add_merge, _merge),
        Action("agreement", agree, _add_agreement, _agreement),
        Action("lint", check, _add_lint, _lint),
    )
    add_actions(parser, EXAMPLES, *actions)


_DEPTH = 10  # ranks, without a measure that has its own
_TEXTS = ".csv, .tsv or .jsonl with an id and a text, .json with a mapping"


def _add_unjudged(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        metavar="RUN",
        nargs="+",
        help="one or more runs: TREC, JSON, CSV or Parquet",
    )
    parser.add_argument(
        "--judged", metavar="QRELS", help="the judgments so far (default: nothing is judged)"
    )
    parser.add_argument(
        "-k",
        type=whole(1, MOST_RANKS),
        metavar="K",
        help=f"list unjudged documents among the first K ranks of a run (default: {_DEPTH})",
    )
    parser.add_argument(
        "--first",
        type=whole(1),
        metavar="N",
        help="list N pairs at most (default: all)",
    )
    parser.add_argument("--queries", metavar="FILE", help=f"the texts of queries: {_TEXTS}")
    parser.add_argument("--documents", metavar="FILE", help=f"the texts of documents: {_TEXTS}")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the file to write the list to (default: print it; with -m its first pairs)",
    )
    _add_decision(parser)


def _add_decision(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how many judgments decide which run is better")
    group.add_argument(
        "-m",
        "--measure",
        metavar="MEASURE",
        help="show how far unjudged documents can change the difference of this measure from the "
        "first run, and list them by how much each can (with --judged)",
    )
    group.add_argument(
        "--scale",
        type=scale,
        metavar="GRADES",
        help="the grades that they may have, such as 0,1,2,3 (default: 0 and those of --judged)",
    )
    group.add_argument(
        "--conventions",
        metavar="LIBRARY",
        default="trec_eval",
        help="score the runs as this library does (default: %(default)s)",
    )
    add_digits(parser)
    add_format(parser, table="", markdown="", latex="", html="", json="--digits")
    parser.set_defaults(parser=parser)


def _unjudged(args: argparse.Namespace) -> int:
    """Write the worklist; counts go to the error stream."""
    from irmetrics_edu.judging import unjudged

    runs = {name: File(run) for name, run in _named(args.runs, "run").items()}
    if args.measure is not None:
        return _undecided(args, runs)
    for option in ("--scale", "--conventions", "--digits", "--format"):
        if is_given(args.parser, args, option):
            raise InputError(f"{option} goes with -m, the measure of which runs are compared")
    work = unjudged(
        runs,
        args.judged,
        args.k or _DEPTH,
        queries=args.queries,
        documents=args.documents,
    )
    work = work.first(args.first or len(work))
    if args.output is None:
        put(work.csv().rstrip("\n"), "csv")
    else:
        work.write(args.output)
    tell_notes(work.notes)
    return 0


def _undecided(args: argparse.Namespace, runs: dict[str, Any]) -> int:
    """Show how far the unjudged documents decide, and write those that can change it."""
    from irmetrics_edu.judging import decision
    from irmetrics_edu.views.result_table import as_json

    if args.judged is None:
        raise InputError("-m goes with --judged, the judgments by which runs are scored")
    if args.k is not None:
        raise InputError(
            "-k can't be combined with -m: the measure has its own depth, such as 10 in nDCG@10; "
            "leave -k out"
        )
    decided = decision(
        runs,
        args.judged,
        args.measure,
        args.conventions,
        scale=args.scale,
        queries=args.queries,
        documents=args.documents,
    )
    work = decided.worklist.first(args.first or len(decided.worklist))
    if args.output is not None:
        work.write(args.output)
    if args.form == "json":
        put(as_json({**decided.facts(), "to_judge": decided.pairs_to_judge(args.first)}), "json")
        return FINE
    tables = [decided.table(digits=args.digits)]
    if args.output is None and len(work):
        tables.append(decided.next_pairs())
    put_tables(tables, args.form)
    if args.output is not None:
        tell_notes([f"wrote {args.output}; pairs in it: {len(work):,}"])
    return FINE


def scale(text: str) -> tuple[float, ...]:
    """The type of --scale: grades with commas between them."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: give grades such as 0,1,2,3") from None


def _add_merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "graded",
        metavar="GRADED",
        nargs="+",
        help="CSV with the columns query, document and grade, and optionally source, judge "
        "and when; `judgments unjudged` writes such a file",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help="the file to write: .csv keeps the sources; any other name is a TREC file, which "
        "has no room for them",
    )
    parser.add_argument("--judged", metavar="QRELS", help="the judgments so far (default: none)")
    parser.add_argument(
        "--scale",
        type=scale,
        metavar="GRADES",
        help="the grades of the scale, such as 0,1,2,3 (default: any number from 0 on)",
    )
    parser.add_argument(
        "--source",
        choices=("person", "model", "rule"),
        default="",
        help="the source of rows that don't name one",
    )
    parser.add_argument(
        "--judge",
        default="",
        metavar="NAME",
        help="the judge of rows that don't name one",
    )
    parser.add_argument("--when", default="", metavar="DATE", help="when: 2026-05-01")
    parser.add_argument(
        "--handed-out",
        metavar="FILE",
        help="the worklist as it was handed out: rows of other pairs are refused, and "
        "missing pairs are counted",
    )


def _merge(args: argparse.Namespace) -> int:
    """Merge, write, and report what happened to the rows."""
    from irmetrics_edu.judging.labels import keeps_sources
    from irmetrics_edu.writing import locked

    with locked(args.output):  # somebody else may merge into the same file
        merged = _merged(args)
    put(f"wrote {args.output}")
    for note in merged.notes:
        put(note)
    if not keeps_sources(args.output) and any(one.source for one in merged.labels.labels):
        put(f"{args.output} has no room for sources; to keep them, give a name that ends in .csv")
    return 0


def _merged(args: argparse.Namespace) -> "Merged":
    """The labels, which are written."""
    from irmetrics_edu.judging.labels import write_labels
    from irmetrics_edu.judging.merging import merge

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
        handed_out=args.handed_out,
    )
    write_labels(merged.labels, args.output)
    return merged


def _add_agreement(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "judged",
        metavar="JUDGMENTS",
        nargs="+",
        help="two files of judgments or more (TREC, JSON, CSV, Parquet), or one CSV file with "
        "a column judge, annotator or source",
    )
    parser.add_argument(
        "--sources",
        nargs="+",
        metavar="SOURCE",
        help="the judges of one file to compare: Anna, person:Anna, or all of person, model or "
        "rule (default: each)",
    )
    parser.add_argument(
        "--run",
        metavar="RUN",
        nargs="+",
        dest="runs",
        default=[],
        help="score these runs with the judgments of each source, and compare the orders",
    )
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        dest="measures",
        metavar="MEASURE",
        help="a measure of --run, or several in one text; may be repeated (default: nDCG@10)",
    )
    add_digits(parser)
    add_format(parser, table="", markdown="", latex="", html="")


def _agreement(args: argparse.Namespace) -> int:
    from irmetrics_edu.judging import judges

    if args.measures and not args.runs:
        raise InputError("-m goes with --run, the runs that are scored under each source")
    judges_compared = judges(_sources(args))
    runs = _named(args.runs, "run")
    measures = " ".join(args.measures or ["nDCG@10"])
    put_tables(judges_compared.tables(args.digits, runs, measures), args.form)
    return 0


def _sources(args: argparse.Namespace) -> dict[str, Any]:
    from irmetrics_edu.judging import of_source, read_labels
    from irmetrics_edu.judging.several_judges import refuse_many

    if args.sources is not None and len(args.judged) != 1:
        raise InputError("--sources compares sources of one file; give one")
    if len(args.judged) == 1:
        labels = read_labels(args.judged[0])
        sources = args.sources or list(dict.fromkeys(label.by for label in labels.labels))
        if args.sources is None and len(sources) < 2:
            raise InputError(
                f"{labels.name}: all labels are of {', '.join(sources) or 'nobody'}; give files of "
                "two judges or more, or one CSV file with a column judge (or source)"
            )
        refuse_many(len(sources))
        return {source: of_source(labels, source) for source in sources}
    return _named(args.judged, "file of judgments")


def _named(paths: list[str], what: str) -> dict[str, str]:
    if len(set(paths)) < len(paths):
        raise InputError(f"a {what} is given twice; give each once")
    return {name: path for path, name in short_names(paths).items()}


def _add_lint(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("judged", metavar="QRELS", help="judgments: TREC, JSON, CSV or Parquet")
    what = "or a plain list with one id a line: other ids are errors"
    parser.add_argument("--queries", metavar="FILE", help=f"all queries; CSV, TSV or JSONL {what}")
    parser.add_argument(
        "--documents", metavar="FILE", help=f"all documents; CSV, TSV or JSONL {what}"
    )
    add_columns(parser)
    parser.add_argument(
        "--conventions",
        metavar="LIBRARY",
        default="trec_eval",
        help="read TREC files as this library does (default: %(default)s)",
    )


def _lint(args: argparse.Namespace) -> int:
    """Print the findings; the exit code is 1 if one of them is an error."""
    from irmetrics_edu.judging.judgment_checks import ERROR, lint

    findings = lint(
        args.judged,
        queries=args.queries,
        documents=args.documents,
        columns=args.columns,
        conventions=args.conventions,
    )
    errors = sum(finding.kind == ERROR for finding in findings)
    for finding in findings:
        put(str(finding))
    put(findings.of_grades)
    put(f"errors: {errors:,}, warnings: {len(findings) - errors:,}")
    return FAILED if errors else FINE
