"""What the site offers to take along: the wheel of the package, and the course as one archive."""

import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from dev.tools.places import ROOT
from irmetrics_edu import __version__
from irmetrics_edu.errors import InputError
from irmetrics_edu.writing import write

FOLDER = "files"  # of the site
WHEEL = f"irmetrics_edu-{__version__}-py3-none-any.whl"
COURSE = "irmetrics-edu-course.zip"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # no date: the same course gives the same archive


def install(address: str) -> str:
    """The command that installs the wheel of a site at an address, or one that was fetched.

    >>> install("https://x.org/")
    'pip install "irmetrics-edu[gate] @ https://x.org/files/irmetrics_edu-1.0.0-py3-none-any.whl"'
    """
    if address:
        return f'pip install "irmetrics-edu[gate] @ {address}{FOLDER}/{WHEEL}"'
    return f'pip install "./{WHEEL}[gate]"'


def write_downloads(out: Path) -> None:
    """Write the wheel and the archive of the course into the site."""
    write(out / FOLDER / WHEEL, _wheel())
    write(out / FOLDER / COURSE, course(ROOT))


def _wheel() -> bytes:
    """The wheel of the package, as its build back end makes it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 -- our own build
        made = Path(folder) / WHEEL
        if not made.exists():
            raise InputError(f"no wheel was built for the site: {run.stderr.strip()[-400:]}")
        return made.read_bytes()


def course(root: Path) -> bytes:
    """All notebooks and exercises, with their translations, as one zip."""
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for kind in ("notebooks", "exercises"):
            for path in sorted((root / kind).rglob("*.ipynb")):
                name = f"irmetrics-edu-course/{path.relative_to(root).as_posix()}"
                archive.writestr(
                    zipfile.ZipInfo(name, _LONG_AGO), path.read_bytes(), zipfile.ZIP_DEFLATED
                )
    return into.getvalue()
