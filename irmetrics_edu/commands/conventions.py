"""`irmetrics-edu conventions`: which conventions each library follows."""

import argparse
from typing import TYPE_CHECKING, Any

from irmetrics_edu.commands.options import add_format
from irmetrics_edu.views.output import put, put_json, show

if TYPE_CHECKING:
    from irmetrics_edu.libraries import Bundle

EXAMPLES = ("conventions", "conventions ranx")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("library", nargs="?", help="show this library in full, with its quirks")
    add_format(parser, table="", json="")


def run(args: argparse.Namespace) -> int:
    """Print the libraries' conventions, or those of one library."""
    from irmetrics_edu.libraries import BUNDLES, bundle

    chosen = [bundle(args.library)] if args.library else list(BUNDLES.values())
    if args.form == "json":
        put_json([facts(b) for b in chosen])
    elif args.library:
        put(_in_full(chosen[0]))
    else:
        _table(chosen)
    return 0


def facts(b: "Bundle") -> dict[str, Any]:
    """Everything that is known about a library."""
    return {
        "name": b.name,
        "package": b.package,
        "version": b.version,
        "python": b.python,
        "install": b.install,
        "known by": b.known,
        "meaning": b.meaning,
        "source": b.source,
        "conventions": {
            **b.facts(),
            **({} if b.no_relevant is None else {"no_relevant": str(b.no_relevant)}),
        },
        "metrics": {name: entry_of(entry) for name, entry in b.metrics.items()},
        "not ours": list(b.lacks),
        "quirks": [
            {
                "metrics": list(q.metrics),
                "inputs": list(q.probes),
                "says": q.says,
                "measured": None
                if q.case is None
                else {
                    "metric": q.case["metric"],
                    "input": q.case["probe"],
                    "value": q.case["value"],
                },
            }
            for q in b.quirks
        ],
    }


def entry_of(entry: Any) -> str:
    """Our measure for one of the library's, with its other conventions."""
    if isinstance(entry, str):
        return entry
    others = ", ".join(f"{name}={value}" for name, value in entry.items() if name != "measure")
    return f"{entry['measure']} ({others})"


def measured(case: Any) -> str:
    """A sentence on what was measured of a quirk; "" if nothing was."""
    if case is None:
        return ""
    return f" Measured: `{case['metric']}` on input `{case['probe']}` gives {case['value']}."


def heading(b: "Bundle") -> str:
    """The library, its version, and how it is known."""
    return f"{b.name} {b.version} ({b.known})" if b.version else b.name


def _in_full(b: "Bundle") -> str:
    entry = facts(b)
    lines = [heading(b), "", b.meaning, f"source: {b.source}"]
    if b.python:
        lines.append(f"python: this version needs Python {b.python} or later")
    if b.install:
        lines.append(f"install: {b.install}")
    lines.append("")
    lines += [f"    {name}: {value}" for name, value in entry["conventions"].items()]
    width = max(map(len, entry["metrics"]), default=0)
    lines += ["", *(f"    {name:<{width}}  {ours}" for name, ours in entry["metrics"].items())]
    if b.lacks:
        lines += ["", f"metrics we don't have: {', '.join(b.lacks)}"]
    for q in b.quirks:
        lines += ["", f"quirk of {', '.join(q.metrics)}: {q.says}.{measured(q.case)}"]
    return "\n".join(lines)


# What is left has room on a screen of 80 columns.
_NOT_ON_SCREEN = (
    "known by",
    "version",
    "P",
    "R",
    "ERR",
    "nothing relevant",
    "missing query",
    "quirks",
)


def _table(bundles: "list[Bundle]") -> None:
    from irmetrics_edu.libraries.table import HEADER, lines

    shown = [i for i, heading in enumerate(HEADER) if heading not in _NOT_ON_SCREEN]
    cells = [
        [
            line[i].replace(", ", ",").replace(",", "\n").replace("no_relevant=", "none: ")
            for i in shown
        ]
        for line in lines(bundles)
    ]
    for cell, b in zip(cells, (b for b in bundles if b.metrics), strict=True):
        cell[0] = f"{cell[0]}\n{b.known}"
    show(
        "Libraries and their conventions",
        [HEADER[i] for i in shown],
        cells,
        caption="irmetrics-edu conventions LIBRARY shows one in full, with its quirks",
        ruled=True,
        unfolded=[1],
    )
