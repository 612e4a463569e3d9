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

ScoredDocument = tuple[str, float]

DEPTH = 50
DIGITS = 5
DIMENSIONS = 100


def ranked(scores: Iterable[ScoredDocument], k: int) -> list[ScoredDocument]:
    """The k best documents above 0, by rounded score, then by id, both falling.

    >>> ranked([("a", 0.25000000000000006), ("b", 0.25), ("c", 0.0)], 5)
    [('b', 0.25), ('a', 0.25)]
    """
    rounded = []
    for name, score in scores:
        rounded.append((round(steady(score), DIGITS), name))
    rounded.sort(reverse=True)
    return [(name, score) for score, name in rounded[:k] if score > 0]


class SteadyFts5(Fts5):
    """FTS5 with rounded scores."""

    def index(
        self,
        documents: Sequence[Document],
        *,
        after: Callable[[int], None],
    ) -> None:
        """Index the documents."""
        self.documents = len(documents)
        super().index(documents, after=after)

    def search(self, query: str, k: int) -> list[ScoredDocument]:
        """The k best documents."""
        return ranked(super().search(query, self.documents), k)


class Bm25:
    """BM25 as `term_feature` has it, over words as they stand, in memory."""

    name = "BM25"
    counted: TermStatistics

    def index(
        self,
        documents: Sequence[Document],
        *,
        after: Callable[[int], None],
    ) -> None:
        """Count the words of all documents in one step."""
        texts = {document.id: document.text for document in documents}
        self.counted = term_statistics(texts)
        after(len(documents))

    def search(self, query: str, k: int) -> list[ScoredDocument]:
        """The k best documents that share a word with the query."""
        asked = words(query)
        term = RANKINGS["BM25"].term
        scores = []
        for document in self.counted.counts:
            terms = []
            for word in asked:
                occurrence = self.counted.occurrence(word, document)
                if occurrence:
                    terms.append(term(occurrence))
            scores.append((str(document), math.fsum(terms)))
        return ranked(scores, k)

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

    def index(
        self,
        documents: Sequence[Document],
        *,
        after: Callable[[int], None],
    ) -> None:
        """Weigh the words that two documents have or more, and find the dimensions."""
        self.ids = [d.id for d in documents]
        counts = [Counter(words(d.text)) for d in documents]
        N = len(documents)
        n: Counter[str] = Counter()  # the number of documents with a word
        for counts_of_document in counts:
            n.update(counts_of_document.keys())
        repeated = sorted(word for word in n if n[word] > 1)
        self.place = {word: column for column, word in enumerate(repeated)}
        idf = [math.log(N / n[word]) for word in repeated]
        self.idf = np.array(idf)
        rows = [self._weighed(counts_of_document) for counts_of_document in counts]
        A = np.array(rows)
        squares, vectors = np.linalg.eigh(A @ A.T)  # of the singular values, the largest last
        S = np.sqrt(squares[-DIMENSIONS:])
        U = vectors[:, -DIMENSIONS:]
        self.terms = A.T @ U / S
        self.vectors = np.array([_unit(row) for row in U * S])
        after(len(documents))

    def _weighed(self, counts: Mapping[str, int]) -> Array:
        row = np.zeros(len(self.place))
        for word, c in counts.items():
            if word in self.place:
                column = self.place[word]
                tf = 1 + math.log(c)
                row[column] = tf * self.idf[column]
        return _unit(row)

    def search(self, query: str, k: int) -> list[ScoredDocument]:
        """The k documents with the highest cosine above 0."""
        counts = Counter(words(query))
        folded = _unit(self._weighed(counts) @ self.terms)
        cosines = (self.vectors @ folded).tolist()
        return ranked(zip(self.ids, cosines, strict=True), k)

    def size(self) -> int:
        """The bytes of the vectors of words and documents, pickled."""
        if self.ids:
            parts = (self.vectors, self.terms, self.place)
            return len(pickle.dumps(parts))
        return 0


def _unit(row: Array) -> Array:
    """The vector at length 1; a vector of zeros stays."""
    length = float(np.linalg.norm(row))
    return row / length if length > 0 else row
