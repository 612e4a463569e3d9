"""Microsoft Recommenders: data frames of ratings and of predictions."""

from dev.tools.libraries.asked_items import ask_recommenders
from tests.libraries.asked import Drawn

GROUP = "light"
METRICS = (
    *(
        f"{name} k={k}"
        for name in ("ndcg_at_k", "map", "map_at_k", "precision_at_k", "recall_at_k")
        for k in (1, 3, 5, 20)
    ),
    *(f"ndcg_at_k k={k} score_type='{kind}'" for kind in ("raw", "exp") for k in (3, 5, 20)),
)
DRAWN = Drawn(ties=False)
ask = ask_recommenders
