"""Agreement of two sources: textbook numbers by hand, scikit-learn as second oracle."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging import judges


def agreement(first, second):
    """The two as judges."""
    return judges({"Anna": first, "model": second})


def judged(grades):
    """Judgments of one query: a document for each grade."""
    return {"q": {f"d{i}": grade for i, grade in enumerate(grades)}}


def from_table(table):
    """Two judgments whose grades are counted by the table."""
    pairs = [(i, j) for i, line in enumerate(table) for j, n in enumerate(line) for _ in range(n)]
    return tuple(judged(side) for side in zip(*pairs, strict=True))


def test_two_readers_of_fifty_proposals():
    """By hand: 35 of 50 agree; chance is 25/50 * 20/50 + 25/50 * 30/50 = 1/2; so 0.2 / 0.5."""
    both = agreement(*from_table([[15, 10], [5, 20]]))
    assert both.table == [[15, 10], [5, 20]]
    assert both.raw == Fraction(7, 10)
    assert both.kappa == both.weighted_kappa == Fraction(2, 5)
    # Twice the 20 both called relevant, over 30 and 25 uses of the grade; 30 over 20 and 25.
    assert both.by_grade == {0: Fraction(30, 45), 1: Fraction(40, 55)}
    assert (both.only, len(both.pairs), len(both.differing())) == ((0, 0), 50, 15)


def test_quadratic_weights_by_hand():
    """Lines are (2, 1, 1) and columns (1, 2, 1); one pair is apart, by 1, so its square is 1.

    Expected: 1 * (2*2 + 1*1 + 1*1 + 1*2) / 4 + 4 * (2*1 + 1*1) / 4 = 2 + 3 = 5. So 1 - 1/5.
    """
    both = agreement(*from_table([[1, 1, 0], [0, 1, 0], [0, 0, 1]]))
    assert both.weighted_kappa == Fraction(4, 5)
    # Three of four agree; chance is (2*1 + 1*2 + 1*1) / 16 = 5/16; so (12 - 5) / (16 - 5).
    assert both.kappa == Fraction(7, 11)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1))
def test_as_scikit_learn(pairs):
    """Both kappas, where they are defined; scikit-learn says NaN elsewhere, we say None."""
    first, second = zip(*pairs, strict=True)
    both = agreement(judged(first), judged(second))
    same_grade = len(set(first) | set(second)) == 1
    assert (both.kappa is None) == (both.weighted_kappa is None) == same_grade
    if same_grade:
        return
    assert float(both.kappa) == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
    expected = cohen_kappa_score(first, second, labels=[0, 1, 2, 3], weights="quadratic")
    assert float(both.weighted_kappa) == pytest.approx(expected, abs=1e-12)


def test_the_distance_is_that_of_the_grades_not_of_their_places():
    """Grades 0, 1 and 10: a miss from 0 to 10 weighs 100, not 4."""
    far = agreement(judged([0, 1, 10, 0]), judged([0, 1, 10, 10]))
    near = agreement(judged([0, 1, 2, 0]), judged([0, 1, 2, 2]))
    assert far.weighted_kappa != near.weighted_kappa
    assert far.kappa == near.kappa


def test_an_undefined_kappa_is_said():
    """One grade alone: they agree on everything, and chance alone explains it."""
    both = agreement(judged([1, 1]), judged([1, 1]))
    assert both.raw == 1
    assert both.kappa is None
    assert both.weighted_kappa is None
    assert "kappa is undefined: both sources gave all pairs grade 1" in both.notes[0]
    text = both.tables()[0].text()
    assert "Cohen's kappa                   undefined  undefined  undefined" in text
    assert "nan" not in text.lower()
    told = {name: one.value for name, one in both.coefficients.items()}
    assert told.pop("raw agreement") == 1
    assert {*told.values()} == {None}


def test_pairs_of_one_source_alone_are_counted():
    """And nothing in common is refused."""
    a = {"q": {"x": 1, "y": 0, "z": 2}, "p": {"x": 1}}
    b = {"q": {"x": 0, "y": 0, "u": 1, "z": 0}}
    both = agreement(a, b)
    assert both.only == (1, 1)
    assert both.notes[:2] == [
        "pairs that only Anna judged, left out: 1",
        "pairs that only model judged, left out: 1",
    ]
    assert both.differing() == [(("q", "z"), (2, 0)), (("q", "x"), (1, 0))]
    with pytest.raises(InputError, match="no pair of query and document is judged by two"):
        agreement(a, {"r": {"x": 1}})


def test_overlap_is_a_mean_over_the_queries_with_something_relevant():
    """By hand: 1 of 3 and 1 of 1 with grade 1; from grade 2 on, 0 of 1; z has nothing relevant."""
    first = {"x": {"a": 1, "b": 2, "c": 0}, "y": {"a": 1}, "z": {"a": 0}}
    second = {"x": {"a": 1, "b": 0, "c": 1}, "y": {"a": 1, "only": 1}, "z": {"a": 0}}
    for both in (agreement(first, second), agreement(second, first)):
        assert both.overlap() == Fraction(2, 3)
        assert both.overlap(rel=2) == 0
        assert both.overlap(rel=3) is None


def test_a_run_is_scored_on_what_both_judged():
    """RR by hand: x is relevant to the first alone, y to both; u, of the second alone, is out."""
    both = agreement({"q": {"x": 1, "y": 1}}, {"q": {"x": 0, "y": 1, "u": 1}})
    run = {"q": ["u", "x", "y"]}
    means, scores = both.under({"a": run, "b": run}, "RR")["RR"]
    assert means == [[1 / 2] * 2, [1 / 3] * 2]
    assert scores.tolist() == [means]


def test_the_command(tmp_path, capsys, monkeypatch):
    """Two files, or the sources of one, by name or all; what does not go together."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both.csv").write_text(
        "query,document,grade,source,judge\nq,a,1,person,Anna\nq,b,0,person,Anna\n"
        "q,a,1,model,\nq,b,1,model,\n"
    )
    (tmp_path / "a.run").write_text("q Q0 b 1 2.0 a\nq Q0 a 2 1.0 a\n")
    start = "judgments agreement both.csv --sources person:Anna model"
    assert main([*start.split(), "--run", "a.run", "-m", "RR"]) == 0
    shown = capsys.readouterr().out
    assert "person:Anna and model: 2 pairs judged by both" in shown
    assert "raw agreement                    0.5000" in shown
    assert "Cohen's kappa                    0.0000" in shown
    assert "mean RR by each judge" in shown
    assert "person:Anna  0.5000" in shown
    assert main([*start.replace("person:Anna", "Anna").split()]) == 0
    of_anna = capsys.readouterr().out
    assert "Anna and model: 2 pairs judged by both" in of_anna
    labels = (tmp_path / "both.csv").read_text()
    (tmp_path / "all.csv").write_text(labels.replace("judge", "annotator").replace("person", ""))
    assert main(["judgments", "agreement", "all.csv"]) == 0  # all that the file has
    assert capsys.readouterr().out == of_anna
    (tmp_path / "one.csv").write_text("".join(labels.splitlines(keepends=True)[:3]))
    for wrong, said in (
        ("judgments agreement one.csv", "one.csv: all labels are of person:Anna; give files of"),
        ("judgments agreement both.csv both.csv", "a file of judgments is given twice"),
        ("judgments agreement both.csv both.csv --sources a b", "give one"),
        ("judgments agreement both.csv --sources person", "1 source is given"),
        (f"{start} -m RR", "-m goes with --run"),
        ("judgments agreement both.csv --sources person rule", "no label is of 'rule'"),
    ):
        assert main(wrong.split()) == 2
        assert said in capsys.readouterr().err
