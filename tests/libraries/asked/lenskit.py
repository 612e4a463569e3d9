"""LensKit: an ordered list of recommended items and a list of test items."""

from tests.libraries.asked import Answer, Drawn, ranked, relevant

GROUP = "torch"
NAMES = ("NDCG", "DCG", "AveragePrecision", "Precision", "Recall", "RecipRank", "Hit", "RBP")
METRICS = (
    *NAMES,
    *(f"{name}@{k}" for name in NAMES for k in (1, 3, 5)),
    "NDCG gain=rating",
    *(f"NDCG@{k} gain=rating" for k in (1, 3, 5)),
)
DRAWN = Drawn(grades=(0, 3), relevant=True)


def ask(metric, run, qrels):
    """The value of each list; gain=rating makes all judged items test items."""
    from lenskit.data import ItemList
    from lenskit.metrics import ranking as metrics

    named, *graded = metric.split(" ")
    name, _, k = named.partition("@")
    options = {"gain": "rating"} if graded else {}
    function = getattr(metrics, name)(int(k) if k else None, **options)
    values = {}
    for q in (q for q in qrels if q in run):
        test = (
            ItemList(item_ids=relevant(qrels[q]))
            if not graded
            else ItemList(item_ids=list(qrels[q]), rating=[float(g) for g in qrels[q].values()])
        )
        recommended = ItemList(item_ids=ranked(run[q]), ordered=True)
        values[q] = float(function.measure_list(recommended, test))
    return Answer(per_query=values)
