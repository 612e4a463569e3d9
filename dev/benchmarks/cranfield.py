"""The Cranfield collection as it is published: abstracts, queries and judgments, and as data."""

from pathlib import Path

from irmetrics_edu.course import load_cranfield
from irmetrics_edu.lab import RankingData, featured
from irmetrics_edu.lab.learning.features import FEATURES, RANKINGS

CANDIDATES = 100


def cranfield(folder: Path) -> tuple[RankingData, dict[str, dict[str, int]]]:
    """The best hundred documents of each query by BM25 with eight features, and all judgments.

    Judgments number the queries by their order in cran.qry, whose own ids have gaps. Two records
    have no text and are never candidates.
    """
    collection = load_cranfield(folder)
    documents, queries = collection.documents, collection.queries
    qrels = collection.qrels["people"]
    named = tuple(RANKINGS) + tuple(FEATURES)
    every = {query: list(documents) for query in queries}
    bm25 = featured(queries, documents, qrels, every, features=["BM25"])
    best = {
        query: sorted(run, key=lambda d: (-round(run[d], 9), int(d)))[:CANDIDATES]
        for query, run in bm25.run(bm25.features[:, 0]).items()
    }
    # In the order of the documents, so that the order of the rows says nothing.
    candidates = {query: sorted(found, key=int) for query, found in best.items()}
    return featured(queries, documents, qrels, candidates, features=named), qrels
