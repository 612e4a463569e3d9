# %% [markdown]
# # 4. Grades: CG, DCG, nDCG, and which nDCG is this?
#
# **Goals.** After this notebook you can
#
# - compute CG, DCG and nDCG of a short list by hand, and read every step of a longer one;
# - say what the discount does, and what it does not do at ranks 1 and 2;
# - name the choices on which libraries differ, and tell from a number which of them were made.
#
# **Time.** 45 minutes. **Needs.** Notebook 2 (a ranking is not a set); logarithms.

# %%
import matplotlib.pyplot as plt

from irmetrics_edu import cg, dcg, documents, evaluate, explain, ndcg
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.libraries.table import columns
from irmetrics_edu.views import plotting

# %% [markdown]
# The words of this chapter, as the documents' readers know them:

# %%
terms("grade", "gain", "discount", "DCG", "IDCG", "nDCG")

# %% [markdown]
# ## Not every relevant document is worth the same
#
# A film can be loved, liked, or merely watched. Judges give **grades** for that, say from 0 to 5.
# The simplest measure adds the grades of the first $k$ documents up:
#
# $$\mathrm{CG}@k = \sum_{i=1}^{k} g_i$$

# %%
predict("What is CG@3 of a list with the grades 5, 2, 3? And of 2, 3, 5?", of=(cg @ 3, [5, 2, 3]))

# %%
reveal(f"Both are 10: CG@3 is {cg([5, 2, 3]):g} and {cg([2, 3, 5]):g}. The order plays no part.")

# %% [markdown]
# That is CG's weakness. A reader starts at the top, so what stands there should count more.
# DCG multiplies each gain by a **discount** that shrinks with the rank:
#
# $$\mathrm{DCG}@k = \sum_{i=1}^{k} \frac{g_i}{\log_2(i+1)}$$

# %%
table(dcg.working([5, 2, 3]))

# %% [markdown]
# Compare the last column with the document's lines: contributions 5, 1.262 and 1.5, sum 7.762.

# %%
predict("The worse list 2, 3, 5 has the same CG. What is its DCG?", of=(dcg, [2, 3, 5]))

# %%
reveal(explain(dcg, [2, 3, 5]))

# %% [markdown]
# ## Against the best that could be
#
# A user with ten good films to find can reach a higher DCG than one with three, so DCGs of
# different users can't be averaged. nDCG divides by the DCG of the **ideal** ranking:
#
# $$\mathrm{nDCG}@k = \frac{\mathrm{DCG}@k}{\mathrm{IDCG}@k}$$

# %%
quote("003", "NDCG 为 1.0 意味着模型的排名是完美的")

# %%
explain(ndcg, [5, 2, 3])

# %% [markdown]
# In a picture: each document's discounted gain stacked on the others', the ideal beside it.

# %%
figure(
    plotting.stacked(ndcg.working([2, 3, 5]), title="The list 2, 3, 5 against its ideal"),
    alt="Two stacked bars. DCG of 2, 3, 5 is 6.39, with its largest part from rank 3; "
    "the ideal is 7.89, with its largest part from rank 1.",
)

# %% [markdown]
# ## Ten documents, two formulas
#
# The lecture (document 004) gives two formulas for DCG. The first leaves rank 1 alone and divides
# by $\log_2 i$ from rank 2 on; the second takes $2^{g}-1$ as gain and divides by $\log_2(i+1)$:
#
# $$\mathrm{DCG}_p = g_1 + \sum_{i=2}^{p} \frac{g_i}{\log_2 i}
# \qquad\qquad \mathrm{DCG}_p = \sum_{i=1}^{p} \frac{2^{g_i}-1}{\log_2(i+1)}$$
#
# Its example has the grades 3, 2, 3, 0, 0, 1, 2, 2, 3, 0.

# %%
GRADES = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
table(ndcg.working(GRADES, discount="jk"), digits=2)

# %% [markdown]
# **A puzzle.** The slide prints these values of nDCG:

# %%
misprint = documents.example("004-NDCG")
quote("004", misprint.printed)

# %%
predict("One of these ten numbers is wrong. Which? The slide's own rows DCG and iDCG are enough.")

# %%
reveal(misprint.erratum.why)

# %% [markdown]
# ## What the discount does
#
# Move the slider: the base $b$ of Järvelin and Kekäläinen's discount says from which rank on the
# reader gets tired. All ranks before $b$ count in full.


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
# ## Which nDCG is this?
#
# Two rankings of seven documents, from the lecture on learning to rank. A exchanges the first two
# documents of the ideal 3221111; B exchanges the third and the fourth.

# %%
RANK_A, RANK_B = [2, 3, 2, 1, 1, 1, 1], [3, 2, 1, 2, 1, 1, 1]
predict("Which of the two has the higher nDCG? Are you sure it is so under every convention?")

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
# Under the first formula ranks 1 and 2 count alike ($\log_2 2 = 1$), so exchanging them costs
# nothing: A is perfect and beats B. Before asking which ranking is better, ask which nDCG.

# %%
quiz(
    "A library reports nDCG@10 = 0.9608 for the retrieved grades 3, 2, 3, 0, 1, 2, though two "
    "documents with grades 3 and 2 were judged and not found. Ours gives 0.7562. What explains it?",
    {
        "It uses the natural logarithm": (
            False,
            "The base cancels in nDCG: numerator and denominator change by the same factor.",
        ),
        "Its ideal holds only the retrieved documents": (
            True,
            'Pass ideal="retrieved" to agree. What was not found then costs nothing.',
        ),
        "It discounts rank 1": (
            False,
            "With log2(i+1) rank 1 has the discount 1; so it has in every common convention.",
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
# Every library settles these questions, few say how. Under *nDCG* stand the options that differ
# from the definition above, in the words that `ndcg` takes (`no_relevant` is the score of a query
# without relevant documents); *ties* is the order of documents of equal score; *pool* says whose
# grades make the ideal. `irmetrics-edu conventions` prints the same for all metrics.

# %%
chosen = columns(BUNDLES.values(), metric="nDCG")
shown = ("library", "nDCG", "ties, scores", "pool")
table({heading: chosen[heading] for heading in shown})

# %%
predict(
    "One ranking: grades 3, 2, 3, 0, 1, 2 found, 3 and 2 missed. How many different values of "
    "nDCG@10 do these libraries give it?"
)

# %%
run = {"q": {d: -float(rank) for rank, d in enumerate(ranking)}}
values = {}
for library in BUNDLES.values():
    if library.name in chosen["library"]:
        (score,) = evaluate(run, {"q": judgments}, "nDCG@10", library).mean.values()
        values.setdefault(f"{score:.4f}", []).append(library.name)
reveal(table({"nDCG@10": values, "libraries": [", ".join(names) for names in values.values()]}))

# %% [markdown]
# From such a number one command finds the way back to the choice behind it:
# `irmetrics-edu diagnose nDCG@10 --relevance 3,2,3,0,1,2 --unretrieved 3,2 --value 0.949`.

# %% [markdown]
# ## Recap
#
# - CG adds grades; DCG discounts them by rank; nDCG holds DCG against the ideal.
# - Gain, discount, ideal, ties and empty queries are choices. A score without them is half a score.
# - Check a table by its own columns: printed numbers have misprints.
#
# **Read on.** Järvelin & Kekäläinen (2002), *Cumulated gain-based evaluation of IR techniques*,
# ACM TOIS 20(4). Burges et al. (2005), *Learning to rank using gradient descent*, ICML.
