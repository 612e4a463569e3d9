"""LlamaIndex: a list of expected ids and one of retrieved ids, query by query."""

from tests.libraries.asked import Answer, Drawn, ranked, relevant

GROUP = "light"
METRICS = ("ndcg", "ap", "mrr", "hit_rate", "precision", "recall")
DRAWN = Drawn(relevant=True)


def ask(metric, run, qrels):
    """The score of each query; an empty list is a ValueError."""
    from llama_index.core.evaluation.retrieval.metrics import METRIC_REGISTRY

    found = METRIC_REGISTRY[metric]()
    return Answer(
        per_query={
            q: float(
                found.compute(
                    expected_ids=relevant(judged), retrieved_ids=ranked(run.get(q, ()))
                ).score
            )
            for q, judged in qrels.items()
        }
    )
