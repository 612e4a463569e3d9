"""Document 004, both lectures: MMR, ordinal regression, Rank A against Rank B, AdaRank."""

import math

import irmetrics_edu as ir
from irmetrics_edu import lab
from irmetrics_edu.course.documents.example import Compared, Sides, compared


def mmr_candidates() -> Sides:
    """Three choices by relevance, from R | S read as a union and from R without S."""
    relevance = {"d1": 0.9, "d2": 0.7, "d3": 0.4}
    retrieved = set(relevance)

    def chosen(*, union: bool) -> list[str]:
        order: list[str] = []
        for _ in relevance:
            selected = set(order)
            candidates = retrieved | selected if union else retrieved - selected
            order.append(max(candidates, key=lambda d: relevance[d]))
        return order

    return Sides(
        chosen(union=True),
        chosen(union=False),
        ["1st", "2nd", "3rd"],
    )


@compared
def ordinal_label() -> Compared:
    """The label of documents at w x = -1/2, 1/2, 3/2, 5/2: by the argmin, and the least label."""
    thresholds = [0.0, 1.0, 2.0, math.inf]
    for score in (-0.5, 0.5, 1.5, 2.5):
        below = {k: score - b for k, b in enumerate(thresholds, 1) if score - b < 0}
        yield min(below, key=below.__getitem__), min(below), f"w x = {score}"


_RANK_A = [2, 3, 2, 1, 1, 1, 1]
_RANK_B = [3, 2, 1, 2, 1, 1, 1]


def rank_a_against_rank_b() -> Sides:
    """Which of the two rankings is better: by pairs, and by the grade of the first document."""
    measures = {"pairs": ir.pair_accuracy, "the first document": ir.cg @ 1}
    verdicts = [
        "equal" if a == b else "A" if a > b else "B"
        for a, b in ((m(_RANK_A), m(_RANK_B)) for m in measures.values())
    ]
    return Sides(["equal", "B"], verdicts, list(measures))


_QUERIES = ([3, 2, 0, 1], [0, 1, 0, 2], [1, 0, 2, 0])
_WEIGHTS = (0.5, 0.3, 0.2)


@compared
def weight_of_weak_ranker() -> Compared:
    """AdaRank's alpha_t against where the bound on the exponential loss is least."""
    for weights in (_WEIGHTS, (1 / 3, 1 / 3, 1 / 3)):
        performance = [ir.ndcg(grades) for grades in _QUERIES]
        pairs = list(zip(weights, performance, strict=True))
        good = sum(w * (1 + e) for w, e in pairs)
        bad = sum(w * (1 - e) for w, e in pairs)
        of = f"weights of the queries {', '.join(f'{w:.2f}' for w in weights)}"
        yield math.log(good / bad) / 2, _least_of_bound(good, bad), of


def _least_of_bound(good: float, bad: float) -> float:
    """Where good/2 e^-a + bad/2 e^a is least: its slope rises, so bisect for the zero."""
    low, high = -50.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        if bad * math.exp(middle) > good * math.exp(-middle):
            high = middle
        else:
            low = middle
    return (low + high) / 2


def weights_of_queries() -> Sides:
    """AdaRank's new weights: their sum, and the order of the queries from heaviest to lightest."""
    performance = [ir.ndcg(grades) for grades in _QUERIES]
    total = sum(math.exp(-e) for e in performance)
    weights = [math.exp(-e) / total for e in performance]
    queries = range(len(_QUERIES))
    heaviest = sorted(queries, key=lambda q: -weights[q])
    worst = sorted(queries, key=lambda q: performance[q])
    return Sides(
        [sum(weights), *heaviest],
        [1.0, *worst],
        ["sum of weights", "1st", "2nd", "3rd"],
    )


@compared
def mmr_values() -> Compared:
    """Lambda times relevance less (1 - lambda) times the highest similarity, against MMR's."""
    relevance = {"d1": 0.9, "d2": 0.7, "d3": 0.4}
    alike = {("d1", "d2"): 0.8, ("d1", "d3"): 0.1, ("d2", "d3"): 0.3}
    for lam in (0.3, 0.7):
        order = lab.mmr(relevance, alike, lambda_=lam, similarity="given")
        for step in (2, 3):
            chosen = order[: step - 1]
            working = order.working[f"step {step}"]
            for d, value in zip(working["document"], working["MMR"], strict=True):
                nearest = max(alike[min(d, s), max(d, s)] for s in chosen)
                printed = lam * relevance[d] - (1 - lam) * nearest
                yield printed, value, f"{d} after {', '.join(map(str, chosen))}, lambda = {lam}"


@compared
def facets_covered() -> Compared:
    """FM-LDA's double product over facets and selected documents, against its likelihood."""
    p = {"d1": {"f1": 0.9, "f2": 0.2}, "d2": {"f1": 0.5, "f2": 0.6}, "d3": {"f2": 0.7}}
    for y in ((1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1)):
        chosen = [d for d, selected in zip(p, y, strict=True) if selected]
        printed = math.prod(
            1 - math.prod((1 - p[d].get(f, 0)) ** s for d, s in zip(p, y, strict=True))
            for f in ("f1", "f2")
        )
        yield printed, lab.facet_likelihood(chosen, p).value, f"y = {y}"


@compared
def squared_differences() -> Compared:
    """(y - f(x))^2 of each document, against what it adds to the squared loss."""
    grades = [3, 1, 0]
    scores = [1.5, 2.0, -0.5]
    added = lab.squared_loss(lab.from_rankings({"q": grades}), scores)["squared loss"]
    for y, f, loss in zip(grades, scores, added, strict=True):
        yield (y - f) ** 2, loss, f"grade {y}"


_TEXTS = {"a": "red wine red", "b": "red car", "c": "blue sea and sea wind"}


@compared
def term_features(which: str) -> Compared:
    """One of the features of the table, as printed, against the package's, over three texts."""
    words = {d: text.split() for d, text in _TEXTS.items()}
    every = [w for text in words.values() for w in text]
    collection = lab.term_statistics(_TEXTS)
    for query in ("red wine", "blue sea sea"):
        for d, has in words.items():
            both = sorted(set(query.split()) & set(has))
            idf = {q: len(words) / sum(q in text for text in words.values()) for q in both}
            n = len(has)
            repeated = [q for q in query.split() if q in has]  # the others add ln(1 + 0)
            terms = {
                "tf": [math.log(has.count(q)) for q in both],
                "idf": [math.log(idf[q]) for q in both],
                "tf idf": [math.log(1 + has.count(q) / n * idf[q]) for q in repeated],
                "tf icf": [
                    math.log(1 + has.count(q) / n * len(every) / every.count(q)) for q in repeated
                ],
            }
            right = lab.term_feature(which, query, d, collection).value
            yield sum(terms[which]), right, f"{query}; {_TEXTS[d]}"


@compared
def sum_of_weak_rankers() -> Compared:
    """f_t: the weak rankers times their alphas, added up, against the scores of AdaRank."""
    data = lab.made_queries(6, 5, 3, noise=0.4, seed=2)
    names = list(data.feature_names)
    for t in (1, 2, 3):
        ranker = lab.adarank(data, "nDCG@3", rounds=t, reuse="never")
        steps = zip(
            ranker.working["alpha"],
            ranker.working["weak ranker"],
            strict=True,
        )
        columns = [float(a) * data.features[:, names.index(h)] for a, h in steps]
        for document in (0, 7):
            total = sum(column[document] for column in columns)
            score = ranker.score(data.features)[document]
            yield total, score, f"f_{t} of document {document + 1}"
