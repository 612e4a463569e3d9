# %% [markdown]
# # Exercise 11. Diversity that counts: DCC, FDCC, DILAD
#
# A recommended item is **effective** if it is relevant, too. Diversity of items that nobody wants
# counts little: their categories are discounted by alpha, their pairs by beta.
#
# **Needs.** Notebook 11. **Time.** 45 minutes. **Marks.** 12. **Bonus.** 8.

# %% tags=["spec"]
import itertools

from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def recommendation(rng):
    """A list of items, the relevant ones, their categories, and alpha."""
    names = ["action", "comedy", "drama", "folk", "jazz", "rock"]
    items = [f"i{n}" for n in range(1, 10)]
    categories = {i: set(rng.sample(names, rng.randint(1, 3))) for i in items}
    recommended = rng.sample(items, 4)
    relevant = {*rng.sample(recommended, 2), *rng.sample(items, 4)}
    return {"recommended": recommended, "relevant": relevant, "categories": categories,
            "alpha": rng.choice([0.1, 0.2, 0.3])}  # fmt: skip


def without_alpha(rng):
    """The same without alpha."""
    drawn = recommendation(rng)
    return {"recommended": drawn["recommended"], "categories": drawn["categories"]}


def distances(rng):
    """Items, the relevant ones, the distance of each pair, and beta."""
    items = ["a", "b", "c", "d", "e"]
    apart = {p: rng.randint(1, 19) / 20 for p in itertools.combinations(items, 2)}
    return {"recommended": rng.sample(items, 4), "relevant": set(rng.sample(items, 3)),
            "distance": apart, "beta": rng.choice([0.1, 0.2, 0.3])}  # fmt: skip


def list_and_distances(rng):
    """A list of items and the distance of each pair."""
    drawn = distances(rng)
    return {"recommended": drawn["recommended"], "distance": drawn["distance"]}


def length_and_precision(rng):
    """The length of a list and the precision at that length."""
    return {"k": rng.choice([5, 10, 20, 30]), "p": rng.choice([0.002, 0.01, 0.05, 0.1, 0.2])}


def low_precision(rng):
    """The same where one group of lists is enough."""
    return {"k": rng.choice([5, 10]), "p": rng.randint(10, 60) / 10_000}


N = "n_categories=len({c for i in categories for c in categories[i]})"
PAIRS = (
    "[distance.get((a, b), distance.get((b, a))) "
    "for a in recommended for b in recommended if a != b]"
)
DILAD = "dilad(recommended, relevant, distance, beta={}, distance='given')"

spec = Exercise(
    "11",
    "Diversity that counts: DCC, FDCC, DILAD",
    [
        Question(
            "coverage",
            f"category_coverage(recommended, categories, {N})",
            without_alpha,
            title="category coverage",
            asks="Which share of all the categories do the recommended items cover?",
            marks=1,
            wrongs=[
                Wrong(
                    "with-repetition",
                    "a count in which a category counts as often as it occurs",
                    "sum([len(categories[i]) for i in recommended]) / "
                    "len({c for i in categories for c in categories[i]})",
                    "Coverage counts each category once: a union.",
                ),
            ],
            jointly=True,
            hints=["A union over the recommended items, over a union over all items."],
        ),
        Question(
            "ilad",
            "ilad(recommended, distance, distance='given')",
            list_and_distances,
            title="ILAD",
            asks="What is ILAD of the recommended items, the mean distance over all pairs of them?",
            marks=1,
            mistakes=[
                "ild-of-similarity",
                "ild-over-n-squared",
                "ild-pairs-counted-once",
                "ild-over-items",
            ],
            wrongs=[
                Wrong(
                    "farthest-pair",
                    "the distance of the two items that are farthest apart",
                    f"max({PAIRS})",
                    "Take the mean over all pairs.",
                ),
            ],
            jointly=True,
            hints=["The mean distance over all pairs of the list."],
        ),
        Question(
            "dcc",
            f"dcc(recommended, relevant, categories, alpha=alpha, {N})",
            recommendation,
            title="DCC",
            edges=[
                {
                    "recommended": ["i1", "i2"],
                    "relevant": {"i1"},
                    "categories": {"i1": {"rock"}, "i2": {"rock"}},
                    "alpha": 1.0,
                },
            ],
            asks="What is DCC of the recommended items? All categories of the items count, and a "
            "category that hits and misses share counts on both sides.",
            mistakes=["dcc-hits-by-category", "dcc-alpha-on-the-effective"],
            jointly=True,
            wrongs=[
                Wrong(
                    "both-sides-once",
                    "a DCC in which a category of both sides counts once",
                    f"dcc(recommended, relevant, categories, alpha=alpha, {N}, overlap='once')",
                    "As defined, a category of a hit and of an ineffective item counts on both "
                    "sides: 1 and alpha.",
                ),
            ],
            hints=[
                "Split the list in hits (relevant) and the rest.",
                "Categories of the hits count 1 each, those of the rest alpha each.",
            ],
        ),
        Question(
            "fdcc",
            f"fdcc(recommended, relevant, categories, alpha=alpha, {N})",
            recommendation,
            title="FDCC",
            asks="What is FDCC of the recommended items, with logarithms to base 2? All "
            "categories of the items count, and a category that hits and misses share "
            "counts on both sides.",
            edges=[
                {  # the first item is a miss, and alone in its category
                    "recommended": ["i3", "i1"],
                    "relevant": {"i1"},
                    "categories": {"i1": {"rock"}, "i3": {"folk"}},
                    "alpha": 0.1,
                },
            ],
            wrongs=[
                Wrong(
                    "dcc",
                    "DCC, without the weight of a frequent category",
                    f"dcc(recommended, relevant, categories, alpha=alpha, {N})",
                    "A category of the hits that 3 or more relevant items have weighs more than 1.",
                ),
                Wrong(
                    "natural-logarithm",
                    "weights by another logarithm, to base e",
                    f"fdcc(recommended, relevant, categories, alpha=alpha, {N}, "
                    "base=2.718281828459045)",
                    "The base is 2.",
                ),
            ],
            hints=[
                "The frequency of a category: how many relevant items have it, in the list or not.",
                "A frequency below 2 weighs 1, any other its logarithm to base 2.",
            ],
        ),
        Question(
            "dilad",
            DILAD.format("beta"),
            distances,
            title="DILAD",
            asks="What is DILAD of the recommended items, in which a pair counts beta for each "
            "item that is not relevant?",
            mistakes=["dilad-beta-once"],
            jointly=True,
            wrongs=[
                Wrong(
                    "undiscounted",
                    "ILAD, in which every pair counts in full",
                    DILAD.format("1"),
                    "Each item of a pair that is not effective brings a factor beta.",
                ),
                Wrong(
                    "pairs-counted-once",
                    "each pair counted once, but divided by n(n-1)",
                    DILAD.format("beta") + " / 2",
                    "n items have n(n-1)/2 pairs.",
                ),
                Wrong(
                    "effective-pairs-only",
                    "a sum over the pairs of effective items alone",
                    DILAD.format("0"),
                    "The other pairs count too, discounted.",
                ),
            ],
            hints=[
                "The weight of a pair is the product of its items' weights, 1 or beta.",
                "Divide by the number of pairs of the list.",
            ],
        ),
        Question(
            "ilmd",
            "ilmd(recommended, distance, distance='given')",
            list_and_distances,
            title="ILMD",
            asks="What is ILMD of the recommended items, the mean over the items of the distance "
            "to the nearest other one?",
            marks=1,
            edges=[
                {
                    "recommended": ["a", "b", "c"],
                    "distance": {("a", "b"): 0.125, ("c", "a"): 0.75, ("b", "c"): 0.5},
                },
            ],
            wrongs=[
                Wrong(
                    "smallest-of-all",
                    "the distance of the two items that are nearest to each other",
                    f"min({PAIRS})",
                    "Each item has a nearest other item. Take the mean of these distances.",
                ),
                Wrong(
                    "average",
                    "ILAD, the mean over all pairs",
                    "ilad(recommended, distance, distance='given')",
                    "Of each item only the distance to its nearest other item counts.",
                ),
            ],
            jointly=True,
            hints=["For each item the smallest distance to another one, then the mean of these."],
            bonus=True,
        ),
        Question(
            "by_hand",
            f"[dcc(recommended, relevant, categories, alpha=alpha, {N}), "
            f"fdcc(recommended, relevant, categories, alpha=alpha, {N})]",
            recommendation,
            kind="value",
            title="two values of one list",
            asks="Two numbers describe how diverse this list is. FDCC takes logarithms to base 2. "
            "In both a category that hits and misses share counts on both sides.",
            parts=["DCC", "FDCC"],
            marks=1,
            line="value",
            mistakes=[
                "dcc-hits-by-category",
                "dcc-alpha-on-the-effective",
            ],
            hints=["DCC first."],
            tolerance=0.0006,
            bonus=True,
        ),
        Question(
            "smallest_n",
            "tune_alpha(k, p).n_tau",
            length_and_precision,
            title="how many hits to plan for",
            bonus=True,
            asks="The number of hits among k items is binomial with the precision p. What is the "
            "smallest n, at least 1, for which the probability of at most n hits is at least 0.99?",
            marks=2,
            jointly=True,
            tries=8,
            wrongs=[
                Wrong(
                    "one-too-many",
                    "one group more than is needed",
                    "tune_alpha(k, p).n_tau + 1",
                    "Take the first n at which the sum reaches tau; groups begin with 0.",
                ),
                Wrong(
                    "none-at-all",
                    "a number of groups that may be 0",
                    "tune_alpha(k, p).n_tau if (1 - p) ** k < 0.99 else 0",
                    "n is at least 1, even if P(0) alone is already 0.99.",
                ),
                Wrong(
                    "a-lower-tau",
                    "a share of 0.9 in place of 0.99",
                    "tune_alpha(k, p, tau=0.9).n_tau",
                    "Add the probabilities up until 0.99 is reached.",
                ),
            ],
            hints=[
                "The probability of n hits among k is math.comb(k, n) * p**n * (1-p)**(k-n).",
                "Add up from n = 0 until the sum is at least 0.99.",
            ],
        ),
        Question(
            "largest_alpha",
            "float(tune_alpha(k, p).alpha)",
            low_precision,
            title="the ideal alpha",
            bonus=True,
            asks="The number of hits among k items is binomial with the precision p. A list "
            "without hits scores k alpha, a list with one hit 1 + (k - 1) alpha. What is the "
            "largest alpha for which lists without hits contribute no more to the expected score "
            "than lists with one hit do, each with its probability?",
            wrongs=[
                Wrong(
                    "p-alone",
                    "p, the precision itself",
                    "p",
                    "Compare what the two groups contribute: P(0) k alpha against "
                    "P(1) (1 + alpha (k-1)).",
                ),
                Wrong(
                    "group-0-as-one-item",
                    "a condition in which the list without hits counts one item",
                    "k * p / (1 - p - (k - 1) * k * p)",
                    "A list without hits has k ineffective items, alpha each.",
                ),
            ],
            tolerance=1e-7,
            hints=[
                "Group 0 contributes (1-p)^k k alpha, group 1 k p (1-p)^(k-1) (1 + alpha (k-1)).",
                "Set them equal and solve for alpha; almost all cancels.",
            ],
        ),
        Question(
            "largest_beta",
            "tune_beta(k, p).beta",
            low_precision,
            title="the ideal beta",
            bonus=True,
            asks="A list of k items has the precision p. A pair counts 1 with two hits, beta with "
            "one and beta squared with none. What is the largest beta for which, of lists with 0, "
            "1 and 2 hits, more hits always contribute more?",
            edges=[{"k": 6, "p": 0.0053}],
            wrongs=[
                Wrong(
                    "alpha",
                    "the ideal alpha of DCC",
                    "float(tune_alpha(k, p).alpha)",
                    "DILAD counts pairs: n hits make n(n-1)/2 pairs of weight 1.",
                ),
                Wrong(
                    "one-hit-over-none",
                    "the condition on lists with one hit and with none alone",
                    "2 * p / (1 - p)",
                    "Lists with two hits have to contribute more than those with one, too.",
                ),
            ],
            tolerance=1e-6,
            hints=[
                "Lists with n hits contribute P(n) times the sum of the weights of their pairs.",
                "Does a beta meet all conditions? It does from 0 to the answer, 0 left out.",
                "So halve the interval of the answer again and again.",
            ],
        ),
    ],
    [
        ByHand(
            "offline",
            "Criticise an offline comparison",
            [
                Criterion(
                    "time",
                    1,
                    "A random split lets the model learn from purchases that came after those it "
                    "predicts. Remedy: split by time. Half a point for 'leak' without what leaks.",
                ),
                Criterion(
                    "tuning",
                    1,
                    "Only the own model was tuned, and on the test purchases. Remedy: tune both, "
                    "on a third part of the data.",
                ),
                Criterion(
                    "diversity",
                    1,
                    "ILAD ignores relevance: random lists have a high one. Remedy: DCC, FDCC or "
                    "DILAD, and accuracy beside it.",
                ),
                Criterion(
                    "uncertainty",
                    1,
                    "No interval or test over users, or 100 sampled items instead of all, which "
                    "can turn the order of models round. One of these is enough.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import math
from itertools import combinations

from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. Category coverage
#
# The share of all categories (of all items in `categories`) that the recommended items have.


# %% tags=["coverage"]
def coverage(recommended, categories):
    """The share of all categories that the recommended items have."""
    ### BEGIN SOLUTION
    everything = set().union(*categories.values())
    return len(set().union(*(categories[i] for i in recommended))) / len(everything)
    ### END SOLUTION


# %% tags=["check"]
check("coverage", coverage)

# %% [markdown]
# ## 2. ILAD
#
# The mean distance over the pairs of the list. `distance` holds each pair once, in one order or the
# other.


# %% tags=["ilad"]
def ilad(recommended, distance):
    """The intra-list average distance."""
    ### BEGIN SOLUTION
    pairs = list(combinations(recommended, 2))
    return sum(distance.get((a, b), distance.get((b, a))) for a, b in pairs) / len(pairs)
    ### END SOLUTION


# %% tags=["check"]
check("ilad", ilad)

# %% [markdown]
# ## 3. DCC
#
# The categories of the effective items count 1 each, those of the others $\alpha$ each; a
# category that is on both sides counts on both. Divide the sum by the number of all categories.


# %% tags=["dcc"]
def dcc(recommended, relevant, categories, alpha):
    """Discounted category coverage."""
    ### BEGIN SOLUTION
    everything = set().union(*categories.values())
    hits = set().union(*(categories[i] for i in recommended if i in relevant))
    others = set().union(*(categories[i] for i in recommended if i not in relevant))
    return (len(hits) + alpha * len(others)) / len(everything)
    ### END SOLUTION


# %% tags=["check"]
check("dcc", dcc)

# %% [markdown]
# ## 4. FDCC
#
# As DCC, but a category of the effective items counts by its **frequency** $f$, the number of
# relevant items that have it: 1 if $f < 2$, otherwise $\log_2 f$.


# %% tags=["fdcc"]
def fdcc(recommended, relevant, categories, alpha):
    """Frequency-aware discounted category coverage."""
    ### BEGIN SOLUTION
    everything = set().union(*categories.values())
    hits = set().union(*(categories[i] for i in recommended if i in relevant))
    others = set().union(*(categories[i] for i in recommended if i not in relevant))
    frequency = [sum(c in categories[i] for i in relevant) for c in hits]
    weights = [1 if f < 2 else math.log2(f) for f in frequency]
    return (sum(weights) + alpha * len(others)) / len(everything)
    ### END SOLUTION


# %% tags=["check"]
check("fdcc", fdcc)

# %% [markdown]
# ## 5. DILAD
#
# The mean distance over the pairs of the list, each multiplied by $\beta$ for each of its items
# that is not effective. `distance` holds each pair once, in one order or the other.


# %% tags=["dilad"]
def dilad(recommended, relevant, distance, beta):
    """The discounted intra-list average distance."""
    ### BEGIN SOLUTION
    pairs = list(combinations(recommended, 2))
    total = 0.0
    for a, b in pairs:
        apart = distance[a, b] if (a, b) in distance else distance[b, a]
        total += apart * beta ** ((a not in relevant) + (b not in relevant))
    return total / len(pairs)
    ### END SOLUTION


# %% tags=["check"]
check("dilad", dilad)

# %% [markdown]
# ## 6. Criticise an offline comparison
#
# Your teacher marks this answer. A company writes:
#
# > Of each user's purchases we drew 80 % at random for training. The rest is the test. For each
# > test item we ranked it among 100 items drawn at random. We tried 60 settings of our model, and
# > report the best on the test. LightGCN has its default settings. Our recall@10 is 0.412,
# > LightGCN's is 0.405. Our ILAD is higher by 0.15, so our lists are also more diverse and useful.
#
# Name four flaws. Say for each what the company should do instead.

# %% [markdown] tags=["offline"]
# **Four flaws and their remedies:**
#
# ### BEGIN SOLUTION
# **The split ignores time.** A purchase of May can be in the training data while one of March is
# to be predicted. Split by date: train on what came before.
#
# **Only one model was tuned, on the test data.** The best of 60 settings is partly luck. Tune both
# models on a validation set, then test once.
#
# **ILAD does not ask what users want.** Lists drawn at random have a high ILAD. Use DILAD or DCC,
# in which misses count little, and report the precision.
#
# **0.412 against 0.405 has no interval.** Over the users this may be chance: use a paired test.
# (Also right: 100 sampled items are an easier task, and the order of two models can change when
# they rank all items.)
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total. The last three belong to the appendix of the notebook.

# %% [markdown]
# ### 7. ILMD
#
# For each item take the distance to its nearest other item of the list, and average these.


# %% tags=["ilmd"]
def ilmd(recommended, distance):
    """The intra-list minimal distance."""

    ### BEGIN SOLUTION
    def between(a, b):
        return distance[a, b] if (a, b) in distance else distance[b, a]

    nearest = [min(between(a, b) for b in recommended if b != a) for a in recommended]
    return sum(nearest) / len(nearest)
    ### END SOLUTION


# %% tags=["check"]
check("ilmd", ilmd)

# %% [markdown]
# ### 8. Two values of one list
#
# Give DCC and FDCC of this list, to three decimals.

# %%
recommended, relevant, categories, alpha = spec.given("by_hand")

# %% tags=["by_hand"]
### BEGIN SOLUTION
by_hand = [f(recommended, relevant, categories, alpha) for f in (dcc, fdcc)]
### END SOLUTION

# %% tags=["check"]
check("by_hand", by_hand)

# %% [markdown]
# ### 9. Appendix: how many hits to plan for
#
# A list of $k$ items, each a hit with probability $p$, has $n$ hits with the binomial probability
# $\binom{k}{n} p^n (1-p)^{k-n}$. Return the smallest $n$ such that lists with at most $n$ hits
# make up at least 0.99 of all, but never less than 1.


# %% tags=["smallest_n"]
def smallest_n(k, p):
    """The smallest n such that at most n hits have probability 0.99 or more; at least 1."""
    ### BEGIN SOLUTION
    n, total = 0, (1 - p) ** k
    while total < 0.99 or n < 1:
        n += 1
        total += math.comb(k, n) * p**n * (1 - p) ** (k - n)
    return n
    ### END SOLUTION


# %% tags=["check"]
check("smallest_n", smallest_n)

# %% [markdown]
# ### 10. Appendix: the ideal alpha
#
# Let that $n$ be 1. A list with $n$ hits is worth $n + \alpha(k-n)$. Return the $\alpha$ up to
# which the lists with one hit contribute more (probability times worth) than those without any.


# %% tags=["largest_alpha"]
def largest_alpha(k, p):
    """The alpha at which lists with one hit and with none contribute the same."""
    ### BEGIN SOLUTION
    return p / (1 - k * p)
    ### END SOLUTION


# %% tags=["check"]
check("largest_alpha", largest_alpha)

# %% [markdown]
# ### 11. Appendix: the ideal beta
#
# For DILAD pairs count: 1 with two hits, $\beta$ with one, $\beta^2$ with none. So a list with $n$
# hits is worth $\binom n2 + \beta\,n(k-n) + \beta^2\binom{k-n}2$. Take the lists with 0, 1 and 2
# hits. Return the largest $\beta$ for which more hits always contribute more.


# %% tags=["largest_beta"]
def largest_beta(k, p):
    """The beta up to which lists with more hits contribute more, for 0, 1 and 2 hits."""

    ### BEGIN SOLUTION
    def meets_all(beta):
        parts = [
            math.comb(k, n) * p**n * (1 - p) ** (k - n)
            * (math.comb(n, 2) + beta * n * (k - n) + beta**2 * math.comb(k - n, 2))
            for n in (0, 1, 2)
        ]  # fmt: skip
        return parts[0] < parts[1] < parts[2]

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if meets_all(middle) else (low, middle)
    return low
    ### END SOLUTION


# %% tags=["check"]
check("largest_beta", largest_beta)
