# %% [markdown]
# # 14. Gates: tests that don't fail by chance
#
# **Goals.** After this notebook you can
#
# - explain why a threshold on a noisy metric fails at random;
# - compare two versions query by query, and read what a failed gate says;
# - use a gate that says pass, fail or *inconclusive*, and plan how many queries it needs;
# - keep a reviewed baseline in a repository, and decide what stops a release.
#
# **Time.** 60 minutes, and 10 more for the real collection.
# **Needs.** Notebooks 6 (p-values and power), 7 (standard error) and 13 (assertions).

# %%
import re
import warnings
from functools import cache
from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import compare, evaluate, mean, ndcg
from irmetrics_edu.course import (
    Repository,
    figure,
    load_collection,
    predict,
    quiz,
    quote,
    reading,
    reveal,
    slider,
    spread,
    table,
    terms,
    verbatim,
)
from irmetrics_edu.gate import RankingAssertionError, assert_no_regression
from irmetrics_edu.runs import minimum_detectable
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter quotes *document 004*, the slides of two lectures on evaluation and learning to rank.
# They are in Chinese. The text below calls them *the lecture*. These are the words of this chapter:

# %%
terms("baseline", "variance", "p-value", "statistical power")

# %% [markdown]
# ## A test that fails by chance
#
# The search team of a shop has a test (notebook 13). Each night it judges a sample of the night's
# queries, and asks for nDCG@10 of at least 0.7. The engine has not changed for weeks. But the test
# fails now and then. The lecture says what happens:

# %%
quote(
    "004",
    "对于一个测试文档集合,检索系统常常对有的查询表现的很好,而对有的查询表现很差",
    "On one test collection, a system often does very well on some queries and very badly on "
    "others.",
)

# %% [markdown]
# First we use made-up data. Each query has 30 documents, and eight are relevant.
# The score of a document is a part that follows its grade (*titles*) plus a random part. A change
# of the engine can lower the weight of titles, or replace some of the random part by new random
# numbers.

# %%
SCALE = [3, 3, 2, 2, 1, 1, 1, 1] + [0] * 22


def judged(n):
    """The judgments of the first n queries."""
    return {f"q{i:03d}": {f"d{j:02d}": g for j, g in enumerate(SCALE)} for i in range(1, n + 1)}


@cache
def engine(n, *, titles=1.0, new=0.0, seed=0):
    """What the engine finds for the first n queries, with a weight for titles and a new part."""
    run = {}
    for i in range(1, n + 1):
        chance = np.random.default_rng((11, i))
        clear, arbitrary = chance.uniform(0.1, 1.6), chance.normal(size=len(SCALE))
        other = np.random.default_rng((12, seed, i)).normal(size=len(SCALE))
        scores = titles * clear * np.array(SCALE)
        scores += (1 - new**2) ** 0.5 * arbitrary + new * other
        run[f"q{i:03d}"] = {f"d{j:02d}": round(s, 6) for j, s in enumerate(scores.tolist())}
    return run


LOG, NIGHTS, THRESHOLD = 640, 60, 0.7
TODAY = evaluate(engine(LOG), judged(LOG), "nDCG@10").per_query["nDCG@10"]


def nights(n, scores=TODAY, seed=0):
    """The mean over n queries drawn from the log, for each of sixty nights."""
    chance, each = np.random.default_rng(seed), np.array(list(scores.values()))
    return [float(chance.choice(each, n, replace=False).mean()) for _ in range(NIGHTS)]


def below(threshold, n, scores=TODAY):
    """In how many of sixty nights the mean is below a threshold, for each of 100 repetitions."""
    return [sum(s < threshold for s in nights(n, scores, seed)) for seed in range(100)]


# %% [markdown]
# How far does the mean of a sample lie from the mean of all queries? The standard error (notebook
# 7) says it: the standard deviation of the scores, divided by the root of the number of queries.
# Two means in three lie within one standard error of the mean of all queries, and 95 in 100 within
# 1.96.

# %%
FELL = below(THRESHOLD, 25)
DEVIATION = float(np.std(list(TODAY.values()), ddof=1))
ERROR = DEVIATION / 25**0.5
predict(
    f"Over all {LOG} queries of the log the engine has {mean(TODAY):.3f}, with a standard "
    f"deviation of {DEVIATION:.3f}. The threshold is {THRESHOLD}. Each night has a sample of 25 "
    f"queries. In about how many of {NIGHTS} nights is the mean of the sample below the threshold?",
    mean(FELL),
    between=tuple(np.percentile(FELL, [2.5, 97.5]).round().tolist()),
    mistaken={
        0: f"The mean of 25 queries scatters, and {mean(TODAY):.3f} is close to 0.7.",
        30: f"That is the number of nights below {mean(TODAY):.3f}, the mean of all queries.",
    },
)

# %%
SHARE_BELOW = NormalDist(mean(TODAY), ERROR).cdf(THRESHOLD)
reveal(
    f"The standard error is {DEVIATION:.3f} / 5 = {ERROR:.3f}. A normal distribution has "
    f"{SHARE_BELOW:.2f} of its area below the threshold: that is {SHARE_BELOW * NIGHTS:.0f} of "
    f"{NIGHTS} nights. The sixty nights were drawn 100 times: on average {mean(FELL):.1f} of them "
    f"are below, from {min(FELL)} to {max(FELL)}. The engine is the same. Only the queries differ."
)


# %%
def flapping(n):
    """Sixty nights of an engine that does not change."""
    found = nights(n)
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for colour, marker, label, fails in ((0, "o", "pass", False), (3, "X", "fail", True)):
        chosen = [(i, s) for i, s in enumerate(found, 1) if (s < THRESHOLD) == fails]
        axes.plot(
            [i for i, _ in chosen],
            [s for _, s in chosen],
            marker,
            color=plotting.PALETTE[colour],
            label=f"{label}: {len(chosen)} nights",
        )
    axes.axhline(THRESHOLD, color="black", linestyle="--", linewidth=1)
    axes.set(xlabel="night", ylabel="nDCG@10", ylim=(0.5, 0.95))
    axes.set_title(
        f"The same engine, {n} queries each night: {mean(below(THRESHOLD, n)):.1f} of 60 fail on "
        "average",
        fontsize=10,
    )
    axes.legend(frameon=False, loc="upper right", ncols=2)
    return drawn


# %% [markdown]
# Move the slider. How many queries does it take until the test is quiet? The figure has one draw of
# sixty nights. Its title has the average of 100 such draws.

# %%
slider(
    flapping,
    name="queries",
    values=[10, 25, 50, 100, 200, 400],
    start=10,
    alt=lambda n: (
        f"Sixty nights, scattered about {mean(TODAY):.2f}; the dashed threshold is 0.7. With "
        f"{n} queries a night {sum(s < THRESHOLD for s in nights(n))} of them lie below it, "
        f"drawn as crosses. The average of 100 such draws is {mean(below(THRESHOLD, n)):.1f}."
    ),
)

# %% [markdown]
# People ignore a test that fails although nothing has changed. Many teams lower the threshold until
# the test is quiet. Does this help?

# %%
LESS = evaluate(engine(LOG, titles=0.8), judged(LOG), "nDCG@10").per_query["nDCG@10"]
CAUGHT, QUIET = below(0.62, 25, LESS), below(0.62, 25)
LOST = mean(TODAY) - mean(LESS)
predict(
    f"One night somebody lowers the weight of titles, and the engine loses {LOST:.3f}. The "
    f"threshold is 0.62. It has {mean(QUIET):.1f} false alarms in {NIGHTS} nights of 25 queries on "
    f"average. In about how many of {NIGHTS} nights does it catch this loss?",
    mean(CAUGHT),
    between=tuple(np.percentile(CAUGHT, [2.5, 97.5]).round().tolist()),
    mistaken={
        NIGHTS: f"The new mean is {mean(LESS):.2f}. That is still above 0.62.",
        0: f"The new mean is {mean(LESS):.2f}, and the mean of 25 queries scatters around it.",
    },
)

# %%
thresholds = [0.72, 0.7, 0.68, 0.66, 0.64, 0.62, 0.6]
reveal(
    table(
        {
            "threshold": thresholds,
            "false alarms in 60 nights": [mean(below(t, 25)) for t in thresholds],
            "caught in 60 nights": [mean(below(t, 25, LESS)) for t in thresholds],
        },
        digits=2,
        caption="25 queries a night, the average of 100 draws of sixty nights. A high threshold "
        "has many false alarms. A low one catches little. None of these thresholds is good at "
        "both.",
    )
)

# %% [markdown]
# ## Compare with the baseline, query by query
#
# The mean of a night also depends on how hard the queries are. So run **both** versions on the
# **same** queries (notebook 6). If a query has nDCG 0.40 with the old version and 0.35 with the new
# one, its difference is -0.05. It makes no difference that the query is hard for both.
#
# $$\bar d = \frac{1}{|Q|} \sum_{q \in Q} \bigl(\mathrm{nDCG}_{\text{new}}(q) -
#   \mathrm{nDCG}_{\text{old}}(q)\bigr)$$
#
# In words: $Q$ is the set of queries. Subtract the old nDCG of each query from the new one, add the
# differences, and divide by the number of queries. The variance shows why this helps:

# %%
both = spread({"today": TODAY, "less weight on titles": LESS})
table(
    {
        "variance of nDCG@10": ["over queries, of one version", "between versions, on one query"],
        "mean": [both.mean_across_queries, both.mean_across_systems],
    },
    caption="The queries differ far more than the two versions do on one query.",
)

# %% [markdown]
# `assert_no_regression(run, baseline, qrels, measures, margin=...)` compares two versions in this
# way. The team has 40 golden queries, tolerates a fall of 0.01, and has three changes to decide on.
# The index and the tokenizer replace a part of the scores by new random numbers. Nobody picked
# these: they are the first two draws, with the seeds 0 and 1.

# %%
GOLDEN = 40
CHANGES = {
    "less weight on titles": {"titles": 0.8},
    "another index": {"new": 0.1, "seed": 0},
    "another tokenizer": {"titles": 0.93, "new": 0.5, "seed": 1},
}


def gate(n, margin=0.01, **change):
    """The verdict on a change over n golden queries, and what is said of it."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            (verdict,) = assert_no_regression(
                engine(n, **change), engine(n), judged(n), "nDCG@10", margin=margin
            )
        except RankingAssertionError as error:
            return "fail", str(error)
    return verdict.word, "\n".join(str(warning.message) for warning in heard)


# %%
differences_of = {}
compared = compare(
    {"today": engine(GOLDEN)} | {name: engine(GOLDEN, **c) for name, c in CHANGES.items()},
    judged(GOLDEN),
    "nDCG@10",
)
by_hand = np.mean([LESS[query] - TODAY[query] for query in judged(GOLDEN)])
assert np.isclose(by_hand, compared.tested("less weight on titles", "nDCG@10").mean)

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, name in enumerate(CHANGES):
    d = np.array(list(compared.differences(name, "nDCG@10").values()))
    differences_of[name] = d
    height = i + np.linspace(-0.28, 0.28, len(d))
    axes.plot(d, height, "os^"[i], color=plotting.PALETTE[i], markersize=4)
    axes.plot([mean(d.tolist())] * 2, [i - 0.4, i + 0.4], color="black", linewidth=2)
axes.axvline(-0.01, color="black", linestyle="--", linewidth=1)
axes.set_yticks(range(len(CHANGES)), list(CHANGES))
axes.set(xlabel="difference in nDCG@10, a dot for each query", title="Bar: mean; dashed: tolerated")
axes.invert_yaxis()
figure(
    drawn,
    alt="Differences of 40 queries for three changes, and a dashed line at -0.01."
    + "".join(
        f" {name.capitalize()}: dots from {d.min():.2f} to {d.max():.2f}, mean {d.mean():.3f}."
        for name, d in differences_of.items()
    ),
)

# %%
predict("Which of the three changes do you approve? Which not? Is there one you can't decide?")

# %%
decided = {name: gate(GOLDEN, **change) for name, change in CHANGES.items()}
SEEDS = range(30)


def drawn_again(name):
    """How often each verdict comes when the new part of a change is drawn 30 times."""
    words = [gate(GOLDEN, **CHANGES[name] | {"seed": seed})[0] for seed in SEEDS]
    return ", ".join(f"{word} {words.count(word)}" for word in ("pass", "inconclusive", "fail"))


reveal(
    table(
        {
            "change": list(CHANGES),
            "mean difference": [compared.tested(name, "nDCG@10").mean for name in CHANGES],
            "verdict": [word for word, _ in decided.values()],
            "30 draws": ["nothing is drawn", *map(drawn_again, list(CHANGES)[1:])],
        },
        caption="The last column draws the new part 30 times (seeds 0 to 29), over the same 40 "
        "queries. Over the whole log each of these indexes changes the mean by less than 0.005, "
        "and each tokenizer loses more than the team tolerates.",
    )
)

# %% [markdown]
# The gate has three verdicts. *Fail* and *pass* both need evidence from a paired test:
#
# | verdict | the mean fell by | the paired test finds |
# |---|---|---|
# | **fail** | more than `margin` | that there is a fall (two-sided p < 0.05) |
# | **pass** | at most `margin` | that any fall is smaller than `margin` (two-sided p < 0.05) |
# | **inconclusive** | any amount | too little for *fail* or *pass*: there are too few queries |
#
# If no query changes, the gate passes without a test. *Two-sided* means that a rise counts as
# evidence, too. So the level of a fall alone is 0.025. A test that looks at one side at the level
# 0.05 is less strict (notebook 7).

# %% [markdown]
# ### What a failed gate says
#
# The message names the queries that lost, the documents that moved, and what each move cost.

# %%
WORST = judged(1)["q001"]  # all queries have the same grades
predict(
    "The ideal DCG@10 of each query is 8.15. In the worst query a document of grade 3 falls from "
    "rank 1 to rank 3. How much nDCG@10 does this move cost?",
    ndcg(["d00"], WORST, k=10) - ndcg(["other", "another", "d00"], WORST, k=10),
    mistaken={1.5: "That is the loss of DCG, 3 - 3/2. Divide it by the ideal DCG."},
)

# %%
ideal = np.sort(SCALE)[::-1][:10] @ (1 / np.log2(np.arange(2, 12)))
by_hand = (3 / np.log2(1 + 1) - 3 / np.log2(3 + 1)) / ideal
assert np.isclose(
    by_hand, ndcg(["d00"], WORST, k=10) - ndcg(["other", "another", "d00"], WORST, k=10)
)
round(float(ideal), 2)

# %%
reveal(verbatim(decided["less weight on titles"][1]), summary="Show the message")

# %% [markdown]
# ### What an inconclusive gate says
#
# For two of the three changes the gate gives a warning. This is the one on the tokenizer:

# %%
reveal(verbatim(decided["another tokenizer"][1]), summary="Show the message")

# %%
quiz(
    "A team tolerates a fall of 0.01. With a new tokenizer the mean of 40 queries fell by 0.015, "
    "and the gate is inconclusive. What does this verdict mean?",
    {
        "The tokenizer is harmless: no significant fall was found": (
            False,
            (
                "The test found no fall, but there can be one. With 40 such queries a test usually "
                "misses a real fall of 0.015."
            ),
        ),
        "The tokenizer does harm: the mean fell by more than the team tolerates": (
            False,
            "The mean of these 40 queries fell. The mean of 40 other queries may rise.",
        ),
        "40 queries are too few to decide; the message says how many may be enough": (
            True,
            "About so many queries find a difference of this size four times in five.",
        ),
    },
)

# %%
predict("The team judges more queries. What will the verdict be at 80, 160, 320 and 640?")


# %%
SIZES = [40, 80, 160, 320, 640]


@cache
def with_queries(n):
    """The mean difference of the tokenizer over n queries, its interval, and the verdict."""
    change = CHANGES["another tokenizer"]
    runs = {"today": engine(n), "new": engine(n, **change)}
    found = compare(runs, judged(n), "nDCG@10", resamples=1999).tested("new", "nDCG@10")
    return found.mean, found.low, found.high, gate(n, **change)[0]


def up_to(n):
    """What is known by n queries, drawn."""
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for i, size in enumerate(size for size in SIZES if size <= n):
        middle, low, high, word = with_queries(size)
        marker, colour = {"fail": ("X", 3), "pass": ("o", 0), "inconclusive": ("D", 1)}[word]
        axes.plot([i, i], [low, high], color=plotting.PALETTE[colour], linewidth=2)
        axes.plot(i, middle, marker, color=plotting.PALETTE[colour], markersize=8)
        axes.annotate(
            word,
            (i, high),
            (0, 6),
            textcoords="offset points",
            ha="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    axes.axhline(0, color="grey", linewidth=1)
    axes.axhline(-0.01, color="black", linestyle="--", linewidth=1)
    axes.set_xticks(range(len(SIZES)), map(str, SIZES))
    axes.set(xlabel="golden queries", ylabel="mean difference", ylim=(-0.055, 0.03))
    axes.set_title("Another tokenizer: mean and 95% interval; dashed: tolerated")
    axes.set_xlim(-0.5, len(SIZES) - 0.5)
    return drawn


def in_words(n):
    """The same in words."""
    said = "The mean difference and its interval, which shrinks as the queries grow."
    for size in (size for size in SIZES if size <= n):
        middle, low, high, word = with_queries(size)
        said += f" {size} queries: {middle:.3f}, from {low:.3f} to {high:.3f}, {word}."
    return said


reveal(
    table(
        {
            "queries": SIZES,
            "mean difference": [with_queries(n)[0] for n in SIZES],
            "verdict": [with_queries(n)[3] for n in SIZES],
        }
    )
)

# %% [markdown]
# Add queries with the slider, and watch the interval:

# %%
slider(up_to, name="queries", values=SIZES, start=40, alt=in_words)

# %% [markdown]
# The number of queries in the message is an estimate, so it is noisy too. Take the 30 draws of the
# tokenizer again. For each inconclusive draw, plot the number that the message names against the
# fall of the mean:

# %%
FALLS, NUMBERS = [], []
for seed in SEEDS:
    change = CHANGES["another tokenizer"] | {"seed": seed}
    word, message = gate(GOLDEN, **change)
    if word == "inconclusive":
        NUMBERS.append(int(re.search("about ([0-9,]+) would", message)[1].replace(",", "")))
        found = evaluate(engine(GOLDEN, **change), judged(GOLDEN), "nDCG@10")
        FALLS.append(mean([TODAY[query] for query in judged(GOLDEN)]) - found.mean["nDCG@10"])
LARGEST = max(NUMBERS)
NEAREST = FALLS[NUMBERS.index(LARGEST)]

drawn, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
axes.plot(FALLS, NUMBERS, "o", color=plotting.PALETTE[0])
axes.axvline(0.01, color="black", linestyle="--", linewidth=1)
axes.set(
    xlabel="fall of the mean of 40 queries (dashed: tolerated)",
    ylabel="queries that the message names",
    yscale="log",
    title=f"{len(NUMBERS)} inconclusive draws of the tokenizer",
)
figure(
    drawn,
    alt=f"{len(NUMBERS)} dots. The number of queries rises steeply just left of the dashed line "
    f"at a fall of 0.01: the largest, {LARGEST:,}, belongs to a fall of {NEAREST:.4f}. The "
    f"smallest is {min(NUMBERS)}.",
)

# %%
predict(
    "The largest scatter of a draw is less than twice the smallest. Why do some messages name so "
    "large a number?"
)

# %%
LOSSES = [
    mean(TODAY)
    - evaluate(
        engine(LOG, **CHANGES["another tokenizer"] | {"seed": seed}), judged(LOG), "nDCG@10"
    ).mean["nDCG@10"]
    for seed in SEEDS
]
reveal(
    "In these draws the mean of the 40 queries fell by nearly what the team tolerates, or by "
    f"less. Take the largest number. The difference between {NEAREST:.4f} and 0.0100 is "
    f"{0.01 - NEAREST:.4f}. To see half the difference you need four times the queries. But the "
    "mean of 40 queries is itself uncertain. Over the whole log the 30 draws lose between "
    f"{min(LOSSES):.3f} and {max(LOSSES):.3f}, and 320 queries find the fall in all of them. So a "
    "very large number says that the mean of this sample is just inside the limit. More queries "
    "can still help. Just outside the limit the message names a small number, because the gate "
    "then looks for evidence of any fall, and 0.0101 is far from 0. So the number can jump "
    "although the mean hardly moves."
)


# %%
def shown(fell):
    """The last words of the gate where 40 queries fell by so much on average, on P@1000."""
    scatter = np.random.default_rng(0).normal(0, 0.12, GOLDEN)
    hits = np.round(500 + 1000 * (scatter - scatter.mean() - fell)).astype(int)
    hits[-1] += 500 * GOLDEN - round(1000 * fell * GOLDEN) - hits.sum()
    relevant, others = ([f"{kind}{i}" for i in range(1000)] for kind in "ro")
    old, new = (
        {f"q{i}": relevant[:n] + others[n:] for i, n in enumerate(found)}
        for found in ([500] * GOLDEN, hits.tolist())
    )
    grades = {query: dict.fromkeys(relevant, 1) for query in old}
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert_no_regression(new, old, grades, "P@1000", margin=0.01)
    return str(heard[-1].message).partition("can't tell, ")[2].partition(" (")[0]


BESIDE = [0.0093, 0.0099, 0.0101]
table(
    {"the mean of 40 fell by": [f"{fell:.4f}" for fell in BESIDE],
     "40 queries can't tell": [shown(fell) for fell in BESIDE]},
    caption="Three changes on either side of the limit of 0.01, with the same scatter.",
)  # fmt: skip

# %%
quiz(
    "A gate says that about 320 queries may be enough. It has been inconclusive for a week, and "
    "the release waits. What can you do?",
    {
        "Add ten queries each day, and release on the first pass": (
            False,
            "Each look is another chance to pass by luck. Choose the number first, and look once.",
        ),
        "Raise the margin until it passes": (
            False,
            "What you tolerate is a decision about your users. Decide it before the result.",
        ),
        "Judge about 320 queries, then decide once": (
            True,
            "Or release it, and write down that the golden queries were too few to decide.",
        ),
        "Lower the confidence of the test to 0.6": (
            False,
            (
                "Then one in five harmless changes may fail, and one in five changes that do "
                "a little too much harm may pass."
            ),
        ),
    },
)

# %% [markdown]
# ### Does the gate fail at random?
#
# Run the gate on 30 nights of 25 queries, once for the index, which changes almost nothing, and
# once for the titles.


# %%
def gated(change, n=25, times=30):
    """How often the gate comes to each verdict, over nights of n queries drawn from the log."""
    old, new, qrels = engine(LOG), engine(LOG, **change), judged(LOG)
    chance, words = np.random.default_rng(0), []
    for _ in range(times):
        sample = chance.choice(list(qrels), n, replace=False).tolist()
        runs = ({query: run[query] for query in sample} for run in (new, old, qrels))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                words.append(assert_no_regression(*runs, "nDCG@10", margin=0.01)[0].word)
        except RankingAssertionError:
            words.append("fail")
    return [words.count(word) for word in ("pass", "inconclusive", "fail")]


INDEX, TITLES = (gated(CHANGES[name]) for name in list(CHANGES)[1::-1])

# %%
predict(
    "Of 30 nights, how often does the gate fail for the index? How often for the titles? Type the "
    "number for the titles.",
    TITLES[2],
    mistaken={INDEX[2]: "That is the number for the index, which changes almost nothing."},
)

# %%
reveal(
    table(
        {
            "verdict": ["pass", "inconclusive", "fail"],
            "another index": INDEX,
            "less weight on titles": TITLES,
        },
        caption=f"Nights out of 30, with 25 queries each. The gate stops the harmful change in "
        f"{TITLES[2]} nights. For the harmless change 25 queries are often too few, and the gate "
        f"says so. False alarms in this draw: {INDEX[2]}. confidence=0.95 makes false alarms rare, "
        "but not impossible.",
    )
)

# %% [markdown]
# ### Limits for single queries
#
# The mean of many queries hides one. Suppose that a release leaves 39 golden queries as they are,
# and one query loses all its relevant documents:

# %%
one_lost = engine(GOLDEN) | {"q001": {f"x{i}": 30 - i for i in range(30)}}


def with_limits(**limits):
    """The verdict on the release that loses one query, under some limits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            (verdict,) = assert_no_regression(
                one_lost, engine(GOLDEN), judged(GOLDEN), "nDCG@10", margin=0.03, **limits
            )
        except RankingAssertionError:
            return "fail"
    return verdict.word


predict("The team tolerates a fall of the mean of 0.03. Does a gate on the mean stop this release?")

# %%
reveal(
    table(
        {
            "limits": [
                "margin=0.03",
                "margin=0.03, max_query_drop=0.5",
                'margin=0.03, protected=["q001"]',
            ],
            "verdict": [
                with_limits(max_query_drop="off"),
                with_limits(max_query_drop=0.5),
                with_limits(max_query_drop="off", protected=["q001"]),
            ],
        },
        caption="max_query_drop= fails if any query loses more than so much. protected= names "
        "queries that must not fall at all. Both hold whatever the test says. Many harmless "
        "changes move a few queries far, so protect by name where you can.",
    )
)

# %% [markdown]
# ## The gate in the repository
#
# In pytest the fixture `irm_baseline` compares with the version that the team accepted last. A file
# beside the test keeps it: scores and rankings of each query, conventions, and a digest of the
# judgments. A *digest* is a short number computed from a file: if the file changes, so does the
# number. You commit the file, so somebody reviews the diff when quality changes.

# %%
shop = Repository()
shop.write_qrels("golden.qrels", judged(GOLDEN))
shop.write(
    "test_search.py",
    '''\
"""No release makes search worse."""


def test_no_worse_than_accepted(irm_baseline, irm_run, irm_qrels):
    run, qrels = irm_run("tonight.run"), irm_qrels("golden.qrels")
    irm_baseline(run, qrels, "nDCG@10", margin=0.01)
''',
)


def tonight(change=None, *options, **environment):
    """What pytest says of the engine of tonight, beside the baseline of the engine as it was."""
    shop.write_run("tonight.run", engine(GOLDEN))
    accepted = shop.pytest_says("--irm-update=all")
    if change is None:
        return accepted
    shop.write_run("tonight.run", engine(GOLDEN, **CHANGES[change]))
    return shop.pytest_says(*options, **environment)


tonight()

# %% [markdown]
# Now come two commits: less weight on titles, and the other tokenizer. CI (continuous integration)
# is the machine that runs the tests of each commit.

# %%
predict("Does CI stop the first commit? Does it stop the tokenizer, which is inconclusive?")

# %%
reveal(tonight("less weight on titles", "--tb=short"), summary="Run pytest: less weight on titles")

# %%
reveal(tonight("another tokenizer"), summary="Run pytest: another tokenizer")

# %%
reveal(
    "An inconclusive gate warns, and the test passes. If your team wants it to stop, write "
    'inconclusive="fail".',
    summary="What an inconclusive gate does",
)

# %%
predict("Somebody is in a hurry, and lets CI accept the new ranking as the baseline. What happens?")

# %%
reveal(tonight("another tokenizer", "--irm-update=all", CI="true"), summary="Run pytest in CI")

# %%
quiz(
    "The judges correct fifty grades, and the engine stays as it is. nDCG falls by 0.03 against "
    "the numbers in the baseline. What should the gate say?",
    {
        "Fail: the score fell": (
            False,
            "The judgments changed, and the engine did not.",
        ),
        "That the judgments changed: score the old rankings by the new judgments, then compare": (
            True,
            (
                "The baseline keeps the rankings and a digest of the judgments for this purpose. "
                "The gate also asks you to write the baseline again."
            ),
        ),
        "Pass: the gate does not look at judgments": (
            False,
            "You can compare two rankings only if you score both by the same judgments.",
        ),
    },
)

# %% [markdown]
# ## On a real collection
#
# The collection of the package (notebook 1) has 100 topics and three engines. Take BM25 as the
# baseline. Somebody replaces BM25 by LSA, which compares meanings instead of words. Somebody else
# replaces BM25 by FTS5, which cuts words to their stems. The means of nDCG@10 are:

# %%
stdlib = load_collection("stdlib")
DEEP = stdlib.qrels["deep"]
means = {name: evaluate(run, DEEP, "nDCG@10").mean["nDCG@10"] for name, run in stdlib.runs.items()}
table({"engine": list(means), "nDCG@10": list(means.values())})

# %%
predict(
    "The team tolerates a fall of 0.01. FTS5 has a higher mean than BM25. What does the gate say "
    "of LSA, and what of FTS5?"
)


# %%
def real_gate(new, chosen, margin=0.01):
    """The verdict on an engine in the place of BM25, over some topics."""
    run, baseline, qrels = (
        {topic: each.get(topic, {}) for topic in chosen}
        for each in (stdlib.runs[new], stdlib.runs["bm25"], DEEP)
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (verdict,) = assert_no_regression(run, baseline, qrels, "nDCG@10", margin=margin)
    except RankingAssertionError:
        return "fail"
    return verdict.word


def shares(new, n, margin=0.01):
    """How often each verdict comes, over 30 samples of n topics."""
    samples = [
        np.random.default_rng(seed).choice(list(DEEP), n, replace=False).tolist()
        for seed in range(30)
    ]
    words = [real_gate(new, sample, margin) for sample in samples]
    return {word: words.count(word) for word in ("pass", "inconclusive", "fail")}


STOPPED, PASSED = shares("lsa", 20), shares("fts5", 40, 0.05)
reveal(
    table(
        {
            "engine": ["LSA", "FTS5", "FTS5", "LSA", "FTS5"],
            "margin": ["0.01", "0.01", "0.05", "0.01", "0.05"],
            "topics": ["all 100", "all 100", "all 100", "20", "40"],
            "verdict": [
                real_gate("lsa", DEEP),
                real_gate("fts5", DEEP),
                real_gate("fts5", DEEP, 0.05),
                f"fail in {STOPPED['fail']} of 30 samples",
                f"pass in {PASSED['pass']} of 30 samples",
            ],
        },
        caption="A hundred topics stop LSA, and twenty of them mostly do. Even a hundred are too "
        "few to show that FTS5 loses less than 0.01, although its mean rises. Whether forty show "
        "that it loses less than 0.05 depends on the forty.",
    )
)

# %% [markdown]
# How many queries do you need? Notebook 6 has the least difference that $n$ queries find four times
# in five. Solve its formula for $n$:
#
# $$n \approx \left( 2.8 \cdot \frac{s_d}{\delta} \right)^2$$
#
# In words: $s_d$ is the standard deviation of the differences, and $\delta$ is the change that you
# want to find. Divide the first by the second, multiply by 2.8, and square.

# %%
differences = compare(stdlib.runs, DEEP, "nDCG@10", baseline="bm25").differences("fts5", "nDCG@10")
s = float(np.std(list(differences.values()), ddof=1))
predict(
    f"For FTS5 and BM25 the standard deviation is {s:.2f}. A change of 0.04 needs n queries. How "
    "many times n does a change of 0.01 need?",
    (0.04 / 0.01) ** 2,
    mistaken={4: "Square it: n grows with the square of the spread divided by the change."},
)

# %%
WANTED = [0.08, 0.04, 0.02, 0.01]
needed = [round((2.8 * s / change) ** 2) for change in WANTED]
assert np.isclose(WANTED, [minimum_detectable(s, n) for n in needed], rtol=0.02).all()
reveal(
    table(
        {"change to find": [f"{change:.2f}" for change in WANTED], "queries": needed},
        caption="Half the change needs four times the queries. So decide first which loss matters.",
    )
)

# %% [markdown]
# ## Recap
#
# - The mean of a sample of queries changes with the sample. Compare versions query by query.
# - Pass and fail both need evidence. Without it the gate is *inconclusive*.
# - The mean hides single queries: `protected=` and `max_query_drop=` guard them.
# - To find half the change you need four times the queries. Choose the number before you look
#   again.
# - The team reviews the file with the baseline. CI never accepts a new one by itself.
#
# **Read on.**

# %%
reading("Luo 2014", "Webber 2008", "Urbano 2019")
