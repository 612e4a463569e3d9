"""One ranking typed on the command line: its grades, or its documents and their judgments."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import File

if TYPE_CHECKING:
    from irmetrics_edu.metrics.definition import Metric


def names_in(text: str) -> list[str]:
    """The documents of "d1,d2"."""
    return [item.strip() for item in text.split(",")] if text.strip() else []


def grades_in(text: str) -> list[float | None]:
    """The grades of "5,2,-": None where nobody judged."""
    return [_grade(item) for item in names_in(text)]


def _grade(text: str) -> float | None:
    if text == "-":
        return None
    try:
        return float(text)
    except ValueError:
        raise InputError(f"grade {text!r} is not a number; write 5,2,3") from None


def judgments_in(text: str) -> Any:
    """The judgments of "d1=2,d3" (without a grade: relevant), or of a JSON file."""
    if text.endswith(".json") or text == "-" or Path(text).is_fifo():
        from irmetrics_edu.reading import tabular

        return tabular.of_json(File(text))
    grades: dict[str, float | None] = {}
    for item in names_in(text):
        document, _, grade = item.partition("=")
        if document in grades:
            raise InputError(f"document {document!r} is judged twice")
        grades[document] = _grade(grade) if grade else 1
    return grades


def add_ranking(parser: "argparse._ActionsContainer") -> None:
    """Add the options that give one ranking."""
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
        help="another order of the documents, for RBO, tau and tau_AP (with --ranking)",
    )


_HOMES = {"reconcile": "irmetrics_edu.diagnosis"}  # of the functions that are not on top
_BESIDE = {"explain": "", "diagnose": ", value=0.5", "reconcile": ", values=[...]"}


def refuse_other_inputs(
    metric: "Metric",
    args: argparse.Namespace,
    function: str,
) -> None:
    """Refuse a measure whose inputs are no ranking with the grades of documents.

    `function` is what takes them in Python. What a file of JSON holds may be nuggets or categories.
    """
    from irmetrics_edu.rows.aligned_ranking import RANKED
    from irmetrics_edu.rows.item_categories import FREQUENCIES
    from irmetrics_edu.rows.scored import SCORED
    from irmetrics_edu.rows.two_orders import ORDERS

    names = metric.inputs.arguments
    if metric.inputs is ORDERS:
        _require_two_orders(metric, args)
        return
    if args.other is not None:
        raise InputError(
            f"--other is for measures that compare two orders, and {metric.name} takes "
            f"{' and '.join(names)}; leave it out"
        )
    if metric.inputs is FREQUENCIES and args.relevance is not None:
        call = _call(function, f"\"{metric.name}\", {{'a': 3, 'b': 0}}")
        raise InputError(
            f"{metric.name} counts the items of categories, and {args.relevance} are grades; for "
            f"counts of your own call it in Python: {call}"
        )
    call = _call(function, f'"{metric.name}", {", ".join(names)}')
    if metric.inputs in (RANKED, SCORED) or args.ranking is None:
        return
    if len(names) > 2:
        raise InputError(
            f"{metric.name} takes {', '.join(names)}; call it in Python: {call}, or give a run"
        )
    if not (args.judgments or "").endswith(".json"):
        raise InputError(
            f"{metric.name} takes {' and '.join(names)}, which are no grades; write the "
            f"{names[-1]} as --judgments FILE.json, or call it in Python: {call}"
        )


def _require_two_orders(metric: "Metric", args: argparse.Namespace) -> None:
    if args.ranking is None or args.other is None or args.judgments is not None:
        raise InputError(
            f"{metric.name} compares two orders; give --ranking a,b,c and --other b,a,c alone"
        )


def _call(function: str, inputs: str) -> str:
    """The lines of Python that print what a command would."""
    home = _HOMES.get(function, "irmetrics_edu")
    return f"from {home} import {function}; print({function}({inputs}{_BESIDE[function]}))"


def ranking_of(args: argparse.Namespace) -> tuple[Any, ...]:
    """The grades, the ranking and its judgments, or the two orders that the options give."""
    if args.relevance is not None:
        return (grades_in(args.relevance),)
    if args.other is not None:
        return names_in(args.ranking), names_in(args.other)
    if args.judgments is None:
        raise InputError("--ranking needs --judgments, such as --judgments d1=2,d3=1")
    return names_in(args.ranking), judgments_in(args.judgments)
