# %% [markdown]
# # 3. Thresholds: P-R and ROC curves, AUC, break-even, and when which
#
# **Goals.** After this notebook you can
#
# - read a precision-recall and a ROC curve, and find a threshold on both;
# - say what AUC is the probability of, and what it can't see;
# - find the break-even point;
# - choose between the two curves when relevant documents are rare, as they are in search.
#
# **Time.** 45 minutes. **Needs.** Notebooks 1 and 2.

# %%
import matplotlib.pyplot as plt

from irmetrics_edu import (
    average_precision,
    break_even,
    documents,
    explain,
    pr_auc,
    pr_curve,
    precision,
    r_precision,
    roc_auc,
    roc_curve,
)
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.views import plotting

# %% [markdown]
# The words of this chapter:

# %%
terms("threshold", "true positive rate", "fall-out", "P-R curve", "ROC curve", "AUC", "break-even")

# %% [markdown]
# ## A score and a threshold
#
# An engine gives each document a score, and retrieves those that score at least $\theta$, the
# **threshold**. Each threshold makes a set, and each set has a precision and a recall.
#
# **A puzzle** of the smallest kind. In the lecture (document 004) the sentence has lost its letter,
# and in two ways:

# %%
theta = documents.example("004-theta")
quote("004", theta.printed)

# %%
predict("The first says 'threshold 0', the second 'if larger than @'. Which letter was it?")

# %%
reveal(theta.erratum.why)

# %% [markdown]
# Twelve documents, five of them relevant, with the scores of an engine:

# %%
RELEVANCE = [1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0]
SCORES = [0.95, 0.90, 0.82, 0.75, 0.70, 0.64, 0.58, 0.50, 0.41, 0.33, 0.20, 0.10]
predict("Lower the threshold step by step. Which of recall, fall-out and precision can only rise?")

# %%
pr, roc = pr_curve(RELEVANCE, SCORES), roc_curve(RELEVANCE, SCORES)
reveal(
    table(
        {
            "threshold": pr["threshold"],
            **{name: pr[name] for name in ("TP", "FP", "precision", "recall")},
            "fall-out": roc["fall-out"],
        },
        digits=3,
        caption="Recall and fall-out never fall, since nothing leaves the set. Precision does "
        "as it likes.",
    )
)

# %% [markdown]
# ## Two curves from one table
#
# Both curves are drawn from the columns above, a point per threshold.
#
# | | across | up | the best corner |
# |---|---|---|---|
# | **P-R** | recall $\frac{TP}{TP+FN}$ | precision $\frac{TP}{TP+FP}$ | top right |
# | **ROC** | fall-out $\frac{FP}{FP+TN}$ | recall, called true positive rate | top left |
#
# Recall stands on both, but lies across on the one and goes up on the other. Move the threshold.


# %%
def curves(theta):
    """Both curves, with the point of one threshold."""
    at = list(pr["threshold"]).index(theta)
    drawn, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.6), layout="constrained")
    left.plot(pr["recall"], pr["precision"], color=plotting.PALETTE[0], marker="o")
    right.plot(
        [0, *roc["fall-out"]],
        [0, *roc["true positive rate"]],
        color=plotting.PALETTE[0],
        marker="o",
    )
    right.plot([0, 1], [0, 1], color="0.6", linestyle=":", label="chance")
    left.plot([0, 1], [0, 1], color="0.6", linestyle="--", label="P = R")
    here = {"color": plotting.PALETTE[3], "marker": "D", "markersize": 10, "linestyle": ""}
    left.plot(pr["recall"][at], pr["precision"][at], **here)
    right.plot(roc["fall-out"][at], roc["true positive rate"][at], **here)
    left.set(xlabel="recall", ylabel="precision", title="P-R")
    right.set(xlabel="fall-out", ylabel="true positive rate (recall)", title="ROC")
    for axes in (left, right):
        axes.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.05))
        axes.legend(frameon=False, loc="lower right")
    drawn.suptitle(f"threshold {theta:.2f}: {at + 1} retrieved, {pr['TP'][at]:g} relevant")
    return drawn


def words_of_curves(theta):
    """What is to be seen at one threshold."""
    at = list(pr["threshold"]).index(theta)
    return (
        f"Two panels. At threshold {theta:.2f} recall is {pr['recall'][at]:.2f} on both, precision "
        f"{pr['precision'][at]:.2f} on the P-R curve, a falling saw, and fall-out "
        f"{roc['fall-out'][at]:.2f} on the ROC curve, a staircase above the dotted line of chance."
    )


slider(curves, name="threshold", values=SCORES, start=0.58, alt=words_of_curves)

# %%
quiz(
    "The threshold is lowered. What can the point never do, on either curve?",
    {
        "Go to the left": (
            True,
            (
                "What lies across, recall here and fall-out there, can only rise. At the end, with "
                "everything retrieved, both are 1 and precision is the share of relevant documents."
            ),
        ),
        "Go down": (
            False,
            "On the ROC curve it never does. On the P-R curve it falls with each bad document.",
        ),
        "Go up": (
            False,
            "Each relevant document lifts recall, on the ROC curve; and precision, below 1, too.",
        ),
    },
)

# %% [markdown]
# ## AUC: the area under the ROC curve
#
# The area has a meaning of its own. **Take a relevant document and a non-relevant document at
# random. AUC is the probability that the relevant one has the higher score.** A tie counts half.
# Scores that know nothing come out at 1/2, the diagonal.
#
# Four documents score 0.8, 0.4, 0.35, 0.1. The first and the third are relevant.

# %%
predict(
    "There are 2 x 2 pairs of a relevant and a non-relevant document. How many are in order?",
    3,
    mistaken={4: "The relevant document with 0.35 has a lower score than the other with 0.4."},
)

# %%
reveal(explain(roc_auc, [1, 0, 1, 0], [0.8, 0.4, 0.35, 0.1], exact=True))

# %% [markdown]
# The table counts them strip by strip: each document that is not relevant has as many pairs in
# order as there are relevant ones above it.

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
reveal(f"{roc_auc(RELEVANCE, [0.5] * 12):g}: all pairs are ties, each counts half.")

# %% [markdown]
# **A puzzle.** The lecture says of a curve below the diagonal:

# %%
quote("004", "低于对角线的结果无意义 (无区分度)")

# %% [markdown]
# It has no meaning, it can't tell documents apart. Take an engine with an AUC of 0.2.

# %%
predict("Is an AUC of 0.2 worth less than one of 0.5? What could you do with these scores?")

# %%
UPSIDE_DOWN = [-s for s in SCORES]
good, bad = roc_auc(RELEVANCE, SCORES), roc_auc(RELEVANCE, UPSIDE_DOWN)
reveal(
    f"Turn them round. Our engine has {good:.3f}, with its scores negated {bad:.3f}; the two add "
    "up to 1. What can't tell documents apart is the diagonal itself. Far below it stands an "
    "engine that tells them apart well and has a sign wrong: look for a distance used as a score."
)

# %% [markdown]
# ## The area under the P-R curve
#
# Each threshold adds a step: the recall gained, times the precision there.
#
# $$\text{PR-AUC} = \sum_t (R_t - R_{t-1})\,P_t$$

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.bar(
    pr["recall"],
    pr["precision"],
    width=[-gained for gained in pr["recall gained"]],
    align="edge",
    color=plotting.PALETTE[4],
    hatch="//",
    edgecolor="white",
    label="steps",
)
axes.plot(pr["recall"], pr["precision"], color=plotting.PALETTE[0], marker="o", label="P-R curve")
axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1.03), ylim=(0, 1.08))
axes.set_title(f"The steps add up to {pr.value:.4f}")
axes.legend(frameon=False, loc="upper right")
figure(
    drawn,
    alt="Five bars under the P-R curve, one for each relevant document, each 0.2 of recall wide "
    "and as high as the precision there: 1, 1, 0.75, 0.57, 0.56.",
)

# %%
predict("You have met this sum before, in notebook 2. What was it called there?")

# %%
reveal(
    f"Average precision: each of R relevant documents gains 1/R of recall. AP of this ranking is "
    f"{average_precision(RELEVANCE):.4f}, PR-AUC {pr_auc(RELEVANCE, SCORES):.4f}. They part only "
    "where documents tie."
)

# %%
quiz(
    "Why steps, and not the straight lines between the points?",
    {
        "Steps are easier to compute": (
            False,
            "Trapezia are no harder. They give another number, and it is the number that is wrong.",
        ),
        "Straight lines promise precision that no threshold has": (
            True,
            (
                "Between two points of a ROC curve a straight line is what tossing a coin gives. "
                "Where a P-R curve falls, the coin gives less than the line: it sags, since the "
                "denominator of precision changes on the way (Davis & Goadrich, 2006)."
            ),
        ),
        "The curve is a staircase anyway": (
            False,
            "The ROC curve is, without ties. The P-R curve is a saw, with slanting teeth.",
        ),
    },
)

# %% [markdown]
# ## Break-even
#
# Where precision equals recall, the P-R curve crosses the diagonal (dashed in the first figure).
# That value is the **break-even point**; the higher, the better.

# %%
predict(
    "P = TP / retrieved, R = TP / relevant. How many documents are retrieved where they are equal?"
)

# %%
reveal(explain(break_even, RELEVANCE, SCORES, exact=True))

# %% [markdown]
# As many as are relevant, here five. So without ties it is the R-precision, which needs no curve:

# %%
table(
    {
        "measure": ["break-even", "R-precision"],
        "value": [break_even(RELEVANCE, SCORES, exact=True), r_precision(RELEVANCE, exact=True)],
    }
)

# %% [markdown]
# ## Which engine is better?
#
# Where one curve lies above another all the way, there is nothing to ask; and if it does so on one
# plot, it does on the other (Davis & Goadrich, 2006). Where they cross, the lecture's advice is to
# compare the areas. So: A and B each rank the same 24 documents, with 6 relevant.


# %%
def placed(*ranks):
    """A ranking of 24 documents with the relevant ones at these ranks."""
    return [int(rank in ranks) for rank in range(1, 25)]


A, B = placed(1, 2, 3, 18, 20, 24), placed(2, 4, 7, 8, 9, 11)
predict(
    "A: ranks 1, 2, 3, 18, 20, 24. B: ranks 2, 4, 7, 8, 9, 11. Which has the larger area? Where?"
)

# %%
areas = table(
    {
        "measure": ["AUC (ROC)", "PR-AUC", "break-even"],
        "A": [m(A) for m in (roc_auc, pr_auc, break_even)],
        "B": [m(B) for m in (roc_auc, pr_auc, break_even)],
    },
    caption="ROC prefers B, P-R prefers A, by the area and at the break-even point.",
)
reveal(areas)

# %%
drawn, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.6), layout="constrained")
for i, (name, ranking) in enumerate({"A": A, "B": B}.items()):
    style = {"color": plotting.PALETTE[i], "marker": "os"[i], "markersize": 4, "label": name}
    left.plot(pr_curve(ranking)["recall"], pr_curve(ranking)["precision"], **style)
    of = roc_curve(ranking)
    right.plot([0, *of["fall-out"]], [0, *of["true positive rate"]], **style)
left.set(xlabel="recall", ylabel="precision", ylim=(0, 1.05), title="P-R")
right.set(xlabel="fall-out", ylabel="true positive rate", ylim=(0, 1.05), title="ROC")
left.legend(frameon=False, loc="lower right")
reveal(
    figure(
        drawn,
        alt="Two panels. On the P-R side A stays at precision 1 up to recall 0.5 and then drops "
        "below B. On the ROC side A leads up to a true positive rate of 0.5, then B is far above.",
    ),
    summary="See the curves",
)

# %% [markdown]
# Both are right, about different things. AUC counts pairs, and a pair at ranks 20 and 21 weighs as
# much as one at ranks 1 and 2. The P-R curve weighs the top. A reader who looks at three results
# prefers A; an archivist who must find all six prefers B.
#
# ## When relevant documents are rare
#
# In search they always are. Let each of our seven irrelevant documents stand $c$ times in the
# collection, with the same score. The engine is no better and no worse at telling them apart.

# %%
predict("Every irrelevant document now stands there ten times. What becomes of AUC? Of PR-AUC?")


# %%
def crowded(copies):
    """Grades and scores with each irrelevant document there so many times."""
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
        caption="The ROC curve divides FP by the number of irrelevant documents, so it does not "
        "move. Precision sets FP against TP, and drowns.",
    )
)


# %%
def rare(copies):
    """Both curves with each irrelevant document there so many times."""
    drawn, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.6), layout="constrained")
    for i, c in enumerate((1, copies)):
        p, r = pr_curve(*crowded(c)), roc_curve(*crowded(c))
        style = {
            "color": plotting.PALETTE[3 * i],
            "marker": "oD"[i],
            "linestyle": ("-", "--")[i],
            "markersize": (8, 4)[i],
            "label": "once" if i == 0 else f"{c} times",
        }
        left.plot(p["recall"], p["precision"], **style)
        right.plot([0, *r["fall-out"]], [0, *r["true positive rate"]], **style)
    left.set(xlabel="recall", ylabel="precision", xlim=(-0.05, 1.05), ylim=(0, 1.05))
    left.set_title(f"P-R: area {p.value:.3f}")
    right.set(xlabel="fall-out", ylabel="true positive rate", ylim=(0, 1.05))
    right.set_title(f"ROC: area {r.value:.3f}")
    left.legend(frameon=False, loc="upper right", title="irrelevant documents")
    return drawn


slider(
    rare,
    name="copies",
    values=times,
    start=10,
    alt=lambda copies: (
        f"Two panels, each with the curve for irrelevant documents once and {copies} times. The "
        "two ROC curves lie on each other, area 0.771; the P-R curve falls to an area of "
        f"{pr_auc(*crowded(copies)):.3f}."
    ),
)

# %% [markdown]
# The lecture draws both lessons. Where irrelevant documents abound, ROC looks too good, so use P-R.
# Where several data sets with different shares of relevant documents are compared, P-R moves with
# the share and ROC does not, so use ROC.

# %%
predict("100,000 documents, 10 relevant, AUC = 0.99. What do you expect of P@10?")

# %%
deep = [int(1000 < rank <= 1010) for rank in range(1, 100_001)]
reveal(
    f"Nothing can be said. With the ten at ranks 1,001 to 1,010 AUC is {roc_auc(deep):.2f} and "
    f"P@10 is {precision(deep, k=10):g}: one per cent of 100,000 documents is a thousand, more "
    "than anybody reads."
)

# %%
quiz(
    "One medical test is compared in three countries. The illness is common in one and rare in "
    "the others. The question is whether the test works equally well. Which curve?",
    {
        "P-R, since the ill are what matters": (
            False,
            (
                "They are. But precision falls where the illness is rare, even if the test is the "
                "same: the curves would differ for a reason that is not the test."
            ),
        ),
        "ROC, since the shares differ": (
            True,
            (
                "True positive rate and fall-out are each computed within one kind, so the share "
                "of the ill does not enter."
            ),
        ),
        "Either, they show the same": (
            False,
            "The slider above shows the same engine with two P-R curves and one ROC curve.",
        ),
    },
)

# %% [markdown]
# ## When which
#
# | you want to know | take |
# |---|---|
# | what readers get at the top of a search | P-R, AP |
# | whether scores tell the two kinds apart at all | ROC, AUC |
# | how an engine does over data with different shares of relevant documents | ROC, AUC |
# | how it does where relevant documents are rare | P-R, AP |
# | one number at a fair cut | break-even, R-precision |
#
# ## Recap
#
# - A threshold makes a set; all thresholds make a curve. Recall and fall-out rise as it is lowered.
# - AUC is the probability that a relevant document outscores a non-relevant one. Below 1/2: turn
#   the scores.
# - PR-AUC is AP, in steps. Break-even is R-precision. Both claims hold where no scores tie.
# - The ROC curve does not see how rare relevant documents are. The P-R curve moves with it.
#
# **Read on.** Davis & Goadrich (2006), *The relationship between precision-recall and ROC curves*,
# ICML. Hanley & McNeil (1982), *The meaning and use of the area under a receiver operating
# characteristic (ROC) curve*, Radiology 143(1). Lewis (1992), SIGIR, for the break-even point.
