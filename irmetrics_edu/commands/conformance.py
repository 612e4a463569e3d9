"""`irmetrics-edu conformance export DIR` and `irmetrics-edu conformance run LIBRARY`."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.errors import InputError

if TYPE_CHECKING:
    from irmetrics_edu.conformance.running import Verdict


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("what", choices=("export", "run"), help="write the vectors, or run them")
    parser.add_argument(
        "target", nargs="*", help="export: a folder; run: libraries (default: all installed)"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table", dest="form")


def run(args: argparse.Namespace) -> int:
    """Write the vectors, or print what libraries do with them; 1 if one follows no convention."""
    if args.what == "export":
        return _export(args)
    from irmetrics_edu.conformance.adapters import ADAPTERS
    from irmetrics_edu.conformance.running import NONE, run_library

    names = args.target or [a.name for a in ADAPTERS.values() if a.installed]
    verdicts = []
    for name in names:
        verdicts += run_library(name)
    if args.form == "json":
        print(json.dumps([v.as_dict() for v in verdicts], ensure_ascii=False, indent=2))
    else:
        _table(names, verdicts)
    return 1 if any(v.verdict == NONE for v in verdicts) else 0


def _export(args: argparse.Namespace) -> int:
    from irmetrics_edu.conformance import export

    if len(args.target) != 1:
        raise InputError("conformance export takes one folder to write to")
    written = export(Path(args.target[0]))
    size = sum(path.stat().st_size for path in written)
    print(f"{len(written)} files, {size / 1000:.0f} kB, in {args.target[0]}")
    return 0


def _table(names: list[str], verdicts: "Sequence[Verdict]") -> None:
    from rich.console import Console
    from rich.table import Table

    from irmetrics_edu.conformance.adapters import ADAPTERS
    from irmetrics_edu.conformance.running import AGREES, FOLLOWS

    versions = ", ".join(f"{name} {ADAPTERS[name].version}" for name in names)
    table = Table(title=f"Conformance of {versions}")
    for heading in ("library", "measure", "verdict", "cases", "convention or minimal input"):
        table.add_column(heading, overflow="fold")
    for v in verdicts:
        said = {AGREES: "agrees", FOLLOWS: "follows another"}.get(v.verdict, "follows none")
        why = v.convention if v.verdict != "none" else f"nearest: {v.convention}; {v.example}"
        table.add_row(v.library, v.measure, said, f"{v.agreeing}/{v.cases}", why)
    Console().print(table)
