"""KerasRS: batches of lists of scores and of labels, on a backend of Keras."""

from dev.tools.libraries.asked_arrays import ask_keras_rs
from tests.libraries.asked import Drawn

GROUP = "jax"
TIED = ("ties", "close", "tied16", "tied40", "levels60", "levels200")
SKIPS = ("duplicates", "missing", *TIED)
NAMES = ("NDCG", "DCG", "MeanReciprocalRank", "MeanAveragePrecision", "PrecisionAtK", "RecallAtK")
METRICS = (*NAMES, *(f"{name}(k={k})" for name in NAMES for k in (1, 3, 5, 20)))
DRAWN = Drawn(grades=(0, 3), ties=False)
ask = ask_keras_rs
