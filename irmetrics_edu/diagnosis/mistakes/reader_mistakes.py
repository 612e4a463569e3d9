"""ERR, RBP and INST of a reader who doesn't stop or learn, or who stops by the wrong scale."""

from functools import partial

import numpy as np

from irmetrics_edu.conventions import BY_SHARE, Satisfaction
from irmetrics_edu.diagnosis.mistakes.mistake import mistake, with_the_unjudged
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.stopping_models import insq, inst
from irmetrics_edu.metrics.user_models import err, rbp
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working

of_err = partial(mistake, read="Chapelle et al. (2009); the lecture on evaluation, ERR")
of_rbp = partial(mistake, read="Moffat & Zobel (2008)")

of_err(
    "err-without-the-stop",
    "ERR without the probability that the reader gets there: look at rank 2",
    why="A reader who was satisfied above does not reach this rank. So each term is multiplied by "
    "the probability that no document above satisfied the reader.",
).of_score(
    err,
    lambda found: found.rows.total(found["stop probability"] * found["1/rank"], found.table.query),
    "max_grade",
)

of_err(
    "err-by-the-highest-grade-at-hand",
    "ERR whose maximal grade is the highest that the query's judgments happen to hold",
    why="max_grade is the highest grade of the scale. If you take it from the data, it differs "
    "from query to query, and the scores can't be compared or averaged.",
).of_convention(err, max_grade="highest")


def _off_by_one(rows: Rows, k: int | None, max_grade: float | str) -> Working:
    """ERR on a scale that is one grade too long."""
    if isinstance(max_grade, str):
        raise InputError("a scale taken from the given grades is not one grade too long")
    return err.measured(rows, k, max_grade=max_grade + 1)


of_err(
    "err-by-the-number-of-grades",
    "ERR with the number of grades in place of the highest: 2^5 for grades 0 to 4",
    why="There are five grades from 0 to 4, but the highest is 4. With 5 every probability is "
    "halved.",
).of_call(err, _off_by_one, "max_grade")

of_err(
    "err-of-linear-grades",
    "ERR whose probability to stop is grade over maximal grade",
    why="The probability is (2^grade - 1) / 2^max_grade, below 1 even for the best grade.",
).of_convention(err, satisfaction=BY_SHARE)

of_powers = of_err(
    "err-without-minus-1",
    "ERR whose probability to stop is 2^grade / 2^max_grade, without the -1",
    why="The probability is (2^grade - 1) / 2^max_grade, so nobody stops at a document of grade 0.",
)
_POWERS = Satisfaction(
    "2^grade/2^max_grade",
    r"\tfrac{2^{#1}}{2^{#2}}",
    "2^grade over 2^max_grade",
    lambda grade, highest: 2.0 ** (grade - highest),
)


def _of_powers(rows: Rows, k: int | None, max_grade: float | str) -> Working:
    """ERR in which a judged document of grade 0 satisfies some readers too."""
    working = err.measured(rows, k, max_grade=max_grade, satisfaction=_POWERS)
    top = rows.top(k)
    stop = np.where(top.judged, working["stop probability"], 0.0)
    working.score = top.total(stop * top.product_before(1 - stop) / top.rank)
    return working


of_powers.of_call(err, _of_powers, "max_grade")
of_powers.of_call(err, with_the_unjudged(err, satisfaction=_POWERS), "max_grade")

of_rbp(
    "rbp-one-rank-late",
    "RBP with p^i in place of p^(i-1): look at rank 1",
    why="Every reader looks at the first document, so its weight is (1 - p) p^0.",
).of_score(rbp, lambda found: found.score * found.params["p"], "p", "rel")

of_rbp(
    "rbp-not-normalised",
    "RBP without the factor 1 - p",
    why="The factor 1 - p makes the weights of all ranks add up to 1. Without it scores go up to "
    "1/(1-p).",
).of_score(rbp, lambda found: found.score / (1 - found.params["p"]), "p", "rel")

mistake(
    "inst-counts-nothing-found",
    "INST in which hits do not change the number of documents still wanted (INSQ)",
    why="T_i is the number of documents still wanted: T minus the gains down to rank i. A reader "
    "who finds something stops sooner. With T_i = T at every rank it is INSQ.",
    read="Moffat et al. (2015), INST: an adaptive metric",
).of_call(inst, insq.measured, *insq.defaults)
