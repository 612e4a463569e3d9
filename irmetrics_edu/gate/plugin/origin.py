"""Of what a report is: its title, the job, the date, the commit and the versions."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from irmetrics_edu.gate.history import commit_of
from irmetrics_edu.reading.provenance import Provenance, now, versions_of

_PACKAGES = ("irmetrics-edu", "pytest", "numpy")
_COMMIT = 10  # characters shown
_DIRTY = "-dirty"


@dataclass(frozen=True)
class ReportOrigin:
    """Of what a report is. What is not known is empty."""

    title: str = ""
    label: str = ""  # of a job or a project
    date: str = ""  # in UTC
    commit: str = ""  # ends in -dirty if files of the repository were changed and not committed
    versions: Mapping[str, str] = field(default_factory=dict)
    command: str = ""  # that put reports together
    inputs: Sequence[str] = ()  # what it read, a line for each file

    def facts(self) -> dict[str, Any]:
        """What is known, as JSON has it."""
        return {name: value for name, value in asdict(self).items() if value}

    def line(self) -> str:
        """What is known, in a line."""
        parts = []
        if self.label:
            parts.append(f"job {self.label}")
        if self.commit:
            commit = self.commit.removesuffix(_DIRTY)[:_COMMIT]
            changed = " with changes that are not committed" if self.commit != commit else ""
            is_dirty = self.commit.endswith(_DIRTY)
            parts.append(f"commit {commit}{changed if is_dirty else ''}")
        if self.date:
            parts.append(self.date)
        for name, number in self.versions.items():
            parts.append(f"{name} {number}")
        if self.command:
            parts.append(f"command: {self.command}")
        return ", ".join(parts)


def origin_of(folder: Path, title: str, label: str) -> ReportOrigin:
    """Of what the report of this session is."""
    return ReportOrigin(title, label, now(), commit_of(folder), versions_of(_PACKAGES))


def read_origin(facts: Any) -> ReportOrigin:
    """The origin that a report holds; ValueError for another thing."""
    types = {
        "title": str,
        "label": str,
        "date": str,
        "commit": str,
        "versions": dict,
        "command": str,
        "inputs": list,
    }
    if not isinstance(facts, Mapping):
        raise ValueError(f"made holds {facts!r:.40}")
    for name, value in facts.items():
        if not isinstance(value, types.get(name, ())):
            raise ValueError(f"made has {name!r}: {value!r:.40}")
    versions = facts.get("versions", {})
    if not all(isinstance(text, str) for pair in versions.items() for text in pair):
        raise ValueError(f"made has versions {versions!r:.40}")
    if not all(isinstance(line, str) for line in facts.get("inputs", [])):
        raise ValueError(f"made has inputs {facts['inputs']!r:.40}")
    return ReportOrigin(**facts)


def merged_origin(origin: Provenance) -> ReportOrigin:
    """Of what reports that were put together are: when, by which command, of which files."""
    return ReportOrigin(
        date=origin.date,
        versions=origin.versions,
        command=origin.command,
        inputs=[one.line() for one in origin.inputs],
    )


def undated(origins: Sequence[ReportOrigin]) -> list[ReportOrigin]:
    """The same sessions by title and job alone, so that equal reports are equal texts."""
    return [
        ReportOrigin(
            title=one.title,
            label=one.label,
        )
        for one in origins
    ]
