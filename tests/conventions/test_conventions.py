"""Named conventions: what each does, by hand-computed values and plain loops."""

from itertools import permutations
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import (
    average_precision,
    bpref,
    dcg,
    diagnose,
    err,
    evaluate,
    fall_out,
    ndcg,
    pair_accuracy,
    parse,
    precision,
    rbp,
    reciprocal_rank,
)
from irmetrics_edu.conventions import JK, LOG2, RECIPROCAL, Convention, Discount
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.numbers import ranks_to

TIED = {"c": 1.0, "a": 1.0, "d": 1.0, "b": 1.0}
GRADES = {"a": 0, "b": 1, "c": 0, "d": 3}
ORDERS = {
    "given": "cadb",
    "reversed": "bdac",
    "quicksort": "cadb",
    "docid": "dcba",
    "docid_ascending": "abcd",
    "pessimistic": "cabd",
    "optimistic": "dbca",
}


@pytest.mark.parametrize(("ties", "order"), ORDERS.items(), ids=ORDERS)
def test_ties_stand_in_the_order_that_is_named(ties, order):
    """Four tied documents score as the list in that order does."""
    assert ndcg(TIED, GRADES, ties=ties) == pytest.approx(ndcg(list(order), GRADES))
    assert ndcg(TIED, GRADES, ties=ties, k=2) == pytest.approx(ndcg(list(order), GRADES, k=2))
    assert reciprocal_rank(TIED, GRADES, ties=ties) == reciprocal_rank(list(order), GRADES)


@pytest.mark.parametrize(("n", "rank"), [(15, 1), (16, 15), (17, 16), (33, 18), (100, 73)])
def test_quicksort_moves_the_first_of_many_tied_documents(n, rank):
    """The reciprocal ranks that ranx 0.3.21 gives for n documents of one score."""
    tied = dict.fromkeys(map(str, range(n)), 1.0)
    assert reciprocal_rank(tied, {"0": 1}, ties="quicksort") == 1 / rank


@given(
    st.dictionaries(st.sampled_from("abcde"), st.sampled_from([1.0, 2.0]), min_size=1),
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), min_size=1),
    st.one_of(st.none(), st.integers(1, 4)),
)
def test_averaged_ties_are_the_mean_over_all_orders(scores, judged, k):
    """Sharing discounts is trying every order of the ties, cut inside a tie or not."""
    orders = [
        [d for d, _ in sorted(order, key=lambda item: -item[1])]
        for order in permutations(scores.items())
    ]
    each = [dcg(order, judged, k=k, gain="exp") for order in orders]
    shared = dcg(scores, judged, k=k, gain="exp", ties="averaged")
    assert shared == pytest.approx(sum(each) / len(each))


SHARING = (
    "CG", "P", "P(divisor=retrieved)", "R", "F", "F(beta=2)", "Rprec", "Success", "RR", "RBP",
    "AP", "AP(divisor=reachable)", "AP(divisor=k)", "DCG(discount=reciprocal)",
    "nDCG(gain=exp,discount=reciprocal)",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SHARING)
@given(
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from([1.0, 2.0]), min_size=1),
    st.dictionaries(st.sampled_from("abcde"), st.integers(0, 3), min_size=1),
    st.one_of(st.none(), st.integers(1, 3)),
)
def test_averaged_ties_are_exact_where_a_metric_has_them(name, scores, judged, k):
    """In fractions the shared score is the mean over all orders, to the last digit."""
    metric = parse(name)
    metric = metric @ k if metric.has_cutoff and k else metric
    each = [
        metric([d for d, _ in sorted(order, key=lambda item: -item[1])], judged, exact=True)
        for order in permutations(scores.items())
    ]
    shared = metric(scores, judged, ties="averaged", exact=True)
    assert shared == sum(each) / len(each)
    assert metric(scores, judged, ties="averaged") == pytest.approx(float(shared))


def test_averaged_ties_of_a_whole_run_are_those_of_its_queries():
    """A run at once, of which only the judged documents are rows, gives what each query gives."""
    run = {q: {f"d{i}": float(i * n % 4) for i in range(12)} for q, n in (("1", 1), ("2", 3))}
    qrels = {"1": {"d1": 1, "d5": 2, "d9": 0}, "2": {"d2": 3, "d3": 0, "d7": 1, "x": 1}}
    for name in ("AP@5", "RR@5", "P@5", "Success@5", "Rprec", "RBP"):
        by = BUNDLES["irmetrics_edu"].using(ties="averaged")
        found = next(iter(evaluate(run, qrels, [name], by).per_query.values()))
        for query, score in found.items():
            alone = parse(name)(run[query], qrels[query], ties="averaged")
            assert score == pytest.approx(alone), name


def test_averaged_ties_need_a_known_mean():
    """A metric of which no closed form is known says which have one, and what else there is."""
    with pytest.raises(
        InputError,
        match="bpref can't be computed with ties='averaged': it needs one rank for each document",
    ):
        bpref(TIED, GRADES, ties="averaged")
    by = BUNDLES["irmetrics_edu"].using(ties="averaged")
    with pytest.raises(
        InputError,
        match="bpref can't be computed with ties='averaged': it needs one rank for each document",
    ):
        _ = evaluate({"q": TIED}, {"q": GRADES}, ["bpref"], by).mean
    with pytest.raises(InputError, match=r"divisor=hits.*the number of hits"):
        average_precision(TIED, GRADES, k=1, divisor="hits", ties="averaged")


def test_ap_over_the_hits_averages_ties_that_the_cut_does_not_go_through():
    """Scores without a tie, ties above the cut, and a cut through relevant documents alone."""
    for scores, k in ([3, 2, 1], 2), ([3, 3, 1], 2), ([3, 2, 2], 1), ([2, 3, 2], 2):
        judged = {"a": 1, "b": 0, "c": 1}
        run = dict(zip("abc", scores, strict=True))
        each = [
            average_precision(
                [d for d, _ in sorted(order, key=lambda item: -item[1])],
                judged,
                k=k,
                divisor="hits",
            )
            for order in permutations(run.items())
        ]
        shared = average_precision(run, judged, k=k, divisor="hits", ties="averaged")
        assert shared == pytest.approx(sum(each) / len(each)), scores


IDEALS = {
    "judged": 3 + 3 / log2(3) + 2 / 2,
    "retrieved": 3 + 1 / log2(3),
    "k_ones": 1 + 1 / log2(3) + 1 / 2,
    "r_ones": 1 + 1 / log2(3) + 1 / 2,
    "as_long": 3 + 3 / log2(3),
}


@pytest.mark.parametrize(("ideal", "idcg"), IDEALS.items(), ids=IDEALS)
def test_ideals(ideal, idcg):
    """Two are retrieved, of grades 1 and 3; 3 and 2 are not; cut at 3."""
    judged = {"a": 1, "b": 3, "x": 3, "y": 2}
    working = ndcg.working(["a", "b"], judged, k=3, ideal=ideal)
    assert working["IDCG"].value == pytest.approx(idcg)


def test_r_ones_are_no_more_than_are_relevant():
    """K ones go on to k, min(k, R) ones end with the relevant."""
    judged = {"a": 2, "b": 0}
    assert ndcg.working(["a"], judged, k=3, ideal="r_ones")["IDCG"].value == 1
    assert ndcg.working(["a"], judged, k=3, ideal="k_ones")["IDCG"].value == pytest.approx(
        1 + 1 / log2(3) + 1 / 2
    )
    assert ndcg(["b"], {"b": 0}, k=3, ideal="k_ones", no_relevant="one") == 1


def test_the_ideal_may_be_left_uncut():
    """The ranking is cut at 1, the ideal is not."""
    assert ndcg([2, 1], k=1, cut="ranking") == pytest.approx(2 / (2 + 1 / log2(3)))


DIVISORS = {"k": 10, "retrieved": 3, "relevant": 4, "reachable": 4, "hits": 2}


@pytest.mark.parametrize(("divisor", "size"), DIVISORS.items(), ids=DIVISORS)
def test_divisors_of_average_precision(divisor, size):
    """Hits at 1 and 3 of a list of three, four relevant, asked for ten: 1 + 2/3 over each."""
    judged = {"a": 1, "b": 0, "c": 1, "x": 1, "y": 1}
    score = average_precision(["a", "b", "c"], judged, k=10, divisor=divisor)
    assert score == pytest.approx((1 + 2 / 3) / size)


def test_gains():
    """Binary from a grade on; linear from a grade on; by a table, with its own ideal order."""
    assert dcg([3, 0, 1], gain="binary", discount="none") == 2
    assert dcg([3, 0, 1], gain="binary(2)", discount="none") == 1
    assert dcg([3, 0, 1], gain="linear(2)", discount="none") == 3
    assert dcg([3, 0, 1], gain="table(3:7,1:0.5)", discount="none") == 7.5
    upside_down = ndcg([5, 2, 3], gain="table(2:3,3:7)")
    assert upside_down == pytest.approx((5 + 3 / log2(3) + 7 / 2) / (7 + 5 / log2(3) + 3 / 2))
    with pytest.raises(InputError, match=r"binary\(0.5\)"):
        dcg([0.5], gain="binary")
    with pytest.raises(InputError, match=r"gain=linear\(two\): 'two' is not a grade"):
        dcg([1], gain="linear(two)")
    with pytest.raises(InputError, match="grade:gain"):
        dcg([1], gain="table(2)")


def test_the_base_of_the_logarithm_cancels_in_ndcg():
    """log(e) makes another DCG and the same nDCG."""
    assert dcg([5, 2, 3], discount="log(e)") == pytest.approx(11.198, abs=5e-4)
    assert ndcg([5, 2, 3], discount="log(e)") == pytest.approx(ndcg([5, 2, 3]))
    with pytest.raises(InputError, match="above 1, or e"):
        dcg([1], discount="log(1)")


def test_the_top_of_the_scale_of_err():
    """The highest grade at hand, and g/max in place of powers of two."""
    assert err([1, 3], max_grade="highest") == err([1, 3], max_grade=3)
    assert err([1, 3], max_grade=3, satisfaction="linear") == pytest.approx(1 / 3 + 2 / 3 / 2)
    assert err([0, 0], max_grade="highest") == 0
    with pytest.raises(InputError, match="use one of highest"):
        err([1], max_grade="top")


def test_duplicates():
    """Refused, or its first, last or each place counts."""
    ranking = ["a", "b", "a"]
    judged = {"a": 1}
    with pytest.raises(InputError, match="ranked twice"):
        precision(ranking, judged)
    assert precision(ranking, judged, duplicates="first") == 1 / 2
    assert reciprocal_rank(ranking, judged, duplicates="last") == 1 / 2
    assert precision(ranking, judged, duplicates="each") == pytest.approx(2 / 3)


def test_pool_and_unretrieved():
    """R of the retrieved alone; and what was not retrieved put at the end."""
    judged = {"a": 1, "x": 1, "y": 0}
    assert average_precision(["b", "a"], judged) == 1 / 4
    assert average_precision(["b", "a"], judged, pool="retrieved") == 1 / 2
    at_the_end = average_precision(["b", "a"], judged, unretrieved="last")
    assert at_the_end == average_precision(["b", "a", "x", "y"], judged)


def test_scores_may_be_coarse_or_not_read():
    """32 bits make a tie of two; an order is taken as given."""
    scores = {"b": 0.123456789, "a": 0.1234567891}
    judged = {"a": 1}
    assert reciprocal_rank(scores, judged) == 1
    assert reciprocal_rank(scores, judged, scores="float32") == 1 / 2
    assert reciprocal_rank({"b": 1.0, "a": 2.0}, judged, scores="order") == 1 / 2


def test_what_is_known_is_the_collection():
    """Fall-out among what was retrieved or judged: one of two that are not relevant."""
    assert fall_out(["a", "b"], {"a": 1, "c": 0}, collection="known") == 1 / 2
    with pytest.raises(InputError, match="use one of known"):
        fall_out(["a"], {"a": 1}, collection="web")


def test_graded_rbp_and_binary_pairs():
    """RBP sums grades if told to; pairs may be of relevant and not relevant alone."""
    assert rbp([5, 2, 3], gain="linear") == pytest.approx(0.2 * (5 + 0.8 * 2 + 0.64 * 3))
    assert pair_accuracy([1, 3, 0], gain="binary") == 1
    assert pair_accuracy([1, 3, 0]) == pytest.approx(2 / 3)


def test_a_query_of_which_nothing_is_judged():
    """Left out with a note, counted as 0, or refused."""
    run = {"q1": {"a": 1.0}, "q2": {"a": 1.0}}
    qrels = {"q1": {"a": 1}, "q2": {}}
    left_out = evaluate(run, qrels, "RR")
    assert left_out["RR"] == 1
    assert left_out.counts.not_judged == ["q2"]
    assert evaluate(run, qrels, "RR", unjudged_queries="zero")["RR"] == 1 / 2
    with pytest.raises(InputError, match="nothing is judged"):
        evaluate(run, qrels, "RR", unjudged_queries="refuse")


def run_forms(folder):
    """One run, of whose two queries one is not judged, in several forms."""
    run = {"1": {"a": 1.0}, "2": {"b": 1.0}}
    rows = [("1", "a", 1.0), ("2", "b", 1.0)]
    path = folder / "some.run"
    path.write_text("".join(f"{q} Q0 {d} 1 {s} tag\n" for q, d, s in rows))
    yield run
    yield {q: list(ranking) for q, ranking in run.items()}
    yield path
    yield pd.DataFrame(rows, columns=["query", "doc", "score"])


def judgment_forms(folder):
    """The judgments of the first query, in several forms."""
    path = folder / "some.qrels"
    path.write_text("1 0 a 1\n")
    yield {"1": {"a": 1}}
    yield {"1": ["a"]}
    yield path
    yield pd.DataFrame([("1", "a", 1)], columns=["query", "doc", "grade"])


@pytest.mark.parametrize("run_form", range(4))
@pytest.mark.parametrize("judgment_form", range(4))
def test_an_unjudged_query_scores_0_if_the_call_says_so(tmp_path, run_form, judgment_form):
    """Trectools has (1 + 0) / 2; trec_eval leaves the query out."""
    run = list(run_forms(tmp_path))[run_form]
    qrels = list(judgment_forms(tmp_path))[judgment_form]
    zero = evaluate(run, qrels, "P@1 AP nDCG@3", unjudged_queries="zero")
    assert zero.mean == {"P@1": 0.5, "AP": 0.5, "nDCG@3": 0.5}
    assert zero.per_query["AP"] == {"1": 1.0, "2": 0.0}
    assert "1 query of the run is not judged and scores 0: 2" in zero.notes()
    for value in ("ignore", "named_zero"):
        other = evaluate(run, qrels, "P@1 AP", unjudged_queries=value)
        assert other.mean == {"P@1": 1.0, "AP": 1.0}
        assert "1 query of the run is not judged and is left out: 2" in other.notes()
    with pytest.raises(InputError, match="query '2' is in the run but not judged"):
        evaluate(run, qrels, "P@1", unjudged_queries="refuse")


@pytest.mark.parametrize("ranking", [["x"], [], {"x": 1.0}])
def test_judgments_that_name_a_query_without_documents(ranking):
    """They score 0 under both zeros, and are left out otherwise, also where nothing was ranked."""
    run = {"a": {"1": 1.0} if isinstance(ranking, dict) else ["1"], "d": ranking}
    qrels = {"a": {"1": 1}, "d": {}}
    for value, mean in (("ignore", 1.0), ("zero", 0.5), ("named_zero", 0.5)):
        assert evaluate(run, qrels, "R@10", unjudged_queries=value)["R@10"] == mean


def test_ids_of_another_kind_are_still_told_where_unjudged_queries_score_0():
    """No query of the run is judged, so nothing is a 0 yet."""
    with pytest.raises(InputError, match="no query of the run is judged"):
        evaluate({"x1": ["a"]}, {"1": {"a": 1}}, "P@1", unjudged_queries="zero")


def test_diagnose_names_the_queries_that_score_0():
    """The mean over the run's queries, as trectools has it."""
    run = {"1": {"a": 1.0}, "2": {"b": 1.0}}
    qrels = {"1": {"a": 1}}
    found = diagnose("P@1", run, qrels, value="0.5")
    assert 'unjudged_queries="zero"' in [c.written for c in found.candidates]


def kinds(cls=Convention):
    """All kinds of conventions."""
    for sub in cls.__subclasses__():
        yield from kinds(sub)
        if "values" in sub.__dict__:
            yield sub


@pytest.mark.parametrize("kind", sorted(kinds(), key=lambda k: k.__name__))
def test_every_value_has_a_name_a_meaning_and_is_found_by_it(kind):
    """A convention says what it means, and its name leads to it."""
    for value in kind.values.values():
        assert value.meaning
        assert value.latex
        assert kind.named(value.name) == value


def test_notation_reads_them():
    """Options in brackets, with brackets of their own."""
    text = "nDCG(gain=table(2:3,3:7),ideal=k_ones)@5"
    assert repr(parse(text)) == text


@pytest.mark.parametrize("discount", [LOG2, JK, RECIPROCAL], ids=str)
def test_a_discount_that_is_looked_up_is_the_one_of_the_ranks(discount):
    """Only ranks 1, 2, 3 ... are looked up: not a part of them, in whatever order or step."""
    ranks = ranks_to(np.empty(0), 12)
    for part in (ranks, ranks[:0], ranks[:5], ranks[1:], ranks[::2], ranks[2::-1], ranks[1::-1]):
        assert discount(part).tolist() == discount(part.copy()).tolist()
    assert discount(ranks_to(np.empty(0), 300)).tolist() == discount(np.arange(1.0, 301)).tolist()
    assert discount(ranks[:, np.newaxis]).shape == (12, 1)
    discount(ranks)[:] = 0  # into what is the caller's alone
    assert discount(ranks).all()


def test_a_discount_of_ones_own_is_asked_for_the_ranks_at_hand_each_time():
    """So it may be a table of a few ranks, or say something else after a change."""
    table = np.array([1.0, 0.5, 0.25])
    halved = Discount("own", "", "by a table", lambda rank: table[rank.astype(int) - 1])
    assert dcg([1, 1, 1], discount=halved) == 1.75
    table[1] = 0.75
    assert dcg([1, 1, 1], discount=halved) == 2
    share = Discount("share", "", "by the depth", lambda rank: 1 - (rank - 1) / len(rank))
    assert dcg([1, 1], discount=share) == 1.5


@pytest.mark.parametrize("gain", ["exp(nan)", "binary(nan)", "linear(nan)", "share(nan)"])
def test_a_gain_is_not_told_from_a_number_that_is_none(gain: str) -> None:
    """No grade is at least nan, so every score would be 0 without a word."""
    with pytest.raises(InputError, match=r"'nan' is not a grade; give a number, such as 2"):
        dcg([3, 1], gain=gain)
