"""`irmetrics-edu conformance export DIR` and `irmetrics-edu conformance run LIBRARY`."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.errors import InputError

if TYPE_CHECKING:
    from irmetrics_edu.conformance.running import Verdict


# How verdicts are said.
_VERDICTS = {"agrees": "agrees", "follows": "follows another", "none": "follows none",
             "refuses": "refuses"}  # fmt: skip


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

    names = args.target or [a.name for a in ADAPTERS.values() if not a.why_not]
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
    """A table for each library; measures of which the same is to be said stand in one line."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from irmetrics_edu.conformance.adapters import ADAPTERS

    for name in names:
        lines: dict[tuple[str, str, str], list[Verdict]] = {}
        for v in verdicts:
            if v.library == name:
                why = f"nearest: {v.convention}; {v.example}" if v.example else v.convention
                lines.setdefault((v.topic, v.verdict, why), []).append(v)
        table = Table(
            title=f"Conformance of {name} {ADAPTERS[name].version}", title_justify="left",
            box=SIMPLE_HEAD, padding=(0, 1, 0, 0),
        )  # fmt: skip
        table.add_column("inputs about", ratio=3)
        table.add_column("verdict", no_wrap=True)
        table.add_column("cases", no_wrap=True, justify="right")
        table.add_column("measures", ratio=5, overflow="fold")
        table.add_column("convention, or minimal input", ratio=6, overflow="fold")
        for (topic, verdict, why), alike in lines.items():
            cases = f"{sum(v.agreeing for v in alike)}/{sum(v.cases for v in alike)}"
            measures = ", ".join(v.measure for v in alike)
            table.add_row(topic or "the definition", _VERDICTS[verdict], cases, measures, why)
        Console().print(table)
