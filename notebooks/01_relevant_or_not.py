# %% [markdown]
# # 1. Relevant or not: precision, recall, and how to combine them
#
# **Goals.** After this notebook you can
#
# - sort documents into the four cells of a confusion table, and compute precision and recall;
# - explain why nobody measures a search engine by its accuracy;
# - choose between precision and recall for a task, and combine them with F;
# - explain what a pool is, and how far you can trust a recall that was computed from a pool.
#
# **Time.** 40 minutes. **Needs.** Fractions.

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    accuracy,
    confusion,
    f_measure,
    fall_out,
    geometric_mean,
    mean,
    precision,
    recall,
)
from irmetrics_edu.course import (
    figure,
    leave_out,
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
from irmetrics_edu.runs import (
    pool,
)
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter quotes *document 004*, the slides of two lectures on evaluation and learning to rank.
# They are in Chinese. The text below calls them *the lecture*. These are the words of this chapter:

# %%
terms("relevance", "retrieved", "confusion table", "precision", "recall", "accuracy", "F-measure")

# %%
terms("TP", "FP", "FN", "TN", "fall-out", "pool")

# %% [markdown]
# ## Four kinds of documents
#
# You plan a trip to Kyoto, and you search your ten messages m1 to m10 for "Kyoto". Three messages
# are about the trip: m2, m5 and m9. The search returns m2, m7, m5 and m8. Message m7 is a
# newsletter, and m8 is an advertisement. Message m9 says "our train leaves on Friday". It doesn't
# contain the word "Kyoto", so the search misses it.
#
# The messages about the trip are **relevant**. The messages that the search returns are
# **retrieved**. Each message is relevant or not, and retrieved or not. That makes four kinds. The
# **confusion table** counts the documents of each kind:
#
# - TP, *true positives*: relevant and retrieved (m2, m5);
# - FP, *false positives*: retrieved but not relevant (m7, m8);
# - FN, *false negatives*: relevant but not retrieved (m9);
# - TN, *true negatives*: neither relevant nor retrieved (the other five).
#
# The lecture says that relevance has two sides. A document can be on the *topic* of the query. It
# can also meet the *need* of the user. An old guide to Kyoto is on the topic, but it is of little
# use for your trip. Words that match can show the first side. Feedback of users, or their intent,
# shows the second one.
#
# A match is not all that you want. The lecture compares a search with the choice of a doctor.
# Doctor B treats teeth and eyes, and has twenty years of experience. Doctor C treats nothing but
# teeth, and has five years. You look at the field of a doctor and at the experience. So it is with
# pages: the **content** of a page has to match the query, and the page has to be of good
# **quality**, from somebody with authority. The measures of this course count what a judge calls
# relevant. Tell your judges whether a bad page that matches is relevant.
#
# The course of the lecture has six questions about the Web. Measures answer its sixth question: how
# good is the ranking of the pages that you got?
#
# **Positive** means that the engine retrieved the document. **True** means that the engine was
# right. You can count the four kinds with Python's sets:

# %%
relevant, retrieved = {"m2", "m5", "m9"}, ["m2", "m7", "m5", "m8"]
tp = len(relevant & set(retrieved))
fp = len(retrieved) - tp
fn = len(relevant) - tp
tn = 10 - tp - fp - fn
counted = confusion(retrieved, relevant, collection=10)
assert np.isclose([tp, fp, fn, tn], [counted[c][0] for c in ("TP", "FP", "FN", "TN")]).all()
tp, fp, fn, tn

# %% [markdown]
# The package shows the same numbers as a table:

# %%
table(counted, caption="The ten messages of the mailbox")

# %% [markdown]
# The lecture has an example too. The relevant documents of query 1 are d3, d4, d6 and d9. System 1
# returns d3, d6, d8, d10 and d11. The highest id in the lecture is d14, so assume that there are 14
# documents.

# %%
RELEVANT = {"d3", "d4", "d6", "d9"}
SYSTEM_1 = ["d3", "d6", "d8", "d10", "d11"]
predict(
    "How many documents are in each cell: TP, FP, FN, TN? The four numbers must add up to 14. "
    "Type TN.",
    7,
    mistaken={
        9: "You counted all documents that were not retrieved. Two of the nine are relevant.",
        10: "You counted all documents that are not relevant. Three of the ten were retrieved.",
    },
)

# %%
reveal(table(confusion(SYSTEM_1, RELEVANT, collection=14), caption="The 14 documents of query 1"))

# %% [markdown]
# ## Precision and recall
#
# Look at the mailbox again. The search returned four messages, and two of them are relevant. So its
# **precision** is 2/4. Three messages are relevant, and the search found two of them. So its
# **recall** is 2/3.
#
# $$\text{precision} = \frac{TP}{TP+FP} \qquad\qquad \text{recall} = \frac{TP}{TP+FN}$$
#
# In words: both count the relevant documents that were retrieved. Precision divides this count by
# the number of retrieved documents. Recall divides it by the number of relevant documents.

# %%
by_hand = [tp / (tp + fp), tp / (tp + fn)]
assert np.isclose(by_hand[0], precision(retrieved, relevant))
assert np.isclose(by_hand[1], recall(retrieved, relevant))
[round(value, 4) for value in by_hand]

# %% [markdown]
# The package shows the steps. Here *P* is the precision, and *divisor* is the number of retrieved
# messages. The column *grade* has a 1 for a message that is relevant. A dash means that the message
# is not in the set of relevant ones, so it counts as not relevant.

# %%
table(precision.working(retrieved, relevant, exact=True))

# %% [markdown]
# Now it is your turn, with system 1 of the lecture: it returns d3, d6, d8, d10 and d11, and d3, d4,
# d6 and d9 are relevant.

# %%
predict(
    "What is the precision of system 1, as a fraction? Type it.",
    of=(precision, SYSTEM_1, RELEVANT),
)

# %%
reveal(table(precision.working(SYSTEM_1, RELEVANT, exact=True)))

# %%
predict("What is the recall of system 1? Type it.", of=(recall, SYSTEM_1, RELEVANT))

# %%
reveal(quote("004", "正确率2/5,召回率2/4", "Precision 2/5, recall 2/4"))

# %%
reveal(
    "Two of the five retrieved documents are relevant, and two of the four relevant documents "
    "were retrieved.",
    summary="Why?",
)

# %%
quiz(
    "An engine returns 8 documents, and 6 of them are relevant. The collection has 24 relevant "
    "documents. What is the recall of the engine?",
    {
        "6/8": (
            False,
            "That is the precision: 6 of the 8 retrieved documents. Recall divides by all 24.",
        ),
        "8/24": (False, "Two of the 8 documents are not relevant, so they don't count."),
        "6/24": (True, "The engine found 6 of the 24 relevant documents, a quarter."),
        "6/32": (
            False,
            "You added retrieved and relevant documents. Divide by the relevant documents alone.",
        ),
    },
)

# %% [markdown]
# System 2 of the lecture returns four documents for the same query: d6, d7, d2 and d9. Two of them
# are relevant, so its precision is 2/4, and its recall is 2/4, too. System 1 found as many relevant
# documents among five.

# %%
SYSTEM_2 = ["d6", "d7", "d2", "d9"]
assert precision(SYSTEM_2, RELEVANT) == recall(SYSTEM_2, RELEVANT) == 2 / 4

# %% [markdown]
# ## Why not accuracy?
#
# TP and TN both count right decisions. In the mailbox there are 2 + 5 right decisions about ten
# messages. The share of right decisions, 7/10, is the **accuracy**:
#
# $$\text{accuracy} = \frac{TP+TN}{TP+FP+FN+TN}$$
#
# In words: divide the number of right decisions by the number of all documents.

# %%
by_hand = (tp + tn) / (tp + fp + fn + tn)
assert np.isclose(by_hand, accuracy(retrieved, relevant, collection=10))
by_hand

# %% [markdown]
# Accuracy looks like a good measure. But the lecture asks:

# %%
quote(
    "004",
    "如何以最低的代价做一个Accuracy接近 100% 的搜索引擎?",
    "How do you build a search engine with an accuracy near 100 % at the lowest cost?",
)

# %%
predict(
    "How? And what is the accuracy of this engine if 2 of 1,000 documents are relevant? Type the "
    "accuracy.",
    0.998,
    mistaken={0.002: "That is the share of wrong decisions: the two relevant documents."},
)

# %%
nothing = accuracy([], {"d3", "d4"}, collection=1000)
good = accuracy(["d3", "d4", "d5", "d6", "d7"], {"d3", "d4"}, collection=1000)
reveal(
    f"Return nothing, for any query. The accuracy is {nothing:.3f}. An engine that returns both "
    f"relevant documents and three others is far more useful, but its accuracy is only {good:.3f}."
)

# %% [markdown]
# For most queries nearly all documents of a collection are not relevant. So TN is much larger than
# the other three numbers, and it decides the accuracy.
#
# The next figure compares three engines. Ten documents are relevant. The first engine returns
# nothing. The second one returns ten documents, and six of them are relevant. The third one returns
# everything. The figure shows their accuracy and their recall.

# %%
TEN = [f"r{i}" for i in range(10)]


def engines(size):
    """The lists of three engines over a collection with ten relevant documents."""
    others = [f"n{i}" for i in range(size - len(TEN))]
    return {"nothing": [], "ten,\nsix relevant": TEN[:6] + others[:4], "everything": TEN + others}


def side_by_side(groups, series, **labels):
    """Bars of several series over the same three groups."""
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for i, (name, values) in enumerate(series.items()):
        bars = axes.bar(
            [place + 0.4 * i for place in range(3)],
            values,
            width=0.36,
            color=plotting.PALETTE[i],
            hatch=plotting.HATCHES[i],
            edgecolor="white",
            label=name,
        )
        axes.bar_label(bars, fmt="%.4f", fontsize=8)
    axes.set_xticks([0.2, 1.2, 2.2], groups)
    axes.set(ylim=(0, 1.12), **labels)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return drawn


# %% [markdown]
# Move the slider to make the collection larger. Watch the accuracy of the engine that returns
# nothing:


# %%
def accuracies(size):
    """Accuracy and recall of the three engines, side by side."""
    lists = engines(size)
    shown = {
        "accuracy": [accuracy(r, TEN, collection=size) for r in lists.values()],
        "recall": [recall(r, TEN) for r in lists.values()],
    }
    title = f"{size:,} documents, 10 relevant"
    return side_by_side(list(lists), shown, xlabel="what the engine returns", title=title)


slider(
    accuracies,
    name="documents",
    values=[20, 100, 1_000, 10_000],
    start=100,
    alt=lambda size: (
        f"Bars of accuracy and recall for three engines over {size:,} documents. Returning nothing "
        f"has an accuracy of {accuracy([], TEN, collection=size):.4f} and recall 0. Returning ten "
        "with six relevant has recall 0.6 whatever the size, and an accuracy of "
        f"{1 - 8 / size:.4f}."
    ),
)

# %% [markdown]
# The recall of each engine doesn't change: recall doesn't use TN. Precision doesn't use TN either.
#
# One more share of the table asks how many of the useless documents the user has to see. The
# **fall-out** is the share of the documents that are not relevant, and were retrieved:
#
# $$\text{fall-out} = \frac{FP}{FP+TN}$$
#
# In words: divide the number of retrieved documents that are not relevant by the number of all
# documents that are not relevant. In the mailbox it is 2/7. In a large collection every short list
# has a tiny fall-out, because TN is so large. Notebook 3 makes a curve of it.

# %%
by_hand = fp / (fp + tn)
assert np.isclose(by_hand, fall_out(retrieved, relevant, collection=10))
round(by_hand, 4)

# %% [markdown]
# ## Does precision or recall matter more?
#
# If an engine returns more documents, recall rises or stays the same. Precision usually falls. How
# many documents should the engine return? That depends on which mistake costs more.
#
# Search is not the only case. The lecture says that nearly all classifiers are measured by
# precision and recall. In medical screening a patient whose illness is missed costs more than a
# healthy person who is examined again, so recall must be high. Another example is a filter for
# mail.

# %%
quiz(
    "A filter hides the messages that it takes for spam. Positive means spam. Which measure should "
    "be high above all?",
    {
        "Precision": (
            True,
            (
                "A false positive is a good letter that you never see. The lecture says: let some "
                "spam through rather than lose a good letter. So accept a lower recall of spam."
            ),
        ),
        "Recall": (
            False,
            "A high recall means that little spam gets through. The price is good letters lost.",
        ),
        "Accuracy": (
            False,
            (
                "Accuracy counts a lost letter and a spam message in your inbox as equally bad. "
                "The lost letter costs you more."
            ),
        ),
    },
)

# %% [markdown]
# ## F: one number from precision and recall
#
# In the mailbox precision is 1/2 and recall is 2/3. Their arithmetic mean is 7/12, about 0.58. The
# measure **F1** is another mean of the two, the *harmonic* mean:
#
# $$F_1 = \frac{2 \cdot \text{precision} \cdot \text{recall}}{\text{precision} + \text{recall}}$$
#
# In words: multiply precision by recall, double the product, and divide by the sum of the two.

# %%
p, r = precision(retrieved, relevant), recall(retrieved, relevant)
by_hand = 2 * p * r / (p + r)
assert np.isclose(by_hand, f_measure(retrieved, relevant))
round(by_hand, 4)

# %%
predict(
    "System 1 has the precision 2/5 and the recall 1/2. Is its F1 above, at or below the "
    "arithmetic mean of the two, 9/20? Type F1.",
    of=(f_measure, SYSTEM_1, RELEVANT),
)

# %%
reveal(
    "Below: it is 2 · 2/5 · 1/2 divided by 2/5 + 1/2, so "
    f"{f_measure(SYSTEM_1, RELEVANT, exact=True)} or {f_measure(SYSTEM_1, RELEVANT):.4f}. The "
    "harmonic mean of two different numbers is always below the arithmetic mean."
)

# %% [markdown]
# Why do we use the harmonic mean? Everybody knows the arithmetic mean. Take an engine that returns
# **everything**: all of 1,000 documents, and one of them is relevant.

# %%
EVERYTHING = [1] + [0] * 999
both = [precision(EVERYTHING), recall(EVERYTHING)]
predict(
    "What is the recall of this engine? What is the arithmetic mean of its precision and recall? "
    "And its F1? Type the arithmetic mean.",
    mean(both),
    mistaken={
        both[0]: "That is the precision.",
        both[1]: "That is the recall.",
        f_measure(EVERYTHING): "That is F1.",
    },
)

# %%
assert np.isclose(sum(both) / 2, mean(both))
assert np.isclose((both[0] * both[1]) ** 0.5, geometric_mean(both))
answer = {
    "measure": ["precision", "recall", "arithmetic mean", "geometric mean", "F1 (harmonic)"],
    "returns everything": [*both, mean(both), geometric_mean(both), f_measure(EVERYTHING)],
}
caption = "This engine is useless. By the arithmetic mean it still scores a half."
reveal(table(answer, caption=caption))

# %% [markdown]
# The harmonic mean stays near the smaller of the two numbers. If you can repair an engine, F1 rises
# most if you raise the smaller one.
#
# F1 treats precision and recall as equally important. The full F-measure gives them weights:
#
# $$F_\beta = \frac{1}{\alpha \, \frac{1}{\text{precision}} + (1-\alpha) \,
#   \frac{1}{\text{recall}}}
#     = \frac{(\beta^2+1) \cdot \text{precision} \cdot \text{recall}}
#       {\beta^2 \cdot \text{precision} + \text{recall}},
#   \qquad \alpha = \frac{1}{\beta^2+1}$$
#
# In words: $\alpha$ is the weight of precision, and $1-\alpha$ is the weight of recall. Add the
# weighted reciprocals, and divide 1 by the sum. The number $\beta$ says how many times as important
# recall is as precision. The slide of the lecture leaves out the last equation. Without it you
# can't see that the two fractions are equal. For $\beta = 1$ the weight $\alpha$ is 1/2, and the
# result is F1.
#
# For the mailbox and $\beta = 2$:

# %%
beta = 2
by_hand = (beta**2 + 1) * p * r / (beta**2 * p + r)
assert np.isclose(by_hand, f_measure(retrieved, relevant, beta=2))
round(by_hand, 4)

# %% [markdown]
# Two engines search for ten relevant documents. The *careful* engine returns 3 documents, and all
# are relevant. The *thorough* engine returns 30 documents, and 9 are relevant.

# %%
KNOWN = [f"r{i}" for i in range(10)]
CAREFUL, THOROUGH = KNOWN[:3], KNOWN[:9] + [f"n{i}" for i in range(21)]
BETAS = [0.25, 0.5, 1, 2, 4]
predict(
    "For small beta the careful engine has the higher F. For large beta the thorough engine has "
    "it. On which side of beta = 1 do they change places? Say it before you move the slider."
)


# %%
def weighed(beta):
    """F of the careful and the thorough engine, from beta 0.25 up to this beta."""
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    betas = np.geomspace(0.25, beta, 41)
    for i, (name, got) in enumerate({"careful": CAREFUL, "thorough": THOROUGH}.items()):
        scores = [f_measure(got, KNOWN, beta=each) for each in betas]
        axes.plot(betas, scores, color=plotting.PALETTE[i], linestyle=("-", "--")[i])
        label = f"{name}: {scores[-1]:.3f}"
        axes.plot(beta, scores[-1], "os"[i], color=plotting.PALETTE[i], label=label)
    axes.set(xscale="log", xlim=(0.2, 5.5), ylim=(0.25, 0.95), xlabel="beta", ylabel="F")
    axes.set_xticks(BETAS, [f"{each:g}" for each in BETAS])
    axes.minorticks_off()
    axes.legend(frameon=False, loc="upper center")
    return drawn


slider(
    weighed,
    name="beta",
    values=BETAS,
    start=0.25,
    alt=lambda beta: (
        "Two curves of F over beta, which falls for the careful engine and rises for the thorough "
        f"one. They go up to beta {beta:g}, where F is {f_measure(CAREFUL, KNOWN, beta=beta):.3f} "
        f"and {f_measure(THOROUGH, KNOWN, beta=beta):.3f}."
    ),
)

# %%
reveal(
    "Just above 1. At beta = 1 the careful engine is still ahead, with "
    f"{f_measure(CAREFUL, KNOWN):.3f} to {f_measure(THOROUGH, KNOWN):.3f}. At beta = 2 the thorough"
    f" one leads with {f_measure(THOROUGH, KNOWN, beta=2):.3f} to "
    f"{f_measure(CAREFUL, KNOWN, beta=2):.3f}."
)

# %%
quiz(
    "An engine has precision 0.3 and recall 0.9. For beta = 2 our F is "
    f"{f_measure(THOROUGH, KNOWN, beta=2):.3f}. trec_eval, the best-known program for such scores, "
    f"gives {f_measure(THOROUGH, KNOWN, alpha=1 / 3):.3f} for its set_F with parameter 2. What "
    "explains the difference?",
    {
        "trec_eval rounds precision and recall first": (
            False,
            "Rounding to four digits can't change the second digit of F.",
        ),
        "trec_eval does not square beta": (
            True,
            (
                "In trec_eval the weight of precision is 1/(beta + 1), here 1/3. Our weight is "
                "1/(beta² + 1), here 1/5. Pass alpha=1/3 to get the number of trec_eval."
            ),
        ),
        "trec_eval takes beta for precision": (
            False,
            (
                "Then F would move towards the precision of 0.3, so it would be below F1. F1 is "
                f"{f_measure(THOROUGH, KNOWN):.3f}."
            ),
        ),
    },
)

# %% [markdown]
# ## Pooling: find the relevant documents of a large collection
#
# Recall divides by the number of *all* relevant documents. You can count them if there are fourteen
# documents. Real collections are larger. The lecture lists CACM with 3,204 documents, AP with
# 242,918, and GOV2 with 25 million. Nobody can read 25 million documents for one query.
#
# How do you find the relevant documents of a large collection? You let several systems search, and
# judges read only what the systems put at the top. Here are three systems in a small world. In this
# world you know the truth: r1 to r6 are relevant, and n1 to n8 are not.

# %%
TRUTH = {f"r{i}" for i in range(1, 7)}
RUNS = {
    "A": ["r1", "n1", "r2", "n2", "r3", "n3"],
    "B": ["r2", "r1", "n4", "r4", "n1", "n5"],
    "C": ["n6", "r5", "n7", "n8", "r6", "r3"],
}

# %% [markdown]
# Take the first document of each system: r1, r2 and n6. Judges read these three, so two relevant
# documents become known. This is a **pool** of depth 1. In general a pool of depth $N$ holds the
# first $N$ documents of every system. A document that two systems return is judged only once. A
# document outside the pool counts as not relevant. The assumption is that most of the relevant
# documents are in the pool. The lecture says that $N$ is usually 50 to 200 in evaluation campaigns.

# %%
by_hand = {document for ranking in RUNS.values() for document in ranking[:1]}
assert by_hand == set(pool(RUNS, depth=1).documents)
sorted(by_hand)

# %%
predict(
    "How many documents are judged at depth 2? How many relevant ones become known? Type the "
    "number of judged documents.",
    len(pool(RUNS, depth=2).documents),
    mistaken={
        6: "You counted r1 twice. A and B both return it, but it is judged once.",
        3: "That is the number of relevant ones.",
    },
)

# %%
reveal(
    "Five: r1 and n1 from A, r2 from B (its r1 is there already), and n6 and r5 from C. Three of "
    "them are relevant: r1, r2 and r5."
)

# %% [markdown]
# Recall needs the number of relevant documents. With a pool you use the number of *known* relevant
# documents. We write recall@2 for the recall of the first two documents.


# %%
def judged_to(depth):
    """The judgments that a pool of this depth brings about."""
    return {d: int(d in TRUTH) for d in pool(RUNS, depth=depth).documents}


# %%
predict(
    "Compute the recall@2 of B with the pool of depth 2. Is it above or below the true value? Type "
    "it.",
    of=(recall @ 2, RUNS["B"], judged_to(2)),
    mistaken={
        recall(RUNS["B"], TRUTH, k=2): "That is the true recall@2. The pool of depth 2 knows only "
        "three relevant documents."
    },
)

# %%
depths = [2, 4, 5]
by_depth = {"judgments": [f"pool of depth {d}" for d in depths] + ["the truth"]}
known = [judged_to(d) for d in depths] + [TRUTH]
by_depth["known relevant"] = [len([d for d in j if d in TRUTH]) for j in known]
for system, ranking in RUNS.items():
    by_depth[f"recall@2 of {system}"] = [recall(ranking, j, k=2, exact=True) for j in known]
reveal(
    table(
        by_depth,
        caption="At depths 2 and 4 the value is above the true one. Fewer relevant documents are "
        "known than exist, so recall@2 divides by too small a number. The factor is the same for "
        "all three systems, so B is best at every depth.",
    )
)

# %% [markdown]
# Use a pool to *compare* systems. Don't take the values themselves as the true recall.
#
# The comparison is fair to systems that **contributed** to the pool, down to its depth: there each
# of their documents is judged. Below the depth of the pool it is not. With the pool of depth 1 the
# recall@2 of C is 0, because nobody judged r5. The true value is 1/6. So this value is too *low*.
# What happens to a system that didn't contribute? Suppose that the pool of depth 2 is made without
# C.

# %%
predict(
    "What is the recall@2 of C if C did not contribute to the pool?",
    0.0,
    mistaken={
        1 / 3: "That is recall@2 if C contributed. Who judges r5 now?",
        1 / 2: "For this, r5 would have to be known. Only C has it in its first two documents.",
    },
)

# %%
reveal(leave_out("C", RUNS, judged_to(2), recall @ 2, depth=2))

# %%
quiz(
    "You measure a new engine with the pool of last year. The engine did not contribute to it. Its "
    "recall is below the recall of last year's winner. What follows?",
    {
        "The new engine is worse": (
            False,
            "Perhaps. But it may have found relevant documents that nobody judged.",
        ),
        "The true recall is even lower, because a pool gives an upper bound": (
            False,
            (
                "A pool gives an upper bound for systems that contributed, down to its depth: all "
                "their documents are judged there. Recall of the new engine may come out too low, "
                "because nobody judged what it found. It may also come out too high, because "
                "fewer relevant documents are known than there are."
            ),
        ),
        "Nothing yet: count how many of its documents were judged": (
            True,
            (
                "If many documents near the top are unjudged, the recall says little. Notebook 8 "
                "explains what to do then."
            ),
        ),
    },
)

# %% [markdown]
# ## On a real collection
#
# So far somebody told you which documents are relevant. In a real collection somebody judged them.
# The package ships a small one: the docstrings of Python's standard library, 100 topics in the
# words of a programmer, and the runs of three search engines. A **run** holds the rankings of one
# engine. *bm25* and *fts5* look for the words of the topic. *lsa* also finds documents with related
# words. The later chapters use the collection, too.
#
# **Language models wrote the topics and gave the grades, by a written guideline. No person did.**
# So use the grades to learn. They are no evidence of how good an engine is for people.

# %%
stdlib = load_collection("stdlib")
DEEP = stdlib.qrels["deep"]
table(
    {
        "documents": [f"{len(stdlib.documents):,}"],
        "topics": [len(stdlib.topics)],
        "judgments": [f"{sum(map(len, DEEP.values())):,}"],
        "runs": [", ".join(stdlib.runs)],
    }
)

# %% [markdown]
# The grades go from 0 to 3. A document of grade 3 is what the topic asks for. Grade 2 needs a
# little more work, or solves a part. Grade 1 doesn't solve the task, but it helps. Here are the
# first five documents of *bm25* for the topic *exception traceback as string*:

# %%
found, grades = list(stdlib.runs["bm25"]["q059"]), DEEP["q059"]
table({"document": found[:5], "grade": [grades[d] for d in found[:5]]})

# %%
predict(
    "Precision needs a yes or no. Suppose that a document is relevant from grade 2 on. What is the "
    "precision of these five documents?",
    0.4,
    mistaken={0.6: "You counted grade 1 as relevant. Only two of the five have grade 2 or 3."},
)

# %%
by_hand = np.mean([grades[d] >= 2 for d in found[:5]])
assert np.isclose(by_hand, precision(found, grades, k=5, rel=2))
from_1, from_2 = (  # relevant from grade 1, relevant from grade 2
    [mean([precision(list(run[t]), DEEP[t], k=5, rel=rel) for t in DEEP]) for run in runs]
    for rel, runs in ((1, stdlib.runs.values()), (2, stdlib.runs.values()))
)
falls = [before - after for before, after in zip(from_1, from_2, strict=True)]
shares = [fall / before for fall, before in zip(falls, from_1, strict=True)]
reveal(
    table(
        {"engine": list(stdlib.runs), "relevant from 1": from_1, "relevant from 2": from_2},
        digits=3,
        caption=f"It is 2/5 = {by_hand:g}: two of the five have grade 2 or 3. The table has the "
        "means over all topics. The order of the engines stays, but each number falls by "
        f"{min(falls):.2f} to {max(falls):.2f}. That is {min(shares):.0%} to {max(shares):.0%} of "
        "it. Say which grades you count.",
    )
)

# %% [markdown]
# ## Recap
#
# - Precision divides the relevant retrieved documents by all retrieved ones. Recall divides them by
#   all relevant ones.
# - Accuracy counts TN. TN is nearly always so large that it hides the rest.
# - F is a harmonic mean, so it stays near the smaller of the two. A larger $\beta$ gives recall
#   more weight. Not all libraries square $\beta$.
# - A pool finds some of the relevant documents. Down to the depth of the pool, recall is at least
#   the true one for the systems that contributed, and the pool compares them fairly. Below that
#   depth, and for other systems, recall may come out too low or too high.
# - None of these measures asks in which *order* the documents stand. Notebook 2 does.
#
# **Read on.**

# %%
reading("Rijsbergen 1979", "Manning 2008", "Zobel 1998")
