"""Intents: a query may mean several things with different probabilities, and a ranking serves all.

A measure M-IA is the sum over intents t of P(t|q) M_t, where M_t knows only the judgments for t.
"""

from irmetrics_edu.conventions import ZERO, NoRelevant
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.nugget_decay import Fading
from irmetrics_edu.metrics.set_based import precision
from irmetrics_edu.numbers import Array
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
    )


@metric(
    "P-IA",
    formula=r"\sum_t P(t|q)\, \frac{|\{i \le \k : g_{it} \ge \rel\}|}{\k}",
    source=AGRAWAL_2009,
    inputs=INTENTS,
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
    formula=r"\frac{|\bigcup_{i=1}^{\k} \{t : g_{it} \ge \rel\}|}"
    r"{|\bigcup_{d\ \mathrm{judged}} \{t : g_{dt} \ge \rel\}|}"
    r"\quad(\text{none: }\norelevant{})",
    source="Zhai, Cohen & Lafferty (2003), Beyond independent relevance: "
    "methods and evaluation metrics for subtopic retrieval, SIGIR",
    inputs=NUGGETS,
)
def subtopic_recall(
    rows: NuggetRows,
    k: int | None = None,
    *,
    rel: float = 1,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Subtopic recall is the share of the query's subtopics that the first k documents cover.

    Between 0 and 1. The subtopics of a query are those that at least one judged document holds.

    >>> subtopic_recall(["a", "b"], {"a": {"A"}, "b": {"A"}, "c": {"B", "C"}}, exact=True)
    Fraction(1, 3)
    """
    top = rows.holding(rel).top(k)
    new = Fading.of(top, 1, top.per_nugget("weight", 1), rel).gain(top)
    count_of_nuggets = rows.over_nuggets(rows.count(rows.known(rel)))
    return Working(
        rows.ratio(top.total(new), count_of_nuggets, no_relevant.value),
        how="{new nuggets} / {nuggets in all}",
        columns={"new nuggets": new, "cumulated": top.running(new)},
        table=top.table(),
        quantities={"nuggets in all": count_of_nuggets},
    )
