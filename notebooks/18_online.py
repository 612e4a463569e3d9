# %% [markdown]
# # 18. Online: clicks and interleaving
#
# **Goals.** After this notebook you can
#
# - explain why a click is not a judgment, and correct click rates for position bias;
# - interleave two rankings by hand, and say why that needs fewer users than an A/B test.
#
# **Time.** 50 minutes. **Needs.** Notebook 2 (a ranking is not a set), notebook 6 (p-value and
# power).

# %%
from itertools import product

import matplotlib.pyplot as plt
import numpy as np

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
    preference,
    relative_examination,
    team_draft,
)
from irmetrics_edu.runs import sign
from irmetrics_edu.views import plotting
from irmetrics_edu.views.formatting import number

# %% [markdown]
# Judges are few and costly. Users are many, and each click costs nothing. This chapter is about
# what clicks can tell you, and what they can't. All users here are simulated, so you always know
# the truth and can see which method finds it. These are the words of this chapter:

# %%
terms(
    "examination",
    "attractiveness",
    "position bias",
    "interleaving",
)

# %% [markdown]
# ## Position bias: a click is not a judgment
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
    0.5 * 0.8,
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
clicks = user.simulate(list(ATTRACTS.values()), 5000, Chance(0))
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
    "rank 4. Will pan s reach rank 1 within a year? Does it help to have more users?"
)


# %%
def best_rank(users, seed, nights=365):
    """The best rank that pan s has in a year of nights, each sorted by the clicks of one day."""
    chance, order, reached = np.random.default_rng(seed), list("pqrs"), 4
    for _ in range(nights):
        clicked = chance.binomial(users, EXAMINED * [ATTRACTS[pan] for pan in order])
        order = [order[i] for i in np.argsort(-clicked, kind="stable")]
        reached = min(reached, order.index("s") + 1)
    return reached


SHOPS, A_DAY = 30, [100, 1000, 5000, 100_000]
reached = {users: [best_rank(users, seed) for seed in range(SHOPS)] for users in A_DAY}
reveal(
    table(
        {
            "users a day": A_DAY,
            "s reaches rank 1": [sum(r == 1 for r in of) for of in reached.values()],
            "s reaches rank 2, no more": [sum(r == 2 for r in of) for of in reached.values()],
            "s reaches rank 3, no more": [sum(r == 3 for r in of) for of in reached.values()],
            "s stays at rank 4": [sum(r == 4 for r in of) for of in reached.values()],
        },
        caption=f"Of {SHOPS} simulated shops, in a year.",
    )
)

# %% [markdown]
# The expected click rates are 0.5, 0.18, 0.16 and 0.12, in just this order. So on average the sort
# changes nothing: each pan keeps its rank because of its rank. This is called *the rich get
# richer*. With very many users a day nothing moves, although s is the best pan.
#
# With few users, chance sometimes gives r more clicks than q. At rank 2 pan r then has 0.6 · 0.4 =
# 0.24, and q has 0.4 · 0.3 = 0.12 at rank 3. So r stays there. And q now has as many clicks as s,
# so s moves up next. Here chance works like a ratchet: once s has reached rank 1, it stays there.
# So a small log mixes, and a large log freezes. More users don't repair the order.

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
    1 - ATTRACTS["s"],
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


_, clicked = shuffled_log(5000, seed=0)
rates = clicked.mean(axis=0)
by_hand = rates / rates[0]
assert np.isclose(by_hand, relative_examination(clicked)).all()
table({"rank": [1, 2, 3, 4], "click rate": rates, "estimate": by_hand, "truth": EXAMINED}, digits=2)

# %% [markdown]
# With the examination you can correct the clicks of a later log, if users still read the page in
# the same way. Here is an example first. Pan
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

# %%
quiz(
    "An engine orders its results every night by the clicks of the day. A page has ten results, "
    "and no user looks at a second page. What becomes of a good document at rank 50?",
    {
        "It rises, since its clicks are rare and therefore worth more": (
            False,
            "It gets none. And clicks are counted here, not divided by examination.",
        ),
        "It rises once the logs are long enough": (
            False,
            "More days bring more clicks to the first ten. Rank 50 still gets none.",
        ),
        "It stays there: nobody looks, so nobody clicks": (
            True,
            "The order of yesterday decides who is seen today. Shuffle some results to break this.",
        ),
    },
)

# %% [markdown]
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
# One list that is shown to one user is an **impression**. **Credit** goes to the team that chose
# the clicked document. The ranking with more credit wins the impression: its sign is 1 if A wins,
# -1 if B wins, and 0 for a tie.

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
# gets the clicks on its own first $k$ documents. With the rankings above, this is the list for each
# coin, and the credit if the user clicks r:

# %%
of_coin = {coin: balanced(A, B, first=coin) for coin in "AB"}
k = min(A.index("r"), B.index("r")) + 1
by_hand = [("r" in A[:k]) * 1, ("r" in B[:k]) * 1]
assert all(by_hand == list(one.credit(["r"])) for one in of_coin.values())
table(
    {
        "first": list(of_coin),
        "list": [", ".join(one.documents) for one in of_coin.values()],
        "k for a click on r": [k, k],
        "credit of A": [by_hand[0]] * 2,
        "credit of B": [by_hand[1]] * 2,
    },
    caption="A has r at rank 3 and B at rank 2, so k is 2. The first two of A are p and q, and "
    "those of B are q and r. So B gets the click with either coin.",
)

# %% [markdown]
# The method looks fair. Is it?

# %%
predict(
    "A lazy user clicks one document at random: p, q, r or s. Work out who wins for a click on p, "
    "on q and on s. Which share of the impressions does B win under balanced interleaving?",
    3 / 4,
    mistaken={0.5: "That would be fair. For q and s do as for r above: k is 1 and 3."},
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
    "Leave out the ties. If users had no preference, each other impression would be like the throw "
    "of a fair coin. The sign test asks how often 8 throws come as far apart as 6 and 2, or "
    f"farther: p = {number(sign(6, 2), 2)}. For wins and losses this is the right test, because "
    "they have no sizes that it could leave out (notebook 7). Ten impressions are far too few.",
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
# experiment is repeated 100 times. All of this is done five times, with the seeds 0 to 4.

# %%
LOOKED = np.array([1.0, 0.6, 0.4, 0.25, 0.15])
WORTH = dict(zip("vwxyz", [0.6, 0.3, 0.5, 0.2, 0.1], strict=True))
OLD, NEW = list("vwxyz"), list("vxwyz")
REPEATS, SIZES = 100, [200, 500, 1000, 2000, 4000, 8000]
by_list = PositionBased(LOOKED)


def click_chances(documents):
    """The probability of a click at each rank, for the most eager users."""
    return by_list.click_probabilities([WORTH[d] for d in documents])


def clicks_of(p, users, chance):
    """Clicks of users; some are eager, and most are less so."""
    eager = np.minimum(1, 2 * chance.uniform(REPEATS, users) ** 2)
    return chance.uniform(REPEATS, users, 5) < p * eager[..., None]


# %% [markdown]
# A team draft of five documents has three rounds, so there are eight ways for the coins to fall.
# Each session draws one of these lists. Both methods count a win of B as found if the mean is more
# than 1.96 standard errors above 0. (The standard error is the standard deviation divided by the
# root of the number of sessions.)


# %%
def found(better):
    """How often B is found to be better, significantly."""
    z = better.mean(axis=1) / better.std(axis=1) * np.sqrt(better.shape[1])
    return float((z > 1.96).mean())


DRAFTS = [team_draft(OLD, NEW, first="".join(coins)) for coins in product("AB", repeat=3)]
CHANCES = np.array([click_chances(one.documents) for one in DRAFTS])
FOR_B = np.array([[1 if team == "B" else -1 for team in one.teams] for one in DRAFTS])


def powers_of(seed):
    """How often each method finds B, by the number of sessions."""
    chance = Chance(seed)
    powers = {"A/B test": [], "interleaving": []}
    for size in SIZES:
        group_a, group_b = (
            clicks_of(click_chances(ranker), size // 2, chance).sum(axis=2) for ranker in (OLD, NEW)
        )
        powers["A/B test"].append(found(group_b - group_a.astype(float)))
        drafted = (chance.uniform(REPEATS, size) * len(DRAFTS)).astype(int)
        clicks_there = clicks_of(CHANCES[drafted], size, chance)
        credit = np.sign((clicks_there * FOR_B[drafted]).sum(axis=2))
        powers["interleaving"].append(found(credit))
    return powers


drawn_powers = [powers_of(seed) for seed in range(5)]
powers = {
    method: np.array([one[method] for one in drawn_powers])
    for method in ("A/B test", "interleaving")
}

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, (method, power) in enumerate(powers.items()):
    axes.plot(SIZES, power.mean(axis=0), marker="os"[i], color=plotting.PALETTE[i], label=method)
    lowest, highest = power.min(axis=0), power.max(axis=0)
    axes.fill_between(SIZES, lowest, highest, color=plotting.PALETTE[i], alpha=0.2)
axes.axhline(0.8, color="grey", linestyle=":", label="power 0.8")
axes.set(xlabel="sessions in all", ylabel="finds that B is better", ylim=(0, 1.05))
axes.legend()
figure(
    drawn,
    alt="The share of experiments that find the better ranker, by the number of sessions: the mean "
    "of five repetitions in a band from the lowest to the highest. Interleaving reaches "
    f"{number(powers['interleaving'].mean(axis=0)[-2], 2)} with 4,000 sessions, and the A/B test "
    f"has {number(powers['A/B test'].mean(axis=0)[-1], 2)} with 8,000.",
)

# %% [markdown]
# With 4,000 sessions interleaving finds B more often than the A/B test does with 8,000.
#
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
    chance, won = Chance(0), []
    for topic, grades in GRADES.items():
        tops = [list(RUNS[name][topic])[:5] for name in (one, other)]
        for _ in range(10):
            draft = team_draft(*tops, first=chance.coins(5), length=5)
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
        digits=4,
        caption="The clicks agree with nDCG: fts5 is far ahead of lsa, and about as good as bm25. "
        "The user clicks by the grades, so clicks and nDCG have the same source here. With real "
        "users they can disagree.",
    )
)

# %%
quiz(
    "A team compares a new ranker with the old one by team drafts. The new one wins 55 % of "
    "10,000 impressions. What may the team say?",
    {
        "Users prefer the new ranking": (
            True,
            "That is what it measures. To learn what users do with it, run an A/B test.",
        ),
        "Users will click 5 % more": (
            False,
            "Interleaving counts who wins an impression. It does not measure by how much.",
        ),
        "More users will come back": (
            False,
            "Each user saw both rankings, so nobody can say which one brought the user back.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - A click is examination times attractiveness. An engine that sorts by clicks keeps its order: the
#   larger the log, the more so. To measure examination, show results in random
#   order. Then divide the click rates by it.
# - Interleaving lets each user compare two rankings. It is more sensitive than an A/B test, and it
#   answers only which ranking is preferred.
# - Balanced interleaving can prefer a ranking by mistake. The team draft is fair to random clicks.
#
# **Read on.**

# %%
reading("Joachims 2002", "Craswell 2008", "Radlinski 2008", "Chapelle 2012", "Joachims 2017")
