"""AUC for each user: documents of one kind, cut-offs, impressions, and what was not retrieved."""

import random

import numpy as np
import pytest

from irmetrics_edu import compare, evaluate, roc_auc
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.notation import measure
from tests.tables import rows

SEEDS = range(30)
NAN = float("nan")


def by_pairs(relevance, scores, k=None):
    """Every relevant document beside every other, by two loops; None if there is no pair."""
    places = sorted(range(len(scores)), key=lambda i: -scores[i])[:k]
    won = 0.0
    pairs = 0
    for i in places:
        for j in places:
            if relevance[i] < 1 or relevance[j] >= 1:
                continue
            pairs += 1
            if scores[i] > scores[j]:
                won += 1
            elif scores[i] == scores[j]:
                won += 0.5
    return won / pairs if pairs else None


def drawn(seed):
    """Users with few documents: some of one kind, unjudged, missed, without a ranking."""
    source = random.Random(seed)
    run = {}
    judged = {}
    for number in range(40):
        items = [f"i{place}" for place in range(source.randint(1, 6))]
        user = f"u{number}"
        judged[user] = {item: source.randint(0, 1) for item in items}
        retrieved = source.sample([*items, "x", "y"], source.randint(1, len(items)))
        run[user] = {item: float(source.randint(0, 3)) for item in retrieved}
    run["u3"] = {}
    del run["u5"]
    return run, judged


def of_user(run, judged, user, k=None, last=False):
    """The AUC of one user, an unjudged item as not relevant; and how many items were scored."""
    scores = dict(sorted(run.get(user, {}).items()))
    if last:
        for item in judged[user]:
            scores.setdefault(item, -1.0)
    relevance = [judged[user].get(item, 0) for item in scores]
    # trec_eval has the higher id first among documents of equal score.
    found = by_pairs(relevance[::-1], list(scores.values())[::-1], k)
    return found, len(scores) if k is None else min(k, len(scores))


@rows("seed", SEEDS)
@rows("k", [None, 1, 2, 3, 50])
@rows(("said", "worth"), [("half", 0.5), ("zero", 0.0), ("nan", NAN)])
def test_one_list_is_as_by_pairs(seed, k, said, worth):
    """With ties, cut or not; a list of one kind has what is said."""
    source = random.Random(seed)
    n = source.randint(1, 8)
    relevance = [source.randint(0, 2) for _ in range(n)]
    scores = [source.randint(0, 4) for _ in range(n)]
    expected = by_pairs(relevance, scores, k)
    expected = worth if expected is None else expected
    assert roc_auc(relevance, scores, k=k, undefined=said) == pytest.approx(expected, nan_ok=True)
    exact = roc_auc(relevance, scores, k=k, undefined=said, exact=True)
    assert float(exact) == pytest.approx(expected, nan_ok=True)


@rows("seed", SEEDS)
@rows(
    ("option", "last", "cut", "k"),
    [("", False, "", None), ("", False, "@2", 2), (",unretrieved=last", True, "", None)],
)
def test_users_are_as_by_loops(seed, option, last, cut, k):
    """Their means: left out, at one half, and weighted by impressions; renamed and reordered."""
    run, judged = drawn(seed)
    each = {user: of_user(run, judged, user, k, last) for user in judged}
    kept = {user: auc for user, (auc, _) in each.items() if auc is not None}
    halves = [0.5 if auc is None else auc for auc, _ in each.values()]
    weight = sum(each[user][1] for user in kept)
    asked = f"AUC(undefined=skip{option}){cut} AUC(undefined=half{option}){cut} "
    found = evaluate(run, judged, f"{asked} GAUC(undefined=skip{option}){cut}")
    skip, half, gauc = found.mean.values()
    assert skip == pytest.approx(np.mean(list(kept.values())))
    assert half == pytest.approx(np.mean(halves))
    by_hand = sum(auc * each[user][1] for user, auc in kept.items()) / weight
    assert gauc == pytest.approx(by_hand)

    turned = {user: dict(reversed(scores.items())) for user, scores in reversed(run.items())}
    renamed = {f"x{user}": scores for user, scores in turned.items()}
    names = {f"x{user}": grades for user, grades in judged.items()}
    again = evaluate(renamed, names, f"{asked} GAUC(undefined=skip{option}){cut}")
    assert list(again.mean.values()) == pytest.approx([skip, half, gauc])


@rows("seed", SEEDS)
def test_the_notes_count_users_and_items(seed):
    """Users of one kind, and judged items that were not retrieved: as counted by loops."""
    run, judged = drawn(seed)
    one_kind = [u for u in judged if of_user(run, judged, u)[0] is None]
    missed = sum(item not in run.get(u, {}) for u in judged for item in judged[u])
    notes = evaluate(run, judged, "AUC(undefined=half)").notes()
    shown = ", ".join(one_kind[:5])
    who = f"{len(one_kind)} queries, which score 0.5: {shown}"
    assert any(f"it is not defined for {who}" in note for note in notes)
    assert any(f": {missed} judged document" in note for note in notes)
    left_out = evaluate(run, judged, "AUC(undefined=skip,unretrieved=last)").notes()
    assert not any("not retrieved and" in note for note in left_out)
    still = [u for u in judged if of_user(run, judged, u, last=True)[0] is None]
    plural = f"{len(still)} quer"
    assert not still or any(plural in n and "without a score" in n for n in left_out)


def test_a_user_of_one_kind_is_refused_with_both_ways_out():
    """By default; the message has what to write, and each of them works."""
    run = {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 3}}
    judged = {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"a": 1}}
    with pytest.raises(InputError, match="query 'q2': of 1 documents all are relevant") as refused:
        evaluate(run, judged, "AUC")
    for written, mean in (("AUC(undefined=skip)", 1.0), ("AUC(undefined=half)", 0.75)):
        assert written in str(refused.value)
        assert evaluate(run, judged, written)[written] == mean


def test_impressions_weigh_users():
    """Three items of a user at AUC 1/2 and two at 1: (3/2 + 2) / 5."""
    run = {"u1": {"a": 3, "b": 2, "c": 1}, "u2": {"a": 2, "b": 1}}
    judged = {"u1": {"a": 0, "b": 1, "c": 0}, "u2": {"a": 1, "b": 0}}
    found = evaluate(run, judged, "AUC GAUC")
    assert found.mean == {"AUC": 0.75, "GAUC": pytest.approx(0.7)}
    assert evaluate(run, judged, "AUC", averaging="impressions")["AUC"] == pytest.approx(0.7)
    assert found.aggregation("GAUC")["weight"].tolist() == [3, 2]
    assert measure("gauc(undefined=skip)@5").name == "GAUC(undefined=skip)@5"


def test_impressions_are_of_scored_documents_alone():
    """Other measures have none, and weights of one's own are refused beside them."""
    run, judged = {"q": {"a": 2, "b": 1}}, {"q": {"a": 1, "b": 0}}
    with pytest.raises(InputError, match="averaging=impressions weighs queries by the documents"):
        evaluate(run, judged, "AP", averaging="impressions")
    with pytest.raises(InputError, match="weights can't be given too"):
        evaluate(run, judged, "GAUC", weights={"q": 2})
    notes = compare({"one": run, "two": run}, judged, "GAUC AUC").notes()
    assert any("would test another number; test AUC, whose mean" in note for note in notes)


def test_ties_that_share_ranks_have_no_first_k():
    """An AUC of all documents needs no order of ties."""
    run, judged = {"q": {"a": 1, "b": 1}}, {"q": {"a": 1, "b": 0}}
    assert evaluate(run, judged, "AUC", ties="averaged")["AUC"] == 0.5
    with pytest.raises(InputError, match="AUC can't be computed with ties='averaged'"):
        evaluate(run, judged, "AUC@1", ties="averaged")


@pytest.mark.parametrize("name", ["AUC(undefined=half)", "PR-AUC", "break-even"])
def test_a_user_without_a_ranking_is_scored(name):
    """Empty or not in the run: one half, or no precision."""
    worth = 0.5 if name.startswith("AUC") else 0
    found = evaluate({"q1": {}}, {"q1": {"a": 1}, "q2": {"a": 1}}, name)
    assert found.per_query[name] == {"q1": worth, "q2": worth}


def test_unjudged_documents_are_counted_for_curves_alone():
    """They count as not relevant, which was not told where no other measure was asked for."""
    notes = evaluate({"q": {"a": 2, "x": 1}}, {"q": {"a": 1, "b": 0}}, "AUC").notes()
    assert "1 of 2 documents retrieved is not judged (50%)" in notes


def test_measures_of_pairs_tell_of_undefined_queries():
    """Another measure with a value for what is not defined."""
    run = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}}
    notes = evaluate(run, {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}, "pair_accuracy").notes()
    assert "pair_accuracy: it is not defined for 1 query, which scores 0: q2" in notes
