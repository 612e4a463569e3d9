"""What a library is called by: no setting that it has not, no library left out for an oddity."""

import pytest

from irmetrics_edu import diagnose
from irmetrics_edu.diagnosis.printed import Printed
from irmetrics_edu.libraries import BUNDLES, OURS, bundle

RANKING, JUDGED = ["a", "b", "c", "d"], {"a": 1, "c": 3, "d": 2, "x": 1}


def names(found):
    """All libraries of all candidates, without what they call the measure."""
    return {name.partition(":")[0] for c in found.candidates for name in c.libraries}


@pytest.mark.parametrize("value", ["0", "0.0000", "0.1667", "0.25"])
def test_a_number_of_another_option_is_no_level_of_relevance(value):
    """RBP's p = 0.80 does not make rel = 80 of AP; levels are grades of the input, 2 or 3."""
    for name in ("AP", "nDCG", "nDCG@3"):
        found = diagnose(name, RANKING, JUDGED, value=value)
        assert not [c for c in found.candidates if "80" in c.written + " ".join(c.libraries)]


def test_a_level_that_the_input_holds_is_one():
    """In ranx map-l3: c alone is relevant from grade 3 on, and stands at rank 3."""
    found = diagnose("AP", RANKING, JUDGED, value="0.333333")
    assert ("rel=3", ("ranx: map-l3",)) in [
        (c.written, tuple(c.libraries)) for c in found.candidates
    ]


def test_rbp_is_named_by_its_own_p():
    """In ranx rbp.95 at p = 0.95: the grades themselves, discounted."""
    value = 0.05 * (1 + 3 * 0.95**2 + 2 * 0.95**3)
    found = diagnose("RBP(p=0.95)", RANKING, JUDGED, value=f"{value:.8f}")
    assert any("ranx" in c.libraries or "ranx: rbp.95" in c.libraries for c in found.candidates)


def test_a_whole_number_means_itself():
    """The text 1 is 1 to four digits, as a float is; digits after the point say how far else."""
    assert Printed.of("1").tolerance == Printed.of(1).tolerance == 5e-5
    assert Printed.of("0").fits(0.00004)
    assert not Printed.of("1").fits(0.9488)
    assert Printed.of("0.9").fits(0.9488)
    assert Printed.of("95%").fits(0.9488)
    found = diagnose("nDCG@10", [3, 2, 3, 0, 1, 2], value="1")
    assert not any(abs(c.score - 1) > 1e-4 for c in found.candidates)


@pytest.mark.parametrize(("value", "label"), [(2 / 3, "cut-off-one-too-low"), (3 / 5, None)])
def test_the_cut_offs_beside_the_right_one_are_tried(value, label):
    """P@4 of hits at 1, 3, 4 and 5 is 3/4; at 3 it is 2/3, and nothing at 4 gives 3/5."""
    ranking, judged = [*RANKING, "e", "f"], {**JUDGED, "e": 0}
    found = diagnose("P@4", ranking, judged, value=f"{value:.6f}")
    named = [m.mistake.label for m in found.mistakes]
    assert (label or "cut-off-one-too-high") in named
    right = diagnose("P@4", ranking, judged, value="0.750000")
    assert not [m for m in right.mistakes if m.mistake.label.startswith("cut-off")]


def test_an_oddity_elsewhere_leaves_a_library_to_be_named():
    """trec_eval 10, Recommenders, llama_index and the gdeval of ir-measures have such oddities."""
    found = diagnose("AP", {"q": RANKING}, {"q": JUDGED}, value=(1 + 2 / 3 + 3 / 4) / 4)
    assert {"trec_eval_10", "trec_eval"} <= names(found)
    binary = {"a": 1, "c": 1, "x": 1}
    assert "llama_index" in names(diagnose("P", RANKING, binary, value=1 / 2))
    assert "Microsoft Recommenders" in names(diagnose("P@4", RANKING, binary, value=1 / 2))
    err = diagnose("ERR@3", RANKING, JUDGED, value=1 / 16 + 15 / 16 * 7 / 16 / 3)
    assert "ir-measures" in names(err)


def test_what_a_library_never_gives_it_is_not_named_by():
    """For rankerEval gain=exp is another: the quirk says so of every input."""
    assert bundle("rankereval").is_odd("NDCG@3 log2 relevance_scaling=power")
    assert not bundle("rankereval").is_odd("NDCG@3 default")
    found = diagnose("nDCG@3", RANKING, JUDGED, value=f"{diagnosed_exp():.6f}")
    exp = next(c for c in found.candidates if c.written == 'gain="exp"')
    assert not [name for name in exp.libraries if name.startswith("rankerEval")]
    assert [name for name in exp.libraries if name.startswith("ranx")]
    assert sum(quirk.always for b in BUNDLES.values() for quirk in b.quirks) >= 2


def diagnosed_exp():
    """(1 + 7/2) over 7 + 3/log2(3) + 1/2, in plain numbers."""
    return (1 + 7 / 2) / (7 + 3 / 1.584962500721156 + 1 / 2)


def test_a_number_that_was_rounded_twice_is_explained():
    """1/81 is 0.0123457: to five digits 0.01235, and that to four 0.0124."""
    grades = [0] * 80 + [1]
    once = diagnose("RR", grades, value="0.0123")
    twice = diagnose("RR", grades, value="0.0124")
    assert once.candidates[0].arguments == twice.candidates[0].arguments == {}
    assert twice.rounded_twice
    assert not once.rounded_twice
    assert "Rounded to more digits first" in twice.text
    assert not diagnose("RR", grades, value="0.0121").explained
    assert not diagnose("RR", grades, value=0.0124, tolerance=0.00005).explained


def test_of_two_explanations_that_of_the_library_in_more_use_comes_first():
    """1/2 at rank 2, over 2: the cut-off, the reachable, the retrieved, and only two have names."""
    found = diagnose("AP@2", [0, 1], value="0.25", unretrieved=[1, 1])
    use = {b.name: 10**b.use for b in BUNDLES.values()}
    weights = [
        sum(use[who.partition(":")[0]] for who in c.libraries)
        for c in found.candidates
        if c.arguments
    ]
    assert len({w for w in weights if w}) > 1
    assert weights == sorted(weights, reverse=True)


def test_every_library_states_its_use():
    """A power of ten, without which it would come after all others."""
    assert [b.name for b in BUNDLES.values() if b.name != OURS.name and not 1 <= b.use <= 9] == []


def test_a_first_rank_that_nobody_judged_is_diagnosed():
    """Of several queries none of which gains at rank 1: the mistake there is no value, 0/0."""
    run, judged = {"p": ["u", "a"], "q": ["v"]}, {"p": {"a": 3}, "q": {"b": 1}}
    assert diagnose("DCG@1", run, judged, value=0).candidates
    assert not diagnose("DCG@1", run, judged, value=9.9).explained
