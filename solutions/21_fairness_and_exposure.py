# %% [markdown]
# # Exercise 21. Who is seen: exposure, its targets, and its price
#
# `ranking` is a list of items, best first. `groups` maps each item to its group. Write the formulas
# yourself: `math` and loops are enough.
#
# **Needs.** Notebook 21. **Time.** 45 minutes. **Marks.** 11. **Bonus.** 3.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong

ITEMS = ["a", "b", "c", "d", "e", "f", "g"]


def grouped_ranking(rng):
    """A ranking of items of two groups, uneven in number and in place."""
    ranking = rng.sample(ITEMS, rng.randint(5, 7))
    groups = {item: rng.choice(["new", "old", "old"]) for item in ranking}
    groups[ranking[0]], groups[ranking[2]] = rng.sample(["new", "old"], 2)
    return {"ranking": ranking, "groups": groups}


def ranking_with_target(rng):
    """The same with the shares that are due."""
    due = rng.choice([0.2, 0.3, 0.4, 0.6, 0.7])
    return {**grouped_ranking(rng), "target": {"new": due, "old": 1 - due}}


def sampled_rankings(rng):
    """Some rankings of one query's documents, and their grades."""
    documents = ["d1", "d2", "d3", "d4", "d5"]
    grades = [2, 1, 1, 0, 0]
    rng.shuffle(grades)
    judgments = dict(zip(documents, grades, strict=True))
    best = sorted(documents, key=lambda d: -judgments[d])
    samples = []
    for _ in range(rng.randint(2, 4)):
        ranking = list(best)
        for _ in range(2):
            i = rng.randrange(4)
            ranking[i], ranking[i + 1] = ranking[i + 1], ranking[i]
        samples.append(ranking)
    return {"samples": samples, "judgments": judgments}


NEW = "[int(groups[i] == 'new') for i in ranking]"
ALL = "[1 for i in ranking]"
LABELS = "{i: [groups[i]] for i in groups}"
AWRF = f"awrf(ranking, {LABELS}, p=0.8, target=target)"
LOSS = "expected_exposure(samples, judgments).value"

spec = Exercise(
    "21",
    "Who is seen: exposure, its targets, and its price",
    [
        Question(
            "share_of_new",
            f"dcg({NEW}) / dcg({ALL})",
            grouped_ranking,
            edges=[
                {"ranking": ["d", "e"], "groups": {"e": "old", "d": "new", "c": "new"}},
                {"ranking": ["d", "e", "f"], "groups": {"d": "new", "e": "middle", "f": "old"}},
                {"ranking": ["d"], "groups": {"d": "old"}},
            ],
            title="exposure of a group",
            asks="The attention of rank i is 1 / log2(i + 1). Which share of the attention does "
            "the group 'new' get?",
            mistakes=[
                "ranks-from-0",
                "log-of-rank",
                "log-of-rank-unguarded",
                "log-of-rank-plus-2",
                "discount-by-the-root",
                "ranking-reversed",
            ],
            wrongs=[
                Wrong(
                    "share-of-places",
                    "the group's share of the places",
                    f"precision({NEW})",
                    "A place at the top gets more attention than a place at the end.",
                ),
                Wrong(
                    "attention-1-over-rank",
                    "attention 1 / i",
                    f"dcg({NEW}, discount='reciprocal') / dcg({ALL}, discount='reciprocal')",
                    "The attention here falls with the logarithm of the rank.",
                ),
                Wrong(
                    "not-a-share",
                    "the attention itself, not its share",
                    f"dcg({NEW})",
                    "Divide by the attention of all ranks.",
                ),
                Wrong(
                    "ideal-of-the-group",
                    "nDCG of the group's places",
                    f"ndcg({NEW})",
                    "nDCG divides by the best places for the group. A share divides by all places.",
                ),
            ],
            hints=[
                "Add 1 / math.log2(rank + 1) over the ranks of the group.",
                "Divide by the same sum over all ranks.",
            ],
        ),
        Question(
            "fairness",
            AWRF,
            ranking_with_target,
            edges=[
                {
                    "ranking": ["a", "b"],
                    "groups": {"a": "new", "b": "new"},
                    "target": {"new": 0.5, "old": 0.5},
                },
                {  # an item that is not ranked, and a third group
                    "ranking": ["a", "b", "c"],
                    "groups": {"d": "new", "c": "middle", "b": "old", "a": "new"},
                    "target": {"new": 0.5, "old": 0.3, "middle": 0.2},
                },
                {
                    "ranking": ["a"],
                    "groups": {"b": "new", "a": "old"},
                    "target": {"new": 0.5, "old": 0.5},
                },
            ],
            title="AWRF",
            asks="What is AWRF, 1 less the Jensen-Shannon divergence between the target and the "
            "groups' shares of attention? The attention of rank i is in proportion to 0.8 to the "
            "power of i - 1, and the logarithms are binary.",
            marks=3,
            wrongs=[
                Wrong(
                    "divergence-in-nats",
                    "the divergence by the natural logarithm",
                    f"1 - 0.6931471805599453 * (1 - {AWRF})",
                    "With the binary logarithm the divergence is between 0 and 1.",
                ),
                Wrong(
                    "not-halved",
                    "a sum that was not halved",
                    f"1 - 2 * (1 - {AWRF})",
                    "Both terms are halved: the divergence is the mean of two.",
                ),
                Wrong(
                    "divergence-itself",
                    "the divergence, not 1 less the divergence",
                    f"1 - {AWRF}",
                    "AWRF is 1 if the shares are as they should be.",
                ),
                Wrong(
                    "stops-with-p",
                    "attention where 0.8 is the probability of stopping",
                    f"awrf(ranking, {LABELS}, p=0.2, target=target)",
                    "The user goes on with probability 0.8.",
                ),
                Wrong(
                    "p-of-the-notebook",
                    "attention with p = 0.5, as in the notebook",
                    f"awrf(ranking, {LABELS}, p=0.5, target=target)",
                    "Here the user goes on with probability 0.8.",
                ),
                Wrong(
                    "target-by-number",
                    "the shares of the items in place of the target",
                    f"awrf(ranking, {LABELS}, p=0.8)",
                    "What is due is given: use target.",
                ),
            ],
            hints=[
                "First the share of attention of each group; the shares add up to 1.",
                "Then the mean of each group's share and its target.",
                "Add share * log2(share / mean) and target * log2(target / mean). Halve the sum.",
            ],
        ),
        Question(
            "loss",
            LOSS,
            sampled_rankings,
            title="expected exposure",
            asks="These rankings of one query were sampled from an engine that randomises. The "
            "attention of rank i is 0.5 to the power of i - 1. What is the loss of expected "
            "exposure, EE-L: the sum over the documents of the squared difference between "
            "its mean attention and its target? In the target, documents of one grade share "
            "equally what an ideal order by grade gives them.",
            marks=3,
            edges=[
                {"samples": [["d1", "d2"], ["d2", "d1"]], "judgments": {"d1": 1, "d2": 1}},
                {"samples": [["d1", "d2"]], "judgments": {"d1": 0, "d2": 1}},
                {"samples": [["d3", "d2", "d1"]], "judgments": {"d1": 2, "d2": 1, "d3": 0}},
                {"samples": [["d1", "d2"]], "judgments": {"d1": 1, "d2": 1}},
            ],
            wrongs=[
                Wrong(
                    "mean-of-the-losses",
                    "the mean of the losses of the single rankings",
                    "mean([expected_exposure([s], judgments).value for s in samples])",
                    "Average the exposure over the samples first. Then compare with the target.",
                ),
                Wrong(
                    "first-sample-only",
                    "the loss of the first ranking alone",
                    "expected_exposure([samples[0]], judgments).value",
                    "Expected exposure is a mean over all samples.",
                ),
                Wrong(
                    "mean-over-documents",
                    "the mean of the squared differences over the documents",
                    f"{LOSS} / len(judgments)",
                    "EE-L is the sum over the documents.",
                ),
                Wrong(
                    "root",
                    "the root of the sum",
                    f"({LOSS}) ** 0.5",
                    "EE-L is the squared distance, without the root.",
                ),
                Wrong(
                    "power-of-the-rank",
                    "attention 0.5 to the power of the rank",
                    f"0.25 * {LOSS}",
                    "Rank 1 has the attention 1.",
                ),
                Wrong(
                    "relevant-or-not",
                    "targets by relevant or not",
                    "expected_exposure(samples, {d: min(judgments[d], 1) for d in judgments})"
                    ".value",
                    "An ideal engine puts grade 2 above grade 1. They have different targets.",
                ),
            ],
            hints=[
                "The exposure of a document is the mean of 0.5 ** (rank - 1) over the samples.",
                "For the target, sort by grade: one grade shares the attention of its ranks.",
            ],
            bonus=True,
        ),
    ],
    [
        ByHand(
            "wrong_number",
            "A number that can't be right",
            [
                Criterion(
                    "number",
                    1,
                    "EE-L of system C. It has to be 1.02 - 2 * 1.02 + 1.19 = 0.17, not 0.07. Half "
                    "a point for the right system with no or another value.",
                ),
                Criterion(
                    "claim",
                    1,
                    "C does not win: its loss of 0.17 is the highest of the three. B has the "
                    "lowest loss. No point for 'C is fairest because its disparity is lowest'.",
                ),
                Criterion(
                    "disparity",
                    1,
                    "Says why a low EE-D alone is no merit: it falls as well if documents that are "
                    "not relevant get the exposure of relevant ones. C's lower EE-R shows it.",
                ),
            ],
        ),
        ByHand(
            "job_search",
            "Design a measurement",
            [
                Criterion(
                    "measure",
                    1,
                    "A measure that fits one of the two complaints, with the reason: AWRF (or a "
                    "ratio of exposure to merit) for the groups, expected exposure or equity of "
                    "attention for equally qualified single people. Half a point without a reason.",
                ),
                Criterion(
                    "choices",
                    1,
                    "Names at least two choices that the number depends on, each with a value and "
                    "a reason: groups, target, attention, cut-off, time. Half a point for one.",
                ),
                Criterion(
                    "limit",
                    1,
                    "Something true that the measure does not show here: missing labels, merit "
                    "that comes from biased clicks or judgments, the other kind of fairness, or "
                    "what employers do after they look.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import math

from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. The exposure of a group
#
# The attention of rank $i$ is $1/\log_2(i+1)$. Which share of the attention of the whole ranking
# does the group "new" get?


# %% tags=["share_of_new"]
def share_of_new(ranking, groups):
    """The share of the attention that items of the group "new" get."""
    ### BEGIN SOLUTION
    attention = [1 / math.log2(rank + 1) for rank in range(1, len(ranking) + 1)]
    of_new = [a for a, item in zip(attention, ranking, strict=True) if groups[item] == "new"]
    return sum(of_new) / sum(attention)
    ### END SOLUTION


# %% tags=["check"]
check("share_of_new", share_of_new)

# %% [markdown]
# ## 2. AWRF
#
# `target` maps each group to the share of the attention that is due to it. The attention of rank
# $i$ is in proportion to $0.8^{\,i-1}$. Compute AWRF with binary logarithms.


# %% tags=["fairness"]
def fairness(ranking, groups, target):
    """Attention-weighted rank fairness: 1 less the Jensen-Shannon divergence."""
    ### BEGIN SOLUTION
    attention = [0.8**i for i in range(len(ranking))]
    divergence = 0.0
    for group, due in target.items():
        pairs = zip(attention, ranking, strict=True)
        got = sum(a for a, item in pairs if groups[item] == group)
        share = got / sum(attention)
        middle = (share + due) / 2
        for part in (share, due):
            if part > 0:
                divergence += part * math.log2(part / middle) / 2
    return 1 - divergence
    ### END SOLUTION


# %% tags=["check"]
check("fairness", fairness)

# %% [markdown]
# ## 3. A number that can't be right
#
# Your teacher marks this answer. A paper prints this table. The sum of the squared target exposures
# is 1.19 for all three systems.
#
# | system | EE-D | EE-R | EE-L |
# |---|---|---|---|
# | A | 1.31 | 1.19 | 0.12 |
# | B | 1.19 | 1.19 | 0.00 |
# | C | 1.02 | 1.02 | 0.07 |
#
# The paper says: *"C is the fairest system, because its disparity is the lowest. It loses little."*
# (Differences of 0.01 are from rounding.)
#
# 1. One number of the table can't be right. Which number is it, and what should it be?
# 2. Is the claim of the paper true with the right number?
# 3. Why is a low disparity alone no reason to prefer a system?

# %% [markdown] tags=["wrong_number"]
# **The wrong number, the claim, and why disparity alone is not enough:**
#
# ### BEGIN SOLUTION
# **The number.** EE-L of C has to be 1.02 - 2 * 1.02 + 1.19 = 0.17. The table has 0.07. A gives
# 1.31 - 2.38 + 1.19 = 0.12 and B gives 1.19 - 2.38 + 1.19 = 0, as printed.
#
# **The claim.** It is not true. C has the highest loss of the three systems. B has the lowest: its
# exposure is what it should be.
#
# **Disparity.** It falls whenever the exposure is spread more evenly. A random order of all
# documents has the lowest disparity, because it shows bad documents as often as good ones. EE-R
# shows this: C has 1.02 where A and B have 1.19.
# ### END SOLUTION

# %% [markdown]
# ## 4. Design a measurement
#
# Your teacher marks this answer. A site for jobs ranks applicants for employers. There are two
# complaints:
#
# - Applicants from one region say that they are hardly seen on the first page.
# - A nurse says that she is always below another nurse with the same qualification.
#
# Choose **one** of the complaints. Write five to ten sentences.
#
# 1. Which measure do you take, and why does it fit this complaint?
# 2. Which choices does the number depend on? Name two or more. Say what you choose, and why.
# 3. What does your number not show?

# %% [markdown] tags=["job_search"]
# **The complaint, your measure, its choices, and what it does not show:**
#
# ### BEGIN SOLUTION
# **The first complaint: AWRF.** It is about a group, and about attention at the top of a ranking.
# AWRF compares the attention of groups with what is due to them.
#
# **Choices.** The groups are the regions that applicants gave in their profiles. The target is each
# region's share of the applicants who meet the requirements of the job, because the complaint is
# not about others. The attention is geometric with p = 0.9, since employers look at about ten
# profiles. I would show the number for p = 0.8 too. I would count all searches of a month.
#
# **What it does not show.** Applicants without a region are left out, so I report how many they
# are. AWRF does not see whether two equal applicants of one region are treated alike, as in the
# second complaint. For that I would take expected exposure over the searches of a month. And being
# seen is not being invited.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 5. The loss of expected exposure
#
# `samples` are rankings of the same documents for one query. `judgments` maps all these documents
# to grades. The attention of rank $i$ is $0.5^{\,i-1}$. Compute EE-L. The ideal engine ranks by
# grade, and shows all orders of equal grades equally often.


# %% tags=["loss"]
def loss(samples, judgments):
    """The squared distance of expected exposure and target exposure."""
    ### BEGIN SOLUTION
    total = 0.0
    grades = sorted(judgments.values(), reverse=True)
    for document, grade in judgments.items():
        expected = sum(0.5 ** s.index(document) for s in samples) / len(samples)
        shared = [0.5**i for i, g in enumerate(grades) if g == grade]
        total += (expected - sum(shared) / len(shared)) ** 2
    return total
    ### END SOLUTION


# %% tags=["check"]
check("loss", loss)
