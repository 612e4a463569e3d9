# %% [markdown]
# # Exercise 26. Experiments online: groups, noise, and logs
#
# You check the sizes of two groups, compare the groups, remove noise, and estimate from a log how a
# new policy would do. Then you judge what others concluded.
#
# **Needs.** Notebook 26. **Time.** 45 minutes. **Marks.** 11. **Bonus.** 2.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def two_sizes(rng):
    """The users of two groups that a fair coin made."""
    half = rng.choice([400, 1000, 2500])
    off = rng.randint(5, 40)
    return {"a": half + off, "b": half - off - 2 * rng.randint(0, 6)}


def before_and_during(rng):
    """Clicks of users before a test and during it."""
    before = [rng.randint(0, 9) for _ in range(rng.randint(5, 7))]
    before[:2] = [1, 8]
    return {"before": before, "during": [x + rng.randint(0, 6) for x in before]}


def a_group(rng, rates):
    """Users with several sessions each, and whether there was a click in a session."""
    users = [(rng.choice(rates), rng.randint(2, 6)) for _ in range(rng.randint(5, 7))]
    return {
        f"u{i}": [int(rng.random() < rate) for _ in range(n)]
        for i, (rate, n) in enumerate(users, 1)
    }


def two_groups(rng):
    """The sessions of the users of two groups."""
    return {"control": a_group(rng, [0.1, 0.6]), "treatment": a_group(rng, [0.4, 0.9])}


def a_log(rng):
    """Rewards, and the probability of each choice under the old and under the new policy."""
    old, new = {"X": 0.5, "Y": 0.3, "Z": 0.2}, {"X": 0.1, "Y": 0.3, "Z": 0.6}
    lists = ["X", "Y", "Z", *(rng.choice("XXYYZ") for _ in range(rng.randint(4, 7)))]
    rewards = [rng.randint(0, 3) for _ in lists]
    rewards[0], rewards[2] = rng.randint(1, 2), rng.randint(1, 3)
    return {
        "rewards": rewards,
        "logged": [old[one] for one in lists],
        "new": [new[one] for one in lists],
    }


HOME = "irmetrics_edu.lab.online."
MEANS = "[sum(u) / len(u) for u in {}.values()]"
UNITS = f"{MEANS.format('control')}, {MEANS.format('treatment')}"
SESSIONS = ", ".join(f"[s for u in {g}.values() for s in u]" for g in ("control", "treatment"))
APART = f"mean({MEANS.format('treatment')}) - mean({MEANS.format('control')})"

HALF = "((a + b) / 2)"
N = "len(before)"
MEAN_X, MEAN_Y = f"(sum(before) / {N})", f"(sum(during) / {N})"
TOGETHER = f"sum([(x - {MEAN_X}) * (y - {MEAN_Y}) for x, y in list(zip(before, during))])"
ALONE = f"sum([(x - {MEAN_X}) ** 2 for x in before])"

spec = Exercise(
    "26",
    "Experiments online: groups, noise, and logs",
    [
        Question(
            "mismatch",
            f"(a - {HALF}) ** 2 / {HALF} + (b - {HALF}) ** 2 / {HALF}",
            two_sizes,
            edges=[{"a": 7, "b": 4}, {"a": 400, "b": 400}, {"a": 0, "b": 9}],
            title="sample ratio mismatch",
            asks="A fair coin sent users into two groups of these sizes. What is the value of the "
            "chi-squared test for a sample ratio mismatch?",
            marks=1,
            wrongs=[
                Wrong(
                    "one-group",
                    "the part of one group",
                    f"(a - {HALF}) ** 2 / {HALF}",
                    "Add the parts of both groups, and divide each by half of all users.",
                ),
                Wrong(
                    "not-squared",
                    "differences that are not squared",
                    f"(abs(a - {HALF}) + abs(b - {HALF})) / {HALF}",
                    "Square each difference before you divide.",
                ),
                Wrong(
                    "over-the-other",
                    "one group compared with the other",
                    "(a - b) ** 2 / b",
                    "Compare each group with the number that you expect.",
                ),
            ],
            hints=["Each group expects half of all users."],
        ),
        Question(
            "lift",
            f"[difference({UNITS}).value, difference({UNITS})['standard error']]",
            two_groups,
            names={"difference": f"{HOME}experiments:difference"},
            title="the unit of an A/B test",
            asks="The sessions of each user are listed, with 1 for a click. Users were drawn "
            "at random into control and treatment. Compare the mean click rate of the users.",
            parts=["difference, treatment less control", "its standard error"],
            line="value",
            jointly=True,
            edges=[
                {"control": {"u1": [0], "u2": [1, 1]}, "treatment": {"u1": [1, 0], "u2": [1]}},
                {"control": {"u1": [0, 0], "u4": [0, 1]}, "treatment": {"u4": [1], "u2": [1, 1]}},
            ],
            wrongs=[
                Wrong(
                    "session-as-unit",
                    "a test whose unit is the session",
                    f"[difference({SESSIONS}).value, difference({SESSIONS})['standard error']]",
                    "Users were drawn at random, and the sessions of a user are alike.",
                ),
                Wrong(
                    "control-less-treatment",
                    "control less treatment",
                    f"[-difference({UNITS}).value, difference({UNITS})['standard error']]",
                    "A lift is above 0 if the treatment is better.",
                ),
                Wrong(
                    "sum-of-errors",
                    "a sum of both standard errors",
                    f"[{APART}, sum([(variance(m) / len(m)) ** 0.5 for m in [{UNITS}]])]",
                    "Add the squared errors, and take the root of the sum.",
                ),
                Wrong(
                    "divided-by-n",
                    "variances that are divided by n in place of n - 1",
                    f"[{APART}, sum([variance(m, ddof=0) / len(m) for m in [{UNITS}]]) ** 0.5]",
                    "The variance of a sample is divided by n - 1.",
                ),
            ],
            hints=[
                "First make one number of each user: the mean of the sessions.",
                "The variance of each group over its number of users, added, and then the root.",
                "statistics.variance divides by n - 1.",
            ],
        ),
        Question(
            "from_log",
            "[ips(rewards, logged, new).value, snips(rewards, logged, new).value]",
            a_log,
            names={"ips": f"{HOME}logs:ips", "snips": f"{HOME}logs:snips"},
            title="a new policy from an old log",
            asks="A log holds the reward of each choice, its probability under the logging policy "
            "(`logged`) and under a new policy (`new`). What is the value of the new policy?",
            parts=["IPS", "SNIPS"],
            line="estimate",
            jointly=True,
            wrongs=[
                Wrong(
                    "log-alone",
                    "the mean reward of the log",
                    "[sum(rewards) / len(rewards), sum(rewards) / len(rewards)]",
                    "That is the value of the old policy. Weight each line.",
                ),
                Wrong(
                    "weights-inverted",
                    "estimates with the weight old / new",
                    "[ips(rewards, new, logged).value, snips(rewards, new, logged).value]",
                    "A line counts more if the new policy makes its choice more often: new / old.",
                ),
                Wrong(
                    "without-the-new-policy",
                    "estimates with the weight 1 / old",
                    "[ips(rewards, logged, [1 for p in new]).value, "
                    "snips(rewards, logged, [1 for p in new]).value]",
                    "The weight has the new probability above the old one.",
                ),
                Wrong(
                    "swapped",
                    "SNIPS first, and then IPS",
                    "[snips(rewards, logged, new).value, ips(rewards, logged, new).value]",
                    "Give IPS first: it divides by the number of lines.",
                ),
            ],
            hints=[
                "The weight of a line is new / logged.",
                "Both add up reward * weight. IPS divides by the number of lines.",
            ],
        ),
        Question(
            "theta",
            f"{TOGETHER} / {ALONE}",
            before_and_during,
            edges=[
                {"before": [1, 8, 1, 3], "during": [9, 2, 7, 6]},
                {"before": [1, 8, 4, 8, 5], "during": [9, 8, 9, 8, 4]},
                {
                    "before": [10, 80, 30, 25, 60, 45, 70, 15, 20],
                    "during": [20, 90, 40, 60, 90, 10, 70, 25, 30],
                },
            ],
            title="the factor of CUPED",
            asks="Users had these clicks before the test and during it. What is the factor theta "
            "of CUPED?",
            wrongs=[
                Wrong(
                    "divided-by-the-variance-of-y",
                    "a covariance over the variance of the clicks during the test",
                    f"{TOGETHER} / sum([(y - {MEAN_Y}) ** 2 for y in during])",
                    "Divide by the variance of what you know from before.",
                ),
                Wrong(
                    "means-not-subtracted",
                    "sums of products without the means",
                    "sum([x * y for x, y in list(zip(before, during))]) "
                    "/ sum([x ** 2 for x in before])",
                    "Covariance and variance are around the means.",
                ),
                Wrong(
                    "ratio-of-means",
                    "the mean during over the mean before",
                    f"{MEAN_Y} / {MEAN_X}",
                    "Theta says how far the clicks of a user move with the clicks before.",
                ),
            ],
            hints=["The covariance over the variance of `before`; the divisors cancel."],
            bonus=True,
        ),
    ],
    [
        ByHand(
            "find_the_flaws",
            "Find the flaws",
            [
                Criterion(
                    "flaws",
                    1,
                    "Names both: the test was stopped at the first p below 0.05 (peeking), and the "
                    "unit of the test is the session, while users were drawn. Half a point for "
                    "one of them. No point for 'too few sessions'.",
                ),
                Criterion(
                    "effect",
                    1,
                    "Says for one of them why there are more false alarms than 5 %: each look is "
                    "one more chance; or the sessions of a user are alike, so the standard error "
                    "is too small.",
                ),
                Criterion(
                    "remedy",
                    1,
                    "One value for each user, and a number of users that is fixed before the start "
                    "(or a sequential test). Half a point for one of the two.",
                ),
            ],
        ),
        ByHand(
            "which_method",
            "Which method, and why",
            [
                Criterion(
                    "task 1",
                    1,
                    "Interleaving (team draft), because two rankings are compared and there are "
                    "few sessions. Half a point for the method without the reason. No point for an "
                    "A/B test.",
                ),
                Criterion(
                    "task 2",
                    1,
                    "An A/B test with the user as its unit, because buying within a month is a "
                    "matter of the user, or because interleaving measures preference only. Half a "
                    "point if the unit or the reason is missing.",
                ),
                Criterion(
                    "task 3",
                    1,
                    "It can't be estimated from this log: without randomness the log has no "
                    "support for the new lists. Add some randomness with its probabilities now, or "
                    "test with users. Half a point for 'IPS' with the remark that propensities are "
                    "needed.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. Sample ratio mismatch
#
# A fair coin sent `a` users into the first group and `b` into the second. For each group take the
# squared difference between its size and the expected size, divided by the expected size. Add both.


# %% tags=["mismatch"]
def mismatch(a, b):
    """The chi-squared value of two group sizes under a fair coin."""
    ### BEGIN SOLUTION
    expected = (a + b) / 2
    return sum((n - expected) ** 2 / expected for n in (a, b))
    ### END SOLUTION


# %% tags=["check"]
check("mismatch", mismatch)

# %% [markdown]
# ## 2. The unit of an A/B test
#
# `control` and `treatment` map each user to a list: the user's sessions, with 1 for a click and 0
# for none. Users were drawn at random. Give the difference of the mean click rates of users,
# treatment less control, and its standard error.


# %% tags=["lift"]
def lift(control, treatment):
    """The difference of the groups, and its standard error."""
    ### BEGIN SOLUTION
    means, squares = [], []
    for group in (control, treatment):
        users = [sum(sessions) / len(sessions) for sessions in group.values()]
        n, mean = len(users), sum(users) / len(users)
        means.append(mean)
        squares.append(sum((u - mean) ** 2 for u in users) / (n - 1) / n)
    return [means[1] - means[0], sum(squares) ** 0.5]
    ### END SOLUTION


# %% tags=["check"]
check("lift", lift)

# %% [markdown]
# ## 3. A new policy from an old log
#
# `rewards` has the reward of each line of a log. `logged` and `new` have the probability of its
# choice under the old and under the new policy. Give the estimates IPS and SNIPS, in this order.


# %% tags=["from_log"]
def from_log(rewards, logged, new):
    """IPS and SNIPS of the new policy."""
    ### BEGIN SOLUTION
    weights = [p / p0 for p, p0 in zip(new, logged, strict=True)]
    weighted = sum(r * w for r, w in zip(rewards, weights, strict=True))
    return [weighted / len(rewards), weighted / sum(weights)]
    ### END SOLUTION


# %% tags=["check"]
check("from_log", from_log)

# %% [markdown]
# ## 4. Find the flaws
#
# Your teacher marks this answer. A team wrote this report:
#
# > We drew 4,000 users at random into two groups. One group got the old ranker, and the other one
# > got the new ranker. Each morning we compared the click rates of all sessions so far: 31 sessions
# > a user at most. On day 9 the p-value was 0.04, so we stopped the test and put the new ranker
# > online. We compared only one measure, which we had chosen before the start.
#
# The new ranker may be no better than the old one. Write five to eight sentences.
#
# 1. Name two flaws that make a false alarm more likely. Not everything in the report is a flaw.
# 2. Explain for one of them how it leads to false alarms.
# 3. Say what the team should do in the next test.

# %% [markdown] tags=["find_the_flaws"]
# **The flaws, how one of them leads to false alarms, and what to do:**
#
# ### BEGIN SOLUTION
# **The flaws.** The team looked every morning and stopped at the first p-value below 0.05. And it
# counted sessions, while users were drawn at random.
#
# **How they lead to false alarms.** A single look gives a false alarm in 5 % of the tests. Each
# further look is one more chance for luck, so with nine looks it is far more than 5 %. Counting
# sessions adds to this: the sessions of a user are alike, so the standard error is too small.
#
# **What to do.** Compute how many users the test needs, before it starts. Make one number of each
# user, such as the user's click rate. Compare the two groups once, at the end, or use a sequential
# test if somebody has to look earlier.
#
# **What is no flaw.** To choose one measure before the start is right.
# ### END SOLUTION

# %% [markdown]
# ## 5. Which method, and why
#
# Your teacher marks this answer too. Choose a method for each task, and give the reason in one or
# two sentences. If no method can do it, say why, and say what to change.
#
# 1. A library with 300 searches a day has two rankers for the same books. Which one do readers
#    prefer?
# 2. A shop wants to know whether a new ranker makes people buy more within a month.
# 3. A news site has the log of its ranker, which shows the same list to all who ask the same query.
#    Which click rate would a new ranker with other lists have had?

# %% [markdown] tags=["which_method"]
# **Your method for each task, with its reason:**
#
# ### BEGIN SOLUTION
# **1. Team-draft interleaving.** Two rankings of the same books are compared, and the question is
# which one readers prefer. There are few searches, and interleaving needs far fewer than an A/B
# test because each reader compares both rankers.
#
# **2. An A/B test with the user as its unit.** Buying within a month is something that a user does,
# so each user has one ranker for the whole month. Interleaving mixes both rankers in every list and
# can't say which one made the user buy.
#
# **3. No method can do it with this log.** The ranker always showed one list for a query, so the
# log has no support for other lists. The site should show other lists at random for a small part of
# the traffic, and log their probabilities. Then IPS or SNIPS can estimate the click rate.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 6. Less noise
#
# `before` and `during` have the clicks of each user before the test and during it. Return the
# factor of CUPED: the covariance of both over the variance of `before`.


# %% tags=["theta"]
def theta(before, during):
    """The covariance of both over the variance of the clicks before."""
    ### BEGIN SOLUTION
    x, y = sum(before) / len(before), sum(during) / len(during)
    together = sum((a - x) * (b - y) for a, b in zip(before, during, strict=True))
    return together / sum((a - x) ** 2 for a in before)
    ### END SOLUTION


# %% tags=["check"]
check("theta", theta)
