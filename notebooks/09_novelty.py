# %% [markdown]
# # 9. Novelty: nuggets, alpha-nDCG, and an ideal that is hard to find
#
# **Goals.** After this notebook you can
#
# - derive the gain of alpha-nDCG from a model of a user who has already seen some of the answer;
# - compute a gain vector, its ideal and alpha-nDCG of a short ranking by hand, and write each in a
#   few lines of Python;
# - explain why the ideal ranking is hard to find, what the greedy ideal misses, and why a score can
#   exceed 1.
#
# **Time.** 60 minutes. **Needs.** Notebook 4 (gain, discount, ideal); products of probabilities.

# %%
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    alpha_dcg,
    alpha_ndcg,
    evaluate,
    explain,
    ndcg,
    relevance_probability,
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
    vertex_cover,
)
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter uses two texts in Chinese. *Document 001* is a partial translation of the paper that
# introduced alpha-nDCG. *Document 000* is a reader's notes on the same measure. These are the words
# of this chapter:

# %%
terms("novelty", "nugget", "gain", "ideal alpha-DCG", "alpha-nDCG", "greedy choice", "vertex cover")

# %% [markdown]
# ## Redundancy: pages that repeat a nugget
#
# A user asks a question, and ten pages come back. Page `a` holds two facts of the answer. Pages `b`
# and `c` repeat one of these facts. Page `d` holds no fact at all. Each fact is called a
# **nugget**.
#
# Document 001 takes the word widely: a nugget is *any yes-or-no property* of a document. It can be
# an answer, a topic, a page of one web site, a fact about power supplies, or a form to track a
# parcel. All you need is a judge who can say whether the document has it.
#
# This is the example of document 001. The document refers to a table that it does not show, so the
# nuggets here are reconstructed. They give every vector that the document prints.

# %%
QA = documents.example("001-matrix").inputs
RANKING = QA["ranking"]
NUGGETS = {page: set(held) for page, held in QA["nuggets"].items()}
table({"page": RANKING, "nuggets": [", ".join(sorted(NUGGETS[page])) for page in RANKING]})

# %%
predict(
    "Take nDCG, with the number of nuggets as the grade. Now insert a copy of page e at rank 2. "
    "Does nDCG rise or fall?"
)

# %%
held = NUGGETS | {"copy of e": NUGGETS["e"]}
with_copy = ["a", "copy of e", *RANKING[1:]]
before, after = (
    ndcg(ranking, {page: len(of) for page, of in known.items()})
    for ranking, known in ((RANKING, NUGGETS), (with_copy, held))
)
reveal(
    f"It rises, from {before:.4f} to {after:.4f}, although page e then says nothing "
    "new. nDCG looks at each page as if it were the only one, so page e still counts in full."
)

# %% [markdown]
# ## A user who wants nuggets
#
# Document 001 begins with the **probability ranking principle** (Robertson 1977): estimate for each
# document the probability that it is relevant, and put the highest first. No other order serves
# users better, if the documents are relevant or not *independently* of each other. The copy of page
# e breaks this condition. It is as probably relevant as page e, and of no use after it. So novelty
# needs another view of the principle: state what the user gains from a whole ranking, and make that
# as large as you can.
#
# You need a measure that knows what the user has seen. Start with a model of the user.
#
# The user $u$ wants some nuggets, and a document $d$ holds some nuggets. The document is relevant
# if it holds at least one nugget that the user wants. Nobody knows either set for certain, so take
# two probabilities for each nugget $n$: $P(n\in u)$, that the user wants it, and $P(n\in d)$, that
# the document holds it. Document 001 gives a reason why nobody is certain:

# %%
quote(
    "001", "人工评估者在judgements上有可能是不一致的", "Human assessors may judge inconsistently."
)

# %% [markdown]
# Clicks can mislead too. And a classifier that looks
# for nuggets gives a probability by itself.
#
# For example, a classifier finds nugget A in page `x` with the probability 0.9, and nugget B with
# 0.4. The user wants A with the probability 0.5, and B with 0.25. Nugget A makes the page relevant
# with the probability $0.5 \cdot 0.9 = 0.45$, and fails to do so with 0.55. Nugget B fails with
# $1 - 0.25 \cdot 0.4 = 0.9$. Both fail with $0.55 \cdot 0.9 = 0.495$. So the page is relevant with
# the probability 0.505. In the call, `gamma` is what the user wants. You meet `alpha` below: with
# 1, the package takes the probabilities of the classifier as they are.

# %%
WANTED, IN_X = {"A": 0.5, "B": 0.25}, {"A": 0.9, "B": 0.4}
all_fail = 1
for nugget, wanted in WANTED.items():
    all_fail *= 1 - wanted * IN_X[nugget]
by_hand = 1 - all_fail
assert np.isclose(by_hand, relevance_probability(["x"], {"x": IN_X}, alpha=1, gamma=WANTED))
round(by_hand, 4)

# %% [markdown]
# The general formula, for $m$ independent nuggets $n_1, \dots, n_m$, is
#
# $$P(\mathrm{rel} \mid u,d) = 1-\prod_{i=1}^{m}\bigl(1-P(n_i\in u)\,P(n_i\in d)\bigr)$$
#
# In words: for each nugget, multiply the probability that the user wants it by the probability that
# the document holds it. One minus this product is the probability that the nugget fails. Multiply
# over all nuggets, and you have the probability that all of them fail. One minus that is the
# probability that the document is relevant.
#
# Most collections have no such probabilities. They have judges who say yes or no, and users whom
# you don't know. Then two numbers are left:
#
# - $P(n\in u)=\gamma$ (gamma), the same for all nuggets.
# - $P(n\in d)=\alpha$ (alpha), if a judge found the nugget in the document, and otherwise 0. So
#   **alpha says how far you trust a judgment**.

# %%
predict(
    "gamma = alpha = 1/2. Page a holds the nuggets A and B, and stands at rank 1. With what "
    "probability is it relevant?",
    7 / 16,
    mistaken={
        0.5: "That is 1/4 + 1/4. It counts the case that both help twice. Use 1 - (3/4)^2.",
        9 / 16: "That is the probability that both nuggets fail. Take it from 1.",
        1 / 16: "That is the probability that both nuggets help. One is enough.",
    },
)

# %%
reveal(explain(relevance_probability, RANKING[:1], NUGGETS, alpha=0.5, gamma=0.5))

# %% [markdown]
# Now look at the second document. The user still wants a nugget only if none of the documents above
# really held it: multiply $P(n\in u)$ by $1-P(n\in d_j)$ for each document $d_j$ above. If a judge
# found the nugget in $c$ of them, that is $\gamma(1-\alpha)^c$:
#
# $$P(\mathrm{rel}_k \mid u,d_1,\dots,d_k)=
# 1-\prod_{i=1}^{m}\bigl(1-\gamma\,\alpha\,\mathbb{1}[n_i\in d_k]\,(1-\alpha)^{c_i^{k-1}}\bigr)$$
#
# In words: $\mathbb{1}[n_i\in d_k]$ is 1 if a judge found nugget $i$ in the document at rank $k$,
# and 0 otherwise. $c_i^{k-1}$ is the number of documents at the ranks 1 to $k-1$ in which a judge
# found nugget $i$. The probability that nugget $i$ helps is $\gamma\alpha$, times $1-\alpha$ for
# each of these documents.

# %%
predict(
    "Page b stands below page a and holds nugget A alone, which a holds too. With gamma = alpha = "
    "1/2, with what probability is b relevant?",
    1 / 8,
    mistaken={
        0.25: "That would be so at rank 1. Page a already holds nugget A: multiply by 1/2.",
        1 / 16: "You multiplied by 1/2 twice. Only one page above b holds nugget A.",
    },
)

# %%
reveal(explain(relevance_probability, RANKING[:2], NUGGETS, alpha=0.5, gamma=0.5))

# %% [markdown]
# The lower table shows both probabilities of each nugget. The upper table has a column *first-order
# term*. For page `a` it is $\frac14 + \frac14 = \frac12$: the simple sum over the nuggets, without
# the product. The next section shows what it is good for.
#
# ## From the probability to the gain
#
# Two nuggets that help with the probabilities $x$ and $y$ give $1-(1-x)(1-y) = x + y - xy$. If $x$
# and $y$ are small, $xy$ is much smaller than both, and you can drop it. The sum $x + y$ is the
# first-order term.
#
# Do the same with the formula above. The terms with one factor $\gamma\alpha$ add up to
# $\gamma\alpha \sum_i \mathbb{1}[n_i\in d_k](1-\alpha)^{c_i^{k-1}}$. All other terms have
# $(\gamma\alpha)^2$ or a higher power, and are dropped. The factor $\gamma\alpha$ is the same for
# every document, so it is dropped too. The rest is the **gain**:
#
# $$G[k]=\sum_{i=1}^{m}\mathbb{1}[n_i\in d_k]\,(1-\alpha)^{c_i^{k-1}}$$
#
# In words: each nugget of the document at rank $k$ is worth 1, times $1-\alpha$ for each document
# above that holds the same nugget. The gain is the sum over the nuggets of the document.
#
# How much do you lose when you drop the other terms? Look at page a, which holds two nuggets.

# %%
GAMMAS = [0.1, 0.3, 0.5, 0.8, 1.0]
of_a = [relevance_probability.working(["a"], NUGGETS, alpha=0.5, gamma=g) for g in GAMMAS]
columns = ("probability of relevance", "first-order term")
table({"gamma": GAMMAS, **{column: [w[column][0] for w in of_a] for column in columns}}, digits=4)

# %% [markdown]
# The two differ only if a page holds several nuggets. The difference grows with gamma, and it can
# change the order of two pages. Take alpha = 1/2 and gamma = 1, and let the first two pages `p` and
# `q` hold the same five nuggets. Which page should come third: one that holds these five nuggets
# again, or one that holds a single new nugget?

# %%
FIVE = {page: set("12345") for page in ("p", "q", "five again")} | {"one new": {"6"}}
third = [
    relevance_probability.working(["p", "q", page], FIVE, alpha=0.5, gamma=1)
    for page in ("five again", "one new")
]
by_hand = [[1 - (7 / 8) ** 5, 5 / 8], [1 / 2, 1 / 2]]
assert np.isclose(by_hand, [[w[column][2] for column in columns] for w in third]).all()
table(
    {
        "third page": ["five again", "one new"],
        "first-order term": ["5 · 1/8 = 0.625", "1/2"],
        "probability": [f"1 - (7/8)^5 = {by_hand[0][0]:.3f}", "1/2"],
    }
)

# %% [markdown]
# The sum prefers the five nuggets, and the probability prefers the new one. Both documents say that
# $\gamma\alpha$ has no effect on the relative values. That is right for the sums. The
# probabilities can still have another order.
#
# ## The gain vector
#
# Write the gains of a ranking one below the other, and you have its gain vector. With
# $\alpha=\frac12$ page `a` gains 2, since both of its nuggets are new. Page `b` repeats one nugget,
# and gains 1/2. Page `c` repeats the same nugget a second time, and gains 1/4. In Python:


# %%
def gain_vector(ranking, alpha=0.5):
    """The gain of each page of a ranking."""
    seen, gains = Counter(), []
    for page in ranking:
        gains.append(sum((1 - alpha) ** seen[nugget] for nugget in NUGGETS[page]))
        seen.update(NUGGETS[page])
    return np.array(gains)


assert np.allclose(gain_vector(RANKING), alpha_dcg.working(RANKING, NUGGETS, alpha=0.5)["gain"])
gain_vector(["a", "b", "c"]).tolist()

# %%
predict(
    "Page h stands at rank 8 and holds the nugget C. The pages e and f above it hold C too. What "
    "is the gain of h?",
    1 / 4,
    mistaken={
        1 / 128: "That is (1/2)^7, for all pages above h. Count only those that hold C: e and f.",
        1 / 2: "Two pages above h hold C, so multiply by 1/2 twice.",
        1 / 8: "That is (1/2)^3. Two pages above h hold C, so the power is 2.",
    },
)

# %%
reveal("Two pages above h hold C, so the gain of h is (1/2)^2 = 1/4. The other five don't matter.")

# %% [markdown]
# **alpha-DCG** discounts these gains by rank, as DCG does: divide the gain at rank $i$ by
# $\log_2(i+1)$, and add up.


# %%
def alpha_dcg_by_hand(ranking, alpha=0.5):
    """The sum of the discounted gains."""
    ranks = np.arange(1, len(ranking) + 1)
    return float((gain_vector(ranking, alpha) / np.log2(ranks + 1)).sum())


assert np.isclose(alpha_dcg_by_hand(RANKING), alpha_dcg(RANKING, NUGGETS, alpha=0.5))
round(alpha_dcg_by_hand(["a", "b"]), 4)

# %%
predict(
    "That was alpha-DCG of the pages a and b. What is alpha-DCG of a, b and c?",
    of=((alpha_dcg @ 3).using(alpha=0.5), RANKING, NUGGETS),
    mistaken={2.75: "That is the sum of the gains without a discount."},
)

# %%
reveal(
    table(
        alpha_dcg.working(RANKING, NUGGETS, alpha=0.5),
        caption="Document 001 prints the gains 2, 1/2, 1/4, 0, 2, 1/2, 1, 1/4 and, of alpha-DCG, "
        "the values 2, 2.315, 2.440. Find them in the columns 'gain' and 'cumulated'.",
    )
)

# %% [markdown]
# Alpha decides how fast a nugget loses its worth.

# %%
predict(
    "What is the gain of page b at alpha = 1? What do the two ends, 0 and 1, mean?",
    0,
    mistaken={1: "That is its gain at alpha = 0.", 0.5: "That is its gain at alpha = 1/2."},
)

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
        caption="At alpha = 0 a repeated nugget counts like a new one: the grade is the number of "
        "nuggets, and alpha-nDCG is nDCG. At alpha = 1 only new nuggets count.",
    )
)

# %% [markdown]
# The next figure adds up the gains of three orders of the same ten pages, without a discount. "C
# first" takes the pages with nugget C first, "as printed" is the order of document 001, and "new
# first" takes new nuggets first. Move alpha from 0 to 1. Which order collects its gain early? Where
# do the lines end?

# %%
ORDERS = {"C first": "efhijabcgd", "as printed": "abcdefghij", "new first": "aegbfchijd"}


def gains(alpha):
    """The cumulated gain of three orders of the same pages, for one alpha."""
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for i, (name, order) in enumerate(ORDERS.items()):
        worked = alpha_dcg.working(list(order), NUGGETS, alpha=alpha, discount="none")
        axes.plot(
            range(11),
            [0, *worked["cumulated"]],
            marker="osD"[i],
            color=plotting.PALETTE[i],
            label=name,
        )
    axes.set(xlabel="rank", ylabel="cumulated gain", ylim=(0, 12.5), xticks=range(11))
    axes.set_title(f"alpha = {alpha}: each order collects {worked.value:.2f} in all")
    axes.legend(frameon=False, loc="upper left")
    return drawn


def gains_in_words(alpha):
    """What the three orders have after three pages and at the end."""
    whole, first = (
        [alpha_dcg(list(o)[:n], NUGGETS, alpha=alpha, discount="none") for o in ORDERS.values()]
        for n in (10, 3)
    )
    return (
        f"Three rising lines at alpha {alpha}. All end at {whole[0]:.2f}. After three pages they "
        f"are at {first[0]:.2f} (C first), {first[1]:.2f} (as printed) and {first[2]:.2f} (new "
        "first)."
    )


slider(gains, name="alpha", values=[0, 0.25, 0.5, 0.75, 1], start=0, alt=gains_in_words)

# %% [markdown]
# All orders end at the same gain, since each nugget is found as often in any order. Order decides
# only how *early* you get it. Look at "C first" between ranks 1 and 5, where C comes again and
# again. At alpha = 0 each of these pages gains 1. The larger alpha is, the flatter the line is
# there, and at alpha = 1 it does not rise at all. A discount turns "early" into a higher score.

# %% [markdown]
# ## Normalise by the ideal: alpha-nDCG
#
# As in nDCG, you divide the score by the score of the best order of the judged documents. Document
# 001 builds the best order page by page. At each rank it takes the page with the highest gain. This
# is the **greedy choice**.

# %%
quote(
    "001",
    "我们会选择具有最高gain value的document",
    "We choose the document with the highest gain value.",
)

# %%
predict(
    "Page a comes first, with a gain of 2. Which page comes second, and which comes third? Think "
    "of the nuggets that a has already shown."
)

# %%
ideal = alpha_ndcg.working(RANKING, NUGGETS, alpha=0.5)["ideal alpha-DCG"]
reveal(table(ideal))

# %%
reveal(
    "Page e is second, since both of its nuggets are new. Page g is third: its nugget E is new, "
    "while b and f only repeat a nugget. The column 'tied' says how many pages were equally good "
    "at that rank.",
    summary="Why this order?",
)

# %% [markdown]
# **alpha-nDCG** is alpha-DCG of the ranking, divided by alpha-DCG of the ideal order. In Python:

# %%
left, best = list(RANKING), []
while left:
    page = max(left, key=lambda page: gain_vector([*best, page])[-1])
    best.append(page)
    left.remove(page)
by_hand = alpha_dcg_by_hand(RANKING) / alpha_dcg_by_hand(best)
assert np.isclose(by_hand, alpha_ndcg(RANKING, NUGGETS, alpha=0.5))
round(by_hand, 3)

# %% [markdown]
# Now the quotient. At rank 2 the document has $DCG = 2.315$ for the ranking and 3.262 for the
# ideal.

# %%
predict("What is alpha-nDCG@2?", of=((alpha_ndcg @ 2).using(alpha=0.5), RANKING, NUGGETS))

# %%
reveal(table(alpha_ndcg.working(RANKING, NUGGETS, alpha=0.5), digits=4))

# %% [markdown]
# The document prints the first three values too. The figure shows where the gains come from, down
# to rank 5:

# %%
figure(
    plotting.stacked(alpha_ndcg.working(RANKING, NUGGETS, k=5, alpha=0.5)),
    alt="Two stacked bars of discounted gains down to rank 5: the ranking reaches 3.21, most of "
    "it from ranks 1 and 5; the ideal reaches 4.17, most of it from ranks 1 and 2.",
)

# %%
quiz(
    "Take alpha-DCG with alpha = 1/2. A document at rank 4 holds the nuggets A and C. Of the three "
    "documents above, one holds A and C, one holds A alone, and one holds nothing. What is the "
    "gain of the document at rank 4, before the discount?",
    {
        "1/8 + 1/8": (
            False,
            (
                "That is (1/2)^3 for each nugget, so it counts all documents above. Count only the "
                "documents that hold the nugget."
            ),
        ),
        "0, as both were seen": (
            False,
            "That is so at alpha = 1. At alpha = 1/2 a repeated nugget is worth less, not nothing.",
        ),
        "1/4 + 1/2": (
            True,
            "Two documents above hold A and one holds C: (1/2)^2 + (1/2)^1 = 3/4.",
        ),
        "1/4": (
            False,
            "That is the gain from A alone. Add the gain from C, which has its own count.",
        ),
    },
)

# %% [markdown]
# ## Why the ideal ranking is hard to find
#
# For nDCG you find the ideal by sorting the grades. Sorting does not help here: the gain of a
# document depends on the documents above it.
#
# Document 001 shows how hard the problem is. The document compares it with a problem on graphs, the
# **vertex cover**. A graph has vertices, and edges that join two vertices. A vertex cover is a set
# of vertices that touches every edge. You look for the smallest one. Here is a graph:

# %%
SPIDER = [("c", 1), ("c", 2), ("c", 3), (1, "x"), (2, "y"), (3, "z")]
PLACES = {"c": (0, 0), 1: (-2, 0), 2: (0, 1), 3: (2, 0), "x": (-4, 0), "y": (0, 2), "z": (4, 0)}

drawn, axes = plt.subplots(figsize=(6.4, 2.8), layout="constrained")
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
predict(
    "How many vertices does the smallest set have that touches all six edges? And which set does "
    "the greedy choice find? It starts with the vertex that has most edges.",
    3,
    mistaken={4: "That is the greedy choice. There is a smaller set without the centre."},
)

# %%
reveal(
    table(
        {
            "ideal": ["exact", "greedy"],
            "cover": [
                ", ".join(map(str, vertex_cover(SPIDER, ideal=how))) for how in ("exact", "greedy")
            ],
        },
        caption="The greedy choice takes the centre first, because it has most edges. Then it "
        "still needs 1, 2 and 3.",
    )
)

# %% [markdown]
# Now translate the graph into a search. Each vertex is a document. Each edge is a nugget, and the
# two documents at its ends hold it. Set alpha = 1, so that only new nuggets count, and leave out
# the discount. Then the gain of the first $k$ documents is the number of edges that they touch.
# They show all nuggets exactly if they are a vertex cover.
#
# So a fast method for such ideals would be a fast method for smallest vertex covers. Nobody knows a
# fast method for smallest vertex covers, and hardly anybody believes that there is one. Such a
# problem is called *NP-hard*.
#
# With the discount the argument fails: an ideal need not be a cover. Give the spider a fourth arm.
# Its smallest cover is 1, 2, 3 and 4. The centre has four edges, so a discounted ideal takes it
# first:

# %%
ARMS = [("c", i) for i in (1, 2, 3, 4)] + [(i, f"outer {i}") for i in (1, 2, 3, 4)]
HELD = {vertex: {edge for edge in ARMS if vertex in edge} for edge in ARMS for vertex in edge}
ORDERS = {"c, 1, 2, 3": ["c", 1, 2, 3], "1, 2, 3, 4": [1, 2, 3, 4]}
ideal = alpha_ndcg.working([], HELD, alpha=1, k=4, ideal="exact")["ideal alpha-DCG"]
table(
    {
        "first four vertices": list(ORDERS),
        "edges, of 8": [len(set().union(*map(HELD.get, order))) for order in ORDERS.values()],
        "alpha-DCG@4": [alpha_dcg(order, HELD, alpha=1, k=4) for order in ORDERS.values()],
    },
    caption=f"The exact ideal at depth 4 starts with the centre. It has {ideal.value:.4f}.",
)

# %% [markdown]
# That the discounted ideal is NP-hard to find too needs another proof (Carterette 2011).
#
# **One topic a document: an ideal that is easy.**
# Document 000 has a special case in which the ideal is easy to find: each document has one topic,
# $|d|=1$. Then the gain is $(1-\alpha)^c$. The count $c$ is that of the documents above with the
# same topic. Show what was not shown yet, then what was shown once, and so on. Document 000 prints
# a formula for it:
#
# $$\text{i-G}[k] = (1 - \alpha)^{\max(0, k - |\cup_{j=1}^n d_j|)}$$
#
# This is the largest error in a formula of the five documents. Its exponent grows by 1 with every
# document after all topics have been shown. But each topic has a count of its own. Take
# $\alpha=1/2$, two documents on t1 and two on t2:

# %% tags=["notes"]
ONE_TOPIC = {"a": {"t1"}, "b": {"t2"}, "c": {"t1"}, "d": {"t2"}}
right = alpha_dcg.working(["a", "b", "c", "d"], ONE_TOPIC, alpha=0.5)["gain"]
printed = [0.5 ** max(0, k - 2) for k in range(1, 5)]
assert list(right) == [1, 1, 1 / 2, 1 / 2]
assert printed == [1, 1, 1 / 2, 1 / 4]
table({"rank": [1, 2, 3, 4], "best gain": right, "as printed": printed})

# %% [markdown]
# The second t2 is worth 1/2, as the second t1 is. With an $\alpha$ between 0 and 1 the formula
# is right only if at most one topic has more than one document.
#
# ## The greedy ideal can fail
#
# So people use the greedy ideal. Document 001 warns that it may not be the best one if two pages
# have the same gain. That is not the only case.
#
# A score that is divided by an ideal should be at most 1. Document 000 says that the authors of the
# paper find the greedy estimate acceptable. Test what it costs with three documents and alpha = 1.
# Document 000 says *topic* where document 001 says nugget.

# %%
beaten = documents.example("000-nDCG-le-1")
COVER = beaten.inputs["cover"]
table({"document": list(COVER), "topics": [", ".join(map(str, held)) for held in COVER.values()]})

# %%
predict(
    "The greedy choice takes X first. What is alpha-nDCG@2 of the ranking Y, Z, X? Can it be above "
    "1?",
    alpha_ndcg(["Y", "Z", "X"], COVER, alpha=1, k=2),
    mistaken={
        1: "Divide by the greedy ideal, X and then Y. Is that ideal the best ranking?",
        9 / 8: "You left out the discount: divide each gain at rank 2 by log2(3) = 1.58.",
    },
)

# %%
reveal(explain(alpha_ndcg, ["Y", "Z", "X"], COVER, alpha=1, k=2))

# %%
reveal(
    "The greedy choice met no tie here, and it still lost. No order is best at every rank: X is "
    "best at rank 1, and Y with Z is best at rank 2. Document 001 wants an ideal that is best at "
    "all ranks at once. Such an order need not exist.",
    summary="What this means",
)

# %% [markdown]
# The package can also find the true ideal of small pools. With `ideal="exact"` it looks for the
# best ranking down to depth $k$. The score is then at most 1.

# %%
predict(
    "What is alpha-nDCG@2 of the greedy order X, Y, Z, if you divide by the exact ideal?",
    alpha_ndcg(["X", "Y", "Z"], COVER, alpha=1, k=2, ideal="exact"),
    mistaken={
        1: "That is so with the greedy ideal. The exact ideal to depth 2 is Y and then Z.",
        8 / 9: "You left out the discount: divide each gain at rank 2 by log2(3) = 1.58.",
    },
)

# %%
reveal(
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
)

# %%
quiz(
    "Your colleague's system has alpha-nDCG@2 = 1.04. What may have happened?",
    {
        "The greedy ideal is not the best ranking": (
            True,
            "The greedy choice took a document of high gain first, and so missed a better pair.",
        ),
        "There is a bug, as a normalised score can't exceed 1": (
            False,
            "It can exceed 1 if the ideal is greedy. Try ideal='exact' before you look for a bug.",
        ),
        "The greedy ideal met ties; without ties it could not happen": (
            False,
            "X, Y, Z met no tie. Ties are one way to a bad ideal, but not the only one.",
        ),
        "The ranking holds documents that were not judged": (
            False,
            "Unjudged documents hold no known nugget, so they gain nothing.",
        ),
    },
)

# %% [markdown]
# ## On a real collection
#
# Twelve topics of the real collection (notebook 1) have aspects. The topic *temporary file or
# directory* has three: a file, a folder, and a place in memory. This is what two engines find:

# %%
stdlib = load_collection("stdlib")
ASPECTS = {d: set(held) for d, held in stdlib.aspects["q017"].items()}
TWO = {name: list(stdlib.runs[name]["q017"])[:10] for name in ("bm25", "lsa")}
table(
    {"rank": list(range(1, 11))}
    | {name: [" and ".join(sorted(ASPECTS.get(d, ()))) for d in r] for name, r in TWO.items()},
    caption="The aspects that each document covers: 1 a file, 2 a folder, 3 in memory.",
)

# %%
predict(
    "LSA finds six relevant documents and has the higher nDCG@10, 0.829 against 0.562. Which "
    "engine has the higher alpha-nDCG@10?"
)

# %%
for found in TWO.values():
    seen, by_hand = Counter(), 0
    for rank, document in enumerate(found, 1):
        held = ASPECTS.get(document, set())
        by_hand += sum(0.5 ** seen[aspect] for aspect in held) / np.log2(rank + 1)
        seen.update(held)
    assert np.isclose(by_hand, alpha_dcg(found, ASPECTS, k=10))
reveal(
    table(
        {
            "engine": list(TWO),
            "nDCG@10": [ndcg(r, stdlib.qrels["deep"]["q017"], k=10) for r in TWO.values()],
            "alpha-nDCG@10": [alpha_ndcg(r, ASPECTS, k=10) for r in TWO.values()],
        },
        digits=3,
        caption="BM25, by a little. Its first document covers two aspects at once, and it brings "
        "the third by rank 6. LSA has more documents, but most of them repeat aspect 1.",
    )
)

# %% [markdown]
# Over the twelve topics, with the recall of aspects (S-recall) beside it:

# %%
means = {
    name: evaluate(run, stdlib.aspects, "alpha-nDCG@10 STREC@10").mean
    for name, run in stdlib.runs.items()
}
novel, covered = zip(*(each.values() for each in means.values()), strict=True)
table({"engine": list(means), "alpha-nDCG@10": novel, "S-recall@10": covered}, digits=3)

# %% [markdown]
# ## Recap
#
# - A user wants nuggets. If $c$ documents above hold a nugget, the user still wants it with a
#   probability that is $(1-\alpha)^c$ times as large. The gain is the first-order term of the
#   probability of relevance.
# - alpha = 0 is nDCG with the number of nuggets as the grade. alpha = 1 counts new nuggets only.
# - Finding the ideal is NP-hard, so people use the greedy ideal. Some rankings beat it, with and
#   without ties, so alpha-nDCG can exceed 1. Say which ideal you used.
# - Check printed vectors against each other: the differences of a cumulated vector are the gains.
#
# **Read on.**

# %%
reading("Robertson 1977", "Clarke 2008", "Clarke 2011", "Carterette 2011")
