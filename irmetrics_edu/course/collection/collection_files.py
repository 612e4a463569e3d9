"""The collection's files, and their lines."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.writing import write

DATA = Path(__file__).parent / "data"
DOCUMENTS, TOPICS = "documents.jsonl", "topics.jsonl"
QRELS = {"deep": "deep.qrels", "shallow": "shallow.qrels", "second": "assessor2.qrels"}
ASPECTS = "aspects.qrels"
RUNS = {"fts5": "fts5.run", "bm25": "bm25.run", "lsa": "lsa.run"}
NOTES = ("README.md", "PSF-LICENSE.txt")

Scores = dict[str, dict[str, float]]


def json_lines(name: str) -> list[dict[str, Any]]:
    """The objects of a file of the collection, one a line."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def fields(name: str) -> list[list[str]]:
    """The fields of each line of a file of the collection in a format of TREC."""
    return [line.split() for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def run_lines(run: Mapping[str, Mapping[str, float]], tag: str) -> str:
    """A run as TREC has it: query, Q0, document, rank, score, tag."""
    return "".join(
        f"{query} Q0 {document} {rank} {score!r} {tag}\n"
        for query, scores in run.items()
        for rank, (document, score) in enumerate(scores.items(), 1)
    )


def new_folder(folder: Path) -> Path:
    """The folder, made if need be; one that holds something is refused."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder; name a new one")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_files(folder: Path) -> None:
    """Write the collection's files as they were shipped."""
    for name in (*NOTES, DOCUMENTS, TOPICS, *QRELS.values(), ASPECTS, *RUNS.values()):
        write(folder / name, (DATA / name).read_bytes())
