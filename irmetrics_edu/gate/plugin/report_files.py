"""Reports written to files, each in the format of its suffix."""

import os
from collections.abc import Sequence
from pathlib import Path

from irmetrics_edu import writing
from irmetrics_edu.gate.plugin import session_report
from irmetrics_edu.gate.plugin.html_report import html_page


def text(suffix: str, results: session_report.Results, stale: Sequence[tuple[str, str]]) -> str:
    """A report in the format of a suffix."""
    if suffix == ".json":
        return session_report.as_json(results, stale)
    if suffix == ".md":
        return session_report.markdown(results, stale)
    return html_page(session_report.in_order(results), stale)


def write(
    paths: Sequence[Path], results: session_report.Results, stale: Sequence[tuple[str, str]]
) -> None:
    """Write a report to several files, all of them or none, each in the format of its suffix.

    Markdown also goes to GitHub's job summary.
    """
    texts = {path: text(path.suffix, results, stale) for path in paths}
    writing.write_all(texts)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    for path, said in texts.items():
        if summary and path.suffix == ".md":
            writing.append(summary, said)
