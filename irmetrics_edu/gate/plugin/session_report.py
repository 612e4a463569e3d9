"""What a session measured, as a table, JSON, Markdown and a page of HTML. Computes nothing."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from irmetrics_edu.gate.plugin.measured_test import MeasuredTest
from irmetrics_edu.gate.plugin.origin import ReportOrigin
from irmetrics_edu.measured import MISFIT
from irmetrics_edu.views import escaping, formatting

# What is annotated, and how.
_ANNOTATED = {
    "error": "error",
    MISFIT: "error",
    "fail": "error",
    "advisory": "warning",
    "inconclusive": "warning",
}
Results = Sequence[Mapping[str, Any]]
FORMAT = "irmetrics-edu report, version 1"
HEADER = ("verdict", "measure", "score", "asserted", "queries", "test")
OF_GROUPS = ("verdict", "group", "queries", "before", "score", "p, corrected by Holm")
_WORDS = ("error", MISFIT, "fail", "advisory", "inconclusive", "xfail", "updated", "new", "pass")
_ORDER = {word: place for place, word in enumerate(_WORDS)}
_LIMITS = {"max_observed_drop": "mean", "max_group_drop": "group", "max_query_drop": "query"}


def cells(result: Mapping[str, Any]) -> tuple[str, ...]:
    """One measurement as a line of a table."""
    return (
        result["verdict"],
        result["measure"] + (f" (1 of {result['times']:,})" if "times" in result else ""),
        score(result),
        asserted(result),
        f"{result['queries']:,}",
        result["test"],
    )


def score(result: Mapping[str, Any]) -> str:
    """What was measured: a score, NaN, or the rank of a document."""
    value = result["score"]
    if result["verdict"] == "error":
        return "-"
    if result.get("unit") == "rank":
        return "-" if value is None else f"{value}"
    return _digits(value, "NaN")


def _digits(value: float | None, none: str) -> str:
    return none if value is None else f"{value:.4f}"


def asserted(result: Mapping[str, Any]) -> str:
    """What was asserted, in short: >= 0.45; nothing if it must not be shown."""
    bounds = result["bounds"]
    if "above" in bounds:
        rank = bounds["which_has_rank"]
        where = "" if rank is None else f", rank {rank}"
        return f"above {bounds['above']}{where}"
    if "was" in bounds:
        return f"was {bounds['was']:.4f}"
    if "baseline" in bounds:
        return _against_baseline(bounds)
    said = []
    for name, value in bounds.items():
        if isinstance(value, Mapping):  # floors of groups
            said += [f"{group} >= {floor:g}" for group, floor in value.items()]
        else:
            said.append(f"{_SIGNS[name]} {value:g}")
    return ", ".join(said) or "-"


def _against_baseline(bounds: Mapping[str, Any]) -> str:
    """The baseline, what is tolerated or demanded, and the hard limits."""
    limit = f"- {bounds['margin']:g}" if "margin" in bounds else f"+ {bounds['by']:g}"
    said = [f"baseline {bounds['baseline']:.4f} {limit}"]
    for name, what in _LIMITS.items():
        if name in bounds:
            said.append(f"{what} - {bounds[name]:g}")
    if "protected" in bounds:
        said.append(f"{len(bounds['protected']):,} protected")
    return ", ".join(said)


_SIGNS = {
    "at_least": ">=",
    "at_most": "<=",
    "equals": "=",
    "every_query_at_least": "each >=",
    "every_group_at_least": "each group >=",
}


def of_groups(result: Mapping[str, Any]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The header and the lines of a measurement's groups, without empty columns."""
    rows = [
        (
            group["verdict"],
            group["group"],
            f"{group['queries']:,}",
            _digits(group.get("baseline"), "-"),
            _digits(group["score"], "NaN"),
            _digits(group.get("p_corrected"), "-"),
        )
        for group in result["groups"]
    ]
    told = [i for i in range(len(OF_GROUPS)) if any(row[i] != "-" for row in rows)]
    return tuple(OF_GROUPS[i] for i in told), [tuple(row[i] for i in told) for row in rows]


def in_order(results: Results) -> list[Mapping[str, Any]]:
    """Failures first, then by test and measure."""
    return sorted(results, key=lambda r: (_ORDER[r["verdict"]], r["test"], r["measure"]))


def table(results: Results, most: int | None = None) -> list[str]:
    """The table in plain text."""
    shown = in_order(results)[:most]
    lines = formatting.aligned(HEADER, [cells(r) for r in shown]).split("\n")
    if len(results) > len(shown):
        lines.append(f"... and {len(results) - len(shown):,} more; -v shows all")
    return lines


def title_of(made: Sequence[ReportOrigin]) -> str:
    """The title of a report; of several merged ones the title that all have."""
    titles = {origin.title for origin in made if origin.title}
    return titles.pop() if len(titles) == 1 else "Rankings"


def about(made: Sequence[ReportOrigin]) -> list[str]:
    """Of what a report is: a line for each session."""
    lines = dict.fromkeys(origin.line() for origin in made)
    return [line for line in lines if line]


def markdown(
    results: Results,
    stale: Sequence[tuple[str, str]] = (),
    made: Sequence[ReportOrigin] = (),
) -> str:
    """The table in Markdown."""
    lines = [f"### {escaping.markdown(title_of(made))}", "", count(results), ""]
    for line in about(made):
        lines += [escaping.markdown(line), ""]
    if results:
        lines.append(formatting.markdown_table(HEADER, [cells(r) for r in in_order(results)]))
    for r in in_order(results):
        if "groups" in r or "explanation" in r:
            title = f"{r['verdict']}: {r['measure']}, {r['test']}"
            lines += ["", f"#### {escaping.markdown(title)}"]
        if "groups" in r:
            lines += ["", formatting.markdown_table(*of_groups(r))]
        if "explanation" in r:
            lines += ["", *(f"    {line}" for line in r["explanation"].splitlines())]
    for path, key in stale:
        lines += ["", escaping.markdown(f"Stale baseline: {key} in {path}")]
    return "\n".join(lines) + "\n"


def count(results: Results) -> str:
    """The number of measurements with each verdict."""
    words = [r["verdict"] for r in results]
    said = [f"{words.count(word)} {word}" for word in _ORDER if word in words]
    return ", ".join(said) or "Nothing was measured."


def as_json(
    results: Results,
    stale: Sequence[tuple[str, str]] = (),
    made: Sequence[ReportOrigin] = (),
) -> str:
    """The whole report as JSON."""
    found = {
        "format": FORMAT,
        "made": [origin.facts() for origin in made],
        "results": in_order(results),
        "stale_baselines": [{"file": path, "test": key} for path, key in stale],
    }
    return json.dumps(found, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def annotations(
    tests: Iterable[tuple[MeasuredTest, Results]], root: Path | None = None
) -> list[str]:
    """Failures and inconclusive gates, as annotations that GitHub shows beside their tests.

    Paths are from pytest's `root` folder, and GitHub wants them from the top of the repository.
    """
    lines = []
    for test, results in tests:
        path, line, _ = test.location
        place = f"file={_property(_in_repository(path, root))},line={(line or 0) + 1}"
        for result in results:
            if result["verdict"] not in _ANNOTATED:
                continue
            title = _property(f"{result['measure']}: {result['verdict']}")
            said = _message(f"{result['test']}: {_annotation(result)}")
            lines.append(f"::{_ANNOTATED[result['verdict']]} {place},title={title}::{said}")
    return lines


def _in_repository(path: str, root: Path | None) -> str:
    """A path from the top of the repository, if CI says where that is."""
    top = os.environ.get("GITHUB_WORKSPACE")
    if not top or root is None:
        return path
    file = (root / path).resolve()
    if not file.is_relative_to(Path(top).resolve()):
        return path
    return file.relative_to(Path(top).resolve()).as_posix()


def _annotation(result: Mapping[str, Any]) -> str:
    """What an annotation says: the first line of the explanation, or what was asserted."""
    said = f"{result['measure']} {score(result)}, asserted {asserted(result)}"
    if result["verdict"] in {"error", "fail", MISFIT}:
        return str(result.get("explanation", said)).partition("\n")[0]
    return f"{said}; too few to tell" if result["verdict"] == "inconclusive" else said


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
