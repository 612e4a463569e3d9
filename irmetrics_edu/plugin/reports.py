"""What a session measured, as a table, JSON, Markdown and a page of HTML. Computes nothing."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from irmetrics_edu.views import formatting

Results = Sequence[Mapping[str, Any]]
HEADER = ("verdict", "measure", "score", "asserted", "queries", "test")
_ORDER = {"fail": 0, "inconclusive": 1, "xfail": 2, "pass": 3}


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
    if result.get("unit") == "rank":
        return "-" if value is None else f"{value}"
    return "NaN" if value is None else f"{value:.4f}"


def asserted(result: Mapping[str, Any]) -> str:
    """What was asserted, in short: >= 0.45; nothing where it is not to be shown."""
    bounds = result["bounds"]
    if "above" in bounds:
        rank = bounds["which_has_rank"]
        return f"above {bounds['above']}" + ("" if rank is None else f", rank {rank}")
    if "baseline" in bounds:
        limit = f"- {bounds['max_drop']:g}" if "max_drop" in bounds else f"+ {bounds['by']:g}"
        return f"baseline {bounds['baseline']:.4f} {limit}"
    signs = {"at_least": ">=", "at_most": "<=", "equals": "=", "every_query_at_least": "each >="}
    return ", ".join(f"{signs[name]} {value:g}" for name, value in bounds.items()) or "-"


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


def markdown(results: Results, stale: Sequence[tuple[str, str]] = ()) -> str:
    """The table in Markdown."""

    def bar(values: Sequence[str]) -> str:
        return "| " + " | ".join(v.replace("|", r"\|") for v in values) + " |"

    lines = ["### Rankings", "", count(results), ""]
    if results:
        lines += [bar(HEADER), "|---|---|---:|---|---:|---|"]
        lines += [bar(cells(r)) for r in in_order(results)]
    lines += [f"\nStale baseline: {key} in {path}" for path, key in stale]
    return "\n".join(lines) + "\n"


def count(results: Results) -> str:
    """How many measurements came to which verdict."""
    words = [r["verdict"] for r in results]
    said = [f"{words.count(word)} {word}" for word in _ORDER if word in words]
    return ", ".join(said) or "Nothing was measured."


def as_json(results: Results, stale: Sequence[tuple[str, str]] = ()) -> str:
    """All of it, as JSON."""
    found = {
        "format": "irmetrics-edu report, version 1",
        "results": in_order(results),
        "stale_baselines": [{"file": path, "test": key} for path, key in stale],
    }
    return json.dumps(found, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def write(paths: Sequence[Path], results: Results, stale: Sequence[tuple[str, str]]) -> None:
    """Write each report in the format that its name tells; Markdown also to a CI's summary page."""
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".json":
            path.write_text(as_json(results, stale), encoding="utf-8")
        elif path.suffix == ".md":
            text = markdown(results, stale)
            path.write_text(text, encoding="utf-8")
            summary = os.environ.get("GITHUB_STEP_SUMMARY")
            if summary:
                with Path(summary).open("a", encoding="utf-8") as page:
                    page.write(text)
        else:
            from irmetrics_edu.plugin.page import html_page

            path.write_text(html_page(in_order(results), stale), encoding="utf-8")
