"""Values of libraries that sentences of their bundles speak of, as the libraries gave them."""

import pytest

from irmetrics_edu import evaluate
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


@pytest.mark.parametrize("name", OF_FRACTIONS)
def test_ranx_cuts_fractions_off_as_its_quirk_says(name):
    """Its values are ours of the whole numbers 0, 2, 1, 0, 3."""
    run = {"q": {d: 5.0 - i for i, d in enumerate("abcde")}}
    whole = {"q": {"a": 0, "b": 2, "c": 1, "d": 0, "e": 3}}
    found = evaluate(run, whole, *bundle("ranx").measure(name))
    assert next(iter(found.mean.values())) == pytest.approx(OF_FRACTIONS[name])
    about = [q for q in bundle("ranx").quirks if q.concerns(name, "fractions") and q.probes]
    assert [q for q in about if "cut to the whole number" in q.says]


def test_ranx_does_not_score_a_query_that_only_the_run_has():
    """With make_comparable=True it removes the query: the mean is the precision of the other."""
    found = evaluate(
        {"1": {"a": 1.0}, "2": {"b": 1.0}}, {"1": {"a": 1}}, *bundle("ranx").measure("precision@1")
    )
    assert next(iter(found.mean.values())) == 1.0
