"""PyTorch-Ignite: a matrix of scores of all items and one of their grades."""

from tests.libraries.asked import Answer, Drawn, scored

GROUP = "torch"
SKIPS = ("duplicates", "missing")
METRICS = (
    *(f"NDCG(top_k=[{k}])" for k in (1, 3, 5)),
    *(f"NDCG(top_k=[{k}], ignore_zero_hits=False)" for k in (1, 3, 5)),
    *(f"NDCG(top_k=[{k}], gain_function='linear_rank')" for k in (1, 3, 5)),
    *(f"HitRate(top_k=[{k}])" for k in (1, 3, 5)),
)
DRAWN = Drawn(grades=(0, 3), found=True)


def ask(metric, run, qrels):
    """All users in one batch, of what was retrieved; shorter lists are filled up with label 0."""
    import torch
    from ignite.metrics import rec_sys

    lists = [(qrels.get(q, {}), scored(docs)) for q, docs in run.items()]
    size = max(5, *(len(pairs) for _, pairs in lists))
    scores = torch.tensor([[s for _, s in p] + [-1e9] * (size - len(p)) for _, p in lists])
    labels = torch.tensor(
        [[float(j.get(d, 0)) for d, _ in p] + [0.0] * (size - len(p)) for j, p in lists]
    )
    name, options = metric.rstrip(")").split("(")
    given = {"top_k": [int(options.split("]")[0].removeprefix("top_k=["))]}
    if "linear_rank" in options:
        given["gain_function"] = "linear_rank"
    if "ignore_zero_hits" in options:
        given["ignore_zero_hits"] = False
    function = getattr(rec_sys, name)(**given)
    function.update((scores, labels))
    return Answer(float(function.compute()[0]))
