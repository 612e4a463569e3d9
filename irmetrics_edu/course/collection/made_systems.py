"""The made collection of chapters 6 and 7: queries that are easy or hard, and systems over them."""

import numpy as np

from irmetrics_edu.course.collection.collection_files import Grades, Scores

RELEVANT = 5
DOCUMENTS = 60


def made_run(
    n_queries: int,
    quality: float,
    system: int,
    *,
    draw: tuple[int, ...] = (),
) -> Scores:
    """A run over so many made queries, by the system of this number.

    Each query has 60 documents, and the first five are relevant. A score has a part that all
    systems share, a part of the system's own, and a bonus for relevant documents: how easy the
    query is, plus `quality`. `draw` numbers another draw of all of it.

    >>> run = made_run(2, 0, 1)
    >>> list(run), len(run["q1"])
    (['q1', 'q2'], 60)
    """
    run: Scores = {}
    for place in range(n_queries):
        shared = np.random.default_rng((1, place, *draw))
        easy = shared.normal(1.2, 0.8)
        common = shared.normal(size=DOCUMENTS)
        alone = np.random.default_rng((2, system, place, *draw))
        noise = alone.normal(size=DOCUMENTS)
        scores = 0.8 * common
        scores += 0.6 * noise
        scores[:RELEVANT] += easy + quality
        run[_query(place)] = {
            _document(number): score
            for number, score in enumerate(scores.tolist())
        }  # fmt: skip
    return run


def made_qrels(n_queries: int) -> Grades:
    """The truth, in full: the first five documents of each query are relevant.

    >>> sum(made_qrels(1)["q1"].values())
    5
    """
    grades = {}
    for number in range(DOCUMENTS):
        grades[_document(number)] = int(number < RELEVANT)
    return {_query(place): grades for place in range(n_queries)}


def _query(place: int) -> str:
    return f"q{place + 1}"


def _document(number: int) -> str:
    return f"d{number}"
