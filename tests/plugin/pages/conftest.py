"""Sessions of pytest over a folder, as in tests/plugin, and the files of a page."""

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu.metrics.definition import import_all

import_all()  # metrics are registered once in a process


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    """No session here is in CI unless it says so."""
    for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "GITHUB_SHA", "TF_BUILD"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def session(pytester):
    """A session in this process, with the options that are given."""

    def run(*options):
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-Wdefault", *options)

    return run
