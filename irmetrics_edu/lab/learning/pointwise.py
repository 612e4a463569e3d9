"""Pointwise learning: regression, classification, ordinal regression, and association rules."""

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.lab.learning.losses import of_documents, squared_loss
from irmetrics_edu.lab.learning.ranker import FunctionRanker, LinearRanker, learnable, positive
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.near_ties import TOLERANCE, exceeds, levelled
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Working

_MOST_ITERATIONS = 10_000


def pointwise_regression(data: RankingData) -> LinearRanker:
    """Pointwise regression learns to predict the grade of a document, and ranks by the prediction.

    It minimises the squared loss over all documents, by least squares with a constant. If features
    depend on one another, but for rounding, the shortest weights are taken.

    Source: Cossock & Zhang (2006), Subset ranking using regression, COLT.

    >>> data = RankingData([[0], [1], [2]], [0, 1, 2], ["q"] * 3, ["a", "b", "c"])
    >>> pointwise_regression(data).score([[3]]).round(6).tolist()
    [3.0]
    """
    learnable(data, "pointwise regression")
    mean = data.features.mean(axis=0)
    # A singular value that is rounding alone would otherwise decide how long the weights are.
    weights = np.linalg.lstsq(
        data.features - mean,
        data.grade,
        rcond=TOLERANCE,
    )[0]
    constant = float(data.grade.mean() - mean @ weights)

    def working() -> Working:
        return squared_loss(data, data.features @ weights + constant)

    return LinearRanker(
        method=REGRESSION,
        feature_names=data.feature_names,
        make_working=working,
        params={},
        weights=weights,
        intercept=constant,
    )


def pointwise_classification(data: RankingData, *, C: float = 1.0) -> FunctionRanker:
    """Pointwise classification learns the probability of each grade, and ranks by the mean grade.

    With two grades this is the order of the probability of relevance. The probabilities are those
    of logistic regression with the inverse strength of regularisation `C`. The working has the log
    loss of each query. Needs scikit-learn (extra `lab`).

    Sources: Nallapati (2004), Discriminative models for information retrieval, SIGIR; Li, Burges &
    Wu (2007), McRank: learning to rank using multiple classification and gradient boosting, NIPS
    (the mean grade).

    >>> data = RankingData([[0], [1], [2]], [0, 1, 2], ["q"] * 3, ["a", "b", "c"])
    >>> a, b, c = pointwise_classification(data).score(data.features).tolist()
    >>> a < b < c
    True
    """
    learnable(data, "pointwise classification")
    grades = np.array(data.grades)
    classes = np.searchsorted(grades, data.grade)  # numbered: a grade may be 0.5
    model = _logistic(data.features, classes, C)

    def working() -> Working:
        probability = model.predict_proba(data.features)
        right = probability[np.arange(len(classes)), classes]
        loss = -np.log(np.maximum(right, np.finfo(float).tiny))
        columns = {f"P(grade {g:g})": probability[:, j] for j, g in enumerate(data.grades)}
        columns |= {"mean grade": probability @ grades, "log loss": loss}
        return of_documents(data, "log loss", columns)

    def mean_grade(table: Array) -> Array:
        mean: Array = model.predict_proba(table) @ grades
        return mean

    return FunctionRanker(
        CLASSIFICATION,
        data.feature_names,
        working,
        {"C": C},
        mean_grade,
    )


def _logistic(
    table: Array,
    target: Array,
    C: float,
    *,
    constant: bool = True,
) -> Any:
    """Logistic regression after learning; InputError if it stopped before its end."""
    ConvergenceWarning = extra("sklearn.exceptions").ConvergenceWarning
    LogisticRegression = extra("sklearn.linear_model").LogisticRegression
    learner = LogisticRegression(
        C=positive("C", C),
        fit_intercept=constant,
        max_iter=_MOST_ITERATIONS,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            return learner.fit(table, target)
        except ConvergenceWarning:
            raise InputError(
                f"LogisticRegression stopped before its end, after {_MOST_ITERATIONS} iterations; "
                "give a smaller C, or features on one scale (data.normalised())"
            ) from None


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalRanker(LinearRanker):
    """An ordinal ranker has a weight per feature and thresholds between the grades on one line."""

    thresholds: tuple[float, ...] = ()
    grades: tuple[float, ...] = ()

    def predict(self, features: Any) -> Array:
        """The grade of each row: the lowest whose threshold w . x does not reach.

        If w . x equals a threshold, but for rounding (`near_ties`), it reaches it.
        """
        score = self.score(features)[:, None]
        ends = np.array([*self.thresholds, np.inf])
        scale = self.scale(np.asarray(features, dtype=np.float64))[:, None]
        below = exceeds(ends, score, scale)
        grade: Array = np.array(self.grades)[below.argmax(axis=1)]
        return grade


def ordinal_regression(data: RankingData, *, C: float = 100.0) -> OrdinalRanker:
    """Ordinal regression learns a line through the features and thresholds that cut it into grades.

    The predicted grade is min {k : w . x - b_k < 0}. Each grade but the last has a threshold above
    it, and the b of the last is infinite. Documents are ranked by w . x. It is learnt as P(grade >
    k) = logistic(w . x - b_k), for all k at once, by scikit-learn's logistic regression. There is
    one row per document and threshold, which keeps the thresholds in order. `C` is the inverse
    strength of its regularisation. The working has the number of wrong grades of each query. Needs
    scikit-learn (extra `lab`).

    Sources: McCullagh (1980), Regression models for ordinal data, JRSS B 42; Li & Lin (2006),
    Ordinal regression by extended binary classification, NIPS.

    >>> data = RankingData([[0], [1], [4], [5], [9]], [0, 0, 1, 1, 2], ["q"] * 5, list("abcde"))
    >>> ranker = ordinal_regression(data)
    >>> ranker.predict([[0.5], [4.5], [8]]).tolist()
    [0.0, 1.0, 2.0]
    >>> low, high = ranker.thresholds
    >>> low < high
    True
    """
    learnable(data, "ordinal regression")
    grades = np.array(data.grades)
    cuts = len(grades) - 1
    n, m = data.features.shape
    # Logistic regression shrinks the thresholds too; centred features keep them small.
    centre = data.features.mean(axis=0)
    table = np.hstack(
        [np.repeat(data.features - centre, cuts, axis=0), -np.tile(np.eye(cuts), (n, 1))]
    )
    above = (data.grade[:, None] > grades[None, :-1]).ravel()
    coefficients = _logistic(table, above, C, constant=False).coef_[0]
    weights = coefficients[:m]
    thresholds = tuple((coefficients[m:] + centre @ weights).tolist())

    def working() -> Working:
        score = data.features @ weights
        predicted = ranker.predict(data.features)
        wrong = (predicted != data.grade).astype(float)
        margins = {f"w.x - b{k}": score - b for k, b in enumerate(thresholds, 1)}
        columns = {"w.x": score, **margins, "predicted grade": predicted, "wrong": wrong}
        notes = [f"predicted is the first grade whose w.x - b is below 0, else {grades[-1]:g}"]
        return of_documents(data, "wrong grades", columns, notes)

    linear = LinearRanker(
        ORDINAL,
        data.feature_names,
        working,
        {"C": C},
        weights,
    )
    ranker = OrdinalRanker(
        **vars(linear),
        thresholds=thresholds,
        grades=tuple(data.grades),
    )
    return ranker


REGRESSION = Method(
    "pointwise regression",
    pointwise_regression,
    r"L(f;x_j,y_j)=(y_j-f(x_j))^2",
)
CLASSIFICATION = Method(
    "pointwise classification",
    pointwise_classification,
    r"f(x)=\sum_{g} g\,P(y=g\mid x),\quad L(f;x_j,y_j)=-\ln P(y_j\mid x_j)",
)
ORDINAL = Method(
    "ordinal regression",
    ordinal_regression,
    r"\hat y_j=\min\{k : w^{T}x_j-b_k<0\}",
)


_MOST_ITEMS = 2_000
_BLOCK = 4_096


@dataclass(frozen=True, eq=False, repr=False)
class AssociationRules:
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
        occurs = np.triu(np.ones((n, n), dtype=bool)) & (both > 0)
        return confidence, occurs & ~exceeds(self.support * self.documents.sum(), self.counts)

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
        share: Array = mean / mean.sum(axis=1, keepdims=True)
        return share, number

    def score(self, features: Array) -> Array:
        """The mean grade of each row."""
        mean: Array = self.probabilities(features)[0] @ np.array(self.grades)
        return mean


def association_rules(
    data: RankingData,
    *,
    ranges: int = 4,
    support: float = 0.001,
) -> FunctionRanker:
    """Association rules score a document by the grades of documents with the same features.

    Each feature is cut into at most `ranges` ranges that hold equally many documents. Values that
    are equal but for rounding (`near_ties`) stay together. A rule says: of the documents with one
    such range, or with two of different features, a share has this grade. The share is the
    confidence of the rule. A rule counts if the share of all documents that have the ranges and the
    grade is at least `support`. A document's P(grade) is the mean confidence of its rules for that
    grade, divided by the sum of these means. Its score is the mean grade. A document without a rule
    has the grades' shares in the data. The working has the probabilities of each document.
    InputError for more than 2,000 ranges of all features together.

    Source: Veloso, Almeida, Goncalves & Meira (2008), Learning to rank at query-time using
    association rules, SIGIR. There the rules of a document are searched when it is ranked, and may
    be longer. Here all rules of at most two ranges are counted during learning.

    >>> data = RankingData([[0], [0], [5], [5]], [0, 0, 0, 1], ["q"] * 4, list("abcd"))
    >>> ranker = association_rules(data)
    >>> ranker.score([[0], [9]]).tolist()  # of those above 0, one in two has grade 1
    [0.0, 0.5]
    """
    learnable(data, "association rules")
    parts = checks.whole("ranges", ranges, 1)
    checks.between("support", support, 0, 1)
    edges = tuple(_edges(column, parts) for column in data.features.T)
    if _items(edges) > _MOST_ITEMS:
        raise InputError(
            f"{len(edges)} features have {_items(edges)} ranges together, more than {_MOST_ITEMS}; "
            f"give fewer ranges (ranges={ranges}) or fewer features"
        )
    rules = _counted_rules(data, edges, support)

    def working() -> Working:
        probability, number = rules.probabilities(data.features)
        loss = squared_loss(data, rules.score(data.features))
        columns: dict[str, Array] = {"rules": number.sum(axis=1)}
        for j, grade in enumerate(data.grades):
            columns[f"P(grade {grade:g})"] = probability[:, j]
        loss.columns = {**columns, **dict(loss.columns)}
        _, are_rules = rules.found
        loss.notes = [f"{int(are_rules.sum())} rules; they are counted, and no loss is minimised"]
        return loss

    params = {"ranges": ranges, "support": support}
    return FunctionRanker(
        ASSOCIATION,
        data.feature_names,
        working,
        params,
        rules.score,
    )


def _items(edges: tuple[tuple[float, ...], ...]) -> int:
    """The number of ranges of all features together."""
    return sum(len(edges_of_feature) + 1 for edges_of_feature in edges)


def _counted_rules(
    data: RankingData,
    edges: tuple[tuple[float, ...], ...],
    support: float,
) -> AssociationRules:
    """The rules of the data, by counting how many documents of each grade have two items."""
    size = _items(edges)
    grades = data.grades
    counts = np.zeros((len(grades), size, size))
    documents = [np.count_nonzero(data.grade == grade) for grade in grades]
    rules = AssociationRules(
        edges,
        tuple(grades),
        counts,
        np.array(documents),
        support,
    )
    for g, grade in enumerate(grades):
        rows = data.features[data.grade == grade]
        for begin in range(0, len(rows), _BLOCK):
            items = rules.items_of(rows[begin : begin + _BLOCK])
            counts[g] += items.T @ items
    return rules


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
)
