import pandas as pd
from recommenders.evaluation.python_evaluation import r_precision_at_k

true = pd.DataFrame({"userID": [1, 2], "itemID": ["a", "a"], "rating": [1.0, 1.0]})
found = pd.DataFrame({"userID": [1, 2], "itemID": ["a", "b"], "prediction": [1.0, 1.0]})
print(float(r_precision_at_k(true, found, k=1)))
