from beir.retrieval.evaluation import EvaluateRetrieval

qrels = {"1": {"1": 1}}
results = {"1": {"1": 2.0, "2": 1.0}}
ndcg, *_ = EvaluateRetrieval.evaluate(qrels, results, [10])
print(ndcg["NDCG@10"], len(results["1"]))
