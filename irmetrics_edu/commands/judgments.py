"""`irmetrics-edu judgments unjudged|merge|agreement|lint`: the judging loop."""

import argparse
import importlib
from collections.abc import Callable
from typing import Any

from irmetrics_edu.commands.options import add_examples

SUMMARIES = {
    "unjudged": "list unjudged documents at the top of runs, as a CSV file to fill in",
    "merge": "merge filled-in lists into judgments, each grade with its source",
    "agreement": "show how far the labels of two sources agree, with Cohen's kappa",
    "lint": "check judgments for conflicts, unknown ids and queries of no use",
}
EXAMPLES = (
    "judgments unjudged old.run new.run --judged qrels.txt -k 5 -o work.csv",
    "judgments merge work.csv --judged qrels.txt --source person --scale 0,1,2,3 -o new.qrels",
    "judgments agreement anna.csv model.csv",
    "judgments lint qrels.txt --queries topics.tsv",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The commands of the group, each with its own arguments."""
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    for name, summary in SUMMARIES.items():
        one = steps.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
        )
        module: Any = importlib.import_module(f"irmetrics_edu.commands.judging_{name}")
        module.add_arguments(one)
        add_examples(one, module.EXAMPLES)
        one.set_defaults(step_run=module.run)


def run(args: argparse.Namespace) -> int:
    """Run the chosen step."""
    step: Callable[[argparse.Namespace], int] = args.step_run
    return step(args)
