"""`irmetrics-edu conformance export DIR`, `... run LIBRARY` and `... check RESULTS.json`."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.commands.options import add_format
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import FAILED, FINE, put, put_json, put_tables, show, tell
from irmetrics_edu.writing import write

if TYPE_CHECKING:
    from irmetrics_edu.conformance.running import Verdict

# How verdicts are said.
_VERDICTS = {"agrees": "agrees", "follows": "follows another", "none": "follows none",
             "refuses": "refuses"}  # fmt: skip

_HEADER = ("inputs about", "verdict", "cases", "measures", "convention, or minimal input")
EXAMPLES = (
    "conformance export vectors",
    "conformance run ir_measures",
    "conformance check results.json --badge badge.svg --page verdict.html",
)
# What each action takes beside the format.
_OWN = {"export": ("flat",), "run": (), "check": ("badge", "page", "tolerance")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "what",
        choices=("export", "run", "check"),
        help="export: write the vectors; run: let installed libraries compute them; check: "
        "check the results of another program",
    )
    parser.add_argument(
        "target",
        nargs="*",
        help="export: the folder to write to; run: libraries (default: all that are installed); "
        "check: a file of results",
    )
    parser.add_argument(
        "--flat",
        action="store_true",
        help="export: also write cases.tsv and inputs.tsv, for programs that read no JSON",
    )
    parser.add_argument(
        "--badge", metavar="FILE", action="append", default=[],
        help="check: write a badge, .svg or .json (as shields.io reads it); may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--page", metavar="FILE", action="append", default=[],
        help="check: write the verdict as a page, .html or .md; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--tolerance", type=float, metavar="X",
        help="check: a value passes if it is off by at most X, relative for values above 1 "
        "(default: 0.000001)",
    )  # fmt: skip
    add_format(parser, table="", json="")


def run(args: argparse.Namespace) -> int:
    """Write the vectors, or check libraries or programs; the exit code is 1 if one is wrong."""
    for what, options in _OWN.items():
        for option in options:
            if what != args.what and getattr(args, option):
                raise InputError(f"--{option} goes with conformance {what}: leave it out")
    if args.what == "export":
        return _export(args)
    if args.what == "check":
        return _check(args)
    from irmetrics_edu.conformance.adapters import ADAPTERS, adapter_of
    from irmetrics_edu.conformance.running import NONE, run_library

    asked = [adapter_of(name).name for name in args.target]
    names = asked or [a.name for a in ADAPTERS.values() if not a.why_not]
    verdicts = []
    for name in names:
        try:
            verdicts += run_library(name)
        except InputError as error:
            if args.target:
                raise
            tell(f"note: {error}")  # of all that are installed, one can't be run
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
    written = export(Path(args.target[0]), flat=args.flat)
    size = sum(path.stat().st_size for path in written)
    put(f"{len(written)} files, {size / 1000:.0f} kB, in {args.target[0]}")
    return 0


def _check(args: argparse.Namespace) -> int:
    from irmetrics_edu.conformance import cases
    from irmetrics_edu.conformance.checking import WITHIN, check
    from irmetrics_edu.conformance.results import read_results
    from irmetrics_edu.conformance.verdicts import as_dict, tables, written

    if len(args.target) != 1:
        raise InputError("conformance check takes one file of results, such as results.json")
    every = cases()
    within = WITHIN if args.tolerance is None else args.tolerance
    checked = check(read_results(Path(args.target[0]), every), every, within)
    files = [(name, written(checked, name, is_badge=True)) for name in args.badge]
    files += [(name, written(checked, name, is_badge=False)) for name in args.page]
    for name, text in files:
        write(name, text)
    if args.form == "json":
        put_json(as_dict(checked))
    else:
        put_tables(tables(checked), args.form)
    return FAILED if checked.failed else FINE


def _table(names: list[str], verdicts: "Sequence[Verdict]") -> None:
    """A table for each library; measures with the same verdict share a line."""
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
