"""How libraries of recommendation are asked: recommended items in order, and a user's items."""

import atexit
import os
import sys
from functools import cache
from typing import Any

from dev.tools.libraries.asked import (
    Answer,
    Lists,
    Qrels,
    judged_and_run,
    ranked,
    scored,
)
from dev.tools.libraries.recommenders import relevant


def ask_implicit(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """A model that recommends the given rankings, with the library's own means over users.

    The ranking is filled up to K with -1, as the library's own models do when items run out.
    """
    import numpy as np
    from implicit.evaluation import ranking_metrics_at_k  # type: ignore[import-not-found]
    from scipy.sparse import csr_matrix

    name, k = metric.split(" K=")
    queries = list(dict.fromkeys([*qrels, *run]))
    lists = [ranked(run.get(q, ())) for q in queries]
    items = sorted({d for docs in lists for d in docs} | {d for j in qrels.values() for d in j})
    items.append("nobody's")  # its AUC divides by the number of items that are not relevant
    place = {d: i for i, d in enumerate(items)}
    liked = np.zeros((len(queries), len(items)))
    for i, q in enumerate(queries):
        liked[i, [place[d] for d in relevant(qrels.get(q, {}))]] = 1

    class Told:
        """Recommends the rankings given."""

        def recommend(self, users: Any, _: Any, N: int) -> tuple[Any, None]:
            ids = np.full((len(users), N), -1, dtype=np.int32)
            for row, user in enumerate(users):
                top = [place[d] for d in lists[user]][:N]
                ids[row, : len(top)] = top
            return ids, None

    test = csr_matrix(liked)
    found = ranking_metrics_at_k(Told(), test, test, K=int(k), show_progress=False)
    return Answer(float(found[name]))


def ask_lenskit(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """An ordered list of items and one of test items; gain=rating makes all judged test items."""
    from lenskit.data import ItemList  # type: ignore[import-not-found]
    from lenskit.metrics import ranking  # type: ignore[import-not-found]

    named, *graded = metric.split(" ")
    name, _, k = named.partition("@")
    options = {"gain": "rating"} if graded else {}
    function = getattr(ranking, name)(int(k) if k else None, **options)
    values = {}
    for q in judged_and_run(run, qrels):
        test = (
            ItemList(item_ids=list(qrels[q]), rating=[float(g) for g in qrels[q].values()])
            if graded
            else ItemList(item_ids=relevant(qrels[q]))
        )
        recommended = ItemList(item_ids=ranked(run[q]), ordered=True)
        values[q] = float(function.measure_list(recommended, test))
    return Answer(per_query=values)


@cache
def _session() -> Any:
    """One local Spark session for all questions."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else workers run another Python
    atexit.register(_metrics_of_spark.cache_clear)
    return (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .getOrCreate()
    )


@cache
def _metrics_of_spark(rows: tuple[tuple[tuple[Any, ...], ...], ...]) -> Any:
    """The metrics of rows, which Spark takes from a distributed collection."""
    from pyspark.mllib.evaluation import RankingMetrics

    plain = [tuple(map(list, row)) for row in rows]
    return RankingMetrics(_session().sparkContext.parallelize(plain, 1))


def ask_pyspark(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """RankingMetrics over pairs of lists; with relevance the grades of the expected go along."""
    graded = "relevance" in metric
    rows: list[tuple[tuple[Any, ...], ...]] = []
    for q in judged_and_run(run, qrels):
        good = relevant(qrels[q])
        grades = (tuple(float(qrels[q][d]) for d in good),) if graded else ()
        rows.append((tuple(ranked(run[q])), tuple(good), *grades))
    if not rows:
        return Answer(per_query={})
    found = _metrics_of_spark(tuple(rows))
    name, _, k = metric.removesuffix(" with relevance").rstrip(")").partition("(")
    value = getattr(found, name)
    return Answer(float(value(int(k)) if k else value))


def ask_surprise(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Predictions of retrieved items with a true rating; the library needs both."""
    from surprise import accuracy  # type: ignore[import-not-found]

    predictions: list[tuple[str, str, float, float, dict[str, Any]]] = [
        (q, d, float(qrels[q][d]), s, {})
        for q, docs in run.items()
        for d, s in scored(docs)
        if d in qrels.get(q, {})
    ]
    return Answer(float(getattr(accuracy, metric)(predictions, verbose=False)))


def ask_torch_rechub(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """All users in one call, their lists filled up to k with items that no user has."""
    from torch_rechub.basic.metric import topk_metrics  # type: ignore[import-not-found]

    name, k = metric.split("@")
    expected = {q: relevant(judged) for q, judged in qrels.items()}
    given = {q: ranked(run[q]) + ["none"] * int(k) for q in judged_and_run(run, qrels)}
    text = topk_metrics(expected, given, topKs=[int(k)])[name][0]
    return Answer(float(text.split(": ")[1]))


def ask_recmetrics(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Lists of recommended and of relevant items; the library's own mean over the lists."""
    from recmetrics import metrics  # type: ignore[import-not-found]

    name, *k = metric.removesuffix(" (actual, predicted)").split(" k=")
    if not (queries := judged_and_run(run, qrels)):
        return Answer(per_query={})
    actual, predicted = [relevant(qrels[q]) for q in queries], [ranked(run[q]) for q in queries]
    if k:
        return Answer(float(getattr(metrics, name)(actual, predicted, k=int(k[0]))))
    return Answer(float(getattr(metrics, name)(predicted, actual)))


def ask_recommenders(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Frames of ratings and of predictions; the library's mean over the users that both have."""
    import pandas as pd
    from recommenders.evaluation import python_evaluation  # type: ignore[import-not-found]

    name, k, *kind = metric.replace("k=", "").split(" ")
    true = [(q, d, float(g)) for q, judged in qrels.items() for d, g in judged.items()]
    predicted = [(q, d, s) for q, docs in run.items() for d, s in scored(docs)]
    frames = [
        pd.DataFrame(rows, columns=["userID", "itemID", last]).astype(
            {"userID": str, "itemID": str, last: float}
        )
        for rows, last in ((true, "rating"), (predicted, "prediction"))
    ]
    options = {"score_type": kind[0].split("'")[1]} if kind else {}
    function = getattr(python_evaluation, name)
    return Answer(float(function(*frames, relevancy_method="top_k", k=int(k), **options)))


def ask_rectools(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Frames of recommended items with ranks and of relevant items; the library's own mean.

    What follows the cut-off is an option, set to True.
    """
    import pandas as pd
    from rectools import metrics  # type: ignore[import-not-found]

    name, _, option = metric.partition(" ")
    name, _, k = name.partition("@")
    lists = [(q, d, i) for q, docs in run.items() for i, d in enumerate(ranked(docs), 1)]
    good = [(q, d) for q, judged in qrels.items() for d in relevant(judged)]
    if not good:  # it leaves out users without relevant items
        return Answer(per_query={})
    columns = ["user_id", "item_id", "rank"]
    function = getattr(metrics, name)(k=int(k), **({option: True} if option else {}))
    recommended = pd.DataFrame(lists, columns=columns).astype({"rank": int})
    return Answer(float(function.calc(recommended, pd.DataFrame(good, columns=columns[:2]))))


def ask_replay(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Mappings of users to their scored items and to their relevant items."""
    from replay import metrics  # type: ignore[import-not-found]

    name, _, k = metric.partition("@")
    lists = {q: scored(ranked(docs)) for q, docs in run.items()}
    good = {q: relevant(judged) for q, judged in qrels.items()}
    found = getattr(metrics, name)(int(k), mode=metrics.PerUser())(lists, good)
    return Answer(per_query={str(q): float(v) for q, v in next(iter(found.values())).items()})
