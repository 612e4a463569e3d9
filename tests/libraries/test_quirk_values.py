"""Values of libraries that sentences of their bundles speak of, as the libraries gave them."""

import math
from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pytest

from irmetrics_edu import compare, evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, bundle

# torchmetrics 1.9.0, scores -1 and -2, targets 1 and 0: which measures count the document at -1.
AT_OR_BELOW_0 = {
    "retrieval_average_precision top_k=None": 0.0,
    "retrieval_reciprocal_rank top_k=None": 0.0,
    "retrieval_precision top_k=None": 0.0,
    "retrieval_recall top_k=None": 0.0,
    "retrieval_hit_rate top_k=None": 1.0,
    "retrieval_fall_out top_k=None": 1.0,
    "retrieval_normalized_dcg": 1.0,
    "retrieval_r_precision": 1.0,
}
OURS_OF_THESE = {"retrieval_precision top_k=None": 0.5}  # all others are 1


@pytest.mark.parametrize("name", AT_OR_BELOW_0)
def test_the_quirk_of_scores_at_or_below_0_is_about_the_measures_that_have_it(name):
    """It sets targets to 0 there; the quirk names these measures and no others."""
    about = [q for q in BUNDLES["torchmetrics"].quirks if "score is 0 or below" in q.says]
    assert len(about) == 1
    score = evaluate(
        {"q": {"a": -1.0, "b": -2.0}},
        {"q": {"a": 1, "b": 0}},
        *bundle("torchmetrics").measure(name),
    )
    ours = next(iter(score.mean.values()))
    assert ours == OURS_OF_THESE.get(name, 1.0)
    assert about[0].concerns(name, "falling50") == (AT_OR_BELOW_0[name] != ours)
    counted = about[0].says.partition(";")[2]
    words = {
        "nDCG": "normalized_dcg",
        "hit rate": "hit_rate",
        "fall-out": "fall_out",
        "R-precision": "r_precision",
    }
    named = [word for word, part in words.items() if part in name]
    assert all(word in counted for word in named)


# pyndeval 0.0.8: one relevant document at this rank of 30, of one subtopic.
BELOW_RANK_20 = {
    21: {
        "MAP-IA": 0.047619047619047616,
        "NRBP": 7.152557373046875e-07,
        "nNRBP": 9.5367431640625e-07,
    },
    25: {"MAP-IA": 0.04, "NRBP": 4.470348358154297e-08, "nNRBP": 5.960464477539063e-08},
}


@pytest.mark.parametrize("rank", BELOW_RANK_20)
def test_ndeval_counts_documents_below_rank_20_where_no_cut_off_is_named(rank):
    """No sentence of the bundle says otherwise."""
    run = {"1": {f"d{i:03}": 1000.0 - i for i in range(1, 31)}}
    qrels = {"1": {f"d{rank:03}": {"1": 1}}}
    for name, value in BELOW_RANK_20[rank].items():
        found = evaluate(run, qrels, *bundle("ndeval").measure(name))
        assert next(iter(found.mean.values())) == pytest.approx(value, rel=1e-6), name
    said = [bundle("ndeval").meaning, *(q.says for q in bundle("ndeval").quirks)]
    assert not [text for text in said if "20" in text]


# ranx 0.3.21, grades a .5, b 2.75, c 1.5, d .25, e 3.3 ranked in this order.
OF_FRACTIONS = {
    "ndcg": 0.6137135974849396,
    "map": 0.5888888888888889,
    "mrr": 0.5,
    "precision": 0.6,
    "recall": 1.0,
    "ndcg_burges": 0.5430505007378631,
    "dcg@3": 1.761859507142915,
    "r-precision": 0.6666666666666666,
}


FRACTIONS = {"q": {"a": 0.5, "b": 2.75, "c": 1.5, "d": 0.25, "e": 3.3}}
CUT = "5 grades have a fraction and are cut to the whole number towards 0"


def as_mapping(_):
    """The judgments as they are."""
    return FRACTIONS


def as_frame(_):
    """The same as a data frame."""
    rows = [("q", d, grade) for d, grade in FRACTIONS["q"].items()]
    return pd.DataFrame(rows, columns=["query", "document", "grade"])


def as_table(folder):
    """The same as a file."""
    path = folder / "judged.csv"
    as_frame(folder).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("given_as", [as_mapping, as_frame, as_table])
@pytest.mark.parametrize("name", OF_FRACTIONS)
def test_grades_with_a_fraction_are_cut_as_ranx_cuts_them(name, given_as, tmp_path):
    """The numbers are its own, whatever holds the judgments, and a note tells of the cut."""
    run = {"q": {d: 5.0 - i for i, d in enumerate("abcde")}}
    found = evaluate(run, given_as(tmp_path), *bundle("ranx").measure(name))
    assert next(iter(found.mean.values())) == pytest.approx(OF_FRACTIONS[name])
    assert CUT in found.notes()


@pytest.mark.parametrize("unjudged", ["zero", "ignore"])
def test_the_cut_is_told_where_queries_are_not_judged_too(unjudged, tmp_path):
    """Two queries, one of them not judged: the mean of 0.6 is halved where it scores 0."""
    run = {q: {d: 5.0 - i for i, d in enumerate("abcde")} for q in ("q", "other")}
    for given in (FRACTIONS, as_table(tmp_path)):
        found = evaluate(run, given, "P@5", "ranx", unjudged_queries=unjudged)
        assert found["P@5"] == pytest.approx(0.3 if unjudged == "zero" else 0.6)
        assert CUT in found.notes()


def test_two_runs_are_compared_by_the_grades_that_were_cut(tmp_path):
    """Judgments from a file are read once for both."""
    run = {"q": {d: 5.0 - i for i, d in enumerate("abcde")}}
    runs = {"one": run, "other": {"q": {"a": 2.0, "e": 1.0}}}
    for given in (FRACTIONS, as_table(tmp_path)):
        found = compare(runs, given, "P@5", "ranx").evaluations
        means = {name: e["P@5"] for name, e in found.items()}
        assert means == {"one": pytest.approx(0.6), "other": pytest.approx(0.2)}


@pytest.mark.parametrize("grade", [math.nan, math.inf, "2.75", Fraction(10**400, 3)])
def test_what_is_no_grade_is_refused_and_not_cut(grade):
    """The error names the grade as it was given, or cut where it is beyond all numbers."""
    with pytest.raises(InputError, match=r"query 'q', document 'b'"):
        evaluate({"q": ["a", "b"]}, {"q": {"a": 1, "b": grade}}, "P@5", "ranx")


@pytest.mark.parametrize("grade", [-0.5, 0.9, Fraction(1, 2), Decimal("0.75"), None])
def test_a_grade_between_minus_1_and_1_is_0(grade):
    """Towards 0, whatever kind of number it is; None is not judged, and not relevant either."""
    found = evaluate({"q": ["b", "a"]}, {"q": {"a": 1, "b": grade}}, "RR", "ranx")
    assert found["RR"] == 0.5


def test_other_conventions_leave_fractions_as_they_are_and_whole_grades_need_no_note():
    """Only a bundle that says so cuts: with 2.75 and 3.3 kept, DCG@2 is 2.75 / log2(3) + 0.5."""
    run = {"q": {d: 5.0 - i for i, d in enumerate("abcde")}}
    kept = evaluate(run, FRACTIONS, "DCG@2")
    assert kept["DCG@2"] == pytest.approx(0.5 + 2.75 / math.log2(3))
    assert CUT not in kept.notes()
    whole = evaluate(run, {"q": {"a": 1, "b": 2.0}}, "P@5", "ranx")
    assert not [note for note in whole.notes() if "fraction" in note]


def test_ranx_does_not_score_a_query_that_only_the_run_has():
    """With make_comparable=True it removes the query: the mean is the precision of the other."""
    found = evaluate(
        {"1": {"a": 1.0}, "2": {"b": 1.0}}, {"1": {"a": 1}}, *bundle("ranx").measure("precision@1")
    )
    assert next(iter(found.mean.values())) == 1.0
