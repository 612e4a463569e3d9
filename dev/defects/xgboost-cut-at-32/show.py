import numpy as np
import xgboost

labels = np.zeros(40)
labels[39] = 1
scores = np.arange(40, 0, -1.0)
data = xgboost.DMatrix(np.zeros((40, 1)), label=labels, group=[40])
data.set_base_margin(scores)
parameters = {"objective": "rank:pairwise", "eval_metric": "ndcg", "eta": 0.0}
print(round(float(xgboost.train(parameters, data, 1).eval(data).split(":")[1]), 4))
