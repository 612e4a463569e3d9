"""A library's name over a measure that was not compared, and names of measures of others."""

import pytest

from irmetrics_edu import compare, evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.notation import parse

RUN = {"q": {"a": 2.0, "b": 1.0}}
QRELS = {"q": {"a": 1, "b": 0}}
SAID = "no value of {} was compared for this measure, so it is ours under the library's conventions"


def of_comparison(found):
    """The notes on what was not compared."""
    return [note for note in found.notes() if "was compared for this measure" in note]


def test_a_measure_that_a_library_lacks_is_told():
    """Scikit-learn has no recall at a cut-off; the others of the call are its own."""
    found = evaluate(RUN, QRELS, "R@100 nDCG@5 P@3", "sklearn")
    assert of_comparison(found) == [f"R@100, P@3: {SAID.format('scikit-learn')}"]
    shown = compare({"one": RUN, "two": RUN}, QRELS, "R@100", conventions="sklearn")
    assert any(SAID.format("scikit-learn") in note for note in shown.notes())


@pytest.mark.parametrize("library", BUNDLES)
def test_what_a_library_lists_is_not_told(library):
    """Neither for its names nor for ours, at any cut-off."""
    bundle = BUNDLES[library]
    for entry in bundle.metrics.values():
        text = entry if isinstance(entry, str) else entry["measure"]
        name = text.partition("@")[0].partition("(")[0]
        if text != "*":
            assert bundle.was_compared(parse(name)), name


def test_our_own_conventions_promise_no_library():
    """The default, and ours; every measure of ours is computed under them."""
    for conventions in ("trec_eval", "irmetrics_edu"):
        assert of_comparison(evaluate(RUN, QRELS, "RBP Judged@5", conventions)) == []


@pytest.mark.parametrize("name", ["P-R", "precision_recall_curve"])
def test_the_name_of_a_measure_of_others_leads_to_what_is_nearest(name):
    """The spelling would have led to PR-AUC."""
    with pytest.raises(InputError, match="is no measure here: ") as refused:
        evaluate(RUN, QRELS, name)
    assert "did you mean" not in str(refused.value)
