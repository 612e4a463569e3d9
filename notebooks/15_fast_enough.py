# %% [markdown]
# # 15. Fast enough? Efficiency of a search engine
#
# **Goals.** After this notebook you can
#
# - name six measures of efficiency, and compute each from the notes of a clock and a disk;
# - explain what a median and a 99th percentile tell you that a mean hides;
# - measure a search engine of your own, and say what to write beside a time.
#
# **Time.** 35 minutes. **Needs.** Notebook 4 (nDCG). You need no engine but Python: it brings
# SQLite.

# %%
import math
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import evaluate, mean, ndcg
from irmetrics_edu.course import (
    figure,
    load_collection,
    predict,
    quiz,
    quote,
    reading,
    reveal,
    slider,
    table,
    terms,
)
from irmetrics_edu.course.collection.collection_engines import Bm25, Lsa, SteadyFts5
from irmetrics_edu.lab import (
    Document,
    Indexing,
    Querying,
    answer,
    elapsed_time,
    final_size,
    index,
    indexing_rate,
    latency,
    processor_time,
    temporary_size,
    throughput,
)
from irmetrics_edu.views import plotting

# %% [markdown]
# This chapter quotes *document 004*, the slides of two lectures on evaluation and learning to rank.
# They are in Chinese. The text below calls them *the lecture*.
#
# The lecture asks two questions about a search engine. Are its results good? That is
# *effectiveness*, the topic of notebooks 1 to 14. Is it fast and small? That is *efficiency*, the
# topic of this notebook. The lecture writes about efficiency:

# %%
quote(
    "004",
    "响应速度如何,时间和空间开销有多高",
    "How fast does it answer, and how much time and space does it take?",
)

# %% [markdown]
# The lecture also names four other qualities of results. Results can be diverse (notebooks 9 to
# 11). They can have authority, and they can be fresh. The fourth quality is their rate of update:
# how often they are brought up to date.
#
# A table of the lecture has six measures. These are the words of this chapter:

# %%
terms(
    "elapsed time",
    "processor time",
    "throughput",
    "latency",
    "temporary index size",
    "final index size",
)

# %% [markdown]
# ## Indexing: elapsed time and processor time
#
# You index 1,500 documents in three batches. Then you merge the index into one piece. After each
# step you write down three things: the time by the clock on the wall, the time that the processor
# worked, and the size of the index on the disk.
#
# Here are such notes. They are invented, so that everybody gets the same numbers. Below you measure
# your own machine.

# %%
notes = Indexing(
    documents=(500, 500, 500, 0),
    elapsed=(0.40, 0.45, 0.50, 0.65),
    processor=(0.30, 0.30, 0.35, 0.55),
    size=(2_000_000, 4_000_000, 6_000_000, 4_500_000),
)

# %% [markdown]
# The **elapsed time** is the sum of the seconds by the clock on the wall. The **processor time** is
# the sum of the seconds that processors worked:

# %%
by_hand = np.sum(notes.elapsed), np.sum(notes.processor)
assert np.isclose(by_hand[0], elapsed_time(notes).score[0])
assert np.isclose(by_hand[1], processor_time(notes).score[0])
[round(float(seconds), 2) for seconds in by_hand]

# %% [markdown]
# The package shows the steps:

# %%
table(elapsed_time(notes), digits=2)

# %%
table(processor_time(notes), digits=2)

# %% [markdown]
# The lecture says what the processor time leaves out:

# %%
quote(
    "004",
    "不考虑文件读写时间与并行加速影响",
    "Leaving out the time for reading and writing files, and the speed-up by parallel work.",
)

# %% [markdown]
# Suppose that two processors work for one second each, at the same time. The elapsed time is one
# second. The processor time is two seconds.
#
# The **indexing rate** divides the number of documents by the elapsed time.

# %%
predict(
    "How many documents per second did you index, by the notes above?",
    sum(notes.documents) / sum(notes.elapsed),
    mistaken={
        1000: "You divided by the processor time. Divide by the elapsed time.",
        1500 / 1.35: "You left out the last step. It adds no document, but you had to wait for it.",
        2 / 1500: "That is seconds per document. Turn the fraction round.",
    },
)

# %%
by_hand = np.sum(notes.documents) / np.sum(notes.elapsed)
assert np.isclose(by_hand, indexing_rate(notes).score[0])
reveal(table(indexing_rate(notes), digits=2))

# %%
reveal(
    "If you answered 1,000, you divided by the processor time. If you answered 1,111, you left out "
    "the last step. The last step adds no document, but you have to wait for it.",
    summary="If you have another number",
)

# %%
quiz(
    "Another engine reports 60 s elapsed and 200 s of processor time. How can that be?",
    {
        "At least four processors worked at once": (
            True,
            (
                "200 / 60 is more than three, so three processors are not enough. The wait got "
                "shorter, but the work did not."
            ),
        ),
        "The numbers were swapped: no processor works longer than the clock on the wall runs": (
            False,
            "One processor doesn't. But processor time is a sum over all processors.",
        ),
        "The disk was slow": (
            False,
            (
                "A slow disk makes the elapsed time longer, and doesn't change the processor time. "
                "Here the processor time is the longer one."
            ),
        ),
    },
)

# %% [markdown]
# ## Indexing: final size and largest size
#
# In the notes the finished index takes 4.5 MB. This is the **final index size**. But a disk of 5 MB
# is too small for this index: it would be full before the last step. The **temporary index size**
# is the space that indexing takes beyond the final size. To get it, subtract the final size from
# the largest size.

# %%
predict(
    "How many megabytes (millions of bytes) of temporary space did this indexing take?",
    (max(notes.size) - notes.size[-1]) / 1_000_000,
    mistaken={
        6.0: "That is the largest size. Subtract the final size.",
        4.5: "That is the final size.",
        1.0: "The disk of 5 MB was only an example. Subtract the final size of the index.",
    },
)

# %%
assert np.isclose(notes.size[-1], final_size(notes).score[0])
assert np.isclose(max(notes.size) - notes.size[-1], temporary_size(notes).score[0])
reveal(table(temporary_size(notes), digits=0))

# %% [markdown]
# ## Answering: throughput and latency
#
# You ask an engine twenty queries, one after another. Eighteen answers take 10 ms each. One takes
# 50 ms, and one takes a whole second.
#
# **Throughput** is the number of queries that the engine answers per second. It matters to the
# person who runs the engine. **Latency** is the time from a query to its answer. It matters to the
# user, who waits.

# %%
waits = Querying(
    queries=tuple(f"q{i}" for i in range(1, 21)), latency=(0.010,) * 18 + (0.050, 1.000)
)
predict(
    "The mean wait is 61.5 ms. How many of the twenty users waited longer than that?",
    1,
    mistaken={
        2: "One of the two waited 50 ms, and that is less than the mean.",
        10: "Half of the users wait longer than the median. The mean is not the median.",
    },
)

# %%
reveal(
    "One. So the mean describes no user here. Eighteen users waited a sixth of the mean, and one "
    "waited sixteen times as long."
)

# %% [markdown]
# A **percentile** tells you more than the mean. Sort the waits from short to long. The 95th
# percentile is a time within which 95 % of the queries were answered.
#
# With twenty queries, 95 % are nineteen queries. So the package takes the 19th wait in rising
# order. For $n$ queries, the percentile $p$ is the wait at the rank
#
# $$\left\lceil \frac{p}{100}\cdot n \right\rceil$$
#
# In words: take $p$ percent of the number of queries, and round up. This definition is called the
# **nearest rank**. It always gives a wait that was measured.

# %%
rising = np.sort(waits.latency)
by_hand = rising[math.ceil(0.95 * len(rising)) - 1]
assert np.isclose(by_hand, latency(waits, 95).score[0])
float(by_hand)

# %% [markdown]
# But there are several definitions of a percentile. Hyndman and Fan (1996) list nine of them. Many
# of them **interpolate**: they take a number between two measured waits. `np.percentile` does so
# unless you tell it otherwise. Its default puts the shortest wait at 0 % and the longest wait at
# 100 %, and spaces the others evenly. So the 95th percentile is at the position $1 + 0.95 \cdot 19
# = 19.05$. That is 0.05 of the way from the 19th wait to the 20th.

# %%
predict(
    "The 19th wait is 50 ms, and the 20th is 1000 ms. What is the 95th percentile by numpy's "
    "default, in ms?",
    50 + 0.05 * (1000 - 50),
    mistaken={
        50: "That is the nearest rank. Go 0.05 of the way on to the 20th wait.",
        47.5: "That is the way from 50. Add it to 50.",
        525: "That is the middle. Go only 0.05 of the way.",
    },
)

# %%
percentiles = (50, 90, 95, 99)
nearest = [float(latency(waits, p).score[0]) for p in percentiles]
assert np.isclose(nearest, np.percentile(waits.latency, percentiles, method="inverted_cdf")).all()
reveal(
    table(
        {
            "percentile": percentiles,
            "nearest rank, s": nearest,
            "its rank": [int(latency(waits, p).quantities["rank"][0]) for p in percentiles],
            "numpy's default, s": np.percentile(waits.latency, percentiles).tolist(),
        },
        caption="No user waited 97.5 ms, and no user waited 0.8195 s.",
    )
)

# %% [markdown]
# With many queries the definitions nearly agree. With few queries they differ. So say which
# definition you used. In numpy `method="inverted_cdf"` gives the nearest rank. Ask enough queries,
# too: with only twenty, the nearest rank of the 99th percentile is simply the last one.
#
# Now compute the throughput: divide the number of queries by the sum of the waits.

# %%
predict(
    "What is the throughput: queries per second, one after another?",
    20 / 1.23,
    mistaken={
        1.23 / 20: "That is the mean wait, in seconds. Turn the fraction round.",
        100: "You divided by the median wait. Divide 20 by the sum of all waits.",
    },
)

# %%
by_hand = len(waits.latency) / np.sum(waits.latency)
assert np.isclose(by_hand, throughput(waits).score[0])
reveal(f"20 queries in 1.23 s: {by_hand:.2f} queries per second.")

# %%
quiz(
    "Nineteen queries take 10 ms each, and one takes a second. They run one after another. The "
    "median latency is 10 ms. Why is the throughput not 100 queries per second?",
    {
        "It is: throughput is one over the latency": (
            False,
            (
                "Throughput is one over the mean latency if the queries come one after another. "
                "The median ignores the second that one query took."
            ),
        ),
        "Throughput counts only the queries that found something": (
            False,
            "It counts all answers, good or bad. Whether an answer is good is effectiveness.",
        ),
        "One slow query took as long as a hundred quick ones": (
            True,
            "The median hides the slow query, but the slow query lowers the throughput.",
        ),
    },
)

# %% [markdown]
# ## Tail latency: why the slowest queries matter
#
# The **tail** of the latencies is the few slowest queries. They matter more than you may think.
#
# A big engine asks many servers for one page of results. The page waits for the slowest server
# (Dean & Barroso 2013).
# Call a server slow if it takes longer than its 99th percentile. Then each server is slow for one
# query in a hundred. We assume that the servers are slow independently of each other.
#
# Suppose that a page waits for two servers. Each server is in time with probability 0.99. Both are
# in time with probability $0.99^2 = 0.9801$. So the page is slow with probability 0.0199. For $n$
# servers:
#
# $$P(\text{the page is slow}) = 1 - 0.99^{n}$$
#
# In words: $0.99^n$ is the probability that all $n$ servers are in time. In all other cases the
# page is slow.

# %%
predict(
    "A page waits for 100 servers. How many pages in a hundred are slow?",
    100 * (1 - 0.99**100),
    mistaken={
        100: "You added the shares up. Some pages wait for two slow servers, and others for none.",
        1: "That is so for a page that waits for a single server.",
        100 * 0.99**100: "That is the number of pages that are in time.",
    },
)

# %%
reveal(
    f"{100 * (1 - 0.99**100):.0f} in a hundred. Each server is slow for one query in a hundred, "
    "but nearly two pages in three are slow."
)


# %%
def slow_pages(servers):
    """The share of slow pages by the number of servers, one number marked."""
    n = np.geomspace(1, 1000, 200)
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    axes.plot(n, 1 - 0.99**n, color=plotting.PALETTE[0])
    axes.plot(servers, 1 - 0.99**servers, marker="o", markersize=9, color=plotting.PALETTE[1])
    axes.set(xscale="log", xlabel="servers asked for one page", ylabel="share of slow pages")
    many = f"{servers} server{'s' if servers > 1 else ''}"
    axes.set(ylim=(0, 1.05), title=f"{many}: {100 * (1 - 0.99**servers):.5g} % of pages are slow")
    return drawn


slider(
    slow_pages,
    name="servers",
    values=[1, 10, 30, 100, 300, 1000],
    start=10,
    alt=lambda servers: (
        "The share of slow pages rises from 1% with one server to nearly all with a thousand; "
        f"with {servers} it is {100 * (1 - 0.99**servers):.5g} %."
    ),
)

# %%
quiz(
    "Engine A has a median latency of 5 ms, and 2 s at the 99th percentile. Engine B has 20 ms and "
    "60 ms. You run the engine on 100 servers, and each page waits for all of them. Which engine "
    "do you take?",
    {
        "A: its median is four times better": (
            False,
            (
                "The median of a server is not the median of a page. Nearly two pages in three "
                "would wait for two seconds or more."
            ),
        ),
        "B: its tail is shorter": (
            True,
            "With B about 37 pages in a hundred stay within 60 ms. With A as many stay within 2 s.",
        ),
        "You can't say without the mean": (
            False,
            "The mean of a server doesn't tell you how long the slowest of a hundred takes.",
        ),
    },
)

# %% [markdown]
# ## On a real collection: your own numbers
#
# Now measure three real engines on the collection of notebook 1: 1,458 docstrings of Python's
# standard library, and the titles of 100 topics. SQLite has a full-text index (FTS5) on the disk
# that ranks by BM25. The second engine is BM25 in memory, which reads all documents for each query.
# The third, LSA, compares a query with each document as vectors of 100 numbers.

# %%
stdlib = load_collection("stdlib")
docstrings = [Document(*each) for each in stdlib.documents.items()]
indexed, runs, answered = {}, {}, {}
with tempfile.TemporaryDirectory() as folder, SteadyFts5(Path(folder) / "index") as fts5:
    for name, engine in {"fts5": fts5, "bm25": Bm25(), "lsa": Lsa()}.items():
        indexed[name] = index(engine, docstrings)
        runs[name], answered[name] = answer(engine, stdlib.queries, 50)

# %% [markdown]
# Times differ from machine to machine and from run to run. So this notebook draws them and doesn't
# print them. You see what the last run of this notebook measured. Run it again to see your own
# times.

# %%
predict("Is the index of FTS5 largest at its end? Think of the step that merges it into one piece.")

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
megabytes = np.array(indexed["fts5"].size) / 1e6
steps = range(1, len(megabytes) + 1)
axes.plot(steps, megabytes, marker="o", color=plotting.PALETTE[0], label="after the step")
axes.axhline(megabytes[-1], linestyle="--", color=plotting.PALETTE[1], label="final size")
axes.axhline(megabytes.max(), linestyle=":", color=plotting.PALETTE[2], label="largest size")
axes.set(xlabel="step", ylabel="MB", ylim=(0, None), title="The size of the index of FTS5")
axes.legend(loc="lower right")
reveal(
    figure(
        drawn,
        alt="The size of the index after each step. It grows with each batch of documents, is "
        "largest while its parts are merged, and ends lower. The distance from the dotted line, "
        "the largest size, to the dashed one, the final size, is the temporary space.",
    )
)

# %%
reveal(
    "No. The merge writes the new index while the old one is still there. Only then the old one is "
    f"deleted. Temporary space was needed: {bool(temporary_size(indexed['fts5']).score[0] > 0)}.",
    summary="Why it is so",
)

# %%
predict(
    "Sort the 100 latencies of each engine. Which engine has the shortest median? Which curve "
    "bends up most at its end?"
)

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for i, (name, asked) in enumerate(answered.items()):
    ordered = latency(asked, 50)
    rate = float(throughput(asked).score[0])
    axes.plot(
        100 * ordered["share answered"],
        1000 * ordered["latency"],
        linestyle=("-", "--", ":")[i],
        color=plotting.PALETTE[i],
        label=f"{name}: {rate:,.0f} queries per second",
    )
axes.set(xlabel="% of the queries answered", ylabel="latency, ms", yscale="log")
axes.set_title("The latencies of 100 queries, in rising order")
axes.legend(frameon=False)
reveal(
    figure(
        drawn,
        alt="The latencies of 100 queries in rising order, a curve for each of three engines. The "
        "axis is logarithmic. Each curve rises slowly for most queries and faster at its end.",
    )
)

# %% [markdown]
# A fast engine with bad results is of no use. The same runs answer both questions. The package's
# judgments of the topics tell how good the results are:

# %%
DEEP = stdlib.qrels["deep"]
predict("You saw how long each engine takes. Which of the three has the lowest nDCG@10?")

# %%
effective = {name: evaluate(run, DEEP, "nDCG@10").mean["nDCG@10"] for name, run in runs.items()}
by_hand = mean([ndcg(list(runs["bm25"][topic]), DEEP[topic], k=10) for topic in DEEP])
assert np.isclose(by_hand, effective["bm25"])
reveal(table({"engine": list(effective), "nDCG@10": list(effective.values())}, digits=3))

# %% [markdown]
# When you report such numbers, write down:
#
# - the machine, its number of processors, and the versions of the programs;
# - how many documents and queries there were;
# - whether the disk's cache was warm, that is, whether the files had been read before;
# - how often you measured;
# - the median and a high percentile, and how you computed them.
#
# Nobody can compare a time without these facts.
#
# Evaluation has to be fast, too. The page *Evaluate large runs on one machine* of the documentation
# shows how to evaluate ten million rows.

# %% [markdown]
# ## Recap
#
# - Indexing has two times (elapsed, processor) and two sizes (final, temporary). You need all four.
# - Throughput matters to the person who runs the engine, and latency to the user. Report a median
#   and a high percentile. Where a page waits for many servers, the tail decides.
# - There are several definitions of a percentile. Say which one you used.
# - Report a time with its machine, its data and its repetitions.
#
# **Read on.**

# %%
reading("Croft 2009", "Dean 2013", "Hyndman 1996")
