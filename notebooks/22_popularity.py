# %% [markdown]
# # 22. Popularity: what everybody is shown
#
# **Goals.** After this notebook you can
#
# - measure how popular the lists of a recommender are, beside what its users chose;
# - measure how many items a recommender shows, and how evenly it shows them;
# - show how a recommender that learns from its own clicks makes few items popular;
# - say what a high precision, and what a low popularity, don't tell about a recommender.
#
# **Time.** 50 minutes. **Needs.** Notebook 21 (exposure), notebook 18 (clicks).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    average_popularity,
    catalogue_coverage,
    explain,
    gini,
    popularity_complement,
    popularity_lift,
    precision,
    propensity_scored_precision,
    self_information,
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
from irmetrics_edu.rows.recommended import exposure
from irmetrics_edu.views import plotting

# %% [markdown]
# These are the words of this chapter:

# %%
terms("popularity", "popularity bias", "long tail", "aggregate diversity")

# %% [markdown]
# ## The head and the long tail
#
# A small shop sells eight albums to 100 listeners. This is the number of listeners of each album:

# %%
LISTENERS = {"A": 90, "B": 70, "C": 50, "D": 20, "E": 10, "F": 8, "G": 5, "H": 2}
table({"album": LISTENERS, "listeners": LISTENERS.values()})

# %% [markdown]
# Few albums have many listeners, and many albums have few. Such a table is usual for music, films,
# books and shops. The most popular items are called the **head**, and the others the **long tail**.
#
# Where does the head end? There is no one answer. One common rule is: the head has the fewest items
# that together have 80 % of all choices.

# %%
predict(
    "The eight albums have 255 choices of listeners together. Take the most popular albums until "
    "you have 80 % of the choices, which is 204. How many albums are in the head?",
    3,
    mistaken={
        4: "The first three albums have 90 + 70 + 50 = 210. That is enough.",
        2: "The first two albums have 160 choices. You need 204.",
    },
)

# %%
counts = np.array(list(LISTENERS.values()))
needed = int(np.searchsorted(np.cumsum(counts), 0.8 * counts.sum()) + 1)
reveal(
    f"{needed} albums: A, B and C have {counts[:needed].sum()} of the {counts.sum()} choices. "
    "The five albums of the long tail share the other 45."
)

# %% [markdown]
# ## How popular are the lists?
#
# Two recommenders show three albums to each of four users, and none that the user has chosen
# before. This is what the users chose, and what they are shown:

# %%
CHOSEN = {"u1": {"A", "D"}, "u2": {"C", "E"}, "u3": {"B", "F"}, "u4": {"A", "G"}}
HITS = {"u1": ["B", "C", "E"], "u2": ["A", "B", "D"], "u3": ["A", "C", "D"], "u4": ["B", "C", "D"]}
OWN = {"u1": ["E", "B", "F"], "u2": ["D", "F", "A"], "u3": ["E", "A", "G"], "u4": ["H", "B", "D"]}
SYSTEMS = {"hits": HITS, "own": OWN}
assert not any(CHOSEN[user] & {*of[user]} for of in (HITS, OWN) for user in CHOSEN)
chosen = [", ".join(sorted(albums)) for albums in CHOSEN.values()]
table({"user": CHOSEN, "chosen": chosen, "hits": HITS.values(), "own": OWN.values()})

# %% [markdown]
# **ARP** (average recommendation popularity; Yin et al. 2012) is the mean popularity of the items
# in a list:
#
# $$\mathrm{ARP} = \frac{1}{|L|}\sum_{i\in L}\phi(i)$$
#
# In words: $\phi(i)$ is the number of users who know item $i$. Add up the numbers of all items of
# the list $L$, and divide by the length of the list. The ARP of a recommender is the mean over its
# users.

# %%
predict(
    "The recommender 'hits' shows B, C and E to u1. The albums have 70, 50 and 10 listeners. What "
    "is the ARP of this list?",
    of=(average_popularity, ["B", "C", "E"], LISTENERS),
    mistaken={
        130: "That is the sum. Divide by the three albums of the list.",
        50: "That is the album in the middle. Take the mean.",
    },
)

# %%
by_hand = (70 + 50 + 10) / 3
assert np.isclose(by_hand, average_popularity(HITS["u1"], LISTENERS))
reveal(explain(average_popularity, HITS["u1"], LISTENERS))

# %% [markdown]
# Is 43 much? That hangs on the shop, and on the user. So compare it with what the user chose. The
# **popularity lift** (Abdollahpouri et al. 2020) divides both means:
#
# $$\text{lift} = \frac{\bar\phi(L)}{\bar\phi(G)} - 1$$
#
# In words: divide the mean popularity of the list $L$ by the mean popularity of the items $G$ that
# the user chose, and subtract 1. So 0 means: as popular as the user's own choice. A lift of 1 means
# twice as popular, and a lift below 0 means less popular.

# %%
predict(
    "u1 chose A and D, with 90 and 20 listeners. The list has the mean 43.33. What is the "
    "popularity lift of u1?",
    of=(popularity_lift, HITS["u1"], CHOSEN["u1"], LISTENERS),
    mistaken={
        -11.67: "That is the difference of the means. Divide it by the mean of what u1 chose.",
        0.788: "That is the ratio of the means. Subtract 1.",
    },
)

# %%
chose = np.mean([LISTENERS[album] for album in CHOSEN["u1"]])
lift = by_hand / chose - 1
assert np.isclose(lift, popularity_lift(HITS["u1"], CHOSEN["u1"], LISTENERS))
reveal(
    f"The mean of what u1 chose is {chose:g}, so the lift is 43.33 / 55 - 1 = {lift:.2f}. Even "
    "the recommender 'hits' shows u1 less popular albums than u1 chose: u1 already has the "
    "biggest hit."
)

# %% [markdown]
# The lift of one user says little, so take all users. There are two ways, and they give two
# numbers. You can average the lifts of the users. Or you average the popularity of the lists and of
# the choices over the users first, and divide then. This is the lift of the group:


# %%
def lift_of_group(lists):
    """The popularity lift of all users: one mean over the users divided by another."""
    got, chose = (
        np.mean([np.mean([LISTENERS[album] for album in of[user]]) for user in lists])
        for of in (lists, CHOSEN)
    )
    return float(got / chose - 1)


def lifts(lists):
    """The popularity lift of each user."""
    return [popularity_lift(lists[user], CHOSEN[user], LISTENERS) for user in lists]


table(
    {
        "recommender": SYSTEMS,
        **{u: [lifts(lists)[i] for lists in SYSTEMS.values()] for i, u in enumerate(CHOSEN)},
        "mean of the users": [np.mean(lifts(lists)) for lists in SYSTEMS.values()],
        "lift of the group": [lift_of_group(lists) for lists in SYSTEMS.values()],
    },
    digits=2,
)

# %% [markdown]
# By both numbers *hits* is above 0 and *own* is below 0. The lists of *hits* show **popularity
# bias**: they are more popular than what the users chose. In the mean of the users each user counts
# the same. In the lift of the group, users who choose popular albums count more. Say which one you
# report.
#
# The columns u1 to u4 differ more than the last two. u2 likes less popular albums, and gets much
# more popular ones. A mean over all users hides such users.
#
# ## How few users know the items?
#
# Two measures turn the popularity round. They ask how new a list can be to a user. **EPC**
# (expected popularity complement; Vargas & Castells 2011) is the mean share of users who don't know
# an item of the list:
#
# $$\mathrm{EPC} = \frac{1}{|L|}\sum_{i\in L}\left(1-\frac{\phi(i)}{|U|}\right)$$
#
# In words: divide the listeners of each item by the number of all users $|U|$, take the share from
# 1, and average over the list.
#
# **Novelty** (Zhou et al. 2010) takes a logarithm instead:
#
# $$\mathrm{novelty} = \frac{1}{|L|}\sum_{i\in L}-\log_2\frac{\phi(i)}{|U|}$$
#
# In words: an item that all users know has 0 bits. Each time half as many users know it, it has one
# bit more. Average the bits over the list. An item that nobody knows has no finite value, and the
# package refuses it. (In notebook 9 novelty is another thing: a document is
# new if the documents above it don't say the same.)

# %%
predict(
    "The shop has 100 users. An album has 25 listeners. How many bits of novelty has it?",
    2,
    mistaken={
        0.75: "That is its part of EPC: the share of the users who don't know it.",
        4: "25 is a quarter of 100. Count how often you halve 100 until you are at 25.",
        1: "With 50 listeners it has 1 bit. With 25 you halve once more.",
    },
)

# %%
known = np.array([LISTENERS[album] for album in HITS["u1"]])
epc = (1 - known / 100).mean()
assert np.isclose(epc, popularity_complement(HITS["u1"], LISTENERS, users=100))
bits = -np.log2(known / 100)
assert np.isclose(bits.mean(), self_information(HITS["u1"], LISTENERS, users=100))
reveal(
    table(
        {
            "recommender": SYSTEMS,
            "ARP": [
                np.mean([average_popularity(s, LISTENERS) for s in lists.values()])
                for lists in SYSTEMS.values()
            ],
            "EPC": [
                np.mean([popularity_complement(s, LISTENERS, users=100) for s in lists.values()])
                for lists in SYSTEMS.values()
            ],
            "novelty": [
                np.mean([self_information(s, LISTENERS, users=100) for s in lists.values()])
                for lists in SYSTEMS.values()
            ],
        },
        caption="2 bits: half of 100 is 50, and half of 50 is 25. EPC is 1 - ARP / 100 with 100 "
        "users, so it says the same as ARP: where ARP is lower, EPC is higher. Novelty counts the "
        "rare albums more.",
        digits=2,
    )
)

# %% [markdown]
# ## How many items are shown at all?
#
# So far each list stood alone. Now take all lists together. **Catalogue coverage** is the share of
# all items that anybody is shown. The number of these items is called **aggregate diversity**
# (Adomavicius & Kwon 2012).

# %%
predict(
    "What is the catalogue coverage of the recommender 'own'? Count the different albums in its "
    "four lists, and divide by the eight albums of the shop.",
    of=(catalogue_coverage, OWN, list(LISTENERS)),
    mistaken={1.5: "That counts each place in a list. Count each album once."},
)

# %%
shown = {album for albums in OWN.values() for album in albums}
coverage = len(shown) / len(LISTENERS)
assert np.isclose(coverage, catalogue_coverage(OWN, list(LISTENERS)))
of_hits = catalogue_coverage(HITS, list(LISTENERS))
reveal(
    f"{len(shown)} of 8 albums, so {coverage}. Only C is missing. The recommender 'hits' shows "
    f"{round(8 * of_hits)} albums, so its coverage is {of_hits}."
)

# %% [markdown]
# This diversity is not that of notebook 11. Imagine a recommender that shows everybody the same
# three albums of three genres. Each list is diverse, and the coverage is 3/8. The other way round,
# each user can get three albums of one genre while all lists together show the whole shop.
#
# Coverage has a weakness: an item counts fully if one single user sees it once. A recommender that
# shows each rare album to one of a million users has a coverage of 1.
#
# ## How evenly are the items shown?
#
# The **Gini coefficient** of the exposure (Fleder & Hosanagar 2009 use it for sales) looks at how
# often each item is shown. It is 0 if all items are in equally many lists. Sort the $n$ exposures
# $x_i$ from the lowest to the highest:
#
# $$G = \frac{\sum_{i=1}^{n}(2i-n-1)\,x_i}{n\sum_{i=1}^{n} x_i}$$
#
# In words: multiply the exposures by $1-n$, $3-n$ and so on up to $n-1$, add up, and divide by $n$
# times their sum.

# %%
predict(
    "A recommender shows all its users the same single album. The shop has eight albums. What is "
    "the Gini coefficient of the exposure?",
    7 / 8,
    mistaken={
        1: "That is the limit for a very large shop. The weight of the last album is n - 1 = 7.",
        7: "Divide by n, too.",
        0: "That would be the value if each album were in equally many lists.",
    },
)

# %%
one_album = {**dict.fromkeys(LISTENERS, 0), "A": 4}
assert np.isclose(gini(one_album), 7 / 8)
counts_of_own = np.sort(list(exposure(OWN, LISTENERS).values()))
n = len(counts_of_own)
weights = 2 * np.arange(1, n + 1) - n - 1
spread = (weights * counts_of_own).sum() / (n * counts_of_own.sum())
assert np.isclose(spread, gini(exposure(OWN, LISTENERS)))
seen_only = {
    name: {album: x for album, x in exposure(lists, LISTENERS).items() if x}
    for name, lists in SYSTEMS.items()
}
reveal(
    table(
        {
            "recommender": [*SYSTEMS, "one album"],
            "Gini": [
                *(gini(exposure(lists, LISTENERS)) for lists in SYSTEMS.values()),
                gini(one_album),
            ],
            "Gini of the albums shown": [*(gini(x) for x in seen_only.values()), gini({"A": 4})],
        },
        caption="0.875: seven times the exposure, divided by eight times the exposure. The last "
        "column leaves out albums that nobody is shown. Then even one single album looks fair.",
        digits=3,
    )
)

# %% [markdown]
# Two programs can give two Gini coefficients of the same lists. Look at two choices:
#
# - **Which items count?** Count all items of the shop, those that nobody is shown, too.
# - **What is the divisor?** Some programs divide by $n-1$ in place of $n$. Then one album alone
#   gets 1, and all values are higher by the factor $n/(n-1)$.
#
# The **Lorenz curve** shows what the coefficient measures. Sort the albums from the least shown to
# the most shown. The curve says which share of all places the first albums get together:

# %%
drawn, axes = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
axes.plot([0, 8], [0, 1], color="0.6", linestyle="--", label="all alike, Gini 0")
styles = {"hits": "o-", "own": "s-"}
for i, (name, lists) in enumerate(SYSTEMS.items()):
    x = np.sort(list(exposure(lists, LISTENERS).values()))
    label = f"{name}, Gini {gini(exposure(lists, LISTENERS)):.2f}"
    curve = np.append(0, np.cumsum(x) / x.sum())
    axes.plot(range(9), curve, styles[name], color=plotting.PALETTE[i], label=label)
axes.set(xlabel="albums, least shown first", ylabel="share of all places", ylim=(0, 1.02))
axes.legend(loc="upper left")
figure(
    drawn,
    alt="Two Lorenz curves below a dashed diagonal. The curve of hits stays at 0 for three albums "
    "and then rises to 1. The curve of own is nearer to the diagonal.",
)

# %% [markdown]
# Let both axes go from 0 to 1. Then the Gini coefficient is twice the area between the curve and
# the diagonal. The recommender *own* spreads its places more evenly.
#
# ## Popularity feeds itself
#
# Popular items are shown, so they are clicked, so they become more popular. How far does this go?
# Imagine eight **equally good** albums. In each session the shop orders them by their clicks so
# far. The user clicks one of them. Rank 1 is clicked with probability 0.5, rank 2 with half of
# that, and so on: this is the geometric attention of notebook 21. At the beginning nobody has
# clicked.

# %%
ATTENTION = 0.5 ** np.arange(8)
ATTENTION = ATTENTION / ATTENTION.sum()


def clicks_after(sessions, at_random, seed):
    """The clicks of eight equally good albums; some sessions have an order at random."""
    rng = np.random.default_rng(seed)
    clicks = np.zeros(8, dtype=int)
    clicked = rng.choice(8, size=sessions, p=ATTENTION)
    chance = rng.random((sessions, 9))
    for session in range(sessions):
        by_clicks = clicks if chance[session, 8] >= at_random else np.zeros(8)
        order = np.lexsort((chance[session, :8], -by_clicks))
        clicks[order[clicked[session]]] += 1
    return clicks


# %%
predict(
    "No album is better than another one. After 1,000 sessions, which share of all clicks has the "
    "album with the most clicks?",
    0.5,
    between=(0.45, 0.55),
    mistaken={0.125: "That would be its share if all albums got what their quality is worth."},
)

# %%
WORLDS = {
    share: np.array([clicks_after(1000, share, seed) for seed in range(10)])
    for share in (0, 0.1, 0.25, 0.5, 1)
}
first = WORLDS[0].max(axis=1) / 1000
winners = len({int(clicks.argmax()) for clicks in WORLDS[0]})
reveal(
    f"The album ahead gets about half of all clicks: {first.min():.1%} to {first.max():.1%} in ten "
    f"repetitions. It is not always the same album: {winners} of the eight win at least once. "
    "Chance decides who is ahead, and then the order keeps this album ahead."
)

# %% [markdown]
# The clicks look like a clear verdict of the users, but all albums are equally good. An engine that
# learns from these clicks learns its own order. The title of Chaney, Stewart & Engelhardt 2018
# calls this effect *algorithmic confounding*.
#
# A random element weakens the loop. Move the slider. It is the share of the sessions in which the
# order is drawn at random:


# %%
def with_random(share):
    """The clicks of the albums, most clicked first, in ten repetitions."""
    drawn, axes = plt.subplots(figsize=(6.0, 3.4), layout="constrained")
    ordered = -np.sort(-WORLDS[share], axis=1) / 1000
    axes.bar(range(1, 9), ordered.mean(axis=0), color=plotting.PALETTE[0], label="mean")
    for world in ordered:
        axes.plot(range(1, 9), world, "k.", markersize=4)
    axes.axhline(0.125, color="black", linestyle="--", linewidth=1, label="equal shares")
    worth = np.mean([gini(dict(enumerate(world.tolist()))) for world in WORLDS[share]])
    axes.set(xlabel="album, most clicked first", ylabel="share of the clicks", ylim=(0, 0.6))
    axes.set_title(f"Random in {share:.0%} of the sessions: Gini {worth:.2f}")
    axes.legend()
    return drawn


slider(
    with_random,
    name="share at random",
    values=list(WORLDS),
    start=0,
    alt=lambda share: (
        f"Eight bars of clicks, most clicked first, with ten dots each; a dashed line at 0.125. At "
        f"{share:.0%} random the first album has {WORLDS[share].max(axis=1).mean() / 1000:.2f} of "
        f"the clicks, and the last one {WORLDS[share].min(axis=1).mean() / 1000:.2f}."
    ),
)

# %% [markdown]
# With more random sessions the Gini coefficient falls. But the loop is not gone. With a quarter of
# random sessions one album still has about 0.4 of the clicks, and chance chose it at the beginning.
# In a real shop the albums are not equally good, so random sessions can have a cost (notebook 21).
# They also bring something: clicks from which you can learn. In these sessions each album has the
# same chance, so count these clicks alone, or weigh them (notebook 26).
#
# ## A test made of choices rewards popularity
#
# How do you test a recommender offline? Often you hide some of the users' choices, and see whether
# the lists have them. Suppose that one choice of each user was hidden:

# %%
HIDDEN = {"u1": {"B"}, "u2": {"A"}, "u3": {"G"}, "u4": {"C"}}
table(
    {
        "user": HIDDEN,
        "hidden": [*map(min, HIDDEN.values())],
        **{s: SYSTEMS[s].values() for s in SYSTEMS},
    }
)

# %%
predict(
    "What is the precision of the recommender 'hits'? Three of its four lists have the hidden "
    "album, and each list has three places.",
    3 / 12,
    mistaken={
        0.75: "That is the share of the users with a hit. Precision divides by all places.",
        1: "One list misses its hidden album, and each list has three places.",
    },
)

# %%
by_precision = {
    name: np.mean([precision(lists[u], HIDDEN[u]) for u in lists])
    for name, lists in SYSTEMS.items()
}
by_propensity = {
    name: np.mean(
        [propensity_scored_precision(lists[u], HIDDEN[u], LISTENERS, users=100) for u in lists]
    )
    for name, lists in SYSTEMS.items()
}
reveal(
    table(
        {
            "recommender": SYSTEMS,
            "precision": by_precision.values(),
            "PSP": by_propensity.values(),
        },
        caption="Both have the same precision. By PSP 'own' is ahead, because it found the rare G.",
        digits=2,
    )
)

# %% [markdown]
# Popular albums have most of the choices, so they have most of the *hidden* choices, too. A
# recommender that shows everybody the same hits finds many of them. So always put one recommender
# beside yours that shows the most popular items to everybody. If yours has no higher precision,
# this test does not show that it has learned more than popularity. It may have learned something
# that the test does not reward.
#
# The choices are not what users like. They are what users like **and** met. A rare album was
# probably met by few users, so many who would like it have not chosen it. **PSP**
# (propensity-scored precision; Jain et al. 2016) counts a hit on a rare item more. It divides each
# hit by the probability that such a choice is recorded. This probability comes from a model of the
# popularity. If the model does not fit your users, neither does the number.
#
# ## What these numbers can't say
#
# **Popular is not bad.** Many people like an album, and a new user may like it as well. A low
# popularity is easy to get: draw the items at random. So report popularity beside a measure of
# relevance.
#
# **A lift of 0 is not fair.** It says that the lists are as popular as what the users chose. If the
# choices came from an old loop, a lift of 0 keeps the loop going.
#
# **Popular when, and for whom?** Count the popularity in the training data, before the time of the
# test. An item can be unknown in one country and a hit in another one.

# %%
predict(
    "A recommender shows very many users albums at random. Its coverage is 1, and its Gini "
    "coefficient is near 0. "
    "Is it a good recommender? Say what you would look at next."
)

# %%
reveal(
    "These numbers don't say so. Look at the relevance: precision or nDCG, beside the most popular "
    "albums as a second recommender. Lists drawn at random are even, but they don't "
    "look at what a user wants."
)

# %%
quiz(
    "Version 2 of a recommender has a catalogue coverage of 0.9. Version 1 had 0.3. The team "
    "writes: 'Now the whole shop is shown.' What do you ask for?",
    {
        "The recall of version 2": (
            False,
            "It is good to have. But it does not say how often the rare items are shown.",
        ),
        "The number of users in the test": (
            False,
            "More users can raise coverage, so take as many for both. It doesn't say how evenly.",
        ),
        "The Gini coefficient of both": (
            True,
            "One user who sees an item once is enough for coverage. Gini looks at how often.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - Few items have most of the choices. The others are the long tail.
# - ARP, EPC and novelty say how popular the items of a list are. Popularity lift compares a list
#   with what its user chose. Say whether you average the users' lifts or take the lift of the
#   group.
# - Coverage says how many items are shown to anybody. The Gini coefficient says how evenly. Count
#   the items that nobody is shown, too.
# - A recommender that learns from its own clicks can make any item popular. Random sessions weaken
#   this loop, and their own clicks are free of it.
# - A test made of users' choices rewards popular items. Put the most popular items beside your
#   recommender, and report relevance and popularity together.
#
# **Read on.**

# %%
reading(
    "Abdollahpouri 2020", "Yin 2012", "Vargas 2011", "Zhou 2010", "Adomavicius 2012",
    "Fleder 2009", "Chaney 2018", "Jain 2016",
)  # fmt: skip
