"""XGBoost: its metrics of an evaluation, over scores given as a margin."""

from dev.tools.libraries.asked_arrays import ask_xgboost
from tests.libraries.asked import Drawn

GROUP = "light"
SKIPS = ("duplicates", "empty", "nothing", "missing", "negative", "losses30")
NAMES = ("ndcg", "map", "pre")
METRICS = (
    *NAMES,
    *("ndcg-", "map-"),
    *(f"{name}@{k}" for name in NAMES for k in (1, 5, 20, 40)),
    *(f"{name}@{k}-" for name in ("ndcg", "map") for k in (5, 40)),
)
DRAWN = Drawn(grades=(0, 3))
ask = ask_xgboost
