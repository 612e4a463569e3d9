"""The site, built once for all tests that look at it."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

WAIT = 300
ADDRESS = "https://example.org/irmetrics-edu/"  # where the site of these tests says that it is


@pytest.fixture(scope="session", autouse=True)
def building(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, begun by the first test process, while other tests run."""
    base = tmp_path_factory.getbasetemp()
    out = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "site"
    wanted = any("built" in getattr(i, "fixturenames", ()) for i in request.session.items)
    if wanted:
        try:
            out.with_suffix(".begun").touch(exist_ok=False)
        except FileExistsError:
            return out
        threading.Thread(target=_build, args=(out,), daemon=True).start()
    return out


def _build(out: Path) -> None:
    # A process of its own: Sphinx's warnings about its own parts are not these tests' errors.
    command = [sys.executable, "-m", "dev.tools.site.build", str(out)]
    env = {**os.environ, "SITE_ADDRESS": ADDRESS}
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    said = out.with_suffix(".said")
    said.write_text(run.stderr if run.returncode else "", encoding="utf-8")
    said.rename(out.with_suffix(".done"))


@pytest.fixture(scope="session")
def built(building: Path) -> Path:
    """The site, when all of it stands."""
    done = building.with_suffix(".done")
    deadline = time.monotonic() + WAIT
    while not done.exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert done.exists(), f"the site was not built within {WAIT} seconds"
    said = done.read_text(encoding="utf-8")
    assert not said, said
    return building
