# %% [markdown]
# # 1. Relevant or not: precision, recall, and what to make of the two
#
# **Goals.** After this notebook you can
#
# - sort documents into the four cells of a confusion table, and read precision and recall off it;
# - say why nobody judges a search engine by its accuracy;
# - choose between precision and recall for a given task, and say what F does with them;
# - explain what a pool is, and what a recall computed from one is worth.
#
# **Time.** 40 minutes. **Needs.** Fractions.

# %%
import matplotlib.pyplot as plt

from irmetrics_edu import (
    accuracy,
    confusion,
    documents,
    explain,
    f_measure,
    geometric_mean,
    leave_out,
    mean,
    pool,
    precision,
    recall,
)
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.views import plotting

# %% [markdown]
# The words of this chapter:

# %%
terms("relevance", "retrieved", "confusion table", "precision", "recall", "accuracy", "F-measure")

# %%
terms("TP", "FP", "FN", "TN", "pool")

# %% [markdown]
# A word of warning to readers of Chinese: 准确率 means precision in this lecture and accuracy in
# many books on classification. 查准率 (precision) and 查全率 (recall) leave no doubt.
#
# ## Two sets
#
# A search splits a collection twice. The engine splits it into what it **retrieved** and what it
# did not; a judge splits it into what is **relevant** and what is not. Two splits make four cells.
#
# The lecture (document 004) has an example. The relevant documents of query 1 are d3, d4, d6, d9.
# System 1 returns d3, d6, d8, d10, d11. The ids go up to d14, so say there are 14 documents.

# %%
RELEVANT = {"d3", "d4", "d6", "d9"}
SYSTEM_1 = ["d3", "d6", "d8", "d10", "d11"]
predict("How many documents are in each cell: TP, FP, FN, TN? They must add up to 14.")

# %%
reveal(table(confusion(SYSTEM_1, RELEVANT, collection=14), caption="Documents, counted twice over"))

# %% [markdown]
# **Positive** and **negative** say what the engine decided; **true** and **false** say whether it
# was right. So a *false negative* is a relevant document that the engine left out.
#
# ## Two shares of one cell
#
# Precision and recall have the same numerator, the relevant documents retrieved. They differ in
# what they divide by:
#
# $$P = \frac{TP}{TP+FP} \qquad\qquad R = \frac{TP}{TP+FN}$$
#
# Precision looks along the column of what was retrieved, recall along the row of what is relevant.

# %%
predict(
    "What are the precision and the recall of system 1, as fractions? Type the precision.",
    of=(precision, SYSTEM_1, RELEVANT),
)

# %%
reveal(quote("004", "正确率2/5,召回率2/4"))

# %%
explain(precision, SYSTEM_1, RELEVANT, exact=True)

# %%
explain(recall, SYSTEM_1, RELEVANT, exact=True)

# %% [markdown]
# A dash in the column *grade* says that nobody judged this document; it counts as not relevant.
#
# System 2 stands in the same table of the lecture, with five columns, but the last one is empty:
# it returned d6, d7, d2, d9 and no more.

# %%
SYSTEM_2 = ["d6", "d7", "d2", "d9"]
predict(
    "Is the precision of system 2 equal to 2/4 or to 2/5?",
    of=(precision, SYSTEM_2, RELEVANT),
    mistaken={2 / 5: "System 1 returned five documents. System 2 returned four."},
)

# %%
reveal(
    f"It is {precision(SYSTEM_2, RELEVANT, exact=True)}: of the four documents retrieved, two are "
    "relevant. A set has the size it has, whatever the width of the table. "
    f"P@5, which always divides by 5, is {precision(SYSTEM_2, RELEVANT, k=5, exact=True)}; it "
    "belongs to notebook 2."
)

# %%
quiz(
    "An engine returns 8 documents, 6 of them relevant. 24 documents are relevant in all. "
    "What is its recall?",
    {
        "6/8": (False, "That is the precision: 6 of the 8 retrieved. Recall looks at all 24."),
        "8/24": (False, "Two of the 8 are not relevant; they recall nothing."),
        "6/24": (True, "Of the 24 relevant documents 6 were found, a quarter."),
        "6/32": (
            False,
            "That adds up retrieved and relevant. Divide by the relevant ones alone.",
        ),
    },
)

# %% [markdown]
# ## Why not accuracy?
#
# TP and TN are both right decisions. So why not count them together?
#
# $$\text{accuracy} = \frac{TP+TN}{TP+FP+FN+TN}$$
#
# The lecture answers with a question, *how do you make a search engine with an accuracy near 100 %
# at the lowest cost?*

# %%
quote("004", "如何以最低的代价做一个Accuracy接近 100% 的搜索引擎?")

# %%
predict(
    "How? And what is its accuracy if 2 of 1,000 documents are relevant?",
    0.998,
    mistaken={0.002: "That is the share it gets wrong: the two relevant documents."},
)

# %%
nothing = accuracy([], {"d3", "d4"}, collection=1000)
good = accuracy(["d3", "d4", "d5", "d6", "d7"], {"d3", "d4"}, collection=1000)
reveal(
    f"Return nothing, for any query. The accuracy is {nothing:.3f}. An engine that finds both "
    f"documents, and three others with them, has only {good:.3f}."
)

# %% [markdown]
# Nearly all documents of a collection are irrelevant to a query, so TN drowns the other cells. Move
# the slider to let the collection grow. Ten documents are relevant; one engine returns nothing,
# one returns ten documents with six relevant among them, one returns everything.

# %%
TEN = [f"r{i}" for i in range(10)]


def engines(size):
    """The lists of three engines over a collection with ten relevant documents."""
    others = [f"n{i}" for i in range(size - len(TEN))]
    return {"nothing": [], "ten,\nsix relevant": TEN[:6] + others[:4], "everything": TEN + others}


def accuracies(size):
    """Accuracy and F of the three engines, side by side."""
    lists = engines(size)
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    shown = {
        "accuracy": [accuracy(r, TEN, collection=size) for r in lists.values()],
        "F": [f_measure(r, TEN) for r in lists.values()],
    }
    for i, (name, values) in enumerate(shown.items()):
        bars = axes.bar(
            [place + 0.4 * i for place in range(3)],
            values,
            width=0.36,
            color=plotting.PALETTE[i],
            hatch=plotting.HATCHES[i],
            edgecolor="white",
            label=name,
        )
        axes.bar_label(bars, fmt="%.3f")
    axes.set_xticks([0.2, 1.2, 2.2], list(lists))
    axes.set(
        xlabel="what the engine returns", ylim=(0, 1.1), title=f"{size:,} documents, 10 relevant"
    )
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return drawn


slider(
    accuracies,
    name="documents",
    values=[20, 100, 1_000, 10_000],
    start=100,
    alt=lambda size: (
        f"Bars of accuracy and F for three engines over {size:,} documents. Returning nothing has "
        f"an accuracy of {accuracy([], TEN, collection=size):.3f} and F 0; returning ten with six "
        "relevant has F 0.6 whatever the size."
    ),
)

# %% [markdown]
# The F of the useful engine stays where it is: neither precision nor recall looks at TN.
#
# ## Which of the two matters?
#
# Returning more documents can only raise recall, and usually lowers precision. How far to go
# depends on which mistake costs more.

# %%
quiz(
    "A filter moves mail that it takes for spam out of sight. Positive means spam. Which should be "
    "high above all?",
    {
        "Precision": (
            True,
            (
                "A false positive is a letter that you never see. The lecture says the same: "
                "rather let some spam through than lose a good letter; recall (of spam) gives way."
            ),
        ),
        "Recall": (
            False,
            "High recall means that no spam gets through, at the price of good letters lost.",
        ),
        "Accuracy": (
            False,
            "It counts a lost letter and a spam let through alike; the costs are not alike.",
        ),
    },
)

# %%
predict("And in medical screening, where positive means ill? Which mistake costs more there?")

# %%
reveal(
    "A patient who is missed (FN) costs more than a healthy person who is examined again (FP). So "
    "recall must be high, and precision may give way."
)

# %% [markdown]
# ## One number of two: F
#
# The F-measure is the weighted harmonic mean of precision and recall:
#
# $$F = \frac{1}{\alpha \frac{1}{P} + (1-\alpha) \frac{1}{R}}
#     = \frac{(\beta^2+1)PR}{\beta^2 P + R}, \qquad \alpha = \frac{1}{\beta^2+1}$$
#
# The last equation, which the slide leaves out, is what makes the two forms one. With
# $\alpha = 1/2$, so $\beta = 1$, both count alike: $F_1 = 2PR/(P+R)$.

# %%
predict("System 1 has P = 2/5 and R = 1/2. Is its F1 above, at or below their mean of 9/20?")

# %%
reveal(explain(f_measure, SYSTEM_1, RELEVANT, exact=True))

# %% [markdown]
# Why the harmonic mean, when the arithmetic one is what everybody knows? Take an engine that
# returns **everything**: all of 1,000 documents, one of them relevant.

# %%
predict("What is its recall? What is the arithmetic mean of its P and R? And its F1?")

# %%
EVERYTHING = [1] + [0] * 999
both = [precision(EVERYTHING), recall(EVERYTHING)]
answer = {
    "measure": ["precision", "recall", "arithmetic mean", "geometric mean", "F1 (harmonic)"],
    "returns everything": [*both, mean(both), geometric_mean(both), f_measure(EVERYTHING)],
}
reveal(table(answer))

# %% [markdown]
# An engine that does nothing should not score a half. In a picture: let more and more of 100
# documents be relevant, and return them all. Recall is 1 throughout.

# %%
counts = range(1, 101)
lists = [[1] * r + [0] * (100 - r) for r in counts]
pairs = [[precision(x), recall(x)] for x in lists]
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, (name, values) in enumerate(
    {
        "arithmetic mean": [mean(p) for p in pairs],
        "geometric mean": [geometric_mean(p) for p in pairs],
        "harmonic mean: F1": [f_measure(x) for x in lists],
    }.items()
):
    axes.plot(
        [p for p, _ in pairs],
        values,
        color=plotting.PALETTE[i],
        marker="os^"[i],
        markevery=10,
        label=name,
    )
axes.set(xlabel="precision", ylabel="mean of precision and recall", ylim=(0, 1.05))
axes.set_title("Recall is 1: everything is returned")
axes.legend(frameon=False, loc="lower right")
figure(
    drawn,
    alt="Three means of precision and recall over precision, recall being 1. The arithmetic mean "
    "starts at one half, the geometric at 0.1, the harmonic near 0. All three meet at 1.",
)

# %% [markdown]
# The harmonic mean stays near the smaller of the two, so the smaller one is worth raising. An
# engine returns 40 documents, with 8 of the 10 relevant ones among them: P = 1/5 and R = 4/5. Two
# repairs are on offer: one raises P by 1/5, the other raises R by 1/5.

# %%
predict("Which repair does the arithmetic mean prefer? Which one does F1 prefer?")

# %%
KNOWN = [f"r{i}" for i in range(10)]


def returns(found, retrieved):
    """A list of so many documents with so many of the ten relevant ones among them."""
    return KNOWN[:found] + [f"n{i}" for i in range(retrieved - found)]


repairs = {"as it is": returns(8, 40), "P + 1/5": returns(8, 20), "R + 1/5": returns(10, 50)}
scores = [[m(x, KNOWN, exact=True) for m in (precision, recall)] for x in repairs.values()]
after = {
    "engine": list(repairs),
    "P": [p for p, _ in scores],
    "R": [r for _, r in scores],
    "arithmetic mean": [mean(s, exact=True) for s in scores],
    "F1": [f_measure(x, KNOWN, exact=True) for x in repairs.values()],
}
reveal(table(after, caption="The arithmetic mean has no opinion. F1 says: help where it is worst."))

# %% [markdown]
# The weight $\beta$ says how many times as important recall is as precision. A *careful* engine
# returns 3 documents, all relevant; a *thorough* one returns 30, with 9 relevant. Ten are relevant
# in all. Predict, before you move the slider, on which side of 1 the thorough one wins.

# %%
CAREFUL, THOROUGH = returns(3, 3), returns(9, 30)


def weighed(beta):
    """Precision, recall and F of the careful and the thorough engine for one beta."""
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for i, (name, got) in enumerate({"careful": CAREFUL, "thorough": THOROUGH}.items()):
        bars = axes.bar(
            [place + 0.4 * i for place in range(3)],
            [precision(got, KNOWN), recall(got, KNOWN), f_measure(got, KNOWN, beta=beta)],
            width=0.36,
            color=plotting.PALETTE[i],
            hatch=plotting.HATCHES[i],
            edgecolor="white",
            label=name,
        )
        axes.bar_label(bars, fmt="%.3f")
    axes.set_xticks([0.2, 1.2, 2.2], ["precision", "recall", f"F, beta = {beta:g}"])
    axes.set(ylim=(0, 1.12), title=f"beta = {beta:g}")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return drawn


slider(
    weighed,
    name="beta",
    values=[0.25, 0.5, 1, 2, 4],
    start=1,
    alt=lambda beta: (
        "Bars of precision, recall and F. The careful engine has precision 1 and recall 0.3, the "
        f"thorough one 0.3 and 0.9. With beta {beta:g} their F is "
        f"{f_measure(CAREFUL, KNOWN, beta=beta):.3f} and "
        f"{f_measure(THOROUGH, KNOWN, beta=beta):.3f}."
    ),
)

# %%
quiz(
    "Our F with beta = 2 of the thorough engine is "
    f"{f_measure(THOROUGH, KNOWN, beta=2):.3f}. trec_eval's set_F with parameter 2 gives "
    f"{f_measure(THOROUGH, KNOWN, alpha=1 / 3):.3f}. What explains it?",
    {
        "trec_eval rounds precision and recall first": (
            False,
            "Rounding to four digits cannot move the second one.",
        ),
        "trec_eval does not square beta": (
            True,
            (
                "Its weight of precision is 1/(beta + 1), here 1/3, and not 1/5. Pass alpha=1/3 to "
                "agree."
            ),
        ),
        "trec_eval takes beta for precision": (
            False,
            (
                "Then the value would fall below F1, towards the precision of 0.3; F1 is "
                f"{f_measure(THOROUGH, KNOWN):.3f}."
            ),
        ),
    },
)

# %% [markdown]
# ## Who knows all relevant documents?
#
# Recall divides by the number of *all* relevant documents. In fourteen documents one can count
# them. The lecture shows what real collections are like:

# %%
sizes = documents.example("004-collections")
quote("004", "CACM 3,204, 2.2 Mb, 64; AP 242,918, 0.7 Gb, 474; GOV2 25,205,179, 426 Gb, 1073")

# %% [markdown]
# (Documents, size, words per document.) Nobody reads 25 million documents for one query.
#
# **A puzzle** on the way: the three sizes have one misprint in common.

# %%
predict("Divide the size by the number of words in all. What is wrong with Mb and Gb?")

# %%
reveal(
    table(
        {
            "collection": ["CACM", "AP", "GOV2"],
            "per word, if in bytes": sizes.lines[0].values,
            "per word, if in bits": sizes.lines[1].values,
        },
        digits=1,
        caption=sizes.erratum.why,
    )
)

# %% [markdown]
# The way out is **pooling**: the first $N$ documents of every system are put together and judged,
# and what is not in the pool counts as not relevant. The hope is that most relevant documents are
# found by somebody. In competitions $N$ is 50 to 200; here it is 2.
#
# In this little world we know the truth: r1 to r6 are relevant, n1 to n8 are not.

# %%
TRUTH = {f"r{i}" for i in range(1, 7)}
RUNS = {
    "A": ["r1", "n1", "r2", "n2", "r3", "n3"],
    "B": ["r2", "r1", "n4", "r4", "n1", "n5"],
    "C": ["n6", "r5", "n7", "n8", "r6", "r3"],
}
predict("How many documents are judged at depth 2? How many relevant ones become known?")

# %%
reveal(pool(RUNS, depth=2))

# %% [markdown]
# A document that two systems hand in is judged once. The relevant ones among the judged are all
# that is known of the truth.


# %%
def judged_to(depth):
    """The judgments that a pool of this depth brings about."""
    return {d: int(d in TRUTH) for d in pool(RUNS, depth=depth).documents}


predict("R@2, the recall of the first two documents, from this pool: above or below the true one?")

# %%
depths = [2, 4, 5]
by_depth = {"judgments": [f"pool of depth {d}" for d in depths] + ["the truth"]}
known = [judged_to(d) for d in depths] + [TRUTH]
by_depth["relevant, known"] = [len([d for d in j if d in TRUTH]) for j in known]
for system, ranking in RUNS.items():
    by_depth[f"R@2 of {system}"] = [recall(ranking, j, k=2, exact=True) for j in known]
reveal(table(by_depth))

# %% [markdown]
# The values are too high, since R is too small, and too high by the same factor for all. So the
# *comparison* comes out: B is best at any depth. That is what pools are for.
#
# It holds for systems that **contributed**, down to the depth of the pool. Leave C out of the pool
# and nobody judges r5:

# %%
predict("What becomes of C's R@2 if C was not pooled?")

# %%
reveal(leave_out("C", RUNS, judged_to(2), recall @ 2, depth=2))

# %%
quiz(
    "A new engine is measured with last year's pool, to which it did not contribute. Its recall is "
    "below that of last year's winner. What follows?",
    {
        "The new engine is worse": (
            False,
            "Perhaps. But its relevant documents may be ones that nobody judged.",
        ),
        "The true recall is even lower, a pool gives an upper bound": (
            False,
            (
                "The bound holds for contributors, down to the depth: all they found there is "
                "judged. What this one found may not be, and then its recall comes out too low."
            ),
        ),
        "Nothing yet: see how many of its documents were judged": (
            True,
            (
                "Many unjudged documents near the top mean that the number says little. Notebook 6 "
                "returns to this."
            ),
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - Precision divides the hits by what was retrieved, recall by what is relevant.
# - Accuracy counts TN, and there are nearly always enough of them to hide everything else.
# - F is a harmonic mean: it stays near the smaller of the two. $\beta$ is the weight of recall, and
#   not all libraries square it.
# - A pool makes R known, too small but the same for all. It compares those who contributed.
# - None of this asks in which *order* the documents stand. Notebook 2 does.
#
# **Read on.** van Rijsbergen (1979), *Information Retrieval*, chapter 7. Manning, Raghavan &
# Schütze (2008), *Introduction to Information Retrieval*, chapter 8. Zobel (1998), *How reliable
# are the results of large-scale information retrieval experiments?*, SIGIR.
