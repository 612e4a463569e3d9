"""`irmetrics-edu metrics`: the registry."""

import argparse
import inspect
import re
from typing import Any

from irmetrics_edu.commands.options import add_format
from irmetrics_edu.conventions import Convention
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.libraries.table import of_metric
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.views.output import put, put_json, show

EXAMPLES = ("metrics", "metrics nDCG", "metrics --format json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "name",
        nargs="?",
        help="show this metric in full: definition, formula, range, source, options",
    )
    add_format(parser, table="", json="", markdown="")


def run(args: argparse.Namespace) -> int:
    """Print the registry or one of its entries."""
    import_all()
    chosen = list(METRICS.values())
    if args.name is not None:
        from irmetrics_edu.metrics.notation import parse

        chosen = [parse(args.name)]
    if args.form == "json":
        put_json([facts(m) for m in chosen])
    elif args.form == "markdown":
        put(markdown(chosen), args.form)
    elif args.name is not None:
        put(_in_full(chosen[0]))
    else:
        _table(chosen)
    return 0


def facts(metric: Metric) -> dict[str, Any]:
    """The registry's entry for a metric."""
    options = {**metric.defaults, **metric.inputs.options}
    return {
        "name": metric.name,
        "function": metric.kernel.__name__,
        "definition": metric.definition,
        "formula": metric.formula_template,
        "range": [str(bound) for bound in metric.range],
        "units": metric.units,
        "inputs": list(metric.inputs.arguments),
        "cutoff": metric.cutoff if metric.has_cutoff else None,
        "conventions": {n: _choices(v) for n, v in options.items() if isinstance(v, Convention)},
        "parameters": {n: str(v) for n, v in options.items() if not isinstance(v, Convention)},
        "source": metric.source,
        "libraries": sorted({row[0] for row in of_metric(BUNDLES.values(), metric.name)}),
    }


def _choices(default: Convention) -> list[str]:
    known = list(dict.fromkeys(v.name for v in type(default).values.values()))
    return [default.name, *(name for name in known if name != default.name)]


def markdown(metrics: list[Metric]) -> str:
    """The table of the README."""
    lines = ["| metric | call | definition | source |", "|---|---|---|---|"]
    for m in metrics:
        call = f"`{m.kernel.__name__}({', '.join(m.inputs.arguments)})`"
        source = re.match(r".*?\(\d{4}\)", m.source)
        lines.append(f"| {m.name} | {call} | {m.definition} | {source[0] if source else ''} |")
    return "\n".join(lines)


def _table(metrics: list[Metric]) -> None:
    rows = []
    for m in metrics:
        own = {n: _choices(v) for n, v in m.defaults.items() if isinstance(v, Convention)}
        choices = "\n".join(f"{n}: {', '.join(known)}" for n, known in own.items())
        rows.append((m.name, m.kernel.__name__, m.definition, choices))
    show(
        f"{len(metrics)} metrics",
        ("metric", "function", "definition", "conventions, default first"),
        rows,
        caption="irmetrics-edu metrics NAME shows one in full, with its formula and source",
    )


def _in_full(metric: Metric) -> str:
    known = facts(metric)
    text = inspect.getdoc(metric.kernel) or ""
    told = {
        "formula": metric.formula,
        "range": f"{' to '.join(known['range'])} {known['units']}".rstrip(),
        "source": known["source"],
        "had by": ", ".join(known["libraries"]),
    }
    lines = [known["name"], "", text, ""]
    lines += [f"    {name:8} {value}" for name, value in told.items() if value]
    lines += [""]
    for name, choices in known["conventions"].items():
        lines.append(f"    {name}: {', '.join(choices)}")
    lines += [f"    {name} = {value}" for name, value in known["parameters"].items()]
    return "\n".join(lines)
