# %% [markdown]
# # 4. Grades: CG, DCG, nDCG, and which nDCG is this?
#
# **Goals.** After this notebook you can
#
# - compute CG, DCG and nDCG of a short list by hand, and write each in a few lines of numpy;
# - explain gain and discount as a model of a user, and compare nDCG with RBP and ERR;
# - name the choices on which libraries differ, and tell from a number which of them were made.
#
# **Time.** 60 minutes. **Needs.** Notebook 2 (a ranking is not a set); logarithms.

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import cg, dcg, err, evaluate, explain, ndcg, rbp
from irmetrics_edu.course import (
    documents,
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
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.libraries.table import columns
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter quotes two texts in Chinese: *document 003*, a lesson on nDCG, and *document 004*,
# the slides of two lectures on evaluation and learning to rank. These are the words of this
# chapter:

# %%
terms("grade", "gain", "discount", "DCG", "IDCG", "nDCG")

# %% [markdown]
# ## Some documents are more relevant than others
#
# You search for *pasta with mushrooms*. One recipe is just right. A second one uses mushrooms from
# a tin. A third one is about mushroom soup. All three are somewhat relevant, but not equally.
# Precision and recall can't see the difference.
#
# So judges give **grades**, for example from 0 (useless) to 5 (perfect). A ranking then becomes a
# list of grades. Suppose that a search returns three documents with the grades 5, 2 and 3.
#
# The simplest measure adds the grades of the first $k$ documents:
#
# $$\mathrm{CG}@k = \sum_{i=1}^{k} g_i$$
#
# In words: the **cumulated gain** (CG) at $k$ is the sum of the grades $g_i$ at the ranks 1 to $k$.
# In numpy:

# %%
grades = np.array([5, 2, 3])
by_hand = int(grades[:3].sum())
assert by_hand == cg([5, 2, 3], k=3)
by_hand

# %%
predict("What is CG@3 of the same documents in the order 2, 3, 5?", of=(cg @ 3, [2, 3, 5]))

# %%
reveal(f"It is {cg([2, 3, 5]):g} again. CG adds up, so the order makes no difference.")

# %% [markdown]
# This is a weakness of CG. Readers start at the top. A good document at rank 1 helps every reader,
# and a good document at rank 20 helps few.
#
# ## DCG: a document counts less if it stands lower
#
# **DCG** multiplies each gain by a **discount**. The discount is 1 at rank 1 and falls with the
# rank:
#
# $$\mathrm{DCG}@k = \sum_{i=1}^{k} \frac{g_i}{\log_2(i+1)}$$
#
# In words: divide the grade at rank $i$ by the binary logarithm of $i+1$, and add the quotients.
# Rank 1 is divided by $\log_2 2 = 1$, rank 2 by $\log_2 3 = 1.58$, and rank 3 by $\log_2 4 = 2$.

# %%
ranks = np.arange(1, len(grades) + 1)
by_hand = (grades / np.log2(ranks + 1)).sum()
assert np.isclose(by_hand, dcg([5, 2, 3]))
round(float(by_hand), 4)

# %% [markdown]
# The package gives the same number and shows the steps. The column *discounted gain* is what each
# document adds to the sum:

# %%
table(dcg.working([5, 2, 3]))

# %%
predict(
    "What is the DCG of the worse order 2, 3, 5? Compute it on paper and type it.",
    of=(dcg, [2, 3, 5]),
    mistaken={
        10.0: "That is CG: you did not discount the gains.",
        dcg([5, 3, 2]): "That is the DCG of the best order, 5, 3, 2. The question has 2, 3, 5.",
        dcg([5, 2, 3]): "That is the DCG of 5, 2, 3. The question has 2, 3, 5.",
    },
)

# %%
reveal(explain(dcg, [2, 3, 5]))

# %% [markdown]
# ## nDCG: compare with the best possible order
#
# Two users search. For the first one there are ten good documents, and for the second one there are
# three. A perfect engine gets a much higher DCG for the first user. So you can't average the DCG of
# different users.
#
# **nDCG** divides by the DCG of the **ideal** ranking, which is called IDCG. The ideal ranking
# holds all judged documents, found or not, with the best grades first. Here all three were found.
#
# $$\mathrm{nDCG}@k = \frac{\mathrm{DCG}@k}{\mathrm{IDCG}@k}
# \qquad \mathrm{IDCG}@k = \sum_{i=1}^{k} \frac{g^*_i}{\log_2(i+1)}$$
#
# In words: $g^*_i$ is the grade at rank $i$ of the ideal ranking, and nDCG is the share of the
# ideal DCG that the ranking reaches. It is 1 if the order is perfect:

# %%
quote(
    "003",
    "NDCG 为 1.0 意味着模型的排名是完美的",
    "An nDCG of 1.0 means that the model's ranking is perfect.",
)

# %%
ideal = np.sort(grades)[::-1]
by_hand = (grades / np.log2(ranks + 1)).sum() / (ideal / np.log2(ranks + 1)).sum()
assert np.isclose(by_hand, ndcg([5, 2, 3]))
explain(ndcg, [5, 2, 3])

# %% [markdown]
# The figure shows the list 2, 3, 5 beside its ideal. Each bar is made of the discounted gains:

# %%
figure(
    plotting.stacked(ndcg.working([2, 3, 5]), title="The list 2, 3, 5 against its ideal"),
    alt="Two stacked bars. DCG of 2, 3, 5 is 6.39, with its largest part from rank 3; "
    "the ideal is 7.89, with its largest part from rank 1.",
)

# %% [markdown]
# ## Ten documents, two formulas
#
# The lecture gives two formulas for DCG. The first one leaves rank 1 alone and divides by $\log_2
# i$ from rank 2 on. The second one takes $2^{g}-1$ as the gain and divides by $\log_2(i+1)$:
#
# $$\mathrm{DCG}_p = g_1 + \sum_{i=2}^{p} \frac{g_i}{\log_2 i}
# \qquad\qquad \mathrm{DCG}_p = \sum_{i=1}^{p} \frac{2^{g_i}-1}{\log_2(i+1)}$$
#
# The first formula is that of Järvelin and Kekäläinen (2002), so the package calls its discount
# `jk`. The example of the lecture has the grades 3, 2, 3, 0, 0, 1, 2, 2, 3, 0. By the first
# formula, DCG and IDCG at each rank are:

# %%
GRADES = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
tenfold = ndcg.working(GRADES, discount="jk")
table(
    {
        "rank": list(range(1, 11)),
        "DCG": [float(x) for x in tenfold["DCG"]["cumulated"]],
        "IDCG": [float(x) for x in tenfold["IDCG"]["cumulated"]],
    },
    digits=2,
)

# %% [markdown]
# ## Gain and discount are a model of a user
#
# Where does the logarithm come from? Järvelin and Kekäläinen (2002) did not derive it. They needed
# a function that falls slowly, and they left its base open. The base $b$ says from which rank on a
# reader gets tired: all ranks before $b$ count in full. Move the slider.


# %%
def discounts(base):
    """The discount by rank, for one base."""
    worked = dcg.working([1] * 20, discount=f"jk({base})")
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    axes.plot(range(1, 21), worked["discount"], marker="o", color=plotting.PALETTE[0])
    axes.set(xlabel="rank", ylabel="discount", ylim=(0, 1.05), title=f"base {base}")
    axes.set_xticks([1, 5, 10, 15, 20])
    return drawn


slider(
    discounts,
    name="base",
    values=[2, 3, 5, 10],
    start=2,
    alt=lambda base: (
        f"The discount is 1 up to rank {base}, then falls with the logarithm "
        f"to base {base} of the rank."
    ),
)

# %% [markdown]
# Read the discount as a probability, and you have a **model of a user**: the discount at rank $i$
# is the share of users who still look at rank $i$. The gain is what a user gets from the document.
# DCG is then the gain that an average user collects.
#
# Two other measures say openly which user they assume:
#
# - **RBP** (rank-biased precision; Moffat & Zobel 2008): after each document the user goes on with
#   probability $p$. So the share $p^{\,i-1}$ of the users reaches rank $i$.
# - **ERR** (expected reciprocal rank; Chapelle et al. 2009): the user stops when a document
#   satisfies them. A good document at rank 1 then makes all documents below it worth less.

# %%
LIST = [1] * 20
weight = rbp.working(LIST, p=0.8)["weight"]
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, (label, share) in enumerate(
    {
        "1 / log2(rank + 1)": dcg.working(LIST)["discount"],
        "1 / rank": dcg.working(LIST, discount="reciprocal")["discount"],
        "RBP, p = 0.8": weight / weight[0],
    }.items()
):
    axes.plot(range(1, 21), share, marker="os^"[i], color=plotting.PALETTE[i], label=label)
axes.set(xlabel="rank", ylabel="share of users", ylim=(0, 1.05), title="Who still looks?")
axes.set_xticks([1, 5, 10, 15, 20])
axes.legend()
figure(
    drawn,
    alt="Three falling curves over ranks 1 to 20. RBP with p = 0.8 is highest at the ranks 2 to 5, "
    "and the logarithmic discount from rank 6 on. At rank 20 the logarithmic discount is 0.23, one "
    "over the rank is 0.05, and RBP is 0.01.",
)

# %%
predict("By the logarithm 23 % of the users look at rank 20. Is that so in a web search?")

# %%
reveal(
    "Probably not: a page of results often has ten, and rank 20 is on the second page. For a "
    "patent search 23 % may be too few. What users look at can be measured, with cameras that "
    "follow their eyes (Granka et al. 2004) or with clicks. Choose the discount for the task, and "
    "say which one you chose."
)

# %% [markdown]
# Now the formulas of the other two. RBP needs a relevance $r_i$ from 0 to 1. The package takes a
# threshold: $r_i = 1$ if the grade is at least 1, and otherwise $r_i = 0$:
#
# $$\mathrm{RBP} = (1-p) \sum_{i=1}^{n} r_i\, p^{\,i-1}$$
#
# In words: add up the shares of users who reach a relevant document. Multiply by $1-p$, so that no
# ranking exceeds 1. For the grades 3, 0, 1 and $p = 0.8$ it is $0.2 \cdot (1 + 0.64) = 0.328$.
#
# For ERR, $s_i$ is the probability that the document at rank $i$ satisfies the user. It follows
# from the grade and from the highest grade of the scale:
#
# $$\mathrm{ERR} = \sum_{i=1}^{n} \frac{1}{i}\, s_i \prod_{j=1}^{i-1} (1-s_j)
# \qquad s_i = \frac{2^{g_i}-1}{2^{g_{\max}}}$$
#
# In words: to stop at rank $i$, a user was not satisfied by the documents above, and is satisfied
# by this one. Multiply these probabilities, divide by the rank, and add up. If the highest grade is
# 3, a document of grade 3 satisfies with 7/8, and a document of grade 1 with 1/8. For the grades 3,
# 0, 1 it is $\frac78 + \frac13 \cdot \frac18 \cdot 1 \cdot \frac18 = 0.8802$.


# %%
def err_by_hand(grades):
    """ERR of grades from 0 to 3."""
    satisfied = (2.0 ** np.array(grades) - 1) / 2**3
    goes_on = np.cumprod([1, *(1 - satisfied)])[:-1]
    return (goes_on * satisfied / np.arange(1, len(grades) + 1)).sum()


by_hand = [0.2 * (1 + 0.8**2), err_by_hand([3, 0, 1])]
assert np.allclose(by_hand, [rbp([3, 0, 1], p=0.8), err([3, 0, 1], max_grade=3)])
[round(float(value), 4) for value in by_hand]

# %% [markdown]
# The three measures can disagree. Here are two rankings, with grades from 0 to 3:

# %%
TOP, EVEN = [3, 0, 0, 0, 0], [1, 1, 1, 1, 1]
shares = 0.2 * 0.8 ** np.arange(5)  # of RBP, with p = 0.8
GRADED = [float((shares * (2.0 ** np.array(grades) - 1) / 7).sum()) for grades in (TOP, EVEN)]
predict(
    "One ranking has a perfect document first and nothing else: 3, 0, 0, 0, 0. The other one has "
    "five weak documents: 1, 1, 1, 1, 1. Which one has the higher DCG? And the higher ERR?"
)

# %%
reveal(
    table(
        {
            "measure": ["DCG", "DCG, gain 2^g - 1", "RBP, p = 0.8", "ERR"],
            "3, 0, 0, 0, 0": [
                dcg(TOP), dcg(TOP, gain="exp"), rbp(TOP, p=0.8), err(TOP, max_grade=3),
            ],
            "1, 1, 1, 1, 1": [
                dcg(EVEN), dcg(EVEN, gain="exp"), rbp(EVEN, p=0.8), err(EVEN, max_grade=3),
            ],
        },
        caption="DCG and ERR prefer the perfect document. RBP with a threshold at grade 1 prefers "
        "five weak ones. With (2^g - 1)/7 as the relevance of a document, RBP would prefer the "
        f"perfect one, by {GRADED[0]:.3f} to {GRADED[1]:.3f}.",
    )
)  # fmt: skip

# %% [markdown]
# ## What nDCG does not see
#
# **A short list of good documents.** nDCG compares with the ideal order of what was judged. If a
# query has only two relevant documents, of one grade, and both stand at the top, nDCG@10 is 1,
# whatever follows:

# %%
table(
    {
        "ranking": ["1, 1", "1, 1 and eight useless documents"],
        "nDCG@10": [ndcg([1, 1], k=10), ndcg([1, 1] + [0] * 8, k=10)],
    }
)

# %% [markdown]
# **Ties.** Two documents with one score have no order, and each library makes one up. One relevant
# and one useless document have the same score:

# %%
tied, grades_of = {"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 1, "b": 0}}
predict(
    "Which values can nDCG have here? Which value does a library give that averages over both "
    "orders?"
)

# %%
rules = ["trec_eval", "scikit-learn", "LightGBM"]
reveal(
    table(
        {
            "library": rules,
            "nDCG": [evaluate(tied, grades_of, "nDCG", rule).mean["nDCG"] for rule in rules],
        },
        caption="1 if the relevant document comes first, and 0.63 if it comes second. scikit-learn "
        "takes the mean of both.",
    )
)

# %% [markdown]
# **The cut of the ideal.** nDCG@k looks at the first $k$ documents of the ranking. Most libraries
# cut the ideal at $k$ too. Some keep the whole ideal, and then even a perfect ranking can't reach 1
# if more than $k$ documents are relevant.


# %%
def cut_at(k):
    """nDCG@k of a perfect ranking of eight relevant documents, by either cut."""
    perfect = [1] * 8
    scores = [ndcg(perfect, k=k), ndcg(perfect, k=k, cut="ranking")]
    drawn, axes = plt.subplots(figsize=(6.4, 2.4), layout="constrained")
    bars = axes.barh(["both are cut", "the whole ideal"], scores, color=plotting.PALETTE[:2])
    axes.bar_label(bars, fmt="%.2f", padding=3)
    axes.set(xlabel=f"nDCG@{k} of a perfect ranking", xlim=(0, 1.15))
    return drawn


slider(
    cut_at,
    name="k",
    values=[1, 2, 4, 8],
    start=2,
    alt=lambda k: (
        f"nDCG@{k} of a perfect ranking is 1.00 if ranking and ideal are cut, and "
        f"{ndcg([1] * 8, k=k, cut='ranking'):.2f} with the whole ideal."
    ),
)

# %% [markdown]
# ## Which nDCG is this?
#
# The lecture on learning to rank compares two rankings of seven documents. The ideal is 3221111.
# Rank A swaps the first two documents of the ideal, and rank B swaps the third and the fourth.

# %%
RANK_A, RANK_B = [2, 3, 2, 1, 1, 1, 1], [3, 2, 1, 2, 1, 1, 1]
predict("Which of the two has the higher nDCG? Is it so under every convention?")

# %%
conventions = {
    "rel_1 + rel_i / log2(i)": {"discount": "jk"},
    "rel_i / log2(i+1)": {},
    "(2^rel - 1) / log2(i+1)": {"gain": "exp"},
}
verdicts = table(
    {
        "convention": list(conventions),
        "A": [ndcg(RANK_A, **c) for c in conventions.values()],
        "B": [ndcg(RANK_B, **c) for c in conventions.values()],
    }
)
reveal(verdicts)

# %% [markdown]
# By the first formula ranks 1 and 2 have the same weight, because $\log_2 2 = 1$. Swapping them
# costs nothing, so A is perfect and beats B. By the other two formulas B wins. Before you ask which
# ranking is better, ask which nDCG it is.

# %%
quiz(
    "A library reports nDCG@10 = 0.9608 for the retrieved grades 3, 2, 3, 0, 1, 2. Two more "
    "documents, with the grades 3 and 2, were judged and not found. Ours gives 0.7562. What "
    "explains it?",
    {
        "It uses the natural logarithm": (
            False,
            (
                "Ours divides by log(i+1). There the base cancels: DCG and IDCG change by the same "
                "factor. It does not cancel where the ranks before the base count in full."
            ),
        ),
        "Its ideal holds only the retrieved documents": (
            True,
            'Pass ideal="retrieved" to agree. What was not found then costs nothing.',
        ),
        "It discounts rank 1": (
            False,
            (
                "With log2(i+1) rank 1 has the discount 1. Another logarithm would change rank 1, "
                "but in the ideal as well."
            ),
        ),
    },
)

# %%
found, missed = [3, 2, 3, 0, 1, 2], [3, 2]
ranking = [f"d{i}" for i in range(len(found))]
judgments = dict(zip(ranking, found, strict=True)) | {f"x{i}": g for i, g in enumerate(missed)}
reveal(
    table(
        {
            "ideal": ["judged", "retrieved"],
            "nDCG@10": [ndcg(ranking, judgments, k=10, ideal=i) for i in ("judged", "retrieved")],
        }
    ),
    summary="Check it",
)

# %% [markdown]
# ## What the libraries chose
#
# Every library answers these questions, and few say how. The column *nDCG* shows what differs from
# the definition above, in the words that `ndcg` takes. The column *ties* says in which order
# documents of equal score come, and *pool* says whose grades make the ideal. A library appears with
# what it does by default: CatBoost, for example, takes another gain with `type=Exp`. The command
# `irmetrics-edu conventions` prints the same for all metrics.

# %% [markdown] tags=["notes"]
# Some words of the table are new:
#
# - `ideal=as_long`: the ideal is cut where the ranking ends;
# - `ideal=k_ones`: the ideal has a relevant document at each of its $k$ ranks;
# - `ideal=r_ones`: it has one at each of the first $R$ ranks, if $R$ documents are relevant;
# - `gain=binary`: every relevant document gains 1; in `binary(-inf)` every judged one does;
# - `gain=exp(1)`: the gain is $2^{g}-1$ for a grade of at least 1;
# - `no_relevant=nan`: a query without a relevant document has no score, and with `one` it has 1;
# - *pessimistic*: of documents with one score the worse ones come first;
# - *quicksort*: they come as this method of sorting leaves them.
#
# The table has many rows. Find the libraries that you use.

# %%
chosen = columns(BUNDLES.values(), metric="nDCG")
shown = ("library", "nDCG", "ties, scores", "pool")
table({heading: chosen[heading] for heading in shown})

# %%
run = {"q": {d: -float(rank) for rank, d in enumerate(ranking)}}
values = {}
for library in BUNDLES.values():
    if library.name in chosen["library"]:
        (score,) = evaluate(run, {"q": judgments}, "nDCG@10", library).mean.values()
        values.setdefault(f"{score:.4f}", []).append(library.name)
predict(
    "One ranking: grades 3, 2, 3, 0, 1, 2 found, 3 and 2 missed. Look up the gain and the pool of "
    "LightGBM. What is its nDCG@10?",
    ndcg(ranking, judgments, k=10, gain="exp", ideal="retrieved"),
    mistaken={
        ndcg(ranking, judgments, k=10): "That is ours. LightGBM has another gain and another pool.",
        ndcg(ranking, judgments, k=10, gain="exp"): "Its ideal holds only what was retrieved.",
        ndcg(ranking, judgments, k=10, ideal="retrieved"): "Its gain is 2^g - 1.",
    },
)

# %%
reveal(
    table(
        {"nDCG@10": values, "libraries": [", ".join(names) for names in values.values()]},
        caption=f"All together give {len(values)} different values.",
    )
)

# %% [markdown]
# One command goes back from such a number to the choice behind it: `irmetrics-edu diagnose nDCG@10
# --relevance 3,2,3,0,1,2 --unretrieved 3,2 --value 0.949`.

# %% [markdown]
# ## When to use nDCG
#
# Use nDCG if the order matters and there are levels of relevance, says document 003. Levels come
# from ratings of 1 to 5 stars. They also come from behaviour: a purchase can count more than a
# click.
#
# A grade belongs to a document *and a need*. The lecture searches for *Animal World*
# (动物世界), the title of a film. An encyclopaedia is enough for an overview. To watch the film,
# you need the page that shows it.
#
# Does a high nDCG mean that users are satisfied? Document 001 (notebook 9) reports that CG and DCG
# match satisfaction better than nDCG. In another study with many users, nDCG matched their
# preferences best (Sanderson et al. 2010). So ask your own users.
#
# ## On a real collection
#
# Take the topic *temporary file or directory* of the real collection (notebook 1). Its grades go
# from 0 to 3. These are the grades of the first ten documents of two engines:

# %%
stdlib = load_collection("stdlib")
DEEP = stdlib.qrels["deep"]
TOPIC, TWO = DEEP["q017"], {name: list(stdlib.runs[name]["q017"]) for name in ("bm25", "lsa")}
table(
    {
        "engine": list(TWO),
        "grades": [" ".join(str(TOPIC[d]) for d in found[:10]) for found in TWO.values()],
    }
)

# %%
predict("Which of the two engines has the higher nDCG@10? Which one has the higher ERR@10?")

# %%
for found in TWO.values():
    by_hand = err_by_hand([TOPIC[d] for d in found[:10]])
    assert np.isclose(by_hand, err(found, TOPIC, max_grade=3, k=10))
reveal(
    table(
        {
            "engine": list(TWO),
            "nDCG@10": [ndcg(found, TOPIC, k=10) for found in TWO.values()],
            "ERR@10": [err(found, TOPIC, max_grade=3, k=10) for found in TWO.values()],
        },
        digits=3,
        caption="nDCG adds up all that LSA finds. In ERR a reader who meets grade 3 at rank 1 goes "
        "on only one time in eight, so BM25 is better. Ask what your users do.",
    )
)

# %% [markdown]
# Over all 100 topics both measures put the engines into the same order:

# %%
means = {n: evaluate(r, DEEP, "nDCG@10 ERR(max_grade=3)@10").mean for n, r in stdlib.runs.items()}
ndcgs, errs = zip(*(each.values() for each in means.values()), strict=True)
table({"engine": list(means), "nDCG@10": ndcgs, "ERR@10": errs}, digits=3)

# %% [markdown]
# ## Recap
#
# - CG adds the grades. DCG discounts them by rank. nDCG divides DCG by the DCG of the ideal order.
# - A discount is a model of a user. RBP and ERR assume other users than DCG does.
# - Gain, discount, ideal, cut, ties, and the score of a query without a relevant document are
#   choices. Report them with each score.
#
# **Read on.**

# %%
reading(
    "Järvelin 2002", "Burges 2005", "Moffat 2008", "Chapelle 2009", "Granka 2004", "Sanderson 2010",
)  # fmt: skip
