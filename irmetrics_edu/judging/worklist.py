"""Unjudged documents at the top of runs, as a list to judge with each pair once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import BY_ID
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.labels import LONGEST, id_cell, read_labels, text_cell
from irmetrics_edu.judging.texts import read_texts
from irmetrics_edu.rows.ordering import in_order
from irmetrics_edu.runs.joining.inputs import whole_run
from irmetrics_edu.runs.pooling import pool
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
        said = [f"{pairs}; {self.judged:,} judged, {len(self):,} to be judged"]
        if self.new_queries:
            said.append(f"queries without any judgment: {self.new_queries:,}")
        for what, n in self.without_text.items():
            if n:
                said.append(f"no text is given for {n:,} {what}")
        cut = sum(
            len(" ".join(t.split())) > LONGEST
            for pair in self.pairs
            for t in (pair.query_text, pair.document_text)
        )
        if cut:
            said.append(f"texts cut after {LONGEST:,} letters: {cut:,}")
        return said

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


def unjudged(
    runs: Any,
    judged: Any = None,
    k: int = 10,
    *,
    queries: Any = None,
    documents: Any = None,
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
    if not isinstance(runs, Mapping) or not runs:
        raise InputError("runs map names to runs, such as {'bm25': 'bm25.run'}")
    depth = checks.whole("k", k, 1, checks.MOST_RANKS, why=": how many ranks, such as k=10")
    known = None if judged is None else read_labels(judged)
    done = {(one.query, one.document) for one in known.labels} if known else set()
    held: dict[Any, Any] = {
        str(name): _listed(whole_run(run), str(name)) for name, run in runs.items()
    }
    texts = {
        what: {} if given is None else read_texts(given, what)
        for what, given in (("query", queries), ("document", documents))
    }
    pairs = []
    pooled = 0
    pools: dict[Any, Any] = pool(held, depth)
    for query, found in pools.items():
        pooled += len(found)
        pairs += [
            UnjudgedDocument(
                query,
                d,
                ranks,
                texts["query"].get(query, ""),
                texts["document"].get(d, ""),
            )
            for d, ranks in found.contributors.items()
            if (query, d) not in done
        ]
    with_labels = {query for query, _ in done}
    lacking = {}
    if queries is not None:
        lacking["queries"] = len({p.query for p in pairs} - texts["query"].keys())
    if documents is not None:
        lacking["documents"] = len({p.document for p in pairs} - texts["document"].keys())
    return Worklist(
        pairs=tuple(pairs),
        depth=depth,
        pooled=pooled,
        judged=pooled - len(pairs),
        new_queries=sum(query not in with_labels for query in pools) if known else 0,
        without_text=lacking,
    )


def _listed(run: Mapping[Any, Any], name: str) -> dict[str, list[str]]:
    """The ranked ids of each query; whole numbers become text, as in files."""
    checks.one_kind(run, "query", f"run {name!r}: ")
    out = {}
    for query, ranking in run.items():
        try:
            if isinstance(ranking, Mapping):
                order = in_order(ranking, query, BY_ID)[0]
            else:
                order = checks.ids(ranking, query)
            checks.one_kind(order, "document", at(query))
        except InputError as error:
            raise InputError(f"run {name!r}, {error}") from None
        out[str(query)] = list(map(str, order))
    if not out:
        raise InputError(f"run {name!r}: it has no query")
    return out
