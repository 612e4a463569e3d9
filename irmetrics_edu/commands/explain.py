"""`irmetrics-edu explain "nDCG@3" --relevance 5,2,3`."""

import argparse
from typing import Any

from irmetrics_edu.commands.cli_values import grades_in, judgments_in, names_in
from irmetrics_edu.commands.options import add_digits, add_format, one_way
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.rows.two_orders import ORDERS
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.views.output import put

_WRITE = "give --relevance 5,2,3 alone, or --ranking d1,d2 with --judgments d1=2,d3=1"
EXAMPLES = (
    'explain "nDCG@3" --relevance 5,2,3',
    "explain AP --ranking d3,d6,d8 --judgments d3,d4,d6=2 --exact",
    "explain RBO --ranking d3,d6,d8 --other d6,d3",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("metric", help='a measure such as "nDCG@10" or "nDCG(gain=exp)@5"')
    parser.add_argument(
        "--relevance",
        metavar="G,G,...",
        help="the grades of the ranked documents, in order; - where nobody judged",
    )
    parser.add_argument(
        "--ranking",
        metavar="ID,ID,...",
        help="the ids of the ranked documents, in order (with --judgments)",
    )
    parser.add_argument(
        "--judgments",
        metavar="ID=G,...",
        help="the grade of each judged document (an ID alone has grade 1); or a JSON file "
        "{ID: grade}",
    )
    parser.add_argument(
        "--other",
        metavar="ID,ID,...",
        help="a second ranking, for RBO, tau and tau_AP (instead of --judgments)",
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
    """Print the explanation."""
    metric = parse(args.metric)
    working = metric.working(*_inputs(args, metric), exact=args.exact)
    explanation = Explanation(working, digits=args.digits)
    shown = explanation.text if args.form == "text" else getattr(explanation, args.form)()
    put(shown, args.form)
    return 0


def _inputs(args: argparse.Namespace, metric: Metric) -> tuple[Any, ...]:
    if metric.inputs is ORDERS:
        if args.ranking is None or args.other is None or args.judgments or args.relevance:
            raise InputError(f"{metric.name} compares two orders: give --ranking a,b --other b,a")
        return names_in(args.ranking), names_in(args.other)
    if args.other is not None:
        raise InputError(f"--other is for RBO, tau and tau_AP, not for {metric.name}: {_WRITE}")
    way = one_way(args.parser, args, {"--relevance": "", "--ranking": "--judgments"}, _WRITE)
    if way == "--relevance":
        return (grades_in(args.relevance),)
    if args.judgments is None:
        raise InputError(f"--ranking needs --judgments: {_WRITE}")
    return names_in(args.ranking), judgments_in(args.judgments)
