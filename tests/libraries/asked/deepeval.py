"""DeepEval: verdicts on the retrieved texts, given here in place of a model's."""

from types import SimpleNamespace

from tests.libraries.asked import Answer, Drawn, ranked, relevant

GROUP = "light"
METRICS = ("ContextualPrecisionMetric",)
DRAWN = Drawn()


def ask(metric, run, qrels):
    """The score of each query, of its verdicts in the order of the ranking."""
    from deepeval import metrics
    from deepeval.metrics.contextual_precision import contextual_precision

    values = {}
    for q in (q for q in qrels if q in run):
        good = set(relevant(qrels[q]))
        asked = object.__new__(getattr(metrics, metric))
        asked.strict_mode = False
        yes = contextual_precision.Verdict.YES
        asked.verdicts = [
            SimpleNamespace(verdict=yes if d in good else "no") for d in ranked(run[q])
        ]
        values[q] = float(asked._calculate_score())
    return Answer(per_query=values)
