"""All test vectors, and the files that they are written to."""

import functools
import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from irmetrics_edu.diagnosis.conformance.case import Case
from irmetrics_edu.diagnosis.conformance.documented import of_documents
from irmetrics_edu.diagnosis.conformance.exposure_cases import of_shown
from irmetrics_edu.diagnosis.conformance.flat import cases_tsv, inputs_tsv
from irmetrics_edu.diagnosis.conformance.grid import of_grid
from irmetrics_edu.diagnosis.conformance.list_cases import of_lists
from irmetrics_edu.diagnosis.conformance.meaning import meanings
from irmetrics_edu.diagnosis.conformance.more_cases import of_further
from irmetrics_edu.diagnosis.conformance.nugget_cases import of_nuggets
from irmetrics_edu.diagnosis.conformance.reading_cases import of_reading
from irmetrics_edu.diagnosis.conformance.readme import readme
from irmetrics_edu.diagnosis.conformance.run_cases import of_runs
from irmetrics_edu.writing import write

VERSION = "2.2"
_LINES = ",\n"


def cases() -> list[Case]:
    """All cases: the grids of conventions over the inputs, then those from documents."""
    return [*_made()]


@functools.cache  # they take half a second
def _made() -> tuple[Case, ...]:
    return (
        *of_grid(), *of_reading(), *of_runs(), *of_nuggets(), *of_lists(), *of_further(),
        *of_shown(), *of_documents(),
    )  # fmt: skip


def export(folder: Path | str, *, flat: bool = False) -> list[Path]:
    """Write the vectors, a file per metric, their schema, and what their words mean.

    `flat` adds two files of lines for programs that read no JSON. The return value lists the
    written files. They have the same bytes every time, so a project that copies them sees real
    changes only.
    """
    target, every = Path(folder), cases()
    by_metric: dict[str, list[Case]] = {}
    for case in every:
        by_metric.setdefault(case.metric, []).append(case)
    texts = {f"{metric}.json": _file(metric, found) for metric, found in by_metric.items()}
    said = meanings(every)
    head = {"format": "irmetrics-edu/meanings", "version": VERSION}
    texts |= {
        "schema.json": schema_text(),
        "results.schema.json": schema_text("results.schema.json"),
        "meanings.json": json.dumps({**head, **said}, ensure_ascii=False, indent=1) + "\n",
        "README.md": readme(said, VERSION, len(every)),
    }
    if flat:
        texts |= {"cases.tsv": cases_tsv(every), "inputs.tsv": inputs_tsv(every)}
    for name, text in texts.items():
        write(target / name, text)
    return [target / name for name in texts]


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


def schema_text(name: str = "schema.json") -> str:
    """The JSON schema of a file of vectors, or of results."""
    return (resources.files("irmetrics_edu.diagnosis.conformance") / name).read_text("utf-8")
