"""Reports written to files, each in the format of its suffix."""

import os
from collections.abc import Sequence
from pathlib import Path

from irmetrics_edu import writing
from irmetrics_edu.plugin import reports
from irmetrics_edu.plugin.page import html_page


def write(path: Path, results: reports.Results, stale: Sequence[tuple[str, str]]) -> None:
    """Write a report in the format of its suffix; Markdown also goes to GitHub's job summary."""
    if path.suffix == ".json":
        writing.write(path, reports.as_json(results, stale))
    elif path.suffix == ".md":
        text = reports.markdown(results, stale)
        writing.write(path, text)
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            writing.append(summary, text)
    else:
        writing.write(path, html_page(reports.in_order(results), stale))
