"""What is said of a metric beside its scores: its range, its options' bounds, its other names."""

import inspect
import math
import re

import numpy as np
import pytest

from dev.tools import inputs
from irmetrics_edu import confusion, expected_exposure, precision_recall_curve, roc_curve
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics import novelty_ideal, nugget_decay
from irmetrics_edu.metrics.curves import pr_curve
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.metrics.notation import parse
from tests.values import hold_still

import_all()

# As their definitions say; the others are shares, from 0 to 1.
NO_BOUND_ABOVE = {
    *("CG", "DCG", "IDCG", "alpha-DCG", "alpha-nDCG", "entropy", "FDCC", "ARP", "novelty"),
    *("PSP", "PSnDCG", "geometric_mean", "variance"),
}
RANGES = {
    **dict.fromkeys(NO_BOUND_ABOVE, (0, math.inf)),
    **dict.fromkeys(("ILAD", "ILMD", "DILAD"), (0, 2)),  # opposite vectors have cosine -1
    "DCC": (0, 2),  # 1 + alpha, and alpha is at most 1
    "popularity_lift": (-1, math.inf),
    "hit_rank": (1, math.inf),
    **dict.fromkeys(("tau", "tau_AP"), (-1, 1)),
    **dict.fromkeys(("mean", "utility"), (-math.inf, math.inf)),
}
# Those whose mean over all orders of tied documents is known.
OVER_TIES = {
    *("P", "R", "F", "Success", "Rprec", "Rprec_mult", "AP", "RR", "CG", "NCG", "DCG", "IDCG"),
    *("nDCG", "RBP"),
}


# Names that stand for a measure and options, as other programs and papers mean them.
MEANT = {
    "11pt_avg": "interpolated-AP(points=11)",
    "F1": "F(beta=1)",
    "F2": "F(beta=2)",
    "relative_P": "P(divisor=reachable)",
    "set_relative_P": "P(divisor=reachable)",
    "recall_capped": "R(divisor=reachable)",
    "R_cap": "R(divisor=reachable)",
    "context_precision": "AP(divisor=hits)",
    "unj": "Hole(divisor=k)",
    "nERR-IA": "ERR-IA(normalisation=collection_dependent)",
    "nNRBP": "NRBP(normalisation=collection_dependent)",
}


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.name)
def test_a_metric_is_what_its_definition_says(metric: Metric) -> None:
    """Its range, whether it averages over ties, and the names that stand for its options."""
    call = inputs.of(metric)[0]
    low, high = metric.range
    assert (low, high) == RANGES.get(metric.name, (0, 1))
    assert low <= metric(*call.arguments, **call.options) <= high
    assert metric.shares_ties is (metric.name in OVER_TIES)
    for alias, meant in MEANT.items():
        if meant.startswith(f"{metric.name}("):
            assert parse(alias) == parse(meant)


def test_each_name_of_the_tables_is_a_metric() -> None:
    """A table of other names would say nothing."""
    named = {meant.partition("(")[0] for meant in MEANT.values()}
    assert set(RANGES) | OVER_TIES | named <= set(METRICS)


def test_an_option_that_is_not_known_is_refused_beside_all_that_are() -> None:
    """In the order of the call: what is measured, the cut-off if there is one, and the options."""
    for metric in METRICS.values():
        known = [name for name in inspect.signature(metric).parameters if name != "exact"]
        with pytest.raises(InputError, match=f"it takes {', '.join(known)}$"):
            metric.using(gian=1)


def test_a_formula_shows_a_metric_by_its_symbol_or_by_its_name() -> None:
    """In upright letters, unless the field has a sign for it."""
    assert METRICS["RBO"].symbol == r"\mathrm{RBO}"
    assert METRICS["tau"].symbol == r"\tau"
    assert METRICS["variance"].symbol == "s^2"


def test_a_working_of_one_query_has_its_notes_and_one_of_several_has_them_by_query() -> None:
    """Of nuggets with probabilities, lists of one kind, and rankings that find nothing."""
    unsure = {"d": {"a": 0.5}}
    for name, *call in (
        ("alpha-DCG", ["d"], unsure),
        ("relevance-probability", ["d"], unsure),
        ("alpha-nDCG", ["d"], unsure),
        ("RR", ["a"], {"b": 1}),
        ("hit_rank", ["a"], {"b": 1}),
        ("AUC(undefined=half)", [1, 1], [0.5, 0.4]),
    ):
        metric = parse(name)
        working = metric.working(*call)
        assert working.notes_of is not None
        assert list(working.notes) == working.notes_of(0) != []
        rows = metric.align(*call)
        both = metric.measured(type(rows).joined([rows, rows]), None, **metric.params)
        assert list(both.notes) == []
        assert [list(both.of(q).notes) for q in (0, 1)] == [working.notes] * 2


def test_a_score_is_a_float_unless_fractions_are_asked_for() -> None:
    """As the signature says."""
    for metric in METRICS.values():
        assert inspect.signature(metric).parameters["exact"].default is False


# One of its kind that is no list of nothing, where nothing is an error of itself.
ONE_KIND = {
    ("relevance", "scores"): [([1, 1], [0.5, 0.25]), ([0, 0], [0.5, 0.5]), ([1, 0], [0.5, 0.5])],
    ("ranking", "judgments"): [(["a"], {"a": 0}), ([], {"a": 1}), (["b", "a"], {"a": 1, "b": 0})],
    ("recommended", "categories"): [(["none"], {**inputs.CATEGORIES, "none": set()})],
    ("ranking", "nuggets"): [(["d"], {"d": set()}), (["d"], {"d": {"A"}})],
}


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.name)
def test_a_list_without_a_value_leaves_the_values_of_others_alone(metric: Metric) -> None:
    """Measured at once, in whatever order, each list has the score that it has by itself."""
    options = inputs.needed(metric)
    for name, value in {"undefined": "half", "no_relevant": "one"}.items():
        if name in metric.defaults:
            options[name] = value
    metric = metric.using(**options)
    calls = [call.arguments for call in inputs.of(metric)[:2]]
    calls += ONE_KIND.get(metric.inputs.arguments, [])
    if "undefined" in metric.defaults and metric.inputs.arguments[0] == "recommended":
        calls.append(([], *calls[0][1:]))
    alone = [float(metric(*call)) for call in calls]
    rows = [metric.align(*call) for call in calls]
    places = range(len(rows))
    for order in (list(places), list(places)[::-1], [*places, *places]):
        together = metric.measured(type(rows[0]).joined([rows[i] for i in order]), **metric.params)
        np.testing.assert_allclose(together.score, [alone[i] for i in order], rtol=1e-12)


# An option, a number that it can't be, and the numbers that it can be.
NUMBERS = [
    ("F", "beta", -1, "[0, inf)"),
    ("F", "alpha", 2, "[0, 1]"),
    ("nugget-F", "beta", -1, "[0, inf)"),
    ("nugget-F", "allowance", -1, "[0, inf)"),
    ("nugget-F", "length", -1, "[0, inf)"),
    ("Rprec_mult", "multiple", 0, "(0, 1000]"),
    ("utility", "hit", 10**400, None),
    ("IPrec", "recall", 2, "[0, 1]"),
    ("ERR", "max_grade", 0, "(0, 1000]"),
    ("PFound", "max_grade", 1001, "(0, 1000]"),
    ("PFound", "p_break", -1, "[0, 1]"),
    ("RBP", "p", 1, "[0, 1)"),
    ("Q", "beta", -1, "[0, inf)"),
    ("INSQ", "wanted", 0, "[0.5, inf)"),
    ("INST", "wanted", 0, "[0.5, inf)"),
    ("infAP", "epsilon", 0, "(0, 1]"),
    ("alpha-DCG", "alpha", 2, "[0, 1]"),
    ("NRBP", "alpha", -1, "[0, 1]"),
    ("NRBP", "beta", 1, "[0, 1)"),
    ("entropy", "base", 1, "(1, inf)"),
    ("FDCC", "base", 1, "(1, inf)"),
    ("PSP", "a", -1, "[0, inf)"),
    ("PSnDCG", "b", -1, "[0, inf)"),
    ("AWRF", "p", 0, "(0, 1)"),
    ("AWRF", "p", 1, "(0, 1)"),
    ("RBO", "p", 0, "(0, 1)"),
    ("RBO", "p", 1, "(0, 1)"),
    ("Compat", "p", 0, "(0, 1)"),
    ("Compat", "p", 1, "(0, 1)"),
    ("geometric_mean", "floor", -1, "[0, inf)"),
]
WHOLE = [
    ("accuracy", "collection", -1, "of at least 0: how many documents there are"),
    ("fall-out", "collection", 1.5, "of at least 0: how many documents there are"),
    ("interpolated-AP", "points", 1, "from 2 to 10001: how many levels of recall, such as 11"),
    ("INSQ", "depth", 0, "from 1 to 1000000000: the last rank that the reader may reach"),
    ("INST", "depth", 10**9 + 1, "from 1 to 1000000000: the last rank that the reader may reach"),
    ("ERR-IA", "max_grade", 0, "from 1 to 1000, the top of the scale, such as 4"),
    ("variance", "ddof", -1, "of at least 0: 1 (a sample of queries) or 0 (these values alone)"),
    ("novelty", "users", 0, "from 1 to 1000000000000000000: the number of users in the training"),
    ("EPC", "users", 0, "from 1 to 1000000000000000000: the number of users in the training"),
    ("PSP", "users", 2, "from 3 to 1000000000000000000: the number of users in the training"),
    ("PSnDCG", "users", 2, "from 3 to 1000000000000000000: the number of users in the training"),
    ("personalisation", "users", 1, "from 2 to 1000000000000000000: the number of lists, such as"),
]


@pytest.mark.parametrize(("name", "option", "wrong", "right"), [*NUMBERS, *WHOLE])
def test_a_number_that_an_option_cannot_be_is_refused_beside_those_that_it_can(
    name: str, option: str, wrong: float, right: str | None
) -> None:
    """Square brackets hold an end, and round ones do not."""
    metric = METRICS[name]
    call = inputs.of(metric)[0]
    says = f"give a {'whole number ' if right and right[0] not in '[(' else 'number in '}{right}"
    if right is None:
        says = "too large for a float"
    with pytest.raises(InputError, match=re.escape(says)):
        metric(*call.arguments, **{**call.options, option: wrong})


def test_expected_exposure_has_a_reader_who_may_go_on_or_stop() -> None:
    """It is no metric of one ranking, and so in no table of these."""
    for p in (0, 1):
        with pytest.raises(InputError, match=re.escape("give a number in (0, 1)")):
            expected_exposure([["a"]], {"a": 1}, p=p)


def test_curves_and_tables_are_of_floats_and_of_all_that_is_relevant() -> None:
    """Unless fractions, or the relevant of a higher grade, are asked for."""
    for curve in (roc_curve, pr_curve):
        found = curve([1, 0, 2], [3, 2, 1])
        assert found["TP"].tolist() == [1, 1, 2]
        assert found["TP"].dtype == np.float64
        assert curve([1, 0, 2], [3, 2, 1], rel=2, exact=True)["TP"].tolist() == [0, 0, 1]
    found = precision_recall_curve([1, 0, 2])
    assert found["recall"].tolist() == [0.5, 0.5, 1]
    assert found["recall"].dtype == np.float64
    assert precision_recall_curve([1, 0, 2], k=1)["recall"].tolist() == [0.5]
    found = confusion(["a", "b"], {"a": 1, "x": 2}, collection=5)
    cells = [found[cell].tolist() for cell in ("TP", "FP", "FN", "TN")]
    assert cells == [[1], [1], [1], [2]]
    assert found["TP"].dtype == np.float64


def test_values_beside_kernels_stay_as_they_are() -> None:
    """What a reader's interest fades by, and what sums are divided by."""

    def asked() -> float:
        return float(METRICS["alpha-nDCG"](["b", "a"], {"a": {"A"}, "b": {"A"}}))

    hold_still([(nugget_decay, asked, 1.0), (novelty_ideal, asked, 1.0)], ())
