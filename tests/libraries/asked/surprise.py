"""Surprise: predictions of ratings; the fraction of concordant pairs is its one metric of order."""

from tests.libraries.asked import Answer, Drawn, scored

GROUP = "light"
METRICS = ("fcp",)
DRAWN = Drawn(queries=1, relevant=True, ties=False)


def ask(metric, run, qrels):
    """Of the retrieved that are judged: a prediction without a true rating is none."""
    from surprise import accuracy

    predictions = [
        (q, d, float(qrels[q][d]), s, {})
        for q, docs in run.items()
        for d, s in scored(docs)
        if d in qrels.get(q, {})
    ]
    return Answer(float(getattr(accuracy, metric)(predictions, verbose=False)))
