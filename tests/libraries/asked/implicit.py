"""implicit: a model that recommends what it is told to, and a matrix of relevant items."""

from dev.tools.libraries.asked_items import ask_implicit
from tests.libraries.asked import Drawn

GROUP = "light"
METRICS = tuple(f"{name} K={k}" for name in ("precision", "map", "ndcg") for k in (1, 3, 5, 20))
DRAWN = Drawn(relevant=True)
ask = ask_implicit
