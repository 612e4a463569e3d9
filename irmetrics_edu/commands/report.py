"""`irmetrics-edu report merge`: the reports of several shards of a test suite as one."""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irmetrics_edu.commands.options import Action, add_actions, add_provenance, provenance_of
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.plugin import SUFFIXES
from irmetrics_edu.reading.files import SPOILT, File
from irmetrics_edu.reading.records import each_key_once, text_of
from irmetrics_edu.views.output import FINE, put

if TYPE_CHECKING:
    from irmetrics_edu.gate.plugin.origin import ReportOrigin

EXAMPLES = (
    "report merge shard1.json shard2.json --to rankings.html",
    "report merge shard*.json --to rankings.json --to rankings.md",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of the command."""
    about = (
        "Put the reports of several test sessions together, such as the shards of a suite. Each "
        "report is a file that pytest --irm-report=NAME.json wrote."
    )
    summary = "put the reports of several test sessions together"
    add_actions(
        parser,
        EXAMPLES,
        Action("merge", summary, _add_merge, _merge, about),
    )


def _add_merge(merge: argparse.ArgumentParser) -> None:
    merge.add_argument("reports", metavar="REPORT", nargs="+", help="a report in JSON")
    merge.add_argument(
        "--to",
        metavar="FILE",
        action="append",
        default=[],
        required=True,
        help="the file to write: .json, .md or .html; may be repeated",
    )
    add_provenance(merge)


def _merge(args: argparse.Namespace) -> int:
    from irmetrics_edu.gate.plugin import report_files
    from irmetrics_edu.gate.plugin import session_report as reports
    from irmetrics_edu.gate.plugin.origin import merged_origin, read_origin, undated

    for path in args.to:
        if not path.endswith(SUFFIXES):
            raise InputError(f"--to {path}: the name ends in one of {', '.join(SUFFIXES)}")
    results: list[Mapping[str, Any]] = []
    made: list[ReportOrigin] = []
    stale: set[tuple[str, str]] = set()
    whose: dict[str, int] = {}
    files = {path: File(path) for path in args.reports}
    for i, path in enumerate(args.reports):
        content = _read(files[path])
        for test in dict.fromkeys(r["test"] for r in content["results"]):
            other = whose.setdefault(test, i)
            if other != i:
                raise InputError(
                    f"{path}: {test} is also in {args.reports[other]}; give reports of different "
                    "tests, each once, or name the jobs: pytest --irm-label=NAME"
                )
        results += content["results"]
        made += [read_origin(one) for one in content.get("made", [])]
        stale |= {(one["file"], one["test"]) for one in content["stale_baselines"]}
    _order(results, made)
    origin = provenance_of(args, files.values())
    made = undated(made) if origin is None else [*made, merged_origin(origin)]
    report_files.write([Path(path) for path in args.to], results, sorted(stale), made)
    report_files.add_to_summary(results, sorted(stale), made)
    put(f"{reports.count(results)} (tests: {len(whose):,}; reports: {len(args.reports):,})")
    return FINE


def _order(results: list[Mapping[str, Any]], made: "list[ReportOrigin]") -> None:
    """Bring both into one order: shells order shard*.json by their locale."""
    results.sort(key=lambda one: (one["test"], one["measure"]))
    made.sort(key=lambda one: (one.label, one.line()))


def _read(path: File) -> Mapping[str, Any]:
    from irmetrics_edu.gate.plugin import report_files
    from irmetrics_edu.gate.plugin import session_report as reports
    from irmetrics_edu.gate.plugin.origin import read_origin

    text = text_of(path)
    try:
        content = json.loads(text, object_pairs_hook=each_key_once)
        if content["format"] != reports.FORMAT:
            raise ValueError(f"its format is {content['format']!r}")
        stale = [(one["file"], one["test"]) for one in content["stale_baselines"]]
        made = [read_origin(one) for one in content.get("made", [])]
        for suffix in SUFFIXES:  # what can be written in each format is whole
            report_files.text(suffix, content["results"], stale, made)
    except SPOILT as error:
        raise InputError(
            f"{path}: not a report of this plugin ({error!r}); give a file that "
            "--irm-report=NAME.json wrote"
        ) from None
    return dict(content)
