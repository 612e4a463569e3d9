"""`irmetrics-edu gate plan`: how often a gate would decide, before there is a run."""

import argparse
import math
from bisect import bisect_left

from irmetrics_edu.commands.options import Action, add_actions
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.policy import Policy
from irmetrics_edu.views.output import FINE, put

EXAMPLES = ("gate plan --queries 50 --spread 0.3 --margin 0.02",)
_MOST = 1_000_000  # queries
_POWER = 0.8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of the command."""
    summary = "how often a gate decides with so many queries, and how many it needs"
    about = (
        "How often the test of a gate passes and fails with so many queries, and how many queries "
        "it needs. It is computed for a paired t-test, which agrees closely with the gate's "
        "randomisation test; nothing is drawn at random. Hard limits are not part of it."
    )
    add_actions(parser, EXAMPLES, Action("plan", summary, _add_plan, _plan, about))


def _add_plan(plan: argparse.ArgumentParser) -> None:
    plan.add_argument("--queries", metavar="N", type=int, required=True, help="how many there are")
    plan.add_argument(
        "--spread",
        metavar="SD",
        type=float,
        required=True,
        help="the standard deviation of the changes of single queries, such as 0.14",
    )
    plan.add_argument(
        "--margin",
        metavar="DROP",
        type=float,
        default=Policy.margin.default,
        help="the margin (default %(default)s)",
    )
    plan.add_argument(
        "--confidence",
        metavar="SHARE",
        type=float,
        default=Policy.confidence.default,
        help="as the gate's (default %(default)s)",
    )


def _plan(args: argparse.Namespace) -> int:
    n = args.queries
    spread = args.spread
    margin = args.margin
    level = 1 - args.confidence
    for name, value, least, most in (
        ("queries", n, 2, _MOST),
        ("spread", spread, 1e-6, 1e6),
        ("margin", margin, 1e-6, 1e6),
        ("confidence", args.confidence, 0.5, 0.9999),
    ):
        if not least <= value <= most:
            raise InputError(f"--{name} {value}: give a number from {least:g} to {most:,}")
    needed = _needed(spread, margin, level)
    many = f"more than {_MOST:,}" if needed is None else f"{needed:,}"
    put(f"{n:,} queries, changes that spread by {spread:g}, margin {margin:g}")
    power = _percent(passes(n, spread, margin, level))
    put(f"  passes if nothing changed on average: {power} (the power)")
    put(f"  fails if nothing changed on average:  at most {_percent(level / 2)} (false alarms)")
    put(f"  queries needed to pass in 80 %:       {many}")
    return FINE


def passes(n: int, spread: float, margin: float, level: float) -> float:
    """How often a t-test shows that a fall is less than the margin, if the mean did not change."""
    from irmetrics_edu.runs.significance import scipy_special

    special = scipy_special()
    critical = -float(special.stdtrit(n - 1, level / 2))
    return 1 - float(special.nctdtr(n - 1, margin * math.sqrt(n) / spread, critical))


def _needed(spread: float, margin: float, level: float) -> int | None:
    numbers = range(2, _MOST + 1)
    place = bisect_left(numbers, _POWER, key=lambda n: passes(n, spread, margin, level))
    return numbers[place] if place < len(numbers) else None


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %")
