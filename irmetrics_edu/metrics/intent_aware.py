r"""Intents: a query may mean several things, each with its probability; a ranking should serve all.

M-IA     = sum over intents t of P(t|q) M_t, where M_t knows only the judgments for t
S-recall = how many of the intents the first k documents cover
"""

from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import (
    EXPONENTIAL,
    LINEAR,
    LOG2,
    RECIPROCAL,
    ZERO,
    Discount,
    Gain,
    NoRelevant,
)
from irmetrics_edu.definition import metric
from irmetrics_edu.errors import InputError
from irmetrics_edu.fading import (
    DEPENDENT,
    INDEPENDENT,
    Fading,
    Normalisation,
    columns,
    number,
    of_perfect_ranking,
)
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.set_based import precision
from irmetrics_edu.metrics.user_models import HIGHEST_MAX_GRADE
from irmetrics_edu.novelty_ideal import GREEDY, NoveltyIdeal, ideal_order
from irmetrics_edu.nugget_rows import NuggetRows
from irmetrics_edu.nuggets import INTENTS, NUGGETS
from irmetrics_edu.numbers import Array, like, zeros
from irmetrics_edu.working import Columns, Working

AGRAWAL_2009 = "Agrawal, Gollapudi, Halverson & Ieong (2009), Diversifying search results, WSDM"
_NORMALISED = r"\quad(\text{divided by: }\normalisation{},\ \text{none: }\norelevant{}"


def _faded(
    rows: NuggetRows, k: int | None, fading_of: Any, discount: Any, *, tied: Array | None = None
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
    actual.name, best.name = f"unnormalised {name}", f"ideal {name}"
    return Working(
        rows.ratio(actual.score, best.score, empty),
        how=f"{{{actual.name}}} / {{{best.name}}}",
        parts={actual.name: actual, best.name: best},
        rows=rows,
    )


@metric(
    "ERR-IA",
    aliases={"nERR-IA": {"normalisation": "collection_dependent"}},
    formula=(
        r"\sum_{i=1}^{\k} \frac{1}{i} \sum_t P(t|q)\, R_{it} \prod_{j<i}(1-R_{jt}),\quad "
        r"R_{it} = \frac{2^{g_{it}}-1}{2^{\maxgrade}}"
        rf"{_NORMALISED},\ \text{{ideal: }}\ideal{{}})"
    ),
    source=(
        "Chapelle, Metzler, Zhang & Grinspan (2009), Expected reciprocal rank for graded "
        "relevance, CIKM"
    ),
    inputs=INTENTS,
    rational={},
    monotone=False,
)
def err_ia(
    rows: NuggetRows,
    k: int | None = None,
    *,
    max_grade: int = 1,
    normalisation: Normalisation = INDEPENDENT,
    ideal: NoveltyIdeal = GREEDY,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Intent-aware ERR is the mean of the ERR for each intent, by the intents' probabilities.

    Between 0 and 1 (above 1 only over a greedy ideal that is beaten). The sum itself is
    `normalisation="none"`; by default it is divided by that of a ranking whose every document
    serves every intent best, as ndeval does. nERR-IA divides by the ideal ranking of the judged:
    `normalisation="collection_dependent"`. Where no k is given, the ranking's length is the cut.

    >>> held = {"a": {"A", "B"}, "b": {"A"}}
    >>> err_ia(["b", "a"], held, normalisation="none", exact=True)
    Fraction(7, 16)
    """
    if max_grade != int(checks.between("max_grade", max_grade, 1, HIGHEST_MAX_GRADE)):
        raise InputError(f"max_grade={max_grade}: the top of the scale is a whole number")
    grades = rows.pool.grade
    if len(grades) and grades.max() > max_grade:
        raise InputError(
            f"grade {float(grades.max()):g} is above max_grade={max_grade}; "
            "give the top of the scale, such as max_grade=4"
        )
    weight = rows.intents()

    def fading_of(rows: NuggetRows) -> Fading:
        stop = EXPONENTIAL(rows.grade) / number(rows.grade, 2 ** int(max_grade))
        return Fading(stop, 1 - stop, weight)

    if normalisation is DEPENDENT:
        return _over_ideal("ERR-IA", rows, k, fading_of, RECIPROCAL, ideal, no_relevant.value)
    working = _faded(rows, k, fading_of, RECIPROCAL)
    if normalisation is INDEPENDENT:
        go_on = number(rows.grade, 1) / number(rows.grade, 2 ** int(max_grade))
        perfect = of_perfect_ranking(
            rows, k, rows.over_nuggets(weight) * (1 - go_on), go_on, RECIPROCAL
        )
        working.quantities = {"perfect ERR-IA": perfect}
        working.score = rows.ratio(working.score, perfect, no_relevant.value)
        working.how += " / {perfect ERR-IA}"
    return working


@metric(
    "NRBP",
    aliases={"nNRBP": {"normalisation": "collection_dependent"}},
    formula=(
        r"(1-(1-\alpha)\beta) \sum_{i} \beta^{i-1} \sum_t P(t|q)\,"
        r"\mathbb{1}[g_{it} \ge \rel]\,(1-\alpha)^{c_{t,i-1}}"
        rf"{_NORMALISED},\ \text{{ideal: }}\ideal{{}})"
    ),
    source=(
        "Clarke, Kolla & Vechtomova (2009), "
        "An effectiveness measure for ambiguous and underspecified queries, ICTIR"
    ),
    inputs=INTENTS,
    rational={},
    monotone=False,
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
    """Novelty- and rank-biased precision is RBP whose gain is that of alpha-DCG, over all ranks.

    Between 0 and 1 (nNRBP, `normalisation="collection_dependent"`, may exceed 1 over a greedy
    ideal). The reader goes on to the next document with probability `beta`; an intent already
    served is worth 1 - `alpha` times what it was. The constant 1 - (1 - alpha) beta makes an
    endless ranking whose every document serves every intent score 1; `normalisation="none"` leaves
    it out.

    >>> nrbp(["a", "b"], {"a": {"A", "B"}, "b": {"A"}})
    0.84375
    """
    checks.between("alpha", alpha, 0, 1)
    checks.between("beta", beta, 0, 1, open_high=True)
    weight = rows.intents(rel)
    fade, patience = 1 - number(rows.grade, alpha), number(rows.grade, beta)
    held = rows.holding(rel)

    def fading_of(rows: NuggetRows) -> Fading:
        return Fading.even(rows, fade, weight)

    def discount(rank: Array) -> Array:
        # beta = 0 reads the first document only, as 0^0 = 1.
        factors: Array = (zeros(rank, len(rank)) + patience) ** (rank - 1)
        return factors

    if normalisation is DEPENDENT:
        return _over_ideal("NRBP", held, None, fading_of, discount, ideal, no_relevant.value)
    working = _faded(held, None, fading_of, discount)
    if normalisation is INDEPENDENT:
        perfect = rows.over_nuggets(weight) / (1 - fade * patience)
        working.quantities = {"perfect NRBP": perfect}
        working.score = rows.ratio(working.score, perfect, no_relevant.value)
        working.how += " / {perfect NRBP}"
    return working


def _weighted(rows: NuggetRows, name: str, per_intent: Array, weight: Array) -> Working:
    """The mean of a value per intent, by the intents' probabilities."""
    weighted = weight * per_intent
    return Working(
        rows.over_nuggets(weighted),
        how="{weighted by intent}",
        columns={"intent probability": weight, name: per_intent, "weighted by intent": weighted},
        table=rows.table_of_intents(),
        rows=rows,
    )


@metric(
    "nDCG-IA",
    formula=(
        r"\sum_t P(t|q)\, \frac{\sum_{i=1}^{\k} \gain{g_{it}}\,\discount{i}}"
        r"{\sum_{i=1}^{\k} \gain{g^*_{it}}\,\discount{i}}"
    ),
    source=AGRAWAL_2009,
    inputs=INTENTS,
    rational={"discount": "reciprocal"},
    monotone=False,
)
def ndcg_ia(
    rows: NuggetRows, k: int | None = None, *, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Working:
    """Intent-aware nDCG is the mean of the nDCG for each intent, by the intents' probabilities.

    Between 0 and 1; 1 only if one ranking is ideal for every intent. An intent for which nothing
    is relevant has nDCG 0.

    >>> ndcg_ia(["a", "b"], {"a": {"A", "B"}, "b": {"A"}})
    1.0
    """
    each = ndcg.kernel(rows.per_intent(), k, gain=gain, discount=discount)
    return _weighted(rows, "nDCG", each.score, rows.intents())


@metric(
    "P-IA",
    formula=r"\sum_t P(t|q)\, \frac{|\{i \le \k : g_{it} \ge \rel\}|}{\k}",
    source=AGRAWAL_2009,
    inputs=INTENTS,
    rational={},
    monotone=False,
)
def precision_ia(rows: NuggetRows, k: int | None = None, *, rel: float = 1) -> Working:
    """Intent-aware precision is the mean of the precision for each intent, by their probabilities.

    Between 0 and 1; 1 only if every document serves every intent.

    >>> precision_ia(["a", "b"], {"a": {"A", "B"}, "b": {"A"}})
    0.75
    """
    each = precision.kernel(rows.per_intent(), k, rel=rel)
    return _weighted(rows, "P", each.score, rows.intents(rel))


@metric(
    "AP-IA",
    aliases=("MAP-IA",),
    formula=r"\sum_t P(t|q)\, \frac{1}{R_t} \sum_{i \le \k\colon g_{it} \ge \rel} P_t@i",
    source=AGRAWAL_2009,
    inputs=INTENTS,
    rational={},
    monotone=False,
)
def average_precision_ia(rows: NuggetRows, k: int | None = None, *, rel: float = 1) -> Working:
    """Intent-aware AP is the mean of the average precision for each intent, by their probabilities.

    Between 0 and 1; its mean over queries is MAP-IA.

    >>> average_precision_ia(["b", "a"], {"a": {"A", "B"}, "b": {"A"}})
    0.75
    """
    each = average_precision.kernel(rows.per_intent(), k, rel=rel)
    return _weighted(rows, "AP", each.score, rows.intents(rel))


@metric(
    "S-recall",
    aliases=("StRecall", "strec", "I-rec"),
    formula=(
        r"\frac{|\bigcup_{i=1}^{\k} \{t : g_{it} \ge \rel\}|}"
        r"{|\bigcup_{d\ \mathrm{judged}} \{t : g_{dt} \ge \rel\}|}"
        r"\quad(\text{none: }\norelevant{})"
    ),
    source=(
        "Zhai, Cohen & Lafferty (2003), Beyond independent relevance: "
        "methods and evaluation metrics for subtopic retrieval, SIGIR"
    ),
    inputs=NUGGETS,
    rational={},
    monotone=False,
)
def subtopic_recall(
    rows: NuggetRows, k: int | None = None, *, rel: float = 1, no_relevant: NoRelevant = ZERO
) -> Working:
    """Subtopic recall is the share of the query's subtopics that the first k documents cover.

    Between 0 and 1. The query's subtopics are those that some judged document holds.

    >>> subtopic_recall(["a", "b"], {"a": {"A"}, "b": {"A"}, "c": {"B", "C"}}, exact=True)
    Fraction(1, 3)
    """
    top = rows.holding(rel).top(k)
    new = Fading.even(top, 0, like(rows.grade, np.ones(len(rows.nugget_query)))).gain(top)
    known = rows.over_nuggets(rows.count(rows.known(rel)))
    return Working(
        rows.ratio(top.total(new), known, no_relevant.value),
        how="{new nuggets} / {nuggets in all}",
        columns={"new nuggets": new, "cumulated": top.running(new)},
        table=top.table(),
        quantities={"nuggets in all": known},
        rows=rows,
    )


def _global_gain(rows: NuggetRows, gain: Gain, weight: Array) -> Array:
    """What each row is worth to all intents together."""
    return rows.by_row(weight[rows.nugget] * gain(rows.grade))


@metric(
    "D#-nDCG",
    symbol=r"\mathrm{D}\sharp\text{-nDCG}",
    aliases=("D_sharp_nDCG",),
    formula=(
        r"\gamma\,\text{I-rec}_{\k} + (1-\gamma)\,"
        r"\frac{\sum_{i=1}^{\k} \mathrm{GG}_i\,\discount{i}}"
        r"{\sum_{i=1}^{\k} \mathrm{GG}^*_i\,\discount{i}},\quad"
        r"\mathrm{GG}_i = \sum_t P(t|q)\,\gain{g_{it}}"
        r"\quad(\text{covered: } g \ge \rel,\ \text{none: }\norelevant{})"
    ),
    source=(
        "Sakai & Song (2011), Evaluating diversified search results using per-intent graded "
        "relevance, SIGIR"
    ),
    inputs=INTENTS,
    rational={"discount": "reciprocal"},
    monotone=False,
)
def d_sharp_ndcg(
    rows: NuggetRows,
    k: int | None = None,
    *,
    gamma: float = 0.5,
    gain: Gain = LINEAR,
    discount: Discount = LOG2,
    rel: float = 1,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """D#-nDCG is the mean, by gamma, of intent recall and of the nDCG of the global gain.

    Between 0 and 1. The global gain of a document is its gain for each intent, weighted by the
    intents' probabilities; D-nDCG is the nDCG of it, whose ideal needs only a sort. Intent recall
    (I-rec) is subtopic recall, `gamma` its share.

    >>> held = {"a": {"A": 2}, "b": {"A": 1, "B": 1}, "c": {"B": 3}}
    >>> round(d_sharp_ndcg(["c", "b", "a"], held, k=2, intents={"A": 0.75, "B": 0.25}), 4)
    0.824
    """
    checks.between("gamma", gamma, 0, 1)
    weight = rows.intents(rel)
    graded = rows.graded(_global_gain(rows, gain, weight), _global_gain(rows.pool, gain, weight))
    recall = subtopic_recall.measured(rows, k, rel=rel, no_relevant=no_relevant)
    quality = ndcg.measured(graded, k, discount=discount, no_relevant=no_relevant)
    recall.name, quality.name = "I-rec", "D-nDCG"
    share = number(rows.grade, gamma)
    return Working(
        share * recall.score + (1 - share) * quality.score,
        how="{share of I-rec} * {I-rec} + {share of D-nDCG} * {D-nDCG}",
        quantities={"share of I-rec": share, "share of D-nDCG": 1 - share},
        parts={"I-rec": recall, "D-nDCG": quality},
        rows=rows,
    )
