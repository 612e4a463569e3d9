"""ERR and RBP of a reader who doesn't stop, or who stops by the wrong scale."""

import numpy as np

from irmetrics_edu.conventions import BY_SHARE, Satisfaction
from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.user_models import err, rbp
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.working import Working

_ERR = "Chapelle et al. (2009), section 3; the lecture on evaluation, ERR"
_RBP = "Moffat & Zobel (2008), section 4"

no_stop = mistake(
    "err-without-the-stop",
    "ERR without the probability that the reader gets there: look at rank 2",
    why="A reader who was satisfied above does not reach this rank. So each term is "
    "multiplied by the product of 1 - R_j of all ranks above.",
    read=_ERR,
)


@no_stop.of_kernel(err)
def _no_stop(rows: Rows, k: int | None = None, *, max_grade: float = 4) -> Working:
    """The stop probabilities over their ranks, added up."""
    found = err.measured(rows, k, max_grade=max_grade)
    found.score = rows.top(k).total(found["stop probability"] * found["1/rank"])
    return found


own_maximum = mistake(
    "err-by-the-highest-grade-at-hand",
    "ERR whose maximal grade is the highest that the query's judgments happen to hold",
    why="max_grade is the highest grade of the scale. If you take it from the data, it "
    "differs from query to query, and the scores can't be compared or averaged.",
    read=_ERR,
)


own_maximum.of_convention(err, max_grade="highest")

off_by_one = mistake(
    "err-by-the-number-of-grades",
    "ERR with the number of grades in place of the highest: 2^5 for grades 0 to 4",
    why="There are five grades from 0 to 4, but the highest is 4. With 5 every "
    "probability is halved.",
    read=_ERR,
)


@off_by_one.of_kernel(err)
def _off_by_one(rows: Rows, k: int | None = None, *, max_grade: float | str = 4) -> Working:
    """ERR on a scale that is one grade too long."""
    if isinstance(max_grade, str):
        raise InputError("a scale taken from the given grades is not one grade too long")
    return err.measured(rows, k, max_grade=max_grade + 1)


linear_stop = mistake(
    "err-of-linear-grades",
    "ERR whose probability to stop is grade over maximal grade",
    why="The probability is (2^grade - 1) / 2^max_grade, below 1 even for the best grade.",
    read=_ERR,
)


linear_stop.of_convention(err, satisfaction=BY_SHARE)

of_powers = mistake(
    "err-without-minus-1",
    "ERR whose probability to stop is 2^grade / 2^max_grade, without the -1",
    why="The probability is (2^grade - 1) / 2^max_grade, so nobody stops at a document of grade 0.",
    read=_ERR,
)
_POWERS = Satisfaction(
    "2^grade/2^max_grade", r"\tfrac{2^{#1}}{2^{#2}}", "2^grade over 2^max_grade",
    lambda grade, highest: 2.0 ** (grade - highest),
)  # fmt: skip


@of_powers.of_kernel(err)
def _of_powers(rows: Rows, k: int | None = None, *, max_grade: float | str = 4) -> Working:
    """ERR in which a judged document of grade 0 satisfies some readers too."""
    found, top = err.measured(rows, k, max_grade=max_grade, satisfaction=_POWERS), rows.top(k)
    stop = np.where(top.judged, found["stop probability"], 0.0)
    found.score = top.total(stop * top.product_before(1 - stop) / top.rank)
    return found


rbp_late = mistake(
    "rbp-one-rank-late",
    "RBP with p^i in place of p^(i-1): look at rank 1",
    why="Every reader looks at the first document, so its weight is (1 - p) p^0.",
    read=_RBP,
)


@rbp_late.of_kernel(rbp)
def _rbp_late(rows: Rows, k: int | None = None, *, p: float = 0.8, rel: float = 1) -> Working:
    """RBP times p."""
    found = rbp.measured(rows, k, p=p, rel=rel)
    found.score = found.score * p
    return found


rbp_whole = mistake(
    "rbp-not-normalised",
    "RBP without the factor 1 - p",
    why="The factor 1 - p makes the weights of all ranks add up to 1. Without it "
    "scores go up to 1/(1-p).",
    read=_RBP,
)


@rbp_whole.of_kernel(rbp)
def _rbp_whole(rows: Rows, k: int | None = None, *, p: float = 0.8, rel: float = 1) -> Working:
    """RBP over 1 - p."""
    found = rbp.measured(rows, k, p=p, rel=rel)
    found.score = found.score / (1 - p)
    return found
