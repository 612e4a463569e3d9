# %% [markdown]
# # Exercise 15. Fast enough? And better by how much?
#
# Effectiveness is half of it: a search that nobody waits for finds nothing. You compute what an
# engine's log tells about its speed, and compare two engines query by query.
#
# **Needs.** Notebooks 5 and 15. **Time.** 45 minutes. **Marks.** 12.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def latencies(rng):
    """Seconds that queries took: most are fast, some slow."""
    n = rng.randint(8, 14)
    values = [rng.randint(10, 60) / 1000 for _ in range(n - 2)]
    values += [rng.randint(200, 900) / 1000 for _ in range(2)]
    rng.shuffle(values)
    return {"seconds": values}


def with_percentile(rng):
    """The same with a percentile."""
    return {**latencies(rng), "percentile": rng.choice([50, 75, 90])}


def indexing(rng):
    """Steps of indexing: documents, seconds by the clock, and bytes after each step."""
    n = rng.randint(3, 5)
    sizes = [rng.randint(10, 90) * 100 for _ in range(n)]  # any may be the largest, or the last
    return {
        "documents": [rng.randint(100, 900) for _ in range(n)],
        "seconds": [rng.randint(2, 30) / 10 for _ in range(n)],
        "sizes": sizes,
    }


def steps_only(rng):
    """Documents and seconds of each step."""
    drawn = indexing(rng)
    return {"documents": drawn["documents"], "seconds": drawn["seconds"]}


def sizes_only(rng):
    """Bytes on disk after each step."""
    return {"sizes": indexing(rng)["sizes"]}


def two_engines(rng):
    """Scores by query of an engine and of its baseline."""
    queries = [f"q{i}" for i in range(1, rng.randint(4, 7))]
    return {
        "values": {q: rng.randint(20, 90) / 100 for q in queries},
        "baseline": {q: rng.randint(20, 90) / 100 for q in queries},
    }


HOME = "irmetrics_edu.lab.efficiency.measures:"
NAMES = {n: HOME + n for n in ("Querying", "Indexing", "latency", "throughput", "indexing_rate")}
NAMES["temporary_size"] = HOME + "temporary_size"
RISING, PLACE = "sorted(seconds)", "((len(seconds) - 1) * percentile / 100)"
ASKED = "Querying([str(i) for i in range(len(seconds))], seconds)"
STEPS = "Indexing(documents, seconds, seconds, documents)"
SIZED = "Indexing(sizes, sizes, sizes, sizes)"

spec = Exercise(
    "15",
    "Fast enough? And better by how much?",
    [
        Question(
            "throughput",
            f"throughput({ASKED}).value",
            latencies,
            names=NAMES,
            title="throughput",
            asks="Queries were asked one after the other and took these seconds. What is the "
            "throughput, in queries per second?",
            marks=1,
            tolerance=1e-5,
            wrongs=[
                Wrong(
                    "mean-latency",
                    "the mean latency, seconds per query",
                    "sum(seconds) / len(seconds)",
                    "Throughput is queries per second.",
                ),
                Wrong(
                    "mean-of-rates",
                    "a mean of 1 over each latency",
                    "sum([1 / s for s in seconds]) / len(seconds)",
                    "Divide all queries by all seconds; otherwise one fast query hides slow ones.",
                ),
            ],
            hints=["How many queries, over how many seconds in all?"],
        ),
        Question(
            "latency",
            f"latency({ASKED}, percentile).value",
            with_percentile,
            names=NAMES,
            title="latency at a percentile",
            asks="Queries took these seconds. What is the latency at this percentile, in seconds: "
            "the least of these times within which at least so many percent of the queries were "
            "answered?",
            jointly=True,
            tries=8,
            edges=[
                {"seconds": [0.5], "percentile": 90},
                {"seconds": [0.1, 0.3], "percentile": 100},
                {"seconds": [0.1, 0.3], "percentile": 50},
                {"seconds": [0.4, 0.1, 0.3, 0.2, 0.5], "percentile": 1},
                {"seconds": [i / 10 for i in range(14, 0, -1)], "percentile": 93},
            ],
            wrongs=[
                Wrong(
                    "the-mean",
                    "the mean",
                    "sum(seconds) / len(seconds)",
                    "Two slow queries pull the mean up; a percentile tells what most see.",
                ),
                Wrong(
                    "unsorted",
                    "a percentile of the list as it stands",
                    "seconds[-(-len(seconds) * percentile // 100) - 1]",
                    "Sort the latencies first.",
                ),
                Wrong(
                    "rank-rounded-down",
                    "a percentile whose rank is rounded down",
                    "sorted(seconds)[len(seconds) * percentile // 100 - 1]",
                    "At least p % of the queries must be answered within it: round up.",
                ),
                Wrong(
                    "interpolated",
                    "a number between two latencies, as np.percentile gives it",
                    f"{RISING}[int({PLACE})] + ({PLACE} - int({PLACE})) * ({RISING}[min(int("
                    f"{PLACE}) + 1, len(seconds) - 1)] - {RISING}[int({PLACE})])",
                    'Take a latency that was observed: method="inverted_cdf" does so in numpy.',
                ),
            ],
            hints=[
                "Sort, and take the one at rank ceil(percentile / 100 * n), counted from 1.",
                "-(-a // b) is a / b rounded up, without rounding errors.",
            ],
        ),
        Question(
            "indexing_rate",
            f"indexing_rate({STEPS}).value",
            steps_only,
            names=NAMES,
            title="indexing rate",
            asks="Documents were indexed in steps. What is the indexing rate, in documents per "
            "second?",
            marks=1,
            tolerance=1e-4,
            wrongs=[
                Wrong(
                    "mean-of-steps",
                    "the mean of the steps' own rates",
                    "sum([d / s for d, s in zip(documents, seconds)]) / len(seconds)",
                    "All documents over all seconds: long steps count more.",
                ),
            ],
            hints=["Documents in all over seconds in all."],
        ),
        Question(
            "temporary_size",
            f"temporary_size({SIZED}).value",
            sizes_only,
            names=NAMES,
            title="temporary size",
            asks="The index had these sizes in bytes, step by step. What is its temporary size, "
            "the space that was needed only for a while?",
            marks=1,
            wrongs=[
                Wrong(
                    "the-peak",
                    "the largest size",
                    "max(sizes)",
                    "What stays is no temporary size: take off the final index.",
                ),
                Wrong(
                    "the-last-step",
                    "the difference that the last step made",
                    "sizes[-2] - sizes[-1]",
                    "The largest size of all steps counts.",
                ),
                Wrong(
                    "less-the-smallest",
                    "the largest size less the smallest",
                    "max(sizes) - min(sizes)",
                    "Take off the final size: an index is small after its first step.",
                ),
                Wrong(
                    "less-the-first",
                    "the largest size less the first",
                    "max(sizes) - sizes[0]",
                    "Take off the final size, which is the last of the list.",
                ),
            ],
            jointly=True,
            edges=[
                {"sizes": [2_000_000, 4_000_000, 6_000_000, 4_500_000]},
                {"sizes": [3000, 5000, 4000]},
                {"sizes": [100, 200, 300]},
            ],
            hints=["The largest size less the last."],
        ),
        Question(
            "improvement",
            "improvement(values, baseline).value",
            two_engines,
            edges=[{"values": {"q1": 0.9, "q2": 0.6}, "baseline": {"q1": 0.3, "q2": 0.2}}],
            title="improvement, query by query",
            asks="An engine and its baseline have these scores, query by query. The improvement "
            "of a query is what its score rises by, as a share of its baseline. What is the mean "
            "of the queries' improvements?",
            wrongs=[
                Wrong(
                    "improvement-of-the-mean",
                    "the improvement of the mean",
                    "sum(values.values()) / sum(baseline.values()) - 1",
                    "Take each query's improvement first, then their mean.",
                ),
                Wrong(
                    "difference",
                    "a mean of differences",
                    "sum([values[q] - baseline[q] for q in values]) / len(values)",
                    "An improvement is a share of the baseline.",
                ),
                Wrong(
                    "over-the-new",
                    "differences over the new value",
                    "sum([1 - baseline[q] / values[q] for q in values]) / len(values)",
                    "The baseline stands below the line.",
                ),
            ],
            hints=["(value - baseline) / baseline for each query, then the mean."],
        ),
        Question(
            "log",
            f"[throughput({ASKED}).value, latency({ASKED}, 50).value, latency({ASKED}, 90).value]",
            latencies,
            kind="value",
            names=NAMES,
            title="what a log tells",
            asks="Queries were asked one after the other and took these seconds.",
            parts=[
                "the throughput in queries per second",
                "the median latency in seconds (of two in the middle, the lower)",
                "the latency at the 90th percentile in seconds (its rank rounded up)",
            ],
            line="value",
            wrongs=[
                Wrong(
                    "the-mean",
                    "a mean in place of the median",
                    f"[throughput({ASKED}).value, sum(seconds) / len(seconds), "
                    f"latency({ASKED}, 90).value]",
                    "The median is the latency at percentile 50.",
                ),
            ],
            hints=["Throughput, then the latency at 50 and at 90."],
            tolerance=0.0006,
        ),
    ],
    [
        ByHand(
            "benchmark",
            "Criticise a benchmark",
            [
                Criterion(
                    "unequal conditions",
                    1,
                    "Different machines, or one engine cold and one warm, or another number of "
                    "queries: one of these, with what it does to the numbers. Remedy: the same "
                    "machine, a warm-up, repetitions.",
                ),
                Criterion(
                    "what is compared",
                    1,
                    "A mean is compared with a 99th percentile, or a 99th percentile of 20 "
                    "queries, which is the slowest one. Remedy: the same percentiles, of many "
                    "queries.",
                ),
                Criterion(
                    "effectiveness",
                    1,
                    "Nothing says that the results are equally good, or that index sizes are "
                    "equal: an engine can be quick because it searches less. Remedy: nDCG of the "
                    "same runs.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. Throughput
#
# `seconds` is how long each query took, one after another. How many were answered per second?


# %% tags=["throughput"]
def throughput(seconds):
    """The number of queries answered per second."""
    ### BEGIN SOLUTION
    return len(seconds) / sum(seconds)
    ### END SOLUTION


# %% tags=["check"]
check("throughput", throughput)

# %% [markdown]
# ## 2. Latency
#
# The latency at percentile $p$ is the least time within which at least $p$ % of the queries were
# answered: one that was observed, not one between two.


# %% tags=["latency"]
def latency(seconds, percentile):
    """The least time within which so many per cent of the queries were answered."""
    ### BEGIN SOLUTION
    return sorted(seconds)[-(-len(seconds) * percentile // 100) - 1]
    ### END SOLUTION


# %% tags=["check"]
check("latency", latency)

# %% [markdown]
# ## 3. Indexing rate
#
# Indexing goes in steps: `documents` holds how many were indexed in each, `seconds` how long it
# took. How many documents are indexed per second?


# %% tags=["indexing_rate"]
def indexing_rate(documents, seconds):
    """The number of documents indexed per second."""
    ### BEGIN SOLUTION
    return sum(documents) / sum(seconds)
    ### END SOLUTION


# %% tags=["check"]
check("indexing_rate", indexing_rate)

# %% [markdown]
# ## 4. Temporary size
#
# `sizes` holds the bytes on disk after each step, the last being those of the finished index. How
# many bytes does indexing take, at its height, beyond it?


# %% tags=["temporary_size"]
def temporary_size(sizes):
    """The largest size on the way, less the final one."""
    ### BEGIN SOLUTION
    return max(sizes) - sizes[-1]
    ### END SOLUTION


# %% tags=["check"]
check("temporary_size", temporary_size)

# %% [markdown]
# ## 5. Better by how much?
#
# `values` and `baseline` map queries to scores, never 0. Return the mean over queries of the
# improvement, each as a share of the baseline's score.
#
# Papers report this mean, so you should be able to check it. Don't choose it yourself. It has no
# upper bound: a query that goes from 0.01 to 0.1 counts 9, and a query that falls from 0.1 to 0.01
# counts only -0.9. A few queries with a low baseline decide it. The mean of the differences
# (notebook 14) has no such queries.


# %% tags=["improvement"]
def improvement(values, baseline):
    """The mean of the queries' improvements, as shares of the baseline."""
    ### BEGIN SOLUTION
    return sum((values[q] - baseline[q]) / baseline[q] for q in values) / len(values)
    ### END SOLUTION


# %% tags=["check"]
check("improvement", improvement)

# %% [markdown]
# ## 6. What a log tells
#
# Give throughput, median latency, and the latency at percentile 90, to three decimals.

# %%
seconds = spec.given("log")

# %% tags=["log"]
### BEGIN SOLUTION
log = [throughput(seconds), latency(seconds, 50), latency(seconds, 90)]
### END SOLUTION

# %% tags=["check"]
check("log", log)

# %% [markdown]
# ## 7. Criticise a benchmark
#
# Your teacher marks this answer. A blog writes:
#
# > We measured engine A on a laptop, once, right after the start. 20 queries took 31 ms on average.
# > Engine B ran on our server, and we repeated its queries five times. Its 99th percentile was 28
# > ms. So B is faster, and we use it from now on.
#
# Name three flaws, and say for each what the authors should do instead.

# %% [markdown] tags=["benchmark"]
# **Three flaws and their remedies:**
#
# ### BEGIN SOLUTION
# **The conditions differ.** A laptop with an empty cache is compared with a warm server. Measure
# both on one machine, after a warm-up, several times.
#
# **The numbers differ in kind.** One is a mean, the other a percentile. And the 99th percentile
# of 20 queries is the slowest query. Report median and 99th percentile of some thousand queries
# for both.
#
# **Nobody asked how good the results are.** B may be quick because it looks at fewer documents.
# Report nDCG@10 of the same runs, and the size of the index.
# ### END SOLUTION
