from llama_index.core.evaluation.retrieval.metrics import MRR

mrr = MRR(use_granular_mrr=True)
print(mrr.compute(expected_ids=["a", "b"], retrieved_ids=["a", "c"]).score)
