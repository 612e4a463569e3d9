"""What the sessions of pytest that these tests start are told by their surroundings."""

import email.parser  # noqa: F401
import importlib
import importlib.metadata
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, cached_property
from typing import Any

import pytest
import scipy.stats  # noqa: F401

import irmetrics_edu.gate
import irmetrics_edu.gate.plugin
from irmetrics_edu.diagnosis.mistakes import MISTAKES
from irmetrics_edu.metrics.definition import import_all

# Each session here puts back the modules that it found. What they all load is loaded before them:
# else each would load it anew, and neither numpy nor a registry can be loaded twice in a process.
import_all()
for _wing in (irmetrics_edu.gate.plugin, irmetrics_edu.gate):
    for _found in pkgutil.iter_modules(_wing.__path__, f"{_wing.__name__}."):
        importlib.import_module(_found.name)
# pandas tells Arrow of its types when it first writes Parquet, and Arrow hears of each once.
for _name in ("pandas", "polars", "pyarrow.parquet", "pandas.core.arrays.arrow.extension_types"):
    with suppress(ImportError):
        importlib.import_module(_name)
len(MISTAKES)

# Plugins of others say nothing of ours, and two of them take seconds to import (nbval compiles a
# grammar), again in every worker of pytest-xdist. The plugin itself comes by its entry point.
OTHERS = " ".join(f"-p no:{name}" for name in ("nbval", "hypothesispytest", "pytest_cov", "anyio"))


@pytest.fixture(autouse=True)
def _not_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sessions started here are not in CI unless they say so, and load no plugins of others."""
    for name in ("CI", "BUILD_NUMBER", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTEST_ADDOPTS", OTHERS)
    # A test file that is written twice in a second, at one size, would be taken for the first one.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


class ReadOnce:
    """An installed distribution that reads what each session asks of it from disk once."""

    def __init__(self, found: importlib.metadata.Distribution) -> None:
        self._found = found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._found, name)

    @cached_property
    def entry_points(self) -> Any:
        """What it offers to others, as plugins of pytest."""
        return self._found.entry_points

    @cached_property
    def metadata(self) -> Any:
        """Its name and version, for the head of a report."""
        return self._found.metadata


_distributions = importlib.metadata.distributions


@cache
def _installed(_path: tuple[str, ...]) -> list[ReadOnce]:
    return [ReadOnce(found) for found in _distributions()]


@pytest.fixture(autouse=True)
def _distributions_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session asks 190 installed distributions twice for plugins: a fifth of its time."""

    def distributions(**where: Any) -> Iterator[Any]:
        return iter(_distributions(**where) if where else _installed(tuple(sys.path)))

    monkeypatch.setattr(importlib.metadata, "distributions", distributions)


@pytest.fixture
def pytester(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """The fixture of pytest, which takes that option away."""
    monkeypatch.setenv("PYTEST_ADDOPTS", OTHERS)
    return pytester
