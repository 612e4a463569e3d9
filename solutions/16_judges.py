# %% [markdown]
# # Exercise 16. Judges: agreement, effort, and orders of systems
#
# You compute the agreement of two assessors, compare two orders of systems, and find out how deep a
# pool your budget allows. Then you find the flaws in an evaluation, and plan one yourself.
#
# **Needs.** Notebook 16. **Time.** 50 minutes. **Marks.** 15.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong

AGREEMENT = {"judges": "irmetrics_edu.judging:judges"}
BOTH = (
    "judges({'first': {'q': {str(i): first[i] for i in range(len(first))}}, "
    "'second': {'q': {str(i): second[i] for i in range(len(second))}}})"
)
RAW = "sum([a == b for a, b in zip(first, second)]) / len(first)"
KAPPA = f"float({BOTH}.kappa)"
POOLED = "sum([((first.count(g) + second.count(g)) / (2 * len(first))) ** 2 for g in (0, 1, 2)])"
SQUARES = "sum([(a - b) ** 2 for a, b in zip(first, second)])"
CHANCE_SQUARES = "(sum([(a - b) ** 2 for a in first for b in second]) / len(first))"


def two_assessors(rng):
    """Grades from 0 to 2 of two assessors, who agree more often than not."""
    first = [0, 1, 2, *(rng.choice([0, 0, 0, 1, 2]) for _ in range(7))]
    second = [g if rng.random() < 0.6 else rng.choice([0, 1, 1, 2]) for g in first]
    return {"first": first, "second": second}


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


# Assessors who agree less often than chance would, and who differ twice in the same way.
APART = [
    {"first": [0, 1, 2, 0], "second": [1, 0, 0, 2]},
    {"first": [0, 0, 1, 2], "second": [1, 1, 0, 2]},
]
# Two systems that begin with different documents, so that one judgment is too few for depth 1.
LISTS = {
    "A": {"t1": ["d1", "d2", "d3"]},
    "B": {"t1": ["d2", "d4", "d1"]},
    "C": {"t1": ["d1", "d3", "d2"]},
}
SIZE = "sum([len(p) for p in pool(runs, depth=d).values()])"
LONGEST = "max([len(r) for of in runs.values() for r in of.values()])"
DEEPEST = f"max([0] + [d for d in range(1, 1 + {LONGEST}) if {{}} <= budget])"

spec = Exercise(
    "16",
    "Judges: agreement, effort, and orders of systems",
    [
        Question(
            "kappa",
            KAPPA,
            two_assessors,
            edges=APART,
            names=AGREEMENT,
            title="Cohen's kappa",
            asks="Two assessors graded the same documents. What is Cohen's kappa, not weighted?",
            wrongs=[
                Wrong(
                    "raw",
                    "raw agreement",
                    RAW,
                    "Take chance agreement away: (raw - chance) / (1 - chance).",
                ),
                Wrong(
                    "grades-equally-often",
                    "a kappa in which chance is one over the number of grades",
                    f"({RAW} - 1 / 3) / (1 - 1 / 3)",
                    "Chance depends on how often each assessor uses each grade.",
                ),
                Wrong(
                    "one-assessor",
                    "a kappa in which chance is taken from the first assessor alone",
                    f"({RAW} - sum([(first.count(g) / len(first)) ** 2 for g in (0, 1, 2)])) / "
                    "(1 - sum([(first.count(g) / len(first)) ** 2 for g in (0, 1, 2)]))",
                    "Multiply the share of the first assessor by the share of the second one.",
                ),
                Wrong(
                    "scott",
                    "Scott's pi, whose chance comes from the shares of both assessors together",
                    f"({RAW} - {POOLED}) / (1 - {POOLED})",
                    "Cohen multiplies each assessor's own shares.",
                ),
                Wrong(
                    "not-divided",
                    "raw agreement less chance, not divided",
                    f"{RAW} - sum([first.count(g) * second.count(g) for g in (0, 1, 2)]) / "
                    "len(first) ** 2",
                    "Divide by 1 - chance: the most that two assessors could agree beyond chance.",
                ),
                Wrong(
                    "weighted",
                    "weighted kappa",
                    f"float({BOTH}.weighted_kappa)",
                    "Here every disagreement weighs the same.",
                ),
            ],
            hints=[
                "Raw agreement is the share of documents with the same grade.",
                "Chance: for each grade, multiply the shares of both assessors; add the products.",
                "Kappa is (raw - chance) / (1 - chance).",
            ],
        ),
        Question(
            "weighted_kappa",
            f"float({BOTH}.weighted_kappa)",
            two_assessors,
            edges=APART,
            names=AGREEMENT,
            title="quadratic weighted kappa",
            asks="Two assessors graded the same documents. What is quadratic weighted kappa?",
            wrongs=[
                Wrong(
                    "not-weighted",
                    "Cohen's kappa without weights",
                    KAPPA,
                    "Let a disagreement weigh the square of the distance of the two grades.",
                ),
                Wrong(
                    "linear",
                    "kappa with linear weights",
                    "1 - sum([abs(a - b) for a, b in zip(first, second)]) / "
                    "(sum([abs(a - b) for a in first for b in second]) / len(first))",
                    "Square the distances: a miss by 2 weighs 4.",
                ),
                Wrong(
                    "not-from-1",
                    "the observed squares divided by the expected ones",
                    f"{SQUARES} / {CHANCE_SQUARES}",
                    "Subtract this from 1, so that perfect agreement is 1.",
                ),
                Wrong(
                    "all-pairs-not-divided",
                    "a weighted kappa whose expected squares are not divided by n",
                    f"1 - {SQUARES} / ({CHANCE_SQUARES} * len(first))",
                    "The sum over all pairs of grades has n times as many terms: divide it by n.",
                ),
            ],
            hints=[
                "Add up the squares of the differences, document by document.",
                "Add up the squares of all differences of a first and a second grade; divide by n.",
                "Divide the first sum by the second, and subtract from 1.",
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
        ByHand(
            "plan",
            "Plan an evaluation",
            [
                Criterion(
                    "numbers",
                    1,
                    "Has the number of topics right for the chosen depth and at least one other: "
                    "50, 42, 37, 31 and 22 topics at depths 1, 2, 3, 5 and 10.",
                ),
                Criterion(
                    "reason",
                    1,
                    "Chooses a shallow plan (depth 2, 3 or 5) and gives the reason: differences "
                    "vary from topic to topic, so more topics make the comparison surer. Depth 1 "
                    "or 10 gets half a point if the price is named.",
                ),
                Criterion(
                    "third_engine",
                    1,
                    "Sees that the third engine brings unjudged documents and would lose by them. "
                    "Judges its first documents too, or reports Judged@10, before comparing.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. Cohen's kappa
#
# `first` and `second` are the grades (0, 1 or 2) that two assessors gave to the same documents, in
# the same order. Return Cohen's kappa. No two assessors give the same single grade to everything.


# %% tags=["kappa"]
def kappa(first, second):
    """The agreement of two assessors beyond chance, as a share of what there could be."""
    ### BEGIN SOLUTION
    n = len(first)
    raw = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = sum(first.count(g) * second.count(g) for g in set(first)) / n**2
    return (raw - chance) / (1 - chance)
    ### END SOLUTION


# %% tags=["check"]
check("kappa", kappa)

# %% [markdown]
# ## 2. Weighted kappa
#
# The same grades. Now a disagreement weighs the square of the distance of the two grades.


# %% tags=["weighted_kappa"]
def weighted_kappa(first, second):
    """Kappa in which a disagreement weighs the square of the distance of the grades."""
    ### BEGIN SOLUTION
    observed = sum((a - b) ** 2 for a, b in zip(first, second, strict=True))
    expected = sum((a - b) ** 2 for a in first for b in second) / len(first)
    return 1 - observed / expected
    ### END SOLUTION


# %% tags=["check"]
check("weighted_kappa", weighted_kappa)

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
# ## 4. How deep can you judge?
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
# ## 5. Find the flaws
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

# %% [markdown]
# ## 6. Plan an evaluation
#
# Your teacher marks this answer, too. You compare two engines by nDCG@10. You can spend the price
# of 600 judgments. To write a topic costs as much as 10 judgments. A trial showed how many
# documents the pool of a topic has:
#
# | depth of the pool | 1 | 2 | 3 | 5 | 10 |
# | --- | --- | --- | --- | --- | --- |
# | documents per topic | 2 | 4 | 6 | 9 | 17 |
#
# Next year a third engine will be compared with the two. Choose a depth and the number of topics.
# Give your reason. Then say what you will do when the third engine comes.

# %% [markdown] tags=["plan"]
# **Your plan:**
#
# ### BEGIN SOLUTION
# **The numbers.** A topic costs 10 judgments and its pool. So 600 pay for 600/12 = 50 topics at
# depth 1, 42 at depth 2, 37 at depth 3, 31 at depth 5 and 22 at depth 10.
#
# **The choice.** 37 topics to depth 3. The difference of two engines varies a lot from topic to
# topic, so more topics make the comparison surer. Depth 10 would leave only 22 topics. Depth 1 has
# a few topics more, but it knows hardly any relevant documents.
#
# **The third engine.** It will bring documents that nobody judged, and nDCG counts them as not
# relevant. So I judge its first documents too, to the same depth, before I compare. I report
# Judged@10 of all three engines.
# ### END SOLUTION
