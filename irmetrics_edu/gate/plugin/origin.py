"""Of what a report is: its title, the job, the date, the commit and the versions."""

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from irmetrics_edu.gate.history import commit_of

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
        parts += [f"{name} {number}" for name, number in self.versions.items()]
        return ", ".join(parts)


def origin_of(folder: Path, title: str, label: str) -> ReportOrigin:
    """Of what the report of this session is."""
    versions = {"Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:  # run from a folder, not installed
            continue
    return ReportOrigin(title, label, _now(), commit_of(folder), versions)


def read_origin(facts: Any) -> ReportOrigin:
    """The origin that a report holds; ValueError for another thing."""
    types = {"title": str, "label": str, "date": str, "commit": str, "versions": dict}
    if not isinstance(facts, Mapping):
        raise ValueError(f"made holds {facts!r:.40}")
    for name, value in facts.items():
        if not isinstance(value, types.get(name, ())):
            raise ValueError(f"made has {name!r}: {value!r:.40}")
    versions = facts.get("versions", {})
    if not all(isinstance(text, str) for pair in versions.items() for text in pair):
        raise ValueError(f"made has versions {versions!r:.40}")
    return ReportOrigin(**facts)


def _now() -> str:
    """The date, or the one that a build sets to be repeatable."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    return now.strftime("%Y-%m-%d %H:%M UTC")
