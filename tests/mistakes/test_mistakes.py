"""The catalogue of mistakes: each is wrong, each is another, and the right values are untouched."""

import functools
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import auc, precision_recall_curve, roc_auc_score

from irmetrics_edu import METRICS, alpha_dcg, alpha_ndcg, dcg, diagnose, ndcg, parse, rbo
from irmetrics_edu.conventions import UNDEFINED_HALF
from irmetrics_edu.diagnosis.mistakes import MISTAKES, mistakes_of
from irmetrics_edu.diagnosis.mistakes.discounted import NATURAL
from irmetrics_edu.diagnosis.mistakes.wrong_means import GMAP_MEAN
from irmetrics_edu.diagnosis.small import small_inputs
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import OURS
from irmetrics_edu.metrics.definition import import_all
from irmetrics_edu.metrics.notation import measures
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.rows.scored import SCORED
from irmetrics_edu.runs.joining.join import joined

import_all()
LABELS = list(MISTAKES)
NAMES = sorted({name for m in MISTAKES.values() for name in m.metrics})
PAIRS = [(m, name) for m in MISTAKES.values() for name in m.metrics]
OF_GRADES = [(m, name) for m, name in PAIRS if METRICS[name].inputs is RANKED]
# Where the defaults hide a mistake: alpha = 1/2 is its own complement, and without a cut-off
# precision over k and over the list are the same.
OPTIONS = {"alpha-nDCG": {"alpha": 0.3}, "alpha-DCG": {"alpha": 0.3}, "DCC": {"alpha": 0.3},
           "DILAD": {"beta": 0.3}, "AUC": {"undefined": UNDEFINED_HALF}}  # fmt: skip


@functools.cache
def rows_of(inputs_like):
    """All small inputs of a metric's kind, aligned once."""
    metric = METRICS[inputs_like]
    small = small_inputs(metric, tied=metric.inputs is SCORED)
    chosen = measures(metric)
    return joined(small.run, small.qrels, chosen, OURS, small.beside, {}).one_by_one(metric)


def scores_of(metric, like):
    """The scores of a metric, called as the one named `like`, over all small inputs and cuts."""
    if like == "geometric_mean":
        lists = [[0.5], [0.25, 1], [0.5, 0], [0, 0], [0.1, 0.2, 0.9], [0, 0.3, 0.6]]
        return np.array([metric(values) for values in lists])
    params = {n: v for n, v in metric.params.items() if n in metric.defaults}
    params |= OPTIONS.get(like, {})
    cuts = (None, 2) if METRICS[like].has_cutoff else (None,)
    with np.errstate(all="ignore"):
        scores = [metric.measured(rows_of(like), k, **params).score for k in cuts]
    return np.concatenate(scores).astype(float)


def differ(left, right):
    """Whether two arrays of scores are apart somewhere by more than rounding."""
    return not np.allclose(left, right, rtol=0, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("name", NAMES)
def test_every_mistake_differs_from_the_right_metric_and_from_every_other(name):
    """Some generated input tells each two apart, so that a value can name one of them."""
    catalogue = mistakes_of(name)
    right = scores_of(GMAP_MEAN if name == "geometric_mean" else METRICS[name], name)
    values = {m.label: scores_of(m.wrong(name), name) for m in catalogue}
    for label, wrong in values.items():
        assert differ(wrong, right), f"{label} is right"
    for a, b in itertools.combinations(values, 2):
        assert differ(values[a], values[b]), f"{a} and {b} are the same"


def test_the_check_can_fail():
    """A metric does not differ from itself."""
    assert not differ(scores_of(ndcg, "nDCG"), scores_of(ndcg, "nDCG"))


# Of any measure, from the scores of all queries.
MADE_BY_THE_SEARCH = {
    "queries-in-one-list",
    "short-lists-score-0",
    "short-lists-left-out",
    "few-relevant-score-0",
    "few-relevant-left-out",
    "popularity-over-interactions",
}


@pytest.mark.parametrize("label", LABELS)
def test_a_mistake_says_what_is_wrong_why_and_where_to_read(label):
    """Label, sentence, reason and reading are there and short."""
    mistake = MISTAKES[label]
    assert label == label.lower()
    assert mistake.sentence.startswith("Your values equal those of ")
    assert mistake.sentence.endswith(".")
    assert not mistake.says.endswith(".")
    assert mistake.why.endswith((".", ")"))
    assert mistake.read
    assert mistake.metrics or label in MADE_BY_THE_SEARCH


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=8),
    st.lists(st.integers(0, 3), max_size=3),
    st.one_of(st.none(), st.integers(1, 9)),
)
def test_the_natural_logarithm_cancels_in_ndcg_alone(graded, missed, k):
    """DCG by ln is DCG by log2 over ln 2; nDCG is the same by either."""
    ranking = [f"d{i}" for i in range(len(graded))]
    judgments = dict(zip(ranking, graded, strict=True)) | {f"x{i}": g for i, g in enumerate(missed)}
    wrong = MISTAKES["natural-logarithm"]
    assert "nDCG" in wrong.cancels_in
    by_ln = wrong.wrong("DCG")(ranking, judgments, k=k)
    assert by_ln * math.log(2) == pytest.approx(dcg(ranking, judgments, k=k))
    assert ndcg(ranking, judgments, k=k, discount=NATURAL) == pytest.approx(
        ndcg(ranking, judgments, k=k)
    )


@given(
    st.lists(st.sets(st.sampled_from("ABC")), min_size=1, max_size=4).filter(any),
    st.floats(0.1, 0.9),
    st.randoms(use_true_random=False),
)
def test_counting_the_document_itself_cancels_in_alpha_ndcg(sets, alpha, random):
    """One factor 1 - alpha more in every gain, above and below the line alike."""
    nuggets = {f"d{i}": s for i, s in enumerate(sets)}
    ranking = random.sample(list(nuggets), len(nuggets))
    mistake = MISTAKES["redundancy-counts-the-document"]
    wrong = mistake.wrong("alpha-DCG")
    assert wrong(ranking, nuggets, alpha=alpha) == pytest.approx(
        alpha_dcg(ranking, nuggets, alpha=alpha) * (1 - alpha)
    )
    best = alpha_ndcg.working(ranking, nuggets, alpha=alpha)["ideal alpha-DCG"]
    order = list(best.table.labels["document"])
    quotient = wrong(ranking, nuggets, alpha=alpha) / wrong(order, nuggets, alpha=alpha)
    assert quotient == pytest.approx(alpha_ndcg(ranking, nuggets, alpha=alpha))


# Worked out by hand or in plain loops: grades 0, 3, 2 retrieved, 3 missed, all at k = 2.
LOG3 = math.log2(3)
IDEAL = 3 + 3 / LOG3
BY_HAND = {
    ("log-of-rank", "nDCG"): 3 / 6,
    ("ranks-from-0", "nDCG"): 3 / 3,
    ("log-of-rank-plus-2", "nDCG"): (3 / 2) / (3 / LOG3 + 3 / 2),
    ("gain-without-minus-1", "nDCG"): (1 + 8 / LOG3) / (8 + 8 / LOG3),
    ("ideal-of-the-retrieved", "nDCG"): (3 / LOG3) / (3 + 2 / LOG3),
    ("ideal-cut-too-early", "nDCG"): (3 / LOG3) / 3,
    ("ideal-never-cut", "nDCG"): (3 / LOG3) / (3 + 3 / LOG3 + 2 / 2),
    ("ideal-of-ones", "nDCG"): (3 / LOG3) / (1 + 1 / LOG3),
    ("sorted-ascending", "nDCG"): (3 / LOG3) / (2 / LOG3),
    ("sorted-before-the-cut", "nDCG"): (3 + 2 / LOG3) / IDEAL,
    ("natural-logarithm", "DCG"): 3 / math.log(3),
    ("log-of-rank", "DCG"): 3.0,
    ("gain-without-minus-1", "DCG"): 1 + 8 / LOG3,
    ("p-over-r", "P"): 1 / 3,
    ("r-over-k", "R"): 1 / 2,
    ("r-of-the-retrieved", "R"): 1 / 2,
    ("f-by-the-arithmetic-mean", "F"): (1 / 2 + 1 / 3) / 2,
    ("f-without-the-2", "F"): 0.2,
    ("ap-over-the-hits", "AP"): 1 / 2,
    ("ap-over-k", "AP"): 1 / 4,
    ("ap-at-every-rank", "AP"): (0 + 1 / 2) / 2,
    ("ap-without-the-document", "AP"): 0.0,
    ("rr-of-the-last", "RR"): 1 / 2,
    ("rr-counted-from-0", "RR"): 1.0,
    ("rr-one-too-low", "RR"): 1 / 3,
    ("rr-of-every-hit", "RR"): 1 / 2,
    ("err-without-the-stop", "ERR"): 7 / 16 / 2,
    ("err-by-the-highest-grade-at-hand", "ERR"): 7 / 8 / 2,
    ("err-by-the-number-of-grades", "ERR"): 7 / 32 / 2,
    ("err-of-linear-grades", "ERR"): 3 / 4 / 2,
    ("rbp-one-rank-late", "RBP"): 0.2 * 0.8 * 0.8,
    ("rbp-not-normalised", "RBP"): 0.8,
    ("ideal-in-the-order-of-the-judgments", "nDCG"): 1.0,
    ("exponential-gain-over-a-linear-ideal", "nDCG"): (7 / LOG3) / IDEAL,
    ("dcg-not-divided", "nDCG"): 3 / LOG3,
    ("discount-by-the-root", "nDCG"): (3 / math.sqrt(2)) / (3 + 3 / math.sqrt(2)),
    ("ranking-reversed", "nDCG"): (2 + 3 / LOG3) / IDEAL,
    ("first-document-dropped", "nDCG"): (3 + 2 / LOG3) / IDEAL,
    ("mean-over-queries-with-a-hit", "nDCG"): (3 / LOG3) / IDEAL,
    ("median-for-the-mean", "nDCG"): (3 / LOG3) / IDEAL,
    ("logarithm-to-base-10", "DCG"): 3 / math.log10(3),
    ("discount-by-the-root", "DCG"): 3 / math.sqrt(2),
    ("ranking-reversed", "DCG"): 2 + 3 / LOG3,
    ("first-document-dropped", "DCG"): 3 + 2 / LOG3,
    ("ap-ranks-one-too-high", "AP"): 1 / 9,
    ("ranking-reversed", "AP"): 2 / 3,
    ("first-document-dropped", "AP"): 2 / 3,
    ("arguments-swapped", "AP"): 1 / 3,
    ("rr-averaged-over-the-hits", "RR"): 1 / 2,
    ("ranking-reversed", "RR"): 1.0,
    ("first-document-dropped", "RR"): 1.0,
    ("arguments-swapped", "RR"): 1.0,
    ("ranking-reversed", "P"): 1.0,
    ("first-document-dropped", "P"): 1.0,
    ("arguments-swapped", "P"): 1 / 2,
    ("ranking-reversed", "R"): 2 / 3,
    ("first-document-dropped", "R"): 2 / 3,
    ("arguments-swapped", "R"): 1 / 3,
    ("f-by-the-geometric-mean", "F"): math.sqrt(1 / 6),
    ("err-without-minus-1", "ERR"): 1 / 16 + 15 / 16 * (1 / 2) / 2,
    ("ap-of-the-last", "AP"): 1 / 2,
    ("ap-not-divided", "AP"): 1 / 2,
    # Turned round, the grades are 3, 0, 1 retrieved, and 0 missed.
    ("grades-turned-round", "nDCG"): 3 / (3 + 1 / LOG3),
    ("grades-turned-round", "DCG"): 3.0,
    ("grades-turned-round", "AP"): 1 / 2,
    ("grades-turned-round", "ERR"): 7 / 16,
}


@pytest.mark.parametrize(("label", "name"), BY_HAND, ids="-".join)
def test_a_mistake_gives_what_the_mistake_would(label, name):
    """The wrong value, worked out from the wrong idea by hand."""
    wrong = MISTAKES[label].instead_of(parse(name) @ 2)
    judgments = {"a": 0, "b": 3, "c": 2, "x": 3}
    assert wrong(["a", "b", "c"], judgments) == pytest.approx(BY_HAND[label, name])
    assert wrong(["b"], {"b": 3}, k=None) >= 0


def test_an_unguarded_logarithm_divides_by_zero():
    """Infinite where the first document has gain, no number where it has none."""
    wrong = MISTAKES["log-of-rank-unguarded"].wrong("DCG")
    assert wrong([3, 2]) == math.inf
    assert math.isnan(wrong([0, 2]))
    assert MISTAKES["rr-counted-from-0"].wrong("RR")([1]) == math.inf


@pytest.mark.parametrize("label", ["dcc-hits-by-category", "dcc-alpha-on-the-effective"])
def test_mistakes_of_coverage(label):
    """Worked out by hand: a hit of rock, and an item of folk that is not relevant."""
    categories = {"a": {"rock"}, "b": {"folk"}, "c": {"folk"}, "d": {"jazz"}}
    wrong = MISTAKES[label].wrong("DCC")(["a", "b"], {"a", "c"}, categories, alpha=0.1)
    assert wrong == pytest.approx({"dcc-hits-by-category": 2 / 3}.get(label, (0.1 + 1) / 3))


def test_mistakes_of_distance():
    """Three items at distances 1, 1/2 and 0; the right mean is 1/2."""
    apart = {("a", "b"): 1, ("a", "c"): 0.5, ("b", "c"): 0}
    expected = {
        "ild-over-n-squared": 2 * 1.5 / 9,
        "ild-pairs-counted-once": 1.5 / 6,
        "ild-over-items": 1.5 / 3,
        "ild-of-similarity": 0.5,
    }
    for label, value in expected.items():
        wrong = MISTAKES[label].wrong("ILAD")
        assert wrong(["a", "b", "c"], apart, distance="given") == pytest.approx(value)
    beta = MISTAKES["dilad-beta-once"].wrong("DILAD")
    got = beta(["a", "b", "c"], {"a"}, {("a", "b"): 1, ("a", "c"): 1, ("b", "c"): 1}, beta=0.1,
               distance="given")  # fmt: skip
    assert got == pytest.approx(0.1)


def test_interactions_counted_as_users_have_a_name():
    """Three interactions of two users: -log2 of 2/3 and of 1/3, and 1 less each share."""
    counts = {"a": 2, "b": 1}
    values = {
        "novelty(users=2)": -(math.log2(2 / 3) + math.log2(1 / 3)) / 2,
        "EPC(users=2)": 1 - (2 / 3 + 1 / 3) / 2,
    }
    for measure, value in values.items():
        found = diagnose(measure, {"u": ["a", "b"]}, popularity=counts, value=f"{value:.5f}")
        assert [m.mistake.label for m in found.mistakes] == ["popularity-over-interactions"]


def _agreements(one, other):
    """How much of the first d places both orders share, for each d to the end of the longer."""
    short = min(len(one), len(other))
    at_short = len({*one[:short]} & {*other[:short]}) / short
    shares = []
    for d in range(1, max(len(one), len(other)) + 1):
        common = len({*one[:d]} & {*other[:d]})
        shares.append((common + max(0, d - short) * at_short) / d)
    return shares


@pytest.mark.parametrize("seed", range(30))
def test_orders_and_counts_are_diagnosed(seed):
    """By plain loops: RBO that ends with the lists, average overlap, Gini over n - 1."""
    draw = np.random.default_rng(seed)
    items = [f"i{i}" for i in range(8)]
    one = draw.permutation(items)[: draw.integers(3, 8)].tolist()
    other = draw.permutation(items)[: draw.integers(3, 8)].tolist()
    shares = _agreements(one, other)
    wrong = {
        "rbo-without-the-tail": sum(0.2 * 0.8**d * a for d, a in enumerate(shares)),
        "rbo-of-equal-weights": sum(shares) / len(shares),
    }
    right = rbo(one, other, p=0.8)
    for label, value in wrong.items():
        assert MISTAKES[label].wrong("RBO")(one, other, p=0.8) == pytest.approx(value)
        if abs(value - right) > 1e-3:
            found = diagnose("RBO(p=0.8)", one, other, value=f"{value:.6f}")
            assert label in [m.mistake.label for m in found.mistakes]
    counts = {item: int(count) for item, count in zip(items, draw.integers(0, 9, 8), strict=True)}
    apart = sum(abs(a - b) for a in counts.values() for b in counts.values())
    value = apart / (2 * 7 * sum(counts.values()))
    found = diagnose("Gini", counts, value=f"{value:.6f}")
    assert [m.mistake.label for m in found.mistakes] == ["gini-over-n-minus-1"]
    assert diagnose("Gini", counts, value=f"{value * 7 / 8:.6f}").candidates


def test_counts_stand_in_no_order_and_are_bounded():
    """No cut-off is named for them; too many are refused with what would do."""
    found = diagnose("Gini", {"a": 3, "b": 1}, value="0.6")
    assert "cut-off" not in str(found)
    with pytest.raises(InputError, match="the counts add up to 200,001, and 100,000 at most"):
        diagnose("Gini", {"a": 200_000, "b": 1}, value="0.5")
    with pytest.raises(InputError, match="RBO takes two orders, or two runs"):
        diagnose("RBO", ["a", "b"], value="0.5")


def _auc_by_pairs(grades, scores, tie):
    """The share of pairs in the right order, where a tie is worth what is said."""
    pairs = [(s, t) for g, s in zip(grades, scores, strict=True) if g
             for h, t in zip(grades, scores, strict=True) if not h]  # fmt: skip
    return sum(1.0 if s > t else tie * (s == t) for s, t in pairs) / len(pairs)


@pytest.mark.parametrize("seed", range(30))
def test_auc_with_ties_taken_otherwise_has_a_name(seed):
    """By a loop over all pairs: ties as errors, ties as right, and all pairs turned round."""
    draw = np.random.default_rng(seed)
    grades = [0, 1, *draw.integers(0, 2, 9).tolist()]
    scores = [0.5, 0.5, *(draw.integers(0, 4, 9) / 4).tolist()]
    wrong = {
        "auc-ties-lost": _auc_by_pairs(grades, scores, 0),
        "auc-ties-won": _auc_by_pairs(grades, scores, 1),
        "auc-turned-round": _auc_by_pairs(grades, [-s for s in scores], 0.5),
    }
    for label, value in wrong.items():
        assert MISTAKES[label].wrong("AUC")(grades, scores) == pytest.approx(value)
    right = _auc_by_pairs(grades, scores, 0.5)
    for label, value in wrong.items():
        if abs(value - right) > 1e-3:
            found = diagnose("AUC", grades, scores, value=f"{value:.6f}")
            assert label in [m.mistake.label for m in found.mistakes]


def test_trapezoids_and_one_list_of_all_queries_have_names():
    """As scikit-learn joins the points, and as it takes the documents of all users at once."""
    grades, scores = [1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.7, 0.1]
    precision, recall, _ = precision_recall_curve(grades, scores)
    found = diagnose("PR-AUC", grades, scores, value=f"{auc(recall, precision):.6f}")
    assert [m.mistake.label for m in found.mistakes] == ["pr-auc-by-trapezoids"]
    run = {"u1": {"a": 3.0, "b": 2.0, "c": 1.0}, "u2": {"a": 1.0, "b": 5.0, "c": 0.5}}
    qrels = {"u1": {"a": 1, "b": 0, "c": 1}, "u2": {"a": 1, "b": 0, "c": 0}}
    pairs = [(qrels[u][d], s) for u, scores_of_u in run.items() for d, s in scores_of_u.items()]
    value = roc_auc_score(*zip(*pairs, strict=True))
    found = diagnose("AUC", run, qrels, value=f"{value:.6f}")
    assert "queries-in-one-list" in [m.mistake.label for m in found.mistakes]


def test_a_loop_that_keeps_the_last_precision_is_named():
    """Hits at ranks 2, 4 and 5 of 6 with R = 4: the last precision is 3/5, over R 3/20."""
    judgments = {"b": 1, "d": 1, "e": 1, "x": 1}
    for value in ("0.6000", "0.1500"):
        found = diagnose("AP", list("abcdef"), judgments, value=value)
        assert "ap-of-the-last" in [m.mistake.label for m in found.mistakes]


def test_ap_that_was_not_divided_is_named():
    """Hits at ranks 1 and 3 of 3: 1 + 2/3 is above 1; of three queries the mean of 5/3, 1 and 0."""
    found = diagnose("AP", [1, 0, 1], value="1.6667")
    assert [m.mistake.label for m in found.mistakes] == ["ap-not-divided"]
    run = {"q1": ["a", "x", "b"], "q2": ["y", "d"], "q3": ["z"]}
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"d": 1, "e": 1}, "q3": {"c": 1}}
    found = diagnose("AP", run, qrels, value=f"{(5 / 3 + 1 / 2) / 3:.4f}")
    assert "ap-not-divided" in [m.mistake.label for m in found.mistakes]


def test_the_conventions_of_the_right_metric_are_taken_over():
    """A mistake beside a convention: 2^grade - 1 as it should be, the ideal too long."""
    wrong = MISTAKES["ideal-never-cut"].instead_of(parse("nDCG(gain=exp)@1"))
    assert wrong([1, 2]) == pytest.approx(1 / (3 + 1 / LOG3))


@pytest.mark.parametrize(("mistake", "name"), OF_GRADES, ids=lambda v: getattr(v, "label", v))
def test_unjudged_rows_make_no_difference(mistake, name):
    """A wrong metric too gives the same whether the rows of unjudged documents are there."""
    wrong = mistake.wrong(name)
    judgments = {"a": 1, "c": 3, "x": 2}
    whole = wrong.align(["a", "b", "c", "d"], judgments)
    few = whole.where(whole.judged)
    with np.errstate(all="ignore"):
        both = [wrong.measured(rows, 3, **wrong.params).score[0] for rows in (whole, few)]
    assert both[0] == pytest.approx(both[1], nan_ok=True)


def test_what_comes_near_nothing_is_not_asked_for_judgments_that_it_has_not():
    """Orders and counts have none."""
    found = str(diagnose("tau", ["a", "b", "c"], ["b", "a", "c"], value="0.5"))
    assert "The one convention does not give it" in found
    assert "Are these the inputs that it was computed from?" in found
    too_large = str(diagnose("RBO", ["a", "b", "c"], ["b", "a", "d"], value="5.1"))
    assert "If it is in percent, write 5.1%" in too_large
    assert "ideal" not in too_large
