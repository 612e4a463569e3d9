# %% [markdown]
# # 2. A ranking is not a set: P@N, R-precision, and three kinds of AP
#
# **Goals.** After this notebook you can
#
# - compute P@N and R@N, and say how high they can be at all;
# - say what is special about the rank R, and draw the precision-recall curve of a ranking;
# - compute three kinds of average precision, and tell from a number which kind it is.
#
# **Time.** 45 minutes. **Needs.** Notebook 1 (relevant or not).

# %%
import matplotlib.pyplot as plt

from irmetrics_edu import (
    average_precision,
    documents,
    explain,
    f_measure,
    interpolated_average_precision,
    precision,
    precision_recall_curve,
    r_precision,
    recall,
    simplified_average_precision,
)
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.views import plotting

# %% [markdown]
# The words of this chapter:

# %%
terms("rank", "P@N", "R@N", "theoretical upper bound", "R", "R-precision")

# %%
terms("P-R curve", "AP", "interpolated precision", "recall level")

# %% [markdown]
# ## Two engines that no set can tell apart
#
# The lecture (document 004) has two systems that both return 20 documents, 10 of them relevant. The
# first puts the ten relevant ones at the top, the second at the bottom. Say that ten are relevant
# in all.

# %%
TOP, BOTTOM = [1] * 10 + [0] * 10, [0] * 10 + [1] * 10
predict("Compare the two by precision, by recall and by F.")

# %%
measures = [precision, recall, f_measure, precision @ 10, recall @ 10, average_precision]
reveal(
    table(
        {
            "measure": ["P", "R", "F", "P@10", "R@10", "AP"],
            "relevant at the top": [m(TOP) for m in measures],
            "relevant at the bottom": [m(BOTTOM) for m in measures],
        }
    )
)

# %% [markdown]
# P, R and F see a set, so the two are the same to them. A reader sees a ranking and starts at the
# top. The first remedy is to cut it.
#
# ## P@N and R@N
#
# P@N is the precision of the first $N$ documents, R@N their recall:
#
# $$P@N = \frac{\text{relevant among the first } N}{N} \qquad\qquad
#   R@N = \frac{\text{relevant among the first } N}{R}$$
#
# where $R$ is the number of relevant documents in all. For query 1 these are d3, d4, d6, d9.

# %%
QUERY_1 = {"d3", "d4", "d6", "d9"}
SYSTEM_1 = ["d3", "d6", "d8", "d10", "d11"]
predict(
    "System 1 returns d3, d6, d8, d10, d11 for query 1. What are P@2 and P@5? And R@2, R@5? "
    "Type P@5.",
    of=(precision @ 5, SYSTEM_1, QUERY_1),
    mistaken={1.0: "That is P@2. Three of the five documents are not relevant."},
)

# %%
cuts = {"N": [2, 5]}
cuts["P@N"] = [precision(SYSTEM_1, QUERY_1, k=n, exact=True) for n in cuts["N"]]
cuts["R@N"] = [recall(SYSTEM_1, QUERY_1, k=n, exact=True) for n in cuts["N"]]
reveal(table(cuts))

# %%
quote("004", "P@2=1, P@5=2/5")

# %%
quiz(
    "System 2 returns only four documents for query 1: d6, d7, d2, d9. What is its P@5?",
    {
        "2/4": (
            False,
            (
                "That is the precision of the set. P@5 divides by 5: a place that stays empty "
                "helps the reader no more than a bad document does."
            ),
        ),
        "2/5": (True, "Two relevant ones on five places, of which one is empty."),
        "It is not defined": (
            False,
            "It is: the empty place counts as not relevant. Who prefers 2/4 must say so.",
        ),
    },
)

# %% [markdown]
# **A puzzle.** On the same slide stands, for *system 2, query 2*:

# %%
gap = documents.example("004-P@N-s2q2")
quote("004", "P@2=1, P@5=3/5")

# %% [markdown]
# The ranking is d1, d2, d4, d13, d14. The only relevant documents that the slide names are d3, d4,
# d6, d9.

# %%
SYSTEM_2 = ["d1", "d2", "d4", "d13", "d14"]
predict("Compute P@2 and P@5 with these. What must be missing from the slide?")

# %%
reveal(
    table(
        {
            "judgments": ["d3, d4, d6, d9", "d1, d2, d13"],
            "P@2": [
                precision(SYSTEM_2, j, k=2, exact=True) for j in (QUERY_1, {"d1", "d2", "d13"})
            ],
            "P@5": [
                precision(SYSTEM_2, j, k=5, exact=True) for j in (QUERY_1, {"d1", "d2", "d13"})
            ],
        },
        caption=gap.note,
    )
)

# %% [markdown]
# ## How high can they be?
#
# Even a perfect ranking has limits. With three relevant documents, no ranking has more than three
# among its first ten.

# %%
predict(
    "R = 40. What is the highest R@10? R = 3. What is the highest P@10? Type the P@10.",
    0.3,
    mistaken={
        1.0: "Only three documents are relevant, so seven of the first ten are not.",
        0.25: "That is the highest R@10 where R = 40.",
    },
)

# %%
perfect_3 = precision.working([1] * 3 + [0] * 47, k=10)
perfect_40 = recall.working([1] * 40 + [0] * 10, k=10)
reveal(
    f"P@10 is at most {perfect_3['theoretical upper bound'][0]:g}, "
    f"R@10 at most {perfect_40['theoretical upper bound'][0]:g}."
)

# %% [markdown]
# Move the slider: the number of relevant documents shapes both bounds. One of the two is below 1
# except at a single rank.


# %%
def bounds(relevant):
    """The highest P@N and R@N that any ranking can have, over N."""
    ideal = [1] * relevant + [0] * (50 - relevant)
    cuts = range(1, 41)
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for i, metric in enumerate((precision, recall)):
        best = [metric.working(ideal, k=n)["theoretical upper bound"][0] for n in cuts]
        name = "P@N" if metric is precision else "R@N"
        axes.plot(cuts, best, color=plotting.PALETTE[i], marker="os"[i], markevery=3, label=name)
    axes.axvline(relevant, color="0.6", linestyle=":", label=f"N = R = {relevant}")
    axes.set(xlabel="N", ylabel="upper bound", ylim=(0, 1.05), title=f"R = {relevant}")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return drawn


slider(
    bounds,
    name="R",
    values=[1, 3, 10, 20, 40],
    start=10,
    alt=lambda relevant: (
        f"Upper bounds over N for R = {relevant}. That of P@N is 1 up to N = {relevant} and falls "
        f"from there; that of R@N rises in a straight line to 1 at N = {relevant} and stays there."
    ),
)

# %% [markdown]
# **A puzzle.** The slide gives the upper bound of R@N in words:

# %%
bound = documents.example("004-RatN-bound").lines[0]
quote("004", "理论上限为 N/相关文档数")

# %%
predict("N over the number of relevant documents: for which N can this not be right?")

# %%
reveal(f"Right is {bound.erratum.right}. {bound.erratum.why}")

# %% [markdown]
# ## R-precision
#
# The bounds meet where $N = R$, and there both can be 1. R-precision is the precision at that rank,
# whatever $R$ is for the query. The judgments of query 2 are d1, d2, d13, so $R = 3$.

# %%
QUERY_2 = {"d1", "d2", "d13"}
LISTS_2 = {
    "system 1": ["d1", "d4", "d7", "d11", "d13"],
    "system 2": ["d1", "d2", "d4", "d13", "d14"],
}
predict(
    "What is the R-precision of the two systems for query 2? And their recall at the same rank?"
)

# %%
reveal(
    table(
        {
            "system": list(LISTS_2),
            "R-precision": [r_precision(x, QUERY_2, exact=True) for x in LISTS_2.values()],
            "R@3": [recall(x, QUERY_2, k=3, exact=True) for x in LISTS_2.values()],
        },
        caption="At rank R, precision and recall have the same numerator and divide by the same.",
    )
)

# %% [markdown]
# That makes R-precision the **break-even point** of a ranking: the value at which precision equals
# recall. Notebook 3 meets it again.
#
# ## All cuts at once: the P-R curve
#
# Why choose one $N$? Go down the ranking and mark, after each document, where recall and precision
# stand. The lecture's ranking of fifteen documents, where ten are relevant and eight of them
# found:

# %%
fifteen = documents.example("004-AP15-11pt")
RANKING, TEN = fifteen.inputs["fifteen"], fifteen.inputs["ten"]
predict(
    "What becomes of recall and of precision when the next document is not relevant? And if it is?"
)

# %%
curve = precision_recall_curve(RANKING, TEN)
reveal(quote("004", "新的不相关文档被检索时, Recall不变, Precision下降"))

# %% [markdown]
# With a relevant document recall rises, and precision rises too, unless it is 1 already. So the
# curve is a saw: down for each document that is not relevant, up and to the right for each that is.
# Move the slider down the ranking.


# %%
def saw(k):
    """The curve down to rank k, with the whole of it pale behind."""
    drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    axes.plot(curve["recall"], curve["precision"], color="0.8", marker=".")
    axes.plot(
        curve["recall"][:k],
        curve["precision"][:k],
        color=plotting.PALETTE[0],
        marker="o",
        label=f"ranks 1 to {k}",
    )
    now = curve["recall"][k - 1], curve["precision"][k - 1]
    axes.plot(
        *now, color=plotting.PALETTE[3], marker="D", markersize=10, linestyle="", label="here"
    )
    what = "relevant" if curve["relevance"][k - 1] else "not relevant"
    axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1.03), ylim=(0, 1.05))
    axes.set_title(f"rank {k}, {what}: R@{k} = {now[0]:.2f}, P@{k} = {now[1]:.3f}")
    axes.legend(frameon=False, loc="lower left")
    return drawn


slider(
    saw,
    name="rank",
    values=list(range(1, 16)),
    start=8,
    alt=lambda k: (
        f"Precision against recall, rank by rank, drawn down to rank {k}: recall is "
        f"{curve['recall'][k - 1]:.2f} and precision {curve['precision'][k - 1]:.2f} there. The "
        "line falls straight down at documents that are not relevant and climbs to the right at "
        "others."
    ),
)

# %% [markdown]
# The dips mean nothing to a reader who is ready to go on for one more document. **Interpolated
# precision** takes them out: at recall $r$ it is the best precision at recall $r$ *or more*,
#
# $$P_{\text{int}}(r) = \max_{r' \ge r} P(r')$$

# %%
drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
axes.plot(
    curve["recall"],
    curve["precision"],
    color=plotting.PALETTE[0],
    marker="o",
    label="precision",
)
axes.step(
    [0, *curve["recall"]],
    [curve["interpolated precision"][0], *curve["interpolated precision"]],
    where="pre",
    color=plotting.PALETTE[3],
    linestyle="--",
    linewidth=2,
    label="interpolated",
)
axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1.03), ylim=(0, 1.05))
axes.set_title("It looks ahead to the next peak, and never rises")
axes.legend(frameon=False, loc="lower left")
figure(
    drawn,
    alt="The saw of precision against recall and a dashed staircase over it. The staircase falls "
    "from 1 at recall 0.1 to 0.75, 0.67, 0.64 and 0.57 at recall 0.8, and touches the peaks.",
)

# %% [markdown]
# ## Average precision, three times
#
# AP makes one number of the curve. The lecture gives three definitions.
#
# **Not interpolated.** The precision at the rank of each relevant document, added up, over all
# relevant documents, found or not. This is what AP means where nothing else is said, and what MAP
# averages:
#
# $$\mathrm{AP} = \frac{1}{R} \sum_{i\,:\,\text{relevant}} P@i$$
#
# First a short one. Six documents are relevant; five are found, at ranks 1, 2, 5, 10, 20.

# %%
five = documents.example("004-AP-noninterp-6").inputs
predict("Write the sum down as fractions. By how much do you divide, and what does the sixth add?")

# %%
reveal(quote("004", "AP=(1/1+2/2+3/5+4/10+5/20+0)/6"))

# %%
quiz(
    "Why is the third term 3/5?",
    {
        "Three of the five relevant documents are found": (
            False,
            "The 5 is no count of relevant documents; it is a rank.",
        ),
        "The third relevant document stands at rank 5": (
            True,
            "Down to rank 5 there are 3 relevant ones among 5: that is P@5.",
        ),
        "At rank 3 there are 5 documents to go": (
            False,
            "AP looks at the ranks of relevant documents, and no relevant one is at rank 3.",
        ),
    },
)

# %% [markdown]
# Now the fifteen documents. Ten are relevant; the ticks are at ranks 1, 3, 4, 6, 8, 10, 11, 14.

# %%
predict("Roughly, where does AP come out: near 0.45, 0.55, 0.65 or 0.75?")

# %%
reveal(explain(average_precision, RANKING, TEN))

# %% [markdown]
# **Simplified.** The same sum over the relevant documents *retrieved*: 8, not 10. What is missing
# costs nothing.

# %%
predict("The engine may cut its list wherever it likes. Where, to look best in simplified AP?")

# %%
lengths = [1, 2, 3, 4, 8, 15]
reveal(
    table(
        {
            "documents returned": lengths,
            "AP": [average_precision(RANKING[:n], TEN) for n in lengths],
            "simplified AP": [simplified_average_precision(RANKING[:n], TEN) for n in lengths],
        },
        caption="After the first: with one relevant document at rank 1 it is perfect.",
    )
)

# %%
quote("004", "没有考虑召回率和补零的情况")

# %% [markdown]
# (It considers neither recall nor the zeros to be filled in.)
#
# **Interpolated at 11 points.** The mean of the interpolated precision at recall 0, 0.1, ..., 1. A
# recall that the ranking never reaches adds 0.
#
# **A puzzle.** This is how the slide computes it for the fifteen documents:

# %%
quote("004", fifteen.printed)

# %%
predict(
    "Hold it against the staircase above. Which three of the eleven terms are too low, and why?"
)

# %%
both = {
    rule: interpolated_average_precision.working(RANKING, TEN, interpolation=rule, exact=True)
    for rule in ("none", "standard")
}
reveal(
    table(
        {
            "recall": both["none"]["recall level"],
            "as printed": both["none"]["precision at recall"],
            "interpolated": both["standard"]["precision at recall"],
        },
        caption=fifteen.erratum.why,
    )
)

# %% [markdown]
# The three side by side, and the one as printed:

# %%
predict("Order the three kinds of AP for this ranking, lowest first.")

# %%
kinds = {
    "not interpolated": average_precision(RANKING, TEN),
    "11 points, as printed": both["none"].value,
    "11 points, interpolated": both["standard"].value,
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
        alt="Four bars: not interpolated 0.5516, eleven points as printed 0.5924, eleven points "
        "interpolated 0.6043, simplified 0.6895.",
    )
)

# %% [markdown]
# ## Judgments are half of the input
#
# The fifteen documents are those of a well-known textbook, with ids and all. Somebody looks the
# example up there and finds another AP. Both are right.

# %%
origin = documents.example("004-AP15-origin")
predict("How can one ranking have two right values of AP?")

# %%
reveal(f"{origin.note} There AP is {float(origin.lines[0].values[0]):.4f}.")

# %%
quiz(
    "A colleague reports AP = 0.65 for relevant documents at ranks 1, 2, 5, 10, 20; ours is "
    f"{average_precision(five['five_of_six'], five['six']):.2f}. We both know of six relevant "
    "documents. What did the colleague compute?",
    {
        "AP, but with log discounts": (
            False,
            "AP has no logarithm. That would be DCG, of notebook 4.",
        ),
        "11-point AP": (
            False,
            (
                "That is "
                f"{interpolated_average_precision(five['five_of_six'], five['six']):.2f} here: the "
                "recalls 0.9 and 1, which are never reached, get their zeros."
            ),
        ),
        "Simplified AP": (
            True,
            "3.25/5 is 0.65. Over all six it is 3.25/6, about 0.54.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - P, R and F are of sets. P@N and R@N cut the ranking first; P@N divides by N even if the list is
#   shorter.
# - At most $\min(N,R)/N$ and $\min(N,R)/R$ can be reached. Both bounds are 1 at $N=R$, the rank of
#   R-precision.
# - The P-R curve is a saw; interpolation looks ahead to the best precision at this recall or more.
# - AP divides by all relevant documents, simplified AP by those found, 11-point AP by 11. Say
#   which.
#
# **Read on.** Buckley & Voorhees (2005), *Retrieval system evaluation*, in: TREC, MIT Press.
# Harman (1992), *Evaluation issues in information retrieval*, IP&M 28(4). Manning, Raghavan &
# Schütze (2008), *Introduction to Information Retrieval*, section 8.4.
