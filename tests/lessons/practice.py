"""Chapters 14 to 26."""

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, permutations, product
from math import ceil, isclose, log
from typing import Any

import numpy as np
from scipy import stats

from dev.tools import quick
from dev.tools.notebooks import sets_up, sources
from irmetrics_edu import awrf, compare, evaluate, gini, kendall_tau, ndcg, tau_ap
from irmetrics_edu.course import load_collection, spread
from irmetrics_edu.course.collection.made_systems import made_qrels, made_run
from irmetrics_edu.gate import RankingAssertionError, assert_no_regression
from irmetrics_edu.lab import (
    Chance,
    RankingData,
    difference,
    ips,
    lambda_loss,
    lambdamart,
    listnet,
    made_queries,
    snips,
    team_draft,
)
from irmetrics_edu.runs import sign
from tests.lessons.claims import SEEDS, Claim, Lesson, Rule, names_of

# -- chapter 14: thresholds, and a gate


@functools.cache
def gates() -> dict[str, Any]:
    """The names of chapter 14, up to its gate on nights."""
    return names_of("14", stop="INDEX, TITLES")


def no_threshold_is_good_at_both(seed: int) -> bool:
    """Of sixty nights 0.72 has many false alarms, and 0.62 misses most of the losses."""
    nights, less = gates()["nights"], gates()["LESS"]
    alarms = sum(score < 0.72 for score in nights(25, seed=seed))
    caught = sum(score < 0.62 for score in nights(25, less, seed=seed))
    return alarms > 10 and caught < 20


TOKENIZER = "another tokenizer"


@functools.cache
def word_of(name: str, seed: int, queries: int = 40) -> str:
    """The verdict on a change whose new part is drawn with a seed."""
    word, _ = gates()["gate"](queries, **gates()["CHANGES"][name] | {"seed": seed})
    return str(word)


def fall_of(name: str, seed: int) -> float:
    """How far the mean over the whole log falls."""
    names = gates()
    changed = names["engine"](640, **names["CHANGES"][name] | {"seed": seed})
    after = evaluate(changed, names["judged"](640), "nDCG@10").mean["nDCG@10"]
    return float(np.mean(list(names["TODAY"].values())) - after)


def numbers_say_how_near(seed: int) -> bool:
    """An inconclusive gate that names over 3,000 queries saw a fall of 0.005 to 0.01."""
    names = gates()
    word, message = names["gate"](40, **names["CHANGES"][TOKENIZER] | {"seed": seed})
    if word != "inconclusive":
        return True
    [(fell, named)] = re.findall("fell by ([0-9.]+).* about ([0-9,]+) would", message)
    return int(named.replace(",", "")) <= 3000 or 0.005 < float(fell) < 0.01


@functools.cache
def other_log(seed: int) -> dict[str, Any]:
    """The names of chapter 14 where all queries and documents are drawn again."""
    queries = ("default_rng((11, i))", f"default_rng((11, {seed}, i))")
    return names_of("14", (queries,), stop="FELL = ")


def titles_are_stopped(seed: int) -> bool:
    """On another log the lighter titles lose more than the margin, and the gate fails."""
    names = other_log(seed)
    qrels = names["judged"](40)
    try:
        assert_no_regression(
            names["engine"](40, titles=0.8), names["engine"](40), qrels, "nDCG@10", margin=0.01
        )
    except RankingAssertionError:
        return True
    return False


def queries_differ_more(seed: int) -> bool:
    """The variance over queries is more than ten times that between the two versions."""
    names = other_log(seed)
    run, qrels = names["engine"](640, titles=0.8), names["judged"](640)
    less = evaluate(run, qrels, "nDCG@10").per_query["nDCG@10"]
    both = spread({"today": names["TODAY"], "less": less})
    return bool(both.mean_across_queries > 10 * both.mean_across_systems)


def no_threshold_is_good(seed: int) -> bool:
    """Each has more than six false alarms, or misses more than six of sixty nights of the loss."""
    names = gates()
    quiet = np.array(names["nights"](25, seed=seed))
    lost = np.array(names["nights"](25, names["LESS"], seed=seed))
    for threshold in (0.72, 0.7, 0.68, 0.66, 0.64, 0.62, 0.6):
        if (quiet < threshold).sum() <= 6 and (lost < threshold).sum() >= 54:
            return False
    return True


@functools.cache
def changes_of(name: str, seed: int) -> Any:
    """The difference of each query of the log when the new part is drawn with a seed."""
    names = gates()
    change = names["CHANGES"][name] | {"seed": seed}
    after = evaluate(names["engine"](640, **change), names["judged"](640), "nDCG@10")
    today = names["TODAY"]
    return np.array([after.per_query["nDCG@10"][query] - today[query] for query in today])


def forty_queries_miss_it(seed: int) -> bool:
    """Where the mean falls by 0.015, a t-test on 40 queries misses it in more than half of 60."""
    differences = changes_of(TOKENIZER, seed)
    shifted = differences - differences.mean() - 0.015
    chance = np.random.default_rng(seed)
    found = 0
    for _ in range(60):
        drawn = chance.choice(shifted, 40, replace=False)
        found += stats.ttest_1samp(drawn, 0).pvalue < 0.05
    return found < 30


def scatter_is_within_twice(seeds: range) -> bool:
    """The standard deviations over the 40 golden queries."""
    deviations = [changes_of(TOKENIZER, seed)[:40].std() for seed in seeds]
    return bool(max(deviations) < 2 * min(deviations))


def means_lie_within(seed: int) -> bool:
    """Of 1,000 means of 25 queries two in three within one standard error, 95 % within 1.96."""
    scores = np.array(list(gates()["TODAY"].values()))
    error = scores.std(ddof=1) / 25**0.5
    chance = np.random.default_rng(seed)
    means = np.array([chance.choice(scores, 25, replace=False).mean() for _ in range(1000)])
    off = abs(means - scores.mean()) / error
    return bool(abs((off < 1).mean() - 2 / 3) < 0.06 and abs((off < 1.96).mean() - 0.95) < 0.02)


def moves_a_few_far(seed: int) -> bool:
    """An index that hardly changes the mean, with a query that falls by more than 0.1."""
    differences = changes_of("another index", seed)
    return bool(abs(differences.mean()) < 0.005 and differences.min() < -0.1)


@functools.cache
def nights_of(name: str, seed: int) -> list[int]:
    """How often the gate passes, is inconclusive and fails, in ten nights drawn with a seed."""
    changes = [("np.random.default_rng(0), []", f"np.random.default_rng({seed}), []")]
    [path] = sources(["14"])
    [cell] = [code for _, code in quick.cells(path) if "def gated(" in code]
    names = dict(gates())
    for old, new in changes:
        assert old in cell
        cell = cell.replace(old, new)
    quick.execute(cell[: cell.index("INDEX, TITLES")], names, str(path))
    found: list[int] = names["gated"](names["CHANGES"][name], times=10)
    return found


def gate_says_too_few(seed: int) -> bool:
    """For the harmless index at least two of ten nights are inconclusive, at most two fail."""
    _, inconclusive, failed = nights_of("another index", seed)
    return inconclusive >= 2 and failed <= 2


# -- chapter 15: percentiles


def waits() -> Iterator[tuple[list[int], int]]:
    """Up to five waits with ties, and a percentile."""
    for length in range(1, 6):
        for taken in product((1, 2, 7), repeat=length):
            for percentile in (1, 50, 75, 90, 95, 99, 100):
                yield list(taken), percentile


def a_measured_wait_within_which_enough_were_answered(given: tuple[list[int], int]) -> bool:
    """The nearest rank."""
    taken, percentile = given
    wait = sorted(taken)[ceil(percentile * len(taken) / 100) - 1]
    within = sum(other <= wait for other in taken)
    return wait in taken and 100 * within >= percentile * len(taken)


# -- chapters 16 and 17: kappa, and pools


def two_lists_of_grades() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The grades of two assessors for four documents."""
    for first in product((0, 1, 2), repeat=4):
        for second in product((0, 1, 2), repeat=4):
            if len({*first, *second}) > 1:
                yield first, second


def kappa_is_no_higher(grades: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
    """Cohen's kappa is at most raw agreement."""
    first, second = grades
    raw = sum(a == b for a, b in zip(first, second, strict=True)) / 4
    chance = sum(first.count(g) * second.count(g) for g in (0, 1, 2)) / 16
    return chance == 1 or (raw - chance) / (1 - chance) <= raw + 1e-12


@functools.cache
def pools() -> dict[str, Any]:
    """The names of chapter 17, up to its ten worlds."""
    return names_of("17", stop="WORLDS =")


def many_topics_make_up_for_it(seed: int) -> bool:
    """Depth 1 is right more often than depth 10, if topics cost nothing."""
    names = pools()
    drawn = names["world"](seed)
    return bool(names["right"](drawn, 1, 0) > names["right"](drawn, 10, 0))


@functools.cache
def graded_with_errors(seed: int) -> list[str]:
    """The order of the three engines where a fifth of all grades is drawn at random."""
    collection = load_collection("stdlib")
    chance = np.random.default_rng(seed)
    qrels: dict[str, dict[str, int]] = {}
    for topic, of in collection.qrels["deep"].items():
        qrels[topic] = {}
        for document, grade in of.items():
            drawn = int(chance.integers(0, 4))
            qrels[topic][document] = drawn if chance.random() < 0.2 else grade
    means = {
        name: evaluate(run, qrels, "nDCG@10").mean["nDCG@10"]
        for name, run in collection.runs.items()
    }
    return sorted(means, key=lambda name: -means[name])


# -- chapter 18: sorting by clicks, and a draft


@functools.cache
def clicks() -> dict[str, Any]:
    """The names of chapter 18, up to its shops."""
    return names_of("18", stop="SHOPS,")


def s_stays_at_the_top(seed: int) -> bool:
    """In a year of 100 users a day, once s is first it is first on each later day."""
    names, order = clicks(), list("pqrs")
    chance = np.random.default_rng(seed)
    reached = False
    for _ in range(365):
        rates = names["EXAMINED"] * [names["ATTRACTS"][pan] for pan in order]
        order = [order[i] for i in np.argsort(-chance.binomial(100, rates), kind="stable")]
        if reached and order[0] != "s":
            return False
        reached = reached or order[0] == "s"
    return reached


def correction_finds_the_best(seed: int) -> bool:
    """From a week in which s was always at rank 4."""
    names = clicks()
    clicked = names["user"].simulate(list(names["ATTRACTS"].values()), 5000, Chance(seed))
    corrected = clicked.mean(axis=0) / names["EXAMINED"]
    return int(np.argmax(corrected)) == 3


def two_orders() -> Iterator[tuple[str, ...]]:
    """Every ranking of four documents, beside that of A."""
    return permutations("pqrs")


def a_random_click_prefers_nobody(other: tuple[str, ...]) -> bool:
    """Over all coins and all documents."""
    total = 0
    for coins in product("AB", repeat=2):
        draft = team_draft(list("pqrs"), list(other), first="".join(coins))
        total += sum(draft.credit([document]).sign for document in "pqrs")
    return total == 0


def fts5_is_near_bm25_alone(seed: int) -> bool:
    """By 1,000 impressions fts5 wins against lsa, and the sign test can't tell it from bm25."""
    [path] = sources(["18"])
    names = dict(drafts())
    for _, code in quick.cells(path):
        if "def drafted_signs(" in code:
            quick.execute(code, names, str(path))
    names["Chance"] = lambda _: Chance(seed)
    p = {}
    for other in ("bm25", "lsa"):
        signs = names["drafted_signs"]("fts5", other)
        wins, losses = signs.count(1), signs.count(-1)
        p[other] = stats.binomtest(wins, wins + losses).pvalue
    return bool(p["lsa"] < 0.05 <= p["bm25"])


@functools.cache
def drafts() -> dict[str, Any]:
    """The names of chapter 18, up to its five repetitions."""
    return names_of("18", stop="drawn_powers =")


def interleaving_needs_fewer(seed: int) -> bool:
    """Of a hundred experiments 4,000 sessions find B more often than 8,000 of an A/B test."""
    powers = drafts()["powers_of"](seed)
    half, whole = (drafts()["SIZES"].index(size) for size in (4000, 8000))
    return bool(powers["interleaving"][half] > powers["A/B test"][whole])


# -- chapter 19: the bound, and trees


def scored_queries() -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
    """Two or three documents, one of them relevant, in all orders of scores at three scales."""
    for n in (2, 3):
        for grades in product((0, 1, 2, 3), repeat=n):
            for order in permutations(range(n)):
                for scale in (0.1, 1.0, 4.0):
                    if any(grades):
                        yield grades, tuple(scale * place for place in order)


def loss_is_a_bound(given: tuple[tuple[int, ...], tuple[float, ...]]) -> bool:
    """1 - nDCG, the swaps of the wrong pairs, and the lambda loss in base 2: in this order."""
    grades, scores = given
    n = len(grades)
    query = RankingData(np.zeros((n, 1)), np.array(grades), ["q"] * n, list("abc")[:n])
    worked = lambda_loss(query, np.array(scores))
    order = sorted(range(n), key=lambda i: -scores[i])
    missing = 1 - ndcg([grades[i] for i in order])
    wrong = worked["|delta nDCG|"][worked["margin"] <= 0].sum()
    return bool(missing <= wrong + 1e-9 and wrong <= worked.value / log(2) + 1e-9)


@functools.cache
def trees() -> dict[str, Any]:
    """The names of chapter 19, but for its slow cells."""
    return names_of("19", stop="halves =", without="few = pages(8, seed=0)")


def gap_grows(seed: int) -> bool:
    """Between training and test, from 20 to 200 trees."""
    halves = made_queries(60, 15, 5, noise=0.5, seed=seed).split(0.5, seed=0)
    values = np.array(trees()["by_rounds"](*halves))
    gap = values[:, 0] - values[:, 1]
    return bool(gap[-1] > gap[trees()["ROUNDS"].index(20)])


def trees_find_the_length(seed: int) -> bool:
    """LambdaMART is above ListNet on new queries, by more than 0.15."""
    pages = trees()["pages"]
    known, unseen = pages(40, seed=seed), pages(40, seed=1000 + seed)
    line = listnet(known.normalised()).run(unseen.normalised())
    tree = lambdamart(known, "nDCG@5", rounds=50).run(unseen)
    of_line, of_tree = (
        evaluate(run, unseen.qrels, "nDCG@5").mean["nDCG@5"] for run in (line, tree)
    )
    return of_tree > of_line + 0.15


# -- chapter 20: a reader who loses the middle


def ends_are_used(n: int) -> bool:
    """With certainty, however many contexts there are, and no place more than they are."""
    used = names_of_17()["used"](n)
    return isclose(used[0], 1) and isclose(used[-1], 1) and bool((used <= 1 + 1e-12).all())


@functools.cache
def names_of_17() -> dict[str, Any]:
    """The names of chapter 20, up to the reader."""
    return names_of("20", stop="BEST_FIRST, AT_THE_ENDS")


# -- chapter 21: temperatures


def loss_falls_and_rises(seed: int) -> bool:
    """EE-L is least at a temperature between the lowest and the highest."""
    changes = [("samples=300, seed=0)", f"samples=300, seed={seed})")]
    worked = names_of("21", changes=changes, stop="NDCG =")["WORKED"]
    losses = [worked[temperature].value for temperature in (0, 1, 20)]
    return bool(losses[1] < losses[0] and losses[1] < losses[2])


@functools.cache
def policies() -> dict[str, Any]:
    """The names of chapter 21, up to its figure of the policies."""
    return names_of("21", stop="def policy(")


def temperature_costs(seed: int) -> bool:
    """From each temperature to the next one disparity and mean nDCG fall."""
    names = policies()
    at_each = [names["disparity_and_ndcg"](t, seed)[:2] for t in names["TEMPERATURES"]]
    return bool((np.diff(np.array(at_each), axis=0) < 0).all())


def some_best_labels_are_mixed(_: None) -> bool:
    """Of some rankings the highest AWRF comes from labels of both groups, of others it doesn't."""
    found = set()
    for known in product("xy", repeat=5):
        for unknown in combinations(range(5), 2):
            scores = {}
            for guess in product("xy", repeat=2):
                given = list(known)
                for place, group in zip(unknown, guess, strict=True):
                    given[place] = group
                labels = {item: {group} for item, group in zip("abcde", given, strict=True)}
                scores[guess] = awrf(list("abcde"), labels, target={"x": 0.5, "y": 0.5})
            one_group = max(scores["x", "x"], scores["y", "y"])
            found.add(max(scores.values()) > one_group + 1e-9)
    return found == {True, False}


# -- chapter 22: clicks that make their own order


@functools.cache
def loop() -> dict[str, Any]:
    """The names of chapter 22, up to its ten repetitions."""
    return names_of("22", stop="WORLDS = {")


def one_album_gets_half(seed: int) -> bool:
    """Of eight equally good albums, the most clicked one has about half of 1,000 clicks."""
    return bool(0.45 <= loop()["clicks_after"](1000, 0, seed).max() / 1000 <= 0.55)


def gini_falls(seed: int) -> bool:
    """From each share of random sessions to the next one of the slider."""
    clicks = [loop()["clicks_after"](1000, share, seed) for share in (0, 0.1, 0.25, 0.5, 1)]
    uneven = [gini(dict(enumerate(one.tolist()))) for one in clicks]
    return uneven == sorted(uneven, reverse=True)


def a_quarter_leaves_the_loop(seed: int) -> bool:
    """With a quarter of random sessions one of eight albums has 0.35 to 0.45 of the clicks."""
    most = loop()["clicks_after"](1000, 0.25, seed).max() / 1000
    return bool(0.35 <= most <= 0.45)


def chance_chose_it(seed: int) -> bool:
    """The album that leads after 100 of these sessions leads after 1,000."""
    names = loop()
    rng = np.random.default_rng(seed)
    clicks, early = np.zeros(8, dtype=int), -1
    for session in range(1000):
        by_clicks = np.zeros(8) if rng.random() < 0.25 else clicks
        order = np.lexsort((rng.random(8), -by_clicks))
        clicks[order[rng.choice(8, p=names["ATTENTION"])]] += 1
        if session == 99:
            early = int(clicks.argmax())
    return int(clicks.argmax()) == early


# -- chapters 23 and 24: people beside a model


@functools.cache
def answers() -> dict[str, Any]:
    """The names of chapter 23, up to its 300 worlds, without its ten systems."""
    cells = names_of("23", stop="CLAIMS = {")
    cells.update(names_of_part("24", "def three_estimates", "drawn_worlds ="))
    return cells


def names_of_part(
    chapter: str, within: str, stop: str, changes: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """The names of the one cell that has a text, after the imports of its chapter."""
    [path] = sources([chapter])
    names: dict[str, Any] = {"np": np, "TRULY_GOOD": 0.6, "LABELLED": 2000, "BY_HAND": 100}
    cells = [code for _, code in quick.cells(path)]
    for code in cells:
        if sets_up(code):
            quick.execute(code, names, str(path))
    [found] = [code for code in cells if within in code]
    for old, new in changes:
        assert old in found, f"chapter {chapter} has no {old}"
        found = found.replace(old, new)
    quick.execute(found[: found.index(stop)], names, str(path))
    return names


def both_err_less_than_people(seed: int) -> bool:
    """The standard error of both together is below that of people alone."""
    (_, _), (_, people), (_, both) = answers()["three_estimates"](seed)
    return bool(both < people)


@functools.cache
def judged_by_a_style(seed: int) -> dict[str, Any]:
    """The ten systems of chapter 24 by the labels of people and of the model."""
    changes = [("default_rng(0)\nWORTH", f"default_rng({seed})\nWORTH")]
    return names_of_part("24", "WORTH, STYLE, VIEW_NOISE =", "predict(", changes)


def the_friend_climbs_to_the_top(seed: int) -> bool:
    """LM is first by a model with a bias of 0.5, and not by people."""
    names = judged_by_a_style(seed)
    return next(iter(names["SEEN"][0.5])) == "LM" != next(iter(names["TRUE"]))


def the_others_keep_their_order(seed: int) -> bool:
    """Of the 36 pairs of the other nine at most three are turned round, at every bias."""
    names = judged_by_a_style(seed)
    by_people = [system for system in names["TRUE"] if system != "LM"]
    for seen in names["SEEN"].values():
        by_model = [system for system in seen if system != "LM"]
        turned = 0
        for one, other in combinations(by_people, 2):
            turned += by_model.index(one) > by_model.index(other)
        if turned > 3:
            return False
    return True


def kappa_loses_little(seed: int) -> bool:
    """From no bias to one of 0.25 between 0.02 and 0.06."""
    kappa = judged_by_a_style(seed)["KAPPA"]
    return bool(0.02 <= round(kappa[0] - kappa[0.25], 2) <= 0.06)


def gains_two_places(seed: int) -> bool:
    """With a bias of 0.25, against the order by people."""
    names = judged_by_a_style(seed)
    return list(names["TRUE"]).index("LM") - list(names["SEEN"][0.25]).index("LM") >= 2


def the_top_falls_most(seed: int) -> bool:
    """From no bias to the largest tau-AP falls by more than tau."""
    names = judged_by_a_style(seed)
    true, unbiased, biased = (list(names["TRUE"]), *(list(names["SEEN"][b]) for b in (0, 0.75)))
    by_top = tau_ap(unbiased, true) - tau_ap(biased, true)
    return bool(by_top > kendall_tau(unbiased, true) - kendall_tau(biased, true))


def numbers_of_errors_mislead(seed: int) -> bool:
    """Of 200 such judges, without a bias, the sign test calls more than half biased."""
    rng = np.random.default_rng(seed)
    of_short, of_long = rng.binomial(80, 0.25, 200), rng.binomial(20, 0.25, 200)
    biased = [sign(int(a), int(b)) < 0.05 for a, b in zip(of_short, of_long, strict=True)]
    return sum(biased) > 100


def formula_errs_little(seed: int) -> bool:
    """Its standard error beside the spread of the estimates of 300 worlds: within a tenth."""
    worlds = [answers()["three_estimates"](300 * seed + world)[2] for world in range(300)]
    spread_of_them = np.std([estimate for estimate, _ in worlds])
    return bool(abs(np.mean([error for _, error in worlds]) / spread_of_them - 1) < 0.1)


# -- chapter 7: a rewrite that is not inferior


@functools.cache
def rewrites(seed: int) -> dict[int, Any]:
    """The rewrite of chapter 7 beside the old engine, over other queries."""
    names = names_of_part("07", "def tested(", "made = {")
    names["made_run"] = functools.partial(made_run, draw=(seed,))
    return {n: names["tested"](n, 0, 5) for n in (20, 50, 200)}


def no_twin_differs(seed: int) -> bool:
    """By Tukey's HSD over seven systems, where old and four twins are equally good."""
    qualities = {"old": 0.0, "better": 0.2, "best": 0.4}
    qualities |= {f"twin {i}": 0.0 for i in range(1, 5)}
    runs = {
        name: made_run(50, quality, own, draw=(seed,))
        for own, (name, quality) in enumerate(qualities.items(), 1)
    }
    for pair in compare(runs, made_qrels(50), "AP").all_pairs("tukey").pairs:
        of_equals = qualities[pair.run] == qualities[pair.other]
        if of_equals and pair.corrected < 0.05:
            return False
    return True


def lucky_samples_pass(seed: int) -> bool:
    """Of 200 samples of ten queries, nine in ten of those that are significant overestimate."""
    names = chapter_6()
    true = names["drawn_anew"](5000, 0).mean()
    over = []
    for i in range(200):
        differences = names["drawn_anew"](10, 1000 + 200 * seed + i)
        if stats.ttest_1samp(differences, 0).pvalue < 0.05:
            over.append(differences.mean() > true)
    return bool(np.mean(over) > 0.9)


@functools.cache
def chapter_6() -> dict[str, Any]:
    """The names of chapter 6."""
    return names_of("06", stop="SIZES = (10")


def is_shown_not_inferior(seed: int, queries: int) -> bool:
    """By a one-sided t-test at the margin 0.03."""
    result = rewrites(seed)[queries]
    error = (result.high - result.low) / 2 / stats.t.ppf(0.975, queries - 1)
    return bool(stats.t.sf((result.mean + 0.03) / error, queries - 1) < 0.05)


# -- chapter 25: a leak


@functools.cache
def neural() -> dict[str, Any]:
    """The names of chapter 25, up to its table of an index of lists."""
    return names_of("25", stop="PROBES = [")


@functools.cache
def recalls(seed: int) -> list[float]:
    """The recall of the index with 1, 4 and 8 lists probed."""
    of = neural()
    centres, lists = of["in_lists"](of["neural"].documents, of["LISTS"], seed=seed)
    return [of["probing"](probes, centres, lists)[0] for probes in (1, 4, 8)]


def lists_hang_on_chance(seed: int) -> bool:
    """Within 0.09 of the first seed, which the chapter shows, and more lists find more."""
    found, shown = recalls(seed), recalls(0)
    near = all(abs(one - other) < 0.09 for one, other in zip(found, shown, strict=True))
    return near and found == sorted(found)


def test_shows_no_leak(seed: int) -> bool:
    """With the leak the test score is higher by more than 0.1, on new queries."""
    honest = made_queries(60, 15, 4, noise=0.7, seed=seed)
    clicks_later = honest.grade + np.random.default_rng((1, seed)).normal(0, 0.5, len(honest.grade))
    leaky = RankingData(
        np.column_stack([honest.features, clicks_later]),
        honest.grade,
        honest.query,
        honest.document,
        feature_names=(*honest.feature_names, "clicks"),
    )
    scores = []
    for data in (honest, leaky):
        half, other = data.split(0.5, seed=0)
        run = lambdamart(half, "nDCG@5", rounds=20).run(other)
        scores.append(evaluate(run, other.qrels, "nDCG@5").mean["nDCG@5"])
    return scores[1] > scores[0] + 0.1


# -- chapter 26: sessions, looks and weights


@functools.cache
def tests_online() -> dict[str, Any]:
    """The names of chapter 26, up to the capital of the bet."""
    return names_of("26", stop="better = chance.uniform")


def sessions_alarm(seed: int) -> bool:
    """Of 300 A/A tests more than a tenth alarm by sessions, and less than a tenth by users."""
    chance = Chance(seed)
    rates = np.where(chance.uniform(300, 2, 200) < 0.5, 0.1, 0.5)
    clicked = chance.uniform(300, 2, 200, 10) < rates[..., None]
    alarms = tests_online()["false_alarms"]
    return bool(alarms(clicked.reshape(300, 2, -1)) > 0.1 > alarms(clicked.mean(axis=3)))


def bet_keeps_its_promise(seed: int) -> bool:
    """Of 300 A/A tests at most one in twenty reaches twenty euros, with a look after each user."""
    clicked = Chance(seed).uniform(300, 2, 2000) < 0.3
    _, capital = tests_online()["capital"](clicked)
    return bool((capital >= 20).any(axis=1).mean() <= 0.05)


def by_users_near_the_level(seed: int) -> bool:
    """Of the 1,000 A/A tests of the chapter."""
    chance = Chance(seed)
    rates = np.where(chance.uniform(1000, 2, 200) < 0.5, 0.1, 0.5)
    clicked = chance.uniform(1000, 2, 200, 10) < rates[..., None]
    return bool(0.025 <= tests_online()["false_alarms"](clicked.mean(axis=3)) <= 0.075)


def early_looks_break_the_promise(seed: int) -> bool:
    """With looks from the second user on, and a large effect hoped for."""
    names = names_of_tests_that_look_early()
    clicked = Chance(seed).uniform(500, 2, 2000) < 0.3
    with np.errstate(all="ignore"):
        _, capital = names["capital"](clicked)
    return bool(0.06 < (np.nan_to_num(capital) >= 20).any(axis=1).mean() < 0.14)


@functools.cache
def names_of_tests_that_look_early() -> dict[str, Any]:
    """The names of chapter 26 with looks from the second user on and tau = 0.3."""
    changes = (("np.arange(50, 2001)", "np.arange(2, 2001)"), ("HOPED = 0.03", "HOPED = 0.3"))
    return names_of("26", changes, stop="better = chance.uniform")


def one_look_finds_more(seed: int) -> bool:
    """Of 300 tests with a lift of 0.04."""
    clicked = Chance(seed).uniform(300, 2, 2000) < np.array([0.30, 0.34])[:, None]
    z, capital = tests_online()["capital"](clicked)
    found = (abs(z[:, -1]) > 1.96).mean()
    return bool(found > (capital >= 20).any(axis=1).mean())


@functools.cache
def of_old_logs() -> dict[str, Any]:
    """The names of chapter 26, up to its 300 logs."""
    return names_of("26", stop="of_old = Chance(5)")


def snips_spreads_less(seed: int) -> bool:
    """Over 300 logs of 200 lines: less spread than IPS, and a mean near the truth."""
    names, chance = of_old_logs(), Chance(seed)
    by_ips, by_snips = [], []
    for _ in range(300):
        rewards, chosen = names["a_log"](names["OLD_POLICY"], chance)
        both = (names["probabilities"](names[p], chosen) for p in ("OLD_POLICY", "NEW_POLICY"))
        log_of_lines = (rewards, *both)
        by_ips.append(ips(*log_of_lines).value)
        by_snips.append(snips(*log_of_lines).value)
    near = abs(np.mean(by_snips) - names["TRUTH"]) < 0.015
    return bool(near and np.std(by_snips) < np.std(by_ips))


def two_small_groups() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Two groups of two to four units with the values 0, 1 and 4, not all alike."""
    groups: list[tuple[int, ...]] = []
    for n in (2, 3, 4):
        groups += [one for one in combinations_with_replacement((0, 1, 4), n) if len(set(one)) > 1]
    return product(groups, repeat=2)


def freedom_is_between(groups: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
    """Welch's number, beside those of the smaller group and of both together."""
    found = difference(*(np.array(group, dtype=float) for group in groups))
    freedom = found["degrees of freedom"]
    sizes = [len(group) for group in groups]
    return bool(min(sizes) - 1 - 1e-9 <= freedom <= sum(sizes) - 2 + 1e-9)


def small_logs() -> Iterator[tuple[list[int], list[float], list[float]]]:
    """Rewards of three lines, with probabilities under the old and the new policy."""
    for rewards in product((0, 1), repeat=3):
        for logged in product((0.1, 0.5, 0.9), repeat=3):
            for new in product((0.2, 0.7), repeat=3):
                yield list(rewards), list(logged), list(new)


def snips_stays_in_range(log_of_three: tuple[list[int], list[float], list[float]]) -> bool:
    """Between the lowest and the highest reward."""
    rewards = log_of_three[0]
    return bool(
        min(rewards) - 1e-12 <= snips(*map(np.array, log_of_three)).value <= max(rewards) + 1e-12
    )


CLAIMS: list[Claim] = [
    Lesson(
        "14",
        "A high threshold has many false alarms. A low one catches little.",
        "sixty nights of 25 queries",
        no_threshold_is_good_at_both,
    ),
    Lesson(
        "14",
        "The queries differ far more than the two versions do on one query.",
        "640 queries of another log",
        queries_differ_more,
    ),
    Lesson(
        "14",
        "The gate stops the harmful change",
        "the 40 golden queries of another log",
        titles_are_stopped,
    ),
    Lesson(
        "14",
        "Over the whole log each of these indexes changes the mean by less than 0.005, ",
        "the new part of the index",
        lambda seed: abs(fall_of("another index", seed)) < 0.005,
        told=30,
    ),
    Lesson(
        "14",
        "and each tokenizer loses more than the team tolerates.",
        "the new part of the tokenizer",
        lambda seed: fall_of(TOKENIZER, seed) > 0.01,
        told=30,
    ),
    Lesson(
        "14",
        "320 queries find the fall in all of them.",
        "the new part of the tokenizer",
        lambda seed: word_of(TOKENIZER, seed, 320) == "fail",
        told=30,
    ),
    Lesson(
        "14",
        "a very large number says that the mean of this sample is just inside the limit.",
        "the new part of the tokenizer",
        numbers_say_how_near,
    ),
    Lesson(
        "14",
        "None of these thresholds is good at both.",
        "sixty nights of 25 queries: good is at most 6 false alarms, and 54 caught",
        no_threshold_is_good,
    ),
    Lesson(
        "14",
        "With 40 such queries a test usually misses a real fall of 0.015.",
        "the new part of the tokenizer, and sixty samples of 40 queries",
        forty_queries_miss_it,
    ),
    Lesson(
        "14",
        "Two means in three lie within one standard error of the mean of all queries, and 95 in "
        "100 within 1.96.",
        "1,000 samples of 25 queries",
        means_lie_within,
    ),
    Rule(
        "14",
        "The largest scatter of a draw is less than twice the smallest.",
        "the 30 draws of the chapter",
        lambda: [SEEDS],
        scatter_is_within_twice,
    ),
    Lesson(
        "14",
        "Many harmless changes move a few queries far",
        "the new part of the index",
        moves_a_few_far,
    ),
    Lesson(
        "14",
        "For the harmless change 25 queries are often too few, and the gate says so.",
        "ten nights of 25 queries",
        gate_says_too_few,
    ),
    Lesson(
        "14",
        "The gate stops the harmful change in ",
        "ten nights of 25 queries",
        lambda seed: nights_of("less weight on titles", seed)[2] >= 9,
    ),
    Lesson(
        "14",
        "confidence=0.95 makes false alarms rare, but not impossible.",
        "ten nights of 25 queries with a change that hardly changes the mean",
        lambda seed: nights_of("another index", seed)[2] <= 1,
    ),
    Rule(
        "15",
        "It always gives a wait that was measured.",
        "up to five waits and seven percentiles",
        waits,
        a_measured_wait_within_which_enough_were_answered,
    ),
    Rule(
        "16",
        "Kappa is never above raw agreement.",
        "three grades of four documents by two assessors",
        two_lists_of_grades,
        kappa_is_no_higher,
    ),
    Lesson(
        "17",
        "A shallow pool makes the difference more noisy, but the many topics make up for it.",
        "a world of 2,000 topics",
        many_topics_make_up_for_it,
    ),
    Lesson(
        "17",
        "Where assessors err alike for all systems, the order mostly holds.",
        "a fifth of the grades of the collection",
        lambda seed: graded_with_errors(seed) == ["fts5", "bm25", "lsa"],
    ),
    Lesson(
        "18",
        "once s has reached rank 1, it stays there.",
        "a year of 100 users a day",
        s_stays_at_the_top,
    ),
    Lesson(
        "18",
        "The correction finds that s is the best pan",
        "a week of 5,000 users",
        correction_finds_the_best,
    ),
    Lesson(
        "18",
        "With very many users a day nothing moves, although s is the best pan.",
        "a year of 100,000 users a day",
        lambda seed: clicks()["best_rank"](100_000, seed) == 4,
    ),
    Lesson(
        "18",
        "So a small log mixes, and a large log freezes.",
        "a year of 100 users a day",
        lambda seed: clicks()["best_rank"](100, seed) == 1,
    ),
    Lesson(
        "18",
        "fts5 is far ahead of lsa, and about as good as bm25.",
        "1,000 impressions of each pair",
        fts5_is_near_bm25_alone,
    ),
    Rule(
        "18",
        "In the team draft a random click prefers nobody.",
        "all rankings of four documents, all coins",
        two_orders,
        a_random_click_prefers_nobody,
    ),
    Lesson(
        "18",
        "With 4,000 sessions interleaving finds B more often than the A/B test does with 8,000.",
        "a hundred experiments of each kind",
        interleaving_needs_fewer,
    ),
    Rule(
        "19",
        "For a query with a relevant document they always stand in this order.",
        "two or three documents of grades 0 to 3, in all orders, at three scales",
        scored_queries,
        loss_is_a_bound,
    ),
    Lesson(
        "19",
        "The training score goes on rising, and the test score does not follow.",
        "60 queries, half of them to learn from",
        gap_grows,
    ),
    Lesson(
        "19",
        "ListNet can prefer long pages or short pages. Neither is right, so it learns the match",
        "40 queries to learn from and 40 others",
        trees_find_the_length,
    ),
    Rule(
        "20",
        "the probability is 1 at both ends, and falls evenly towards the middle.",
        "1 to 30 contexts",
        lambda: range(1, 31),
        ends_are_used,
    ),
    Lesson(
        "21",
        "Neither: the loss falls until temperature 1, and then rises.",
        "300 rankings at each temperature",
        loss_falls_and_rises,
    ),
    Lesson(
        "21",
        "Mean nDCG falls and the disparity EE-D falls.",
        "300 rankings at each of seven temperatures",
        temperature_costs,
    ),
    Rule(
        "21",
        "highest value may come from items of both groups.",
        "five items of two groups, of which two have no label",
        lambda: [None],
        some_best_labels_are_mixed,
    ),
    Lesson(
        "22",
        "With a quarter of random sessions one album still has about 0.4 of the clicks",
        "1,000 sessions with eight equally good albums",
        a_quarter_leaves_the_loop,
    ),
    Lesson(
        "22",
        "and chance chose it at the beginning.",
        "1,000 sessions with eight equally good albums",
        chance_chose_it,
    ),
    Lesson(
        "22",
        "The album ahead gets about half of all clicks",
        "1,000 sessions with eight equally good albums",
        one_album_gets_half,
    ),
    Lesson(
        "22",
        "With more random sessions the Gini coefficient falls.",
        "1,000 sessions at each of five shares",
        gini_falls,
    ),
    Lesson(
        "24",
        "Both together are right, with a smaller error than people alone.",
        "2,000 answers, 100 of them labelled by people",
        both_err_less_than_people,
    ),
    Lesson(
        "24",
        "But LM climbs to the top.",
        "a hundred topics, ten systems and two judges",
        the_friend_climbs_to_the_top,
    ),
    Lesson(
        "24",
        "In 30 worlds (seeds 0 to 29) kappa loses 0.02 to 0.06 at a bias of 0.25.",
        "a hundred topics, ten systems and two judges",
        kappa_loses_little,
        told=30,
    ),
    Lesson(
        "24",
        "LM gains at least two places in 29 of them.",
        "a hundred topics, ten systems and two judges",
        gains_two_places,
        told=29,
    ),
    Lesson(
        "24",
        "Of the 36 pairs of ordinary systems none to three are turned round.",
        "a hundred topics, ten systems and two judges",
        the_others_keep_their_order,
        told=30,
    ),
    Lesson(
        "24",
        "tau-AP falls most, because the damage is at the top.",
        "a hundred topics, ten systems and two judges",
        the_top_falls_most,
    ),
    Lesson(
        "24",
        "The sign test would call that a bias, but both rates are 0.25.",
        "200 judges that err in a quarter of all pairs",
        numbers_of_errors_mislead,
    ),
    Lesson(
        "24",
        "It errs little if $n$ is small beside $N$, as here.",
        "300 worlds of 2,000 answers",
        formula_errs_little,
    ),
    Lesson(
        "07",
        "No twin differs from another one ",
        "50 queries and seven systems",
        no_twin_differs,
    ),
    Lesson(
        "07",
        "A difference that is significant in spite of a low power often overestimates the true one",
        "200 samples of ten queries",
        lucky_samples_pass,
    ),
    Lesson(
        "07",
        "in 9 that they are not inferior with 20 queries",
        "20 queries, and two engines that are equally good",
        functools.partial(is_shown_not_inferior, queries=20),
        told=9,
    ),
    Lesson(
        "07",
        "in 14 with 50",
        "50 queries, and two engines that are equally good",
        functools.partial(is_shown_not_inferior, queries=50),
        told=14,
    ),
    Lesson(
        "07",
        "and in 26 with 200.",
        "200 queries, and two engines that are equally good",
        functools.partial(is_shown_not_inferior, queries=200),
        told=26,
    ),
    Lesson(
        "25",
        "other first centres give other lists, and a recall that differs by a few hundredths.",
        "the first centres of 40 lists",
        lists_hang_on_chance,
    ),
    Lesson(
        "25",
        "No. The test queries have the same leak.",
        "60 queries and the clicks on them",
        test_shows_no_leak,
    ),
    Lesson(
        "26",
        "The ten sessions of a user are alike.",
        "300 A/A tests of 400 users",
        sessions_alarm,
    ),
    Lesson(
        "26",
        "The anytime-valid test keeps its promise however often you look.",
        "300 A/A tests of 4,000 users",
        bet_keeps_its_promise,
    ),
    Lesson(
        "26",
        "in 30 draws of such tests it goes from 0.03 to 0.07.",
        "1,000 A/A tests of 400 users",
        by_users_near_the_level,
        told=30,
    ),
    Lesson(
        "26",
        r"$\tau=0.3$ about one in ten A/A tests has a false alarm.",
        "500 A/A tests of 4,000 users",
        early_looks_break_the_promise,
    ),
    Lesson(
        "26",
        "at the end it finds a lift less often than one look does.",
        "300 tests of 4,000 users with a lift of 0.04",
        one_look_finds_more,
    ),
    Lesson(
        "26",
        "SNIPS has a bias, too small to see here, and a smaller spread.",
        "300 logs of 200 lines",
        snips_spreads_less,
    ),
    Rule(
        "26",
        "For two groups Welch's number lies between that of the smaller group and that of both "
        "together.",
        "two groups of up to four units",
        two_small_groups,
        freedom_is_between,
    ),
    Rule(
        "26",
        "It is a weighted mean, so it can't leave the range of the rewards.",
        "logs of three lines",
        small_logs,
        snips_stays_in_range,
    ),
]
