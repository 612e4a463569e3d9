"""`irmetrics-edu reconcile nDCG@10 --run R --qrels Q --values 0.4217 0.4390`."""

import argparse

from irmetrics_edu.commands.diagnose import WAYS, add_inputs, inputs_of
from irmetrics_edu.commands.options import add_format
from irmetrics_edu.reading.files import File
from irmetrics_edu.views.output import put

EXAMPLES = (
    "reconcile nDCG@10 --run my.run --qrels qrels.txt --values 0.4217 0.4390",
    "reconcile nDCG@10 --relevance 3,2,3,0,1,2 --values 0.961 0.949",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("metric", help='a measure such as "nDCG@10" or "MAP"')
    parser.add_argument(
        "--values",
        nargs=2,
        required=True,
        metavar="NUMBER",
        help="the two numbers, each with all its printed digits",
    )
    add_inputs(parser)
    add_format(parser, text="", json="")
    parser.set_defaults(parser=parser)


def run(args: argparse.Namespace) -> int:
    """Print what gives each number and what differs; the exit code is 0 if both are explained."""
    from irmetrics_edu.diagnosis import reconcile

    run_file = None if args.run_file is None else File(args.run_file)
    inputs, options = inputs_of(args, WAYS, run_file)
    reconciliation = reconcile(args.metric, *inputs, values=args.values, **options)
    put(reconciliation.json() if args.form == "json" else reconciliation.text, args.form)
    return 0 if reconciliation.explained else 1
