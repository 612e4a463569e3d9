"""Unjudged documents that count with a stated grade: in the ranking alone."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import diagnose, err, evaluate, explain, ndcg
from irmetrics_edu.errors import InputError

DOCUMENTS = "abcdefg"
RANKING = st.lists(st.sampled_from(DOCUMENTS), unique=True, min_size=1)
SCORED = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 2), min_size=1)
JUDGED = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1)
GRADE = st.integers(0, 3)
TIES = st.sampled_from(
    ["given", "docid", "docid_ascending", "reversed", "pessimistic", "optimistic", "averaged"]
)
# Measures that read the ranking alone; the ideal and R stay as they are for all others.
OF_RANKING = "P@3 RR DCG@4 DCG(gain=exp) RBP(gain=share(4)) Success@2"


def dcg(grades):
    """With the linear gain."""
    return sum(g / math.log2(i + 2) for i, g in enumerate(grades))


@given(RANKING, JUDGED, GRADE)
def test_the_ranking_has_the_grade_and_the_judgments_do_not(ranking, judged, grade):
    """By plain loops of nDCG and R."""
    grades = [judged.get(document, grade) for document in ranking]
    relevant = sum(g >= 1 for g in judged.values())
    best = dcg(sorted(judged.values(), reverse=True))
    scores = evaluate({"q": ranking}, {"q": judged}, "nDCG R", unjudged=f"grade({grade})").mean
    assert scores["nDCG"] == pytest.approx(dcg(grades) / best if best else 0)
    assert scores["R"] == pytest.approx(sum(g >= 1 for g in grades) / relevant if relevant else 0)


@given(SCORED, JUDGED, GRADE, TIES)
def test_it_is_as_if_it_had_been_judged_so(scored, judged, grade, ties):
    """In every order of ties, where nothing but the ranking is read, and something is relevant."""
    judged = {**judged, "z": 1}
    completed = {**dict.fromkeys(scored, grade), **judged}
    by = {"ties": ties}
    names = OF_RANKING if ties == "averaged" else f"{OF_RANKING} ERR(max_grade=4)"
    counted = evaluate({"q": scored}, {"q": judged}, names, unjudged=f"grade({grade})", **by)
    written = evaluate({"q": scored}, {"q": completed}, names, **by)
    for name, value in written.mean.items():
        assert counted.mean[name] == pytest.approx(value), name


@given(SCORED, JUDGED, TIES)
def test_grade_0_is_no_gain(scored, judged, ties):
    """Of measures for which an unjudged document is a document of grade 0."""
    names = f"{OF_RANKING} nDCG AP R nDCG(ideal=retrieved)"
    as_zero = evaluate({"q": scored}, {"q": judged}, names, unjudged="grade(0)", ties=ties).mean
    usual = evaluate({"q": scored}, {"q": judged}, names, ties=ties).mean
    assert as_zero == pytest.approx(usual)


def test_the_pool_of_the_retrieved_holds_what_was_judged():
    """R is 2 and the ideal 2, 1: the unjudged document stands first and has grade 1."""
    by = {"unjudged": "grade(1)", "pool": "retrieved"}
    scores = evaluate({"q": ["u", "b", "c"]}, {"q": {"a": 3, "b": 2, "c": 1}}, "R nDCG", **by).mean
    assert scores["R"] == 1.5
    assert scores["nDCG"] == pytest.approx(dcg([1, 2, 1]) / dcg([2, 1]))


def test_a_copy_still_gains_nothing():
    """The second place of u is no document of grade 1."""
    by = {"unjudged": "grade(1)", "duplicates": "no_gain"}
    assert evaluate({"q": ["u", "u", "b"]}, {"q": {"b": 1}}, "P", **by).mean == {"P": 2 / 3}


def test_it_is_asked_for_in_every_way():
    """By a function, in a measure's name, and for a whole call; `None` in a list is unjudged."""
    assert err([3, None, 2], max_grade=3, unjudged="grade(1.5)") == pytest.approx(0.90134, abs=1e-5)
    assert ndcg([None, 1], unjudged="grade(1)") == pytest.approx(1 + 1 / math.log2(3))
    measure = "ERR(max_grade=3,unjudged=grade(1.5))"
    scores = evaluate({"q": ["a", "u", "b"]}, {"q": {"a": 3, "b": 2}}, measure).mean
    assert scores[measure] == pytest.approx(0.90134, abs=1e-5)
    assert "1.5" in str(explain(measure, ["a", "u", "b"], {"a": 3, "b": 2}))


def test_what_counts_the_judged_counts_what_somebody_judged():
    """Two of three are judged; four documents are known in all."""
    names = "Judged@3 Hole@3 fall-out(collection=5)"
    by = {"unjudged": "grade(0)"}
    run, qrels = {"q": ["u", "a", "b"]}, {"q": {"a": 1, "b": 0, "z": 1}}
    counted = evaluate(run, qrels, names, **by).mean
    assert counted == evaluate(run, qrels, names).mean
    assert counted["Judged@3"] == pytest.approx(2 / 3)
    with pytest.raises(InputError, match="collection=3 is too small: 4 documents"):
        evaluate(run, qrels, "fall-out(collection=3)", **by)


@pytest.mark.parametrize("written", ["grade(-1)", "grade(x)", "grade(nan)", "grade(inf)"])
def test_what_is_no_grade_is_refused(written):
    """With what to write instead."""
    with pytest.raises(InputError, match=r"give a number from 0 on, as in grade\(1\)"):
        evaluate({"q": ["a"]}, {"q": {"a": 1}}, "RR", unjudged=written)


def test_nuggets_have_no_grade_of_a_document():
    """So a grade for what nobody judged is refused there."""
    with pytest.raises(InputError, match="no grade of a whole document"):
        evaluate({"q": ["a"]}, {"q": {"a": {"n1": 1}}}, "S-recall@2", unjudged="grade(1)")


@pytest.mark.parametrize(
    ("measure", "grades", "value", "named"),
    [
        ("ERR(max_grade=3)@10", [3, None, 2], "0.90134", "grade(1.5)"),
        # 7 + 1/log2(3) x 3 + 3/2, over 7 + 3/log2(3), by hand.
        ("nDCG(gain=exp)@10", [3, None, 2], "1.16868", "grade(2)"),
    ],
)
def test_diagnose_names_it_with_the_search_engines_that_have_it(measure, grades, value, named):
    """The rating of unknown documents."""
    found = str(diagnose(measure, grades, value=value))
    assert f'unjudged="{named}"' in found
    assert "Elasticsearch" in found


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("unretrieved", ["absent", "last"])
def test_the_pairs_of_auc_hold_the_unjudged_as_is_said(seed, unretrieved):
    """Not at all, or with a grade, also where all or none are judged: by a loop over pairs."""
    chance = random.Random(seed)
    run = {document: float(chance.randint(0, 4)) for document in DOCUMENTS}
    judged = chance.sample(DOCUMENTS, chance.randint(1, len(DOCUMENTS)))
    grades = {document: chance.randint(0, 1) for document in [*judged, "y", "z"]}
    scores = {**dict.fromkeys(grades, -1.0), **run} if unretrieved == "last" else run
    for said in ("removed", "grade(0)", "grade(1)"):
        unjudged = None if said == "removed" else float(said[6])
        of_each = [(score, grades.get(d, unjudged)) for d, score in scores.items()]
        good = [score for score, grade in of_each if grade == 1]
        bad = [score for score, grade in of_each if grade == 0]
        wins = [(s > t) + (s == t) / 2 for s in good for t in bad]
        expected = sum(wins) / len(wins) if wins else 0.5
        asked = f"AUC(undefined=half,unretrieved={unretrieved})"
        found = evaluate({"q": run}, {"q": grades}, asked, unjudged=said)
        assert list(found.mean.values()) == [pytest.approx(expected)]
