# %% [markdown]
# # Exercise 12. Pair accuracy and AdaRank's weights
#
# A pairwise learner counts pairs, a listwise one looks at whole rankings. You count pairs, by
# document and by query, and do one round of AdaRank (Xu and Li, 2007) by hand.
#
# **Needs.** Notebook 12, exercise 4. **Time.** 45 minutes. **Marks.** 12. **Bonus.** 2.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def some_grades(rng):
    """Grades of a ranking, best rank first, some of them equal."""
    return {"grades": [rng.choice([0, 1, 2, 3]) for _ in range(rng.randint(4, 7))]}


def pairs_by_query(rng):
    """Numbers of pairs ranked right and wrong, by query: one query has many."""
    counts = {f"q{i}": (rng.randint(1, 9), rng.randint(1, 9)) for i in range(1, rng.randint(3, 5))}
    counts["q0"] = (rng.randint(50, 300), rng.randint(1, 40))
    return {"counts": counts}


def rankings(rng):
    """The grades of some queries' documents, in the order of a weak ranker."""
    made = {}
    for i in range(1, rng.randint(3, 5)):
        grades = [0, 1, 2, 3, rng.choice([0, 1, 2])]
        rng.shuffle(grades)
        made[f"q{i}"] = grades
    return {"rankings": made}


ROUND = "adarank(from_rankings(rankings), ndcg, rounds=1).working['round 1']"
E = "[ndcg(g) for g in rankings.values()]"
EULER = "2.718281828459045"

spec = Exercise(
    "12",
    "Pair accuracy and AdaRank's weights",
    [
        Question(
            "labels",
            "[(a > b) - (a < b) for i, a in enumerate(grades) for b in grades[i + 1:]]",
            some_grades,
            title="the labels of the pairs",
            asks="What is the label of each pair of documents: 1 if the first of the two has the "
            "higher grade, -1 if it has the lower one, else 0? The pairs are the first "
            "document with each one below it, then the second one with each below it, and "
            "so on.",
            marks=1,
            line="pair",
            wrongs=[
                Wrong(
                    "turned-round",
                    "labels with the sign changed",
                    "[(a < b) - (a > b) for i, a in enumerate(grades) for b in grades[i + 1:]]",
                    "The label is 1 if the first document of the pair has the higher grade.",
                ),
                Wrong(
                    "without-ties",
                    "labels of 1 and -1 only",
                    "[1 if a > b else -1 for i, a in enumerate(grades) for b in grades[i + 1:]]",
                    "Two documents of the same grade have the label 0.",
                ),
            ],
            hints=["Two loops: each document against each one below it."],
        ),
        Question(
            "pair_accuracy",
            "pair_accuracy(grades)",
            some_grades,
            title="pair accuracy",
            asks="What is the pair accuracy of the grades, the best rank first?",
            edges=[{"grades": [2, 2, 2]}, {"grades": [1]}],
            jointly=True,
            wrongs=[
                Wrong(
                    "share-of-wrong-pairs",
                    "the share of pairs in the wrong order",
                    "1 - pair_accuracy(grades)",
                    "A pair is right if the better document is ranked above the other.",
                ),
                Wrong(
                    "kendall",
                    "right pairs less wrong ones, over all (Kendall's tau)",
                    "2 * pair_accuracy(grades) - 1",
                    "Count the right pairs only, over all pairs with different grades.",
                ),
                Wrong(
                    "equal-grades-in-the-divisor",
                    "right pairs over all pairs, those of equal grades too",
                    "sum([1 for i in range(len(grades)) for j in range(i) "
                    "if grades[j] > grades[i]]) / (len(grades) * (len(grades) - 1) / 2)",
                    "Two documents of the same grade make no pair.",
                ),
            ],
            hints=[
                "Two loops: each document against each one below it.",
                "Skip pairs of equal grades, also in the denominator.",
            ],
        ),
        Question(
            "by_document",
            "float(pair_accuracy_table(counts).by_document)",
            pairs_by_query,
            edges=[{"counts": {"q1": (1, 3), "q2": (1, 3), "q3": (2, 2)}}],
            title="pair accuracy by document",
            asks="For each query this gives how many pairs are ranked right and how many wrong. "
            "What is the pair accuracy by document, the share of right pairs among all pairs?",
            marks=1,
            wrongs=[
                Wrong(
                    "by-query",
                    "pair accuracy by query, the mean of each query's share",
                    "float(pair_accuracy_table(counts).by_query)",
                    "By document all pairs go into one pool, whatever their query.",
                ),
                Wrong(
                    "ratio-of-counts",
                    "right pairs over wrong pairs",
                    "sum([r for r, w in counts.values()]) / sum([w for r, w in counts.values()])",
                    "Divide by the number of all pairs.",
                ),
            ],
            hints=["Add up right and wrong pairs of all queries, then divide once."],
        ),
        Question(
            "by_query",
            "float(pair_accuracy_table(counts).by_query)",
            pairs_by_query,
            edges=[{"counts": {"q1": (1, 3), "q2": (1, 3), "q3": (2, 2)}}],
            title="pair accuracy by query",
            asks="For each query this gives how many pairs are ranked right and how many wrong. "
            "What is the pair accuracy by query, the mean of the queries' shares of right pairs?",
            marks=1,
            wrongs=[
                Wrong(
                    "ratio-of-means",
                    "the ratio of means in place of the mean of ratios: queries added up before "
                    "dividing",
                    "float(pair_accuracy_table(counts).by_document)",
                    "Take each query's share first, then their mean.",
                ),
            ],
            hints=["One share for each query, then the mean of the shares."],
        ),
        Question(
            "alpha",
            f"{ROUND}.value",
            rankings,
            title="the weight of a weak ranker",
            asks="A weak ranker orders the documents of each query, which have these grades. "
            "AdaRank starts with equal weights and uses nDCG of whole rankings (the gain is "
            "the grade, the discount 1/log2(i+1)). What is the weight alpha of this "
            "ranker: half the natural logarithm of the weighted mean of 1 + nDCG over that "
            "of 1 - nDCG?",
            edges=[  # two queries of one score count twice, and no rank is cut off
                {"rankings": {"q1": [0, 3, 1], "q2": [0, 3, 1], "q3": [0, 0, 2]}},
                {"rankings": {"q1": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "q2": [0, 1]}},
            ],
            wrongs=[
                Wrong(
                    "without-the-half",
                    "a weight without the factor 1/2",
                    f"{ROUND}.value * 2",
                    "alpha is half the logarithm.",
                ),
                Wrong(
                    "upside-down",
                    "the logarithm of the inverse ratio",
                    f"-{ROUND}.value",
                    "A good ranker has a weight above 0: 1 + E is in the numerator.",
                ),
                Wrong(
                    "mean-e",
                    "the mean of E itself",
                    f"sum({E}) / len(rankings)",
                    "Half the logarithm of the sum of P (1 + E) over that of P (1 - E).",
                ),
            ],
            hints=[
                "First E, the nDCG of each query's list of grades.",
                "In the first round P is 1/n for each query, and n cancels.",
            ],
        ),
        Question(
            "next_weights",
            f'{ROUND}["P\'"]',
            rankings,
            title="the weights of the queries",
            asks="A weak ranker orders the documents of each query, which have these grades. "
            "AdaRank starts with equal weights and uses nDCG of whole rankings (the gain is the "
            "grade, the discount 1/log2(i+1)). What are the weights of the queries after the "
            "first round?",
            line="query",
            wrongs=[
                Wrong(
                    "uniform",
                    "the weights of the first round",
                    f"{ROUND}['P']",
                    "After the round a query that is ranked badly weighs more.",
                ),
                Wrong(
                    "by-1-minus-e",
                    "weights proportional to 1 - E",
                    f"[(1 - e) / (len(rankings) - sum({E})) for e in {E}]",
                    "The weights are proportional to exp(-E).",
                ),
                Wrong(
                    "sign-turned",
                    "weights proportional to exp(E)",
                    f"[{EULER} ** e / sum([{EULER} ** x for x in {E}]) for e in {E}]",
                    "A query that is ranked well weighs less: take exp(-E).",
                ),
            ],
            hints=[
                "exp(-E) for each query, over the sum of them all.",
                "With one weak ranker the documents stand in its order, so E is that of alpha.",
            ],
        ),
        Question(
            "round_by_hand",
            f'[{ROUND}.value, {ROUND}["P\'"][0]]',
            rankings,
            kind="value",
            title="a round by hand",
            asks="A weak ranker orders the documents of each query, which have these grades. "
            "AdaRank starts with equal weights and uses nDCG of whole rankings (the gain is "
            "the grade, the discount 1/log2(i+1)). The weight alpha is half the natural "
            "logarithm of the weighted mean of 1 + nDCG over that of 1 - nDCG.",
            parts=[
                "the weight alpha of this ranker",
                "the weight of query q1 after the first round",
            ],
            line="value",
            hints=["First alpha, then the new weight of q1."],
            tolerance=0.0006,
            bonus=True,
        ),
    ],
    [
        ByHand(
            "leak",
            "Find the flaws",
            [
                Criterion(
                    "rows",
                    1,
                    "Rows of one query are in both parts, so the learner has seen the query's "
                    "clicks or features. Remedy: split by query. No point for 'the test set is "
                    "too small'.",
                ),
                Criterion(
                    "chosen on the test",
                    1,
                    "The best of eight learners and 20 settings was taken on the test part, so "
                    "its score is probably too high. Remedy: a third part, or cross-validation "
                    "within the training part.",
                ),
                Criterion(
                    "loss and goal",
                    1,
                    "The learner with the lowest pair loss need not have the best nDCG@10: long "
                    "queries have most pairs. Remedy: choose by nDCG@10.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import math

from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. The labels of the pairs
#
# A pairwise learner gives each pair of documents a label: 1 if the first one has the higher grade,
# -1 if the second one has it, and 0 if the grades are equal. `grades` is a ranking, the best rank
# first. Return a list: the pairs of the first document with each one below it, then those of the
# second one, and so on.


# %% tags=["labels"]
def labels(grades):
    """The label of each pair: 1, 0 or -1."""
    ### BEGIN SOLUTION
    return [(a > b) - (a < b) for i, a in enumerate(grades) for b in grades[i + 1 :]]
    ### END SOLUTION


# %% tags=["check"]
check("labels", labels)

# %% [markdown]
# ## 2. Pair accuracy
#
# The share of pairs of documents that are in the order of their grades. Documents of equal grade
# are not a pair. A ranking without any pair has accuracy 0.


# %% tags=["pair_accuracy"]
def pair_accuracy(grades):
    """The share of pairs whose better document stands above."""
    ### BEGIN SOLUTION
    pairs = [(a, b) for i, a in enumerate(grades) for b in grades[i + 1 :] if a != b]
    return sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0
    ### END SOLUTION


# %% tags=["check"]
check("pair_accuracy", pair_accuracy)

# %% [markdown]
# ## 3. By document
#
# `counts` maps each query to its number of pairs ranked right and wrong. By document, all pairs
# are in one pool.


# %% tags=["by_document"]
def by_document(counts):
    """The share of right pairs among the pairs of all queries."""
    ### BEGIN SOLUTION
    return sum(r for r, _ in counts.values()) / sum(r + w for r, w in counts.values())
    ### END SOLUTION


# %% tags=["check"]
check("by_document", by_document)

# %% [markdown]
# ## 4. By query
#
# By query, each query counts alike, however many pairs it has.


# %% tags=["by_query"]
def by_query(counts):
    """The mean of the queries' shares of right pairs."""
    ### BEGIN SOLUTION
    return sum(r / (r + w) for r, w in counts.values()) / len(counts)
    ### END SOLUTION


# %% tags=["check"]
check("by_query", by_query)

# %% [markdown]
# ## 5. The weight of a weak ranker
#
# `rankings` maps each query to the grades of its documents in the order of a weak ranker. $E_i$
# is the nDCG of query $i$ (gain: the grade; discount: $1/\log_2(i+1)$; no cut). In the first round
# $P(i) = 1/n$ for each of the $n$ queries, and
#
# $$\alpha = \frac12 \ln \frac{\sum_i P(i)\,(1+E_i)}{\sum_i P(i)\,(1-E_i)}$$


# %% tags=["alpha"]
def alpha(rankings):
    """AdaRank's weight of a weak ranker in the first round."""
    ### BEGIN SOLUTION
    scores = [ndcg(grades) for grades in rankings.values()]
    return math.log(sum(1 + e for e in scores) / sum(1 - e for e in scores)) / 2


def ndcg(grades):
    """The nDCG of a list of grades."""
    ideal = sorted(grades, reverse=True)
    found, best = (
        sum(g / math.log2(i + 1) for i, g in enumerate(values, start=1))
        for values in (grades, ideal)
    )
    return found / best
    ### END SOLUTION


# %% tags=["check"]
check("alpha", alpha)

# %% [markdown]
# ## 6. The weights of the queries
#
# After the round the queries weigh $P'(i) = e^{-E_i} / \sum_j e^{-E_j}$. Return the list of
# weights, in the order of `rankings`.


# %% tags=["next_weights"]
def next_weights(rankings):
    """The weights of the queries in the second round."""
    ### BEGIN SOLUTION
    weights = [math.exp(-ndcg(grades)) for grades in rankings.values()]
    return [w / sum(weights) for w in weights]
    ### END SOLUTION


# %% tags=["check"]
check("next_weights", next_weights)

# %% [markdown]
# ## 7. Find the flaws
#
# Your teacher marks this answer. A team writes:
#
# > We have 100,000 rows, one for each query and document. We shuffled the rows: 80 % for training,
# > 20 % for the test. We tried eight learners with 20 settings each, and took the one with the
# > lowest pair loss on the test part. Its nDCG@10 on the test part is 0.81. Our old ranker has
# > 0.74.
#
# Name three flaws, and say for each what the team should do instead.

# %% [markdown] tags=["leak"]
# **Three flaws and their remedies:**
#
# ### BEGIN SOLUTION
# **The rows were shuffled, not the queries.** Documents of one query are in both parts. A learner
# can profit from this, and the test rankings have only a fifth of their documents. Split by query.
#
# **It was chosen and reported on the same part.** The best of 160 tries is partly luck. Choose on a
# validation part, and use the test part once.
#
# **The pair loss is not the goal.** Queries with many documents have most of the pairs, and pairs
# far down count like pairs at the top. If nDCG@10 is what users see, choose by nDCG@10. Then test
# the difference to the old ranker, query by query.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 8. A round by hand
#
# Give alpha and the new weight of the first query, to three decimals.

# %%
rankings = spec.given("round_by_hand")

# %% tags=["round_by_hand"]
### BEGIN SOLUTION
round_by_hand = [alpha(rankings), next_weights(rankings)[0]]
### END SOLUTION

# %% tags=["check"]
check("round_by_hand", round_by_hand)
