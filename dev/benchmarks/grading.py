"""Time the grading of two-question submissions beside others: `python -m dev.benchmarks.grading`.

nbgrader and Otter want an environment of their own:

    python -m venv /tmp/graders
    /tmp/graders/bin/pip install nbgrader==0.9.6 otter-grader==7.0.0
    python -m dev.benchmarks.grading --nbgrader /tmp/graders/bin/nbgrader \
        --otter /tmp/graders/bin/otter

All grade the same cells, in turns, in one run; nbgrader a batch at a time, as that is fastest, and
Otter one notebook at a time without a container, as `otter run` does. Neither shuts the code in so.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from irmetrics_edu.classroom.grading.sandbox import Call, Case, run_question, tier_for

PURE = [
    "import math",
    "def dcg(grades):\n    return sum(g / math.log2(i + 1) for i, g in enumerate(grades, 1))",
    "def precision(grades):\n    return sum(g > 0 for g in grades) / len(grades)",
]
NUMPY = [
    "import numpy as np",
    (
        "def dcg(grades):\n    ranks = np.arange(1, len(grades) + 1)\n"
        "    return (np.array(grades) / np.log2(ranks + 1)).sum()"
    ),
    "def precision(grades):\n    return np.mean(np.array(grades) > 0)",
]
CASES = [Case([5, 2, 3]), Case([0, 1, 0, 1]), Case([1])]
QUESTIONS = ("dcg", "precision")
TESTS = {
    "dcg": "assert abs(dcg([5, 2, 3]) - 7.7619) < 1e-4\nassert dcg([1]) == 1",
    "precision": "assert precision([0, 1, 0, 1]) == 0.5\nassert precision([1]) == 1",
}


def question(cells: list[str], name: str) -> None:
    """Run one question, and make sure that it was answered."""
    outcome = run_question(cells, Call(name), CASES)
    if not all(answer.given for answer in outcome.answers):
        raise RuntimeError(f"{name} was not answered: {outcome}")


def timed(work: Callable[[], object]) -> float:
    """Seconds of the wall clock."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def class_of(cells: list[str], submissions: int, workers: int) -> None:
    """Grade a class: so many submissions of two questions."""
    with ThreadPoolExecutor(workers) as pool:
        jobs = [pool.submit(question, cells, name) for name in QUESTIONS * submissions]
        for job in jobs:
            job.result()


def notebook(cells: list[str]) -> str:
    """The submission as nbgrader's source form: cells, and a test cell for each question."""

    def cell(name: str, source: str, **nbgrader: object) -> dict[str, object]:
        base = {"schema_version": 3, "grade_id": name, "locked": True, "task": False}
        return {
            "cell_type": "code",
            "id": name,
            "execution_count": None,
            "outputs": [],
            "metadata": {"nbgrader": {**base, **nbgrader}} if nbgrader else {},
            "source": source,
        }

    made = [cell(f"cell-{i}", source) for i, source in enumerate(cells)]
    made += [
        cell(f"test-{name}", test, grade=True, solution=False, points=1)
        for name, test in TESTS.items()
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return json.dumps(
        {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1
    )


def course(folder: Path, cells: list[str], submissions: int, nbgrader: str) -> None:
    """A course of nbgrader's with one assignment, released, and copies of it handed in."""
    config = "c = get_config()\nc.CourseDirectory.course_id = 'bench'\n"
    (folder / "nbgrader_config.py").write_text(config)
    source = folder / "source" / "ps1"
    source.mkdir(parents=True)
    (source / "p1.ipynb").write_text(notebook(cells))
    command(nbgrader, folder, "generate_assignment", "ps1")
    for number in range(submissions):
        handed_in = folder / "submitted" / f"student{number}" / "ps1"
        handed_in.mkdir(parents=True)
        released = folder / "release" / "ps1" / "p1.ipynb"
        (handed_in / "p1.ipynb").write_text(released.read_text())


def for_otter(folder: Path, cells: list[str], otter: str) -> None:
    """A notebook, and an autograder of Otter's with a test file for each question."""
    book = json.loads(notebook(cells))
    book["cells"] = [cell for cell in book["cells"] if not cell["metadata"]]
    (folder / "p1.ipynb").write_text(json.dumps(book))
    (folder / "tests").mkdir()
    for name, test in TESTS.items():
        code = "".join(f">>> {line}\n" for line in test.split("\n"))
        suite = {"cases": [{"code": code}], "scored": True, "type": "doctest"}
        text = (
            f"OK_FORMAT = True\ntest = {{'name': {name!r}, 'points': 1, 'suites': [{suite!r}]}}\n"
        )
        (folder / "tests" / f"{name}.py").write_text(text)
    words = ["generate", "-t", "tests", "-o", "autograder.zip"]
    command(otter, folder, *words, "--no-config", "--no-requirements", "--no-environment")


def command(program: str, folder: Path, *words: str) -> None:
    """Run a grader's command in a folder."""
    path = f"{Path(program).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(  # noqa: S603 -- the command that the caller names
        [program, *words],
        cwd=folder,
        check=True,
        env={**os.environ, "PATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> None:
    """Time both in turns and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--nbgrader", help="the nbgrader command; without it, ours alone")
    parser.add_argument("--otter", help="the otter command; without it, the others alone")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--class-size", type=int, default=300)
    parser.add_argument("--batch", type=int, default=10, help="submissions nbgrader gets at once")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    kinds = {"pure Python": PURE, "numpy": NUMPY}
    single: dict[str, list[float]] = {kind: [] for kind in kinds}
    whole: dict[str, list[float]] = {kind: [] for kind in kinds}
    theirs: dict[str, list[float]] = {kind: [] for kind in kinds}
    otters: dict[str, list[float]] = {kind: [] for kind in kinds}
    say(f"tier: {tier_for().name}; {given.workers} at a time")
    for _ in range(given.rounds):
        for kind, cells in kinds.items():
            for name in QUESTIONS * 10:
                single[kind].append(timed(lambda c=cells, n=name: question(c, n)))
            whole[kind].append(timed(lambda c=cells: class_of(c, given.class_size, given.workers)))
            if given.nbgrader:
                with tempfile.TemporaryDirectory() as made:
                    course(Path(made), cells, given.batch, given.nbgrader)
                    grade = ("autograde", "ps1", "--create")
                    seconds = timed(lambda m=made, g=grade: command(given.nbgrader, Path(m), *g))
                    theirs[kind].append(seconds / given.batch)
            if given.otter:
                with tempfile.TemporaryDirectory() as made:
                    for_otter(Path(made), cells, given.otter)
                    grade = ("run", "-a", "autograder.zip", "-o", ".", "p1.ipynb")
                    otters[kind].append(
                        timed(lambda m=made, g=grade: command(given.otter, Path(m), *g))
                    )
                    results = json.loads((Path(made) / "results.json").read_text())
                    if sum(test.get("score", 0) for test in results["tests"]) != len(TESTS):
                        raise RuntimeError(f"otter found {results}")
    say(
        f"| cells | a question, ms | {given.class_size} submissions, s | a submission, ms "
        "| nbgrader, a submission, ms | Otter, a submission, ms |\n|---|---|---|---|---|---|"
    )
    for kind in kinds:
        one, all_, other = median(single[kind]), median(whole[kind]), theirs[kind]
        beside, otter = (
            f"{median(times) * 1000:.0f}" if times else "not run" for times in (other, otters[kind])
        )
        each = all_ / given.class_size * 1000
        say(f"| {kind} | {one * 1000:.0f} | {all_:.1f} | {each:.0f} | {beside} | {otter} |")


if __name__ == "__main__":
    main()
