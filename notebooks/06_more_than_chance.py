# %% [markdown]
# # 6. More than chance: compare two systems query by query
#
# **Goals.** After this notebook you can
#
# - say what varies more, queries or systems, and why you compare two systems query by query;
# - count a p-value by swapping scores, and say what it means;
# - say how many queries you need to see a difference.
#
# **Time.** 40 minutes. **Needs.** Notebook 5 (means over queries).

# %%
from itertools import product

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import compare, mean, variance
from irmetrics_edu.course import (
    figure,
    load_collection,
    predict,
    quiz,
    quote,
    reading,
    reveal,
    spread,
    table,
    terms,
)
from irmetrics_edu.course.collection.made_systems import DOCUMENTS, RELEVANT, made_qrels, made_run
from irmetrics_edu.runs import minimum_detectable
from irmetrics_edu.views import plotting

# %% [markdown]
# Notebook 5 gave each system a number. Do the numbers of two systems differ by more than chance?
#
# This chapter quotes one text in Chinese: *document 004*, the slides of two lectures on evaluation
# and learning to rank. It is called *the lecture* below. These are the words of this chapter:

# %%
terms("variance", "p-value", "statistical power")

# %% [markdown]
# ## What varies more: systems or queries?
#
# Three queries have the scores 0.2, 0.4 and 0.6. Their mean is 0.4. How far are the scores from it?
# The usual measure is the **variance** (Fisher 1918 coined the word):
#
# $$s^2 = \frac{1}{n-1} \sum_{q=1}^{n} (x_q - \bar{x})^2$$
#
# In words: subtract the mean $\bar{x}$ from each of the $n$ scores, square the results, add the
# squares, and divide by $n-1$. The **standard deviation** is the square root of the variance.

# %%
x = np.array([0.2, 0.4, 0.6])
by_hand = ((x - x.mean()) ** 2).sum() / (len(x) - 1)
assert np.isclose(by_hand, variance([0.2, 0.4, 0.6]))
round(float(by_hand), 4)

# %% [markdown]
# The lecture says what varies more:

# %%
quote(
    "004",
    "一个检索系统对不同查询的方差,往往大于多个检索系统 对相同查询的方差",
    "The variance of one system over different queries is often larger than the variance of "
    "several systems on the same query.",
)

# %% [markdown]
# Here are the APs of the systems A and B of notebook 5 again:

# %%
A = {"topic 1": 0.02, "topic 2": 0.03, "topic 3": 0.29}
B = {"topic 1": 0.08, "topic 2": 0.04, "topic 3": 0.20}
table({"topic": list(A), "AP of A": list(A.values()), "AP of B": list(B.values())}, digits=2)

# %%
example = spread({"A": A, "B": B})
times = example.mean_across_queries / example.mean_across_systems
predict(
    "Look at the APs of A and B. Is the lecture right there? By which factor? Divide the "
    "mean variance over the queries by the mean variance between the systems.",
    times,
    mistaken={1 / times: "You divided the variance between the systems by that over the queries."},
)

# %%
reveal(example)

# %% [markdown]
# The score of a query shows how hard the query is and how good the system is. You want to know only
# the second. So **compare query by query**: run both systems on the same queries, and take the
# difference on each query. What is hard for both systems then cancels for the most part.
#
# ## Two systems on ten queries
#
# We made a test collection by computer. Each query has 60 documents, five of them relevant. Some
# queries are easy, and some are hard. Each system scores a document by three things: a part that
# both systems share, a part of its own, and a bonus for relevant documents. The new system has a
# slightly larger bonus, so it is truly better. `made_run(queries, bonus, number)` makes a run, with
# the number of a system.


# %%
def compare_over(n):
    """The old system and the new one over so many queries."""
    return compare({"old": made_run(n, 0, 1), "new": made_run(n, 0.2, 2)}, made_qrels(n), "AP")


ten = compare_over(10)
scores = {name: e.per_query["AP"] for name, e in ten.evaluations.items()}

# %%
drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
for i, (name, by_query) in enumerate(scores.items()):
    axes.plot(
        list(by_query),
        list(by_query.values()),
        color=plotting.PALETTE[i],
        marker="os"[i],
        linestyle="--" if i else "-",
        label=f"{name}: mean {mean(by_query):.3f}",
    )
axes.set(xlabel="query", ylabel="AP", ylim=(0, 1.05))
axes.set_title("A query that is hard for one system is hard for both")
drawn.legend(loc="outside lower center", ncols=2, frameon=False)
figure(
    drawn,
    alt="AP of two systems on ten queries, as two lines that rise and fall together between about "
    "0.1 and 1. The new system lies a little above the old one on most queries.",
)

# %%
predict(
    "Over these queries AP has a standard deviation above 0.2. The means differ by less than 0.07. "
    "Can such a difference be more than chance?"
)

# %%
d = ten.tested("new", "AP")
over_queries = spread(scores)
reveal(
    f"It can. Over the queries AP has a variance of {over_queries.mean_across_queries:.3f}. "
    "Between the two systems on one query the variance is only "
    f"{over_queries.mean_across_systems:.3f}. The new system wins {d.wins} queries and loses "
    f"{d.losses}. The mean difference is {d.mean:.3f}. Its 95 % interval goes from "
    f"{d.low:.3f} to {d.high:.3f} (notebook 7 computes it), so 0 is outside."
)

# %% [markdown]
# ## The randomisation test and its p-value
#
# Suppose that the two systems are equally good. Then it is chance which of the two scores on a
# query belongs to "new", and you may swap them. Swapping changes the sign of the difference. With
# ten queries there are $2^{10} = 1{,}024$ ways to swap or not to swap.
#
# The **randomisation test** goes through all these ways. It counts how often the mean difference is
# at least as large as the one you observed, in either direction. That share is the **p-value**:
#
# $$p = \frac{\text{ways with a mean difference at least as large}}{\text{all ways}}$$
#
# In words: if the systems were equally good, a difference at least this large would come about with
# probability $p$. Here is the whole test:

# %%
differences = np.array(list(ten.differences("new", "AP").values()))
signs = np.array(list(product([1, -1], repeat=len(differences))))
swapped = (signs * differences).mean(axis=1)
observed = differences.mean()
extreme = int((abs(swapped) >= abs(observed) - 1e-12).sum())  # 1e-12: rounding is no difference
assert np.isclose(extreme / len(swapped), d.p["randomisation"])

# %%
predict(
    f"The observed mean difference is {observed:.3f}. Guess: is the mean difference at least as "
    "large, in either direction, in more or in fewer than 51 of the 1,024 ways? That is 5 %."
)

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.hist(swapped, bins=40, color=plotting.PALETTE[0], edgecolor="white")
for side, label in ((-1, None), (1, f"as observed: {observed:.3f}")):
    axes.axvline(side * observed, color=plotting.PALETTE[3], linestyle="--", label=label)
axes.set(xlabel="mean difference in AP", ylabel="ways to swap", ylim=(0, 55))
axes.set_title(f"{extreme} of {len(swapped):,} ways differ as much or more")
drawn.legend(loc="outside lower center", frameon=False)
reveal(
    figure(
        drawn,
        alt="A bell-shaped histogram of the mean differences of all 1,024 ways to swap, centred at "
        f"0. Two dashed lines mark the observed difference, {observed:.3f}, on either side; "
        f"{extreme} ways lie at or beyond them.",
    )
)

# %%
quiz(
    "A randomisation test of a new system against an old one gives p = 0.03. What follows?",
    {
        "The systems are equally good with probability 0.03": (
            False,
            (
                "The test supposes that they are equally good, and asks how odd the data are then. "
                "How likely they are equally good is another question, which needs more than these "
                "data."
            ),
        ),
        "The new system is better on most queries": (
            False,
            "Perhaps it is, but the p-value doesn't say so. A few large gains can make p small.",
        ),
        "The next set of queries will show the same": (
            False,
            "With few queries a test often misses a true difference.",
        ),
        "If both were equally good, 3 of 100 tests would show a difference at least as large": (
            True,
            "That is all it says. It does not say how large or how useful the difference is.",
        ),
    },
)

# %% [markdown]
# ## How many queries do you need?
#
# You call a difference *significant* if p is below a bound that you chose before, often 0.05. This
# bound is the **level** of the test. The **power** of a test is the probability that it finds a
# difference that is truly there. People often ask for a power of 0.8.
#
# Suppose that the differences have a standard deviation of 0.1, and that you have 200 queries. Then
# you find a true difference of 0.02 four times in five. The rule of thumb is
#
# $$\text{least detectable difference} \approx 2.8 \cdot \frac{s_d}{\sqrt{n}}$$
#
# In words: divide the standard deviation $s_d$ of the *differences* by the square root of the
# number of queries $n$, and multiply by 2.8. (2.8 is 1.96 for the level 0.05, plus 0.84 for the
# power 0.8.) The package computes it exactly. For 200 queries the rule is less than 1 % off:

# %%
by_hand = 2.8 * 0.1 / np.sqrt(200)
assert np.isclose(by_hand, minimum_detectable(0.1, 200), rtol=0.01)
round(minimum_detectable(0.1, 200), 4)

# %%
predict(
    "You want to see a difference half as large. How many times as many queries do you need?",
    4,
    mistaken={2: "The error shrinks with the root of the number of queries, not with the number."},
)

# %%
reveal(
    "Four times as many, because the root of 4 is 2. With a standard deviation of 0.1, 50 queries "
    f"see a difference of {minimum_detectable(0.1, 50):.3f}, and 200 queries see "
    f"{minimum_detectable(0.1, 200):.3f}."
)

# %%
by_size = {n: compare_over(n).tested("new", "AP") for n in (10, 20, 50, 200)}
predict(
    f"TREC usually has fifty queries. Of fifty queries the new system loses {by_size[50].losses}. "
    "Can its advantage be more than chance?"
)

# %%
reveal(
    table(
        {
            "queries": list(by_size),
            "difference": [t.mean for t in by_size.values()],
            "low": [t.low for t in by_size.values()],
            "high": [t.high for t in by_size.values()],
            "wins": [t.wins for t in by_size.values()],
            "losses": [t.losses for t in by_size.values()],
            "p (randomisation)": [
                f"{p:.3f}" if p > 0.001 else "<0.001"
                for p in (t.p["randomisation"] for t in by_size.values())
            ],
            "detectable": [t.detectable for t in by_size.values()],
        },
        digits=3,
        caption="It can: with fifty queries p is far below 0.05. More queries make the interval "
        "(low to high) narrower. The test finds the difference with ten queries and misses it with "
        "twenty, though the first ten are among the twenty.",
    )
)

# %% [markdown]
# That was luck, and this test collection was chosen because it shows it. To see how often a test
# finds the difference, draw the whole collection anew, 100 times. The next cell does this. Its test
# swaps the scores in 999 random ways, because all ways are too many with fifty queries.


# %%
def drawn_anew(n_queries, seed):
    """The differences in AP of the new system and the old one over queries drawn anew."""
    random = np.random.default_rng(seed)
    easy = random.normal(1.2, 0.8, size=(n_queries, 1))
    common = random.normal(size=(n_queries, DOCUMENTS))
    aps = []
    for quality in (0, 0.2):
        scores = 0.8 * common + 0.6 * random.normal(size=(n_queries, DOCUMENTS))
        scores[:, :RELEVANT] += easy + quality
        relevant = np.argsort(-scores, axis=1) < RELEVANT
        precisions = np.cumsum(relevant, axis=1) / np.arange(1, DOCUMENTS + 1)
        aps.append((precisions * relevant).sum(axis=1) / RELEVANT)
    return aps[1] - aps[0]


def p_value(of, seed):
    """The randomisation test with 999 random ways to swap, and the way that was observed."""
    ways = np.random.default_rng(seed).choice([1, -1], size=(999, len(of)))
    extreme = abs((ways * of).mean(axis=1)) >= abs(of.mean()) - 1e-12
    return (1 + extreme.sum()) / 1000


SIZES = (10, 20, 50, 100, 200)
all_draws = {n: [drawn_anew(n, seed) for seed in range(100)] for n in SIZES}
significant = {n: [p_value(d, 1000) < 0.05 for d in draws] for n, draws in all_draws.items()}

# %%
predict(
    "The true difference is the same in all 100 collections. In how many of them does a test over "
    "fifty queries find it: in nearly all, in about two thirds, or in about one third?"
)

# %%
reveal(
    table(
        {
            "queries": list(SIZES),
            "found in, of 100": [sum(found) for found in significant.values()],
            "lowest difference": [min(d.mean() for d in draws) for draws in all_draws.values()],
            "highest": [max(d.mean() for d in draws) for draws in all_draws.values()],
        },
        digits=3,
        caption="This share is the power of the test. Fifty queries find the difference in about "
        "two thirds of the collections, and ten queries in about a fifth. The two columns at the "
        "right show how much the difference itself varies from collection to collection.",
    )
)

# %% [markdown]
# With few queries a test finds a small difference only by luck. So compare the difference that you
# see with the least detectable one. If yours is smaller, the next set of queries may well not show
# it again.

# %% [markdown]
# ## On a real collection
#
# The two engines that look for words, *fts5* and *bm25* (notebook 1), are close to each other. Is
# one better in AP, over the 100 topics of the real collection?

# %%
stdlib = load_collection("stdlib")
ENGINES = {name: stdlib.runs[name] for name in ("bm25", "fts5", "lsa")}
real = compare(ENGINES, stdlib.qrels["deep"], "AP")
predict(
    "AP of fts5 is "
    f"{real.evaluations['fts5'].mean['AP']:.3f}, and AP of bm25 is "
    f"{real.evaluations['bm25'].mean['AP']:.3f}. AP of lsa is "
    f"{real.evaluations['lsa'].mean['AP']:.3f}. For which of fts5 and lsa does the test find a "
    "difference from bm25?"
)

# %%
tests = {name: real.tested(name, "AP") for name in ("fts5", "lsa")}
reveal(
    table(
        {
            "engine": list(tests),
            "minus bm25": [t.mean for t in tests.values()],
            "low": [t.low for t in tests.values()],
            "high": [t.high for t in tests.values()],
            "wins": [t.wins for t in tests.values()],
            "losses": [t.losses for t in tests.values()],
            "p (randomisation)": [t.p["randomisation"] for t in tests.values()],
            "detectable": [t.detectable for t in tests.values()],
        },
        digits=4,
        caption="For lsa it does. For fts5 the data don't decide: its lead is less than half of "
        "what 100 topics can show with a power of 0.8. That is no proof that the two are equally "
        "good.",
    )
)

# %% [markdown]
# Notebook 7 goes on from here. It has the t-test, effect sizes, tests of many systems, and a test
# that a new system is *not worse*.
#
# ## Recap
#
# - Queries often vary more than systems. Compare two systems query by query, on the same queries.
# - A p-value says how often chance alone gives a difference at least as large. The randomisation
#   test counts it.
# - The power of a test is the probability that it finds a difference that is there. With few
#   queries it is low.
# - To see half the difference, you need four times the queries.
#
# **Read on.**

# %%
reading("Smucker 2007", "Fisher 1918")
