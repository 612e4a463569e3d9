"""What a measure takes for relevant, and for the top of the scale, is told where nobody said it."""

from itertools import product

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.runs.notes import NoteKind

TAKES_3 = "ERR(max_grade=3)@2 takes 3"
GRADES = list(product((None, 0, 1, 2, 4), repeat=2))


def told(kind: NoteKind, grades: tuple[int | None, ...], *measures: str) -> list[str]:
    """The measures that a note of this kind names, over a run of one query."""
    judged = {f"d{i}": grade for i, grade in enumerate(grades) if grade is not None}
    scores = evaluate({"q": ["d0", "d1"]}, {"q": judged | {"other": 0}}, " ".join(measures))
    return [note.measure for note in scores.noted() if note.kind is kind]


@pytest.mark.parametrize("grades", GRADES, ids=str)
def test_grade_1_is_told_where_a_higher_grade_is_there_too(grades: tuple[int | None, ...]) -> None:
    """Not where all relevant documents have one grade, nor where the measure says `rel`."""
    relevant = {grade for grade in grades if grade}
    expected = ["P@2, RR"] if len(relevant) > 1 else []
    assert told(NoteKind.ALL_GRADES_RELEVANT, grades, "P@2", "RR", "nDCG", "AP(rel=2)") == expected


@pytest.mark.parametrize("grades", GRADES, ids=str)
def test_the_top_of_the_scale_is_told_where_no_grade_reaches_it(
    grades: tuple[int | None, ...],
) -> None:
    """Not where a document has the top grade, nor where the measure says `max_grade`."""
    highest = max(grade or 0 for grade in grades)
    expected = ["ERR@2, PFound"] if 0 < highest < 4 else []
    measures = ("ERR@2", "ERR(max_grade=5)@2", "PFound", "nDCG")
    assert told(NoteKind.TOP_ASSUMED, grades, *measures) == expected


def test_the_notes_name_a_measure_that_says_otherwise() -> None:
    """What the note offers can be copied, and is another score."""
    run = {"q": ["a", "b"]}
    judged = {"q": {"a": 1, "b": 3}}
    notes = evaluate(run, judged, "P@2 ERR@2").notes()
    assert notes == (
        "P@2: grades from 1 on count as relevant, of grades up to 3; P(rel=3)@2 counts from 3 on",
        "ERR@2: the top of the scale is taken as 4, and grades go up to 3; " + TAKES_3,
    )
    assert evaluate(run, judged, "P(rel=3)@2 ERR(max_grade=3)@2").notes() == ()
