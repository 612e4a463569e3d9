# %% [markdown]
# # Exercise 19. Gradients of pairs, and a leaf of LambdaMART
#
# You compute the gradients of RankNet and of LambdaRank, and what a leaf of LambdaMART adds to a
# score. Then you choose a learner. nDCG has the grade as gain and $1/\log_2(i+1)$ as discount.
# Write your own code, without the functions of the package.
#
# **Needs.** Notebook 19, exercise 4. **Time.** 35 minutes. **Marks.** 9.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def some_scores(rng):
    """Scores that differ, and grades with at least one pair, of the documents of one query."""
    n = rng.randint(4, 6)
    scores = [s / 2 for s in rng.sample(range(-6, 7), n)]
    grades = [rng.choice([0, 1, 2, 3]) for _ in range(n - 2)] + [0, 3]
    rng.shuffle(grades)
    return {"scores": scores, "grades": grades}


def a_leaf(rng):
    """Lambdas and curvatures of the documents of a leaf."""
    n = rng.randint(2, 5)
    return {
        "lambdas": [rng.choice([-0.4, -0.2, 0.1, 0.3, 0.5]) for _ in range(n - 1)] + [0.7],
        "curvatures": [rng.randint(1, 20) / 40 for _ in range(n)],
    }


GRADIENT = "[float(x) for x in lambda_gradients(scores, grades{})]"

spec = Exercise(
    "19",
    "Gradients of pairs, and a leaf of LambdaMART",
    [
        Question(
            "ranknet",
            GRADIENT.format(", None"),
            some_scores,
            title="the gradients of RankNet",
            asks="A ranker gives the documents of a query these scores. What is RankNet's "
            "gradient of each document? Its sign is that of the push: a positive one raises "
            "the document's score.",
            line="document",
            wrongs=[
                Wrong(
                    "upside-down",
                    "the slope of the loss, which is minus the gradient as it is meant here",
                    "[-float(x) for x in lambda_gradients(scores, grades, None)]",
                    "Above 0 moves the document up: the better document of a pair gets +.",
                ),
                Wrong(
                    "weighed-by-ndcg",
                    "LambdaRank's gradients",
                    GRADIENT.format(""),
                    "In RankNet every pair weighs 1.",
                ),
                Wrong(
                    "counts-of-pairs",
                    "one for each pair, whatever the margin",
                    "[2 * float(x) for x in lambda_gradients([0 for s in scores], grades, None)]",
                    "Multiply by the probability that the pair is wrong, 1 / (1 + e^margin).",
                ),
                Wrong(
                    "margin-upside-down",
                    "the probability that the pair is right",
                    "[float(x) for x in lambda_gradients([-s for s in scores], grades, None)]",
                    "If a pair is ranked right by far, its probability of being wrong is near 0.",
                ),
            ],
            hints=[
                "Two loops over the documents; take a pair only if the first grade is higher.",
                "The better document gets + 1 / (1 + e^margin), and the worse one gets - the same.",
            ],
        ),
        Question(
            "lambdarank",
            GRADIENT.format(""),
            some_scores,
            edges=[
                {"scores": [0.5, -1.0], "grades": [3, 1]},
                {"scores": [-1.0, 0.5], "grades": [2, 2]},
            ],
            title="the lambda gradients",
            asks="A ranker gives the documents of a query these scores. What is the lambda "
            "gradient of each document, for nDCG without a cut-off (the gain is the grade, "
            "the discount 1/log2(i+1))? Its sign is that of the push: a positive one raises "
            "the document's score.",
            marks=3,
            line="document",
            wrongs=[
                Wrong(
                    "unweighted",
                    "the gradients of RankNet",
                    GRADIENT.format(", None"),
                    "Multiply each pair's gradient by |delta nDCG|.",
                ),
                Wrong(
                    "dcg-for-ndcg",
                    "the change of DCG in place of that of nDCG",
                    "[float(x) * dcg(sorted(grades, reverse=True)) "
                    "for x in lambda_gradients(scores, grades)]",
                    "Divide the change of DCG by the ideal DCG of the query.",
                ),
                Wrong(
                    "upside-down",
                    "the slope of the loss, which is minus the gradient as it is meant here",
                    "[-float(x) for x in lambda_gradients(scores, grades)]",
                    "Above 0 moves the document up: the better document of a pair gets +.",
                ),
                Wrong(
                    "gain-exp",
                    "nDCG with the gain 2^grade - 1",
                    "[float(x) for x in lambda_gradients(scores, grades, ndcg.using(gain='exp'))]",
                    "Here the gain is the grade itself.",
                ),
            ],
            hints=[
                "First the rank of each document, then the discount of each rank.",
                "|delta nDCG| is |gain difference| times |discount difference| over the ideal DCG.",
            ],
        ),
        Question(
            "leaf_step",
            "0.1 * sum(lambdas) / (1 + sum(curvatures))",
            a_leaf,
            edges=[
                {"lambdas": [-0.4, 0.1], "curvatures": [0.25, 0.25]},
                {"lambdas": [0.3], "curvatures": [0.5]},
            ],
            title="a Newton step",
            asks="The documents of a leaf have these lambda gradients and curvatures. The rate is "
            "0.1 and the constant below the line is 1. What does the leaf add to a score?",
            wrongs=[
                Wrong(
                    "without-rate",
                    "a step without the learning rate",
                    "sum(lambdas) / (1 + sum(curvatures))",
                    "Multiply by the rate, 0.1.",
                ),
                Wrong(
                    "mean-of-lambdas",
                    "0.1 times the mean of the lambda gradients",
                    "0.1 * sum(lambdas) / len(lambdas)",
                    "That is the least-squares leaf. A Newton step divides by the curvatures.",
                ),
                Wrong(
                    "without-constant",
                    "a step without the constant below the line",
                    "0.1 * sum(lambdas) / sum(curvatures)",
                    "Add 1 to the sum of the curvatures.",
                ),
            ],
            hints=["One sum above the line, 1 plus the other sum below it, times 0.1."],
        ),
    ],
    [
        ByHand(
            "choose",
            "Choose a learner",
            [
                Criterion(
                    "choice",
                    1,
                    "Names a learner and gives a reason from the data: a linear learner (such as "
                    "ListNet) for few queries and features that are monotone, or small trees if "
                    "the age of an article is used as it is, because its effect is not monotone. "
                    "'LambdaMART is the newest' or a neural model without a reason earns nothing.",
                ),
                Criterion(
                    "check",
                    1,
                    "Says how to check: held-out queries or cross-validation by query, the number "
                    "of trees or the constant chosen inside the training part, compared with BM25.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import math

from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. RankNet
#
# `scores[i]` and `grades[i]` are those of document $i$. Return the gradient of each document. For
# each pair of documents with different grades, let the margin be the score of the better document
# minus the score of the worse one. The better document gets $1 / (1 + e^{\text{margin}})$, and the
# worse one gets minus the same.


# %% tags=["ranknet"]
def ranknet(scores, grades):
    """RankNet's gradient of each document."""
    ### BEGIN SOLUTION
    return summed(scores, grades)


def summed(scores, grades, weight=None):
    """The sum of each document's gradients, each pair weighed if there is a weight."""
    gradient = [0.0] * len(scores)
    for i in range(len(scores)):
        for j in range(len(scores)):
            if grades[i] > grades[j]:
                force = 1 / (1 + math.exp(scores[i] - scores[j]))
                force *= weight(i, j) if weight else 1
                gradient[i] += force
                gradient[j] -= force
    return gradient
    ### END SOLUTION


# %% tags=["check"]
check("ranknet", ranknet)

# %% [markdown]
# ## 2. LambdaRank
#
# Now multiply the gradient of each pair by $|\Delta\mathrm{nDCG}|$: the change of nDCG if the two
# documents swapped their ranks. No two scores are equal. There is no cut-off.


# %% tags=["lambdarank"]
def lambdarank(scores, grades):
    """The lambda gradient of each document."""
    ### BEGIN SOLUTION
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    discount = {document: 1 / math.log2(rank + 2) for rank, document in enumerate(order)}
    ideal = sum(g / math.log2(r + 2) for r, g in enumerate(sorted(grades, reverse=True)))

    def swap(i, j):
        return abs((grades[i] - grades[j]) * (discount[i] - discount[j])) / ideal

    return summed(scores, grades, swap)
    ### END SOLUTION


# %% tags=["check"]
check("lambdarank", lambdarank)

# %% [markdown]
# ## 3. A leaf of LambdaMART
#
# `lambdas` and `curvatures` are those of the documents of one leaf. The leaf adds a Newton step
# with the rate 0.1 and the constant 1:
#
# $$0.1 \cdot \frac{\sum \lambda_i}{1 + \sum w_i}$$


# %% tags=["leaf_step"]
def leaf_step(lambdas, curvatures):
    """What the leaf adds to the score of each of its documents."""
    ### BEGIN SOLUTION
    return 0.1 * sum(lambdas) / (1 + sum(curvatures))
    ### END SOLUTION


# %% tags=["check"]
check("leaf_step", leaf_step)

# %% [markdown]
# ## 4. Choose a learner
#
# Your teacher marks this answer. A newspaper has judgments for 60 queries, with 30 articles each.
# It has four features of an article: the BM25 scores of title and of body, the number of readers,
# and its age in days. Editors say that articles of the last week are best, those of the last month
# are poor, and those that are older than a year are good again as background.
#
# 1. Choose a learner of this course. Give the reason from these data.
# 2. Say how you check that it is better than BM25 alone.
#
# Write four to eight sentences.

# %% [markdown] tags=["choose"]
# **Your learner with its reason, and how you check it:**
#
# ### BEGIN SOLUTION
# **LambdaMART with few and small trees.** The effect of the age goes down and up again. No weight
# on the age can express that, but two thresholds of a tree can. Sixty queries are few, so I take
# trees of two levels, a small rate, and at least 20 articles in each leaf. The other choice is
# ListNet with three features made from the age (last week, last month, older than a year): these
# enter a weighted sum well, and five or six weights can be learnt from 60 queries.
#
# **The check.** I cut the queries into five parts. Each part is ranked by what was learnt from the
# other four. I choose the number of trees inside the four parts. Then I compare nDCG@10 with BM25,
# query by query, with a test or an interval.
# ### END SOLUTION
