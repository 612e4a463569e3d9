"""Interleaving against the algorithms as they were published, and its fairness over all coins."""

from itertools import permutations, product
from random import Random

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import Chance, balanced, preference, team_draft


def balanced_oracle(a, b, a_first, depth):
    """Algorithm 1 of Radlinski, Kurup & Joachims (2008), to a depth of both rankings."""
    made, ka, kb = [], 0, 0
    while ka < depth or kb < depth:
        if ka < kb or (ka == kb and a_first):
            made += [a[ka]] * (a[ka] not in made)
            ka += 1
        else:
            made += [b[kb]] * (b[kb] not in made)
            kb += 1
    return made


def team_oracle(a, b, coins):
    """Algorithm 2 of the same paper: the smaller team chooses, and a coin if both are equal."""
    made, teams, coins = [], {"A": [], "B": []}, iter(coins)
    while set(a) - set(made) and set(b) - set(made):
        ours, theirs = len(teams["A"]), len(teams["B"])
        team = "A" if ours < theirs or (ours == theirs and next(coins) == "A") else "B"
        document = next(d for d in (a if team == "A" else b) if d not in made)
        made.append(document)
        teams[team].append(document)
    return made, teams


def some_rankings():
    """Rankings of the same documents, and of others."""
    random = Random(4)
    for _ in range(60):
        yield random.sample("abcdefgh", 5), random.sample("abcdefgh", 5)


def test_lists_are_those_of_the_published_algorithms():
    """For either coin, and for random ones; cut at any length."""
    random = Random(5)
    for a, b in some_rankings():
        for first in "AB":
            expected = balanced_oracle(a, b, first == "A", 5)
            assert list(balanced(a, b, first=first).documents) == expected
            assert list(balanced(a, b, first=first, length=3).documents) == expected[:3]
        coins = "".join(random.choice("AB") for _ in range(9))
        made, teams = team_oracle(a, b, coins)
        found = team_draft(a, b, first=coins)
        assert list(found.documents) == made
        for team in "AB":
            chosen = [d for d, t in zip(found.documents, found.teams, strict=True) if t == team]
            assert chosen == teams[team]
        assert team_draft(a, b, first=coins, length=3).documents == tuple(made[:3])


def test_a_balanced_list_sees_both_to_the_same_depth():
    """Each beginning of it is a beginning of A with one of B, at most 1 apart in depth."""
    for a, b in some_rankings():
        made = balanced(a, b, first="B").documents
        for n in range(1, len(made) + 1):
            assert any(
                set(made[:n]) == {*a[:i], *b[:j]}
                for i in range(6)
                for j in (i - 1, i, i + 1)
                if j >= 0
            )


def test_random_clicks_prefer_b_if_balanced_and_nobody_in_a_team_draft():
    """The example of Radlinski et al.: B is A with its first document moved to the end."""
    a, b = list("pqrs"), list("qrsp")
    signs = [balanced(a, b, first=f).credit([d]).sign for f in "AB" for d in "pqrs"]
    assert sorted(signs) == [-1] * 6 + [1] * 2
    for of in permutations("pqrs"):
        signs = [
            team_draft(a, of, first="".join(coins)).credit([d]).sign
            for coins in product("AB", repeat=2)
            for d in "pqrs"
        ]
        assert sum(signs) == 0


def test_credit():
    """No click is a tie; two clicks on one document are one; balanced credit by hand."""
    found = balanced(["a", "b", "c"], ["c", "a", "d"], first="A")
    assert found.documents == ("a", "c", "b", "d")
    assert found.credit([]) == (0, 0)
    # b is at depth 2 of A, so k = 2: A has a and b there, B has c and a.
    assert found.credit(["b", "a", "b"]) == (2, 1)
    assert found.credit(["d"]) == (0, 1)
    assert found.credit(["c"]).sign == -1
    draft = team_draft(["a", "b"], ["b", "a"], first="B")
    assert (draft.documents, draft.teams) == (("b", "a"), "BA")
    assert draft.credit(["a", "b"]).sign == 0


def test_coins_are_fair_and_seeded():
    """A seed gives the same coins; A goes first half of the time."""
    firsts = Chance(1).coins(400)
    assert 160 < firsts.count("A") < 240
    assert firsts[:50] == Chance(1).coins(50)
    assert set(firsts) == {"A", "B"}


def test_a_loop_tosses_new_coins():
    """Equal rankings of two documents, and a user who clicks the first: no preference."""
    chance, a, b = Chance(3), ["p", "q"], ["q", "p"]
    for made in (team_draft, balanced):
        signs = [
            found.credit(found.documents[:1]).sign
            for found in (made(a, b, first=chance.coins(1)) for _ in range(2000))
        ]
        assert abs(preference(signs).value) < 0.04
        with pytest.raises(InputError, match="first=''; give A or B for each round"):
            made(a, b, first="")


def test_the_preference_over_impressions():
    """The share that A wins, with half a win for a tie, less one half."""
    assert preference([1, 1, 0, -1]).value == pytest.approx((2 + 1 / 2) / 4 - 1 / 2)
    assert (preference([1]).value, preference([-1]).value) == (0.5, -0.5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: team_draft([], ["a"], first="A"), "ranking A is empty"),
        (lambda: team_draft(["a"], ["b", "c"], first="AA"), "A has 1 documents and B has 2"),
        (lambda: team_draft([*"abc"], ["a"], first="A", length=2), "give length=1 or less"),
        (lambda: balanced(["a"], [], first="A"), "ranking B is empty"),
        (lambda: balanced("abc", ["a"], first="A"), "the ranking is the text"),
        (lambda: balanced(["a", "a"], ["b"], first="A"), "ranked by A twice"),
        (lambda: team_draft(["a"], [["b"]], first="A"), "holds a list"),
        (lambda: team_draft(["a", "b", "c"], ["c", "b", "a"], first="A"), "after 1 rounds"),
        (lambda: balanced(["a"], ["b"], first="C"), "give A or B"),
        (lambda: balanced(["a"], ["b"], first="A", length=0), "length=0"),
        (lambda: balanced(["a"], ["b"], first="A").credit(["c"]), "'c' was clicked and not shown"),
        (lambda: preference([]), "no impressions"),
        (lambda: preference([1, 2]), "2 is no sign"),
        (lambda: preference([True]), "True is no sign"),
    ],
)
def test_bad_input_is_refused(call, message):
    """With what was given."""
    with pytest.raises(InputError, match=message):
        call()
