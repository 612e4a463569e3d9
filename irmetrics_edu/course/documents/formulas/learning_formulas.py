"""Document 004, both lectures: MMR, ordinal regression, Rank A against Rank B, AdaRank."""

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import irmetrics_edu as ir
from irmetrics_edu import lab
from irmetrics_edu.course.documents.example import Compared, Sides, compared

_RELEVANCE = {"d1": 0.9, "d2": 0.7, "d3": 0.4}
_SIMILARITY = {
    ("d1", "d2"): 0.8,
    ("d1", "d3"): 0.1,
    ("d2", "d3"): 0.3,
}


def mmr_candidates() -> Sides:
    """Three choices by relevance: from R | S read as a union, and by MMR with lambda = 1."""
    return Sides(
        _chosen_from_the_union(),
        list(lab.mmr(_RELEVANCE, _SIMILARITY, lambda_=1, similarity="given")),
        ["1st", "2nd", "3rd"],
    )


def _chosen_from_the_union() -> list[str]:
    """The documents chosen by relevance, one after another, if none leaves the candidates."""
    order: list[str] = []
    for _ in _RELEVANCE:
        candidates = set(_RELEVANCE) | set(order)
        most_relevant = max(candidates, key=lambda document: _RELEVANCE[document])
        order.append(most_relevant)
    return order


@compared
def ordinal_label() -> Compared:
    """The label of documents at w x = -1/2, 1/2, 3/2, 5/2: by the argmin, and the least label."""
    thresholds = [0.0, 1.0, 2.0, math.inf]
    for score in (-0.5, 0.5, 1.5, 2.5):
        below = {}
        for label, threshold in enumerate(thresholds, 1):
            margin = score - threshold
            if margin < 0:
                below[label] = margin
        argmin = min(below, key=lambda label: below[label])
        yield argmin, min(below), f"w x = {score}"


_RANK_A = [2, 3, 2, 1, 1, 1, 1]
_RANK_B = [3, 2, 1, 2, 1, 1, 1]


def rank_a_against_rank_b() -> Sides:
    """Which of the two rankings is better: by pairs, and by the grade of the first document."""
    measures = {"pairs": ir.pair_accuracy, "the first document": ir.cg @ 1}
    verdicts = []
    for measure in measures.values():
        a = measure(_RANK_A)
        b = measure(_RANK_B)
        if a == b:
            verdicts.append("equal")
        elif a > b:
            verdicts.append("A")
        else:
            verdicts.append("B")
    return Sides(["equal", "B"], verdicts, list(measures))


_QUERIES = ([3, 2, 0, 1], [0, 1, 0, 2], [1, 0, 2, 0])
_WEIGHTS = (0.5, 0.3, 0.2)


@compared
def weight_of_weak_ranker() -> Compared:
    """AdaRank's alpha_t against where the bound on the exponential loss is least."""
    for weights in (_WEIGHTS, (1 / 3, 1 / 3, 1 / 3)):
        good: float = 0
        bad: float = 0
        for weight, grades in zip(weights, _QUERIES, strict=True):
            performance = ir.ndcg(grades)
            good += weight * (1 + performance)
            bad += weight * (1 - performance)
        alpha = math.log(good / bad) / 2
        shown = ", ".join(f"{weight:.2f}" for weight in weights)
        yield alpha, _least_of_bound(good, bad), f"weights of the queries {shown}"


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
    """The weights of the next round, as printed, against those of `adarank`; then their sum."""
    scores: list[int] = []
    for grades in _QUERIES:
        scores.extend(range(len(grades), 0, -1))
    ranked = lab.from_rankings(dict(enumerate(_QUERIES)))
    data = lab.RankingData(
        [[score] for score in scores],
        ranked.grade,
        ranked.query,
        ranked.document,
    )
    learnt = lab.adarank(data, ir.ndcg, rounds=1).working["round 1"]["P'"]
    performances = [ir.ndcg(grades) for grades in _QUERIES]
    exponents = [math.exp(-performance) for performance in performances]
    printed = [exponent / sum(exponents) for exponent in exponents]
    queries = [f"of the query with E = {performance:.4f}" for performance in performances]
    return Sides(
        [*printed, 1.0],
        [*learnt, sum(learnt)],
        [*queries, "their sum"],
    )


@compared
def mmr_values() -> Compared:
    """Lambda times relevance less (1 - lambda) times the highest similarity, against MMR's."""
    for lam, step in product((0.3, 0.7), (2, 3)):
        ranking = lab.mmr(
            _RELEVANCE,
            _SIMILARITY,
            lambda_=lam,
            similarity="given",
        )
        chosen = ranking[: step - 1]
        working = ranking.working[f"step {step}"]
        for document, right in zip(
            working["document"],
            working["MMR"],
            strict=True,
        ):
            similarities = []
            for other in chosen:
                pair = (min(document, other), max(document, other))
                similarities.append(_SIMILARITY[pair])
            nearest = max(similarities)
            printed = lam * _RELEVANCE[document] - (1 - lam) * nearest
            name = f"{document} after {', '.join(map(str, chosen))}, lambda = {lam}"
            yield printed, right, name


@compared
def facets_covered() -> Compared:
    """FM-LDA's double product over facets and selected documents, against its likelihood."""
    facets = {
        "d1": {"f1": 0.9, "f2": 0.2},
        "d2": {"f1": 0.5, "f2": 0.6},
        "d3": {"f2": 0.7},
    }
    for y in ((1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1)):
        selection = dict(zip(facets, y, strict=True))
        printed: float = 1
        for facet in ("f1", "f2"):
            missed: float = 1
            for document, selected in selection.items():
                p = facets[document].get(facet, 0)
                missed *= (1 - p) ** selected
            printed *= 1 - missed
        chosen = [document for document, selected in selection.items() if selected]
        right = lab.facet_likelihood(chosen, facets).value
        yield printed, right, f"y = {y}"


@compared
def squared_differences() -> Compared:
    """(y - f(x))^2 of each document, against what it adds to the squared loss."""
    grades = [3, 1, 0]
    scores = [1.5, 2.0, -0.5]
    data = lab.from_rankings({"q": grades})
    losses = lab.squared_loss(data, scores)["squared loss"]
    for y, f, loss in zip(grades, scores, losses, strict=True):
        yield (y - f) ** 2, loss, f"grade {y}"


_TEXTS = {"a": "red wine red", "b": "red car", "c": "blue sea and sea wind"}


@compared
def term_features(which: str) -> Compared:
    """One of the features of the table, as printed, against the package's, over three texts."""
    words = {document: text.split() for document, text in _TEXTS.items()}
    collection = lab.term_statistics(_TEXTS)
    for query, document in product(("red wine", "blue sea sea"), words):
        printed = _term_feature(
            which,
            query.split(),
            document,
            words,
        )
        right = lab.term_feature(
            which,
            query,
            document,
            collection,
        ).value
        yield printed, right, f"{query}; {_TEXTS[document]}"


def _term_feature(
    which: str,
    query: list[str],
    document: str,
    words: Mapping[str, list[str]],
) -> Any:
    """The feature as the table prints it, a sum over the words of the query."""
    text = words[document]
    shared = [word for word in query if word in text]  # the others add ln(1 + 0)
    if which in ("tf", "idf"):  # sums over Q and D as sets
        shared = sorted(set(shared))
    collection = [word for other in words.values() for word in other]
    terms = []
    for word in shared:
        c = text.count(word)
        idf = len(words) / sum(word in other for other in words.values())
        inside = {
            "tf": c,
            "idf": idf,
            "tf idf": 1 + c / len(text) * idf,
            "tf icf": 1 + c / len(text) * len(collection) / collection.count(word),
        }
        terms.append(math.log(inside[which]))
    return sum(terms)


@compared
def sum_of_weak_rankers() -> Compared:
    """f_t: the weak rankers times their alphas, added up, against the scores of AdaRank."""
    data = lab.made_queries(
        6,
        5,
        3,
        noise=0.4,
        seed=2,
    )
    names = list(data.feature_names)
    for t in (1, 2, 3):
        ranker = lab.adarank(
            data,
            "nDCG@3",
            rounds=t,
            reuse="never",
        )
        weak_rankers = ranker.working["weak ranker"]
        columns = []
        for alpha, name in zip(
            ranker.working["alpha"],
            weak_rankers,
            strict=True,
        ):
            column = data.features[:, names.index(name)]
            columns.append(float(alpha) * column)
        scores = ranker.score(data.features)
        for document in (0, 7):
            total: float = 0
            for column in columns:
                total += column[document]
            yield total, scores[document], f"f_{t} of document {document + 1}"
