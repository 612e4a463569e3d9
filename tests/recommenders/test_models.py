"""Popularity, chance, LightGCN and DGRec: definitions on hand-made graphs, and that they learn."""

import re
from ast import literal_eval
from itertools import combinations

import numpy as np
import pytest

from dev.benchmarks.diversity_study import settings
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.dgrec import (
    DGRec,
    attended,
    category_weights,
    representing,
    selected,
    similarity_of,
)
from irmetrics_edu.lab.recommenders.interactions import Interactions, interactions
from irmetrics_edu.lab.recommenders.lightgcn import (
    Adam,
    LightGCN,
    Sample,
    Sampler,
    layers,
    normalised,
)
from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
from irmetrics_edu.lab.recommenders.recommender import Popularity, Random
from irmetrics_edu.near_ties import highest

OFF = {"neighbours": None, "attention": False, "balance": None}
SMALL = {"dimensions": 4, "epochs": 15, "every": 5}


@pytest.fixture(scope="module")
def small():
    """A catalogue that trains in a moment."""
    return catalogue(users=40, items=120, categories=6, per_user=10, seed=5)


@pytest.fixture(scope="module")
def hand():
    """Two users, three items: u has a and b, v has b and c; d is nobody's."""
    categories = {"a": {"x"}, "b": {"x"}, "c": {"y"}, "d": set()}
    return interactions({"u": ["a", "b"], "v": ["b", "c"]}, {}, {"u": ["c"]}, categories)


def test_popularity_counts_users(hand):
    """B has two users, a and c one; ties stand in catalogue order, what is seen is left out."""
    model = Popularity().fit(hand)
    assert model.scores(np.array([0])).tolist() == [[1, 2, 1, 0]]
    assert model.recommend(2) == {"u": ["c", "d"], "v": ["a", "d"]}


def test_chance_is_the_same_under_a_seed_whoever_else_is_asked(small):
    """A user's list does not depend on the other users."""
    model = Random(seed=3).fit(small)
    everybody = model.recommend(5)
    assert model.recommend(5, ["u7"]) == {"u7": everybody["u7"]}
    assert Random(seed=4).fit(small).recommend(5) != everybody


def test_propagation_by_hand(hand):
    """Layer 1 of u is a/sqrt(2*1) + b/sqrt(2*2); of b it is u/2 + v/2; nobody's item is 0."""
    users = np.array([[1.0], [3.0]])
    items = np.array([[2.0], [4.0], [8.0], [5.0]])
    of_users, of_items = layers(normalised(hand), users, items, 2)
    root = 2**0.5
    u1, v1 = 2 / root + 4 / 2, 4 / 2 + 8 / root
    assert of_users[1].ravel() == pytest.approx([u1, v1])
    assert of_items[1].ravel() == pytest.approx([1 / root, 0.5 + 1.5, 3 / root, 0])
    assert of_users[2].ravel() == pytest.approx([0.5 + 1, 1 + 3 / 2])
    assert of_items[2].ravel() == pytest.approx([u1 / root, u1 / 2 + v1 / 2, v1 / root, 0])


def test_lightgcn_averages_the_layers_and_scores_by_the_inner_product(hand):
    """The embedding is the mean of layers 0 to L."""
    model = LightGCN(dimensions=3, layers=2, epochs=3).fit(hand)
    p = model.parameters
    of_users, of_items = layers(model.graph, p["users"], p["items"], 2)
    assert model.user_embeddings == pytest.approx(sum(of_users) / 3)
    assert model.item_embeddings == pytest.approx(sum(of_items) / 3)
    score = sum(
        x * y for x, y in zip(model.user_embeddings[1], model.item_embeddings[3], strict=True)
    )
    assert model.scores(np.array([1]))[0, 3] == pytest.approx(score)


def test_the_loss_by_a_plain_loop(hand):
    """The mean of ln(1 + exp(-(score had - score not had))), and the penalty on layer 0."""
    model = LightGCN(dimensions=2, layers=1, penalty=0.3)
    model._prepare(hand)
    p = model._first(np.random.default_rng(1))
    users, items = model.embed(p)
    negative = np.array([[3, 3], [2, 3], [0, 0], [3, 0]])
    weight = np.array([1.0, 0.5, 2.0, 1.0])
    loss = length = 0.0
    for (u, i), others, w in zip(hand.pairs["train"].tolist(), negative, weight, strict=True):
        for j in others.tolist():
            difference = float(users[u] @ items[i] - users[u] @ items[j])
            loss += w * np.log(1 + np.exp(-difference)) / 8
            length += sum(float(v @ v) for v in (p["users"][u], p["items"][i], p["items"][j])) / 2
    sample = Sample(*hand.pairs["train"].T, negative, weight)
    assert float(model.loss(p, sample)) == pytest.approx(loss + 0.3 * length / 8)


@pytest.mark.parametrize(
    "model",
    [
        LightGCN(dimensions=3, penalty=0.01),
        DGRec(dimensions=3, neighbours=3, penalty=0.01),
        DGRec(dimensions=3, neighbours=None, layers=3),
        LightGCN(dimensions=3, penalty=0.01, negatives=3),
    ],
    ids=["LightGCN", "DGRec", "DGRec, all neighbours", "three others each"],
)
def test_gradients_equal_finite_differences(small, model):
    """The gradient of every kind of parameter, at some of its places."""
    from irmetrics_edu.lab.recommenders.autodiff import value_and_grad

    model._prepare(small)
    rng = np.random.default_rng(0)
    p = {name: 5 * v for name, v in model._first(rng).items()}
    sampler = Sampler(small, model._weights(small), rng)
    sample = sampler.sample(model.negatives)
    _, gradient = value_and_grad(model.loss)(p, sample)
    step = 1e-6
    for name, values in p.items():
        for place in rng.choice(values.size, min(values.size, 12), replace=False).tolist():
            sides = []
            for sign in (1, -1):
                moved = {n: v.copy() for n, v in p.items()}
                moved[name].flat[place] += sign * step
                sides.append(float(model.loss(moved, sample)))
            slope = (sides[0] - sides[1]) / (2 * step)
            assert gradient[name].flat[place] == pytest.approx(slope, rel=1e-4, abs=1e-9)


def test_negatives_are_items_that_the_user_does_not_have(small):
    """And all such items come up."""
    had = small.table("train", np.arange(len(small.users)))
    sampler = Sampler(small, np.ones(len(small.items)), np.random.default_rng(0))
    for split in ("train", "validation"):
        drawn = [s for _ in range(30) for s in [sampler.sample(3, split)]]
        assert not any(had[s.user[:, None], s.negative].any() for s in drawn)
        assert len(np.unique(np.concatenate([s.negative for s in drawn]))) == len(small.items)


def test_a_sample_holds_each_interaction_once():
    """In rising order of users, with the weight of its item, whatever the order of the data."""
    pairs = np.array([[2, 1], [0, 3], [1, 0], [0, 2], [2, 4]])
    data = Interactions((*"uvw",), (*"abcde",), {"train": pairs}, {i: frozenset() for i in "abcde"})
    found = Sampler(data, np.arange(5.0), np.random.default_rng(1)).sample()
    assert (np.diff(found.user) >= 0).all()
    assert (found.weight == found.item).all()
    had = zip(found.user.tolist(), found.item.tolist(), strict=True)
    assert sorted(had) == sorted(map(tuple, pairs.tolist()))


def test_training_can_be_stopped_by_the_loss_of_the_validation_items(small):
    """The epoch of the least loss is kept; Recall was not asked."""
    model = LightGCN(stop="loss", every=1, patience=2, rate=0.3, dimensions=4).fit(small)
    history = model.history
    assert history.best == min(history.validation, key=history.validation.get)
    assert len(history.loss) < model.epochs


def test_a_user_who_has_everything_has_no_negative():
    """The message names the user."""
    data = interactions({"u": ["a", "b"]}, {}, {}, {"a": {"x"}, "b": {"x"}})
    with pytest.raises(InputError, match="user 'u' has all 2 items"):
        LightGCN(epochs=1).fit(data)


def test_dgrec_with_all_parts_off_is_lightgcn(small):
    """Number for number, under the same seed."""
    a, b = LightGCN(**SMALL).fit(small), DGRec(**OFF, **SMALL).fit(small)
    assert (a.item_embeddings == b.item_embeddings).all()
    assert (a.user_embeddings == b.user_embeddings).all()


@pytest.mark.parametrize(
    "part", [{"neighbours": 3}, {"attention": True}, {"balance": 0.9}], ids=str
)
def test_each_part_of_dgrec_can_be_switched_on_alone(small, part):
    """And makes a difference."""
    base = DGRec(**OFF, **SMALL).fit(small)
    other = DGRec(**{**OFF, **part}, **SMALL).fit(small)
    assert not np.allclose(base.item_embeddings, other.item_embeddings)


def test_training_is_the_same_under_a_seed(small):
    """Embeddings and history, to the last bit; another seed gives others."""
    a, b, c = (DGRec(**SMALL, seed=s).fit(small) for s in (1, 1, 2))
    assert (a.item_embeddings == b.item_embeddings).all()
    assert a.history == b.history
    assert not np.allclose(a.item_embeddings, c.item_embeddings)


def facility_location(table, chosen):
    """How well the chosen represent all: each by the one that is most like it."""
    return sum(max((line[j] for j in chosen), default=0) for line in np.asarray(table).tolist())


def greedy(table, k):
    """The places that `representing` chooses of one table."""
    return representing(np.array(table)[None], k)[0].tolist()


def test_representing_by_hand():
    """Each is served by the chosen one that is most like it."""
    table = [[1, 0.6, 0.1], [0.6, 1, 0.3], [0.1, 0.3, 1]]
    assert greedy(table, 1) == [1]  # 1.9 against 1.7 and 1.4
    assert greedy(table, 2) == [1, 2]  # 2.6 against 2.3


def test_the_greedy_selection_against_the_best_of_all():
    """It is worth at least 1 - 1/e of the best, step by step the largest gain, and no one twice."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        points = rng.normal(size=(7, 2))
        table = similarity_of(points)
        chosen = greedy(table, 3)
        assert len(set(chosen)) == 3
        best = max(facility_location(table, s) for s in combinations(range(7), 3))
        assert facility_location(table, chosen) >= (1 - 1 / np.e) * best - 1e-12
        for t in range(3):
            gains = [
                facility_location(table, [*chosen[:t], j]) for j in range(7) if j not in chosen[:t]
            ]
            assert facility_location(table, chosen[: t + 1]) == pytest.approx(max(gains))


def test_the_similarity_by_a_plain_loop():
    """exp(-distance / the mean distance), the mean over all pairs, each with itself too."""
    points = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])
    apart = [[float(np.hypot(*(p - q))) for q in points] for p in points]
    mean = sum(map(sum, apart)) / 9
    expected = np.exp(-np.array(apart) / mean)
    assert similarity_of(points) == pytest.approx(expected)
    assert similarity_of(10 * points) == pytest.approx(expected)


def test_equal_vectors_are_at_distance_0_exactly():
    """However long they are: inner products would leave them 1e-8 of their length apart."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(4, 9, 32)) * 1e3
    vectors[:, 5] = vectors[:, 2]
    found = similarity_of(vectors)
    assert (found[:, 2, 5] == 1).all()
    assert (found[:, 5, 2] == 1).all()
    assert found == pytest.approx(np.stack([similarity_of(each) for each in vectors]))


def test_identical_neighbours_are_alike_and_still_chosen_once():
    """Where all distances are 0 there is no scale; the first ones are taken."""
    table = similarity_of(np.ones((4, 2)))
    assert (table == 1).all()
    assert greedy(table, 3) == [0, 1, 2]


def test_selection_leaves_a_user_the_neighbours_that_represent_the_others():
    """Of two like items and one apart, two stay: one of each kind; a short list stays whole."""
    categories = {item: {"x"} for item in "abc"}
    data = interactions({"u": ["a", "b", "c"], "v": ["a", "b"]}, {}, {}, categories)
    graph = normalised(data)
    kept = selected(graph, np.array([[0.0, 0.0], [0.0, 0.1], [9.0, 9.0]]), 2).toarray()
    assert kept[0, 2] > 0
    assert (kept[0, :2] > 0).sum() == 1
    assert (kept[1] == graph.toarray()[1]).all()
    assert kept[0].max() == pytest.approx(1 / 3**0.5)  # weights stay those of all neighbours


def test_neighbours_are_compared_by_what_they_send():
    """e_i / sqrt(|N_i|), as the layer of DGRec's authors does; a plain loop over it and over e_i.

    Item i has i + 2 users, so that the two differ for most users; a choice by e_i would fail.
    """
    rng = np.random.default_rng(4)
    n, k = 9, 3
    lists = {"u": [str(i) for i in range(n)]}
    for i in range(n):
        for v in range(i + 1):
            lists.setdefault(f"v{v}", []).append(str(i))
    data = interactions(lists, {}, {}, {str(i): {"x"} for i in range(n)})
    differ = 0
    for _ in range(20):
        vectors = rng.normal(size=(n, 4))
        kept = set(np.flatnonzero(selected(normalised(data), vectors, k).toarray()[0]).tolist())
        chosen = {
            how: _chosen_by_a_loop([v / (i + 2) ** power for i, v in enumerate(vectors)], k)
            for how, power in (("sent", 0.5), ("bare", 0.0))
        }
        assert kept == chosen["sent"]
        differ += chosen["bare"] != kept
    assert differ > 10


def _chosen_by_a_loop(vectors, k):
    """Greedy facility location over exp(-distance / mean distance), without the package."""
    apart = [
        [sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) ** 0.5 for y in vectors]
        for x in vectors
    ]
    mean = sum(map(sum, apart)) / len(vectors) ** 2
    chosen = []
    for _ in range(k):
        worth = {}
        for j in set(range(len(vectors))) - set(chosen):
            worth[j] = sum(max(np.exp(-row[c] / mean) for c in [*chosen, j]) for row in apart)
        chosen.append(max(worth, key=worth.get))
    return set(chosen)


def test_attention_by_hand():
    """Layers weigh by the softmax of their product with the vector, row by row."""
    low, high = np.array([[1.0, 0.0]]), np.array([[0.0, 2.0]])
    share = 1 / (1 + np.exp(2 * 0.5 - 1 * 1.0))
    found = attended([low, high], np.array([1.0, 0.5]))
    assert found == pytest.approx(share * low + (1 - share) * high)


def test_category_weights_by_hand(hand):
    """(1 - b) / (1 - b^n), scaled to average 1 over categories; no category weighs 1."""
    x, y = (1 - 0.5) / (1 - 0.5**2), 1.0
    scale = 2 / (x + y)
    assert category_weights(hand, 0.5) == pytest.approx([x * scale, x * scale, y * scale, 1])
    assert category_weights(hand, 0.0) == pytest.approx([1, 1, 1, 1])


def test_the_settings_of_the_authors():
    """Typed once more from the authors' files of options, under their names there."""
    dgrec = {"embed_size": 32, "lr": 0.05, "epoch": 1000, "patience": 10, "layers": 1, "k": 20}
    dgrec |= {"neg_number": 4, "beta_class": 0.9}
    here = {"embed_size": "dimensions", "lr": "rate", "epoch": "epochs", "k": "neighbours"}
    here |= {"neg_number": "negatives", "beta_class": "balance"}
    options = vars(DGRec(**settings().dgrec))
    assert {option: options[here.get(option, option)] for option in dgrec} == dgrec
    told = re.search(r"The authors' settings are `(.*?)`", DGRec.__doc__, re.DOTALL)
    said = dict(option.split("=") for option in re.split(r",\s+", told[1]))
    assert vars(DGRec(**{name: literal_eval(value) for name, value in said.items()})) == options


def recall_of(data, users, lists):
    """The mean share of the users' test items that their lists hold."""
    had = data.table("test", users)
    return float((np.take_along_axis(had, lists, axis=1).sum(axis=1) / had.sum(axis=1)).mean())


@pytest.mark.slow
def test_lightgcn_learns_what_can_be_learnt():
    """On known tastes it beats popularity and chance by far."""
    data = catalogue(users=150, items=300, categories=8, per_user=24, popularity=0.2, seed=1)
    users = data.users_with("test")

    def recall(model):
        return recall_of(data, users, model.fit(data).top(users, 20))

    learnt = recall(LightGCN(dimensions=16, epochs=120))
    assert learnt > 1.3 * recall(Popularity())
    assert learnt > 3 * recall(Random())


def test_nothing_is_learnt_from_noise():
    """Where users take items evenly, LightGCN does about as well as chance."""
    data = catalogue(users=150, items=300, per_user=16, taste=0, popularity=0, seed=1)
    users = data.users_with("test")
    lists = LightGCN(dimensions=8, epochs=60).fit(data).top(users, 20)
    assert recall_of(data, users, lists) < 2 * 20 / 300


def test_adam_by_hand():
    """The first step is the rate in the direction of the sign, whatever the slope."""
    step = Adam(0.1)
    moved = step({"x": np.array([1.0, 1.0])}, {"x": np.array([4.0, -0.5])})
    assert moved["x"] == pytest.approx([0.9, 1.1], abs=1e-6)


def _train(check, **options):
    def loss(parameters, _):
        from irmetrics_edu.lab.recommenders.autodiff import anp

        return anp.sum((parameters["x"] - 3) ** 2)

    model = LightGCN(**{"epochs": 50, "rate": 0.1, "every": 2, "patience": 3, **options})
    return model._train(loss, [None] * model.epochs, {"x": np.array([0.0])}, check)


def test_training_stops_when_recall_falls_and_keeps_the_best():
    """Three checks without a better one after the peak at epoch 6, so it ends at epoch 12."""
    recalls = iter([0.1, 0.2, 0.5, 0.4, 0.5, 0.3, 0.9])
    kept, history = _train(lambda _: next(recalls))
    assert history.best == 6
    assert list(history.validation) == [2, 4, 6, 8, 10, 12]
    assert len(history.loss) == 12
    again, _ = _train(None, epochs=6)
    assert kept["x"] == pytest.approx(again["x"])


def test_without_a_check_all_epochs_are_run():
    """And the loss falls."""
    _, history = _train(None)
    assert (history.best, len(history.loss)) == (50, 50)
    assert history.loss[-1] < history.loss[0] / 10


def test_a_loss_that_explodes_is_an_error():
    """It is never taken for training."""
    with (
        np.errstate(over="ignore", invalid="ignore"),
        pytest.raises(InputError, match="choose a smaller learning rate"),
    ):
        _train(None, rate=1e200)


@pytest.mark.parametrize("n", [1, 3, 7, 10])
def test_the_highest_are_those_of_a_full_sort(n):
    """Ties in the order given."""
    rng = np.random.default_rng(0)
    for width, values in ((10, 4), (400, 4), (400, 300), (401, 10**6)):
        scores = rng.integers(0, values, (50, width)).astype(float)
        scores[rng.random(scores.shape) < 0.2] = -np.inf
        expected = np.argsort(-scores, axis=1, kind="stable")[:, :n]
        with np.errstate(invalid="ignore"):  # -inf less -inf
            assert (highest(scores, n) == expected).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: Popularity().recommend(2), "Popularity is not trained yet"),
        (lambda _: LightGCN().recommend(2), "LightGCN is not trained yet"),
        (lambda _: Popularity().fit({"u": ["a"]}), "Popularity can't learn from dict; give Inter"),
        (lambda _: DGRec().fit({"u": ["a"]}), "DGRec can't learn from dict; give Interactions"),
        (lambda d: Popularity().fit(d).recommend(3), "user 'u': 2 items are unseen, too few"),
        (lambda d: Popularity().fit(d).recommend(0), "n=0"),
        (lambda d: Popularity().fit(d).recommend(1, ["w"]), "user 'w' has no items in training"),
        (lambda _: LightGCN(dimensions=0), "dimensions=0"),
        (lambda _: LightGCN(rate=-1), "rate=-1"),
        (lambda _: LightGCN(start=0), "start=0"),
        (lambda _: LightGCN(negatives=0), "negatives=0"),
        (lambda _: LightGCN(stop="nDCG"), "stop='nDCG' is not known; use one of recall, loss"),
        (lambda d: LightGCN(epochs=0).fit(d), "epochs=0"),
        (lambda _: DGRec(neighbours=0), "neighbours=0 is not possible"),
        (lambda _: DGRec(balance=1.0), "balance=1.0"),
    ],
)
def test_bad_input_is_refused(hand, call, message):
    """The message says what was given and what would do."""
    with pytest.raises(InputError, match=message):
        call(hand)
