# %% [markdown]
# # Exercise 13. A test that catches a broken ranker, and lets a good one pass
#
# A search team keeps judgments (`qrels`) and, for every change of its ranker, the rankings that it
# gives (`run`). You write the tests. Each is run against rankers good and bad: it has to fail for
# the bad ones, and must not fail for a good one. Use the assertions of the package.
#
# **Needs.** Notebook 13. **Time.** 40 minutes. **Marks.** 11. **Bonus.** 2.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong

HARNESS = """
def passes(*given):
    try:
        {}(*given)
    except AssertionError:
        return False
    return True
"""
PACKAGES = ("numpy", "irmetrics_edu")


def ranked_by(rng, judgments, noise):
    """Documents by grade, with so much noise."""
    return sorted(judgments, key=lambda d: (-judgments[d] + rng.gauss(0, noise), d))


def some_qrels(rng, queries):
    """Judgments with grades 0 to 3."""
    return {
        f"q{q}": {f"d{q}{i}": rng.choice([0, 0, 1, 2, 3]) for i in range(6)} | {f"d{q}6": 3}
        for q in range(1, queries + 1)
    }


def a_ranker(rng, silence=0.3):
    """What a ranker gives: more or less noisy, now and then upside down for one query.

    A ranker that leaves out a query is better on the others, so that its mean is as often above 0.7
    as that of one that answers all: the number of answers does not tell.
    """
    qrels = some_qrels(rng, 4)
    silent = rng.random() < silence
    noise = rng.choice([0.3, 0.3, 0.7, 1.0] if silent else [0.3, 1.0, 2.0, 3.0])
    run = {q: ranked_by(rng, j, noise) for q, j in qrels.items()}
    if rng.random() < (0.25 if silent else 0.5):
        broken = rng.choice(list(run))
        run[broken] = ranked_by(rng, qrels[broken], 0.2)[::-1]
    if silent:
        del run[rng.choice(list(run))]
    return {"run": run, "qrels": qrels}


def an_even_ranker(rng):
    """The same, seldom without an answer: where each query has a bound, that alone decides."""
    return a_ranker(rng, silence=0.05)


def one_page(rng):
    """Navigational queries: one document is the right one.

    MRR is at least 0.6 in two thirds of the runs, with a query left out or not.
    """
    silent = rng.random() < 0.3
    places = [0, 0, 0, 0, 0, 1, 1, 4] if silent else [0, 0, 0, 1, 1, 2, 4]
    qrels = {f"q{q}": {f"d{i}": 0 for i in range(5)} | {"home": 1} for q in range(1, 6)}
    run = {}
    for q in qrels:
        others = [f"d{i}" for i in range(5)]
        rng.shuffle(others)
        others.insert(rng.choice(places), "home")
        run[q] = others
    if silent:
        del run[rng.choice(list(run))]
    return {"run": run, "qrels": qrels}


NDCG = "[ndcg(run.get(q, []), qrels[q], k=3) for q in qrels]"
EXP = "[ndcg(run.get(q, []), qrels[q], k=3, gain='exp') for q in qrels]"
RR = "[reciprocal_rank(run.get(q, []), qrels[q]) for q in qrels]"
SILENT = {
    "run": {"q1": ["a"]},
    "qrels": {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}},
}
# By another cut the first would pass, and the second would not.
CUTS = [
    {"run": {"q1": ["a", "x", "y", "b"]}, "qrels": {"q1": {"a": 1, "b": 1}}},
    {"run": {"q1": ["a", "x", "b"]}, "qrels": {"q1": {"a": 1, "b": 1}}},
]
ONE_IS_WEAK = {
    "run": {"q1": ["a"], "q2": ["a"], "q3": ["a"], "q4": ["x", "y", "a"]},
    "qrels": {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"a": 1, "b": 1, "c": 1}},
}
# The last query has 0.31, just above a bound of 0.3.
ONE_IS_NEAR = {
    "run": {"q1": ["a"], "q2": ["a"], "q3": ["a"], "q4": ["x", "y", "a"]},
    "qrels": {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"a": 1, "b": 1}},
}


def at_ranks(*ranks):
    """A run with one relevant document for each query, at these ranks."""
    run = {f"q{i}": [f"x{j}" for j in range(1, r)] + ["a"] for i, r in enumerate(ranks, 1)}
    return {"run": run, "qrels": {query: {"a": 1} for query in run}}


# The mean of nDCG@3 is 0.6905, just below the bound, and 0.7, which is enough.
AT_THE_BOUND = [at_ranks(1, 2, 2, 3), at_ranks(1, 1, 3, 3, 3)]
# The last query has 0.296, just below a bound of 0.3.
ONE_IS_BELOW = {
    "run": {"q1": ["a"], "q2": ["a"], "q3": ["a"], "q4": ["x", "a"]},
    "qrels": {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"a": 1, "b": 1, "c": 1}},
}


def silence_pays(scores):
    """The mistake of a test that leaves out the queries without an answer."""
    return Wrong(
        "silence-skipped",
        "a test of the answered queries alone",
        scores,
        "A query without an answer counts 0. Otherwise a ranker gains by silence.",
    )


NOTHING = Wrong(
    "catches-nothing",
    "a test that never fails",
    "True",
    "It passed each of these runs, and some are bad: call an assertion with the right bound.",
)
ALL = Wrong(
    "fails-always",
    "a test that always fails",
    "False",
    "A good ranker must pass: check the bound and the arguments of the call.",
)

spec = Exercise(
    "13",
    "A test that catches a broken ranker, and lets a good one pass",
    [
        Question(
            "test_average",
            f"mean({NDCG}) >= 0.7",
            a_ranker,
            title="a bound on the mean",
            asks="A test requires that the mean of nDCG@3 over the queries (the gain is the "
            "grade, the discount 1/log2(i+1), the ideal that of all judged "
            "documents, cut at k = 3, too) is at least 0.7. Does this run pass?",
            jointly=True,
            tries=10,
            edges=[SILENT, *CUTS, *AT_THE_BOUND],
            harness=HARNESS.format("test_average"),
            calls="passes",
            packages=PACKAGES,
            wrongs=[
                NOTHING,
                ALL,
                silence_pays("mean([ndcg(run[q], qrels[q], k=3) for q in run]) >= 0.7"),
                Wrong(
                    "cut-ignored",
                    "a test on the whole ranking",
                    "mean([ndcg(run.get(q, []), qrels[q]) for q in qrels]) >= 0.7",
                    "The requirement is about the first three documents: k=3.",
                ),
            ],
            hints=[
                "from irmetrics_edu.gate import assert_ndcg",
                "It takes run, qrels, k and at_least.",
            ],
        ),
        Question(
            "test_every_query",
            f"mean({NDCG}) >= 0.7 and min({NDCG}) >= 0.3",
            an_even_ranker,
            title="no query may fail",
            asks="A test requires that the mean of nDCG@3 (the gain is the grade, the discount "
            "1/log2(i+1), the ideal that of all judged documents, cut at k = 3, too) is at least "
            "0.7, and that every query has at least 0.3. Does this run pass?",
            marks=3,
            jointly=True,
            tries=12,
            edges=[SILENT, *CUTS, *AT_THE_BOUND, ONE_IS_WEAK, ONE_IS_NEAR, ONE_IS_BELOW],
            harness=HARNESS.format("test_every_query"),
            calls="passes",
            packages=PACKAGES,
            wrongs=[
                NOTHING,
                ALL,
                silence_pays(
                    "mean([ndcg(run[q], qrels[q], k=3) for q in run]) >= 0.7 and "
                    "min([ndcg(run[q], qrels[q], k=3) for q in run]) >= 0.3"
                ),
                Wrong(
                    "mean-only",
                    "a test of the mean alone",
                    f"mean({NDCG}) >= 0.7",
                    "A good mean hides a query that fails: bound every query too.",
                ),
                Wrong(
                    "worst-only",
                    "a test of the worst query alone",
                    f"min({NDCG}) >= 0.3",
                    "The mean has a bound as well.",
                ),
            ],
            hints=["The assertion has a bound for each query: every_query_at_least."],
        ),
        Question(
            "test_home_page",
            f"sum({RR}) / len(qrels) >= 0.6",
            one_page,
            title="the right page, high up",
            asks="A test requires that the mean reciprocal rank over the queries is at least 0.6. "
            "Does this run pass?",
            marks=3,
            jointly=True,
            tries=12,
            # 0.603 with the page at rank 12, and exactly 0.6
            edges=[SILENT, at_ranks(1, 1, 1, 3, 5, 12), at_ranks(1, 5)],
            harness=HARNESS.format("test_home_page"),
            calls="passes",
            packages=PACKAGES,
            wrongs=[
                NOTHING,
                ALL,
                silence_pays("mean([reciprocal_rank(run[q], qrels[q]) for q in run]) >= 0.6"),
                Wrong(
                    "every-query",
                    "a test that holds each query to the bound of the mean",
                    f"min({RR}) >= 0.6",
                    "The bound is on the mean over queries.",
                ),
                Wrong(
                    "first-place-only",
                    "a test of the first place alone",
                    "mean([precision(run.get(q, []), qrels[q], k=1) for q in qrels]) >= 0.6",
                    "MRR gives a second place half of what a first place gives.",
                ),
            ],
            hints=[
                "The mean of the reciprocal rank is MRR.",
                "Every metric of the package has its assertion: assert_reciprocal_rank.",
            ],
        ),
        Question(
            "test_excellent_first",
            f"mean({EXP}) >= 0.7",
            a_ranker,
            title="the convention that was agreed on",
            asks="A test requires that the mean of nDCG@3 (the gain is 2^grade - 1, the discount "
            "1/log2(i+1), the ideal that of all judged documents, cut at k = 3, too) is at least "
            "0.7. Does this run pass?",
            jointly=True,
            tries=12,
            edges=[SILENT, *CUTS, *AT_THE_BOUND, at_ranks(2)],
            harness=HARNESS.format("test_excellent_first"),
            calls="passes",
            packages=PACKAGES,
            wrongs=[
                NOTHING,
                ALL,
                silence_pays("mean([ndcg(run[q], qrels[q], k=3, gain='exp') for q in run]) >= 0.7"),
                Wrong(
                    "gain-linear",
                    "a test of nDCG with the grade itself as gain",
                    f"mean({NDCG}) >= 0.7",
                    "The agreement says gain 2^grade - 1; the default is the grade itself.",
                ),
            ],
            hints=['The assertions take the conventions of their metric: gain="exp".'],
            bonus=True,
        ),
    ],
    [
        ByHand(
            "find_the_flaw",
            "Find the flaw",
            [
                Criterion(
                    "flaw",
                    1,
                    "The settings were chosen by the score on the same 20 queries that the report "
                    "gives: the best of 15 is reported. Half a point for 'no significance test' or "
                    "'too few queries' alone. No point for the unjudged documents.",
                ),
                Criterion(
                    "effect",
                    1,
                    "Says why this makes the rise too large: of 15 noisy scores the best is partly "
                    "luck, so the rise shrinks on new queries, and a test on the same 20 queries "
                    "does not show it.",
                ),
                Criterion(
                    "remedy",
                    1,
                    "Choose the settings on other queries than those that are reported, and then "
                    "compare once, with a test or an interval. A correction for 15 comparisons "
                    "on the 20 queries is half a point.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint
from irmetrics_edu.gate import assert_ndcg, assert_reciprocal_rank

# %% [markdown]
# ## 1. A bound on the mean
#
# The mean of nDCG@3 has to be at least 0.7. A test is a function that raises AssertionError if the
# requirement is not met, and otherwise returns.


# %% tags=["test_average"]
def test_average(run, qrels):
    """The mean of nDCG@3 is at least 0.7."""
    ### BEGIN SOLUTION
    assert_ndcg(run, qrels, k=3, at_least=0.7)
    ### END SOLUTION


# %% tags=["check"]
check("test_average", test_average)

# %% [markdown]
# ## 2. No query may fail
#
# In addition no query may have an nDCG@3 below 0.3.


# %% tags=["test_every_query"]
def test_every_query(run, qrels):
    """The mean of nDCG@3 is at least 0.7, and no query is below 0.3."""
    ### BEGIN SOLUTION
    assert_ndcg(run, qrels, k=3, at_least=0.7, every_query_at_least=0.3)
    ### END SOLUTION


# %% tags=["check"]
check("test_every_query", test_every_query)

# %% [markdown]
# ## 3. The right page, high up
#
# Other queries look for one page. Their MRR has to be at least 0.6.


# %% tags=["test_home_page"]
def test_home_page(run, qrels):
    """MRR is at least 0.6."""
    ### BEGIN SOLUTION
    assert_reciprocal_rank(run, qrels, at_least=0.6)
    ### END SOLUTION


# %% tags=["check"]
check("test_home_page", test_home_page)

# %% [markdown]
# ## 4. Find the flaw
#
# Your teacher marks this answer. A team wrote this report:
#
# > Our new ranker is better. The mean of nDCG@10 rose from 0.61 to 0.64. We tried 15 settings of
# > the new ranker on our 20 queries, and we report the best setting. In its first ten results,
# > 30 % of the documents have no judgment; we counted these as non-relevant. The judgments were
# > made from the results of the old ranker.
#
# The rise from 0.61 to 0.64 may be an illusion. Write five to ten sentences.
#
# 1. Name the flaw that can make the rise too large. Not every odd thing in the report does that.
# 2. Explain how this flaw raises the score.
# 3. Say what the team should do instead.

# %% [markdown] tags=["find_the_flaw"]
# **The flaw, how it raises the score, and what the team should do instead:**
#
# ### BEGIN SOLUTION
# **The flaw.** The team chose the setting on the same 20 queries on which it reports the score.
#
# **How it raises the score.** Each of the 15 scores is partly luck, because 20 queries are few. The
# best of 15 scores is one with good luck. On new queries the luck is gone and the rise shrinks. A
# significance test on the same 20 queries does not help: it does not know of the 14 settings that
# were dropped.
#
# **What to do.** Choose the setting on other queries. Then compare this one setting with the old
# ranker, once, on queries that nobody has used, and give an interval for the difference.
#
# **What is not the flaw.** The unjudged documents are counted as non-relevant, which lowers the
# score of the new ranker. They should be judged, but they can't explain a rise.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 5. The convention that was agreed on
#
# An excellent document is to count much more than a good one, so the team agreed on the gain
# $2^g-1$. With it, the mean of nDCG@3 has to be at least 0.7.


# %% tags=["test_excellent_first"]
def test_excellent_first(run, qrels):
    """The mean of nDCG@3 with the gain 2^grade - 1 is at least 0.7."""
    ### BEGIN SOLUTION
    assert_ndcg(run, qrels, k=3, gain="exp", at_least=0.7)
    ### END SOLUTION


# %% tags=["check"]
check("test_excellent_first", test_excellent_first)
