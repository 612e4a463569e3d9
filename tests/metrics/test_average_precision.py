"""Average precision in its three kinds: the lecture's examples, oracles, libraries."""

from fractions import Fraction

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import further
from dev.tools.vectors.oracles import rankings as oracle
from irmetrics_edu import evaluate
from irmetrics_edu.diagnosis.conformance.adapters import measure_of_ir_measures
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.average_precision import (
    average_precision,
    interpolated_average_precision,
    interpolated_precision,
    precision_recall_curve,
    simplified_average_precision,
)
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.rows.ranked_rows import Rows


def retrieved_at(*ranks, length, n_relevant):
    """A ranking with relevant documents at these ranks, and the judgments of all relevant ones."""
    ranking = [f"r{i}" if i in ranks else f"n{i}" for i in range(1, length + 1)]
    found = [d for d in ranking if d.startswith("r")]
    missing = [f"missing{i}" for i in range(n_relevant - len(found))]
    return ranking, set(found) | set(missing)


SIX = retrieved_at(1, 2, 5, 10, 20, length=20, n_relevant=6)
FIFTEEN = retrieved_at(1, 3, 4, 6, 8, 10, 11, 14, length=15, n_relevant=10)

zeros_and_ones = st.lists(st.integers(0, 1), max_size=12)
missing_counts = st.integers(0, 4)


def case(relevance, missing):
    """A ranking and its judgments from relevance in ranked order; at least one is judged."""
    ranking = [f"d{i}" for i in range(len(relevance))]
    judged = dict(zip(ranking, relevance, strict=True))
    return ranking, {**judged, **{f"m{i}": 1 for i in range(missing)}, "other": 0}


def test_the_three_kinds_on_six_relevant_documents():
    """(1/1+2/2+3/5+4/10+5/20+0)/6, and the same sum over 5."""
    total = 1 + 1 + Fraction(3, 5) + Fraction(4, 10) + Fraction(5, 20)
    assert average_precision(*SIX, exact=True) == (total + 0) / 6 == Fraction(13, 24)
    assert simplified_average_precision(*SIX, exact=True) == total / 5 == Fraction(13, 20)


def test_the_three_kinds_on_ten_relevant_documents():
    """The sum that the slide prints, over 10, over 8, and with a 1 for recall 0 over 11."""
    printed = ["1/1", "2/3", "3/4", "4/6", "5/8", "6/10", "7/11", "8/14"]
    total = sum(map(Fraction, printed))
    assert average_precision(*FIFTEEN, exact=True) == total / 10 == Fraction(50969, 92400)
    assert simplified_average_precision(*FIFTEEN, exact=True) == total / 8
    eleven = interpolated_average_precision.using(interpolation="none")
    assert eleven(*FIFTEEN, exact=True) == (1 + total) / 11 == Fraction(60209, 101640)


def test_the_slide_does_not_interpolate():
    """By the standard rule it would be 3071/5082: recall 0.2, 0.5 and 0.6 have a better one."""
    standard = interpolated_average_precision.working(*FIFTEEN, exact=True)
    as_printed = interpolated_average_precision.working(*FIFTEEN, interpolation="none", exact=True)
    assert standard.value == Fraction(3071, 5082)
    differ = [
        (level, ours, theirs)
        for level, ours, theirs in zip(
            standard["recall level"],
            standard["precision at recall"],
            as_printed["precision at recall"],
            strict=True,
        )
        if ours != theirs
    ]
    assert differ == [
        (Fraction(1, 5), Fraction(3, 4), Fraction(2, 3)),
        (Fraction(1, 2), Fraction(7, 11), Fraction(5, 8)),
        (Fraction(3, 5), Fraction(7, 11), Fraction(6, 10)),
    ]


def test_the_two_queries_of_the_map_example():
    """0.83 and 0.45 as printed, 93/112 and 34/75 exactly."""
    first = average_precision(*retrieved_at(1, 2, 4, 7, length=7, n_relevant=4), exact=True)
    second = average_precision(*retrieved_at(1, 3, 5, length=5, n_relevant=5), exact=True)
    assert (first, second) == (Fraction(93, 112), Fraction(34, 75))
    assert (f"{float(first):.2f}", f"{float(second):.2f}") == ("0.83", "0.45")


def test_an_exact_value_in_the_shortest_form():
    """(1 + 2/3)/2."""
    assert average_precision([1, 0, 1], exact=True) == Fraction(5, 6)


def test_the_divisors_of_average_precision():
    """Two hits in three, six relevant: over 6, over min(3, 6) and over 2."""
    ranking, judged = retrieved_at(1, 3, length=5, n_relevant=6)
    total = 1 + Fraction(2, 3)
    at_3 = average_precision @ 3
    for divisor, over in (("relevant", 6), ("reachable", 3), ("hits", 2)):
        assert at_3(ranking, judged, divisor=divisor, exact=True) == total / over


@given(
    relevance=zeros_and_ones,
    missing=missing_counts,
    k=st.sampled_from([None, 1, 3, 20]),
    divisor=st.sampled_from(["relevant", "reachable", "hits"]),
)
def test_average_precision_equals_the_oracle(relevance, missing, k, divisor):
    """Exactly what plain loops give, under each divisor."""
    pool = [1] * (sum(relevance) + missing)
    example = case(relevance, missing)
    expected = oracle.average_precision(relevance, pool, k, divisor=divisor)
    assert average_precision(*example, k=k, divisor=divisor, exact=True) == expected
    if divisor == "hits":
        assert simplified_average_precision(*example, k=k, exact=True) == expected


@given(
    relevance=zeros_and_ones,
    missing=missing_counts,
    points=st.sampled_from([2, 3, 11, 101]),
    interpolation=st.sampled_from(["standard", "none"]),
)
def test_interpolated_values_equal_the_oracle(relevance, missing, points, interpolation):
    """Levels of recall are compared as fractions, in floats too."""
    pool = [1] * (sum(relevance) + missing)
    example = case(relevance, missing)
    options = {"interpolation": interpolation, "points": points}
    expected = further.interpolated_ap(relevance, pool, **options)
    assert interpolated_average_precision(*example, **options, exact=True) == expected
    assert interpolated_average_precision(*example, **options) == pytest.approx(float(expected))
    for level in (0, 0.1, 0.3, 0.7, 1):
        at_level = interpolated_precision.using(interpolation=interpolation) @ level
        wanted = further.precision_at_recall(
            relevance, pool, recall=str(level), interpolation=interpolation
        )
        assert at_level(*example, exact=True) == wanted
        assert at_level(*example) == pytest.approx(float(wanted))


@given(relevance=zeros_and_ones.filter(bool), missing=missing_counts)
def test_the_curve_of_a_ranking(relevance, missing):
    """Precision, recall and the best precision from here on, rank by rank."""
    n_relevant = sum(relevance) + missing
    curve = precision_recall_curve(*case(relevance, missing), exact=True)
    precisions = [Fraction(sum(relevance[:i]), i) for i in range(1, len(relevance) + 1)]
    assert curve["precision"].tolist() == precisions
    assert curve["interpolated precision"].tolist() == [
        max(precisions[i:]) for i in range(len(precisions))
    ]
    if n_relevant:
        assert curve["recall"].tolist() == [
            Fraction(sum(relevance[:i]), n_relevant) for i in range(1, len(relevance) + 1)
        ]
    assert curve.value == oracle.average_precision(relevance, [1] * n_relevant)


def of_trec_eval(example, *names):
    """What trec_eval's binding gives for a ranking without ties."""
    ranking, judged = example
    run = {"q": {d: float(len(ranking) - i) for i, d in enumerate(ranking)}}
    return pytrec_eval.RelevanceEvaluator({"q": judged}, set(names)).evaluate(run)["q"]


@given(relevance=zeros_and_ones.filter(bool), missing=missing_counts)
def test_equal_to_trec_eval(relevance, missing):
    """map, map_cut, and interpolated precision wherever its rounding of recall leaves it alone."""
    example = case(relevance, missing)
    theirs = of_trec_eval(example, "map", "map_cut", "iprec_at_recall", "11pt_avg")
    assert average_precision(*example) == pytest.approx(theirs["map"], abs=1e-6)
    assert (average_precision @ 5)(*example) == pytest.approx(theirs["map_cut_5"], abs=1e-6)
    n_relevant = sum(relevance) + missing
    pool = [1] * n_relevant
    rounded = [
        further.precision_at_recall(relevance, pool, recall=str(j / 10), interpolation="trec_eval")
        for j in range(11)
    ]
    ours = [(interpolated_precision @ (j / 10))(*example, exact=True) for j in range(11)]
    for j, (its_own, value) in enumerate(zip(rounded, ours, strict=True)):
        assert theirs[f"iprec_at_recall_{j / 10:.2f}"] == pytest.approx(float(its_own), abs=1e-6)
        if int(j / 10 * n_relevant + 0.9) == -(-j * n_relevant // 10):
            assert value == its_own
    if ours == rounded:
        mean = interpolated_average_precision(*example)
        assert mean == pytest.approx(theirs["11pt_avg"], abs=1e-6)


def test_where_trec_eval_rounds_recall_the_other_way():
    """Recall 0.7 of 3 documents is 3 of them (2 are 0.67); trec_eval takes 2 for enough."""
    example = case([1, 1, 0, 1], 0)
    theirs = of_trec_eval(example, "iprec_at_recall", "11pt_avg")
    assert theirs["iprec_at_recall_0.70"] == 1
    assert (interpolated_precision @ 0.7)(*example) == 0.75
    # Seven levels up to recall 2/3 at precision 1, four above at 3/4.
    assert interpolated_average_precision(*example, exact=True) == Fraction(7 * 4 + 4 * 3, 4 * 11)
    assert theirs["11pt_avg"] == pytest.approx((8 + 3 * 0.75) / 11)


def test_read_and_scored_as_ir_measures_does():
    """AP, AP@k and IPrec@recall are read and mean the same."""
    ranking, judged = FIFTEEN
    run = {"q": {d: float(len(ranking) - i) for i, d in enumerate(ranking)}}
    qrels = {"q": dict.fromkeys(judged, 1)}
    for name in ("AP", "AP@5", "AP(rel=1)@10", "IPrec@0.1", "IPrec@0.5", "IPrec@0.9"):
        theirs = ir_measures.calc_aggregate([measure_of_ir_measures(name)], qrels, run)
        assert [parse(name)(ranking, judged)] == pytest.approx(list(theirs.values()))


@given(
    cases=st.lists(st.tuples(zeros_and_ones, missing_counts), min_size=1, max_size=5),
    k=st.sampled_from([None, 2]),
)
def test_many_queries_at_once_equal_each_alone(cases, k):
    """No query sees another: neither in running sums nor in the best precision from here on."""
    examples = [case(*c) for c in cases]
    together = Rows.joined([align(*e) for e in examples])
    for metric in (average_precision, simplified_average_precision):
        alone = [metric(*e, k=k) for e in examples]
        assert metric.measured(together, k).score.tolist() == pytest.approx(alone)
    for metric in (interpolated_average_precision, interpolated_precision @ 0.4):
        working = metric.measured(together, None, **metric.params)
        assert working.score.tolist() == pytest.approx([metric(*e) for e in examples])


def test_the_hits_above_the_cut_alone_can_lose():
    """Simplified AP may fall in a better order: a late hit joins, and the mean falls."""
    at_3 = simplified_average_precision @ 3
    assert at_3([1, 0, 0, 1]) == 1
    assert at_3([1, 0, 1, 0], exact=True) == Fraction(5, 6)


@pytest.mark.parametrize(
    "metric", [average_precision, interpolated_average_precision, interpolated_precision @ 0.5]
)
def test_a_query_without_relevant_documents_is_worth_what_is_said(metric):
    """0 by default, 1 or no score on demand."""
    assert metric([0, 0]) == 0
    assert metric([0, 0], no_relevant="one") == 1
    assert np.isnan(metric([0, 0], no_relevant="nan"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: average_precision([1], divisor="n"), "k, retrieved, relevant, reachable, hits"),
        (
            lambda: interpolated_average_precision([1], points=1),
            "points=1 is not possible; give a whole number from 2 to 10001",
        ),
        (lambda: interpolated_average_precision([1], points=2.5), "points=2.5"),
        (lambda: interpolated_average_precision([1], interpolation="cubic"), "standard, none"),
        (lambda: interpolated_precision([1]), "recall= is missing"),
        (lambda: (interpolated_precision @ 1.5)([1]), r"recall=1\.5 is out of range"),
        (lambda: precision_recall_curve([1], k=0), "k=0"),
        (lambda: average_precision(["a"], {}), "nothing is judged"),
    ],
)
def test_bad_input_is_refused_with_a_remedy(call, message):
    """The message says what was given and what would do."""
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("before", [0, 1, 2, 5])
@pytest.mark.parametrize("tied", [2, 3])
@pytest.mark.parametrize("k", range(1, 9))
def test_a_cut_through_a_tie_is_refused_where_its_hits_divide(before, tied, k):
    """Only where it goes through: at the first and after the last of the tied it does not."""
    scores = {f"x{i}": 10.0 - i for i in range(before)}
    scores |= {f"t{i}": 1.0 for i in range(tied)}
    scores |= {"y": 0.5, "z": 0.25}

    def asked():
        name = f"AP(ties=averaged,divisor=hits)@{k}"
        return evaluate({"q": scores}, {"q": {"t0": 1}}, name).mean

    if before < k < before + tied:
        with pytest.raises(InputError, match="ties"):
            asked()
    else:
        assert asked()


@pytest.mark.parametrize("ranking", [[1, 1], [0, 1, 1], [0, 0, 0, 1], [0, 1, 0, 1, 1, 0]])
def test_the_rank_of_each_level_of_recall_is_the_first_that_reaches_it(ranking):
    """A recall of 0 is reached at once, whatever stands there."""
    for points in (2, 3, 11):
        working = interpolated_average_precision.working(ranking, points=points)
        expected = [
            next(
                rank
                for rank in range(1, len(ranking) + 1)
                if sum(ranking[:rank]) * (points - 1) >= i * sum(ranking)
            )
            for i in range(points)
        ]
        assert working["rank of recall"].tolist() == expected
