"""Surprise: predictions of ratings; the fraction of concordant pairs is its one metric of order."""

from tests.libraries.asked import Drawn
from tools.libraries.asked_items import ask_surprise

GROUP = "light"
METRICS = ("fcp",)
DRAWN = Drawn(relevant=True, ties=False)
ask = ask_surprise
