# %% [markdown]
# # 23. Answers of language models: nuggets, claims, and citations
#
# **Goals.** After this notebook you can
#
# - score an answer by its nuggets, by its claims and by its citations, and say what each misses;
# - tell whether an answer is faithful to its contexts from whether it is true.
#
# **Time.** 45 minutes. **Needs.** Notebook 20 (contexts), notebook 16 (assessors).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import evaluate, explain, nugget_f, precision, recall
from irmetrics_edu.course import figure, predict, quiz, reading, reveal, table, terms
from irmetrics_edu.judging import judge_citations
from irmetrics_edu.views import plotting

# %% [markdown]
# A language model answered, and you have to say how good the answer is. Three units are counted:
# the **nuggets** that a good answer holds, the **claims** that this answer makes, and the
# **citations** beside its statements. These are the words of this chapter:

# %%
terms("nugget", "vital nugget", "okay nugget", "claim", "faithfulness", "citation")

# %% [markdown]
# ## Nuggets: what a good answer holds
#
# An answer is a text in the model's own words, so you can't search it for a fact letter by letter.
# Evaluations of answers use **nuggets**: facts that a good answer says, each written as a short
# statement. Somebody decides for each one whether the answer says it (Voorhees 2003).
#
# A nugget is **vital** if a good answer must say it, and **okay** if it may say it. A town rents
# out bicycles, and somebody has lost a key (notebook 20). Here is the answer key, with grade 2 for
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
# count for it: an answer loses no recall without them.
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

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
lengths = np.arange(50, 1501, 25)
for i, (name, share) in enumerate({"both vital nuggets": 1.0, "one of the two": 0.5}.items()):
    within = np.minimum(1, 300 / lengths)
    axes.plot(
        lengths,
        10 * within * share / (9 * within + share),
        color=plotting.PALETTE[i],
        linestyle=("-", "--")[i],
        label=name,
    )
axes.axvline(300, color="grey", linewidth=1)
axes.set(xlabel="characters", ylabel="F with beta = 3", ylim=(0, 1.05))
axes.set_title("Three nuggets allow 300 characters: F falls slowly beyond them")
axes.legend(frameon=False, loc="lower right")
figure(
    drawn,
    alt="F over the length of an answer that says three nuggets. Up to 300 characters it is 1 with "
    "both vital nuggets and 0.53 with one of two. Beyond that both curves fall slowly: at 1,500 "
    "characters the upper one is still above 0.7, and the lower one above 0.4.",
)

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
# Now one judge more calls the third nugget vital, and the answer lacks it. If this judge alone
# decides what is vital, vital recall falls from 1/2 to 1/3. By votes, recall falls only from 6/12
# to 6/13.
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
# - **citation recall:** of all statements that need a source, how many are fully supported by what
#   they cite together;
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
# ## Recap
#
# - Vital recall counts what an answer must say. F adds a price for length. Votes of several
#   judges make the key more stable.
# - Claim precision asks whether what it says has a source; faithfulness takes the contexts as the
#   source. Report them beside recall.
# - Citation recall and precision ask whether a reader can check the answer. A citation counts if
#   the support of its statement needs it.
#
# Who counts all this? Often another language model. Notebook 24 measures such a judge.
#
# **Read on.**

# %%
reading(
    "Voorhees 2003", "Nenkova 2004", "Lin 2006", "Pradeep 2024", "Pradeep 2025", "Min 2023",
    "Es 2024", "Liu 2023", "Gao 2023", "Thakur 2025",
)  # fmt: skip
