r"""Whether documents of one grade get the same attention from a system that varies its rankings.

EE-D = sum of e_d^2, EE-R = sum of e_d t_d, EE-L = sum of (e_d - t_d)^2
     for the exposure e_d that document d gets on average, and t_d that it would get ideally

No `@metric`: a metric scores one ranking of a query, as runs, assertions and conformance vectors
hold it. Here many rankings of one query have one score together.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.forms import OneJudgments, OneRanking
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Table, Working


def expected_exposure(
    samples: Iterable[OneRanking],
    judgments: OneJudgments,
    *,
    p: float = 0.5,
) -> Working:
    """The expected exposure of a document is its mean attention over sampled rankings of a query.

    `samples` is a list of rankings, drawn from a system that randomises. Each ranking is a list of
    documents, or a mapping from document to score. A system that does not randomise has one. A user
    goes on from each rank to the next with probability `p`, so rank i gets the attention p^(i-1).
    A document that a ranking lacks gets none.

    The target exposure is that of an ideal system. It ranks the judged documents by grade, and
    shows all orders of equal grades equally often. `judgments` are given as for nDCG. A document
    that nobody judged has the target 0. To give it a target, judge it 0.

    The score is EE-L, the loss: the sum of the squared differences of expected and target exposure.
    It is at least 0, and 0 for an ideal system. Its parts are quantities of the working. EE-D is
    the disparity, the sum of the squared expected exposures: among rankings of one length lower
    means more equal. EE-R is the relevance, the sum of the products of expected and target
    exposure: higher is better. EE-L is EE-D - 2 EE-R + the sum of the squared targets. The mean
    over queries is the score of a system.

    Source: Diaz, Mitra, Ekstrand, Biega & Carterette (2020), Evaluating stochastic rankings with
    expected exposure, CIKM; with the user of RBP, and without the normalisation of its figures.

    >>> fixed = expected_exposure([["a", "b", "c"]], {"a": 1, "b": 1, "c": 0})
    >>> fixed.value, fixed["EE-D"].tolist(), fixed["EE-R"].tolist()
    (0.125, [1.3125], [1.1875])
    >>> expected_exposure([["a", "b", "c"], ["b", "a", "c"]], {"a": 1, "b": 1, "c": 0}).value
    0.0
    """
    checks.between("p", p, 0, 1, open_low=True, open_high=True)
    rankings = _aligned(samples, judgments)
    due = _target(rankings[0], float(p))
    unjudged = (d for ranking in rankings for d in ranking.document or () if d not in due)
    due |= dict.fromkeys(unjudged, 0.0)
    place = {document: i for i, document in enumerate(due)}
    exposure = np.zeros(len(due))
    for ranking in rankings:
        exposure[[place[d] for d in ranking.document or ()]] += float(p) ** (ranking.rank - 1)
    exposure /= len(rankings)
    target = np.array(list(due.values()))
    return Working(
        np.array([((exposure - target) ** 2).sum()]),
        how="{EE-D} - 2 * {EE-R} + {squared targets}",
        columns={
            "expected exposure": exposure,
            "target exposure": target,
            "squared difference": (exposure - target) ** 2,
        },
        table=Table.of_one({"document": list(due)}),
        quantities={
            "EE-D": np.array([(exposure**2).sum()]),
            "EE-R": np.array([exposure @ target]),
            "squared targets": np.array([target @ target]),
        },
        name="EE-L",
    )


def _aligned(samples: Any, judgments: Any) -> list[Rows]:
    """The sampled rankings as rows, checked; errors name the number of the sample."""
    if isinstance(samples, (str, bytes, Mapping)) or not hasattr(samples, "__iter__"):
        raise InputError(
            f"samples={samples!r} is not a list of rankings; give one ranking for each sample"
        )
    if judgments is None:
        raise InputError("judgments=None: give a mapping from document to grade")
    rankings = [
        align(ranking, judgments, query=f"sample {number}")
        for number, ranking in enumerate(samples, 1)
    ]
    if not rankings:
        raise InputError("samples is empty; give at least one ranking")
    return rankings


def _target(rows: Rows, p: float) -> dict[Any, float]:
    """The target exposure of each judged document, best grades first."""
    order = np.argsort(-rows.pool_grade, kind="stable")
    attention: Array = p ** np.arange(len(order))
    _, group, size = np.unique(rows.pool_grade[order], return_inverse=True, return_counts=True)
    mean = np.bincount(group, attention) / size
    documents = rows.pool_document or ()
    return {documents[i]: float(mean[g]) for i, g in zip(order.tolist(), group, strict=True)}
