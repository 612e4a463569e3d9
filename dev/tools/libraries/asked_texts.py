"""How libraries of retrieval and of generation from retrieved texts are asked."""

import asyncio
from types import SimpleNamespace

from dev.tools.libraries.asked import (
    Answer,
    Lists,
    Qrels,
    judged_and_run,
    ranked,
    scored,
)
from dev.tools.libraries.recommenders import relevant


def ask_azure_ai_evaluation(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Labels of documents, and retrieved documents with scores, a query at a time."""
    from azure.ai.evaluation import (  # type: ignore[import-not-found]
        DocumentRetrievalEvaluator,
    )

    values = {}
    for q in judged_and_run(run, qrels):
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


def ask_beir(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """The mean that it prints, to five digits."""
    from beir.retrieval.evaluation import EvaluateRetrieval  # type: ignore[import-not-found]

    given = {q: dict(scored(docs)) for q, docs in run.items() if q in qrels}
    judged = {q: dict(j) for q, j in qrels.items()}
    name, _, k = metric.partition("@")
    if not given:
        return Answer(per_query={})
    if name in ("NDCG", "MAP", "Recall", "P"):
        four = EvaluateRetrieval.evaluate(judged, given, [int(k)])
        found = {name: value for values in four for name, value in values.items()}
    else:
        found = EvaluateRetrieval.evaluate_custom(judged, given, [int(k)], name)
    return Answer(float(found[metric]))


def ask_deepeval(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Verdicts in the order of the ranking, in place of a language model's verdicts."""
    from deepeval import metrics  # type: ignore[import-not-found]
    from deepeval.metrics.contextual_precision import (  # type: ignore[import-not-found]
        contextual_precision,
    )

    values = {}
    for q in judged_and_run(run, qrels):
        good = set(relevant(qrels[q]))
        asked = object.__new__(getattr(metrics, metric))
        asked.strict_mode = False
        yes = contextual_precision.Verdict.YES
        asked.verdicts = [
            SimpleNamespace(verdict=yes if d in good else "no") for d in ranked(run[q])
        ]
        values[q] = float(asked._calculate_score())
    return Answer(per_query=values)


def ask_haystack(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Lists of documents, compared by id; with `scores` the expected documents carry grades."""
    from haystack import Document  # type: ignore[import-not-found]
    from haystack.components import evaluators  # type: ignore[import-not-found]

    name, _, option = metric.partition(" ")
    queries = judged_and_run(run, qrels)
    if not queries:  # which it refuses
        return Answer(per_query={})
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


def ask_llama_index(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """A list of expected ids and one of retrieved ids; an empty list is a ValueError."""
    from llama_index.core.evaluation.retrieval.metrics import (  # type: ignore[import-not-found]
        METRIC_REGISTRY,
    )

    found = METRIC_REGISTRY[metric]()
    values = {}
    for q, judged in qrels.items():
        lists = {"expected_ids": relevant(judged), "retrieved_ids": ranked(run.get(q, ()))}
        values[q] = float(found.compute(**lists).score)
    return Answer(per_query=values)


def ask_mlflow(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Lists of ids and of relevant ids, all in one call, as an evaluation of a table does."""
    import pandas as pd
    from mlflow.metrics import metric_definitions  # type: ignore[import-not-found]

    name, k = metric.rstrip(")").split("(k=")
    queries = judged_and_run(run, qrels)
    found = getattr(metric_definitions, f"_{name}_eval_fn")(int(k))(
        pd.Series([ranked(run[q]) for q in queries]),
        pd.Series([relevant(qrels[q]) for q in queries]),
    )
    return Answer(
        float(found.aggregate_results["mean"]),
        dict(zip(queries, map(float, found.scores), strict=True)),
    )


_IN_MTEB = {
    "NDCG": "ndcg",
    "MAP": "map",
    "Recall": "recall",
    "P": "precision",
    "HitRate": "hit_rate",
}


def ask_mteb(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """The mean that its evaluator prints, to five digits; of its own functions value by query."""
    from mteb._evaluators import retrieval_metrics  # type: ignore[import-not-found]

    given = {q: dict(scored(docs)) for q, docs in run.items() if q in qrels}
    judged = {q: dict(j) for q, j in qrels.items()}
    name, _, k = metric.replace("_at_", "@").partition("@")
    if not given or not k:  # without a cut-off it has none, though trec_eval has
        return Answer(per_query={})
    if name in _IN_MTEB:
        found = retrieval_metrics.calculate_retrieval_scores(given, judged, [int(k)])
        return Answer(float(getattr(found, _IN_MTEB[name])[metric]))
    functions = {"MRR": retrieval_metrics.mrr, "R_cap": retrieval_metrics.recall_cap}
    own = functions[name](judged, given, [int(k)])
    values = (float("nan") if v is None else float(v) for v in own[metric])
    return Answer(per_query=dict(zip(given, values, strict=True)))


def ask_ragas(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Verdicts in place of a language model's, and ids for the metrics of ids."""
    from ragas import SingleTurnSample, metrics  # type: ignore[import-not-found]

    values = {}
    for q in judged_and_run(run, qrels):
        good = relevant(qrels[q])
        asked = getattr(metrics, metric)()
        if metric.startswith("LLM"):
            verdicts = [SimpleNamespace(verdict=int(d in good)) for d in ranked(run[q])]
            values[q] = float(asked._calculate_average_precision(verdicts))  # noqa: SLF001 -- as below
        else:
            ids = SingleTurnSample(retrieved_context_ids=ranked(run[q]), reference_context_ids=good)
            scoring = asked._single_turn_ascore(ids, None)  # noqa: SLF001 -- it has no other door
            values[q] = float(asyncio.run(scoring))
    return Answer(per_query=values)


def ask_sentence_transformers(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """The evaluator's own metrics, over given hits instead of a model's.

    It leaves out queries without relevant documents.
    """
    from sentence_transformers.evaluation import (  # type: ignore[import-not-found]
        InformationRetrievalEvaluator,
    )

    name, k = metric.split("@")
    cuts = [int(k)]
    evaluator = InformationRetrievalEvaluator(
        {q: q for q in qrels},
        {d: d for docs in run.values() for d, _ in scored(docs)},
        {q: set(relevant(judged)) for q, judged in qrels.items()},
        mrr_at_k=cuts,
        ndcg_at_k=cuts,
        accuracy_at_k=cuts,
        precision_recall_at_k=cuts,
        map_at_k=cuts,
    )
    hits = [
        [{"corpus_id": d, "score": s} for d, s in scored(run.get(q, ()))]
        for q in evaluator.queries_ids
    ]
    if not hits:
        return Answer(per_query={})
    return Answer(float(evaluator.compute_metrics(hits)[f"{name}@k"][int(k)]))


def ask_trulens(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Expected chunks with their scores, and a list of retrieved chunks in order."""
    from trulens.feedback.groundtruth import (  # type: ignore[import-not-found]
        GroundTruthAgreement,
    )

    name, _, k = metric.partition(" k=")
    options = {"k": None if k == "None" else int(k)} if k else {}
    values = {}
    for q in judged_and_run(run, qrels):
        chunks = [{"text": d, "expect_score": g} for d, g in qrels[q].items()]
        asked = GroundTruthAgreement.model_construct(  # its own __init__ wants a language model
            ground_truth=[{"query": q, "expected_chunks": chunks}], ground_truth_imp=None
        )
        values[q] = float(getattr(asked, name)(q, ranked(run[q]), **options))
    return Answer(per_query=values)
