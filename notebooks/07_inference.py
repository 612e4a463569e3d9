# %% [markdown]
# # 7. Inference: which test, how many queries, how many systems
#
# **Goals.** After this notebook you can
#
# - compute a paired t-test and its interval, and say what each test keeps of a difference;
# - choose the number of queries before an experiment, and report the size of a difference;
# - show that a new system is not worse, which is more than to find no difference;
# - compare many systems, with Holm's correction or Tukey's HSD.
#
# **Time.** 60 minutes. **Needs.** Notebook 6 (p-value and power).

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.special import stdtr, stdtrit

from irmetrics_edu import compare, reciprocal_rank
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
from irmetrics_edu.course.collection.made_systems import made_qrels, made_run
from irmetrics_edu.runs import minimum_detectable
from irmetrics_edu.views import plotting

# %% [markdown]
# Notebook 6 compared two systems query by query, and explained a p-value by counting. This chapter
# has what you need before you publish a comparison or release a system. These are the words of this
# chapter:

# %%
terms("variance", "p-value", "statistical power")

# %% [markdown]
# (*Margin* has two meanings in this course. Here and in notebook 14 it is a loss that you tolerate.
# In notebooks 12 and 19 it is a difference of scores.)
#
# ## The paired t-test and its interval
#
# Here is the collection of notebook 6 again, made by computer. Each query has 60 documents, and
# five of them are relevant. The new system is truly better than the old one.


# %%
def tested(n, quality, own):
    """The tests of a system against the old one, over so many queries."""
    runs = {"old": made_run(n, 0, 1), "other": made_run(n, quality, own)}
    return compare(runs, made_qrels(n), "AP").tested("other", "AP")


made = {"old": made_run(10, 0, 1), "new": made_run(10, 0.2, 2)}
ten = compare(made, made_qrels(10), "AP")
differences = np.array(list(ten.differences("new", "AP").values()))
[round(float(d), 3) for d in differences]

# %% [markdown]
# These are the ten differences in AP, new less old. Other ten queries would have another mean. The
# **standard error** of a mean says how far: it is the standard deviation divided by the root of the
# number of queries. The **paired t-test** compares the mean with its standard error (Student 1908):
#
# $$t = \frac{\bar{d}}{s_d / \sqrt{n}}$$
#
# In words: $\bar{d}$ is the mean of the $n$ differences and $s_d$ is their standard deviation.
# Divide $s_d$ by the square root of $n$. Then divide the mean by the result.

# %%
n, mean_d, sd = len(differences), differences.mean(), differences.std(ddof=1)
predict(
    f"The mean of the ten differences is {mean_d:.3f}, and their standard deviation is {sd:.3f}. "
    "What is t?",
    float(mean_d / (sd / np.sqrt(n))),
    mistaken={
        float(mean_d / sd): "You left out the root of n.",
        float(mean_d / (sd / n)): "Divide by the root of n, not by n.",
    },
)

# %%
t = mean_d / (sd / np.sqrt(n))
p = 2 * stdtr(n - 1, -abs(t))
half = stdtrit(n - 1, 0.975) * sd / np.sqrt(n)
d = ten.tested("new", "AP")
assert np.isclose(p, d.p["t"])
assert np.isclose([mean_d - half, mean_d + half], [d.low, d.high]).all()
reveal(
    f"t is {t:.2f}, and p is {p:.3f}. The randomisation test of notebook 6 gives "
    f"{d.p['randomisation']:.3f}: the two tests nearly agree."
)

# %% [markdown]
# If $t$ is far from 0, the p-value is small. It comes from Student's t distribution with $n - 1$
# **degrees of freedom** (`stdtr` in scipy): of $n$ distances from their own mean only $n-1$ are
# free, because they add up to 0. The 0.975 **quantile** of a distribution is the number below which
# 97.5 % of it lie. The t-test also gives a 95 % **confidence interval** for
# the mean difference: $\bar{d}$ plus and minus $t_{n-1} \cdot s_d / \sqrt{n}$. Here $t_{n-1}$ is
# the 0.975 quantile of the same distribution, 2.26 for ten queries. In words: go from the mean down
# and up by this quantile times the standard error. The interval holds all differences that the test
# at 5 % would not reject. With fewer than six queries that differ the package gives no interval.
# Five give at least $p = 2 / 2^5 = 0.0625$ in a randomisation test, so they can't reject at 5 %.

# %%
round(float(mean_d - half), 3), round(float(mean_d + half), 3)

# %% [markdown]
# Both tests ask about the mean, so choose one of them. Smucker, Allan and Carterette (2007)
# compared five tests on runs of TREC. The randomisation test, the t-test and a test by the
# **bootstrap** hardly differed. (The bootstrap draws the queries again, with replacement, and looks
# how the mean scatters.)
#
# You will meet two more tests: **Wilcoxon's signed-rank test** and the **sign test**. They keep
# only ranks or signs of the differences, so they don't test the means that you report. Should you
# use them? The literature does not agree:
#
# - *Against:* Smucker, Allan and Carterette (2007) advise to stop: the two tests miss differences
#   that the others find, and find others. Urbano, Lima and Hanjalic (2019) simulated many
#   collections and recommend the t-test. Ihemelandu and Ekstrand (2023) found too many false alarms
#   of both on thousands of queries or users.
# - *For:* Parapar et al. (2020) found both to have more power than the t-test and the randomisation
#   test, with no more false alarms. Urbano, Marrero and Martín (2013) found that in practice the
#   bootstrap, the t-test and Wilcoxon's test do better than the randomisation test.
#
# What is not contested: the tests answer different questions. The t-test and the randomisation test
# ask about the *mean*. The sign test asks whether more queries win than lose. Where an outcome is
# yes or no, or won or lost, there are no sizes to drop. Then the sign test is the right one (it is
# **McNemar's exact test** there): notebooks 18, 20 and 24 use it so. Choose the test before you see
# the data.

# %%
predict(
    "The new system wins 8 of the ten queries and loses 2. Does the sign test find a difference at "
    "the level 0.05?"
)

# %%
reveal(
    table(
        {
            "test": ["randomisation", "paired t", "Wilcoxon", "sign"],
            "p": [d.p[name] for name in ("randomisation", "t", "wilcoxon", "sign")],
            "what it keeps of a difference": ["all of it", "all of it", "sign and rank", "sign"],
        },
        digits=3,
        caption="It does not: 8 to 2 is not rare for a fair coin. The first two tests use the "
        "sizes of the differences, and find that the new system is better.",
    )
)

# %% [markdown]
# ## How many queries do you need?
#
# Decide this **before** the experiment. Notebook 6 has the rule of thumb: with a power of 0.8 you
# find a difference of $2.8 \cdot s_d / \sqrt{n}$. You need the standard deviation $s_d$ of the
# differences, so take it from a pilot or from an older comparison. Move the slider to see what it
# does. Both axes are logarithmic: each gridline doubles the number.


# %%
def detectable(sd):
    """The least detectable difference over the number of queries, for one spread."""
    sizes = [10, 15, 20, 25, 35, 50, 75, 100, 150, 200, 300, 400, 500]
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.plot(
        sizes, [minimum_detectable(sd, n) for n in sizes], color=plotting.PALETTE[0], marker="o"
    )
    least = minimum_detectable(sd, 50)
    axes.plot([50, 50, 8], [0.004, least, least], color=plotting.PALETTE[3], linestyle="--")
    axes.set(xlabel="queries", ylabel="least detectable difference")
    axes.set(xlim=(8, 640), ylim=(0.005, 0.4))
    axes.set_xticks([10, 20, 40, 80, 160, 320, 640], ["10", "20", "40", "80", "160", "320", "640"])
    rows = [0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32]
    axes.set_yticks(rows, [f"{row:g}" for row in rows])
    axes.grid(color="0.9")
    axes.set_title(f"standard deviation {sd:g}: 50 queries see {least:.3f}")
    return drawn


slider(
    detectable,
    name="sd",
    values=[0.05, 0.1, 0.15, 0.2, 0.3],
    start=0.1,
    alt=lambda sd: (
        f"On logarithmic axes the least detectable difference falls almost in a straight line with "
        f"the number of queries. With a standard deviation of {sd:g} it is "
        f"{minimum_detectable(sd, 50):.3f} for 50 queries."
    ),
)

# %%
predict(
    "In a pilot the differences have a standard deviation of 0.1. You want to find a difference of "
    "0.01, four times in five. How many queries does the rule of thumb ask for?",
    (2.8 * 0.1 / 0.01) ** 2,
    mistaken={28: "That is 2.8 · 0.1 / 0.01. The root of n is 28, so square it."},
)

# %%
assert np.isclose(2.8 * 0.1 / np.sqrt(784), minimum_detectable(0.1, 784), rtol=0.01)
reveal(
    "784: the root of n is 2.8 · 0.1 / 0.01 = 28. Collections with deep pools have fewer: TREC "
    "mostly takes 50. Some collections with one or few judgments a query have more. MS MARCO has "
    "nearly 7,000 in its set for development, and eight of the 18 sets of BEIR have 1,000 or more."
)

# %% [markdown]
# If you can't have so many queries, you know before the experiment that it will probably tell you
# nothing. Then look for a larger difference, or for more queries. A difference that is significant
# in spite of a low power often overestimates the true one: only lucky samples pass the test.
#
# ## Effect size: how large is the difference?
#
# With enough queries a test finds even a tiny difference. So report more than p: the difference
# with its interval, and its **effect size**. The usual one for pairs (Sakai 2018) is
#
# $$d_z = \frac{\bar{d}}{s_d}$$
#
# In words: divide the mean of the differences by their standard deviation. It does not grow with
# the number of queries, as $t$ does. Here are fifty queries, as many as TREC usually has:

# %%
made = {"old": made_run(50, 0, 1), "new": made_run(50, 0.2, 2)}
fifty = compare(made, made_qrels(50), "AP")
drawn, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
fifty.plot("new", "AP", ax=axes)
axes.set(title="What each of 50 queries gains or loses", ylim=(-0.25, 0.35))
axes.set_xticks([])
figure(
    drawn,
    alt="Bars of the differences in AP of fifty queries, greatest gain first. About two thirds are "
    "gains of up to 0.32, a third are losses of down to 0.23; a line marks the mean difference.",
)

# %%
all_fifty = np.array(list(fifty.differences("new", "AP").values()))
d_z = all_fifty.mean() / all_fifty.std(ddof=1)
of_fifty = fifty.tested("new", "AP")
assert np.isclose(d_z, of_fifty.effect)
predict(
    f"The mean difference is {all_fifty.mean():.3f} and its standard deviation is "
    f"{all_fifty.std(ddof=1):.3f}. What is the effect size?",
    float(d_z),
    mistaken={float(d_z * np.sqrt(50)): "That is t. An effect size has no root of n."},
)

# %%
reveal(
    f"d_z is {d_z:.2f}, and t is {d_z * np.sqrt(50):.2f}. The difference is {of_fifty.mean:.3f}, "
    f"with an interval from {of_fifty.low:.3f} to {of_fifty.high:.3f}. The new system wins "
    f"{of_fifty.wins} queries and loses {of_fifty.losses}."
)

# %% [markdown]
# An effect size also tells how many queries another team needs: by the rule of thumb
# $(2.8 / d_z)^2$. But it doesn't say whether users notice the difference. An effect size of 0.4 can
# be a difference of 0.004 if all differences are nearly alike.
#
# ## Non-inferiority: is the new system not worse?
#
# You rewrite an engine to make it faster. The rankings change a little. You don't need a better
# engine, but you must not release a worse one. The rewrite of this example is exactly as good as
# the old engine. Twenty queries give:

# %%
rewrite = {n: tested(n, 0, 5) for n in (20, 50, 200)}
small = rewrite[20]
predict(
    f"The mean difference over 20 queries is {small.mean:.3f}, and p is {small.p['t']:.2f}. Have "
    "you shown that the rewrite is not worse?"
)

# %%
reveal(
    f"No. The interval goes from {small.low:.2f} to {small.high:.2f}, so the rewrite may lose "
    "0.12 in AP. A test that finds no difference doesn't show that there is none. With few "
    "queries it finds hardly anything."
)

# %% [markdown]
# Turn the question round. First choose a **margin** $m$: a loss that you could accept. Then test
# whether the true loss is *smaller* than $m$. This is a test of **non-inferiority**:
#
# $$t = \frac{\bar{d} + m}{s_d / \sqrt{n}}$$
#
# In words: add the margin to the mean difference, and divide by the standard error. The test is
# one-sided, because only a loss matters. The rewrite is *not inferior* if p is below 0.05. That is
# the same as: the 90 % interval of the difference lies above $-m$.

# %%
MARGIN = 0.03


def not_inferior(result):
    """The one-sided p-value of a loss smaller than the margin."""
    half_width = (result.high - result.low) / 2
    error = half_width / stdtrit(result.n - 1, 0.975)
    return float(stdtr(result.n - 1, -(result.mean + MARGIN) / error))


predict(
    "The margin is 0.03. Does the test show with 20 queries that the rewrite is not inferior? With "
    "50? With 200?"
)

# %%
reveal(
    table(
        {
            "queries": list(rewrite),
            "difference": [r.mean for r in rewrite.values()],
            "low": [r.low for r in rewrite.values()],
            "high": [r.high for r in rewrite.values()],
            "p: is there a difference?": [r.p["t"] for r in rewrite.values()],
            "p: is the loss below 0.03?": [not_inferior(r) for r in rewrite.values()],
        },
        digits=3,
        caption="Only 200 queries show it. The first test never finds a difference, and that alone "
        "is no reason to release.",
    )
)

# %% [markdown]
# These are three draws. Of 30 such rewrites, each exactly as good as the old engine, the test shows
# in 9 that they are not inferior with 20 queries, in 14 with 50 and in 26 with 200.
#
# A gate of notebook 14 asks nearly this question. It *passes* if a test shows that the loss is
# below the margin, it *fails* if the mean fell by more than the margin and a test finds a loss, and
# else it is *inconclusive*. But its test is two-sided at 0.05. For a loss alone that is the level
# 0.025, so the gate is stricter: a rewrite with a one-sided p of 0.03 is not inferior here, and
# inconclusive there. Say which level you use:

# %%
STRICT = {n: not_inferior(result) for n, result in rewrite.items()}
table(
    {
        "queries": list(STRICT),
        "one-sided p": list(STRICT.values()),
        "not inferior at 0.05": ["yes" if p < 0.05 else "no" for p in STRICT.values()],
        "at 0.025, as the gate": ["yes" if p < 0.025 else "no" for p in STRICT.values()],
    },
    digits=3,
)

# %% [markdown]
#
# ## Multiple comparisons: many tests at once
#
# Here are twenty systems that are exactly as good as the old one. They differ from it only by
# noise.

# %%
predict(
    "You test each of the twenty systems at the level 0.05. How many do you expect to look "
    "different from the old one?",
    1,
    mistaken={0: "The level 0.05 lets one test in twenty err, even if nothing differs."},
)

# %%
twins = compare(
    {"old": made_run(50, 0, 1)} | {f"twin {i}": made_run(50, 0, 1 + i) for i in range(1, 21)},
    made_qrels(50),
    "AP",
    test="t",
)
ps = {name: twins.tested(name, "AP") for name in twins.others}
found = {name: t for name, t in ps.items() if t.p["t"] < 0.05}
reveal(
    table(
        {
            "system": list(found),
            "difference in MAP": [t.mean for t in found.values()],
            "p": [t.p["t"] for t in found.values()],
            "p, corrected by Holm": [t.adjusted["t"] for t in found.values()],
        },
        digits=3,
        caption=f"You expect one in twenty. Here {len(found)} of 20 look different, though none of "
        "them is. All are compared with the same old run. If that run is lucky, as here, many "
        "look worse at once.",
    )
)

# %% [markdown]
# A correction makes up for the number of tests. **Holm's correction** (1979) sorts the p-values. It
# multiplies the smallest by the number of tests, the next by one less, and so on. No corrected
# value may be above 1 or below the one before. In numpy:

# %%
p = np.sort([t.p["t"] for t in ps.values()])
by_hand = np.maximum.accumulate(np.minimum(1, p * np.arange(len(p), 0, -1)))
assert np.isclose(by_hand, np.sort([t.adjusted["t"] for t in ps.values()])).all()

# %% [markdown]
# `compare` always corrects the p-values before it marks a difference with a star.

# %%
quiz(
    "A team tries 20 settings on the same 50 queries and reports the best one, with p = 0.03. What "
    "is missing?",
    {
        "Nothing, because 0.03 is below 0.05": (
            False,
            "Each test errs one time in 20. The best of 20 tests is often that good by chance.",
        ),
        "A test with more power, or more queries": (
            False,
            "More power finds true differences more often. It doesn't make up for twenty tests.",
        ),
        "A correction for all 20 settings": (
            True,
            "Holm's correction makes it 0.6. Or choose on these queries, and test once on others.",
        ),
    },
)


# %% [markdown]
# ## Tukey's HSD: compare all pairs of systems
#
# A paper has a table of systems, and readers compare every row with every other. Twenty systems are
# 190 pairs. **Tukey's HSD** (honestly significant difference) asks how far apart the *best and the
# worst* of systems come by chance if all are equally good. The randomised form (Carterette 2012)
# deals the scores of each query to the systems at random, and looks at the range of the means. This
# function has the whole test:


# %%
def tukey_by_hand(scores, deals=9999):
    """For each pair of columns: how often chance alone makes the range of means as large."""
    rng = np.random.default_rng(0)
    means = scores.mean(axis=0)
    apart = abs(means[:, None] - means)
    dealt = (rng.permuted(scores, axis=1).mean(axis=0) for _ in range(deals))
    ranges = np.array([np.ptp(means) for means in dealt])
    return (1 + (ranges[:, None, None] >= apart - 1e-12).sum(axis=0)) / (1 + deals)


FIELD = {"old": made_run(50, 0, 1), "better": made_run(50, 0.2, 30), "best": made_run(50, 0.4, 31)}
FIELD |= {f"twin {i}": made_run(50, 0, 2 + i) for i in range(1, 5)}
field = compare(FIELD, made_qrels(50), "AP")
per_system = np.array([list(e.per_query["AP"].values()) for e in field.evaluations.values()]).T
by_hand = tukey_by_hand(per_system)
pairs = field.all_pairs("tukey")
names = list(FIELD)
for pair in pairs.pairs:
    assert abs(by_hand[names.index(pair.run), names.index(pair.other)] - pair.corrected) < 0.02

# %%
predict(
    "Seven systems: four are exactly as good as the old one, and two are truly better. They make "
    "21 pairs, and 11 of these differ in truth. Will the test find all 11?"
)

# %%
letters = pairs.letters("AP")
order = sorted(names, key=lambda name: -pairs.means["AP"][name])
found = sum(pair.corrected < 0.05 for pair in pairs.pairs)
reveal(
    table(
        {
            "system": order,
            "MAP": [pairs.means["AP"][name] for name in order],
            "letters": [letters[name] for name in order],
        },
        digits=3,
        caption="Systems that share a letter can't be told apart. No twin differs from another one "
        f"or from the old system, which is right. The test finds {found} of 11 true differences.",
    )
)

# %% [markdown]
# Holm's correction and Tukey's HSD keep the same promise: the probability of even one false
# discovery (the **family-wise error rate**) is at most 0.05. Use Holm's correction to compare some
# systems with a baseline, and Tukey's HSD for all pairs of many systems.
#
# ## May you take the mean of RR?
#
# Reciprocal rank falls by 1/2 from rank 1 to rank 2, and by 1/6 from rank 2 to rank 3.

# %%
X, Y = [1, 1, 6, 6], [2, 2, 2, 2]
of_x, of_y = ([[0] * (rank - 1) + [1] for rank in ranks] for ranks in (X, Y))
predict(
    "System X has the relevant document at ranks 1, 1, 6 and 6. System Y always has it at rank 2. "
    "Which one has the higher MRR? Which one has the better mean rank?"
)

# %%
reveal(
    table(
        {
            "system": ["X", "Y"],
            "MRR": [float(np.mean([reciprocal_rank(q) for q in of])) for of in (of_x, of_y)],
            "mean rank": [float(np.mean(ranks)) for ranks in (X, Y)],
        },
        digits=3,
        caption="X has the higher MRR, and Y has the better mean rank.",
    )
)

# %% [markdown]
# A mean adds up steps. It makes sense if equal steps mean equal gains. Such a scale is an
# **interval scale**, like degrees of temperature. Fuhr (2017) says that RR has none, and that
# nobody should use MRR. Ferrante, Ferro and Fuhr (2021) say the same of AP and nDCG: change the
# scale of the scores, and other differences become significant. Moffat (2022) disagrees: a score
# says how much a user gains, and gains can be added.
#
# So ask whether your users lose as much between ranks 1 and 2 as between rank 2 and no result at
# all. Choose the measure that models them, and look at single queries, not only at means.
#
# ## On a real collection
#
# Three engines ranked the 100 topics of the real collection (notebook 1). Their means of nDCG@10
# are 0.684 for FTS5, 0.655 for BM25, and 0.496 for LSA.

# %%
predict(
    "Compare BM25 and LSA with FTS5 by the randomisation test. Which of the two differences is "
    "significant?"
)

# %%
stdlib = load_collection("stdlib")
real = compare(stdlib.runs, stdlib.qrels["deep"], "nDCG@10")
against = {name: real.tested(name, "nDCG@10") for name in ("bm25", "lsa")}
reveal(
    table(
        {
            "against FTS5": list(against),
            "difference": [t.mean for t in against.values()],
            "from": [t.low for t in against.values()],
            "to": [t.high for t in against.values()],
            "p, Holm": [t.adjusted["randomisation"] for t in against.values()],
            "detectable": [t.detectable for t in against.values()],
            "wins": [t.wins for t in against.values()],
            "losses": [t.losses for t in against.values()],
        },
        digits=4,
        caption="LSA is worse. BM25 may be as good as FTS5: 100 topics can find a difference of "
        "0.064, and this one is 0.029.",
    )
)

# %%
quiz(
    "A paper says that BM25 and FTS5 are equally good, because p = 0.21. The 95 % interval of the "
    "difference, BM25 less FTS5, goes from -0.074 to 0.016. Do you agree?",
    {
        "No: BM25 may well be worse by 0.05": (
            True,
            "To claim that two engines are equal, say first which difference would not matter.",
        ),
        "Yes: there is no significant difference": (
            False,
            "A test that finds no difference doesn't show that there is none.",
        ),
        "No: the means differ, so FTS5 is better": (
            False,
            "The mean of 100 other topics may turn the difference round.",
        ),
    },
)


# %% [markdown]
# ## Recap
#
# - To compare means, use the randomisation test or the paired t-test. For outcomes that are yes or
#   no, use the sign test. Report the difference, its interval and its effect size beside p.
# - Choose the number of queries before the experiment, from the standard deviation of the
#   differences.
# - "No significant difference" doesn't mean "equally good". To show that a system is not worse,
#   choose a margin and test for non-inferiority.
# - If you test many systems, correct: Holm against one baseline, Tukey's HSD for all pairs.
#
# **Read on.**

# %%
reading(
    "Student 1908", "Smucker 2007", "Urbano 2013", "Urbano 2019", "Parapar 2020",
    "Ihemelandu 2023", "Sakai 2018", "Holm 1979", "Carterette 2012", "Fuhr 2017",
    "Ferrante 2021", "Moffat 2022",
)  # fmt: skip
