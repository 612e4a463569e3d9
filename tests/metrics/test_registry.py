"""Tests that run over the registry: a metric that enters it is tested on arrival."""

import inspect
import math
import re
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools import inputs
from dev.tools.metric import (
    faults_of_formula,
    undocumented,
    unexplained,
    unregistered,
    untested,
)
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.metrics.notation import explain, parse
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.views.explanation import Explanation

import_all()
ALL = list(METRICS.values())
RANKING = [m for m in ALL if m.inputs is RANKED]


def by_name(metric: Metric) -> str:
    """The test's id."""
    return metric.name


every_metric = pytest.mark.parametrize("metric", ALL, ids=by_name)
every_ranking_metric = pytest.mark.parametrize("metric", RANKING, ids=by_name)

# Measures that a better order of two neighbours may lower.
MAY_FALL = {
    "utility": "for a set, order is nothing; and the worths are free",
    "fall_out": "the fewer documents that are not relevant, the lower: lower is better",
    "inf_ap": "above a relevant document, one that is pooled but not judged may help it",
    "hit_rank": "a rank nearer to the top is a smaller number: lower is better",
    "hole": "a judged document that moves into the cut fills a hole: lower is better",
    "nugget_f": "an answer has no order",
    "inst": "who finds something early stops early, and sees less of what follows",
    "simplified_average_precision": "a late hit that moves into the cut lowers the mean",
}
# Grades in ranked order, None where nobody judged; at least one document is judged.
grades = st.lists(st.sampled_from([None, 0, 0, 1, 2, 3]), min_size=1, max_size=12).filter(
    lambda g: any(x is not None for x in g)
)


def ranked(graded, unretrieved):
    """A ranking of ids and its judgments from grades in ranked order."""
    ranking = [f"d{i}" for i in range(len(graded))]
    judgments = {d: g for d, g in zip(ranking, graded, strict=True) if g is not None}
    judgments.update({f"x{i}": g for i, g in enumerate(unretrieved)})
    return ranking, judgments


def score_or_error(metric, *given_inputs, **options):
    """The score, or the error's type: two ways to compute must agree in both."""
    try:
        return metric(*given_inputs, **options)
    except InputError as error:
        return type(error)


def same(left, right):
    """Whether two scores (or the errors in their place) are the same, rounding apart."""
    if isinstance(left, type) or isinstance(right, type):
        return left is right
    return float(left) == pytest.approx(float(right), abs=1e-9, nan_ok=True)


@every_metric
def test_a_metric_is_documented(metric):
    """Definition, source, formula, range and a doctest that is collected are all there."""
    assert list(undocumented(metric)) == []


@every_metric
def test_the_macros_of_the_formula_are_the_parameters(metric):
    """A convention missing in the formula, or one too many, is a formula of something else."""
    assert list(faults_of_formula(metric)) == []


@every_metric
def test_a_working_explains_in_every_form(metric):
    """Text, Markdown, HTML and LaTeX come out of any metric's working and name its score."""
    for example in inputs.of(metric):
        working = metric.working(*example.arguments, **example.options)
        explanation = Explanation(working)
        assert working.title in explanation.text
        assert working.title in explanation.markdown()
        assert "<p>" in explanation.html()
        assert r"\paragraph" in explanation.latex()


@every_metric
def test_every_name_of_a_working_is_in_the_glossary(metric):
    """A reader can look up every term, in three languages."""
    assert unexplained(metric) == set(), "give these an entry in terms.toml"


@every_metric
def test_the_score_is_a_plain_number_in_its_range(metric):
    """No numpy scalar reaches a person, and the stated range holds on ordinary input."""
    for example in inputs.of(metric):
        score = metric(*example.arguments, **example.options)
        assert type(score) is float
        if math.isnan(score):  # by default such a query is no part of the mean
            assert metric.defaults["undefined"].left_out
            continue
        low, high = metric.range
        assert low - 1e-12 <= score <= high + 1e-12


@every_metric
def test_many_queries_at_once_equal_each_alone(metric):
    """Kernels are vectorised over queries; no query may see another."""
    examples = inputs.of(metric)
    options = inputs.needed(metric)
    rows = [metric.align(*e.arguments) for e in examples]
    together = metric.measured(type(rows[0]).joined(rows), None, **options)
    alone = [metric.working(*e.arguments, **e.options) for e in examples]
    scores = [w.value for w in alone]
    np.testing.assert_allclose(together.score.astype(float), scores, rtol=1e-9, atol=1e-12)
    for q, working in enumerate(alone):
        steps = [section.equation for section in explain(together.of(q)).sections]
        assert steps == [section.equation for section in explain(working).sections]


@pytest.mark.parametrize(
    "metric", [m for m in ALL if m.inputs.arguments != ("values",)], ids=by_name
)
def test_queries_have_names_together_or_not_at_all(metric):
    """If one has none, the names of the others would stand beside wrong queries."""
    example = inputs.of(metric)[0]
    nameless, named = (metric.align(*example.arguments, query=q) for q in (None, "q"))
    joined = type(named).joined
    assert joined([nameless, named]).queries is None
    assert list(joined([named, named]).queries) == ["q", "q"]


@every_ranking_metric
@given(
    graded=grades,
    unretrieved=st.lists(st.sampled_from([0, 1, 2]), max_size=4),
    k=st.sampled_from([None, 1, 3, 20]),
)
def test_rows_of_unjudged_documents_may_be_left_out(metric, graded, unretrieved, k):
    """One kernel serves explanation (every rank a row) and speed (judged documents only)."""
    ranking, judgments = ranked(graded, unretrieved)
    options = inputs.needed(metric)
    rows = metric.align(ranking, judgments)
    fewer = rows.where(rows.judged)
    cut = k if metric.has_cutoff and metric.cutoff == "k" else None
    params = {**metric.defaults, **options}
    assert len(fewer.rank) == sum(g is not None for g in graded)
    np.testing.assert_allclose(
        metric.measured(fewer, cut, **params).score,
        metric.measured(rows, cut, **params).score,
        rtol=1e-12,
    )


@every_metric
def test_exact_and_float_agree(metric):
    """The same kernel on fractions gives the same value, or says why there is none."""
    for example in inputs.of(metric):
        options = {**example.options, **inputs.EXACT.get(metric.kernel.__name__, {})}
        try:
            exact = metric(*example.arguments, **options, exact=True)
        except NotRational:
            assert metric.kernel.__name__ in inputs.IRRATIONAL
            continue
        assert not isinstance(exact, float)
        assert float(exact) == pytest.approx(metric(*example.arguments, **options), abs=1e-12)


@every_ranking_metric
@given(graded=grades, unretrieved=st.lists(st.sampled_from([0, 1, 2]), max_size=3), data=st.data())
def test_a_better_order_of_neighbours_never_lowers_the_score(metric, graded, unretrieved, data):
    """Swapping two neighbours into the better order does not hurt, but for the measures above."""
    if metric.kernel.__name__ in MAY_FALL or len(graded) < 2:
        return
    i = data.draw(st.integers(0, len(graded) - 2))
    worth = [(-1 if g is None else g) for g in graded]
    if worth[i] >= worth[i + 1] or (graded[i] is None and graded[i + 1] == 0):
        return
    ranking, judgments = ranked(graded, unretrieved)
    swapped = [*ranking[:i], ranking[i + 1], ranking[i], *ranking[i + 2 :]]
    options = inputs.needed(metric)
    before = score_or_error(metric, ranking, judgments, **options)
    after = score_or_error(metric, swapped, judgments, **options)
    if isinstance(before, type):
        assert after is before
    else:
        assert after >= before - 1e-12


@every_ranking_metric
@given(graded=grades)
def test_grades_and_ids_say_the_same(metric, graded):
    """A list of grades is the ranking of documents with these grades."""
    ranking, judgments = ranked(graded, [])
    options = inputs.needed(metric)
    assert same(
        score_or_error(metric, graded, **options),
        score_or_error(metric, ranking, judgments, **options),
    )


@every_metric
def test_notation_reads_back(metric):
    """What a metric is shown as can be parsed to the same metric."""
    assert parse(metric.name) == metric
    for example in inputs.of(metric):
        options = {
            n: v
            for n, v in example.options.items()
            if isinstance(v, int | float | str) and n != "k"
        }
        configured = metric.using(**options)
        assert parse(repr(configured)) == configured
    if metric.has_cutoff and metric.cutoff == "k":
        assert parse(repr(metric @ 7)) == metric @ 7


@every_metric
def test_an_unknown_option_is_refused_with_the_known_ones(metric):
    """A misspelt convention must not be ignored."""
    example = inputs.of(metric)[0]
    with pytest.raises(InputError, match="takes no 'gian'"):
        metric(*example.arguments, gian="exp")


BAD_RANKINGS = {
    "a grade that is no number": (["3", 2], "needs judgments"),
    "NaN": ([1, float("nan")], "rank 2: grade nan is not finite"),
    "infinity": ([float("inf")], "rank 1: grade inf is not finite"),
    "a negative grade": ([1, -1], "rank 2: grade -1 is negative"),
    "nothing": ([], "nothing is judged"),
}


@pytest.mark.parametrize(("ranking", "message"), BAD_RANKINGS.values(), ids=BAD_RANKINGS)
def test_bad_grades_are_refused(ranking, message):
    """Each message names the place and what was given."""
    for metric in RANKING:
        with pytest.raises(InputError, match=re.escape(message)):
            metric(ranking, **inputs.needed(metric))


BAD_PAIRS = {
    "ranked twice": (
        ["a", "b", "a"],
        {"a": 1},
        "document 'a', rank 3: ranked twice, first at rank 1",
    ),
    "white space": (["a "], {"a": 1}, "only in white space"),
    "type": ([1], {"1": 1}, "only in type"),
    "a grade as text": (["a"], {"a": "1"}, "grade '1' is not a number"),
    "a huge grade": (["a"], {"a": 10**400}, "grade is a whole number too large"),
    "a grade that is a list": (["a"], {"a": [1]}, "grade [1] is not a number"),
    "no judgments": (["a"], {}, "nothing is judged"),
    "NaN score": ({"a": float("nan")}, {"a": 1}, "document 'a': score nan is not finite"),
    "NaN grade": (["a"], {"a": float("nan")}, "document 'a'"),
    "nothing for a ranking": (None, {"a": 1}, "the ranking is None; give a list"),
    "a number for a ranking": (5, {"a": 1}, "the ranking is 5; give a list"),
    "a place without an id": (["a", None], {"a": 1}, "place 2 of the documents ranked holds None"),
    "a nan for an id": (
        ["a", float("nan")],
        {"a": 1},
        "place 2 of the documents ranked holds nan and no id",
    ),
    "text for a ranking": ("abc", {"a": 1}, "the ranking is the text 'abc'"),
}


@pytest.mark.parametrize(("ranking", "judgments", "message"), BAD_PAIRS.values(), ids=BAD_PAIRS)
def test_bad_rankings_are_refused(ranking, judgments, message):
    """Each message names the document and the rank."""
    for metric in RANKING:
        with pytest.raises(InputError, match=re.escape(message)):
            metric(ranking, judgments, **inputs.needed(metric))


@every_ranking_metric
def test_an_empty_ranking_with_judgments_is_a_result(metric):
    """Nothing retrieved is as bad as it gets, and no error."""
    expected = pytest.approx(inputs.of_nothing(metric), abs=0, nan_ok=True)
    assert metric([], {"a": 1}, **inputs.needed(metric)) == expected


@pytest.mark.parametrize(
    ("k", "message"),
    [(0, "at least 1"), (-3, "at least 1"), (1.5, "whole"), (True, "whole"), ("3", "whole")],
)
def test_a_bad_cutoff_is_refused(k, message):
    """A cut-off is a whole number, at least 1."""
    for metric in (m for m in RANKING if m.has_cutoff and m.cutoff == "k"):
        with pytest.raises(InputError, match=message):
            metric([1, 0], **inputs.needed(metric), k=k)


def test_every_family_file_is_registered():
    """A family's file that is not listed would be a set of metrics nobody finds."""
    assert list(unregistered()) == []


@every_metric
def test_a_test_or_a_worked_example_calls_each_metric(metric):
    """Its numbers are held against something that is not its own output."""
    assert not untested(metric)


@every_metric
def test_the_signature_has_the_cut_off_of_a_metric_that_has_one(metric: Metric) -> None:
    """Help and editors show `k`, with no cut-off as its default."""
    for each in (metric, metric.using()):
        parameters = inspect.signature(each).parameters
        assert ("k" in parameters) is metric.has_cutoff
        assert not metric.has_cutoff or parameters["k"].default is None


# Options so small or large that powers, sums and logarithms of them leave what a float holds.
EXTREME = (5e-324, 1e-16, 2**53, 10**30, 1e155, 1.7e308, 10**400)


@every_metric
def test_an_extreme_option_gives_a_number_or_is_refused(metric):
    """No traceback, no warning, and no score that is not a number."""
    call = inputs.of(metric)[0]
    for name, parameter in inspect.signature(metric.kernel).parameters.items():
        if name == "rows" or type(parameter.default) not in (int, float, type(None)):
            continue
        for value in EXTREME:
            with suppress(InputError):
                score = metric(*call.arguments, **{**call.options, name: value})
                undefined = metric.name == "hit_rank"  # where nothing relevant is found
                assert undefined or np.isfinite(np.asarray(score, dtype=float)).all(), (name, value)


@every_metric
def test_a_set_is_no_ranking(metric):
    """Its order would hang on the hashes of this run of Python; a list or a mapping has one."""
    if metric.kernel.__name__ in ("nugget_f", "catalogue_coverage"):  # which count, in any order
        return
    for example in inputs.of(metric):
        first, *rest = example.arguments
        if isinstance(first, list) and all(isinstance(one, str) for one in first):
            for no_order in (set(first), frozenset(first)):
                with pytest.raises(InputError, match=r"a set|is no"):
                    metric(no_order, *rest, **example.options)


_NAMED = re.compile(r"\{([^{}]+)\}")
# What is said in words, and what no sum of numbers gives.
IN_WORDS = ("the precision at {recall level}", "[{relevant retrieved} > 0]")


@every_metric
def test_the_line_below_a_working_gives_its_score(metric):
    """A column stands for its sum; 0 / 0 is what the convention says, a 0 or no number."""
    for call in inputs.of(metric):
        working = metric.working(*call.arguments, **{**inputs.needed(metric), **call.options})
        line = working.how.replace("exp {mean of logarithms}", "exp({mean of logarithms})")
        if line in IN_WORDS or not line:
            continue
        values = {name: _value(working, name) for name in _NAMED.findall(line)}
        numbers = _NAMED.sub(lambda match, of=values: repr(of[match[1]]), line)
        numbers = numbers.replace("^", "**")
        with suppress(ZeroDivisionError):
            result = eval(  # noqa: S307 -- a line of the package, with numbers
                numbers, {"exp": math.exp, "nan": math.nan, "inf": math.inf}
            )
            assert result == pytest.approx(float(working.score[0]), abs=1e-9, nan_ok=True), line
            continue
        assert not working.score[0] > 0, line


@every_metric
def test_a_working_of_one_query_says_what_is_to_be_said_of_it(metric):
    """The notes of a query stand below its explanation, too."""
    for call in inputs.of(metric):
        working = metric.working(*call.arguments, **{**inputs.needed(metric), **call.options})
        if working.notes_of is not None and len(working.score) == 1:
            assert {*working.notes_of(0)} <= {*working.notes}


def _value(working, name):
    """A quantity, the score of a part, or the sum of a column."""
    if name in working.columns:
        return float(np.nansum(np.asarray(working.columns[name], dtype=float)))
    found = working[name]
    return float(np.asarray(getattr(found, "score", found), dtype=float).ravel()[0])
