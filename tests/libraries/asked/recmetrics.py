"""recmetrics: lists of recommended and of relevant items."""

from dev.tools.libraries.asked_items import ask_recmetrics
from tests.libraries.asked import Drawn

GROUP = "light"
METRICS = tuple(f"mark k={k} (actual, predicted)" for k in (1, 3, 5, 20))
DRAWN = Drawn(relevant=True)
ask = ask_recmetrics
