"""`irmetrics-edu metrics`: the registry."""

import argparse
import inspect
import json
import re
from typing import Any

from irmetrics_edu.conventions import Convention
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("name", nargs="?", help="one metric, in full")
    parser.add_argument(
        "--format", choices=("table", "json", "markdown"), default="table", dest="form"
    )


def run(args: argparse.Namespace) -> int:
    """Print the registry, or one entry of it."""
    import_all()
    chosen = list(METRICS.values())
    if args.name is not None:
        from irmetrics_edu.notation import parse

        chosen = [parse(args.name)]
    if args.form == "json":
        print(json.dumps([facts(m) for m in chosen], ensure_ascii=False, indent=2))
    elif args.form == "markdown":
        print(markdown(chosen))
    elif args.name is not None:
        print(_in_full(chosen[0]))
    else:
        _table(chosen)
    return 0


def facts(metric: Metric) -> dict[str, Any]:
    """What the registry knows of a metric."""
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
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{len(metrics)} metrics", show_lines=False)
    for heading in ("metric", "function", "definition", "conventions, default first"):
        table.add_column(heading, overflow="fold")
    for m in metrics:
        own = {n: _choices(v) for n, v in m.defaults.items() if isinstance(v, Convention)}
        table.add_row(
            m.name,
            m.kernel.__name__,
            m.definition,
            "\n".join(f"{n}: {', '.join(choices)}" for n, choices in own.items()),
        )
    table.caption = "irmetrics-edu metrics NAME shows one in full, with its formula and source"
    Console().print(table)


def _in_full(metric: Metric) -> str:
    known = facts(metric)
    text = inspect.getdoc(metric.kernel) or ""
    lines = [known["name"], "", text, "", f"    formula  {metric.formula}"]
    lines += [f"    range    {' to '.join(known['range'])} {known['units']}".rstrip()]
    lines += [f"    source   {known['source']}", ""]
    for name, choices in known["conventions"].items():
        lines.append(f"    {name}: {', '.join(choices)}")
    lines += [f"    {name} = {value}" for name, value in known["parameters"].items()]
    return "\n".join(lines)
