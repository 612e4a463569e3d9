"""The Cranfield collection as it is published: abstracts, queries and judgments, and as data."""

import re
from pathlib import Path

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import RankingData, featured
from irmetrics_edu.lab.learning.features import FEATURES, RANKINGS

# Cleverdon's codes run from 1, a complete answer, to 4, of minimum interest; -1 and 5 are of none.
GRADE = {"1": 4, "2": 3, "3": 2, "4": 1, "5": 0, "-1": 0}
_START = re.compile(r"^\.I +(\d+) *$", re.MULTILINE)
CANDIDATES = 100


def records(path: Path) -> dict[str, str]:
    """The text of each record, by its id: what follows the first line `.W`, less further ones."""
    parts = _START.split(path.read_text(encoding="ascii"))
    found = {}
    for identifier, body in zip(parts[1::2], parts[2::2], strict=True):
        if identifier in found:
            raise InputError(f"{path}: record {identifier} stands there twice")
        text = body.partition("\n.W\n")[2].splitlines()
        found[identifier] = "\n".join(line for line in text if line != ".W").strip()
    if not found:
        raise InputError(f"{path}: no record begins with a line such as '.I 1'")
    return found


def judgments(path: Path) -> dict[str, dict[str, int]]:
    """The grades, higher is better, of each query's documents."""
    found: dict[str, dict[str, int]] = {}
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
        words = line.split()
        if len(words) != 3 or words[2] not in GRADE:
            raise InputError(
                f"{path}, line {number}: {line!r} is not a query, a document and a code of "
                f"{', '.join(GRADE)}"
            )
        found.setdefault(words[0], {})[words[1]] = GRADE[words[2]]
    return found


def cranfield(folder: Path) -> tuple[RankingData, dict[str, dict[str, int]]]:
    """The best hundred documents of each query by BM25 with eight features, and all judgments.

    Judgments number the queries by their order in cran.qry, whose own ids have gaps. Two records
    have no text and are never candidates.
    """
    documents = records(folder / "cran.all.1400")
    queries = {str(i): q for i, q in enumerate(records(folder / "cran.qry").values(), 1)}
    qrels = judgments(folder / "cranqrel")
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
