"""Answers instead of rankings: which nuggets of information an answer holds, and how long it is."""

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import ZERO, Gain, NoRelevant, binary_gain
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.set_based import harmonic, weight_of_precision, without_relevant
from irmetrics_edu.numbers import in_kind, is_exact, total, zeros
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working


@metric(
    "nugget-F",
    aliases=("nuggetF",),
    symbol="F",
    formula=r"\frac{(\beta^2+1)\,P\,\mathrm{Rec}}{\beta^2P+\mathrm{Rec}},\quad "
    r"\mathrm{Rec}=\frac{\sum_{i\colon g_i\ge 1}\gain{g_i}}{\sum_{g\ge 1}\gain{g}},\ "
    r"P=\min\left(1,\frac{\allowance\,|\{i\colon g_i\ge 1\}|}{\length}\right)"
    r"\quad(\text{no weight}\colon \norelevant{})",
    source="Voorhees (2003), Overview of the TREC 2003 question answering track, TREC; weights: "
    "Lin & Demner-Fushman (2006), Will pyramids built of nuggets topple over?, HLT-NAACL",
)
def nugget_f(
    rows: Rows,
    *,
    length: float | None = None,
    allowance: float = 100,
    beta: float = 3,
    gain: Gain = binary_gain(2),  # noqa: B008 -- conventions never change
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """The nugget F-measure weighs the nuggets that an answer holds against its length.

    The ranking is the nuggets that the answer holds, in any order. The judgments are the answer
    key: 2 for a vital nugget, 1 for an okay one. Recall is the share of the vital nuggets that the
    answer holds. With gain="linear" each nugget weighs its grade, for example the number of judges
    who called it vital: these are the weights of nugget pyramids. Precision is 1 up to a length of
    `allowance` characters for each nugget held, vital or okay, and falls with 1/length beyond it.
    `length` counts the characters of the answer that are not white space; you must give it. An
    okay nugget earns allowance, and nothing else. What is not in the key counts for nothing. TREC
    took beta = 5 in 2003 and beta = 3 in later years.

    Between 0 and 1. The length is of one answer, so compute each question and take the mean.
    Raises InputError without a length, or for a negative length, allowance or beta.

    >>> key = {"born 1867": 2, "two Nobel prizes": 2, "liked cycling": 1}
    >>> nugget_f(["born 1867", "liked cycling"], key, length=200)
    0.5263157894736842
    >>> nugget_f(["born 1867", "liked cycling"], key, length=400, exact=True)
    Fraction(1, 2)
    """
    characters = _length_of_answer(length)
    checks.between("allowance", allowance, 0, float("inf"), open_high=True)
    weight = weight_of_precision(beta, None, exact=is_exact(rows.grade))
    held = rows.relevance()
    worth = rows.gains(gain) * held
    count = rows.total(held)
    weight_held = rows.total(worth)
    rows.relevant()  # refuses a grade between 0 and 1, also of a nugget that was not found
    in_all = total(gain(rows.pool_grade) * (rows.pool_grade >= 1), rows.pool_query, rows.n)
    size = zeros(rows.grade, rows.n) + in_kind(rows.grade, characters)
    allowed = count * in_kind(rows.grade, allowance)
    P = rows.ratio(np.minimum(allowed, size), size, 1)
    R = rows.ratio(weight_held, in_all)
    return Working(
        without_relevant(harmonic(rows, P, R, weight), in_all, no_relevant),
        how="{precision} * {recall} / ({alpha} * {recall} + (1 - {alpha}) * {precision})",
        columns={"weight": worth},
        table=rows.table(),
        quantities={
            "weight found": weight_held,
            "weight of all nuggets": in_all,
            "recall": R,
            "length": size,
            "allowance": allowed,
            "precision": P,
            "alpha": zeros(rows.grade, rows.n) + weight,
        },
    )


def _length_of_answer(length: float | None) -> float:
    """The length that was given; an error where none was, or where it can't be one."""
    if length is None:
        raise InputError(
            "length= is missing; give the number of characters of the answer without white "
            "space, such as length=250"
        )
    checks.between("length", length, 0, float("inf"), open_high=True)
    return length
