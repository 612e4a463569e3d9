"""What the sessions of pytest that these tests start are told by their surroundings."""

import pytest

# Each session here puts back the modules that it found. What they all load is loaded before them:
# else each would load it anew, and numpy can't be loaded twice in a process.
import irmetrics_edu.plugin.session  # noqa: F401

# Plugins of others say nothing of ours, and two of them take seconds to import (nbval compiles a
# grammar), again in every worker of pytest-xdist. The plugin itself comes by its entry point.
OTHERS = " ".join(f"-p no:{name}" for name in ("nbval", "hypothesispytest", "pytest_cov", "anyio"))


@pytest.fixture(autouse=True)
def _not_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sessions started here are not in CI unless they say so, and load no plugins of others."""
    for name in ("CI", "BUILD_NUMBER", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTEST_ADDOPTS", OTHERS)


@pytest.fixture
def pytester(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """The fixture of pytest, which takes that option away."""
    monkeypatch.setenv("PYTEST_ADDOPTS", OTHERS)
    return pytester
