"""`irmetrics-edu conventions`: which conventions each library follows."""

import argparse
from typing import Any

from irmetrics_edu.commands.options import add_format
from irmetrics_edu.libraries import BUNDLES, Bundle, bundle
from irmetrics_edu.libraries.table import HEADER, lines
from irmetrics_edu.views.output import put, put_json, show

EXAMPLES = ("conventions", "conventions ranx")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("library", nargs="?", help="show this library in full, with its quirks")
    add_format(parser, table="", json="", markdown="")


def run(args: argparse.Namespace) -> int:
    """Print the libraries' conventions, or those of one library."""
    chosen = [bundle(args.library)] if args.library else list(BUNDLES.values())
    if args.form == "json":
        put_json([facts(b) for b in chosen])
    elif args.library:
        text = markdown_of(chosen[0]) if args.form == "markdown" else _in_full(chosen[0])
        put(text, args.form)
    elif args.form == "markdown":
        put(markdown(chosen), args.form)
    else:
        _table(chosen)
    return 0


def facts(b: Bundle) -> dict[str, Any]:
    """Everything that is known about a library."""
    return {
        "name": b.name,
        "package": b.package,
        "version": b.version,
        "known by": b.known,
        "meaning": b.meaning,
        "source": b.source,
        "conventions": {**b.facts(), **_no_relevant(b)},
        "metrics": {name: _entry(entry) for name, entry in b.metrics.items()},
        "not ours": list(b.lacks),
        "quirks": [
            {
                "metrics": list(q.metrics),
                "inputs": list(q.probes),
                "says": q.says,
                "measured": None
                if q.case is None
                else dict(zip(("metric", "input", "value"), q.case, strict=True)),
            }
            for q in b.quirks
        ],
    }


def _no_relevant(b: Bundle) -> dict[str, str]:
    return {} if b.no_relevant is None else {"no_relevant": str(b.no_relevant)}


def _entry(entry: Any) -> str:
    """Our measure for one of the library's, with its other conventions."""
    if isinstance(entry, str):
        return entry
    others = ", ".join(f"{name}={value}" for name, value in entry.items() if name != "measure")
    return f"{entry['measure']} ({others})"


def markdown(bundles: list[Bundle]) -> str:
    """The table of all libraries."""
    head = ["| " + " | ".join(HEADER) + " |", "|" + "---|" * len(HEADER)]
    return "\n".join(head + [f"| {' | '.join(line)} |" for line in lines(bundles)])


def markdown_of(b: Bundle) -> str:
    """One library in full, as a section of a page."""
    found = [f"## {_heading(b)}", "", b.meaning[:1].upper() + b.meaning[1:] + "."]
    if b.source:
        found += ["", f"Source: {b.source}."]
    if b.metrics:
        found += ["", "| it prints | our name |", "|---|---|"]
        found += [f"| `{name}` | `{_entry(entry)}` |" for name, entry in b.metrics.items()]
    if b.lacks:
        found += ["", f"Metrics that it has and we don't: {', '.join(b.lacks)}."]
    for q in b.quirks:
        found += ["", f"- **{', '.join(q.metrics)}**: {q.says}.{_measured(q.case)}"]
    return "\n".join(found)


def _measured(case: Any) -> str:
    if case is None:
        return ""
    metric, probe, value = case
    return f" Measured: `{metric}` on input `{probe}` gives {value}."


_INTRODUCTION = """\
# Which convention does a library follow?

One ranking gets different values from different libraries, because a metric's name leaves choices
open. The table shows what each library chose, in the words that our functions take as arguments.
`evaluate(run, qrels, measures, conventions=...)` computes under the conventions of any of them.
*known by* says how we know: "measured" is what the library gave in this version, and tests hold the
bundle against it; "read" is what the source of this version says.

*pool* says which judgments count: those of all judged documents, or those of retrieved documents
only. A library that takes a single list counts only the retrieved ones. *ties, scores* is the order
of documents of equal score, and the precision of scores if they are not 64-bit floats (order:
scores are ignored). The column of a metric shows the options that differ from our defaults. A cell
is empty if the library does not have the metric.

A library may treat ties, scores or negative grades of one measure differently from the rest. The
table then shows them in brackets: `nDCG(ideal=retrieved) (ties=averaged, negative=keep)`. If you
use the plain name, as in `evaluate(run, qrels, "nDCG@10", conventions="torchmetrics")`, they apply
to this measure alone, and a note says so. A keyword of the call, such as ties="docid", holds for
all measures and replaces the library's choice.

Most libraries give the mean of the queries' values, which is the macro-average. Some libraries
micro-average a share of counts. They add up the hits of all queries and divide by the sum of all
divisors, so a query with many relevant documents counts for more. `averaging="micro"` and
`averaging="macro"` choose between them, and `micro-P@5` is a measure of its own.

Several conventions may explain one number. Then `diagnose` lists the most used convention first.
Each library has a weight for this order: its installations in a month, as a power of ten. The
weight is our estimate and is used for nothing else."""


def page() -> str:
    """The page of the documentation: the table, and every library in full."""
    bundles = list(BUNDLES.values())
    return "\n\n".join([_INTRODUCTION, markdown(bundles), *map(markdown_of, bundles)]) + "\n"


def _heading(b: Bundle) -> str:
    """The library, its version, and how it is known."""
    return f"{b.name} {b.version} ({b.known})" if b.version else b.name


def _in_full(b: Bundle) -> str:
    known = facts(b)
    found = [_heading(b), "", b.meaning, f"source: {b.source}", ""]
    found += [f"    {name}: {value}" for name, value in known["conventions"].items()]
    width = max(map(len, known["metrics"]), default=0)
    found += ["", *(f"    {name:<{width}}  {ours}" for name, ours in known["metrics"].items())]
    if b.lacks:
        found += ["", f"metrics we don't have: {', '.join(b.lacks)}"]
    for q in b.quirks:
        found += ["", f"quirk of {', '.join(q.metrics)}: {q.says}.{_measured(q.case)}"]
    return "\n".join(found)


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


def _table(bundles: list[Bundle]) -> None:
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
