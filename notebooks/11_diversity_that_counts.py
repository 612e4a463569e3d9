# %% [markdown]
# # 11. Diversity that counts: CC, ILAD, ILMD against DCC, FDCC, DILAD
#
# **Goals.** After this notebook you can
#
# - compute the usual measures of a list's diversity, and show a list that fools them;
# - compute the measures that discount the misses, and explain each choice in them;
# - read a study of diversifiers, and say who gains what;
# - with the appendix, find the largest discount coefficient that is allowed, or the reason why
#   there is none.
#
# **Time.** 45 minutes, and 15 more for the appendix, which you may leave out.
# **Needs.** Notebooks 7 (intervals of means) and 10 (MMR, DPP). The appendix needs the binomial
# distribution.

# %%
from collections import Counter
from fractions import Fraction
from math import comb

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    category_coverage,
    dcc,
    dilad,
    entropy,
    explain,
    fdcc,
    gini,
    ilad,
    ilmd,
    recall,
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
from irmetrics_edu.lab import plot_conditions, study_diversity, tune_alpha, tune_beta
from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
from irmetrics_edu.lab.study.claims import case
from irmetrics_edu.lab.study.rankers import BASE, DIVERSIFIERS, Settings
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter quotes *document 002*, the text of some slides of a talk in Japanese. The talk is
# about the paper "On evaluation metrics for diversity-enhanced recommendations" (CIKM 2024). The
# slides with most of its results are not in the text. These are the words of this chapter:

# %%
terms("diversity", "effective", "CC", "ILAD", "ILMD", "DCC", "FDCC", "DILAD")

# %% [markdown]
# ## Three measures of diversity
#
# A shop recommends four things to you. You go on to buy green tea, black tea, oolong and a cup. The
# purchases are the test data. An item that is recommended *and* bought is a **hit**. The document
# calls a hit an *effective* item. A recommended item that you don't buy is a **miss**.
#
# Each item belongs to one or more categories. Each item also has a vector of five numbers, its
# **embedding**. Similar items have similar embeddings. The shop considers three lists, called
# *close*, *wild* and *mixed*:

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

# %%
LISTS = {
    "close": ["green tea", "kettle", "cup", "teapot"],
    "wild": ["phone", "tent", "drum", "bicycle"],
    "mixed": ["green tea", "tent", "cup", "drum"],
}

# %% [markdown]
# ### CC: count categories
#
# The list *close* has the categories tea and kitchen. The shop has six categories: tea, kitchen,
# electronics, outdoor, sport and music. So the **category coverage** (CC) of *close* is 2/6.
#
# $$\mathrm{CC}=\frac{\bigl|\bigcup_{i\in L}C_i\bigr|}{|C|}$$
#
# In words: $L$ is the recommended list, $C_i$ are the categories of item $i$, and $C$ are all
# categories. Collect the categories of all items of the list, each category once. Divide their
# number by the number of all categories.


# %%
def covered(items):
    """The categories that these items have."""
    return set().union(*(CATEGORIES[item] for item in items))


by_hand = len(covered(LISTS["close"])) / len(covered(CATEGORIES))
assert np.isclose(by_hand, category_coverage(LISTS["close"], CATEGORIES))
round(by_hand, 4)

# %%
predict(
    "What is the CC of wild: phone, tent, drum, bicycle? Type it.",
    of=(category_coverage, LISTS["wild"], CATEGORIES),
    mistaken={
        5 / 6: "You counted outdoor twice. The tent and the bicycle both have it.",
        1.0: "You divided by the four items. Divide by the six categories of the shop.",
    },
)

# %%
reveal(explain(category_coverage, LISTS["wild"], CATEGORIES, exact=True))

# %% [markdown]
# ### ILAD and ILMD: measure distances
#
# Divide each embedding by its length, so that all embeddings have length 1. The **distance** of two
# items is then 1 minus the product of their embeddings. It is 0 if both point in the same
# direction. It is 1 if they have nothing in common. These are the distances in *close*:

# %%
e = np.array([VECTORS[item] for item in LISTS["close"]], dtype=float)
e /= np.linalg.norm(e, axis=1, keepdims=True)
d = 1 - e @ e.T
table({"item": LISTS["close"], **dict(zip(LISTS["close"], d.T, strict=True))}, digits=3)

# %% [markdown]
# For **ILAD** (intra-list average distance) you average the distances of all pairs. For **ILMD**
# (intra-list minimal distance) you take the nearest other item of each item, and average these.
#
# $$\mathrm{ILAD}=\frac{1}{|L|\,(|L|-1)}\sum_{i\in L}\;\sum_{j\in L,\,j\ne i}d(i,j)\qquad
# \mathrm{ILMD}=\frac{1}{|L|}\sum_{i\in L}\;\min_{j\in L,\,j\ne i}d(i,j)\qquad
# d(i,j)=1-e_i\,e_j^{\mathsf T}$$
#
# In words: ILAD adds the distances of each item $i$ to every other item $j$ of the list. Then it
# divides by $|L|\,(|L|-1)$, the number of these distances. Each pair is in the sum twice, as $i,j$
# and as $j,i$. ILMD adds the distance of each item $i$ to its nearest item $j$, and divides by the
# number of items. In numpy:

# %%
size = len(d)
by_hand = d.sum() / (size * (size - 1))
assert np.isclose(by_hand, ilad(LISTS["close"], VECTORS))
round(float(by_hand), 4)

# %%
# The smallest number of each row is 0, the distance of an item to itself. So take the second.
by_hand = np.sort(d, axis=1)[:, 1].mean()
assert np.isclose(by_hand, ilmd(LISTS["close"], VECTORS))
round(float(by_hand), 4)

# %%
predict("Which of the lists close, wild and mixed is the most diverse by each of the three?")

# %%
reveal(
    table(
        {
            "list": list(LISTS),
            "items": [", ".join(items) for items in LISTS.values()],
            "recall": [recall(items, dict.fromkeys(BOUGHT, 1)) for items in LISTS.values()],
            "CC": [category_coverage(items, CATEGORIES) for items in LISTS.values()],
            "ILAD": [ilad(items, VECTORS) for items in LISTS.values()],
            "ILMD": [ilmd(items, VECTORS) for items in LISTS.values()],
        },
        digits=3,
        caption="By CC wild and mixed are equal. By ILAD and ILMD mixed is the most diverse. Wild "
        "is far ahead of close by all three, but it has nothing that you want: its recall is 0.",
    )
)

# %% [markdown]
# None of the three measures looks at what you bought. A shop could draw its lists at random and get
# high values.
#
# These measures are of one list. The slide names two measures of *all lists together*, and sets
# them aside: **entropy** and the **Gini coefficient**. They look at how often each item is
# recommended. Here are the three lists of the shop, taken as the lists of three users:

# %%
shown = Counter(item for items in LISTS.values() for item in items)
table(
    {
        "measure": ["entropy", "Gini"],
        "of all lists": [entropy(dict(shown)), gini(dict(shown))],
        "of one item alone, four times": [entropy({"drum": 4}), gini({"drum": 4, "tent": 0})],
    },
    digits=3,
    caption="Entropy is high and Gini low if all items are recommended about equally often.",
)

# %% [markdown]
# Neither looks at a single list. Each of the three could hold one category alone.
#
# ## Discount the misses
#
# The document builds on these measures, but a miss counts less than a hit (slide 17):

# %%
quote(
    "002",
    "効果的でない推薦の寄与を減らすため、割引係数αを組み込む",
    "To reduce the contribution of recommendations that are not effective, a discount coefficient "
    "α is built in.",
)

# %% [markdown]
# ### DCC: discount categories
#
# Take a short list with a cup and a tent, and $\alpha=0.1$. The cup is a hit, so its category
# kitchen counts 1. The tent is a miss, so its category outdoor counts 0.1. **Discounted category
# coverage** (DCC) is (1 + 0.1)/6, about 0.18.
#
# $$\mathrm{DCC}=\frac{|C_{\text{hits}}|+\alpha\,|C_{\text{misses}}|}{|C|}$$
#
# In words: count the categories of the hits. Add $\alpha$ times the number of categories of the
# misses. Divide by the number of all categories. DCC counts the categories of hits and of misses
# separately. A category that appears in both groups is counted twice: once with weight 1, once with
# weight $\alpha$.

# %%
SHORT, ALPHA = ["cup", "tent"], 0.1
hits = [item for item in SHORT if item in BOUGHT]
misses = [item for item in SHORT if item not in BOUGHT]
by_hand = (len(covered(hits)) + ALPHA * len(covered(misses))) / len(covered(CATEGORIES))
assert np.isclose(by_hand, dcc(SHORT, BOUGHT, CATEGORIES, alpha=ALPHA))
round(by_hand, 4)

# %% [markdown]
# The package writes the same formula with other symbols. There $L$ is the recommended list, and $G$
# are the items that were bought. So $L\cap G$ are the hits, and $L\setminus G$ are the misses. The
# number $|C|$ of all categories is called `n_categories`.

# %%
predict(
    "Take alpha = 0.1. The hits of close are green tea and cup. The misses are kettle and teapot. "
    "The shop has six categories. What is the DCC of close? Type it. Is the DCC of mixed, with the "
    "same hits, higher?",
    of=(dcc.using(alpha=0.1), LISTS["close"], BOUGHT, CATEGORIES),
    mistaken={
        2 / 6: "You counted tea and kitchen once. Both appear among the hits and the misses.",
        2.3 / 6: "You counted kitchen twice among the misses. Count it once in each group.",
        2.2: "That is the sum over the categories. Divide it by six.",
    },
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
        },
        caption="Close and mixed have the same DCC, though close has no category beyond tea and "
        "kitchen. The cup covers kitchen already, but the kitchen of the kettle counts again. If "
        "you count such a category once (overlap='once'), mixed is ahead. Wild is last both ways.",
    )
)

# %% [markdown]
# ### FDCC: some categories matter more to you
#
# You bought three teas and one cup. **Frequency-aware DCC** (FDCC) gives tea a greater weight than
# kitchen. The **frequency** $f(c)$ is the number of bought items that have the category $c$. It is
# 3 for tea and 1 for kitchen.
#
# $$\mathrm{FDCC}=\frac{\sum_{c\in C_{\text{hits}}}w_c+\alpha\,|C_{\text{misses}}|}{|C|}
# \qquad w_c=\max(1,\log_b f(c))$$
#
# In words: the weight of a category $c$ of the hits is the logarithm of its frequency to base $b$,
# but at least 1. Add the weights of the categories of the hits. The rest is the same as in DCC. For
# the cup and the tent, kitchen has the weight 1, because $\log_2 1 = 0$ is smaller than 1:

# %%
f = {c: sum(c in CATEGORIES[item] for item in BOUGHT) for c in covered(BOUGHT)}
weights = sum(max(1, np.log2(f[c])) for c in covered(hits))
by_hand = (weights + ALPHA * len(covered(misses))) / len(covered(CATEGORIES))
assert np.isclose(by_hand, fdcc(SHORT, BOUGHT, CATEGORIES, alpha=ALPHA, base=2))
round(float(by_hand), 4)

# %%
per_category = fdcc.working(LISTS["mixed"], BOUGHT, CATEGORIES, alpha=0.1, base=2)[
    "sum over categories"
]
predict(
    "Green tea is a hit of mixed. What is the weight of tea in FDCC with base 2? Type it with two "
    "digits after the point.",
    float(per_category["weight among the hits"][0]),
    mistaken={
        3.0: "That is the frequency of tea. Take its logarithm to base 2.",
        2.0: "You took the logarithm of 4. Only three of the four bought items are tea.",
        1.0: "That is the weight in DCC. The logarithm of 3 is greater than 1.",
        1.0986: "That is the logarithm to base e. Take it to base 2.",
    },
)

# %%
reveal(table(per_category))

# %% [markdown]
# ### DILAD: discount distances
#
# The list *mixed* has the hits green tea and cup, and the misses tent and drum. Take
# $\beta=0.1$. A hit has the weight 1, and a miss has the weight 0.1. The distance of two items
# counts with the product of their weights. So green tea and tent count $1\cdot 0.1=0.1$ times their
# distance. The mean of these products is **discounted ILAD** (DILAD).
#
# $$\mathrm{DILAD}=\frac{1}{|L|\,(|L|-1)}\sum_{i\in L}\;\sum_{j\in L,\,j\ne i}w_i\,w_j\,d(i,j)
# \qquad w_i=\begin{cases}1&\text{if }i\text{ is a hit}\\
# \beta&\text{if }i\text{ is a miss}\end{cases}$$
#
# In words: multiply the distance of each pair by the weights of both items. Add the products, and
# divide by $|L|\,(|L|-1)$, as in ILAD. The slide that defines DILAD is not in the text of the
# document. This definition is that of the code that the authors of the paper released
# (github.com/Xueqi-Li/Accuracy-aware-Diversity-Metrics). It gives the same values as the package.
# For *close* you can use the distances from above:

# %%
w = np.where([item in BOUGHT for item in LISTS["close"]], 1, 0.1)
by_hand = (np.outer(w, w) * d).sum() / (size * (size - 1))
assert np.isclose(by_hand, dilad(LISTS["close"], BOUGHT, VECTORS, beta=0.1))
round(float(by_hand), 4)

# %%
predict(
    "Take beta = 0.1. What is the weight of the pair tent and drum in mixed? Type it.",
    0.01,
    mistaken={
        0.1: "That is the weight of a hit and a miss. Both the tent and the drum are misses.",
        0.2: "You added the two weights. Multiply them.",
        1.0: "That is the weight of two hits.",
    },
)

# %%
reveal(
    table(
        dilad.working(LISTS["mixed"], BOUGHT, VECTORS, beta=0.1)["sum over pairs"],
        digits=3,
        caption="A pair with one miss counts beta. A pair with two misses counts beta squared.",
    )
)

# %%
quiz(
    "You set alpha = 1 in DCC and beta = 1 in DILAD. What do you get?",
    {
        "ILAD and CC": (
            False,
            (
                "DILAD gives ILAD. But DCC may be greater than CC: a category that appears among "
                "the hits and among the misses is counted twice."
            ),
        ),
        "Recall and precision": (
            False,
            "Both count hits alone. With a coefficient of 1 a miss counts as much as a hit.",
        ),
        "ILAD always, and CC if no category appears among both the hits and the misses": (
            True,
            (
                "You also get CC if you count such categories once, with overlap='once'. As "
                "defined, DCC can be as large as 1 + alpha."
            ),
        ),
    },
)

# %% [markdown]
# ## Choose alpha between 0 and 1
#
# The value of $\alpha$ decides which list has the highest DCC. The figure shows the three lists. It
# counts a category once that appears among both the hits and the misses.

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
predict("Why not alpha = 0? Then only hits would count.")

# %%
reveal(
    "You may like an item that you did not buy. Perhaps you have never seen it. And where "
    "purchases are few, most lists have no hit at all. With alpha = 0 all these lists score 0, and "
    "you can't tell them apart."
)

# %% [markdown]
# So $\alpha$ must be above 0. How large may it be? The larger it is, the more the lists without a
# hit decide the mean. The document wants the largest $\alpha$ at which
# lists with hits still decide the mean (slides 20 and 21). It follows from the length of the lists
# and from the precision. For lists of ten items and a precision of 0.0075 it is 3/370, about 0.008.
# The appendix at the end of this chapter derives it. You may leave the appendix out.

# %% [markdown]
# ## A small study of diversifiers
#
# A recommender that tries to make its lists more diverse is called a **diversifier**. Document 002
# asks what the measures say about diversifiers (slides 4 to 10). You now ask the same on a **made
# catalogue**. It has users with known tastes, items in categories, and test items. There are six
# recommenders:
#
# - **LightGCN** learns embeddings from what users bought. All others are compared with it.
# - **MMR** and **DPP** (notebook 10) are diversifiers. They choose from LightGCN's best 50 items.
# - **DGRec** is a diversifier too. It learns to be diverse in its training.
# - **Popularity** recommends the most popular items, and **Random** draws items at random.
#
# The coefficients are tuned to the precision at 10 of LightGCN, as the appendix tells. The study is
# small. The command `irmetrics-edu study diversity` runs it at full size and on public data.

# %%
data = catalogue(users=300, items=2000, categories=30, seed=0)
of = study_diversity(data, Settings(cutoffs=(10,), pool=50, epochs=40), progress=False)
RANKERS = list(of.lists)
{c.tuning.symbol: round(float(c.value), 4) for c in of.coefficients[10]}

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
        digits=4,
        caption="Random. By the usual measures none of the six is as diverse as lists drawn at "
        "random. The values are means over 300 users, at 10.",
    )
)

# %%
predict("And which is the most diverse by DCC, FDCC and DILAD, with the tuned coefficients?")

# %%
lead = case("MMR", of.gain("MMR", "DCC", 10) / of.mean(BASE, "DCC", 10))
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
        caption="MMR has the highest values, 1 % to 4 % above LightGCN. That can be chance: the "
        f"95 % interval of its lead in DCC goes from {lead.low:.0%} to {lead.high:.0%}. The values "
        "are multiples of LightGCN's mean. Random was first by CC and ILAD, and it is far below "
        "LightGCN by the other three. For DPP and DGRec these users don't decide.",
    )
)

# %%
data_test = data.judgments()
HITS = [
    len(data_test[user] & {data.items[item] for item in items})
    for user, items in zip(of.users, of.lists[BASE], strict=True)
]
{f"{n} hits": HITS.count(n) for n in sorted(set(HITS))}

# %% [markdown]
# Very few lists of LightGCN have two hits. A pair of hits counts most in DILAD, so these few users
# decide its order. And this catalogue is one draw. In 30 catalogues drawn in the same way, MMR is
# first by all three measures in 5. In each of the others another recommender is first by at least
# one of them. Random is below LightGCN by DCC and FDCC in all 30.
#
# ### Where the gain comes from
#
# Slide 10 of the document splits the users into two groups. The **positive** group has at least one
# hit among its ten items, so its recall is above 0. The **negative** group has no hit.

# %%
predict(
    "Do most of the 300 users have a hit among ten items? Which group has most of the gain in ILAD?"
)

# %%
reveal(
    quote(
        "002",
        "精度は少数派のポジティブから、 多様性は多数派のネガティブから",
        "Accuracy comes from the positive minority, diversity from the negative majority.",
    ),
    summary="What the document says",
)

# %%
reveal(
    f"Here {of.positive(BASE, 10).sum()} of the 300 users have a hit with LightGCN.",
    summary="Our number",
)


# %%
def part(ranker, metric, *, hit):
    """The part of the mean gain over LightGCN that users with, or without, a hit contribute."""
    gain = of.gain(ranker, metric, 10)
    return float(gain[of.positive(ranker, 10) == hit].sum() / len(gain))


# %%
predict("Now look at single users. Does a user without a hit gain more in ILAD than a user with?")

# %%
reveal(
    table(
        {
            "ranker": DIVERSIFIERS,
            "gain in ILAD of a user without a hit": [
                f"{of.gain(r, 'ILAD', 10)[~of.positive(r, 10)].mean():.3f}" for r in DIVERSIFIERS
            ],
            "of a user with a hit": [
                f"{of.gain(r, 'ILAD', 10)[of.positive(r, 10)].mean():.3f}" for r in DIVERSIFIERS
            ],
            "users without a hit": [f"{1 - of.positive(r, 10).mean():.0%}" for r in DIVERSIFIERS],
            "their part of the gain in ILAD": [
                f"{part(r, 'ILAD', hit=False) / of.gain(r, 'ILAD', 10).mean():.0%}"
                for r in DIVERSIFIERS
            ],
        },
        caption="No. Here the two gain about as much with MMR, and with DPP and DGRec a user "
        "without a hit gains less. In 30 catalogues drawn in the same way a user without a hit "
        "gains less in 16 with MMR, in 21 with DPP and in 14 with DGRec, so that is mostly chance. "
        "But nearly all users have no hit, so nearly all of the gain in ILAD is theirs. The claim "
        "of slide 10 is true here. It says more about how rare hits are than about the "
        "diversifiers.",
    )
)

# %% [markdown]
# Made data show what the measures do. They are no evidence of what people want. The page *Is it
# diversity that counts?* of the documentation has this study on two real data sets, with an
# interval for each claim. On sparse data (Amazon Beauty) the slide is right about most cases. On
# dense data (MovieLens 100k) most users have a hit, and the slide is right about few.

# %% [markdown]
# ### Questions to ask of such a study
#
# - **Which purchases are the test?** If the last purchases of each user are the test, the model
#   learns from the past, as in a shop. If they are drawn at random, it learns from purchases that
#   came after those that it predicts. Such a *leak* can make scores too high.
# - **On what were the models tuned?** A model that was tuned on the test has seen the answers. Tune
#   on a third part of the data. Tune the baseline with the same care, or you compare effort.
# - **Which items were ranked?** Some studies rank each test item among 100 items drawn at random.
#   That is an easier task than to rank all items, and the order of two models can change.
# - **How sure is it?** Ask for an interval or a test over users.

# %%
quiz(
    "You compare a diversifier with LightGCN. ILAD is 25 % higher and recall is 30 % lower. "
    "Neither 95 % interval of these differences contains 0. DILAD is lower, but its interval "
    "contains 0. What may you write?",
    {
        "It made the lists more diverse at no cost": (
            False,
            "Recall fell, and its interval does not contain 0. ILAD can't see that, but you can.",
        ),
        "By DILAD it is worse than LightGCN": (
            False,
            "The interval contains 0. With these users the difference may be chance.",
        ),
        "It made the lists more diverse, at a cost in accuracy; for DILAD the data don't decide": (
            True,
            "An open case is a result, too. Say how many users there were.",
        ),
        "By DILAD it is as good as LightGCN": (
            False,
            "Not decided doesn't mean equal. The interval says how large the difference may be.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - CC, ILAD and ILMD ignore what users want. Lists drawn at random score well.
# - DCC, FDCC and DILAD discount misses. A category of a miss counts $\alpha$, and each miss of a
#   pair multiplies its distance by $\beta$.
# - DCC counts a category twice if it appears among the hits and among the misses. Pass
#   `overlap="once"` to count it once.
# - If most lists have no hit, alpha = 0 gives most of them 0, and a large alpha lets them decide
#   the mean. The appendix computes the largest alpha at which lists with hits decide it.
# - If few users have a hit, nearly all of a gain in ILAD goes to users without a hit. Report
#   accuracy and confidence intervals beside diversity.
# - The findings of slide 10 fit sparse data better than dense data. Run the study on your own
#   data.
#
# **Read on.**

# %%
reading("Li 2024", "Ziegler 2005", "He 2020", "Yang 2023", "Zhao 2025")

# %% [markdown]
# ## Appendix: the largest alpha by a binomial model
#
# **You may leave this appendix out.** No other chapter needs it. It takes 15 minutes, and it needs
# the binomial distribution.
#
# The document wants the largest $\alpha$ at which lists with hits still decide the mean (slides 20
# and 21). What does this mean? Sort all recommended lists by their number of hits. **Group** $n$
# holds the lists with $n$ hits.
#
# Take lists of $k=10$ items and a precision of $p=0.0075$. Suppose that each item is a hit with
# probability $p$. Then 92.75 % of the lists have no hit, and 7.01 % have one hit. Now give each
# item a category of its own. At $\alpha=1$ every list has the value 10. So group 0 contributes
# $10\cdot 0.9275\approx 9.27$ to the mean, and group 1 contributes only
# $10\cdot 0.0701\approx 0.70$. The lists without a hit decide the mean.
#
# $$P_n=\binom{k}{n}p^n(1-p)^{k-n}\qquad v_n=n+\alpha(k-n)$$
#
# In words: $P_n$ is the share of the lists in group $n$, by the binomial distribution. The value
# $v_n$ of a list in group $n$ is 1 for each of its $n$ hits, and $\alpha$ for each of its $k-n$
# misses. DCC is $v_n$ divided by the number of categories. The package writes $R_n$ for group $n$,
# as the document does.

# %%
found = tune_alpha(10, "0.0075")
shares = [comb(10, n) * 0.0075**n * (1 - 0.0075) ** (10 - n) for n in range(2)]
assert np.isclose(shares, found.working["probability"]).all()
[round(share, 4) for share in shares]

# %% [markdown]
# The document asks that a group with more hits contributes more (slide 20):
#
# $$v_i\,P_i > v_j\,P_j \qquad\text{for } i>j$$
#
# In words: multiply the value of a group by its share. The product must be larger for the group
# with more hits. This can't hold for groups that hardly ever occur, so you leave them out. Take the
# smallest $N_\tau$ for which the groups 0 to $N_\tau$ hold at least the share $\tau=0.99$ of all
# lists, but at least 1. Only these groups must obey.

# %%
predict(
    "Here groups 0 and 1 hold more than 99 % of the lists. So there is one condition: group 1 must "
    "contribute more than group 0. Is the largest alpha near 0.9, 0.1 or 0.01? Type one of them.",
    0.01,
    mistaken={
        0.9: "Too large. Group 0 would contribute 9 · 0.9275, and group 1 only 9.1 · 0.0701.",
        0.1: "Too large. Group 0 would contribute 1 · 0.9275, and group 1 only 1.9 · 0.0701.",
    },
)

# %%
reveal(explain(found.working))

# %%
reveal(
    "The condition is (1 + alpha (k - 1)) · k p (1 - p)^(k - 1) > alpha k · (1 - p)^k. Divide both "
    "sides by k (1 - p)^(k - 1). Then (1 + alpha (k - 1)) p > alpha (1 - p). This gives "
    "alpha < p/(1 - kp). For k = 10 and p = 0.0075 the bound is 0.0075/0.925 = 3/370. Alpha is "
    "small because so many lists have no hit. Each of them contributes little, but together they "
    "contribute a lot.",
    summary="The same by hand",
)

# %% [markdown]
# With more groups there are more conditions. Each condition holds for a part of the numbers from 0
# to 1. An alpha is **feasible** if all conditions hold. Move the slider to change the precision.
# Watch the number of conditions and the shaded part, where alpha is feasible.


# %%
def conditions(p):
    """The conditions on alpha for lists of ten items at precision p."""
    drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    plot_conditions(tune_alpha(10, p), axes)
    axes.set_xlim(0.0008, 1)  # the same for all, so that the shaded parts can be compared
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
predict("At a precision of 0.02 no alpha is feasible. Why can a better system leave no alpha?")

# %%
better = tune_alpha(10, "0.02")
of_one, of_two = (comb(10, n) * 0.02**n * 0.98 ** (10 - n) for n in (1, 2))
reveal(
    f"Now {of_two:.1%} of the lists have two hits, so group 2 belongs to the 99 %, and it must "
    "contribute more than group 1. But such lists are too rare: even at alpha = 0 group 2 "
    f"contributes 2 · {of_two:.4f} = {2 * of_two:.3f}, and group 1 contributes {of_one:.3f}."
)

# %%
reveal("\n".join(better.working.notes), summary="What the package says of it")

# %% [markdown]
# You tune the $\beta$ of DILAD in the same way, but with pairs. A list of ten items has 45 pairs.
# Suppose that the list has two hits. One pair has two hits and counts 1. There are
# $2\cdot 8=16$ pairs with one miss, and each counts $\beta$. The other 28 pairs have two misses,
# and each counts $\beta^2$. So the value of group 2 is $1+16\beta+28\beta^2$. A pair of hits needs
# two hits, so $N_\tau$ is at least 2 here.

# %%
by_pairs = tune_beta(10, "0.0075")
table(by_pairs.working)

# %%
quiz(
    "Lists with more hits are to decide the mean. A paper reports DCC@10 with alpha = 0.5 for a "
    "system of precision 0.01. What do you say?",
    {
        f"alpha must be below {Fraction(1, 90)}": (
            True,
            "p/(1 - kp) is 0.01/0.9. With 0.5 the 90 % of lists without a hit decide the mean.",
        ),
        "Fine: alpha lies between 0 and 1": (
            False,
            "It does, but then the lists without a hit decide the mean.",
        ),
        "alpha must be 0": (
            False,
            "Then most lists score 0. But users may like items that they have never seen.",
        ),
    },
)

# %% [markdown]
# **In short.** The precision decides which alphas are feasible. A better system may leave no
# feasible alpha.
