# %% [markdown]
# # Exercise 10. Diversifying with MMR, and facets
#
# MMR (Carbonell and Goldstein, 1998) ranks next the document that is most relevant **and** least
# like any one ranked before:
#
# $$\arg\max_{d} \; \lambda \, \mathrm{rel}(d) - (1-\lambda) \max_{s \in S} \mathrm{sim}(d, s)$$
#
# **Needs.** Notebook 10. **Time.** 45 minutes. **Marks.** 12. **Bonus.** 1.

# %% tags=["spec"]
from itertools import combinations

from irmetrics_edu import lab
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def pool_of_five(rng):
    """Relevance and pairwise similarity of five documents, and lambda."""
    names = ["a", "b", "c", "d", "e"]
    relevance = dict(zip(names, [v / 20 for v in rng.sample(range(8, 20), 5)], strict=True))
    pairs = list(combinations(names, 2))
    similarity = {p: v / 40 for p, v in zip(pairs, rng.sample(range(2, 39), 10), strict=True)}
    return {"relevance": relevance, "similarity": similarity, "lam": rng.choice([0.3, 0.4, 0.6])}


def with_length(rng):
    """The same with the number of documents to rank, and no step at which two are equally good."""
    while True:
        drawn = pool_of_five(rng)
        given = {"similarity": "given", "lambda_": drawn["lam"]}
        worked = lab.mmr(drawn["relevance"], drawn["similarity"], k=4, **given).working
        steps = [worked[f"step {n}"]["MMR"] for n in (1, 2, 3, 4)]
        if all(len({round(float(v), 6) for v in step}) == len(step) for step in steps):
            return {**drawn, "k": 4}


def with_chosen(rng):
    """The same with the two documents that MMR ranks first."""
    drawn = pool_of_five(rng)
    given = {"similarity": "given", "lambda_": drawn["lam"]}
    return {
        **drawn,
        "chosen": list(lab.mmr(drawn["relevance"], drawn["similarity"], k=2, **given)),
    }


def ranked_nuggets(rng):
    """Two rankings of documents with subtopics, and a cut-off."""
    names = ["A", "B", "C", "D", "E"]
    subtopics = {f"d{i}": set(rng.sample(names, rng.randint(1, 2))) for i in range(1, 8)}
    return {"ranking": rng.sample(list(subtopics), 6), "subtopics": subtopics,
            "k": rng.choice([3, 4])}  # fmt: skip


def some_facets(rng):
    """Selected documents, and the probability of each facet in each document."""
    names = ["f1", "f2", "f3"]
    coverage = {
        d: {f: rng.randint(1, 19) / 20 for f in rng.sample(names, rng.randint(1, 3))}
        for d in "abcd"
    }
    selected = rng.sample(list(coverage), 3)
    if rng.random() < 0.8:  # else a facet may be covered by no selected document
        for name in names:
            coverage[selected[0]].setdefault(name, rng.randint(1, 19) / 20)
    return {"selected": selected, "coverage": coverage}


HIGHEST = "max([coverage[d].get('{}', 0) for d in selected])"
ALONE = (
    "facet_likelihood(selected, "
    "{{d: {{'{0}': coverage[d].get('{0}', 0)}} for d in coverage}}).value"
)
CALL = "mmr(relevance, similarity, k=k, lambda_={}, similarity='given')"
STEP = "mmr(relevance, similarity, lambda_=lam, similarity='given').working['step 3']"
SIM = "max([similarity.get((d, s), similarity.get((s, d), 0)) for s in chosen])"
SWAPPED = STEP.replace("3", "2").replace("=lam", "=1 - lam")
LEFT = "for d in relevance if d not in chosen"

spec = Exercise(
    "10",
    "Diversifying with MMR, and facets",
    [
        Question(
            "scores",
            f"dict(zip(list({STEP}['document']), list({STEP}['MMR'])))",
            with_chosen,
            title="the score of each candidate",
            asks="MMR has chosen two documents. What is the MMR score of each candidate for the "
            "next rank? lam weighs relevance.",
            wrongs=[
                Wrong(
                    "similarity-added",
                    "a sum in place of a difference",
                    f"{{d: lam * relevance[d] + (1 - lam) * {SIM} {LEFT}}}",
                    "Likeness to what is ranked already counts against a document.",
                ),
                Wrong(
                    "mean-similarity",
                    "the mean similarity in place of the highest",
                    f"{{d: lam * relevance[d] - (1 - lam) * {SIM.replace('max', 'sum', 1)}"
                    f" / len(chosen) {LEFT}}}",
                    "MMR uses only the most similar document among the ranked ones.",
                ),
                Wrong(
                    "lambda-swapped",
                    "lambda on the similarity and 1 - lambda on the relevance",
                    f"{{d: (1 - lam) * relevance[d] - lam * {SIM} {LEFT}}}",
                    "Lambda weighs relevance.",
                ),
            ],
            hints=[
                "Each pair is in similarity once, in one of its two orders.",
                "Documents in chosen are no longer candidates.",
            ],
        ),
        Question(
            "mmr",
            f"list({CALL.format('lam')})",
            with_length,
            title="MMR",
            asks="Which k documents does MMR rank, in which order? lam weighs relevance.",
            marks=3,
            jointly=True,
            tries=8,
            wrongs=[
                Wrong(
                    "lambda-swapped",
                    "MMR with lambda and 1 - lambda exchanged",
                    f"list({CALL.format('1 - lam')})",
                    "Lambda weighs relevance.",
                ),
                Wrong(
                    "by-relevance",
                    "the order of relevance alone",
                    f"list({CALL.format('1')})",
                    "From the second document on, likeness to those above counts too.",
                ),
            ],
            hints=[
                "The first document has nothing before it: it is the most relevant one.",
                "Then k - 1 times: score the candidates, take the best, add it to the list.",
            ],
        ),
        Question(
            "subtopic_recall",
            "subtopic_recall(ranking, subtopics, k=k)",
            ranked_nuggets,
            title="S-recall",
            asks="What is the subtopic recall (S-recall) of the first k documents?",
            edges=[
                {"ranking": ["d9", "d1"], "subtopics": {"d1": {"A"}, "d2": {"B", "C"}}, "k": 2},
            ],
            wrongs=[
                Wrong(
                    "over-the-retrieved",
                    "a share of the subtopics that the ranking holds somewhere",
                    "subtopic_recall(ranking, "
                    "{d: subtopics[d] for d in ranking if d in subtopics}, k=k)",
                    "All subtopics of the query count, also those of documents not retrieved.",
                ),
                Wrong(
                    "cut-ignored",
                    "S-recall of the whole ranking",
                    "subtopic_recall(ranking, subtopics)",
                    "Only the first k documents count.",
                ),
            ],
            jointly=True,
            hints=["A union of sets over another union of sets."],
        ),
        Question(
            "facets",
            "facet_likelihood(selected, coverage).value",
            some_facets,
            title="FM-LDA",
            asks="Each document has each facet with the probability in coverage, or with 0. What "
            "is the probability that the selected documents cover all facets?",
            edges=[{"selected": ["a"], "coverage": {"a": {"f1": 0.9}, "b": {"f2": 0.8}}}],
            jointly=True,
            tries=8,
            wrongs=[
                Wrong(
                    "best-document",
                    "the highest probability of each facet, multiplied",
                    " * ".join(map(HIGHEST.format, ("f1", "f2", "f3"))),
                    "Several documents may have a facet. Multiply the probabilities of missing it.",
                ),
                Wrong(
                    "of-the-selected",
                    "the probability of the facets of the selected documents alone",
                    "facet_likelihood(selected, {d: coverage[d] for d in selected}).value",
                    "A facet that no selected document has makes the probability 0.",
                ),
                Wrong(
                    "any-facet",
                    "the mean over facets in place of the product",
                    f"({' + '.join(map(ALONE.format, ('f1', 'f2', 'f3')))}) / 3",
                    "All facets must be covered: multiply.",
                ),
            ],
            hints=[
                "A facet is missed by all with the product of 1 - p over the selected documents.",
                "One minus that for each facet; then the product over the facets.",
            ],
        ),
        Question(
            "second_step",
            f"[v for d, v in sorted(zip({STEP.replace('3', '2')}['document'], "
            f"{STEP.replace('3', '2')}['MMR']))]",
            pool_of_five,
            kind="value",
            title="the second step by hand",
            asks="MMR has ranked the most relevant document first. What is the MMR score of each "
            "candidate for rank 2, in the order of their names? lam weighs relevance.",
            marks=1,
            line="candidate",
            wrongs=[
                Wrong(
                    "lambda-swapped",
                    "lambda on the similarity and 1 - lambda on the relevance",
                    f"[v for d, v in sorted(zip({SWAPPED}['document'], {SWAPPED}['MMR']))]",
                    "Lambda weighs relevance.",
                ),
            ],
            hints=["The first document is the most relevant one.", "Four candidates are left."],
            tolerance=0.002,
            bonus=True,
        ),
    ],
    [
        ByHand(
            "criticise",
            "Criticise an experiment",
            [
                Criterion(
                    "leak",
                    1,
                    "xQuAD's aspects come from the judgments of the test queries, so it knows the "
                    "answer. Remedy: aspects from a log, suggestions or another source.",
                ),
                Criterion(
                    "lambda",
                    1,
                    "Lambda weighs relevance in MMR and diversity in xQuAD, so 0.8 means opposite "
                    "things. Each needs its own value, chosen on other queries.",
                ),
                Criterion(
                    "measure",
                    1,
                    "Only the distance within the list was measured. Unlike documents can be "
                    "useless: relevance, or a measure of both such as alpha-nDCG, is missing.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. Scores
#
# Return a dict: the MMR score of each document that is not in `chosen`, which holds the two that
# are ranked already.


# %% tags=["scores"]
def scores(relevance, similarity, lam, chosen):
    """The MMR score of each candidate."""

    ### BEGIN SOLUTION
    def alike(a, b):
        return similarity[a, b] if (a, b) in similarity else similarity[b, a]

    return {
        d: lam * relevance[d] - (1 - lam) * max(alike(d, s) for s in chosen)
        for d in relevance
        if d not in chosen
    }
    ### END SOLUTION


# %% tags=["check"]
check("scores", scores)

# %% [markdown]
# ## 2. MMR
#
# Return the first `k` documents, best first. If candidates are equal, take the first of them in
# `relevance`.


# %% tags=["mmr"]
def mmr(relevance, similarity, lam, k):
    """The first k documents in the order of MMR."""
    ### BEGIN SOLUTION
    chosen = [max(relevance, key=relevance.get)]
    while len(chosen) < k:
        candidates = scores(relevance, similarity, lam, chosen)
        chosen.append(max(candidates, key=candidates.get))
    return chosen
    ### END SOLUTION


# %% tags=["check"]
check("mmr", mmr)

# %% [markdown]
# ## 3. Was it worth it?
#
# Subtopic recall at $k$ is the share of the query's subtopics that the first $k$ documents cover.
# `subtopics` maps every judged document to its subtopics.


# %% tags=["subtopic_recall"]
def subtopic_recall(ranking, subtopics, k):
    """The share of all subtopics that the first k documents cover."""
    ### BEGIN SOLUTION
    found = set().union(*(subtopics.get(d, set()) for d in ranking[:k]))
    return len(found) / len(set().union(*subtopics.values()))
    ### END SOLUTION


# %% tags=["check"]
check("subtopic_recall", subtopic_recall)

# %% [markdown]
# ## 4. All facets covered
#
# `coverage` maps each document to its facets, each with the probability that the document has it. A
# facet that is not named has probability 0. Return the probability that the `selected` documents
# cover every facet that any document of `coverage` has:
#
# $$L=\prod_{f}\Bigl(1-\prod_{d}\bigl(1-p(f\in d)\bigr)\Bigr)$$


# %% tags=["facets"]
def facets(selected, coverage):
    """The probability that the selected documents cover all facets."""
    ### BEGIN SOLUTION
    covered = 1.0
    for facet in set().union(*coverage.values()):
        missed = 1.0
        for document in selected:
            missed *= 1 - coverage[document].get(facet, 0)
        covered *= 1 - missed
    return covered
    ### END SOLUTION


# %% tags=["check"]
check("facets", facets)

# %% [markdown]
# ## 5. Criticise an experiment
#
# Your teacher marks this answer. A team writes:
#
# > We compare MMR and xQuAD on 40 queries. Both use lambda = 0.8, so the comparison is fair. xQuAD
# > gets the aspects that our assessors wrote for these queries, with the documents that cover them.
# > MMR uses tf-idf vectors. The mean distance within the first ten documents is larger with xQuAD.
# > So xQuAD diversifies better.
#
# Name three flaws, and say for each what the team should do instead.

# %% [markdown] tags=["criticise"]
# **Three flaws and their remedies:**
#
# ### BEGIN SOLUTION
# **xQuAD was given the answer.** Its aspects are the judgments by which diversity is measured.
# Take aspects from query suggestions or a log, which a real engine has.
#
# **The lambdas mean opposite things.** In MMR 0.8 is the weight of the relevance, in xQuAD the
# weight of the diversity. Choose each lambda on other queries, by the same measure.
#
# **A large distance is not yet good.** Ten documents about ten other things are far apart.
# Report alpha-nDCG or S-recall, and a measure of relevance.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 6. The second step, by hand
#
# `similarity` holds each pair once. The most relevant document comes first. Give the scores of
# the four candidates for the second rank, in alphabetical order, to three decimals.

# %%
relevance, similarity, lam = spec.given("second_step")

# %% tags=["second_step"]
### BEGIN SOLUTION
best = max(relevance, key=relevance.get)
second_step = [
    lam * relevance[d] - (1 - lam) * similarity.get((d, best), similarity.get((best, d)))
    for d in sorted(relevance)
    if d != best
]
### END SOLUTION

# %% tags=["check"]
check("second_step", second_step)
