"""Made data of known structure: learnable, not learnable, and with one query of most pairs."""

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.numbers import Array

_SHARES = (0.6, 0.85)  # below these quantiles of usefulness the grade is 0, 1; above it is 2


def made_queries(
    n_queries: int = 40,
    n_documents: int = 20,
    n_features: int = 5,
    *,
    n_facets: int = 4,
    noise: float = 0.1,
    seed: int = 0,
) -> RankingData:
    """Made queries have documents whose usefulness is linear in their features, plus noise.

    Feature j has the weight 1/j, and all features are standard normal. Usefulness is cut at its 60%
    and 85% quantiles into the grades 0, 1 and 2. `noise` in [0, 1] is the share of the variance
    that the features don't explain: 0 can be learnt fully, 1 not at all. Each document has one
    facet of `n_facets`, and one in four has a second facet. The j-th facet is drawn with a
    probability proportional to 1/j. Documents of facet 1 are higher in feature 1, so this facet
    fills the top of a ranking by relevance.

    >>> data = made_queries(3, 10)
    >>> data.features.shape, data.grades
    ((30, 5), [0.0, 1.0, 2.0])
    """
    queries = checks.whole("n_queries", n_queries, 1)
    per_query = checks.whole("n_documents", n_documents, 2)
    m = checks.whole("n_features", n_features, 1)
    f = checks.whole("n_facets", n_facets, 1)
    checks.between("noise", noise, 0, 1)
    random = np.random.default_rng(seed)
    n = queries * per_query
    share = 1 / np.arange(1, f + 1)
    main = random.choice(f, n, p=share / share.sum())
    second = np.where(
        random.uniform(size=n) < 0.25,
        random.integers(0, f, n),
        main,
    )
    features = random.normal(size=(n, m))
    features[:, 0] += main == 0
    signal = features @ (1 / np.arange(1, m + 1))
    signal = (signal - signal.mean()) / (signal.std() or 1.0)
    chance = random.normal(size=n)
    useful = np.sqrt(1 - noise) * signal + np.sqrt(noise) * chance
    query = []
    document = []
    for q in range(1, queries + 1):
        query += [f"q{q}"] * per_query
        document += [f"d{i}" for i in range(1, per_query + 1)]
    facets = []
    for one, other in zip(main, second, strict=True):
        facets.append(frozenset({f"f{one + 1}", f"f{other + 1}"}))
    return RankingData(
        features,
        _grades(useful),
        query,
        document,
        facets,
    )


def _grades(useful: Array) -> Array:
    """Usefulness cut at its 60% and 85% quantiles into the grades 0, 1 and 2."""
    cuts = np.quantile(useful, _SHARES)
    grades: Array = np.searchsorted(cuts, useful).astype(float)
    return grades


def swamped_queries(
    n_long: int = 100,
    n_short: int = 20,
    n_documents: int = 6,
    *,
    noise: float = 0.2,
    seed: int = 0,
) -> RankingData:
    """Swamped queries are many short ones, and a single long one that has nearly all the pairs.

    The long query `long` has `n_long` documents, graded by feature `body`. Each of the `n_short`
    others has `n_documents`, graded by feature `title`. In both cases the other feature has the
    opposite order, but for `noise` (a standard deviation). So one order can't suit both. A learner
    that counts pairs suits the long query. A learner that counts queries suits the others.

    >>> data = swamped_queries()
    >>> len(data.queries), data.queries[0], data.feature_names
    (21, 'long', ('body', 'title'))
    """
    long = checks.whole("n_long", n_long, 3)
    short = checks.whole("n_short", n_short, 1)
    size = checks.whole("n_documents", n_documents, 3)
    if not noise >= 0:
        raise InputError(f"noise={noise} is negative; give a standard deviation of at least 0")
    random = np.random.default_rng(seed)
    rows = []
    grades = []
    query = []
    document = []
    sizes = {"long": long}
    for i in range(1, short + 1):
        sizes[f"short{i}"] = size
    for name, n in sizes.items():
        useful = random.permutation(np.linspace(-1, 1, n))
        against = -useful + noise * random.normal(size=n)
        along = useful + noise * random.normal(size=n)
        columns = (along, against) if name == "long" else (against, along)
        rows.append(np.column_stack(columns))
        grades.append(_grades(useful))
        query += [name] * n
        document += [f"d{i}" for i in range(1, n + 1)]
    return RankingData(
        np.concatenate(rows),
        np.concatenate(grades),
        query,
        document,
        feature_names=("body", "title"),
    )
