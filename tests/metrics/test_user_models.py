"""ERR, RBP and the Q-measure against loops, theory, and what was measured of other libraries."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import further
from dev.tools.vectors.oracles import rankings as oracle
from irmetrics_edu.conventions import AS_WRITTEN
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.user_models import err, pfound, q_measure, rbp
from irmetrics_edu.rows.aligned_ranking import Alignment, align
from irmetrics_edu.rows.ranked_rows import Rows
from tests.conftest import MEASURED
from tests.oracles.user_models import rbp_residual

ranked_grades = st.lists(st.integers(0, 4), min_size=1, max_size=12)
with_gaps = st.lists(st.none() | st.integers(0, 3), min_size=1, max_size=12).filter(
    lambda grades: any(g is not None for g in grades)
)
cuts = st.none() | st.integers(1, 15)


@given(ranked_grades, st.integers(4, 6), cuts)
def test_err_follows_the_reader(grades: list[int], max_grade: int, k: int | None) -> None:
    """ERR, exact and as a float, is what following the reader down the list gives."""
    expected = oracle.err(grades, grades, k, max_grade=max_grade)
    assert err(grades, k=k, max_grade=max_grade, exact=True) == expected
    assert err(grades, k=k, max_grade=max_grade) == pytest.approx(float(expected))


def test_err_shows_how_the_reader_stops() -> None:
    """With grades 3, 0, 1 of 3: stop 7/8, 0, 1/8 and reach 1, 1/8, 1/8 by hand."""
    working = err.working([3, 0, 1], max_grade=3, exact=True)
    assert list(working["stop probability"]) == [Fraction(7, 8), 0, Fraction(1, 8)]
    assert list(working["reach probability"]) == [1, Fraction(1, 8), Fraction(1, 8)]
    assert list(working["1/rank"]) == [1, Fraction(1, 2), Fraction(1, 3)]
    assert list(working["contribution"]) == [Fraction(7, 8), 0, Fraction(1, 192)]
    assert working.value == Fraction(7, 8) + Fraction(1, 192)


def _measured(metric: str) -> tuple[dict, dict[tuple[str, str], float]]:  # type: ignore[type-arg]
    data = json.loads(MEASURED.read_text(encoding="utf-8"))
    values = {
        (row[0], row[4]): row[5]
        for row in data["rows"]
        if row[3] == metric and isinstance(row[5], float)
    }
    return data["inputs"], values


def _documents(run: list[list[object]]) -> list[object]:
    return [document for document, _ in run]


@pytest.mark.parametrize("probe", ["wiki6", "short", "norel", "neg"])
def test_err_is_that_of_gdeval(probe: str) -> None:
    """gdeval, on the scale of 4 that it assumes, printed the same to its five digits."""
    inputs, values = _measured("ERR@10")
    ranking, qrels = _documents(inputs[probe]["run"]["q1"]), inputs[probe]["qrels"]["q1"]
    score = err(ranking, qrels, k=10, negative="zero")
    assert score == pytest.approx(values["ir-measures[gdeval]", probe], abs=5e-6)


@pytest.mark.parametrize("probe", ["g523", "wiki6", "short", "norel", "neg"])
def test_rbp_is_that_of_cwl_eval(probe: str) -> None:
    """RBP at p = 0.8 is what cwl_eval gave for binary relevance."""
    inputs, values = _measured("RBP(rel=1)")
    ranking, qrels = _documents(inputs[probe]["run"]["q1"]), inputs[probe]["qrels"]["q1"]
    score = rbp(ranking, qrels, negative="zero")
    assert score == pytest.approx(values["ir-measures[cwl_eval]", probe], abs=1e-9)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: err([1, 5], max_grade=4), ["rank 2", "grade 5", "max_grade=4", "max_grade=5"]),
        (
            lambda: err(["a"], {"a": 1, "b": 4.5}),
            ["document 'b'", "grade 4.5", "max_grade=4", "max_grade=5"],
        ),
        (lambda: err([-1], negative="keep"), ["grade -1", "zero"]),
        (lambda: err([1], max_grade=0), ["max_grade=0", "(0, 1000]"]),
        (lambda: err([1], max_grade=float("nan")), ["max_grade", "finite"]),
        (lambda: rbp([1], p=1), ["p=1", "[0, 1)"]),
        (lambda: rbp([1], p=-0.1), ["p=-0.1"]),
        (lambda: rbp([0.5]), ["grade 0.5", "rel"]),
        (lambda: q_measure([1], beta=-1), ["beta=-1"]),
        (lambda: q_measure([1], divisor="hits"), ["divisor=hits", "reachable"]),
    ],
)
def test_bad_input_is_refused(call, words: list[str]) -> None:  # type: ignore[no-untyped-def]
    """Every refusal names the place, what was given and what would do."""
    with pytest.raises(InputError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


def test_a_grade_off_the_scale_names_its_query() -> None:
    """With many queries in one table, the message says which one holds the grade."""
    rows = Rows.joined(
        [
            err.align(["a"], {"a": 1}, query="q1"),
            err.align(["a"], {"a": 1, "b": 7}, query="q2"),
        ]
    )
    with pytest.raises(InputError, match="query 'q2', document 'b': grade 7"):
        err.measured(rows)


def test_err_takes_real_grades_but_not_exactly() -> None:
    """Grade 0.5 of 1 satisfies with probability (sqrt 2 - 1) / 2, which no fraction is."""
    assert err([0.5], max_grade=1) == pytest.approx((2**0.5 - 1) / 2)
    with pytest.raises(NotRational):
        err([0.5], max_grade=1, exact=True)
    with pytest.raises(NotRational):
        err([1], max_grade=1.5, exact=True)


@given(with_gaps, st.sampled_from([0, 0.5, 0.8, 0.95]), st.integers(1, 3), cuts)
def test_rbp_and_its_residual(grades: list[int | None], p: float, rel: int, k: int | None) -> None:
    """RBP and the weight of what is not judged are sums over the ranks one by one."""
    working = rbp.working(grades, p=p, rel=rel, k=k, exact=True)
    persistence = Fraction(str(p))
    assert working.value == oracle.rbp(grades, (), k, p=persistence, rel=rel)
    assert working["residual"][0] == rbp_residual(grades, persistence, k)
    assert working["upper bound"][0] <= 1
    assert rbp(grades, p=p, rel=rel, k=k) == pytest.approx(float(working.value))


def test_rbp_with_the_unjudged_relevant_is_the_upper_bound() -> None:
    """Making all that is unjudged relevant, far down too, lifts RBP to the upper bound."""
    working = rbp.working([1, None, 0, None], p=0.8)
    best = rbp([1, 1, 0, 1, *[1] * 500], p=0.8)
    assert working["upper bound"][0] == pytest.approx(best)


@given(
    st.permutations(range(8)),
    st.lists(st.integers(0, 3), min_size=8, max_size=8),
    st.integers(0, 8),
    st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(10)]),
    cuts,
    st.booleans(),
)
def test_q_measure_walks_beside_the_ideal(
    order: list[int], pool: list[int], n: int, beta: Fraction, k: int | None, reachable: bool
) -> None:
    """Q over a ranking of part of the pool is the loop's value."""
    ranking, judgments = order[:n], dict(enumerate(pool))
    divisor = "reachable" if reachable else "relevant"
    grades = [pool[d] for d in ranking]
    expected = further.q_measure(grades, pool, k, beta=beta, divisor=divisor)
    score = q_measure(ranking, judgments, k=k, beta=beta, divisor=divisor, exact=True)
    assert score == expected
    floats = q_measure(ranking, judgments, k=k, beta=float(beta), divisor=divisor)
    assert floats == pytest.approx(float(expected))


@given(st.lists(st.integers(0, 1), min_size=1, max_size=10), st.integers(0, 4))
def test_q_measure_and_average_precision(relevance: list[int], unretrieved: int) -> None:
    """On binary grades Q = AP if nothing relevant stands below rank R, else Q > AP; beta=0: AP."""
    judgments = dict(enumerate(relevance))
    judgments.update({100 + i: 1 for i in range(unretrieved)})
    ranking = list(range(len(relevance)))
    pool = list(judgments.values())
    ap = oracle.average_precision(relevance, pool)
    q = q_measure(ranking, judgments, exact=True)
    assert q_measure(ranking, judgments, beta=0, exact=True) == ap
    if any(relevance[sum(pool) :]):
        assert q > ap
    else:
        assert q == ap


def test_q_measure_by_hand() -> None:
    """Grades 1, 0, 3, 0, 2: blended ratios 2/4, 6/9 and 9/11 over three relevant documents."""
    working = q_measure.working([1, 0, 3, 0, 2], exact=True)
    assert list(working["ideal cumulated gain"]) == [3, 5, 6, 6, 6]
    assert working.value == (Fraction(1, 2) + Fraction(2, 3) + Fraction(9, 11)) / 3


def test_nothing_relevant() -> None:
    """Without relevant documents Q is what the convention says; ERR and RBP are 0."""
    assert q_measure(["a"], {"a": 0}) == 0.0
    assert q_measure(["a"], {"a": 0}, no_relevant="one") == 1.0
    assert q_measure(["a"], {"a": None}) == 0.0
    assert err(["a"], {"a": 0}) == rbp(["a"], {"a": 0}) == 0.0
    assert err([], {"a": 1}) == rbp([], {"a": 1}) == q_measure([], {"a": 1}) == 0.0


@pytest.mark.parametrize("metric", [err @ 3, rbp @ 3, q_measure @ 3, rbp, q_measure])
def test_many_queries_at_once(metric) -> None:  # type: ignore[no-untyped-def]
    """A table of several queries gives each query's own score."""
    calls = [
        (["a", "b", "c", "d"], {"a": 0, "c": 2, "x": 1}),
        ([], {"a": 1}),
        (["z", "y"], {"a": 3, "y": 3}),
        (["b", "a"], {"a": None}),
        (["d", "a", "e", "b"], {"a": 1, "b": 4, "e": 0}),
    ]
    rows = Rows.joined([metric.align(*call) for call in calls])
    together = metric.measured(rows, metric.k).score
    assert np.allclose(together, [metric(*call) for call in calls])


def test_the_highest_grade_at_hand_is_the_top_of_each_querys_scale():
    """Where it is 0 nobody is satisfied, whatever the scale."""
    for metric in (err, pfound):
        for satisfaction in ("exp", "linear"):
            options = {"max_grade": "highest", "satisfaction": satisfaction}
            assert metric([0, 0], **options) == 0
            share = {"exp": [1 / 2, 3 / 4, 7 / 8], "linear": [1, 1, 1]}[satisfaction]
            for grade in (1, 2, 3):
                assert metric([grade, 0], **options) == share[grade - 1]
                assert metric(["a"], {"a": 0, "b": grade}, **options) == 0


def test_pfound_by_hand():
    """Probabilities 0.4, 0, 0.4: 0.4, nothing, and 0.4 of those who are left after two steps.

    0.6 are not answered at rank 1, and 0.85 of these go on: 0.51. At rank 2 nobody is answered:
    0.51 times 0.85 look at rank 3. 0.4 + 0.4 * 0.4335 = 0.5734.
    """
    as_they_are = {"max_grade": 1, "satisfaction": "linear"}
    assert pfound([0.4, 0, 0.4], **as_they_are) == pytest.approx(0.5734, abs=1e-12)
    assert pfound([0.4, 0, 0.4], k=2, **as_they_are) == pytest.approx(0.4, abs=1e-12)
    assert pfound([1, 1, 1], **as_they_are) == 1
    assert pfound([0, 0, 1], **as_they_are) == pytest.approx(0.85**2, abs=1e-12)


def test_pfound_of_readers_who_never_give_up_or_always_do():
    """With p_break = 0 it is 1 less the chance that no document answers; with 1 the first alone."""
    grades = [0.5, 0.25, 0.5]
    as_they_are = {"max_grade": 1, "satisfaction": "linear"}
    assert pfound(grades, p_break=0, **as_they_are) == pytest.approx(1 - 0.5 * 0.75 * 0.5)
    assert pfound(grades, p_break=1, **as_they_are) == 0.5


def test_pfound_refuses_what_is_no_probability():
    """Of an option, and of a grade above the top of the scale."""
    with pytest.raises(InputError, match="p_break"):
        pfound([1, 0], p_break=1.5)
    with pytest.raises(InputError, match="give max_grade=3 if that is the top of the scale"):
        pfound([3, 0], max_grade=1)


def test_a_grade_off_the_scale_is_told_beside_the_highest_at_hand():
    """Which is 0 where no grade is above it."""
    for grades, top in (([0, -1], 0), ([-2, 0], 0), ([3, -1], 3)):
        with pytest.raises(InputError, match=rf"not within 0 to max_grade={top};"):
            err(grades, negative="keep", max_grade="highest")


def test_a_grade_off_the_scale_has_a_rank_where_the_ranking_alone_is_given():
    """With judgments its document says where it is; of many queries it is told without."""
    by = Alignment(negative=AS_WRITTEN)
    one, other = align([3, 0], by=by), align([0, -1], by=by)
    documents = align(["a", "b"], {"a": 0, "b": -1}, by=by, query="q")
    for rows, place in (
        (other, "rank 2: "),
        (documents, "query 'q', document 'b': "),
        (Rows.joined([one, other]), ""),
    ):
        with pytest.raises(InputError, match=f"^{place}grade -1 is not within 0 to"):
            err.measured(rows, None, max_grade=4)
