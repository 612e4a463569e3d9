"""implicit: a model that recommends what it is told to, and a matrix of relevant items."""

from tests.libraries.asked import Answer, Drawn, ranked, relevant

GROUP = "light"
METRICS = tuple(f"{name} K={k}" for name in ("precision", "map", "ndcg") for k in (1, 3, 5))
DRAWN = Drawn(relevant=True)


def ask(metric, run, qrels):
    """The library's own means over users; users without relevant items are left out by it.

    The ranking is filled up to K with -1, as the library's own models do where items run out.
    """
    import numpy as np
    from implicit.evaluation import ranking_metrics_at_k
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

        def recommend(self, users, _, N):
            ids = np.full((len(users), N), -1, dtype=np.int32)
            for row, user in enumerate(users):
                top = [place[d] for d in lists[user]][:N]
                ids[row, : len(top)] = top
            return ids, None

    test = csr_matrix(liked)
    found = ranking_metrics_at_k(Told(), test, test, K=int(k), show_progress=False)
    return Answer(float(found[name]))
