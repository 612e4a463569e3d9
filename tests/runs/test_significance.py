"""The paired tests against scipy's, exact enumeration, rounding, and input that is hard on them."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy import special, stats

from irmetrics_edu import compare, evaluate
from irmetrics_edu.commands import compare as command
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs import significance
from irmetrics_edu.runs.intervals import enough, interval, student
from irmetrics_edu.runs.significance import (
    minimum_detectable,
    paired_difference,
    paired_t,
    randomisation,
    settled,
    sign,
    swapped,
    wilcoxon,
)

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def all_ways(d: list[Fraction]) -> Fraction:
    """The randomisation test as its definition says: over all signs, without rounding."""
    observed = abs(sum(d))
    ways = [abs(sum(s * x for s, x in zip(w, d, strict=True))) for w in signs(len(d))]
    return Fraction(sum(far >= observed for far in ways), len(ways))


def signs(n: int) -> list[tuple[int, ...]]:
    """All ways to choose the signs of n differences."""
    return list(itertools.product([1, -1], repeat=n))


@pytest.mark.parametrize("seed", range(8))
def test_few_queries_are_counted_exactly(seed: int) -> None:
    """Differences in tenths, so that many sums tie exactly: p is that of fractions."""
    d = np.random.default_rng(seed).integers(-5, 6, 9)
    tenths = [Fraction(int(x), 10) for x in d]
    given = np.array([float(x) for x in tenths])
    assert randomisation(given) == float(all_ways(tenths))
    noisy = (0.7 + given) - 0.7  # the same but for rounding
    assert (noisy != given).any()
    assert randomisation(noisy) == float(all_ways(tenths))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("n", [2, 5, 11, 60, 150])
def test_all_tests_agree_with_scipy(seed: int, n: int) -> None:
    """t, Wilcoxon and sign equal scipy's; the randomisation test where scipy counts all ways."""
    d = np.random.default_rng(seed).normal(0.05, 0.2, n)
    found = paired_difference(d)
    assert found.p["t"] == pytest.approx(stats.ttest_rel(d, np.zeros(n)).pvalue)
    assert found.p["wilcoxon"] == pytest.approx(stats.wilcoxon(d).pvalue)
    wins = int((d > 0).sum())
    assert found.p["sign"] == pytest.approx(stats.binomtest(wins, n).pvalue)
    theirs = stats.permutation_test(
        (d,), np.mean, permutation_type="samples", vectorized=True, random_state=seed
    ).pvalue
    within = 0.0 if n < 13 else 4 * math.sqrt(2 * theirs * (1 - theirs) / 9999) + 2e-4
    assert found.p["randomisation"] == pytest.approx(theirs, abs=1e-12 + within)


@pytest.mark.parametrize("level", [0.3, 0.05, 1e-6])
def test_the_interval_is_scipys_at_any_size(level: float) -> None:
    """Quantiles of Student's t, and the interval of values around one that is far from 0."""
    for freedom in (1, 2, 5, 49, 5000, 10**6):
        beyond = special.stdtr(freedom, -student(level / 2, freedom))
        assert beyond == pytest.approx(level / 2, rel=1e-9)
    values = np.random.default_rng(2).exponential(0.1, 40) + 3
    half = stats.sem(values) * student(level / 2, 39)
    theirs = (values.mean() - half, values.mean() + half)
    assert interval(values, level) == pytest.approx(theirs, rel=1e-12)


def test_too_few_queries_have_no_interval() -> None:
    """Exactly where the randomisation test can give no p below the level, and where all agree."""
    for level in (0.1, 0.05, 0.01):
        rising = np.linspace(0.1, 0.2, enough(level))
        assert randomisation(rising) < level <= randomisation(rising[1:])
        for alike in (0, 30):  # queries whose scores are equal count for nothing
            found, few = (
                paired_difference(np.r_[d, np.zeros(alike)], level=level)
                for d in (rising, rising[1:])
            )
            assert found.low < found.mean < found.high
            assert math.isnan(few.low)
    assert math.isnan(paired_difference(np.full(30, 0.1)).high)


@pytest.mark.parametrize("n", [6, 10, 20, 50])
def test_the_interval_holds_its_level(n: int) -> None:
    """Normal differences, and reciprocal ranks that mostly stay: 95 %, but for what is drawn."""
    rng, zeros = np.random.default_rng(n), np.zeros(3 * n)
    ranks = 1 / np.array([1, 1, 2, 3, 5, 10, np.inf])
    changes = np.r_[np.subtract.outer(ranks, ranks[1:]).ravel(), zeros]
    for drawn, true in (
        (rng.normal(0.1, 0.2, (2000, n)), 0.1),
        (rng.choice(changes, (2000, n)), changes.mean()),
    ):
        ends = [interval(d, 0.05, telling=np.count_nonzero(d)) for d in drawn]
        held = [low <= true <= high for low, high in ends if not math.isnan(low)]
        assert 0.93 < np.mean(held) < 0.99


@pytest.mark.parametrize("seed", range(6))
def test_wilcoxon_counts_ties_exactly(seed: int) -> None:
    """Equal sizes share a mean rank, and all signs of the ranks are counted."""
    d = np.random.default_rng(seed).choice([-0.3, -0.2, -0.1, 0.1, 0.2, 0.4], 8)
    ranks = stats.rankdata(np.abs(d))
    far = abs(ranks @ np.sign(d))
    ways = [abs(ranks @ np.array(w)) for w in signs(8)]
    assert wilcoxon(d) == pytest.approx(np.mean([w >= far - 1e-9 for w in ways]))
    assert wilcoxon((0.7 + d) - 0.7) == wilcoxon(d)


def test_the_normal_limit_agrees_with_what_it_stands_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond its bound, the limit is nearly what drawing would give, even if skewed."""
    rng = np.random.default_rng(3)
    d = rng.exponential(1.0, 30_000) - 0.989
    limit = swapped(d, margin=0.0)
    assert limit.ways == "normal limit"
    monkeypatch.setattr(significance, "_SWAPPED", 10**6)
    drawn = swapped(d, margin=0.0, resamples=2000)
    assert drawn.ways == "2,000 resamples, seed 0"
    assert limit.p == pytest.approx(drawn.p, abs=4 * math.sqrt(limit.p / 2000))
    assert 0.01 < limit.p < 0.2


def test_a_few_huge_queries_have_no_normal_limit() -> None:
    """Three queries outweigh 30,000: the share is that of their eight ways, by resamples."""
    d = np.full(30_000, 1e-6)
    d[:3] = 1.0
    found = swapped(d, margin=0.0, resamples=999)
    assert found.ways == "999 resamples, seed 0"
    # The three alike are two of eight ways; the others then never add up to as much as observed.
    assert found.p == 1 / 1000
    d[3:] = 0.0
    assert swapped(d, margin=0.0).p == 2 / 8


def test_a_seed_gives_one_p_value_on_every_machine() -> None:
    """Bytes of PCG64 are signs of eight sizes each, in order: counted by hand in whole numbers."""
    whole = [2 * i - 33 for i in range(1, 41)]  # none is 0: zeros have no sign to draw
    drawn = np.random.PCG64(7).random_raw(625).astype("<u8").tobytes()
    sizes = sorted(map(abs, whole))
    extreme = 0
    for first in range(0, 999 * 5, 5):
        bits = int.from_bytes(drawn[first : first + 5], "little")
        total = sum(-x if bits >> i & 1 else x for i, x in enumerate(sizes))
        extreme += abs(total) >= abs(sum(whole))
    assert randomisation(np.array(whole) / 80, seed=7, resamples=999) == (1 + extreme) / 1000


def test_what_is_zero_or_constant_but_for_rounding_is_seen_as_such() -> None:
    """Differences of scores such as 0.6 - 0.5 and 0.7 - 0.6 are one number."""
    after, before = np.array([0.6, 0.7, 0.8, 0.9]), np.array([0.5, 0.6, 0.7, 0.8])
    assert len({*(after - before).tolist()}) > 1
    found = paired_difference(after - before)
    assert math.isnan(found.effect)
    assert math.isnan(found.p["t"])
    assert math.isnan(found.low)
    assert found.detectable == 0
    nothing = paired_difference((after + 1e-15) - after)
    assert (nothing.ties, nothing.effect, set(nothing.p.values())) == (4, 0.0, {1.0})
    for n in range(2, 60):  # whatever the rounding of a mean of n
        assert math.isnan(paired_difference(np.full(n, 0.1)).effect)


@pytest.mark.parametrize("n", [3, 30, 300])
def test_a_mean_of_zero_gives_p_of_one(n: int) -> None:
    """0.1 + 0.2 - 0.3, which is no zero in floats: nothing is less extreme than no difference."""
    found = paired_difference(np.tile([0.1, 0.2, -0.3], n // 3))
    assert (found.mean, found.effect) == (0.0, 0.0)
    assert found.p["randomisation"] == found.p["t"] == 1.0


@pytest.mark.parametrize("factor", [1e-300, 1e-12, 1e12, 1e300])
def test_the_unit_of_the_scores_changes_no_p(factor: float) -> None:
    """Scores of 1e-300 or 1e300 are tested as those around 1."""
    d = np.random.default_rng(5).normal(0.1, 0.2, 40)
    here, there = paired_difference(d), paired_difference(d * factor, rounding=1e-12 * factor)
    assert there.p == pytest.approx(here.p, rel=1e-9)
    assert there.effect == pytest.approx(here.effect)
    assert there.low / factor == pytest.approx(here.low)


@pytest.mark.parametrize(
    "values", [[0.0], [0.3], [0.0, 0.0], [0.1, -0.1], [1e308, 1e308, 1.5e308], [5e-324, 1e-310]]
)
@pytest.mark.parametrize("level", [1e-300, 1e-9, 0.01, 0.7])
def test_hard_input_ends_soon_and_without_an_error(values: list[float], level: float) -> None:
    """One query, two, all equal, the smallest and the greatest floats, at any level."""
    for rounding in (0.0, 1e-12):
        found = paired_difference(np.array(values), level=level, rounding=rounding)
        assert all(math.isnan(p) or 0 <= p <= 1 for p in found.p.values())


def test_what_is_no_number_is_refused() -> None:
    """NaN, infinity, no query at all, odd levels, seeds and counts of resamples."""
    for bad in ([np.nan, 1.0], [np.inf, 1.0]):
        with pytest.raises(InputError, match="no finite score"):
            paired_difference(np.array(bad))
    with pytest.raises(InputError, match="no query"):
        paired_difference(np.zeros(0))
    d = np.array([0.1, 0.2])
    for odd in ({"level": math.nan}, {"level": 0}, {"level": 0.9}):
        with pytest.raises(InputError, match="0 < level < power < 1"):
            paired_difference(d, **odd)
    for odd in ({"seed": -1}, {"seed": 0.5}, {"resamples": 0}, {"resamples": 10**12}):
        with pytest.raises(InputError, match="give a whole number from"):
            paired_difference(d, **odd)


def test_the_detectable_difference_at_any_level() -> None:
    """As the noncentral F has it where that can be computed; by its own limit where not."""
    for n, level, power in itertools.product((3, 10, 1000), (0.2, 0.05, 0.01), (0.5, 0.8)):
        shift = minimum_detectable(1.0, n, level=level, power=power) * math.sqrt(n)
        critical = stats.f.ppf(1 - level, 1, n - 1)
        assert stats.ncf.sf(critical, 1, n - 1, shift**2) == pytest.approx(power, abs=1e-9)
    # With two queries t is (z + shift) / |z'|, and far out the z in it is nothing: |z'| must be
    # below shift / critical, which 80 of 100 are for 1.2816.
    critical = stats.t.isf(0.5e-9, 1)
    shift = minimum_detectable(1.0, 2, level=1e-9) * math.sqrt(2)
    assert shift == pytest.approx(critical * stats.norm.isf(0.1), rel=1e-6)


def test_rounding_is_taken_out_by_size_beside_the_scores() -> None:
    """A difference of 1e-5 with noise of 1e-16 is one size; sizes of 1e-5 and 2e-5 are two."""
    d = np.array([1e-5, 1e-5 + 1e-16, -1e-5 - 1e-16, 2e-5, 3e-13, -0.0])
    assert settled(d).tolist() == [1e-5, 1e-5, -1e-5, 2e-5, 0.0, 0.0]
    assert len({*settled(np.linspace(0, 1, 1000)).tolist()}) == 1000
    assert settled(np.array([1e-300, 2e-300]), 0.0).tolist() == [1e-300, 2e-300]


def test_the_sign_test_of_very_many() -> None:
    """Ten million queries, half of them won."""
    assert sign(5_000_000, 5_000_000) == 1.0
    assert sign(5_003_000, 4_997_000) == pytest.approx(2 * stats.norm.sf(6000 / 10**3.5), rel=0.02)


def runs(n: int) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, dict[str, int]]]:
    """Two runs of n queries whose reciprocal ranks differ here and there."""
    qrels = {f"q{i}": {"a": 1} for i in range(n)}
    old = {q: {"b": 2.0, "a": 1.0} for q in qrels}
    new = {q: {"b": 2.0, "a": float(3 * (i % 5))} for i, q in enumerate(qrels)}
    return {"old": old, "new": new}, qrels


def test_very_many_queries_are_compared_without_draws_and_how_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """30,000 queries: the table says that p is a normal limit."""
    systems, qrels = runs(30_000)
    evaluations = {name: evaluate(run, qrels, "RR nDCG") for name, run in systems.items()}
    monkeypatch.setattr(np.random, "PCG64", lambda _seed: None)  # nothing is drawn
    c = compare(evaluations)
    assert "randomisation test (normal limit)" in c.table().text()
    assert c.facts()["comparisons"][0]["ways"] == "normal limit"


def test_what_a_test_cannot_find_is_said() -> None:
    """One query gives no p below 1, 9,999 resamples none below 0.0001, equal ones no t."""
    systems, qrels = runs(2)
    two = compare(systems, qrels, "RR")
    assert "it takes 6 queries that differ by unlike amounts" in str(two.details().notes)
    assert "it takes 6 queries, not all of one score" in str(
        evaluate(systems["old"], qrels).summary().notes
    )
    text = two.table().text()
    few = "too few queries differ (or resamples are drawn) for a p below "
    assert f"note: {few}0.05: new in RR\n" in text
    systems, qrels = runs(40)
    found = compare(systems, qrels, "RR", level=1e-9)
    assert f"{few}1e-09: new in RR\n" in found.table().text()
    assert "the 99.9999999% interval of the difference from old" in found.details().text()
    # All 40 queries gain in RR, but only some in P@1, so all ways to swap are tried for it.
    for i in range(5):
        systems[f"r{i}"] = {q: ["a"] if j < i else ["x", "a"] for j, q in enumerate(qrels)}
    systems["old"] = {q: ["x", "y", "a"] for q in qrels}
    del systems["new"]
    text = compare(systems, qrels, "RR P@1").table().text()
    how = (
        "9,999 resamples, seed 0, or all ways to swap), "
        "corrected by Holm over the 5 comparisons of each measure\n"
    )
    assert f"* differs from old: p < 0.05, randomisation test ({how}" in text
    assert f"note: {few}0.05: r1 in P@1, r2 in P@1, r3 in P@1, r4 in P@1\n" in text
    some = compare(systems, qrels, "RR P@1", level=1e-9).table().text()
    assert f"{few}1e-09: 9 of 10 comparisons\n" in some
    systems = {"old": systems["old"], "new": {q: {"a": 1.0} for q in qrels}}
    alike = compare(systems, qrels, "RR", test="t")
    assert (
        "the t-test has no p of one query, or if all differ by the same amount"
        in alike.table().text()
    )


def test_a_query_without_a_score_is_named() -> None:
    """NaN of one query: the error says which, in which run and measure, and what would do."""
    systems, qrels = runs(3)
    qrels["q1"] = {"a": 0}
    with pytest.raises(
        InputError,
        match="query 'q1': nDCG of old is not a finite number",
    ):
        compare(systems, qrels, "nDCG", no_relevant="nan")


@pytest.mark.parametrize(
    ("measure", "advice"),
    [("hit_rank", "undefined"), ("nDCG(no_relevant=nan)", "no_relevant")],
)
def test_the_way_out_is_an_option_of_the_measure(measure: str, advice: str) -> None:
    """A run that finds nothing for a query has no hit rank; what is advised can be followed."""
    run = {"q1": ["a"], "q2": ["x"]}
    qrels = {"q1": {"a": 1}, "q2": {"a": 1 if advice == "undefined" else 0}}
    with pytest.raises(InputError, match=rf"'q2'.*such as {advice}='zero'"):
        compare({"old": run, "new": run}, qrels, measure)
    followed = f"{measure.partition('(')[0]}({advice}=zero)"
    assert len(compare({"old": run, "new": run}, qrels, followed).queries) == 2


def test_warnings_of_libraries_are_none() -> None:
    """Neither ties nor zeros nor few queries make a library warn, which -W error would raise."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for values in ([0.1, 0.1], [0.0, 0.1, 0.1, -0.1], [0.0] * 4, [0.2] * 60):
            paired_difference(np.array(values))
        assert math.isnan(paired_t(np.array([0.1])))


@pytest.mark.parametrize("level", ["1e-9", "0.01", "1e-300"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_command_ends_at_any_level(level, n, tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    """A level that so few queries can't reach is computed, and said to be out of reach."""
    import argparse

    (tmp_path / "q").write_text("".join(f"q{i} 0 a 1\n" for i in range(n)), encoding="utf-8")
    for name, top in (("old", "b"), ("new", "a")):
        lines = [f"q{i} Q0 {d} 0 {2 if d == top else 1} t\n" for i in range(n) for d in "ab"]
        (tmp_path / name).write_text("".join(lines), encoding="utf-8")
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    args = [str(tmp_path / name) for name in ("q", "old", "new")]
    assert command.run(parser.parse_args([*args, "--level", level, "--details"])) == 0
    assert f"drawn) for a p below {float(level):g}: new in " in capsys.readouterr().out
