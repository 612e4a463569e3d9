# %% [markdown]
# # 15. Online: clicks, interleaving, and A/B tests
#
# **Goals.** After this notebook you can
#
# - explain why a click is not a judgment, and correct click rates for position bias;
# - interleave two rankings by hand, and say when interleaving or an A/B test fits better;
# - choose the unit of an A/B test and its number of users, and explain what peeking does;
# - estimate from an old log how a new ranker would do, and say when nobody can.
#
# **Time.** 65 minutes. **Needs.** Notebook 2 (a ranking is not a set); notebook 5 (many queries);
# what a mean, a standard error and a p-value are.

# %%
from itertools import product
from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import stdtr

from irmetrics_edu import explain
from irmetrics_edu.course import (
    figure,
    load_collection,
    predict,
    quiz,
    reading,
    reveal,
    slider,
    table,
    terms,
)
from irmetrics_edu.lab import (
    Cascade,
    Chance,
    PositionBased,
    attractiveness,
    balanced,
    difference,
    ips,
    preference,
    relative_examination,
    snips,
    team_draft,
    users_needed,
)
from irmetrics_edu.runs import sign
from irmetrics_edu.views import plotting
from irmetrics_edu.views.formatting import number

# %% [markdown]
# Judges are few and costly. Users are many, and each click costs nothing. This chapter is about
# what clicks can tell you, and what they can't. All users here are simulated, so you always know
# the truth and can see which method finds it. These are the terms:

# %%
terms(
    "examination",
    "attractiveness",
    "position bias",
    "interleaving",
    "A/B test",
    "statistical power",
    "propensity",
    "support",
)

# %% [markdown]
# ## A click is not a judgment
#
# A shop shows four pans, always in the order p, q, r, s. After a week pan p has the most clicks. Is
# p the best pan? Perhaps. But p also stands at the top, and many users never look further down.
#
# A click needs two things. First, the user **examines** the rank: the user looks there. Second, the
# document **attracts** the user. The **position-based model** makes both a probability:
#
# $$P(\text{click at } i) = e_i \cdot a_{d_i}$$
#
# In words: the probability of a click at rank $i$ is the probability $e_i$ that a user examines
# rank $i$, times the attractiveness $a$ of the document $d_i$ there. In numpy:

# %%
EXAMINED = np.array([1.0, 0.6, 0.4, 0.2])
ATTRACTS = {"p": 0.5, "q": 0.3, "r": 0.4, "s": 0.6}
by_hand = EXAMINED * np.array(list(ATTRACTS.values()))
user = PositionBased(EXAMINED)
assert np.isclose(by_hand, user.click_probabilities(list(ATTRACTS.values()))).all()
table({"rank": [1, 2, 3, 4], "document": list(ATTRACTS), "P(click)": by_hand}, digits=2)

# %%
predict(
    "Half of all users look at rank 3. Four of five users who look at pan t click it. What is the "
    "probability of a click on pan t at rank 3?",
    0.4,
    mistaken={
        0.8: "That is the attractiveness. A user has to look at rank 3 first.",
        1.3: "That is the sum. Both things have to happen, so multiply.",
        0.3: "Both things have to happen, so multiply: do not subtract.",
    },
)

# %%
reveal("0.5 times 0.8 is 0.4.")

# %% [markdown]
# Now let 5,000 simulated users search. For each user and rank, the simulation draws whether there
# is a click. The seed makes the draws the same on every machine.

# %%
clicks = user.simulate(list(ATTRACTS.values()), 5000, seed=1)
rates = clicks.mean(axis=0)
drawn, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
places = np.arange(4)
axes.bar(places - 0.2, list(ATTRACTS.values()), 0.4, color=plotting.PALETTE[0], label="attracts")
axes.bar(places + 0.2, rates, 0.4, color=plotting.PALETTE[1], hatch="//", label="click rate")
axes.set_xticks(places, [f"{d}, rank {i}" for i, d in enumerate(ATTRACTS, 1)])
axes.set(ylim=(0, 1), ylabel="share of users", title="What attracts, and what is clicked")
axes.legend()
figure(
    drawn,
    alt="Bars for four pans. Pan s attracts 0.6 of the users who look, and its click rate is only "
    f"{number(float(rates[3]), 2)} at rank 4. Pan p attracts 0.5, has the click rate "
    f"{number(float(rates[0]), 2)} at rank 1, and is clicked most.",
)

# %%
predict(
    "The shop sorts its pans by click rate every night. Pan s is the best pan, and it stands at "
    "rank 4. Will pan s ever reach rank 1?"
)

# %%
reveal(
    "Hardly. The expected click rates are 0.5, 0.18, 0.16 and 0.12, in just this order, so on "
    "average the sort changes nothing. Chance can swap q and r after a night with few clicks. But "
    "s would have to get more clicks than p, from a fifth of the looks. Each pan keeps its rank "
    "because of its rank. This is called 'the rich get richer'."
)

# %% [markdown]
# ## The cascade model: documents compete
#
# In the position-based model the pans do not disturb each other. The **cascade model** says
# otherwise. A user reads from the top, clicks the first document that attracts, and stops.
#
# $$P(\text{click at } i) = a_{d_i} \prod_{j<i} (1 - a_{d_j})$$
#
# In words: a user clicks at rank $i$ if no document $d_j$ above it attracts, and the document at
# rank $i$ does. The product is the share of users who get to rank $i$:

# %%
attracted = np.array(list(ATTRACTS.values()))
arrives = np.concatenate([[1.0], np.cumprod(1 - attracted)[:-1]])
by_hand = arrives * attracted
assert np.isclose(by_hand, Cascade().click_probabilities(attracted)).all()
table({"document": list(ATTRACTS), "gets there": arrives, "P(click)": by_hand})

# %%
predict(
    "Users follow the cascade model. Pan s, with attractiveness 0.6, now stands at rank 1. Which "
    "share of the users gets to rank 2?",
    0.4,
    mistaken={0.6: "That is the share of users who click at rank 1 and stop."},
)

# %%
orders = {"p first": "pqrs", "s first": "spqr"}
reveal(
    table(
        {
            "document": list("pqrs"),
            **{
                name: [
                    float(Cascade().click_probabilities([ATTRACTS[d] for d in order])[i])
                    for i in map(order.index, "pqrs")
                ]
                for name, order in orders.items()
            },
        },
        caption="0.4: all others click s and stop. P(click) of each pan changes with the pans "
        "above it.",
    )
)

# %% [markdown]
# Both models are simple. Craswell et al. (2008) compared such models on the log of a web search
# engine. There the cascade model explained the early ranks best. Later models let a user click
# several times or come back unsatisfied. In the rest of this chapter users follow the
# position-based model, because its correction is easy to compute.
#
# ## Estimate position bias, and correct for it
#
# How can you learn $e_i$? Change the order at random. If each pan is at each rank equally often,
# then all ranks show pans of the same mean attractiveness. Only examination still differs. So the
# click rates of the ranks show the examination, relative to rank 1. (Here all users examine rank 1,
# so these are the $e_i$ themselves.)


# %%
def shuffled_log(sessions, seed):
    """What simulated users saw, in random order, and what they clicked."""
    chance = Chance(seed)
    order = chance.uniform(sessions, 4).argsort(axis=1)
    wanted = EXAMINED * np.array(list(ATTRACTS.values()))[order]
    return order, chance.uniform(sessions, 4) < wanted


_, clicked = shuffled_log(5000, seed=2)
rates = clicked.mean(axis=0)
by_hand = rates / rates[0]
assert np.isclose(by_hand, relative_examination(clicked)).all()
table({"rank": [1, 2, 3, 4], "click rate": rates, "estimate": by_hand, "truth": EXAMINED}, digits=2)

# %% [markdown]
# With the examination you can correct the clicks of every later log. Here is an example first. Pan
# s was shown 1,000 times at rank 4 and got 120 clicks. Only about 200 users looked. So its
# attractiveness is about 120 / 200 = 0.6, not 120 / 1,000.
#
# $$\hat{a}_d = \frac{\text{clicks on } d}{\sum_{s} e_{\mathrm{rank}(d,s)}}$$
#
# In words: divide the clicks of a document $d$ by the number of times that users are expected to
# have examined it. Add up the examination of its rank over all sessions $s$. In numpy, for the
# first week of the shop, in which the order was always p, q, r, s:

# %%
by_hand = clicks.sum(axis=0) / (len(clicks) * EXAMINED)
week = [list("pqrs")] * len(clicks)
corrected = attractiveness(week, clicks, EXAMINED)
assert np.isclose(by_hand, list(corrected.values())).all()
table(
    {
        "document": list("pqrs"),
        "click rate": clicks.mean(axis=0),
        "corrected": by_hand,
        "truth": list(ATTRACTS.values()),
    },
    digits=2,
)

# %% [markdown]
# The correction finds that s is the best pan, although s was never shown above rank 4.
#
# An estimate from few sessions is noisy. Move the slider: each point is the examination of a rank,
# estimated ten times from ten logs of so many sessions. Rank 1 is always 1, because all click rates
# are divided by that of rank 1.


# %%
def estimates(sessions):
    """Examination, estimated ten times."""
    found = [relative_examination(shuffled_log(sessions, seed)[1]) for seed in range(10)]
    drawn, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    for one in found:
        axes.plot(range(1, 5), one, "o", color=plotting.PALETTE[0], alpha=0.5)
    axes.plot(range(1, 5), EXAMINED, "_", color=plotting.PALETTE[3], markersize=28, label="truth")
    axes.set(xlabel="rank", ylabel="examination", ylim=(0, 1.3), title=f"{sessions} sessions")
    axes.set_xticks(range(1, 5))
    axes.legend()
    return drawn


slider(
    estimates,
    name="sessions",
    values=[100, 1000, 10000],
    start=100,
    alt=lambda sessions: (
        f"Ten estimates of the examination at ranks 1 to 4 from {sessions} sessions each, around "
        "the truth of 1, 0.6, 0.4 and 0.2. More sessions bring the estimates closer together."
    ),
)

# %% [markdown]
# A shuffled order is a bad order, and real users have to bear it. Joachims, Swaminathan & Schnabel
# (2017) swap only two ranks of a session, for a small part of the traffic. That costs much less.
#
# ## Interleaving: let each user compare
#
# Now there are two rankers, A and B, and you want to know which one users prefer. You could ask
# users for grades, but they would not answer. **Interleaving** makes one list from both rankings
# and looks at whose documents get the clicks. Users do not notice it.
#
# **Team draft** works as before a football game. Two captains choose their teams. In each round a
# coin says who chooses first. Each captain takes the best player who is still free. Here A ranks p,
# q, r, s, and B ranks q, r, s, p. Suppose that A wins the first coin and B wins the second one.

# %%
A, B = ["p", "q", "r", "s"], ["q", "r", "s", "p"]
chosen, teams = [], []
for first in "AB":  # the coins
    for captain in (first, "B" if first == "A" else "A"):
        ranking = A if captain == "A" else B
        chosen.append(next(d for d in ranking if d not in chosen))
        teams.append(captain)
draft = team_draft(A, B, first="AB")
assert (chosen, teams) == (list(draft.documents), list(draft.teams))
table({"rank": [1, 2, 3, 4], "document": draft.documents, "chosen by": list(draft.teams)})

# %% [markdown]
# **Credit** goes to the team that chose the clicked document. The ranking with more credit wins the
# impression: its sign is 1 if A wins, -1 if B wins, and 0 for a tie.

# %%
predict(
    "A user sees this list and clicks q, r and s. How many of the clicks does B get credit for?",
    2,
    mistaken={
        3: "All three stand high in B, but A chose s: credit goes to the team that chose it.",
        1: "B chose q, and B also won the second coin and chose r.",
    },
)

# %%
reveal(f"{draft.credit(['q', 'r', 's'])}: B chose q and r, and A chose s. B wins this impression.")

# %% [markdown]
# An older method is **balanced** interleaving (Joachims 2002). It takes documents from A and B in
# turn, and skips those that the list already has. One coin says who begins. For the credit, find
# the lowest click. Let $k$ be the smallest depth at which A or B shows that document. Each ranking
# gets the clicks on its own first $k$ documents. The method looks fair. Is it?

# %%
predict(
    "A lazy user clicks one document at random: p, q, r or s. The rankings are those above. Which "
    "share of the impressions does B win under balanced interleaving?",
    0.75,
    mistaken={0.5: "That would be fair. Work it out for a click on r: k is 2, and B has r there."},
)

# %%
for_either_coin = [balanced(A, B, first=coin) for coin in "AB"]
every_draft = [team_draft(A, B, first="".join(coins)) for coins in product("AB", repeat=2)]
wins = {
    name: [sum(one.credit([d]).sign == -1 for one in lists) / len(lists) for d in A]
    for name, lists in (("balanced", for_either_coin), ("team draft", every_draft))
}
reveal(
    table(
        {"the click": [*A, "mean"], **{n: [*w, sum(w) / 4] for n, w in wins.items()}},
        digits=2,
        caption="The share of impressions that B wins, over all coins. Three of four random clicks "
        "make B win in the balanced list. B is A with p at the end, so the others stand higher in "
        "B. In the team draft a random click prefers nobody.",
    )
)

# %% [markdown]
# Radlinski, Kurup & Joachims (2008) found this flaw, and they invented the team draft to avoid it.
#
# Many impressions make a **preference**: the share that A wins, less one half. A tie counts as half
# a win. Here are ten impressions:

# %%
signs = [1, 1, 0, -1, 1, 1, 0, 1, -1, 1]
by_hand = (signs.count(1) + signs.count(0) / 2) / len(signs) - 1 / 2
assert np.isclose(by_hand, preference(signs).value)
explain(preference(signs))

# %%
reveal(
    f"The sign test gives p = {number(sign(6, 2), 2)} for 6 wins and 2 losses. Ten impressions are "
    "far too few.",
    summary="Is this preference more than chance?",
)

# %% [markdown]
# ## Why interleaving needs fewer users
#
# An **A/B test** gives one group of users ranker A and another group ranker B. Then it compares the
# groups, for example by clicks per session. But users differ. Some click all the time, and some
# hardly click at all. This difference is much larger than the one between two good rankers.
#
# In an interleaved list each user compares A with B. An eager user clicks more documents of both
# teams, and that cancels. Let us see how much this brings. Ranker B swaps two documents, so that
# the better one is at rank 2. The most eager users then click 1.085 times in place of 1.045. Each
# experiment is repeated 100 times.

# %%
LOOKED = np.array([1.0, 0.6, 0.4, 0.25, 0.15])
WORTH = dict(zip("vwxyz", [0.6, 0.3, 0.5, 0.2, 0.1], strict=True))
OLD, NEW = list("vwxyz"), list("vxwyz")
REPEATS, SIZES = 100, [200, 500, 1000, 2000, 4000, 8000]
chance = Chance(3)
by_list = PositionBased(LOOKED)


def click_chances(documents):
    """The probability of a click at each rank, for the most eager users."""
    return by_list.click_probabilities([WORTH[d] for d in documents])


def clicks_of(p, users):
    """Clicks of users; some are eager, and most are less so."""
    eager = np.minimum(1, 2 * chance.uniform(REPEATS, users) ** 2)
    return chance.uniform(REPEATS, users, 5) < p * eager[..., None]


# %% [markdown]
# A team draft of five documents has three rounds, so there are eight ways for the coins to fall.
# Each session draws one of these lists. Both methods count a win of B as found if the mean is more
# than 1.96 standard errors above 0:


# %%
def found(better):
    """How often B is found to be better, significantly."""
    z = better.mean(axis=1) / better.std(axis=1) * np.sqrt(better.shape[1])
    return float((z > 1.96).mean())


DRAFTS = [team_draft(OLD, NEW, first="".join(coins)) for coins in product("AB", repeat=3)]
CHANCES = np.array([click_chances(one.documents) for one in DRAFTS])
FOR_B = np.array([[1 if team == "B" else -1 for team in one.teams] for one in DRAFTS])
powers = {"A/B test": [], "interleaving": []}
for size in SIZES:
    group_a, group_b = (clicks_of(click_chances(r), size // 2).sum(axis=2) for r in (OLD, NEW))
    powers["A/B test"].append(found(group_b - group_a.astype(float)))
    drafted = (chance.uniform(REPEATS, size) * len(DRAFTS)).astype(int)
    credit = np.sign((clicks_of(CHANCES[drafted], size) * FOR_B[drafted]).sum(axis=2))
    powers["interleaving"].append(found(credit))

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, (method, power) in enumerate(powers.items()):
    axes.plot(SIZES, power, marker="os"[i], color=plotting.PALETTE[i], label=method)
axes.axhline(0.8, color="grey", linestyle=":", label="power 0.8")
axes.set(xlabel="sessions in all", ylabel="finds that B is better", ylim=(0, 1.05))
axes.legend()
figure(
    drawn,
    alt="The share of experiments that find the better ranker, by the number of sessions. "
    f"Interleaving reaches {number(powers['interleaving'][-2], 2)} with 4,000 sessions, and the "
    f"A/B test has {number(powers['A/B test'][-1], 2)} with 8,000.",
)

# %% [markdown]
# Chapelle et al. (2012) compared both on real search engines, and interleaving needed far fewer
# sessions there too. But it has limits:
#
# - It compares two rankings of the same kind of result. It can't compare page designs.
# - It gives a preference. It can't say how many users come back, or how much they buy.
# - It says which ranker wins more impressions, and not by how much the better list is better.
#
# So many teams interleave first, and test the winner in an A/B test.
#
# ## On a real collection
#
# The collection *stdlib* has a hundred topics and three engines (notebook 1). Language models gave
# its grades, not people. Let a simulated user click by these grades: a document of grade 3 attracts
# nine clicks in ten looks, and a document of grade 0 one in twenty. Each topic is drafted ten times
# from the first five documents of two engines.

# %%
collection = load_collection("stdlib")
GRADES, RUNS = collection.qrels["deep"], collection.runs
BY_GRADE = [0.05, 0.3, 0.6, 0.9]


def drafted_signs(one, other):
    """Who wins each impression: 1 for the first engine, -1 for the second, 0 for nobody."""
    chance, won = Chance(8), []
    for topic, grades in GRADES.items():
        tops = [list(RUNS[name][topic])[:5] for name in (one, other)]
        for _ in range(10):
            coins = "".join("AB"[int(u < 0.5)] for u in chance.uniform(5))
            draft = team_draft(*tops, first=coins, length=5)
            attracts = [BY_GRADE[grades.get(d, 0)] for d in draft.documents]
            p = by_list.click_probabilities(attracts)
            looks = zip(draft.documents, p, chance.uniform(len(p)), strict=True)
            won.append(draft.credit([d for d, click, u in looks if u < click]).sign)
    return won


# %%
predict(
    "By nDCG@5, fts5 has 0.61, bm25 has 0.58 and lsa has 0.41. How often does fts5 win against "
    "lsa, and against bm25, in 1,000 impressions each?"
)

# %%
pairs = {other: drafted_signs("fts5", other) for other in ("bm25", "lsa")}
reveal(
    table(
        {
            "fts5 against": list(pairs),
            "wins": [signs.count(1) for signs in pairs.values()],
            "losses": [signs.count(-1) for signs in pairs.values()],
            "ties": [signs.count(0) for signs in pairs.values()],
            "preference": [preference(signs).value for signs in pairs.values()],
        },
        digits=2,
        caption="The clicks agree with nDCG: fts5 is far ahead of lsa, and about as good as bm25. "
        "The user clicks by the grades, so clicks and nDCG have the same source here. With real "
        "users they can disagree.",
    )
)

# %% [markdown]
# ## A/B tests: which unit?
#
# An A/B test draws the group of each **unit of randomisation** by a coin. Usually the unit is a
# user: then a user always sees the same ranker. The difference of the means has a standard error,
# and their quotient $t$ says whether chance explains it:
#
# $$t = \frac{\bar{x}_B - \bar{x}_A}{\sqrt{s_A^2/n_A + s_B^2/n_B}}$$
#
# In words: take the difference of both means $\bar{x}$. Divide it by the root of the sum of both
# variances $s^2$, each over its number $n$ of units. Few units estimate a variance badly, so $t$ is
# compared with Student's t, whose tails are heavier than the normal ones. Welch's degrees of
# freedom follow from the two parts under the root, $v_A = s_A^2/n_A$ and $v_B = s_B^2/n_B$:
#
# $$f = \frac{(v_A + v_B)^2}{v_A^2/(n_A-1) + v_B^2/(n_B-1)}$$

# %%
group_a, group_b = np.array([0, 2, 1, 0, 3, 1]), np.array([2, 3, 1, 2, 4, 2])
of_a, of_b = group_a.var(ddof=1) / 6, group_b.var(ddof=1) / 6
t = (group_b.mean() - group_a.mean()) / np.sqrt(of_a + of_b)
freedom = (of_a + of_b) ** 2 / (of_a**2 / 5 + of_b**2 / 5)
by_hand = 2 * stdtr(freedom, -abs(t))
assert np.isclose(by_hand, difference(group_a, group_b)["p-value"])
explain(difference(group_a, group_b))

# %% [markdown]
# (Six users a group are for paper only: see how few degrees of freedom they leave.)
#
# Each user has several sessions. Why not count sessions? Then there are ten times as many numbers.
# Try it in an **A/A test**: both groups get the same ranker, so every alarm is a false alarm. There
# are 200 users in each group with ten sessions each. Half of the users click in 10 % of their
# sessions, and the other half in 50 %.

# %%
predict(
    "A test at the level 0.05 gives a false alarm in 5 of 100 A/A tests. Here each session counts "
    "as a unit. In how many of 100 A/A tests do you expect a false alarm?"
)

# %%
chance = Chance(4)
RATES = np.where(chance.uniform(1000, 2, 200) < 0.5, 0.1, 0.5)
per_session = chance.uniform(1000, 2, 200, 10) < RATES[..., None]


def false_alarms(values):
    """The share of A/A tests whose p-value is below 0.05; values by test, group and unit."""
    mean, square = values.mean(axis=2), values.var(axis=2, ddof=1) / values.shape[2]
    z = (mean[:, 1] - mean[:, 0]) / np.sqrt(square.sum(axis=1))
    return float((abs(z) > 1.96).mean())


units = {
    "session": false_alarms(per_session.reshape(1000, 2, -1)),
    "user": false_alarms(per_session.mean(axis=3)),
}
reveal(
    table(
        {"unit": units, "false alarms": units.values()},
        digits=3,
        caption="The ten sessions of a user are alike. They say less than ten sessions of ten "
        "users, and the test does not know. Count the units that you randomised.",
    )
)

# %% [markdown]
# ## How many users, and when to look
#
# Decide how many users you need before you start. Say that 30 % of the users click. You want to
# find a lift of two percentage points with power 0.8, at the level 0.05. For each group you need
#
# $$n = \frac{(z_{0.975} + z_{0.8})^2 \left[p_A(1-p_A) + p_B(1-p_B)\right]}{(p_B - p_A)^2}$$
#
# In words: the $z$ are quantiles of the normal distribution, 1.96 and 0.84. Square their sum,
# multiply it by the sum of the variances of both rates $p$, and divide by the squared lift.

# %%
before, after = 0.30, 0.32
z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
by_hand = z**2 * (before * (1 - before) + after * (1 - after)) / (after - before) ** 2
assert np.isclose(np.ceil(by_hand), users_needed(0.30, 0.02))
users_needed(0.30, 0.02)

# %%
predict(
    "You want to find a lift of one point in place of two. About how many times as many users do "
    "you need?",
    4,
    mistaken={
        2: "The lift is squared in the formula, so half of it costs more than twice as many."
    },
)

# %%
reveal(f"Four times as many, about: {users_needed(0.30, 0.01):,} users in each group.")

# %% [markdown]
# **Peeking.** A manager looks at the p-value every day, and stops the test as soon as it is below
# 0.05. This seems harmless, because each look is a proper test. Here are A/A tests again: 500 of
# them, with 2,000 users a group. A manager looks at them 1, 2, 5, 10 or 20 times, evenly spread.

# %%
predict("Of 100 A/A tests at the level 0.05, how many seem significant at least once in 10 looks?")

# %%
chance = Chance(5)
per_user = chance.uniform(500, 2, 2000) < 0.3
so_far = per_user.cumsum(axis=2)
LOOKS = [1, 2, 5, 10, 20]
alarms = []
for looks in LOOKS:
    n = 2000 * np.arange(1, looks + 1) // looks
    mean = so_far[:, :, n - 1] / n
    error = np.sqrt((mean * (1 - mean)).sum(axis=1) / n)
    alarms.append(float((abs(mean[:, 1] - mean[:, 0]) > 1.96 * error).any(axis=1).mean()))
drawn, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
axes.plot(LOOKS, alarms, marker="o", color=plotting.PALETTE[0])
axes.axhline(0.05, color="grey", linestyle=":", label="the level, 0.05")
axes.set(xlabel="looks", ylabel="false alarms", ylim=(0, 0.35), xticks=LOOKS)
axes.legend()
reveal(
    figure(
        drawn,
        alt="The share of A/A tests with a false alarm rises with the number of looks: "
        + ", ".join(f"{number(a, 2)} at {n}" for n, a in zip(LOOKS, alarms, strict=True))
        + ".",
    )
)

# %% [markdown]
# Each look is one more chance to be unlucky. Fix the number of users first, and test once. If you
# have to look earlier, use a sequential test, which is made for that.
#
# ## From logs: what would a new ranker have done?
#
# Every test so far showed a new ranker to users. Can you judge it without that, from last month's
# log? A click under the old ranker says nothing about a list that the user never saw. But if the
# old system chose **at random** among lists, some users saw what the new ranker would choose.
#
# An example. For one query there are three lists: X, Y and Z. The old system chose X with the
# probability 0.6, Y with 0.3, and Z with 0.1. A new system would choose them with 0.1, 0.2 and 0.7.
# Such a rule is a **policy**. Here are five lines of the log:

# %%
OLD_POLICY = {"X": 0.6, "Y": 0.3, "Z": 0.1}
NEW_POLICY = {"X": 0.1, "Y": 0.2, "Z": 0.7}
lists, reward = ["Y", "X", "X", "Z", "Y"], np.array([1, 0, 0, 1, 0])
logged = np.array([OLD_POLICY[one] for one in lists])
new = np.array([NEW_POLICY[one] for one in lists])
weight = new / logged
table({"list": lists, "click": reward, "old": logged, "new": new, "weight": weight}, digits=2)

# %% [markdown]
# The new policy would show Z seven times as often as the old one did. So one line with Z stands for
# seven. This is the **inverse propensity score** (IPS; Horvitz & Thompson 1952, for samples of a
# population). The *propensity* is the old probability.
#
# $$\hat{V}_{\mathrm{IPS}} = \frac{1}{n} \sum_{t=1}^{n} r_t \, w_t
# \qquad w_t = \frac{\pi(a_t)}{\pi_0(a_t)}$$
#
# In words: $r_t$ is the reward of line $t$, here 1 for a click. Its weight $w_t$ is the probability
# of its choice $a_t$ under the new policy $\pi$, over that under the logging policy $\pi_0$.
# Multiply rewards by weights, and take the mean over all $n$ lines.

# %%
by_ips = (reward * weight).sum() / len(reward)
assert np.isclose(by_ips, ips(reward, logged, new).value)
explain(ips(reward, logged, new), digits=2)

# %% [markdown]
# IPS says 1.53 clicks per user, but at most one click was possible. One lucky line with a large
# weight did that. The working warns of it: there are 1.5 *effective choices*. With such weights
# five lines say as much as one or two lines of equal weights.
#
# The **self-normalised** estimate (SNIPS; Swaminathan & Joachims 2015) divides by the sum of the
# weights in place of $n$. It is a weighted mean, so it can't leave the range of the rewards.

# %%
predict(
    "What is SNIPS of the five lines? Divide the sum of weighted rewards by the sum of weights.",
    float(snips(reward, logged, new).value),
    mistaken={
        float(by_ips): "That is IPS. Divide by the sum of the weights, not by 5.",
        0.4: "That is the click rate of the old policy.",
    },
)

# %%
by_hand = (reward * weight).sum() / weight.sum()
assert np.isclose(by_hand, snips(reward, logged, new).value)
reveal(explain(snips(reward, logged, new), digits=2))

# %% [markdown]
# Five lines are few. Look at 300 logs of 200 lines each. Users click X, Y and Z with the
# probabilities 0.2, 0.4 and 0.6. So you know the truth: the new policy would get 0.52 clicks per
# user. **Clipping** is a third idea: no weight may exceed a bound. The estimates then spread less,
# but their mean moves away from the truth.

# %%
CLICKED = {"X": 0.2, "Y": 0.4, "Z": 0.6}
TRUTH = sum(NEW_POLICY[one] * CLICKED[one] for one in "XYZ")


def a_log(policy, chance, lines=200):
    """Rewards and choices of a log under a policy."""
    bounds = np.cumsum(list(policy.values()))[:-1]
    chosen = np.searchsorted(bounds, chance.uniform(lines), side="right")
    rewards = chance.uniform(lines) < np.array(list(CLICKED.values()))[chosen]
    return rewards, chosen


def probabilities(policy, chosen):
    """The probability of each choice under a policy."""
    return np.array(list(policy.values()))[chosen]


of_old = Chance(6)
logs = [a_log(OLD_POLICY, of_old) for _ in range(300)]
given = [(r, probabilities(OLD_POLICY, c), probabilities(NEW_POLICY, c)) for r, c in logs]
methods = {
    "click rate of the log": [float(r.mean()) for r, _, _ in given],
    "IPS": [ips(*log).value for log in given],
    "IPS, weights up to 4": [ips(*log, clip=4).value for log in given],
    "IPS, weights up to 2": [ips(*log, clip=2).value for log in given],
    "SNIPS": [snips(*log).value for log in given],
}
table(
    {
        "estimate": methods,
        "mean": [float(np.mean(values)) for values in methods.values()],
        "truth": [TRUTH] * len(methods),
        "standard deviation": [float(np.std(values)) for values in methods.values()],
    },
    digits=2,
)

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
for place, values in enumerate(reversed(methods.values())):
    low, high = np.quantile(values, [0.05, 0.95])
    axes.barh(place, high - low, left=low, height=0.5, color=plotting.PALETTE[4])
    axes.plot(np.mean(values), place, "o", color=plotting.PALETTE[0])
axes.set_yticks(range(len(methods)), list(methods)[::-1])
axes.axvline(TRUTH, color=plotting.PALETTE[3], linestyle="--", label="truth")
axes.set(
    xlim=(0, 0.85),
    xlabel="clicks per user",
    title="300 logs: 90 % of the estimates, and their mean",
)
axes.legend()
figure(
    drawn,
    alt="Bars with 90 % of 300 estimates by five methods, their means, and the truth of 0.52. The "
    "click rate of the log is far too low. IPS is around the truth and spreads widely, clipped IPS "
    "spreads less and is too low, and SNIPS is around the truth and spreads less than IPS.",
)

# %% [markdown]
# The click rate of the log is about the old policy, so it is no answer at all. IPS is right on
# average. SNIPS has a small bias and a smaller spread. Clipping buys a small spread with a large
# bias.
#
# You met IPS before. The correction for position bias divides a click by the examination of its
# rank. Examination is the propensity with which a document was seen.
#
# ## Policies without support
#
# What if the old system never showed Z? Then the log holds nothing about Z. The old policy has no
# **support** for what the new policy would do.

# %%
predict(
    "The new policy shows Z with the probability 0.7, and its true value is 0.52. The old policy "
    "never shows Z, and the log has 5,000 lines. Is IPS too low, right, or too high?"
)

# %%
NEVER_Z = {"X": 0.7, "Y": 0.3, "Z": 0.0}
r, c = a_log(NEVER_Z, Chance(9), 5000)
blind = (r, probabilities(NEVER_Z, c), probabilities(NEW_POLICY, c))
r, c = a_log(OLD_POLICY, Chance(10), 5000)
seen = (r, probabilities(OLD_POLICY, c), probabilities(NEW_POLICY, c))
both = {"shows Z at times": seen, "never shows Z": blind}
reveal(
    table(
        {
            "old policy": both,
            "IPS": [ips(*log).value for log in both.values()],
            "standard error": [ips(*log)["standard error"] for log in both.values()],
            "SNIPS": [snips(*log).value for log in both.values()],
            "mean weight": [ips(*log)["mean weight"] for log in both.values()],
            "truth": [TRUTH] * 2,
        },
        digits=3,
        caption="Without support IPS is far too low, and its standard error is small all the same. "
        "The mean weight shows it: it should be about 1, and it is about 0.3.",
    )
)

# %% [markdown]
# So an estimate from logs needs four things:
#
# - **chance**: the old system chose at random, at least at times;
# - **support**: it gave some chance to everything that the new system would do;
# - **propensities**: the log says how likely each choice was when it was made;
# - **the same world**: users of today click as those of the log did.
#
# Many logs lack the first three, because the system always showed its best list. Plan the
# randomness before you need it.

# %%
quiz(
    "A team wants to know whether a new ranker brings more users back within a month. Both rankers "
    "return the same kind of list. The team can show the new ranker to users. What fits?",
    {
        "Team-draft interleaving": (
            False,
            "Each user sees both rankers. Nobody can say which one brought the user back.",
        ),
        "An A/B test with the user as its unit": (
            True,
            "Users come back, sessions don't. So each user has one ranker for the whole month.",
        ),
        "An A/B test with the session as its unit": (
            False,
            "A user would see both rankers, and alike sessions give many false alarms.",
        ),
        "IPS on the log of last month": (
            False,
            "The old ranker always showed its own list: there is no support for the new one.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - A click is examination times attractiveness. Shuffle to measure examination, then divide by it.
# - Interleaving lets each user compare two rankings. It is more sensitive than an A/B test, and it
#   answers only which ranking is preferred. Balanced interleaving can prefer a ranking by mistake;
#   the team draft is fair to random clicks.
# - In an A/B test count what you randomised, fix the number of users first, and test once.
# - IPS weights a log for a new policy. SNIPS and clipping tame its variance and add bias. Without
#   support there is no estimate, and a small standard error does not show that.
#
# **Read on.**

# %%
reading(
    "Joachims 2002", "Craswell 2008", "Radlinski 2008", "Chapelle 2012", "Horvitz 1952",
    "Swaminathan 2015", "Joachims 2017", "Kohavi 2020",
)  # fmt: skip
