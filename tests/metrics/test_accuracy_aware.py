"""DCC, FDCC and DILAD against values of the code that their authors released.

The values were recorded from metrics.py of github.com/Xueqi-Li/Accuracy-aware-Diversity-Metrics,
commit c1f0ed1, on random inputs: for one user at a time, with vectors of length 1. None of its code
is here.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu import dcc, dilad, fdcc
from irmetrics_edu.errors import InputError

RECORDED = json.loads(
    Path(__file__).with_name("accuracy_aware_values.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: "-".join(case["ranking"]))
def test_our_values_are_those_of_the_authors_code(case: dict[str, Any]) -> None:
    """The same three values for the same list, test items, categories, vectors and coefficient."""
    ranking, test = case["ranking"], set(case["test"])
    categories = {item: set(names) for item, names in case["categories"].items()}
    alpha, n = case["coefficient"], case["n_categories"]
    found = {
        "DCC": dcc(ranking, test, categories, alpha=alpha, n_categories=n),
        "FDCC": fdcc(ranking, test, categories, alpha=alpha, base=case["base"], n_categories=n),
        "DILAD": dilad(ranking, test, case["vectors"], beta=alpha),
    }
    assert found == pytest.approx({name: case[name] for name in found}, abs=1e-12)


def test_the_recorded_values_have_what_is_in_question() -> None:
    """Coefficients 0 and 1, a pair of two misses, a category on both sides, and frequencies."""
    assert {0, 1} < {case["coefficient"] for case in RECORDED}
    assert any(len(set(case["ranking"]) - set(case["test"])) > 1 for case in RECORDED)
    assert any(_on_both_sides(case) for case in RECORDED)
    assert any(case["FDCC"] != case["DCC"] for case in RECORDED)


def _on_both_sides(case: dict[str, Any]) -> bool:
    hits, misses = set(), set()
    for item in case["ranking"]:
        side = hits if item in case["test"] else misses
        side.update(case["categories"][item])
    return bool(hits & misses)


TWO = {"a": {"x"}, "b": {"y"}}
APART = {"a": [1, 0], "b": [0, 1]}


def test_a_user_without_relevant_items_is_an_error_here() -> None:
    """Recorded there: DCC and FDCC 0, and DILAD beta squared times the distance, 0.25."""
    for asked in (
        lambda: dcc(["a", "b"], set(), TWO, n_categories=2),
        lambda: fdcc(["a", "b"], set(), TWO, n_categories=2),
        lambda: dilad(["a", "b"], set(), APART, beta=0.5),
    ):
        with pytest.raises(InputError, match="nothing is judged"):
            asked()


def test_a_list_of_one_item_has_no_distance_here() -> None:
    """Recorded there: it is left out of the sum over users."""
    with pytest.raises(InputError, match="fewer than two items"):
        dilad(["a"], {"a"}, APART)


def test_two_users_are_added_there() -> None:
    """Recorded there, alpha = 0.5: 0.5 and 0.25, and their sum 0.75 in place of a mean."""
    each = [dcc([item], {"a"}, TWO, alpha=0.5, n_categories=2) for item in "ab"]
    assert each == [0.5, 0.25]
    assert sum(each) == 0.75
