"""Unjudged documents at the top of runs, as a list to judge with each pair once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import BY_ID
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.labels import LONGEST, Judged, Labels, id_cell, read_labels, text_cell
from irmetrics_edu.reading.texts import Texts, read_texts
from irmetrics_edu.rows.ordering import in_order
from irmetrics_edu.runs.joining.inputs import whole_run
from irmetrics_edu.runs.pooling import Pool, pool
from irmetrics_edu.views import escaping, formatting
from irmetrics_edu.writing import write

HEADER = (
    "query",
    "query_text",
    "document",
    "document_text",
    "runs",
    "best_rank",
    "grade",
    "source",
    "judge",
    "when",
    "note",
)


@dataclass(frozen=True)
class UnjudgedDocument:
    """A document of the pool that is not judged for a query, and the runs that brought it."""

    query: str
    document: str
    ranks: Mapping[str, int]
    query_text: str = ""
    document_text: str = ""

    @property
    def best_rank(self) -> int:
        """The best rank that a run gives it."""
        return min(self.ranks.values())


@dataclass(frozen=True)
class Worklist:
    """The pairs of query and document to judge, and some counts.

    `pooled` counts the pairs within the depth; `judged` of them have a grade already.
    """

    pairs: tuple[UnjudgedDocument, ...]
    depth: int
    pooled: int
    judged: int
    new_queries: int
    without_text: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def notes(self) -> list[str]:
        """Notes about the list."""
        pairs = f"{self.pooled:,} pairs of query and document in the first {self.depth}"
        to_judge = self.pooled - self.judged
        notes = [f"{pairs}; {self.judged:,} judged, {to_judge:,} to be judged"]
        if len(self) < to_judge:
            notes.append(f"pairs in this list: {len(self):,}")
        if self.new_queries:
            notes.append(f"queries without any judgment: {self.new_queries:,}")
        for what, many in self.without_text.items():
            if many:
                notes.append(f"no text is given for {many:,} {what}")
        cut = 0
        for pair in self.pairs:
            for text in (pair.query_text, pair.document_text):
                line = " ".join(text.split())
                cut += len(line) > LONGEST
        if cut:
            notes.append(f"texts cut after {LONGEST:,} letters: {cut:,}")
        return notes

    def first(self, n: int) -> "Worklist":
        """The first n pairs alone."""
        return replace(self, pairs=self.pairs[: checks.whole("n", n, 0)])

    def csv(self) -> str:
        """The list as CSV, with empty grades to fill in; no cell is a formula."""
        lines = []
        for pair in self.pairs:
            values: dict[str, Any] = {
                "query": id_cell(pair.query),
                "query_text": text_cell(pair.query_text),
                "document": id_cell(pair.document),
                "document_text": text_cell(pair.document_text),
                "runs": escaping.csv("; ".join(pair.ranks)),
                "best_rank": pair.best_rank,
            }
            lines.append([values.get(name, "") for name in HEADER])
        return formatting.csv_table([HEADER, *lines])

    def write(self, path: str | PathLike[str]) -> None:
        """Write the CSV file."""
        write(str(path), self.csv())


Runs = Mapping[Any, Any]  # by name: files, frames or mappings


def unjudged(
    runs: Runs,
    judged: Judged | None = None,
    k: int = 10,
    *,
    queries: Texts | None = None,
    documents: Texts | None = None,
) -> Worklist:
    """The worklist of runs holds the unjudged documents among the first k ranks of any run.

    `runs` maps names to runs, files or mappings; `judged` is what `evaluate` takes as judgments, or
    None. `queries` and `documents` give texts by id, as `read_texts` takes them. Each pair is in
    it once. Queries are in the order of the runs, and documents by best rank. Equal scores are in
    the order of trec_eval (by id, the last first).

    >>> work = unjudged({"A": {"q": ["x", "y"]}, "B": {"q": ["y", "z"]}}, {"q": {"x": 1}}, k=2)
    >>> [(pair.document, pair.best_rank, list(pair.ranks)) for pair in work.pairs]
    [('y', 1, ['A', 'B']), ('z', 2, ['B'])]
    """
    by_name: Any = runs
    if not isinstance(by_name, Mapping) or not by_name:
        raise InputError("runs map names to runs, such as {'bm25': 'bm25.run'}")
    depth = checks.whole("k", k, 1, checks.MOST_RANKS, why=": how many ranks, such as k=10")
    labels = Labels(()) if judged is None else read_labels(judged)
    labels.require_one_source()
    pools = _pools(runs, depth)
    query_texts = {} if queries is None else read_texts(queries, "query")
    document_texts = {} if documents is None else read_texts(documents, "document")
    pairs = _open_pairs(pools, labels, query_texts, document_texts)
    pooled = sum(len(pool_of_query) for pool_of_query in pools.values())
    without_text: dict[str, int] = {}
    if queries is not None:
        without_text["queries"] = len({pair.query for pair in pairs} - query_texts.keys())
    if documents is not None:
        without_text["documents"] = len({pair.document for pair in pairs} - document_texts.keys())
    return Worklist(
        pairs=tuple(pairs),
        depth=depth,
        pooled=pooled,
        judged=pooled - len(pairs),
        new_queries=_without_labels(pools, labels),
        without_text=without_text,
    )


def _pools(runs: Mapping[Any, Any], depth: int) -> dict[str, Pool]:
    """The pool of each query over all runs."""
    held: dict[Any, Any] = {}
    for name, run in runs.items():
        held[str(name)] = _listed(whole_run(run), str(name))
    pools: dict[Any, Any] = pool(held, depth)
    return pools


def _open_pairs(
    pools: Mapping[str, Pool],
    labels: Labels,
    query_texts: Mapping[str, str],
    document_texts: Mapping[str, str],
) -> list[UnjudgedDocument]:
    """The pairs of the pools that have no label."""
    done = {(one.query, one.document) for one in labels.labels}
    pairs: list[UnjudgedDocument] = []
    for query, pool_of_query in pools.items():
        for document, ranks in pool_of_query.contributors.items():
            if (query, document) in done:
                continue
            pairs.append(
                UnjudgedDocument(
                    query=query,
                    document=str(document),
                    ranks={str(run): rank for run, rank in ranks.items()},
                    query_text=query_texts.get(query, ""),
                    document_text=document_texts.get(str(document), ""),
                )
            )
    return pairs


def _without_labels(pools: Mapping[str, Pool], labels: Labels) -> int:
    """How many queries have no label, where there are labels at all."""
    if not labels.labels:
        return 0
    judged = {one.query for one in labels.labels}
    return sum(query not in judged for query in pools)


def _listed(run: Mapping[Any, Any], name: str) -> dict[str, list[str]]:
    """The ranked ids of each query; whole numbers become text, as in files."""
    checks.one_kind(run, "query", f"run {name!r}: ")
    listed: dict[str, list[str]] = {}
    for query, ranking in run.items():
        try:
            if isinstance(ranking, Mapping):
                order = in_order(ranking, query, BY_ID)[0]
            else:
                order = checks.ids(ranking, query)
            checks.one_kind(order, "document", at(query))
        except InputError as error:
            raise InputError(f"run {name!r}, {error}") from None
        listed[str(query)] = [str(document) for document in order]
    if not listed:
        raise InputError(f"run {name!r}: it has no query")
    return listed
