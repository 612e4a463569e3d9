# %% [markdown]
# # 7. Novelty: nuggets, alpha-nDCG, and an ideal that is hard to find
#
# **Goals.** After this notebook you can
#
# - derive the gain of alpha-nDCG from a model of a user who has seen enough of a thing;
# - compute a gain vector, its ideal and alpha-nDCG of a short ranking by hand;
# - say why the ideal ranking is hard to find, what the greedy one misses, and why a score can
#   exceed 1.
#
# **Time.** 60 minutes. **Needs.** Notebook 4 (gain, discount, ideal); products of probabilities.

# %%
import matplotlib.pyplot as plt

from irmetrics_edu import (
    alpha_dcg,
    alpha_ndcg,
    documents,
    explain,
    ndcg,
    relevance_probability,
    vertex_cover,
)
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.views import plotting

# %%
terms("novelty", "nugget", "gain", "ideal alpha-DCG", "alpha-nDCG", "greedy choice", "vertex cover")

# %% [markdown]
# ## The same right answer, ten times
#
# Ten pages answer a question. Page `a` holds two facts of the answer, `b` and `c` repeat one of
# them, `d` holds none. Each fact is a **nugget**. This is the example of document 001. It refers
# to a table that it does not quote, so the nuggets here are reconstructed: they give every vector
# that the document prints.

# %%
QA = documents.example("001-matrix").inputs
RANKING = QA["ranking"]
NUGGETS = {page: set(held) for page, held in QA["nuggets"].items()}
table({"page": RANKING, "nuggets": [", ".join(sorted(NUGGETS[page])) for page in RANKING]})

# %%
predict(
    "Take nDCG, with the number of nuggets as the grade. Page e has a copy, which now comes in at "
    "rank 2. Does the score rise or fall?"
)

# %%
held = NUGGETS | {"copy of e": NUGGETS["e"]}
counts = {page: len(of) for page, of in held.items()}
with_copy = ["a", "copy of e", *RANKING[1:]]
before, after = (ndcg(ranking, counts) for ranking in (RANKING, with_copy))
reveal(
    f"It rises, from {before:.4f} to {after:.4f}, though page e now says nothing new: it still "
    "counts in full. nDCG looks at each page as if it were the only one."
)

# %% [markdown]
# ## A user who wants nuggets
#
# Take the user's need $u$ and a document $d$ both as sets of nuggets. The document is relevant if
# it holds at least one nugget that the user wants. With independent nuggets:
#
# $$P(R=1 \mid u,d) = 1-\prod_{i=1}^{m}\bigl(1-P(n_i\in u)\,P(n_i\in d)\bigr)$$
#
# **A puzzle.** Document 001 writes the condition so:
#
# $$P(R=1\mid u,d)=P(\exists n_i\ \text{such that}\ n_i\in u\cup d)$$

# %%
predict("One sign is wrong. Read it for a document without any nugget: is it ever relevant?")

# %%
union = documents.example("001-eq-relevance")
reveal(
    table(
        {
            "document": union.result.of,
            "as printed": [float(p) for p in union.result.printed],
            "right": [float(p) for p in union.result.right],
        },
        caption="P(R=1) where the user wants each of two nuggets half the time. "
        + union.erratum.why,
    )
)

# %% [markdown]
# Two estimates fill the formula in:
#
# - $P(n_i\in u)=\gamma$: we don't know the user, so each nugget is wanted with one probability;
# - $P(n_i\in d)=\alpha$ if a judge found the nugget in $d$, else 0: **alpha is how far we trust the
#   judgment.**
#
# Now the second document. The user still wants a nugget only if none of the documents above really
# held it. If $c$ of them were judged to hold it, that has the probability $(1-\alpha)^c$:
#
# $$P(R_k=1 \mid u,d_1,\dots,d_k)=
# 1-\prod_{i=1}^{m}\bigl(1-\gamma\,\alpha\,\mathbb{1}[n_i\in d_k]\,(1-\alpha)^{c_i^{k-1}}\bigr)$$

# %%
predict(
    "gamma = alpha = 1/2. Page a holds the nuggets A and B. With what probability is it relevant? "
    "And page b below it, which holds A alone?"
)

# %%
reveal(explain(relevance_probability, RANKING[:3], NUGGETS, alpha=0.5, gamma=0.5))

# %% [markdown]
# For page `a`: each nugget helps with probability 1/4, so both fail with $(3/4)^2 = 0.5625$.
# The answer is not $1/4 + 1/4$: that sum is the **first-order term**, next to it in the table.
#
# ## From the probability to the gain
#
# Multiply the product out. The terms with one factor of $\gamma\alpha$ add up to
# $\gamma\alpha \sum_i \mathbb{1}[n_i\in d_k](1-\alpha)^{c_i^{k-1}}$; the others have
# $(\gamma\alpha)^2$ and more, and are dropped. The constant $\gamma\alpha$ is the same for every
# document and is dropped too. What is left is the gain:
#
# $$G[k]=\sum_{i=1}^{m}\mathbb{1}[n_i\in d_k]\,(1-\alpha)^{c_i^{k-1}}$$
#
# How much is lost? Move gamma.


# %%
def first_order(gamma):
    """The probability of relevance and its first-order term, page by page."""
    worked = relevance_probability.working(RANKING[:8], NUGGETS, alpha=0.5, gamma=gamma)
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    places = range(8)
    axes.bar(
        [p - 0.2 for p in places],
        worked["probability of relevance"],
        width=0.38,
        color=plotting.PALETTE[0],
        label="probability of relevance",
    )
    axes.bar(
        [p + 0.2 for p in places],
        worked["first-order term"],
        width=0.38,
        color=plotting.PALETTE[1],
        hatch="//",
        edgecolor="white",
        label="first-order term",
    )
    axes.set_xticks(list(places), RANKING[:8])
    axes.set(xlabel="page", title=f"gamma = {gamma}")
    axes.legend(frameon=False)
    return drawn


slider(
    first_order,
    name="gamma",
    values=[0.1, 0.3, 0.5, 0.8, 1.0],
    start=0.5,
    alt=lambda gamma: (
        f"Two bars for each of eight pages at gamma {gamma}. They agree for pages of one nugget; "
        "for a and e, which hold two, the first-order term stands a little higher."
    ),
)

# %% [markdown]
# They differ only where a page holds several nuggets, and the more the larger gamma is. The order
# of the pages is the same.
#
# ## The gain vector
#
# With $\alpha=\tfrac12$ document 001 prints $G=\langle 2,\tfrac12,\tfrac14,0,2,\tfrac12,1,\tfrac14,
# \dots\rangle$.

# %%
predict("Page h holds the nugget C, which e and f hold above it. What is its gain?")

# %%
reveal(table(alpha_dcg.working(RANKING, NUGGETS, alpha=0.5)))

# %% [markdown]
# Check the document's $CG$ and $DCG = \langle 2, 2.315, 2.440,\dots\rangle$ in this table. Each
# nugget has a count of its own: `h` at rank 8 is worth 1/4 because two pages above hold C, not
# because seven pages stand above.
#
# Alpha decides how fast a nugget fades.


# %%
def gains(alpha):
    """The gain of each page for one alpha, and what they add up to."""
    worked = alpha_dcg.working(RANKING, NUGGETS, alpha=alpha, discount="none")
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    axes.bar(
        RANKING,
        worked["gain"],
        color=plotting.PALETTE[0],
        hatch="//",
        edgecolor="white",
        label="gain",
    )
    axes.plot(RANKING, worked["cumulated gain"], color=plotting.PALETTE[3], marker="o", label="CG")
    axes.set(xlabel="page", ylim=(0, 13), title=f"alpha = {alpha}")
    axes.legend(frameon=False, loc="upper left")
    return drawn


slider(
    gains,
    name="alpha",
    values=[0, 0.25, 0.5, 0.75, 1],
    start=0.5,
    alt=lambda alpha: (
        f"Bars of the gains of pages a to j at alpha {alpha}, and their running total, which ends "
        f"at {alpha_dcg(RANKING, NUGGETS, alpha=alpha, discount='none'):.2f}."
    ),
)

# %%
predict("What is the gain of page b at alpha = 0, and at alpha = 1? What do the two ends mean?")

# %%
reveal(
    table(
        {
            "page": RANKING,
            "nuggets": [len(NUGGETS[page]) for page in RANKING],
            "gain, alpha = 0": alpha_dcg.working(RANKING, NUGGETS, alpha=0)["gain"],
            "gain, alpha = 1": alpha_dcg.working(RANKING, NUGGETS, alpha=1)["gain"],
        },
        digits=2,
        caption="At 0 repetition is as good as news: the number of nuggets is the grade, and "
        "alpha-nDCG is nDCG. At 1 only nuggets not met before count.",
    )
)

# %% [markdown]
# ## Against the ideal
#
# As in nDCG the score is divided by that of the best order of the judged documents. The document
# chooses it one by one: at each rank the page of highest gain.

# %%
quote("001", "我们会选择具有最高gain value的document")

# %%
predict("a first, with a gain of 2. Which page is second, which third? Mind what a has shown.")

# %%
ideal = alpha_ndcg.working(RANKING, NUGGETS, alpha=0.5)["ideal alpha-DCG"]
reveal(table(ideal))

# %% [markdown]
# The ideal is not the order of the number of nuggets alone: `g`, with its one new nugget, comes
# before `b`. The column *tied* says how many pages were as good at that rank.
#
# **A puzzle.** For this ideal the document prints the gains
# $G'=\langle 2,2,1,\tfrac12,\tfrac12,\tfrac14,\tfrac14,\dots\rangle$, and then, under the name
# *ideal gain vector*:
#
# $$CG'=\langle 2,4,5,5\tfrac12,6,6\tfrac12,6\tfrac12,\dots\rangle$$

# %%
predict("One of these seven numbers is wrong, and so is the name of the vector. Which, and how?")

# %%
misprint, label = documents.example("001-CGideal"), documents.example("001-label")
reveal(f"{misprint.erratum.why} {label.erratum.why}")

# %% [markdown]
# Now the quotient. The document prints $\langle 1, 0.710, 0.649,\dots\rangle$:

# %%
table(alpha_ndcg.working(RANKING, NUGGETS, alpha=0.5), digits=3)

# %%
figure(
    plotting.stacked(alpha_ndcg.working(RANKING, NUGGETS, k=5, alpha=0.5)),
    alt="Two stacked bars of discounted gains down to rank 5: the ranking reaches 3.21, most of "
    "it from ranks 1 and 5; the ideal reaches 4.17, most of it from ranks 1 and 2.",
)

# %%
quiz(
    "alpha = 1/2. A document at rank 4 holds the nuggets A and C. Of the three documents above, "
    "one holds A and C, one A alone, one nothing. What is its gain?",
    {
        "1/8 + 1/8": (
            False,
            "That is (1/2)^3 for each: the rank less one. Only documents that hold it count.",
        ),
        "1/4 + 1/2": (True, "A was held twice, C once: (1/2)^2 + (1/2)^1 = 3/4."),
        "0, as both were seen": (
            False,
            "So it would be at alpha = 1. Here a nugget seen before is worth less, not nothing.",
        ),
        "1/4": (
            False,
            "That is the gain of A. Each nugget fades by its own count, and the gains add up.",
        ),
    },
)

# %% [markdown]
# ## Why the ideal is hard
#
# In nDCG one sorts by grade. Here what a document is worth depends on those above it, and no
# sorting helps. Document 001 shows how hard it is with a **vertex cover**: the fewest vertices of a
# graph that touch every edge. Make each vertex a document and each edge a nugget, held by the two
# documents at its ends, and set alpha = 1. Then the first $k$ documents gain all nuggets exactly if
# they are a cover. Whoever finds ideal rankings fast finds minimum vertex covers fast, and for
# these no fast method is known: the problem is NP-hard.

# %%
SPIDER = [("c", 1), ("c", 2), ("c", 3), (1, "x"), (2, "y"), (3, "z")]
PLACES = {"c": (0, 0), 1: (-2, 0), 2: (0, 1), 3: (2, 0), "x": (-4, 0), "y": (0, 2), "z": (4, 0)}

drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for edge in SPIDER:
    axes.plot(*zip(*(PLACES[end] for end in edge), strict=True), color="#777777", zorder=1)
for vertex, place in PLACES.items():
    axes.scatter(*place, s=420, color="white", edgecolor=plotting.PALETTE[0], linewidth=2, zorder=2)
    axes.annotate(str(vertex), place, ha="center", va="center")
axes.set(xlim=(-5, 5), ylim=(-0.6, 2.6))
axes.set_axis_off()
figure(
    drawn,
    alt="A spider graph: a centre c joined to 1, 2 and 3, and each of these joined to an outer "
    "vertex, x, y and z.",
)

# %%
predict("What is the smallest set of vertices that touches all six edges? What would greed take?")

# %%
reveal(
    table(
        {
            "ideal": ["exact", "greedy"],
            "cover": [
                ", ".join(map(str, vertex_cover(SPIDER, ideal=how))) for how in ("exact", "greedy")
            ],
        },
        caption="Greed takes the centre, which has most edges, and then needs 1, 2 and 3 all the "
        "same.",
    )
)

# %% [markdown]
# ## The greedy ideal's failure
#
# So the ideal is found greedily. When is that the true ideal? The translation says: *if we meet
# ties on the way, the method computes the ideal*. Its next sentence says: *if ties occur, it may
# not be optimal.*

# %%
ties = documents.example("001-ties")
predict("The two sentences contradict each other. What is missing? And is the rest then true?")

# %%
reveal(ties.erratum.why)

# %% [markdown]
# Document 000 calls the quotient normalised. Three documents and alpha = 1:

# %%
beaten = documents.example("000-nDCG-le-1")
COVER = beaten.inputs["cover"]
table({"document": list(COVER), "topics": [", ".join(map(str, held)) for held in COVER.values()]})

# %%
predict("Greedy takes X first. What is alpha-nDCG@2 of the ranking Y, Z, X? Can it exceed 1?")

# %%
reveal(explain(alpha_ndcg, ["Y", "Z", "X"], COVER, alpha=1, k=2))

# %%
ORDERS = {"greedy: X, Y, Z": ["X", "Y", "Z"], "Y, Z, X": ["Y", "Z", "X"]}
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, (name, order) in enumerate(ORDERS.items()):
    axes.plot(
        [1, 2, 3],
        alpha_dcg.working(order, COVER, alpha=1, discount="none")["cumulated gain"],
        color=plotting.PALETTE[3 * i],
        marker="os"[i],
        linestyle=("-", "--")[i],
        label=name,
    )
axes.set(xlabel="rank", ylabel="topics shown", xticks=[1, 2, 3], ylim=(4, 10))
axes.legend(frameon=False, loc="lower right")
figure(
    drawn,
    alt="Topics shown by rank. Greedy has 6, 8, 9; Y, Z, X has 5, 9, 9. The lines cross between "
    "ranks 1 and 2.",
)

# %% [markdown]
# There was no tie, and still greed lost. And there is no one order that is best at every rank: X is
# best at 1, Y and Z at 2. Document 001 asks the ideal to be best at all levels at once; such an
# order need not exist. With `ideal="exact"` the package looks for the best ranking to depth $k$ in
# small pools, and the score stays at most 1:

# %%
table(
    {
        "ideal": ["greedy", "exact"],
        "alpha-nDCG@2 of Y, Z, X": [
            alpha_ndcg(["Y", "Z", "X"], COVER, alpha=1, k=2, ideal=how)
            for how in ("greedy", "exact")
        ],
        "alpha-nDCG@2 of X, Y, Z": [
            alpha_ndcg(["X", "Y", "Z"], COVER, alpha=1, k=2, ideal=how)
            for how in ("greedy", "exact")
        ],
    }
)

# %% [markdown]
# **A last puzzle.** Where every document has one topic, says document 000, the ideal is easy:
#
# $$\text{i-G}[k]=(1-\alpha)^{\max(0,\;k-|\cup_j d_j|)}$$
#
# With two documents of each of two topics and alpha = 1/2 this gives the gains 1, 1, 1/2, 1/4.

# %%
quote("000", "显然此时, ideal 的情况也是容易求的")

# %%
predict("Topics t1, t1, t2, t2. Order them as well as you can and write down the four gains.")

# %%
single = documents.example("000-special-single-topic-ideal")
reveal(f"{single.erratum.right}. {single.erratum.why}")

# %%
quiz(
    "Your colleague's system has alpha-nDCG@2 = 1.04. What may have happened?",
    {
        "There is a bug, as a normalised score can't exceed 1": (
            False,
            "It can where the ideal is greedy. Look with ideal='exact' before you look for a bug.",
        ),
        "The greedy ideal is not the best ranking": (
            True,
            "Greedy took a document of high gain that shut out a better pair.",
        ),
        "The greedy ideal met ties; without ties it could not happen": (
            False,
            "X, Y, Z met no tie. Ties are one way to a bad ideal, not the only one.",
        ),
        "The ranking holds documents that were not judged": (
            False,
            "These hold no nugget that anybody knows of, so they gain nothing.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - A user wants nuggets; a nugget that $c$ documents above hold is still wanted with the
#   probability $(1-\alpha)^c$. The first-order term of the probability is the gain.
# - alpha = 0 is nDCG with the number of nuggets as grade; alpha = 1 counts new nuggets alone.
# - The ideal is NP-hard. The greedy one is used instead; it can be beaten, with and without ties,
#   so alpha-nDCG can exceed 1. Say which ideal you used.
# - Check printed vectors against each other: the differences of a cumulated vector are the gains.
#
# **Read on.** Clarke et al. (2008), *Novelty and diversity in information retrieval evaluation*,
# SIGIR. Clarke et al. (2011), *A comparative analysis of cascade measures for novelty and
# diversity*, WSDM. Carterette (2011), *An analysis of NP-completeness in novelty and diversity
# ranking*, Information Retrieval 14.
