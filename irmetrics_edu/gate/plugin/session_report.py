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
OF_GROUPS = (
    "verdict",
    "group",
    "queries",
    "before",
    "score",
    "p, corrected by Holm",
)
_WORDS = (
    "error",
    MISFIT,
    "fail",
    "advisory",
    "inconclusive",
    "xfail",
    "updated",
    "new",
    "pass",
)
_ORDER = {word: place for place, word in enumerate(_WORDS)}
_LIMITS = {
    "max_observed_drop": "mean",
    "max_group_drop": "group",
    "max_query_drop": "query",
}


def cells(result: Mapping[str, Any]) -> tuple[str, ...]:
    """One measurement as a line of a table."""
    measure = result["measure"]
    if "times" in result:
        measure = f"{measure} (1 of {result['times']:,})"
    return (
        result["verdict"],
        measure,
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
    limits: list[str] = []
    for name, value in bounds.items():
        if isinstance(value, Mapping):  # floors of groups
            for group, floor in value.items():
                limits.append(f"{group} >= {floor:g}")
        else:
            limits.append(f"{_SIGNS[name]} {value:g}")
    return ", ".join(limits) or "-"


def _against_baseline(bounds: Mapping[str, Any]) -> str:
    """The baseline, what is tolerated or demanded, and the hard limits."""
    limit = f"- {bounds['margin']:g}" if "margin" in bounds else f"+ {bounds['by']:g}"
    limits = [f"baseline {bounds['baseline']:.4f} {limit}"]
    for name, what in _LIMITS.items():
        if name in bounds:
            limits.append(f"{what} - {bounds[name]:g}")
    if "protected" in bounds:
        limits.append(f"{len(bounds['protected']):,} protected")
    return ", ".join(limits)


_SIGNS = {
    "at_least": ">=",
    "at_most": "<=",
    "equals": "=",
    "every_query_at_least": "each >=",
    "every_group_at_least": "each group >=",
}


def of_groups(result: Mapping[str, Any]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The header and the lines of a measurement's groups, without empty columns."""
    rows = [_line_of_group(group) for group in result["groups"]]
    told: list[int] = []
    for place in range(len(OF_GROUPS)):
        column = {row[place] for row in rows}
        if column - {"-"}:
            told.append(place)
    header = tuple(OF_GROUPS[place] for place in told)
    lines = [tuple(row[place] for place in told) for row in rows]
    return header, lines


def _line_of_group(group: Mapping[str, Any]) -> tuple[str, ...]:
    """The cells of one group."""
    return (
        group["verdict"],
        group["group"],
        f"{group['queries']:,}",
        _digits(group.get("baseline"), "-"),
        _digits(group["score"], "NaN"),
        _digits(group.get("p_corrected"), "-"),
    )


def in_order(results: Results) -> list[Mapping[str, Any]]:
    """Failures first, then by test and measure."""
    return sorted(results, key=_place)


def _place(result: Mapping[str, Any]) -> tuple[int, str, str]:
    """What a measurement is sorted by."""
    return (
        _ORDER[result["verdict"]],
        result["test"],
        result["measure"],
    )


def table(results: Results, most: int | None = None) -> list[str]:
    """The table in plain text."""
    shown = in_order(results)[:most]
    rows = [cells(result) for result in shown]
    lines = formatting.aligned(HEADER, rows).split("\n")
    rest = len(results) - len(shown)
    if rest > 0:
        lines.append(f"... and {rest:,} more; -v shows all")
    return lines


def title_of(made: Sequence[ReportOrigin]) -> str:
    """The title of a report; of several merged ones the title that all have."""
    titles = {origin.title for origin in made if origin.title}
    return titles.pop() if len(titles) == 1 else "Rankings"


def about(made: Sequence[ReportOrigin]) -> list[str]:
    """Of what a report is: a line for each session, and for each report that was put together."""
    lines: dict[str, None] = {}
    for origin in made:
        for line in (origin.line(), *origin.inputs):
            lines[line] = None
    return [line for line in lines if line]


def markdown(
    results: Results,
    stale: Sequence[tuple[str, str]] = (),
    made: Sequence[ReportOrigin] = (),
) -> str:
    """The table in Markdown."""
    title = escaping.markdown(title_of(made))
    lines = [f"### {title}", "", count(results), ""]
    for line in about(made):
        lines += [escaping.markdown(line), ""]
    ordered = in_order(results)
    if ordered:
        rows = [cells(result) for result in ordered]
        lines.append(formatting.markdown_table(HEADER, rows))
    for result in ordered:
        lines += _markdown_section(result)
    for path, key in stale:
        lines += ["", escaping.markdown(f"Stale baseline: {key} in {path}")]
    return "\n".join(lines) + "\n"


def _markdown_section(result: Mapping[str, Any]) -> list[str]:
    """The groups and the explanation of a measurement under a title, if it has any."""
    lines: list[str] = []
    if "groups" in result or "explanation" in result:
        title = f"{result['verdict']}: {result['measure']}, {result['test']}"
        lines += ["", f"#### {escaping.markdown(title)}"]
    if "groups" in result:
        lines += ["", formatting.markdown_table(*of_groups(result))]
    if "explanation" in result:
        lines.append("")
        for line in result["explanation"].splitlines():
            lines.append(f"    {line}")
    return lines


def count(results: Results) -> str:
    """The number of measurements with each verdict."""
    words = [result["verdict"] for result in results]
    counts = [f"{words.count(word)} {word}" for word in _ORDER if word in words]
    return ", ".join(counts) or "Nothing was measured."


def _without_texts(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result without the texts of its queries: whoever reads JSON has them."""
    return {name: value for name, value in result.items() if name != "texts"}


def as_json(
    results: Results,
    stale: Sequence[tuple[str, str]] = (),
    made: Sequence[ReportOrigin] = (),
) -> str:
    """The whole report as JSON."""
    content = {
        "format": FORMAT,
        "made": [origin.facts() for origin in made],
        "results": [_without_texts(result) for result in in_order(results)],
        "stale_baselines": [{"file": path, "test": key} for path, key in stale],
    }
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def annotations(
    tests: Iterable[tuple[MeasuredTest, Results]], root: Path | None = None
) -> list[str]:
    """Failures and inconclusive gates, as annotations that GitHub shows beside their tests.

    Paths are from pytest's `root` folder, and GitHub wants them from the top of the repository.
    """
    lines = []
    for test, results in tests:
        path, line, _ = test.location
        file = _property(_in_repository(path, root))
        place = f"file={file},line={(line or 0) + 1}"
        for result in results:
            verdict = result["verdict"]
            if verdict not in _ANNOTATED:
                continue
            title = _property(f"{result['measure']}: {verdict}")
            message = _message(f"{result['test']}: {_annotation(result)}")
            lines.append(f"::{_ANNOTATED[verdict]} {place},title={title}::{message}")
    return lines


def _in_repository(path: str, root: Path | None) -> str:
    """A path from the top of the repository, if CI says where that is."""
    top = os.environ.get("GITHUB_WORKSPACE")
    if not top or root is None:
        return path
    file = (root / path).resolve()
    repository = Path(top).resolve()
    if not file.is_relative_to(repository):
        return path
    return file.relative_to(repository).as_posix()


def _annotation(result: Mapping[str, Any]) -> str:
    """What an annotation says: the first line of the explanation, or what was asserted."""
    sentence = f"{result['measure']} {score(result)}, asserted {asserted(result)}"
    if result["verdict"] in {"error", "fail", MISFIT}:
        return str(result.get("explanation", sentence)).partition("\n")[0]
    if result["verdict"] == "inconclusive":
        return f"{sentence}; too few to tell"
    return sentence


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
