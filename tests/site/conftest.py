"""The site, built once for all tests that look at it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

WAIT = 300


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once, by the first of the test processes that needs it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    out, done = shared / "site", shared / "site.done"
    try:
        (shared / "site.begun").touch(exist_ok=False)
    except FileExistsError:
        deadline = time.monotonic() + WAIT
        while not done.exists() and time.monotonic() < deadline:
            time.sleep(0.2)
    else:
        # A process of its own: Sphinx's warnings about its own parts are not these tests' errors.
        command = [sys.executable, "-m", "irmetrics_edu.site.build", str(out)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        done.write_text(run.stderr if run.returncode else "")
    assert done.exists(), "another test process did not finish the site"
    assert not done.read_text(), done.read_text()
    return out
