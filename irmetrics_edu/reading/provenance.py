"""Where a result comes from: the date, the command, the versions, and the files that were read."""

import hashlib
import os
import platform
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Self

from irmetrics_edu.reading.files import File

_PACKAGES = ("irmetrics-edu", "numpy", "scipy")
_AT_ONCE = 1 << 20  # bytes


@dataclass(frozen=True)
class InputFile:
    """A file that was read: its name, how many bytes it has, and their SHA-256."""

    name: str
    size: int
    digest: str

    @classmethod
    def of(cls, file: File) -> Self:
        """What is there, packed or not; a pipe gives the bytes that it gave before."""
        digest = hashlib.sha256()
        with file.bare() as stream:
            for some in iter(lambda: stream.read(_AT_ONCE), b""):
                digest.update(some)
        return cls(str(file), file.size, digest.hexdigest())

    def facts(self) -> dict[str, Any]:
        """The same in plain values, as JSON has them."""
        return {"file": self.name, "bytes": self.size, "sha256": self.digest}

    def line(self) -> str:
        """The same in words."""
        return f"read {self.name}: {self.size:,} bytes, SHA-256 {self.digest}"


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from."""

    date: str  # in UTC
    command: str
    versions: Mapping[str, str]
    inputs: Sequence[InputFile]

    def facts(self) -> dict[str, Any]:
        """The same in plain values, as JSON has them."""
        return {
            "date": self.date,
            "command": self.command,
            "versions": dict(self.versions),
            "inputs": [one.facts() for one in self.inputs],
        }

    def lines(self) -> list[str]:
        """The same in words, a line for each thing."""
        versions = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        return [
            f"made {self.date} with {versions}",
            f"command: {self.command}",
            *(one.line() for one in self.inputs),
        ]


def provenance(words: Sequence[str], files: Iterable[File]) -> Provenance:
    """The provenance of what a command prints: its `words`, and the files that it read.

    SOURCE_DATE_EPOCH sets the date, so that a build can be repeated.
    """
    each_once = {id(file): file for file in files}
    inputs = [InputFile.of(file) for file in each_once.values()]
    command = shlex.join(["irmetrics-edu", *words])
    return Provenance(now(), command, versions_of(_PACKAGES), inputs)


def now() -> str:
    """The date and time in UTC, or those that a build sets to be repeatable."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    at = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    return at.strftime("%Y-%m-%d %H:%M UTC")


def versions_of(packages: Iterable[str]) -> dict[str, str]:
    """The version of Python and of each package that is installed."""
    versions = {"Python": platform.python_version()}
    for name in packages:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:  # run from a folder, or an extra that is not there
            continue
    return versions
