# %% [markdown]
# # 12. Fast enough? Efficiency, and evaluating ten million rows
#
# **Goals.** After this notebook you can
#
# - name the six measures of efficiency and compute each from what a clock and a disk tell;
# - say why a median and a 99th percentile tell more than a mean, and when the tail is what counts;
# - measure a search engine of your own, and evaluate a run of ten million rows in seconds.
#
# **Time.** 40 minutes. **Needs.** Notebook 2 (P@N and R@N). Python is the only engine you need:
# it brings SQLite, and its own documentation is the collection.

# %%
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from irmetrics_edu import evaluate
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.efficiency.collection import docstrings, known_items
from irmetrics_edu.efficiency.engines import Fts5
from irmetrics_edu.efficiency.measures import (
    Indexing,
    Querying,
    answer,
    elapsed_time,
    index,
    indexing_rate,
    latency,
    processor_time,
    temporary_size,
    throughput,
)
from irmetrics_edu.views import plotting

# %% [markdown]
# The lecture (document 004) asks two things of a search engine. Is it good (*effectiveness*,
# notebooks 1 to 11)? And is it fast and small (*efficiency*)? Of the second it says:

# %%
quote("004", "响应速度如何,时间和空间开销有多高")

# %% [markdown]
# How fast it answers, and what it costs in time and in space. Its table has six measures:

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
# ## Indexing: two clocks
#
# Somebody indexed 1,500 documents in three batches, then merged the index into one piece. After
# each step they looked at the clock on the wall, at the clock of the processor, and at the disk.
# These are their notes, so everybody gets the same numbers; your own machine's turn comes below.

# %%
notes = Indexing(
    documents=(500, 500, 500, 0),
    elapsed=(0.40, 0.45, 0.50, 0.65),
    processor=(0.30, 0.30, 0.35, 0.55),
    size=(2_000_000, 4_000_000, 6_000_000, 4_500_000),
)
table(elapsed_time(notes), digits=2)

# %%
table(processor_time(notes), digits=2)

# %% [markdown]
# The lecture defines the second clock by what it leaves out:

# %%
quote("004", "不考虑文件读写时间与并行加速影响")

# %% [markdown]
# Reading and writing files is not counted, nor is the gain from working in parallel: two
# processors busy for one second are two seconds of processor time.

# %%
predict("How many documents per second of elapsed time were indexed?")

# %%
reveal(table(indexing_rate(notes), digits=2))

# %% [markdown]
# Whoever said 1,000 divided by the processor time. Whoever said 1,111 left out the last step,
# which added no document and still had to be waited for.

# %%
quiz(
    "Another engine reports 60 s elapsed and 200 s of processor time. How can that be?",
    {
        "The numbers were swapped: no processor works longer than the clock on the wall runs": (
            False,
            "One processor does not. But processor time adds up what all of them did.",
        ),
        "At least four processors worked at once": (
            True,
            (
                "200 / 60 is more than three, so three were not enough. The wait got shorter, "
                "the work did not."
            ),
        ),
        "The disk was slow": (
            False,
            (
                "Waiting for a disk lengthens the elapsed time and leaves processor time alone, "
                "so it works the other way round."
            ),
        ),
    },
)

# %% [markdown]
# ## Indexing: two sizes
#
# The finished index takes 4.5 MB, but a disk of 5 MB would have been full before the end. What
# indexing takes beyond the final size is the **temporary space**.

# %%
predict("How many bytes of temporary space did this indexing take?")

# %%
reveal(table(temporary_size(notes), digits=0))

# %% [markdown]
# ## Answering: throughput and latency
#
# Throughput is for the operator: how many queries per second. Latency is for the user: how long
# *I* wait. Twenty queries, asked one after another, took these times: eighteen took 10 ms, one
# took 50 ms, and one took a whole second.

# %%
waits = Querying(
    queries=tuple(f"q{i}" for i in range(1, 21)), latency=(0.010,) * 18 + (0.050, 1.000)
)
predict("The mean wait is 61.5 ms. How many of the twenty users waited longer than that?")

# %%
percentiles = (50, 90, 95, 99)
reveal(
    table(
        {
            "percentile": percentiles,
            "seconds": [float(latency(waits, p).score[0]) for p in percentiles],
            "rank in rising order": [
                int(latency(waits, p).quantities["rank"][0]) for p in percentiles
            ],
        },
        caption="One. The mean describes nobody: 18 waited a sixth of it, one 16 times as long.",
    )
)

# %% [markdown]
# A **percentile** is an answer somebody really got: the latency at 95% is the 19th of the twenty
# in rising order ($\lceil 0.95 \cdot 20 \rceil = 19$), not a number between two of them.

# %%
predict(
    "What is the throughput: queries per second, one after another?",
    20 / 1.23,
    mistaken={1.23 / 20: "That is the mean wait, in seconds. Turn it round."},
)

# %%
reveal(f"20 queries in 1.23 s: {float(throughput(waits).score[0]):.2f} queries per second.")

# %%
quiz(
    "The median latency is 10 ms. Why is the throughput not 100 queries per second?",
    {
        "It is: throughput is one over the latency": (
            False,
            (
                "One over the mean latency, if one query is asked after another. The median leaves "
                "out the second that one query took."
            ),
        ),
        "One slow query took as long as a hundred quick ones": (
            True,
            "The tail that a median hides is paid for in throughput.",
        ),
        "Throughput counts only the queries that found something": (
            False,
            "It counts answers, good or bad. Whether they are good is effectiveness.",
        ),
    },
)

# %% [markdown]
# ## Why the tail matters
#
# A big engine asks many servers for one page of results, and the page waits for the slowest. Each
# server is slow (beyond its 99th percentile) for one query in a hundred, whatever the others do:
#
# $$P(\text{the page is slow}) = 1 - 0.99^{n}$$

# %%
predict(
    "A page waits for 100 servers. How many pages in a hundred are slow?",
    63,
    mistaken={
        100: "You added the shares up. Some pages wait for two slow servers, and others for none.",
        1: "That is so for a page that waits for a single server.",
    },
)

# %%
reveal(f"{100 * (1 - 0.99**100):.0f} in a hundred: what is rare for a server is usual for a page.")


# %%
def slow_pages(servers):
    """The share of slow pages by the number of servers, one number marked."""
    n = np.geomspace(1, 1000, 200)
    drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    axes.plot(n, 1 - 0.99**n, color=plotting.PALETTE[0])
    axes.plot(servers, 1 - 0.99**servers, marker="o", markersize=9, color=plotting.PALETTE[1])
    axes.set(xscale="log", xlabel="servers asked for one page", ylabel="share of slow pages")
    axes.set(ylim=(0, 1.05), title=f"{servers} servers: {1 - 0.99**servers:.0%} of pages are slow")
    return drawn


slider(
    slow_pages,
    name="servers",
    values=[1, 10, 30, 100, 300, 1000],
    start=100,
    alt=lambda servers: (
        "The share of slow pages rises from 1% with one server to nearly all with a thousand; "
        f"with {servers} it is {1 - 0.99**servers:.0%}."
    ),
)

# %%
quiz(
    "Engine A has a median latency of 5 ms and 2 s at 99%. B has 20 ms and 60 ms. Each is to run "
    "on 100 servers that a page waits for. Which one do you take?",
    {
        "A: its median is four times better": (
            False,
            (
                "The median of a server is not that of a page: nearly two pages in three would "
                "wait for two seconds or more."
            ),
        ),
        "B: its tail is shorter": (
            True,
            "About 37 pages in a hundred stay within 60 ms; with A as many stay within 2 s.",
        ),
        "Neither can be said without the mean": (
            False,
            "A mean of the servers would not tell how long the slowest of a hundred takes.",
        ),
    },
)

# %% [markdown]
# ## Your own engine, your own numbers
#
# SQLite has a full-text index (FTS5) that ranks by BM25. The collection is what every Python
# brings: the docstrings of its standard library, some thousands of documents. The queries are
# **known items**: a few words that somebody remembers of one document, some of them wrong.

# %%
collection = known_items(docstrings(), 200, seed=12)
with tempfile.TemporaryDirectory() as folder, Fts5(Path(folder) / "index") as engine:
    indexed = index(engine, collection.documents)
    run, answered = answer(engine, collection.queries)

# %% [markdown]
# Times differ from machine to machine and from run to run, so they are drawn and not printed:
# what you see is what was measured where this notebook last ran. Run it again to see yours.

# %%
predict("Is the index largest at its end? Think of the step that merges it into one piece.")

# %%
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
steps, megabytes = range(1, len(indexed.size) + 1), np.array(indexed.size) / 1e6
axes.plot(steps, megabytes, marker="o", color=plotting.PALETTE[0], label="after the step")
axes.axhline(megabytes[-1], linestyle="--", color=plotting.PALETTE[1], label="final size")
axes.axhline(megabytes.max(), linestyle=":", color=plotting.PALETTE[2], label="largest size")
axes.set(xlabel="step", ylabel="MB", ylim=(0, None), title="The size of the index")
axes.legend(loc="lower right")
figure(
    drawn,
    alt="The size of the index after each step. It grows with each batch of documents, is largest "
    "while its parts are merged, and ends lower. The distance from the dotted line, the largest "
    "size, to the dashed one, the final size, is the temporary space.",
)

# %%
reveal(
    "No. The merge writes the new index while the old one still stands; only then is the old one "
    f"dropped. Temporary space was needed: {bool(temporary_size(indexed).score[0] > 0)}."
)

# %%
predict(
    "Sort the 200 latencies. What does the curve look like: a straight line, or something else?"
)

# %%
ordered = latency(answered, 50)
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.plot(100 * ordered["share answered"], 1000 * ordered["latency"], color=plotting.PALETTE[0])
for p, marker in zip((50, 90, 99), "os^", strict=True):
    wait = 1000 * float(latency(answered, p).score[0])
    axes.plot(
        p, wait, marker, markersize=8, color=plotting.PALETTE[1], label=f"{p}%: {wait:.2g} ms"
    )
axes.set(xlabel="% of the queries answered", ylabel="latency, ms", ylim=(0, None))
axes.set_title(f"{float(throughput(answered).score[0]):,.0f} queries per second")
axes.legend()
figure(
    drawn,
    alt="The latencies of 200 queries in rising order, with the percentiles 50, 90 and 99 marked. "
    "The curve is low for most queries and climbs towards the slowest.",
)

# %% [markdown]
# Fast, but is it any good? Efficiency is worth little without effectiveness, and both come from
# one run. With one relevant document for each query, the reciprocal rank says where it stood.

# %%
found = evaluate(run, collection.qrels, "RR R@10")
reveal(
    f"Mean reciprocal rank above one half: {found.mean['RR'] > 0.5}. "
    f"At least three of four documents in the first ten: {found.mean['R@10'] >= 0.75}."
)

# %% [markdown]
# When you report such numbers, say: the machine and its number of processors, the versions, how
# many documents and queries, whether the disk's cache was warm, how often you measured, and the
# median with a high percentile. A time without these cannot be compared with anything.
#
# ## Ten million rows
#
# Evaluation has to be fast enough, too. A recommender gave 100,000 users 100 items each: ten
# million rows. Ten items of each user were held out. Here five of them are among the recommended,
# one at a random place in each block of twenty ranks, and five are not.

# %%
USERS, DEPTH, ITEMS = 100_000, 100, 20_011
rng = np.random.default_rng(12)
first = rng.integers(0, ITEMS, size=(USERS, 1))
recommended = (first + 7 * np.arange(DEPTH)) % ITEMS
places = rng.integers(0, 20, size=(USERS, 5)) + 20 * np.arange(5)
hits = np.take_along_axis(recommended, places, axis=1)
misses = (first + 7 * np.arange(DEPTH, DEPTH + 5)) % ITEMS
held_out = np.hstack([hits, misses])
table({"rows recommended": [f"{recommended.size:,}"], "items held out": [f"{held_out.size:,}"]})

# %%
predict("On paper first: what are P@10 and R@100, on average over the users?")

# %%
MEASURES = "P@10 R@100 nDCG@10 RR"
reveal(evaluate(recommended, held_out, MEASURES))

# %% [markdown]
# R@100 is 5 of 10. The first ten ranks are half of the first block, so they hold its one hit for
# every other user: P@10 is half a hit in ten, 0.05 but for chance.
#
# How? Not by a loop over the rows. Only the held-out items can add anything to these measures. So
# go through those, and ask of each at which rank it stands: a **reverse join**.

# %%
predict("At how many of the ten million rows does a measure have to look in the end?")

# %%
reveal(
    f"At {len(np.unique(places + DEPTH * np.arange(USERS)[:, None])):,}: the rows that hold a "
    "held-out item, one in twenty. For the others it is enough to know that they are there."
)

# %% [markdown]
# ### Less memory: in pieces
#
# A run that does not fit into memory can come in pieces, whole users at a time. Each piece is
# joined and dropped; the scores are the same.

# %%
SOME = 2_000


def pieces():
    """The first users, 500 at a time, each with their items, best first."""
    for begin in range(0, SOME, 500):
        yield {str(u): list(map(str, recommended[u])) for u in range(begin, begin + 500)}


judged = {str(u): dict.fromkeys(map(str, held_out[u]), 1) for u in range(SOME)}
in_pieces = evaluate(pieces(), judged, "P@10 R@100")
at_once = evaluate(recommended[:SOME], held_out[:SOME], "P@10 R@100")
all(np.array_equal(in_pieces.scores[m], at_once.scores[m]) for m in ("P@10", "R@100"))

# %%
predict("Ten times as many users: how much longer does evaluating take?")

# %% [markdown]
# Measure it. The evaluation above was the **warm-up**: the first call of a program loads code and
# asks for memory, and that says nothing of the next calls. And take the **least of three**: other
# programs can only make a run slower, so the least time is the nearest to what the work takes.


# %%
def least_of_three(users):
    """The least of three times, in seconds, that evaluating the first users takes."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        evaluate(recommended[:users], held_out[:users], MEASURES)
        times.append(time.perf_counter() - start)
    return min(times)


users = np.array([300, 1_000, 3_000, 10_000, 30_000])
seconds = np.array([least_of_three(n) for n in users])
drawn, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.loglog(users * DEPTH, seconds, "o", color=plotting.PALETTE[0], label="least of three")
axes.loglog(
    users * DEPTH,
    seconds[-1] * users / users[-1],
    linestyle="--",
    color=plotting.PALETTE[1],
    label="ten times the rows, ten times the time",
)
axes.set(xlabel="rows", ylabel="seconds", title="Evaluating four measures")
axes.legend()
figure(
    drawn,
    alt="Five points: the seconds that evaluating took, by the number of rows, from thirty "
    "thousand to three million. Both axes are logarithmic. A dashed line goes through the last "
    "point: on it, ten times the rows take ten times as long.",
)

# %% [markdown]
# Compare the points with the dashed line. Where they follow it, time grows in proportion to the
# rows. Points on the left may lie above the line, because every call also has a cost that does not
# depend on the rows. Nothing here compares every row with every other: twice the rows is twice the
# work. If the points of your own evaluation rise more steeply than the line, look for a search in
# a list.

# %%
quiz(
    "Evaluating your ten million rows takes an hour, and it runs with every build. What first?",
    {
        "Evaluate a tenth of the users": (
            False,
            (
                "Ten times faster, and the noise of the mean grows by the root of ten: a gate that "
                "was steady begins to flap (notebook 5)."
            ),
        ),
        "Go through the judged documents rather than the retrieved ones": (
            True,
            "There are far fewer of them, and the scores stay exactly the same.",
        ),
        "Measure at a smaller cut-off": (
            False,
            "It measures something else, and a loop over all rows still reads all of them.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - Indexing has two clocks (elapsed, processor) and two sizes (final, temporary). Neither replaces
#   the other.
# - Throughput is for the operator, latency for the user. Report a median and a high percentile;
#   where a page waits for many servers, the tail decides.
# - A time belongs with its machine, its data and its repetitions. Warm up, and take the least of
#   several times.
# - Evaluation itself scales with the rows when it starts from what was judged.
#
# **Read on.** Croft, Metzler & Strohman (2010), *Search engines: information retrieval in
# practice*, section 8.5. Dean & Barroso (2013), *The tail at scale*, Communications of the ACM
# 56(2). Azzopardi, de Rijke & Balog (2007), *Building simulated queries for known-item topics*,
# SIGIR.
