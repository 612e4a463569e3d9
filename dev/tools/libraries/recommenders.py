"""Libraries of recommendation as functions of a run: lists in order, and what is relevant."""

from collections.abc import Callable, Mapping

from irmetrics_edu.diagnosis.conformance.adapters import Beside, Qrels, Run, Scores


def ranked(documents: Mapping[str, float]) -> list[str]:
    """Documents by falling score, equal scores as given."""
    return sorted(documents, key=documents.__getitem__, reverse=True)


def relevant(judged: Mapping[str, int]) -> list[str]:
    """What is relevant: a grade of at least 1."""
    return [d for d, grade in judged.items() if grade >= 1]


def by_query(
    run: Run, qrels: Qrels, score: Callable[[list[str], list[str]], float]
) -> dict[str, float]:
    """The score of each ranked and judged query, from its list and its relevant documents."""
    return {
        q: float(score(ranked(docs), relevant(qrels[q])))
        for q, docs in run.items()
        if docs and q in qrels
    }


def of_cornac(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
    """Arrays of numbered items."""
    import numpy as np
    from cornac import metrics as c  # type: ignore[import-not-found]

    makers = {"nDCG": c.NDCG, "P": c.Precision, "R": c.Recall, "F": c.FMeasure,
              "Success": c.HitRatio}  # fmt: skip
    if metric == "RR" and k is None:
        asked = c.MRR()
    elif metric in makers:
        asked = makers[metric](k=-1 if k is None else k)
    else:
        return None

    def score(items: list[str], good: list[str]) -> float:
        number = {d: i for i, d in enumerate(dict.fromkeys([*items, *good]))}
        gt_pos = np.array([number[d] for d in good], dtype=int)
        if metric == "RR" and not set(good) & set(items):
            raise ValueError("a user of whose relevant items none is recommended is an error")
        return float(asked.compute(gt_pos=gt_pos, pd_rank=np.array([number[d] for d in items])))

    with np.errstate(all="ignore"):
        return by_query(run, qrels, score)
