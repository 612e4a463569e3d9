"""Comparisons: tests against known values and other formulas, moves that sum to the change."""

import json
import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irmetrics_edu import InputError, compare, evaluate, precision
from irmetrics_edu.reading import files
from irmetrics_edu.runs.joining import judgments
from irmetrics_edu.runs.significance import (
    below,
    holm,
    minimum_detectable,
    paired_difference,
    paired_t,
    randomisation,
    sign,
    wilcoxon,
)


def runs(seed: int = 0, n: int = 12) -> tuple[dict[str, Any], dict[str, Any]]:
    """Judgments and two noisy runs over them."""
    rng = random.Random(seed)
    qrels = {
        f"q{i}": {f"d{j}": rng.choice([0, 0, 1, 2]) for j in range(12)} | {"top": 1}
        for i in range(n)
    }

    def noisy(noise: float) -> dict[str, dict[str, float]]:
        return {
            q: {d: g + rng.gauss(0, noise) for d, g in judged.items()} | {"unjudged": 1.0}
            for q, judged in qrels.items()
        }

    return {"old": noisy(3), "new": noisy(1)}, qrels


def test_differences_are_those_of_the_scores() -> None:
    """Per query, a difference is the score of the run less that of the baseline."""
    systems, qrels = runs()
    c = compare(systems, qrels, "nDCG@10 AP")
    old, new = (evaluate(systems[s], qrels, "AP").per_query["AP"] for s in ("old", "new"))
    assert c.differences("new", "AP") == pytest.approx({q: new[q] - old[q] for q in qrels})
    t = c.tested("new", "map")
    gains = [new[q] - old[q] for q in qrels]
    assert t.mean == pytest.approx(sum(gains) / len(gains))
    assert (t.wins, t.losses) == (sum(g > 0 for g in gains), sum(g < 0 for g in gains))
    spread = math.sqrt(sum((g - t.mean) ** 2 for g in gains) / (len(gains) - 1))
    assert t.effect == pytest.approx(t.mean / spread)
    assert t.low < t.mean < t.high


def test_the_randomisation_test_counts_all_ways_to_swap() -> None:
    """For few queries p is the share of the 2^n sign changes that differ as much."""
    d = np.array([0.3, 0.1, 0.25, -0.05, 0.2, 0.15])
    extreme = sum(
        abs(sum(s * x for s, x in zip(signs, d, strict=True))) >= abs(d.sum()) - 1e-12
        for signs in product([1, -1], repeat=len(d))
    )
    assert randomisation(d) == pytest.approx(extreme / 2 ** len(d))


def test_the_randomisation_test_is_seeded_and_never_zero() -> None:
    """With very many queries p is at least 1 over the resamples and one, alike each time."""
    d = np.full(60, 0.4) + np.linspace(0, 0.1, 60)
    p = randomisation(d, resamples=999, seed=3)
    assert p == randomisation(d, resamples=999, seed=3)
    assert 1 / 1000 <= p <= 2 / 1000


def test_known_values_of_the_tests() -> None:
    """Sign, t and Wilcoxon give what their tables and formulas give."""
    assert sign(9, 1) == pytest.approx(2 * 11 / 2**10)
    d = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    t = 3 / (math.sqrt(2.5) / math.sqrt(5))
    # Student's t with 4 degrees of freedom has a closed form.
    u = t / math.sqrt(t * t + 4)
    assert paired_t(d) == pytest.approx(1 - u * (1 + (1 - u * u) / 2))
    assert wilcoxon(d) == pytest.approx(2 / 2**5)


def test_equal_runs_differ_in_nothing() -> None:
    """Where no query differs every p is 1, the effect 0 and nothing is marked."""
    systems, qrels = runs()
    c = compare({"a": systems["old"], "b": systems["old"]}, qrels, "AP RR")
    t = c.tested("b", "AP")
    assert set(t.p.values()) == {1.0}
    assert (t.mean, t.effect, t.ties) == (0.0, 0.0, len(qrels))
    assert "no difference from a is significant" in c.table().text()


def test_a_constant_difference_has_no_t_test() -> None:
    """With no spread the t statistic is not defined, which is said and not made up."""
    t = paired_difference(np.full(10, 0.1))
    assert math.isnan(t.p["t"])
    assert math.isnan(t.effect)
    assert t.p["sign"] == pytest.approx(2 / 2**10)


def test_differences_equal_but_for_rounding_are_equal() -> None:
    """In size, for ranks; in their sum, for the ways to swap. 0.3 - 0.2 is not 0.1 as a float."""
    exact, rounded = np.array([0.1, 0.1, 0.2, -0.1]), np.array([0.1, 0.3 - 0.2, 0.2, 0.7 - 0.8])
    assert len(set(np.abs(rounded).tolist())) == 4
    assert wilcoxon(rounded) == wilcoxon(exact)
    assert randomisation(rounded) == randomisation(exact) == 0.5
    assert 0.1 + 0.2 - 0.3 != 0
    assert randomisation(np.array([0.1, 0.2, -0.3])) == 1
    found = paired_difference(rounded)
    assert (found.wins, found.losses, found.p["sign"]) == (3, 1, 0.625)


def test_a_p_value_at_the_level_is_not_below_it() -> None:
    """1 - 0.95 is a little more than 0.05."""
    assert 0.05 < 1 - 0.95
    assert not below(0.05, 1 - 0.95)
    assert below(0.0499, 1 - 0.95)
    assert not below(math.nan, 0.05)


def test_holm_by_hand() -> None:
    """The smallest p is multiplied by their number, the next by one less, never falling."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    corrected = holm([0.02, float("nan"), 0.01])
    assert corrected[::2] == pytest.approx([0.02, 0.02])
    assert math.isnan(corrected[1])


def test_the_detectable_difference_is_found_as_often_as_promised() -> None:
    """Simulated, a true difference of that size is found in 80 of 100 experiments."""
    n, sd = 25, 0.2
    shift = minimum_detectable(sd, n)
    rng = np.random.default_rng(5)
    found = [paired_t(rng.normal(shift, sd, n)) < 0.05 for _ in range(2000)]
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize(("n", "shift"), [(2, 11.54989), (4, 2.12795), (50, 0.40418)])
def test_the_detectable_difference_comes_without_a_warning(n: int, shift: float) -> None:
    """Whatever flags scipy raises on the way; expected is the power integrated over chi."""
    with np.errstate(all="raise"):
        assert minimum_detectable(1.0, n) == pytest.approx(shift, rel=1e-5)


@pytest.mark.parametrize(
    "measure",
    ["CG@5", "DCG@5", "nDCG@10", "nDCG(gain=exp)", "P@5", "R@5", "Rprec", "AP", "AP@5",
     "RBP", "ERR", "bpref", "Q", "Judged@5", "infAP"],
)  # fmt: skip
@pytest.mark.parametrize("seed", range(4))
def test_moves_sum_to_the_change_of_the_score(measure: str, seed: int) -> None:
    """For sums over documents the worth of all moves is the change, with nothing left over."""
    systems, qrels = runs(seed, n=3)
    c = compare(systems, qrels, measure)
    for query in qrels:
        found = c.moves(query, measure)
        before = c.evaluations["old"].per_query[measure][query]
        after = c.evaluations["new"].per_query[measure][query]
        assert found.change == pytest.approx(after - before, abs=1e-12)
        assert found.left_over == 0
        assert math.fsum(m.worth for m in found.moves) == pytest.approx(found.change, abs=1e-12)


@pytest.mark.parametrize("measure", ["AP", "P@5", "R@5", "CG@5", "bpref"])
def test_exact_moves_sum_exactly(measure: str) -> None:
    """In fractions the sum is the change, digit for digit."""
    systems, qrels = runs(2, n=3)
    for query in qrels:
        found = compare(systems, qrels, measure).moves(query, measure, exact=True)
        assert isinstance(found.change, Fraction)
        assert sum(m.worth for m in found.moves) == found.change


def test_what_is_no_sum_is_left_over_and_said() -> None:
    """The reciprocal rank has no parts: its change is left over as a whole, with a note."""
    qrels = {"q": {"a": 1, "b": 0}}
    c = compare({"old": {"q": ["b", "a"]}, "new": {"q": ["a", "b"]}}, qrels, "RR")
    found = c.moves("q", "RR")
    assert (found.change, found.left_over) == (0.5, 0.5)
    assert "RR is not a sum over documents" in found.table().text()


def test_a_document_that_drops_out_has_moved() -> None:
    """A document that the other run does not retrieve has no rank there and no part."""
    c = compare({"old": {"q": ["a", "b"]}, "new": {"q": ["b"]}}, {"q": {"a": 1, "b": 1}}, "DCG@2")
    found = {m.document: m for m in c.moves("q", "DCG@2").moves}
    assert (found["a"].rank_before, found["a"].rank_after, found["a"].worth) == (1, None, -1.0)
    assert found["b"].worth == pytest.approx(1 - 1 / math.log2(3))


def test_a_star_marks_what_holm_leaves() -> None:
    """The mark follows the corrected p of the chosen test, and the note names it."""
    systems, qrels = runs(1, n=40)
    c = compare({**systems, "same": systems["old"]}, qrels, "nDCG@10 AP", test="t")
    text = c.table().text()
    line = next(row for row in text.splitlines() if row.startswith("new "))
    assert line.count("*") == sum(c.tested("new", m).adjusted["t"] < 0.05 for m in c.measures)
    assert "paired t-test, corrected by Holm over the 2 comparisons of each measure" in text
    assert "*" not in next(row for row in text.splitlines() if row.startswith("same"))


def test_means_are_of_the_queries_that_all_runs_have() -> None:
    """By hand: q2 and q3 of old are 1 and 1/2, since new has no q1 and it is left out."""
    qrels = {q: {"a": 1} for q in ("q1", "q2", "q3")}
    old, new = {"q1": ["b"], "q2": ["a"], "q3": ["b", "a"]}, {"q2": ["a"], "q3": ["a"]}
    c = compare({"old": old, "new": new}, qrels, "RR GMAP", missing_queries="skip")
    assert [line[1] for line in c.table().lines] == ["0.7500", "1.0000"]
    assert c.means["old"]["GMAP"] == pytest.approx(0.5**0.5)
    assert c.facts()["mean"]["old"]["RR"] == 0.75 == c.all_pairs().means["RR"]["old"]
    assert c.details().lines[0][2:4] == [1.0, 0.25]
    assert "old: 1 queries are left out, because not all runs have them" in c.notes()
    counted = compare({"old": old, "new": new}, qrels, "RR")  # as trec_eval: q1 scores 0
    assert [line[1] for line in counted.table().lines] == ["0.5000", "0.6667"]
    assert "3 queries" in counted.caption


def test_json_has_every_difference() -> None:
    """The JSON of a comparison can be read back with nothing lost."""
    systems, qrels = runs()
    c = compare(systems, qrels, "AP")
    read = json.loads(c.json())
    assert read["comparisons"][0]["differences"] == pytest.approx(c.differences("new", "AP"))
    assert read["comparisons"][0]["p"] == pytest.approx(c.tested("new", "AP").p)


def test_bad_calls_are_refused_by_name() -> None:
    """One run, an unknown baseline or test, or a measure not evaluated is an error that says so."""
    systems, qrels = runs()
    with pytest.raises(InputError, match="fewer than two runs are given with their names"):
        compare({"a": systems["old"]}, qrels)
    with pytest.raises(InputError, match="'c' is not among the runs"):
        compare(systems, qrels, baseline="c")
    with pytest.raises(InputError, match="use one of randomisation, t, wilcoxon, sign"):
        compare(systems, qrels, test="anova")
    with pytest.raises(InputError, match="'old' is not compared"):
        compare(systems, qrels).tested("old", "AP")


@pytest.mark.parametrize("order", ["run, run, judgments", "judgments, runs"])
def test_runs_without_names_are_told_apart_from_runs_with_names(order) -> None:
    """Two runs one after the other, and judgments first: the call that is meant is shown."""
    run = {"q1": {"a": 2.5, "b": 1.5}}
    qrels = {"q1": {"a": 1, "b": 0}}
    given = (run, run, qrels) if order.startswith("run") else (qrels, {"old": run, "new": run})
    with pytest.raises(InputError, match=r"one run or judgments do.*compare\(\{'old': \.\.\., "):
        compare(*given)
    assert compare({"old": {"q1": ["a"]}, "new": run}, qrels, "RR").means["new"]["RR"] == 1


@pytest.mark.parametrize("options", [{}, {"skip_bad": True}, {"missing_queries": "skip"}])
def test_a_file_of_judgments_is_read_once_for_all_runs(
    options: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three files of runs cost three readings and one of the judgments, with the same result."""
    systems, qrels = runs()
    systems["third"] = {q: dict(list(docs.items())[:5]) for q, docs in systems["old"].items()}
    paths = {name: tmp_path / name for name in systems}
    for name, run in systems.items():
        lines = [f"{q} Q0 {d} 0 {s!r} {name}" for q, docs in run.items() for d, s in docs.items()]
        paths[name].write_text("\n".join(lines), encoding="utf-8")
    judged = tmp_path / "qrels"
    lines = [f"{q} 0 {d} {g}" for q, docs in qrels.items() for d, g in docs.items()]
    judged.write_text("\n".join(lines), encoding="utf-8")
    opened: list[Path] = []
    opener = files.opened
    monkeypatch.setattr(files.File, "head", b"")  # a look at the first lines reads nothing
    monkeypatch.setattr(files, "opened", lambda file: (opened.append(file.path), opener(file))[1])
    c = compare(paths, judged, "AP nDCG@5", **options)
    assert opened.count(judged) == 1
    expected = compare(systems, qrels, "AP nDCG@5")
    for name in ("new", "third"):
        assert c.differences(name, "AP") == pytest.approx(expected.differences(name, "AP"))


ODD_JUDGMENTS = {
    "plain": {},
    "negative": {"d1": 1, "d2": -1},
    "empty": {},
    "a set": {"d1", "d2"},
}


def scores_or_error(call: Callable[[], Any]) -> Any:
    """What is printed of evaluations, by run, or why they are refused."""
    try:
        scored = call()
    except InputError as error:
        return str(error)
    return {name: (one.per_query["AP"], str(one), one.counts) for name, one in scored.items()}


@pytest.mark.parametrize("conventions", ["trec_eval", "ranx", "scikit-learn", "MTEB"])
@pytest.mark.parametrize("odd", ODD_JUDGMENTS)
def test_judgments_in_memory_are_pooled_once_for_all_runs(
    conventions: str, odd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the scores and counts that each run has by itself, and the same refusals."""
    systems, qrels = runs()
    systems["third"] = {q: dict(list(docs.items())[:5]) for q, docs in systems["old"].items()}
    if odd != "plain":
        qrels["q3"] = ODD_JUDGMENTS[odd]
    how = ("AP nDCG@5", conventions)
    alone = scores_or_error(
        lambda: {name: evaluate(run, qrels, *how, name=name) for name, run in systems.items()}
    )
    made: list[Any] = []
    of_mapping = judgments._of_mapping
    monkeypatch.setattr(
        judgments, "_of_mapping", lambda *given: (made.append(given), of_mapping(*given))[1]
    )
    assert scores_or_error(lambda: compare(systems, qrels, *how).evaluations) == alone
    if odd != "empty":  # where the run says which of them count
        assert len(made) == 1


def test_cut_offs_of_nearly_equal_shares_are_both_said() -> None:
    """A note goes only where the counts are equal, not where the percentages are."""
    judged = {"q": {f"d{i}": 1 for i in range(100)}}
    old = {"q": [*(f"d{i}" for i in range(100)), *(f"x{i}" for i in range(100))]}
    new = {"q": [*(f"x{i}" for i in range(100)), *(f"d{i}" for i in range(101))]}
    said = " ".join(compare({"old": old, "new": new}, judged, "P@200 P@201").notes())
    assert "documents at ranks 1 to 200 that are not judged: old 50%, new 50%" in said
    assert "documents at ranks 1 to 201 that are not judged: old 50%, new 50%" in said


def test_a_measure_is_found_by_its_name_whatever_its_mean_is():
    """Two measures of one mean are two measures; what is asked for in any notation is found."""
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}}
    old = {"q1": ["a", "x", "b"], "q2": ["x", "a"]}
    new = {"q1": ["x", "a", "b"], "q2": ["a", "x"]}
    c = compare({"old": old, "new": new}, qrels, "RR P@2 AP")
    for e in c.evaluations.values():
        same = e.mean["RR"]
        e.mean.update(dict.fromkeys(e.mean, same))  # one number, of all three
    assert c.differences("new", "RR") == {"q1": -0.5, "q2": 0.5}
    assert c.differences("new", "P@2") == {"q1": 0.0, "q2": 0.0}
    assert c.differences("new", "P_2") == c.differences("new", precision @ 2)
    assert c.differences("new", "map") == c.differences("new", "AP") != c.differences("new", "RR")
    with pytest.raises(InputError, match="nDCG was not evaluated; there are RR, P@2, AP"):
        c.differences("new", "nDCG")
