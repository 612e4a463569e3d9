# %% [markdown]
# # 8. Diversifying: MMR, xQuAD, FM-LDA, DPP, each choice explained
#
# **Goals.** After this notebook you can
#
# - say for each of four re-rankers what it maximises and what it needs to be given;
# - work out by hand why a document was chosen, and which one came second;
# - tell from the formula which end of lambda is diverse, and what the greedy choice costs.
#
# **Time.** 60 minutes. **Needs.** Notebook 7 (nuggets, alpha-nDCG); cosine of two vectors;
# determinants of 2 x 2 tables.

# %%
import matplotlib.pyplot as plt

from irmetrics_edu import alpha_ndcg, dpp, explain, facet_model, mmr, xquad
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.views import plotting

# %%
terms("diversity", "aspect", "similarity", "MMR", "xQuAD", "FM-LDA", "DPP")

# %% [markdown]
# ## One query, three meanings
#
# Someone asks for *jaguar*. The first ranking, by relevance, is all cars at the top; the cat and
# the football team come late. Notebook 7 measures that. Now we repair it: a **re-ranker** takes the
# pool of candidates and chooses one after another, and what it chooses next depends on what it
# chose before.

# %%
RELEVANCE = {
    "sports car": 0.9,
    "engine": 0.85,
    "dealers": 0.8,
    "habitat": 0.65,
    "zoo": 0.5,
    "football": 0.45,
}
# How probably each document serves each aspect of the query.
COVERAGE = {
    "sports car": {"car": 0.9},
    "engine": {"car": 0.8},
    "dealers": {"car": 0.7, "team": 0.1},
    "habitat": {"cat": 0.8},
    "zoo": {"cat": 0.7},
    "football": {"team": 0.8},
}
# The documents as vectors, so that unlike ones can be told apart.
VECTORS = {
    "sports car": [10, 1, 0],
    "engine": [10, 2, 0],
    "dealers": [9, 0, 2],
    "habitat": [1, 10, 0],
    "zoo": [0, 10, 2],
    "football": [2, 0, 10],
}
# For judging: a document holds the aspect that it mostly serves.
NUGGETS = {d: {max(held, key=held.get)} for d, held in COVERAGE.items()}
table(
    {
        "document": list(RELEVANCE),
        "relevance": list(RELEVANCE.values()),
        "aspects": [", ".join(f"{a} {p}" for a, p in held.items()) for held in COVERAGE.values()],
        "vector": [str(vector) for vector in VECTORS.values()],
    },
    digits=2,
)

# %% [markdown]
# The documents name the aim, and one of these methods, in their own words:

# %%
quote("000", "同时又能够尽可能 cover 多的 topics")

# %%
quote("002", "Maximal Marginal Relevance (MMR)")

# %% [markdown]
# ## MMR: relevant, and unlike the nearest
#
# $$\arg\max_{d_i\in R\setminus S}\Bigl[\lambda\,\mathrm{rel}(d_i)
# -(1-\lambda)\max_{d_j\in S}\mathrm{sim}(d_i,d_j)\Bigr]$$
#
# $S$ is what was chosen already. Note the *max*: one near neighbour in $S$ is enough to be
# punished, however unlike the others are.

# %%
predict(
    "lambda = 1/2. sports car comes first. Which document is second: engine (0.85), habitat (0.65) "
    "or zoo (0.5)? And does a fourth document still add something?"
)

# %%
by_mmr = mmr(RELEVANCE, VECTORS, k=4, lambda_=0.5)
reveal(table(by_mmr.working))

# %% [markdown]
# Every choice can be looked at: all candidates of the step, the chosen document of which each is
# the nearest, and what each scored. Here is the second.

# %%
explain(by_mmr.working["step 2"])

# %%
predict("In step 3 zoo is punished, though it is quite unlike sports car. Why?")

# %%
reveal(explain(by_mmr.working["step 3"]))

# %% [markdown]
# `zoo` stands near `habitat`, which has been chosen. Its relevance did not change; its worth did.
#
# In the fourth step the value is below 0. That is no error: MMR ranks, and the least bad document
# comes next.
#
# Move lambda, and watch where aspects change places.

# %%
ASPECTS = {"car": 0, "cat": 1, "team": 2}


def strip(axes, height, ranking, label):
    """One ranking as a line of boxes, coloured and hatched by aspect."""
    for place, document in enumerate(ranking):
        (aspect,) = NUGGETS[document]
        i = ASPECTS[aspect]
        axes.barh(
            height,
            0.94,
            left=place + 0.53,
            height=0.62,
            color=plotting.PALETTE[(4, 1, 5)[i]],
            hatch=plotting.HATCHES[i],
            edgecolor="white",
        )
        axes.text(
            place + 1,
            height,
            document,
            ha="center",
            va="center",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
        )
    axes.text(0.45, height, label, ha="right", va="center", fontsize=9)


def strips(rankings, title):
    """Several rankings, one below the other."""
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for line, (label, ranking) in enumerate(rankings.items()):
        strip(axes, -line, ranking, label)
    for aspect, i in ASPECTS.items():
        axes.bar(
            0,
            0,
            color=plotting.PALETTE[(4, 1, 5)[i]],
            hatch=plotting.HATCHES[i],
            edgecolor="white",
            label=aspect,
        )
    deepest = max(map(len, rankings.values()))
    axes.set(xlim=(-0.7, deepest + 0.6), ylim=(-len(rankings) + 0.4, 0.6), title=title)
    axes.set(xlabel="rank", xticks=range(1, deepest + 1), yticks=[])
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.2))
    return drawn


def both(lambda_):
    """MMR and xQuAD at one lambda."""
    return {
        "MMR": mmr(RELEVANCE, VECTORS, k=4, lambda_=lambda_),
        "xQuAD": xquad(RELEVANCE, COVERAGE, k=4, lambda_=lambda_),
    }


slider(
    lambda lambda_: strips({"MMR": both(lambda_)["MMR"]}, f"lambda = {lambda_}"),
    name="lambda",
    values=[0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
    start=0.5,
    alt=lambda lambda_: (
        f"The first four of MMR at lambda {lambda_}: {', '.join(both(lambda_)['MMR'])}."
    ),
)

# %% [markdown]
# ## xQuAD: relevant, and covering what is not yet covered
#
# MMR never hears of aspects; it sees that documents differ, not what the user may mean. xQuAD is
# told:
#
# $$\arg\max_{d\in R\setminus S}\Bigl[(1-\lambda)P(d\mid q)+\lambda\sum_i P(q_i\mid q)\,
# P(d\mid q_i)\prod_{d_j\in S}\bigl(1-P(d_j\mid q_i)\bigr)\Bigr]$$
#
# The product is the probability that nothing chosen so far serves the aspect $q_i$. Compare
# $(1-\alpha)^c$ of notebook 7: the same user, who has had enough of what is served.

# %%
predict(
    "Three aspects of equal weight, lambda = 0.7. What is the diversity of engine (car 0.8) in "
    "step 1, and in step 2, after sports car (car 0.9) was chosen?"
)

# %%
by_xquad = xquad(RELEVANCE, COVERAGE, k=3, lambda_=0.7)
reveal(explain(by_xquad.working))

# %% [markdown]
# In step 1 it is 1/3 · 0.8 = 0.2667, in step 2 1/3 · 0.8 · (1 - 0.9) = 0.0267. Nothing is left
# for it to cover, and the next best meaning moves up. The last table tells what the whole choice
# covers.

# %%
quiz(
    "You want more diversity. In which direction do you move lambda?",
    {
        "Up, for MMR and for xQuAD": (
            False,
            "In MMR lambda stands before the relevance. At 1 it is the order of relevance alone.",
        ),
        "Down for MMR, up for xQuAD": (
            True,
            "MMR: lambda weighs relevance. xQuAD: lambda weighs diversity. The papers differ.",
        ),
        "Down, for MMR and for xQuAD": (
            False,
            "In xQuAD lambda stands before the sum over aspects. At 0 it is relevance alone.",
        ),
    },
)

# %%
slider(
    lambda lambda_: strips(both(lambda_), f"lambda = {lambda_}"),
    name="lambda",
    values=[0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
    start=0.8,
    alt=lambda lambda_: (
        f"At lambda {lambda_}: "
        + "; ".join(f"{name} has {', '.join(r)}" for name, r in both(lambda_).items())
        + "."
    ),
)

# %% [markdown]
# What is the best lambda? That is for a measure to say. Here is alpha-nDCG@4, with the aspect that
# a document mostly serves as its nugget, over all lambda:

# %%
LAMBDAS = [i / 20 for i in range(21)]
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, name in enumerate(("MMR", "xQuAD")):
    axes.plot(
        LAMBDAS,
        [alpha_ndcg(list(both(lambda_)[name]), NUGGETS, k=4) for lambda_ in LAMBDAS],
        color=plotting.PALETTE[3 * i],
        marker="os"[i],
        markersize=5,
        linestyle=("-", "--")[i],
        label=name,
    )
axes.set(xlabel="lambda", ylabel="alpha-nDCG@4", ylim=(0.75, 1.02))
axes.legend(frameon=False, loc="center left", bbox_to_anchor=(0, 0.35))
figure(
    drawn,
    alt="alpha-nDCG@4 by lambda. MMR is at 1 up to 0.65 and falls in steps to 0.80; xQuAD "
    "rises in steps from 0.80 to 1, which it reaches at 0.65.",
)

# %% [markdown]
# Steps, not curves: between two steps lambda changes no choice. That is why tuning lambda to four
# digits is of no use.
#
# ## FM-LDA: cover every facet between you
#
# The facet model asks for a *set*. If facet $f_j$ is in document $d_i$ with probability
# $p(f_j\in d_i)$, the chosen documents cover all $m$ facets with the probability
#
# $$L=\prod_{j=1}^{m}\Bigl(1-\prod_{i\in S}\bigl(1-p(f_j\in d_i)\bigr)\Bigr)$$
#
# There is no relevance and no lambda. In the paper the facets are topics that LDA finds in the
# texts (`lda_facets` does that); here we give them.

# %%
predict(
    "Three facets, three documents to choose. One from each meaning looks right. The greedy "
    "choice starts with dealers, not with sports car. Why?"
)

# %%
by_facets = facet_model(COVERAGE, k=3)
reveal(explain(by_facets.working))

# %% [markdown]
# $L$ is a product: as long as one facet has no document at all, $L$ is 0 for every candidate, and
# says nothing. So the search first reaches as many facets as it can, and `dealers` reaches two,
# one of them barely. The price is paid at the end: nothing is taken back.

# %%
predict("L is 0.4592 for the greedy choice. Is there a better set of three, and how much better?")

# %%
best = facet_model(COVERAGE, k=3, search="exact")
reveal(
    table(
        {
            "search": ["greedy", "exact"],
            "chosen": [", ".join(map(str, r)) for r in (by_facets, best)],
            "L": [by_facets.value, best.value],
        }
    )
)

# %% [markdown]
# Exact search looks at all 20 sets here. For 10 of 100 documents there are about $1.7\cdot10^{13}$.
# It is the same story as the ideal of alpha-nDCG: choosing what goes well together is hard.
#
# ## DPP: the set that spans the largest volume
#
# Take each document as a vector, as long as its quality $q_i$, with similarities $S_{ij}$ as the
# cosines. The determinant of the kernel $L_{ij}=q_i S_{ij} q_j$ over a set is the squared volume
# that the vectors span. Long vectors (good documents) and wide angles (unlike documents) make it
# large. For two documents:
#
# $$\det\begin{pmatrix}q_1^2 & q_1q_2s\\ q_1q_2s & q_2^2\end{pmatrix}=q_1^2q_2^2\,(1-s^2)$$

# %%
predict(
    "Qualities 0.9 and 0.85 with cosine 0.995, or 0.9 and 0.65 with cosine 0.2: which pair has the "
    "larger determinant?"
)

# %%
pairs = {"sports car, engine": 0.0, "sports car, habitat": 0.0}
for pair in pairs:
    names = pair.split(", ")
    two = dpp({d: RELEVANCE[d] for d in names}, VECTORS, k=2)
    pairs[pair] = float(two.working["new volume"].prod())
reveal(table({"pair": list(pairs), "determinant": list(pairs.values())}))

# %% [markdown]
# The greedy algorithm of Chen, Zhang and Zhou updates the volume by a Cholesky factorisation
# instead of computing each determinant anew. The working shows it: a document's *own volume* is
# $q_i^2$, what is *explained by the chosen* is the part that lies in the space they span, and the
# rest is the factor by which the determinant grows.

# %%
by_dpp = dpp(RELEVANCE, VECTORS, k=3)
explain(by_dpp.working["step 2"])

# %%
predict("Ask for all six documents instead of three. How many do you get?")

# %%
reveal("\n".join([", ".join(dpp(RELEVANCE, VECTORS)), *dpp(RELEVANCE, VECTORS).notes]))

# %% [markdown]
# The vectors have three coordinates, so three of them span all the volume there is. A DPP over
# embeddings of $d$ dimensions can rank $d$ documents and then falls silent. In practice a little of
# the identity is added to the kernel.
#
# How far does quality count against volume? With `theta` near 1 it is relevance alone.

# %%
THETAS = [0.0, 0.5, 0.9, 0.95]


def by_theta(theta):
    """DPP at one theta."""
    return dpp(RELEVANCE, VECTORS, k=3, theta=theta)


figure(
    strips({f"theta {t}": by_theta(t) for t in THETAS}, "DPP: from volume to relevance"),
    alt="First three of DPP: "
    + "; ".join(f"theta {t}: {', '.join(by_theta(t))}" for t in THETAS)
    + ".",
)

# %% [markdown]
# ## The four side by side

# %%
CHOSEN = {
    "relevance": list(RELEVANCE)[:3],
    "MMR": mmr(RELEVANCE, VECTORS, k=3, lambda_=0.5),
    "xQuAD": by_xquad,
    "FM-LDA": by_facets,
    "DPP": by_dpp,
}
figure(
    strips(CHOSEN, "The first three of each"),
    alt="; ".join(f"{name}: {', '.join(map(str, r))}" for name, r in CHOSEN.items()) + ".",
)

# %%
predict("All four show three aspects in three documents. Do they have the same alpha-nDCG@3?")

# %%
reveal(
    table(
        {
            "method": list(CHOSEN),
            "alpha-nDCG@3": [alpha_ndcg(list(r), NUGGETS, k=3) for r in CHOSEN.values()],
            "mean relevance": [
                sum(RELEVANCE[d] for d in ranking) / len(ranking) for ranking in CHOSEN.values()
            ],
        },
        caption="The same, and 1. But it does not see that FM-LDA's choice is the least relevant: "
        "a measure of diversity alone is half the story. Notebook 9 takes that up.",
    )
)

# %%
quiz(
    "Two documents are near copies of each other, and both are very relevant. Which re-ranker may "
    "still put them at ranks 1 and 2?",
    {
        "MMR with lambda near 1": (
            True,
            "Near 1 the punishment weighs little. At lambda = 1 there is none.",
        ),
        "DPP without theta": (
            False,
            "Copies span next to no volume: the second one multiplies the determinant by almost 0.",
        ),
        "xQuAD with lambda = 0.7, where the first covers its aspect with probability 0.3": (
            True,
            "Covered with 0.3 is missed with 0.7: the copy gains most of what the first did.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# | | needs | chooses next |
# |---|---|---|
# | MMR | relevance, similarities | relevant, and unlike its nearest chosen neighbour |
# | xQuAD | relevance, aspects and their weights | relevant, and serving aspects still missed |
# | FM-LDA | facets of documents | what raises the probability that all facets are covered |
# | DPP | quality, vectors | what adds most volume |
#
# - MMR's lambda weighs relevance, xQuAD's weighs diversity. Read the formula, not the name.
# - All four choose greedily, and greed takes nothing back. Exact search is for small pools.
# - A choice that cannot be explained cannot be repaired: look at the step.
#
# **Read on.** Carbonell & Goldstein (1998), *The use of MMR, diversity-based reranking*, SIGIR.
# Santos, Macdonald & Ounis (2010), *Exploiting query reformulations for web search result
# diversification*, WWW. Carterette & Chandar (2009), *Probabilistic models of ranking novel
# documents for faceted topic retrieval*, CIKM. Chen, Zhang & Zhou (2018), *Fast greedy MAP
# inference for determinantal point process*, NeurIPS. The package also has PM-2 (`pm2`): Dang &
# Croft (2012), *Diversity by proportionality*, SIGIR.
