r"""Features of a query and a document from the words that they share: six sums of logarithms.

1  sum over q in Q and D of ln c(q, D)          4  sum over q in Q and D of ln(|C| / c(q, C))
2  sum over i of ln(1 + c(q_i, D)/|D|)          5  sum over i of ln(1 + c(q_i, D)/|D| idf(q_i))
3  sum over q in Q and D of ln idf(q)           6  sum over i of ln(1 + c(q_i, D)/|D| |C|/c(q_i, C))

BM25 and tf-idf, which rank without learning, are sums over the same words.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.efficiency.engines import texts_by_id, words
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.working import Table, Working


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A word of the query in a document: the numbers that a feature is made from."""

    c: int  # c(q, D)
    length: int  # |D|
    in_collection: int  # c(q, C)
    size: int  # |C|
    idf: float
    documents: int  # N
    norm: float  # of the document's vector of tf-idf


@dataclass(frozen=True, eq=False, repr=False)
class TermStatistics:
    """How often words occur: in each document, in how many documents, in all of them together.

    `counts` maps a document to its words and their numbers. The collection C is all documents, and
    |C| is the number of its words. idf(q) is the number of documents over the number of those with
    q.
    """

    counts: Mapping[Hashable, Counter[str]]
    documents_with: Counter[str]
    in_collection: Counter[str]

    def __repr__(self) -> str:
        return f"<TermStatistics of {len(self.counts)} documents, {self.size} words>"

    @cached_property
    def size(self) -> int:
        """The number of words of the collection, |C|."""
        return self.in_collection.total()

    @cached_property
    def lengths(self) -> dict[Hashable, int]:
        """The number of words of each document, |D|."""
        return {
            document: words_of_document.total()
            for document, words_of_document in self.counts.items()
        }

    def idf(self, word: str) -> float:
        """The number of documents over the number of those with the word; NaN if none has it."""
        with_word = self.documents_with[word]
        return len(self.counts) / with_word if with_word else math.nan

    @cached_property
    def norms(self) -> dict[Hashable, float]:
        """The length of each document's vector of (1 + ln c(q, D)) ln(N / n(q))."""
        n = len(self.counts)
        idf = {word: math.log(n / with_word) for word, with_word in self.documents_with.items()}
        norms = {}
        for document, words_of_document in self.counts.items():
            squares = []
            for word, c in words_of_document.items():
                weight = (1 + math.log(c)) * idf[word]
                squares.append(weight**2)
            norms[document] = math.sqrt(math.fsum(squares))
        return norms

    def occurrence(self, word: str, document: Hashable) -> Occurrence | None:
        """The statistics of a word in a document that has it."""
        c = self.counts[document][word]
        if not c:
            return None
        return Occurrence(
            c=c,
            length=self.lengths[document],
            in_collection=self.in_collection[word],
            size=self.size,
            idf=self.idf(word),
            documents=len(self.counts),
            norm=self.norms[document],
        )


def term_statistics(documents: Mapping[Any, str]) -> TermStatistics:
    """The statistics of a collection are the numbers of its words, by document and in all.

    `documents` maps ids to texts; words are in lower case, not stemmed.

    >>> found = term_statistics({"a": "red wine", "b": "red car, red bus"})
    >>> found.size, found.in_collection["red"], found.idf("car")
    (6, 3, 2.0)
    """
    texts = texts_by_id("documents", documents)
    counts = {document: Counter(words(text)) for document, text in texts.items()}
    documents_with = Counter(
        word for words_of_document in counts.values() for word in words_of_document
    )
    in_collection: Counter[str] = Counter()
    for words_of_document in counts.values():
        in_collection.update(words_of_document)
    return TermStatistics(counts, documents_with, in_collection)


@dataclass(frozen=True, slots=True, eq=False)
class TermFeature:
    """A feature as a sum over words: the term of a word, and whether repeated words count again."""

    name: str
    term: Callable[[Occurrence], float]
    formula: str
    repeats: bool = False


def term_feature(
    name: str,
    query: str,
    document: Hashable,
    collection: TermStatistics,
) -> Working:
    """A term feature of a query and a document is a sum of logarithms over the words they share.

    `name` is one of the six of `FEATURES`: tf, relative tf, idf, icf, tf idf, tf icf; or of
    `RANKINGS`: BM25, and cosine tf-idf. At least 0, in natural logarithms. A word that the document
    does not have adds nothing. tf, idf and icf take each shared word once. The others take every
    word of the query as often as it occurs there. The working has a line per word.

    BM25 has k1 = 1.2 and b = 0.75, and the idf ln(1 + (N - n + 1/2) / (n + 1/2)) of N documents, n
    of them with the word. The idf of Robertson and Zaragoza has no "1 +", and is below 0 for a word
    in more than half of the documents. cosine tf-idf has the weights (1 + ln c) ln(N / n). It is
    the cosine times the length of the query's vector, which changes no order.

    Sources: Nallapati (2004), Discriminative models for information retrieval, SIGIR, as a slide of
    document 004 has it. The slide does not define idf: here it is the number of documents over the
    number of those with the word. Two of its cells are lost: relative tf and icf are the quantities
    that tf idf and tf icf combine. Robertson & Zaragoza (2009), The probabilistic relevance
    framework: BM25 and beyond, Foundations and Trends in IR 3(4); Salton & Buckley (1988),
    Term-weighting approaches in automatic text retrieval, Information Processing & Management
    24(5).

    >>> collection = term_statistics({"a": "red wine", "b": "red car, red bus"})
    >>> round(term_feature("tf", "red car", "b", collection).value, 4)
    0.6931
    """
    feature = _named(name)
    if document not in collection.counts:
        raise InputError(f"{at(None, document)}it is not in the collection; give its text")
    asked = _words_of(query, f"query {query!r}")
    occurrences = [collection.occurrence(word, document) for word in asked]
    terms = np.array(_terms(feature, asked, occurrences))
    return Working(
        np.array([terms.sum()]),
        how=f"{{{name}}}",
        columns={
            "c(q,D)": np.array([o.c if o else 0 for o in occurrences]),
            "c(q,C)": np.array([collection.in_collection[word] for word in asked]),
            "idf(q)": np.array([collection.idf(word) for word in asked]),
            name: terms,
        },
        table=Table.of_one({"word": asked}),
        quantities={"|D|": collection.lengths[document], "|C|": collection.size},
        name=name,
        metric=Method(name, term_feature, feature.formula),
    )


def _named(name: Any) -> TermFeature:
    features = {**FEATURES, **RANKINGS}
    if name not in features:
        raise InputError(f"name={name!r} is not a feature; use one of {', '.join(features)}")
    return features[name]


def _words_of(text: Any, place: str) -> list[str]:
    words_of_text = words(text) if isinstance(text, str) else []
    if not words_of_text:
        raise InputError(f"{place} has no word; give a text with at least one")
    return words_of_text


def _terms(
    feature: TermFeature,
    asked: list[str],
    occurrences: Sequence[Occurrence | None],
) -> list[float]:
    """What each word of the query adds to the feature."""
    seen: set[str] = set()
    terms = []
    for word, occurrence in zip(asked, occurrences, strict=True):
        again = word in seen and not feature.repeats
        terms.append(0.0 if occurrence is None or again else feature.term(occurrence))
        seen.add(word)
    return terms


def featured(
    queries: Mapping[Any, str],
    documents: Mapping[Any, str],
    qrels: Mapping[Any, Mapping[Any, float]],
    candidates: Mapping[Any, Iterable[Any]] | None = None,
    *,
    features: Iterable[str] = (),
) -> RankingData:
    """Featured data are queries and documents as texts, with their term features and grades.

    `queries` and `documents` map ids to texts. `qrels` maps queries to documents and grades. The
    documents of a query are those of `candidates`, such as the best hundred of a run. A candidate
    that was not judged has grade 0. Without candidates, the documents are the judged ones. The
    statistics are those of all `documents`. `features` names the features. By default they are the
    six of `FEATURES`. See `term_feature`. InputError for a query or document without a text.

    >>> texts = {"a": "red wine", "b": "red car, red bus", "c": "blue sea"}
    >>> data = featured({"q": "red car"}, texts, {"q": {"b": 1, "a": 0}})
    >>> data.document, data.grade.tolist(), data.feature_names[:3]
    (['b', 'a'], [1.0, 0.0], ('tf', 'relative tf', 'idf'))
    """
    chosen = [_named(name) for name in features or FEATURES]
    collection = term_statistics(documents)
    documents_of = qrels if candidates is None else candidates
    values: list[list[float]] = []
    grade: list[float] = []
    query_of: list[Any] = []
    document_of: list[Any] = []
    for query in documents_of:
        asked = _query_words(query, queries, qrels)
        for document in documents_of[query]:
            values.append(_feature_values(chosen, asked, query, document, collection))
            grade.append(float(qrels[query].get(document, 0)))
            query_of.append(query)
            document_of.append(document)
    names = tuple(feature.name for feature in chosen)
    return RankingData(
        values,
        grade,
        query_of,
        document_of,
        feature_names=names,
    )


def _query_words(
    query: Hashable,
    queries: Mapping[Any, str],
    qrels: Mapping[Any, Mapping[Any, float]],
) -> list[str]:
    """The words of a query that has a text and judgments."""
    if query not in queries:
        raise InputError(f"{at(query)}it has no text; add its text to the queries")
    if query not in qrels:
        raise InputError(f"{at(query)}it has candidates, but no judgments in the qrels")
    return _words_of(queries[query], f"query {query!r}")


def _feature_values(
    features: Sequence[TermFeature],
    asked: list[str],
    query: Hashable,
    document: Hashable,
    collection: TermStatistics,
) -> list[float]:
    """The features of a query and a document."""
    if document not in collection.counts:
        raise InputError(
            f"{at(query, document)}it has no text; give its text, or leave the document out"
        )
    occurrences = [collection.occurrence(word, document) for word in asked]
    return [sum(_terms(feature, asked, occurrences)) for feature in features]


_K1, _B = 1.2, 0.75


def _bm25(o: Occurrence) -> float:
    with_word = o.documents / o.idf
    mean_length = o.size / o.documents
    idf = math.log1p((o.documents - with_word + 0.5) / (with_word + 0.5))
    return idf * o.c / (_K1 * (1 - _B + _B * o.length / mean_length) + o.c)


def _by_name(features: Sequence[TermFeature]) -> dict[str, TermFeature]:
    return {feature.name: feature for feature in features}


_TERM_FEATURES = (
    TermFeature(
        "tf",
        lambda o: math.log(o.c),
        r"\sum_{q\in Q\cap D}\ln c(q,D)",
    ),
    TermFeature(
        "relative tf",
        lambda o: math.log1p(o.c / o.length),
        r"\sum_{i=1}^{n}\ln\left(1+\frac{c(q_i,D)}{|D|}\right)",
        repeats=True,
    ),
    TermFeature(
        "idf",
        lambda o: math.log(o.idf),
        r"\sum_{q\in Q\cap D}\ln\mathrm{idf}(q)",
    ),
    TermFeature(
        "icf",
        lambda o: math.log(o.size / o.in_collection),
        r"\sum_{q\in Q\cap D}\ln\frac{|C|}{c(q,C)}",
    ),
    TermFeature(
        "tf idf",
        lambda o: math.log1p(o.c / o.length * o.idf),
        r"\sum_{i=1}^{n}\ln\left(1+\frac{c(q_i,D)}{|D|}\,\mathrm{idf}(q_i)\right)",
        repeats=True,
    ),
    TermFeature(
        "tf icf",
        lambda o: math.log1p(o.c / o.length * o.size / o.in_collection),
        r"\sum_{i=1}^{n}\ln\left(1+\frac{c(q_i,D)}{|D|}\,\frac{|C|}{c(q_i,C)}\right)",
        repeats=True,
    ),
)
_RANKING_FEATURES = (
    TermFeature(
        "BM25",
        _bm25,
        r"\sum_{i=1}^{n}\ln\left(1+\frac{N-n(q_i)+\frac12}{n(q_i)+\frac12}\right)"
        r"\frac{c(q_i,D)}{k_1\left(1-b+b\frac{|D|}{\mathrm{avgdl}}\right)+c(q_i,D)}",
        repeats=True,
    ),
    TermFeature(
        "cosine tf-idf",
        lambda o: (1 + math.log(o.c)) * math.log(o.idf) ** 2 / o.norm if o.norm else 0.0,
        r"\sum_{i=1}^{n}\ln\frac{N}{n(q_i)}\cdot"
        r"\frac{(1+\ln c(q_i,D))\ln\frac{N}{n(q_i)}}{\lVert\vec D\rVert}",
        repeats=True,
    ),
)
FEATURES = _by_name(_TERM_FEATURES)
RANKINGS = _by_name(_RANKING_FEATURES)
