# %% [markdown]
# # 6. What was never judged: pools, holes, bpref, infAP
#
# **Goals.** After this notebook you can
#
# - say what an unjudged document costs under AP, a condensed list, bpref, infAP and RBP;
# - compute bpref and infAP of a short list by hand;
# - tell when judgments made for other systems can be used for yours, and when they mislead.
#
# **Time.** 50 minutes. **Needs.** Notebook 1 (pooling), notebook 2 (average precision).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    average_precision,
    bpref,
    compare,
    explain,
    inf_ap,
    judged,
    leave_out,
    mean,
    mean_average_precision,
    pool,
    rbp,
)
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.views import plotting

# %% [markdown]
# The words of this chapter:

# %%
terms("pool", "judged", "unjudged document", "AP", "bpref", "infAP", "residual")

# %% [markdown]
# ## Three kinds of documents
#
# A pool of depth $N$ holds the first $N$ documents of each system that takes part; these are judged
# and nothing else is. The lecture (document 004) says what one hopes for, and what it is good for:

# %%
quote("004", "潜在假设: 大多数相关文档都在这个文档池 (Doc Pooling) 中")

# %%
quote("004", "它可以比较各个算法的相对优劣")

# %% [markdown]
# (The hidden assumption: most relevant documents are in the pool. With it one can compare how good
# the methods are, relative to each other.)
#
# So a document is judged relevant, judged not relevant, or **not judged**. Here is a ranking of
# eight, with a hole at ranks 1, 4 and 6. A fourth relevant document, r9, was judged and not found.

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
# ## First answer: what nobody judged is not relevant
#
# That is what nearly every tool does, mostly without a word.

# %%
predict(
    "What is AP of this ranking, if u1, u4 and u6 are not relevant? R is 4.",
    of=(average_precision, RANKING, JUDGED),
)

# %%
reveal(explain(average_precision, RANKING, JUDGED))

# %% [markdown]
# ## Second answer: take them out
#
# The unjudged documents are struck from the list and the others move up. What is left is the
# **condensed list**: r2, n3, r5, r7, n8.

# %%
predict(
    "What is AP of the condensed list? Can it ever be lower than with the holes as 0?",
    of=(average_precision.using(unjudged="removed"), RANKING, JUDGED),
    mistaken={average_precision(RANKING, JUDGED): "That is AP with the holes as 0."},
)

# %%
reveal(explain(average_precision, RANKING, JUDGED, unjudged="removed"))

# %% [markdown]
# It can't be lower: each relevant document moves up or stays. Which of the two is nearer to the
# truth depends on what is in the holes, and that is what nobody knows. So try the
# extremes:

# %%
predict("AP if all three holes were relevant? If none was? (R grows with them.)")

# %%
HOLES = ["u1", "u4", "u6"]
reveal(
    table(
        {
            "the holes are": ["not relevant", "struck out", "relevant"],
            "AP": [
                average_precision(RANKING, JUDGED),
                average_precision(RANKING, JUDGED, unjudged="removed"),
                average_precision(RANKING, JUDGED | dict.fromkeys(HOLES, 1)),
            ],
        }
    )
)

# %% [markdown]
# Three holes among eight documents, and so much of AP hangs on them. (Relevant documents that
# nobody found or judged would lower it further.) A score should say how many holes it rests on.
# Judged@k does:

# %%
table(judged.working(RANKING, JUDGED, k=5))

# %% [markdown]
# ## RBP says how unsure it is
#
# RBP sums weights that depend on the rank alone, $(1-p)\,p^{i-1}$. So what the unjudged documents
# could add at most is known: the sum of their weights, the **residual**. Move the slider: a patient
# reader ($p$ near 1) looks far down, to where little is judged.


# %%
def residual(p):
    """RBP and its residual for one persistence, as a bar from 0 to 1."""
    worked = rbp.working(RANKING, JUDGED, p=p)
    score, rest = worked.value, worked["residual"][0]
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    parts = {
        "known: RBP": (0, score),
        "unknown: residual": (score, rest),
        "lost": (score + rest, 1 - score - rest),
    }
    for i, (name, (left, width)) in enumerate(parts.items()):
        axes.barh(
            0,
            width,
            left=left,
            color=(plotting.PALETTE[0], plotting.PALETTE[1], "0.85")[i],
            hatch=plotting.HATCHES[i],
            edgecolor="white",
            label=f"{name} {width:.3f}",
        )
    axes.set(xlim=(0, 1), ylim=(-0.8, 0.8), yticks=[], xlabel="RBP", title=f"persistence p = {p:g}")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=3, frameon=False)
    return drawn


def residual_in_words(p):
    """What the bar shows."""
    worked = rbp.working(RANKING, JUDGED, p=p)
    return (
        f"A bar from 0 to 1 in three parts. With p = {p:g} RBP is {worked.value:.3f}, the residual "
        f"{worked['residual'][0]:.3f}, and the rest is lost to documents that are not relevant."
    )


predict("With p = 0.8: is more of the bar known, or unknown?")

# %%
slider(residual, name="p", values=[0.3, 0.5, 0.8, 0.9, 0.95], start=0.8, alt=residual_in_words)

# %% [markdown]
# ## bpref: ask only what was judged
#
# **bpref** looks at pairs of judged documents: how many judged non-relevant ones stand above each
# relevant one? With $R$ relevant and $N$ non-relevant documents judged, and $n_r$ of the latter
# above the relevant document $r$:
#
# $$\mathrm{bpref} = \frac{1}{R} \sum_{r} \Bigl(1 - \frac{\min(n_r, R)}{\min(N, R)}\Bigr)$$

# %%
predict(
    "R = 4, N = 2. How many judged non-relevant ones stand above r2, r5, r7? And bpref?",
    of=(bpref, RANKING, JUDGED),
)

# %%
reveal(explain(bpref, RANKING, JUDGED))

# %%
quiz(
    "Somebody puts ten unjudged documents on top of this ranking. What becomes of bpref and AP?",
    {
        "Both fall": (
            False,
            "AP does, to less than half. bpref doesn't look at what nobody judged.",
        ),
        "bpref stays, AP falls": (
            True,
            (
                "For bpref unjudged documents are not there. To a reader they are: ten "
                "documents to read, be they good or bad."
            ),
        ),
        "bpref falls, since the relevant ones stand lower": (
            False,
            "bpref knows no ranks, only how many judged non-relevant ones stand above.",
        ),
    },
)

# %%
TEN_MORE = [f"x{i}" for i in range(10)] + RANKING
reveal(
    table(
        {
            "ranking": ["as it was", "ten unjudged ones above it"],
            "bpref": [bpref(r, JUDGED) for r in (RANKING, TEN_MORE)],
            "AP": [average_precision(r, JUDGED) for r in (RANKING, TEN_MORE)],
        }
    ),
    summary="Check it",
)

# %% [markdown]
# **A puzzle.** The paper of 2004 prints $1 - n_r/R$ in the bracket, without $\min(N, R)$. Say that
# 4 documents are relevant and a single one, judged non-relevant, stands above them all.

# %%
predict("What is bpref by the formula of the paper, and by the one above? Which do you prefer?")

# %%
worst = bpref.working([0, 1, 1, 1, 1])
share = 1 - worst["non-relevant so far"][1] / worst["R"][0]
reveal(
    f"By the paper {share:g}: with N below R it stays at 1 - N/R or above, although this "
    f"ranking is as bad as can be. With min(N, R) it is {worst.value:g}. trec_eval does the "
    "latter; whoever compares numbers must know it."
)

# %% [markdown]
# ## infAP: estimate from a sample
#
# Judging is dear. Why not judge a random *sample* of the pool? Then three things can be said of a
# document above a relevant one at rank $i$: it was sampled and judged; it is in the pool but was
# not sampled; it is outside the pool, and taken as not relevant. Those not sampled are relevant in
# about the same proportion as those that were. So the expected precision at $i$ is
#
# $$\frac{1}{i} + \frac{d_i}{i} \cdot \frac{r_i + \epsilon}{r_i + n_i + 2\epsilon}$$
#
# with $d_i$ documents of the pool above, $r_i$ of them judged relevant and $n_i$ not. The package
# writes `None` for *in the pool, not judged*.

# %%
SAMPLED = JUDGED | {"u4": None, "u6": None}  # u1 is outside the pool
predict("Expected precision at r5, rank 5? Above it: u1 outside, r2 and n3 judged, u4 unsampled.")

# %%
reveal(explain(inf_ap, RANKING, SAMPLED))

# %% [markdown]
# At rank 5: 1 for itself, and 3 pooled documents above of which about 1 in 2 is relevant; together
# 2.5 of 5.

# %%
quiz(
    "You call infAP with a file of judgments that leaves out what was not sampled, instead of "
    "listing it as unjudged. What do you get?",
    {
        "The same": (
            False,
            "What isn't listed counts as outside the pool, so as not relevant.",
        ),
        "AP, but for the smoothing": (
            True,
            (
                "Every pooled document is then a judged one, and the estimate is the count "
                "itself. The sampling is lost without an error."
            ),
        ),
        "An error": (
            False,
            "Nothing in the file is wrong; it says something else than you mean.",
        ),
    },
)

# %%
reveal(
    table(
        {
            "judgments": ["u4, u6 listed, not judged", "left out", "left out"],
            "measure": ["infAP", "infAP", "AP"],
            "value": [
                inf_ap(RANKING, SAMPLED),
                inf_ap(RANKING, JUDGED),
                average_precision(RANKING, JUDGED),
            ],
        }
    ),
    summary="Check it",
)

# %% [markdown]
# ## A world where the truth is known
#
# To see what holes do, we need to know what is in them. So here is a made world: 25 queries, 300
# documents, 20 of them relevant to each. Systems A to D see documents in much the same way (they
# all match words, say). The system *new* is nearly as good as A, but looks at the documents in a
# way of its own.

# %%
QUERIES, DOCUMENTS, RELEVANT = 25, 300, 20
TRUTH = {
    f"q{q + 1}": {f"d{i}": int(i < RELEVANT) for i in range(DOCUMENTS)} for q in range(QUERIES)
}


def made_system(quality, view, own):
    """A run of 100 documents per query; systems with one view err on the same documents."""
    run = {}
    for q, query in enumerate(TRUTH):
        seen = np.random.default_rng((view, q)).normal(size=DOCUMENTS)
        noise = np.random.default_rng((99, own, q)).normal(size=DOCUMENTS)
        scores = np.sqrt(0.7) * seen + np.sqrt(0.3) * noise
        scores[:RELEVANT] += quality
        run[query] = [f"d{i}" for i in np.argsort(-scores)[:100].tolist()]
    return run


POOLED = {
    "A": made_system(1.8, 1, 1),
    "B": made_system(1.6, 1, 2),
    "C": made_system(1.4, 1, 3),
    "D": made_system(1.2, 1, 4),
}
NEW = made_system(1.75, 2, 5)
SYSTEMS = POOLED | {"new": NEW}


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
# Now judge only what A to D have among their first twenty.

# %%
DEPTH = 20
by_others = judge(DEPTH)
size = mean([len(j) for j in by_others.values()])
predict(
    f"That makes {size:.0f} judged documents per query, of 300. What becomes of the MAP of A to D: "
    "higher, or lower? Of their order? And of the new system?"
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
        caption="All contributors are too high, since R is too small, but in the right order. The "
        "system that did not contribute falls from second place to last.",
    )
)

# %% [markdown]
# So both are true: the lecture's pool *does* compare the methods, and it does so for those that
# took part. Judged@10 gives the warning, and it is free.
#
# Does a deeper pool help? Move the slider.


# %%
def by_depth(depth):
    """MAP of all systems by a pool of this depth, beside the truth."""
    qrels = judge(depth)
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    shown = {
        "by the truth": list(true_map.values()),
        "by the pool": [mean_average_precision(run, qrels) for run in SYSTEMS.values()],
    }
    for i, (name, values) in enumerate(shown.items()):
        axes.bar(
            [place + 0.4 * i for place in range(len(SYSTEMS))],
            values,
            width=0.36,
            color=plotting.PALETTE[i],
            hatch=plotting.HATCHES[i],
            edgecolor="white",
            label=name,
        )
    axes.set_xticks([place + 0.2 for place in range(len(SYSTEMS))], list(SYSTEMS))
    size = mean([len(j) for j in qrels.values()])
    axes.set(ylabel="MAP", ylim=(0, 0.85))
    axes.set_title(f"pool of depth {depth}: {size:.0f} judged documents per query")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return drawn


def by_depth_in_words(depth):
    """What the bars show."""
    qrels = judge(depth)
    values = {name: mean_average_precision(run, qrels) for name, run in SYSTEMS.items()}
    listed = ", ".join(f"{name} {value:.2f}" for name, value in values.items())
    return f"Bars of MAP by the truth and by a pool of depth {depth}. By the pool: {listed}."


slider(
    by_depth,
    name="depth",
    values=[3, 5, 10, 20, 50],
    start=20,
    alt=by_depth_in_words,
)

# %% [markdown]
# Even at depth 50, with 94 judgments per query, the new system stays third when it is second.
#
# ## What a system owes to its own judgments
#
# The damage can be measured without a truth: pool all five, then leave one out at a time, take away
# the judgments that it alone brought, and measure it again (Zobel 1998).

# %%
all_five = judge(DEPTH, SYSTEMS)
predict("Who loses most when its own judgments are taken away: A, D, or the new one? Why?")

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
        caption="A lives off what B, C and D find too. Nobody else finds what the new one finds.",
    )
)

# %% [markdown]
# If such changes are small for every system, the pool is fit for systems that are *like* these. It
# says nothing of a system that is unlike them all.
#
# ## Do the other measures help?
#
# Now the new system is measured with the judgments of A to D, to which it did not contribute.

# %%
predict("Holes as 0 make the new system too low. Will a condensed list and bpref make it right?")

# %%
measures = {
    "AP, holes are 0": {name: over_queries(average_precision, run, by_others)
                        for name, run in SYSTEMS.items()},
    "AP, condensed": {name: over_queries(average_precision, run, by_others, unjudged="removed")
                      for name, run in SYSTEMS.items()},
    "bpref": {name: over_queries(bpref, run, by_others) for name, run in SYSTEMS.items()},
}  # fmt: skip
drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
for i, (name, values) in enumerate({"AP, truth": true_map, **measures}.items()):
    axes.plot(
        list(values),
        list(values.values()),
        color=plotting.PALETTE[(7, 0, 1, 3)[i]],
        marker="Dos^"[i],
        linestyle=("-", "--", "-.", ":")[i],
        label=name,
    )
axes.set(xlabel="system", ylabel="score", ylim=(0, 0.9), title="The pool of A to D, depth 20")
axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
reveal(
    figure(
        drawn,
        alt="Four lines over the systems A, B, C, D and new. By the truth new is just below A. "
        "With holes as 0 it is last; by the condensed list and by bpref it is first, above A.",
    )
)

# %% [markdown]
# Neither. With holes as 0 the new system comes last; without them it comes first, ahead of A. Its
# judged documents are those that A to D find as well, and where four systems agree with a fifth,
# they are mostly right. **Holes as 0 are unfair to new systems; leaving them out is too kind.**
# (Sakai 2008 found the same with real runs.)
#
# And the significance test of notebook 5?

# %%
verdicts = {
    "the truth": compare({"A": POOLED["A"], "new": NEW}, TRUTH, "AP"),
    "pool, holes are 0": compare({"A": POOLED["A"], "new": NEW}, by_others, "AP"),
    "pool, condensed": compare({"A": POOLED["A"], "new": NEW}, by_others, "AP", unjudged="removed"),
}
predict("By the truth A and new hardly differ. What will the test say under the two other rows?")

# %%
tested = {name: c.tested("new", "AP") for name, c in verdicts.items()}
reveal(
    table(
        {
            "judgments": list(tested),
            "new less A": [t.mean for t in tested.values()],
            "low": [t.low for t in tested.values()],
            "high": [t.high for t in tested.values()],
            "p (t-test), at least": [max(t.p["t"], 0.001) for t in tested.values()],
        },
        digits=3,
        caption="A test asks whether queries agree. They agree on an error that all share.",
    )
)

# %%
quiz(
    "The p-value of the second row is tiny. What does that tell you?",
    {
        "That A is better": (
            False,
            "By the truth it hardly is. The difference is made by the judgments.",
        ),
        "That more queries from the same pool would show the same": (
            True,
            "And they would: the bias is the same on each. Only more judgments help.",
        ),
        "That there are too few queries": (
            False,
            "More of them make the same error more certain.",
        ),
    },
)

# %% [markdown]
# What does help: judge what the new system has at the top.

# %%
predict("Add the first 20 of the new system to the pool. Where does new stand now?")

# %%
mended = {name: mean_average_precision(run, all_five) for name, run in SYSTEMS.items()}
reveal(
    table(
        {
            "system": list(SYSTEMS),
            "MAP by the truth": list(true_map.values()),
            "pool of A to D": list(measures["AP, holes are 0"].values()),
            "pool of all five": list(mended.values()),
        },
        digits=3,
    )
)

# %% [markdown]
# ## Judging a sample
#
# bpref and infAP were made for another kind of hole: holes at *random*. Take all judgments of a
# deep pool of all five systems, and keep a random share of them.

# %%
DEEP = judge(50, SYSTEMS)
SHARES = [0.05, 0.1, 0.2, 0.4, 0.7, 1.0]


def sampled(share):
    """The deep pool with a random share of it judged; the others are pooled but not judged."""
    random = np.random.default_rng(6)
    return {
        query: {
            d: grade if drawn < share else None
            for (d, grade), drawn in zip(
                grades.items(), random.random(len(grades)).tolist(), strict=True
            )
        }
        for query, grades in DEEP.items()
    }


predict("A fifth of the judgments is left. Which stays near the full AP: AP, bpref or infAP?")

# %%
samples = {share: sampled(share) for share in SHARES}
lines = {
    name: [over_queries(metric, POOLED["A"], qrels) for qrels in samples.values()]
    for name, metric in {"AP": average_precision, "bpref": bpref, "infAP": inf_ap}.items()
}
drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
for i, (name, values) in enumerate(lines.items()):
    axes.plot(
        SHARES,
        values,
        color=plotting.PALETTE[(0, 3, 2)[i]],
        marker="o^s"[i],
        linestyle=("--", ":", "-")[i],
        label=name,
    )
axes.axhline(lines["AP"][-1], color="0.6", linewidth=1, label="AP, all judged")
axes.set(xlabel="share of the pool that is judged", ylabel="mean over queries", ylim=(0, 0.8))
axes.set_title("System A, judged less and less")
axes.legend(loc="lower right", frameon=False)
reveal(
    figure(
        drawn,
        alt="AP, bpref and infAP of system A over the share of the pool that is judged. AP falls "
        "towards 0 as the share falls. infAP stays near the full AP down to a fifth and falls "
        "below; bpref stays between 0.49 and 0.58 down to a tenth.",
    )
)

# %% [markdown]
# AP falls, since it takes each relevant document that was not sampled for a bad one wherever it
# stands above another. infAP estimates AP, and needs something to estimate from: with a tenth of
# the pool or less, some queries have no relevant document left, and score 0. bpref is steady, but
# it is not AP and should not be put beside it in a table.

# %%
quiz(
    "Which assumption do bpref and infAP need that the new system above breaks?",
    {
        "That most of the pool is judged": (
            False,
            "infAP does well with a fifth of it.",
        ),
        "That what is judged is like what is not": (
            True,
            (
                "A random sample is. The top of other people's rankings is not: it holds what they "
                "find."
            ),
        ),
        "That grades are binary": (
            False,
            "They are here. It does not help.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - Unjudged is not the same as not relevant. AP takes it so; a condensed list and bpref look away;
#   infAP estimates; RBP tells you how much is unknown.
# - Pools compare the systems that contributed. Others come out too low with holes as 0, and may
#   come out too high without them.
# - A significance test does not see a bias that all queries share.
# - Report Judged@k beside the score. Where it is low for one system and high for the other, judge.
#
# **Read on.** Zobel (1998), *How reliable are the results of large-scale information retrieval
# experiments?*, SIGIR. Buckley & Voorhees (2004), *Retrieval evaluation with incomplete
# information*, SIGIR. Yilmaz & Aslam (2006), *Estimating average precision with incomplete and
# imperfect judgments*, CIKM. Sakai (2008), *Comparing metrics across TREC and NTCIR: the robustness
# to system bias*, CIKM.
