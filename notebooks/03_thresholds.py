# %% [markdown]
# # 3. Thresholds: P-R and ROC curves, AUC, and break-even
#
# **Goals.** After this notebook you can
#
# - read a precision-recall curve and a ROC curve, and find a threshold on both;
# - say what AUC is the probability of, and what AUC can't see;
# - compute AUC, the area under the P-R curve and the break-even point in a few lines of numpy;
# - choose between the two curves when relevant documents are rare, as they are in search.
#
# **Time.** 45 minutes. **Needs.** Notebooks 1 and 2.

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    average_precision,
    break_even,
    explain,
    interpolated_average_precision,
    pr_auc,
    pr_curve,
    precision,
    precision_recall_curve,
    r_precision,
    roc_auc,
    roc_curve,
)
from irmetrics_edu.course import (
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
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter quotes one text in Chinese: *document 004*, the slides of two lectures on evaluation
# and learning to rank. It is called *the lecture* below. These are the words of this chapter:

# %%
terms("threshold", "true positive rate", "fall-out", "P-R curve", "ROC curve", "AUC", "break-even")

# %% [markdown]
# ## A score and a threshold
#
# A mail filter gives each message a score for spam. It puts every message that scores 0.9 or more
# into the spam folder. The number 0.9 is its **threshold**.
#
# A search engine can do the same. It gives each document a score, and it retrieves the documents
# that score at least $\theta$ (the Greek letter theta, the threshold). Each threshold makes a set,
# and each set has a precision and a recall.
#
# Here are twelve documents with the scores of an engine. A 1 marks each of the five relevant
# documents. The other seven are **non-relevant**.

# %%
RELEVANCE = [1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0]
SCORES = [0.95, 0.90, 0.82, 0.75, 0.70, 0.64, 0.58, 0.50, 0.41, 0.33, 0.20, 0.10]

# %% [markdown]
# No two scores are equal, so each document gives one threshold. At the threshold of the $k$-th
# document the engine retrieves $k$ documents. You need three quantities at each threshold:
#
# $$\mathrm{precision} = \frac{TP}{TP+FP} \qquad \mathrm{recall} = \frac{TP}{TP+FN}
# \qquad \text{fall-out} = \frac{FP}{FP+TN}$$
#
# In words: precision is the share of relevant documents among the retrieved ones. Recall is the
# share of the relevant documents that are retrieved. **Fall-out** is the share of the non-relevant
# documents that are retrieved. In numpy:

# %%
relevant = np.array(RELEVANCE)
TP, FP = np.cumsum(relevant), np.cumsum(1 - relevant)
precision_at, recall_at, fallout_at = TP / (TP + FP), TP / relevant.sum(), FP / (1 - relevant).sum()

pr, roc = pr_curve(RELEVANCE, SCORES), roc_curve(RELEVANCE, SCORES)
assert np.isclose(precision_at, pr["precision"]).all()
assert np.isclose(recall_at, pr["recall"]).all()
assert np.isclose(fallout_at, roc["fall-out"]).all()

# %%
predict("Lower the threshold step by step. Which of recall, fall-out and precision never fall?")

# %%
reveal(
    table(
        {
            "threshold": pr["threshold"],
            **{name: pr[name] for name in ("TP", "FP", "precision", "recall")},
            "fall-out": roc["fall-out"],
        },
        digits=3,
        caption="Recall and fall-out never fall, because no document leaves the set. Precision "
        "goes up with each relevant document that enters, unless it is 1 already. It goes down "
        "with each non-relevant one, unless it is 0 already.",
    )
)

# %% [markdown]
# ## The P-R curve and the ROC curve
#
# Each row of this table is a point on two plots.
#
# | curve | x-axis | y-axis | the best corner |
# |---|---|---|---|
# | **P-R** | recall | precision | top right |
# | **ROC** | fall-out | recall, called *true positive rate* there | top left |
#
# Both plots show recall: it is the x-axis of the P-R curve and the y-axis of the ROC curve. Move
# the slider: the orange diamond is the same threshold on both plots.
#
# Only the dots are thresholds. The lines join them. The P-R curve is drawn as steps: from each dot
# that gains recall, a level line goes to the left, back to the recall of the dot before. You will
# need these steps for the area.


# %%
def draw_pr(axes, curve, **style):
    """A P-R curve as steps: each precision holds from the recall before to its own."""
    recall, prec = [0, *curve["recall"]], [curve["precision"][0], *curve["precision"]]
    axes.step(recall, prec, where="pre", markevery=range(1, len(recall)), **style)
    axes.set(xlabel="recall", ylabel="precision", title="P-R")
    axes.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.05))


def draw_roc(axes, curve, **style):
    """A ROC curve from the corner where nothing is retrieved."""
    axes.plot([0, *curve["fall-out"]], [0, *curve["true positive rate"]], **style)
    axes.set(xlabel="fall-out", ylabel="true positive rate", title="ROC")
    axes.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.05))


# %%
def curves(theta):
    """Both curves, with the point of one threshold."""
    at = list(pr["threshold"]).index(theta)
    drawn, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.6), layout="constrained")
    drawn.get_layout_engine().set(wspace=0.06)
    draw_pr(left, pr, color=plotting.PALETTE[0], marker="o")
    draw_roc(right, roc, color=plotting.PALETTE[0], marker="o")
    left.plot([0, 1], [0, 1], color="0.6", linestyle="--", label="precision = recall")
    right.plot([0, 1], [0, 1], color="0.6", linestyle=":", label="chance")
    here = {"color": plotting.PALETTE[3], "marker": "D", "markersize": 10, "linestyle": ""}
    left.plot(pr["recall"][at], pr["precision"][at], **here)
    right.plot(roc["fall-out"][at], roc["true positive rate"][at], **here)
    for axes in (left, right):
        axes.legend(frameon=False, loc="lower right")
    drawn.suptitle(f"threshold {theta:.2f}: {at + 1} retrieved, {pr['TP'][at]:g} relevant")
    return drawn


def words_of_curves(theta):
    """What is to be seen at one threshold."""
    at = list(pr["threshold"]).index(theta)
    return (
        f"Two panels. At threshold {theta:.2f} recall is {pr['recall'][at]:.2f} on both. Precision "
        f"is {pr['precision'][at]:.2f} on the P-R curve, which falls in steps. Fall-out is "
        f"{roc['fall-out'][at]:.2f} on the ROC curve, a staircase above the dotted line of chance."
    )


slider(curves, name="threshold", values=SCORES, start=0.58, alt=words_of_curves)

# %%
quiz(
    "You lower the threshold. What can the point on a P-R or ROC curve never do?",
    {
        "Go to the left": (
            True,
            (
                "The x-axes are recall and fall-out, and neither can fall. At the end everything "
                "is retrieved. Then both are 1, and precision is the share of relevant documents "
                "in the collection."
            ),
        ),
        "Go down": (
            False,
            (
                "This is true of the ROC curve only. On the P-R curve the point goes down with "
                "each non-relevant document, unless precision is 0 already."
            ),
        ),
        "Go up": (
            False,
            (
                "Each relevant document lifts recall on the ROC curve. It also lifts precision, if "
                "precision is below 1."
            ),
        ),
    },
)

# %% [markdown]
# ## AUC: the area under the ROC curve
#
# Four documents score 0.8, 0.4, 0.35 and 0.1. The first and the third are relevant. Make all pairs
# of one relevant and one non-relevant document. A pair is *in order* if the relevant document has
# the higher score.

# %%
predict(
    "There are 2 x 2 pairs of a relevant and a non-relevant document. How many are in order?",
    3,
    mistaken={
        4: "The relevant document with 0.35 scores less than the non-relevant one with 0.4.",
        2: "Check both relevant documents against both non-relevant ones: 0.8 beats 0.4 and 0.1. "
        "What does 0.35 beat?",
    },
)

# %%
four_grades, four_scores = np.array([1, 0, 1, 0]), np.array([0.8, 0.4, 0.35, 0.1])
reveal(explain(roc_auc, four_grades, four_scores, exact=True))

# %% [markdown]
# The share of pairs in order is called **AUC**, the area under the ROC curve:
#
# $$\mathrm{AUC} = \frac{\text{pairs in order} + \frac{1}{2}\,\text{tied pairs}}{R \cdot N}$$
#
# In words: $R$ is the number of relevant documents and $N$ the number of non-relevant ones. So
# there are $R \cdot N$ pairs. Count the pairs in order, count each tie as a half, and divide. In
# numpy:

# %%
higher = (
    four_scores[four_grades == 1][:, None] - four_scores[four_grades == 0]
)  # a row per relevant document
by_hand = np.mean((higher > 0) + (higher == 0) / 2)
assert np.isclose(by_hand, roc_auc(four_grades, four_scores))
by_hand

# %% [markdown]
# This gives AUC a meaning. **Take a relevant document and a non-relevant document at random. AUC is
# the probability that the relevant document has the higher score** (a tie counts half).
#
# Why is this an area? Each non-relevant document moves the ROC curve one step to the right. The
# number of relevant documents above it is its number of pairs in order. This number is also the
# height of the curve at that step. The folded table above counts the pairs in this way.

# %%
predict(
    "An engine gives all documents the score 0.5. What is its AUC?",
    of=(roc_auc, RELEVANCE, [0.5] * 12),
    mistaken={
        0.0: "You counted each tie as a pair in the wrong order.",
        1.0: "You counted each tie as a pair in order.",
    },
)

# %%
reveal(
    f"It is {roc_auc(RELEVANCE, [0.5] * 12):g}. All pairs are ties, and each tie counts half. "
    "Random scores also have an AUC of 1/2 on average: the diagonal of the ROC plot."
)

# %% [markdown]
# **A puzzle.** The lecture says of a curve below the diagonal:

# %%
quote(
    "004",
    "低于对角线的结果无意义 (无区分度)",
    "A result below the diagonal is meaningless: it doesn't tell documents apart.",
)

# %%
predict("Is an AUC of 0.2 worth less than an AUC of 0.5? What could you do with these scores?")

# %%
UPSIDE_DOWN = [-s for s in SCORES]
good, bad = roc_auc(RELEVANCE, SCORES), roc_auc(RELEVANCE, UPSIDE_DOWN)
reveal(
    f"Multiply the scores by -1. Our engine has an AUC of {good:.3f}. With all its scores negated "
    f"it has {bad:.3f}, and the two add up to 1. So an AUC of 0.2 becomes 0.8. Only scores on the "
    "diagonal, near 0.5, can't tell documents apart. If your AUC is far below 0.5, look for a "
    "wrong sign, such as a distance that is used as a score."
)

# %% [markdown]
# ## The area under the P-R curve
#
# Our engine finds its first relevant document at recall 0.2 and precision 1. This adds a step with
# the width 0.2 and the height 1. Each further relevant document adds another step of width 0.2. The
# area of all steps is **PR-AUC**:
#
# $$\text{PR-AUC} = \sum_t (\mathrm{recall}_t - \mathrm{recall}_{t-1}) \cdot \mathrm{precision}_t$$
#
# In words: lower the threshold step by step. At each threshold $t$ multiply the recall gained by
# the precision there, and add the products. In numpy:

# %%
gained = np.diff(recall_at, prepend=0)
by_hand = (gained * precision_at).sum()
assert np.isclose(by_hand, pr_auc(RELEVANCE, SCORES))
round(float(by_hand), 4)

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.bar(
    pr["recall"],
    pr["precision"],
    width=[-width for width in pr["recall gained"]],
    align="edge",
    color=plotting.PALETTE[4],
    hatch="//",
    edgecolor="white",
    label="recall gained x precision",
)
draw_pr(axes, pr, color=plotting.PALETTE[0], marker="o", label="P-R curve")
axes.set(ylim=(0, 1.05), title=f"The steps add up to {pr.value:.4f}")
axes.legend(loc="lower left", framealpha=1)
figure(
    drawn,
    alt="Five bars fill the area under the steps of the P-R curve, one for each relevant document. "
    "Each is 0.2 of recall wide and as high as the precision there: 1, 1, 0.75, 0.57, 0.56.",
)

# %%
predict("You have met this sum before, in notebook 2. What was it called there?")

# %%
reveal(
    f"Average precision. Each of the R relevant documents gains 1/R of recall. AP of this ranking "
    f"is {average_precision(RELEVANCE):.4f}, and PR-AUC is {pr_auc(RELEVANCE, SCORES):.4f}. The "
    "two can differ only if documents tie."
)

# %%
quiz(
    "Why is a P-R curve drawn in steps, and not in straight lines between its points?",
    {
        "Steps are easier to compute": (
            False,
            (
                "Straight lines are no harder to compute. But their area is another number, and "
                "it is too high where the curve falls."
            ),
        ),
        "The points of the P-R curve lie on a staircase": (
            False,
            (
                "The points of a ROC curve do, if no scores tie: each step goes up or to the "
                "right. P-R points don't: a relevant document changes precision and recall at once."
            ),
        ),
        "Lines promise precision that no threshold has": (
            True,
            (
                "On a ROC plot you can reach every point of a straight line: toss a coin between "
                "two thresholds. On a P-R plot you can't. Where precision falls, the coin gives "
                "less precision than the line (Davis & Goadrich, 2006). The reason is the "
                "denominator of precision, which changes on the way."
            ),
        ),
    },
)

# %% [markdown]
# ## The break-even point
#
# Our engine starts with precision 1 and recall 0.2. It ends with precision 0.42 and recall 1. On
# the way the two are equal once. Their common value is the **break-even point**:
#
# $$\mathrm{precision}_t = \mathrm{recall}_t$$
#
# In words: find the threshold $t$ at which precision equals recall, and report that value. It is
# where the P-R curve crosses the dashed diagonal of the first figure. The higher, the better. Above
# the first relevant document of a ranking, precision and recall are both 0. This doesn't count as a
# crossing.

# %%
predict(
    "Precision is TP / retrieved, and recall is TP / relevant. How many documents does our engine "
    "retrieve where the two are equal?",
    5,
    mistaken={
        12: "At the end precision is 5/12 and recall is 1.",
        3: "Three is the number of relevant documents found there, not of retrieved ones.",
    },
)

# %%
reveal(explain(break_even, RELEVANCE, SCORES, exact=True))

# %% [markdown]
# The two fractions have the same numerator, TP. They are equal if their denominators are, or if TP
# is 0. So look where as many documents are retrieved as are relevant. In numpy, without ties:

# %%
R = relevant.sum()
by_hand = TP[R - 1] / R
assert np.isclose(by_hand, break_even(RELEVANCE, SCORES))
by_hand

# %%
reveal(
    table(
        {
            "measure": ["break-even", "R-precision"],
            "value": [
                break_even(RELEVANCE, SCORES, exact=True),
                r_precision(RELEVANCE, exact=True),
            ],
        },
        caption="R-precision, from notebook 2, cuts the ranking where as many documents are "
        "retrieved as are relevant. So without ties the break-even point is the R-precision.",
    ),
    summary="You know this number by another name. Which one?",
)

# %% [markdown]
# ## Compare two engines by their curves
#
# If one curve lies above another everywhere, the choice is easy. If it does so on one of the two
# plots, it does so on the other plot too (Davis & Goadrich, 2006). If the curves cross, you can
# compare the areas. The lecture means this rule, but a misprint is in its way. It says
# that the lines *coincide*:

# %%
quote(
    "004",
    "如果两条线发生重合,则可依据以下规则判别",
    "If the two lines coincide, you can judge by the following rules.",
)

# %% [markdown]
# Curves that coincide have equal areas and equal break-even points, so these rules could decide
# nothing. The lecture means *cross* (相交). Try it: A and B each rank the same 24 documents, and
# 6 of them are relevant.


# %%
def placed(*ranks):
    """A ranking of 24 documents with the relevant ones at these ranks."""
    return [int(rank in ranks) for rank in range(1, 25)]


A, B = placed(1, 2, 3, 18, 20, 24), placed(2, 4, 7, 8, 9, 11)
predict(
    "A has its relevant documents at ranks 1, 2, 3, 18, 20, 24, and B at ranks 2, 4, 7, 8, 9, 11. "
    "Which has the larger area under the ROC curve? And under the P-R curve?"
)

# %%
for ranking in (A, B):
    assert np.isclose(np.cumsum(ranking)[6 - 1] / 6, break_even(ranking))
reveal(
    table(
        {
            "measure": ["AUC (ROC)", "PR-AUC", "break-even"],
            "A": [m(A) for m in (roc_auc, pr_auc, break_even)],
            "B": [m(B) for m in (roc_auc, pr_auc, break_even)],
        },
        caption="The ROC curve prefers B. The P-R curve prefers A, by the area and by the "
        "break-even point.",
    )
)

# %%
drawn, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.6), layout="constrained")
drawn.get_layout_engine().set(wspace=0.06)
for i, (name, ranking) in enumerate({"A": A, "B": B}.items()):
    style = {"color": plotting.PALETTE[i], "marker": "os"[i], "markersize": 4, "label": name}
    draw_pr(left, pr_curve(ranking), **style)
    draw_roc(right, roc_curve(ranking), **style)
right.legend(frameon=False, loc="lower right")
reveal(
    figure(
        drawn,
        alt="Two panels. On the P-R side A stays at precision 1 up to recall 0.5 and then drops "
        "below B. On the ROC side A leads up to a true positive rate of 0.5, then B is far above.",
    ),
    summary="See the curves",
)

# %%
reveal(
    "The two areas answer different questions. AUC counts pairs, and it can't see where in the "
    "ranking a pair stands: a wrong pair at ranks 20 and 21 costs as much as one at ranks 1 and 2. "
    "PR-AUC gives more weight to the top. If your readers look at three results, choose A. If they "
    "must find all six documents, as in an archive, choose B.",
    summary="So which engine do you choose?",
)

# %% [markdown]
# ## When relevant documents are rare
#
# In search relevant documents are rare for most queries. Make them rare here: copy each of our
# seven non-relevant documents, with its score, until it is in the collection $c$ times. The engine
# tells relevant from non-relevant documents as well as before.

# %%
predict(
    "Each non-relevant document is now in the collection ten times. What happens to AUC? And to "
    "PR-AUC?"
)


# %%
def crowded(copies):
    """Grades and scores with each non-relevant document in the collection so many times."""
    pairs = list(zip(RELEVANCE, SCORES, strict=True))
    repeated = [(g, s) for g, s in pairs for _ in range(1 if g else copies)]
    return [g for g, _ in repeated], [s for _, s in repeated]


times = [1, 2, 5, 10, 100]
reveal(
    table(
        {
            "copies": times,
            "documents": [len(crowded(c)[0]) for c in times],
            "AUC (ROC)": [roc_auc(*crowded(c)) for c in times],
            "PR-AUC": [pr_auc(*crowded(c)) for c in times],
        },
        caption="Fall-out divides FP by the number of non-relevant documents. Both grow by the "
        "same factor, so the ROC curve stays. Precision compares FP with TP. FP grows and TP does "
        "not, so precision falls.",
    )
)


# %% [markdown]
# Move the slider to see both curves with more copies.


# %%
def rare(copies):
    """Both curves with each non-relevant document in the collection so many times."""
    drawn, (left, right) = plt.subplots(1, 2, figsize=(6.4, 4.0), layout="constrained")
    drawn.get_layout_engine().set(wspace=0.06)
    for i, c in enumerate(sorted({1, copies})):
        style = {
            "color": plotting.PALETTE[3 * i],
            "marker": "oD"[i],
            "linestyle": ("-", "--")[i],
            "markersize": (8, 4)[i],
            "label": ("once", f"{c} times")[i],
        }
        p, r = pr_curve(*crowded(c)), roc_curve(*crowded(c))
        draw_pr(left, p, **style)
        draw_roc(right, r, **style)
    left.set_title(f"P-R: area {p.value:.3f}")
    right.set_title(f"ROC: area {r.value:.3f}")
    handles, labels = left.get_legend_handles_labels()
    drawn.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=2,
        frameon=False,
        title="each non-relevant document is there",
    )
    return drawn


slider(
    rare,
    name="copies",
    values=times,
    start=1,
    alt=lambda copies: (
        "Two panels, each with the curve for non-relevant documents once"
        + (f" and {copies} times. The two ROC curves lie on each other" if copies > 1 else "")
        + f". The area under the ROC curve is {roc_auc(*crowded(copies)):.3f}, and the area under "
        f"the P-R curve is {pr_auc(*crowded(copies)):.3f}."
    ),
)

# %%
reveal(
    "If there are many more non-relevant than relevant documents, the ROC curve looks too good: "
    "use the P-R curve. If you compare data sets with different shares of relevant documents, the "
    "P-R curve changes with the share: use the ROC curve. It doesn't change if the documents of "
    "either kind have the same scores in all sets, as our copies do.",
    summary="What the lecture concludes",
)

# %% [markdown]
# The copies score like the documents that were there before. A collection that grows gets other
# documents, too: most of them have nothing to do with the query, and score near 0. Add a thousand
# documents that are not relevant and score 0.05, below all others.

# %%
predict("A thousand easy documents join the collection. What happens to AUC? And to PR-AUC?")

# %%
EASY = (RELEVANCE + [0] * 1000, SCORES + [0.05] * 1000)
reveal(
    table(
        {
            "documents": [len(RELEVANCE), len(EASY[0])],
            "AUC (ROC)": [roc_auc(RELEVANCE, SCORES), roc_auc(*EASY)],
            "PR-AUC": [pr_auc(RELEVANCE, SCORES), pr_auc(*EASY)],
        },
        caption="AUC comes near 1, because each relevant document beats all the easy ones. PR-AUC "
        "stays, because nothing changed above them. This is why AUC flatters a search engine: most "
        "of its pairs are easy.",
    )
)

# %%
predict("A collection has 100,000 documents, 10 of them relevant. AUC is 0.99. What is P@10?")

# %%
deep = [int(1000 < rank <= 1010) for rank in range(1, 100_001)]
reveal(
    f"You can't know. Put the ten relevant documents at ranks 1,001 to 1,010: AUC is "
    f"{roc_auc(deep):.2f} and P@10 is {precision(deep, k=10):g}. One per cent of 100,000 "
    "documents is a thousand documents, and nobody reads so many."
)

# %%
quiz(
    "One medical test is used in three countries. The illness is common in one of them and rare in "
    "the others. Does the test work equally well everywhere? Which curve do you compare?",
    {
        "The ROC curve: the shares of the ill differ": (
            True,
            (
                "The true positive rate is computed among the ill only, and fall-out among the "
                "healthy only. So the share of ill people has no influence, if the ill and the "
                "healthy of the three countries are alike."
            ),
        ),
        "The P-R curve, because the ill people matter": (
            False,
            (
                "They do matter. But precision falls where the illness is rare, even if the test "
                "is the same. The curves would differ for a reason that is not the test."
            ),
        ),
        "Either curve, because both show the same": (
            False,
            "An engine can have two P-R curves, on two collections, and one ROC curve.",
        ),
    },
)

# %% [markdown]
# ## On a real collection
#
# One topic has a P-R curve like a saw. Over many topics you take a mean: the interpolated precision
# (notebook 2) of each topic at the recall levels 0, 0.1 ... 1, and then its mean over the topics.
# Here are the three engines of the collection of notebook 1, on 100 topics:

# %%
stdlib = load_collection("stdlib")
DEEP, LEVELS = stdlib.qrels["deep"], np.arange(11) / 10


def levels_of(run, grades):
    """The best precision at each recall level or a higher recall; 0 if no rank reaches it."""
    curve = precision_recall_curve(list(run), grades)
    reached = curve["recall"] >= LEVELS[:, None] - 1e-9
    return np.where(reached, curve["precision"], 0).max(axis=1)


MEAN_CURVES = {
    name: np.mean([levels_of(run[topic], DEEP[topic]) for topic in DEEP], axis=0)
    for name, run in stdlib.runs.items()
}
for name, run in stdlib.runs.items():
    scores = [interpolated_average_precision(list(run[topic]), DEEP[topic]) for topic in DEEP]
    assert np.isclose(MEAN_CURVES[name].mean(), np.mean(scores))

# %%
predict(
    "LSA compares meanings, and has a lower precision at the top. Does its curve cross that of "
    "BM25 somewhere, for example at a high recall?"
)

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, (name, curve) in enumerate(MEAN_CURVES.items()):
    axes.plot(LEVELS, curve, "os^"[i] + "-", color=plotting.PALETTE[i], markersize=4, label=name)
axes.set(xlabel="recall level", ylabel="interpolated precision", ylim=(0, 1))
axes.set_title("Three engines, the mean of 100 topics")
axes.legend(frameon=False)
below = [MEAN_CURVES["bm25"] - MEAN_CURVES["lsa"], MEAN_CURVES["fts5"] - MEAN_CURVES["bm25"]]
reveal(
    figure(
        drawn,
        alt="Mean interpolated precision at eleven recall levels for three engines. All curves "
        "fall. FTS5 is highest at every level, and LSA lowest. LSA is below BM25 by "
        f"{below[0].min():.2f} to {below[0].max():.2f}, and BM25 is below FTS5 by "
        f"{below[1].min():.2f} to {below[1].max():.2f}.",
    )
)

# %%
quiz(
    "A run holds 50 of 1,458 documents. You want its ROC curve. What is missing?",
    {
        "Nothing: the fall-out of the first 50 ranks is known": (
            False,
            "Those 50 give only the first corner of the curve, with a fall-out of at most 0.04.",
        ),
        "Scores of the documents below rank 50": (
            True,
            (
                "ROC and AUC need every document. The P-R curve needs none below the last relevant "
                "document."
            ),
        ),
        "Grades instead of yes and no": (
            False,
            "ROC needs yes or no. Choose from which grade on a document is relevant.",
        ),
    },
)

# %% [markdown]
# ## Which curve for which task
#
# | you want to know | use |
# |---|---|
# | what readers get at the top of a search | P-R curve, AP |
# | whether scores tell relevant from non-relevant documents at all | ROC curve, AUC |
# | how an engine does on data with more documents of either kind, scored alike | ROC curve, AUC |
# | how an engine does if relevant documents are rare | P-R curve, AP |
# | one number, with as many documents retrieved as are relevant | break-even, R-precision |
#
# The lecture calls the ROC curve the more complete one: it looks at both classes, relevant and not
# relevant. The P-R curve looks at the relevant documents. In a search these are what users care
# about, so the P-R curve is a good choice there.
#
# ## Recap
#
# - A threshold makes a set, and all thresholds make a curve. If you lower the threshold, recall and
#   fall-out never fall.
# - AUC is the probability that a relevant document scores higher than a non-relevant document. If
#   AUC is far below 1/2, look for a wrong sign.
# - If no scores tie, PR-AUC is AP, and the break-even point is R-precision.
# - If relevant documents become rare because more documents like the non-relevant ones join, the
#   ROC curve stays. The P-R curve falls, except where precision is 1 or 0. If the new documents are
#   easy, AUC rises unless it is 1, and the P-R curve stays. So AUC flatters a search engine.
#
# **Read on.**

# %%
reading("Davis 2006", "Hanley 1982", "Lewis 1992")
