# %% [markdown]
# # Exercise 9. Novelty: the gain vector, the ideal, alpha-nDCG
#
# `nuggets` maps each judged document to the set of nuggets (pieces of information, aspects) that it
# holds. A nugget that $r$ documents above hold already is worth $(1-\alpha)^r$. Only the last
# question is about probabilities.
#
# **Needs.** Notebook 9, exercise 4. **Time.** 45 minutes. **Marks.** 12. **Bonus.** 1.

# %% tags=["spec"]
import irmetrics_edu
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def guessed_nuggets(rng):
    """A document below another, what a classifier says of both, and what the user wants."""
    return {
        "ranking": ["d1", "d2"],
        "nuggets": {
            "d1": {"A": rng.choice([0.5, 0.7, 0.8])},
            "d2": {"A": rng.choice([0.4, 0.6, 0.9]), "B": rng.choice([0.2, 0.3, 0.75])},
        },
        "wanted": {"A": rng.choice([0.5, 0.6, 0.8]), "B": rng.choice([0.4, 0.7, 0.9])},
    }


def nugget_sets(rng):
    """Documents with nuggets, a ranking of some of them, and alpha, which is not 1/2."""
    names = ["A", "B", "C", "D", "E"]
    nuggets = {f"d{i}": set(rng.sample(names, rng.randint(1, 3))) for i in range(1, 7)}
    ranking = rng.sample([*nuggets, "d7"], 5)
    return {"ranking": ranking, "nuggets": nuggets, "alpha": rng.choice([0.2, 0.3, 0.6, 0.7])}


def ideal_known(rng):
    """The same, drawn again until one document is best at each of the first three ranks."""
    while True:
        drawn = {**nugget_sets(rng), "k": 3}
        worked = irmetrics_edu.alpha_ndcg.working(
            drawn["ranking"], drawn["nuggets"], alpha=drawn["alpha"], k=drawn["k"]
        )
        if all(worked["ideal alpha-DCG"]["tied"] == 1):
            return drawn


def pool_only(rng):
    """Nuggets, alpha and the length of the ideal."""
    drawn = ideal_known(rng)
    return {name: drawn[name] for name in ("nuggets", "alpha", "k")}


FOUND = "list(nuggets), nuggets, alpha=alpha, k=k"

spec = Exercise(
    "09",
    "Novelty: the gain vector, the ideal, alpha-nDCG",
    [
        Question(
            "gain_vector",
            "alpha_dcg.working(ranking, nuggets, alpha=alpha)['gain']",
            nugget_sets,
            title="the gain vector",
            asks="What is the gain vector of the ranking for alpha-DCG? A document that nuggets "
            "does not list holds none.",
            edges=[{"ranking": ["d7"], "nuggets": {"d1": {"A"}}, "alpha": 0.5}],
            column="gain",
            mistakes=["alpha-for-1-minus-alpha"],
            wrongs=[
                Wrong(
                    "no-novelty",
                    "a count of the nuggets of each document",
                    "[len(nuggets.get(d, ())) for d in ranking]",
                    "A nugget that was met above is worth less.",
                ),
                Wrong(
                    "only-new",
                    "a count of new nuggets only",
                    "alpha_dcg.working(ranking, nuggets, alpha=1)['gain']",
                    "That is alpha = 1; below it a repeated nugget is worth (1-alpha)^r.",
                ),
                Wrong(
                    "redundancy-counts-the-document",
                    "a redundancy count that includes the document itself: look at rank 1",
                    "[g * (1 - alpha) for g in "
                    "alpha_dcg.working(ranking, nuggets, alpha=alpha)['gain']]",
                    "r counts the documents above: at rank 1 every nugget gains a whole 1.",
                ),
            ],
            hints=[
                "Keep a dict of how often each nugget was met so far.",
                "First add up the gain of the document, then count its nuggets.",
            ],
        ),
        Question(
            "alpha_dcg",
            "alpha_dcg(ranking, nuggets, alpha=alpha)",
            nugget_sets,
            title="alpha-DCG",
            asks="What is alpha-DCG of the ranking, with the discount 1/log2(i+1)? A document "
            "that nuggets does not list holds none.",
            prefix="ranking",
            column="discounted gain",
            mistakes=[
                "alpha-for-1-minus-alpha",
                "redundancy-counts-the-document",
                "alpha-of-0",
            ],
            wrongs=[
                Wrong(
                    "no-discount",
                    "a sum of gains without a discount",
                    "alpha_dcg(ranking, nuggets, alpha=alpha, discount='none')",
                    "Each gain is divided by log2(i+1), as in DCG.",
                ),
            ],
            hints=["The gain vector, discounted as in DCG: divided by log2(i+1)."],
        ),
        Question(
            "ideal",
            f"list(alpha_ndcg.working({FOUND})['ideal alpha-DCG']['document'])",
            pool_only,
            title="the greedy ideal",
            asks="What are the first k documents of the greedy ideal ranking for alpha-nDCG?",
            mistakes=["alpha-for-1-minus-alpha"],
            wrongs=[
                Wrong(
                    "ideal-not-greedy",
                    "an ideal sorted by the number of nuggets, without regard to those met already",
                    "[d for n, d in sorted([(-len(nuggets[d]), d) for d in nuggets])][:k]",
                    "Choose at each rank the document of highest gain given those taken before.",
                ),
                Wrong(
                    "ideal-as-judged",
                    "an ideal in the order in which the documents are listed",
                    "list(nuggets)[:k]",
                    "The ideal is a ranking of its own: the best one that can be found.",
                ),
            ],
            hints=[
                "Start with nothing; k times, take the document whose gain is highest now.",
                "After each choice count its nuggets; never take a document twice.",
            ],
        ),
        Question(
            "alpha_ndcg",
            "alpha_ndcg(ranking, nuggets, alpha=alpha, k=k)",
            ideal_known,
            title="alpha-nDCG",
            asks="What is alpha-nDCG@k of the ranking, with the discount 1/log2(i+1) and the "
            "greedy ideal?",
            edges=[
                {  # the greedy ideal takes X first, and the ranking beats it
                    "ranking": ["Y", "Z"],
                    "nuggets": {"X": set("ABCDEF"), "Y": set("ABCGH"), "Z": set("DEFI")},
                    "alpha": 0.9,
                    "k": 2,
                },
            ],
            marks=3,
            mistakes=[
                "alpha-for-1-minus-alpha",
                "ideal-not-greedy",
                "ideal-as-judged",
                "alpha-of-0",
            ],
            wrongs=[
                Wrong(
                    "not-normalised",
                    "alpha-DCG, not divided by that of the ideal",
                    "alpha_dcg(ranking, nuggets, alpha=alpha, k=k)",
                    "The n stands for normalised: divide by the ideal's alpha-DCG.",
                ),
            ],
            hints=["alpha_dcg of the first k documents over alpha_dcg of the ideal of length k."],
        ),
        Question(
            "relevance",
            "relevance_probability(ranking, nuggets, alpha=1, gamma=wanted)",
            guessed_nuggets,
            kind="value",
            title="the probability of relevance by hand",
            asks="With what probability is the last document of the ranking relevant? nuggets "
            "gives the probability that a document holds a nugget, and wanted the probability "
            "that the user wants it.",
            marks=1,
            wrongs=[
                Wrong(
                    "nothing-seen",
                    "the probability of d2 at rank 1",
                    "relevance_probability(['d2'], nuggets, alpha=1, gamma=wanted)",
                    "The user may have got nugget A from d1 already: multiply by 1 - P(A in d1).",
                ),
                Wrong(
                    "sum-of-probabilities",
                    "a sum over the nuggets, the first-order term",
                    "relevance_probability.working(ranking, nuggets, alpha=1, gamma=wanted)"
                    "['first-order term'][-1]",
                    "The sum counts the case that both nuggets help twice. Take 1 less the "
                    "probability that both fail.",
                ),
                Wrong(
                    "all-wanted",
                    "a user who wants every nugget for certain",
                    "relevance_probability(ranking, nuggets, alpha=1, gamma=1)",
                    "A nugget helps if the document holds it and the user wants it.",
                ),
            ],
            hints=[
                "d2 fails if both nuggets fail. With what probability does each fail?",
                "The user still wants A with the probability P(A in u) times 1 - P(A in d1).",
            ],
            tolerance=0.002,
            bonus=True,
        ),
    ],
    [
        ByHand(
            "too_good",
            "Numbers that can't be right",
            [
                Criterion(
                    "alpha = 0",
                    1,
                    "With alpha = 0 each nugget counts in full, so alpha-nDCG is nDCG with the "
                    "number of nuggets as the grade. Two different values can't both be right. "
                    "Half a point for 'should be the same' without the reason.",
                ),
                Criterion(
                    "S-recall",
                    1,
                    "With five subtopics S-recall is 0, 0.2, 0.4 ..., so 0.5 is impossible for "
                    "one query.",
                ),
                Criterion(
                    "above 1",
                    1,
                    "1.02 can be right: the greedy ideal is not always the best order. No point "
                    "if called an error; half a point for 'depends on the ideal' without why.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import math

from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. The gain vector
#
# $$G[i] = \sum_{n \in d_i} (1-\alpha)^{r_{n,i}}$$
#
# where $r_{n,i}$ is how many documents above rank $i$ hold nugget $n$.


# %% tags=["gain_vector"]
def gain_vector(ranking, nuggets, alpha):
    """The gain of each document of a ranking, from the top."""
    ### BEGIN SOLUTION
    met, gains = {}, []
    for document in ranking:
        held = nuggets.get(document, ())
        gains.append(sum((1 - alpha) ** met.get(nugget, 0) for nugget in held))
        for nugget in held:
            met[nugget] = met.get(nugget, 0) + 1
    return gains
    ### END SOLUTION


# %% tags=["check"]
check("gain_vector", gain_vector)

# %% [markdown]
# ## 2. alpha-DCG
#
# The gain vector discounted by $\log_2(i+1)$ and added up.


# %% tags=["alpha_dcg"]
def alpha_dcg(ranking, nuggets, alpha):
    """The DCG whose gain counts nuggets, each worth less the more often it was met."""
    ### BEGIN SOLUTION
    gains = gain_vector(ranking, nuggets, alpha)
    return sum(g / math.log2(i + 1) for i, g in enumerate(gains, start=1))
    ### END SOLUTION


# %% tags=["check"]
check("alpha_dcg", alpha_dcg)

# %% [markdown]
# ## 3. The ideal
#
# The best ranking is hard to find (it holds vertex cover), so the ideal is made **greedily**: at
# each rank the document of highest gain, given those above. Return the first `k`. In every
# example one document is best at each rank.


# %% tags=["ideal"]
def ideal(nuggets, alpha, k):
    """The first k documents of the greedy ideal ranking."""
    ### BEGIN SOLUTION
    chosen = []
    while len(chosen) < k:
        left = [d for d in nuggets if d not in chosen]
        chosen.append(max(left, key=lambda d: gain_vector([*chosen, d], nuggets, alpha)[-1]))
    return chosen
    ### END SOLUTION


# %% tags=["check"]
check("ideal", ideal)

# %% [markdown]
# ## 4. alpha-nDCG


# %% tags=["alpha_ndcg"]
def alpha_ndcg(ranking, nuggets, alpha, k):
    """The alpha-DCG of the first k documents over that of the ideal."""
    ### BEGIN SOLUTION
    best = alpha_dcg(ideal(nuggets, alpha, k), nuggets, alpha)
    return alpha_dcg(ranking[:k], nuggets, alpha) / best
    ### END SOLUTION


# %% tags=["check"]
check("alpha_ndcg", alpha_ndcg)

# %% [markdown]
# ## 5. Numbers that can't be right
#
# Your teacher marks this answer. A paper prints this table for one query with five subtopics.
# Discount, cut-off and judgments are the same in all lines, and the ideal is the greedy one.
#
# | measure | A | B |
# |---|---|---|
# | alpha-nDCG@5, alpha = 0 | 0.62 | 0.88 |
# | nDCG@5, grade = number of subtopics | 0.70 | 0.88 |
# | alpha-nDCG@5, alpha = 0.5 | 0.66 | 1.02 |
# | S-recall@5 | 0.5 | 0.8 |
#
# Which numbers can't be right? Which number looks impossible, but isn't? Give the reasons.

# %% [markdown] tags=["too_good"]
# **What can't be right, and what only looks so:**
#
# ### BEGIN SOLUTION
# **A with alpha = 0 and nDCG contradict each other.** With alpha = 0 a nugget that was seen before
# still counts 1. The gain of a document is then its number of subtopics, which is its grade in the
# second line. The two values must be equal, as they are for B.
#
# **S-recall 0.5 of A can't be.** With five subtopics it is a multiple of 0.2.
#
# **1.02 of B can be.** The greedy ideal takes the best document at each rank. It never takes a
# choice back, so another order can have a higher sum. Then alpha-nDCG exceeds 1.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 6. The probability of relevance, by hand
#
# A classifier gives the probability that a document holds a nugget, and `wanted` the probability
# that the user wants it. With what probability is `d2`, below `d1`, relevant?

# %%
ranking, nuggets, wanted = spec.given("relevance")

# %% tags=["relevance"]
### BEGIN SOLUTION
still = wanted["A"] * (1 - nuggets["d1"]["A"])
relevance = 1 - (1 - still * nuggets["d2"]["A"]) * (1 - wanted["B"] * nuggets["d2"]["B"])
### END SOLUTION

# %% tags=["check"]
check("relevance", relevance)
