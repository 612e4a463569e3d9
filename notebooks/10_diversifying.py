# %% [markdown]
# # 10. Diversifying: MMR, xQuAD, FM-LDA, DPP, each choice explained
#
# **Goals.** After this notebook you can
#
# - say for each of four re-rankers what it maximises and what data it needs;
# - compute by hand why a re-ranker chose a document, and which document came second;
# - read in a formula which end of lambda is diverse, and say what a greedy choice costs.
#
# **Time.** 60 minutes. **Needs.** Notebook 9 (nuggets, alpha-nDCG); cosine of two vectors;
# determinants of 2 x 2 tables.

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    alpha_ndcg,
    explain,
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
from irmetrics_edu.lab import (
    dpp,
    facet_likelihood,
    facet_model,
    mmr,
    xquad,
)
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter quotes documents. *Document 000* is a reader's notes on alpha-nDCG, in Chinese.
# *Document 002* is a set of slides on diversity and accuracy, in Japanese. These are the words of
# this chapter:

# %%
terms("diversity", "aspect", "similarity", "MMR", "xQuAD", "FM-LDA", "DPP")

# %% [markdown]
# ## An ambiguous query
#
# You search for *jaguar*. The word has three meanings: a car, a cat and a football team. Each
# meaning is an **aspect** of the query. The engine sorts by relevance, and three pages on cars come
# first. The cat and the team come late. If you meant the cat, you have to scroll.
#
# *Document 004*, the slides of two lectures in Chinese, has the same problem with *Animal World*
# (动物世界). This is the name of a series on animals and of a film. The other example of the
# lecture is a search for Tetris. One search can stand for several needs. The slide shows pages on
# which you can play the game, and an article about it.
#
# The lecture then says what a diverse result is. The engine returns a set of documents $R(q)$ for
# the query $q$. Each document of $R(q)$ must be relevant to $q$. All of them together must repeat
# little, so that they cover the aspects of $q$. The main idea is to lower a **risk**: that a user
# doesn't find anything useful. So at least one document near the top should serve each user.
#
# Notebook 9 measured this problem. In this notebook you repair it with a **re-ranker**. A re-ranker
# takes a pool of candidates and chooses them one after another. Each choice depends on the
# documents that it chose before.
#
# Here is our pool. Each document has a relevance. It also has, for each aspect, the probability
# that it serves this aspect. The vectors show which documents are alike.

# %%
RELEVANCE = {
    "sports car": 0.9,
    "engine": 0.85,
    "dealers": 0.8,
    "habitat": 0.65,
    "zoo": 0.5,
    "football": 0.45,
}
# The probability that a document serves an aspect of the query.
COVERAGE = {
    "sports car": {"car": 0.9},
    "engine": {"car": 0.8},
    "dealers": {"car": 0.7, "team": 0.1},
    "habitat": {"cat": 0.8},
    "zoo": {"cat": 0.7},
    "football": {"team": 0.8},
}
VECTORS = {
    "sports car": [10, 1, 0],
    "engine": [10, 2, 0],
    "dealers": [9, 0, 2],
    "habitat": [1, 10, 0],
    "zoo": [0, 10, 2],
    "football": [2, 0, 10],
}
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
# Document 000 names the aim:

# %%
quote(
    "000",
    "同时又能够尽可能 cover 多的 topics",
    "And at the same time cover as many topics as possible.",
)

# %% [markdown]
# The lecture divides the methods into two kinds. An **implicit** method only compares documents. It
# doesn't ask what they are about. MMR is implicit. An **explicit** method knows the aspects and
# serves each of them. FM-LDA is explicit, and so is xQuAD.
#
# All four re-rankers of this chapter are **greedy**. A greedy method chooses the document that has
# the highest value now, and never takes a choice back. The methods differ only in this value:


# %%
def greedy(value, k):
    """Choose k documents one after another, each time the document with the highest value."""
    chosen = []
    while len(chosen) < k:
        left = [d for d in RELEVANCE if d not in chosen]
        chosen.append(max(left, key=lambda d: value(d, chosen)))
    return chosen


# %% [markdown]
# ## MMR: relevant, and unlike what is chosen
#
# The slides of document 002 name the first method:

# %%
quote("002", "Maximal Marginal Relevance (MMR)")

# %% [markdown]
# Suppose that MMR has chosen *sports car*. The next candidate is *engine*. Its relevance is 0.85,
# but its vector is nearly the vector of *sports car*: their cosine is 0.9952. MMR subtracts this
# similarity from the relevance. With equal weights of 1/2 the value of *engine* is
# 0.5 · 0.85 - 0.5 · 0.9952 = -0.0726.
#
# $$\arg\max_{d\in C}\Bigl[\lambda\,\mathrm{rel}(d)
# -(1-\lambda)\max_{s\in S}\mathrm{sim}(d,s)\Bigr]$$
#
# In words: $S$ is the set of the documents that were chosen, and $C$ is the set of the other
# candidates. For each candidate $d$, multiply its relevance by $\lambda$. Find its highest
# similarity to a chosen document $s$, and multiply it by $1-\lambda$. Subtract the second product
# from the first. **MMR** takes the candidate with the highest difference.
#
# Note the inner *max*. One near neighbour in $S$ is enough for a penalty, even if the candidate is
# unlike all other chosen documents.


# %%
def cosine(a, b):
    return np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b))


def mmr_value(document, chosen, lambda_=0.5):
    alike = [cosine(VECTORS[document], VECTORS[s]) for s in chosen]
    return lambda_ * RELEVANCE[document] - (1 - lambda_) * max(alike, default=0)


by_hand = mmr_value("engine", ["sports car"])
two = mmr({d: RELEVANCE[d] for d in ("sports car", "engine")}, VECTORS, lambda_=0.5)
assert np.isclose(by_hand, two.working["MMR"][1])
round(float(by_hand), 4)

# %% [markdown]
# The value is below 0. That is no error. MMR only compares the values, so the sign doesn't matter.
#
# Now take all six documents, with $\lambda = 1/2$. *Sports car* comes first. The cosine of *sports
# car* and *habitat* is 0.198. The cosine of *sports car* and *zoo* is 0.098.

# %%
predict(
    "Which document comes second: engine (0.85), habitat (0.65) or zoo (0.5)? Type its MMR value.",
    float(mmr_value("habitat", ["sports car"])),
    mistaken={
        0.325: "That is habitat without the penalty for its similarity to sports car.",
        0.65 - 0.198: "You subtracted the similarity, but you gave no weights to the two parts.",
        0.325 - 0.198: "You forgot to multiply the similarity by 1 - lambda.",
        float(mmr_value("zoo", ["sports car"])): "That is zoo. Another document has a higher one.",
        float(by_hand): "That is engine, which is nearly a copy of sports car.",
    },
)

# %%
by_mmr = mmr(RELEVANCE, VECTORS, k=4, lambda_=0.5)
assert list(by_mmr) == greedy(mmr_value, 4)
reveal(table(by_mmr.working))

# %% [markdown]
# You can look at every choice. The function `explain` shows all candidates of a step, and for each
# candidate the nearest chosen document and the value. This is the second step:

# %%
reveal(explain(by_mmr.working["step 2"]), summary="Show step 2")

# %%
predict("In step 3 zoo has the lowest value of all, though zoo is quite unlike sports car. Why?")

# %%
reveal(
    "MMR has just chosen habitat, and zoo is very like habitat: their cosine is 0.976. The "
    "relevance of zoo did not change, but its value fell."
)

# %%
reveal(explain(by_mmr.working["step 3"]), summary="Show step 3")

# %% [markdown]
# The next two cells draw rankings. You don't need to read them. Each document has the colour of the
# aspect that it serves most. This aspect is also the document's only **nugget** when we compute
# alpha-nDCG below.

# %%
NUGGETS = {d: {max(held, key=held.get)} for d, held in COVERAGE.items()}
ASPECTS = {"car": 0, "cat": 1, "team": 2}


def style(aspect):
    """The colour and the hatch of an aspect."""
    i = ASPECTS[aspect]
    return {"color": plotting.PALETTE[(4, 1, 5)[i]], "hatch": plotting.HATCHES[i]}


def strip(axes, height, ranking):
    """One ranking as a line of boxes, coloured and hatched by aspect."""
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5}
    for place, document in enumerate(ranking, 1):
        (aspect,) = NUGGETS[document]
        axes.barh(height, 0.94, left=place - 0.47, height=0.7, edgecolor="white", **style(aspect))
        axes.text(place, height, document, ha="center", va="center", fontsize=9, bbox=box)


# %%
def strips(rankings, title):
    """Several rankings, one below the other; the figure is as high as they need."""
    size = (6.4, 1.4 + 0.4 * len(rankings))
    drawn, axes = plt.subplots(figsize=size, layout="constrained")
    for line, ranking in enumerate(rankings.values()):
        strip(axes, -line, ranking)
    for aspect in ASPECTS:
        axes.bar(0, 0, edgecolor="white", label=aspect, **style(aspect))
    deepest = max(map(len, rankings.values()))
    axes.set(xlim=(0.5, deepest + 0.5), ylim=(0.5 - len(rankings), 0.5), title=title)
    axes.set(xlabel="rank", xticks=range(1, deepest + 1))
    axes.set_yticks([-line for line in range(len(rankings))], list(rankings))
    axes.tick_params(left=False)
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    drawn.legend(frameon=False, ncols=3, loc="outside lower center")
    return drawn


def both(lambda_):
    """MMR and xQuAD at one lambda."""
    return {
        "MMR": mmr(RELEVANCE, VECTORS, k=4, lambda_=lambda_),
        "xQuAD": xquad(RELEVANCE, COVERAGE, k=4, lambda_=lambda_),
    }


# %% [markdown]
# Move lambda from 1 down to 0. Watch at which values the colours change places:

# %%
slider(
    lambda lambda_: strips({"MMR": both(lambda_)["MMR"]}, f"lambda = {lambda_}"),
    name="lambda",
    values=[0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
    start=1.0,
    alt=lambda lambda_: (
        f"The first four of MMR at lambda {lambda_}: {', '.join(both(lambda_)['MMR'])}."
    ),
)

# %% [markdown]
# ## xQuAD: relevant, and covering what is not yet covered
#
# MMR doesn't know the aspects. It sees that documents differ, but not what the user may mean. The
# method **xQuAD** gets the aspects as data.
#
# Take the three aspects with a weight of 1/3 each. In step 1 nothing is chosen. *Habitat* serves
# the aspect *cat* with probability 0.8, so its diversity is 1/3 · 0.8 = 0.267. Suppose that *zoo*
# was chosen first. *Zoo* serves *cat* with probability 0.7, so it misses *cat* with probability
# 0.3. Only this part is left for *habitat*. Its diversity is then 1/3 · 0.8 · 0.3 = 0.08.
#
# $$\arg\max_{d\in C}\Bigl[(1-\lambda)P(d\mid q)+\lambda\sum_{a} P(a\mid q)\,
# P(d\mid a)\prod_{s\in S}\bigl(1-P(s\mid a)\bigr)\Bigr]$$
#
# In words: $P(d\mid q)$ is the relevance of $d$, and $P(a\mid q)$ is the weight of the aspect $a$.
# The product over $S$ is the probability that no chosen document serves $a$. For each aspect,
# multiply its weight, the probability that $d$ serves it, and this product. The sum over the
# aspects is the **diversity** of $d$. xQuAD multiplies the relevance by $1-\lambda$ and the
# diversity by $\lambda$, and adds the two products.
#
# Compare the factor $(1-\alpha)^c$ of notebook 9. Both formulas describe the same user. This user
# gains little from an aspect that earlier documents already serve.


# %%
def diversity(document, chosen):
    total = 0
    for aspect, p in COVERAGE[document].items():
        missed = np.prod([1 - COVERAGE[s].get(aspect, 0) for s in chosen])
        total += p * missed / 3
    return total


def xquad_value(document, chosen, lambda_=0.7):
    return (1 - lambda_) * RELEVANCE[document] + lambda_ * diversity(document, chosen)


by_xquad = xquad(RELEVANCE, COVERAGE, k=3, lambda_=0.7)
assert np.isclose(xquad_value("sports car", []), by_xquad.working["xQuAD"][0])
assert list(by_xquad) == greedy(xquad_value, 3)
[round(float(diversity("habitat", chosen)), 3) for chosen in ([], ["zoo"])]

# %%
predict(
    "Now lambda is 0.7, and sports car (car 0.9) is chosen first. What is the diversity of engine "
    "(car 0.8) in step 1, and in step 2? Type its diversity in step 2.",
    float(diversity("engine", ["sports car"])),
    mistaken={
        0.8 / 3: "That is the diversity in step 1. Now sports car is chosen.",
        0.8 * 0.9 / 3: "You multiplied by 0.9. Sports car misses the aspect with 0.1.",
        0.8 * 0.1: "You left out the weight of the aspect, 1/3.",
    },
)

# %%
reveal(
    "In step 1 it is 1/3 · 0.8 = 0.2667. In step 2 it is 1/3 · 0.8 · (1 - 0.9) = 0.0267. Almost "
    "nothing is left for engine to cover, so a document on another meaning moves up."
)

# %%
reveal(explain(by_xquad.working), summary="Show all steps")

# %% [markdown]
# The last table shows how much of each aspect the chosen documents cover.

# %%
quiz(
    "You want more diversity from MMR and xQuAD, as published. In which direction does lambda go?",
    {
        "Up, for MMR and for xQuAD": (
            False,
            "In MMR lambda multiplies the relevance. At 1 MMR sorts by relevance alone.",
        ),
        "Down for MMR, up for xQuAD": (
            True,
            "In MMR lambda multiplies the relevance. In xQuAD it multiplies the diversity.",
        ),
        "Down, for MMR and for xQuAD": (
            False,
            "In xQuAD lambda multiplies the diversity. At 0 xQuAD sorts by relevance alone.",
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
# Which lambda is best? You need a measure to answer that. The next figure shows alpha-nDCG@4 for
# 201 values of lambda.

# %%
predict("What do the two curves look like: smooth lines, or something else?")

# %%
LAMBDAS = [i / 200 for i in range(201)]
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, name in enumerate(("MMR", "xQuAD")):
    axes.plot(
        LAMBDAS,
        [alpha_ndcg(list(both(lambda_)[name]), NUGGETS, k=4) for lambda_ in LAMBDAS],
        color=plotting.PALETTE[3 * i],
        linestyle=("-", "--")[i],
        drawstyle="steps-post",
        label=name,
    )
axes.set(xlabel="lambda", ylabel="alpha-nDCG@4", ylim=(0.75, 1.02))
axes.legend(frameon=False, loc="center left", bbox_to_anchor=(0, 0.6))
reveal(
    figure(
        drawn,
        alt="alpha-nDCG@4 by lambda, two curves in steps. MMR is 1 up to about two thirds and "
        "falls to 0.80; xQuAD rises from 0.80 to 1, which it reaches a little before two thirds.",
    )
)

# %%
reveal(
    "Both curves have steps. Between two steps a change of lambda changes no choice. So you gain "
    "nothing if you tune lambda to four digits.",
    summary="What the figure shows",
)

# %% [markdown]
# ## FM-LDA: cover all facets together
#
# The facet model asks for a *set* of documents. A **facet** is what xQuAD calls an aspect. Take the
# set of *sports car*, *zoo* and *football*. They serve *car* with 0.9, *cat* with 0.7 and *team*
# with 0.8. So the set covers all three facets with the probability 0.9 · 0.7 · 0.8 = 0.504.
#
# Several documents can serve the same facet. Let $p(f\in d)$ be the probability that the facet $f$
# is in the document $d$. Then the chosen documents cover all facets with the probability
#
# $$L=\prod_{f}\Bigl(1-\prod_{d\in S}\bigl(1-p(f\in d)\bigr)\Bigr)$$
#
# In words: the inner product is the probability that all chosen documents miss the facet $f$. One
# minus this product is the probability that at least one of them has it. **FM-LDA** multiplies
# these probabilities for all facets. It treats the facets as independent.
#
# The formula has no relevance and no lambda. The name says where the facets come from: they are
# topics that LDA (latent Dirichlet allocation) finds in the texts: groups of words that often occur
# together. The package can do that too (`lda_facets`). In this chapter we give the facets.


# %%
def all_covered(documents):
    missed = [
        np.prod([1 - COVERAGE[d].get(facet, 0) for d in documents])
        for facet in ("car", "cat", "team")
    ]
    return np.prod(1 - np.array(missed))


three = ["sports car", "zoo", "football"]
of_three = facet_likelihood(three, COVERAGE)
assert np.isclose(all_covered(three), of_three.value)
round(float(all_covered(three)), 4)

# %%
predict(
    "There are three facets and three documents to choose. One document for each meaning looks "
    "right. But the greedy choice of the package starts with dealers, not with sports car. Why?"
)

# %%
by_facets = facet_model(COVERAGE, k=3)
assert np.isclose(all_covered(by_facets), by_facets.value)
reveal(
    "L is a product. As long as no chosen document has the facet cat, say, one factor is 0, and so "
    "is L. So after one document L is 0 for every candidate, and L can't tell you which is best. "
    "The search of the package therefore first reaches as many facets as it can. Dealers reaches "
    "two facets, though it reaches team with 0.1 only."
)

# %%
reveal(explain(by_facets.working), summary="Show all steps")

# %%
best = facet_model(COVERAGE, k=3, search="exact")
predict(
    "The three documents of the greedy choice have L = 0.4592. Is there a better set of three? "
    "Type the highest L that three documents can have.",
    best.value,
    mistaken={
        by_facets.value: "That is the greedy choice. Replace dealers by another document.",
        of_three.value: "That is the set with zoo. One document on the cat is better than zoo.",
    },
)

# %%
reveal(
    f"Exact search finds {', '.join(map(str, best))} with {best.value:.3f}. A greedy choice takes "
    "nothing back. Dealers helped in step 1, and it costs now."
)

# %% [markdown]
# There are $\binom{100}{10}$, about $1.7\cdot10^{13}$, ways to choose 10 of 100 documents, and
# exact search compares them all. So a greedy choice is all that you can afford, as in notebook 9.
#
# ## DPP: the set that spans the largest volume
#
# Draw each document as an arrow. The length of the arrow is its quality. Here we take the relevance
# $r$ as the quality. The cosine of the angle between two arrows is their similarity $s$. Two arrows
# span a parallelogram. Its area is large if the arrows are long and the angle is wide: if both
# documents are good and unlike. With more arrows the area becomes a volume.
#
# The square of this area is a determinant. For two documents:
#
# $$\det\begin{pmatrix}r_1^2 & r_1r_2s\\ r_1r_2s & r_2^2\end{pmatrix}=r_1^2r_2^2\,(1-s^2)$$
#
# In words: multiply the squares of the two qualities, and multiply by one minus the square of their
# similarity. For more documents, the table has $r_i\,s_{ij}\,r_j$ in row $i$ and column $j$. It is
# called the **kernel**. Its determinant is the square of the volume. Greedy **DPP** (determinantal
# point process) takes the document that makes this determinant largest.


# %%
def squared_volume(documents):
    r = np.array([RELEVANCE[d] for d in documents])
    s = np.array([[cosine(VECTORS[a], VECTORS[b]) for b in documents] for a in documents])
    return np.linalg.det(r[:, None] * s * r)


cat_and_team = ["habitat", "football"]
by_package = dpp({d: RELEVANCE[d] for d in cat_and_team}, VECTORS).value  # of the determinant: ln
assert np.isclose(squared_volume(cat_and_team), np.exp(by_package))
round(float(squared_volume(cat_and_team)), 4)

# %%
predict(
    "Two documents have the qualities 0.9 and 0.85 and the cosine 0.995. Two others have the "
    "qualities 0.9 and 0.65 and the cosine 0.2. Which pair has the larger determinant? Type its "
    "determinant.",
    0.9**2 * 0.65**2 * (1 - 0.2**2),
    mistaken={
        0.9**2 * 0.65**2: "You left out the factor for the similarity.",
        0.9**2 * 0.65**2 * (1 - 0.2): "You subtracted the cosine. Subtract its square.",
        0.9 * 0.65 * (1 - 0.2**2): "Square both qualities.",
        0.9**2 * 0.85**2 * (1 - 0.995**2): "That is the first pair. The second one has more.",
    },
)

# %%
pairs = [["sports car", "engine"], ["sports car", "habitat"]]
reveal(
    table(
        {
            "pair": [", ".join(pair) for pair in pairs],
            "determinant": [float(squared_volume(pair)) for pair in pairs],
        },
        caption="The second pair. The table uses the exact cosines, 0.9952 and 0.1980.",
    )
)

# %% [markdown]
# Chen, Zhang and Zhou (2018) found a fast way to do this. They don't compute each determinant anew.
# They update the volume by a *Cholesky factorisation*, which splits the kernel into a triangular
# table and its mirror image. You need some linear algebra to follow the table below, and you can
# skip it. It shows this update:
#
# - *own volume* is the square $r_i^2$ of the document's quality;
# - *explained by the chosen* is the part of it that lies in the space of the chosen vectors;
# - *new volume* is the rest. The determinant grows by this factor.

# %%
by_dpp = dpp(RELEVANCE, VECTORS, k=3)
assert list(by_dpp) == greedy(lambda d, chosen: squared_volume([*chosen, d]), 3)
assert np.isclose(squared_volume(by_dpp), by_dpp.working["new volume"].prod())
explain(by_dpp.working["step 2"])

# %%
predict(
    "Ask DPP for all six documents instead of three. How many do you get?",
    len(dpp(RELEVANCE, VECTORS)),
    mistaken={6: "Look at the vectors. How many coordinates do they have?"},
)

# %%
reveal(
    "Three. The vectors have three coordinates, so three of them span the whole space. A fourth "
    "document would make the determinant 0. A DPP over vectors of 100 coordinates can rank at "
    "most 100 documents. In practice people add a small multiple of the identity to the kernel."
)

# %% [markdown]
# The weight `theta` says how much relevance counts: not at all with 0, and almost alone near 1.
#
# ## The four methods compared

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
        caption="Yes: all four have 1. But of the four, FM-LDA chose the least relevant documents. "
        "A measure of diversity alone doesn't see that. Notebook 11 shows measures that do.",
    )
)

# %% [markdown]
# Now add a near copy of *sports car* to the pool. Its relevance is 0.89, it serves *car* with 0.9,
# and its cosine with *sports car* is 0.995.

# %%
quiz(
    "The two best documents are near copies that serve one aspect with 0.9. Other documents serve "
    "the other aspects well. Which re-ranker puts the copies at ranks 1 and 2?",
    {
        "MMR with lambda = 0.95": (
            True,
            "The penalty has a weight of 0.05 only. At lambda = 1 there is no penalty at all.",
        ),
        "DPP without theta": (
            False,
            "The two span nearly no area: the copy would multiply the determinant by almost 0.",
        ),
        "xQuAD with lambda = 0.7": (
            False,
            "The first covers the aspect with 0.9, so 0.1 of the copy's diversity is left.",
        ),
    },
)

# %% [markdown]
# ## On a real collection
#
# The topic *average or mean of data* of the real collection (notebook 1) has three aspects: the
# arithmetic mean, other means, and the median or mode. Take the first 20 documents of FTS5. MMR
# gets the texts of the docstrings and their *tf-idf similarity*: two texts are alike if they share
# words that few texts have. The relevance is the score of the engine as a share of the highest
# score.

# %%
stdlib = load_collection("stdlib")
found = dict(list(stdlib.runs["fts5"]["q074"].items())[:20])
POOL = {document: score / max(found.values()) for document, score in found.items()}
TEXTS = {document: stdlib.documents[document] for document in POOL}
REAL_ASPECTS = {document: set(held) for document, held in stdlib.aspects["q074"].items()}
predict(
    "MMR with lambda = 1 is the order of the engine. Lower lambda to 0.5 and to 0.3. Does "
    "alpha-nDCG@5 rise, fall, or first rise and then fall?"
)

# %%
lambdas = [1.0, 0.7, 0.5, 0.3]
lists = {
    f"MMR, lambda = {x}": mmr(POOL, TEXTS, k=5, lambda_=x, similarity="tf-idf") for x in lambdas
}
lists["xQuAD, lambda = 0.5"] = xquad(POOL, {d: REAL_ASPECTS.get(d, set()) for d in POOL}, k=5)
reveal(
    table(
        {
            "method": list(lists),
            "aspects by rank": [
                " ".join("".join(sorted(REAL_ASPECTS.get(d, "-"))) for d in each)
                for each in lists.values()
            ],
            "alpha-nDCG@5": [alpha_ndcg(list(each), REAL_ASPECTS, k=5) for each in lists.values()],
        },
        digits=3,
        caption="First it rises: MMR drops a second text on the variance. Then it falls: at 0.3 "
        "the unlike documents are those that have nothing to do with the topic.",
    )
)

# %% [markdown]
# ## Recap
#
# | method | needs | chooses next |
# |---|---|---|
# | MMR | relevance, similarities | relevant, and unlike its nearest chosen neighbour |
# | xQuAD | relevance, aspects and their weights | relevant, and serving aspects still missed |
# | FM-LDA | facets of documents | what raises the probability that all facets are covered |
# | DPP | quality, vectors | what adds most volume |
#
# - Lambda weighs the relevance in MMR, and the diversity in xQuAD. Read the formula before you set
#   it.
# - All four methods are greedy: they take no choice back. Exact search works for small pools only.
# - If you don't understand a ranking, look at the step in which a document was chosen.
#
# **Read on.**

# %%
reading("Carbonell 1998", "Santos 2010", "Carterette 2009", "Chen 2018", "Dang 2012")
