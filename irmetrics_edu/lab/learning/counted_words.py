"""How often words occur in the documents of a collection."""

import math
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.efficiency.words import words


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A word of the query in a document: the numbers that a feature is made from."""

    c: int  # c(q, D)
    length: int  # |D|
    in_collection: int  # c(q, C)
    size: int  # |C|
    idf: float
    documents: int  # N
    mean_length: float  # |C| / N
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

    def length(self, document: Hashable) -> int:
        """The number of words of a document, |D|."""
        return self._lengths[document]

    @cached_property
    def _lengths(self) -> dict[Hashable, int]:
        return {document: each.total() for document, each in self.counts.items()}

    def idf(self, word: str) -> float:
        """The number of documents over the number of those with the word; NaN if none has it."""
        found = self.documents_with[word]
        return len(self.counts) / found if found else math.nan

    @cached_property
    def norms(self) -> dict[Hashable, float]:
        """The length of each document's vector of (1 + ln c(q, D)) ln(N / n(q))."""
        n = len(self.counts)
        idf = {word: math.log(n / found) for word, found in self.documents_with.items()}
        return {
            document: math.sqrt(
                math.fsum(((1 + math.log(c)) * idf[word]) ** 2 for word, c in each.items())
            )
            for document, each in self.counts.items()
        }

    def occurrence(self, word: str, document: Hashable) -> Occurrence | None:
        """The statistics of a word in a document that has it."""
        c = self.counts[document][word]
        if not c:
            return None
        length, in_all = self.length(document), self.in_collection[word]
        mean = self.size / len(self.counts)
        norm = self.norms[document]
        return Occurrence(
            c, length, in_all, self.size, self.idf(word), len(self.counts), mean, norm
        )


def term_statistics(documents: Any) -> TermStatistics:
    """The statistics of a collection are the numbers of its words, by document and in all.

    `documents` maps ids to texts; words are in lower case, not stemmed.

    >>> found = term_statistics({"a": "red wine", "b": "red car, red bus"})
    >>> found.size, found.in_collection["red"], found.idf("car")
    (6, 3, 2.0)
    """
    if not isinstance(documents, Mapping) or not documents:
        raise InputError(
            f"documents={documents!r} are not texts by id; map at least one id to its text"
        )
    for document, text in documents.items():
        if not isinstance(text, str):
            raise InputError(f"{at(None, document)}its text is {text!r}; give text")
    counts = {document: Counter(words(text)) for document, text in documents.items()}
    documents_with: Counter[str] = Counter()
    in_collection: Counter[str] = Counter()
    for each in counts.values():
        documents_with.update(each.keys())
        in_collection.update(each)
    return TermStatistics(counts, documents_with, in_collection)
