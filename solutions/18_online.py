# %% [markdown]
# # Exercise 18. Clicks and interleaving
#
# You compute clicks of the cascade model, correct clicks for position bias, draft two teams, and
# say which ranking users prefer. Then you judge what others concluded.
#
# **Needs.** Notebook 18. **Time.** 35 minutes. **Marks.** 9.

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


def a_list(rng):
    """The attractiveness of the documents of a list, and a rank of it."""
    return {
        "attractiveness": [rng.randint(1, 7) / 10 for _ in range(rng.randint(4, 6))],
        "rank": rng.randint(3, 4),
    }


def some_signs(rng):
    """Who wins each impression: 1 for A, -1 for B, 0 for nobody."""
    return {"signs": [1, 0, -1, *(rng.choice([1, 1, 0, -1]) for _ in range(rng.randint(5, 9)))]}


HOME = "irmetrics_edu.lab.online."
HITS = "[rankings[s].index(document) for s in rankings if document in clicks[s]]"
TABLE = "list(rankings.values()), [[d in clicks[s] for d in rankings[s]] for s in rankings]"
spec = Exercise(
    "18",
    "Clicks and interleaving",
    [
        Question(
            "stops_at",
            "float(Cascade().click_probabilities(attractiveness)[rank - 1])",
            a_list,
            names={"Cascade": f"{HOME}clicks:Cascade"},
            title="a click of the cascade model",
            asks="Users follow the cascade model. `attractiveness` has the documents from the top. "
            "What is the probability of a click at this rank?",
            marks=1,
            edges=[{"attractiveness": [0.1, 0.1, 0.6], "rank": 3}],
            wrongs=[
                Wrong(
                    "gets-there",
                    "the probability to get to the rank",
                    "float(Cascade().examination(attractiveness)[rank - 1])",
                    "Multiply by the attractiveness of the document at the rank.",
                ),
                Wrong(
                    "attractiveness-alone",
                    "the attractiveness of the document",
                    "attractiveness[rank - 1]",
                    "A user stops at a document above it that attracts.",
                ),
                Wrong(
                    "one-rank-late",
                    "the click at the next rank, counted from 0",
                    "float(Cascade().click_probabilities([*attractiveness, 0.5])[rank])",
                    "Ranks are counted from 1.",
                ),
            ],
            hints=["Multiply 1 - a over the documents above, and then a of the document."],
        ),
        Question(
            "corrected",
            f"attractiveness({TABLE}, examination)[document]",
            some_sessions,
            edges=[
                {  # more clicks than users were expected to look at it
                    "rankings": {"s1": ["d2", "d1"], "s2": ["d2", "d1"]},
                    "clicks": {"s1": ["d1"], "s2": ["d1"]},
                    "examination": [0.9, 0.5],
                    "document": "d1",
                },
                {
                    "rankings": {"s1": ["d1", "d2"], "s2": ["d2", "d1"]},
                    "clicks": {"s1": [], "s2": ["d2"]},
                    "examination": [0.9, 0.5],
                    "document": "d1",
                },
            ],
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
            line="credit",
            marks=3,
            jointly=True,
            tries=10,
            edges=[  # other documents come of the letters read from the end
                {
                    "a": ["d1", "d3", "d5", "d2", "d4"],
                    "b": ["d2", "d1", "d4", "d5", "d3"],
                    "coins": "BBA",
                    "clicked": ["d2", "d5"],
                },
            ],
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
            "prefers",
            "(signs.count(1) + signs.count(0) / 2) / len(signs) - 1 / 2",
            some_signs,
            edges=[{"signs": [-1]}, {"signs": [0, 0]}, {"signs": [-1, 0, -1, 1]}],
            title="which ranking users prefer",
            asks="Each sign is an impression: 1 if A wins, -1 if B wins, 0 for a tie. The "
            "preference for A is the share of impressions that A wins, with a tie as half a "
            "win, less one half. What is it?",
            marks=1,
            wrongs=[
                Wrong(
                    "share-of-wins",
                    "the share of impressions that A wins",
                    "signs.count(1) / len(signs)",
                    "A tie counts as half a win. Subtract one half at the end.",
                ),
                Wrong(
                    "ties-lost",
                    "a preference in which a tie is a loss",
                    "signs.count(1) / len(signs) - 1 / 2",
                    "A tie counts as half a win.",
                ),
                Wrong(
                    "mean-of-signs",
                    "the mean of the signs",
                    "sum(signs) / len(signs)",
                    "That is twice the preference.",
                ),
            ],
            hints=["Wins and half of the ties, over all impressions, less one half."],
        ),
    ],
    [
        ByHand(
            "which_conclusion",
            "What may be concluded",
            [
                Criterion(
                    "clicks",
                    1,
                    "The first statement does not follow: rank 1 is examined more. Remedy: divide "
                    "by the examination, or show the documents in random order.",
                ),
                Criterion(
                    "interleaving",
                    1,
                    "From the second follows that users prefer the new ranking, not that they buy "
                    "more: each user saw both rankings. Remedy: an A/B test.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. The cascade model
#
# `attractiveness` has the documents of a list from the top. Users read from the top, click the
# first document that attracts, and stop. Return the probability of a click at `rank`, counted
# from 1.


# %% tags=["stops_at"]
def stops_at(attractiveness, rank):
    """The probability of a click at the rank."""
    ### BEGIN SOLUTION
    gets_there = 1.0
    for a in attractiveness[: rank - 1]:
        gets_there *= 1 - a
    return gets_there * attractiveness[rank - 1]
    ### END SOLUTION


# %% tags=["check"]
check("stops_at", stops_at)

# %% [markdown]
# ## 2. Clicks without position bias
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
# ## 3. A team draft
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
# ## 4. The preference
#
# `signs` has 1 for each impression that A wins, -1 for each that B wins, and 0 for a tie. Return
# the preference for A: wins and half of the ties, as a share of all, less one half.


# %% tags=["prefers"]
def prefers(signs):
    """The share that A wins, less one half; a tie is half a win."""
    ### BEGIN SOLUTION
    return (signs.count(1) + signs.count(0) / 2) / len(signs) - 1 / 2
    ### END SOLUTION


# %% tags=["check"]
check("prefers", prefers)

# %% [markdown]
# ## 5. What may be concluded
#
# Your teacher marks this answer. Two teams wrote:
#
# 1. "The first result gets four times the clicks of the fifth, so it is the best one."
# 2. "We interleaved both rankers. The new one won 60 % of 20,000 impressions, so people will buy
#    more with it."
#
# Say for each statement what follows from the data, and what the team should do instead.

# %% [markdown] tags=["which_conclusion"]
# **What follows, and what to do instead:**
#
# ### BEGIN SOLUTION
# **1.** More users look at rank 1, so more clicks there say little about the document. Estimate the
# examination of each rank, for example with a random order for some users, and divide by it.
#
# **2.** Users prefer the new ranking when both are mixed. Each user saw both, so nothing follows
# about what they buy. An A/B test with the user as its unit can tell that.
# ### END SOLUTION
