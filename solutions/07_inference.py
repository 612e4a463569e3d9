# %% [markdown]
# # Exercise 7. Inference: differences, many systems, and no harm done
#
# You test the differences of two systems, correct for many tests, and test whether a system is not
# worse. Then you review a paper.
#
# **Needs.** Notebook 7. **Time.** 40 minutes. **Marks.** 10.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def some_differences(rng):
    """Differences of two systems, query by query; most of them are gains."""
    return {"differences": [rng.randint(-20, 40) / 100 for _ in range(rng.randint(6, 9))]}


def some_p_values(rng):
    """The p-values of four systems against one baseline."""
    return {"ps": [rng.randint(1, 20) / 1000, *(rng.randint(5, 60) / 1000 for _ in range(3))]}


def differences_and_margin(rng):
    """Differences around a small loss, and a margin."""
    return {
        "differences": [rng.randint(-20, 16) / 100 for _ in range(rng.randint(7, 10))],
        "margin": rng.choice([0.03, 0.05, 0.1]),
    }


N = "len(differences)"
MEAN = f"(sum(differences) / {N})"
SQUARES = f"sum([(d - {MEAN}) ** 2 for d in differences])"
ERROR = f"({SQUARES} / ({N} - 1) / {N}) ** 0.5"
HOME = "irmetrics_edu.runs.significance:"
ORDER = "sorted(range(len(ps)), key=ps.__getitem__)"

spec = Exercise(
    "07",
    "Inference: differences, many systems, and no harm done",
    [
        Question(
            "t_statistic",
            f"{MEAN} / {ERROR}",
            some_differences,
            edges=[{"differences": [0.1, -0.3]}, {"differences": [-0.1, -0.2, -0.1]}],
            title="the paired t-test",
            asks="A new system and an old one have these differences, query by query. What is t of "
            "the paired t-test?",
            marks=2,
            wrongs=[
                Wrong(
                    "effect-size",
                    "the effect size: the mean over the standard deviation",
                    f"{MEAN} / ({SQUARES} / ({N} - 1)) ** 0.5",
                    "Divide the standard deviation by the root of the number of queries.",
                ),
                Wrong(
                    "divided-by-n",
                    "a variance with n below the line",
                    f"{MEAN} / ({SQUARES} / {N} / {N}) ** 0.5",
                    "The queries are a sample: divide the squares by n - 1.",
                ),
                Wrong(
                    "no-root",
                    "a standard error that divides by n, not by its root",
                    f"{MEAN} / (({SQUARES} / ({N} - 1)) ** 0.5 / {N})",
                    "The standard error is the standard deviation over the root of n.",
                ),
                Wrong(
                    "around-zero",
                    "a spread around 0 in place of the mean",
                    f"{MEAN} / (sum([d ** 2 for d in differences]) / ({N} - 1) / {N}) ** 0.5",
                    "The standard deviation measures the distances from the mean.",
                ),
            ],
            hints=[
                "statistics.stdev divides by n - 1.",
                "t is the mean difference over the standard error.",
            ],
        ),
        Question(
            "effect",
            f"{MEAN} / ({SQUARES} / ({N} - 1)) ** 0.5",
            some_differences,
            edges=[
                {"differences": [0.1, -0.3]},
                {"differences": [-0.1, -0.2, -0.1]},
                {"differences": [0.5, 0.1]},
            ],
            title="the effect size",
            asks="A new system and an old one have these differences, query by query. What is the "
            "effect size of the new system?",
            marks=1,
            wrongs=[
                Wrong(
                    "t",
                    "t of the paired t-test",
                    f"{MEAN} / {ERROR}",
                    "An effect size has no root of n: it does not grow with the number of queries.",
                ),
                Wrong(
                    "divided-by-n",
                    "a variance with n below the line",
                    f"{MEAN} / ({SQUARES} / {N}) ** 0.5",
                    "The queries are a sample: divide the squares by n - 1.",
                ),
                Wrong(
                    "over-the-variance",
                    "the mean over the variance",
                    f"{MEAN} / ({SQUARES} / ({N} - 1))",
                    "Divide by the standard deviation, which is the root of the variance.",
                ),
            ],
            hints=["The mean difference over the standard deviation of the differences."],
        ),
        Question(
            "corrected",
            "holm(ps)",
            some_p_values,
            names={"holm": f"{HOME}holm"},
            title="Holm's correction",
            edges=[
                {"ps": [0.6, 0.7, 0.9, 0.5]},
                {"ps": [0.01, 0.01, 0.04, 0.04]},
                {"ps": [0.04, 0.03, 0.02, 0.01]},
            ],
            asks="Four systems were tested against one baseline, with these p-values. What are the "
            "p-values after Holm's correction, in the order given?",
            parts=["the first", "the second", "the third", "the fourth"],
            line="p-value",
            marks=3,
            jointly=True,
            wrongs=[
                Wrong(
                    "bonferroni",
                    "Bonferroni's correction: each p-value times four",
                    "[min(1, 4 * p) for p in ps]",
                    "Holm multiplies only the smallest by four, and the next one by three.",
                ),
                Wrong(
                    "may-fall",
                    "a correction in which a value may be below the one before",
                    "[min(1, p * (4 - sum([other < p for other in ps]))) for p in ps]",
                    "In the order of size, no corrected value is below the one before.",
                ),
                Wrong(
                    "sorted-back",
                    "the corrected values in the order of their size",
                    "sorted(holm(ps))",
                    "Give each corrected value at the place of its p-value.",
                ),
                Wrong(
                    "not-corrected",
                    "the p-values as they were",
                    "ps",
                    "With four tests the smallest p-value is multiplied by four.",
                ),
            ],
            hints=[
                "sorted(range(4), key=lambda i: ps[i]) is the order by size.",
                "Multiply by 4, 3, 2 and 1, and keep the largest value so far.",
            ],
        ),
        Question(
            "not_worse",
            f"({MEAN} + margin) / {ERROR}",
            differences_and_margin,
            edges=[
                {"differences": [-0.2, -0.1], "margin": 0.05},
                {"differences": [0.1, 0.2, -0.1], "margin": 0.0},
                {"differences": [0.0, 0.1], "margin": 1.0},
            ],
            title="non-inferiority",
            asks="A rewrite and the old engine have these differences, new less old. What is t of "
            "the test that the rewrite is worse by less than the margin?",
            marks=1,
            wrongs=[
                Wrong(
                    "no-margin",
                    "t of a test for any difference",
                    f"{MEAN} / {ERROR}",
                    "Add the margin to the mean difference.",
                ),
                Wrong(
                    "margin-subtracted",
                    "the margin subtracted",
                    f"({MEAN} - margin) / {ERROR}",
                    "Then you test for a gain above the margin. A loss is the question here.",
                ),
                Wrong(
                    "margin-over-the-error",
                    "the margin over the standard error, without the mean",
                    f"margin / {ERROR}",
                    "The mean difference counts too.",
                ),
            ],
            hints=["The mean difference plus the margin, over the standard error."],
        ),
    ],
    [
        ByHand(
            "review",
            "A paper under review",
            [
                Criterion(
                    "many tests",
                    1,
                    "Thirty settings were tested on the test queries, and one p-value of 0.02 is "
                    "reported without a correction: about 1.5 of 30 are expected below 0.05. "
                    "Corrected, or chosen on other queries. Half a point without a remedy.",
                ),
                Criterion(
                    "no difference",
                    1,
                    "p = 0.4 with 15 queries does not show that the fast system is as good. Ask "
                    "for an interval, or a test of non-inferiority with a margin.",
                ),
                Criterion(
                    "size",
                    1,
                    "The paper gives no size of the difference: ask for the mean difference with "
                    "its interval, or an effect size. No point for 'a smaller p'.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import statistics

from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. The paired t-test
#
# The mean difference over its standard error. The variance divides by n - 1.


# %% tags=["t_statistic"]
def t_statistic(differences):
    """The mean difference over its standard error."""
    ### BEGIN SOLUTION
    error = statistics.stdev(differences) / len(differences) ** 0.5
    return statistics.mean(differences) / error
    ### END SOLUTION


# %% tags=["check"]
check("t_statistic", t_statistic)

# %% [markdown]
# ## 2. The effect size
#
# The mean difference in standard deviations of the differences.


# %% tags=["effect"]
def effect(differences):
    """The mean difference over the standard deviation of the differences."""
    ### BEGIN SOLUTION
    return statistics.mean(differences) / statistics.stdev(differences)
    ### END SOLUTION


# %% tags=["check"]
check("effect", effect)

# %% [markdown]
# ## 3. Holm's correction
#
# The smallest p-value times the number of tests, the next one times one less, and so on. In the
# order of size no value is below the one before, and none is above 1. Return the corrected values
# in the order of `ps`.


# %% tags=["corrected"]
def corrected(ps):
    """The p-values after Holm's correction, in the order given."""
    ### BEGIN SOLUTION
    found, so_far = [0.0] * len(ps), 0.0
    for rank, i in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        so_far = max(so_far, min(1, ps[i] * (len(ps) - rank)))
        found[i] = so_far
    return found
    ### END SOLUTION


# %% tags=["check"]
check("corrected", corrected)

# %% [markdown]
# ## 4. Not worse
#
# A loss of up to `margin` is acceptable. Give t of the test of non-inferiority.


# %% tags=["not_worse"]
def not_worse(differences, margin):
    """The mean difference plus the margin, over the standard error."""
    ### BEGIN SOLUTION
    error = statistics.stdev(differences) / len(differences) ** 0.5
    return (statistics.mean(differences) + margin) / error
    ### END SOLUTION


# %% tags=["check"]
check("not_worse", not_worse)

# %% [markdown]
# ## 5. A paper under review
#
# Your teacher marks this answer. You review a paper. It says:
#
# > We tried 30 settings of our ranker on the 50 test queries. The best one beats the baseline
# > (t-test, p = 0.02). Our fast version is as good as the full one: over 15 queries the difference
# > is not significant (p = 0.4). So we recommend the fast version.
#
# Name three problems. Say for each one what the authors should do.

# %% [markdown] tags=["review"]
# **Three problems, and what the authors should do:**
#
# ### BEGIN SOLUTION
# **Thirty settings.** If no setting were better than the baseline, one or two of thirty tests would
# still give p below 0.05. The authors should correct for thirty tests, with which 0.02 becomes
# about 0.6. Or they should choose the setting on other queries, and test it once.
#
# **"As good".** A test over 15 queries finds only large differences, so p = 0.4 says little. The
# authors should name the loss that they accept, and test for non-inferiority with more queries.
#
# **No size.** The paper gives only p-values. It should give the mean differences with their
# intervals, so that readers can judge whether they matter.
# ### END SOLUTION
