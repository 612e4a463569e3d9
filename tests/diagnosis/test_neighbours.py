"""Where nothing gives a value for the measure named, another measure that gives it is named."""

from math import floor, log2

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


# Queries with fewer than k documents: three ranked and relevant of u1, and of u2 four.
SHORT = {"u1": ["a", "b", "c"], "u2": ["a", "b", "x", "d"]}
FEW = {"u1": {"a": 5, "b": 4, "c": 3}, "u2": dict.fromkeys("abcd", 1)}
# AP@4 of u2 is (1 + 1 + 3/4)/4 = 11/16, P@4 3/4, R@4 3/4; of u1 they are 1, 3/4, 1.
OF_SHORT = [
    ("AP@4", (0 + 11 / 16) / 2, "score-0"),
    ("AP@4", 11 / 16, "left-out"),
    ("P@4", (0 + 3 / 4) / 2, "score-0"),
    ("R@4", (0 + 3 / 4) / 2, "score-0"),
    ("R@4", 3 / 4, "left-out"),
    ("F@4", (0 + 3 / 4) / 2, "score-0"),
    ("nDCG@4", 0.4024, "score-0"),
    ("nDCG@4", 0.8048, "left-out"),
]


def test_queries_with_fewer_documents_than_the_cut_off_are_known():
    """Scored 0, or left out: too few are ranked, or too few are relevant."""
    for measure, value, way in OF_SHORT:
        found = diagnose(measure, SHORT, FEW, value=f"{value:.4f}")
        named = {m.mistake.label for m in found.mistakes}
        assert {f"short-lists-{way}", f"few-relevant-{way}"} <= named, (measure, value, named)
    # Of a query whose list is long enough, though it has but one relevant document.
    found = diagnose(
        "RR@2", {"p": ["x", "a"], "q": ["a"]}, {"p": {"a": 1}, "q": {"a": 1}}, value="0.25"
    )
    named = {m.mistake.label for m in found.mistakes}
    assert "short-lists-score-0" in named
    assert "few-relevant-score-0" not in named


def test_a_query_of_its_own_value_is_not_left_out():
    """Values by query that are right are right, whatever others do to the mean."""
    found = diagnose("P@4", SHORT, FEW, value={"u1": "0.7500", "u2": "0.7500"})
    assert [m for m in found.mistakes if "short" in m.mistake.label] == []


def test_a_measure_that_is_cut_at_r_is_named():
    """The metric of metric learning: (1/2 + 2/3)/3 of the first three, three being relevant."""
    grades = {"b": 1, "c": 1, "e": 1}
    found = diagnose("AP", list("abcdef"), grades, value="0.388889")
    assert [name for name, _ in found.others] == [
        "AP@R (of the first R documents, R relevant ones)"
    ]
    run = {"p": list("abcdef"), "q": ["x", "a", "y"]}
    found = diagnose("MAP", run, {"p": grades, "q": {"a": 1}}, value="0.194444")
    assert [name for name, _ in found.others] == [
        "AP@R (of the first R documents, R relevant ones)"
    ]


@pytest.mark.parametrize(
    ("cut", "hint"),
    [
        ("R", "P and R at R are Rprec"),
        ("all", "leave it out"),
        ("ALL", "leave it out"),
        ("1%", "a share of a list"),
        ("ten", "such as k=10$"),
    ],
)
def test_a_cut_off_that_is_a_word_says_what_to_write(cut, hint):
    """Of each measure that has one."""
    for name in ("MAP", "P", "nDCG", "R", "Success"):
        with pytest.raises(InputError, match=hint):
            evaluate({"q": ["a"]}, {"q": {"a": 1}}, f"{name}@{cut}")


# The libraries' variants at a cut-off, asked without one: every judged document is relevant.
EVERY_JUDGED = {"a": 1, "b": 0, "c": 2, "e": 3, "x": 1}
WITHOUT_A_CUT = [
    ("AP", (1 / 2 + 2 / 3 + 3 / 4 + 4 / 6) / 5, "Microsoft Recommenders"),
    ("P", 4 / 6, "Microsoft Recommenders"),
    ("R", 4 / 5, "TruLens"),
]


def test_what_is_tried_at_a_cut_off_is_tried_without():
    """One convention, one library."""
    for measure, value, library in WITHOUT_A_CUT:
        for name in (measure, f"{measure}@6"):
            found = diagnose(name, list("uabcde"), EVERY_JUDGED, value=f"{value:.6f}")
            by = [c for c in found.candidates if c.arguments.get("rel") == float("-inf")]
            libraries = {who.partition(":")[0] for one in by for who in one.libraries}
            assert library in libraries, (name, str(found))


def test_a_parameter_of_f_that_is_not_squared_is_recognised():
    """(1 + beta) P R / (R + beta P), as set_F of trec_eval has it, where P = 3/5 and R = 1."""
    for beta in (0.5, 2):
        value = (1 + beta) * 0.6 / (1 + beta * 0.6)
        for name in ("F", f"F(beta={beta})"):
            found = diagnose(name, [1, 1, 1, 0, 0], value=f"{value:.6f}")
            names = {who.partition(":")[0] for c in found.candidates for who in c.libraries}
            assert {"trec_eval", "ir-measures"} <= names, (name, str(found))


def hundredths(value):
    """A value without its further decimals."""
    return floor(value * 100 + 1e-9) / 100


def by_rre(grades, ideal):
    """NDCG of the Rated Ranking Evaluator: (2^g - 1)/log2(i + 1) and the quotient are cut."""
    above = sum(hundredths((2**g - 1) / log2(i + 1)) for i, g in enumerate(grades, 1))
    below = sum(hundredths((2**g - 1) / log2(i + 1)) for i, g in enumerate(ideal, 1))
    return hundredths(above / below)


def test_numbers_of_tools_of_search_teams_are_recognised():
    """(1 + 1.89 + 3.50)/(7 + 1.89 + 0.50) is 0.6805; unjudged is half the top grade."""
    assert by_rre([1, 2, 3], [3, 2, 1]) == 0.68
    for grades in ([1, 2, 3], [0, 3, 0, 2, 1], [2, 0, 0, 3]):
        value = by_rre(grades, sorted(grades, reverse=True))
        found = diagnose("nDCG@10", grades, value=f"{value:.2f}")
        named = [what for what, _ in found.others]
        assert found.explained or any("Rated Ranking Evaluator" in what for what in named)
    middle = (2**1.5 - 1) / 8
    value = 7 / 8 + 1 / 8 * middle / 2 + 1 / 8 * (1 - middle) * 3 / 8 / 3
    found = diagnose("ERR(max_grade=3)@10", [3, None, 2], value=f"{value:.5f}")
    assert 'unjudged="grade(1.5)" (Elasticsearch, OpenSearch, Rated Ranking Evaluator)' in str(
        found
    )
    # In a run: grade 1 for the unjudged document at rank 2 of one of the queries.
    run = {"p": ["a", "u"], "q": ["b"]}
    value = (2 + 1 / log2(3) + 1) / 2
    found = diagnose("DCG@5", run, {"p": {"a": 2}, "q": {"b": 1}}, value=f"{value:.6f}")
    assert "DCG(unjudged=grade(1))@5" in [what for what, _ in found.others]


def test_fall_out_is_diagnosed_without_the_size_of_the_collection():
    """Two of four irrelevant documents are ranked, and all are judged."""
    for name, value in (("fall-out", 2 / 4), ("accuracy", 3 / 5)):
        found = diagnose(name, [0, 0, 1], unretrieved=[0, 0], value=f"{value:.4f}")
        assert any(c.arguments == {"collection": "known"} for c in found.candidates), str(found)
