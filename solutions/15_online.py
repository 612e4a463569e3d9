# %% [markdown]
# # Exercise 15. Online: what clicks can tell, and what they can't
#
# You correct clicks for position bias, draft two teams, compare two groups of users, and estimate
# from a log how a new policy would do. Then you judge what others concluded.
#
# **Needs.** Notebook 15. **Time.** 60 minutes. **Marks.** 15.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def some_sessions(rng):
    """Three documents in random order, clicks on them, and how many users look at each rank."""
    documents, document = ["d1", "d2", "d3"], rng.choice(["d1", "d2", "d3"])
    names = [f"s{i}" for i in range(1, rng.randint(7, 10))]
    rankings = {name: rng.sample(documents, 3) for name in names}
    clicks = {name: [d for d in documents if rng.random() < 0.4] for name in names}
    for name in names[:4]:  # it is clicked in some sessions, and not in others
        others = [d for d in clicks[name] if d != document]
        clicks[name] = sorted([*others, document]) if name in ("s1", "s3") else others
    second = rng.randint(50, 80) / 100
    return {
        "rankings": rankings,
        "clicks": clicks,
        "examination": [rng.randint(85, 95) / 100, second, second / 2],
        "document": document,
    }


def two_rankings(rng):
    """Two rankings of five documents, a coin for each round, and the clicked documents."""
    a = [f"d{i}" for i in range(1, 6)]
    b = list(a)
    rng.shuffle(a)
    rng.shuffle(b)
    coins = "".join(rng.choice("AB") for _ in range(3))
    return {"a": a, "b": b, "coins": coins, "clicked": rng.sample(sorted(a), rng.randint(2, 3))}


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
HITS = "[rankings[s].index(document) for s in rankings if document in clicks[s]]"
TABLE = "list(rankings.values()), [[d in clicks[s] for d in rankings[s]] for s in rankings]"
MEANS = "[sum(u) / len(u) for u in {}.values()]"
UNITS = f"{MEANS.format('control')}, {MEANS.format('treatment')}"
SESSIONS = ", ".join(f"[s for u in {g}.values() for s in u]" for g in ("control", "treatment"))
APART = f"mean({MEANS.format('treatment')}) - mean({MEANS.format('control')})"

spec = Exercise(
    "15",
    "Online: what clicks can tell, and what they can't",
    [
        Question(
            "corrected",
            f"attractiveness({TABLE}, examination)[document]",
            some_sessions,
            names={"attractiveness": f"{HOME}clicks:attractiveness"},
            title="clicks without position bias",
            asks="Each session shows three documents in the order of `rankings`, and `clicks` has "
            "the clicked documents. `examination` is the probability that a user looks at each "
            "rank. What is the attractiveness of the document: its clicks over the number of times "
            "that users are expected to have looked at it?",
            jointly=True,
            wrongs=[
                Wrong(
                    "click-rate",
                    "the click rate: clicks over sessions",
                    f"attractiveness({TABLE}, [1.0 for e in examination])[document]",
                    "Not every user looked at the document. Divide by the examination, summed.",
                ),
                Wrong(
                    "clicked-sessions-only",
                    "a division by the examination in sessions with a click alone",
                    f"len({HITS}) / sum([examination[i] for i in {HITS}])",
                    "Users look at a document in sessions without a click too.",
                ),
                Wrong(
                    "multiplied",
                    "clicks multiplied by the examination",
                    f"sum([examination[i] for i in {HITS}]) / len(rankings)",
                    "A click at a rank that few users look at says more, so divide.",
                ),
                Wrong(
                    "mean-of-ratios",
                    "a mean of click / examination over the sessions",
                    f"sum([1 / examination[i] for i in {HITS}]) / len(rankings)",
                    "That is IPS, with examination as propensity. Here add up first, then divide.",
                ),
            ],
            hints=[
                "ranking.index(document) is the place of the document, counted from 0.",
                "Count its clicks and, separately, add up the examination of its ranks.",
            ],
        ),
        Question(
            "credit",
            "list(team_draft(a, b, first=coins).credit(clicked))",
            two_rankings,
            names={
                "team_draft": f"{HOME}interleaving:team_draft",
                "balanced": f"{HOME}interleaving:balanced",
            },
            title="a team draft",
            asks="A and B are interleaved by team draft. Each letter of `coins` says who chooses "
            "first in a round. The user clicks these documents.",
            parts=["credit of A", "credit of B"],
            marks=3,
            jointly=True,
            tries=10,
            wrongs=[
                Wrong(
                    "higher-ranking-gets-it",
                    "credit for the ranking that has the clicked document higher",
                    "[sum([a.index(d) < b.index(d) for d in clicked]), "
                    "sum([b.index(d) < a.index(d) for d in clicked])]",
                    "Credit goes to the team that chose the document.",
                ),
                Wrong(
                    "one-coin",
                    "a draft in which the winner of the first coin begins every round",
                    "list(team_draft(a, b, first=coins[0] * 3).credit(clicked))",
                    "There is a coin for each round.",
                ),
                Wrong(
                    "coins-swapped",
                    "a draft in which the loser of each coin begins",
                    "list(team_draft(b, a, first=coins).credit(clicked))[::-1]",
                    "The letter says who chooses first.",
                ),
                Wrong(
                    "credits-swapped",
                    "the credit of B first",
                    "list(team_draft(a, b, first=coins).credit(clicked))[::-1]",
                    "Give the credit of A first.",
                ),
                Wrong(
                    "balanced-credit",
                    "the credit of balanced interleaving",
                    "list(balanced(a, b, first=coins[0]).credit(clicked))",
                    "In a team draft each click counts for one team only.",
                ),
            ],
            hints=[
                "In a round the first captain chooses, and then the other one.",
                "next(d for d in ranking if d not in chosen) is the captain's choice.",
                "The fifth document is the first choice of the third round; then all are chosen.",
            ],
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
            jointly=True,
            edges=[{"control": {"u1": [0], "u2": [1, 1]}, "treatment": {"u1": [1, 0], "u2": [1]}}],
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
# ## 1. Clicks without position bias
#
# `rankings` maps each session to its documents in their order, and `clicks` maps it to the clicked
# documents. `examination` is the probability that a user looks at each rank. Divide the clicks of
# the document by the expected number of times that users looked at it.


# %% tags=["corrected"]
def corrected(rankings, clicks, examination, document):
    """The attractiveness of a document: clicks over expected examinations."""
    ### BEGIN SOLUTION
    clicked = looked = 0.0
    for session, ranking in rankings.items():
        clicked += document in clicks[session]
        looked += examination[ranking.index(document)]
    return clicked / looked
    ### END SOLUTION


# %% tags=["check"]
check("corrected", corrected)

# %% [markdown]
# ## 2. A team draft
#
# Interleave the rankings `a` and `b` by team draft. Both rank the same five documents. `coins` has
# "A" or "B" for each round: who chooses first. `clicked` lists the documents that the user clicks.
# Give the credit of A and the credit of B, as a list of two numbers.


# %% tags=["credit"]
def credit(a, b, coins, clicked):
    """The credit of A and the credit of B."""
    ### BEGIN SOLUTION
    team = {}
    for first in coins:
        for captain in (first, "B" if first == "A" else "A"):
            left = [d for d in (a if captain == "A" else b) if d not in team]
            if left:
                team[left[0]] = captain
    return [sum(team[d] == captain for d in clicked) for captain in "AB"]
    ### END SOLUTION


# %% tags=["check"]
check("credit", credit)

# %% [markdown]
# ## 3. The unit of an A/B test
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
# ## 4. A new policy from an old log
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
# ## 5. Find the flaws
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
# ## 6. Which method, and why
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
