"""recmetrics: lists of recommended and of relevant items."""

from tests.libraries.asked import Answer, Drawn, ranked, relevant

GROUP = "light"
METRICS = tuple(f"mark k={k} (actual, predicted)" for k in (1, 3, 5))
DRAWN = Drawn(relevant=True)


def ask(metric, run, qrels):
    """The library's mean over the lists."""
    import recmetrics

    queries = [q for q in qrels if q in run]
    actual, predicted = [relevant(qrels[q]) for q in queries], [ranked(run[q]) for q in queries]
    return Answer(
        float(recmetrics.mark(actual, predicted, k=int(metric.split()[1].removeprefix("k="))))
    )
