"""Azure AI Evaluation: labels of documents, and retrieved documents with scores."""

from tests.libraries.asked import Answer, Drawn, scored

GROUP = "light"
METRICS = ("ndcg@3",)
DRAWN = Drawn(grades=(0, 4), ties=False, relevant=True)


def ask(metric, run, qrels):
    """The score of each query that is judged and was run."""
    from azure.ai.evaluation import DocumentRetrievalEvaluator

    values = {}
    for q in (q for q in qrels if q in run):
        found = DocumentRetrievalEvaluator()(
            retrieval_ground_truth=[
                {"document_id": d, "query_relevance_label": g} for d, g in qrels[q].items()
            ],
            retrieved_documents=[
                {"document_id": d, "relevance_score": s} for d, s in scored(run[q])
            ],
        )
        values[q] = float(found["document_retrieval_properties"][metric])
    return Answer(per_query=values)
