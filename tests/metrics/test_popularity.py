"""Popularity, novelty, personalisation, serendipity, coverage: loops, `evaluate`, CLI, errors."""

import json
import math
import re
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import exposure as oracle
from irmetrics_edu import evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics import exposure
from irmetrics_edu.metrics.popularity import (
    average_popularity,
    popularity_complement,
    popularity_lift,
    propensity_scored_ndcg,
    propensity_scored_precision,
    self_information,
    serendipity,
)
from irmetrics_edu.metrics.variety import catalogue_coverage, personalisation
from irmetrics_edu.rows.recommended import Lists

ITEMS = "abcdef"
profiles = st.lists(st.sets(st.sampled_from(ITEMS)), min_size=1, max_size=6).map(
    lambda known: {f"u{i}": items for i, items in enumerate([set(ITEMS), *known])}
)
recommended = st.lists(st.sampled_from(ITEMS), unique=True, min_size=1)
three_items = st.permutations(ITEMS).map(lambda order: order[:3])


def popularity_by_user(known):
    """Ask every user about every item."""
    return {
        i: sum(1 for items in known.values() if i in items) for i in set().union(*known.values())
    }


def apart(lists):
    """1 - the mean overlap of every two lists of one length."""
    pairs = list(combinations(lists, 2))
    return 1 - sum(Fraction(len(set(a) & set(b)), len(a)) for a, b in pairs) / len(pairs)


@given(
    recommended, st.sets(st.sampled_from(ITEMS), min_size=1), profiles, st.sampled_from([None, 3])
)
def test_hits_count_by_their_propensity(items, relevant, known, k):
    """As plain loops over the paper's propensities; a list may be shorter than k."""
    counts, users = popularity_by_user(known), 20
    for metric, discounted in (
        (propensity_scored_precision, False),
        (propensity_scored_ndcg, True),
    ):
        expected = oracle.propensity_scored(
            items, relevant, counts, k, users=users, a="0.55", b="1.5",
            undefined="zero", discounted=discounted,
        )  # fmt: skip
        found = metric(items, relevant, counts, users=users, k=k)
        assert found == pytest.approx(float(expected), abs=1e-12)


def test_propensities_by_hand():
    """Of an item that one user knows 1 / p is ln(users): p is 1 / (1 + ln N - 1).

    Of 100 users, a is known to 1 and b to 4: 1 / p is 4.6052 and 1 + 3.6052 (2.5 / 5.5)^0.55, so
    4.6052 and 3.3367. Over two ranks: 7.9419 / 2. The second rank has the discount 0.6309.
    """
    counts = {"a": 1, "b": 4}
    assert propensity_scored_precision(["a", "b"], {"a", "b"}, counts, users=100) == pytest.approx(
        3.97095, abs=1e-4
    )
    assert propensity_scored_ndcg(["a", "b"], {"a", "b"}, counts, users=100) == pytest.approx(
        (4.6052 + 3.3367 * 0.6309) / 1.6309, abs=1e-4
    )
    for users, said in (
        (None, "users=None is not possible"),
        (2, "users=2 is not possible.*from 3 to"),
    ):
        with pytest.raises(InputError, match=said):
            propensity_scored_precision(["a"], {"a"}, {"a": 1}, users=users)


@given(recommended, profiles)
def test_measures_of_popularity_ask_the_users(items, known):
    """ARP, novelty and EPC from counts are those of asking every user."""
    counts, users = popularity_by_user(known), len(known)
    average = oracle.average_popularity(items, counts, "zero")
    assert average_popularity(items, counts, exact=True) == average
    assert popularity_complement(items, counts, users=users, exact=True) == 1 - average / users
    assert oracle.share_without(items, counts, users, "zero") == 1 - average / users
    expected = float(oracle.novelty(items, counts, users, "zero"))
    assert self_information(items, counts, users=users) == pytest.approx(expected, abs=1e-12)


@given(recommended, st.sets(st.sampled_from(ITEMS), min_size=1), profiles)
def test_popularity_lift_compares_with_what_was_chosen(items, chosen, known):
    """The ratio of two averages that are asked of the users, less 1."""
    counts = popularity_by_user(known)
    expected = oracle.popularity_lift(items, chosen, counts, "zero")
    assert popularity_lift(items, chosen, counts, exact=True) == expected


@given(st.lists(three_items, min_size=2, max_size=5))
def test_the_mean_of_personalisation_is_over_all_pairs_of_lists(lists):
    """Each user's value comes from counts; the mean is that of comparing every two lists."""
    run = {f"u{i}": items for i, items in enumerate(lists)}
    shown = exposure(run)
    scores = [personalisation(i, shown, users=len(run), exact=True) for i in lists]
    assert sum(scores) / len(scores) == apart(lists)


@given(recommended, st.sets(st.sampled_from(ITEMS), min_size=1), st.sets(st.sampled_from(ITEMS)))
def test_serendipity_counts_what_is_of_use_and_new(items, relevant, expected):
    """As sets."""
    score = serendipity(items, relevant, sorted(expected), exact=True)
    assert score == oracle.serendipity(items, relevant, expected, "zero")


@given(st.lists(three_items, min_size=1, max_size=5), st.integers(1, 3))
def test_catalogue_coverage_is_the_share_that_anybody_sees(lists, k):
    """The union of the lists, over the catalogue."""
    expected = oracle.catalogue_coverage([items[:k] for items in lists], ITEMS)
    assert catalogue_coverage(lists, list(ITEMS), k=k, exact=True) == expected
    working = catalogue_coverage.working(lists, list(ITEMS), k=k)
    counted = dict(zip(working["item"], working["exposure"], strict=True))
    assert counted == exposure(lists, ITEMS, k=k)


def test_half_as_many_users_are_one_bit_more():
    """By hand: 8, 4 and 1 of 8 users are 0, 1 and 3 bits."""
    working = self_information.working(["x", "y", "z"], {"x": 8, "y": 4, "z": 1}, users=8)
    assert working["self-information"].tolist() == [0, 1, 3]
    assert working.value == pytest.approx(4 / 3)
    assert math.copysign(1, self_information(["x"], {"x": 8}, users=8)) == 1  # not minus zero


RUN = {"u1": ["a", "b"], "u2": ["a", "c"]}
COUNTS = {"a": 4, "b": 2, "c": 1}


def test_a_run_is_evaluated(tmp_path):
    """With a mapping or a JSON file beside, each user apart and the mean over them."""
    names = ["ARP@1", "novelty(users=4)", "EPC(users=4)@2"]
    e = evaluate(RUN, None, names, popularity=COUNTS)
    assert e.per_query["ARP@1"] == {"u1": 4, "u2": 4}
    assert e.per_query["novelty(users=4)"] == {"u1": 0.5, "u2": 1}
    assert e.mean["EPC(users=4)@2"] == (0.25 + 0.375) / 2
    file = tmp_path / "popularity.json"
    file.write_text(json.dumps(COUNTS), encoding="utf-8")
    assert evaluate(RUN, None, names, popularity=file).mean == e.mean
    relevant = {"u1": {"b"}, "u2": {"a"}}
    e = evaluate(RUN, relevant, "popularity_lift", popularity=COUNTS)
    assert e.per_query["popularity_lift"] == {"u1": 0.5, "u2": 2.5 / 4 - 1}
    e = evaluate(RUN, relevant, "serendipity", expected=["a"])
    assert e.per_query["serendipity"] == {"u1": 0.5, "u2": 0}


def test_a_whole_system_can_be_asserted():
    """All users' lists in one call; the failure shows who is shown and who is not."""
    from irmetrics_edu.gate import RankingAssertionError, assert_catalogue_coverage

    assert assert_catalogue_coverage(RUN, ["a", "b", "c"], at_least=0.9) == 1
    with pytest.raises(RankingAssertionError, match=r"catalogue_coverage@1 0\.3333 < 0\.9"):
        assert_catalogue_coverage(RUN, ["a", "b", "c"], k=1, at_least=0.9)


def test_the_command_takes_the_file(tmp_path, capsys):
    """Without it, the message names the option."""
    (tmp_path / "qrels").write_text("u1 0 b 1\nu2 0 a 1\n", encoding="utf-8")
    lines = [f"{u} Q0 {d} {i} {9 - i} t\n" for u, r in RUN.items() for i, d in enumerate(r)]
    (tmp_path / "run").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "p.json").write_text(json.dumps(COUNTS), encoding="utf-8")
    files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    assert main(["evaluate", *files, "-m", "ARP", "--popularity", str(tmp_path / "p.json")]) == 0
    assert re.search(r"ARP\W+2\.7500", capsys.readouterr().out)
    assert main(["evaluate", *files, "-m", "ARP"]) == 2
    assert "give --popularity FILE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: average_popularity(["x"], {"a": 1}), "rank 1: item 'x' is not in popularity"),
        (lambda: average_popularity(["a"], {"a": -1}), r"popularity\['a'\]=-1 is not"),
        (lambda: average_popularity(["a"], {"a": 0.5}), r"popularity\['a'\]=0\.5 is not"),
        (lambda: average_popularity(["a"], [1]), r"popularity=\[1\] is not a mapping"),
        (lambda: average_popularity([], {"a": 1}), "the list is empty"),
        (lambda: popularity_lift(["a"], {"b"}, {"a": 1}), "item 'b' is not in popularity"),
        (
            lambda: popularity_lift(["a"], {"b"}, {"a": 1, "b": 0}),
            "the items that the user chose have popularity 0, so the lift would divide by 0",
        ),
        (lambda: popularity_lift(["a"], {"b": 0}, {"a": 1}), "the user chose nothing"),
        (lambda: popularity_lift([], {"a"}, {"a": 1}), "the list is empty"),
        (
            lambda: self_information(["a"], {"a": 1}),
            "users=None is not possible.*: the number of users in the training data",
        ),
        (lambda: self_information(["a"], {"a": 0}, users=5), "has popularity 0"),
        (lambda: self_information(["a"], {"a": 9}, users=5), "count 9, more than users=5"),
        (lambda: personalisation(["a"], {"a": 0}, users=5), "has exposure 0"),
        (
            lambda: personalisation(["a"], {"a": 1}, users=1),
            "users=1 is not possible.*the number of lists",
        ),
        (lambda: catalogue_coverage([["x"]], ["a"]), "item 'x' is not in the catalogue"),
        (lambda: catalogue_coverage([["a"]], []), "the catalogue is empty"),
        (
            lambda: catalogue_coverage([["a"]], "ab"),
            "catalogue='ab' is not a collection; give all items",
        ),
        (lambda: catalogue_coverage("ab", ["a"]), "lists='ab' is not a collection"),
        (lambda: catalogue_coverage([["a", "a"]], ["a"]), "recommended twice"),
        (lambda: serendipity(["a"], {"a"}, "a"), "expected='a' is not a collection"),
        (lambda: serendipity([1], {1}, ["1"]), "only in type"),
        (lambda: serendipity(["a"], set(), ["a"]), "nothing is judged"),
    ],
)
def test_what_has_no_value_is_refused(call, words):
    """Each message says what was given and what to give."""
    with pytest.raises(InputError, match=words):
        call()


def test_an_empty_list_is_worth_what_is_said():
    """Zero or no number."""
    assert average_popularity([], COUNTS, undefined="zero") == 0
    assert popularity_lift([], {"a"}, COUNTS, undefined="zero") == 0
    assert np.isnan(personalisation([], COUNTS, users=4, undefined="nan"))
    with pytest.raises(NotRational):
        self_information(["a"], COUNTS, users=4, exact=True)


def test_a_system_among_several_keeps_its_own_items():
    """Two of three items are shown by the first, one of two by the second, three of three last."""
    systems = [
        ([["a", "b"], ["a"]], ["a", "b", "c"]),
        ([["y"]], ["x", "y"]),
        ([["z", "w"], ["v"]], ["v", "w", "z"]),
    ]
    together = Lists.joined([catalogue_coverage.align(*system) for system in systems])
    whole = catalogue_coverage.measured(together)
    assert whole.score.tolist() == pytest.approx([2 / 3, 1 / 2, 1])
    for q, (lists, catalogue) in enumerate(systems):
        alone = whole.of(q).rows
        assert list(alone.item) == catalogue
        shown = [alone.item[i] for i in alone.shown.tolist()]
        assert shown == [item for ranking in lists for item in ranking]
