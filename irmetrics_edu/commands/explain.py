"""`irmetrics-edu explain "nDCG@3" --relevance 5,2,3`, or of queries of a run."""

import argparse
from typing import TYPE_CHECKING, Any

from irmetrics_edu.commands.cli_values import (
    add_ranking,
    grades_in,
    ranking_of,
    refuse_other_inputs,
)
from irmetrics_edu.commands.evaluate import QRELS, RUN, add_columns
from irmetrics_edu.commands.options import add_digits, add_format, one_way, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import File
from irmetrics_edu.views.output import put, tell_notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irmetrics_edu.metrics import Metric
    from irmetrics_edu.runs.evaluation import Evaluation
    from irmetrics_edu.views import Explanation

_WAYS = {
    "--relevance": "--unretrieved --exact",
    "--ranking": "--judgments --other --exact",
    "--run": "--qrels --query --worst --queries --conventions --columns",
}
_ROWS = 20  # of a table, where several queries are explained
_WRITE = (
    "give --relevance 5,2,3 alone, or --ranking d1,d2 with --judgments d1=2,d3=1, or --run FILE "
    "with --qrels FILE and --query ID (or --worst N)"
)
EXAMPLES = (
    "explain nDCG@10 --run my.run --qrels qrels.txt --query q12",
    "explain nDCG@10 --run my.run --qrels qrels.txt --worst 5 --queries queries.tsv",
    'explain "nDCG@3" --relevance 5,2,3',
    "explain AP --ranking d3,d6,d8 --judgments d3,d4,d6=2 --exact",
    "explain RBO --ranking d3,d6,d8 --other d6,d3,d8",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("metric", help='a measure such as "nDCG@10" or "nDCG(gain=exp)@5"')
    of_run = parser.add_argument_group("queries of a run")
    of_run.add_argument("--run", metavar="FILE", dest="run_file", help=RUN)
    of_run.add_argument("--qrels", metavar="FILE", help=QRELS)
    of_run.add_argument("--query", metavar="ID", help="the query to explain")
    of_run.add_argument(
        "--worst",
        type=whole(1),
        metavar="N",
        help="explain the N queries with the lowest scores instead",
    )
    of_run.add_argument(
        "--queries",
        metavar="FILE",
        help="the texts of the queries, shown beside their ids: CSV, TSV or JSON",
    )
    of_run.add_argument(
        "--conventions",
        metavar="LIBRARY",
        default="trec_eval",
        help="score as this library does (default: %(default)s, as `evaluate` does)",
    )
    add_columns(of_run)
    add_ranking(parser)
    parser.add_argument(
        "--unretrieved",
        metavar="G,G,...",
        help="the grades of judged documents that are not in the ranking (with --relevance)",
    )
    parser.add_argument(
        "--exact",
        action="store_true",
        help="compute with exact fractions, if the measure has no logarithms or roots",
    )
    add_format(parser, text="", html="", latex="", markdown="")
    add_digits(parser)
    parser.set_defaults(parser=parser)


def run(args: argparse.Namespace) -> int:
    """Print the explanation, or one for each query that is asked for."""
    from irmetrics_edu import parse
    from irmetrics_edu.views.explanation import Explanation, explained

    if args.run_file is not None:
        explanations = _of_run(args)
    else:
        metric = parse(args.metric)
        working = metric.working(*_inputs(args, metric), exact=args.exact)
        explanations = {"": Explanation(working, digits=args.digits)}
    put(explained(explanations, args.form), args.form)
    return 0


def _of_run(args: argparse.Namespace) -> "dict[str, Explanation]":
    """The explanations of queries of a run, by what stands above each."""
    from irmetrics_edu import evaluate
    from irmetrics_edu.reading.texts import read_texts

    one_way(args.parser, args, _WAYS, _WRITE)
    if args.qrels is None or (args.query is None) == (args.worst is None):
        raise InputError(_WRITE)
    texts = {} if args.queries is None else read_texts(File(args.queries), "query")
    of_run = File(args.run_file)
    qrels = File(args.qrels)
    try:
        e = evaluate(of_run, qrels, args.metric, args.conventions, columns=args.columns)
    except InputError:
        if args.query is None:
            raise
        # Another query may have no value, which stops a whole run.
        e = evaluate(
            of_run,
            qrels,
            args.metric,
            args.conventions,
            columns=args.columns,
            queries=[args.query],
        )
    tell_notes(e.counts.of_order())
    queries: list[Any] = [q for q in e.queries if str(q) == args.query] or [args.query]
    if args.worst is not None:
        queries = e.lowest(args.worst)
    return {_heading(query, texts): _of_query(e, query, args) for query in queries}


def _heading(query: Any, texts: "Mapping[str, str]") -> str:
    """What stands above a query: its id, and its text if that is known."""
    text = texts.get(str(query))
    return f"query {query}" if text is None else f"query {query}: {text}"


def _of_query(
    evaluation: "Evaluation",
    query: Any,
    args: argparse.Namespace,
) -> "Explanation":
    """How the score of a query came about; of several queries the tables are cut, but on a page."""
    from irmetrics_edu.views.explanation import shortened

    explanation = evaluation.explain(query, digits=args.digits)
    if args.worst is None or args.form == "html":
        return explanation
    return shortened(explanation, _ROWS, f"--query {query} shows all")


def _inputs(args: argparse.Namespace, metric: "Metric") -> tuple[Any, ...]:
    refuse_other_inputs(metric, args, args.command)
    one_way(args.parser, args, _WAYS, _WRITE)
    if args.unretrieved is None:
        return ranking_of(args)
    return _with_unretrieved(metric, grades_in(args.relevance), grades_in(args.unretrieved))


def _with_unretrieved(
    metric: "Metric",
    grades: list[float | None],
    missed: list[float | None],
) -> tuple[Any, ...]:
    """The inputs of a measure where judged documents are not in the ranking."""
    from irmetrics_edu.rows.scored import SCORED

    if metric.inputs is not SCORED:
        ranking = [f"d{rank}" for rank in range(1, len(grades) + 1)]
        judged = dict(zip(ranking, grades, strict=True))
        judged |= {f"unretrieved {n}": grade for n, grade in enumerate(missed, 1)}
        return ranking, {d: grade for d, grade in judged.items() if grade is not None}
    if "unretrieved" not in metric.params or metric.params["unretrieved"].absent:
        raise InputError(
            f"{metric!r} leaves out documents that were not retrieved; write "
            f"{metric.using(unretrieved='last')!r} to rank them below all others, or leave out "
            "--unretrieved"
        )
    falling = [-rank for rank in range(1, len(grades) + 1)]
    lowest = [-len(grades) - 1] * len(missed)
    return [*grades, *missed], [*falling, *lowest]
