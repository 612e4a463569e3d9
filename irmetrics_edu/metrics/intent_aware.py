"""Readers with intents go down a ranking until they are satisfied or give up."""

from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.conventions import (
    EXPONENTIAL,
    LINEAR,
    RECIPROCAL,
    ZERO,
    Gain,
    NoRelevant,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.novelty_ideal import GREEDY, NoveltyIdeal, ideal_order
from irmetrics_edu.metrics.nugget_decay import (
    INDEPENDENT,
    JUDGED,
    Fading,
    Normalisation,
    columns,
    of_perfect_ranking,
    one_alpha,
)
from irmetrics_edu.metrics.user_models import HIGHEST_MAX_GRADE
from irmetrics_edu.numbers import Array, in_kind, like, ratio, zeros
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import INTENTS
from irmetrics_edu.working import Columns, Working

_NORMALISED = r"\quad(\text{divided by: }\normalisation{},\ \text{none: }\norelevant{}"


def _faded(
    rows: NuggetRows,
    k: int | None,
    fading_of: Any,
    discount: Any,
    *,
    tied: Array | None = None,
) -> Working:
    """The discounted gains of a ranking down to the cut."""
    top = rows.top(k)
    shown = columns(top, fading_of(top).gain(top), discount)
    if tied is not None:
        shown = Columns({**shown, "tied": like(rows.grade, tied)})
    return Working(
        top.total(shown["discounted gain"]),
        how="{discounted gain}",
        columns=shown,
        table=top.table(),
        rows=rows,
    )


def _over_ideal(
    name: str,
    rows: NuggetRows,
    k: int | None,
    fading_of: Any,
    discount: Any,
    ideal: NoveltyIdeal,
    empty: float,
) -> Working:
    """The discounted gains of a ranking over those of the ideal ranking of the judged documents."""
    order, tied = ideal_order(rows.pool, k, fading_of(rows.pool), discount, ideal)
    actual = _faded(rows, k, fading_of, discount)
    best = _faded(rows.ranked(order), k, fading_of, discount, tied=tied)
    actual.name = f"unnormalised {name}"
    best.name = f"ideal {name}"
    return Working(
        rows.ratio(actual.score, best.score, empty),
        how=f"{{{actual.name}}} / {{{best.name}}}",
        parts={actual.name: actual, best.name: best},
        rows=rows,
    )


def _divide(working: Working, name: str, perfect: Array, no_relevant: NoRelevant) -> None:
    working.quantities = {name: perfect}
    working.score = ratio(working.score, perfect, no_relevant.value)
    working.how += f" / {{{name}}}"


@metric(
    "ERR-IA",
    aliases={"nERR-IA": {"normalisation": "collection_dependent"}},
    formula=r"\sum_{i=1}^{\k} \frac{1}{i} \sum_t P(t|q)\, R_{it} \prod_{j<i}(1-R_{jt}),\quad "
    r"R_{it} = \frac{2^{\gain{g_{it}}}-1}{2^{\maxgrade}}"
    rf"{_NORMALISED},\ \text{{ideal: }}\ideal{{}})",
    source="Chapelle, Metzler, Zhang & Grinspan (2009), Expected reciprocal rank for graded "
    "relevance, CIKM",
    inputs=INTENTS,
)
def err_ia(
    rows: NuggetRows,
    k: int | None = None,
    *,
    gain: Gain = LINEAR,
    max_grade: int = 1,
    normalisation: Normalisation = INDEPENDENT,
    ideal: NoveltyIdeal = GREEDY,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Intent-aware ERR is the mean of the ERR for each intent, by the intents' probabilities.

    Between 0 and 1. It can exceed 1 only if it is divided by a greedy ideal that the ranking beats.
    `normalisation="none"` gives the sum itself. By default the sum is divided by that of a ranking
    whose every document serves every intent best, as in ndeval.
    `normalisation="collection_dependent"` divides by the ideal ranking of the judged documents and
    gives nERR-IA. Without k the cut-off is the length of the ranking. A number between 0 and 1 is a
    grade here, and no probability. `gain="binary"` counts any grade from 1 on as 1, as ndeval does.

    >>> held = {"a": {"A", "B"}, "b": {"A"}}
    >>> err_ia(["b", "a"], held, normalisation="none", exact=True)
    Fraction(7, 16)
    """
    why = ", the top of the scale, such as 4"
    top_grade = checks.whole("max_grade", max_grade, 1, HIGHEST_MAX_GRADE, why=why)
    grades = gain(rows.pool.grade)
    if len(grades) and grades.max() > max_grade:
        raise InputError(
            f"grade {float(grades.max()):g} is above max_grade={max_grade}; "
            "give the top of the scale, such as max_grade=4"
        )
    weight = rows.intents()

    def fading_of(rows: NuggetRows) -> Fading:
        stop = EXPONENTIAL(gain(rows.grade)) / in_kind(rows.grade, 2**top_grade)
        return Fading(stop, 1 - stop, weight)

    if normalisation.by_ideal:
        return _over_ideal(
            "ERR-IA",
            rows=rows,
            k=k,
            fading_of=fading_of,
            discount=RECIPROCAL,
            ideal=ideal,
            empty=no_relevant.value,
        )
    working = _faded(rows, k, fading_of, RECIPROCAL)
    if normalisation.by_most:
        go_on = in_kind(rows.grade, 1) / in_kind(rows.grade, 2**top_grade)
        perfect = of_perfect_ranking(
            rows,
            k,
            rows.over_nuggets(weight) * (1 - go_on),
            go_on,
            RECIPROCAL,
        )
        _divide(working, "perfect ERR-IA", perfect, no_relevant)
    return working


@metric(
    "NRBP",
    aliases={"nNRBP": {"normalisation": "collection_dependent"}},
    formula=r"(1-(1-\alpha)\beta) \sum_{i} \beta^{i-1} \sum_n P(n|q)\,J_{in} "
    r"\prod_{j<i}(1-\alpha J_{jn})"
    rf"{_NORMALISED},\ \text{{ideal: }}\ideal{{}},\ {JUDGED})",
    source="Clarke, Kolla & Vechtomova (2009), "
    "An effectiveness measure for ambiguous and underspecified queries, ICTIR",
    inputs=INTENTS,
)
def nrbp(
    rows: NuggetRows,
    *,
    alpha: float = 0.5,
    beta: float = 0.5,
    rel: float = 1,
    normalisation: Normalisation = INDEPENDENT,
    ideal: NoveltyIdeal = GREEDY,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Novelty- and rank-biased precision is RBP with the gain of alpha-DCG, over all ranks.

    Between 0 and 1. With `normalisation="collection_dependent"` (nNRBP) it can exceed 1, because
    the ranking may beat the greedy ideal. The reader goes on to the next document with probability
    `beta`. An intent that was served before is worth 1 - `alpha` times as much. The constant 1 - (1
    - alpha) beta makes an endless ranking score 1 if its every document serves every intent.
    `normalisation="none"` leaves the constant out. A judgment between 0 and 1 is the probability
    that the document serves the intent, as in alpha-DCG.

    >>> nrbp(["a", "b"], {"a": {"A", "B"}, "b": {"A"}})
    0.84375
    """
    right = one_alpha(rows, alpha)
    checks.between("beta", beta, 0, 1, open_high=True)
    held = rows.possible(rel)
    weight = rows.intents(rel)
    fade = 1 - right
    patience = in_kind(rows.grade, beta)

    def fading_of(rows: NuggetRows) -> Fading:
        return Fading.of(rows, right, weight, rel)

    def discount(rank: Array) -> Array:
        # beta = 0 reads the first document only, as 0^0 = 1.
        factors: Array = (zeros(rank, len(rank)) + patience) ** (rank - 1)
        return factors

    if normalisation.by_ideal:
        return _over_ideal(
            "NRBP",
            rows=held,
            k=None,
            fading_of=fading_of,
            discount=discount,
            ideal=ideal,
            empty=no_relevant.value,
        )
    working = _faded(held, None, fading_of, discount)
    if normalisation.by_most:
        perfect = rows.over_nuggets(weight) / (1 - fade * patience)
        _divide(working, "perfect NRBP", perfect, no_relevant)
    return working
