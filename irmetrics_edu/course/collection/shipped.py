"""The collection as it was shipped: texts, topics, judgments and runs."""

from dataclasses import dataclass

from irmetrics_edu.course.collection.collection_files import (
    ASPECTS,
    DOCUMENTS,
    QRELS,
    RUNS,
    TOPICS,
    Scores,
    fields,
    json_lines,
)
from irmetrics_edu.errors import InputError

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
    the subtopics that a document covers, and `runs` scores by the name of the engine.
    """

    name: str
    documents: dict[str, str]
    topics: dict[str, Topic]
    qrels: dict[str, dict[str, dict[str, int]]]
    aspects: dict[str, dict[str, dict[str, int]]]
    runs: dict[str, Scores]
    provenance: str = PROVENANCE

    @property
    def queries(self) -> dict[str, str]:
        """What each topic's user types: its title."""
        return {topic.id: topic.title for topic in self.topics.values()}

    def __repr__(self) -> str:
        judged = ", ".join(
            f"{name} ({sum(map(len, pool.values())):,} grades)" for name, pool in self.qrels.items()
        )
        return (
            f"<Collection {self.name}: {len(self.documents):,} documents, {len(self.topics)} "
            f"topics; qrels: {judged}; aspects of {len(self.aspects)} topics; runs: "
            f"{', '.join(self.runs)}; judged by language models, not by people>"
        )


def _grades(file: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for topic, _, document, grade in fields(file):
        found.setdefault(topic, {})[document] = int(grade)
    return found


def _scores(file: str) -> Scores:
    found: Scores = {}
    for topic, _, document, _, score, _ in fields(file):
        found.setdefault(topic, {})[document] = float(score)
    return found


def _covered() -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = {}
    for topic, aspect, document, grade in fields(ASPECTS):
        found.setdefault(topic, {}).setdefault(document, {})[aspect] = int(grade)
    return found


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
        name,
        {line["id"]: line["text"] for line in json_lines(DOCUMENTS)},
        {
            line["id"]: Topic(**{**line, "aspects": tuple(line["aspects"])})
            for line in json_lines(TOPICS)
        },
        {name: _grades(file) for name, file in QRELS.items()},
        _covered(),
        {name: _scores(file) for name, file in RUNS.items()},
    )
