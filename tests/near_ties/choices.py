"""What every algorithm chooses from inputs full of duplicates: a line of text for each.

`tests.machines` makes the lines in processes that compute differently (other kernels of the BLAS,
no SIMD): they are to be the same.
"""

from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np

from irmetrics_edu import (
    alpha_ndcg,
)
from irmetrics_edu.lab import (
    RankingData,
    adarank,
    association_rules,
    dpp,
    facet_model,
    lambdamart,
    lda_facets,
    listmle,
    listnet,
    mmr,
    ordinal_regression,
    pointwise_classification,
    pointwise_regression,
    ranking_svm,
    ranking_with_ties,
    xquad,
)
from irmetrics_edu.lab.recommenders.dgrec import DGRec, representing, similarity_of
from irmetrics_edu.lab.recommenders.interactions import Interactions, interactions
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.study import rankers
from irmetrics_edu.lab.study.rankers import Settings

Noise = Callable[[Any], Any]
KINDS, COPIES = 7, 3  # documents that differ, and how often each is there


def none(values: Any) -> Any:
    """No noise."""
    return values


def relative(size: float, seed: int) -> Noise:
    """Noise that changes each number by at most so large a share of it."""
    rng = np.random.default_rng(seed)

    def noise(values: Any) -> Any:
        given = np.asarray(values, dtype=np.float64)
        return given * (1 + size * rng.uniform(-1, 1, given.shape))

    return noise


def pool(seed: int = 0) -> list[int]:
    """The kind of each document of a pool: every kind several times, in any order."""
    return np.random.default_rng(seed).permutation(np.repeat(np.arange(KINDS), COPIES)).tolist()


def named(values: Any) -> dict[str, Any]:
    """The values by the names of the documents."""
    return {f"d{i}": v for i, v in enumerate(np.asarray(values).tolist())}


def _probabilities(rng: np.random.Generator, n: int = 4) -> Any:
    return rng.integers(1, 8, (KINDS, n)) / 10 * (rng.random((KINDS, n)) < 0.6)


def rerankers(seed: int, noise: Noise) -> Iterator[tuple[str, list[Any]]]:
    """The rankings of re-rankers that see documents of a few kinds."""
    rng = np.random.default_rng(seed)
    of = pool(seed)
    vectors, short = rng.normal(size=(KINDS, 24)), rng.integers(-2, 3, (KINDS, 3)) + 0.25
    worth = rng.integers(1, 10, KINDS) / 10
    aspects = _probabilities(rng)
    relevance = named(noise(worth[of]))
    for name, features in (("", vectors), (", few dimensions", short)):
        seen = named(noise(features[of]))
        yield f"MMR{name}", list(mmr(relevance, seen))
        yield f"MMR, unlikeness alone{name}", list(mmr(relevance, seen, lambda_=0))
        yield f"DPP{name}", list(dpp(relevance, seen))
        yield f"DPP, theta{name}", list(dpp(relevance, seen, theta=0.8))
    # Every document is relevant as much as it is like the others: all values are 0.
    table = np.full((len(of), len(of)), 0.3)
    pairs = {(f"d{i}", f"d{j}"): v for (i, j), v in np.ndenumerate(noise(table))}
    yield "MMR, all 0", list(mmr(named(noise(table[0])), pairs, similarity="given"))
    covers = {d: dict(enumerate(p)) for d, p in named(noise(aspects[of])).items()}
    for share in (0.0, 0.5, 1.0):
        yield f"xQuAD {share}", list(xquad(relevance, covers, lambda_=share))
    yield "facet model", list(facet_model(covers, k=8))
    yield "facet model, exact", list(facet_model(covers, k=3, search="exact"))


def learning_data(seed: int, noise: Noise) -> RankingData:
    """Queries with documents of a few kinds, and features that repeat each other."""
    rng = np.random.default_rng(seed)
    queries = 6
    of = np.concatenate([pool(seed + q) for q in range(queries)])
    features = rng.integers(0, 6, (KINDS, 3)) / 10
    features = np.hstack([features, features, features[:, :1] + features[:, 1:2]])
    size = KINDS * COPIES
    grade = np.minimum(rng.integers(0, 2, KINDS)[of] + rng.integers(0, 2, len(of)), 2)
    return RankingData(
        noise(features[of]),
        grade,
        [f"q{q}" for q in range(queries) for _ in range(size)],
        [f"d{i}" for _ in range(queries) for i in range(size)],
    )


def learners(seed: int, noise: Noise) -> Iterator[tuple[str, list[Any]]]:
    """The order in which learners put documents, with those that tie in one list."""
    data = learning_data(seed, noise)
    for name, ranker in (
        ("AdaRank", adarank(data, "nDCG@5", rounds=4)),
        ("AdaRank, once", adarank(data, "AP@9", rounds=6, reuse="never")),
        ("pointwise regression", pointwise_regression(data)),
        ("pointwise classification", pointwise_classification(data)),
        ("ordinal regression", ordinal_regression(data)),
        ("Ranking SVM", ranking_svm(data, C=0.1)),
        ("ranking with ties", ranking_with_ties(data, C=0.1)),
        ("ListNet", listnet(data)),
        ("ListMLE", listmle(data)),
        ("association rules", association_rules(data)),
        ("LambdaMART", lambdamart(data, "nDCG@5", rounds=5)),
    ):
        yield name, [in_ties(run) for run in ranker.run(data).values()]
        if name.startswith("AdaRank"):
            yield f"{name}, features", list(ranker.working.table.labels["weak ranker"])
            # What is learnt from the duplicates' order is their metric.
            yield f"{name}, E", [round(float(e), 9) for e in ranker.working["mean E of f"]]
        if name == "ordinal regression":
            yield f"{name}, grades", ranker.predict(data.features).tolist()  # type: ignore[attr-defined]


def in_ties(run: dict[Any, float]) -> list[list[Any]]:
    """The documents of a run by falling score, those of equal score together."""
    levels: dict[float, list[Any]] = {}
    for document, score in run.items():
        levels.setdefault(score, []).append(document)
    return [levels[score] for score in sorted(levels, reverse=True)]


def ideals(seed: int, noise: Noise) -> Iterator[tuple[str, list[Any]]]:
    """The ideal orders of documents that hold the same nuggets."""
    rng = np.random.default_rng(seed)
    of, held = pool(seed), rng.random((KINDS, 5)) < 0.4
    nuggets = {f"d{i:02}": {f"n{j}" for j in np.flatnonzero(held[o])} for i, o in enumerate(of)}
    alpha = float(noise(np.array([0.3]))[0])
    for how, k in (("greedy", 12), ("ndeval", 12), ("exact", 4)):
        found = alpha_ndcg.working([], nuggets, k=k, alpha=alpha, ideal=how)
        yield f"ideal, {how}", list(found["ideal alpha-DCG"]["document"])


def selections(seed: int, noise: Noise) -> Iterator[tuple[str, list[Any]]]:
    """The neighbours that represent the others, of which several are the same."""
    vectors = np.random.default_rng(seed).normal(size=(KINDS, 32))
    for kinds in (pool(seed), [0, 1], [0, 0, 1, 1]):
        similarity = similarity_of(noise(vectors[kinds]))
        found = representing(similarity[None], len(kinds) - 1)[0]
        yield f"facility location of {len(kinds)}", found.tolist()


def twins() -> Interactions:
    """Items with the same buyers, the same single buyer, or none."""
    train: dict[str, list[str]] = {}
    for u in range(24):
        bought = [f"{twin}{(u * 7 + j * 3) % 12}" for j in range(4) for twin in "ij"]
        train[f"u{u}"] = [*bought, *(f"only u{u} {n}" for n in range(5))]
    validation = {f"u{u}": [f"k{u % 6}"] for u in range(24)}
    test = {f"u{u}": [f"k{(u + 1) % 6}", f"k{(u + 3) % 6}"] for u in range(24)}
    items = [i for part in (train, validation, test) for held in part.values() for i in held]
    return interactions(train, validation, test, {i: {f"c{len(i) % 3}"} for i in items})


class Twinned(LightGCN):
    """LightGCN whose items are copies of a few, so that their scores tie."""

    def fit(self, data: Interactions) -> Self:
        """Learn, and keep nine of the items' embeddings."""
        super().fit(data)
        self.item_embeddings = self.item_embeddings[np.arange(len(data.items)) % 9]
        return self


def trained() -> Iterator[tuple[str, list[Any]]]:
    """The lists of recommenders that were trained on items that are alike."""
    data = twins()
    options: dict[str, Any] = {"epochs": 30, "dimensions": 8}
    users = ["u0", "u7", "u16"]
    for model in (LightGCN(**options), DGRec(neighbours=4, **options), Twinned(**options)):
        name = type(model).__name__
        yield name, list(model.fit(data).recommend(20, users).values())
    settings = Settings(cutoffs=(8,), pool=30, epochs=10)
    of = rankers.trained(data, settings, 0, lambda _: None)
    for name, items in of.lists.items():
        yield f"study, {name}", items.tolist()


def texts() -> Iterator[tuple[str, list[Any]]]:
    """What is chosen of texts of which several are the same."""
    rng = np.random.default_rng(3)
    words = ["ship", "sea", "wine", "bread", "car", "road", "sun", "moon", "harbour"]
    kinds = [" ".join(rng.choice(words, 25)) for _ in range(KINDS)]
    given = {f"d{i}": kinds[o] for i, o in enumerate(pool())}
    yield "MMR, texts", list(mmr(dict.fromkeys(given, 1.0), given, similarity="tf-idf"))
    yield "facet model, LDA", list(facet_model(lda_facets(given, 3), k=10))


# With the number of inputs that each is tried on.
PERTURBED = {rerankers: 5, learners: 1, ideals: 5, selections: 5}


def lines() -> Iterator[str]:
    """All choices as text."""
    for function, inputs in PERTURBED.items():
        for seed in range(inputs):
            for name, chosen in function(seed, none):
                yield f"{name}, input {seed}: {chosen}"
    for made in (trained(), texts()):
        for name, chosen in made:
            yield f"{name}: {chosen}"
