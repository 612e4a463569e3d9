"""`irmetrics-edu conformance export DIR` and `irmetrics-edu conformance run LIBRARY`."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.commands.options import add_format
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import put, put_json, show

if TYPE_CHECKING:
    from irmetrics_edu.conformance.running import Verdict


# How verdicts are said.
_VERDICTS = {"agrees": "agrees", "follows": "follows another", "none": "follows none",
             "refuses": "refuses"}  # fmt: skip

_HEADER = ("inputs about", "verdict", "cases", "measures", "convention, or minimal input")
EXAMPLES = ("conformance export vectors", "conformance run ir_measures")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "what",
        choices=("export", "run"),
        help="export: write the vectors; run: let libraries compute them",
    )
    parser.add_argument(
        "target",
        nargs="*",
        help="export: the folder to write to; run: libraries (default: all that are installed)",
    )
    add_format(parser, table="", json="")


def run(args: argparse.Namespace) -> int:
    """Write the vectors, or print what libraries do with them; 1 if one follows no convention."""
    if args.what == "export":
        return _export(args)
    from irmetrics_edu.conformance.adapters import ADAPTERS
    from irmetrics_edu.conformance.running import NONE, run_library

    names = args.target or [a.name for a in ADAPTERS.values() if not a.why_not]
    verdicts = []
    for name in names:
        verdicts += run_library(name)
    if args.form == "json":
        put_json([v.as_dict() for v in verdicts])
    else:
        _table(names, verdicts)
    return 1 if any(v.verdict == NONE for v in verdicts) else 0


def _export(args: argparse.Namespace) -> int:
    from irmetrics_edu.conformance import export

    if args.form != "table":
        raise InputError(f"--format {args.form} goes with conformance run: leave it out")
    if len(args.target) != 1:
        raise InputError("conformance export takes one folder to write to")
    written = export(Path(args.target[0]))
    size = sum(path.stat().st_size for path in written)
    put(f"{len(written)} files, {size / 1000:.0f} kB, in {args.target[0]}")
    return 0


def _table(names: list[str], verdicts: "Sequence[Verdict]") -> None:
    """A table for each library; measures of which the same is to be said stand in one line."""
    from irmetrics_edu.conformance.adapters import ADAPTERS

    for name in names:
        lines: dict[tuple[str, str, str], list[Verdict]] = {}
        for v in verdicts:
            if v.library == name:
                why = f"nearest: {v.convention}; {v.example}" if v.example else v.convention
                lines.setdefault((v.topic, v.verdict, why), []).append(v)
        rows = []
        for (topic, verdict, why), alike in lines.items():
            cases = f"{sum(v.agreeing for v in alike)}/{sum(v.cases for v in alike)}"
            measures = ", ".join(v.measure for v in alike)
            rows.append((topic or "the definition", _VERDICTS[verdict], cases, measures, why))
        show(f"Conformance of {name} {ADAPTERS[name].version}", _HEADER, rows)
