# %% [markdown]
# # Exercise 1. Precision, recall and F, from tables
#
# A search retrieves some documents; some documents are relevant. Four counts say all that a set
# can say about it: true and false positives, false and true negatives.
#
# **Needs.** Notebook 1. **Time.** 45 minutes. **Marks.** 13.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def sets(rng):
    """What was retrieved, what is relevant, and the size of the collection."""
    documents = [f"d{i}" for i in range(1, 13)]
    retrieved = sorted(rng.sample(documents, rng.randint(3, 6)))
    relevant = sorted(rng.sample(documents, rng.randint(3, 7)))
    return {"retrieved": retrieved, "relevant": relevant, "n": rng.randint(15, 40)}


def two_sets(rng):
    """The same without the size."""
    drawn = sets(rng)
    return {"retrieved": drawn["retrieved"], "relevant": drawn["relevant"]}


def two_larger_sets(rng):
    """Sets of which a share is seldom one over the size: that would be easy to guess."""
    documents = [f"d{i}" for i in range(1, 19)]
    retrieved = sorted(rng.sample(documents, rng.randint(5, 10)))
    relevant = sorted(rng.sample(documents, rng.randint(5, 10)))
    return {"retrieved": retrieved, "relevant": relevant}


def with_beta(rng):
    """Two sets and the weight of recall."""
    return {**two_sets(rng), "beta": rng.choice([0.5, 2, 3])}


def counts(rng):
    """The four counts of a table."""
    return {"tp": rng.randint(2, 9), "fp": rng.randint(1, 9), "fn": rng.randint(1, 9),
            "tn": rng.randint(20, 60)}  # fmt: skip


RETRIEVED = "['d' + str(i) for i in range(tp + fp)]"
RELEVANT = "{'d' + str(i) for i in range(tp + fp + fn) if i < tp or i >= tp + fp}"
TABLE = f"{RETRIEVED}, {RELEVANT}"
ALL = "collection=tp + fp + fn + tn"

spec = Exercise(
    "01",
    "Precision, recall and F, from tables",
    [
        Question(
            "counts",
            "[confusion(retrieved, set(relevant), collection=n)[c][0] "
            "for c in ('TP', 'FP', 'FN', 'TN')]",
            sets,
            kind="value",
            title="the table by hand",
            asks="Sort the documents of a collection of n documents into the four counts of the "
            "table: what was retrieved or not, and what is relevant or not.",
            parts=[
                "the true positives",
                "the false positives",
                "the false negatives",
                "the true negatives",
            ],
            marks=1,
            line="count",
            wrongs=[
                Wrong(
                    "fp-and-fn-exchanged",
                    "a table with false positives and false negatives exchanged",
                    "[confusion(retrieved, set(relevant), collection=n)[c][0] "
                    "for c in ('TP', 'FN', 'FP', 'TN')]",
                    "Positive is what was retrieved: a false positive is retrieved, not relevant.",
                ),
            ],
            hints=["TP is the number of documents in both lists.", "All four add up to n."],
            tolerance=0.001,
        ),
        Question(
            "precision",
            "precision(retrieved, set(relevant))",
            two_larger_sets,
            title="precision",
            asks="What share of the documents retrieved is relevant? This is their precision.",
            edges=[{"retrieved": ["d1"], "relevant": ["d2"]}],
            mistakes=["p-over-r"],
            wrongs=[
                Wrong(
                    "one-over-the-other",
                    "the number retrieved over the number relevant",
                    "len(retrieved) / len(relevant)",
                    "First count the documents that are in both.",
                ),
            ],
            hints=["Of the documents retrieved, how many are relevant? As a share."],
        ),
        Question(
            "recall",
            "recall(retrieved, set(relevant))",
            two_larger_sets,
            title="recall",
            asks="What share of all relevant documents was retrieved? This is the recall.",
            marks=1,
            edges=[{"retrieved": ["d1"], "relevant": ["d2"]}],
            mistakes=[
                "r-over-k",
                "r-of-the-retrieved",
            ],
            hints=["Of the relevant documents, how many were retrieved? As a share."],
        ),
        Question(
            "f_measure",
            "f_measure(retrieved, set(relevant))",
            two_sets,
            title="the F-measure",
            asks="What is F, the harmonic mean of precision and recall, of the documents "
            "retrieved?",
            edges=[
                {"retrieved": ["d1"], "relevant": ["d2"]},
                {"retrieved": ["d1", "d2"], "relevant": ["d1", "d3"]},
            ],
            mistakes=["f-by-the-arithmetic-mean", "f-by-the-geometric-mean", "f-without-the-2"],
            hints=[
                "F = 2PR / (P + R).",
                "If both are 0, the quotient is 0/0. Then F is 0.",
            ],
        ),
        Question(
            "f_beta",
            "f_measure(retrieved, set(relevant), beta=beta)",
            with_beta,
            title="F with a weight",
            asks="What is the F-measure of the documents retrieved if recall counts beta times as "
            "much as precision?",
            edges=[
                {"retrieved": ["d1"], "relevant": ["d2"], "beta": 2},
                {"retrieved": ["d1", "d2"], "relevant": ["d1", "d3"], "beta": 2},
            ],
            wrongs=[
                Wrong(
                    "beta-not-squared",
                    "a formula with beta in place of its square",
                    "f_measure(retrieved, set(relevant), beta=beta ** 0.5)",
                    "Van Rijsbergen's beta enters squared: recall counts beta times as much.",
                ),
                Wrong(
                    "beta-upside-down",
                    "a formula in which beta weighs precision",
                    "f_measure(retrieved, set(relevant), beta=1 / beta)",
                    "A beta above 1 weighs recall more.",
                ),
                Wrong(
                    "beta-ignored",
                    "F with beta = 1",
                    "f_measure(retrieved, set(relevant))",
                    "beta has to enter above and below the line.",
                ),
            ],
            hints=["F = (1 + beta^2) P R / (beta^2 P + R)."],
        ),
        Question(
            "from_table",
            f"[precision({TABLE}), recall({TABLE}), fall_out({TABLE}, {ALL}), "
            f"accuracy({TABLE}, {ALL})]",
            counts,
            title="four shares of one table",
            asks="A table of decisions has these four counts. Precision is a share of what was "
            "retrieved, and recall a share of what is relevant.",
            parts=["precision", "recall", "fall-out", "accuracy"],
            line="share",
            mistakes=[
                "p-over-r",
                "r-over-k",
            ],
            wrongs=[
                Wrong(
                    "fp-and-fn-exchanged",
                    "a table with false positives and false negatives exchanged",
                    f"[recall({TABLE}), precision({TABLE}), fn / (fn + tn), "
                    f"accuracy({TABLE}, {ALL})]",
                    "A false negative is relevant and was not retrieved.",
                ),
                Wrong(
                    "without-tn",
                    "an accuracy that leaves the true negatives out",
                    f"[precision({TABLE}), recall({TABLE}), fall_out({TABLE}, {ALL}), "
                    "tp / (tp + fp + fn)]",
                    "Accuracy counts all documents on which retrieving and relevance agree.",
                ),
            ],
            hints=[
                "Precision divides by the retrieved documents, recall by the relevant ones.",
                "Fall-out divides by the documents that are not relevant, accuracy by all.",
            ],
        ),
    ],
    [
        ByHand(
            "which_share",
            "Precision or recall, and why",
            [
                Criterion(
                    "lawyers",
                    1,
                    "Recall, or F with beta above 1, because a contract that is missed costs most "
                    "and reading one too many costs little. Half a point without the reason.",
                ),
                Criterion(
                    "pop-up",
                    1,
                    "Precision, or F with beta below 1, because each false alarm stops somebody's "
                    "work. Half a point without the reason.",
                ),
                Criterion(
                    "accuracy",
                    1,
                    "Accuracy is useless here: a program that never warns has nearly 1, since "
                    "true negatives are almost all documents. No point for 'accuracy is too "
                    "coarse'.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. The table
#
# In a collection of `n` documents, give the list TP, FP, FN, TN.

# %%
retrieved, relevant, n = spec.given("counts")

# %% tags=["counts"]
### BEGIN SOLUTION
both = len(set(retrieved) & set(relevant))
counts = [both, len(retrieved) - both, len(relevant) - both]
counts += [n - sum(counts)]
### END SOLUTION

# %% tags=["check"]
check("counts", counts)

# %% [markdown]
# ## 2. Precision
#
# Both arguments are lists of documents, without repetition and never empty.


# %% tags=["precision"]
def precision(retrieved, relevant):
    """The share of the retrieved documents that are relevant."""
    ### BEGIN SOLUTION
    return len(set(retrieved) & set(relevant)) / len(retrieved)
    ### END SOLUTION


# %% tags=["check"]
check("precision", precision)

# %% [markdown]
# ## 3. Recall


# %% tags=["recall"]
def recall(retrieved, relevant):
    """The share of the relevant documents that are retrieved."""
    ### BEGIN SOLUTION
    return len(set(retrieved) & set(relevant)) / len(relevant)
    ### END SOLUTION


# %% tags=["check"]
check("recall", recall)

# %% [markdown]
# ## 4. The F-measure
#
# The harmonic mean of precision $P$ and recall $R$; 0 where both are 0.


# %% tags=["f_measure"]
def f_measure(retrieved, relevant):
    """The harmonic mean of precision and recall."""
    ### BEGIN SOLUTION
    p, r = precision(retrieved, relevant), recall(retrieved, relevant)
    return 2 * p * r / (p + r) if p + r else 0.0
    ### END SOLUTION


# %% tags=["check"]
check("f_measure", f_measure)

# %% [markdown]
# ## 5. F with a weight
#
# Van Rijsbergen's $F_\beta$ counts recall $\beta$ times as much as precision:
#
# $$F_\beta = \frac{(1+\beta^2)\,P R}{\beta^2 P + R}$$


# %% tags=["f_beta"]
def f_beta(retrieved, relevant, beta):
    """The weighted harmonic mean of precision and recall."""
    ### BEGIN SOLUTION
    p, r = precision(retrieved, relevant), recall(retrieved, relevant)
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0
    ### END SOLUTION


# %% tags=["check"]
check("f_beta", f_beta)

# %% [markdown]
# ## 6. Four shares of one table
#
# Return the list precision, recall, fall-out, accuracy, from the four counts.


# %% tags=["from_table"]
def from_table(tp, fp, fn, tn):
    """Precision, recall, fall-out and accuracy of a table."""
    ### BEGIN SOLUTION
    everything = tp + fp + fn + tn
    return [tp / (tp + fp), tp / (tp + fn), fp / (fp + tn), (tp + tn) / everything]
    ### END SOLUTION


# %% tags=["check"]
check("from_table", from_table)

# %% [markdown]
# ## 7. Which share, and why?
#
# Your teacher marks this answer. Two teams ask which number they should improve.
#
# - **Lawyers** look for all contracts with a certain clause before a company is sold. People read
#   everything that the search finds.
# - **A pop-up** warns an employee that an e-mail may go to the wrong person. Of 10,000 e-mails
#   about five do.
#
# 1. Choose precision, recall, or F with a beta for each team. Give the reason from what an error
#    costs.
# 2. A vendor offers the second team a program with an accuracy of 0.9995. Say what this number
#    tells.

# %% [markdown] tags=["which_share"]
# **Your two choices with their reasons, and what the accuracy tells:**
#
# ### BEGIN SOLUTION
# **The lawyers need recall**, or F with a beta above 1. A contract that is missed can cost
# more than the purchase. A contract too many costs a few minutes of reading.
#
# **The pop-up needs precision**, or F with a beta below 1. If most warnings are false, people click
# them away unread, and then the right warnings help nobody.
#
# **The accuracy tells nothing.** A program that never warns is right for 9,995 of 10,000 e-mails.
# Its accuracy is 0.9995, too.
# ### END SOLUTION
