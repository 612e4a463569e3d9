"""Agreement of several judges: printed values, plain loops, and what intervals are."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irmetrics_edu import kendall_tau
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging import agreement, judges
from irmetrics_edu.judging.agreement import KINDS, tau
from irmetrics_edu.judging.bootstrap import estimates

# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C: four observers, twelve
# units, a dot where an observer gave no value.
OBSERVERS = {
    "A": "1 2 3 3 2 1 4 1 2 . . .",
    "B": "1 2 3 3 2 2 4 1 2 5 . 3",
    "C": ". 3 3 3 2 3 4 2 2 5 1 .",
    "D": "1 2 3 3 2 4 4 1 2 5 1 .",
}
# Fleiss (1971), table 1: 30 patients (lines), six psychiatrists, five diagnoses (columns).
PSYCHIATRISTS = """
    0 0 0 6 0, 0 3 0 0 3, 0 1 4 0 1, 0 0 0 0 6, 0 3 0 3 0, 2 0 4 0 0, 0 0 4 0 2, 2 0 3 1 0,
    2 0 0 4 0, 0 0 0 0 6, 1 0 0 5 0, 1 1 0 4 0, 0 3 3 0 0, 1 0 0 5 0, 0 2 0 3 1, 0 0 5 0 1,
    3 0 0 1 2, 5 1 0 0 0, 0 2 0 4 0, 1 0 2 0 3, 0 0 0 0 6, 0 1 0 5 0, 0 2 0 1 3, 2 0 0 4 0,
    1 0 0 4 1, 0 5 0 1 0, 4 0 0 0 2, 0 2 0 4 0, 1 0 5 0 0, 0 0 0 0 6
"""
# Wikipedia, Fleiss' kappa, worked example: ten subjects, 14 raters, five categories.
RATERS = """
    0 0 0 0 14, 0 2 6 4 2, 0 0 3 5 6, 0 3 9 2 0, 2 2 8 1 1, 7 7 0 0 0, 3 2 6 3 0, 2 5 3 2 2,
    6 5 2 1 0, 0 2 2 3 7
"""


def from_rows(rows):
    """Judges whose labels of one query are rows of grades; None or a dot where there is none."""
    return judges(
        {
            name: {"q": {f"d{i}": float(g) for i, g in enumerate(row) if g not in (None, ".")}}
            for name, row in rows.items()
        }
    )


def from_counts(text):
    """Judges who gave grades as often as the counts say; which judge gave which makes no odds."""
    lines = [[int(n) for n in line.split()] for line in text.split(",")]
    units = [[g for g, n in enumerate(line) for _ in range(n)] for line in lines]
    return from_rows({f"r{i}": row for i, row in enumerate(zip(*units, strict=True))})


@pytest.mark.parametrize(
    ("kind", "printed"), [("nominal", "0.743"), ("ordinal", "0.815"), ("interval", "0.849")]
)
def test_alpha_as_krippendorff_prints_it(kind, printed):
    """With values that are missing; unit 12, which one observer alone judged, is left out."""
    found = from_rows({name: row.split() for name, row in OBSERVERS.items()})
    assert f"{float(alpha(found, kind).value):.3f}" == printed
    assert (len(found.pairs), sum(found.only)) == (11, 1)


@pytest.mark.parametrize(
    ("counts", "printed"), [(PSYCHIATRISTS, "0.430"), (RATERS, "0.210")], ids=["1971", "Wikipedia"]
)
def test_kappa_as_printed_of_fleiss(counts, printed):
    """The example of the paper, and that of Wikipedia."""
    value = from_counts(counts).coefficients["Fleiss' kappa"].value
    assert f"{float(value):.3f}" == printed


def alpha(found, kind="nominal"):
    """Krippendorff's alpha of the judges."""
    return found.coefficients[f"Krippendorff's alpha, {kind}"]


def plain_alpha(rows, kind):
    """Over every ordered pair of values of a unit, and of all units, one by one."""
    units = [[g for g in unit if g is not None] for unit in zip(*rows, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    values = sorted(g for unit in units for g in unit)

    def apart(a, b):
        if kind == "nominal":
            return float(a != b)
        if kind == "interval":
            return (a - b) ** 2
        low, high = min(a, b), max(a, b)
        between = sum(low <= g <= high for g in values)
        return (between - (values.count(a) + values.count(b)) / 2) ** 2

    observed = sum(
        apart(a, b) / (len(unit) - 1)
        for unit in units
        for i, a in enumerate(unit)
        for j, b in enumerate(unit)
        if i != j
    ) / len(values)
    n = len(values)
    expected = sum(apart(a, b) for a in values for b in values) / (n * (n - 1))
    return 1 - observed / expected if expected else None


def plain_fleiss(units):
    """The share of pairs of judges who agree, unit by unit, against chance."""
    m = len(units[0])
    agree = [sum(a == b for a, b in combinations(unit, 2)) / math.comb(m, 2) for unit in units]
    grades = [g for unit in units for g in unit]
    chance = sum((grades.count(g) / len(grades)) ** 2 for g in set(grades))
    return (sum(agree) / len(agree) - chance) / (1 - chance) if chance < 1 else None


ROWS = st.integers(2, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from([None, 0, 1, 2.5, 4]), min_size=6, max_size=6),
        min_size=n,
        max_size=n,
    )
)


@settings(max_examples=15)
@given(ROWS)
def test_coefficients_are_those_of_plain_loops(rows):
    """With values missing anywhere."""
    together = list(zip(*rows, strict=True))
    if not any(len(unit) - unit.count(None) > 1 for unit in together):
        return
    if any(row.count(None) == len(row) for row in rows):
        return
    found = from_rows({str(i): row for i, row in enumerate(rows)})
    for kind in KINDS:
        value = alpha(found, kind).value
        expected = plain_alpha(rows, kind)
        assert (value is None) == (expected is None)
        assert value is None or float(value) == pytest.approx(expected, abs=1e-12)
    whole = [unit for unit in together if None not in unit]
    expected = plain_fleiss(whole) if whole else None
    value = found.coefficients["Fleiss' kappa"].value
    assert (value is None) == (expected is None)
    assert value is None or float(value) == pytest.approx(expected, abs=1e-12)


def test_an_interval_is_what_drawing_again_gives():
    """Of a mean it is the normal one, nearly; it is the same each time; of equal lines a point."""

    def mean(counts):
        return estimates({"mean": (counts, lambda s: Fraction(s[0], s[1]))})["mean"]

    rng = np.random.default_rng(0)
    counts = np.column_stack([rng.integers(0, 10, 400), np.ones(400, dtype=int)])
    found = mean(counts)
    half = 1.96 * counts[:, 0].std() / 20
    assert float(found.low) == pytest.approx(found.value - half, abs=0.06)
    assert float(found.high) == pytest.approx(found.value + half, abs=0.06)
    assert found == mean(counts)
    assert mean(np.ones((3, 2), dtype=int)).low == 1


def test_an_interval_leaves_out_draws_without_a_value():
    """One pair of three differs: where it is not drawn, all grades are the same."""
    found = alpha(from_rows({"A": [1, 1, 0], "B": [1, 1, 1]}))
    assert found.low is not None
    assert alpha(from_rows({"A": [1, 1], "B": [1, 1]})).cells == ["undefined"] * 3


def test_harsh_and_lenient_by_hand():
    """Ann is one below the mean of the others on each pair, Cat is above; of Ben it is open."""
    found = from_rows({"Ann": [0, 0, 1, 1], "Ben": [1, 0, 2, 1], "Cat": [1, 2, 2, 3]})
    ann, ben, cat = found.severities.values()
    assert (ann.pairs, ann.mean, ann.others) == (4, Fraction(1, 2), Fraction(3, 2))
    assert (ann.above.value, ann.above.low, ann.above.high) == (-1, -1, -1)
    assert [judge.word for judge in (ann, ben, cat)] == ["harsh", "", "lenient"]
    assert cat.above.value == 2 - Fraction(3, 4)


@settings(max_examples=30)
@given(st.integers(0, 1000))
def test_tau_is_kendalls(seed):
    """Of the means, with ties; each end of the interval is a value that tau can have."""
    scores = np.random.default_rng(seed).integers(0, 3, (5, 3, 4)) / 2
    found = tau(scores, [0], [1, 2])
    sides = scores.mean(axis=0)[0], scores.mean(axis=0)[1:].mean(axis=0)
    if all(len(set(side.round(9).tolist())) > 1 for side in sides):
        named = [{str(i): x for i, x in enumerate(side.round(9).tolist())} for side in sides]
        assert found.value == pytest.approx(kendall_tau(*named))
    else:
        assert found.value is None
    assert found.low is None or -1 <= found.low <= found.high <= 1


def test_two_judges_have_the_coefficients_of_both():
    """Fleiss' kappa of two is Scott's pi; alpha comes near it with the number of pairs."""
    both = judges(
        {
            "A": {"q": {f"d{i}": int(i < 50) for i in range(100)}},
            "B": {"q": {f"d{i}": int(10 <= i < 60) for i in range(100)}},
        }
    )
    assert both.coefficients["Cohen's kappa"].value == both.kappa == Fraction(3, 5)
    assert both.coefficients["Fleiss' kappa"].value == Fraction(3, 5)
    assert float(alpha(both).value) == pytest.approx(0.602)
    low, high = (float(getattr(both.coefficients["raw agreement"], n)) for n in ("low", "high"))
    assert 0.7 < low < 0.8 < high < 0.9


def test_a_judge_may_be_called_as_a_coefficient():
    """Its severity is its own."""
    found = from_rows({"Fleiss' kappa": [0, 0, 1], "B": [1, 1, 1]})
    assert found.severities["Fleiss' kappa"].above.value == -Fraction(2, 3)
    assert len(found.coefficients) == 7


def test_what_can_not_be_compared_is_refused():
    """One source, no pair in common, and runs where no pair is judged by all."""
    with pytest.raises(InputError, match="1 source is given; agreement takes at least two"):
        judges({"a": {"q": {"d": 1}}})
    with pytest.raises(InputError, match=r"judged by two of a \(1 pairs\), b"):
        judges({"a": {"q": {"d": 1}}, "b": {"q": {"e": 1}}})
    apart = from_rows({"A": [1, None], "B": [1, 0], "C": [None, 0]})
    with pytest.raises(InputError, match="no pair is judged by all sources"):
        apart.under({"r": {"q": ["d0"]}}, "RR")
    assert apart.coefficients["Fleiss' kappa"].value is None
    # without runs nothing is refused
    assert [table.header[0] for table in apart.tables()] == ["agreement", "judge"]
    assert "Fleiss' kappa takes the pairs that all sources judged: 0" in apart.notes
    two = {q: {"d": 1, "e": 1 if q == "p" else 0} for q in "pq"}
    run = {q: ["x", "e", "d"] for q in "pq"}
    with pytest.raises(InputError, match="GMAP is not the mean of the queries' scores, so the ord"):
        judges({"A": two, "B": two}).under({"r": run, "s": run}, "GMAP")
    alone = from_rows({"A": [1, None], "B": [1, None], "C": [None, 0]})
    with pytest.raises(InputError, match="no pair that C judged is judged by another"):
        alone.severities  # noqa: B018


def test_the_command_takes_any_number_of_sources(tmp_path, capsys, monkeypatch):
    """Coefficients, judges, pairs, and the order of runs by each judge."""
    monkeypatch.chdir(tmp_path)
    for name, grades in (("a", "210"), ("b", "211"), ("c", "320")):
        rows = "".join(f"q,d{i},{g}\n" for i, g in enumerate(grades))
        (tmp_path / f"{name}.csv").write_text("query,document,grade\n" + rows, encoding="utf-8")
    (tmp_path / "one.run").write_text("q Q0 d0 1 2 r\nq Q0 d1 2 1 r\n", encoding="utf-8")
    (tmp_path / "two.run").write_text("q Q0 d1 1 2 r\nq Q0 d0 2 1 r\n", encoding="utf-8")
    call = ["judgments", "agreement", "a.csv", "b.csv", "c.csv", "--run", "one.run", "two.run"]
    assert main(call) == 0
    shown = capsys.readouterr().out
    assert "a.csv, b.csv, c.csv: 3 pairs judged by two or more" in shown
    assert "pairs that differ most, 3 of 3" in shown
    assert "c.csv against the others  1.0000  1.0000  1.0000" in shown
    assert "Fleiss' kappa" in shown


@pytest.mark.parametrize("most", [35, 36])
def test_more_grades_than_tables_hold_are_refused(monkeypatch, most):
    """Four pairs in three grades have 36 cells; the message says how many grades may be."""
    monkeypatch.setattr(agreement, "MOST_CELLS", most)
    pairs = [("q", f"d{number}") for number in range(4)]
    judged = agreement.Agreement(("Ann", "Ben"), pairs, ((0, 1), (1, 2), (2, 2), (0, 0)))
    if most == 36:
        assert judged.coefficients
        return
    with pytest.raises(InputError, match=r"4 pairs got 3 different grades; .* at most 2: round"):
        _ = judged.coefficients
