# %% [markdown]
# # 9. Diversity that counts: CC, ILAD, ILMD against DCC, FDCC, DILAD
#
# **Goals.** After this notebook you can
#
# - compute the usual measures of a list's diversity, and show a list that fools them;
# - compute the measures that discount what did not hit, and say what each choice in them does;
# - find the largest discount coefficient that is allowed, or the reason why there is none;
# - read a study of diversifiers, and tell what its data decide from what they leave open.
#
# **Time.** 60 minutes. **Needs.** Notebooks 5 (means and intervals over users) and 8 (MMR, DPP);
# the binomial distribution.

# %%
from fractions import Fraction

import matplotlib.pyplot as plt

from irmetrics_edu import (
    category_coverage,
    dcc,
    dilad,
    documents,
    explain,
    fdcc,
    ilad,
    ilmd,
    plot_conditions,
    recall,
    tune_alpha,
    tune_beta,
)
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.recommenders.data import catalogue
from irmetrics_edu.study.claims import claims
from irmetrics_edu.study.diversity import DIVERSITY, study_diversity
from irmetrics_edu.study.rankers import BASE, DIVERSIFIERS, Settings
from irmetrics_edu.views import plotting

# %%
terms("diversity", "effective", "CC", "ILAD", "ILMD", "DCC", "FDCC", "DILAD")

# %% [markdown]
# ## Three measures of diversity
#
# A shop recommends four things to someone who, as the test data tell, went on to buy green tea,
# black tea, oolong and a cup. Items that are recommended *and* bought are **effective**.

# %%
CATEGORIES = {
    "green tea": {"tea"},
    "black tea": {"tea"},
    "oolong": {"tea"},
    "teapot": {"tea", "kitchen"},
    "cup": {"kitchen"},
    "kettle": {"kitchen"},
    "phone": {"electronics"},
    "tent": {"outdoor"},
    "bicycle": {"outdoor", "sport"},
    "drum": {"music"},
}
VECTORS = {
    "green tea": [9, 2, 0, 0, 0],
    "teapot": [7, 6, 0, 0, 0],
    "cup": [2, 9, 0, 0, 0],
    "kettle": [1, 9, 0, 2, 0],
    "phone": [0, 1, 0, 9, 0],
    "tent": [0, 1, 9, 0, 0],
    "bicycle": [0, 0, 7, 2, 3],
    "drum": [0, 0, 0, 1, 9],
}
BOUGHT = {"green tea", "black tea", "oolong", "cup"}
LISTS = {
    "close": ["green tea", "kettle", "cup", "teapot"],
    "wild": ["phone", "tent", "drum", "bicycle"],
    "mixed": ["green tea", "tent", "cup", "drum"],
}

# %% [markdown]
# $$\mathrm{CC}=\frac{\bigl|\bigcup_{i\in R}\mathcal{C}_i\bigr|}{|\mathcal{C}_I|}\qquad
# \mathrm{ILAD}=\frac{1}{|R|(|R|-1)}\sum_{i\in R}\sum_{j\in R\setminus i}d(i,j)\qquad
# \mathrm{ILMD}=\frac{1}{|R|}\sum_{i\in R}\min_{j\in R\setminus i}d(i,j)$$
#
# CC counts categories; ILAD and ILMD average distances $d(i,j)=1-e_i e_j^{\mathsf T}$ of embeddings
# that were normalised to length 1: to all others, or to the nearest.
#
# **A puzzle.** The slides of document 002 lost signs when they were turned into text. This is what
# stands under the average and under the minimum:

# %%
garbled = documents.example("002-garbles")
index = next(line for line in garbled.lines if "under the average" in line.what)
quote("002", "𝑖 ∈ ℛ𝑢∖i")

# %%
predict("The sum is meant to run over the distances of item i to the others. What is wrong?")

# %%
reveal(index.erratum.why)

# %%
predict("Which of the lists close, wild and mixed is the most diverse by each of the three?")

# %%
reveal(
    table(
        {
            "list": list(LISTS),
            "items": [", ".join(items) for items in LISTS.values()],
            "Recall": [recall(items, dict.fromkeys(BOUGHT, 1)) for items in LISTS.values()],
            "CC": [category_coverage(items, CATEGORIES) for items in LISTS.values()],
            "ILAD": [ilad(items, VECTORS) for items in LISTS.values()],
            "ILMD": [ilmd(items, VECTORS) for items in LISTS.values()],
        },
        digits=3,
    )
)

# %% [markdown]
# `wild` equals `mixed` by CC, is far ahead of `close` by all three, and holds nothing that the user
# wants. None of the three ever looks at what was bought. A list drawn by lot would do well. The
# working shows how the two distances differ: ILMD sees only the nearest neighbour.

# %%
table(ilad.working(LISTS["mixed"], VECTORS), digits=3)

# %%
table(ilmd.working(LISTS["wild"], VECTORS), digits=3)

# %% [markdown]
# ## Discount what did not hit
#
# The paper behind document 002 keeps the measures and lets what is not effective count less. $G$
# are the test items:
#
# $$\mathrm{DCC}=\frac{|\mathcal{C}_{R\cap G}|+\alpha\,|\mathcal{C}_{R\setminus G}|}
# {|\mathcal{C}_I|}
# \qquad
# \mathrm{FDCC}=\frac{\sum_{c\in\mathcal{C}_{R\cap G}}w_c+\alpha\,|\mathcal{C}_{R\setminus G}|}
# {|\mathcal{C}_I|},\quad w_c=\max(1,\log_b f_G(c))$$
#
# $$\mathrm{DILAD}=\frac{1}{|R|(|R|-1)}\sum_{i\in R}\sum_{j\in R\setminus i}w_i w_j\,d(i,j),\quad
# w_i=\begin{cases}1&i\in G\\\beta&i\notin G\end{cases}$$

# %%
quote("002", "効果的でない推薦の寄与を減らすため、割引係数αを組み込む")

# %%
predict(
    "alpha = 0.1, six categories in all. What is DCC of close (hits: green tea, cup) and of mixed "
    "(the same hits)? Which is higher?"
)

# %%
reveal(
    table(
        {
            "list": list(LISTS),
            "DCC": [dcc(items, BOUGHT, CATEGORIES, alpha=0.1) for items in LISTS.values()],
            "DCC, overlap counted once": [
                dcc(items, BOUGHT, CATEGORIES, alpha=0.1, overlap="once")
                for items in LISTS.values()
            ],
        }
    )
)

# %% [markdown]
# They tie, though `close` shows no category beyond tea and kitchen. The kettle's *kitchen* counts
# although the cup has covered it: the definition takes the categories of hits and of the rest
# apart, so one that both have counts on both sides, as 1 + alpha. Counted once, `mixed` is ahead.
# `wild` falls to the bottom either way.

# %%
explain(dcc, LISTS["close"], BOUGHT, CATEGORIES, alpha=0.1)

# %%
predict("Tea is in three of the four things bought. What does FDCC with base 2 make of it?")

# %%
reveal(
    table(
        fdcc.working(LISTS["mixed"], BOUGHT, CATEGORIES, alpha=0.1, base=2)["sum over categories"]
    )
)

# %%
predict(
    "beta = 0.1. In mixed, how much does the pair green tea - tent count, and how much tent - drum?"
)

# %%
reveal(
    table(
        dilad.working(LISTS["mixed"], BOUGHT, VECTORS, beta=0.1)["sum over pairs"],
        digits=3,
        caption="One item that did not hit: beta. Two: beta squared.",
    )
)

# %%
quiz(
    "DILAD at beta = 1 and DCC at alpha = 1: what do they give?",
    {
        "ILAD and CC": (
            False,
            "DILAD gives ILAD. DCC may give more than CC: a category of both sides counts twice.",
        ),
        "ILAD, and CC only where no category is on both sides": (
            True,
            "Or with overlap='once'. With the definition as printed DCC can reach 1 + alpha.",
        ),
        "Recall and Precision": (
            False,
            "At 1 nothing is discounted, so what was bought plays no part at all.",
        ),
    },
)

# %% [markdown]
# ## Which alpha? Neither 0 nor 1
#
# Alpha decides who wins. Here are the three lists over alpha.

# %%
ALPHAS = [i / 20 for i in range(21)]
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, (name, items) in enumerate(LISTS.items()):
    axes.plot(
        ALPHAS,
        [dcc(items, BOUGHT, CATEGORIES, alpha=a, overlap="once") for a in ALPHAS],
        color=plotting.PALETTE[(0, 3, 2)[i]],
        marker="os^"[i],
        markersize=5,
        linestyle=("-", "--", ":")[i],
        label=name,
    )
axes.set(xlabel="alpha", ylabel="DCC, overlap counted once", ylim=(0, 0.75))
axes.legend(frameon=False, loc="lower right")
figure(
    drawn,
    alt="DCC by alpha. Close stays at 0.33; mixed rises from 0.33 to 0.67; wild rises from 0 to "
    "0.67 and passes close at alpha 0.5.",
)

# %%
predict("Why not alpha = 0, so that only hits count?")

# %%
reveal(
    "An item that was not bought need not be disliked: the user may never have seen it. At 0 all "
    "lists without a hit, which are most lists, score 0 and can't be told apart. The slide gives "
    "this reason with a sign that says 'about the same as' between 'has a negative label' and 'is "
    "not to the user's taste'; the argument needs 'not the same as'."
)

# %% [markdown]
# The paper wants alpha as large as possible, as long as **hits stay in charge**. Sort all lists of
# $k$ items into groups $R_n$ by their number $n$ of effective items. With precision $p$, the share
# of lists in $R_n$ is binomial, and a list there is worth $n+\alpha(k-n)$, at one category an item:
#
# $$P(R_n)=\binom{k}{n}p^n(1-p)^{k-n},\qquad \mathrm{DCC}(R_n)\propto n+\alpha(k-n)$$
#
# A group contributes its worth times its share to the mean. The group with more hits is to
# contribute more. The slide asks for it so:

# %%
quote("002", "if 𝑖, 𝑗, 𝑡ℎ𝑒𝑛 𝐷𝐶𝐶 ℛ𝑖 ∙ 𝑃 ℛ𝑖 > 𝐷𝐶𝐶 ℛ𝑗 ∙ 𝑃 ℛ𝑗")

# %%
predict("A sign between i and j was lost. Which? What if the demand held for all pairs i, j?")

# %%
reveal(garbled.erratum.why)

# %% [markdown]
# Groups that hardly ever occur are left out: only $R_0,\dots,R_N$ have to obey, with the smallest
# $N$ for which they hold a share $\tau=0.99$ of all lists.

# %%
predict(
    "k = 10, p = 0.0075. Most lists have no hit: (1 - p)^10 of them, some 93 %. Only R_1 over R_0 "
    "is demanded. Guess the largest alpha: about 0.9, 0.1 or 0.01?"
)

# %%
found = tune_alpha(10, "0.0075")
reveal(explain(found.working))

# %% [markdown]
# By hand: $(1+\alpha(k-1))\,kp > \alpha k\,(1-p)$, which gives $\alpha < p/(1-kp)$. Small, because
# so many lists have no hit: what little each of them is given adds up.
#
# Each condition holds on a part of $[0,1]$; the feasible alphas are where all hold. Move the
# precision, and watch the number of conditions and the shaded part.


# %%
def conditions(p):
    """The conditions on alpha for lists of ten items at precision p."""
    drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    plot_conditions(tune_alpha(10, p), axes)
    return drawn


def in_words(p):
    """What the figure of the conditions shows."""
    tuned = tune_alpha(10, p)
    shown = f"The conditions on alpha at precision {p} ({len(tuned.conditions)} in all) as bars"
    if tuned.feasible:
        return f"{shown}: all hold for alpha below {float(tuned.alpha):.4f}."
    return f"{shown}: no alpha meets {' and '.join(map(str, tuned.conflict))}."


slider(
    conditions,
    name="precision",
    values=["0.0075", "0.01", "0.015", "0.02", "0.05", "0.15"],
    start="0.01",
    alt=in_words,
)

# %%
predict("At precision 0.02 things change. Why may a better system leave no alpha at all?")

# %%
better = tune_alpha(10, "0.02")
reveal("\n".join(better.working.notes))

# %% [markdown]
# At 0.02 more than 1 % of the lists have two hits or more, so $R_2$ has to obey too. But lists with
# two hits are so much rarer than lists with one that no alpha in $[0,1]$ lets them contribute more.
# The method works for systems that rarely hit and is silent on better ones; the result then names
# the largest $N$ whose conditions can be met.
#
# For DILAD all goes the same way, with pairs, so the conditions are quadratic in beta and $N$ is at
# least 2.

# %%
by_pairs = tune_beta(10, "0.0075")
table(by_pairs.working)

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
plot_conditions(by_pairs, axes)
figure(
    drawn,
    alt="Three conditions on beta as bars on a logarithmic scale. R1 over R0 holds up to 0.016, R2 "
    "over R0 up to 0.008, R2 over R1 up to 0.004; the shaded feasible part ends at 0.004.",
)

# %%
quiz(
    "A paper reports DCC@10 with alpha = 0.5 for a system of precision 0.01. What do you say?",
    {
        "Fine: alpha lies between 0 and 1": (
            False,
            "It does, but then the lists without a hit decide the mean.",
        ),
        f"alpha has to lie below {Fraction(1, 90)}": (
            True,
            "p/(1 - kp) = 0.01/0.9. At 0.5 the 90 % of lists without a hit drown the rest.",
        ),
        "alpha has to be 0": (
            False,
            "Then most lists score 0, though unseen items may well be liked.",
        ),
    },
)

# %% [markdown]
# ## The study, made small
#
# Document 002 asks what the usual measures say of diversifiers. We ask the same on a **made
# catalogue**: users with known tastes, items in categories, and test items held back. LightGCN
# learns embeddings; MMR and DPP re-rank its best 50; DGRec learns to be diverse; beside them stand
# popularity and chance. It is small, so that it runs in seconds: `irmetrics-edu study diversity`
# runs it at full size and on public data.

# %%
data = catalogue(users=300, items=2000, categories=30, seed=0)
of = study_diversity(data, Settings(cutoffs=(10,), pool=50, epochs=40), progress=False)
RANKERS = list(of.lists)
COEFFICIENTS = of.coefficients[10]
table(
    {
        "coefficient": [c.symbol for c in COEFFICIENTS],
        "precision of LightGCN": [float(c.tuning.p) for c in COEFFICIENTS],
        "N": [c.n for c in COEFFICIENTS],
        "lists covered": [f"{c.covered:.1%}" for c in COEFFICIENTS],
        "value": [c.value for c in COEFFICIENTS],
    },
    caption="The discount coefficients, tuned to the precision at 10 that LightGCN reaches.",
)

# %%
predict("Which of the six has the most diverse lists by CC, ILAD and ILMD?")

# %%
reveal(
    table(
        {
            "ranker": RANKERS,
            **{
                m: [of.mean(r, m, 10) for r in RANKERS]
                for m in ("Recall", "nDCG", "CC", "ILAD", "ILMD")
            },
        },
        digits=3,
        caption="Chance. By the usual measures nothing is as diverse as a list drawn by lot. "
        "Means over 300 users, at 10.",
    )
)

# %%
predict("And by DCC, FDCC and DILAD, with the coefficients tuned above?")

# %%
reveal(
    table(
        {
            "ranker": RANKERS,
            **{
                m: [of.mean(r, m, 10) / of.mean(BASE, m, 10) for r in RANKERS]
                for m in ("CC", "ILAD", "DCC", "FDCC", "DILAD")
            },
        },
        digits=2,
        caption="As a multiple of LightGCN's mean. Random falls from the top to the lower end. "
        "DGRec loses its lead, DPP keeps none of it by DILAD, and MMR keeps a little.",
    )
)

# %%
MARKERS = "os^Dvp"
drawn, panels = plt.subplots(1, 2, figsize=(6.4, 4.0), layout="constrained", sharex=True)
for panel, metric in zip(panels, ("ILAD", "DILAD"), strict=True):
    for i, ranker in enumerate(RANKERS):
        panel.scatter(
            of.mean(ranker, "Recall", 10),
            of.mean(ranker, metric, 10) / of.mean(BASE, metric, 10),
            color=plotting.PALETTE[i],
            marker=MARKERS[i],
            s=60,
            label=ranker,
            zorder=3,
        )
    panel.axhline(1, color="#999999", linewidth=1, linestyle="--")
    panel.set(xlabel="Recall@10", title=f"{metric}@10", ylim=(0, 1.06 * panel.get_ylim()[1]))
panels[0].set_ylabel("multiple of LightGCN's")
drawn.legend(
    *panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False
)
figure(
    drawn,
    alt="Two panels against Recall. By ILAD, Random stands highest at the lowest Recall and "
    "LightGCN lowest at the highest. By DILAD, MMR and LightGCN stand highest and Random "
    "lowest.",
)

# %% [markdown]
# ### Where the gain comes from
#
# The document splits the users: those with a hit among their ten (Recall above 0), and those
# without.

# %%
quote("002", "精度は少数派のポジティブから、 多様性は多数派のネガティブから")

# %%
predict("How many of the 300 users have a hit among ten? How much of the gain in ILAD is theirs?")


# %%
def part(ranker, metric, *, hit):
    """The part of the mean gain over LightGCN that users with, or without, a hit contribute."""
    gain = of.gain(ranker, metric, 10)
    return float(gain[of.positive(ranker, 10) == hit].sum() / len(gain))


drawn, panels = plt.subplots(1, 3, figsize=(6.4, 3.6), layout="constrained")
for panel, metric in zip(panels, DIVERSITY, strict=True):
    for i, hit in enumerate((True, False)):
        panel.bar(
            [place + (i - 0.5) * 0.4 for place in range(3)],
            [part(ranker, metric, hit=hit) for ranker in DIVERSIFIERS],
            width=0.38,
            color=plotting.PALETTE[i],
            hatch=("", "//")[i],
            edgecolor="white",
            label=("users with a hit", "users without")[i],
        )
    panel.axhline(0, color="black", linewidth=0.8)
    panel.set_xticks(range(3), DIVERSIFIERS, fontsize=8)
    panel.set_title(metric)
panels[0].set_ylabel("part of the mean gain")
drawn.legend(
    *panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False
)
reveal(
    figure(
        drawn,
        alt="Three panels of bars for MMR, DPP and DGRec: in CC, ILAD and ILMD nearly all of the "
        "gain over LightGCN comes from users without a hit.",
    )
)

# %%
predict(
    "So diversity is gained where nothing hits. Does a user without a hit gain more than others?"
)

# %%
reveal(
    table(
        {
            "ranker": DIVERSIFIERS,
            "users without a hit": [f"{1 - of.positive(r, 10).mean():.0%}" for r in DIVERSIFIERS],
            "their part of the gain in ILAD": [
                f"{part(r, 'ILAD', hit=False) / of.gain(r, 'ILAD', 10).mean():.0%}"
                for r in DIVERSIFIERS
            ],
        },
        caption="Hardly. Users without a hit are nearly all users, so nearly all of any gain is "
        "theirs. The claim is true; it says more about how rare hits are than about the "
        "diversifiers.",
    )
)

# %% [markdown]
# ### What is decided, and what is open
#
# Each claim of the document is a set of cases: a diversifier and a measure. A case is decided where
# the 95 % confidence interval of the mean over users lies to one side of 0.

# %%
predict("300 users. How many of the document's seven claims come out in full?")

# %%
CLAIMS = claims(of)
reveal(
    table(
        {
            "the document says": [claim.says for claim in CLAIMS],
            "here": [claim.summary for claim in CLAIMS],
        }
    )
)

# %% [markdown]
# What concerns whole lists and the two groups is plain even in this small study. Whether the order
# of the systems *turns round* by the new measures is open in most cases: they live on the hits, and
# few users have any. A measure that asks for more needs more users to be sure. And made data are no
# evidence about shops: they show what the measures do, not what people want.
#
# The page *Is it diversity that counts?* of the site has the same study on real data: on Amazon
# Beauty, where users have few items, and on MovieLens, where they have many.

# %%
quiz(
    "Over LightGCN a diversifier has ILAD +25 % and Recall -30 %, both beyond chance. DILAD is "
    "lower, but the interval holds 0. What may you write?",
    {
        "It made the lists more diverse at no cost": (
            False,
            "Recall fell, beyond chance. ILAD can't see that, but you can.",
        ),
        "It made the lists more diverse, at a cost in accuracy; for DILAD the data don't decide": (
            True,
            "An open case is a result, too. Say how many users there were.",
        ),
        "By DILAD it is worse than LightGCN": (
            False,
            "The interval holds 0: on these users the difference may be chance.",
        ),
        "By DILAD it is as good as LightGCN": (
            False,
            "Not decided is not equal. The interval tells how large the difference may still be.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - CC, ILAD and ILMD never look at what was wanted: chance scores best.
# - DCC, FDCC and DILAD let what did not hit count a little: alpha for a category, beta for each
#   item of a pair. A category on both sides counts twice, unless you say otherwise.
# - The coefficient follows from precision, and is small; for better systems there may be none.
# - Diversity is gained mostly where nothing hits, as hits are rare. Report accuracy beside it, and
#   intervals.
#
# **Read on.** *On evaluation metrics for diversity-enhanced recommendations* (2024), CIKM,
# doi:10.1145/3627673.3679629. Ziegler et al. (2005), *Improving recommendation lists through topic
# diversification*, WWW. He et al. (2020), *LightGCN*, SIGIR. Yang et al. (2023), *DGRec*, WSDM.
# Zhao et al. (2023), *Fairness and diversity in recommender systems: a survey*, ACM TIST.
