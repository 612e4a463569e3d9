# %% [markdown]
# # 2. A ranking is not a set: P@N, R-precision, and three kinds of AP
#
# **Goals.** After this notebook you can
#
# - compute precision and recall at a rank, and say how high they can be;
# - compute R-precision, and draw the precision-recall curve of a ranking;
# - compute three kinds of average precision, and recognise from a number which kind it is.
#
# **Time.** 45 minutes. **Needs.** Notebook 1 (relevant or not).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    average_precision,
    evaluate,
    explain,
    f_measure,
    interpolated_average_precision,
    precision,
    precision_recall_curve,
    r_precision,
    recall,
    simplified_average_precision,
)
from irmetrics_edu.course import (
    documents,
    figure,
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
# This chapter quotes *document 004*, the slides of two lectures on evaluation and learning to rank.
# They are in Chinese. The text below calls them *the lecture*. These are the words of this chapter:

# %%
terms("rank", "P@N", "R@N", "theoretical upper bound", "R", "R-precision")

# %%
terms("P-R curve", "AP", "interpolated precision", "recall level")

# %% [markdown]
# In this chapter **R** always means the number of relevant documents. For R@N we write *recall@N*.
#
# ## Two engines with the same precision and recall
#
# The lecture compares two systems. Both return 20 documents, and 10 of them are relevant. The first
# system puts the ten relevant ones at the top. The second one puts them at the bottom. Assume that
# only these ten documents are relevant.

# %%
TOP, BOTTOM = [1] * 10 + [0] * 10, [0] * 10 + [1] * 10
predict("Compare the two systems by precision, by recall and by F.")

# %%
measures = [precision, recall, f_measure, precision @ 10, recall @ 10, average_precision]
reveal(
    table(
        {
            "measure": ["precision", "recall", "F", "P@10", "recall@10", "AP"],
            "relevant at the top": [m(TOP) for m in measures],
            "relevant at the bottom": [m(BOTTOM) for m in measures],
        },
        caption="Precision, recall and F are the same for both. The other three measures use the "
        "order. This chapter explains them.",
    )
)

# %% [markdown]
# Precision, recall and F ignore the order: they treat the results as a set. A reader sees a
# ranking, and starts at the top. So we need measures that use the order.
#
# ## Precision and recall at a rank
#
# Take the mailbox of notebook 1. You search for "Kyoto" and get four messages in this order: m2,
# m7, m5, m8. The relevant messages are m2, m5 and m9. The search didn't find m9. Write 1 for a
# relevant message and 0 for another one. Then the ranking is 1, 0, 1, 0, and $R = 3$.
#
# Suppose that you read only the first two messages. One of them is relevant. So the precision of
# the first two is 1/2. You have found one of the three relevant messages, so the recall of the
# first two is 1/3.
#
# $$P@N = \frac{\text{relevant among the first } N}{N} \qquad\qquad
#   \text{recall@}N = \frac{\text{relevant among the first } N}{R}$$
#
# In words: count the relevant documents among the first $N$. **P@N** divides the count by $N$, and
# **recall@N** divides it by the number of relevant documents.
#
# Most users of a web search look at the first page of results, or at the first few pages. A page
# often has ten results, so P@10 and P@20 fit a large search engine well, says the lecture.

# %%
MAILS, ABOUT_TRIP = ["m2", "m7", "m5", "m8"], {"m2", "m5", "m9"}
relevance, R, N = np.array([1, 0, 1, 0]), 3, 2
by_hand = relevance[:N].sum() / N, relevance[:N].sum() / R
assert np.isclose(by_hand[0], precision(MAILS, ABOUT_TRIP, k=2))
assert np.isclose(by_hand[1], recall(MAILS, ABOUT_TRIP, k=2))
[round(float(value), 4) for value in by_hand]

# %% [markdown]
# The package gives the same precision with its steps:

# %%
explain(precision, MAILS, ABOUT_TRIP, k=2, exact=True)

# %% [markdown]
# Now the lecture. System 1 returns d3, d6, d8, d10 and d11 for query 1. The relevant documents of
# query 1 are d3, d4, d6 and d9.

# %%
QUERY_1 = {"d3", "d4", "d6", "d9"}
SYSTEM_1 = ["d3", "d6", "d8", "d10", "d11"]
predict(
    "What are P@2 and P@5 of system 1? And recall@2 and recall@5? Type P@5.",
    of=(precision @ 5, SYSTEM_1, QUERY_1),
    mistaken={1.0: "That is P@2. Three of the five documents are not relevant."},
)

# %%
cuts = {"N": [2, 5]}
cuts["P@N"] = [precision(SYSTEM_1, QUERY_1, k=n, exact=True) for n in cuts["N"]]
cuts["recall@N"] = [recall(SYSTEM_1, QUERY_1, k=n, exact=True) for n in cuts["N"]]
reveal(table(cuts))

# %%
reveal(quote("004", "P@2=1, P@5=2/5"), summary="What the lecture says")

# %%
quiz(
    "A user looks at five places. A system fills only four of them, and its first and its third "
    "document are relevant. What share of the five places is relevant (P@5)?",
    {
        "2/4": (
            False,
            (
                "That is the precision of the set. P@5 divides by 5. An empty place helps the "
                "reader as little as a useless document."
            ),
        ),
        "2/5": (True, "Two of the five places have a relevant document. One place is empty."),
        "It is not defined": (
            False,
            (
                "It is defined: the empty place counts as not relevant. Some programs divide by 4 "
                "instead. If you use such a program, say so."
            ),
        ),
    },
)

# %% [markdown]
# ## Upper bounds of P@N and recall@N
#
# Even a perfect ranking has limits. Suppose that two documents are relevant. A perfect ranking
# starts with both, so P@5 is 2/5. No ranking has a higher P@5. This limit is the **theoretical
# upper bound**.

# %%
predict(
    "R = 40. What is the highest recall@10? R = 3. What is the highest P@10? Type the P@10.",
    0.3,
    mistaken={
        1.0: "Only three documents are relevant, so seven of the first ten are not.",
        0.25: "That is the highest recall@10 for R = 40.",
    },
)

# %%
perfect_3 = precision.working([1] * 3 + [0] * 47, k=10)
perfect_40 = recall.working([1] * 40 + [0] * 10, k=10)
assert np.isclose(min(10, 3) / 10, perfect_3["theoretical upper bound"][0])
assert np.isclose(min(10, 40) / 40, perfect_40["theoretical upper bound"][0])
reveal(
    f"For R = 3, P@10 is at most {perfect_3['theoretical upper bound'][0]:g}: three of the first "
    f"ten. For R = 40, recall@10 is at most {perfect_40['theoretical upper bound'][0]:g}: ten of "
    "forty."
)

# %% [markdown]
# The first $N$ documents hold at most $\min(N, R)$ relevant ones. The next figure divides this
# number by $N$ for P@N, and by $R$ for recall@N.


# %%
def bounds(relevant):
    """The highest P@N and recall@N that any ranking can have, over N."""
    ideal = [1] * relevant + [0] * (50 - relevant)
    cuts = range(1, 41)
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for i, metric in enumerate((precision, recall)):
        best = [metric.working(ideal, k=n)["theoretical upper bound"][0] for n in cuts]
        name = "P@N" if metric is precision else "recall@N"
        axes.plot(cuts, best, color=plotting.PALETTE[i], marker="os"[i], markevery=3, label=name)
    axes.axvline(relevant, color="0.6", linestyle=":", label=f"N = R = {relevant}")
    axes.set(xlabel="N", ylabel="upper bound", ylim=(0, 1.05), title=f"R = {relevant}")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return drawn


# %% [markdown]
# Move the slider to change $R$. Find the rank at which both bounds are 1:

# %%
slider(
    bounds,
    name="R",
    values=[1, 3, 10, 20, 40],
    start=10,
    alt=lambda relevant: (
        f"Upper bounds over N for R = {relevant}. That of P@N is 1 up to N = {relevant} and falls "
        f"from there; that of recall@N rises in a straight line to 1 at N = {relevant} and stays "
        "there."
    ),
)

# %% [markdown]
# At $N = R$ both bounds are 1. At every other rank one of them is below 1. (The lecture says N / R
# for recall@N, which is right for N up to R.)
#
# ## R-precision
#
# In the mailbox three messages are relevant. So look at the first three results, m2, m7 and m5. Two
# of them are relevant, and the precision at rank 3 is 2/3. This is the **R-precision**: the
# precision at rank $R$.

# %%
by_hand = relevance[:R].sum() / R
assert np.isclose(by_hand, r_precision(MAILS, ABOUT_TRIP))
explain(r_precision, MAILS, ABOUT_TRIP, exact=True)

# %% [markdown]
# The rank is different for each query, because each query has its own $R$. In the lecture the
# relevant documents of query 2 are d1, d2 and d13, so $R = 3$. System 1 returns d1, d4, d7, d11 and
# d13. System 2 returns d1, d2, d4, d13 and d14.

# %%
QUERY_2, SYSTEM_2 = {"d1", "d2", "d13"}, ["d1", "d2", "d4", "d13", "d14"]
LISTS_2 = {"system 1": ["d1", "d4", "d7", "d11", "d13"], "system 2": SYSTEM_2}
predict(
    "What is the R-precision of the two systems for query 2? What is their recall at the same "
    "rank? Type the R-precision of system 2.",
    of=(r_precision, SYSTEM_2, QUERY_2),
    mistaken={
        1 / 3: "That is the R-precision of system 1.",
        3 / 5: "That is P@5. Cut the ranking at rank R, which is 3.",
    },
)

# %%
reveal(
    table(
        {
            "system": list(LISTS_2),
            "R-precision": [r_precision(x, QUERY_2, exact=True) for x in LISTS_2.values()],
            "recall@3": [recall(x, QUERY_2, k=3, exact=True) for x in LISTS_2.values()],
        },
        caption="At rank R precision and recall are equal. Both count the relevant documents among "
        "the first R, and both divide by R. A value at which precision equals recall is called a "
        "break-even point. Notebook 3 returns to it.",
    )
)

# %% [markdown]
# ## All ranks at once: the P-R curve
#
# You don't have to choose one $N$. Go down the ranking, and compute precision and recall after each
# document. In the mailbox:

# %%
of_mails = np.array([mail in ABOUT_TRIP for mail in MAILS]).cumsum()
mail_ranks = np.arange(1, len(of_mails) + 1)
mail_precisions, mail_recalls = of_mails / mail_ranks, of_mails / len(ABOUT_TRIP)
worked = precision_recall_curve(MAILS, ABOUT_TRIP)
assert np.isclose(mail_precisions, worked["precision"]).all()
assert np.isclose(mail_recalls, worked["recall"]).all()
table({"rank": mail_ranks, "recall": mail_recalls, "precision": mail_precisions})

# %% [markdown]
# The **precision-recall curve** (P-R curve) draws precision over recall.
#
# The lecture has a ranking of fifteen documents. Ten documents are relevant, and the ranking holds
# eight of them. They are at ranks 1, 3, 4, 6, 8, 10, 11 and 14.

# %%
fifteen = documents.example("004-AP15-11pt")
RANKING, TEN = fifteen.inputs["fifteen"], fifteen.inputs["ten"]
predict(
    "The next document is not relevant. What happens to recall and to precision? And what happens "
    "if the next document is relevant?"
)

# %%
reveal(
    quote(
        "004",
        "新的不相关文档被检索时, Recall不变, Precision下降",
        "When a new document that is not relevant is retrieved, recall stays the same and "
        "precision falls.",
    )
)

# %%
reveal(
    "If the next document is relevant, recall rises. Precision rises too, unless it is 1 already.",
    summary="The other case",
)

# %% [markdown]
# The next figure draws the curve in steps. Each step belongs to one relevant document. Its width is
# $1/R$, and its height is the precision at the rank of this document. A document that is not
# relevant adds no width: there the line only goes straight down.


# %%
curve = precision_recall_curve(RANKING, TEN)


def steps(axes, recalls, precisions, **style):
    """A line of steps: up or down to the precision, then to the right up to the recall."""
    axes.step([0, *recalls], [precisions[0], *precisions], where="pre", **style)


def saw(k):
    """The curve down to rank k, with the whole of it pale behind."""
    drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    recalls, precisions = curve["recall"], curve["precision"]
    blue, red = plotting.PALETTE[0], plotting.PALETTE[3]
    steps(axes, recalls, precisions, color="0.8")
    steps(axes, recalls[:k], precisions[:k], color=blue)
    axes.plot(recalls[:k], precisions[:k], "o", color=blue, label=f"ranks 1 to {k}")
    now = recalls[k - 1], precisions[k - 1]
    axes.plot(*now, "D", color=red, markersize=10, label="here")
    what = "relevant" if curve["relevance"][k - 1] else "not relevant"
    axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1.03), ylim=(0, 1.05))
    axes.set_title(f"rank {k}, {what}: recall@{k} = {now[0]:.2f}, P@{k} = {now[1]:.3f}")
    axes.legend(frameon=False, loc="lower left")
    return drawn


# %% [markdown]
# Move the slider down the ranking. The points are the ranks:

# %%
slider(
    saw,
    name="rank",
    values=list(range(1, 16)),
    start=8,
    alt=lambda k: (
        f"Precision over recall in steps, drawn down to rank {k}: recall is "
        f"{curve['recall'][k - 1]:.2f} and precision {curve['precision'][k - 1]:.2f} there. The "
        "line falls straight down at a document that is not relevant. At a relevant one it goes "
        "to the new precision, and then to the right by 0.1."
    ),
)

# %% [markdown]
# The curve goes down and up like the teeth of a saw. Suppose that you need four relevant documents
# of the ten, so a recall of 0.4. The curve has two precisions there, 0.67 at rank 6 and 0.57 at
# rank 7. You can also read on to a higher recall if precision is better there. **Interpolated
# precision** takes the best precision at this recall or at a higher one. Write $x$ and $y$ for
# recalls:
#
# $$P_{\text{int}}(x) = \max_{y \ge x} P(y)$$
#
# In words: the interpolated precision at recall $x$ is the largest precision at any recall $y$ that
# is at least $x$. In numpy you go up the ranking from the bottom and keep the largest precision so
# far. In the mailbox, the rows of the relevant documents (ranks 1 and 3) show the interpolated
# precision at the recalls 1/3 and 2/3:

# %%
interpolated = np.maximum.accumulate(mail_precisions[::-1])[::-1]
worked = precision_recall_curve(MAILS, ABOUT_TRIP)
assert np.isclose(interpolated, worked["interpolated precision"]).all()
table(
    {
        "rank": mail_ranks,
        "recall": mail_recalls,
        "precision": mail_precisions,
        "interpolated": interpolated,
    }
)

# %% [markdown]
# For the fifteen documents the interpolated precision is a staircase over the saw:

# %%
hit = curve["relevance"] == 1
drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
steps(axes, curve["recall"], curve["precision"], color=plotting.PALETTE[0], label="precision")
steps(
    axes,
    curve["recall"][hit],
    curve["interpolated precision"][hit],
    color=plotting.PALETTE[3],
    linestyle="--",
    linewidth=2,
    label="interpolated",
)
axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1.03), ylim=(0, 1.05))
axes.set_title("Interpolated precision never rises")
axes.legend(frameon=False, loc="lower left")
figure(
    drawn,
    alt="The steps of precision over recall and a dashed staircase above them. The staircase falls "
    "from 1 at recall 0.1 to 0.75 at 0.3, 0.67 at 0.4, 0.64 at 0.7 and 0.57 at recall 0.8. Both "
    "lines end there.",
)

# %% [markdown]
# ## Three kinds of average precision
#
# **Average precision** (AP) makes one number of the curve. The lecture gives three definitions.
#
# ### Not interpolated
#
# The mailbox has relevant messages at the ranks 1 and 3. The precision is 1/1 at rank 1 and 2/3 at
# rank 3. The third relevant message was not found, so it adds 0. AP is the sum divided by 3:
# (1/1 + 2/3 + 0)/3 = 5/9.
#
# $$\mathrm{AP} = \frac{1}{R} \sum_{i\,:\,\text{relevant}} P@i$$
#
# In words: take the precision at the rank $i$ of each relevant document that was found. Add these
# precisions, and divide by the number of *all* relevant documents, found or not. If people say "AP"
# and nothing else, they mean this kind. MAP, the mean of AP over queries, uses it too.

# %%
by_hand = mail_precisions[relevance == 1].sum() / R
assert np.isclose(by_hand, average_precision(MAILS, ABOUT_TRIP))
explain(average_precision, MAILS, ABOUT_TRIP, exact=True)

# %% [markdown]
# AP is also the area under the steps of the P-R curve. Each step has the width $1/R$ and the height
# $P@i$. So the areas of all steps add up to AP:

# %%
widths = np.diff(mail_recalls, prepend=0)
by_hand = (widths * mail_precisions).sum()
assert np.isclose(by_hand, average_precision(MAILS, ABOUT_TRIP))
round(float(by_hand), 4)

# %% [markdown]
# Here is the first example of the lecture. Six documents are relevant. Five of them are found, at
# the ranks 1, 2, 5, 10 and 20.

# %%
five = documents.example("004-AP-noninterp-6").inputs
predict(
    "Write the sum as fractions. What do you divide by? What does the sixth document add? Type AP.",
    of=(average_precision, five["five_of_six"], five["six"]),
)

# %%
reveal(quote("004", "AP=(1/1+2/2+3/5+4/10+5/20+0)/6"))

# %%
quiz(
    "Relevant documents are at the ranks 1, 2, 5, 10 and 20. Why is the third term of AP 3/5?",
    {
        "The third relevant document is at rank 5": (
            True,
            "Three of the first five documents are relevant. That is P@5.",
        ),
        "Three of the five relevant documents are found": (
            False,
            "All five are found in the end. The 5 in this term is a rank, not a count.",
        ),
        "There are five documents left after rank 3": (
            False,
            "AP uses the ranks of relevant documents only. The document at rank 3 is not relevant.",
        ),
    },
)

# %% [markdown]
# Now take the fifteen documents. Ten documents are relevant. Eight of them are found, at the ranks
# 1, 3, 4, 6, 8, 10, 11 and 14.

# %%
predict(
    "Look at the area under the steps. Is AP near 0.45, 0.55, 0.65 or 0.75? Type one of them.",
    of=(average_precision, RANKING, TEN),
    mistaken={
        0.45: "Too low. Eight steps of width 0.1 are about 0.7 high on average.",
        0.65: "Too high. The steps end at recall 0.8, and the rest adds nothing.",
        0.75: "Too high. The steps end at recall 0.8, and the rest adds nothing.",
    },
)

# %%
reveal(explain(average_precision, RANKING, TEN))

# %% [markdown]
# ### Simplified
#
# **Simplified AP** divides the same sum by the number of relevant documents *found*. In the mailbox
# this is (1/1 + 2/3)/2 = 5/6. In words: simplified AP is the mean of the precisions at the ranks of
# the relevant documents found.

# %%
by_hand = mail_precisions[relevance == 1].mean()
assert np.isclose(by_hand, simplified_average_precision(MAILS, ABOUT_TRIP))
round(float(by_hand), 4)

# %% [markdown]
# The ranking of the fifteen documents holds eight of the ten relevant documents. So simplified AP
# divides by 8, not by 10.

# %%
predict(
    "The engine may return fewer documents than fifteen. How long is the shortest list with the "
    "highest simplified AP? Type the number of documents.",
    1,
    mistaken={
        2: "Two documents get the highest value too. One list is shorter still.",
        15: "With all fifteen simplified AP is about 0.69. A shorter list gets more.",
        14: "The last relevant document is at rank 14, but it lowers the mean.",
        4: "With four documents simplified AP is about 0.81. A shorter list gets more.",
    },
)

# %%
lengths = [1, 2, 3, 4, 8, 15]
reveal(
    table(
        {
            "documents returned": lengths,
            "AP": [average_precision(RANKING[:n], TEN) for n in lengths],
            "simplified AP": [simplified_average_precision(RANKING[:n], TEN) for n in lengths],
        },
        caption="One document is enough: it is relevant, so simplified AP is 1. (Two documents "
        "give 1 as well.) The nine relevant documents that are missing cost nothing.",
    )
)

# %%
reveal(
    quote(
        "004",
        "没有考虑召回率和补零的情况",
        "It considers neither recall nor the case in which zeros must be filled in.",
    ),
    summary="What the lecture says",
)

# %% [markdown]
# ### Interpolated at 11 points
#
# Take the recalls 0, 0.1, 0.2 and so on up to 1. They are called **recall levels**. The mailbox has
# the interpolated precision 1 at the four levels 0 to 0.3. It has 2/3 at the three levels 0.4 to
# 0.6. The ranking never reaches the four levels from 0.7 on, so they have 0. **11-point AP** is the
# mean: (4 · 1 + 3 · 2/3 + 4 · 0)/11 = 6/11. In words: average the interpolated precision over the
# eleven levels.

# %%
# Whole numbers here: 10 * found >= level * R says that recall is at least level / 10.
reached = [mail_precisions[10 * of_mails >= level * R] for level in range(11)]
by_hand = np.mean([some.max(initial=0) for some in reached])
assert np.isclose(by_hand, interpolated_average_precision(MAILS, ABOUT_TRIP))
round(float(by_hand), 4)

# %% [markdown]
# The lecture's sum for the fifteen documents takes the precision at the rank where each recall is
# first reached, so it has a lower value (0.5924). The next figure shows all three kinds.

# %%
predict("Order the three kinds of AP for this ranking. Start with the lowest.")

# %%
kinds = {
    "not interpolated": average_precision(RANKING, TEN),
    "11 points, interpolated": interpolated_average_precision(RANKING, TEN),
    "simplified": simplified_average_precision(RANKING, TEN),
}
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
bars = axes.barh(
    list(kinds),
    [float(v) for v in kinds.values()],
    color=plotting.PALETTE[: len(kinds)],
    hatch=plotting.HATCHES[: len(kinds)],
    edgecolor="white",
)
axes.bar_label(bars, fmt="%.4f", padding=3)
axes.set(xlabel="average precision", xlim=(0, 0.85), title="One ranking, one set of judgments")
axes.invert_yaxis()
reveal(
    figure(
        drawn,
        alt="Three bars: not interpolated 0.5516, eleven points interpolated 0.6043, simplified "
        "0.6895.",
    )
)

# %% [markdown]
# ## AP depends on the judgments
#
# The fifteen documents come from a textbook, with the same ids in the same order. You look up the
# example in the book, and you find another AP. Both values are right.

# %%
origin = documents.example("004-AP15-origin").lines[0]
predict("How can one ranking have two right values of AP?")

# %%
book = origin.inputs["ten_of_the_book"]
book_ranks = [str(i) for i, d in enumerate(RANKING, 1) if d in book]
reveal(
    "The judgments differ. In the book (Baeza-Yates & Ribeiro-Neto, 1999) ten documents are "
    "relevant too, but not the same ten. Five of them are found, at the ranks "
    f"{', '.join(book_ranks)}. With these judgments AP is {average_precision(RANKING, book):.4f}. "
    "AP depends on the ranking and on the judgments."
)

# %%
quiz(
    "A colleague reports AP = 0.65 for relevant documents at the ranks 1, 2, 5, 10, 20. Our AP is "
    f"{average_precision(five['five_of_six'], five['six']):.2f}. Both of us know of six relevant "
    "documents. What did the colleague compute?",
    {
        "AP, but with log discounts": (
            False,
            "AP has no logarithm. DCG has one. Notebook 4 explains it.",
        ),
        "11-point AP": (
            False,
            (
                "11-point AP is "
                f"{interpolated_average_precision(five['five_of_six'], five['six']):.2f} here. The "
                "ranking never reaches the levels 0.9 and 1, so they add 0."
            ),
        ),
        "Simplified AP": (
            True,
            (
                "The sum is 3.25. Divided by the five documents found it is 0.65. Divided by all "
                "six relevant documents it is about 0.54."
            ),
        ),
    },
)

# %% [markdown]
# ## On a real collection
#
# The collection of the package (notebook 1) has 100 topics. For *hash checksum of file* 15 of the
# judged documents are relevant. These are the grades of the first ten documents of two engines:

# %%
stdlib = load_collection("stdlib")
JUDGED = stdlib.qrels["deep"]["q044"]
TWO = {name: list(stdlib.runs[name]["q044"]) for name in ("bm25", "lsa")}
table(
    {
        "engine": list(TWO),
        "grades": [" ".join(str(JUDGED.get(d, 0)) for d in run[:10]) for run in TWO.values()],
    }
)

# %%
predict(
    "All ten documents of LSA are relevant, and eight of BM25. LSA has AP = 0.840. By how much is "
    "the AP of BM25 lower: by about 0.2, by about 0.1, or by less than 0.01?"
)

# %%
for run in TWO.values():
    ranks = np.flatnonzero([JUDGED.get(d, 0) >= 1 for d in run]) + 1
    by_hand = (np.arange(1, len(ranks) + 1) / ranks).sum() / sum(g >= 1 for g in JUDGED.values())
    assert np.isclose(by_hand, average_precision(run, JUDGED))
real = {"P@10": precision @ 10, "recall@50": recall @ 50, "AP": average_precision}
reveal(
    table(
        {"engine": list(TWO)}
        | {name: [m(run, JUDGED) for run in TWO.values()] for name, m in real.items()},
        digits=3,
        caption="The difference in AP is less than 0.01. BM25 has found all 15 relevant documents "
        "by rank 21, and LSA by rank 42. AP counts all of them, P@10 the first ten ranks.",
    )
)

# %% [markdown]
# ## Real documents, judged by people
#
# **Cranfield** is the oldest test collection: 1,400 abstracts of papers on aerodynamics and 225
# questions. Those who had asked the questions judged the documents. It doesn't come with this
# course, but many places hand it around. Put its three files into a folder, name the folder below,
# and run the cell again: it takes about a minute. Without a copy you see what was measured once.

# %%
CRANFIELD = ""  # the folder with cran.all.1400, cran.qry and cranqrel


def over_cranfield(folder):
    """Two engines over the collection: the mean of each measure."""
    cranfield = load_cranfield(folder)
    columns = {"engine": []}
    for engine, run in runs_over(cranfield).items():
        found = evaluate(run, cranfield.qrels["people"], ["P@10", "Rprec", "AP", "RR"])
        columns["engine"].append(engine)
        for measure, mean in found.mean.items():
            columns.setdefault(measure, []).append(round(mean, 4))
    return columns


table(
    over_cranfield(CRANFIELD) if CRANFIELD else recorded("ranking_is_not_a_set"),
    digits=4,
    caption="225 questions. LSA, which compares vectors, is ahead of BM25 by each measure here. In "
    "the collection of this course it is behind. So which engine is better belongs to a "
    "collection, and says little about another one.",
)

# %% [markdown]
# ## Recap
#
# - Precision, recall and F ignore the order. P@N and recall@N look at the first $N$ documents only.
#   P@N divides by $N$ even if the list is shorter.
# - P@N is at most $\min(N,R)/N$, and recall@N is at most $\min(N,R)/R$. Both bounds are 1 at $N=R$,
#   the rank of R-precision.
# - The P-R curve is a line of steps that goes down and up like a saw. Interpolated precision takes
#   the best precision at this recall or a higher one.
# - AP divides by all relevant documents. Simplified AP divides by the relevant documents found.
#   11-point AP divides by 11. Always say which kind you report.
#
# **Read on.**

# %%
reading("Buckley 2005", "Harman 1992", "Baeza-Yates 1999", "Manning 2008")
