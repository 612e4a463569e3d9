"""Every library that has a bundle can be asked, or it is said why not."""

import pytest

from dev.tools.libraries.adapters import ALL, MORE, WITHOUT
from dev.tools.libraries.asked import (
    Answer,
    beside_another,
    left_out,
    of_names,
    relevant_alone,
    scored,
    without_ties,
)
from dev.tools.libraries.recommenders import by_query, ranked, relevant
from irmetrics_edu.cli import main
from irmetrics_edu.diagnosis.conformance.adapters import ADAPTERS, Adapter, adapter_of, asked_as
from irmetrics_edu.diagnosis.conformance.against_vectors import NONE, REFUSES, run_library
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, bundle
from tests.conformance.test_running import verdicts

# Those that are installed; of four tests/conformance/test_running.py says more.
ELSEWHERE = ("irmetrics_edu", "trec_eval", "scikit-learn", "ndeval", "PySpark")
HERE = [n for n, adapter in ALL.items() if n not in ELSEWHERE and not adapter.why_not]
# Defects that the bundles name as quirks, and what is written with four digits.
KNOWN = {("ranx", "bpref"), ("ranx", "RBP"), ("rankerEval", "Success@3"),
         ("rankerEval", "Success@10"), ("recmetrics", "P"),
         ("allRank", "RR"), ("allRank", "RR@3"), ("allRank", "RR@10"), ("LensKit", "AP"),
         ("LensKit", "AP@10"), ("Rax", "pair_accuracy"),
         ("TF-Ranking", "pair_accuracy")}  # fmt: skip


def without_adapter(names):
    """The bundles that have neither an adapter nor a reason for having none."""
    of = {bundle(name).name for name in ALL}
    return [name for name in names if BUNDLES[name].name not in of and name not in WITHOUT]


def test_every_bundle_has_an_adapter_or_a_reason():
    """What has neither is named; no reason is given for what has an adapter."""
    assert without_adapter(BUNDLES) == []
    of = {bundle(name).name for name in ALL}
    assert not [name for name in WITHOUT if name in BUNDLES and bundle(name).name in of]


def test_what_has_neither_is_named(monkeypatch):
    """The check can fail."""
    monkeypatch.delitem(ALL, "Cornac")
    assert without_adapter(BUNDLES) == ["cornac"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # what a library warns of is its own
@pytest.mark.parametrize("name", HERE)
def test_an_installed_library_follows_a_convention(name):
    """Wherever it scores the plain inputs, by some convention; what its quirks say apart."""
    with pytest.MonkeyPatch.context() as patched:
        for more, adapter in MORE.items():
            patched.setitem(ADAPTERS, more, adapter)
        found = [v for v in verdicts(name).values() if v.verdict != REFUSES]
    assert found
    assert {(v.library, v.measure) for v in found if v.verdict == NONE} <= KNOWN


def test_a_library_is_found_however_its_name_is_written():
    """With whatever stands between its words; for another, the message says what to do."""
    assert adapter_of("scikit_learn") is adapter_of("Scikit-Learn") is ADAPTERS["scikit-learn"]
    with pytest.raises(InputError, match="'lightgbm' is not a library that can be run; give one"):
        adapter_of("lightgbm")
    with pytest.raises(InputError, match="conformance check"):
        run_library("nobody")


def test_lists_for_recommenders():
    """By falling score, equal ones as given; relevant from grade 1; what is not judged left out."""
    assert ranked({"a": 1.0, "b": 2.0, "c": 1.0}) == ["b", "a", "c"]
    assert relevant({"a": 0, "b": 1, "c": 2, "d": -1}) == ["b", "c"]
    run = {"1": {"a": 1.0}, "2": {"a": 1.0}, "3": {}}
    qrels = {"1": {"a": 1}, "3": {"a": 1}}
    assert by_query(run, qrels, lambda items, good: len(items) + len(good)) == {"1": 2.0}


def test_a_library_that_takes_all_as_relevant_is_given_the_relevant_alone():
    """Grades of 0 are left out; a query without a relevant document scores 0, and is not put."""
    seen = []

    def ask(metric, _, qrels):
        seen.append((metric, qrels))
        return Answer(mean=1.0)

    asked = relevant_alone(ask)
    assert asked("m", {"q": ["a"]}, {"q": {"a": 2, "b": 0}}).mean == 1
    assert asked("m", {"q": ["a"]}, {"q": {"a": 0}}).per_query == {"q": 0}
    assert asked("m", {}, {"q": {"a": 1}}).per_query == {}
    assert seen == [("m", {"q": {"a": 1}})]
    assert asked_as("recommenders", "AP", 3) == "map k=3"


def library(monkeypatch, name, measure, module="irmetrics_edu"):
    """A library of the test's own."""
    monkeypatch.setitem(ADAPTERS, name, Adapter(name, "irmetrics-edu", module, measure))


def test_whatever_a_library_raises_is_a_refusal(monkeypatch):
    """With the name of the error, unless it is a ValueError, which most libraries raise."""

    def odd(metric, *_):
        if metric == "AP":
            raise AssertionError("queries differ\nmore")
        if metric == "RR":
            raise ValueError("no")

    library(monkeypatch, "odd", odd)
    found = {v.measure: v for v in run_library("odd") if not v.topic}
    assert found["AP"].verdict == found["RR"].verdict == REFUSES
    assert found["AP"].convention == "AssertionError: queries differ"
    assert found["RR"].convention == "no"


def test_a_library_that_cannot_be_imported(monkeypatch, tmp_path, capsys):
    """Asked for by name it is an error; among all that are installed it is a note."""
    (tmp_path / "broken_library.py").write_text("raise RuntimeError('no numpy 2')")
    monkeypatch.syspath_prepend(tmp_path)
    for name in list(ADAPTERS):
        monkeypatch.delitem(ADAPTERS, name)

    def half(*_):
        raise ImportError("no module 'other'")

    library(monkeypatch, "half", half)
    with pytest.raises(InputError, match="can't be imported: no module 'other'"):
        run_library("half")
    monkeypatch.delitem(ADAPTERS, "half")
    library(monkeypatch, "broken", lambda *_: None, "broken_library")
    with pytest.raises(InputError, match="is installed and can't be imported: no numpy 2"):
        run_library("broken")
    assert main(["conformance", "run"]) == 0
    assert "can't be imported" in capsys.readouterr().err
    assert main(["conformance", "run", "broken"]) == 2


def test_a_metric_is_asked_by_the_name_that_the_bundle_has():
    """At the cut-off, by the first name; not by a name that means another measure."""
    assert asked_as("mlflow", "nDCG", 10) == "ndcg_at_k(k=10)"
    assert asked_as("lenskit", "P", None) == "Precision"
    assert asked_as("lenskit", "R", 3) == "Recall@3"  # which divides by min(k, R)
    assert asked_as("lenskit", "Success", 3) == "Hit@3"
    assert asked_as("lenskit", "RBP", None) is None  # of a persistence of its own
    assert asked_as("haystack", "AP", 3) is None


def test_every_name_that_is_asked_means_the_metric():
    """Read back by the bundle it is the metric at the cut-off."""
    for name, metric, k in [("sentence_transformers", "Success", 3), ("pyspark", "AP", None),
                            ("ignite", "nDCG", 10), ("surprise", "pair_accuracy", None),
                            ("deepeval", "AP", None), ("torch_rechub", "RR", 3)]:  # fmt: skip
        found, _ = BUNDLES[name].measure(asked_as(name, metric, k))
        assert (found.name, found.k) == (metric, k)


RUN, QRELS = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}, {"1": {"a": 1}, "2": {"a": 0}}


def hits(_, run, qrels):
    """A library of the test's own: a mean of hits, that it refuses where nothing is relevant."""
    if not any(g for judged in qrels.values() for g in judged.values()):
        raise ZeroDivisionError
    return Answer(sum(qrels[q].get(d, 0) for q in run for d, _ in scored(run[q])) / len(run))


def test_a_library_of_means_is_asked_query_by_query():
    """What it refuses alone is an error, left out, or asked beside another, as is said."""
    error = "ZeroDivisionError"

    def values(ask, run=RUN):
        return of_names("mlflow", ask)("P", 3, run, QRELS, {})

    with pytest.raises(ZeroDivisionError):
        values(hits)
    assert values(left_out(hits, error)) == {"1": 1.0}
    assert values(beside_another(hits, error)) == {"1": 1.0, "2": 0.0}
    for ask in (left_out(hits, "ValueError"), beside_another(hits, "ValueError")):
        with pytest.raises(ZeroDivisionError):
            values(ask)
    tied = {"1": {"a": 1.0, "b": 1.0}}
    with pytest.raises(ValueError, match="promises no order"):
        values(without_ties(left_out(hits, error)), tied)
    assert of_names("mlflow", hits, cuts=(5,))("P", 3, RUN, QRELS, {}) is None
    assert of_names("mlflow", hits)("AP", 3, RUN, QRELS, {}) is None


def test_a_value_passes_within_the_digits_that_a_library_prints():
    """Four of Torch-RecHub, five of MTEB."""
    assert ALL["Torch-RecHub"].within == pytest.approx(5e-5)
    assert ALL["MTEB"].within == ALL["MLflow"].within == 6e-6


def test_a_part_of_a_package_that_is_absent_is_not_installed():
    """Nor is what it would be a part of."""
    absent = Adapter("absent", "absent-part", "absent_package.part", lambda *_: None)
    assert "pip install absent-part" in absent.why_not
