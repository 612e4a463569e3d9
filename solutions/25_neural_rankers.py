# %% [markdown]
# # Exercise 25. MaxSim, the ceiling of a reranker, and one positive
#
# You compute a score of late interaction, how good a reranker can get, and what one positive for
# each query hides. Then you criticise an evaluation.
#
# **Needs.** Notebook 25, exercise 4. **Time.** 35 minutes. **Marks.** 9. **Bonus.** 1.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def similarities(rng):
    """A row for each token of the query, with its similarities to the tokens of the document."""
    columns = rng.randint(3, 4)
    rows = [[rng.randint(-4, 18) / 20 for _ in range(columns)] for _ in range(rng.randint(2, 3))]
    rows[-1][rng.randrange(columns)] = 0.95
    return {"similarity": rows}


def a_ranking_with_one_positive(rng):
    """A ranking of relevance, the rank of the known positive, and relevant ones above it."""
    known = rng.randint(3, 6)
    ranking = [0] * known + [rng.choice([0, 1]) for _ in range(3)]
    ranking[known - 1] = 1
    for rank in rng.sample(range(2, known), rng.randint(1, known - 2)):
        ranking[rank - 1] = 1
    return {"relevance": ranking, "known": known}


def a_first_stage(rng):
    """The first stage's documents with their grades, and the judgments: some are missed."""
    judgments = {f"e{i}": rng.choice([0, 0, 1, 2, 3]) for i in range(rng.choice([8, 11]))}
    judgments |= {"d8": 3, "d9": 2}
    retrieved = rng.sample(sorted(judgments), rng.randint(4, 6))
    return {"retrieved": retrieved, "judgments": judgments}


LONG = [f"d{i}" for i in range(1, 13)]  # more than ten
REACHED = "dcg(sorted([judgments[d] for d in retrieved], reverse=True), k=10)"
IDEAL = "dcg(sorted(judgments.values(), reverse=True), k=10)"

spec = Exercise(
    "25",
    "MaxSim, the ceiling of a reranker, and one positive",
    [
        Question(
            "maxsim",
            "sum([max(row) for row in similarity])",
            similarities,
            edges=[{"similarity": [[-0.05, -0.4], [0.02, -0.1]]}, {"similarity": [[0.125]]}],
            title="MaxSim",
            asks="Each row has the similarities of one token of the query with the tokens of a "
            "document. What is MaxSim?",
            wrongs=[
                Wrong(
                    "all-pairs",
                    "the sum of all similarities",
                    "sum([sum(row) for row in similarity])",
                    "Each token of the query counts its best partner alone.",
                ),
                Wrong(
                    "best-of-columns",
                    "the largest of each column",
                    "sum([max([row[j] for row in similarity]) for j in range(len(similarity[0]))])",
                    "The tokens of the query look for partners, not those of the document.",
                ),
                Wrong(
                    "mean-of-rows",
                    "the mean over the tokens of the query",
                    "sum([max(row) for row in similarity]) / len(similarity)",
                    "MaxSim adds the largest values. It does not divide.",
                ),
                Wrong(
                    "best-pair",
                    "the largest similarity of all",
                    "max([max(row) for row in similarity])",
                    "Add one value for each token of the query.",
                ),
            ],
            hints=["The largest value of each row, added up."],
        ),
        Question(
            "ceiling",
            f"{REACHED} / {IDEAL}",
            a_first_stage,
            title="the ceiling of a reranker",
            edges=[
                {"retrieved": LONG[:2], "judgments": dict.fromkeys(LONG, 1)},
                {"retrieved": LONG, "judgments": dict(zip(LONG, [0, 1] * 6, strict=True))},
                {"retrieved": LONG, "judgments": dict.fromkeys(LONG, 2) | {"d1": 3}},
            ],
            asks="A first stage retrieves these documents. What is the highest nDCG@10 (the gain "
            "is the grade, the discount 1/log2(i+1), the ideal that of all judged "
            "documents) that a reranker of them can reach?",
            mistakes=[
                "log-of-rank",
                "log-of-rank-unguarded",
                "log-of-rank-plus-2",
                "ranks-from-0",
                "discount-by-the-root",
                "gain-without-minus-1",
                "ranking-reversed",
                "cut-off-one-too-low",
                "cut-off-one-too-high",
                "first-document-dropped",
            ],
            wrongs=[
                Wrong(
                    "as-retrieved",
                    "nDCG of the first stage as it is",
                    "ndcg(retrieved, judgments, k=10)",
                    "A perfect reranker sorts the documents by their grades.",
                ),
                Wrong(
                    "ideal-of-the-retrieved",
                    "nDCG of the first stage, with an ideal of the retrieved documents alone",
                    "ndcg(retrieved, judgments, k=10, ideal='retrieved')",
                    "Sort the documents, and let the ideal have all judged documents.",
                ),
                Wrong(
                    "always-perfect",
                    "1, as if a perfect order of what was retrieved were the ideal",
                    "1.0",
                    "The ideal ranking has all judged documents, those that were missed, too.",
                ),
                Wrong(
                    "dcg-not-divided",
                    "the DCG of the best order",
                    REACHED,
                    "Divide by the ideal DCG over all judgments.",
                ),
                Wrong(
                    "recall-of-the-first-stage",
                    "the recall of the first stage",
                    "recall(retrieved, judgments)",
                    "Recall ignores ranks and grades. Compute nDCG of the best order.",
                ),
            ],
            hints=[
                "Sort the retrieved documents by their grades, highest first.",
                "The ideal DCG is over all judgments, cut at 10.",
            ],
        ),
        Question(
            "change_of_rr",
            "1 / (1 + list(relevance).index(1)) - 1 / known",
            a_ranking_with_one_positive,
            title="what RR loses",
            asks="This ranking is judged in full, 1 for relevant. The labels of a benchmark know "
            "only the document at the rank `known`. By how much is RR too low?",
            edges=[
                {"relevance": [1, 1, 0], "known": 1},
                {"relevance": [0, 0, 1, 1], "known": 3},
                {"relevance": [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "known": 12},
            ],
            wrongs=[
                Wrong(
                    "of-full",
                    "RR with all judgments",
                    "1 / (1 + list(relevance).index(1))",
                    "Subtract RR by the one positive.",
                ),
                Wrong(
                    "of-one",
                    "RR by the one positive",
                    "1 / known",
                    "Subtract it from RR with all judgments.",
                ),
                Wrong(
                    "ranks",
                    "one over the difference of the two ranks",
                    "1 / (known - 1 - list(relevance).index(1))",
                    "Take the difference of the two reciprocals.",
                ),
            ],
            hints=["RR is one over the rank of the first relevant document."],
        ),
        Question(
            "hidden",
            "len([g for g in relevance[:known - 1] if g])",
            a_ranking_with_one_positive,
            title="false negatives above the positive",
            asks="This ranking is judged in full, 1 for relevant. The labels of a benchmark know "
            "only the document at the rank `known`. How many false negatives stand above it?",
            marks=1,
            edges=[
                {"relevance": [1, 1, 0], "known": 1},
                {"relevance": [0, 0, 1, 1], "known": 3},
                {"relevance": [1, 1, 1, 1], "known": 4},
            ],
            wrongs=[
                Wrong(
                    "all-above",
                    "all documents above the known positive",
                    "known - 1",
                    "A false negative is relevant. Leave out the documents that are not.",
                ),
                Wrong(
                    "with-the-positive",
                    "the relevant documents down to the known positive",
                    "len([g for g in relevance[:known] if g])",
                    "The known positive is no false negative.",
                ),
                Wrong(
                    "all-relevant",
                    "all relevant documents but the known one",
                    "len([g for g in relevance if g]) - 1",
                    "Count only the documents above the known positive.",
                ),
            ],
            hints=["relevance[: known - 1] are the documents above it."],
            bonus=True,
        ),
    ],
    [
        ByHand(
            "criticise",
            "Criticise this evaluation",
            [
                Criterion(
                    "first_stage",
                    1,
                    "The two rerankers have different first stages (BM25's 100 and the dense "
                    "engine's 1,000). The rise may come from the first stage: the ceilings differ. "
                    "Remedy: the same candidates for both, and recall of the first stage.",
                ),
                Criterion(
                    "leak",
                    1,
                    "The split is by pairs of query and document, so documents of one query are in "
                    "training and test. Remedy: split by query.",
                ),
                Criterion(
                    "judgments",
                    1,
                    "The judgments are clicks on the old engine's order: position bias, and no "
                    "clicks for what was never shown. Remedy: judge both top 10, or correct the "
                    "clicks. Naming the significance test or the number of queries alone earns "
                    "nothing here.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import math

from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. MaxSim
#
# `similarity` has a row for each token of the query and a column for each token of the document.
# Return the sum over the rows of the largest value.


# %% tags=["maxsim"]
def maxsim(similarity):
    """The sum over the tokens of the query of the best partner's similarity."""
    ### BEGIN SOLUTION
    return sum(max(row) for row in similarity)
    ### END SOLUTION


# %% tags=["check"]
check("maxsim", maxsim)

# %% [markdown]
# ## 2. The ceiling
#
# A first stage retrieved the documents in `retrieved`, each once. `judgments` maps every judged
# document to its grade. A reranker can put the retrieved documents into any order. Return the
# highest nDCG@10 that it can reach.


# %% tags=["ceiling"]
def ceiling(retrieved, judgments):
    """The highest nDCG@10 of any order of the retrieved documents."""
    ### BEGIN SOLUTION
    found = sorted((judgments[d] for d in retrieved), reverse=True)
    ideal = sorted(judgments.values(), reverse=True)
    reached, best = (
        sum(g / math.log2(i + 1) for i, g in enumerate(grades[:10], start=1))
        for grades in (found, ideal)
    )
    return reached / best
    ### END SOLUTION


# %% tags=["check"]
check("ceiling", ceiling)

# %% [markdown]
# ## 3. What RR loses
#
# `relevance` has a 1 for each relevant document of a ranking, best rank first. A benchmark knows
# only one of them, the one at rank `known`, counted from 1. Return RR with all judgments minus RR
# by the one known positive.


# %% tags=["change_of_rr"]
def change_of_rr(relevance, known):
    """RR with all judgments, less RR by the known positive."""
    ### BEGIN SOLUTION
    return 1 / (list(relevance).index(1) + 1) - 1 / known
    ### END SOLUTION


# %% tags=["check"]
check("change_of_rr", change_of_rr)

# %% [markdown]
# ## 4. Criticise this evaluation
#
# Your teacher marks this answer. A team wrote this report:
#
# > Our cross-encoder beats LambdaMART: nDCG@10 is 0.71 and was 0.62. LambdaMART reranked the first
# > 100 documents of BM25. The cross-encoder reranked the first 1,000 documents of our new dense
# > engine. We had 50,000 pairs of a query and a document. A random half of the pairs was for
# > training, and the other half for the test. A document is relevant if users of our old engine
# > clicked on it last year.
#
# Find three flaws. For each flaw, say how it can change the result, and what the team should do
# instead. Write eight to twelve sentences.

# %% [markdown] tags=["criticise"]
# **Three flaws, what each does to the result, and what to do instead:**
#
# ### BEGIN SOLUTION
# **Different first stages.** The two rerankers sort different documents. The dense engine's first
# 1,000 may hold relevant documents that BM25's first 100 miss, so the ceiling of the cross-encoder
# is higher. The rise may come from the first stage alone. Both should rerank the same documents,
# and the report should give the recall of each first stage.
#
# **A leak.** The split is by pairs. Documents of one query are in the training and in the test, so
# a learner can remember the query. The score of the test may be too high, above all for the model
# with more parameters. Split by query.
#
# **Clicks as judgments.** Users clicked on what the old engine showed at the top. Documents that
# it never showed have no click and count as not relevant. So the judgments favour rankers that
# agree with the old engine. The team should have the first ten documents of both rerankers judged,
# or correct the clicks for their position.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 5. False negatives
#
# `relevance` has a 1 for each relevant document of a ranking. A benchmark knows only the document
# at rank `known`, counted from 1. Return how many relevant documents above it count as not
# relevant.


# %% tags=["hidden"]
def hidden(relevance, known):
    """How many relevant documents stand above the known positive."""
    ### BEGIN SOLUTION
    return sum(relevance[: known - 1])
    ### END SOLUTION


# %% tags=["check"]
check("hidden", hidden)
