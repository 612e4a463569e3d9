"""Every run against every other: Tukey's test, letters, tiers, and how papers print them."""

import itertools
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import InputError, compare, evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.runs.all_pairs import AllPairs, PairOfRuns
from irmetrics_edu.runs.significance import tukey

LEVEL = 0.05


def exact_tukey(scores: list[list[float]], one: int, other: int) -> float:
    """The share of all ways to deal each query's scores whose range is as large, by plain loops."""
    runs = range(len(scores[0]))

    def mean(table: Any, run: int) -> float:
        return sum(row[run] for row in table) / len(table)

    gap = abs(mean(scores, one) - mean(scores, other))
    as_large = ways = 0
    for table in itertools.product(*(itertools.permutations(row) for row in scores)):
        means = [mean(table, run) for run in runs]
        as_large += max(means) - min(means) >= gap - 1e-9
        ways += 1
    return as_large / ways


def test_tukey_draws_what_all_ways_give() -> None:
    """Against the count of all 6^4 ways, within three standard errors of the draw."""
    chance = random.Random(3)
    scores = [[chance.random(), chance.random(), 1 + chance.random()] for _ in range(4)]
    p, how = tukey(np.array(scores), seed=1)
    assert how == "Tukey's HSD by randomisation (9,999 resamples, seed 1)"
    for one, other in itertools.combinations(range(3), 2):
        exact = exact_tukey(scores, one, other)
        assert abs(p[one, other] - exact) < 3 * (exact * (1 - exact) / 10_000) ** 0.5 + 1e-4
    assert (p == p.T).all()
    assert (np.diag(p) == 1).all()


def test_tukey_is_the_same_in_any_order_of_magnitude_and_for_equal_runs() -> None:
    """Scaling by a power of two changes nothing; runs that differ by rounding do not differ."""
    rng = np.random.default_rng(0)
    scores = rng.random((30, 4))
    scores[:, 1] = scores[:, 0] + 1e-16
    p, _ = tukey(scores)
    assert (tukey(scores * 2.0**-40)[0] == p).all()
    assert p[0, 1] == 1


def made(means: dict[str, float], apart: set[frozenset[str]]) -> AllPairs:
    """A result in which these pairs differ."""
    pairs = [
        PairOfRuns("M", one, other, 0.0, 0.0, p := 0.001 if {one, other} in apart else 0.5, p)
        for one, other in itertools.combinations(means, 2)
    ]
    return AllPairs({"M": means}, pairs, LEVEL, "a test", "", ())


@given(st.data())
def test_runs_share_a_letter_if_and_only_if_they_do_not_differ(data: st.DataObject) -> None:
    """Whatever differs: also where that is not transitive."""
    runs = [f"r{i}" for i in range(data.draw(st.integers(1, 6)))]
    each = [frozenset(pair) for pair in itertools.combinations(runs, 2)]
    apart = {pair for pair in each if data.draw(st.booleans())}
    found = made({run: 1.0 - i / 10 for i, run in enumerate(runs)}, apart)
    letters = found.letters("M")
    assert all(letters.values())
    for one, other in itertools.combinations(runs, 2):
        assert bool(set(letters[one]) & set(letters[other])) == ({one, other} not in apart)
    assert letters[runs[0]].startswith("a")
    tiers = found.tiers()
    assert list(itertools.chain(*tiers)) == runs  # no run stands above one of a higher tier
    for tier in tiers:
        assert not any(found.differ("M", tier[0], run) for run in tier[1:])
    for above, tier in itertools.pairwise(tiers):
        assert found.differ("M", above[0], tier[0])


def test_letters_of_a_worked_example() -> None:
    """A and b, b and c can't be told apart, a and c can: a, ab, b."""
    found = made({"x": 0.9, "y": 0.8, "z": 0.7}, {frozenset("xz")})
    assert found.letters("M") == {"x": "a", "y": "ab", "z": "b"}
    assert found.tiers("M") == [["x", "y"], ["z"]]


def test_more_than_26_groups_have_letters_that_can_be_told_apart() -> None:
    """After z come (aa), (ab) ..."""
    runs = [f"r{i:02}" for i in range(28)]
    every = {frozenset(pair) for pair in itertools.combinations(runs, 2)}
    letters = made({run: -float(i) for i, run in enumerate(runs)}, every).letters("M")
    assert [letters[run] for run in runs[24:]] == ["y", "z", "(aa)", "(ab)"]


QRELS = {f"q{i}": {"d": 1} for i in range(24)}
BEST = {q: ["d", "x", "y"] for q in QRELS}
SECOND = {q: ["x", "d", "y"] if q != "q0" else ["d"] for q in QRELS}
LAST = {q: ["x", "y"] for q in QRELS}
RUNS = {"last": LAST, "second": SECOND, "best": BEST, "same_as_best": BEST}


@pytest.mark.parametrize("correction", ["holm", "tukey"])
def test_a_table_of_a_paper(correction: str) -> None:
    """Best first, in bold, and what differs under other letters; in each format."""
    found = compare(RUNS, QRELS, "RR").all_pairs(correction)
    assert found.runs == ["best", "same_as_best", "second", "last"]
    assert [line[0] for line in found.table().lines] == [1, 1, 2, 3]
    assert found.text().splitlines()[1:4] == [
        "tier  run                 RR",
        "   1  best          1.0000 a",
        "   1  same_as_best  1.0000 a",
    ]
    assert "| 1 | same_as_best | **1.0000**<sup>a</sup> |" in found.markdown()
    assert r"2 & second & 0.5208\textsuperscript{b} \\" in found.latex()
    assert r"\textbf{1.0000}\textsuperscript{a}" in found.latex()
    for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
        assert found.latex().count(rule) == 1
    notes = found.table().notes
    for line in found.latex().splitlines()[-len(notes) :]:  # the size of what follows stays
        assert line.startswith(r"\par{\footnotesize ")
        assert line.endswith(r"\par}")
    assert notes[0].startswith("runs that share a letter can't be told apart: p >= 0.05, ")
    assert "<td><b>1.0000</b><sup>a</sup></td>" in found.html()


def test_effect_sizes_stand_beside_p() -> None:
    """Each pair once, with its difference, d_z and both p."""
    found = compare(RUNS, QRELS, "RR").all_pairs("holm")
    assert len(found.pairs) == 6
    pair = next(p for p in found.pairs if (p.run, p.other) == ("best", "second"))
    d = [0.0] + [0.5] * 23
    mean = sum(d) / 24
    sd = (sum((x - mean) ** 2 for x in d) / 23) ** 0.5
    assert pair.difference == pytest.approx(mean)
    assert pair.effect == pytest.approx(mean / sd)
    assert pair.p == 1 / 10_000  # no resample differs as much
    assert pair.corrected == pytest.approx(6 * pair.p)  # the least p of six
    assert found.details().header[-3:] == ("d_z", "p", "p corrected")
    assert compare(RUNS, QRELS, "RR", test="t").all_pairs().details().cells()[1][-1] == "<0.0001"
    with pytest.raises(
        InputError, match="correction='bonferroni' is not known; use one of holm, tu"
    ):
        compare(RUNS, QRELS, "RR").all_pairs("bonferroni")


def test_notes_are_said_once_for_all_runs() -> None:
    """A line for what all runs share, and one line with the number of each run."""
    qrels = {**QRELS, "gone": {"d": 1}}
    notes = compare(RUNS, qrels, "RR@2").notes()
    said = "documents at ranks 1 to 2 that are not judged: "
    assert notes == (
        "1 judged query is not in the run and scores 0: gone",
        said + "last 100%, second 49%, best 50%, same_as_best 50%",
    )
    many = {f"r{i}": LAST if i else BEST for i in range(6)}
    assert compare(many, QRELS, "RR@2").notes() == (said + "from 50% (r0) to 100% (r1)",)


def test_held_out_items_are_not_said_to_leave_others_unjudged() -> None:
    """Only what is relevant is given, as sets or rows; nobody judges the rest."""
    relevant = {q: {"d"} for q in QRELS}
    note = "only relevant documents are given, so all others count as not relevant"
    assert compare(RUNS, relevant, "RR@2").notes() == (note,)
    recommended = np.array([[1, 2], [3, 4]])
    assert evaluate(recommended, [[1], [5]], "P@2").notes() == (note,)


def test_the_command(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """--all-pairs with either correction, and --details with every digit as CSV."""
    (tmp_path / "q").write_text("".join(f"{q} 0 d 1\n" for q in QRELS))
    files = [str(tmp_path / "q")]
    for name, run in RUNS.items():
        lines = [f"{q} Q0 {d} 1 {-i} t\n" for q, docs in run.items() for i, d in enumerate(docs)]
        (tmp_path / name).write_text("".join(lines))
        files.append(str(tmp_path / name))
    assert main(["compare", *files, "-m", "RR", "--all-pairs", "tukey"]) == 0
    assert "   2  second        0.5208 b" in capsys.readouterr().out
    assert main(["compare", *files, "-m", "RR", "--all-pairs", "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("measure,run,other,difference,d_z,p,p corrected\n")
    assert main(["compare", *files, "-m", "RR", "--all-pairs", "--moves", "q1"]) == 2
