"""TF-Ranking: batches of lists of scores and of labels, in which -1 is padding."""

from dev.tools.libraries.asked_arrays import ask_tf_ranking
from tests.libraries.asked import Drawn

GROUP = "tensorflow"
TIED = ("ties", "close", "tied16", "tied40", "levels60", "levels200")
SKIPS = ("duplicates", "missing", *TIED)
METRICS = (
    *("ndcg", "dcg", "mrr", "map", "opa"),
    *(
        f"{name}@{k}"
        for name in ("ndcg", "dcg", "mrr", "map", "precision", "recall", "hits")
        for k in (1, 3, 5, 20)
    ),
)
DRAWN = Drawn(grades=(-1, 3), ties=False, relevant=True)
ask = ask_tf_ranking
