"""Runs and pools of the collection, made anew from its texts.

`python -m irmetrics_edu.course.collection.collection_building` writes the runs and the shallow
pool into the package.
The shipped run of FTS5 is the record: another SQLite may count or break words otherwise.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from irmetrics_edu.course.collection.collection_engines import DEPTH, Bm25, Lsa, SteadyFts5
from irmetrics_edu.course.collection.collection_files import DATA, QRELS, RUNS, Scores, run_lines
from irmetrics_edu.course.collection.shipped import Collection, load_collection
from irmetrics_edu.lab.efficiency.engines import Engine
from irmetrics_edu.lab.efficiency.measures import Indexing, Querying, answer, index
from irmetrics_edu.lab.efficiency.words import Document
from irmetrics_edu.runs.pooling import pool
from irmetrics_edu.writing import write

SHALLOW, SHALLOW_RUNS = 5, ("fts5", "bm25")  # the deep pool: 10, and all of them


def rebuilt(
    collection: Collection,
) -> tuple[dict[str, Scores], dict[str, tuple[Indexing, Querying]]]:
    """The run of each engine from the texts, and what it took, by the engine's own name."""
    documents = [Document(*each) for each in collection.documents.items()]
    runs, took = {}, {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        engines: dict[str, Engine] = {
            "fts5": stack.enter_context(SteadyFts5(folder / "fts5.sqlite")),
            "bm25": Bm25(),
            "lsa": Lsa(),
        }
        for name, engine in engines.items():
            indexing = index(engine, documents)
            runs[name], querying = answer(engine, collection.queries, DEPTH)
            took[engine.name] = indexing, querying
    return runs, took


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


if __name__ == "__main__":
    shipped = load_collection()
    made, _ = rebuilt(shipped)
    for name, run in made.items():
        write(DATA / RUNS[name], run_lines(run, name))
    write(DATA / QRELS["shallow"], shallow_lines(shipped, made))
