"""Runs and pools of the collection, made anew from its texts: `python -m dev.tools.collection`.

It says where a run differs from the shipped run, and exits with 1 if one does. `--write` writes the
runs and the shallow pool into the package. The shipped run of FTS5 is the record: another SQLite
may count or break words otherwise.
"""

import argparse
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from irmetrics_edu.course import Collection, load_collection
from irmetrics_edu.course.collection.collection_engines import DEPTH, Bm25, Lsa, SteadyFts5
from irmetrics_edu.course.collection.collection_files import DATA, QRELS, RUNS, Scores, run_lines
from irmetrics_edu.lab.efficiency.engines import Document, Engine
from irmetrics_edu.lab.efficiency.measures import answer, index
from irmetrics_edu.runs.pooling import pool
from irmetrics_edu.views.output import ended
from irmetrics_edu.writing import write

SHALLOW, SHALLOW_RUNS = 5, ("fts5", "bm25")  # the deep pool: 10, and all of them


def rebuilt(collection: Collection) -> dict[str, Scores]:
    """The run of each engine from the texts."""
    documents = [Document(*each) for each in collection.documents.items()]
    runs = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        engines: dict[str, Engine] = {
            "fts5": stack.enter_context(SteadyFts5(folder / "fts5.sqlite")),
            "bm25": Bm25(),
            "lsa": Lsa(),
        }
        for name, engine in engines.items():
            index(engine, documents)
            runs[name], _ = answer(engine, collection.queries, DEPTH)
    return runs


def differing(run: Scores, shipped: Scores) -> list[str]:
    """The topics for which a run isn't the shipped one, to the last digit and in its order."""
    return [
        topic
        for topic in sorted({*run, *shipped})
        if list(run.get(topic, {}).items()) != list(shipped.get(topic, {}).items())
    ]


def shallow_lines(collection: Collection, runs: Mapping[str, Scores]) -> str:
    """The qrels of the shallow pool: the deep pool's grades of fewer documents."""
    lines: list[str] = []
    for topic, grades in collection.qrels["deep"].items():
        found = pool({name: list(runs[name][topic]) for name in SHALLOW_RUNS}, SHALLOW)
        lines.extend(f"{topic} 0 {d} {grades[d]}\n" for d in sorted(map(str, found.documents)))
    return "".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Make the runs anew, say where they differ, and write them if asked to."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.collection", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the runs into the package")
    writes = parser.parse_args(arguments).write
    shipped = load_collection()
    made = rebuilt(shipped)
    failed = 0
    for name, run in made.items():
        topics = differing(run, shipped.runs[name])
        failed = 1 if topics else failed
        said = f"differs from the shipped run for {len(topics)} topics: {' '.join(topics)}"
        by = f" (SQLite {sqlite3.sqlite_version})" if topics and name == "fts5" else ""
        print(f"{RUNS[name]}{by}: {said if topics else 'the same as the shipped run'}")
        if writes:
            write(DATA / RUNS[name], run_lines(run, name))
    if writes:
        write(DATA / QRELS["shallow"], shallow_lines(shipped, made))
    return failed


if __name__ == "__main__":
    sys.exit(ended("dev.tools.collection", main))
