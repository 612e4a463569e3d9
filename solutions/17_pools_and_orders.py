# %% [markdown]
# # Exercise 17. Pools and orders: effort, and orders of systems
#
# You see what a system brings to a pool, find out how deep a pool your budget allows, and compare
# two orders of systems. Then you find the flaws in an evaluation.
#
# **Needs.** Notebook 17. **Time.** 40 minutes. **Marks.** 10.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def two_orders(rng):
    """Six systems in two orders."""
    reference = list("ABCDEF")
    rng.shuffle(reference)
    return {"order": rng.sample(reference, 6), "reference": reference}


def three_runs(rng):
    """The rankings of three systems for three topics, and a budget."""
    documents = [f"d{i}" for i in range(1, 13)]
    runs = {s: {t: rng.sample(documents, 8) for t in ("t1", "t2", "t3")} for s in "ABC"}
    return {"runs": runs, "budget": rng.randint(12, 30)}


def runs_and_a_name(rng):
    """The rankings of three or four systems for one topic, a depth, and one of the systems."""
    documents = [f"d{i}" for i in range(1, 13)]
    runs = {system: rng.sample(documents, 7) for system in "ABCD"[: rng.randint(3, 4)]}
    return {"runs": runs, "depth": rng.randint(2, 4), "name": rng.choice(list(runs))}


# Two systems that begin with different documents, so that one judgment is too few for depth 1.
LISTS = {
    "A": {"t1": ["d1", "d2", "d3"]},
    "B": {"t1": ["d2", "d4", "d1"]},
    "C": {"t1": ["d1", "d3", "d2"]},
}
ONE_TOPIC = {
    "A": ["d1", "d2", "d3"],
    "B": ["d2", "d4", "d1"],
    "C": ["d1", "d3", "d5"],
}
OTHERS = "{n: r for n, r in runs.items() if n != name}"
SIZE = "sum([len(p) for p in pool(runs, depth=d).values()])"
LONGEST = "max([len(r) for of in runs.values() for r in of.values()])"
DEEPEST = f"max([0] + [d for d in range(1, 1 + {LONGEST}) if {{}} <= budget])"

spec = Exercise(
    "17",
    "Pools and orders: effort, and orders of systems",
    [
        Question(
            "brought_by",
            f"len(pool(runs, depth=depth)) - len(pool({OTHERS}, depth=depth))",
            runs_and_a_name,
            title="what one system brings",
            asks="Several systems answered one topic, and the first documents of each, up to this "
            "depth, are judged. How many documents of the pool does the named system alone bring?",
            marks=2,
            jointly=True,
            edges=[
                {"runs": ONE_TOPIC, "depth": 1, "name": "A"},
                {"runs": ONE_TOPIC, "depth": 3, "name": "B"},
                {"runs": ONE_TOPIC, "depth": 9, "name": "C"},
            ],
            wrongs=[
                Wrong(
                    "nobody-finds",
                    "its documents that no other system has anywhere",
                    "len([d for d in runs[name][:depth] if not any([d in r for n, r in "
                    "runs.items() if n != name])])",
                    "What another system has below the depth is not judged for it: only the first "
                    "documents count.",
                ),
                Wrong(
                    "all-of-it",
                    "its documents that others have, too",
                    "len(runs[name][:depth])",
                    "Leave out the documents that another system brings as well.",
                ),
                Wrong(
                    "pool-without-it",
                    "the pool without the system",
                    f"len(pool({OTHERS}, depth=depth))",
                    "That is what remains. Subtract it from the whole pool.",
                ),
            ],
            hints=["The pool of all systems, less the pool of the others."],
        ),
        Question(
            "deepest",
            DEEPEST.format(SIZE),
            three_runs,
            title="the depth that a budget allows",
            edges=[
                {"runs": LISTS, "budget": 0},
                {"runs": LISTS, "budget": 1},
                {"runs": LISTS, "budget": 2},
                {"runs": LISTS, "budget": 4},
                {"runs": LISTS, "budget": 100},
                {"runs": {"A": LISTS["A"]}, "budget": 2},
            ],
            asks="Three systems rank documents for three topics. What is the deepest pool that "
            "needs no more judgments than the budget, over all topics together? Give its depth.",
            jointly=True,
            wrongs=[
                Wrong(
                    "every-list",
                    "the depth if each system's documents are judged anew",
                    DEEPEST.format("9 * d"),
                    "A document that several systems find for a topic is judged once.",
                ),
                Wrong(
                    "across-topics",
                    "the depth if a document is judged once for all topics",
                    DEEPEST.format(
                        "len({x for p in pool(runs, depth=d).values() for x in p.documents})"
                    ),
                    "A document has a grade for each topic: add up the pools of the topics.",
                ),
                Wrong(
                    "one-too-deep",
                    "the first depth that is too expensive",
                    DEEPEST.format(SIZE) + " + 1",
                    "Stop before the budget is exceeded.",
                ),
            ],
            hints=[
                "For one topic: the union of the first d documents of each system.",
                "Add up the sizes over the topics. Try d = 1, 2, ... as long as the sum fits.",
            ],
        ),
        Question(
            "tau_ap",
            "tau_ap(order, reference)",
            two_orders,
            title="tau-AP",
            asks="Two orders of systems, the best one first. The second order is the reference. "
            "What is tau-AP?",
            wrongs=[
                Wrong(
                    "tau",
                    "Kendall's tau",
                    "kendall_tau(order, reference)",
                    "tau-AP takes a share for each rank, so that errors near the top weigh more.",
                ),
                Wrong(
                    "other-reference",
                    "tau-AP with the two orders exchanged",
                    "tau_ap(reference, order)",
                    "Go down `order`. The reference only says which of two systems is better.",
                ),
                Wrong(
                    "share",
                    "the mean of the shares",
                    "(tau_ap(order, reference) + 1) / 2",
                    "Double the mean and subtract 1: the range is from -1 to 1.",
                ),
            ],
            hints=[
                "Go down `order` from rank 2.",
                "At rank i: which share of the i - 1 systems above is better by the reference too?",
                "The mean of the shares, times 2, minus 1.",
            ],
        ),
    ],
    [
        ByHand(
            "find_the_flaws",
            "Find the flaws",
            [
                Criterion(
                    "circular",
                    1,
                    "The model that made the training labels of N also judges N, so its taste is "
                    "rewarded. Half a point for 'models are unreliable' without this link.",
                ),
                Criterion(
                    "raw_agreement",
                    1,
                    "95 % of the pairs are not relevant, so a judge who calls nothing relevant "
                    "reaches 0.95. Asks for kappa, overlap or agreement per grade.",
                ),
                Criterion(
                    "tau",
                    1,
                    "With 8 systems a tau of 0.93 means that one of 28 pairs is turned around: "
                    "1 - 2/28. It may be N and BM25. Half a point for 'tau doesn't mind the top'.",
                ),
                Criterion(
                    "remedy",
                    1,
                    "People judge at least the documents on which N and BM25 differ, and the gain "
                    "is reported under these judgments. Half a point for 'use another model'.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. What one system brings
#
# `runs` maps each system to its ranking for one topic. The first `depth` documents of each system
# are judged. Return how many of them only the system `name` brings.


# %% tags=["brought_by"]
def brought_by(runs, depth, name):
    """How many documents of the pool would be missing without a system."""
    ### BEGIN SOLUTION
    others = {d for other, ranking in runs.items() if other != name for d in ranking[:depth]}
    return len(set(runs[name][:depth]) - others)
    ### END SOLUTION


# %% tags=["check"]
check("brought_by", brought_by)

# %% [markdown]
# ## 2. How deep can you judge?
#
# `runs` maps each system to its rankings: topic -> documents in order. All systems answer the same
# topics, and every ranking has the same length. You can pay for `budget` judgments. Return the
# greatest depth for which the pools of all topics together have at most `budget` documents. Return
# 0 if even depth 1 is too expensive. No depth is greater than the length of the rankings.


# %% tags=["deepest"]
def deepest(runs, budget):
    """The greatest depth whose pools fit the budget."""
    ### BEGIN SOLUTION
    systems = list(runs.values())
    depth = 0
    while depth < len(next(iter(systems[0].values()))):
        size = sum(
            len({d for system in systems for d in system[topic][: depth + 1]})
            for topic in systems[0]
        )
        if size > budget:
            break
        depth += 1
    return depth
    ### END SOLUTION


# %% tags=["check"]
check("deepest", deepest)

# %% [markdown]
# ## 3. tau-AP
#
# `order` and `reference` list the same systems, the best one first. Return tau-AP of `order`, where
# `reference` says which of two systems is really better.


# %% tags=["tau_ap"]
def tau_ap(order, reference):
    """The AP correlation of an order with a reference."""
    ### BEGIN SOLUTION
    shares = []
    for i in range(1, len(order)):
        place = reference.index(order[i])
        shares.append(sum(reference.index(above) < place for above in order[:i]) / i)
    return 2 * sum(shares) / len(shares) - 1
    ### END SOLUTION


# %% tags=["check"]
check("tau_ap", tau_ap)

# %% [markdown]
# ## 4. Find the flaws
#
# Your teacher marks this answer. A team wrote this report:
#
# > We trained the ranker N on labels of a large language model. The same model then judged the pool
# > for our 50 topics. Its labels are valid: on 300 pairs, of which 95 % are not relevant, it agrees
# > with people on 94 %. We also ordered our eight systems by the labels of the model and by older
# > labels of people. Kendall's tau of the two orders is 0.93. Under the labels of the model, N has
# > an nDCG@10 of 0.71, and BM25 has 0.62. So N is better than BM25.
#
# 1. What is wrong with who judges whom?
# 2. What does an agreement of 94 % say here?
# 3. How many pairs of systems are turned around if tau is 0.93? Why does it matter which ones?
# 4. What should the team do, at little cost?

# %% [markdown] tags=["find_the_flaws"]
# **Your four answers:**
#
# ### BEGIN SOLUTION
# **1.** N learned what this model likes. The same model now says whether N is good. N can win by
# the taste of the model alone.
#
# **2.** Very little. A judge who calls nothing relevant would agree on about 95 %. Kappa, overlap
# or the agreement on the relevant grade would say more.
#
# **3.** Eight systems have 28 pairs. One pair that is turned around gives 1 - 2/28 = 0.93. If this
# pair is N and BM25, the order by people says the opposite of the report.
#
# **4.** Let people judge the documents that only one of N and BM25 has in its first ten, for these
# topics. That is a part of the pool. Then report nDCG@10 of both under these judgments. Say that
# the documents that both have keep the labels of the model.
# ### END SOLUTION
