"""`irmetrics-edu diagnose nDCG@10 --relevance 3,2,3,0,1,2 --value 0.949`."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from irmetrics_edu.commands.cli_values import (
    add_ranking,
    grades_in,
    ranking_of,
    refuse_other_inputs,
)
from irmetrics_edu.commands.evaluate import CATEGORIES, QRELS, add_columns
from irmetrics_edu.commands.options import add_format, one_way, searching_shown
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import File
from irmetrics_edu.views.output import FAILED, FINE, INTERRUPTED, put

if TYPE_CHECKING:
    from irmetrics_edu.diagnosis.result import Diagnosis

WAYS = {
    "--relevance": "--unretrieved",
    "--ranking": "--judgments --other",
    "--run": "--qrels --categories --columns",
}
_WAYS = {**WAYS, "--function": "--conventions"}
_INPUTS = (
    "give --relevance 5,2,3, or --ranking d1,d2 with --judgments d1=2,d3=1, or --run FILE with "
    "--qrels FILE"
)
EXAMPLES = (
    "diagnose nDCG@10 --relevance 3,2,3,0,1,2 --unretrieved 3,2 --value 0.949",
    "diagnose AP --ranking d3,d6 --judgments d3,d4,d6=2 --value 0.5",
    "diagnose nDCG --function my_module:my_ndcg",
    "diagnose MAP --run my.run --qrels qrels.txt --value 0.2437",
    "diagnose MAP --run bm25.run dense.run --qrels qrels.txt --value 0.2437 0.2610",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("metric", help='a measure such as "nDCG@10" or "MAP"')
    parser.add_argument(
        "--value",
        nargs="+",
        metavar="NUMBER",
        help="the number to explain, with all its printed digits; several with as many runs, all "
        "of which one convention must give (not with --function)",
    )
    add_inputs(parser, several=True)
    of_function = parser.add_argument_group("a function of yours")
    of_function.add_argument(
        "--function",
        metavar="MODULE:NAME",
        help="your own function; it takes a list of grades, or a ranking and its judgments. It is "
        "called on small inputs, and the convention or mistake that it follows is named",
    )
    of_function.add_argument(
        "--conventions",
        metavar="NAME",
        help="the library that it should follow (default: our own definitions)",
    )
    add_format(parser, text="", json="")
    parser.set_defaults(parser=parser)


def add_inputs(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """What is measured: grades, a ranking with its judgments, or runs with their qrels."""
    ranking = parser.add_argument_group("one ranking")
    of_run = parser.add_argument_group("a run")
    add_ranking(ranking)
    ranking.add_argument(
        "--unretrieved",
        "--judged",
        metavar="G,G,...",
        default="",
        help="the grades of judged documents that are not in the ranking (with --relevance)",
    )
    more: dict[str, Any] = {"nargs": "+"} if several else {}
    of_run.add_argument(
        "--run",
        metavar="FILE",
        dest="run_file",
        **more,
        help="a whole run, whose mean is the number (with --qrels)",
    )
    of_run.add_argument("--qrels", metavar="FILE", help="the run's " + QRELS)
    of_run.add_argument("--categories", metavar="FILE", help=CATEGORIES)
    add_columns(of_run)


def run(args: argparse.Namespace) -> int:
    """Print the diagnosis; the exit code is 0 if something explains the value, else 1.

    It is 130 after Ctrl-C, with what was found so far.
    """
    from irmetrics_edu import diagnose

    if one_way(args.parser, args, _WAYS, f"{_INPUTS}, or --function module:name") == "--function":
        return _of_function(args)
    if args.value is None:
        raise InputError("--value is missing: give the number to explain")
    runs = [File(name) for name in args.run_file or ()]
    if len(args.value) != max(len(runs), 1):
        raise InputError(
            f"--value has {len(args.value)} numbers, and there are {len(runs) or 1} runs: give a "
            "number for each"
        )
    one = len(runs) < 2
    inputs, options = inputs_of(args, _WAYS, runs[0] if one and runs else runs)
    value = args.value[0] if one else args.value
    with searching_shown():
        diagnosis = diagnose(args.metric, *inputs, value=value, **options)
    put(diagnosis.json() if args.form == "json" else diagnosis.text, args.form)
    return _code(diagnosis)


def _code(diagnosis: "Diagnosis") -> int:
    """The exit code: 0 if something explains the value, 1 if nothing does, 130 after Ctrl-C."""
    if diagnosis.interrupted_of is not None:
        return INTERRUPTED
    return FINE if diagnosis.explained else FAILED


def _of_function(args: argparse.Namespace) -> int:
    """Print what a function follows; the exit code is 0 if it follows the right definition."""
    from irmetrics_edu import diagnose_function

    if args.value is not None:
        raise InputError("--value can't be combined with --function: leave one of them out")
    by = args.conventions or "irmetrics_edu"
    of_function = diagnose_function(args.function, args.metric, conventions=by)
    put(of_function.json() if args.form == "json" else of_function.text, args.form)
    return 0 if of_function.follows else 1


def inputs_of(
    args: argparse.Namespace, ways: Mapping[str, str], run: Any
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What is measured: grades, a ranking with its judgments, or a run with its qrels."""
    way = one_way(args.parser, args, ways, _INPUTS)
    if way != "--run":
        from irmetrics_edu.metrics.notation import measure

        refuse_other_inputs(measure(args.metric).metric, args, args.command)
        unretrieved = {"unretrieved": grades_in(args.unretrieved)} if way == "--relevance" else {}
        return ranking_of(args), unretrieved
    if args.qrels is None:
        raise InputError("--run needs --qrels FILE")
    beside = {"categories": args.categories, "columns": args.columns}
    return (run, File(args.qrels)), {name: value for name, value in beside.items() if value}
