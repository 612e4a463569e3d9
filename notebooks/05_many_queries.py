# %% [markdown]
# # 5. Many queries: MAP, GMAP, MRR and ERR
#
# **Goals.** After this notebook you can
#
# - compute MAP and GMAP by hand, and say which queries change each of them most;
# - compute MRR and ERR by hand, and say which readers each of them is made for.
#
# **Time.** 40 minutes. **Needs.** Notebook 2 (average precision), and a little of notebook 4
# (grades).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    err,
    evaluate,
    explain,
    geometric_mean,
    mean,
    mean_average_precision,
    mean_reciprocal_rank,
    ndcg,
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
    table,
    terms,
)
from irmetrics_edu.course.collection.cranfield import load_cranfield, recorded, runs_over
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter quotes one text in Chinese: *document 004*, the slides of two lectures on evaluation
# and learning to rank. It is called *the lecture* below. These are the words of this chapter:

# %%
terms("AP", "MAP", "GMAP", "RR", "MRR", "ERR")

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
# ## On a real collection
#
# The collection of notebook 1 has three engines and 100 topics. Each measure of this chapter is a
# mean over the same topics.

# %%
stdlib = load_collection("stdlib")
each = {
    name: evaluate(run, stdlib.qrels["deep"], "AP RR ERR(max_grade=3)@20")
    for name, run in stdlib.runs.items()
}
of_engines = {
    name: [
        e.mean["AP"],
        geometric_mean(e.per_query["AP"], floor=1e-5),
        e.mean["RR"],
        e.mean["ERR(max_grade=3)@20"],
    ]
    for name, e in each.items()
}
nothing = {name: list(e.per_query["AP"].values()).count(0) for name, e in each.items()}
predict(
    f"LSA finds nothing relevant on {nothing['lsa']} topics, and FTS5 on {nothing['fts5']}. Which "
    "mean of LSA is furthest below that of FTS5, as a share: MAP, GMAP, MRR or ERR?"
)

# %%
reveal(
    table(
        {"mean over 100 topics": ["MAP", "GMAP, floor 1e-5", "MRR", "ERR@20"]} | of_engines,
        digits=3,
        caption="GMAP: it is lower by two thirds, and the others by a fifth to a third. A topic on "
        "which an engine finds nothing counts 0.00001 there.",
    )
)

# %% [markdown]
# Is FTS5 better than BM25, or is the difference chance? Notebook 6 asks that.

# %% [markdown]
# ## Many queries, judged by people
#
# Here are the 225 questions of Cranfield (notebook 2). With a copy of your own, name its folder and
# run the cell again. Without one you see what was measured once.

# %%
CRANFIELD = ""  # the folder with cran.all.1400, cran.qry and cranqrel


def over_cranfield(folder):
    """How AP is spread over the questions, for two engines."""
    cranfield = load_cranfield(folder)
    columns = {"engine": [], "MAP": [], "median of AP": [], "questions with AP 0": []}
    for engine, run in runs_over(cranfield).items():
        found = evaluate(run, cranfield.qrels["people"], "AP")
        values = sorted(found.per_query["AP"].values())
        columns["engine"].append(engine)
        columns["MAP"].append(round(found.mean["AP"], 4))
        columns["median of AP"].append(round(values[len(values) // 2], 4))
        columns["questions with AP 0"].append(sum(value == 0 for value in values))
    return columns


table(
    over_cranfield(CRANFIELD) if CRANFIELD else recorded("many_queries"),
    digits=3,
    caption="The median is below the mean for both: a few easy questions pull the mean up. And "
    "some questions find nothing relevant among the first 50 documents.",
)

# %% [markdown]
# ## Recap
#
# - MAP counts each query the same and compares differences. A judged query that the run lacks
#   counts 0.
# - GMAP compares ratios, so hard queries count more. One AP of 0 makes GMAP 0: replace it by a
#   floor, and report the floor.
# - MRR looks at the first relevant document only. 1/MRR is the harmonic mean of the ranks, not the
#   mean rank.
# - In ERR a reader stops with a probability that depends on the grade. So a document counts less
#   below a good one.
#
# **Read on.**

# %%
reading("Robertson 2006", "Chapelle 2009")
