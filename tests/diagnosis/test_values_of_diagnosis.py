"""What a diagnosis is made of can't be changed, and small rules of it, each by a table."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu import parse
from irmetrics_edu.diagnosis import (
    brief,
    candidates,
    diagnosis_inputs,
    evidence,
    function,
    function_answers,
    function_inputs,
    mistakes_elsewhere,
    printed,
    probing,
    reconciliation,
    result,
    search,
    search_tools,
    small,
    switches,
    watching,
)
from irmetrics_edu.diagnosis.mistakes import mistake
from irmetrics_edu.diagnosis.neighbours import _of_ranks, _others, neighbours
from irmetrics_edu.diagnosis.printed import Printed, Target
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.diagnosis.switches import Facts, Setting
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.notation import measure
from tests.tables import rows as each_row
from tests.values import are_made_as_told, defaults_of, values_of

# Each module with something quick that it knows.
KNOWN = [
    (candidates, lambda: candidates._library("ranx: ndcg@2"), "ranx"),
    (diagnosis_inputs, lambda: diagnosis_inputs._short(2.0), 2),
    (evidence, lambda: evidence._short_fraction(Printed.of("0.5")).denominator, 2),
    (function, lambda: function._spread([1, 2]), [1, 2]),
    (function_answers, lambda: function_answers.is_near(1.0, 1.0), True),
    (function_inputs, lambda: function_inputs._ids(2), ["d1", "d2"]),
    (printed, lambda: printed._decimals("0.25"), 2),
    (reconciliation, lambda: reconciliation._value(None), "none"),
    (result, lambda: result._plain({"b", "a"}), ["a", "b"]),
    (search, lambda: Search.has_judgments.fget(SimpleNamespace(_qrels=None)), False),
    (small, lambda: small._documents(2), ["d1", "d2"]),
    (switches, lambda: switches._first(2, [1, 2]), [2, 1]),
    (watching, lambda: watching.watch().tried, 0),
    (mistake, lambda: mistake.mistakes_of("AP")[0].label, "ap-over-the-hits"),
]


@pytest.mark.parametrize(("module", "ask", "said"), KNOWN, ids=[row[0].__name__ for row in KNOWN])
def test_values_of_a_diagnosis_stay_as_they_are_made(module, ask, said):
    """Those that hold arrays, calls or texts for a person are equal to themselves alone."""
    assert ask() == said
    kinds = values_of(module)
    are_made_as_told(
        kinds,
        filled=("Watch",),
        alone=(
            "Candidate", "Diagnosis", "Distinction", "FoundMistake", "FunctionDiagnosis", "Mistake",
            "Reconciliation", "SettingScores",
        ),
        unshown=("Mistake._wrong",),
        yes=("Facts.without_relevant", "Facts.missed", "Diagnosis.has_judgments"),
    )  # fmt: skip
    assert kinds
    defaults = {name: held for name, held in defaults_of(module).items() if any(held)}
    assert defaults == ({"most": {3}} if module is result else {})


RUN = {"p": ["a", "b"], "q": ["b", "a"], "r": ["b", "c", "d", "a"]}
QRELS = {query: {"a": 1} for query in RUN}
OF_RANKS = [
    "the mean rank of the first relevant document",
    "1 over the mean rank of the first relevant document",
]
AT_R = "{}@R (of the first R documents, R relevant ones)"


@each_row(
    ("name", "others"),
    [
        ("RR", ["P", "R", "F", "Success", *OF_RANKS, "AP", "nDCG", "CG(gain=binary)", "DCG",
                "Rprec", AT_R.format("RR")]),
        ("AP", ["P", "R", "F", "Success", "RR", *OF_RANKS, "nDCG", "CG(gain=binary)", "DCG",
                "Rprec", AT_R.format("AP")]),
        ("P", ["R", "F", "Success", "RR", *OF_RANKS, "AP", "nDCG", "CG(gain=binary)", "DCG",
               "Rprec"]),
    ],
)  # fmt: skip
def test_other_measures_are_tried_in_their_order(name, others):
    """With what is made of ranks behind the reciprocal rank, at the same cut-off."""
    by = BUNDLES["trec_eval"]
    found = [what for what, _ in _others(Search(measure(name), RUN, QRELS, by, {}))]
    assert found == others
    cut = [what for what, _ in _others(Search(measure(f"{name}@4"), RUN, QRELS, by, {}))]
    beside = (*OF_RANKS, "Rprec")
    expected = [what if what in beside or "@R" in what else f"{what}@4" for what in others]
    assert cut == expected


@each_row(
    ("reciprocals", "means"),
    [
        ([1.0, 0.5, 0.25], [7 / 3, 3 / 7]),
        ([0.5], [2.0]),
        ([0.5, 0.0], []),
        ([0.0], []),
    ],
)
def test_ranks_are_averaged_where_each_query_has_a_hit(reciprocals, means):
    """And one over their mean where there are several."""
    place = {number: number for number in range(len(reciprocals))}
    scores = SettingScores(0.0, np.array(reciprocals), place)
    found = [*_of_ranks(scores)]
    assert [of.mean for _, of in found] == pytest.approx(means)
    assert [what for what, _ in found] == OF_RANKS[: len(means)]
    if means:
        assert found[0][1].scores.tolist() == [1 / score for score in reciprocals]


def test_a_measure_of_scores_has_no_neighbours():
    """Nor has one of orders."""
    other = SimpleNamespace(chosen=measure("AUC"))
    assert neighbours(other, Target.of("0.5")) == []


@each_row(
    ("name", "of", "values"),
    [
        ("base", "entropy", [2, 2.718281828459045, 10]),
        ("base", "nDCG", None),
        ("beta", "F", [1, 0.5, 2]),
        ("beta", "AP", None),
        ("p", "RBP", [0.8, 0.5, 0.9, 0.95]),
        ("collection", "fall-out", [7, "known"]),
        ("rel", "AP", [7, 1.0, 2.0]),
        ("max_grade", "ERR", [7, 2.0, 3, 4, 5, "highest"]),
        ("users", "EPC", None),
    ],
)
def test_the_values_of_a_switch_are_as_written(name, of, values):
    """For the measure that has it."""
    met = Facts(several=False, missing=False, not_judged=False, grades=(0.5, 1.0, 2.0))
    default = {"beta": 1, "p": 0.8, "base": 2}.get(name, 7)
    assert switches._values(name, default, met, parse(of)) == values


ONE, TWO = {"gain": "exp"}, {"gain": "exp", "ties": "docid"}


@each_row(
    ("arguments", "mistakes", "libraries", "says"),
    [
        ([], 0, (), None),
        ([{}], 0, (), None),
        ([{}], 1, ("x",), None),
        ([ONE], 0, (), "is what gain=exp gives; to agree, pass it"),
        ([ONE], 1, (), "is what gain=exp gives; to agree, pass it"),
        ([TWO], 0, (), "is what gain=exp and ties=docid gives; to agree, pass it"),
        ([TWO], 1, (), "equals that of a bare sum"),
        ([ONE, TWO], 0, (), "gives; to agree, pass it"),
        ([TWO, TWO], 0, (), "gives; to agree, pass it (or it)"),
        ([TWO, ONE], 0, (), "gives; to agree, pass it (or it)"),
        ([], 1, (), "equals that of a bare sum"),
    ],
)
def test_one_line_says_the_likeliest_cause(arguments, mistakes, libraries, says):
    """Another of as few changes is said beside it."""
    made = [SimpleNamespace(arguments=one, libraries=libraries, written="it") for one in arguments]
    wrong = [SimpleNamespace(mistake=SimpleNamespace(says="a bare sum"))] * mistakes
    found = brief.said(SimpleNamespace(candidates=made, mistakes=wrong))
    assert found is None if says is None else found.endswith(says)


@each_row(
    ("latex", "shown"),
    [("2^{#1}-1", "gain = 2^rel - 1"), ("(#1)", "gain = rel"), (r"\log #1", "gain=exp")],
)
def test_a_gain_is_shown_as_its_formula_if_that_is_plain(latex, shown):
    """Else by its name."""
    gain = brief.Gain("exp", latex, "", lambda grade: grade)
    assert brief._in_formula("gain", gain) == shown
    assert brief._in_formula("rel", 2) == "rel=2"


@each_row(
    ("value", "queries", "whole", "fraction"),
    [
        ("0.5", 1, 1, (1, 2)), ("0.3333", 1, 1, (1, 3)), ("0.0833", 1, 1, (1, 12)),
        ("0.076923", 1, 1, None), ("1", 1, 1, (1, 1)), ("0.7123", 1, 1, None),
    ],
)  # fmt: skip
def test_a_short_fraction_has_a_divisor_up_to_twelve(value, queries, whole, fraction):
    """To all digits of the number."""
    found = evidence._short_fraction(Printed.of(value))
    assert (found and (found.numerator, found.denominator)) == fraction
    made = evidence.Evidence(queries, 3, 2, 10, whole, found, 0.0)
    assert made.is_weak == (fraction is not None or whole > 0.5)
    assert ("Many formulas give" in made.sentence) == (fraction is not None)
    assert ("a short fraction" in made.sentence) == (fraction is not None and fraction[1] > 1)
    assert "1 of 10 invented formulas meets one" in made.sentence


def test_numbers_are_compared_with_the_digits_that_were_printed():
    """Each once, and none that is infinite."""
    found = evidence._numbers(Printed.of("0.25"), [0.2501, 0.249, 0.5, math.nan, math.inf])
    assert found.tolist() == [0.25, 0.5]


@each_row(
    ("setting", "counts"),
    [((("cut", "k"),), True), ((("ideal", "k_ones"),), True), ((("gain", "exp"),), False),
     ((("divisor", "reachable"),), True), ((("x", "as_long"), ("y", 1)), True), ((), False)],
)  # fmt: skip
def test_some_conventions_count_the_ranks_above_the_cut(setting, counts):
    """By their names."""
    assert switches._counts_ranks(Setting(setting, ())) is counts


def test_changes_are_told_from_the_base():
    """Of the metric and of the run, and only the switches that there are are changed."""
    base = Setting((("a", 1), ("b", 2)), (("c", 3),))
    other = base.changed({"b": 5, "c": 6, "d": 7})
    assert other == Setting((("a", 1), ("b", 5)), (("c", 6),))
    assert other.values == {"c": 6, "a": 1, "b": 5}
    assert other.changes(base) == {"c": 6, "b": 5}
    assert base.changes(base) == {}
    assert switches._chosen({"a": [1, 2], "b": [3]}, {"a": 2}) == (("a", 2), ("b", 3))


@each_row(
    ("value", "written"),
    [
        ([1.0, 2.5], "[1, 2.5]"), ({"a": 2.0}, "{'a': 2}"), ({"a", }, "{'a'}"), (7, "x"),
        (list(range(12)), str([*range(12)])), (list(range(13)), "x"), ("text", "'text'"),
        ((1.0,), "(1.0,)"), (None, "x"),
    ],
)  # fmt: skip
def test_short_inputs_are_written_out(value, written):
    """Of at most twelve documents; others by their name."""
    assert diagnosis_inputs._written("x", value) == written


@each_row(("queries", "is_large", "has_many"), [(1, False, False), (10, False, False),
          (11, False, True), (200, False, True), (201, True, True)])  # fmt: skip
def test_so_many_queries_are_many_or_a_large_run(queries, is_large, has_many):
    """More than ten, or more than two hundred."""
    asked = SimpleNamespace(base=None, _align=lambda _: SimpleNamespace(queries=range(queries)))
    assert Search.is_large.fget(asked) is is_large
    assert Search.has_many.fget(asked) is has_many


@each_row(
    ("sizes", "most"),
    [
        ((2, 3, 10, 10), 4), ((2, 2, 5, 31), 3), ((10, 10, 10, 12), 3), ((11, 11, 10, 10), 2),
        ((600,), 1), ((1, 1, 1, 1, 1), 5), ((12_001, 1, 1), 2),
    ],
)  # fmt: skip
def test_so_many_switches_are_changed_at_once(sizes, most):
    """All of them up to six hundred settings, three up to twenty times as many, else two."""
    table = {f"s{i}": [*range(size)] for i, size in enumerate(sizes)}
    asked = SimpleNamespace(
        of_run={},
        of_metric=table,
        _too_many_of_run=lambda _: False,
        _changed=lambda _, changed: [changed],
    )
    found = [*switches.Switches._combined(asked)]
    assert max(map(len, found)) == most
    assert len(found) == sum(math.comb(len(sizes), n) for n in range(most + 1))


GAINS = [
    lambda g: g,
    lambda g: 2**g - 1,
    lambda _: 1,
    math.sqrt,
    lambda g: g * g,
    lambda g: math.log2(g + 1),
]
DISCOUNTS = [
    lambda i: 1 / math.log2(i + 1),
    lambda _: 1,
    lambda i: 1 / i,
    lambda i: 1 if i <= 2 else 1 / math.log2(i),
    lambda i: 1 / (1 + math.log2(i)),
]


def test_gains_and_discounts_are_what_their_words_say():
    """And the usual discount rounded to one to four digits, or with a logarithm so rounded."""
    numbers = np.arange(1.0, 9.0)
    for (_, shape), loop in zip(probing._GAINS, GAINS, strict=True):
        assert shape(numbers).tolist() == pytest.approx([loop(number) for number in numbers])
    named = dict(probing._discounts())
    assert defaults_of(probing) == {"digits": {15}, "of_log": {15}}
    assert defaults_of(brief) == {"abs": {1e-6}}
    assert len(named) == len(DISCOUNTS) + 8
    for (_, shape), loop in zip(probing._DISCOUNTS, DISCOUNTS, strict=True):
        assert shape(numbers).tolist() == pytest.approx([loop(number) for number in numbers])
    for digits, unit in ((1, "0.1"), (2, "0.01"), (3, "0.001"), (4, "0.0001")):
        rounded = named[f"1/log2 of the rank plus 1, rounded to {unit}"]
        expected = [round(1 / math.log2(number + 1), digits) for number in numbers]
        assert rounded(numbers).tolist() == pytest.approx(expected, abs=1e-12)
        of_log = named[f"1/log2 of the rank plus 1, the logarithm rounded to {unit}"]
        expected = [1 / round(math.log2(number + 1), digits) for number in numbers]
        assert of_log(numbers).tolist() == pytest.approx(expected, abs=1e-12)


@each_row(
    ("value", "offs", "kept"),
    [
        ("0.5", [0.049, 0.051], [0.049]),
        ({"q": "0.5"}, [0.049, 0.051, 0.09], [0.049]),
        ({"q": "5.0"}, [0.049, 0.06], [0.049]),
        ("10.0", [0.49, 0.51], [0.49]),
        ("-10.0", [0.49, 0.51], [0.49]),
        ("0.5", [0.04, 0.01, 0.03, 0.02], [0.01, 0.02, 0.03]),
        ("0.5", [0.01, -0.01, 0.01], [0.01, -0.01]),
        ("0.5", [0.3], []),
    ],
)
def test_the_nearest_three_scores_are_named_if_they_are_near(value, offs, kept):
    """Within a twentieth of the value, or of 1; each number once."""
    base = Setting((), ())
    asked = SimpleNamespace(
        switches=SimpleNamespace(base=base), chosen=measure("AUC"), at_cutoff=lambda *_: None
    )
    target = Target.of(value)
    right = float(value if isinstance(value, str) else value["q"])
    scored = [(base, SettingScores(right + off, np.array([right + off]), {"q": 0})) for off in offs]
    trials = SimpleNamespace(scored=scored, wrong=[])
    found = candidates._nearest_to(asked, target, trials)
    assert [score for _, score, _ in found] == pytest.approx([right + off for off in kept])
    assert [off for *_, off in found] == pytest.approx([abs(off) for off in kept])
    assert {name for name, *_ in found} <= {"our default"}


@each_row(
    ("most", "value", "percent"),
    [(1.0, "1.0", False), (1.0, "1.01", True), (1.0, "100", True), (1.0, "100.1", False),
     (2.0, "150", True), (math.inf, "50", False), (1.0, None, False)],
)  # fmt: skip
def test_a_value_above_the_measure_may_be_a_percentage(most, value, percent):
    """Up to a hundred times the highest."""
    asked = SimpleNamespace(chosen=SimpleNamespace(metric=SimpleNamespace(range=(0.0, most))))
    target = SimpleNamespace(mean=None if value is None else Printed.of(value))
    assert candidates._may_be_a_percentage(asked, target) is percent


@each_row(("k", "pool", "is_switch"), [(None, 5, False), (4, 5, True), (5, 5, False),
          (6, 5, False), (1, 0, False)])  # fmt: skip
def test_an_ideal_is_cut_where_more_is_judged_than_the_cut_off(k, pool, is_switch):
    """Else both ways give one value."""
    met = Facts(several=False, missing=False, not_judged=False, largest_pool=pool)
    metric = parse("nDCG") if k is None else parse("nDCG") @ k
    found = switches._values("cut", metric.defaults["cut"], met, metric)
    assert (found is not None) is is_switch


@each_row("spoilt", [None, 1, 3, 6])
@each_row("name", ["DCG", "nDCG"])
@each_row("odd", [math.nan, math.inf, "an error"])
def test_nothing_is_read_off_where_some_rank_has_no_value(spoilt, name, odd):
    """Whichever rank it is."""

    def call(grades):
        if spoilt is not None and len(grades) == 6 and grades[spoilt - 1]:
            if isinstance(odd, str):
                raise ValueError(odd)
            return odd
        best = sorted(grades, reverse=True)
        worth = [sum(g / math.log2(i + 1) for i, g in enumerate(o, 1)) for o in (grades, best)]
        return worth[0] if name == "DCG" else worth[0] / worth[1]

    found = probing.probed(call, name)
    if spoilt is not None:
        assert found == []
        return
    discount, gain = found
    assert discount == "Its discount at ranks 1 to 6 is 1, 0.6309, 0.5, 0.4307, 0.3869, 0.3562."
    assert gain == "Its gain at grades 1 to 4 is 1, 2, 3, 4."
    assert probing.probed(call, "AP") == []
    assert probing.probed(lambda _: 0.0, name) == []


# Bounds that a reader of the pages can meet, each beside something that its module knows.
BOUNDS = [
    (evidence, lambda: evidence._short_fraction(Printed.of("0.7123")), None,
     {"_SHORT": 12, "_CHANCE": 0.05, "_COVERED": 0.02}),
    (mistakes_elsewhere, lambda: mistakes_elsewhere._as_in(Setting((), ()), Setting((), ())),
     Setting((), ()), {"_MOST_WHERE_LARGE": 12, "_FINE": 5.1e-5, "_COARSE": 5.1e-4}),
    (printed, lambda: printed._decimals("1.5e2"), -1,
     {"_DOUBLE": 1e-9, "_SINGLE": 2e-7, "_MOST": 12}),
    (result, lambda: result.written({"a": 2}), "a=2", {"_SHOWN": 6, "_OTHERS_SHOWN": 3}),
    (reconciliation, lambda: reconciliation._distance(1.0, 0.5), 0.5, {"_SHOWN": 10}),
    (switches, lambda: switches._levels(parse("AP"), ()), ["2", "3"],
     {"_MOST_OF_RUN": 2, "MOST_LEVELS": 100, "_MOST_SETTINGS": 600, "_USUAL_GRADES": (1.0, 2.0)}),
    (search_tools, lambda: search_tools._cut(np.array([0.129])).tolist(), [0.12],
     {"_CENTS": 100, "_SLACK": 1e-9}),
    (function, lambda: function._spread([*range(3)]), [0, 1, 2], {"_FIRST": 60, "_SPREAD": 120}),
    (function_answers, lambda: function_answers._number(1, "f"), 1.0,
     {"NEAR": 1e-6, "_MOST_PRINTED": 40}),
    (candidates, lambda: candidates._library("a: b"), "a",
     {"_MOST_COMPARED": 10, "_SHORT": 2, "_NEAREST": 3, "_NEAR": 0.05, "_APART": 5e-4,
      "_COMPARED": 6}),
    (diagnosis_inputs, lambda: diagnosis_inputs.listed((1,)), [1],
     {"_MOST_COUNTED": 100_000, "_MOST_WRITTEN": 12}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("module", "ask", "said", "bounds"), BOUNDS, ids=[row[0].__name__ for row in BOUNDS]
)
def test_bounds_are_as_written(module, ask, said, bounds):
    """Whoever changes one changes what is said of a number."""
    assert ask() == said
    assert {name: getattr(module, name) for name in bounds} == bounds


@each_row(
    ("named", "covered", "is_weak"),
    [(5, 0.0, False), (6, 0.0, True), (0, 0.02, False), (0, 0.021, True), (5, 0.02, False)],
)
def test_a_name_is_weak_beyond_one_formula_in_twenty_or_two_numbers_in_a_hundred(
    named, covered, is_weak
):
    """Of a hundred invented formulas, and of all numbers of so many digits."""
    assert evidence.Evidence(2, 9, 9, 100, named, None, covered).is_weak is is_weak
