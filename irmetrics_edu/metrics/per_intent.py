r"""Intents: a query may mean several things with different probabilities, and a ranking serves all.

M-IA     = sum over intents t of P(t|q) M_t, where M_t knows only the judgments for t
S-recall = how many of the intents the first k documents cover
"""

from irmetrics_edu import checks
from irmetrics_edu.conventions import (
    LINEAR,
    LOG2,
    ZERO,
    Discount,
    Gain,
    NoRelevant,
)
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.nugget_decay import Fading
from irmetrics_edu.metrics.set_based import precision
from irmetrics_edu.numbers import Array, in_kind
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import INTENTS, NUGGETS
from irmetrics_edu.working import Working

AGRAWAL_2009 = "Agrawal, Gollapudi, Halverson & Ieong (2009), Diversifying search results, WSDM"


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
    """Intent-aware nDCG is the mean of the nDCG for each intent, weighted by its probability.

    Between 0 and 1. It is 1 only if one ranking is ideal for every intent. The nDCG of an intent
    without relevant documents is 0. A number between 0 and 1 is a grade here, and no probability.

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
    """Intent-aware precision is the mean precision for each intent, weighted by its probability.

    Between 0 and 1. It is 1 only if every document serves every intent.

    >>> precision_ia(["a", "b"], {"a": {"A", "B"}, "b": {"A"}})
    0.75
    """
    each = precision.kernel(rows.holding(rel).per_intent(), k, rel=rel)
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
    """Intent-aware AP is the mean of the AP for each intent, weighted by its probability.

    Between 0 and 1. Its mean over queries is MAP-IA.

    >>> average_precision_ia(["b", "a"], {"a": {"A", "B"}, "b": {"A"}})
    0.75
    """
    each = average_precision.kernel(rows.holding(rel).per_intent(), k, rel=rel)
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

    Between 0 and 1. The subtopics of a query are those that at least one judged document holds.

    >>> subtopic_recall(["a", "b"], {"a": {"A"}, "b": {"A"}, "c": {"B", "C"}}, exact=True)
    Fraction(1, 3)
    """
    top = rows.holding(rel).top(k)
    new = Fading.of(top, 1, top.per_nugget("weight", 1), rel).gain(top)
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
    """D#-nDCG is the mean, weighted by gamma, of intent recall and of the nDCG of the global gain.

    Between 0 and 1. The global gain of a document is its gain for each intent, weighted by the
    intents' probabilities. D-nDCG is the nDCG with this gain. Its ideal ranking needs only a sort.
    Intent recall (I-rec) is subtopic recall, and `gamma` is its weight.

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
    share = in_kind(rows.grade, gamma)
    return Working(
        share * recall.score + (1 - share) * quality.score,
        how="{share of I-rec} * {I-rec} + {share of D-nDCG} * {D-nDCG}",
        quantities={"share of I-rec": share, "share of D-nDCG": 1 - share},
        parts={"I-rec": recall, "D-nDCG": quality},
        rows=rows,
    )
