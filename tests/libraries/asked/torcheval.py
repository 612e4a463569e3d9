"""TorchEval: tensors of scores and of labels 0 and 1, a query at a time."""

from tests.libraries.asked import Answer, Drawn, scored

GROUP = "torch"
SKIPS = ("duplicates", "missing")
METRICS = (
    "retrieval_precision",
    *(f"retrieval_precision k={k}" for k in (1, 3, 5)),
    *(f"retrieval_precision k={k} limit_k_to_size=True" for k in (1, 3, 5)),
)
DRAWN = Drawn(ties=False)


def ask(metric, run, qrels):
    """Of the retrieved alone, grades from 1 on as 1."""
    import torch
    from torcheval.metrics import functional

    name, *options = metric.split(" ")
    given = {"k": None}
    for option in options:
        key, value = option.split("=")
        given[key] = value == "True" or int(value)
    values = {}
    for q, docs in run.items():
        pairs = scored(docs)
        labels = torch.tensor([float(qrels.get(q, {}).get(d, 0) >= 1) for d, _ in pairs])
        scores = torch.tensor([s for _, s in pairs])
        values[q] = float(getattr(functional, name)(scores, labels, **given))
    return Answer(per_query=values)
