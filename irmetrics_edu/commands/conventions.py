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
    """All that is known of a library."""
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
    """Our measure for one of the library's, with what else it is computed under."""
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
        found += ["", "| it prints | in our words |", "|---|---|"]
        found += [f"| `{name}` | `{_entry(entry)}` |" for name, entry in b.metrics.items()]
    if b.lacks:
        found += ["", f"Metrics of its own that are not ours: {', '.join(b.lacks)}."]
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
open. Here is what each library chose, in the words that our functions take as arguments.
`evaluate(run, qrels, measures, conventions=...)` computes under the conventions of any of them.
*known by* says how we know: "measured" is what the library gave in this version, and tests hold the
bundle against it; "read" is what the source of this version says.

*pool* says whose judgments count: all that were judged, or the retrieved alone, which is what a
library counts that is handed one list. *ties, scores* is the order of documents of equal score, and
how finely scores are told apart if not as 64-bit floats (order: not at all). Under a metric stand
the options that differ from our defaults; an empty cell is a metric that the library lacks.

A library may compute one measure under other ties, scores or negative grades than the rest. They
stand in brackets behind that measure: `nDCG(ideal=retrieved) (ties=averaged, negative=keep)`. If
you name the measure plainly, as in `evaluate(run, qrels, "nDCG@10", conventions="torchmetrics")`,
they apply to it alone, and a note says so. A keyword of the call, as in ties="docid", holds for all
measures and comes before what the library has.

Most libraries give the mean of the queries' values, which is the macro-average. Some micro-average
a share of counts: they add up the hits of all queries and divide by the sum of all divisors, so
that a query with many relevant documents counts for more. `averaging="micro"` and
`averaging="macro"` choose between them, and `micro-P@5` is a measure of its own.

Where several conventions explain a number, `diagnose` puts first what is in most use. Each library
has a weight for that: how often it is installed in a month, as a power of ten. It is our estimate
and serves this order alone."""


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
        found += ["", f"not ours: {', '.join(b.lacks)}"]
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
