import pandas as pd
from evidently import DataDefinition, Dataset, Recsys, Report
from evidently.metrics.recsys import MAP, NDCG

items = {"user": ["u", "u", "u"], "item": ["a", "b", "c"], "score": [3.0, 2.0, 1.0]}
frame = pd.DataFrame({**items, "target": [0, 0, 1]})
columns = Recsys(user_id="user", item_id="item", prediction="score", target="target")
data = Dataset.from_pandas(frame, data_definition=DataDefinition(ranking=[columns]))
for metric in (MAP(k=3), NDCG(k=3)):
    rows = Report([metric]).run(data, None).dict()["metrics"][0]["value"]
    ranks, values = rows["rank"].values(), rows["value"].values()
    print(dict(zip(ranks, values, strict=True)))
