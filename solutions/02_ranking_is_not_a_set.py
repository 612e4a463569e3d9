# %% [markdown]
# # Exercise 2. P@N, and three kinds of average precision
#
# A ranking is a list of documents, the best first; `judgments` maps each judged document to 1 if
# it is relevant and to 0 if it is not. A document that nobody judged counts as not relevant.
#
# **Needs.** Notebook 2. **Time.** 45 minutes. **Marks.** 12. **Bonus.** 2.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def judged(rng, size=9, retrieved=6):
    """A ranking and judgments: some relevant documents are missed, some retrieved not judged."""
    documents = [f"d{i}" for i in range(1, size + 1)]
    rng.shuffle(documents)
    judgments = {d: rng.choice([0, 1]) for d in sorted(documents[:-1])}
    return {"ranking": rng.sample(documents, retrieved), "judgments": judgments}


def some_short(rng):
    """The same, and some of the rankings are shorter than the list of relevant documents."""
    drawn = judged(rng)
    return {**drawn, "ranking": drawn["ranking"][: rng.choice([2, 3, 6])]}


def often_five(rng):
    """The same; often five documents are relevant, so that recall takes the levels 0.2 to 1."""
    drawn = judged(rng)
    if rng.random() < 0.6:
        five = rng.sample(sorted(drawn["judgments"]), 5)
        drawn["judgments"] = {d: int(d in five) for d in drawn["judgments"]}
    return drawn


def cut_within_and_beyond(rng):
    """The same with a cut-off, now and then beyond the end of the list."""
    return {**judged(rng), "k": rng.choice([3, 4, 5, 8, 10])}


SHORTER = "max(1, sum(judgments.values())) / max(1, min(sum(judgments.values()), len(ranking)))"
RANKS = "range(1, len(ranking) + 1)"
RECALL_AT = "recall(ranking, judgments, k=j)"

spec = Exercise(
    "02",
    "P@N, and three kinds of average precision",
    [
        Question(
            "precision_at",
            "precision(ranking, judgments, k=k)",
            cut_within_and_beyond,
            title="P@N",
            asks="What is the precision of the ranking at the cut-off k? Divide by k, also if "
            "the ranking is shorter. A document without a judgment is not relevant.",
            jointly=True,
            edges=[
                {"ranking": ["d1"], "judgments": {"d1": 1}, "k": 5},
                {"ranking": ["d3", "d1"], "judgments": {"d1": 1}, "k": 1},
            ],
            column="relevant documents among the first k",
            mistakes=[
                "p-over-r",
                "p-over-the-list",
                "ranking-reversed",
                "first-document-dropped",
                "cut-off-one-too-high",
                "arguments-swapped",
            ],
            wrongs=[
                Wrong(
                    "cut-ignored",
                    "precision over the whole list",
                    "precision(ranking, judgments)",
                    "P@N looks at the first N documents only.",
                ),
            ],
            hints=[
                "Count the relevant documents among ranking[:k].",
                "judgments.get(document, 0) is 0 for a document that nobody judged.",
                "Divide by k, even if the list is shorter: a missing document is not relevant.",
            ],
        ),
        Question(
            "r_precision",
            "r_precision(ranking, judgments)",
            some_short,
            title="R-precision",
            asks="What is the R-precision of the ranking?",
            marks=1,
            jointly=True,
            edges=[{"ranking": ["d1", "d2"], "judgments": {"d1": 0}}],
            wrongs=[
                Wrong(
                    "p-of-the-list",
                    "precision over the whole list",
                    "precision(ranking, judgments)",
                    "R-precision cuts after R documents, where R is the number of relevant "
                    "documents.",
                ),
                Wrong(
                    "recall-of-the-list",
                    "recall of the whole list",
                    "recall(ranking, judgments)",
                    "R-precision cuts after R documents; there precision and recall are equal.",
                ),
                Wrong(
                    "over-the-shorter",
                    "a division by the length of a list that is shorter than R",
                    f"r_precision(ranking, judgments) * {SHORTER}",
                    "Divide by R. What the list is too short to hold was not retrieved.",
                ),
            ],
            hints=[
                "R is the number of relevant documents, retrieved or not.",
                "It is the precision after R documents; with R = 0 it is 0.",
            ],
        ),
        Question(
            "precisions",
            "[p for p in average_precision.working(ranking, judgments)"
            "['precision at relevant'] if p > 0]",
            judged,
            kind="value",
            title="the precisions that AP is made of",
            asks="Go down the ranking. What is the precision at the rank of each relevant "
            "document, in this order?",
            marks=1,
            line="hit",
            column="precision at the rank of the hit",
            mistakes=[
                "ranking-reversed",
                "arguments-swapped",
            ],
            hints=["Go down the list; at each relevant document note hits so far over rank."],
            tolerance=0.002,
        ),
        Question(
            "ap",
            "average_precision(ranking, judgments)",
            some_short,
            title="AP",
            jointly=True,
            asks="What is the average precision (AP) of the ranking, over all relevant "
            "documents, retrieved or not?",
            edges=[
                {"ranking": ["d1", "d2"], "judgments": {"d1": 0}},
                {"ranking": ["d9"], "judgments": {"d1": 1}},
            ],
            prefix="ranking",
            column="precision at the relevant documents, or in the divisor",
            mistakes=[
                "ap-over-the-hits",
                "ap-of-the-last",
                "ap-not-divided",
                "ap-over-k",
                "ap-at-every-rank",
                "ap-without-the-document",
                "ap-ranks-one-too-high",
                "ranking-reversed",
                "first-document-dropped",
                "arguments-swapped",
            ],
            wrongs=[
                Wrong(
                    "ap-over-the-shorter",
                    "a division by the length of a list that is shorter than R",
                    f"average_precision(ranking, judgments) * {SHORTER}",
                    "Divide by R. A relevant document that the list is too short to hold has "
                    "precision 0.",
                ),
            ],
            hints=[
                "Go down the list and count the hits; at each hit take hits so far over rank.",
                "Add these precisions up.",
                "Divide by R, all relevant documents: one that was missed has precision 0.",
            ],
        ),
        Question(
            "simplified_ap",
            "simplified_average_precision(ranking, judgments)",
            judged,
            title="simplified AP",
            asks="What is the simplified AP of the ranking, the mean of the precisions over the "
            "relevant documents that were retrieved?",
            marks=1,
            edges=[{"ranking": ["d9"], "judgments": {"d1": 1}}],
            prefix="ranking",
            column="precision at the relevant documents, or in the divisor",
            wrongs=[
                Wrong(
                    "ap-over-r",
                    "AP, which divides by all relevant documents",
                    "average_precision(ranking, judgments)",
                    "Here the mean is over the relevant documents that were retrieved.",
                ),
            ],
            hints=["As AP, but divided by the number of relevant documents that were retrieved."],
        ),
        Question(
            "eleven_points",
            "[interpolated_precision(ranking, judgments, recall=i / 10) for i in range(11)]",
            often_five,
            jointly=True,
            tries=6,
            title="interpolated precision at eleven levels of recall",
            asks="What is the interpolated precision of the ranking, the highest precision at this "
            "recall or more, at the recall levels 0, 0.1, ..., 1?",
            parts=[
                "the interpolated precision at recall 0",
                "the interpolated precision at recall 0.1",
                "the interpolated precision at recall 0.2",
                "the interpolated precision at recall 0.3",
                "the interpolated precision at recall 0.4",
                "the interpolated precision at recall 0.5",
                "the interpolated precision at recall 0.6",
                "the interpolated precision at recall 0.7",
                "the interpolated precision at recall 0.8",
                "the interpolated precision at recall 0.9",
                "the interpolated precision at recall 1",
            ],
            marks=2,
            line="level",
            column="maximum of precision from this recall on",
            wrongs=[
                Wrong(
                    "recall-above-only",
                    "the best precision at a recall strictly above the level",
                    "[interpolated_precision(ranking, judgments, recall=min(i / 10 + 1e-4, 1)) "
                    "if i < 10 else 0 for i in range(11)]",
                    "A recall equal to the level counts too.",
                ),
                Wrong(
                    "not-interpolated",
                    "the precision where recall first reaches the level, without a maximum",
                    f"[([precision(ranking, judgments, k=j) for j in {RANKS} "
                    f"if {RECALL_AT} >= i / 10 - 1e-9] + [0])[0] for i in range(11)]",
                    "Interpolated precision is the greatest one from this recall on.",
                ),
                Wrong(
                    "levels-of-floating-point",
                    "levels that are a little too high, such as 3 * 0.1, which is above 0.3",
                    f"[max([0] + [precision(ranking, judgments, k=j) for j in {RANKS} "
                    f"if {RECALL_AT} >= i * 0.1]) for i in range(11)]",
                    "Write i / 10, or compare with a little slack: 6 * 0.1 is above 3/5.",
                ),
            ],
            hints=[
                "First make a list of (recall, precision), one pair for each rank.",
                "At a level take the greatest precision of pairs with at least its recall, or 0.",
                "The levels are 0, 0.1, ..., 1; comparing 3 * 0.1 with 0.3 needs a little slack.",
            ],
        ),
        Question(
            "three",
            "[average_precision(ranking, judgments), "
            "simplified_average_precision(ranking, judgments), "
            "interpolated_average_precision(ranking, judgments)]",
            judged,
            kind="value",
            title="three kinds of AP of one ranking",
            asks="Three measures of this ranking are called average precision. AP is over all "
            "relevant documents, simplified AP over those that were retrieved.",
            parts=["AP", "simplified AP", "interpolated AP, over eleven levels of recall"],
            marks=2,
            line="kind",
            mistakes=[
                "ap-over-the-hits",
                "ap-of-the-last",
                "ap-not-divided",
                "ap-at-every-rank",
                "ap-without-the-document",
                "ap-ranks-one-too-high",
                "ranking-reversed",
                "first-document-dropped",
                "arguments-swapped",
            ],
            hints=["The third is the mean of the eleven interpolated precisions."],
            tolerance=0.0006,
            bonus=True,
        ),
    ],
    [
        ByHand(
            "which_metric",
            "Which metric for this task",
            [
                Criterion(
                    "phone",
                    1,
                    "P@3, or another measure of the first three ranks. Half a point for P@10 or "
                    "AP with a good reason. No point for recall or F.",
                ),
                Criterion(
                    "review",
                    1,
                    "Recall at the depth that is read, or AP, with the reason that each missed "
                    "study counts. No point for P@N.",
                ),
                Criterion(
                    "ceiling",
                    1,
                    "P@10 of a query with two relevant documents is at most 0.2, so the mean has "
                    "a ceiling below 1. Remedies: R-precision, AP, or the bound beside the "
                    "number.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. Precision at N
#
# The share of the first $k$ documents that are relevant. A list may be shorter than $k$.


# %% tags=["precision_at"]
def precision_at(ranking, judgments, k):
    """The share of the first k documents that are relevant."""
    ### BEGIN SOLUTION
    return sum(judgments.get(d, 0) for d in ranking[:k]) / k
    ### END SOLUTION


# %% tags=["check"]
check("precision_at", precision_at)

# %% [markdown]
# ## 2. R-precision
#
# The precision after $R$ documents, where $R$ is the number of relevant documents. It is 0 where
# nothing is relevant.


# %% tags=["r_precision"]
def r_precision(ranking, judgments):
    """The precision after R documents."""
    ### BEGIN SOLUTION
    wanted = sum(judgments.values())
    return precision_at(ranking, judgments, wanted) if wanted else 0.0
    ### END SOLUTION


# %% tags=["check"]
check("r_precision", r_precision)

# %% [markdown]
# ## 3. By hand
#
# For the ranking below give the list of precisions at the ranks of its relevant documents, from
# the top, to three decimals.

# %%
ranking, judgments = spec.given("precisions")

# %% tags=["precisions"]
### BEGIN SOLUTION
precisions = [
    round(precision_at(ranking, judgments, rank), 3)
    for rank, document in enumerate(ranking, start=1)
    if judgments.get(document)
]
### END SOLUTION

# %% tags=["check"]
check("precisions", precisions)

# %% [markdown]
# ## 4. Average precision
#
# $$\mathrm{AP} = \frac{1}{R} \sum_{i \colon \text{document } i \text{ is relevant}} P@i$$
#
# It is 0 where nothing is relevant.


# %% tags=["ap"]
def ap(ranking, judgments):
    """The mean, over all relevant documents, of the precision at their ranks."""
    ### BEGIN SOLUTION
    wanted, hits, total = sum(judgments.values()), 0, 0.0
    for rank, document in enumerate(ranking, start=1):
        if judgments.get(document):
            hits += 1
            total += hits / rank
    return total / wanted if wanted else 0.0
    ### END SOLUTION


# %% tags=["check"]
check("ap", ap)

# %% [markdown]
# ## 5. Simplified AP
#
# The mean of the same precisions over the relevant documents that **were retrieved**. It is 0
# where none was.


# %% tags=["simplified_ap"]
def simplified_ap(ranking, judgments):
    """The mean of precision over the relevant documents retrieved."""
    ### BEGIN SOLUTION
    found = sum(judgments.get(d, 0) for d in ranking)
    return ap(ranking, judgments) * sum(judgments.values()) / found if found else 0.0
    ### END SOLUTION


# %% tags=["check"]
check("simplified_ap", simplified_ap)

# %% [markdown]
# ## 6. Eleven points
#
# Interpolated precision at a level of recall is the greatest precision at that recall **or a
# higher one**. Return a list of eleven values, for the levels 0, 0.1, ..., 1. Something is
# relevant in every example.


# %% tags=["eleven_points"]
def eleven_points(ranking, judgments):
    """The interpolated precision at recall 0, 0.1, ..., 1."""
    ### BEGIN SOLUTION
    wanted, hits, curve = sum(judgments.values()), 0, []
    for rank, document in enumerate(ranking, start=1):
        hits += judgments.get(document, 0)
        curve.append((hits / wanted, hits / rank))
    return [
        max((p for recall, p in curve if recall >= level / 10 - 1e-9), default=0.0)
        for level in range(11)
    ]
    ### END SOLUTION


# %% tags=["check"]
check("eleven_points", eleven_points)

# %% [markdown]
# ## 7. Which metric for this task?
#
# Your teacher marks this answer. Choose a metric of this chapter for each task, and give the reason
# from what the user does.
#
# - **Phone.** A bus company shows three answers on a small screen. Few people scroll.
# - **Review.** Doctors collect all studies of a drug. They read the first 500 results.
#
# Then explain a number: an engine has P@10 = 0.18 over 50 queries, and each query has two relevant
# documents. The manager calls this bad. Is it?

# %% [markdown] tags=["which_metric"]
# **Two metrics with their reasons, and what 0.18 means:**
#
# ### BEGIN SOLUTION
# **Phone: P@3.** Only three answers are seen, so only these count. (If one right answer is
# enough, the question is whether there is one among the three.)
#
# **Review: recall@500.** The doctors read 500 results in any case, and a study that they miss can
# change the conclusion. AP is possible, too, because it divides by all relevant documents.
#
# **0.18 is close to the best.** With two relevant documents P@10 is at most 2/10. So the engine
# finds nine of ten relevant documents. The team should print the bound 0.2, or R-precision.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 8. Three numbers for one ranking
#
# Give AP, simplified AP, and eleven-point interpolated AP (the mean of the eleven values) of this
# ranking, in this order, to three decimals.

# %%
ranking, judgments = spec.given("three")

# %% tags=["three"]
### BEGIN SOLUTION
three = [ap(ranking, judgments), simplified_ap(ranking, judgments)]
three += [sum(eleven_points(ranking, judgments)) / 11]
### END SOLUTION

# %% tags=["check"]
check("three", three)
