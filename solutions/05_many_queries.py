# %% [markdown]
# # Exercise 5. Many queries: MAP, GMAP, MRR and ERR
#
# `run` maps each query to its ranking, `qrels` each judged query to its judgments. A judged query
# that the run lacks scores 0.
#
# **Needs.** Notebook 5, exercise 2. **Time.** 45 minutes. **Marks.** 13. **Bonus.** 1.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def run_and_qrels(rng, queries=4):
    """A run and its qrels: one judged query is missing from the run."""
    run, qrels = {}, {}
    for q in range(1, queries + 1):
        documents = [f"d{i}" for i in range(1, 8)]
        rng.shuffle(documents)
        relevant = rng.sample(documents, rng.randint(2, 4))
        qrels[f"q{q}"] = {d: int(d in relevant) for d in sorted(documents)}
        run[f"q{q}"] = documents[: rng.choice([2, 5, 5])]
    del run[rng.choice(list(run))]
    return {"run": run, "qrels": qrels}


def values_with_a_zero(rng):
    """AP by query, one of them 0 and one nearly 0."""
    values = [rng.randint(2, 19) / 20 for _ in range(rng.randint(2, 4))]
    values.insert(rng.randrange(len(values)), rng.choice([0.0001, 0.0002]))
    values.insert(rng.randrange(len(values)), 0.0)
    return {"values": values}


def two_systems(rng):
    """AP of two systems: the first better on average, the second on the hard queries."""
    first = [rng.randint(12, 19) / 20 for _ in range(4)] + [0.001]
    second = [rng.randint(6, 12) / 20 for _ in range(4)] + [rng.randint(4, 8) / 20]
    return {"first": first, "second": second}


def grades_below_the_top(rng):
    """Grades from 0 to 2 on a scale that goes to 3."""
    return {"grades": [rng.choice([0, 1, 2]) for _ in range(rng.randint(4, 6))]}


AP = "average_precision(run.get(q, []), qrels[q])"
RR = "reciprocal_rank(run.get(q, []), qrels[q])"
SHORTER = "sum(qrels[q].values()) / max(1, min(sum(qrels[q].values()), len(run.get(q, []))))"
RECALL = "recall(run.get(q, []), qrels[q])"

spec = Exercise(
    "05",
    "Many queries: MAP, GMAP, MRR and ERR",
    [
        Question(
            "map_score",
            f"mean([{AP} for q in qrels])",
            run_and_qrels,
            title="MAP",
            asks="What is MAP, the mean of AP over all judged queries? AP is over all relevant "
            "documents of a query, retrieved or not. A query that the run lacks scores 0.",
            mistakes=[
                "ap-over-the-hits",
                "ap-of-the-last",
                "ap-not-divided",
                "ap-at-every-rank",
                "ap-without-the-document",
                "ap-over-k",
                "ap-ranks-one-too-high",
                "ranking-reversed",
                "first-document-dropped",
                "arguments-swapped",
            ],
            wrongs=[
                Wrong(
                    "missing-query-skipped",
                    "a mean over the queries of the run alone",
                    f"mean([{AP} for q in qrels if q in run])",
                    "A judged query that is not in the run scores 0 and counts.",
                ),
                Wrong(
                    "mean-over-queries-with-a-hit",
                    "a mean over the queries with a score above 0 only",
                    f"sum([{AP} for q in qrels]) / max(len([q for q in qrels if {AP} > 0]), 1)",
                    "A query on which nothing was found scores 0 and stays in the mean.",
                ),
                Wrong(
                    "median-for-the-mean",
                    "the median over queries in place of the mean",
                    f"sum(sorted([{AP} for q in qrels])[(len(qrels) - 1) // 2 :"
                    "len(qrels) // 2 + 1]) / (2 - len(qrels) % 2)",
                    "The mean adds up the scores of all queries and divides by their number.",
                ),
                Wrong(
                    "ap-over-the-shorter",
                    "an AP that divides by the length of a list that is shorter than R",
                    f"mean([{AP} * {SHORTER} for q in qrels])",
                    "Divide by R. A relevant document that the list is too short to hold has "
                    "precision 0.",
                ),
                Wrong(
                    "one-mean-of-all-precisions",
                    "one mean of the precisions of all queries together",
                    f"sum([{AP} * sum(qrels[q].values()) for q in qrels])"
                    " / max(1, sum([sum(qrels[q].values()) for q in qrels]))",
                    "First AP of each query: one with many relevant documents weighs no more.",
                ),
                Wrong(
                    "a-sum",
                    "a sum over the queries",
                    f"sum([{AP} for q in qrels])",
                    "A mean divides by the number of queries.",
                ),
            ],
            hints=[
                "First AP of each judged query, then their mean.",
                "Go through qrels, not through run: run.get(query, []) is the ranking or nothing.",
            ],
        ),
        Question(
            "gmap",
            "gmean(values)",
            values_with_a_zero,
            names={"gmean": "geometric_mean(floor=1e-5)"},
            title="GMAP",
            asks="These are the APs of some queries. What is GMAP, their geometric mean, if every "
            "value below 0.00001 is raised to 0.00001?",
            mistakes=[
                "gmap-of-raw-zeros",
                "gmap-without-zeros",
                "gmap-epsilon-added",
                "gmap-by-the-arithmetic-mean",
            ],
            hints=[
                "Put 0.00001 in place of every value below it.",
                "The n-th root of the product, or e to the mean of the logarithms.",
            ],
        ),
        Question(
            "mrr",
            f"sum([{RR} for q in qrels]) / len(qrels)",
            run_and_qrels,
            title="MRR",
            asks="What is MRR, the mean reciprocal rank over all judged queries? A query that the "
            "run lacks scores 0.",
            edges=[{"run": {"q1": ["d1", "d2"]}, "qrels": {"q1": {"d2": 1}}}],
            jointly=True,
            mistakes=[
                "rr-of-the-last",
                "rr-counted-from-0",
                "rr-one-too-low",
                "rr-of-every-hit",
                "rr-averaged-over-the-hits",
                "ranking-reversed",
                "first-document-dropped",
                "arguments-swapped",
            ],
            wrongs=[
                Wrong(
                    "missing-query-skipped",
                    "a mean over the queries of the run alone",
                    f"mean([{RR} for q in qrels if q in run])",
                    "A judged query that is not in the run scores 0 and counts.",
                ),
                Wrong(
                    "median-for-the-mean",
                    "the median over queries in place of the mean",
                    f"sum(sorted([{RR} for q in qrels])[(len(qrels) - 1) // 2 :"
                    "len(qrels) // 2 + 1]) / (2 - len(qrels) % 2)",
                    "The mean adds up the scores of all queries and divides by their number.",
                ),
                Wrong(
                    "mean-rank-first",
                    "1 over the mean rank of the first relevant documents",
                    "len([q for q in qrels if q in run]) / sum([1 / reciprocal_rank(run[q], "
                    "qrels[q]) for q in qrels if q in run])",
                    "Take the reciprocal of each rank first, then the mean.",
                ),
            ],
            hints=["1 over the rank of the first relevant document; 0 if there is none."],
        ),
        Question(
            "err",
            "score(grades)",
            grades_below_the_top,
            names={"score": "ERR(max_grade=3)"},
            title="ERR",
            asks="What is the expected reciprocal rank (ERR) of the grades, on a scale whose "
            "highest grade is 3? A user stops at a document of grade g with the probability "
            "(2^g - 1) / 2^3.",
            marks=3,
            edges=[{"grades": [0, 0]}, {"grades": [3, 3]}],
            prefix="grades",
            column="contribution: chance to get there, chance to stop, 1/rank",
            mistakes=[
                "err-without-the-stop",
                "err-by-the-highest-grade-at-hand",
                "err-by-the-number-of-grades",
                "err-of-linear-grades",
                "err-without-minus-1",
            ],
            hints=[
                "Keep the probability that the reader gets to this rank; at rank 1 it is 1.",
                "The chance to stop at a document of grade g is (2**g - 1) / 2**3.",
                "After each rank multiply by 1 minus the chance to have stopped there.",
            ],
        ),
        Question(
            "stops",
            "score.working(grades)['contribution']",
            grades_below_the_top,
            kind="value",
            names={"score": "ERR(max_grade=3)"},
            title="where ERR comes from",
            asks="What does each rank contribute to ERR, on a scale whose highest grade is 3? A "
            "user stops at a document of grade g with the probability (2^g - 1) / 2^3.",
            marks=1,
            column="contribution",
            mistakes=[
                "err-by-the-number-of-grades",
                "err-by-the-highest-grade-at-hand",
                "err-of-linear-grades",
                "err-without-minus-1",
            ],
            partly=True,
            hints=["For each rank: chance to get there times chance to stop, over the rank."],
            tolerance=0.0006,
        ),
        Question(
            "which_is_better",
            "[mean(first), gmean(first), mean(second), gmean(second)]",
            two_systems,
            kind="value",
            names={"gmean": "geometric_mean(floor=1e-5)"},
            title="MAP against GMAP",
            asks="Two systems have these APs, query by query.",
            parts=[
                "MAP of the first system",
                "GMAP of the first system",
                "MAP of the second system",
                "GMAP of the second system",
            ],
            line="value",
            marks=1,
            mistakes=["gmap-by-the-arithmetic-mean"],
            hints=["No value is below 0.00001 here, so the floor plays no part."],
            tolerance=0.0006,
            bonus=True,
        ),
    ],
    [
        ByHand(
            "which_metric",
            "Which metric, and why",
            [
                Criterion(
                    "help desk",
                    1,
                    "MRR, or success at a small k, because staff stop at the first right page. "
                    "Half a point for the metric without the reason. No point for MAP or recall.",
                ),
                Criterion(
                    "patents",
                    1,
                    "Recall at a large cut-off, or AP (MAP), because every document that is missed "
                    "counts. Half a point for the metric without the reason. No point for MRR, ERR "
                    "or a metric of the first ten ranks.",
                ),
                Criterion(
                    "blind spot",
                    1,
                    "Something true that one of the two chosen metrics does not notice, with two "
                    "rankings or in words: MRR ignores all that follows the first relevant "
                    "document, recall ignores the order above the cut-off, a mean hides one query "
                    "that fails.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import math

from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. MAP
#
# The mean, over all judged queries, of average precision. Every query has relevant documents.


# %% tags=["map_score"]
def map_score(run, qrels):
    """The mean of average precision over the judged queries."""
    ### BEGIN SOLUTION
    total = 0.0
    for query, judgments in qrels.items():
        hits = 0
        for rank, document in enumerate(run.get(query, []), start=1):
            if judgments.get(document):
                hits += 1
                total += hits / rank / sum(judgments.values())
    return total / len(qrels)
    ### END SOLUTION


# %% tags=["check"]
check("map_score", map_score)

# %% [markdown]
# ## 2. GMAP
#
# The geometric mean of AP values (Robertson, 2006). As in trec_eval, 0.00001 stands in place of
# anything smaller.


# %% tags=["gmap"]
def gmap(values):
    """The geometric mean of values, none of which counts less than 0.00001."""
    ### BEGIN SOLUTION
    return math.exp(sum(math.log(max(v, 1e-5)) for v in values) / len(values))
    ### END SOLUTION


# %% tags=["check"]
check("gmap", gmap)

# %% [markdown]
# ## 3. MRR
#
# The mean, over all judged queries, of 1 over the rank of the first relevant document.


# %% tags=["mrr"]
def mrr(run, qrels):
    """The mean of the reciprocal rank over the judged queries."""
    ### BEGIN SOLUTION
    total = 0.0
    for query, judgments in qrels.items():
        ranks = [r for r, d in enumerate(run.get(query, []), start=1) if judgments.get(d)]
        total += 1 / ranks[0] if ranks else 0
    return total / len(qrels)
    ### END SOLUTION


# %% tags=["check"]
check("mrr", mrr)

# %% [markdown]
# ## 4. ERR
#
# Grades go **from 0 to 3**. A reader goes down the list and stops at a document of grade $g$ with
# probability $(2^g-1)/2^3$. ERR is the expectation of 1 over the rank of that stop (0 for a
# reader who never stops).


# %% tags=["err"]
def err(grades):
    """The expectation of 1 over the rank at which the reader stops."""
    ### BEGIN SOLUTION
    total, here = 0.0, 1.0
    for rank, grade in enumerate(grades, start=1):
        stop = (2**grade - 1) / 2**3
        total += here * stop / rank
        here *= 1 - stop
    return total
    ### END SOLUTION


# %% tags=["check"]
check("err", err)

# %% [markdown]
# ## 5. Where it comes from
#
# For these grades give the list of what each rank adds to ERR, to three decimals.

# %%
grades = spec.given("stops")

# %% tags=["stops"]
### BEGIN SOLUTION
stops = [err(grades[:n]) - err(grades[: n - 1]) for n in range(1, len(grades) + 1)]
### END SOLUTION

# %% tags=["check"]
check("stops", stops)

# %% [markdown]
# ## 6. Which metric, and why?
#
# Your teacher marks this answer. Write five to ten sentences about two tasks.
#
# - **Help desk.** A bank's staff search for the one page that answers a customer's question. They
#   read the results from the top and stop at the right page.
# - **Patents.** An examiner looks for every earlier patent that is like a new one. She reads some
#   hundred results. One that she misses can cost a lawsuit.
#
# 1. Choose one metric for each task. Give the reason from what the user does.
# 2. Name one thing that one of your two metrics does not notice.

# %% [markdown] tags=["which_metric"]
# **Your two metrics with their reasons, and what one of them does not notice:**
#
# ### BEGIN SOLUTION
# **Help desk: MRR.** There is one right page for each question, and staff stop there. What counts
# is how far down they have to read, so the reciprocal rank of the first right page is the right
# score of a query. Its mean over the queries compares two rankers.
#
# **Patents: recall at 100.** The examiner reads some hundred results, whatever their order. What
# counts is how many of the earlier patents are among them, because each one that she misses can
# be the one that matters. MAP is possible too: it also falls with each patent that is missed.
#
# **What is not noticed.** MRR ignores everything after the first right page. A ranking with a
# second helpful page at rank 2 and one with that page at rank 50 have the same MRR.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 7. Which system is better?
#
# AP by query of two systems. Give MAP and GMAP of the first, then of the second, to three
# decimals. Which of the two measures shows the query that fails?

# %%
first, second = spec.given("which_is_better")

# %% tags=["which_is_better"]
### BEGIN SOLUTION
which_is_better = []
for values in (first, second):
    which_is_better += [sum(values) / len(values), gmap(values)]
### END SOLUTION

# %% tags=["check"]
check("which_is_better", which_is_better)
