# %% [markdown]
# # 16. Judges: where the grades come from
#
# **Goals.** After this notebook you can
#
# - compute overlap, Cohen's kappa and weighted kappa of two assessors by hand, and read them;
# - compute Krippendorff's alpha of several, and say who of them is harsh;
# - say from single disagreements what a guideline lacks.
#
# **Time.** 45 minutes. **Needs.** Notebook 4 (grades), notebook 8 (unjudged documents).

# %%
from itertools import permutations

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu.course import (
    figure,
    load_collection,
    predict,
    quiz,
    reading,
    reveal,
    table,
    terms,
)
from irmetrics_edu.course.collection.cranfield import load_cranfield, recorded
from irmetrics_edu.judging import judges
from irmetrics_edu.views import plotting

# %% [markdown]
# Until now the grades were given. In this chapter you ask who gave them. These are the words of
# this chapter:

# %%
terms(
    "assessor",
    "overlap",
    "chance agreement",
    "kappa",
    "weighted kappa",
    "Krippendorff's alpha",
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
FIRST, SECOND = collection.qrels["deep"], collection.qrels["second"]
len(collection.documents), sum(map(len, FIRST.values())), sum(map(len, SECOND.values()))

# %% [markdown]
# Count the judgments yourself. With a copy of your own, name its folder and run the cell again.
# Without one you see what was counted once.

# %%
CRANFIELD = ""  # the folder with cran.all.1400, cran.qry and cranqrel


def over_cranfield(folder):
    """How many judgments have which grade: 4 is a complete answer."""
    judged = load_cranfield(folder).qrels["people"]
    given = [grade for of in judged.values() for grade in of.values()]
    return {"grade": list(range(5)), "judgments": [given.count(grade) for grade in range(5)]}


table(
    over_cranfield(CRANFIELD) if CRANFIELD else recorded("judges"),
    caption="1,837 judgments of 225 questions, about eight for each. The file has the codes the "
    "other way round: 1 is the best, and -1 is of no interest.",
)

# %% [markdown]
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
        0.5: "Chance is one half only if one of the two uses both grades equally often.",
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

# %%
SHARES = np.linspace(0.06, 0.5, 45)


def kappa_at(share, agreed=0.9):
    """Kappa of two who agree so often, if each calls this share of the documents relevant."""
    by_chance = share**2 + (1 - share) ** 2
    return (agreed - by_chance) / (1 - by_chance)


drawn, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
axes.plot(SHARES, [0.9] * len(SHARES), "--", color=plotting.PALETTE[0], label="raw agreement")
axes.plot(SHARES, kappa_at(SHARES), color=plotting.PALETTE[1], label="kappa")
axes.set(xlabel="share that each assessor calls relevant", ylabel="agreement", ylim=(0, 1))
axes.set_title("Two assessors who agree on 90 % of the documents")
axes.legend(frameon=False, loc="lower right")
figure(
    drawn,
    alt="Raw agreement is a straight line at 0.9. Kappa rises from "
    f"{kappa_at(0.06):.2f}, where each assessor calls 6 % of the documents relevant, to "
    f"{kappa_at(0.5):.2f}, where each calls half of them relevant.",
)

# %% [markdown]
# The rarer relevant documents are, the less the same raw agreement says.

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

# %% [markdown]
# ## Recap
#
# - A test collection is documents, topics and judgments. Ask who judged, and by which guideline.
# - Raw agreement is high if nearly everything is not relevant. Kappa takes chance away, weighted
#   kappa looks at distances, and overlap looks at the relevant documents. Krippendorff's alpha
#   takes any number of assessors.
# - Look at single topics and single grades. Where assessors differ for one reason, repair the
#   guideline.
# - High agreement is no proof: a model that repeats itself is steady, and may be wrong.
#
# Does it matter for a comparison of systems that assessors differ? Notebook 17 asks that.
#
# **Read on.**

# %%
reading("Cleverdon 1966", "Cohen 1960", "Cohen 1968", "Krippendorff 2011", "Voorhees 2000")
