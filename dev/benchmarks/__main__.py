"""Time the package beside its peers and write what came out: `python -m dev.benchmarks`."""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from dev.benchmarks import data, goals, report
from dev.benchmarks.contestants import CASES
from irmetrics_edu.writing import write

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SIZES = {
    "search, mappings": 7000,
    "search, files": 7000,
    "recommendation": 100_000,
    "diversity": 100,
    "one call": 1,
}
GROWTH = "search, mappings"  # the case that is also run at a tenth of its size


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(prog="python -m dev.benchmarks", description=__doc__)
    parser.add_argument(
        "--case", action="append", choices=[*CASES, goals.CASE], help="only this one (repeatable)"
    )
    parser.add_argument("--scale", type=float, default=1.0, help="0.01: a hundredth of the size")
    parser.add_argument("--rounds", type=int, default=3, help="processes for each contestant")
    parser.add_argument("--times", type=int, default=3, help="runs within a process")
    parser.add_argument("--only", action="append", help="only this contestant (repeatable)")
    parser.add_argument(
        "--peers",
        type=Path,
        default=ROOT / ".venv" / "libraries",
        help="an environment of peers that don't go with ours (default: .venv/libraries)",
    )
    parser.add_argument("--out", type=Path, default=HERE / "README.md", help="the page to write")
    return parser.parse_args(given)


def interpreters(peers: Path) -> list[str]:
    """The Pythons in which contestants may be installed: ours, then the peers' own."""
    theirs = (peers / "bin" / "python", peers / "Scripts" / "python.exe")
    return [sys.executable, *(str(python) for python in theirs if python.exists())]


def python_with(package: str, pythons: list[str]) -> str | None:
    """The first Python that has the package."""
    question = f"import importlib.util as u, sys; sys.exit(u.find_spec({package!r}) is None)"
    for python in pythons:
        asked = subprocess.run([python, "-c", question], cwd=ROOT, check=False)  # noqa: S603 -- its own interpreters
        if asked.returncode == 0:
            return python
    return None


def timed(python: str, case: str, name: str, folder: Path, times: int) -> dict[str, Any]:
    """What one process of one contestant tells."""
    command = [python, "-m", "dev.benchmarks.worker", case, name, str(folder), str(times)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 -- its own interpreters
    if done.returncode:
        return {"failed": (done.stderr.strip() or "no word").splitlines()[-1]}
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def prepare(case: str, folder: Path, size: int) -> None:
    """Make a case's data."""
    if case.startswith("search"):
        data.search(folder, size)
        (folder / "warm").mkdir(exist_ok=True)
        data.search(folder / "warm", 20)
    elif case == "recommendation":
        data.recommendation(folder, size)
    elif case == "diversity":
        data.diversity(folder, size)
    else:
        data.one_call(folder, size)


def measured(asked: argparse.Namespace) -> Iterator[report.Result]:
    """The results, case by case; the contestants take turns, so that a busy minute hits all."""
    pythons = interpreters(asked.peers)
    jobs = [(case, 1.0) for case in (asked.case or CASES) if case in CASES]
    jobs += [(case, 0.1) for case, _ in jobs if case == GROWTH]
    for case, share in jobs:
        names = [n for n in CASES[case][1] if asked.only is None or n in asked.only]
        if share < 1:
            names = names[:1]
        size = max(1, round(SIZES[case] * asked.scale * share)) if SIZES[case] > 1 else 1
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            prepare(case, folder, size)
            homes = {name: python_with(CASES[case][1][name].package, pythons) for name in names}
            told: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
            for _ in range(asked.rounds):
                for name, python in homes.items():
                    if python is not None:
                        told[name].append(timed(python, case, name, folder, asked.times))
            bytes_ = (folder / "run").stat().st_size if case == "search, files" else 0
        for name in names:
            yield result(case, name, size, told[name], bytes_)
    if goals.CASE in (asked.case or [goals.CASE]):
        with tempfile.TemporaryDirectory() as made:
            yield from goals.measured(Path(made), scale=asked.scale, times=asked.times)


def result(
    case: str, name: str, size: int, told: list[dict[str, Any]], file_bytes: int
) -> report.Result:
    """One line of the page from what a contestant's processes told."""
    failed = [t["failed"] for t in told if "failed" in t]
    good = [t for t in told if "failed" not in t]
    if not good:
        return report.Result(case, name, size, failed=failed[0] if failed else "not installed")
    return report.Result(
        case,
        name,
        size,
        seconds=median(s for t in good for s in t["times"]),
        fastest=min(s for t in good for s in t["times"]),
        peak=max(t["peak"] for t in good),
        scores=good[0]["scores"],
        version=good[0]["version"],
        python=good[0]["python"],
        why=CASES[case][1][name].why,
        file_bytes=file_bytes,
    )


def main(given: list[str] | None = None) -> int:
    """Run, write the page, and print it."""
    asked = arguments(given)
    results = []
    for one in measured(asked):
        results.append(one)
        sys.stderr.write(f"{one.case}, {one.size}: {one.name} {one.told}\n")
    page = report.page(results, asked.rounds, asked.times, goals=goals.section(results))
    write(asked.out, page)
    sys.stdout.write(page)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
