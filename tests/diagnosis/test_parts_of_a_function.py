"""How a function of somebody's own is called and what is said of it, part by part."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu.diagnosis import function, function_answers
from irmetrics_edu.diagnosis.function_answers import Answers, Caller, Shown
from irmetrics_edu.diagnosis.function_inputs import FunctionInputs
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, OURS
from irmetrics_edu.metrics.notation import measure
from tests.tables import rows as each_row

AP, AP2 = measure("AP"), measure("AP@2")


def of_default(ranking, judgments, k=7):
    """A function with a cut-off of its own."""
    return len(ranking[:k]) + len(judgments)


@each_row(
    ("called", "chosen", "of_grades", "options"),
    [
        (lambda _grades: 0, AP, True, {}),
        (lambda _ranking, _judged: 0, AP, False, {}),
        (lambda _ranking, _judged: 0, AP2, False, {}),
        (lambda _ranking, _judged, k: k, AP2, False, {"k": 2}),
        (lambda _grades, k: k, AP2, True, {"k": 2}),
        (lambda _grades, *, k: k, AP2, True, {"k": 2}),
        (of_default, AP, False, {}),
        (of_default, AP2, False, {"k": 2}),
        (lambda _grades, _other=3: 0, AP, True, {}),
        (lambda _grades, *_others: 0, AP, True, {}),
        (lambda _grades, /: 0, AP, True, {}),
    ],
)
def test_a_function_is_called_by_what_it_needs(called, chosen, of_grades, options):
    """A list of grades, or a ranking and its judgments; with k where it has that."""
    found = Caller.of(called, chosen)
    assert (found.of_grades, found.options) == (of_grades, options)
    assert found.name == called.__name__


@each_row(
    ("called", "chosen", "says"),
    [
        (lambda: 0, AP, "takes nothing; it should take a list of grades"),
        (lambda a, b, c: a + b + c, AP, "takes a, b, c; it should take"),
        (lambda k: k, AP2, "takes nothing; it should take"),
        (
            lambda _ranking, _judged, k: k,
            AP,
            "needs k; name a measure with a cut-off, such as AP@2",
        ),
        (7, AP, "the function can't be called; give a function"),
        ("math", AP, "'math' is no function; write module:name"),
        ("math:", AP, "'math:' is no function"),
        (":sqrt", AP, "':sqrt' is no function"),
        ("math:pi", AP, "math has no function 'pi'"),
    ],
)
def test_what_cannot_be_called_so_is_refused(called, chosen, says):
    """With what would do."""
    with pytest.raises(InputError) as refused:
        Caller.of(called, chosen)
    assert says in str(refused.value)


@each_row(
    ("given", "value"),
    [(1, 1.0), (True, 1.0), (np.float64(0.5), 0.5), (math.inf, math.inf)],
)
def test_what_a_function_returns_is_a_number(given, value):
    """Of a ranking and its judgments, or of grades; each call has copies of its own."""
    ranking, judged = ["a", "b"], {"a": 1, "b": 0}
    seen = []

    def both(ranked, grades):
        seen.append((ranked, grades))
        ranked.clear()
        grades.clear()
        return given

    def of_list(grades):
        seen.append(list(grades))
        grades.clear()
        return given

    assert Caller.of(both, AP).value(ranking, judged) == value
    assert Caller.of(of_list, AP).value(ranking, judged) == value
    assert (ranking, judged) == (["a", "b"], {"a": 1, "b": 0})
    assert seen[1] == [1, 0]
    assert Caller.of(both, AP).of_list([3, 0]) == value
    assert Caller.of(of_list, AP).of_list([3, 0]) == value
    assert seen[3] == [3, 0]


@each_row("given", ["0.5", b"1", bytearray(b"1"), None, [1], 1j])
def test_what_is_no_number_is_refused_but_for_an_empty_ranking(given):
    """There many functions return nothing."""
    caller = Caller.of(lambda _ranking, _judged: given, AP)
    with pytest.raises(InputError, match="which is not a number; return a score"):
        caller.value(["a"], {"a": 1})
    assert "which is not a number" in caller.value([], {"a": 1})


def test_an_error_of_a_function_is_its_answer():
    """By its kind and its words; where a list is probed it is raised."""

    def broken(ranking, _judged):
        return 1 / (len(ranking) - 1)

    caller = Caller.of(broken, AP)
    assert caller.value(["a"], {"a": 1}) == "ZeroDivisionError: division by zero"
    with pytest.raises(ZeroDivisionError):
        caller.of_list([1])


def answers(given, right=0.5):
    """Answers to as many rankings, the first of which is empty."""
    inputs = FunctionInputs.of([([], {"x": 1}), *[(["a"], {"a": 1})] * (len(given) - 1)])
    return Answers(inputs, dict(enumerate(given)), dict.fromkeys(range(len(given)), right))


@each_row("given", [[0.5], ["an error", 0.5], [0.5, 0.25, "e"], ["e", "f", 1.0]])
def test_answers_are_numbers_or_errors(given):
    """Which are counted, and may be left out."""
    found = answers(given)
    numbers = {i: value for i, value in enumerate(given) if not isinstance(value, str)}
    assert found.values == numbers
    assert found.raised == len(given) - len(numbers)
    kept = found.without(found.inputs.empty)
    assert kept.given == {i: value for i, value in enumerate(given) if i}
    said = function._on_an_empty_ranking(found, AP)
    if isinstance(given[0], str):
        assert said == [f"On an empty ranking it gives no value, and AP is 0.5 there: {given[0]}."]
    else:
        assert said == []


@each_row(
    ("value", "right", "near"),
    [(0.5, 0.5, True), (0.5, 0.5 + 9e-7, True), (0.5, 0.5 + 2e-6, False), (0.5, math.nan, False),
     (math.nan, math.nan, True), (math.nan, 0.5, False), (math.inf, math.inf, True),
     (math.inf, -math.inf, False), (0.5, 0.4, False)],
)  # fmt: skip
def test_values_are_near_to_a_millionth(value, right, near):
    """NaN is near NaN alone."""
    assert function_answers.is_near(value, right) is near


@each_row("documents", [1, 40, 41])
@each_row("value", [0.25, "ValueError: x"])
def test_an_input_is_shown_with_both_values(documents, value):
    """Many documents by their grades."""
    ranking = [f"d{i}" for i in range(documents)]
    judged = {"d0": 2}
    lines = Shown(ranking, judged, value, 0.5).lines
    answer = "0.25" if value == 0.25 else value
    if documents > 40:
        grades = [2, *[None] * 40]
        expected = ["  ranking    41 documents", f"  judgments  in ranked order {grades}"]
    else:
        expected = [f"  ranking    {ranking}", f"  judgments  {judged}"]
    assert lines == [*expected, f"  the function gives {answer}, expected 0.5"]


@each_row(
    ("name", "of_grades", "says"),
    [("AP", True, 'it has pool="retrieved"'), ("nDCG", True, 'it has ideal="retrieved"'),
     ("P", True, ""), ("RR", True, ""), ("AP", False, "")],
)  # fmt: skip
def test_a_function_of_grades_cannot_know_what_was_missed(name, of_grades, says):
    """Where the measure counts that."""
    found = function._of_grades_alone(SimpleNamespace(of_grades=of_grades), measure(name), OURS)
    assert bool(found) is bool(says)
    assert says in " ".join(found)


@each_row(
    ("by", "function_of", "says"),
    [
        (BUNDLES["trec_eval"], lambda grades: sum(g > 0 for g in grades) / len(grades), False),
        (BUNDLES["lucene"], lambda grades: sum(grades) / len(grades), False),
        (BUNDLES["trec_eval"], lambda grades: sum(g != 0 for g in grades) / len(grades), True),
    ],
)
def test_grades_below_0_are_asked_where_conventions_turn_them_round(by, function_of, says):
    """And told if they give other values."""
    chosen = measure("P")
    found = function._below_0(Caller.of(function_of, chosen), chosen, by)
    kept = by.aligned(chosen.metric)["negative"]
    expected = f'{by.name} has negative="{kept}"' if says else ""
    assert expected in " ".join(found)
    assert bool(found) is says


# -- parts of a search over an input

RUN = {"p": ["a", "b", "c"], "q": ["b"], "r": ["c", "d"]}
QRELS = {"p": {"a": 1, "c": 2, "x": 1}, "q": {"a": 1, "b": 0}, "r": {"d": 1, "c": 0}}


@each_row("k", [None, 1, 2, 3, 4])
@each_row("name", ["AP", "P", "nDCG"])
def test_queries_of_few_documents_are_zeroed_or_left_out(name, k):
    """With fewer ranked, or fewer relevant, than the cut-off."""
    search = Search(measure(name if k is None else f"{name}@{k}"), RUN, QRELS, OURS, {})
    right = search.score(search.switches.base)
    found = {mistake.label: scores for mistake, scores in search._of_short_queries(right)}
    if k is None:
        assert found == {}
        return
    assert len(found) == 4
    ranked = [len(RUN[q]) < k for q in search.queries]
    relevant = [sum(g > 0 for g in QRELS[q].values()) < k for q in search.queries]
    for what, few in (("short-lists", ranked), ("few-relevant", relevant)):
        kept = [score for score, out in zip(right.scores, few, strict=True) if not out]
        zeroed = [0.0 if out else score for score, out in zip(right.scores, few, strict=True)]
        assert found[f"{what}-score-0"].mean == pytest.approx(sum(zeroed) / 3)
        assert found[f"{what}-score-0"].scores.tolist() == zeroed
        mean = found[f"{what}-left-out"].mean
        assert mean == pytest.approx(sum(kept) / len(kept)) if kept else math.isnan(mean)
        gone = np.isnan(found[f"{what}-left-out"].scores)
        assert gone.tolist() == few


@each_row(
    ("name", "expected"),
    [("AP", [1 / 3, 0.0, 0.0]), ("RR", [1.0, 0.0, 0.0]), ("P", [1 / 3, 0.0, 0.0]),
     ("Success", [1.0, 0.0, 0.0])],
)  # fmt: skip
def test_a_measure_may_be_cut_at_the_number_of_relevant_documents(name, expected):
    """Of three, one and one relevant document the first three, one and one ranks."""
    qrels = {**QRELS, "p": {"a": 1, "x": 2, "y": 1}}
    found = Search(measure(name), RUN, qrels, OURS, {}).cut_at_the_relevant()
    assert found.scores.tolist() == pytest.approx(expected)
    assert found.mean == pytest.approx(sum(expected) / 3)
    assert found.place == {"p": 0, "q": 1, "r": 2}


def test_an_input_is_scored_at_other_cut_offs_and_by_other_measures():
    """With none where a setting or a measure refuses it."""
    search = Search(measure("P@2"), RUN, QRELS, OURS, {})
    base = search.switches.base
    assert search.score(base).scores.tolist() == pytest.approx([1 / 2, 0.0, 1 / 2])
    assert search.at_cutoff(base, 1).scores.tolist() == pytest.approx([1.0, 0.0, 0.0])
    assert search.at_cutoff(base, 3).scores.tolist() == pytest.approx([2 / 3, 0.0, 1 / 3])
    assert search.at_cutoff(base, None).scores.tolist() == pytest.approx([2 / 3, 0.0, 1 / 2])
    other = search.of_another(measure("RR").metric)
    assert other.scores.tolist() == pytest.approx([1.0, 0.0, 1 / 2])
    assert other.mean == pytest.approx(1 / 2)
    assert search.refused(base) == ""
    assert search.has_judgments
    assert [search.has_query(query) for query in ("p", "r", "z")] == [True, True, False]
    twice = Search(measure("P@2"), {"q": ["a", "a"]}, {"q": {"a": 1}}, OURS, {})
    assert twice.score(twice.switches.base) is None
    assert "twice" in twice.refused(twice.switches.base)
    assert twice.at_cutoff(twice.switches.base, 1) is None
    assert twice.of_another(measure("RR").metric) is None
    assert twice.cut_at_the_relevant() is None
    assert twice.facts.repeated is True


def test_a_query_that_nobody_judged_is_known():
    """Though it is not evaluated."""
    search = Search(measure("P"), {**RUN, "z": ["a"]}, QRELS, BUNDLES["trec_eval"], {})
    assert search.has_query("z")
    assert search.facts.not_judged
    assert [*search.queries] == ["p", "q", "r"]


@each_row("scores", [{"p": {"a": 3.0, "b": 1.0}, "q": {"a": 2.0, "b": 4.0}}, RUN])
def test_documents_of_all_queries_may_stand_in_one_list(scores):
    """By their scores; where they have none there is no such list."""
    judged = {query: QRELS[query] for query in ("p", "q")}
    found = Search(measure("AP"), scores, judged, OURS, {})._in_one_list()
    if scores is RUN:
        assert found is None
        return
    # In order: b of q (0), a of p (1), a of q (1), b of p (none), with c and x of p missed.
    assert found.mean == pytest.approx((1 / 2 + 2 / 3) / 4)
