"""The made collection of chapters 6 and 7: queries that are easy or hard, and systems over them."""

import numpy as np

from irmetrics_edu.course.collection.collection_files import Grades, Scores

RELEVANT, DOCUMENTS = 5, 60


def made_run(
    n_queries: int,
    quality: float,
    own: int,
    *,
    draw: tuple[int, ...] = (),
) -> Scores:
    """A run over so many made queries; `own` numbers the system's own noise.

    Each query has 60 documents, and the first five are relevant. A score has a part that all
    systems share, a part of the system's own, and a bonus for relevant documents: how easy the
    query is, plus `quality`. `draw` numbers another draw of all of it.

    >>> run = made_run(2, 0, 1)
    >>> list(run), len(run["q1"])
    (['q1', 'q2'], 60)
    """
    run = {}
    for q in range(n_queries):
        shared = np.random.default_rng((1, q, *draw))
        easy = shared.normal(1.2, 0.8)
        common = shared.normal(size=DOCUMENTS)
        noise = np.random.default_rng((2, own, q, *draw)).normal(size=DOCUMENTS)
        scores = 0.8 * common + 0.6 * noise
        scores[:RELEVANT] += easy + quality
        run[f"q{q + 1}"] = {f"d{i}": score for i, score in enumerate(scores.tolist())}
    return run


def made_qrels(n_queries: int) -> Grades:
    """The truth, in full: the first five documents of each query.

    >>> sum(made_qrels(1)["q1"].values())
    5
    """
    grades = {f"d{i}": int(i < RELEVANT) for i in range(DOCUMENTS)}
    return {f"q{q + 1}": grades for q in range(n_queries)}
