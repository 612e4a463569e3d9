"""PySpark: RankingMetrics over pairs of lists, in a local session."""

from dev.tools.libraries.asked_items import ask_pyspark
from tests.libraries.asked import Drawn

GROUP = "spark"
METRICS = (
    "meanAveragePrecision",
    *(
        f"{name}({k})"
        for name in ("meanAveragePrecisionAt", "precisionAt", "recallAt", "ndcgAt")
        for k in (1, 3, 5, 20)
    ),
    *(f"ndcgAt({k}) with relevance" for k in (3, 5, 20)),
)
DRAWN = Drawn(relevant=True)
EXAMPLES = 15  # each is a job of Spark
ask = ask_pyspark
