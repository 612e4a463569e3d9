"""PySpark: RankingMetrics over pairs of lists, in a local session."""

from functools import cache

from tests.libraries.asked import Answer, Drawn, ranked, relevant

GROUP = "spark"
METRICS = (
    "meanAveragePrecision",
    *(
        f"{name}({k})"
        for name in ("meanAveragePrecisionAt", "precisionAt", "recallAt", "ndcgAt")
        for k in (1, 3, 5)
    ),
    *(f"ndcgAt({k}) with relevance" for k in (3, 5)),
)
DRAWN = Drawn(relevant=True)
EXAMPLES = 15  # each is a job of Spark


@cache
def session():
    """One session for all questions."""
    from pyspark.sql import SparkSession

    return (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .getOrCreate()
    )


@cache
def metrics(rows):
    """The metrics of rows, which Spark takes from a distributed collection."""
    from pyspark.mllib.evaluation import RankingMetrics

    plain = [tuple(map(list, row)) for row in rows]
    return RankingMetrics(session().sparkContext.parallelize(plain, 1))


def ask(metric, run, qrels):
    """The means over queries; with relevance the grades of the expected go along, as offered."""
    queries = [q for q in qrels if q in run]
    rows = [
        (tuple(ranked(run[q])), tuple(relevant(qrels[q])))
        + (
            (tuple(float(qrels[q][d]) for d in relevant(qrels[q])),)
            if "relevance" in metric
            else ()
        )
        for q in queries
    ]
    found = metrics(tuple(rows))
    name, _, k = metric.removesuffix(" with relevance").rstrip(")").partition("(")
    value = getattr(found, name)
    return Answer(float(value(int(k)) if k else value))
