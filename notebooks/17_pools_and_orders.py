# %% [markdown]
# # 17. Pools and orders: what to judge, and what a judgment changes
#
# **Goals.** After this notebook you can
#
# - say what a pool leaves out, and find out which system depends on it;
# - choose how many topics to judge, and how deep, for a given budget;
# - compare two orders of systems by Kendall's tau, tau-AP and RBO.
#
# **Time.** 45 minutes. **Needs.** Notebook 1 (pooling), notebook 16 (judges).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import evaluate, explain, kendall_tau, ndcg, rbo, tau_ap
from irmetrics_edu.course import (
    load_collection,
    predict,
    quiz,
    reading,
    reveal,
    slider,
    table,
    terms,
)
from irmetrics_edu.judging import judges
from irmetrics_edu.runs import pool
from irmetrics_edu.views import plotting

# %% [markdown]
# Nobody can judge everything, and assessors differ. Which documents do you judge, and how much does
# it change a comparison of systems? These are the words of this chapter:

# %%
terms("pool", "tau", "tau-AP", "RBO")

# %% [markdown]
# The real case is the collection *stdlib* again, with the grades of its two passes (notebook 16):

# %%
collection = load_collection("stdlib")
RUNS = collection.runs
FIRST, SECOND = collection.qrels["deep"], collection.qrels["second"]

# %% [markdown]
# ## Pooling
#
# Nobody judges everything. Take a topic and three systems. A **pool** of depth 2 holds the first
# two documents of each system. Assessors read these documents and no others:

# %%
three = {"A": ["d1", "d2", "d3"], "B": ["d2", "d4", "d1"], "C": ["d5", "d1", "d2"]}
by_hand = set()
for ranking in three.values():
    by_hand |= set(ranking[:2])
assert by_hand == set(pool(three, depth=2).documents)
sorted(by_hand)

# %%
predict(
    "How many documents are in the pool of depth 3?",
    len(pool(three, depth=3)),
    mistaken={9: "You added up the lists. A document that several systems find is judged once."},
)

# %%
reveal(str(pool(three, depth=3)))

# %% [markdown]
# In the collection, the first ten documents of each engine were judged. So a smaller pool is easy
# to try: keep the grades of the documents that it holds. Every other document becomes unjudged, and
# nDCG then counts it as not relevant.


# %%
def judged_by(depth, systems=tuple(RUNS)):
    """The first grades, cut down to the pool of these systems."""
    pools = pool({name: RUNS[name] for name in systems}, depth=depth)
    return {t: {d: FIRST[t][d] for d in found.documents} for t, found in pools.items()}


def scores(qrels, measure="nDCG@10"):
    """The mean of a measure for each engine."""
    return {name: evaluate(run, qrels, measure).mean[measure] for name, run in RUNS.items()}


POOLS = {depth: judged_by(depth) for depth in (5, 10)}
cost = {depth: sum(map(len, qrels.values())) for depth, qrels in POOLS.items()}
predict(
    f"A pool of depth 5 costs {cost[5]:,} judgments and a pool of depth 10 costs {cost[10]:,}. Do "
    "the scores of the three engines change? Does their order change?"
)

# %%
reveal(
    table(
        {
            "pool": [f"depth {depth}" for depth in POOLS],
            "judgments": list(cost.values()),
            "relevant documents": [
                sum(grade > 0 for of in qrels.values() for grade in of.values())
                for qrels in POOLS.values()
            ],
            **{name: [scores(qrels)[name] for qrels in POOLS.values()] for name in RUNS},
        },
        digits=3,
        caption="nDCG@10. The scores are higher with the smaller pool, because it knows fewer "
        "relevant documents. The order of the engines is the same, for half the judgments.",
    )
)

# %% [markdown]
# So a pool gives you an *order*. Don't compare its scores with scores from another pool.
#
# The order is safe only for systems that contributed to the pool. Suppose that one engine had come
# a year later. What it alone finds would have no grades. You can test this: **leave one system
# out** of the pool, and score all systems again (Zobel 1998).

# %%
predict(
    "With all three engines in the pool, fts5 is first, bm25 is second and lsa is third. Leave "
    "fts5 out of the pool of depth 10. Which engine is first then?"
)

# %%
left = {"nobody": scores(FIRST)}
for name in RUNS:
    left[name] = scores(judged_by(10, [other for other in RUNS if other != name]))
reveal(
    table(
        {
            "left out": list(left),
            **{name: [found[name] for found in left.values()] for name in RUNS},
        },
        digits=3,
        caption="nDCG@10. Every engine loses when it is left out, and the other two gain. Without "
        "fts5 in the pool, bm25 is first.",
    )
)

# %% [markdown]
# Nothing about the engines changed. Only the list of documents that somebody read changed. Leave
# each system out once before you publish a collection. If the order of the top systems changes, the
# pool is too shallow or has too few different systems.

# %% [markdown]
# ## Does the disagreement matter?
#
# You judge to compare systems. So ask whether the order of systems depends on the assessor. Score
# each engine on the 25 topics under either pass:

# %%
passes = judges({"first pass": FIRST, "second pass": SECOND})
means, by_query = passes.under(RUNS, "nDCG@10")["nDCG@10"]
[order] = passes.orders(by_query).values()
table(
    {"judged by": passes.names, **dict(zip(RUNS, zip(*means, strict=True), strict=True))},
    digits=3,
    caption=f"nDCG@10 over 25 topics. Kendall's tau of the two orders is {order.value:.2f}, with a "
    f"95 % interval from {order.low:.2f} to {order.high:.2f}. Three engines have six orders. So "
    "even chance gives a tau of 1 in one of six cases: this is no evidence yet.",
)

# %% [markdown]
# The scores hardly move, and the order is the same. Voorhees (2000) found this with people and many
# systems: the assessors disagreed a lot, but the orders of the systems were nearly equal. A
# likely reason: each assessor errs in their own way, and the errors hit all systems alike. Keep
# this reason in mind. It fails if an assessor favours *one system*.
#
# ## How many judgments do you need?
#
# Two engines compared by P@5 need no judgment of a document that both show: it counts for both and
# cancels. Judging only the others is the idea of a **minimal pool** (Carterette et al. 2006). It
# answers one question cheaply. A third engine or another measure needs new judgments.
#
# **Many topics or deep pools?** You can pay for 400 judgments. Two engines with pools of depth 10
# cost about 17 judgments per topic. So you can judge 23 topics to depth 10, or 108 topics to
# depth 2. Which plan finds the better engine more often? To answer this you must know which engine
# is better, and of fts5 and bm25 nobody knows that (notebook 6). So here is a made-up world: 2,000
# topics with 100 documents each, and the 15 documents of highest worth are relevant. Both engines
# rank by worth plus noise. The *new* engine sees the worth a little better, so it is truly better.

# %%
DISCOUNT = 1 / np.log2(np.arange(2, 12))


def world(seed):
    """Which documents are relevant, and the first ten of the new engine and of the old one."""
    rng = np.random.default_rng(seed)
    value = rng.normal(size=(2000, 100))
    tops = []
    for quality in (1.1, 1.0):
        seen = (quality + rng.normal(0, 0.35, (2000, 1))) * value + rng.normal(size=value.shape)
        tops.append(np.argsort(-seen)[:, :10])
    return np.argsort(np.argsort(-value)) < 15, tops


def gaps(relevant, tops, depth):
    """Judgments a topic, and nDCG@10 of new less old, with only a pool of this depth judged."""
    judged = np.zeros_like(relevant)
    for top in tops:
        np.put_along_axis(judged, top[:, :depth], values=True, axis=1)
    known = relevant & judged
    ideal = np.append(0, np.cumsum(DISCOUNT))[np.minimum(known.sum(axis=1), 10)]
    new, old = (np.take_along_axis(known, top, 1) @ DISCOUNT for top in tops)
    return judged.sum() / len(judged), (new - old) / np.maximum(ideal, DISCOUNT[-1])


DEPTHS, BUDGET = [1, 2, 3, 5, 10], 400
RELEVANT_THERE, (NEW, OLD) = world(0)
PER_TOPIC, GAPS = zip(*(gaps(RELEVANT_THERE, (NEW, OLD), depth) for depth in DEPTHS), strict=True)
hits = dict.fromkeys([str(d) for d in np.flatnonzero(RELEVANT_THERE[0])], 1)
first = [ndcg([str(d) for d in top[0]], hits, k=10) for top in (NEW, OLD)]
everything = np.cumsum(DISCOUNT)[-1]
by_hand = [(RELEVANT_THERE[0][top[0]] @ DISCOUNT) / everything for top in (NEW, OLD)]
assert np.isclose(by_hand, first).all()
TRUE_GAP = np.mean([RELEVANT_THERE[q][NEW[q]] @ DISCOUNT for q in range(2000)]) / everything
TRUE_GAP -= np.mean([RELEVANT_THERE[q][OLD[q]] @ DISCOUNT for q in range(2000)]) / everything

# %%
predict(
    f"The new engine is truly better, by {TRUE_GAP:.2f} in nDCG@10. Which plan finds this out more "
    f"often: {BUDGET // PER_TOPIC[4]:.0f} topics to depth 10, or {BUDGET // PER_TOPIC[1]:.0f} "
    "topics to depth 2?"
)

# %% [markdown]
# Draw topics at random, 10,000 times, and count how often the new engine has the higher mean. That
# is right. The figure has 100 of the draws. A topic costs more than its judgments: somebody has to
# write it. Move the slider to make this cost as much as 5, 10 or 20 judgments.


# %%
def plan(place, topic_cost):
    """How many topics the budget allows, and the mean gap of each draw."""
    n = int(BUDGET // (topic_cost + PER_TOPIC[place]))
    drawn_topics = np.random.default_rng(place).integers(0, 2000, (10_000, n))
    return n, GAPS[place][drawn_topics].mean(axis=1)


def plans(topic_cost):
    """The mean gaps of 100 draws for each depth, as dots, with the share of right verdicts."""
    drawn, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
    names = []
    for place, depth in enumerate(DEPTHS):
        n, found = plan(place, topic_cost)
        right, across = found > 1e-9, place + np.linspace(-0.3, 0.3, 100)
        names.append(f"depth {depth}\n{n} topics\nright: {right.mean():.2%}")
        for i, side in enumerate((right[:100], ~right[:100])):
            axes.plot(across[side], found[:100][side], "o^"[i], color=plotting.PALETTE[i], ms=3)
    axes.axhline(0, color="black", linewidth=1)
    axes.set(
        xticks=range(5), xticklabels=names, ylim=(-0.25, 0.4), ylabel="mean nDCG@10, new - old"
    )
    axes.set_title(f"budget: {BUDGET} judgments, cost of a topic: {topic_cost} judgments")
    axes.legend(axes.lines[:2], ["new ahead: right", "old ahead: wrong"], ncols=2)
    return drawn


def plans_in_words(topic_cost):
    """What the dots show."""
    found = [(plan(place, topic_cost)[1] > 1e-9).mean() for place in range(5)]
    shares = ", ".join(f"{right:.2%} at depth {d}" for d, right in zip(DEPTHS, found, strict=True))
    return f"Clouds of mean gaps above and below 0. The share above, which is right: {shares}."


slider(plans, name="cost of a topic", values=[0, 5, 10, 20], start=0, alt=plans_in_words)

# %% [markdown]
# The figure has one world. Does another world say the same? Here are ten, each drawn like the
# first one. For each world count the share of right verdicts again:


# %%
def right(drawn_world, depth, topic_cost):
    """The share of 5,000 draws in which the new engine is ahead, in one world."""
    per_topic, gap = gaps(*drawn_world, depth)
    n = int(BUDGET // (topic_cost + per_topic))
    draws = np.random.default_rng(0).integers(0, 2000, (5000, n))
    return float((gap[draws].mean(axis=1) > 1e-9).mean())


WORLDS = [world(seed) for seed in range(10)]
SHARES = {
    (depth, cost): [right(one, depth, cost) for one in WORLDS]
    for depth in (1, 10)
    for cost in (0, 20)
}
table(
    {
        "depth": [depth for depth, _ in SHARES],
        "cost of a topic": [cost for _, cost in SHARES],
        "right, lowest of ten worlds": [min(found) for found in SHARES.values()],
        "right, mean": [float(np.mean(found)) for found in SHARES.values()],
        "right, highest": [max(found) for found in SHARES.values()],
    },
    digits=4,
)

# %%
AHEAD = sum(a > b for a, b in zip(SHARES[1, 0], SHARES[10, 0], strict=True))
BEHIND = sum(a < b for a, b in zip(SHARES[1, 20], SHARES[10, 20], strict=True))
reveal(
    f"If topics cost nothing, depth 1 is right more often than depth 10 in {AHEAD} of 10 worlds. A "
    "shallow pool makes the difference more noisy, but the many topics make up for it. If a topic "
    f"costs as much as 20 judgments, depth 10 is ahead in {BEHIND} of 10. The answer depends on "
    "how these worlds are made. And a shallow pool is worth less for engines that come later.",
    summary="Read the table",
)

# %% [markdown]
#
# ## Rank correlation: compare two orders of systems
#
# Two assessors gave two orders of the systems. With three engines you can see that the orders are
# equal. With thirty systems you need a number. Start with five systems, ordered by people as A, B,
# C, D, E.
#
# **Kendall's tau** (Kendall 1938) looks at every pair of systems:
#
# $$\tau = \frac{C - D}{n(n-1)/2}$$
#
# In words: $C$ pairs have the same order in both lists, and $D$ pairs have opposite orders.
# Subtract, and divide by the number of pairs of $n$ systems.


# %%
def tau_by_hand(order, reference):
    """Kendall's tau of two orders without ties."""
    place = [reference.index(system) for system in order]
    signs = [np.sign(place[j] - place[i]) for j in range(len(place)) for i in range(j)]
    return np.mean(signs)


PEOPLE, TOP_SWAP, END_SWAP = list("ABCDE"), list("BACDE"), list("ABCED")
assert np.isclose(tau_by_hand(TOP_SWAP, PEOPLE), kendall_tau(TOP_SWAP, PEOPLE))
predict(
    "A second assessor swaps the first two systems: B, A, C, D, E. What is tau?",
    of=(kendall_tau, TOP_SWAP, PEOPLE),
    mistaken={
        0.9: "9 of 10 pairs are right. Subtract the pair that is wrong.",
        0.6: "One swap of neighbours turns one pair around. You counted two.",
    },
)

# %%
reveal(explain(kendall_tau, TOP_SWAP, PEOPLE))

# %% [markdown]
# The order A, B, C, E, D has the same tau. But readers look at the top of such a list first.
# **tau-AP** makes errors near the top weigh more (Yilmaz et al. 2008):
#
# $$\tau_{\mathrm{AP}} = \frac{2}{n-1} \sum_{i=2}^{n} \frac{C_i}{i-1} - 1$$
#
# In words: go down the list from rank 2. $C_i$ counts the systems above rank $i$ that also stand
# above this system in the other list. Divide by the number of systems above, which is $i-1$. Take
# the mean of these shares, double it and subtract 1.


# %%
def tau_ap_by_hand(order, reference):
    """The AP correlation of an order with a reference, without ties."""
    place = [reference.index(system) for system in order]
    shares = [np.mean([place[j] < place[i] for j in range(i)]) for i in range(1, len(place))]
    return 2 * np.mean(shares) - 1


for order in (TOP_SWAP, END_SWAP):
    assert np.isclose(tau_ap_by_hand(order, PEOPLE), tau_ap(order, PEOPLE))
predict(
    "What is tau-AP of B, A, C, D, E? The shares are 0, 1, 1, 1.",
    of=(tau_ap, TOP_SWAP, PEOPLE),
    mistaken={0.75: "That is the mean of the shares. Double it and subtract 1."},
)

# %%
reveal(
    "The mean of the shares is 3/4, so tau-AP is 0.5. For A, B, C, E, D the shares are 1, 1, 1 and "
    "3/4, and tau-AP is 0.875. tau is 0.8 for both: it can't tell where the swap is."
)

# %%
quiz(
    "Two orders of ten systems have Kendall's tau 0.91. Which pair of systems has changed places?",
    {
        "Perhaps the first two systems: tau can't tell": (
            True,
            "tau of 0.91 is two pairs of 45. All pairs weigh the same in it, so look at tau-AP.",
        ),
        "None of the first three, because tau is so high": (
            False,
            "tau counts pairs wherever they stand. The two best systems may be one of them.",
        ),
        "The last two, where differences are small": (
            False,
            "Small differences turn round more often. But tau doesn't say where they are.",
        ),
    },
)

# %% [markdown]
# Both need two orders of the *same* things. Two rankings of documents rarely have the same
# documents. **RBO** (rank-biased overlap; Webber et al. 2010) compares them anyway. For each depth
# $d$ it takes the agreement $A_d$: the share of the first $d$ documents that both rankings have.
# A reader goes on from each depth with probability $p$:
#
# $$\mathrm{RBO} = (1-p) \sum_{d=1}^{n} p^{\,d-1} A_d + p^{\,n} A_n$$
#
# In words: the agreement at depth $d$ weighs $(1-p)\,p^{d-1}$, which is the share of readers who
# stop there. The last part stands for all readers who go beyond the end $n$ of the lists. It
# assumes that the lists agree there as they do at the end.


# %%
def rbo_by_hand(first, second, p=0.9):
    """RBO of two rankings of the same length, without ties."""
    depths = np.arange(1, len(first) + 1)
    shares = np.array([len(set(first[:d]) & set(second[:d])) / d for d in depths])
    return (1 - p) * (p ** (depths - 1) * shares).sum() + p ** len(first) * shares[-1]


ABC, ACD = list("abc"), list("acd")
assert np.isclose(rbo_by_hand(ABC, ACD, p=0.5), rbo(ABC, ACD, p=0.5))
predict(
    "The rankings a, b, c and a, c, d. The agreement at depths 1, 2, 3 is 1, 1/2, 2/3. What is RBO "
    "with p = 0.5?",
    of=(rbo.using(p=0.5), ABC, ACD),
    mistaken={
        0.5 + 0.125 + 0.125 * 2 / 3: "You left out the readers beyond rank 3: add 0.125 · 2/3.",
        13 / 18: "That is the plain mean of the agreement. Weigh it by 0.5, 0.25, 0.125.",
    },
)

# %%
reveal(explain(rbo, ABC, ACD, p=0.5))

# %% [markdown]
# ## Recap
#
# - A pool holds the first documents of each system. Leave each system out once, and see whether the
#   order holds.
# - If topics are cheap, many topics with shallow pools mostly beat few topics with deep pools. To
#   compare two systems, judge only the documents that do not cancel.
# - tau counts pairs, tau-AP weighs the top more, and RBO compares lists with different documents.
# - Where assessors err alike for all systems, the order mostly holds. A model as the judge can
#   agree with people on most documents and still favour one system: see notebook 24.
#
# **Read on.**

# %%
reading(
    "Kendall 1938", "Voorhees 2000", "Zobel 1998", "Carterette 2006", "Yilmaz 2008", "Webber 2010",
    "Faggioli 2023",
)  # fmt: skip
