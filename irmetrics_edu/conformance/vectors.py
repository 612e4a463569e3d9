"""All test vectors, and the files that they are written to."""

import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from irmetrics_edu.conformance.case import Case
from irmetrics_edu.conformance.documented import of_documents
from irmetrics_edu.conformance.further import of_further
from irmetrics_edu.conformance.grid import of_grid
from irmetrics_edu.conformance.nuggets import of_nuggets
from irmetrics_edu.conformance.reading import of_reading
from irmetrics_edu.conformance.recommended import of_lists
from irmetrics_edu.conformance.runs import of_runs
from irmetrics_edu.writing import write

VERSION = "2.0"
_LINES = ",\n"


def cases() -> list[Case]:
    """All cases: the grids of conventions over the inputs, then those from documents."""
    return [
        *of_grid(), *of_reading(), *of_runs(), *of_nuggets(), *of_lists(), *of_further(),
        *of_documents(),
    ]  # fmt: skip


def export(folder: Path | str) -> list[Path]:
    """Write the vectors, a file per metric, and their schema; what was written is returned.

    The same bytes every time, so that a project that vendors them sees what changed.
    """
    target = Path(folder)
    by_metric: dict[str, list[Case]] = {}
    for case in cases():
        by_metric.setdefault(case.metric, []).append(case)
    written = []
    for metric, found in by_metric.items():
        path = target / f"{metric}.json"
        write(path, _file(metric, found))
        written.append(path)
    path = target / "schema.json"
    write(path, schema_text())
    return [*written, path]


def _file(metric: str, found: Sequence[Case]) -> str:
    """The vectors of a metric: an input or a case to a line, so that a change is seen."""
    shared: dict[str, str] = {}
    for case in found:
        shared |= case.reading
    own = {name for case in found for name in case.conventions if name not in case.reading}
    head = {
        "format": "irmetrics-edu/vectors",
        "version": VERSION,
        "metric": metric,
        "conventions": {n: v for n, v in shared.items() if n not in own},
    }
    inputs = {case.input: dict(case.given) for case in found}
    lines = [f"{json.dumps(n)}: {json.dumps(i, ensure_ascii=False)}" for n, i in inputs.items()]
    listed = [json.dumps(c.as_dict(), ensure_ascii=False) for c in found]
    return (
        json.dumps(head)[:-1]
        + f', "inputs": {{\n{_LINES.join(lines)}\n}}, "cases": [\n{_LINES.join(listed)}\n]}}\n'
    )


def schema_text() -> str:
    """The JSON schema of a file of vectors."""
    return (resources.files("irmetrics_edu.conformance") / "schema.json").read_text("utf-8")
