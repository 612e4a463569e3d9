# %% [markdown]
# # Exercise 6. More than chance: differences, swaps, and power
#
# You compare two systems query by query, count a p-value, and say how many queries a test needs.
#
# **Needs.** Notebook 6. **Time.** 45 minutes. **Marks.** 13.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def some_scores(rng):
    """The APs of one system on a few queries."""
    return {"values": [rng.randint(1, 19) / 20 for _ in range(rng.randint(4, 6))]}


def old_and_new(rng):
    """The APs of two systems by query, in another order; on one query they are equal."""
    queries = [f"q{i}" for i in range(1, rng.randint(6, 8))]
    old = {query: rng.randint(2, 16) / 20 for query in queries}
    moved = {query: rng.choice([-0.1, 0.05, 0.1, 0.15]) for query in queries}
    moved[rng.choice(queries)] = 0.0
    rng.shuffle(queries)
    return {"old": old, "new": {query: round(old[query] + moved[query], 2) for query in queries}}


def few_differences(rng):
    """Few differences, none of which is 0, so that all ways to swap can be written down."""
    sizes = rng.sample([0.02, 0.05, 0.09, 0.14, 0.2, 0.27], rng.randint(4, 6))
    return {"differences": [size if rng.random() < 0.75 else -size for size in sizes]}


def some_differences(rng):
    """Differences of two systems, query by query."""
    return {"differences": [rng.randint(-20, 30) / 100 for _ in range(rng.randint(5, 9))]}


def some_p_values(rng):
    """The p-values of the same comparison over collections drawn anew, one of them at the level."""
    ps = [rng.randint(1, 49) / 1000 for _ in range(rng.randint(2, 4))]
    ps += [rng.randint(51, 900) / 1000 for _ in range(rng.randint(2, 4))]
    ps.append(0.05)
    rng.shuffle(ps)
    return {"ps": ps, "level": 0.05}


COUNT = "len(values)"
CENTRE = f"(sum(values) / {COUNT})"
BY_QUERY = "[new[q] - old[q] for q in old]"
WON = "sum([new[q] > old[q] for q in old])"
LOST = "sum([new[q] < old[q] for q in old])"
N = "len(differences)"
MEAN = f"(sum(differences) / {N})"
SQUARES = f"sum([(d - {MEAN}) ** 2 for d in differences])"
ERROR = f"({SQUARES} / ({N} - 1) / {N}) ** 0.5"
HOME = "irmetrics_edu.runs.significance:"

spec = Exercise(
    "06",
    "More than chance: differences, swaps, and power",
    [
        Question(
            "spread_of",
            "variance(values)",
            some_scores,
            title="the variance",
            asks="These are the APs of a system on a few queries. What is their variance?",
            marks=1,
            edges=[{"values": [0.5, 0.5]}, {"values": [0.2, 0.8]}],
            wrongs=[
                Wrong(
                    "divided-by-n",
                    "a variance with n below the line",
                    f"variance(values) * ({COUNT} - 1) / {COUNT}",
                    "The queries are a sample: divide the squares by n - 1.",
                ),
                Wrong(
                    "standard-deviation",
                    "the standard deviation",
                    "variance(values) ** 0.5",
                    "The variance is the square of the standard deviation: take no root.",
                ),
                Wrong(
                    "around-zero",
                    "a spread around 0 in place of the mean",
                    f"sum([x ** 2 for x in values]) / ({COUNT} - 1)",
                    "Subtract the mean from each score before you square.",
                ),
                Wrong(
                    "not-squared",
                    "the distances from the mean, not squared",
                    f"sum([abs(x - {CENTRE}) for x in values]) / ({COUNT} - 1)",
                    "Square each distance from the mean.",
                ),
            ],
            hints=["Subtract the mean from each score, square, add up, and divide by n - 1."],
        ),
        Question(
            "against",
            f"[sum({BY_QUERY}) / len(old), {WON}, {LOST}]",
            old_and_new,
            title="query by query",
            asks="Two systems have these APs, by query. Compare the new one with the old one on "
            "each query. What is the mean difference, new less old? How many queries does the new "
            "system win, and how many does it lose? An equal score is neither.",
            parts=["the mean difference", "the queries won", "the queries lost"],
            line="value",
            marks=3,
            jointly=True,
            edges=[
                {"old": {"q1": 0.5}, "new": {"q1": 0.5}},
                {"old": {"q1": 0.5, "q2": 0.1}, "new": {"q2": 0.2, "q1": 0.9}},
                {"old": {"q1": 0.5, "q2": 0.1}, "new": {"q2": 0.05, "q1": 0.2}},
            ],
            wrongs=[
                Wrong(
                    "paired-by-place",
                    "a comparison by place, not by query",
                    "[sum([b - a for a, b in zip(old.values(), new.values())]) / len(old), "
                    "sum([b > a for a, b in zip(old.values(), new.values())]), "
                    "sum([b < a for a, b in zip(old.values(), new.values())])]",
                    "The two systems list their queries in different orders: look each query up.",
                ),
                Wrong(
                    "old-less-new",
                    "old less new",
                    f"[-sum({BY_QUERY}) / len(old), {LOST}, {WON}]",
                    "Subtract the old score from the new one.",
                ),
                Wrong(
                    "ties-won",
                    "equal scores counted as won",
                    f"[sum({BY_QUERY}) / len(old), len(old) - {LOST}, {LOST}]",
                    "Where the scores are equal nobody wins.",
                ),
                Wrong(
                    "ties-lost",
                    "equal scores counted as lost",
                    f"[sum({BY_QUERY}) / len(old), {WON}, len(old) - {WON}]",
                    "Where the scores are equal nobody loses.",
                ),
                Wrong(
                    "sum-of-differences",
                    "the sum of the differences",
                    f"[sum({BY_QUERY}), {WON}, {LOST}]",
                    "Divide the sum by the number of queries.",
                ),
            ],
            hints=["for query in old: new[query] - old[query] is its difference."],
        ),
        Question(
            "randomisation",
            "by_swaps(differences)",
            few_differences,
            names={"by_swaps": f"{HOME}randomisation"},
            title="the randomisation test",
            edges=[
                {"differences": [-0.2, -0.1, 0.05, -0.3]},
                {"differences": [0.3, -0.3]},
                {"differences": [0.2, 0.2]},
                {"differences": [0.2, 0.2, -0.1]},
                {"differences": [0.1, 0.2, -0.3, 0.4]},
            ],
            asks="Swap the two systems on some of these queries, in every possible way. In which "
            "share of the ways is the mean difference at least as far from 0 as the observed one?",
            marks=3,
            jointly=True,
            wrongs=[
                Wrong(
                    "one-sided",
                    "the share of one side",
                    "by_swaps(differences) / 2",
                    "Count the ways in either direction.",
                ),
                Wrong(
                    "sign-test",
                    "the sign test",
                    "sign(sum([d > 0 for d in differences]), sum([d < 0 for d in differences]))",
                    "The sign test drops the sizes. Here the means decide.",
                ),
                Wrong(
                    "observed-left-out",
                    "a share without the way that was observed",
                    f"by_swaps(differences) - 1 / 2 ** {N}",
                    "The observed way is one of all ways, so it counts.",
                ),
            ],
            hints=[
                "itertools.product([1, -1], repeat=n) gives every way.",
                "Compare the sums with abs(...), and leave room for rounding: >= ... - 1e-12.",
            ],
        ),
        Question(
            "detectable",
            f"2.8 * {ERROR}",
            some_differences,
            title="the least detectable difference",
            asks="Two systems have these differences, query by query. By the rule of thumb with "
            "2.8, which true difference does a test over so many queries find four times in five?",
            marks=2,
            edges=[
                {"differences": [0.1, -0.3]},
                {"differences": [0.1, 0.1, 0.1]},
                {"differences": [0.9, -0.8]},
            ],
            wrongs=[
                Wrong(
                    "no-root",
                    "the standard deviation over n, not over its root",
                    f"2.8 * ({SQUARES} / ({N} - 1)) ** 0.5 / {N}",
                    "Divide by the root of the number of queries.",
                ),
                Wrong(
                    "divided-by-n",
                    "a variance with n below the line",
                    f"2.8 * ({SQUARES} / {N} / {N}) ** 0.5",
                    "The queries are a sample: divide the squares by n - 1.",
                ),
                Wrong(
                    "level-alone",
                    "1.96 standard errors",
                    f"1.96 * {ERROR}",
                    "1.96 is for the level alone. The power of 0.8 adds 0.84.",
                ),
                Wrong(
                    "standard-deviation",
                    "2.8 standard deviations",
                    f"2.8 * ({SQUARES} / ({N} - 1)) ** 0.5",
                    "More queries find smaller differences: divide by the root of their number.",
                ),
                Wrong(
                    "the-mean",
                    "the mean of the differences",
                    MEAN,
                    "The rule asks how far the differences scatter, not how large they are.",
                ),
            ],
            hints=[
                "statistics.stdev divides by n - 1.",
                "2.8 times the standard deviation of the differences, over the root of n.",
            ],
        ),
        Question(
            "power",
            "sum([p < level for p in ps]) / len(ps)",
            some_p_values,
            title="the power",
            asks="Two systems differ in truth. They were compared on many collections, and the "
            "test gave these p-values. Estimate the power of the test at this level.",
            marks=1,
            edges=[
                {"ps": [0.05], "level": 0.05},
                {"ps": [0.001, 0.02], "level": 0.05},
                {"ps": [0.02, 0.04], "level": 0.01},
                {"ps": [0.02, 0.02, 0.3], "level": 0.05},
            ],
            wrongs=[
                Wrong(
                    "at-most-the-level",
                    "a share that counts p at the level, too",
                    "sum([p <= level for p in ps]) / len(ps)",
                    "A difference is significant if p is below the level.",
                ),
                Wrong(
                    "the-misses",
                    "the share of tests that miss the difference",
                    "sum([p >= level for p in ps]) / len(ps)",
                    "Power is the share of tests that find the difference.",
                ),
                Wrong(
                    "a-count",
                    "how many tests find it",
                    "sum([p < level for p in ps])",
                    "Divide by the number of tests.",
                ),
                Wrong(
                    "one-less-mean-p",
                    "1 less the mean of the p-values",
                    "1 - sum(ps) / len(ps)",
                    "How small p is does not matter: count the tests with p below the level.",
                ),
            ],
            hints=["In which share of the tests is p below the level?"],
        ),
    ],
    [
        ByHand(
            "report",
            "A report to review",
            [
                Criterion(
                    "spread",
                    1,
                    "The spread over queries is not what counts: the same queries are hard for "
                    "both systems, so look at the differences query by query. Half a point for "
                    "'use a test' without this reason.",
                ),
                Criterion(
                    "p-value",
                    1,
                    "p = 0.2 is no probability that the systems are equal: it says how often "
                    "chance alone would give such a difference if they were. Not significant does "
                    "not mean equally good, either.",
                ),
                Criterion(
                    "queries",
                    1,
                    "Half the difference needs four times as many queries: 48, not 24.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import itertools
import statistics

from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. The variance
#
# How far the scores of a system lie from their mean. The sum of the squares is divided by n - 1.


# %% tags=["spread_of"]
def spread_of(values):
    """The variance of the scores of a sample of queries."""
    ### BEGIN SOLUTION
    centre = sum(values) / len(values)
    return sum((x - centre) ** 2 for x in values) / (len(values) - 1)
    ### END SOLUTION


# %% tags=["check"]
check("spread_of", spread_of)

# %% [markdown]
# ## 2. Query by query
#
# `old` and `new` map each query to the AP of a system. Return a list: the mean difference (new less
# old), the number of queries that the new system wins, and the number that it loses.


# %% tags=["against"]
def against(old, new):
    """The mean difference, the queries won and the queries lost."""
    ### BEGIN SOLUTION
    differences = [new[query] - old[query] for query in old]
    won = sum(new[query] > old[query] for query in old)
    lost = sum(new[query] < old[query] for query in old)
    return [sum(differences) / len(differences), won, lost]
    ### END SOLUTION


# %% tags=["check"]
check("against", against)

# %% [markdown]
# ## 3. The randomisation test
#
# Swapping the two systems on a query changes the sign of its difference. Go through all ways to
# swap, and count those whose mean is at least as far from 0, in either direction. (Two means that
# differ by less than 1e-12 are equal.)


# %% tags=["randomisation"]
def randomisation(differences):
    """The share of ways to swap whose mean is at least as far from 0 as the observed one."""
    ### BEGIN SOLUTION
    far = abs(sum(differences)) - 1e-12
    ways = list(itertools.product([1, -1], repeat=len(differences)))
    sums = [sum(s * d for s, d in zip(way, differences, strict=True)) for way in ways]
    return sum(abs(total) >= far for total in sums) / len(ways)
    ### END SOLUTION


# %% tags=["check"]
check("randomisation", randomisation)

# %% [markdown]
# ## 4. The least detectable difference
#
# Use the rule of thumb: 2.8 times the standard deviation of the differences, over the root of their
# number. It is for the level 0.05 and the power 0.8.


# %% tags=["detectable"]
def detectable(differences):
    """The difference that a test over so many queries finds four times in five."""
    ### BEGIN SOLUTION
    return 2.8 * statistics.stdev(differences) / len(differences) ** 0.5
    ### END SOLUTION


# %% tags=["check"]
check("detectable", detectable)

# %% [markdown]
# ## 5. The power
#
# The same two systems were compared on many collections. `ps` are the p-values.


# %% tags=["power"]
def power(ps, level):
    """The share of tests that find the difference."""
    ### BEGIN SOLUTION
    return sum(p < level for p in ps) / len(ps)
    ### END SOLUTION


# %% tags=["check"]
check("power", power)

# %% [markdown]
# ## 6. A report to review
#
# Your teacher marks this answer. A colleague writes:
#
# > Over 12 queries our new ranker has a MAP of 0.44, and the old one has 0.41. AP varies over the
# > queries with a standard deviation of 0.22, so a difference of 0.03 can't be more than chance.
# > The randomisation test gives p = 0.2: with a probability of 20 % the two are equally good.
# > Twelve queries can find a difference of 0.06. Next year we will have 24, to find one of 0.03.
#
# Three of these sentences are wrong. Say what is wrong in each, and what would be right.

# %% [markdown] tags=["report"]
# **Three mistakes, and what would be right:**
#
# ### BEGIN SOLUTION
# **The standard deviation of 0.22** says how much harder some queries are than others. Both
# systems have the same queries, so this cancels. What counts is how the differences scatter, query
# by query.
#
# **p = 0.2** is no probability that the systems are equally good. If they were, a difference at
# least this large would come about in one test of five. The test does not show that they are
# equally good, either.
#
# **24 queries** are too few. The least detectable difference falls with the root of the number of
# queries. For half the difference the team needs four times as many: 48.
# ### END SOLUTION
