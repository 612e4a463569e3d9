# %% [markdown]
# # 24. Judges of answers: a language model as an assessor
#
# **Goals.** After this notebook you can
#
# - measure the position, verbosity and self-preference bias of a judge, beside people;
# - give the case for and the case against language models as judges;
# - correct the labels of a model by a sample that people labelled;
# - test whether a model knew the questions of your test before.
#
# **Time.** 50 minutes. **Needs.** Notebooks 16 (kappa), 17 (tau) and 23 (answers).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import evaluate, kendall_tau, precision, tau_ap
from irmetrics_edu.course import predict, quiz, reading, reveal, slider, table, terms
from irmetrics_edu.judging import judges
from irmetrics_edu.runs import sign
from irmetrics_edu.views import plotting

# %% [markdown]
# Language models judge documents and answers, in place of people or beside them. These are the
# words of this chapter:

# %%
terms("assessor", "kappa")

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
# Read the table by columns. Kappa falls slowly. At a bias of 0.25 it has lost 0.05 (from 0.716 to
# 0.664), and LM is already two places higher than by people. The nine ordinary systems keep nearly
# the same order, as *tau without LM* says: two or three of their 36 pairs are turned round, with a
# bias or without. But LM climbs to the top. tau-AP falls most, because the damage is at the top.
#
# This world is one draw, with the seed 0. In 30 worlds (seeds 0 to 29) kappa loses 0.02 to 0.06 at
# a bias of 0.25. LM gains at least two places in 29 of them. Of the 36 pairs of ordinary systems
# none to three are turned round.
#
# Notebook 17 gave a reason why orders are stable: errors of an assessor hit all systems alike. Here
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
                "did no harm here. The minimal pool (notebook 17) keeps this cheap."
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
        f"p = {sign(30, 10):.4f} by the sign test (notebook 18). So this judge prefers the first "
        "place. The cure: ask in both orders, and call it a tie if the verdicts differ. To learn "
        "how unsure a judge is, ask it twice in the *same* order, too.",
    )
)

# %% [markdown]
# **Verbosity bias.** Does the judge prefer long answers? Longer answers can be better, so its
# preference alone proves nothing. You need people. Take pairs that *people* judged. Look how often
# the judge errs where people prefer the short answer, and where they prefer the long one:

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
rates_apart = np.sqrt(22 / 40 * 18 / 40 / 40 + 6 / 60 * 54 / 60 / 60)
reveal(
    table(
        {
            "people prefer": ["the shorter answer", "the longer answer", "all"],
            "pairs": [40, 60, 100],
            "the judge agrees": [18 / 40, 54 / 60, 72 / 100],
        },
        digits=2,
        caption="Agreement of 0.72 hides the bias. The judge errs in 0.55 of the pairs where "
        "people prefer the shorter answer, and in 0.10 of the others. The rates differ by 0.45, "
        f"which is {0.45 / rates_apart:.1f} standard errors. So this judge prefers long answers.",
    )
)

# %% [markdown]
# Compare the *rates*, not the numbers of errors. A judge that is only unsure errs equally often on
# both sides. Suppose that people prefer the shorter answer in 80 of 100 pairs, and the judge errs
# in a quarter of all pairs. Then it takes the longer answer wrongly in 20 pairs, and the shorter
# one in 5. The sign test would call that a bias, but both rates are 0.25.

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
# random. (Strictly, the formula is for a sample that is not among the $N$ answers. It errs little
# if $n$ is small beside $N$, as here.)
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
# So report a judge's scores with such a correction, or say that they have none. It corrects the
# mean of *one* system. To compare two systems, correct each by a sample of its own answers: the
# errors need not be the same for both, as the style above showed.
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
    f"0.80 - 0.50 = 0.30, which is {z:.1f} standard errors. So the old questions "
    "seem to flatter the model. Report the new ones, beside the rate without contexts. Don't "
    "credit the retriever with what the model knows alone (the share m of notebook 20)."
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

# %% [markdown]
# ## Recap
#
# - A judge is a ranker, too. It can't judge a system that uses it or is like it.
# - Ask a judge in both orders. Changed verdicts alone are no bias; one place must win more often.
# - Compare its errors with people on short and long answers, and on answers of its own model and of
#   others.
# - A random sample labelled by people corrects the judge's mean.
# - Ask the questions without contexts. Don't credit retrieval with what the model knows alone.
#
# **Read on.**

# %%
reading(
    "Landis 1977", "Wang 2024", "Zheng 2023", "Panickssery 2024", "Faggioli 2023", "Thomas 2024",
    "Upadhyay 2024", "Soboroff 2025", "Clarke 2024", "Balog 2025", "Alaofi 2024",
    "Angelopoulos 2023",
)  # fmt: skip
