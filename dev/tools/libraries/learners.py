"""Libraries of learning to rank as functions of a run: labels and scores of the retrieved alone."""

from collections.abc import Callable, Iterator

from irmetrics_edu.diagnosis.conformance.adapters import Beside, Qrels, Run, Scores


def _lists(run: Run, qrels: Qrels) -> Iterator[tuple[str, list[float], list[float]]]:
    """Of each query that is ranked and judged the scores and the labels, 0 if not judged."""
    for query, documents in run.items():
        if documents and query in qrels:
            labels = [float(qrels[query].get(d, 0)) for d in documents]
            yield query, list(documents.values()), labels


def _each(
    run: Run, qrels: Qrels, score: Callable[[list[float], list[float]], float]
) -> dict[str, float]:
    return {q: float(score(scores, labels)) for q, scores, labels in _lists(run, qrels)}


def of_catboost(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
    """Its function for labels and scores."""
    from catboost.utils import eval_metric  # type: ignore[import-not-found]

    name = {"nDCG": "NDCG", "DCG": "DCG", "RR": "MRR", "AP": "MAP", "P": "PrecisionAt",
            "R": "RecallAt"}.get(metric)  # fmt: skip
    if name is None or (k is None and metric in ("AP", "P", "R", "DCG")):
        return None
    asked = name if k is None else f"{name}:top={k}"

    def score(scores: list[float], labels: list[float]) -> float:
        kept = labels if "DCG" in metric else [float(x >= 1) for x in labels]
        return float(eval_metric(kept, scores, asked, group_id=[0] * len(kept))[0])

    return _each(run, qrels, score)


def of_allrank(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
    """Tensors of one list each."""
    import torch  # type: ignore[import-not-found]
    from allrank.models import metrics  # type: ignore[import-not-found]

    function = {"nDCG": metrics.ndcg, "RR": metrics.mrr}.get(metric)
    if function is None:
        return None

    def score(scores: list[float], labels: list[float]) -> float:
        ats = None if k is None else [k]
        return float(function(torch.tensor([scores]), torch.tensor([labels]), ats=ats))

    return _each(run, qrels, score)
