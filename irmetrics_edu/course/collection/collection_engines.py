"""Three engines for the collection: SQLite's FTS5, BM25 and latent semantic analysis.

Their scores are rounded, and of documents of one score the last id comes first, as in trec_eval. So
the last bits of a machine choose nothing, and each reader of the runs sees one order.
"""

import math
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from irmetrics_edu.lab.efficiency.engines import Document, Fts5, words
from irmetrics_edu.lab.learning.features import RANKINGS, TermStatistics, term_statistics
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import steady

DEPTH = 50
DIGITS = 5
DIMENSIONS = 100


def ranked(found: Iterable[tuple[str, float]], k: int) -> list[tuple[str, float]]:
    """The k best documents above 0, by rounded score, then by id, both falling.

    >>> ranked([("a", 0.25000000000000006), ("b", 0.25), ("c", 0.0)], 5)
    [('b', 0.25), ('a', 0.25)]
    """
    scores = sorted(((round(steady(score), DIGITS), name) for name, score in found), reverse=True)
    return [(name, score) for score, name in scores[:k] if score > 0]


class SteadyFts5(Fts5):
    """FTS5 with rounded scores."""

    def index(self, documents: Sequence[Document], *, after: Callable[[int], None]) -> None:
        """Index the documents."""
        self.documents = len(documents)
        super().index(documents, after=after)

    def search(self, query: str, k: int) -> list[tuple[str, float]]:
        """The k best documents."""
        return ranked(super().search(query, self.documents), k)


class Bm25:
    """BM25 as `term_feature` has it, over words as they stand, in memory."""

    name = "BM25"
    counted: TermStatistics

    def index(self, documents: Sequence[Document], *, after: Callable[[int], None]) -> None:
        """Count the words of all documents in one step."""
        self.counted = term_statistics({d.id: d.text for d in documents})
        after(len(documents))

    def search(self, query: str, k: int) -> list[tuple[str, float]]:
        """The k best documents that share a word with the query."""
        asked = words(query)
        found = []
        for document in self.counted.counts:
            shared = [o for o in (self.counted.occurrence(w, document) for w in asked) if o]
            found.append((str(document), math.fsum(map(RANKINGS["BM25"].term, shared))))
        return ranked(found, k)

    def size(self) -> int:
        """The bytes of the counts, pickled."""
        if hasattr(self, "counted"):
            return len(pickle.dumps(self.counted.counts))
        return 0


class Lsa:
    """Latent semantic analysis: tf-idf vectors, cut to 100 dimensions by SVD, and the cosine.

    Weights are (1 + ln c) ln(N / n), and vectors have length 1. A query is folded in as a document
    would be. The cosine doesn't depend on the signs of the singular vectors.

    Source: Deerwester, Dumais, Furnas, Landauer & Harshman (1990), Indexing by latent semantic
    analysis, Journal of the American Society for Information Science 41(6).
    """

    name = "LSA, cosine"

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.place: dict[str, int] = {}

    def index(self, documents: Sequence[Document], *, after: Callable[[int], None]) -> None:
        """Weigh the words that two documents have or more, and find the dimensions."""
        self.ids = [d.id for d in documents]
        counts = [Counter(words(d.text)) for d in documents]
        n = Counter(word for each in counts for word in each)
        self.place = {w: i for i, w in enumerate(sorted(w for w, found in n.items() if found > 1))}
        self.idf = np.array([math.log(len(documents) / n[word]) for word in self.place])
        A = np.array([self._weighed(each) for each in counts])
        squares, U = np.linalg.eigh(A @ A.T)  # of the singular values, the largest last
        S, U = np.sqrt(squares[-DIMENSIONS:]), U[:, -DIMENSIONS:]
        self.terms = A.T @ U / S
        self.vectors = np.array([_unit(row) for row in U * S])
        after(len(documents))

    def _weighed(self, counts: Mapping[str, int]) -> Array:
        row = np.zeros(len(self.place))
        for word, c in counts.items():
            if word in self.place:
                row[self.place[word]] = (1 + math.log(c)) * self.idf[self.place[word]]
        return _unit(row)

    def search(self, query: str, k: int) -> list[tuple[str, float]]:
        """The k documents with the highest cosine above 0."""
        folded = _unit(self._weighed(Counter(words(query))) @ self.terms)
        return ranked(
            zip(
                self.ids,
                (self.vectors @ folded).tolist(),
                strict=True,
            ),
            k,
        )

    def size(self) -> int:
        """The bytes of the vectors of words and documents, pickled."""
        if self.ids:
            return len(pickle.dumps((self.vectors, self.terms, self.place)))
        return 0


def _unit(row: Array) -> Array:
    """The vector at length 1; a vector of zeros stays."""
    length = float(np.linalg.norm(row))
    return row / length if length > 0 else row
