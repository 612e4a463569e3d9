"""Every algorithm on inputs full of duplicates: the rule decides, and rounding can't reach it."""

from typing import Any

import numpy as np
import pytest

from irmetrics_edu import near_ties
from tests.near_ties import choices

CASES = [(f, seed) for f, inputs in choices.PERTURBED.items() for seed in range(inputs)]
NAMES = [f"{f.__name__} {seed}" for f, seed in CASES]


@pytest.fixture(scope="module")
def chosen() -> dict[tuple[Any, int], dict[str, list[Any]]]:
    """What is chosen of exact duplicates."""
    return {(f, seed): dict(f(seed, choices.none)) for f, seed in CASES}


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_duplicates_stand_in_the_order_given(case, chosen):
    """Of documents that are the same in all, the first comes first (with `ndeval`, the last)."""
    function, seed = case
    for name, found in chosen[case].items():
        if name.endswith((", features", ", E", ", grades", " of 2", " of 4")):
            continue
        kinds = choices.pool(seed)
        if function is choices.learners:
            for q, levels in enumerate(found):
                of = [{choices.pool(seed + q)[int(d[1:])] for d in level} for level in levels]
                assert sum(map(len, of)) == choices.KINDS, (name, q)  # no kind on two levels
            continue
        numbers = [d if isinstance(d, int) else int(d[1:]) for d in found]
        for kind in set(kinds):
            there = [i for i in numbers if kinds[i] == kind]
            every = [i for i, k in enumerate(kinds) if k == kind]
            every = every[::-1] if "ndeval" in name else every
            assert there == every[: len(there)], name


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_what_is_off_by_rounding_is_chosen_as_if_it_were_not(case, chosen):
    """Each number of the input is changed by up to 1e-14 of it, in several ways."""
    function, seed = case
    for again in range(2):
        assert dict(function(seed, choices.relative(1e-14, again))) == chosen[case]


def test_without_the_tolerance_rounding_decides(chosen, monkeypatch):
    """The same changes make other choices if only equal numbers tie."""
    monkeypatch.setattr(near_ties, "TOLERANCE", 0.0)
    differing = set()
    for function, seed in CASES:
        if function is not choices.learners:
            found = dict(function(seed, choices.relative(1e-14, 0)))
            exact = chosen[function, seed]
            differing |= {n.partition(",")[0] for n in found if found[n] != exact[n]}
    assert differing >= {"MMR", "DPP", "xQuAD 0.5", "facet model"}
    assert any(name.startswith("facility location") for name in differing)


def test_adarank_takes_the_first_of_features_that_repeat_each_other(chosen):
    """Features 4 to 6 repeat 1 to 3: they come after them, and never where one may come again."""
    found = chosen[choices.learners, 0]
    assert not {"x4", "x5", "x6"} & set(found["AdaRank, features"])
    once = found["AdaRank, once, features"]
    for first, second in (("x1", "x4"), ("x2", "x5"), ("x3", "x6")):
        assert second not in once or once.index(first) < once.index(second)


def test_copies_of_items_stand_in_catalogue_order():
    """LightGCN's scores of items whose embeddings are the same tie, whatever the BLAS made."""
    data = choices.twins()
    model = choices.Twinned(epochs=2, dimensions=8).fit(data)
    for user, items in model.recommend(40).items():
        numbers = np.array([data.item_number[i] for i in items])
        bought = data.table("train", np.array([data.user_number[user]]))[0]
        for kind in range(9):
            unseen = [i for i in range(kind, len(data.items), 9) if not bought[i]]
            there = numbers[numbers % 9 == kind].tolist()
            assert there == unseen[: len(there)]
