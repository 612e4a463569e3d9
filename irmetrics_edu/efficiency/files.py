"""The collection as TREC files: documents, topics, qrels, runs."""

from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from irmetrics_edu.efficiency.collection import Collection
from irmetrics_edu.errors import InputError
from irmetrics_edu.writing import write

DOCUMENTS, TOPICS, QRELS = "documents.trec", "topics.tsv", "qrels.txt"


def new_folder(folder: Path) -> Path:
    """The folder, made if need be; one that holds something is refused."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder; name a new one")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_collection(collection: Collection, folder: Path) -> None:
    """Write documents (SGML), topics (query, tab, text) and qrels (query 0 document grade)."""
    write(
        folder / DOCUMENTS,
        "".join(
            f"<DOC>\n<DOCNO>{d.id}</DOCNO>\n<TEXT>\n{escape(d.text)}\n</TEXT>\n</DOC>\n"
            for d in collection.documents
        ),
    )
    write(folder / TOPICS, "".join(f"{q}\t{text}\n" for q, text in collection.queries.items()))
    write(
        folder / QRELS,
        "".join(
            f"{q} 0 {document} {grade}\n"
            for q, judged in collection.qrels.items()
            for document, grade in judged.items()
        ),
    )


def write_run(run: Mapping[str, Mapping[str, float]], path: Path, tag: str) -> None:
    """Write a run: query, Q0, document, rank, score, tag."""
    write(
        path,
        "".join(
            f"{q} Q0 {document} {rank} {score!r} {tag}\n"
            for q, scores in run.items()
            for rank, (document, score) in enumerate(scores.items(), 1)
        ),
    )
