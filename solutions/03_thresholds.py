# %% [markdown]
# # Exercise 3. Thresholds: ROC, AUC and break-even
#
# Each document has a score and is relevant (1) or not (0). Moving a threshold down the scores
# retrieves more and more of them. No two documents have the same score, unless a question says so.
#
# **Needs.** Notebook 3. **Time.** 40 minutes. **Marks.** 11. **Bonus.** 1.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def scored(rng):
    """Relevance and scores, all different, in no order."""
    n = rng.randint(6, 9)
    relevance = [rng.choice([0, 0, 1]) for _ in range(n - 2)] + [0, 1]
    rng.shuffle(relevance)
    return {"relevance": relevance, "scores": [v / 20 for v in rng.sample(range(1, 20), n)]}


def with_ties(rng):
    """The same with scores that repeat."""
    drawn = scored(rng)
    return {**drawn, "scores": [rng.choice([0.2, 0.4, 0.6, 0.8]) for _ in drawn["scores"]]}


def with_threshold(rng):
    """The same with a threshold that is one of the scores."""
    drawn = scored(rng)
    return {**drawn, "threshold": rng.choice(sorted(drawn["scores"])[1:-1])}


BY_SCORE = "[g for s, g in sorted(zip(scores, relevance), reverse=True)]"
LINES = "list(zip(roc_curve(relevance, scores)['fall-out'], "
LINES += "roc_curve(relevance, scores)['true positive rate']))"
AT = "[list(p) for p, t in zip(LINES, roc_curve(relevance, scores)['threshold']) "
AT += "if t == threshold][0]"
AT = AT.replace("LINES", LINES)
ABOVE = "[g for g, s in zip(relevance, scores) if s > threshold]"

spec = Exercise(
    "03",
    "Thresholds: ROC, AUC and break-even",
    [
        Question(
            "roc_point",
            AT,
            with_threshold,
            title="a point of the ROC curve",
            asks="Each document has a relevance and a score. A document is retrieved if its score "
            "is at least the threshold. Which point of the ROC curve is this?",
            parts=["the fall-out", "the true positive rate"],
            line="coordinate",
            wrongs=[
                Wrong(
                    "strictly-above",
                    "a point without the document at the threshold itself",
                    f"[{ABOVE}.count(0) / relevance.count(0), "
                    f"{ABOVE}.count(1) / relevance.count(1)]",
                    "A document whose score equals the threshold is retrieved.",
                ),
                Wrong(
                    "exchanged",
                    "the two coordinates exchanged",
                    f"[{AT}[1], {AT}[0]]",
                    "First the fall-out (across), then the true positive rate (up).",
                ),
            ],
            hints=[
                "Retrieved is every document whose score is at least the threshold.",
                "Fall-out is a share of the non-relevant documents, recall of the relevant ones.",
            ],
        ),
        Question(
            "roc",
            "roc_curve(relevance, scores)['true positive rate']",
            scored,
            kind="value",
            title="the ROC curve's heights by hand",
            asks="Each document has a relevance and a score. The threshold goes down through the "
            "scores. What is the true positive rate at each threshold, the highest threshold "
            "first?",
            marks=1,
            line="threshold",
            wrongs=[
                Wrong(
                    "in-the-order-given",
                    "heights in the order in which the documents are listed",
                    "roc_curve(relevance)['true positive rate']",
                    "Thresholds go down: sort by score, the highest first.",
                ),
                Wrong(
                    "precision",
                    "precision at each threshold",
                    f"[precision({BY_SCORE}, k=i + 1) for i in range(len(scores))]",
                    "The true positive rate is recall: a share of the relevant documents.",
                ),
            ],
            hints=["Sort by score, then recall after each document."],
            tolerance=0.002,
        ),
        Question(
            "auc",
            "roc_auc(relevance, scores)",
            scored,
            title="AUC",
            asks="Each document has a relevance and a score. What is the area under the ROC curve "
            "(AUC)?",
            edges=[{"relevance": [1, 0], "scores": [0.9, 0.1]}],
            wrongs=[
                Wrong(
                    "upside-down",
                    "the area above the curve",
                    "1 - roc_auc(relevance, scores)",
                    "A pair is in order if the relevant document has the higher score.",
                ),
                Wrong(
                    "area-under-pr",
                    "the area under the precision-recall curve",
                    "pr_auc(relevance, scores)",
                    "The ROC curve has the true positive rate against fall-out.",
                ),
                Wrong(
                    "in-the-order-given",
                    "an AUC that takes the list as ranked",
                    "roc_auc(relevance)",
                    "Rank the documents by their scores.",
                ),
            ],
            hints=[
                "AUC is the share of pairs (relevant, not relevant) that the scores have in order.",
                "Two loops over the documents are enough.",
            ],
        ),
        Question(
            "break_even",
            "break_even(relevance, scores)",
            scored,
            title="the break-even point",
            asks="Each document has a relevance and a score. What is the break-even point of "
            "precision and recall, which is where as many documents are retrieved as are "
            "relevant?",
            wrongs=[
                Wrong(
                    "in-the-order-given",
                    "a break-even point that takes the list as ranked",
                    "break_even(relevance)",
                    "Rank the documents by their scores.",
                ),
                Wrong(
                    "mean-of-p-and-r",
                    "the share of relevant documents, which is the precision of everything",
                    "relevance.count(1) / len(relevance)",
                    "Precision and recall meet where as many documents are retrieved as are "
                    "relevant.",
                ),
            ],
            hints=[
                "Precision is hits/n, recall hits/R: they are equal when n = R.",
                "So: sort by score, and take the precision of the first R.",
            ],
        ),
        Question(
            "both",
            "[roc_auc(relevance, scores), break_even(relevance, scores)]",
            scored,
            kind="value",
            title="two numbers for one engine",
            asks="Each document has a relevance and a score. Two numbers sum up the engine. The "
            "break-even point is where as many documents are retrieved as are relevant.",
            parts=["AUC", "the break-even point"],
            marks=1,
            line="value",
            wrongs=[
                Wrong(
                    "in-the-order-given",
                    "values of the list as it stands",
                    "[roc_auc(relevance), break_even(relevance)]",
                    "Rank the documents by their scores.",
                ),
            ],
            hints=["AUC first."],
            tolerance=0.0006,
        ),
        Question(
            "auc_with_ties",
            "roc_auc(relevance, scores)",
            with_ties,
            title="AUC with ties",
            asks="Each document has a relevance and a score, and some scores are equal. What is "
            "the area under the ROC curve (AUC)?",
            marks=1,
            edges=[{"relevance": [1, 0], "scores": [0.5, 0.5]}],
            wrongs=[
                Wrong(
                    "ties-lost",
                    "an AUC in which a tie counts nothing",
                    "sum([1 for g, s in zip(relevance, scores) for h, t in zip(relevance, scores)"
                    " if g > h and s > t]) / (relevance.count(1) * relevance.count(0))",
                    "A tie counts half.",
                ),
                Wrong(
                    "ties-won",
                    "an AUC in which a tie counts in full",
                    "sum([1 for g, s in zip(relevance, scores) for h, t in zip(relevance, scores)"
                    " if g > h and s >= t]) / (relevance.count(1) * relevance.count(0))",
                    "A tie counts half.",
                ),
            ],
            hints=["A pair with equal scores counts 1/2."],
            bonus=True,
        ),
    ],
    [
        ByHand(
            "cannot_be",
            "Numbers that can't be right",
            [
                Criterion(
                    "AUC",
                    1,
                    "0.80 is impossible: AUC is a share of 3 x 4 = 12 pairs without ties, so 0.75 "
                    "or 0.83. The number of pairs is needed for the point.",
                ),
                Criterion(
                    "recall",
                    1,
                    "Recall can't fall from 0.67 to 0.33 when the threshold falls: what was "
                    "retrieved stays retrieved.",
                ),
                Criterion(
                    "what may be right",
                    1,
                    "Break-even 0.67 is 2 of 3 and possible, and so is fall-out. A half point if "
                    "only one is named. No point if the student calls one impossible.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. A point
#
# Retrieve all documents whose score is **at least** the threshold. Return the list fall-out, true
# positive rate: the point of the ROC curve that belongs to it.


# %% tags=["roc_point"]
def roc_point(relevance, scores, threshold):
    """Fall-out and true positive rate at a threshold."""
    ### BEGIN SOLUTION
    retrieved = [g for g, s in zip(relevance, scores, strict=True) if s >= threshold]
    return [retrieved.count(v) / relevance.count(v) for v in (0, 1)]
    ### END SOLUTION


# %% tags=["check"]
check("roc_point", roc_point)

# %% [markdown]
# ## 2. By hand
#
# Give the true positive rate at each threshold, from the highest score down, to three decimals.

# %%
relevance, scores = spec.given("roc")

# %% tags=["roc"]
### BEGIN SOLUTION
roc = [roc_point(relevance, scores, t)[1] for t in sorted(scores, reverse=True)]
### END SOLUTION

# %% tags=["check"]
check("roc", roc)

# %% [markdown]
# ## 3. AUC
#
# The area under the ROC curve is the probability that a relevant document has a higher score than
# one that is not.


# %% tags=["auc"]
def auc(relevance, scores):
    """How probably a relevant document has the higher score."""
    ### BEGIN SOLUTION
    both = list(zip(relevance, scores, strict=True))
    pairs = [(s, t) for g, s in both for h, t in both if g > h]
    return sum((s > t) + (s == t) / 2 for s, t in pairs) / len(pairs)
    ### END SOLUTION


# %% tags=["check"]
check("auc", auc)

# %% [markdown]
# ## 4. Break-even
#
# The value at which precision and recall are equal as the threshold moves down.


# %% tags=["break_even"]
def break_even(relevance, scores):
    """The value at which precision and recall are equal."""
    ### BEGIN SOLUTION
    ranked = [g for _, g in sorted(zip(scores, relevance, strict=True), reverse=True)]
    wanted = sum(relevance)
    return sum(ranked[:wanted]) / wanted
    ### END SOLUTION


# %% tags=["check"]
check("break_even", break_even)

# %% [markdown]
# ## 5. Two numbers for one engine
#
# Give AUC and break-even of this engine, to three decimals.

# %%
relevance, scores = spec.given("both")

# %% tags=["both"]
### BEGIN SOLUTION
both = [auc(relevance, scores), break_even(relevance, scores)]
### END SOLUTION

# %% tags=["check"]
check("both", both)

# %% [markdown]
# ## 6. Numbers that can't be right
#
# Your teacher marks this answer. A paper shows one query. The collection has three relevant
# documents and four others, all with different scores. The paper prints:
#
# | threshold | recall | fall-out |
# |---|---|---|
# | 0.9 | 0.33 | 0.25 |
# | 0.7 | 0.67 | 0.25 |
# | 0.5 | 0.33 | 0.50 |
#
# Below the table: *AUC 0.80, break-even 0.67.*
#
# Name two numbers that can't be right, with the reason. Then name two that can be right.

# %% [markdown] tags=["cannot_be"]
# **Two impossible numbers, and two possible ones:**
#
# ### BEGIN SOLUTION
# **AUC = 0.80 can't be.** Three relevant and four other documents make 12 pairs. Nothing ties, so
# AUC is a whole number of pairs over 12: 9/12 is 0.75, and 10/12 is 0.83.
#
# **Recall 0.33 at the threshold 0.5 can't be.** A lower threshold retrieves more. At 0.7 two
# relevant documents were retrieved, and they stay.
#
# **Break-even 0.67 can be:** two of the first three documents are relevant. **The fall-out can
# be:** 0.25 and 0.50 are one and two of four, and the column never falls.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 7. AUC with ties
#
# Now scores may be equal. A pair whose scores are equal counts half.


# %% tags=["auc_with_ties"]
def auc_with_ties(relevance, scores):
    """How probably a relevant document has the higher score; a tie counts half."""
    ### BEGIN SOLUTION
    return auc(relevance, scores)
    ### END SOLUTION


# %% tags=["check"]
check("auc_with_ties", auc_with_ties)
