# %% [markdown]
# # Exercise 8. What was never judged: pools and bpref
#
# `judgments` maps each **judged** document to 1 if it is relevant and to 0 if it is not. A
# document that is not in it was never judged, and nobody knows.
#
# **Needs.** Notebook 8, exercise 2. **Time.** 45 minutes. **Marks.** 12. **Bonus.** 1.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def some_unjudged(rng):
    """A ranking with documents that nobody judged, and judged ones that it lacks."""
    documents = [f"d{i}" for i in range(1, 12)]
    rng.shuffle(documents)
    judgments = {d: rng.choice([0, 0, 1]) for d in sorted(documents[:8])}
    return {"ranking": rng.sample(documents, 8), "judgments": judgments}


def some_short(rng):
    """The same, something relevant, and some rankings shorter than the list of what is relevant."""
    drawn = some_unjudged(rng)
    while not any(drawn["judgments"].values()):
        drawn = some_unjudged(rng)
    return {**drawn, "ranking": drawn["ranking"][: rng.choice([3, 8])]}


def some_unjudged_and_cut(rng):
    """The same with a cut-off, and some rankings shorter than that."""
    drawn = some_unjudged(rng)
    return {**drawn, "ranking": drawn["ranking"][: rng.choice([3, 8])], "k": rng.choice([4, 5, 6])}


def two_runs(rng):
    """Rankings of two systems over the same documents, and a depth."""
    documents = [f"d{i}" for i in range(1, 9)]
    return {"first": rng.sample(documents, 6), "second": rng.sample(documents, 6),
            "depth": rng.choice([3, 4])}  # fmt: skip


FILLED = "{**{d: 0 for d in ranking}, **judgments}"
ABOVE = "len([e for e in ranking[:ranking.index(d)] if judgments.get(e) == 0])"
R = "sum(judgments.values())"
SHORTER = f"{R} / max(1, min({R}, len({{}})))"

spec = Exercise(
    "08",
    "What was never judged: pools and bpref",
    [
        Question(
            "pool",
            "sorted(pool({'first': first, 'second': second}, depth=depth).documents)",
            two_runs,
            title="the pool",
            asks="Two systems rank documents. Which documents are in the pool of this depth?",
            marks=1,
            line="document",
            wrongs=[
                Wrong(
                    "intersection",
                    "the documents that both systems have",
                    "sorted(set(first[:depth]) & set(second[:depth]))",
                    "A pool is a union: what either system puts forward is judged.",
                ),
                Wrong(
                    "depth-ignored",
                    "a pool of everything retrieved",
                    "sorted(set(first) | set(second))",
                    "Only the first `depth` documents of each system go into the pool.",
                ),
            ],
            hints=["Union of the two beginnings, each document once, sorted by id."],
        ),
        Question(
            "judged_at",
            "judged(ranking, judgments, k=k)",
            some_unjudged_and_cut,
            title="Judged@k",
            asks="What share of the first k documents was judged (Judged@k)? Of a shorter ranking "
            "it is the share of the documents that it has.",
            marks=1,
            edges=[{"ranking": ["d1", "d2"], "judgments": {"d1": 1}, "k": 5}],
            jointly=True,
            tries=8,
            wrongs=[
                Wrong(
                    "p-at-k",
                    "precision at k",
                    "precision(ranking, judgments, k=k)",
                    "A document judged not relevant was judged as well.",
                ),
                Wrong(
                    "cut-ignored",
                    "a share over the whole ranking",
                    "judged(ranking, judgments)",
                    "Only the first k documents count.",
                ),
                Wrong(
                    "over-k-of-a-short-list",
                    "a share of k, though a ranking is shorter than k",
                    "len([d for d in ranking[:k] if d in judgments]) / k",
                    "Divide by the number of documents that you looked at.",
                ),
            ],
            hints=["A document is judged if it is a key of judgments, whatever the grade."],
        ),
        Question(
            "preferences",
            "[p for p, g, d in zip(bpref.working(ranking, judgments)['preference kept'], "
            "bpref.working(ranking, judgments)['grade'], ranking) if g > 0]",
            some_unjudged,
            kind="value",
            title="bpref by hand",
            asks="What does each relevant document that was retrieved contribute to the sum of "
            "bpref, from the top of the ranking? It is 1, less the judged documents above "
            "it that are not relevant, R of them at most, over the smaller of R and their "
            "number.",
            marks=1,
            line="relevant document",
            column="share of non-relevant documents kept below it",
            hints=[
                "For each relevant document: n, the judged non-relevant documents above it.",
                "1 - min(n, R) / min(R, N), with R relevant and N non-relevant judged documents.",
            ],
            tolerance=0.002,
        ),
        Question(
            "bpref",
            "bpref(ranking, judgments)",
            some_unjudged,
            title="bpref",
            asks="What is bpref of the ranking, over all R relevant documents? For each of them "
            "at most R judged documents above it that are not relevant count, over the "
            "smaller of R and their number. Documents that are not among the judgments were "
            "never judged.",
            marks=3,
            jointly=True,
            edges=[
                {"ranking": ["d1", "d2"], "judgments": {"d1": 0, "d2": 0}},
                {"ranking": ["d1", "d3"], "judgments": {"d1": 1, "d2": 1}},
                {"ranking": ["d1", "d2"], "judgments": {"d2": 1}},
                {"ranking": ["d1", "d2"], "judgments": {"d1": 0, "d2": 1, "d3": 1, "d4": 1}},
            ],
            wrongs=[
                Wrong(
                    "unjudged-as-not-relevant",
                    "a bpref that takes unjudged documents as not relevant",
                    f"bpref(ranking, {FILLED})",
                    "Leave unjudged documents out: bpref ignores them.",
                ),
                Wrong(
                    "over-the-hits",
                    "a mean over the relevant documents retrieved",
                    "bpref(ranking, judgments) * sum(judgments.values()) / "
                    "sum([judgments.get(d, 0) for d in ranking])",
                    "The divisor is R, all relevant documents: a missed one adds 0 and counts.",
                ),
                Wrong(
                    "not-limited",
                    "a bpref in which more than R non-relevant documents above a hit count",
                    f"sum([1 - {ABOVE} / min({R}, len(judgments) - {R}) for d in ranking "
                    f"if judgments.get(d) == 1]) / {R}",
                    "At most R non-relevant documents above a hit count: min(n, R).",
                ),
                Wrong(
                    "ap",
                    "AP",
                    "average_precision(ranking, judgments)",
                    "Bpref counts the non-relevant documents above each relevant one.",
                ),
            ],
            hints=[
                "Go down the list, counting the judged non-relevant documents met so far.",
                "Each relevant document adds 1 - min(n, R) / min(R, N).",
                "Divide by R. If nothing non-relevant was judged, each hit adds 1.",
            ],
        ),
        Question(
            "two_aps",
            "[average_precision(ranking, judgments), "
            "average_precision(ranking, judgments, unjudged='removed')]",
            some_short,
            title="AP with and without the unjudged documents",
            edges=[
                {"ranking": ["d8", "d7", "d4"], "judgments": {"d4": 0, "d5": 1, "d7": 1}},
            ],
            asks="Some documents of this ranking were never judged. AP is over all relevant "
            "documents, retrieved or not.",
            parts=[
                "AP with the unjudged documents taken as not relevant",
                "AP after the unjudged documents were removed",
            ],
            line="value",
            jointly=True,
            tries=8,
            mistakes=[
                "ap-of-the-last",
                "ap-not-divided",
                "ap-over-k",
                "ap-at-every-rank",
                "ap-without-the-document",
                "ap-ranks-one-too-high",
                "ranking-reversed",
                "first-document-dropped",
                "arguments-swapped",
            ],
            wrongs=[
                Wrong(
                    "ap-over-the-shorter",
                    "an AP that divides by the length of a list that is shorter than R",
                    f"[average_precision(ranking, judgments) * {SHORTER.format('ranking')}, "
                    "average_precision(ranking, judgments, unjudged='removed') * "
                    f"{SHORTER.format('[d for d in ranking if d in judgments]')}]",
                    "Divide by R. A relevant document that the list is too short to hold has "
                    "precision 0.",
                ),
                Wrong(
                    "removed-from-neither",
                    "AP with the unjudged documents in place, twice",
                    "[average_precision(ranking, judgments)] * 2",
                    "For the second value take the unjudged documents out and rank anew.",
                ),
                Wrong(
                    "over-the-hits",
                    "values over the relevant documents retrieved",
                    "[average_precision(ranking, judgments, divisor='hits'), "
                    "average_precision(ranking, judgments, unjudged='removed', divisor='hits')]",
                    "AP divides by all relevant documents.",
                ),
            ],
            hints=["Build the shorter list first, then call your AP on it."],
        ),
        Question(
            "three_views",
            "[bpref(ranking, judgments), average_precision(ranking, judgments), "
            "average_precision(ranking, judgments, unjudged='removed')]",
            some_unjudged,
            kind="value",
            title="three views of one ranking",
            asks="Some documents of this ranking were never judged. AP is over all relevant "
            "documents, retrieved or not.",
            parts=[
                "bpref",
                "AP with the unjudged documents taken as not relevant",
                "AP after the unjudged documents were removed",
            ],
            marks=1,
            line="value",
            mistakes=[
                "ap-over-the-hits",
                "ap-of-the-last",
                "ap-not-divided",
                "ap-over-k",
                "ap-at-every-rank",
                "ap-without-the-document",
                "ap-ranks-one-too-high",
                "ranking-reversed",
                "first-document-dropped",
                "arguments-swapped",
            ],
            wrongs=[
                Wrong(
                    "unjudged-as-not-relevant",
                    "measures that all take unjudged documents as not relevant",
                    f"[bpref(ranking, {FILLED}), average_precision(ranking, judgments), "
                    "average_precision(ranking, judgments)]",
                    "Two of the three leave unjudged documents out.",
                ),
            ],
            hints=["bpref, AP, and AP without the unjudged, in this order."],
            tolerance=0.0006,
            bonus=True,
        ),
    ],
    [
        ByHand(
            "design",
            "Design a test collection",
            [
                Criterion(
                    "topics and depth",
                    1,
                    "A split of the 3,000 judgments into topics and depth that adds up, with the "
                    "reason that many topics at small depth give more power than few deep ones "
                    "(50 x 60, 100 x 30). Half a point for numbers without a reason.",
                ),
                Criterion(
                    "pool",
                    1,
                    "Different systems feed the pool (not only two forms of the same engine), or "
                    "other sources such as manual search, because a later system of another kind "
                    "would have unjudged documents.",
                ),
                Criterion(
                    "judging",
                    1,
                    "A guideline with grades and a share of documents that two people judge, with "
                    "agreement reported. The judge doesn't see which system found a document: "
                    "half a point for one of these alone.",
                ),
                Criterion(
                    "later systems",
                    1,
                    "Says what is reported for a system that was not in the pool: Judged@k, and "
                    "judging its unjudged documents, or a measure that leaves such documents out. "
                    "No point for 'count them as 0'.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. A pool
#
# Judges see the union of the first `depth` documents of each system. Return it sorted by id.


# %% tags=["pool"]
def pool(first, second, depth):
    """The documents to be judged, sorted by id."""
    ### BEGIN SOLUTION
    return sorted({*first[:depth], *second[:depth]})
    ### END SOLUTION


# %% tags=["check"]
check("pool", pool)

# %% [markdown]
# ## 2. Judged@k
#
# The share of the first $k$ documents that somebody judged: a low one is a warning.


# %% tags=["judged_at"]
def judged_at(ranking, judgments, k):
    """The share of the first k documents that somebody judged."""
    ### BEGIN SOLUTION
    top = ranking[:k]
    return sum(d in judgments for d in top) / len(top)
    ### END SOLUTION


# %% tags=["check"]
check("judged_at", judged_at)

# %% [markdown]
# ## 3. bpref by hand
#
# There are $R$ relevant and $N$ non-relevant judged documents. Let $n$ of the non-relevant ones be
# above a relevant document. This relevant document then adds
#
# $$1 - \frac{\min(n, R)}{\min(R, N)}$$
#
# Give the list of what each relevant document of this ranking adds, from the top, to three
# decimals.

# %%
ranking, judgments = spec.given("preferences")

# %% tags=["preferences"]
### BEGIN SOLUTION
relevant = sum(judgments.values())
least = min(relevant, len(judgments) - relevant)
preferences, above = [], 0
for document in ranking:
    if judgments.get(document) == 1:
        preferences.append(1 - min(above, relevant) / least)
    elif document in judgments:
        above += 1
### END SOLUTION

# %% tags=["check"]
check("preferences", preferences)

# %% [markdown]
# ## 4. bpref
#
# The sum of these over $R$; 0 where nothing is relevant. Where no document was judged not
# relevant, every hit adds 1.


# %% tags=["bpref"]
def bpref(ranking, judgments):
    """How far judged non-relevant documents are kept from standing above relevant ones."""
    ### BEGIN SOLUTION
    relevant = sum(judgments.values())
    others = len(judgments) - relevant
    total, above = 0.0, 0
    for document in ranking:
        if judgments.get(document) == 1:
            total += 1 - min(above, relevant) / min(relevant, others) if others else 1
        elif document in judgments:
            above += 1
    return total / relevant if relevant else 0.0
    ### END SOLUTION


# %% tags=["check"]
check("bpref", bpref)

# %% [markdown]
# ## 5. AP with and without the unjudged documents
#
# Return two values of AP: with the unjudged documents counted as not relevant, and with them
# taken out of the ranking before anything is counted. Something is always relevant.


# %% tags=["two_aps"]
def two_aps(ranking, judgments):
    """AP with the unjudged documents in place, and AP without them."""
    ### BEGIN SOLUTION
    values = []
    for documents in (ranking, [d for d in ranking if d in judgments]):
        hits, total = 0, 0.0
        for rank, document in enumerate(documents, start=1):
            if judgments.get(document):
                hits += 1
                total += hits / rank
        values.append(total / sum(judgments.values()))
    return values
    ### END SOLUTION


# %% tags=["check"]
check("two_aps", two_aps)

# %% [markdown]
# ## 6. Design a test collection
#
# Your teacher marks this answer. A library wants a test collection for its catalogue. It can pay
# for 3,000 judgments. It has two engines now, both BM25 with different settings. Next year it wants
# to test a neural engine.
#
# Write eight to twelve sentences: how many topics and how deep a pool, what feeds the pool, how
# people judge, and what the library must report when it tests the new engine.

# %% [markdown] tags=["design"]
# **Your design:**
#
# ### BEGIN SOLUTION
# **75 topics with up to 40 judgments.** Topics vary more than anything else, so many topics with
# a moderate pool find smaller differences than ten topics judged to the bottom.
#
# **The pool takes the first 12 of four different sources.** Two settings of BM25 find nearly the
# same. We add an engine that matches meanings, and a librarian who searches by hand for each topic.
# Otherwise the neural engine finds documents next year that nobody has seen.
#
# **A guideline says what each grade from 0 to 3 means.** Documents come in random order, without
# the name of an engine. Two people judge 15 topics, and we report how far they agree.
#
# **For the new engine** we report Judged@10 beside nDCG@10. We judge its unjudged documents in the
# first ten before we decide. Until then bpref or a condensed list gives a first idea.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 7. Three views of one ranking
#
# Give bpref, AP, and AP without the unjudged documents, to three decimals. Which of them would
# change if one of the unjudged documents were judged not relevant?

# %%
ranking, judgments = spec.given("three_views")

# %% tags=["three_views"]
### BEGIN SOLUTION
three_views = [bpref(ranking, judgments), *two_aps(ranking, judgments)]
### END SOLUTION

# %% tags=["check"]
check("three_views", three_views)
