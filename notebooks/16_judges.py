# %% [markdown]
# # 16. Judges: where the grades come from
#
# **Goals.** After this notebook you can
#
# - say what a pool leaves out, and find out which system depends on it;
# - compute overlap, Cohen's kappa and weighted kappa of two assessors by hand, and read them;
# - compute Krippendorff's alpha of several, and say who of them is harsh;
# - choose how many topics to judge, and how deep, for a given budget;
# - compare two orders of systems by Kendall's tau, tau-AP and RBO.
#
# **Time.** 60 minutes. **Needs.** Notebook 1 (pooling), notebook 4 (grades), notebook 8 (unjudged
# documents).

# %%
from itertools import permutations

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import evaluate, explain, kendall_tau, ndcg, rbo, tau_ap
from irmetrics_edu.course import (
    figure,
    load_collection,
    predict,
    quiz,
    reading,
    reveal,
    slider,
    table,
    terms,
)
from irmetrics_edu.judging import judges
from irmetrics_edu.runs import pool
from irmetrics_edu.views import plotting

# %% [markdown]
# Until now the grades were given. In this chapter you ask who gave them. These are the words of
# this chapter:

# %%
terms(
    "assessor",
    "pool",
    "overlap",
    "chance agreement",
    "kappa",
    "weighted kappa",
    "Krippendorff's alpha",
    "tau",
    "tau-AP",
    "RBO",
)

# %% [markdown]
# ## Cranfield: a test collection
#
# In the 1960s Cleverdon's team at Cranfield compared ways of indexing papers. No users had to try
# each way. The team built a **test collection** with three parts (Cleverdon et al. 1966):
#
# - documents: 1,400 papers, most of them on aerodynamics;
# - topics: 225 questions that researchers had (in the file that is passed around today);
# - judgments: which paper answers which question, and how well.
#
# Now anybody can run an engine on the questions and compute a score, as often as they like. This is
# the **Cranfield method**. It assumes that relevance belongs to a topic and a document. The reader
# does not matter, nor does what they have read before. It also assumes that the judgments are
# complete: 1,400 papers for 225 questions are 315,000 judgments. At 30 seconds each, that takes 328
# days of eight hours.
#
# This chapter has a real case: the collection *stdlib* of the package. Its documents are docstrings
# of Python's standard library. It has a hundred topics, and three engines answered them. You should
# know two things about its grades:
#
# - **Language models wrote the topics and gave the grades. No person did.** So the numbers below
#   show how the methods work. They don't show how good the engines are for people.
# - Two passes gave grades. The first pass judged all hundred topics, and the second pass judged 25
#   of them. Both followed the same written guideline. The second pass did not see the first grades,
#   except for one document that is an example in the documentation.
#
# It has this many documents, grades of the first pass, and grades of the second pass:

# %%
collection = load_collection("stdlib")
RUNS = collection.runs
FIRST, SECOND = collection.qrels["deep"], collection.qrels["second"]
len(collection.documents), sum(map(len, FIRST.values())), sum(map(len, SECOND.values()))

# %% [markdown]
# ## Pooling
#
# Nobody judges everything. Take a topic and three systems. A **pool** of depth 2 holds the first
# two documents of each system. Assessors read these documents and no others:

# %%
three = {"A": ["d1", "d2", "d3"], "B": ["d2", "d4", "d1"], "C": ["d5", "d1", "d2"]}
by_hand = set()
for ranking in three.values():
    by_hand |= set(ranking[:2])
assert by_hand == set(pool(three, depth=2).documents)
sorted(by_hand)

# %%
predict(
    "How many documents are in the pool of depth 3?",
    len(pool(three, depth=3)),
    mistaken={9: "You added up the lists. A document that several systems find is judged once."},
)

# %%
reveal(str(pool(three, depth=3)))

# %% [markdown]
# In the collection, the first ten documents of each engine were judged. So a smaller pool is easy
# to try: keep the grades of the documents that it holds. Every other document becomes unjudged, and
# nDCG then counts it as not relevant.


# %%
def judged_by(depth, systems=tuple(RUNS)):
    """The first grades, cut down to the pool of these systems."""
    pools = pool({name: RUNS[name] for name in systems}, depth=depth)
    return {t: {d: FIRST[t][d] for d in found.documents} for t, found in pools.items()}


def scores(qrels, measure="nDCG@10"):
    """The mean of a measure for each engine."""
    return {name: evaluate(run, qrels, measure).mean[measure] for name, run in RUNS.items()}


POOLS = {depth: judged_by(depth) for depth in (5, 10)}
cost = {depth: sum(map(len, qrels.values())) for depth, qrels in POOLS.items()}
predict(
    f"A pool of depth 5 costs {cost[5]:,} judgments and a pool of depth 10 costs {cost[10]:,}. Do "
    "the scores of the three engines change? Does their order change?"
)

# %%
reveal(
    table(
        {
            "pool": [f"depth {depth}" for depth in POOLS],
            "judgments": list(cost.values()),
            "relevant documents": [
                sum(grade > 0 for of in qrels.values() for grade in of.values())
                for qrels in POOLS.values()
            ],
            **{name: [scores(qrels)[name] for qrels in POOLS.values()] for name in RUNS},
        },
        digits=3,
        caption="nDCG@10. The scores are higher with the smaller pool, because it knows fewer "
        "relevant documents. The order of the engines is the same, for half the judgments.",
    )
)

# %% [markdown]
# So a pool gives you an *order*. Don't compare its scores with scores from another pool.
#
# The order is safe only for systems that contributed to the pool. Suppose that one engine had come
# a year later. What it alone finds would have no grades. You can test this: **leave one system
# out** of the pool, and score all systems again (Zobel 1998).

# %%
predict(
    "With all three engines in the pool, fts5 is first, bm25 is second and lsa is third. Leave "
    "fts5 out of the pool of depth 10. Which engine is first then?"
)

# %%
left = {"nobody": scores(FIRST)}
for name in RUNS:
    left[name] = scores(judged_by(10, [other for other in RUNS if other != name]))
reveal(
    table(
        {
            "left out": list(left),
            **{name: [found[name] for found in left.values()] for name in RUNS},
        },
        digits=3,
        caption="nDCG@10. Every engine loses when it is left out, and the other two gain. Without "
        "fts5 in the pool, bm25 is first.",
    )
)

# %% [markdown]
# Nothing about the engines changed. Only the list of documents that somebody read changed. Leave
# each system out once before you publish a collection. If the order of the top systems changes, the
# pool is too shallow or has too few different systems.
#
# ## Agreement of two assessors: overlap and kappa
#
# An assessor needs a **guideline**: what does each grade mean? This is the one of the collection:

# %%
table(
    {
        "grade": [3, 2, 1, 0],
        "the document": [
            "is what the description asks for: use it, and you are done",
            "solves the task with a little more work, or a part of the task, or a variant of it",
            "doesn't solve the task, but it is related and helps",
            "doesn't help, even if it shares words with the title",
        ],
    }
)

# %% [markdown]
# It looks clear. Try it on topic q006:

# %%
topic = collection.topics["q006"]
predict(
    f"The topic says: “{topic.description}” The document is "
    f"“{collection.documents['datetime.datetime.strptime']}” Which grade do you give?"
)

# %%
reveal(
    f"The first pass gave {FIRST['q006']['datetime.datetime.strptime']} and the second pass gave "
    f"{SECOND['q006']['datetime.datetime.strptime']}. strptime does all of the second half: it "
    "turns text into a date. Is that what the description asks for, or a part of the task? The "
    "guideline does not say what to do with two tasks that are joined by “and”."
)

# %% [markdown]
# Assessors differ, even with the same guideline. So measure how much they differ before you use
# their grades. Start on paper. Two assessors, Ann and Ben, judged ten documents as relevant (1) or
# not relevant (0):

# %%
ann = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
ben = np.array([1, 1, 1, 0, 1, 0, 0, 0, 0, 0])
raw = (ann == ben).mean()
overlap = ((ann == 1) & (ben == 1)).sum() / ((ann == 1) | (ben == 1)).sum()


def as_judgments(grades):
    """Grades of documents d1, d2, ... for one topic, as the package takes them."""
    return {"q": {f"d{i}": int(grade) for i, grade in enumerate(grades, 1)}}


both = judges({"Ann": as_judgments(ann), "Ben": as_judgments(ben)})
assert np.isclose(raw, float(both.raw))
assert np.isclose(overlap, float(both.overlap()))
round(float(raw), 2), round(float(overlap), 2)

# %% [markdown]
# **Raw agreement** is the share of documents with the same grade: 8 of 10. **Overlap** looks at the
# relevant documents only. Three documents are relevant for both, and five for at least one of them.
# So it is 3/5.
#
# Raw agreement is high if nearly everything is not relevant. Suppose that Ben throws a coin that
# shows *relevant* in 4 of 10 cases. He would still agree with Ann now and then. **Cohen's kappa**
# (Cohen 1960) takes this away:
#
# $$\kappa = \frac{p_o - p_e}{1 - p_e} \qquad\qquad p_e = \sum_g a_g\, b_g$$
#
# In words: $p_o$ is raw agreement. $a_g$ is the share of documents to which Ann gave grade $g$, and
# $b_g$ is Ben's share. Both give grade $g$ by chance with probability $a_g b_g$. Add this up over
# the grades, and you have the chance agreement $p_e$. Kappa is the agreement beyond chance, divided
# by the most that it could be.

# %%
predict(
    "Ann and Ben each call 4 of 10 documents relevant. How often would they agree by chance?",
    0.4 * 0.4 + 0.6 * 0.6,
    mistaken={
        0.16: "Both say relevant that often. Add how often both say not relevant: 0.6 · 0.6.",
        0.5: "Chance is one half only if both use the two grades equally often.",
    },
)

# %%
chance = sum(np.mean(ann == grade) * np.mean(ben == grade) for grade in (0, 1))
kappa = (raw - chance) / (1 - chance)
assert np.isclose(kappa, float(both.kappa))
reveal(
    f"0.4 · 0.4 + 0.6 · 0.6 = {chance:.2f}. So kappa is (0.80 - 0.52) / (1 - 0.52) = {kappa:.2f}."
)

# %% [markdown]
# Kappa is 1 if the two always agree. It is 0 if they agree as often as by chance, and below 0 if
# they agree less often.

# %%
quiz(
    "Two assessors judge 100 documents. Both say not relevant to 90 of them. Each calls 5 "
    "documents relevant that the other one does not. Raw agreement is 0.90. What is kappa?",
    {
        "A little below 0": (
            True,
            "Chance is 0.95 · 0.95 + 0.05 · 0.05 = 0.905. So kappa is (0.9 - 0.905) / 0.095.",
        ),
        "About 0.9, the raw agreement": (
            False,
            "That is raw agreement. Chance alone would give 0.905.",
        ),
        "About 0.5": (False, "They agree on no relevant document at all. Compute chance first."),
    },
)

# %% [markdown]
# ## Weighted kappa: some disagreements are worse than others
#
# With grades, a 1 instead of a 2 is a small disagreement. A 0 instead of a 2 is a large one. Kappa
# treats both the same. Here are six documents and three assessors. Ben never gives a 2, so he is
# too strict. Cat gives a 0 where Ann gives a 2:

# %%
GRADED = {"Ann": [0, 0, 1, 1, 2, 2], "Ben": [0, 0, 1, 1, 1, 1], "Cat": [0, 0, 1, 1, 0, 0]}
table({"document": [f"d{i}" for i in range(1, 7)], **GRADED})

# %% [markdown]
# **Weighted kappa** (Cohen 1968) lets each disagreement weigh the square of the distance between
# the two grades:
#
# $$\kappa_w = 1 - \frac{\sum_d (a_d - b_d)^2}{\frac{1}{n} \sum_d \sum_{e} (a_d - b_e)^2}$$
#
# In words: the upper sum is over the $n$ documents. It takes the two grades of one document and
# squares their difference. The lower sum does the same for every grade of one assessor with every
# grade of the other one, which is what chance would bring. Divide, and subtract from 1.


# %%
def weighted_kappa(first, second):
    """Quadratic weighted kappa of two lists of grades."""
    a, b = np.array(first), np.array(second)
    observed = ((a - b) ** 2).sum()
    expected = ((a[:, None] - b[None, :]) ** 2).sum() / len(a)
    return 1 - observed / expected


with_ben, with_cat = (
    judges({n: as_judgments(GRADED[n]) for n in ("Ann", other)}) for other in ("Ben", "Cat")
)
assert np.isclose(weighted_kappa(GRADED["Ann"], GRADED["Ben"]), float(with_ben.weighted_kappa))
assert np.isclose(weighted_kappa(GRADED["Ann"], GRADED["Cat"]), float(with_cat.weighted_kappa))
predict(
    "Ann and Cat: the squares of the six differences add up to 8. Chance would bring 8 as well. "
    "What is weighted kappa?",
    float(with_cat.weighted_kappa),
    mistaken={1.0: "That is observed divided by expected. Subtract it from 1."},
)

# %%
reveal(
    table(
        {
            "Ann with": ["Ben", "Cat"],
            "raw agreement": [float(x.raw) for x in (with_ben, with_cat)],
            "kappa": [float(x.kappa) for x in (with_ben, with_cat)],
            "weighted kappa": [float(x.weighted_kappa) for x in (with_ben, with_cat)],
        },
        caption="Raw agreement and kappa can't tell Ben from Cat. Weighted kappa can.",
    )
)

# %% [markdown]
# ## Krippendorff's alpha: three assessors or more
#
# Kappa compares two assessors. Ann, Ben and Cat would have three kappas. **Krippendorff's alpha**
# (Krippendorff 2011) takes all of them at once, and each may have left out documents:
#
# $$\alpha_K = 1 - \frac{D_o}{D_e}$$
#
# In words: take two grades that different assessors gave to one document, and square their
# difference. $D_o$ is the mean of these squares, over all documents. $D_e$ is the mean for any two
# of all grades, which is what chance would bring.
#
# Alpha does not say who differs. So compare each assessor's mean grade with the mean that the
# others gave to the same documents. An assessor is **harsh** if the own mean is lower, and
# **lenient** if it is higher. Here each assessor graded each document:


# %%
def krippendorff(grades):
    """Interval alpha of assessors who graded the same documents: a list of grades for each."""
    rows = np.array(grades)
    observed = np.mean([(a - b) ** 2 for of in rows.T for a, b in permutations(of, 2)])
    expected = np.mean([(a - b) ** 2 for a, b in permutations(rows.ravel(), 2)])
    return 1 - observed / expected


all_three = judges({name: as_judgments(grades) for name, grades in GRADED.items()})
alpha = all_three.coefficients["Krippendorff's alpha, interval"]
assert np.isclose(krippendorff(list(GRADED.values())), float(alpha.value))
predict(
    "Cat's mean grade is 1/3. Ann's is 1, and Ben's is 2/3. Subtract the mean of the two others "
    "from Cat's mean. A number below 0 says that Cat is harsh. What is it?",
    np.mean(GRADED["Cat"]) - np.mean(GRADED["Ann"] + GRADED["Ben"]),
    mistaken={0.5: "Cat is below the others: subtract the others' mean from Cat's."},
)

# %%
reveal(
    table(
        {
            "assessor": list(all_three.severities),
            "mean grade": [float(s.mean) for s in all_three.severities.values()],
            "of the others": [float(s.others) for s in all_three.severities.values()],
            "difference": [float(s.above.value) for s in all_three.severities.values()],
            "low": [float(s.above.low) for s in all_three.severities.values()],
            "high": [float(s.above.high) for s in all_three.severities.values()],
        },
        caption=f"Alpha is {float(alpha.value):.2f}. Low and high bound the 95 % interval: the six "
        "documents are drawn again, 999 times. An assessor is harsh if it is below 0, and lenient "
        "if it is above 0. An interval from 0 to 0 is no proof: it only says that these six "
        "documents hold nothing else to draw. Six documents are too few to say much.",
    )
)

# %% [markdown]
# ## Agreement on a real collection
#
# Now compare the two passes over 25 topics of the collection. The table counts the pairs of topic
# and document by both grades:

# %%
passes = judges({"first pass": FIRST, "second pass": SECOND})
counts = np.array(passes.table)
table(
    {"grade of the first pass": [0, 1, 2, 3]}
    | {f"{grade} from the second": counts[:, grade].tolist() for grade in range(4)}
)

# %%
predict(
    "319 of 458 pairs have grade 0 from both. Will kappa be above or below raw agreement? And "
    "weighted kappa?"
)

# %%
relevant_to_both, relevant_to_any = counts[1:, 1:].sum(), counts.sum() - counts[0, 0]
reveal(
    table(
        {
            "raw agreement": [float(passes.raw)],
            "kappa": [float(passes.kappa)],
            "weighted kappa": [float(passes.weighted_kappa)],
            "overlap": [relevant_to_both / relevant_to_any],
            "overlap, mean over topics": [float(passes.overlap())],
        },
        digits=3,
        caption="Kappa is never above raw agreement. Weighted kappa is above both here: the two "
        "passes are never apart by more than one of four grades, and by chance they often would "
        f"be. Overlap is {relevant_to_both} of {relevant_to_any} pairs. Its mean over topics is "
        "another number, because each topic counts the same there.",
    )
)

# %% [markdown]
# Are these numbers good? They are very high. In a study at TREC, pairs of human assessors had a
# mean overlap over topics between 0.42 and 0.49 (Voorhees 2000). So be careful. The two passes may
# come from one model, and a model that repeats itself is not a second opinion. High agreement of a
# model with itself says that the model is *steady*. It doesn't say that the model is *right*.
#
# Then look at single topics. The two topics with the lowest kappa have one cause each:
#
# - q006 asks for two things, joined by “and”. The second pass gave one grade less to six documents
#   that do one of the two things. Both passes call the same documents relevant.
# - q098 asks which ways there are to run work concurrently. The first pass gave grade 1 to few
#   documents, and the second pass to many: what “helps” here?
#
# The remedy is not to average the grades. **Repair the guideline**, with these two topics as
# examples, and judge again. Let the assessors talk about each disagreement before they judge more.
#
# ## Does the disagreement matter?
#
# You judge to compare systems. So ask whether the order of systems depends on the assessor. Score
# each engine on the 25 topics under either pass:

# %%
means, by_query = passes.under(RUNS, "nDCG@10")["nDCG@10"]
[order] = passes.orders(by_query).values()
table(
    {"judged by": passes.names, **dict(zip(RUNS, zip(*means, strict=True), strict=True))},
    digits=3,
    caption=f"nDCG@10 over 25 topics. Kendall's tau of the two orders is {order.value:.2f}, with a "
    f"95 % interval from {order.low:.2f} to {order.high:.2f}. Three engines have six orders. So "
    "even chance gives a tau of 1 in one of six cases: this is no evidence yet.",
)

# %% [markdown]
# The scores hardly move, and the order is the same. Voorhees (2000) found this with people and many
# systems: the assessors disagreed a lot, but the orders of the systems were nearly equal. A
# likely reason: each assessor errs in their own way, and the errors hit all systems alike. Keep
# this reason in mind. It fails if an assessor favours *one system*.
#
# ## How many judgments do you need?
#
# Two engines compared by P@5 need no judgment of a document that both show: it counts for both and
# cancels. Judging only the others is the idea of a **minimal pool** (Carterette et al. 2006). It
# answers one question cheaply. A third engine or another measure needs new judgments.
#
# **Many topics or deep pools?** You can pay for 400 judgments. Two engines with pools of depth 10
# cost about 17 judgments per topic. So you can judge 23 topics to depth 10, or 108 topics to
# depth 2. Which plan finds the better engine more often? To answer this you must know which engine
# is better, and of fts5 and bm25 nobody knows that (notebook 6). So here is a made-up world: 2,000
# topics with 100 documents each, and the 15 documents of highest worth are relevant. Both engines
# rank by worth plus noise. The *new* engine sees the worth a little better, so it is truly better.

# %%
DISCOUNT = 1 / np.log2(np.arange(2, 12))


def world(seed):
    """Which documents are relevant, and the first ten of the new engine and of the old one."""
    rng = np.random.default_rng(seed)
    value = rng.normal(size=(2000, 100))
    tops = []
    for quality in (1.1, 1.0):
        seen = (quality + rng.normal(0, 0.35, (2000, 1))) * value + rng.normal(size=value.shape)
        tops.append(np.argsort(-seen)[:, :10])
    return np.argsort(np.argsort(-value)) < 15, tops


def gaps(relevant, tops, depth):
    """Judgments a topic, and nDCG@10 of new less old, with only a pool of this depth judged."""
    judged = np.zeros_like(relevant)
    for top in tops:
        np.put_along_axis(judged, top[:, :depth], values=True, axis=1)
    known = relevant & judged
    ideal = np.append(0, np.cumsum(DISCOUNT))[np.minimum(known.sum(axis=1), 10)]
    new, old = (np.take_along_axis(known, top, 1) @ DISCOUNT for top in tops)
    return judged.sum() / len(judged), (new - old) / np.maximum(ideal, DISCOUNT[-1])


DEPTHS, BUDGET = [1, 2, 3, 5, 10], 400
RELEVANT_THERE, (NEW, OLD) = world(0)
PER_TOPIC, GAPS = zip(*(gaps(RELEVANT_THERE, (NEW, OLD), depth) for depth in DEPTHS), strict=True)
hits = dict.fromkeys([str(d) for d in np.flatnonzero(RELEVANT_THERE[0])], 1)
first = [ndcg([str(d) for d in top[0]], hits, k=10) for top in (NEW, OLD)]
everything = np.cumsum(DISCOUNT)[-1]
by_hand = [(RELEVANT_THERE[0][top[0]] @ DISCOUNT) / everything for top in (NEW, OLD)]
assert np.isclose(by_hand, first).all()
TRUE_GAP = np.mean([RELEVANT_THERE[q][NEW[q]] @ DISCOUNT for q in range(2000)]) / everything
TRUE_GAP -= np.mean([RELEVANT_THERE[q][OLD[q]] @ DISCOUNT for q in range(2000)]) / everything

# %%
predict(
    f"The new engine is truly better, by {TRUE_GAP:.2f} in nDCG@10. Which plan finds this out more "
    f"often: {BUDGET // PER_TOPIC[4]:.0f} topics to depth 10, or {BUDGET // PER_TOPIC[1]:.0f} "
    "topics to depth 2?"
)

# %% [markdown]
# Draw topics at random, 10,000 times, and count how often the new engine has the higher mean. That
# is right. The figure has 100 of the draws. A topic costs more than its judgments: somebody has to
# write it. Move the slider to make this cost as much as 5, 10 or 20 judgments.


# %%
def plan(place, topic_cost):
    """How many topics the budget allows, and the mean gap of each draw."""
    n = int(BUDGET // (topic_cost + PER_TOPIC[place]))
    drawn_topics = np.random.default_rng(place).integers(0, 2000, (10_000, n))
    return n, GAPS[place][drawn_topics].mean(axis=1)


def plans(topic_cost):
    """The mean gaps of 100 draws for each depth, as dots, with the share of right verdicts."""
    drawn, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
    names = []
    for place, depth in enumerate(DEPTHS):
        n, found = plan(place, topic_cost)
        right, across = found > 1e-9, place + np.linspace(-0.3, 0.3, 100)
        names.append(f"depth {depth}\n{n} topics\nright: {right.mean():.2%}")
        for i, side in enumerate((right[:100], ~right[:100])):
            axes.plot(across[side], found[:100][side], "o^"[i], color=plotting.PALETTE[i], ms=3)
    axes.axhline(0, color="black", linewidth=1)
    axes.set(
        xticks=range(5), xticklabels=names, ylim=(-0.25, 0.4), ylabel="mean nDCG@10, new - old"
    )
    axes.set_title(f"budget: {BUDGET} judgments, cost of a topic: {topic_cost} judgments")
    axes.legend(axes.lines[:2], ["new ahead: right", "old ahead: wrong"], ncols=2)
    return drawn


def plans_in_words(topic_cost):
    """What the dots show."""
    found = [(plan(place, topic_cost)[1] > 1e-9).mean() for place in range(5)]
    shares = ", ".join(f"{right:.2%} at depth {d}" for d, right in zip(DEPTHS, found, strict=True))
    return f"Clouds of mean gaps above and below 0. The share above, which is right: {shares}."


slider(plans, name="cost of a topic", values=[0, 5, 10, 20], start=0, alt=plans_in_words)

# %% [markdown]
# The figure has one world. Does another world say the same? Here are ten, each drawn like the
# first one. For each world count the share of right verdicts again:


# %%
def right(drawn_world, depth, topic_cost):
    """The share of 2,000 draws in which the new engine is ahead, in one world."""
    per_topic, gap = gaps(*drawn_world, depth)
    n = int(BUDGET // (topic_cost + per_topic))
    draws = np.random.default_rng(0).integers(0, 2000, (2000, n))
    return float((gap[draws].mean(axis=1) > 1e-9).mean())


WORLDS = [world(seed) for seed in range(10)]
SHARES = {
    (depth, cost): [right(one, depth, cost) for one in WORLDS]
    for depth in (1, 10)
    for cost in (0, 20)
}
table(
    {
        "depth": [depth for depth, _ in SHARES],
        "cost of a topic": [cost for _, cost in SHARES],
        "right, lowest of ten worlds": [min(found) for found in SHARES.values()],
        "right, mean": [float(np.mean(found)) for found in SHARES.values()],
        "right, highest": [max(found) for found in SHARES.values()],
    },
    digits=2,
)

# %%
AHEAD = sum(a > b for a, b in zip(SHARES[1, 0], SHARES[10, 0], strict=True))
BEHIND = sum(a < b for a, b in zip(SHARES[1, 20], SHARES[10, 20], strict=True))
reveal(
    f"If topics cost nothing, depth 1 is right more often than depth 10 in {AHEAD} of 10 worlds. A "
    "shallow pool makes the difference more noisy, but the many topics make up for it. If a topic "
    f"costs as much as 20 judgments, depth 10 is ahead in {BEHIND} of 10. The answer depends on "
    "how these worlds are made. And a shallow pool is worth less for engines that come later.",
    summary="Read the table",
)

# %% [markdown]
#
# ## Rank correlation: compare two orders of systems
#
# Two assessors gave two orders of the systems. With three engines you can see that the orders are
# equal. With thirty systems you need a number. Start with five systems, ordered by people as A, B,
# C, D, E.
#
# **Kendall's tau** (Kendall 1938) looks at every pair of systems:
#
# $$\tau = \frac{C - D}{n(n-1)/2}$$
#
# In words: $C$ pairs have the same order in both lists, and $D$ pairs have opposite orders.
# Subtract, and divide by the number of pairs of $n$ systems.


# %%
def tau_by_hand(order, reference):
    """Kendall's tau of two orders without ties."""
    place = [reference.index(system) for system in order]
    signs = [np.sign(place[j] - place[i]) for j in range(len(place)) for i in range(j)]
    return np.mean(signs)


PEOPLE, TOP_SWAP, END_SWAP = list("ABCDE"), list("BACDE"), list("ABCED")
assert np.isclose(tau_by_hand(TOP_SWAP, PEOPLE), kendall_tau(TOP_SWAP, PEOPLE))
predict(
    "A second assessor swaps the first two systems: B, A, C, D, E. What is tau?",
    of=(kendall_tau, TOP_SWAP, PEOPLE),
    mistaken={
        0.9: "9 of 10 pairs are right. Subtract the pair that is wrong.",
        0.6: "One swap of neighbours turns one pair around. You counted two.",
    },
)

# %%
reveal(explain(kendall_tau, TOP_SWAP, PEOPLE))

# %% [markdown]
# The order A, B, C, E, D has the same tau. But readers look at the top of such a list first.
# **tau-AP** makes errors near the top weigh more (Yilmaz et al. 2008):
#
# $$\tau_{\mathrm{AP}} = \frac{2}{n-1} \sum_{i=2}^{n} \frac{C_i}{i-1} - 1$$
#
# In words: go down the list from rank 2. $C_i$ counts the systems above rank $i$ that also stand
# above this system in the other list. Divide by the number of systems above, which is $i-1$. Take
# the mean of these shares, double it and subtract 1.


# %%
def tau_ap_by_hand(order, reference):
    """The AP correlation of an order with a reference, without ties."""
    place = [reference.index(system) for system in order]
    shares = [np.mean([place[j] < place[i] for j in range(i)]) for i in range(1, len(place))]
    return 2 * np.mean(shares) - 1


for order in (TOP_SWAP, END_SWAP):
    assert np.isclose(tau_ap_by_hand(order, PEOPLE), tau_ap(order, PEOPLE))
predict(
    "What is tau-AP of B, A, C, D, E? The shares are 0, 1, 1, 1.",
    of=(tau_ap, TOP_SWAP, PEOPLE),
    mistaken={0.75: "That is the mean of the shares. Double it and subtract 1."},
)

# %%
reveal(
    "The mean of the shares is 3/4, so tau-AP is 0.5. For A, B, C, E, D the shares are 1, 1, 1 and "
    "3/4, and tau-AP is 0.875. tau is 0.8 for both: it can't tell where the swap is."
)

# %% [markdown]
# Both need two orders of the *same* things. Two rankings of documents rarely have the same
# documents. **RBO** (rank-biased overlap; Webber et al. 2010) compares them anyway. For each depth
# $d$ it takes the agreement $A_d$: the share of the first $d$ documents that both rankings have.
# A reader goes on from each depth with probability $p$:
#
# $$\mathrm{RBO} = (1-p) \sum_{d=1}^{n} p^{\,d-1} A_d + p^{\,n} A_n$$
#
# In words: the agreement at depth $d$ weighs $(1-p)\,p^{d-1}$, which is the share of readers who
# stop there. The last part stands for all readers who go beyond the end $n$ of the lists. It
# assumes that the lists agree there as they do at the end.


# %%
def rbo_by_hand(first, second, p=0.9):
    """RBO of two rankings of the same length, without ties."""
    depths = np.arange(1, len(first) + 1)
    shares = np.array([len(set(first[:d]) & set(second[:d])) / d for d in depths])
    return (1 - p) * (p ** (depths - 1) * shares).sum() + p ** len(first) * shares[-1]


ABC, ACD = list("abc"), list("acd")
assert np.isclose(rbo_by_hand(ABC, ACD, p=0.5), rbo(ABC, ACD, p=0.5))
predict(
    "The rankings a, b, c and a, c, d. The agreement at depths 1, 2, 3 is 1, 1/2, 2/3. What is RBO "
    "with p = 0.5?",
    of=(rbo.using(p=0.5), ABC, ACD),
    mistaken={
        0.5 + 0.125 + 0.125 * 2 / 3: "You left out the readers beyond rank 3: add 0.125 · 2/3.",
        13 / 18: "That is the plain mean of the agreement. Weigh it by 0.5, 0.25, 0.125.",
    },
)

# %%
reveal(explain(rbo, ABC, ACD, p=0.5))

# %% [markdown]
# ## Recap
#
# - A test collection is documents, topics and judgments. A pool holds the first documents of each
#   system. Leave each system out once, and see whether the order holds.
# - Raw agreement is high if nearly everything is not relevant. Kappa takes chance away, weighted
#   kappa looks at distances, and overlap looks at the relevant documents. Krippendorff's alpha
#   takes any number of assessors.
# - Look at single topics and single grades. Where assessors differ for one reason, repair the
#   guideline.
# - If topics are cheap, many topics with shallow pools mostly beat few topics with deep pools. To
#   compare two systems, judge only the documents that do not cancel.
# - tau counts pairs, tau-AP weighs the top more, and RBO compares lists with different documents.
# - High agreement is no proof. A model as the judge can agree with people on most documents and
#   still favour one system: see notebook 21.
#
# **Read on.**

# %%
reading(
    "Cleverdon 1966", "Cohen 1960", "Cohen 1968", "Krippendorff 2011", "Kendall 1938",
    "Voorhees 2000", "Zobel 1998", "Carterette 2006", "Yilmaz 2008", "Webber 2010", "Faggioli 2023",
)  # fmt: skip
