from pyspark import SparkContext
from pyspark.mllib.evaluation import RankingMetrics
from pyspark.sql import SparkSession

sc = SparkContext.getOrCreate()
SparkSession(sc)
# Items 2 and 1 are relevant, with values 5 and 1: the ranking 1, 2 is the worse one.
ranked = sc.parallelize([([1, 2], [2, 1], [5.0, 1.0])])
print(round(RankingMetrics(ranked).ndcgAt(2), 2))
