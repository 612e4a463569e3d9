# %% [markdown]
# # 20. Retrieval for generation: contexts and facts
#
# **Goals.** After this notebook you can
#
# - judge facts instead of documents, so that judgments stay valid if documents are cut otherwise;
# - compute precision and recall of the contexts that fit into a window, and say why the length of
#   passages must be bounded when you compare them;
# - tell from a two-by-two table whether the retriever or the model lost a fact, and test both.
#
# **Time.** 60 minutes. **Needs.** Notebooks 1 (precision and recall), 4 (nDCG as a model of a
# user) and 13 (metrics as tests).

# %%
import json
import re
from itertools import product

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import evaluate, explain, ndcg, precision, recall
from irmetrics_edu.course import (
    Repository,
    figure,
    load_collection,
    predict,
    quiz,
    reading,
    reveal,
    slider,
    table,
    terms,
    verbatim,
)
from irmetrics_edu.gate import RankingAssertionError, assert_recall
from irmetrics_edu.judging import (
    build_run,
    collapse,
    judge_by_span,
    judge_by_text,
)
from irmetrics_edu.runs import sign
from irmetrics_edu.views import plotting

# %% [markdown]
# In **retrieval-augmented generation** (RAG; Lewis et al. 2020) a language model reads the results
# of a search, and writes an answer. A person may read the answer and none of the results. This
# changes what a good result is. These are the words of this chapter:

# %%
RAG = "retrieval-augmented generation"
terms(RAG, "passage", "context", "nugget")

# %% [markdown]
# ## From documents to passages
#
# A town rents out bicycles. Its help has five pages of six sentences each:

# %%
PAGES = {
    "keys": "Each bicycle has one key. Lost keys happen, so don't panic. If you lose the key, call "
    "the hotline within a day. Lock the bicycle to a rack until we come. A new key costs 18 euros. "
    "We bring it to you for free.",
    "prices": "A day costs 12 euros. A week costs 60 euros. Students pay half. You pay by card "
    "when you return the bicycle. Helmets are free. A child seat costs 3 euros a day.",
    "returns": "Return the bicycle to any of our stations. Stations close at eight in the evening. "
    "After that, use the gate at the harbour. A late return costs 5 euros an hour. Clean the "
    "bicycle if it is muddy. Leave the key in the box.",
    "repairs": "A flat tyre can happen to anyone. Ride to the next station, where we mend it for "
    "free. If you can't ride, call the hotline. Damage from a fall costs up to 80 euros. Please "
    "tell us about every scratch. The insurance pays for theft if the bicycle was locked.",
    "trips": "The river path is flat and easy. It is 14 kilometres long. The castle path is steep. "
    "The ferry takes a bicycle for 2 euros. Trains take bicycles after nine in the morning. Maps "
    "are free at every station.",
}

# %% [markdown]
# A model can read only so much, so the pages are cut into **passages** (also called chunks). The
# next cell cuts pages into passages of `size` sentences. With a `step` below the size, passages
# overlap. It also makes a small search engine. A word that a question and a passage share counts
# more if few passages have this word.


# %%
def words(text):
    """The words of a text, in small letters."""
    return re.findall(r"[\w']+", text.lower())


def passages(size, step=None):
    """Passages of so many sentences, each with the page and the place that it is from."""
    for page, text in PAGES.items():
        sentences = re.findall(r"[^.]+\.", text)
        for i in range(0, len(sentences), step or size):
            piece = "".join(sentences[i : i + size]).strip()
            place = {"source": page, "start_index": text.index(piece)}
            yield {"id": f"{page} {i + 1}", "text": piece, **place}
            if i + size >= len(sentences):
                break


def engine(size, step=None):
    """A search engine over passages: a function from a question to ranked passages."""
    cut = list(passages(size, step))
    held = [set(words(p["text"])) for p in cut]
    weight = {w: 1 / sum(w in other for other in held) for h in held for w in h}

    def search(question):
        asked = sorted(set(words(question)))
        scores = [round(sum(weight[w] for w in asked if w in h), 6) for h in held]
        found = [{**p, "score": s} for p, s in zip(cut, scores, strict=True) if s > 0]
        return sorted(found, key=lambda p: (-p["score"], p["id"]))

    return search


# %% [markdown]
# Each passage has two sentences, and the next one of the page begins with the second. You ask about
# a stolen bicycle. `build_run` asks the engine:

# %%
THEFT = "Who pays after a theft of the bicycle?"
of_theft = build_run(engine(2, 1), {"q": THEFT})
table(
    {
        "rank": range(1, 7),
        "passage": [p.document for p in of_theft.answers["q"][:6]],
        "text": [p.text for p in of_theft.answers["q"][:6]],
    }
)

# %%
of_page = [p.metadata["source"] for p in of_theft.answers["q"][:6]]
predict(
    "These are six passages. Of how many different pages are they?",
    len(set(of_page)),
    mistaken={6: "Look at the first word of each passage: a page may have several passages."},
)

# %% [markdown]
# A person gets the page once and reads on. In a list of passages the same page stands several
# times. If your judgments are about pages, **collapse** the list: keep the first passage of each
# page.

# %%
by_hand = list(dict.fromkeys(of_page))
assert by_hand == list(collapse(of_theft, parent="source")["q"])[: len(by_hand)]
reveal(f"Of {len(by_hand)} pages, in this order: {', '.join(by_hand)}.")

# %% [markdown]
# If a page repeats, the list is shorter after this. So ask for more than ten passages if you
# measure ten documents.
#
# For a model the collapsed list says too little. The model does not get the page *repairs*. It
# gets two sentences of it, and the sentence with the answer may be missing.
#
# ## Judge facts, not passages
#
# You could judge each passage: relevant or not. But next month somebody cuts the pages in another
# way, and all judgments are lost. So judge what does not change: the **text that an answer
# needs**. Call each such piece of text a fact. (Evaluations of answers call it a *nugget*. The
# nuggets of notebook 9 were topics of a page. These here are facts that an answer needs.) These are
# eight questions with their facts:

# %%
FACTS = {
    "I lost the key: what do I do, and what does a new key cost?": [
        "call the hotline within a day",
        "Lock the bicycle to a rack",
        "new key costs 18 euros",
    ],
    "What does a week cost if I am a student?": ["week costs 60 euros", "Students pay half"],
    "Where do I return the bicycle late in the evening?": [
        "Stations close at eight",
        "gate at the harbour",
    ],
    "What does it cost to return the bicycle late?": ["late return costs 5 euros an hour"],
    THEFT: ["insurance pays for theft"],
    "What do I do about a flat tyre?": [
        "Ride to the next station",
        "can't ride, call the hotline",
    ],
    "Can I take the bicycle on the ferry or on trains?": [
        "ferry takes a bicycle for 2 euros",
        "Trains take bicycles after nine",
    ],
    "What do you have for children?": ["child seat costs 3 euros a day"],
}
QUESTIONS = {question: question for question in FACTS}
KEY = next(iter(FACTS))

# %% [markdown]
# Take the first question, and passages of one sentence. The first three passages are:

# %%
of_sentences = build_run(engine(1), QUESTIONS)
top = [p.text for p in of_sentences.answers[KEY][:3]]
verbatim("\n".join(top))

# %%
predict(
    "The answer needs three facts: call the hotline, lock the bicycle, 18 euros. What is the share "
    "of the facts that these three passages hold?",
    1 / 3,
    mistaken={
        2 / 3: "Two passages are about keys, but the second one says nothing that is needed.",
        1.0: "Count the facts that are in the passages, not the passages.",
        0: "Read the first passage again.",
    },
)

# %% [markdown]
# The **recall of facts** is the share of the expected facts that the contexts hold:
#
# $$\mathrm{Rec} = \frac{|\{\text{facts that some context holds}\}|}{|\{\text{expected facts}\}|}$$
#
# In words: count the facts that you find in at least one context, and divide by the number of
# facts that the answer needs. In Python:

# %%
found = [any(fact.lower() in text.lower() for text in top) for fact in FACTS[KEY]]
by_hand = np.mean(found)
judged = judge_by_text(of_sentences, FACTS)
assert np.isclose(by_hand, recall(judged.run[KEY], judged.qrels[KEY], k=3))
reveal(f"It is {by_hand:.4f}: one of three facts. The sentence with the hotline is at rank 4.")

# %% [markdown]
# `judge_by_text` made a run and judgments in which the facts are the documents. From here on every
# measure of the course works: recall, nDCG, reciprocal rank. And because facts are judged once, a
# second passage with the same fact brings nothing new. This is the novelty of notebook 9.

# %%
quiz(
    "Pages on tyres and on keys both say “call the hotline”. Somebody shortens the fact “can't "
    "ride, call the hotline” to these three words. What is the effect?",
    {
        "A passage about lost keys now counts as an answer about tyres": (
            True,
            "An expected text must be so long that only the right place says it.",
        ),
        "Nothing: it is the same fact, and the page on tyres still says it": (
            False,
            "The page keys also says “call the hotline”, but for lost keys.",
        ),
        "Recall falls, because the text is shorter": (
            False,
            "A shorter text is found wherever the longer one is, so recall can't fall.",
        ),
    },
)

# %% [markdown]
# If the same words stand in several places, judge the **span**: the page, and the characters from
# where to where. `judge_by_span` counts a passage that covers enough of the span.
#
# ## How long should a passage be?
#
# Now you can compare ways to cut, because the facts stay the same. The team measures the recall
# of facts in the first three passages.

# %%
SIZES = [1, 2, 3, 6]
RUNS = {size: build_run(engine(size), QUESTIONS) for size in SIZES}


def recall_at(size, k):
    """The mean recall of facts in the first k passages of so many sentences."""
    judged = judge_by_text(RUNS[size], FACTS)
    (value,) = evaluate(judged.run, judged.qrels, f"R@{k}" if k else "R").mean.values()
    return value


at_three = {size: recall_at(size, 3) for size in SIZES}
predict(
    "Passages of 1, 2, 3 or 6 sentences. Which size has the highest recall at k = 3? Type the "
    "number of sentences.",
    6,
    mistaken={1: "Three short passages hold three sentences.", 3: "Think of whole pages."},
)

# %%
reveal(
    table(
        {"sentences": SIZES, "recall of facts at k = 3": list(at_three.values())},
        caption="Whole pages win. Three of the five pages are more than half of all text.",
        digits=3,
    )
)

# %% [markdown]
# The comparison is not fair. Three pages have about 130 words, and three sentences have about 24.
# A model reads words, not passages, and each word costs money and time. So fix the number of
# words, not the number of passages.
#
# **The window** is the number of words that the model may read. Fill it from the top of the
# ranking, and stop before the first passage that does not fit:


# %%
def fitting(ranked, window):
    """The first passages that fit into a window of so many words."""
    lengths = np.cumsum([len(words(p.text)) for p in ranked])
    return ranked[: int(np.sum(lengths <= window))]


def in_window(size, window):
    """The mean recall of facts in the contexts that fit into a window."""
    shares = []
    for question, facts in FACTS.items():
        read = " | ".join(p.text.lower() for p in fitting(RUNS[size].answers[question], window))
        shares.append(np.mean([fact.lower() in read for fact in facts]))
    return float(np.mean(shares))


assert np.isclose(in_window(3, 10**6), recall_at(3, None))

# %%
predict(
    "The window has 40 words. A page has 33 to 50 words. Which size wins now? Which one is last?"
)

# %% [markdown]
# In the next figure each line is a question. It is thick as far as the model reads, and the small
# marks are the ends of passages. Each dot is a fact, and it is filled if the model reads it. A fact
# in no passage that the engine found has no dot. Move the slider to change the window.


# %%
def by_window(window):
    """What is read within a window: each question's passages as a line, its facts as dots."""
    drawn, axes = plt.subplots(figsize=(7.2, 4.6), layout="constrained")
    for n, (size, question) in enumerate(product(SIZES, FACTS)):
        y = n + n // len(FACTS)  # a gap after the questions of a size
        text = " ".join(p.text for p in RUNS[size].answers[question]).lower()
        ends = np.cumsum([0, *(len(words(p.text)) for p in RUNS[size].answers[question])])
        end = ends[ends <= window].max()
        axes.plot([0, end], [y, y], color=plotting.PALETTE[0], linewidth=2)
        axes.plot(ends, np.full(len(ends), y), "|-", color="0.7", linewidth=0.5, zorder=0)
        for fact in (fact for fact in FACTS[question] if fact.lower() in text):
            place = len(words(text.partition(fact.lower())[0] + fact))
            axes.plot(
                place, y, "o", color=plotting.PALETTE[1] if place <= end else "white", mec="0.4"
            )
    axes.axvline(window, color="black", linestyle="--", linewidth=1)
    axes.set(xlim=(0, 160), xlabel="words of the ranking", title=f"window: {window} words")
    named = [f"sentences: {size}\nrecall: {in_window(size, window):.2f}" for size in SIZES]
    axes.set_yticks([3.5, 12.5, 21.5, 30.5], named)
    axes.invert_yaxis()
    return drawn


slider(
    by_window,
    name="words in the window",
    values=[20, 40, 60, 100, 150],
    start=40,
    alt=lambda window: (
        "A line for each question and length of passage, thick up to the last passage that ends "
        f"within {window} words, with dots for facts. Recall for 1, 2, 3 and 6 sentences: "
        + ", ".join(f"{in_window(size, window):.2f}" for size in SIZES)
    ),
)

# %% [markdown]
# In a window of 40 words passages of three sentences are best. A page fits for two questions only.
# The three facts about the lost key (first line) stand side by side in the page. If passages are
# single sentences, others come between them. In a window of 150 words pages are as good as passages
# of three sentences. So **compare passages of different lengths within the same number of words.**
#
# ## Precision of contexts
#
# Contexts that nobody needs cost money. They can also mislead the model. The **precision of
# contexts** is the share of what the model reads that the answer needs. There are two ways to
# count:
#
# - in passages: how many of the passages hold a fact;
# - in sentences: how many of the sentences hold a fact. Es et al. (2024) call this *context
#   relevance*.
#
# Take the question about the lost key, and three contexts of two sentences each:

# %%
contexts = [p.text for p in RUNS[2].answers[KEY][:3]]
verbatim("\n".join(contexts))

# %%
holds = [any(f.lower() in text.lower() for f in FACTS[KEY]) for text in contexts]
sentences = [s for text in contexts for s in re.findall(r"[^.]+\.", text)]
needed = [any(f.lower() in s.lower() for f in FACTS[KEY]) for s in sentences]
predict(
    "Precision in passages? Count the contexts that hold one of the three facts.",
    float(np.mean(holds)),
    mistaken={float(np.mean(needed)): "That is the precision in sentences."},
)

# %%
assert np.isclose(np.mean(holds), precision([int(h) for h in holds]))
assert np.isclose(np.mean(needed), precision([int(n) for n in needed]))
reveal(
    table(
        {
            "unit": ["passage", "sentence"],
            "needed": [sum(holds), sum(needed)],
            "read": [len(holds), len(needed)],
            "precision": [np.mean(holds), np.mean(needed)],
        }
    )
)

# %% [markdown]
# Does the unit decide a comparison of sizes? Take all eight questions. Compare once at k = 3, and
# once within the same window of words:


# %%
def sentence_precision(size, k=None, window=None):
    """The share of the sentences that are needed, over all questions, at k or within a window."""
    needed = read = 0
    for question, facts in FACTS.items():
        ranked = RUNS[size].answers[question]
        chosen = ranked[:k] if k else fitting(ranked, window)
        for text in (s for p in chosen for s in re.findall(r"[^.]+\.", p.text)):
            needed += any(fact.lower() in text.lower() for fact in facts)
            read += 1
    return needed / read if read else float("nan")


predict("Which size has the highest precision in sentences at k = 3? And in a window of 60 words?")

# %%
reveal(
    table(
        {
            "sentences": SIZES,
            "at k = 3": [sentence_precision(size, k=3) for size in SIZES],
            **{
                f"window of {window}": [sentence_precision(size, window=window) for size in SIZES]
                for window in (40, 60, 100, 150)
            },
        },
        digits=4,
        caption="Precision in sentences. At k = 3 single sentences look far better than pages. In "
        "the same window pages are better than single sentences, because the facts of a question "
        "stand side by side in a page.",
    )
)

# %% [markdown]
# So the comparison at k = 3 was unfair here, too: three pages are much more text. Say which unit
# you count, and compare within the same number of words.
#
# ## The position in the context: lost in the middle
#
# nDCG assumes a reader who starts at the top and gets tired. Does a model read like this? Liu et
# al. (2024) put the one passage with the answer at different places among 10, 20 or 30 passages.
# The models answered best if the passage stood at the beginning or at the end, and worse if it
# stood in the middle. They called it *lost in the middle*. Newer models may behave differently,
# so measure yours.
#
# Here is a made-up model of such a reader. It uses a fact in context $i$ of $n$ with probability
#
# $$p(i) = 1 - d\,\Bigl(1 - \frac{|2i - n - 1|}{n - 1}\Bigr)$$
#
# In words: the probability is 1 at both ends, and falls evenly towards the middle. With an odd
# number of contexts it is $1-d$ in the middle. With an even number it stays above that. The dip
# $d$ is 0.5 below. It is our invention, to have numbers to compute with.


# %%
def used(n, dip=0.5):
    """For each of n places the probability that the reader uses a fact that stands there."""
    if n == 1:
        return np.ones(1)  # the only place is both ends
    place = np.arange(1, n + 1)
    return 1 - dip * (1 - np.abs(2 * place - n - 1) / (n - 1))


BEST_FIRST, AT_THE_ENDS = np.array([1, 1, 1, 0, 0, 0]), np.array([1, 1, 0, 0, 0, 1])
table({"place": range(1, 7), "probability": used(6).tolist()}, digits=2)

# %%
predict(
    "Six contexts, and three of them hold a fact each. Best first is 1, 1, 1, 0, 0, 0. At the ends "
    "is 1, 1, 0, 0, 0, 1. How many facts does this reader use, on average, of the second order? "
    "Add the probabilities.",
    float(AT_THE_ENDS @ used(6)),
    mistaken={
        float(BEST_FIRST @ used(6)): "That is the order with the best contexts first.",
        3.0: "Three facts are there, but the one at place 2 is used with probability 0.8.",
    },
)

# %%
reveal(
    table(
        {
            "order": ["1, 1, 1, 0, 0, 0", "1, 1, 0, 0, 0, 1"],
            "facts used": [float(o @ used(6)) for o in (BEST_FIRST, AT_THE_ENDS)],
            "nDCG": [ndcg(o.tolist()) for o in (BEST_FIRST, AT_THE_ENDS)],
        },
        digits=2,
        caption="The measures disagree. nDCG models a reader who starts at the top.",
    )
)

# %% [markdown]
# So two things follow. If the whole window is read, prefer recall to nDCG. If the place matters,
# measure it with your own model, and order the contexts for it after the search.
#
# ## On a real collection
#
# The documents of the collection *stdlib* are docstrings (notebook 1). Most are short enough to be
# a context as they are. A programmer's assistant reads the contexts that fit into its window. Does
# it read a document of grade 3, which is what the topic asks for? Language models gave these
# grades, not people.

# %%
collection = load_collection("stdlib")
TOP = {t: {d for d, g in of.items() if g == 3} for t, of in collection.qrels["deep"].items()}
TOP = {t: of for t, of in TOP.items() if of}


def read_of(ranked, window):
    """The first documents that fit into a window of so many words."""
    lengths = np.cumsum([len(collection.documents[d].split()) for d in ranked])
    return set(list(ranked)[: int(np.sum(lengths <= window))])


def topics_served(engine, window):
    """The share of topics for which a document of grade 3 is read."""
    run = collection.runs[engine]
    return float(np.mean([bool(of & read_of(run[t], window)) for t, of in TOP.items()]))


predict(
    f"{len(TOP)} topics have a document of grade 3. fts5 and bm25 have one among their first three "
    "documents equally often. Are they equal in a window of 50 words, too?"
)

# %%
assert (
    len(
        {
            sum(bool(of & set(list(collection.runs[e][t])[:3])) for t, of in TOP.items())
            for e in ("fts5", "bm25")
        }
    )
    == 1
)
WINDOWS = [50, 100, 200]
reveal(
    table(
        {
            "words in the window": WINDOWS,
            **{e: [topics_served(e, window) for window in WINDOWS] for e in collection.runs},
        },
        digits=3,
        caption="The share of topics for which a document of grade 3 is read.",
    )
)

# %% [markdown]
# In the small window bm25 is ahead, and in larger ones fts5 is. Is that more than chance? Count the
# topics that only one of the two engines serves, and test them with the sign test (notebook 18).
# A topic is served or not, so there are no sizes of differences that the test could leave out:


# %%
def only_one(window, one="fts5", other="bm25"):
    """The number of topics that only the one engine serves, and that only the other serves."""
    of_one, of_other = (
        {t for t, of in TOP.items() if of & read_of(collection.runs[e][t], window)}
        for e in (one, other)
    )
    return len(of_one - of_other), len(of_other - of_one)


predict(
    f"In a window of 50 words fts5 alone serves {only_one(50)[0]} topics, and bm25 alone serves "
    f"{only_one(50)[1]}. Would a fair coin give a split like this?"
)

# %%
reveal(
    table(
        {
            "words in the window": WINDOWS,
            "fts5 alone": [only_one(window)[0] for window in WINDOWS],
            "bm25 alone": [only_one(window)[1] for window in WINDOWS],
            "p, sign test": [sign(*only_one(window)) for window in WINDOWS],
        },
        digits=2,
        caption="Yes, easily. In no window does the test find a difference between the two.",
    )
)

# %% [markdown]
# So these topics don't say which of the two engines serves a model better, in any window. They may
# still differ: 98 topics can't find a small difference. lsa is behind both in each window, and here
# the same test does find it. This is the largest p of the six comparisons:

# %%
largest = max(
    sign(*only_one(window, engine, "lsa")) for window in WINDOWS for engine in ("fts5", "bm25")
)
round(largest, 4)

# %% [markdown]
# The lesson is the test: a window gives you a number for each engine, and the number alone is no
# verdict.
#
# ## Did the retriever or the model lose the fact?
#
# A score of the answer says *that* a fact is missing. It can't say *where* it was lost. For each
# nugget, a fact that the answer needs, ask two questions: do the contexts hold it? Does the answer
# say it? This makes a two-by-two table:
#
# | the fact | the answer says it | the answer doesn't say it |
# |---|---|---|
# | **the contexts hold it** | used | lost by the model |
# | **the contexts don't hold it** | from memory: right, but not supported | lost by the retriever |
#
# A nugget is a fact, so whoever says it says something right. The model may have remembered it, or
# it may have guessed well. False statements of an answer are in none of the four cells: claims
# count them (notebook 23).
#
# Two systems answer questions with 100 nuggets:

# %%
CELLS = ("used", "lost by the model", "from memory", "lost by the retriever")
SYSTEMS = {"A": (55, 5, 5, 35), "B": (55, 35, 5, 5)}
HELD, SAID = np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0])


def nuggets_of(system):
    """For each of 100 nuggets: whether the contexts hold it, and whether the answer says it."""
    return np.repeat(HELD, SYSTEMS[system]), np.repeat(SAID, SYSTEMS[system])


drawn, axes = plt.subplots(figsize=(6.4, 2.6), layout="constrained")
left, BOX = np.zeros(2), {"boxstyle": "round,pad=0.15", "facecolor": "white", "linewidth": 0}
for i, cell in enumerate(CELLS):
    wide = np.array([SYSTEMS[s][i] for s in "BA"])
    bars = axes.barh(["B", "A"], wide, left=left, label=cell, color=plotting.PALETTE[i],
                     edgecolor="white")  # fmt: skip
    axes.bar_label(bars, label_type="center", fmt="%d", bbox=BOX)
    left += wide
axes.set(xlabel="nuggets", xlim=(0, 100), title="What became of 100 nuggets")
axes.legend(frameon=False, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.3))
figure(
    drawn,
    alt="Two stacked bars of 100 nuggets. A: 55 used, 5 lost by the model, 5 from memory, 35 lost "
    "by the retriever. B: 55 used, 35 lost by the model, 5 from memory, 5 lost by the retriever.",
)

# %%
predict(
    "What is the recall of nuggets of the answers of system A? And of system B?",
    (55 + 5) / 100,
    mistaken={
        0.55: "The answers also say 5 nuggets from memory.",
        0.9: "That is what the contexts of B hold.",
    },
)

# %%
shares = {}
for system in SYSTEMS:
    held, said = nuggets_of(system)
    r, u, m = held.mean(), said[held == 1].mean(), said[held == 0].mean()
    assert np.isclose(said.mean(), r * u + (1 - r) * m)
    assert np.isclose(
        u, precision(np.flatnonzero(held).tolist(), set(np.flatnonzero(said).tolist()))
    )
    shares[system] = [float(x) for x in (said.mean(), r, u, m)]
reveal(
    table(
        {
            "share": ["recall of the answers", "r: contexts hold it", "u: said, if held",
                 "m: said, if not held"],
            **shares,
        },
        digits=3,
        caption="Both are 0.60, for opposite reasons.",
    )
)  # fmt: skip

# %% [markdown]
# The recall of the answers has three causes:
#
# $$\text{answer recall} = r\,u + (1-r)\,m$$
#
# In words: $r$ is the share of the nuggets that the contexts hold, so it belongs to the
# **retriever**. $u$ is the share of these that the answer says, so it belongs to the **model**.
# $m$ is the share of the other nuggets that the model says all the same. What $m$ counts is right,
# but no context supports it, so a reader can't check it there.

# %%
better_search = {s: shares[s][2] for s in SYSTEMS}
better_model = {s: shares[s][1] + (1 - shares[s][1]) * shares[s][3] for s in SYSTEMS}
predict(
    "You can repair one thing in system A: a perfect retriever (r = 1), or a perfect model "
    "(u = 1). The other shares stay. What does the answer recall of A become with the better of "
    "the two?",
    better_search["A"],
    mistaken={
        better_model["A"]: "That is a perfect model. It can't say what it does not read.",
        1.0: "With r = 1 the answer recall is u, and u stays 0.917.",
    },
)

# %%
reveal(
    table(
        {
            "system": list(SYSTEMS),
            "now": [shares[s][0] for s in SYSTEMS],
            "perfect retriever": list(better_search.values()),
            "perfect model": list(better_model.values()),
        },
        digits=3,
        caption="Repair the retriever of A and the model of B. The answers alone don't tell you.",
    )
)

# %% [markdown]
# Three cautions:
#
# - **The shares need not stay.** A retriever that brings more contexts makes the window longer,
#   and $u$ can fall. Measure again after each repair.
# - **A judge that errs fills wrong cells.** Suppose a judge says *the answer says it* for one in
#   ten nuggets that the answer does not say. Then about 4 of the 35 nuggets that A's retriever
#   lost seem to come from memory.
# - **Silence can be right.** If the contexts don't hold a fact, “I don't know” is better than an
#   invented answer. Recall does not reward it, so count such answers separately.
#
# ## Test the retriever and the model separately
#
# In a repository you want to know at once which part broke. So write two tests (notebook 13):
#
# 1. the contexts hold the facts: recall of facts in the contexts, which is $r$;
# 2. the answers say what the contexts hold: recall over the held facts alone, which is $u$.
#
# The second one does not blame the model for what it could not read. In Python both are
# `assert_recall(run, qrels, at_least=...)`. For the first test the run is what the contexts hold.
# For the second it is what the answers say, and the judgments are the held facts alone. Here are
# two questions of which the retriever lost one fact, and the model none:

# %%
NEEDED = {"key": {"hotline": 1, "18 euros": 1}, "week": {"60 euros": 1, "half": 1}}
HELD_FACTS = {"key": ["hotline"], "week": ["60 euros", "half"]}
SAID_FACTS = {"key": ["hotline"], "week": ["60 euros", "half"]}
JUDGED_HELD = {question: dict.fromkeys(facts, 1) for question, facts in HELD_FACTS.items()}


def verdict(run, qrels):
    """What assert_recall says, in a word."""
    try:
        assert_recall(run, qrels, at_least=0.8)
    except RankingAssertionError:
        return "fails"
    return "passes"


table(
    {
        "test": ["r: contexts against all facts", "u: answers against the held facts"],
        "mean recall": [
            np.mean([len(HELD_FACTS[q]) / len(NEEDED[q]) for q in NEEDED]),
            np.mean([len(SAID_FACTS[q]) / len(HELD_FACTS[q]) for q in NEEDED]),
        ],
        "at least 0.8": [verdict(HELD_FACTS, NEEDED), verdict(SAID_FACTS, JUDGED_HELD)],
    },
    digits=2,
)

# %% [markdown]
# Leave a question without any held fact out of the second test: there is nothing to ask of the
# model. The page *Test the retrieval of a RAG system* of the documentation has such tests.
#
# ## Recap
#
# - Judge facts or spans, not passages. The judgments then stay valid for other passages.
# - Compare passages of different lengths within the same window of words, not at the same k.
# - Say in which unit you count the precision of contexts. A model may use the middle of the context
#   badly, and nDCG does not model such a reader.
# - Two systems can have the same answer recall for opposite reasons. Split it into $r$, $u$ and
#   $m$, and test $r$ and $u$ separately.
#
# **Read on.**

# %%
reading("Lewis 2020", "Liu 2024", "Es 2024")
