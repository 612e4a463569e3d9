"""Where nothing gives a value for the measure named, another measure that gives it is named."""

import pytest

from irmetrics_edu import diagnose, evaluate, ndcg
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, bundle

RELEVANT = {q: {"a": 1} for q in ("q1", "q2", "q3")}
AT_1_2_AND_4 = {"q1": ["a", "b"], "q2": ["b", "a"], "q3": ["b", "c", "d", "a"]}

# The measure named, the input, the value, and what it is, by hand: hits, hits over k, and so on.
OTHERS = [
    ("Success@5", ([1, 0, 1, 0, 0],), "2", "CG(gain=binary)@5"),
    ("Success@3", (list("abc"), {"a": 1, "x": 1, "y": 1}), "0.3333", "P@3"),
    ("R@3", (list("abc"), dict.fromkeys("abxyz", 1)), "0.5", "F@3"),
    ("RR", (AT_1_2_AND_4, RELEVANT), "2.3333", "the mean rank of the first relevant document"),
    (
        "RR",
        (AT_1_2_AND_4, RELEVANT),
        "0.428571",
        "1 over the mean rank of the first relevant document",
    ),
    ("RR", (list("abc"), {"b": 1}), "0.6309", "nDCG"),
]


@pytest.mark.parametrize(("measure", "given", "value", "other"), OTHERS)
def test_another_measure_is_named(measure, given, value, other):
    """And not that the value may be in percent."""
    found = diagnose(measure, *given, value=value)
    assert not found.explained
    assert other in [name for name, _ in found.others]
    assert f"But {other} gives " in str(found)
    assert "percent" not in str(found)


def test_a_value_that_nothing_gives_names_no_measure():
    """A measure of another value is no explanation."""
    found = diagnose("RR", [0, 1, 0], value="0.7777")
    assert found.others == []


def test_a_value_that_a_convention_gives_names_no_other_measure():
    """The convention is the nearer cause."""
    assert diagnose("nDCG@10", [3, 2, 3, 0, 1, 2], value="0.949").others == []


@pytest.mark.parametrize("name", [b.name for b in BUNDLES.values()])
def test_a_library_is_known_by_the_name_that_tables_show(name):
    """Whatever its file is called."""
    assert bundle(name).name == name


@pytest.mark.parametrize("package", [b.package for b in BUNDLES.values() if b.package])
def test_a_library_is_known_by_its_package(package):
    """What pip installs; trec_eval is the file of version 9, whatever package has the name."""
    assert package in (bundle(package).package, "trec_eval")


def test_a_library_that_is_misspelt_is_suggested():
    """One that is like nothing is not."""
    with pytest.raises(InputError, match="did you mean ranx"):
        bundle("rankx")
    with pytest.raises(InputError, match="is not known; known are"):
        bundle("nothing like it at all")


@pytest.mark.parametrize("scores", [[0.1, 0.9, 0.5, 0.3], (2.0, 0.25), {0.5, 1.0}])
def test_scores_in_the_place_of_judgments_are_refused(scores):
    """As scikit-learn takes them: grades first, then scores."""
    with pytest.raises(InputError, match=r"is a score and no id .* ndcg\(\[2, 1, 3, 0\]\)"):
        ndcg([3, 2, 0, 1], scores)


# Scores that have more digits, which were left out.
CUT_OFF = [
    ("P@3", ([1, 1, 0],), "0.666"),
    ("RR", ([0, 0, 0, 0, 0, 1],), "0.166"),
    ("AP", ([0, 0, 1, 1],), "0.416"),
    ("nDCG@2", (["1", "2"], {"1": 3, "2": 5, "3": 4}), "0.8888"),
]


@pytest.mark.parametrize(("measure", "given", "value"), CUT_OFF)
def test_a_number_whose_digits_were_cut_off_is_said_to_be_one(measure, given, value):
    """Of our default, or of LensKit's discount."""
    said = str(diagnose(measure, *given, value=value))
    assert f"With its digits cut off and not rounded, that is {value}." in said


def test_a_number_above_the_score_was_not_cut_off():
    """0.668 is neither 2/3 rounded nor cut."""
    assert "cut off" not in str(diagnose("P@3", [1, 1, 0], value="0.668"))


@pytest.mark.parametrize(
    ("word", "ours"), [("worst", "pessimistic"), ("best", "optimistic"), ("random", "averaged")]
)
def test_a_word_for_an_order_of_ties_leads_to_ours(word, ours):
    """By argument and in a measure's name."""
    with pytest.raises(InputError, match=f"did you mean {ours}"):
        evaluate({"q": {"a": 1.0}}, {"q": {"a": 1}}, f"RR(ties={word})")
    with pytest.raises(InputError, match=f"did you mean {ours}"):
        evaluate({"q": {"a": 1.0}}, {"q": {"a": 1}}, "RR", ties=word)
