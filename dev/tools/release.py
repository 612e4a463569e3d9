"""Builds a release in `dist/` and looks at it as a user would: `make release`.

What the last commit holds is built, and nothing else that lies in the folder. A change that is not
committed, an empty `home` in pyproject.toml, and a page that says that there is no release yet are
refused; with a tag, so is a Python of the matrix that is not there. `--rehearse` goes through it
all with a made-up home, in build/rehearsal, and what it makes is not to be uploaded.

It is built twice, and both have the same bytes. Then twine and check-wheel-contents look at it,
each Python that is there installs the wheel into a new environment and computes a number, and
`dist/` gets the checksums, a bill of materials (CycloneDX) of what is installed beside it, the
recipe for conda, and the test vectors, which are a release of their own.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from dev.tools.places import unpack_commit
from irmetrics_edu import __version__
from irmetrics_edu.diagnosis.conformance import VERSION, export
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import ended, put
from irmetrics_edu.writing import write

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
REHEARSAL = ROOT / "build" / "rehearsal"
MADE_UP_HOME = "https://example.org/owner/irmetrics-edu/blob/main/"
RECIPE = ROOT / "dev" / "conda" / "recipe.yaml"
RUN_TIME = ROOT / "dev" / "constraints" / "run-time.txt"
# The bytes of the wheel: three tenths are the collection with the vectors of its documents, and a
# ninth are the chapters and exercises of the course.
LARGEST = 3_000_000
PYTHONS = tuple(f"python3.{minor}" for minor in range(11, 15))
# What no page may say of something that an index shows.
NOT_YET = re.compile(r"\bno release yet\b|\bon no (?:package )?index\b|\bno index has\b")
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


def refuse_changes(root: Path) -> None:
    """A release is of a commit: a change or a file that is not in it is refused."""
    changed = run("git", "status", "--porcelain", cwd=root).splitlines()
    if changed:
        shown = "\n".join(changed[:10])
        more = f"\nand {len(changed) - 10} more" if len(changed) > 10 else ""
        raise InputError(
            f"the folder is not what the last commit holds:\n{shown}{more}\n"
            "Commit these files or put them elsewhere; `git stash -u` puts them aside"
        )


def home_of(root: Path) -> str:
    """Where the project's files are shown, from pyproject.toml; "" if it is not set."""
    table = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return str(table["tool"]["hatch"]["metadata"]["hooks"]["custom"]["home"])


def not_yet(root: Path) -> list[str]:
    """The lines of the README and of the docs that say that there is no release."""
    found = []
    for page in (root / "README.md", *sorted((root / "docs").glob("*.md"))):
        text = page.read_text(encoding="utf-8")
        for match in NOT_YET.finditer(" ".join(text.split("\n"))):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{page.relative_to(root).as_posix()}:{line}: {match[0]}")
    return found


def refuse_what_an_index_would_show_wrong(root: Path) -> None:
    """A page of an index can't be edited after the upload: its links and words have to be right."""
    if not home_of(root):
        raise InputError(
            'home = "" in pyproject.toml, so each link of the page on an index would lead nowhere; '
            'write where the files are shown, as in home = "https://host/owner/name/blob/main/". '
            "To try all of it without a home, use --rehearse (make release REHEARSE=1)"
        )
    said = not_yet(root)
    if said:
        raise InputError(
            "these lines say that there is no release: " + "; ".join(said) + ". Say instead "
            "how to install it from the index"
        )


def refuse_missing_pythons(found: list[str], *, tagged: bool) -> None:
    """A release with a tag is tried on every Python of the matrix, another on those there are."""
    missing = [python for python in PYTHONS if python not in found]
    if not found:
        raise InputError(f"none of {', '.join(PYTHONS)} is there to try it")
    if missing and tagged:
        raise InputError(
            f"{', '.join(missing)}: not found, and a release with a tag is tried on each of "
            f"{', '.join(PYTHONS)}; install what is missing"
        )
    if missing:
        put(f"not found, and so not tried: {', '.join(missing)}")


def committed(into: Path, *, home: str = "") -> Path:
    """What the last commit holds, unpacked into a folder; a home can be made up for a rehearsal."""
    unpack_commit(ROOT, "HEAD", into)
    if home:
        path = into / "pyproject.toml"
        text = path.read_text(encoding="utf-8")
        write(path, re.sub(r'^home = ""$', f'home = "{home}"', text, flags=re.MULTILINE))
    return into


def built(into: Path, tools: Path, *, home: str = "") -> list[Path]:
    """The wheel and the source archive of the last commit, by the pinned tools and at its time."""
    moment = run("git", "log", "-1", "--format=%ct", cwd=ROOT).strip()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": moment}
    with tempfile.TemporaryDirectory() as place:
        source = committed(Path(place), home=home)
        run(tools / "python", "-m", "build", "--no-isolation", "-o", into, source, env=environment)
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
    write(bill, at_run_time(bill.read_text(encoding="utf-8")))


def at_run_time(bill: str) -> str:
    """A bill of materials less what the package does not need: pip and the tools of the build."""
    content = json.loads(bill)
    needs = {entry["ref"]: entry.get("dependsOn", []) for entry in content["dependencies"]}
    waiting = [one["bom-ref"] for one in content["components"] if one["name"] == "irmetrics-edu"]
    if not waiting:
        raise InputError("the bill of materials lacks irmetrics-edu itself")
    needed: set[str] = set()
    while waiting:
        reference = waiting.pop()
        if reference not in needed:
            needed.add(reference)
            waiting += needs.get(reference, [])
    content["components"] = [c for c in content["components"] if c["bom-ref"] in needed]
    content["dependencies"] = [d for d in content["dependencies"] if d["ref"] in needed]
    return json.dumps(content, indent=2) + "\n"


def recipe(source: Path, tools: Path, dist: Path) -> Path:
    """The recipe for conda, with version and checksum of the source, read as conda reads it."""
    text = RECIPE.read_text(encoding="utf-8").replace("VERSION", f'"{__version__}"', 1)
    path = dist / RECIPE.name
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


def packed(dist: Path, tools: Path, *, home: str) -> tuple[Path, Path]:
    """The source archive and the wheel in a folder, once two builds of them have the same bytes."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        files = built(Path(one), tools, home=home)
        if sums(files) != sums(built(Path(other), tools, home=home)):
            raise InputError("two builds of one commit differ")
        shutil.rmtree(dist, ignore_errors=True)
        shutil.copytree(one, dist)
    source = next(dist.glob("*.tar.gz"))
    wheel = next(dist.glob("*.whl"))
    put(f"{source.name} and {wheel.name}: two builds have the same bytes")
    size = wheel.stat().st_size
    if size > LARGEST:
        raise InputError(f"{wheel.name} has {size:,} bytes; at most {LARGEST:,} are allowed")
    return source, wheel


def main(arguments: list[str] | None = None) -> int:
    """Build, compare, look at it, try it, and write what goes with it."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.release", description=__doc__)
    parser.add_argument("tools", type=Path, help="the folder of the tools' programs")
    parser.add_argument("--tag", default="", help="the tag of the release, as v1.0.0")
    parser.add_argument(
        "--rehearse", action="store_true", help="with a made-up home, in build/rehearsal"
    )
    args = parser.parse_args(arguments)
    tools: Path = args.tools
    if args.tag and args.tag != f"v{__version__}":
        raise InputError(
            f"the tag is {args.tag}, and the version is {__version__}: write v{__version__}"
        )
    if args.tag and args.rehearse:
        raise InputError("a rehearsal has no tag; leave out --tag or --rehearse")
    refuse_changes(ROOT)
    if not args.rehearse:
        refuse_what_an_index_would_show_wrong(ROOT)
    found = [python for python in PYTHONS if is_there(python)]
    refuse_missing_pythons(found, tagged=bool(args.tag))
    dist = REHEARSAL if args.rehearse else DIST
    source, wheel = packed(dist, tools, home=MADE_UP_HOME if args.rehearse else "")
    run(tools / "twine", "check", "--strict", source, wheel)
    run(tools / "check-wheel-contents", wheel)
    bill = dist / "sbom.cdx.json"
    for python in found:
        tried(wheel, python, tools, bill)
        put(f"{python} installs it and computes")
    others = [bill, recipe(source, tools, dist), vectors(dist)]
    write(dist / "SHA256SUMS", sums([source, wheel, *others]))
    put(f"{dist.name}/ has {', '.join(sorted(path.name for path in dist.iterdir()))}")
    if args.rehearse:
        put(f"A rehearsal: its links lead to {MADE_UP_HOME}, so do not upload it.")
    return 0


if __name__ == "__main__":
    sys.exit(ended("dev.tools.release", main))
