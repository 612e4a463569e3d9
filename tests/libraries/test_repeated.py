"""A document that a list holds twice: the library's value, or a note that it gives another."""

import json

import pytest

from irmetrics_edu import diagnose, evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from tests.libraries.replay import FILES, as_run, inputs, quirks_of, recorded, reproduces

QRELS = {"q": {"a": 1, "c": 1}}


# By hand, as sets and cut lists; MLflow's value is one of its own tests.
@pytest.mark.parametrize(
    ("library", "ranking", "measure", "value"),
    [
        ("llama_index", "aab", "P", 1 / 2),
        ("llama_index", "aab", "R", 1 / 2),
        ("mlflow", "aaa", "R@4", 1 / 2),
        ("RePlay", "aab", "P@3", 1 / 3),
        ("RePlay", "aab", "R@3", 1 / 2),
        ("haystack", "aac", "AP", (1 + 2 / 3) / 2),
        ("recmetrics", "aac", "AP@3", (1 + 2 / 3) / 2),
        ("trulens", "aac", "R@2", 1 / 2),
    ],
)
def test_what_a_library_gives_for_repeated_ids(library, ranking, measure, value):
    """By our name and under the library's conventions; and a note says what a copy is worth."""
    e = evaluate({"q": list(ranking)}, QRELS, measure, library)
    assert e.per_query[measure]["q"] == pytest.approx(value)
    assert e.counts.duplicates == len(ranking) - len(set(ranking))
    assert any("of a repeated document" in note for note in e.notes())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_recorded_value_of_a_repeated_document_is_another_without_a_note(path):
    """Every row of every library: reproduced, refused, or told by the evaluation itself."""
    given = inputs()["duplicates"]
    run = as_run(given["run"])
    for metric, probe, value in recorded(path)["rows"]:
        if probe != "duplicates" or reproduces(path.stem, metric, given, value):
            continue
        measure, by = BUNDLES[path.stem].measure(metric)
        try:
            e = evaluate(run, given["qrels"], measure, by)
        except InputError:
            continue
        said = [quirk.says for quirk in quirks_of(by, metric, probe)]
        assert said, (metric, value)
        assert any(text in note for note in e.notes() for text in said), (metric, value)


@pytest.mark.parametrize("library", [name for name in BUNDLES if name != "irmetrics_edu"])
def test_no_value_above_1_without_a_word(library):
    """Whatever a library does: refused, or a note stands beside a recall of 1.5."""
    for measure in ("R@4", "P@4", "AP@4", "nDCG@4"):
        try:
            e = evaluate({"q": list("aaac")}, QRELS, measure, library)
        except InputError:
            continue
        assert any("repeated document" in note for note in e.notes()), measure


def test_copies_keep_their_ranks_and_gain_nothing():
    """For text and numbers, in lists and in files; `first` moves the others up."""
    qrels = {"1": 1, "2": 1}
    for name, value in (("no_gain", 5 / 6), ("first", 1.0), ("each", 1.5)):
        for run, judged in ((["1", "1", "2"], qrels), ([1, 1, 2], {1: 1, 2: 1})):
            found = evaluate({"q": run}, {"q": judged}, "AP@3", duplicates=name).mean["AP@3"]
            assert found == pytest.approx(value)
    found = diagnose("AP@3", ["1", "1", "2"], qrels, value="0.8333")
    assert 'duplicates="no_gain"' in str(found)


def test_a_file_with_repeated_lines(tmp_path):
    """The same, read by parts."""
    path = tmp_path / "run.txt"
    path.write_text("q Q0 1 1 3 t\nq Q0 1 2 2 t\nq Q0 2 3 1 t\n")
    e = evaluate(path, {"q": {"1": 1, "2": 1}}, "AP@3", duplicates="no_gain")
    assert e.mean["AP@3"] == pytest.approx(5 / 6)
    assert e.counts.duplicates == 1
    assert json.dumps(e.facts()["counts"]["duplicates"]) == "1"
