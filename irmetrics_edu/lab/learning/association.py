"""Pointwise learning by association rules, from ranges of features to grades."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.losses import squared_loss
from irmetrics_edu.lab.learning.ranker import Ranker, learnable
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.near_ties import exceeds, levelled
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Working

_MOST_ITEMS = 2_000
_BLOCK = 4_096


@dataclass(frozen=True, eq=False, repr=False)
class Rules:
    """Association rules say how often documents with one or two items have a grade.

    An item is a range of a feature: above one of its `edges` and not above the next. `counts[g]`
    has the number of documents of grade g with both items, by row and column. On the diagonal is
    the number with that one item. A rule has one item, or two of different features.
    """

    edges: tuple[tuple[float, ...], ...]
    grades: tuple[float, ...]
    counts: Array
    documents: Array  # the number of documents of each grade
    support: float
    confidence: float
    longest: int

    def __repr__(self) -> str:
        return f"<{int(self.found[1].sum())} rules of {len(self.counts[0])} ranges>"

    def items_of(self, features: Array) -> Array:
        """Which items each row has, as 0 and 1."""
        columns = []
        for x, edges in zip(features.T, self.edges, strict=True):
            at = exceeds(x[:, None], np.array(edges)[None, :]).sum(axis=1)
            columns.append(at[:, None] == np.arange(len(edges) + 1))
        return np.hstack(columns).astype(np.float64)

    @cached_property
    def found(self) -> tuple[Array, Array]:
        """The confidence of each pair of items, for each grade, and which of them are rules."""
        both = self.counts.sum(axis=0)
        confidence = self.counts / np.maximum(both, 1)
        n = len(both)
        known = np.triu(np.ones((n, n), dtype=bool)) if self.longest > 1 else np.eye(n, dtype=bool)
        known &= both > 0
        enough = ~exceeds(self.support * self.documents.sum(), self.counts)
        return confidence, known & enough & ~exceeds(self.confidence, confidence)

    def probabilities(self, features: Array) -> tuple[Array, Array]:
        """The probability of each grade for each row, and how many of the row's rules say it."""
        confidence, rules = self.found
        mean, number = np.zeros((2, len(features), len(self.grades)))
        for begin in range(0, len(features), _BLOCK):
            part = slice(begin, begin + _BLOCK)
            items = self.items_of(features[part])
            for g in range(len(self.grades)):
                number[part, g] = (items @ rules[g].astype(np.float64) * items).sum(axis=1)
                mean[part, g] = (items @ (confidence[g] * rules[g]) * items).sum(axis=1)
        mean /= np.maximum(number, 1)
        mean[number.sum(axis=1) == 0] = self.documents  # no rule: as often as learnt
        out: Array = mean / mean.sum(axis=1, keepdims=True)
        return out, number

    def score(self, features: Array) -> Array:
        """The mean grade of each row."""
        out: Array = self.probabilities(features)[0] @ np.array(self.grades)
        return out


def association_rules(
    data: RankingData,
    *,
    ranges: int = 4,
    support: float = 0.001,
    confidence: float = 0.0,
    longest: int = 2,
) -> Ranker:
    """Association rules score a document by the grades of documents with the same features.

    Each feature is cut into at most `ranges` ranges that hold equally many documents. Values that
    are equal but for rounding (`near_ties`) stay together. A rule says: of the documents with one
    such range, or with two of different features (`longest=2`), a share has this grade. The share
    is the confidence of the rule. A rule counts if the share of all documents that have the ranges
    and the grade is at least `support`, and its confidence is at least `confidence`. A document's
    P(grade) is the mean confidence of its rules for that grade, divided by the sum of these means.
    Its score is the mean grade. A document without a rule has the grades' shares in the data. The
    working has the probabilities of each document. InputError for more than 2,000 ranges of all
    features together.

    Source: Veloso, Almeida, Goncalves & Meira (2008), Learning to rank at query-time using
    association rules, SIGIR. There the rules of a document are searched when it is ranked, and may
    be longer. Here all rules of at most two ranges are counted during learning.

    >>> data = RankingData([[0], [0], [5], [5]], [0, 0, 0, 1], ["q"] * 4, list("abcd"))
    >>> ranker = association_rules(data)
    >>> ranker.score([[0], [9]]).tolist()  # of those above 0, one in two has grade 1
    [0.0, 0.5]
    """
    learnable(data, "association rules")
    for name, value in (("ranges", ranges), ("longest", longest)):
        if checks.number(value, f"{name} =") != int(value) or not value >= 1:
            raise InputError(f"{name}={value!r} is too small; give a whole number of at least 1")
    if longest > 2:
        raise InputError(f"longest={longest} is not possible; give 1 or 2 ranges for a rule")
    checks.between("support", support, 0, 1)
    checks.between("confidence", confidence, 0, 1)
    edges = tuple(_edges(column, ranges) for column in data.features.T)
    size = sum(len(e) + 1 for e in edges)
    if size > _MOST_ITEMS:
        raise InputError(
            f"{len(edges)} features have {size} ranges together, more than {_MOST_ITEMS}; give "
            f"fewer ranges (ranges={ranges}) or fewer features"
        )
    grades = data.grades
    counts = np.zeros((len(grades), size, size))
    each = np.array([np.count_nonzero(data.grade == g) for g in grades])
    rules = Rules(edges, tuple(grades), counts, each, support, confidence, longest)
    for g, grade in enumerate(grades):
        rows = data.features[data.grade == grade]
        for begin in range(0, len(rows), _BLOCK):
            items = rules.items_of(rows[begin : begin + _BLOCK])
            counts[g] += items.T @ items

    def working() -> Working:
        chance, number = rules.probabilities(data.features)
        out = squared_loss(data, rules.score(data.features))
        named = {f"P(grade {g:g})": chance[:, j] for j, g in enumerate(grades)}
        out.columns = {"rules": number.sum(axis=1), **named, **dict(out.columns)}
        out.notes = [
            f"{int(rules.found[1].sum())} rules; they are counted, and no loss is minimised"
        ]
        return out

    params = {"ranges": ranges, "support": support}
    if confidence:
        params["confidence"] = confidence
    if longest != 2:
        params["longest"] = longest
    return Ranker(ASSOCIATION, rules.score, tuple(data.feature_names), working, params)


def _edges(column: Array, ranges: int) -> tuple[float, ...]:
    """Values of the column that part it into ranges of equally many, as far as ties allow."""
    values = np.sort(levelled(column))
    at = [-(-len(values) * i // ranges) - 1 for i in range(1, ranges)]
    return tuple(e for e in np.unique(values[at]).tolist() if e < values[-1])


ASSOCIATION = Method(
    "association rules",
    association_rules,
    r"f(x)=\sum_g g\,\frac{s_g(x)}{\sum_h s_h(x)},\quad s_g(x)=\frac{1}{|R_g(x)|}"
    r"\sum_{X\to g\,\in R_g(x)}\frac{n(X,g)}{n(X)}",
    "Veloso, Almeida, Goncalves & Meira (2008), Learning to rank at query-time using association "
    "rules, SIGIR",
)
