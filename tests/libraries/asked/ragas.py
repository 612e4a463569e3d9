"""Ragas: verdicts on the retrieved texts in place of a model's, and ids for the metrics of ids."""

import asyncio
from types import SimpleNamespace

from tests.libraries.asked import Answer, Drawn, ranked, relevant

GROUP = "light"
METRICS = ("LLMContextPrecisionWithReference", "IDBasedContextPrecision", "IDBasedContextRecall")
DRAWN = Drawn(relevant=True)


def ask(metric, run, qrels):
    """The score of each query."""
    from ragas import SingleTurnSample, metrics

    values = {}
    for q in (q for q in qrels if q in run):
        good = relevant(qrels[q])
        asked = getattr(metrics, metric)()
        if metric.startswith("LLM"):
            verdicts = [SimpleNamespace(verdict=int(d in good)) for d in ranked(run[q])]
            values[q] = float(asked._calculate_average_precision(verdicts))
        else:
            ids = SingleTurnSample(retrieved_context_ids=ranked(run[q]), reference_context_ids=good)
            values[q] = float(asyncio.run(asked._single_turn_ascore(ids, None)))
    return Answer(per_query=values)
