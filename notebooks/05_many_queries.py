# %% [markdown]
# # 5. Many queries: MAP, GMAP, MRR, ERR, and is it more than chance?
#
# **Goals.** After this notebook you can
#
# - compute MAP, GMAP, MRR and ERR by hand, and say which queries change each of them most;
# - explain why you compare two systems query by query, and say what a p-value means;
# - say how many queries you need to see a difference.
#
# **Time.** 60 minutes, better in two sessions: 30 for means, and 30 for differences.
# **Needs.** Notebook 2 (average precision), and a little of notebook 4 (grades).

# %%
from itertools import product

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    compare,
    err,
    explain,
    geometric_mean,
    mean,
    mean_average_precision,
    mean_reciprocal_rank,
    ndcg,
    variance,
)
from irmetrics_edu.course import (
    documents,
    figure,
    improvement,
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
)
from irmetrics_edu.runs import minimum_detectable
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter quotes one text in Chinese: *document 004*, the slides of two lectures on evaluation
# and learning to rank. It is called *the lecture* below. These are the words of this chapter:

# %%
terms("AP", "MAP", "GMAP", "RR", "MRR", "ERR", "variance", "p-value", "statistical power")

# %% [markdown]
# ## From AP to MAP
#
# One query says little about a system. So you take many queries and average. To compare systems,
# take the same documents, queries and measure for all of them.
#
# The lecture has an example with two queries:
#
# - Query 1 has 4 relevant documents. The system finds them at ranks 1, 2, 4 and 7.
# - Query 2 has 5 relevant documents. The system finds three of them, at ranks 1, 3 and 5.
#
# **MAP** is the mean of the average precision (AP) over all judged queries:
#
# $$\mathrm{MAP} = \frac{1}{|Q|} \sum_{q \in Q} \mathrm{AP}(q)$$
#
# In words: compute AP for each query $q$, add the results, and divide by the number of queries
# $|Q|$.

# %%
two = documents.example("004-MAP").inputs
found_only = two["qrels"] | {"q2": ["r1", "r3", "r5"]}
predict(
    "What is the AP of each query? And what is MAP? Type MAP.",
    of=(mean_average_precision, two["run"], two["qrels"]),
    mistaken={
        mean_average_precision(two["run"], found_only): "You divided query 2 by the 3 documents "
        "that were found. Divide by the 5 that are relevant.",
    },
)

# %%
ap_1 = (np.array([1, 2, 3, 4]) / [1, 2, 4, 7]).sum() / 4
ap_2 = (np.array([1, 2, 3]) / [1, 3, 5]).sum() / 5
by_hand = (ap_1 + ap_2) / 2
assert np.isclose(by_hand, mean_average_precision(two["run"], two["qrels"]))
reveal(explain(mean_average_precision, two["run"], two["qrels"]))

# %%
reveal(quote("004", "MAP = (0.83+0.45)/2 = 0.64"), summary="What the lecture prints")

# %% tags=["skip"]
quiz(
    "Two queries have 4 and 5 relevant documents, all found. A student adds the nine precisions at "
    "their ranks and divides by nine. What does that give?",
    {
        "A mean in which query 2 counts more": (
            True,
            (
                "Each query counts by its number of relevant documents. In MAP all queries count "
                "the same, because there is a user behind each of them."
            ),
        ),
        "MAP as well: the order of adding does not matter": (
            False,
            "MAP counts each query as 1/2. Here the second query counts 5/9, the first only 4/9.",
        ),
        "A number above 1": (
            False,
            "There are nine precisions, and each is at most 1.",
        ),
    },
)

# %% [markdown]
# Now the system fails on a third query and returns nothing for it. Three queries are judged. The
# file of results has only two queries.

# %%
three = two["qrels"] | {"q3": ["r1"]}
predict(
    "What is MAP over the three judged queries? And what is the mean over the file of results? "
    "Type MAP.",
    of=(mean_average_precision, two["run"], three),
    mistaken={
        mean_average_precision(two["run"], two["qrels"]): "This is the mean over the file of "
        "results. The failed query is missing from it."
    },
)

# %%
reveal(
    table(
        {
            "a judged query that is not in the run": ["counts as 0", "is skipped"],
            "MAP": [
                mean_average_precision(two["run"], three, missing_queries=how)
                for how in ("zero", "skip")
            ],
        },
        caption="If you skip queries, you reward a system for not answering. Average over the "
        "judged queries.",
    )
)

# %% [markdown]
# ## GMAP: a mean for the hard queries
#
# Here are two systems and their APs on three topics (TREC calls its queries *topics*):

# %%
A = {"topic 1": 0.02, "topic 2": 0.03, "topic 3": 0.29}
B = {"topic 1": 0.08, "topic 2": 0.04, "topic 3": 0.20}
table({"topic": list(A), "AP of A": list(A.values()), "AP of B": list(B.values())}, digits=2)

# %%
predict("Which system has the higher MAP? On how many topics is that system better?")

# %%
reveal(
    table(
        improvement(B, A),
        caption=f"MAP is {mean(A):.3f} for A and {mean(B):.3f} for B, so A wins. But B is better "
        "on two topics of three, and on topic 1 by 300 %. The loss on topic 3 outweighs both.",
    )
)

# %% [markdown]
# MAP compares differences. A step from 0.02 to 0.08 counts as much as a step from 0.82 to 0.88,
# though the first one makes a hard topic four times better.
#
# **GMAP** is the *geometric* mean of AP. It compares ratios:
#
# $$\mathrm{GMAP} = \sqrt[n]{\prod_{i=1}^{n} \mathrm{AP}_i}
#   = \exp\Bigl(\frac{1}{n} \sum_{i=1}^{n} \ln \mathrm{AP}_i\Bigr)$$
#
# In words: multiply the APs of all $n$ topics, and take the $n$-th root. The second form gives the
# same number: take the mean of the logarithms, and then its exponential. In numpy, for two topics
# with the APs 0.1 and 0.4:

# %%
aps = np.array([0.1, 0.4])
by_hand = np.prod(aps) ** (1 / len(aps))
assert np.isclose(by_hand, np.exp(np.log(aps).mean()))
assert np.isclose(by_hand, geometric_mean([0.1, 0.4]))
round(float(by_hand), 4)

# %%
predict(
    "Multiply the three APs of A, and then the three APs of B. Which product is larger? So which "
    "system has the higher GMAP?"
)

# %%
means = {"mean": ["MAP", "GMAP"]}
means |= {name: [mean(aps), geometric_mean(aps)] for name, aps in {"A": A, "B": B}.items()}
reveal(
    table(means, digits=3, caption="B has the higher GMAP. MAP and GMAP prefer different systems.")
)

# %%
reveal(table(geometric_mean.working(B), digits=3), summary="GMAP of B by logarithms")

# %% [markdown]
# Each point of the next figure is a system whose AP on topic 2 is 0.03, as A's is. The systems on
# the solid line have the MAP of B, and those on the dashed line have its GMAP. The slider changes
# the AP of A on topic 1. Move A to the left. Which line does it cross?

# %%
ACROSS, UP = np.linspace(0, 0.15, 61), np.linspace(0, 0.35, 71)
MEANS = {"MAP": mean, "GMAP": geometric_mean}
BETTER = {
    name: np.array([[of([x, 0.03, y]) for x in ACROSS] for y in UP]) - of(B)
    for name, of in MEANS.items()
}


def hardest(ap):
    """Which systems are better than B by MAP and by GMAP, and A with another AP on topic 1."""
    drawn, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
    disagree = (BETTER["MAP"] > 0) != (BETTER["GMAP"] > 0)
    axes.contourf(ACROSS, UP, disagree, [0.5, 1], colors=["0.88"])
    axes.fill_between([], [], color="0.88", label="better than B by MAP only")
    for name, colour, style in zip(BETTER, plotting.PALETTE[:2], ("-", "--"), strict=True):
        axes.contour(ACROSS, UP, BETTER[name], [0], colors=[colour], linestyles=style)
        axes.plot([], [], color=colour, linestyle=style, label=f"{name} of B: {MEANS[name](B):.3f}")
    moved = A | {"topic 1": ap}
    axes.plot(ap, moved["topic 3"], "ko", clip_on=False)
    axes.text(ap + 0.003, moved["topic 3"] + 0.005, "A")
    axes.set(xlabel="AP on topic 1", ylabel="AP on topic 3")
    axes.set_title(", ".join(f"{name} of A: {of(moved):.3f}" for name, of in MEANS.items()))
    drawn.legend(loc="outside lower center", ncols=3, frameon=False)
    return drawn


slider(
    hardest,
    name="AP of A on topic 1",
    values=[0, 0.001, 0.01, 0.02, 0.04, 0.08, 0.12],
    start=0.12,
    alt=lambda ap: (
        f"Systems by their APs on topics 1 and 3, with A at ({ap:g}, 0.29). The line of MAP falls "
        "straight, and the line of GMAP above it is a curve that keeps off both axes. A is "
        f"{'above both' if ap > 0.0736 else 'between the two' if ap else 'on the line of MAP'}."
    ),
)

# %% [markdown]
# A crosses the dashed line between 0.08 and 0.04. It reaches the solid line only at 0: if A finds
# nothing on topic 1, its MAP is still that of B.

# %% tags=["skip"]
quiz(
    "AP is 0 on one query of a hundred, and 0.9 on the others. What is GMAP without a floor?",
    {
        "About 0.89": (False, "That is MAP, 0.891. A product with a factor 0 is 0."),
        "Not defined, because the logarithm of 0 is not defined": (
            False,
            "The logarithm is only a way to compute GMAP. The product is 0, and its root is 0.",
        ),
        "0": (
            True,
            (
                "One query decides everything. So trec_eval replaces smaller values by 0.00001: "
                "geometric_mean(..., floor=1e-5), which gives about 0.80."
            ),
        ),
    },
)

# %% [markdown]
# The smallest value that you allow is called a **floor**. It is a convention: with a floor of 1e-10
# this system has the GMAP 0.72 in place of 0.80. Always report it beside the number.
#
# ## MRR: only the first relevant document counts
#
# You look for the home page of a library. You need one relevant document, and you stop at the first
# one. If it stands at rank 2, the search scores 1/2. This is the **reciprocal rank** (RR), and
# **MRR** is its mean over all queries:
#
# $$\mathrm{MRR} = \frac{1}{|Q|} \sum_{q \in Q} \frac{1}{\mathrm{rank}_q}$$
#
# In words: $\mathrm{rank}_q$ is the rank of the first relevant document of query $q$. Divide 1 by
# each of these ranks, and take the mean. In the lecture the first relevant document stands at rank
# 2 for one query and at rank 4 for another.

# %%
FIRST = documents.example("004-MRR").inputs["first"]
predict(
    "What is MRR of these two queries?",
    of=(mean_reciprocal_rank, FIRST),
    mistaken={1 / 3: "You divided 1 by the mean rank. Take the mean of 1/2 and 1/4."},
)

# %%
by_hand = np.mean(1 / np.array([2, 4]))
assert np.isclose(by_hand, mean_reciprocal_rank(FIRST))
reveal(explain(mean_reciprocal_rank, FIRST, exact=True))

# %%
predict(
    "At which rank does the first relevant document stand on average, in these two queries?",
    3,
    mistaken={8 / 3: "That is 1 divided by MRR. The mean of the ranks 2 and 4 is another number."},
)

# %%
reveal(
    "The slide adds that the first relevant document is found at position 8/3 on average. This is "
    "the harmonic mean of the ranks 2 and 4, and 1/MRR is always the harmonic mean. 'On average' "
    "suggests the arithmetic mean, which is 3.",
    summary="The lecture answers 8/3. What is 8/3?",
)

# %% [markdown]
# RR changes much at the top of a ranking and little below. From rank 1 to rank 2 it falls by 1/2.
# From rank 10 to rank 20 it falls by only 1/20.
#
# ## ERR: a good document makes readers stop
#
# RR knows only relevant and non-relevant. Suppose that there are grades from 0 to 4. A reader looks
# at a document of grade 3. Perhaps the document satisfies this reader, and then the reader stops.
# Perhaps not, and then the reader goes on to the next rank.
#
# **ERR** (expected reciprocal rank) is the expectation of 1 divided by the rank at which the reader
# stops. Let $s_i$ be the probability that the document at rank $i$ satisfies the reader:
#
# $$\mathrm{ERR} = \sum_{i=1}^{n} \frac{1}{i}\, s_i \prod_{j=1}^{i-1} (1-s_j)$$
#
# In words: to stop at rank $i$, a reader must be unsatisfied by all documents above it and
# satisfied by document $i$. Multiply the probabilities of these events, divide by the rank, and add
# up.
#
# The lecture writes $R_i$ for this probability and calls it the relevance of the document. That
# can't be the grade itself: with a grade of 3, $1-3=-2$ is no probability. Chapelle et al. (2009)
# turn a grade $g$ into a probability:
#
# $$s = \frac{2^{g}-1}{2^{g_{\max}}}$$
#
# In words: raise 2 to the grade, subtract 1, and divide by 2 raised to the highest grade of the
# scale. Here the highest grade is 4.

# %%
predict(
    "A ranking has the grades 3, 2, 0. How likely is the reader to stop at rank 1? How likely to "
    "reach rank 3? Type the first probability.",
    7 / 16,
    mistaken={
        8 / 16: "You left out the -1: a document of grade 0 would then satisfy some readers.",
        3 / 4: "You divided the grade by the highest grade. Here the grade is an exponent.",
        7 / 8: "You divided by 2^3. The highest grade of the scale is 4, so divide by 2^4.",
    },
)

# %%
grades, ranks = np.array([3, 2, 0]), np.array([1, 2, 3])
stop = (2.0**grades - 1) / 2**4
reach = np.cumprod([1, *(1 - stop[:-1])])
by_hand = (stop * reach / ranks).sum()
assert np.isclose(by_hand, err([3, 2, 0], max_grade=4))
reveal(explain(err, [3, 2, 0], max_grade=4))

# %% [markdown]
# So the value of a document depends on the documents above it. The slider changes the grade of the
# first document. The two below it keep grade 4. How much can rank 2 still contribute?


# %%
def behind(grade):
    """Who reaches each rank, and what it contributes to ERR, with another grade at rank 1."""
    worked = err.working([grade, 4, 4], max_grade=4)
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for i, (column, label) in enumerate(
        {"reach probability": "reach the rank", "contribution": "contribution to ERR"}.items()
    ):
        bars = axes.bar(
            [rank + 0.4 * i for rank in (1, 2, 3)],
            worked[column],
            width=0.36,
            color=plotting.PALETTE[i],
            hatch=plotting.HATCHES[i],
            edgecolor="white",
            label=label,
        )
        axes.bar_label(bars, fmt="%.3f")
    axes.set_xticks(
        [1.2, 2.2, 3.2], [f"rank {r}: grade {g}" for r, g in enumerate((grade, 4, 4), 1)]
    )
    axes.set(ylabel="probability, contribution", ylim=(0, 1.1))
    axes.set_title(f"ERR of the grades {grade}, 4, 4 is {worked.value:.3f}")
    drawn.legend(loc="outside lower center", ncols=2, frameon=False)
    return drawn


slider(
    behind,
    name="grade at rank 1",
    values=[0, 1, 2, 3, 4],
    start=2,
    alt=lambda grade: (
        f"Two bars for each rank of the grades {grade}, 4, 4. The ranks contribute to ERR "
        + ", ".join(f"{c:.3f}" for c in err.working([grade, 4, 4], max_grade=4)["contribution"])
    ),
)

# %%
quiz(
    "A ranking has the grades 4, 0, 0, 0. You replace it by 4, 4, 4, 4. Four documents of grade 4 "
    "are judged, on a scale from 0 to 4. How much do ERR and nDCG@4 rise?",
    {
        "Both rise much": (
            False,
            "nDCG does. ERR does not, because nearly every reader has stopped at rank 1.",
        ),
        "ERR rises little, nDCG rises much": (
            True,
            (
                "ERR rises from 0.938 to 0.968, and nDCG from 0.390 to 1. Use ERR for readers who "
                "want one answer, and nDCG for readers who want many."
            ),
        ),
        "Neither rises, because the top document is the same": (
            False,
            "Both look below rank 1. They differ in how many readers get there.",
        ),
    },
)

# %% [markdown]
# *The first session ends here: you have a number for each system. The second one asks whether the
# numbers of two systems differ by more than chance.*
#
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
quote("004", "一个检索系统对不同查询的方差,往往大于多个检索系统 对相同查询的方差")

# %% [markdown]
# (The variance of one system over different queries is often larger than the variance of several
# systems on the same query.)

# %%
example = spread({"A": A, "B": B})
times = example.mean_across_queries / example.mean_across_systems
predict(
    "Look at the APs of A and B again. Is the lecture right there? By which factor? Divide the "
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
# slightly larger bonus, so it is truly better.

# %%
RELEVANT, DOCUMENTS = 5, 60


def made_run(n_queries, quality, own):
    """A run over so many made queries; `own` numbers the system's own noise."""
    run = {}
    for q in range(n_queries):
        shared = np.random.default_rng((1, q))
        easy, common = shared.normal(1.2, 0.8), shared.normal(size=DOCUMENTS)
        noise = np.random.default_rng((2, own, q)).normal(size=DOCUMENTS)
        scores = 0.8 * common + 0.6 * noise
        scores[:RELEVANT] += easy + quality
        run[f"q{q + 1}"] = {f"d{i}": s for i, s in enumerate(scores.tolist())}
    return run


def made_qrels(n_queries):
    """The truth, in full."""
    grades = {f"d{i}": int(i < RELEVANT) for i in range(DOCUMENTS)}
    return {f"q{q + 1}": grades for q in range(n_queries)}


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
    f"{d.low:.3f} to {d.high:.3f} (notebook 6 computes it), so 0 is outside."
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

# %% tags=["skip"]
predict(
    "The true difference is the same in all 100 collections. In how many of them does a test over "
    "fifty queries find it: in nearly all, in about two thirds, or in about one third?"
)

# %% tags=["skip"]
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

# %% [markdown] tags=["skip"]
# ## On a real collection
#
# The two engines that look for words, *fts5* and *bm25* (notebook 1), are close to each other. Is
# one better in AP, over the 100 topics of the real collection?

# %% tags=["skip"]
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

# %% tags=["skip"]
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
        digits=3,
        caption="For lsa it does. For fts5 the data don't decide: its lead is less than half of "
        "what 100 topics can show with a power of 0.8. That is no proof that the two are equally "
        "good.",
    )
)

# %% [markdown]
# Notebook 6 goes on from here. It has the t-test, effect sizes, tests of many systems, and a test
# that a new system is *not worse*.
#
# ## Recap
#
# - MAP counts each query the same and compares differences. GMAP compares ratios, so hard queries
#   count more. One AP of 0 makes GMAP 0: replace it by a floor, and report the floor.
# - 1/MRR is the harmonic mean of the ranks, not the mean rank. In ERR a reader stops with a
#   probability that depends on the grade.
# - Queries vary more than systems. Compare two systems query by query, on the same queries.
# - A p-value says how often chance alone gives a difference at least as large. The randomisation
#   test counts it.
# - To see half the difference, you need four times the queries.
#
# **Read on.**

# %%
reading("Robertson 2006", "Chapelle 2009", "Smucker 2007", "Fisher 1918")
