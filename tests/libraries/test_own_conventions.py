"""A plain measure name under a bundle: the library's own ties, negative grades and scores."""

import math

import numpy as np
import pytest

from irmetrics_edu import compare, evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import bundle
from irmetrics_edu.runs.joining.joined_run import Joined

TIED = {"q": {"a": 2, "b": 1, "c": 1, "d": 1}}
JUDGED = {"q": {"a": 0, "b": 0, "c": 1, "d": 3}}
LOSS = {"q": {"a": 4, "b": 3, "c": 2, "d": 1}}
LOST = {"q": {"a": -1, "b": 2, "c": 1, "d": 3}}
LOG3 = math.log2(3)


def test_ties_are_averaged_for_torchmetrics_ndcg_and_not_for_its_other_metrics():
    """b, c, d share ranks 2 to 4: their mean gain 4/3 stands at ranks 2 and 3; torchmetrics."""
    e = evaluate(TIED, JUDGED, "nDCG@3 AP@3", conventions="torchmetrics")
    assert e["nDCG@3"] == pytest.approx((4 / 3 / LOG3 + 4 / 3 / 2) / (3 + 1 / LOG3))
    assert e["nDCG@3"] == pytest.approx(0.4153, abs=5e-5)
    assert e["AP@3"] == pytest.approx(1 / 3)  # c alone, at rank 3, by the hits
    assert e.working("nDCG@3", "q").conventions["ties"].name == "averaged"


def test_a_cut_off_may_have_other_conventions_than_none():
    """ir-measures has RR from trec_eval, d before c before b, and RR@5 from msmarco's script."""
    e = evaluate(TIED, JUDGED, "RR RR@5", conventions="ir_measures")
    assert (e["RR"], e["RR@5"]) == (pytest.approx(1 / 2), pytest.approx(1 / 3))


def test_a_form_that_the_library_has_apart_has_its_own_conventions():
    """In ir-measures, nDCG with exponential gain comes from gdeval, with scores of 64 bits."""
    by = bundle("ir_measures")
    close = {"q": {"a": 0.123456780, "b": 0.123456781, "c": 0.1}}
    judged = {"q": {"a": 0, "b": 1}}
    e = evaluate(close, judged, "nDCG@3 nDCG(gain=exp)@3", by)
    assert e.mean["nDCG@3"] == 1.0  # the same in 32 bits: by id, the larger first
    assert e.mean["nDCG(gain=exp)@3"] == 1.0  # b is above a in 64 bits too
    assert str(by.aligned(e.measures[0].metric)["scores"]) == "float32"
    assert str(by.aligned(e.measures[1].metric)["scores"]) == "float64"


def test_negative_grades_are_losses_where_the_library_has_them_so():
    """CatBoost: (-1 + 2/log2(3) + 1/2) over (3 + 2/log2(3) + 1/2)."""
    e = evaluate(LOSS, LOST, "nDCG@3 AP@3", conventions="catboost")
    assert e["nDCG@3"] == pytest.approx((-1 + 2 / LOG3 + 1 / 2) / (3 + 2 / LOG3 + 1 / 2))
    assert e["nDCG@3"] == pytest.approx(0.16, abs=5e-5)
    assert e["AP@3"] == pytest.approx((1 / 2 + 2 / 3) / 3)


def test_a_bundle_that_refuses_negative_grades_takes_them_in_the_measure_that_does():
    """scikit-learn: dcg_score takes them, ndcg_score refuses them."""
    assert evaluate(LOSS, LOST, "DCG", "scikit_learn")["DCG"] == pytest.approx(
        -1 + 2 / LOG3 + 1 / 2 + 3 / math.log2(5)
    )
    with pytest.raises(InputError, match="negative"):
        evaluate(LOSS, LOST, "DCG nDCG", "scikit_learn")


def test_what_the_call_says_comes_before_what_the_library_has():
    """A convention as a keyword holds for all measures; one inside a measure for that one."""
    given = evaluate(TIED, JUDGED, "nDCG@3", conventions="torchmetrics", ties="given")["nDCG@3"]
    assert given == pytest.approx(1 / 2 / (3 + 1 / LOG3))
    inside = evaluate(TIED, JUDGED, "nDCG(ties=given)@3", conventions="torchmetrics")
    assert float(next(iter(inside.mean.values()))) == given


def test_what_is_applied_is_said():
    """A note for each measure that differs from the rest of its library; none where none does."""
    e = evaluate(TIED, JUDGED, "nDCG@3 AP@3", conventions="torchmetrics")
    own = [note for note in e.notes() if "has this measure" in note]
    assert own == ["nDCG@3: ties=averaged, negative=keep, as torchmetrics has this measure"]
    plain = evaluate(TIED, JUDGED, "nDCG@3 AP RR")
    assert not [note for note in plain.notes() if "has this measure" in note]


def test_documents_without_a_judgment_are_counted_where_ties_share_their_ranks():
    """No count is below 0: of three ranks one holds a document that nobody judged."""
    e = evaluate(TIED, {"q": {"c": 1, "d": 3, "b": 0}}, "nDCG@3", conventions="torchmetrics")
    assert "1 of 3 documents at ranks 1 to 3 is not judged (33%)" in e.notes()


def test_files_are_read_as_each_measure_needs_them(tmp_path):
    """From files the values are those of mappings, one run or two, losses and all."""
    run, qrels = tmp_path / "run.txt", tmp_path / "qrels.txt"
    run.write_text("".join(f"q Q0 {d} 1 {s} tag\n" for d, s in LOSS["q"].items()))
    qrels.write_text("".join(f"q 0 {d} {g}\n" for d, g in LOST["q"].items()))
    for names in ("nDCG@3", "nDCG@3 AP@3", "AP@3 nDCG@3"):
        held = evaluate(LOSS, LOST, names, conventions="catboost")
        assert dict(evaluate(run, qrels, names, conventions="catboost").mean) == dict(held.mean)
        both = compare({"one": run, "two": run}, qrels, names, conventions="catboost")
        for name in held.mean:
            assert both.evaluations["one"][name] == held[name]


def test_measures_with_equal_conventions_share_one_alignment(monkeypatch):
    """Under trec_eval's bundle a run is aligned once, whatever the number of measures."""
    made = []
    found = Joined.found

    def counting(self, options):
        before = len(self._found)
        result = found(self, options)
        made.extend([1] * (len(self._found) - before))
        return result

    monkeypatch.setattr(Joined, "found", counting)
    evaluate(TIED, JUDGED, "nDCG@10 nDCG AP P@5 R@10 RR RR@10 bpref Rprec").notes()
    assert len(made) == 1
    made.clear()
    evaluate(TIED, JUDGED, "nDCG@3 nDCG AP RR", conventions="torchmetrics").notes()
    assert len(made) == 2  # losses for nDCG, 0 for the rest


@pytest.mark.parametrize(
    "name", ["recbole", "rectools", "cornac", "rankereval", "llama_index", "recmetrics"]
)
def test_libraries_of_lists_rank_a_run_by_its_scores(name):
    """A run with scores is the list by falling score, and is said to be nothing else."""
    scored = {"q": {"x": 1.0, "y": 2.0, "z": 3.0}}
    e = evaluate(scored, {"q": {"z": 1}}, "P@2 RR", conventions=name)
    listed = evaluate({"q": ["z", "y", "x"]}, {"q": {"z": 1}}, "P@2 RR", conventions=name)
    assert e["RR"] == listed["RR"] == 1.0
    assert not [note for note in e.notes() if "order given" in note]


def test_the_check_can_fail():
    """A bundle that says nothing of a measure leaves the conventions of the run."""
    silent = bundle("torchmetrics").using(options={})
    assert not np.isclose(evaluate(TIED, JUDGED, "nDCG@3", silent)["nDCG@3"], 0.4153, atol=1e-3)


@pytest.mark.parametrize("name", ["torchmetrics", "scikit_learn"])
def test_the_worst_and_the_best_order_replace_the_mean_of_a_library(name):
    """By name in the measure: the shared ranks are those of the library's own convention."""
    ideal = 3 + 1 / LOG3
    for measure, expected in (
        ("nDCG(ties=pessimistic)@3", 1 / 2),  # b, c, d
        ("nDCG(ties=optimistic)@3", 3 / LOG3 + 1 / 2),  # d, c, b
        ("nDCG@3", 4 / 3 / LOG3 + 4 / 3 / 2),
    ):
        found = evaluate(TIED, JUDGED, measure, name)
        assert found.per_query[measure]["q"] == pytest.approx(expected / ideal)
