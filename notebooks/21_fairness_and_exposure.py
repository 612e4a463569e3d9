# %% [markdown]
# # 21. Fairness and exposure: who is seen
#
# **Goals.** After this notebook you can
#
# - compute the attention that a ranking gives to items and to groups, under three models of a user;
# - compare that attention with what is due, by AWRF and by expected exposure;
# - show what a random element in a ranking costs and brings;
# - say which questions about fairness no such number answers.
#
# **Time.** 55 minutes. **Needs.** Notebook 4 (discounts are models of a user).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    awrf,
    dcg,
    err,
    expected_exposure,
    explain,
    ndcg,
    rbp,
)
from irmetrics_edu.course import (
    figure,
    predict,
    quiz,
    reading,
    reveal,
    slider,
    table,
    terms,
)
from irmetrics_edu.views import plotting

# %% [markdown]
# These are the words of this chapter:

# %%
terms("attention", "share of attention", "share due", "expected exposure", "target exposure")

# %% [markdown]
# ## Exposure: small differences in relevance, large ones in attention
#
# Somebody searches a marketplace for a *handmade mug*. Six potters have one. Three of them live in
# the town and three in a village. For each mug the engine estimates the probability that it is
# relevant. (The example follows the six job applicants of Singh & Joachims 2018.)

# %%
POTTERS = ["Ada", "Ben", "Clara", "Dora", "Emil", "Fay"]
GROUP = ["town", "town", "town", "village", "village", "village"]
MERIT = np.array([0.95, 0.94, 0.93, 0.92, 0.91, 0.90])
table({"potter": POTTERS, "group": GROUP, "relevance": MERIT}, digits=2)

# %% [markdown]
# The mugs are almost equally good. The best order is clear all the same: by falling relevance.
# Ranks 1 to 3 go to the town, and ranks 4 to 6 to the village.
#
# People look at the first results more than at the later ones. Take the discount of DCG as the
# **attention** that a rank gets:
#
# $$a_i = \frac{1}{\log_2(i+1)}$$
#
# In words: the attention of rank $i$ is 1 over the binary logarithm of $i+1$. Rank 1 gets 1, rank 2
# gets 0.63, and rank 3 gets 0.5.

# %%
predict(
    "The three village potters have 49 % of all relevance. They are at ranks 4, 5 and 6, with the "
    "attention 0.431, 0.387 and 0.356. The six ranks together get 3.305. Which share of the "
    "attention do the village potters get, in percent?",
    100 * (0.431 + 0.387 + 0.356) / 3.305,
    mistaken={
        49.2: "That is their share of the relevance. Add their attention, and divide by 3.305.",
        50.0: "That is their share of the places. The places don't get the same attention.",
    },
)

# %%
ranks = np.arange(1, 7)
logarithmic = 1 / np.log2(ranks + 1)
assert np.isclose(logarithmic, dcg.working([1] * 6)["discount"]).all()
share = logarithmic / logarithmic.sum()
more_relevance = MERIT[:3].sum() / MERIT[3:].sum() - 1
more_attention = share[:3].sum() / share[3:].sum() - 1
reveal(
    f"They get {share[3:].sum():.1%}, and the town gets {share[:3].sum():.1%}. The town has "
    f"{more_relevance:.0%} more relevance than the village, and {more_attention:.0%} more "
    "attention."
)

# %% [markdown]
# The order is right, and it turns a small difference into a large one. The potters live on what is
# seen. The attention that an item gets is called its **exposure**.
#
# ## Three models of attention
#
# The number depends on how people look at a ranking. Nobody knows that exactly, so you choose a
# model. You met three of them in notebook 4:
#
# - **logarithmic:** the discount of DCG. It falls slowly.
# - **geometric:** the user of RBP goes on to the next rank with probability $p$. Rank $i$ gets
#   $p^{\,i-1}$.
# - **cascade:** the user of ERR stops at a document that satisfies them. Rank $i$ gets the
#   probability that no document above it did:
#
# $$a_i = \prod_{j=1}^{i-1} (1 - R_j)$$
#
# In words: $R_j$ is the probability that the document at rank $j$ satisfies the user. Multiply the
# probabilities that each of the documents above rank $i$ does not.

# %%
predict(
    "In the cascade model, the documents at ranks 1 and 2 each satisfy a user with probability "
    "0.5. What is the attention of rank 3?",
    0.5 * 0.5,
    mistaken={
        0.5: "That is the attention of rank 2. A user at rank 3 passed two documents.",
        0.125: "That is the attention of rank 4: count the documents above the rank only.",
    },
)

# %%
satisfied = np.array([0.5, 0.5, 0.0, 0.5, 0.0, 0.5])
cascade = np.cumprod(np.append(1, 1 - satisfied))[:-1]
geometric = 0.8 ** (ranks - 1)
weight = rbp.working([1] * 6, p=0.8)["weight"]
assert np.isclose(geometric, weight / weight[0]).all()
reached = err.working([1, 1, 0, 1, 0, 1], max_grade=1)["reach probability"]
assert np.isclose(cascade, reached).all()
reveal(
    table(
        {
            "rank": ranks,
            "satisfies": satisfied,
            "logarithmic": logarithmic,
            "geometric, p = 0.8": geometric,
            "cascade": cascade,
        },
        caption="Attention by rank. Rank 3 gets 0.25 in the cascade model.",
        digits=3,
    )
)

# %% [markdown]
# In the first two models attention depends on the rank alone. In the cascade model it also depends
# on the documents above. A good document at rank 1 takes attention from all others.
#
# How much does the choice matter? This is the share of attention that the village gets, in the same
# ranking, under four models:

# %%
MODELS = {
    "logarithmic": logarithmic,
    "geometric, p = 0.8": geometric,
    "geometric, p = 0.5": 0.5 ** (ranks - 1),
    "cascade": np.cumprod(np.append(1, 1 - MERIT))[:-1],
}
village = [float(a[3:].sum() / a.sum()) for a in MODELS.values()]
drawn, axes = plt.subplots(figsize=(6.4, 2.8), layout="constrained")
bars = axes.barh(list(MODELS), village, color=plotting.PALETTE[:4])
axes.bar_label(bars, fmt="%.2f", padding=3)
axes.axvline(MERIT[3:].sum() / MERIT.sum(), color="black", linestyle="--", linewidth=1)
axes.text(0.485, 3.0, "share of relevance", ha="right", va="center")
axes.set(xlabel="share of attention of the village", xlim=(0, 0.6))
axes.invert_yaxis()
figure(
    drawn,
    alt="Four bars: the village gets 0.36 of the attention in the logarithmic model, 0.34 in the "
    "geometric one with p = 0.8, 0.11 with p = 0.5, and 0.00 in the cascade model. A dashed line "
    "at 0.49 marks its share of the relevance.",
)

# %% [markdown]
# The cascade model assumes that the first mug satisfies 95 % of the users. Then almost nobody
# reaches rank 4. **A number about exposure without its model of attention says little.**
#
# ## What share of attention is due to a group?
#
# A share of 36 % is neither fair nor unfair in itself. You need to say what is **due** to a group.
# Three answers are common:
#
# - **equal shares:** every group is due the same;
# - **share of the items:** a group is due what it has of all potters;
# - **merit:** a group is due its share of the relevance. Singh & Joachims (2018) have this as
#   one of three constraints: exposure in proportion to relevance.
#
# Say that 40 potters sell on the marketplace, and 4 of them live in the village. The same ranking
# gives:


# %%
def attention_of(order, attention):
    """The share of attention of the village in an order of the potters."""
    got = dict(zip(order, attention / attention.sum(), strict=True))
    return sum(float(got[p]) for p, g in zip(POTTERS, GROUP, strict=True) if g == "village")


targets = {
    "equal shares": 0.5,
    "share of the items": 4 / 40,
    "merit": float(MERIT[3:].sum() / MERIT.sum()),
}
got = attention_of(POTTERS, logarithmic)
table(
    {
        "rule": targets,
        "due to the village": targets.values(),
        "it gets": [got] * 3,
        "gets / due": [got / due for due in targets.values()],
    },
    digits=3,
)

# %% [markdown]
# By merit the village gets too little. By its share of all potters it gets three and a half times
# what is due. The ranking is the same. The rule is a decision of people, and you have to name it.
#
# ## AWRF: compare the shares with what is due
#
# With two groups you can compare two shares. With ten groups you need a distance between two lists
# of shares. **AWRF** (attention-weighted rank fairness) compares the attention of groups with a
# target. The idea is from Sapiezynski et al. (2019), and Raj & Ekstrand (2022) compare it with
# other measures. Which distance to take is open. The Fair Ranking track of TREC (Ekstrand et al.
# 2022) and this package take 1 minus the Jensen-Shannon divergence. It compares both lists with
# their middle:
#
# $$\mathrm{AWRF} = 1-\frac{1}{2}\sum_c\left(e_c\log_2\frac{e_c}{m_c}+
# t_c\log_2\frac{t_c}{m_c}\right) \qquad m_c=\frac{e_c+t_c}{2}$$
#
# In words: $e_c$ is the share of attention that group $c$ gets, $t_c$ is the share that is due to
# it, and $m_c$ is the mean of both. Multiply each share by the logarithm of its ratio to the mean.
# Add up over the groups, halve the sum, and take it from 1. AWRF is 1 if all shares are as they
# should be. It is 0 if only groups get attention to which nothing is due.
#
# The package's attention is geometric, with $p = 0.5$ if you don't say otherwise. The target is the
# share of the items, or the one that you give:

# %%
groups = {potter: {group} for potter, group in zip(POTTERS, GROUP, strict=True)}
halves = 0.5 ** (ranks - 1) / (0.5 ** (ranks - 1)).sum()
e = np.array([halves[:3].sum(), halves[3:].sum()])
t = np.array([0.5, 0.5])
m = (e + t) / 2
by_hand = 1 - ((e * np.log2(e / m)).sum() + (t * np.log2(t / m)).sum()) / 2
assert np.isclose(by_hand, awrf(POTTERS, groups))
explain(awrf, POTTERS, groups)

# %%
predict(
    "Now the three village potters come first, and the three town potters follow. Half of the "
    "attention is due to each group. What is AWRF? The order before had 0.8637.",
    of=(awrf, ["Dora", "Emil", "Fay", "Ada", "Ben", "Clara"], groups),
    mistaken={1.0: "The village now gets 89 % of the attention. Half of it is due."},
)

# %%
reveal("It is 0.8637 again. AWRF says how far the shares are from the target, not which way.")

# %%
ORDERS = {
    "by relevance": POTTERS,
    "village first": ["Dora", "Emil", "Fay", "Ada", "Ben", "Clara"],
    "in turns": ["Ada", "Dora", "Ben", "Emil", "Clara", "Fay"],
    "one, two, two, one": ["Ada", "Dora", "Emil", "Ben", "Clara", "Fay"],
    "the same, worst mugs first": ["Clara", "Fay", "Emil", "Ben", "Ada", "Dora"],
}
relevance = dict(zip(POTTERS, MERIT.tolist(), strict=True))
table(
    {
        "order": ORDERS,
        "AWRF": [awrf(order, groups) for order in ORDERS.values()],
        "AWRF, p = 0.8": [awrf(order, groups, p=0.8) for order in ORDERS.values()],
        "nDCG": [ndcg(order, relevance) for order in ORDERS.values()],
    },
    digits=5,
)

# %% [markdown]
# Two orders in which the groups take turns are nearly fair, and nDCG hardly falls. Look at the last
# two rows. AWRF is the same, although the potters within each group changed their places. AWRF
# reads the groups alone. It sees neither relevance nor the single potter.

# %% [markdown]
# ## Equity of attention over many rankings
#
# Two mugs are equally good. One of them has to be first. With $p=0.5$ it gets twice the attention
# of the second. No single ranking gives both the same.
#
# But an engine answers the same query every day. Biega, Gummadi & Weikum (2018) ask for **equity of
# attention**: over many rankings, the attention of an item is to be in proportion to its relevance.
# Here is a small algorithm for it. Each morning it adds to every potter's account what is due on
# that day. It ranks the potters by what they still have to get:

# %%
due_each_day = MERIT / MERIT.sum()
ATTENTION = geometric / geometric.sum()


def received(days, *, fixed=False):
    """The attention that each potter got in so many days."""
    got = np.zeros(6)
    for day in range(1, days + 1):
        owed = MERIT if fixed else day * due_each_day - got
        got[np.argsort(-owed)] += ATTENTION
    return got


# %%
predict(
    "On day 1 the order is Ada, Ben, Clara, Dora, Emil, Fay. Who is first on day 2? Think of who "
    "got the least of what was due."
)

# %%
reveal("Fay, who was last. The order of day 2 is the reverse of that of day 1.")

# %% [markdown]
# Move the slider. The bars show each potter's share of all attention so far.


# %%
def after(days):
    """Shares of attention after so many days, with a fixed order and with equity."""
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for i, (label, got) in enumerate(
        {"fixed order": received(days, fixed=True), "equity of attention": received(days)}.items()
    ):
        axes.bar(
            np.arange(6) + (i - 0.5) * 0.4,
            got / days,
            width=0.4,
            color=plotting.PALETTE[i],
            hatch=plotting.HATCHES[i],
            edgecolor="white",
            label=label,
        )
    axes.plot(range(6), due_each_day, "k_", markersize=30, label="due")
    axes.set(ylabel="share of attention", ylim=(0, 0.36), title=f"Days so far: {days}")
    axes.set_xticks(range(6), POTTERS)
    axes.legend(loc="upper right", markerscale=0.5)
    return drawn


slider(
    after,
    name="days",
    values=[1, 2, 4, 8, 30],
    start=2,
    alt=lambda days: (
        f"Days so far: {days}. The shares of the fixed order go from 0.27 for Ada to 0.09 for Fay. "
        f"With equity they go from {(received(days) / days).max():.2f} down to "
        f"{(received(days) / days).min():.2f}; due is 0.16 to 0.17."
    ),
)

# %% [markdown]
# After a month each potter has almost exactly what is due. The price is that on many days the order
# is not the best one. Here it is small, because the mugs are almost equal. You can choose the order
# under a bound on nDCG, so that no day gets too bad.
#
# ## Expected exposure: rankings drawn at random
#
# An engine that does not keep accounts can draw its ranking at random. The **expected exposure** of
# a document is its attention, averaged over the rankings that the engine draws:
#
# $$\varepsilon_d = \frac{1}{n}\sum_{s=1}^{n} p^{\,r_s(d)-1}$$
#
# In words: $r_s(d)$ is the rank of document $d$ in sample $s$. Take the attention of that rank, and
# average over the $n$ samples.
#
# What is due? Diaz et al. (2020) imagine an **ideal engine**. It puts better grades first, and it
# shows all orders of equal grades equally often. The exposure in its rankings is the **target
# exposure** $\varepsilon^*_d$. Three numbers compare the two:
#
# $$\underbrace{\sum_d(\varepsilon_d-\varepsilon^*_d)^2}_{\text{EE-L}} =
# \underbrace{\sum_d\varepsilon_d^2}_{\text{EE-D}} -
# 2\,\underbrace{\sum_d\varepsilon_d\,\varepsilon^*_d}_{\text{EE-R}} + \sum_d{\varepsilon^*_d}^2$$
#
# In words: the loss is the sum of the squared differences. It is the disparity, less twice the
# relevance, plus a number that no engine can change. If all rankings are equally long, a lower
# disparity means that the exposure is more equal. (Shorter rankings give less exposure, so they
# lower the disparity, too.) A higher relevance means that more exposure goes where it is due.
#
# An example with three mugs: Ada's and Ben's are relevant, and Clara's is not. The user goes on
# with $p=0.5$, so the ranks get 1, 0.5 and 0.25. An ideal engine shows Ada first on half of the
# days, and Ben on the other half. Each of them is due $(1+0.5)/2=0.75$, and Clara is due 0.25.

# %%
judgments = {"Ada": 1, "Ben": 1, "Clara": 0}
always = [["Ada", "Ben", "Clara"]]
predict(
    "An engine always shows Ada, Ben, Clara. What is its EE-L? Add the three squared differences.",
    0.125,
    mistaken={
        0.0: "Its nDCG is 1, but Ada gets 1 instead of 0.75, and Ben 0.5 instead of 0.75.",
        0.0625: "That is the squared difference of one of them. Add up over all documents.",
        0.5: "That is the sum of the differences. Square each of them first.",
    },
)

# %%
expected = np.array([1, 0.5, 0.25])
target = np.array([0.75, 0.75, 0.25])
disparity = (expected**2).sum()
relevance_part = (expected * target).sum()
by_hand = disparity - 2 * relevance_part + (target**2).sum()
assert np.isclose(by_hand, ((expected - target) ** 2).sum())
assert np.isclose(by_hand, expected_exposure(always, judgments).value)
reveal(explain(expected_exposure(always, judgments)))

# %% [markdown]
# The order is perfect, its nDCG is 1, and it still has a loss: Ada and Ben are equally good and are
# not equally seen. Now the engine tosses a coin:

# %%
predict(
    "A coin decides whether Ada or Ben comes first. Clara stays last. EE-D was 1.3125. What is it "
    "now?",
    1.1875,
    mistaken={
        1.3125: "That is the mean of the disparity of two rankings. Average the exposure first.",
        0.0: "That is EE-L. EE-D is the sum of the squares of 0.75, 0.75 and 0.25.",
    },
)

# %%
coin = [["Ada", "Ben", "Clara"], ["Ben", "Ada", "Clara"]]
any_order = [
    [a, b, c] for a in judgments for b in judgments for c in judgments if len({a, b, c}) == 3
]
ENGINES = {"always Ada first": always, "a coin": coin, "any order": any_order}
worked = [expected_exposure(samples, judgments) for samples in ENGINES.values()]
reveal(
    table(
        {
            "engine": ENGINES,
            "EE-D": [w["EE-D"][0] for w in worked],
            "EE-R": [w["EE-R"][0] for w in worked],
            "EE-L": [w.value for w in worked],
            "mean nDCG": [
                np.mean([ndcg(s, judgments) for s in samples]) for samples in ENGINES.values()
            ],
        },
        caption="The coin has no loss, and its nDCG is still 1. An engine that shows any order has "
        "the lowest disparity, but it shows Clara too much: EE-R falls and the loss rises.",
    )
)

# %% [markdown]
# ## A randomised policy: less disparity for some nDCG
#
# A coin between equal grades costs nothing. But an engine does not know the grades. It has scores,
# and some of them are wrong. It can randomise by its scores: documents with near scores change
# places often, and documents with distant scores seldom.
#
# The **Plackett-Luce** policy does this. It adds random noise to each score and sorts. The
# **temperature** multiplies the noise. With temperature 0 the order is fixed. With a high
# temperature all orders are nearly equally probable. The noise has the Gumbel distribution. Here
# the scores are good but not perfect: document *c* is not relevant and has the third score.

# %%
SCORES = np.array([3.0, 2.6, 2.4, 2.2, 1.6, 1.4, 1.0, 0.7, 0.4, 0.1])
GRADES = {"a": 1, "b": 1, "c": 0, "d": 1, "e": 1, "f": 0, "g": 0, "h": 0, "i": 0, "j": 0}


def drawn_rankings(temperature, samples=300, seed=0):
    """Rankings drawn by the Plackett-Luce policy."""
    rng = np.random.default_rng(seed)
    noisy = SCORES + temperature * rng.gumbel(size=(samples, len(SCORES)))
    documents = np.array(list(GRADES))
    return [documents[np.argsort(-row)].tolist() for row in noisy]


# %%
TEMPERATURES = [0, 0.3, 0.6, 1, 2, 4, 20]
SAMPLED = {t: drawn_rankings(t) for t in TEMPERATURES}
WORKED = {t: expected_exposure(samples, GRADES, p=0.8) for t, samples in SAMPLED.items()}
NDCG = {t: float(np.mean([ndcg(s, GRADES) for s in found])) for t, found in SAMPLED.items()}

# %% [markdown]
# One sample of 300 rankings is one draw. So draw nine more (seeds 1 to 9), for disparity, nDCG and
# loss at each temperature:


# %%
def disparity_and_ndcg(temperature, seed):
    """EE-D, mean nDCG and EE-L of 300 rankings."""
    drawn = drawn_rankings(temperature, seed=seed)
    worked = expected_exposure(drawn, GRADES, p=0.8)
    return worked["EE-D"][0], np.mean([ndcg(one, GRADES) for one in drawn]), worked.value


AGAIN = np.array([[disparity_and_ndcg(t, seed) for t in TEMPERATURES] for seed in range(10)])

# %%
predict(
    "You raise the temperature from 0 to 20. Mean nDCG falls and the disparity EE-D falls. What "
    "does the loss EE-L do: does it fall all the way, rise all the way, or neither? Then move the "
    "slider."
)


# %%
def policy(temperature):
    """Who is seen under a temperature, and the trade of utility against disparity."""
    worked = WORKED[temperature]
    place = {d: i for i, d in enumerate(worked["document"])}
    order = [place[d] for d in GRADES]
    drawn, (left, right) = plt.subplots(1, 2, figsize=(8.0, 3.6), layout="constrained")
    colour = [plotting.PALETTE[2] if g else "0.7" for g in GRADES.values()]
    hatch = ["" if g else "//" for g in GRADES.values()]
    bars = worked["expected exposure"][order]
    left.bar(list(GRADES), bars, color=colour, hatch=hatch, edgecolor="white")
    left.plot(range(10), worked["target exposure"][order], "k_", markersize=14, label="target")
    left.set(ylabel="expected exposure", ylim=(0, 1.05), xlabel="document (striped: not relevant)")
    left.set_title(f"Temperature {temperature:g}: EE-L {worked.value:.2f}")
    left.legend()
    for of_seed in AGAIN:
        right.plot(of_seed[:, 0], of_seed[:, 1], color="0.7", linewidth=0.5)
    disparity = [WORKED[t]["EE-D"][0] for t in TEMPERATURES]
    right.plot(disparity, list(NDCG.values()), marker=".", color="0.5")
    right.plot(worked["EE-D"][0], NDCG[temperature], "o", ms=11, color=plotting.PALETTE[3])
    right.set(xlabel="EE-D (lower is more equal)", ylabel="mean nDCG", ylim=(0.65, 1))
    right.set_title(f"nDCG {NDCG[temperature]:.2f}, EE-D {worked['EE-D'][0]:.2f}")
    return drawn


slider(
    policy,
    name="temperature",
    values=TEMPERATURES,
    start=0,
    alt=lambda t: (
        f"Temperature {t:g}. Left: bars of expected exposure of ten documents with their targets; "
        f"EE-L is {WORKED[t].value:.2f}. Right: a rising curve of mean nDCG over EE-D, with nine "
        f"other draws close to it, and a mark at nDCG {NDCG[t]:.2f} and EE-D "
        f"{WORKED[t]['EE-D'][0]:.2f}."
    ),
)

# %%
least = int((AGAIN[:, :, 2].argmin(axis=1) == TEMPERATURES.index(1)).sum())
reveal(
    "Neither: the loss falls until temperature 1, and then rises. "
    f"(It is so in {least} of 10 draws.) Some randomness gives relevant "
    "documents their due. Too much of it gives exposure to documents that are not relevant."
)

# %% [markdown]
# The right plot is the **trade of utility against disparity**. Each point is a policy. An engine is
# better than another one if it has the higher nDCG at the same disparity. Which point to take is
# not in the plot: somebody has to decide what a hundredth of nDCG is worth.
#
# ## What these numbers can't say
#
# **Who made the groups?** A group is a label that somebody gave. A potter can live in the town and
# work in the village. A potter with no label is often left out, and then the number can be far from
# the true one. Suppose that nobody knows where Ben and Clara live:

# %%
partly = {**groups, "Ben": set(), "Clara": set()}
guess = {**groups, "Ben": {"village"}, "Clara": {"village"}}
predict(
    "Ben and Clara have no label. Their attention is left out. Suppose that half of the attention "
    "is due to each group. Can AWRF change much once you learn where the two live?"
)

# %%
half = {"town": 0.5, "village": 0.5}
reveal(
    table(
        {
            "Ben and Clara live": ["unknown", "in the village", "in the town"],
            "AWRF": [awrf(POTTERS, labels, target=half) for labels in (partly, guess, groups)],
        },
        caption="Yes. The same ranking is nearly fair or quite unfair. Report how many items have "
        "no label, and the lowest and the highest AWRF that labels could give. Try all labels: the "
        "highest value may come from items of both groups.",
    )
)

# %% [markdown]
# **Groups or single items?** A ranking can be fair to groups and unfair to one item. Suppose that
# you show *Ada, Dora, Emil, Ben, Clara, Fay* every day. The groups get nearly equal attention, and
# Fay gets the least attention for ever. AWRF does not see it. Expected exposure does, because it
# compares single documents. It does not see groups in turn.
#
# **What is the target?** Merit is not neutral. The relevance comes from judges or from clicks, and
# both can carry an old bias. Only what is shown can be clicked. If clicks made the relevance,
# exposure in proportion to clicks keeps up the bias (notebook 22).
#
# **What happens next?** Exposure is not income. Whether someone is treated fairly is a question to
# the people concerned.

# %%
quiz(
    "A report says: 'Our search is fair: AWRF is 0.98.' Which three things are missing before the "
    "number means anything? Choose the best answer.",
    {
        "The mean, the variance, and the number of queries": (
            False,
            "They are good to have. But without groups and target the number has no meaning.",
        ),
        "The groups, the target, and the attention": (
            True,
            "Other groups, another target or another p can give the same rankings another number.",
        ),
        "Precision, recall and nDCG": (
            False,
            "They belong beside AWRF. They don't say what AWRF compared.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - Exposure is the attention that a ranking gives. It depends on a model of the user: logarithmic,
#   geometric, cascade.
# - A measure of fairness compares exposure with what is due. People decide what is due.
# - AWRF compares groups in one ranking. Expected exposure compares documents over many rankings:
#   EE-D is the disparity, EE-R the relevance, and EE-L the loss.
# - One fixed ranking can't treat equal documents equally. Several rankings in turn can, and so can
#   rankings drawn at random.
# - Report the groups, the target, the model of attention, and how many labels are missing.
#
# **Read on.**

# %%
reading(
    "Singh 2018", "Biega 2018", "Sapiezynski 2019", "Diaz 2020", "Raj 2022", "Ekstrand 2022",
)  # fmt: skip
