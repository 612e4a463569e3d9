"""The collection as it was shipped: its files, with texts, topics, judgments and runs."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.writing import is_remainder, write

DATA = Path(__file__).parent / "data"
DOCUMENTS, TOPICS = "documents.jsonl", "topics.jsonl"
QRELS = {"deep": "deep.qrels", "shallow": "shallow.qrels", "second": "assessor2.qrels"}
ASPECTS = "aspects.qrels"
RUNS = {"fts5": "fts5.run", "bm25": "bm25.run", "lsa": "lsa.run"}
NEURAL = ("neural.toml", "minilm.run", "splade.run", "minilm.vectors.npy")
NOTES = ("README.md", "PSF-LICENSE.txt")

Scores = dict[str, dict[str, float]]
Grades = dict[str, dict[str, int]]


def json_lines(name: str) -> list[dict[str, Any]]:
    """The objects of a file of the collection, one a line."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def fields(name: str) -> list[list[str]]:
    """The fields of each line of a file of the collection in a format of TREC."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines]


def run_lines(run: Mapping[str, Mapping[str, float]], tag: str) -> str:
    """A run as TREC has it: query, Q0, document, rank, score, tag."""
    lines = []
    for query, scores in run.items():
        for rank, (document, score) in enumerate(scores.items(), 1):
            lines.append(f"{query} Q0 {document} {rank} {score!r} {tag}\n")
    return "".join(lines)


def write_new(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files to a folder that is new or empty; one that holds something else is refused.

    A part of these very files is what a run left that was stopped: the others are written.
    """
    if folder.exists():
        may_go_on = folder.is_dir() and _is_begun(folder, files)
        if not may_go_on:
            raise InputError(f"{folder} is not an empty folder; name a new one")
    for name, content in files.items():
        write(folder / name, content)


def _is_begun(folder: Path, files: Mapping[str, bytes]) -> bool:
    """Whether a folder holds some of these files, but not all, and nothing else."""
    there = 0
    for path in folder.rglob("*"):
        if path.is_dir() or is_remainder(path):
            continue
        below = path.relative_to(folder)
        name = below.as_posix()
        if name not in files:
            return False
        if path.read_bytes() != files[name]:
            return False
        there += 1
    return there < len(files)


def shipped() -> dict[str, bytes]:
    """The collection's files as they were shipped, by their names."""
    names = [
        *NOTES,
        DOCUMENTS,
        TOPICS,
        *QRELS.values(),
        ASPECTS,
        *RUNS.values(),
        *NEURAL,
    ]
    files = {}
    for name in names:
        path = DATA / name
        files[name] = path.read_bytes()
    return files


PROVENANCE = (
    "The topics were written and the documents were judged by language models that follow a "
    "guideline, not by people. Use the judgments to learn and to test software. They are no "
    "evidence of how good an engine is for people."
)


@dataclass(frozen=True, slots=True)
class Topic:
    """An information need: what somebody types (title), and what is relevant (description).

    `kind` is "known item", "how-to" or "comparison". `aspects` are its subtopics, of which most
    topics have none; aspect 1 is the first.
    """

    id: str
    title: str
    description: str
    kind: str
    aspects: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Collection:
    """A test collection: documents, topics, judgments of several pools, and runs of engines.

    `documents` maps ids to texts and `queries` topics to their titles. `qrels` has grades from 0
    to 3 by the name of the pool: "deep" is the first 10 documents of all runs, "shallow" the first
    5 of fts5 and bm25, and "second" the grades of another assessor for some topics. `aspects` has
    the subtopics that a document covers, and `runs` scores by the name of the engine. `judges` says
    who judged.
    """

    name: str
    documents: dict[str, str]
    topics: dict[str, Topic]
    qrels: dict[str, Grades]
    aspects: dict[str, Grades]
    runs: dict[str, Scores]
    provenance: str = PROVENANCE
    judges: str = "language models, not by people"

    @property
    def queries(self) -> dict[str, str]:
        """What each topic's user types: its title."""
        return {topic.id: topic.title for topic in self.topics.values()}

    def __repr__(self) -> str:
        pools = []
        for name, pool in self.qrels.items():
            grades = sum(map(len, pool.values()))
            pools.append(f"{name} ({grades:,} grades)")
        parts = (
            f"{len(self.documents):,} documents, {len(self.topics)} topics",
            f"qrels: {', '.join(pools)}",
            f"aspects of {len(self.aspects)} topics",
            f"runs: {', '.join(self.runs) or 'none'}",
            f"judged by {self.judges}",
        )
        return f"<Collection {self.name}: {'; '.join(parts)}>"


def _by_topic(
    file: str,
    place: int,
    kind: Callable[[str], Any],
) -> dict[str, dict[str, Any]]:
    """The value at a place of each line: topic -> document -> grade or score."""
    values: dict[str, dict[str, Any]] = {}
    for line in fields(file):
        topic = line[0]
        document = line[2]
        values.setdefault(topic, {})[document] = kind(line[place])
    return values


def _covered() -> dict[str, Grades]:
    """The subtopics that a document covers: topic -> document -> aspect -> grade."""
    covered: dict[str, Grades] = {}
    for topic, aspect, document, grade in fields(ASPECTS):
        of_topic = covered.setdefault(topic, {})
        of_topic.setdefault(document, {})[aspect] = int(grade)
    return covered


def _topic(line: Mapping[str, Any]) -> Topic:
    return Topic(
        line["id"],
        line["title"],
        line["description"],
        line["kind"],
        tuple(line["aspects"]),
    )


def load_collection(name: str = "stdlib") -> Collection:
    """A test collection that ships with the package, read from its files.

    "stdlib" has documents from the docstrings of Python 3.11's standard library, a hundred topics
    in a programmer's words with graded judgments, and runs of SQLite's FTS5, BM25 and LSA.
    `provenance` says who judged. The documents are under the PSF License, which lies beside them.

    >>> collection = load_collection("stdlib")
    >>> collection
    <Collection stdlib: 1,458 documents, 100 topics; qrels: deep (1,684 grades), shallow ...>
    >>> collection.queries["q018"], collection.qrels["deep"]["q018"]["heapq.nlargest"]
    ('top ten largest values', 3)
    >>> collection.documents["math.sqrt"]
    'math.sqrt: Return the square root of x.'
    """
    if name != "stdlib":
        raise InputError(f"name={name!r}: the collection is one of stdlib")
    return Collection(
        name=name,
        documents={line["id"]: line["text"] for line in json_lines(DOCUMENTS)},
        topics={line["id"]: _topic(line) for line in json_lines(TOPICS)},
        qrels={name: _by_topic(file, 3, int) for name, file in QRELS.items()},
        aspects=_covered(),
        runs={name: _by_topic(file, 4, float) for name, file in RUNS.items()},
    )
