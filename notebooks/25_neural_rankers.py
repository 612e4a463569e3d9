# %% [markdown]
# # 25. Neural rankers, and the collections that judge them
#
# **Goals.** After this notebook you can
#
# - say what bi-encoders, late interaction, cross-encoders and listwise rerankers compute, and what
#   each costs;
# - compute the best score that a reranker can reach after a first stage;
# - fuse two first stages, and say what an index that is not exact costs;
# - show what one positive for each query, and a pool of word-matching engines, do to a comparison;
# - find a leak in a plan for an evaluation, and say what an agent that searches needs to report.
#
# **Time.** 60 minutes, and 10 more for agents.
# **Needs.** Notebook 8 (pools), notebook 19 (LambdaMART).

# %%
import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import compare, evaluate, ndcg, recall
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
from irmetrics_edu.course.collection.neural_files import load_neural
from irmetrics_edu.lab import RankingData, lambdamart, listnet, made_queries
from irmetrics_edu.views import plotting

# %% [markdown]
# One thing beforehand. **Two neural models have run once** over the course's collection, and their
# runs and vectors come with the package as data: a bi-encoder, *all-MiniLM-L6-v2*, and a very small
# learned sparse model, *SPLADE-tiny*. The models themselves are too large to come with a course
# that works without a network. **No cross-encoder has run**: none was found in a package. Some
# engines here are stand-ins, and are called so: LSA makes vectors by linear algebra, and ListNet
# and LambdaMART rerank by three scores.
#
# These are the words of this chapter:

# %%
terms("re-ranking", "bi-encoder", "cross-encoder")

# %% [markdown]
# ## Kinds of neural rankers
#
# The learners of notebooks 12 and 19 need features that somebody has thought of. A neural model
# reads the words themselves. It turns each piece of a text, a **token**, into a vector. The kinds
# of models differ in when the query meets the document:
#
# - A **bi-encoder** makes one vector of the query and one of each document. The score is the inner
#   product. You compute the vectors of all documents before any query comes. Search with such
#   vectors is called **dense retrieval**.
# - A **learned sparse** model, such as SPLADE (Formal et al. 2021), gives a weight to each word of
#   a vocabulary, also to words that the text lacks. An index of words can then search with it.
# - **Late interaction** (Khattab & Zaharia 2020) keeps a vector for each token. The documents are
#   still encoded before the query comes.
# - A **cross-encoder** reads the query and one document together (Nogueira & Cho 2019). It sees
#   which word of the query meets which word of the document, but nothing can be computed before.
# - A **listwise reranker** reads the query and many documents together. A language model writes
#   their numbers in a better order (Ma et al. 2023).
#
# Late interaction looks for the best partner of each token of the query. Here are the similarities
# of two tokens with those of two documents:

# %%
QUERY = ["jaguar", "speed"]
CAT = np.array([[0.8, 0.2, 0.1], [0.1, 0.4, 0.9]])
CAR = np.array([[0.7, 0.7, 0.3], [0.5, 0.5, 0.2]])
table(
    {
        "token of the query": QUERY,
        "cat": CAT[:, 0],
        "runs": CAT[:, 1],
        "fast": CAT[:, 2],
        "car": CAR[:, 0],
        "brand": CAR[:, 1],
        "dealer": CAR[:, 2],
    },
    digits=1,
    caption="The first document has the tokens cat, runs, fast; the second car, brand, dealer.",
)

# %% [markdown]
# $$\mathrm{MaxSim}(q, d) = \sum_{i \in q} \max_{j \in d} \; v_i \cdot v_j$$
#
# In words: $v_i$ is the vector of token $i$, and the inner product is the similarity. For each
# token $i$ of the query take the largest similarity with any token $j$ of the document. Then add
# these.

# %%
predict(
    "What is MaxSim of the first document?",
    float(CAT.max(axis=1).sum()),
    mistaken={
        float(CAT.sum()): "You added all six. Take the largest of each row.",
        float(CAT.max(axis=0).sum()): "You took the largest of each column. Take rows: each token "
        "of the query has one partner.",
    },
)

# %%
reveal(
    f"It is 0.8 + 0.9 = {CAT.max(axis=1).sum():.1f}. The second document has 0.7 + 0.5 = "
    f"{CAR.max(axis=1).sum():.1f}, because it has no token that is near to speed."
)

# %% [markdown]
# ### What each costs

# %%
predict(
    "A collection has 1,000,000 documents. A cross-encoder needs 5 ms for a query and a document. "
    "How many seconds does one query take if it scores every document, one after another?",
    1_000_000 * 5 / 1000,
    mistaken={5: "That is for 1,000 documents.", 5_000_000: "Those are milliseconds."},
)

# %%
reveal("5,000 seconds, which is more than 80 minutes. For 100 documents it is half a second.")

# %%
predict(
    "A language model reads 20 documents at once. It reranks 100 documents from the bottom up: a "
    "window of 20, then a window that starts 10 ranks higher, and so on. How many calls is that?",
    9,
    mistaken={
        5: "That is for windows that don't overlap. Then no document could leave its window.",
        10: "The last window starts at rank 1, so (100 - 20) / 10 + 1.",
    },
)

# %%
reveal(
    "Nine calls, one after another. And check what comes back: a model can leave a document out, "
    "name one twice, or prefer the documents that it reads first (notebook 24 measures that)."
)

# %% [markdown]
# Late interaction pays with memory. With 200 tokens a document, a million documents have 200
# million vectors, where a bi-encoder has one million.
#
# So the slow models are used in a **second stage**. A quick first stage, such as BM25 or a
# bi-encoder, retrieves 100 documents. The slow model sorts these 100 again. Lin, Nogueira and Yates
# (2021) describe such pipelines. The loss functions in training are those that you know: pointwise,
# pairwise as in RankNet, or listwise as in ListNet.
#
# ## The ceiling of a reranker
#
# A reranker can't find a document that the first stage has missed. Suppose that four documents are
# relevant, each with grade 1. The first stage retrieves three of them among its 100. The reranker
# is perfect, and puts all three on top.

# %%
perfect = {"a": 1, "b": 1, "c": 1, "missed": 1}
predict(
    "What is nDCG@10 of this perfect reranker?",
    of=(ndcg @ 10, ["a", "b", "c"], perfect),
    mistaken={
        1: "The ideal ranking has all four relevant documents, and one of them was not retrieved.",
        0.75: "That is the recall of the first stage. The missing document would be at rank 4, "
        "where the discount is small.",
    },
)

# %%
reveal(
    f"It is {ndcg(['a', 'b', 'c'], perfect, k=10):.3f}: the three best ranks are right, and only "
    "the fourth is missing. Recall of the first stage is 0.75, and no reranker can raise it."
)

# %% [markdown]
# Do the same for real runs. The package has a collection with 100 topics and three engines, whose
# first ten documents are judged. (The grades come from language models and not from people: they
# serve to learn the method, not to judge the engines.) Take the first $n$ documents of a run. Sort
# them by their grades, as a perfect reranker would. The nDCG@10 of that order is the **ceiling**:

# %%
collection = load_collection("stdlib")
qrels = collection.qrels["deep"]


def ceiling(run, n):
    """Mean recall@n, and mean nDCG@10 after a perfect reranking of the first n documents."""
    found, best = [], []
    for topic, judged in qrels.items():
        first = list(run.get(topic, {}))[:n]
        found.append(recall(first, judged, k=n))
        best.append(ndcg(sorted(first, key=lambda d: -judged.get(d, 0)), judged, k=10))
    return np.mean(found), np.mean(best)


DEPTHS = [5, 10, 20, 50]
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for n, (engine, run) in enumerate(collection.runs.items()):
    reached = np.array([ceiling(run, depth) for depth in DEPTHS])
    color = plotting.PALETTE[n]
    axes.plot(DEPTHS, reached[:, 1], marker="os^"[n], color=color, label=f"{engine}, ceiling")
    now = evaluate(run, qrels, "nDCG@10").mean["nDCG@10"]
    axes.axhline(now, color=color, linestyle=":", label=f"{engine}, nDCG@10 as it is")
axes.set(xlabel="documents reranked", ylabel="nDCG@10", ylim=(0.4, 1))
axes.set_xticks(DEPTHS)
axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, frameon=False, fontsize=8)
figure(
    drawn,
    alt="The ceiling of nDCG@10 over the number of documents reranked, for three engines. For fts5 "
    "it rises from 0.68 at 5 documents to 0.98 at 50, for bm25 from 0.65 to 0.94, for lsa from "
    "0.47 to 0.90. Dotted lines show their nDCG@10 as it is: 0.68, 0.66 and 0.50.",
)

# %%
table(
    {
        "documents reranked": DEPTHS,
        "recall of bm25": [ceiling(collection.runs["bm25"], n)[0] for n in DEPTHS],
        "ceiling of nDCG@10": [ceiling(collection.runs["bm25"], n)[1] for n in DEPTHS],
    },
    digits=3,
)

# %%
predict(
    "You rerank the first 5 documents of bm25 perfectly. Its nDCG@10 was 0.655. Why is the ceiling "
    "for 5 documents below that?"
)

# %%
reveal(
    "Because here the second stage returns 5 documents only. What bm25 had at the ranks 6 to 10 is "
    "lost. A system that appends the rest of the first stage below its 5 would not lose it."
)

# %% [markdown]
# A reranker that is better on 100 documents may look better only because its first stage is
# better. So compare rerankers over the **same** first stage, and report its recall.
#
# ### A real second stage
#
# Let the bi-encoder rerank the first 20 documents of bm25: sort them by the inner product of two
# vectors. Beside it let two learners do the same with three features, the scores of the three
# engines, each scaled to [0, 1] within its topic. They learn on four fifths of the topics, rank the
# last fifth, and take turns (five-fold cross-validation).

# %%
rows = [
    (topic, d, [run.get(topic, {}).get(d, 0.0) for run in collection.runs.values()])
    for topic in qrels
    for d in list(collection.runs["bm25"].get(topic, {}))[:20]
]
stage = RankingData(
    [scores for _, _, scores in rows],
    [qrels[topic].get(d, 0) for topic, d, _ in rows],
    [topic for topic, _, _ in rows],
    [d for _, d, _ in rows],
    feature_names=tuple(collection.runs),
).normalised()


def in_turns(learner):
    """The run of all topics, each fifth ranked by what was learnt from the others."""
    run = {}
    for part in range(5):
        inside = [t for n, t in enumerate(stage.queries) if n % 5 == part]
        outside = [t for n, t in enumerate(stage.queries) if n % 5 != part]
        run.update(learner(stage.take(outside)).run(stage.take(inside)))
    return run


neural = load_neural()
PLACE = {d: n for n, d in enumerate(collection.documents)}


def by_vectors(run, n):
    """The first n documents of each topic, with the bi-encoder's inner product as their score."""
    reranked = {}
    for topic, query in zip(collection.queries, neural.queries, strict=True):
        first = list(run.get(topic, {}))[:n]
        reranked[topic] = {d: float(neural.documents[PLACE[d]] @ query) for d in first}
    return reranked


reranked = {
    "bm25, first 20": stage.run(stage.features[:, 1]),
    "MiniLM": by_vectors(collection.runs["bm25"], 20),
    "ListNet": in_turns(listnet),
    "LambdaMART": in_turns(lambda data: lambdamart(data, "nDCG@10", rounds=30)),
}
predict(
    "bm25 has 0.655, and the ceiling is 0.906. Which nDCG@10 will the bi-encoder reach?",
    evaluate(reranked["MiniLM"], qrels, "nDCG@10").mean["nDCG@10"],
    between=(0.7, 0.85),
)

# %%
reveal(compare(reranked, qrels, "nDCG@10", test="t").table(digits=3))

# %%
judged = {
    name: evaluate(run, qrels, "Judged@10").mean["Judged@10"] for name, run in reranked.items()
}
reveal(
    table(
        {"run": list(judged), "Judged@10": list(judged.values())},
        digits=3,
        caption="The bi-encoder gains 0.12, and every fifth document among its first ten has no "
        "grade and counts as 0. So it may be better still, by up to what these hold. The learners "
        "gain nothing that a test finds: three scores may not tell a perfect answer from a good "
        "one, and eighty topics are few for trees.",
    ),
    summary="Is that all it can do?",
)

# %% [markdown]
# ### Two first stages together: reciprocal rank fusion
#
# Engines that match words and engines that compare vectors miss different documents. A **hybrid**
# search asks both. Their scores have different scales, so fuse the *ranks* (Cormack, Clarke &
# Buettcher 2009):
#
# $$\mathrm{RRF}(d) = \sum_{e} \frac{1}{60 + r_e(d)}$$
#
# In words: $r_e(d)$ is the rank of document $d$ in the run of engine $e$. Add 1 over 60 plus the
# rank. An engine that has not found the document adds nothing. The 60 is a convention: it lets rank
# 1 count little more than rank 2.

# %%
predict(
    "Document d is at rank 1 of one engine and at rank 41 of another. What is its RRF?",
    1 / 61 + 1 / 101,
    mistaken={
        1 / 61: "That is the first engine alone. Add the second one.",
        1 + 1 / 41: "You left out the 60.",
        1 / (60 + 42): "You added the ranks. Add the fractions.",
    },
)


# %%
def fused(*engines):
    """The run of some engines, fused by reciprocal ranks."""
    run = {}
    for topic in qrels:
        scores = {}
        for engine in engines:
            for rank, d in enumerate(ENGINES[engine].get(topic, {}), 1):
                scores[d] = scores.get(d, 0) + 1 / (60 + rank)
        run[topic] = scores
    return run


ENGINES = {**collection.runs, **neural.runs}
HYBRID = {
    **ENGINES,
    "bm25 + lsa": fused("bm25", "lsa"),
    "bm25 + minilm": fused("bm25", "minilm"),
    "bm25 + splade": fused("bm25", "splade"),
    "fts5 + minilm": fused("fts5", "minilm"),
}
predict(
    "bm25 matches words, and minilm compares vectors. Their recall at 20 is 0.873 and 0.925. Which "
    "recall at 20 has the fused run?",
    evaluate(HYBRID["bm25 + minilm"], qrels, "R@20").mean["R@20"],
    between=(0.926, 0.97),
)

# %%
of_hybrid = {
    name: evaluate(run, qrels, ["nDCG@10", "R@20", "Judged@10"]).mean
    for name, run in HYBRID.items()
}
against_bm25 = compare(HYBRID, qrels, "nDCG@10", baseline="bm25", test="t")
reveal(
    table(
        {
            "run": list(of_hybrid),
            "R@20": [of["R@20"] for of in of_hybrid.values()],
            "nDCG@10": [of["nDCG@10"] for of in of_hybrid.values()],
            "p against bm25, Holm": [
                ""
                if name == "bm25"
                else f"{against_bm25.tested(name, 'nDCG@10').adjusted['t']:.3f}"
                for name in HYBRID
            ],
            "Judged@10": [of["Judged@10"] for of in of_hybrid.values()],
        },
        digits=3,
        caption="Fusion with minilm finds more than either engine alone. Fusion with lsa does "
        "harm: RRF trusts all engines alike, and lsa is much weaker. Look at the last column "
        "before you compare: nobody judged what minilm and splade alone brought, and it counts "
        "as 0.",
    )
)

# %% [markdown]
# ### An index that is not exact
#
# A million vectors are too many to compare with each query. An **approximate index** (ANN, for
# approximate nearest neighbours) compares only some of them, and so it may miss a near one. One
# kind cuts the vectors into lists around centres. A query looks into the few lists whose centres
# are nearest. How many lists it **probes** is a dial between speed and recall.
#
# Here *recall* has another meaning: of the ten documents that an **exact** search finds, how many
# does the index find? Whether they are relevant plays no part. Take the bi-encoder's vectors of all
# documents, and ask the 100 titles:


# %%
def in_lists(vectors, lists, seed=0, rounds=10):
    """The centres of k-means, and the number of the list of each vector."""
    centres = vectors[np.random.default_rng(seed).choice(len(vectors), lists, replace=False)]
    for _ in range(rounds):
        of = (vectors @ centres.T).argmax(axis=1)
        for n in range(lists):
            inside = vectors[of == n]
            if len(inside):
                total = inside.sum(axis=0)
                centres[n] = total / max(np.linalg.norm(total), 1e-12)
    return centres, (vectors @ centres.T).argmax(axis=1)


LISTS = 40  # about the root of 1,458
CENTRES, LIST_OF = in_lists(neural.documents, LISTS)


def nearest(query, candidates):
    """The ten candidates whose vectors are nearest to that of a query."""
    similarity = neural.documents[candidates] @ query
    return set(candidates[np.argsort(-similarity, kind="stable")[:10]].tolist())


EXACT_TEN = [nearest(query, np.arange(len(PLACE))) for query in neural.queries]


def probing(probes, centres=CENTRES, list_of=LIST_OF):
    """The mean recall@10 against exact search, and the share of the vectors that are compared."""
    found, read = [], []
    for query, exact in zip(neural.queries, EXACT_TEN, strict=True):
        near = np.argsort(-(centres @ query), kind="stable")[:probes]
        inside = np.flatnonzero(np.isin(list_of, near))
        found.append(len(nearest(query, inside) & exact) / 10)
        read.append(len(inside) / len(list_of))
    return float(np.mean(found)), float(np.mean(read))


predict(
    f"The index has {LISTS} lists. It probes all of them. What is its recall against exact search?",
    probing(LISTS)[0],
    mistaken={0.0: "All lists together hold all documents."},
)

# %%
PROBES = [1, 2, 4, 8, 16, 32, LISTS]
reveal(
    table(
        {
            "lists probed": PROBES,
            "vectors compared": [probing(n)[1] for n in PROBES],
            "recall@10 against exact search": [probing(n)[0] for n in PROBES],
        },
        digits=3,
        caption="100 titles among 1,458 documents. The lists hang on chance: other first centres "
        "give other lists, and a recall that differs by a few hundredths. Report it with the speed "
        "of an index, and beside nDCG. If an index misses documents, nDCG falls, and the model is "
        "not to blame.",
    )
)

# %% [markdown]
# ## Sparse judgments: one positive for each query
#
# Neural rankers are trained and compared on **MS MARCO**. Its assessors read some passages that a
# search engine had found, and marked one that answers the question. In the set for development 94 %
# of nearly 7,000 queries have only one known relevant passage (Arabzadeh et al. 2021). Others may
# be as good. Nobody has looked at them, and they count as not relevant: they are **false
# negatives**. For more than a third of the queries the assessors found no answer, and these queries
# are not in the set (Gupta & MacAvaney 2022).
#
# See what this does. The collection has three engines. FTS5 and BM25 match words. LSA makes a dense
# vector of each document. Now an assessor reads the first ten documents of *one* engine, and marks
# the best one if its grade is above 1. Topics without one are left out.


# %%
def one_positive(engine):
    """The best of an engine's first ten documents, for each topic that has a useful one there."""
    found = {}
    for topic, judged in qrels.items():
        useful = [
            d for d in list(collection.runs[engine].get(topic, {}))[:10] if judged.get(d, 0) > 1
        ]
        if useful:
            found[topic] = {max(useful, key=judged.get): 1}
    return found


def rr_at_10(judged):
    """Mean RR@10 of each engine on the topics of these judgments."""
    runs = {name: {t: run[t] for t in judged} for name, run in collection.runs.items()}
    return {name: evaluate(run, judged, ["RR@10"]).mean["RR@10"] for name, run in runs.items()}


predict(
    "With all judgments LSA has the lowest RR@10. Which engine has the highest if the "
    "assessor read LSA's documents?"
)


# %%
def seen(engine):
    """RR@10 of the three engines where the positives come from one engine's documents."""
    drawn, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    of_one, of_all = rr_at_10(POSITIVES[engine]), rr_at_10({t: qrels[t] for t in POSITIVES[engine]})
    for n, name in enumerate(collection.runs):
        axes.bar(
            n - 0.2, of_all[name], width=0.36, color="0.8", label="all judgments" if not n else None
        )
        axes.bar(
            n + 0.2, of_one[name], width=0.36, color=plotting.PALETTE[n], hatch=plotting.HATCHES[n],
            edgecolor="white",
        )  # fmt: skip
    axes.set_xticks(range(3), list(collection.runs))
    axes.set(ylabel="RR@10", ylim=(0, 1), title=f"In colour: one positive, found by {engine}")
    axes.legend(frameon=False)
    return drawn


def seen_in_words(engine):
    """What the bars show."""
    said = ", ".join(f"{name} {rr:.2f}" for name, rr in rr_at_10(POSITIVES[engine]).items())
    return f"Bars of RR@10 with one positive found by {engine}: {said}. {engine} has the highest."


POSITIVES = {engine: one_positive(engine) for engine in collection.runs}
slider(seen, name="engine", values=list(collection.runs), start="fts5", alt=seen_in_words)

# %% [markdown]
# Move the slider to *lsa*. Whichever engine the assessor saw is the best. With all judgments (grey)
# LSA is last each time. So such labels favour the engines that are like the one that made them.
#
# How many of the documents above the one positive are relevant? Take the positives that FTS5 found,
# and look at what LSA ranks above them:

# %%
above = []  # the grade of each document above the positive, and that of the positive
for topic, only in POSITIVES["fts5"].items():
    first = list(collection.runs["lsa"][topic])[:10]
    end = next((n for n, d in enumerate(first) if d in only), 10)
    (marked,) = only
    above += [(qrels[topic].get(d, 0), qrels[topic][marked]) for d in first[:end]]
wrongly = float(np.mean([grade > 0 for grade, _ in above]))
predict(
    f"{len(above)} documents of LSA stand above these positives, and RR counts all of them as not "
    "relevant. Make a guess: which share of them is relevant (has a grade above 0)?",
    wrongly,
    between=(0.2, 0.4),
)

# %%
reveal(
    f"{wrongly:.0%} are false negatives, and {np.mean([grade > 1 for grade, _ in above]):.0%} have "
    "a grade above 1. Would the assessor have marked them? They mark the best document that they "
    f"see. Of the {len(above)} documents {sum(grade > marked for grade, marked in above)} are "
    f"better than the marked one, and {np.mean([grade == marked for grade, marked in above]):.0%} "
    "have the same grade. So RR is too low by these labels, and yet the label mostly is the best "
    "document."
)

# %% [markdown]
# Arabzadeh et al. (2021) asked people to compare the first result of a good ranker with MS MARCO's
# positive. They preferred the ranker's result more often. A score against such labels can then no
# longer say who is better. What helps is to judge again, at least the first results of every
# system that you compare.
#
# ## Pool bias against dense retrievers
#
# Many older collections have deep judgments, but their pools came from engines that match words.
# A dense retriever brings documents that nobody has judged (notebook 8). Take the same collection,
# and keep only the judgments of what FTS5 or BM25 have among their first ten:


# %%
def fed(topic, *engines):
    """The judgments of a topic that pools of ten documents of these engines would have."""
    pool = {d for engine in engines for d in list(collection.runs[engine].get(topic, {}))[:10]}
    return {d: grade for d, grade in qrels[topic].items() if d in pool}


of_words = {topic: fed(topic, "fts5", "bm25") for topic in qrels}
predict(
    "With all judgments nDCG@10 is 0.684 for FTS5 and 0.496 for LSA. What happens to the gap if "
    "LSA did not contribute to the pool?"
)

# %%
by_pool = {
    name: [evaluate(run, judged, ["nDCG@10", "Judged@10"]).mean for judged in (qrels, of_words)]
    for name, run in collection.runs.items()
}
reveal(
    table(
        {
            "engine": list(by_pool),
            "nDCG@10, all judgments": [full["nDCG@10"] for full, _ in by_pool.values()],
            "nDCG@10, pool of words": [words["nDCG@10"] for _, words in by_pool.values()],
            "Judged@10, pool of words": [words["Judged@10"] for _, words in by_pool.values()],
        },
        digits=3,
        caption="The gap grows from 0.19 to 0.28. LSA loses what nobody judged. The others gain, "
        "because the ideal ranking has fewer documents.",
    )
)

# %% [markdown]
# The two neural models are in just this place: the judgments are from the pool of the three other
# engines. What if you leave out the documents without a grade? These are the **condensed lists** of
# notebook 8. They err to the other side: a document that nobody knows costs nothing.

# %%
unseen = {}
for name, run in ENGINES.items():
    kept = {t: {d: s for d, s in of.items() if d in qrels[t]} for t, of in run.items()}
    unseen[name] = [
        evaluate(run, qrels, ["nDCG@10", "Judged@10"]).mean,
        evaluate(kept, qrels, "nDCG@10").mean,
    ]
predict(
    "Of minilm's first ten documents 58 % are judged. Its nDCG@10 is 0.744 with the others as 0. "
    "Is it higher or lower than 0.744 on condensed lists?"
)

# %%
reveal(
    table(
        {
            "engine": list(unseen),
            "Judged@10": [whole["Judged@10"] for whole, _ in unseen.values()],
            "nDCG@10, unjudged as 0": [whole["nDCG@10"] for whole, _ in unseen.values()],
            "nDCG@10, condensed": [kept["nDCG@10"] for _, kept in unseen.values()],
        },
        digits=3,
        caption="Higher, as lists move up. minilm is first in both columns, although it is the one "
        "with the fewest grades. splade is below fts5 in one column and "
        "above it in the other, so these judgments don't decide between the two.",
    )
)

# %%
quiz(
    "A benchmark takes the mean of nDCG@10 over 18 collections. A dense retriever is below BM25 on "
    "an old collection and above it on a new one. What do you look at first?",
    {
        "At Judged@10 of both engines on each": (
            True,
            "Unjudged documents count as 0, so many of them can explain a low score.",
        ),
        "At the size of the model": (
            False,
            "It may matter. But first find out whether both numbers measure the same.",
        ),
        "At the mean, because it evens such differences out": (
            False,
            "A bias of the pools has the same direction on many collections. A mean keeps it.",
        ),
    },
)

# %% [markdown]
# **BEIR** (Thakur et al. 2021) is such a benchmark: 18 data sets, on which the models were not
# trained. BM25 was hard to beat there. Cross-encoders and late interaction had the best means, and
# cost the most. Before you read such a mean, ask of each data set which systems contributed to the
# pool, how many positives a query has, and whether the model has seen the data (notebook 24).
#
# **MTEB** (Muennighoff et al. 2023) and its successor for many languages, **MMTEB** (Enevoldsen et
# al. 2025), rank embedding models by many tasks. Their retrieval tasks in English are mostly those
# of BEIR. This brings a new problem, **contamination**: several of these sets have a training part,
# and models of today are trained on it. Then "on data sets that the model has not seen" is no
# longer true, and the leaderboard shows for each model which share of the tasks is still zero-shot.
# A model can also have met the *test* questions on the web. Both make the mean rise without a
# better model.
#
# **BRIGHT** (Su et al. 2025) is a test of another kind. A query is a problem, such as a coding
# task, and the relevant document explains the principle that solves it. The two may share neither
# words nor topic. A model that led MTEB with a mean nDCG@10 of 0.590 had 0.183 on BRIGHT.
# So a high mean on one benchmark says little about queries of another kind.
#
# Before you trust a leaderboard, ask: Was the model trained on a part of this set? Is the gain also
# there on queries that are newer than the model? Is it there on *your* queries?
#
# ## Leakage
#
# A **leak** is information in the training that you won't have when a real user searches. The score
# of the test is then too good. Three leaks are common:
#
# - *Split by row.* Documents of one query are in the training and in the test. Split by query.
# - *A feature from the future.* The number of clicks of last month includes clicks on this query.
# - *A judge who saw the feature.* A model that scored the documents also wrote the grades.

# %%
random = np.random.default_rng(0)
honest = made_queries(60, 15, 4, noise=0.7, seed=0)
leaky = RankingData(
    np.column_stack([honest.features, honest.grade + random.normal(0, 0.5, len(honest.grade))]),
    honest.grade,
    honest.query,
    honest.document,
    feature_names=(*honest.feature_names, "clicks"),
)


def tested(data):
    """nDCG@5 on the half of the queries that was not learnt from."""
    half, other = data.split(0.5, seed=0)
    run = lambdamart(half, "nDCG@5", rounds=20).run(other)
    return evaluate(run, other.qrels, "nDCG@5").mean["nDCG@5"]


predict(
    "The feature clicks was counted after users had searched for these queries: it is the grade "
    "plus noise. The test queries are new to the learner. Does the test show the leak?"
)

# %%
reveal(
    table(
        {"features": ["honest", "with clicks"], "nDCG@5": [tested(honest), tested(leaky)]},
        digits=2,
        caption="No. The test queries have the same leak. Compute each feature as it was before "
        "the query came. Be suspicious if one feature does nearly everything.",
    )
)

# %%
quiz(
    "A team reranks the top 100 of its old engine with a cross-encoder, which was trained on the "
    "clicks of that engine. Judges graded only the top 10 of the old engine. nDCG@10 falls "
    "slightly. What do you say?",
    {
        "The cross-encoder is worse": (
            False,
            "It may be. But the documents that it brings up from below rank 10 are not judged.",
        ),
        "The first stage is too weak": (
            False,
            "That would limit both in the same way: the ceiling is the same for both.",
        ),
        "The judgments can't tell": (
            True,
            (
                "Judge the top 10 of the new ranker too, and look at Judged@10. And the clicks "
                "taught it to agree with the old engine."
            ),
        ),
    },
)

# %% [markdown]
# ## When an agent searches
#
# So far a person types one query. A language model can search by itself: it asks, reads, asks
# again, and then writes an answer or a long report. This is **agentic search**, or *deep research*.
# A list is then only one step of a **trajectory**. What do you measure?
#
# - **The answer.** BrowseComp (Wei et al. 2025) has questions with short answers that are hard to
#   find and easy to check. That gives one number: the share of right answers.
# - **The evidence.** On the open web nobody knows what could be found, and it changes every day.
#   BrowseComp-Plus (Chen et al. 2025) fixes a corpus and lists the documents that hold the
#   evidence. So recall can be computed, and retrievers can be compared with the same agent.
# - **The price.** Calls of the search engine, tokens read, seconds. A better retriever can show as
#   fewer calls in place of more right answers. So fix a budget, or draw recall over calls.
# - **The citations.** A report has hundreds. Check a random sample of them for support (notebook
#   23).
#
# Here is one trajectory. Four documents, e1 to e4, hold the evidence. Each call returns three:

# %%
EVIDENCE = {"e1", "e2", "e3", "e4"}
CALLS = [["e1", "x1", "x2"], ["e1", "x1", "e2"], ["x1", "e2", "x3"], ["e3", "x4", "e1"]]
seen_by_call = [set().union(*CALLS[: n + 1]) for n in range(len(CALLS))]
predict(
    "What is the recall of evidence after all four calls?",
    len(EVIDENCE & seen_by_call[-1]) / len(EVIDENCE),
    mistaken={
        float(
            np.mean([len(EVIDENCE & {*call}) / 4 for call in CALLS])
        ): "That is the mean over the calls. The agent remembers: take all calls together.",
        6 / 4: "A document that comes twice is found once.",
        6 / 12: "That is the share of evidence among the results, repeats included.",
    },
)

# %%
reveal(
    table(
        {
            "calls": range(1, 5),
            "documents returned": [3 * n for n in range(1, 5)],
            "different ones": [len(of) for of in seen_by_call],
            "recall of evidence": [len(EVIDENCE & of) / len(EVIDENCE) for of in seen_by_call],
        },
        digits=2,
        caption="The third call brings no new evidence. nDCG of each list can't see this: it "
        "treats every call as the first. e4 was never found, so no reader of these lists can cite "
        "it.",
    )
)

# %% [markdown]
# An agent draws other queries each time. So run each question several times, and report the spread
# over runs beside the spread over questions. And tell the two causes apart as in notebook 20: was
# the evidence never found, or was it found and not used?
#
# ## Recap
#
# - A bi-encoder compares two vectors, late interaction compares tokens, a cross-encoder reads both
#   texts together, and a listwise reranker reads many documents at once.
# - A reranker can't be better than its first stage allows. Compare rerankers over one first stage.
# - Fuse ranks in place of scores. Fusion with a much weaker engine can do harm.
# - The recall of an approximate index is against exact search, and not against relevance.
# - One positive for each query favours the engines that are like the one that found it.
# - A pool without dense retrievers is biased against them: report Judged@10.
# - A leak makes the score of a test too good, and new test queries alone don't show it. A model
#   that was trained on a benchmark is such a leak.
# - Of an agent report answer, recall of evidence, calls and support, over several runs.
#
# **Read on.**

# %%
reading(
    "Formal 2021", "Khattab 2020", "Nogueira 2019", "Ma 2023", "Lin 2021", "Cormack 2009",
    "Arabzadeh 2021", "Gupta 2022", "Thakur 2021", "Muennighoff 2023", "Enevoldsen 2025", "Su 2025",
    "Wei 2025", "Chen 2025",
)  # fmt: skip
