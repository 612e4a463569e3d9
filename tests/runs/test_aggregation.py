"""MAP, GMAP, MRR and mean ERR: document 004, trec_eval, and what happens to odd queries."""

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from dev.tools.vectors.oracles import rankings as oracle
from irmetrics_edu import compare, evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.score import assertion
from irmetrics_edu.runs.aggregation import (
    AGGREGATES,
    geometric_mean_average_precision,
    mean_average_precision,
    mean_err,
    mean_reciprocal_rank,
)
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.views.terms import term

# Document 004: relevant at ranks 1, 2, 4, 7 of 4 relevant; at 1, 3, 5 of 5.
RUN = {"1": list("abcdefg"), "2": list("vwxyz")}
QRELS = {"1": dict.fromkeys("abdg", 1), "2": dict.fromkeys("vxzmn", 1)}


def test_map_of_document_004() -> None:
    """AP 0.83 and 0.45, that is 93/112 and 34/75, make MAP 0.64."""
    working = mean_average_precision.working(RUN, QRELS, exact=True)
    assert list(working["value"]) == [Fraction(93, 112), Fraction(34, 75)]
    assert working.value == (Fraction(93, 112) + Fraction(34, 75)) / 2
    assert round(mean_average_precision(RUN, QRELS), 2) == 0.64
    assert working["1"].value == Fraction(93, 112)
    assert working["2"]["precision"][2] == Fraction(2, 3)


def test_mrr_of_document_004() -> None:
    """First relevant at 2 and 4: MRR 3/8; its reciprocal 8/3 is the harmonic mean rank, not 3."""
    run = {"1": [0, 1], "2": [0, 0, 0, 1]}
    working = mean_reciprocal_rank.working(run, exact=True)
    assert working.value == Fraction(3, 8)
    assert working["harmonic mean rank"] == Fraction(8, 3)
    assert working["arithmetic mean rank"] == 3
    assert "harmonic mean rank: 8/3" in working.notes


def test_mean_ranks_need_every_query() -> None:
    """Where a query finds nothing there is no mean rank, but there is MRR."""
    working = mean_reciprocal_rank.working({"1": [0, 1], "2": [0, 0]})
    assert working.value == 0.25
    assert "harmonic mean rank" not in working.quantities


def test_mean_err_is_the_mean_of_the_oracle() -> None:
    """Mean ERR averages what following the reader gives, query by query."""
    run = {"1": [0, 2, 1], "2": [3, 0, 0, 1]}
    expected = sum(oracle.err(grades, grades, max_grade=3) for grades in run.values()) / 2
    assert mean_err(run, max_grade=3, exact=True) == expected
    assert mean_err.using(max_grade=3)(run) == pytest.approx(float(expected))


def _read(path: Path, columns: tuple[int, int, int]) -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split()
        query, document, value = (fields[c] for c in columns)
        table.setdefault(query, {})[document] = float(value)
    return table


def test_a_real_run_is_scored_as_by_trec_eval(shared: Path) -> None:
    """MAP, GMAP with floor 0.00001 and MRR of a TREC run are those of trec_eval."""
    qrels = _read(shared / "data/trec/qrels.test", (0, 2, 3))
    run = _read(shared / "data/trec/results.test", (0, 2, 4))
    whole = {q: {d: int(g) for d, g in grades.items()} for q, grades in qrels.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(whole, {"map", "gm_map", "recip_rank"})
    each = evaluator.evaluate(run)
    queries = [q for q in qrels if q in run]
    judged = {q: qrels[q] for q in queries}

    def theirs(measure: str) -> float:
        return pytrec_eval.compute_aggregated_measure(measure, [each[q][measure] for q in queries])

    options = {"ties": "docid", "unjudged_queries": "ignore"}
    assert mean_average_precision(run, judged, **options) == pytest.approx(theirs("map"))
    gmap = geometric_mean_average_precision(run, judged, floor=1e-5, **options)
    assert gmap == pytest.approx(theirs("gm_map"))
    assert mean_reciprocal_rank(run, judged, **options) == pytest.approx(theirs("recip_rank"))


def test_a_judged_query_that_the_run_lacks_counts_0() -> None:
    """A missing query halves MAP and makes GMAP 0 or its floor's; the working lists it."""
    run, qrels = {"1": ["a"]}, {"1": {"a": 1}, "2": {"b": 1}}
    working = mean_average_precision.working(run, qrels)
    assert working.value == 0.5
    assert "1 judged query is not in the run and scores 0: 2" in working.notes
    assert geometric_mean_average_precision(run, qrels) == 0.0
    assert geometric_mean_average_precision(run, qrels, floor=1e-4) == pytest.approx(0.01)
    left_out = mean_average_precision.working(run, qrels, missing_queries="skip")
    assert left_out.value == 1.0
    assert "1 judged query is not in the run and is left out: 2" in left_out.notes
    with pytest.raises(InputError, match="query '2' is judged but not in the run"):
        mean_average_precision(run, qrels, missing_queries="refuse")


def test_a_query_that_nobody_judged() -> None:
    """It is left out and a note names it; it can be an error that names it."""
    run, qrels = {"1": ["a"], "9": ["b"]}, {"1": {"a": 1}}
    with pytest.raises(InputError, match=r"query '9'.*unjudged_queries='ignore'"):
        mean_average_precision(run, qrels, unjudged_queries="refuse")
    working = mean_average_precision.working(run, qrels)
    assert working.value == 1.0
    assert "1 query of the run is not judged and is left out: 9" in working.notes


def test_queries_without_relevant_documents() -> None:
    """They count 0, or by the metric's convention are left out with a note, or are NaN."""
    run, qrels = {"1": ["a"], "2": ["b"]}, {"1": {"a": 1}, "2": {"b": 0}}
    assert mean_average_precision(run, qrels) == 0.5
    working = mean_average_precision.working(run, qrels, no_relevant="skip")
    assert working.value == 1.0
    assert "1 query has no relevant document: 2" in working.notes
    assert math.isnan(mean_average_precision(run, qrels, no_relevant="nan"))
    with pytest.raises(InputError, match="every query is skipped"):
        mean_average_precision({"2": ["b"]}, {"2": {"b": 0}}, no_relevant="skip")


@pytest.mark.parametrize(
    ("run", "qrels", "words"),
    [
        ({1: ["a"]}, {"1": {"a": 1}}, ["query 1", "'1'", "type"]),
        ({"1 ": ["a"]}, {"1": {"a": 1}}, ["query '1 '", "'1'", "white space"]),
        ({"1": ["a"]}, {}, ["no query of the run is judged"]),
        ({"1": ["a"]}, {"1": {}}, ["no query of the run is judged"]),
        ({"1": ["a", "a"]}, {"1": {"a": 1}}, ["query '1'", "'a'", "rank 2", "twice"]),
        ({"1": ["a"]}, {"1": {"a": float("nan")}}, ["query '1'", "'a'", "nan"]),
        ([["a"]], {"1": {"a": 1}}, ["piece 1 of the run is ['a']"]),
        ({"1": ["a"]}, [{"a": 1}], ["[{'a': 1}] are not judgments"]),
        ({}, None, ["no queries"]),
        ({"1": ["a"]}, None, ["query '1'", "needs judgments"]),
    ],
)
def test_bad_input_is_refused(run, qrels, words: list[str]) -> None:  # type: ignore[no-untyped-def]
    """Every refusal names the query, what was given and what would do."""
    with pytest.raises(InputError) as caught:
        mean_average_precision(run, qrels)
    for word in words:
        assert word in str(caught.value)


def outcome(scored: Callable[[], Any]) -> tuple[float | None, str]:
    """A value, or the words of a refusal."""
    try:
        return round(float(scored()), 12), ""
    except InputError as error:
        return None, str(error)


judged = st.dictionaries(st.sampled_from("abcd"), st.sampled_from([None, 0, 0, 1, 3]), max_size=3)
ranked = st.lists(st.sampled_from("abcde"), unique=True, max_size=4)
ids = st.sampled_from(["1", "2", "3", "4"])


@settings(max_examples=40)
@pytest.mark.parametrize("aggregate", AGGREGATES.values(), ids=str)
@given(
    st.dictionaries(ids, ranked, max_size=4),
    st.dictionaries(ids, judged, max_size=4),
    st.fixed_dictionaries(
        {},
        optional={
            "missing_queries": st.sampled_from(["zero", "skip", "refuse"]),
            "unjudged_queries": st.sampled_from(["ignore", "refuse"]),
            "no_relevant": st.sampled_from(["zero", "one", "nan", "skip"]),
        },
    ),
)
def test_the_same_queries_count_as_in_an_evaluation(aggregate, run, qrels, options) -> None:  # type: ignore[no-untyped-def]
    """The function and `evaluate` have one rule: the same values, and the same refusals."""
    if "no_relevant" not in aggregate.metric.defaults:
        options.pop("no_relevant", None)
    own = {n: options[n] for n in options if n == "no_relevant"}
    of_run = {n: options[n] for n in options if n != "no_relevant"}
    asked = aggregate.using(**own)
    value, refusal = outcome(lambda: aggregate(run, qrels, **options))
    there = outcome(lambda: evaluate(run, qrels, asked, "irmetrics_edu", **of_run)[asked])
    assert repr((value, refusal)) == repr(there)
    if value is None or not math.isfinite(value) or not any(run.values()) or "skip" in own.values():
        return  # a gate refuses an empty run, and a comparison a query without a score
    check = assertion(f"assert_{aggregate.name.casefold()}")
    by = {"conventions": "irmetrics_edu"}
    assert check(run, qrels, equals=value, **by, **options) == pytest.approx(value)
    two = {"one": run, "again": run}
    compared = compare(two, qrels, asked, **by, **of_run, resamples=9)
    assert {round(e[asked], 12) for e in compared.evaluations.values()} == {value}


def test_a_floor_stays_with_its_aggregate() -> None:
    """The root of 1 x 0.01; by its name alone GMAP has the floor of the conventions."""
    run, qrels = {"1": ["a"]}, {"1": {"a": 1}, "2": {"b": 1}}
    floored = geometric_mean_average_precision.using(floor=0.01)
    e = evaluate(run, qrels, [floored, "GMAP"], "irmetrics_edu")
    assert e.mean == {"GMAP(floor=0.01)": pytest.approx(0.1), "GMAP": 0.0}


def test_unknown_choices_are_refused() -> None:
    """A choice or an option that is not known is an error that lists those that are."""
    with pytest.raises(InputError, match="zero, skip, refuse"):
        mean_average_precision(RUN, QRELS, missing_queries="nought")
    with pytest.raises(InputError, match="refuse, ignore"):
        mean_average_precision(RUN, QRELS, unjudged_queries="drop")
    with pytest.raises(InputError, match="flour"):
        geometric_mean_average_precision(RUN, QRELS, flour=1)


def test_cut_off_and_conventions_in_the_name() -> None:
    """An aggregate is cut off and configured like a metric, and says so."""
    assert repr(mean_average_precision @ 10) == "MAP@10"
    assert repr(geometric_mean_average_precision.using(floor=1e-5)) == "GMAP(floor=1e-05)"
    assert (mean_reciprocal_rank @ 1)({"1": [0, 1], "2": [1]}) == 0.5
    working = (mean_average_precision @ 3).working(RUN, QRELS)
    assert working.title == "MAP@3"
    assert {name: a.name for name, a in AGGREGATES.items()} == {
        "MAP": "MAP",
        "GMAP": "GMAP",
        "MRR": "MRR",
        "mERR": "mERR",
    }


@pytest.mark.parametrize("aggregate", AGGREGATES.values(), ids=str)
def test_it_explains_itself(aggregate) -> None:  # type: ignore[no-untyped-def]
    """The explanation has the mean, every query with its own table, and terms in the glossary."""
    working = aggregate.working(RUN, QRELS)
    text = str(Explanation(working))
    assert text.startswith(f"{aggregate.name} = ")
    for query in RUN:
        assert f"{query}: {aggregate.metric.name} = " in text
    for name in (*working.columns, *working.quantities):
        assert term(name).meaning
    assert aggregate.definition.endswith(".")
    assert aggregate.source


def test_order_of_queries_makes_no_difference() -> None:
    """A run whose queries stand in another order than the qrels scores the same."""
    turned = dict(reversed(RUN.items()))
    assert mean_average_precision(turned, QRELS) == mean_average_precision(RUN, QRELS)
    many = {str(q): list(np.random.default_rng(q).integers(0, 2, 5)) for q in range(50)}
    expected = np.mean([mean_reciprocal_rank.metric(grades) for grades in many.values()])
    assert mean_reciprocal_rank(many) == pytest.approx(expected)
