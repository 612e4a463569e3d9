# %% [markdown]
# # 8. Unjudged documents: pools, bpref, infAP
#
# **Goals.** After this notebook you can
#
# - say what an unjudged document costs under AP, a condensed list, bpref, infAP and RBP;
# - compute bpref and infAP of a short list by hand, and write each in a few lines of Python;
# - tell when judgments made for other systems can be used for yours, and when they mislead.
#
# **Time.** 50 minutes. **Needs.** Notebook 1 (pooling), notebook 2 (average precision), notebook 6
# (significance tests).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    average_precision,
    bpref,
    compare,
    evaluate,
    explain,
    inf_ap,
    judged,
    mean,
    mean_average_precision,
    rbp,
)
from irmetrics_edu.course import (
    figure,
    leave_out,
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
from irmetrics_edu.course.collection.cranfield import load_cranfield, recorded, runs_over
from irmetrics_edu.runs import pool
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter quotes one text: *document 004*, the slides of two lectures in Chinese on evaluation
# and learning to rank. These are the words of this chapter:

# %%
terms("pool", "judged", "unjudged document", "AP", "bpref", "infAP", "residual")

# %% [markdown]
# ## Three kinds of documents
#
# Nobody can judge a whole collection. So evaluation campaigns judge a **pool**. A pool of depth 20
# holds the first 20 documents of each system that takes part. Judges look at these documents and at
# no others. The lecture says what you assume when you do this:

# %%
quote(
    "004",
    "潜在假设: 大多数相关文档都在这个文档池 (Doc Pooling) 中",
    "The hidden assumption: most relevant documents are in this pool of documents.",
)

# %% [markdown]
# It also says what the pool is good for:

# %%
quote(
    "004", "它可以比较各个算法的相对优劣", "It can compare which algorithms are better than others."
)

# %% [markdown]
# So there are three kinds of documents: judged relevant, judged not relevant, and **not judged**.
# Here is a ranking of eight documents, with unjudged documents at ranks 1, 4 and 6. A fourth
# relevant document, r9, was judged, but the system did not find it.

# %%
RANKING = ["u1", "r2", "n3", "u4", "r5", "u6", "r7", "n8"]
JUDGED = {"r2": 1, "r5": 1, "r7": 1, "r9": 1, "n3": 0, "n8": 0}
table(
    {
        "rank": list(range(1, 9)),
        "document": RANKING,
        "judged": [{1: "relevant", 0: "not relevant"}.get(JUDGED.get(d), "?") for d in RANKING],
    }
)

# %% [markdown]
# ## Count unjudged documents as not relevant
#
# Nearly every tool treats an unjudged document as not relevant, and most tools do not say so. Take
# a short example first: a relevant document, an unjudged document, and a second relevant document.
# Write an unjudged document as `None`. In numpy, AP with unjudged as 0 is:

# %%
grades = [1, None, 1]
relevant = np.array([g == 1 for g in grades])
precision = relevant.cumsum() / np.arange(1, len(grades) + 1)
by_hand = precision[relevant].sum() / relevant.sum()
assert np.isclose(by_hand, average_precision(grades))
round(float(by_hand), 4)

# %% [markdown]
# Both relevant documents are in the list, so here $R$, the number of relevant documents, is
# `relevant.sum()`. Now take the ranking of eight documents.

# %%
predict(
    "What is AP of the ranking, if u1, u4 and u6 are not relevant? R is 4, because r9 counts too.",
    of=(average_precision, RANKING, JUDGED),
)

# %%
reveal(explain(average_precision, RANKING, JUDGED))

# %% [markdown]
# ## Condensed lists: remove the unjudged documents
#
# You can also remove the unjudged documents, so that the documents below them move up. The list
# that remains is the **condensed list**. In the short example it has two documents, both relevant,
# so its AP is 1:

# %%
condensed = np.array([g for g in grades if g is not None])
precision = condensed.cumsum() / np.arange(1, len(condensed) + 1)
by_hand = precision[condensed == 1].sum() / condensed.sum()
assert np.isclose(by_hand, average_precision(grades, unjudged="removed"))
float(by_hand)

# %% [markdown]
# The condensed list of the ranking of eight documents is r2, n3, r5, r7, n8.

# %%
predict(
    "What is AP of this condensed list? R is still 4.",
    of=(average_precision.using(unjudged="removed"), RANKING, JUDGED),
    mistaken={average_precision(RANKING, JUDGED): "That is AP with unjudged as 0."},
)

# %%
reveal(explain(average_precision, RANKING, JUDGED, unjudged="removed"))

# %% [markdown]
# AP of a condensed list is never lower than AP with unjudged as 0, because each relevant document
# moves up or stays where it is. Which of the two values is closer to the truth? It depends on the
# unjudged documents, and nobody has read them.

# %% [markdown]
# A score should say how many unjudged documents it depends on. **Judged@k** does this: it is the
# share of the first $k$ documents that somebody judged. In the short example two of three documents
# are judged, so Judged@3 is 2/3.

# %%
predict("What is Judged@5 of the ranking of eight documents?", of=(judged @ 5, RANKING, JUDGED))

# %%
reveal(table(judged.working(RANKING, JUDGED, k=5)))

# %% [markdown]
# ## RBP and its residual
#
# RBP (notebook 4) gives each rank a weight. With $p = 0.5$ the weights are 0.5, 0.25, 0.125, and so
# on. They depend on the rank alone, and all of them together add up to 1:
#
# $$w_i = (1-p)\,p^{\,i-1} \qquad\qquad \mathrm{RBP} = \sum_{i\colon \text{relevant}} w_i$$
#
# In words: the weight $w_i$ of rank $i$ is $1-p$, times $p$ for each rank above it. RBP is the sum
# of the weights of the relevant documents.
#
# So you know how much the unjudged documents could add at most. That is the **residual**: the sum
# of the weights of all ranks without a judgment. The ranks below the end of the list belong to it
# too.

# %%
p, ranks = 0.5, np.arange(1, len(grades) + 1)
weight = (1 - p) * p ** (ranks - 1)
by_hand = weight[relevant].sum()
unjudged = np.array([g is None for g in grades])
rest = weight[unjudged].sum() + (1 - weight.sum())
worked = rbp.working(grades, p=p)
assert np.isclose(by_hand, worked.value)
assert np.isclose(rest, worked["residual"][0])
float(by_hand), float(rest)

# %% [markdown]
# In the short example RBP is 0.625. The residual is 0.375: 0.25 for the unjudged document at rank
# 2, and 0.125 for all ranks from 4 on. So RBP lies between 0.625 and 1. It depends on what the
# unjudged documents are.

# %%
predict(
    "How large is the residual of the ranking of eight documents with p = 0.8? The ranks 1, 4 and "
    "6 are unjudged, and the ranks below 8 have the weight 0.8^8 = 0.168. Is the residual more "
    "than a half?",
    float(rbp.working(RANKING, JUDGED, p=0.8)["residual"][0]),
    mistaken={
        0.367936: "You left out the ranks below the end of the list. Add 0.168.",
        0.167772: "Those are the ranks below 8 alone. Add the weights of ranks 1, 4 and 6.",
        rbp(RANKING, JUDGED, p=0.8): "That is RBP itself: the part that is known to be relevant.",
    },
)

# %%
reveal(explain(rbp, RANKING, JUDGED, p=0.8))

# %% [markdown]
# A patient reader has a *persistence* $p$ near 1, and reads on to ranks where little is judged.
# The next figure has RBP for every $p$. A judge now looks at u1, then u4, then u6, and finds none
# of them relevant. Move the slider. For which $p$ does a judgment make the residual much smaller?

# %%
PERSISTENCE, UNSEEN = np.linspace(0.02, 0.98, 49), ["u1", "u4", "u6"]


def residual(more):
    """RBP and RBP plus its residual over p, after so many more judgments."""
    known = JUDGED | dict.fromkeys(UNSEEN[:more], 0)
    worked = [rbp.working(RANKING, known, p=p) for p in PERSISTENCE]
    low = np.array([w.value for w in worked])
    high = low + [w["residual"][0] for w in worked]
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    axes.fill_between(
        PERSISTENCE, low, high, color=plotting.PALETTE[1], alpha=0.3, label="residual"
    )
    axes.plot(PERSISTENCE, low, color=plotting.PALETTE[0], label="RBP")
    axes.plot(PERSISTENCE, high, color=plotting.PALETTE[1], linestyle="--", label="RBP + residual")
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="persistence p", ylabel="RBP")
    axes.set_title(f"newly judged not relevant: {', '.join(UNSEEN[:more]) or 'none'}")
    drawn.legend(loc="outside lower center", ncols=3, frameon=False)
    return drawn


def residual_in_words(more):
    """How wide the band is for three readers."""
    known = JUDGED | dict.fromkeys(UNSEEN[:more], 0)
    wide = [f"{rbp.working(RANKING, known, p=p)['residual'][0]:.2f}" for p in (0.2, 0.5, 0.9)]
    return (
        f"A band between RBP and the most that it can be, over p, after {more} more judgments. It "
        f"is {wide[0]} wide at p = 0.2, {wide[1]} at 0.5 and {wide[2]} at 0.9."
    )


slider(residual, name="new judgments", values=[0, 1, 2, 3], start=0, alt=residual_in_words)

# %% [markdown]
# At $p=0.2$ the judgment of u1 shrinks the residual from 0.81 to 0.01, because this reader hardly
# looks below rank 1. At $p=0.9$ all three judgments shrink it only from 0.66 to 0.43. The weight of
# the ranks below the end of the list is 0.43, and no judgment of these eight documents reaches it.
#
# ## bpref: pairs of judged documents
#
# **bpref** looks at judged documents only. It asks of each relevant document: how many documents
# that were judged not relevant stand above it? Take the list *relevant, not relevant, unjudged
# document, relevant, not relevant*:
#
# - no such document stands above the first relevant document, so it keeps its full worth of 1;
# - one of the two stands above the second relevant document, so it keeps 1/2.
#
# bpref is the mean, 0.75. The unjudged document does not count. As a formula:
#
# $$\mathrm{bpref} = \frac{1}{R} \sum_{i\colon \text{relevant}}
# \Bigl(1 - \frac{\min(n_i, R)}{\min(N, R)}\Bigr)$$
#
# In words: $R$ documents are judged relevant and $N$ are judged not relevant. Of these $N$, $n_i$
# documents stand above the relevant document at rank $i$, and at most $R$ of them count. Divide
# their number by $N$, or by $R$ if $R$ is smaller, and subtract from 1. A relevant document that
# was not found keeps 0. bpref is the mean over all $R$ relevant documents.

# %%
grades = [1, 0, None, 1, 0]
R, N = grades.count(1), grades.count(0)
above = [grades[:i].count(0) for i, grade in enumerate(grades) if grade == 1]
by_hand = sum(1 - min(n, R) / min(N, R) for n in above) / R
assert np.isclose(by_hand, bpref(grades))
by_hand

# %%
predict(
    "In the ranking of eight documents R = 4 and N = 2. Count the documents above r2, r5 and r7 "
    "that were judged not relevant. What is bpref?",
    of=(bpref, RANKING, JUDGED),
    mistaken={2 / 3: "You divided by 3. R is 4: r9 was not found and keeps 0."},
)

# %%
reveal(explain(bpref, RANKING, JUDGED))

# %%
quiz(
    "Somebody puts ten unjudged documents on top of a ranking. What happens to its bpref and AP?",
    {
        "Both fall": (
            False,
            "AP does fall. But bpref doesn't look at unjudged documents.",
        ),
        "bpref falls, since the relevant documents stand lower": (
            False,
            "bpref uses no ranks. It counts the documents above that were judged not relevant.",
        ),
        "bpref stays, AP falls": (
            True,
            (
                "bpref ignores unjudged documents. A reader can't ignore them: there are ten more "
                "documents to read, good or bad."
            ),
        ),
    },
)

# %% [markdown]
# Some programs have $1 - n_i/R$ in the bracket. trec_eval uses $\min(N, R)$, so that the worst
# ranking has 0 also if $N$ is less than $R$. Before you compare two numbers of bpref, find
# out which formula made them.
#
# ## infAP: estimate from a sample
#
# Judging costs a lot of time. So you may judge only a random *sample* of the pool. Then a document
# above a relevant document at rank $i$ is of one of three kinds:
#
# - it is in the sample, so it is judged;
# - it is in the pool but not in the sample;
# - it is outside the pool, and counts as not relevant.
#
# The sample is random. So about the same share of documents is relevant in the rest of the pool as
# in the sample. **infAP** (inferred AP) uses this share to estimate precision.
#
# For example, the pool has the documents a, b, c and d. Judges read a and d, which are relevant,
# and b, which is not. Nobody read c. The ranking is a, b, c, d. How large is precision at d, at
# rank 4? The document d itself counts 1. Three documents of the pool stand above it. Two of them
# were judged, and one of these two is relevant. So you expect $3 \cdot \frac12 = 1.5$ relevant
# documents above d. The expected precision is $(1 + 1.5) / 4 = 0.625$. As a formula:
#
# $$\frac{1}{i} + \frac{d_i}{i} \cdot \frac{r_i + \epsilon}{r_i + n_i + 2\epsilon}$$
#
# In words: $d_i$ documents of the pool stand above rank $i$. Of these, $r_i$ are judged relevant
# and $n_i$ are judged not relevant. Multiply $d_i$ by the share that is relevant, add 1 for the
# document itself, and divide by the rank. The tiny $\epsilon$ avoids 0 divided by 0 if nothing is
# judged above. infAP is the sum of the expected precision at all relevant documents, divided by
# $R$.
#
# In the judgments `None` means *in the pool, not judged*.

# %%
judgments = {"a": 1, "b": 0, "c": None, "d": 1}
at_a = 1 / 1
at_d = 1 / 4 + 3 / 4 * 1 / (1 + 1)
by_hand = (at_a + at_d) / 2
assert np.isclose(by_hand, inf_ap(["a", "b", "c", "d"], judgments))
by_hand

# %% [markdown]
# Now take the ranking of eight documents. Say that u4 and u6 are in the pool but not in the sample,
# and that u1 is outside the pool.

# %%
SAMPLED = JUDGED | {"u4": None, "u6": None}
predict(
    "What is the expected precision at r5, at rank 5? The documents above it are u1 (outside "
    "the pool), r2 and n3 (judged), and u4 (not in the sample).",
    0.5,
    mistaken={
        0.4: "That is precision with u4 as not relevant. Half of u4 counts.",
        0.6: "You counted u1 as a document of the pool. It is outside, so d is 3.",
        0.3: "You left out r5 itself. Add 1/5.",
    },
)

# %%
reveal(
    "r5 itself counts 1. Three documents of the pool stand above it. Two of them were judged, and "
    "one of these two is relevant. So 1 + 3/2 = 2.5 of 5 documents are expected to be relevant."
)

# %%
reveal(explain(inf_ap, RANKING, SAMPLED), summary="infAP of the whole ranking")

# %% [markdown]
# ## A simulation with known relevance
#
# To see what unjudged documents do, you have to know which of them are relevant. So here is a
# made-up world with 25 queries and 300 documents. For each query 20 documents are relevant. There
# are five systems:
#
# - The systems A to D see documents in much the same way. For example, they all match words. So
#   they tend to make the same mistakes.
# - The system *new* is nearly as good as A, but looks at the documents in its own way.
#
# The next cell draws their scores at random.

# %%
QUERIES, DOCUMENTS, RELEVANT = 25, 300, 20
TRUTH = {
    f"q{q + 1}": {f"d{i}": int(i < RELEVANT) for i in range(DOCUMENTS)} for q in range(QUERIES)
}


def made_system(quality, view, own, world=0):
    """A run of 100 documents per query; systems with one view err on the same documents."""
    run = {}
    for q, query in enumerate(TRUTH):
        seen = np.random.default_rng((view, q, world)).normal(size=DOCUMENTS)
        noise = np.random.default_rng((99, own, q, world)).normal(size=DOCUMENTS)
        scores = np.sqrt(0.7) * seen + np.sqrt(0.3) * noise
        scores[:RELEVANT] += quality
        run[query] = [f"d{i}" for i in np.argsort(-scores)[:100].tolist()]
    return run


def made_world(world=0):
    """The five systems of a world; the new one is the last."""
    return {
        "A": made_system(1.8, 1, 1, world),
        "B": made_system(1.6, 1, 2, world),
        "C": made_system(1.4, 1, 3, world),
        "D": made_system(1.2, 1, 4, world),
        "new": made_system(1.75, 2, 5, world),
    }


SYSTEMS = made_world()
NEW = SYSTEMS["new"]
POOLED = {name: run for name, run in SYSTEMS.items() if name != "new"}


# %%
def judge(depth, systems=POOLED):
    """The judgments that a pool of these systems brings about."""
    pools = pool(systems, depth=depth)
    return {query: {d: TRUTH[query][d] for d in p.documents} for query, p in pools.items()}


def over_queries(metric, run, qrels, **options):
    """The mean of a measure over the queries."""
    return mean([metric(run[q], qrels[q], **options) for q in qrels])


true_map = {name: mean_average_precision(run, TRUTH) for name, run in SYSTEMS.items()}
table({"system": list(true_map), "MAP by the truth": list(true_map.values())}, digits=3)

# %% [markdown]
# Now judge only the first twenty documents of A to D.

# %%
DEPTH = 20
by_others = judge(DEPTH)
size = mean([len(j) for j in by_others.values()])
predict(
    f"Each query then has {size:.0f} judged documents, of 300. Will MAP of A to D be higher or "
    "lower than by the truth? Does their order change? And what happens to the new system?"
)

# %%
reveal(
    table(
        {
            "system": list(SYSTEMS),
            "MAP by the truth": list(true_map.values()),
            "MAP by the pool": [mean_average_precision(run, by_others) for run in SYSTEMS.values()],
            "judged@10": [over_queries(judged, run, by_others, k=10) for run in SYSTEMS.values()],
        },
        digits=3,
        caption="A to D contributed to the pool. All four are too high, since R is too small, but "
        "their order is right. The new system did not contribute, and falls from second place to "
        "last. So the pool compares the systems that took part, as the lecture says, but not "
        "the new system. Judged@10 warns you, and it costs nothing.",
    )
)

# %% [markdown]
# Is that so because of the numbers that were drawn here? Draw thirty such worlds, and count.


# %%
def places(world):
    """The place of the new system among the five, by the truth and by the pool of A to D."""
    systems = made_world(world)
    of_four = judge(DEPTH, {name: run for name, run in systems.items() if name != "new"})
    found = []
    for qrels in (TRUTH, of_four):
        scores = {name: mean_average_precision(run, qrels) for name, run in systems.items()}
        found.append(sorted(scores, key=scores.get, reverse=True).index("new") + 1)
    return found


WORLDS = [places(world) for world in range(30)]
fell = sum(by_pool > by_truth for by_truth, by_pool in WORLDS)
last = sum(by_pool == 5 for _, by_pool in WORLDS)
f"It falls in {fell} of {len(WORLDS)} worlds, and to the last place in {last}."

# %% [markdown]
# So the fall is no accident. Whether it ends at the last place is.
#
# ## A system that did not contribute to the pool
#
# You can measure the damage without knowing the truth (Zobel 1998). Pool all five systems. Then
# leave one system out: remove the judgments that only this system brought to the pool, and measure
# the system again. Do so for each system in turn.

# %%
all_five = judge(DEPTH, SYSTEMS)
predict("Which system loses most when its own judgments are removed: A, D, or the new system? Why?")

# %%
left = {
    name: leave_out(name, SYSTEMS, all_five, average_precision, depth=DEPTH) for name in SYSTEMS
}
reveal(
    table(
        {
            "system": list(left),
            "judgments of its own": [
                sum(len(grades) for grades in out.removed.values()) for out in left.values()
            ],
            "MAP if pooled": [float(out.pooled.value) for out in left.values()],
            "if not": [float(out.unpooled.value) for out in left.values()],
            "change": [float(out.change) for out in left.values()],
        },
        digits=3,
        caption="A loses little, because B, C and D find the same documents. The new system loses "
        "most, because nobody else finds what it finds. Even if they are not pooled, A to D come "
        "out above the truth (the first table), because fewer relevant documents are known than "
        "there are. But they come out too low beside the systems that are pooled.",
    )
)

# %% [markdown]
# If such changes are small for every system, you can use the pool for systems that are *like*
# these. The changes tell you nothing about a system that is unlike all of them.
#
# ## Do condensed lists and bpref help?
#
# Now measure the new system with the judgments of A to D only. It did not contribute to them.

# %%
predict(
    "AP with unjudged as 0 is too low for the new system. Will AP of the condensed list be right? "
    "Will bpref be right?"
)

# %%
measures = {
    "by the truth": true_map,
    "AP, unjudged is 0": {n: over_queries(average_precision, r, by_others)
                          for n, r in SYSTEMS.items()},
    "AP, condensed": {n: over_queries(average_precision, r, by_others, unjudged="removed")
                      for n, r in SYSTEMS.items()},
    "bpref": {n: over_queries(bpref, r, by_others) for n, r in SYSTEMS.items()},
}  # fmt: skip
reveal(
    table(
        {"system": list(SYSTEMS)} | {name: list(of.values()) for name, of in measures.items()},
        digits=3,
        caption="Neither is right. With unjudged as 0 the new system comes last. With a condensed "
        "list or bpref it comes first, ahead of A. Its judged documents are those that A to D find "
        "as well, and a document that different kinds of systems find is more often relevant. "
        "Sakai (2008) found the same with real runs.",
    )
)

# %% [markdown]
# Does a significance test (notebook 6) protect you? Compare A with the new system in three ways: by
# the truth, by the pool with unjudged as 0, and by the pool with condensed lists.

# %%
verdicts = {
    "the truth": compare({"A": POOLED["A"], "new": NEW}, TRUTH, "AP"),
    "pool, unjudged is 0": compare({"A": POOLED["A"], "new": NEW}, by_others, "AP"),
    "pool, condensed": compare({"A": POOLED["A"], "new": NEW}, by_others, "AP", unjudged="removed"),
}
predict(
    "By the truth, A and the new system hardly differ. Will the test find a difference with the "
    "judgments of the pool?"
)

# %%
tested = {name: c.tested("new", "AP") for name, c in verdicts.items()}
reveal(
    table(
        {
            "judgments": list(tested),
            "new minus A": [t.mean for t in tested.values()],
            "low": [t.low for t in tested.values()],
            "high": [t.high for t in tested.values()],
            "p (randomisation), at least": [
                max(t.p["randomisation"], 0.001) for t in tested.values()
            ],
        },
        digits=3,
        caption="With the pool the test finds a difference, and it has a different sign in the two "
        "rows. A test asks whether the queries agree. Here all queries share the same error. More "
        "queries would make you more certain of it. More judgments help: judge the top of the new "
        "system's rankings too.",
    )
)

# %% [markdown]
# ## Judge a random sample of the pool
#
# bpref and infAP were made for another kind of gap: documents that were left out at *random*. Take
# all judgments of a deep pool of all five systems, and keep a random share of them. Draw thirty
# samples of each size, because one sample may be a lucky one. The next cell does this, and you can
# skip it.

# %%
DEEP = judge(50, SYSTEMS)
SHARES = [0.05, 0.1, 0.2, 0.4, 0.7, 1.0]


def sampled(share, seed):
    """The deep pool with a random share of it judged; the others are pooled but not judged."""
    random = np.random.default_rng(seed)
    return {
        query: {
            d: grade if drawn < share else None
            for (d, grade), drawn in zip(
                grades.items(), random.random(len(grades)).tolist(), strict=True
            )
        }
        for query, grades in DEEP.items()
    }


# %%
SAMPLED_BY = ("AP", "bpref", "infAP")
lines = {name: [] for name in SAMPLED_BY}  # of each measure a row a share, with a value a sample
for share in SHARES:
    means = [evaluate(POOLED["A"], sampled(share, s), " ".join(SAMPLED_BY)).mean for s in range(30)]
    for name in SAMPLED_BY:
        lines[name].append([mean_of[name] for mean_of in means])
lines = {name: np.array(values) for name, values in lines.items()}
FULL = lines["AP"][-1][0]  # with all judgments
assert np.isclose(FULL, over_queries(average_precision, POOLED["A"], DEEP))

# %%
predict(
    "With all judgments, AP of system A is "
    f"{FULL:.3f}. Down to which share of the judgments does the mean of infAP stay within 0.05 of "
    "it: 0.7, 0.4, 0.2, 0.1 or 0.05?",
    min(s for s, v in zip(SHARES, lines["infAP"], strict=True) if abs(v.mean() - FULL) < 0.05),
)

# %%
drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
for i, (name, values) in enumerate(lines.items()):
    colour = plotting.PALETTE[(0, 3, 2)[i]]
    axes.fill_between(SHARES, values.min(axis=1), values.max(axis=1), color=colour, alpha=0.15)
    axes.plot(
        SHARES,
        values.mean(axis=1),
        color=colour,
        marker="o^s"[i],
        linestyle=("--", ":", "-")[i],
        label=name,
    )
axes.axhline(FULL, color="0.6", linewidth=1, label="AP, all judged")
axes.set(xlabel="share of the pool that is judged", ylabel="mean over queries", ylim=(0, 0.8))
axes.set_title("System A, judged less and less: mean and range of 30 samples")
axes.legend(loc="lower right", frameon=False)
MEANS = {name: dict(zip(SHARES, v.mean(axis=1), strict=True)) for name, v in lines.items()}
reveal(
    figure(
        drawn,
        alt="AP, bpref and infAP of system A over the share of the pool that is judged, each as "
        "the mean of 30 samples in a band from the lowest to the highest. With all judgments AP is "
        f"{FULL:.2f}. At shares of 0.4, 0.2 and 0.1 AP has means of "
        + ", ".join(f"{MEANS['AP'][share]:.2f}" for share in (0.4, 0.2, 0.1))
        + ", infAP of "
        + ", ".join(f"{MEANS['infAP'][share]:.2f}" for share in (0.4, 0.2, 0.1))
        + ", and bpref of "
        + ", ".join(f"{MEANS['bpref'][share]:.2f}" for share in (0.4, 0.2, 0.1))
        + ".",
    )
)

# %%
off = (abs(lines["infAP"][SHARES.index(0.2)] - FULL) > 0.05).sum()
reveal(
    "infAP stays close in the mean, down to a share of 0.4. With a fifth of the judgments its mean "
    f"is {1 - MEANS['infAP'][0.2] / FULL:.0%} too low, and a single sample is off by more than "
    f"0.05 in {off} of 30. Why? With few judgments there is sometimes no judged document above a "
    "relevant one. Then epsilon makes infAP guess that half of the pooled documents above are "
    "relevant. Near the top of this system more than half are. And some queries have no judged "
    "relevant document left, and score 0. AP falls faster: it takes a relevant document that is "
    "not in the sample for a bad one. bpref falls little, but it is another measure than AP. Don't "
    "compare the two in one table.",
    summary="What the figure shows",
)

# %%
quiz(
    "bpref and infAP make an assumption about the judgments. Which assumption is broken when you "
    "measure a new system with the pool of four others?",
    {
        "Most documents of the pool have been judged by somebody": (
            False,
            "infAP needs no such thing: here it does well with 0.4 of the pool.",
        ),
        "Judged documents are like unjudged documents": (
            True,
            (
                "In a random sample they are alike. The top of other systems' rankings is not a "
                "random sample: it holds what those systems find."
            ),
        ),
        "Grades are binary": (
            False,
            "The grades are binary here, and it doesn't help.",
        ),
    },
)

# %% [markdown]
# ## On a real collection
#
# The real collection (notebook 1) has two pools. The *deep* pool holds the first ten documents of
# FTS5, BM25 and LSA. The *shallow* pool holds the first five documents of FTS5 and BM25 only. The
# grades of a document are the same in both pools.

# %%
stdlib = load_collection("stdlib")
REAL_DEEP, REAL_SHALLOW = stdlib.qrels["deep"], stdlib.qrels["shallow"]
predict(
    "Under the shallow pool LSA loses P@5 and nDCG@10, because it put no document into the pool. "
    "FTS5 and BM25 did. Does their nDCG@10 rise, fall or stay?"
)

# %%
MEASURES = "P@5 nDCG@10 bpref Judged@10"
rows = {"engine": [], "pool": []} | {measure: [] for measure in MEASURES.split()}
for name, run in stdlib.runs.items():
    for pooled, qrels in (("deep", REAL_DEEP), ("shallow", REAL_SHALLOW)):
        rows["engine"].append(name)
        rows["pool"].append(pooled)
        for measure, value in evaluate(run, qrels, MEASURES).mean.items():
            rows[measure].append(value)
reveal(
    table(
        rows,
        digits=3,
        caption="Their nDCG@10 rises: relevant documents that they missed are no longer in the "
        "ideal. bpref ignores what was not judged, so LSA does not lose it. Judged@10 warns you.",
    )
)

# %% [markdown]
# ## Never judged, in a collection of people
#
# In Cranfield (notebook 2) people judged 1,837 of the 315,000 pairs of a question and a document.
# The table has two engines which played no part in that. With a copy of your own, name its folder
# and run the cell again. Without one you see what was measured once.

# %%
CRANFIELD = ""  # the folder with cran.all.1400, cran.qry and cranqrel


def over_cranfield(folder):
    """AP with unjudged documents as 0 and on condensed lists, and the share that is judged."""
    cranfield = load_cranfield(folder)
    grades = cranfield.qrels["people"]
    columns = {"engine": [], "Judged@10": [], "AP": [], "AP, condensed": []}
    for engine, run in runs_over(cranfield).items():
        kept = {t: {d: s for d, s in of.items() if d in grades[t]} for t, of in run.items()}
        found = evaluate(run, grades, ["Judged@10", "AP"])
        columns["engine"].append(engine)
        columns["Judged@10"].append(round(found.mean["Judged@10"], 4))
        columns["AP"].append(round(found.mean["AP"], 4))
        columns["AP, condensed"].append(round(evaluate(kept, grades, "AP").mean["AP"], 4))
    return columns


table(
    over_cranfield(CRANFIELD) if CRANFIELD else recorded("never_judged"),
    digits=3,
    caption="About seven of ten documents at the top have no grade. Both views put lsa first, but "
    "the two numbers of one engine are far apart: say with each score what became of the unjudged.",
)

# %% [markdown]
# ## Recap
#
# - Unjudged is not the same as not relevant. AP treats it as the same. A condensed list and bpref
#   ignore unjudged documents, infAP estimates them, and RBP tells you how much is unknown.
# - A pool compares the systems that contributed to it. With unjudged documents as 0, other systems
#   may come out too low beside those that contributed. Without the unjudged documents they may come
#   out too high.
# - A significance test does not see a bias that all queries share.
# - Report Judged@k beside the score. If it is low for one system and high for another, judge more
#   documents.
#
# **Read on.**

# %%
reading("Zobel 1998", "Buckley 2004", "Yilmaz 2006", "Sakai 2008")
