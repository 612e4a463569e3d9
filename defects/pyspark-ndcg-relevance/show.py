from pyspark import SparkContext
from pyspark.mllib.evaluation import RankingMetrics
from pyspark.sql import SparkSession

sc = SparkContext.getOrCreate()
SparkSession(sc)
# Items 1 and 2 are relevant, with values 1 and 5.
ranked = sc.parallelize([([1, 2], [1, 2], [1.0, 5.0])])
print(round(RankingMetrics(ranked).ndcgAt(2), 2))
