"""Haystack: lists of documents, compared by their ids."""

from tests.libraries.asked import Answer, Drawn, ranked, relevant

GROUP = "light"
METRICS = (
    "DocumentMAPEvaluator",
    "DocumentMRREvaluator",
    "DocumentNDCGEvaluator",
    "DocumentNDCGEvaluator scores",
    "DocumentRecallEvaluator single_hit",
    "DocumentRecallEvaluator multi_hit",
)
DRAWN = Drawn(grades=(0, 3))


def ask(metric, run, qrels):
    """All queries in one call; with `scores` the expected documents carry their grades."""
    from haystack import Document
    from haystack.components import evaluators

    name, _, option = metric.partition(" ")
    queries = [q for q in qrels if q in run]
    graded = option == "scores"
    expected = [
        [Document(id=d, score=float(g)) for d, g in qrels[q].items()]
        if graded
        else [Document(id=d) for d in relevant(qrels[q])]
        for q in queries
    ]
    given = [[Document(id=d) for d in ranked(run[q])] for q in queries]
    options = {"mode": option} if option.endswith("hit") else {}
    evaluator = getattr(evaluators, name)(document_comparison_field="id", **options)
    found = evaluator.run(ground_truth_documents=expected, retrieved_documents=given)
    return Answer(
        float(found["score"]),
        dict(zip(queries, map(float, found["individual_scores"]), strict=True)),
    )
