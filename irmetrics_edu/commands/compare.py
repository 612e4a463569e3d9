"""`irmetrics-edu compare QRELS RUN RUN ... --baseline RUN`."""

import argparse
import shlex
from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from irmetrics_edu.commands.evaluate import QRELS, add_common, asked, options, queries_told
from irmetrics_edu.commands.options import (
    add_format,
    add_seed,
    put_result,
    reading_shown,
    short_names,
    whole,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import File

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irmetrics_edu.runs.comparison import Comparison
    from irmetrics_edu.runs.printed_scores import PrintedScores
    from irmetrics_edu.views.result_table import ResultTable

EXAMPLES = (
    "compare qrels.txt old.run new.run",
    "compare qrels.txt old.run new.run newer.run --baseline new.run -m AP --details",
    "compare qrels.txt old.run new.run -m nDCG@10 --moves q7",
    "compare qrels.txt old.run new.run --worst 5 --queries topics.tsv --names old,new",
    "compare old.eval new.eval --scores",
    "compare qrels.txt old.run new.run --groups languages.csv --weights frequencies.csv",
    "compare qrels.txt *.run -m 'nDCG@10 AP' --all-pairs tukey --format latex",
)
_WORST = 10  # queries of a page whose documents are shown
_PAGE = 500  # queries of each run and measure that a page shows
_FEW, _MOVED = 3, 3  # runs beside the baseline that are not many; queries named for each


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("qrels", metavar="QRELS", help=QRELS)
    parser.add_argument(
        "runs",
        metavar="RUN",
        nargs="+",
        help="two or more runs: TREC, JSON, CSV or Parquet",
    )
    parser.add_argument(
        "--baseline", metavar="RUN", help="the run to compare the others with (default: the first)"
    )
    parser.add_argument(
        "--names",
        metavar="NAME,...",
        help="what the runs are called in tables, in the order of the files: --names old,new "
        "(default: the names of the files)",
    )
    parser.add_argument(
        "--scores",
        action="store_true",
        help="every file, the first one too, holds the scores of a run: what `trec_eval -q` "
        "printed, a table (CSV) with the columns query, measure and value, or what Ragas or "
        "DeepEval stored",
    )
    tests = parser.add_argument_group("how runs are tested")
    add_common(parser)
    tests.add_argument(
        "--test",
        choices=("randomisation", "t", "wilcoxon", "sign"),
        default="randomisation",
        help="the significance test that decides what gets a *; wilcoxon and sign are not of the "
        "mean, and Smucker, Allan & Carterette (2007) advise against both (default: %(default)s)",
    )
    tests.add_argument(
        "--level",
        type=float,
        default=0.05,
        help="mark a difference whose p is below this level (default: %(default)s)",
    )
    tests.add_argument(
        "--family",
        choices=("measure", "all"),
        default="measure",
        help="what Holm's correction of p runs over: the comparisons of each measure by itself, or "
        "those of all measures together (default: %(default)s)",
    )
    add_seed(tests, "the resampling")
    tests.add_argument(
        "--all-pairs",
        choices=("holm", "tukey"),
        nargs="?",
        const="holm",
        help="compare every run with every other, as papers and leaderboards do: runs that share a "
        "letter can't be told apart; p corrected by Holm (default), or Tukey's HSD for many runs",
    )
    _add_views(parser)


def _add_views(parser: argparse.ArgumentParser) -> None:
    """What is shown of the comparison, and in which format."""
    shown = parser.add_argument_group("what is shown of queries")
    shown.add_argument(
        "--queries",
        metavar="FILE",
        help="the texts of queries, to be shown beside their ids: .csv, .tsv or .jsonl with an id "
        "and a text, .json with a mapping",
    )
    what = shown.add_mutually_exclusive_group()
    what.add_argument(
        "--per-query",
        action="store_true",
        help="show the score of each query before and after, the greatest loss first",
    )
    what.add_argument(
        "--worst",
        type=whole(1),
        metavar="N",
        help="show the N queries that lost most in each measure, and the documents that moved in "
        "them (a page of HTML on up to 3 runs beside the baseline has 10, unless you say so)",
    )
    what.add_argument(
        "--details", action="store_true", help="show intervals, p, effect sizes, queries that moved"
    )
    what.add_argument(
        "--moves",
        metavar="QUERY",
        help="show which documents moved in this query, with their grades, and what that changed "
        "in the first measure",
    )
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="draw the gain or loss of each query into FILE (.png, .svg with tooltips, ...): the "
        "first run against the baseline, by the first measure; of measures such as IPrec@0.0 "
        "IPrec@0.5 IPrec@1.0 alone, the P-R curve of each run",
    )
    add_format(
        parser,
        table="",
        json="--digits --details --moves --all-pairs --per-query --queries",
        csv="--digits",
        markdown="",
        latex="",
        html="",
    )


def run(args: argparse.Namespace) -> int:
    """Compare runs and print the result."""
    from irmetrics_edu import compare
    from irmetrics_edu.views.plotting import kind_of_figure, save_figure

    if args.plot is not None:
        kind_of_figure(args.plot)
    files = [args.qrels, *args.runs] if args.scores else list(args.runs)
    if len(set(files)) < 2 or len(set(files)) < len(files):
        first = "" if args.scores else f"; the first file, {args.qrels}, holds the judgments"
        raise InputError(f"give at least two runs, each once{first}")
    opened = {file: File(file) for file in files}
    names = _names(files, args.names)
    keywords: dict[str, Any] = queries_told(args)
    with reading_shown():
        if args.scores:
            runs: dict[str, Any] = dict(_printed(opened, names, args))
        else:
            runs = {names[file]: one for file, one in opened.items()}
            keywords |= {
                "qrels": File(args.qrels),
                "measures": asked(args),
                "conventions": args.conventions,
                "skip_bad": args.skip_bad,
                "columns": args.columns,
                **options(args),
            }
        c = compare(
            runs,
            baseline=names.get(args.baseline, args.baseline),
            test=args.test,
            level=args.level,
            seed=args.seed,
            family=args.family,
            **keywords,
        )
    tables = [] if args.form == "json" else _tables(c, args)
    if args.plot is not None:
        save_figure(c.plot().figure, args.plot)
    put_result(c, tables, args, [*opened.values(), *keywords.values()], _worst_facts(c, args))
    return 0


def _worst_facts(c: "Comparison", args: argparse.Namespace) -> dict[str, Any]:
    """The queries that lost most with the documents that moved, as JSON has them."""
    from irmetrics_edu.runs.compared_queries import worst_facts

    if args.form != "json" or args.worst is None:
        return {}
    if args.scores:
        raise InputError(
            "--worst in JSON names the documents that moved, and --scores gives none; leave out "
            "one of them"
        )
    return {"worst": worst_facts(c, args.worst)}


def _names(files: list[str], asked_names: str | None) -> dict[str, str]:
    """What each run is called: as asked, or by the name of its file."""
    if asked_names is None:
        return short_names(files)
    names = [name.strip() for name in asked_names.split(",")]
    wrong = ""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if len(names) != len(files):
        wrong = f"{len(names)} given for {len(files)} runs"
    elif not all(names):
        wrong = f"name {names.index('') + 1} is blank"
    elif twice:
        wrong = f"{twice[0]!r} stands for {names.count(twice[0])} runs"
    if wrong:
        raise InputError(
            f"--names {asked_names}: {wrong}; give each run a name of its own, in the order of the "
            "files: --names old,new"
        )
    return dict(zip(files, names, strict=True))


def _printed(
    files: dict[str, File],
    names: dict[str, str],
    args: argparse.Namespace,
) -> "dict[str, PrintedScores]":
    """The scores that each file holds, in the measures that all files have, or those asked."""
    from irmetrics_edu.metrics.notation import measures
    from irmetrics_edu.runs import read_scores

    scores = {names[f]: read_scores(opened, name=names[f]) for f, opened in files.items()}
    first, *others = ([m.name for m in e.measures] for e in scores.values())
    wanted = [name for name in first if all(name in other for other in others)]
    if args.measures:
        names_asked = " ".join(args.measures)
        wanted = [names_asked] if names_asked in first else [m.name for m in measures(names_asked)]
    if not wanted:
        raise InputError("the files have no measure in common; write the same measures into each")
    return {name: e.of(wanted) for name, e in scores.items()}


def _tables(c: "Comparison", args: argparse.Namespace) -> "list[ResultTable]":
    if args.scores and args.moves is not None:
        raise InputError("--moves needs rankings, and --scores gives none; leave out one of them")
    if args.all_pairs is not None:
        return [_all_pairs(c, args)]
    if args.per_query or args.worst is not None:
        return _of_queries(c, args)
    if args.moves is not None:
        return _moves(c, args)
    if args.details:
        table = c.details(digits=args.digits)
    else:
        table = c.long_table() if args.form == "csv" else c.table(digits=args.digits)
    shown = replace(table, notes=(*table.notes, *_moved(c, args)))
    is_short = len(c.others) <= _FEW  # of many runs a page would have more rows than it sorts
    return [shown, *_below(c, args)] if args.form == "html" and is_short else [shown]


def _all_pairs(c: "Comparison", args: argparse.Namespace) -> "ResultTable":
    """Every run against every other; what is of a baseline is refused."""
    of_baseline = {
        "--moves": args.moves is not None,
        "--per-query": args.per_query,
        "--worst": args.worst is not None,
        "--groups": args.groups is not None,
    }
    for option, is_given in of_baseline.items():
        if is_given:
            raise InputError(f"{option} is of a run and the baseline; leave out --all-pairs")
    pairs = c.all_pairs(args.all_pairs)
    if args.details or args.form == "csv":
        return pairs.details(digits=args.digits)
    return pairs.table(digits=args.digits)


def _moves(c: "Comparison", args: argparse.Namespace) -> "list[ResultTable]":
    """The documents that moved in the query that was asked for, in each run."""
    measure = _first(c)
    tables = []
    for name in c.others:
        table = c.moves(args.moves, measure, name).table(digits=args.digits)
        caption = f"{name} against {c.baseline}, {table.caption}"
        tables.append(replace(table, caption=caption))
    return tables


def _of_queries(c: "Comparison", args: argparse.Namespace) -> "list[ResultTable]":
    """The means, and below them each query, or those that lost most with what moved in them.

    CSV is one table, so it has the queries alone.
    """
    below = _below(c, args)
    if args.form == "csv":
        return below[:1]
    return [c.table(digits=args.digits), *below]


def _below(c: "Comparison", args: argparse.Namespace) -> "list[ResultTable]":
    """The tables of queries and, unless only scores are known, of documents."""
    from irmetrics_edu.reading.texts import read_texts
    from irmetrics_edu.runs.compared_queries import MOST_DOCUMENTS, document_table, query_table

    texts: dict[Hashable, str] = {}
    if args.queries is not None:
        texts.update(read_texts(args.queries, "query"))
    is_page = args.form == "html"
    queries = query_table(
        c,
        texts,
        most=max(_PAGE, args.worst or 0) if is_page else args.worst,
        every=args.per_query,
        whole=is_page,
        digits=args.digits,
    )
    if args.per_query or args.scores:
        return [queries] if queries.lines else []
    most = _WORST if args.worst is None else args.worst
    documents = document_table(
        c,
        texts,
        most=most,
        each=None if is_page else MOST_DOCUMENTS,
        whole=is_page,
        digits=args.digits,
    )
    return [table for table in (queries, documents) if table.lines]


def _first(c: "Comparison") -> str:
    """The first measure that is compared query by query; the first, if none is."""
    return c.paired[0] if c.paired else c.measures[0].name


def _moved(c: "Comparison", args: argparse.Namespace) -> list[str]:
    """The queries that gained and lost most by the first measure; ties as the queries come."""
    measure = _first(c)
    many = len(c.others) > _FEW and not args.details
    if many or args.form in ("latex", "csv") or measure in c.without_pairs:
        return []
    notes = []
    for run in c.others:
        gained = c.differences(run, measure)
        most = [
            _most_moved(gained, args.digits, rising=False),
            _most_moved(gained, args.digits, rising=True),
        ]
        shown = "; ".join(side for side in most if side)
        if shown:
            notes.append(f"queries that moved most, by {measure} of {run}: {shown}")
    if notes and not args.scores:
        notes.append("to see the documents that moved in a query: --moves QUERY")
        notes += _to_judge(c, measure)
    return notes


def _to_judge(c: "Comparison", measure: str) -> list[str]:
    """How to learn what unjudged documents can change, if there are any and it can be bounded."""
    from irmetrics_edu.judging.bounded_measures import OFFERED
    from irmetrics_edu.runs.comparison_notes import unjudged_notes

    metric_of = {m.name: m.metric.name for m in c.measures}
    if metric_of[measure] not in OFFERED or not unjudged_notes(c.evaluations):
        return []
    command = f"irmetrics-edu judgments unjudged RUN ... --judged QRELS -m {shlex.quote(measure)}"
    return [f"to see what unjudged documents can change, and which to judge next: {command}"]


def _most_moved(gained: "Mapping[Hashable, float]", digits: int, *, rising: bool) -> str:
    """The queries that gained most, or if `rising` those that lost most, with their numbers."""
    from irmetrics_edu.near_ties import in_order
    from irmetrics_edu.views.formatting import steady

    end = in_order(gained, gained.__getitem__, rising=rising)[:_MOVED]
    moved = [query for query in end if (gained[query] < 0 if rising else gained[query] > 0)]
    return ", ".join(f"{query} ({steady(gained[query]):+.{digits}f})" for query in moved)
