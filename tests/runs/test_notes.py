"""Notes are values: of several runs they are put together by what they tell, not by their words."""

import random
import re

import pytest

from irmetrics_edu import compare, evaluate
from irmetrics_edu.runs.notes import AS_TREC_EVAL, Note, NoteKind
from irmetrics_edu.runs.significance import Swapping, Ways

COUNTED = [kind for kind in NoteKind if kind.is_counted]


def test_no_two_kinds_say_the_same():
    """Else the second would be another name of the first."""
    assert len(NoteKind.__members__) == len(list(NoteKind))
    assert set(AS_TREC_EVAL.values()) <= set(COUNTED)


@pytest.mark.parametrize("kind", list(NoteKind), ids=lambda kind: kind.name)
def test_every_kind_has_a_whole_sentence(kind):
    """The number comes first where there is one, and no field is left open."""
    note = Note(kind, 1200, measure="P@5", about="its order", library="ranx", among=2400)
    sentence = note.sentence()
    assert sentence.startswith("1,200 ") == kind.is_counted
    assert not re.search(r"\{\w+(:[^ }]*)?\}|None", sentence)
    assert (note.uncounted == note) == (not kind.is_counted)


@pytest.mark.parametrize(
    ("note", "sentence"),
    [
        (
            Note(NoteKind.NOT_JUDGED_LEFT_OUT, 1, queries=("q3",)),
            "1 query of the run is not judged and is left out: q3",
        ),
        (
            Note(NoteKind.MISSING_SCORE_ZERO, 7, queries=("a", "b", "c", "d", "e")),
            "7 judged queries are not in the run and score 0: a, b, c, d, e and 2 more",
        ),
        (
            Note(NoteKind.UNJUDGED, 1, among=2),
            "1 of 2 documents retrieved is not judged (50%)",
        ),
        (
            Note(NoteKind.UNJUDGED, 30, among=40, cutoff=10),
            "30 of 40 documents at ranks 1 to 10 are not judged (75%)",
        ),
        (
            Note(NoteKind.SKIPPED, 3, measure="P@5"),
            "P@5: 3 queries without a score are left out",
        ),
        (Note(NoteKind.OTHER_NAMES, about="columns {odd}"), "columns {odd}"),
    ],
)
def test_sentences(note, sentence):
    """As they stand below a table."""
    assert note.sentence() == sentence


def test_notes_of_several_runs_are_told_once_with_their_numbers():
    """Two and three of a thing are put together; one of it has words of its own."""
    qrels = {f"q{i}": {"a": 1} for i in range(8)}
    two = {q: {"a": 2.0, "b": 1.0, "c": 1.0} if q == "q1" else {"a": 1.0} for q in qrels}
    three = {
        q: {"a": 2.0, "b": 1.0, "c": 1.0, "d": 1.0} if q == "q1" else {"a": 1.0} for q in qrels
    }
    notes = compare({"two": two, "three": three}, qrels, "RR").notes()
    said = "documents share their score with another of the same query"
    assert notes[0].startswith(f"two 2, three 3: {said}")
    alike = compare({"one": two, "other": dict(two)}, qrels, "RR").notes()
    assert alike[0].startswith(f"2 {said}")


def test_a_note_that_begins_with_a_digit_keeps_it():
    """A name that begins with a number is no number of notes."""
    note = Note(NoteKind.OTHER_NAMES, about="3 columns of the run are read by other names")
    assert note.uncounted.sentence() == note.sentence()


def test_how_a_p_value_was_computed_is_a_value():
    """Its sentence has the number of ways; of several comparisons it is left out."""
    ways = Ways(Swapping.ALL, 256)
    assert str(ways) == "all 256 ways to swap"
    assert ways.of_any_number() == "all ways to swap"
    assert str(Ways(Swapping.DRAWN, 9999, 7)) == "9,999 resamples, seed 7"


@pytest.mark.parametrize(
    ("measures", "words"),
    [
        ("nDCG@2", "1 judged query is not in the run and scores 0: q2"),
        ("AUC(undefined=half)", "1 judged query is not in the run: its ranking is empty: q2"),
        ("nDCG@2 fall-out(collection=10)@1", "1 judged query is not in the run and scores 0: q2"),
        (
            "nDCG@2 accuracy(collection=10)@1",
            "1 judged query is not in the run: its ranking is empty: q2",
        ),
        (
            "nDCG@2 AUC(undefined=half)",
            "1 judged query is not in the run: its ranking is empty: q2",
        ),
    ],
)
def test_a_missing_query_is_said_to_score_0_only_where_it_does(measures, words):
    """By all measures of the table; the value of an empty ranking is the measure's."""
    run = {"q1": {"a": 2.0, "b": 1.0}}
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 0}}
    scores = evaluate(run, qrels, measures)
    assert [note for note in scores.notes() if "not in the run" in note] == [words]
    values = [scores.per_query[name]["q2"] for name in scores]
    assert all(value == 0 for value in values) == ("scores 0" in words)


@pytest.mark.parametrize(
    ("name", "highest"),
    [("nDCG", 1), ("AP", 1), ("R", 1), ("bpref", 1), ("DCG", None), ("P", None)],
)
@pytest.mark.parametrize("grade", ["0", "1", "3"])
def test_a_score_above_the_range_is_noted(name, highest, grade):
    """Over random runs: the note names the queries that score more than 1, and no others."""
    cut = "@3" if name in {"R", "P"} else ""
    measure = f"{name}(unjudged=grade({grade})){cut}"
    for seed in range(30):
        rng = random.Random(seed)
        run = {q: rng.sample("abcdef", 4) for q in ("q1", "q2", "q3")}
        qrels = {q: {d: rng.choice([0, 1, 3]) for d in rng.sample("abcdef", 3)} for q in run}
        scores = evaluate(run, qrels, measure)
        above = [q for q, score in scores.per_query[measure].items() if score > 1.000001]
        noted = [note for note in scores.noted() if note.kind is NoteKind.ABOVE_RANGE]
        if highest is None or not above:
            assert noted == []
        else:
            assert [note.queries for note in noted] == [tuple(above)]
