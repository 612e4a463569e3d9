"""Time the grading of a whole class, all exercises: `python -m dev.benchmarks.grading_class`.

A class is made with copies of each student's own: most answers are right, some are wrong, some use
numpy, and some go on from a wrong answer. It is graded at two sizes, to show how the time grows,
then once more, where nothing is left to do. What a full class of 300 would take is computed from
the two sizes. On two idle cores run the whole of it: `--sizes 150,300`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from dev.benchmarks.grading import say
from dev.tools.exercises import solution, sources
from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.exercises.source import ExerciseSource, read
from irmetrics_edu.classroom.exercises.variants import Variant

KEY = b"a key of the benchmark, long enough"
FULL = 300
# What the project holds itself to, on two idle cores.
MINUTES, MEBIBYTES = 15, 300
GRADE = """
import json, re, resource, sys, time
from pathlib import Path
from irmetrics_edu.cli import main
from irmetrics_edu.classroom.grading.fork_server import FORK_SERVER
began = time.monotonic()
code = main(sys.argv[1:])
wall = time.monotonic() - began
FORK_SERVER.close()
# Of this program alone: what the resource module tells includes the one that started it.
status = Path("/proc/self/status")
high = re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text()) if status.exists() else None
own, others = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(json.dumps({
    "code": code, "wall": wall, "memory": int(high[1]) / 1024 if high else 0,
    "cpu": own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime,
    "own": own.ru_utime + own.ru_stime,
}))
"""


def hand_in(folder: Path, read_in: list[ExerciseSource], students: int) -> None:
    """Write what a class of so many hands in: one folder for each student."""
    source = Random(1)
    for number in range(students):
        student = f"s{number:03d}"
        variant = Variant(student, KEY)
        for exercise in read_in:
            book = json.loads(as_text(solution(exercise, variant)))
            spoil(book, exercise, source)
            target = folder / student / f"{exercise.stem}.ipynb"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(book), encoding="utf-8")


def spoil(book: Any, exercise: ExerciseSource, source: Random) -> None:
    """Change some answers: a fifth of them wrong, and numpy in a fourth of the notebooks."""
    names = {f"{exercise.exercise.number}-{q.name.replace('_', '-')}": q.name
             for q in exercise.exercise.questions}  # fmt: skip
    for cell in book["cells"]:
        name = names.get(str(cell["id"]))
        if name and source.random() < 0.2:
            text = (
                str(cell["source"]) if isinstance(cell["source"], str) else "".join(cell["source"])
            )
            wrong = f"\n{name} = (lambda own: lambda *a, **k: own(*a, **k) and 0.123)({name})"
            if exercise.exercise[name].kind == "value":
                wrong = f"\n{name} = 0.123"
            cell["source"] = text + wrong
    if source.random() < 0.25:
        book["cells"].insert(0, {
            "cell_type": "code", "id": "np", "metadata": {}, "outputs": [],
            "execution_count": None, "source": "import numpy as np",
        })  # fmt: skip


def graded(folder: Path, workers: int) -> dict[str, float]:
    """What one run of the command takes."""
    words = [
        "grade",
        str(folder / "in"),
        "--key",
        str(folder / "key"),
        "--out",
        str(folder / "out"),
    ]
    done = subprocess.run(  # noqa: S603 -- our own interpreter
        [sys.executable, "-c", GRADE, *words, "--workers", str(workers)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr)
    told: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return told


def main(given: list[str] | None = None) -> None:
    """Grade classes of each size, print a table, and what a full class would take."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sizes", default="10,20", help="numbers of students (default: 10,20)")
    parser.add_argument("--exercises", nargs="*", help="such as 01 04; default: all")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(given)
    read_in = [read(path) for path in sources(args.exercises)]
    questions = sum(len(s.exercise.questions) for s in read_in)
    say(f"{len(read_in)} exercises with {questions} questions, {args.workers} workers, "
        f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")  # fmt: skip
    say("| students | wall, s | processor, s | of it the teacher's process, s | memory, MiB "
        "| again, s |\n|---|---|---|---|---|---|")  # fmt: skip
    found: list[tuple[int, dict[str, float]]] = []
    for size in map(int, args.sizes.split(",")):
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            (folder / "key").write_bytes(KEY)
            hand_in(folder / "in", read_in, size)
            told = graded(folder, args.workers)
            began = time.monotonic()
            graded(folder, args.workers)
            again = time.monotonic() - began
        say(f"| {size} | {told['wall']:.1f} | {told['cpu']:.1f} | {told['own']:.1f} "
            f"| {told['memory']:.0f} | {again:.1f} |")  # fmt: skip
        found.append((size, told))
    wall, cpu = (_line(found, what) for what in ("wall", "cpu"))
    say(f"\n{FULL} students, on a line through these: {wall / 60:.1f} minutes by the clock here, "
        f"{cpu / 2 / 60:.1f} on two processors that do nothing else "
        f"(the bound: {MINUTES} minutes, {MEBIBYTES} MiB)")  # fmt: skip


def _line(found: list[tuple[int, dict[str, float]]], what: str) -> float:
    """What a full class would take, on a line through the first and the last size."""
    (few, least), (many, most) = found[0], found[-1]
    each = (most[what] - least[what]) / (many - few) if many > few else most[what] / many
    return most[what] + (FULL - many) * each


if __name__ == "__main__":
    main()
