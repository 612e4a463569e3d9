# %% [markdown]
# # 21. Answers of language models: nuggets, claims, citations, and the judge
#
# **Goals.** After this notebook you can
#
# - score an answer by its nuggets, by its claims and by its citations, and say what each misses;
# - tell whether an answer is faithful to its contexts from whether it is true;
# - measure the position, verbosity and self-preference bias of a judge, beside people;
# - give the case for and the case against language models as judges;
# - test whether a model knew the questions of your test before.
#
# **Time.** 60 minutes up to the three biases, and 20 more for the rest.
# **Needs.** Notebooks 16 (kappa, tau) and 19 (contexts).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import evaluate, explain, kendall_tau, nugget_f, precision, recall, tau_ap
from irmetrics_edu.course import (
    figure,
    predict,
    quiz,
    reading,
    reveal,
    slider,
    table,
    terms,
)
from irmetrics_edu.judging import judge_citations, judges
from irmetrics_edu.runs import sign
from irmetrics_edu.views import plotting

# %% [markdown]
# A language model answered, and you have to say how good the answer is. Three units are counted:
# the **nuggets** that a good answer holds, the **claims** that this answer makes, and the
# **citations** beside its statements. And who counts? Often another language model. These are the
# words of this chapter:

# %%
terms("nugget", "vital nugget", "okay nugget", "claim", "faithfulness", "citation", "kappa")

# %% [markdown]
# ## Nuggets: what a good answer holds
#
# An answer is a text in the model's own words, so you can't search it for a fact letter by letter.
# Evaluations of answers use **nuggets**: facts that a good answer says, each written as a short
# statement. Somebody decides for each one whether the answer says it (Voorhees 2003).
#
# A nugget is **vital** if a good answer must say it, and **okay** if it may say it. A town rents
# out bicycles, and somebody has lost a key (notebook 19). Here is the answer key, with grade 2 for
# vital and 1 for okay:

# %%
NUGGETS = {
    "call the hotline within a day": 2,
    "a new key costs 18 euros": 2,
    "lock the bicycle to a rack": 1,
    "the key is brought for free": 1,
}
SHORT = "Call our hotline today. They will bring you a new key for free."
LONG = (
    "I'm sorry to hear that you have lost your key! Don't worry, this can happen to everybody. "
    "Please call the hotline within a day, and lock your bicycle to a rack so that nobody rides "
    "away with it. A new key is 18 euros. Bicycles are a healthy and cheap way to travel, and we "
    "hope that you will enjoy many more days on the river path, which is flat and easy, and 14 "
    "kilometres long. Maps are free at every station."
)

# %% [markdown]
# You decide which nuggets each answer says. The short one says *call the hotline* and *brought
# for free*, but not the price. The long one says the first three.

# %%
SAYS = {
    "short": ["call the hotline within a day", "the key is brought for free"],
    "long": list(NUGGETS)[:3],
}
grade = np.array(list(NUGGETS.values()))
says = np.array([nugget in SAYS["short"] for nugget in NUGGETS])
vital_recall = (says & (grade == 2)).sum() / (grade == 2).sum()
assert np.isclose(vital_recall, recall(SAYS["short"], NUGGETS, rel=2))
float(vital_recall)

# %% [markdown]
# **Vital recall** is the share of the vital nuggets that the answer says. Okay nuggets don't
# count for it: an answer loses nothing without them.
#
# ### The length allowance
#
# Recall alone rewards the longest answer: say everything, and you miss nothing. TREC counted
# characters against this. An answer has an **allowance** of 100 characters for each nugget that
# it says, vital or okay. With $l$ characters (without blanks) and an allowance $a$:
#
# $$P = \min\left(1, \frac{a}{l}\right) \qquad\qquad
# F = \frac{(\beta^2+1)\,P\,\mathrm{Rec}}{\beta^2 P + \mathrm{Rec}}$$
#
# In words: precision is 1 within the allowance. Beyond it, precision is the allowance over the
# length. $F$ is the weighted harmonic mean of precision and vital recall. With $\beta = 3$ recall
# counts much more than precision. TREC took 5 in 2003, and 3 in later years. In the table below
# each document is a nugget, and alpha is $1/(\beta^2+1)$: with $\beta = 3$ it is 0.1.

# %%
LENGTH = {name: len("".join(text.split())) for name, text in {"short": SHORT, "long": LONG}.items()}
a, beta = 100 * len(SAYS["long"]), 3
P, Rec = min(1, a / LENGTH["long"]), 2 / 2
by_hand = (beta**2 + 1) * P * Rec / (beta**2 * P + Rec)
assert np.isclose(by_hand, nugget_f(SAYS["long"], NUGGETS, length=LENGTH["long"]))
explain(nugget_f.using(length=LENGTH["long"]), SAYS["long"], NUGGETS)

# %%
predict(
    f"The short answer has {LENGTH['short']} characters, and says one vital and one okay nugget. "
    "Its vital recall is 1/2. What is its F with beta = 3?",
    of=(nugget_f.using(length=LENGTH["short"]), SAYS["short"], NUGGETS),
    mistaken={
        0.5: "That is its recall. Its precision is 1, and F lies between the two.",
        2 / 3: "That is F with beta = 1. Here recall has nine times the weight.",
        0.75: "That is the arithmetic mean of precision and recall.",
    },
)

# %%
reveal(explain(nugget_f.using(length=LENGTH["short"]), SAYS["short"], NUGGETS))

# %% [markdown]
# ### Who says that a nugget is vital?
#
# If only one judge decides, the score changes when another judge decides (Lin & Demner-Fushman
# 2006). With few vital nuggets, one changed label moves recall a lot. So let several judges label
# each nugget. Its **weight** is the number of judges who called it vital. This is the idea of a
# **pyramid** (Nenkova & Passonneau 2004): few nuggets at the top have a large weight, and many
# below have a small one.

# %%
VOTES = dict(zip(NUGGETS, [5, 4, 2, 1], strict=True))
weights = np.array(list(VOTES.values()))
by_hand = weights[says].sum() / weights.sum()
weighted = nugget_f.working(SAYS["short"], VOTES, length=LENGTH["short"], gain="linear")
assert np.isclose(by_hand, weighted["recall"][0])
round(float(by_hand), 4)

# %% [markdown]
# Now one judge more calls the third nugget vital, and the answer lacks it. Vital recall falls
# from 1/2 to 1/3. By votes, recall falls only from 6/12 to 6/13.
#
# ### When a model makes and assigns the nuggets
#
# At TREC 2024 (Pradeep et al. 2024, on the first 21 topics; Pradeep et al. 2025, on more) this was
# done in two ways. In one a language model wrote the nuggets, labelled them vital or okay, and
# decided for each answer. In the other the assessors of NIST edited the nuggets and decided
# themselves. The orders of the systems were alike; for single topics the two ways agreed less. The
# decision has three values: *support* (1), *partial support* (0.5), and *no support* (0). *Strict*
# scores count partial support as 0. Vital nuggets weigh 1, and okay nuggets 0.5. Say an answer
# supports one vital nugget, supports the other one in part, and supports one of two okay nuggets:

# %%
OF_NUGGETS = {"vital": [1, 0.5], "okay": [1, 0]}
every = sum(OF_NUGGETS["vital"]) + 0.5 * sum(OF_NUGGETS["okay"])
predict(
    "What is the weighted score of this answer? Divide by the weights of all four nuggets.",
    every / (2 * 1 + 2 * 0.5),
    mistaken={
        2.5 / 4: "You gave okay nuggets the weight of vital ones.",
        0.75: "That is the mean of the vital nuggets alone.",
        0.5: "That is the strict score: partial support counts 0 there.",
    },
)

# %%
strict = {kind: [x == 1 for x in found] for kind, found in OF_NUGGETS.items()}
reveal(
    table(
        {
            "score": ["all, weighted", "all, weighted, strict", "vital", "vital, strict"],
            "value": [
                every / 3,
                (sum(strict["vital"]) + 0.5 * sum(strict["okay"])) / 3,
                float(np.mean(OF_NUGGETS["vital"])),
                float(np.mean(strict["vital"])),
            ],
        },
        digits=3,
    )
)

# %% [markdown]
# So one answer has several scores: over all nuggets or the vital ones, strict or not. Say which one
# you report. And a model that judges makes errors. Have people assign a sample too, and report how
# well both agree (notebook 16).
#
# ## Claims: does a source support the answer?
#
# Nuggets ask what is missing. They don't ask whether the rest is true. So turn to the answer itself
# and cut it into **claims**: short statements that are true or false alone. **Claim precision** is
# the proportion of claims that a source supports (Min et al. 2023 call it factual precision):
#
# $$P_{\text{claims}} = \frac{|\{\text{supported claims}\}|}{|\{\text{claims}\}|}$$
#
# In words: count the claims that the source supports, and divide by all claims of the answer. Here
# are the claims of the long answer. For each one you see whether the pages of the town say it, and
# whether the contexts that the model was given say it:

# %%
CLAIMS = {
    "call the hotline within a day": (True, True),
    "lock the bicycle to a rack": (True, True),
    "a new key costs 18 euros": (True, True),
    "bicycles are a healthy way to travel": (False, False),
    "bicycles are a cheap way to travel": (False, False),
    "the river path is flat": (True, False),
    "the river path is easy": (True, False),
    "the river path is 14 kilometres long": (True, False),
    "maps are free at every station": (True, True),
    "losing a key can happen to everybody": (True, True),
}
in_pages, in_contexts = (np.array(column) for column in zip(*CLAIMS.values(), strict=True))
table(
    {
        "claim": list(CLAIMS),
        "the pages say it": ["yes" if x else "no" for x in in_pages],
        "its contexts say it": ["yes" if x else "no" for x in in_contexts],
    }
)

# %%
predict(
    "What is the claim precision of the long answer against the pages?",
    in_pages.sum() / len(CLAIMS),
    mistaken={
        in_contexts.sum() / len(CLAIMS): "That is against the contexts.",
        7 / 8: "“Healthy and cheap” and “flat and easy” are two claims each.",
        1.0: "Nobody on the pages says that bicycles are healthy. It may be true all the same.",
        3 / 4: "Those are the nuggets that it says. Count claims.",
    },
)

# %%
claim_precision = in_pages.sum() / len(in_pages)
assert np.isclose(claim_precision, precision(in_pages.astype(int).tolist()))
reveal(
    f"{in_pages.sum()} of {len(CLAIMS)} claims. Whether bicycles are healthy or cheap, the pages "
    "don't say. Such a claim counts against the answer, because a reader can't check it there."
)

# %% [markdown]
# **Faithfulness** is the same proportion with another source: the contexts that the model was given
# (Es et al. 2024). The two can differ. The model knew the river path from elsewhere: the claim is
# true, and not faithful. And if a context is out of date, a claim can be faithful and false.

# %%
predict(
    "What is the faithfulness of the long answer?",
    float(precision(in_contexts.astype(int).tolist())),
    mistaken={
        in_pages.sum() / len(CLAIMS): "That is against the pages. Count what its contexts say.",
    },
)

# %%
reveal(
    table(
        {
            "source": ["the pages", "the contexts"],
            "supported": [int(in_pages.sum()), int(in_contexts.sum())],
            f"of {len(CLAIMS)} claims": [float(in_pages.mean()), float(in_contexts.mean())],
        },
        digits=3,
        caption="Say which source you mean: “is it true?” and “did it use what it read?” are two "
        "questions.",
    )
)

# %% [markdown]
# ### Precision beside recall
#
# Claim precision alone is as easy to cheat as recall. Three answers to the same question:

# %%
THREE = {
    # claims supported, claims, vital nuggets said of 2
    "“Please call us.”": (1, 1, 0),
    "the short answer": (2, 2, 1),
    "the long answer": (int(in_pages.sum()), len(CLAIMS), 2),
}
predict("Which answers have the highest claim precision? Which answer would you want?")

# %%
both = {name: (right / n, said / 2) for name, (right, n, said) in THREE.items()}
reveal(
    table(
        {
            "answer": list(both),
            "claim precision": [p for p, _ in both.values()],
            "vital recall": [r for _, r in both.values()],
            "harmonic mean": [2 * p * r / (p + r) if p + r else 0.0 for p, r in both.values()],
        },
        digits=3,
        caption="The answer that says nothing useful is perfectly precise. Report both numbers.",
    )
)

# %%
quiz(
    "A team reports that faithfulness rose from 0.80 to 0.95 after it told the model to answer "
    "only from the contexts. What do you ask first?",
    {
        "Whether the contexts got longer, or better": (
            False,
            "They can matter, but the prompt was changed. Look at what it may have cost.",
        ),
        "How many vital nuggets the answers still say": (
            True,
            "Short, careful answers are faithful. Perhaps they leave out what users need.",
        ),
        "Nothing: a faithful answer is a good answer": (
            False,
            "“Please call us” is faithful.",
        ),
    },
)

# %% [markdown]
# ## Citations: can a reader check the answer?
#
# Many systems put citations behind their statements. Liu, Zhang & Liang (2023) and Gao et al.
# (2023) score them with two proportions:
#
# - **citation recall:** of all statements, how many are fully supported by what they cite together;
# - **citation precision:** of all citations, how many the support needs. A citation counts if it
#   supports its statement fully by itself. If none does, then a citation that supports a part
#   counts, but only if the citations *together* support the statement fully.
#
# Why this condition? If a statement stays unsupported, a reader who follows its citations has
# gained nothing.
#
# Here is an answer of five statements. [1] is the page about keys and [2] the page about prices:

# %%
FULL, PART, NO = "fully", "in part", "not"
STATEMENTS = {
    # what each citation does by itself, and whether all of them together support the statement
    "Call the hotline within a day.": ({1: FULL}, True),
    "A new key costs 18 euros.": ({1: FULL, 2: NO}, True),
    "A new key costs 18 euros, and a week costs 60.": ({1: PART, 2: PART}, True),
    "A day costs 12 euros, and keys are free.": ({2: PART}, False),
    "Students pay half.": ({}, False),
}
table(
    {
        "statement": list(STATEMENTS),
        "its citations support it": [
            ", ".join(f"[{n}] {how}" for n, how in of.items()) or "it cites nothing"
            for of, _ in STATEMENTS.values()
        ],
        "together fully": ["yes" if full else "no" for _, full in STATEMENTS.values()],
    }
)

# %%
citations = []  # for each: whether its statement needs it
for of, full in STATEMENTS.values():
    alone = FULL in of.values()
    citations += [full and (how == FULL or (how == PART and not alone)) for how in of.values()]
predict(
    "What is citation recall? And citation precision? Type citation precision.",
    sum(citations) / len(citations),
    mistaken={
        5
        / 6: "You counted [2] of the fourth statement. It supports a part, but the statement as a "
        "whole stays unsupported, so this citation counts 0.",
        1
        / 3: "You left out the citations of the third statement. Together they support all of it.",
        3 / 5: "That is citation recall: three of five statements.",
    },
)

# %%
fully = [full for _, full in STATEMENTS.values()]
rows = [
    {
        "text": text,
        "supported": full,
        "citations": {
            f"[{n}]": how == FULL or (how == PART and FULL not in of.values())
            for n, how in of.items()
        },
    }
    for text, (of, full) in STATEMENTS.items()
]
of_statements, of_citations = judge_citations([{"qid": "q", "statements": rows}])
assert np.isclose(np.mean(fully), evaluate(*of_statements, "P").mean["P"])
assert np.isclose(np.mean(citations), evaluate(*of_citations, "P").mean["P"])
reveal(
    f"Citation recall is {np.mean(fully):.2f}: {sum(fully)} of {len(fully)} statements. Citation "
    f"precision is {np.mean(citations):.2f}: {sum(citations)} of {len(citations)} citations. The "
    "statement about students may be true, but it cites nothing, so a reader can't check it. "
    "judge_citations of the package counts in this way."
)

# %% [markdown]
# ### Support as TREC assesses it
#
# A report with hundreds of citations is too much for an assessor. The RAG track of TREC 2024 asked
# for less (Thakur et al. 2025): of each statement only the *first* citation was read, and the
# statement got *full* (1), *partial* (0.5) or *no support* (0). **Weighted precision** is the mean
# over the statements that cite something. **Weighted recall** is the mean over all statements, so a
# statement without a citation counts 0. Of the five statements above:

# %%
SUPPORT = {FULL: 1.0, PART: 0.5, NO: 0.0}
first_cited = [SUPPORT[next(iter(of.values()))] for of, _ in STATEMENTS.values() if of]
predict(
    "What is the weighted precision of the answer?",
    float(np.mean(first_cited)),
    mistaken={
        float(
            sum(first_cited) / len(STATEMENTS)
        ): "That is weighted recall. Leave out the statement that cites nothing.",
        1.0: "The third and the fourth statement have partial support from their first citation.",
    },
)

# %%
reveal(
    f"The four first citations have 1, 1, 0.5 and 0.5. Weighted precision is "
    f"{sum(first_cited):g} / 4 = {np.mean(first_cited):.2f}, and weighted recall is "
    f"{sum(first_cited):g} / 5 = {sum(first_cited) / len(STATEMENTS):.2f}. The third statement is "
    "fully supported by two citations together. This way of counting can't see it."
)

# %% [markdown]
# ## A language model as the judge
#
# A language model judges a thousand documents while you drink a coffee. Nothing in this chapter
# forbids it. But a model is an assessor, so measure it as one. And it brings one risk that people
# rarely bring: the model may also be a part of the systems that it judges.
#
# **A model that judges its own ranker.** Take the extreme case first. A model gives each of six
# documents a number. The three highest are its labels. A ranker sorts by the same numbers:

# %%
MODEL_SAYS = {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.4, "d5": 0.3, "d6": 0.2}
MODEL_LABELS = {d: int(score >= 0.5) for d, score in MODEL_SAYS.items()}
PEOPLE_SAY = {"d1": 1, "d2": 0, "d3": 0, "d4": 1, "d5": 1, "d6": 0}
its_ranking = sorted(MODEL_SAYS, key=lambda d: -MODEL_SAYS[d])
predict(
    "People call d1, d4 and d5 relevant. What is P@3 of this ranker under the labels of the model?",
    of=(precision @ 3, its_ranking, MODEL_LABELS),
    mistaken={1 / 3: "That is P@3 under the labels of people."},
)

# %%
reveal(
    table(
        {
            "labels by": ["the model", "people"],
            "P@3": [precision(its_ranking, labels, k=3) for labels in (MODEL_LABELS, PEOPLE_SAY)],
        },
        caption="Under its own labels the ranker is perfect, whatever the documents are. The score "
        "only says that the model agrees with itself.",
    )
)

# %% [markdown]
# **A model that prefers a style.** In practice the link is looser. The ranker is trained on labels
# of a model like the judge, or its answers are written by one. Then judge and system have a *style*
# in common: they like the same wording. Here is a made-up world where you can set how strong it is:
#
# - A hundred topics with 100 documents each. Every document has a worth and a style. They are
#   independent.
# - People call the 15 documents with the highest worth relevant.
# - The model sees the worth, plus the style times a *bias*, plus a little noise. It calls its 15
#   highest documents relevant.
# - Nine systems, s1 (best) to s9, rank by worth and noise. A tenth system, *LM*, ranks by worth,
#   the same style, and noise.

# %%
TOPICS, DOCUMENTS, RELEVANT = 100, 100, 15
rng = np.random.default_rng(0)
WORTH, STYLE, VIEW_NOISE = rng.normal(size=(3, TOPICS, DOCUMENTS))
MADE = {
    f"s{i}": quality * WORTH + rng.normal(size=WORTH.shape)
    for i, quality in enumerate(np.linspace(1.6, 0.6, 9), 1)
}
MADE["LM"] = 1.15 * WORTH + 0.6 * STYLE + rng.normal(size=WORTH.shape)


def best(values, n):
    """The n documents with the highest values, for each topic."""
    return np.argsort(-values, axis=1)[:, :n].tolist()


def labels(view):
    """The highest documents of each topic are relevant, and all others are not."""
    return {f"t{t}": {f"d{d}": int(d in top) for d in range(DOCUMENTS)}
            for t, top in enumerate(best(view, RELEVANT))}  # fmt: skip


def made_scores(qrels):
    """nDCG@10 of each system, from the highest."""
    found = {}
    for name, values in MADE.items():
        run = {f"t{t}": [f"d{d}" for d in top] for t, top in enumerate(best(values, 10))}
        found[name] = evaluate(run, qrels, "nDCG@10").mean["nDCG@10"]
    return dict(sorted(found.items(), key=lambda item: -item[1]))


BIASES = [0, 0.25, 0.5, 0.75]
BY_PEOPLE = labels(WORTH)
BY_MODEL = {bias: labels(WORTH + bias * STYLE + 0.4 * VIEW_NOISE) for bias in BIASES}
TRUE = made_scores(BY_PEOPLE)
SEEN = {bias: made_scores(qrels) for bias, qrels in BY_MODEL.items()}
KAPPA = {b: float(judges({"people": BY_PEOPLE, "model": q}).kappa) for b, q in BY_MODEL.items()}
predict(
    f"By the labels of people LM is number {list(TRUE).index('LM') + 1} of ten. The model has a "
    f"bias of 0.25, and kappa with people is {KAPPA[0.25]:.2f}. Landis and Koch (1977) call this "
    "substantial. Does LM move up?"
)


# %%
def under_both(bias):
    """The score of each system under people (x) and under the model (y)."""
    drawn, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    seen = SEEN[bias]
    others = [name for name in TRUE if name != "LM"]
    axes.scatter([TRUE[s] for s in others], [seen[s] for s in others], color=plotting.PALETTE[0])
    axes.scatter(TRUE["LM"], seen["LM"], marker="s", s=60, color=plotting.PALETTE[1])
    for i, name in enumerate(TRUE):
        offset = (7, -3) if name == "LM" else [(5, -11), (-15, 3)][i % 2]
        axes.annotate(name, (TRUE[name], seen[name]), xytext=offset, textcoords="offset points")
    axes.set(xlabel="nDCG@10 by the labels of people", ylabel="nDCG@10 by the labels of the model")
    axes.set(xlim=(0.45, 0.9), ylim=(0.35, 0.85))
    axes.set_title(f"bias {bias:g}: kappa with people {KAPPA[bias]:.2f}")
    return drawn


def under_both_in_words(bias):
    """What the points show."""
    return (
        f"Ten points. The nine ordinary systems lie on a rising line. With bias {bias:g} kappa is "
        f"{KAPPA[bias]:.2f}. LM is number {list(TRUE).index('LM') + 1} by people and number "
        f"{list(SEEN[bias]).index('LM') + 1} by the model."
    )


slider(under_both, name="bias", values=BIASES, start=0, alt=under_both_in_words)

# %%
ordinary = [name for name in TRUE if name != "LM"]
reveal(
    table(
        {
            "bias": BIASES,
            "kappa": list(KAPPA.values()),
            "place of LM": [list(SEEN[bias]).index("LM") + 1 for bias in BIASES],
            "tau": [kendall_tau(list(SEEN[bias]), list(TRUE)) for bias in BIASES],
            "tau-AP": [tau_ap(list(SEEN[bias]), list(TRUE)) for bias in BIASES],
            "tau without LM": [
                kendall_tau([s for s in SEEN[bias] if s != "LM"], ordinary) for bias in BIASES
            ],
        },
        digits=2,
    )
)

# %% [markdown]
# Read the table by columns. Kappa falls slowly. At a bias of 0.25 it has lost 0.06, and LM has
# already gained two places. The nine ordinary systems keep nearly the same order, as *tau without
# LM* says: two or three of their 36 pairs are turned round, with a bias or without. But LM climbs
# to the top. tau-AP falls most, because the damage is at the top.
#
# Notebook 16 gave a reason why orders are stable: errors of an assessor hit all systems alike. Here
# it fails. The errors of the model favour one system, and each label by itself looks fine.

# %%
quiz(
    "A team trains a ranker on labels of a language model. Then the same model labels the test "
    "topics. On 200 pairs the model agrees with people with kappa 0.65. The ranker gains 0.08 in "
    "nDCG@10. What do you ask for first?",
    {
        "Labels of people where old and new ranker differ": (
            True,
            (
                "These documents decide the gain. If people confirm it, the labels of the model "
                "did no harm here. The minimal pool (notebook 16) keeps this cheap."
            ),
        ),
        "More pairs, so that the estimate of kappa becomes more precise": (
            False,
            "Kappa over all pairs can't show that the labels favour one system.",
        ),
        "A larger model as the judge": (
            False,
            "It may prefer the style of the smaller one, since models learn from similar texts.",
        ),
    },
)

# %% [markdown]
# ## Three biases, and how to measure them
#
# Judges of answers often compare two answers: which is better? Such a judge can have biases that
# have nothing to do with the answers. Each has its own measurement.
#
# **Position bias.** Show each pair twice, in both orders (Wang et al. 2024; Zheng et al. 2023). If
# the verdict changes, the judge may prefer a place. Or it is only unsure, and says something else
# each time. These are the verdicts on 100 pairs:

# %%
TWICE = {"the same answer": 60, "twice the first place": 30, "twice the second place": 10}
predict(
    "The verdict changed in 40 of 100 pairs: 30 times the first place won twice, and 10 times the "
    "second place did. How many of these pairs speak for a preference of the first place: how "
    "large is its excess?",
    30 - 10,
    mistaken={
        40: "So many verdicts changed. A judge that is only unsure changes verdicts, too. Then "
        "both places win about equally often.",
        30: "A judge without a preference gives the first place some of these by chance. Subtract "
        "what the second place won.",
        60: "In those the judge kept to its answer.",
    },
)

# %%
UNSURE = 0.724  # picks the better answer with this probability, anew each time, in any place
apart = 100 * UNSURE * (1 - UNSURE)
reveal(
    table(
        {
            "verdicts": TWICE,
            "this judge": TWICE.values(),
            "a judge that is only unsure": [100 - 2 * apart, apart, apart],
        },
        digits=1,
        caption="The last column is a judge that prefers no place and picks the better answer with "
        "probability 0.724, each time anew. Its verdict changes as often. So 40 changed verdicts "
        "alone show no bias. But 30 against 10 would be rare without a preference: "
        f"p = {sign(30, 10):.4f} by the sign test (notebook 17). So this judge prefers the first "
        "place. The cure: ask in both orders, and call it a tie if the verdicts differ. To learn "
        "how unsure a judge is, ask it twice in the *same* order, too.",
    )
)

# %% [markdown]
# **Verbosity bias.** Does the judge prefer long answers? Longer answers can be better, so its
# preference alone proves nothing. You need people. Take pairs that *people* judged, and look at the
# errors of the judge on either side:

# %%
PREFER_SHORT, PREFER_LONG = (40, 22), (60, 6)  # pairs, and in how many the judge differs
predict(
    "People preferred the shorter answer in 40 pairs, and the judge took the longer one in 22 of "
    "these. People preferred the longer one in 60 pairs, and the judge took the shorter one in 6. "
    "What is raw agreement with people?",
    (18 + 54) / 100,
    mistaken={
        0.28: "Those are the disagreements.",
        0.675: "That is the mean of both sides, 0.45 and 0.90. Count pairs.",
    },
)

# %%
reveal(
    table(
        {
            "people prefer": ["the shorter answer", "the longer answer", "all"],
            "pairs": [40, 60, 100],
            "the judge agrees": [18 / 40, 54 / 60, 72 / 100],
        },
        digits=2,
        caption="Agreement of 0.72 hides the bias. The judge takes the longer answer in 76 pairs, "
        f"people in 60. Of 28 errors 22 favour it: p = {sign(22, 6):.4f} by the sign test.",
    )
)

# %% [markdown]
# **Self-preference.** Models rate texts of their own kind higher, and Panickssery et al. (2024)
# found that they can often tell them apart. Here you need people again, and answers of several
# models. Compare how often people and the judge prefer each (a **difference in differences**):

# %%
WON = {"of the judge's own model": (0.50, 0.68), "of another model": (0.50, 0.49)}
predict(
    "Two models were each compared with the same third model. The judge prefers its own model to "
    "the third one in 0.68 of the pairs, and the other model in 0.49. People say 0.50 for both. "
    "How much does it favour its own, beyond people and beyond how it treats the other?",
    (0.68 - 0.50) - (0.49 - 0.50),
    mistaken={
        0.18: "That is its own model against people. Subtract the same for others, -0.01.",
        0.68: "That is how often its own model wins.",
    },
)

# %%
own, other = ((judge - people) for people, judge in WON.values())
assert np.isclose(own - other, 0.19)
reveal(
    f"(0.68 - 0.50) - (0.49 - 0.50) = {own - other:.2f}. So don't let "
    "a model judge answers of its own family, or have people judge such pairs."
)


# %% [markdown]
# ## Arguments for and against a language model as the judge
#
# May a language model judge a test collection? The field does not agree, and you should know both
# cases.
#
# **For:**
#
# - Labels cost little, and come at once. Thomas et al. (2024) compared a model with first-hand
#   preferences of searchers, and found it as accurate as people who are paid to judge.
# - UMBRELA (Upadhyay et al. 2024) agreed only fairly with people on single labels, but it ordered
#   the systems of five years of TREC nearly as people did.
# - Faggioli et al. (2023) describe a spectrum: a model can help people, be checked by people,
#   or replace them.
#
# **Against:**
#
# - Soboroff (2025): a judge is itself a ranker. No system can score above it. So a system that is
#   better than the judge looks worse: the labels are a ceiling.
# - Clarke & Dietz (2024): a system can use the same judge to rerank. Under this judge the scores of
#   such systems are inflated, and the order at the top is no longer that of people.
# - Balog, Metzler & Qin (2025): judges favour rankers that are language models, and see small
#   differences between systems badly.
# - Alaofi et al. (2024): models can be fooled. They called passages relevant because the words of
#   the query stood in them.

# %%
quiz(
    "Your judge and people have a tau of 0.92 over 40 systems of last year. A new system uses the "
    "judge's model as its reranker, and comes first. May you report it?",
    {
        "Yes, 0.92 is high": (
            False,
            "The tau is of systems that did not use the judge. The new one does.",
        ),
        "Yes, if kappa with people is high on all documents as well": (
            False,
            "Kappa over all documents can't see that one system is favoured.",
        ),
        "Only with labels of people for it and its rivals": (
            True,
            "This is the circle of Clarke & Dietz. A few topics judged by people break it.",
        ),
    },
)

# %% [markdown]
# ## A few labels of people correct many of a model
#
# People label 100 answers, and the model labels 2,000. Must you choose? **Prediction-powered
# inference** (Angelopoulos et al. 2023) takes both. The model's mean over all answers is wrong by
# its mean error, and the sample that people labelled shows this error:
#
# $$\hat\theta = \frac{1}{N} \sum_{i=1}^{N} f_i + \frac{1}{n} \sum_{j=1}^{n} (y_j - f_j)$$
#
# In words: take the mean of the model's labels $f$ over all $N$ answers. Add the mean difference of
# the labels $y$ of people and those of the model, over the $n$ answers that both labelled. The
# standard error is $\sqrt{s_f^2/N + s_{y-f}^2/n}$. If the model is good, the differences scatter
# little, and the second part is small. If it is bad, they scatter much, and the error can be larger
# than with people alone. But the estimate stays right on average. The sample has to be drawn at
# random.
#
# In this made-up world 60 % of the answers are good. The model calls 95 % of the good answers good,
# but also 20 % of the others:

# %%
TRULY_GOOD, LABELLED, BY_HAND = 0.6, 2000, 100
predict(
    "Which share of all answers does the model call good, on average?",
    0.6 * 0.95 + 0.4 * 0.2,
    mistaken={
        0.6: "That is the truth. The model calls some bad answers good, too.",
        0.57: "Those are the good ones. Add the bad ones that it calls good.",
    },
)


# %%
def three_estimates(seed):
    """The share of good answers and its standard error: by the model, by people, and by both."""
    rng = np.random.default_rng(seed)
    good = rng.random(LABELLED) < TRULY_GOOD
    model = np.where(good, rng.random(LABELLED) < 0.95, rng.random(LABELLED) < 0.2).astype(float)
    people = good[:BY_HAND].astype(float)
    differ = people - model[:BY_HAND]
    of_model = model.var(ddof=1) / LABELLED
    return [
        (model.mean(), np.sqrt(of_model)),
        (people.mean(), np.sqrt(people.var(ddof=1) / BY_HAND)),
        (model.mean() + differ.mean(), np.sqrt(of_model + differ.var(ddof=1) / BY_HAND)),
    ]


drawn_worlds = np.array([three_estimates(seed) for seed in range(300)])  # world, method, value
inside = np.abs(drawn_worlds[:, :, 0] - TRULY_GOOD) < 1.96 * drawn_worlds[:, :, 1]
reveal(
    table(
        {
            "estimate": ["2,000 by the model", "100 by people", "both"],
            "mean (truth 0.6)": drawn_worlds[:, :, 0].mean(axis=0).tolist(),
            "standard error": drawn_worlds[:, :, 1].mean(axis=0).tolist(),
            "95 % intervals that hold the truth": inside.mean(axis=0).tolist(),
        },
        digits=3,
        caption="300 worlds. The model alone is precise and wrong: hardly any of its intervals "
        "hold the truth. Both together are right, with a smaller error than people alone.",
    )
)

# %% [markdown]
# So report a judge's scores with such a correction, or not at all. It corrects the mean of *one*
# system. To compare two systems, correct each by a sample of its own answers: the errors need not
# be the same for both, as the style above showed.
#
# ## Contamination: did the model know the test?
#
# A public test is on the web, and models are trained on the web. Then a model can know the answers
# without any retrieval, and perhaps the judgments as well. This is **contamination**. Ask the
# questions *without contexts*. Then compare questions from before and after the date at which the
# model's training data end:

# %%
ALONE = {"before": (24, 30), "after": (15, 30)}
predict(
    "Without contexts the model answers 24 of 30 questions from before the end of its training "
    "data, and 15 of 30 from after it. What is the difference of the two rates?",
    24 / 30 - 15 / 30,
    mistaken={0.8: "That is the rate of the old questions.", 9: "Divide by 30."},
)

# %%
rates = {name: right / n for name, (right, n) in ALONE.items()}
error = np.sqrt(sum(p * (1 - p) / 30 for p in rates.values()))
z = (rates["before"] - rates["after"]) / error
reveal(
    f"0.80 - 0.50 = 0.30, which is {z:.1f} standard errors. So the old questions flatter the "
    "model. Report the new ones, beside the rate without contexts. Don't credit the retriever with "
    "what the model knows alone (the share m of notebook 19)."
)

# %% [markdown]
# Two cautions. New questions can be harder for other reasons, so match them by kind. And a judge
# can be contaminated, too: it may have read the judgments of the collection that it judges.
#
# ## Before you trust a judge
#
# Check five things:
#
# 1. Agreement with people, on the same pairs and per grade. Compare it with the agreement of two
#    *people*.
# 2. The order of systems under both judges, with tau and tau-AP.
# 3. The place of every system that has a model inside, with and without the labels of the model.
# 4. Who made what: no model judges a ranker that was trained on its labels, or texts that it wrote.
# 5. The name of the model, its prompt and the date beside the labels. The command
#    `irmetrics-edu judgments merge --source model --judge NAME --when DATE` stores who gave each
#    label, and when.
#
# The collection *stdlib* of this course fails points 1, 2, 4 and 5. No person judged it. The model
# that judged also wrote the topics. And nobody wrote down which model it was, with which prompt and
# when. Nobody can make up for that now. Use it to learn, and not as evidence.
#
# ## Recap
#
# - Vital recall counts what an answer must say. F adds a price for length. Votes of several
#   judges make the key more stable.
# - Claim precision asks whether what it says has a source; faithfulness takes the contexts as the
#   source. Report them beside recall.
# - Citation recall and precision ask whether a reader can check the answer. A citation counts if
#   the support of its statement needs it.
# - Ask a judge in both orders. Changed verdicts alone are no bias; one place must win more often.
#   A random sample labelled by people corrects the judge's mean.
# - Compare its errors with people on short and long answers, and on
#   answers of its own model and of others.
# - A judge is a ranker, too. It can't judge a system that uses it or is like it.
# - Ask the questions without contexts. Don't credit retrieval with what the model knows alone.
#
# **Read on.**

# %%
reading(
    "Voorhees 2003", "Nenkova 2004", "Lin 2006", "Pradeep 2024", "Pradeep 2025", "Min 2023",
    "Es 2024", "Liu 2023", "Gao 2023", "Thakur 2025", "Landis 1977", "Wang 2024", "Zheng 2023",
    "Panickssery 2024", "Faggioli 2023", "Thomas 2024", "Upadhyay 2024", "Soboroff 2025",
    "Clarke 2024", "Balog 2025", "Alaofi 2024", "Angelopoulos 2023",
)  # fmt: skip
