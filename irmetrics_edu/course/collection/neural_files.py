"""Runs of two neural models over the collection *stdlib*, made once and shipped as data.

No model runs here, as their weights are larger than this package. `neural.toml` beside the data
says which models they were, from which packages, and when they ran.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.course.collection.collection_files import DATA, Scores, fields

MODELS = "neural.toml"
VECTORS = "minilm.vectors.npy"
LEVELS = 127  # a coordinate is a whole number of one byte


@dataclass(frozen=True, repr=False)
class Neural:
    """What neural models computed over the collection.

    models     what is known of each model, by its name: package, version, licence, digest, date
    runs       the first 50 documents of each topic by each model
    documents  the bi-encoder's vector of each document, in the order of the collection
    queries    its vector of each topic's title
    """

    models: Mapping[str, Mapping[str, Any]]
    runs: Mapping[str, Scores]
    documents: Any
    queries: Any


def load_neural() -> Neural:
    """Runs and vectors of two neural models over the collection *stdlib*.

    "minilm" is a bi-encoder, all-MiniLM-L6-v2, and "splade" a small learned sparse model. Both read
    titles and texts as they stand. The vectors are rounded to a byte for each coordinate and then
    made as long as 1 again; the runs are not rounded so.

    >>> neural = load_neural()
    >>> list(neural.runs["minilm"]["q018"])[:3]
    ['heapq.nlargest', 'max', 'statistics.median_high']
    >>> neural.documents.shape, neural.queries.shape
    ((1458, 384), (100, 384))
    """
    import numpy as np

    text = (DATA / MODELS).read_text(encoding="utf-8")
    models = tomllib.loads(text)
    runs: dict[str, Scores] = {}
    for name in models:
        runs[name] = {}
        for topic, _, document, _, score, _ in fields(f"{name}.run"):
            runs[name].setdefault(topic, {})[document] = float(score)
    whole = np.load(DATA / VECTORS, allow_pickle=False).astype(float, order="C")
    vectors = whole / np.linalg.norm(whole, axis=1, keepdims=True)
    topics = len(runs["minilm"])
    return Neural(models, runs, vectors[:-topics], vectors[-topics:])
