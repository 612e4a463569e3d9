"""`irmetrics-edu conformance export DIR`, `... run LIBRARY` and `... check RESULTS.json`."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.commands.options import Action, add_actions, add_format
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import FAILED, FINE, put, put_json, put_tables, show, tell
from irmetrics_edu.writing import write

if TYPE_CHECKING:
    from irmetrics_edu.diagnosis.conformance.against_vectors import VectorVerdict

# How verdicts are said.
_VERDICTS = {
    "agrees": "agrees",
    "follows": "follows another",
    "none": "follows none",
    "refuses": "refuses",
}

_HEADER = ("inputs about", "verdict", "cases", "measures", "convention, or an input")
EXAMPLES = (
    "conformance export vectors",
    "conformance export vectors --flat",
    "conformance run ir_measures",
    "conformance check results.json --badge badge.svg",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of the command."""
    add_actions(
        parser,
        EXAMPLES,
        Action(
            "export",
            "write the vectors to a folder, as JSON with a README",
            _add_export,
            _export,
        ),
        Action(
            "run",
            "let installed libraries compute the vectors; exit with 1 if one follows no convention",
            _add_run,
            _run,
        ),
        Action(
            "check",
            "check what your program computed; exit with 1 if a value is wrong",
            _add_check,
            _check,
        ),
    )


def _add_export(export: argparse.ArgumentParser) -> None:
    export.add_argument("folder", metavar="FOLDER", help="the folder to write to")
    export.add_argument(
        "--flat",
        action="store_true",
        help="also write cases.tsv and inputs.tsv, for programs that read no JSON",
    )


def _add_run(run: argparse.ArgumentParser) -> None:
    run.add_argument(
        "libraries",
        metavar="LIBRARY",
        nargs="*",
        help="a library, such as trec_eval or ranx (default: all that are installed)",
    )
    add_format(run, table="", json="")


def _add_check(check: argparse.ArgumentParser) -> None:
    check.add_argument(
        "results",
        metavar="RESULTS",
        help="your program's results in JSON; the README of the vectors shows the form",
    )
    check.add_argument("--badge", metavar="FILE.svg", help="write a badge")
    check.add_argument(
        "--tolerance",
        type=float,
        metavar="X",
        help="a value passes if it is off by at most X, relative for values above 1 "
        "(default: 0.000001)",
    )
    add_format(check, table="", json="", markdown="", html="")


def _export(args: argparse.Namespace) -> int:
    from irmetrics_edu.diagnosis.conformance import export

    written = export(Path(args.folder), flat=args.flat)
    size = sum(path.stat().st_size for path in written)
    put(f"{len(written)} files, {size / 1000:.0f} kB, in {args.folder}")
    return FINE


def _run(args: argparse.Namespace) -> int:
    from irmetrics_edu.diagnosis.conformance.adapters import ADAPTERS, adapter_of
    from irmetrics_edu.diagnosis.conformance.against_vectors import NONE, run_library

    asked = [adapter_of(name).name for name in args.libraries]
    names = asked or [a.name for a in ADAPTERS.values() if not a.why_not]
    verdicts = []
    for name in names:
        try:
            verdicts += run_library(name)
        except InputError as error:
            if args.libraries:
                raise
            tell(f"note: {error}")  # of all that are installed, one can't be run
    if args.form == "json":
        put_json([vars(v) for v in verdicts])
    else:
        _table(names, verdicts)
    return 1 if any(v.verdict == NONE for v in verdicts) else 0


def _check(args: argparse.Namespace) -> int:
    from irmetrics_edu.diagnosis.conformance import cases
    from irmetrics_edu.diagnosis.conformance.result_checks import WITHIN, check
    from irmetrics_edu.diagnosis.conformance.results import read_results
    from irmetrics_edu.diagnosis.conformance.verdicts import badge, facts, tables

    if args.badge is not None and not args.badge.endswith(".svg"):
        raise InputError(f"--badge {args.badge}: the name ends in .svg")
    every = cases()
    within = WITHIN if args.tolerance is None else args.tolerance
    checked = check(read_results(Path(args.results), every), every, within)
    if args.badge is not None:
        write(args.badge, badge(checked))
    if args.form == "json":
        put_json(facts(checked))
    else:
        put_tables(tables(checked), args.form)
    return FAILED if checked.failed else FINE


def _table(names: list[str], verdicts: "Sequence[VectorVerdict]") -> None:
    """A table for each library; measures with the same verdict share a line."""
    from irmetrics_edu.diagnosis.conformance.adapters import ADAPTERS

    for name in names:
        lines: dict[tuple[str, str, str], list[VectorVerdict]] = {}
        for v in verdicts:
            if v.library == name:
                lines.setdefault((v.topic, v.verdict, v.example or v.convention), []).append(v)
        rows = []
        for (topic, verdict, why), alike in lines.items():
            cases = f"{sum(v.agreeing for v in alike)}/{sum(v.cases for v in alike)}"
            measures = ", ".join(v.measure for v in alike)
            rows.append((topic or "the definition", _VERDICTS[verdict], cases, measures, why))
        show(f"Conformance of {name} {ADAPTERS[name].version}", _HEADER, rows)
