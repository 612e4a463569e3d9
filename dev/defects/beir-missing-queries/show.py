from beir.retrieval.evaluation import EvaluateRetrieval

qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
results = {"q1": {"d1": 1.0}}
ndcg, *_ = EvaluateRetrieval.evaluate(qrels, results, [10])
print(ndcg["NDCG@10"])
