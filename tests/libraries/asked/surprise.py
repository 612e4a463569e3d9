"""Surprise: predictions of ratings; the fraction of concordant pairs is its one metric of order."""

from dev.tools.libraries.asked_items import ask_surprise
from tests.libraries.asked import Drawn

GROUP = "light"
METRICS = ("fcp",)
DRAWN = Drawn(relevant=True, ties=False)
ask = ask_surprise
