"""Bundles that were read in a library's source, against what the source says, in plain loops."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from irmetrics_edu import evaluate
from irmetrics_edu.libraries import BUNDLES

QUERY = "q"
DOCUMENTS = ["a", "b", "c", "d", "e", "f", "g", QUERY]  # the last is the query's own
UNKNOWN = 2  # the rating of a hit that has none
READ = {name for name in BUNDLES if BUNDLES[name].known == "read"}


def dcg(grades):
    """With the exponential gain."""
    return sum((2**g - 1) / math.log2(i + 2) for i, g in enumerate(grades))


def highest(judged, n):
    """The n highest grades."""
    return sorted(judged.values(), reverse=True)[:n]


def reciprocal(hits):
    """1 over the rank of the first hit."""
    return next((1 / i for i, hit in enumerate(hits, 1) if hit), 0.0)


def precisions(hits):
    """The sum of precision at each hit."""
    return sum(sum(hits[: i + 1]) / (i + 1) for i, hit in enumerate(hits) if hit)


def over(a, b):
    """A ratio that is 0 where there is nothing to divide by."""
    return a / b if b else 0.0


def err(grades, top):
    """Of a scale that ends with `top`."""
    total, left = 0.0, 1.0
    for i, g in enumerate(grades, 1):
        stops = (2**g - 1) / 2**top
        total, left = total + left * stops / i, left * (1 - stops)
    return total


def rank_eval(metric, ranked, judged, k):
    """Elasticsearch and OpenSearch: no more than k hits come back, and the ideal is as long."""
    found = [judged.get(d) for d in ranked[:k]]
    hits = [g is not None and g >= 1 for g in found]
    ratings = [g or 0 for g in found]
    with_unknown = [UNKNOWN if g is None else g for g in found]
    best = dcg(highest(judged, len(found)))
    return {
        f"dcg k={{k}} unknown_doc_rating={UNKNOWN}": dcg(with_unknown),
        f"dcg k={{k}} normalize=true unknown_doc_rating={UNKNOWN}": over(dcg(with_unknown), best),
        f"expected_reciprocal_rank k={{k}} maximum_relevance=3 unknown_doc_rating={UNKNOWN}": err(
            with_unknown, 3
        ),
        "dcg k={k}": dcg(ratings),
        "dcg k={k} normalize=true": over(dcg(ratings), best),
        "precision k={k}": over(sum(hits), len(hits)),
        "precision k={k} relevant_rating_threshold=2": over(
            sum(g >= 2 for g in ratings), len(ratings)
        ),
        "recall k={k}": over(sum(hits), sum(g >= 1 for g in judged.values())),
        "mean_reciprocal_rank k={k}": reciprocal(hits),
        "expected_reciprocal_rank k={k} maximum_relevance=3": err(ratings, 3),
    }[metric]


def search_relevance(metric, ranked, judged, k):
    """The plugin: the ideal is cut off at k alone, and values have two digits."""
    judged = {d: min(g, 1) for d, g in judged.items()} if metric[0] in "PMR" else judged
    ratings = [judged.get(d, 0) for d in ranked[:k]]
    hits, relevant = [g >= 1 for g in ratings], sum(g >= 1 for g in judged.values())
    return {
        "NDCG@{k}": over(dcg(ratings), dcg(highest(judged, k))),
        "DCG@{k}": dcg(ratings),
        "Precision@{k}": over(sum(hits), len(hits)),
        "MAP@{k}": over(precisions(hits), relevant),
        "Recall@{k}": over(sum(hits), relevant),
        "MRR@{k}": reciprocal(hits),
    }[metric]


def lucene(metric, ranked, judged, k):
    """QualityStats: the reciprocal rank stops after rank 5."""
    hits, relevant = [judged.get(d, 0) > 0 for d in ranked], sum(g > 0 for g in judged.values())
    if not relevant:
        return None
    return {
        "Average Precision": precisions(hits) / relevant,
        "MRR": reciprocal(hits[:5]),
        "Recall": sum(hits) / relevant,
        "Precision At {k}": sum(hits[:k]) / k,
    }[metric]


def ranklib(metric, ranked, judged, k):
    """What is given is all there is."""
    labels = [judged.get(d, 0) for d in ranked]
    hits = [g > 0 for g in labels]
    return {
        "NDCG@{k}": over(dcg(labels[:k]), dcg(sorted(labels, reverse=True)[:k])),
        "DCG@{k}": dcg(labels[:k]),
        "ERR@{k}": err(labels[:k], 4),
        "MAP": over(precisions(hits), sum(hits)),
        "P@{k}": sum(hits[:k]) / len(hits[:k]),
        "RR@{k}": reciprocal(hits[:k]),
    }[metric]


def pyserini(metric, ranked, judged, k):
    """The query's own document is not in the run; then trec_eval."""
    ranked = [d for d in ranked if d != QUERY]
    hits = [judged.get(d, 0) > 0 for d in ranked]
    relevant = sum(g > 0 for g in judged.values())
    gains = [judged.get(d, 0) / math.log2(i + 2) for i, d in enumerate(ranked[:k])]
    best = [g / math.log2(i + 2) for i, g in enumerate(highest(judged, k))]
    return {
        "ndcg_cut_{k}": over(sum(gains), sum(best)),
        "map": over(precisions(hits), relevant),
        "recip_rank": reciprocal(hits),
        "P_{k}": sum(hits[:k]) / k,
        "recall_{k}": over(sum(hits[:k]), relevant),
    }[metric]


def quepid(metric, ranked, judged, k):
    """Loops over the first k hits; the ideal of nDCG@k has every rating."""
    ratings = [judged.get(d, 0) for d in ranked[:k]]
    hits, relevant = [g > 0 for g in ratings], sum(g > 0 for g in judged.values())
    return {
        "nDCG@{k}": over(dcg(ratings), dcg(highest(judged, len(judged)))),
        "ndcg_cut@{k}": over(dcg(ratings), dcg(highest(judged, k))),
        "DCG@{k}": dcg(ratings),
        "CG@{k}": sum(ratings),
        "P@{k}": over(sum(hits), len(hits)),
        "AP@{k}": precisions(hits) / relevant if relevant else math.nan,
        "RR@{k}": reciprocal(hits),
        "ERR@{k} max=3": err(ratings, 3),
    }[metric]


def rre(metric, ranked, judged, k):
    """Who is rated is relevant; the digits are left; RR where all ratings are alike."""
    hits = [d in judged for d in ranked]
    found = [judged.get(d) for d in ranked[:k]]
    alike = [judged.get(d, 0) == max(judged.values()) > 0 for d in ranked[:k]]
    if metric == "RR@{k}" and len(set(judged.values())) > 1:
        return None
    return {
        "Precision@{k}": sum(hits[:k]) / len(hits[:k]),
        "Recall@{k}": sum(hits[:k]) / len(judged),
        "R": sum(hits) / len(judged),
        "AP": precisions(hits) / len(judged),
        "RR@{k}": reciprocal(alike),
        "ERR@{k}": rre_err(found, 3, 2),
        f"ERR@{{k}} maxgrade=3 defaultgrade={UNKNOWN}": rre_err(found, 3, UNKNOWN),
    }[metric]


def rre_err(found, top, unknown):
    """Its ERR rounds each quotient to eight digits, and is 0 where no hit has a rating."""
    rated = any(g is not None for g in found)
    return err([unknown if g is None else g for g in found], top) if rated else None


ORACLES = {
    "elasticsearch": rank_eval,
    "opensearch": rank_eval,
    "opensearch_search_relevance": search_relevance,
    "lucene": lucene,
    "ranklib": ranklib,
    "pyserini_remove_query": pyserini,
    "quepid": quepid,
    "rre": rre,
}
ALIKE = {"precision k={k} ignore_unlabeled=true"}  # whose quirk is that no hit moves up


def shown(metric):
    """A metric of a bundle with its numbers but the cut-off."""
    levels = {
        "threshold={p}": "2",
        "maximum_relevance={p}": "3",
        "max={p}": "3",
        "maxgrade={p}": "3",
    }
    for text, number in levels.items():
        metric = metric.replace(text, text.replace("{p}", number))
    return metric.replace("{g}", str(UNKNOWN))


def asked(name):
    """The metrics of a bundle that its oracle knows."""
    oracle = ORACLES[name]
    for pattern in map(shown, BUNDLES[name].metrics):
        try:
            oracle(pattern, ["a"], {"a": 1}, 1)
        except KeyError:
            continue
        yield pattern


def test_every_bundle_that_was_read_has_an_oracle():
    """And each oracle knows nearly all of its metrics."""
    assert set(ORACLES) == READ
    for name in READ:
        lacking = {*map(shown, BUNDLES[name].metrics)} - {*asked(name)} - ALIKE
        assert not [m for m in lacking if "threshold" not in m], (name, lacking)


@pytest.mark.parametrize("name", sorted(READ))
@given(
    st.lists(st.sampled_from(DOCUMENTS), unique=True, min_size=1),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1),
    st.integers(1, 8),
    st.data(),
)
def test_the_bundle_gives_what_the_source_says(name, ranked, judged, k, data):
    """One query, any metric; search_relevance with ratings 0 and 1 where relevance is binary."""
    metric = data.draw(st.sampled_from(list(asked(name))))
    expected = ORACLES[name](metric, ranked, judged, k)
    assume(expected is not None)
    measure, by = BUNDLES[name].measure(metric.replace("{k}", str(k)))
    found = next(iter(evaluate({QUERY: ranked}, {QUERY: judged}, measure, by).mean.values()))
    assert found == pytest.approx(expected, nan_ok=True), (metric, found, expected)


def test_the_check_can_fail():
    """Another library's ideal, and a reciprocal rank that goes on after rank 5."""
    run, judged = {"q": ["a"]}, {"a": 1, "b": 3}
    assert rank_eval("dcg k={k} normalize=true", run["q"], judged, 2) == 1 / 7
    assert search_relevance("NDCG@{k}", run["q"], judged, 2) != pytest.approx(1 / 7)
    late = [*"bcdef", "a"]
    assert lucene("MRR", late, {"a": 1}, 1) == 0
    measure, by = BUNDLES["lucene"].measure("MRR")
    assert evaluate({"q": late}, {"q": {"a": 1}}, measure, by).mean == {"RR@5": 0}


def test_a_query_with_nothing_relevant_is_no_part_of_lucenes_means():
    """The mean over one of two queries; trec_eval's is over both."""
    run, qrels = {"q": ["a"], "p": ["a"]}, {"q": {"a": 1}, "p": {"a": 0}}
    assert evaluate(run, qrels, "AP", "lucene")["AP"] == 1
    assert evaluate(run, qrels, "AP", "trec_eval")["AP"] == 0.5


@pytest.mark.parametrize(
    ("library", "name", "ratings", "expected"),
    [
        # ExpectedReciprocalRankTests of Elasticsearch: 3, 2, 0, 1 without and with its second one.
        ("elasticsearch", "k=4 maximum_relevance=3", [3, None, 0, 1], 0.875 + 0.00390625),
        (
            "elasticsearch",
            "k=4 maximum_relevance=3 unknown_doc_rating=2",
            [3, None, 0, 1],
            0.8984375 + 0.00244140625,
        ),
        (
            "opensearch",
            "k=3 maximum_relevance=3 unknown_doc_rating=0",
            [3, 2, 0, 1],
            0.8984375,
        ),
    ],
)
def test_unrated_hits_as_the_tests_of_elasticsearch_have_them(library, name, ratings, expected):
    """The values that its own test suite asserts of expected_reciprocal_rank."""
    documents = [str(number) for number in range(len(ratings))]
    judged = {d: g for d, g in zip(documents, ratings, strict=True) if g is not None}
    measure, by = BUNDLES[library].measure(f"expected_reciprocal_rank {name}")
    found = next(iter(evaluate({QUERY: documents}, {QUERY: judged}, measure, by).mean.values()))
    assert found == pytest.approx(expected, abs=1e-13)


def test_a_query_whose_hits_have_no_rating_is_told_under_rre():
    """Its ERR is 0 there, whatever the unrated hits count as."""
    of_none = evaluate({"q": ["u", "b"]}, {"q": {"b": 2}}, "ERR@1", "rre")
    assert any("none has a rating is 0" in note for note in of_none.notes())
    of_one = evaluate({"q": ["u", "b"]}, {"q": {"b": 2}}, "ERR@2", "rre")
    assert not any("none has a rating is 0" in note for note in of_one.notes())
