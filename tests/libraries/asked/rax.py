"""Rax: arrays of scores and of labels, a list at a time."""

from tests.libraries.asked import Answer, Drawn, scored

GROUP = "jax"
SKIPS = ("duplicates", "missing")
NAMES = ("ndcg", "dcg", "mrr", "ap", "precision", "recall")
METRICS = (
    *(f"{n}_metric" for n in NAMES),
    *(f"{n}_metric topn={k}" for n in NAMES for k in (1, 3, 5)),
    "opa_metric",
)
DRAWN = Drawn(grades=(0, 3))


def ask(metric, run, qrels):
    """Of the retrieved alone."""
    import jax.numpy as jnp
    import rax

    name, _, topn = metric.partition(" topn=")
    options = {"topn": int(topn)} if topn else {}
    values = {}
    for q, docs in run.items():
        pairs = scored(docs)
        labels = jnp.array([float(qrels.get(q, {}).get(d, 0)) for d, _ in pairs])
        values[q] = float(getattr(rax, name)(jnp.array([s for _, s in pairs]), labels, **options))
    return Answer(per_query=values)
