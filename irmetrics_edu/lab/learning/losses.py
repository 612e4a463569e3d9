"""What each kind of learner minimises: the loss of a document, of a pair, of a list.

And lambda gradients: pairs of documents, weighed by what their swap would do to nDCG.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.pairs import Pairs, pairs_of
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.metrics.pairwise import pair_accuracy
from irmetrics_edu.near_ties import falling, levelled
from irmetrics_edu.numbers import Array, objects, ratio, total
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Table, Working


def of_documents(
    data: RankingData,
    name: str,
    columns: Mapping[str, Array],
    notes: Sequence[str] = (),
) -> Working:
    """A loss that is the sum of its last column, which has a line for each document."""
    last = list(columns)[-1]
    return Working(
        total(columns[last], data.number, len(data.queries)),
        how=f"{{{last}}}",
        columns=columns,
        table=Table(data.number, {"document": data.document, "grade": data.grade}),
        notes=notes,
        name=name,
    )


def of_pairs(
    pairs: Pairs,
    name: str,
    columns: Mapping[str, Array],
    sides: tuple[str, str] = ("better", "worse"),
) -> Working:
    """A loss that is the sum of its last column, which has a line for each pair."""
    last = list(columns)[-1]
    documents = objects(pairs.data.document)
    of_sides = (documents[pairs.better], documents[pairs.worse])
    return Working(
        total(columns[last], pairs.query, len(pairs.data.queries)),
        how=f"{{{last}}}",
        columns=columns,
        table=Table(pairs.query, dict(zip(sides, of_sides, strict=True))),
        name=name,
    )


def squared_loss(data: RankingData, scores: npt.ArrayLike) -> Working:
    """The squared loss of a query is the sum, over its documents, of (grade - score) squared.

    Pointwise regression minimises it. At least 0, in squared grades. It compares scores with
    grades, not with one another. So the smallest loss may belong to any order.

    >>> from irmetrics_edu.lab.learning.ranking_data import from_rankings
    >>> squared_loss(from_rankings({"q": [2, 1]}), [1.5, 1]).value
    0.25
    """
    values = data.column(scores)
    return of_documents(
        data,
        "squared loss",
        {"score": values, "squared loss": (data.grade - values) ** 2},
    )


def hinge_loss(
    data: RankingData,
    scores: npt.ArrayLike,
    *,
    pairs: Pairs | None = None,
    weight: npt.ArrayLike = 1.0,
) -> Working:
    """The hinge loss of a query is the sum, over its preference pairs, of 1 - the margin, if > 0.

    Ranking SVM minimises it, with a term for the length of its weights. At least 0. The margin is
    the better document's score less the worse one's. `weight` is a number, or one per query.

    Source: Herbrich, Graepel & Obermayer (1999), Support vector learning for ordinal regression,
    ICANN.

    >>> from irmetrics_edu.lab.learning.ranking_data import from_rankings
    >>> hinge_loss(from_rankings({"q": [2, 1]}), [1.5, 1]).value
    0.5
    """
    preferences = pairs or pairs_of(data)
    margin = preferences.margin(data.column(scores))
    slack = np.maximum(0.0, 1 - margin)
    weighted = preferences.of_query(weight) * slack
    return of_pairs(
        preferences,
        "hinge loss",
        {"margin": margin, "slack": slack, "weighted slack": weighted},
    )


def pair_loss(data: RankingData, scores: npt.ArrayLike) -> Working:
    """The pair loss of a query is the number of its preference pairs that are ranked wrong.

    A pairwise learner minimises it. The ranks of a pair don't matter, and queries count by their
    number of pairs. `pair_losses` has both ways to take a mean. Documents whose scores are equal
    but for rounding (`near_ties`) are in the order of the data.

    >>> from irmetrics_edu.lab.learning.ranking_data import from_rankings
    >>> pair_loss(from_rankings({"q": [2, 3, 1]}), [3, 2, 1]).value
    1.0
    """
    counted = pair_accuracy.measured(_rows(data, data.column(scores)))
    wrong = counted["discordant pairs"]
    return Working(
        total(wrong, counted.table.query, len(data.queries)),
        how="{discordant pairs}",
        columns=counted.columns,
        table=counted.table,
        name="pair loss",
    )


def pair_losses(data: RankingData, scores: npt.ArrayLike) -> tuple[float, float]:
    """The mean pair loss, over all pairs together and over queries, each a share of wrong pairs.

    A pairwise learner minimises the first: a query with many pairs outweighs the others.

    >>> from irmetrics_edu.lab.learning.ranking_data import from_rankings
    >>> data = from_rankings({"q1": [3, 2, 1], "q2": [0, 1]})
    >>> pair_losses(data, data.features[:, 0])
    (0.25, 0.5)
    """
    loss = pair_loss(data, scores)
    wrong = loss.score
    pairs = wrong + total(
        loss["concordant pairs"],
        loss.table.query,
        len(data.queries),
    )
    if not pairs.any():
        raise InputError("no query has two documents of different grades, so there is no pair")
    by_query = wrong[pairs > 0] / pairs[pairs > 0]
    return float(wrong.sum()) / float(pairs.sum()), float(by_query.mean())


def listnet_loss(data: RankingData, scores: npt.ArrayLike) -> Working:
    """ListNet's loss of a query is the cross entropy of the first document, by grade and by score.

    P_y of a document is exp(grade) over the sum of exp(grade) of the query. P_f is the same with
    scores. The loss is the sum of -P_y ln P_f. Unlike nDCG, it has a slope everywhere.

    Source: Cao, Qin, Liu, Tsai & Li (2007), Learning to rank: from pairwise approach to listwise
    approach, ICML (the top one probability).

    >>> from irmetrics_edu.lab.learning.ranking_data import from_rankings
    >>> round(listnet_loss(from_rankings({"q": [1, 1]}), [0, 0]).value, 4)  # ln 2
    0.6931
    """
    values = data.column(scores)
    by_grade = _log_share(data, data.grade)
    by_score = _log_share(data, values)
    columns = {
        "score": values,
        "P_y": np.exp(by_grade),
        "P_f": np.exp(by_score),
        "-P_y ln P_f": -np.exp(by_grade) * by_score,
    }
    return of_documents(data, "ListNet's loss", columns)


def _log_share(data: RankingData, values: Array) -> Array:
    """The logarithm of exp(value) over the sum of exp(value) of the query."""
    most = np.maximum.reduceat(values, data.starts[:-1])[data.number]
    sums = total(
        np.exp(values - most),
        data.number,
        len(data.queries),
    )
    logarithm: Array = values - most - np.log(sums)[data.number]
    return logarithm


def listmle_loss(data: RankingData, scores: npt.ArrayLike) -> Working:
    """ListMLE's loss of a query is -ln of the probability that scores draw the order of the grades.

    Documents are drawn one after another, each with probability exp(score) over the sum of
    exp(score) of those not drawn yet. So a document adds ln(sum of exp(score) of those that are no
    better) - score. Documents of one grade have no order between them: each is drawn as if it were
    the first of them (Breslow's rule). Documents of the lowest grade add nothing. If all grades
    differ, this is the published loss.

    Sources: Xia, Liu, Wang, Zhang & Li (2008), Listwise approach to learning to rank: theory and
    algorithm, ICML; Breslow (1972), in the discussion of Cox's Regression models and life-tables,
    JRSS B 34 (ties).

    >>> from irmetrics_edu.lab.learning.ranking_data import from_rankings
    >>> round(listmle_loss(from_rankings({"q": [1, 0]}), [0, 0]).value, 4)  # ln 2
    0.6931
    """
    values = data.column(scores)
    below = values.copy()
    for drawn, no_better in levels(data):
        rest = values[no_better]
        below[drawn] = rest.max() + np.log(np.exp(rest - rest.max()).sum())
    columns = {
        "score": values,
        "ln sum of exp of those no better": below,
        "term": below - values,
    }
    notes = ["documents of the query's lowest grade add nothing"]
    return of_documents(data, "ListMLE's loss", columns, notes)


def levels(data: RankingData) -> Iterator[tuple[Array, Array]]:
    """For each grade above a query's lowest: the rows that have it, and all rows no better."""
    for rows in data.rows_of_queries:
        grade = data.grade[rows]
        for g in np.unique(grade)[1:]:
            yield rows.start + np.flatnonzero(grade == g), rows.start + np.flatnonzero(grade <= g)


def list_loss(
    data: RankingData,
    scores: npt.ArrayLike,
    metric: Metric = ndcg,
) -> Working:
    """The list loss of a query is 1 - the metric of its ranking: the whole order counts.

    AdaRank minimises it. The part is the working of the metric, any one of the registry's.

    >>> from irmetrics_edu.lab.learning.ranking_data import from_rankings
    >>> data = from_rankings({"A": [2, 3, 2, 1, 1, 1, 1], "B": [3, 2, 1, 2, 1, 1, 1]})
    >>> scores = data.features[:, 0]
    >>> pair_loss(data, scores).score.tolist(), list_loss(data, scores).score.round(4).tolist()
    ([1.0, 1.0], [0.0545, 0.0102])
    """
    part = measured(data, scores, metric)
    return Working(
        1 - part.score,
        how=f"1 - {{{part.name}}}",
        parts={part.name: part},
        name="list loss",
    )


def measured(data: RankingData, scores: npt.ArrayLike, metric: Metric) -> Working:
    """The metric of the rankings that scores make, every query at once.

    Documents whose scores are equal but for rounding (`near_ties`) are in the order of the data. A
    metric of novelty reads the facets.
    """
    values = data.column(scores)
    aligned = {n: v for n, v in metric.params.items() if n not in metric.defaults}
    params = {n: v for n, v in metric.params.items() if n in metric.defaults}
    if metric.inputs is RANKED and not aligned:
        rows: Any = _rows(data, values)
    else:
        parts = [
            metric.align(
                *(_input(name, data, values, q) for name in metric.inputs.arguments), query=query
            )
            for q, query in enumerate(data.queries)
        ]
        rows = type(parts[0]).joined(parts)
    return metric.measured(rows, metric.k, **params)


def _input(
    name: str,
    data: RankingData,
    values: Array,
    q: int,
) -> Any:
    """What a metric calls `name`, of one query."""
    rows = np.arange(data.starts[q], data.starts[q + 1])
    documents = [data.document[i] for i in rows.tolist()]
    order = falling(values[rows]).tolist()
    if name == "ranking":
        return [documents[i] for i in order]
    if name == "judgments":
        return data.qrels[data.queries[q]]
    if name == "nuggets":
        return data.nuggets[data.queries[q]]
    if name == "relevance":
        return data.grade[rows].tolist()
    if name == "scores":
        return levelled(values[rows]).tolist()
    raise InputError(
        f"a metric of {name} can't measure a ranking of documents; choose another metric"
    )


def _rows(data: RankingData, values: Array) -> Rows:
    """All queries as rows; every document is judged, so the rows are the pool."""
    order = falling(values, data.number)
    sizes = np.diff(data.starts)
    rank = np.arange(len(order)) - np.repeat(data.starts[:-1], sizes) + 1.0
    documents = objects(data.document)
    return Rows(
        query=data.number,
        rank=rank,
        grade=data.grade[order],
        judged=np.ones(len(order), dtype=bool),
        retrieved=sizes,
        pool_query=data.number,
        pool_grade=data.grade,
        document=documents[order],  # type: ignore[arg-type]  # an array is a sequence
        pool_document=documents,  # type: ignore[arg-type]  # the same
        queries=data.queries,
    )


class Swaps:
    """The preference pairs of the data, and by how much the swap of each would change nDCG."""

    def __init__(self, pairs: Pairs, metric: Metric | None) -> None:
        data = pairs.data
        self.pairs = pairs
        self.metric = metric
        self.data = data
        if metric is None:
            return
        chosen = {**metric.defaults, **metric.params}
        rank = np.arange(len(data.grade)) - data.starts[data.number] + 1.0
        self._discount = chosen["discount"](rank)
        if metric.k is not None:
            self._discount[rank > metric.k] = 0.0
        gain = chosen["gain"](data.grade)
        self._gained = np.abs(pairs.margin(gain))
        ideal = measured(data, np.zeros(len(data.grade)), metric)["IDCG"].score
        self._ideal = ideal[pairs.query]

    def sizes(self, scores: Array, scale: Any = 0.0) -> Array:
        """|delta nDCG| of each pair; 1 if there is no metric.

        Documents whose scores tie (`near_ties`) have the ranks that the order of the data gives.
        """
        if self.metric is None:
            return np.ones(len(self.pairs.query))
        discount = np.empty(len(scores))
        discount[falling(scores, self.data.number, scale)] = self._discount
        moved = np.abs(self.pairs.margin(discount))
        if len(moved):
            return ratio(self._gained * moved, self._ideal, 0.0)
        return moved

    def slopes(self, scores: Array, scale: Any = 0.0) -> tuple[Array, Array]:
        """The lambda gradient of each document, and its curvature."""
        n = len(scores)
        (better, worse) = (self.pairs.better, self.pairs.worse)
        size = self.sizes(scores, scale)
        wrong = probability_wrong(self.pairs.margin(scores))
        pull = size * wrong
        bend = size * wrong * (1 - wrong)
        return (
            np.bincount(better, pull, n) - np.bincount(worse, pull, n),
            np.bincount(better, bend, n) + np.bincount(worse, bend, n),
        )


def probability_wrong(margin: Array) -> Array:
    """1 / (1 + exp(margin)), which overflows for no margin."""
    probability: Array = np.exp(-np.logaddexp(0.0, margin))
    return probability


def swapped_metric(metric: Any) -> Metric | None:
    """NDCG with its cut-off and conventions, or None; any other metric is refused."""
    parsed = parse(metric) if isinstance(metric, str) else metric
    if parsed is None:
        return None
    if not isinstance(parsed, Metric) or parsed.name != ndcg.name:
        raise InputError(
            f"metric={metric!r} has no lambda gradients here; give nDCG, such as ndcg @ 10 or "
            '"nDCG@10", or None to weigh all pairs the same'
        )
    for name in parsed.params:
        if name not in parsed.defaults:
            raise InputError(f"lambda gradients take no {name!r} of nDCG; leave it out")
    return parsed


def lambda_loss(
    data: RankingData,
    scores: npt.ArrayLike,
    metric: Metric | str | None = ndcg,
) -> Working:
    """The lambda loss of a query is the sum, over its pairs, of |delta nDCG| ln(1 + exp(-margin)).

    At least 0. LambdaRank and LambdaMART go down its slope. The margin is the better document's
    score less the worse one's. |delta nDCG| is the change of nDCG if the two documents swapped
    their ranks. It is taken as it is at these scores, so the slope doesn't see it change. P(wrong)
    is 1 / (1 + exp(margin)), and lambda is |delta nDCG| P(wrong). With `metric=None` each pair
    weighs 1, which is the loss of RankNet.

    With nDCG's own ideal, the loss divided by ln 2 is never below 1 - nDCG. A pair that is ranked
    wrong then counts at least its |delta nDCG|, and these add up to at least 1 - nDCG.

    Sources: Burges, Ragno & Le (2006), Learning to rank with nonsmooth cost functions, NIPS; Wang,
    Li, Golbandi, Bendersky & Najork (2018), The LambdaLoss framework for ranking metric
    optimization, CIKM.

    >>> from irmetrics_edu.lab.learning.ranking_data import from_rankings
    >>> round(lambda_loss(from_rankings({"q": [1, 0]}), [0, 0]).value, 4)  # (1 - 0.63) ln 2
    0.2558
    """
    values = data.column(scores)
    swaps = Swaps(pairs_of(data), swapped_metric(metric))
    margin = swaps.pairs.margin(values)
    size = swaps.sizes(values)
    wrong = probability_wrong(margin)
    columns = {
        "margin": margin,
        "|delta nDCG|" if swaps.metric else "weight": size,
        "P(wrong)": wrong,
        "lambda": size * wrong,
        "weighted loss": size * np.logaddexp(0.0, -margin),
    }
    return of_pairs(
        swaps.pairs,
        "lambda loss" if swaps.metric else "RankNet's loss",
        columns,
    )


def lambda_gradients(
    scores: npt.ArrayLike,
    grades: Sequence[float] | Array,
    metric: Metric | str | None = ndcg,
) -> Array:
    """The lambda gradient of a document says which way its score should go, and how hard.

    It is the sum of the lambdas of the pairs in which the document is the better one, less the sum
    of those in which it is the worse one. Above 0 pushes the document up. The gradients of a query
    add up to 0. Each is minus the slope of `lambda_loss`. `scores` and `grades` are those of one
    query's documents, in the same order. `metric=None` gives the gradients of RankNet.

    Sources: Burges et al. (2005), Learning to rank using gradient descent, ICML (RankNet); Burges,
    Ragno & Le (2006), Learning to rank with nonsmooth cost functions, NIPS (LambdaRank).

    >>> lambda_gradients([0, 0], [0, 1], None).tolist()
    [-0.5, 0.5]
    """
    n = len(grades)
    data = RankingData(np.zeros((n, 1)), grades, ["q"] * n, range(n))
    swaps = Swaps(pairs_of(data), swapped_metric(metric))
    gradient, _ = swaps.slopes(data.column(scores))
    return gradient
