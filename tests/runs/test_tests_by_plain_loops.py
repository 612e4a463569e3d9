"""The tests of a comparison, their draws and their corrections, each by a plain loop or scipy."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.runs import significance
from irmetrics_edu.runs.all_pairs import AllPairs, PairOfRuns, _letter, pairs_of
from irmetrics_edu.runs.intervals import enough, interval, interval_in_words, student, wilson
from irmetrics_edu.runs.significance import (
    Swapping,
    TestPlan,
    Ways,
    below,
    holm,
    minimum_detectable,
    paired_difference,
    paired_t,
    rounding_of,
    settled,
    sign,
    swapped,
    tukey,
    wilcoxon,
)
from irmetrics_edu.runs.weighted import effective_size, spread_of, weighted_interval
from tests.tables import rows as each_row

# -- the randomisation test


@each_row("n", range(1, 14))
@each_row("beside", [-1, 0])
def test_all_ways_are_tried_if_there_are_no_more_than_resamples(n, beside):
    """Two to the power of the queries that differ; the least p is that of two ways of them."""
    d = np.r_[np.arange(1.0, n + 1), np.zeros(3)]
    if 2**n + beside < 1:
        return
    found = swapped(d, margin=0.0, resamples=2**n + beside, seed=4)
    if beside:
        drawn = 2**n - 1
        assert found.swapping == Ways(Swapping.DRAWN, drawn, 4)
        assert found.least == 1 / 2**n
        assert found.ways == f"{drawn:,} resamples, seed 4"
    else:
        assert found.swapping == Ways(Swapping.ALL, 2**n)
        assert found.least == found.p == 2 / 2**n
        assert found.ways == f"all {2**n:,} ways to swap"
        assert found.swapping.of_any_number() == "all ways to swap"


def test_ways_of_twenty_queries_are_held_and_of_more_drawn():
    """However many resamples there may be; without a query that differs there is one way."""
    assert swapped(np.ones(20), margin=0.0, resamples=2**20).swapping.swapping is Swapping.ALL
    assert swapped(np.ones(21), margin=0.0, resamples=2**21).swapping.swapping is Swapping.DRAWN
    none = swapped(np.zeros(4), margin=0.0)
    assert (none.p, none.least, none.ways) == (1.0, 1.0, "no query differs")


@each_row("seed", range(6))
@each_row("margin", [0.0, 0.2, 0.3])
def test_what_is_off_by_rounding_counts_as_extreme(seed, margin):
    """Sums in eighths: as far as observed, less what all may be off together."""
    d = np.random.default_rng(seed).integers(-4, 5, 8) / 8
    eighths = [int(8 * x) for x in d if x]
    observed = abs(sum(eighths)) - 8 * margin
    ways = itertools.product((1, -1), repeat=len(eighths))
    far = [abs(sum(s * x for s, x in zip(way, eighths, strict=True))) for way in ways]
    expected = sum(one >= observed for one in far) / len(far)
    assert swapped(d, margin=margin).p == expected


@pytest.mark.parametrize("n", [7, 8, 9, 511, 512, 513, 600])
def test_draws_are_the_bits_of_a_stream_in_blocks(n, monkeypatch):
    """A byte is the signs of eight; 64 bytes at a time, for as many resamples as are held."""
    monkeypatch.setattr(significance, "_AT_ONCE", 640)
    whole = [(7 * i) % 19 - 9 for i in range(n)]
    resamples = 23
    bits = np.random.PCG64(5)
    sums = [0] * resamples
    for first in range(0, n, 512):
        block = whole[first : first + 512]
        width = -(-len(block) // 8)
        step = 640 // width
        for begin in range(0, resamples, step):
            rows = min(step, resamples - begin)
            words = bits.random_raw(-(-rows * width // 8)).astype("<u8").tobytes()
            for row in range(rows):
                of_row = words[row * width : (row + 1) * width]
                for i, value in enumerate(block):
                    minus = of_row[i // 8] >> i % 8 & 1
                    sums[begin + row] += -value if minus else value
    found = significance._sums(np.array(whole), resamples, np.random.PCG64(5))
    assert found.tolist() == sums


@pytest.mark.parametrize("n", [30, 31, 40])
@pytest.mark.parametrize("huge", [False, True])
@pytest.mark.parametrize("in_all", [0, 9_000])
def test_of_many_queries_the_limit_is_taken_or_fewer_are_drawn(n, huge, in_all, monkeypatch):
    """The limit where no few queries outweigh the others; at least 99 resamples where they do."""
    monkeypatch.setattr(significance, "_SWAPPED", 30)
    monkeypatch.setattr(significance, "_UNEVEN", 0.05)
    monkeypatch.setattr(significance, "_IN_ALL", in_all)
    d = np.where(np.arange(n) % 3, 1.0, -1.0)
    if huge:
        d[:2] = 50.0
    found = swapped(d, margin=0.0, resamples=500)
    if n <= 30:
        assert found.swapping == Ways(Swapping.DRAWN, 500, 0)
    elif huge:
        number = min(500, max(99, in_all // n))
        assert found.swapping == Ways(Swapping.DRAWN, number, 0)
        assert found.least == 1 / (1 + number)
    else:
        assert found.swapping == Ways(Swapping.LIMIT)
        assert found.least == 0.0
        z = abs(d.sum()) / math.sqrt(n)
        assert found.p == pytest.approx(2 * stats.norm.sf(z), rel=1e-9)


@each_row("resamples", [0, 10_000_001, 1.5, True])
@each_row("seed", [0, -1, 2**128])
def test_draws_that_can_not_be_made_are_refused(resamples, seed):
    """A seed is a whole number of up to 128 bits."""
    with pytest.raises(InputError, match="resamples"):
        swapped(np.ones(3), margin=0.0, resamples=resamples)
    if seed:
        with pytest.raises(InputError, match="seed"):
            swapped(np.ones(3), margin=0.0, seed=seed)
    assert swapped(np.ones(3), margin=0.0, seed=2**128 - 1).p == 0.25


# -- Tukey's


def dealt(tenths, seed, resamples, at_once, margin=0):
    """The p of each pair by dealing the scores of each query, in whole tenths and in order."""
    n, runs = len(tenths), len(tenths[0])
    totals = [sum(row[run] for row in tenths) for run in range(runs)]
    rows = sorted((sorted(row) for row in tenths), key=lambda row: row[::-1])
    bits = np.random.PCG64(seed)
    step = max(1, at_once // (n * runs))
    ranges = []
    for first in range(0, resamples, step):
        some = min(step, resamples - first)
        count = some * n * runs
        lots = bits.random_raw(-(-count // 2)).astype("<u8").view("<u4")[:count].tolist()
        for one in range(some):
            sums = [0] * runs
            for query, row in enumerate(rows):
                begin = (one * n + query) * runs
                order = sorted(range(runs), key=lambda run, at=begin: lots[at + run])
                for run, place in enumerate(order):
                    sums[run] += row[place]
            ranges.append(max(sums) - min(sums))
    return [
        [
            (1 + sum(far >= abs(here - there) - margin for far in ranges)) / (1 + resamples)
            for there in totals
        ]
        for here in totals
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", [(3, 2), (4, 3), (1, 4)])
@pytest.mark.parametrize("at_once", [1, 50, 10**6])
def test_tukeys_test_deals_the_scores_of_each_query(seed, shape, at_once, monkeypatch):
    """Scores in tenths, so that many ranges are just as large as a difference."""
    monkeypatch.setattr(significance, "_AT_ONCE", at_once)
    tenths = np.random.default_rng(seed).integers(0, 5, shape).tolist()
    p, how = tukey(np.array(tenths) / 10, seed=seed, resamples=99)
    assert p.tolist() == dealt(tenths, seed, 99, at_once)
    assert how == f"Tukey's HSD by randomisation (99 resamples, seed {seed})"


@pytest.mark.parametrize(("most", "expected"), [(0, 999), (12_000, 1_000), (36_000, 3_000)])
def test_of_many_scores_fewer_are_dealt(most, expected, monkeypatch):
    """999 at least."""
    monkeypatch.setattr(significance, "_DEALT", most)
    scores = np.array([[0.1, 0.2, 0.3]] * 4)
    p, how = tukey(scores, resamples=3_000)
    assert f"({expected:,} resamples, " in how
    assert p[0, 0] == 1.0
    assert p[0, 2] == p[2, 0] < p[0, 1]


# -- the other tests


@each_row("n", [1, 2, 10, 49, 50, 51, 80])
@each_row("tied", [False, True])
def test_wilcoxons_test_is_exact_up_to_fifty(n, tied):
    """By counting sets of ranks in whole numbers; above, scipy's limit."""
    d = np.random.default_rng(n).normal(0.2, 1, n)
    if tied:
        d = np.round(d * 2) / 2 + 1 / 4  # none is 0
    ranks = [round(2 * rank) for rank in stats.rankdata(np.abs(d))]
    whole = sum(ranks)
    far = abs(2 * sum(rank for rank, value in zip(ranks, d, strict=True) if value > 0) - whole)
    if n > 50:
        expected = stats.wilcoxon(d, method="approx", correction=False).pvalue
    else:
        ways = {0: 1}
        for rank in ranks:
            more = dict(ways)
            for total, count in ways.items():
                more[total + rank] = more.get(total + rank, 0) + count
            ways = more
        extreme = sum(count for total, count in ways.items() if abs(2 * total - whole) >= far)
        expected = Fraction(extreme, 2**n)
    assert wilcoxon(np.r_[d, 0.0, 0.0]) == pytest.approx(float(expected), rel=1e-12)


@each_row(("wins", "losses"), [*itertools.product(range(7), repeat=2)])
def test_the_sign_test_is_that_of_a_coin(wins, losses):
    """As often as both tails; without a toss nothing is told."""
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign(wins, losses) == pytest.approx(expected)


@each_row("values", [*itertools.product([0.0, 0.3, 0.6, -0.3], repeat=3)])
def test_the_t_test_is_scipys_where_there_is_a_spread(values):
    """1 where nothing differs, and none where all differ by the same."""
    found = paired_t(np.array(values))
    if not any(values):
        assert found == 1.0
    elif len({*values}) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(stats.ttest_1samp(values, 0.0).pvalue)


@each_row("seed", range(20))
def test_holms_correction_is_as_defined(seed):
    """The highest of p times the number of those that are not smaller; NaN does not count."""
    rng = np.random.default_rng(seed)
    given = np.round(rng.uniform(0, 0.4, seed % 6 + 1), 2)
    given[rng.uniform(size=len(given)) < 0.2] = math.nan
    known = sorted(p for p in given if not math.isnan(p))
    stepped = [min(1.0, p * (len(known) - place)) for place, p in enumerate(known)]
    for p, found in zip(given.tolist(), holm(given.tolist()), strict=True):
        if math.isnan(p):
            assert math.isnan(found)
        else:
            assert found == max(stepped[: known.index(p) + 1] or [0.0]) or found == pytest.approx(
                max(q for q, one in zip(stepped, known, strict=True) if one <= p)
            )


@each_row("level", [0.05, 1 - 0.95, 0.01])
@each_row("off", [-1e-6, -1e-13, 0.0, 1e-13, 1e-6])
def test_a_p_is_below_a_level_by_more_than_rounding(level, off):
    """On the level it is not."""
    assert below(level + off, level) is (off == -1e-6)
    assert below(math.nan, level) is False


# -- rounding


def settled_by_loop(values, off):
    """Sizes whose neighbour is no further than they may be off become the least of them."""
    out = [0.0 if abs(v) <= off else abs(v) for v in values]
    before = least = None
    for i in sorted(range(len(values)), key=lambda i: out[i]):
        size = out[i]
        if size == 0:
            continue
        if before is None or size - before > off:
            least = size
        before = size
        out[i] = least
    return [math.copysign(size, v) + 0.0 for size, v in zip(out, values, strict=True)]


@each_row("seed", range(12))
def test_differences_settle_as_a_loop_has_it(seed):
    """Chains of near sizes, of both signs, some of them near 0."""
    rng = np.random.default_rng(seed)
    values = rng.choice([0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 9.5], 9) * rng.choice([-1, 1], 9)
    for off in (0.5, 1.0, 2.0):
        assert settled(values, off).tolist() == settled_by_loop(values.tolist(), off)


@each_row("pair", [*itertools.product([0.0, 1e-3, 0.5, 3.0, -40.0], repeat=2)])
def test_how_far_a_difference_may_be_off_goes_by_the_scores(pair):
    """1e-12 of the greater one, and of 1 or the greatest score if that is less."""
    for beside in (0.0, 0.01, 2.0):
        after, before = np.array([pair[0], beside]), np.array([pair[1], beside])
        most = max(*map(abs, pair), beside)
        expected = [
            1e-12 * max(size, min(1.0, most)) for size in (max(map(abs, pair)), abs(beside))
        ]
        assert rounding_of(after, before).tolist() == pytest.approx(expected, rel=1e-12, abs=0)


@each_row("values", [*itertools.product([0.0, 1.0, -1.0, 2.0], repeat=3)])
def test_a_sum_may_be_off_by_what_each_part_may_be(values):
    """But for differences of 0, which are what they are."""
    off = np.array([0.25, 0.5, 1.0])
    expected = sum(o for o, value in zip(off, values, strict=True) if value)
    assert significance._margin(np.array(values), off) == expected
    assert significance._margin(np.array(values), 0.5) == 0.5 * np.count_nonzero(values)


# -- what is known of a difference


@each_row("seed", range(4))
@each_row("n", [1, 3, 8, 30])
def test_a_difference_is_described_as_scipy_has_it(seed, n):
    """Winners, losers, ties, d_z, the interval, and the least that would be found."""
    rng = np.random.default_rng(seed)
    d = np.round(rng.normal(0.1, 0.3, n), 2)
    d[rng.uniform(size=n) < 0.2] = 0.0
    found = paired_difference(d, seed=3, resamples=500, level=0.1)
    assert (found.n, found.effective) == (n, n)
    assert (found.wins, found.losses, found.ties) == tuple(
        sum(sign(x) for x in d) for sign in (lambda x: x > 0, lambda x: x < 0, lambda x: x == 0)
    )
    assert found.mean == pytest.approx(d.mean())
    assert found.adjusted == found.p
    facts = found.facts()
    assert facts["ways"] == found.ways
    assert "swapping" not in facts
    if n == 1:
        return
    sd = d.std(ddof=1)
    assert found.effect == pytest.approx(d.mean() / sd if d.any() else 0.0)
    differing = found.wins + found.losses
    if differing < 5:  # 2/2^5 is below 0.1
        assert math.isnan(found.low)
    else:
        ends = stats.t.interval(0.9, n - 1, d.mean(), sd / math.sqrt(n))
        assert (found.low, found.high) == pytest.approx(ends)
    shift = found.detectable / sd * math.sqrt(n) if sd else 0.0
    if sd:
        critical = stats.f.ppf(0.9, 1, n - 1)
        assert stats.ncf.sf(critical, 1, n - 1, shift**2) == pytest.approx(0.8, abs=1e-6)


@each_row("seed", range(4))
@each_row("n", [2, 4, 9])
def test_a_weighted_difference_is_as_its_formulas_have_it(seed, n):
    """The weighted mean, its error without a query, and signs of the weighted differences."""
    rng = np.random.default_rng(seed)
    d = np.round(rng.normal(0.1, 0.3, n), 2) + 0.001
    weight = rng.integers(1, 5, n).astype(float)
    found = paired_difference(np.r_[d, 7.0], level=0.3, weight=np.r_[weight, 0.0], rounding=1e-12)
    share = weight / weight.sum()
    mean = float(share @ d)
    without = [mean - (share @ d - s * x) / (1 - s) for s, x in zip(share, d, strict=True)]
    error = math.sqrt((n - 1) / n * sum(apart**2 for apart in without))
    effective = 1 / (share @ share)
    deviation = math.sqrt(share @ (d - mean) ** 2 * effective / (effective - 1))
    assert (found.n, found.effective) == (n, pytest.approx(effective))
    assert (found.wins, found.losses, found.ties) == ((d > 0).sum(), (d < 0).sum(), 0)
    assert found.mean == pytest.approx(mean)
    assert found.effect == pytest.approx(mean / deviation)
    p = 2 * stats.t.sf(abs(mean) / error, effective - 1)
    assert found.p["t"] == pytest.approx(p)
    assert math.isnan(found.p["sign"])
    assert math.isnan(found.p["wilcoxon"])
    weighed = [Fraction(str(x)) * int(w) for x, w in zip(np.round(d, 3), weight, strict=True)]
    ways = [
        abs(sum(s * x for s, x in zip(way, weighed, strict=True)))
        for way in itertools.product((1, -1), repeat=n)
    ]
    assert found.p["randomisation"] == sum(far >= abs(sum(weighed)) for far in ways) / 2**n
    if effective < enough(0.3):
        assert math.isnan(found.low)
    else:
        half = stats.t.isf(0.15, effective - 1) * error
        assert (found.low, found.high) == pytest.approx((mean - half, mean + half))
    if effective <= 2:
        assert math.isnan(found.detectable)
    else:
        expected = minimum_detectable(error * math.sqrt(effective), effective, level=0.3)
        assert found.detectable == pytest.approx(expected)
        shift = expected / error
        critical = stats.f.isf(0.3, 1, effective - 1)
        assert stats.ncf.sf(critical, 1, effective - 1, shift**2) == pytest.approx(0.8, abs=1e-6)


def test_weights_that_tell_nothing_have_no_number():
    """None above 0; one alone; all that differ by the same."""
    with pytest.raises(InputError, match="every query weighs 0"):
        paired_difference(np.ones(2), weight=np.zeros(2))
    one = paired_difference(np.array([0.5, 9.0]), weight=np.array([2.0, 0.0]))
    assert (one.n, one.effective, one.mean, one.p["randomisation"]) == (1, 1.0, 0.5, 1.0)
    assert math.isnan(one.p["t"])
    alike = paired_difference(np.full(4, 0.25), weight=np.array([1.0, 2, 3, 4]))
    assert math.isnan(alike.p["t"])
    assert math.isnan(alike.effect)
    assert paired_difference(np.zeros(3), weight=np.ones(3)).p["t"] == 1.0
    spread = spread_of(np.array([0.5]), np.array([3.0]))
    assert (spread.mean, spread.effective) == (0.5, 1.0)
    assert math.isnan(spread.error)
    assert math.isnan(spread.deviation)
    assert effective_size(np.array([1e200, 1e200])) == 2.0
    for values, weight in (([1.0, math.inf], [1, 1]), ([1.0, 2.0], [0, 0])):
        ends = weighted_interval(np.array(values), np.array(weight), 0.6)
        assert all(map(math.isnan, ends))


@each_row("level", [0.6, 0.3, 0.05, 0.01])
@each_row("n", range(2, 10))
def test_an_interval_takes_as_many_queries_as_tell_something(level, n):
    """Two to the power of all but one of them has to be above one over the level."""
    least = next(m for m in range(2, 99) if Fraction(2, 2**m) < Fraction(str(level)))
    assert enough(level) == least
    values = np.arange(n, dtype=float)
    weight = np.ones(n)
    expected = stats.t.interval(1 - level, n - 1, values.mean(), stats.sem(values))
    for found, told in (
        (interval(values, level), n),
        (interval(values, level, telling=n - 1), n - 1),
        (weighted_interval(values, weight, level), n),
        (weighted_interval(values, weight, level, telling=values > 0), n - 1),
    ):
        if told < least:
            assert all(map(math.isnan, found))
        else:
            # The quantiles of t have nine digits in the oldest scipy that is admitted.
            assert found == pytest.approx(expected, rel=1e-8)
    share = {0.6: "40%", 0.3: "70%", 0.05: "95%", 0.01: "99%"}[level]
    words = f"low and high bound the {share} interval of the mean (Student's t)"
    assert interval_in_words(level, "the mean") == words
    lacking = interval_in_words(level, "the mean", lacking=" that differ")
    assert lacking == f"{words}; it takes {least} queries that differ"


def test_values_without_a_spread_or_without_end_have_no_interval():
    """Nor do values that are none; a level of 0 can never be reached."""
    for values in ([0.5] * 9, [math.nan, *range(9)], [math.inf, *range(9)]):
        assert all(map(math.isnan, interval(np.array(values, dtype=float), 0.05)))
    with pytest.raises(InputError, match="too small"):
        enough(0.0)
    assert student(0.4, 3) == pytest.approx(stats.t.isf(0.4, 3), rel=1e-9)


@each_row("trials", [1, 2, 10, 400])
@each_row("share", [0, 0.1, 0.5, 1])
@each_row("level", [0.05, 0.2])
def test_wilsons_interval_is_scipys(trials, share, level):
    """From 0 on if none passes, and up to 1 if all do."""
    passed = round(share * trials)
    theirs = stats.binomtest(passed, trials).proportion_ci(1 - level, method="wilson")
    assert wilson(passed, trials, level) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(("level", "power"), [(0.05, 1.0), (0.0, 0.8), (0.8, 0.8), (0.9, 0.8)])
def test_a_level_and_a_power_are_shares_in_this_order(level, power):
    """Whatever else is given."""
    for sd, n in ((1.0, 10), (math.nan, 10), (0.0, 10), (1.0, 1)):
        with pytest.raises(InputError, match="0 < level < power < 1"):
            minimum_detectable(sd, n, level=level, power=power)


def test_what_can_not_be_detected_has_no_number():
    """One query, or no spread known; without a spread any difference is found."""
    assert math.isnan(minimum_detectable(1.0, 1))
    assert math.isnan(minimum_detectable(math.nan, 10))
    assert math.isnan(minimum_detectable(-1.0, 10))
    assert minimum_detectable(0.0, 10) == 0.0
    assert minimum_detectable(3.0, 10) == pytest.approx(3 * minimum_detectable(1.0, 10))
    for odd in ({"test": "x"}, {"family": "x"}):
        with pytest.raises(InputError):
            TestPlan(**odd)
    assert TOLERANCE == 1e-12


# -- all pairs


def pairs_by_hand(apart):
    """Five runs of falling means, of which these pairs differ."""
    runs = "abcde"
    pairs = []
    for one, other in itertools.combinations(runs, 2):
        p = 0.01 if one + other in apart else 0.5
        pairs.append(PairOfRuns("RR", one, other, 0.1, 1.0, p, p))
    means = {run: 1 - place / 10 for place, run in enumerate(runs)}
    return AllPairs({"RR": means}, pairs, 0.05, "how", "", ())


@each_row("seed", range(25))
def test_runs_share_a_letter_exactly_if_they_do_not_differ(seed):
    """No letter can be left out; a is of the best run; tiers end above what differs."""
    rng = np.random.default_rng(seed)
    every = ["".join(pair) for pair in itertools.combinations("abcde", 2)]
    apart = [pair for pair in every if rng.uniform() < 0.4]
    found = pairs_by_hand(apart)
    letters = found.letters("RR")
    for pair in every:
        one, other = (set(letters[run]) for run in pair)
        assert bool(one & other) is (pair not in apart)
        assert found.differ("RR", *pair) is found.differ("RR", *reversed(pair)) is (pair in apart)
    of_letter = [
        {run for run in letters if letter in letters[run]}
        for letter in sorted(set("".join(letters.values())))
    ]
    assert all(not one < other for one in of_letter for other in of_letter)
    firsts = [sorted(runs) for runs in of_letter]
    assert firsts == sorted(firsts)
    tiers = [["a"]]
    for run in "bcde":
        if tiers[-1][0] + run in apart:
            tiers.append([run])
        else:
            tiers[-1].append(run)
    assert found.tiers() == tiers
    assert found.runs == [*"abcde"]


def test_letters_go_on_after_z():
    """In brackets, as spreadsheets count columns."""
    alphabet = [chr(97 + i) for i in range(26)]
    pairs = [f"({one}{other})" for one, other in itertools.product(alphabet, repeat=2)]
    assert [_letter(i) for i in range(26 + 26 * 26)] == alphabet + pairs
    assert _letter(26 + 26 * 26) == "(aaa)"


@pytest.mark.parametrize("runs", [2, 3])
@pytest.mark.parametrize("correction", ["holm", "tukey"])
def test_each_pair_of_runs_is_tested_and_corrected(runs, correction):
    """By scipy's t, and Holm's correction over the pairs; Tukey's needs none."""
    rng = np.random.default_rng(runs)
    scores = {name: rng.uniform(size=12) for name in "abc"[:runs]}
    scores["b"] = scores["a"] + 0.25  # a difference without a spread
    found, how = pairs_of("RR", scores, list(scores), correction, "t", seed=1, resamples=99)
    assert [(pair.run, pair.other) for pair in found] == [*itertools.combinations(scores, 2)]
    if correction == "tukey":
        assert how.startswith("Tukey's HSD")
        assert all(pair.p == pair.corrected for pair in found)
    else:
        over = f", corrected by Holm over the {len(found)} pairs of a measure" * (runs > 2)
        assert how == f"t test{over}"
    for pair in found:
        d = scores[pair.run] - scores[pair.other]
        assert pair.difference == pytest.approx(d.mean())
        if pair.run + pair.other == "ab":
            assert math.isnan(pair.effect)
            continue
        assert pair.effect == pytest.approx(d.mean() / d.std(ddof=1))
        if correction == "holm":
            assert pair.p == pytest.approx(stats.ttest_1samp(d, 0).pvalue)
    same, _ = pairs_of("RR", {"a": scores["a"], "b": scores["a"]}, ["a", "b"], "holm", "t")
    assert (same[0].effect, same[0].p) == (0.0, 1.0)


def test_words_of_a_seed_are_those_of_its_stream_before_and_after_what_is_kept():
    """Drawn in pieces that end before, at and after the last word that is kept."""
    kept = significance._KEPT
    for pieces in ([5, 7, kept], [kept - 1, 1, 3], [kept, 2, 2], [kept + 3, 4], [3, kept - 2, 9]):
        bits = significance._bits(11, 99)
        found = np.concatenate([bits.random_raw(count) for count in pieces])
        assert (found == np.random.PCG64(11).random_raw(sum(pieces))).all()
