# %% [markdown]
# # 5. Many queries: MAP, GMAP, MRR, ERR, and is it more than chance?
#
# **Goals.** After this notebook you can
#
# - compute MAP, GMAP, MRR and ERR by hand, and say which queries each of them listens to;
# - explain why two systems are compared query by query, and read a p-value for what it is;
# - say how many queries it takes to see a difference, and what happens if one looks at many.
#
# **Time.** 60 minutes. **Needs.** Notebook 2 (average precision), and a little of notebook 4
# (grades).

# %%
from itertools import product

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import (
    compare,
    documents,
    err,
    explain,
    geometric_mean,
    mean,
    mean_average_precision,
    mean_reciprocal_rank,
    ndcg,
)
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.runs.significance import minimum_detectable
from irmetrics_edu.runs.variation import improvement, spread
from irmetrics_edu.views import plotting

# %% [markdown]
# The words of this chapter, as the documents' readers know them:

# %%
terms("AP", "MAP", "GMAP", "RR", "MRR", "ERR", "variance", "p-value", "statistical power")

# %% [markdown]
# ## From AP to MAP
#
# One query says little. **MAP** is the mean of AP over all judged queries:
#
# $$\mathrm{MAP} = \frac{1}{|Q|} \sum_{q \in Q} \mathrm{AP}(q)$$
#
# The lecture (document 004) has two queries. Query 1 has 4 relevant documents, found at ranks
# 1, 2, 4 and 7. Query 2 has 5, of which three are found, at ranks 1, 3 and 5.

# %%
predict("What is the AP of each query? And MAP?")

# %%
two = documents.example("004-MAP").inputs
reveal(explain(mean_average_precision, two["run"], two["qrels"]))

# %%
quote("004", "MAP = (0.83+0.45)/2 = 0.64")

# %%
quiz(
    "A student adds the seven precisions of both queries up and divides by the nine relevant "
    "documents. What does that give?",
    {
        "MAP as well, only in one step": (
            False,
            "It comes out as 0.62, not 0.64: query 2 would count 5/9 and query 1 only 4/9.",
        ),
        "A mean in which query 2 counts for more": (
            True,
            (
                "A query would count by its number of relevant documents. In MAP all count "
                "alike, for behind each is a user."
            ),
        ),
        "Something above 1": (
            False,
            "No: seven precisions of at most 1, divided by 9, stay below 1.",
        ),
    },
)

# %% [markdown]
# Now the system fails on a third query and returns nothing for it. The file of results then has two
# queries in it, while three are judged.

# %%
three = two["qrels"] | {"q3": ["r1"]}
predict("What is MAP now, and what would it be if one took the mean over the file of results?")

# %%
reveal(
    table(
        {
            "a judged query that is not in the run": ["counts as 0", "is skipped"],
            "MAP": [
                mean_average_precision(two["run"], three, missing_queries=how)
                for how in ("zero", "skip")
            ],
        },
        caption="Skipping rewards a system for not answering. Count what is judged.",
    )
)

# %% [markdown]
# ## GMAP: who listens to the hard queries?
#
# Two systems, three topics, and their APs:

# %%
A = {"topic 1": 0.02, "topic 2": 0.03, "topic 3": 0.29}
B = {"topic 1": 0.08, "topic 2": 0.04, "topic 3": 0.20}
table({"topic": list(A), "AP of A": list(A.values()), "AP of B": list(B.values())}, digits=2)

# %%
predict("Which has the higher MAP? On how many topics is it the better one?")

# %%
reveal(
    table(
        improvement(B, A),
        caption=f"MAP is {mean(A):.3f} for A and {mean(B):.3f} for B. "
        "B improves on A on two topics of three, on the first by 300%.",
    )
)

# %% [markdown]
# One easy topic outweighs two hard ones, since MAP looks at differences: from 0.29 to 0.20 is more
# than from 0.02 to 0.08. The *geometric* mean looks at ratios instead:
#
# $$\mathrm{GMAP} = \sqrt[n]{\prod_{i=1}^{n} \mathrm{AP}_i}
#   = \exp\Bigl(\frac{1}{n} \sum_{i=1}^{n} \ln \mathrm{AP}_i\Bigr)$$

# %%
predict("Four times as good on topic 1, a third better on topic 2, a third worse on 3. Who wins?")

# %%
means = {"mean": ["MAP", "GMAP"]}
means |= {name: [mean(aps), geometric_mean(aps)] for name, aps in {"A": A, "B": B}.items()}
reveal(table(means, digits=3, caption="B: MAP and GMAP turn the order round."))

# %% [markdown]
# By way of logarithms, for B:

# %%
table(geometric_mean.working(B), digits=3)

# %% [markdown]
# Move the slider: the AP of A's hardest topic alone. Watch which bar moves.


# %%
def hardest(ap):
    """MAP and GMAP of both systems, with another AP for A's first topic."""
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for i, (name, scores) in enumerate({"A": A | {"topic 1": ap}, "B": B}.items()):
        bars = axes.bar(
            [place + 0.4 * i for place in range(2)],
            [mean(scores), geometric_mean(scores)],
            width=0.36,
            color=plotting.PALETTE[i],
            hatch=plotting.HATCHES[i],
            edgecolor="white",
            label=name,
        )
        axes.bar_label(bars, fmt="%.3f")
    axes.set_xticks([0.2, 1.2], ["MAP", "GMAP"])
    axes.set(ylabel="score", ylim=(0, 0.16), title=f"AP of A on topic 1: {ap:g}")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return drawn


slider(
    hardest,
    name="AP",
    values=[0, 0.0001, 0.001, 0.01, 0.02, 0.04, 0.08, 0.12],
    start=0.02,
    alt=lambda ap: (
        f"Bars of MAP and GMAP with an AP of {ap:g} for A's first topic. MAP of A is "
        f"{mean(A | {'topic 1': ap}):.3f} and of B {mean(B):.3f}; GMAP of A is "
        f"{geometric_mean(A | {'topic 1': ap}):.3f} and of B {geometric_mean(B):.3f}."
    ),
)

# %%
quiz(
    "What is the GMAP of a system with AP = 0 on one query of a hundred and 0.9 on the others?",
    {
        "About 0.89": (False, "That is MAP, 0.891. A product with a factor 0 is 0."),
        "0": (
            True,
            (
                "One query decides all. So trec_eval puts 0.00001 in place of what is smaller: "
                "geometric_mean(..., floor=1e-5), which gives about 0.80."
            ),
        ),
        "Not defined, since the logarithm of 0 is not": (
            False,
            "The logarithm is only a way to compute it. The root of a product of 0 is 0.",
        ),
    },
)

# %% [markdown]
# With `floor`, the floor is a convention that the score depends on. State it beside the number:

# %%
FAILS = [0.9] * 99 + [0]
FLOORS = [0, 1e-10, 1e-5, 1e-3]
table(
    {
        "floor": ["none", "1e-10", "1e-5 (trec_eval)", "1e-3"],
        "GMAP": [geometric_mean(FAILS, floor=f) for f in FLOORS],
    },
    digits=3,
)

# %% [markdown]
# ## MRR: the first one counts
#
# Who looks for one page needs no more than the first relevant document. Its reciprocal rank, RR, is
# averaged to MRR. The lecture has two queries, with the first relevant document at ranks 2 and 4.

# %%
predict("What is MRR? At which rank does the first relevant document stand on average?")

# %%
quote("004", "平均在8/3的位置上找到第一个相关文档")

# %% [markdown]
# (The first relevant document is found at position 8/3 on average.) **A puzzle:** is it?

# %%
reveal(explain(mean_reciprocal_rank, documents.example("004-MRR").inputs["first"], exact=True))

# %%
reveal(documents.example("004-MRR").note, summary="So what is 8/3?")

# %% [markdown]
# RR is steep at the top and flat below: from rank 1 to 2 it falls by 1/2, from rank 10 to 20 by no
# more than 1/20.

# %%
predict(
    "Engine X has the first relevant document at ranks 1 and 100, engine Y at 3 and 3. "
    "Who has the higher MRR? Whose mean rank is better?"
)


# %%
def first_at(*ranks):
    """Rankings whose first relevant document stands at these ranks."""
    return {f"q{i}": [0] * (rank - 1) + [1] for i, rank in enumerate(ranks, 1)}


xy = {"X": (1, 100), "Y": (3, 3)}
xy = {name: mean_reciprocal_rank.working(first_at(*ranks)) for name, ranks in xy.items()}
reveal(
    table(
        {
            "engine": list(xy),
            "MRR": [w.value for w in xy.values()],
            "1/MRR, the harmonic mean rank": [w["harmonic mean rank"] for w in xy.values()],
            "mean rank": [w["arithmetic mean rank"] for w in xy.values()],
        },
        digits=3,
    )
)

# %% [markdown]
# ## ERR: a reader who may be satisfied, or not
#
# RR knows relevant or not. With grades, a document satisfies the reader with a *probability* $R_i$,
# and the reader who is not satisfied goes on to the next one. **ERR** is the expectation of 1 over
# the rank at which the reader stops.
#
# **A puzzle.** The slide gives the probability to stop at $r$ as

# %%
formula = documents.example("004-ERR-formula")
quote("004", "$$PP_r = R_r \\prod_{i=1}^{r-1} (1 R_i)$$")

# %%
predict("What is missing? Say first in words what must happen for a reader to stop at rank 3.")

# %%
reveal(formula.erratum.why)

# %% [markdown]
# $$\mathrm{ERR} = \sum_{r=1}^{n} \frac{1}{r}\, R_r \prod_{i=1}^{r-1} (1-R_i)$$
#
# The slide says that $R_r$ is the relevance of the document at $r$. Try that with grades from 0 to
# 4: a second document after one of grade 3 would be reached with "probability" $1-3=-2$. The paper
# that the measure comes from makes a probability of a grade: $R = (2^g - 1)/2^{4}$, where 4 is the
# top of the scale.

# %%
predict(
    "Grades 3, 2, 0. How likely is the reader to stop at rank 1? To reach rank 3? Type the first.",
    7 / 16,
    mistaken={
        8 / 16: "You left out the -1: a document of grade 0 would then satisfy some readers.",
        3 / 4: "You divided the grade by the highest one. Here the grade is an exponent.",
        7 / 8: "You divided by 2^3. The top of the scale is 4, so divide by 2^4.",
    },
)

# %%
reveal(explain(err, [3, 2, 0], max_grade=4))

# %% [markdown]
# What a document is worth now depends on what stands above it. Move the slider: the first of three
# documents gets better, the two below stay at grade 4.


# %%
def behind(grade):
    """ERR as stacked contributions, with another grade at rank 1."""
    return plotting.stacked(
        err.working([grade, 4, 4], max_grade=4), title=f"ERR of the grades {grade}, 4, 4"
    )


def shares(grade):
    """The contributions to ERR, in words."""
    return ", ".join(f"{c:.3f}" for c in err.working([grade, 4, 4], max_grade=4)["contribution"])


slider(
    behind,
    name="grade",
    values=[0, 1, 2, 3, 4],
    start=2,
    alt=lambda grade: (
        f"One stacked bar. With the grades {grade}, 4, 4 the ranks 1 to 3 contribute "
        f"{shares(grade)} to ERR."
    ),
)

# %%
quiz(
    "A ranking starts with a document of grade 4. Below it, grades 0, 0, 0 are replaced by 4, 4, "
    "4. By how much do ERR and nDCG@4 rise, if four documents of grade 4 are judged?",
    {
        "Both by much": (
            False,
            "nDCG does. For ERR nearly every reader has stopped at rank 1.",
        ),
        "ERR hardly, nDCG by much": (
            True,
            (
                "From 0.938 to 0.968 against 0.390 to 1. ERR suits those who look for one "
                "answer, nDCG those who want many."
            ),
        ),
        "Neither, the top document is the same": (
            False,
            "Both look below rank 1; they differ in how many readers get there.",
        ),
    },
)

# %%
ONE, FOUR = [4, 0, 0, 0], [4, 4, 4, 4]
names = ["d1", "d2", "d3", "d4"]
best = {"d1": 4} | {f"x{i}": 4 for i in range(3)}
reveal(
    table(
        {
            "grades": ["4, 0, 0, 0", "4, 4, 4, 4"],
            "ERR": [err(ONE), err(FOUR)],
            "nDCG@4": [ndcg(names, best, k=4), ndcg(FOUR, k=4)],
        },
        digits=3,
    ),
    summary="Check it",
)

# %% [markdown]
# ## What varies more: systems or queries?
#
# The lecture calls the variance a number worth watching:

# %%
quote("004", "一个检索系统对不同查询的方差,往往大于多个检索系统对相同查询的方差")

# %% [markdown]
# (The variance of one system over different queries is often larger than that of several systems on
# the same query.)

# %%
predict("Look at the APs of A and B again. Is it so there? By about how much?")

# %%
reveal(spread({"A": A, "B": B}))

# %% [markdown]
# So the score of a query tells first how hard the query is, and only then how good the system is.
# That has a consequence: **compare query by query**, on the same queries. Then what is hard for
# both drops out.
#
# ## Ten queries
#
# A made collection: 60 documents for each query, five of them relevant; some queries are easy, some
# hard. A system scores documents by something that both systems share, something of its own, and
# how well it tells relevant ones apart. The new one is truly better, by a little.

# %%
RELEVANT, DOCUMENTS = 5, 60


def made_run(n_queries, quality, own):
    """A run over so many made queries; `own` numbers the system's own noise."""
    run = {}
    for q in range(n_queries):
        shared = np.random.default_rng((1, q))
        easy, common = shared.normal(1.2, 0.8), shared.normal(size=DOCUMENTS)
        noise = np.random.default_rng((2, own, q)).normal(size=DOCUMENTS)
        scores = 0.8 * common + 0.6 * noise
        scores[:RELEVANT] += easy + quality
        run[f"q{q + 1}"] = {f"d{i}": s for i, s in enumerate(scores.tolist())}
    return run


def made_qrels(n_queries):
    """The truth, in full."""
    grades = {f"d{i}": int(i < RELEVANT) for i in range(DOCUMENTS)}
    return {f"q{q + 1}": grades for q in range(n_queries)}


def compare_over(n):
    """The old system and the new one over so many queries."""
    return compare({"old": made_run(n, 0, 1), "new": made_run(n, 0.2, 2)}, made_qrels(n), "AP")


ten = compare_over(10)
scores = {name: e.per_query["AP"] for name, e in ten.evaluations.items()}

# %%
drawn, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
for i, (name, by_query) in enumerate(scores.items()):
    axes.plot(
        list(by_query),
        list(by_query.values()),
        color=plotting.PALETTE[i],
        marker="os"[i],
        linestyle="--" if i else "-",
        label=f"{name}: mean {mean(by_query):.3f}",
    )
axes.set(xlabel="query", ylabel="AP", ylim=(0, 1.05), title="Hard for one is hard for the other")
axes.legend(frameon=False)
figure(
    drawn,
    alt="AP of two systems on ten queries, as two lines that rise and fall together between about "
    "0.2 and 1. The new system lies a little above the old one on most queries.",
)

# %%
predict(
    "The standard deviation of AP over these queries is above 0.2, the difference of the means "
    "below 0.07. Is there any hope to call the difference more than chance?"
)

# %%
d = ten.tested("new", "AP")
over_queries = spread(scores)
reveal(
    f"There is. Over the queries AP has a variance of {over_queries.mean_across_queries:.3f}, "
    f"between the two systems on one query of only {over_queries.mean_across_systems:.3f}. The new "
    f"one wins {d.wins} queries and loses {d.losses}; the mean difference is {d.mean:.3f}, and the "
    f"95% interval of it {d.low:.3f} to {d.high:.3f}."
)

# %% [markdown]
# ## What a p-value is, by counting
#
# Suppose that the two systems are equally good. Then, on each query, which of the two scores
# belongs to "new" is a matter of chance: we could swap them. With ten queries there are
# $2^{10} = 1{,}024$ ways to swap. Here the point is to write it, so here is the whole test:

# %%
differences = list(ten.differences("new", "AP").values())
swapped = [
    mean([sign * x for sign, x in zip(signs, differences, strict=True)])
    for signs in product([1, -1], repeat=len(differences))
]
observed = mean(differences)
extreme = sum(abs(x) >= abs(observed) - 1e-12 for x in swapped)

# %%
predict(f"The observed mean difference is {observed:.3f}. In how many of 1,024 is it as large?")

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.hist(swapped, bins=40, color=plotting.PALETTE[0], edgecolor="white")
for side, label in ((-1, None), (1, f"as observed: {observed:.3f}")):
    axes.axvline(side * observed, color=plotting.PALETTE[3], linestyle="--", label=label)
axes.set(xlabel="mean difference in AP", ylabel="ways to swap", ylim=(0, 80))
axes.set_title(f"{extreme} of {len(swapped):,} ways differ as much or more")
axes.legend(frameon=False, loc="upper center")
reveal(
    figure(
        drawn,
        alt="A bell-shaped histogram of the mean differences of all 1,024 ways to swap, centred at "
        f"0. Two dashed lines mark the observed difference, {observed:.3f}, on either side; "
        f"{extreme} ways lie at or beyond them.",
    )
)

# %% [markdown]
# That share is the p-value of the **randomisation test**. The package counts the same way, and has
# three more tests beside it:

# %%
table(
    {
        "test": ["counted above", *d.p],
        "p": [extreme / len(swapped), *d.p.values()],
        "asks": [
            "how many of all swaps differ as much?",
            "the same",
            "is the mean large beside its standard error?",
            "do the large differences have one sign?",
            "does one system win more queries than a coin would?",
        ],
    }
)

# %%
quiz(
    f"The test gives p = {extreme / len(swapped):.3f}. What follows?",
    {
        f"The systems are equal with probability {extreme / len(swapped):.3f}": (
            False,
            (
                "The test supposes that they are equal and asks how odd the data are then. How "
                "likely they are equal is another question, which needs more than these data."
            ),
        ),
        "If they were equal, a difference as large would come about that often": (
            True,
            "That is all it says: little to do with how large the difference is, or how useful.",
        ),
        "The new system is better on most queries": (
            False,
            (
                "It may be, but a p-value doesn't say so: one that is small can come from a few "
                "large gains."
            ),
        ),
        "The next ten queries would show the same": (
            False,
            "With ten queries this test often misses a difference of this size. See below.",
        ),
    },
)

# %% [markdown]
# ## How many queries does it take?
#
# The least true difference that a paired t-test finds four times in five (power 0.8, level 0.05)
# depends on two things: the number of queries $n$ and the standard deviation of the *differences*.

# %%
predict(
    "How many times as many queries does it take to see a difference half as large?",
    4,
    mistaken={2: "The error shrinks with the root of the number of queries, not with the number."},
)


# %%
def detectable(sd):
    """The least detectable difference over the number of queries, for one spread."""
    sizes = [10, 15, 20, 25, 35, 50, 75, 100, 150, 200, 300, 400, 500]
    least = [minimum_detectable(sd, n) for n in sizes]
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    axes.plot(sizes, least, color=plotting.PALETTE[0], marker="o")
    for i, n in enumerate((50, 200)):
        value = minimum_detectable(sd, n)
        axes.plot(
            [n, n, 0],
            [0, value, value],
            color=plotting.PALETTE[3 - 2 * i],
            linestyle=("--", ":")[i],
            label=f"{n} queries: {value:.3f}",
        )
    axes.set(xlabel="queries", ylabel="least detectable difference", xlim=(0, 510), ylim=(0, 0.3))
    axes.set_title(f"standard deviation of differences: {sd:g}")
    axes.legend(frameon=False)
    return drawn


slider(
    detectable,
    name="sd",
    values=[0.05, 0.1, 0.15, 0.2, 0.3],
    start=0.1,
    alt=lambda sd: (
        f"The least detectable difference falls steeply and then ever more slowly with the number "
        f"of queries. With a standard deviation of {sd:g} it is {minimum_detectable(sd, 50):.3f} "
        f"for 50 queries and {minimum_detectable(sd, 200):.3f} for 200."
    ),
)

# %%
reveal("Four times as many: 200 queries see half of what 50 see. It goes by the square root of n.")

# %% [markdown]
# Fifty queries, as TREC usually has, and the same two systems:

# %%
fifty = compare_over(50)
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
fifty.plot("new", "AP", ax=axes)
axes.set(title="What each of 50 queries gains or loses", ylim=(-0.4, 0.4))
axes.set_xticks([])
figure(
    drawn,
    alt="Bars of the differences in AP of fifty queries, greatest gain first. About two thirds are "
    "gains of up to 0.35, a third are losses of down to 0.25; a line marks the mean difference.",
)

# %%
predict("The new system loses a third of the queries. Can its advantage be more than chance?")

# %%
by_size = {n: compare_over(n).tested("new", "AP") for n in (10, 20, 50, 200)}
reveal(
    table(
        {
            "queries": list(by_size),
            "difference": [t.mean for t in by_size.values()],
            "low": [t.low for t in by_size.values()],
            "high": [t.high for t in by_size.values()],
            "wins": [t.wins for t in by_size.values()],
            "losses": [t.losses for t in by_size.values()],
            "p (t-test)": [
                f"{t.p['t']:.3f}" if t.p["t"] > 0.001 else "<0.001" for t in by_size.values()
            ],
            "detectable": [t.detectable for t in by_size.values()],
        },
        digits=3,
        caption="More queries narrow the interval; the difference settles, it need not grow. "
        "(A p below 0.001 is shown as that.)",
    )
)

# %% [markdown]
# Ten queries found it, twenty did not, though the first ten are among the twenty. With few queries
# a difference must be *lucky* to be found: where the one seen is smaller than the one that is
# detectable, do not expect the next set of queries to show it again.
#
# ## Twenty looks
#
# Now for a trap. Here are twenty systems that are exactly as good as the old one: they differ from
# it in noise alone.

# %%
predict("At the level 0.05, how many of the twenty will look different from the old one?", 1)

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
        caption=f"{len(found)} of 20 would be called different, and none of them is. About one in "
        "twenty is the rule; it can be more where all are compared with one and the same old run, "
        "which may be unlucky itself.",
    )
)

# %% [markdown]
# The correction makes up for the number of looks: Holm's multiplies the smallest p-value by their
# number, the next by one less, and so on. `compare` corrects its stars without being asked.

# %%
quiz(
    "A team tries 20 settings on the same 50 queries and reports the best, with p = 0.03. What is "
    "missing?",
    {
        "Nothing, 0.03 is below 0.05": (
            False,
            "The best of 20 looks of which each errs one time in 20 is often that good by chance.",
        ),
        "The other 19: their number belongs in the correction": (
            True,
            "Holm would make it 0.6. Or choose on these queries, and test on others, once.",
        ),
        "A test with more power": (
            False,
            "More power finds true differences more often; it does not undo twenty looks.",
        ),
    },
)

# %% [markdown]
# ## Significant is not important
#
# With enough queries the smallest difference is beyond chance. Beside p belong the difference, its
# interval, and who wins and loses. A ready-made line of all that:

# %%
fifty.details(digits=3)

# %% [markdown]
# ## Recap
#
# - MAP counts each query alike and looks at differences; GMAP looks at ratios, so hard queries
#   weigh. A zero needs a floor, and the floor is a convention.
# - 1/MRR is a harmonic mean of ranks, not "the average rank". ERR lets a reader stop by grade.
# - Queries vary more than systems. Compare in pairs, query by query, on the same queries.
# - A p-value: how often chance alone gives as much. Half the difference takes four times the
#   queries, and each further look has its price.
#
# **Read on.** Robertson (2006), *On GMAP: and other transformations*, CIKM. Chapelle, Metzler,
# Zhang & Grinspan (2009), *Expected reciprocal rank for graded relevance*, CIKM. Smucker, Allan &
# Carterette (2007), *A comparison of statistical significance tests for information retrieval
# evaluation*, CIKM. Sakai (2018), *Laboratory experiments in information retrieval*.
