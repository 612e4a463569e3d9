"""Category coverage, distances within a list, Gini coefficient and entropy."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import lists as oracle
from irmetrics_edu import (
    InputError,
    NotRational,
    category_coverage,
    entropy,
    gini,
    ilad,
    ilmd,
)
from irmetrics_edu.rows.item_categories import (
    Categorised,
    align_categories,
)
from irmetrics_edu.rows.recommended import exposure

GENRES = {
    "a": {"rock", "pop"},
    "b": {"rock"},
    "c": {"jazz"},
    "d": set(),
    "e": {"folk", "pop", "jazz"},
    "f": {"blues"},
}
ALL = 5
lists = st.lists(st.sampled_from(sorted(GENRES)), unique=True, max_size=6)
some_k = st.sampled_from([None, 1, 2, 3, 10])
vectors = st.lists(st.tuples(*[st.integers(-5, 5)] * 3).filter(any), min_size=2, max_size=7)


@given(recommended=lists, k=some_k)
def test_category_coverage_is_the_oracle(recommended, k):
    """Exact and float, cut and uncut."""
    expected = oracle.category_coverage(recommended[:k], GENRES, ALL)
    assert category_coverage(recommended, GENRES, k=k, exact=True) == expected
    assert category_coverage(recommended, GENRES, n_categories=ALL, k=k) == pytest.approx(
        float(expected)
    )


def test_category_coverage_shows_what_is_new():
    """A category met again adds nothing, and the line says so."""
    working = category_coverage.working(["b", "a", "c"], GENRES, n_categories=10)
    assert working["new categories"].tolist() == [1, 1, 1]
    assert working["all categories"].tolist() == [10]
    assert working["item"] == ["b", "a", "c"]


@given(given_vectors=vectors, k=st.sampled_from([None, 2, 3]))
def test_distances_within_the_list_are_the_oracle(given_vectors, k):
    """Average and minimal cosine distance of vectors of any length."""
    embeddings = dict(enumerate(given_vectors))
    items = list(embeddings)

    def distance(i, j):
        return oracle.cosine(embeddings[i], embeddings[j])

    kept = items[:k]
    assert ilad(items, embeddings, k=k) == pytest.approx(
        float(oracle.average_distance(kept, distance)), abs=1e-9
    )
    assert ilmd(items, embeddings, k=k) == pytest.approx(
        float(oracle.nearest_distance(kept, distance)), abs=1e-9
    )


@given(data=st.data(), n=st.integers(2, 6))
def test_given_rational_distances_are_computed_exactly(data, n):
    """Distances as fractions give a fraction."""
    table = [[Fraction(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            table[i][j] = table[j][i] = data.draw(st.fractions(0, 2, max_denominator=9))
    by_pair = {(i, j): table[i][j] for i in range(n) for j in range(i)}
    items = list(range(n))
    for metric, reference in ((ilad, oracle.average_distance), (ilmd, oracle.nearest_distance)):
        expected = reference(items, lambda i, j: table[i][j])
        assert metric(items, by_pair, distance="given", exact=True) == expected
        assert metric(items, by_pair, distance="given") == pytest.approx(float(expected))


@given(given_vectors=vectors)
def test_the_nearest_is_never_farther_than_the_average(given_vectors):
    """ILMD is at most ILAD."""
    embeddings = dict(enumerate(given_vectors))
    assert ilmd(list(embeddings), embeddings) <= ilad(list(embeddings), embeddings) + 1e-12


@given(given_vectors=vectors, scale=st.sampled_from([1e-200, 0.5, 3, 1e200]))
def test_the_length_of_a_vector_plays_no_part(given_vectors, scale):
    """Embeddings are normalised, however short or long."""
    embeddings = dict(enumerate(given_vectors))
    scaled = {i: [scale * x for x in v] for i, v in embeddings.items()}
    items = list(embeddings)
    assert ilad(items, scaled) == pytest.approx(ilad(items, embeddings), abs=1e-9)


def test_cosine_distance_is_exact_where_the_lengths_are_rational():
    """3-4-5 gives 2/5 and 1/5; parallel vectors of irrational length give 0."""
    embeddings = {"a": [1, 0], "b": [0, 1], "c": [3, 4], "d": [1, 1], "e": [2.5, 2.5]}
    assert ilad(["a", "b", "c"], embeddings, exact=True) == Fraction(8, 15)
    assert ilad(["d", "e"], embeddings, exact=True) == 0
    with pytest.raises(NotRational, match="items 'a' and 'd' is irrational"):
        ilad(["a", "d"], embeddings, exact=True)


def test_numpy_vectors_are_read():
    """Embeddings often are rows of an array."""
    array = np.array([[1.0, 0.0], [0.0, 2.0]], dtype=np.float32)
    assert ilad([0, 1], dict(enumerate(array))) == 1.0


@pytest.mark.parametrize("metric", [ilad, ilmd])
def test_a_list_without_a_pair_is_refused_or_settled_by_name(metric):
    """One item has no distance to any other."""
    embeddings = {"a": [1, 0], "b": [0, 1]}
    with pytest.raises(InputError, match=r"fewer than two items.*undefined='zero'"):
        metric(["a"], embeddings)
    with pytest.raises(InputError, match="query 'u7': a list of fewer than two items"):
        metric.measured(metric.align(["a"], embeddings, query="u7"))
    with pytest.raises(InputError, match="fewer than two"):
        metric(["a", "b"], embeddings, k=1)
    assert metric(["a"], embeddings, undefined="zero") == 0
    assert metric([], embeddings, undefined="zero", exact=True) == 0
    assert math.isnan(metric(["a"], embeddings, undefined="nan"))


@given(counts=st.lists(st.integers(0, 9), min_size=1, max_size=8))
def test_gini_and_entropy_of_counts_are_the_oracle(counts):
    """The sorted-rank formula equals the mean absolute difference, exactly."""
    assume(any(counts))
    named = {f"i{i}": c for i, c in enumerate(counts)}
    assert gini(named, exact=True) == oracle.gini(counts)
    assert gini(named) == pytest.approx(float(oracle.gini(counts)))
    assert entropy(named) == pytest.approx(float(oracle.entropy(counts, 2)), abs=1e-12)
    assert entropy(named, base=3) == pytest.approx(float(oracle.entropy(counts, 3)), abs=1e-12)


@given(recommended=lists, k=some_k)
def test_gini_and_entropy_of_a_list_count_its_categories(recommended, k):
    """Absent categories count for the Gini coefficient and add nothing to entropy."""
    names = sorted(set().union(*GENRES.values()))
    counts = [sum(c in GENRES[i] for i in recommended[:k]) for c in names]
    assume(any(counts))
    assert gini(recommended, GENRES, k=k, exact=True) == oracle.gini(counts)
    assert gini(recommended, GENRES, n_categories=9, k=k) == pytest.approx(
        float(oracle.gini([*counts, 0, 0, 0, 0]))
    )
    assert entropy(recommended, GENRES, k=k) == pytest.approx(
        float(oracle.entropy(counts, 2)), abs=1e-12
    )


def test_entropy_agrees_with_scipy():
    """A second oracle."""
    stats = pytest.importorskip("scipy.stats")
    counts = [5, 1, 7, 2]
    assert entropy(dict(enumerate(counts))) == pytest.approx(stats.entropy(counts, base=2))


def test_exposure_counts_lists_and_the_items_nobody_sees():
    """At the level of the system: how often each item of the catalogue is shown."""
    lists_of_users = {"u1": ["a", "b"], "u2": ["a", "c"], "u3": ["a"]}
    counts = exposure(lists_of_users, "abcd", k=1)
    assert counts == {"a": 3, "b": 0, "c": 0, "d": 0}
    assert gini(counts) == 0.75
    assert exposure(lists_of_users) == {"a": 3, "b": 1, "c": 1}
    with pytest.raises(InputError, match="query 'u1', rank 2: item 'b' is not in the catalogue"):
        exposure(lists_of_users, "a")


@pytest.mark.parametrize("metric", [gini, entropy])
def test_nothing_has_no_spread(metric):
    """No category occurs: refused, or settled by name."""
    with pytest.raises(InputError, match="nothing occurs"):
        metric([], GENRES)
    with pytest.raises(InputError, match="nothing occurs"):
        metric({"a": 0})
    assert metric([], GENRES, undefined="zero") == 0
    assert math.isnan(metric([], GENRES, undefined="nan"))


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        (category_coverage, {}),
        (category_coverage, {"n_categories": 7}),
        (gini, {}),
        (entropy, {}),
    ],
)
@given(several=st.lists(lists.filter(lambda x: set(x) - {"d"}), min_size=1, max_size=5), k=some_k)
def test_many_lists_at_once_equal_each_alone(metric, options, several, k):
    """Whatever they share: catalogue, categories, items."""
    parts = [metric.align(one, GENRES, query=q) for q, one in enumerate(several)]
    together = _measured(metric, type(parts[0]).joined(parts), k, options)
    for q, one in enumerate(several):
        alone = _measured(metric, metric.align(one, GENRES), k, options)
        assert together.score[q] == pytest.approx(alone.score[0])
        assert (
            list(together.of(q).table.labels.values())[-1]
            == (list(alone.table.labels.values())[-1])
        )
        for name, column in alone.columns.items():
            np.testing.assert_allclose(together.of(q)[name], column)
        again = _measured(metric, type(parts[0]).joined(parts).of(q), k, options)
        assert again.score[0] == pytest.approx(alone.score[0])


def _measured(metric, rows, k, options):
    if "undefined" in metric.defaults:
        options = {**options, "undefined": type(metric.defaults["undefined"]).named("zero")}
    return metric.measured(rows, k, **options)


@pytest.mark.parametrize("metric", [ilad, ilmd])
@given(several=st.lists(vectors, min_size=1, max_size=4), k=st.sampled_from([None, 2, 3]))
def test_many_lists_of_vectors_at_once_equal_each_alone(metric, several, k):
    """Pairs never cross from one list to another."""
    inputs = [(list(range(len(v))), dict(enumerate(v))) for v in several]
    rows = metric.align(*inputs[0])
    rows = type(rows).joined([metric.align(*i) for i in inputs])
    together = metric.measured(rows, k)
    for q, each in enumerate(inputs):
        alone = metric.working(*each, k=k)
        assert together.score[q] == pytest.approx(alone.value)
        assert together.of(q)["sum over pairs"].value == pytest.approx(
            alone["sum over pairs"].value
        )
        assert metric.measured(rows.of(q), k).value == pytest.approx(alone.value)


BAD_CATEGORIES = {
    "unknown item": ((["a", "z"], GENRES), {}, "rank 2: item 'z' is not among the categories"),
    "white space": ((["a "], GENRES), {}, "differs from the judged 'a' only in white space"),
    "text for a set": ((["a"], {"a": "rock"}), {}, "a set, such as {'rock'}"),
    "no mapping": ((["a"], [{"rock"}]), {}, "categories=[{'rock'}] is not a mapping"),
    "nothing": ((["a"], {}), {}, "no categories are given"),
    "twice": ((["a", "b", "a"], GENRES), {}, "rank 3: recommended twice, first at rank 1"),
    "a set": (({"a", "b"}, GENRES), {}, "is not a list; give the items in order"),
    "too few": (
        (["a", "c"], GENRES),
        {"n_categories": 2},
        "n_categories=2 is too small: 3 categories occur",
    ),
    "not whole": ((["a"], GENRES), {"n_categories": 2.5}, "n_categories=2.5"),
    "none": ((["a"], GENRES), {"n_categories": 0}, "n_categories=0"),
}


@pytest.mark.parametrize(
    ("arguments", "options", "message"), BAD_CATEGORIES.values(), ids=BAD_CATEGORIES
)
def test_bad_categories_are_refused(arguments, options, message):
    """Each message names the item, what was given and what would do."""
    with pytest.raises(InputError, match=re.escape(message)):
        category_coverage(*arguments, **options)


VECTORS = {"a": [1, 0], "b": [0, 1]}
BAD_DISTANCES = {
    "no vector": ((["a", "z"], VECTORS), {}, "rank 2: item 'z' has no embedding"),
    "zeros": ((["a", "z"], {**VECTORS, "z": [0, 0]}), {}, "item 'z' is all zeros"),
    "length": (
        (["a", "z"], {**VECTORS, "z": [1]}),
        {},
        "the embedding of item 'z' has 1 coordinates, but that of item 'a' has 2",
    ),
    "NaN": ((["a", "z"], {**VECTORS, "z": [1, math.nan]}), {}, "item 'z': coordinate nan"),
    "an array": (([0, 1], [[1, 0], [0, 1]]), {}, "dict(enumerate(array))"),
    "no pair": ((["a", "b"], {("a", "c"): 1}), {"distance": "given"}, "add ('a', 'b')"),
    "negative": (
        (["a", "b"], {("a", "b"): -1}),
        {"distance": "given"},
        "distance of items 'a' and 'b' is -1",
    ),
    "one way": (
        (["a", "b"], {("a", "b"): 1, ("b", "a"): 2}),
        {"distance": "given"},
        "the distance from item 'a' to 'b' is 1.0, but the distance back is 2.0",
    ),
    "table": ((["a", "b"], [[0]]), {"distance": "given"}, "give them by pair"),
    "unknown": ((["a", "b"], VECTORS), {"distance": "euclid"}, "use one of cosine, given"),
}


@pytest.mark.parametrize(
    ("arguments", "options", "message"), BAD_DISTANCES.values(), ids=BAD_DISTANCES
)
def test_bad_distances_are_refused(arguments, options, message):
    """Each message names the items and what would do."""
    with pytest.raises(InputError, match=re.escape(message)):
        ilad(*arguments, **options)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (({"a": -1},), {}, r"recommended\['a'\]=-1 is not"),
        (({"a": 1.5},), {}, r"recommended\['a'\]=1\.5 is not"),
        ((["a"],), {}, r"\['a'\] comes without categories"),
        (
            ({"a": 1, "b": 2},),
            {"k": 1},
            "k=1 can't be used with counts, because counts have no ranks",
        ),
    ],
)
def test_bad_counts_are_refused(arguments, options, message):
    """Counts are 0, 1, 2, ... and stand in no order."""
    with pytest.raises(InputError, match=message):
        gini(*arguments, **options)


def test_the_query_with_too_many_categories_is_named():
    """The second of two, whose list has three."""
    rows = Categorised.joined(
        [align_categories(listed, GENRES, query=q) for q, listed in (("p", ["a"]), ("q", [*"abc"]))]
    )
    with pytest.raises(InputError, match=r"query 'q'.*n_categories=2 is too small: 3 categories"):
        category_coverage.measured(rows, n_categories=2)


def test_the_mean_distance_of_each_item_is_that_to_the_others():
    """Cosine distances 1, 1 - 1/sqrt 2 and 1 - 1/sqrt 2: half of each sum of two."""
    vectors = {"a": [1, 0], "b": [0, 1], "c": [1, 1]}
    near = 1 - 1 / math.sqrt(2)
    column = ilad.working(["a", "b", "c"], vectors)["mean distance to the others"]
    assert column == pytest.approx([(1 + near) / 2, (1 + near) / 2, near])


@pytest.mark.parametrize("counts", [{"a": 3}, {"a": 1, "b": 0}])
def test_the_entropy_of_one_thing_is_0_without_a_sign(counts):
    """The logarithm of 1 is 0, and what is shown is no -0."""
    assert str(entropy(counts)) == "0.0"
