r"""Features of a query and a document from the words that they share: six sums of logarithms.

1  sum over q in Q and D of ln c(q, D)          4  sum over q in Q and D of ln(|C| / c(q, C))
2  sum over i of ln(1 + c(q_i, D)/|D|)          5  sum over i of ln(1 + c(q_i, D)/|D| idf(q_i))
3  sum over q in Q and D of ln idf(q)           6  sum over i of ln(1 + c(q_i, D)/|D| |C|/c(q_i, C))
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.efficiency.collection import words
from irmetrics_edu.errors import InputError
from irmetrics_edu.learning.data import RankingData
from irmetrics_edu.rerankers.choices import Method
from irmetrics_edu.working import Table, Working

_SOURCE = "Nallapati (2004), Discriminative models for information retrieval, SIGIR"


@dataclass(frozen=True, eq=False)
class TermStatistics:
    """How often words occur: in each document, in how many documents, in all of them together.

    `counts` maps a document to its words and their numbers; the collection C is all documents,
    |C| the number of its words, and idf(q) the number of documents over that of those with q.
    """

    counts: Mapping[Hashable, Counter[str]]
    documents_with: Counter[str]
    in_collection: Counter[str]

    @cached_property
    def size(self) -> int:
        """The number of words of the collection, |C|."""
        return self.in_collection.total()

    def length(self, document: Hashable) -> int:
        """The number of words of a document, |D|."""
        return self.counts[document].total()

    def idf(self, word: str) -> float:
        """The number of documents over that of those with the word; NaN where none has it."""
        found = self.documents_with[word]
        return len(self.counts) / found if found else math.nan

    def occurrence(self, word: str, document: Hashable) -> "Occurrence | None":
        """What is known of a word in a document that has it."""
        c = self.counts[document][word]
        if not c:
            return None
        length, in_all = self.length(document), self.in_collection[word]
        return Occurrence(c, length, in_all, self.size, self.idf(word))


def term_statistics(documents: Any) -> TermStatistics:
    """The statistics of a collection are the numbers of its words, by document and in all.

    `documents` maps ids to texts; words are in lower case, not stemmed.

    >>> found = term_statistics({"a": "red wine", "b": "red car, red bus"})
    >>> found.size, found.in_collection["red"], found.idf("car")
    (6, 3, 2.0)
    """
    if not isinstance(documents, Mapping) or not documents:
        raise InputError(f"documents map ids to texts, at least one; got {documents!r}")
    for document, text in documents.items():
        if not isinstance(text, str):
            raise InputError(f"{at(None, document)}its text is {text!r}, which is no text")
    counts = {document: Counter(words(text)) for document, text in documents.items()}
    documents_with: Counter[str] = Counter()
    in_collection: Counter[str] = Counter()
    for each in counts.values():
        documents_with.update(each.keys())
        in_collection.update(each)
    return TermStatistics(counts, documents_with, in_collection)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A word of the query that the document has: the numbers that a feature is made from."""

    c: int  # c(q, D)
    length: int  # |D|
    in_collection: int  # c(q, C)
    size: int  # |C|
    idf: float


@dataclass(frozen=True, slots=True, eq=False)
class TermFeature:
    """A feature as a sum over words: the term of one, and whether a repeated one counts again."""

    name: str
    term: Callable[[Occurrence], float]
    repeats: bool
    formula: str


def term_feature(name: str, query: str, document: Hashable, collection: TermStatistics) -> Working:
    """A term feature of a query and a document is a sum of logarithms over the words they share.

    `name` is one of the six of `FEATURES`: tf, relative tf, idf, icf, tf idf, tf icf. At least 0,
    in natural logarithms; a word that the document does not have adds nothing. tf, idf and icf
    take each shared word once, the others every word of the query as often as it stands there.
    The working has a line per word.

    Source: Nallapati (2004), Discriminative models for information retrieval, SIGIR, which leaves
    the form of idf open: here it is the number of documents over that of those with the word.

    >>> collection = term_statistics({"a": "red wine", "b": "red car, red bus"})
    >>> round(term_feature("tf", "red car", "b", collection).value, 4)
    0.6931
    """
    if name not in FEATURES:
        raise InputError(f"name={name!r}: a feature is one of {', '.join(FEATURES)}")
    if document not in collection.counts:
        raise InputError(f"{at(None, document)}it is not in the collection; give its text")
    feature = FEATURES[name]
    asked = _words_of(query, f"query {query!r}")
    found = [collection.occurrence(word, document) for word in asked]
    terms = np.array(_terms(feature, asked, found))
    return Working(
        np.array([terms.sum()]),
        how=f"{{{name}}}",
        columns={
            "c(q,D)": np.array([o.c if o else 0 for o in found]),
            "c(q,C)": np.array([collection.in_collection[word] for word in asked]),
            "idf(q)": np.array([collection.idf(word) for word in asked]),
            name: terms,
        },
        table=Table(np.zeros(len(asked), dtype=np.intp), {"word": asked}),
        quantities={"|D|": collection.length(document), "|C|": collection.size},
        name=name,
        metric=Method(name, term_feature, feature.formula, _SOURCE),
    )


def _words_of(text: Any, place: str) -> list[str]:
    found = words(text) if isinstance(text, str) else []
    if not found:
        raise InputError(f"{place} has no word; give a text with at least one")
    return found


def _terms(
    feature: TermFeature, asked: list[str], found: Sequence[Occurrence | None]
) -> list[float]:
    """What each word of the query adds to the feature."""
    seen: set[str] = set()
    terms = []
    for word, occurrence in zip(asked, found, strict=True):
        counts = occurrence is not None and (feature.repeats or word not in seen)
        terms.append(feature.term(occurrence) if occurrence is not None and counts else 0.0)
        seen.add(word)
    return terms


def featured(
    queries: Mapping[Any, str],
    documents: Mapping[Any, str],
    qrels: Mapping[Any, Mapping[Any, float]],
    candidates: Mapping[Any, Iterable[Any]] | None = None,
) -> RankingData:
    """Featured data are queries and documents as texts, with their six term features and grades.

    `queries` and `documents` map ids to texts; `qrels` maps queries to documents and grades. The
    documents of a query are those of `candidates`, such as a run's best hundred, where one that
    was not judged has grade 0; without candidates, the judged ones. The statistics are those of
    all `documents`. See `term_feature`. InputError for a query or document without a text.

    >>> texts = {"a": "red wine", "b": "red car, red bus", "c": "blue sea"}
    >>> data = featured({"q": "red car"}, texts, {"q": {"b": 1, "a": 0}})
    >>> data.document, data.grade.tolist(), data.feature_names[:3]
    (['b', 'a'], [1.0, 0.0], ('tf', 'relative tf', 'idf'))
    """
    collection = term_statistics(documents)
    rows: list[list[float]] = []
    grade: list[float] = []
    query_of: list[Any] = []
    document_of: list[Any] = []
    for query in qrels if candidates is None else candidates:
        if query not in queries:
            raise InputError(f"{at(query)}it has no text; give it among the queries")
        if query not in qrels:
            raise InputError(f"{at(query)}it has candidates, but no judgments in the qrels")
        asked = _words_of(queries[query], f"query {query!r}")
        judged = qrels[query]
        for document in judged if candidates is None else candidates[query]:
            if document not in collection.counts:
                raise InputError(f"{at(query, document)}it has no text; give it, or leave it out")
            found = [collection.occurrence(word, document) for word in asked]
            rows.append([sum(_terms(feature, asked, found)) for feature in FEATURES.values()])
            grade.append(float(judged.get(document, 0)))
            query_of.append(query)
            document_of.append(document)
    return RankingData(
        np.array(rows).reshape(-1, len(FEATURES)),
        grade,
        query_of,
        document_of,
        feature_names=tuple(FEATURES),
    )


FEATURES = {
    feature.name: feature
    for feature in (
        TermFeature(
            "tf", lambda o: math.log(o.c), repeats=False, formula=r"\sum_{q\in Q\cap D}\ln c(q,D)"
        ),
        TermFeature(
            "relative tf",
            lambda o: math.log1p(o.c / o.length),
            repeats=True,
            formula=r"\sum_{i=1}^{n}\ln\left(1+\frac{c(q_i,D)}{|D|}\right)",
        ),
        TermFeature(
            "idf",
            lambda o: math.log(o.idf),
            repeats=False,
            formula=r"\sum_{q\in Q\cap D}\ln\mathrm{idf}(q)",
        ),
        TermFeature(
            "icf",
            lambda o: math.log(o.size / o.in_collection),
            repeats=False,
            formula=r"\sum_{q\in Q\cap D}\ln\frac{|C|}{c(q,C)}",
        ),
        TermFeature(
            "tf idf",
            lambda o: math.log1p(o.c / o.length * o.idf),
            repeats=True,
            formula=r"\sum_{i=1}^{n}\ln\left(1+\frac{c(q_i,D)}{|D|}\,\mathrm{idf}(q_i)\right)",
        ),
        TermFeature(
            "tf icf",
            lambda o: math.log1p(o.c / o.length * o.size / o.in_collection),
            repeats=True,
            formula=r"\sum_{i=1}^{n}\ln\left(1+\frac{c(q_i,D)}{|D|}\,\frac{|C|}{c(q_i,C)}\right)",
        ),
    )
}
