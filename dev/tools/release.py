"""Builds a release in `dist/` and looks at it as a user would: `make release`.

It is built twice, and both have the same bytes. Then twine and check-wheel-contents look at it,
each Python that is there installs the wheel into a new environment and computes a number, and
`dist/` gets the checksums, a bill of materials (CycloneDX) of what is installed beside it, the
recipe for conda, and the test vectors, which are a release of their own.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from irmetrics_edu import __version__
from irmetrics_edu.diagnosis.conformance import VERSION, export
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import ended, put
from irmetrics_edu.writing import write

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
RECIPE = ROOT / "dev" / "conda" / "recipe.yaml"
RUN_TIME = ROOT / "dev" / "constraints" / "run-time.txt"
LARGEST = 1_650_000  # bytes of the wheel
PYTHONS = tuple(f"python3.{minor}" for minor in range(11, 15))
# What a user does first, and what it has to print.
TRIED = (
    (["-m", "irmetrics_edu", "--version"], f"irmetrics-edu {__version__}"),
    (["-c", "from irmetrics_edu import ndcg; print(round(ndcg([5, 2, 3]), 3))"], "0.983"),
    (["-m", "irmetrics_edu", "reproduce", "--document", "001"], ""),
)


def run(*command: str | Path, **options: Any) -> str:
    """Run a command, and give what it prints; its errors end the release."""
    done = subprocess.run(  # noqa: S603 -- our own commands
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    if done.returncode:
        raise InputError(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return str(done.stdout)


def built(into: Path, tools: Path) -> list[Path]:
    """The wheel and the source archive, by the pinned tools and the time of the last commit."""
    moment = run("git", "log", "-1", "--format=%ct", cwd=ROOT).strip()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": moment}
    run(tools / "python", "-m", "build", "--no-isolation", "-o", into, ROOT, env=environment)
    return sorted(into.iterdir())


def sums(files: list[Path]) -> str:
    """Checksums, as sha256sum writes and checks them."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in files]
    return "\n".join([*lines, ""])


def tried(wheel: Path, python: str, tools: Path, bill: Path) -> None:
    """Install the wheel with its pinned dependencies, compute, and list what is installed."""
    with tempfile.TemporaryDirectory() as place:
        run(python, "-m", "venv", place)
        own = Path(place) / "bin" / "python"
        pip: list[str | Path] = [own, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        run(*pip, "--require-hashes", "-r", RUN_TIME)
        run(*pip, "--no-deps", wheel)
        for arguments, expected in TRIED:
            printed = run(own, *arguments, cwd=place)
            if expected not in printed:
                raise InputError(f"{python}: {' '.join(arguments)} printed {printed!r}")
        run(tools / "cyclonedx-py", "environment", own, "--output-reproducible", "-o", bill)


def recipe(source: Path, tools: Path) -> Path:
    """The recipe for conda, with version and checksum of the source, read as conda reads it."""
    text = RECIPE.read_text(encoding="utf-8").replace("VERSION", f'"{__version__}"', 1)
    path = DIST / RECIPE.name
    write(path, text.replace("SHA256", hashlib.sha256(source.read_bytes()).hexdigest(), 1))
    code = "import sys, rattler_build as r; print(*r.Stage0Recipe.from_file(sys.argv[1]).render())"
    if __version__ not in run(tools / "python", "-c", code, path):
        raise InputError(f"{path} does not build version {__version__}")
    return path


def vectors(folder: Path) -> Path:
    """The exported vectors as one file, the same bytes every time."""
    path = folder / f"irmetrics-vectors-{VERSION}.zip"
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(path, "w") as archive:
        for file in sorted(export(place, flat=True)):
            name = f"{path.stem}/{file.relative_to(place).as_posix()}"
            entry = zipfile.ZipInfo(name)  # of 1980: no time of its own
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return path


def is_there(python: str) -> bool:
    """Whether a Python runs, which a link on the path alone does not say."""
    try:
        run(python, "--version")
    except (InputError, OSError):
        return False
    return True


def main(arguments: list[str] | None = None) -> int:
    """Build, compare, look at it, try it, and write what goes with it."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.release", description=__doc__)
    parser.add_argument("tools", type=Path, help="the folder of the tools' programs")
    parser.add_argument("--tag", default="", help="the tag of the release, as v1.0.0")
    args = parser.parse_args(arguments)
    tools: Path = args.tools
    if args.tag and args.tag != f"v{__version__}":
        raise InputError(
            f"the tag is {args.tag}, and the version is {__version__}: write v{__version__}"
        )
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        files = built(Path(one), tools)
        if sums(files) != sums(built(Path(other), tools)):
            raise InputError("two builds of one commit differ")
        shutil.rmtree(DIST, ignore_errors=True)
        shutil.copytree(one, DIST)
    source, wheel = (next(DIST.glob(pattern)) for pattern in ("*.tar.gz", "*.whl"))
    put(f"{source.name} and {wheel.name}: two builds have the same bytes")
    if (size := wheel.stat().st_size) > LARGEST:
        raise InputError(f"{wheel.name} has {size:,} bytes; at most {LARGEST:,} are allowed")
    run(tools / "twine", "check", "--strict", source, wheel)
    run(tools / "check-wheel-contents", wheel)
    bill = DIST / "sbom.cdx.json"
    found = [python for python in PYTHONS if is_there(python)]
    for python in found:
        tried(wheel, python, tools, bill)
        put(f"{python} installs it and computes")
    if not found:
        raise InputError(f"none of {', '.join(PYTHONS)} is there to try it")
    if missing := [python for python in PYTHONS if python not in found]:
        put(f"not found, and so not tried: {', '.join(missing)}")
    write(DIST / "SHA256SUMS", sums([source, wheel, bill, recipe(source, tools), vectors(DIST)]))
    put(f"dist/ has {', '.join(sorted(path.name for path in DIST.iterdir()))}")
    return 0


if __name__ == "__main__":
    sys.exit(ended("dev.tools.release", main))
