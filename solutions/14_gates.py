# %% [markdown]
# # Exercise 14. A gate that stops what does harm, and nothing else
#
# You compute what a gate compares, and how many queries it needs. Then you choose its limits for a
# team, and look at how another team uses its gate.
#
# **Needs.** Notebook 14. **Time.** 45 minutes. **Marks.** 12. **Bonus.** 2.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def two_versions(rng):
    """Scores by query of a new and of an old version; each has a query that the other lacks."""
    queries = [f"q{i}" for i in range(1, rng.randint(5, 8))]
    new, old = ({q: rng.randint(20, 90) / 100 for q in queries} for _ in range(2))
    return {
        "new": {**new, "q8": rng.randint(80, 95) / 100},
        "old": {**old, "q9": rng.randint(10, 30) / 100},
    }


def spread_and_change(rng):
    """Differences of some queries, and the change that the team wants to find."""
    differences = [rng.randint(-40, 40) / 100 for _ in range(rng.randint(6, 9))]
    return {"differences": differences, "change": rng.choice([0.01, 0.02, 0.03, 0.05])}


def at(rank):
    """Six documents or more, the relevant one at this rank."""
    others = [f"d{i}" for i in range(1, max(6, rank))]
    return [*others[: rank - 1], "home", *others[rank - 1 :]]


# By kind of release: the ranks of the relevant document, before and after, of some queries.
RELEASES = {
    "the same": [],
    "most queries lose one rank": [(1, 2)] * 9,
    "a few win": [(2, 1)] * 3,
    "some win, a few more lose": [(1, 2)] * 3 + [(2, 1)] * 2,
    "one query loses its page": [(1, 6)],
    "some win, one loses its page": [(2, 1)] * 3 + [(1, 6)],
    "all win, one loses its page": [(2, 1)] * 10 + [(1, 6)],
    "two win, two lose": [(2, 1)] * 2 + [(1, 2)] * 2,
    "six lose a little": [(2, 3)] * 6,
    "one falls to rank 3": [(1, 3)],
    "all win, one falls to rank 3": [(2, 1)] * 10 + [(1, 3)],
}


def release(ranks):
    """Each query with one relevant document, at its ranks before and after a release."""
    queries = [f"q{i:02}" for i in range(1, len(ranks) + 1)]
    return {
        "run": {q: at(after) for q, (_, after) in zip(queries, ranks, strict=True)},
        "baseline": {q: at(before) for q, (before, _) in zip(queries, ranks, strict=True)},
        "qrels": {q: {f"d{i}": 0 for i in range(1, 6)} | {"home": 1} for q in queries},
    }


# Each is on one side of a limit, and a wrong measure, margin, level or limit puts it on the other.
ON_A_SIDE = [
    [(2, 3)] * 6,  # the mean falls by 0.08, with evidence
    [(4, 5)] * 6,  # by 0.025
    [(5, 6)] * 6,  # by 0.017, which is tolerated
    [(2, 3)] * 4,  # by 0.06, but p is 0.125
    [(2, 3)] * 5,  # by 0.07, but p is 0.0625
    [(10, 11)] * 12,  # by 0.009, which is tolerated; RR@10 falls by 0.1
    [(1, 3)],  # one query loses 0.67; its nDCG loses 0.5
    [(1, 2)],  # one query loses 0.5
    [(2, 1)] * 2 + [(1, 2)] * 2,
    [(2, 1)] * 9,
    [(6, 1)],
]
EDGES = [release(ranks + [(1, 1)] * (12 - len(ranks))) for ranks in ON_A_SIDE]


def a_release(rng):
    """Twelve queries, each with one relevant document, before and after a release."""
    kind = rng.choice(
        ["the same", "a few win", "some win, a few more lose", "some win, a few more lose",
         "most queries lose one rank", "one query loses its page", "two win, two lose",
         "six lose a little", "one falls to rank 3", "all win, one falls to rank 3",
         "some win, one loses its page", "all win, one loses its page"]
    )  # fmt: skip
    ranks = list(RELEASES[kind])
    while len(ranks) < 12:
        rank = rng.choice([1, 1, 2, 3])
        ranks.append((rank, rank))
    rng.shuffle(ranks)
    return release(ranks)


HARNESS = """
import warnings

def passes(*given):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            test_release(*given)
    except AssertionError:
        return False
    return True
"""
BOTH = "[q for q in new if q in old]"
MEAN = "(sum(differences) / len(differences))"
SQUARES = f"sum([(d - {MEAN}) ** 2 for d in differences])"
VARIANCE = f"({SQUARES} / (len(differences) - 1))"
LOST = "[reciprocal_rank(baseline[q], qrels[q]) - reciprocal_rank(run[q], qrels[q]) for q in qrels]"
FELL = f"sum({LOST}) / len(qrels) > 0.02"
TESTED = (
    "compare({'old': baseline, 'new': run}, qrels, 'RR').tested('new', 'RR')"
    ".p['randomisation'] < 0.05"
)
WORST = f"max({LOST}) <= 0.6"
WON = LOST.replace("baseline[q]", "the run").replace("run[q]", "baseline[q]")
WON = WON.replace("the run", "run[q]")
OF_NDCG = LOST.replace("reciprocal_rank", "ndcg")
NOT_WORSE = f"randomisation([d + 0.02 for d in {WON}]) < 0.05"

spec = Exercise(
    "14",
    "A gate that stops what does harm, and nothing else",
    [
        Question(
            "queries_needed",
            f"2.8 ** 2 * {VARIANCE} / change ** 2",
            spread_and_change,
            title="how many queries",
            asks="A pilot gave these differences between two versions. How many queries find a "
            "true change of this size four times in five? It has to be 2.8 standard errors, from "
            "the sample standard deviation (n - 1). Do not round the number up.",
            marks=3,
            tolerance=1e-4,
            wrongs=[
                Wrong(
                    "not-squared",
                    "2.8 times the standard deviation over the change",
                    f"2.8 * {VARIANCE} ** 0.5 / change",
                    "The standard error falls with the root of n: square the quotient.",
                ),
                Wrong(
                    "half-the-power",
                    "a number of queries that finds the change only every second time",
                    f"1.96 ** 2 * {VARIANCE} / change ** 2",
                    "1.96 is for the level alone. Four times in five adds 0.84.",
                ),
                Wrong(
                    "around-zero",
                    "a spread around 0 in place of the mean",
                    "2.8 ** 2 * sum([d ** 2 for d in differences]) / (len(differences) - 1)"
                    " / change ** 2",
                    "The standard deviation measures the distances from the mean.",
                ),
                Wrong(
                    "divided-by-n",
                    "a variance with n below the line",
                    f"2.8 ** 2 * {SQUARES} / len(differences) / change ** 2",
                    "The differences are a sample: divide by n - 1.",
                ),
            ],
            hints=[
                "Solve the least detectable difference of the notebook for n.",
                "statistics.stdev divides by n - 1.",
            ],
        ),
        Question(
            "test_release",
            f"not ({FELL} and {TESTED}) and {WORST}",
            a_release,
            title="limits for a team",
            asks="A gate fails if the mean of RR fell by more than 0.02 and the paired test finds "
            "that there is a fall (p < 0.05). It also fails if any query lost more than 0.6. Does "
            "this run pass?",
            marks=3,
            jointly=True,
            tries=12,
            edges=EDGES,
            names={"randomisation": "irmetrics_edu.runs.significance:randomisation"},
            harness=HARNESS,
            calls="passes",
            packages=("numpy", "scipy", "irmetrics_edu"),
            wrongs=[
                Wrong(
                    "catches-nothing",
                    "a test that never fails",
                    "True",
                    "It passed each of these releases, and some are bad: call assert_no_regression "
                    "with margin.",
                ),
                Wrong(
                    "fails-always",
                    "a test that always fails",
                    "False",
                    "A harmless release must pass: check the order run, baseline, qrels.",
                ),
                Wrong(
                    "no-limit-on-queries",
                    "a gate without a limit on single queries",
                    f"not ({FELL} and {TESTED})",
                    "One home page that is lost hardly moves the mean: set max_query_drop.",
                ),
                Wrong(
                    "no-limit-on-the-mean",
                    "a limit on single queries alone",
                    WORST,
                    "Many small losses make a bad release, too: margin is for the mean.",
                ),
                Wrong(
                    "no-test",
                    "a bound on the mean without a test",
                    f"not ({FELL}) and {WORST}",
                    "Three queries down and two up is noise: the gate needs evidence for a fall.",
                ),
                Wrong(
                    "exchanged",
                    "a gate whose run and baseline are exchanged",
                    f"not (sum({WON}) / len(qrels) > 0.02 and {TESTED}) and max({WON}) <= 0.6",
                    "The run comes first: assert_no_regression(run, baseline, qrels, ...).",
                ),
                Wrong(
                    "bound-on-the-mean-alone",
                    "a bound on the mean, without a test and without a limit on single queries",
                    f"not ({FELL})",
                    "The gate needs evidence for a fall of the mean, and max_query_drop.",
                ),
                Wrong(
                    "inconclusive-stops",
                    "a gate that stops a release of which it can't tell",
                    f"(not any({WON}) or ({NOT_WORSE} and not ({FELL}))) and {WORST}",
                    "An inconclusive gate lets the release pass: leave out inconclusive=.",
                ),
                Wrong(
                    "another-measure",
                    "a gate on nDCG",
                    f"not (sum({OF_NDCG}) / len(qrels) > 0.02 and {TESTED.replace('RR', 'nDCG')})"
                    f" and max({OF_NDCG}) <= 0.6",
                    "The team measures RR.",
                ),
            ],
            hints=[
                "from irmetrics_edu.gate import assert_no_regression",
                "margin goes with the test; max_query_drop holds whatever the test says.",
            ],
        ),
        Question(
            "mean_difference",
            f"sum([new[q] - old[q] for q in {BOTH}]) / len({BOTH})",
            two_versions,
            edges=[
                {"new": {"q1": 0.5, "q2": 0.2}, "old": {"q1": 0.3, "q2": 0.6}},
                {"new": {"q1": 0.4, "q3": 0.2}, "old": {"q2": 0.9, "q3": 0.7}},
            ],
            title="the mean difference",
            asks="Two versions of an engine have these scores, query by query. What is the mean "
            "difference, new less old, over the queries that both have?",
            wrongs=[
                Wrong(
                    "means-subtracted",
                    "the difference of the two means, each over its own queries",
                    "sum(new.values()) / len(new) - sum(old.values()) / len(old)",
                    "Then queries that only one version has count. They say nothing of the change.",
                ),
                Wrong(
                    "missing-as-zero",
                    "a mean in which a query that a version lacks counts 0",
                    "(sum(new.values()) - sum(old.values())) / (len(new) + 1)",
                    "A query that was not in the baseline did not score 0 there.",
                ),
                Wrong(
                    "old-less-new",
                    "old less new",
                    f"sum([old[q] - new[q] for q in {BOTH}]) / len({BOTH})",
                    "A rise is a positive difference: subtract the old score.",
                ),
            ],
            hints=["Which queries do both have?", "Subtract query by query, then take the mean."],
            bonus=True,
        ),
    ],
    [
        ByHand(
            "limits",
            "Choose the limits",
            [
                Criterion(
                    "margin",
                    1,
                    "A number below 0.02, such as 0.01, from the loss that the team can't accept. "
                    "Half a point for a number without a reason, or for one taken from the noise "
                    "of the 50 queries. No point for 0: then only a proven rise passes.",
                ),
                Criterion(
                    "queries",
                    1,
                    "Sees that 50 queries are too few: (2.8 x 0.15 / 0.02)^2 is about 440. So it "
                    "asks for more judged queries, or says that most verdicts will be "
                    "inconclusive. A lower confidence without its price is no point.",
                ),
                Criterion(
                    "single queries",
                    1,
                    "Guards the three legal queries by name (protected) or sets a limit for them "
                    "alone. max_query_drop for all 50 queries earns half a point: harmless changes "
                    "of many queries break it.",
                ),
            ],
        ),
        ByHand(
            "ci",
            "Criticise a pipeline",
            [
                Criterion(
                    "retry",
                    1,
                    "Running again with other queries until it passes is many looks at chance: a "
                    "harmful change passes in the end. Remedy: fixed queries, or one look at a "
                    "number chosen before.",
                ),
                Criterion(
                    "baseline",
                    1,
                    "The baseline is written anew after each merge, by the pipeline. Small losses "
                    "add up, and no one sees it: each is within 0.01 of the last. Remedy: a person "
                    "reviews the new baseline; compare with an older release as well.",
                ),
                Criterion(
                    "one point more",
                    1,
                    "A third true flaw or a flaw that is none, with its reason: inconclusive "
                    "counts as a pass and is not shown to anyone; the grades by clicks of the old "
                    "engine favour the old ranking. That nDCG@10 is used is no flaw.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import statistics

from irmetrics_edu.classroom.exercises import begin, check, hint
from irmetrics_edu.gate import assert_no_regression

# %% [markdown]
# ## 1. How many queries
#
# A pilot gave the `differences` of some queries. About how many queries find a true change of the
# size `change` four times in five? Use 2.8 as in the notebook, and don't round.


# %% tags=["queries_needed"]
def queries_needed(differences, change):
    """About how many queries find a change of this size four times in five."""
    ### BEGIN SOLUTION
    return (2.8 * statistics.stdev(differences) / change) ** 2
    ### END SOLUTION


# %% tags=["check"]
check("queries_needed", queries_needed)

# %% [markdown]
# ## 2. Limits for a team
#
# A team searches for home pages and measures RR. Its release may lower the mean by 0.02. If the
# mean falls by more, the gate fails, but only with evidence (p < 0.05). Whatever the test says, no
# query may lose more than 0.6. An inconclusive gate lets the release pass.


# %% tags=["test_release"]
def test_release(run, baseline, qrels):
    """The release loses no more than the team tolerates."""
    ### BEGIN SOLUTION
    assert_no_regression(run, baseline, qrels, "RR", margin=0.02, max_query_drop=0.6)
    ### END SOLUTION


# %% tags=["check"]
check("test_release", test_release)

# %% [markdown]
# ## 3. Choose the limits
#
# Your teacher marks this answer. A city has a search engine for its offices and forms. The team has
# 50 judged queries. The differences in nDCG@10 between two versions have a standard deviation of
# 0.15. A loss of 0.02 would bring so many phone calls that the city must not release it. Three
# queries are about deadlines in court; their right form must stay first.
#
# Write five to eight sentences. Choose `margin`, and say whether 50 queries are enough. Say how
# you guard the three queries.

# %% [markdown] tags=["limits"]
# **Your limits, and the reason for each:**
#
# ### BEGIN SOLUTION
# **margin = 0.01.** A loss of 0.02 must not be released, so what we tolerate has to be smaller.
#
# **The queries are too few.** To find a loss of 0.02 four times in five we need about
# (2.8 · 0.15 / 0.02)², that is 441 queries. With 50 queries we find only losses of about 0.06. So
# we judge more queries, at least 400. Until then most verdicts are inconclusive, and a person has
# to decide.
#
# **The three queries** are named in `protected=`. A fall of these queries then fails the gate,
# whatever the mean does. A limit on all queries would stop harmless releases: many changes move a
# few queries a lot.
# ### END SOLUTION

# %% [markdown]
# ## 4. Criticise a pipeline
#
# Your teacher marks this answer. A team describes its pipeline:
#
# > Every pull request runs a gate on nDCG@10 with margin=0.01. It draws 40 of our 2,000 queries
# > at random. If the gate fails, the job runs again, up to five times, with 40 other queries. It is
# > green if one of the runs passes or is inconclusive. After each merge the job writes the new
# > ranking as the baseline. Our grades come from clicks on the results of the engine of last year.
#
# Name the three worst flaws. Say for each what can go wrong, and what the team should do instead.

# %% [markdown] tags=["ci"]
# **Three flaws, what each of them can do, and what to do instead:**
#
# ### BEGIN SOLUTION
# **It runs again until it is green.** With six samples a harmful change finds one sample that looks
# harmless. The team should keep its queries, use as many as it needs, and look once.
#
# **The job accepts its own baseline.** Each merge may lose a little, and the next one is compared
# with what is already worse. After ten merges the engine has lost 0.1, and no gate failed. A person
# should review each new baseline, and a second gate should compare with the last release.
#
# **An inconclusive gate is green, and no one sees it.** With 40 queries most verdicts are
# inconclusive. The team should show them, and judge more queries. (Also right: clicks on the old
# engine's results can only make documents relevant that the old engine showed. A new engine that
# finds others looks worse.)
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 5. The mean difference
#
# `new` and `old` map queries to scores. Some queries are in one of them only. Return the mean of
# new less old, over the queries that both have.


# %% tags=["mean_difference"]
def mean_difference(new, old):
    """The mean over the common queries of new less old."""
    ### BEGIN SOLUTION
    return statistics.fmean(new[q] - old[q] for q in new if q in old)
    ### END SOLUTION


# %% tags=["check"]
check("mean_difference", mean_difference)
